/* sizes_json.c - prints sizes as one JSON object.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "costs/sizes_internal.h"

#include <inttypes.h>

static void size_row_to_json(json_writer *j, const size_row *row)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "name"), row->name);
    json_text(json_key(j, "type"), row->type);
    json_u64(json_key(j, "depth"), row->depth);
    if (row->sized) {
        json_u64(json_key(j, "least"), row->least);
        json_u64(json_key(j, "most"), row->most);
    }
    json_text(json_key(j, "parts"), row->parts);
    json_end(j);
}

/* Prints the sizes of a type, or of its delta. */
static void bits_or_bytes_to_json(arena *a, json_writer *j, const char *name, uint64_t least, uint64_t most,
                                  uint32_t hz)
{
    json_u64(json_key(j, arena_printf(a, "%sleast", name)), least);
    json_u64(json_key(j, arena_printf(a, "%smost", name)), most);
    if (hz != 0) {
        json_plain(json_key(j, arena_printf(a, "%sleast_kbit_s", name)), "%.6g", size_kbits(least, hz));
        json_plain(json_key(j, arena_printf(a, "%smost_kbit_s", name)), "%.6g", size_kbits(most, hz));
    }
}

static void packet_sizes_to_json(arena *a, json_writer *j, const wire *w, const wire_type *of, const sizes_options *how)
{
    size_line lines[2];
    const int count = size_lines(w, of, lines);
    bits_or_bytes_to_json(a, j, "", lines[0].least, lines[0].most, how->hz);
    if (lines[0].unfit != lines[0].most)
        json_u64(json_key(j, "unfit_most"), lines[0].unfit);
    if (lines[0].budget != 0)
        json_u64(json_key(j, "budget"), lines[0].budget);
    if (count > 1)
        bits_or_bytes_to_json(a, j, "delta_", lines[1].least, lines[1].most, how->hz);
}

static void sizes_type_to_json(arena *a, json_writer *j, const wire *w, const wire_type *of, const sizes_options *how)
{
    const decl *d = of->decl;
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "kind"), decl_noun(d));
    json_text(json_key(j, "name"), d->name);
    json_text(json_key(j, "unit"), d->packet ? "bytes" : "bits");
    if (d->packet) {
        packet_sizes_to_json(a, j, w, of, how);
    } else {
        bits_or_bytes_to_json(a, j, "", of->least, of->most, 0);
        if (d->delta)
            bits_or_bytes_to_json(a, j, "delta_", of->delta_least, of->delta_most, 0);
    }
    json_begin_array(json_key(j, "rows"), JSON_LINES);
    for (const size_row *each = size_rows(a, w, of); each; each = each->next)
        size_row_to_json(j, each);
    json_end(j);
    json_end(j);
}

void sizes_json(arena *a, const wire *w, const sizes_options *how, out *to)
{
    const schema *s = w->schema;
    json_writer *j = json_new(a, to, JSON_SPACED);
    json_begin_object(j, JSON_LINES);
    json_text(json_key(j, "file"), s->root->path);
    json_text(json_key(j, "protocol"), s->protocol);
    json_plain(json_key(j, "version"), "%s", s->protocol ? num_text(a, s->version) : "null");
    json_text(json_key(j, "id"), arena_printf(a, "0x%016" PRIx64, s->id));
    json_u64(json_key(j, "mtu"), how->mtu);
    json_begin_array(json_key(j, "types"), JSON_LINES);
    for (const wire_type *of = w->types; of; of = of->next)
        sizes_type_to_json(a, j, w, of, how);
    json_end(j);
    json_end(j);
    out_put(to, "\n", NULL);
}
