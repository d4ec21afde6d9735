/* parquet.h - writes tables as Parquet files, from the public description of the format.
 * SPDX-License-Identifier: MIT
 *
 * The values of a table's rows are gathered in pages, one for each column, and pages in groups of rows. Pages are
 * compressed with zstd, where pktc is built with it. All tables of a parquet_set share its memory: the largest pages and
 * groups are written first. A table whose file has very many groups goes on in another file, so that any number of rows
 * takes little memory.
 *
 *     const uint32_t row = parquet_row(t);            // begins one
 *     parquet_put(t, 3, 17);                          // a column without a value is null, if it may be
 *     parquet_row_end(t);
 */
#ifndef PKTC_PARQUET_H
#define PKTC_PARQUET_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

/* physical: the type in the file, PHYSICAL_... converted: its meaning there, and of an integer its bits. Times are
 * microseconds since 1970. */
/* clang-format off */
#define PARQUET_TYPES(X)                            \
    /*name    physical    converted         bits */ \
    X(BOOL,   BOOLEAN,    NONE,             0)      \
    X(I8,     INT32,      INT_8,            8)      \
    X(I16,    INT32,      INT_16,           16)     \
    X(I32,    INT32,      INT_32,           32)     \
    X(I64,    INT64,      INT_64,           64)     \
    X(U8,     INT32,      UINT_8,           8)      \
    X(U16,    INT32,      UINT_16,          16)     \
    X(U32,    INT32,      UINT_32,          32)     \
    X(U64,    INT64,      UINT_64,          64)     \
    X(FLOAT,  FLOAT,      NONE,             0)      \
    X(DOUBLE, DOUBLE,     NONE,             0)      \
    X(TIME,   INT64,      TIMESTAMP_MICROS, 0)      \
    X(TEXT,   BYTE_ARRAY, UTF8,             0)      \
    X(BYTES,  BYTE_ARRAY, NONE,             0)
/* clang-format on */

typedef enum parquet_type {
#define TYPE(name, ...) PARQUET_##name,
    PARQUET_TYPES(TYPE)
#undef TYPE
} parquet_type;

/* The text of a number, such as the name of an enum's member. digits: room for it. */
enum { NAMER_ROOM = 24 };
typedef const char *parquet_namer(const void *of, uint64_t number, char digits[NAMER_ROOM]);

typedef struct parquet_column {
    const char *name;
    parquet_type type;
    bool optional;
    bool runs;            /* an integer, or a number with a name, that stays the same for many rows: see parquet_runs */
    parquet_namer *namer; /* of PARQUET_TEXT: its values are numbers with names; or NULL */
    const void *of;       /* for it */
} parquet_column;

typedef struct parquet_set parquet_set;
typedef struct parquet_table parquet_table;

parquet_set *parquet_set_new(arena *a);

/* A table of `count` columns, which must stay there. Its file is DIR/NAME.parquet, and those after it DIR/NAME-2.parquet and
 * so on. twin: an earlier table of the set whose files have these names too, and each file is of one of them; or NULL. */
parquet_table *parquet_table_new(parquet_set *set, parquet_table *twin, const char *directory, const char *name,
                                 const parquet_column *columns, size_t count);

/* Begins a row, and returns its place, for parquet_again. */
uint32_t parquet_row(parquet_table *t);

/* The value of a column in this row. Numbers are as they are in memory, with 64 bits; reals are their IEEE-754 bits. */
void parquet_put(parquet_table *t, size_t column, uint64_t value);
void parquet_put_text(parquet_table *t, size_t column, const void *text, size_t size);

/* No more values come. May write a page, so that places of rows are not valid any more. */
void parquet_row_end(parquet_table *t);

/* The value of a column with runs from the next row on: in each row the same, or one more. */
void parquet_runs(parquet_table *t, size_t column, uint64_t value, bool counts_up);

/* Adds rows that have the same values as earlier ones, but for columns with runs. The places of rows are known by a stamp:
 * another one says that they are not valid any more. */
uint32_t parquet_stamp(const parquet_table *t);
void parquet_again(parquet_table *t, uint32_t row, uint32_t count);  /* those of as many rows */
void parquet_repeat(parquet_table *t, uint32_t row, uint32_t count); /* each those of the row */

uint64_t parquet_rows(const parquet_table *t);         /* all of them */
uint32_t parquet_rows_of_page(const parquet_table *t); /* the place of the next one */

/* When no row has begun and not ended: writes what takes too much memory. */
void parquet_set_settle(parquet_set *set);

/* Writes the rest, and then gives the files of all tables that have rows their names; the files that an earlier set may have left
 * under these names are gone. keep: false: leaves no file. Afterwards the set and its tables are not valid any more.
 * False after an error. */
bool parquet_set_end(parquet_set *set, diag *d, bool keep);

/* Writes the file of a table even if it has no rows. */
void parquet_wants_file(parquet_table *t);

#endif
