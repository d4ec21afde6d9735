/* check.h - turns a root file into a checked schema: imports, names, constants, ranges, limits, conditions.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CHECK_H
#define PKTC_CHECK_H

#include "front/ast.h"
#include "base/diag.h"
#include "model/taken.h"

/* ---- uses.c: the names in the files of a schema, and what each of them means: for editors.
 *
 * check lists every name that it resolves, also in a schema with errors, whose declarations are then incomplete. The
 * name in a declaration is listed too, as a use of itself. A name that is resolved more than once is listed more often.
 */

typedef struct name_use {
    struct name_use *next;
    span at;                /* of `has_x` and `x_count`, the x */
    span declared;          /* the name in the declaration; of an import, the start of the file */
    const decl *decl;       /* of a declaration, of a field its owner, of a member its enum, flags or union */
    const field *field;     /* or NULL */
    const member *member;   /* or NULL */
    const source *imported; /* of the text of an import; or NULL */
} name_use;

typedef struct name_uses {
    arena *arena;
    name_use *first, *last;
} name_uses;

/* Each adds a use if uses is not NULL. */
void use_decl(name_uses *uses, span at, const decl *d);
void use_field(name_uses *uses, span at, const field *f);
void use_member(name_uses *uses, span at, const decl *of, const member *m);
void use_import(name_uses *uses, span at, const source *file);

/* ---- check.c */

typedef struct check_options {
    const char *const *import_dirs; /* -I, in order */
    size_t import_dir_count;
    bool checks;             /* false: --no-checks */
    const char *prefix;      /* of the root file, in place of its own; or NULL */
    bool flat;               /* the model is not read: every code table is flat */
    const name_rules *names; /* rules of the generated language; NULL: every name is allowed */
    const file_rules *files; /* rules of the files to be generated; NULL: there are none */
    name_uses *uses;         /* every name that is resolved is listed here; or NULL */

    /* How imported files are read: NULL with errno. NULL: source_read. */
    const source *(*read)(void *reader, arena *a, const char *path);
    void *reader;
} check_options;

/* Parses and checks the root file and all files that it imports. NULL after errors, which are in d. */
schema *check(arena *a, names *n, diag *d, const source *root, const check_options *options);

/* The name of attribute i, from 0; NULL after the last. */
const char *attribute_name_at(size_t i);

#endif
