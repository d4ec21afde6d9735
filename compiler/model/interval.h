/* interval.h - which values an operator can give, when it is known which its operands can have.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_INTERVAL_H
#define PKTC_INTERVAL_H

#include "model/schema.h"

typedef struct interval { /* both ends included */
    num low, high;
} interval;

/* What `a kind b` can be, for one of EXPR_MASK, EXPR_ADD, EXPR_SUBTRACT, EXPR_MULTIPLY, EXPR_DIVIDE and
 * EXPR_REMAINDER. The result holds every value that can come out; where both operands are one value, exactly that.
 * False where a num cannot hold an end of it. The divisor of a division is never 0, both operands of a mask fit 64
 * bits. */
bool interval_of(expr_kind kind, interval a, interval b, interval *result);

bool interval_has_zero(interval a);
bool interval_fits_i64(interval a);
bool interval_fits_u64(interval a);

#endif
