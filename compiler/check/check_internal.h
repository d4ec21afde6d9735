/* check_internal.h - what the files of check share: the state of a check, the phases in their order, and what these call.
 * SPDX-License-Identifier: MIT
 *
 * After an error, the wrong thing is marked broken; errors that only follow from a broken thing are not reported.
 */
#ifndef PKTC_CHECK_INTERNAL_H
#define PKTC_CHECK_INTERNAL_H

#include "base/hash_table.h"
#include "check/check.h"
#include "front/habits.h"

typedef struct file_info {
    struct file_info *next;
    schema_file *file;
    ast_file *tree;
    uint64_t *reachable; /* a bit by schema_file.index: itself and every file that it imports, directly or not */
} file_info;

typedef enum progress { PROGRESS_NONE, PROGRESS_RUNNING, PROGRESS_DONE } progress;

typedef struct field_info {
    struct field_info *next; /* in source order, with duplicates of a name */
    field *field;
    const ast_field *ast;
    const ast_declarator *declarator;
    const ast_type *written; /* its type, or that of the `type` whose name it is */
    bool broken;             /* an error in its type or arrays was reported: report nothing more about it */
    bool open;               /* it is on the wire on every path to the current position */
    bool conditional;        /* inside an if or a switch: not always on the wire */
    uint32_t order;          /* 0, 1, ... within its struct */
    uint32_t asks;           /* how often the conditions and counts of its struct have its name */
    const ast_attribute *mix, *tolerance; /* @mix and @near, or NULL: see check_mix */
    const ast_attribute *speed;           /* @speed, or NULL: see check_speeds */
} field_info;

typedef struct decl_info {
    struct decl_info *next; /* of all files: in the schema's order of files, then in source order */
    decl *decl;
    const ast_decl *ast;
    file_info *file;
    bool damaged;      /* it has syntax errors: only its name is known */
    bool broken;       /* an error in its value or in a member was reported */
    bool has_parts;    /* of its datagram: see parts.c */
    bool in_mix;       /* a type with @mix contains it, or is it */
    progress progress; /* of a constant or a `type`: of evaluating it; of others: of visiting it in order.c */
    field_info *fields;
    uint64_t size;      /* of the C struct in bytes, on most machines */
    uint32_t align;     /* of the C struct, likewise */
    const field *whole; /* a field in it, directly or in a member, that no @delta type can have; or NULL */
    const field *kept;  /* likewise, a sparse array with `keep` */
    const field *ref;   /* likewise, a ref */
} decl_info;

typedef struct checker {
    arena *arena;   /* for the parts of the schema */
    arena *scratch; /* for data that only the check needs: syntax trees, the structs of this file, tables */
    names *names;
    diag *diag;
    const check_options *options;
    schema *schema;
    file_info *files;
    decl_info *decls;
    span statement;        /* the item or declaration being checked, for advice.h; source NULL: none */
    file_info *file;       /* the file being checked, from which names are looked up: see look_from */
    map *declarations;     /* (NULL, name): decl_info */
    map *decl_infos;       /* (decl, NULL): decl_info */
    map *members;          /* (enum, flags or union decl, name): member */
    map *fields;           /* (struct decl, name): field_info */
    const ast_decl *model; /* of the root file, or NULL */
    bool incomplete;       /* a file is missing or has syntax errors, so an unknown name is not an error */
    uint32_t depth;        /* of recursion through expressions and constants: see enter */
    bool depth_reported;
    uint32_t suggestions_left; /* names that suggest() may still compare */
} checker;

/* The most elements of an array: far more than any packet has, and few enough that no size in bits comes near 2^64. */
#define MAX_ELEMENTS (UINT32_C(1) << 24)

/* A function that recurses over expressions calls enter first, and leave at its end if enter returned true. enter
 * reports an expression that nests too deeply and returns false. */
bool enter(checker *k, span at);
void leave(checker *k);

/* ---- the phases: each reports its errors, and the next ones run anyway */

/* Parses the root file and all files that it imports, directly or not. */
void load_files(checker *k, const source *root);

/* Makes a decl for each declaration, so that names can be used before they are declared. */
void declare_all(checker *k);

/* Fills constants, enums, flags and unions. */
void check_declarations(checker *k);

/* Gives each struct its fields, with their types. */
void check_fields(checker *k);

/* Finds the keys of lists. */
void check_lists(checker *k);

/* Refuses a declarator with both `sparse` and a key; else false. */
bool refuse_sparse_list(checker *k, const ast_field *ast, const ast_declarator *d);

/* Refuses elements of lists with members of the program: they would stay behind when elements move. The facts are known. */
void check_list_members(checker *k);

/* Gives types, fields and members their old names. */
void check_renames(checker *k);

/* Gives each struct its items: fields in their places, conditions, values, relations. */
void check_bodies(checker *k);

/* The first word after a field's name that gives it another form on the wire: "unless"; NULL if there is none. */
const char *word_of_form(const ast_declarator *d);

/* Puts declarations in an order in which C can declare them, refuses cycles, and sums up the sizes of the C structs. */
void check_order(checker *k);

/* Checks @stable and @answers, in a schema that is right otherwise and whose facts are known. */
void check_stable_packets(checker *k);

/* Refuses names that would collide in the generated code. */
void check_collisions(checker *k);

/* Gives the code tables of a schema without errors the lengths that its model has. */
void read_model(checker *k);

/* ---- resolve.c: a decl for each declaration; finds declarations, members and fields by name. Only find_decl
 * reports errors. */

/* From now on names are looked up as seen from this file: sets k->file. */
void look_from(checker *k, file_info *file);

/* The declaration of that name as seen from k->file. NULL if the name is unknown, or declared in a file that is not
 * imported; this is reported as an error unless k->incomplete. `what` names the kind that is wanted: "type" or
 * "constant". */
decl_info *find_decl(checker *k, ast_name name, const char *what);

/* NULL if there is none; peek_decl also returns NULL for a declaration in a file that is not imported. */
decl_info *peek_decl(const checker *k, const char *name);
const member *find_member(const checker *k, const decl *d, const char *name);
field_info *find_field(const checker *k, const decl *d, const char *name);

decl_info *info_of(const checker *k, const decl *d);

/* A doc comment of the syntax tree, for the schema; NULL stays NULL. */
const char *keep_doc(checker *k, const char *doc);

/* Adds advice to m if a member of d (enum, flags, union: a member; struct: a field) has a similar name, or if the name
 * is how C writes a member: Team_red. */
void suggest_member(checker *k, message *m, const decl *d, const ast_name *wanted);

/* ---- constants.c: evaluates constant expressions */

typedef enum constant_kind { CONSTANT_BROKEN, CONSTANT_INTEGER, CONSTANT_REAL, CONSTANT_BOOL } constant_kind;

typedef struct constant {
    constant_kind kind;
    num integer;
    double real;
    bool boolean;
} constant;

/* The value of an expression of literals and constants. CONSTANT_BROKEN after an error, reported here or earlier. */
constant evaluate(checker *k, const ast_expr *e);

/* The value of a declared constant, evaluated at its first use. */
constant constant_of(checker *k, decl_info *d);

/* Evaluates an integer from low to high. `what` begins the message of an error: "the length of an array" gives "the
 * length of an array must be from 1 to 16, not 17". False after an error. */
bool evaluate_integer(checker *k, const ast_expr *e, const char *what, num low, num high, num *result);

/* The same for small bounds. */
bool evaluate_small(checker *k, const ast_expr *e, const char *what, uint32_t low, uint32_t high, uint32_t *result);

/* Evaluates a real number; an integer is converted. False after an error. */
bool evaluate_real(checker *k, const ast_expr *e, const char *what, double *result);

/* ---- types.c: resolves the types of fields */

/* Resolves the names of a type and evaluates its arguments. False after an error, reported here or earlier. */
bool resolve_type(checker *k, const ast_type *ast, type *result);

/* Resolves a `type`, at its first use. False after an error. */
bool resolve_alias(checker *k, decl_info *d);

/* The type as it was written: that of a `type` in place of its name. */
const ast_type *written_type(const checker *k, const ast_type *ast);

/* The name of a type in messages: "'u16'", "a quantized float", "struct 'Body'". */
const char *type_text(checker *k, const type *t);

/* ---- beyond.c: `wrap` and `or raw`: what becomes of values beyond a range */

/* Whether `wrap` can make the range of a type a circle. */
bool is_circular(const type *t);

/* Does to a type what the words say, if any. name: of the field or `type` that has them. False after an error, and then t has
 * not changed. */
bool check_beyond(checker *k, const char *name, ast_beyond words, bool has_after, type *t);

/* ---- quantized.c: the type of quantized numbers: float<lo, hi, res> and double<lo, hi, res> */

/* Evaluates bounds and resolution of a float or double with arguments into t, whose storage is set. False after an
 * error. */
bool resolve_quantized(checker *k, const ast_type *ast, type *t);

/* Warns if the range has one step more than its bounds and resolution say as they are written, because they are rounded;
 * and if 0 is within the bounds of the type but between two steps, so that no field of the type can be 0. Names the
 * nearest resolution, and the nearest bounds for which 0 is a step. */
void check_quantized(checker *k, const ast_type *ast, const type *t);

/* ---- values.c: checks the values after `=` and `unless` */

/* Evaluates a value of a scalar type. `what` begins the message of an error: "the initial value", "the value of
 * 'unless'". False after an error. */
bool scalar_value(checker *k, const type *t, const ast_expr *e, const char *what, value *result);

/* ---- condition.c: checks the conditions of if, the subjects of switch, the values of case, and computed counts */

/* Resolves the condition of an if (want_bool) or the subject of a switch (an integer, enum, flags or fixed), and
 * works out its type and range. It may use the open fields of `owner` (field_info). NULL after an error, or if a part
 * of it is broken. */
expr *check_condition(checker *k, const decl *owner, const ast_expr *e, bool want_bool);

/* Resolves the condition of the @speed of f, likewise. It may use the fields that are wherever f is. */
expr *check_condition_of(checker *k, const field *f, const ast_expr *e);

/* Whether a name is that of a field x of `owner`, or is x_count or has_x. */
bool names_field(checker *k, const decl *owner, const char *name);

/* Resolves the count of an array that is computed from the open fields of `owner`, which are integers. */
expr *check_count(checker *k, const decl *owner, const ast_expr *e);

/* Resolves a value of a case: a constant in the subject's range, or the name of a member if the subject is an enum or
 * flags. False after an error. */
bool check_case_value(checker *k, const expr *subject, const ast_expr *value, expr **result);

/* ---- counts.c: checks arrays whose count is computed from earlier fields, and arrays with `delta(previous)` */

/* Gives an ARRAY_COMPUTED its count and the range of it. After an error the field is broken. */
void check_computed(checker *k, field_info *info);

/* Makes the elements of an array deltas to the ones before them. */
void check_chain(checker *k, field_info *info);

/* ---- speed.c: checks @speed */

/* Gives the numbers of a struct whose body is built their speeds. */
void check_speeds(checker *k, decl_info *d);

/* Whether a field of the same struct, which is called `name` there, is on the wire wherever f is; if not, reports why. */
bool is_wherever(checker *k, const field *f, const field *other, const ast_name *name);

/* ---- parts.c: checks the parts of datagrams: fields that are deltas to baselines which other fields name */

/* Whether a packet has a field with `delta(number from base)`, as it was written. */
bool declares_parts(const ast_decl *d);

/* Checks `delta(number from base after before)` of a field, and puts it into the model. */
void check_part(checker *k, field_info *info);

/* Refuses types that contain a packet with such parts. */
void check_datagrams(checker *k);

/* ---- attributes.c: checks @budget, @delta, @deprecated, @fit and @large, and puts them into the model */

void check_attributes(checker *k, decl *d, const ast_attribute *list);

/* A field can be @deprecated, and an array @fit. Its type and its dimensions are known. */
void check_field_attributes(checker *k, field_info *info, const ast_attribute *list);

/* Checks @mix and @near of a field whose type and relations are known. */
void check_mix(checker *k, const field_info *info);

/* Warns of @mix and @near in types that no type with @mix contains. */
void warn_of_mix(checker *k);

/* ---- declarations.c: checks declarations, except struct fields, and quoted C types */

/* Whether a text can come before the name of a member in C: names, spaces and, if allowed, stars, as in "const char
 * *". */
bool is_c_type(const char *text, bool stars);

/* ---- advice.c: the line to write instead, as advice under an error. k->statement is the item or declaration that
 * is being checked. For an error outside of it, only the replacement of the wrong part is shown. */

/* Whether the statement around an error is a habit of another language. */
bool is_habit(checker *k, span at, habit_place place, habit_found *found);

/* Adds the advice for such a habit to m, if there is any. */
bool help_with_habit(checker *k, message *m, span at, habit_place place);

/* The edit that removes a part of a statement, with the blanks before it. */
edit without(span at);

/* The edit that removes the only declarator of a field, with all of its statement. */
edit without_field(const ast_field *f);

/* An attribute of a declaration; or NULL. */
const ast_attribute *attribute_of(const checker *k, const decl *d, const char *name);

/* The statement with `text` in place of the span `at`, or `text` alone. */
const char *line_for(checker *k, span at, const char *text);

/* Advises to write the statement with `text` in place of the span `at`. */
void help_with_line(checker *k, message *m, span at, const char *text);

/* Advises to give a struct or packet an attribute. alternative: the end of the advice, such as ", or make 'x' sparse". */
void help_with_attribute(checker *k, message *m, const decl *d, const char *attribute, const char *alternative);

/* ---- misreadings.c: warns of text that is correct here, but means something else in another language. Each can
 * also be intended. Then there is another way to write it without a warning, which the warning names. */

/* u32 id = 1; u32 tick = 2; in protobuf these would be field numbers. */
void warn_of_numbering(checker *k, const decl_info *d);

/* u32 health[0..100]: an array that looks like a range. */
void warn_of_range(checker *k, const ast_field *ast, const field *f, const ast_dim *dim);

/* u8 n; u32 xs[n]: an array with a count of its own would be `u32 xs[<=255]`. */
void warn_of_lengths(checker *k, const decl_info *d);

/* 0755: the number 755, not an octal number. */
void warn_of_octal(checker *k, const ast_expr *integer);

/* float<0, 100, 8>: 8 looks like a number of bits. True if a warning was given. */
bool warn_of_bits(checker *k, const ast_type *ast, const type *t);

/* u8 health coded still; in a type that nothing predicts. The same for @speed, also of a number for which a condition asks, and
 * that stays. The tables of the schema are known. */
void warn_of_still(checker *k);

/* Warns of a field with deltas whose range is a full turn, but which does not wrap. */
void warn_of_turn(checker *k, const field_info *info);

#endif
