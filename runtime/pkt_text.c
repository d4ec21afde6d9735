/* pkt_text.c - the check of UTF-8 that strings on the wire go through, alone or while they are copied.
 * SPDX-License-Identifier: MIT
 *
 * ASCII is checked and copied eight bytes at a time, and what is left at its end in one piece. From the first
 * other byte on, sequence_length decides, which spells out table 3-7 of the Unicode standard.
 */
#include "pkt.h"

#include <string.h>

#define WORD_ONES UINT64_C(0x0101010101010101)
#define WORD_HIGHS UINT64_C(0x8080808080808080)

/* True when each of the eight bytes is in 1 to 127. Taking 1 from a byte of that range leaves its high bit
 * clear and borrows nothing; 0 borrows and sets the high bit, and 128 to 255 have it set themselves. */
static bool word_is_plain(uint64_t word)
{
    return (((word - WORD_ONES) | word) & WORD_HIGHS) == 0;
}

static bool is_between(uint8_t byte, uint8_t low, uint8_t high)
{
    return byte >= low && byte <= high;
}

static bool is_continuation(uint8_t byte)
{
    return is_between(byte, 0x80, 0xBF);
}

/* The length of the well-formed sequence that the left bytes at s begin with, at least one byte; 0 if they
 * begin with none, or with a zero byte. The second byte alone tells overlong forms, surrogates and what is
 * above U+10FFFF from the rest. */
static size_t sequence_length(const uint8_t *s, size_t left)
{
    uint8_t lead = s[0];
    if (lead < 0x80)
        return lead != 0;
    if (lead < 0xE0)
        return lead >= 0xC2 && left >= 2 && is_continuation(s[1]) ? 2 : 0;
    if (lead < 0xF0) {
        if (left < 3 || !is_continuation(s[2]))
            return 0;
        return is_between(s[1], lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) ? 3 : 0;
    }
    if (lead > 0xF4 || left < 4 || !is_continuation(s[2]) || !is_continuation(s[3]))
        return 0;
    return is_between(s[1], lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) ? 4 : 0;
}

/* The check of a text that is not, or not all, plain. */
static PKT_NOINLINE bool is_well_formed(const uint8_t *s, size_t size)
{
    size_t at = 0;
    while (at < size) {
        size_t length = sequence_length(s + at, size - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

/* One to seven bytes, in one word: the ends of a short text overlap in it, and 1 stands where nothing does. */
static bool end_is_plain(const uint8_t *s, size_t size)
{
    if (size >= 4) {
        uint32_t first, last;
        memcpy(&first, s, 4);
        memcpy(&last, s + size - 4, 4);
        return word_is_plain((uint64_t)first << 32 | last);
    }
    return word_is_plain(WORD_ONES << 24 | (uint64_t)s[size - 1] << 16 | (uint64_t)s[size / 2] << 8 | s[0]);
}

/* As memcpy, for one to seven bytes, without a call. */
static void copy_end(char *to, const uint8_t *s, size_t size)
{
    if (size >= 4) {
        uint32_t first, last;
        memcpy(&first, s, 4);
        memcpy(&last, s + size - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + size - 4, &last, 4);
    } else {
        to[0] = (char)s[0];
        to[size / 2] = (char)s[size / 2];
        to[size - 1] = (char)s[size - 1];
    }
}

/* The number of bytes at the front that whole words of plain bytes make up; copies them, unless `to` is NULL,
 * which is known at compile time. */
PKT_INLINE size_t plain_words(char *to, const uint8_t *s, size_t size)
{
    size_t at = 0;
    while (size - at >= 8) {
        uint64_t word;
        memcpy(&word, s + at, 8);
        if (!word_is_plain(word))
            break;
        if (to)
            memcpy(to + at, &word, 8);
        at += 8;
    }
    return at;
}

bool pkt_text_valid(const uint8_t *s, size_t size)
{
    size_t at = plain_words(NULL, s, size);
    if (at == size)
        return true;
    if (size - at < 8 && end_is_plain(s + at, size - at))
        return true;
    return is_well_formed(s + at, size - at);
}

bool pkt_text_copy(char *to, const uint8_t *from, size_t size)
{
    size_t at = plain_words(to, from, size);
    if (at == size)
        return true;
    if (size - at < 8 && end_is_plain(from + at, size - at)) {
        copy_end(to + at, from + at, size - at);
        return true;
    }
    memcpy(to + at, from + at, size - at);
    return is_well_formed(from + at, size - at);
}
