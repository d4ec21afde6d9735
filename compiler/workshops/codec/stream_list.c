/* stream_list.c - parses the list word by word, and resolves its names.
 * SPDX-License-Identifier: MIT
 */
#include "codec/stream_list.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <string.h>

typedef struct list_reader {
    arena *arena;
    diag *diag;
    const schema *schema;
    const char *list, *at;
    list_use use;
    bool passing;      /* only skips text; its names may be unknown */
    codec_part *first; /* the values so far */
} list_reader;

const decl *stream_list_type(diag *d, const schema *s, const char *name)
{
    suggestion nearest = {.wanted = name};
    for (const decl *each = s->decls; each; each = each->next) {
        if (each->kind != DECL_STRUCT && each->kind != DECL_UNION)
            continue;
        if (strcmp(each->name, name) != 0) {
            suggest(&nearest, each->name);
            continue;
        }
        if (!each->key)
            return each;
        diag_error(d, (span){0}, "'%s' is the struct of a list, which sends its key '%s', so it cannot be sent alone",
                   name, each->key->name);
        return NULL;
    }
    message *m = diag_error(d, (span){0}, "there is no struct, packet or union '%s'", name);
    (void)diag_suggest(d, m, (span){0}, &nearest);
    return NULL;
}

/* ---- words */

static const char blanks[] = " \t\r\n";

/* Skips the text if it is next; returns whether it was. */
static bool skip_text(list_reader *r, const char *text)
{
    const size_t size = strlen(text);
    if (strncmp(r->at, text, size) != 0)
        return false;
    r->at += size;
    r->at += strspn(r->at, blanks);
    return true;
}

/* A name, or "" if there is none. */
static const char *take_name(list_reader *r)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t size = strspn(r->at, letters);
    const char *name = arena_text(r->arena, r->at, size);
    r->at += size;
    r->at += strspn(r->at, blanks);
    return name;
}

/* Reports that something else should be here. Returns false. */
static bool unexpected(const list_reader *r, const char *wrong, const char *expected, const char *help)
{
    const char *found = *r->at ? arena_printf(r->arena, "'%s'", r->at) : "the end";
    message *m = diag_error(r->diag, (span){0}, "'%s' %s: expected %s, found %s", r->list, wrong, expected, found);
    diag_help(r->diag, m, "%s", help);
    return false;
}

static bool malformed(const list_reader *r, const char *expected)
{
    return unexpected(r, "is not a list of types", expected, "a list looks like 'Header, State delta, Event*'");
}

static bool malformed_baseline(const list_reader *r, const char *expected)
{
    return unexpected(r, "does not say which baseline a delta has", expected,
                      "'State delta(Header.number from Header.baseline)' names the fields that do");
}

/* ---- sums */

static const field *field_of(const decl *d, const char *name)
{
    for (const field *f = d->fields; f; f = f->next)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* The type of that name, if the list has a value of it before this one. */
static const decl *earlier(list_reader *r, const char *name)
{
    suggestion nearest = {.wanted = name};
    const decl *with_field = NULL;
    for (const codec_part *p = r->first; p; p = p->next) {
        if (strcmp(p->decl->name, name) == 0)
            return p->decl;
        suggest(&nearest, p->decl->name);
        if (p->decl->kind == DECL_STRUCT && field_of(p->decl, name))
            with_field = p->decl;
    }
    message *m = diag_error(r->diag, (span){0}, "'%s': '%s' is no type before this one in the list", r->list, name);
    if (with_field)
        diag_help(r->diag, m, "'%s' has such a field: write '%s.%s'", with_field->name, with_field->name, name);
    else
        (void)diag_suggest(r->diag, m, (span){0}, &nearest);
    return NULL;
}

/* Returns false. */
static bool no_field(const list_reader *r, const decl *d, const char *name)
{
    suggestion nearest = {.wanted = name};
    message *m = diag_error(r->diag, (span){0}, "'%s': there is no single field '%s'", r->list, name);
    for (const field *f = d && d->kind == DECL_STRUCT ? d->fields : NULL; f; f = f->next)
        if (f->name && strcmp(f->name, name) != 0)
            suggest(&nearest, f->name);
    (void)diag_suggest(r->diag, m, (span){0}, &nearest);
    if (d)
        diag_note(r->diag, m, d->span, "the fields of '%s' are here", d->name);
    return false;
}

bool is_whole_number(const type *t)
{
    const value_sort sort = type_row_of(t)->sort;
    return sort == SORT_BOOL || sort == SORT_INTEGER || sort == SORT_ENUM || sort == SORT_FLAGS || sort == SORT_FIXED;
}

static bool read_path(list_reader *r, field_sum *t)
{
    const char *first = take_name(r);
    const decl *d = t->decl = r->passing ? NULL : earlier(r, first);
    if (!d && !r->passing)
        return false;
    while (skip_text(r, ".")) {
        const char *name = take_name(r);
        if (r->passing)
            continue;
        const field *f = d && d->kind == DECL_STRUCT ? field_of(d, name) : NULL;
        if (!f || f->array != ARRAY_NONE || t->depth == sizeof t->path / sizeof t->path[0])
            return no_field(r, d, name);
        t->path[t->depth++] = f;
        d = f->type.kind == TYPE_STRUCT ? f->type.decl : NULL;
    }
    if (r->passing || (t->depth > 0 && is_whole_number(&t->path[t->depth - 1]->type)))
        return true;
    diag_error(r->diag, (span){0}, "'%s': expected a field that is a whole number, such as '%s.count'", r->list,
               t->decl->name);
    return false;
}

static bool read_term(list_reader *r, field_sum *t)
{
    if (*r->at >= '0' && *r->at <= '9') {
        while (*r->at >= '0' && *r->at <= '9')
            t->number = 10 * t->number + (uint64_t)(*r->at++ - '0');
        r->at += strspn(r->at, blanks);
        return true;
    }
    t->ones = skip_text(r, "bits(");
    return read_path(r, t) && (!t->ones || skip_text(r, ")") || malformed(r, "')' after 'bits(...'"));
}

/* NULL after an error. */
static const field_sum *read_sum(list_reader *r)
{
    field_sum *first = NULL, **end = &first;
    bool minus = false;
    do {
        field_sum *t = ARENA_NEW(r->arena, field_sum);
        t->minus = minus;
        if (!read_term(r, t))
            return NULL;
        *end = t;
        end = &t->next;
        minus = *r->at == '-';
    } while (skip_text(r, "+") || skip_text(r, "-"));
    return first;
}

/* ---- values */

/* Returns false. */
static bool unpredicted(const list_reader *r, const decl *d)
{
    diag_error(r->diag, (span){0}, "'%s' is not @delta(predict), so its baseline does not move 'after' another",
               d->name);
    return false;
}

/* Reads the number of the value from which the baseline has moved. NULL after an error. */
static const field_sum *read_after(list_reader *r, const decl *d)
{
    r->passing = !d->predicts && r->use == LIST_OF_RECORDING;
    if (d->predicts || r->use != LIST_OF_NOW)
        return read_sum(r);
    (void)unpredicted(r, d);
    return NULL;
}

/* Skips the word in 'last)' and in 'last after'. Elsewhere it can be the name of a type. */
static bool starts(list_reader *r, const char *word)
{
    const size_t size = strlen(word);
    if (strncmp(r->at, word, size) != 0)
        return false;
    const size_t blank = strspn(r->at + size, blanks);
    const char *next = r->at + size + blank;
    return (*next == ')' || (blank > 0 && strncmp(next, "after", 5) == 0)) && skip_text(r, word);
}

/* Reads the text after `last` and `previous`. */
static bool read_moves(list_reader *r, codec_part *p)
{
    if (skip_text(r, ")"))
        return true;
    (void)skip_text(r, "after");
    if (!p->decl->predicts && r->use == LIST_OF_NOW)
        return unpredicted(r, p->decl);
    p->moves = true;
    if (skip_text(r, "previous") && skip_text(r, ")"))
        return true;
    return unexpected(r, "does not say which baseline a delta has", "'previous)'",
                      "'State delta(last after previous)' has one that has moved from the State before it");
}

/* Reads the text in the parentheses after `delta`. */
static bool read_baseline(list_reader *r, codec_part *p)
{
    p->chained = starts(r, "previous");
    p->last = starts(r, "last");
    if (p->chained || p->last)
        return read_moves(r, p);
    p->number = read_sum(r);
    if (!p->number)
        return false;
    if (!skip_text(r, "from"))
        return malformed_baseline(r, "'from'");
    p->base_number = read_sum(r);
    if (!p->base_number)
        return false;
    const bool moves = skip_text(r, "after");
    if (moves && !(p->before_number = read_after(r, p->decl)))
        return false;
    if (r->passing)
        p->before_number = NULL;
    r->passing = false;
    return skip_text(r, ")") || malformed_baseline(r, moves ? "')'" : "')' or 'after'");
}

void stream_list_unmoved(diag *d, const codec_part *p, const char *name, const char *is)
{
    message *m = diag_warning(d, (span){0}, "'%s' %s @delta(predict), and its baseline is taken as if it did not move",
                              name, is);
    if (p->number)
        diag_help(d, m, "'%s delta(Header.number from Header.baseline after Header.before)' says how it moved", name);
    else
        diag_help(d, m, "'%s delta(%s after previous)' lets it move on from the one before it", name,
                  p->last ? "last" : "previous");
}

bool stream_list_takes_unmoved(const codec_part *p)
{
    return type_follows(p->decl) && (p->last || p->chained || p->number) && !p->before_number && !p->moves;
}

/* Reads one type with everything up to the comma. NULL after an error. */
static codec_part *read_part_of_list(list_reader *r)
{
    codec_part *p = ARENA_NEW(r->arena, codec_part);
    r->at += strspn(r->at, blanks);
    const char *name = take_name(r);
    if (*name == '\0') {
        malformed(r, "the name of a type");
        return NULL;
    }
    p->decl = stream_list_type(r->diag, r->schema, name);
    if (!p->decl)
        return NULL;
    if (p->decl->parts > 0) {
        diag_error(r->diag, (span){0}, "'%s' has parts that are deltas, so it is sent by itself, in no stream", name);
        return NULL;
    }
    p->delta = skip_text(r, "delta");
    if (p->delta && !p->decl->delta) {
        diag_error(r->diag, (span){0}, "'%s' cannot be sent as a delta, because it is not @delta", name);
        return NULL;
    }
    if (p->delta && skip_text(r, "(") && !read_baseline(r, p))
        return NULL;
    p->many = skip_text(r, "*");
    if (!p->many && skip_text(r, "[")) {
        p->count = read_sum(r);
        if (!p->count || (!skip_text(r, "]") && !malformed(r, "']'")))
            return NULL;
    }
    if (*r->at != ',' && *r->at != '\0') {
        malformed(r, "',' or the end");
        return NULL;
    }
    if (stream_list_takes_unmoved(p))
        stream_list_unmoved(r->diag, p, name, "is");
    return p;
}

bool stream_list_name(arena *a, diag *d, const char *text, const char **name, const char **list)
{
    const char *equals = strrchr(text, '='); /* the sums of a list have none */
    *name = equals ? arena_text(a, text, (size_t)(equals - text)) : NULL;
    *list = equals ? equals + 1 : text;
    if (equals != text)
        return true;
    message *m = diag_error(d, (span){0}, "'%s' has no name for its frame", text);
    diag_help(d, m, "without a frame, write '%s'", *list);
    return false;
}

void stream_list_twice(diag *d, const char *name)
{
    if (name)
        diag_error(d, (span){0}, "there are two streams in frames of the name '%s'", name);
    else
        diag_error(d, (span){0}, "there are two streams without a frame, which nothing could tell apart");
}

codec_part *stream_list_read(arena *a, diag *d, const schema *s, const char *list, list_use use)
{
    list_reader r = {.arena = a, .diag = d, .schema = s, .list = list, .at = list, .use = use};
    codec_part **end = &r.first;
    do {
        codec_part *p = read_part_of_list(&r);
        if (!p)
            return NULL;
        *end = p;
        end = &p->next;
    } while (*r.at++ == ',');
    return r.first;
}
