/* advice.c - the line to write instead, as advice under an error.
 * SPDX-License-Identifier: MIT
 */
#include "check/advice.h"

static bool in_statement(const checker *k, span at)
{
    const span *s = &k->statement;
    return at.source && s->source == at.source && s->begin <= at.begin && at.end <= s->end;
}

bool is_habit(checker *k, span at, habit_place place, habit_found *found)
{
    /* The cost of a search for habits, in comparisons of names. */
    enum { COST = 100 };
    if (k->suggestions_left < COST)
        return false;
    k->suggestions_left -= COST;
    return in_statement(k, at) && find_habit(k->arena, at.source, k->statement.begin, at.begin, place, found);
}

bool help_with_habit(checker *k, message *m, span at, habit_place place)
{
    habit_found found;
    bool known = is_habit(k, at, place, &found);
    if (known)
        diag_help(k->diag, m, "%s", found.advice);
    return known;
}

const char *line_for(checker *k, span at, const char *text)
{
    const char *line = in_statement(k, at) ? line_with(k->arena, k->statement.begin, at, text) : NULL;
    return line ? line : text;
}

void help_with_line(checker *k, message *m, span at, const char *text)
{
    diag_help(k->diag, m, "write `%s`", line_for(k, at, text));
}
