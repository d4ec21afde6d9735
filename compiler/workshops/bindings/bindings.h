/* bindings.h - the types and functions of a schema as another language has them: what each language spells.
 * SPDX-License-Identifier: MIT
 *
 * bindings.c lists them; bind_glue.c writes the C that exports the functions, and a table of where members are in memory;
 * a file for each language writes the rest. The types have the layout of those in C, so that no value is converted.
 */
#ifndef PKTC_BINDINGS_H
#define PKTC_BINDINGS_H

#include "base/out.h"
#include "base/diag.h"
#include "wire/wire.h"

/* ---- types */

typedef enum bind_kind {
    BIND_SCALAR,  /* `storage`, which may be that of a bool; of an enum or flags also `of` */
    BIND_TEXT,    /* char: UTF-8, with a zero byte at its end. The last dimension has the most bytes, with this one */
    BIND_BYTES,   /* uint8_t. Likewise; the member x_size has how many there are */
    BIND_TYPE,    /* `type` */
    BIND_POINTER, /* to a `type`; if that is NULL, a number as wide as a pointer: the id of an `of`, 0 for none */
} bind_kind;

enum { BIND_MOST_DIMS = 9 };

/* A member of a struct in C, which has the members x_count, x_size, x_present and has_x too. */
typedef struct bind_member {
    struct bind_member *next;
    const char *name;
    bind_kind kind;
    storage storage;
    const decl *of;
    num low, high; /* of an integer, an enum, flags and an id: what a program may set */
    const struct bind_type *type;
    uint32_t dims[BIND_MOST_DIMS]; /* outermost first */
    unsigned dim_count;
    uint64_t length; /* the product of the dimensions */
    bool is_code;    /* a pkt_code */
    const char *doc; /* of the schema, or NULL */
} bind_member;

typedef enum bind_form {
    BIND_STRUCT,
    BIND_UNION, /* the first member is `tag`; the others are in the same place, called `as` in C */
    BIND_OPAQUE /* the program only holds memory for it: T_size, T_clear */
} bind_form;

typedef struct bind_type {
    struct bind_type *next;
    bind_form form;
    const char *name;   /* "Ship", without the prefix of C */
    const char *c_name; /* "game_Ship" */
    const decl *decl;   /* NULL: it is one of the runtime, or made for a packet with parts */
    bind_member *members;
} bind_type;

/* ---- functions */

typedef enum bind_pass {
    PASS_IN,     /* a pointer to a `type` that the function reads; it may be NULL where it may be in C */
    PASS_OUT,    /* a pointer to a `type` that it writes, perhaps after reading it */
    PASS_READ,   /* data, and in the next parameter its size */
    PASS_WRITE,  /* room for data, likewise */
    PASS_NUMBER, /* `storage` */
    PASS_STORE   /* a pointer to a `storage` that the function writes; it may be NULL where it may be in C */
} bind_pass;

typedef struct bind_param {
    struct bind_param *next;
    bind_pass pass;
    const char *name; /* "v", "data", ...: no name of the schema */
    const bind_type *type;
    storage storage;
} bind_param;

typedef enum bind_result {
    RESULT_VOID,
    RESULT_BOOL,   /* int32_t in the exported function, 0 or 1 */
    RESULT_SIZE,   /* int32_t, in bytes */
    RESULT_NUMBER, /* `storage` */
    RESULT_POINTER /* to a `type`; it may be NULL */
} bind_result;

typedef struct bind_function {
    struct bind_function *next;
    const char *name;     /* "Join_pack" */
    const char *exported; /* "bind_game_Join_pack_" */
    bind_result result;
    storage storage;
    const bind_type *type;
    bind_param *params;
    const char *body; /* the C of the exported function */
} bind_function;

/* "Join_MAX_BYTES", or a constant of the schema. */
typedef struct bind_constant {
    struct bind_constant *next;
    const char *name;
    const decl *decl; /* of the schema; NULL: a limit of a type */
    bool is_real;
    num number;
    double real;
} bind_constant;

typedef struct bindings {
    arena *arena;
    const schema *schema;
    const char *name; /* of the schema's file, as part of names */
    const char *stem;
    bind_type *types; /* each after those that it contains */
    bind_function *functions;
    bind_constant *constants;
    bool releases;
} bindings;

/* NULL after an error: the language cannot have a type. */
const bindings *bindings_of(arena *a, diag *d, const wire *w, bool releases);

/* The text of NAME_bind.c. Its function bind_NAME_layout_ returns an array of 64-bit numbers: how many follow, the
 * protocol id, and for each type that is not opaque its size and the place of each of its members. */
void bind_glue(const bindings *b, out *to);
/* "int32_t bind_Join_pack_(const Join *v, ...)". */
const char *bind_prototype(arena *a, const bind_function *f);
/* How many numbers follow the first. */
uint64_t bind_layout_count(const bindings *b);

/* ---- languages */

typedef struct bind_file {
    const char *name; /* "$.cs": $ is the name of the schema */
    void (*write)(const bindings *b, out *to);
    bool kept; /* it is only written where there is none, since the program changes it */
} bind_file;

enum { BIND_MOST_FILES = 8 };

typedef struct bind_language {
    const char *word; /* "cs" */
    bind_file files[BIND_MOST_FILES];
} bind_language;

extern const char bind_languages[]; /* for messages */

/* NULL: there is none. */
const bind_language *bind_language_named(const char *word);

void bind_cs(const bindings *b, out *to);

/* JavaScript for wasm, its types, what all schemas have of both, and package.json. */
void bind_ts(const bindings *b, out *to);
void bind_ts_types(const bindings *b, out *to);
void bind_ts_runtime(const bindings *b, out *to);
void bind_ts_runtime_types(const bindings *b, out *to);
void bind_ts_package(const bindings *b, out *to);

/* C that registers classes of Godot, what all schemas have of it, and NAME.gdextension. */
void bind_godot(const bindings *b, out *to);
void bind_godot_runtime(const bindings *b, out *to);
void bind_godot_project(const bindings *b, out *to);

/* A file of this folder that is the same for all schemas. */
void bind_put_file(out *to, const char *name);

#endif
