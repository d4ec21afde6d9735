/* diff_print.h - `pktc diff`: prints the changes from one schema to the next.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DIFF_PRINT_H
#define PKTC_DIFF_PRINT_H

#include "base/out.h"
#include "releases/diff.h"

/* A line for each change. Changes of meaning in the same bytes come last, before the verdict. */
void diff_text(arena *a, const comparison *r, out *to);

/* One JSON object. status: the exit status of pktc. */
void diff_json(arena *a, const comparison *r, int status, out *to);

#endif
