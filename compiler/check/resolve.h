/* resolve.h - a decl for each declaration; finds declarations, members and fields by name. Only find_decl reports
 * errors.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RESOLVE_H
#define PKTC_RESOLVE_H

#include "check/context.h"

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

#endif
