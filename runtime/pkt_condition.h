/* pkt_condition.h - quotients and remainders in the conditions of a schema.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 *
 * C leaves division by zero, and the least integer divided by -1, undefined. Here both give 0. That can happen only if
 * a program writes a value that the schema does not allow.
 */
#ifndef PKT_CONDITION_H
#define PKT_CONDITION_H

#include "pkt_platform.h"

#ifdef __cplusplus
extern "C" {
#endif

PKT_INLINE int64_t pkt_quotient_i64(int64_t a, int64_t b)
{
    return b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a / b;
}

PKT_INLINE int64_t pkt_remainder_i64(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

PKT_INLINE uint64_t pkt_quotient_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a / b;
}

PKT_INLINE uint64_t pkt_remainder_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a % b;
}

#ifdef __cplusplus
}
#endif

#endif
