/* describe.h - the types of a schema for people and programs: values, bits, places and C declarations of each item.
 * SPDX-License-Identifier: MIT
 *
 * `pktc describe` prints it, and `pktc lsp` shows it in the editor. Numbers are texts that JSON can have as they are.
 */
#ifndef PKTC_DESCRIBE_H
#define PKTC_DESCRIBE_H

#include "base/json.h"
#include "wire/wire.h"

/* Bits or elements, both included. */
typedef struct amount {
    uint64_t least, most;
} amount;

/* The values of a scalar, or of each element of an array. A member is NULL if it does not apply. */
typedef struct value_facts {
    const char *low, *high; /* both included, but the high bound of a circle of real numbers is the low one again */
    const char *step;       /* between neighbours; of real and fixed numbers */
    const char
        *error; /* how far at most a value that is read is from the value that was written; NULL: it is the same */
    const char *unit; /* of the error: "of the value", "degrees"; NULL: that of the value */
} value_facts;

/* A condition under which an item is on the wire. */
typedef struct side_facts {
    const struct side_facts *outer; /* the condition around it, or NULL */
    const char *text;               /* "if (alive)", "else of if (alive)", "case fly of switch (state)" */
} side_facts;

typedef struct item_facts {
    struct item_facts *next;
    const char *kind; /* "field", "local", "member" of a union, "tag", "const", "reserved", "check", "align", "frame" */
    const char *name; /* of a field or member, else the item as it is written */
    const char *type; /* as it is written, without `optional`; or NULL */
    const char *dims; /* "[<=32]", or "" */
    const char *c;    /* the declaration in C: "uint8_t health[4]"; NULL if C has none */
    const char *doc;  /* or NULL */
    span span;        /* of the name, or of the item; source NULL: it is not written in the schema */
    const field *field;
    const side_facts *side; /* or NULL */
    amount place;           /* its first bit, counted from the first bit of the type */
    amount bits;            /* when it is on the wire */
    bool repeated;          /* an array: */
    amount count;           /* its elements */
    amount each;            /* the bits of one element, of a list with its key */
    amount key_bits;        /* of a list: those of the key of an element */
    bool sends;             /* always the same number: */
    uint64_t sent;          /* of a "const", "reserved" or "check"; of a "member", its tag */
    value_facts values;
    const decl *of; /* the type that is declared in the schema; or NULL */
} item_facts;

/* The items of a type in wire order, then its local fields. The frame of a packet is included. */
item_facts *describe_items(arena *a, const wire *w, const wire_type *t);

/* The bits of a whole type: of a packet with its frame and the padding of its last byte. */
amount describe_size(const wire_type *t);

/* The bits of a value of an enum or of flags. */
unsigned describe_member_bits(const decl *d);

/* "18", "9 to 144". */
const char *describe_amount(arena *a, amount n);

/* "18 bits", "1 bit", "9 to 144 bytes". */
const char *describe_measure(arena *a, amount n, const char *unit);

/* "-100 to 100 in steps of 0.01, at most 0.005 off"; "" if every value of the C type is allowed. */
const char *describe_values_words(arena *a, const value_facts *v);

/* Prints all of a schema as one JSON object: docs/describe.md. */
void describe_json(arena *a, const wire *w, out *to, json_style style);

#endif
