/* interval.h - the range of an operator's result, from the ranges of its operands.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_INTERVAL_H
#define PKTC_INTERVAL_H

#include "model/schema.h"

typedef struct interval { /* both ends included */
    num low, high;
} interval;

/* The interval of `a operator b`, for & + - * / and %. It contains every possible result; if both operands are single
 * values, it is exactly their result. False if a num cannot hold an end of it. The caller makes sure that no divisor is
 * 0 and that the operands of a mask fit in 64 bits. */
bool interval_of(operator_kind operator, interval a, interval b, interval *result);

bool interval_has_zero(interval a);
bool interval_fits_i64(interval a);
bool interval_fits_u64(interval a);

#endif
