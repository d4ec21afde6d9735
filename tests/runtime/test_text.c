/* test_text.c - tests the check of UTF-8 against a decoder that follows the definition.
 * SPDX-License-Identifier: MIT
 *
 * Tests all sequences of one to three bytes, and those of four bytes around every limit, at each position where code
 * that works on words or blocks could treat them differently. Texts are in memory that ends where they end.
 */
/* The implementation without vector instructions, with other names. */
#define PKT_PORTABLE
#define pkt_text_valid text_valid_portable
#define pkt_text_copy text_copy_portable
#define pkt_text_set text_set_portable
#define pkt_text_size text_size_portable
#include "unit.h"

#include "../../runtime/pkt_text.c"
#undef pkt_text_valid
#undef pkt_text_copy
#undef pkt_text_set
#undef pkt_text_size

#include <string.h>

bool pkt_text_valid(const uint8_t *s, size_t size);
bool pkt_text_copy(char *to, const uint8_t *from, size_t size);
bool pkt_text_set(char *to, size_t size, const char *from);
uint32_t pkt_text_size(const char *text, uint32_t max);

/* Decodes a code point of the length that the lead byte announces, and checks that it is valid and needs that
 * length. */
static bool expected_valid(const uint8_t *s, size_t size)
{
    size_t at = 0;
    while (at < size) {
        uint32_t point = s[at];
        size_t length = point < 0x80 ? 1 : (point & 0xE0) == 0xC0 ? 2 : (point & 0xF0) == 0xE0 ? 3 : 4;
        if (point >= 0x80 && ((point & 0xC0) == 0x80 || point >= 0xF8))
            return false;
        if (length > size - at)
            return false;
        if (length > 1)
            point &= 0x7Fu >> length;
        for (size_t i = 1; i < length; i++) {
            if ((s[at + i] & 0xC0) != 0x80)
                return false;
            point = point << 6 | (s[at + i] & 0x3Fu);
        }
        size_t needed = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        if (point == 0 || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF) || length != needed)
            return false;
        at += length;
    }
    return true;
}

/* Whether all functions give the same result for a text in memory of its exact size. */
static bool agree(const uint8_t *s, char *copy, size_t size)
{
    bool expected = expected_valid(s, size);
    if (pkt_text_valid(s, size) != expected || text_valid_portable(s, size) != expected)
        return false;
    if (pkt_text_copy(copy, s, size) != expected || (expected && memcmp(copy, s, size) != 0))
        return false;
    if (size > 0)
        copy[0] ^= 1;
    return text_copy_portable(copy, s, size) == expected && (!expected || memcmp(copy, s, size) == 0);
}

/* Checks a sequence alone, and between 0 to 12 ASCII characters before and 0 to 9 after it. */
static void check_everywhere(const uint8_t *sequence, size_t length)
{
    for (size_t before = 0; before <= 12; before++) {
        for (size_t behind = 0; behind <= 9; behind++) {
            size_t size = before + length + behind;
            uint8_t *s = malloc(size ? size : 1);
            char *copy = malloc(size ? size : 1);
            assert_true(s && copy);
            memset(s, 'a', size);
            memcpy(s + before, sequence, length);
            assert_true(agree(s, copy, size));
            free(s);
            free(copy);
        }
    }
}

TEST(known_texts)
{
    static const struct {
        const char *text;
        bool valid;
    } texts[] = {
        {"", true},
        {"plain", true},
        {"exactly8", true},
        {"\x01\x7F", true},
        {"Gr\xC3\xBCn", true},
        {"\xE2\x82\xAC", true},
        {"\xF0\x9F\x8E\xAE game", true},
        {"\xF4\x8F\xBF\xBF", true},
        {"\xEF\xBB\xBF", true},
        {"\x80", false},
        {"a\x80", false},
        {"\xC3\xBC\x80", false},
        {"\xE2\x82\xAC\x80", false},
        {"\xF0\x9F\x8E\xAE\x80", false},
        {"\xC0\x80", false},
        {"\xC1\xBF", false},
        {"\xC3", false},
        {"\xE0\x9F\xBF", false},
        {"\xED\xA0\x80", false},
        {"\xED\xBF\xBF", false},
        {"\xF0\x8F\xBF\xBF", false},
        {"\xF4\x90\x80\x80", false},
        {"\xF5\x80\x80\x80", false},
        {"\xFE", false},
        {"\xFF", false},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t size = strlen(texts[i].text);
        assert_int_equal(pkt_text_valid((const uint8_t *)texts[i].text, size), texts[i].valid);
        assert_int_equal(expected_valid((const uint8_t *)texts[i].text, size), texts[i].valid);
        check_everywhere((const uint8_t *)texts[i].text, size);
    }
}

TEST(nothing_at_all)
{
    char to = 'x';
    assert_true(pkt_text_valid(NULL, 0));
    assert_true(pkt_text_copy(&to, NULL, 0));
    assert_int_equal(to, 'x');
    assert_true(pkt_text_copy(NULL, NULL, 0));
    assert_false(pkt_text_copy(NULL, (const uint8_t *)"a", 1));
}

/* All sequences of up to three bytes, and all those of three bytes with a continuation byte after them. */
TEST(all_short_sequences)
{
    uint8_t *one = malloc(1), *two = malloc(2), *three = malloc(3);
    char *copies[] = {malloc(1), malloc(2), malloc(3)};
    unsigned wrong = 0;
    assert_true(one && two && three && copies[0] && copies[1] && copies[2]);
    for (unsigned a = 0; a < 256; a++) {
        one[0] = two[0] = three[0] = (uint8_t)a;
        wrong += !agree(one, copies[0], 1);
        for (unsigned b = 0; b < 256; b++) {
            two[1] = three[1] = (uint8_t)b;
            wrong += !agree(two, copies[1], 2);
            for (unsigned c = 0; c < 256; c++) {
                three[2] = (uint8_t)c;
                wrong += !agree(three, copies[2], 3);
            }
        }
    }
    assert_int_equal(wrong, 0);
    free(one);
    free(two);
    free(three);
    for (size_t i = 0; i < 3; i++)
        free(copies[i]);
}

/* All lead bytes of four with all second bytes; third and fourth bytes on both sides of their limits. */
TEST(long_sequences)
{
    static const uint8_t tails[] = {0x00, 0x01, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0xBE, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF};
    uint8_t *s = malloc(4);
    char *copy = malloc(4);
    unsigned wrong = 0;
    assert_true(s && copy);
    for (unsigned lead = 0xE0; lead < 256; lead++) {
        for (unsigned second = 0; second < 256; second++) {
            for (size_t c = 0; c < sizeof tails; c++) {
                for (size_t d = 0; d < sizeof tails; d++) {
                    s[0] = (uint8_t)lead;
                    s[1] = (uint8_t)second;
                    s[2] = tails[c];
                    s[3] = tails[d];
                    wrong += !agree(s, copy, 4);
                }
            }
        }
    }
    assert_int_equal(wrong, 0);
    free(s);
    free(copy);
}

/* Each byte at each position in texts of up to 32 bytes, which otherwise consist of one plain byte (with few bits set,
 * and with many), or of two-byte sequences. */
TEST(bytes_everywhere)
{
    static const uint8_t fillings[][2] = {{'z', 'z'}, {' ', ' '}, {0x01, 0x01}, {0x7F, 0x7F}, {0xD0, 0xB6}};
    unsigned wrong = 0;
    for (size_t size = 0; size <= 32; size++) {
        uint8_t *s = malloc(size ? size : 1);
        char *copy = malloc(size ? size : 1);
        assert_true(s && copy);
        for (size_t filling = 0; filling < sizeof fillings / sizeof fillings[0]; filling++) {
            for (size_t i = 0; i < size; i++)
                s[i] = fillings[filling][i % 2];
            wrong += !agree(s, copy, size);
            for (size_t at = 0; at < size; at++) {
                uint8_t kept = s[at];
                for (unsigned byte = 0; byte < 256; byte++) {
                    s[at] = (uint8_t)byte;
                    wrong += !agree(s, copy, size);
                }
                s[at] = kept;
            }
        }
        free(s);
        free(copy);
    }
    assert_int_equal(wrong, 0);
}

/* Whatever is around a text, each of its own bytes counts, and no other one. */
TEST(texts_among_others)
{
    enum { MOST = 100, EDGE = 32 };
    uint8_t memory[MOST + 2 * EDGE];
    char copy[MOST];
    unsigned wrong = 0;
    memset(memory, 'a', sizeof memory);
    for (size_t size = 0; size <= MOST; size++) {
        for (size_t at = 0; at < sizeof memory; at++) {
            for (unsigned byte = 0; byte < 256; byte += 0x80) {
                memory[at] = (uint8_t)byte;
                wrong += !agree(memory + EDGE, copy, size);
            }
            memory[at] = 'a';
        }
    }
    assert_int_equal(wrong, 0);
}

/* Copying does not change the bytes before and after the copy. */
TEST(copy_keeps_its_bounds)
{
    static const uint8_t text[] = "abcdefgh\xC3\xA4ijklmnopqrstuvwxyz";
    for (size_t size = 0; size < sizeof text - 1; size++) {
        char to[sizeof text + 2];
        memset(to, '#', sizeof to);
        assert_int_equal(pkt_text_copy(to + 1, text, size), size != 9);
        assert_int_equal(to[0], '#');
        for (size_t i = size + 1; i < sizeof to; i++)
            assert_int_equal(to[i], '#');
        if (size != 9)
            assert_memory_equal(to + 1, text, size);
    }
}

/* Texts of up to 300 bytes with sequences of every length, one of them with a flipped bit or truncated, so that errors
 * are at every distance from the ends of blocks. */
TEST(damage_in_long_texts)
{
    static const char *const letters[] = {
        "a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x9A\x80", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"};
    unsigned wrong = 0;
    uint32_t random = 1;
    for (size_t room = 1; room <= 300; room++) {
        for (unsigned kind = 0; kind < 6; kind++) {
            uint8_t *s = malloc(room);
            char *copy = malloc(room);
            size_t size = 0;
            assert_true(s && copy);
            while (size < room) {
                const char *letter;
                size_t length;
                random = random * 1664525 + 1013904223;
                letter = letters[kind == 0 ? random >> 24 & 3 : (random >> 31) * kind];
                length = strlen(letter);
                if (length > room - size) /* half of the texts end within a sequence */
                    length = kind % 2 ? room - size : 0;
                memcpy(s + size, length ? letter : "z", length ? length : 1);
                size += length ? length : 1;
            }
            wrong += !agree(s, copy, size);
            for (size_t at = 0; at < size; at += 1 + size / 64) {
                for (unsigned bit = 0; bit < 8; bit++) {
                    s[at] ^= (uint8_t)(1u << bit);
                    wrong += !agree(s, copy, size);
                    s[at] ^= (uint8_t)(1u << bit);
                }
            }
            free(s);
            free(copy);
        }
    }
    assert_int_equal(wrong, 0);
}

/* The first terminator at each position, or none, in memory that ends where the room for the text ends. */
TEST(sizes)
{
    for (uint32_t room = 1; room <= 400; room++) {
        char *text = malloc(room);
        assert_true(text);
        for (uint32_t size = 0; size < room; size++) {
            memset(text, 'a', room);
            text[size] = 0;
            assert_int_equal(pkt_text_size(text, room - 1), size);
            assert_int_equal(text_size_portable(text, room - 1), size);
            text[room - 1] = 0;
            text[size / 2 + room / 2] = 0;
            assert_int_equal(pkt_text_size(text, room - 1), size <= size / 2 + room / 2 ? size : size / 2 + room / 2);
        }
        memset(text, 0x80, room);
        assert_int_equal(pkt_text_size(text, room - 1), room);
        free(text);
    }
}

/* Texts in memory that ends with their terminator, or with the first byte that decides, into memory that ends where the room
 * ends. */
static void check_set(const char *from, size_t length, size_t room, const char *expected, bool whole)
{
    bool (*const sets[])(char *, size_t, const char *) = {pkt_text_set, text_set_portable};
    char *s = malloc(length), *to = malloc(room ? room : 1);
    assert_true(s && to);
    memcpy(s, from, length);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        memset(to, '#', room);
        assert_int_equal(sets[i](to, room, s), whole);
        assert_string_equal(to, expected);
        assert_true(pkt_text_valid((const uint8_t *)to, strlen(to)));
    }
    free(s);
    free(to);
}

TEST(known_sets)
{
    static const struct {
        const char *text, *expected;
        size_t room;
        bool whole;
    } cases[] = {
        {"", "", 1, true},
        {"", "", 8, true},
        {"a", "", 1, false},
        {"a", "a", 2, true},
        {"seven 7", "seven 7", 8, true},
        {"eight 88", "eight 8", 8, false},
        {"Gr\xC3\xBCn", "Gr\xC3\xBCn", 6, true},
        {"Gr\xC3\xBCn", "Gr\xC3\xBC", 5, false},
        {"Gr\xC3\xBCn", "Gr", 4, false},
        {"Gr\xC3\xBCn", "Gr", 3, false},
        {"\xE2\x82\xAC", "\xE2\x82\xAC", 4, true},
        {"\xE2\x82\xAC", "", 3, false},
        {"\xF0\x9F\x8E\xAE", "\xF0\x9F\x8E\xAE", 5, true},
        {"\xF0\x9F\x8E\xAE", "", 4, false},
        {"a\x80z", "a", 8, false},
        {"a\xC3", "a", 8, false},
        {"a\xC3z", "a", 8, false},
        {"a\xE2\x82", "a", 8, false},
        {"a\xED\xA0\x80z", "a", 8, false},
        {"a\xF0\x9F\x8E", "a", 8, false},
        {"a\xF4\x90\x80\x80", "a", 8, false},
        {"a\xC0\x80", "a", 8, false},
        {"a\xFF", "a", 8, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_set(cases[i].text, strlen(cases[i].text) + 1, cases[i].room, cases[i].expected, cases[i].whole);
    assert_false(pkt_text_set(NULL, 0, ""));
    /* Nothing is read after what does not fit, so the text needs no terminator. */
    check_set("abcd", 4, 4, "abc", false);
}

/* Every sequence of up to three bytes, and those of four around the limits, with room for none to all of it. */
TEST(sets_of_sequences)
{
    static const uint8_t tails[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0};
    unsigned wrong = 0;
    for (unsigned a = 1; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (size_t c = 0; c < sizeof tails; c++)
                for (size_t d = 0; d < sizeof tails; d++) {
                    const char from[5] = {(char)a, (char)b, (char)tails[c], (char)tails[d], 0};
                    const size_t size = strlen(from);
                    for (size_t room = 1; room <= 6; room++) {
                        /* The longest well-formed start that fits. */
                        size_t fits = size < room ? size : room - 1;
                        char to[6];
                        while (!expected_valid((const uint8_t *)from, fits))
                            fits--;
                        memset(to, '#', sizeof to);
                        const bool whole = pkt_text_set(to, room, from);
                        wrong += whole != (fits == size) || strlen(to) != fits || memcmp(to, from, fits) != 0;
                        for (size_t i = room; i < sizeof to; i++)
                            wrong += to[i] != '#';
                    }
                }
    assert_int_equal(wrong, 0);
}
