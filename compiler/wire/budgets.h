/* budgets.h - refuses packets that can be larger than their author allows, or than what they answer.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BUDGETS_H
#define PKTC_BUDGETS_H

#include "base/diag.h"
#include "wire/wire.h"

/* Reports each packet whose greatest size, with its frame, exceeds its @budget, or the least size of the packet
 * that it answers. False after such a report. */
bool check_budgets(const wire *w, diag *d);

/* The most bytes of an answer, and the least ones of what it answers, with their frames. Deltas count: a reader does not
 * know which of the two a sender chooses. */
typedef struct exchange {
    uint64_t most, least;
    const char *most_as, *least_as; /* " as a delta", or "" */
} exchange;

exchange exchange_of(const wire_type *answer, const wire_type *question);

/* The most bytes of a packet with its frame if T_fit leaves out all elements that it can. Without parts, it has no such
 * function, and this is its greatest size. */
uint64_t most_bytes_after_fit(const wire *w, const wire_type *t);

#endif
