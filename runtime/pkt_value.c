/* pkt_value.c - base values, copies and comparisons, by the tables of types.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_value.h"

#include "pkt_list.h"
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
    case PKT_ENTRY_MEMBER:
        return ((const pkt_type *)e->of)->size;
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        PKT_ENTRY_GAPS(PKT_CASE)
        PKT_ENTRY_HOLDERS(PKT_CASE)
    case PKT_ENTRY_UNION:
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: break;
    }
    return e->size;
}

char *pkt_entry_at(const pkt_entry *e, char *v, uint64_t i)
{
    return v + e->offset + (size_t)i * pkt_entry_size(e);
}

static const char *pkt_leaf_at(const pkt_entry *e, const char *v, uint64_t i)
{
    return v + e->offset + (size_t)i * pkt_entry_size(e);
}

/* The first entry of the side of a branch that a value takes, or the end of the branch. */
static const pkt_entry *pkt_side_taken(const pkt_type *t, const pkt_entry *e, const char *v)
{
    const pkt_entry *end = e + 1 + e->other;
    unsigned n = t->side(v, (unsigned)e->low);
    for (e++; e != end && --n != 0; e += 1 + e->other)
        ;
    return e != end ? e + 1 : end;
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

static uint64_t pkt_clamped_raw(const pkt_entry *e, uint64_t v)
{
    const unsigned is_signed = e->as != PKT_KIND_UNSIGNED, bits = 8 * (unsigned)e->size;
    const uint64_t sign = (uint64_t)is_signed << (bits - 1), top = pkt_mask(bits) >> is_signed;
    return pkt_nearest_code((v ^ sign) - sign - e->low, e->span, top - e->low);
}

PKT_NOINLINE uint64_t pkt_entry_raw(const pkt_entry *e, const char *at)
{
    const uint64_t v = pkt_entry_load(at, e->size);
    return e->kind == PKT_ENTRY_CLAMPED ? pkt_clamped_raw(e, v) : pkt_raw_of(v, e->size, e->low);
}

static uint64_t pkt_last_step(const pkt_entry *e)
{
    return e->size == sizeof(float) ? PKT_LAST_CODE((uint32_t)e->span) : PKT_LAST_CODE64(e->span);
}

uint64_t pkt_entry_last(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
#define PKT_LEAF_LAST(kind, bits, last, changes, plain) \
    case PKT_ENTRY_##kind: return last;
        PKT_ENTRY_LEAVES(PKT_LEAF_LAST)
#undef PKT_LEAF_LAST
        PKT_ENTRY_OTHERS(PKT_CASE) break;
    }
    return e->span;
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
    PKT_BLANK_FRESH, /* nothing is set yet: all elements, and all bytes of texts */
    PKT_BLANK_ZEROS  /* the same of a value that is all zero bytes and holds no objects: elements are copied */
} pkt_blanking;

static PKT_COLD void pkt_blank_real(const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    const float narrow = (float)b->base;
    if (e->size == sizeof narrow)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &b->base, sizeof b->base);
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
    if (e->as == PKT_KIND_ENUM && e->kind != PKT_ENTRY_KEY && pkt_entry_enum(e) != NULL)
        return pkt_blank_enum(pkt_entry_enum(e));
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
    case PKT_ENTRY_ENUM:
    case PKT_ENTRY_KEY:
    case PKT_ENTRY_CLAMPED: pkt_entry_store(at, e->size, pkt_blank_int(e)); return;
    case PKT_ENTRY_OR_RAW:
    case PKT_ENTRY_QUANTIZED: pkt_blank_real(e, at); return;
    case PKT_ENTRY_QUAT: memcpy(at, &identity, sizeof identity); return;
    case PKT_ENTRY_UNIT: memcpy(at, &up, sizeof up); return;
    case PKT_ENTRY_REF: memcpy(at, &none, sizeof none); return;
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_HALF:
    case PKT_ENTRY_COMPACT:
    case PKT_ENTRY_AFTER:
        memset(at, 0, e->size);
        return;
        PKT_ENTRY_OTHERS(PKT_CASE) return;
    }
}

static PKT_COLD void pkt_blank_elements(const pkt_entry *e, char *v, uint64_t i, uint64_t count, pkt_blanking mode);
static PKT_COLD void pkt_blank_type(const pkt_type *t, char *v, pkt_blanking mode);

static PKT_COLD void pkt_blank_items(const pkt_entry *e, const pkt_entry *end, char *v, pkt_blanking mode)
{
    while (e != end) {
        const pkt_entry *after = e + 1;
        switch ((pkt_entry_kind)e->kind) {
        case PKT_ENTRY_BRANCH:
        case PKT_ENTRY_SIDE: break;
        case PKT_ENTRY_OPTIONAL: memset(v + e->other, 0, sizeof(bool)); break;
        case PKT_ENTRY_STRUCT:
        case PKT_ENTRY_MEMBER: pkt_blank_type((const pkt_type *)e->of, v + e->offset, mode); break;
        case PKT_ENTRY_UNION:
            pkt_entry_store(v + e->offset, e->size, 0);
            pkt_blank_items(after, after + 1, v, mode);
            after += e->other;
            break;
        case PKT_ENTRY_UNLESS:
            memcpy(v + e->offset, e->of, after->size);
            after++;
            break;
        case PKT_ENTRY_COUNTED:
            pkt_entry_store(v + e->other, e->size, e->low);
            pkt_blank_elements(after, v, 0, mode >= PKT_BLANK_FRESH ? e->low + e->span : e->low, mode);
            after = pkt_entry_after(e);
            break;
        case PKT_ENTRY_COMPUTED: /* nothing tells how many elements will count */
            pkt_blank_elements(after, v, 0, e->span, mode);
            after = pkt_entry_after(e);
            break;
        case PKT_ENTRY_SPARSE:
            memset(v + e->other, 0, ((size_t)e->span + 63) / 64 * sizeof(uint64_t));
            if (e->s == 0 || mode != PKT_BLANK_KEEPS)
                pkt_blank_elements(after, v, 0, e->span, mode);
            after = pkt_entry_after(e);
            break;
        case PKT_ENTRY_TEXT: memset(v + e->offset, 0, mode == PKT_BLANK_FRESH ? pkt_entry_size(e) : 1); break;
        case PKT_ENTRY_BYTES:
        case PKT_ENTRY_ARRAY:
            pkt_blank_elements(e, v, 0, 1, mode);
            after = pkt_entry_after(e);
            break;
            PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
            PKT_ENTRY_GAPS(PKT_CASE) pkt_blank_leaf(e, v + e->offset);
            break;
        }
        e = after;
    }
}

/* Makes `count` elements of `each` bytes like the first one. */
static PKT_COLD void pkt_repeat(char *first, size_t each, uint64_t count)
{
    const size_t all = each * (size_t)count;
    for (size_t done = each; done < all; done *= 2)
        memcpy(first + done, first, done < all - done ? done : all - done);
}

/* Sets elements from i on. Those of a value of the program are set one by one. */
static void pkt_blank_elements(const pkt_entry *e, char *v, uint64_t i, uint64_t count, pkt_blanking mode)
{
    for (; e->kind == PKT_ENTRY_ARRAY; e++) {
        i *= e->span;
        count *= e->span;
    }
    const pkt_entry *end = pkt_entry_after(e), *value = e->kind == PKT_ENTRY_UNLESS ? e + 1 : e;
    const size_t each = pkt_entry_size(value);
    const bool alike = mode == PKT_BLANK_ZEROS || value->kind < PKT_ENTRY_TEXT;
    if (e->kind == PKT_ENTRY_BYTES) {
        memset(pkt_entry_at(e + 1, v, i), 0, e[1].size * (size_t)count);
        if (mode == PKT_BLANK_FRESH)
            memset(pkt_entry_at(e, v, i), 0, each * (size_t)count);
        return;
    }
    v += (size_t)i * each;
    for (uint64_t n = 0; n < (alike && count != 0 ? 1 : count); n++)
        pkt_blank_items(e, end, v + (size_t)n * each, mode);
    if (alike)
        pkt_repeat(v + e->offset, each, count);
}

static void pkt_blank_type(const pkt_type *t, char *v, pkt_blanking mode)
{
    pkt_blank_items(t->entries, pkt_type_end(t), v, mode == PKT_BLANK_KEEPS ? PKT_BLANK_ALL : mode);
}

void pkt_entry_blank(const pkt_entry *e, char *v, uint64_t i, bool keeps)
{
    pkt_blank_elements(e, v, i, 1, keeps ? PKT_BLANK_KEEPS : PKT_BLANK_ALL);
}

void pkt_type_blank(const pkt_type *t, char *v, bool keeps)
{
    pkt_blank_items(t->entries, pkt_type_end(t), v, keeps ? PKT_BLANK_KEEPS : PKT_BLANK_ALL);
}

void pkt_value_init(const pkt_type *t, void *v)
{
    memset(v, 0, t->size);
    pkt_blank_type(t, (char *)v, PKT_BLANK_ZEROS);
}

void pkt_value_init_bound(const pkt_type *t, void *v)
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

static PKT_COLD void pkt_copy_elements(const pkt_entry *e, char *to, const char *from, uint64_t i, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        pkt_copy_entry(e + 1, to, from, i * e->span + n);
}

static void pkt_copy_entry(const pkt_entry *e, char *to, const char *from, uint64_t i)
{
    uint64_t count;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER:
        pkt_type_copy((const pkt_type *)e->of, pkt_entry_at(e, to, i), pkt_leaf_at(e, from, i));
        return;
    case PKT_ENTRY_COUNTED:
        count = pkt_entry_load(from + e->other, e->size);
        pkt_entry_store(to + e->other, e->size, count);
        if (count <= e->low + e->span)
            pkt_copy_elements(e, to, from, i, count);
        return;
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COMPUTED: pkt_copy_elements(e, to, from, i, e->span); return;
    case PKT_ENTRY_OPTIONAL:
        memcpy(to + e->other, from + e->other, sizeof(bool));
        pkt_copy_entry(e + 1, to, from, i);
        return;
    case PKT_ENTRY_UNLESS: pkt_copy_entry(e + 1, to, from, i); return;
    case PKT_ENTRY_UNION: pkt_copy_union(e, to, from); return;
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: pkt_copy_block(e + 1, pkt_entry_after(e), to, from); return;
    case PKT_ENTRY_BYTES: pkt_copy_entry(e + 1, to, from, i); break;
    case PKT_ENTRY_TEXT:
    case PKT_ENTRY_SPARSE: /* in no type that is copied */
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        PKT_ENTRY_GAPS(PKT_CASE) break;
    }
    memcpy(pkt_entry_at(e, to, i), pkt_leaf_at(e, from, i), pkt_entry_size(e));
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
    case PKT_ENTRY_CLAMPED: return pkt_entry_raw(e, at) != pkt_entry_raw(e, old);
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT: return pkt_rotations_differ(e, at, old);
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_BITS:
    case PKT_ENTRY_INT:
    case PKT_ENTRY_ENUM:
    case PKT_ENTRY_REF:
    case PKT_ENTRY_COMPACT:
    case PKT_ENTRY_OR_RAW:
    case PKT_ENTRY_KEY:
    case PKT_ENTRY_AFTER: PKT_ENTRY_OTHERS(PKT_CASE) break;
    }
    return memcmp(at, old, e->size) != 0;
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

PKT_COLD PKT_NOINLINE bool pkt_entry_in_order(const pkt_entry *e, const char *v)
{
    if (e->kind == PKT_ENTRY_OPTIONAL && pkt_entry_load(v + e->other, sizeof(bool)) != 0)
        e++;
    return e->kind != PKT_ENTRY_AFTER || pkt_entry_load(v + e->offset, e->size) > pkt_entry_load(v + e->other, e->size);
}

/* Whether a leaf can be written. pkt_entry_in_order tells this of an `after`. */
static PKT_COLD PKT_NOINLINE bool pkt_is_writable(const pkt_entry *e, const char *v, uint64_t i)
{
    const char *at = pkt_leaf_at(e, v, i);
    uint64_t raw;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_BITS: return pkt_entry_load(at, e->size) <= pkt_mask(e->bits);
    case PKT_ENTRY_INT:
    case PKT_ENTRY_KEY:
    case PKT_ENTRY_ENUM:
        raw = pkt_entry_raw(e, at);
        return raw <= e->span && (e->kind != PKT_ENTRY_ENUM || pkt_type_has(pkt_entry_enum(e), raw + e->low));
    case PKT_ENTRY_QUANTIZED: return pkt_has_real_code(e, at);
    case PKT_ENTRY_QUAT:
    case PKT_ENTRY_UNIT: return pkt_has_rotation_code(e, at);
    case PKT_ENTRY_TEXT: return pkt_text_valid((const uint8_t *)at, pkt_text_size(at, (uint32_t)e->span));
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_HALF:
    case PKT_ENTRY_CLAMPED:
    case PKT_ENTRY_REF:
    case PKT_ENTRY_COMPACT:
    case PKT_ENTRY_OR_RAW:
    case PKT_ENTRY_AFTER: PKT_ENTRY_GAPS(PKT_CASE)
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_BYTES: PKT_ENTRY_HOLDERS(PKT_CASE) PKT_ENTRY_LISTS(PKT_CASE) break;
    }
    return true;
}

static PKT_COLD bool pkt_is_plain(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
#define PKT_LEAF_PLAIN(kind, bits, last, changes, plain) \
    case PKT_ENTRY_##kind: return plain;
        PKT_ENTRY_LEAVES(PKT_LEAF_PLAIN)
#undef PKT_LEAF_PLAIN
        PKT_ENTRY_OTHERS(PKT_CASE) break;
    }
    return false;
}

/* The comparison of v with `old`, which is sound; or with base values, if old is NULL. A strict one is also true if v
 * cannot be written; then neither has to be sound. _values compares `count` neighbours. */
static bool pkt_values_differ(const pkt_type *t, const char *v, const char *old, uint64_t count, bool strict);
static PKT_COLD PKT_NOINLINE bool pkt_any_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old,
                                                  bool strict);

static PKT_COLD bool pkt_bytes_differ(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    const pkt_entry *size = e + 1;
    const uint64_t now = pkt_entry_load(pkt_leaf_at(size, v, i), size->size),
                   was = old != NULL ? pkt_entry_load(pkt_leaf_at(size, old, i), size->size) : 0;
    return now != was || now > e->span ||
           (now != 0 && memcmp(pkt_leaf_at(e, v, i), pkt_leaf_at(e, old, i), (size_t)now) != 0);
}

/* Elements after the count of `old` are compared with base values. */
static PKT_COLD bool pkt_array_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old, bool strict)
{
    const pkt_entry *element = e + 1;
    uint64_t count = e->span, held = old != NULL ? count : 0;
    if (e->kind == PKT_ENTRY_COUNTED) {
        count = pkt_entry_load(v + e->other, e->size);
        held = old != NULL ? pkt_entry_load(old + e->other, e->size) : 0;
        if (count != (old != NULL ? held : e->low) || (strict && count - e->low > e->span))
            return true;
#ifndef PKT_WITHOUT_LIST
        pkt_keys keys;
        if (strict && pkt_entry_keys(e, &keys) && !pkt_list_sound(&keys, v + element->offset, (uint32_t)count))
            return true;
#endif
    }
    i *= e->span;
    if (held == count && count != 0 && pkt_is_plain(element))
        return memcmp(pkt_leaf_at(element, v, i), pkt_leaf_at(element, old, i), (size_t)count * element->size) != 0;
    if (held == count && count != 0 && element->kind == PKT_ENTRY_STRUCT)
        return pkt_values_differ((const pkt_type *)element->of, pkt_leaf_at(element, v, i),
                                 pkt_leaf_at(element, old, i), count, strict);
    for (uint64_t n = 0; n < count; n++)
        if (pkt_any_differs(element, v, i + n, n < held ? old : NULL, strict))
            return true;
    return false;
}

/* Whether the same elements are present in both, and not more than `limit`. */
static PKT_COLD bool pkt_subset_same(const uint64_t *a, const uint64_t *b, uint32_t n, uint32_t limit)
{
    uint32_t count = 0;
    if (n != 0 && memcmp(a, b, ((size_t)n + 63) / 64 * sizeof *a) != 0)
        return false;
    for (uint32_t i = 0; i < (n + 63) / 64; i++)
        count += pkt_ones(a[i]);
    return (n % 64 == 0 || a[n / 64] >> n % 64 == 0) && count <= limit;
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

static PKT_COLD bool pkt_optional_differs(const pkt_entry *e, const char *v, const char *old, bool strict)
{
    const bool has = pkt_entry_load(v + e->other, sizeof(bool)) != 0,
               had = old != NULL && pkt_entry_load(old + e->other, sizeof(bool)) != 0;
    return has != had || (has && pkt_any_differs(e + 1, v, 0, old, strict));
}

static PKT_COLD bool pkt_union_differs(const pkt_entry *e, const char *v, const char *old, bool strict)
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
    bool differs = false;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_CONSTANT:
    case PKT_ENTRY_CHANGES:
    case PKT_ENTRY_RULE:
    case PKT_ENTRY_ALIGN: return false;
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER:
        return pkt_values_differ((const pkt_type *)e->of, pkt_leaf_at(e, v, i),
                                 old != NULL ? pkt_leaf_at(e, old, i) : NULL, 1, strict);
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
    case PKT_ENTRY_COMPUTED: /* pkt_values_differ has these */
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE:
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        differs = pkt_leaves_differ(e, pkt_leaf_at(e, v, i), pkt_entry_old(e, old, i, base));
        break;
    }
    return differs || (strict && !pkt_is_writable(e, v, i));
}

/* Whether a leaf is surely the same in memory, and can be written. */
PKT_INLINE bool pkt_is_surely_same(const pkt_entry *e, const char *at, const char *old)
{
    uint64_t v;
    if (e->kind == PKT_ENTRY_QUANTIZED) {
        const float real = pkt_load_float(at);
        return e->size == sizeof real && pkt_float_bits(real) == pkt_float_bits(pkt_load_float(old)) &&
               pkt_is_finite(real) && ((uint32_t)e->span >> 31 == 0 || pkt_has_real_code(e, at));
    }
    v = pkt_load_here(at, e->size);
    if (v != pkt_load_here(old, e->size))
        return false;
    if (e->kind == PKT_ENTRY_INT || e->kind == PKT_ENTRY_KEY)
        return pkt_raw_of(v, e->size, e->low) <= e->span;
    return e->kind == PKT_ENTRY_BOOL || e->kind == PKT_ENTRY_CLAMPED || e->kind == PKT_ENTRY_OR_RAW ||
           (e->kind == PKT_ENTRY_BITS && v <= pkt_mask(e->bits));
}

/* Computed counts are only in types that have no deltas, so this is always strict. */
static PKT_COLD bool pkt_computed_differs(const pkt_entry *e, uint32_t count, const char *v, const char *old)
{
    for (uint32_t n = 0; n < count; n++)
        if (pkt_any_differs(e + 1, v, n, old, true))
            return true;
    return false;
}

/* Fields come before the conditions and counts that use them: if these are equal, so are the side and the count. After
 * the side that is taken, the others are skipped. An `after` field can equal its base value although it cannot be written, if its start has its
 * base value too. */
static bool pkt_values_differ(const pkt_type *t, const char *v, const char *old, uint64_t count, bool strict)
{
    for (;;) {
        for (const pkt_entry *e = t->entries, *end = pkt_type_end(t); e != end;) {
            if (e->kind <= PKT_ENTRY_QUANTIZED && old != NULL && pkt_is_surely_same(e, v + e->offset, old + e->offset))
                e++;
            else if (e->kind == PKT_ENTRY_BRANCH)
                e = pkt_side_taken(t, e, v);
            else if (e->kind == PKT_ENTRY_SIDE)
                e += 1 + e->other;
            else if (e->kind == PKT_ENTRY_STRUCT && old != NULL) {
                if (pkt_values_differ((const pkt_type *)e->of, v + e->offset, old + e->offset, 1, strict))
                    return true;
                e++;
            } else if (e->kind == PKT_ENTRY_COMPUTED) {
                if (pkt_computed_differs(e, t->side(v, (unsigned)e->low), v, old))
                    return true;
                e = pkt_entry_after(e);
            } else if (pkt_any_differs(e, v, 0, old, strict) || !pkt_entry_in_order(e, v))
                return true;
            else
                e = pkt_entry_after(e);
        }
        if (--count == 0)
            return false;
        v += t->size;
        old += t->size;
    }
}

bool pkt_entry_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old)
{
    return pkt_any_differs(e, v, i, old, false);
}

bool pkt_type_differs(const pkt_type *t, const char *v, const char *old)
{
    return pkt_values_differ(t, v, old, 1, false);
}

bool pkt_value_equal(const pkt_type *t, const void *a, const void *b)
{
    return !pkt_values_differ(t, (const char *)a, (const char *)b, 1, true);
}

/* The only thing that differs from itself is an `after` that is not in order. */
PKT_COLD bool pkt_value_in_order(const pkt_type *t, const void *v)
{
    return !pkt_values_differ(t, (const char *)v, (const char *)v, 1, false);
}

/* ---- rounding */

static PKT_COLD void pkt_keep_quat(char *at, pkt_quat q)
{
    memcpy(at, &q, sizeof q);
}

static PKT_NOINLINE void pkt_settle_float(const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    const float v = pkt_settle(pkt_load_float(at), (float)b->low, (float)b->high, (uint32_t)e->span);
    memcpy(at, &v, sizeof v);
}

/* Any other leaf. */
static PKT_COLD PKT_NOINLINE void pkt_settle_leaf(const pkt_entry *e, char *at)
{
    const pkt_bounds *b = (const pkt_bounds *)e->of;
    float narrow;
    double real;
    pkt_quat q;
    pkt_vec3 v;
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_QUAT:
        memcpy(&q, at, sizeof q);
        pkt_keep_quat(at, pkt_settle_quat(q, e->bits));
        return;
    case PKT_ENTRY_UNIT:
        memcpy(&v, at, sizeof v);
        v = pkt_settle_unit(v, e->bits);
        memcpy(at, &v, sizeof v);
        return;
    case PKT_ENTRY_QUANTIZED:
        real = pkt_settle64(pkt_load_double(at), b->low, b->high, e->span);
        memcpy(at, &real, sizeof real);
        return;
    case PKT_ENTRY_HALF:
        narrow = pkt_settle_half(pkt_load_float(at));
        memcpy(at, &narrow, sizeof narrow);
        return;
    case PKT_ENTRY_CLAMPED: pkt_entry_store(at, e->size, pkt_entry_raw(e, at) + e->low); return;
    case PKT_ENTRY_BOOL:
    case PKT_ENTRY_BITS:
    case PKT_ENTRY_INT:
    case PKT_ENTRY_ENUM:
    case PKT_ENTRY_REF:
    case PKT_ENTRY_COMPACT:
    case PKT_ENTRY_OR_RAW:
    case PKT_ENTRY_KEY:
    case PKT_ENTRY_AFTER: PKT_ENTRY_OTHERS(PKT_CASE) return;
    }
}

static PKT_COLD bool pkt_type_settles(const pkt_type *t);

/* Whether a reader may see another value than was written. */
static PKT_COLD bool pkt_entry_settles(const pkt_entry *e)
{
    switch ((pkt_entry_kind)e->kind) {
#define PKT_LEAF_CHANGES(kind, bits, last, changes, plain) \
    case PKT_ENTRY_##kind: return changes;
        PKT_ENTRY_LEAVES(PKT_LEAF_CHANGES)
#undef PKT_LEAF_CHANGES
    case PKT_ENTRY_SPARSE:
    case PKT_ENTRY_OPTIONAL:
    case PKT_ENTRY_BRANCH: return true;
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_COUNTED:
    case PKT_ENTRY_COMPUTED:
    case PKT_ENTRY_UNLESS: return pkt_entry_settles(e + 1);
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER: return pkt_type_settles((const pkt_type *)e->of);
    case PKT_ENTRY_TEXT:
    case PKT_ENTRY_BYTES:
    case PKT_ENTRY_UNION:
    case PKT_ENTRY_SIDE: PKT_ENTRY_GAPS(PKT_CASE) break;
    }
    return false;
}

static PKT_COLD bool pkt_type_settles(const pkt_type *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (pkt_entry_settles(&t->entries[i]))
            return true;
    return false;
}

uint64_t pkt_count_of(const pkt_entry *e, const char *v)
{
    const uint64_t count = pkt_entry_load(v + e->other, e->size), most = e->low + e->span;
    return count < most ? count : most;
}

static PKT_COLD void pkt_settle_union(const pkt_entry *e, char *v)
{
    const uint64_t tag = pkt_entry_load(v + e->offset, e->size);
    if (tag <= e->span)
        pkt_value_settle((const pkt_type *)e[1 + tag].of, v + e[1 + tag].offset);
}

static void pkt_settle_values(const pkt_type *t, char *v, uint64_t count);

/* Elements from i on. Whether they settle is asked once. */
static PKT_COLD void pkt_settle_elements(const pkt_entry *e, char *v, uint64_t i, uint64_t count)
{
    for (; e->kind == PKT_ENTRY_ARRAY; e++) {
        i *= e->span;
        count *= e->span;
    }
    if (!pkt_entry_settles(e))
        return;
    if (e->kind == PKT_ENTRY_STRUCT) {
        pkt_settle_values((const pkt_type *)e->of, pkt_entry_at(e, v, i), count);
        return;
    }
    for (const uint64_t end = i + count; i < end; i++) {
        const pkt_entry *value = e->kind == PKT_ENTRY_UNLESS ? e + 1 : e;
        char *at = pkt_entry_at(value, v, i);
        if (value != e && !pkt_entry_differs(e, v, i, NULL))
            pkt_entry_blank(e, v, i, false);
        else if (value->kind == PKT_ENTRY_QUANTIZED && value->size == sizeof(float))
            pkt_settle_float(value, at);
        else
            pkt_settle_leaf(value, at);
    }
}

/* A reader sees base values of elements that are absent, unless it keeps those that it has. */
static PKT_COLD void pkt_settle_sparse(const pkt_entry *e, char *v)
{
    const uint64_t *present = (const uint64_t *)(const void *)(v + e->other);
    for (uint32_t i = 0; i < e->span; i++)
        if (pkt_present_has(present, (uint32_t)e->span, i))
            pkt_settle_elements(e + 1, v, i, 1);
        else if (e->s == 0)
            pkt_entry_blank(e + 1, v, i, false);
}

/* The sides that are not taken have base values for a reader. Returns the first entry of the one that is, or the end of
 * the branch. */
static const pkt_entry *pkt_settle_branch(const pkt_type *t, const pkt_entry *e, char *v)
{
    const pkt_entry *end = e + 1 + e->other, *taken = end;
    unsigned n = t->side(v, (unsigned)e->low);
    for (e++; e != end; e += 1 + e->other)
        if (--n == 0)
            taken = e + 1;
        else if (e->other != 0)
            pkt_blank_items(e + 1, e + 1 + e->other, v, PKT_BLANK_ALL);
    return taken;
}

/* An entry that is neither a leaf nor a branch. Returns the next one. */
static PKT_COLD PKT_NOINLINE const pkt_entry *pkt_settle_entry(const pkt_type *t, const pkt_entry *e, char *v)
{
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_OPTIONAL:
        if (pkt_entry_load(v + e->other, sizeof(bool)) != 0)
            return e + 1;
        pkt_entry_blank(e + 1, v, 0, false);
        break;
    case PKT_ENTRY_UNION: pkt_settle_union(e, v); break;
    case PKT_ENTRY_SPARSE: pkt_settle_sparse(e, v); break;
    case PKT_ENTRY_COUNTED: pkt_settle_elements(e + 1, v, 0, pkt_count_of(e, v)); break;
    case PKT_ENTRY_COMPUTED: pkt_settle_elements(e + 1, v, 0, t->side(v, (unsigned)e->low)); break;
    case PKT_ENTRY_ARRAY:
    case PKT_ENTRY_UNLESS: pkt_settle_elements(e, v, 0, 1); break;
    case PKT_ENTRY_TEXT:
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_BYTES:
    case PKT_ENTRY_MEMBER:
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: PKT_ENTRY_LEAVES(PKT_CASE_LEAF) PKT_ENTRY_GAPS(PKT_CASE) break;
    }
    return pkt_entry_after(e);
}

/* Whether an entry is a leaf that a reader sees as it was written: an answer of the table, in one bit for each kind. */
PKT_INLINE bool pkt_leaf_stays(const pkt_entry *e)
{
#define PKT_LEAF_STAYS(kind, bits, last, changes, plain) | (uint64_t) !(changes) << PKT_ENTRY_##kind
    static const uint64_t stays = 0 PKT_ENTRY_LEAVES(PKT_LEAF_STAYS);
#undef PKT_LEAF_STAYS
    return (stays >> e->kind & 1) != 0;
}

/* Settles `count` values. After the side of a branch that is taken, the others are skipped. */
static void pkt_settle_values(const pkt_type *t, char *v, uint64_t count)
{
    for (; count != 0; count--, v += t->size)
        for (const pkt_entry *e = t->entries, *end = pkt_type_end(t); e != end;)
            if (e->kind == PKT_ENTRY_QUANTIZED && e->size == sizeof(float)) {
                pkt_settle_float(e, v + e->offset);
                e++;
            } else if (pkt_leaf_stays(e))
                e++;
            else if (e->kind == PKT_ENTRY_BRANCH)
                e = pkt_settle_branch(t, e, v);
            else if (e->kind == PKT_ENTRY_SIDE)
                e += 1 + e->other;
            else if (e->kind == PKT_ENTRY_STRUCT) {
                pkt_settle_values((const pkt_type *)e->of, v + e->offset, 1);
                e++;
            } else if (e->kind < PKT_ENTRY_TEXT) {
                pkt_settle_leaf(e, v + e->offset);
                e++;
            } else
                e = pkt_settle_entry(t, e, v);
}

void pkt_value_settle(const pkt_type *t, void *v)
{
    pkt_settle_values(t, (char *)v, 1);
}

#ifndef PKT_WITHOUT_LIST
/* Initial values of `count` values: their unions have the first member. */
static PKT_COLD void pkt_choose_sides(const pkt_type *t, char *v, uint64_t count);

/* The structs of an array that begins at e, of which there are `count`. */
static PKT_COLD void pkt_choose_in_elements(const pkt_entry *e, char *v, uint64_t count)
{
    for (; e->kind == PKT_ENTRY_ARRAY; e++)
        count *= e->span;
    if (e->kind == PKT_ENTRY_STRUCT)
        pkt_choose_sides((const pkt_type *)e->of, v + e->offset, count);
}

static PKT_COLD void pkt_choose_sides(const pkt_type *t, char *v, uint64_t count)
{
    for (; count != 0; count--, v += t->size)
        for (const pkt_entry *e = t->entries, *end = pkt_type_end(t); e != end;) {
            if (e->kind == PKT_ENTRY_BRANCH) {
                e = pkt_settle_branch(t, e, v);
                continue;
            }
            if (e->kind == PKT_ENTRY_SIDE) {
                e += 1 + e->other;
                continue;
            }
            if (e->kind == PKT_ENTRY_STRUCT || e->kind == PKT_ENTRY_ARRAY)
                pkt_choose_in_elements(e, v, 1);
            else if (e->kind == PKT_ENTRY_COUNTED)
                pkt_choose_in_elements(e + 1, v, pkt_count_of(e, v));
            else if (e->kind == PKT_ENTRY_COMPUTED)
                pkt_choose_in_elements(e + 1, v, t->side(v, (unsigned)e->low));
            else if (e->kind == PKT_ENTRY_UNION)
                pkt_choose_sides((const pkt_type *)e[1].of, v + e[1].offset, 1);
            e = pkt_entry_after(e);
        }
}

void pkt_choose_sides_of(const pkt_type *t, void *v)
{
    pkt_choose_sides(t, (char *)v, 1);
}
#endif
