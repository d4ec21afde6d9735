/* targets.h - the files that a run may write, and those that an earlier run left.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TARGETS_H
#define PKTC_TARGETS_H

#include "base/diag.h"
#include "base/out.h"
#include "base/files.h"

/* Reports each output that would replace an input, another output, or a file that pktc did not generate. Two paths that
 * lead to the same file count as the same. */
void targets_check(arena *a, names *n, diag *d, const outputs *o, const path_list *inputs);

/* Whether pktc generated a file. */
bool targets_is_generated(const char *path);

/* The generated files in a directory that are not outputs of this run: an earlier run made them from a schema that
 * is no longer compiled. */
path_list targets_left(arena *a, names *n, const char *directory, const outputs *o);

#endif
