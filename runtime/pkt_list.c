/* pkt_list.c - lists with keys: checks, the keys of deltas, searching and changing.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_list.h"

#include "pkt_delta.h"
#include "pkt_explain.h"

/* ---- find, add, remove */

uint32_t pkt_list_find(const pkt_keys *k, const void *elements, uint32_t count, uint64_t code)
{
    uint32_t first = 0;
    while (count != 0) {
        const uint32_t half = count / 2;
        if (pkt_key_at(k, elements, first + half) < code) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

void pkt_list_open(const pkt_keys *k, void *elements, uint32_t count, uint32_t i)
{
    char *at = (char *)elements + (size_t)i * k->stride;
    memmove(at + k->stride, at, (size_t)(count - i) * k->stride);
    memset(at, 0, k->stride);
}

void pkt_list_close(const pkt_keys *k, void *elements, uint32_t count, uint32_t i)
{
    char *at = (char *)elements + (size_t)i * k->stride;
    memmove(at, at + k->stride, (size_t)(count - i - 1) * k->stride);
}

/* False if elements have all codes from `from` up to the greatest one. */
static bool pkt_list_unused_from(const pkt_keys *k, const void *elements, uint32_t count, uint64_t from, uint64_t *code)
{
    uint32_t i = pkt_list_find(k, elements, count, from);
    while (i < count && pkt_key_at(k, elements, i) == from) {
        if (from == k->span)
            return false;
        from++;
        i++;
    }
    *code = from;
    return true;
}

bool pkt_list_unused(const pkt_keys *k, const void *elements, uint32_t count, uint64_t *code)
{
    return (*code <= k->span && pkt_list_unused_from(k, elements, count, *code, code)) ||
           pkt_list_unused_from(k, elements, count, 0, code);
}

/* ---- the keys of a delta */

static bool pkt_list_put_bit(pkt_mode mode, pkt_cursor *c, bool bit)
{
    if (!pkt_need(mode, c, 1))
        return false;
    if (mode == PKT_WRITE)
        pkt_push(c, bit, 1);
    else
        c->bit += 1;
    return true;
}

static bool pkt_list_get_bit(pkt_cursor *c, bool *bit)
{
    if (!pkt_need(PKT_READ, c, 1))
        return false;
    *bit = (pkt_peek(c, true) & 1) != 0;
    c->bit += 1;
    return true;
}

static bool pkt_list_put_gone(pkt_mode mode, pkt_cursor *c, pkt_pairs p)
{
    uint64_t gone[PKT_LIST_WORDS];
    bool any = false;
    pkt_subset s;
    memset(gone, 0, ((size_t)p.held + 63) / 64 * sizeof gone[0]);
    while (pkt_pairs_next(&p)) {
        if (!p.in_old || p.in_now)
            continue;
        gone[p.j / 64] |= UINT64_C(1) << p.j % 64;
        any = true;
    }
    if (!pkt_list_put_bit(mode, c, any))
        return false;
    if (!any)
        return true;
    c->changed = true;
    if (!pkt_elements_begin(mode, c, &s, gone, p.held))
        return false;
    while (pkt_elements_next(mode, c, &s))
        continue;
    return s.whole;
}

bool pkt_list_put_keys(pkt_mode mode, pkt_cursor *c, bool moved, const pkt_keys *k, const void *old, uint32_t held,
                       const void *now, uint32_t count, uint32_t *news)
{
    pkt_pairs p = pkt_pairs_of(k, old, held, now, count);
    uint64_t least = 0;
    *news = 0;
    if (!moved) /* so the keys are as sound as those of the baseline */
        return pkt_list_put_bit(mode, c, false) && pkt_list_put_bit(mode, c, false);
    if (!pkt_list_sound(k, now, count) || !pkt_list_put_gone(mode, c, p))
        return false;
    while (pkt_pairs_next(&p)) {
        const uint64_t code = p.in_now ? pkt_key_at(k, now, p.i) : 0;
        if (p.in_old)
            continue;
        if (!pkt_list_put_bit(mode, c, true) || !pkt_key_put(mode, c, code - least, k->span, 0, true))
            return false;
        least = code + 1;
        *news += 1;
    }
    c->changed |= *news != 0;
    return pkt_list_put_bit(mode, c, false);
}

/* Which elements of old are gone; *left becomes the number of the others. */
static bool pkt_list_get_gone(pkt_cursor *c, uint64_t *gone, uint32_t held, uint32_t *left)
{
    bool any;
    pkt_subset s;
    *left = held;
    if (!pkt_list_get_bit(c, &any))
        return false;
    if (!any)
        return true;
    memset(gone, 0, ((size_t)held + 63) / 64 * sizeof gone[0]);
    if (!pkt_elements_begin(PKT_READ, c, &s, gone, held))
        return false;
    while (pkt_elements_next(PKT_READ, c, &s))
        *left -= 1;
    return s.whole && *left != held;
}

bool pkt_list_get_keys(pkt_cursor *c, const pkt_keys *k, const void *old, uint32_t held, void *to, uint32_t *count,
                       uint32_t *news)
{
    uint64_t gone[PKT_LIST_WORDS], code = 0, increase;
    uint32_t left, n = 0, j = 0;
    bool more;
    *news = 0;
    *count = held;
    if (!pkt_list_get_gone(c, gone, held, &left) || !pkt_list_get_bit(c, &more))
        return false;
    if (left == held && !more)
        return true;
    c->changed = true;
    for (;;) {
        if (more) {
            const uint64_t least = *news != 0 ? code + 1 : 0;
            if (*news != 0 && code >= k->span)
                return false;
            if (!pkt_key_get(c, &increase, k->span, 0, true) || increase > k->span - least)
                return false;
            code = least + increase;
        }
        for (; j < held && (!more || pkt_key_at(k, old, j) < code); j++)
            if (left == held || (gone[j / 64] >> j % 64 & 1) == 0)
                memcpy((char *)to + (size_t)n++ * k->stride, (const char *)old + (size_t)j * k->stride, k->stride);
        if (!more)
            break;
        if ((j < held && pkt_key_at(k, old, j) == code) || left + *news == k->most)
            return false;
        memset((char *)to + (size_t)n * k->stride, 0, k->stride);
        pkt_entry_store((char *)to + (size_t)n++ * k->stride + k->offset, k->size, code + k->low);
        *news += 1;
        if (!pkt_list_get_bit(c, &more))
            return false;
    }
    *count = n;
    return true;
}

/* ---- explaining */

bool pkt_explain_next_key(pkt_cursor *c, const pkt_keys *k, const char *name, const uint64_t *before, uint64_t *code)
{
    const uint64_t start = c->bit, least = before ? *before + 1 : 0;
    const unsigned far_bits = pkt_key_far_bits(k->span);
    const uint64_t left = c->limit > start ? c->limit - start : 0;
    uint64_t word, increase;
    unsigned zeros, bits;
    if (!c->reading) {
        if (*code > k->span)
            return pkt_explain_fail(c, PKT_ERROR_RANGE, start, name);
        if (before && *code <= *before)
            return pkt_explain_fail(c, PKT_ERROR_ORDER, start, name);
        if (c->baseline)
            return true;
        increase = *code - least;
        bits = increase < PKT_FAR - 1 ? pkt_differences[increase + 1].bits : 6 + far_bits;
        if (bits > left)
            return pkt_explain_fail(c, PKT_ERROR_CAPACITY, start, name);
        c->bit += bits;
        return true;
    }
    word = left != 0 ? pkt_peek(c, true) : 0;
    zeros = pkt_zeros(word, 6);
    bits = zeros < 6 ? (2 - ((unsigned)word & 1)) + 2 * zeros : 6 + far_bits;
    if (bits > left)
        return pkt_explain_fail(c, PKT_ERROR_END, start, name);
    if (!pkt_key_get(c, &increase, k->span, 0, true) || (before && *before >= k->span) || increase > k->span - least)
        return pkt_explain_fail(c, PKT_ERROR_RANGE, start, name);
    *code = least + increase;
    return true;
}

bool pkt_explain_key(pkt_cursor *c, const pkt_keys *k, const pkt_entry *key, char *elements, uint32_t i)
{
    uint64_t before = 0, code = 0;
    if (i != 0)
        before = pkt_key_at(k, elements, i - 1);
    if (!c->reading)
        code = pkt_key_at(k, elements, i);
    if (!pkt_explain_next_key(c, k, key->name, i != 0 ? &before : NULL, &code))
        return false;
    if (c->reading)
        pkt_entry_store(elements + (size_t)i * k->stride + k->offset, k->size, code + k->low);
    return true;
}

bool pkt_explain_keys(pkt_cursor *c, const pkt_keys *k, const pkt_entry *element, char *elements, uint32_t count)
{
    const pkt_entry *key = pkt_key_entry((const pkt_type *)element->of);
    const bool baseline = c->baseline;
    bool good = true;
    uint32_t i = 0;
    c->baseline = true;
    while (good && key && i < count) /* a list has a key */
        good = pkt_explain_key(c, k, key, elements, i++);
    c->baseline = baseline;
    if (good)
        return true;
    pkt_explain_outer(c, element->name);
    return pkt_explain_element(c, i - 1);
}
