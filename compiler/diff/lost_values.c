/* lost_values.c - says which values of a type are lost, in the lines of the fields and members of that type.
 * SPDX-License-Identifier: MIT
 *
 * A value of a removed member of a union has no new value. So a field of it becomes absent if it is optional, and an
 * element leaves its array, or gets its initial value if the array cannot have fewer. In any other place all of the
 * struct or packet is lost with it.
 */
#include "diff/compare_internal.h"

/* The conditions and names that a line lists. */
enum { LOST_SHOWN = 3 };

void lose_value(comparer *c, pair *of, const char *condition)
{
    lost_value **last = &of->lost;
    while (*last)
        last = &(*last)->next;
    *last = ARENA_NEW(c->arena, lost_value);
    (*last)->condition = condition;
}

void lose_members(comparer *c, pair *of, const decl *before, const decl *after)
{
    const char *verb = after->kind == DECL_FLAGS ? "has" : "is";
    for (const member *each = before->members; each; each = each->next)
        if (!new_member(c, each) && !(before->kind == DECL_ENUM && number_stays(before, after, each->value)))
            lose_value(c, of, arena_printf(c->arena, " %s %s", verb, each->name));
}

/* "x is red or x is blue, and in 2 more cases". */
static const char *lost_words(comparer *c, const char *name, const lost_value *where)
{
    const char *words = "";
    uint32_t shown = 0, more = 0;
    for (; where; where = where->next)
        if (shown == LOST_SHOWN)
            more++;
        else
            words = arena_printf(c->arena, "%s%s%s%s", words, shown++ == 0 ? "" : " or ", name, where->condition);
    return more == 0 ? words
                     : arena_printf(c->arena, "%s, and in %u more case%s", words, (unsigned)more, more == 1 ? "" : "s");
}

/* The effect on a struct or packet that is lost whole. */
static const char *lost_whole(comparer *c, pair *of, const char *name, const lost_value *where)
{
    const char *words = lost_words(c, name, where);
    for (const lost_value *each = where; each; each = each->next)
        lose_value(c, of, arena_printf(c->arena, ".%s%s", name, each->condition));
    return of->packet ? arena_printf(c->arena, ": packets are left out where %s", words)
                      : arena_printf(c->arena, "with all of %s where %s", of->after_name, words);
}

const char *lost_content(comparer *c, pair *of, const pair *content, const field *before, const field *after)
{
    arena *a = c->arena;
    const bool single = after->array == ARRAY_NONE;
    const char *name = single ? after->name : arena_printf(a, "%s[]", after->name);
    if (content->outcome != OUTCOME_LOST)
        return "";
    if (!content->lost)
        return "in part";
    const char *words = lost_words(c, name, content->lost);
    if (!is_composite(&after->type))
        return arena_printf(a, "where %s", words);
    if (single && after->optional)
        return arena_printf(a, ": absent where %s", words);
    if (after->array == ARRAY_COUNTED || after->array == ARRAY_SPARSE)
        return arena_printf(a, ": elements are left out where %s", words);
    if (after->array == ARRAY_COMPUTED || (after->array == ARRAY_FIXED && before->array != ARRAY_FIXED))
        return arena_printf(a, ": elements get initial values where %s", words);
    return lost_whole(c, of, name, content->lost);
}

const char *lost_alternative(comparer *c, pair *of, const pair *content, const member *after)
{
    if (content->outcome != OUTCOME_LOST)
        return "";
    return content->lost ? lost_whole(c, of, after->name, content->lost) : "in part";
}
