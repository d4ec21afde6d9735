/* habits.c - asks the workshop that knows other languages, if there is one.
 * SPDX-License-Identifier: MIT
 */
#include "front/habits.h"

/* One for all: it has no state, and pktc sets it before it reads a schema. */
static const habit_knowledge *knowledge;

void habits_know(const habit_knowledge *known)
{
    knowledge = known;
}

void help_with(diag *d, message *m, const habit_found *found)
{
    diag_fix(d, m, found->edits[0], "%s", found->advice);
    if (found->edits[1].text)
        diag_fix_also(d, m, found->edits[1]);
}

bool find_habit(arena *a, const source *s, uint32_t begin, uint32_t error, habit_place place, habit_found *found)
{
    return knowledge && knowledge->find(a, s, begin, error, place, found);
}

const char *line_with(arena *a, uint32_t begin, span at, const char *text)
{
    return knowledge ? knowledge->line_with(a, begin, at, text) : NULL;
}

edit line_in_order(arena *a, const source *s, uint32_t begin, uint32_t name_end)
{
    return knowledge ? knowledge->line_in_order(a, s, begin, name_end) : (edit){.text = NULL};
}

const char *own_type(const char *name)
{
    return knowledge ? knowledge->own_type(name) : NULL;
}

const char *own_number(arena *a, const char *text, size_t size)
{
    return knowledge ? knowledge->own_number(a, text, size) : NULL;
}
