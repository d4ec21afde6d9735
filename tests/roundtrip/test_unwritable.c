/* test_unwritable.c - tests values that cannot be written: all writers give the same reason, and no budget is enough.
 * SPDX-License-Identifier: MIT
 */
#include "found.h"
#include "unit.h"

#include <string.h>

/* Bytes in the stream before the value: none, few, and more than a growing writer has at first. */
static const unsigned bytes_before[] = {0, 1, 40, 255, 256, 300};

typedef struct bad_value {
    bool (*write)(pkt_writer *w, const void *v);
    uint64_t (*measure)(const void *v, uint64_t start_bit);
    const void *v;
    pkt_code code;
    uint64_t bit; /* position of the error, from the start of the value */
    const char *field;
} bad_value;

/* Fills a writer up to the start of the value. */
static void fill(pkt_writer *w, unsigned bytes)
{
    const Marked marked = {0};
    for (; bytes >= 4; bytes -= 4)
        assert_true(Marked_write(w, &marked));
    for (; bytes != 0; bytes--)
        assert_true(Tagged_write(w, &(Tagged){.tag = 1}));
}

static void check_refused(pkt_writer *w, const bad_value *bad)
{
    const uint64_t start = pkt_writer_bits(w);
    assert_false(bad->write(w, bad->v));
    assert_int_equal(w->error.code, bad->code);
    assert_int_equal(w->error.bit, start + bad->bit);
    assert_string_equal(w->error.field, bad->field);
    assert_true(pkt_writer_bits(w) <= w->room);
    /* After a failure nothing is written, even if there is room. */
    assert_false(Marked_write(w, &(Marked){0}));
    assert_string_equal(w->error.field, bad->field);
}

/* A terse writer does not say why, but fails, and can be rewound; one that grows says why all the same. */
static void check_terse(uint8_t *bytes, size_t size, unsigned before, const bad_value *bad)
{
    const bad_value unexplained = {bad->write, bad->measure, bad->v, PKT_ERROR_CAPACITY, 0, ""};
    pkt_writer w;
    pkt_mark mark;
    pkt_writer_init(&w, bytes, size);
    pkt_writer_set_terse(&w, true);
    fill(&w, before);
    mark = pkt_writer_mark(&w);
    check_refused(&w, &unexplained);
    assert_true(pkt_writer_bits(&w) == mark.bit);
    pkt_writer_rewind(&w, mark);
    assert_true(Marked_write(&w, &(Marked){0}));
    assert_true(pkt_writer_bits(&w) == mark.bit + 32);
    pkt_writer_rewind(&w, mark);
    pkt_writer_set_terse(&w, false);
    check_refused(&w, bad);
    pkt_writer_grow_init(&w);
    pkt_writer_set_terse(&w, true);
    fill(&w, before);
    check_refused(&w, bad);
    pkt_writer_free(&w);
}

static void check(const bad_value *bad)
{
    static uint8_t bytes[1024];
    for (size_t i = 0; i < sizeof bytes_before / sizeof *bytes_before; i++) {
        pkt_writer w;
        pkt_writer_init(&w, bytes, sizeof bytes);
        fill(&w, bytes_before[i]);
        /* A measure that fails returns a number so great that no sum of positions fits a buffer. */
        assert_true(bad->measure(bad->v, pkt_writer_bits(&w)) == UINT64_MAX - pkt_writer_bits(&w));
        check_refused(&w, bad);
        pkt_writer_grow_init(&w);
        fill(&w, bytes_before[i]);
        check_refused(&w, bad);
        pkt_writer_free(&w);
        check_terse(bytes, sizeof bytes, bytes_before[i], bad);
    }
    assert_true(bad->measure(bad->v, UINT64_MAX) == 0);
}

#define FUNCTIONS(T)                                               \
    static bool write_##T(pkt_writer *w, const void *v)            \
    {                                                              \
        return T##_write(w, (const T *)v);                         \
    }                                                              \
    static uint64_t measure_##T(const void *v, uint64_t start_bit) \
    {                                                              \
        return T##_measure((const T *)v, start_bit);               \
    }
#define DELTA_FUNCTIONS(T, name, base)                                \
    static bool write_##name(pkt_writer *w, const void *v)            \
    {                                                                 \
        return T##_write_delta(w, base, (const T *)v);                \
    }                                                                 \
    static uint64_t measure_##name(const void *v, uint64_t start_bit) \
    {                                                                 \
        return T##_measure_delta(base, (const T *)v, start_bit);      \
    }

static const Parcel bad_parcel = {.data_size = 17}, parcel = {.data_size = 1};
static const Texts texts;

FUNCTIONS(Parcel)
FUNCTIONS(Held)
FUNCTIONS(Texts)
FUNCTIONS(Posted)
DELTA_FUNCTIONS(Parcel, parcel_delta, &parcel)
DELTA_FUNCTIONS(Parcel, parcel_from_nothing, NULL)
DELTA_FUNCTIONS(Parcel, parcel_from_bad, &bad_parcel)
DELTA_FUNCTIONS(Texts, texts_delta, &texts)

TEST(test_size)
{
    check(&(bad_value){write_Parcel, measure_Parcel, &bad_parcel, PKT_ERROR_RANGE, 8, "Parcel.data_size"});
    /* After the mask. */
    check(&(bad_value){write_parcel_delta, measure_parcel_delta, &bad_parcel, PKT_ERROR_RANGE, 2, "Parcel.data_size"});
    check(&(bad_value){write_parcel_from_nothing, measure_parcel_from_nothing, &bad_parcel, PKT_ERROR_RANGE, 2,
                       "Parcel.data_size"});
    check(
        &(bad_value){write_parcel_from_bad, measure_parcel_from_bad, &parcel, PKT_ERROR_RANGE, 0, "Parcel.data_size"});
}

TEST(test_count)
{
    static Held v = {.tag = Held_tag_lists, .as = {.lists = {.lists_count = 3}}};
    check(&(bad_value){write_Held, measure_Held, &v, PKT_ERROR_RANGE, 1, "Held.lists.lists_count"});
    static Texts names = {.names_count = 3};
    check(&(bad_value){write_Texts, measure_Texts, &names, PKT_ERROR_RANGE, 1, "Texts.names_count"});
    check(&(bad_value){write_texts_delta, measure_texts_delta, &names, PKT_ERROR_RANGE, 2, "Texts.names_count"});
}

TEST(test_tag)
{
    static Held v = {.tag = (Held_tag)2};
    check(&(bad_value){write_Held, measure_Held, &v, PKT_ERROR_RANGE, 0, "Held.tag"});
}

TEST(test_text_without_end)
{
    static Texts v = {.has_note = true};
    memset(v.note, 'x', sizeof v.note);
    check(&(bad_value){write_Texts, measure_Texts, &v, PKT_ERROR_VALUE, 1, "Texts.note"});
    check(&(bad_value){write_texts_delta, measure_texts_delta, &v, PKT_ERROR_VALUE, 3, "Texts.note"});
}

/* In a type whose functions are called by those of another type. */
TEST(test_nested)
{
    static Posted v;
    memset(v.texts[1].names[0], 'x', sizeof v.texts[1].names[0]);
    v.texts[1].names_count = 1;
    check(&(bad_value){write_Posted, measure_Posted, &v, PKT_ERROR_VALUE, 8 + 3 + 3, "Posted.texts[1].names[0]"});
}

/* In buffers that are too small, a terse writer fails where the value begins, and has not moved. */
TEST(test_terse_and_short)
{
    for (unsigned before = 1; before <= 8; before++) {
        for (int delta = 0; delta < 2; delta++) {
            uint8_t bytes[8];
            pkt_writer w;
            pkt_writer_init(&w, bytes, before);
            fill(&w, before / 4 * 4);
            const uint64_t start = pkt_writer_bits(&w);
            pkt_writer_set_terse(&w, true);
            while (delta ? Parcel_write_delta(&w, NULL, &parcel) : Parcel_write(&w, &parcel))
                assert_true(pkt_writer_bits(&w) > start);
            assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
            assert_true(w.error.bit == pkt_writer_bits(&w));
            assert_string_equal(w.error.field, "");
        }
    }
}

/* A valid value fails if no memory can hold it: this writer claims to have the greatest possible size. */
TEST(test_memory_runs_out)
{
    const uint64_t end = (uint64_t)(sizeof(size_t) == 8 ? (size_t)1 << 60 : SIZE_MAX / 2) * 8;
    pkt_writer w;
    pkt_writer_grow_init(&w);
    w.bit = w.limit = w.room = end;
    assert_false(Parcel_write(&w, &parcel));
    assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
    assert_int_equal(w.error.bit, end);
    assert_string_equal(w.error.field, "Parcel.lead");
    pkt_writer_grow_init(&w);
    w.bit = w.limit = w.room = end;
    assert_false(Parcel_write_delta(&w, &parcel, &parcel));
    assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
    pkt_writer_grow_init(&w);
    w.bit = w.limit = w.room = end;
    assert_false(Parcel_write(&w, &bad_parcel));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    assert_int_equal(w.error.bit, end + 8);
}

/* A valid value whose end would be after every possible position. */
TEST(test_positions_that_overflow)
{
    assert_true(Parcel_measure(&parcel, UINT64_MAX) == 0);
    assert_true(Parcel_measure(&parcel, UINT64_MAX - 3) == 3);
    assert_true(Parcel_measure_delta(NULL, &parcel, UINT64_MAX - 3) == 3);
}
