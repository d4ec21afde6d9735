/* pkt.h - the runtime of pktc: bit streams over memory, their errors, CRC-32 and text.
 * SPDX-License-Identifier: MIT
 *
 * A program that uses generated code needs the streams and errors below and nothing else; generated code asks for the
 * headers named at the end, too. The runtime knows no schema, keeps no state of its own, and allocates nothing but the
 * buffer of a writer that was asked to grow. It is C99 and C++11 and depends on the C standard library alone.
 *
 * Bit i of a stream is bit i % 8 of byte i / 8, and the low bits of a value go first. Positions are counted
 * in bits from the first byte of the data, sizes in bytes.
 */
#ifndef PKT_H
#define PKT_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rounding is part of the wire: two programs that round differently write different bytes. The method 16
 * differs from 0 only for half-precision numbers, which the wire does not have. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error \
    "pkt needs float arithmetic without excess precision: on 32-bit x86 add -msse2 -mfpmath=sse (MSVC: /arch:SSE2), on s390x -fexcess-precision=fast"
#endif
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "pkt needs exact IEEE-754 arithmetic: compile without -ffast-math, -Ofast, -ffinite-math-only or /fp:fast"
#endif

/* What compilers call differently. PKT_INLINE is for functions in headers that must vanish into their callers when code is
 * optimized; a debug build keeps them as functions, which compile fast and can be stepped through. PKT_COLD and PKT_NOINLINE
 * keep the paths of errors away from those that succeed. */
#if defined(__GNUC__) || defined(__clang__)
#if defined(__OPTIMIZE__)
#define PKT_INLINE static inline __attribute__((always_inline, unused))
#else
#define PKT_INLINE static inline __attribute__((unused))
#endif
#define PKT_COLD __attribute__((cold))
#define PKT_NOINLINE __attribute__((noinline))
#define PKT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PKT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#elif defined(_MSC_VER)
#define PKT_INLINE static __forceinline
#define PKT_COLD
#define PKT_NOINLINE __declspec(noinline)
#define PKT_LIKELY(x) (x)
#define PKT_UNLIKELY(x) (x)
#else
#define PKT_INLINE static inline
#define PKT_COLD
#define PKT_NOINLINE
#define PKT_LIKELY(x) (x)
#define PKT_UNLIKELY(x) (x)
#endif

/* PKT_ENUMERATION(Team, uint8_t) { ... }; declares an enumeration stored as a uint8_t. Where the language can say so (C++11, C23),
 * Team is an enumeration with that underlying type: -Wswitch names a member that a switch forgets, a debugger shows names,
 * and C++ accepts no other enumeration for it. In C99 Team is a typedef of uint8_t, and the members are int constants. Size,
 * alignment and calls are the same in all three, so that C and C++ files can be linked together. */
#if defined(__cplusplus)
#define PKT_ENUMERATION(T, storage) enum T : storage
#define PKT_TYPED_ENUMS 1
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define PKT_ENUMERATION(T, storage) \
    enum T : storage;               \
    typedef enum T T;               \
    enum T : storage
#define PKT_TYPED_ENUMS 1
#else
#define PKT_ENUMERATION(T, storage) \
    typedef storage T;              \
    enum
#define PKT_TYPED_ENUMS 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---------------------------------------------------------------------------------------- */

/* Why a stream failed. ORDER PKT_CODE: the names and texts in pkt.c. */
typedef enum pkt_code {
    PKT_OK,
    PKT_ERROR_END,       /* reading: past the data */
    PKT_ERROR_RANGE,     /* a value, count, tag or index outside its bounds */
    PKT_ERROR_ORDER,     /* indices, or a field after another, that do not rise */
    PKT_ERROR_PADDING,   /* reading: ones in an align or behind the last bit */
    PKT_ERROR_UTF8,      /* malformed UTF-8, or a zero byte in a text */
    PKT_ERROR_CHECK,     /* reading: a const, reserved or check that differs */
    PKT_ERROR_CANONICAL, /* reading: valid bytes that the writer would write otherwise */
    PKT_ERROR_TRAILING,  /* reading: whole bytes left over */
    PKT_ERROR_CRC,       /* reading: the packet is damaged or of another protocol */
    PKT_ERROR_CAPACITY,  /* writing: the buffer is full, or memory ran out */
    PKT_ERROR_VALUE      /* writing: a value with no encoding, such as a quantized float that is not finite */
} pkt_code;

/* Room for the name of a field, its terminator included. */
#define PKT_FIELD_SIZE 160

typedef struct pkt_error {
    pkt_code code;
    uint64_t bit;               /* the first bit of the item at fault */
    char field[PKT_FIELD_SIZE]; /* its full name, as "Snapshot.bodies.x"; empty where no field is at fault */
} pkt_error;

/* The reason as one word: "end", "range", "order", "padding", "utf8", "check", "canonical", "trailing",
 * "crc", "capacity", "value"; "ok" for PKT_OK. Never NULL; the text is constant. */
const char *pkt_code_name(pkt_code code);

/* One line about the error, without a newline, such as
 *     Snapshot.bodies.x: value out of range at bit 133 (range)
 * Writes at most size bytes into buffer, the terminator included, and cuts what does not fit; 256 bytes hold
 * every error. Returns buffer, or "" where size is 0 (buffer may be NULL then). */
const char *pkt_error_string(const pkt_error *error, char *buffer, size_t size);

/* Prepends "outer." to the name of the field, or makes outer the name where there is none. Callers add their
 * part of the name with it while they unwind. Subscripts in outer ("bodies[i]") are left out; a name that
 * does not fit keeps its right end, behind "...". NULL and "" change nothing. */
PKT_COLD void pkt_error_outer(pkt_error *error, const char *outer);

/* ---- Refs ------------------------------------------------------------------------------------------ */

/* How the pointers of `ref` fields go over the wire: as ids that the program gives. Streams are told with
 * pkt_writer_set_refs and pkt_reader_set_refs, packets with their _pack_refs and _unpack_refs; the same pkt_refs
 * may serve any number of streams, one after the other. `type` is what the schema says is pointed to: for
 * ref<Player, MAX> the constant Player_REF of the generated header, which a switch can tell apart. */
typedef struct pkt_refs {
    /* The id of what target points to, which is never NULL; from 1 to the field's MAX, else the write fails with
     * PKT_ERROR_RANGE. 0 writes a null: what has no id. */
    uint32_t (*id_of)(void *user, uint32_t type, const void *target);
    /* What the id, from 1 to the field's MAX, stands for: a pointer to that type, or NULL where the program knows none. */
    void *(*target_of)(void *user, uint32_t type, uint32_t id);
    void *user; /* handed to both */
    /* Counts the ids that a reader met and target_of did not know, also in data that it refused in the end. Such a ref reads
     * as NULL; a program that sees the count rise can read the bytes again once it knows more. Set to 0 at will. */
    uint64_t unknown;
} pkt_refs;

/* ---- Writing --------------------------------------------------------------------------------------- */

/* A stream being written. Programs use the functions below and read `error`; the other members are for
 * generated code. After every write all bytes up to and including the one at bit / 8 are stored where that
 * one has begun (bit % 8 != 0), its unused high bits zero. Bytes further on may be overwritten freely.
 *
 * A writer that has failed has error.code != PKT_OK and limit 0: whatever needs room fails from then on,
 * without a check of its own. */
typedef struct pkt_writer {
    uint8_t *data;
    uint64_t bit;   /* bits written; where the next one goes */
    uint64_t limit; /* bits there is room for */
    uint64_t carry; /* the bits written of the byte at bit / 8: bit % 8 of them, else 0 */
    bool grows;     /* data was allocated by pkt_writer_grow and belongs to the writer */
    bool quiet;     /* a function that fails does not say why: its caller does */
    uint64_t room;  /* what limit is while nothing has failed */
    pkt_refs *refs;
    pkt_error error;
} pkt_writer;

/* The bits of a buffer; 0 for one that cannot be: NULL, or as large as a negative number turns into. Of sizes between these and
 * what there is in memory they are too few, never too many. */
PKT_INLINE uint64_t pkt_size_bits(const void *data, size_t size)
{
    if (PKT_UNLIKELY(data == NULL || size > (size_t)PTRDIFF_MAX))
        return 0;
    return 8 * (uint64_t)size;
}

/* A position to go back to. */
typedef struct pkt_mark {
    uint64_t bit, carry;
    pkt_code code;
} pkt_mark;

/* Starts writing into the size bytes at data, which belong to the caller, need no alignment and must stay
 * until the writer is done with. data may be NULL where size is 0; a size over PTRDIFF_MAX, as a negative
 * number turns into, and NULL count as no room at all. Nothing is written yet. */
PKT_INLINE void pkt_writer_init(pkt_writer *w, void *data, size_t size)
{
    w->data = (uint8_t *)data;
    w->bit = 0;
    w->limit = pkt_size_bits(data, size);
    w->carry = 0;
    w->grows = false;
    w->quiet = false;
    w->room = w->limit;
    w->refs = NULL;
    w->error.code = PKT_OK;
    w->error.bit = 0;
    w->error.field[0] = 0;
}

/* Starts writing into memory that the writer allocates itself and enlarges as needed. It is at w->data, is
 * at another address after any write, and is freed by pkt_writer_free alone. */
void pkt_writer_grow_init(pkt_writer *w);

/* Frees the memory of a growing writer, whether or not it failed, and leaves it empty, as after
 * pkt_writer_grow_init. Does nothing to a writer over memory of the caller. */
void pkt_writer_free(pkt_writer *w);

/* Makes room for so many bits more, at least doubling the memory. True when limit - bit is then at least
 * bits; false, with nothing changed, when the writer does not grow, has failed or there is no memory: the
 * caller then fails with PKT_ERROR_CAPACITY. True also means that data and limit may have changed. */
PKT_COLD bool pkt_writer_grow(pkt_writer *w, uint64_t bits);

/* Ends a packet: *size is the number of bytes written, the last one filled up with zero bits. False, with
 * *size 0, if anything has failed. May be called again, and writing may go on behind it at the same bit. */
PKT_INLINE bool pkt_writer_finish(pkt_writer *w, size_t *size)
{
    bool ok = w->error.code == PKT_OK;
    *size = ok ? (size_t)((w->bit + 7) / 8) : 0;
    return ok;
}

/* Whom to ask for the ids of refs, from here on: *refs belongs to the caller and stays while it is written with. NULL, as
 * after pkt_writer_init: nobody, and only null refs can be written; others fail with PKT_ERROR_VALUE. */
PKT_INLINE void pkt_writer_set_refs(pkt_writer *w, pkt_refs *refs)
{
    w->refs = refs;
}

/* The number of bits written; where writing failed, those before the failure. */
PKT_INLINE uint64_t pkt_writer_bits(const pkt_writer *w)
{
    return w->bit;
}

/* The number of bits there is room for yet, 0 after a failure. Of a growing writer: before it grows next. */
PKT_INLINE uint64_t pkt_writer_bits_left(const pkt_writer *w)
{
    return w->bit < w->limit ? w->limit - w->bit : 0;
}

/* Remembers the position, for pkt_writer_rewind on the same writer. A mark is good until the writer is
 * started anew, freed, or rewound to an earlier mark. */
pkt_mark pkt_writer_mark(const pkt_writer *w);

/* Takes back everything written since the mark, and a failure since then too: the writer is again what it
 * was, but for the room a growing one has won. A mark that was taken of a failed writer, or that lies
 * further on than the writer has come, changes nothing. */
void pkt_writer_rewind(pkt_writer *w, pkt_mark mark);

/* Marks the stream as failed, unless it has failed already: the first failure stays the one reported. bit is
 * the first bit of the item at fault, field its name, with subscripts as in pkt_error_outer, or NULL. */
PKT_COLD void pkt_fail_writer(pkt_writer *w, pkt_code code, uint64_t bit, const char *field);

/* ---- Reading --------------------------------------------------------------------------------------- */

/* A stream being read. Programs use the functions below and read `error`; the other members are for
 * generated code. No byte from limit / 8 on is ever touched. A failed reader is like a failed writer. */
typedef struct pkt_reader {
    const uint8_t *data;
    uint64_t bit;   /* bits read; where the next one comes from */
    uint64_t limit; /* bits there are */
    pkt_refs *refs;
    bool quiet;   /* as a writer's */
    bool changed; /* the last delta was not empty */
    pkt_error error;
} pkt_reader;

/* What a reader without data points to, for pointers to nothing cannot be added to; and the rest of pkt_reader_finish. */
extern const uint8_t pkt_nothing[1];
bool pkt_reader_left_over(pkt_reader *r);

/* Starts reading the size bytes at data, which belong to the caller, need no alignment, are not copied, and
 * must stay unchanged while they are read. data may be NULL where size is 0; a size over PTRDIFF_MAX and
 * NULL count as no data at all. */
PKT_INLINE void pkt_reader_init(pkt_reader *r, const void *data, size_t size)
{
    r->data = data != NULL ? (const uint8_t *)data : pkt_nothing;
    r->bit = 0;
    r->limit = pkt_size_bits(data, size);
    r->refs = NULL;
    r->quiet = false;
    r->changed = false;
    r->error.code = PKT_OK;
    r->error.bit = 0;
    r->error.field[0] = 0;
}

/* Ends reading: true when nothing has failed, no whole byte is left, and the bits left of the last one are
 * zero. Else false; then, if nothing had failed before, the error is PKT_ERROR_TRAILING or PKT_ERROR_PADDING at
 * the first bit left, with no field. */
PKT_INLINE bool pkt_reader_finish(pkt_reader *r)
{
    if (r->bit == r->limit && r->error.code == PKT_OK)
        return true;
    return pkt_reader_left_over(r);
}

/* Whom to ask what the ids of refs stand for, as pkt_writer_set_refs. NULL, as after pkt_reader_init: nobody, and every ref
 * reads as NULL. */
PKT_INLINE void pkt_reader_set_refs(pkt_reader *r, pkt_refs *refs)
{
    r->refs = refs;
}

/* The number of bits read; where reading failed, those before the failure. */
PKT_INLINE uint64_t pkt_reader_bits(const pkt_reader *r)
{
    return r->bit;
}

/* The number of bits not read yet, unused bits of the last byte among them; 0 after a failure. */
PKT_INLINE uint64_t pkt_reader_bits_left(const pkt_reader *r)
{
    return r->bit < r->limit ? r->limit - r->bit : 0;
}

/* As pkt_fail_writer. */
PKT_COLD void pkt_fail_reader(pkt_reader *r, pkt_code code, uint64_t bit, const char *field);

/* ---- CRC-32 ---------------------------------------------------------------------------------------- */

/* The CRC-32 of Ethernet and zlib. crc is 0 at the start, or the CRC of what comes before data: parts may
 * follow each other as pkt_crc32(pkt_crc32(0, a, m), b, n). data may be NULL where size is 0. It guards
 * against accidents, not against someone who wants a wrong packet accepted. */
uint32_t pkt_crc32(uint32_t crc, const void *data, size_t size);

/* ---- Text ------------------------------------------------------------------------------------------ */

/* True when the size bytes at s are well-formed UTF-8 without a zero byte: nothing overlong, no surrogates,
 * nothing above U+10FFFF, no sequence cut off. Touches no byte outside them. size may be 0, s NULL then. */
bool pkt_text_valid(const uint8_t *s, size_t size);

/* The same check while the bytes are copied to `to`, which has room for size of them and does not overlap
 * them; no terminator is added. Where the answer is false, what `to` holds in these size bytes is not
 * specified. */
bool pkt_text_copy(char *to, const uint8_t *from, size_t size);

/* ---- Presence bits --------------------------------------------------------------------------------- */

/* Which of n elements of a sparse array are there: element i is bit i % 64 of word i / 64. Generated code gives these
 * functions a name and a type for each array. An i from n on is never there, and cannot be. */
PKT_INLINE bool pkt_present_has(const uint64_t *present, const uint32_t n, uint32_t i)
{
    return i < n && (present[i / 64] >> i % 64 & 1) != 0;
}

PKT_INLINE bool pkt_present_set(uint64_t *present, const uint32_t n, uint32_t i)
{
    if (i >= n)
        return false;
    present[i / 64] |= UINT64_C(1) << i % 64;
    return true;
}

PKT_INLINE void pkt_present_clear(uint64_t *present, const uint32_t n, uint32_t i)
{
    if (i < n)
        present[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* The first one from `from` on that is there, n where none is; how many are. */
uint32_t pkt_present_next(const uint64_t *present, uint32_t n, uint32_t from);
uint32_t pkt_present_count(const uint64_t *present, uint32_t n);

/* ---- Types of fields ------------------------------------------------------------------------------- */

typedef struct pkt_quat {
    float x, y, z, w;
} pkt_quat;

typedef struct pkt_vec3 {
    float x, y, z;
} pkt_vec3;

/* What a rotation and a direction are where nothing else was set: no turn, and +z. */
PKT_INLINE pkt_quat pkt_quat_identity(void)
{
    pkt_quat q;
    q.x = q.y = q.z = 0.0f;
    q.w = 1.0f;
    return q;
}

PKT_INLINE pkt_vec3 pkt_vec3_z(void)
{
    pkt_vec3 v;
    v.x = v.y = 0.0f;
    v.z = 1.0f;
    return v;
}

#ifdef __cplusplus
}
#endif

#endif

/* ---- What generated code asks for ------------------------------------------------------------------- */

/* NAME_codec.h defines PKT_WITH_CODEC, and NAME_reflect.h PKT_WITH_REFLECT, before it includes this header. A program's own
 * files do without, so they compile faster. PKT_IMPLEMENTATION is for the runtime in one header: it has these parts here and
 * the functions at its end, and one file of a program defines PKT_IMPLEMENTATION before it includes the header. */
#if defined(PKT_WITH_CODEC) || defined(PKT_IMPLEMENTATION)
#undef PKT_WITH_CODEC /* for these headers include this one */
#include "pkt_codec.h"
#include "pkt_delta.h"
#include "pkt_subset.h"
#endif
#if defined(PKT_WITH_REFLECT) || defined(PKT_IMPLEMENTATION)
#undef PKT_WITH_REFLECT
#include "pkt_reflect.h"
#endif
