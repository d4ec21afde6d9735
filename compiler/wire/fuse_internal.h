/* fuse_internal.h - what fuse.c and fuse_runs.c share: the walk over the ops of a type, and the run that is open in it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_FUSE_INTERNAL_H
#define PKTC_FUSE_INTERNAL_H

#include "wire/fuse.h"

typedef struct walk {
    arena *arena;
    plan *plan;
    step **last;
    bool open;            /* a run is */
    step *run, *word;     /* the run, and the step that opened its present word */
    uint64_t offset;      /* bits in the open run */
    uint64_t word_bit;    /* where the present word starts in it */
    uint64_t verified;    /* bits known to be there, from the start of the open run, or from here */
    uint64_t before;      /* the least number of bits of the type before the open run, or before here */
    bool varies;          /* the open run does, which is one word */
    bool moved;           /* something that may be missing stands in it before here */
    uint64_t least, most; /* bits that the open run has */
    int branches;         /* around here that stand in it */
    int align;            /* position modulo 8 where that is known, else -1 */
    int depth;            /* loops around here */
    bool begun;           /* something of the type may have bits before here */
} walk;

step *add_step(walk *k, step_kind kind, const op *o, const lvalue *at);

/* From here on so many bits are needed: one check, unless they are known to be there. */
void need_bits(walk *k, uint64_t bits);

/* Whether 8 bytes from a byte of the open run, or from here, are among the verified ones. */
bool inside(const walk *k, uint64_t byte);

/* A word more, one load or store. */
void count_word(walk *k, bool edge);

void close_run(walk *k);

/* A leaf of so many bits, in a list of which `required` bits are certain from this leaf on, it included. Opens a run where none
 * is open. */
void place_leaf(walk *k, const op *o, const lvalue *at, leaf_role role, unsigned bits, uint64_t required);

/* So many elements of an array as one leaf. */
void place_lanes(walk *k, const op *o, const lvalue *at, unsigned lanes, uint64_t required);

/* How many bits an op may have in a run that varies, more than WORD_BITS where it may not be in one. */
uint64_t varying_bits(const op *o);

/* Whether a branch of so many bits stands in the open run, which varies from here on; or in one that is opened here. */
bool vary(walk *k, const op *o, uint64_t bits, uint64_t required);

#endif
