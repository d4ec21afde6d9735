/* fmt.h - the one layout of a .pkt file: `pktc fmt`.
 * SPDX-License-Identifier: MIT
 *
 * Four spaces a level; a statement a line, wrapped at 120 columns; blanks where they help and nowhere else. What the
 * author decides stays: single blank lines, where the members of an enum or flags go on to another line, and whether a
 * declaration without inner braces stands on one line, as long as it fits. Comments behind code stand in column 33 or
 * further, in steps of four, those of adjacent lines one under the other. No token and no comment is added, removed or
 * moved past another (a `>=` that ends arguments becomes `> =`, which is the same), so the meaning cannot change.
 * Formatting twice is formatting once.
 */
#ifndef PKTC_FMT_H
#define PKTC_FMT_H

#include "base/diag.h"

/* The formatted text, which may hold zero bytes in comments. NULL where the file has lexical or syntax errors, which are
 * in d then: such a file has no layout. Names and values are not looked at. */
const char *format_source(arena *a, names *n, diag *d, const source *s, size_t *size);

#endif
