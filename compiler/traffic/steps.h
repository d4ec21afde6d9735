/* steps.h - what delta steps of every width would cost, from one pass over the values.
 * SPDX-License-Identifier: MIT
 *
 * docs/wire.md, "Deltas", has the forms. How far a step goes is its reach: d + 1 for a code that is d above the
 * baseline's, d for one that is d below. A small step fits a reach of up to 2^(s-1), a large one of up to 2^(s-1) +
 * 2^(l-1). So it is enough to count values by the classes between these bounds.
 */
#ifndef PKTC_STEPS_H
#define PKTC_STEPS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct step_tally step_tally;

/* most: the greatest l, the bits of a code, or of each of the three parts of a rotation. reach: the farthest that a
 * step may reach; UINT64_MAX if there is no limit. */
step_tally *steps_new(arena *a, unsigned most, bool rotation, uint64_t reach);

/* A changed value that costs `full` bits by itself. There are three codes of a rotation, otherwise one. near: false for
 * a rotation of which another component is the greatest, or if the baseline has no code. */
void steps_add(step_tally *t, const uint64_t *old_codes, const uint64_t *codes, bool near, unsigned full);

/* What all values cost with these steps, and what they cost in full. */
uint64_t steps_cost(const step_tally *t, unsigned s, unsigned l);
uint64_t steps_full(const step_tally *t);

/* The steps that cost least; of equals the smaller ones. */
void steps_best(const step_tally *t, unsigned *s, unsigned *l);

#endif
