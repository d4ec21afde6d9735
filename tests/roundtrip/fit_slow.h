/* fit_slow.h - a slow way to find out what fits: it measures the whole value for each element of the order.
 * SPDX-License-Identifier: MIT
 *
 * Where there is padding, T_fit_write_delta counts more than there may be: then only bounds are tested. A test defines
 * change_T, start_T and take_T for each type T; KIND or PREDICTED_KIND makes a kind of them.
 */
#ifndef FIT_SLOW_H
#define FIT_SLOW_H

#include "fit_draws.h"
#include "pkt.h"

/* A test whose types have coded fields sets it: then the whole order is tried first. */
static bool whole_first;

/* Which numbers are in the order that is tried. */
static bool listed[MOST_ENTRIES];

static void list_given(uint32_t count)
{
    memset(listed, 0, sizeof listed);
    for (uint32_t i = 0; i < count; i++)
        if (given[i].number < MOST_ENTRIES)
            listed[given[i].number] = true;
}

/* Take elements as they are in v, and return their number. Those of v that `to` has not are new, and come with those before
 * them, which have to be in the order too. */
#define TAKE(to, v, m, i) ((to)->m[i] = (v)->m[i])
#define TAKE_TEXT(to, v, m, i) memcpy((to)->m[i], (v)->m[i], sizeof(to)->m[i])
#define TAKE_COUNTED(to, v, m, i, take)                   \
    do {                                                  \
        const uint32_t held_ = (to)->m##_count;           \
        if ((i) >= (v)->m##_count)                        \
            return 0;                                     \
        for (uint32_t j_ = held_; j_ < (i); j_++)         \
            if (!listed[n - (i) + j_])                    \
                return 0;                                 \
        for (; (to)->m##_count <= (i); (to)->m##_count++) \
            take((to), (v), m, (to)->m##_count);          \
        take((to), (v), m, i);                            \
        return (i) < held_ ? 1 : (i) + 1 - held_;         \
    } while (0)

#define LEAST(a, b) ((a) < (b) ? (a) : (b))

/* The functions of a type, as functions of any value. */
typedef struct kind {
    size_t size;
    uint32_t elements; /* how many numbers of an order stand for elements */
    bool pads;
    void (*init)(void *v);
    void (*change)(void *v, uint32_t of);
    void (*start)(void *to, const void *base, const void *v);
    uint32_t (*take)(void *to, const void *v, uint32_t n);
    bool (*equal)(const void *a, const void *b);
    uint64_t (*measure)(const void *base, const void *v, uint64_t start);
    bool (*fit)(const void *base, const void *v, void *sent, uint32_t *count, uint64_t start, uint64_t most);
    bool (*arrives)(const void *base, const void *v, void *got);
    /* or NULL */
    void (*predict)(const void *base, const void *before, uint32_t back, uint32_t gap, void *motion);
    void (*expect)(const void *motion, void *v);
} kind;

enum { ROOM = 1 << 16 };
static uint8_t bytes[ROOM];

#define KIND_(T, Base, elements, pads, predict, expect)                                                           \
    static void init_of_##T(void *v)                                                                              \
    {                                                                                                             \
        T##_init((T *)v);                                                                                         \
    }                                                                                                             \
    static void change_of_##T(void *v, uint32_t of)                                                               \
    {                                                                                                             \
        change_##T((T *)v, of);                                                                                   \
    }                                                                                                             \
    static void start_of_##T(void *to, const void *base, const void *v)                                           \
    {                                                                                                             \
        start_##T((T *)to, (const T *)base, (const T *)v);                                                        \
    }                                                                                                             \
    static uint32_t take_of_##T(void *to, const void *v, uint32_t n)                                              \
    {                                                                                                             \
        return take_##T((T *)to, (const T *)v, n);                                                                \
    }                                                                                                             \
    static bool equal_of_##T(const void *a, const void *b)                                                        \
    {                                                                                                             \
        return T##_equal((const T *)a, (const T *)b);                                                             \
    }                                                                                                             \
    static uint64_t measure_of_##T(const void *base, const void *v, uint64_t start)                               \
    {                                                                                                             \
        return T##_measure_delta((const Base *)base, (const T *)v, start);                                        \
    }                                                                                                             \
    static bool fit_of_##T(const void *base, const void *v, void *sent, uint32_t *count, uint64_t start,          \
                           uint64_t most)                                                                         \
    {                                                                                                             \
        return T##_fit_write_delta((const Base *)base, (const T *)v, (T *)sent, order, count, start, most, NULL); \
    }                                                                                                             \
    static bool arrives_of_##T(const void *base, const void *v, void *got)                                        \
    {                                                                                                             \
        pkt_writer w;                                                                                             \
        pkt_reader r;                                                                                             \
        size_t size;                                                                                              \
        pkt_writer_init(&w, bytes, sizeof bytes);                                                                 \
        if (!T##_write_delta(&w, (const Base *)base, (const T *)v) || !pkt_writer_finish(&w, &size))              \
            return false;                                                                                         \
        pkt_reader_init(&r, bytes, size);                                                                         \
        return T##_read_delta(&r, (const Base *)base, (T *)got) && pkt_reader_finish(&r);                         \
    }                                                                                                             \
    static const kind kind_of_##T = {sizeof(T),      elements,    pads,         init_of_##T,    change_of_##T,    \
                                     start_of_##T,   take_of_##T, equal_of_##T, measure_of_##T, fit_of_##T,       \
                                     arrives_of_##T, predict,     expect};

#define KIND(T, elements, pads) KIND_(T, T, elements, pads, NULL, NULL)
#define PREDICTED_KIND(T, elements, pads)                                                                    \
    static void predict_##T(const void *base, const void *before, uint32_t back, uint32_t gap, void *motion) \
    {                                                                                                        \
        static T of, from;                                                                                   \
        of = *(const T *)base;                                                                               \
        if (before != NULL)                                                                                  \
            from = *(const T *)before;                                                                       \
        T##_predict(&of, before != NULL ? &from : NULL, back, gap, (T##_motion *)motion);                    \
    }                                                                                                        \
    static void expect_##T(const void *motion, void *to)                                                     \
    {                                                                                                        \
        T##_expected((const T##_motion *)motion, (T *)to);                                                   \
    }                                                                                                        \
    KIND_(T, T##_motion, elements, pads, predict_##T, expect_##T)

/* A value and a baseline of any type, and what is made of them. */
static uint64_t memory[7][4096];
static void *const base = memory[0], *const v = memory[1], *const sent = memory[2], *const slow = memory[3],
                   *const trial = memory[4], *const blank = memory[5], *const seen = memory[6];

/* The baseline as a value, as it is predicted. */
static const void *value_of_base(const kind *k)
{
    if (k->predict == NULL)
        return base;
    k->expect(base, seen);
    return seen;
}

/* How often: the plain and the coded form, the whole order, and another form than without any element. */
static uint32_t forms[2], wholes, other_forms;

/* The first bit of a delta of a type with coded fields: whether it is in the coded form. */
static bool form_of(const kind *k, const void *from, const void *value)
{
    assert_true(k->arrives(from, value, trial));
    assert_true(k->equal(value, trial));
    return (bytes[0] & 1) != 0;
}

/* Whether T_fit_write_delta keeps the whole order, and rightly so. */
static bool is_whole(const kind *k, const void *from, uint32_t count, uint32_t kept, uint64_t start, uint64_t most)
{
    uint32_t all = 0;
    uint64_t elements = 0, bits;
    memcpy(trial, slow, k->size);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t taken = k->take(trial, v, given[n].number);
        all += taken != 0;
        elements += taken;
    }
    bits = k->measure(from, trial, start);
    if (bits > most)
        return false;
    if (kept != all || !k->equal(sent, trial)) {
        assert_true(k->pads && bits + 7 * (elements + 4) > most);
        return false;
    }
    for (uint32_t n = 0, next = 0; n < count; n++)
        if (next < kept && order[next].number == given[n].number)
            next++;
        else
            assert_int_equal(k->take(trial, v, given[n].number), 0);
    return true;
}

/* Chooses by T_fit_write_delta and in the slow way. */
static void check_delta(const kind *k, bool based, uint32_t count, uint64_t start, uint64_t most)
{
    const void *const from = based ? base : NULL;
    uint32_t kept = count, next = 0;
    list_given(count);
    uint64_t elements = 0;
    k->init(blank);
    k->start(slow, based ? value_of_base(k) : blank, v);
    const bool fits = k->fit(from, v, sent, &kept, start, most), rest_fits = k->measure(from, slow, start) <= most;
    check_same_entries(count);
    assert_true(fits || kept == 0);
    assert_true(fits || !rest_fits);
    if (fits) {
        assert_true(k->measure(from, sent, start) <= most);
        const bool form = form_of(k, from, sent);
        forms[form]++;
        other_forms += form != form_of(k, from, slow);
    } else {
        memcpy(sent, slow, k->size);
    }
    if (whole_first && is_whole(k, from, count, kept, start, most)) {
        wholes++;
        return;
    }
    assert_int_equal(fits, rest_fits);
    for (uint32_t n = 0; fits && n < count; n++) {
        const uint32_t number = given[n].number;
        memcpy(trial, slow, k->size);
        const uint32_t taken = k->take(trial, v, number);
        const uint64_t bits = k->measure(from, trial, start);
        const bool keeps = taken != 0 && bits <= most;
        if (k->pads ? next < kept && order[next].number == number : keeps) {
            assert_true(keeps);
            assert_true(next < kept);
            assert_int_equal(order[next++].number, number);
            memcpy(slow, trial, k->size);
            elements += taken;
        } else {
            assert_true(!keeps || bits + 7 * (elements + taken + 4) > most);
        }
    }
    assert_int_equal(next, kept);
    assert_true(!fits || k->equal(sent, slow));
}

/* Draws a baseline, and a value that is not far from it. */
static void draw_values(const kind *k)
{
    static const uint32_t rates[] = {1, 2, 5, 20, 100};
    k->init(base);
    k->change(base, 1 + draw(3));
    memcpy(v, base, k->size);
    if (k->predict != NULL) {
        memcpy(trial, base, k->size);
        memcpy(slow, base, k->size);
        k->change(slow, rates[draw(5)]);
        const bool alone = hit(8);
        const uint32_t back = draw(5), gap = draw(5);
        k->predict(slow, alone ? NULL : trial, back, gap, base);
        memcpy(v, hit(3) ? slow : value_of_base(k), k->size);
    }
    k->change(v, rates[draw(5)]);
}

/* Bits for an order of `count` numbers: as many as the first of them take, or a share of all bits, or no limit. */
static uint64_t draw_budget(const kind *k, const void *from, uint32_t count, uint64_t start)
{
    if (hit(8))
        return UINT64_MAX / 2;
    if (hit(2))
        return k->measure(from, v, start) * draw(120) / 100;
    k->init(blank);
    list_given(count);
    k->start(slow, from != NULL ? value_of_base(k) : blank, v);
    for (uint32_t n = 0, first = draw(count + 1); n < first; n++)
        (void)k->take(slow, v, given[n].number);
    return k->measure(from, slow, start);
}

static void check_kind(const kind *k, uint32_t cases)
{
    assert_true(k->size <= sizeof memory[0] && k->elements + 4 <= MOST_ENTRIES);
    for (uint32_t n = 0; n < cases; n++) {
        const bool based = !hit(4);
        draw_values(k);
        const uint64_t start = draw(64);
        const uint32_t count = draw_order(k->elements);
        check_delta(k, based, count, start, draw_budget(k, based ? base : NULL, count, start));
    }
}

#endif
