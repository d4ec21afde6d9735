/* option_read.c - reads the command line.
 * SPDX-License-Identifier: MIT
 */
#include "options/option_read.h"
#include "options/options_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PKTC_VERSION "0.1.0"

options_result wrong(const options *o, const char *format, ...)
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
    o->word = command_by_id(o->command)->word;
    return options_check(o, given);
}
