/* analysis.c - checks a file as the root of a schema, and lists its names.
 * SPDX-License-Identifier: MIT
 */
#include "lsp/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/files.h"
#include "model/type_table.h"
#include "wire/budgets.h"

#include <stdlib.h>
#include <string.h>

/* Reads an imported file: what the editor has comes before what is on the disk. */
static const source *read_as_edited(void *reader, arena *a, const char *at)
{
    const lsp_server *s = reader;
    const char *identity = file_identity(a, at);
    for (const document *d = s->documents; d; d = d->next)
        if (strcmp(d->identity, identity) == 0)
            return source_from(a, at, d->text, d->size);
    return source_read(a, at);
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

analysis *analyse(const lsp_server *s, const char *at, const char *text, size_t size)
{
    arena *a = arena_new();
    analysis *of = ARENA_NEW(a, analysis);
    *of = (analysis){.arena = a, .names = names_new(a), .diag = diag_new(a), .uses.arena = a};
    of->source = source_from(a, at, text, size);
    /* The parser is run here for the tree, and in check, which does not keep it. */
    of->tree = parse(a, of->names, diag_new(a), of->source, reserved_type_word);
    check_options how = s->options->check;
    how.uses = &of->uses;
    how.read = read_as_edited;
    how.reader = (void *)(uintptr_t)s;
    const schema *checked = check(a, of->names, of->diag, of->source, &how);
    if (checked) {
        of->wire = lower(a, checked);
        check_budgets(of->wire, of->diag);
    }
    list_own_uses(of);
    return of;
}

void analysis_free(analysis *of)
{
    if (of)
        arena_free(of->arena);
}

const name_use *use_at(const analysis *of, uint32_t offset)
{
    const name_use *found = NULL;
    for (size_t i = 0; i < of->own_count && of->own[i]->at.begin <= offset; i++)
        if (offset <= of->own[i]->at.end)
            found = of->own[i];
    return found;
}

#endif
