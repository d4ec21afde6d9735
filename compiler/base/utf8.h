/* utf8.h - characters in UTF-8, and which of them can be shown to a person.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_UTF8_H
#define PKTC_UTF8_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Puts the first character of a text of size > 0 bytes into *c and returns the number of its bytes; 0 if the text does
 * not begin with well-formed UTF-8. */
size_t utf8_character(const char *text, size_t size, uint32_t *c);

/* The same number, but also 0 if the character should not be shown: a control character, or a character that changes
 * the direction of the text around it and can so disguise a file (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to
 * U+2069). */
size_t utf8_printable(const char *text, size_t size);

/* The text as it can be shown: other characters than tabs and line ends that should not be shown become \u and their
 * number; bytes that are not UTF-8 become \xNN. */
const char *utf8_shown(arena *a, const char *text);

#endif
