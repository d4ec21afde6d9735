/* pkt_nest.h - types within types.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_codec.h. Programs do not use this header.
 */
#ifndef PKT_NEST_H
#define PKT_NEST_H

#include "pkt_explain.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PKT_EXPLAIN_STRUCT_(T, m)                                                     \
    if (mode == PKT_EXPLAIN && !T##_explain(c, &in->m, out != NULL ? &out->m : NULL)) \
    return pkt_explain_outer(c, #m)

/* A type in its place: inlined, or by its own functions. */
#define PKT_INLINED(T, m)                                                                              \
    do {                                                                                               \
        PKT_EXPLAIN_STRUCT_(T, m);                                                                     \
        c->fresh = false;                                                                              \
        if (mode != PKT_EXPLAIN && !T##_serialize(mode, c, &in->m, mode == PKT_READ ? &out->m : NULL)) \
            return false;                                                                              \
    } while (0)

/* The cursor that is called with is a copy: the address of `c` itself must not leave the function. */
#define PKT_CALLED(T, m)                                                \
    do {                                                                \
        PKT_EXPLAIN_STRUCT_(T, m);                                      \
        if (mode != PKT_EXPLAIN) {                                      \
            pkt_cursor copy_ = pkt_cursor_of(c);                        \
            if (mode == PKT_WRITE && !T##_write_at(&copy_, &in->m))     \
                return false;                                           \
            if (mode == PKT_READ && !T##_read_at(&copy_, &out->m))      \
                return false;                                           \
            if (mode == PKT_MEASURE && !T##_measure_at(&copy_, &in->m)) \
                return false;                                           \
            c->bit = copy_.bit;                                         \
            c->carry = copy_.carry;                                     \
        }                                                               \
    } while (0)

/* A member of a type of the program has the size that the functions rely on, or this does not compile. */
#define PKT_FITS(T, m, size) typedef char T##_##m##_fits_[sizeof(((T *)0)->m) == (size) ? 1 : -1]

#ifdef __cplusplus
}
#endif

#endif
