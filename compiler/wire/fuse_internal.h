/* fuse_internal.h - shared by fuse.c and fuse_runs.c: the walk over the ops of a type, and its open run.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_FUSE_INTERNAL_H
#define PKTC_FUSE_INTERNAL_H

#include "wire/fuse.h"

typedef struct walk {
    arena *arena;
    plan *plan;
    step **last;
    bool open;            /* a run is open */
    step *run, *word;     /* the run, and the step that began its current word */
    uint64_t offset;      /* bits in the open run so far, without parts that can be absent */
    uint64_t word_bit;    /* the bit of the run where the current word starts */
    uint64_t verified;    /* checked bits, from the start of the open run or from here */
    uint64_t before;      /* the least bits of the type before the open run, or before here */
    bool varies;          /* the open run varies, so it is one word */
    bool moved;           /* a part of the open run before here can be absent */
    uint64_t least, most; /* bits of the open run so far */
    int branches;         /* the number of branches in the open run around the current op */
    int align;            /* the position modulo 8 if it is known, otherwise -1 */
    int depth;            /* the number of loops around here */
    bool begun;           /* the type may have bits before here */
    uint64_t leaves;      /* leaves so far; each loop around a leaf counts as 8 elements */
    uint64_t known;       /* the leaves whose position in their byte is known */
} walk;

step *add_step(walk *k, step_kind kind, const op *o, const lvalue *at);

/* Adds a check that this many bits are left, unless they are already checked. */
void need_bits(walk *k, uint64_t bits);

/* Whether the 8 bytes from a byte of the open run, or from here, are checked. */
bool inside(const walk *k, uint64_t byte);

/* Counts a word for the statistics. */
void count_word(walk *k, bool edge);

void close_run(walk *k);

/* Counts leaves at this depth. */
void count_leaves(walk *k, uint64_t leaves, bool known);

/* Adds a leaf of `bits` bits, and opens a run if none is open. From the start of this leaf on, `required` bits are
 * certain to follow. */
void place_leaf(walk *k, const op *o, const lvalue *at, leaf_role role, unsigned bits, uint64_t required);

/* Adds `lanes` elements of an array as one leaf. */
void place_lanes(walk *k, const op *o, const lvalue *at, unsigned lanes, uint64_t required);

/* The most bits of an op in a run that varies; more than WORD_BITS if it cannot be in one. */
uint64_t varying_bits(const op *o);

/* Whether a branch of at most `bits` bits goes into the open run or into a new one. If so, that run varies from here
 * on. */
bool vary(walk *k, const op *o, uint64_t bits, uint64_t required);

#endif
