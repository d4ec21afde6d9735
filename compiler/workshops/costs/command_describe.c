/* command_describe.c - `pktc describe`: prints the types of a schema, with their values, bits and places, as JSON.
 * SPDX-License-Identifier: MIT
 */
#include "costs/describe.h"
#include "costs/costs_rows.h"
#include "driver/run.h"

/* Budgets are not checked: the sizes show why a packet exceeds its budget. */
void command_describe(run *r)
{
    const schema *s = load_schema(r, r->options->files[0]);
    if (!s)
        return;
    out *to = out_new(r->arena);
    size_t size;
    describe_json(r->arena, lower(r->arena, s), to, JSON_SPACED);
    const char *text = out_result(to, &size);
    put_text(r, NULL, text, size);
}
