/* format_rows.c - the row of `pktc fmt`, and of its options.
 * SPDX-License-Identifier: MIT
 */
#include "format/format_rows.h"

static const usage_row format_usages[] = {
    {"fmt", .arguments = "FILE.pkt...", .shares = SHARES_CHECK | SHARES_ERRORS, .run = command_format},
};

static bool usage_of_format(command_line *line)
{
    return has_file(line) && uses(line, &format_usages[0]);
}

static const command_row format_commands[] = {
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
};

static const option_row format_option_rows[] = {
    {"--diff", 1, SETS_FLAG(format_choices, diff), .place = 110,
     .help = "write nothing; print the lines that would change, and exit with 1 if there are any"},
};

static const option_rule format_rules[] = {
    {1, "--check", .excludes = "--diff"},
};

const workshop format_workshop = {WORKSHOP_ROWS(format), WORKSHOP_OPTIONS(format, format_choices),
                                  WORKSHOP_RULES(format)};
