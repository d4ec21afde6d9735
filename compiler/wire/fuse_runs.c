/* fuse_runs.c - the open run: which leaves share a word, which bits are checked, which runs vary.
 * SPDX-License-Identifier: MIT
 */
#include "wire/fuse_internal.h"
#include "wire/tuning.h"

#include <assert.h>

enum { TOO_MANY = WORD_BITS + 1 };

step *add_step(walk *k, step_kind kind, const op *o, const lvalue *at)
{
    step *s = ARENA_WITH(k->arena, step, .kind = kind, .op = o, .at = at);
    *k->last = s;
    k->last = &s->next;
    k->begun |= kind != STEP_NEED && kind != STEP_RUN && kind != STEP_LEAF;
    return s;
}

void need_bits(walk *k, uint64_t bits)
{
    assert(!k->open);
    if (bits <= k->verified)
        return;
    add_step(k, STEP_NEED, NULL, NULL)->bits = bits;
    k->plan->checks++;
    k->verified = bits;
}

/* Data ends on a byte boundary, so if any bit of a byte is known to be present, the whole byte is. */
bool inside(const walk *k, uint64_t byte)
{
    return byte + 8 <= (k->verified + 7) / 8;
}

void count_word(walk *k, bool edge)
{
    k->plan->words++;
    if (edge)
        k->plan->edges++;
}

static void open_run(walk *k, uint64_t required)
{
    need_bits(k, required);
    k->run = add_step(k, STEP_RUN, NULL, NULL);
    k->run->edge = !inside(k, 0);
    k->run->first = !k->begun && !k->run->edge;
    count_word(k, k->run->edge);
    k->open = true;
    k->offset = 0;
    k->word_bit = 0;
    k->least = k->most = 0;
}

static void open_word(walk *k)
{
    step *s = add_step(k, STEP_WORD, NULL, NULL);
    s->byte = (uint32_t)(k->offset / 8);
    s->edge = !inside(k, s->byte);
    k->word_bit = 8 * (uint64_t)s->byte;
    count_word(k, s->edge);
}

/* Whether a leaf can be in a row, which is moved as a vector of floats: it is a quantized float at a known bit of one
 * word. */
static bool fits_row(const step *s)
{
    return s && s->kind == STEP_LEAF && s->role == LEAF_VALUE && s->op->kind == OP_QUANTIZED &&
           s->op->type->storage == STORAGE_FLOAT && !s->op->type->wraps && !s->across && !s->varies;
}

/* Marks rows of three or four neighbouring leaves. Two leaves would gain nothing. */
static void mark_rows(step *s)
{
    while (s) {
        unsigned count = 0;
        step *behind = s;
        for (; count < ROW_MOST && fits_row(behind); behind = behind->next)
            count++;
        if (count >= ROW_LEAST)
            s->row = count;
        s = count >= ROW_LEAST ? behind : s->next;
    }
}

/* Marks the words at an edge that a reader can load by their end. No leaf goes on in the next word there: if so many bits
 * were verified, the word would not be at an edge. */
static void mark_endings(const walk *k)
{
    step *word = NULL;
    for (step *s = k->run; s; s = s->next)
        if (s->kind != STEP_LEAF)
            word = s->edge ? s : NULL;
        else if (s->width != 0 && word && k->before + s->offset + s->width >= 64)
            word->ending = s->offset + s->width;
}

void count_leaves(walk *k, uint64_t leaves, bool known)
{
    for (int i = 0; i < k->depth && i < 4; i++)
        leaves *= LOOP_WEIGHT;
    k->leaves += leaves;
    if (known)
        k->known += leaves;
}

void close_run(walk *k)
{
    if (!k->open)
        return;
    assert(k->branches == 0 && "a branch inside a run does not end it");
    assert(k->least <= k->verified && "all certain bits of the run were checked");
    k->open = false;
    mark_rows(k->run);
    step *end = add_step(k, STEP_END, NULL, NULL);
    end->bits = k->run->bits = k->offset;
    end->varies = k->varies;
    if (k->varies) {
        if (k->run->edge && k->least != 0 && k->before + k->least >= 64)
            k->run->ending = k->most;
        end->rest = k->verified - k->least;
        k->plan->checks++;
        k->align = -1;
    } else {
        mark_endings(k);
        if (k->align >= 0)
            k->align = (int)(((uint64_t)k->align + k->offset) % 8);
    }
    k->before += k->least;
    k->verified -= k->least;
    k->varies = k->moved = false;
}

/* Whether a leaf can be added to a run that varies. A leaf that may be in a row begins a new run. So does a ref,
 * because all bits must be checked before the program's callback is called. */
static bool stays(const walk *k, const op *o, unsigned bits)
{
    return k->branches != 0 || (k->most + bits <= WORD_BITS && o->kind != OP_QUANTIZED && o->kind != OP_REF);
}

void place_leaf(walk *k, const op *o, const lvalue *at, leaf_role role, unsigned bits, uint64_t required)
{
    if (bits == 0) {
        /* It has no bits on the wire, but its value is set or checked. */
        step *s = add_step(k, STEP_LEAF, o, at);
        s->role = role;
        return;
    }
    if (k->open && k->varies && !stays(k, o, bits))
        close_run(k);
    if (!k->open)
        open_run(k, required);
    uint64_t used = k->offset - k->word_bit;
    bool fits = used + bits <= WORD_BITS;
    if (!fits && bits <= WORD_BITS - k->offset % 8) {
        open_word(k);
        fits = true;
    } else if (!fits && used + (bits - (WORD_BITS - 7)) > WORD_BITS) {
        /* The leaf is across two words, but the current word has too few bits left for it to end in the next one. */
        open_word(k);
    }
    step *s = add_step(k, STEP_LEAF, o, at);
    s->role = role;
    s->width = bits;
    s->lanes = 1;
    s->offset = k->offset;
    s->shift = (unsigned)(k->offset - k->word_bit);
    s->varies = k->moved;
    k->least += bits;
    k->most += bits;
    count_leaves(k, 1, k->align >= 0 && !k->varies);
    if (!fits) {
        s->across = true;
        s->low = WORD_BITS - s->shift;
        s->byte = (uint32_t)((k->offset + s->low) / 8);
        s->high_shift = (unsigned)((k->offset + s->low) % 8);
        s->edge = !inside(k, s->byte);
        k->word_bit = 8 * (uint64_t)s->byte;
        count_word(k, s->edge);
        assert(s->high_shift + bits - s->low <= WORD_BITS && "a leaf is across at most two words");
    }
    k->offset += bits;
}

void place_lanes(walk *k, const op *o, const lvalue *at, unsigned lanes, uint64_t required)
{
    step **added = k->last;
    assert(!k->varies && "a group of elements begins a new run");
    place_leaf(k, o, at, LEAF_VALUE, lanes * o->bits, required);
    while ((*added)->kind != STEP_LEAF)
        added = &(*added)->next;
    (*added)->lanes = lanes;
    assert(!(*added)->across);
}

/* ---- runs that vary */

static uint64_t varying_bits_of_list(const op *o);

/* A run that varies can contain leaves, and branches with nothing but leaves. */
uint64_t varying_bits(const op *o)
{
    if (o->kind == OP_OPTIONAL || o->kind == OP_UNLESS)
        return 1 + varying_bits(o->body);
    if (o->kind == OP_IF) {
        uint64_t taken = varying_bits_of_list(o->body), other = varying_bits_of_list(o->other);
        return taken > other ? taken : other;
    }
    return op_is_leaf(o) && o->kind != OP_REF ? o->bits : TOO_MANY;
}

/* Neighbours that would form a row of floats are faster as a row, outside of a run that varies. */
static uint64_t varying_bits_of_list(const op *o)
{
    uint64_t bits = 0;
    unsigned row = 0;
    for (; o; o = o->next) {
        row = o->kind == OP_QUANTIZED ? row + 1 : 0;
        bits += varying_bits(o);
        if (row == ROW_LEAST || bits > WORD_BITS)
            return TOO_MANY;
    }
    return bits;
}

/* A run of one word can continue with a branch. After a longer run a new one is opened, if the next op would open one
 * anyway. */
bool vary(walk *k, const op *o, uint64_t bits, uint64_t required)
{
    if (k->open && k->varies && k->most + bits <= WORD_BITS)
        return true;
    if (bits == 0 || bits > WORD_BITS)
        return false;
    bool alone = k->open && !k->varies && k->word_bit == 0 && k->offset + bits <= WORD_BITS;
    if (!alone) {
        if (!o->next || o->next->kind == OP_QUANTIZED || bits + varying_bits(o->next) > WORD_BITS)
            return false;
        close_run(k);
        open_run(k, required);
    }
    k->varies = k->run->varies = true;
    return true;
}
