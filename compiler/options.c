/* options.c - reads the command line.
 * SPDX-License-Identifier: MIT
 */
#include "option_table.h"
#include "base/files.h"
#include "commands/recording.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PKTC_VERSION "0.1.0"

enum { DEFAULT_MTU = 1200 };

/* Prints a mistake in the command line, and which help to read. */
PRINTF_LIKE(2)
static options_result wrong(const options *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("pktc: ", stderr);
    vfprintf(stderr, format, arguments);
    if (o->command == COMMAND_COMPILE)
        fputs("; try 'pktc --help'\n", stderr);
    else if (o->command == COMMAND_HELP)
        fputs("; try 'pktc help'\n", stderr);
    else
        fprintf(stderr, "; try 'pktc help %s'\n", command_by_id(o->command)->word);
    va_end(arguments);
    return OPTIONS_WRONG;
}

/* How an option is called here that other programs have by this name; or NULL. */
static const char *usual_name(const char *name)
{
    static const char *const known[][2] = {{"--out", "-o"},     {"--output", "-o"},  {"--output-dir", "-o"},
                                           {"--include", "-I"}, {"-v", "--version"}, {"-V", "--version"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i][0]) == 0)
            return known[i][1];
    return NULL;
}

static options_result unknown(const options *o, const char *word)
{
    const char *equals = strchr(word, '=');
    int size = equals ? (int)(equals - word) : (int)strlen(word);
    char name[32];
    snprintf(name, sizeof name, "%.*s", size, word);
    suggestion nearest = {.wanted = name, .best = usual_name(name)};
    for (size_t i = 0; i < option_count && !nearest.best; i++)
        if (option_table[i].name[1] == '-')
            suggest(&nearest, option_table[i].name);
    if (nearest.best)
        return wrong(o, "unknown option '%.*s' (did you mean '%s'?)", size, word, nearest.best);
    return wrong(o, "unknown option '%.*s'", size, word);
}

static bool set_dump(options *o, const char *phase)
{
    static const struct {
        const char *name;
        dump_kind kind;
    } phases[] = {
        {"tokens", DUMP_TOKENS},
        {"ast", DUMP_AST},
        {"schema", DUMP_SCHEMA},
        {"wire", DUMP_WIRE},
    };
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        if (strcmp(phase, phases[i].name) == 0) {
            o->dump = phases[i].kind;
            return true;
        }
    }
    return false;
}

static bool set_form(options *o, const char *form)
{
    o->form = strcmp(form, "json") == 0 ? DIAG_JSON : DIAG_TEXT;
    return o->form == DIAG_JSON || strcmp(form, "text") == 0;
}

/* Parses a decimal number from 1 to 1,000,000. */
static bool set_number(uint32_t *number, const char *text)
{
    uint32_t value = 0;
    for (; *text >= '0' && *text <= '9' && value <= 1000000; text++)
        value = 10 * value + (uint32_t)(*text - '0');
    *number = value;
    return *text == '\0' && value >= 1 && value <= 1000000;
}

/* Parses a number of 64 bits, decimal or hexadecimal. */
static bool set_seed(uint64_t *seed, const char *text)
{
    const int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    const char *digits = base == 16 ? text + 2 : text;
    if (digits[0] == '\0' || strspn(digits, base == 16 ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits))
        return false;
    errno = 0;
    *seed = strtoull(digits, NULL, base);
    return errno == 0;
}

/* A run has only one command. */
static options_result set_command(options *o, command chosen)
{
    if (o->command != COMMAND_COMPILE && o->command != chosen)
        return wrong(o, "%s and %s cannot be combined", command_by_id(o->command)->word, command_by_id(chosen)->word);
    o->command = chosen;
    return OPTIONS_RUN;
}

static options_result set_runtime(options *o, runtime_choice chosen)
{
    if (o->runtime != RUNTIME_DEFAULT && o->runtime != chosen)
        return wrong(o, "--runtime and --no-runtime cannot be combined");
    o->runtime = chosen;
    return OPTIONS_RUN;
}

static bool is_source_name(const char *path)
{
    static const char *const endings[] = {".c", ".h", ".cpp", ".hpp", ".cc"};
    const char *end = strrchr(path, '.');
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (end && strcmp(end, endings[i]) == 0)
            return true;
    return false;
}

static options_result apply(options *o, const option *chosen, const char *argument)
{
    switch (chosen->id) {
    case OPTION_OUTPUT:
        if (is_source_name(argument))
            return wrong(o, "-o takes a directory for all files: '-o generated', not '-o %s'", argument);
        o->output_dir = argument;
        break;
    case OPTION_MODEL: o->model = argument; break;
    case OPTION_IMPORT: o->import_dirs[o->import_dir_count++] = argument; break;
    case OPTION_CHECK: o->check_only = true; break;
    case OPTION_PRUNE: o->prune = true; break;
    case OPTION_DEPFILE: o->depfile = argument; break;
    case OPTION_RUNTIME: return set_runtime(o, RUNTIME_WANTED);
    case OPTION_NO_RUNTIME: return set_runtime(o, RUNTIME_NONE);
    case OPTION_REFLECT: o->reflect = true; break;
    case OPTION_CAPTURE: o->capture = true; break;
    case OPTION_UPGRADE: o->upgrade = argument; break;
    case OPTION_NO_CHECKS: o->checks = false; break;
    case OPTION_DUMP:
        if (!set_dump(o, argument))
            return wrong(o, "--dump takes tokens, ast, schema or wire, not '%s'", argument);
        break;
    case OPTION_PROJECTION: o->dump = DUMP_PROJECTION; break;
    case OPTION_FORMAT: return set_command(o, COMMAND_FORMAT);
    case OPTION_LAYOUT: return set_command(o, COMMAND_LAYOUT);
    case OPTION_MTU:
        if (!set_number(&o->mtu, argument))
            return wrong(o, "--mtu takes a number of bytes from 1 to 1000000, not '%s'", argument);
        break;
    case OPTION_HZ:
        if (!set_number(&o->hz, argument))
            return wrong(o, "--hz takes a number from 1 to 1000000, not '%s'", argument);
        break;
    case OPTION_HTML: o->html = argument; break;
    case OPTION_HEX: o->hex = true; break;
    case OPTION_BITS: o->bits = true; break;
    case OPTION_BASE: o->base = argument; break;
    case OPTION_BEFORE: o->before = argument; break;
    case OPTION_FRAME: o->frame = argument; break;
    case OPTION_SEED:
        o->seeded = true;
        if (!set_seed(&o->seed, argument))
            return wrong(o, "--seed takes a number from 0 to 2^64 - 1, not '%s'", argument);
        break;
    case OPTION_BODY: o->body = true; break;
    case OPTION_IGNORE_CRC: o->ignore_crc = true; break;
    case OPTION_SKIP:
        if (!set_number(&o->skip, argument))
            return wrong(o, "--skip takes a number of bits from 1 to 1000000, not '%s'", argument);
        break;
    case OPTION_BACK:
        if (!set_number(&o->back, argument))
            return wrong(o, "--back takes a number from 1 to 1000000, not '%s'", argument);
        break;
    case OPTION_GAP:
        if (!set_number(&o->gap, argument))
            return wrong(o, "--gap takes a number from 1 to 1000000, not '%s'", argument);
        break;
    case OPTION_TOLERANCE:
        o->tolerant = true;
        if (strcmp(argument, "0") != 0 && (!set_number(&o->tolerance, argument) || o->tolerance > 100))
            return wrong(o, "--tolerance takes a number from 0 to 100, not '%s'", argument);
        break;
    case OPTION_JSON: o->json = true; break;
    case OPTION_AGAINST: o->archive = argument; break;
    case OPTION_PORT:
        if (!set_number(&o->port, argument) || o->port > 65535)
            return wrong(o, "--port takes a number from 1 to 65535, not '%s'", argument);
        break;
    case OPTION_STREAM: o->streams[o->stream_count++] = argument; break;
    case OPTION_ERROR_FORMAT:
        if (!set_form(o, argument))
            return wrong(o, "--error-format takes text or json, not '%s'", argument);
        break;
    case OPTION_HELP: help_print(command_by_id(o->command), stdout); return OPTIONS_ANSWERED;
    case OPTION_VERSION: puts("pktc " PKTC_VERSION); return OPTIONS_ANSWERED;
    }
    return OPTIONS_RUN;
}

/* Whether the word is a name of an option, with or without an attached argument; *attached is that argument, or
 * NULL. */
static bool matches(const char *name, bool takes_argument, const char *word, const char **attached)
{
    size_t size = strlen(name);
    if (strncmp(word, name, size) != 0)
        return false;
    const char *rest = word + size;
    bool is_long = name[1] == '-';
    *attached = *rest == '\0' ? NULL : is_long ? rest + 1 : rest;
    return *rest == '\0' || (is_long ? *rest == '=' : takes_argument);
}

/* The option of this command that a word is, or else one of other commands; NULL if there is none. */
static const option *find_option(command of, const char *word, const char **attached)
{
    const option *found = NULL;
    for (size_t i = 0; i < option_count; i++) {
        const option *each = &option_table[i];
        const bool takes_argument = each->argument != NULL, belongs = (each->commands & 1u << of) != 0;
        const char *argument;
        if ((found && !belongs) || !(matches(each->name, takes_argument, word, &argument) ||
                                     (each->letter && matches(each->letter, takes_argument, word, &argument))))
            continue;
        found = each;
        *attached = argument;
        if (belongs)
            break;
    }
    return found;
}

/* What is wrong with an option of other commands: where it belongs. */
static options_result misplaced(const options *o, const option *given)
{
    const char *first = NULL;
    const char *second = NULL;
    if (o->command != COMMAND_COMPILE)
        return wrong(o, "%s has no option %s", command_by_id(o->command)->word, given->name);
    for (size_t i = 0; i < command_count; i++) {
        if (given->commands & 1u << command_table[i].command)
            *(first ? &second : &first) = command_table[i].word;
    }
    return wrong(o, "%s is an option of %s%s%s", given->name, first, second ? " and " : "", second ? second : "");
}

static bool is_schema_name(const char *path)
{
    const size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".pkt") == 0;
}

/* The recording comes last, after schemas. */
static options_result take_recording(options *o)
{
    const char *other = o->hex          ? "--hex"
                        : o->bits       ? "--bits"
                        : o->base       ? "--base"
                        : o->before     ? "--before"
                        : o->back != 0  ? "--back"
                        : o->gap != 0   ? "--gap"
                        : o->frame      ? "--frame"
                        : o->body       ? "--body"
                        : o->ignore_crc ? "--ignore-crc"
                        : o->skip != 0  ? "--skip"
                                        : NULL;
    o->recording = o->files[--o->file_count];
    if (other)
        return wrong(o, "%s is for the bytes of one value, and '%s' is a recording", other, o->recording);
    if (o->seeded && o->stream_count == 0)
        return wrong(o, "--seed needs --stream");
    return OPTIONS_RUN;
}

/* decode takes schemas, if they are not in the recording, and a recording. */
static options_result check_recording(options *o)
{
    if (take_recording(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    for (size_t i = 0; i < o->file_count; i++)
        if (!is_schema_name(o->files[i]))
            return wrong(o, "'%s' is no .pkt file: types of streams in a recording need --stream", o->files[i]);
    return OPTIONS_RUN;
}

/* report takes schemas, if they are not in the recordings, and recordings. */
static options_result check_report(options *o)
{
    size_t schemas = 0;
    while (schemas < o->file_count && is_schema_name(o->files[schemas]))
        schemas++;
    o->recordings = o->files + schemas;
    o->recording_count = o->file_count - schemas;
    o->file_count = schemas;
    if (o->recording_count == 0)
        return wrong(o, "report needs a recording");
    for (size_t i = 0; i < o->recording_count; i++)
        if (is_schema_name(o->recordings[i]))
            return wrong(o, "'%s' comes after a recording: schemas come first", o->recordings[i]);
    if (o->seed != 0 && o->stream_count == 0)
        return wrong(o, "--seed needs --stream");
    if (o->json && o->html)
        return wrong(o, "--json and --html cannot be combined");
    return OPTIONS_RUN;
}

/* What has no effect on a single value, and what belongs together. */
static options_result check_value(options *o)
{
    const char *other = o->port != 0 ? "--port" : o->stream_count > 0 ? "--stream" : NULL;
    if (o->before && !o->base)
        return wrong(o, "--before needs --base");
    if (o->before && (o->back == 0 || o->gap == 0))
        return wrong(o, "--before needs --back and --gap");
    if (!o->before && (o->back != 0 || o->gap != 0))
        return wrong(o, "%s needs --before", o->back != 0 ? "--back" : "--gap");
    if (other)
        return wrong(o, "%s is for recordings, and '%s' is none", other, o->input ? o->input : "the input");
    return OPTIONS_RUN;
}

/* decode and encode take a schema, the name of a type, and perhaps a file. */
static options_result check_codec(options *o)
{
    if (o->command == COMMAND_DECODE && o->file_count > 0 && recording_is(o->files[o->file_count - 1]))
        return check_recording(o);
    if (o->file_count < 2 || o->file_count > 3)
        return wrong(o, "%s needs one .pkt file and the name of a type", command_by_id(o->command)->word);
    o->type = o->files[1];
    o->input = o->file_count == 3 && strcmp(o->files[2], "-") != 0 ? o->files[2] : NULL;
    o->file_count = 1;
    if (o->hex && o->bits && o->command == COMMAND_ENCODE)
        return wrong(o, "--hex and --bits cannot be combined");
    if (o->seeded && !o->frame)
        return wrong(o, "--seed needs --frame");
    return check_value(o);
}

/* diff takes two schemas, or one and an archive. */
static options_result check_diff(options *o)
{
    if (o->archive && o->file_count != 1)
        return wrong(o, "diff --against DIR takes one .pkt file");
    if (!o->archive && o->file_count != 2)
        return wrong(o, "diff takes two .pkt files, the old one first");
    if (!o->archive && strcmp(o->files[0], "-") == 0 && strcmp(o->files[1], "-") == 0)
        return wrong(o, "only one of the schemas can be standard input");
    return OPTIONS_RUN;
}

/* convert takes an older schema or a folder of them, a schema, the name of a type, and perhaps a file; or a recording,
 * after a schema, and perhaps older ones before it. */
static options_result check_convert(options *o)
{
    if (o->file_count > 0 && recording_is(o->files[o->file_count - 1])) {
        if (take_recording(o) != OPTIONS_RUN)
            return OPTIONS_WRONG;
        if (o->file_count == 0 || o->file_count > 2)
            return wrong(o,
                         "convert needs the newer schema before the recording, and at most the older one before that");
        return OPTIONS_RUN;
    }
    if (o->file_count < 3 || o->file_count > 4)
        return wrong(o, "convert needs the older schema or a folder, the newer schema, and the name of a type or a "
                        "recording");
    o->type = o->files[2];
    o->input = o->file_count == 4 && strcmp(o->files[3], "-") != 0 ? o->files[3] : NULL;
    o->file_count = 2;
    if (o->seeded)
        return wrong(o, "--seed is for recordings, and '%s' is none", o->input ? o->input : "the input");
    return check_value(o);
}

static bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

/* train takes a schema, those of recordings that have none in them, the name of a type unless deltas are to be taken as
 * they were sent, and recordings. */
static options_result check_train(options *o)
{
    size_t at = 0, packets = 0;
    while (at < o->file_count && is_schema_name(o->files[at]))
        at++;
    if (at == 0)
        return wrong(o, "train needs a .pkt file first, and '%s' is none", o->files[0]);
    const bool typed = at < o->file_count && is_name(o->files[at]) && !recording_is(o->files[at]);
    o->type = typed ? o->files[at] : NULL;
    o->recordings = o->files + at + typed;
    o->recording_count = o->file_count - at - typed;
    o->file_count = at;
    if (o->recording_count == 0)
        return wrong(o, "train needs a recording");
    for (size_t i = 0; i < o->recording_count; i++) {
        const char *each = o->recordings[i];
        packets += recording_is(each);
        if (is_schema_name(each))
            return wrong(o, "'%s' comes after a recording: schemas come first", each);
        if (!typed && file_is_regular(each) && !recording_is(each))
            return wrong(o, "'%s' is no pcap or pcapng file: for a file of values, give the name of their type", each);
    }
    if (packets == 0 && at > 1)
        return wrong(o, "'%s' is for pcap and pcapng files without a schema", o->files[1]);
    if (typed && packets == 0 && (o->port != 0 || o->stream_count > 0 || o->seeded))
        return wrong(o, "%s is for pcap and pcapng files",
                     o->port != 0          ? "--port"
                     : o->stream_count > 0 ? "--stream"
                                           : "--seed");
    if (o->seeded && o->stream_count == 0)
        return wrong(o, "--seed needs --stream");
    if (!typed && (o->back != 0 || o->gap != 0))
        return wrong(o, "%s needs the name of a type: deltas are taken as they were sent",
                     o->back != 0 ? "--back" : "--gap");
    if (o->check_only && o->model)
        return wrong(o, "--check makes no model, so it cannot be combined with -o");
    if (o->tolerant && !o->check_only)
        return wrong(o, "--tolerance needs --check");
    o->back = o->back != 0 ? o->back : 6;
    o->gap = o->gap != 0 ? o->gap : 1;
    o->tolerance = o->tolerant ? o->tolerance : 2;
    return OPTIONS_RUN;
}

/* archive takes a folder, then schemas. */
static options_result check_archive(options *o)
{
    if (o->file_count < 2)
        return wrong(o, "archive needs a directory and .pkt files");
    o->archive = o->files[0];
    o->files++;
    o->file_count--;
    return OPTIONS_RUN;
}

/* wireshark takes one schema. */
static options_result check_wireshark(options *o)
{
    if (o->file_count > 1)
        return wrong(o, "wireshark takes one .pkt file");
    if (o->seeded && o->stream_count == 0)
        return wrong(o, "--seed needs --stream");
    return OPTIONS_RUN;
}

/* An option that would have no effect on this run is an error; it is not ignored. */
static options_result check_together(options *o, const bool *given)
{
    for (size_t i = 0; i < o->file_count; i++)
        if (o->command == COMMAND_COMPILE && command_by_word(o->files[i]))
            return wrong(o, "the command comes first: 'pktc %s'", o->files[i]);
    for (size_t i = 0; i < option_count; i++)
        if (given[i] && !(option_table[i].commands & 1u << o->command))
            return misplaced(o, &option_table[i]);
    bool runtime_alone = o->command == COMMAND_COMPILE && o->runtime == RUNTIME_WANTED && !o->depfile && !o->prune &&
                         o->dump == DUMP_NONE;
    if (o->file_count == 0 && !runtime_alone && o->command != COMMAND_REPORT)
        return wrong(o, "no .pkt file given");
    if (o->command == COMMAND_DECODE || o->command == COMMAND_ENCODE)
        return check_codec(o);
    if (o->command == COMMAND_DIFF)
        return check_diff(o);
    if (o->command == COMMAND_CONVERT && check_convert(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    if (o->command == COMMAND_REPORT)
        return check_report(o);
    if (o->command == COMMAND_TRAIN)
        return check_train(o);
    if (o->command == COMMAND_ARCHIVE && check_archive(o) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    for (size_t i = 0; i < o->file_count; i++)
        if (o->command != COMMAND_FORMAT && strcmp(o->files[i], "-") == 0)
            return wrong(o, "only fmt and diff read a schema from standard input");
    if (o->check_only && o->dump != DUMP_NONE)
        return wrong(o, "--check and a dump cannot be combined");
    if (o->prune && (o->check_only || o->dump != DUMP_NONE))
        return wrong(o, "--prune cannot be combined with %s", o->check_only ? "--check" : "a dump");
    if (o->html && o->file_count > 1)
        return wrong(o, "--html takes one .pkt file");
    if (o->command == COMMAND_WIRESHARK)
        return check_wireshark(o);
    if (o->mtu == 0)
        o->mtu = DEFAULT_MTU;
    return OPTIONS_RUN;
}

static options_result unknown_command(const options *o, const char *word)
{
    suggestion nearest = {.wanted = word};
    for (size_t i = 0; i < command_count; i++)
        suggest(&nearest, command_table[i].word);
    if (nearest.best)
        return wrong(o, "there is no command '%s' (did you mean '%s'?)", word, nearest.best);
    return wrong(o, "there is no command '%s'", word);
}

static options_result answer_help(const options *o)
{
    if (o->file_count > 1)
        return wrong(o, "help takes only one command");
    const command_entry *about = o->file_count == 1 ? command_by_word(o->files[0]) : command_by_id(COMMAND_COMPILE);
    if (!about)
        return unknown_command(o, o->files[0]);
    help_print(about, stdout);
    return OPTIONS_ANSWERED;
}

/* Reads the words after the command; *given tells of each option whether it is there. */
static options_result read_words(int argc, char **argv, int first, options *o, bool *given)
{
    bool options_ended = false;
    for (int i = first; i < argc; i++) {
        const char *word = argv[i];
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            o->files[o->file_count++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_ended = true;
            continue;
        }
        const char *argument;
        const option *chosen = find_option(o->command, word, &argument);
        if (!chosen)
            return unknown(o, word);
        if (argument && !chosen->argument)
            return wrong(o, "%s takes no argument", chosen->name);
        if (!argument && chosen->argument) {
            if (i + 1 == argc)
                return wrong(o, "%s needs an argument: %s", chosen->name, chosen->argument);
            argument = argv[++i];
        }
        if (argument && *argument == '\0')
            return wrong(o, "%s needs an argument: %s", chosen->name, chosen->argument);
        options_result result = apply(o, chosen, argument);
        if (result != OPTIONS_RUN)
            return result;
        given[chosen - option_table] = chosen->id != OPTION_FORMAT && chosen->id != OPTION_LAYOUT;
    }
    return OPTIONS_RUN;
}

options_result options_read(arena *a, int argc, char **argv, options *o)
{
    *o = (options){.checks = true, .form = DIAG_TEXT};
    o->files = ARENA_ARRAY(a, const char *, argc);
    o->import_dirs = ARENA_ARRAY(a, const char *, argc);
    o->streams = ARENA_ARRAY(a, const char *, argc);
    bool *given = ARENA_ARRAY(a, bool, option_count);
    if (argc <= 1) {
        help_print_start(stderr);
        fputs("'pktc help' lists the commands and options.\n", stderr);
        return OPTIONS_WRONG;
    }
    const command_entry *chosen = command_by_word(argv[1]);
    if (chosen)
        o->command = chosen->command;
    if (argc > 2 && o->command == COMMAND_COMPLETE && strcmp(argv[2], "--") == 0) {
        complete_print(a, argc - 3, argv + 3);
        return OPTIONS_ANSWERED;
    }
    options_result result = read_words(argc, argv, chosen ? 2 : 1, o, given);
    if (result != OPTIONS_RUN)
        return result;
    if (o->command == COMMAND_HELP)
        return answer_help(o);
    if (o->command == COMMAND_COMPLETE)
        return wrong(o, "complete needs -- before the words");
    return check_together(o, given);
}
