/* format.h - the standard format of .pkt files: `pktc fmt`.
 * SPDX-License-Identifier: MIT
 *
 * Lines are indented by four spaces per level and wrapped at 120 columns; each statement is on its own line. Single
 * blank lines and the line breaks between members of an enum or flags are kept, and a declaration without inner braces
 * stays on one line if it fits. Comments after code begin at column 33 or further to the right, in steps of four;
 * comments of adjacent lines are aligned.
 *
 * No token or comment is added, removed or moved past another (but a `>=` that ends arguments becomes `> =`, which
 * means the same), so the meaning cannot change. Formatting a formatted file changes nothing.
 */
#ifndef PKTC_FORMAT_H
#define PKTC_FORMAT_H

#include "base/diag.h"
#include "front/ast.h"

/* The formatted text, which may contain zero bytes in comments. NULL if the file has lexical or syntax errors, which
 * are added to d. There is no check for other errors. type_words: as for parse. */
const char *format_source(arena *a, names *n, diag *d, const source *s, word_list *type_words, size_t *size);

#endif
