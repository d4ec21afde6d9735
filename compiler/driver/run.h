/* run.h - one run of pktc: the state that every command uses, and the schemas that it reads.
 * SPDX-License-Identifier: MIT
 *
 * A command prints to standard output, and adds the files that it makes to `outputs`. main.c writes the files after the
 * command, if there was no error.
 */
#ifndef PKTC_RUN_H
#define PKTC_RUN_H

#include "base/out.h"
#include "base/files.h"
#include "check/check.h"
#include "driver/command_table.h"

enum { EXIT_DONE = 0, EXIT_ERRORS = 1, EXIT_WRONG_USE = 2 };

typedef struct run {
    arena *arena;
    names *names;
    diag *diag;
    const options *options;
    outputs outputs;
    path_list inputs;     /* files that were read: no output may replace one */
    bool has_directory;   /* outputs are all generated files of the output directory: others are left over */
    bool has_runtime;     /* outputs have the runtime that generated files in this directory need */
    bool lists_outputs;   /* the paths of files that were written are printed */
    bool ignores_failure; /* outputs are written although other files had errors */
    int status;           /* the exit status if there was no error; at first EXIT_DONE */
} run;

/* Reads a schema that the command line names; - is standard input. NULL if the file cannot be read or is no schema. */
const source *read_schema(run *r, const char *name);

/* The same, or the schema in a file that a workshop reads, such as a recording. */
const source *read_schema_or_held(run *r, const char *name);

/* All schemas of the command line; NULL after an error. */
const source *const *read_schemas(run *r);

/* How to check schemas by the options of the command line, without the rules for names in C. */
check_options checked_as_asked(const run *r);

/* Checks a schema without printing warnings, which only compiling prints, and makes its files inputs. NULL after an
 * error. */
schema *check_quietly(run *r, const source *root, const check_options *how);

/* Makes a file an input, unless it is NULL or standard input. */
void add_input(run *r, const char *name);

/* Makes the files of the command line inputs. */
void add_given_inputs(run *r);

/* Makes the files of a schema inputs. */
void add_inputs(run *r, const schema *s);

/* Checks a schema with the rules for names in C, and makes its files inputs. NULL after an error. */
const schema *check_for_c(run *r, const source *root, const check_options *how);

/* Reads a file of the command line, as read_schema_or_held, and checks it like check_for_c; NULL after an error. */
const schema *load_schema(run *r, const char *name);

/* Releases and recordings need a schema that names a protocol. If it names none, reports that, with `consequence` as
 * the effect, and returns false. */
bool has_protocol(run *r, const schema *s, const char *consequence);

/* Whether the crc of a packet has a seed, because it has parts or @seed. */
bool packets_have_seeds(const schema *s);

/* Refuses --seed if nothing has one. packets: whether a packet has. False after an error. */
bool seed_has_use(run *r, bool packets);

/* Writes a text to the path that the user gave; if it is NULL, prints the text. */
void put_text(run *r, const char *to, const char *text, size_t size);

/* ---- depfile.c: the dependencies of the outputs, in make's syntax */

/* --depfile: adds the depfile to the outputs of a run, unless make would misread a path in it. */
void add_depfile(run *r);

/* A rule by which the target depends on all prerequisites, then an empty rule for each prerequisite. If target is NULL,
 * all outputs are targets. Because of the empty rules, make does not stop when a file that is no longer imported is
 * deleted. Bytes that are special to make are escaped. */
const char *depfile_text(arena *a, const char *target, const outputs *made, const path_list *prerequisites,
                         size_t *size);

#endif
