/* out_files.c - replaces files whole or not at all.
 * SPDX-License-Identifier: MIT
 *
 * The steps that can fail come first: each file's new content is written to a temporary file in the target's own
 * directory, so that the renames at the end stay within one file system. If a target is a symbolic link, the link stays
 * and the file that it leads to is replaced. A signal that ends pktc waits until the temporary files have gone.
 */
#include "base/files.h"
#include "base/interrupts.h"
#include "base/out.h"

#include <errno.h>
#include <string.h>

enum { MAX_ATTEMPTS = 1000 };

/* A file whose new content is complete in `temporary` and still has to be renamed to `target`. */
typedef struct replacement {
    struct replacement *next;
    const output *output;
    file_target target;
    const char *temporary;
} replacement;

void outputs_init(outputs *o)
{
    o->first = NULL;
    o->last = &o->first;
}

output *outputs_add(arena *a, outputs *o, const char *path, const char *text, size_t size)
{
    output *added = ARENA_WITH(a, output, .path = path, .text = text, .size = size);
    *o->last = added;
    o->last = &added->next;
    return added;
}

/* Whether a file has this content; with any_ends, "\r\n" in it is "\n". */
static bool has_content(const output *o, bool any_ends)
{
    FILE *file = file_is_regular(o->path) ? file_open(o->path) : NULL;
    if (!file)
        return false;
    size_t at = 0;
    bool same = true;
    for (int c = getc(file), next; same && c != EOF; c = next) {
        next = getc(file);
        if (any_ends && c == '\r' && next == '\n')
            continue;
        same = at < o->size && (unsigned char)o->text[at] == c;
        at++;
    }
    same = same && !ferror(file) && at == o->size;
    fclose(file);
    return same;
}

bool output_is_current(const output *o)
{
    return has_content(o, false);
}

bool output_is_current_text(const output *o)
{
    return has_content(o, true);
}

/* Creates a file with an unused name in the target's directory. NULL with errno. *number is the first number to try in
 * the name; afterwards it is the next unused one. */
static FILE *create_temporary(arena *a, const file_target *target, const char **path, unsigned *number)
{
    FILE *file = NULL;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        *path =
            arena_printf(a, "%.*s.pktc-%ld-%u", (int)target->directory_size, target->path, file_process(), (*number)++);
        file = file_create(*path, target);
        if (file || errno != EEXIST)
            break;
    }
    return file;
}

/* Writes an output's content to a temporary file. NULL with *reason; the temporary file is then removed. */
static replacement *prepare(arena *a, const output *o, unsigned *number, const char **reason)
{
    replacement *r = ARENA_NEW(a, replacement);
    r->output = o;
    if (!file_make_directories(a, o->path)) {
        *reason = strerror(errno);
        return NULL;
    }
    if (!file_find_target(a, o->path, &r->target, reason))
        return NULL;
    FILE *file = create_temporary(a, &r->target, &r->temporary, number);
    if (!file) {
        *reason = strerror(errno);
        return NULL;
    }
    /* A full disk may only be reported by fclose. */
    bool written = fwrite(o->text, 1, o->size, file) == o->size;
    int error = errno;
    bool closed = fclose(file) == 0;
    if (!written || !closed) {
        *reason = strerror(written ? errno : error);
        file_remove(r->temporary);
        return NULL;
    }
    return r;
}

static void remove_temporaries(const replacement *list)
{
    for (; list; list = list->next)
        file_remove(list->temporary);
}

static bool writes_to_stream(const output *o)
{
    return o->asked_for && file_is_stream(o->path);
}

/* Writes all outputs, unless a signal comes before the first file is replaced. */
static bool write_held(arena *a, const outputs *o, const char **failed)
{
    replacement *list = NULL, **last = &list;
    unsigned number = 0;
    for (const output *each = o->first; each; each = each->next) {
        if (writes_to_stream(each) || output_is_current(each) || interrupts_came())
            continue;
        const char *reason;
        *last = prepare(a, each, &number, &reason);
        if (!*last) {
            *failed = arena_printf(a, "cannot write '%s': %s", each->path, reason);
            remove_temporaries(list);
            return false;
        }
        last = &(*last)->next;
    }
    for (const output *each = o->first; each; each = each->next) {
        if (writes_to_stream(each) && !interrupts_came() && !file_write_stream(each->path, each->text, each->size)) {
            *failed = arena_printf(a, "cannot write '%s': %s", each->path, strerror(errno));
            remove_temporaries(list);
            return false;
        }
    }
    if (interrupts_came()) {
        remove_temporaries(list);
        return true;
    }
    for (const replacement *r = list; r; r = r->next) {
        if (!file_replace(r->temporary, r->target.path)) {
            *failed = arena_printf(a, "cannot write '%s': %s", r->output->path, strerror(errno));
            remove_temporaries(r);
            return false;
        }
    }
    return true;
}

bool outputs_write(arena *a, const outputs *o, const char **failed)
{
    interrupts_hold();
    const bool written = write_held(a, o, failed);
    interrupts_release();
    return written;
}
