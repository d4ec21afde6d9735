/* editor_rows.c - the rows of `pktc fmt` and `lsp`, and of their options.
 * SPDX-License-Identifier: MIT
 */
#include "editor/editor_rows.h"

enum { USAGE_FORMAT, USAGE_LSP };
#define ON(name) (1u << USAGE_##name)

static const usage_row editor_usages[] = {
    [USAGE_FORMAT] = {"fmt", .arguments = "FILE.pkt...", .shares = SHARES_CHECK | SHARES_ERRORS, .run = command_format},
    [USAGE_LSP] = {"lsp", .arguments = "", .shares = SHARES_CHECKING | SHARES_MTU, .run = command_lsp},
};

static bool usage_of_format(command_line *line)
{
    return has_file(line) && uses(line, &editor_usages[USAGE_FORMAT]);
}

static bool usage_of_lsp(command_line *line)
{
    const options *o = line->options;
    return o->file_count == 0 ? uses(line, &editor_usages[USAGE_LSP])
                              : wrong(line, "lsp takes no file: the editor says which ones are open");
}

static const command_row editor_commands[] = {
    {.word = "fmt",
     .option = "--format",
     .place = 10,
     .arguments = "[options] FILE.pkt...",
     .summary = "reformat schemas in place",
     .about =
         "The file - is standard input, and its formatted text goes to standard output. A file with syntax errors\n"
         "stays as it is. Comments are kept.\n",
     .page = "#the-one-style",
     .next = {":pkt"},
     .find_usage = usage_of_format},
    {.word = "lsp",
     .place = 130,
     .arguments = "[options]",
     .summary = "show schemas in an editor",
     .about =
         "A server of the Language Server Protocol 3.17 on standard input and output, which an editor starts: errors with\n"
         "quick fixes, bits beside each field, hover, completion, definitions, references, rename, format.\n",
     .page = "editors.md",
     .next = {""},
     .find_usage = usage_of_lsp},
};

static const option_row editor_option_rows[] = {
    {"--diff", ON(FORMAT), SETS_FLAG(editor_choices, diff), .place = 110,
     .help = "write nothing; print the lines that would change, and exit with 1 if there are any"},
    {"--against", ON(LSP), SETS_TEXT(editor_choices, archive), .place = 250, .argument = "DIR",
     .help = "also show what has changed since the newest release in DIR, where 'pktc archive' keeps them"},
};

static const option_rule editor_rules[] = {
    {ON(FORMAT), "--check", .excludes = "--diff"},
};

const workshop editor_workshop = {WORKSHOP_ROWS(editor), WORKSHOP_OPTIONS(editor, editor_choices),
                                  WORKSHOP_RULES(editor)};
