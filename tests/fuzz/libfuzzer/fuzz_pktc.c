/* fuzz_pktc.c - checks and formats arbitrary text as a schema; if it is valid, also prints its layout and generates C.
 * SPDX-License-Identifier: MIT
 *
 * Formatting twice must give the same text as formatting once, and must not change whether a schema is valid, nor its
 * id.
 */
#include "habits/habits_internal.h"
#include "check/check.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "format/format.h"
#include "costs/sizes.h"
#include "model/type_table.h"
#include "wire/wire.h"
#include "wire/fuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *nowhere;

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static const schema *checked(arena *a, const char *text, size_t size)
{
    diag *d = diag_new(a);
    habits_know(&known_habits);
    const check_options options = {.checks = true, .names = &c_name_rules};
    const schema *s = check(a, names_new(a), d, source_from(a, "fuzzed.pkt", text, size), &options);
    if (s != NULL) {
        const wire *w = lower(a, s);
        const sizes_options how = {.mtu = 1200, .hz = 20};
        outputs made;
        check_budgets(w, d);
        outputs_init(&made);
        emit(a, w, plan_bodies(a, w), plan_deltas(a, w), &(emit_extras){.reflect = true}, &made);
        sizes_text(a, w, &how, out_new(a));
        sizes_html(a, w, &how, out_new(a));
    }
    diag_print(d, DIAG_TEXT, nowhere);
    diag_print(d, DIAG_JSON, nowhere);
    return s;
}

static const char *formatted(arena *a, const char *text, size_t *size)
{
    return format_source(a, names_new(a), diag_new(a), source_from(a, "fuzzed.pkt", text, *size), reserved_type_word,
                         size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    arena *a = arena_new();
    const char *text = arena_text(a, (const char *)data, size);
    const schema *s = checked(a, text, size);
    size_t once_size = size, twice_size;
    const char *once = formatted(a, text, &once_size);
    demand(once != NULL || s == NULL);
    if (once != NULL) {
        twice_size = once_size;
        const char *twice = formatted(a, once, &twice_size);
        demand(twice != NULL && twice_size == once_size && memcmp(once, twice, once_size) == 0);
        const schema *same = checked(a, once, once_size);
        demand((s == NULL) == (same == NULL) && (s == NULL || s->id == same->id));
    }
    arena_free(a);
    return 0;
}
