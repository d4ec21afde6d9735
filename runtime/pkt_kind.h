/* pkt_kind.h - what a type is: its name, its kind, its size and the number of its bits.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_KIND_H
#define PKT_KIND_H

#include "pkt_stream.h"

PKT_C_BEGIN

/* The kind of a value in a program. */
typedef enum pkt_kind {
    PKT_KIND_BOOL,
    PKT_KIND_UNSIGNED, /* unsigned integers, also compact ones, and bits<N> */
    PKT_KIND_SIGNED,
    PKT_KIND_FIXED,  /* fixed point: a signed integer in units of 1 / 2^fraction_bits */
    PKT_KIND_FLOAT,  /* float or double, depending on the size */
    PKT_KIND_QUAT,   /* pkt_quat */
    PKT_KIND_UNIT,   /* pkt_vec3 */
    PKT_KIND_STRING, /* char[], with a terminator */
    PKT_KIND_BYTES,  /* uint8_t[] */
    PKT_KIND_REF,    /* a pointer to a value of a type */
    PKT_KIND_ENUM,
    PKT_KIND_FLAGS,
    PKT_KIND_STRUCT,
    PKT_KIND_UNION
} pkt_kind;

/* For generated code: see pkt_type.h. */
typedef struct pkt_entry pkt_entry;

/* A member of an enum with its value, or a flag with its mask. */
typedef struct pkt_name {
    const char *name; /* NULL without --reflect */
    uint64_t value;
} pkt_name;

struct pkt_type {
    const char *name;            /* in the schema */
    pkt_kind kind;               /* STRUCT, UNION, ENUM or FLAGS */
    uint32_t count;              /* of entries or names */
    size_t size;                 /* of the C type, in bytes */
    const pkt_entry *entries;    /* STRUCT and UNION */
    const pkt_name *names;       /* ENUM and FLAGS, in the order of the schema */
    uint64_t min_bits, max_bits; /* STRUCT and UNION: least and greatest number of bits on the wire */
    /* The side of branch n that a value takes, from 1; 0 if it takes no arm of a switch. The count of an array, if n is
     * the number of a COMPUTED. NULL if there are neither. */
    unsigned (*side)(const void *v, unsigned n);
};

PKT_C_END

#endif
