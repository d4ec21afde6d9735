/* interval.h - the values that an operator can give, from the values that its operands can have.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_INTERVAL_H
#define PKTC_INTERVAL_H

#include "model/schema.h"

typedef struct interval { /* both ends included */
    num low, high;
} interval;

/* The interval of `a operator b`, for & + - * / and %. It contains every possible result; if both operands are single values, it is exactly their result. False if a num cannot
 * hold one of its ends. The caller makes sure that no divisor is 0 and that the operands of a mask fit in 64 bits. */
bool interval_of(operator_kind operator, interval a, interval b, interval *result);

bool interval_has_zero(interval a);
bool interval_fits_i64(interval a);
bool interval_fits_u64(interval a);

#endif
