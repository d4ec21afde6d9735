/* pkt_stream.h - the functions of a type that programs call: T_write, T_read, T_measure, T_pack, T_unpack.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_codec.h. Programs do not use this header.
 */
#ifndef PKT_STREAM_H
#define PKT_STREAM_H

#include "pkt_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A type without a bit does not notice by its checks that the stream has failed before. */
PKT_INLINE bool pkt_ready(const uint64_t least, const pkt_code code)
{
    return least != 0 || code == PKT_OK;
}

/* T_write, T_read, T_measure: thin instances of T_serialize with a constant mode. When one says no, a cold function goes
 * over the value or the bytes again for the first thing wrong; a writer that grows is enlarged first. name: in errors. */
#define PKT_DEFINE_STREAMS(T, name)                                                                 \
    bool T##_explain(pkt_cursor *c, const T *in, T *out)                                            \
    {                                                                                               \
        return T##_serialize(PKT_EXPLAIN, c, in, out);                                              \
    }                                                                                               \
                                                                                                    \
    uint64_t T##_measure(const T *v, uint64_t start_bit)                                            \
    {                                                                                               \
        pkt_cursor cursor = pkt_measure_cursor(start_bit);                                          \
        return T##_serialize(PKT_MEASURE, &cursor, v, NULL) ? cursor.bit - start_bit : 0;           \
    }                                                                                               \
                                                                                                    \
    static PKT_COLD PKT_NOINLINE bool T##_write_failed(pkt_writer *w, const T *v)                   \
    {                                                                                               \
        pkt_cursor cursor;                                                                          \
        uint64_t bits;                                                                              \
        if (w->error.code != PKT_OK)                                                                \
            return false;                                                                           \
        bits = T##_measure(v, w->bit);                                                              \
        if (bits > pkt_writer_bits_left(w) && pkt_writer_grow(w, bits))                             \
            return T##_write(w, v);                                                                 \
        cursor = pkt_writer_explain(w);                                                             \
        T##_explain(&cursor, v, NULL);                                                              \
        return pkt_writer_explained(w, &cursor, name);                                              \
    }                                                                                               \
                                                                                                    \
    bool T##_write(pkt_writer *w, const T *v)                                                       \
    {                                                                                               \
        pkt_cursor cursor = pkt_writer_cursor(w);                                                   \
        if (!pkt_ready(T##_MIN_BITS, w->error.code) || !T##_serialize(PKT_WRITE, &cursor, v, NULL)) \
            return T##_write_failed(w, v);                                                          \
        pkt_writer_advance(w, &cursor);                                                             \
        return true;                                                                                \
    }                                                                                               \
                                                                                                    \
    static PKT_COLD PKT_NOINLINE bool T##_read_failed(pkt_reader *r, T *v)                          \
    {                                                                                               \
        pkt_cursor cursor;                                                                          \
        if (v == NULL || r->error.code != PKT_OK)                                                   \
            return false;                                                                           \
        cursor = pkt_reader_explain(r);                                                             \
        T##_explain(&cursor, v, v);                                                                 \
        return pkt_reader_explained(r, &cursor, name);                                              \
    }                                                                                               \
                                                                                                    \
    bool T##_read(pkt_reader *r, T *v)                                                              \
    {                                                                                               \
        pkt_cursor cursor = pkt_reader_cursor(r);                                                   \
        if (!pkt_ready(T##_MIN_BITS, r->error.code) || !T##_serialize(PKT_READ, &cursor, v, v))     \
            return T##_read_failed(r, v);                                                           \
        pkt_reader_advance(r, &cursor);                                                             \
        return true;                                                                                \
    }

/* T_write_at, T_read_at, T_measure_at: what other types call where T is too large to be inlined. The cursor is copied,
 * for its address has left the caller. */
#define PKT_DEFINE_INSTANCES(T)                            \
    bool T##_write_at(pkt_cursor *c, const T *v)           \
    {                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);              \
        if (!T##_serialize(PKT_WRITE, &cursor, v, NULL))   \
            return false;                                  \
        c->bit = cursor.bit;                               \
        c->carry = cursor.carry;                           \
        return true;                                       \
    }                                                      \
                                                           \
    bool T##_read_at(pkt_cursor *c, T *v)                  \
    {                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);              \
        if (!T##_serialize(PKT_READ, &cursor, v, v))       \
            return false;                                  \
        c->bit = cursor.bit;                               \
        return true;                                       \
    }                                                      \
                                                           \
    bool T##_measure_at(pkt_cursor *c, const T *v)         \
    {                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);              \
        if (!T##_serialize(PKT_MEASURE, &cursor, v, NULL)) \
            return false;                                  \
        c->bit = cursor.bit;                               \
        return true;                                       \
    }

/* T_pack and T_unpack of a packet: CRC, body, end check. crc: the CRC of the protocol id and the packet's name, from which
 * every packet's CRC starts. end_check: pkt_end_check with its value, or pkt_no_end_check. T_pack_body and T_unpack_body: the
 * body alone. */
#define PKT_DEFINE_PACKET(T, name, crc, end_check, end)                          \
    PKT_DEFINE_PACK_(PKT_INLINE, T, name, pack, unpack, 32, crc, end_check, end) \
    PKT_DEFINE_PACK_(PKT_INLINE, T, name, pack_body, unpack_body, 0, 0, pkt_no_end_check, 0)

/* Of a packet with refs: the forms that take the program's callbacks are there for programs too. */
#define PKT_DEFINE_PACKET_REFS(T, name, crc, end_check, end)                 \
    PKT_DEFINE_PACK_(extern, T, name, pack, unpack, 32, crc, end_check, end) \
    PKT_DEFINE_PACK_(extern, T, name, pack_body, unpack_body, 0, 0, pkt_no_end_check, 0)

#define PKT_DEFINE_PACK_(linkage, T, name, pack, unpack, first, crc, end_check, end)                                  \
    static PKT_COLD PKT_NOINLINE size_t T##_##pack##_failed(const T *v, void *data, size_t size, pkt_refs *refs,      \
                                                            pkt_error *error)                                         \
    {                                                                                                                 \
        pkt_error unasked;                                                                                            \
        pkt_cursor start = pkt_pack_cursor(data, size, (first), refs);                                                \
        pkt_cursor cursor = pkt_pack_explain(&start, error != NULL ? error : &unasked);                               \
        if (pkt_pack_explain_begin(&cursor, (first)) && T##_explain(&cursor, v, NULL))                                \
            (void)end_check(PKT_EXPLAIN, &cursor, (end));                                                             \
        pkt_explained(&cursor, name);                                                                                 \
        return 0;                                                                                                     \
    }                                                                                                                 \
                                                                                                                      \
    PKT_INLINE size_t T##_##pack##_with(const T *v, void *data, size_t size, pkt_refs *refs)                          \
    {                                                                                                                 \
        size_t packed;                                                                                                \
        pkt_cursor cursor = pkt_pack_cursor(data, size, (first), refs);                                               \
        if (!T##_serialize(PKT_WRITE, &cursor, v, NULL) || !end_check(PKT_WRITE, &cursor, (end)))                     \
            return 0;                                                                                                 \
        return pkt_pack_finish(&cursor, (first), (crc), &packed) ? packed : 0;                                        \
    }                                                                                                                 \
                                                                                                                      \
    size_t T##_##pack(const T *v, void *data, size_t size)                                                            \
    {                                                                                                                 \
        return T##_##pack##_with(v, data, size, NULL);                                                                \
    }                                                                                                                 \
                                                                                                                      \
    size_t T##_##pack##_error(const T *v, void *data, size_t size, pkt_error *error)                                  \
    {                                                                                                                 \
        size_t packed = T##_##pack(v, data, size);                                                                    \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(v, data, size, NULL, error);             \
    }                                                                                                                 \
                                                                                                                      \
    linkage size_t T##_##pack##_refs(const T *v, void *data, size_t size, pkt_refs *refs, pkt_error *error)           \
    {                                                                                                                 \
        size_t packed = T##_##pack##_with(v, data, size, refs);                                                       \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(v, data, size, refs, error);             \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_##unpack##_failed(T *v, const void *data, size_t size, pkt_refs *refs,      \
                                                            pkt_error *error)                                         \
    {                                                                                                                 \
        pkt_error unasked;                                                                                            \
        pkt_cursor start = pkt_unpack_cursor(data, size, (first), refs);                                              \
        pkt_cursor cursor = pkt_unpack_explain(&start, error != NULL ? error : &unasked);                             \
        if (v != NULL && pkt_unpack_explain_begin(&cursor, (first), (crc)) && T##_explain(&cursor, v, v) &&           \
            end_check(PKT_EXPLAIN, &cursor, (end)))                                                                   \
            (void)pkt_unpack_explain_finish(&cursor);                                                                 \
        pkt_explained(&cursor, name);                                                                                 \
        return false;                                                                                                 \
    }                                                                                                                 \
                                                                                                                      \
    PKT_INLINE bool T##_##unpack##_with(T *v, const void *data, size_t size, pkt_refs *refs)                          \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_unpack_cursor(data, size, (first), refs);                                             \
        return pkt_unpack_begin(&cursor, (first), (crc)) && T##_serialize(PKT_READ, &cursor, v, v) &&                 \
               end_check(PKT_READ, &cursor, (end)) && pkt_unpack_finish(&cursor);                                     \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_##unpack(T *v, const void *data, size_t size)                                                            \
    {                                                                                                                 \
        return T##_##unpack##_with(v, data, size, NULL) || T##_##unpack##_failed(v, data, size, NULL, NULL);          \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_##unpack##_error(T *v, const void *data, size_t size, pkt_error *error)                                  \
    {                                                                                                                 \
        return T##_##unpack(v, data, size) ? pkt_unpacked(error) : T##_##unpack##_failed(v, data, size, NULL, error); \
    }                                                                                                                 \
                                                                                                                      \
    linkage bool T##_##unpack##_refs(T *v, const void *data, size_t size, pkt_refs *refs, pkt_error *error)           \
    {                                                                                                                 \
        return T##_##unpack##_with(v, data, size, refs) ? pkt_unpacked(error)                                         \
                                                        : T##_##unpack##_failed(v, data, size, refs, error);          \
    }

#ifdef __cplusplus
}
#endif

#endif
