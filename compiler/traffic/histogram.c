/* histogram.c - a table of values and their counts, which stops growing at its limit.
 * SPDX-License-Identifier: MIT
 */
#include "traffic/histogram.h"

#include <stdlib.h>

static bool has_value(const void *entry, const void *value)
{
    return ((const histogram_entry *)entry)->value == *(const uint64_t *)value;
}

void histogram_add(arena *a, histogram *h, uint64_t value)
{
    const uint64_t hash = hash_bytes(0, &value, sizeof value);
    if (!h->table)
        h->table = hash_table_new(a);
    histogram_entry *e = hash_table_find(h->table, hash, has_value, &value);
    h->total++;
    if (!e && h->distinct == HISTOGRAM_MOST) {
        h->others++;
        return;
    }
    if (!e) {
        e = ARENA_NEW(a, histogram_entry);
        *e = (histogram_entry){.next = h->entries, .value = value};
        h->entries = e;
        h->distinct++;
        hash_table_add(h->table, hash, e);
    }
    e->count++;
}

const histogram_entry *histogram_top(const histogram *h)
{
    const histogram_entry *top = h->entries;
    for (const histogram_entry *e = top; e; e = e->next)
        if (e->count > top->count || (e->count == top->count && e->value < top->value))
            top = e;
    return top;
}

/* log2, because pktc as one file is linked without the mathematical library. The series is that of atanh; x / 2^n is at
 * least 1 and less than 2, so y is at most 1/3 and 20 terms are exact to the last digits. */
static double binary_logarithm(double x)
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
    double bits = h->others == 0 ? 0 : (double)h->others / total * binary_logarithm(total);
    for (const histogram_entry *e = h->entries; e; e = e->next) {
        const double share = (double)e->count / total;
        bits -= share * binary_logarithm(share);
    }
    return bits;
}

/* The entropy of n samples is about (distinct - 1) / (2 n ln 2) bits too small (Miller, 1955). */
bool histogram_is_short(const histogram *h)
{
    static const double most = 0.1, twice_log_of_2 = 1.3862943611198906;
    return h->others != 0 || (h->distinct > 1 && h->distinct - 1 > most * twice_log_of_2 * (double)h->total);
}

static int by_value(const void *left, const void *right)
{
    const histogram_entry *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

uint64_t histogram_reached(arena *a, const histogram *h, unsigned percent)
{
    histogram_entry *sorted = ARENA_ARRAY(a, histogram_entry, h->distinct);
    uint32_t count = 0;
    uint64_t seen = 0;
    for (const histogram_entry *e = h->entries; e; e = e->next)
        sorted[count++] = *e;
    qsort(sorted, count, sizeof *sorted, by_value);
    for (uint32_t i = 0; i < count; i++) {
        seen += sorted[i].count;
        if (100 * seen >= percent * (h->total - h->others))
            return sorted[i].value;
    }
    return 0;
}
