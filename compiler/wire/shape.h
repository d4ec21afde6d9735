/* shape.h - what deltas look at in memory: what can be wrong with a baseline, and what is compared whole.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SHAPE_H
#define PKTC_SHAPE_H

#include "wire/wire.h"

/* Whether a baseline can have a value here that is refused (docs/wire.md, "Deltas"): a number of elements or bytes, a
 * tag or a number that a condition asks for, out of range; or a text without end. */
bool op_can_be_unsound(const op *o);
bool type_can_be_unsound(const wire_type *t);

/* The bytes in memory of a value that is all there at all times, and that is the same if all its bytes are; padding is
 * not counted. 0 for any other, and for a pointer, whose size pktc does not know. */
uint64_t op_plain_bytes(const op *o);
/* The same of a list of ops. */
uint64_t ops_plain_bytes(const op *o);

#endif
