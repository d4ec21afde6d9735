/* test_arena.c - tests pieces of an arena: empty ones, and those that have a chunk of their own.
 * SPDX-License-Identifier: MIT
 */
#include "base/arena.h"
#include "unit.h"

#include <string.h>

TEST(test_empty_pieces)
{
    arena *a = arena_new();
    char *first = arena_alloc(a, 0);
    assert_non_null(first);
    assert_non_null(arena_alloc(a, 0));
    arena_clear(a);
    assert_non_null(arena_alloc(a, 0));
    arena_free(a);
}

TEST(test_large_pieces)
{
    enum { LARGE = 1 << 20 };
    arena *a = arena_new();
    char *small = arena_alloc(a, 16), *large = arena_alloc(a, LARGE);
    memset(small, 1, 16);
    memset(large, 2, LARGE);
    arena_give_back(a, large);
    assert_int_equal(small[15], 1);
    arena_free(a);
}
