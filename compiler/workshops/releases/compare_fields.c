/* compare_fields.c - compares the fields and the layout items of structs and packets.
 * SPDX-License-Identifier: MIT
 */
#include "releases/compare_internal.h"

#include <string.h>

typedef struct field_pair {
    comparer *c;
    pair *of; /* of the type */
    pair *pair;
    const field *before, *after;
    const field_place *old, *now;
    bool same_shape; /* of the whole type: all its bits are in their old places */
} field_pair;

static change *add_field_change(field_pair *f, change_kind kind, outcome what, const char *detail)
{
    return add_change(f->c, f->pair, kind, what, detail);
}

/* ---- types */

/* Whether two types have the same values and the same codes. */
static bool same_type(const comparer *c, const type *before, const type *after)
{
    if (type_row_of(before)->sort != type_row_of(after)->sort || !same_code(c, before, after))
        return false;
    switch (type_row_of(after)->sort) {
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REF:
        return num_compare(before->low, after->low) == 0 && num_compare(before->high, after->high) == 0 &&
               (before->kind == TYPE_COMPACT) == (after->kind == TYPE_COMPACT);
    case SORT_REAL:
    case SORT_QUAT:
    case SORT_UNIT: return before->bits == after->bits;
    case SORT_STRING:
    case SORT_BYTES: return before->length == after->length;
    case SORT_BOOL:
    case SORT_ENUM:
    case SORT_FLAGS:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    return true;
}

static change_kind kind_of_change(const field_pair *f, const op *old, const op *now)
{
    const value_sort sort = type_row_of(&f->after->type)->sort;
    if (type_row_of(&f->before->type)->sort != sort || sort == SORT_ENUM || sort == SORT_FLAGS || sort == SORT_STRUCT ||
        sort == SORT_UNION)
        return CHANGE_TYPE;
    return now->most > old->most ? CHANGE_WIDER : now->most < old->most ? CHANGE_NARROWER : CHANGE_RANGE;
}

static void compare_types(field_pair *f)
{
    const type *before = &f->before->type, *after = &f->after->type;
    arena *a = f->c->arena;
    if (same_type(f->c, before, after)) {
        if (before->storage != after->storage)
            add_field_change(f, CHANGE_STORAGE, OUTCOME_KEPT,
                             arrow_words(f->c, storage_word(before->storage), storage_word(after->storage)));
        const pair *content = after->decl && after->kind != TYPE_REF ? map_get(f->c->pair_of, after->decl, NULL) : NULL;
        if (content && has_changed(content) && f->pair->outcome != OUTCOME_REFUSED)
            add_field_change(f, CHANGE_CONTENT, content->outcome,
                             arena_printf(a, "%s %s has changed", content->noun, content->after_name))
                ->effect = lost_content(f->c, f->of, content, f->before, f->after);
        return;
    }
    const op *old = element_of(f->old->op), *now = element_of(f->now->op);
    const char *effect, *words = arrow_words(f->c, type_words(a, before), type_words(a, after));
    if (before->decl && after->decl && before->decl->kind != after->decl->kind)
        words = arena_printf(a, "%s %s -> %s %s", decl_noun(before->decl), before->decl->name, decl_noun(after->decl),
                             after->decl->name);
    if (old->least != now->least || old->most != now->most) {
        bool plain = old->least == old->most && now->least == now->most;
        const char *bits = plain ? num_text(a, num_u64(old->most)) : range_words(a, "bit", old->least, old->most);
        words = arena_printf(a, "%s (%s -> %s)", words, bits, range_words(a, "bit", now->least, now->most));
    }
    outcome what = convert_type(f->c, before, after, &effect);
    change *made = add_field_change(f, kind_of_change(f, old, now), what, words);
    made->effect = effect;
    made->meaning = f->same_shape && !same_code(f->c, before, after);
}

/* ---- arrays and presence */

static const char *array_words(arena *a, const field *f)
{
    static const char *const kinds[] = {"one value", "array", "counted array", "array", "sparse array"};
    if (f->by)
        return arena_printf(a, "list %s by %s", dims_words(a, f), f->by->name);
    return f->array == ARRAY_NONE ? kinds[0] : arena_printf(a, "%s %s", kinds[f->array], dims_words(a, f));
}

/* Both are arrays of one kind. */
static bool same_dims(const comparer *c, const field *before, const field *after)
{
    if (after->array == ARRAY_COMPUTED)
        return same_condition(c, before->count, after->count);
    for (uint32_t i = 0; i < after->dim_count; i++)
        if (before->dims[i] != after->dims[i])
            return false;
    return before->count_low == after->count_low && before->limit == after->limit;
}

/* A condition or a count with the same words is another one if the fields in it have other values. */
static const char *asked_words(comparer *c, const char *before, const char *after)
{
    return strcmp(before, after) != 0 ? arrow_words(c, before, after)
                                      : arena_printf(c->arena, "%s, whose values have changed", after);
}

static void compare_arrays(field_pair *f)
{
    const field *before = f->before, *after = f->after;
    arena *a = f->c->arena;
    const bool listed =
        (before->by || after->by) && (!before->by || !after->by || !arrays_convert(&(conversion){f->c}, before, after));
    const bool other = before->array != after->array || before->dim_count != after->dim_count || listed;
    if (other || !same_dims(f->c, before, after)) {
        const char *effect;
        const outcome what = convert_array(f->c, before, after, &effect);
        const char *words = other ? arrow_words(f->c, array_words(a, before), array_words(a, after))
                                  : asked_words(f->c, dims_words(a, before), dims_words(a, after));
        if (before->by && after->by && strcmp(array_words(a, before), array_words(a, after)) == 0)
            words = arena_printf(a, "%s, whose keys are other numbers", array_words(a, after));
        add_field_change(f, other ? CHANGE_ARRAY : CHANGE_LIMITS, what, words)->effect = effect;
    }
    if (before->array != ARRAY_SPARSE || after->array != ARRAY_SPARSE)
        return;
    if (before->mode != after->mode)
        add_field_change(f, CHANGE_MODE, OUTCOME_KEPT,
                         arrow_words(f->c, sparse_mode_name(before->mode), sparse_mode_name(after->mode)));
    if (before->keep != after->keep) {
        change *made =
            add_field_change(f, CHANGE_KEEP, OUTCOME_KEPT,
                             after->keep ? "elements that are not sent had base values, and now stay as they were"
                                         : "elements that are not sent stayed as they were, and now get base values");
        made->meaning = true;
    }
}

static void compare_presence(field_pair *f)
{
    if (f->before->optional == f->after->optional)
        return;
    if (f->after->optional)
        add_field_change(f, CHANGE_OPTIONAL, OUTCOME_KEPT, "optional now");
    else
        add_field_change(f, CHANGE_OPTIONAL, OUTCOME_LOST, "no longer optional")->effect = "where it was absent";
}

/* ---- the rest of a field */

static bool same_values(const type *t, value x, value y)
{
    return is_real(t) ? same_real(x.real, y.real) : num_compare(x.number, y.number) == 0;
}

static const char *unless_words(arena *a, const field *f)
{
    return f->has_unless ? value_words(a, &f->type, f->unless) : "always sent";
}

/* Values of enums are compared by name, because the member may have another number now. */
static bool same_unless(const field_pair *f)
{
    arena *a = f->c->arena;
    if (!f->before->has_unless || !f->after->has_unless)
        return f->before->has_unless == f->after->has_unless;
    if (f->after->type.kind != TYPE_ENUM || f->before->type.kind != TYPE_ENUM)
        return strcmp(unless_words(a, f->before), unless_words(a, f->after)) == 0;
    const member *old = member_of_value(f->before->type.decl, f->before->unless.number);
    const member *now = member_of_value(f->after->type.decl, f->after->unless.number);
    return old && now ? old_member(f->c, now) == old
                      : same_values(&f->after->type, f->before->unless, f->after->unless);
}

static const char *delta_words(arena *a, const field *f, const char *none)
{
    return f->still       ? "coded still"
           : f->speed     ? arena_printf(a, "coded %s, %.5g steps a tick", speed_words(a, f->speed),
                                         (double)f->speed->factor / (double)(UINT64_C(1) << f->speed->shift))
           : f->coded     ? "coded"
           : f->part      ? arena_printf(a, "delta(%s)", delta_part_text(a, f->part))
           : f->chain     ? "delta(previous)"
           : f->has_delta ? arena_printf(a, "delta<%u, %u>", f->delta_small, f->delta_large)
                          : none;
}

static bool same_speed(const comparer *c, const own_speed *before, const own_speed *after)
{
    if (!before || !after)
        return before == after;
    return old_field(c, after->of) == before->of && before->factor == after->factor && before->shift == after->shift &&
           before->rest == after->rest && same_condition(c, before->condition, after->condition);
}

static bool same_steps(const comparer *c, const field *before, const field *after)
{
    const delta_part *old = before->part, *now = after->part;
    if (!old != !now || (now && old->starts != now->starts) ||
        (now && !(same_sum(c, old->number, now->number) && same_sum(c, old->base, now->base) &&
                  same_sum(c, old->before, now->before))))
        return false;
    return before->has_delta == after->has_delta && before->delta_small == after->delta_small &&
           before->delta_large == after->delta_large && before->coded == after->coded &&
           before->still == after->still && same_speed(c, before->speed, after->speed) && before->chain == after->chain;
}

/* A small step over the end of a circle has the bits of another one without it. */
static void compare_wraps(field_pair *f)
{
    const bool was = f->before->type.wraps, is = f->after->type.wraps;
    if (was == is)
        return;
    change *made = add_field_change(f, CHANGE_WRAP, OUTCOME_KEPT, is ? "it goes round now" : "it no longer goes round");
    made->meaning = f->same_shape && (f->after->has_delta || f->after->coded);
}

/* Only the writers differ. */
static void compare_clamps(field_pair *f)
{
    const bool was = f->before->type.clamps, is = f->after->type.clamps;
    if (was != is)
        add_field_change(f, CHANGE_CLAMP, OUTCOME_KEPT,
                         is ? "a writer sends the nearest bound now" : "a writer refuses a value out of range now");
}

/* After the greatest number there is no next one. */
static void add_greatest(comparer *c, pair *of, pair *part, const field *after)
{
    const char *effect = lost_greatest(c, of, after);
    if (effect)
        add_change(c, part, CHANGE_AFTER, OUTCOME_LOST, "no number is greater")->effect = effect;
}

static void compare_afters(field_pair *f)
{
    const field *old = f->before->after, *now = f->after->after;
    const bool alike = comes_after_alike(f->c, f->before, f->after);
    if (alike && keeps_number_after(f->c, f->before, f->after))
        return;
    change *made = add_field_change(f, CHANGE_AFTER, now ? OUTCOME_CLAMPED : OUTCOME_KEPT,
                                    alike ? asked_words(f->c, now->name, now->name)
                                          : arrow_words(f->c, old ? old->name : "none", now ? now->name : "none"));
    made->meaning = f->same_shape && !alike;
    if (!now)
        return;
    made->effect = arena_printf(f->c->arena, "to the next number after '%s'", now->name);
    add_greatest(f->c, f->of, f->pair, f->after);
}

static void compare_relations(field_pair *f)
{
    const field *before = f->before, *after = f->after;
    arena *a = f->c->arena;
    if (!same_unless(f)) {
        change *made = add_field_change(f, CHANGE_UNLESS, OUTCOME_KEPT,
                                        arrow_words(f->c, unless_words(a, before), unless_words(a, after)));
        made->meaning = f->same_shape;
    }
    compare_afters(f);
    compare_wraps(f);
    compare_clamps(f);
    if (!same_steps(f->c, before, after)) {
        const bool whole = before->chain || after->chain || before->part || after->part;
        const char *none = whole ? "whole" : "no steps";
        add_field_change(f, CHANGE_DELTA, OUTCOME_KEPT,
                         arrow_words(f->c, delta_words(a, before, none), delta_words(a, after, none)));
    }
    const char *codes = codes_change(f->c, before, after);
    if (codes)
        add_field_change(f, CHANGE_MODEL, OUTCOME_KEPT, codes);
}

static void compare_conditions(field_pair *f)
{
    arena *a = f->c->arena;
    if (same_guard(f->c, f->old->guard, f->now->guard))
        return;
    const outcome what = f->now->guard ? OUTCOME_LOST : OUTCOME_DEFAULTED;
    change *made = add_field_change(f, CHANGE_CONDITION, what,
                                    asked_words(f->c, guard_words(a, f->old->guard), guard_words(a, f->now->guard)));
    made->effect = f->now->guard ? "where the new condition is false" : "where it was not sent";
}

static void compare_initials(field_pair *f)
{
    const field *before = f->before, *after = f->after;
    arena *a = f->c->arena;
    if (!is_scalar(&before->type) || !is_scalar(&after->type) || (!before->has_initial && !after->has_initial))
        return;
    const char *old = value_words(a, &before->type, given_value(before, true));
    const char *now = value_words(a, &after->type, given_value(after, true));
    if (strcmp(old, now) != 0)
        add_field_change(f, CHANGE_INITIAL, OUTCOME_KEPT, arrow_words(f->c, old, now));
}

static void compare_field(field_pair *f, bool moved)
{
    arena *a = f->c->arena;
    add_rename(f->c, f->pair);
    if (moved)
        add_field_change(f, CHANGE_MOVED, OUTCOME_KEPT,
                         arena_printf(a, "field %u -> %u", (unsigned)f->old->index + 1, (unsigned)f->now->index + 1));
    compare_conditions(f);
    compare_presence(f);
    compare_arrays(f);
    compare_types(f);
    compare_relations(f);
    compare_initials(f);
    const char *unit = unit_change(a, f->before->doc, f->after->doc);
    if (unit)
        add_field_change(f, CHANGE_UNIT, OUTCOME_KEPT, unit)->meaning = true;
}

/* ---- all fields of a type */

const bool *out_of_order(arena *a, const uint32_t *numbers, uint32_t n)
{
    /* ends[k]: the last number of the best rising sequence of k + 1 numbers so far; from[i]: the number before i in its
     * sequence. */
    uint32_t *ends = ARENA_ARRAY(a, uint32_t, n + 1), *from = ARENA_ARRAY(a, uint32_t, n + 1), length = 0;
    bool *moved = ARENA_ARRAY(a, bool, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low = 0, high = length;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (numbers[ends[middle]] < numbers[i])
                low = middle + 1;
            else
                high = middle;
        }
        from[i] = low ? ends[low - 1] : n;
        ends[low] = i;
        length += low == length;
        moved[i] = true;
    }
    for (uint32_t i = length ? ends[length - 1] : n; i != n; i = from[i])
        moved[i] = false;
    return moved;
}

typedef struct old_fields {
    const field **sent; /* by index */
    uint32_t sent_count;
    const field *gone[LOOKALIKES + 1]; /* old fields without a new one */
    uint32_t gone_count;
} old_fields;

static old_fields find_old_fields(comparer *c, const decl *before)
{
    old_fields o = {.sent = ARENA_ARRAY(c->arena, const field *, before->field_count + 1)};
    for (const field *f = before->fields; f; f = f->next) {
        if (!is_sent(f))
            continue;
        o.sent[place_of_field(&c->before, f)->index] = f;
        o.sent_count++;
        if (!new_field(c, f) && o.gone_count <= LOOKALIKES)
            o.gone[o.gone_count++] = f;
    }
    return o;
}

/* A removed field that could be this new one, because it looks the same. */
static const field *lookalike_field(comparer *c, const old_fields *old, const pair *part)
{
    for (uint32_t i = 0; i < old->gone_count && old->gone_count <= LOOKALIKES; i++)
        if (strcmp(field_words(c->arena, old->gone[i]), part->after_words) == 0)
            return old->gone[i];
    return NULL;
}

static void add_new_field(comparer *c, pair *of, pair *p, const old_fields *all, const field *after)
{
    const field *old = lookalike_field(c, all, p);
    change *made = add_change(c, p, CHANGE_ADDED, OUTCOME_DEFAULTED, p->after_words);
    made->effect = default_words(c->arena, after);
    if (old)
        advise_was(c, made, after->span, after->name, old->name);
    if (after->after && !after->optional)
        add_greatest(c, of, p, after);
}

/* If all bits of a type are in their old places, the bits of a field may belong to another field now. */
static void compare_bits(comparer *c, pair *p, const old_fields *all, const field *after)
{
    const uint32_t index = place_of_field(&c->after, after)->index;
    const field *old = index < all->sent_count ? all->sent[index] : NULL;
    if (!old || old_field(c, after) == old)
        return;
    add_change(c, p, CHANGE_MEANING, OUTCOME_KEPT, arena_printf(c->arena, "its bits were '%s'", old->name))->meaning =
        true;
}

/* Of the fields that were there, by their places now: the key of a list is first. */
static const bool *find_moved_fields(comparer *c, const decl *after)
{
    uint32_t *numbers = ARENA_ARRAY(c->arena, uint32_t, after->field_count + 1), n = 0;
    if (after->key && old_field(c, after->key))
        numbers[n++] = place_of_field(&c->before, old_field(c, after->key))->index;
    for (const field *f = after->fields; f; f = f->next)
        if (is_sent(f) && !f->key && old_field(c, f))
            numbers[n++] = place_of_field(&c->before, old_field(c, f))->index;
    return out_of_order(c->arena, numbers, n);
}

static void add_removed_fields(comparer *c, pair *p, const decl *before, pair ***last)
{
    for (const field *f = before->fields; f; f = f->next) {
        if (!is_sent(f) || new_field(c, f))
            continue;
        pair *part = add_pair(c, last, "field", f->name, NULL);
        part->before_words = field_words(c->arena, f);
        add_change(c, part, CHANGE_REMOVED, OUTCOME_LOST, part->before_words);
        p->outcome = worse(p->outcome, part->outcome);
    }
}

/* ---- layout items */

typedef struct layout_item {
    const char *words;
    const guard *guard;
} layout_item;

typedef struct layout_items {
    layout_item *list;
    uint32_t count, capacity;
} layout_items;

static void find_items(comparer *c, const block *b, const guard *outer, layout_items *found)
{
    for (const item *it = b->items; it; it = it->next) {
        if (it->kind == ITEM_IF) {
            find_items(c, &it->as.branch.then, guarded(c, outer, it, false, NULL), found);
            find_items(c, &it->as.branch.other, guarded(c, outer, it, true, NULL), found);
        } else if (it->kind == ITEM_SWITCH) {
            for (const arm *each = it->as.choice.arms; each; each = each->next)
                find_items(c, &each->body, guarded(c, outer, it, false, each), found);
        } else if (it->kind != ITEM_FIELD) {
            if (found->count == found->capacity) {
                found->list = arena_grow(c->arena, found->list, found->capacity * sizeof *found->list,
                                         2 * found->capacity * sizeof *found->list);
                found->capacity *= 2;
            }
            found->list[found->count++] = (layout_item){item_words(c->arena, it), outer};
        }
    }
}

static bool same_item(const comparer *c, const layout_item *before, const layout_item *after)
{
    return strcmp(before->words, after->words) == 0 && same_guard(c, before->guard, after->guard);
}

static const char *layout_words(arena *a, const layout_item *i)
{
    return i->guard ? arena_printf(a, "%s, %s", i->words, guard_words(a, i->guard)) : i->words;
}

/* Finds the next item that is in both lists, from *old and *now on, but only nearby. */
static void find_common(const comparer *c, const layout_items *before, const layout_items *after, uint32_t *old,
                        uint32_t *now)
{
    enum { NEARBY = 64 };
    for (uint32_t sum = 0; sum < NEARBY; sum++) {
        for (uint32_t i = 0; i <= sum; i++) {
            uint32_t x = *old + i, y = *now + sum - i;
            if (x < before->count && y < after->count && same_item(c, &before->list[x], &after->list[y])) {
                *old = x;
                *now = y;
                return;
            }
        }
    }
    *old = before->count;
    *now = after->count;
}

static void compare_items(comparer *c, pair *p, const decl *before, const decl *after)
{
    enum { ROOM = 8 };
    layout_items old = {ARENA_ARRAY(c->arena, layout_item, ROOM), 0, ROOM};
    layout_items now = {ARENA_ARRAY(c->arena, layout_item, ROOM), 0, ROOM};
    find_items(c, &before->body, NULL, &old);
    find_items(c, &after->body, NULL, &now);
    for (uint32_t i = 0, k = 0; i < old.count || k < now.count; i++, k++) {
        uint32_t old_end = i, now_end = k;
        find_common(c, &old, &now, &old_end, &now_end);
        for (; i < old_end; i++)
            add_change(c, p, CHANGE_LAYOUT, OUTCOME_KEPT,
                       arena_printf(c->arena, "removed: %s", layout_words(c->arena, &old.list[i])));
        for (; k < now_end; k++)
            add_change(c, p, CHANGE_LAYOUT, OUTCOME_KEPT,
                       arena_printf(c->arena, "added: %s", layout_words(c->arena, &now.list[k])));
    }
}

void compare_fields(comparer *c, pair *p, const decl *before, const decl *after)
{
    const bool same = same_shape(c, before, after), *moved = find_moved_fields(c, after);
    const old_fields all = find_old_fields(c, before);
    const char *masks = masks_change(c, before, after);
    pair **last = &p->parts;
    uint32_t matched = after->key && old_field(c, after->key);
    compare_items(c, p, before, after);
    if (masks)
        add_change(c, p, CHANGE_MODEL, OUTCOME_KEPT, masks);
    for (const field *f = after->fields; f; f = f->next) {
        if (!is_sent(f))
            continue;
        const field *old = old_field(c, f);
        pair *part = add_pair(c, &last, "field", old ? old->name : NULL, f->name);
        part->before_words = old ? field_words(c->arena, old) : "";
        part->after_words = field_words(c->arena, f);
        field_pair pairs = {
            c, p, part, old, f, old ? place_of_field(&c->before, old) : NULL, place_of_field(&c->after, f), same};
        if (old)
            compare_field(&pairs, moved[f->key ? 0 : matched++]);
        else
            add_new_field(c, p, part, &all, f);
        if (same)
            compare_bits(c, part, &all, f);
        p->outcome = worse(p->outcome, part->outcome);
    }
    add_removed_fields(c, p, before, &last);
    if (!same && !has_changed(p))
        add_change(c, p, CHANGE_LAYOUT, OUTCOME_KEPT, "what is between the fields is in another place");
}
