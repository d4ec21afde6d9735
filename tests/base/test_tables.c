/* test_tables.c - tests hash tables, also with equal hashes, and maps and names.
 * SPDX-License-Identifier: MIT
 */
#include "base/hash_table.h"
#include "unit.h"

#include <string.h>

enum { MANY = 5000 };

static bool same(const void *entry, const void *key)
{
    return *(const int *)entry == *(const int *)key;
}

/* Entry i has the hash i / each, so `each` entries have the same one. */
static void fill(unsigned each)
{
    arena *a = arena_new();
    hash_table *t = hash_table_new(a);
    int *entries = ARENA_ARRAY(a, int, MANY);
    for (int i = 0; i < MANY; i++) {
        entries[i] = i;
        assert_null(hash_table_find(t, (unsigned)i / each, same, &i));
        hash_table_add(t, (unsigned)i / each, &entries[i]);
    }
    for (int i = 0; i < MANY; i++)
        assert_ptr_equal(hash_table_find(t, (unsigned)i / each, same, &i), &entries[i]);
    int missing = MANY;
    assert_null(hash_table_find(t, 0, same, &missing));
    assert_null(hash_table_find(t, UINT64_MAX, same, &entries[0]));
    arena_free(a);
}

TEST(test_hash_table)
{
    fill(1);
    fill(10);
    fill(MANY / 10);
}

TEST(test_hash)
{
    assert_true(hash_bytes(0, "a", 1) != hash_bytes(0, "b", 1));
    assert_true(hash_bytes(0, "a", 1) != hash_bytes(1, "a", 1));
    assert_true(hash_bytes(0, "ab", 2) == hash_bytes(0, "abc", 2));
}

TEST(test_map)
{
    arena *a = arena_new();
    map *m = map_new(a);
    static char owners[MANY];
    const char *name = "name";
    assert_null(map_get(m, NULL, NULL));
    for (int i = 0; i < MANY; i++)
        map_put(a, m, &owners[i], name, &owners[MANY - 1 - i]);
    map_put(a, m, NULL, name, owners);
    map_put(a, m, owners, NULL, owners);
    map_put(a, m, owners, name, &owners[7]);
    for (int i = 1; i < MANY; i++)
        assert_ptr_equal(map_get(m, &owners[i], name), &owners[MANY - 1 - i]);
    assert_ptr_equal(map_get(m, owners, name), &owners[7]);
    assert_ptr_equal(map_get(m, NULL, name), owners);
    assert_ptr_equal(map_get(m, owners, NULL), owners);
    assert_null(map_get(m, &owners[1], NULL));
    arena_free(a);
}

TEST(test_names)
{
    arena *a = arena_new();
    names *n = names_new(a);
    const char *zero = intern(n, "x0", 2);
    for (int i = 0; i < MANY; i++) {
        const char *text = arena_printf(a, "x%d", i);
        const char *interned = intern(n, text, strlen(text));
        assert_string_equal(interned, text);
        assert_ptr_equal(intern(n, interned, strlen(text)), interned);
    }
    assert_ptr_equal(intern(n, "x01", 2), zero);
    assert_ptr_not_equal(intern(n, "x01", 3), zero);
    assert_string_equal(intern(n, "", 0), "");
    arena_free(a);
}
