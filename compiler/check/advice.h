/* advice.h - the line to write instead, as advice under an error.
 * SPDX-License-Identifier: MIT
 *
 * k->statement is the item or declaration that is being checked. For an error outside of it, only the replacement of
 * the wrong part is shown.
 */
#ifndef PKTC_ADVICE_H
#define PKTC_ADVICE_H

#include "check/context.h"
#include "front/habits.h"

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

#endif
