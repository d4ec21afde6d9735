/* pkt_delta.h - what generated code writes deltas against a baseline in: change masks, steps, what turns out equal.
 * SPDX-License-Identifier: MIT
 *
 * pktc emits one function a type, T_delta, beside T_serialize, in the same four modes and with the same names in scope,
 * and with `base`, the baseline: a value that can be written, and another object than `out`. A block begins with its
 * change mask, a local: made by comparing when writing, taken from the wire when reading, where `out` has been made a copy
 * of the baseline before. Then come the fields whose bits are set: small neighbours as a row that has no branch a field, each
 * other one in a run of its own, for what stands before it may be anywhere.
 * In EXPLAIN the same lines go over the items one by one, as in pkt_codec.h. Programs have no use for this header.
 */
#ifndef PKT_DELTA_H
#define PKT_DELTA_H

#include "pkt_change.h"
#include "pkt_step.h"
#include "pkt_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A type by its own delta function, against the baseline at `old`. The cursor that is called with is a copy, as in
 * PKT_CALLED. */
#define PKT_DELTA(T, m, old)                                                                           \
    do {                                                                                               \
        if (mode == PKT_EXPLAIN && !T##_delta_explain(c, (old), &in->m, out != NULL ? &out->m : NULL)) \
            return pkt_explain_outer(c, #m);                                                           \
        if (mode != PKT_EXPLAIN) {                                                                     \
            pkt_cursor copy_ = pkt_cursor_of(c);                                                       \
            if (mode == PKT_WRITE && !T##_delta_write(&copy_, (old), &in->m))                          \
                return false;                                                                          \
            if (mode == PKT_READ && !T##_delta_read(&copy_, (old), &out->m))                           \
                return false;                                                                          \
            if (mode == PKT_MEASURE && !T##_delta_measure(&copy_, (old), &in->m))                      \
                return false;                                                                          \
            c->bit = copy_.bit;                                                                        \
            c->carry = copy_.carry;                                                                    \
            c->changed |= copy_.changed;                                                               \
        }                                                                                              \
    } while (0)

/* A value with nothing but base values, for what the baseline does not have. */
#define PKT_BLANK(T, v) (memset((v), 0, sizeof *(v)), T##_base(v), (v))

/* ---- changed elements ------------------------------------------------------------------------------------------ */

/* A loop over a subset of n elements in PKT_SUBSET_AUTO, as pkt_subset.h has it: `set` is what is written, and, all zero
 * before, what is read. */
bool pkt_elements_begin(pkt_mode mode, pkt_cursor *c, pkt_subset *s, uint64_t *set, uint32_t n, const char *field);
bool pkt_elements_next(pkt_mode mode, pkt_cursor *c, pkt_subset *s);

/* ---- the baseline --------------------------------------------------------------------------------------------- */

/* Goes over a baseline that cannot be written, to find out why: nothing is stored, and there is room for all of it. */
PKT_COLD pkt_cursor pkt_baseline_explain(const pkt_cursor *c);
/* The reason found is that of the delta, at its first bit. Always false. */
PKT_COLD bool pkt_baseline_explained(const pkt_cursor *baseline, const pkt_cursor *c);

/* ---- the functions of a type --------------------------------------------------------------------------------- */

/* T_delta_write, T_delta_read, T_delta_measure, T_delta_explain: T_delta in one mode each, for the types that hold a T
 * and for the functions below. */
#define PKT_DEFINE_DELTA(T)                                                                                \
    /* For a body alone; the others work on a copy of the cursor. */                                       \
    PKT_INLINE bool T##_delta_write_body(pkt_cursor *c, const T *base, const T *v)                         \
    {                                                                                                      \
        return T##_delta(PKT_WRITE, c, base, v, NULL);                                                     \
    }                                                                                                      \
                                                                                                           \
    PKT_INLINE bool T##_delta_read_body(pkt_cursor *c, const T *base, T *v)                                \
    {                                                                                                      \
        T##_copy(v, base);                                                                                 \
        return T##_delta(PKT_READ, c, base, v, v);                                                         \
    }                                                                                                      \
                                                                                                           \
    static bool T##_delta_write(pkt_cursor *c, const T *base, const T *v)                                  \
    {                                                                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);                                                              \
        if (!T##_delta_write_body(&cursor, base, v))                                                       \
            return false;                                                                                  \
        c->bit = cursor.bit;                                                                               \
        c->carry = cursor.carry;                                                                           \
        c->changed = cursor.changed;                                                                       \
        return true;                                                                                       \
    }                                                                                                      \
                                                                                                           \
    static bool T##_delta_read(pkt_cursor *c, const T *base, T *v)                                         \
    {                                                                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);                                                              \
        if (!T##_delta_read_body(&cursor, base, v))                                                        \
            return false;                                                                                  \
        c->bit = cursor.bit;                                                                               \
        c->changed = cursor.changed;                                                                       \
        return true;                                                                                       \
    }                                                                                                      \
                                                                                                           \
    static bool T##_delta_measure(pkt_cursor *c, const T *base, const T *v)                                \
    {                                                                                                      \
        pkt_cursor cursor = pkt_cursor_of(c);                                                              \
        if (!T##_delta(PKT_MEASURE, &cursor, base, v, NULL))                                               \
            return false;                                                                                  \
        c->bit = cursor.bit;                                                                               \
        return true;                                                                                       \
    }                                                                                                      \
                                                                                                           \
    static PKT_COLD PKT_NOINLINE bool T##_delta_explain(pkt_cursor *c, const T *base, const T *in, T *out) \
    {                                                                                                      \
        if (out != NULL)                                                                                   \
            T##_copy(out, base);                                                                           \
        return T##_delta(PKT_EXPLAIN, c, base, in, out);                                                   \
    }

/* T_write_delta, T_read_delta, T_measure_delta: what programs call. A baseline that is missing is made of base values; one
 * that cannot be written is refused before anything else, for nothing could be said to equal it. */
#define PKT_DEFINE_DELTA_STREAMS(T, name)                                                                             \
    static bool T##_sound(const T *base)                                                                              \
    {                                                                                                                 \
        return T##_same(base, base);                                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    /* Against a blank value: there is one on the stack only where there is no baseline. */                           \
    static PKT_NOINLINE bool T##_delta_write_blank(pkt_cursor *c, const T *v)                                         \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_write(c, PKT_BLANK(T, &blank), v);                                                           \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_NOINLINE bool T##_delta_read_blank(pkt_cursor *c, T *v)                                                \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_read(c, PKT_BLANK(T, &blank), v);                                                            \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_NOINLINE bool T##_delta_measure_blank(pkt_cursor *c, const T *v)                                       \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_measure(c, PKT_BLANK(T, &blank), v);                                                         \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_delta_explain_blank(pkt_cursor *c, const T *in, T *out)                     \
    {                                                                                                                 \
        T blank;                                                                                                      \
        return T##_delta_explain(c, PKT_BLANK(T, &blank), in, out);                                                   \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_delta_failed(pkt_cursor *c, const T *base, const T *in, T *out)             \
    {                                                                                                                 \
        pkt_cursor baseline;                                                                                          \
        if (base == NULL)                                                                                             \
            return T##_delta_explain_blank(c, in, out);                                                               \
        if (T##_sound(base))                                                                                          \
            return T##_delta_explain(c, base, in, out);                                                               \
        baseline = pkt_baseline_explain(c);                                                                           \
        (void)T##_explain(&baseline, base, NULL);                                                                     \
        return pkt_baseline_explained(&baseline, c);                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_write_delta_failed(pkt_writer *w, const T *base, const T *v)                \
    {                                                                                                                 \
        pkt_cursor cursor;                                                                                            \
        uint64_t bits;                                                                                                \
        if (w->error.code != PKT_OK)                                                                                  \
            return false;                                                                                             \
        bits = T##_measure_delta(base, v, w->bit);                                                                    \
        if (bits > pkt_writer_bits_left(w) && pkt_writer_grow(w, bits))                                               \
            return T##_write_delta(w, base, v);                                                                       \
        cursor = pkt_writer_explain(w);                                                                               \
        (void)T##_delta_failed(&cursor, base, v, NULL);                                                               \
        return pkt_writer_explained(w, &cursor, name);                                                                \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_write_delta(pkt_writer *w, const T *base, const T *v)                                                    \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_writer_cursor(w);                                                                     \
        if (w->error.code != PKT_OK || !(base == NULL ? T##_delta_write_blank(&cursor, v)                             \
                                                      : T##_sound(base) && T##_delta_write(&cursor, base, v)))        \
            return T##_write_delta_failed(w, base, v);                                                                \
        pkt_writer_advance(w, &cursor);                                                                               \
        return true;                                                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    static PKT_COLD PKT_NOINLINE bool T##_read_delta_failed(pkt_reader *r, const T *base, T *v)                       \
    {                                                                                                                 \
        pkt_cursor cursor;                                                                                            \
        if (r->error.code != PKT_OK)                                                                                  \
            return false;                                                                                             \
        cursor = pkt_reader_explain(r);                                                                               \
        (void)T##_delta_failed(&cursor, base, v, v);                                                                  \
        return pkt_reader_explained(r, &cursor, name);                                                                \
    }                                                                                                                 \
                                                                                                                      \
    bool T##_read_delta(pkt_reader *r, const T *base, T *v)                                                           \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_reader_cursor(r);                                                                     \
        if (r->error.code != PKT_OK ||                                                                                \
            !(base == NULL ? T##_delta_read_blank(&cursor, v) : T##_sound(base) && T##_delta_read(&cursor, base, v))) \
            return T##_read_delta_failed(r, base, v);                                                                 \
        pkt_reader_advance(r, &cursor);                                                                               \
        return true;                                                                                                  \
    }                                                                                                                 \
                                                                                                                      \
    uint64_t T##_measure_delta(const T *base, const T *v, uint64_t start_bit)                                         \
    {                                                                                                                 \
        pkt_cursor cursor = pkt_measure_cursor(start_bit);                                                            \
        const bool measured = base == NULL ? T##_delta_measure_blank(&cursor, v)                                      \
                                           : T##_sound(base) && T##_delta_measure(&cursor, base, v);                  \
        return measured ? cursor.bit - start_bit : 0;                                                                 \
    }

/* T_pack_delta and T_unpack_delta of a packet, framed as PKT_DEFINE_PACKET does, and T_pack_delta_body and
 * T_unpack_delta_body; where it has refs, the forms that take the program's callbacks are there for programs too.
 * A cursor whose address is handed on is a copy, as in PKT_CALLED. */
#define PKT_DEFINE_DELTA_PACKET(T, name, crc, end_check, end)                                                    \
    PKT_DEFINE_PACK_DELTA_(PKT_INLINE, T, name, pack_delta, unpack_delta, write, read, 32, crc, end_check, end)  \
    PKT_DEFINE_PACK_DELTA_(PKT_INLINE, T, name, pack_delta_body, unpack_delta_body, write_body, read_body, 0, 0, \
                           pkt_no_end_check, 0)
#define PKT_DEFINE_DELTA_PACKET_REFS(T, name, crc, end_check, end)                                           \
    PKT_DEFINE_PACK_DELTA_(extern, T, name, pack_delta, unpack_delta, write, read, 32, crc, end_check, end)  \
    PKT_DEFINE_PACK_DELTA_(extern, T, name, pack_delta_body, unpack_delta_body, write_body, read_body, 0, 0, \
                           pkt_no_end_check, 0)

#define PKT_DEFINE_PACK_DELTA_(linkage, T, name, pack, unpack, write, read, first, crc, end_check, end)                \
    static PKT_COLD PKT_NOINLINE size_t T##_##pack##_failed(const T *base, const T *v, void *data, size_t size,        \
                                                            pkt_refs *refs, pkt_error *error)                          \
    {                                                                                                                  \
        pkt_error unasked;                                                                                             \
        pkt_cursor start = pkt_pack_cursor(data, size, (first), refs);                                                 \
        pkt_cursor cursor = pkt_pack_explain(&start, error != NULL ? error : &unasked);                                \
        if (pkt_pack_explain_begin(&cursor, (first)) && T##_delta_failed(&cursor, base, v, NULL))                      \
            (void)end_check(PKT_EXPLAIN, &cursor, (end));                                                              \
        pkt_explained(&cursor, name);                                                                                  \
        return 0;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    PKT_INLINE size_t T##_##pack##_with(const T *base, const T *v, void *data, size_t size, pkt_refs *refs)            \
    {                                                                                                                  \
        size_t packed;                                                                                                 \
        pkt_cursor cursor = pkt_pack_cursor(data, size, (first), refs);                                                \
        if (base == NULL) {                                                                                            \
            pkt_cursor copy = pkt_cursor_of(&cursor);                                                                  \
            if (!T##_delta_write_blank(&copy, v))                                                                      \
                return 0;                                                                                              \
            cursor = copy;                                                                                             \
        } else if (!T##_sound(base) || !T##_delta_##write(&cursor, base, v)) {                                         \
            return 0;                                                                                                  \
        }                                                                                                              \
        if (!end_check(PKT_WRITE, &cursor, (end)))                                                                     \
            return 0;                                                                                                  \
        return pkt_pack_finish(&cursor, (first), (crc), &packed) ? packed : 0;                                         \
    }                                                                                                                  \
                                                                                                                       \
    size_t T##_##pack(const T *base, const T *v, void *data, size_t size)                                              \
    {                                                                                                                  \
        return T##_##pack##_with(base, v, data, size, NULL);                                                           \
    }                                                                                                                  \
                                                                                                                       \
    size_t T##_##pack##_error(const T *base, const T *v, void *data, size_t size, pkt_error *error)                    \
    {                                                                                                                  \
        size_t packed = T##_##pack(base, v, data, size);                                                               \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(base, v, data, size, NULL, error);        \
    }                                                                                                                  \
                                                                                                                       \
    linkage size_t T##_##pack##_refs(const T *base, const T *v, void *data, size_t size, pkt_refs *refs,               \
                                     pkt_error *error)                                                                 \
    {                                                                                                                  \
        size_t packed = T##_##pack##_with(base, v, data, size, refs);                                                  \
        return packed != 0 ? pkt_packed(packed, error) : T##_##pack##_failed(base, v, data, size, refs, error);        \
    }                                                                                                                  \
                                                                                                                       \
    static PKT_COLD PKT_NOINLINE bool T##_##unpack##_failed(const T *base, T *v, const void *data, size_t size,        \
                                                            pkt_refs *refs, pkt_error *error)                          \
    {                                                                                                                  \
        pkt_error unasked;                                                                                             \
        pkt_cursor start = pkt_unpack_cursor(data, size, (first), refs);                                               \
        pkt_cursor cursor = pkt_unpack_explain(&start, error != NULL ? error : &unasked);                              \
        if (v != NULL && pkt_unpack_explain_begin(&cursor, (first), (crc)) && T##_delta_failed(&cursor, base, v, v) && \
            end_check(PKT_EXPLAIN, &cursor, (end)))                                                                    \
            (void)pkt_unpack_explain_finish(&cursor);                                                                  \
        pkt_explained(&cursor, name);                                                                                  \
        return false;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    PKT_INLINE bool T##_##unpack##_with(const T *base, T *v, const void *data, size_t size, pkt_refs *refs)            \
    {                                                                                                                  \
        pkt_cursor cursor = pkt_unpack_cursor(data, size, (first), refs);                                              \
        if (!pkt_unpack_begin(&cursor, (first), (crc)))                                                                \
            return false;                                                                                              \
        if (base == NULL) {                                                                                            \
            pkt_cursor copy = pkt_cursor_of(&cursor);                                                                  \
            if (!T##_delta_read_blank(&copy, v))                                                                       \
                return false;                                                                                          \
            cursor = copy;                                                                                             \
        } else if (!T##_sound(base) || !T##_delta_##read(&cursor, base, v)) {                                          \
            return false;                                                                                              \
        }                                                                                                              \
        return end_check(PKT_READ, &cursor, (end)) && pkt_unpack_finish(&cursor);                                      \
    }                                                                                                                  \
                                                                                                                       \
    bool T##_##unpack(const T *base, T *v, const void *data, size_t size)                                              \
    {                                                                                                                  \
        return T##_##unpack##_with(base, v, data, size, NULL) ||                                                       \
               T##_##unpack##_failed(base, v, data, size, NULL, NULL);                                                 \
    }                                                                                                                  \
                                                                                                                       \
    bool T##_##unpack##_error(const T *base, T *v, const void *data, size_t size, pkt_error *error)                    \
    {                                                                                                                  \
        return T##_##unpack(base, v, data, size) ? pkt_unpacked(error)                                                 \
                                                 : T##_##unpack##_failed(base, v, data, size, NULL, error);            \
    }                                                                                                                  \
                                                                                                                       \
    linkage bool T##_##unpack##_refs(const T *base, T *v, const void *data, size_t size, pkt_refs *refs,               \
                                     pkt_error *error)                                                                 \
    {                                                                                                                  \
        return T##_##unpack##_with(base, v, data, size, refs)                                                          \
                   ? pkt_unpacked(error)                                                                               \
                   : T##_##unpack##_failed(base, v, data, size, refs, error);                                          \
    }

#ifdef __cplusplus
}
#endif

#endif
