/* pkt_type.h - types as data: one table for each type, for all work on values that need not be fast.
 * SPDX-License-Identifier: MIT
 *
 * Generated code has a function for each type only where it has to be fast. The rest loops over the entries of the
 * type's table: finding out why a value cannot be written, or bytes cannot be read (pkt_explain.h); base values, copies
 * and comparisons (pkt_value.h); predictions; printing (pkt_reflect.h).
 *
 * NAME.c has T_type_ for each struct and union, and for those enums that are not just a range. With --reflect,
 * NAME_reflect.c has T_reflection for all types. T_reflection has data that people want to see and the wire does not
 * need: the names of the members of enums and flags. It lacks data that only the wire needs: code tables and the sides
 * of branches.
 */
#ifndef PKT_TYPE_H
#define PKT_TYPE_H

#include "pkt_kind.h"

PKT_C_BEGIN

/* The kinds of items on the wire. Leaves are a table: a row for each, with a column for each question, which is asked of the
 * entry e. A place that does something of its own for some kinds has a switch without a default, in which PKT_CASE lists a
 * group that is not meant.
 *
 * bits:    on the wire; 0 if they vary
 * last:    the greatest code of a number
 * changes: a reader may see another value than was written
 * plain:   all values in memory can be written, and those that are equal in memory are equal on the wire */
/* clang-format off */
#define PKT_ENTRY_LEAVES(X)                                                                                      \
    /*kind       bits                       last               changes plain */                                  \
    X(BOOL,      e->bits,                   e->span,           false,  true)                                     \
    /* an integer, flags or a real, as its bits. low: as pkt_wire_of_code takes it. */                           \
    X(BITS,      e->bits,                   pkt_mask(e->bits), false,  e->bits == 8 * e->size)                   \
    /* an integer from low to low + span */                                                                      \
    X(INT,       e->bits,                   e->span,           false,  false)                                    \
    /* an integer or enum from low to low + span, which the list sends; `of`: a pkt_initial, or NULL */          \
    X(KEY,       0,                         e->span,           false,  false)                                    \
    /* an integer from low to low + span that is a member of the enum */                                         \
    X(ENUM,      e->bits,                   e->span,           false,  false)                                    \
    /* a float in 16 bits */                                                                                     \
    X(HALF,      e->bits,                   pkt_mask(e->bits), true,   false)                                    \
    /* an INT that is clamped to its range when it is written */                                                 \
    X(CLAMPED,   e->bits,                   e->span,           true,   false)                                    \
    /* a float, raw if it is none of the `span` steps; `of` as of a QUANTIZED */                                 \
    X(OR_RAW,    0,                         e->span,           false,  true)                                     \
    /* a float or double in `span` steps, or PKT_CIRCLE(steps); `of` is its pkt_bounds */                        \
    X(QUANTIZED, e->bits,                   pkt_last_step(e),  true,   false)                                    \
    /* bits: of one component, as of a UNIT */                                                                   \
    X(QUAT,      2 + 3 * (unsigned)e->bits, e->span,           true,   false)                                    \
    X(UNIT,      2 * (unsigned)e->bits,     e->span,           true,   false)                                    \
    /* low: the type for callbacks; span: the greatest id */                                                     \
    X(REF,       e->bits,                   e->span,           false,  true)                                     \
    X(COMPACT,   0,                         pkt_mask(e->bits), false,  true)                                     \
    /* other: the member that it comes after */                                                                  \
    X(AFTER,     e->bits,                   e->span,           false,  false)

/* Items without a value. */
#define PKT_ENTRY_GAPS(X)                                                                                        \
    X(CONSTANT) /* low: its value */                                                                             \
    X(ALIGN)                                                                                                     \
    X(CHANGES)  /* no bits: the change mask of the block that it begins is coded; `of` is its pkt_coded_changes */ \
    X(RULE)     /* no bits: how T_mix and T_near take the next entry of the block; `of` is its pkt_rule */

#define PKT_ENTRY_VALUES(X)                                                                                      \
    X(TEXT)     /* bits: of the length; span: the greatest length */                                             \
    X(STRUCT)   /* a struct or union; `of` is its pkt_type */                                                    \
    X(BYTES)    /* span: the greatest size; it contains the next entry, x_size, an INT */

/* Entries that contain the next entry, with everything that this contains. */
#define PKT_ENTRY_HOLDERS(X)                                                                                     \
    /* span: the number of elements; `of`, as of COUNTED and COMPUTED: the code table if it is coded, the */     \
    /* pkt_explanation of CHAINED elements, else NULL */                                                         \
    X(ARRAY)                                                                                                     \
    X(COUNTED)  /* other: x_count; low to low + span elements */                                                 \
    X(COMPUTED) /* low: its number for `side`, which gives the count; span: the greatest one */                  \
    X(SPARSE)   /* other: x_present; span: number of elements; low: limit; size: pkt_subset_kind */              \
    X(OPTIONAL) /* other: has_x */                                                                               \
    X(UNLESS)   /* `of`: the usual value */

/* Entries that contain the next `other` entries. */
#define PKT_ENTRY_LISTS(X)                                                                                       \
    X(UNION)    /* the tag of a union, which has span + 1 members */                                             \
    X(MEMBER)   /* a member of it; `of` is its pkt_type */                                                       \
    X(BRANCH)   /* an if or switch; low: its number */                                                           \
    X(SIDE)     /* a side of it */

#define PKT_ENTRY_OTHERS(X) PKT_ENTRY_GAPS(X) PKT_ENTRY_VALUES(X) PKT_ENTRY_HOLDERS(X) PKT_ENTRY_LISTS(X)
/* clang-format on */

#define PKT_CASE_LEAF(kind, bits, last, changes, plain) case PKT_ENTRY_##kind:
#define PKT_CASE(kind) case PKT_ENTRY_##kind:
#define PKT_LEAF_KIND(kind, bits, last, changes, plain) PKT_ENTRY_##kind,
#define PKT_OTHER_KIND(kind) PKT_ENTRY_##kind,

/* In this order: whether a kind is in a group is told by comparing. */
typedef enum pkt_entry_kind { PKT_ENTRY_LEAVES(PKT_LEAF_KIND) PKT_ENTRY_OTHERS(PKT_OTHER_KIND) } pkt_entry_kind;

struct pkt_entry {
    uint8_t kind;          /* pkt_entry_kind */
    uint8_t as;            /* pkt_kind, of a leaf */
    uint8_t fraction_bits; /* of a leaf that is FIXED */
    uint8_t bits;          /* on the wire: of a leaf, a count, a length or a tag */
    uint8_t size;          /* bytes in memory: of a leaf, of x_count or x_size, of a tag */
    uint8_t s, l; /* of delta<s, l>, else 0. For SPARSE, s is 1 with `keep`. Of a coded number s is PKT_ENTRY_CODED, and
                   * l how many code tables it has */
    uint8_t flags;          /* of a leaf: PKT_ENTRY_ASKED, _WRAPS; of a STRUCT: one of the others */
    uint32_t offset, other; /* offsets in the struct, in bytes; for an element of an array, that of the first element */
    const char *name;       /* in errors */
    uint64_t low, span;     /* low is in two's complement */
    const void *of; /* of an ENUM: its pkt_type. Of a leaf that is an enum, flags or a ref, its pkt_type if that has
                     * names, or a base value that is neither 0 nor low; else NULL. */
};

enum {
    PKT_ENTRY_CODED = 255,
    PKT_ENTRY_ASKED = 1, /* a condition asks for its value */
    PKT_ENTRY_WRAPS = 2, /* its range is a circle */
    PKT_ENTRY_PART = 4,  /* STRUCT: the part `low` of a packet, which is sent as a delta */
    PKT_ENTRY_CHAINED =
        8,               /* an element that is a delta to the one before it; `of` of the array is its pkt_explanation */
    PKT_ENTRY_RESTS = 16 /* a coded element with an `after` that no prediction moves */
};

/* In place of a number of steps: the range is a circle, and hi is lo again, so there is no code `steps`. */
#define PKT_CIRCLE(steps) (UINT32_C(1) << 31 | (steps))
#define PKT_CIRCLE64(steps) (UINT64_C(1) << 63 | (steps))

typedef struct pkt_bounds {
    double low, high, base; /* base: what the number is if it has not arrived */
} pkt_bounds;

/* What a field says about T_mix and T_near. */
typedef struct pkt_rule {
    double tolerance; /* @near; less than 0: without */
    double point;     /* @mix(point), if it steps; more than 1: that of the type */
    bool steps;       /* it is not mixed */
    bool linear;      /* integers are mixed */
    bool cuts;        /* @mix(cut): if it is not near, nothing of its struct is mixed */
} pkt_rule;

/* For a coded quantized number; for other coded numbers but enums, `of` is the code tables. */
typedef struct pkt_coded_bounds {
    pkt_bounds bounds;
    const struct pkt_codes *codes;
} pkt_coded_bounds;

/* For a coded enum. type: what `of` would be. */
typedef struct pkt_coded_enum {
    const struct pkt_type *type;
    const struct pkt_codes *codes;
} pkt_coded_enum;

/* Of the struct of a list whose initial values are not base values: `with` calls `use` with an element that has them. */
typedef bool pkt_use_initial(void *work, char *initial);
typedef struct pkt_initial {
    bool (*with)(pkt_use_initial *use, void *work);
} pkt_initial;

/* How sparse arrays send which elements are present: pkt_subset.h. */
typedef enum pkt_subset_kind {
    PKT_SUBSET_FLAG,     /* a bit for each element, before it */
    PKT_SUBSET_COUNT,    /* the number of elements, then each index and its element */
    PKT_SUBSET_SENTINEL, /* each index and its element, then n */
    PKT_SUBSET_RELATIVE, /* the difference of each index to the one before, and its element; then the difference to n */
    PKT_SUBSET_BITMAP,   /* n bits, then the elements */
    PKT_SUBSET_AUTO      /* a bit, then relative (0) or bitmap (1), whichever has fewer bits; relative if equal */
} pkt_subset_kind;

/* The entries in generated code. T: the struct; m: the member; kind and as: what follows PKT_ENTRY_ and PKT_KIND_.
 * PKT_LEAF is a number; PKT_LEAF_WITH is one that is FIXED or has steps, a code table or flags. */
#define PKT_LEAF(kind, as, T, m, bits, low, span, of) PKT_LEAF_WITH(kind, as, T, m, bits, low, span, of, 0, 0, 0, 0)
#define PKT_LEAF_WITH(kind, as, T, m, bits, low, span, of, fraction_bits, s, l, flags)                   \
    {                                                                                                    \
        PKT_ENTRY_##kind, PKT_KIND_##as, fraction_bits, bits, (uint8_t)sizeof(((T *)0)->m), s, l, flags, \
            (uint32_t)offsetof(T, m), 0, #m, low, span, of                                               \
    }

/* TEXT, STRUCT, BYTES, ARRAY or UNLESS. */
#define PKT_ITEM(kind, T, m, bits, low, span, of)                                                \
    {                                                                                            \
        PKT_ENTRY_##kind, 0, 0, bits, 0, 0, 0, 0, (uint32_t)offsetof(T, m), 0, #m, low, span, of \
    }

/* AFTER or COUNTED: `other` is a member. */
#define PKT_ITEM_WITH(kind, T, m, other, bits, low, span, of)                                    \
    {                                                                                            \
        PKT_ENTRY_##kind, PKT_KIND_UNSIGNED, 0, bits, (uint8_t)sizeof(((T *)0)->other), 0, 0, 0, \
            (uint32_t)offsetof(T, m), (uint32_t)offsetof(T, other), #m, low, span, of            \
    }
#define PKT_ITEM_SPARSE(T, m, kind, keep, limit, count)                                                                \
    {                                                                                                                  \
        PKT_ENTRY_SPARSE, 0, 0, 0, kind, keep, 0, 0, (uint32_t)offsetof(T, m), (uint32_t)offsetof(T, m##_present), #m, \
            limit, count, NULL                                                                                         \
    }
#define PKT_ITEM_OPTIONAL(T, m)                                                                                       \
    {                                                                                                                 \
        PKT_ENTRY_OPTIONAL, 0, 0, 1, 0, 0, 0, 0, (uint32_t)offsetof(T, m), (uint32_t)offsetof(T, has_##m), "has_" #m, \
            0, 0, NULL                                                                                                \
    }
#define PKT_ITEM_UNION(T, bits, span)                                                                                 \
    {                                                                                                                 \
        PKT_ENTRY_UNION, 0, 0, bits, (uint8_t)sizeof(((T *)0)->tag), 0, 0, 0, (uint32_t)offsetof(T, tag), (span) + 1, \
            "tag", 0, span, NULL                                                                                      \
    }
#define PKT_ITEM_MEMBER(T, m, of)                                                           \
    {                                                                                       \
        PKT_ENTRY_MEMBER, 0, 0, 0, 0, 0, 0, 0, (uint32_t)offsetof(T, as.m), 0, #m, 0, 0, of \
    }

/* What is no member of a struct. PKT_PART: an ALIGN; a BRANCH of this number, or a SIDE, of `entries` entries. */
#define PKT_PART(kind, number, entries)                                        \
    {                                                                          \
        PKT_ENTRY_##kind, 0, 0, 0, 0, 0, 0, 0, 0, entries, "", number, 0, NULL \
    }
#define PKT_PART_CONSTANT(name, bits, value)                                   \
    {                                                                          \
        PKT_ENTRY_CONSTANT, 0, 0, bits, 0, 0, 0, 0, 0, 0, name, value, 0, NULL \
    }
#define PKT_PART_RULE(rule)                                        \
    {                                                              \
        PKT_ENTRY_RULE, 0, 0, 0, 0, 0, 0, 0, 0, 0, "", 0, 0, &rule \
    }
#define PKT_PART_CHANGES(codes)                                        \
    {                                                                  \
        PKT_ENTRY_CHANGES, 0, 0, 0, 0, 0, 0, 0, 0, 0, "", 0, 0, &codes \
    }

/* A struct that is sent as a delta. flags: PKT_ENTRY_PART, for the part `index` of a packet, or PKT_ENTRY_CHAINED; or one that has
 * PKT_ENTRY_RESTS. */
#define PKT_ITEM_DELTA(T, m, flags, index, of)                                                   \
    {                                                                                            \
        PKT_ENTRY_STRUCT, 0, 0, 0, 0, 0, 0, flags, (uint32_t)offsetof(T, m), 0, #m, index, 0, of \
    }

PKT_C_END

#endif
