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

/* A small type, whose unified body is inlined. */
#define PKT_INLINED(T, m)                                                            \
    do {                                                                             \
        c_->fresh = false;                                                           \
        if (!T##_serialize(mode_, c_, &in_->m, mode_ == PKT_READ ? &out_->m : NULL)) \
            return false;                                                            \
    } while (0)

/* Any other type, through its own functions T_write_ and T_read_. They work on the stream: it is moved to the cursor
 * before the call, and the cursor to the stream after it. The cursor itself is not passed, because if its address left
 * the function, compilers would keep it in memory instead of registers. */
#define PKT_CALLED(T, m)                              \
    do {                                              \
        if (mode_ == PKT_WRITE) {                     \
            pkt_writer_advance(c_->writer, c_);       \
            if (!T##_write_(c_->writer, &in_->m))     \
                return false;                         \
            pkt_cursor_follow_writer(c_);             \
        }                                             \
        if (mode_ == PKT_READ) {                      \
            pkt_reader_advance(c_->reader, c_);       \
            if (!T##_read_(c_->reader, &out_->m))     \
                return false;                         \
            pkt_cursor_follow_reader(c_);             \
        }                                             \
        if (mode_ == PKT_MEASURE) {                   \
            c_->bit += T##_measure(&in_->m, c_->bit); \
            if (c_->bit == PKT_FAILED)                \
                return false;                         \
        }                                             \
    } while (0)

/* Element i of an array with delta(previous): the first one is a delta to base values. Likewise on the stream. */
#define PKT_CHAINED(T, m, i)                                                                     \
    do {                                                                                         \
        if (mode_ == PKT_WRITE) {                                                                \
            pkt_writer_advance(c_->writer, c_);                                                  \
            if (!T##_write_delta_(c_->writer, (i) != 0 ? &in_->m[(i)-1] : NULL, &in_->m[i]))     \
                return false;                                                                    \
            pkt_cursor_follow_writer(c_);                                                        \
        }                                                                                        \
        if (mode_ == PKT_READ) {                                                                 \
            pkt_reader_advance(c_->reader, c_);                                                  \
            if (!T##_read_delta_(c_->reader, (i) != 0 ? &out_->m[(i)-1] : NULL, &out_->m[i]))    \
                return false;                                                                    \
            pkt_cursor_follow_reader(c_);                                                        \
        }                                                                                        \
        if (mode_ == PKT_MEASURE) {                                                              \
            c_->bit += T##_measure_delta((i) != 0 ? &in_->m[(i)-1] : NULL, &in_->m[i], c_->bit); \
            if (c_->bit == PKT_FAILED)                                                           \
                return false;                                                                    \
        }                                                                                        \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
