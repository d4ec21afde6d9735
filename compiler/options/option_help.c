/* option_help.c - what `pktc help` prints.
 * SPDX-License-Identifier: MIT
 */
#include "options/option_table.h"

enum { OPTION_COLUMN = 26, SUMMARY_COLUMN = 48 };

/* Blanks from a column to another, at least one. */
static void pad(int from, int to, FILE *file)
{
    fprintf(file, "%*s", to > from ? to - from : 1, "");
}

static void print_option(const option *o, FILE *to)
{
    const char *separator = !o->argument ? "" : o->name[1] == '-' ? "=" : " ";
    int width = fprintf(to, "  %s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "", o->name, separator,
                        o->argument ? o->argument : "");
    pad(width, OPTION_COLUMN, to);
    fprintf(to, "%s\n", o->help);
}

/* The options that only some other commands have, those of the same commands together. */
static void print_other_options(FILE *to)
{
    unsigned heading = 0;
    for (size_t i = 0; i < option_count; i++) {
        const option *each = &option_table[i];
        if (each->commands & 1u << COMMAND_COMPILE)
            continue;
        const char *before = "\nOptions of ";
        for (size_t k = 0; k < command_count && each->commands != heading; k++) {
            if (each->commands & 1u << command_table[k].command) {
                fprintf(to, "%s%s", before, command_table[k].word);
                before = " and ";
            }
        }
        if (each->commands != heading)
            fputs(":\n", to);
        heading = each->commands;
        print_option(each, to);
    }
}

static void print_options(command of, FILE *to)
{
    fputs("\nOptions:\n", to);
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].commands & 1u << of)
            print_option(&option_table[i], to);
    if (of == COMMAND_COMPILE)
        print_other_options(to);
}

static void print_commands(FILE *to)
{
    fputs("\nCommands:\n", to);
    for (size_t i = 0; i < command_count; i++) {
        const command_entry *each = &command_table[i];
        int width = fprintf(to, "  pktc %s%s%s", each->word, *each->word ? " " : "", each->arguments);
        pad(width, SUMMARY_COLUMN, to);
        fprintf(to, "%s\n", each->summary);
    }
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

void help_print(const command_entry *about, FILE *to)
{
    if (about->command == COMMAND_COMPILE) {
        help_print_start(to);
        fputs("'pktc help COMMAND' describes a command and its options.\n", to);
        print_commands(to);
    } else {
        fprintf(to, "pktc %s %s\n\n%c%s.\n", about->word, about->arguments, about->summary[0] - 'a' + 'A',
                about->summary + 1);
        fputs(about->about, to);
    }
    print_options(about->command, to);
    if (about->command == COMMAND_COMPILE)
        fprintf(to, "\n%s", about->about);
}
