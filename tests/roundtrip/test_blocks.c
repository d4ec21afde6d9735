/* test_blocks.c - tests deltas of large arrays of structs, which are compared in blocks of memory: what is not sent makes no
 * difference.
 * SPDX-License-Identifier: MIT
 */
#include "blocks.h"
#include "unit.h"

#include <string.h>

static blocks_Yard base, now, got;
static uint8_t bytes[2][blocks_Yard_DELTA_MAX_BYTES];

/* A yard whose padding and members that are not sent are `filler`. */
static void fill(blocks_Yard *v, uint8_t filler)
{
    memset(v, filler, sizeof *v);
    for (uint32_t i = 0; i < 600; i++) {
        v->crates[i].place = i;
        v->crates[i].kind = (uint8_t)i;
    }
    v->listed_count = 150;
    for (uint32_t i = 0; i < 200; i++) {
        v->listed[i].place = i;
        v->listed[i].kind = 7;
    }
    for (uint32_t i = 0; i < 100; i++) {
        v->marked[i].place = i;
        v->marked[i].height = 0.0f;
    }
}

static size_t size_of_delta(unsigned which)
{
    pkt_error error;
    const size_t size = blocks_Yard_pack_delta_error(&base, &now, bytes[which], sizeof bytes[which], &error);
    assert_int_not_equal(size, 0);
    assert_true(blocks_Yard_unpack_delta(&base, &got, bytes[which], size));
    assert_true(blocks_Yard_equal(&now, &got));
    return size;
}

TEST(what_is_not_sent_is_no_change)
{
    fill(&base, 0);
    fill(&now, 0xff);
    assert_int_equal(blocks_Yard_measure_delta(&base, &now, 0), 3);
    fill(&now, 0);
    assert_int_equal(blocks_Yard_measure_delta(&base, &now, 0), 3);
}

/* The bytes are the same whether or not blocks are bit for bit as they were. */
TEST(changed_elements_are_found_whatever_the_padding_is)
{
    static const uint32_t places[] = {0, 1, 63, 64, 511, 512, 575, 576, 599};
    for (unsigned n = 0; n < sizeof places / sizeof *places; n++) {
        size_t sizes[2];
        for (unsigned which = 0; which < 2; which++) {
            fill(&base, 0);
            fill(&now, which == 0 ? 0 : 0xff);
            now.crates[places[n]].kind++;
            now.listed_count = 151;
            now.listed[places[n] % 150].place += 1000;
            now.marked[places[n] % 100].height = -0.0f;
            sizes[which] = size_of_delta(which);
        }
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    }
}
