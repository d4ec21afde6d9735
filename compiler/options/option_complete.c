/* option_complete.c - `pktc complete`: what may come next on a command line. The scripts in dist/install/completion ask
 * it.
 * SPDX-License-Identifier: MIT
 *
 * Each line of the answer is a word, a tab, and what the word means. The lines :pkt, :recording, :file and :directory
 * ask the shell for the schemas, recordings, files or directories that it finds.
 */
#include "front/ast.h"
#include "model/type_table.h"
#include "options/option_table.h"

#include <string.h>

static void put_word(const char *word, const char *help)
{
    printf("%s\t%s\n", word, help);
}

static void put_commands(void)
{
    for (size_t i = 0; i < command_count; i++)
        if (*command_table[i].word)
            put_word(command_table[i].word, command_table[i].summary);
}

static void put_options(command of)
{
    for (size_t i = 0; i < option_count; i++) {
        const option *each = &option_table[i];
        if (!(each->commands & 1u << of))
            continue;
        put_word(each->name, each->help);
        if (each->letter)
            put_word(each->letter, each->help);
    }
}

/* The words that an argument may be, or which files. */
static void put_argument(const option *o)
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

/* The packets, structs and unions that a schema declares itself. */
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

/* The option whose argument the last word is, or NULL: the word before it is the option, perhaps with a = between
 * them, which bash has as a word of its own; or --option= is its beginning. */
static const option *option_before(int count, char **words)
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
    const command_entry *chosen = command_by_word(words[0]);
    const option *found = NULL;
    for (size_t i = 0; i < option_count; i++) {
        const option *each = &option_table[i];
        if (each->argument && strlen(each->name) == size && strncmp(each->name, name, size) == 0 &&
            (!found || each->commands & 1u << (chosen ? chosen->command : COMMAND_COMPILE)))
            found = each;
    }
    return found;
}

/* The words before the last one that are neither the command nor options with their arguments, and the last of
 * those. */
static int find_files(int count, char **words, const char **last)
{
    int found = 0;
    for (int i = command_by_word(words[0]) ? 1 : 0; i < count - 1; i++) {
        if (words[i][0] == '-' || strcmp(words[i], "=") == 0 || (i > 0 && option_before(i + 1, words)))
            continue;
        *last = words[i];
        found++;
    }
    return found;
}

/* Of a command that takes `schemas` of these, then the name of a type, or also these files; then a file. */
static void put_value(arena *a, int files, int schemas, const char *last, const char *first, const char *also)
{
    if (files < schemas) {
        puts(first);
    } else if (files == schemas) {
        put_types(a, last);
        if (also)
            puts(also);
    } else {
        puts(":file");
    }
}

/* After `files` words, of which the last one is `last`. A recording comes after its schemas, or without any. */
static void put_next_file(arena *a, command of, int files, const char *last)
{
    switch (of) {
    case COMMAND_COMPILE:
    case COMMAND_FORMAT:
    case COMMAND_LAYOUT:
    case COMMAND_DIFF:
    case COMMAND_WIRESHARK: puts(":pkt"); break;
    case COMMAND_ARCHIVE: puts(files == 0 ? ":directory" : ":pkt"); break;
    case COMMAND_REPORT: puts(":pkt\n:recording"); break;
    case COMMAND_ENCODE: put_value(a, files, 1, last, ":pkt", NULL); break;
    case COMMAND_DECODE: put_value(a, files, 1, last, ":pkt\n:recording", ":recording"); break;
    case COMMAND_TRAIN: put_value(a, files, 1, last, ":pkt", ":pkt\n:file"); break;
    case COMMAND_CONVERT:
        put_value(a, files, 2, last, files == 0 ? ":pkt\n:directory" : ":pkt\n:recording", ":recording");
        break;
    case COMMAND_HELP:
    case COMMAND_COMPLETE: break;
    }
}

void complete_print(arena *a, int count, char **words)
{
    const command_entry *chosen = count > 1 ? command_by_word(words[0]) : NULL;
    const command_entry *of = chosen ? chosen : command_by_id(COMMAND_COMPILE);
    const option *before = count > 0 ? option_before(count, words) : NULL;
    const char *file = NULL;
    if (count == 0)
        return;
    int files = find_files(count, words, &file);
    if (before) {
        put_argument(before);
    } else if (words[count - 1][0] == '-') {
        put_options(of->command);
    } else if (of->command == COMMAND_HELP) {
        put_commands();
    } else {
        put_next_file(a, of->command, files, file);
        if (count == 1)
            put_commands();
    }
}
