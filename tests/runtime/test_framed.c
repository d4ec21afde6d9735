/* test_framed.c - tests frames around streams: their bytes, what is refused, room, rewinding, growing.
 * SPDX-License-Identifier: MIT
 *
 * The expected bytes were computed from docs/wire.md with zlib's crc32.
 */
#include "../../runtime/pkt_inside.h"
#include "plain_bits.h"
#include "unit.h"

#include <string.h>

#define SEED UINT64_C(0x1122334455667788)

static const pkt_frame update = {UINT64_C(0x0123456789abcdef), "Update", true};
static const pkt_frame unchecked = {UINT64_C(0x0123456789abcdef), "Update", false};

/* A frame around one number of so many bits, in memory of exactly its size. */
static uint8_t *framed(const pkt_frame *frame, uint64_t seed, uint64_t value, unsigned bits, size_t *size)
{
    uint8_t data[32], *exact;
    pkt_writer w;
    memset(data, 0xEE, sizeof data);
    pkt_writer_init(&w, data, sizeof data);
    assert_true(pkt_writer_frame_begin(&w, frame));
    assert_true(put(&w, value, bits));
    *size = pkt_writer_frame_end(&w, frame, seed);
    assert_int_not_equal(*size, 0);
    exact = malloc(*size);
    assert_non_null(exact);
    return memcpy(exact, data, *size);
}

/* Reads such a frame: PKT_OK, or why it was refused. */
static pkt_error refusal(const pkt_frame *frame, uint64_t seed, const void *data, size_t size, unsigned bits)
{
    pkt_reader r;
    uint64_t value;
    pkt_reader_init(&r, data, size);
    const bool good =
        pkt_reader_frame_begin(&r, frame, seed) && get(&r, bits, &value) && pkt_reader_frame_end(&r, frame);
    assert_int_equal(good, r.error.code == PKT_OK);
    return r.error;
}

static void expect_refusal(const pkt_frame *frame, uint64_t seed, const void *data, size_t size, unsigned bits,
                           const char *expected)
{
    char text[256];
    const pkt_error error = refusal(frame, seed, data, size, bits);
    assert_string_equal(pkt_error_string(&error, text, sizeof text), expected);
}

/* ---- bytes */

TEST(known_bytes)
{
    static const struct {
        const pkt_frame *frame;
        uint64_t value, seed;
        unsigned bits;
        size_t size;
        uint8_t data[10];
    } cases[] = {
        {&update, 0x5A5, 0, 11, 10, {0x40, 0x7C, 0x03, 0x9A, 0xA5, 0xDD, 0x57, 0x2C, 0x5A, 0x02}},
        {&update, 0x5A5, SEED, 11, 10, {0xDD, 0x0C, 0xD7, 0xA8, 0xA5, 0xDD, 0x57, 0x2C, 0x5A, 0x02}},
        {&update, 0x5A5, 1, 11, 10, {0xB1, 0x77, 0xE4, 0x76, 0xA5, 0xDD, 0x57, 0x2C, 0x5A, 0x02}},
        {&update, 0, 0, 0, 8, {0x08, 0x3F, 0x95, 0x25, 0xFB, 0x8A, 0x45, 0x4B}},
        {&update, 0x5A, 7, 8, 9, {0xA8, 0xEF, 0x5A, 0x83, 0x5A, 0xFB, 0x8A, 0x45, 0x4B}},
        {&unchecked, 0x5A5, 0, 11, 6, {0x5F, 0x16, 0x49, 0xDE, 0xA5, 0x05}},
        {&unchecked, 0x5A5, SEED, 11, 6, {0x89, 0x99, 0xAA, 0x36, 0xA5, 0x05}},
        {&unchecked, 0, 0, 0, 4, {0x99, 0xC4, 0x79, 0x8F}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size;
        uint8_t *data = framed(cases[i].frame, cases[i].seed, cases[i].value, cases[i].bits, &size);
        pkt_reader r;
        uint64_t value;
        assert_int_equal(size, cases[i].size);
        assert_memory_equal(data, cases[i].data, size);
        pkt_reader_init(&r, data, size);
        assert_true(pkt_reader_frame_begin(&r, cases[i].frame, cases[i].seed));
        assert_int_equal(pkt_reader_bits(&r), 32);
        assert_true(get(&r, cases[i].bits, &value));
        assert_int_equal(value, cases[i].value);
        assert_true(pkt_reader_frame_end(&r, cases[i].frame));
        assert_int_equal(pkt_reader_bits(&r), 32 + cases[i].bits + (cases[i].frame->end_check ? 32 : 0));
        free(data);
    }
}

/* ---- what is refused */

TEST(other_frames)
{
    static const char wrong[] = "Update.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)";
    static const pkt_frame other_protocol = {UINT64_C(0x0123456789abcdee), "Update", true},
                           other_name = {UINT64_C(0x0123456789abcdef), "Updates", true};
    size_t size;
    uint8_t *data = framed(&update, SEED, 0x5A5, 11, &size);
    expect_refusal(&update, SEED, data, size, 11, "no error");
    expect_refusal(&update, 0, data, size, 11, wrong);
    expect_refusal(&other_protocol, SEED, data, size, 11, wrong);
    expect_refusal(&other_name, SEED, data, size, 11,
                   "Updates.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)");
    for (unsigned bit = 0; bit < 64; bit++)
        expect_refusal(&update, SEED ^ UINT64_C(1) << bit, data, size, 11, wrong);
    free(data);
}

/* Frames of all lengths, with each bit flipped, and with each number of bytes taken away or added. */
TEST(damaged_frames)
{
    for (unsigned bits = 0; bits <= 40; bits++) {
        for (int checked = 0; checked < 2; checked++) {
            const pkt_frame *frame = checked ? &update : &unchecked;
            size_t size;
            uint8_t *data = framed(frame, SEED, UINT64_C(0x5A5A5A5A5A) & ((UINT64_C(1) << bits) - 1), bits, &size);
            uint8_t longer[40] = {0};
            for (size_t bit = 0; bit < 8 * size; bit++) {
                data[bit / 8] ^= (uint8_t)(1u << bit % 8);
                assert_int_equal(refusal(frame, SEED, data, size, bits).code, PKT_ERROR_CRC);
                data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
            for (size_t less = 0; less < size; less++) {
                uint8_t *shorter = malloc(less != 0 ? less : 1);
                assert_non_null(shorter);
                memcpy(shorter, data, less);
                assert_int_equal(refusal(frame, SEED, shorter, less, bits).code,
                                 less < 4 ? PKT_ERROR_END : PKT_ERROR_CRC);
                free(shorter);
            }
            memcpy(longer, data, size);
            for (size_t more = size + 1; more <= sizeof longer; more++)
                assert_int_equal(refusal(frame, SEED, longer, more, bits).code, PKT_ERROR_CRC);
            assert_int_equal(refusal(frame, SEED, NULL, 0, bits).code, PKT_ERROR_END);
            free(data);
        }
    }
}

/* The checksum is right in all of these: they are written as frames without an end check. */
TEST(wrong_ends)
{
    static const uint64_t end = 0x4B458AFB;
    static const struct {
        uint64_t value;
        unsigned bits;
        const char *expected;
    } cases[] = {
        {UINT64_C(3) | end << 2, 34, "no error"},
        {UINT64_C(3) | (end ^ 1) << 2, 34, "Update.end check: constant differs at bit 34 (check)"},
        {UINT64_C(3) | (end ^ 0x80000000) << 2, 34, "Update.end check: constant differs at bit 34 (check)"},
        {UINT64_C(3) | end << 2 | UINT64_C(1) << 34, 40, "Update: padding is not zero at bit 66 (padding)"},
        {UINT64_C(3) | end << 2 | UINT64_C(1) << 39, 40, "Update: padding is not zero at bit 66 (padding)"},
        {UINT64_C(3) | end << 2, 41, "Update: bytes left over at bit 66 (trailing)"},
        {UINT64_C(7) | end << 3, 35, "Update.end check: constant differs at bit 34 (check)"},
        {UINT64_C(1) | end << 1, 33, "Update.end check: constant differs at bit 34 (check)"},
        {end, 32, "get: data ends too early at bit 32 (end)"},
        {end & 0xFFFFFF, 24, "Update.end check: data ends too early at bit 32 (end)"},
        {0, 0, "Update.end check: data ends too early at bit 32 (end)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size;
        uint8_t *data = framed(&unchecked, SEED, cases[i].value, cases[i].bits, &size);
        expect_refusal(&update, SEED, data, size, 2, cases[i].expected);
        free(data);
    }
    expect_refusal(&update, SEED, "abc", 3, 2, "Update.crc: data ends too early at bit 0 (end)");
    expect_refusal(&unchecked, SEED, NULL, 0, 2, "Update.crc: data ends too early at bit 0 (end)");
}

/* What is read before the seed is known, and again when it is. */
TEST(peeking)
{
    size_t size;
    uint8_t *data = framed(&update, SEED, 0x5A5, 11, &size);
    pkt_reader r;
    uint64_t value;
    pkt_reader_init(&r, data, size);
    assert_true(pkt_reader_frame_peek(&r, &update));
    assert_int_equal(pkt_reader_bits_left(&r), 16);
    assert_true(get(&r, 4, &value));
    assert_int_equal(value, 5);
    assert_true(pkt_reader_frame_begin(&r, &update, SEED));
    assert_int_equal(pkt_reader_bits_left(&r), 16);
    assert_true(get(&r, 11, &value));
    assert_int_equal(value, 0x5A5);
    assert_int_equal(pkt_reader_bits_left(&r), 5);
    assert_true(pkt_reader_frame_end(&r, &update));

    data[5] ^= 1;
    pkt_reader_init(&r, data, size);
    assert_true(pkt_reader_frame_peek(&r, &update));
    assert_true(get(&r, 8, &value));
    assert_false(pkt_reader_frame_begin(&r, &update, SEED));
    assert_int_equal(r.error.code, PKT_ERROR_CRC);
    assert_int_equal(r.error.bit, 0);
    assert_false(pkt_reader_frame_peek(&r, &update));
    assert_false(pkt_reader_frame_end(&r, &update));
    assert_false(get(&r, 1, &value));

    pkt_reader_init(&r, data, 7);
    assert_false(pkt_reader_frame_peek(&r, &update));
    assert_int_equal(r.error.code, PKT_ERROR_END);
    free(data);
}

/* No item can take bits of the end check. */
TEST(reading_too_much)
{
    for (unsigned bits = 0; bits <= 16; bits++) {
        const unsigned padding = (8 - bits % 8) % 8;
        size_t size;
        uint8_t *data = framed(&update, 0, (UINT64_C(1) << bits) - 1, bits, &size);
        pkt_reader r;
        uint64_t value;
        pkt_reader_init(&r, data, size);
        assert_true(pkt_reader_frame_begin(&r, &update, 0));
        assert_int_equal(pkt_reader_bits_left(&r), bits + padding);
        assert_false(get(&r, bits + padding + 1, &value));
        assert_int_equal(r.error.code, PKT_ERROR_END);
        assert_false(pkt_reader_frame_end(&r, &update));
        free(data);
    }
}

TEST(ends_without_beginnings)
{
    uint8_t data[64] = {0};
    pkt_writer w;
    pkt_reader r;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(put(&w, 0, 31));
    assert_int_equal(pkt_writer_frame_end(&w, &update, 0), 0);
    assert_int_equal(w.error.code, PKT_ERROR_VALUE);
    assert_string_equal(w.error.field, "Update.crc (no frame was begun)");
    pkt_writer_init(&w, NULL, 0);
    assert_int_equal(pkt_writer_frame_end(&w, &update, 0), 0);
    /* What a program has written itself stays as it is. */
    for (unsigned bytes = 4; bytes <= 12; bytes++) {
        for (unsigned checked = 0; checked < 2; checked++) {
            const pkt_frame *frame = checked ? &update : &unchecked;
            uint8_t *exact = malloc(bytes);
            assert_non_null(exact);
            pkt_writer_init(&w, exact, bytes);
            assert_true(put(&w, 0x12345678, 32));
            assert_int_equal(pkt_writer_frame_end(&w, frame, 0), 0);
            assert_int_equal(w.error.code, PKT_ERROR_VALUE);
            assert_string_equal(w.error.field, "Update.crc (no frame was begun)");
            assert_memory_equal(exact, "\x78\x56\x34\x12", 4);
            free(exact);
        }
    }
    pkt_writer_grow_init(&w);
    assert_true(put(&w, 0, 40));
    assert_int_equal(pkt_writer_frame_end(&w, &unchecked, 0), 0);
    assert_int_equal(w.error.code, PKT_ERROR_VALUE);
    pkt_writer_free(&w);
    /* A frame that was begun without room for an end check cannot be ended with one. */
    for (unsigned bytes = 4; bytes < 8; bytes++) {
        uint8_t *exact = malloc(bytes);
        assert_non_null(exact);
        pkt_writer_init(&w, exact, bytes);
        assert_true(pkt_writer_frame_begin(&w, &unchecked));
        assert_int_equal(pkt_writer_frame_end(&w, &update, 0), 0);
        assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
        assert_string_equal(w.error.field, "Update.end check");
        free(exact);
    }
    pkt_reader_init(&r, data, 3);
    assert_false(pkt_reader_frame_end(&r, &update));
    assert_int_equal(r.error.code, PKT_ERROR_END);
    pkt_reader_init(&r, NULL, 0);
    assert_true(pkt_reader_frame_end(&r, &unchecked));
}

/* ---- room */

/* In a buffer of every size: what could be written can be ended. */
TEST(room_for_the_end)
{
    for (size_t size = 0; size <= 14; size++) {
        for (int checked = 0; checked < 2; checked++) {
            const pkt_frame *frame = checked ? &update : &unchecked;
            const size_t least = checked ? 8 : 4;
            uint8_t *data = malloc(size != 0 ? size : 1);
            pkt_writer w;
            uint64_t left;
            size_t got;
            assert_non_null(data);
            pkt_writer_init(&w, data, size);
            assert_int_equal(pkt_writer_frame_begin(&w, frame), size >= least);
            if (size < least) {
                assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
                assert_string_equal(w.error.field, size < 4 ? "Update.crc" : "Update.end check");
                assert_int_equal(w.error.bit, size < 4 ? 0 : 32);
                assert_int_equal(pkt_writer_frame_end(&w, frame, 0), 0);
                free(data);
                continue;
            }
            left = pkt_writer_bits_left(&w);
            assert_int_equal(left, 8 * (size - least));
            for (uint64_t i = 0; i < left; i++) {
                const pkt_mark mark = pkt_writer_mark(&w);
                assert_int_equal(pkt_writer_frame_end(&w, frame, 0), least + (i + 7) / 8);
                pkt_writer_rewind(&w, mark);
                assert_true(put(&w, 1, 1));
            }
            const pkt_mark full = pkt_writer_mark(&w);
            assert_false(put(&w, 1, 1));
            pkt_writer_rewind(&w, full);
            assert_int_equal(pkt_writer_frame_end(&w, frame, SEED), size);
            assert_true(pkt_writer_finish(&w, &got));
            assert_int_equal(got, size);
            assert_int_equal(refusal(frame, SEED, data, size, (unsigned)left).code, PKT_OK);
            free(data);
        }
    }
}

/* Messages until one does not fit, as a program would write them; the reader reads them while bytes are left. */
TEST(filling_a_frame)
{
    uint8_t data[40];
    pkt_writer w;
    pkt_reader r;
    size_t size, items = 0, seen = 0;
    uint64_t value;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(pkt_writer_frame_begin(&w, &update));
    for (;;) {
        const pkt_mark mark = pkt_writer_mark(&w);
        if (put(&w, items, 7) && put(&w, 1, 4)) {
            items++;
            continue;
        }
        pkt_writer_rewind(&w, mark);
        break;
    }
    assert_int_equal(items, 32 * 8 / 11);
    size = pkt_writer_frame_end(&w, &update, SEED);
    assert_int_equal(size, 40);
    pkt_reader_init(&r, data, size);
    assert_true(pkt_reader_frame_begin(&r, &update, SEED));
    while (pkt_reader_bits_left(&r) >= 8) {
        assert_true(get(&r, 11, &value));
        assert_int_equal(value, seen | 1u << 7);
        seen++;
    }
    assert_int_equal(seen, items);
    assert_true(pkt_reader_frame_end(&r, &update));
}

TEST(growing_frames)
{
    pkt_writer w;
    pkt_writer_grow_init(&w);
    for (unsigned round = 0; round < 3; round++) {
        size_t size;
        assert_true(pkt_writer_frame_begin(&w, &update));
        for (unsigned i = 0; i < 1000; i++)
            assert_true(put(&w, 0x5A5, 11));
        const pkt_mark mark = pkt_writer_mark(&w);
        assert_true(put(&w, 0, 60));
        pkt_writer_rewind(&w, mark);
        size = pkt_writer_frame_end(&w, &update, round);
        assert_int_equal(size, 4 + (11000 + 32) / 8);
        pkt_reader r;
        uint64_t value;
        pkt_reader_init(&r, w.data, size);
        assert_true(pkt_reader_frame_begin(&r, &update, round));
        for (unsigned i = 0; i < 1000; i++)
            assert_true(get(&r, 11, &value) && value == 0x5A5);
        assert_true(pkt_reader_frame_end(&r, &update));
        if (round == 1)
            pkt_fail_writer(&w, PKT_ERROR_RANGE, 0, "x");
    }
    pkt_writer_free(&w);
}

/* The end check of a growing writer may need more memory than it has. */
TEST(growing_for_the_end)
{
    for (unsigned less = 0; less <= 32; less++) {
        pkt_writer w;
        size_t size;
        pkt_writer_grow_init(&w);
        assert_true(pkt_writer_frame_begin(&w, &update));
        while (pkt_writer_bits_left(&w) > less)
            assert_true(put(&w, 1, 1));
        size = pkt_writer_frame_end(&w, &update, 0);
        assert_int_equal(size, (pkt_writer_bits(&w) + 7) / 8);
        assert_int_equal(refusal(&update, 1, w.data, size, 1).code, PKT_ERROR_CRC);
        pkt_writer_free(&w);
    }
}

/* A writer begins one frame after the other in the same buffer, whatever has become of the one before. */
TEST(beginning_again)
{
    uint8_t data[16], first[16];
    pkt_writer w;
    size_t size;
    pkt_writer_init(&w, data, sizeof data);
    pkt_fail_writer(&w, PKT_ERROR_RANGE, 0, "first");
    for (unsigned round = 0; round < 4; round++) {
        assert_true(pkt_writer_frame_begin(&w, &update));
        assert_int_equal(pkt_writer_bits_left(&w), 64);
        assert_true(put(&w, 0x5A5, 11));
        if (round == 1)
            assert_false(put(&w, 0, 60));
        if (round == 2)
            continue;
        size = pkt_writer_frame_end(&w, &update, 5);
        assert_int_equal(size, round == 1 ? 0 : 10);
        if (round == 0)
            memcpy(first, data, size);
        if (round == 3)
            assert_memory_equal(first, data, size);
    }
    assert_true(pkt_writer_frame_begin(&w, &unchecked));
    assert_int_equal(pkt_writer_bits_left(&w), 96);
}

/* What T_pack ends with in a protocol without end checks: the bits after the checksum up to the next byte. */
TEST(packs_without_end_checks)
{
    const pkt_packet packet = {0, 0, false};
    uint8_t data[6] = {0, 0, 0, 0, 0xA5, 0x05};
    assert_int_equal(pkt_pack_end(&packet, data, 43, 11), 6);
    assert_true(pkt_unpack_crc(&packet, data, 48));
    assert_false(pkt_unpack_crc(&packet, data, 40));
    assert_int_equal(pkt_pack_end(&packet, data, 42, 11), 0);
    assert_int_equal(pkt_pack_end(&packet, data, 48, PKT_FAILED), 0);
}

/* How packets end whose bodies end at each bit of a byte. Bytes after the size that is given are there: none counts. */
TEST(ends_of_packets)
{
    for (unsigned checked = 0; checked < 2; checked++) {
        const pkt_packet packet = {7, 0x4B458AFB, checked != 0};
        for (unsigned bits = 0; bits <= 16; bits++) {
            const unsigned used = 32 + bits + (checked ? 32 : 0), size = (used + 7) / 8;
            uint8_t data[16] = {0}, room[16] = {0};
            for (unsigned bit = 32; bit < 32 + bits; bit += 2)
                data[bit / 8] |= (uint8_t)(1u << bit % 8);
            memcpy(room, data, sizeof room);
            assert_int_equal(pkt_pack_end(&packet, room, used - 1, bits), 0);
            assert_memory_equal(room, data, sizeof room);
            assert_int_equal(pkt_pack_end(&packet, data, 8 * size, bits), size);
            for (unsigned bit = 32; bit < 32 + bits; bit++)
                assert_int_equal(data[bit / 8] >> bit % 8 & 1, bit % 2 == 0);
            assert_true(pkt_unpack_end(&packet, data, 8 * size, bits));
            assert_false(pkt_unpack_end(&packet, data, 8 * size, PKT_FAILED));
            for (unsigned less = 1; 8 * (size - less) >= 32 + bits; less++)
                assert_false(pkt_unpack_end(&packet, data, 8 * (size - less), bits));
            for (unsigned more = size + 1; more <= sizeof data; more++)
                assert_false(pkt_unpack_end(&packet, data, 8 * more, bits));
            for (unsigned bit = 32 + bits; bit < 8 * size; bit++) {
                data[bit / 8] ^= (uint8_t)(1u << bit % 8);
                assert_false(pkt_unpack_end(&packet, data, 8 * size, bits));
                data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
            assert_true(pkt_unpack_end(&packet, data, 8 * size, bits));
        }
    }
}

/* ---- marks in readers */

TEST(rewinding_a_reader)
{
    size_t size;
    uint8_t *data = framed(&update, 0, 0x5A5, 11, &size);
    pkt_reader r;
    uint64_t value;
    pkt_reader_init(&r, data, size);
    const pkt_read_mark start = pkt_reader_mark(&r);
    assert_true(pkt_reader_frame_begin(&r, &update, 0));
    const pkt_read_mark mark = pkt_reader_mark(&r);
    assert_false(get(&r, 17, &value));
    const pkt_read_mark failed = pkt_reader_mark(&r);
    pkt_reader_rewind(&r, failed);
    assert_int_equal(r.error.code, PKT_ERROR_END);
    pkt_reader_rewind(&r, mark);
    assert_int_equal(r.error.code, PKT_OK);
    assert_string_equal(r.error.field, "");
    assert_int_equal(pkt_reader_bits_left(&r), 16);
    pkt_reader_rewind(&r, failed);
    assert_int_equal(pkt_reader_bits_left(&r), 16);
    assert_true(get(&r, 11, &value));
    assert_true(pkt_reader_frame_end(&r, &update));
    pkt_reader_rewind(&r, mark);
    assert_int_equal(pkt_reader_bits_left(&r), 16);
    assert_true(get(&r, 11, &value));
    assert_int_equal(value, 0x5A5);
    assert_true(pkt_reader_frame_end(&r, &update));
    pkt_reader_rewind(&r, start);
    assert_int_equal(pkt_reader_bits_left(&r), 8 * size);
    assert_true(pkt_reader_frame_begin(&r, &update, 0));
    free(data);
}
