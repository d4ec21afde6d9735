/* main.c - pktc: finds the command, runs it, and writes the files that it made.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "driver/driver.h"
#include "driver/targets.h"
#include "workshops.h"

#include <errno.h>
#include <string.h>

/* Existing generated files that no input generates any more. */
static path_list left_files(const run *r)
{
    return r->has_directory ? targets_left(r->arena, r->names, r->options->output_dir, &r->outputs) : (path_list){0};
}

/* --check: lists the files that are out of date. */
static bool all_current(run *r)
{
    bool current = true;
    for (const output *each = r->outputs.first; each; each = each->next) {
        if (!output_is_current_text(each)) {
            printf("%s\n", each->path);
            current = false;
        }
    }
    const path_list left = left_files(r);
    for (size_t i = 0; i < left.count; i++) {
        printf("%s\n", left.paths[i]);
        message *m =
            diag_warning(r->diag, (span){0}, "'%s' is left from an earlier run: no input makes it", left.paths[i]);
        diag_help(r->diag, m, "--prune removes it");
        current = false;
    }
    return current;
}

/* --prune. */
static void remove_left_files(run *r)
{
    const path_list left = left_files(r);
    for (size_t i = 0; i < left.count; i++)
        if (!file_remove(left.paths[i]))
            diag_error(r->diag, (span){0}, "cannot remove '%s': %s", left.paths[i], strerror(errno));
}

static void write_outputs(run *r)
{
    const char *failed;
    if (!outputs_write(r->arena, &r->outputs, &failed) || !runtime_settle(r, &failed))
        diag_error(r->diag, (span){0}, "%s", failed);
    else if (r->options->prune)
        remove_left_files(r);
    else if (r->lists_outputs)
        for (const output *each = r->outputs.first; each; each = each->next)
            printf("%s\n", each->path);
}

static bool may_write(const run *r)
{
    return diag_errors(r->diag) == 0 || r->ignores_failure;
}

static const char cannot_print[] = "cannot write to standard output: %s";

/* Whether standard output took all that was printed; else errno says why. */
static bool all_printed(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}

/* The status after --help or --version. */
static int answered(void)
{
    if (all_printed())
        return EXIT_DONE;
    fputs("pktc: error: ", stderr);
    fprintf(stderr, cannot_print, strerror(errno));
    fputc('\n', stderr);
    return EXIT_ERRORS;
}

static int run_command(arena *a, const options *o)
{
    run r = {.arena = a, .names = names_new(a), .diag = diag_new(a), .options = o};
    const bool is_json = o->error_format && strcmp(o->error_format, "json") == 0;
    bool current = true;
    outputs_init(&r.outputs);
    o->usage->run(&r);
    add_given_inputs(&r);
    if (may_write(&r))
        targets_check(a, r.names, r.diag, &r.outputs, &r.inputs);
    if (may_write(&r) && o->check_only)
        current = all_current(&r);
    else if (may_write(&r))
        write_outputs(&r);
    if (!all_printed())
        diag_error(r.diag, (span){0}, cannot_print, strerror(errno));
    diag_print(r.diag, is_json ? DIAG_JSON : DIAG_TEXT, stderr);
    return current && diag_errors(r.diag) == 0 ? r.status : EXIT_ERRORS;
}

int main(int argc, char **argv)
{
    arena *a = arena_new();
    options o;
    int status = EXIT_DONE;
    file_as_is(stdout);
    file_as_is(stderr);
    argv = file_arguments(a, &argc, argv);
    switch (options_read(a, argc, argv, workshops, &o)) {
    case OPTIONS_RUN: status = run_command(a, &o); break;
    case OPTIONS_ANSWERED: status = answered(); break;
    case OPTIONS_WRONG: status = EXIT_WRONG_USE; break;
    }
    arena_free(a);
    return status;
}
