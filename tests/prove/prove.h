/* prove.h - the functions to prove for a packet, and contracts that replace functions in the analysis.
 * SPDX-License-Identifier: MIT
 *
 * What a contract requires is proved at each call; what it ensures is assumed. The functions are those for words; those
 * for texts, where two pointers move byte by byte, and this analysis does not relate them; those that find out why a
 * read or a write was refused, and put names into errors; and that for growing, because a writer for a buffer of the
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

/*@ requires \valid(error);
  @ assigns error->field[0 .. PKT_FIELD_SIZE - 1] \from \nothing;
  @ ensures \initialized(&error->field[0 .. PKT_FIELD_SIZE - 1]); */
void pkt_error_outer_part(pkt_error *error, const char *outer, size_t length);

/*@ requires \valid(error);
  @ assigns error->field[0 .. PKT_FIELD_SIZE - 1] \from \nothing;
  @ ensures \initialized(&error->field[0 .. PKT_FIELD_SIZE - 1]); */
void pkt_error_element(pkt_error *error, uint64_t index);

/*@ requires \valid(error);
  @ assigns error->field[0 .. PKT_FIELD_SIZE - 1] \from \nothing;
  @ ensures \initialized(&error->field[0 .. PKT_FIELD_SIZE - 1]); */
void pkt_error_ending(pkt_error *error, const char *ending);

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

/*@ requires size == 0 || \valid_read((const uint8_t *)data + (0 .. size - 1));
  @ requires size == 0 || \initialized((const uint8_t *)data + (0 .. size - 1));
  @ assigns \result \from crc, size, ((const uint8_t *)data)[0 .. size - 1]; */
uint32_t pkt_crc32(uint32_t crc, const void *data, size_t size);

/*@ requires size <= readable;
  @ requires readable == 0 || \valid_read(data + (0 .. readable - 1));
  @ requires size == 0 || \initialized(data + (0 .. size - 1));
  @ assigns \result \from crc, size, data[0 .. size - 1]; */
uint32_t pkt_crc32_within(uint32_t crc, const uint8_t *data, size_t size, size_t readable);

/* Words: at each call, all bytes that a load or a store touches have to be in the buffer. The bodies are a memcpy. */
/*@ requires \valid_read(p + (0 .. 7));
  @ assigns \result \from p[0 .. 7]; */
PKT_INLINE uint64_t pkt_load64(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 3));
  @ assigns \result \from p[0 .. 3]; */
PKT_INLINE uint32_t pkt_load32(const uint8_t *p);

/*@ requires \valid(p + (0 .. 7));
  @ assigns p[0 .. 7] \from v;
  @ ensures \initialized(p + (0 .. 7)); */
PKT_INLINE void pkt_store64(uint8_t *p, uint64_t v);

/*@ requires \valid(p + (0 .. 3));
  @ assigns p[0 .. 3] \from v;
  @ ensures \initialized(p + (0 .. 3)); */
PKT_INLINE void pkt_store32(uint8_t *p, uint32_t v);

/* Words at the edge of a buffer: contracts.sh proves for every size that they keep these contracts. The analysis of a
 * packet goes into their bodies, where it shows that each byte that is accessed is in the buffer. It cannot see that a
 * shift by the difference of two positions is less than 64, so it shows what that follows from: what is required here,
 * except for PROVE_BUFFER_ and, if lengths are not gone through one by one, PROVE_LENGTH_. */
#ifdef PROVE_CONTRACTS
#define PROVE_BUFFER_(condition) (condition)
#else
#define PKT_SHIFT(n) ((n) % 64)
#define PROVE_BUFFER_(condition) (0 == 0)
#endif
#if defined(PROVE_CONTRACTS) || defined(EACH)
#define PROVE_LENGTH_(condition) (condition)
#else
#define PROVE_LENGTH_(condition) (0 == 0)
#endif

/*@ requires PROVE_LENGTH_(count <= 7) && PROVE_BUFFER_(count == 0 || \valid_read(p + (0 .. count - 1)));
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_load_few(const uint8_t *p, size_t count);

/*@ requires PROVE_LENGTH_(count <= 7) && PROVE_BUFFER_(count == 0 || \valid(p + (0 .. count - 1)));
  @ assigns p[0 .. count - 1]; */
PKT_INLINE void pkt_store_few(uint8_t *p, uint64_t v, size_t count);

/*@ requires PROVE_LENGTH_(at < size) && size <= SIZE_MAX / 2 && PROVE_BUFFER_(\valid_read(data + (0 .. size - 1)));
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_load_edge(const uint8_t *data, size_t at, size_t size);

/*@ requires PROVE_LENGTH_(at <= size) && size <= SIZE_MAX / 2;
  @ requires PROVE_BUFFER_(size == 0 || \valid_read(data + (0 .. size - 1)));
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_load_end(const uint8_t *data, size_t at, size_t size);

/*@ requires PROVE_LENGTH_(at <= size) && size <= SIZE_MAX / 2 && count <= 8;
  @ requires PROVE_BUFFER_(at + count <= size && \valid(data + (0 .. size - 1)));
  @ assigns data[at .. size - 1]; */
PKT_INLINE void pkt_store_edge(uint8_t *data, size_t at, size_t size, uint64_t v, unsigned count);

/* Macros for code that prove.sh adds: where a cursor moves. The runtime's headers use them from here on. */
#define PROVE_MOVE(c, bits) ((c)->moved += (bits), (c)->bit += (bits))
#define PROVE_JUMP(c, to) ((c)->moved = UINT64_C(1) << 63, (c)->bit = (to))

#include "pkt_explain.h"

/*@ requires \valid_read(c) && c->bit <= SIZE_MAX / 2;
  @ requires 8 * at < ending <= 8 * at + 56 && ending <= 1000000 && 57 <= c->bit + ending;
  @ requires \valid_read(c->from + ((c->bit + ending + 7) / 8 - 8 .. (c->bit + ending + 7) / 8 - 1));
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_load_ending(const pkt_cursor *c, const unsigned at, const uint64_t ending);

/*@ requires \valid_read(c) && 1 <= most <= 56 && 57 <= c->bit + most && c->limit <= SIZE_MAX / 2 && c->limit % 8 == 0;
  @ requires PROVE_LENGTH_(c->bit < c->limit) && PROVE_BUFFER_(64 <= c->limit);
  @ requires PROVE_BUFFER_(\valid_read(c->from + (0 .. c->limit / 8 - 1)));
  @ assigns \nothing; */
PKT_INLINE uint64_t pkt_load_varying(const pkt_cursor *c, const uint64_t most);

/* While a run is written, 8 * byte + shift is the bit: so the analysis of a packet may derive the byte from the other
 * two, see PROVE_VARIED. */
#ifdef PROVE_CONTRACTS
/*@ requires \valid(c) && mode == PKT_WRITE;
  @ assigns c->at, c->edge, c->word; */
PKT_INLINE void pkt_open(const pkt_mode mode, pkt_cursor *c, const unsigned at, const bool edge, const uint64_t ending);

/*@ requires \valid(c) && mode == PKT_WRITE && c->bit <= SIZE_MAX / 2;
  @ assigns c->fresh, c->byte, c->shift, c->at, c->edge, c->word;
  @ ensures 8 * c->byte + c->shift == c->bit && c->shift <= 7; */
PKT_INLINE void pkt_run(const pkt_mode mode, pkt_cursor *c, const bool edge, const uint64_t ending);

/*@ requires \valid(c) && mode == PKT_WRITE && c->bit <= SIZE_MAX / 2 && bits <= 64 && c->shift <= 63;
  @ assigns c->carry, c->word, c->shift, c->bit;
  @ ensures c->shift - \old(c->shift) == bits && c->bit - \old(c->bit) == bits; */
PKT_INLINE void pkt_varied(const pkt_mode mode, pkt_cursor *c, const unsigned bits);
#endif

/* These repeat a read or a write that was refused, to find out why. They loop over the rows of a type, and call
 * themselves for rows in rows, which the analysis does not follow: these contracts are assumed. Afterwards a value
 * that was refused is initialized again. */
/*@ requires \valid(c) && \valid(c->error) && c->bit <= c->limit;
  @ assigns \result, c->bit, c->ref, *c->error \from c->bit, c->limit;
  @ ensures c->bit <= c->limit;
  @ ensures \initialized(&c->error->code) && \initialized(&c->error->bit);
  @ ensures \initialized(&c->error->field[0 .. PKT_FIELD_SIZE - 1]);
  @ ensures \result == 0 || \result == 1; */
bool pkt_explain_type(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);

/*@ requires \valid(c) && \valid(c->error) && c->bit <= c->limit;
  @ assigns \result, c->bit, c->ref, *c->error \from c->bit, c->limit;
  @ ensures c->bit <= c->limit;
  @ ensures \initialized(&c->error->code) && \initialized(&c->error->bit);
  @ ensures \initialized(&c->error->field[0 .. PKT_FIELD_SIZE - 1]);
  @ ensures \result == 0 || \result == 1; */
bool pkt_explain_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);

/*@ requires \valid(c) && \valid(c->error) && c->bit <= c->limit;
  @ assigns \result, c->bit, c->ref, *c->error \from c->bit, c->limit;
  @ ensures c->bit <= c->limit;
  @ ensures \initialized(&c->error->code) && \initialized(&c->error->bit);
  @ ensures \initialized(&c->error->field[0 .. PKT_FIELD_SIZE - 1]);
  @ ensures \result == 0 || \result == 1; */
bool pkt_explain_coded_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);

/*@ requires \valid(c) && \valid(c->error) && c->bit <= c->limit;
  @ assigns \result, c->bit, c->ref, *c->error \from c->bit, c->limit;
  @ ensures c->bit <= c->limit;
  @ ensures \initialized(&c->error->code) && \initialized(&c->error->bit);
  @ ensures \initialized(&c->error->field[0 .. PKT_FIELD_SIZE - 1]);
  @ ensures \result == 0 || \result == 1; */
bool pkt_explain_predicted(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);

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

/* Set by code that prove.sh adds: the tag that was read last. */
extern int prove_tag;

/* Macros for code that prove.sh adds in loops over elements of a fixed size. */
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

/* Mistakes that short.sh makes: a bounds check passes although bits are missing. prove_short says which check, and
 * prove_fewer how many bits. */
extern unsigned prove_short;
extern uint64_t prove_fewer;
#define PROVE_FEWER(number) (prove_short == (number) ? prove_fewer : 0)
#define PROVE_SHORT(bits, number)                                                   \
    do {                                                                            \
        const uint64_t limit_ = c_->limit + PROVE_FEWER(number);                    \
        if (mode_ != PKT_MEASURE && ((bits) > limit_ || c_->bit > limit_ - (bits))) \
            return false;                                                           \
        c_->verified = c_->bit + (bits);                                            \
    } while (0)
#define PROVE_END_SHORT(T, number, fewer)           \
    void prove_##T##_##number##_##fewer##_end(void) \
    {                                               \
        prove_short = number;                       \
        prove_fewer = fewer;                        \
        prove_##T##_end();                          \
    }

/* At the end of a varying run, which is in the buffer up to its last bit. */
#define PROVE_VARIED()                                      \
    do {                                                    \
        if (mode_ == PKT_WRITE) {                           \
            /*@ split c_->shift; */                         \
            c_->byte = (size_t)((c_->bit - c_->shift) / 8); \
        }                                                   \
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

/* The lengths to go through: all of them, or those from PROVE_LEAST to PROVE_MOST. */
#ifdef PROVE_LEAST
#define PROVE_SIZE_(room) Frama_C_unsigned_int_interval(PROVE_LEAST, PROVE_MOST)
#else
#define PROVE_SIZE_(room) Frama_C_unsigned_int_interval(0, (room))
#endif

/* A function with `size` bytes at `data`; the other arguments are what it does with them. */
#define PROVE_BYTES_(name, bytes, parameters, ...)             \
    static bool name parameters                                \
    {                                                          \
        static uint8_t storage[PROVE_ROOM_(bytes)];            \
        const unsigned size = PROVE_SIZE_(sizeof storage);     \
        uint8_t *data;                                         \
        Frama_C_make_unknown((char *)storage, sizeof storage); \
        PROVE_SPLIT_                                           \
        data = PROVE_DATA_;                                    \
        __VA_ARGS__;                                           \
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
                 stream##_set_refs(&s, Frama_C_interval(0, 1) != 0 ? &prove_refs : NULL); return call)

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
#define PROVE(T)                                                                                      \
    PROVE_STREAM_(T##_any_read, T##_MAX_BYTES, (T * v), pkt_reader, T##_read(&s, v))                  \
    PROVE_STREAM_(T##_any_write, T##_MAX_BYTES, (const T *v), pkt_writer, T##_write(&s, v))           \
    PROVE_BYTES_(T##_any_unpack, T##_MAX_BYTES, (T * v), return T##_unpack_body(v, data, size))       \
    PROVE_BYTES_(T##_any_pack, T##_MAX_BYTES, (const T *v), return T##_pack_body(v, data, size) != 0) \
                                                                                                      \
    void prove_##T(void)                                                                              \
    {                                                                                                 \
        static T v;                                                                                   \
        T##_init(&v);                                                                                 \
        if (!T##_any_read(&v))                                                                        \
            T##_init(&v);                                                                             \
        T##_any_write(&v);                                                                            \
    }                                                                                                 \
                                                                                                      \
    void prove_##T##_body(void)                                                                       \
    {                                                                                                 \
        static T v;                                                                                   \
        T##_init(&v);                                                                                 \
        if (!T##_any_unpack(&v))                                                                      \
            T##_init(&v);                                                                             \
        T##_any_pack(&v);                                                                             \
    }

/* The same from any bit of a stream, of which 0 to 8 bytes more are left than needed. With n bytes left, a reader and a
 * writer do what they do with data of n bytes, if that is 8 or more: so this is a proof for all these lengths at once.
 * The only accesses to bytes before the current one are words that are moved back. They are moved so that they end with
 * the data, or with a field that ends in the eighth byte of the data or later: contracts.sh proves that. */
#define PROVE_END_STREAM_(name, bytes, parameters, stream, call)                 \
    static bool name parameters                                                  \
    {                                                                            \
        static uint8_t storage[(bytes) + 8];                                     \
        stream s;                                                                \
        Frama_C_make_unknown((char *)storage, sizeof storage);                   \
        stream##_init(&s, storage, sizeof storage);                              \
        s.bit = Frama_C_unsigned_int_interval(0, 8 * (unsigned)sizeof storage);  \
        stream##_set_refs(&s, Frama_C_interval(0, 1) != 0 ? &prove_refs : NULL); \
        return call;                                                             \
    }

#define PROVE_END(T)                                                                            \
    PROVE_END_STREAM_(T##_end_read, T##_MAX_BYTES, (T * v), pkt_reader, T##_read(&s, v))        \
    PROVE_END_STREAM_(T##_end_write, T##_MAX_BYTES, (const T *v), pkt_writer, T##_write(&s, v)) \
                                                                                                \
    void prove_##T##_end(void)                                                                  \
    {                                                                                           \
        static T v;                                                                             \
        T##_init(&v);                                                                           \
        if (!T##_end_read(&v))                                                                  \
            T##_init(&v);                                                                       \
        T##_end_write(&v);                                                                      \
    }

/* A body with refs, with callbacks. */
#define PROVE_REFS(T)                                                              \
    PROVE_BYTES_(T##_any_unpack_refs, T##_MAX_BYTES, (T * v),                      \
                 return T##_unpack_body_refs(v, data, size, &prove_refs, NULL))    \
    PROVE_BYTES_(T##_any_pack_refs, T##_MAX_BYTES, (const T *v),                   \
                 return T##_pack_body_refs(v, data, size, &prove_refs, NULL) != 0) \
                                                                                   \
    void prove_##T##_refs(void)                                                    \
    {                                                                              \
        static T v;                                                                \
        T##_init(&v);                                                              \
        T##_any_unpack_refs(&v);                                                   \
        T##_any_pack_refs(&v);                                                     \
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

/* Reads a value from arbitrary bytes, and against it a coded delta in arbitrary bytes. */
#define PROVE_CODED(T)                 \
    void prove_##T##_coded(void)       \
    {                                  \
        static T base, v;              \
        T##_init(&base);               \
        T##_any_read(&base);           \
        T##_init(&v);                  \
        T##_any_read_delta(&base, &v); \
    }

#endif
