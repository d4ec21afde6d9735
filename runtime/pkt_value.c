/* pkt_value.c - base values, copies and comparisons, by the tables of types.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_value.h"

#include "pkt_rotation.h"
#include "pkt_subset.h"
#include "pkt_varying.h"

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

PKT_NOINLINE uint64_t pkt_entry_load(const void *at, unsigned size)
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
    uint64_t v = pkt_entry_load(at, e->size);
    if (e->low >> 63 != 0 && e->size < 8 && v >> (8 * e->size - 1) != 0)
        v |= UINT64_MAX << 8 * e->size;
    return v - e->low;
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

/* ---- base values */

typedef enum pkt_blanking {
    PKT_BLANK_KEEPS, /* arrays with `keep` keep their elements */
    PKT_BLANK_ALL,   /* elements past the count of an array stay as they are */
    PKT_BLANK_FRESH  /* nothing is set yet: all elements, and all bytes of texts */
} pkt_blanking;

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

static PKT_COLD void pkt_blank_entry(const pkt_entry *e, char *v, uint64_t i, pkt_blanking mode);

static PKT_COLD void pkt_blank_block(const pkt_entry *e, const pkt_entry *end, char *v, pkt_blanking mode)
{
    for (; e != end; e = pkt_entry_after(e))
        pkt_blank_entry(e, v, 0, mode);
}

static PKT_COLD void pkt_blank_type(const pkt_type *t, char *v, pkt_blanking mode)
{
    pkt_blank_block(t->entries, pkt_type_end(t), v, mode == PKT_BLANK_KEEPS ? PKT_BLANK_ALL : mode);
}

static void pkt_blank_entry(const pkt_entry *e, char *v, uint64_t i, pkt_blanking mode)
{
    const bool no = false;
    uint64_t count = e->span;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_STRUCT: pkt_blank_type((const pkt_type *)e->of, pkt_entry_at(e, v, i), mode); return;
    case PKT_ENTRY_MEMBER: pkt_blank_type((const pkt_type *)e->of, v + e->offset, mode); return;
    case PKT_ENTRY_TEXT:
    case PKT_ENTRY_BYTES:
        if (mode == PKT_BLANK_FRESH)
            memset(pkt_entry_at(e, v, i), 0, pkt_entry_size(e));
        if (e->kind == PKT_ENTRY_BYTES)
            pkt_entry_store(pkt_entry_at(e + 1, v, i), e[1].size, 0);
        else
            *pkt_entry_at(e, v, i) = 0;
        return;
    case PKT_ENTRY_COUNTED:
        pkt_entry_store(v + e->other, e->size, e->low);
        count = mode == PKT_BLANK_FRESH ? e->low + e->span : e->low;
        break;
    case PKT_ENTRY_COMPUTED: break; /* nothing tells how many elements will count */
    case PKT_ENTRY_SPARSE:
        memset(v + e->other, 0, ((size_t)e->span + 63) / 64 * sizeof(uint64_t));
        if (e->small != 0 && mode == PKT_BLANK_KEEPS)
            return;
        break;
    case PKT_ENTRY_ARRAY: break;
    case PKT_ENTRY_OPTIONAL:
        memcpy(v + e->other, &no, sizeof no);
        pkt_blank_entry(e + 1, v, i, mode);
        return;
    case PKT_ENTRY_UNLESS: memcpy(pkt_entry_at(e + 1, v, i), e->of, e[1].size); return;
    case PKT_ENTRY_UNION:
        pkt_entry_store(v + e->offset, e->size, 0);
        pkt_blank_entry(e + 1, v, 0, mode);
        return;
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: pkt_blank_block(e + 1, pkt_entry_after(e), v, mode); return;
    default: pkt_blank_leaf(e, pkt_entry_at(e, v, i)); return;
    }
    for (uint64_t n = 0; n < count; n++)
        pkt_blank_entry(e + 1, v, i * e->span + n, mode);
}

void pkt_entry_blank(const pkt_entry *e, char *v, uint64_t i, bool keeps)
{
    pkt_blank_entry(e, v, i, keeps ? PKT_BLANK_KEEPS : PKT_BLANK_ALL);
}

void pkt_type_blank(const pkt_type *t, char *v, bool keeps)
{
    pkt_blank_block(t->entries, pkt_type_end(t), v, keeps ? PKT_BLANK_KEEPS : PKT_BLANK_ALL);
}

void pkt_value_init(const pkt_type *t, void *v)
{
    pkt_blank_type(t, (char *)v, PKT_BLANK_FRESH);
}

/* ---- copies */

static PKT_COLD void pkt_copy_entry(const pkt_entry *e, char *to, const char *from, uint64_t i);

static PKT_COLD void pkt_copy_block(const pkt_entry *e, const pkt_entry *end, char *to, const char *from)
{
    for (; e != end; e = pkt_entry_after(e))
        pkt_copy_entry(e, to, from, 0);
}

/* Clears the parts of a member that are not on the wire. */
static PKT_COLD void pkt_copy_union(const pkt_entry *e, char *to, const char *from)
{
    const uint64_t tag = pkt_entry_load(from + e->offset, e->size);
    if (tag > e->span)
        return;
    const pkt_entry *member = e + 1 + tag;
    const pkt_type *of = (const pkt_type *)member->of;
    pkt_entry_store(to + e->offset, e->size, tag);
    memset(to + member->offset, 0, of->size);
    pkt_type_copy(of, to + member->offset, from + member->offset);
}

static void pkt_copy_entry(const pkt_entry *e, char *to, const char *from, uint64_t i)
{
    uint64_t count = e->span;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_STRUCT:
        pkt_type_copy((const pkt_type *)e->of, pkt_entry_at(e, to, i), pkt_leaf_at(e, from, i));
        return;
    case PKT_ENTRY_BYTES: pkt_copy_entry(e + 1, to, from, i); break;
    case PKT_ENTRY_COUNTED:
        count = pkt_entry_load(from + e->other, e->size);
        pkt_entry_store(to + e->other, e->size, count);
        if (count > e->low + e->span)
            return;
        break;
    case PKT_ENTRY_OPTIONAL: memcpy(to + e->other, from + e->other, sizeof(bool)); break;
    case PKT_ENTRY_UNION: pkt_copy_union(e, to, from); return;
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: pkt_copy_block(e + 1, pkt_entry_after(e), to, from); return;
    default: break;
    }
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COUNTED:
    case PKT_ENTRY_COMPUTED:
        for (uint64_t n = 0; n < count; n++)
            pkt_copy_entry(e + 1, to, from, i * e->span + n);
        return;
    case PKT_ENTRY_OPTIONAL:
    case PKT_ENTRY_UNLESS: pkt_copy_entry(e + 1, to, from, i); return;
    default: memcpy(pkt_entry_at(e, to, i), pkt_leaf_at(e, from, i), pkt_entry_size(e)); return;
    }
}

void pkt_type_copy(const pkt_type *t, char *to, const char *from)
{
    pkt_copy_block(t->entries, pkt_type_end(t), to, from);
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
        return pkt_code_of_quat(q, e->bits) != PKT_NO_CODE;
    }
    memcpy(&v, at, sizeof v);
    return pkt_code_of_unit(v, e->bits) != PKT_NO_CODE;
}

/* Whether a leaf can be written. */
static PKT_COLD PKT_NOINLINE bool pkt_is_writable(const pkt_entry *e, const char *v, uint64_t i)
{
    const char *at = pkt_leaf_at(e, v, i);
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
static bool pkt_is_plain(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_REF:
    case PKT_ENTRY_COMPACT: return true;
    case PKT_ENTRY_BITS: return e->bits == 8 * e->size;
    default: return false;
    }
}

/* The comparison of v with `old`, which is sound; or with base values, if old is NULL. A strict one is also true if v
 * cannot be written; then neither has to be sound. */
static bool pkt_any_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old, bool strict);
static bool pkt_type_differs(const pkt_type *t, const char *v, const char *old, bool strict);

static bool pkt_bytes_differ(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    const pkt_entry *size = e + 1;
    const uint64_t now = pkt_entry_load(pkt_leaf_at(size, v, i), size->size),
                   was = old != NULL ? pkt_entry_load(pkt_leaf_at(size, old, i), size->size) : 0;
    return now != was || now > e->span ||
           (now != 0 && memcmp(pkt_leaf_at(e, v, i), pkt_leaf_at(e, old, i), (size_t)now) != 0);
}

/* Elements after the count of `old` are compared with base values. */
static bool pkt_array_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old, bool strict)
{
    uint64_t count = e->span, held = old != NULL ? count : 0;
    if (e->kind == PKT_ENTRY_COUNTED) {
        count = pkt_entry_load(v + e->other, e->size);
        held = old != NULL ? pkt_entry_load(old + e->other, e->size) : 0;
        if (count != (old != NULL ? held : e->low) || (strict && count - e->low > e->span))
            return true;
    }
    i *= e->span;
    if (held == count && count != 0 && pkt_is_plain(e + 1))
        return memcmp(pkt_leaf_at(e + 1, v, i), pkt_leaf_at(e + 1, old, i), (size_t)(count * e[1].size)) != 0;
    for (uint64_t n = 0; n < count; n++)
        if (pkt_any_differs(e + 1, v, i + n, n < held ? old : NULL, strict))
            return true;
    return false;
}

/* Deltas have no sparse arrays, so this is always strict. */
static PKT_COLD bool pkt_subset_differs(const pkt_entry *e, const char *v, const char *old)
{
    const uint64_t *present = (const uint64_t *)(const void *)(v + e->other),
                   *had = (const uint64_t *)(const void *)(old + e->other);
    const uint32_t n = (uint32_t)e->span;
    if (!pkt_subset_same(present, had, n, (uint32_t)e->low))
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (pkt_present_has(present, n, i) && pkt_any_differs(e + 1, v, i, old, true))
            return true;
    return false;
}

static bool pkt_optional_differs(const pkt_entry *e, const char *v, const char *old, bool strict)
{
    const bool has = pkt_entry_load(v + e->other, sizeof(bool)) != 0,
               had = old != NULL && pkt_entry_load(old + e->other, sizeof(bool)) != 0;
    return has != had || (has && pkt_any_differs(e + 1, v, 0, old, strict));
}

static bool pkt_union_differs(const pkt_entry *e, const char *v, const char *old, bool strict)
{
    const uint64_t tag = pkt_entry_load(v + e->offset, e->size);
    if (tag > e->span || tag != (old != NULL ? pkt_entry_load(old + e->offset, e->size) : 0))
        return true;
    return pkt_any_differs(e + 1 + tag, v, 0, old, strict);
}

const char *pkt_entry_old(const pkt_entry *e, const char *old, uint64_t i, uint64_t base[2])
{
    if (old != NULL)
        return pkt_leaf_at(e, old, i);
    pkt_blank_leaf(e, (char *)base);
    return (const char *)base;
}

static bool pkt_any_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old, bool strict)
{
    uint64_t base[2];
    bool differs;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_CONSTANT:
    case PKT_ENTRY_CHANGES:
    case PKT_ENTRY_ALIGN: return false;
    case PKT_ENTRY_STRUCT:
        return pkt_type_differs((const pkt_type *)e->of, pkt_leaf_at(e, v, i),
                                old != NULL ? pkt_leaf_at(e, old, i) : NULL, strict);
    case PKT_ENTRY_MEMBER:
        return pkt_type_differs((const pkt_type *)e->of, v + e->offset, old != NULL ? old + e->offset : NULL, strict);
    case PKT_ENTRY_BYTES: return pkt_bytes_differ(e, v, i, old);
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COUNTED: return pkt_array_differs(e, v, i, old, strict);
    case PKT_ENTRY_SPARSE: return pkt_subset_differs(e, v, old);
    case PKT_ENTRY_OPTIONAL: return pkt_optional_differs(e, v, old, strict);
    case PKT_ENTRY_UNION: return pkt_union_differs(e, v, old, strict);
    case PKT_ENTRY_TEXT:
        differs =
            !pkt_unchanged_text(pkt_leaf_at(e, v, i), old != NULL ? pkt_leaf_at(e, old, i) : NULL, (uint32_t)e->span);
        break;
    case PKT_ENTRY_UNLESS:
        e++;
        differs =
            pkt_leaves_differ(e, pkt_leaf_at(e, v, i), old != NULL ? pkt_leaf_at(e, old, i) : (const char *)e[-1].of);
        break;
    default: differs = pkt_leaves_differ(e, pkt_leaf_at(e, v, i), pkt_entry_old(e, old, i, base)); break;
    }
    return differs || (strict && !pkt_is_writable(e, v, i));
}

/* Computed counts are only in types that have no deltas, so this is always strict. */
static PKT_COLD bool pkt_computed_differs(const pkt_entry *e, uint32_t count, const char *v, const char *old)
{
    for (uint32_t n = 0; n < count; n++)
        if (pkt_any_differs(e + 1, v, n, old, true))
            return true;
    return false;
}

/* Fields come before the conditions and counts that use them: if these are equal, so are the side and the count. An `after` field can equal its
 * base value although it cannot be written, if its start has its base value too. */
static bool pkt_block_differs(const pkt_type *t, const pkt_entry *e, const pkt_entry *end, const char *v,
                              const char *old, bool strict)
{
    for (; e != end; e = pkt_entry_after(e)) {
        if (e->kind == PKT_ENTRY_BRANCH) {
            unsigned n = t->side(v, (unsigned)e->low);
            for (const pkt_entry *side = e + 1; side != pkt_entry_after(e); side = pkt_entry_after(side))
                if (--n == 0 && pkt_block_differs(t, side + 1, pkt_entry_after(side), v, old, strict))
                    return true;
        } else if (e->kind == PKT_ENTRY_COMPUTED) {
            if (pkt_computed_differs(e, t->side(v, (unsigned)e->low), v, old))
                return true;
        } else if (pkt_any_differs(e, v, 0, old, strict)) {
            return true;
        } else if (e->kind == PKT_ENTRY_AFTER && !pkt_is_writable(e, v, 0)) {
            return true;
        }
    }
    return false;
}

static bool pkt_type_differs(const pkt_type *t, const char *v, const char *old, bool strict)
{
    return pkt_block_differs(t, t->entries, pkt_type_end(t), v, old, strict);
}

bool pkt_entry_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    return pkt_any_differs(e, v, i, old, false);
}

bool pkt_value_equal(const pkt_type *t, const void *a, const void *b)
{
    return !pkt_type_differs(t, (const char *)a, (const char *)b, true);
}

/* ---- rounding */

static PKT_COLD void pkt_keep_quat(char *at, pkt_quat q)
{
    memcpy(at, &q, sizeof q);
}

static PKT_COLD PKT_NOINLINE void pkt_settle_leaf(const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    float single;
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
    } else if (e->kind == PKT_ENTRY_QUANTIZED && e->size == sizeof real) {
        real = pkt_settle64(pkt_load_double(at), b->low, b->high, e->span);
        memcpy(at, &real, sizeof real);
    } else {
        single = pkt_load_float(at);
        single = e->kind == PKT_ENTRY_HALF ? pkt_settle_half(single)
                                           : pkt_settle(single, (float)b->low, (float)b->high, (uint32_t)e->span);
        memcpy(at, &single, sizeof single);
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

static PKT_COLD void pkt_settle_entry(const pkt_type *t, const pkt_entry *e, char *v, uint64_t i);

static PKT_COLD void pkt_settle_block(const pkt_type *t, const pkt_entry *e, const pkt_entry *end, char *v)
{
    for (; e != end; e = pkt_entry_after(e))
        pkt_settle_entry(t, e, v, 0);
}

/* A reader sees base values of elements that are absent, unless it keeps those that it has. */
static PKT_COLD void pkt_settle_sparse(const pkt_type *t, const pkt_entry *e, char *v)
{
    const uint64_t *present = (const uint64_t *)(const void *)(v + e->other);
    for (uint32_t i = 0; i < e->span; i++)
        if (pkt_present_has(present, (uint32_t)e->span, i))
            pkt_settle_entry(t, e + 1, v, i);
        else if (e->small == 0)
            pkt_entry_blank(e + 1, v, i, false);
}

/* The sides that are not taken have base values for a reader. */
static PKT_COLD void pkt_settle_branch(const pkt_type *t, const pkt_entry *e, char *v)
{
    const unsigned taken = t->side(v, (unsigned)e->low);
    const pkt_entry *end = pkt_entry_after(e), *chosen = NULL;
    unsigned n = 0;
    for (const pkt_entry *side = e + 1; side != end; side = pkt_entry_after(side))
        if (++n == taken)
            chosen = side;
        else
            pkt_entry_blank(side, v, 0, false);
    if (chosen != NULL)
        pkt_settle_block(t, chosen + 1, pkt_entry_after(chosen), v);
}

/* Whether an array settles is asked once, not of each element. */
static PKT_COLD void pkt_settle_elements(const pkt_type *t, const pkt_entry *e, char *v, uint64_t first, uint64_t count)
{
    if (count == 0 || !pkt_entry_settles(e))
        return;
    for (uint64_t n = 0; n < count; n++)
        pkt_settle_entry(t, e, v, first + n);
}

static PKT_COLD void pkt_settle_entry(const pkt_type *t, const pkt_entry *e, char *v, uint64_t i)
{
    uint64_t count, tag;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_HALF:
    case PKT_ENTRY_QUANTIZED:
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT: pkt_settle_leaf(e, pkt_entry_at(e, v, i)); return;
    case PKT_ENTRY_STRUCT: pkt_value_settle((const pkt_type *)e->of, pkt_entry_at(e, v, i)); return;
    case PKT_ENTRY_MEMBER: pkt_value_settle((const pkt_type *)e->of, v + e->offset); return;
    case PKT_ENTRY_SPARSE: pkt_settle_sparse(t, e, v); return;
    case PKT_ENTRY_BRANCH: pkt_settle_branch(t, e, v); return;
    case PKT_ENTRY_OPTIONAL:
        if (pkt_entry_load(v + e->other, sizeof(bool)) != 0)
            pkt_settle_entry(t, e + 1, v, i);
        else
            pkt_entry_blank(e + 1, v, i, false);
        return;
    case PKT_ENTRY_UNLESS:
        if (!pkt_entry_settles(e))
            return;
        if (pkt_entry_differs(e, v, i, NULL))
            pkt_settle_entry(t, e + 1, v, i);
        else
            pkt_entry_blank(e, v, i, false);
        return;
    case PKT_ENTRY_UNION:
        tag = pkt_entry_load(v + e->offset, e->size);
        if (tag <= e->span)
            pkt_settle_entry(t, e + 1 + tag, v, 0);
        return;
    case PKT_ENTRY_ARRAY: pkt_settle_elements(t, e + 1, v, i * e->span, e->span); return;
    case PKT_ENTRY_COMPUTED: pkt_settle_elements(t, e + 1, v, 0, t->side(v, (unsigned)e->low)); return;
    case PKT_ENTRY_COUNTED:
        count = pkt_entry_load(v + e->other, e->size);
        pkt_settle_elements(t, e + 1, v, i * e->span, count < e->low + e->span ? count : e->low + e->span);
        return;
    default: return;
    }
}

void pkt_value_settle(const pkt_type *t, void *v)
{
    pkt_settle_block(t, t->entries, pkt_type_end(t), (char *)v);
}
