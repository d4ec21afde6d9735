/* pkt_instance.h - the functions that each type has, as macros: T_serialize in each of its modes.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it after pkt_inside.h. Programs do not use this header.
 *
 * These functions are the same for all types but for the name of the type T. The macros of pkt.h declare those that
 * other files call. Their parameters that point to values are untyped, because the runtime calls them through pointers.
 */
#ifndef PKT_INSTANCE_H
#define PKT_INSTANCE_H

#include "pkt_delta.h"
#include "pkt_frame.h"

PKT_C_BEGIN

/* ---- streams ---------------------------------------------------------------------------------------------- */

/* T_write_, T_read_ and T_measure. calls: whether lines of the type call functions of other types. These move the
 * stream, so after a failure it is moved back. */
#define PKT_READS(T, calls)                                       \
    bool T##_read_(pkt_reader *r_, void *v_)                      \
    {                                                             \
        pkt_cursor c_;                                            \
        pkt_reader_cursor(&c_, r_);                               \
        if (T##_serialize(PKT_READ, &c_, (const T *)v_, (T *)v_)) \
            return pkt_reader_advance(r_, &c_);                   \
        return (calls) && pkt_reader_back(r_, &c_);               \
    }
#define PKT_STREAMS(T, calls)                                                                             \
    PKT_READS(T, calls)                                                                                   \
    bool T##_write_(pkt_writer *w_, const void *v_)                                                       \
    {                                                                                                     \
        pkt_cursor c_;                                                                                    \
        pkt_writer_cursor(&c_, w_);                                                                       \
        if (T##_serialize(PKT_WRITE, &c_, (const T *)v_, NULL))                                           \
            return pkt_writer_advance(w_, &c_);                                                           \
        return (calls) && pkt_writer_back(w_, &c_);                                                       \
    }                                                                                                     \
    uint64_t T##_measure(const T *v_, uint64_t start_bit_)                                                \
    {                                                                                                     \
        pkt_cursor c_;                                                                                    \
        pkt_measure_cursor(&c_, start_bit_);                                                              \
        return pkt_measured(start_bit_, T##_serialize(PKT_MEASURE, &c_, v_, NULL) ? c_.bit : PKT_FAILED); \
    }

/* ---- packets ---------------------------------------------------------------------------------------------- */

/* T_write_body and T_read_body, as in a stream. */
#define PKT_BODIES(T)                                                                         \
    uint64_t T##_write_body(const void *v_, uint8_t *data_, uint64_t limit_, pkt_refs *refs_) \
    {                                                                                         \
        pkt_writer w_;                                                                        \
        pkt_body_writer(&w_, data_, limit_, refs_);                                           \
        return T##_write_(&w_, v_) ? w_.bit : PKT_FAILED;                                     \
    }                                                                                         \
    uint64_t T##_read_body(void *v_, const uint8_t *data_, uint64_t limit_, pkt_refs *refs_)  \
    {                                                                                         \
        pkt_reader r_;                                                                        \
        pkt_body_reader(&r_, data_, limit_, refs_);                                           \
        return T##_read_(&r_, v_) ? r_.bit : PKT_FAILED;                                      \
    }

/* The same for a packet that is faster if it is compiled for a known first bit. Of a small packet without refs they are
 * inline: then PKT_PACKET_FUNCTIONS defines T_pack and the like after them. */
#define PKT_BODIES_AT_START(linkage, T)                                                               \
    linkage uint64_t T##_write_body(const void *v_, uint8_t *data_, uint64_t limit_, pkt_refs *refs_) \
    {                                                                                                 \
        pkt_writer w_;                                                                                \
        pkt_cursor c_;                                                                                \
        pkt_body_writer(&w_, data_, limit_, refs_);                                                   \
        pkt_writer_start(&c_, &w_);                                                                   \
        return T##_serialize(PKT_WRITE, &c_, (const T *)v_, NULL) ? c_.bit : PKT_FAILED;              \
    }                                                                                                 \
    linkage uint64_t T##_read_body(void *v_, const uint8_t *data_, uint64_t limit_, pkt_refs *refs_)  \
    {                                                                                                 \
        pkt_reader r_;                                                                                \
        pkt_cursor c_;                                                                                \
        pkt_body_reader(&r_, data_, limit_, refs_);                                                   \
        pkt_reader_start(&c_, &r_);                                                                   \
        return T##_serialize(PKT_READ, &c_, (const T *)v_, (T *)v_) ? c_.bit : PKT_FAILED;            \
    }

PKT_C_END

#endif
