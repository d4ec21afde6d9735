/* schema.h - the checked model of a protocol: names are resolved to pointers, constants evaluated, ranges checked.
 * SPDX-License-Identifier: MIT
 *
 * check/ makes it from syntax trees. wire/ turns it into wire ops, emit/ into C types, and projection.c into the text
 * whose hash is the protocol id. The model has spans for diagnostics, but nothing else of the source text. It has only
 * the widths in bits that the author wrote; wire/ works out the others.
 *
 * Lists are linked by `next`, in source order. A schema with errors is never passed on.
 */
#ifndef PKTC_SCHEMA_H
#define PKTC_SCHEMA_H

#include "base/source.h"
#include "model/kinds.h"

typedef struct decl decl;
typedef struct field field;
typedef struct item item;
typedef struct code_table code_table;
typedef struct code_values code_values;

/* ---- types */

/* A range of real numbers from low to high, cut into steps, in the arithmetic of a storage. */
typedef struct grid {
    storage storage;
    double low, high, range; /* high - low */
    uint64_t steps;
    bool wraps; /* high is low again: there is no code `steps` */
} grid;

/* What codec/ finds out about a scalar of a fixed width from the rest of its type, when it first needs it. */
typedef struct scalar_facts {
    bool known;
    unsigned width;          /* bits on the wire */
    uint64_t greatest, bias; /* the greatest code; what is subtracted from a value to get its code */
    grid grid;               /* of QUANTIZED and OR_RAW */
    bool exact;              /* of QUANTIZED: each code is that of its own value */
} scalar_facts;

typedef struct type {
    type_kind kind;
    storage storage; /* of a scalar; of an enum the smallest unsigned one that holds its members, or its width */
    real_kind real;  /* FLOAT, QUANTIZED and OR_RAW: whose values it has */
    unsigned bits;
    /* The values of BITS, INT, COMPACT and FIXED (raw). ENUM: its lowest and highest member, or 0 and 2^width - 1 if it
     * has a width. FLAGS: 0 and all flags. REF: 0 and the greatest id. */
    num low;
    num high;
    double real_low, real_high, real_step;
    uint64_t steps; /* QUANTIZED, OR_RAW: the number of steps, M in wire.md */
    bool wraps;     /* BITS, INT, FIXED, QUANTIZED: the range is a circle, and the lowest code follows the highest */
    bool clamps; /* BITS, INT, FIXED: a writer sends the nearest bound for a value out of range. The wire is the same */
    unsigned whole_bits, fraction_bits;
    uint32_t length;
    const decl *decl;
    const char *c_type;
    span span; /* as written; of a type with a name, what is behind the name */
    scalar_facts facts;
} type;

/* A value of a scalar type: `number` for bool (0 or 1), integers, fixed (raw), enums and flags; `real` for float,
 * double and quantized numbers, rounded to the storage. */
typedef struct value {
    num number;
    double real;
} value;

/* ---- conditions: no operation overflows the type it is computed in, as long as every field is in its range */

typedef enum expr_kind {
    EXPR_VALUE, /* a constant */
    EXPR_FIELD, /* the value of a field; flags and enums are numbers */
    EXPR_COUNT, /* x_count, for the field x at the end of the path */
    EXPR_HAS,   /* has_x, likewise */
    EXPR_ONES,  /* bits(x): the number of set bits in the field at the end of the path */
    EXPR_OPERATOR
} expr_kind;

typedef struct path { /* from a field of the type itself on, through members that are structs */
    struct path *next;
    const field *field;
} path;

/* The C type of an operation: int64_t if it holds both sides and the result, otherwise uint64_t. */
typedef enum expr_type { EXPR_BOOL, EXPR_SIGNED, EXPR_UNSIGNED } expr_type;

typedef struct expr {
    expr_kind kind;
    operator_kind operator; /* of an EXPR_OPERATOR */
    expr_type type;   /* of the result: EXPR_BOOL, EXPR_SIGNED if low to high fit in int64_t, otherwise EXPR_UNSIGNED */
    expr_type inside; /* of an operator: the type in which it is computed */
    num low, high;    /* the range of the result; 0 and 1 for a bool */
    num number;       /* EXPR_VALUE */
    const decl *of;   /* the enum or flags of an EXPR_FIELD or of an EXPR_VALUE that is the name of a member; or NULL */
    const char *name; /* EXPR_VALUE: the name of the member, or NULL */
    path *path;       /* EXPR_FIELD, EXPR_COUNT, EXPR_HAS, EXPR_ONES */
    struct expr *left, *right; /* EXPR_OPERATOR; unary ! and -: right is NULL */
    span span;
} expr;

/* ---- sums */

/* A number that other fields give: a sum of constants, fields, and counts of the set bits in a field. It wraps at the
 * width of its first field. This is one term of it, and `next` are the others. */
typedef struct field_sum {
    struct field_sum *next;
    bool minus;       /* this term is subtracted */
    bool ones;        /* the number of set bits in the field, instead of its value */
    uint64_t number;  /* if depth is 0: a constant */
    const decl *decl; /* in the list of a stream: the last value of this type has the field; NULL: the packet itself */
    const field *path[4];
    unsigned depth; /* of the path: the field is in the structs before it */
} field_sum;

/* `delta(number from base after before else start)`: the field is a delta to a baseline that other fields name. */
typedef struct delta_part {
    const field_sum *number; /* the name of this value in later packets */
    const field_sum *base;   /* the name of the baseline; if a field in it is absent, it is base values */
    const field_sum *before; /* of a @delta(predict) type: of the value from which it has moved; or NULL */
    bool starts;             /* else start: without a baseline it is a delta to a value that the program sets */
    unsigned bits;           /* of these names: they wrap at 2^bits */
    uint64_t reach;          /* number - base is at most this, and at least 1 */
} delta_part;

/* ---- bodies */

typedef struct block {
    item *items;
    unsigned number;      /* among the blocks of its type, if the type has coded fields */
    code_table **masks;   /* of its change mask, if it has several fields and its type has coded ones: see coding.h */
    unsigned mask_fields; /* with masks: its fields */
    uint32_t mask_number; /* with masks: among those of the schema */
    const code_values *mask_values; /* of a mask that is coded by its frequent values, not in groups; or NULL */
    struct block *
        in_new; /* the same mask in new elements of lists, if it has its own codes there: only its masks are set; or NULL */
    bool is_new; /* it is an in_new */
} block;

typedef struct arm { /* of a switch */
    struct arm *next;
    bool is_default;
    expr **values; /* all EXPR_VALUE */
    uint32_t value_count;
    block body;
    span span;
} arm;

typedef struct arm_value { /* `case value:` */
    num value;
    const arm *arm;
} arm_value;

typedef enum item_kind {
    ITEM_FIELD,
    ITEM_ALIGN,
    ITEM_CONST,    /* const<bits> = value */
    ITEM_RESERVED, /* reserved<bits>: value 0 */
    ITEM_CHECK,    /* 32 bits; the value is written or computed; under --no-checks there are none */
    ITEM_IF,
    ITEM_SWITCH
} item_kind;

struct item {
    item *next;
    item_kind kind;
    span span;
    union {
        field *field;
        struct {
            unsigned bits;
            uint64_t value;
            bool given; /* CHECK: the schema gives the value; otherwise it is made from the name of the type */
        } constant;     /* CONST, RESERVED, CHECK */
        struct {
            expr *condition;
            block then, other;
        } branch; /* for `else if`, `other` has one item, an ITEM_IF */
        struct {
            expr *subject;
            arm *arms;
            const arm *otherwise; /* the default; or NULL */
            arm_value *by_value;  /* the values of all arms, in their order */
            uint32_t value_count;
        } choice;
    } as;
};

typedef struct old_name { /* was "name" */
    const struct old_name *next;
    const char *name; /* interned */
    span span;
} old_name;

typedef enum array_kind {
    ARRAY_NONE,
    ARRAY_FIXED,
    ARRAY_COUNTED,
    ARRAY_COMPUTED, /* `count` computes the number of elements from earlier fields, so it is not sent */
    ARRAY_SPARSE
} array_kind;
typedef enum sparse_mode {
    SPARSE_FLAG,
    SPARSE_COUNT,
    SPARSE_SENTINEL,
    SPARSE_RELATIVE,
    SPARSE_BITMAP,
    SPARSE_AUTO
} sparse_mode;

/* A mode as .pkt writes it: "relative". */
const char *sparse_mode_name(sparse_mode mode);

/* @speed(of): per tick and per step of the speed's code away from that of 0, the number moves by factor / 2^shift steps. */
typedef struct own_speed {
    const field *of;
    uint32_t factor; /* 16 bits: from 32768 to 65535 */
    unsigned shift;  /* 1 to 48 */
    uint64_t rest;   /* the code of the speed 0 */
    expr *condition; /* of the baseline: without it, the number rests; or NULL */
} own_speed;

enum { POINT_OF_TYPE = 2 }; /* the point of the type that T_mix is called for */

struct field {
    field *next;    /* in decl.fields, which has the fields of all blocks */
    uint32_t index; /* its place there */
    const char *name;
    const old_name *olds; /* for tools that compare versions; the wire and generated code do not depend on them */
    const char *doc;
    span span; /* of the name */
    const decl *owner;
    type type;  /* of an array, the type of an element */
    bool local; /* in the C struct but not on the wire, and in no block */
    bool optional;
    bool deprecated;  /* @deprecated */
    uint32_t convert; /* @convert: the program converts it from this release and older ones; 0: from none */
    uint32_t lossy;   /* @lossy: values may be clamped or cut for this release and older ones; 0: for none */
    bool fit;         /* @fit: an array of one dimension that is a plain member; not on the wire */
    bool mixed;       /* @mix: an integer that T_mix mixes, as it does real numbers */
    bool steps;    /* @mix(point): T_mix takes all of it from the first value before that point, then from the second */
    bool cuts;     /* @mix(cut): if it is not near, T_mix mixes nothing of its struct */
    bool has_near; /* @near(tolerance) */
    double point, tolerance; /* of T_mix, 0 to 1 or POINT_OF_TYPE; of T_near, in degrees for rotations */
    bool asked;              /* a condition asks for its value */
    bool has_unless;
    value unless;
    bool has_initial;
    value initial; /* of a scalar; without one, T_init sets the base value */
    array_kind array;
    uint32_t dim_count;     /* ARRAY_FIXED: 1 or more; of other arrays: 1 */
    uint32_t dims[8];       /* outermost first; dims[0] is the N of [<=N], [A..N] and [<=C of N], the most of `count` */
    uint32_t count_low;     /* ARRAY_COUNTED: the A of [A..N]; ARRAY_COMPUTED: the least of `count` */
    const expr *count;      /* ARRAY_COMPUTED */
    sparse_mode mode;       /* ARRAY_SPARSE */
    bool keep;              /* ARRAY_SPARSE */
    uint32_t limit;         /* ARRAY_SPARSE: the C of [<=C of N], or N */
    const field *by;        /* ARRAY_COUNTED: it is a list; the key, a field of its elements; or NULL */
    bool key;               /* lists send it as the key of their elements, so it is in no block */
    const field *after;     /* the earlier field that must be less than this one, or NULL */
    const delta_part *part; /* it is a delta to a named baseline; or NULL */
    bool chain;             /* delta(previous): each element of the array is a delta to the one before it */
    bool has_delta;
    unsigned delta_small, delta_large;
    bool still;             /* coded, and not moved by @delta(predict) */
    const own_speed *speed; /* coded, and moved by @delta(predict) with the speed that another field has; or NULL */
    bool coded;             /* its differences, or an array's changed elements, are coded by the model: see coding.h */
    code_table *codes[6];   /* of a coded number, by context; NULL for contexts that it does not have */
    uint32_t coded_number;  /* its place among the coded numbers and rotations of the schema */
    const code_values *values; /* of a number that is coded by its frequent values, not by differences; or NULL */
    code_table *runs;          /* of a coded array */
};

/* ---- declarations */

typedef enum decl_kind {
    DECL_CONST,
    DECL_ALIAS, /* type NAME = ...; check resolves it where it is used, so it is not in schema.decls */
    DECL_ENUM,
    DECL_FLAGS,
    DECL_STRUCT,
    DECL_UNION
} decl_kind;

typedef struct member {
    struct member *next;
    const char *name;
    const old_name *olds;       /* as of a field */
    const struct member *other; /* what it becomes for a release that does not have it; or NULL */
    const char *doc;
    num value;        /* enum: its value; flags: its mask; union: its tag */
    const decl *type; /* union: a struct or packet */
    span span;
} member;

typedef struct schema_file schema_file;

struct decl {
    decl *next; /* in schema.decls */
    decl_kind kind;
    const char *name;     /* as written, without the prefix */
    const old_name *olds; /* as of a field */
    const char *doc;
    span span; /* of the name */
    const schema_file *file;
    bool packet;        /* packet, packet union */
    bool seeded;        /* @seed, or it has parts: its crc has a seed */
    bool received;      /* @received: it is never sent to programs of older releases */
    bool stable;        /* @stable: programs of all releases can read it */
    bool delta;         /* @delta */
    bool predicts;      /* @delta(predict) */
    bool moves;         /* it has @delta(predict) or is in a type that has: see schema_find_tables */
    bool holds_coded;   /* a coded field is in it, or in a type in it: see schema_find_facts */
    bool holds_after;   /* an `after` is in it, or in a type in it: see schema_find_facts */
    bool large;         /* @large */
    bool mixes;         /* @mix: it has T_mix and T_near */
    double point;       /* of @mix(point), or 1: from there on T_mix takes what it does not mix from the second value */
    bool saved;         /* @save: it has T_save and T_restore */
    bool deprecated;    /* @deprecated */
    uint32_t budget;    /* @budget: bytes; 0: none */
    uint32_t convert;   /* @convert, as of a field */
    uint32_t lossy;     /* @lossy of an enum: numbers without a name become its base value */
    uint64_t stable_id; /* of a stable packet: takes the place of the protocol id */
    const struct decl *answers; /* @answers: the packet that this one answers, and may not be larger than; or NULL */
    /* const */
    bool is_real;
    value value;
    /* enum, flags, union */
    member *members;
    uint32_t member_count;
    const member **by_value; /* the members in the order of their values */
    unsigned width;          /* enum: the N of `enum E : bits<N>`, or 0 */
    type type;               /* enum, flags, type: the type of a field of it */
    /* struct, packet */
    field *fields;
    uint32_t field_count;
    uint32_t parts; /* fields that are deltas to named baselines; a packet that has some is a datagram */
    block body;
    const field *key;                  /* a struct whose values are the elements of lists: their key; or NULL */
    const char *as_type, *from_header; /* struct S as "T" from "h": bound to a type of the program; or NULL */
    /* struct, packet, union: see schema_find_facts */
    bool holds_private; /* in C it has members that are not on the wire: local ones, or those of a program's type */
    bool holds_bound;   /* in C++ it may hold objects: types of the program, or local C types that are no pointers */
    bool holds_keep;    /* an array with `keep` is in it, or in a type in it */
    bool all_there;     /* all of it is there at all times: no union, counted array, string or bytes is in it */
    bool holds_list;    /* a list with a key is in it, or in a type in it: a copy need not be of all its bytes */
    bool
        holds_counted; /* a counted array that is sent is in it, or in a type in it: a save need not be of all its bytes */
    bool holds_chain;  /* it has an array with delta(previous) */
    bool in_delta;     /* it is @delta, or in a type that is */
    bool is_new;       /* new elements of lists in deltas start from its initial value, so that decides bits */
    bool starts;       /* it is the type of a part with `else start`, and has lists of its own: see is_own_list */
    bool has_initials; /* its initial value is not its base value */
    bool zero_base;    /* all bytes of its base value are zero; private members do not count */
    bool zero_initial; /* all bytes of its initial value are zero, likewise */
};

/* Whether d is a struct or a union; false for NULL. */
bool decl_is_type(const decl *d);

/* Whether a field of d has @fit, so that a packet with parts has T_fit_pack. */
bool has_fit(const decl *d);

/* "constant", "enum", "flags", "struct", "packet", "union", "packet union": what messages call a declaration. */
const char *decl_noun(const decl *d);

/* The member of an enum, flags or union that has a value; or NULL. */
const member *member_of_value(const decl *d, num v);

/* The arm of a switch for a value of its subject; NULL if there is none. */
const arm *arm_of_value(const item *choice, num v);

/* The member that is an enum's base value: the one with value 0, otherwise the first. */
const member *enum_base(const decl *d);

/* The base value of a scalar field (language.md, "Base values and initial values"): the value of `unless`; for an enum,
 * enum_base; otherwise 0 if it is in range, or else the lower bound. */
value base_value(const field *f);

/* Whether all bits of a value of a scalar type are zero in memory. */
bool is_zero_value(const type *t, const value *v);

/* Whether the elements of a field get initial values when the whole value does. Absent elements of a sparse array have
 * base values, unless they are kept. */
bool gives_initial(const field *f);

/* The initial value of a scalar field; its base value if it has none, or if `initial` is false. */
value given_value(const field *f, bool initial);

/* Whether the initial value of a field is not its base value. */
bool differs_initially(const field *f);

struct schema_file {
    schema_file *next;
    uint32_t index; /* in schema.files */
    const source *source;
    const char *path;   /* as found: for the depfile */
    const char *stem;   /* "my-game": the output files are named after it */
    const char *name;   /* the stem as a part of names: "my_game" */
    const char *prefix; /* "mg_"; "" for none, as in imported files */
    bool root;
    const struct import {
        struct import *next;
        const schema_file *file;
    } * imports; /* direct ones, in source order */
};

typedef struct schema {
    const char *protocol; /* NULL: the root file declares none, so it is a library of types */
    num version;
    span protocol_span;
    bool checks;        /* false under --no-checks */
    schema_file *files; /* every file once, each one after those that it imports; the root is last */
    schema_file *root;
    decl *decls; /* of all files: each one after those that it contains, otherwise in the order of files and source */
    bool has_model;
    const char *model_path; /* of the file with its model, or NULL */
    code_table *tables;     /* see coding.h */
    uint32_t table_count;   /* more than the index of any of them */
    uint32_t coded_numbers; /* and rotations */
    uint32_t coded_masks;
    const char *projection; /* the text of everything that decides the bytes on the wire: see projection.c */
    uint64_t id;            /* the protocol id: fnv1a_64 of the projection */
} schema;

/* How the names of a file's constants begin in generated code: with the file's prefix; without one, with the name of
 * the protocol, or else of the file, and "_". */
const char *schema_constant_prefix(arena *a, const schema *s, const schema_file *file);

/* Sets the facts about each declaration that need all of them to be checked: its members by value, its fields by index,
 * and the properties that a type has from nested types. Each type uses the facts of its nested types, so the time grows
 * only with the number of lines. */
void schema_find_facts(arena *a, schema *s);

/* A condition as text: "(count items > 3)". */
const char *expr_text(arena *a, const expr *e);

/* The same as .pkt writes it: "items_count > 3". */
const char *expr_words(arena *a, const expr *e);

/* A sum as text: "number - back". */
const char *field_sum_text(arena *a, const field_sum *sum);

/* What names the baselines of a part: "number from number - back". */
const char *delta_part_text(arena *a, const delta_part *p);
/* Whether a start value of the type has elements for the new ones of this list: it is outside of branches. */
bool is_own_list(const field *f);
/* Whether a part has a start value that such lists ask for. */
bool starts_lists(const field *part);

/* The bits of the first field of a sum, at which it wraps. */
unsigned field_sum_bits(const field_sum *sum);
/* The number of values that the ring of a part keeps: a power of two, so that it does not matter where numbers wrap. */
uint64_t delta_part_ring(const delta_part *p);

/* The version of the wire format. Increase it whenever the same projection means other bytes than before. */
#define WIRE_FORMAT 1

/* The text that --projection prints, and the part of it about one declaration. */
const char *schema_projection(arena *a, const schema *s);
const char *schema_decl_projection(arena *a, const decl *d);

/* The same about one field; and about the type of its values: everything that decides their bits and their meaning. Of a
 * struct or union it is only the name. */
const char *schema_field_projection(arena *a, const field *f);
const char *schema_type_projection(arena *a, const type *t);

/* Everything that decides the bytes of a stable packet. Its id is the hash of this text. */
const char *schema_stable_projection(arena *a, const schema *s, const decl *packet);

/* The id that the crc of a packet includes, and whether an end check follows its body. d NULL: a frame around a stream. */
uint64_t schema_id_of(const schema *s, const decl *d);
bool schema_has_end(const schema *s, const decl *d);

/* Whether two schemas are releases of one protocol, or the same. */
bool is_same_protocol(const schema *one, const schema *other);

/* The 64-bit FNV-1a hash of a text. */
uint64_t fnv1a_64(const char *text);

#endif
