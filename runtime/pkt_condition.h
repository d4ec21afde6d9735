/* pkt_condition.h - quotients, remainders and numbers of set bits in the conditions and counts of a schema.
 * SPDX-License-Identifier: MIT
 *
 * For generated code; programs do not use it. C leaves division by zero, and the least integer divided by -1, undefined. Here both
 * give 0. That can happen only if a program writes a value that the schema does not allow.
 */
#ifndef PKT_CONDITION_H
#define PKT_CONDITION_H

#include "pkt_platform.h"

PKT_C_BEGIN

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

/* bits(v): the number of set bits. */
/*@ assigns \nothing; */
PKT_INLINE unsigned pkt_ones(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(v * UINT64_C(0x0101010101010101) >> 56);
}

/* A computed count. If the program sets a field out of range, it could be more than the array holds. */
PKT_INLINE uint32_t pkt_count_up_to(uint64_t count, uint32_t most)
{
    return count < most ? (uint32_t)count : most;
}

PKT_C_END

#endif
