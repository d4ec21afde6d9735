/* bind_ts_internal.h - a schema in JavaScript: names, and where values are in the memory of wasm.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BIND_TS_INTERNAL_H
#define PKTC_BIND_TS_INTERNAL_H

#include "bindings/bindings.h"

/* A function as a method of a class. */
typedef struct ts_method {
    struct ts_method *next; /* of the same class */
    const bind_function *function;
    const bind_param *self; /* the parameter that is `this`; NULL: the method is static */
    const char *name;
    bool throws; /* its error, instead of having it as a parameter */
    bool tries;  /* there is also try_NAME, which does not throw: it reads data, which may be hostile */
} ts_method;

/* "MAX_BITS" of Join_MAX_BITS. */
typedef struct ts_constant {
    struct ts_constant *next; /* of the same class */
    const bind_constant *constant;
    const char *name;
} ts_constant;

/* A type in the C of wasm, in bytes. Of an opaque one only C knows the size. */
typedef struct ts_type {
    const bind_type *type;
    const char *name; /* in JavaScript */
    uint32_t size, align;
    uint32_t *places; /* of the members */
    ts_method *methods, **last_method;
    ts_constant *constants, **last_constant;
} ts_type;

typedef struct ts {
    const bindings *b;
    arena *arena;
    ts_type *types; /* in the order of bindings.types */
    size_t count;
    ts_constant *constants, **last_constant; /* of no class */
    out *to;
} ts;

void ts_begin(ts *k, const bindings *b, out *to);
const ts_type *ts_type_of(const ts *k, const bind_type *t);

/* A name that stands alone, such as that of a class: with an underscore if JavaScript or the file has the name. */
const char *ts_name(arena *a, const char *name);

/* The name of a member: with an underscore if its class has a method of that name. */
const char *ts_member(const ts *k, const ts_type *t, const char *name);

/* How a member is seen from JavaScript. */
typedef enum ts_sight {
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
} ts_sight;

ts_sight ts_sight_of(const bind_type *t, const bind_member *m);

/* Whether a parameter is the error, which is thrown. */
bool ts_is_error(const bind_param *p);

bool ts_is_big(storage s); /* whether its values are bigints */

/* "Team", or "Message_tag" of a union. */
const char *ts_enum_name(const ts *k, const decl *d);

/* The members of an enum, flags or union, as one line for each: "    red: 1," or "    readonly red: 1;". */
const char *ts_enumerators(const ts *k, const decl *d, const char *line);

const char *ts_constant_text(const ts *k, const bind_constant *c);

#endif
