/* pkt_explain.c - finds out which field failed, and why.
 * SPDX-License-Identifier: MIT
 *
 * Fast code checks many fields at once, and early. If a check fails, the functions here repeat the write or the read
 * field by field, so that the error reported is the first one in the order of the wire. They store nothing in the
 * buffer.
 */
#include "pkt_explain.h"

#include "pkt_ref.h"
#include "pkt_rotation.h"
#include "pkt_subset.h"
#include "pkt_varying.h"

bool pkt_explain_fail(pkt_cursor *c, pkt_code code, uint64_t bit, const char *field)
{
    c->error->code = code;
    c->error->bit = bit;
    c->error->field[0] = 0;
    return pkt_explain_outer(c, field);
}

/* The row of an array's elements has the name of the first one, such as "path[0]". */
bool pkt_explain_outcome(pkt_cursor *c, pkt_code code, uint64_t start, const char *field)
{
    if (code == PKT_OK && !c->reading && c->bit > c->limit)
        code = PKT_ERROR_CAPACITY;
    return code == PKT_OK || pkt_explain_fail(c, code, start, field);
}

bool pkt_explain_outer(pkt_cursor *c, const char *outer)
{
    pkt_error_outer_part(c->error, outer, strcspn(outer, "["));
    return false;
}

bool pkt_explain_element(pkt_cursor *c, uint64_t index)
{
    pkt_error_element(c->error, index);
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

/* Records an error for the item that began at `start`, unless `holds`. */
static bool judge(pkt_cursor *c, bool holds, pkt_code code, uint64_t start, const char *field)
{
    if (holds)
        return true;
    c->bit = start;
    return pkt_explain_fail(c, code, start, field);
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

/* ---- leaves: the value at `at`, which is read from there when a write is explained, else stored there */

static bool explain_bits(pkt_cursor *c, const pkt_line *l, char *at)
{
    uint64_t raw = c->reading ? 0 : pkt_line_load(at, l->size);
    if (!pkt_explain_leaf(c, &raw, pkt_mask(l->bits), l->bits, l->name))
        return false;
    if (c->reading)
        pkt_line_store(at, l->size, raw);
    return true;
}

static bool explain_bool(pkt_cursor *c, const char *field, char *at)
{
    bool v = false;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    uint64_t raw = v;
    if (!pkt_explain_leaf(c, &raw, 1, 1, field))
        return false;
    v = raw != 0;
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

static bool explain_int(pkt_cursor *c, const pkt_line *l, char *at)
{
    uint64_t raw = c->reading ? 0 : pkt_line_raw(l, at);
    if (!pkt_explain_leaf(c, &raw, l->span, l->bits, l->name))
        return false;
    if (c->reading)
        pkt_line_store(at, l->size, raw + l->low);
    return true;
}

static bool is_member(const pkt_values *values, uint64_t v)
{
    bool found = values->count == 0;
    for (uint32_t i = 0; i < values->count && !found; i++)
        found = values->list[i] == v;
    return found;
}

static bool explain_enum(pkt_cursor *c, const pkt_line *l, char *at)
{
    const uint64_t start = c->bit;
    uint64_t raw = c->reading ? 0 : pkt_line_raw(l, at);
    if (!pkt_explain_leaf(c, &raw, l->span, l->bits, l->name))
        return false;
    if (!is_member((const pkt_values *)l->of, raw + l->low))
        return pkt_explain_fail(c, PKT_ERROR_RANGE, start, l->name);
    if (c->reading)
        pkt_line_store(at, l->size, raw + l->low);
    return true;
}

static bool explain_half(pkt_cursor *c, const pkt_line *l, char *at)
{
    float v = 0.0f;
    uint64_t raw;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    raw = pkt_half_bits(v);
    if (!pkt_explain_leaf(c, &raw, UINT16_MAX, 16, l->name))
        return false;
    v = pkt_half_float((uint32_t)raw);
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

static bool explain_float(pkt_cursor *c, const pkt_line *l, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)l->of;
    const float low = (float)b->low, high = (float)b->high;
    const uint32_t steps = (uint32_t)l->span;
    float v = low;
    uint64_t code;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    code = pkt_quantize(v, low, high, steps);
    if (code == UINT32_MAX)
        return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, l->name);
    if (!pkt_explain_leaf(c, &code, steps, l->bits, l->name))
        return false;
    v = pkt_dequantize((uint32_t)code, low, high, steps);
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

static bool explain_double(pkt_cursor *c, const pkt_line *l, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)l->of;
    double v = b->low;
    uint64_t code;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    code = pkt_quantize64(v, b->low, b->high, l->span);
    if (code == UINT64_MAX)
        return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, l->name);
    if (!pkt_explain_leaf(c, &code, l->span, l->bits, l->name))
        return false;
    v = pkt_dequantize64(code, b->low, b->high, l->span);
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

static bool explain_quat(pkt_cursor *c, const pkt_line *l, char *at)
{
    const uint64_t start = c->bit;
    const unsigned bits = 2 + 3 * (unsigned)l->bits;
    pkt_quat q = pkt_quat_identity();
    uint64_t code = 0;
    if (!c->reading) {
        memcpy(&q, at, sizeof q);
        code = pkt_code_of_quat(q, l->bits);
    }
    if (!pkt_explain_leaf(c, &code, pkt_mask(bits), bits, l->name))
        return false;
    if (!judge(c, !c->reading || pkt_quat_value(code, l->bits, &q), PKT_ERROR_RANGE, start, l->name))
        return false;
    if (c->reading)
        memcpy(at, &q, sizeof q);
    return true;
}

static bool explain_unit(pkt_cursor *c, const pkt_line *l, char *at)
{
    const uint64_t start = c->bit;
    const unsigned bits = 2 * (unsigned)l->bits;
    pkt_vec3 v = pkt_vec3_z();
    uint64_t code = 0;
    if (!c->reading) {
        memcpy(&v, at, sizeof v);
        code = pkt_unit_code(v, l->bits);
    }
    if (!pkt_explain_leaf(c, &code, pkt_mask(bits), bits, l->name))
        return false;
    if (!judge(c, !c->reading || pkt_unit_in_range(code, l->bits), PKT_ERROR_RANGE, start, l->name))
        return false;
    if (!judge(c, !c->reading || pkt_unit_value(code, l->bits, &v), PKT_ERROR_CANONICAL, start, l->name))
        return false;
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

/* Repeating a read does not call target_of, because the read has failed anyway: refs become NULL. */
static bool explain_ref(pkt_cursor *c, const pkt_line *l, char *at)
{
    void *target = NULL;
    uint64_t id = 0;
    if (!c->reading) {
        memcpy(&target, at, sizeof target);
        id = pkt_ref_id(c, (uint32_t)l->low, target);
        if (id == PKT_NO_ID)
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, l->name);
    }
    if (!pkt_explain_leaf(c, &id, l->span, l->bits, l->name))
        return false;
    c->ref = id;
    if (c->reading)
        memcpy(at, &target, sizeof target);
    return true;
}

static bool explain_compact(pkt_cursor *c, const pkt_line *l, char *at)
{
    const uint64_t start = c->bit;
    const unsigned bytes = l->size;
    uint64_t v = c->reading ? 0 : pkt_line_load(at, bytes);
    pkt_compact_form form = pkt_compact_form_for(v, bytes);
    if (c->reading)
        form = pkt_compact_form_of(row(c, 1, bytes), bytes);
    /*@ split form.head; */
    /*@ split form.bits; */
    if (!room(c, form.head + form.bits, l->name))
        return false;
    c->bit += form.head;
    if (c->reading)
        v = take(c, form.bits);
    c->bit += form.bits;
    if (!judge(c, pkt_compact_form_for(v, bytes).zeros == form.zeros, PKT_ERROR_CANONICAL, start, l->name))
        return false;
    if (c->reading)
        pkt_line_store(at, bytes, v);
    return true;
}

/* start_at: the address of the member that it comes after. */
static bool explain_after(pkt_cursor *c, const pkt_line *l, char *at, const char *start_at)
{
    const uint64_t first = c->bit;
    const uint32_t start = (uint32_t)pkt_line_load(start_at, l->size),
                   v = c->reading ? 0 : (uint32_t)pkt_line_load(at, l->size);
    const unsigned number = c->reading ? row(c, 0, PKT_AFTER_LAST) : pkt_after_tier_for((uint64_t)v - start);
    const pkt_after_tier tier = pkt_after_tier_of(number);
    if (!c->reading && v <= start)
        return pkt_explain_fail(c, PKT_ERROR_ORDER, first, l->name);
    /*@ split tier.head; */
    /*@ split tier.bits; */
    if (!room(c, (uint64_t)tier.head + tier.bits, l->name))
        return false;
    c->bit += tier.head;
    if (c->reading) {
        const uint64_t raw = take(c, tier.bits), value = pkt_after_value(raw, start, number);
        if (!judge(c, raw <= tier.span && value <= UINT32_MAX, PKT_ERROR_RANGE, first, l->name))
            return false;
        if (!judge(c, value > start, PKT_ERROR_ORDER, first, l->name))
            return false;
        if (!judge(c, pkt_after_tier_for(value - start) == number, PKT_ERROR_CANONICAL, first, l->name))
            return false;
        pkt_line_store(at, l->size, value);
    }
    c->bit += tier.bits;
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

/* The next `size` bytes, at a whole byte, which are one item. */
static bool explain_copy(pkt_cursor *c, uint8_t *to, uint64_t size, const char *field)
{
    /*@ split size; */
    if (!room(c, 8 * size, field))
        return false;
    if (c->reading && size != 0)
        memcpy(to, c->from + c->bit / 8, (size_t)size);
    c->bit += 8 * size;
    return true;
}

static bool explain_bytes(pkt_cursor *c, const pkt_line *l, char *v, uint64_t i)
{
    const pkt_line *size = l + 1;
    if (!explain_int(c, size, pkt_line_at(size, v, i)) || !pkt_explain_align(c, l->name))
        return false;
    return explain_copy(c, (uint8_t *)pkt_line_at(l, v, i), pkt_line_load(pkt_line_at(size, v, i), size->size),
                        l->name);
}

static bool explain_text(pkt_cursor *c, const pkt_line *l, char *at)
{
    uint64_t raw = c->reading ? 0 : pkt_text_size(at, (uint32_t)l->span);
    uint32_t size;
    if (raw > l->span)
        return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, l->name);
    if (!pkt_explain_leaf(c, &raw, l->span, l->bits, l->name))
        return false;
    size = (uint32_t)raw;
    /*@ split size; */
    if (!pkt_explain_align(c, l->name))
        return false;
    if (!c->reading && !c->baseline && !pkt_text_valid((const uint8_t *)at, size))
        return pkt_explain_fail(c, PKT_ERROR_UTF8, c->bit, l->name);
    if (!room(c, 8 * (uint64_t)size, l->name))
        return false;
    if (c->reading) {
        if (!pkt_text_copy(at, size != 0 ? c->from + c->bit / 8 : NULL, size)) {
            *at = 0;
            return pkt_explain_fail(c, PKT_ERROR_UTF8, c->bit, l->name);
        }
        at[size] = 0;
    }
    c->bit += 8 * (uint64_t)size;
    return true;
}

/* ---- rows that contain other rows */

static bool explain_block(pkt_cursor *c, const pkt_lines *t, const pkt_line *l, const pkt_line *end, char *v)
{
    for (; l != end; l = pkt_line_behind(l))
        if (!pkt_explain_line(c, t, l, v, 0))
            return false;
    return true;
}

static bool explain_struct(pkt_cursor *c, const pkt_line *l, char *at)
{
    return pkt_explain_type(c, (const pkt_lines *)l->of, NULL, at) || pkt_explain_outer(c, l->name);
}

/* The member gets base values before the tag is stored. */
static bool explain_union(pkt_cursor *c, const pkt_line *l, char *v)
{
    uint64_t tag = c->reading ? 0 : pkt_line_load(v + l->offset, l->size);
    if (!pkt_explain_leaf(c, &tag, l->span, l->bits, l->name))
        return false;
    l += 1 + tag;
    if (c->reading) {
        const pkt_lines *of = (const pkt_lines *)l->of;
        memset(v + l->offset, 0, of->size);
        pkt_lines_blank(of, v + l->offset, false);
        pkt_line_store(v + (l - 1 - tag)->offset, (l - 1 - tag)->size, tag);
    }
    return explain_struct(c, l, v + l->offset);
}

static bool explain_counted(pkt_cursor *c, const pkt_lines *t, const pkt_line *l, char *v)
{
    uint64_t count;
    if (!pkt_explain_count(c, l, v))
        return false;
    count = pkt_line_load(v + l->other, l->size);
    for (uint64_t n = 0; n < count; n++)
        if (!pkt_explain_line(c, t, l + 1, v, n))
            return pkt_explain_element(c, n);
    return true;
}

static bool explain_sparse(pkt_cursor *c, const pkt_lines *t, const pkt_line *l, char *v)
{
    uint64_t *present = (uint64_t *)(void *)(v + l->other);
    pkt_subset s;
    if (c->reading)
        pkt_line_blank(l, v, 0, true);
    if (!pkt_explain_subset_begin(c, &s, (pkt_subset_kind)l->size, present, (uint32_t)l->span, (uint32_t)l->low,
                                  l->name))
        return false;
    while (pkt_explain_subset_next(c, &s, (pkt_subset_kind)l->size))
        if (!pkt_explain_line(c, t, l + 1, v, s.index))
            return pkt_explain_element(c, s.index);
    return s.whole;
}

static bool explain_optional(pkt_cursor *c, const pkt_lines *t, const pkt_line *l, char *v)
{
    bool has;
    if (!explain_bool(c, l->name, v + l->other))
        return false;
    memcpy(&has, v + l->other, sizeof has);
    if (has)
        return pkt_explain_line(c, t, l + 1, v, 0);
    if (c->reading)
        pkt_line_blank(l + 1, v, 0, true);
    return true;
}

/* Refuses a usual value that was sent, because a writer would not send it. */
static bool explain_unless(pkt_cursor *c, const pkt_lines *t, const pkt_line *l, char *v)
{
    const uint64_t start = c->bit;
    uint64_t sent = !c->reading && pkt_line_differs(l, v, 0, NULL);
    if (!pkt_explain_leaf(c, &sent, 1, 1, l->name))
        return false;
    if (sent == 0) {
        if (c->reading)
            pkt_line_blank(l, v, 0, true);
        return true;
    }
    if (!pkt_explain_line(c, t, l + 1, v, 0))
        return false;
    if (c->reading && !pkt_line_differs(l, v, 0, NULL))
        return pkt_explain_fail(c, PKT_ERROR_CANONICAL, start, l->name);
    return true;
}

/* Fields on sides that are not taken get base values. */
static bool explain_branch(pkt_cursor *c, const pkt_lines *t, const pkt_line *l, char *v)
{
    const unsigned taken = t->side(v, (unsigned)l->low);
    const pkt_line *end = pkt_line_behind(l), *body = NULL;
    unsigned n = 1;
    for (const pkt_line *side = l + 1; side != end; side = pkt_line_behind(side), n++) {
        if (n == taken)
            body = side;
        else if (c->reading)
            pkt_line_blank(side, v, 0, true);
    }
    return body == NULL || explain_block(c, t, body + 1, pkt_line_behind(body), v);
}

bool pkt_explain_count(pkt_cursor *c, const pkt_line *l, char *v)
{
    uint64_t raw = c->reading ? 0 : pkt_line_load(v + l->other, l->size) - l->low;
    if (!pkt_explain_leaf(c, &raw, l->span, l->bits, l->name))
        return false;
    if (c->reading)
        pkt_line_store(v + l->other, l->size, raw + l->low);
    return true;
}

/* Whether a row is a number, or has no value: in a baseline it can be anything, unless a condition asks for it. */
static bool is_plain_leaf(const pkt_line *l)
{
    return l->kind <= PKT_LINE_AFTER && !l->asked;
}

bool pkt_explain_line(pkt_cursor *c, const pkt_lines *t, const pkt_line *l, char *v, uint64_t i)
{
    if (c->baseline && is_plain_leaf(l))
        return true;
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_BOOL: return explain_bool(c, l->name, pkt_line_at(l, v, i));
    case PKT_LINE_BITS: return explain_bits(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_INT: return explain_int(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_ENUM: return explain_enum(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_HALF: return explain_half(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_QUANTIZED:
        return l->size == sizeof(double) ? explain_double(c, l, pkt_line_at(l, v, i))
                                         : explain_float(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_QUAT: return explain_quat(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_UNIT: return explain_unit(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_REF: return explain_ref(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_CONSTANT: return pkt_explain_constant(c, l->low, l->bits, l->name);
    case PKT_LINE_CHANGES: return true;
    case PKT_LINE_ALIGN: return pkt_explain_align(c, l->name);
    case PKT_LINE_COMPACT: return explain_compact(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_AFTER: return explain_after(c, l, pkt_line_at(l, v, i), v + l->other);
    case PKT_LINE_TEXT: return explain_text(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_STRUCT: return explain_struct(c, l, pkt_line_at(l, v, i));
    case PKT_LINE_BYTES: return explain_bytes(c, l, v, i);
    case PKT_LINE_ARRAY:
        for (uint64_t n = 0; n < l->span; n++)
            if (!pkt_explain_line(c, t, l + 1, v, i * l->span + n))
                return pkt_explain_element(c, n);
        return true;
    case PKT_LINE_COUNTED: return explain_counted(c, t, l, v);
    case PKT_LINE_SPARSE: return explain_sparse(c, t, l, v);
    case PKT_LINE_OPTIONAL: return explain_optional(c, t, l, v);
    case PKT_LINE_UNLESS: return explain_unless(c, t, l, v);
    case PKT_LINE_UNION: return explain_union(c, l, v);
    case PKT_LINE_BRANCH: return explain_branch(c, t, l, v);
    case PKT_LINE_MEMBER:
    case PKT_LINE_SIDE: break;
    }
    return true;
}

/* Writes to v only when a read is explained. */
bool pkt_explain_type(pkt_cursor *c, const pkt_lines *t, const void *base, const void *v)
{
    (void)base;
    return explain_block(c, t, t->first, pkt_lines_end(t), (char *)(uintptr_t)v);
}
