/* emit.h - writes the generated C: spells the plans of wire/fuse.h and wire/delta_plan.h.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_H
#define PKTC_EMIT_H

#include "base/out.h"
#include "wire/delta_plan.h"
#include "wire/fuse.h"

/* Adds, for each file of the schema, NAME.h (types, constants, prototypes), NAME_codec.h (the unified bodies) and
 * NAME.c (their instances) to o, with paths relative to the output directory; with `reflect` also NAME_reflect.h and
 * NAME_reflect.c, which describe the types. p and deltas are the results of fuse and plan_deltas for the same
 * wire. */
void emit(arena *a, const plans *p, const delta_plan *const *deltas, bool reflect, outputs *o);

#endif
