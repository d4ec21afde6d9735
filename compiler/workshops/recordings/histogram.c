/* histogram.c - a table of values and their counts, which stops growing at its limit.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/histogram.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16, SPARE = HISTOGRAM_MOST / 4 }; /* values beyond the most, until they are dropped together */

/* The place of a value in the fixed order: 0 for the usual one. Different values have different places, because each
 * step can be undone (the last steps of Steele's splitmix64). */
static uint64_t histogram_order(const histogram *h, uint64_t value)
{
    uint64_t x = value ^ h->usual;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The place of a value in the table, which may be free. */
static histogram_entry *histogram_place(const histogram *h, uint64_t value)
{
    uint32_t i = (uint32_t)(histogram_order(h, value) & (h->room - 1));
    while (h->entries[i].count != 0 && h->entries[i].value != value)
        i = (i + 1) & (h->room - 1);
    return &h->entries[i];
}

/* Puts all entries into a table of another size. */
static void rebuild_histogram(arena *a, histogram *h, uint32_t room)
{
    const histogram old = *h;
    h->entries = ARENA_ARRAY(a, histogram_entry, room);
    h->room = room;
    h->settled = false;
    for (uint32_t i = 0; i < old.room; i++)
        if (old.entries[i].count != 0)
            *histogram_place(h, old.entries[i].value) = old.entries[i];
    arena_give_back(a, old.entries);
}

static int by_histogram_order(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Keeps the first HISTOGRAM_MOST values of the fixed order. The table has free places where the others were, so it has
 * to be built again. */
static void drop_others(histogram *h)
{
    uint64_t orders[HISTOGRAM_MOST + SPARE];
    uint32_t count = 0;
    if (h->distinct <= HISTOGRAM_MOST)
        return;
    for (uint32_t i = 0; i < h->room; i++)
        if (h->entries[i].count != 0)
            orders[count++] = histogram_order(h, h->entries[i].value);
    qsort(orders, count, sizeof *orders, by_histogram_order);
    h->reach = orders[HISTOGRAM_MOST - 1];
    for (uint32_t i = 0; i < h->room; i++) {
        histogram_entry *e = &h->entries[i];
        if (e->count == 0 || histogram_order(h, e->value) <= h->reach)
            continue;
        h->others += e->count;
        h->distinct--;
        *e = (histogram_entry){0};
    }
}

/* Makes a table with room for one more value. */
static void make_histogram_room(arena *a, histogram *h)
{
    if (h->settled || h->room == 0) {
        uint32_t room = FIRST_ROOM;
        while (room < 2 * h->distinct)
            room *= 2;
        rebuild_histogram(a, h, room);
    }
    if (h->distinct == HISTOGRAM_MOST + SPARE) {
        drop_others(h);
        rebuild_histogram(a, h, h->room);
    } else if (h->room < 2 * HISTOGRAM_MOST && h->distinct >= h->room / 2) {
        rebuild_histogram(a, h, 2 * h->room);
    }
}

/* As many of these values as the total has room for. */
static uint64_t count_with_room(const histogram *h, uint64_t count)
{
    return count < COUNT_MOST - h->total ? count : COUNT_MOST - h->total;
}

void histogram_add_many(arena *a, histogram *h, uint64_t value, uint64_t count)
{
    count = count_with_room(h, count);
    if (count == 0)
        return;
    if (h->settled || h->room == 0)
        make_histogram_room(a, h);
    histogram_entry *e = histogram_place(h, value);
    h->total += count;
    if (e->count == 0 && h->others != 0 && histogram_order(h, value) > h->reach) {
        h->others += count;
        return;
    }
    if (e->count == 0) {
        make_histogram_room(a, h);
        e = histogram_place(h, value);
        e->value = value;
        h->distinct++;
    }
    e->count += count;
}

void histogram_add(arena *a, histogram *h, uint64_t value)
{
    histogram_add_many(a, h, value, 1);
}

static void add_beyond(histogram *h, uint64_t reach, uint64_t count)
{
    count = count_with_room(h, count);
    if (count == 0)
        return;
    h->reach = h->others == 0 || reach < h->reach ? reach : h->reach;
    h->others += count;
    h->total += count;
}

void histogram_add_others(histogram *h, uint64_t count)
{
    uint64_t reach = 0;
    for (uint32_t i = 0; i < h->room; i++)
        if (h->entries[i].count != 0 && histogram_order(h, h->entries[i].value) > reach)
            reach = histogram_order(h, h->entries[i].value);
    add_beyond(h, reach, count);
}

void histogram_merge(arena *a, histogram *h, const histogram *from)
{
    if (from->total == 0)
        return;
    h->usual = from->usual;
    for (uint32_t i = 0; i < from->room; i++)
        if (from->entries[i].count != 0)
            histogram_add_many(a, h, from->entries[i].value, from->entries[i].count);
    add_beyond(h, from->reach, from->others);
}

static int by_entry_value(const void *left, const void *right)
{
    const histogram_entry *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

void histogram_settle(histogram *h)
{
    uint32_t count = 0;
    drop_others(h);
    for (uint32_t i = 0; i < h->room; i++)
        if (h->entries[i].count != 0)
            h->entries[count++] = h->entries[i];
    if (count > 1)
        qsort(h->entries, count, sizeof *h->entries, by_entry_value);
    h->room = count;
    h->settled = true;
}

const histogram_entry *histogram_top(const histogram *h)
{
    const histogram_entry *top = h->entries;
    for (uint32_t i = 0; i < h->distinct; i++)
        if (h->entries[i].count > top->count)
            top = &h->entries[i];
    return top;
}

/* log2, because pktc as one file is linked without the mathematical library. The series is that of atanh; x / 2^n is at
 * least 1 and less than 2, so y is at most 1/3 and 20 terms are exact to the last digits. */
double binary_logarithm(double x)
{
    enum { TERMS = 20 };
    double whole = 0, sum = 0;
    for (; x >= 2; x /= 2)
        whole++;
    for (; x < 1; x *= 2)
        whole--;
    const double y = (x - 1) / (x + 1);
    double power = y;
    for (int i = 0; i < TERMS; i++, power *= y * y)
        sum += power / (2 * i + 1);
    return whole + 2 * sum / 0.69314718055994530942;
}

double histogram_entropy(const histogram *h)
{
    const double total = (double)h->total;
    double bits = 0, sampled = 0, sampled_bits = 0;
    for (uint32_t i = 0; i < h->distinct; i++) {
        const histogram_entry *e = &h->entries[i];
        const double share = (double)e->count / total;
        bits -= share * binary_logarithm(share);
        if (e->value != h->usual) {
            sampled += share;
            sampled_bits -= share * binary_logarithm(share);
        }
    }
    return h->others == 0 ? bits : bits + (double)h->others / total * (sampled_bits / sampled);
}

/* All different values, as far as those that are counted one by one tell: they are the share of all that lies before
 * the last one of them in the fixed order. */
static double different(const histogram *h)
{
    static const double all_orders = 18446744073709551616.0;
    return h->others == 0 ? h->distinct : (double)h->distinct * (all_orders / (double)h->reach);
}

/* The entropy of n samples is about (distinct - 1) / (2 n ln 2) bits too small (Miller, 1955). */
bool histogram_is_short(const histogram *h)
{
    static const double most = 0.1, twice_log_of_2 = 1.3862943611198906;
    return h->distinct > 1 && different(h) - 1 > most * twice_log_of_2 * (double)h->total;
}

uint64_t histogram_reached(const histogram *h, unsigned percent)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < h->distinct; i++) {
        seen += h->entries[i].count;
        if (100 * seen >= percent * (h->total - h->others))
            return h->entries[i].value;
    }
    return 0;
}

int histogram_by_count(const void *left, const void *right)
{
    const histogram_entry *a = left, *b = right;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

void histogram_clear(histogram *h)
{
    if (h->room > 0)
        memset(h->entries, 0, h->room * sizeof *h->entries);
    *h = (histogram){.entries = h->entries, .room = h->room, .usual = h->usual};
}

/* ---- as bytes */

void histogram_put(packer *to, const histogram *h)
{
    uint64_t before = 0;
    pack_number(to, h->distinct);
    for (uint32_t i = 0; i < h->distinct; i++) {
        pack_number(to, h->entries[i].value - before);
        pack_number(to, h->entries[i].count);
        before = h->entries[i].value;
    }
    if (h->distinct == HISTOGRAM_MOST)
        pack_number(to, h->others);
}

void histogram_take(unpacker *from, arena *a, histogram *h)
{
    const uint64_t distinct = unpack_up_to(from, HISTOGRAM_MOST);
    uint64_t last = 0;
    for (uint64_t i = 0; i < distinct && !from->bad; i++) {
        const uint64_t step = unpack_number(from), count = unpack_up_to(from, COUNT_MOST - h->total);
        from->bad = from->bad || count == 0 || (i > 0 && step == 0) || step > UINT64_MAX - last;
        last += step;
        if (!from->bad)
            histogram_add_many(a, h, last, count);
    }
    const uint64_t others = distinct == HISTOGRAM_MOST ? unpack_up_to(from, COUNT_MOST - h->total) : 0;
    if (others != 0 && !from->bad)
        histogram_add_others(h, others);
}
