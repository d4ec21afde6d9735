/* layout_internal.h - what the text and the page have in common: layout.c makes it; layout_text.c, layout_html.c and
 * layout_picture.c show it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_LAYOUT_INTERNAL_H
#define PKTC_LAYOUT_INTERNAL_H

#include "commands/layout.h"
#include "model/type_table.h"

/* What bits are for: a colour of the page. The families of values, then what only the wire has. ORDER SIZE KIND */
typedef enum size_kind {
    SIZE_NUMBER = FAMILY_NUMBER,
    SIZE_REAL = FAMILY_REAL,
    SIZE_BOOL = FAMILY_BOOL,
    SIZE_ENUM = FAMILY_ENUM,
    SIZE_TEXT = FAMILY_TEXT,
    SIZE_TYPE = FAMILY_TYPE, /* a struct or union as a whole */
    SIZE_MANAGEMENT,         /* counts, lengths, tags, presence */
    SIZE_FRAME               /* checks, constants, padding */
} size_kind;
enum { SIZE_KINDS = SIZE_FRAME + 1 };

typedef struct size_row { /* a line of a type's table */
    struct size_row *next;
    unsigned depth;       /* of choices that it stands in */
    const char *name;     /* "players[<=32]", "if (alive)", "case fly:" */
    const char *type;     /* as the schema has it, or "" */
    const char *parts;    /* what it is made of, or "" */
    bool sized;           /* false: a side of a choice; least and most are the choice's */
    uint64_t least, most; /* bits */
    const wire_type *of;  /* the struct or union that it holds, or NULL */
} size_row;

/* The rows of a type; those of a packet include its framing. */
size_row *size_rows(arena *a, const wire *w, const wire_type *t);

/* Names and kinds of ops that have a field. */
const char *size_field_name(arena *a, const field *f); /* dimensions included */
const char *size_type_name(arena *a, const field *f);  /* optional and sparse included */
const char *size_item_name(arena *a, const item *i);   /* const, reserved, check, align: as the schema has it */
size_kind size_kind_of(const op *o);
/* What the schema says at a place, blanks and line ends there made one blank each. */
const char *size_source_text(arena *a, span at);

/* "7" or "3 to 7". */
const char *size_range(arena *a, uint64_t least, uint64_t most);
/* "12.5 %" of a whole; "" of nothing. */
const char *size_share(arena *a, uint64_t part, uint64_t whole);
uint64_t size_bytes(uint64_t bits);
/* A line of the table of packets: a packet, or its deltas. */
typedef struct size_line {
    const char *name;     /* "" of deltas */
    uint64_t least, most; /* bytes */
} size_line;
/* The lines of a packet, 1 or 2. */
int size_lines(const wire_type *t, size_line lines[2]);
/* "4.8 to 9.8": kbit/s of a packet so many times a second. */
const char *size_rate(arena *a, const size_line *line, uint32_t hz);
/* "30 to 61 bytes" of a packet, "9 to 132 bits" of other types, ", 3 to 150 as a delta". */
const char *size_of_type(arena *a, const wire_type *t);
/* What all shares of a type are of: the greatest size. */
uint64_t size_whole(const wire_type *t);

/* Text as HTML has it: & < > and quotes escaped. */
const char *size_html(arena *a, const char *text);
/* "5 or 11 as a delta, 18 if it does not fit": the bits of delta<s, l> after a field's bit in the mask; "" where a field
 * has none. */
const char *size_step_bits(arena *a, const op *o);

/* layout_picture.c: the bits of a type, in full or as a delta, as two SVGs of the classes `wide` and `narrow`. The classes and
 * colours of cells are those of the page: k0, k1, ... by size_kind. Nothing for a type of no bits. */
void size_picture(arena *a, const wire *w, const wire_type *t, bool delta, out *to);

#endif
