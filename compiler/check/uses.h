/* uses.h - the names in the files of a schema, and what each of them means: for editors.
 * SPDX-License-Identifier: MIT
 *
 * check lists every name that it resolves, also in a schema with errors, whose declarations are then incomplete. The
 * name in a declaration is listed too, as a use of itself. A name that is resolved more than once is listed more often.
 */
#ifndef PKTC_USES_H
#define PKTC_USES_H

#include "model/schema.h"

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

#endif
