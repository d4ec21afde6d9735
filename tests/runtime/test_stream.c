/* test_stream.c - tests streams: starting, ending, failing, rewinding, growing; and the texts of errors.
 * SPDX-License-Identifier: MIT
 */
#include "../../runtime/pkt.h"
#include "plain_bits.h"
#include "unit.h"

#include <string.h>

static uint8_t *memory(size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    assert_non_null(bytes);
    memset(bytes, 0xEE, size);
    return bytes;
}

/* ---- Errors ---------------------------------------------------------------------------------------- */

TEST(code_names)
{
    static const char *const names[] = {"ok",        "end",      "range", "order",    "padding", "utf8",    "check",
                                        "canonical", "trailing", "crc",   "capacity", "value",   "baseline"};
    char buffer[256];
    pkt_error error;
    assert_int_equal(PKT_ERROR_BASELINE + 1, sizeof names / sizeof names[0]);
    for (unsigned code = 0; code < sizeof names / sizeof names[0]; code++) {
        assert_string_equal(pkt_code_name((pkt_code)code), names[code]);
        memset(&error, 0, sizeof error);
        error.code = (pkt_code)code;
        pkt_error_string(&error, buffer, sizeof buffer);
        assert_null(strstr(buffer, "unknown"));
    }
    assert_string_equal(pkt_code_name((pkt_code)13), "unknown");
}

TEST(error_lines)
{
    pkt_error error = {PKT_ERROR_RANGE, 133, "Snapshot.bodies.x"};
    char buffer[256];
    assert_ptr_equal(pkt_error_string(&error, buffer, sizeof buffer), buffer);
    assert_string_equal(buffer, "Snapshot.bodies.x: value out of range at bit 133 (range)");
    error.field[0] = 0;
    error.bit = 0;
    assert_string_equal(pkt_error_string(&error, buffer, sizeof buffer), "value out of range at bit 0 (range)");
    error.code = PKT_OK;
    assert_string_equal(pkt_error_string(&error, buffer, sizeof buffer), "no error");
}

/* Buffers of every size get as much of the line as fits; 256 bytes hold the longest line. */
TEST(error_lines_cut)
{
    pkt_error error = {PKT_ERROR_CANONICAL, UINT64_MAX, ""};
    char whole[512];
    size_t length;
    memset(error.field, 'n', PKT_FIELD_SIZE - 1);
    pkt_error_string(&error, whole, sizeof whole);
    assert_non_null(strstr(whole, " at bit 18446744073709551615 (canonical)"));
    length = strlen(whole);
    assert_true(length < 256);
    for (size_t size = 1; size <= length + 2; size++) {
        char *buffer = (char *)memory(size);
        size_t expected = size - 1 < length ? size - 1 : length;
        assert_ptr_equal(pkt_error_string(&error, buffer, size), buffer);
        assert_int_equal(strlen(buffer), expected);
        assert_memory_equal(buffer, whole, expected);
        free(buffer);
    }
    assert_string_equal(pkt_error_string(&error, NULL, 0), "");
}

TEST(outer_names)
{
    pkt_error error = {PKT_ERROR_RANGE, 0, ""};
    pkt_error_outer(&error, NULL);
    pkt_error_outer(&error, "");
    assert_string_equal(error.field, "");
    pkt_error_outer(&error, "x");
    assert_string_equal(error.field, "x");
    pkt_error_outer(&error, "bodies[3]");
    assert_string_equal(error.field, "bodies[3].x");
    pkt_error_outer(&error, "Snapshot");
    assert_string_equal(error.field, "Snapshot.bodies[3].x");
    pkt_error_outer(&error, "");
    pkt_error_outer(&error, NULL);
    assert_string_equal(error.field, "Snapshot.bodies[3].x");
}

TEST(element_names)
{
    pkt_error error = {PKT_ERROR_RANGE, 0, ""};
    pkt_error_element(&error, 3);
    assert_string_equal(error.field, "");
    pkt_error_outer(&error, "x");
    pkt_error_element(&error, 0);
    assert_string_equal(error.field, "x[0]");
    pkt_error_outer(&error, "bodies");
    pkt_error_element(&error, 17);
    assert_string_equal(error.field, "bodies[17].x[0]");
    pkt_error_element(&error, UINT64_MAX);
    assert_string_equal(error.field, "bodies[18446744073709551615][17].x[0]");
    pkt_error_outer(&error, "Snapshot");
    assert_string_equal(error.field, "Snapshot.bodies[18446744073709551615][17].x[0]");
}

/* Names of every length: complete if they fit, otherwise "..." and the end. */
TEST(long_names)
{
    char text[400];
    for (size_t inner = 1; inner < 190; inner++) {
        for (size_t outer = 1; outer < 190; outer++) {
            pkt_error error = {PKT_ERROR_RANGE, 0, ""};
            size_t length = outer + 1 + inner;
            for (size_t i = 0; i < length; i++)
                text[i] = (char)('a' + i % 26);
            text[outer] = 0;
            text[length] = 0;
            pkt_error_outer(&error, text + outer + 1);
            pkt_error_outer(&error, text);
            text[outer] = '.';
            if (length < PKT_FIELD_SIZE) {
                assert_string_equal(error.field, text);
            } else {
                assert_int_equal(strlen(error.field), PKT_FIELD_SIZE - 1);
                assert_memory_equal(error.field, "...", 3);
                assert_string_equal(error.field + 3, text + length - (PKT_FIELD_SIZE - 4));
            }
        }
    }
}

/* What pkt_error_ending adds to a name is cut in the same way. */
TEST(long_endings)
{
    char text[400];
    for (size_t size = 1; size < PKT_FIELD_SIZE; size++) {
        for (size_t more = 1; more < 20; more++) {
            pkt_error error = {PKT_ERROR_RANGE, 0, ""};
            const size_t length = size + more;
            for (size_t i = 0; i < length; i++)
                text[i] = (char)('a' + i % 26);
            text[length] = 0;
            memcpy(error.field, text, size);
            pkt_error_ending(&error, text + size);
            if (length < PKT_FIELD_SIZE) {
                assert_string_equal(error.field, text);
            } else {
                assert_memory_equal(error.field, "...", 3);
                assert_string_equal(error.field + 3, text + length - (PKT_FIELD_SIZE - 4));
            }
        }
    }
}

#define ALPHABET "abcdefghijklmnopqrstuvwxyz"
#define LETTERS ALPHABET ALPHABET ALPHABET ALPHABET ALPHABET ALPHABET ALPHABET

/* Elements of arrays with names of every length: complete if they fit, otherwise "..." and the end. A name that has lost
 * its array gets no index. */
TEST(long_element_names)
{
    char text[400];
    for (size_t outer = 1; outer < PKT_FIELD_SIZE; outer++) {
        for (size_t inner = 0; inner < PKT_FIELD_SIZE; inner++) {
            pkt_error error = {PKT_ERROR_RANGE, 0, ""};
            int length;
            snprintf(text, sizeof text, "%.*s", (int)inner, LETTERS);
            if (inner != 0)
                pkt_error_outer(&error, text);
            snprintf(text, sizeof text, "%.*s", (int)outer, LETTERS);
            pkt_error_outer(&error, text);
            pkt_error_element(&error, 4095);
            length = snprintf(text, sizeof text, "%.*s%s%s%.*s", (int)outer, LETTERS,
                              outer + (inner != 0) + inner < PKT_FIELD_SIZE ? "[4095]" : "", inner != 0 ? "." : "",
                              (int)inner, LETTERS);
            if (length < PKT_FIELD_SIZE) {
                assert_string_equal(error.field, text);
            } else {
                assert_int_equal(strlen(error.field), PKT_FIELD_SIZE - 1);
                assert_memory_equal(error.field, "...", 3);
                assert_string_equal(error.field + 3, text + length - (PKT_FIELD_SIZE - 4));
            }
        }
    }
}

/* ---- Writing --------------------------------------------------------------------------------------- */

TEST(writing_bytes)
{
    uint8_t *data = memory(2);
    pkt_writer w;
    size_t size = 99;
    pkt_writer_init(&w, data, 2);
    assert_int_equal(pkt_writer_bits(&w), 0);
    assert_int_equal(pkt_writer_bits_left(&w), 16);
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 0);
    assert_int_equal(data[0], 0xEE);
    assert_true(put(&w, 5, 3));
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 1);
    assert_true(put(&w, 31, 5));
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 1);
    assert_true(put(&w, 1, 1));
    assert_int_equal(pkt_writer_bits(&w), 9);
    assert_int_equal(pkt_writer_bits_left(&w), 7);
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 2);
    assert_int_equal(data[0], 0xFD);
    assert_int_equal(data[1], 0x01);
    assert_int_equal(w.error.code, PKT_OK);
    free(data);
}

/* Earlier contents of the memory of a stream do not matter. */
TEST(streams_in_used_memory)
{
    uint8_t byte;
    pkt_writer w;
    pkt_reader r;
    for (int grows = 0; grows < 2; grows++) {
        memset(&w, 0xA5, sizeof w);
        if (grows)
            pkt_writer_grow_init(&w);
        else
            pkt_writer_init(&w, &byte, 1);
        assert_ptr_equal(w.data, grows ? NULL : &byte);
        assert_int_equal(w.bit, 0);
        assert_int_equal(w.limit, grows ? 0 : 8);
        assert_int_equal(w.carry, 0);
        assert_int_equal(w.grows, grows);
        assert_int_equal(w.room, w.limit);
        assert_null(w.refs);
        assert_int_equal(w.error.code, PKT_OK);
        assert_int_equal(w.error.bit, 0);
        assert_string_equal(w.error.field, "");
    }
    memset(&r, 0xA5, sizeof r);
    pkt_reader_init(&r, &byte, 1);
    assert_ptr_equal(r.data, &byte);
    assert_int_equal(r.bit, 0);
    assert_int_equal(r.limit, 8);
    assert_null(r.refs);
    assert_int_equal(r.error.code, PKT_OK);
    assert_int_equal(r.error.bit, 0);
    assert_string_equal(r.error.field, "");
}

TEST(writer_without_room)
{
    static const struct {
        bool null;
        size_t size;
    } cases[] = {{true, 0}, {false, 0}, {true, 5}, {false, SIZE_MAX}, {false, SIZE_MAX / 2 + 1}, {true, SIZE_MAX}};
    uint8_t byte = 0xEE;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pkt_writer w;
        size_t size = 99;
        pkt_writer_init(&w, cases[i].null ? NULL : &byte, cases[i].size);
        assert_int_equal(pkt_writer_bits_left(&w), 0);
        assert_true(pkt_writer_finish(&w, &size));
        assert_int_equal(size, 0);
        pkt_writer_rewind(&w, pkt_writer_mark(&w));
        assert_false(put(&w, 1, 1));
        assert_false(pkt_writer_grow(&w, 1));
        assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
        assert_false(pkt_writer_finish(&w, &size));
        pkt_writer_free(&w);
    }
    assert_int_equal(byte, 0xEE);
}

TEST(writer_failure)
{
    uint8_t data[4];
    pkt_writer w;
    size_t size = 99;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(put(&w, 0, 13));
    pkt_fail_writer(&w, PKT_ERROR_VALUE, 7, "angles[2]");
    assert_int_equal(w.error.code, PKT_ERROR_VALUE);
    assert_int_equal(w.error.bit, 7);
    assert_string_equal(w.error.field, "angles[2]");
    assert_int_equal(w.bit, 13);
    assert_int_equal(w.limit, 0);
    assert_int_equal(pkt_writer_bits(&w), 13);
    assert_int_equal(pkt_writer_bits_left(&w), 0);
    assert_false(put(&w, 0, 1));
    pkt_fail_writer(&w, PKT_ERROR_RANGE, 1, "later");
    assert_int_equal(w.error.code, PKT_ERROR_VALUE);
    assert_int_equal(w.error.bit, 7);
    assert_string_equal(w.error.field, "angles[2]");
    assert_false(pkt_writer_grow(&w, 0));
    assert_false(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 0);
    pkt_writer_init(&w, data, sizeof data);
    pkt_fail_writer(&w, PKT_ERROR_VALUE, 0, NULL);
    assert_string_equal(w.error.field, "");
}

/* From every position back to every earlier one, with 1s written in between, with and without a failure. */
TEST(rewinding)
{
    for (unsigned from = 0; from <= 24; from++) {
        for (unsigned to = 0; to <= from; to++) {
            for (unsigned fails = 0; fails < 2; fails++) {
                uint8_t data[3] = {0xEE, 0xEE, 0xEE};
                uint32_t expected = 0x5A5A5A & ((1u << to) - 1);
                pkt_writer w;
                pkt_mark mark;
                size_t size;
                pkt_writer_init(&w, data, sizeof data);
                assert_true(put(&w, 0x5A5A5A, to));
                mark = pkt_writer_mark(&w);
                assert_true(put(&w, 0xFFFFFF, from - to));
                if (fails)
                    assert_false(put(&w, 0, 25));
                pkt_writer_rewind(&w, mark);
                assert_int_equal(w.error.code, PKT_OK);
                assert_string_equal(w.error.field, "");
                assert_int_equal(w.error.bit, 0);
                assert_int_equal(pkt_writer_bits(&w), to);
                assert_int_equal(pkt_writer_bits_left(&w), 24 - to);
                assert_true(pkt_writer_finish(&w, &size));
                assert_int_equal(size, (to + 7) / 8);
                for (size_t i = 0; i < size; i++)
                    assert_int_equal(data[i], expected >> 8 * i & 255);
                assert_true(put(&w, 0, 24 - to));
                for (size_t i = 0; i < 3; i++)
                    assert_int_equal(data[i], expected >> 8 * i & 255);
            }
        }
    }
}

TEST(marks_that_are_no_good)
{
    uint8_t data[2];
    pkt_writer w;
    pkt_mark early, late, failed;
    pkt_writer_init(&w, data, sizeof data);
    early = pkt_writer_mark(&w);
    assert_true(put(&w, 0x1F, 5));
    late = pkt_writer_mark(&w);
    assert_false(put(&w, 0, 12));
    failed = pkt_writer_mark(&w);
    pkt_writer_rewind(&w, failed);
    assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
    assert_int_equal(w.limit, 0);
    pkt_writer_rewind(&w, early);
    assert_int_equal(w.error.code, PKT_OK);
    pkt_writer_rewind(&w, late);
    assert_int_equal(pkt_writer_bits(&w), 0);
    pkt_writer_rewind(&w, failed);
    assert_int_equal(w.error.code, PKT_OK);
    assert_int_equal(pkt_writer_bits(&w), 0);
}

/* Writes as many items as fit into a small packet, as a program would do it. */
TEST(filling_a_packet)
{
    uint8_t *data = memory(10);
    pkt_writer w;
    size_t size, items = 0;
    pkt_writer_init(&w, data, 10);
    for (;;) {
        pkt_mark mark = pkt_writer_mark(&w);
        if (put(&w, items, 7) && put(&w, 1, 4)) {
            items++;
            continue;
        }
        pkt_writer_rewind(&w, mark);
        break;
    }
    assert_int_equal(items, 7);
    assert_int_equal(pkt_writer_bits(&w), 77);
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 10);
    assert_int_equal(data[9] >> 5, 0);
    free(data);
}

TEST(growing)
{
    const uint32_t numbers = 20000;
    pkt_writer w;
    pkt_reader r;
    pkt_mark mark;
    size_t size = 99, moves = 0;
    uint64_t value, limit = 0;
    pkt_writer_grow_init(&w);
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 0);
    assert_true(put(&w, 5, 3));
    mark = pkt_writer_mark(&w);
    for (uint32_t i = 0; i < numbers; i++) {
        assert_true(put(&w, i, 15));
        if (w.limit != limit)
            moves++;
        limit = w.limit;
    }
    assert_true(moves < 12);
    assert_int_equal(w.limit, w.room);
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, (3 + 15 * (size_t)numbers + 7) / 8);
    assert_true(limit / 8 <= 2 * size + 256);
    pkt_reader_init(&r, w.data, size);
    assert_true(get(&r, 3, &value));
    assert_int_equal(value, 5);
    for (uint32_t i = 0; i < numbers; i++) {
        assert_true(get(&r, 15, &value));
        assert_int_equal(value, i);
    }
    assert_true(pkt_reader_finish(&r));

    pkt_fail_writer(&w, PKT_ERROR_RANGE, 0, "x");
    assert_false(put(&w, 0, 1));
    assert_false(pkt_writer_finish(&w, &size));
    pkt_writer_rewind(&w, mark);
    assert_int_equal(w.limit, limit);
    assert_int_equal(pkt_writer_bits(&w), 3);
    assert_int_equal(w.data[0], 5);
    pkt_writer_free(&w);
    assert_null(w.data);
    assert_int_equal(w.error.code, PKT_OK);
    assert_true(put(&w, 1, 1));
    assert_int_equal(w.data[0], 1);
    pkt_writer_free(&w);
    pkt_writer_free(&w);
}

TEST(growing_by)
{
    static const uint64_t needs[] = {0, 1, 8, 2047, 2048, 2049, 100000};
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        pkt_writer w;
        pkt_writer_grow_init(&w);
        assert_true(pkt_writer_grow(&w, needs[i]));
        assert_true(pkt_writer_bits_left(&w) >= needs[i]);
        assert_true(pkt_writer_bits_left(&w) <= (needs[i] < 2048 ? 2048 : (needs[i] + 7) / 8 * 8));
        if (needs[i])
            memset(w.data, 0xFF, (size_t)(w.limit / 8));
        assert_true(put(&w, 1, 1));
        assert_true(pkt_writer_grow(&w, needs[i]));
        assert_true(pkt_writer_bits_left(&w) >= needs[i]);
        memset(w.data, 0xFF, (size_t)(w.limit / 8));
        pkt_writer_free(&w);
    }
}

/* With the address sanitizer too, asking for too much memory must return NULL. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* Impossible sizes are refused, even if a sum would wrap, and the writer can still be used. */
TEST(growing_too_far)
{
    static const uint64_t needs[] = {
        UINT64_MAX,        UINT64_MAX - 7,          UINT64_MAX - 2,          UINT64_MAX / 2,
        (uint64_t)1 << 63, ((uint64_t)1 << 63) - 1, ((uint64_t)1 << 63) - 8, (uint64_t)1 << 62};
    pkt_writer w;
    uint8_t data[1];
    pkt_writer_grow_init(&w);
    assert_true(put(&w, 5, 3));
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        assert_false(pkt_writer_grow(&w, needs[i]));
        assert_int_equal(w.error.code, PKT_OK);
        assert_true(put(&w, 0, 1));
    }
    assert_int_equal(w.data[0], 5);
    pkt_writer_free(&w);
    pkt_writer_init(&w, data, 1);
    assert_true(pkt_writer_grow(&w, 8));
    assert_false(pkt_writer_grow(&w, 9));
    assert_int_equal(w.limit, 8);
}

/* ---- Reading --------------------------------------------------------------------------------------- */

TEST(reading_bytes)
{
    uint8_t *data = memory(2);
    pkt_reader r;
    uint64_t value;
    data[0] = 0xFD;
    data[1] = 0x01;
    pkt_reader_init(&r, data, 2);
    assert_int_equal(pkt_reader_bits_left(&r), 16);
    assert_true(get(&r, 3, &value));
    assert_int_equal(value, 5);
    assert_int_equal(pkt_reader_bits(&r), 3);
    assert_int_equal(pkt_reader_bits_left(&r), 13);
    assert_true(get(&r, 6, &value));
    assert_int_equal(value, 63);
    assert_true(pkt_reader_finish(&r));
    assert_true(pkt_reader_finish(&r));
    assert_int_equal(r.error.code, PKT_OK);
    free(data);
}

/* Every position in three bytes, with each single bit set after it, in memory that ends where the data ends. */
TEST(finishing_a_read)
{
    for (size_t size = 0; size <= 3; size++) {
        uint8_t *data = memory(size);
        for (unsigned bit = 0; bit <= size * 8; bit++) {
            for (unsigned one = 0; one <= size * 8; one++) {
                unsigned left = (unsigned)size * 8 - bit;
                pkt_code expected = left >= 8                      ? PKT_ERROR_TRAILING
                                    : one >= bit && one < size * 8 ? PKT_ERROR_PADDING
                                                                   : PKT_OK;
                pkt_reader r;
                uint64_t value;
                memset(data, 0, size);
                if (one < size * 8)
                    data[one / 8] = (uint8_t)(1u << one % 8);
                pkt_reader_init(&r, data, size);
                assert_true(get(&r, bit, &value));
                assert_int_equal(pkt_reader_finish(&r), expected == PKT_OK);
                assert_int_equal(r.error.code, expected);
                if (expected == PKT_ERROR_TRAILING)
                    assert_int_equal(r.error.bit, bit);
                if (expected == PKT_ERROR_PADDING)
                    assert_int_equal(r.error.bit, bit);
                assert_string_equal(r.error.field, "");
                assert_int_equal(r.bit, bit);
            }
        }
        free(data);
    }
}

TEST(reader_without_data)
{
    static const struct {
        bool null;
        size_t size;
    } cases[] = {{true, 0}, {false, 0}, {true, 5}, {false, SIZE_MAX}, {false, SIZE_MAX / 2 + 1}, {true, SIZE_MAX}};
    const uint8_t byte = 0xEE;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pkt_reader r;
        uint64_t value;
        pkt_reader_init(&r, cases[i].null ? NULL : &byte, cases[i].size);
        assert_non_null(r.data);
        assert_int_equal(pkt_reader_bits_left(&r), 0);
        assert_true(pkt_reader_finish(&r));
        assert_false(get(&r, 1, &value));
        assert_int_equal(r.error.code, PKT_ERROR_END);
        assert_false(pkt_reader_finish(&r));
    }
}

TEST(reader_failure)
{
    static const uint8_t data[4] = {0};
    pkt_reader r;
    uint64_t value;
    pkt_reader_init(&r, data, sizeof data);
    assert_true(get(&r, 30, &value));
    assert_false(get(&r, 3, &value));
    assert_int_equal(r.error.code, PKT_ERROR_END);
    assert_int_equal(r.error.bit, 30);
    assert_string_equal(r.error.field, "get");
    assert_int_equal(r.bit, 30);
    assert_int_equal(r.limit, 0);
    assert_int_equal(pkt_reader_bits_left(&r), 0);
    assert_false(get(&r, 1, &value));
    pkt_fail_reader(&r, PKT_ERROR_RANGE, 1, "later");
    assert_false(pkt_reader_finish(&r));
    assert_int_equal(r.error.code, PKT_ERROR_END);
    assert_int_equal(r.error.bit, 30);
    pkt_error_outer(&r.error, "Ping");
    assert_string_equal(r.error.field, "Ping.get");
}
