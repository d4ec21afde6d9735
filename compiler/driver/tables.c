/* tables.c - puts the rows of the driver and of all workshops into tables, in the order of help.
 * SPDX-License-Identifier: MIT
 */
#include "driver/command_table.h"

#include <string.h>

const command_row **command_table;
size_t command_count;
const usage_row **usage_table;
size_t usage_count;
option_row *option_table;
size_t option_count;
option_rule *rule_table;
size_t rule_count;

static void add_commands(const workshop *w)
{
    for (size_t i = 0; i < w->command_count; i++) {
        size_t at = command_count++;
        for (; at > 0 && command_table[at - 1]->place > w->commands[i].place; at--)
            command_table[at] = command_table[at - 1];
        command_table[at] = &w->commands[i];
    }
}

/* The uses of a command: those of its workshop come first. */
static void add_usages(const workshop *const *all, const command_row *of)
{
    for (int claimed = 0; claimed < 2; claimed++)
        for (const workshop *const *w = all; *w; w++)
            for (size_t i = 0; i < (*w)->usage_count; i++) { /* a workshop without any has NULL */
                const usage_row *u = &(*w)->usages[i];
                if (strcmp(u->command, of->word) == 0 && (claimed == 0) == !u->claims)
                    usage_table[usage_count++] = u;
            }
}

unsigned usage_bit(const usage_row *u)
{
    for (size_t i = 0; i < usage_count; i++)
        if (usage_table[i] == u)
            return 1u << i;
    return 0;
}

/* The bits of the uses of a workshop that are in a mask of its rows. */
static unsigned usages_of(const workshop *w, unsigned rows)
{
    unsigned bits = 0;
    for (size_t i = 0; i < w->usage_count; i++)
        if (rows >> i & 1)
            bits |= usage_bit(&w->usages[i]);
    return bits;
}

static unsigned usages_by_word(const char *word)
{
    unsigned bits = 0;
    for (size_t i = 0; word && i < usage_count; i++)
        if (strcmp(usage_table[i]->command, word) == 0)
            bits |= 1u << i;
    return bits;
}

static void add_options(const workshop *w, size_t owner)
{
    unsigned place = 0;
    for (size_t i = 0; i < w->option_count; i++) {
        option_row row = w->options[i];
        size_t at = option_count++;
        place = row.place = row.place ? row.place : place;
        row.usages = usages_of(w, row.usages) | usages_by_word(row.command);
        for (size_t u = 0; u < usage_count; u++)
            if ((usage_table[u]->shares | SHARED_BY_ALL) & row.shared)
                row.usages |= 1u << u;
        row.owner = owner;
        for (; at > 0 && option_table[at - 1].place > place; at--)
            option_table[at] = option_table[at - 1];
        option_table[at] = row;
    }
}

void tables_make(arena *a, const workshop *const *all)
{
    size_t commands = 0, usages = 0, option_rows = 0, rules = 0;
    for (const workshop *const *w = all; *w; w++) {
        commands += (*w)->command_count;
        usages += (*w)->usage_count;
        option_rows += (*w)->option_count;
        rules += (*w)->rule_count;
    }
    command_table = ARENA_ARRAY(a, const command_row *, commands);
    usage_table = ARENA_ARRAY(a, const usage_row *, usages);
    option_table = ARENA_ARRAY(a, option_row, option_rows);
    rule_table = ARENA_ARRAY(a, option_rule, rules);
    command_count = usage_count = option_count = rule_count = 0;
    for (const workshop *const *w = all; *w; w++)
        add_commands(*w);
    for (size_t i = 0; i < command_count; i++)
        add_usages(all, command_table[i]);
    for (const workshop *const *w = all; *w; w++) {
        add_options(*w, (*w)->chosen_size ? (size_t)(w - all) : 0);
        for (size_t i = 0; i < (*w)->rule_count; i++) {
            rule_table[rule_count] = (*w)->rules[i];
            rule_table[rule_count++].usages = (*w)->rules[i].usages ? usages_of(*w, (*w)->rules[i].usages) : ~0u;
        }
    }
}

void *chosen(const options *o, const char *name)
{
    size_t i = 0;
    while (strcmp(o->workshops[i]->name, name) != 0)
        i++;
    return o->chosen[i];
}

unsigned command_usages(const command_row *of)
{
    return usages_by_word(of->word);
}

bool command_has(const command_row *of, const option_row *o)
{
    return (command_usages(of) & o->usages) != 0;
}

const command_row *command_by_word(const char *word)
{
    for (size_t i = 0; i < command_count; i++)
        if (*word && strcmp(command_table[i]->word, word) == 0)
            return command_table[i];
    return NULL;
}

const command_row *command_without_word(void)
{
    return command_table[0];
}
