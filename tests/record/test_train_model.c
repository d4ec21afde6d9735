/* test_train_model.c - tests the codes that pktc train gives to what it has counted.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "recordings/train_model.h"
#include "model/coding.h"
#include "releases/archive_text.h"
#include "unit.h"

#include <string.h>

static const char source_text[] = "protocol game = 1;\n"
                                  "packet State @delta { u16 y coded; }\n"
                                  "packet Wide @delta { u64 n coded; }\n"
                                  "packet Moved @delta(predict) { u8 z coded; bool b, c; }\n";

enum { SYMBOLS = 17 }; /* of a u16 */

static const schema *checked(arena *a)
{
    static const check_options options = {.checks = true};
    const source *text = source_from(a, "game.pkt", source_text, sizeof source_text - 1);
    const schema *s = check(a, names_new(a), diag_new(a), text, &options);
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
    assert_true(is_complete_code(t->lengths, t->count));
}

/* Each symbol of State.y comes `factor` times as often as the one before. */
static void has_codes(uint64_t factor, const char *line)
{
    arena *a = arena_new();
    const schema *s = checked(a);
    const train_counts k = train_counts_new(a, s);
    uint64_t *counts = k.of[table_of(s, "State.y 0")->index];
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
    const schema *s = checked(a);
    const train_counts k = train_counts_new(a, s);
    train_lengths(&k);
    has_line(a, s, "Wide.n 0",
             "Wide.n 0: 7 7 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6"
             " 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6");
    arena_free(a);
}

/* One symbol comes 80 times, another one once. */
static void count(train_counts *k, const code_table *t, unsigned often, unsigned once)
{
    for (int i = 0; i < 81; i++)
        train_count(k, t, i == 7 ? once : often);
}

/* What comes at one motion is a little more probable at those beside it, and nowhere else. */
TEST(test_beside)
{
    arena *a = arena_new();
    const schema *s = checked(a);
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
    const schema *s = checked(a);
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
