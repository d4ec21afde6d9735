/* out.h - builds the text of output files from templates, and replaces files whole or not at all.
 * SPDX-License-Identifier: MIT
 *
 * A template looks like the text that it makes. `$name` or `${name}` is replaced by the value of a named variable:
 *
 *     out_put(o, "bool ${type}_read(pkt_reader *r, $type *v);\n", "type", "Body", NULL);
 *
 * Every line begins at the current indentation (four spaces per level), so templates are written flush left; spaces at
 * the start of a template's line are added to it. Empty lines and lines that begin with # stay at the margin. A value
 * of several lines is indented like its first line. `$$` is a dollar. An unknown name is a bug in pktc: it prints the
 * name and aborts.
 */
#ifndef PKTC_OUT_H
#define PKTC_OUT_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdio.h>

typedef struct out out;

out *out_new(arena *a);
/* The same for a text that goes to a file: what is longer than a megabyte is written there at once, so a text of any length takes
 * little memory. out_end writes the rest. Errors are those of the file. */
out *out_to_file(arena *a, FILE *to);
void out_end(out *o);
/* The template is followed by pairs of `const char *name, const char *value`, then NULL. */
void out_put(out *o, const char *template_text, ...) ENDS_WITH_NULL;
/* Adds a text as it is: the same as out_put(o, "$text", "text", text, NULL). */
void out_add(out *o, const char *text);
/* The same for a text that is made like that of printf. */
void out_format(out *o, const char *format, ...) PRINTF_LIKE(2);
void out_vformat(out *o, const char *format, va_list arguments);
/* The same for a text of `size` bytes inside a line that has begun. */
void out_add_line(out *o, const char *text, size_t size);
void out_indent(out *o);
void out_dedent(out *o);
void out_close(out *o); /* out_dedent, and a line with a closing brace */

/* The value of a variable; NULL if there is no such variable. The name has `size` bytes and no terminating zero. */
typedef const char *out_values(void *user, const char *name, size_t size);

/* Whether `candidate` is the name of `size` bytes. */
bool out_is_name(const char *candidate, const char *name, size_t size);

/* The same with values from a function, into `o` or as a text of its own. */
void out_fill(out *o, const char *template_text, out_values *values, void *user);
const char *out_text(arena *a, const char *template_text, out_values *values, void *user);

/* The text so far, with a terminating zero that *size does not count. Valid until the next out_put. Not for files. */
const char *out_result(const out *o, size_t *size);

/* How many bytes the text has so far; and those after a place in it, valid until the next out_put. NULL: some are in the
 * file already. */
size_t out_size(const out *o);
const char *out_since(const out *o, size_t place, size_t *size);

/* ---- files */

typedef struct output { /* a file to write */
    struct output *next;
    const char *path;
    const char *text;
    size_t size;
    bool asked_for; /* the user gave the path: it may be a stream */
    bool in_place;  /* it is an input in another form, and replaces that input */
} output;

typedef struct outputs {
    output *first, **last;
} outputs;

void outputs_init(outputs *o);
output *outputs_add(arena *a, outputs *o, const char *path, const char *text, size_t size);

/* Writes the files whose content has changed, and creates missing directories. Each file is first written to a
 * temporary file in its target's directory. All of them are renamed at the end, so an earlier failure leaves all old
 * files as they were. If the user asked for an output and its path is a stream (file_is_stream), it is written to the
 * stream. False with *failed, the message that names the path and the reason. */
bool outputs_write(arena *a, const outputs *o, const char **failed);

/* Whether the file exists with exactly this content. */
bool output_is_current(const output *o);

/* The same for --check, but line ends may also be those of Windows, which Git writes there. */
bool output_is_current_text(const output *o);

#endif
