/* names.h - the names of generated C, and the names that C, its headers and the runtime already have.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_NAMES_H
#define PKTC_NAMES_H

#include "model/taken.h"

/* Every name in generated C that is made from names of the schema. check/collisions.c refuses schemas by this list;
 * tests/emit/test_names.c compares it with generated C, to find out that it is complete. */
extern const name_rules c_name_rules;

/* The files of generated C. A file name is refused only if it cannot be in an #include, if it is the name of a system
 * header (a directory of generated files is searched before those of the system), or if it could be a file of the
 * runtime. */
extern const file_rules c_file_rules;

/* Why generated C cannot use a name as something: "a keyword of C++", "a macro of <windows.h>", "a name of the
 * standard header <stdint.h>", "a name of pktc's runtime" ...; NULL if it can. A member of a struct can have the name
 * of a function, or of a macro that is only expanded before a parenthesis. */
const char *name_reserved(const char *name, taken_as as);

/* Whether there may be a reserved name that begins with this text and goes on. */
bool name_begins_reserved(const char *start);

/* For tests: the names that name_reserved knows; NULL after the last. */
const char *name_reserved_at(size_t index);

#endif
