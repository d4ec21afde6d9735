/* placement.h - how a type is part of the types that contain it: spelled out, inlined or called.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PLACEMENT_H
#define PKTC_PLACEMENT_H

#include "wire/wire.h"

/* How a type is part of another type in the file `user`. It depends on the arguments alone, so that an imported file
 * always gives the same code. An element type that calls others is not inlined, so code grows with the sum of the fields. A
 * small type is inlined even so: then what contains it makes these calls. */
typedef enum placement {
    PLACE_FLAT, /* spelled out: a few fixed fields */
    /* Its function is inlined: a small type, or the element type of an array that nothing else in the file uses. */
    PLACE_INLINE,
    PLACE_CALL /* by its own functions */
} placement;

placement place_of(const schema_file *user, const wire_type *t, bool is_element);

/* Sets lines, nesting, straight and calls of all types. Each type uses the results of its nested types, so the time
 * grows only with the number of ops. */
void place_types(wire *w);

#endif
