/* text_table.h - tables of text: numbers are aligned to the right, words to the left.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TEXT_TABLE_H
#define PKTC_TEXT_TABLE_H

#include "base/out.h"

enum { TEXT_TABLE_COLUMNS = 8 };

typedef struct text_row {
    struct text_row *next;
    const char *cells[TEXT_TABLE_COLUMNS];
} text_row;

typedef struct text_table {
    arena *arena;
    const char *sides; /* by column: 'l' or 'r', the side that its text is aligned to */
    text_row *first, **last;
} text_table;

/* sides: a letter for each column. */
void text_table_init(text_table *t, arena *a, const char *sides);

/* A row of empty cells, which the caller fills. */
text_row *text_table_add(text_table *t);

/* A column is as wide as its longest text of up to 80 bytes; a longer text moves only the rest of its own line. */
void text_table_put(const text_table *t, out *to);

#endif
