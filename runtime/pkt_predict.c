/* pkt_predict.c - predicts a baseline: its coded numbers go on as they have moved, in whole steps of their codes.
 * SPDX-License-Identifier: MIT
 *
 * Integers alone, so the result is the same on every machine. A value keeps its shape: what a condition asks for does
 * not move, and what one of the two does not have stays as it is.
 */
#include "pkt_coder.h"
#include "pkt_lines.h"

typedef struct motion {
    uint64_t back, gap; /* from `base` to now, and from `before` to `base` */
    const char *base, *before;
    char *to;
} motion;

enum { AGE_MOST = 65535, BITS_MOST = 32 };

static void predict_block(const motion *m, const pkt_lines *t, const pkt_line *l, const pkt_line *end);

/* The code, from 0 to span, that is reached from `base` if it goes on as from `before`. */
static uint64_t moved(uint64_t base, uint64_t before, uint64_t span, uint64_t back, uint64_t gap)
{
    const bool up = base > before;
    const uint64_t way = ((up ? base - before : before - base) * back * 2 + gap) / (2 * gap),
                   most = up ? span - base : base;
    return up ? base + (way < most ? way : most) : base - (way < most ? way : most);
}

/* Rotations lose half of their motion, because few things turn as steadily as they fly. */
static void predict_quat(const motion *m, const pkt_line *l, uint64_t i)
{
    pkt_quat base, before, to;
    uint64_t now, was, code;
    memcpy(&base, pkt_line_at(l, (char *)(uintptr_t)m->base, i), sizeof base);
    memcpy(&before, pkt_line_at(l, (char *)(uintptr_t)m->before, i), sizeof before);
    now = pkt_code_of_quat(base, l->bits);
    was = pkt_code_of_quat(before, l->bits);
    if (now == PKT_NO_CODE || was == PKT_NO_CODE || now == was || ((now ^ was) & 3) != 0)
        return;
    code = now & 3;
    for (unsigned part = 0; part < 3; part++) {
        const unsigned at = 2 + part * l->bits;
        code |= moved(now >> at & pkt_mask(l->bits), was >> at & pkt_mask(l->bits), pkt_rotation_steps(l->bits),
                      m->back, 2 * m->gap)
                << at;
    }
    if (pkt_quat_value(code, l->bits, &to))
        memcpy(pkt_line_at(l, m->to, i), &to, sizeof to);
}

static void predict_number(const motion *m, const pkt_line *l, uint64_t i)
{
    const uint64_t span = l->kind == PKT_LINE_BITS || l->kind == PKT_LINE_COMPACT ? pkt_mask(l->bits) : l->span;
    const uint64_t base = pkt_line_code(l, pkt_line_at(l, (char *)(uintptr_t)m->base, i)),
                   before = pkt_line_code(l, pkt_line_at(l, (char *)(uintptr_t)m->before, i));
    if (l->bits <= BITS_MOST && base != before && base <= span && before <= span)
        pkt_line_store_code(l, pkt_line_at(l, m->to, i), moved(base, before, span, m->back, m->gap));
}

static void predict_type(const motion *m, const pkt_lines *t, uint64_t offset)
{
    const motion inner = {m->back, m->gap, m->base + offset, m->before + offset, m->to + offset};
    predict_block(&inner, t, t->first, pkt_lines_end(t));
}

static void predict_line(const motion *m, const pkt_lines *t, const pkt_line *l, uint64_t i);

/* Most elements of an array have not moved. */
static void predict_elements(const motion *m, const pkt_lines *t, const pkt_line *l, uint64_t first, uint64_t count)
{
    const pkt_lines *of = (const pkt_lines *)l->of;
    if (l->kind != PKT_LINE_STRUCT) {
        for (uint64_t n = 0; n < count; n++)
            predict_line(m, t, l, first + n);
        return;
    }
    for (uint64_t n = 0, at = l->offset + first * of->size; n < count; n++, at += of->size)
        if (memcmp(m->base + at, m->before + at, of->size) != 0)
            predict_type(m, of, at);
}

/* How many elements both values have. There are none if a count is out of range. */
static uint64_t count_of_both(const motion *m, const pkt_line *l)
{
    const uint64_t base = pkt_line_load(m->base + l->other, l->size),
                   before = pkt_line_load(m->before + l->other, l->size);
    if (base - l->low > l->span || before - l->low > l->span)
        return 0;
    return base < before ? base : before;
}

static void predict_line(const motion *m, const pkt_lines *t, const pkt_line *l, uint64_t i)
{
    uint64_t count = l->span;
    switch ((pkt_line_kind)l->kind) {
    case PKT_LINE_STRUCT: predict_elements(m, t, l, i, 1); return;
    case PKT_LINE_COUNTED: count = count_of_both(m, l); break;
    case PKT_LINE_OPTIONAL:
        if (pkt_line_load(m->base + l->other, 1) != 0 && pkt_line_load(m->before + l->other, 1) != 0)
            predict_line(m, t, l + 1, i);
        return;
    case PKT_LINE_UNION: {
        const uint64_t tag = pkt_line_load(m->base + l->offset, l->size);
        if (tag <= l->span && tag == pkt_line_load(m->before + l->offset, l->size))
            predict_type(m, (const pkt_lines *)l[1 + tag].of, l[1 + tag].offset);
        return;
    }
    case PKT_LINE_BRANCH: {
        unsigned side = t->side(m->base, (unsigned)l->low);
        if (side == 0 || side != t->side(m->before, (unsigned)l->low))
            return;
        for (l++; --side != 0;)
            l = pkt_line_behind(l);
        predict_block(m, t, l + 1, pkt_line_behind(l));
        return;
    }
    default: break;
    }
    if (l->kind == PKT_LINE_ARRAY || l->kind == PKT_LINE_COUNTED) {
        predict_elements(m, t, l + 1, i * l->span, count);
    } else if (l->small == PKT_LINE_CODED && !l->asked) {
        if (l->kind == PKT_LINE_QUAT)
            predict_quat(m, l, i);
        else
            predict_number(m, l, i);
    }
}

static void predict_block(const motion *m, const pkt_lines *t, const pkt_line *l, const pkt_line *end)
{
    for (; l != end; l = pkt_line_behind(l))
        predict_line(m, t, l, 0);
}

void pkt_predict(const pkt_lines *t, const void *base, const void *before, uint32_t back, uint32_t gap, void *to)
{
    const motion m = {back, gap, (const char *)base, (const char *)before, (char *)to};
    if (back <= AGE_MOST && gap != 0 && gap <= AGE_MOST)
        predict_type(&m, t, 0);
}
