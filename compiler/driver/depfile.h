/* depfile.h - the dependencies of the outputs, in make's syntax.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DEPFILE_H
#define PKTC_DEPFILE_H

#include "driver/run.h"

/* --depfile: adds the depfile to the outputs of a run, unless make would misread a path in it. */
void add_depfile(run *r);

/* A rule by which the target depends on all prerequisites, then an empty rule for each prerequisite. If target is NULL,
 * all outputs are targets. Because of the empty rules, make does not stop when a file that is no longer imported is
 * deleted. Bytes that are special to make are escaped. */
const char *depfile_text(arena *a, const char *target, const outputs *made, const path_list *prerequisites,
                         size_t *size);

#endif
