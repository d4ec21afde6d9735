/* vectors_emit.h - writing test programs: shared by vectors_types.c and vectors_values.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_VECTORS_EMIT_H
#define PKTC_VECTORS_EMIT_H

#include "vectors.h"

typedef struct emitter {
    arena *arena;
    out *out;
    const schema *schema;
    const source *file; /* of the current record */
    uint32_t line;
    const char *inexpressible; /* why C cannot express its value, or NULL */
} emitter;

/* An element in a C struct: "v->", "g", "[i0][1]". The suffix of related members (g_size) goes between the name and the
 * index. */
typedef struct place {
    const char *owner, *name, *index;
} place;

const char *place_text(emitter *e, place p, const char *suffix);
const char *name_in_c(emitter *e, const decl *d);
const char *decimal_text(emitter *e, uint64_t n);
bool is_single(const type *t);
/* A number in hexadecimal, which is exact. */
const char *real_text(emitter *e, const type *t, double real);

#endif
