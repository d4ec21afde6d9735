/* options.c - reads the command line. One table describes the options, for parsing and for --help.
 * SPDX-License-Identifier: MIT
 */
#include "options.h"

#include <stdarg.h>
#include <string.h>

#define PKTC_VERSION "0.1.0"

typedef enum option_id {
    OPTION_OUTPUT,
    OPTION_IMPORT,
    OPTION_CHECK,
    OPTION_PRUNE,
    OPTION_DEPFILE,
    OPTION_RUNTIME,
    OPTION_NO_RUNTIME,
    OPTION_REFLECT,
    OPTION_NO_CHECKS,
    OPTION_DUMP,
    OPTION_PROJECTION,
    OPTION_FORMAT,
    OPTION_LAYOUT,
    OPTION_MTU,
    OPTION_HZ,
    OPTION_HTML,
    OPTION_BITS,
    OPTION_BASE,
    OPTION_ERROR_FORMAT,
    OPTION_HELP,
    OPTION_VERSION
} option_id;

typedef struct option {
    option_id id;
    const char *name;     /* with its dashes */
    const char *argument; /* its name in --help; NULL: the option takes none */
    const char *help;
} option;

/* An argument is attached or the next word: -oDIR or -o DIR, --hz=20 or --hz 20. */
static const option table[] = {
    {OPTION_OUTPUT, "-o", "DIR", "write the C files to DIR, created if missing (default: the current directory)"},
    {OPTION_IMPORT, "-I", "DIR", "search DIR for imports too, after the importing file's own directory"},
    {OPTION_CHECK, "--check", NULL,
     "write nothing; list the files that are out of date, and exit with 1 if there are any"},
    {OPTION_PRUNE, "--prune", NULL, "also remove from DIR the generated files that no FILE.pkt makes any more"},
    {OPTION_DEPFILE, "--depfile", "FILE", "also write the outputs' dependencies to FILE, in make's syntax"},
    {OPTION_RUNTIME, "--runtime", NULL,
     "also write the runtime, pkt.h and pkt.c (the default); without FILE.pkt, write only the runtime"},
    {OPTION_NO_RUNTIME, "--no-runtime", NULL, "write no runtime: the program has it from elsewhere"},
    {OPTION_REFLECT, "--reflect", NULL,
     "also write NAME_reflect.h and .c, which describe the types for pkt_print and pkt_visit"},
    {OPTION_NO_CHECKS, "--no-checks", NULL, "leave all checks off the wire; this changes the protocol id"},
    {OPTION_DUMP, "--dump", "PHASE", "print tokens, ast, schema or wire; write no files"},
    {OPTION_PROJECTION, "--projection", NULL, "print the text that the protocol id is a hash of; write no files"},
    {OPTION_FORMAT, "--format", NULL, "reformat the files in place; with --check, list the files that would change"},
    {OPTION_LAYOUT, "--layout", NULL, "print the size of each packet and each field; write no files"},
    {OPTION_MTU, "--mtu", "BYTES", "with --layout: the size that packets should not exceed (default: 1200)"},
    {OPTION_HZ, "--hz", "N", "with --layout: also print kbit/s, for N packets per second"},
    {OPTION_HTML, "--html", "FILE", "with --layout: write a page with pictures of the bits to FILE instead"},
    {OPTION_BITS, "--bits", NULL, "with decode or encode: list the position, width and raw value of each item"},
    {OPTION_BASE, "--base", "FILE", "with decode or encode: the baseline of a delta, as JSON; null for base values"},
    {OPTION_ERROR_FORMAT, "--error-format", "FORM", "print diagnostics as text (the default) or json, one per line"},
    {OPTION_HELP, "--help", NULL, "print this help"},
    {OPTION_VERSION, "--version", NULL, "print the version"},
};

enum { DEFAULT_MTU = 1200, OPTION_COUNT = sizeof table / sizeof table[0] };

static void print_help(void)
{
    puts("pktc compiles packet schemas (.pkt) to C.\n"
         "\n"
         "usage: pktc [options] FILE.pkt...\n"
         "       pktc fmt [--check] FILE.pkt...                                  the same as --format\n"
         "       pktc layout [--hz N] [--mtu BYTES] [--html FILE] FILE.pkt...    the same as --layout\n"
         "       pktc decode [--bits] [--base FILE] FILE.pkt TYPE                bytes to JSON\n"
         "       pktc encode [--bits] [--base FILE] FILE.pkt TYPE                JSON to bytes\n");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option *each = &table[i];
        const char *separator = !each->argument ? "" : each->name[1] == '-' ? "=" : " ";
        int width = printf("  %s%s%s", each->name, separator, each->argument ? each->argument : "");
        printf("%*s%s\n", 24 - width, "", each->help);
    }
    puts("\n"
         "Options and files can be in any order; -- ends the options. A successful run prints nothing. Nothing is\n"
         "written unless every file compiles, and files that would not change are not touched.\n"
         "Exit status: 0 success; 1 errors in the input, files that cannot be written, or files out of date under\n"
         "--check; 2 errors in the command line.");
}

PRINTF_LIKE(1)
static options_result wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("pktc: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("; try 'pktc --help'\n", stderr);
    va_end(arguments);
    return OPTIONS_WRONG;
}

static options_result unknown(const char *word)
{
    const char *equals = strchr(word, '=');
    int size = equals ? (int)(equals - word) : (int)strlen(word);
    char name[32];
    snprintf(name, sizeof name, "%.*s", size, word);
    suggestion nearest = {.wanted = name};
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (table[i].name[1] == '-')
            suggest(&nearest, table[i].name);
    if (nearest.best)
        return wrong("unknown option '%.*s' (did you mean '%s'?)", size, word, nearest.best);
    return wrong("unknown option '%.*s'", size, word);
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

/* As it is written on the command line. */
static const char *command_name(command c)
{
    switch (c) {
    case COMMAND_COMPILE: break;
    case COMMAND_FORMAT: return "--format";
    case COMMAND_LAYOUT: return "--layout";
    case COMMAND_DECODE: return "decode";
    case COMMAND_ENCODE: return "encode";
    }
    return "";
}

/* A run has only one command. */
static options_result set_command(options *o, command chosen)
{
    if (o->command != COMMAND_COMPILE && o->command != chosen)
        return wrong("%s and %s cannot be combined", command_name(o->command), command_name(chosen));
    o->command = chosen;
    return OPTIONS_RUN;
}

static options_result set_runtime(options *o, runtime_choice chosen)
{
    if (o->runtime != RUNTIME_DEFAULT && o->runtime != chosen)
        return wrong("--runtime and --no-runtime cannot be combined");
    o->runtime = chosen;
    return OPTIONS_RUN;
}

static options_result apply(options *o, const option *chosen, const char *argument)
{
    switch (chosen->id) {
    case OPTION_OUTPUT: o->output_dir = argument; break;
    case OPTION_IMPORT: o->import_dirs[o->import_dir_count++] = argument; break;
    case OPTION_CHECK: o->check_only = true; break;
    case OPTION_PRUNE: o->prune = true; break;
    case OPTION_DEPFILE: o->depfile = argument; break;
    case OPTION_RUNTIME: return set_runtime(o, RUNTIME_WANTED);
    case OPTION_NO_RUNTIME: return set_runtime(o, RUNTIME_NONE);
    case OPTION_REFLECT: o->reflect = true; break;
    case OPTION_NO_CHECKS: o->checks = false; break;
    case OPTION_DUMP:
        if (!set_dump(o, argument))
            return wrong("--dump takes tokens, ast, schema or wire, not '%s'", argument);
        break;
    case OPTION_PROJECTION: o->dump = DUMP_PROJECTION; break;
    case OPTION_FORMAT: return set_command(o, COMMAND_FORMAT);
    case OPTION_LAYOUT: return set_command(o, COMMAND_LAYOUT);
    case OPTION_MTU:
        if (!set_number(&o->mtu, argument))
            return wrong("--mtu takes a number of bytes from 1 to 1000000, not '%s'", argument);
        break;
    case OPTION_HZ:
        if (!set_number(&o->hz, argument))
            return wrong("--hz takes a number from 1 to 1000000, not '%s'", argument);
        break;
    case OPTION_HTML: o->html = argument; break;
    case OPTION_BITS: o->bits = true; break;
    case OPTION_BASE: o->base = argument; break;
    case OPTION_ERROR_FORMAT:
        if (!set_form(o, argument))
            return wrong("--error-format takes text or json, not '%s'", argument);
        break;
    case OPTION_HELP: print_help(); return OPTIONS_ANSWERED;
    case OPTION_VERSION: puts("pktc " PKTC_VERSION); return OPTIONS_ANSWERED;
    }
    return OPTIONS_RUN;
}

/* Whether the word is this option, with or without an attached argument; *attached is that argument, or NULL. */
static bool matches(const option *each, const char *word, const char **attached)
{
    size_t size = strlen(each->name);
    if (strncmp(word, each->name, size) != 0)
        return false;
    const char *rest = word + size;
    bool is_long = each->name[1] == '-';
    *attached = *rest == '\0' ? NULL : is_long ? rest + 1 : rest;
    return *rest == '\0' || (is_long ? *rest == '=' : each->argument != NULL);
}

static const option *find_option(const char *word, const char **attached)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (matches(&table[i], word, attached))
            return &table[i];
    return NULL;
}

/* decode and encode take a file and the name of a type. */
static options_result check_codec(options *o, bool writes_c)
{
    if (writes_c || o->check_only)
        return wrong("%s writes no C, so -o, --check, --depfile, --runtime and dumps cannot be combined with it",
                     command_name(o->command));
    if (o->file_count != 2)
        return wrong("%s needs one .pkt file and the name of a type", command_name(o->command));
    o->type = o->files[--o->file_count];
    return OPTIONS_RUN;
}

/* An option that would have no effect on this run is an error; it is not ignored. */
static options_result check_together(options *o)
{
    bool writes_c = o->output_dir || o->depfile || o->prune || o->runtime != RUNTIME_DEFAULT || o->dump != DUMP_NONE;
    if (o->file_count == 0 && (o->runtime != RUNTIME_WANTED || o->depfile || o->prune || o->dump != DUMP_NONE ||
                               o->command != COMMAND_COMPILE))
        return wrong("no .pkt file given");
    if (o->check_only && o->dump != DUMP_NONE)
        return wrong("--check and a dump cannot be combined");
    if (o->prune && (o->check_only || o->dump != DUMP_NONE))
        return wrong("--prune cannot be combined with %s", o->check_only ? "--check" : "a dump");
    if (o->command != COMMAND_LAYOUT && (o->mtu || o->hz || o->html))
        return wrong("--mtu, --hz and --html need --layout");
    if (o->command == COMMAND_FORMAT && (writes_c || o->import_dir_count || !o->checks))
        return wrong("--format can only be combined with --check and --error-format");
    if (o->command == COMMAND_LAYOUT && (writes_c || o->check_only))
        return wrong("--layout writes no C, so -o, --check, --depfile, --runtime and dumps cannot be combined with it");
    if (o->html && o->file_count > 1)
        return wrong("--html takes one .pkt file");
    bool codes = o->command == COMMAND_DECODE || o->command == COMMAND_ENCODE;
    if (!codes && (o->bits || o->base))
        return wrong("--bits and --base need decode or encode");
    if (codes)
        return check_codec(o, writes_c);
    if (o->mtu == 0)
        o->mtu = DEFAULT_MTU;
    return OPTIONS_RUN;
}

options_result options_read(arena *a, int argc, char **argv, options *o)
{
    *o = (options){.checks = true, .form = DIAG_TEXT};
    o->files = ARENA_ARRAY(a, const char *, argc);
    o->import_dirs = ARENA_ARRAY(a, const char *, argc);

    int first = 1;
    if (argc > 1 && strcmp(argv[1], "fmt") == 0)
        o->command = COMMAND_FORMAT;
    else if (argc > 1 && strcmp(argv[1], "layout") == 0)
        o->command = COMMAND_LAYOUT;
    else if (argc > 1 && strcmp(argv[1], "decode") == 0)
        o->command = COMMAND_DECODE;
    else if (argc > 1 && strcmp(argv[1], "encode") == 0)
        o->command = COMMAND_ENCODE;
    if (o->command != COMMAND_COMPILE)
        first++;

    bool options_ended = false;
    for (int i = first; i < argc; i++) {
        const char *word = argv[i];
        if (options_ended || word[0] != '-') {
            o->files[o->file_count++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_ended = true;
            continue;
        }
        const char *argument;
        const option *chosen = find_option(word, &argument);
        if (!chosen)
            return unknown(word);
        if (argument && !chosen->argument)
            return wrong("%s takes no argument", chosen->name);
        if (!argument && chosen->argument) {
            if (i + 1 == argc)
                return wrong("%s needs an argument: %s", chosen->name, chosen->argument);
            argument = argv[++i];
        }
        if (argument && *argument == '\0')
            return wrong("%s needs an argument: %s", chosen->name, chosen->argument);
        options_result result = apply(o, chosen, argument);
        if (result != OPTIONS_RUN)
            return result;
    }
    return check_together(o);
}
