/* test_subsets.c - the bits of a subset, as reports count them, are those that the codec writes.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"
#include "recordings/tally.h"
#include "unit.h"

static bool move_nothing(codec *c, void *user, uint32_t index)
{
    (void)c;
    (void)user;
    (void)index;
    return true;
}

TEST(random_subsets)
{
    enum { SUBSETS = 3000, MOST = 400 };
    arena *a = arena_new();
    uint64_t state = random_seed() * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int i = 0; i < SUBSETS; i++) {
        uint32_t at[MOST], count = 0;
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint32_t n = 1 + (uint32_t)(state >> 40) % MOST, share = 1 + (uint32_t)(state >> 33) % 100;
        for (uint32_t k = 0; k < n; k++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            if (state >> 33 & 1 ? k % share == 0 : (state >> 40) % share == 0)
                at[count++] = k;
        }
        const uint32_t limit = count + (uint32_t)(state >> 50) % (n - count + 1);
        for (unsigned mode = 0; mode < SPARSE_MODES; mode++) {
            codec_error error;
            index_list list = {.at = at, .count = count, .room = MOST};
            codec c = {.arena = a, .limit = UINT64_MAX, .error = &error};
            assert_true(codec_subset(&c, (sparse_mode)mode, n, limit, &list, "", move_nothing, NULL));
            assert_int_equal(subset_width((sparse_mode)mode, n, limit, at, count), c.bit);
        }
        arena_clear(a);
    }
    arena_free(a);
}
