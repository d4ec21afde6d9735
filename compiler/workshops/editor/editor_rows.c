/* editor_rows.c - the row of `pktc lsp`, and of its options.
 * SPDX-License-Identifier: MIT
 */
#include "editor/editor_rows.h"

static const usage_row editor_usages[] = {
    {"lsp", .arguments = "", .shares = SHARES_CHECKING | SHARES_MTU, .run = command_lsp},
};

static bool usage_of_lsp(command_line *line)
{
    const options *o = line->options;
    return o->file_count == 0 ? uses(line, &editor_usages[0])
                              : wrong(line, "lsp takes no file: the editor says which ones are open");
}

static const command_row editor_commands[] = {
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
    {"--against", 1, SETS_TEXT(editor_choices, archive), .place = 250, .argument = "DIR",
     .help = "also show what has changed since the newest release in DIR, where 'pktc archive' keeps them"},
};

const workshop editor_workshop = {
    WORKSHOP_ROWS(editor),
    WORKSHOP_OPTIONS(editor, editor_choices),
};
