/* option_check.c - checks the options that are given. It refuses an option of another command or use, one without an
 * option that it needs, and one beside an option that it excludes. An option without effect is an error too.
 * SPDX-License-Identifier: MIT
 */
#include "driver/driver.h"

#include <string.h>

/* Whether a command has an option of this name; other commands may have it with another meaning. */
static bool has_name(const command_row *of, const char *name)
{
    for (size_t i = 0; i < option_count; i++)
        if (command_has(of, &option_table[i]) && strcmp(option_table[i].name, name) == 0)
            return true;
    return false;
}

/* Reports an option of other commands, and names the commands that have it. */
static bool misplaced(const command_line *line, const option_row *given)
{
    unsigned commands = 0;
    char words[COMMANDS_WORDS];
    if (*line->command->word)
        return wrong(line, "%s has no option %s", line->command->word, given->name);
    for (size_t i = 0; i < command_count; i++)
        if (has_name(command_table[i], given->name))
            commands |= 1u << i;
    return wrong(line, "%s is an option of %s", given->name, commands_words(commands, words));
}

/* Whether all options in a text are given: for "--back and --gap", both. */
static bool has_all(const command_line *line, const char *text)
{
    for (const char *at = text; *at; at += strspn(at, " ")) {
        char word[32];
        const int size = (int)strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", size, at);
        if (*word == '-' && !is_given(line, word))
            return false;
        at += size;
    }
    return true;
}

static bool check_rule(const command_line *line, const option_rule *r)
{
    if (r->needs && !has_all(line, r->needs))
        return wrong(line, "%s needs %s", r->option, r->needs);
    if (r->excludes && is_given(line, r->excludes))
        return wrong(line, "%s and %s cannot be combined%s%s", r->option, r->excludes, r->why ? ": " : "",
                     r->why ? r->why : "");
    return true;
}

static void set_usual(command_line *line)
{
    const unsigned used = usage_bit(line->options->usage);
    for (size_t i = 0; i < option_count; i++) {
        const option_row *each = &option_table[i];
        if (each->usual != 0 && each->usages & used && !line->given[i])
            *(uint32_t *)((char *)line->options->chosen[each->owner] + each->member) = each->usual;
    }
}

/* How the command is used. False after a mistake. */
static bool find_usage(command_line *line)
{
    for (size_t i = 0; i < usage_count; i++) {
        const usage_row *each = usage_table[i];
        if (!each->claims || strcmp(each->command, line->command->word) != 0)
            continue;
        const claim claimed = each->claims(line);
        if (claimed != CLAIM_NO)
            return claimed == CLAIM_YES;
    }
    return line->command->find_usage(line);
}

bool check_line(command_line *line)
{
    const options *o = line->options;
    for (size_t i = 0; i < o->file_count && !*o->word; i++)
        if (command_by_word(o->files[i]))
            return wrong(line, "the command comes first: 'pktc %s'", o->files[i]);
    for (size_t i = 0; i < option_count; i++)
        if (line->given[i] && !line->command->ignores_options && !command_has(line->command, &option_table[i]))
            return misplaced(line, &option_table[i]);
    if (!find_usage(line))
        return false;
    for (size_t i = 0; i < rule_count; i++) {
        const option_rule *each = &rule_table[i];
        if (each->usages & usage_bit(o->usage) && is_given(line, each->option) && !check_rule(line, each))
            return false;
    }
    set_usual(line);
    return true;
}
