/* test_steps.c - compares the costs of steps and the counts of values with a slow way to compute them.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/histogram.h"
#include "recordings/steps.h"
#include "unit.h"

#include <math.h>

enum { VALUES = 300 };

static uint64_t state = 2024;

static uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

typedef struct sample {
    uint64_t old[3], now[3];
    bool near;
} sample;

/* docs/wire.md, "Deltas": whether a step of this many bits leads from one code to another, beyond those of `skipped`. */
static bool leads(uint64_t old, uint64_t now, uint64_t skipped, unsigned bits)
{
    const int64_t half = INT64_C(1) << (bits - 1), d = (int64_t)(now - old);
    const int64_t beyond = d > 0 ? d - (int64_t)skipped : d + (int64_t)skipped;
    return beyond >= -half && beyond < half;
}

static uint64_t slow_cost(const sample *samples, bool rotation, unsigned full, unsigned s, unsigned l)
{
    uint64_t sum = 0;
    for (int i = 0; i < VALUES; i++) {
        const sample *v = &samples[i];
        const uint64_t skipped = UINT64_C(1) << (s - 1);
        uint64_t steps = rotation ? 1 : 0;
        bool all = v->near;
        for (int k = 0; k < (rotation ? 3 : 1); k++) {
            const bool small = leads(v->old[k], v->now[k], 0, s);
            all = all && (small || leads(v->old[k], v->now[k], skipped, l));
            steps += small ? 1 + s : (rotation ? 1 : 2) + l;
        }
        sum += all ? steps : full + (rotation ? 1 : 2);
    }
    return sum;
}

static void compare(unsigned bits, bool rotation)
{
    arena *a = arena_new();
    step_tally *t = steps_new(a, bits, rotation, UINT64_MAX);
    sample samples[VALUES];
    const unsigned full = rotation ? 2 + 3 * bits : bits;
    uint64_t least = UINT64_MAX;
    unsigned best_s = 1, best_l = 1;
    for (int i = 0; i < VALUES; i++) {
        sample *v = &samples[i];
        v->near = !rotation || draw(10) != 0;
        for (int k = 0; k < 3; k++) {
            v->old[k] = draw(UINT64_C(1) << bits);
            const uint64_t far = draw(UINT64_C(1) << draw(bits + 1)), up = v->old[k] + far;
            v->now[k] = draw(2) != 0 && up < UINT64_C(1) << bits ? up : v->old[k] - (far <= v->old[k] ? far : 0);
        }
        steps_add(t, v->old, v->now, v->near, full);
    }
    assert_int_equal(steps_full(t), (uint64_t)VALUES * full);
    for (unsigned s = 1; s <= bits; s++)
        for (unsigned l = s; l <= bits; l++) {
            const uint64_t cost = slow_cost(samples, rotation, full, s, l);
            assert_int_equal(steps_cost(t, s, l), cost);
            if (cost < least) {
                least = cost;
                best_s = s;
                best_l = l;
            }
        }
    unsigned s = 0, l = 0;
    steps_best(t, &s, &l);
    assert_int_equal(s, best_s);
    assert_int_equal(l, best_l);
    arena_free(a);
}

TEST(test_steps)
{
    printf("seed %d\n", (int)state);
    for (unsigned bits = 1; bits <= 20; bits++) {
        compare(bits, false);
        compare(bits, true);
    }
}

TEST(test_histogram)
{
    arena *a = arena_new();
    histogram h = {0};
    assert_null(histogram_top(&h));
    for (uint64_t i = 0; i < 8; i++)
        histogram_add(a, &h, i);
    histogram_settle(&h);
    assert_true(fabs(histogram_entropy(&h) - 3) < 1e-12);
    assert_int_equal(histogram_top(&h)->value, 0);
    histogram_add_many(a, &h, 5, 8);
    histogram_settle(&h);
    /* 5 has 9 of 16, seven others one each. */
    assert_true(fabs(histogram_entropy(&h) - (9.0 / 16 * log2(16.0 / 9) + 7.0 / 16 * 4)) < 1e-12);
    assert_int_equal(histogram_top(&h)->value, 5);
    assert_int_equal(histogram_top(&h)->count, 9);
    assert_int_equal(histogram_reached(&h, 95), 7);
    assert_int_equal(histogram_reached(&h, 50), 5);
    for (uint64_t i = 100; i < 100 + HISTOGRAM_MOST; i++)
        histogram_add(a, &h, i);
    histogram_settle(&h);
    assert_int_equal(h.distinct, HISTOGRAM_MOST);
    assert_in_range(h.others, 8, 16);
    assert_int_equal(h.total, 16 + HISTOGRAM_MOST);
    arena_free(a);
}

static void same_histograms(histogram *x, histogram *y)
{
    histogram_settle(x);
    histogram_settle(y);
    assert_int_equal(x->distinct, y->distinct);
    assert_int_equal(x->total, y->total);
    assert_int_equal(x->others, y->others);
    assert_int_equal(x->others ? x->reach : 0, y->others ? y->reach : 0);
    assert_memory_equal(x->entries, y->entries, x->distinct * sizeof *x->entries);
    assert_memory_equal(&(double){histogram_entropy(x)}, &(double){histogram_entropy(y)}, sizeof(double));
}

/* Values are parted at random among histograms, some of which are settled, and these are added up in a random order. */
TEST(test_histograms_add_up)
{
    enum { PARTS = 7, ROUNDS = 30 };
    state = random_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        arena *a = arena_new();
        const uint64_t usual = draw(100), different = UINT64_C(1) << (3 + draw(14)), count = draw(40000);
        histogram whole = {.usual = usual}, parts[PARTS], sum = {0};
        for (unsigned i = 0; i < PARTS; i++)
            parts[i] = (histogram){.usual = usual};
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t value = draw(4) == 0 ? usual : draw(different) * UINT64_C(0x9E3779B97F4A7C15);
            histogram_add(a, &whole, value);
            histogram_add(a, &parts[draw(PARTS)], value);
        }
        for (uint64_t taken = 0; taken + 1 < 1 << PARTS;) {
            const uint64_t i = draw(PARTS);
            if (taken >> i & 1)
                continue;
            taken |= UINT64_C(1) << i;
            if (draw(2))
                histogram_settle(&parts[i]);
            histogram_merge(a, &sum, &parts[i]);
            if (draw(2))
                histogram_settle(&sum);
        }
        same_histograms(&whole, &sum);
        /* A quarter of all draws are the usual value. Of 1,000 or more, it is never less than an eighth (once in 10^22). */
        for (uint32_t i = 0; i < sum.distinct; i++)
            assert_true(sum.entries[i].value != usual || sum.entries[i].count >= count / 8 || count < 1000);
        arena_free(a);
    }
}

/* Of many different values, 4,096 tell the entropy of all. */
TEST(test_entropy_of_many)
{
    enum { DIFFERENT = 100000, EACH = 20 };
    arena *a = arena_new();
    histogram h = {0};
    for (uint64_t i = 0; i < DIFFERENT; i++)
        histogram_add_many(a, &h, i, i % 2 ? EACH : 3 * EACH);
    histogram_add_many(a, &h, 0, UINT64_C(2) * EACH * DIFFERENT - 3 * EACH);
    histogram_settle(&h);
    assert_int_equal(histogram_top(&h)->value, 0);
    /* Half of all values are 0; of the others, three quarters are one half of the values. */
    const double of_others = 0.25 * log2(DIFFERENT / 2 / 0.25) + 0.75 * log2(DIFFERENT / 2 / 0.75);
    assert_true(fabs(histogram_entropy(&h) - (1 + of_others / 2)) < 0.02);
    assert_false(histogram_is_short(&h));
    for (uint64_t i = 0; i < 20 * DIFFERENT; i++)
        histogram_add(a, &h, DIFFERENT + i);
    histogram_settle(&h);
    assert_true(histogram_is_short(&h));
    arena_free(a);
}
