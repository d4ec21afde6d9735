/* resolve.h - finding declarations, members and fields by name. Only find_decl reports.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RESOLVE_H
#define PKTC_RESOLVE_H

#include "check/context.h"

/* Names are looked up as seen from this file from now on: sets k->file. */
void look_from(checker *k, file_info *file);

/* The declaration of that name as seen from k->file. NULL after an error: the name is unknown, or declared in a file that is not
 * imported. `what` is what was wanted: "type", "constant". Nothing is reported of an unknown name if k->incomplete. */
decl_info *find_decl(checker *k, ast_name name, const char *what);

/* These are NULL if there is none; peek_decl also if it is declared in a file that is not imported. */
decl_info *peek_decl(const checker *k, const char *name);
const member *find_member(const checker *k, const decl *d, const char *name);
field_info *find_field(const checker *k, const decl *d, const char *name);

decl_info *info_of(const checker *k, const decl *d);

/* Adds `did you mean '...'?` to m if a member of d (enum, flags, union: a member; struct: a field) has a similar name. */
void suggest_member(checker *k, message *m, const decl *d, const char *wanted);

#endif
