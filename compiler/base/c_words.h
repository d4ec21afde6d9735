/* c_words.h - words of a text in C that begin with a prefix, outside comments and literals.
 * SPDX-License-Identifier: MIT
 *
 * Functions of a header, because a build tool is a single file.
 */
#ifndef PKTC_C_WORDS_H
#define PKTC_C_WORDS_H

#include <stdbool.h>
#include <string.h>

static inline bool is_in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Past the comment or the literal that begins at `at`; `at` itself if none does. A comment of a line is none. */
static inline const char *past_no_code(const char *at, const char *end)
{
    const char quote = *at;
    if (end - at >= 4 && at[0] == '/' && at[1] == '*') {
        for (at += 3; at < end && !(at[-1] == '*' && at[0] == '/'); at++)
            continue;
        return at < end ? at + 1 : end;
    }
    if (quote != '"' && quote != '\'')
        return at;
    for (at++; at < end && *at != quote; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* The next word from *at on that begins with pkt_ or PKT_, or NULL; *at gets its end. */
static inline const char *next_pkt_word(const char **at, const char *end, size_t *size)
{
    for (const char *p = *at; p < end;) {
        const char *from = p;
        p = past_no_code(p, end);
        if (p != from)
            continue;
        while (p < end && is_in_word(*p))
            p++;
        *size = (size_t)(p - from);
        if (*size > 4 && (memcmp(from, "pkt_", 4) == 0 || memcmp(from, "PKT_", 4) == 0)) {
            *at = p;
            return from;
        }
        p += p == from;
    }
    *at = end;
    return NULL;
}

#endif
