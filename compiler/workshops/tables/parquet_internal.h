/* parquet_internal.h - shared by the files that write Parquet: the columns of a table.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PARQUET_INTERNAL_H
#define PKTC_PARQUET_INTERNAL_H

#include "tables/parquet.h"
#include "tables/parquet_bytes.h"

#ifdef PKTC_ZSTD
#include <zstd.h>
#endif

/* What all columns share. */
typedef struct column_work {
    size_t in_pages, in_groups;       /* memory: of pages and of groups that have not ended */
    byte_buffer page, packed, chosen; /* used again for each page */
#ifdef PKTC_ZSTD
    ZSTD_CCtx *zstd;
#endif
} column_work;

/* The different values of a group; or all values of a page. */
typedef struct dictionary {
    uint32_t count, room;
    uint32_t *places;    /* a hash table of `room`: the number of a value plus 1; 0: free */
    byte_buffer numbers; /* the values, of 64 bits each; of a text, where it ends */
    byte_buffer text;
    size_t taken; /* memory, as it was counted */
} dictionary;

enum { ENCODING_PLAIN, ENCODING_RLE = 3, ENCODING_DELTA_BINARY_PACKED = 5, ENCODING_RLE_DICTIONARY = 8, ENCODINGS };

typedef struct written_column {
    const parquet_column *is;
    column_work *work;
    /* The page. A row after `rows` is null. */
    uint32_t rows;
    byte_buffer entries; /* the numbers of the rows' values in `group` or `page`, of 32 bits; a bool is itself */
    byte_buffer there;   /* a byte for each row, if the column is optional */
    byte_buffer runs;    /* in place of entries */
    uint64_t value;      /* of the rows after those that have runs */
    bool counts_up;
    /* The group. */
    dictionary *group; /* NULL: it has no value yet */
    dictionary *page;  /* of the values of a page, if that of the group has become too large; or NULL */
    bool has_last;     /* the last number that was put has this entry */
    uint64_t last;
    uint32_t last_entry;
    bool encodings[ENCODINGS];
    byte_buffer pages;   /* compressed, each behind its head */
    uint64_t raw_size;   /* of the pages before they were compressed */
    bool has_bounds;     /* `least` and `most` are those */
    int64_t least, most; /* of runs */
} written_column;

/* The value of a row; those before it that have none are null. text: NULL: it is a number. False if the page has to end. */
bool column_put(written_column *c, uint32_t row, uint64_t number, const uint8_t *text, size_t size);

/* The values of `count` rows after the first `rows`: those of `row` and the rows behind it, or all that of `row`. */
void column_again(written_column *c, uint32_t rows, uint32_t row, uint32_t count);
void column_repeat(written_column *c, uint32_t rows, uint32_t row, uint32_t count);

/* The value from a row on. */
void column_runs(written_column *c, uint32_t row, uint64_t value, bool counts_up);

/* Ends the page of so many rows; and frees its memory. */
void column_end_page(written_column *c, uint32_t rows);
void column_drop_page(written_column *c);

/* Adds the dictionary and the pages of a group of so many rows, which begins at a place of the file, and what the end of the file
 * says of it. Returns the size of the pages before they were compressed. */
uint64_t column_end_group(written_column *c, uint32_t rows, uint64_t at, byte_buffer *to, byte_buffer *description);

/* Adds what the end of the file says of the type. */
void column_describe_type(byte_buffer *b, const parquet_column *c);

size_t column_taken_by_page(const written_column *c);
size_t column_taken_by_group(const written_column *c);
void column_free(written_column *c);

#endif
