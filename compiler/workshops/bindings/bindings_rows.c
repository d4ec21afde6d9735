/* bindings_rows.c - the rows of `pktc bind`.
 * SPDX-License-Identifier: MIT
 */
#include "bindings/bindings_rows.h"
#include "bindings/bindings.h"

static const usage_row bindings_usages[] = {
    {"bind", .arguments = "LANGUAGE FILE.pkt", .shares = SHARES_SCHEMAS, .run = command_bind},
};

static bool usage_of_bind(command_line *line)
{
    const options *o = line->options;
    if (o->file_count == 0 || !bind_language_named(o->files[0]))
        return wrong(line, o->file_count == 0 ? "bind needs a language: %s" : "bind has no language '%s': it has %s",
                     o->file_count == 0 ? bind_languages : o->files[0], bind_languages);
    if (!reads_no_input(line))
        return false;
    return o->file_count == 2 ? uses(line, &bindings_usages[0])
                              : wrong(line, "bind takes a language and one .pkt file");
}

static const command_row bindings_commands[] = {
    {.word = "bind",
     .place = 115,
     .arguments = "[options] LANGUAGE FILE.pkt",
     .summary = "write the types and functions of a schema for another language",
     .about =
         "cs is C#, for Unity and others; gdextension is C, for Godot; ts is JavaScript with types for TypeScript, for node and\n"
         "browsers. Writes the types of the schema, the functions that call its generated C, and NAME_bind.c, a file of C to\n"
         "compile with it. When the program starts, it compares its types with those of C.\n",
     .page = "engines.md",
     .next = {"cs gdextension ts", ":pkt", ""},
     .find_usage = usage_of_bind},
};

static const option_row bindings_option_rows[] = {
    {"-o", 1, SETS_TEXT(bindings_choices, directory), .place = 216, .argument = "DIR",
     .help = "write the files to DIR, created if missing (default: the current directory)"},
    {"--releases", 1, SETS_FLAG(bindings_choices, releases), .place = 217,
     .help = "also bind T_unpack_any, of the C that --upgrade makes"},
};

const workshop bindings_workshop = {WORKSHOP_ROWS(bindings), WORKSHOP_OPTIONS(bindings, bindings_choices)};
