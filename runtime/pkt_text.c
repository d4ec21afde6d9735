/* pkt_text.c - checks UTF-8, alone or while a text is copied.
 * SPDX-License-Identifier: MIT
 *
 * Most texts are short and ASCII, and a branch predictor cannot know their lengths. So plain text (bytes 1 to 127) is
 * checked and copied in pieces that overlap, instead of whole pieces and a remainder: there are few branches except on
 * whether there are 8, 16 or more bytes. If a text is not plain, its UTF-8 sequences are checked: 16 bytes at a time,
 * by comparing each byte with the three before it (similar to Keiser and Lemire, "Validating UTF-8 In Less Than One
 * Instruction Per Byte", 2021), or one by one.
 *
 * Blocks are vectors of 16 bytes: SSE2 and NEON, which x86-64 and aarch64 always have. With PKT_PORTABLE, or on other
 * processors, words of 8 bytes are used. Comments that begin with an @ are contracts for the prover (make prove).
 */
#include "pkt_varying.h"

#include <string.h>

#if !defined(PKT_PORTABLE) && defined(__has_feature)
#if __has_feature(memory_sanitizer) /* would report the bytes after a terminator, which are loaded but not used */
#define PKT_PORTABLE
#endif
#endif

/* Without optimization, compilers store and load every block at each step: words and the C library are then faster. */
#if defined(PKT_PORTABLE) || (defined(__GNUC__) && !defined(__OPTIMIZE__))
#elif defined(__SSE2__) || defined(_M_X64)
#define HAS_BLOCKS
#include <emmintrin.h>

typedef __m128i pkt_block;

PKT_INLINE pkt_block pkt_text_load_block(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

PKT_INLINE pkt_block pkt_text_both(pkt_block a, pkt_block b)
{
    return _mm_and_si128(a, b);
}

PKT_INLINE pkt_block pkt_text_either(pkt_block a, pkt_block b)
{
    return _mm_or_si128(a, b);
}

PKT_INLINE pkt_block pkt_text_differ(pkt_block a, pkt_block b)
{
    return _mm_xor_si128(a, b);
}

/* The bits of a that are not in b. */
PKT_INLINE pkt_block pkt_text_without(pkt_block a, pkt_block b)
{
    return _mm_andnot_si128(b, a);
}

/* A comparison sets each byte to 255 if true for it, else to 0. */
PKT_INLINE pkt_block pkt_text_equal_to(pkt_block b, uint8_t byte)
{
    return _mm_cmpeq_epi8(b, _mm_set1_epi8((char)byte));
}

PKT_INLINE pkt_block pkt_text_is_plain(pkt_block b)
{
    return _mm_cmpgt_epi8(b, _mm_setzero_si128());
}

/* Compares as signed numbers: 128 to 255 keep their order, but come before all others. */
PKT_INLINE pkt_block pkt_text_below(pkt_block b, uint8_t byte)
{
    return _mm_cmplt_epi8(b, _mm_set1_epi8((char)byte));
}

/* Each byte less `byte`, or 0 if that is negative. */
PKT_INLINE pkt_block pkt_text_excess(pkt_block b, uint8_t byte)
{
    return _mm_subs_epu8(b, _mm_set1_epi8((char)byte));
}

#define STORE_BLOCK(p, b) _mm_storeu_si128((__m128i *)(void *)(p), b)

/* Moves bytes up by 1 to 3 places, and fills with zeros. */
#define MOVED_UP(b, places) _mm_slli_si128(b, places)

PKT_INLINE bool pkt_text_all_set(pkt_block b)
{
    return _mm_movemask_epi8(b) == 0xFFFF;
}

#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define HAS_BLOCKS
#include <arm_neon.h>

typedef uint8x16_t pkt_block;

PKT_INLINE pkt_block pkt_text_load_block(const void *p)
{
    return vld1q_u8((const uint8_t *)p);
}

PKT_INLINE pkt_block pkt_text_both(pkt_block a, pkt_block b)
{
    return vandq_u8(a, b);
}

PKT_INLINE pkt_block pkt_text_either(pkt_block a, pkt_block b)
{
    return vorrq_u8(a, b);
}

PKT_INLINE pkt_block pkt_text_differ(pkt_block a, pkt_block b)
{
    return veorq_u8(a, b);
}

PKT_INLINE pkt_block pkt_text_without(pkt_block a, pkt_block b)
{
    return vbicq_u8(a, b);
}

PKT_INLINE pkt_block pkt_text_equal_to(pkt_block b, uint8_t byte)
{
    return vceqq_u8(b, vdupq_n_u8(byte));
}

PKT_INLINE pkt_block pkt_text_is_plain(pkt_block b)
{
    return vcgtzq_s8(vreinterpretq_s8_u8(b));
}

PKT_INLINE pkt_block pkt_text_below(pkt_block b, uint8_t byte)
{
    return vcltq_s8(vreinterpretq_s8_u8(b), vdupq_n_s8((int8_t)byte));
}

PKT_INLINE pkt_block pkt_text_excess(pkt_block b, uint8_t byte)
{
    return vqsubq_u8(b, vdupq_n_u8(byte));
}

#define STORE_BLOCK(p, b) vst1q_u8((uint8_t *)(p), b)
#define MOVED_UP(b, places) vextq_u8(vdupq_n_u8(0), b, 16 - (places))

PKT_INLINE bool pkt_text_all_set(pkt_block b)
{
    return vminvq_u8(b) == 0xFF;
}
#endif

#define WORD_ONES UINT64_C(0x0101010101010101)
#define WORD_HIGHS UINT64_C(0x8080808080808080)

/* True if each of the 8 bytes is from 1 to 127. Subtracting 1 from such a byte leaves its high bit clear and borrows
 * nothing. A 0 borrows and sets the high bit; 128 to 255 have it set themselves. */
/*@ assigns \nothing; */
PKT_INLINE bool pkt_word_is_plain(uint64_t word)
{
    return (((word - WORD_ONES) | word) & WORD_HIGHS) == 0;
}

#ifdef PKT_CALLS_COST
/* A word in a text, at any address. */
typedef uint64_t __attribute__((aligned(1), may_alias)) pkt_text_word;
#define word_at(s) ((const pkt_text_word *)(const void *)(s))

#define pkt_text_is_between(byte, low, high) ((byte) >= (low) && (byte) <= (high))
#define pkt_text_is_continuation(byte) (((byte)&0xC0) == 0x80)
#else
/*@ assigns \nothing;
  @ ensures \result == (low <= byte <= high); */
static bool pkt_text_is_between(uint8_t byte, uint8_t low, uint8_t high)
{
    return byte >= low && byte <= high;
}

/*@ assigns \nothing;
  @ ensures \result == (0x80 <= byte <= 0xBF); */
static bool pkt_text_is_continuation(uint8_t byte)
{
    return pkt_text_is_between(byte, 0x80, 0xBF);
}
#endif

/* The length of the well-formed sequence of two bytes or more at s, where `left` bytes are left, or 0 if there is none.
 * The second byte rules out overlong forms, surrogates, and code points above U+10FFFF. */
/*@ requires left >= 1 && \valid_read(s + (0 .. left - 1));
  @ assigns \nothing;
  @ ensures \result <= 4 && \result <= left; */
static size_t pkt_sequence_length(const uint8_t *s, size_t left)
{
    uint8_t lead = s[0];
    if (lead < 0xE0)
        return lead >= 0xC2 && left >= 2 && pkt_text_is_continuation(s[1]) ? 2 : 0;
    if (lead < 0xF0) {
        if (left < 3 || !pkt_text_is_continuation(s[2]))
            return 0;
        return pkt_text_is_between(s[1], lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) ? 3 : 0;
    }
    if (lead > 0xF4 || left < 4 || !pkt_text_is_continuation(s[2]) || !pkt_text_is_continuation(s[3]))
        return 0;
    return pkt_text_is_between(s[1], lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) ? 4 : 0;
}

/* Checks a text that is not plain, sequence by sequence. */
/*@ requires size == 0 || \valid_read(s + (0 .. size - 1));
  @ assigns \nothing; */
static bool pkt_is_well_formed_slowly(const uint8_t *s, size_t size)
{
    size_t at = 0;
    /*@ loop invariant at <= size;
      @ loop assigns at;
      @ loop variant size - at; */
    while (at < size) {
#ifdef PKT_CALLS_COST
        while (size - at >= 8 && (((*word_at(s + at) - WORD_ONES) | *word_at(s + at)) & WORD_HIGHS) == 0)
            at += 8;
        while (at < size && (int8_t)s[at] > 0)
            at++;
        if (at == size)
            break;
#endif
        size_t length = s[at] < 0x80 && s[at] != 0 ? 1 : pkt_sequence_length(s + at, size - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

#ifdef HAS_BLOCKS
/* Not 0 for each byte of b that may not stand there, given the bytes 1, 2 and 3 places before it. A byte must be a
 * continuation byte if, and only if, one of the three is the lead byte of a sequence that reaches it: from C0, E0 and
 * F0 on. Also invalid are bytes that never occur, and second bytes of overlong forms, of surrogates, and of code points
 * above U+10FFFF. */
PKT_INLINE pkt_block pkt_text_misplaced(pkt_block b, pkt_block before, pkt_block before2, pkt_block before3)
{
    pkt_block asked = pkt_text_is_plain(
        pkt_text_either(pkt_text_excess(before, 0xBF),
                        pkt_text_either(pkt_text_excess(before2, 0xDF), pkt_text_excess(before3, 0xEF))));
    pkt_block never = pkt_text_either(pkt_text_either(pkt_text_equal_to(b, 0), pkt_text_excess(b, 0xF4)),
                                      pkt_text_either(pkt_text_equal_to(b, 0xC0), pkt_text_equal_to(b, 0xC1)));
    pkt_block below_a0 = pkt_text_below(b, 0xA0), below_90 = pkt_text_below(b, 0x90);
    pkt_block second = pkt_text_either(pkt_text_either(pkt_text_both(pkt_text_equal_to(before, 0xE0), below_a0),
                                                       pkt_text_without(pkt_text_equal_to(before, 0xED), below_a0)),
                                       pkt_text_either(pkt_text_both(pkt_text_equal_to(before, 0xF0), below_90),
                                                       pkt_text_without(pkt_text_equal_to(before, 0xF4), below_90)));
    return pkt_text_either(pkt_text_differ(pkt_text_below(b, 0xC0), asked), pkt_text_either(never, second));
}

PKT_INLINE pkt_block pkt_text_misplaced_at(const uint8_t *p)
{
    return pkt_text_misplaced(pkt_text_load_block(p), pkt_text_load_block(p - 1), pkt_text_load_block(p - 2),
                              pkt_text_load_block(p - 3));
}

static PKT_NOINLINE bool pkt_is_well_formed(const uint8_t *s, size_t size)
{
    pkt_block first, wrong;
    if (size < 16 + 3)
        return pkt_is_well_formed_slowly(s, size);
    first = pkt_text_load_block(s);
    wrong = pkt_text_misplaced(first, MOVED_UP(first, 1), MOVED_UP(first, 2), MOVED_UP(first, 3));
    for (size_t at = 16; at < size - 16; at += 16)
        wrong = pkt_text_either(wrong, pkt_text_misplaced_at(s + at));
    wrong = pkt_text_either(wrong, pkt_text_misplaced_at(s + size - 16));
    /* No sequence reaches past the end. */
    return pkt_text_all_set(pkt_text_equal_to(wrong, 0)) && s[size - 1] < 0xC0 && s[size - 2] < 0xE0 &&
           s[size - 3] < 0xF0;
}
#else
/*@ requires size == 0 || \valid_read(s + (0 .. size - 1));
  @ assigns \nothing; */
static PKT_NOINLINE bool pkt_is_well_formed(const uint8_t *s, size_t size)
{
    return pkt_is_well_formed_slowly(s, size);
}
#endif

/* ---- copies: to NULL, which is known at compile time, they only check ------------------------------------- */

/*@ requires \valid_read(s + (at .. at + 7));
  @ requires to == \null || \valid(to + (at .. at + 7));
  @ assigns to[at .. (to == \null ? at - 1 : at + 7)]; */
PKT_INLINE bool pkt_copy_word(char *to, const uint8_t *s, size_t at)
{
    const uint64_t word = pkt_load64(s + at);
    if (to)
        pkt_store64((uint8_t *)to + at, word);
    return pkt_word_is_plain(word);
}

/* Copies and checks 1 to 7 bytes, in one word: the two ends of the text may overlap in it, and unused bytes are 1. */
/*@ requires 1 <= size < 8;
  @ requires \valid_read(s + (0 .. size - 1));
  @ requires to == \null || (\valid(to + (0 .. size - 1)) && \separated(to + (0 .. size - 1), s + (0 .. size - 1)));
  @ assigns to[0 .. (to == \null ? -1 : size - 1)]; */
PKT_INLINE bool pkt_copy_little(char *to, const uint8_t *s, size_t size)
{
    if (size >= 4) {
        const uint32_t first = pkt_load32(s), last = pkt_load32(s + size - 4);
        if (to) {
            pkt_store32((uint8_t *)to, first);
            pkt_store32((uint8_t *)to + size - 4, last);
        }
        return pkt_word_is_plain((uint64_t)first << 32 | last);
    } else {
        uint8_t first = s[0], middle = s[size / 2], last = s[size - 1];
        if (to) {
            to[0] = (char)first;
            to[size / 2] = (char)middle;
            to[size - 1] = (char)last;
        }
        return pkt_word_is_plain(WORD_ONES << 24 | (uint64_t)last << 16 | (uint64_t)middle << 8 | first);
    }
}

#ifdef HAS_BLOCKS
PKT_INLINE size_t pkt_text_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

PKT_INLINE pkt_block pkt_text_copy_block(char *to, const uint8_t *s, size_t at)
{
    pkt_block b = pkt_text_load_block(s + at);
    if (to)
        STORE_BLOCK(to + at, b);
    return pkt_text_is_plain(b);
}

/* Copies and checks 8 bytes or more. A block that would reach past the end is moved back to end there. */
PKT_INLINE bool pkt_copy_much(char *to, const uint8_t *s, size_t size)
{
    if (size < 16) {
        bool plain = pkt_copy_word(to, s, 0);
        return pkt_copy_word(to, s, size - 8) && plain;
    } else {
        const size_t last = size - 16;
        pkt_block plain = pkt_text_copy_block(to, s, last);
        for (size_t at = 0; at < last; at += 128) {
            pkt_block a = pkt_text_both(pkt_text_copy_block(to, s, at),
                                        pkt_text_copy_block(to, s, pkt_text_least(at + 16, last)));
            pkt_block b = pkt_text_both(pkt_text_copy_block(to, s, pkt_text_least(at + 32, last)),
                                        pkt_text_copy_block(to, s, pkt_text_least(at + 48, last)));
            pkt_block c = pkt_text_both(pkt_text_copy_block(to, s, pkt_text_least(at + 64, last)),
                                        pkt_text_copy_block(to, s, pkt_text_least(at + 80, last)));
            pkt_block d = pkt_text_both(pkt_text_copy_block(to, s, pkt_text_least(at + 96, last)),
                                        pkt_text_copy_block(to, s, pkt_text_least(at + 112, last)));
            plain = pkt_text_both(plain, pkt_text_both(pkt_text_both(a, b), pkt_text_both(c, d)));
        }
        return pkt_text_all_set(plain);
    }
}
#elif defined(PKT_CALLS_COST)
#define four_words(s) (*word_at(s) | *word_at((s) + 8) | *word_at((s) + 16) | *word_at((s) + 24))

/* Copies and checks 8 bytes or more. The C library, which is optimized, looks for zeros. */
static bool pkt_copy_much(char *to, const uint8_t *s, size_t size)
{
    const uint8_t *at = s, *const end = s + size;
    uint64_t seen = *word_at(end - 8);
    if (size >= 32) {
        for (; end - at > 32; at += 32)
            seen |= four_words(at);
        seen |= four_words(end - 32);
    } else {
        for (; end - at > 8; at += 8)
            seen |= *word_at(at);
    }
    if (to)
        memcpy(to, s, size);
    return (seen & WORD_HIGHS) == 0 && !memchr(s, 0, size);
}
#else
/* Copies and checks 8 bytes or more. The last word is the last 8 bytes. */
/*@ requires size >= 8;
  @ requires \valid_read(s + (0 .. size - 1));
  @ requires to == \null || (\valid(to + (0 .. size - 1)) && \separated(to + (0 .. size - 1), s + (0 .. size - 1)));
  @ assigns to[0 .. (to == \null ? -1 : size - 1)]; */
PKT_INLINE bool pkt_copy_much(char *to, const uint8_t *s, size_t size)
{
    const uint64_t last = pkt_load64(s + size - 8);
    uint64_t high = (last - WORD_ONES) | last; /* as in pkt_word_is_plain, tested once for all words */
    size_t at = 0;
    /*@ loop invariant at <= size;
      @ loop assigns at, high;
      @ loop variant size - at; */
    for (; size - at > 16; at += 16) {
        const uint64_t first = pkt_load64(s + at), second = pkt_load64(s + at + 8);
        high |= (first - WORD_ONES) | first | (second - WORD_ONES) | second;
    }
    if (size - at > 8) {
        const uint64_t word = pkt_load64(s + at);
        high |= (word - WORD_ONES) | word;
    }
    if (to)
        memcpy(to, s, size);
    return (high & WORD_HIGHS) == 0;
}
#endif

/* Copies all bytes, plain or not. True if they are plain. */
#ifdef PKT_CALLS_COST
#define pkt_text_copy_all(to, s, size) \
    ((size) >= 8 ? pkt_copy_much(to, s, size) : (size) == 0 || pkt_copy_little(to, s, size))
#else
/*@ requires size <= SIZE_MAX - 8;
  @ requires size == 0 || \valid_read(s + (0 .. size - 1));
  @ requires to == \null || size == 0 || (\valid(to + (0 .. size - 1)) && \separated(to + (0 .. size - 1), s + (0 .. size - 1)));
  @ assigns to[0 .. (to == \null ? -1 : size - 1)]; */
PKT_INLINE bool pkt_text_copy_all(char *to, const uint8_t *s, size_t size)
{
    if (PKT_LIKELY(size >= 8))
        return pkt_copy_much(to, s, size);
    return size == 0 || pkt_copy_little(to, s, size);
}
#endif

bool pkt_text_valid(const uint8_t *s, size_t size)
{
    return pkt_text_copy_all(NULL, s, size) || pkt_is_well_formed(s, size);
}

bool pkt_text_copy(char *to, const uint8_t *from, size_t size)
{
    /* Tested once here, so that compilers need not test at each store. */
    if (!to)
        return size == 0;
    return pkt_text_copy_all(to, from, size) || pkt_is_well_formed(from, size);
}

bool pkt_text_set(char *to, size_t size, const char *from)
{
    const uint8_t *s = (const uint8_t *)from;
    size_t at = 0;
    if (size == 0)
        return false;
    while (s[at] != 0) {
        size_t length = 1;
        if (s[at] >= 0x80) {
            size_t left = 1;
            while (left < 4 && left < size - at && s[at + left] != 0)
                left++;
            length = pkt_sequence_length(s + at, left);
        }
        if (length == 0 || length >= size - at)
            break;
        memcpy(to + at, s + at, length);
        at += length;
    }
    to[at] = 0;
    return s[at] == 0;
}

/* ---- size -------------------------------------------------------------------------------------------------- */

#if defined(HAS_BLOCKS) && defined(__SSE2__) && defined(__GNUC__)
/* A bit for each of 16 bytes, set if it is zero. */
PKT_INLINE uint64_t pkt_text_zeros_of(const char *p)
{
    return (uint32_t)_mm_movemask_epi8(pkt_text_equal_to(pkt_text_load_block(p), 0));
}

PKT_INLINE uint64_t pkt_text_zeros_of_four(const char *p)
{
    return pkt_text_zeros_of(p) | pkt_text_zeros_of(p + 16) << 16 | pkt_text_zeros_of(p + 32) << 32 |
           pkt_text_zeros_of(p + 48) << 48;
}

uint32_t pkt_text_size(const char *text, uint32_t max)
{
    const size_t room = (size_t)max + 1;
    size_t at = 0;
    for (; at + 128 <= room; at += 128) {
        uint64_t low = pkt_text_zeros_of_four(text + at), high = pkt_text_zeros_of_four(text + at + 64);
        /* A mask: compilers would branch, but all lengths are equally likely. */
        uint64_t in_high = (uint64_t)0 - (low == 0);
        uint64_t zeros = low | (high & in_high);
        if (zeros != 0)
            return (uint32_t)at + (uint32_t)(in_high & 64) + (uint32_t)__builtin_ctzll(zeros);
    }
    for (; at + 16 <= room; at += 16) {
        uint64_t zeros = pkt_text_zeros_of(text + at);
        if (zeros != 0)
            return (uint32_t)at + (uint32_t)__builtin_ctzll(zeros);
    }
    for (; at < room; at++)
        if (text[at] == 0)
            break;
    return (uint32_t)at;
}
#else
uint32_t pkt_text_size(const char *text, uint32_t max)
{
    const char *end = (const char *)memchr(text, 0, (size_t)max + 1);
    return end ? (uint32_t)(end - text) : max + 1;
}
#endif
