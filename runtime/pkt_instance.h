/* pkt_instance.h - the functions that each type has, as macros: T_serialize and T_delta in each of their modes.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it after pkt_codec.h. Programs do not use this header.
 *
 * These functions are the same for all types but for the name of the type T. The macros of pkt.h declare those that
 * other files call. Their parameters that point to values are untyped, because the runtime calls them through pointers.
 */
#ifndef PKT_INSTANCE_H
#define PKT_INSTANCE_H

#include "pkt_delta.h"
#include "pkt_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* For a packet with parts: T_write_parts_, T_read_parts_ and T_measure_parts_. Without parts, only the names of parts are
 * read. */
#define PKT_DATAGRAM_STREAMS(T)                                                              \
    bool T##_write_parts_(pkt_writer *w_, const void *parts_, const void *v_)                \
    {                                                                                        \
        pkt_cursor c_;                                                                       \
        pkt_writer_cursor(&c_, w_);                                                          \
        c_.parts = (pkt_delta_part *)(uintptr_t)parts_;                                      \
        if (T##_serialize(PKT_WRITE, &c_, (const T *)v_, NULL))                              \
            return pkt_writer_advance(w_, &c_);                                              \
        return pkt_writer_back(w_, &c_);                                                     \
    }                                                                                        \
    bool T##_read_parts_(pkt_reader *r_, const void *parts_, void *v_)                       \
    {                                                                                        \
        pkt_cursor c_;                                                                       \
        pkt_reader_cursor(&c_, r_);                                                          \
        c_.parts = (pkt_delta_part *)(uintptr_t)parts_;                                      \
        if (T##_serialize(PKT_READ, &c_, (const T *)v_, (T *)v_))                            \
            return pkt_reader_advance(r_, &c_);                                              \
        return pkt_reader_back(r_, &c_);                                                     \
    }                                                                                        \
    uint64_t T##_measure_parts_(const void *v_, uint64_t start_bit_, pkt_delta_part *parts_) \
    {                                                                                        \
        pkt_cursor c_;                                                                       \
        pkt_measure_cursor(&c_, start_bit_);                                                 \
        c_.parts = parts_;                                                                   \
        return T##_serialize(PKT_MEASURE, &c_, (const T *)v_, NULL) ? c_.bit : PKT_FAILED;   \
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

/* The same for a packet that is faster if it is compiled for a known first bit. */
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

/* A packet without refs that is so small that its lines are in each function that needs them: none of T_pack, T_unpack,
 * T_pack_body and T_unpack_body is inline. */
#define PKT_SMALL_PACKET(T)            \
    PKT_BODIES_AT_START(PKT_INLINE, T) \
    PKT_PACKET_FUNCTIONS(extern, T)

/* ---- deltas ----------------------------------------------------------------------------------------------- */

/* T_delta_write and T_delta_read, against a baseline that is sound. They leave the stream where they failed. Before a
 * value is read, it is made a copy of the baseline. */
#define PKT_DELTAS(T)                                                                               \
    static bool T##_delta_write(pkt_writer *w_, const T *base_, const T *v_)                        \
    {                                                                                               \
        pkt_cursor c_;                                                                              \
        pkt_writer_cursor(&c_, w_);                                                                 \
        return T##_delta(pkt_writer_mode(w_), &c_, base_, v_, NULL) && pkt_writer_advance(w_, &c_); \
    }                                                                                               \
    static bool T##_delta_read(pkt_reader *r_, const T *base_, T *v_)                               \
    {                                                                                               \
        pkt_cursor c_;                                                                              \
        pkt_reader_cursor(&c_, r_);                                                                 \
        return T##_delta(PKT_READ, &c_, base_, v_, v_) && pkt_delta_reader_advance(r_, &c_);        \
    }

/* The same for a type whose baseline may lack a value: then its delta is against base values. Only these functions have
 * base values on the stack. `made` is PKT_BLANK or PKT_BLANK_BOUND; `copied` is PKT_COPY_OF or T_copy. */
#define PKT_DELTAS_OR_BLANK(T, made, copied)                                                        \
    static PKT_NOINLINE bool T##_delta_write_blank(pkt_writer *w_, const T *v_);                    \
    static PKT_NOINLINE bool T##_delta_read_blank(pkt_reader *r_, T *v_);                           \
    static bool T##_delta_write(pkt_writer *w_, const T *base_, const T *v_)                        \
    {                                                                                               \
        pkt_cursor c_;                                                                              \
        if (!base_)                                                                                 \
            return T##_delta_write_blank(w_, v_);                                                   \
        pkt_writer_cursor(&c_, w_);                                                                 \
        return T##_delta(pkt_writer_mode(w_), &c_, base_, v_, NULL) && pkt_writer_advance(w_, &c_); \
    }                                                                                               \
    static bool T##_delta_read(pkt_reader *r_, const T *base_, T *v_)                               \
    {                                                                                               \
        pkt_cursor c_;                                                                              \
        if (!base_)                                                                                 \
            return T##_delta_read_blank(r_, v_);                                                    \
        pkt_reader_cursor(&c_, r_);                                                                 \
        return T##_delta(PKT_READ, &c_, base_, v_, v_) && pkt_delta_reader_advance(r_, &c_);        \
    }                                                                                               \
    static PKT_NOINLINE bool T##_delta_write_blank(pkt_writer *w_, const T *v_)                     \
    {                                                                                               \
        T blank_;                                                                                   \
        return T##_delta_write(w_, made(T, &blank_), v_);                                           \
    }                                                                                               \
    static PKT_NOINLINE bool T##_delta_read_blank(pkt_reader *r_, T *v_)                            \
    {                                                                                               \
        T blank_;                                                                                   \
        copied(v_, made(T, &blank_));                                                               \
        return T##_delta_read(r_, &blank_, v_);                                                     \
    }

/* The same for types that may be coded. All functions of one delta work on one cursor, which is in memory anyway,
 * because the functions of pkt_coder.h are not inlined. */
#define PKT_CODED_DELTAS(T)                                                                       \
    static bool T##_delta_put_(pkt_cursor *c_, const void *base_, const void *v_)                 \
    {                                                                                             \
        return T##_delta(pkt_writer_mode(c_->writer), c_, (const T *)base_, (const T *)v_, NULL); \
    }                                                                                             \
    static bool T##_delta_get_(pkt_cursor *c_, const void *base_, void *v_)                       \
    {                                                                                             \
        return T##_delta(PKT_READ, c_, (const T *)base_, (const T *)v_, (T *)v_);                 \
    }

/* Base values were predicted from nothing. */
#define PKT_CODED_DELTAS_OR_BLANK(T, made, copied)                                                \
    static PKT_NOINLINE bool T##_delta_write_blank(pkt_cursor *c_, const T *v_);                  \
    static PKT_NOINLINE bool T##_delta_read_blank(pkt_cursor *c_, T *v_);                         \
    static bool T##_delta_put_(pkt_cursor *c_, const void *base_, const void *v_)                 \
    {                                                                                             \
        if (!base_)                                                                               \
            return T##_delta_write_blank(c_, (const T *)v_);                                      \
        return T##_delta(pkt_writer_mode(c_->writer), c_, (const T *)base_, (const T *)v_, NULL); \
    }                                                                                             \
    static bool T##_delta_get_(pkt_cursor *c_, const void *base_, void *v_)                       \
    {                                                                                             \
        if (!base_)                                                                               \
            return T##_delta_read_blank(c_, (T *)v_);                                             \
        return T##_delta(PKT_READ, c_, (const T *)base_, (const T *)v_, (T *)v_);                 \
    }                                                                                             \
    static PKT_NOINLINE bool T##_delta_write_blank(pkt_cursor *c_, const T *v_)                   \
    {                                                                                             \
        T blank_;                                                                                 \
        const size_t twin_ = c_->coding->twin;                                                    \
        bool done_;                                                                               \
        c_->coding->twin = 0;                                                                     \
        done_ = T##_delta_put_(c_, made(T, &blank_), v_);                                         \
        c_->coding->twin = twin_;                                                                 \
        return done_;                                                                             \
    }                                                                                             \
    static PKT_NOINLINE bool T##_delta_read_blank(pkt_cursor *c_, T *v_)                          \
    {                                                                                             \
        T blank_;                                                                                 \
        const size_t twin_ = c_->coding->twin;                                                    \
        bool done_;                                                                               \
        copied(v_, made(T, &blank_));                                                             \
        c_->coding->twin = 0;                                                                     \
        done_ = T##_delta_get_(c_, &blank_, v_);                                                  \
        c_->coding->twin = twin_;                                                                 \
        return done_;                                                                             \
    }

/* Whether a value differs from that of the baseline, which may lack it. */
#define PKT_DELTA_DIFFERS(T, made)                                        \
    static PKT_NOINLINE bool T##_delta_differs_blank(const T *v_)         \
    {                                                                     \
        T blank_;                                                         \
        return !T##_same(v_, made(T, &blank_));                           \
    }                                                                     \
    PKT_INLINE bool T##_delta_differs(const T *v_, const T *old_)         \
    {                                                                     \
        return !old_ ? T##_delta_differs_blank(v_) : !T##_same(v_, old_); \
    }

/* T_write_delta_ and T_read_delta_, against the baseline that a program passes: `old` is its value, or NULL. If they
 * fail, the stream is where it was. `sound` is T_sound, or pkt_any_sound if all values of the type are sound. */
PKT_INLINE bool pkt_any_sound(const void *v)
{
    (void)v;
    return true;
}

#define PKT_DELTA_STREAMS_(T, sound, copied, old, write, read)               \
    bool T##_write_delta_(pkt_writer *w_, const void *base_, const void *v_) \
    {                                                                        \
        const uint64_t bit_ = w_->bit, carry_ = w_->carry;                   \
        const T *const old_ = old;                                           \
        if ((!old_ || sound(old_)) && write)                                 \
            return true;                                                     \
        w_->bit = bit_;                                                      \
        w_->carry = carry_;                                                  \
        return false;                                                        \
    }                                                                        \
    bool T##_read_delta_(pkt_reader *r_, const void *base_, void *v_)        \
    {                                                                        \
        const uint64_t bit_ = r_->bit;                                       \
        const T *const old_ = old;                                           \
        if (!old_ || sound(old_)) {                                          \
            if (old_)                                                        \
                copied((T *)v_, old_);                                       \
            if (read)                                                        \
                return true;                                                 \
        }                                                                    \
        r_->bit = bit_;                                                      \
        return false;                                                        \
    }
#define PKT_DELTA_STREAMS(T, sound, copied)                                                          \
    PKT_DELTA_STREAMS_(T, sound, copied, (const T *)base_, T##_delta_write(w_, old_, (const T *)v_), \
                       T##_delta_read(r_, old_, (T *)v_))
#define PKT_CODED_DELTA_STREAMS(T, sound, copied)                                                            \
    PKT_DELTA_STREAMS_(T, sound, copied, (const T *)base_, pkt_write_coded(w_, old_, 0, v_, T##_delta_put_), \
                       pkt_read_coded(r_, old_, 0, v_, T##_delta_get_))
/* T_predict made the baseline. */
#define PKT_PREDICTED_DELTA_STREAMS(T, sound, copied)                                            \
    PKT_DELTA_STREAMS_(T, sound, copied, !base_ ? NULL : &((const T##_motion *)base_)->expected, \
                       pkt_write_coded(w_, old_, !base_ ? 0 : sizeof(T), v_, T##_delta_put_),    \
                       pkt_read_coded(r_, old_, !base_ ? 0 : sizeof(T), v_, T##_delta_get_))

/* T_write_delta_body and T_read_delta_body, as in a stream. */
#define PKT_DELTA_BODIES(T)                                                                                            \
    uint64_t T##_write_delta_body(const void *base_, const void *v_, uint8_t *data_, uint64_t limit_, pkt_refs *refs_) \
    {                                                                                                                  \
        pkt_writer w_;                                                                                                 \
        pkt_body_writer(&w_, data_, limit_, refs_);                                                                    \
        return T##_write_delta_(&w_, base_, v_) ? w_.bit : PKT_FAILED;                                                 \
    }                                                                                                                  \
    uint64_t T##_read_delta_body(const void *base_, void *v_, const uint8_t *data_, uint64_t limit_, pkt_refs *refs_)  \
    {                                                                                                                  \
        pkt_reader r_;                                                                                                 \
        pkt_body_reader(&r_, data_, limit_, refs_);                                                                    \
        return T##_read_delta_(&r_, base_, v_) ? r_.bit : PKT_FAILED;                                                  \
    }

/* The same for a packet whose delta consists of rows: it is faster if it is compiled for a known first bit. */
#define PKT_DELTA_BODIES_AT_START(T, copied)                                                                           \
    uint64_t T##_write_delta_body(const void *base_, const void *v_, uint8_t *data_, uint64_t limit_, pkt_refs *refs_) \
    {                                                                                                                  \
        pkt_cursor c_;                                                                                                 \
        if (!base_) {                                                                                                  \
            pkt_writer w_;                                                                                             \
            pkt_body_writer(&w_, data_, limit_, refs_);                                                                \
            return T##_delta_write_blank(&w_, (const T *)v_) ? w_.bit : PKT_FAILED;                                    \
        }                                                                                                              \
        pkt_cursor_init(&c_, data_, NULL, 0, limit_, 0, NULL);                                                         \
        return T##_delta(PKT_WRITE, &c_, (const T *)base_, (const T *)v_, NULL) ? c_.bit : PKT_FAILED;                 \
    }                                                                                                                  \
    uint64_t T##_read_delta_body(const void *base_, void *v_, const uint8_t *data_, uint64_t limit_, pkt_refs *refs_)  \
    {                                                                                                                  \
        pkt_cursor c_;                                                                                                 \
        if (!base_) {                                                                                                  \
            pkt_reader r_;                                                                                             \
            pkt_body_reader(&r_, data_, limit_, refs_);                                                                \
            return T##_delta_read_blank(&r_, (T *)v_) ? r_.bit : PKT_FAILED;                                           \
        }                                                                                                              \
        pkt_cursor_init(&c_, NULL, data_, 0, limit_, 0, NULL);                                                         \
        copied((T *)v_, (const T *)base_);                                                                             \
        return T##_delta(PKT_READ, &c_, (const T *)base_, (const T *)v_, (T *)v_) ? c_.bit : PKT_FAILED;               \
    }

#ifdef __cplusplus
}
#endif

#endif
