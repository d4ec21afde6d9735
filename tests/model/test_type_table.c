/* test_type_table.c - tests that the tables of types and storages, and all lists of type words, are complete.
 * SPDX-License-Identifier: MIT
 */
#include "base/diag.h"
#include "check/check.h"
#include "model/type_table.h"
#include "unit.h"

#include <string.h>

TEST(every_kind_has_a_row)
{
    for (type_kind kind = TYPE_BOOL; kind <= TYPE_FOREIGN; kind++) {
        const type t = {.kind = kind};
        const type_row *row = type_row_of(&t);
        assert_non_null(row->noun);
        assert_int_equal(row->scalar, row->sort <= SORT_FLAGS);
    }
}

TEST(storages)
{
    for (storage s = STORAGE_BOOL; s <= STORAGE_DOUBLE; s++) {
        num low, high;
        assert_true(storage_word(s)[0] != 0);
        assert_true(storage_bits(s) != 0);
        if (storage_is_real(s))
            continue;
        storage_range(s, &low, &high);
        assert_int_equal(low.negative, storage_is_signed(s));
        unsigned values = bit_length(num_bits(high) - num_bits(low));
        assert_int_equal(values, s == STORAGE_BOOL ? 1 : storage_bits(s));
    }
    assert_int_equal(storage_for(0), STORAGE_U8);
    assert_int_equal(storage_for(255), STORAGE_U8);
    assert_int_equal(storage_for(256), STORAGE_U16);
    assert_int_equal(storage_for(65535), STORAGE_U16);
    assert_int_equal(storage_for(65536), STORAGE_U32);
    assert_int_equal(storage_for(UINT32_MAX), STORAGE_U32);
    assert_int_equal(storage_for((uint64_t)UINT32_MAX + 1), STORAGE_U64);
    assert_int_equal(storage_for(UINT64_MAX), STORAGE_U64);
    assert_int_equal(storage_for_signed(num_i64(-1), num_u64(127)), STORAGE_I8);
    assert_int_equal(storage_for_signed(num_i64(-1), num_u64(128)), STORAGE_I16);
    assert_int_equal(storage_for_signed(num_i64(-32769), num_u64(0)), STORAGE_I32);
    assert_int_equal(storage_for_signed(num_i64(INT64_MIN), num_u64(INT64_MAX)), STORAGE_I64);
    assert_int_equal(storage_for_signed(num_i64(-1), num_u64(UINT64_MAX)), STORAGE_NONE);
}

/* Whether a text contains a word that begins after the character `before`, and ends before the text `after`. */
static bool has_word(const char *text, char before, const char *word, const char *after)
{
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        if (at > text && strchr(after, at[strlen(word)]) != NULL &&
            (at[-1] == before || at[-1] == ' ' || at[-1] == '\n'))
            return true;
    return false;
}

static const char *text_of(arena *a, const char *name)
{
    const source *s = source_read(a, name);
    if (s == NULL)
        fail_msg("cannot read %s: this test runs in the directory of the Makefile", name);
    return (const char *)s->text;
}

TEST(every_list_has_the_words)
{
    arena *a = arena_new();
    const char *dictionary = text_of(a, "tests/fuzz/libfuzzer/pkt.dict");
    const char *language = text_of(a, "docs/language.md");
    const char *scalars = strstr(language, "## Scalars"), *reserved = strstr(language, "These words are reserved"),
               *others = strstr(language, "These words have a meaning only in certain places");
    assert_true(scalars != NULL && reserved != NULL && others != NULL && reserved < others);
    reserved = arena_text(a, reserved, (size_t)(others - reserved));
    for (size_t i = 0; type_word_at(i) != NULL; i++) {
        const type_word *w = type_word_at(i);
        if (!has_word(dictionary, '"', w->name, "\"") || !has_word(scalars, '`', w->name, "`<, "))
            fail_msg("%s is missing in pkt.dict or in the tables of language.md", w->name);
        if (!has_word(w->reserved ? reserved : others, '`', w->name, "` \n"))
            fail_msg("%s is missing among the words at the end of language.md", w->name);
    }
    arena_free(a);
}

/* Habits know the words that only a type begins with, in a list of their own: front/ may not ask the model. */
TEST(habits_know_the_reserved_words)
{
    arena *a = arena_new();
    const char *habits = text_of(a, "compiler/workshops/habits/habits.c"), *list = strstr(habits, "\"bool|bits|");
    assert_non_null(list);
    list = arena_text(a, list, strcspn(list, ";"));
    for (size_t i = 0; reserved_type_word(i) != NULL; i++)
        if (!has_word(list, '|', reserved_type_word(i), "|\"") && !has_word(list, '"', reserved_type_word(i), "|\""))
            fail_msg("%s is missing in the types of habits.c", reserved_type_word(i));
    arena_free(a);
}

static bool is_sound(arena *a, const char *text)
{
    const check_options options = {.checks = true};
    diag *d = diag_new(a);
    return check(a, names_new(a), d, source_from(a, "words.pkt", text, strlen(text)), &options) != NULL;
}

TEST(reserved_words_name_nothing)
{
    arena *a = arena_new();
    for (size_t i = 0; type_word_at(i) != NULL; i++) {
        const type_word *w = type_word_at(i);
        assert_int_equal(is_sound(a, arena_printf(a, "struct S { u8 %s; }", w->name)), !w->reserved);
        assert_int_equal(is_sound(a, arena_printf(a, "struct S { %s x; }", w->name)), w->bare);
        if (!w->reserved)
            assert_true(is_sound(a, arena_printf(a, "struct %s { } struct S { %s x; }", w->name, w->name)));
    }
    arena_free(a);
}
