/* cells.h - the items of a type as cells and brackets, before they are drawn.
 * SPDX-License-Identifier: MIT
 *
 * A cell is an item that takes bits. A bracket under cells shows that they repeat, that they are sent only under a
 * condition, or the field or member that they belong to. A member whose type has many fields is one cell that links to
 * the picture of that type, so a picture is about as long as its part of the schema.
 */
#ifndef PKTC_CELLS_H
#define PKTC_CELLS_H

#include "costs/sizes_internal.h"

typedef struct cell {
    struct cell *next;
    unsigned begin, end; /* bits from the picture's start */
    size_kind kind;
    bool varies; /* its width on the wire is not fixed */
    const char *name, *bits, *title;
    const wire_type *link; /* the type whose picture it links to, or NULL */
} cell;

typedef struct bracket {
    struct bracket *next;
    unsigned begin, end, depth;
    bool conditional;
    const char *label;
} bracket;

typedef struct picture {
    arena *arena;
    cell *cells, **last_cell;
    bracket *brackets, **last_bracket;
    unsigned at, depth;
} picture;

/* The bits of a type in full, or of its delta. */
picture *picture_of(arena *a, const wire *w, const wire_type *t, bool delta);

#endif
