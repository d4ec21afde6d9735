/* pkt_explain.c - finds out which field failed, and why.
 * SPDX-License-Identifier: MIT
 *
 * Fast code checks many fields at once, and early. If a check fails, the functions here repeat the write or the read
 * field by field, so that the error reported is the first one in the order of the wire. They store nothing in the
 * buffer.
 */
#include "pkt_explain.h"

#include "pkt_real.h"
#include "pkt_varying.h"

bool pkt_explain_fail(pkt_cursor *c, pkt_code code, uint64_t bit, const char *field)
{
    c->error->code = code;
    c->error->bit = bit;
    c->error->field[0] = 0;
    pkt_error_outer(c->error, field);
    return false;
}

bool pkt_explain_outer(pkt_cursor *c, const char *outer)
{
    pkt_error_outer(c->error, outer);
    return false;
}

/* Whether an item of this many bits is in the data, or fits into the buffer. If not, records the error. */
static bool room(pkt_cursor *c, uint64_t bits, const char *field)
{
    if (pkt_need(PKT_READ, c, bits))
        return true;
    return pkt_explain_fail(c, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, c->bit, field);
}

/* The next `bits` bits, which are in the data, at any position. For the prover, the result depends on nothing, because
 * it has no addresses in it. */
/*@ requires bits <= 64 && \valid_read(c) && c->bit <= UINT64_MAX - 64;
  @ requires bits == 0 || \valid_read(c->from + (c->bit / 8 .. (c->bit + bits - 1) / 8));
  @ assigns \result \from \nothing; */
static uint64_t take(const pkt_cursor *c, unsigned bits)
{
    uint64_t v = 0;
    /*@ loop invariant 0 <= i <= bits;
      @ loop assigns i, v;
      @ loop variant bits - i; */
    for (unsigned i = 0; i < bits; i++) {
        uint64_t at = c->bit + i;
        v |= (uint64_t)(c->from[at / 8] >> at % 8 & 1) << i;
    }
    return v;
}

bool pkt_explain_leaf(pkt_cursor *c, uint64_t *raw, uint64_t span, unsigned bits, const char *field)
{
    if (!c->reading && *raw > span)
        return pkt_explain_fail(c, PKT_ERROR_RANGE, c->bit, field);
    if (!room(c, bits, field))
        return false;
    if (c->reading) {
        *raw = take(c, bits);
        if (*raw > span)
            return pkt_explain_fail(c, PKT_ERROR_RANGE, c->bit, field);
    }
    c->bit += bits;
    return true;
}

bool pkt_explain_quantized(pkt_cursor *c, float *v, float lo, float hi, uint32_t steps, unsigned bits,
                           const char *field)
{
    uint64_t code = 0;
    if (!c->reading) {
        code = pkt_quantize(*v, lo, hi, steps);
        if (code == UINT32_MAX)
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, field);
    }
    if (!pkt_explain_leaf(c, &code, steps, bits, field))
        return false;
    if (c->reading)
        *v = pkt_dequantize((uint32_t)code, lo, hi, steps);
    return true;
}

bool pkt_explain_quantized64(pkt_cursor *c, double *v, double lo, double hi, uint64_t steps, unsigned bits,
                             const char *field)
{
    uint64_t code = 0;
    if (!c->reading) {
        code = pkt_quantize64(*v, lo, hi, steps);
        if (code == UINT64_MAX)
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, field);
    }
    if (!pkt_explain_leaf(c, &code, steps, bits, field))
        return false;
    if (c->reading)
        *v = pkt_dequantize64(code, lo, hi, steps);
    return true;
}

/* Records an error for the item that began at `start`, unless `holds`. */
static bool judge(pkt_cursor *c, bool holds, pkt_code code, uint64_t start, const char *field)
{
    if (holds)
        return true;
    c->bit = start;
    return pkt_explain_fail(c, code, start, field);
}

bool pkt_explain_quat(pkt_cursor *c, const pkt_quat *in, pkt_quat *out, unsigned bits, const char *field)
{
    const uint64_t start = c->bit;
    uint64_t code = c->reading ? 0 : pkt_quat_code(*in, bits);
    if (!pkt_explain_leaf(c, &code, pkt_mask(2 + 3 * bits), 2 + 3 * bits, field))
        return false;
    return judge(c, !c->reading || pkt_quat_value(code, bits, out), PKT_ERROR_RANGE, start, field);
}

bool pkt_explain_unit(pkt_cursor *c, const pkt_vec3 *in, pkt_vec3 *out, unsigned bits, const char *field)
{
    const uint64_t start = c->bit;
    uint64_t code = c->reading ? 0 : pkt_unit_code(*in, bits);
    if (!pkt_explain_leaf(c, &code, pkt_mask(2 * bits), 2 * bits, field))
        return false;
    if (!judge(c, !c->reading || pkt_unit_in_range(code, bits), PKT_ERROR_RANGE, start, field))
        return false;
    return judge(c, !c->reading || pkt_unit_value(code, bits, out), PKT_ERROR_CANONICAL, start, field);
}

/* The number of bits equal to `bit` from here on: at most max, and not past the end of the data. */
static unsigned row(const pkt_cursor *c, unsigned bit, unsigned max)
{
    pkt_cursor here = *c;
    unsigned n = 0;
    for (; n < max && here.bit < here.limit && take(&here, 1) == bit; n++)
        here.bit++;
    return n;
}

bool pkt_explain_compact(pkt_cursor *c, uint64_t *v, unsigned bytes, const char *field)
{
    const uint64_t start = c->bit;
    pkt_compact_form form;
    if (c->reading)
        form = pkt_compact_form_of(row(c, 1, bytes), bytes);
    else
        form = pkt_compact_form_for(*v, bytes);
    /*@ split form.head; */
    /*@ split form.bits; */
    if (!room(c, form.head + form.bits, field))
        return false;
    c->bit += form.head;
    if (c->reading)
        *v = take(c, form.bits);
    c->bit += form.bits;
    return judge(c, pkt_compact_form_for(*v, bytes).zeros == form.zeros, PKT_ERROR_CANONICAL, start, field);
}

bool pkt_explain_after(pkt_cursor *c, uint32_t *v, uint32_t start, const char *field)
{
    const uint64_t at = c->bit;
    const unsigned number = c->reading ? row(c, 0, PKT_AFTER_LAST) : pkt_after_tier_for((uint64_t)*v - start);
    const pkt_after_tier tier = pkt_after_tier_of(number);
    uint64_t raw, value = *v;
    if (!c->reading && *v <= start)
        return pkt_explain_fail(c, PKT_ERROR_ORDER, at, field);
    /*@ split tier.head; */
    /*@ split tier.bits; */
    if (!room(c, (uint64_t)tier.head + tier.bits, field))
        return false;
    c->bit += tier.head;
    if (c->reading) {
        raw = take(c, tier.bits);
        value = pkt_after_value(raw, start, number);
        if (!judge(c, raw <= tier.span && value <= UINT32_MAX, PKT_ERROR_RANGE, at, field))
            return false;
        if (!judge(c, value > start, PKT_ERROR_ORDER, at, field))
            return false;
        if (!judge(c, pkt_after_tier_for(value - start) == number, PKT_ERROR_CANONICAL, at, field))
            return false;
    }
    c->bit += tier.bits;
    *v = (uint32_t)value;
    return true;
}

bool pkt_explain_constant(pkt_cursor *c, uint64_t value, unsigned bits, const char *field)
{
    if (!room(c, bits, field))
        return false;
    if (c->reading && take(c, bits) != value)
        return pkt_explain_fail(c, PKT_ERROR_CHECK, c->bit, field);
    c->bit += bits;
    return true;
}

bool pkt_explain_align(pkt_cursor *c, const char *field)
{
    unsigned padding = (unsigned)pkt_padding(c);
    /*@ split padding; */
    if (!room(c, padding, field))
        return false;
    if (c->reading && take(c, padding) != 0)
        return pkt_explain_fail(c, PKT_ERROR_PADDING, c->bit, field);
    c->bit += padding;
    return true;
}

bool pkt_explain_bytes(pkt_cursor *c, uint8_t *out, uint64_t size, const char *field)
{
    /*@ split size; */
    if (!room(c, 8 * size, field))
        return false;
    if (c->reading && size != 0)
        memcpy(out, c->from + c->bit / 8, (size_t)size);
    c->bit += 8 * size;
    return true;
}

bool pkt_explain_elements(pkt_cursor *c, uint8_t *out, uint64_t size, const char *field)
{
    uint64_t there = (c->limit - c->bit) / 8;
    if (there >= size)
        return pkt_explain_bytes(c, out, size, field);
    c->bit += 8 * there;
    return room(c, 8, field);
}

bool pkt_explain_text(pkt_cursor *c, const char *in, char *out, uint32_t size, const char *field)
{
    /*@ split size; */
    if (!pkt_explain_align(c, field))
        return false;
    if (!c->reading && !pkt_text_valid((const uint8_t *)in, size))
        return pkt_explain_fail(c, PKT_ERROR_UTF8, c->bit, field);
    if (!room(c, 8 * (uint64_t)size, field))
        return false;
    if (c->reading) {
        if (!pkt_text_copy(out, size != 0 ? c->from + c->bit / 8 : NULL, size)) {
            out[0] = 0;
            return pkt_explain_fail(c, PKT_ERROR_UTF8, c->bit, field);
        }
        out[size] = 0;
    }
    c->bit += 8 * (uint64_t)size;
    return true;
}
