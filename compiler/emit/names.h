/* names.h - the names that generated C takes, and those that C, its headers and the runtime have taken before.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_NAMES_H
#define PKTC_NAMES_H

#include "model/taken.h"

/* Every name in generated C that is made of names of the schema. What refuses schemas by it is check/collisions.c; that it is complete is
 * tests/emit/test_names.c, which compares it with the generated C. */
extern const name_rules c_name_rules;

/* The files of generated C. Of a name only what an #include cannot have is refused, and what is a header of the system or may become a file of
 * the runtime: a directory of generated files is searched for headers before those of the system. */
extern const file_rules c_file_rules;

/* Why generated C cannot use a name for something: it is "a keyword of C++", "a macro of <windows.h>", "a name of the standard header
 * <stdint.h>", "a name of pktc's runtime" ...; NULL where it can. A member of a struct may have the name of a function or of a macro
 * that needs a parenthesis to expand. */
const char *name_reserved(const char *name, taken_as as);

/* The names that name_reserved knows one by one, in strcmp's order, for tests; NULL from the end on. */
const char *name_reserved_at(size_t index);

#endif
