/* test_stable.c - @stable packets between programs of two releases.
 * SPDX-License-Identifier: MIT
 */
#include "stable.h"
#include "stable_next.h"
#include "unit.h"

/* The first four bytes are the crc of the id 0x7743a21e177453e4, of "Hello", and of what follows. */
static const uint8_t hello_bytes[] = {0x7f, 0x13, 0x88, 0x52, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                      0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x31, 0x2e, 0x30,
                                      0x01, 0x09, 0x00, 0x00, 0x00, 0x00, 0xec, 0x20, 0x5a, 0x8c};

TEST(test_both_releases_have_the_same_bytes)
{
    old_Hello old = {.salts = {5, 6}, .version = "1.0", .extra = {9}, .extra_size = 1};
    new_Hello now = {.salts = {5, 6}, .version = "1.0", .extra = {9}, .extra_size = 1}, got;
    uint8_t bytes[old_Hello_MAX_BYTES], same[old_Hello_MAX_BYTES];
    const size_t size = old_Hello_pack(&old, bytes, sizeof bytes);
    assert_int_not_equal(old_PROTOCOL_ID, new_PROTOCOL_ID);
    assert_int_equal(size, sizeof hello_bytes);
    assert_memory_equal(bytes, hello_bytes, size);
    assert_int_equal(new_Hello_pack(&now, same, sizeof same), size);
    assert_memory_equal(same, bytes, size);
    assert_true(new_Hello_unpack(&got, bytes, size));
    assert_true(new_Hello_equal(&got, &now));
    assert_true(old_Hello_unpack(&old, same, size));
}

TEST(test_others_are_refused)
{
    const old_Input old = {.keys = 3};
    new_Input now;
    old_Hello hello;
    uint8_t bytes[old_Input_MAX_BYTES];
    assert_int_equal(old_Input_pack(&old, bytes, sizeof bytes), old_Input_MAX_BYTES);
    assert_false(new_Input_unpack(&now, bytes, sizeof bytes));
    assert_false(old_Hello_unpack(&hello, bytes, sizeof bytes));
}

/* An enum with a width can get members. The old release reads their numbers. */
TEST(test_a_member_that_the_old_release_lacks)
{
    const new_Refused now = {.client = 5, .reason = new_Reason_banned};
    old_Refused old;
    uint8_t bytes[new_Refused_MAX_BYTES];
    assert_int_equal(new_Refused_pack(&now, bytes, sizeof bytes), sizeof bytes);
    assert_true(old_Refused_unpack(&old, bytes, sizeof bytes));
    assert_int_equal(old.client, 5);
    assert_int_equal(old.reason, 2);
}
