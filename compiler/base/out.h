/* out.h - text under construction, and files replaced whole or not at all.
 * SPDX-License-Identifier: MIT
 *
 * Text is made from templates that look like what they make: `$name` or `${name}` stands for a named variable.
 *
 *     out_put(o, "bool ${type}_read(pkt_reader *r, $type *v);\n", "type", "Body", NULL);
 *
 * Every line begins at the current indentation (four spaces a level), so templates are written flush left (what a
 * template indents comes on top). Empty lines and lines that begin with # stay at the margin. A value of several
 * lines is indented like its first line. `$$` is a dollar. An unknown name is a mistake in pktc: it aborts with the name.
 */
#ifndef PKTC_OUT_H
#define PKTC_OUT_H

#include "base/arena.h"
#include <stdbool.h>

typedef struct out out;

out *out_new(arena *a);
/* Pairs of `const char *name, const char *value`, then NULL. */
void out_put(out *o, const char *template_text, ...);
void out_indent(out *o);
void out_dedent(out *o);

/* The value of a variable, NULL for one that there is not. */
typedef const char *out_values(void *user, const char *name);

/* The same with values from a function, into `o` or as a text of its own. */
void out_fill(out *o, const char *template_text, out_values *values, void *user);
const char *out_text(arena *a, const char *template_text, out_values *values, void *user);

/* What was put so far, terminated; *size without the zero. Valid until the next out_put. */
const char *out_result(const out *o, size_t *size);

/* ---- files */

typedef struct output { /* one file to be made */
    struct output *next;
    const char *path;
    const char *text;
    size_t size;
} output;

typedef struct outputs {
    output *first, **last;
} outputs;

void outputs_init(outputs *o);
void outputs_add(arena *a, outputs *o, const char *path, const char *text, size_t size);

/* Writes those whose content differs from what is there, each into a temporary file beside its target first; only when all
 * of them are complete on disk are they renamed, so that a failure leaves the old files whole. Directories are made.
 * On failure false, with *failed naming path and reason. */
bool outputs_write(arena *a, const outputs *o, const char **failed);

/* Whether the file is there with exactly this content. */
bool output_is_current(const output *o);

#endif
