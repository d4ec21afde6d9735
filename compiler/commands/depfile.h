/* depfile.h - the dependencies of the outputs, in make's syntax.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DEPFILE_H
#define PKTC_DEPFILE_H

#include "base/out.h"
#include "base/path_list.h"

/* The first of the paths that no depfile can name, because make takes a byte of it for its own; or NULL. */
const char *depfile_refused(const outputs *made, const path_list *prerequisites);

/* A rule that makes all outputs depend on all prerequisites, then an empty rule for each prerequisite. Because of the
 * empty rules, make does not stop when a file that is no longer imported is deleted. Bytes that are special to make are
 * escaped. */
const char *depfile_text(arena *a, const outputs *made, const path_list *prerequisites, size_t *size);

#endif
