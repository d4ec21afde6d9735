/* utf8.h - which bytes can be shown to a person.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_UTF8_H
#define PKTC_UTF8_H

#include <stddef.h>

/* The bytes of the character that a text of size bytes begins with, size > 0; 0 where it is not well-formed UTF-8, is a
 * control character, or is one of those that change the direction of the text around them: with these a file reads as something else
 * than what it is (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). */
size_t utf8_printable(const char *text, size_t size);

#endif
