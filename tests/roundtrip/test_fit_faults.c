/* test_fit_faults.c - T_fit_... leaves out elements that cannot be written, says which and why, and sends the rest.
 * SPDX-License-Identifier: MIT
 */
#include "faults.h"
#include "fit_draws.h"

enum { FAULTS = 24, BUDGET = 4000 };

static const char *const fields[FAULTS] = {"x",           "y",
                                           "z",           "d",
                                           "turn",        "way",
                                           "turns[2]",    "lap",
                                           "gap",         "gap",
                                           "fx",          "many[8]",
                                           "seven",       "yaw",
                                           "name",        "name",
                                           "n_count",     "o",
                                           "u",           "end",
                                           "inner.deep",  "either.inner.fine",
                                           "inner.words", "either.tag"};

#define VALID(k)                                      \
    do {                                              \
        (k).seven = 7;                                \
        (k).start = 1 + draw(9);                      \
        (k).end = (k).start + 1 + draw(300);          \
        (k).x = (float)draw(1000) / 10;               \
        (k).lap = (uint8_t)draw(10);                  \
        (k).gap = draw(2) ? ff_Gap_some : ff_Gap_all; \
        (k).many[draw(9)] = (int32_t)draw(11) - 5;    \
        (k).name[0] = (char)('a' + draw(26));         \
        (k).inner.deep = (uint8_t)draw(4);            \
        (k).yaw = (float)draw(720) / 2;               \
    } while (0)

#define BREAK(k, fault)                                                                   \
    do {                                                                                  \
        switch (fault) {                                                                  \
        case 0: (k).x = NAN; break;                                                       \
        case 1: (k).y = INFINITY; break;                                                  \
        case 2: (k).z = -INFINITY; break;                                                 \
        case 3: (k).d = (double)NAN; break;                                               \
        case 4: (k).turn.w = 9; break;                                                    \
        case 5: (k).way.z = 0; break;                                                     \
        case 6: (k).turns[2].x = NAN; break;                                              \
        case 7: (k).lap = 44; break;                                                      \
        case 8: (k).gap = (ff_Gap)4; break;                                               \
        case 9: (k).gap = (ff_Gap)200; break;                                             \
        case 10: (k).fx = 30000; break;                                                   \
        case 11: (k).many[8] = 6; break;                                                  \
        case 12: (k).seven = 8; break;                                                    \
        case 13: (k).yaw = NAN; break;                                                    \
        case 14: (k).name[0] = (char)0xff; break;                                         \
        case 15: memset((k).name, 'x', sizeof(k).name); break;                            \
        case 16: (k).n_count = 4; break;                                                  \
        case 17: (k).has_o = true, (k).o = 6; break;                                      \
        case 18: (k).u = 9; break;                                                        \
        case 19: (k).end = (k).start; break;                                              \
        case 20: (k).inner.deep = 4; break;                                               \
        case 21: (k).either.as.inner.fine = NAN; break;                                   \
        case 22: (k).inner.words[3] = (char)0xc0, memset((k).inner.words, 'x', 3); break; \
        case 23: (k).either.tag = (ff_Either_tag)7; break;                                \
        }                                                                                 \
    } while (0)

static uint8_t data[BUDGET + 100];

/* Some numbers that stand for nothing, and all elements. */
static uint32_t draw_karts(uint32_t absent)
{
    for (uint32_t i = 0; i < absent; i++)
        order[i].number = ff_KARTS + draw(1000);
    for (uint32_t i = 0; i < ff_KARTS; i++)
        order[absent + i].number = i;
    for (uint32_t i = absent + ff_KARTS; i > 1; i--) {
        const uint32_t other = draw(i), held = order[i - 1].number;
        order[i - 1].number = order[other].number;
        order[other].number = held;
    }
    return absent + ff_KARTS;
}

static void check_report(const char *type, const pkt_fit_report *r, uint32_t count, uint32_t absent, const bool *broken,
                         int fault)
{
    char field[PKT_FIELD_SIZE];
    uint32_t bad = 0;
    for (uint32_t i = 0; i < ff_KARTS; i++)
        bad += broken[i];
    assert_int_equal(r->kept, count);
    assert_int_equal(r->invalid, bad);
    assert_int_equal(r->absent, absent);
    assert_int_equal(r->kept + r->left_out, ff_KARTS - bad);
    for (uint32_t i = 0; i < count; i++)
        assert_false(broken[order[i].number]);
    for (uint32_t i = count; i < count + bad; i++)
        assert_true(broken[order[i].number]);
    if (bad == 0) {
        assert_int_equal(r->error.code, PKT_OK);
        return;
    }
    assert_true(r->error.code != PKT_OK);
    const char *at = strchr(r->error.field, '[');
    assert_non_null(at);
    const int which = atoi(at + 1);
    assert_true(broken[which]);
    snprintf(field, sizeof field, "%s.karts[%d].%s", type, which, fields[fault]);
    assert_string_equal(r->error.field, field);
}

/* In deltas to a valid baseline, with room for all and with little room. */
#define DELTAS(T)                                                                              \
    static void check_##T(int fault, size_t most)                                              \
    {                                                                                          \
        static ff_##T was, now, sent, got;                                                     \
        bool broken[ff_KARTS] = {false};                                                       \
        pkt_fit_report report;                                                                 \
        ff_##T##_init(&was);                                                                   \
        for (int i = 0; i < ff_KARTS; i++)                                                     \
            VALID(was.karts[i]);                                                               \
        ff_##T##_quantize(&was);                                                               \
        now = was;                                                                             \
        for (int i = 0; i < ff_KARTS; i++)                                                     \
            if (draw(3))                                                                       \
                VALID(now.karts[i]);                                                           \
        ff_##T##_quantize(&now);                                                               \
        for (uint32_t left = fault < FAULTS ? draw(4) : 0; left > 0; left--) {                 \
            const uint32_t i = draw(ff_KARTS);                                                 \
            BREAK(now.karts[i], fault);                                                        \
            broken[i] = true;                                                                  \
        }                                                                                      \
        const uint32_t absent = draw(5);                                                       \
        uint32_t count = draw_karts(absent);                                                   \
        assert_true(ff_##T##_fit_pack_delta(&was, &now, &sent, order, &count, most, &report)); \
        check_report(#T, &report, count, absent, broken, fault);                               \
        const size_t size = ff_##T##_pack_delta(&was, &sent, data, sizeof data);               \
        assert_in_range(size, 1, most);                                                        \
        assert_true(ff_##T##_unpack_delta(&was, &got, data, size));                            \
        assert_true(ff_##T##_equal(&sent, &got));                                              \
        for (uint32_t i = 0; i < ff_KARTS; i++)                                                \
            if (broken[i])                                                                     \
                assert_memory_equal(&sent.karts[i], &was.karts[i], sizeof was.karts[i]);       \
        /* What comes of it is the same without a report. */                                   \
        memcpy(given, order, sizeof given);                                                    \
        uint32_t again = absent + ff_KARTS;                                                    \
        assert_true(ff_##T##_fit_pack_delta(&was, &now, &got, order, &again, most, NULL));     \
        assert_true(again >= count || most < BUDGET);                                          \
    }                                                                                          \
    TEST(test_deltas_of_##T)                                                                   \
    {                                                                                          \
        for (int n = 0; n < 30; n++)                                                           \
            for (int fault = 0; fault <= FAULTS; fault++)                                      \
                check_##T(fault, n % 3 != 0 ? BUDGET : 60 + draw(500));                        \
    }

DELTAS(Plains)
DELTAS(Steps)
DELTAS(Codes)

TEST(test_sparse_arrays)
{
    static ff_Sparse v, got;
    for (int n = 0; n < 20; n++)
        for (int fault = 0; fault <= FAULTS; fault++) {
            bool broken[ff_KARTS] = {false};
            pkt_fit_report report;
            ff_Sparse_init(&v);
            for (uint32_t i = 0; i < ff_KARTS; i++) {
                ff_Sparse_karts_set(&v, i);
                VALID(v.karts[i]);
            }
            ff_Sparse_quantize(&v);
            for (uint32_t left = fault < FAULTS ? draw(4) : 0; left > 0; left--) {
                const uint32_t i = draw(ff_KARTS);
                BREAK(v.karts[i], fault);
                broken[i] = true;
            }
            const uint32_t absent = draw(5);
            uint32_t count = draw_karts(absent);
            assert_true(ff_Sparse_fit_pack(&v, order, &count, n % 3 != 0 ? BUDGET : 60 + draw(500), &report));
            check_report("Sparse", &report, count, absent, broken, fault);
            const size_t size = ff_Sparse_pack(&v, data, sizeof data);
            assert_true(size != 0);
            assert_true(ff_Sparse_unpack(&got, data, size));
        }
}

/* A new element that cannot be written ends the array. */
TEST(test_counted_arrays)
{
    static ff_Counts was, now, sent;
    for (int fault = 0; fault < FAULTS; fault++) {
        pkt_fit_report report;
        uint32_t count = draw_karts(0);
        ff_Counts_init(&was);
        ff_Counts_init(&now);
        now.karts_count = ff_KARTS;
        for (int i = 0; i < ff_KARTS; i++)
            VALID(now.karts[i]);
        ff_Counts_quantize(&now);
        BREAK(now.karts[7], fault);
        assert_true(ff_Counts_fit_pack_delta(&was, &now, &sent, order, &count, BUDGET, &report));
        assert_int_equal(count, 7);
        assert_int_equal(sent.karts_count, 7);
        assert_int_equal(report.invalid, 1);
        assert_int_equal(report.left_out, 4);
        assert_int_equal(order[count].number, 7);
        assert_true(ff_Counts_pack_delta(&was, &sent, data, sizeof data) != 0);
    }
    /* An element that is not in the order is not sent, and so no later one. */
    const ff_Bytes bytes = {{11, 22, 33}, 3};
    ff_Bytes out;
    pkt_fit_report report;
    uint32_t count = 1;
    order[0].number = ff_Bytes_FIT_cs + 2;
    assert_true(ff_Bytes_fit_pack_delta(NULL, &bytes, &out, order, &count, 100, &report));
    assert_int_equal(count, 0);
    assert_int_equal(out.cs_count, 0);
    assert_int_equal(report.left_out, 1);
    order[1].number = ff_Bytes_FIT_cs;
    count = 2;
    assert_true(ff_Bytes_fit_pack_delta(NULL, &bytes, &out, order, &count, 100, NULL));
    assert_int_equal(count, 1);
    assert_int_equal(order[0].number, ff_Bytes_FIT_cs);
    assert_int_equal(out.cs_count, 1);
    assert_int_equal(out.cs[0], 11);
}

/* A packet with parts: its own fields, its arrays, and the elements of its part. */
TEST(test_packets_with_parts)
{
    static ff_Down v;
    static ff_Steps was, now, old;
    for (int fault = 0; fault <= FAULTS; fault++) {
        ff_Down_baselines from = {{0}};
        pkt_fit_report report;
        pkt_error error;
        ff_Steps_init(&was);
        for (int i = 0; i < ff_KARTS; i++)
            VALID(was.karts[i]);
        ff_Steps_quantize(&was);
        now = was;
        if (fault < FAULTS)
            BREAK(now.karts[3], fault);
        from.world.value = &was;
        from.world.number = 4;
        for (int event = 0; event < 4; event++) {
            ff_Down_init(&v);
            v.number = 5;
            v.has_back = true;
            v.events_count = 3;
            if (event < 3)
                v.events[event].t[0] = (char)0xff;
            uint32_t count = draw_karts(1);
            assert_true(ff_Down_fit_pack(&from, &v, &now, order, &count, 1200, &report));
            /* An event has no number in the order. */
            assert_int_equal(report.invalid, fault < FAULTS);
            assert_int_equal(report.cut, event < 3);
            assert_int_equal(report.kept, count);
            assert_int_equal(report.kept + report.left_out + report.invalid + report.absent, ff_KARTS + 1);
            for (uint32_t i = count; i < count + report.invalid; i++)
                assert_int_equal(order[i].number, 3);
            assert_int_equal(count, fault < FAULTS ? ff_KARTS - 1 : ff_KARTS);
            assert_int_equal(v.events_count, event);
            char field[PKT_FIELD_SIZE] = "";
            if (event < 3)
                snprintf(field, sizeof field, "Down.events[%d].t", event);
            else if (fault < FAULTS)
                snprintf(field, sizeof field, "Down.world.karts[3].%s", fields[fault]);
            assert_string_equal(report.error.field, field);
            assert_in_range(ff_Down_pack_error(&from, &v, 0, data, sizeof data, &error), 1, 1200);
        }
        /* What is not chosen has to be right. */
        ff_Down_init(&v);
        v.number = 5;
        v.has_back = true;
        v.tail = 10;
        uint32_t count = draw_karts(0);
        assert_false(ff_Down_fit_pack(&from, &v, &now, order, &count, 1200, &report));
        assert_int_equal(count, 0);
        assert_int_equal(report.error.code, PKT_ERROR_RANGE);
        assert_string_equal(report.error.field, "Down.tail");
        v.tail = 0;
        count = draw_karts(0);
        assert_false(ff_Down_fit_pack(&from, &v, &now, order, &count, 12, &report));
        assert_int_equal(report.error.code, PKT_ERROR_CAPACITY);
        assert_string_equal(report.error.field, "Down");
        /* The part itself, without elements, in any room. */
        now.tick = 0;
        from.world.number = 4;
        old = was;
        old.karts[2].n_count = 4;
        from.world.value = &old;
        for (size_t most = 8; most <= 1200; most += 149) {
            count = draw_karts(0);
            assert_false(ff_Down_fit_pack(&from, &v, &now, order, &count, most, &report));
            assert_int_equal(report.error.code, PKT_ERROR_BASELINE);
            assert_string_equal(report.error.field, "Down.world");
        }
        from.world.value = &was;
        from.world.number = 3;
        assert_false(ff_Down_fit_pack(&from, &v, &now, order, &count, 1200, &report));
        assert_int_equal(report.error.code, PKT_ERROR_BASELINE);
        assert_string_equal(report.error.field, "Down.world");
    }
}

/* What fails for another reason than room says so: a count of the value, or a baseline. */
TEST(test_what_nothing_fits_for)
{
    static ff_Counts was, now, sent;
    pkt_fit_report report;
    uint32_t count = draw_karts(0);
    ff_Counts_init(&was);
    ff_Counts_init(&now);
    now.karts_count = ff_KARTS + 1;
    assert_false(ff_Counts_fit_pack_delta(&was, &now, &sent, order, &count, BUDGET, &report));
    assert_int_equal(report.error.code, PKT_ERROR_RANGE);
    assert_string_equal(report.error.field, "Counts.karts_count");
    now.karts_count = 0;
    was.karts_count = ff_KARTS + 1;
    assert_false(ff_Counts_fit_pack_delta(&was, &now, &sent, order, &count, BUDGET, &report));
    assert_int_equal(report.error.code, PKT_ERROR_BASELINE);
    assert_string_equal(report.error.field, "Counts");
    char text[256];
    assert_string_equal(pkt_error_string(&report.error, text, sizeof text),
                        "Counts: its baseline is missing or invalid, or has another number at bit 0 (baseline)");
    was.karts_count = 0;
    assert_false(ff_Counts_fit_pack_delta(&was, &now, &sent, order, &count, 8, &report));
    assert_int_equal(report.error.code, PKT_ERROR_CAPACITY);
    assert_string_equal(report.error.field, "Counts");
#define BASELINE(T)                                                                                \
    do {                                                                                           \
        static ff_##T past, here, out;                                                             \
        ff_##T##_init(&past);                                                                      \
        for (int i = 0; i < ff_KARTS; i++)                                                         \
            VALID(past.karts[i]);                                                                  \
        ff_##T##_quantize(&past);                                                                  \
        here = past;                                                                               \
        past.karts[3].n_count = 4;                                                                 \
        count = draw_karts(0);                                                                     \
        assert_false(ff_##T##_fit_pack_delta(&past, &here, &out, order, &count, BUDGET, &report)); \
        assert_int_equal(count, 0);                                                                \
        assert_int_equal(report.error.code, PKT_ERROR_BASELINE);                                   \
        assert_string_equal(report.error.field, #T);                                               \
    } while (0)
    BASELINE(Plains);
    BASELINE(Steps);
    BASELINE(Codes);
}

int main(void)
{
    begin();
    return run_all(NULL);
}
