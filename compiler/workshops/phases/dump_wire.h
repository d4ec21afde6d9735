/* dump_wire.h - the plans of the types of a schema, as text.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DUMP_WIRE_H
#define PKTC_DUMP_WIRE_H

#include "wire/delta_plan.h"

#include <stdio.h>

/* deltas: as plan_deltas returns them. */
void dump_wire(arena *a, const wire *w, const delta_plan *const *deltas, FILE *to);

#endif
