/* pkt_reflect.h - values seen through descriptions of their types: printed, or walked by a callback.
 * SPDX-License-Identifier: MIT
 *
 * `pktc --reflect` describes each type of NAME.pkt as a constant, Type_reflection, in NAME_reflect.h and NAME_reflect.c:
 * what is in the C struct of what goes over the wire, where, and with which bounds. Local members are not in it.
 * Tools, logs, editors and consoles can show any packet with it and without code of their own for each:
 *
 *     pkt_print(stderr, &Snapshot_reflection, &snapshot);
 *
 * Nothing of it is needed to write or read packets.
 */
#ifndef PKT_REFLECT_H
#define PKT_REFLECT_H

#include "pkt.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Descriptions ---------------------------------------------------------------------------------- */

/* What a value is. */
typedef enum pkt_kind {
    PKT_KIND_BOOL,
    PKT_KIND_UNSIGNED, /* bits, unsigned integers and compact ones */
    PKT_KIND_SIGNED,
    PKT_KIND_FIXED,  /* a signed integer that counts 1 / 2^fraction_bits */
    PKT_KIND_FLOAT,  /* float or double, as its size tells; raw or quantized, as step tells */
    PKT_KIND_QUAT,   /* pkt_quat */
    PKT_KIND_UNIT,   /* pkt_vec3 */
    PKT_KIND_STRING, /* char[high + 1] */
    PKT_KIND_BYTES,  /* uint8_t[high] */
    PKT_KIND_REF,    /* a pointer to type */
    PKT_KIND_ENUM,   /* type */
    PKT_KIND_FLAGS,  /* type */
    PKT_KIND_STRUCT, /* type */
    PKT_KIND_UNION   /* type */
} pkt_kind;

typedef enum pkt_shape {
    PKT_ONE,
    PKT_ARRAY,   /* all elements count */
    PKT_COUNTED, /* the first x_count of them */
    PKT_SPARSE   /* those whose bit is set in x_present */
} pkt_shape;

typedef struct pkt_type pkt_type;

/* Part of a struct: size 0 where there is none. */
typedef struct pkt_part {
    size_t offset, size;
} pkt_part;

/* A member of a struct, or of a union's `as`. */
typedef struct pkt_member {
    const char *name;
    pkt_kind kind;
    const pkt_type *type; /* of ENUM, FLAGS, STRUCT, UNION, REF; else NULL */
    pkt_shape shape;
    uint32_t dims[8];       /* unless PKT_ONE: how many elements, outermost first, then zeros */
    bool conditional;       /* on the wire only where an `if` or `switch` says so; else it has its base value */
    pkt_part value;         /* all elements */
    pkt_part has;           /* has_x, a bool, of what is optional */
    pkt_part count;         /* x_count, or x_present */
    pkt_part sizes;         /* x_size of bytes, one an element */
    unsigned bits;          /* of an element of always the same bits; else 0 */
    unsigned fraction_bits; /* FIXED */
    uint64_t low, high; /* bounds of integers and fixed (signed ones in two's complement); REF: 0 and MAX; STRING and
                             * BYTES: 0 and the greatest length */
    double real_low, real_high, step; /* of quantized floats; step 0 for others */
} pkt_member;

/* A member of an enum, or a flag by its mask. */
typedef struct pkt_name {
    const char *name;
    uint64_t value;
} pkt_name;

struct pkt_type {
    const char *name;            /* as the schema has it */
    pkt_kind kind;               /* STRUCT, UNION, ENUM or FLAGS */
    size_t size;                 /* of the C type */
    uint64_t min_bits, max_bits; /* STRUCT and UNION: on the wire, over every position and value */
    const pkt_member *members;   /* STRUCT; UNION: by tag, offsets from the union's start */
    uint32_t member_count;
    const pkt_name *names; /* ENUM and FLAGS */
    uint32_t name_count;
    pkt_part tag; /* UNION */
};

/* For the descriptions that pktc makes. */
#define PKT_PART(T, m)                      \
    {                                       \
        offsetof(T, m), sizeof(((T *)0)->m) \
    }
#define PKT_NO_PART \
    {               \
        0, 0        \
    }

/* ---- Walking --------------------------------------------------------------------------------------- */

typedef enum pkt_step {
    PKT_STEP_VALUE,  /* anything but an array, a struct or a union */
    PKT_STEP_ARRAY,  /* an array begins: or an array inside one, of the next dimension */
    PKT_STEP_STRUCT, /* a struct begins */
    PKT_STEP_UNION,  /* a union begins: what follows is the member that its tag names, or nothing for a bad tag */
    PKT_STEP_ARRAY_END,
    PKT_STEP_STRUCT_END,
    PKT_STEP_UNION_END
} pkt_step;

typedef struct pkt_item {
    pkt_step step;
    pkt_kind kind;            /* of the value; of an array's elements */
    const pkt_member *member; /* NULL for the value that the walk began with */
    const pkt_type *type;     /* as member->type, or what the walk began with */
    const pkt_type *owner;    /* the struct or union that the member is of; NULL with member */
    const void *value;        /* where it lies; an array: its first element */
    size_t size;              /* of the C type; of the text of a STRING, of the bytes of BYTES; of an array's element */
    bool element;             /* of an array, at `index` */
    uint32_t index;
    uint32_t depth; /* how many are begun around it */
} pkt_item;

/* Called for each step; false ends the walk. The item is good during the call. */
typedef bool pkt_visitor(void *user, const pkt_item *item);

/* Walks what is there in a value: no optional that is absent, no element past its count or without its presence bit, of a
 * union one member, through no ref. Fields under a condition come always, with their base values where it does not
 * hold. The value may be anything: counts, sizes, tags and texts are believed only within their bounds. The whole is
 * nested as deep as the schema. True unless the visitor ended it. */
bool pkt_visit(const pkt_type *type, const void *value, pkt_visitor *visit, void *user);

/* ---- Values ---------------------------------------------------------------------------------------- */

/* The integer of an item of kind BOOL, UNSIGNED, SIGNED, FIXED, ENUM or FLAGS, sign-extended. 0 for other kinds. */
uint64_t pkt_item_integer(const pkt_item *item);
/* The number of an item of kind FLOAT or FIXED. 0 for other kinds. */
double pkt_item_real(const pkt_item *item);
/* The name of a member of an enum, or NULL where the value is none. */
const char *pkt_enum_name(const pkt_type *type, uint64_t value);

/* ---- Printing -------------------------------------------------------------------------------------- */

/* Takes the next size bytes of a text, not terminated. */
typedef void pkt_sink(void *user, const char *text, size_t size);

/* Prints a value as text for people, a member a line, and a newline at the end:
 *
 *     Snapshot {
 *         team: red
 *         keys: fire | crouch
 *         name: "J\"rg"
 *         inputs: [1, 2, 3]
 *         bodies: [
 *             17: {
 *                 x: -3.25
 *                 blob: <01 ff>
 *             }
 *         ]
 *         target: null
 *         weapon: laser {
 *             heat: 0.5
 *         }
 *     }
 *
 * Enums and flags by name (numbers for what has none), floats with as few digits as tell them from all others, texts
 * quoted, with \", \\, \n, \t and \xHH for control bytes and what is not UTF-8, elements of sparse arrays with their index,
 * refs as "null" or "-> Type". The same value gives the same text everywhere. */
void pkt_print_to(pkt_sink *sink, void *user, const pkt_type *type, const void *value);
/* The same to a file; failures are the file's, see ferror. */
void pkt_print(FILE *to, const pkt_type *type, const void *value);

#ifdef __cplusplus
}
#endif

#endif
