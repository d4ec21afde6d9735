/* run.h - one run of pktc: what every command works with, and the schemas that it reads.
 * SPDX-License-Identifier: MIT
 *
 * A command prints to standard output, and adds the files that it makes to `outputs`. They are written after it, and
 * only if there was no error.
 */
#ifndef PKTC_RUN_H
#define PKTC_RUN_H

#include "base/out.h"
#include "base/path_list.h"
#include "check/check.h"
#include "commands/commands.h"
#include "commands/options.h"

enum { EXIT_DONE = 0, EXIT_ERRORS = 1, EXIT_WRONG_USE = 2 };

typedef struct run {
    arena *arena;
    names *names;
    diag *diag;
    const options *options;
    outputs outputs;
    path_list inputs;     /* files that were read: no output may replace one */
    bool has_directory;   /* outputs are all that pktc generates in the output directory: others are left over */
    bool has_runtime;     /* outputs have the runtime that generated files in this directory need */
    bool lists_outputs;   /* the paths of files that were written are printed */
    bool ignores_failure; /* outputs are written although other files had errors */
    int status;           /* the exit status if there was no error; at first EXIT_DONE */
} run;

/* A file of the command line, of which - is standard input. NULL after an error: it cannot be read, or is no schema. */
const source *read_schema(run *r, const char *name);

/* All schemas of the command line; NULL after an error. */
const source *const *read_schemas(run *r);

/* How the command line wants schemas to be checked. Their names need not be those that C can have. */
check_options checked_as_asked(const run *r);

/* Checks a schema without printing warnings, which are for whoever compiles it, and makes its files inputs. NULL after
 * an error. */
schema *check_quietly(run *r, const source *root, const check_options *how);

/* Makes the files of the command line inputs. */
void add_given_inputs(run *r);

/* Makes the files of a schema inputs. */
void add_inputs(run *r, const schema *s);

/* Checks a schema that C is made of, or could be, and makes its files inputs. NULL after an error. */
const schema *check_for_c(run *r, const source *root, const check_options *how);

/* Reads and checks a file of the command line in this way; NULL after an error. */
const schema *load_schema(run *r, const char *name);

/* A release, and a recording, must name a protocol. False after reporting that the schema names none, which is why it
 * cannot have what `consequence` says. */
bool has_protocol(run *r, const schema *s, const char *consequence);

/* Makes a text a file whose path the user gave; NULL: prints it. */
void put_text(run *r, const char *to, const char *text, size_t size);

#endif
