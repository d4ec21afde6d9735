/* check.c - runs the phases that turn a root file into a checked schema.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/coding.h"

/* How many names suggest() compares in one run: enough for honest mistakes, few enough that a hostile file ends
 * soon. */
#define MAX_SUGGESTIONS 1000000

schema *check(arena *a, names *n, diag *d, const source *root, const check_options *options)
{
    arena *scratch = arena_new();
    checker k = {.arena = a,
                 .scratch = scratch,
                 .names = n,
                 .diag = d,
                 .options = options,
                 .schema = ARENA_NEW(a, schema),
                 .declarations = map_new(scratch),
                 .decl_infos = map_new(scratch),
                 .members = map_new(scratch),
                 .fields = map_new(scratch),
                 .suggestions_left = MAX_SUGGESTIONS};
    k.schema->checks = options->checks;
    uint32_t before = diag_errors(d);
    load_files(&k, root);
    declare_all(&k);
    check_declarations(&k);
    check_fields(&k);
    check_lists(&k);
    check_renames(&k);
    check_bodies(&k);
    check_order(&k);
    check_collisions(&k);
    if (diag_errors(d) == before) {
        schema_find_facts(a, k.schema);
        schema_find_tables(a, k.schema);
        check_list_members(&k);
        warn_of_still(&k);
        warn_of_mix(&k);
        check_stable_packets(&k);
        if (!options->flat)
            read_model(&k);
    }
    arena_free(scratch);
    if (diag_errors(d) > before)
        return NULL;
    k.schema->projection = schema_projection(a, k.schema);
    k.schema->id = fnv1a_64(k.schema->projection);
    return k.schema;
}
