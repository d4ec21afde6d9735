/* mistakes.c - reports mistakes in a command line.
 * SPDX-License-Identifier: MIT
 */
#include "driver/driver.h"

#include <stdarg.h>
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
