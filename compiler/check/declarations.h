/* declarations.h - checks declarations, except struct fields, and quoted C types.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DECLARATIONS_H
#define PKTC_DECLARATIONS_H

#include "check/context.h"

/* Whether a text can come before the name of a member in C: names, spaces and, if allowed, stars, as in "const char
 * *". */
bool is_c_type(const char *text, bool stars);

#endif
