/* sizes_text.c - prints sizes as tables of text.
 * SPDX-License-Identifier: MIT
 */
#include "pages/text_table.h"
#include "costs/sizes_internal.h"

#include <inttypes.h>

/* ---- the tables of packets and types */

static void packets_to_text(arena *a, const wire *w, const sizes_options *how, out *to)
{
    text_table t;
    text_table_init(&t, a, "lrrrl");
    text_row *head = text_table_add(&t);
    head->cells[0] = "packet";
    head->cells[1] = "bytes";
    head->cells[2] = arena_printf(a, "of %" PRIu32, how->mtu);
    if (how->hz)
        head->cells[3] = arena_printf(a, "kbit/s at %" PRIu32 " Hz", how->hz);
    for (const wire_type *of = w->types; of; of = of->next) {
        if (!of->decl->packet)
            continue;
        size_line lines[2];
        int count = size_lines(w, of, lines);
        for (int i = 0; i < count; i++) {
            text_row *row = text_table_add(&t);
            uint64_t most = lines[i].most;
            row->cells[0] = i == 0 ? lines[i].name : "  as a delta";
            row->cells[1] = size_range(a, lines[i].least, most);
            row->cells[2] = size_share(a, most, how->mtu);
            if (how->hz)
                row->cells[3] = size_rate(a, &lines[i], how->hz);
            row->cells[4] = size_note(a, &lines[i], how->mtu);
        }
    }
    if (head->next)
        text_table_put(&t, to);
}

static void type_to_text(arena *a, const wire *w, const wire_type *of, out *to)
{
    text_table t;
    text_table_init(&t, a, "llrrl");
    out_put(to, "\n$kind $name: $size\n", "kind", decl_noun(of->decl), "name", of->decl->name, "size",
            size_of_type(a, w, of), NULL);
    for (const size_row *each = size_rows(a, w, of); each; each = each->next) {
        text_row *row = text_table_add(&t);
        row->cells[0] = arena_printf(a, "  %*s%s", 2 * (int)each->depth, "", each->name);
        row->cells[1] = each->type;
        row->cells[4] = each->parts;
        if (each->sized) {
            row->cells[2] = size_range(a, each->least, each->most);
            row->cells[3] = size_share(a, each->most, size_whole(of));
        }
    }
    text_table_put(&t, to);
}

void sizes_text(arena *a, const wire *w, const sizes_options *how, out *to)
{
    const schema *s = w->schema;
    if (s->protocol) {
        out_put(to, "protocol $name = $version, id $id\n\n", "name", s->protocol, "version", num_text(a, s->version),
                "id", arena_printf(a, "0x%016" PRIx64, s->id), NULL);
        packets_to_text(a, w, how, to);
    }
    out_put(to, "${gap}Bits of each field, and its share of the type's greatest size:\n", "gap",
            s->protocol ? "\n" : "", NULL);
    for (const wire_type *of = w->types; of; of = of->next)
        type_to_text(a, w, of, to);
}
