/* context.c - limits how deeply check recurses through expressions.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"

/* People write no deeper expressions, and the stack is large enough for many more. */
#define MAX_DEPTH 1000

bool enter(checker *k, span at)
{
    if (k->depth == MAX_DEPTH) {
        if (!k->depth_reported) {
            diag_error(k->diag, at, "operators and constants nest more than %d deep here", MAX_DEPTH);
            k->depth_reported = true;
        }
        return false;
    }
    k->depth++;
    return true;
}

void leave(checker *k)
{
    k->depth--;
    if (k->depth == 0)
        k->depth_reported = false;
}
