/* test_train_model.c - tests the codes that pktc train gives to what it has counted.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "recordings/train_model.h"
#include "model/coding.h"
#include "releases/archive_text.h"
#include "unit.h"

#include <string.h>

static const char source_text[] =
    "protocol game = 1;\n"
    "packet State @delta { u16 y coded; }\n"
    "packet Wide @delta { u64 n coded; }\n"
    "enum Weapon { fist = 3, bow, axe, orb }\n"
    "enum Door { open, closed }\n"
    "packet Kit @delta { Weapon weapon coded; Door door coded; optional Weapon other coded; }\n"
    "packet Moved @delta(predict) { u8 z coded; bool b, c; }\n"
    "packet Broad @delta { u8 a coded; bool b, c, d, e, f, g; }\n";

enum { SYMBOLS = 17 }; /* of a u16 */

static schema *checked(arena *a)
{
    static const check_options options = {.checks = true};
    const source *text = source_from(a, "game.pkt", source_text, sizeof source_text - 1);
    schema *s = check(a, names_new(a), diag_new(a), text, &options);
    assert_non_null(s);
    return s;
}

static const code_table *table_of(const schema *s, const char *name)
{
    const code_table *t = s->tables;
    while (t && strcmp(t->name, name) != 0)
        t = t->next;
    assert_non_null(t);
    return t;
}

static void has_line(arena *a, const schema *s, const char *name, const char *line)
{
    size_t size;
    out *text = out_new(a);
    const code_table *t = table_of(s, name);
    code_table_put(a, text, t);
    assert_string_equal(out_result(text, &size), line);
    assert_true(is_complete_code(t, t->lengths));
}

/* Each symbol of State.y comes `factor` times as often as the one before. */
static void has_codes(uint64_t factor, const char *line)
{
    arena *a = arena_new();
    schema *s = checked(a);
    const train_counts k = train_counts_new(a, s);
    uint64_t *counts = k.numbers[table_of(s, "State.y 0")->number->coded_number].differences;
    counts[0] = 1;
    for (int i = 1; i < SYMBOLS; i++)
        counts[i] = counts[i - 1] * factor;
    train_lengths(&k);
    has_line(a, s, "State.y 0", line);
    arena_free(a);
}

TEST(test_longest)
{
    has_codes(1, "State.y 0: 5 5 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4");
    /* Huffman's codes have 16 bits. The rare ones become more even: once is enough, and the longest have 12 then. */
    has_codes(2, "State.y 0: 12 12 12 12 12 12 11 10 10 8 7 6 5 4 3 2 1");
    has_codes(3, "State.y 0: 10 10 10 10 10 10 10 10 9 9 8 6 5 4 3 2 1");
}

/* No table has more symbols than that of a u64. */
TEST(test_widest)
{
    arena *a = arena_new();
    schema *s = checked(a);
    const train_counts k = train_counts_new(a, s);
    train_lengths(&k);
    has_line(a, s, "Wide.n 0",
             "Wide.n 0: 7 7 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6"
             " 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6");
    arena_free(a);
}

/* A number goes through these values again and again. */
static void count_round_of(train_counts *k, const code_table *t, const uint64_t *values, unsigned size, unsigned often)
{
    for (unsigned i = 0; i < often * size; i++)
        train_count(k, t, 0, values[i % size], values[(i + 1) % size]);
}

static void count_round(train_counts *k, const schema *s, const uint64_t *values, unsigned size, unsigned often)
{
    count_round_of(k, table_of(s, "State.y 0"), values, size, often);
}

static void has_values_of(arena *a, const schema *s, const char *table, const char *line)
{
    size_t size;
    out *text = out_new(a);
    const code_values *v = table_of(s, table)->values;
    if (v)
        code_values_put(a, text, v);
    assert_string_equal(out_result(text, &size), line);
}

static void has_values(arena *a, const schema *s, const char *line)
{
    has_values_of(a, s, "State.y 0", line);
}

/* Enums are coded by their values, however seldom they were seen; what was never seen has its members. */
TEST(test_enums)
{
    static const uint64_t round[] = {2, 0, 2, 3};
    arena *a = arena_new();
    schema *s = checked(a);
    train_counts k = train_counts_new(a, s);
    has_values_of(a, s, "Kit.weapon 0", "Kit.weapon values: 0 1 2 3");
    count_round_of(&k, table_of(s, "Kit.weapon 0"), round, 4, 100);
    count_round_of(&k, table_of(s, "Kit.other 0"), round, 1, 1);
    train_lengths(&k);
    has_values_of(a, s, "Kit.weapon 0", "Kit.weapon values: 2 0 3");
    has_line(a, s, "Kit.weapon 0", "Kit.weapon 0: 0 2 1 2");
    has_line(a, s, "Kit.weapon 1", "Kit.weapon 1: 1 0 2 2");
    has_values_of(a, s, "Kit.door 0", "Kit.door values: 0 1");
    has_line(a, s, "Kit.door 0", "Kit.door 0: 0 0 0");
    has_line(a, s, "Kit.door 2", "Kit.door 2: 1 1 0");
    has_values_of(a, s, "Kit.other 0", "Kit.other values: 2");
    has_line(a, s, "Kit.other 0", "Kit.other 0: 1 1");
    arena_free(a);
}

/* A number with few values is coded by these, the most frequent first, by the old value. */
TEST(test_few_values)
{
    static const uint64_t round[] = {7, 60000, 7, 300};
    arena *a = arena_new();
    schema *s = checked(a);
    train_counts k = train_counts_new(a, s);
    count_round(&k, s, round, 4, 100);
    train_lengths(&k);
    has_values(a, s, "State.y values: 7 300 60000");
    has_line(a, s, "State.y 0", "State.y 0: 0 2 1 2");
    has_line(a, s, "State.y 1", "State.y 1: 1 0 2 2");
    has_line(a, s, "State.y 2", "State.y 2: 1 2 0 2");
    has_line(a, s, "State.y 3", "State.y 3: 1 3 2 3");
    arena_free(a);
}

/* Counts of parts add up to the counts of the whole, and what was coded by values before can be coded by differences again. */
TEST(test_values_and_differences)
{
    static const uint64_t round[] = {7, 60000, 7, 300};
    uint64_t steps[5000];
    arena *a = arena_new();
    schema *s = checked(a);
    train_counts k = train_counts_new(a, s);
    count_round(&k, s, round, 4, 100);
    train_lengths(&k);
    k = train_counts_new(a, s);
    for (unsigned i = 0; i < 5000; i++)
        steps[i] = 3 * i;
    count_round(&k, s, steps, 5000, 2);
    train_lengths(&k);
    has_values(a, s, "");
    assert_int_equal(table_of(s, "State.y 0")->lengths[2], 1);
    assert_int_equal(table_of(s, "State.y 0")->count, SYMBOLS);
    arena_free(a);
}

/* Other values than the frequent ones are worth a symbol. */
TEST(test_other_values)
{
    uint64_t values[4000];
    arena *a = arena_new();
    schema *s = checked(a);
    train_counts k = train_counts_new(a, s);
    for (unsigned i = 0; i < 4000; i++)
        values[i] = i % 8 == 0 ? 1001 + 13 * i : i % 2 ? 9 : 40000;
    count_round(&k, s, values, 4000, 1);
    train_lengths(&k);
    has_values(a, s, "State.y values: 9 40000");
    has_line(a, s, "State.y 0", "State.y 0: 0 1 1");
    arena_free(a);
}

static void count_masks(train_counts *k, const schema *s, uint64_t mask, unsigned often)
{
    for (unsigned i = 0; i < often; i++)
        train_count(k, table_of(s, "Broad changes 0.0"), 0, 0, mask);
}

/* A mask with few values is coded by these, the most frequent first, and in groups if all come as often. */
TEST(test_few_masks)
{
    size_t size;
    arena *a = arena_new();
    schema *s = checked(a);
    train_counts k = train_counts_new(a, s);
    count_masks(&k, s, 0, 50);
    count_masks(&k, s, 127, 100);
    count_masks(&k, s, 5, 1);
    train_lengths(&k);
    out *text = out_new(a);
    code_values_put(a, text, table_of(s, "Broad changes 0.0")->values);
    assert_string_equal(out_result(text, &size), "Broad changes 0 values: 127 0");
    has_line(a, s, "Broad changes 0.0", "Broad changes 0.0: 1 2 2");
    k = train_counts_new(a, s);
    for (unsigned mask = 0; mask < 128; mask++)
        count_masks(&k, s, mask, 50);
    train_lengths(&k);
    has_line(a, s, "Broad changes 0.0", "Broad changes 0.0: 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4");
    has_line(a, s, "Broad changes 0.1", "Broad changes 0.1: 3 3 3 3 3 3 3 3");
    assert_null(table_of(s, "Broad changes 0.0")->values);
    arena_free(a);
}

/* One symbol comes 80 times, another one once. */
static void count(train_counts *k, const code_table *t, unsigned often, unsigned once)
{
    for (int i = 0; i < 81; i++)
        train_count(k, t, i == 7 ? once : often, 0, i == 7 ? once : often);
}

/* What comes at one motion is a little more probable at those beside it, and nowhere else. */
TEST(test_beside)
{
    arena *a = arena_new();
    schema *s = checked(a);
    train_counts k = train_counts_new(a, s);
    count(&k, table_of(s, "Moved.z 2"), 3, 5);
    count(&k, table_of(s, "Moved changes 0.0"), 3, 5);
    train_lengths(&k);
    has_line(a, s, "Moved.z 0", "Moved.z 0: 4 4 3 3 3 3 3 3 3");
    has_line(a, s, "Moved.z 1", "Moved.z 1: 4 4 4 2 4 3 3 3 3");
    has_line(a, s, "Moved.z 2", "Moved.z 2: 5 5 4 1 4 3 4 4 4");
    has_line(a, s, "Moved.z 3", "Moved.z 3: 4 4 4 2 4 3 3 3 3");
    has_line(a, s, "Moved.z 4", "Moved.z 4: 4 4 3 3 3 3 3 3 3");
    has_line(a, s, "Moved.z 5", "Moved.z 5: 4 4 3 3 3 3 3 3 3");
    has_line(a, s, "Moved changes 0.0", "Moved changes 0.0: 4 4 4 1 4 3 4 4");
    arena_free(a);
}

/* The first motion and the last have one beside them. */
TEST(test_ends)
{
    arena *a = arena_new();
    schema *s = checked(a);
    train_counts k = train_counts_new(a, s);
    count(&k, table_of(s, "Moved.z 0"), 3, 5);
    count(&k, table_of(s, "Moved.z 5"), 8, 0);
    count(&k, table_of(s, "Moved changes 0.0"), 0, 7);
    train_lengths(&k);
    has_line(a, s, "Moved.z 0", "Moved.z 0: 5 5 4 1 4 3 4 4 4");
    has_line(a, s, "Moved.z 1", "Moved.z 1: 4 4 4 2 4 3 3 3 3");
    has_line(a, s, "Moved.z 2", "Moved.z 2: 4 4 3 3 3 3 3 3 3");
    has_line(a, s, "Moved.z 3", "Moved.z 3: 4 4 3 3 3 3 3 3 3");
    has_line(a, s, "Moved.z 4", "Moved.z 4: 3 4 4 4 4 3 3 3 2");
    has_line(a, s, "Moved.z 5", "Moved.z 5: 3 5 5 4 4 4 4 4 1");
    has_line(a, s, "Moved changes 0.0", "Moved changes 0.0: 1 4 4 4 4 4 4 3");
    arena_free(a);
}
