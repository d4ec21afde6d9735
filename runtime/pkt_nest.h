/* pkt_nest.h - fields that are of another struct type.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 */
#ifndef PKT_NEST_H
#define PKT_NEST_H

#include "pkt_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PKT_EXPLAIN_STRUCT_(T, m)                                                     \
    if (mode == PKT_EXPLAIN && !T##_explain(c, &in->m, out != NULL ? &out->m : NULL)) \
    return pkt_explain_outer(c, #m)

/* A small type, whose unified body is inlined. */
#define PKT_INLINED(T, m)                                                                              \
    do {                                                                                               \
        PKT_EXPLAIN_STRUCT_(T, m);                                                                     \
        c->fresh = false;                                                                              \
        if (mode != PKT_EXPLAIN && !T##_serialize(mode, c, &in->m, mode == PKT_READ ? &out->m : NULL)) \
            return false;                                                                              \
    } while (0)

/* Any other type, through its own functions. They work on the stream: it is moved to the cursor before the call, and
 * the cursor to the stream after it. The cursor itself is not passed, because if its address left the function,
 * compilers would keep it in memory instead of registers. */
#define PKT_CALLED(T, m)                           \
    do {                                           \
        PKT_EXPLAIN_STRUCT_(T, m);                 \
        if (mode == PKT_WRITE) {                   \
            pkt_writer_advance(c->writer, c);      \
            if (!T##_write(c->writer, &in->m))     \
                return false;                      \
            pkt_cursor_follow_writer(c);           \
        }                                          \
        if (mode == PKT_READ) {                    \
            pkt_reader_advance(c->reader, c);      \
            if (!T##_read(c->reader, &out->m))     \
                return false;                      \
            pkt_cursor_follow_reader(c);           \
        }                                          \
        if (mode == PKT_MEASURE) {                 \
            c->bit += T##_measure(&in->m, c->bit); \
            if (c->bit == PKT_FAILED)              \
                return false;                      \
        }                                          \
    } while (0)

/* Fails to compile if a member of a type of the program does not have the size that generated code assumes. */
#define PKT_FITS(T, m, size) typedef char T##_##m##_fits_[sizeof(((T *)0)->m) == (size) ? 1 : -1]

#ifdef __cplusplus
}
#endif

#endif
