/* pkt_mix.h - values between two others, and how far two values are apart: T_mix and T_near of types with @mix.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_MIX_H
#define PKT_MIX_H

#include "pkt_stream.h"

PKT_C_BEGIN

/* ---- Between values -------------------------------------------------------------------------------- */

/* The first field in which two values are too far apart: see T_near. */
typedef struct pkt_deviation {
    double amount;              /* how far; of rotations and directions in degrees; 1 if there is no distance */
    double tolerance;           /* in the same unit */
    char field[PKT_FIELD_SIZE]; /* its full name, such as "World.karts[3].x"; empty if no field is too far apart */
} pkt_deviation;

/* T_mix and T_near, by the table of the type. point: from there on, what steps is b's. */
PKT_API void pkt_mix(const struct pkt_type *type, const void *a, const void *b, double t, double point, void *out);
PKT_API bool pkt_near(const struct pkt_type *type, const void *a, const void *b, pkt_deviation *deviation);

#define PKT_INLINE_MIX(T, point)                                                  \
    PKT_INLINE void T##_mix(const T *a_, const T *b_, double t_, T *out_)         \
    {                                                                             \
        pkt_mix(&T##_type_, a_, b_, t_, point, out_);                             \
    }                                                                             \
    PKT_INLINE bool T##_near(const T *a_, const T *b_, pkt_deviation *deviation_) \
    {                                                                             \
        return pkt_near(&T##_type_, a_, b_, deviation_);                          \
    }

PKT_C_END

#endif
