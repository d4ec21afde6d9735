/* test_settled.c - tests deltas against baselines with any numbers: what is bit for bit the baseline's is unchanged.
 * SPDX-License-Identifier: MIT
 */
#include "settled.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static settled_Room made(void)
{
    settled_Room v;
    settled_Room_init(&v);
    v.level = 7;
    v.a = 1.5f;
    v.part = 0.5f;
    v.turn.w = 1.0f;
    v.counts_count = 2;
    v.counts[0] = v.counts[1] = 3;
    settled_Room_quantize(&v);
    return v;
}

/* The bits of a delta that arrives, and makes the same bits in memory as it was written from. */
static uint64_t bits_of_delta(const settled_Room *base, const settled_Room *v)
{
    uint8_t bytes[settled_Room_DELTA_MAX_BYTES];
    settled_Room got;
    pkt_writer w;
    pkt_reader r;
    size_t size;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(settled_Room_write_delta(&w, base, v));
    const uint64_t bits = pkt_writer_bits(&w);
    assert_true(settled_Room_measure_delta(base, v, 0) == bits);
    assert_true(pkt_writer_finish(&w, &size));
    settled_Room_init(&got);
    pkt_reader_init(&r, bytes, size);
    assert_true(settled_Room_read_delta(&r, base, &got));
    assert_true(pkt_reader_finish(&r));
    /* From what was read, the same bytes again. */
    uint8_t again[settled_Room_DELTA_MAX_BYTES];
    pkt_writer_init(&w, again, sizeof again);
    assert_true(settled_Room_write_delta(&w, base, &got));
    assert_true(pkt_writer_finish(&w, &size));
    assert_memory_equal(again, bytes, size);
    return bits;
}

enum { NOTHING = 13 }; /* the mask alone */

static void check_refused(const settled_Room *base, const settled_Room *v, pkt_code code, const char *field)
{
    uint8_t bytes[settled_Room_DELTA_MAX_BYTES] = {0};
    pkt_error error;
    settled_Room got;
    settled_Room_init(&got);
    assert_int_equal(settled_Room_pack_delta_body_error(base, v, bytes, sizeof bytes, &error), 0);
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
}

/* As a baseline; reading gives the same reason. */
static void check_unsound(const settled_Room *base, pkt_code code, const char *field)
{
    const settled_Room v = made();
    uint8_t bytes[8] = {0};
    pkt_error error;
    settled_Room got;
    settled_Room_init(&got);
    check_refused(base, &v, code, field);
    assert_true(settled_Room_measure_delta(base, &v, 0) == UINT64_MAX);
    assert_false(settled_Room_unpack_delta_body_error(base, &got, bytes, 2, &error));
    assert_int_equal(error.code, code);
    assert_int_equal(error.bit, 0);
    assert_string_equal(error.field, field);
}

TEST(unchanged)
{
    const settled_Room base = made();
    settled_Room v = base;
    assert_int_equal(bits_of_delta(&base, &v), NOTHING);
    v.b = -0.0f;
    v.c = 0.001f;
    assert_int_equal(bits_of_delta(&base, &v), NOTHING);
    v.turn = (pkt_quat){-0.0f, -0.0f, -0.0f, -1.0f};
    v.spots[2].turn = v.turn;
    v.spots[2].x = -0.0f;
    assert_int_equal(bits_of_delta(&base, &v), NOTHING);
}

/* Values that cannot be written, in the baseline and in the value. */
TEST(unwritable)
{
    settled_Room base = made(), v;
    base.level = 200;
    base.height = -30000;
    base.a = NAN;
    base.c = base.part = INFINITY;
    base.share = (double)NAN;
    base.turn.x = NAN;
    base.way.z = -INFINITY;
    base.spots[1].x = NAN;
    base.spots[1].turn.w = 5.0f;
    base.counts[1] = 77;
    base.label.text[0] = (char)0xFF;
    v = base;
    assert_int_equal(bits_of_delta(&base, &v), NOTHING);
    /* What changes is sent in full: no step leads from what has no code. */
    v.height = -5;
    assert_int_equal(bits_of_delta(&base, &v), NOTHING + 2 + 9);
    v = base;
    v.part = 1.0f;
    assert_int_equal(bits_of_delta(&base, &v), NOTHING + 2 + 10);
    v = base;
    v.turn = (pkt_quat){0.0f, 0.0f, 0.0f, 1.0f};
    assert_int_equal(bits_of_delta(&base, &v), NOTHING + 1 + 29);
    v = base;
    v.c = 10.0f;
    assert_int_equal(bits_of_delta(&base, &v), NOTHING + 11);
    /* In an element, the value next to those that cannot be written. */
    v = base;
    v.spots[1].tag = 5;
    (void)bits_of_delta(&base, &v);
    /* Another value that cannot be written is refused. */
    v = base;
    v.a = INFINITY;
    check_refused(&base, &v, PKT_ERROR_VALUE, "Room.a");
    v = base;
    v.turn.y = NAN;
    check_refused(&base, &v, PKT_ERROR_RANGE, "Room.turn");
    v = base;
    v.level = 201;
    check_refused(&base, &v, PKT_ERROR_RANGE, "Room.level");
}

TEST(unsound)
{
    settled_Room base = made();
    base.counts_count = 5;
    check_unsound(&base, PKT_ERROR_RANGE, "Room.counts_count");
    base.counts_count = 0;
    check_unsound(&base, PKT_ERROR_RANGE, "Room.counts_count");
    base = made();
    base.data_size = 7;
    check_unsound(&base, PKT_ERROR_RANGE, "Room.data_size");
    base = made();
    base.label.kind = (settled_Kind)3;
    check_unsound(&base, PKT_ERROR_RANGE, "Room.label.kind");
    base.label.kind = settled_Kind_box;
    memset(base.label.text, 'x', sizeof base.label.text);
    check_unsound(&base, PKT_ERROR_VALUE, "Room.label.text");
    /* A text that is not there need not end. */
    base.label.kind = settled_Kind_ball;
    assert_int_equal(bits_of_delta(&base, &base), NOTHING);
}

/* Numbers of random bits everywhere, in both values. */
TEST(noise)
{
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        settled_Room values[2];
        for (int n = 0; n < 2; n++) {
            uint8_t *at = (uint8_t *)&values[n];
            for (size_t b = 0; b < sizeof values[n]; b++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                at[b] = (uint8_t)(seed >> 56 & (seed >> 40 & 1 ? 0xFF : 0x7F));
            }
            values[n].counts_count = 1 + (uint8_t)(seed >> 33 & 3);
            values[n].data_size = (uint8_t)(seed >> 37 & 3);
            values[n].label.kind = (settled_Kind)(seed >> 43 & 1);
            values[n].label.text[7] = 0;
        }
        uint8_t bytes[settled_Room_DELTA_MAX_BYTES];
        assert_int_equal(bits_of_delta(&values[0], &values[0]), NOTHING);
        /* Both may fail, in the same way. */
        const size_t size = settled_Room_pack_delta_body(&values[0], &values[1], bytes, sizeof bytes);
        settled_Room got;
        settled_Room_init(&got);
        if (size != 0)
            assert_true(settled_Room_unpack_delta_body(&values[0], &got, bytes, size));
        for (size_t b = 0; b < sizeof bytes; b++)
            bytes[b] = (uint8_t)(seed >> b % 50);
        (void)settled_Room_unpack_delta_body(&values[0], &got, bytes, sizeof bytes);
    }
}

static bool same_near(const settled_Near *a, const settled_Near *b)
{
    return a->tag == b->tag && a->angle == b->angle && a->other == b->other;
}

/* A base value is what a reader sees of 0, so that it is the same whether it arrives or not. */
TEST(base_values)
{
    settled_Rest v = {0}, base, got;
    settled_Rest_init(&base);
    assert_true(base.place.angle == -10.0f && base.place.other == -10.0 && base.way == -10.0f);
    settled_Rest_quantize(&v);
    assert_true(same_near(&v.place, &base.place));
    uint8_t bytes[settled_Rest_DELTA_MAX_BYTES + settled_Rest_MAX_BYTES];
    size_t size = settled_Rest_pack_delta(NULL, &v, bytes, sizeof bytes);
    assert_true(settled_Rest_unpack_delta(NULL, &got, bytes, size));
    assert_true(same_near(&got.place, &v.place));
    size = settled_Rest_pack(&v, bytes, sizeof bytes);
    assert_true(settled_Rest_unpack(&got, bytes, size));
    assert_true(same_near(&got.place, &v.place) && got.way == base.way);
}

TEST(base_values_before_a_list)
{
    settled_Chain v = {.list_count = 2}, got;
    uint8_t bytes[settled_Chain_MAX_BYTES];
    v.list[0].angle = v.list[1].angle = 0.25f;
    const size_t size = settled_Chain_pack(&v, bytes, sizeof bytes);
    assert_true(settled_Chain_unpack(&got, bytes, size));
    settled_Chain_quantize(&v);
    assert_true(got.list[0].angle == -10.0f);
    assert_true(same_near(&got.list[0], &v.list[0]) && same_near(&got.list[1], &v.list[1]));
}
