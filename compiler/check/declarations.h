/* declarations.h - texts of C that a declaration may quote.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DECLARATIONS_H
#define PKTC_DECLARATIONS_H

#include "check/context.h"

/* Words and blanks, and stars if they are allowed: what can come before a member's name in C. */
bool is_c_type(const char *text, bool stars);

#endif
