/* kinds.h - the tables of the kinds of types and of the real numbers: a row for each, a column for each question. The
 * storages of scalars.
 * SPDX-License-Identifier: MIT
 *
 * A question that several places ask of a kind is a column here. A place that does something of its own for each kind has
 * a switch without a default, so that the C compiler names the places where a new kind is missing.
 */
#ifndef PKTC_KINDS_H
#define PKTC_KINDS_H

#include "base/num.h"

/* sort:   the kind of a value in the program, SORT_...
 * scalar: stored in type.storage; can have `= D` and `unless D`
 * steps:  a value has a code that ascends with it, so it can have delta<s, l> and be coded
 * stable: a @stable packet can have it
 * family: the meaning of a value's bits, FAMILY_..., for the colours of the page of `pktc layout`
 * noun:   in messages. $written is the type as it was written, $word is real_word, $decl is the noun and name of the
 *         declaration. */
/* clang-format off */
#define TYPE_KINDS(X)                                                                     \
    /* kind      sort     scalar steps  stable family  noun */                            \
    X(BOOL,      BOOL,    true,  false, true,  BOOL,   "a bool")                          \
    /* bits<N>, and u8 ... i64 without a range: `bits` bits, two's complement */          \
    X(BITS,      INTEGER, true,  true,  true,  NUMBER, "'$written'")                      \
    /* int<lo, hi>, u16<lo, hi> ...: low to high, even if that is the full width */       \
    X(INT,       INTEGER, true,  true,  true,  NUMBER, "'$written'")                      \
    /* fixed<I, F, lo, hi>: low and high are raw; whole_bits is I, fraction_bits is F */  \
    X(FIXED,     FIXED,   true,  true,  false, REAL,   "a fixed")                         \
    /* decl; stable if the enum has a width */                                            \
    X(ENUM,      ENUM,    true,  false, true,  ENUM,   "$decl")                           \
    X(FLAGS,     FLAGS,   true,  false, false, BOOL,   "$decl")                           \
    /* half, float and double, raw: `real` says which, and `bits` are on the wire */      \
    X(FLOAT,     REAL,    true,  true,  false, REAL,   "a $word")                         \
    /* float<lo, hi, res>, double<lo, hi, res>: real_* are rounded to `real`; steps */    \
    X(QUANTIZED, REAL,    true,  true,  false, REAL,   "a quantized $word")               \
    /* float<lo, hi, res> with `or raw`: as QUANTIZED, or 32 raw bits if that would be another value */ \
    X(OR_RAW,    REAL,    true,  true,  false, REAL,   "a float with 'or raw'")            \
    /* compact u16, u32, u64: `bits` is 16, 32 or 64 */                                   \
    X(COMPACT,   INTEGER, true,  true,  false, NUMBER, "'$written'")                      \
    /* `bits` per component, as of UNIT */                                                \
    X(QUAT,      QUAT,    false, true,  false, REAL,   "a quat")                          \
    X(UNIT,      UNIT,    false, false, false, REAL,   "a unit vector")                   \
    /* length: at most this many bytes, as of BYTES */                                    \
    X(STRING,    STRING,  false, false, true,  TEXT,   "a string")                        \
    X(BYTES,     BYTES,   false, false, true,  TEXT,   "bytes")                           \
    /* decl: a struct or packet */                                                        \
    X(STRUCT,    STRUCT,  false, false, true,  TYPE,   "$decl")                           \
    /* decl: a union or packet union */                                                   \
    X(UNION,     UNION,   false, false, false, TYPE,   "$decl")                           \
    /* decl: the struct or packet of its target; high: the greatest id */                 \
    X(REF,       REF,     false, false, false, NUMBER, "a ref")                           \
    /* local "void *" user: c_type */                                                     \
    X(FOREIGN,   FOREIGN, false, false, false, TYPE,   "a C type")

/* Real numbers as IEEE-754 has them. Those that are narrower on the wire than in memory are rounded when they are written.
 * The name is the word of the schema in capitals: it is also in the names of the runtime's macros.
 *
 * storage:  in memory, STORAGE_...
 * bits:     on the wire, without arguments
 * digits:   significant bits
 * exponent: of the greatest number, which is just below 2^(exponent + 1)
 * form:     how the word is written with its arguments, `arguments` of them
 * reserved: the word cannot name anything else */
#define REAL_KINDS(X)                                                                  \
    /*name   word    storage bits digits exponent form                   arguments reserved */ \
    X(HALF,   half,   FLOAT,  16,  11,   15,      "half",                0, false)     \
    X(FLOAT,  float,  FLOAT,  32,  24,   127,     "float<lo, hi, res>",  3, true)      \
    X(DOUBLE, double, DOUBLE, 64,  53,   1023,    "double<lo, hi, res>", 3, true)
/* clang-format on */

typedef enum type_kind {
#define KIND(kind, ...) TYPE_##kind,
    TYPE_KINDS(KIND)
#undef KIND
} type_kind;

typedef enum real_kind {
#define KIND(kind, ...) REAL_##kind,
    REAL_KINDS(KIND)
#undef KIND
} real_kind;

/* ---- storage.c: the storages of scalars in memory: how wide they are and what values they hold.
 *
 * A storage is named after the .pkt type that uses all of it: `bits<5>` is stored in a u8, `fixed<8, 8, ...>` in an
 * i16. emit/cname.h has their names in C.
 */

typedef enum storage {
    STORAGE_NONE, /* not a scalar */
    STORAGE_BOOL,
    STORAGE_U8,
    STORAGE_U16,
    STORAGE_U32,
    STORAGE_U64,
    STORAGE_I8,
    STORAGE_I16,
    STORAGE_I32,
    STORAGE_I64,
    STORAGE_FLOAT,
    STORAGE_DOUBLE
} storage;

/* "u8", "double"; "" for STORAGE_NONE. */
const char *storage_word(storage s);

/* Bits in memory: 8 for a bool, 0 for STORAGE_NONE. */
unsigned storage_bits(storage s);

/* Whether it is a signed integer; whether it is a float or double. */
bool storage_is_signed(storage s);
bool storage_is_real(storage s);

/* The least and greatest value of a bool or an integer. */
void storage_range(storage s, num *low, num *high);

/* The smallest unsigned storage that holds all values from 0 to max. */
storage storage_for(uint64_t max);

/* The smallest signed storage that holds all values from low to high; STORAGE_NONE if an i64 does not. */
storage storage_for_signed(num low, num high);

#endif
