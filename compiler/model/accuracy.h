/* accuracy.h - how far a number or a rotation that is read may be from the one that was written, and how 0 is read.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ACCURACY_H
#define PKTC_ACCURACY_H

#include "base/arena.h"
#include "model/schema.h"

/* A bound that no number within the bounds of the type exceeds: half a step, and what the operations of wire.md are off,
 * each of which is rounded to the storage. */
double quantized_error(const type *t);

/* The same with three digits, rounded up. */
const char *quantized_error_text(arena *a, const type *t);

/* What a reader sees of 0, which is within the bounds; `steps` may be any whole number. No circle: there the upper bound is
 * read as the lower one. */
double zero_as_read(storage s, double low, double high, double steps);

/* The base value of a quantized number: what a reader sees of 0 or, if that is out of range, the lower bound. */
double quantized_base(const type *t);

/* The number of steps into which a component of B bits is quantized: 2^B - 2, an even number, so that 0 is one of the
 * values. The code 2^B - 1 is not used. */
uint32_t rotation_steps(unsigned bits);

/* The greatest angle in degrees between the value written and the value read: of a unit quaternion with 3 to 20 bits
 * per component, and of a unit vector with 2 to 20. */
double quat_error(unsigned bits);
double unit_error(unsigned bits);

#endif
