/* check_internal.h - what the parts of check share: the state of one check, lookup, constants, the parts' entry points.
 * SPDX-License-Identifier: MIT
 *
 * The order (check.c): imports.c loads every file; resolve.c makes a decl of each declaration, so that names resolve in
 * any order; declarations.c fills constants, enums, flags and unions; fields.c gives every struct its fields with
 * their types; bodies.c places them, with conditions, values and relations; layout.c orders declarations, refuses
 * cycles and sums up sizes; collisions.c compares the names that C will see.
 *
 * What was reported once is marked broken, and nobody reports a thing that follows from something broken.
 */
#ifndef PKTC_CHECK_INTERNAL_H
#define PKTC_CHECK_INTERNAL_H

#include "check/check.h"
#include "emit/cname.h"

/* ---- a map from (owner, interned name) to anything: members of enums, fields of structs, declarations (owner NULL) */

typedef struct map map;
map *map_new(arena *a);
void *map_get(const map *m, const void *owner, const char *name); /* NULL where there is none */
void map_put(arena *a, map *m, const void *owner, const char *name, void *what);

/* ---- what check knows of a declaration and a field beyond the schema */

typedef struct file_info {
    struct file_info *next;
    schema_file *file;
    ast_file *tree;
    map *reachable; /* (schema_file, NULL) of itself and every file it imports, directly or not; see look_from */
} file_info;

typedef enum progress { PROGRESS_NONE, PROGRESS_RUNNING, PROGRESS_DONE } progress;

typedef struct field_info {
    struct field_info *next; /* in source order, duplicates of a name included */
    field *field;
    const ast_field *ast;
    const ast_declarator *declarator;
    bool broken;      /* its type or arrays were reported: say nothing more about it */
    bool open;        /* on the wire on every path that leads to the place now being checked */
    bool conditional; /* stands inside an if or a switch: not always on the wire */
    uint32_t order;   /* 0, 1, ... in its struct */
} field_info;

typedef struct decl_info {
    struct decl_info *next; /* of all files, files in the schema's order, then source order */
    decl *decl;
    const ast_decl *ast;
    file_info *file;
    bool damaged;      /* errors of syntax stand in it: only its name is known */
    bool broken;       /* its value or a member was reported */
    progress progress; /* of the evaluation of a constant; of the layout of all else */
    field_info *fields;
    uint64_t size; /* of the C struct, and its alignment, as most machines lay it out */
    uint32_t align;
    const field *sparse; /* a sparse array that it holds, directly or by value */
    const field *kept;   /* the same of one with `keep` */
} decl_info;

typedef struct checker {
    arena *arena;
    names *names;
    diag *diag;
    const check_options *options;
    schema *schema;
    file_info *files;
    decl_info *decls;
    file_info *file;   /* the one being checked: names are looked up as seen from it */
    map *declarations; /* (NULL, name): decl_info */
    map *decl_infos;   /* (decl, NULL): decl_info */
    map *members;      /* (enum, flags or union decl, name): member */
    map *fields;       /* (struct decl, name): field_info */
    bool incomplete;   /* a file is missing or had errors of syntax: a name that is not found is no error then */
    uint32_t depth;    /* of recursion through expressions and constants: see enter */
    bool depth_reported;
    uint32_t
        suggestions_left; /* candidates still offered to suggest(), so that a file of nothing but errors ends quickly */
} checker;

/* Every function that recurses over an expression calls enter first and, where it was true, leave at its end. False after an
 * error at that place (expressions may be as deep as the file is long). */
bool enter(checker *k, span at);
void leave(checker *k);

/* ---- lookup; none of these reports but find_decl */

void look_from(checker *k, file_info *file); /* sets k->file */

/* The declaration of that name as seen from k->file, or NULL after an error (unknown, with a suggestion; or in a file that is
 * not imported). `what` is what was wanted: "type", "constant". Nothing is reported of an unknown name where k->incomplete. */
decl_info *find_decl(checker *k, ast_name name, const char *what);
decl_info *peek_decl(checker *k, const char *name); /* NULL where not found or not imported */
decl_info *info_of(const checker *k, const decl *d);
const member *find_member(const checker *k, const decl *d, const char *name);
field_info *find_field(const checker *k, const decl *d, const char *name);

/* Adds `did you mean '...'?` to m where a member of d (enum, flags, union: member; struct: field) is near to wanted. */
void suggest_member(checker *k, message *m, const decl *d, const char *wanted);

/* ---- constants (constants.c) */

typedef enum constant_kind { CONSTANT_BROKEN, CONSTANT_INTEGER, CONSTANT_REAL, CONSTANT_BOOL } constant_kind;

typedef struct constant {
    constant_kind kind;
    num integer;
    double real;
    bool boolean;
} constant;

/* The value of an expression of literals and constants; CONSTANT_BROKEN after an error was reported, here or before. */
constant evaluate(checker *k, const ast_expr *e);

/* The value of a declared constant, evaluated now if it was not yet. */
constant constant_of(checker *k, decl_info *d);

/* An integer from low to high. `what` begins the message: "the count of an array". False after an error. */
bool evaluate_integer(checker *k, const ast_expr *e, const char *what, num low, num high, num *result);

/* A real, or an integer taken as one. False after an error. */
bool evaluate_real(checker *k, const ast_expr *e, const char *what, double *result);

/* ---- conditions (condition.c) */

/* The place in a struct where an expression stands. The fields it may use are those that are open (field_info). */
typedef struct scope {
    const decl *owner;
} scope;

/* The expression resolved, typed and with its range; want_bool: a condition of an if, else the subject of a
 * switch (an integer, enum or fixed; a bool is an error that says `if`). NULL after an error, or where a part of it is broken. */
expr *check_condition(checker *k, const scope *visible, const ast_expr *e, bool want_bool);

/* One value of a case: a constant in the subject's range, or a bare member's name where the subject is an enum or flags. */
bool check_case_value(checker *k, const expr *subject, const ast_expr *value, expr **result);

/* ---- types and values */

/* The type that was written, its names resolved and its arguments evaluated. False after an error, here or before. */
bool resolve_type(checker *k, const ast_type *ast, type *result); /* types.c */
/* The words that types of fields begin with, NULL behind the last. */
const char *type_word(size_t i);

/* How a type is called in messages: "u16", "a quantized number", "struct 'Body'". */
const char *type_text(checker *k, const type *t);

/* A value of a scalar type as it stands behind `=` or `unless` (`what` says which). False after an error. */
bool scalar_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result); /* values.c */

/* Words and blanks, and stars where they are allowed: what can stand before a member's name in C. */
bool is_c_type(const char *text, bool stars); /* declarations.c */

/* ---- the parts, in the order check runs them */

void load_files(checker *k, const source *root); /* imports.c */
void declare_all(checker *k);                    /* resolve.c */
void check_declarations(checker *k);             /* declarations.c */
void check_fields(checker *k);                   /* fields.c */
void check_bodies(checker *k);                   /* bodies.c */
void check_layout(checker *k);                   /* layout.c */
void check_collisions(checker *k);               /* collisions.c */

#endif
