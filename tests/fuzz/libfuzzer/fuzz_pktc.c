/* fuzz_pktc.c - any text as a schema: checked, and what is right laid out and translated.
 * SPDX-License-Identifier: MIT
 */
#include "check.h"
#include "emit.h"
#include "wire.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    if (nowhere == NULL) nowhere = fopen("/dev/null", "w");
    arena *a = arena_new();
    names *n = names_new(a);
    diag *d = diag_new(a);
    const check_options options = {.checks = true};
    const source *root = source_from(a, "fuzzed.pkt", data, size);
    const schema *s = check(a, n, d, root, &options);
    if (s != NULL) {
        const wire *w = lower(a, s);
        check_budgets(w, d);
        outputs made;
        outputs_init(&made);
        emit(a, w, true, &made);
    }
    diag_print(d, DIAG_TEXT, nowhere);
    diag_print(d, DIAG_JSON, nowhere);
    arena_free(a);
    return 0;
}
