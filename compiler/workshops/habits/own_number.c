/* own_number.c - numbers of other languages, as they are written here: see habits.h.
 * SPDX-License-Identifier: MIT
 */
#include "habits/habits_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "1.0" for "1.0f": digits, a point, digits. */
static const char *own_real(arena *a, const char *text)
{
    size_t whole = strspn(text, "0123456789"), fraction = 0;
    const char *rest = text + whole;
    if (*rest == '.')
        fraction = strspn(rest + 1, "0123456789");
    rest += *rest == '.' ? 1 + fraction : 0;
    const char *exponent = "";
    if (*rest == 'e' || *rest == 'E') {
        size_t sign = rest[1] == '-' || rest[1] == '+', digits = strspn(rest + 1 + sign, "0123456789");
        if (digits == 0)
            return NULL;
        exponent = arena_printf(a, "e%.*s", (int)(sign + digits), rest + 1);
        rest += 1 + sign + digits;
    }
    if (strchr("fFdDlL", *rest) && *rest)
        rest++;
    if (*rest || (whole == 0 && fraction == 0))
        return NULL;
    return arena_printf(a, "%.*s.%.*s%s", (int)(whole ? whole : 1), whole ? text : "0", (int)(fraction ? fraction : 1),
                        fraction ? text + whole + 1 : "0", exponent);
}

const char *translated_number(arena *a, const char *text, size_t size)
{
    char *plain = arena_text(a, text, size), *to = plain;
    for (const char *from = plain; *from; from++)
        if (*from != '_' && *from != '\'')
            *to++ = *from;
    *to = '\0';
    bool binary = strncmp(plain, "0b", 2) == 0 || strncmp(plain, "0B", 2) == 0, octal = strncmp(plain, "0o", 2) == 0;
    bool hex = strncmp(plain, "0x", 2) == 0 || strncmp(plain, "0X", 2) == 0;
    const char *known = binary ? "01" : octal ? "01234567" : hex ? "0123456789abcdefABCDEF" : "0123456789";
    size_t start = binary || octal || hex ? 2 : 0, digits = strspn(plain + start, known);
    const char *suffix = plain + start + digits;
    if (digits > 0 && digits <= 64 && strspn(suffix, "uUlLzZ") == strlen(suffix)) {
        if (binary || octal)
            return arena_printf(a, "%" PRIu64, (uint64_t)strtoull(plain + 2, NULL, binary ? 2 : 8));
        return arena_text(a, plain, start + digits);
    }
    return start == 0 ? own_real(a, plain) : NULL;
}
