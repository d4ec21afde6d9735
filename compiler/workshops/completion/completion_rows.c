/* completion_rows.c - `pktc complete`: what may come next on a command line. The scripts in dist/install/completion
 * call it.
 * SPDX-License-Identifier: MIT
 *
 * Each line of the answer is a word, a tab, and the meaning of the word. The lines :pkt, :recording, :file and
 * :directory tell the shell to offer schemas, recordings, files or directories.
 */
#include "driver/run.h"
#include "driver/usages.h"
#include "front/ast.h"
#include "model/type_table.h"

#include <string.h>

static void complete(run *r);

static const usage_row completion_usages[] = {{"complete", .arguments = "-- WORD...", .run = complete}};

/* The words after -- are the command line so far. */
static bool usage_of_complete(command_line *line)
{
    return line->ended == 0 ? uses(line, &completion_usages[0]) : wrong(line, "complete needs -- before the words");
}

static const command_row completion_commands[] = {
    {.word = "complete",
     .place = 150,
     .arguments = "-- WORD...",
     .summary = "print what may come next on a command line",
     .about = "The completion scripts of bash, zsh and fish, which are installed with pktc, call it.\n",
     .next = {""},
     .find_usage = usage_of_complete},
};

const workshop completion_workshop = {WORKSHOP_ROWS(completion)};

static void put_word(const char *word, const char *help)
{
    printf("%s\t%s\n", word, help);
}

static void put_commands(void)
{
    for (size_t i = 0; i < command_count; i++)
        if (*command_table[i]->word)
            put_word(command_table[i]->word, command_table[i]->summary);
}

static void put_options(const command_row *of)
{
    for (size_t i = 0; i < option_count; i++) {
        const option_row *each = &option_table[i];
        if (!command_has(of, each))
            continue;
        put_word(each->name, each->help);
        if (each->letter)
            put_word(each->letter, each->help);
    }
    for (size_t i = 0; i < command_count && !*of->word; i++)
        if (command_table[i]->option)
            printf("%s\tthe same as 'pktc %s'\n", command_table[i]->option, command_table[i]->word);
}

/* Puts the words that an argument may be, or the kind of files. */
static void put_argument(const option_row *o)
{
    if (strcmp(o->argument, "DIR") == 0)
        puts(":directory");
    else if (strcmp(o->argument, "FILE") == 0)
        puts(":file");
    for (const char *word = o->words ? o->words : ""; *word;) {
        int size = (int)strcspn(word, " ");
        printf("%.*s\t%s\n", size, word, o->help);
        word += size + (word[size] == ' ');
    }
}

/* Puts the packets, structs and unions that the schema's own file declares. */
static void put_types(arena *a, const char *file)
{
    const source *text = source_read(a, file);
    if (!text)
        return;
    const ast_file *tree = parse(a, names_new(a), diag_new(a), text, reserved_type_word);
    for (const ast_decl *d = tree->decls; d; d = d->next) {
        switch (d->kind) {
        case AST_DECL_STRUCT: put_word(d->name.text, "struct"); break;
        case AST_DECL_PACKET: put_word(d->name.text, "packet"); break;
        case AST_DECL_UNION: put_word(d->name.text, "union"); break;
        case AST_DECL_PACKET_UNION: put_word(d->name.text, "packet union"); break;
        default: break;
        }
    }
}

/* The option whose argument the last word is, or NULL. The option is the word before it, perhaps with a = between them,
 * which bash passes as a word; or the last word begins with --option=. */
static const option_row *option_before(size_t count, const char *const *words)
{
    const char *last = words[count - 1], *equals = strchr(last, '=');
    const char *name = count > 1 ? words[count - 2] : "";
    size_t size = strlen(name);
    if (count > 2 && strcmp(name, "=") == 0)
        size = strlen(name = words[count - 3]);
    if (count > 1 && strcmp(last, "=") == 0) {
        size = strlen(name = words[count - 2]);
    } else if (strncmp(last, "--", 2) == 0 && equals) {
        name = last;
        size = (size_t)(equals - last);
    }
    const command_row *named = command_by_word(words[0]);
    const command_row *chosen = named ? named : command_without_word();
    const option_row *found = NULL;
    for (size_t i = 0; i < option_count; i++) {
        const option_row *each = &option_table[i];
        if (each->argument && strlen(each->name) == size && strncmp(each->name, name, size) == 0 &&
            (!found || command_has(chosen, each)))
            found = each;
    }
    return found;
}

/* Counts the files among the words before the last one: all but the command, options and their arguments. Also finds
 * the last file. */
static size_t find_files(size_t count, const char *const *words, const char **last)
{
    size_t found = 0;
    for (size_t i = command_by_word(words[0]) ? 1 : 0; i + 1 < count; i++) {
        if (words[i][0] == '-' || strcmp(words[i], "=") == 0 || (i > 0 && option_before(i + 1, words)))
            continue;
        *last = words[i];
        found++;
    }
    return found;
}

/* Puts the words that may come after `files` files. `last` is the last file. */
static void put_next(arena *a, const command_row *of, size_t files, const char *last)
{
    size_t step = 0;
    while (step < files && of->next[step + 1])
        step++;
    for (const char *at = of->next[step]; *at; at += strspn(at, " ")) {
        const char *word = arena_text(a, at, strcspn(at, " "));
        at += strlen(word);
        if (strcmp(word, "COMMAND") == 0)
            put_commands();
        else if (strcmp(word, "TYPE") == 0)
            put_types(a, last);
        else
            puts(word);
    }
}

static void complete(run *r)
{
    const char *const *words = r->options->files;
    const size_t count = r->options->file_count;
    if (count == 0)
        return;
    const command_row *named = count > 1 ? command_by_word(words[0]) : NULL;
    const command_row *of = named ? named : command_without_word();
    const option_row *before = option_before(count, words);
    const char *last = NULL;
    const size_t files = find_files(count, words, &last);
    if (before) {
        put_argument(before);
    } else if (words[count - 1][0] == '-') {
        put_options(of);
    } else {
        put_next(r->arena, of, files, last);
        if (count == 1)
            put_commands();
    }
}
