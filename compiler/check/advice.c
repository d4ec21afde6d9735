/* advice.c - the line to write instead, as advice under an error.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"

#include <string.h>

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
        help_with(k->diag, m, &found);
    return known;
}

edit without(span at)
{
    while (at.begin > 0 && strchr(" \t", at.source->text[at.begin - 1]))
        at.begin--;
    return (edit){at, ""};
}

edit without_field(const ast_field *f)
{
    span at = f->modifier_span.source ? f->modifier_span : f->type.span;
    at.end = f->declarators->span.end;
    while (at.end < at.source->size && at.source->text[at.end] != ';')
        at.end++;
    at.end += at.end < at.source->size;
    return without(at);
}

const ast_attribute *attribute_of(const checker *k, const decl *d, const char *name)
{
    for (const ast_attribute *a = info_of(k, d)->ast->attributes; a; a = a->next)
        if (!a->was && strcmp(a->name.text, name) == 0)
            return a;
    return NULL;
}

const char *line_for(checker *k, span at, const char *text)
{
    const char *line = in_statement(k, at) ? line_with(k->arena, k->statement.begin, at, text) : NULL;
    return line ? line : text;
}

void help_with_line(checker *k, message *m, span at, const char *text)
{
    diag_fix(k->diag, m, (edit){at, text}, "write `%s`", line_for(k, at, text));
}

void help_with_attribute(checker *k, message *m, const decl *d, const char *attribute, const char *alternative)
{
    span at = info_of(k, d)->ast->body.span;
    const bool close = at.source && !strchr(" \t\r\n", at.source->text[at.begin - 1]);
    at.end = at.begin;
    diag_fix(k->diag, m, (edit){at, arena_printf(k->arena, "%s%s ", close ? " " : "", attribute)},
             "add '%s' before the '{' of '%s'%s", attribute, d->name, alternative);
}
