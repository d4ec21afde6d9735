/* manual.c - a build tool: prints the manual page, and the table of commands in the docs, from the tables of commands and options.
 * SPDX-License-Identifier: MIT
 *
 * usage: manual page TEMPLATE    the manual page: lines @synopses@, @commands@ and @options@ of the template are replaced
 *        manual commands         the commands, as a table for a page of the docs
 */
#include "base/arena.h"
#include "driver/command_table.h"
#include "workshops.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- synopses */

static bool belongs(const option_row *o, const usage_row *u)
{
    return (o->usages & usage_bit(u)) != 0;
}

/* Options that most uses have are in no synopsis. */
static bool is_general(const option_row *o)
{
    size_t uses = 0;
    for (size_t i = 0; i < usage_count; i++)
        uses += belongs(o, usage_table[i]);
    return uses > usage_count / 2;
}

static bool has_word(const char *words, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = words; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == size && memcmp(at, word, size) == 0)
            return true;
    return false;
}

static bool needs(const usage_row *u, const option_row *o, const option_row *other)
{
    for (size_t i = 0; i < rule_count; i++)
        if (rule_table[i].usages & usage_bit(u) && strcmp(rule_table[i].option, o->name) == 0 &&
            has_word(rule_table[i].needs, other->name))
            return true;
    return false;
}

static bool excludes(const usage_row *u, const option_row *o, const option_row *other)
{
    for (size_t i = 0; i < rule_count; i++)
        if (rule_table[i].usages & usage_bit(u) && has_word(rule_table[i].excludes, o->name) &&
            strcmp(rule_table[i].option, other->name) == 0)
            return true;
    return false;
}

/* The next option of this use, after `after`, for which the test is true; NULL if there is none. */
typedef bool option_test(const usage_row *u, const option_row *o, const option_row *other);
static const option_row *next_option(const usage_row *u, option_test *fits, const option_row *o,
                                     const option_row *after)
{
    for (const option_row *each = after ? after + 1 : option_table; each < option_table + option_count; each++)
        if (belongs(each, u) && fits(u, each, o))
            return each;
    return NULL;
}

static const char *with_argument(arena *a, const option_row *o)
{
    return o->argument ? arena_printf(a, "%s %s", o->name, o->argument) : o->name;
}

static bool is_inside(const usage_row *u, const option_row *o, const option_row *other)
{
    return needs(u, o, other) && !needs(u, other, o);
}

static bool is_beside(const usage_row *u, const option_row *o, const option_row *other)
{
    return needs(u, o, other) && needs(u, other, o);
}

/* An option with those that need it: "--base FILE [--before FILE --back N --gap N]". */
static const char *with_others(arena *a, const usage_row *u, const option_row *o)
{
    const char *text = with_argument(a, o);
    for (const option_row *each = NULL; (each = next_option(u, is_beside, o, each)) != NULL;)
        text = arena_printf(a, "%s %s", text, with_argument(a, each));
    if (o->kind == OPTION_LIST)
        text = arena_printf(a, "%s]...", text);
    for (const option_row *each = NULL; (each = next_option(u, is_inside, o, each)) != NULL;)
        text = arena_printf(a, "%s [%s%s", text, with_others(a, u, each), o->kind == OPTION_LIST ? "" : "]");
    return text;
}

static bool excludes_it(const usage_row *u, const option_row *o, const option_row *other)
{
    return excludes(u, o, other) || excludes(u, other, o);
}

static const char *synopsis_option(arena *a, const usage_row *u, const option_row *o)
{
    const char *text = with_others(a, u, o);
    if (u->option && strcmp(u->option, o->name) == 0)
        return text;
    for (const option_row *each = o; (each = next_option(u, excludes_it, o, each)) != NULL;)
        text = arena_printf(a, "%s | %s", text, with_others(a, u, each));
    const char last = text[strlen(text) - 1];
    return arena_printf(a, "[%s%s", text, o->kind == OPTION_LIST && last == '.' ? "" : "]");
}

/* Whether another option has this one in its brackets. */
static bool is_within(const usage_row *u, const option_row *o)
{
    for (const option_row *each = option_table; each < option_table + option_count; each++)
        if (belongs(each, u) && (needs(u, o, each) || (each < o && excludes_it(u, o, each))))
            return true;
    return false;
}

static const command_row *command_of(const usage_row *u)
{
    for (size_t i = 0; i < command_count; i++)
        if (command_usages(command_table[i]) & usage_bit(u))
            return command_table[i];
    return NULL;
}

static const char *synopsis(arena *a, const usage_row *row)
{
    const char *word = command_of(row)->word;
    const char *text = arena_printf(a, "pktc%s%s", *word ? " " : "", word);
    for (size_t i = 0; i < option_count && *word; i++) {
        const option_row *o = &option_table[i];
        if (belongs(o, row) && !is_general(o) && !is_within(row, o))
            text = arena_printf(a, "%s %s", text, synopsis_option(a, row, o));
    }
    return arena_printf(a, "%s%s%s", text, *row->arguments ? " " : "", row->arguments);
}

/* ---- sentences */

/* "fmt, layout and report", of the commands that have an option; "all", or "all but fmt". */
static const char *commands_of(arena *a, const option_row *o)
{
    const char *have = "", *lack = "";
    size_t had = 0, lacked = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        size_t left_had = had, left_lacked = lacked;
        for (size_t i = 0; i < command_count; i++) {
            const command_row *c = command_table[i];
            const char *word = *c->word ? c->word : "compiling";
            if (!c->page && *c->word) /* help and complete */
                continue;
            size_t *left = command_has(c, o) ? &left_had : &left_lacked;
            const char **to = command_has(c, o) ? &have : &lack;
            if (pass == 0) {
                ++*(command_has(c, o) ? &had : &lacked);
                continue;
            }
            --*left;
            *to = arena_printf(a, "%s%s%s", *to, word, *left > 1 ? ", " : *left == 1 ? " and " : "");
        }
    }
    return lacked == 0 ? "all" : lacked <= 2 ? arena_printf(a, "all but %s", lack) : have;
}

static const char *usual_text(arena *a, const option_row *o)
{
    return o->usual ? arena_printf(a, " (default: %u)", (unsigned)o->usual) : "";
}

static const char *repeated_text(const option_row *o)
{
    return o->kind == OPTION_LIST ? "; can be repeated" : "";
}

static const char *capital(arena *a, const char *text)
{
    char *copy = arena_printf(a, "%s", text);
    copy[0] = (char)toupper((unsigned char)copy[0]);
    return copy;
}

/* ---- Markdown */

static void print_commands(void)
{
    puts("| command | what it does |\n|---|---|");
    for (size_t i = 0; i < command_count; i++) {
        const command_row *c = command_table[i];
        if (!*c->word)
            continue;
        if (c->page)
            printf("| [`%s`](%s)", c->word, c->page);
        else
            printf("| `%s`", c->word);
        if (c->option)
            printf(", or `%s`", c->option);
        printf(" | %s |\n", c->summary);
    }
}

/* ---- the manual page */

/* Escapes text for roff: no line may begin like a request. */
static void put_roff(const char *text, size_t size)
{
    if (size > 0 && (*text == '.' || *text == '\''))
        printf("\\&");
    for (const char *end = text + size; text < end; text++)
        printf(*text == '-' ? "\\-" : *text == '\\' ? "\\e" : "%c", *text);
}

static void put_roff_text(const char *text)
{
    put_roff(text, strlen(text));
}

/* The number of bytes at the start of a synopsis that are notation: brackets, bars, dots. */
static size_t plain_size(const char *text)
{
    size_t size = 0;
    for (size_t more = 1; more > 0; size += more)
        more = strncmp(text + size, "...", 3) == 0 ? 3 : strspn(text + size, "[]|> ");
    return size;
}

/* Options are bold, and placeholders are italic. */
static void put_roff_synopsis(const char *text)
{
    while (*text) {
        size_t size = plain_size(text);
        put_roff(text, size);
        text += size;
        for (size = 0; text[size] && plain_size(text + size) == 0;)
            size++;
        if (size > 0) {
            printf(*text == '-' ? "\\fB" : "\\fI");
            put_roff(text, size);
            printf("\\fR");
        }
        text += size;
    }
}

static void page_synopses(arena *a)
{
    for (size_t i = 0; i < usage_count; i++) {
        const char *word = command_of(usage_table[i])->word;
        const char *name = arena_printf(a, "pktc%s%s", *word ? " " : "", word);
        printf("%s.B %s\n", i > 0 ? ".br\n" : "", name);
        put_roff_synopsis(synopsis(a, usage_table[i]) + strlen(name) + 1);
        putchar('\n');
    }
}

/* Lines that begin with "pktc" begin a paragraph. */
static void put_about(const char *about)
{
    while (*about) {
        const size_t size = strcspn(about, "\n");
        if (strncmp(about, "pktc ", 5) == 0)
            puts(".PP");
        put_roff(about, size);
        putchar('\n');
        about += size + (about[size] == '\n');
    }
}

static void page_commands(arena *a)
{
    for (size_t i = 0; i < command_count; i++) {
        const command_row *c = command_table[i];
        if (!*c->word)
            continue;
        printf(".SS pktc %s\n", c->word);
        put_roff_text(arena_printf(a, "%s.", capital(a, c->summary)));
        putchar('\n');
        put_about(c->about);
        for (size_t k = 0; k < usage_count; k++)
            if (strcmp(usage_table[k]->command, c->word) == 0 && usage_table[k]->about)
                put_about(usage_table[k]->about);
    }
}

static void page_option(arena *a, const option_row *o, bool says_commands)
{
    printf(".TP\n%s ", o->argument ? ".BI" : o->letter ? ".BR" : ".B");
    put_roff_text(o->name);
    if (o->argument)
        printf(o->name[1] == '-' ? "= %s" : " \" %s\"", o->argument);
    if (o->letter) {
        printf(" \", \" ");
        put_roff_text(o->letter);
    }
    putchar('\n');
    put_roff_text(arena_printf(a, "%s%s%s.", capital(a, o->help), usual_text(a, o), repeated_text(o)));
    if (o->more) {
        putchar('\n');
        put_roff_text(o->more);
    }
    if (says_commands) {
        const char *commands = commands_of(a, o);
        const bool all = strncmp(commands, "all", 3) == 0;
        printf("\n%s%s have it.", all ? "All commands" : capital(a, commands), all ? commands + 3 : "");
    }
    putchar('\n');
}

/* The options of pktc without a command come first; then the others, with options of the same commands together. */
static void page_options(arena *a)
{
    const char *heading = "";
    for (size_t i = 0; i < option_count; i++) {
        const option_row *o = &option_table[i];
        if (command_has(command_without_word(), o))
            page_option(a, o, strcmp(commands_of(a, o), "compiling") != 0);
    }
    for (size_t i = 0; i < command_count; i++) {
        const command_row *c = command_table[i];
        if (!c->option)
            continue;
        printf(".TP\n.B ");
        put_roff_text(c->option);
        printf("\nThe same as\n.BR \"pktc %s\" .\n", c->word);
    }
    for (size_t i = 0; i < option_count; i++) {
        const option_row *o = &option_table[i];
        if (command_has(command_without_word(), o))
            continue;
        if (strcmp(heading, commands_of(a, o)) != 0)
            printf(".SS Options of %s\n", commands_of(a, o));
        heading = commands_of(a, o);
        page_option(a, o, false);
    }
}

static bool print_page(arena *a, const char *template)
{
    char line[1024];
    FILE *from = fopen(template, "r");
    if (!from)
        return false;
    while (fgets(line, sizeof line, from))
        if (strcmp(line, "@synopses@\n") == 0)
            page_synopses(a);
        else if (strcmp(line, "@commands@\n") == 0)
            page_commands(a);
        else if (strcmp(line, "@options@\n") == 0)
            page_options(a);
        else
            fputs(line, stdout);
    fclose(from);
    return true;
}

int main(int argc, char **argv)
{
    arena *a = arena_new();
    tables_make(a, workshops);
    const char *part = argc > 1 ? argv[1] : "";
    bool good = true;
    if (strcmp(part, "page") == 0 && argc == 3)
        good = print_page(a, argv[2]);
    else if (strcmp(part, "commands") == 0)
        print_commands();
    else
        good = false;
    if (!good)
        fputs("usage: manual page TEMPLATE | manual commands\n", stderr);
    arena_free(a);
    return good ? 0 : 1;
}
