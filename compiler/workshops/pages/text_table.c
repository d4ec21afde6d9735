/* text_table.c - measures the columns of a table of text, then prints its rows.
 * SPDX-License-Identifier: MIT
 */
#include "pages/text_table.h"

#include <string.h>

enum { MOST_WIDTH = 80 };

void text_table_init(text_table *t, arena *a, const char *sides)
{
    *t = (text_table){.arena = a, .sides = sides, .last = &t->first};
}

text_row *text_table_add(text_table *t)
{
    text_row *row = ARENA_NEW(t->arena, text_row);
    for (size_t i = 0; i < TEXT_TABLE_COLUMNS; i++)
        row->cells[i] = "";
    *t->last = row;
    t->last = &row->next;
    return row;
}

void text_table_put(const text_table *t, out *to)
{
    const size_t columns = strlen(t->sides);
    int widths[TEXT_TABLE_COLUMNS] = {0};
    for (const text_row *row = t->first; row; row = row->next)
        for (size_t i = 0; i < columns; i++)
            if (strlen(row->cells[i]) <= MOST_WIDTH && (int)strlen(row->cells[i]) > widths[i])
                widths[i] = (int)strlen(row->cells[i]);
    for (const text_row *row = t->first; row; row = row->next) {
        const char *line = "";
        for (size_t i = 0; i < columns; i++)
            line = arena_printf(t->arena, "%s%s%*s", line, i == 0 || widths[i] == 0 ? "" : "   ",
                                t->sides[i] == 'r' ? widths[i] : -widths[i], row->cells[i]);
        size_t size = strlen(line);
        while (size != 0 && line[size - 1] == ' ')
            size--;
        out_put(to, "$line\n", "line", arena_text(t->arena, line, size), NULL);
    }
}
