/* sizes_internal.h - shared by the text, the JSON and the page of `pktc layout`.
 * SPDX-License-Identifier: MIT
 *
 * sizes.c makes it; sizes_text.c, sizes_json.c, sizes_html.c and picture.c print it.
 */
#ifndef PKTC_SIZES_INTERNAL_H
#define PKTC_SIZES_INTERNAL_H

#include "costs/sizes.h"
#include "model/type_table.h"

/* The uses of bits: each kind has a colour on the page. First the families of values, then items that only the wire
 * has. ORDER SIZE KIND */
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

typedef struct size_row { /* a row of a type's table */
    struct size_row *next;
    unsigned depth;       /* the number of choices around it */
    const char *name;     /* "players[<=32]", "if (alive)", "case fly:" */
    const char *type;     /* as written in the schema, or "" */
    const char *parts;    /* its parts: "6 for the count, 9 to 132 each"; or "" */
    bool sized;           /* false for a side of a choice, whose size is in the row of the choice */
    uint64_t least, most; /* bits */
    const wire_type *of;  /* the struct or union that it contains, or NULL */
} size_row;

/* The rows of a type, with those of the frame if it is a packet. */
size_row *size_rows(arena *a, const wire *w, const wire_type *t);

const char *size_item_name(arena *a, const item *i); /* const, reserved, check or align, as written in the schema */
size_kind size_kind_of(const op *o);                 /* of an op that has a field */

/* The text of the schema in a span, with each run of blanks and line ends replaced by one space. */
const char *size_source_text(arena *a, span at);

/* "7" or "3 to 7". */
const char *size_range(arena *a, uint64_t least, uint64_t most);
/* "12.5 %"; "" if whole is 0. */
const char *size_share(arena *a, uint64_t part, uint64_t whole);

/* A line of the table of packets: a packet, or its deltas. */
typedef struct size_line {
    const char *name;     /* "" for deltas */
    uint64_t least, most; /* bytes */
    uint64_t unfit;       /* the most without the T_fit_pack that keeps to the packet's budget; or `most` */
    uint64_t budget;      /* 0: none */
    bool fits;            /* @fit lets a program leave elements out */
} size_line;

/* The lines of a packet. Returns their number: 2 if it has deltas, otherwise 1. */
int size_lines(const wire *w, const wire_type *t, size_line lines[2]);

/* What is to be said of a line: that it may be over a size, what @fit and @budget do about that; or "". */
const char *size_note(arena *a, const size_line *line, uint32_t mtu);

/* The kbit/s of so many bytes that are sent hz times per second. */
double size_kbits(uint64_t bytes, uint32_t hz);

/* "4.8 to 9.8": the kbit/s of a packet that is sent hz times per second. */
const char *size_rate(arena *a, const size_line *line, uint32_t hz);

/* "30 to 61 bytes" for a packet, "9 to 132 bits" for other types; ", 3 to 150 as a delta" is added. */
const char *size_of_type(arena *a, const wire *w, const wire_type *t);

/* The greatest size of a type in bits. The shares of its fields are shares of it. */
uint64_t size_whole(const wire_type *t);

/* "5 or 11 as a delta, 18 if it does not fit": the bits of delta<s, l> after a field's bit in the mask; "" for a field
 * without delta<s, l>. */
const char *size_step_bits(arena *a, const op *o);

/* "1 to 16": the bits of the key of an element of a list. */
const char *size_key_bits(arena *a, const op *o);

/* sizes_coded.c: "2 to 27 as a delta by the model, on average 7.1": for a coded field with its own tables. */
const char *size_coded(arena *a, const op *o);
/* "3 to 17 for each run of a delta, on average 5.5": for a coded array, whose runs tell which elements changed. */
const char *size_runs(arena *a, const field *f);

/* picture.c: writes the bits of a type, in full or as a delta, as two SVGs of the classes `wide` and `narrow`.
 * Cells have the page's classes k0, k1, ... by size_kind. Writes nothing for a type without bits. */
void size_picture(arena *a, const wire *w, const wire_type *t, bool delta, out *to);

#endif
