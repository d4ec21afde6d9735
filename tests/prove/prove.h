/* prove.h - what is proved of a packet, and what the analysis is told of functions instead of their bodies.
 * SPDX-License-Identifier: MIT
 *
 * What a contract requires is proved at each call; what it promises is believed. Texts go byte by byte with two pointers, of
 * which this analysis knows no relation; the names of errors are no part of the question; and a writer over a buffer of the
 * caller does not grow.
 */
#ifndef PROVE_H
#define PROVE_H

#include "pkt.h"
#include "__fc_builtin.h"

#include <math.h>

/*@ requires \valid(error);
  @ assigns error->field[0 .. PKT_FIELD_SIZE - 1] \from \nothing;
  @ ensures \initialized(&error->field[0 .. PKT_FIELD_SIZE - 1]); */
void pkt_error_outer(pkt_error *error, const char *outer);

/*@ requires \valid(w);
  @ assigns \result \from \nothing;
  @ ensures \result == 0; */
bool pkt_writer_grow(pkt_writer *w, uint64_t bits);

/*@ requires size <= UINT32_MAX;
  @ requires size == 0 || \valid_read(s + (0 .. size - 1));
  @ assigns \result \from s[0 .. size - 1];
  @ ensures \result == 0 || \result == 1; */
bool pkt_text_valid(const uint8_t *s, size_t size);

/* PROVE_CONTRACTS: these two are held to their contracts (contracts.sh), but for this, which is believed always: the analysis
 * that does it has no notion of what is set. */
#ifdef PROVE_CONTRACTS
#define PROVE_SET_
#else
#define PROVE_SET_ ensures \initialized(to + (0..size - 1));
#endif
/*@ requires size <= UINT32_MAX;
  @ requires size == 0 || \valid(to + (0 .. size - 1));
  @ requires size == 0 || \valid_read(from + (0 .. size - 1));
  @ requires size == 0 || \separated(to + (0 .. size - 1), from + (0 .. size - 1));
  @ assigns \result, to[0 .. size - 1] \from from[0 .. size - 1];
  @ PROVE_SET_
  @ ensures \result == 0 || \result == 1; */
bool pkt_text_copy(char *to, const uint8_t *from, size_t size);

/*@ requires \valid_read(text + (0 .. max));
  @ assigns \result \from text[0 .. max];
  @ ensures 0 <= \result <= max + 1; */
uint32_t pkt_text_size(const char *text, uint32_t max);

/* Rotations and directions: what comes of any code, and of any components, prove_rotations goes through once instead of at each
 * field. */
/*@ requires 2 <= bits <= 20;
  @ requires \valid(q);
  @ assigns \result, *q \from code, bits, *q;
  @ ensures \result == 0 || \result == 1; */
PKT_INLINE bool pkt_quat_value(uint64_t code, const unsigned bits, pkt_quat *q);

/*@ requires 2 <= bits <= 20;
  @ assigns \result \from q, bits; */
PKT_INLINE uint64_t pkt_quat_code(pkt_quat q, const unsigned bits);

/*@ requires 2 <= bits <= 20;
  @ requires \valid(v);
  @ assigns \result, *v \from code, bits, *v;
  @ ensures \result == 0 || \result == 1; */
PKT_INLINE bool pkt_unit_value(uint64_t code, const unsigned bits, pkt_vec3 *v);

/*@ requires 2 <= bits <= 20;
  @ assigns \result \from v, bits; */
PKT_INLINE uint64_t pkt_unit_code(pkt_vec3 v, const unsigned bits);

/* A root may be any number: that of Frama-C's library wants a number that is finite. */
/*@ assigns \result \from v; */
float prove_root(float v);
#define sqrtf prove_root

/* What prove.sh has put into generated code: whether an old value is a blank one, and the tag that was read last. */
extern int prove_blank, prove_tag;

/* What prove.sh has put into generated code and the runtime: what moves a cursor, and loops over elements of a fixed size. */
#define PROVE_MOVE(c, bits) ((c)->moved += (bits), (c)->bit += (bits))
#define PROVE_JUMP(c, to) ((c)->moved = UINT64_C(1) << 63, (c)->bit = (to))
#define PROVE_ROUNDS_COUNT (mode_ == PKT_READ || mode_ == PKT_WRITE)
#define PROVE_ROUNDS(number) const uint64_t first_##number = c_->bit, moved_##number = c_->moved
#define PROVE_ROUND(number, bits)              \
    do {                                       \
        if (PROVE_ROUNDS_COUNT) {              \
            c_->bit = first_##number + (bits); \
            c_->moved = 0;                     \
        }                                      \
    } while (0)
#define PROVE_ROUND_END(bits)                            \
    do {                                                 \
        if (PROVE_ROUNDS_COUNT && c_->moved != (bits)) { \
            /*@ assert \false; */                        \
        }                                                \
    } while (0)
#define PROVE_ROUNDS_END(number, bits, whole)    \
    do {                                         \
        if (PROVE_ROUNDS_COUNT && !(whole)) {    \
            /*@ assert \false; */                \
        }                                        \
        if (PROVE_ROUNDS_COUNT) {                \
            c_->bit = first_##number + (bits);   \
            c_->moved = moved_##number + (bits); \
        }                                        \
    } while (0)

/* What is proved with EACH: of each length of the data by itself, up to 8 bytes more than there may be, that no byte behind its
 * end is touched; without: of all lengths up to 1,500, or the greatest, at once, that none is touched behind the greatest. */
#ifdef EACH
#define PROVE_ROOM_(bytes) ((bytes) + 8)
#define PROVE_DATA_ storage + (sizeof storage - size)
#define PROVE_SPLIT_ /*@ split size; */
#else
#define PROVE_ROOM_(bytes) ((bytes) > 1500 ? (bytes) : 1500)
#define PROVE_DATA_ storage
#define PROVE_SPLIT_
#endif

/* The rest: what is done with `size` bytes at `data`. */
#define PROVE_BYTES_(name, bytes, parameters, ...)                              \
    static void name parameters                                                 \
    {                                                                           \
        static uint8_t storage[PROVE_ROOM_(bytes)];                             \
        const unsigned size = Frama_C_unsigned_int_interval(0, sizeof storage); \
        uint8_t *data;                                                          \
        Frama_C_make_unknown((char *)storage, sizeof storage);                  \
        PROVE_SPLIT_                                                            \
        data = PROVE_DATA_;                                                     \
        __VA_ARGS__;                                                            \
    }
/* Whom a stream or a body asks about refs: a program that gives any id, and for an id its target or none. */
static uint32_t prove_id_of(void *user, uint32_t type, const void *target)
{
    (void)user, (void)type, (void)target;
    return Frama_C_unsigned_int_interval(0, UINT32_MAX);
}

static void *prove_target_of(void *user, uint32_t type, uint32_t id)
{
    (void)type, (void)id;
    return Frama_C_interval(0, 1) != 0 ? user : NULL;
}

static char prove_target;
static pkt_refs prove_refs = {prove_id_of, prove_target_of, &prove_target, 0};

/* A stream asks it, or nobody. */
#define PROVE_STREAM_(name, bytes, parameters, stream, call)                       \
    PROVE_BYTES_(name, bytes, parameters, stream s; stream##_init(&s, data, size); \
                 stream##_set_refs(&s, Frama_C_interval(0, 1) != 0 ? &prove_refs : NULL); call)

/* Whatever stands in a code and in the components. */
#define PROVE_ROTATIONS()                                           \
    void prove_rotations(void)                                      \
    {                                                               \
        const unsigned bits = Frama_C_unsigned_int_interval(2, 20); \
        uint64_t code;                                              \
        pkt_quat q;                                                 \
        pkt_vec3 v;                                                 \
        Frama_C_make_unknown((char *)&code, sizeof code);           \
        Frama_C_make_unknown((char *)&q, sizeof q);                 \
        Frama_C_make_unknown((char *)&v, sizeof v);                 \
        /*@ split bits; */                                          \
        (void)pkt_quat_code(q, bits);                               \
        (void)pkt_quat_value(code, bits, &q);                       \
        (void)pkt_unit_code(v, bits);                               \
        (void)pkt_unit_value(code, bits, &v);                       \
    }

/* Arbitrary bytes are read into a T. What came of them, whether or not they were refused, is written. The same of a body, which
 * has code of its own. */
#define PROVE(T)                                                                            \
    PROVE_STREAM_(T##_any_read, T##_MAX_BYTES, (T * v), pkt_reader, T##_read(&s, v))        \
    PROVE_STREAM_(T##_any_write, T##_MAX_BYTES, (const T *v), pkt_writer, T##_write(&s, v)) \
    PROVE_BYTES_(T##_any_unpack, T##_MAX_BYTES, (T * v), T##_unpack_body(v, data, size))    \
    PROVE_BYTES_(T##_any_pack, T##_MAX_BYTES, (const T *v), T##_pack_body(v, data, size))   \
                                                                                            \
    void prove_##T(void)                                                                    \
    {                                                                                       \
        static T v;                                                                         \
        T##_init(&v);                                                                       \
        T##_any_read(&v);                                                                   \
        T##_any_write(&v);                                                                  \
    }                                                                                       \
                                                                                            \
    void prove_##T##_body(void)                                                             \
    {                                                                                       \
        static T v;                                                                         \
        T##_init(&v);                                                                       \
        T##_any_unpack(&v);                                                                 \
        T##_any_pack(&v);                                                                   \
    }

/* A body with refs, and somebody to ask. */
#define PROVE_REFS(T)                                                                                                  \
    PROVE_BYTES_(T##_any_unpack_refs, T##_MAX_BYTES, (T * v), T##_unpack_body_refs(v, data, size, &prove_refs, NULL))  \
    PROVE_BYTES_(T##_any_pack_refs, T##_MAX_BYTES, (const T *v), T##_pack_body_refs(v, data, size, &prove_refs, NULL)) \
                                                                                                                       \
    void prove_##T##_refs(void)                                                                                        \
    {                                                                                                                  \
        static T v;                                                                                                    \
        T##_init(&v);                                                                                                  \
        T##_any_unpack_refs(&v);                                                                                       \
        T##_any_pack_refs(&v);                                                                                         \
    }

/* Of two that came of such bytes one is the baseline of the other, and of bytes that are read as a delta. */
#define PROVE_DELTA(T)                                                                               \
    PROVE_STREAM_(T##_any_read_delta, T##_DELTA_MAX_BYTES, (const T *base, T *v), pkt_reader,        \
                  T##_read_delta(&s, base, v))                                                       \
    PROVE_STREAM_(T##_any_write_delta, T##_DELTA_MAX_BYTES, (const T *base, const T *v), pkt_writer, \
                  T##_write_delta(&s, base, v))                                                      \
                                                                                                     \
    void prove_##T##_delta(void)                                                                     \
    {                                                                                                \
        static T base, v;                                                                            \
        T##_init(&base);                                                                             \
        T##_any_read(&base);                                                                         \
        T##_init(&v);                                                                                \
        T##_any_read(&v);                                                                            \
        T##_any_write_delta(&base, &v);                                                              \
        T##_any_read_delta(&base, &v);                                                               \
        T##_any_write_delta(&base, &v);                                                              \
    }

#endif
