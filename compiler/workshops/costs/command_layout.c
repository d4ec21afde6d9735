/* command_layout.c - `pktc layout`: prints the size of each packet and field as text or JSON, or writes a page about them.
 * SPDX-License-Identifier: MIT
 */
#include "costs/sizes.h"
#include "costs/costs_rows.h"
#include "driver/run.h"

/* Budgets are not checked: the sizes show why a packet exceeds its budget. */
void command_layout(run *r)
{
    const options *o = r->options;
    const sizes_options how = {.mtu = o->mtu, .hz = costs_chosen(o)->hz};
    for (size_t i = 0; i < o->file_count; i++) {
        const schema *s = load_schema(r, o->files[i]);
        if (!s)
            continue;
        out *to = out_new(r->arena);
        (o->json ? sizes_json : o->html ? sizes_html : sizes_text)(r->arena, lower(r->arena, s), &how, to);
        size_t size;
        const char *text = out_result(to, &size);
        put_text(r, o->html, text, size);
    }
}
