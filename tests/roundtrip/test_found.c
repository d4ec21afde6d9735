/* test_found.c - bugs that `make differential` has found, each as a small test.
 * SPDX-License-Identifier: MIT
 */
#include "found.h"
#include "unit.h"

#include <string.h>

/* The full form of a compact integer may have fewer bits than a small step; a reader must not require those of the
 * step. */
TEST(test_full_form_is_shorter)
{
    const Late base = {.serial = UINT64_C(1) << 40}, v = {.serial = 5};
    Late got;
    uint8_t bytes[4];
    pkt_writer w;
    pkt_reader r;
    size_t size;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(Late_write_delta(&w, &base, &v));
    assert_true(pkt_writer_finish(&w, &size));
    assert_int_equal(size, 2);
    Late_init(&got);
    pkt_reader_init(&r, bytes, size);
    assert_true(Late_read_delta(&r, &base, &got));
    assert_true(pkt_reader_finish(&r));
    assert_int_equal(got.serial, 5);
}

/* An absent optional has its base value after a delta, whatever the baseline holds in its place. */
TEST(test_optionals_that_the_baseline_lacks)
{
    Lacks base, v, got;
    uint8_t bytes[64];
    pkt_writer w;
    pkt_reader r;
    size_t size;
    Lacks_init(&base);
    v = base;
    base.list_count = 200;
    base.list[0] = 9;
    base.late.serial = 9;
    base.z = 9;
    base.raw_size = 200;
    v.a = 1;
    for (int unchanged = 0; unchanged < 2; unchanged++) {
        v.a = unchanged ? base.a : 1;
        pkt_writer_init(&w, bytes, sizeof bytes);
        assert_true(Lacks_write_delta(&w, &base, &v));
        assert_true(pkt_writer_finish(&w, &size));
        pkt_reader_init(&r, bytes, size);
        assert_true(Lacks_read_delta(&r, &base, &got));
        assert_int_equal(got.a, v.a);
        assert_false(got.has_list || got.has_late || got.has_z || got.has_raw);
        assert_int_equal(got.list_count, 1);
        assert_int_equal(got.list[0], 0);
        assert_int_equal(got.late.serial, 0);
        assert_int_equal(got.z, 7);
        assert_int_equal(got.raw_size, 0);
    }
}

/* An optional value that is present has the bit of its `unless`, too: alone, and in a delta after the bits of the mask. */
TEST(test_optionals_with_a_usual_value)
{
    static const struct {
        bool has_z;
        uint32_t z;
        uint64_t bits; /* of a list of none, a late of none, z and others of none */
        uint8_t bytes[6];
    } cases[] = {
        {false, 7, 13, {0, 0x00, 0x00}},
        {true, 7, 14, {0, 0x04, 0x00}},
        {true, 9, 46, {0, 0x9C, 0x00, 0x00, 0x00, 0x00}},
    };
    const Lacks base = {.list_count = 1, .z = 7};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Lacks v = {.list_count = 1, .has_z = cases[i].has_z, .z = cases[i].z};
        Lacks got;
        uint8_t bytes[8];
        pkt_writer w;
        pkt_reader r;
        size_t size;
        pkt_writer_init(&w, bytes, sizeof bytes);
        assert_true(Lacks_write(&w, &v));
        assert_int_equal(Lacks_measure(&v, 0), cases[i].bits);
        assert_true(pkt_writer_finish(&w, &size));
        assert_int_equal(size, (cases[i].bits + 7) / 8);
        assert_memory_equal(bytes, cases[i].bytes, size);
        pkt_reader_init(&r, bytes, size);
        assert_true(Lacks_read(&r, &got));
        assert_true(Lacks_equal(&got, &v));
        pkt_writer_init(&w, bytes, sizeof bytes);
        assert_true(Lacks_write_delta(&w, &base, &v));
        assert_true(pkt_writer_finish(&w, &size));
        pkt_reader_init(&r, bytes, size);
        assert_true(Lacks_read_delta(&r, &base, &got));
        assert_true(pkt_reader_finish(&r));
        assert_true(Lacks_equal(&got, &v));
    }
    /* The long form of the usual value. */
    static const uint8_t wrong[] = {0, 0x7C, 0x00, 0x00, 0x00, 0x00};
    Lacks got;
    pkt_reader r;
    pkt_reader_init(&r, wrong, sizeof wrong);
    assert_false(Lacks_read(&r, &got));
    assert_int_equal(r.error.code, PKT_ERROR_CANONICAL);
    assert_int_equal(r.error.bit, 11);
    assert_string_equal(r.error.field, "Lacks.z");
}

/* The last code of a range is read as hi, however the arithmetic of the storage rounds: alone, in a row and in deltas. */
TEST(test_no_value_above_its_range)
{
    const float hi = -3.7f, list_hi = -1.9f;
    Ends base, v, got;
    uint8_t bytes[128];
    pkt_writer w;
    pkt_reader r;
    size_t size;
    Ends_init(&base);
    v = base;
    v.a = v.b = v.c = v.steps = v.list[0] = v.list[1] = 0;
    v.wide = 3;
    v.list_count = 2;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(Ends_write(&w, &v) && Ends_write_delta(&w, &base, &v));
    assert_true(pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, bytes, size);
    for (int delta = 0; delta < 3; delta++) {
        if (delta == 2) {
            got = v;
            Ends_quantize(&got);
        } else {
            assert_true(delta ? Ends_read_delta(&r, &base, &got) : Ends_read(&r, &got));
        }
        assert_true(got.a == hi && got.b == hi && got.c == hi && got.wide == 2.1);
        assert_true(got.steps == list_hi && got.list[0] == list_hi && got.list[1] == list_hi);
    }
}

/* An optional `after` that has not changed must still be greater than its start; otherwise both sides fail. */
TEST(test_start_passes_an_optional)
{
    const Gap base = {.start = 5, .has_end = true, .end = 9}, passed = {.start = 9, .has_end = true, .end = 9};
    const Gap alone = {.start = 5}, later = {.start = 9};
    Gap got;
    /* The mask 01, then start in 32 bits. */
    const uint8_t bytes[5] = {9 << 2 | 1, 0, 0, 0, 0};
    uint8_t written[16];
    pkt_writer w;
    pkt_reader r;
    Gap_init(&got);
    pkt_reader_init(&r, bytes, sizeof bytes);
    assert_false(Gap_read_delta(&r, &base, &got));
    assert_int_equal(r.error.code, PKT_ERROR_ORDER);
    assert_int_equal(r.error.bit, 34);
    assert_string_equal(r.error.field, "Gap.end");
    pkt_writer_init(&w, written, sizeof written);
    assert_false(Gap_write_delta(&w, &base, &passed));
    assert_int_equal(w.error.code, PKT_ERROR_ORDER);
    assert_string_equal(w.error.field, "Gap.end");
    /* If it is absent, there is nothing to compare. */
    Gap_init(&got);
    pkt_reader_init(&r, bytes, sizeof bytes);
    assert_true(Gap_read_delta(&r, &alone, &got));
    pkt_writer_init(&w, written, sizeof written);
    assert_true(Gap_write_delta(&w, &alone, &later));
}

/* An array of bytes that is copied as a whole still consists of elements: the error is at the one that is missing. */
TEST(test_first_byte_missing)
{
    const Copied v = {.lead = 1};
    Copied got;
    uint8_t bytes[41];
    char name[16];
    pkt_writer w;
    pkt_reader r;
    for (size_t size = 1; size < sizeof bytes; size++) {
        memset(bytes, 0, sizeof bytes);
        Copied_init(&got);
        pkt_reader_init(&r, bytes, size);
        assert_false(Copied_read(&r, &got));
        assert_int_equal(r.error.code, PKT_ERROR_END);
        assert_int_equal(r.error.bit, 8 * size);
        snprintf(name, sizeof name, "Copied.raw[%zu]", size - 1);
        assert_string_equal(r.error.field, name);
        pkt_writer_init(&w, bytes, size);
        assert_false(Copied_write(&w, &v));
        assert_int_equal(w.error.code, PKT_ERROR_CAPACITY);
        assert_int_equal(w.error.bit, 8 * size);
        assert_string_equal(w.error.field, name);
    }
}

/* If a delta changes the member of a union, counted sparse arrays in the new one start from base values too. */
TEST(test_sparse_in_a_new_member)
{
    Held v, got;
    uint8_t bytes[64];
    pkt_writer w;
    pkt_reader r;
    size_t size;
    Held_init(&v);
    v.as.lists.lists_count = 2;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(Held_write(&w, &v));
    assert_true(pkt_writer_finish(&w, &size));
    Held_init(&got);
    memset(&got.as, 0xa5, sizeof got.as);
    got.tag = Held_tag_copied;
    pkt_reader_init(&r, bytes, size);
    assert_true(Held_read(&r, &got));
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            assert_true(got.as.lists.lists[i].turns[k].w == 1.0f);
            assert_true(got.as.lists.lists[i].turns[k].x == 0.0f);
        }
    }
}

/* Reads `size` zero bytes with one bit set: the error must be at `bit` in `field`. */
static void check_refused(size_t size, uint64_t turned, uint64_t bit, const char *field)
{
    Marks v = {0}, got;
    uint8_t bytes[32];
    pkt_writer w;
    pkt_reader r;
    v.choice.tag = Choice_tag_marked;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(Marks_write(&w, &v));
    bytes[turned / 8] ^= (uint8_t)(1u << turned % 8);
    Marks_init(&got);
    pkt_reader_init(&r, bytes, size);
    assert_false(Marks_read(&r, &got));
    assert_int_equal(r.error.bit, bit);
    assert_string_equal(r.error.field, field);
}

/* Constants of a flattened struct have their full name in errors. */
TEST(test_names_of_constants)
{
    check_refused(32, 9, 8, "Marks.one.check");
    check_refused(32, 40, 40, "Marks.more[0].const");
    check_refused(32, 56, 55, "Marks.more[1].const");
    check_refused(32, 71, 71, "Marks.choice.marked.check");
}

/* For a value that cannot be written, every function fails, or at least does not crash. */
static void check_unsound(const Weighed *v)
{
    const Weighed base = {.divisor = 1, .wide_divisor = 1};
    uint8_t bytes[64];
    Weighed settled = *v;
    pkt_writer w;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Weighed_write(&w, v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    pkt_writer_grow_init(&w);
    assert_false(Weighed_write(&w, v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    pkt_writer_free(&w);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Weighed_write_delta(&w, &base, v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Weighed_write_delta(&w, v, &base));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    assert_true(Weighed_measure(v, 0) <= 8 * sizeof bytes);
    assert_true(Weighed_measure_delta(&base, v, 0) == UINT64_MAX);
    assert_false(Weighed_equal(v, &base));
    assert_false(Weighed_equal(v, v));
    Weighed_quantize(&settled);
}

/* Conditions may be evaluated before the fields they use are checked. */
TEST(test_conditions_of_unsound_values)
{
    check_unsound(&(Weighed){.divisor = 0, .wide_divisor = 1});
    check_unsound(&(Weighed){.divisor = 10, .wide_divisor = 1});
    check_unsound(&(Weighed){.divisor = 1, .wide_divisor = 0});
    check_unsound(&(Weighed){.divisor = 1, .wide_divisor = 1, .weight = INT32_MAX});
    check_unsound(&(Weighed){.divisor = 9, .wide_divisor = 1, .weight = INT32_MIN});
    check_unsound(&(Weighed){.divisor = 1, .wide_divisor = 1, .wide = INT64_MIN});
    check_unsound(&(Weighed){.divisor = 1, .wide_divisor = 1, .wide = INT64_MAX});
}

/* A text that the baseline does not have is empty; a comparison must not read past it. */
TEST(test_texts_that_are_not_there)
{
    static const Texts base;
    static Texts v = {.has_note = true, .note = "twenty characters...", .names_count = 2, .names = {"", "here"}}, got;
    uint8_t bytes[64];
    pkt_writer w;
    pkt_reader r;
    size_t size;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(Texts_write_delta(&w, &base, &v));
    assert_true(pkt_writer_finish(&w, &size));
    /* The mask, presence and length, then the aligned text: 2 + 20. The count, the subset and a length, then the text:
     * 2 + 4. */
    assert_int_equal(size, 2 + 20 + 2 + 4);
    Texts_init(&got);
    pkt_reader_init(&r, bytes, size);
    assert_true(Texts_read_delta(&r, &base, &got));
    assert_true(pkt_reader_finish(&r));
    assert_true(Texts_equal(&got, &v));
}

/* An enum with gaps, in fields that may span two words. */
TEST(test_far_members)
{
    const Reach v = {.lead = 99,
                     .middling = Middling_many,
                     .farthest = Far_beyond,
                     .more_count = 3,
                     .more = {Far_off, Far_here, Far_beyond},
                     .has_last = true,
                     .last = Far_off};
    const Reach base = {.more_count = 1, .more = {Far_beyond}};
    Reach got;
    uint8_t bytes[64];
    pkt_writer w;
    pkt_reader r;
    size_t size;
    for (int delta = 0; delta < 2; delta++) {
        pkt_writer_init(&w, bytes, sizeof bytes);
        assert_true(delta ? Reach_write_delta(&w, &base, &v) : Reach_write(&w, &v));
        assert_true(pkt_writer_finish(&w, &size));
        Reach_init(&got);
        pkt_reader_init(&r, bytes, size);
        assert_true(delta ? Reach_read_delta(&r, &base, &got) : Reach_read(&r, &got));
        assert_true(pkt_reader_finish(&r));
        assert_true(Reach_equal(&got, &v));
    }
    /* No member has a value between them. */
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Reach_write(&w, &(Reach){.farthest = Far_off + 1}));
    assert_string_equal(w.error.field, "Reach.farthest");
}

/* A baseline that cannot be written is refused before any of it is compared, also when a delta is measured. */
TEST(test_unsound_baselines)
{
    Parcel *base = (Parcel *)test_calloc(1, sizeof *base), *v = (Parcel *)test_calloc(1, sizeof *v);
    uint8_t bytes[64];
    pkt_writer w;
    base->data_size = v->data_size = 200;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Parcel_write_delta(&w, base, v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    assert_true(Parcel_measure_delta(base, v, 0) == UINT64_MAX);
    assert_int_equal(Parcel_pack_delta(base, v, bytes, sizeof bytes), 0);
    assert_false(Parcel_equal(base, v));
    v->data_size = 3;
    assert_true(Parcel_measure_delta(base, v, 0) == UINT64_MAX);
    assert_true(Parcel_measure_delta(NULL, v, 0) <= 8 * sizeof bytes);
    test_free(base);
    test_free(v);
}

/* No data, and a negative number converted to a size, such as -1 from a failed recv. */
TEST(test_sizes_that_cannot_be)
{
    Parcel v;
    uint8_t bytes[64] = {0};
    pkt_error error;
    Parcel_init(&v);
    assert_false(Parcel_unpack(&v, bytes, SIZE_MAX));
    assert_false(Parcel_unpack_error(&v, bytes, SIZE_MAX - 8, &error));
    assert_int_equal(error.code, PKT_ERROR_END);
    assert_false(Parcel_unpack(&v, NULL, 8));
    assert_false(Parcel_unpack_body(&v, bytes, SIZE_MAX));
    assert_false(Parcel_unpack_body(&v, NULL, 8));
    assert_false(Parcel_unpack_delta(NULL, &v, bytes, SIZE_MAX));
    assert_false(Parcel_unpack_delta(&v, &v, NULL, 8));
    assert_false(Parcel_unpack_delta_body(NULL, &v, NULL, 0));
    assert_int_equal(Parcel_pack(&v, NULL, 100), 0);
    assert_int_equal(Parcel_pack_error(&v, NULL, 100, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    assert_int_equal(Parcel_pack(&v, bytes, SIZE_MAX), 0);
    assert_int_equal(Parcel_pack_body(&v, NULL, 100), 0);
    assert_int_equal(Parcel_pack_delta(&v, &v, NULL, 100), 0);
}

/* A packet without content is its checksum and its end check, and so is its delta. */
TEST(test_deltas_of_nothing)
{
    Hush v;
    uint8_t bytes[9] = {0};
    Hush_init(&v);
    assert_int_equal(Hush_pack_delta(&v, &v, bytes, 7), 0);
    assert_int_equal(Hush_pack_delta(&v, &v, bytes, 8), 8);
    assert_true(Hush_unpack_delta(&v, &v, bytes, 8));
    assert_false(Hush_unpack_delta(&v, &v, bytes, 7));
    assert_false(Hush_unpack_delta(&v, &v, bytes, 9));
}

/* Checks that a World cannot be written because of this field. */
static void check_world(const World *bad, const char *field)
{
    pkt_error error;
    uint8_t bytes[World_MAX_BYTES];
    assert_int_equal(World_pack_error(bad, bytes, sizeof bytes, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, field);
}

/* Elements have their index in names, in every kind of array and in structs and unions in arrays. */
TEST(test_names_of_elements)
{
    static World v;
    pkt_error error;
    uint8_t bytes[World_MAX_BYTES];
    size_t size;
    World_init(&v);
    World_ents_set(&v, 3);
    World_ents_set(&v, 17);
    v.ents[17].kind = 6;
    check_world(&v, "World.ents[17].kind");
    v.ents[17].kind = 5;
    v.ents[17].blobs_count = 2;
    v.ents[17].blobs_size[1] = 4;
    check_world(&v, "World.ents[17].blobs_size[1]");
    v.ents[17].blobs_count = 3;
    check_world(&v, "World.ents[17].blobs_count");
    v.ents[17].blobs_count = 0;
    v.has_holders = true;
    v.holders[1][2].as.ent.kind = 6;
    check_world(&v, "World.holders[1][2].ent.kind");
    v.holders[1][2].tag = (Holder_tag)2;
    check_world(&v, "World.holders[1][2].tag");
    v.holders[1][2].tag = Holder_tag_marked;
    v.levels[2] = 6;
    check_world(&v, "World.levels[2]");
    /* Each element has a bit for its index, then 3 bits for its kind, then 2: the second kind becomes 7. */
    World_init(&v);
    World_ents_set(&v, 0);
    World_ents_set(&v, 1);
    v.ents[1].kind = 5;
    size = World_pack_body(&v, bytes, sizeof bytes);
    assert_true(size != 0);
    bytes[1] |= 1;
    assert_false(World_unpack_body_error(&v, bytes, size, &error));
    assert_string_equal(error.field, "World.ents[1].kind");
    assert_int_equal(error.code, PKT_ERROR_RANGE);
}

TEST(test_names_of_changed_elements)
{
    static Board base, v, got;
    bool found = false;
    uint8_t bytes[(Board_DELTA_MAX_BITS + 7) / 8];
    pkt_writer w;
    pkt_reader r;
    size_t size;
    Board_init(&base);
    v = base;
    v.cells[2][3].kind = 6;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Board_write_delta(&w, &base, &v));
    assert_string_equal(w.error.field, "Board.cells[2][3].kind");
    v = base;
    v.counts_count = 9;
    v.counts[8] = 6;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Board_write_delta(&w, &base, &v));
    assert_string_equal(w.error.field, "Board.counts[8]");
    v.counts[8] = 5;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(Board_write_delta(&w, &base, &v));
    assert_true(pkt_writer_finish(&w, &size));
    for (size_t bit = 0; bit < 8 * size && !found; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        pkt_reader_init(&r, bytes, size);
        found = !Board_read_delta(&r, &base, &got) && strcmp(r.error.field, "Board.counts[8]") == 0;
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(found);
}

/* The base values of an `after` and its start are equal. A reader must not take them for a value that was not sent. */
TEST(test_an_after_that_is_not_sent)
{
    Spans base, v, got;
    Choices choices;
    uint8_t bytes[32] = {0};
    pkt_reader r;
    pkt_writer w;
    size_t size;
    pkt_reader_init(&r, bytes, 1);
    assert_false(Spans_read_delta(&r, NULL, &got));
    assert_int_equal(r.error.code, PKT_ERROR_ORDER);
    assert_string_equal(r.error.field, "Spans.one.till");
    assert_int_equal(r.error.bit, 4);
    pkt_reader_init(&r, bytes, 1);
    assert_false(Choices_read_delta(&r, NULL, &choices));
    assert_int_equal(r.error.code, PKT_ERROR_ORDER);
    assert_string_equal(r.error.field, "Choices.choices[0].span.till");
    /* The mask says that elements have changed, and then there are none. */
    bytes[0] = 0x32;
    pkt_reader_init(&r, bytes, 2);
    assert_false(Choices_read_delta(&r, NULL, &choices));
    assert_int_equal(r.error.code, PKT_ERROR_CANONICAL);
    assert_string_equal(r.error.field, "Choices.choices");

    Spans_init(&base);
    base.one.till = 1;
    v = base;
    v.more_count = 1;
    v.more[0].till = 1;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_true(Spans_write_delta(&w, &base, &v));
    assert_true(pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, bytes, size);
    assert_true(Spans_read_delta(&r, &base, &got));
    assert_true(Spans_equal(&v, &got));
    /* One element more than the baseline has, and it is not sent: the mask, the count, and a bitmap of zero. */
    bytes[0] = 0x54;
    pkt_reader_init(&r, bytes, 1);
    assert_false(Spans_read_delta(&r, &base, &got));
    assert_int_equal(r.error.code, PKT_ERROR_ORDER);
    assert_string_equal(r.error.field, "Spans.more[0].till");
}

/* The bit of an error is counted from where the stream was before the call, not from where it failed. */
TEST(test_calls_in_what_is_spelled_out)
{
    Outer v;
    uint8_t bytes[200];
    pkt_writer w;
    Outer_init(&v);
    v.as.inner.last = 9;
    pkt_writer_init(&w, bytes, sizeof bytes);
    assert_false(Outer_write(&w, &v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    assert_string_equal(w.error.field, "Outer.inner.last");
    assert_int_equal(w.error.bit, 1 + 64 + 2 * 330);
}

/* A value with a tag that no member has is no baseline, whatever was in the motion before, and no value to fit. */
TEST(test_copies_of_a_tag_that_no_member_has)
{
    const uint8_t tags[] = {0, 1, 2, 255};
    Guess v, now, sent;
    Guess_motion motion;
    uint8_t bytes[200];
    pkt_writer w;
    pkt_element order[] = {{0}};
    uint32_t count;
    Guess_init(&now);
    Guess_init(&v);
    v.kept.tag = (Kept_tag)2;
    for (size_t i = 0; i < sizeof tags; i++) {
        memset(&motion, tags[i], sizeof motion);
        Guess_predict(&v, NULL, 0, 0, &motion);
        pkt_writer_init(&w, bytes, sizeof bytes);
        assert_false(Guess_write_delta(&w, &motion, &now));
        assert_int_equal(w.error.code, PKT_ERROR_RANGE);
        assert_string_equal(w.error.field, "Guess.kept.tag");
        memset(&sent, tags[i], sizeof sent);
        Guess_predict(&now, NULL, 0, 0, &motion);
        count = 1;
        assert_false(Guess_fit_write_delta(&motion, &v, &sent, order, &count, 0, UINT64_MAX, NULL));
    }
}
