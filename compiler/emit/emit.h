/* emit.h - writes the generated C: spells the plans of wire/fuse.h and wire/delta_plan.h.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_H
#define PKTC_EMIT_H

#include "base/out.h"
#include "wire/delta_plan.h"
#include "wire/fuse.h"

/* Another version of the schema that a program has: the declarations of that version which stand for those of the
 * schema. */
typedef struct other_version {
    /* The declaration whose name another one has in C, so that versions share their types. NULL: each has its own name,
     * and the version has all functions. Otherwise values are only read. */
    const decl *(*form)(const void *forms, const decl *d);
    const void *forms;
    /* The declaration in the version now, to which refs point; NULL if it was removed. */
    const decl *(*now)(const void *conversion, const decl *d);
    const void *conversion;
} other_version;

/* Optional files, which not every program needs. */
typedef struct emit_extras {
    bool reflect;        /* for each file, NAME_reflect.h and NAME_reflect.c, which describe the types */
    const char *schema;  /* this text, in NAME_capture.h and NAME_capture.c of the root file; or NULL */
    other_version older; /* the release whose schema this is; empty: the version now */
} emit_extras;

/* Adds, for each file of the schema, NAME.h (types, constants, prototypes), NAME_codec.h (the unified bodies) and
 * NAME.c (their instances) to o, with paths relative to the output directory. bodies and deltas are the results of
 * plan_bodies and plan_deltas. */
void emit(arena *a, const wire *w, const body_plan *bodies, const delta_plan *const *deltas, const emit_extras *extras,
          outputs *o);

#endif
