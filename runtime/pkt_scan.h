/* pkt_scan.h - the bits that are set in a bitmap, one by one.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it by pkt_subset.h. Programs do not use this header.
 */
#ifndef PKT_SCAN_H
#define PKT_SCAN_H

#include "pkt_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many bits a word has, nobody can predict: where they are few, a branch at its end would be mispredicted every few bits.
   So there is none. Of a block of 64 words it is told at once which have any, the next of these is loaded ahead, and to go on
   to it is arithmetic. Where words have many bits, that is gone over at their ends alone, and the branch costs less. */

typedef struct pkt_scan {
    uint32_t index; /* the bit at hand; n after the last */
    uint32_t n;
    uint32_t block, count; /* the first index of the block at hand, and its words */
    uint32_t first;        /* the first index of the word at hand */
    uint64_t words;        /* the block's words that have bits still to come */
    uint64_t left, next;   /* these bits: of the word at hand; of the one after it */
    uint64_t few;          /* 1 where a word seems to have few bits, else 0 */
    const uint64_t *set;   /* the block */
} pkt_scan;

/* Fewer bits than this in a block's first word with any are few: with 8, both ways take the same time. */
enum { PKT_FEW = 8 };

/*@ assigns \nothing; */
PKT_INLINE unsigned pkt_ones(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(v * UINT64_C(0x0101010101010101) >> 56);
}

/* The first of these words, 64 where there is none. */
PKT_INLINE unsigned pkt_scan_word(const uint64_t words)
{
    return words != 0 ? pkt_low_bit(words) : 64;
}

PKT_INLINE uint64_t pkt_scan_load(const pkt_scan *s, const unsigned word)
{
    return word < s->count ? s->set[word] : 0;
}

/* To the block at s->set. */
PKT_INLINE void pkt_scan_block(pkt_scan *s)
{
    const uint32_t rest = (s->n - s->block + 63) / 64;
    s->count = rest < 64 ? rest : 64;
    s->words = 0;
    for (uint32_t i = 0; i < s->count; i++)
        s->words |= (uint64_t)(s->set[i] != 0) << i;
    s->first = s->block + 64 * pkt_scan_word(s->words);
    s->left = pkt_scan_load(s, pkt_scan_word(s->words));
    s->next = pkt_scan_load(s, pkt_scan_word(s->words & (s->words - 1)));
    s->few = pkt_ones(s->left) < PKT_FEW;
}

PKT_INLINE pkt_scan pkt_scan_of(const uint64_t *set, const uint32_t n)
{
    pkt_scan s = {0, n, 0, 0, 0, 0, 0, 0, 0, set};
    if (n > 64)
        pkt_scan_block(&s);
    else if (n != 0)
        s.left = set[0];
    return s;
}

/* To the next one, false where there is none. */
PKT_INLINE bool pkt_scan_next(pkt_scan *s)
{
    s->index = s->n;
    if (s->n <= 64) {
        if (s->left == 0)
            return false;
        s->index = pkt_low_bit(s->left);
        s->left &= s->left - 1;
    } else {
        uint64_t emptied;
        while (s->left == 0) {
            if (s->n - s->block <= 4096)
                return false;
            s->block += 4096;
            s->set += 64;
            pkt_scan_block(s);
        }
        s->index = s->first + pkt_low_bit(s->left);
        s->left &= s->left - 1;
        emptied =
            0 - (uint64_t)(s->left == 0); /* a mask; asked for together with `few`, or compilers branch on it alone */
        if ((emptied | s->few) != 0) {
            s->left |= s->next & emptied;
            s->words &= s->words + emptied;
            /* Behind the last word anything: it takes one instruction less than pkt_scan_word. */
            s->first = s->block + 64 * pkt_low_bit(s->words | UINT64_C(1) << 63);
            s->next = pkt_scan_load(s, pkt_scan_word(s->words & (s->words - 1)));
        }
    }
    /*@ split s->index < s->n; */
    return s->index < s->n;
}

/* The elements that are there, one by one, as i.index. */
#define PKT_EACH_PRESENT(i, present, n) for (pkt_scan i = pkt_scan_of((present), (n)); pkt_scan_next(&i);)

#ifdef __cplusplus
}
#endif

#endif
