/* taken.h - the names that generated code takes, as data: what is made of the names of a schema, and for what.
 * SPDX-License-Identifier: MIT
 *
 * The emitter lists them in emit/names.c and spells no others; check refuses schemas in which two of them are equal. So neither
 * the model nor check knows the language that is generated.
 *
 * A pattern has T where the name of the type is, with its prefix, and m where that of a member or a field is:
 * "T_write" is Snapshot_write for the packet Snapshot, "T_tag_m" is Message_tag_chat, "has_m" is has_password.
 */
#ifndef PKTC_TAKEN_H
#define PKTC_TAKEN_H

#include "model/schema.h"

/* What takes a name. A pattern without m: a declaration of one of these kinds, once. With m: each member of an enum, of flags or of a
 * union, or each field of one of the kinds of fields. */
enum {
    TAKEN_BY_CONSTANT = 1 << 0, /* the pattern follows the prefix of constants: schema_constant_prefix */
    TAKEN_BY_PROTOCOL = 1 << 1, /* likewise */
    TAKEN_BY_ENUM = 1 << 2,
    TAKEN_BY_FLAGS = 1 << 3,
    TAKEN_BY_STRUCT = 1 << 4, /* packets included */
    TAKEN_BY_UNION = 1 << 5,  /* packet unions included */
    TAKEN_BY_PACKET = 1 << 6, /* packets and packet unions */
    TAKEN_BY_COUNTED = 1 << 7,
    TAKEN_BY_SPARSE = 1 << 8,
    TAKEN_BY_OPTIONAL = 1 << 9,
    TAKEN_BY_BYTES = 1 << 10,
    TAKEN_BY_TYPE = TAKEN_BY_STRUCT | TAKEN_BY_UNION,
    TAKEN_BY_FIELD = TAKEN_BY_COUNTED | TAKEN_BY_SPARSE | TAKEN_BY_OPTIONAL | TAKEN_BY_BYTES
};

typedef enum taken_as {
    TAKEN_AS_TYPE,
    TAKEN_AS_FUNCTION,
    TAKEN_AS_MACRO,
    TAKEN_AS_CONSTANT, /* of a const, of a member of an enum or of flags, or of the protocol */
    TAKEN_AS_TAG,      /* the type of a union's tag, and its constants */
    TAKEN_AS_DATA,
    TAKEN_AS_MEMBER, /* of the struct that is generated: names of one struct are compared with each other alone */
    TAKEN_AS_LOCAL   /* of functions, each by itself: compared with what is global */
} taken_as;

typedef struct taken_name {
    unsigned by; /* TAKEN_BY_... */
    taken_as as;
    const char *pattern;
} taken_name;

/* What a language does to the names of a schema. */
typedef struct name_rules {
    const taken_name *taken;
    size_t taken_count;
    /* Why a name cannot be used for something: "a keyword of C++"; NULL where it can. */
    const char *(*reserved)(const char *name, taken_as as);
} name_rules;

/* The files that are generated from NAME.pkt. */
typedef struct file_rules {
    const char *const *endings; /* of their names, after NAME: "_codec.h"; NULL at the end */
    /* What is wrong with such a file: "would hide the C header <math.h>"; NULL where nothing is. */
    const char *(*refused)(const char *file);
} file_rules;

/* Whether a rule is about a declaration, or about a field. */
bool taken_by_decl(const taken_name *t, const decl *d);
bool taken_by_field(const taken_name *t, const field *f);
bool taken_has_member(const taken_name *t); /* whether there is an m in the pattern */

/* Writes the name that a pattern makes of T and m, and returns its length. Where that is size or more, `to` holds nothing of use. */
size_t taken_spell(char *to, size_t size, const char *pattern, const char *of, const char *m);

#endif
