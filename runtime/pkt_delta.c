/* pkt_delta.c - steps and other items of deltas, in all modes.
 * SPDX-License-Identifier: MIT
 *
 * Functions that put or get an item return PKT_OK, or the code of the error. To explain a write means to measure it.
 */
#include "pkt_delta.h"

void pkt_put_changes(pkt_cursor *c, uint64_t mask, unsigned count)
{
    pkt_put_item(c, mask, count);
}

uint64_t pkt_get_changes(pkt_cursor *c, unsigned count)
{
    return pkt_get_item(c, count);
}

uint64_t pkt_get_alone(const pkt_cursor *c)
{
    return pkt_peek(c, true);
}

void pkt_put_alone(pkt_cursor *c, unsigned bits)
{
    pkt_push(c, c->word, bits);
}

bool pkt_put_varying(pkt_mode mode, pkt_cursor *c, uint64_t v, unsigned compact, unsigned bits)
{
    return compact == PKT_FORM_OR_RAW ? pkt_or_raw_put(mode, c, v, bits, 0, true)
                                      : pkt_compact_put(mode, c, v, compact, 0, true);
}

pkt_code pkt_get_varying(pkt_cursor *c, uint64_t *v, unsigned compact, unsigned bits)
{
    const uint64_t start = c->bit;
    if (!pkt_need(PKT_READ, c, 1))
        return PKT_ERROR_END;
    if (compact == PKT_FORM_OR_RAW ? pkt_or_raw_get(c, v, bits, 0, true) : pkt_compact_get(c, v, compact, 0, true))
        return PKT_OK;
    return c->bit == start ? PKT_ERROR_END : PKT_ERROR_CANONICAL;
}

/* ---- steps */

/* How a code is written as a step from another one: `1` and the difference in s bits; or `01` and, in l bits, the
 * difference beyond those that fit into s bits; or `00` and the code itself. The writer takes the shortest form that
 * fits, so a reader only has to refuse `00` where a step would have fitted. A baseline may have a number without a
 * code: no step leads from it. */
typedef struct pkt_step_form {
    uint64_t raw;
    unsigned prefix, prefix_bits, bits;
} pkt_step_form;

PKT_INLINE pkt_step_form pkt_step_of(const uint64_t old, const uint64_t now, const pkt_steps *k)
{
    const uint64_t half_s = UINT64_C(1) << (k->s - 1), half_l = UINT64_C(1) << (k->l - 1);
    /* A step down goes one further than a step up. */
    const bool down = now <= old;
    const uint64_t distance = down ? old - now : now - old, beyond = distance - half_s;
    pkt_step_form way;
    if (old <= k->span && distance < half_s + down) {
        way.raw = now - old + half_s;
        way.bits = k->s;
        way.prefix = way.prefix_bits = 1;
    } else if (old <= k->span && beyond < half_l + down) {
        way.raw = down ? half_l - beyond : half_l + beyond;
        way.bits = k->l;
        way.prefix = way.prefix_bits = 2;
    } else {
        way.raw = pkt_wire_of_code(now, k->flip, k->bits);
        way.bits = k->bits;
        way.prefix = 0;
        way.prefix_bits = 2;
    }
    return way;
}

/* The code to which a small or large step leads from `old`. False if that is out of range. */
static bool pkt_step_to(const uint64_t old, uint64_t *now, const bool is_small, const uint64_t raw, const pkt_steps *k)
{
    const uint64_t half = UINT64_C(1) << ((is_small ? k->s : k->l) - 1),
                   skipped = is_small ? 0 : UINT64_C(1) << (k->s - 1);
    const bool up = raw >= half;
    const uint64_t distance = (up ? raw - half : half - raw) + skipped;
    *now = up ? old + distance : old - distance;
    return old <= k->span && distance >= skipped && distance <= (up ? k->span - old : old);
}

/* A form that does not fit into one word, or has no fixed width. */
static PKT_NOINLINE pkt_code pkt_step_put_long(const pkt_mode mode, pkt_cursor *c, const uint64_t now,
                                               const pkt_steps *k, const pkt_step_form *way)
{
    const bool compact = k->compact != 0 && way->prefix == 0;
    const unsigned bits = way->prefix_bits + (compact ? 0 : way->bits);
    if (!pkt_need(mode, c, bits))
        return PKT_ERROR_CAPACITY;
    if (mode != PKT_WRITE) {
        c->bit += bits;
    } else {
        pkt_put_changes(c, way->prefix, way->prefix_bits);
        if (!compact)
            pkt_put_changes(c, way->raw, way->bits);
    }
    return !compact || pkt_put_varying(mode, c, now, k->compact, k->bits) ? PKT_OK : PKT_ERROR_CAPACITY;
}

static pkt_code pkt_step_put(const pkt_mode mode, pkt_cursor *c, const uint64_t old, const uint64_t now,
                             const pkt_steps *k)
{
    const pkt_step_form way = pkt_step_of(old, now, k);
    const unsigned bits = way.prefix_bits + way.bits;
    if (k->compact == 0 && pkt_over(now, k->span))
        return PKT_ERROR_RANGE;
    if (PKT_UNLIKELY(bits > 56 || (k->compact != 0 && way.prefix == 0)))
        return pkt_step_put_long(mode, c, now, k, &way);
    if (mode != PKT_WRITE) {
        c->bit += bits;
        return PKT_OK;
    }
    if (!pkt_need(PKT_WRITE, c, bits))
        return PKT_ERROR_CAPACITY;
    pkt_push(c, way.prefix | way.raw << way.prefix_bits, bits);
    return PKT_OK;
}

/* Puts a small step for which there certainly is room. Most steps are small, and this takes half of the time of
 * pkt_step_put. Returns false, and writes nothing, if the step is not small. */
PKT_INLINE bool pkt_small_step_put(const pkt_mode mode, pkt_cursor *c, const uint64_t old, const uint64_t now,
                                   const pkt_steps *k)
{
    uint64_t raw;
    /* With spans of 64 bits a difference may wrap. */
    if (k->s > 55 || k->span >> 63 != 0 || pkt_over(old, k->span) || pkt_over(now, k->span))
        return false;
    raw = now - old + (UINT64_C(1) << (k->s - 1));
    if (raw >> k->s != 0)
        return false;
    if (mode != PKT_WRITE) {
        c->bit += 1 + k->s;
        return true;
    }
    if (c->bit / 8 + 8 > c->limit / 8)
        return false;
    pkt_push(c, 1 | raw << 1, 1 + k->s);
    return true;
}

static pkt_code pkt_step_get(pkt_cursor *c, const uint64_t old, uint64_t *now, const pkt_steps *k)
{
    uint64_t ahead;
    /* Every form has at least 2 bits. The full form of a compact number may have fewer bits than a step. */
    if (!pkt_need(PKT_READ, c, 2))
        return PKT_ERROR_END;
    ahead = pkt_peek(c, true);
    if ((ahead & 3) != 0) {
        const bool is_small = (ahead & 1) != 0;
        const unsigned prefix = is_small ? 1 : 2, bits = is_small ? k->s : k->l;
        c->bit += prefix;
        if (!pkt_need(PKT_READ, c, bits))
            return PKT_ERROR_END;
        if (PKT_UNLIKELY(bits > 55)) {
            ahead = pkt_get_changes(c, bits);
        } else {
            ahead = ahead >> prefix & pkt_mask(bits);
            c->bit += bits;
        }
        if (!pkt_step_to(old, now, is_small, ahead, k))
            return PKT_ERROR_RANGE;
        return *now == old && !k->may_equal ? PKT_ERROR_CANONICAL : PKT_OK;
    }
    c->bit += 2;
    if (k->compact != 0) {
        const pkt_code code = pkt_get_varying(c, now, k->compact, k->bits);
        if (code != PKT_OK)
            return code;
        if (pkt_over(*now, k->span) && *now < PKT_RAW_CODE)
            return PKT_ERROR_RANGE;
    } else {
        if (!pkt_need(PKT_READ, c, k->bits))
            return PKT_ERROR_END;
        *now = pkt_code_of_wire(pkt_get_changes(c, k->bits), k->flip, k->bits);
        if (pkt_over(*now, k->span))
            return PKT_ERROR_RANGE;
    }
    return pkt_step_of(old, *now, k).prefix != 0 || (*now == old && !k->may_equal) ? PKT_ERROR_CANONICAL : PKT_OK;
}

/* On a circle: a step from the middle, or the code itself. Without an old code there is no step. */
static pkt_code pkt_step_around_put(const pkt_mode mode, pkt_cursor *c, const uint64_t old, const uint64_t now,
                                    const pkt_steps *k)
{
    if (old <= k->span && now <= k->span) {
        const uint64_t middle = k->span / 2, seen = pkt_seen_from(old, now, k->span);
        if (pkt_step_of(middle, seen, k).prefix != 0)
            return pkt_step_put(mode, c, middle, seen, k);
    }
    return pkt_step_put(mode, c, PKT_FAILED, now, k);
}

static pkt_code pkt_step_around_get(pkt_cursor *c, const uint64_t old, uint64_t *now, const pkt_steps *k)
{
    const uint64_t middle = k->span / 2;
    pkt_code code;
    if (!pkt_need(PKT_READ, c, 2))
        return PKT_ERROR_END;
    if ((pkt_peek(c, true) & 3) != 0 && old <= k->span) {
        uint64_t seen;
        code = pkt_step_get(c, middle, &seen, k);
        if (code == PKT_OK)
            *now = pkt_unseen_from(old, seen, k->span);
        return code;
    }
    code = pkt_step_get(c, PKT_FAILED, now, k);
    if (code == PKT_OK && old <= k->span && pkt_step_of(middle, pkt_seen_from(old, *now, k->span), k).prefix != 0)
        return PKT_ERROR_CANONICAL;
    return code;
}

/* Component i of the three in the code of a quaternion. */
static uint64_t pkt_quat_part(uint64_t code, unsigned i, unsigned parts)
{
    return code >> (2 + i * parts) & pkt_mask(parts);
}

/* If the greatest component is the same one as before, and each of the three others is within a step: `1`, and for each
 * of them `1` and s bits, or `0` and l bits. Otherwise `0` and the code itself. k describes one component. */
static pkt_code pkt_quat_step_put(const pkt_mode mode, pkt_cursor *c, const uint64_t old, const uint64_t now,
                                  const pkt_steps *k)
{
    const unsigned parts = k->bits;
    const uint64_t half_s = UINT64_C(1) << (k->s - 1), half_l = UINT64_C(1) << (k->l - 1);
    bool fits = old != PKT_FAILED && ((old ^ now) & 3) == 0;
    unsigned bits = 1;
    uint64_t word = 1; /* of at most 64 bits: 20 for a large step, and one before each */
    if (now == PKT_FAILED)
        return PKT_ERROR_RANGE;
    for (unsigned i = 0; fits && i < 3; i++) {
        /* As pkt_step_of, but both components are in range, and differences of so few bits do not wrap. */
        const uint64_t from = pkt_quat_part(old, i, parts), to = pkt_quat_part(now, i, parts);
        const uint64_t step_s = to - from + half_s, step_l = step_s + half_l - (to > from ? 2 * half_s : 0);
        if (step_s >> k->s == 0) {
            word |= (1 | step_s << 1) << bits;
            bits += 1 + k->s;
        } else {
            fits = step_l >> k->l == 0;
            word |= step_l << 1 << bits;
            bits += 1 + k->l;
        }
    }
    if (!fits) {
        bits = 1 + 2 + 3 * parts;
        word = now << 1;
    }
    if (mode != PKT_WRITE) {
        c->bit += bits;
        return PKT_OK;
    }
    if (!pkt_need(PKT_WRITE, c, bits))
        return PKT_ERROR_CAPACITY;
    pkt_put_item(c, word, bits);
    return PKT_OK;
}

/* Whether a step leads to each of the three components. */
static bool pkt_is_step(uint64_t old, uint64_t now, const pkt_steps *k)
{
    bool fits = old != PKT_FAILED && ((old ^ now) & 3) == 0;
    for (unsigned i = 0; fits && i < 3; i++)
        fits = pkt_step_of(pkt_quat_part(old, i, k->bits), pkt_quat_part(now, i, k->bits), k).prefix != 0;
    return fits;
}

static pkt_code pkt_quat_step_get(pkt_cursor *c, const uint64_t old, uint64_t *code, const pkt_steps *k)
{
    const unsigned parts = k->bits;
    uint64_t now = old & 3;
    bool in_range = true, refused;
    if (!pkt_need(PKT_READ, c, 1))
        return PKT_ERROR_END;
    if (pkt_get_changes(c, 1) == 0) {
        if (!pkt_need(PKT_READ, c, 2 + 3 * parts))
            return PKT_ERROR_END;
        now = pkt_get_changes(c, 2 + 3 * parts);
        refused = pkt_is_step(old, now, k);
    } else {
        in_range = old != PKT_FAILED;
        for (unsigned i = 0; i < 3; i++) {
            uint64_t ahead, part;
            unsigned bits;
            if (!pkt_need(PKT_READ, c, 1 + k->s))
                return PKT_ERROR_END;
            ahead = pkt_peek(c, true);
            bits = (ahead & 1) != 0 ? k->s : k->l;
            if (!pkt_need(PKT_READ, c, 1 + bits))
                return PKT_ERROR_END;
            c->bit += 1 + bits;
            in_range &=
                pkt_step_to(pkt_quat_part(old, i, parts), &part, (ahead & 1) != 0, ahead >> 1 & pkt_mask(bits), k);
            now |= part << (2 + i * parts);
        }
        refused = now == old && !k->may_equal;
    }
    *code = now;
    if (!in_range)
        return PKT_ERROR_RANGE;
    return refused ? PKT_ERROR_CANONICAL : PKT_OK;
}

/* Not inlined: a reader need not save the registers that a writer uses. */
static PKT_NOINLINE bool pkt_step_put_any(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t now, const pkt_steps *k)
{
    return pkt_small_step_put(mode, c, old, now, k) || pkt_step_put(mode, c, old, now, k) == PKT_OK;
}

bool pkt_step_value(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k)
{
    return mode == PKT_READ ? pkt_step_get(c, old, now, k) == PKT_OK : pkt_step_put_any(mode, c, old, *now, k);
}

bool pkt_step_around(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k)
{
    return (mode == PKT_READ ? pkt_step_around_get(c, old, now, k) : pkt_step_around_put(mode, c, old, *now, k)) ==
           PKT_OK;
}

bool pkt_step_quat(pkt_mode mode, pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k)
{
    return (mode == PKT_READ ? pkt_quat_step_get(c, old, now, k) : pkt_quat_step_put(mode, c, old, *now, k)) == PKT_OK;
}

/* ---- explaining */

bool pkt_explain_step(pkt_cursor *c, uint64_t old, uint64_t *now, const pkt_steps *k, bool wraps, const char *field)
{
    const uint64_t start = c->bit;
    pkt_code code;
    if (wraps)
        code = c->reading ? pkt_step_around_get(c, old, now, k) : pkt_step_around_put(PKT_CHECK, c, old, *now, k);
    else
        code = c->reading ? pkt_step_get(c, old, now, k) : pkt_step_put(PKT_CHECK, c, old, *now, k);
    return pkt_explain_outcome(c, code, start, field);
}

bool pkt_explain_quat_step(pkt_cursor *c, pkt_quat old, pkt_quat *q, const pkt_steps *k, const char *field)
{
    const uint64_t start = c->bit, old_code = pkt_code_of_quat(old, k->bits);
    uint64_t now = c->reading ? 0 : pkt_code_of_quat(*q, k->bits);
    pkt_code code =
        c->reading ? pkt_quat_step_get(c, old_code, &now, k) : pkt_quat_step_put(PKT_CHECK, c, old_code, now, k);
    if (c->reading && (code == PKT_OK || code == PKT_ERROR_CANONICAL) && !pkt_quat_value(now, k->bits, q))
        code = PKT_ERROR_RANGE;
    return pkt_explain_outcome(c, code, start, field);
}

uint64_t pkt_measure_delta(const void *base, const void *v, uint64_t start_bit, pkt_delta_write *write)
{
    pkt_writer w;
    pkt_measuring_writer(&w, start_bit);
    return pkt_measured(start_bit, write(&w, base, v) ? w.bit : PKT_FAILED);
}
