/* check.c - the phases of check, in their order, and what all of its parts share.
 * SPDX-License-Identifier: MIT
 *
 * check_internal.h tells the model. Each phase reports what it finds and leaves the rest to be checked all the same; the only
 * phases that are left out after an error are those that would speak of nothing but its consequences.
 */
#include "check/check_internal.h"

/* Deep enough for any expression a person writes, and far from the end of the machine's stack. */
#define MAX_DEPTH 1000

/* Candidates offered to suggest() in one run: enough for every honest mistake. */
#define MAX_SUGGESTIONS 1000000

bool enter(checker *k, span at)
{
    if (k->depth == MAX_DEPTH) {
        if (!k->depth_reported) {
            diag_error(k->diag, at, "the expression is more than %d operators and constants deep", MAX_DEPTH);
            k->depth_reported = true;
        }
        return false;
    }
    k->depth++;
    return true;
}

void leave(checker *k)
{
    k->depth--;
    if (k->depth == 0) {
        k->depth_reported = false;
    }
}

schema *check(arena *a, names *n, diag *d, const source *root, const check_options *options)
{
    checker k = {.arena = a, .names = n, .diag = d, .options = options, .suggestions_left = MAX_SUGGESTIONS};
    k.schema = ARENA_NEW(a, schema);
    k.schema->checks = options->checks;
    k.declarations = map_new(a);
    k.decl_infos = map_new(a);
    k.members = map_new(a);
    k.fields = map_new(a);

    uint32_t before = diag_errors(d);
    load_files(&k, root);
    declare_all(&k);
    check_declarations(&k);
    check_fields(&k);
    check_bodies(&k);
    check_layout(&k);
    check_collisions(&k);
    if (diag_errors(d) > before) {
        return NULL;
    }
    k.schema->projection = schema_projection(a, k.schema);
    k.schema->id = fnv1a_64(k.schema->projection);
    return k.schema;
}
