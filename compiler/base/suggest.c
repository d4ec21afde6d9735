/* suggest.c - counts the edits between a misspelt name and a candidate, and keeps the nearest one: see diag.h.
 * SPDX-License-Identifier: MIT
 */
#include "base/diag.h"

#include <string.h>

/* Longer names are not compared: the table below would be large, and such names are hardly ever misspelt. */
enum { LONGEST_NAME = 64 };

static uint32_t lesser_distance(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The least number of insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string
 * alignment). Three rows of the table are enough. */
static uint32_t edit_distance(const char *a, uint32_t a_size, const char *b, uint32_t b_size)
{
    uint32_t rows[3][LONGEST_NAME + 1];
    for (uint32_t j = 0; j <= b_size; j++)
        rows[0][j] = j;
    for (uint32_t i = 1; i <= a_size; i++) {
        uint32_t *row = rows[i % 3];
        const uint32_t *above = rows[(i + 2) % 3], *above_that = rows[(i + 1) % 3];
        row[0] = i;
        for (uint32_t j = 1; j <= b_size; j++) {
            row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = lesser_distance(row[j], lesser_distance(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = lesser_distance(row[j], above_that[j - 2] + 1);
        }
    }
    return rows[a_size % 3][b_size];
}

void suggest(suggestion *s, const char *candidate)
{
    size_t wanted_size = strlen(s->wanted), size = strlen(candidate);
    if (wanted_size == 0 || size == 0 || wanted_size > LONGEST_NAME || size > LONGEST_NAME)
        return;
    size_t limit = wanted_size / 3 > 1 ? wanted_size / 3 : 1;
    size_t difference = size > wanted_size ? size - wanted_size : wanted_size - size;
    if (difference > limit)
        return;
    uint32_t distance = edit_distance(s->wanted, (uint32_t)wanted_size, candidate, (uint32_t)size);
    /* If every letter is edited, the names have nothing in common: `y` is not a misspelt `x`. */
    bool alike = distance > 0 && distance <= limit && distance < (size > wanted_size ? size : wanted_size);
    if (alike && (!s->best || distance < s->distance)) {
        s->best = candidate;
        s->distance = distance;
    }
}
