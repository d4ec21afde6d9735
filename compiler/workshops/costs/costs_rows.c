/* costs_rows.c - the rows of `pktc layout` and `describe`, and of their options.
 * SPDX-License-Identifier: MIT
 */
#include "costs/costs_rows.h"

enum { USAGE_LAYOUT, USAGE_DESCRIBE };

static const usage_row costs_usages[] = {
    [USAGE_LAYOUT] = {"layout", .arguments = "FILE.pkt...",
                      .shares = SHARES_SCHEMAS | SHARES_MTU | SHARES_HTML | SHARES_JSON, .run = command_layout},
    [USAGE_DESCRIBE] = {"describe", .arguments = "FILE.pkt", .shares = SHARES_SCHEMAS, .run = command_describe},
};

static bool usage_of_layout(command_line *line)
{
    const options *o = line->options;
    if (!has_file(line) || !reads_no_input(line))
        return false;
    for (size_t i = 1; i < o->file_count; i++)
        if (is_name(o->files[i]) && is_missing(o->files[i]))
            return wrong(line, "layout prints all types of '%s': it takes no name of one, as '%s' is", o->files[0],
                         o->files[i]);
    if (o->html && o->file_count > 1)
        return wrong(line, "--html takes one .pkt file");
    return uses(line, &costs_usages[USAGE_LAYOUT]);
}

static bool usage_of_describe(command_line *line)
{
    return takes_one_schema(line) && uses(line, &costs_usages[USAGE_DESCRIBE]);
}

static const command_row costs_commands[] = {
    {.word = "layout",
     .option = "--layout",
     .place = 20,
     .arguments = "[options] FILE.pkt...",
     .summary = "print the size of each packet and each field",
     .about = ABOUT_RECORDINGS,
     .page = "#what-packets-cost",
     .next = {":pkt"},
     .find_usage = usage_of_layout},
    {.word = "describe",
     .place = 30,
     .arguments = "[options] FILE.pkt",
     .summary = "print types, values, bits and places as JSON",
     .about = ABOUT_RECORDINGS,
     .page = "describe.md",
     .next = {":pkt", ""},
     .find_usage = usage_of_describe},
};

static const option_row costs_option_rows[] = {
    {"--hz", 1u << USAGE_LAYOUT, SETS_NUMBER(costs_choices, hz, 1, OPTION_MANY), .place = 150, .argument = "N",
     .help = "also print kbit/s, for N packets per second"},
};

const workshop costs_workshop = {WORKSHOP_ROWS(costs), WORKSHOP_OPTIONS(costs, costs_choices)};
