/* check.c - runs the phases that turn a root file into a checked schema.
 * SPDX-License-Identifier: MIT
 */
#include "check/phases.h"

/* How many names suggest() compares in one run: enough for honest mistakes, few enough that a hostile file ends
 * soon. */
#define MAX_SUGGESTIONS 1000000

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
    check_renames(&k);
    check_bodies(&k);
    check_order(&k);
    check_collisions(&k);
    if (diag_errors(d) > before) {
        return NULL;
    }
    schema_find_facts(a, k.schema);
    k.schema->projection = schema_projection(a, k.schema);
    k.schema->id = fnv1a_64(k.schema->projection);
    return k.schema;
}
