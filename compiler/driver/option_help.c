/* option_help.c - what `pktc help` and `pktc --version` print.
 * SPDX-License-Identifier: MIT
 */
#include "model/schema.h"
#include "driver/driver.h"

#include <string.h>

#define PKTC_VERSION "0.1.0"

enum { OPTION_COLUMN = 26, SUMMARY_COLUMN = 48 };

/* Prints blanks from one column to another, at least one. */
static void pad(int from, int to, FILE *file)
{
    fprintf(file, "%*s", to > from ? to - from : 1, "");
}

static void print_option(const option_row *o, FILE *to)
{
    const char *separator = !o->argument ? "" : o->name[1] == '-' ? "=" : " ";
    int width = fprintf(to, "  %s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "", o->name, separator,
                        o->argument ? o->argument : "");
    pad(width, OPTION_COLUMN, to);
    fputs(o->help, to);
    if (o->usual != 0)
        fprintf(to, " (default: %u)", (unsigned)o->usual);
    fputs("\n", to);
}

/* Prints the options that mean commands. */
static void print_commands_as_options(FILE *to)
{
    for (size_t i = 0; i < command_count; i++) {
        const command_row *each = command_table[i];
        if (each->option) {
            pad(fprintf(to, "  %s", each->option), OPTION_COLUMN, to);
            fprintf(to, "the same as 'pktc %s'\n", each->word);
        }
    }
}

/* A bit for each command that has an option. */
static unsigned commands_of(const option_row *o)
{
    unsigned all = 0;
    for (size_t i = 0; i < command_count; i++)
        all |= (unsigned)command_has(command_table[i], o) << i;
    return all;
}

const char *commands_words(unsigned commands, char words[COMMANDS_WORDS])
{
    size_t size = 0;
    for (size_t i = 0; commands; i++) {
        if (!(commands & 1u << i))
            continue;
        commands &= ~(1u << i);
        const bool last_but_one = commands && !(commands & (commands - 1));
        size += (size_t)snprintf(words + size, COMMANDS_WORDS - size, "%s%s", command_table[i]->word,
                                 !commands      ? ""
                                 : last_but_one ? " and "
                                                : ", ");
    }
    return words;
}

/* Prints the options that only some other commands have. Options of the same commands are together. */
static void print_other_options(FILE *to)
{
    unsigned heading = 0;
    char words[COMMANDS_WORDS];
    for (size_t i = 0; i < option_count; i++) {
        const option_row *each = &option_table[i];
        if (command_has(command_without_word(), each))
            continue;
        if (commands_of(each) != heading)
            fprintf(to, "\nOptions of %s:\n", commands_words(commands_of(each), words));
        heading = commands_of(each);
        print_option(each, to);
    }
}

static void print_options(const command_row *of, FILE *to)
{
    fputs("\nOptions:\n", to);
    for (size_t i = 0; i < option_count; i++)
        if (command_has(of, &option_table[i]))
            print_option(&option_table[i], to);
    if (!*of->word) {
        print_commands_as_options(to);
        print_other_options(to);
    }
}

static void print_commands(FILE *to)
{
    fputs("\nCommands:\n", to);
    for (size_t i = 0; i < command_count; i++) {
        const command_row *each = command_table[i];
        int width = fprintf(to, "  pktc %s%s%s", each->word, *each->word ? " " : "", each->arguments);
        pad(width, SUMMARY_COLUMN, to);
        fprintf(to, "%s\n", each->summary);
    }
}

/* The compiler that compiled this file. */
static void print_compiler(FILE *to)
{
#if defined(__clang__)
    fprintf(to, "clang %d.%d.%d\n", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    fprintf(to, "gcc %d.%d.%d\n", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#elif defined(_MSC_VER)
    fprintf(to, "MSVC %d.%d\n", _MSC_VER / 100, _MSC_VER % 100);
#else
    fputs("another\n", to);
#endif
}

void version_print(FILE *to)
{
#ifdef PKTC_JSON
    static const char reads_json[] = "yes";
#else
    static const char reads_json[] = "no, built without jansson";
#endif
#ifdef PKTC_ZLIB
    static const char reads_gzip[] = "yes";
#else
    static const char reads_gzip[] = "no, built without zlib";
#endif
#ifdef PKTC_ZSTD
    static const char reads_zstd[] = "yes";
#else
    static const char reads_zstd[] = "no, built without libzstd";
#endif
    fprintf(to,
            "pktc %s\nwire format: %d\nreads JSON: %s\nreads gzip: %s\nreads zstd: %s\n"
            "compiler: ",
            PKTC_VERSION, WIRE_FORMAT, reads_json, reads_gzip, reads_zstd);
    print_compiler(to);
}

void help_print_start(FILE *to)
{
    fputs("pktc compiles packet schemas (.pkt) to C.\n"
          "\n"
          "    pktc mygame.pkt -o generated           # write the C, and the runtime that it needs\n"
          "    cc -Igenerated game.c generated/*.c    # compile a program with it\n"
          "\n",
          to);
}

void help_print(const command_row *about, FILE *to)
{
    const bool all = !*about->word;
    if (all) {
        help_print_start(to);
        fputs("'pktc help COMMAND' describes a command and its options.\n", to);
        print_commands(to);
    } else {
        fprintf(to, "pktc %s %s\n\n%c%s.\n", about->word, about->arguments, about->summary[0] - 'a' + 'A',
                about->summary + 1);
        fputs(about->about, to);
        for (size_t i = 0; i < usage_count; i++)
            if (strcmp(usage_table[i]->command, about->word) == 0 && usage_table[i]->about)
                fputs(usage_table[i]->about, to);
    }
    print_options(about, to);
    if (all)
        fprintf(to, "\n%s", about->about);
}

void command_help(run *r)
{
    const options *o = r->options;
    help_print(o->file_count > 0 ? command_by_word(o->files[0]) : command_without_word(), stdout);
}
