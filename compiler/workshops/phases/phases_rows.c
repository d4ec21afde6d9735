/* phases_rows.c - --dump: prints what a phase makes of a schema.
 * SPDX-License-Identifier: MIT
 */
#include "driver/run.h"
#include "model/type_table.h"
#include "phases/dump_ast.h"
#include "phases/dump_wire.h"
#include "wire/wire.h"

#include <string.h>

static void print_wire(run *r, const source *root)
{
    const check_options how = checked_as_asked(r);
    const schema *s = check_for_c(r, root, &how);
    const wire *w = s ? lower(r->arena, s) : NULL;
    if (w && check_budgets(w, r->diag))
        dump_wire(r->arena, w, plan_deltas(r->arena, w), stdout);
}

static bool print_phase(run *r, const source *root)
{
    const char *phase = r->options->dump;
    if (!phase)
        return false;
    if (strcmp(phase, "tokens") == 0)
        dump_tokens(r->arena, r->names, r->diag, root, reserved_type_word, stdout);
    else if (strcmp(phase, "ast") == 0)
        dump_ast(parse(r->arena, r->names, r->diag, root, reserved_type_word), stdout);
    else
        print_wire(r, root);
    return true;
}

static const option_row phases_option_rows[] = {
    {"--dump", .command = "", SETS_TEXT(options, dump), .place = 142, .argument = "PHASE", .words = "tokens ast wire",
     .help = "print tokens, ast or wire; write no files"},
};

static const option_rule phases_rules[] = {
    {.option = "--check", .excludes = "--dump"},
    {.option = "--prune", .excludes = "--dump"},
    {.option = "--dump", .excludes = "--projection"},
};

/* --dump sets a member of the driver's options, which says that no files are written. */
const workshop phases_workshop = {
    .name = "phases", .options = phases_option_rows, .option_count = 1, WORKSHOP_RULES(phases), .instead = print_phase};
