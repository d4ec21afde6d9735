/* usages.c - tells the files of a command line apart. Reports mistakes in it, such as files that are missing.
 * SPDX-License-Identifier: MIT
 */
#include "driver/usages.h"
#include "base/files.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool wrong(const command_line *line, const char *format, ...)
{
    va_list arguments;
    const char *word = line->command->word;
    va_start(arguments, format);
    fputs("pktc: ", stderr);
    vfprintf(stderr, format, arguments);
    if (!*word)
        fputs("; try 'pktc --help'\n", stderr);
    else if (strcmp(word, "help") == 0)
        fputs("; try 'pktc help'\n", stderr);
    else
        fprintf(stderr, "; try 'pktc help %s'\n", word);
    va_end(arguments);
    return false;
}

bool is_given(const command_line *line, const char *name)
{
    for (size_t i = 0; i < option_count; i++)
        if (line->given[i] && strcmp(option_table[i].name, name) == 0)
            return true;
    return false;
}

bool uses(command_line *line, const usage_row *used)
{
    const unsigned bit = usage_bit(used), all = command_usages(line->command);
    const options *o = line->options;
    const char *file = o->recording ? o->recording : o->file_count > 0 ? o->files[o->file_count - 1] : NULL;
    line->options->usage = used;
    for (size_t i = 0; i < option_count; i++) {
        const option_row *each = &option_table[i];
        if (!line->given[i] || each->usages & bit || !(each->usages & all))
            continue;
        if (used->because && file)
            return wrong(line, "%s %s, and '%s' %s", each->name, used->refuses, file, used->because);
        return wrong(line, "%s %s", each->name, used->refuses);
    }
    return true;
}

bool is_schema_name(const char *file)
{
    const size_t size = strlen(file);
    return size > 4 && strcmp(file + size - 4, ".pkt") == 0;
}

bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

bool is_missing(const char *file)
{
    return !file_is_regular(file) && !file_is_directory(file);
}

bool has_file(const command_line *line)
{
    return line->options->file_count > 0 || wrong(line, "no .pkt file given");
}

bool reads_no_input(const command_line *line)
{
    const options *o = line->options;
    for (size_t i = 0; i < o->file_count; i++)
        if (strcmp(o->files[i], "-") == 0)
            return wrong(line, "only fmt and diff read a schema from standard input");
    return true;
}

bool takes_one_schema(const command_line *line)
{
    if (!has_file(line) || !reads_no_input(line))
        return false;
    return line->options->file_count == 1 || wrong(line, "%s takes one .pkt file", line->command->word);
}

void take_value(options *o, size_t schemas)
{
    const char *input = o->file_count > schemas + 1 ? o->files[schemas + 1] : "-";
    o->type = o->files[schemas];
    o->input = strcmp(input, "-") != 0 ? input : NULL;
    o->file_count = schemas;
}
