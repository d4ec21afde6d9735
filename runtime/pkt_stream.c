/* pkt_stream.c - streams and their errors: the functions that are not worth inlining.
 * SPDX-License-Identifier: MIT
 *
 * A stream has a position and a limit, both in bits. A failure sets the limit to 0, so the bounds checks that generated
 * code makes anyway also fail after an error. Sizes are below 2^60 bytes, so a position plus a size in bits never
 * wraps.
 */
#include "pkt_stream.h"

#include <stdlib.h>
#include <string.h>

/* The largest size accepted, in bytes. No buffer is larger: such a size is a negative number that was converted. */
#if SIZE_MAX > UINT32_MAX
#define SIZE_LIMIT ((size_t)1 << 60)
#else
#define SIZE_LIMIT (SIZE_MAX / 2)
#endif

/* The first allocation of a growing writer, in bytes. */
#define GROW_FIRST 256

/* ---- Errors ---------------------------------------------------------------------------------------- */

/* One case for each code. */
const char *pkt_code_name(pkt_code code)
{
    switch (code) {
    case PKT_OK: return "ok";
    case PKT_ERROR_END: return "end";
    case PKT_ERROR_RANGE: return "range";
    case PKT_ERROR_ORDER: return "order";
    case PKT_ERROR_PADDING: return "padding";
    case PKT_ERROR_UTF8: return "utf8";
    case PKT_ERROR_CHECK: return "check";
    case PKT_ERROR_CANONICAL: return "canonical";
    case PKT_ERROR_TRAILING: return "trailing";
    case PKT_ERROR_CRC: return "crc";
    case PKT_ERROR_CAPACITY: return "capacity";
    case PKT_ERROR_VALUE: return "value";
    case PKT_ERROR_BASELINE: return "baseline";
    }
    return "unknown";
}

/* One case for each code. */
static const char *pkt_code_text(pkt_code code)
{
    switch (code) {
    case PKT_OK: return "no error";
    case PKT_ERROR_END: return "data ends too early";
    case PKT_ERROR_RANGE: return "value out of range";
    case PKT_ERROR_ORDER: return "values do not rise";
    case PKT_ERROR_PADDING: return "padding is not zero";
    case PKT_ERROR_UTF8: return "text is not valid UTF-8";
    case PKT_ERROR_CHECK: return "constant differs";
    case PKT_ERROR_CANONICAL: return "not the encoding a writer would choose";
    case PKT_ERROR_TRAILING: return "bytes left over";
    case PKT_ERROR_CRC: return "damaged, or of another protocol, seed or baseline";
    case PKT_ERROR_CAPACITY: return "no room left to write";
    case PKT_ERROR_VALUE: return "value cannot be written";
    case PKT_ERROR_BASELINE: return "its baseline is missing or invalid, or has another number";
    }
    return "unknown error";
}

/* A text that is being written into a buffer of fixed size. The last byte is for the terminator. */
typedef struct pkt_text_line {
    char *end;
    size_t left;
} pkt_text_line;

static void pkt_stream_add(pkt_text_line *l, const char *text)
{
    while (*text && l->left > 1) {
        *l->end++ = *text++;
        l->left--;
    }
}

static void pkt_stream_add_number(pkt_text_line *l, uint64_t value)
{
    char digits[21];
    char *first = digits + sizeof digits - 1;
    *first = 0;
    do {
        *--first = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    pkt_stream_add(l, first);
}

const char *pkt_error_string(const pkt_error *error, char *buffer, size_t size)
{
    pkt_text_line l;
    if (size == 0)
        return "";
    l.end = buffer;
    l.left = size;
    if (error->field[0]) {
        pkt_stream_add(&l, error->field);
        pkt_stream_add(&l, ": ");
    }
    pkt_stream_add(&l, pkt_code_text(error->code));
    if (error->code != PKT_OK) {
        pkt_stream_add(&l, " at bit ");
        pkt_stream_add_number(&l, error->bit);
        pkt_stream_add(&l, " (");
        pkt_stream_add(&l, pkt_code_name(error->code));
        pkt_stream_add(&l, ")");
    }
    *l.end = 0;
    return buffer;
}

/* Names grow to the left, so they are built from the end of a buffer: *first points at their first byte. Returns false
 * if text did not fit. */
static bool pkt_add_left(const char *start, char **first, const char *text, size_t length)
{
    const size_t room = (size_t)(*first - start), fits = length < room ? length : room;
    *first -= fits;
    memcpy(*first, text + length - fits, fits);
    return fits == length;
}

void pkt_error_outer(pkt_error *error, const char *outer)
{
    if (outer)
        pkt_error_outer_part(error, outer, strlen(outer));
}

void pkt_error_outer_part(pkt_error *error, const char *outer, size_t length)
{
    char name[PKT_FIELD_SIZE];
    char *first = name + sizeof name - 1;
    if (length == 0)
        return;
    *first = 0;
    if (error->field[0]) {
        pkt_add_left(name, &first, error->field, strlen(error->field));
        if (first > name)
            *--first = '.';
    }
    if (!pkt_add_left(name, &first, outer, length))
        name[0] = name[1] = name[2] = '.';
    memcpy(error->field, first, (size_t)(name + sizeof name - first));
}

void pkt_error_element(pkt_error *error, uint64_t index)
{
    char subscript[24], name[PKT_FIELD_SIZE];
    char *first = name + sizeof name - 1;
    const size_t array = strcspn(error->field, ".[");
    pkt_text_line l;
    /* A name that was cut begins with a point, and has lost the name of its array. */
    if (array == 0)
        return;
    l.end = subscript;
    l.left = sizeof subscript;
    pkt_stream_add(&l, "[");
    pkt_stream_add_number(&l, index);
    pkt_stream_add(&l, "]");
    *first = 0;
    if (!pkt_add_left(name, &first, error->field + array, strlen(error->field + array)) ||
        !pkt_add_left(name, &first, subscript, (size_t)(l.end - subscript)) ||
        !pkt_add_left(name, &first, error->field, array))
        name[0] = name[1] = name[2] = '.';
    memcpy(error->field, first, (size_t)(name + sizeof name - first));
}

void pkt_error_ending(pkt_error *error, const char *ending)
{
    char name[PKT_FIELD_SIZE];
    char *first = name + sizeof name - 1;
    *first = 0;
    if (!pkt_add_left(name, &first, ending, strlen(ending)) ||
        !pkt_add_left(name, &first, error->field, strlen(error->field)))
        name[0] = name[1] = name[2] = '.';
    memcpy(error->field, first, (size_t)(name + sizeof name - first));
}

static void pkt_clear_error(pkt_error *error)
{
    error->code = PKT_OK;
    error->bit = 0;
    error->field[0] = 0;
}

/* The error must be clear. */
static void pkt_set_error(pkt_error *error, pkt_code code, uint64_t bit, const char *field)
{
    error->code = code;
    error->bit = bit;
    pkt_error_outer(error, field);
}

/* ---- Writing --------------------------------------------------------------------------------------- */

static void pkt_start_writer(pkt_writer *w, uint8_t *data, uint64_t room, bool grows)
{
    w->data = data;
    w->bit = 0;
    w->limit = room;
    w->carry = 0;
    w->grows = grows;
    w->terse = false;
    w->kept = 0;
    w->framed = false;
    w->room = room;
    w->refs = NULL;
    w->part = NULL;
    pkt_clear_error(&w->error);
}

void pkt_writer_grow_init(pkt_writer *w)
{
    pkt_start_writer(w, NULL, 0, true);
}

void pkt_writer_free(pkt_writer *w)
{
    if (!w->grows)
        return;
    free(w->data);
    pkt_writer_grow_init(w);
}

bool pkt_writer_grow(pkt_writer *w, uint64_t bits)
{
    size_t size, needed;
    uint8_t *data;
    if (w->error.code != PKT_OK)
        return false;
    if (bits <= pkt_writer_bits_left(w))
        return true;
    if (!w->grows || bits > (uint64_t)SIZE_LIMIT * 8 - w->bit)
        return false;

    needed = (size_t)((w->bit + bits + 7) / 8);
    size = w->room == 0 ? GROW_FIRST : (size_t)(w->room / 4);
    if (size < needed)
        size = needed;
    if (size > SIZE_LIMIT)
        size = SIZE_LIMIT;
    data = (uint8_t *)realloc(w->data, size);
    if (!data)
        return false;
    w->data = data;
    w->room = w->limit = (uint64_t)size * 8;
    return true;
}

pkt_mark pkt_writer_mark(const pkt_writer *w)
{
    pkt_mark mark;
    mark.bit = w->bit;
    mark.carry = w->carry;
    mark.code = w->error.code;
    return mark;
}

void pkt_writer_rewind(pkt_writer *w, pkt_mark mark)
{
    if (mark.code != PKT_OK || mark.bit > w->bit)
        return;
    w->bit = mark.bit;
    w->carry = mark.carry;
    w->limit = w->room;
    pkt_clear_error(&w->error);
    if (mark.bit % 8 != 0)
        w->data[mark.bit / 8] = (uint8_t)mark.carry;
}

void pkt_fail_writer(pkt_writer *w, pkt_code code, uint64_t bit, const char *field)
{
    if (w->error.code != PKT_OK)
        return;
    w->limit = 0;
    pkt_set_error(&w->error, code, bit, field);
}

/* ---- Reading --------------------------------------------------------------------------------------- */

const uint8_t pkt_nothing[1] = {0};

bool pkt_reader_left_over(pkt_reader *r)
{
    uint64_t left = pkt_reader_bits_left(r);
    if (left >= 8)
        pkt_fail_reader(r, PKT_ERROR_TRAILING, r->bit, NULL);
    else if (left > 0 && r->data[r->bit / 8] >> (r->bit % 8) != 0)
        pkt_fail_reader(r, PKT_ERROR_PADDING, r->bit, NULL);
    return r->error.code == PKT_OK;
}

pkt_read_mark pkt_reader_mark(const pkt_reader *r)
{
    pkt_read_mark mark;
    mark.bit = r->bit;
    mark.limit = r->limit;
    mark.kept = r->kept;
    mark.code = r->error.code;
    return mark;
}

void pkt_reader_rewind(pkt_reader *r, pkt_read_mark mark)
{
    if (mark.code != PKT_OK)
        return;
    r->bit = mark.bit;
    r->limit = mark.limit;
    r->kept = mark.kept;
    pkt_clear_error(&r->error);
}

void pkt_fail_reader(pkt_reader *r, pkt_code code, uint64_t bit, const char *field)
{
    if (r->error.code != PKT_OK)
        return;
    r->limit = 0;
    pkt_set_error(&r->error, code, bit, field);
}
