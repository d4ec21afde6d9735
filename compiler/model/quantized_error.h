/* quantized_error.h - how far a quantized number that is read may be from the one that was written.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_QUANTIZED_ERROR_H
#define PKTC_QUANTIZED_ERROR_H

#include "base/arena.h"
#include "model/schema.h"

/* A bound that no number within the bounds of the type exceeds: half a step, and what the operations of wire.md are off,
 * each of which is rounded to the storage. */
double quantized_error(const type *t);

/* The same with three digits, rounded up. */
const char *quantized_error_text(arena *a, const type *t);

#endif
