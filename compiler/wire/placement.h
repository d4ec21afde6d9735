/* placement.h - how a type is part of the types that contain it: spelled out, inlined or called.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PLACEMENT_H
#define PKTC_PLACEMENT_H

#include "wire/wire.h"

/* How a type is part of another one, of the file `user`. Depends on these alone, so that an imported file comes out
 * the same whoever imports it. Code grows with the sum of the fields, for a type that calls others is never inlined. */
typedef enum placement {
    PLACE_FLAT, /* spelled out: a few fixed fields */
    /* Its lines are contained: a small type, or elements of an array if nothing else in the file has the type. */
    PLACE_INLINE,
    PLACE_CALL /* by its own functions */
} placement;

placement place_of(const schema_file *user, const wire_type *t, bool is_element);

/* Sets lines, nesting, straight and calls of all types. They are found type by type, each from those of the types in
 * it: types that contain others many times over cost no more than they have lines. */
void place_types(wire *w);

#endif
