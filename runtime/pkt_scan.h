/* pkt_scan.h - loops over the bits that are set in a bitmap.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_subset.h. Programs do not use this header.
 */
#ifndef PKT_SCAN_H
#define PKT_SCAN_H

#include "pkt_condition.h"
#include "pkt_memory.h"

PKT_C_BEGIN

/* Nobody can predict how many bits of a word are set. If words have few of them, a branch at the end of each word would
 * often be mispredicted, so there is none: a scan finds out for a block of 64 words which are not zero, loads the next
 * of these ahead, and moves on to it by arithmetic. If words have many bits set, a branch is cheaper, and this is done
 * only at the end of a word. */

typedef struct pkt_scan {
    uint32_t index; /* the current bit; n at the end */
    uint32_t n;
    uint32_t block, count; /* the current block: its first index, and its number of words */
    uint32_t first;        /* the first index of the current word */
    uint64_t words;        /* a bit for each word of the block that has bits left */
    uint64_t left, next;   /* the bits left in the current word; the word after it */
    uint64_t few;          /* 1 if words probably have few bits set, else 0 */
    const uint64_t *set;   /* the words of the block */
} pkt_scan;

/* Fewer bits than this in the first word of a block that is not zero are few. At 8, both ways take the same time. */
enum { PKT_FEW = 8 };

/* The first word whose bit is set; 64 if none is. */
PKT_INLINE unsigned pkt_scan_word(const uint64_t words)
{
    return words != 0 ? pkt_low_bit(words) : 64;
}

PKT_INLINE uint64_t pkt_scan_load(const pkt_scan *s, const unsigned word)
{
    return word < s->count ? s->set[word] : 0;
}

/* Starts the block at s->set. */
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

/* Moves to the next bit that is set; false if there is none. */
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
        /* A mask. It is tested together with `few`, because compilers would branch on it if it were alone. */
        emptied = 0 - (uint64_t)(s->left == 0);
        if ((emptied | s->few) != 0) {
            s->left |= s->next & emptied;
            s->words &= s->words + emptied;
            /* After the last word this may be anything. It takes one instruction less than pkt_scan_word. */
            s->first = s->block + 64 * pkt_low_bit(s->words | UINT64_C(1) << 63);
            s->next = pkt_scan_load(s, pkt_scan_word(s->words & (s->words - 1)));
        }
    }
    /*@ split s->index < s->n; */
    return s->index < s->n;
}

PKT_C_END

#endif
