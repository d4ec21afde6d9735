/* utf8.c - see utf8.h.
 * SPDX-License-Identifier: MIT
 */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

static bool changes_direction(uint32_t c)
{
    return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

size_t utf8_printable(const char *text, size_t size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* character with this number of bytes */
    const unsigned char *t = (const unsigned char *)text;
    if (t[0] < 0x80)
        return t[0] >= 0x20 && t[0] != 0x7f;
    if (t[0] < 0xc2 || t[0] > 0xf4)
        return 0;
    size_t length = t[0] < 0xe0 ? 2 : t[0] < 0xf0 ? 3 : 4;
    uint32_t c = t[0] & (0x7fu >> length);
    if (length > size)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((t[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (t[i] & 0x3f);
    }
    bool surrogate = c >= 0xd800 && c <= 0xdfff;
    return c < least[length] || c < 0xa0 || surrogate || c > 0x10ffff || changes_direction(c) ? 0 : length;
}
