/* utf8.c - takes characters from UTF-8, and knows which of them can be shown.
 * SPDX-License-Identifier: MIT
 */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool changes_direction(uint32_t c)
{
    return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

size_t utf8_character(const char *text, size_t size, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* character with this number of bytes */
    const unsigned char *t = (const unsigned char *)text;
    *c = t[0];
    if (t[0] < 0x80)
        return 1;
    if (t[0] < 0xc2 || t[0] > 0xf4)
        return 0;
    size_t length = t[0] < 0xe0 ? 2 : t[0] < 0xf0 ? 3 : 4;
    if (length > size)
        return 0;
    *c = t[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((t[i] & 0xc0) != 0x80)
            return 0;
        *c = *c << 6 | (t[i] & 0x3f);
    }
    bool surrogate = *c >= 0xd800 && *c <= 0xdfff;
    return *c < least[length] || surrogate || *c > 0x10ffff ? 0 : length;
}

size_t utf8_printable(const char *text, size_t size)
{
    uint32_t c;
    size_t length = utf8_character(text, size, &c);
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    return control || changes_direction(c) ? 0 : length;
}

const char *utf8_shown(arena *a, const char *text)
{
    const char *end = text + strlen(text);
    char *shown = arena_alloc(a, 6 * strlen(text) + 1), *to = shown;
    while (text < end) {
        uint32_t c;
        const size_t left = (size_t)(end - text);
        size_t size = utf8_character(text, left, &c);
        if (*text == '\n' || *text == '\t' || utf8_printable(text, left) > 0) {
            memcpy(to, text, size);
            to += size;
        } else {
            to += sprintf(to, size > 0 ? "\\u%04x" : "\\x%02x", size > 0 ? (unsigned)c : (unsigned char)*text);
        }
        text += size > 0 ? size : 1;
    }
    return shown;
}
