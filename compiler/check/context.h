/* context.h - the state of one check: what it knows of files, declarations and fields beyond the schema that it builds.
 * SPDX-License-Identifier: MIT
 *
 * A thing that was reported is marked broken, and nothing that only follows from something broken is reported.
 */
#ifndef PKTC_CONTEXT_H
#define PKTC_CONTEXT_H

#include "base/map.h"
#include "check/check.h"

typedef struct file_info {
    struct file_info *next;
    schema_file *file;
    ast_file *tree;
    map *reachable; /* (schema_file, NULL) of itself and every file it imports, directly or not; see resolve.h */
} file_info;

typedef enum progress { PROGRESS_NONE, PROGRESS_RUNNING, PROGRESS_DONE } progress;

typedef struct field_info {
    struct field_info *next; /* in source order, duplicates of a name included */
    field *field;
    const ast_field *ast;
    const ast_declarator *declarator;
    bool broken;      /* its type or arrays were reported: say nothing more about it */
    bool open;        /* on the wire on every path that leads to the place now being checked */
    bool conditional; /* inside an if or a switch: not always on the wire */
    uint32_t order;   /* 0, 1, ... in its struct */
} field_info;

typedef struct decl_info {
    struct decl_info *next; /* of all files, files in the schema's order, then source order */
    decl *decl;
    const ast_decl *ast;
    file_info *file;
    bool damaged;      /* it has syntax errors: only its name is known */
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
    bool incomplete;   /* a file is missing or has syntax errors: a name that is not found is then not an error */
    uint32_t depth;    /* of recursion through expressions and constants: see enter */
    bool depth_reported;
    uint32_t suggestions_left; /* names that suggest() may still compare: a file full of errors ends quickly too */
} checker;

/* Every function that recurses over an expression calls enter first, and leave at its end if enter returned true. False
 * after an error at that place: an expression may be as deep as its file is long. */
bool enter(checker *k, span at);
void leave(checker *k);

#endif
