/* pkt_explain.c - finds out which field failed, and why.
 * SPDX-License-Identifier: MIT
 *
 * Fast code checks many fields at once, and early. If a check fails, the functions here repeat the write or the read
 * field by field, so that the error reported is the first one in the order of the wire. They store nothing in the
 * buffer.
 */
#include "pkt_parts.h"
#include "pkt_explain.h"

#include "pkt_list.h"
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

/* The entry of an array's elements has the name of the first one, such as "path[0]". */
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
static bool pkt_explain_room(pkt_cursor *c, uint64_t bits, const char *field)
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
static uint64_t pkt_explain_take(const pkt_cursor *c, unsigned bits)
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
    if (!pkt_explain_room(c, bits, field))
        return false;
    if (c->reading) {
        *raw = pkt_explain_take(c, bits);
        if (*raw > span)
            return pkt_explain_fail(c, PKT_ERROR_RANGE, c->bit, field);
    }
    c->bit += bits;
    return true;
}

/* Records an error for the item that began at `start`, unless `holds`. */
static bool pkt_explain_judge(pkt_cursor *c, bool holds, pkt_code code, uint64_t start, const char *field)
{
    if (holds)
        return true;
    c->bit = start;
    return pkt_explain_fail(c, code, start, field);
}

/* The number of bits equal to `bit` from here on: at most max, and not past the end of the data. */
static unsigned pkt_explain_equal_bits(const pkt_cursor *c, unsigned bit, unsigned max)
{
    pkt_cursor here = *c;
    unsigned n = 0;
    for (; n < max && here.bit < here.limit && pkt_explain_take(&here, 1) == bit; n++)
        here.bit++;
    return n;
}

/* ---- leaves: the value at `at`, which is read from there when a write is explained, else stored there */

static bool pkt_explain_bits(pkt_cursor *c, const pkt_entry *e, char *at)
{
    uint64_t raw = c->reading ? 0 : pkt_entry_load(at, e->size);
    if (!pkt_explain_leaf(c, &raw, pkt_mask(e->bits), e->bits, e->name))
        return false;
    if (c->reading)
        pkt_entry_store(at, e->size, raw);
    return true;
}

static bool pkt_explain_bool(pkt_cursor *c, const char *field, char *at)
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

static bool pkt_explain_int(pkt_cursor *c, const pkt_entry *e, char *at)
{
    uint64_t raw = c->reading ? 0 : pkt_entry_raw(e, at);
    if (!pkt_explain_leaf(c, &raw, e->span, e->bits, e->name))
        return false;
    if (c->reading)
        pkt_entry_store(at, e->size, raw + e->low);
    return true;
}

static bool pkt_explain_enum(pkt_cursor *c, const pkt_entry *e, char *at)
{
    const uint64_t start = c->bit;
    uint64_t raw = c->reading ? 0 : pkt_entry_raw(e, at);
    if (!pkt_explain_leaf(c, &raw, e->span, e->bits, e->name))
        return false;
    if (!pkt_type_has(pkt_entry_enum(e), raw + e->low))
        return pkt_explain_fail(c, PKT_ERROR_RANGE, start, e->name);
    if (c->reading)
        pkt_entry_store(at, e->size, raw + e->low);
    return true;
}

static bool pkt_explain_half(pkt_cursor *c, const pkt_entry *e, char *at)
{
    float v = 0.0f;
    uint64_t raw;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    raw = pkt_half_bits(v);
    if (!pkt_explain_leaf(c, &raw, UINT16_MAX, 16, e->name))
        return false;
    v = pkt_half_float((uint32_t)raw);
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

static bool pkt_explain_float(pkt_cursor *c, const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    const float low = (float)b->low, high = (float)b->high;
    const uint32_t steps = (uint32_t)e->span;
    float v = low;
    uint64_t code;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    code = pkt_quantize(v, low, high, steps);
    if (code == UINT32_MAX)
        return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, e->name);
    if (!pkt_explain_leaf(c, &code, pkt_entry_last(e), e->bits, e->name))
        return false;
    v = pkt_dequantize((uint32_t)code, low, high, steps);
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

static bool pkt_explain_double(pkt_cursor *c, const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    double v = b->low;
    uint64_t code;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    code = pkt_quantize64(v, b->low, b->high, e->span);
    if (code == UINT64_MAX)
        return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, e->name);
    if (!pkt_explain_leaf(c, &code, pkt_entry_last(e), e->bits, e->name))
        return false;
    v = pkt_dequantize64(code, b->low, b->high, e->span);
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

static bool pkt_explain_quat(pkt_cursor *c, const pkt_entry *e, char *at)
{
    const uint64_t start = c->bit;
    const unsigned bits = 2 + 3 * (unsigned)e->bits;
    pkt_quat q = pkt_quat_identity();
    uint64_t code = 0;
    bool good = true;
    if (!c->reading) {
        memcpy(&q, at, sizeof q);
        code = pkt_code_of_quat(q, e->bits);
    }
    if (!pkt_explain_leaf(c, &code, pkt_mask(bits), bits, e->name))
        return false;
    if (c->reading) {
        const pkt_quat read = pkt_quat_of_code(code, e->bits, &good);
        if (good)
            memcpy(at, &read, sizeof read);
    }
    return pkt_explain_judge(c, good, PKT_ERROR_RANGE, start, e->name);
}

static bool pkt_explain_unit(pkt_cursor *c, const pkt_entry *e, char *at)
{
    const uint64_t start = c->bit;
    const unsigned bits = 2 * (unsigned)e->bits;
    pkt_vec3 v = pkt_vec3_z();
    uint64_t code = 0;
    bool good = true;
    if (!c->reading) {
        memcpy(&v, at, sizeof v);
        code = pkt_code_of_unit(v, e->bits);
    }
    if (!pkt_explain_leaf(c, &code, pkt_mask(bits), bits, e->name))
        return false;
    if (!pkt_explain_judge(c, !c->reading || pkt_unit_in_range(code, e->bits), PKT_ERROR_RANGE, start, e->name))
        return false;
    if (c->reading)
        v = pkt_unit_of_code(code, e->bits, &good);
    if (!pkt_explain_judge(c, good, PKT_ERROR_CANONICAL, start, e->name))
        return false;
    if (c->reading)
        memcpy(at, &v, sizeof v);
    return true;
}

/* Repeating a read does not call target_of, because the read has failed anyway: refs become NULL. */
static bool pkt_explain_ref(pkt_cursor *c, const pkt_entry *e, char *at)
{
    void *target = NULL;
    uint64_t id = 0;
    if (!c->reading) {
        memcpy(&target, at, sizeof target);
        id = pkt_ref_id(c, (uint32_t)e->low, target);
        if (id == PKT_FAILED)
            return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, e->name);
    }
    if (!pkt_explain_leaf(c, &id, e->span, e->bits, e->name))
        return false;
    c->ref = id;
    if (c->reading)
        memcpy(at, &target, sizeof target);
    return true;
}

static bool pkt_explain_compact(pkt_cursor *c, const pkt_entry *e, char *at)
{
    const uint64_t start = c->bit;
    const unsigned bytes = e->size;
    uint64_t v = c->reading ? 0 : pkt_entry_load(at, bytes);
    pkt_compact_form form = pkt_compact_form_for(v, bytes);
    if (c->reading)
        form = pkt_compact_form_of(pkt_explain_equal_bits(c, 1, bytes), bytes);
    /*@ split form.head; */
    /*@ split form.bits; */
    if (!pkt_explain_room(c, form.head + form.bits, e->name))
        return false;
    c->bit += form.head;
    if (c->reading)
        v = pkt_explain_take(c, form.bits);
    c->bit += form.bits;
    if (!pkt_explain_judge(c, pkt_compact_form_for(v, bytes).zeros == form.zeros, PKT_ERROR_CANONICAL, start, e->name))
        return false;
    if (c->reading)
        pkt_entry_store(at, bytes, v);
    return true;
}

static bool pkt_explain_or_raw(pkt_cursor *c, const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    const float low = (float)b->low, high = (float)b->high;
    const uint64_t start = c->bit;
    const uint32_t steps = (uint32_t)e->span;
    uint64_t code;
    unsigned bits;
    float v = low;
    bool good;
    if (!c->reading)
        memcpy(&v, at, sizeof v);
    code = c->reading ? (uint64_t)pkt_explain_equal_bits(c, 1, 1) << 32 : pkt_or_raw_code(v, low, high, steps);
    bits = pkt_or_raw_bits(code, e->bits);
    /*@ split bits; */
    if (!pkt_explain_room(c, bits, e->name))
        return false;
    if (c->reading) {
        code |= pkt_explain_take(c, bits) >> 1;
        v = pkt_or_raw_value(code, low, high, steps, &good);
        if (!pkt_explain_judge(c, good, code < PKT_RAW_CODE ? PKT_ERROR_RANGE : PKT_ERROR_CANONICAL, start, e->name))
            return false;
        memcpy(at, &v, sizeof v);
    }
    c->bit = start + bits;
    return true;
}

/* start_at: the address of the member that it comes after. */
static bool pkt_explain_after(pkt_cursor *c, const pkt_entry *e, char *at, const char *start_at)
{
    const uint64_t first = c->bit;
    const uint32_t start = (uint32_t)pkt_entry_load(start_at, e->size),
                   v = c->reading ? 0 : (uint32_t)pkt_entry_load(at, e->size);
    const unsigned number =
        c->reading ? pkt_explain_equal_bits(c, 0, PKT_AFTER_LAST) : pkt_after_tier_for((uint64_t)v - start);
    const pkt_after_tier tier = pkt_after_tier_of(number);
    if (!c->reading && v <= start)
        return pkt_explain_fail(c, PKT_ERROR_ORDER, first, e->name);
    /*@ split tier.head; */
    /*@ split tier.bits; */
    if (!pkt_explain_room(c, (uint64_t)tier.head + tier.bits, e->name))
        return false;
    c->bit += tier.head;
    if (c->reading) {
        const uint64_t raw = pkt_explain_take(c, tier.bits), value = pkt_after_value(raw, start, number);
        if (!pkt_explain_judge(c, raw <= tier.span && value <= UINT32_MAX, PKT_ERROR_RANGE, first, e->name))
            return false;
        if (!pkt_explain_judge(c, value > start, PKT_ERROR_ORDER, first, e->name))
            return false;
        if (!pkt_explain_judge(c, pkt_after_tier_for(value - start) == number, PKT_ERROR_CANONICAL, first, e->name))
            return false;
        pkt_entry_store(at, e->size, value);
    }
    c->bit += tier.bits;
    return true;
}

bool pkt_explain_constant(pkt_cursor *c, uint64_t value, unsigned bits, const char *field)
{
    if (!pkt_explain_room(c, bits, field))
        return false;
    if (c->reading && pkt_explain_take(c, bits) != value)
        return pkt_explain_fail(c, PKT_ERROR_CHECK, c->bit, field);
    c->bit += bits;
    return true;
}

bool pkt_explain_align(pkt_cursor *c, const char *field)
{
    unsigned padding = (unsigned)pkt_padding(c);
    /*@ split padding; */
    if (!pkt_explain_room(c, padding, field))
        return false;
    if (c->reading && pkt_explain_take(c, padding) != 0)
        return pkt_explain_fail(c, PKT_ERROR_PADDING, c->bit, field);
    c->bit += padding;
    return true;
}

/* The next `size` bytes, at a whole byte, which are one item. */
static bool pkt_explain_copy(pkt_cursor *c, uint8_t *to, uint64_t size, const char *field)
{
    /*@ split size; */
    if (!pkt_explain_room(c, 8 * size, field))
        return false;
    if (c->reading && size != 0)
        memcpy(to, c->from + c->bit / 8, (size_t)size);
    c->bit += 8 * size;
    return true;
}

static bool pkt_explain_bytes(pkt_cursor *c, const pkt_entry *e, char *v, uint64_t i)
{
    const pkt_entry *size = e + 1;
    if (!pkt_explain_int(c, size, pkt_entry_at(size, v, i)) || !pkt_explain_align(c, e->name))
        return false;
    return pkt_explain_copy(c, (uint8_t *)pkt_entry_at(e, v, i), pkt_entry_load(pkt_entry_at(size, v, i), size->size),
                            e->name);
}

static bool pkt_explain_text(pkt_cursor *c, const pkt_entry *e, char *at)
{
    uint64_t raw = c->reading ? 0 : pkt_text_size(at, (uint32_t)e->span);
    uint32_t size;
    if (raw > e->span)
        return pkt_explain_fail(c, PKT_ERROR_VALUE, c->bit, e->name);
    if (!pkt_explain_leaf(c, &raw, e->span, e->bits, e->name))
        return false;
    size = (uint32_t)raw;
    /*@ split size; */
    if (!pkt_explain_align(c, e->name))
        return false;
    if (!c->reading && !c->baseline && !pkt_text_valid((const uint8_t *)at, size))
        return pkt_explain_fail(c, PKT_ERROR_UTF8, c->bit, e->name);
    if (!pkt_explain_room(c, 8 * (uint64_t)size, e->name))
        return false;
    if (c->reading) {
        if (!pkt_text_copy(at, size != 0 ? c->from + c->bit / 8 : NULL, size)) {
            *at = 0;
            return pkt_explain_fail(c, PKT_ERROR_UTF8, c->bit, e->name);
        }
        at[size] = 0;
    }
    c->bit += 8 * (uint64_t)size;
    return true;
}

/* ---- entries that contain others */

static bool pkt_explain_block(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, const pkt_entry *end, char *v)
{
    for (; e != end; e = pkt_entry_after(e))
        if (!pkt_explain_entry(c, t, e, v, 0))
            return false;
    return true;
}

static bool pkt_explain_struct(pkt_cursor *c, const pkt_entry *e, char *at)
{
    if ((e->flags & PKT_ENTRY_PART) && c->parts) {
        const pkt_delta_part *p = &c->parts[e->low];
        bool good;
        c->part = p;
        good = p->how->explain(c, p->how->type, p->base, at);
        c->part = NULL;
        return good || pkt_explain_outer(c, e->name);
    }
    return pkt_explain_type(c, (const pkt_type *)e->of, NULL, at) || pkt_explain_outer(c, e->name);
}

/* Element i of an array with delta(previous). */
static bool pkt_explain_chained(pkt_cursor *c, const pkt_explanation *how, const pkt_entry *e, char *v, uint64_t i)
{
    const char *previous = i != 0 ? pkt_entry_at(e, v, i - 1) : NULL;
    const bool good = how->explain(c, how->type, previous, pkt_entry_at(e, v, i));
    c->coding = NULL;
    return good || pkt_explain_outer(c, e->name);
}

/* The member gets base values before the tag is stored. */
static bool pkt_explain_union(pkt_cursor *c, const pkt_entry *e, char *v)
{
    uint64_t tag = c->reading ? 0 : pkt_entry_load(v + e->offset, e->size);
    if (!pkt_explain_leaf(c, &tag, e->span, e->bits, e->name))
        return false;
    e += 1 + tag;
    if (c->reading) {
        const pkt_type *of = (const pkt_type *)e->of;
        memset(v + e->offset, 0, of->size);
        pkt_type_blank(of, v + e->offset, false);
        pkt_entry_store(v + (e - 1 - tag)->offset, (e - 1 - tag)->size, tag);
    }
    return pkt_explain_struct(c, e, v + e->offset);
}

bool pkt_explain_nth(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v, uint64_t n)
{
    pkt_keys keys;
    const pkt_type *of = pkt_entry_keys(e, &keys) ? (const pkt_type *)e[1].of : NULL;
    if (of && !pkt_explain_key(c, &keys, pkt_key_entry(of), pkt_entry_at(e + 1, v, 0), (uint32_t)n))
        return pkt_explain_outer(c, e[1].name);
    return pkt_explain_entry(c, t, e + 1, v, n);
}

/* The first `count` elements of array i, in the dimension around it. */
static bool pkt_explain_elements(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v, uint64_t i,
                                 uint64_t count)
{
    const bool chained = e[1].kind == PKT_ENTRY_STRUCT && (e[1].flags & PKT_ENTRY_CHAINED) != 0;
    for (uint64_t n = 0; n < count; n++)
        if (!(chained ? pkt_explain_chained(c, (const pkt_explanation *)e->of, e + 1, v, n)
                      : pkt_explain_nth(c, t, e, v, i * e->span + n)))
            return pkt_explain_element(c, n);
    return true;
}

static bool pkt_explain_counted(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v)
{
    return pkt_explain_count(c, e, v) && pkt_explain_elements(c, t, e, v, 0, pkt_entry_load(v + e->other, e->size));
}

static bool pkt_explain_sparse(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v)
{
    uint64_t *present = (uint64_t *)(void *)(v + e->other);
    pkt_subset s;
    if (c->reading)
        pkt_entry_blank(e, v, 0, true);
    if (!pkt_explain_subset_begin(c, &s, (pkt_subset_kind)e->size, present, (uint32_t)e->span, (uint32_t)e->low,
                                  e->name))
        return false;
    while (pkt_explain_subset_next(c, &s, (pkt_subset_kind)e->size))
        if (!pkt_explain_entry(c, t, e + 1, v, s.index))
            return pkt_explain_element(c, s.index);
    return s.whole;
}

static bool pkt_explain_optional(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v)
{
    bool has;
    if (!pkt_explain_bool(c, e->name, v + e->other))
        return false;
    memcpy(&has, v + e->other, sizeof has);
    if (has)
        return pkt_explain_entry(c, t, e + 1, v, 0);
    if (c->reading)
        pkt_entry_blank(e + 1, v, 0, true);
    return true;
}

/* Refuses a usual value that was sent, because a writer would not send it. */
static bool pkt_explain_unless(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v)
{
    const uint64_t start = c->bit;
    uint64_t sent = !c->reading && pkt_entry_differs(e, v, 0, NULL);
    if (!pkt_explain_leaf(c, &sent, 1, 1, e->name))
        return false;
    if (sent == 0) {
        if (c->reading)
            pkt_entry_blank(e, v, 0, true);
        return true;
    }
    if (!pkt_explain_entry(c, t, e + 1, v, 0))
        return false;
    if (c->reading && !pkt_entry_differs(e, v, 0, NULL))
        return pkt_explain_fail(c, PKT_ERROR_CANONICAL, start, e->name);
    return true;
}

/* Fields on sides that are not taken get base values. */
static bool pkt_explain_branch(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v)
{
    const unsigned taken = t->side(v, (unsigned)e->low);
    const pkt_entry *end = pkt_entry_after(e), *body = NULL;
    unsigned n = 1;
    for (const pkt_entry *side = e + 1; side != end; side = pkt_entry_after(side), n++)
        if (n == taken)
            body = side;
        else if (c->reading)
            pkt_entry_blank(side, v, 0, true);
    return body == NULL || pkt_explain_block(c, t, body + 1, pkt_entry_after(body), v);
}

bool pkt_explain_count(pkt_cursor *c, const pkt_entry *e, char *v)
{
    uint64_t raw = c->reading ? 0 : pkt_entry_load(v + e->other, e->size) - e->low;
    if (!pkt_explain_leaf(c, &raw, e->span, e->bits, e->name)) {
        pkt_error_ending(c->error, "_count");
        return false;
    }
    if (c->reading)
        pkt_entry_store(v + e->other, e->size, raw + e->low);
    return true;
}

/* Whether an entry is a number, or has no value: in a baseline it can be anything, unless a condition asks for it.
 * in_order: without `after`. */
static bool pkt_explain_is_plain_leaf(const pkt_entry *e, bool in_order)
{
    return e->kind < PKT_ENTRY_TEXT && !(in_order && e->kind == PKT_ENTRY_AFTER) && (e->flags & PKT_ENTRY_ASKED) == 0;
}

bool pkt_explain_entry(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v, uint64_t i)
{
    if (c->baseline && pkt_explain_is_plain_leaf(e, c->order))
        return true;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BOOL: return pkt_explain_bool(c, e->name, pkt_entry_at(e, v, i));
    case PKT_ENTRY_BITS: return pkt_explain_bits(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_INT:
    case PKT_ENTRY_CLAMPED: return pkt_explain_int(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_ENUM: return pkt_explain_enum(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_HALF: return pkt_explain_half(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_QUANTIZED:
        return e->size == sizeof(double) ? pkt_explain_double(c, e, pkt_entry_at(e, v, i))
                                         : pkt_explain_float(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_QUAT: return pkt_explain_quat(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_UNIT: return pkt_explain_unit(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_REF: return pkt_explain_ref(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_CONSTANT: return pkt_explain_constant(c, e->low, e->bits, e->name);
    case PKT_ENTRY_KEY: /* the list has sent it */
    case PKT_ENTRY_CHANGES:
    case PKT_ENTRY_RULE: return true;
    case PKT_ENTRY_ALIGN: return pkt_explain_align(c, "align");
    case PKT_ENTRY_COMPACT: return pkt_explain_compact(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_OR_RAW: return pkt_explain_or_raw(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_AFTER: return pkt_explain_after(c, e, pkt_entry_at(e, v, i), v + e->other);
    case PKT_ENTRY_TEXT: return pkt_explain_text(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_STRUCT: return pkt_explain_struct(c, e, pkt_entry_at(e, v, i));
    case PKT_ENTRY_BYTES: return pkt_explain_bytes(c, e, v, i);
    case PKT_ENTRY_ARRAY: return pkt_explain_elements(c, t, e, v, i, e->span);
    case PKT_ENTRY_COMPUTED: return pkt_explain_elements(c, t, e, v, 0, t->side(v, (unsigned)e->low));
    case PKT_ENTRY_COUNTED: return pkt_explain_counted(c, t, e, v);
    case PKT_ENTRY_SPARSE: return pkt_explain_sparse(c, t, e, v);
    case PKT_ENTRY_OPTIONAL: return pkt_explain_optional(c, t, e, v);
    case PKT_ENTRY_UNLESS: return pkt_explain_unless(c, t, e, v);
    case PKT_ENTRY_UNION: return pkt_explain_union(c, e, v);
    case PKT_ENTRY_BRANCH: return pkt_explain_branch(c, t, e, v);
    case PKT_ENTRY_MEMBER:
    case PKT_ENTRY_SIDE: break;
    }
    return true;
}

/* Writes to v only when a read is explained. */
bool pkt_explain_type(pkt_cursor *c, const pkt_type *t, const void *base, const void *v)
{
    (void)base;
    return pkt_explain_block(c, t, t->entries, pkt_type_end(t), (char *)(uintptr_t)v);
}

bool pkt_explain_order(pkt_cursor *c, const pkt_entry *e, char *v, uint32_t count)
{
    pkt_keys keys;
    return pkt_explain_count(c, e, v) &&
           (!pkt_entry_keys(e, &keys) || pkt_explain_keys(c, &keys, e + 1, v + e[1].offset, count));
}
