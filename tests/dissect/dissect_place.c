/* dissect_place.c - finds values and their baselines by the names of items.
 * SPDX-License-Identifier: MIT
 */
#include "dissect_place.h"
#include "model/type_table.h"

#include <stdlib.h>
#include <string.h>

place_finder place_finder_of(arena *a, const schema *s, const codec_part *parts)
{
    static codec_error ignored;
    const codec compares = {
        .arena = a, .bases = bases_new(a), .schema = s, .reading = true, .limit = UINT64_MAX, .error = &ignored};
    return (place_finder){.arena = a, .codec = compares, .parts = parts};
}

/* The baseline of a value, without what it does not use. */
static const datum *settled_base(const place_finder *f, const decl *d, const datum *base)
{
    datum *settled = ARENA_NEW(f->arena, datum);
    bases *known = f->codec.bases;
    *settled = base ? bases_settled(known, f->arena, base) : bases_type(known, f->arena, d);
    return settled;
}

static void enter_struct(place *at)
{
    if (at->decl && at->decl->kind != DECL_UNION) {
        at->record = at->value->record;
        at->old_record = at->old->record;
    }
}

place place_of_value(const place_finder *f, const decl *d, const datum *v, const datum *base)
{
    place at = {.decl = d, .value = v, .old = settled_base(f, d, base)};
    enter_struct(&at);
    return at;
}

const field *place_field(const place *at, const char *name, size_t size)
{
    const field *f = at->decl ? at->record->decl->fields : NULL;
    while (f && (strlen(f->name) != size || strncmp(f->name, name, size) != 0))
        f = f->next;
    return f;
}

/* A slot of the baseline; base values if the field is absent there. */
static slot there_slot(const place_finder *f, const field *of, const record *old)
{
    const slot s = *slot_of(old, of);
    if (s.present && (s.count > 0 || of->array != ARRAY_NONE))
        return s;
    field bare = *of;
    bare.optional = false;
    return bases_slot(f->codec.bases, f->arena, &bare);
}

slot place_old_slot(const place_finder *f, const place *at)
{
    const slot s = there_slot(f, at->field, at->old_record);
    const uint32_t count = slot_of(at->record, at->field)->count;
    if (s.count >= count || at->field->by)
        return s;
    slot longer = {.present = true, .count = count, .data = ARENA_ARRAY(f->arena, datum, count)};
    for (uint32_t i = 0; i < count; i++)
        longer.data[i] = i < s.count ? *slot_at(&s, i) : bases_datum(f->codec.bases, at->field);
    return longer;
}

/* Takes "[1][2]" from the start of a text. False if it has more subscripts than the array. */
static bool take_subscripts(place *at, const char **text)
{
    const field *f = at->field;
    for (at->depth = 0, at->first = 0; **text == '['; at->depth++) {
        char *end;
        if (at->depth == f->dim_count)
            return false;
        const uint32_t index = (uint32_t)strtoul(*text + 1, &end, 10);
        at->first = at->depth ? at->first * f->dims[at->depth] + index : index;
        *text = end + 1;
    }
    for (uint32_t i = at->depth ? at->depth : 1; i < f->dim_count; i++)
        at->first *= f->dims[i];
    return true;
}

static const datum *element_with(const field *f, const slot *s, uint32_t index)
{
    if (f->array != ARRAY_SPARSE)
        return index < s->count ? slot_at(s, index) : NULL;
    for (uint32_t k = 0; k < s->count; k++)
        if (s->indices[k] == index)
            return slot_at(s, k);
    return NULL;
}

const datum *place_with_key(const field *list, const slot *s, const datum *element)
{
    const uint64_t key = slot_at(slot_of(element->record, list->by), 0)->number;
    for (uint32_t i = 0; i < s->count; i++)
        if (slot_at(slot_of(slot_at(s, i)->record, list->by), 0)->number == key)
            return slot_at(s, i);
    return NULL;
}

/* What a new element of a list starts from. */
static datum initial_element(const place_finder *f, const field *list, const datum *element)
{
    const datum initial = {.record = bases_initial(f->codec.bases, f->arena, list->type.decl)};
    *slot_of(initial.record, list->by) = *slot_of(element->record, list->by);
    return bases_settled(f->codec.bases, f->arena, &initial);
}

static const codec_part *part_of_field(const place_finder *f, const field *of)
{
    const codec_part *p = f->parts;
    while (p && p->field != of)
        p = p->next;
    return p;
}

/* The baseline of the element, or of the value of a field that is not an array. */
static const datum *old_element(const place_finder *f, const place *at, const slot *now)
{
    const field *of = at->field;
    if (of->chain)
        return at->first > 0 ? slot_at(now, at->first - 1) : settled_base(f, of->type.decl, NULL);
    if (of->part) {
        const codec_part *p = part_of_field(f, of);
        return settled_base(f, of->type.decl, p ? p->base : NULL);
    }
    const slot s = there_slot(f, of, at->old_record);
    const datum *old = of->by                      ? place_with_key(of, &s, slot_at(now, at->first))
                       : of->array == ARRAY_SPARSE ? NULL
                                                   : element_with(of, &s, at->first);
    if (old)
        return old;
    const slot *starts = at->start && at->start->decl == of->owner && is_own_list(of) ? slot_of(at->start, of) : NULL;
    const datum *like = starts ? place_with_key(of, starts, slot_at(now, at->first)) : NULL;
    if (like)
        return like;
    datum *base = ARENA_NEW(f->arena, datum);
    *base = of->by ? initial_element(f, of, slot_at(now, at->first)) : bases_datum(f->codec.bases, of);
    return base;
}

static bool enter_member(const place_finder *f, place *at, const char *name, size_t size)
{
    const member *m = member_of_value(at->decl, num_u64(at->value->tag));
    if (!m || strlen(m->name) != size || strncmp(m->name, name, size) != 0)
        return false;
    const bool same = at->old->tag == at->value->tag && at->old->record;
    at->record = at->value->record;
    at->old_record = same ? at->old->record : bases_record(f->codec.bases, f->arena, m->type);
    at->decl = m->type;
    return true;
}

bool place_follow(const place_finder *f, place *at, const char *rest, size_t size)
{
    const char *const end = rest + size;
    while (rest < end) {
        const char *name = rest + 1;
        const size_t length = strcspn(name, ".[");
        if (*rest != '.' || !at->decl)
            return false;
        rest = name + length;
        if (at->decl->kind == DECL_UNION) {
            if (!enter_member(f, at, name, length))
                return false;
            continue;
        }
        at->field = place_field(at, name, length);
        at->decl = NULL;
        if (!at->field || at->field->local || !take_subscripts(at, &rest))
            return false;
        const slot *now = slot_of(at->record, at->field);
        const bool whole = at->field->array == ARRAY_NONE || at->depth == at->field->dim_count;
        at->value = now->present && whole ? element_with(at->field, now, at->first) : NULL;
        at->old = at->value ? old_element(f, at, now) : NULL;
        const codec_part *part = at->field->part ? part_of_field(f, at->field) : NULL;
        if (part && part->start)
            at->start = settled_base(f, at->field->type.decl, part->start)->record;
        at->decl = at->value && is_composite(&at->field->type) ? at->field->type.decl : NULL;
        enter_struct(at);
    }
    return true;
}
