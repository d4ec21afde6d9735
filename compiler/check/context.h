/* context.h - the state of one check: its knowledge of files and declarations beyond the schema that it builds.
 * SPDX-License-Identifier: MIT
 *
 * After an error, the wrong thing is marked broken; errors that only follow from a broken thing are not reported.
 */
#ifndef PKTC_CONTEXT_H
#define PKTC_CONTEXT_H

#include "base/map.h"
#include "check/check.h"

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
    bool broken;      /* an error in its type or arrays was reported: report nothing more about it */
    bool open;        /* it is on the wire on every path to the current position */
    bool conditional; /* inside an if or a switch: not always on the wire */
    uint32_t order;   /* 0, 1, ... within its struct */
    uint32_t asks;    /* how often the conditions and counts of its struct have its name */
} field_info;

typedef struct decl_info {
    struct decl_info *next; /* of all files: in the schema's order of files, then in source order */
    decl *decl;
    const ast_decl *ast;
    file_info *file;
    bool damaged;      /* it has syntax errors: only its name is known */
    bool broken;       /* an error in its value or in a member was reported */
    bool has_parts;    /* of its datagram: see parts.h */
    progress progress; /* of evaluating a constant, or of visiting any other declaration in order.c */
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

#endif
