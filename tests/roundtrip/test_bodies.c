/* test_bodies.c - tests T_pack_body and T_unpack_body: the body of a packet, in the bytes that a stream has.
 * SPDX-License-Identifier: MIT
 */
#include "bodies.h"
#include "unit.h"

#include <string.h>

static const Move move = {.x = 1000, .y = 7, .turn = 0xBEEF};
/* 10 + 10 + 16 bits, and 4 unused ones. */
static const uint8_t bytes[5] = {0xE8, 0x1F, 0xF0, 0xEE, 0x0B};

TEST(test_the_bytes_of_a_stream)
{
    uint8_t data[5], streamed[5];
    size_t size;
    pkt_writer w;
    pkt_error error = {PKT_ERROR_END, 1, "x"};
    Move got;
    pkt_writer_init(&w, streamed, sizeof streamed);
    assert_true(Move_write(&w, &move));
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(streamed, bytes, sizeof bytes);
    assert_int_equal(Move_pack_body(&move, data, sizeof data), sizeof bytes);
    assert_memory_equal(data, bytes, sizeof bytes);
    assert_int_equal(Move_pack_body_error(&move, data, sizeof data, &error), sizeof bytes);
    assert_int_equal(error.code, PKT_OK);
    Move_init(&got);
    assert_true(Move_unpack_body(&got, bytes, sizeof bytes));
    assert_true(Move_equal(&got, &move));
    error.code = PKT_ERROR_END;
    assert_true(Move_unpack_body_error(&got, bytes, sizeof bytes, &error));
    assert_int_equal(error.code, PKT_OK);
}

TEST(test_what_is_refused)
{
    Move wrong = move, got;
    uint8_t data[6];
    pkt_error error;
    Move_init(&got);
    wrong.y = 1001;
    assert_int_equal(Move_pack_body(&wrong, data, sizeof data), 0);
    assert_int_equal(Move_pack_body_error(&wrong, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_int_equal(error.bit, 10);
    assert_string_equal(error.field, "Move.y");
    assert_int_equal(Move_pack_body_error(&move, data, 4, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    assert_string_equal(error.field, "Move.turn");
    assert_int_equal(Move_pack_body_error(&move, NULL, 0, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    for (size_t size = 0; size < sizeof bytes; size++) {
        assert_false(Move_unpack_body_error(&got, bytes, size, &error));
        assert_int_equal(error.code, PKT_ERROR_END);
    }
    memcpy(data, bytes, sizeof bytes);
    data[5] = 0;
    assert_false(Move_unpack_body_error(&got, data, 6, &error));
    assert_int_equal(error.code, PKT_ERROR_TRAILING);
    assert_string_equal(error.field, "Move");
    data[4] |= 0x10;
    assert_false(Move_unpack_body_error(&got, data, 5, &error));
    assert_int_equal(error.code, PKT_ERROR_PADDING);
    assert_int_equal(error.bit, 36);
    memset(data, 0xFF, sizeof data);
    assert_false(Move_unpack_body_error(&got, data, 5, &error));
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Move.x");
}

/* For a value without bits, 0 bytes are not a failure; the error tells the two cases apart. */
TEST(test_bodies_without_a_bit)
{
    Wink wink;
    Five five;
    uint8_t data[4] = {0};
    pkt_error error = {PKT_ERROR_END, 1, "x"};
    Wink_init(&wink);
    assert_int_equal(Wink_pack_body_error(&wink, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_OK);
    assert_string_equal(error.field, "");
    assert_true(Wink_unpack_body_error(&wink, NULL, 0, &error));
    assert_false(Wink_unpack_body_error(&wink, data, 1, &error));
    assert_int_equal(error.code, PKT_ERROR_TRAILING);
    Five_init(&five);
    assert_int_equal(Five_pack_body_error(&five, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_OK);
    five.n = 6;
    assert_int_equal(Five_pack_body_error(&five, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Five.n");
    assert_true(Five_unpack_body(&five, data, 0));
    assert_int_equal(five.n, 5);
}

TEST(test_deltas)
{
    Move base = move, got;
    uint8_t data[8];
    pkt_error error;
    base.turn = 1;
    /* The mask 001, then turn. */
    size_t size = Move_pack_delta_body(&base, &move, data, sizeof data);
    assert_int_equal(size, 3);
    assert_int_equal(data[0] & 7, 4);
    Move_init(&got);
    assert_true(Move_unpack_delta_body(&base, &got, data, size));
    assert_true(Move_equal(&got, &move));
    assert_false(Move_unpack_delta_body_error(&base, &got, data, size - 1, &error));
    assert_int_equal(error.code, PKT_ERROR_END);
    assert_string_equal(error.field, "Move.turn");
    /* Numbers of a baseline are not judged. A value that differs is. */
    base.x = 1001;
    size = Move_pack_delta_body_error(&base, &move, data, sizeof data, &error);
    assert_true(size > 3 && Move_unpack_delta_body(&base, &got, data, size));
    assert_true(Move_equal(&got, &move));
    Move wrong = base;
    wrong.x = 1002;
    assert_int_equal(Move_pack_delta_body_error(&base, &wrong, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Move.x");
    size = Move_pack_delta_body_error(NULL, &move, data, sizeof data, &error);
    assert_int_equal(error.code, PKT_OK);
    assert_true(Move_unpack_delta_body_error(NULL, &got, data, size, &error));
    assert_true(Move_equal(&got, &move));
}

TEST(test_a_body_that_calls_functions_of_others)
{
    Crate crate, got;
    uint8_t data[200], streamed[200];
    size_t size, streamed_size;
    pkt_writer w;
    pkt_error error;
    Crate_init(&crate);
    crate.a = 0x12;
    crate.i = 0x3456789A;
    strcpy(crate.first.name, "apples");
    crate.first.heavy = true;
    crate.first.weight = 0xDEADBEEF;
    crate.second.list_count = 2;
    crate.second.list[1] = 0xABCD;
    crate.last = 0xFEDC;
    size = Crate_pack_body(&crate, data, sizeof data);
    pkt_writer_init(&w, streamed, sizeof streamed);
    assert_true(Crate_write(&w, &crate) && pkt_writer_finish(&w, &streamed_size));
    assert_int_equal(size, streamed_size);
    assert_memory_equal(data, streamed, size);
    Crate_init(&got);
    assert_true(Crate_unpack_body(&got, data, size));
    assert_true(Crate_equal(&got, &crate));
    for (size_t less = 0; less < size; less++) {
        assert_int_equal(Crate_pack_body_error(&crate, streamed, less, &error), 0);
        assert_int_equal(error.code, PKT_ERROR_CAPACITY);
        assert_false(Crate_unpack_body_error(&got, data, less, &error));
        assert_int_equal(error.code, PKT_ERROR_END);
    }
}
