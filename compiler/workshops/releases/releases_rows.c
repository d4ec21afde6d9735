/* releases_rows.c - the rows of `pktc diff` and `archive`, and of the options for older releases.
 * SPDX-License-Identifier: MIT
 */
#include "releases/releases_rows.h"
#include "base/files.h"
#include "releases/upgrade.h"

#include <string.h>

enum { USAGE_DIFF, USAGE_DIFF_ARCHIVE, USAGE_ARCHIVE };
#define ON(name) (1u << USAGE_##name)
#define DIFFS (ON(DIFF) | ON(DIFF_ARCHIVE))

static const usage_row releases_usages[] = {
    [USAGE_DIFF] = {"diff", .arguments = "OLD.pkt NEW.pkt", .shares = SHARES_SCHEMAS | SHARES_JSON,
                    .run = command_diff},
    [USAGE_DIFF_ARCHIVE] = {"diff", .option = "--against", .arguments = "NEW.pkt",
                            .shares = SHARES_SCHEMAS | SHARES_JSON, .run = command_diff},
    [USAGE_ARCHIVE] = {"archive", .arguments = "DIR FILE.pkt...", .shares = SHARES_SCHEMAS | SHARES_CHECK,
                       .run = command_archive},
};

/* Two schemas, or one and an archive. */
static bool usage_of_diff(command_line *line)
{
    const options *o = line->options;
    const char *const *files = o->files;
    if (releases_chosen(o)->archive)
        return o->file_count == 1 ? uses(line, &releases_usages[USAGE_DIFF_ARCHIVE])
                                  : wrong(line, "diff --against DIR takes one schema");
    if (o->file_count != 2)
        return wrong(line, "diff takes two schemas, the old one first");
    if (file_is_directory(files[0]))
        return wrong(line, "'%s' is a directory: 'diff --against %s %s' compares with the newest release in it",
                     files[0], files[0], files[1]);
    if (strcmp(files[0], "-") == 0 && strcmp(files[1], "-") == 0)
        return wrong(line, "only one of the schemas can be standard input");
    return uses(line, &releases_usages[USAGE_DIFF]);
}

/* A folder, then schemas. */
static bool usage_of_archive(command_line *line)
{
    options *o = line->options;
    if (o->file_count < 2)
        return wrong(line, "archive needs a directory and .pkt files");
    if (is_schema_name(o->files[0]))
        return wrong(line, "archive needs the directory first, and '%s' is a .pkt file", o->files[0]);
    ((releases_choices *)chosen(o, "releases"))->archive = o->files[0];
    o->files++;
    o->file_count--;
    return reads_no_input(line) && uses(line, &releases_usages[USAGE_ARCHIVE]);
}

static const command_row releases_commands[] = {
    {.word = "diff",
     .place = 60,
     .arguments = "[options] OLD.pkt NEW.pkt",
     .summary = "compare two versions of a schema by meaning",
     .about =
         "With --against, give only NEW.pkt. The file - is standard input. The last line is the verdict, and the exit\n"
         "status says the same: 0 identical wire; 3 new protocol id, every recording converts; 4 recordings convert with\n"
         "loss, or without some packets; 5 recordings do not convert; 6 the same id, but the same bytes mean something\n"
         "else; 7 a @stable packet has changed or is gone; 1 errors in the schemas; 2 errors in the command line.\n" ABOUT_RECORDINGS,
     .page = "tools.md#two-versions",
     .next = {":pkt"},
     .find_usage = usage_of_diff},
    {.word = "archive",
     .place = 70,
     .arguments = "[options] DIR FILE.pkt...",
     .summary = "keep schemas as they are released",
     .about =
         "Writes each schema to DIR as one file that needs no others, with the number of the release and the protocol id\n"
         "in its name, and prints that name. Nothing is written if DIR has that id already. Comments are dropped, except\n"
         "those that document something (///).\n" ABOUT_RECORDINGS,
     .page = "tools.md#releases",
     .next = {":directory", ":pkt"},
     .find_usage = usage_of_archive},
};

static const option_row releases_option_rows[] = {
    {"--capture", .command = "", SETS_FLAG(releases_choices, capture), .place = 130,
     .help = "also write NAME_capture.h and .c, which have the schema's text for recordings of packets",
     .more = "A program that records packets with pkt_capture puts the text into the recording."},
    {"--upgrade", SETS_TEXT(releases_choices, upgrade), .place = 130, .command = "", .argument = "DIR",
     .help = "also write NAME_upgrade.h and .c, which read packets of the releases that 'pktc archive' keeps in DIR"},
    {"--serve", SETS_NUMBER(releases_choices, serve, 1, 99), .command = "", .argument = "N",
     .help =
         "also write NAME_serve.h and .c, which write and read packets for clients of the N releases before this one"},
    {"--against", ON(DIFF_ARCHIVE), SETS_TEXT(releases_choices, archive), .place = 240, .argument = "DIR",
     .help = "the old schema is the newest of its protocol in DIR, where 'pktc archive' keeps them"},
    {"--meanings", DIFFS, SETS_FLAG(releases_choices, meanings), .place = 260,
     .help = "exit with 6 if the same bytes mean something else, under another protocol id too",
     .more = "This is for programs that send bodies without a frame, whose readers do not see the id."},
};

static const option_rule releases_rules[] = {
    {.option = "--serve", .needs = "--upgrade"},
};

const workshop releases_workshop = {WORKSHOP_ROWS(releases), WORKSHOP_OPTIONS(releases, releases_choices),
                                    WORKSHOP_RULES(releases), .extend = capture_schema, .generate = generate_upgrade};
