/* diag.c - collects messages. A hash table finds messages that were already reported for the same position.
 * SPDX-License-Identifier: MIT
 */
#include "base/diag_internal.h"
#include "base/hash_table.h"

#include <stdlib.h>
#include <string.h>

diag *diag_new(arena *a)
{
    diag *d = ARENA_NEW(a, diag);
    d->arena = a;
    d->messages_end = &d->messages;
    d->table = hash_table_new(a);
    return d;
}

static bool is_same_message(const void *entry, const void *key)
{
    const message *a = entry, *b = key;
    return a->severity == b->severity && a->at.source == b->at.source && a->at.begin == b->at.begin &&
           strcmp(a->text, b->text) == 0;
}

/* Files are printed in the order of their first message. */
static uint32_t file_order(diag *d, const source *s)
{
    uint32_t order = 0;
    struct diag_file **file = &d->files;
    for (; *file; file = &(*file)->next, order++)
        if ((*file)->source == s)
            return order;
    *file = ARENA_NEW(d->arena, struct diag_file);
    (*file)->source = s;
    return order;
}

/* A repeated message is not collected. The message returned for it is in no list, so its notes are never printed. */
static message *add_message(diag *d, severity kind, span at, const char *format, va_list arguments)
{
    message *m = ARENA_NEW(d->arena, message);
    m->severity = kind;
    m->at = at;
    m->text = arena_vprintf(d->arena, format, arguments);
    m->helps_end = &m->helps;
    m->notes_end = &m->notes;
    const uint64_t place = (uint64_t)(uintptr_t)at.source * 31 + at.begin,
                   hash = hash_bytes(place, m->text, strlen(m->text));
    if (hash_table_find(d->table, hash, is_same_message, m))
        return m;
    hash_table_add(d->table, hash, m);
    *d->messages_end = m;
    d->messages_end = &m->next;
    m->file = file_order(d, at.source);
    m->order = d->counts[SEVERITY_ERROR] + d->counts[SEVERITY_WARNING];
    d->counts[kind]++;
    return m;
}

message *diag_error(diag *d, span at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message *m = add_message(d, SEVERITY_ERROR, at, format, arguments);
    va_end(arguments);
    return m;
}

message *diag_warning(diag *d, span at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message *m = add_message(d, SEVERITY_WARNING, at, format, arguments);
    va_end(arguments);
    return m;
}

static remark *add_remark(diag *d, remark ***end, span at, const char *format, va_list arguments)
{
    remark *r = ARENA_NEW(d->arena, remark);
    r->at = at;
    r->text = arena_vprintf(d->arena, format, arguments);
    **end = r;
    *end = &r->next;
    return r;
}

void diag_note(diag *d, message *m, span at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_remark(d, &m->notes_end, at, format, arguments);
    va_end(arguments);
}

void diag_help(diag *d, message *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    m->last_help = add_remark(d, &m->helps_end, (span){NULL, 0, 0}, format, arguments);
    va_end(arguments);
}

void diag_fix(diag *d, message *m, edit e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    m->last_help = add_remark(d, &m->helps_end, (span){NULL, 0, 0}, format, arguments);
    va_end(arguments);
    if (e.at.source && e.text)
        diag_fix_also(d, m, e);
}

void diag_fix_also(diag *d, message *m, edit e)
{
    listed_edit *added = ARENA_NEW(d->arena, listed_edit), **end = &m->last_help->edits;
    added->edit = (edit){e.at, arena_text(d->arena, e.text, strlen(e.text))};
    while (*end)
        end = &(*end)->next;
    *end = added;
}

bool diag_suggest(diag *d, message *m, span at, const suggestion *s)
{
    if (s->best)
        diag_fix(d, m, (edit){at, s->best}, "did you mean '%s'?", s->best);
    return s->best != NULL;
}

void diag_mended(diag *d, message *m)
{
    d->mended += !m->mended;
    m->mended = true;
}

uint32_t diag_gaps(const diag *d)
{
    return d->counts[SEVERITY_ERROR] - d->mended;
}

static int compare_offsets(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

const uint32_t *diag_error_offsets(const diag *d, const source *s, size_t *count)
{
    uint32_t *offsets = ARENA_ARRAY(d->arena, uint32_t, d->counts[SEVERITY_ERROR]);
    *count = 0;
    for (const message *m = d->messages; m; m = m->next)
        if (m->severity == SEVERITY_ERROR && !m->mended && m->at.source == s)
            offsets[(*count)++] = m->at.begin;
    if (*count > 0)
        qsort(offsets, *count, sizeof *offsets, compare_offsets);
    return offsets;
}

const message *diag_messages(const diag *d)
{
    return d->messages;
}

const message *first_error(const message *m)
{
    while (m && m->severity != SEVERITY_ERROR)
        m = m->next;
    return m;
}

uint32_t diag_errors(const diag *d)
{
    return d->counts[SEVERITY_ERROR];
}

uint32_t diag_warnings(const diag *d)
{
    return d->counts[SEVERITY_WARNING];
}
