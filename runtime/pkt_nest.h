/* pkt_nest.h - fields that are of another struct type.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_NEST_H
#define PKT_NEST_H

#include "pkt_parts.h"
#include "pkt_frame.h"

PKT_C_BEGIN

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
#define PKT_CALLED(T, m)                                               \
    do {                                                               \
        if (mode_ == PKT_WRITE) {                                      \
            pkt_writer_advance(c_->writer, c_);                        \
            if (!T##_write_(c_->writer, &in_->m))                      \
                return false;                                          \
            pkt_cursor_follow_writer(c_);                              \
        }                                                              \
        if (mode_ == PKT_READ) {                                       \
            pkt_reader_advance(c_->reader, c_);                        \
            if (!T##_read_(c_->reader, &out_->m))                      \
                return false;                                          \
            pkt_cursor_follow_reader(c_);                              \
        }                                                              \
        if (mode_ == PKT_MEASURE || mode_ == PKT_CHECK) {              \
            c_->bit += T##_measure(&in_->m, c_->bit);                  \
            if (c_->bit == PKT_FAILED)                                 \
                return false;                                          \
        }                                                              \
        if (mode_ == PKT_CHECK && !pkt_can_write(&T##_type_, &in_->m)) \
            return false;                                              \
    } while (0)

/* A value that is sent as a delta to `base`, by the functions of its type's deltas. They work on the stream as well. */
#define PKT_AS_DELTA_(T, m, base, measured)                   \
    do {                                                      \
        if (mode_ == PKT_WRITE) {                             \
            pkt_writer_advance(c_->writer, c_);               \
            if (!T##_write_delta_(c_->writer, base, &in_->m)) \
                return false;                                 \
            pkt_cursor_follow_writer(c_);                     \
        }                                                     \
        if (mode_ == PKT_READ) {                              \
            pkt_reader_advance(c_->reader, c_);               \
            if (!T##_read_delta_(c_->reader, base, &out_->m)) \
                return false;                                 \
            pkt_cursor_follow_reader(c_);                     \
        }                                                     \
        if (mode_ == PKT_MEASURE || mode_ == PKT_CHECK) {     \
            c_->bit = measured;                               \
            if (c_->bit == PKT_FAILED)                        \
                return false;                                 \
        }                                                     \
    } while (0)

/* A part of a packet. index: among its parts. */
#define PKT_BASED(T, m, index) \
    PKT_AS_DELTA_(T, m, c_->parts[index].base, pkt_measure_part(c_->bit, &c_->parts[index], &in_->m, T##_write_delta_))

/* The start value of the part that is moved, in a delta of this type; NULL: there is none. */
PKT_INLINE const void *pkt_start(const pkt_cursor *c, const struct pkt_type *type)
{
    return pkt_start_of(c->writer ? c->writer->part : c->reader->part, type);
}

/* A part with `else start`, of a type with lists of its own: the stream says where the new elements of these start. */
#define PKT_STARTED(T, m, index)                  \
    do {                                          \
        if (mode_ == PKT_WRITE)                   \
            c_->writer->part = &c_->parts[index]; \
        if (mode_ == PKT_READ)                    \
            c_->reader->part = &c_->parts[index]; \
        PKT_BASED(T, m, index);                   \
        if (mode_ == PKT_WRITE)                   \
            c_->writer->part = NULL;              \
        if (mode_ == PKT_READ)                    \
            c_->reader->part = NULL;              \
    } while (0)

/* Element i of an array with delta(previous): the first one is a delta to base values. */
#define PKT_CHAINED(T, m, i)                                 \
    PKT_AS_DELTA_(T, m[i], (i) != 0 ? &in_->m[(i)-1] : NULL, \
                  c_->bit + T##_measure_delta((i) != 0 ? &in_->m[(i)-1] : NULL, &in_->m[i], c_->bit))

PKT_C_END

#endif
