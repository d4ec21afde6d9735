/* taken.h - the names that generated code makes from the names of a schema, as data.
 * SPDX-License-Identifier: MIT
 *
 * emit/names.c lists them, and the emitter makes no other names. check refuses a schema in which two of these names are
 * equal. So the model and check need not know the generated language.
 *
 * In a pattern, T is the name of a type with its prefix, and m is the name of a member or field: "T_write" makes
 * Snapshot_write for packet Snapshot, "T_tag_m" makes Message_tag_chat, "has_m" makes has_password.
 */
#ifndef PKTC_TAKEN_H
#define PKTC_TAKEN_H

#include "model/schema.h"

/* Who takes a name. A pattern without m is taken once by each declaration of these kinds; a pattern with m, by each
 * member of an enum, flags or union, or by each field of these kinds. */
enum {
    TAKEN_BY_CONSTANT = 1 << 0, /* the pattern follows the prefix of constants: schema_constant_prefix */
    TAKEN_BY_PROTOCOL = 1 << 1, /* likewise */
    TAKEN_BY_ENUM = 1 << 2,
    TAKEN_BY_FLAGS = 1 << 3,
    TAKEN_BY_STRUCT = 1 << 4, /* structs and packets */
    TAKEN_BY_UNION = 1 << 5,  /* unions and packet unions */
    TAKEN_BY_PACKET = 1 << 6, /* packets and packet unions */
    TAKEN_BY_COUNTED = 1 << 7,
    TAKEN_BY_SPARSE = 1 << 8,
    TAKEN_BY_OPTIONAL = 1 << 9,
    TAKEN_BY_BYTES = 1 << 10,
    TAKEN_BY_STRING = 1 << 11,
    TAKEN_BY_UNLESS = 1 << 12,
    TAKEN_BY_ARRAY = 1 << 13, /* of any kind */
    TAKEN_BY_QUANTIZED = 1 << 14,
    TAKEN_BY_FIT = 1 << 15,       /* arrays with @fit */
    TAKEN_BY_PREDICTED = 1 << 16, /* types with @delta(predict) */
    TAKEN_BY_DATAGRAM = 1 << 17,  /* packets with parts that are deltas */
    TAKEN_BY_PART = 1 << 18,      /* these parts */
    TAKEN_BY_COMPUTED = 1 << 19,  /* arrays whose count is computed */
    TAKEN_BY_LIST = 1 << 20,      /* lists with keys */
    TAKEN_BY_START = 1 << 21,     /* parts with `else start` */
    TAKEN_BY_TYPE = TAKEN_BY_STRUCT | TAKEN_BY_UNION
};

typedef enum taken_as {
    TAKEN_AS_TYPE,
    TAKEN_AS_FUNCTION,
    TAKEN_AS_MACRO,
    TAKEN_AS_CONSTANT, /* of a const, of a member of an enum or of flags, or of the protocol */
    TAKEN_AS_TAG,      /* the type of a union's tag, and its constants */
    TAKEN_AS_DATA,
    TAKEN_AS_MEMBER, /* of a C struct: must only differ from the other members of that struct */
    TAKEN_AS_LOCAL   /* a variable in a function: must only differ from global names */
} taken_as;

typedef struct taken_name {
    unsigned by; /* TAKEN_BY_... */
    taken_as as;
    const char *pattern;
} taken_name;

/* The names of the generated language. */
typedef struct name_rules {
    const taken_name *taken;
    size_t taken_count;
    /* Why a name cannot be used as something: "a keyword of C++"; NULL if it can. */
    const char *(*reserved)(const char *name, taken_as as);
    /* Whether a reserved name may begin with this text and be longer. */
    bool (*reserves)(const char *start);
} name_rules;

/* The files that are generated from NAME.pkt. */
typedef struct file_rules {
    const char *const *endings; /* the ends of their names, after NAME: "_codec.h"; NULL after the last */
    /* What is wrong with the name of such a file: "would hide the C header <math.h>"; NULL if nothing is. */
    const char *(*refused)(const char *file);
} file_rules;

/* The kinds of a declaration or of a field, as bits. It takes the names whose `by` has one of these bits. */
unsigned taken_by_decl(const decl *d);
unsigned taken_by_field(const field *f);
bool taken_has_member(const taken_name *t); /* whether the pattern has an m */

/* Writes the name that a pattern makes from T (`of`) and m, and returns its length. If that is size or more, the
 * content of `to` is unspecified. */
size_t taken_spell(char *to, size_t size, const char *pattern, const char *of, const char *m);

#endif
