/* test_delta.c - tests deltas of schemas/all.pkt: one without changes, and baselines and values that are refused.
 * SPDX-License-Identifier: MIT
 */
#include "all.h"
#include "unit.h"

#include <string.h>

TEST(nothing_changed_is_a_mask)
{
    static all_Many v;
    all_Many_init(&v);
    assert_int_equal(all_Many_measure_delta(NULL, &v, 0), 71);
    v.last = true;
    v.m63 = 1;
    uint8_t data[16] = {0};
    static all_Many out;
    pkt_writer w;
    pkt_reader r;
    size_t size;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(all_Many_write_delta(&w, NULL, &v) && pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, data, size);
    assert_true(all_Many_read_delta(&r, NULL, &out) && pkt_reader_finish(&r));
    assert_true(all_Many_equal(&v, &out));
    pkt_reader_init(&r, data, 8);
    assert_false(all_Many_read_delta(&r, NULL, &out));
    assert_int_equal(r.error.code, PKT_ERROR_END);
    assert_int_equal(r.error.bit, 0);
}

/* Writer and reader refuse a baseline, for the reason that writing it would give. */
static void refuse_baseline(const all_Deltas *base, pkt_code code, const char *field)
{
    static all_Deltas v;
    uint8_t data[all_Deltas_DELTA_MAX_BYTES] = {0};
    pkt_writer w;
    pkt_reader r;
    all_Deltas_init(&v);
    v.end = 1;
    pkt_writer_init(&w, data, sizeof data);
    assert_false(all_Deltas_write_delta(&w, base, &v));
    assert_int_equal(w.error.code, code);
    assert_string_equal(w.error.field, field);
    pkt_reader_init(&r, data, sizeof data);
    assert_false(all_Deltas_read_delta(&r, base, &v));
    assert_int_equal(r.error.code, code);
    assert_int_equal(r.error.bit, 0);
    assert_string_equal(r.error.field, field);
}

/* Of a baseline only its shape is judged; numbers that cannot be written are sent anew. */
TEST(unwritable_baselines)
{
    static all_Deltas base, v, got;
    uint8_t data[all_Deltas_DELTA_MAX_BYTES] = {0};
    pkt_writer w;
    pkt_reader r;
    all_Deltas_init(&base);
    base.end = 1;
    base.path_count = 6;
    refuse_baseline(&base, PKT_ERROR_RANGE, "Deltas.path_count");
    base.path_count = 0;
    memset(base.name, 'a', sizeof base.name);
    refuse_baseline(&base, PKT_ERROR_VALUE, "Deltas.name");
    base.name[0] = 0;
    v = base;
    base.gain = 30000;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(all_Deltas_write_delta(&w, &base, &v));
    pkt_reader_init(&r, data, sizeof data);
    assert_true(all_Deltas_read_delta(&r, &base, &got));
    assert_int_equal(got.gain, v.gain);
}

TEST(unwritable_values)
{
    static all_Deltas base, v;
    uint8_t data[all_Deltas_DELTA_MAX_BYTES];
    pkt_writer w;
    all_Deltas_init(&base);
    base.end = 1;
    v = base;
    v.path_count = 1;
    v.path[0].x = 501;
    pkt_writer_init(&w, data, sizeof data);
    assert_false(all_Deltas_write_delta(&w, &base, &v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    assert_string_equal(w.error.field, "Deltas.path[0].x");
    v = base;
    v.start = 1;
    pkt_writer_init(&w, data, sizeof data);
    assert_false(all_Deltas_write_delta(&w, &base, &v));
    assert_int_equal(w.error.code, PKT_ERROR_ORDER);
    assert_string_equal(w.error.field, "Deltas.end");
}
