/* compare_internal.h - compares declarations, their fields and their members with the old ones.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COMPARE_INTERNAL_H
#define PKTC_COMPARE_INTERNAL_H

#include "releases/diff_internal.h"

/* compare.c */
pair *add_pair(comparer *c, pair ***last, const char *noun, const char *before, const char *after);
change *add_change(comparer *c, pair *p, change_kind kind, outcome what, const char *detail);
void add_rename(comparer *c, pair *p);
const char *arrow_words(comparer *c, const char *before, const char *after); /* "x -> y" */
/* The change may be a new name of something old: `was` would say so. at: of the new name. */
void advise_was(comparer *c, change *of, span at, const char *after, const char *before);

/* lost_values.c: which values of a type are lost, for the lines of the types that contain it. */

/* Notes a value of a type that is lost. */
void lose_value(comparer *c, pair *of, const char *condition);
/* Notes the values of the members that were removed, but for those whose numbers stay valid. */
void lose_members(comparer *c, pair *of, const decl *before, const decl *after);
/* The effect of lost values of a type on a field of it. A value that contains the field may be lost too: then `of`, the
 * pair of its type, notes that. */
const char *lost_content(comparer *c, pair *of, const pair *content, const field *before, const field *after);
/* Likewise for a member of a union. */
const char *lost_alternative(comparer *c, pair *of, const pair *content, const member *after);
/* The effect where a field must be greater than the greatest number; NULL if it never must. */
const char *lost_greatest(comparer *c, pair *of, const field *after);

/* For each of n numbers, whether it is out of order: the fewest that must move so that the others rise. */
const bool *out_of_order(arena *a, const uint32_t *numbers, uint32_t n);

/* Adds the parts of a pair of declarations of one kind. */
void compare_fields(comparer *c, pair *p, const decl *before, const decl *after);  /* structs, packets */
void compare_members(comparer *c, pair *p, const decl *before, const decl *after); /* enums, flags, unions */

#endif
