/* dump_wire.h - what --dump=wire prints.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DUMP_WIRE_H
#define PKTC_DUMP_WIRE_H

#include "wire/delta_plan.h"

#include <stdio.h>

/* Prints the plan of each type, and after it the plan of its deltas if it has any, from the result of plan_deltas. */
void dump_wire(arena *a, const wire *w, const delta_plan *const *deltas, FILE *to);

#endif
