/* pkt_lines.h - types as data: T_lines, a table with a row for each line of T_serialize.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 *
 * Only what has to be fast is code for each type. The rest loops over these rows: finding out why a value cannot be
 * written, or bytes cannot be read (pkt_explain.h).
 */
#ifndef PKT_LINES_H
#define PKT_LINES_H

#include "pkt_cursor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pkt_line_kind {
    /* leaves */
    PKT_LINE_BOOL,
    PKT_LINE_BITS,      /* an integer, flags or a float, as its bits. low: the sign bit of two's complement, or 0 */
    PKT_LINE_INT,       /* an integer from low to low + span */
    PKT_LINE_ENUM,      /* the same; `of` is its pkt_values */
    PKT_LINE_HALF,      /* a float in 16 bits */
    PKT_LINE_QUANTIZED, /* a float or double in `span` steps; `of` is its pkt_bounds */
    PKT_LINE_QUAT,      /* bits: of one component */
    PKT_LINE_UNIT,
    PKT_LINE_REF,      /* low: the type for callbacks; span: the greatest id */
    PKT_LINE_CONSTANT, /* low: its value */
    PKT_LINE_ALIGN,
    PKT_LINE_CHANGES, /* no bits: the change mask of the block that it begins is coded; `of` is its pkt_coded_changes */
    PKT_LINE_COMPACT,
    PKT_LINE_AFTER,  /* other: the member that it comes after */
    PKT_LINE_TEXT,   /* bits: of the length; span: the greatest length */
    PKT_LINE_STRUCT, /* a struct or union; `of` is its pkt_lines */
    /* rows that contain the next row, with everything that this contains */
    PKT_LINE_BYTES,    /* span: the greatest size; the next row is x_size, an INT */
    PKT_LINE_ARRAY,    /* span: number of elements; `of`, also of COUNTED: the code table if it is coded, else NULL */
    PKT_LINE_COUNTED,  /* other: x_count; low to low + span elements */
    PKT_LINE_SPARSE,   /* other: x_present; span: number of elements; low: limit; size: pkt_subset_kind */
    PKT_LINE_OPTIONAL, /* other: has_x */
    PKT_LINE_UNLESS,   /* `of`: the usual value */
    /* rows that contain the next `other` rows */
    PKT_LINE_UNION,  /* the tag of a union, which has span + 1 members */
    PKT_LINE_MEMBER, /* a member of it; `of` is its pkt_lines */
    PKT_LINE_BRANCH, /* an if or switch; low: its number */
    PKT_LINE_SIDE    /* a side of it */
} pkt_line_kind;

typedef struct pkt_line {
    uint8_t kind; /* pkt_line_kind */
    uint8_t bits; /* on the wire: of a leaf, a count, a length or a tag */
    uint8_t size; /* bytes in memory: of a leaf, of x_count or x_size, of a tag */
    uint8_t small,
        large;  /* of delta<small, large>, else 0. For SPARSE, small is 1 with `keep`. Of a coded number small is
                               PKT_LINE_CODED, and large how many code tables it has */
    bool asked; /* of a leaf: a condition asks for its value */
    uint32_t offset, other; /* offsets in the struct, in bytes; for an element of an array, that of the first element */
    const char *name;       /* in errors */
    uint64_t low, span;     /* low is in two's complement */
    const void *of;
} pkt_line;

typedef struct pkt_lines {
    const char *name; /* of the type, in errors */
    const pkt_line *first;
    uint32_t count;
    size_t size; /* of the C type, in bytes */
    /* The side of branch n that a value takes, from 1; 0 if it takes no arm of a switch. NULL if there are no
     * branches. */
    unsigned (*side)(const void *v, unsigned n);
} pkt_lines;

enum { PKT_LINE_CODED = 255 };

typedef struct pkt_bounds {
    double low, high;
} pkt_bounds;

/* Of a coded quantized number; of another one, `of` is its code tables. */
typedef struct pkt_coded_bounds {
    pkt_bounds bounds;
    const struct pkt_codes *codes;
} pkt_coded_bounds;

/* The members of an enum. The list is NULL if every value is a member. */
typedef struct pkt_values {
    uint64_t base; /* its base value */
    const uint64_t *list;
    uint32_t count;
} pkt_values;

/* The rows in generated code. T: the struct; m: the member; then its bits, its range, and the other properties
 * above. */
#define PKT_ROW_(kind, bits, size, small, large, offset, other, name, low, span, of) \
    {                                                                                \
        kind, bits, size, small, large, false, offset, other, name, low, span, of    \
    }
#define PKT_OFFSET_(T, m) ((uint32_t)offsetof(T, m))
#define PKT_SIZE_(T, m) ((uint8_t)sizeof(((T *)0)->m))

#define PKT_LEAF(kind, T, m, bits, low, span, of) \
    PKT_ROW_(PKT_LINE_##kind, bits, PKT_SIZE_(T, m), 0, 0, PKT_OFFSET_(T, m), 0, #m, low, span, of)
#define PKT_LEAF_STEPS(kind, T, m, bits, low, span, of, small, large) \
    PKT_ROW_(PKT_LINE_##kind, bits, PKT_SIZE_(T, m), small, large, PKT_OFFSET_(T, m), 0, #m, low, span, of)
#define PKT_LEAF_ASKED(kind, T, m, bits, low, span, of, small, large)                                       \
    {                                                                                                       \
        PKT_LINE_##kind, bits, PKT_SIZE_(T, m), small, large, true, PKT_OFFSET_(T, m), 0, #m, low, span, of \
    }
#define PKT_LEAF_AFTER(T, m, start) \
    PKT_ROW_(PKT_LINE_AFTER, 0, PKT_SIZE_(T, m), 0, 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, start), #m, 0, 0, NULL)
#define PKT_LEAF_CONSTANT(name, bits, value) PKT_ROW_(PKT_LINE_CONSTANT, bits, 0, 0, 0, 0, 0, name, value, 0, NULL)
#define PKT_LEAF_CHANGES(codes) PKT_ROW_(PKT_LINE_CHANGES, 0, 0, 0, 0, 0, 0, "", 0, 0, &codes)
#define PKT_LEAF_ALIGN() PKT_ROW_(PKT_LINE_ALIGN, 0, 0, 0, 0, 0, 0, "", 0, 0, NULL)
#define PKT_LEAF_TEXT(T, m, bits, max) PKT_ROW_(PKT_LINE_TEXT, bits, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, max, NULL)
#define PKT_LEAF_STRUCT(T, m, of) PKT_ROW_(PKT_LINE_STRUCT, 0, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, 0, of)

#define PKT_OF_ARRAY(T, m, count) PKT_ROW_(PKT_LINE_ARRAY, 0, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, count, NULL)
#define PKT_OF_CODED_ARRAY(T, m, count, runs) \
    PKT_ROW_(PKT_LINE_ARRAY, 0, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, count, runs)
#define PKT_OF_CODED_COUNTED(T, m, bits, low, span, runs)                                                         \
    PKT_ROW_(PKT_LINE_COUNTED, bits, PKT_SIZE_(T, m##_count), 0, 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, m##_count), \
             #m "_count", low, span, runs)
#define PKT_OF_COUNTED(T, m, bits, low, span)                                                                     \
    PKT_ROW_(PKT_LINE_COUNTED, bits, PKT_SIZE_(T, m##_count), 0, 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, m##_count), \
             #m "_count", low, span, NULL)
#define PKT_OF_SPARSE(T, m, kind, keep, limit, count)                                                            \
    PKT_ROW_(PKT_LINE_SPARSE, 0, PKT_SUBSET_##kind, keep, 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, m##_present), #m, \
             limit, count, NULL)
#define PKT_OF_OPTIONAL(T, m) \
    PKT_ROW_(PKT_LINE_OPTIONAL, 1, 0, 0, 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, has_##m), "has_" #m, 0, 0, NULL)
#define PKT_OF_BYTES(T, m, max) PKT_ROW_(PKT_LINE_BYTES, 0, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, max, NULL)
#define PKT_OF_UNLESS(T, m, usual) PKT_ROW_(PKT_LINE_UNLESS, 1, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, 0, usual)
#define PKT_OF_UNION(T, bits, span) \
    PKT_ROW_(PKT_LINE_UNION, bits, PKT_SIZE_(T, tag), 0, 0, PKT_OFFSET_(T, tag), (span) + 1, "tag", 0, span, NULL)
#define PKT_OF_MEMBER(T, m, of) PKT_ROW_(PKT_LINE_MEMBER, 0, 0, 0, 0, PKT_OFFSET_(T, as.m), 0, #m, 0, 0, of)
#define PKT_OF_BRANCH(n, rows) PKT_ROW_(PKT_LINE_BRANCH, 0, 0, 0, 0, 0, rows, "", n, 0, NULL)
#define PKT_OF_SIDE(rows) PKT_ROW_(PKT_LINE_SIDE, 0, 0, 0, 0, 0, rows, "", 0, 0, NULL)

/* ---- values by their rows: pkt_lines.c */

/* In these functions, i is the index of an element, counted through all dimensions of its array; else 0. */

/* The end of the rows of a type. A type without rows has no array of them. */
PKT_INLINE const pkt_line *pkt_lines_end(const pkt_lines *t)
{
    return t->count != 0 ? t->first + t->count : t->first;
}

/* The row after l and everything that l contains. */
const pkt_line *pkt_line_behind(const pkt_line *l);

/* The address of a leaf in the struct at v. */
char *pkt_line_at(const pkt_line *l, char *v, uint64_t i);

/* Load and store an unsigned integer of `size` bytes: 1, 2, 4 or 8. */
uint64_t pkt_line_load(const void *at, unsigned size);
void pkt_line_store(void *at, unsigned size, uint64_t raw);
/* The value of an INT or ENUM, less low. */
uint64_t pkt_line_raw(const pkt_line *l, const char *at);

/* The code of a leaf in which a difference from the baseline is counted: from 0 up. */
uint64_t pkt_line_code(const pkt_line *l, const char *at);
void pkt_line_store_code(const pkt_line *l, char *at, uint64_t code);

/* Set base values, like T_base. keeps: elements of arrays with `keep` do not change. */
void pkt_lines_blank(const pkt_lines *t, char *v, bool keeps);
void pkt_line_blank(const pkt_line *l, char *v, uint64_t i, bool keeps);

/* Copies what the rows describe of a value, like T_copy. */
void pkt_lines_copy(const pkt_lines *t, char *to, const char *from);

/* Whether a value differs from `old`, which is sound, or from base values if old is NULL: in memory and on the wire. */
bool pkt_line_differs(const pkt_line *l, const char *v, uint64_t i, const char *old);
/* The address of a leaf, other than a text, in `old`. If old is NULL, stores its base value in `base` and returns
 * that. */
const char *pkt_line_old(const pkt_line *l, const char *old, uint64_t i, uint64_t base[2]);

#ifdef __cplusplus
}
#endif

#endif
