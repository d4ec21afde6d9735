/* pkt_predict.c - predicts a baseline: continues the motion of its coded numbers, in whole steps of their codes.
 * SPDX-License-Identifier: MIT
 *
 * It computes with integers only, so the result is the same on every machine. A value keeps its shape: fields that
 * conditions ask for do not move, nor do fields that one of the two values lacks.
 */
#include "pkt_coder.h"
#include "pkt_list.h"
#include "pkt_value.h"

typedef struct pkt_motion {
    uint64_t back, gap; /* from `base` to now, and from `before` to `base` */
    const char *base, *before;
    char *to;
} pkt_motion;

enum { PKT_AGE_MOST = 65535, PKT_BITS_MOST = 32 };

static void pkt_predict_block(const pkt_motion *m, const pkt_type *t, const pkt_entry *e, const pkt_entry *end);

/* How far a code that went `moved` in `gap` ticks goes in `back` ticks. */
static uint64_t pkt_way_on(uint64_t moved, uint64_t back, uint64_t gap)
{
    return (moved * back * 2 + gap) / (2 * gap);
}

/* The code, from 0 to span, that is reached from `base` on a circle if it goes on as from `before`. */
static uint64_t pkt_moved_around(uint64_t base, uint64_t before, uint64_t span, uint64_t back, uint64_t gap)
{
    const uint64_t middle = span / 2, seen = pkt_seen_from(before, base, span);
    const uint64_t moved = seen > middle ? seen - middle : middle - seen;
    const uint64_t way = pkt_way_on(moved, back, gap) % (span + 1);
    return (base + (seen > middle ? way : span + 1 - way)) % (span + 1);
}

/* The same without a circle. */
static uint64_t pkt_moved(uint64_t base, uint64_t before, uint64_t span, uint64_t back, uint64_t gap)
{
    const bool up = base > before;
    const uint64_t way = pkt_way_on(up ? base - before : before - base, back, gap), most = up ? span - base : base;
    return up ? base + (way < most ? way : most) : base - (way < most ? way : most);
}

/* Rotations lose half of their motion, because few things turn as steadily as they fly. */
static void pkt_predict_quat(const pkt_motion *m, const pkt_entry *e, uint64_t i)
{
    pkt_quat base, before, to;
    uint64_t now, was, code;
    memcpy(&base, pkt_entry_at(e, (char *)(uintptr_t)m->base, i), sizeof base);
    memcpy(&before, pkt_entry_at(e, (char *)(uintptr_t)m->before, i), sizeof before);
    now = pkt_code_of_quat(base, e->bits);
    was = pkt_code_of_quat(before, e->bits);
    if (now == PKT_FAILED || was == PKT_FAILED || now == was || ((now ^ was) & 3) != 0)
        return;
    code = now & 3;
    for (unsigned part = 0; part < 3; part++) {
        const unsigned at = 2 + part * e->bits;
        code |= pkt_moved(now >> at & pkt_mask(e->bits), was >> at & pkt_mask(e->bits), pkt_rotation_steps(e->bits),
                          m->back, 2 * m->gap)
                << at;
    }
    if (pkt_quat_value(code, e->bits, &to))
        memcpy(pkt_entry_at(e, m->to, i), &to, sizeof to);
}

/* The codes of a raw real are no straight line: one that goes to twice its value, or past 0, goes anywhere. */
static bool pkt_strays(const pkt_motion *m, const pkt_entry *e, uint64_t base, uint64_t before)
{
    const uint64_t moved = base > before ? base - before : before - base;
    return e->as == PKT_KIND_FLOAT && e->kind != PKT_ENTRY_QUANTIZED && e->kind != PKT_ENTRY_OR_RAW &&
           pkt_way_on(moved, m->back, m->gap) > e->span;
}

static void pkt_predict_number(const pkt_motion *m, const pkt_entry *e, uint64_t i)
{
    const uint64_t span = pkt_entry_last(e);
    const uint64_t base = pkt_entry_code(e, pkt_entry_at(e, (char *)(uintptr_t)m->base, i)),
                   before = pkt_entry_code(e, pkt_entry_at(e, (char *)(uintptr_t)m->before, i));
    if (e->bits <= PKT_BITS_MOST && base != before && base <= span && before <= span && !pkt_strays(m, e, base, before))
        pkt_entry_store_code(e, pkt_entry_at(e, m->to, i),
                             (e->flags & PKT_ENTRY_WRAPS) != 0 ? pkt_moved_around(base, before, span, m->back, m->gap)
                                                               : pkt_moved(base, before, span, m->back, m->gap));
}

static void pkt_predict_type(const pkt_motion *m, const pkt_type *t, uint64_t offset)
{
    const pkt_motion inner = {m->back, m->gap, m->base + offset, m->before + offset, m->to + offset};
    pkt_predict_block(&inner, t, t->entries, pkt_type_end(t));
}

static void pkt_predict_entry(const pkt_motion *m, const pkt_type *t, const pkt_entry *e, uint64_t i);

/* Most elements of an array have not moved. */
static void pkt_predict_elements(const pkt_motion *m, const pkt_type *t, const pkt_entry *e, uint64_t first,
                                 uint64_t count)
{
    const pkt_type *of = (const pkt_type *)e->of;
    if (e->kind != PKT_ENTRY_STRUCT) {
        for (uint64_t n = 0; n < count; n++)
            pkt_predict_entry(m, t, e, first + n);
        return;
    }
    for (uint64_t n = 0, at = e->offset + first * of->size; n < count; n++, at += of->size)
        if (!PKT_READS_PADDING || memcmp(m->base + at, m->before + at, of->size) != 0)
            pkt_predict_type(m, of, at);
}

/* How many elements both values have. There are none if a count is out of range. */
static uint64_t pkt_count_of_both(const pkt_motion *m, const pkt_entry *e)
{
    const uint64_t base = pkt_entry_load(m->base + e->other, e->size),
                   before = pkt_entry_load(m->before + e->other, e->size);
    if (base - e->low > e->span || before - e->low > e->span)
        return 0;
    return base < before ? base : before;
}

#ifndef PKT_WITHOUT_LIST
/* The elements that both lists have. */
static void pkt_predict_list(const pkt_motion *m, const pkt_entry *e, const pkt_keys *k)
{
    const pkt_type *of = (const pkt_type *)e[1].of;
    const char *base = m->base + e[1].offset, *before = m->before + e[1].offset;
    const uint64_t held = pkt_entry_load(m->base + e->other, e->size),
                   count = pkt_entry_load(m->before + e->other, e->size);
    pkt_pairs p;
    if (held > k->most || count > k->most)
        return;
    for (p = pkt_pairs_of(k, base, (uint32_t)held, before, (uint32_t)count); pkt_pairs_next(&p);) {
        const size_t at = (size_t)p.j * k->stride;
        const pkt_motion one = {m->back, m->gap, base + at, before + (size_t)p.i * k->stride, m->to + e[1].offset + at};
        if (p.in_old && p.in_now && (!PKT_READS_PADDING || memcmp(one.base, one.before, k->stride) != 0))
            pkt_predict_type(&one, of, 0);
    }
}
#endif

static void pkt_predict_entry(const pkt_motion *m, const pkt_type *t, const pkt_entry *e, uint64_t i)
{
#ifndef PKT_WITHOUT_LIST
    pkt_keys keys;
    if (pkt_entry_keys(e, &keys)) {
        pkt_predict_list(m, e, &keys);
        return;
    }
#endif
    switch ((pkt_entry_kind)e->kind) {
    case PKT_ENTRY_STRUCT: pkt_predict_elements(m, t, e, i, 1); return;
    case PKT_ENTRY_ARRAY: pkt_predict_elements(m, t, e + 1, i * e->span, e->span); return;
    case PKT_ENTRY_COUNTED: pkt_predict_elements(m, t, e + 1, i * e->span, pkt_count_of_both(m, e)); return;
    case PKT_ENTRY_OPTIONAL:
        if (pkt_entry_load(m->base + e->other, 1) != 0 && pkt_entry_load(m->before + e->other, 1) != 0)
            pkt_predict_entry(m, t, e + 1, i);
        return;
    case PKT_ENTRY_UNION: {
        const uint64_t tag = pkt_entry_load(m->base + e->offset, e->size);
        if (tag <= e->span && tag == pkt_entry_load(m->before + e->offset, e->size))
            pkt_predict_type(m, (const pkt_type *)e[1 + tag].of, e[1 + tag].offset);
        return;
    }
    case PKT_ENTRY_BRANCH: {
        unsigned side = t->side(m->base, (unsigned)e->low);
        if (side == 0 || side != t->side(m->before, (unsigned)e->low))
            return;
        for (e++; --side != 0;)
            e = pkt_entry_after(e);
        pkt_predict_block(m, t, e + 1, pkt_entry_after(e));
        return;
    }
        PKT_ENTRY_GAPS(PKT_CASE)
    case PKT_ENTRY_TEXT:
    case PKT_ENTRY_BYTES:
    case PKT_ENTRY_COMPUTED:
    case PKT_ENTRY_SPARSE:
    case PKT_ENTRY_UNLESS:
    case PKT_ENTRY_MEMBER:
    case PKT_ENTRY_SIDE: return; PKT_ENTRY_LEAVES(PKT_CASE_LEAF) break;
    }
    if (e->s != PKT_ENTRY_CODED || (e->flags & (PKT_ENTRY_ASKED | PKT_ENTRY_STILL)) != 0)
        return;
    if (e->kind == PKT_ENTRY_QUAT)
        pkt_predict_quat(m, e, i);
    else
        pkt_predict_number(m, e, i);
}

static void pkt_predict_block(const pkt_motion *m, const pkt_type *t, const pkt_entry *e, const pkt_entry *end)
{
    for (; e != end; e = pkt_entry_after(e))
        pkt_predict_entry(m, t, e, 0);
}

void pkt_predict(const pkt_type *t, const void *base, const void *before, uint32_t back, uint32_t gap, void *to)
{
    const pkt_motion m = {back, gap, (const char *)base, (const char *)before, (char *)to};
    if (back <= PKT_AGE_MOST && gap != 0 && gap <= PKT_AGE_MOST)
        pkt_predict_type(&m, t, 0);
}
