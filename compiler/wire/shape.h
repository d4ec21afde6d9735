/* shape.h - values in memory, as deltas see them: when a baseline is invalid, and which types are compared whole.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SHAPE_H
#define PKTC_SHAPE_H

#include "wire/wire.h"

/* Whether a value here can make a baseline invalid (docs/wire.md, "Deltas"): a count, a length, a tag or a number in a
 * condition that is out of range; or an unterminated text. */
bool op_can_be_unsound(const op *o);
bool type_can_be_unsound(const wire_type *t);

/* The bytes of a value that can be compared as memory: it has no parts that can be absent, and equal values have equal
 * bytes. Padding is not counted. 0 for other values, and for pointers, whose size pktc does not know. */
uint64_t op_plain_bytes(const op *o);
/* The same for a list of ops. */
uint64_t ops_plain_bytes(const op *o);

#endif
