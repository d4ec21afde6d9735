/* targets.h - which files a run may write, and which an earlier run left.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TARGETS_H
#define PKTC_TARGETS_H

#include "base/diag.h"
#include "commands/depfile.h"

/* Reports each output that would replace an input, another output, or a file that pktc did not generate. Files are compared by
 * what they are, not by their paths. */
void targets_check(arena *a, names *n, diag *d, const outputs *o, const path_list *inputs);

/* The generated files of a directory that are no outputs: an earlier run made them, of a schema that is not compiled any
 * more. */
path_list targets_left(arena *a, names *n, const char *directory, const outputs *o);

#endif
