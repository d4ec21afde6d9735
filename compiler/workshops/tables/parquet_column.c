/* parquet_column.c - the values of a column in memory, and their pages.
 * SPDX-License-Identifier: MIT
 *
 * A row has the number of its value in the dictionary of the group. When that has become too large, values are kept one by
 * one until the page ends. What stays the same or counts up is kept as runs.
 */
#include "base/hash_table.h"
#include "base/num.h"
#include "tables/parquet_internal.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of the format. */
enum { PHYSICAL_BOOLEAN, PHYSICAL_INT32, PHYSICAL_INT64, PHYSICAL_FLOAT = 4, PHYSICAL_DOUBLE, PHYSICAL_BYTE_ARRAY };
enum {
    CONVERTED_UTF8,
    CONVERTED_TIMESTAMP_MICROS = 10,
    CONVERTED_UINT_8,
    CONVERTED_UINT_16,
    CONVERTED_UINT_32,
    CONVERTED_UINT_64,
    CONVERTED_INT_8,
    CONVERTED_INT_16,
    CONVERTED_INT_32,
    CONVERTED_INT_64,
    CONVERTED_NONE
};
enum { PAGE_OF_DATA, PAGE_OF_DICTIONARY = 2 };
#ifdef PKTC_ZSTD
enum { CODEC = 6 };
#else
enum { CODEC = 0 };
#endif

enum {
    DICTIONARY_COUNT = 1 << 15, /* with more values, or more bytes of texts, the next page does without */
    DICTIONARY_BYTES = 1 << 20,
    COMPRESSION = 3
};

static const struct {
    unsigned physical, converted, bits;
} type_facts[] = {
#define TYPE(name, physical, converted, bits) {PHYSICAL_##physical, CONVERTED_##converted, bits},
    PARQUET_TYPES(TYPE)
#undef TYPE
};

static bool is_bytes(const written_column *c)
{
    return type_facts[c->is->type].physical == PHYSICAL_BYTE_ARRAY && !c->is->namer;
}

static bool is_integer(const written_column *c)
{
    const unsigned physical = type_facts[c->is->type].physical;
    return physical == PHYSICAL_INT32 || physical == PHYSICAL_INT64;
}

/* Bytes of a number in the file. */
static unsigned size_of_number(const written_column *c)
{
    const unsigned physical = type_facts[c->is->type].physical;
    return physical == PHYSICAL_INT64 || physical == PHYSICAL_DOUBLE ? 8 : 4;
}

/* ---- what a file says of its columns, in Thrift */

static void describe_page(byte_buffer *b, unsigned kind, size_t raw_size, size_t size, uint32_t values,
                          unsigned encoding)
{
    unsigned last = 0, inner = 0;
    thrift_i32(b, &last, 1, kind);
    thrift_i32(b, &last, 2, (int64_t)raw_size);
    thrift_i32(b, &last, 3, (int64_t)size);
    thrift_member(b, &last, kind == PAGE_OF_DATA ? 5 : 7, THRIFT_STRUCT);
    thrift_i32(b, &inner, 1, values);
    thrift_i32(b, &inner, 2, encoding);
    if (kind == PAGE_OF_DATA) {
        thrift_i32(b, &inner, 3, ENCODING_RLE); /* of which values are there */
        thrift_i32(b, &inner, 4, ENCODING_RLE); /* of repetitions: there are none */
    }
    thrift_stop(b);
    thrift_stop(b);
}

static void describe_meaning(byte_buffer *b, const parquet_column *c)
{
    enum { STRING = 1, TIMESTAMP = 8, INTEGER = 10, MICROS = 2 };
    unsigned which = 0, inner = 0, unit = 0;
    if (c->type == PARQUET_TEXT) {
        thrift_empty(b, &which, STRING);
    } else if (c->type == PARQUET_TIME) {
        thrift_member(b, &which, TIMESTAMP, THRIFT_STRUCT);
        thrift_member(b, &inner, 1, THRIFT_TRUE); /* of UTC */
        thrift_member(b, &inner, 2, THRIFT_STRUCT);
        thrift_empty(b, &unit, MICROS);
        thrift_stop(b);
        thrift_stop(b);
    } else {
        thrift_member(b, &which, INTEGER, THRIFT_STRUCT);
        thrift_member(b, &inner, 1, THRIFT_BYTE);
        bytes_low(b, type_facts[c->type].bits, 1);
        thrift_member(b, &inner, 2, type_facts[c->type].converted >= CONVERTED_INT_8 ? THRIFT_TRUE : THRIFT_FALSE);
        thrift_stop(b);
    }
    thrift_stop(b);
}

void column_describe_type(byte_buffer *b, const parquet_column *c)
{
    unsigned last = 0;
    thrift_i32(b, &last, 1, type_facts[c->type].physical);
    thrift_i32(b, &last, 3, c->optional);
    thrift_binary(b, &last, 4, c->name, strlen(c->name));
    if (type_facts[c->type].converted != CONVERTED_NONE) {
        thrift_i32(b, &last, 6, type_facts[c->type].converted);
        thrift_member(b, &last, 10, THRIFT_STRUCT);
        describe_meaning(b, c);
    }
    thrift_stop(b);
}

static void describe_bounds(byte_buffer *b, const written_column *c)
{
    const unsigned size = size_of_number(c);
    unsigned last = 0;
    for (int i = 0; i < 2; i++) {
        thrift_member(b, &last, i == 0 ? 5 : 6, THRIFT_BINARY);
        bytes_varint(b, size);
        bytes_low(b, (uint64_t)(i == 0 ? c->most : c->least), size);
    }
    thrift_stop(b);
}

/* The pages begin at `at`, with the one of the dictionary if that has a size. */
static void describe_column(const written_column *c, byte_buffer *b, uint32_t rows, uint64_t at, size_t dictionary_size)
{
    unsigned around = 0, last = 0, encodings = 0;
    for (unsigned i = 0; i < ENCODINGS; i++)
        encodings += c->encodings[i];
    thrift_i64(b, &around, 2, at);
    thrift_member(b, &around, 3, THRIFT_STRUCT);
    thrift_i32(b, &last, 1, type_facts[c->is->type].physical);
    thrift_list(b, &last, 2, THRIFT_I32, encodings);
    for (unsigned i = 0; i < ENCODINGS; i++)
        if (c->encodings[i])
            bytes_zigzag(b, i);
    thrift_list(b, &last, 3, THRIFT_BINARY, 1);
    bytes_varint(b, strlen(c->is->name));
    bytes_copy(b, c->is->name, strlen(c->is->name));
    thrift_i32(b, &last, 4, CODEC);
    thrift_i64(b, &last, 5, rows);
    thrift_i64(b, &last, 6, c->raw_size);
    thrift_i64(b, &last, 7, dictionary_size + c->pages.size);
    thrift_i64(b, &last, 9, at + dictionary_size);
    if (dictionary_size > 0)
        thrift_i64(b, &last, 11, at);
    if (c->has_bounds) {
        thrift_member(b, &last, 12, THRIFT_STRUCT);
        describe_bounds(b, c);
    }
    thrift_stop(b);
    thrift_stop(b);
}

/* ---- dictionaries */

static dictionary *new_dictionary(void)
{
    dictionary *d = calloc(1, sizeof *d);
    if (!d)
        arena_out_of_memory();
    return d;
}

static void free_dictionary(dictionary **d)
{
    if (!*d)
        return;
    free((*d)->places);
    bytes_free(&(*d)->numbers);
    bytes_free(&(*d)->text);
    free(*d);
    *d = NULL;
}

static size_t memory_of(const dictionary *d)
{
    return sizeof *d + d->numbers.room + d->text.room + d->room * sizeof *d->places;
}

static size_t taken_by(const dictionary *d)
{
    return d ? d->taken : 0;
}

static bool is_full(const dictionary *d)
{
    return d->count >= DICTIONARY_COUNT || d->text.size >= DICTIONARY_BYTES;
}

static uint64_t number_at(const dictionary *d, uint32_t at)
{
    uint64_t number;
    memcpy(&number, d->numbers.at + at * sizeof number, sizeof number);
    return number;
}

static const uint8_t *text_of_number(const dictionary *d, uint32_t at, size_t *size)
{
    const size_t begin = at > 0 ? (size_t)number_at(d, at - 1) : 0;
    *size = (size_t)number_at(d, at) - begin;
    return d->text.at ? d->text.at + begin : (const uint8_t *)""; /* NULL if all texts are empty */
}

static uint32_t add_number(dictionary *d, uint64_t number)
{
    bytes_copy(&d->numbers, &number, sizeof number);
    return d->count++;
}

static uint32_t add_text(dictionary *d, const uint8_t *text, size_t size)
{
    bytes_copy(&d->text, text, size);
    return add_number(d, d->text.size);
}

static uint64_t hash_of_number(uint64_t number)
{
    const uint64_t mixed = number * UINT64_C(0x9E3779B97F4A7C15);
    return mixed ^ mixed >> 32;
}

static void grow_places(dictionary *d, bool text)
{
    enum { FIRST_PLACES = 16 };
    free(d->places);
    d->room = d->room > 0 ? 2 * d->room : FIRST_PLACES;
    d->places = calloc(d->room, sizeof *d->places);
    if (!d->places)
        arena_out_of_memory();
    for (uint32_t i = 0; i < d->count; i++) {
        size_t size;
        const uint8_t *at = text ? text_of_number(d, i, &size) : NULL;
        uint64_t place = text ? hash_bytes(0, at, size) : hash_of_number(number_at(d, i));
        while (d->places[place & (d->room - 1)] != 0)
            place++;
        d->places[place & (d->room - 1)] = i + 1;
    }
}

/* The place of a value in a dictionary, to which it is added if it is new. text: NULL: it is a number. */
static uint32_t look_up(dictionary *d, uint64_t number, const uint8_t *text, size_t size)
{
    if (2 * d->count >= d->room)
        grow_places(d, text != NULL);
    uint64_t place = text ? hash_bytes(0, text, size) : hash_of_number(number);
    for (uint32_t at; (at = d->places[place & (d->room - 1)]) != 0; place++) {
        size_t other_size = 0;
        const uint8_t *other = text ? text_of_number(d, at - 1, &other_size) : NULL;
        if (text ? other_size == size && (size == 0 || memcmp(other, text, size) == 0) : number_at(d, at - 1) == number)
            return at - 1;
    }
    d->places[place & (d->room - 1)] = d->count + 1;
    return text ? add_text(d, text, size) : add_number(d, number);
}

/* The number for a value of the page. */
static uint32_t number_for(written_column *c, uint64_t number, const uint8_t *text, size_t size)
{
    dictionary **of = c->page ? &c->page : &c->group, *d = *of;
    if (!d)
        d = *of = new_dictionary();
    const uint32_t before = d->count;
    uint32_t at;
    if (c->page)
        at = text ? add_text(d, text, size) : add_number(d, number);
    else
        at = look_up(d, number, text, size);
    if (d->count != before) {
        const size_t taken = memory_of(d);
        *(c->page ? &c->work->in_pages : &c->work->in_groups) += taken - d->taken;
        d->taken = taken;
    }
    return at;
}

/* ---- rows */

/* Makes room for entries from a row on, and makes those before it null that have none. */
static uint32_t *entries_from(written_column *c, uint32_t row, uint32_t count)
{
    const size_t before = c->entries.room + c->there.room;
    const uint32_t missing = row - c->rows;
    if (missing > 0) {
        memset(bytes_more(&c->entries, missing * sizeof(uint32_t)), 0, missing * sizeof(uint32_t));
        memset(bytes_more(&c->there, missing), 0, missing);
    }
    if (c->is->optional)
        memset(bytes_more(&c->there, count), 1, count);
    uint32_t *entries = (uint32_t *)(void *)bytes_more(&c->entries, count * sizeof *entries);
    c->rows = row + count;
    c->work->in_pages += c->entries.room + c->there.room - before;
    return entries;
}

/* Where the entry of a row goes. Most rows follow the one before, and there is room. */
static inline uint32_t *entry_of(written_column *c, uint32_t row)
{
    if (c->rows != row || c->entries.room - c->entries.size < sizeof(uint32_t) ||
        (c->is->optional && c->there.room == c->there.size))
        return entries_from(c, row, 1);
    if (c->is->optional)
        c->there.at[c->there.size++] = 1;
    c->rows++;
    return (uint32_t *)(void *)bytes_more(&c->entries, sizeof(uint32_t));
}

bool column_put(written_column *c, uint32_t row, uint64_t number, const uint8_t *text, size_t size)
{
    if (c->is->type == PARQUET_BOOL || (!text && c->has_last && c->last == number)) {
        *entry_of(c, row) = c->is->type == PARQUET_BOOL ? (uint32_t)number : c->last_entry;
        return true;
    }
    const uint32_t entry = number_for(c, number, text, size);
    *entry_of(c, row) = entry;
    c->has_last = !text && !c->page;
    c->last = number;
    c->last_entry = entry;
    return !is_full(c->page ? c->page : c->group);
}

void column_again(written_column *c, uint32_t rows, uint32_t row, uint32_t count)
{
    if (c->rows <= row)
        return;
    const uint32_t known = c->rows - row < count ? c->rows - row : count;
    uint32_t *entries = entries_from(c, rows, known);
    memcpy(entries, c->entries.at + row * sizeof *entries, known * sizeof *entries);
    if (c->is->optional)
        memcpy(c->there.at + rows, c->there.at + row, known);
}

void column_repeat(written_column *c, uint32_t rows, uint32_t row, uint32_t count)
{
    if (c->rows <= row || (c->is->optional && !c->there.at[row]))
        return;
    uint32_t *entries = entries_from(c, rows, count), entry;
    memcpy(&entry, c->entries.at + row * sizeof entry, sizeof entry);
    for (uint32_t n = 0; n < count; n++)
        entries[n] = entry;
}

typedef struct run_of_values {
    uint64_t value;
    uint32_t count;
    bool counts_up;
} run_of_values;

/* Puts rows up to this one into runs. */
static void cover_rows(written_column *c, uint32_t rows)
{
    if (c->rows == rows)
        return;
    const run_of_values run = {c->value, rows - c->rows, c->counts_up};
    const int64_t first = (int64_t)run.value, last = first + (run.counts_up ? (int64_t)run.count - 1 : 0);
    const size_t before = c->runs.room;
    bytes_copy(&c->runs, &run, sizeof run);
    c->work->in_pages += c->runs.room - before;
    c->least = !c->has_bounds || first < c->least ? first : c->least;
    c->most = !c->has_bounds || last > c->most ? last : c->most;
    c->has_bounds = c->is->type == PARQUET_I64 || c->is->type == PARQUET_TIME;
    c->value += run.counts_up ? run.count : 0;
    c->rows = rows;
}

void column_runs(written_column *c, uint32_t row, uint64_t value, bool counts_up)
{
    if (c->value == value && !c->counts_up && !counts_up)
        return;
    cover_rows(c, row);
    c->value = value;
    c->counts_up = counts_up;
}

/* ---- pages and groups */

/* Compresses work->page, and adds it behind its head. */
static void add_page(written_column *c, byte_buffer *to, unsigned kind, uint32_t values, unsigned encoding)
{
    column_work *work = c->work;
    const byte_buffer *packed = &work->page;
#ifdef PKTC_ZSTD
    const size_t most = ZSTD_compressBound(work->page.size);
    work->packed.size = 0;
    work->packed.size = ZSTD_compressCCtx(work->zstd, bytes_room(&work->packed, most), most, work->page.at,
                                          work->page.size, COMPRESSION);
    packed = &work->packed;
#endif
    const size_t before = to->size;
    describe_page(to, kind, work->page.size, packed->size, values, encoding);
    c->raw_size += to->size - before + work->page.size;
    c->encodings[encoding] = true;
    bytes_copy(to, packed->at, packed->size);
}

/* Adds which rows are there. *count: how many. Returns their entries one after the other. */
static const uint32_t *choose_entries(written_column *c, uint32_t rows, uint32_t *count)
{
    column_work *work = c->work;
    const uint32_t *entries = (const uint32_t *)(const void *)c->entries.at;
    *count = rows;
    if (!c->is->optional)
        return entries;
    work->chosen.size = 0;
    uint32_t *chosen = (uint32_t *)(void *)bytes_more(&work->chosen, rows * sizeof *chosen), there = 0;
    for (uint32_t i = 0; i < rows; i++)
        there += chosen[i] = i < c->rows && c->there.at[i];
    const size_t begin = work->page.size;
    bytes_low(&work->page, 0, 4);
    bytes_hybrid(&work->page, chosen, rows, 1);
    const size_t end = work->page.size;
    work->page.size = begin;
    bytes_low(&work->page, end - begin - 4, 4);
    work->page.size = end;
    c->encodings[ENCODING_RLE] = true;
    *count = there;
    there = 0;
    for (uint32_t i = 0; i < c->rows; i++)
        if (c->there.at[i])
            chosen[there++] = entries[i];
    return chosen;
}

/* The bits of a number of a value: at least one, because not all readers know of none. */
static unsigned width_in(const dictionary *d)
{
    return d->count > 1 ? bit_length(d->count - 1) : 1;
}

/* A value of a dictionary, which is PLAIN. */
static void add_value(const written_column *c, const dictionary *d, uint32_t at, byte_buffer *to)
{
    char digits[NAMER_ROOM];
    size_t size;
    if (is_bytes(c)) {
        const uint8_t *text = text_of_number(d, at, &size);
        bytes_low(to, size, 4);
        bytes_copy(to, text, size);
    } else if (c->is->namer) {
        const char *name = c->is->namer(c->is->of, number_at(d, at), digits);
        bytes_low(to, strlen(name), 4);
        bytes_copy(to, name, strlen(name));
    } else {
        bytes_low(to, number_at(d, at), size_of_number(c));
    }
}

static unsigned encode_entries(written_column *c, byte_buffer *to, const uint32_t *entries, uint32_t count)
{
    if (c->is->type == PARQUET_BOOL) {
        bytes_bits(to, entries, count);
        return ENCODING_PLAIN;
    }
    if (!c->page && c->group) {
        const unsigned width = width_in(c->group);
        bytes_low(to, width, 1);
        bytes_hybrid(to, entries, count, width);
        return ENCODING_RLE_DICTIONARY;
    }
    if (is_integer(c)) {
        delta_coder d = {.to = to, .wide = size_of_number(c) == 8, .total = count};
        for (uint32_t i = 0; i < count; i++)
            delta_run(&d, number_at(c->page, entries[i]), 1, false);
        delta_end(&d);
        return ENCODING_DELTA_BINARY_PACKED;
    }
    for (uint32_t i = 0; i < count; i++)
        add_value(c, c->page, entries[i], to);
    return ENCODING_PLAIN;
}

static run_of_values run_at(const written_column *c, size_t at)
{
    run_of_values run;
    memcpy(&run, c->runs.at + at, sizeof run);
    return run;
}

static unsigned encode_runs(written_column *c, uint32_t rows, byte_buffer *to)
{
    enum { EACH = sizeof(run_of_values) };
    delta_coder d = {.to = to, .wide = size_of_number(c) == 8, .total = rows};
    cover_rows(c, rows);
    for (size_t at = 0; at < c->runs.size && !c->is->namer; at += EACH)
        delta_run(&d, run_at(c, at).value, run_at(c, at).count, run_at(c, at).counts_up);
    if (!c->is->namer) {
        delta_end(&d);
        return ENCODING_DELTA_BINARY_PACKED;
    }
    for (size_t at = 0; at < c->runs.size; at += EACH)
        number_for(c, run_at(c, at).value, NULL, 0);
    const unsigned width = width_in(c->group);
    bytes_low(to, width, 1);
    for (size_t at = 0; at < c->runs.size; at += EACH) {
        bytes_varint(to, (uint64_t)run_at(c, at).count << 1);
        bytes_low(to, look_up(c->group, run_at(c, at).value, NULL, 0), (width + 7) / 8);
    }
    return ENCODING_RLE_DICTIONARY;
}

void column_end_page(written_column *c, uint32_t rows)
{
    column_work *work = c->work;
    const size_t before = c->pages.room;
    unsigned encoding;
    work->page.size = 0;
    if (c->is->runs) {
        encoding = encode_runs(c, rows, &work->page);
    } else {
        uint32_t count;
        const uint32_t *entries = choose_entries(c, rows, &count);
        encoding = encode_entries(c, &work->page, entries, count);
    }
    add_page(c, &c->pages, PAGE_OF_DATA, rows, encoding);
    const bool is_loose = c->page || (c->group && !c->is->runs && is_full(c->group));
    work->in_groups += c->pages.room - before;
    work->in_pages -= taken_by(c->page);
    c->entries.size = c->there.size = c->runs.size = 0;
    c->rows = 0;
    free_dictionary(&c->page);
    if (is_loose) {
        c->page = new_dictionary();
        c->has_last = false;
    }
}

void column_drop_page(written_column *c)
{
    c->work->in_pages -= c->entries.room + c->there.room + c->runs.room;
    bytes_free(&c->entries);
    bytes_free(&c->there);
    bytes_free(&c->runs);
}

uint64_t column_end_group(written_column *c, uint32_t rows, uint64_t at, byte_buffer *to, byte_buffer *description)
{
    const size_t begin = to->size;
    if (c->group) {
        c->work->page.size = 0;
        for (uint32_t i = 0; i < c->group->count; i++)
            add_value(c, c->group, i, &c->work->page);
        add_page(c, to, PAGE_OF_DICTIONARY, c->group->count, ENCODING_PLAIN);
    }
    describe_column(c, description, rows, at, to->size - begin);
    bytes_copy(to, c->pages.at, c->pages.size);
    const uint64_t raw_size = c->raw_size;
    c->work->in_groups -= column_taken_by_group(c);
    c->work->in_pages -= taken_by(c->page);
    bytes_free(&c->pages);
    free_dictionary(&c->group);
    free_dictionary(&c->page);
    memset(c->encodings, 0, sizeof c->encodings);
    c->raw_size = 0;
    c->has_bounds = c->has_last = false;
    return raw_size;
}

size_t column_taken_by_page(const written_column *c)
{
    return c->entries.room + c->there.room + c->runs.room + taken_by(c->page);
}

size_t column_taken_by_group(const written_column *c)
{
    return c->pages.room + taken_by(c->group);
}

void column_free(written_column *c)
{
    column_drop_page(c);
    bytes_free(&c->pages);
    free_dictionary(&c->group);
    free_dictionary(&c->page);
}
