/* combinations.c - counts the combinations of constructs in random schemas, and what their next releases change.
 * SPDX-License-Identifier: MIT
 *
 *     combinations [--seed N] [--schemas N] DIRECTORY ROOT
 *
 * The schemas are those of the differential test, and nothing is compiled. DIRECTORY/pairs says which constructs they have
 * together. Exits with 1 if they lack a combination of the coverage table, or a construct of pktc, or if pktc refuses one of them.
 *
 * A program of its own: a change of the comparison of releases does not repeat the differential test, which takes long.
 */
#include "check/check.h"
#include "emit/names.h"
#include "next.h"
#include "releases/diff.h"
#include "schemas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const schema *checked_in(arena *a, names *n, const char *text, diag *d)
{
    const check_options how = {.checks = true, .names = &c_name_rules};
    return check(a, n, d, source_from(a, "schema.pkt", text, strlen(text)), &how);
}

/* What changes from a schema to the next; NULL if there is no such change: pktc refuses it, or to convert recordings of it. */
static const comparison *compared(arena *a, const char *before, const char *now)
{
    names *n = names_new(a);
    const schema *one = checked_in(a, n, before, diag_new(a)), *other = checked_in(a, n, now, diag_new(a));
    if (!one || !other || one->id == other->id)
        return NULL;
    const comparison *c = diff(a, lower(a, one), lower(a, other));
    return c->outcome == OUTCOME_REFUSED ? NULL : c;
}

static bool is_next(void *before, const char *text)
{
    arena *a = arena_new();
    const bool is = compared(a, before, text) != NULL;
    arena_free(a);
    return is;
}

static bool count(uint64_t seed, uint32_t number)
{
    arena *a = arena_new();
    diag *d = diag_new(a);
    lot l = lot_of_schema(seed, number);
    char *text = arena_printf(a, "%s", make_complete_schema(a, &l, number));
    const schema *s = checked_in(a, names_new(a), text, d);
    if (s) {
        coverage_add(s);
        pairs_add(s);
        const comparison *c = compared(a, text, next_release(a, &l, text, 12, is_next, text));
        if (c)
            pairs_add_next(c);
    } else {
        diag_print(d, DIAG_TEXT, stderr);
        printf("seed %llu, schema %u: pktc refuses it\n", (unsigned long long)seed, number);
    }
    arena_free(a);
    return s != NULL;
}

int main(int argc, char **argv)
{
    unsigned long seed = 1, schemas = 40;
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
        *(strcmp(argv[i], "--seed") == 0 ? &seed : &schemas) = strtoul(argv[i + 1], NULL, 10);
    if (i + 2 != argc) {
        fputs("usage: combinations [--seed N] [--schemas N] DIRECTORY ROOT\n", stderr);
        return 2;
    }
    bool sound = true;
    pairs_begin(argv[i + 1]);
    for (unsigned long number = 0; number < schemas; number++)
        sound &= count(seed, (uint32_t)number);
    sound &= coverage_print();
    sound &= pairs_print(argv[i]);
    printf(sound ? "[  PASSED  ] %lu test(s).\n" : "[  FAILED  ] of %lu test(s)\n", schemas);
    return !sound;
}
