/* pkt_packet.h - the inline functions of generated headers, as macros: T_write, T_read, T_pack, T_unpack.
 * SPDX-License-Identifier: MIT
 *
 * Functions of a type T that only pass on to others are inline: NAME.h declares them one by one, and a macro below
 * defines them. Programs call T_write, T_pack and so on, and need nothing of this by itself.
 *
 * What these functions call is not inlined: T_write_ and T_read_ write and read in a stream; T_write_body and T_read_body
 * do so in a buffer, from its first bit on. They do not find out why they failed, so a program that never asks has no
 * code for that. T_write_delta_ and the like are the same for deltas. */
#ifndef PKT_PACKET_H
#define PKT_PACKET_H

#include "pkt_stream.h"

PKT_C_BEGIN

/* Errors of a delta are explained by it, as others by the pkt_type: see pkt_explain.h. */
struct pkt_explanation;

/* What the frame of a packet is made of: a CRC of 32 bits, the body, an end check of 32 bits that follows the last bit of
 * the body, and zeros up to the next byte. With --no-checks there is no end check. */
typedef struct pkt_packet {
    uint32_t crc_start; /* the CRC of the protocol id and the packet's name, with which the CRC of each packet starts */
    uint32_t end_check;
    bool has_end_check;
} pkt_packet;

/* T_write_ and T_write_delta_. After they have failed, the stream is where it was. */
typedef bool pkt_stream_write(pkt_writer *w, const void *v);
typedef bool pkt_delta_write(pkt_writer *w, const void *base, const void *v);

/* T_write_body and T_read_body: return the number of bits, or PKT_FAILED. `limit` is the size of the data in bits. */
typedef uint64_t pkt_body_write(const void *v, uint8_t *data, uint64_t limit, pkt_refs *refs);
typedef uint64_t pkt_body_read(void *v, const uint8_t *data, uint64_t limit, pkt_refs *refs);

/* After a write has failed. If the writer can grow and had no room, it grows, and `write` is called again. Otherwise
 * the error of the stream is set, with the reason and the field, and the result is false. */
PKT_API bool pkt_write_failed(pkt_writer *w, const void *v, const struct pkt_type *type, pkt_stream_write *write);
PKT_API bool pkt_write_delta_failed(pkt_writer *w, const void *base, const void *v, const struct pkt_explanation *how,
                                    pkt_delta_write *write);

/* After a read has failed: sets the error of the stream. Always false. */
PKT_API bool pkt_read_failed(pkt_reader *r, void *v, const struct pkt_type *type);
PKT_API bool pkt_read_delta_failed(pkt_reader *r, const void *base, void *v, const struct pkt_explanation *how);

/* T_valid and T_valid_refs: whether T_write can write a value into a stream that has room for it. If not, *error is set
 * as T_write into an empty stream would set it, else to PKT_OK. error may be NULL. */
PKT_API PKT_COLD bool pkt_value_valid(const struct pkt_type *type, pkt_refs *refs, const void *v, pkt_error *error);
/* Internal: the same of any refs; and callbacks with which each ref can be written. */
PKT_API PKT_COLD bool pkt_can_write(const struct pkt_type *type, const void *v);
PKT_COLD pkt_refs pkt_any_refs(void);

PKT_API uint64_t pkt_measure_delta(const void *base, const void *v, uint64_t start_bit, pkt_delta_write *write);

/* The bytes of a body of this many bits; 0 for PKT_FAILED, because the sum wraps. */
PKT_INLINE size_t pkt_body_bytes(uint64_t bits)
{
    return (size_t)((bits + 7) / 8);
}

/* Whether a body ends at the last byte of its data: all whole bytes were read, and the unused bits of the last one are
 * zero. `bits` is the number of bits read, or PKT_FAILED. */
PKT_INLINE bool pkt_body_ends(const uint8_t *data, uint64_t limit, uint64_t bits)
{
    /* The prover does not know that a bit inside a byte is before the end of the data. */
#ifdef PKT_BYTEWISE
    if (bits >= limit)
        return bits == limit;
#endif
    return bits != PKT_FAILED && limit - bits < 8 && (bits % 8 == 0 || data[bits / 8] >> bits % 8 == 0);
}

/* The same for the body of a delta. It does not branch on whether that ends with a whole byte: nobody can predict it. */
PKT_INLINE bool pkt_delta_body_ends(const uint8_t *data, uint64_t limit, uint64_t bits)
{
#ifdef PKT_BYTEWISE
    return pkt_body_ends(data, limit, bits);
#else
    return bits != PKT_FAILED && limit - bits < 8 && (limit == 0 || data[limit / 8 - 1] >> (8 - (limit - bits)) == 0);
#endif
}

/* pkt_crc32 of `size` bytes of `readable` ones. What is behind `size` does not change the CRC, but is loaded. */
PKT_API uint32_t pkt_crc32_within(uint32_t crc, const uint8_t *data, size_t size, size_t readable);

/* Completes a packet: writes the end check after the body, and the CRC before it. The body was written at data + 4, and
 * has `bits` bits, or PKT_FAILED. `limit` is the size of the buffer in bits. Returns the size of the packet in bytes, or
 * 0 if it has failed or does not fit. */
PKT_API size_t pkt_pack_end(const pkt_packet *packet, uint8_t *data, uint64_t limit, uint64_t bits);

/* pkt_unpack_crc checks the CRC, before anything is read. pkt_unpack_end checks, after reading, that the end check is
 * right and that nothing is left over. `limit` is the size of the packet in bits; `bits` is the size of the body. */
PKT_API bool pkt_unpack_crc(const pkt_packet *packet, const uint8_t *data, uint64_t limit);
PKT_API bool pkt_unpack_end(const pkt_packet *packet, const uint8_t *data, uint64_t limit, uint64_t bits);

/* Return `packed`, the size of a packet in bytes, or `unpacked`. If that is 0 or false, they find out why and store it
 * in *error, unless error is NULL. To find out takes several times as long as a read: without an error, a packet that is
 * refused costs no more than one that is not. `packet` is NULL for a body without a frame. */
PKT_API size_t pkt_packed(size_t packed, const pkt_packet *packet, const struct pkt_type *type, pkt_refs *refs,
                          const void *v, const void *data, size_t size, pkt_error *error);
PKT_API bool pkt_unpacked(bool unpacked, const pkt_packet *packet, const struct pkt_type *type, pkt_refs *refs, void *v,
                          const void *data, size_t size, pkt_error *error);
PKT_API size_t pkt_packed_delta(size_t packed, const pkt_packet *packet, const struct pkt_explanation *how,
                                pkt_refs *refs, const void *base, const void *v, const void *data, size_t size,
                                pkt_error *error);
PKT_API bool pkt_unpacked_delta(bool unpacked, const pkt_packet *packet, const struct pkt_explanation *how,
                                pkt_refs *refs, const void *base, void *v, const void *data, size_t size,
                                pkt_error *error);

/* T_equal, T_quantize and T_valid. */
#define PKT_INLINE_VALUE(T)                                   \
    PKT_API extern const pkt_type T##_type_;                  \
    PKT_INLINE bool T##_equal(const T *a_, const T *b_)       \
    {                                                         \
        return pkt_value_equal(&T##_type_, a_, b_);           \
    }                                                         \
    PKT_INLINE void T##_quantize(T *v_)                       \
    {                                                         \
        pkt_value_settle(&T##_type_, v_);                     \
    }                                                         \
    PKT_INLINE bool T##_valid(const T *v_, pkt_error *error_) \
    {                                                         \
        return pkt_value_valid(&T##_type_, NULL, v_, error_); \
    }

/* T_write and T_read. A type that may have no bits would not notice by itself that the stream has failed before. */
#define PKT_INLINE_READ(T)                                                               \
    PKT_API bool T##_read_(pkt_reader *r_, void *v_);                                    \
    PKT_INLINE bool T##_read(pkt_reader *r_, T *v_)                                      \
    {                                                                                    \
        return ((T##_MIN_BITS != 0 || r_->error.code == PKT_OK) && T##_read_(r_, v_)) || \
               pkt_read_failed(r_, v_, &T##_type_);                                      \
    }
#define PKT_INLINE_STREAM(T)                                                              \
    PKT_INLINE_READ(T)                                                                    \
    PKT_API bool T##_write_(pkt_writer *w_, const void *v_);                              \
    PKT_INLINE bool T##_write(pkt_writer *w_, const T *v_)                                \
    {                                                                                     \
        return ((T##_MIN_BITS != 0 || w_->error.code == PKT_OK) && T##_write_(w_, v_)) || \
               pkt_write_failed(w_, v_, &T##_type_, T##_write_);                          \
    }

/* T_hash. */
#define PKT_INLINE_HASH(T)                                                \
    PKT_INLINE uint64_t T##_hash(const T *v_)                             \
    {                                                                     \
        uint8_t data_[T##_MAX_BITS / 8 + 1];                              \
        return pkt_hash_value(v_, T##_write_, data_, sizeof data_, NULL); \
    }

/* T_pack and T_unpack of a packet with @seed: a frame of the packet's name around it. */
PKT_API size_t pkt_pack_seeded(const pkt_frame *frame, const struct pkt_type *type, pkt_stream_write *write,
                               const void *v, uint64_t seed, void *data, size_t size, pkt_refs *refs, pkt_error *error);
PKT_API bool pkt_unpack_seeded(const pkt_frame *frame, const struct pkt_type *type,
                               bool (*read)(pkt_reader *r, void *v), void *v, uint64_t seed, const void *data,
                               size_t size, pkt_refs *refs, pkt_error *error);

/* T_pack, T_unpack and their forms; NAME.c has them of a small packet. */
#define PKT_PACKET_FUNCTIONS(linkage, T)                                                                             \
    linkage size_t T##_pack(const T *v_, void *data_, size_t size_)                                                  \
    {                                                                                                                \
        const uint64_t limit_ = pkt_size_bits(data_, size_);                                                         \
        uint8_t *const to_ = (uint8_t *)data_;                                                                       \
        return limit_ < 32 ? 0                                                                                       \
                           : pkt_pack_end(&T##_packet, to_, limit_, T##_write_body(v_, to_ + 4, limit_ - 32, NULL)); \
    }                                                                                                                \
    linkage bool T##_unpack(T *v_, const void *data_, size_t size_)                                                  \
    {                                                                                                                \
        const uint64_t limit_ = pkt_size_bits(data_, size_);                                                         \
        const uint8_t *const from_ = (const uint8_t *)data_;                                                         \
        return pkt_unpack_crc(&T##_packet, from_, limit_) &&                                                         \
               pkt_unpack_end(&T##_packet, from_, limit_, T##_read_body(v_, from_ + 4, limit_ - 32, NULL));          \
    }                                                                                                                \
    linkage size_t T##_pack_body(const T *v_, void *data_, size_t size_)                                             \
    {                                                                                                                \
        return pkt_body_bytes(T##_write_body(v_, (uint8_t *)data_, pkt_size_bits(data_, size_), NULL));              \
    }                                                                                                                \
    linkage bool T##_unpack_body(T *v_, const void *data_, size_t size_)                                             \
    {                                                                                                                \
        const uint64_t limit_ = pkt_size_bits(data_, size_);                                                         \
        const uint8_t *const from_ = (const uint8_t *)data_;                                                         \
        return pkt_body_ends(from_, limit_, T##_read_body(v_, from_, limit_, NULL));                                 \
    }
#define PKT_INLINE_PACKET_ERRORS(T)                                                                                 \
    PKT_API extern const pkt_packet T##_packet;                                                                     \
    PKT_INLINE size_t T##_pack_error(const T *v_, void *data_, size_t size_, pkt_error *error_)                     \
    {                                                                                                               \
        return pkt_packed(T##_pack(v_, data_, size_), &T##_packet, &T##_type_, NULL, v_, data_, size_, error_);     \
    }                                                                                                               \
    PKT_INLINE bool T##_unpack_error(T *v_, const void *data_, size_t size_, pkt_error *error_)                     \
    {                                                                                                               \
        return pkt_unpacked(T##_unpack(v_, data_, size_), &T##_packet, &T##_type_, NULL, v_, data_, size_, error_); \
    }                                                                                                               \
    PKT_INLINE size_t T##_pack_body_error(const T *v_, void *data_, size_t size_, pkt_error *error_)                \
    {                                                                                                               \
        return pkt_packed(T##_pack_body(v_, data_, size_), NULL, &T##_type_, NULL, v_, data_, size_, error_);       \
    }                                                                                                               \
    PKT_INLINE bool T##_unpack_body_error(T *v_, const void *data_, size_t size_, pkt_error *error_)                \
    {                                                                                                               \
        return pkt_unpacked(T##_unpack_body(v_, data_, size_), NULL, &T##_type_, NULL, v_, data_, size_, error_);   \
    }

/* T_pack_refs and T_unpack_refs of a packet; of a body alone if `packet` is NULL. */
PKT_INLINE size_t pkt_pack_refs(const pkt_packet *packet, const struct pkt_type *t, pkt_body_write *put, const void *v,
                                void *data, size_t size, pkt_refs *refs, pkt_error *error)
{
    const uint64_t limit = pkt_size_bits(data, size);
    uint8_t *const to = (uint8_t *)data;
    const size_t packed = !packet      ? pkt_body_bytes(put(v, to, limit, refs))
                          : limit < 32 ? 0
                                       : pkt_pack_end(packet, to, limit, put(v, to + 4, limit - 32, refs));
    return pkt_packed(packed, packet, t, refs, v, data, size, error);
}

PKT_INLINE bool pkt_unpack_refs(const pkt_packet *packet, const struct pkt_type *t, pkt_body_read *get, void *v,
                                const void *data, size_t size, pkt_refs *refs, pkt_error *error)
{
    const uint64_t limit = pkt_size_bits(data, size);
    const uint8_t *const from = (const uint8_t *)data;
    const bool unpacked = !packet ? pkt_body_ends(from, limit, get(v, from, limit, refs))
                                  : pkt_unpack_crc(packet, from, limit) &&
                                        pkt_unpack_end(packet, from, limit, get(v, from + 4, limit - 32, refs));
    return pkt_unpacked(unpacked, packet, t, refs, v, data, size, error);
}

/* What a T_motion has: a baseline, and how it moves. */
typedef struct pkt_motion {
    const void *base, *before; /* `base` NULL: base values. `before` NULL: nothing moves */
    uint32_t back, gap;        /* ticks from `base` to now, and from `before` to `base` */
} pkt_motion;

/* The same for deltas. B is the type of a baseline: T, or T_motion. */
#define PKT_INLINE_DELTA_STREAM(T, B)                                                           \
    PKT_API extern const struct pkt_explanation T##_delta_explanation;                          \
    PKT_API bool T##_write_delta_(pkt_writer *w_, const void *base_, const void *v_);           \
    PKT_API bool T##_read_delta_(pkt_reader *r_, const void *base_, void *v_);                  \
    PKT_INLINE bool T##_write_delta(pkt_writer *w_, const B *base_, const T *v_)                \
    {                                                                                           \
        return (w_->error.code == PKT_OK && T##_write_delta_(w_, base_, v_)) ||                 \
               pkt_write_delta_failed(w_, base_, v_, &T##_delta_explanation, T##_write_delta_); \
    }                                                                                           \
    PKT_INLINE bool T##_read_delta(pkt_reader *r_, const B *base_, T *v_)                       \
    {                                                                                           \
        return (r_->error.code == PKT_OK && T##_read_delta_(r_, base_, v_)) ||                  \
               pkt_read_delta_failed(r_, base_, v_, &T##_delta_explanation);                    \
    }                                                                                           \
    PKT_INLINE uint64_t T##_measure_delta(const B *base_, const T *v_, uint64_t start_bit_)     \
    {                                                                                           \
        return pkt_measure_delta(base_, v_, start_bit_, T##_write_delta_);                      \
    }
#define PKT_INLINE_DELTA_PACKET(T, B)                                                                                 \
    PKT_API uint64_t T##_write_delta_body(const void *base_, const void *v_, uint8_t *data_, uint64_t limit_,         \
                                          pkt_refs *refs_);                                                           \
    PKT_API uint64_t T##_read_delta_body(const void *base_, void *v_, const uint8_t *data_, uint64_t limit_,          \
                                         pkt_refs *refs_);                                                            \
    PKT_INLINE size_t T##_pack_delta(const B *base_, const T *v_, void *data_, size_t size_)                          \
    {                                                                                                                 \
        const uint64_t limit_ = pkt_size_bits(data_, size_);                                                          \
        uint8_t *const to_ = (uint8_t *)data_;                                                                        \
        return limit_ < 32 ? 0                                                                                        \
                           : pkt_pack_end(&T##_packet, to_, limit_,                                                   \
                                          T##_write_delta_body(base_, v_, to_ + 4, limit_ - 32, NULL));               \
    }                                                                                                                 \
    PKT_INLINE bool T##_unpack_delta(const B *base_, T *v_, const void *data_, size_t size_)                          \
    {                                                                                                                 \
        const uint64_t limit_ = pkt_size_bits(data_, size_);                                                          \
        const uint8_t *const from_ = (const uint8_t *)data_;                                                          \
        return pkt_unpack_crc(&T##_packet, from_, limit_) &&                                                          \
               pkt_unpack_end(&T##_packet, from_, limit_,                                                             \
                              T##_read_delta_body(base_, v_, from_ + 4, limit_ - 32, NULL));                          \
    }                                                                                                                 \
    PKT_INLINE size_t T##_pack_delta_body(const B *base_, const T *v_, void *data_, size_t size_)                     \
    {                                                                                                                 \
        return pkt_body_bytes(T##_write_delta_body(base_, v_, (uint8_t *)data_, pkt_size_bits(data_, size_), NULL));  \
    }                                                                                                                 \
    PKT_INLINE bool T##_unpack_delta_body(const B *base_, T *v_, const void *data_, size_t size_)                     \
    {                                                                                                                 \
        const uint64_t limit_ = pkt_size_bits(data_, size_);                                                          \
        const uint8_t *const from_ = (const uint8_t *)data_;                                                          \
        return pkt_delta_body_ends(from_, limit_, T##_read_delta_body(base_, v_, from_, limit_, NULL));               \
    }                                                                                                                 \
    PKT_INLINE size_t T##_pack_delta_error(const B *base_, const T *v_, void *data_, size_t size_, pkt_error *error_) \
    {                                                                                                                 \
        return pkt_packed_delta(T##_pack_delta(base_, v_, data_, size_), &T##_packet, &T##_delta_explanation, NULL,   \
                                base_, v_, data_, size_, error_);                                                     \
    }                                                                                                                 \
    PKT_INLINE bool T##_unpack_delta_error(const B *base_, T *v_, const void *data_, size_t size_, pkt_error *error_) \
    {                                                                                                                 \
        return pkt_unpacked_delta(T##_unpack_delta(base_, v_, data_, size_), &T##_packet, &T##_delta_explanation,     \
                                  NULL, base_, v_, data_, size_, error_);                                             \
    }                                                                                                                 \
    PKT_INLINE size_t T##_pack_delta_body_error(const B *base_, const T *v_, void *data_, size_t size_,               \
                                                pkt_error *error_)                                                    \
    {                                                                                                                 \
        return pkt_packed_delta(T##_pack_delta_body(base_, v_, data_, size_), NULL, &T##_delta_explanation, NULL,     \
                                base_, v_, data_, size_, error_);                                                     \
    }                                                                                                                 \
    PKT_INLINE bool T##_unpack_delta_body_error(const B *base_, T *v_, const void *data_, size_t size_,               \
                                                pkt_error *error_)                                                    \
    {                                                                                                                 \
        return pkt_unpacked_delta(T##_unpack_delta_body(base_, v_, data_, size_), NULL, &T##_delta_explanation, NULL, \
                                  base_, v_, data_, size_, error_);                                                   \
    }

/* T_pack_delta_refs and T_unpack_delta_refs, likewise. */
typedef uint64_t pkt_delta_body_write(const void *base, const void *v, uint8_t *data, uint64_t limit, pkt_refs *refs);
typedef uint64_t pkt_delta_body_read(const void *base, void *v, const uint8_t *data, uint64_t limit, pkt_refs *refs);
PKT_INLINE size_t pkt_pack_delta_refs(const pkt_packet *packet, const struct pkt_explanation *how,
                                      pkt_delta_body_write *put, const void *base, const void *v, void *data,
                                      size_t size, pkt_refs *refs, pkt_error *error)
{
    const uint64_t limit = pkt_size_bits(data, size);
    uint8_t *const to = (uint8_t *)data;
    const size_t packed = !packet      ? pkt_body_bytes(put(base, v, to, limit, refs))
                          : limit < 32 ? 0
                                       : pkt_pack_end(packet, to, limit, put(base, v, to + 4, limit - 32, refs));
    return pkt_packed_delta(packed, packet, how, refs, base, v, data, size, error);
}

PKT_INLINE bool pkt_unpack_delta_refs(const pkt_packet *packet, const struct pkt_explanation *how,
                                      pkt_delta_body_read *get, const void *base, void *v, const void *data,
                                      size_t size, pkt_refs *refs, pkt_error *error)
{
    const uint64_t limit = pkt_size_bits(data, size);
    const uint8_t *const from = (const uint8_t *)data;
    const bool unpacked = !packet ? pkt_delta_body_ends(from, limit, get(base, v, from, limit, refs))
                                  : pkt_unpack_crc(packet, from, limit) &&
                                        pkt_unpack_end(packet, from, limit, get(base, v, from + 4, limit - 32, refs));
    return pkt_unpacked_delta(unpacked, packet, how, refs, base, v, data, size, error);
}

PKT_C_END

#endif
