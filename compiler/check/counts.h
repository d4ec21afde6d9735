/* counts.h - checks arrays whose count is computed from earlier fields, and arrays with `delta(previous)`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COUNTS_H
#define PKTC_COUNTS_H

#include "check/context.h"

/* Gives an ARRAY_COMPUTED its count and the range of it. After an error the field is broken. */
void check_computed(checker *k, field_info *info);

/* Makes the elements of an array deltas to the ones before them. */
void check_chain(checker *k, field_info *info);

#endif
