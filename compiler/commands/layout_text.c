/* layout_text.c - prints sizes as tables of text.
 * SPDX-License-Identifier: MIT
 */
#include "commands/layout_internal.h"

#include <inttypes.h>
#include <string.h>

/* ---- tables: numbers are aligned to the right, words to the left */

enum {
    COLUMNS = 5,
    MOST_WIDTH = 80 /* a longer text moves the rest of its own line, and no other */
};

typedef struct text_row {
    struct text_row *next;
    const char *cells[COLUMNS];
} text_row;

typedef struct text_table {
    arena *arena;
    const char *sides; /* by column: 'l' or 'r', the side that its text is aligned to */
    text_row *first, **last;
} text_table;

static text_row *add_row(text_table *t)
{
    text_row *row = ARENA_NEW(t->arena, text_row);
    for (size_t i = 0; i < COLUMNS; i++)
        row->cells[i] = "";
    *t->last = row;
    t->last = &row->next;
    return row;
}

static void put_table(const text_table *t, out *to)
{
    int widths[COLUMNS] = {0};
    for (const text_row *row = t->first; row; row = row->next)
        for (size_t i = 0; i < COLUMNS; i++)
            if (strlen(row->cells[i]) <= MOST_WIDTH && (int)strlen(row->cells[i]) > widths[i])
                widths[i] = (int)strlen(row->cells[i]);
    for (const text_row *row = t->first; row; row = row->next) {
        const char *line = "";
        for (size_t i = 0; i < COLUMNS; i++)
            line = arena_printf(t->arena, "%s%s%*s", line, i == 0 || widths[i] == 0 ? "" : "   ",
                                t->sides[i] == 'r' ? widths[i] : -widths[i], row->cells[i]);
        size_t size = strlen(line);
        while (size != 0 && line[size - 1] == ' ')
            size--;
        out_put(to, "$line\n", "line", arena_text(t->arena, line, size), NULL);
    }
}

/* ---- the tables of packets and types */

static void put_packets(arena *a, const wire *w, const sizes_options *how, out *to)
{
    text_table t = {.arena = a, .sides = "lrrrl", .first = NULL, .last = &t.first};
    text_row *head = add_row(&t);
    head->cells[0] = "packet";
    head->cells[1] = "bytes";
    head->cells[2] = arena_printf(a, "of %" PRIu32, how->mtu);
    if (how->hz)
        head->cells[3] = arena_printf(a, "kbit/s at %" PRIu32 " Hz", how->hz);
    for (const wire_type *of = w->types; of; of = of->next) {
        if (!of->decl->packet)
            continue;
        size_line lines[2];
        int count = size_lines(of, lines);
        for (int i = 0; i < count; i++) {
            text_row *row = add_row(&t);
            uint64_t most = lines[i].most;
            row->cells[0] = i == 0 ? lines[i].name : "  as a delta";
            row->cells[1] = size_range(a, lines[i].least, most);
            row->cells[2] = size_share(a, most, how->mtu);
            if (how->hz)
                row->cells[3] = size_rate(a, &lines[i], how->hz);
            if (most > how->mtu)
                row->cells[4] = arena_printf(a, "up to %" PRIu64 " over", most - how->mtu);
        }
    }
    if (head->next)
        put_table(&t, to);
}

static void put_type(arena *a, const wire *w, const wire_type *of, out *to)
{
    text_table t = {.arena = a, .sides = "llrrl", .first = NULL, .last = &t.first};
    out_put(to, "\n$kind $name: $size\n", "kind", decl_noun(of->decl), "name", of->decl->name, "size",
            size_of_type(a, of), NULL);
    for (const size_row *each = size_rows(a, w, of); each; each = each->next) {
        text_row *row = add_row(&t);
        row->cells[0] = arena_printf(a, "  %*s%s", 2 * (int)each->depth, "", each->name);
        row->cells[1] = each->type;
        row->cells[4] = each->parts;
        if (each->sized) {
            row->cells[2] = size_range(a, each->least, each->most);
            row->cells[3] = size_share(a, each->most, size_whole(of));
        }
    }
    put_table(&t, to);
}

void sizes_text(arena *a, const wire *w, const sizes_options *how, out *to)
{
    const schema *s = w->schema;
    if (s->protocol) {
        out_put(to, "protocol $name = $version, id $id\n\n", "name", s->protocol, "version", num_text(a, s->version),
                "id", arena_printf(a, "0x%016" PRIx64, s->id), NULL);
        put_packets(a, w, how, to);
    }
    out_put(to, "${gap}Bits of each field, and its share of the type's greatest size:\n", "gap",
            s->protocol ? "\n" : "", NULL);
    for (const wire_type *of = w->types; of; of = of->next)
        put_type(a, w, of, to);
}
