/* emit.h - writes the generated C: spells the plans of wire/fuse.h and wire/delta_plan.h.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_H
#define PKTC_EMIT_H

#include "base/out.h"
#include "releases/conversion.h"
#include "wire/delta_plan.h"
#include "wire/fuse.h"

/* Optional files, which not every program needs. */
typedef struct emit_extras {
    bool reflect;              /* for each file, NAME_reflect.h and NAME_reflect.c, which describe the types */
    const char *schema;        /* this text, in NAME_capture.h and NAME_capture.c of the root file; or NULL */
    const old_version *served; /* --serve: the release whose schema this is; or NULL */
} emit_extras;

/* Adds, for each file of the schema, NAME.h (types, constants, prototypes), NAME_codec.h (the unified bodies) and
 * NAME.c (their instances) to o, with paths relative to the output directory. bodies and deltas are the results of
 * plan_bodies and plan_deltas. */
void emit(arena *a, const wire *w, const body_plan *bodies, const delta_plan *const *deltas, const emit_extras *extras,
          outputs *o);

/* Adds NAME_upgrade.h and NAME_upgrade.c, which read packets of older versions of the root file. */
void emit_upgrade(arena *a, const upgrade *u, outputs *o);
/* NAME_serve.h and NAME_serve.c, if a version is served. */
void emit_serve(arena *a, const upgrade *u, outputs *o);

#endif
