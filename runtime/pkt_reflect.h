/* pkt_reflect.h - prints values, and walks through them, by descriptions of their types.
 * SPDX-License-Identifier: MIT
 *
 * `pktc --reflect` writes a constant Type_reflection for each type of NAME.pkt, in NAME_reflect.h and NAME_reflect.c.
 * It describes the members of the C struct that go over the wire: names, offsets, bounds. Local members are not in it.
 * With it, tools, logs, editors and consoles can show every packet without code for each type:
 *
 *     pkt_print(stderr, &Snapshot_reflection, &snapshot);
 *
 * Writing and reading packets does not need it.
 */
#ifndef PKT_REFLECT_H
#define PKT_REFLECT_H

#include "pkt_kind.h"

#include <stdio.h>

PKT_C_BEGIN

/* ---- Descriptions ---------------------------------------------------------------------------------- */

/* Of a type, pkt_type has what pkt_kind.h says. */
typedef enum pkt_shape {
    PKT_ONE,
    PKT_ARRAY,    /* all elements are present */
    PKT_COUNTED,  /* the first x_count elements are present */
    PKT_COMPUTED, /* the first T_x_count(v) elements are present */
    PKT_SPARSE    /* the elements whose bit is set in x_present are present */
} pkt_shape;

/* A member of a C struct, in bytes. The size is 0 if there is no such member. */
typedef struct pkt_part {
    size_t offset, size;
} pkt_part;

/* A field of a struct, or a member of a union. */
typedef struct pkt_member {
    const char *name;
    pkt_kind kind;
    const pkt_type *type; /* for ENUM, FLAGS, STRUCT, UNION and REF; else NULL */
    pkt_shape shape;
    uint32_t dims[8];       /* numbers of elements, outermost dimension first, then zeros; all zeros for PKT_ONE */
    bool conditional;       /* under an `if` or `switch`; has its base value if that is not taken */
    pkt_part value;         /* the field itself; all elements */
    pkt_part has;           /* has_x, a bool, for an optional field */
    pkt_part count;         /* x_count or x_present */
    unsigned computed;      /* PKT_COMPUTED: its number for pkt_type.side */
    pkt_part sizes;         /* x_size of bytes; for an array, one for each element */
    unsigned bits;          /* bits of one element on the wire; 0 if they vary */
    unsigned fraction_bits; /* FIXED */
    uint64_t low, high; /* integers and FIXED: the bounds, signed ones in two's complement; REF: 0 and MAX; STRING and
                         * BYTES: 0 and the greatest length in bytes */
    double real_low, real_high, step; /* quantized floats: the bounds, and the distance of two values; else 0 */
    const pkt_entry *next, *side_end; /* where pkt_next_member goes on */
} pkt_member;

/* The members of a struct in the order of the schema, or those of a union in the order of tags:
 *
 *     pkt_member m = {0};
 *     while (pkt_next_member(&Snapshot_reflection, &m))
 *         puts(m.name);
 */
PKT_API bool pkt_next_member(const pkt_type *type, pkt_member *member);

/* The member of a union that its tag selects. False if the tag is invalid, or if the type is no union. */
PKT_API bool pkt_chosen_member(const pkt_type *type, const void *value, pkt_member *member);

/* ---- Walking --------------------------------------------------------------------------------------- */

typedef enum pkt_step {
    PKT_STEP_VALUE,  /* anything except an array, a struct or a union */
    PKT_STEP_ARRAY,  /* an array begins; or, within an array, one of its next dimension */
    PKT_STEP_STRUCT, /* a struct begins */
    PKT_STEP_UNION,  /* a union begins; the member that its tag selects follows, or nothing if the tag is invalid */
    PKT_STEP_ARRAY_END,
    PKT_STEP_STRUCT_END,
    PKT_STEP_UNION_END
} pkt_step;

typedef struct pkt_item {
    pkt_step step;
    pkt_kind kind;            /* of the value; for an array, of its elements */
    const pkt_member *member; /* valid during the call; NULL for the value that was passed to pkt_visit */
    const pkt_type *type;     /* member->type, or the type that was passed to pkt_visit */
    const pkt_type *owner;    /* the struct or union that has the member; NULL if member is */
    const void *value;        /* its address; for an array, that of the first element */
    size_t size;  /* bytes of the C type; of a STRING's text; of BYTES' content; for an array, of one element */
    bool element; /* it is the element `index` of an array */
    uint32_t index;
    uint32_t depth; /* the number of arrays, structs and unions around it */
} pkt_item;

/* Called for each step. Returning false ends the walk. *item is valid during the call. */
typedef bool pkt_visitor(void *user, const pkt_item *item);

/* Calls visit for each part of a value that is present. It skips optionals that are absent, elements past the count or
 * without a presence bit, and members of a union other than the selected one, and does not follow refs. It visits
 * fields under a condition even if that is false; then they have base values. The value may be invalid: counts, sizes,
 * tags and texts are used only within their bounds. Recursion is as deep as the types of the schema are nested. Returns
 * false if the visitor ended the walk. */
PKT_API bool pkt_visit(const pkt_type *type, const void *value, pkt_visitor *visit, void *user);

/* ---- Values ---------------------------------------------------------------------------------------- */

/* The value of a BOOL, UNSIGNED, SIGNED, FIXED, ENUM or FLAGS item, sign-extended; 0 for other kinds. A FIXED is in
 * units of 1 / 2^fraction_bits. */
PKT_API uint64_t pkt_item_integer(const pkt_item *item);
/* The value of a FLOAT or FIXED item; 0 for other kinds. */
PKT_API double pkt_item_real(const pkt_item *item);
/* The name of an enum's member, a constant string; NULL if no member has this value. */
PKT_API const char *pkt_enum_name(const pkt_type *type, uint64_t value);

/* ---- Printing -------------------------------------------------------------------------------------- */

/* Receives the next size bytes of a text, without a terminator. */
typedef void pkt_sink(void *user, const char *text, size_t size);

/* Prints a value as text for people: a member on each line, and a newline at the end.
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
 * Enums and flags are printed by name, or as a number if they have none. Floats have the fewest digits that identify
 * them. Texts are quoted, with \", \\, \n, \t, and \xHH for control characters and bytes that are not UTF-8. Elements
 * of sparse arrays have their index, and refs are "null" or "-> Type". A value gives the same text on all platforms. */
PKT_API void pkt_print_to(pkt_sink *sink, void *user, const pkt_type *type, const void *value);
/* The same, to a file. Use ferror to see whether writing failed. */
PKT_API void pkt_print(FILE *to, const pkt_type *type, const void *value);

PKT_C_END

#endif
