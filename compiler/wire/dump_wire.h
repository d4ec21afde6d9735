/* dump_wire.h - what --dump=wire prints.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DUMP_WIRE_H
#define PKTC_DUMP_WIRE_H

#include "wire/delta_plan.h"

#include <stdio.h>

/* Prints the plan of each type, and of a type that has deltas theirs after it. p and deltas are what fuse and plan_deltas made of
 * one wire. */
void dump_wire(arena *a, const plans *p, const delta_plan *const *deltas, FILE *to);

#endif
