/* codec_subset.c - subsets of arrays: which elements are present, in each of the modes.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"

#include <assert.h>

/* A subset that is being moved. */
typedef struct moved_subset {
    uint32_t n, limit;
    index_list *list;
    const char *name;
    element_mover *move;
    void *user;
    uint32_t least; /* the least index that can come next */
} moved_subset;

void index_add(arena *a, index_list *l, uint32_t index)
{
    if (l->count == l->room) {
        uint32_t room = l->room ? 2 * l->room : 16;
        uint32_t *at = ARENA_ARRAY(a, uint32_t, room);
        for (uint32_t i = 0; i < l->count; i++)
            at[i] = l->at[i];
        l->at = at;
        l->room = room;
    }
    l->at[l->count++] = index;
}

/* Accepts the index, less than n, of the item that began at start. */
static bool accept_index(codec *c, moved_subset *s, uint32_t index, uint64_t start)
{
    if (index < s->least)
        return codec_fail(c, PKT_ERROR_ORDER, start, s->name);
    if (c->reading) {
        if (s->list->count == s->limit)
            return codec_fail(c, PKT_ERROR_RANGE, start, s->name);
        index_add(c->arena, s->list, index);
    }
    s->least = index + 1;
    return true;
}

/* When writing, fails if there are already `limit` elements before the next one. */
static bool too_many(codec *c, const moved_subset *s, uint32_t before)
{
    if (c->reading || before < s->limit)
        return false;
    codec_fail(c, PKT_ERROR_RANGE, c->bit, s->name);
    return true;
}

/* ---- flag, count, sentinel */

static bool move_flags(codec *c, moved_subset *s)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t start = c->bit, flag = !c->reading && before < s->list->count && s->list->at[before] == i;
        if (flag && too_many(c, s, before))
            return false;
        if (!codec_item(c, 1, &flag, 1, s->name))
            return false;
        if (!flag)
            continue;
        before++;
        if (!accept_index(c, s, i, start) || !s->move(c, s->user, i))
            return false;
    }
    return true;
}

static bool move_counted_indices(codec *c, moved_subset *s)
{
    uint64_t count = s->list->count;
    if (!codec_item(c, digits_of(s->limit), &count, s->limit, s->name))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = c->bit, index = c->reading ? 0 : s->list->at[i];
        if (!codec_item(c, digits_of(s->n - 1), &index, s->n - 1, s->name) ||
            !accept_index(c, s, (uint32_t)index, start) || !s->move(c, s->user, (uint32_t)index))
            return false;
    }
    return true;
}

static bool move_to_sentinel(codec *c, moved_subset *s)
{
    for (uint32_t i = 0;; i++) {
        bool last = !c->reading && i == s->list->count;
        uint64_t start = c->bit, index = c->reading ? 0 : last ? s->n : s->list->at[i];
        if (!last && too_many(c, s, i))
            return false;
        if (!codec_item(c, digits_of(s->n), &index, s->n, s->name))
            return false;
        if (index == s->n)
            return true;
        if (!accept_index(c, s, (uint32_t)index, start) || !s->move(c, s->user, (uint32_t)index))
            return false;
    }
}

/* ---- relative */

/* A gap is a difference minus 1, so that it fits in 64 bits. The forms of a gap: form i is i zeros and a one, then the gap
 * minus `first` in `bits` bits. From FAR on a gap is six zeros, then the gap minus FAR in the bits that the greatest gap
 * minus FAR needs. */
enum { FORMS = 6, FAR = 125 };
static const struct {
    unsigned bits;
    uint32_t first;
} forms[FORMS] = {{0, 0}, {2, 1}, {3, 5}, {4, 13}, {5, 29}, {6, 61}};

void gap_pattern(uint64_t gap, uint64_t most, pattern *p)
{
    for (unsigned i = 0; i < FORMS; i++) {
        if (gap - forms[i].first <= ones(forms[i].bits)) {
            pattern_add(p, 1, 1);
            pattern_add(p, gap - forms[i].first, forms[i].bits);
            return;
        }
        pattern_add(p, 0, 1);
    }
    pattern_add(p, gap - FAR, digits_of(most - FAR));
}

static uint64_t width_of_gap(uint64_t gap, uint64_t most)
{
    pattern p = {0};
    gap_pattern(gap, most, &p);
    return p.count;
}

bool take_gap(codec *c, uint64_t most, uint64_t left, uint64_t *gap, bool *lands, const char *name)
{
    uint64_t start = c->bit, one = 0;
    unsigned form = 0;
    for (; form < FORMS; form++) {
        if (!codec_bits(c, 1, &one, start, name))
            return false;
        if (one)
            break;
    }
    const bool is_far = form == FORMS, can_be_far = most >= FAR;
    const unsigned bits = !is_far ? forms[form].bits : can_be_far ? digits_of(most - FAR) : 0;
    if (!codec_bits(c, bits, gap, start, name))
        return false;
    *lands = !is_far || (can_be_far && *gap <= most - FAR);
    *gap += is_far ? FAR : forms[form].first;
    *lands = *lands && *gap <= left;
    return true;
}

static bool move_relative(codec *c, moved_subset *s)
{
    for (uint32_t i = 0;; i++) {
        uint64_t start = c->bit, index = !c->reading && i < s->list->count ? s->list->at[i] : s->n;
        if (index < s->n && too_many(c, s, i))
            return false;
        if (c->reading) {
            uint64_t gap = 0;
            bool lands;
            if (!take_gap(c, s->n, s->n - s->least, &gap, &lands, s->name))
                return false;
            if (!lands)
                return codec_fail(c, PKT_ERROR_RANGE, start, s->name);
            index = s->least + gap;
            codec_done(c, start, s->name);
        } else {
            pattern p = {0};
            gap_pattern(index - s->least, s->n, &p);
            if (!codec_put(c, &p, s->name))
                return false;
        }
        if (index == s->n)
            return true;
        if (!accept_index(c, s, (uint32_t)index, start) || !s->move(c, s->user, (uint32_t)index))
            return false;
    }
}

/* ---- bitmap, auto */

/* The bits of the differences to each element and to the end. */
static uint64_t relative_bits(const index_list *l, uint32_t n)
{
    uint64_t bits = 0;
    uint32_t least = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        bits += width_of_gap(l->at[i] - least, n);
        least = l->at[i] + 1;
    }
    return bits + width_of_gap(n - least, n);
}

/* choice: the position of the bit of SPARSE_AUTO that chose a bitmap, or NULL. */
static bool move_bitmap(codec *c, moved_subset *s, const uint64_t *choice)
{
    uint64_t start = c->bit;
    uint32_t before = 0;
    if (!c->reading && s->list->count > s->limit)
        return codec_fail(c, PKT_ERROR_RANGE, start, s->name);
    if (s->n > c->limit - c->bit)
        return codec_fail(c, c->reading ? PKT_ERROR_END : PKT_ERROR_CAPACITY, start, s->name);
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t bit = !c->reading && before < s->list->count && s->list->at[before] == i;
        if (!codec_bits(c, 1, &bit, start, s->name))
            return false;
        before += (uint32_t)bit;
        if (bit && c->reading)
            index_add(c->arena, s->list, i);
    }
    if (s->list->count > s->limit)
        return codec_fail(c, PKT_ERROR_RANGE, start, s->name);
    if (choice && relative_bits(s->list, s->n) <= s->n)
        return codec_fail(c, PKT_ERROR_CANONICAL, *choice, s->name);
    codec_done(c, start, s->name);
    for (uint32_t i = 0; i < s->list->count; i++)
        if (!s->move(c, s->user, s->list->at[i]))
            return false;
    return true;
}

static bool move_auto(codec *c, moved_subset *s)
{
    uint64_t start = c->bit, bitmap = !c->reading && relative_bits(s->list, s->n) > s->n;
    if (!codec_item(c, 1, &bitmap, 1, s->name))
        return false;
    if (bitmap)
        return move_bitmap(c, s, &start);
    if (!move_relative(c, s))
        return false;
    return relative_bits(s->list, s->n) <= s->n || codec_fail(c, PKT_ERROR_CANONICAL, start, s->name);
}

bool codec_subset(codec *c, sparse_mode mode, uint32_t n, uint32_t limit, index_list *l, const char *name,
                  element_mover *move, void *user)
{
    moved_subset s = {.n = n, .limit = limit, .list = l, .name = name, .move = move, .user = user};
    switch (mode) {
    case SPARSE_FLAG: return move_flags(c, &s);
    case SPARSE_COUNT: return move_counted_indices(c, &s);
    case SPARSE_SENTINEL: return move_to_sentinel(c, &s);
    case SPARSE_RELATIVE: return move_relative(c, &s);
    case SPARSE_BITMAP: return move_bitmap(c, &s, NULL);
    case SPARSE_AUTO: return move_auto(c, &s);
    }
    assert(false && "not a mode");
    return false;
}

uint64_t subset_width(sparse_mode mode, uint32_t n, uint32_t limit, uint32_t *indices, uint32_t count)
{
    const index_list list = {.at = indices, .count = count, .room = count};
    const uint64_t relative = relative_bits(&list, n);
    switch (mode) {
    case SPARSE_FLAG:
    case SPARSE_BITMAP: return n;
    case SPARSE_COUNT: return digits_of(limit) + (uint64_t)count * digits_of(n - 1);
    case SPARSE_SENTINEL: return ((uint64_t)count + 1) * digits_of(n);
    case SPARSE_RELATIVE: return relative;
    case SPARSE_AUTO: return 1 + (relative > n ? n : relative);
    }
    assert(false && "not a mode");
    return 0;
}
