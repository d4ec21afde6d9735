/* check.h - turns a root file into a checked schema: imports, names, constants, ranges, limits, conditions.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CHECK_H
#define PKTC_CHECK_H

#include "front/ast.h"
#include "base/diag.h"
#include "check/uses.h"
#include "model/taken.h"

typedef struct check_options {
    const char *const *import_dirs; /* -I, in order */
    size_t import_dir_count;
    bool checks;             /* false: --no-checks */
    const char *prefix;      /* of the root file, in place of its own; or NULL */
    bool flat;               /* the model is not read: every code table is flat */
    const name_rules *names; /* rules of the generated language; NULL: every name is allowed */
    const file_rules *files; /* rules of the files to be generated; NULL: there are none */
    name_uses *uses;         /* every name that is resolved is listed here; or NULL */

    /* How imported files are read: NULL with errno. NULL: source_read. */
    const source *(*read)(void *reader, arena *a, const char *path);
    void *reader;
} check_options;

/* Parses and checks the root file and all files that it imports. NULL after errors, which are in d. */
schema *check(arena *a, names *n, diag *d, const source *root, const check_options *options);

/* The name of attribute i, from 0; NULL after the last. */
const char *attribute_name_at(size_t i);

#endif
