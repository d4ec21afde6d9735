/* steps.h - the cost of delta steps of every width, from one pass over the values.
 * SPDX-License-Identifier: MIT
 *
 * docs/wire.md, "Deltas", has the forms. The reach of a step is d + 1 for a code that is d above the baseline's, and d
 * for a code that is d below. A small step fits a reach of up to 2^(s-1), a large one of up to 2^(s-1) + 2^(l-1). So
 * values are only counted by class, that is, between which of these bounds their reach is.
 */
#ifndef PKTC_STEPS_H
#define PKTC_STEPS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct step_tally step_tally;

/* most: the greatest l, the bits of a code, or of each of the three parts of a rotation. reach: the greatest allowed
 * reach of a step; UINT64_MAX if there is no limit. */
step_tally *steps_new(arena *a, unsigned most, bool rotation, uint64_t reach);

/* All that was counted, as numbers that add up with those of another tally of the same field. */
uint64_t *steps_counts(const step_tally *t, size_t *count);

/* Adds a changed value that costs `full` bits by itself. A rotation has three codes, other values one. near: false if
 * the baseline has no code, or is a rotation with another greatest component. */
void steps_add(step_tally *t, const uint64_t *old_codes, const uint64_t *codes, bool near, unsigned full);

/* The cost of all values with these steps, and their cost in full. */
uint64_t steps_cost(const step_tally *t, unsigned s, unsigned l);
uint64_t steps_full(const step_tally *t);

/* The cheapest steps; of equally cheap ones, the smaller. */
void steps_best(const step_tally *t, unsigned *s, unsigned *l);

#endif
