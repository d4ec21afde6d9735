/* analysis.c - checks a file as the root of a schema, and lists its names.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/files.h"
#include "model/type_table.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 10, ROUNDS_OF_STATEMENTS = 5 };

const source *read_from_disk(arena *a, const char *at)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t size = sizeof mark - 1;
    const source *s = source_read(a, at);
    const bool marked = s && s->size >= size && memcmp(s->text, mark, size) == 0;
    return marked ? source_from(a, at, s->text + size, s->size - size) : s;
}

/* What reads imported files. */
typedef struct edited_files {
    const lsp_server *server;
    const mending *mending;
    analysis *whole; /* of which files are noted */
} edited_files;

/* What the editor has comes before what is on the disk. */
static const source *read_now(const lsp_server *s, arena *a, const char *at, const char *identity)
{
    for (const renamed_file *f = s->renamed; f; f = f->next)
        if (strcmp(f->identity, identity) == 0)
            return source_from(a, at, f->text, f->size);
    for (const document *d = s->documents; d; d = d->next)
        if (strcmp(d->identity, identity) == 0)
            return source_from(a, at, d->text, d->size);
    return read_from_disk(a, at);
}

/* Each file is read once for an analysis and its parts. */
static const sought_file *seek_file(const edited_files *from, const char *at)
{
    analysis *whole = from->whole;
    sought_file *f = whole->sought;
    while (f && strcmp(f->path, at) != 0)
        f = f->next;
    if (f)
        return f;
    f = ARENA_NEW(whole->arena, sought_file);
    *f = (sought_file){whole->sought, arena_text(whole->arena, at, strlen(at)), file_identity(whole->arena, at), NULL,
                       0};
    f->found = read_now(from->server, whole->arena, f->path, f->identity);
    f->failure = f->found ? 0 : errno;
    whole->sought = f;
    return f;
}

/* What is without errors comes first. */
static const source *read_as_edited(void *reader, arena *a, const char *at)
{
    const edited_files *from = reader;
    const sought_file *f = seek_file(from, at);
    const mended_file *mended = from->mending ? mended_file_of(from->mending, f->identity) : NULL;
    errno = f->failure;
    return mended ? source_from(a, at, mended->text, mended->size) : f->found;
}

static bool has_model_file(const analysis *of)
{
    for (const ast_decl *d = of->tree->decls; d; d = d->next)
        if (d->kind == AST_DECL_MODEL && d->name.text)
            return true;
    return false;
}

bool is_stale(const lsp_server *s, const analysis *of)
{
    for (const sought_file *f = of->sought; f; f = f->next) {
        const source *now = read_now(s, s->scratch, f->path, f->identity);
        if ((now ? 0 : errno) != f->failure || strcmp(file_identity(s->scratch, f->path), f->identity) != 0 ||
            (now && (now->size != f->found->size || memcmp(now->text, f->found->text, now->size) != 0)))
            return true;
    }
    return has_model_file(of);
}

static int by_place_of_use(const void *a, const void *b)
{
    const name_use *x = *(const name_use *const *)a, *y = *(const name_use *const *)b;
    return (x->at.begin > y->at.begin) - (x->at.begin < y->at.begin);
}

/* Lists the names of the file itself, each one once. */
static void list_own_uses(analysis *of)
{
    size_t count = 0;
    for (const name_use *u = of->uses.first; u; u = u->next)
        count += u->at.source == of->source;
    of->own = ARENA_ARRAY(of->arena, const name_use *, count);
    for (const name_use *u = of->uses.first; u; u = u->next)
        if (u->at.source == of->source)
            of->own[of->own_count++] = u;
    qsort(of->own, count, sizeof(const name_use *), by_place_of_use);
    of->own_count = 0;
    for (size_t i = 0; i < count; i++)
        if (of->own_count == 0 || of->own[of->own_count - 1]->at.begin != of->own[i]->at.begin)
            of->own[of->own_count++] = of->own[i];
}

/* Of a part, `whole` is the analysis with the errors; else NULL. */
static analysis *analyse_mended(const lsp_server *s, const char *at, const char *text, size_t size,
                                const mending *mended, analysis *whole)
{
    arena *a = arena_new();
    analysis *of = ARENA_NEW(a, analysis);
    edited_files reader = {s, mended, whole ? whole : of};
    *of = (analysis){.arena = a, .names = names_new(a), .diag = diag_new(a), .uses.arena = a};
    of->source = source_from(a, at, text, size);
    check_options how = s->options->check;
    how.uses = &of->uses;
    how.read = read_as_edited;
    how.reader = &reader;
    const schema *checked = check(a, of->names, of->diag, of->source, &how);
    if (checked) {
        of->wire = lower(a, checked);
        check_budgets(of->wire, of->diag);
    }
    list_own_uses(of);
    return of;
}

analysis *analyse(const lsp_server *s, const char *at, const char *text, size_t size)
{
    analysis *of = analyse_mended(s, at, text, size, NULL, NULL);
    /* The parser is run here for the tree, and in check, which does not keep it. */
    of->tree = parse(of->arena, of->names, diag_new(of->arena), of->source, reserved_type_word);
    return of;
}

void analysis_free(analysis *of)
{
    if (!of)
        return;
    analysis_free(of->part);
    if (of->mending)
        arena_free(of->mending->arena);
    arena_free(of->arena);
}

/* ---- with errors */

static bool lacks_something(const analysis *part, const decl *d)
{
    if (has_cuts(part->mending, d))
        return true;
    for (const field *f = d->fields; f; f = f->next)
        if (f->type.decl && f->type.kind != TYPE_REF && is_partial(part, f->type.decl))
            return true;
    for (const member *m = d->members; m; m = m->next)
        if (m->type && is_partial(part, m->type))
            return true;
    return false;
}

/* Declarations come after those that they contain. */
static void list_partial(analysis *part)
{
    size_t count = 0;
    for (const decl *d = part->wire->schema->decls; d; d = d->next)
        count++;
    part->partial = ARENA_ARRAY(part->arena, const decl *, count);
    for (const decl *d = part->wire->schema->decls; d; d = d->next)
        if (lacks_something(part, d))
            part->partial[part->partial_count++] = d;
}

/* Gives names their places in the files as they are. */
static void place_uses(analysis *part)
{
    for (name_use *u = part->uses.first; u; u = u->next) {
        span *const places[] = {&u->at, &u->declared};
        for (size_t i = 0; i < 2; i++) {
            const mended_file *f = mended_file_of_source(part->mending, places[i]->source);
            if (f)
                places[i]->source = f->original;
        }
    }
}

/* Cuts errors until there are none. */
static analysis *find_part(const lsp_server *s, analysis *broken)
{
    arena *a = arena_new();
    mending *m = ARENA_NEW(a, mending);
    analysis *part = NULL;
    *m = (mending){.arena = a};
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (!cut_errors(m, part ? part->diag : broken->diag, round >= ROUNDS_OF_STATEMENTS))
            break;
        const mended_file *f = mended_file_of(m, file_identity(a, broken->source->path));
        const char *text = f ? f->text : (const char *)broken->source->text;
        analysis_free(part);
        part = analyse_mended(s, broken->source->path, text, f ? f->size : broken->source->size, m, broken);
        if (part->wire) {
            part->mending = m;
            list_partial(part);
            place_uses(part);
            return part;
        }
    }
    analysis_free(part);
    arena_free(a);
    return NULL;
}

const analysis *sound_part(const lsp_server *s, analysis *of)
{
    if (of->wire)
        return of;
    if (!of->part_sought)
        of->part = find_part(s, of);
    of->part_sought = true;
    return of->part;
}

bool is_partial(const analysis *of, const decl *d)
{
    for (size_t i = 0; i < of->partial_count; i++)
        if (of->partial[i] == d)
            return true;
    return false;
}

const name_use *use_at(const analysis *of, uint32_t offset)
{
    size_t low = 0, high = of->own_count; /* the last one that begins at or before the offset is in [low, high) */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (of->own[middle]->at.begin <= offset)
            low = middle;
        else
            high = middle;
    }
    const name_use *u = high > low ? of->own[low] : NULL;
    return u && u->at.begin <= offset && offset <= u->at.end ? u : NULL;
}

const name_use *name_at(const lsp_server *s, const document *d, const json_t *parameters, const analysis **of)
{
    const uint32_t at = offset_in_source(d->analysis->source, json_object_get(parameters, "position"));
    *of = sound_part(s, d->analysis);
    const name_use *u = *of ? use_at(*of, at) : NULL;
    if (!u)
        u = use_at(*of = d->analysis, at);
    return u;
}

#endif
