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

#include "pkt_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* The kind of an item on the wire. */
typedef enum pkt_entry_kind {
    /* leaves */
    PKT_ENTRY_BOOL,
    PKT_ENTRY_BITS,      /* an integer, flags or a float, as its bits. low: the sign bit of two's complement, or 0 */
    PKT_ENTRY_INT,       /* an integer from low to low + span */
    PKT_ENTRY_ENUM,      /* the same, if it is a member of the enum */
    PKT_ENTRY_HALF,      /* a float in 16 bits */
    PKT_ENTRY_QUANTIZED, /* a float or double in `span` steps, or PKT_CIRCLE(steps); `of` is its pkt_bounds */
    PKT_ENTRY_QUAT,      /* bits: of one component */
    PKT_ENTRY_UNIT,
    PKT_ENTRY_REF,      /* low: the type for callbacks; span: the greatest id */
    PKT_ENTRY_CONSTANT, /* low: its value */
    PKT_ENTRY_ALIGN,
    PKT_ENTRY_CHANGES, /* no bits: the change mask of the block that it begins is coded; `of` is its pkt_coded_changes */
    PKT_ENTRY_COMPACT,
    PKT_ENTRY_AFTER,  /* other: the member that it comes after */
    PKT_ENTRY_TEXT,   /* bits: of the length; span: the greatest length */
    PKT_ENTRY_STRUCT, /* a struct or union; `of` is its pkt_type */
    /* entries that contain the next entry, with everything that this contains */
    PKT_ENTRY_BYTES, /* span: the greatest size; the next entry is x_size, an INT */
    /* span: number of elements; `of`, also of COUNTED and COMPUTED: the code table if it is coded, the pkt_explanation
     * of CHAINED elements, else NULL */
    PKT_ENTRY_ARRAY,
    PKT_ENTRY_COUNTED,  /* other: x_count; low to low + span elements */
    PKT_ENTRY_COMPUTED, /* low: its number for `side`, which gives the count; span: the greatest one */
    PKT_ENTRY_SPARSE,   /* other: x_present; span: number of elements; low: limit; size: pkt_subset_kind */
    PKT_ENTRY_OPTIONAL, /* other: has_x */
    PKT_ENTRY_UNLESS,   /* `of`: the usual value */
    /* entries that contain the next `other` entries */
    PKT_ENTRY_UNION,  /* the tag of a union, which has span + 1 members */
    PKT_ENTRY_MEMBER, /* a member of it; `of` is its pkt_type */
    PKT_ENTRY_BRANCH, /* an if or switch; low: its number */
    PKT_ENTRY_SIDE    /* a side of it */
} pkt_entry_kind;

typedef struct pkt_entry {
    uint8_t kind;          /* pkt_entry_kind */
    uint8_t as;            /* pkt_kind, of a leaf */
    uint8_t fraction_bits; /* of a leaf that is FIXED */
    uint8_t bits;          /* on the wire: of a leaf, a count, a length or a tag */
    uint8_t size;          /* bytes in memory: of a leaf, of x_count or x_size, of a tag */
    uint8_t small, large; /* of delta<small, large>, else 0. For SPARSE, small is 1 with `keep`. Of a coded number small
                            * is PKT_ENTRY_CODED, and large how many code tables it has */
    uint8_t flags;        /* of a leaf: PKT_ENTRY_ASKED, PKT_ENTRY_WRAPS; of a STRUCT: PKT_ENTRY_CHAINED */
    uint32_t offset, other; /* offsets in the struct, in bytes; for an element of an array, that of the first element */
    const char *name;       /* in errors */
    uint64_t low, span;     /* low is in two's complement */
    const void *of; /* of an ENUM: its pkt_type. Of a leaf that is an enum, flags or a ref, its pkt_type if that has
                     * names, or a base value that is neither 0 nor low; else NULL. */
} pkt_entry;

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

enum {
    PKT_ENTRY_CODED = 255,
    PKT_ENTRY_ASKED = 1, /* a condition asks for its value */
    PKT_ENTRY_WRAPS = 2, /* its range is a circle */
    PKT_ENTRY_PART = 4,  /* STRUCT: the part `low` of a packet, which is sent as a delta */
    PKT_ENTRY_CHAINED =
        8 /* an element that is a delta to the one before it; `of` of the array is its pkt_explanation */
};

/* In place of a number of steps: the range is a circle, and hi is lo again, so there is no code `steps`. */
#define PKT_CIRCLE(steps) (UINT32_C(1) << 31 | (steps))
#define PKT_CIRCLE64(steps) (UINT64_C(1) << 63 | (steps))

typedef struct pkt_bounds {
    double low, high;
} pkt_bounds;

/* For a coded quantized number; for other coded numbers, `of` is the code tables. */
typedef struct pkt_coded_bounds {
    pkt_bounds bounds;
    const struct pkt_codes *codes;
} pkt_coded_bounds;

/* How sparse arrays send which elements are present: pkt_subset.h. */
typedef enum pkt_subset_kind {
    PKT_SUBSET_FLAG,     /* a bit for each element, before it */
    PKT_SUBSET_COUNT,    /* the number of elements, then each index and its element */
    PKT_SUBSET_SENTINEL, /* each index and its element, then n */
    PKT_SUBSET_RELATIVE, /* the difference of each index to the one before, and its element; then the difference to n */
    PKT_SUBSET_BITMAP,   /* n bits, then the elements */
    PKT_SUBSET_AUTO      /* a bit, then relative (0) or bitmap (1), whichever has fewer bits; relative if equal */
} pkt_subset_kind;

/* The entries in generated code. T: the struct; m: the member; as: BOOL, ... or FIXED(fraction_bits); then its bits, its
 * range, and the other properties above. */
#define PKT_VALUE_BOOL PKT_KIND_BOOL, 0
#define PKT_VALUE_UNSIGNED PKT_KIND_UNSIGNED, 0
#define PKT_VALUE_SIGNED PKT_KIND_SIGNED, 0
#define PKT_VALUE_FIXED(fraction_bits) PKT_KIND_FIXED, fraction_bits
#define PKT_VALUE_FLOAT PKT_KIND_FLOAT, 0
#define PKT_VALUE_QUAT PKT_KIND_QUAT, 0
#define PKT_VALUE_UNIT PKT_KIND_UNIT, 0
#define PKT_VALUE_REF PKT_KIND_REF, 0
#define PKT_VALUE_ENUM PKT_KIND_ENUM, 0
#define PKT_VALUE_FLAGS PKT_KIND_FLAGS, 0
/* In place of a number of steps: the range is a circle, and hi is lo again, so there is no code `steps`. */
#define PKT_CIRCLE(steps) (UINT32_C(1) << 31 | (steps))
#define PKT_CIRCLE64(steps) (UINT64_C(1) << 63 | (steps))
#define PKT_OFFSET_(T, m) ((uint32_t)offsetof(T, m))
#define PKT_SIZE_(T, m) ((uint8_t)sizeof(((T *)0)->m))
#define PKT_LEAF_(kind, as, T, m, bits, low, span, of, small, large, flags)                                          \
    {                                                                                                                \
        PKT_ENTRY_##kind, PKT_VALUE_##as, bits, PKT_SIZE_(T, m), small, large, flags, PKT_OFFSET_(T, m), 0, #m, low, \
            span, of                                                                                                 \
    }
#define PKT_ENTRY_(kind, bits, size, small, offset, other, name, low, span, of)             \
    {                                                                                       \
        PKT_ENTRY_##kind, 0, 0, bits, size, small, 0, 0, offset, other, name, low, span, of \
    }

/* The tables themselves. `name` is that in the schema. */
#define PKT_TYPE(kind, T, name, min_bits, max_bits, count, entries, side)                \
    {                                                                                    \
        name, PKT_KIND_##kind, count, sizeof(T), entries, NULL, min_bits, max_bits, side \
    }
#define PKT_NAMES(kind, T, name, count, names)                           \
    {                                                                    \
        name, PKT_KIND_##kind, count, sizeof(T), NULL, names, 0, 0, NULL \
    }

#define PKT_LEAF(kind, as, T, m, bits, low, span, of) PKT_LEAF_(kind, as, T, m, bits, low, span, of, 0, 0, 0)
#define PKT_LEAF_STEPS(kind, as, T, m, bits, low, span, of, small, large) \
    PKT_LEAF_(kind, as, T, m, bits, low, span, of, small, large, 0)
#define PKT_LEAF_FLAGS(kind, as, T, m, bits, low, span, of, small, large, flags) \
    PKT_LEAF_(kind, as, T, m, bits, low, span, of, small, large, flags)
#define PKT_LEAF_AFTER(T, m, start)                                                                                 \
    {                                                                                                               \
        PKT_ENTRY_AFTER, PKT_VALUE_UNSIGNED, 0, PKT_SIZE_(T, m), 0, 0, 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, start), \
            #m, 0, 0, NULL                                                                                          \
    }
#define PKT_LEAF_CONSTANT(name, bits, value) PKT_ENTRY_(CONSTANT, bits, 0, 0, 0, 0, name, value, 0, NULL)
#define PKT_LEAF_CHANGES(codes) PKT_ENTRY_(CHANGES, 0, 0, 0, 0, 0, "", 0, 0, &codes)
#define PKT_LEAF_ALIGN() PKT_ENTRY_(ALIGN, 0, 0, 0, 0, 0, "", 0, 0, NULL)
#define PKT_LEAF_TEXT(T, m, bits, max) PKT_ENTRY_(TEXT, bits, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, max, NULL)
#define PKT_LEAF_STRUCT(T, m, of) PKT_ENTRY_(STRUCT, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, 0, of)
#define PKT_LEAF_PART(T, m, of, index)                                                             \
    {                                                                                              \
        PKT_ENTRY_STRUCT, 0, 0, 0, 0, 0, 0, PKT_ENTRY_PART, PKT_OFFSET_(T, m), 0, #m, index, 0, of \
    }
/* An element of an array with delta(previous). */
#define PKT_LEAF_CHAINED(T, m, of)                                                                \
    {                                                                                             \
        PKT_ENTRY_STRUCT, 0, 0, 0, 0, 0, 0, PKT_ENTRY_CHAINED, PKT_OFFSET_(T, m), 0, #m, 0, 0, of \
    }

#define PKT_OF_ARRAY(T, m, count, codes) PKT_ENTRY_(ARRAY, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, count, codes)
#define PKT_OF_COUNTED(T, m, bits, low, span, codes)                                                                   \
    PKT_ENTRY_(COUNTED, bits, PKT_SIZE_(T, m##_count), 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, m##_count), #m, low, span, \
               codes)
#define PKT_OF_COMPUTED(T, m, n, span, codes) PKT_ENTRY_(COMPUTED, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, n, span, codes)
#define PKT_OF_SPARSE(T, m, kind, keep, limit, count) \
    PKT_ENTRY_(SPARSE, 0, kind, keep, PKT_OFFSET_(T, m), PKT_OFFSET_(T, m##_present), #m, limit, count, NULL)
#define PKT_OF_OPTIONAL(T, m) \
    PKT_ENTRY_(OPTIONAL, 1, 0, 0, PKT_OFFSET_(T, m), PKT_OFFSET_(T, has_##m), "has_" #m, 0, 0, NULL)
#define PKT_OF_BYTES(T, m, max) PKT_ENTRY_(BYTES, 0, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, max, NULL)
#define PKT_OF_UNLESS(T, m, usual) PKT_ENTRY_(UNLESS, 1, 0, 0, PKT_OFFSET_(T, m), 0, #m, 0, 0, usual)
#define PKT_OF_UNION(T, bits, span) \
    PKT_ENTRY_(UNION, bits, PKT_SIZE_(T, tag), 0, PKT_OFFSET_(T, tag), (span) + 1, "tag", 0, span, NULL)
#define PKT_OF_MEMBER(T, m, of) PKT_ENTRY_(MEMBER, 0, 0, 0, PKT_OFFSET_(T, as.m), 0, #m, 0, 0, of)
#define PKT_OF_BRANCH(n, entries) PKT_ENTRY_(BRANCH, 0, 0, 0, 0, entries, "", n, 0, NULL)
#define PKT_OF_SIDE(entries) PKT_ENTRY_(SIDE, 0, 0, 0, 0, entries, "", 0, 0, NULL)

#ifdef __cplusplus
}
#endif

#endif
