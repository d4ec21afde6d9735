/* vectors_emit.h - how the parts of a test program are spelled: shared by vectors_types.c and vectors_values.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_VECTORS_EMIT_H
#define PKTC_VECTORS_EMIT_H

#include "vectors.h"

typedef struct emitter {
    arena *arena;
    out *out;
    const schema *schema;
    const source *file; /* of the record at hand */
    uint32_t line;
    const char *inexpressible; /* why its value has no place in C, or NULL */
} emitter;

/* An element in a C struct: "v->", "g", "[i0][1]". What belongs to the field (g_size) has its suffix between the
 * name and the index. */
typedef struct place {
    const char *owner, *name, *index;
} place;

const char *place_text(emitter *e, place p, const char *suffix);
const char *name_in_c(emitter *e, const decl *d);
const char *decimal_text(emitter *e, uint64_t n);
bool is_single(const type *t);
/* In hexadecimal, so that no digit is lost. */
const char *real_text(emitter *e, const type *t, double real);

#endif
