/* pkt_lines.c - base values, copies and comparisons, by the rows of types.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_lines.h"

#include "pkt_equal.h"

/* ---- rows */

const pkt_line *pkt_line_behind(const pkt_line *l)
{
    while (l->kind >= PKT_LINE_BYTES && l->kind < PKT_LINE_UNION)
        l++;
    return l->kind >= PKT_LINE_UNION ? l + 1 + l->other : l + 1;
}

/* The size of a leaf in memory, in bytes. */
static size_t leaf_size(const pkt_line *l)
{
    if (l->kind == PKT_LINE_TEXT)
        return (size_t)l->span + 1;
    if (l->kind == PKT_LINE_BYTES)
        return (size_t)l->span;
    return l->kind == PKT_LINE_STRUCT ? ((const pkt_lines *)l->of)->size : l->size;
}

char *pkt_line_at(const pkt_line *l, char *v, uint64_t i)
{
    return v + l->offset + (size_t)i * leaf_size(l);
}

static const char *leaf_at(const pkt_line *l, const char *v, uint64_t i)
{
    return v + l->offset + (size_t)i * leaf_size(l);
}

uint64_t pkt_line_load(const void *at, unsigned size)
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

void pkt_line_store(void *at, unsigned size, uint64_t raw)
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
uint64_t pkt_line_raw(const pkt_line *l, const char *at)
{
    uint64_t v = pkt_line_load(at, l->size);
    if (l->low >> 63 != 0 && l->size < 8 && v >> (8 * l->size - 1) != 0)
        v |= UINT64_MAX << 8 * l->size;
    return v - l->low;
}

static float load_float(const char *at)
{
    float v;
    memcpy(&v, at, sizeof v);
    return v;
}

static double load_double(const char *at)
{
    double v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* ---- base values */

static void blank_real(const pkt_line *l, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)l->of;
    const double v = b->low > 0.0 || b->high < 0.0 ? b->low : 0.0;
    const float narrow = (float)v;
    if (l->size == sizeof narrow)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &v, sizeof v);
}

/* 0 if that is in range, else the least value. */
static uint64_t blank_int(const pkt_line *l)
{
    return 0 - l->low <= l->span ? 0 : l->low;
}

static void blank_leaf(const pkt_line *l, char *at)
{
    const pkt_quat identity = pkt_quat_identity();
    const pkt_vec3 up = pkt_vec3_z();
    void *const none = NULL;
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_INT: pkt_line_store(at, l->size, blank_int(l)); return;
    case PKT_LINE_ENUM: pkt_line_store(at, l->size, ((const pkt_values *)l->of)->base); return;
    case PKT_LINE_QUANTIZED: blank_real(l, at); return;
    case PKT_LINE_QUAT: memcpy(at, &identity, sizeof identity); return;
    case PKT_LINE_UNIT: memcpy(at, &up, sizeof up); return;
    case PKT_LINE_REF: memcpy(at, &none, sizeof none); return;
    case PKT_LINE_TEXT: *at = 0; return;
    case PKT_LINE_BOOL:
    case PKT_LINE_BITS:
    case PKT_LINE_HALF:
    case PKT_LINE_COMPACT:
    case PKT_LINE_AFTER: memset(at, 0, l->size); return;
    default: return;
    }
}

static void blank_block(const pkt_line *l, const pkt_line *end, char *v, bool keeps)
{
    for (; l != end; l = pkt_line_behind(l))
        pkt_line_blank(l, v, 0, keeps);
}

void pkt_line_blank(const pkt_line *l, char *v, uint64_t i, bool keeps)
{
    const bool no = false;
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_STRUCT: pkt_lines_blank((const pkt_lines *)l->of, pkt_line_at(l, v, i), false); return;
    case PKT_LINE_BYTES: pkt_line_store(pkt_line_at(l + 1, v, i), l[1].size, 0); return;
    case PKT_LINE_COUNTED: pkt_line_store(v + l->other, l->size, l->low); break;
    case PKT_LINE_SPARSE: memset(v + l->other, 0, ((size_t)l->span + 63) / 64 * sizeof(uint64_t)); break;
    case PKT_LINE_OPTIONAL: memcpy(v + l->other, &no, sizeof no); break;
    case PKT_LINE_UNLESS: memcpy(pkt_line_at(l + 1, v, i), l->of, l[1].size); return;
    case PKT_LINE_UNION:
        pkt_line_store(v + l->offset, l->size, 0);
        pkt_line_blank(l + 1, v, 0, false);
        return;
    case PKT_LINE_MEMBER: pkt_lines_blank((const pkt_lines *)l->of, v + l->offset, false); return;
    case PKT_LINE_BRANCH:
    case PKT_LINE_SIDE: blank_block(l + 1, pkt_line_behind(l), v, keeps); return;
    default: break;
    }
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_ARRAY:
    case PKT_LINE_SPARSE:
        if (l->kind == PKT_LINE_SPARSE && l->small != 0 && keeps)
            return;
        for (uint64_t n = 0; n < l->span; n++)
            pkt_line_blank(l + 1, v, i * l->span + n, keeps);
        return;
    case PKT_LINE_COUNTED:
        for (uint64_t n = 0; n < l->low; n++)
            pkt_line_blank(l + 1, v, n, keeps);
        return;
    case PKT_LINE_OPTIONAL: pkt_line_blank(l + 1, v, i, keeps); return;
    default: blank_leaf(l, pkt_line_at(l, v, i)); return;
    }
}

void pkt_lines_blank(const pkt_lines *t, char *v, bool keeps)
{
    blank_block(t->first, pkt_lines_end(t), v, keeps);
}

/* ---- copies */

static void copy_line(const pkt_line *l, char *to, const char *from, uint64_t i);

static void copy_block(const pkt_line *l, const pkt_line *end, char *to, const char *from)
{
    for (; l != end; l = pkt_line_behind(l))
        copy_line(l, to, from, 0);
}

/* Clears what a member has that is not on the wire. */
static void copy_union(const pkt_line *l, char *to, const char *from)
{
    const uint64_t tag = pkt_line_load(from + l->offset, l->size);
    if (tag > l->span)
        return;
    const pkt_line *member = l + 1 + tag;
    const pkt_lines *of = (const pkt_lines *)member->of;
    pkt_line_store(to + l->offset, l->size, tag);
    memset(to + member->offset, 0, of->size);
    pkt_lines_copy(of, to + member->offset, from + member->offset);
}

static void copy_line(const pkt_line *l, char *to, const char *from, uint64_t i)
{
    uint64_t count = l->span;
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_STRUCT: pkt_lines_copy((const pkt_lines *)l->of, pkt_line_at(l, to, i), leaf_at(l, from, i)); return;
    case PKT_LINE_BYTES: copy_line(l + 1, to, from, i); break;
    case PKT_LINE_COUNTED:
        count = pkt_line_load(from + l->other, l->size);
        pkt_line_store(to + l->other, l->size, count);
        if (count > l->low + l->span)
            return;
        break;
    case PKT_LINE_OPTIONAL: memcpy(to + l->other, from + l->other, sizeof(bool)); break;
    case PKT_LINE_UNION: copy_union(l, to, from); return;
    case PKT_LINE_BRANCH:
    case PKT_LINE_SIDE: copy_block(l + 1, pkt_line_behind(l), to, from); return;
    default: break;
    }
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_ARRAY:
    case PKT_LINE_COUNTED:
        for (uint64_t n = 0; n < count; n++)
            copy_line(l + 1, to, from, i * l->span + n);
        return;
    case PKT_LINE_OPTIONAL:
    case PKT_LINE_UNLESS: copy_line(l + 1, to, from, i); return;
    default: memcpy(pkt_line_at(l, to, i), leaf_at(l, from, i), leaf_size(l)); return;
    }
}

void pkt_lines_copy(const pkt_lines *t, char *to, const char *from)
{
    copy_block(t->first, pkt_lines_end(t), to, from);
}

/* ---- comparisons */

static bool reals_differ(const pkt_line *l, const char *at, const char *old)
{
    const pkt_bounds *b = (const pkt_bounds *)l->of;
    if (l->size == sizeof(double))
        return pkt_codes_differ64(load_double(at), load_double(old), b->low, b->high, l->span);
    return pkt_codes_differ(load_float(at), load_float(old), (float)b->low, (float)b->high, (uint32_t)l->span);
}

static bool rotations_differ(const pkt_line *l, const char *at, const char *old)
{
    pkt_quat q, old_q;
    pkt_vec3 v, old_v;
    if (l->kind == PKT_LINE_QUAT) {
        memcpy(&q, at, sizeof q);
        memcpy(&old_q, old, sizeof old_q);
        return pkt_quats_differ(q, old_q, l->bits);
    }
    memcpy(&v, at, sizeof v);
    memcpy(&old_v, old, sizeof old_v);
    return pkt_units_differ(v, old_v, l->bits);
}

/* For leaves other than texts. */
static bool leaves_differ(const pkt_line *l, const char *at, const char *old)
{
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_QUANTIZED: return reals_differ(l, at, old);
    case PKT_LINE_HALF: return pkt_half_bits(load_float(at)) != pkt_half_bits(load_float(old));
    case PKT_LINE_QUAT:
    case PKT_LINE_UNIT: return rotations_differ(l, at, old);
    default: return memcmp(at, old, l->size) != 0;
    }
}

static bool bytes_differ(const pkt_line *l, const char *v, uint64_t i, const char *old)
{
    const pkt_line *size = l + 1;
    const uint64_t now = pkt_line_load(leaf_at(size, v, i), size->size),
                   was = old != NULL ? pkt_line_load(leaf_at(size, old, i), size->size) : 0;
    return now != was || now > l->span || (now != 0 && memcmp(leaf_at(l, v, i), leaf_at(l, old, i), (size_t)now) != 0);
}

static bool blocks_differ(const pkt_lines *t, const pkt_line *l, const pkt_line *end, const char *v, const char *old);

/* Elements after the count of `old` are compared with base values. */
static bool arrays_differ(const pkt_line *l, const char *v, uint64_t i, const char *old)
{
    uint64_t count = l->span, held = old != NULL ? count : 0;
    if (l->kind == PKT_LINE_COUNTED) {
        count = pkt_line_load(v + l->other, l->size);
        held = old != NULL ? pkt_line_load(old + l->other, l->size) : 0;
        if (count != (old != NULL ? held : l->low))
            return true;
    }
    for (uint64_t n = 0; n < count; n++)
        if (pkt_line_differs(l + 1, v, i * l->span + n, n < held ? old : NULL))
            return true;
    return false;
}

static bool optionals_differ(const pkt_line *l, const char *v, const char *old)
{
    const bool has = pkt_line_load(v + l->other, sizeof(bool)) != 0,
               had = old != NULL && pkt_line_load(old + l->other, sizeof(bool)) != 0;
    return has != had || (has && pkt_line_differs(l + 1, v, 0, old));
}

static bool unions_differ(const pkt_line *l, const char *v, const char *old)
{
    const uint64_t tag = pkt_line_load(v + l->offset, l->size);
    if (tag != (old != NULL ? pkt_line_load(old + l->offset, l->size) : 0))
        return true;
    return pkt_line_differs(l + 1 + tag, v, 0, old);
}

static bool types_differ(const pkt_lines *t, const char *v, const char *old)
{
    return blocks_differ(t, t->first, pkt_lines_end(t), v, old);
}

const char *pkt_line_old(const pkt_line *l, const char *old, uint64_t i, uint64_t base[2])
{
    if (old != NULL)
        return leaf_at(l, old, i);
    blank_leaf(l, (char *)base);
    return (const char *)base;
}

bool pkt_line_differs(const pkt_line *l, const char *v, uint64_t i, const char *old)
{
    uint64_t base[2];
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_CONSTANT:
    case PKT_LINE_CHANGES:
    case PKT_LINE_ALIGN: return false;
    case PKT_LINE_STRUCT:
        return types_differ((const pkt_lines *)l->of, leaf_at(l, v, i), old != NULL ? leaf_at(l, old, i) : NULL);
    case PKT_LINE_MEMBER:
        return types_differ((const pkt_lines *)l->of, v + l->offset, old != NULL ? old + l->offset : NULL);
    case PKT_LINE_TEXT:
        return !pkt_unchanged_text(leaf_at(l, v, i), old != NULL ? leaf_at(l, old, i) : NULL, (uint32_t)l->span);
    case PKT_LINE_BYTES: return bytes_differ(l, v, i, old);
    case PKT_LINE_ARRAY:
    case PKT_LINE_COUNTED: return arrays_differ(l, v, i, old);
    case PKT_LINE_OPTIONAL: return optionals_differ(l, v, old);
    case PKT_LINE_UNLESS:
        return leaves_differ(l + 1, leaf_at(l + 1, v, i), old != NULL ? leaf_at(l + 1, old, i) : (const char *)l->of);
    case PKT_LINE_UNION: return unions_differ(l, v, old);
    default: return leaves_differ(l, leaf_at(l, v, i), pkt_line_old(l, old, i, base));
    }
}

/* Fields come before the conditions that use them: if these are equal, so is the side. An `after` field can equal its
 * base value although it cannot be written, if its start has its base value too. */
static bool blocks_differ(const pkt_lines *t, const pkt_line *l, const pkt_line *end, const char *v, const char *old)
{
    for (; l != end; l = pkt_line_behind(l)) {
        if (l->kind == PKT_LINE_BRANCH) {
            unsigned n = t->side(v, (unsigned)l->low);
            for (const pkt_line *side = l + 1; side != pkt_line_behind(l); side = pkt_line_behind(side))
                if (--n == 0 && blocks_differ(t, side + 1, pkt_line_behind(side), v, old))
                    return true;
        } else if (pkt_line_differs(l, v, 0, old)) {
            return true;
        } else if (l->kind == PKT_LINE_AFTER &&
                   pkt_line_load(v + l->offset, l->size) <= pkt_line_load(v + l->other, l->size)) {
            return true;
        }
    }
    return false;
}
