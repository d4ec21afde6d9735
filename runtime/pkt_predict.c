/* pkt_predict.c - predicts numbers of a baseline: continues their motion, in whole steps of their codes.
 * SPDX-License-Identifier: MIT
 *
 * It computes with integers only, so the result is the same on every machine.
 */
#include "pkt_coder.h"

pkt_coding pkt_coding_of(const void *base, const pkt_motion *motion)
{
    enum { AGE_MOST = 65535 };
    pkt_coding k = {base, NULL, 0, 1, 0, false, false, false};
    if (!motion || motion->back > AGE_MOST)
        return k;
    k.back = motion->back;
    if (motion->before && motion->gap - 1 < AGE_MOST) {
        k.before = motion->before;
        k.gap = motion->gap;
    }
    return k;
}

bool pkt_next_moved(uint32_t *i, uint32_t *end, const void *now, const void *base, const void *before, size_t each,
                    uint32_t most, uint32_t held)
{
    enum { BLOCK = 16 };
    const size_t size = BLOCK * each;
    uint32_t at = *end;
    for (; PKT_READS_PADDING && at + BLOCK <= held; at += BLOCK) {
        const char *const old = (const char *)base + at * each;
        if ((base != before && memcmp(old, (const char *)before + at * each, size) != 0) ||
            (now != base && memcmp(old, (const char *)now + at * each, size) != 0))
            break;
    }
    *i = at;
    *end = most - at < BLOCK ? most : at + BLOCK;
    return at < most;
}

/* How far a code that went `moved` in `gap` ticks goes in `back` ticks. */
static uint64_t pkt_way_on(uint64_t moved, uint64_t back, uint64_t gap)
{
    return (moved * back * 2 + gap) / (2 * gap);
}

/* The code that is reached from `was` if it goes on as from `from`. */
static uint64_t pkt_gone_on(uint64_t was, uint64_t from, uint64_t way, uint64_t span)
{
    const bool up = was > from;
    const uint64_t most = up ? span - was : was;
    if (way > most)
        way = most;
    return up ? was + way : was - way;
}

/* The codes of a raw real are no straight line: one that goes to twice its value, or past 0, goes anywhere. So it stays if it would
 * go farther than `farthest`. */
PKT_INLINE bool pkt_move_here(const pkt_coding *k, uint64_t was, uint64_t from, uint64_t span, uint64_t farthest,
                              uint64_t *to)
{
    uint64_t way;
    *to = k->gap == 0 ? from : was;
    if (k->gap == 0 || was == from || was > span || from > span)
        return false;
    way = pkt_way_on(was > from ? was - from : from - was, k->back, k->gap);
    if (way > farthest)
        return false;
    *to = pkt_gone_on(was, from, way, span);
    return true;
}

bool pkt_move_value(const pkt_coding *k, uint64_t was, uint64_t from, uint64_t span, uint64_t farthest, uint64_t *to)
{
    return pkt_move_here(k, was, from, span, farthest, to);
}

bool pkt_move_around(const pkt_coding *k, uint64_t was, uint64_t from, uint64_t span, uint64_t farthest, uint64_t *to)
{
    const uint64_t middle = span / 2;
    uint64_t seen, way;
    (void)farthest;
    *to = k->gap == 0 ? from : was;
    if (k->gap == 0 || was == from || was > span || from > span)
        return false;
    seen = pkt_seen_from(from, was, span);
    way = pkt_way_on(seen > middle ? seen - middle : middle - seen, k->back, k->gap) % (span + 1);
    *to = (was + (seen > middle ? way : span + 1 - way)) % (span + 1);
    return true;
}

bool pkt_moves_step(const pkt_coding *k, float now, float base, float before, float lo, float hi, uint32_t steps,
                    pkt_step_codes *codes)
{
    if (pkt_float_bits(base) != pkt_float_bits(before)) {
        const uint32_t from = pkt_quantize(before, lo, hi, steps);
        codes->was = pkt_quantize(base, lo, hi, steps);
        if (steps >> 31 != 0)
            (void)pkt_move_around(k, codes->was, from, PKT_LAST_CODE(steps), UINT64_MAX, &codes->old);
        else
            (void)pkt_move_here(k, codes->was, from, steps, UINT64_MAX, &codes->old);
        if (codes->old != codes->was) {
            codes->now = pkt_quantize(now, lo, hi, steps);
            return codes->now != codes->old;
        }
    }
    if (!pkt_step_differs(now, base, lo, hi, steps, codes))
        return false;
    codes->was = codes->old;
    return true;
}

bool pkt_moves_step64(const pkt_coding *k, double now, double base, double before, double lo, double hi, uint64_t steps,
                      pkt_step_codes *codes)
{
    if (pkt_double_bits(base) != pkt_double_bits(before)) {
        const uint64_t from = pkt_quantize64(before, lo, hi, steps), last = PKT_LAST_CODE64(steps);
        codes->was = pkt_quantize64(base, lo, hi, steps);
        (void)(steps >> 63 != 0 ? pkt_move_around : pkt_move_value)(k, codes->was, from, last, UINT64_MAX, &codes->old);
        if (codes->old != codes->was) {
            codes->now = pkt_quantize64(now, lo, hi, steps);
            return codes->now != codes->old;
        }
    }
    if (!pkt_step_differs64(now, base, lo, hi, steps, codes))
        return false;
    codes->was = codes->old;
    return true;
}

bool pkt_goes_step(float now, float base, int64_t way, float lo, float hi, uint32_t steps, pkt_step_codes *codes)
{
    if (way != 0) {
        const uint32_t span = PKT_LAST_CODE(steps);
        codes->was = pkt_quantize(base, lo, hi, steps);
        codes->old = (steps >> 31 != 0 ? pkt_go_around : pkt_go_value)(codes->was, way, span);
        codes->now = pkt_quantize(now, lo, hi, steps);
        if (codes->old != codes->was)
            return codes->now != codes->old;
    }
    if (!pkt_step_differs(now, base, lo, hi, steps, codes))
        return false;
    codes->was = codes->old;
    return true;
}

bool pkt_goes_step64(double now, double base, int64_t way, double lo, double hi, uint64_t steps, pkt_step_codes *codes)
{
    if (way != 0) {
        const uint64_t span = PKT_LAST_CODE64(steps);
        codes->was = pkt_quantize64(base, lo, hi, steps);
        codes->old = (steps >> 63 != 0 ? pkt_go_around : pkt_go_value)(codes->was, way, span);
        codes->now = pkt_quantize64(now, lo, hi, steps);
        if (codes->old != codes->was)
            return codes->now != codes->old;
    }
    if (!pkt_step_differs64(now, base, lo, hi, steps, codes))
        return false;
    codes->was = codes->old;
    return true;
}

/* Rotations lose half of their motion, because few things turn as steadily as they fly. */
bool pkt_move_quat(const pkt_coding *k, uint64_t was, uint64_t from, uint64_t span, uint64_t farthest, uint64_t *to)
{
    const unsigned bits = (unsigned)farthest;
    const int64_t most = (int64_t)span, gap = 4 * (int64_t)k->gap;
    uint64_t code = was & 3, mask = pkt_mask(bits);
    int64_t sum = 0, greatest = 0;
    pkt_quat unused;
    *to = k->gap == 0 ? from : was;
    if (k->gap == 0 || was == from || was == PKT_FAILED || from == PKT_FAILED || ((was ^ from) & 3) != 0)
        return false;
    for (unsigned at = 2; at < 2 + 3 * bits; at += bits) {
        const int64_t part = (int64_t)(was >> at & mask), moved = part - (int64_t)(from >> at & mask);
        const int64_t way = ((moved < 0 ? -moved : moved) * k->back * 2 + gap / 2) / gap;
        int64_t there = moved < 0 ? part - way : part + way, size;
        there = there < 0 ? 0 : there > most ? most : there;
        size = 2 * there - most;
        size *= size;
        code |= (uint64_t)there << at;
        sum += size;
        greatest = size > greatest ? size : greatest;
    }
    /* The greatest component comes from the others: 2 span^2 - sum is its square in these units. Near the limit, the value decides. */
    if (sum + greatest >= 2 * most * most - (most * most >> 8) && !pkt_quat_value(code, bits, &unused))
        return false;
    *to = code;
    return true;
}

#ifndef PKT_WITHOUT_ROTATION
bool pkt_quat_step_moves(const pkt_coding *k, pkt_quat now, pkt_quat base, pkt_quat before, unsigned bits,
                         pkt_step_codes *codes)
{
    if (memcmp(&base, &before, sizeof base) != 0) {
        codes->was = pkt_code_of_quat(base, bits);
        (void)pkt_move_quat(k, codes->was, pkt_code_of_quat(before, bits), pkt_rotation_steps(bits), bits, &codes->old);
        if (codes->old != codes->was) {
            codes->now = pkt_code_of_quat(now, bits);
            return codes->now != codes->old;
        }
    }
    if (!pkt_quat_step_differs(now, base, bits, codes))
        return false;
    codes->was = codes->old;
    return true;
}
#endif
