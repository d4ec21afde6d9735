/* dissect_sent.c - compares each item that tshark shows with what the codec has read in its place.
 * SPDX-License-Identifier: MIT
 *
 * An item of a delta is in the tree as it was sent, whether or not the dissector knows the baseline: with its value, its
 * difference from the baseline, or both. The codec's values, and their baselines, are found by the names of the items:
 * "State.bodies[3].x". An item of an unknown kind is a mistake, so that no kind is left out: not_compared lists those that are.
 */
#include "dissect_place.h"
#include "dissect_tree.h"
#include "model/coding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

sent_count sent_compared;

/* A subset of an array: the elements that are there, or have changed. */
typedef struct sent_subset {
    struct sent_subset *next;
    const char *name;   /* that of its items */
    const record *of;   /* has the array */
    bool *has;          /* by element: whether it is in the subset */
    uint32_t count, at; /* elements; the next one that an item can tell of */
    bool runs;          /* the items tell of surprises */
    const field *list;  /* of a list in a delta, whose elements before are `old`: the indices are theirs; else NULL */
    slot old;
    uint32_t fresh; /* the next element now that an item can tell of as new */
} sent_subset;

/* A change mask that was compared: another one of the same struct is of the next block. */
typedef struct sent_mask {
    struct sent_mask *next;
    const record *of;
} sent_mask;

typedef struct sent_items {
    arena *arena;
    place_finder finder;
    const uint8_t *data;
    sent_subset *subsets; /* the newest first, as below */
    sent_mask *masks;
} sent_items;

/* An item, and its name without the last part: ".bodies[3]". */
typedef struct sent_item {
    const shown *shown;
    place outer;
    const char *leaf; /* "x" */
} sent_item;

/* Items that are not compared, by the start of their text. */
static const struct {
    const char *text, *why;
} not_compared[] = {
    {"the others are as expected",
     "which are expected depends on the prediction; those that change are items of their own"},
};

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_filter(const shown *s, const char *end)
{
    const size_t size = strlen(s->filter), end_size = strlen(end);
    return size >= end_size && strcmp(s->filter + size - end_size, end) == 0;
}

static const char *differs(arena *a, const shown *s, const char *wanted)
{
    if (wanted && is_label_text(s->text, wanted))
        return NULL;
    return arena_printf(a, "%s at bit %" PRIu64 " is shown as %s, not %s", s->name, s->bit, s->text,
                        wanted ? wanted : "a value");
}

/* Up to 64 bits of the datagram. */
static uint64_t sent_bits(const sent_items *all, const shown *s)
{
    uint64_t number = 0;
    for (uint64_t i = 0; i < s->bits && i < 64; i++)
        number |= (uint64_t)(all->data[(s->bit + i) / 8] >> (s->bit + i) % 8 & 1) << i;
    return number;
}

/* ---- values and differences */

static const char *way_text(arena *a, way w)
{
    return arena_printf(a, "%c%" PRIu64, w.down ? '-' : '+', w.far);
}

static const char *turn_text(arena *a, const type *t, const datum *from, const datum *to)
{
    uint64_t before, after;
    const char *text = "";
    if (scalar_code(t, from, &before) != PKT_OK || scalar_code(t, to, &after) != PKT_OK || (before & 3) != (after & 3))
        return NULL;
    for (unsigned part = 0; part < 3; part++) {
        const way w = way_between(part_of_rotation(before, part, t->bits), part_of_rotation(after, part, t->bits), 0);
        text = arena_printf(a, "%s%s%s", text, part ? ", " : "", way_text(a, w));
    }
    return text;
}

/* "+3": the difference between two values; NULL if there is none that can be sent. */
static const char *difference_text(arena *a, const type *t, const datum *from, const datum *to)
{
    uint64_t before, after;
    if (t->kind == TYPE_BOOL)
        return from->number != to->number ? "the other value" : NULL;
    if (t->kind == TYPE_QUAT)
        return turn_text(a, t, from, to);
    if (!coded_code(t, to, &after))
        return NULL;
    /* As in wire.md: a baseline's number that cannot be written counts as code 0. */
    if (!coded_code(t, from, &before))
        before = 0;
    return way_text(a, way_between(before, after, circle_of(t)));
}

/* "start + 3" */
static const char *after_text(arena *a, const place *p)
{
    const field *start = p->field->after;
    const uint64_t from = slot_at(slot_of(p->record, start), 0)->number;
    return arena_printf(a, "%s + %" PRIu64, start->name, (p->value->number - from) & UINT32_MAX);
}

/* A value, maybe with its difference after it: "12 (+3)". */
static const char *value_problem(const sent_items *all, const shown *s, const place *p)
{
    arena *a = all->arena;
    const field *f = p->field;
    const char *last = f->coded || f->has_delta ? strrchr(s->text, '(') : NULL, *text = s->text;
    sent_compared.values++;
    if (last && last > text && (last[1] == '+' || last[1] == '-')) {
        const char *wanted = difference_text(a, &f->type, p->old, p->value);
        sent_compared.differences++;
        if (!wanted || strcmp(last, arena_printf(a, "(%s)", wanted)) != 0)
            return differs(a, s, arena_printf(a, "... (%s)", wanted ? wanted : "no difference"));
        text = arena_text(a, text, (size_t)(last - text) - 1);
    }
    return is_value_text(a, &f->type, text, p->value) ? NULL : differs(a, s, NULL);
}

static const char *difference_problem(const sent_items *all, const shown *s, const place *p)
{
    sent_compared.differences++;
    return differs(all->arena, s,
                   p->field->after ? after_text(all->arena, p)
                                   : difference_text(all->arena, &p->field->type, p->old, p->value));
}

/* ---- change masks */

/* The taken block with the number *number among those that have a mask, in their order on the wire. */
static const block *masked_block(const block *b, const record *r, uint32_t *number)
{
    bool has_mask = false;
    for (const item *i = b->items; i; i = i->next)
        has_mask = has_mask || i->kind == ITEM_FIELD;
    if (has_mask && (*number)-- == 0)
        return b;
    for (const item *i = b->items; i; i = i->next) {
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, r) : NULL;
        const block *found = taken ? masked_block(taken, r, number) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const char *mask_text(sent_items *all, const place *p)
{
    uint32_t number = 0, count = 0;
    for (const sent_mask *m = all->masks; m; m = m->next)
        number += m->of == p->record;
    sent_mask *own = ARENA_NEW(all->arena, sent_mask);
    *own = (sent_mask){.next = all->masks, .of = p->record};
    all->masks = own;
    const block *b = masked_block(&p->decl->body, p->record, &number);
    if (!b)
        return NULL;
    for (const item *i = b->items; i; i = i->next)
        count += i->kind == ITEM_FIELD;
    bool *changed = ARENA_ARRAY(all->arena, bool, count), any = false;
    count = 0;
    for (const item *i = b->items; i; i = i->next)
        if (i->kind == ITEM_FIELD) {
            const field *f = i->as.field;
            changed[count] = !same_slots(&all->finder.codec, f, slot_of(p->old_record, f), slot_of(p->record, f));
            any = any || changed[count];
            count++;
        }
    return any ? changed_names(&all->finder.codec, b->items, changed) : "none";
}

/* ---- subsets */

static void find_elements(sent_items *all, const place *p, sent_subset *s)
{
    const field *f = p->field;
    const slot *now = slot_of(p->record, f);
    if (f->array == ARRAY_SPARSE) {
        for (uint32_t k = 0; k < now->count; k++)
            s->has[now->indices[k]] = true;
        return;
    }
    const slot old = place_old_slot(&all->finder, p);
    uint32_t each = 1;
    for (uint32_t d = p->depth + 1; d < f->dim_count; d++)
        each *= f->dims[d];
    for (uint32_t i = 0; i < s->count; i++)
        s->has[i] = !same_run(&all->finder.codec, f, &old, now, p->first + i * each, each);
}

/* The subset that an item belongs to. */
static sent_subset *subset_of(sent_items *all, const shown *s, const place *p)
{
    for (sent_subset *old = all->subsets; old; old = old->next)
        if (old->of == p->record && strcmp(old->name, s->name) == 0)
            return old;
    const field *f = p->field;
    const bool counted = f->array == ARRAY_COUNTED;
    sent_subset *own = ARENA_NEW(all->arena, sent_subset);
    *own = (sent_subset){.next = all->subsets, .name = s->name, .of = p->record};
    own->count = counted ? slot_of(p->record, f)->count : f->dims[p->depth];
    own->has = ARENA_ARRAY(all->arena, bool, own->count);
    find_elements(all, p, own);
    all->subsets = own;
    return own;
}

/* ---- lists, whose deltas have two subsets: the elements that are gone, and those that differ */

/* Whether an old element is gone, or differs. */
static bool is_in(sent_items *all, const sent_subset *s, const slot *now, uint32_t i, bool gone)
{
    const datum *was = slot_at(&s->old, i), *is = place_with_key(s->list, now, was);
    if (!is || gone)
        return !is == gone;
    const slot one = {.present = true, .count = 1, .data = (datum *)(uintptr_t)was};
    const slot other = {.present = true, .count = 1, .data = (datum *)(uintptr_t)is};
    return !same_run(&all->finder.codec, s->list, &one, &other, 0, 1);
}

static sent_subset *begin_subset(sent_items *all, const shown *line, const place *p, bool gone)
{
    sent_subset *own = ARENA_NEW(all->arena, sent_subset);
    const slot *now = slot_of(p->record, p->field);
    *own = (sent_subset){.next = all->subsets, .name = line->name, .of = p->record, .list = p->field};
    own->old = place_old_slot(&all->finder, p);
    own->count = own->old.count;
    own->has = ARENA_ARRAY(all->arena, bool, own->count);
    for (uint32_t i = 0; i < own->count; i++)
        own->has[i] = is_in(all, own, now, i, gone);
    all->subsets = own;
    return own;
}

/* Goes on to the next new element of the list; NULL if there is none. */
static const datum *next_new(sent_subset *s, const slot *now)
{
    while (s->fresh < now->count && place_with_key(s->list, &s->old, slot_at(now, s->fresh)))
        s->fresh++;
    return s->fresh < now->count ? slot_at(now, s->fresh) : NULL;
}

static bool any_in(const sent_subset *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->has[i])
            return true;
    return false;
}

/* What is wrong with an item of a list in a delta: the bit before a subset, or a new key. False if it is another item. */
static bool is_of_list(sent_items *all, const shown *line, const place *p, const char **problem)
{
    const field *f = p->field;
    const slot *now = slot_of(p->record, f);
    const size_t key_size = strlen(f->by->name);
    const char *text = line->text, *wanted;
    if (strcmp(text, "none gone") == 0 || strcmp(text, "some gone") == 0) {
        wanted = any_in(begin_subset(all, line, p, true)) ? "some gone" : "none gone";
    } else if (strcmp(text, "a new key") == 0 || strcmp(text, "no new key") == 0) {
        wanted = next_new(subset_of(all, line, p), now) ? "a new key" : "no new key";
        if (strcmp(text, "no new key") == 0)
            begin_subset(all, line, p, false);
    } else if (begins(text, f->by->name) && text[key_size] == ' ') {
        sent_subset *s = subset_of(all, line, p);
        const datum *d = next_new(s, now);
        wanted = d ? key_text(all->arena, f, d) : "no key";
        s->fresh++;
    } else {
        return false;
    }
    *problem = differs(all->arena, line, wanted);
    return true;
}

/* "5", or of a list "5 (id 17)". */
static const char *index_text(arena *a, const sent_subset *s, uint32_t i)
{
    return s->list ? arena_printf(a, "%" PRIu32 " (%s)", i, key_text(a, s->list, slot_at(&s->old, i)))
                   : arena_printf(a, "%" PRIu32, i);
}

/* Goes on to an element. False if it left one out. */
static bool skip_to(sent_subset *s, uint64_t index)
{
    while (s->at < index && s->at < s->count && !s->has[s->at])
        s->at++;
    return s->at == index;
}

static const char *elements_count_text(arena *a, const sent_subset *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        count += s->has[i];
    return count == 1 ? "1 element" : arena_printf(a, "%" PRIu32 " elements", count);
}

static const char *bitmap_text(arena *a, sent_subset *s)
{
    const char *text = "";
    for (uint32_t i = 0; i < s->count; i++)
        if (s->has[i])
            text = arena_printf(a, *text ? "%s, %s" : "%s%s", text, index_text(a, s, i));
    s->at = s->count;
    return *text ? arena_printf(a, "bitmap of %s", text) : "no index";
}

/* "element 3 changes": which ones are surprises depends on the prediction. */
static const char *run_problem(arena *a, const shown *line, sent_subset *s)
{
    const uint64_t index = strtoull(line->text + strlen("element "), NULL, 10);
    s->runs = true;
    if (index >= s->count)
        return differs(a, line, "another element");
    return differs(
        a, line,
        arena_printf(a, "element %s %s", index_text(a, s, (uint32_t)index), s->has[index] ? "changes" : "stays"));
}

static const char *subset_problem(sent_items *all, const shown *line, const place *p)
{
    arena *a = all->arena;
    const char *text = line->text, *problem = NULL;
    if (p->field->by && is_of_list(all, line, p, &problem))
        return problem;
    sent_subset *s = subset_of(all, line, p);
    if (begins(text, "element "))
        return run_problem(a, line, s);
    if (begins(text, "index ")) {
        const uint64_t index = strtoull(text + strlen("index "), NULL, 10);
        const bool good = skip_to(s, index) && index < s->count && s->has[index];
        s->at++;
        return differs(a, line,
                       good ? arena_printf(a, "index %s", index_text(a, s, (uint32_t)index)) : "another index");
    }
    if (begins(text, "no index before "))
        return skip_to(s, strtoull(text + strlen("no index before "), NULL, 10)) ? NULL : differs(a, line, "an index");
    if (begins(text, "bitmap of ") || strcmp(text, "no index") == 0)
        return differs(a, line, bitmap_text(a, s));
    if (begins(text, "as "))
        return differs(a, line, sent_bits(all, line) ? "as a bitmap" : "as differences");
    if (strcmp(text, "end") == 0)
        return skip_to(s, s->count) ? NULL : differs(a, line, "an index");
    return differs(a, line, elements_count_text(a, s));
}

/* A subset of which an element was not shown. */
static const char *subset_end_problem(sent_items *all)
{
    for (sent_subset *s = all->subsets; s; s = s->next)
        if (!s->runs && !skip_to(s, s->count))
            return arena_printf(all->arena, "%s: element %" PRIu32 " is not shown", s->name, s->at);
    return NULL;
}

/* ---- items */

/* Fields of Wireshark for what has no name in a schema. The place is of what has the item. */
static const char *check_item(sent_items *all, const shown *s)
{
    const char *wanted = arena_printf(all->arena, "0x%08" PRIx64, sent_bits(all, s));
    const size_t size = strlen(wanted);
    return strncmp(s->text, wanted, size) == 0 && (!s->text[size] || begins(s->text + size, " (its seed "))
               ? NULL
               : differs(all->arena, s, wanted);
}

static const char *layout_item(sent_items *all, const shown *s, const char *leaf)
{
    if (strcmp(leaf, "align") == 0)
        return differs(all->arena, s, sent_bits(all, s) == 0 ? "zeros" : NULL);
    return differs(all->arena, s, arena_printf(all->arena, "0x%" PRIx64, sent_bits(all, s)));
}

static bool is_difference(const char *text)
{
    return *text == '+' || *text == '-' || strstr(text, " + ") || strcmp(text, "the other value") == 0;
}

/* Of a mask, a form bit, or an item whose value is not known. */
static const char *change_problem(sent_items *all, const sent_item *i)
{
    const shown *s = i->shown;
    place p = i->outer;
    if (is_difference(s->text)) {
        const char *rest = arena_printf(all->arena, ".%s", i->leaf);
        if (!place_follow(&all->finder, &p, rest, strlen(rest)) || !p.value)
            return differs(all->arena, s, "a field");
        return difference_problem(all, s, &p);
    }
    sent_compared.others++;
    if (strcmp(i->leaf, "form") == 0)
        return differs(all->arena, s, sent_bits(all, s) ? "coded" : "plain");
    return differs(all->arena, s, strcmp(i->leaf, "changes") == 0 && p.decl ? mask_text(all, &p) : NULL);
}

/* What comes before a field, or tells of it: has_x, x_count, x_size[3], and the tag of a union. */
static const char *head_text(const sent_items *all, const sent_item *i)
{
    const place *outer = &i->outer;
    const char *leaf = i->leaf, *sub = leaf + strcspn(leaf, "[");
    const size_t size = (size_t)(sub - leaf);
    if (outer->decl->kind == DECL_UNION) {
        const member *m = member_of_value(outer->decl, num_u64(outer->value->tag));
        return strcmp(leaf, "tag") == 0 && m ? arena_printf(all->arena, "%s (%" PRIu64 ")", m->name, outer->value->tag)
                                             : NULL;
    }
    const field *f = begins(leaf, "has_") ? place_field(outer, leaf + 4, size - 4) : NULL;
    if (f && f->optional)
        return slot_of(outer->record, f)->present ? "true" : "false";
    f = size > 6 && begins(sub - 6, "_count") ? place_field(outer, leaf, size - 6) : NULL;
    if (f && f->array == ARRAY_COUNTED)
        return arena_printf(all->arena, "%" PRIu32, slot_of(outer->record, f)->count);
    if (size <= 5 || !begins(sub - 5, "_size"))
        return NULL;
    place p = *outer;
    const char *rest = arena_printf(all->arena, ".%.*s%s", (int)size - 5, leaf, sub);
    if (!place_follow(&all->finder, &p, rest, strlen(rest)) || !p.value || p.field->type.kind != TYPE_BYTES)
        return NULL;
    return arena_printf(all->arena, "%" PRIu32, p.value->size);
}

/* What is wrong with an item inside a value. */
static const char *inner_problem(sent_items *all, const sent_item *i)
{
    const shown *s = i->shown;
    place p = i->outer;
    const char *rest = arena_printf(all->arena, ".%s", i->leaf);
    if (ends_filter(s, ".change-mask"))
        return change_problem(all, i);
    const bool found = p.decl && p.decl->kind != DECL_UNION && place_follow(&all->finder, &p, rest, strlen(rest));
    if (ends_filter(s, ".subset-index") && found && p.field->array != ARRAY_NONE) {
        sent_compared.others++;
        for (size_t k = 0; k < sizeof not_compared / sizeof not_compared[0]; k++)
            if (begins(s->text, not_compared[k].text)) {
                subset_of(all, s, &p)->runs = true;
                return NULL;
            }
        return subset_problem(all, s, &p);
    }
    if (found && p.value)
        return value_problem(all, s, &p);
    sent_compared.others++;
    const char *wanted = i->outer.decl ? head_text(all, i) : NULL;
    return wanted ? differs(all->arena, s, wanted)
                  : arena_printf(all->arena, "%s at bit %" PRIu64 ", %s, is of a kind that is not compared (%s)",
                                 s->name, s->bit, s->text, s->filter);
}

static const char *shown_problem(sent_items *all, const shown *s, const place *root, const char *root_name)
{
    const char *leaf = strrchr(s->name, '.');
    sent_item own = {.shown = s, .leaf = leaf ? leaf + 1 : s->name};
    if (ends_filter(s, ".packet-crc") || ends_filter(s, ".end-check")) {
        sent_compared.others++;
        return check_item(all, s);
    }
    if (ends_filter(s, ".layout-item")) {
        sent_compared.others++;
        return layout_item(all, s, own.leaf);
    }
    const size_t root_size = root ? strlen(root_name) : 0;
    if (root && leaf && strncmp(s->name, root_name, root_size) == 0 && s->name[root_size] == '.') {
        own.outer = *root;
        const char *rest = s->name + root_size;
        if (place_follow(&all->finder, &own.outer, rest, (size_t)(leaf - rest)))
            return inner_problem(all, &own);
    }
    return arena_printf(all->arena, "%s at bit %" PRIu64 ", %s, is in no value", s->name, s->bit, s->text);
}

const char *sent_problem(arena *a, const expected *e, const tree *t)
{
    sent_items all = {.arena = a, .data = e->bits->data};
    const codec_part *next = e->decl ? NULL : e->parts;
    const char *problem = NULL;
    all.finder = place_finder_of(a, e->schema, e->decl ? e->parts : NULL);
    place root = e->decl ? place_of_value(&all.finder, e->decl, e->value, e->base) : (place){0};
    const char *name = e->decl ? e->decl->name : "";
    for (size_t i = 0; i < t->count && !problem; i++) {
        const shown *s = &t->items[i];
        /* A value of a stream begins with an item of its type. */
        if (next && strcmp(s->name, next->decl->name) == 0 && strcmp(s->text, "the whole value") != 0) {
            root = place_of_value(&all.finder, next->decl, &next->value, next->base);
            name = next->decl->name;
            next = next->next;
        }
        /* The index of the only element that can be there takes no bits, nor does a bool that has changed. */
        if (s->bits > 0 || ends_filter(s, ".subset-index") || strcmp(s->text, "the other value") == 0)
            problem = shown_problem(&all, s, root.decl ? &root : NULL, name);
    }
    return problem || t->unknown ? problem : subset_end_problem(&all);
}
