/* utf8.h - which bytes can be shown to a person.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_UTF8_H
#define PKTC_UTF8_H

#include <stddef.h>

/* The number of bytes of the first character of a text of size > 0 bytes. 0 if it should not be shown as it is:
 * malformed UTF-8, a control character, or a character that changes the direction of the text around it and so can
 * make a file look like something that it is not (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). */
size_t utf8_printable(const char *text, size_t size);

#endif
