/* prove.h - the functions to prove for a packet, and contracts that replace functions in the analysis.
 * SPDX-License-Identifier: MIT
 *
 * What a contract requires is proved at each call; what it ensures is assumed. The functions are those for texts, where
 * two pointers move byte by byte, and this analysis does not relate them; those for names in errors, which do not
 * matter; and that for growing, because a writer for a buffer of the caller does not grow.
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

/*@ requires \valid(error);
  @ assigns error->field[0 .. PKT_FIELD_SIZE - 1] \from \nothing;
  @ ensures \initialized(&error->field[0 .. PKT_FIELD_SIZE - 1]); */
void pkt_error_outer_part(pkt_error *error, const char *outer, size_t length);

/*@ requires \valid(error);
  @ assigns error->field[0 .. PKT_FIELD_SIZE - 1] \from \nothing;
  @ ensures \initialized(&error->field[0 .. PKT_FIELD_SIZE - 1]); */
void pkt_error_element(pkt_error *error, uint64_t index);

/*@ requires \valid(w);
  @ assigns \result \from \nothing;
  @ ensures \result == 0; */
bool pkt_writer_grow(pkt_writer *w, uint64_t bits);

/*@ requires size <= UINT32_MAX;
  @ requires size == 0 || \valid_read(s + (0 .. size - 1));
  @ assigns \result \from s[0 .. size - 1];
  @ ensures \result == 0 || \result == 1; */
bool pkt_text_valid(const uint8_t *s, size_t size);

/* contracts.sh proves the contracts of these two functions with PROVE_CONTRACTS, except for PROVE_SET_, which is always
 * assumed: that analysis does not know what is initialized. */
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

/* Rotations and directions. prove_rotations analyzes them once, for any code and any components, instead of at each
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

/* A square root of any number: the contract in Frama-C's library requires a finite one. */
/*@ assigns \result \from v; */
float prove_root(float v);
#define sqrtf prove_root

/* Set by code that prove.sh adds: whether an old value is a blank one, and the tag that was read last. */
extern int prove_blank, prove_tag;

/* Macros for code that prove.sh adds: where a cursor moves, and in loops over elements of a fixed size. */
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

/* With EACH: proves for each length of the data separately, up to 8 bytes more than needed, that no byte after its end
 * is accessed. Otherwise: for all lengths up to 1,500 bytes or the greatest size together, that none is accessed after
 * the longest. */
#ifdef EACH
#define PROVE_ROOM_(bytes) ((bytes) + 8)
#define PROVE_DATA_ storage + (sizeof storage - size)
#define PROVE_SPLIT_ /*@ split size; */
#else
#define PROVE_ROOM_(bytes) ((bytes) > 1500 ? (bytes) : 1500)
#define PROVE_DATA_ storage
#define PROVE_SPLIT_
#endif

/* A function with `size` bytes at `data`; the other arguments are what it does with them. */
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
/* Callbacks for refs, which return any id, and for an id its object or NULL. */
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

/* The same with a stream, which has callbacks or none. */
#define PROVE_STREAM_(name, bytes, parameters, stream, call)                       \
    PROVE_BYTES_(name, bytes, parameters, stream s; stream##_init(&s, data, size); \
                 stream##_set_refs(&s, Frama_C_interval(0, 1) != 0 ? &prove_refs : NULL); call)

/* Rotations and directions with any code and any components. */
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

/* Reads arbitrary bytes into a T. Writes the result, whether the bytes were accepted or not. Then the same for a body,
 * which has its own functions. */
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

/* A body with refs, with callbacks. */
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

/* Reads two values from arbitrary bytes. One is the baseline of the other, and then of a delta in arbitrary bytes. */
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
