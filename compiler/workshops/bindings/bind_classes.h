/* bind_classes.h - a schema in a language that has classes: each type is one, with the functions that its name begins.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BIND_CLASSES_H
#define PKTC_BIND_CLASSES_H

#include "bindings/bindings.h"

/* A function as a method of a class. */
typedef struct bind_method {
    struct bind_method *next; /* of the same class */
    const bind_function *function;
    const bind_param *self; /* the parameter that is `this`; NULL: the method is static */
    const char *name;
    bool throws; /* its error, instead of having it as a parameter */
    bool tries;  /* there is also try_NAME, which does not throw: it reads data, which may be hostile */
} bind_method;

/* "MAX_BITS" of Join_MAX_BITS. */
typedef struct bind_class_constant {
    struct bind_class_constant *next; /* of the same class */
    const bind_constant *constant;
    const char *name;
} bind_class_constant;

/* A type as a class. Its size and places are those in the C of wasm, in bytes, and only bind_ts has them. */
typedef struct bind_class {
    const bind_type *type;
    const char *name; /* in the language */
    uint32_t size, align;
    uint32_t *places; /* of the members */
    bind_method *methods, **last_method;
    bind_class_constant *constants, **last_constant;
} bind_class;

typedef struct bind_classes {
    const bindings *b;
    arena *arena;
    bind_class *types; /* in the order of bindings.types */
    size_t count;
    bind_class_constant *constants, **last_constant; /* of no class */
    out *to;
} bind_classes;

/* `spell` is the name of a type, or of a constant of no class, in the language. */
void bind_classes_begin(bind_classes *k, const bindings *b, const char *(*spell)(arena *a, const char *name), out *to);
const bind_class *bind_class_of(const bind_classes *k, const bind_type *t);

/* How a member is seen. */
typedef enum bind_sight {
    SIGHT_NONE, /* not at all: the byte that C needs in an empty struct */
    SIGHT_NUMBER,
    SIGHT_NUMBERS,
    SIGHT_TEXT,
    SIGHT_TEXTS,
    SIGHT_BYTES,
    SIGHT_BLOBS,
    SIGHT_VIEW,
    SIGHT_VIEWS,
    SIGHT_POINTER /* to a value of a type, or null; without a type a number */
} bind_sight;

bind_sight bind_sight_of(const bind_type *t, const bind_member *m);

/* The field of a struct that has this member; NULL: none. */
const field *bind_field_of(const bind_type *t, const bind_member *m);

/* Whether a parameter is the error, and whether it may be NULL. */
bool bind_is_error(const bind_param *p);
bool bind_may_be_null(const bind_param *p);

/* The bytes that a writing function needs at most: of T_DELTA_MAX_BYTES and the like. */
uint64_t bind_room_of(const bind_class *t);

#endif
