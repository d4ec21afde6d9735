/* next.h - a random next release of a schema.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_NEXT_H
#define TESTS_NEXT_H

#include "base/arena.h"
#include "lot.h"

/* Whether a text can be the next release. */
typedef bool next_allowed(void *user, const char *text);

/* The text after up to `steps` changes, each of one line, of which each is allowed: fields that are new, gone, renamed,
 * elsewhere or of another type, other numbers, members of enums and unions, and attributes. */
const char *next_release(arena *a, lot *l, const char *text, unsigned steps, next_allowed *allowed, void *user);

#endif
