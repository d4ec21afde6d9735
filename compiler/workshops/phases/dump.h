/* dump.h - the schema and the plans of its types, as text.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DUMP_H
#define PKTC_DUMP_H

#include "wire/delta_plan.h"

#include <stdio.h>

void dump_schema(const schema *s, FILE *to);

/* deltas: as plan_deltas returns them. */
void dump_wire(arena *a, const wire *w, const delta_plan *const *deltas, FILE *to);

#endif
