/* pkt_value.c - base values, copies and comparisons, by the tables of types.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_value.h"

#include "pkt_equal.h"

/* ---- entries */

const pkt_entry *pkt_entry_after(const pkt_entry *e)
{
    while (e->kind >= PKT_ENTRY_BYTES && e->kind < PKT_ENTRY_UNION)
        e++;
    return e->kind >= PKT_ENTRY_UNION ? e + 1 + e->other : e + 1;
}

size_t pkt_entry_size(const pkt_entry *e)
{
    if (e->kind == PKT_ENTRY_TEXT)
        return (size_t)e->span + 1;
    if (e->kind == PKT_ENTRY_BYTES)
        return (size_t)e->span;
    return e->kind == PKT_ENTRY_STRUCT ? ((const pkt_type *)e->of)->size : e->size;
}

char *pkt_entry_at(const pkt_entry *e, char *v, uint64_t i)
{
    return v + e->offset + (size_t)i * pkt_entry_size(e);
}

static PKT_COLD const char *pkt_value_leaf_at(const pkt_entry *e, const char *v, uint64_t i)
{
    return v + e->offset + (size_t)i * pkt_entry_size(e);
}

uint64_t pkt_entry_load(const void *at, unsigned size)
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

void pkt_entry_store(void *at, unsigned size, uint64_t raw)
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
uint64_t pkt_entry_raw(const pkt_entry *e, const char *at)
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

static float pkt_value_load_float(const char *at)
{
    float v;
    memcpy(&v, at, sizeof v);
    return v;
}

static double pkt_value_load_double(const char *at)
{
    double v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* ---- base values */

static PKT_COLD void pkt_value_blank_real(const pkt_entry *e, char *at)
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
static PKT_COLD uint64_t pkt_value_blank_enum(const pkt_type *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->names[i].value == 0)
            return 0;
    return t->names[0].value;
}

/* 0 if that is in range, else the least value. */
static PKT_COLD uint64_t pkt_value_blank_int(const pkt_entry *e)
{
    if (e->as == PKT_KIND_ENUM && e->of != NULL)
        return pkt_value_blank_enum((const pkt_type *)e->of);
    return e->kind == PKT_ENTRY_BITS || 0 - e->low <= e->span ? 0 : e->low;
}

static PKT_COLD void pkt_value_blank_leaf(const pkt_entry *e, char *at)
{
    const pkt_quat identity = pkt_quat_identity();
    const pkt_vec3 up = pkt_vec3_z();
    void *const none = NULL;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS:
    case PKT_ENTRY_INT:
    case PKT_ENTRY_ENUM: pkt_entry_store(at, e->size, pkt_value_blank_int(e)); return;
    case PKT_ENTRY_QUANTIZED: pkt_value_blank_real(e, at); return;
    case PKT_ENTRY_QUAT: memcpy(at, &identity, sizeof identity); return;
    case PKT_ENTRY_UNIT: memcpy(at, &up, sizeof up); return;
    case PKT_ENTRY_REF: memcpy(at, &none, sizeof none); return;
    case PKT_ENTRY_TEXT: *at = 0; return;
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_HALF:
    case PKT_ENTRY_COMPACT:
    case PKT_ENTRY_AFTER: memset(at, 0, e->size); return;
    default: return;
    }
}

static PKT_COLD void pkt_value_blank_block(const pkt_entry *e, const pkt_entry *end, char *v, bool keeps)
{
    for (; e != end; e = pkt_entry_after(e))
        pkt_entry_blank(e, v, 0, keeps);
}

void pkt_entry_blank(const pkt_entry *e, char *v, uint64_t i, bool keeps)
{
    const bool no = false;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_STRUCT: pkt_type_blank((const pkt_type *)e->of, pkt_entry_at(e, v, i), false); return;
    case PKT_ENTRY_BYTES: pkt_entry_store(pkt_entry_at(e + 1, v, i), e[1].size, 0); return;
    case PKT_ENTRY_COUNTED: pkt_entry_store(v + e->other, e->size, e->low); break;
    case PKT_ENTRY_SPARSE: memset(v + e->other, 0, ((size_t)e->span + 63) / 64 * sizeof(uint64_t)); break;
    case PKT_ENTRY_OPTIONAL: memcpy(v + e->other, &no, sizeof no); break;
    case PKT_ENTRY_UNLESS: memcpy(pkt_entry_at(e + 1, v, i), e->of, e[1].size); return;
    case PKT_ENTRY_UNION:
        pkt_entry_store(v + e->offset, e->size, 0);
        pkt_entry_blank(e + 1, v, 0, false);
        return;
    case PKT_ENTRY_MEMBER: pkt_type_blank((const pkt_type *)e->of, v + e->offset, false); return;
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: pkt_value_blank_block(e + 1, pkt_entry_after(e), v, keeps); return;
    default: break;
    }
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_SPARSE:
        if (e->kind == PKT_ENTRY_SPARSE && e->small != 0 && keeps)
            return;
        for (uint64_t n = 0; n < e->span; n++)
            pkt_entry_blank(e + 1, v, i * e->span + n, keeps);
        return;
    case PKT_ENTRY_COUNTED:
        for (uint64_t n = 0; n < e->low; n++)
            pkt_entry_blank(e + 1, v, n, keeps);
        return;
    case PKT_ENTRY_OPTIONAL: pkt_entry_blank(e + 1, v, i, keeps); return;
    default: pkt_value_blank_leaf(e, pkt_entry_at(e, v, i)); return;
    }
}

void pkt_type_blank(const pkt_type *t, char *v, bool keeps)
{
    pkt_value_blank_block(t->entries, pkt_type_end(t), v, keeps);
}

/* ---- copies */

static PKT_COLD void pkt_value_copy_entry(const pkt_entry *e, char *to, const char *from, uint64_t i);

static PKT_COLD void pkt_value_copy_block(const pkt_entry *e, const pkt_entry *end, char *to, const char *from)
{
    for (; e != end; e = pkt_entry_after(e))
        pkt_value_copy_entry(e, to, from, 0);
}

/* Clears what a member has that is not on the wire. */
static PKT_COLD void pkt_value_copy_union(const pkt_entry *e, char *to, const char *from)
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

static PKT_COLD void pkt_value_copy_entry(const pkt_entry *e, char *to, const char *from, uint64_t i)
{
    uint64_t count = e->span;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_STRUCT:
        pkt_type_copy((const pkt_type *)e->of, pkt_entry_at(e, to, i), pkt_value_leaf_at(e, from, i));
        return;
    case PKT_ENTRY_BYTES: pkt_value_copy_entry(e + 1, to, from, i); break;
    case PKT_ENTRY_COUNTED:
        count = pkt_entry_load(from + e->other, e->size);
        pkt_entry_store(to + e->other, e->size, count);
        if (count > e->low + e->span)
            return;
        break;
    case PKT_ENTRY_OPTIONAL: memcpy(to + e->other, from + e->other, sizeof(bool)); break;
    case PKT_ENTRY_UNION: pkt_value_copy_union(e, to, from); return;
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: pkt_value_copy_block(e + 1, pkt_entry_after(e), to, from); return;
    default: break;
    }
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COUNTED:
        for (uint64_t n = 0; n < count; n++)
            pkt_value_copy_entry(e + 1, to, from, i * e->span + n);
        return;
    case PKT_ENTRY_OPTIONAL:
    case PKT_ENTRY_UNLESS: pkt_value_copy_entry(e + 1, to, from, i); return;
    default: memcpy(pkt_entry_at(e, to, i), pkt_value_leaf_at(e, from, i), pkt_entry_size(e)); return;
    }
}

void pkt_type_copy(const pkt_type *t, char *to, const char *from)
{
    pkt_value_copy_block(t->entries, pkt_type_end(t), to, from);
}

/* ---- comparisons */

static PKT_COLD bool pkt_value_reals_differ(const pkt_entry *e, const char *at, const char *old)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    if (e->size == sizeof(double))
        return pkt_codes_differ64(pkt_value_load_double(at), pkt_value_load_double(old), b->low, b->high, e->span);
    return pkt_codes_differ(pkt_value_load_float(at), pkt_value_load_float(old), (float)b->low, (float)b->high,
                            (uint32_t)e->span);
}

static PKT_COLD bool pkt_value_rotations_differ(const pkt_entry *e, const char *at, const char *old)
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
static PKT_COLD bool pkt_value_leaves_differ(const pkt_entry *e, const char *at, const char *old)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_QUANTIZED: return pkt_value_reals_differ(e, at, old);
    case PKT_ENTRY_HALF: return pkt_half_bits(pkt_value_load_float(at)) != pkt_half_bits(pkt_value_load_float(old));
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT: return pkt_value_rotations_differ(e, at, old);
    default: return memcmp(at, old, e->size) != 0;
    }
}

static PKT_COLD bool pkt_value_bytes_differ(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    const pkt_entry *size = e + 1;
    const uint64_t now = pkt_entry_load(pkt_value_leaf_at(size, v, i), size->size),
                   was = old != NULL ? pkt_entry_load(pkt_value_leaf_at(size, old, i), size->size) : 0;
    return now != was || now > e->span ||
           (now != 0 && memcmp(pkt_value_leaf_at(e, v, i), pkt_value_leaf_at(e, old, i), (size_t)now) != 0);
}

static PKT_COLD bool pkt_value_blocks_differ(const pkt_type *t, const pkt_entry *e, const pkt_entry *end, const char *v,
                                             const char *old);

/* Elements after the count of `old` are compared with base values. */
static PKT_COLD bool pkt_value_arrays_differ(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    uint64_t count = e->span, held = old != NULL ? count : 0;
    if (e->kind == PKT_ENTRY_COUNTED) {
        count = pkt_entry_load(v + e->other, e->size);
        held = old != NULL ? pkt_entry_load(old + e->other, e->size) : 0;
        if (count != (old != NULL ? held : e->low))
            return true;
    }
    for (uint64_t n = 0; n < count; n++)
        if (pkt_entry_differs(e + 1, v, i * e->span + n, n < held ? old : NULL))
            return true;
    return false;
}

static PKT_COLD bool pkt_value_optionals_differ(const pkt_entry *e, const char *v, const char *old)
{
    const bool has = pkt_entry_load(v + e->other, sizeof(bool)) != 0,
               had = old != NULL && pkt_entry_load(old + e->other, sizeof(bool)) != 0;
    return has != had || (has && pkt_entry_differs(e + 1, v, 0, old));
}

static PKT_COLD bool pkt_value_unions_differ(const pkt_entry *e, const char *v, const char *old)
{
    const uint64_t tag = pkt_entry_load(v + e->offset, e->size);
    if (tag != (old != NULL ? pkt_entry_load(old + e->offset, e->size) : 0))
        return true;
    return pkt_entry_differs(e + 1 + tag, v, 0, old);
}

static PKT_COLD bool pkt_value_types_differ(const pkt_type *t, const char *v, const char *old)
{
    return pkt_value_blocks_differ(t, t->entries, pkt_type_end(t), v, old);
}

const char *pkt_entry_old(const pkt_entry *e, const char *old, uint64_t i, uint64_t base[2])
{
    if (old != NULL)
        return pkt_value_leaf_at(e, old, i);
    pkt_value_blank_leaf(e, (char *)base);
    return (const char *)base;
}

bool pkt_entry_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    uint64_t base[2];
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_CONSTANT:
    case PKT_ENTRY_CHANGES:
    case PKT_ENTRY_ALIGN: return false;
    case PKT_ENTRY_STRUCT:
        return pkt_value_types_differ((const pkt_type *)e->of, pkt_value_leaf_at(e, v, i),
                                      old != NULL ? pkt_value_leaf_at(e, old, i) : NULL);
    case PKT_ENTRY_MEMBER:
        return pkt_value_types_differ((const pkt_type *)e->of, v + e->offset, old != NULL ? old + e->offset : NULL);
    case PKT_ENTRY_TEXT:
        return !pkt_unchanged_text(pkt_value_leaf_at(e, v, i), old != NULL ? pkt_value_leaf_at(e, old, i) : NULL,
                                   (uint32_t)e->span);
    case PKT_ENTRY_BYTES: return pkt_value_bytes_differ(e, v, i, old);
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COUNTED: return pkt_value_arrays_differ(e, v, i, old);
    case PKT_ENTRY_OPTIONAL: return pkt_value_optionals_differ(e, v, old);
    case PKT_ENTRY_UNLESS:
        return pkt_value_leaves_differ(e + 1, pkt_value_leaf_at(e + 1, v, i),
                                       old != NULL ? pkt_value_leaf_at(e + 1, old, i) : (const char *)e->of);
    case PKT_ENTRY_UNION: return pkt_value_unions_differ(e, v, old);
    default: return pkt_value_leaves_differ(e, pkt_value_leaf_at(e, v, i), pkt_entry_old(e, old, i, base));
    }
}

/* Fields come before the conditions that use them: if these are equal, so is the side. An `after` field can equal its
 * base value although it cannot be written, if its start has its base value too. */
static PKT_COLD bool pkt_value_blocks_differ(const pkt_type *t, const pkt_entry *e, const pkt_entry *end, const char *v,
                                             const char *old)
{
    for (; e != end; e = pkt_entry_after(e)) {
        if (e->kind == PKT_ENTRY_BRANCH) {
            unsigned n = t->side(v, (unsigned)e->low);
            for (const pkt_entry *side = e + 1; side != pkt_entry_after(e); side = pkt_entry_after(side))
                if (--n == 0 && pkt_value_blocks_differ(t, side + 1, pkt_entry_after(side), v, old))
                    return true;
        } else if (pkt_entry_differs(e, v, 0, old)) {
            return true;
        } else if (e->kind == PKT_ENTRY_AFTER &&
                   pkt_entry_load(v + e->offset, e->size) <= pkt_entry_load(v + e->other, e->size)) {
            return true;
        }
    }
    return false;
}
