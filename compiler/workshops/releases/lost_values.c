/* lost_values.c - says which values of a type are lost, in the lines of the fields and members of that type.
 * SPDX-License-Identifier: MIT
 *
 * A value of a removed member of a union has no new value. So a field of it becomes absent if it is optional, and an
 * element leaves its array, or gets its initial value if the array cannot have fewer. In any other place all of the
 * struct or packet is lost with it.
 *
 * A field that has to be greater than 4294967295 has no value either. That is not known before the packet is written, so
 * all of the packet is lost, wherever the field is in it.
 */
#include "releases/compare_internal.h"

/* The conditions and names that a line lists. */
enum { LOST_SHOWN = 3 };

static void add_lost(comparer *c, lost_value **last, const char *condition)
{
    while (*last)
        last = &(*last)->next;
    *last = ARENA_NEW(c->arena, lost_value);
    (*last)->condition = condition;
}

void lose_value(comparer *c, pair *of, const char *condition)
{
    add_lost(c, &of->lost, condition);
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

/* The effect on all packets that contain such a value. */
static const char *lost_packets(comparer *c, pair *of, const char *name, const lost_value *where)
{
    for (const lost_value *each = where; each; each = each->next)
        add_lost(c, of->packet ? &of->lost : &of->lost_packets, arena_printf(c->arena, ".%s%s", name, each->condition));
    return arena_printf(c->arena, "packets%s are left out where %s", of->packet ? "" : " with it",
                        lost_words(c, name, where));
}

/* With the effect on packets, if there is one. */
static const char *with_packets(comparer *c, pair *of, const pair *content, const char *name, const char *effect)
{
    if (!content->lost_packets)
        return effect;
    return arena_printf(c->arena, "%s%s %s", content->lost ? effect : "", content->lost ? ", and" : ":",
                        lost_packets(c, of, name, content->lost_packets));
}

static bool can_be_greatest(const comparer *c, const field *f)
{
    const field *old = old_field(c, f);
    return (old && greatest_number(&old->type) >= UINT32_MAX) || (f->after && can_be_greatest(c, f->after));
}

const char *lost_greatest(comparer *c, pair *of, const field *after)
{
    static const lost_value greatest = {NULL, " is 4294967295"};
    return can_be_greatest(c, after->after)
               ? arena_printf(c->arena, ": %s", lost_packets(c, of, after->after->name, &greatest))
               : NULL;
}

static const char *lost_inside(comparer *c, pair *of, const pair *content, const char *name, const field *before,
                               const field *after)
{
    arena *a = c->arena;
    const bool single = after->array == ARRAY_NONE;
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

const char *lost_content(comparer *c, pair *of, const pair *content, const field *before, const field *after)
{
    const char *name = after->array == ARRAY_NONE ? after->name : arena_printf(c->arena, "%s[]", after->name);
    if (content->outcome != OUTCOME_LOST)
        return "";
    return with_packets(c, of, content, name, lost_inside(c, of, content, name, before, after));
}

const char *lost_alternative(comparer *c, pair *of, const pair *content, const member *after)
{
    if (content->outcome != OUTCOME_LOST)
        return "";
    const char *inside = content->lost ? lost_whole(c, of, after->name, content->lost) : "in part";
    return with_packets(c, of, content, after->name, inside);
}
