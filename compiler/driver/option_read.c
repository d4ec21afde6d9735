/* option_read.c - matches each argument with the row of its option, and keeps its value.
 * SPDX-License-Identifier: MIT
 */
#include "driver/driver.h"
#include "base/files.h"
#include "front/habits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* For an option name of other programs, the name of that option here; or NULL. */
static const char *usual_name(const char *name)
{
    static const char *const known[][2] = {{"--out", "-o"},     {"--output", "-o"},  {"--output-dir", "-o"},
                                           {"--include", "-I"}, {"-v", "--version"}, {"-V", "--version"},
                                           {"--csv", "--json"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i][0]) == 0)
            return known[i][1];
    return NULL;
}

static bool unknown_option(const command_line *line, const char *word)
{
    const char *equals = strchr(word, '=');
    int size = equals ? (int)(equals - word) : (int)strlen(word);
    char name[32];
    snprintf(name, sizeof name, "%.*s", size, word);
    suggestion nearest = {.wanted = name, .best = usual_name(name)};
    for (size_t i = 0; i < option_count && !nearest.best; i++)
        if (option_table[i].name[1] == '-')
            suggest(&nearest, option_table[i].name);
    for (size_t i = 0; i < command_count; i++)
        if (command_table[i]->option)
            suggest(&nearest, command_table[i]->option);
    if (nearest.best)
        return wrong(line, "unknown option '%.*s' (did you mean '%s'?)", size, word, nearest.best);
    return wrong(line, "unknown option '%.*s'", size, word);
}

/* ---- arguments */

static bool read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number)
{
    uint64_t n = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && n <= most; at++)
        n = 10 * n + (uint64_t)(*at - '0');
    *number = (uint32_t)n;
    return *text && *at == '\0' && n >= least && n <= most;
}

/* Parses a number of 64 bits, decimal or hexadecimal. */
static bool read_seed(const char *text, uint64_t *seed)
{
    const int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    const char *digits = base == 16 ? text + 2 : text;
    if (digits[0] == '\0' || strspn(digits, base == 16 ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits))
        return false;
    errno = 0;
    *seed = strtoull(digits, NULL, base);
    return errno == 0;
}

/* Whether a word is in a list separated by blanks. */
static bool is_among(const char *word, const char *words)
{
    const size_t size = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t each = strcspn(at, " ");
        if (each == size && memcmp(at, word, size) == 0)
            return true;
        at += each;
    }
    return false;
}

/* Words separated by blanks, joined for a sentence: "a, b or c". */
static const char *either(arena *a, const char *words)
{
    char *text = arena_printf(a, "%s", "");
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        const char *separator = at == words ? "" : at[size] ? ", " : " or ";
        text = arena_printf(a, "%s%s%.*s", text, separator, (int)size, at);
        at += size;
    }
    return text;
}

/* What may have been meant by a directory in place of a number: the option that this one needs. */
static const char *meant_by_directory(arena *a, const option_row *chosen, const char *argument)
{
    for (size_t i = 0; i < rule_count; i++)
        if (rule_table[i].needs && strcmp(rule_table[i].option, chosen->name) == 0 && file_is_directory(argument))
            return arena_printf(a, ": a directory is for %s", rule_table[i].needs);
    return "";
}

/* ---- options */

/* Sets the member of an option. False after a mistake. */
static bool apply(arena *a, command_line *line, const option_row *chosen, const char *argument)
{
    void *to = (char *)line->options->chosen[chosen->owner] + chosen->member;
    text_list *list;
    switch (chosen->kind) {
    case OPTION_FLAG: *(bool *)to = true; break;
    case OPTION_TEXT:
        if (chosen->words && !is_among(argument, chosen->words))
            return wrong(line, "%s takes %s, not '%s'", chosen->name, either(a, chosen->words), argument);
        *(const char **)to = argument;
        break;
    case OPTION_LIST:
        list = to;
        if (!list->texts)
            list->texts = ARENA_ARRAY(a, const char *, line->words);
        list->texts[list->count++] = argument;
        break;
    case OPTION_NUMBER:
        if (!read_number(argument, chosen->least, chosen->most, to))
            return wrong(line, "%s takes a number%s from %u to %u, not '%s'%s", chosen->name,
                         chosen->measure ? chosen->measure : "", (unsigned)chosen->least, (unsigned)chosen->most,
                         argument, meant_by_directory(a, chosen, argument));
        break;
    case OPTION_SEED:
        if (!read_seed(argument, to))
            return wrong(line, "%s takes a number from 0 to 2^64 - 1, not '%s'", chosen->name, argument);
        break;
    case OPTION_HELP:
    case OPTION_VERSION: break;
    }
    return true;
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

/* The option that a word names, of this command if possible, otherwise of another one; NULL if there is none. */
static const option_row *find_option(const command_row *of, const char *word, const char **attached)
{
    const option_row *best = NULL;
    for (size_t i = 0; i < option_count; i++) {
        const option_row *each = &option_table[i];
        const bool takes_argument = each->argument != NULL, belongs = command_has(of, each);
        const char *argument;
        if ((best && !belongs) || !(matches(each->name, takes_argument, word, &argument) ||
                                    (each->letter && matches(each->letter, takes_argument, word, &argument))))
            continue;
        best = each;
        *attached = argument;
        if (belongs)
            break;
    }
    return best;
}

/* The command that an option stands for, such as fmt for --format; NULL if there is none. *attached as in matches. */
static const command_row *command_by_option(const char *word, const char **attached)
{
    for (size_t i = 0; i < command_count; i++)
        if (command_table[i]->option && matches(command_table[i]->option, false, word, attached))
            return command_table[i];
    return NULL;
}

/* A run has only one command. */
static bool set_command(command_line *line, const command_row *chosen)
{
    if (*line->command->word && line->command != chosen)
        return wrong(line, "%s and %s cannot be combined", line->command->word, chosen->word);
    line->command = chosen;
    return true;
}

/* ---- the line */

/* Reads an option, and its argument. If the argument is the next word, *at moves there. */
static options_result read_option(arena *a, command_line *line, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *argument;
    const command_row *command = command_by_option(word, &argument);
    if (command) {
        const bool good = argument ? wrong(line, "%s takes no argument", command->option) : set_command(line, command);
        return good ? OPTIONS_RUN : OPTIONS_WRONG;
    }
    const option_row *chosen = find_option(line->command, word, &argument);
    if (!chosen)
        unknown_option(line, word);
    else if (argument && !chosen->argument)
        wrong(line, "%s takes no argument", chosen->name);
    else if (!argument && chosen->argument && *at + 1 < argc)
        argument = argv[++*at];
    if (!chosen || (argument && !chosen->argument))
        return OPTIONS_WRONG;
    if (chosen->argument && (!argument || *argument == '\0')) {
        wrong(line, "%s needs an argument: %s", chosen->name, chosen->argument);
        return OPTIONS_WRONG;
    }
    if (chosen->kind == OPTION_HELP)
        help_print(line->command, stdout);
    if (chosen->kind == OPTION_VERSION)
        version_print(stdout);
    if (chosen->kind == OPTION_HELP || chosen->kind == OPTION_VERSION)
        return OPTIONS_ANSWERED;
    bool *given = &line->given[chosen - option_table];
    if (*given && chosen->kind == OPTION_SEED) {
        wrong(line, "%s is given twice, and all is read with one", chosen->name);
        return OPTIONS_WRONG;
    }
    *given = true;
    return apply(a, line, chosen, argument) ? OPTIONS_RUN : OPTIONS_WRONG;
}

/* Makes the structs that the options set, and tells what workshops know. */
static void begin_workshops(arena *a, options *o)
{
    size_t count = 0;
    while (o->workshops[count])
        count++;
    o->chosen = ARENA_ARRAY(a, void *, count);
    o->chosen[0] = o;
    for (size_t i = 1; i < count; i++) {
        o->chosen[i] = arena_alloc(a, o->workshops[i]->chosen_size);
        if (o->workshops[i]->habits)
            habits_know(o->workshops[i]->habits);
    }
}

options_result options_read(arena *a, int argc, char **argv, const workshop *const *all, options *o)
{
    *o = (options){.files = ARENA_ARRAY(a, const char *, argc), .workshops = all};
    tables_make(a, all);
    begin_workshops(a, o);
    if (argc <= 1) {
        help_print_start(stderr);
        fputs("'pktc help' lists the commands and options.\n", stderr);
        return OPTIONS_WRONG;
    }
    const command_row *named = command_by_word(argv[1]);
    command_line line = {.command = named ? named : command_without_word(),
                         .options = o,
                         .words = (size_t)argc,
                         .given = ARENA_ARRAY(a, bool, option_count),
                         .ended = SIZE_MAX};
    for (int i = named ? 2 : 1; i < argc; i++) {
        const bool is_file = line.ended != SIZE_MAX || argv[i][0] != '-' || argv[i][1] == '\0';
        options_result result = OPTIONS_RUN;
        if (is_file)
            o->files[o->file_count++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            line.ended = o->file_count;
        else
            result = read_option(a, &line, argc, argv, &i);
        if (result != OPTIONS_RUN)
            return result;
    }
    o->word = line.command->word;
    return check_line(&line) ? OPTIONS_RUN : OPTIONS_WRONG;
}
