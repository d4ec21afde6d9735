/* driver_rows.c - the rows of compiling and help, and of the options that several commands share.
 * SPDX-License-Identifier: MIT
 */
#include "driver/usages.h"
#include "base/diag.h"

#include <string.h>

enum { USAGE_COMPILE, USAGE_HELP };
#define ON(name) (1u << USAGE_##name)
enum { PORTS = 65535 };

static const usage_row driver_usages[] = {
    [USAGE_COMPILE] = {"", .arguments = "[options] FILE.pkt...",
                       .shares = SHARES_SCHEMAS | SHARES_CHECK | SHARES_DEPFILE, .run = command_compile},
    [USAGE_HELP] = {"help", .arguments = "[COMMAND]", .run = command_help},
};

static bool is_source_name(const char *file)
{
    static const char *const endings[] = {".c", ".h", ".cpp", ".hpp", ".cc"};
    const char *end = strrchr(file, '.');
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (end && strcmp(end, endings[i]) == 0)
            return true;
    return false;
}

/* Without a file, only the runtime is written. */
static bool usage_of_compile(command_line *line)
{
    const options *o = line->options;
    const bool runtime_alone = o->runtime && !o->depfile && !o->prune && !o->dump && !o->projection;
    if (o->output_dir && strcmp(o->output_dir, "-") == 0)
        return wrong(line, "-o takes a directory: C is several files, which standard output cannot have");
    if (o->output_dir && is_source_name(o->output_dir))
        return wrong(line, "-o takes a directory for all files: '-o generated', not '-o %s'", o->output_dir);
    return (runtime_alone || has_file(line)) && reads_no_input(line) && uses(line, &driver_usages[USAGE_COMPILE]);
}

static bool unknown_command(const command_line *line, const char *word)
{
    suggestion nearest = {.wanted = word};
    for (size_t i = 0; i < command_count; i++)
        suggest(&nearest, command_table[i]->word);
    if (nearest.best)
        return wrong(line, "there is no command '%s' (did you mean '%s'?)", word, nearest.best);
    return wrong(line, "there is no command '%s'", word);
}

static bool usage_of_help(command_line *line)
{
    const options *o = line->options;
    if (o->file_count > 1)
        return wrong(line, "help takes only one command");
    if (o->file_count == 1 && !command_by_word(o->files[0]))
        return unknown_command(line, o->files[0]);
    return uses(line, &driver_usages[USAGE_HELP]);
}

static const command_row driver_commands[] = {
    {.word = "",
     .arguments = "[options] FILE.pkt...",
     .summary = "compile schemas to C",
     .about =
         "Options and files can be in any order; -- ends the options. A successful run prints nothing. Nothing is\n"
         "written unless every file compiles. Files that would not change are not touched, and files that pktc did\n"
         "not generate are not replaced.\n"
         "Exit status: 0 success; 1 errors in the input, files that cannot be written, or files out of date\n"
         "under --check; 2 errors in the command line.\n",
     .next = {":pkt"},
     .find_usage = usage_of_compile},
    {.word = "help",
     .place = 140,
     .arguments = "[COMMAND]",
     .summary = "print help for a command",
     .about = "",
     .next = {"COMMAND"},
     .find_usage = usage_of_help,
     .ignores_options = true},
};

/* An argument is attached to its option, or it is the next word: -oDIR or -o DIR, --hz=20 or --hz 20. */
static const option_row driver_option_rows[] = {
    {"-o", ON(COMPILE), SETS_TEXT(options, output_dir), .place = 100, .argument = "DIR",
     .help = "write the C files to DIR, created if missing (default: the current directory)"},
    {"-I", SETS_LIST(options, import_dirs), .shared = SHARES_CHECKING, .argument = "DIR",
     .help = "search DIR for imports too, after the importing file's own directory"},
    {"--check", SETS_FLAG(options, check_only), .shared = SHARES_CHECK,
     .help = "write nothing; list the files that would change, and exit with 1 if there are any",
     .more = "Generated files that no input makes any more are listed too."},
    {"--prune", ON(COMPILE), SETS_FLAG(options, prune), .place = 120,
     .help = "also remove from DIR the generated files that no FILE.pkt makes any more",
     .more = "Files that pktc did not generate stay."},
    {"--depfile", SETS_TEXT(options, depfile), .shared = SHARES_DEPFILE, .argument = "FILE",
     .help = "also write the outputs' dependencies to FILE, in make's syntax",
     .more = "The file - is standard output."},
    {"--depfile-target", SETS_TEXT(options, depfile_target), .shared = SHARES_DEPFILE, .argument = "NAME",
     .help = "in the depfile, NAME depends on the inputs, not each output",
     .more = "This is what -MT is for compilers."},
    {"--runtime", ON(COMPILE), SETS_FLAG(options, runtime),
     .help =
         "also write all parts of the runtime, not only those that DIR needs; without FILE.pkt, write only the runtime"},
    {"--no-runtime", ON(COMPILE), SETS_FLAG(options, no_runtime),
     .help = "write no runtime: the program has it from elsewhere",
     .more = "That can be the installed library, CMake or another directory."},
    {"--reflect", ON(COMPILE), SETS_FLAG(options, reflect),
     .help = "also write NAME_reflect.h and .c, which describe the types for pkt_print and pkt_visit"},
    {"--no-checks", SETS_FLAG(options, no_checks), .shared = SHARES_CHECKING, .place = 140,
     .help = "leave all checks off the wire; this changes the protocol id",
     .more = "So programs with and without checks refuse each other's packets."},
    {"--projection", ON(COMPILE), .place = 145, SETS_FLAG(options, projection),
     .help = "print the text whose hash is the protocol id; write no files"},
    {"--mtu", SETS_NUMBER(options, mtu, 1, OPTION_MANY), .shared = SHARES_MTU, .measure = " of bytes", .usual = 1200,
     .argument = "BYTES", .help = "the size that packets should not exceed"},
    {"--html", SETS_TEXT(options, html), .shared = SHARES_HTML, .place = 160, .argument = "FILE",
     .help = "write a page with pictures to FILE instead",
     .more = "The page needs no other file. The file - is standard output."},
    {"--hex", SETS_FLAG(options, hex), .shared = SHARES_HEX,
     .help = "the bytes are hexadecimal digits: 0a1b, 0a 1b, 0a:1b or 0x0a, 0x1b"},
    {"--changes", SETS_FLAG(options, changes), .shared = SHARES_CHANGES, .place = 180,
     .help = "of a delta, print only what has changed since its baseline"},
    {"--port", SETS_NUMBER(options, port, 1, PORTS), .shared = SHARES_STREAMS, .place = 200, .argument = "N",
     .help = "all UDP datagrams of this port are of the protocol; of a recording, all others are left out"},
    {"--stream", SETS_LIST(options, streams), .shared = SHARES_STREAMS, .argument = "[NAME=]TYPES",
     .help = "also frames of this name around a stream of TYPEs; without NAME=, datagrams without a frame"},
    {"--seed", SETS_SEED(options, seed), .shared = SHARES_SEED, .argument = "N",
     .help = "the seed of frames, and of packets with parts or @seed: decimal or hexadecimal (0x...)",
     .more = "Without it, it is the one in the recording, if that has sessions."},
    {"-j", SETS_NUMBER(options, jobs, 1, 256), .shared = SHARES_JOBS, .place = 218, .usual = 1, .argument = "N",
     .help = "read recordings in N processes at the same time (on Windows, always one)"},
    {"--json", SETS_FLAG(options, json), .shared = SHARES_JSON, .place = 220,
     .help = "print one JSON object with everything"},
    {"--error-format", SETS_TEXT(options, error_format), .shared = SHARES_ERRORS, .place = 270, .argument = "FORM",
     .words = "text json", .help = "print diagnostics as text (the default) or json, one per line"},
    {"--help", .kind = OPTION_HELP, .shared = SHARED_BY_ALL, .letter = "-h", .help = "print this help",
     .more = "'pktc fmt -h' prints the help of fmt, as 'pktc help fmt' does."},
    {"--version", ON(COMPILE), .kind = OPTION_VERSION,
     .help = "print the versions of pktc and of the wire format, and what pktc was built with"},
};

static const option_rule driver_rules[] = {
    {ON(COMPILE), "--runtime", .excludes = "--no-runtime"},
    {ON(COMPILE), "--check", .excludes = "--projection"},
    {ON(COMPILE), "--prune", .excludes = "--check"},
    {ON(COMPILE), "--prune", .excludes = "--projection"},
    {.option = "--json", .excludes = "--html"},
    {.option = "--depfile-target", .needs = "--depfile"},
};

const workshop driver_workshop = {WORKSHOP_ROWS(driver), WORKSHOP_OPTIONS(driver, options), WORKSHOP_RULES(driver)};
