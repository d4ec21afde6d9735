/* pkt_value.c - base values, copies and comparisons, by the tables of types.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_value.h"

#include "pkt_rotation.h"
#include "pkt_subset.h"
#include "pkt_varying.h"

#include <float.h>

/* ---- entries */

const pkt_entry *pkt_entry_after_inner(const pkt_entry *e)
{
    while (e->kind >= PKT_ENTRY_BYTES && e->kind < PKT_ENTRY_UNION)
        e++;
    return e->kind >= PKT_ENTRY_UNION ? e + 1 + e->other : e + 1;
}

size_t pkt_entry_size(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_TEXT: return (size_t)e->span + 1;
    case PKT_ENTRY_BYTES: return (size_t)e->span;
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER: return ((const pkt_type *)e->of)->size;
    default: return e->size;
    }
}

char *pkt_entry_at(const pkt_entry *e, char *v, uint64_t i)
{
    return v + e->offset + (size_t)i * pkt_entry_size(e);
}

static const char *pkt_leaf_at(const pkt_entry *e, const char *v, uint64_t i)
{
    return v + e->offset + (size_t)i * pkt_entry_size(e);
}

PKT_INLINE uint64_t pkt_load_here(const void *at, unsigned size)
{
    uint8_t v8;
    uint16_t v16;
    uint32_t v32;
    uint64_t v64;
    switch (size) {
    case 1: memcpy(&v8, at, sizeof v8); return v8;
    case 2: memcpy(&v16, at, sizeof v16); return v16;
    case 4: memcpy(&v32, at, sizeof v32); return v32;
    default: memcpy(&v64, at, sizeof v64); return v64;
    }
}

PKT_NOINLINE uint64_t pkt_entry_load(const void *at, unsigned size)
{
    return pkt_load_here(at, size);
}

PKT_NOINLINE void pkt_entry_store(void *at, unsigned size, uint64_t raw)
{
    const uint8_t v8 = (uint8_t)raw;
    const uint16_t v16 = (uint16_t)raw;
    const uint32_t v32 = (uint32_t)raw;
    switch (size) {
    case 1: memcpy(at, &v8, sizeof v8); return;
    case 2: memcpy(at, &v16, sizeof v16); return;
    case 4: memcpy(at, &v32, sizeof v32); return;
    default: memcpy(at, &raw, sizeof raw); return;
    }
}

/* Only signed types have a negative low; then the value is sign-extended to 64 bits. */
PKT_NOINLINE uint64_t pkt_entry_raw(const pkt_entry *e, const char *at)
{
    const uint64_t sign = e->low >> 63 << (8 * e->size - 1);
    return (pkt_entry_load(at, e->size) ^ sign) - sign - e->low;
}

uint64_t pkt_entry_last(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS:
    case PKT_ENTRY_COMPACT: return pkt_mask(e->bits);
    case PKT_ENTRY_QUANTIZED:
        return e->size == sizeof(float) ? PKT_LAST_CODE((uint32_t)e->span) : PKT_LAST_CODE64(e->span);
    default: return e->span;
    }
}

static float pkt_load_float(const char *at)
{
    float v;
    memcpy(&v, at, sizeof v);
    return v;
}

static double pkt_load_double(const char *at)
{
    double v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* ---- one walk for base values, copies, comparisons and rounding
 *
 * Neighbouring elements of an array are walked through together: of 32 players, first all names are compared, then all
 * positions. So each entry of the table is looked at once, and comes to a short loop. Where conditions part the
 * elements, each part is walked through in turn. */

enum { PKT_BATCH_MOST = 32 };

/* Value n begins at[n] bytes after v. That many bytes after `old` is the value that it is compared with or copied from;
 * old can be NULL. The offsets may be in any order. */
typedef struct pkt_batch {
    char *v;
    const char *old;
    uint32_t *at;
    uint32_t count;
} pkt_batch;

/* After a visit of elements: whether the walk goes on to each of them, or after them, or ends. */
typedef enum pkt_walk_step { PKT_WALK_ON, PKT_WALK_DONE, PKT_WALK_END } pkt_walk_step;

typedef enum pkt_walk_mode {
    /* base values */
    PKT_BLANK_KEEPS, /* arrays with `keep` keep their elements */
    PKT_BLANK_ALL,   /* elements past the count of an array stay as they are */
    PKT_BLANK_FRESH, /* nothing is set yet: all elements, and all bytes of texts */
    PKT_BLANK_ZEROS, /* the same of a value that is all zero bytes and holds no objects: elements are copied */
    PKT_COPY,
    /* These go only to what a value has: present fields and elements, and the sides that it takes. */
    PKT_SETTLE,
    PKT_DIFFER,
    PKT_DIFFER_STRICT /* also true if v cannot be written; then neither value has to be sound */
} pkt_walk_mode;

/* Visits an entry of each value, before those that it contains. True ends the walk. */
static PKT_COLD bool pkt_walk_visits(pkt_walk_mode mode, const pkt_entry *e, const pkt_batch *b);

/* Visits `count` elements of an array at once, from i on. */
static PKT_COLD pkt_walk_step pkt_walk_visits_elements(pkt_walk_mode mode, const pkt_entry *e, char *v, const char *old,
                                                       uint64_t i, uint64_t count);

static PKT_COLD bool pkt_walk_through(pkt_walk_mode mode, const pkt_type *t, const pkt_entry *e, const pkt_entry *end,
                                      const pkt_batch *b);

static PKT_COLD bool pkt_walk_elements(pkt_walk_mode mode, const pkt_type *t, const pkt_entry *e, char *v,
                                       const char *old, uint64_t i, uint64_t count)
{
    uint32_t at[PKT_BATCH_MOST];
    pkt_batch b = {v, old, at, PKT_BATCH_MOST};
    for (; e->kind == PKT_ENTRY_ARRAY; e++) {
        i *= e->span;
        count *= e->span;
    }
    const size_t each = pkt_entry_size(e->kind == PKT_ENTRY_UNLESS ? e + 1 : e);
    const pkt_walk_step step = pkt_walk_visits_elements(mode, e, v, old, i, count);
    if (step != PKT_WALK_ON)
        return step == PKT_WALK_END;
    for (const uint64_t end = i + count; i != end; i += b.count) {
        b.v = v + (size_t)i * each;
        b.old = old != NULL ? old + (size_t)i * each : NULL;
        if (end - i < PKT_BATCH_MOST)
            b.count = (uint32_t)(end - i);
        for (uint32_t n = 0; n < b.count; n++)
            at[n] = n * (uint32_t)each;
        if (pkt_walk_through(mode, t, e, pkt_entry_after(e), &b))
            return true;
    }
    return false;
}

static PKT_COLD bool pkt_walk_sparse(pkt_walk_mode mode, const pkt_type *t, const pkt_entry *e, char *v,
                                     const char *old)
{
    const uint64_t *present = (const uint64_t *)(const void *)(v + e->other);
    if (mode < PKT_SETTLE)
        return (mode != PKT_BLANK_KEEPS || e->small == 0) && pkt_walk_elements(mode, t, e + 1, v, old, 0, e->span);
    for (uint32_t i = 0; i < e->span; i++)
        if (pkt_present_has(present, (uint32_t)e->span, i)) {
            if (pkt_walk_elements(mode, t, e + 1, v, old, i, 1))
                return true;
        } else if (mode == PKT_SETTLE && e->small == 0) {
            pkt_entry_blank(e + 1, v, i, false);
        }
    return false;
}

/* The number of elements of an array; the most, if its count is out of range. */
static PKT_COLD uint64_t pkt_elements_of(pkt_walk_mode mode, const pkt_type *t, const pkt_entry *e, const char *v)
{
    const uint64_t most = e->low + e->span;
    uint64_t count;
    if (e->kind == PKT_ENTRY_COMPUTED)
        return mode >= PKT_SETTLE ? t->side(v, (unsigned)e->low) : e->span;
    count = pkt_entry_load(v + e->other, e->size);
    return mode == PKT_BLANK_FRESH || mode == PKT_BLANK_ZEROS || count > most ? most : count;
}

static PKT_COLD bool pkt_walk_array(pkt_walk_mode mode, const pkt_type *t, const pkt_entry *e, char *v, const char *old)
{
    if (e->kind == PKT_ENTRY_SPARSE)
        return pkt_walk_sparse(mode, t, e, v, old);
    if (e->kind == PKT_ENTRY_COUNTED || e->kind == PKT_ENTRY_COMPUTED)
        return pkt_walk_elements(mode, t, e + 1, v, old, 0, pkt_elements_of(mode, t, e, v));
    return pkt_walk_elements(mode, t, e, v, old, 0, 1);
}

/* Which of the sides or members in an entry a value has: from 1, or 0 for none. */
PKT_INLINE uint64_t pkt_choice_of(const pkt_type *t, const pkt_entry *e, const char *v)
{
    if (e->kind == PKT_ENTRY_BRANCH)
        return t->side(v, (unsigned)e->low);
    if (e->kind == PKT_ENTRY_OPTIONAL)
        return pkt_load_here(v + e->other, sizeof(bool)) != 0;
    return pkt_load_here(v + e->offset, e->size) + 1;
}

/* Values with the choice of the first one come to the front. Returns how many there are. */
static PKT_NOINLINE uint32_t pkt_alike(const pkt_type *t, const pkt_entry *e, const char *v, uint32_t *at,
                                       uint32_t count, uint64_t *choice)
{
    uint32_t alike = 1;
    *choice = pkt_choice_of(t, e, v + at[0]);
    for (uint32_t n = 1; n < count; n++) {
        const uint32_t here = at[n];
        if (pkt_choice_of(t, e, v + here) != *choice)
            continue;
        at[n] = at[alike];
        at[alike++] = here;
    }
    return alike;
}

/* Values with the same choice are a batch. T_quantize sets the parts that they do not have to base values. */
static PKT_COLD bool pkt_walk_choices(pkt_walk_mode mode, const pkt_type *t, const pkt_entry *e, const pkt_entry *end,
                                      const pkt_batch *b)
{
    const pkt_entry *after;
    pkt_batch part = *b;
    for (uint32_t left = b->count; left != 0; left -= part.count, part.at += part.count) {
        uint64_t choice, number = 1;
        part.count = pkt_alike(t, e, b->v, part.at, left, &choice);
        for (const pkt_entry *body = e + 1; body != end; body = after, number++) {
            after = e->kind == PKT_ENTRY_OPTIONAL ? end : pkt_entry_after(body);
            if (number == choice && pkt_walk_through(mode, t, body, after, &part))
                return true;
            if (number != choice && mode == PKT_SETTLE && e->kind != PKT_ENTRY_UNION)
                pkt_walk_through(PKT_BLANK_ALL, t, body, after, &part);
        }
    }
    return false;
}

static PKT_COLD bool pkt_walk_inner(pkt_walk_mode mode, const pkt_entry *e, const pkt_batch *b)
{
    const pkt_type *t = (const pkt_type *)e->of;
    const pkt_batch inside = {b->v + e->offset, b->old != NULL ? b->old + e->offset : NULL, b->at, b->count};
    return pkt_walk_through(mode == PKT_BLANK_KEEPS ? PKT_BLANK_ALL : mode, t, t->entries, pkt_type_end(t), &inside);
}

static PKT_COLD bool pkt_walk_through(pkt_walk_mode mode, const pkt_type *t, const pkt_entry *e, const pkt_entry *end,
                                      const pkt_batch *b)
{
    const pkt_entry *after;
    for (; e != end; e = after) {
        bool ends = e->kind < PKT_ENTRY_BRANCH && pkt_walk_visits(mode, e, b);
        after = pkt_entry_after(e);
        switch ((pkt_entry_kind)e->kind) {
        case PKT_ENTRY_STRUCT:
        case PKT_ENTRY_MEMBER: ends = ends || pkt_walk_inner(mode, e, b); break;
        case PKT_ENTRY_BYTES:
        case PKT_ENTRY_ARRAY:
        case PKT_ENTRY_COUNTED:
        case PKT_ENTRY_COMPUTED:
        case PKT_ENTRY_SPARSE:
            for (uint32_t n = 0; n < b->count && !ends; n++)
                ends = pkt_walk_array(mode, t, e, b->v + b->at[n], b->old != NULL ? b->old + b->at[n] : NULL);
            break;
        case PKT_ENTRY_OPTIONAL:
        case PKT_ENTRY_BRANCH:
        case PKT_ENTRY_UNION:
            if (mode >= PKT_SETTLE || e->kind == PKT_ENTRY_UNION)
                ends = ends || pkt_walk_choices(mode, t, e, after, b);
            else
                after = e + 1;
            break;
        case PKT_ENTRY_SIDE: after = e + 1; break;
        default: break;
        }
        if (ends)
            return true;
    }
    return false;
}

static PKT_COLD bool pkt_walk_one(pkt_walk_mode mode, const pkt_type *t, void *v, const void *old)
{
    uint32_t at = 0;
    const pkt_batch b = {(char *)v, (const char *)old, &at, 1};
    return pkt_walk_through(mode, t, t->entries, pkt_type_end(t), &b);
}

/* ---- base values */

static PKT_COLD void pkt_blank_real(const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    const double v = b->low > 0.0 || b->high < 0.0 ? b->low : 0.0;
    const float narrow = (float)v;
    if (e->size == sizeof narrow)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &v, sizeof v);
}

/* 0 if that is a member, else the first one. */
static PKT_COLD uint64_t pkt_blank_enum(const pkt_type *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->names[i].value == 0)
            return 0;
    return t->names[0].value;
}

/* 0 if that is in range, else the least value. */
static PKT_COLD uint64_t pkt_blank_int(const pkt_entry *e)
{
    if (e->as == PKT_KIND_ENUM && e->of != NULL)
        return pkt_blank_enum((const pkt_type *)e->of);
    return e->kind == PKT_ENTRY_BITS || 0 - e->low <= e->span ? 0 : e->low;
}

static PKT_COLD void pkt_blank_leaf(const pkt_entry *e, char *at)
{
    const pkt_quat identity = pkt_quat_identity();
    const pkt_vec3 up = pkt_vec3_z();
    void *const none = NULL;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS:
    case PKT_ENTRY_INT:
    case PKT_ENTRY_ENUM: pkt_entry_store(at, e->size, pkt_blank_int(e)); return;
    case PKT_ENTRY_QUANTIZED: pkt_blank_real(e, at); return;
    case PKT_ENTRY_QUAT: memcpy(at, &identity, sizeof identity); return;
    case PKT_ENTRY_UNIT: memcpy(at, &up, sizeof up); return;
    case PKT_ENTRY_REF: memcpy(at, &none, sizeof none); return;
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_HALF:
    case PKT_ENTRY_COMPACT:
    case PKT_ENTRY_AFTER: memset(at, 0, e->size); return;
    default: return;
    }
}

/* A text that is not yet set is cleared, so that T_init decides all its bytes. */
static PKT_COLD void pkt_blank_entry(pkt_walk_mode mode, const pkt_entry *e, const pkt_batch *b)
{
    uint64_t base[2];
    size_t offset = e->offset, size = e->size;
    const void *from = base;
    memset(base, 0, sizeof base);
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_OPTIONAL:
        offset = e->other;
        size = sizeof(bool);
        break;
    case PKT_ENTRY_UNLESS:
        from = e->of;
        size = e[1].size;
        break;
    case PKT_ENTRY_COUNTED:
        offset = e->other;
        pkt_entry_store(base, e->size, e->low);
        break;
    case PKT_ENTRY_UNION: break;
    case PKT_ENTRY_TEXT:
    case PKT_ENTRY_SPARSE:
        if (e->kind == PKT_ENTRY_SPARSE) {
            offset = e->other;
            size = ((size_t)e->span + 63) / 64 * sizeof(uint64_t);
        } else {
            size = mode == PKT_BLANK_FRESH ? pkt_entry_size(e) : 1;
        }
        for (uint32_t n = 0; n < b->count; n++)
            memset(b->v + b->at[n] + offset, 0, size);
        return;
    default:
        if (e->kind > PKT_ENTRY_AFTER)
            return;
        pkt_blank_leaf(e, (char *)base);
        break;
    }
    for (uint32_t n = 0; n < b->count; n++)
        memcpy(b->v + b->at[n] + offset, from, size);
}

/* Makes `count` elements of `each` bytes like the first one. */
static PKT_NOINLINE void pkt_repeat(char *first, size_t each, uint64_t count)
{
    const size_t all = each * (size_t)count;
    for (size_t done = each; done < all; done *= 2)
        memcpy(first + done, first, done < all - done ? done : all - done);
}

/* Elements are set once and copied, but structs only if the value is all zero bytes and holds no objects. */
static PKT_COLD pkt_walk_step pkt_blank_elements(pkt_walk_mode mode, const pkt_entry *e, char *v, uint64_t i,
                                                 uint64_t count)
{
    const pkt_entry *value = e->kind == PKT_ENTRY_UNLESS ? e + 1 : e;
    if (e->kind == PKT_ENTRY_BYTES) {
        memset(pkt_entry_at(e + 1, v, i), 0, e[1].size * (size_t)count);
        if (mode == PKT_BLANK_FRESH)
            memset(pkt_entry_at(e, v, i), 0, pkt_entry_size(e) * (size_t)count);
        return PKT_WALK_DONE;
    }
    if (count <= 1 || (value->kind >= PKT_ENTRY_TEXT && mode != PKT_BLANK_ZEROS))
        return PKT_WALK_ON;
    pkt_walk_elements(mode, NULL, e, v, NULL, i, 1);
    pkt_repeat(pkt_entry_at(value, v, i), pkt_entry_size(value), count);
    return PKT_WALK_DONE;
}

void pkt_entry_blank(const pkt_entry *e, char *v, uint64_t i, bool keeps)
{
    pkt_walk_elements(keeps ? PKT_BLANK_KEEPS : PKT_BLANK_ALL, NULL, e, v, NULL, i, 1);
}

void pkt_type_blank(const pkt_type *t, char *v, bool keeps)
{
    pkt_walk_one(keeps ? PKT_BLANK_KEEPS : PKT_BLANK_ALL, t, v, NULL);
}

static PKT_NOINLINE void pkt_clear_bytes(void *v, size_t size)
{
    memset(v, 0, size);
}

void pkt_value_init(const pkt_type *t, void *v)
{
    pkt_clear_bytes(v, t->size);
    pkt_walk_one(PKT_BLANK_ZEROS, t, v, NULL);
}

void pkt_value_init_bound(const pkt_type *t, void *v)
{
    pkt_walk_one(PKT_BLANK_FRESH, t, v, NULL);
}

/* ---- copies */

/* Parts of a member that are not on the wire are cleared. */
static PKT_COLD void pkt_copy_entry(const pkt_entry *e, const pkt_batch *b)
{
    size_t offset = e->offset, size = pkt_entry_size(e);
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_MEMBER:
        for (uint32_t n = 0; n < b->count; n++)
            memset(b->v + b->at[n] + offset, 0, size);
        return;
    case PKT_ENTRY_UNLESS: size = e[1].size; break;
    case PKT_ENTRY_OPTIONAL:
        offset = e->other;
        size = sizeof(bool);
        break;
    case PKT_ENTRY_COUNTED: offset = e->other; break;
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_BYTES:
    case PKT_ENTRY_SPARSE: return;
    default: break;
    }
    for (uint32_t n = 0; n < b->count; n++)
        memcpy(b->v + b->at[n] + offset, b->old + b->at[n] + offset, size);
}

static PKT_COLD pkt_walk_step pkt_copy_elements(const pkt_entry *e, char *v, const char *old, uint64_t i,
                                                uint64_t count)
{
    if (e->kind == PKT_ENTRY_STRUCT)
        return PKT_WALK_ON;
    if (e->kind == PKT_ENTRY_BYTES)
        memcpy(pkt_entry_at(e + 1, v, i), pkt_leaf_at(e + 1, old, i), e[1].size * (size_t)count);
    e += e->kind == PKT_ENTRY_UNLESS;
    memcpy(pkt_entry_at(e, v, i), pkt_leaf_at(e, old, i), pkt_entry_size(e) * (size_t)count);
    return PKT_WALK_DONE;
}

void pkt_type_copy(const pkt_type *t, char *to, const char *from)
{
    pkt_walk_one(PKT_COPY, t, to, from);
}

/* ---- comparisons */

static bool pkt_reals_differ(const pkt_entry *e, const char *at, const char *old)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    if (e->size == sizeof(double))
        return pkt_codes_differ64(pkt_load_double(at), pkt_load_double(old), b->low, b->high, e->span);
    return pkt_codes_differ(pkt_load_float(at), pkt_load_float(old), (float)b->low, (float)b->high, (uint32_t)e->span);
}

static bool pkt_rotations_differ(const pkt_entry *e, const char *at, const char *old)
{
    pkt_quat q, old_q;
    pkt_vec3 v, old_v;
    if (e->kind == PKT_ENTRY_QUAT) {
        memcpy(&q, at, sizeof q);
        memcpy(&old_q, old, sizeof old_q);
        return pkt_quats_differ(q, old_q, e->bits);
    }
    memcpy(&v, at, sizeof v);
    memcpy(&old_v, old, sizeof old_v);
    return pkt_units_differ(v, old_v, e->bits);
}

/* For leaves other than texts. */
static PKT_NOINLINE bool pkt_leaves_differ(const pkt_entry *e, const char *at, const char *old)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_QUANTIZED: return pkt_reals_differ(e, at, old);
    case PKT_ENTRY_HALF: return pkt_half_bits(pkt_load_float(at)) != pkt_half_bits(pkt_load_float(old));
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT: return pkt_rotations_differ(e, at, old);
    default: return memcmp(at, old, e->size) != 0;
    }
}

bool pkt_type_has(const pkt_type *t, uint64_t value)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->names[i].value == value)
            return true;
    return false;
}

static PKT_COLD bool pkt_has_real_code(const pkt_entry *e, const char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    if (e->size == sizeof(double))
        return pkt_has_code64(pkt_load_double(at), b->low, b->high, e->span);
    return pkt_has_code(pkt_load_float(at), (float)b->low, (float)b->high, (uint32_t)e->span);
}

static PKT_COLD bool pkt_has_rotation_code(const pkt_entry *e, const char *at)
{
    pkt_quat q;
    pkt_vec3 v;
    if (e->kind == PKT_ENTRY_QUAT) {
        memcpy(&q, at, sizeof q);
        return pkt_code_of_quat(q, e->bits) != PKT_FAILED;
    }
    memcpy(&v, at, sizeof v);
    return pkt_code_of_unit(v, e->bits) != PKT_FAILED;
}

/* Whether a leaf can be written. */
static PKT_COLD PKT_NOINLINE bool pkt_is_writable(const pkt_entry *e, const char *v)
{
    const char *at = v + e->offset;
    uint64_t raw;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS: return pkt_entry_load(at, e->size) <= pkt_mask(e->bits);
    case PKT_ENTRY_INT:
    case PKT_ENTRY_ENUM:
        raw = pkt_entry_raw(e, at);
        return raw <= e->span && (e->kind == PKT_ENTRY_INT || pkt_type_has((const pkt_type *)e->of, raw + e->low));
    case PKT_ENTRY_QUANTIZED: return pkt_has_real_code(e, at);
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT: return pkt_has_rotation_code(e, at);
    case PKT_ENTRY_AFTER: return pkt_entry_load(at, e->size) > pkt_entry_load(v + e->other, e->size);
    case PKT_ENTRY_TEXT: return pkt_text_valid((const uint8_t *)at, pkt_text_size(at, (uint32_t)e->span));
    default: return true;
    }
}

/* Whether all values in memory can be written, and values that are equal in memory are equal on the wire. */
static PKT_COLD bool pkt_is_plain(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_REF:
    case PKT_ENTRY_COMPACT: return true;
    case PKT_ENTRY_BITS: return e->bits == 8 * e->size;
    default: return false;
    }
}

const char *pkt_entry_old(const pkt_entry *e, const char *old, uint64_t i, uint64_t base[2])
{
    if (old != NULL)
        return pkt_leaf_at(e, old, i);
    pkt_blank_leaf(e, (char *)base);
    return (const char *)base;
}

/* Finds the first value from *at on that may differ in memory, or cannot be written. */
#define PKT_SAME_NUMBERS(T)                           \
    for (; at != end; at++) {                         \
        T now, was;                                   \
        memcpy(&now, v + *at, sizeof now);            \
        memcpy(&was, old + *at, sizeof was);          \
        if (now != was || (now ^ sign) - bias > last) \
            break;                                    \
    }                                                 \
    break

static const uint32_t *pkt_same_numbers(const pkt_entry *e, const pkt_batch *b, const uint32_t *at)
{
    const bool is_int = e->kind == PKT_ENTRY_INT;
    const uint64_t low = is_int ? e->low : 0, sign = low >> 63 << (8 * e->size - 1), bias = sign + low,
                   last = is_int                      ? e->span
                          : e->kind == PKT_ENTRY_BITS ? pkt_mask(e->bits)
                                                      : UINT64_MAX;
    const uint32_t *const end = b->at + b->count;
    const char *const v = b->v + e->offset, *const old = b->old + e->offset;
    switch (e->size) {
    case 1: PKT_SAME_NUMBERS(uint8_t);
    case 2: PKT_SAME_NUMBERS(uint16_t);
    case 4: PKT_SAME_NUMBERS(uint32_t);
    default: PKT_SAME_NUMBERS(uint64_t);
    }
    return at;
}

/* Each number in the range of a circle has a code, unless the range is too large for a float. */
static const uint32_t *pkt_same_floats(const pkt_entry *e, const pkt_batch *b, const uint32_t *at)
{
    const pkt_bounds *bounds = (const pkt_bounds *)e->of;
    const bool turns = (uint32_t)e->span >> 31 != 0;
    const float low = turns ? (float)bounds->low : -FLT_MAX, high = turns ? (float)bounds->high : FLT_MAX;
    const uint32_t *const end = turns && !pkt_is_finite(high - low) ? at : b->at + b->count;
    const char *const v = b->v + e->offset, *const old = b->old + e->offset;
    for (; at != end; at++) {
        const float now = pkt_load_float(v + *at);
        if (pkt_float_bits(now) != pkt_float_bits(pkt_load_float(old + *at)) || !(now >= low && now <= high))
            break;
    }
    return at;
}

static const uint32_t *pkt_same_leaves(const pkt_entry *e, const pkt_batch *b, const uint32_t *at)
{
    if (b->old == NULL)
        return at;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_BITS:
    case PKT_ENTRY_INT: return pkt_same_numbers(e, b, at);
    case PKT_ENTRY_QUANTIZED: return e->size == sizeof(float) ? pkt_same_floats(e, b, at) : at;
    default: return at;
    }
}

/* A leaf that is the same in memory is the same on the wire, if it can be written. */
static PKT_COLD bool pkt_leaf_differs(pkt_walk_mode mode, const pkt_entry *e, const char *v, const char *old)
{
    const bool strict = mode == PKT_DIFFER_STRICT;
    uint64_t base[2];
    bool differs;
    if (e->kind == PKT_ENTRY_TEXT) {
        differs = !pkt_unchanged_text(v + e->offset, old != NULL ? old + e->offset : NULL, (uint32_t)e->span);
    } else {
        const char *was = e->kind != PKT_ENTRY_UNLESS ? pkt_entry_old(e, old, 0, base)
                          : old != NULL               ? old + e->offset
                                                      : (const char *)e->of;
        e += e->kind == PKT_ENTRY_UNLESS;
        differs = (!strict || memcmp(v + e->offset, was, e->size) != 0) && pkt_leaves_differ(e, v + e->offset, was);
    }
    return differs || (strict && !pkt_is_writable(e, v));
}

static PKT_COLD bool pkt_count_differs(pkt_walk_mode mode, const pkt_entry *e, const char *v, const char *old)
{
    const uint64_t count = pkt_entry_load(v + e->other, e->size);
    return count != (old != NULL ? pkt_entry_load(old + e->other, e->size) : e->low) ||
           (mode == PKT_DIFFER_STRICT && count - e->low > e->span);
}

static PKT_COLD bool pkt_present_differs(const pkt_entry *e, const char *v, const char *old)
{
    return (pkt_entry_load(v + e->other, sizeof(bool)) != 0) !=
           (old != NULL && pkt_entry_load(old + e->other, sizeof(bool)) != 0);
}

static PKT_COLD bool pkt_tag_differs(const pkt_entry *e, const char *v, const char *old)
{
    const uint64_t tag = pkt_entry_load(v + e->offset, e->size);
    return tag > e->span || tag != (old != NULL ? pkt_entry_load(old + e->offset, e->size) : 0);
}

/* Deltas have no sparse arrays, so there is an old value. */
static PKT_COLD bool pkt_subset_differs(const pkt_entry *e, const char *v, const char *old)
{
    return !pkt_subset_same((const uint64_t *)(const void *)(v + e->other),
                            (const uint64_t *)(const void *)(old + e->other), (uint32_t)e->span, (uint32_t)e->low);
}

/* Only the entry, without those that it contains. An `after` field can equal its base value although it cannot be
 * written, if its start has its base value too. */
static PKT_COLD PKT_NOINLINE bool pkt_one_differs(pkt_walk_mode mode, const pkt_entry *e, const char *v,
                                                  const char *old)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_CONSTANT:
    case PKT_ENTRY_CHANGES:
    case PKT_ENTRY_ALIGN:
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER:
    case PKT_ENTRY_BYTES:
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COMPUTED:
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: return false;
    case PKT_ENTRY_COUNTED: return pkt_count_differs(mode, e, v, old);
    case PKT_ENTRY_SPARSE: return pkt_subset_differs(e, v, old);
    case PKT_ENTRY_OPTIONAL: return pkt_present_differs(e, v, old);
    case PKT_ENTRY_UNION: return pkt_tag_differs(e, v, old);
    case PKT_ENTRY_AFTER:
        return pkt_leaf_differs(mode, e, v, old) || (e[-1].kind != PKT_ENTRY_OPTIONAL && !pkt_is_writable(e, v));
    default: return pkt_leaf_differs(mode, e, v, old);
    }
}

/* Fields come before the conditions and counts that use them: if these are equal, so are the sides and the counts. */
static bool pkt_entries_differ(pkt_walk_mode mode, const pkt_entry *e, const pkt_batch *b)
{
    const uint32_t *const end = b->at + b->count;
    if (e->kind == PKT_ENTRY_STRUCT)
        return false;
    for (const uint32_t *at = pkt_same_leaves(e, b, b->at); at != end; at = pkt_same_leaves(e, b, at + 1))
        if (pkt_one_differs(mode, e, b->v + *at, b->old != NULL ? b->old + *at : NULL))
            return true;
    return false;
}

static PKT_COLD bool pkt_bytes_differ(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    const pkt_entry *size = e + 1;
    const uint64_t now = pkt_entry_load(pkt_leaf_at(size, v, i), size->size),
                   was = old != NULL ? pkt_entry_load(pkt_leaf_at(size, old, i), size->size) : 0;
    return now != was || now > e->span ||
           (now != 0 && memcmp(pkt_leaf_at(e, v, i), pkt_leaf_at(e, old, i), (size_t)now) != 0);
}

static PKT_COLD pkt_walk_step pkt_elements_differ(const pkt_entry *e, char *v, const char *old, uint64_t i,
                                                  uint64_t count)
{
    bool differ = false;
    if (e->kind == PKT_ENTRY_BYTES)
        for (const uint64_t end = i + count; i != end && !differ; i++)
            differ = pkt_bytes_differ(e, v, i, old);
    else if (old != NULL && count != 0 && pkt_is_plain(e))
        differ = memcmp(pkt_leaf_at(e, v, i), pkt_leaf_at(e, old, i), (size_t)count * e->size) != 0;
    else
        return PKT_WALK_ON;
    return differ ? PKT_WALK_END : PKT_WALK_DONE;
}

bool pkt_entry_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    if (e->kind == PKT_ENTRY_AFTER)
        return pkt_leaf_differs(PKT_DIFFER, e, v, old);
    return pkt_walk_elements(PKT_DIFFER, NULL, e, (char *)(uintptr_t)v, old, i, 1);
}

bool pkt_value_equal(const pkt_type *t, const void *a, const void *b)
{
    return !pkt_walk_one(PKT_DIFFER_STRICT, t, (void *)(uintptr_t)a, b);
}

/* The only thing that differs from itself is an `after` that is not in order. */
PKT_COLD bool pkt_value_in_order(const pkt_type *t, const void *v)
{
    return !pkt_walk_one(PKT_DIFFER, t, (void *)(uintptr_t)v, v);
}

/* ---- rounding */

static PKT_COLD void pkt_keep_quat(char *at, pkt_quat q)
{
    memcpy(at, &q, sizeof q);
}

/* Any other leaf. */
static PKT_COLD PKT_NOINLINE void pkt_settle_leaf(const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    float half;
    double real;
    pkt_quat q;
    pkt_vec3 v;
    if (e->kind == PKT_ENTRY_QUAT) {
        memcpy(&q, at, sizeof q);
        pkt_keep_quat(at, pkt_settle_quat(q, e->bits));
    } else if (e->kind == PKT_ENTRY_UNIT) {
        memcpy(&v, at, sizeof v);
        v = pkt_settle_unit(v, e->bits);
        memcpy(at, &v, sizeof v);
    } else if (e->kind == PKT_ENTRY_QUANTIZED) {
        if (e->size == sizeof half) { /* on a circle, or on another processor */
            half = pkt_settle(pkt_load_float(at), (float)b->low, (float)b->high, (uint32_t)e->span);
            memcpy(at, &half, sizeof half);
            return;
        }
        real = pkt_settle64(pkt_load_double(at), b->low, b->high, e->span);
        memcpy(at, &real, sizeof real);
    } else if (e->kind == PKT_ENTRY_HALF) {
        half = pkt_settle_half(pkt_load_float(at));
        memcpy(at, &half, sizeof half);
    }
}

static PKT_COLD bool pkt_type_settles(const pkt_type *t);

/* Whether a reader may see another value than was written. */
static PKT_COLD bool pkt_entry_settles(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_HALF:
    case PKT_ENTRY_QUANTIZED:
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT:
    case PKT_ENTRY_SPARSE:
    case PKT_ENTRY_OPTIONAL:
    case PKT_ENTRY_BRANCH: return true;
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COUNTED:
    case PKT_ENTRY_COMPUTED:
    case PKT_ENTRY_UNLESS: return pkt_entry_settles(e + 1);
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER: return pkt_type_settles((const pkt_type *)e->of);
    default: return false;
    }
}

static PKT_COLD bool pkt_type_settles(const pkt_type *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (pkt_entry_settles(&t->entries[i]))
            return true;
    return false;
}

#if defined(PKT_X86_64)
/* Four values at once. The last ones may be the same. */
static void pkt_settle_rows(const pkt_entry *e, const pkt_batch *b)
{
    const pkt_bounds *const bounds = (const pkt_bounds *)e->of;
    const pkt_row low = _mm_set1_ps((float)bounds->low), high = _mm_set1_ps((float)bounds->high),
                  range = _mm_sub_ps(high, low), steps = _mm_set1_ps((float)(int32_t)e->span);
    const uint32_t *const at = b->at, last = b->count - 1;
    char *const v = b->v + e->offset;
    for (uint32_t n = 0; n <= last; n += 4) {
        float *const members[4] = {(float *)(void *)(v + at[n]), (float *)(void *)(v + at[n + 1 < last ? n + 1 : last]),
                                   (float *)(void *)(v + at[n + 2 < last ? n + 2 : last]),
                                   (float *)(void *)(v + at[n + 3 < last ? n + 3 : last])};
        const pkt_row values = _mm_setr_ps(*members[0], *members[1], *members[2], *members[3]);
        pkt_row settled = pkt_dequantize_4(pkt_quantize_4(values, low, range, steps, false), low, range, steps, false);
        settled = pkt_select_4(_mm_castsi128_ps(pkt_row_infinite(values)), values, _mm_min_ps(high, settled));
        pkt_row_store(settled, 4, members);
    }
}
#endif

static void pkt_settle_leaves(const pkt_entry *e, const pkt_batch *b)
{
#if defined(PKT_X86_64)
    if (e->kind == PKT_ENTRY_QUANTIZED && e->size == sizeof(float) && (uint32_t)e->span >> 31 == 0) {
        pkt_settle_rows(e, b);
        return;
    }
#endif
    for (uint32_t n = 0; n < b->count; n++)
        pkt_settle_leaf(e, b->v + b->at[n] + e->offset);
}

/* A usual value is not sent. */
static PKT_COLD void pkt_settle_unless(const pkt_entry *e, const pkt_batch *b)
{
    const pkt_entry *value = e + 1;
    for (uint32_t n = 0; n < b->count; n++) {
        const pkt_batch one = {b->v, NULL, b->at + n, 1};
        char *at = b->v + b->at[n] + value->offset;
        if (pkt_leaves_differ(value, at, (const char *)e->of))
            pkt_settle_leaves(value, &one);
        else
            memcpy(at, e->of, value->size);
    }
}

static PKT_COLD void pkt_settle_entry(const pkt_entry *e, const pkt_batch *b)
{
    if (e->kind >= PKT_ENTRY_HALF && e->kind <= PKT_ENTRY_UNIT)
        pkt_settle_leaves(e, b);
    else if (e->kind == PKT_ENTRY_UNLESS)
        pkt_settle_unless(e, b);
}

/* ---- visits */

static bool pkt_walk_visits(pkt_walk_mode mode, const pkt_entry *e, const pkt_batch *b)
{
    switch (mode) {
    case PKT_BLANK_KEEPS:
    case PKT_BLANK_ALL:
    case PKT_BLANK_FRESH:
    case PKT_BLANK_ZEROS: pkt_blank_entry(mode, e, b); return false;
    case PKT_COPY: pkt_copy_entry(e, b); return false;
    case PKT_SETTLE: pkt_settle_entry(e, b); return false;
    case PKT_DIFFER:
    case PKT_DIFFER_STRICT: break;
    }
    return pkt_entries_differ(mode, e, b);
}

static pkt_walk_step pkt_walk_visits_elements(pkt_walk_mode mode, const pkt_entry *e, char *v, const char *old,
                                              uint64_t i, uint64_t count)
{
    switch (mode) {
    case PKT_BLANK_KEEPS:
    case PKT_BLANK_ALL:
    case PKT_BLANK_FRESH:
    case PKT_BLANK_ZEROS: return pkt_blank_elements(mode, e, v, i, count);
    case PKT_COPY: return pkt_copy_elements(e, v, old, i, count);
    case PKT_SETTLE: return pkt_entry_settles(e) ? PKT_WALK_ON : PKT_WALK_DONE;
    case PKT_DIFFER:
    case PKT_DIFFER_STRICT: break;
    }
    return pkt_elements_differ(e, v, old, i, count);
}

void pkt_value_settle(const pkt_type *t, void *v)
{
    pkt_walk_one(PKT_SETTLE, t, v, NULL);
}
