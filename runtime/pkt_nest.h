/* pkt_nest.h - types within types.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_codec.h. Programs do not use this header.
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

/* A small type: its lines are here, too. */
#define PKT_INLINED(T, m)                                                                              \
    do {                                                                                               \
        PKT_EXPLAIN_STRUCT_(T, m);                                                                     \
        c->fresh = false;                                                                              \
        if (mode != PKT_EXPLAIN && !T##_serialize(mode, c, &in->m, mode == PKT_READ ? &out->m : NULL)) \
            return false;                                                                              \
    } while (0)

/* Any other type, by its own functions. These work on the stream, which is put where the cursor is and the cursor then where
 * the stream is: the address of `c` must not leave the function, or it would not be in registers. */
#define PKT_CALLED(T, m)                                        \
    do {                                                        \
        PKT_EXPLAIN_STRUCT_(T, m);                              \
        if (mode == PKT_WRITE) {                                \
            pkt_writer_advance(c->writer, c);                   \
            if (!T##_write(c->writer, &in->m))                  \
                return false;                                   \
            pkt_cursor_follow_writer(c);                        \
        }                                                       \
        if (mode == PKT_READ) {                                 \
            pkt_reader_advance(c->reader, c);                   \
            if (!T##_read(c->reader, &out->m))                  \
                return false;                                   \
            pkt_cursor_follow_reader(c);                        \
        }                                                       \
        if (mode == PKT_MEASURE) {                              \
            const uint64_t bits_ = T##_measure(&in->m, c->bit); \
            if (pkt_over(T##_MIN_BITS, bits_))                  \
                return false;                                   \
            c->bit += bits_;                                    \
        }                                                       \
    } while (0)

/* A member of a type of the program has the size that the functions rely on, or this does not compile. */
#define PKT_FITS(T, m, size) typedef char T##_##m##_fits_[sizeof(((T *)0)->m) == (size) ? 1 : -1]

#ifdef __cplusplus
}
#endif

#endif
