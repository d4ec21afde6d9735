/* dissect_sent.c - compares each item that tshark shows with the value that the codec has read in its place.
 * SPDX-License-Identifier: MIT
 *
 * An item of a delta is in the tree as it was sent, whether or not the dissector knows the baseline: with its value, or with
 * its difference from a baseline that only the codec knows. The codec's values are found by the names of the items:
 * "State.bodies[3].x".
 */
#include "codec/codec_internal.h"
#include "codec/codec_scalar.h"
#include "dissect_tree.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

sent_count sent_compared;

/* What a name stands for. */
typedef struct named {
    const decl *decl;     /* of a struct or union; otherwise NULL */
    const field *field;   /* the last one of the name */
    const record *record; /* it is in */
    const slot *slot;     /* and what it has */
    const datum *value;   /* NULL: an array, or nothing */
} named;

/* Takes "[1][2]" from the start of a text: the number of an innermost element. False if it has too few subscripts. */
static bool take_subscripts(const char **text, const field *f, uint64_t *index)
{
    *index = 0;
    for (uint32_t i = 0; i < f->dim_count; i++) {
        if (**text != '[')
            return false;
        char *end;
        const uint64_t at = strtoull(*text + 1, &end, 10);
        *index = i ? *index * f->dims[i] + at : at;
        *text = end + 1;
    }
    return true;
}

static const datum *element_with(const slot *s, uint64_t index)
{
    if (!s->indices)
        return index < s->count ? slot_at(s, (uint32_t)index) : NULL;
    for (uint32_t k = 0; k < s->count; k++)
        if (s->indices[k] == index)
            return slot_at(s, k);
    return NULL;
}

static const field *field_called(const decl *d, const char *name, size_t size)
{
    const field *f = d->fields;
    while (f && (strlen(f->name) != size || strncmp(f->name, name, size) != 0))
        f = f->next;
    return f;
}

/* One step on the path: ".x[3]" of a struct, ".member" of a union. */
static bool step_into(named *at, const char **rest)
{
    const char *name = *rest + 1;
    const size_t size = strcspn(name, ".[");
    uint64_t index = 0;
    *rest = name + size;
    if (at->decl->kind == DECL_UNION) {
        const member *m = member_of_value(at->decl, num_u64(at->value->tag));
        const bool same = m && strlen(m->name) == size && strncmp(m->name, name, size) == 0;
        at->decl = same ? m->type : NULL;
        return same;
    }
    at->record = at->value->record;
    at->field = field_called(at->decl, name, size);
    at->value = NULL;
    at->decl = NULL;
    if (!at->field || at->field->local)
        return false;
    at->slot = slot_of(at->record, at->field);
    if (at->slot->present && take_subscripts(rest, at->field, &index))
        at->value = element_with(at->slot, index);
    at->decl = at->value && is_composite(&at->field->type) ? at->field->type.decl : NULL;
    return true;
}

/* What a path, such as ".bodies[3].x", stands for in a value. */
static bool find_named_value(const decl *d, const datum *v, const char *rest, named *found)
{
    *found = (named){.decl = d, .value = v};
    while (*rest == '.' && found->decl)
        if (!step_into(found, &rest))
            return false;
    return *rest == '\0' && found->value && !found->decl;
}

/* "+3": the difference between two numbers. */
static const char *difference_text(arena *a, const type *t, const datum *from, const datum *to)
{
    uint64_t before, after;
    if (t->kind == TYPE_BOOL)
        return "the other value";
    before = from->number;
    after = to->number;
    if (t->kind != TYPE_COMPACT && (scalar_code(t, from, &before) != PKT_OK || scalar_code(t, to, &after) != PKT_OK))
        return NULL;
    const way w = way_between(before, after, circle_of(t));
    return arena_printf(a, "%c%" PRIu64, w.down ? '-' : '+', w.far);
}

/* "start + 3" */
static const char *after_text(arena *a, const field *start, const named *now)
{
    const uint64_t from = slot_at(slot_of(now->record, start), 0)->number;
    return arena_printf(a, "%s + %" PRIu64, start->name, (now->value->number - from) & UINT32_MAX);
}

/* The text before " (+3)", if it ends so. */
static const char *without_difference(arena *a, const char *text)
{
    const char *last = strrchr(text, '(');
    if (!last || last == text || (last[1] != '+' && last[1] != '-'))
        return text;
    return arena_text(a, text, (size_t)(last - text) - 1);
}

static bool is_of_layout(const char *filter)
{
    static const char *const ends[] = {".packet-crc", ".end-check", ".layout-item", ".subset-index", ".tag"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t size = strlen(filter), end = strlen(ends[i]);
        if (size >= end && strcmp(filter + size - end, ends[i]) == 0)
            return true;
    }
    return false;
}

/* What is wrong with an item of a value; base: the baseline, or NULL. */
static const char *item_problem(arena *a, const shown *s, const decl *d, const datum *v, const datum *base)
{
    named now, old;
    const char *rest = s->name + strlen(d->name);
    if (is_of_layout(s->filter) || !find_named_value(d, v, rest, &now))
        return NULL;
    const type *t = &now.field->type;
    const size_t size = strlen(s->filter), end = strlen(".change-mask");
    if (size < end || strcmp(s->filter + size - end, ".change-mask") != 0) {
        sent_compared.values++;
        if (is_value_text(a, t, s->text, now.value) || is_value_text(a, t, without_difference(a, s->text), now.value))
            return NULL;
        return arena_printf(a, "%s at bit %" PRIu64 " is shown as %s", s->name, s->bit, s->text);
    }
    const field *start = now.field->after;
    if (!start && (!base || !find_named_value(d, base, rest, &old) || t->kind == TYPE_QUAT || t->kind == TYPE_UNIT))
        return NULL;
    const char *text = start ? after_text(a, start, &now) : difference_text(a, t, old.value, now.value);
    sent_compared.differences++;
    return text && strcmp(text, s->text) == 0 ? NULL
                                              : arena_printf(a, "%s at bit %" PRIu64 " is shown as %s, not %s", s->name,
                                                             s->bit, s->text, text ? text : "a code");
}

static bool starts_path(const char *name, const char *root)
{
    const size_t size = strlen(root);
    return strncmp(name, root, size) == 0 && (name[size] == '.' || name[size] == '\0');
}

/* Of a packet: an item of a part is compared with the baseline of that part. */
static const char *packet_item_problem(arena *a, const expected *e, const shown *s)
{
    for (const codec_part *p = e->parts; p; p = p->next) {
        const char *root = p->field ? arena_printf(a, "%s.%s", e->decl->name, p->field->name) : "";
        if (p->field && p->base && starts_path(s->name, root)) {
            shown inner = *s;
            inner.name = arena_printf(a, "%s%s", p->decl->name, s->name + strlen(root));
            return item_problem(a, &inner, p->decl, &p->value, p->base);
        }
    }
    return item_problem(a, s, e->decl, e->value, e->base);
}

const char *sent_problem(arena *a, const expected *e, const tree *t)
{
    const char *problem = NULL;
    const codec_part *next = e->decl ? NULL : e->parts, *part = NULL;
    for (size_t i = 0; i < t->count && !problem; i++) {
        const shown *s = &t->items[i];
        /* A value of a stream begins with an item of its type. */
        if (next && strcmp(s->name, next->decl->name) == 0 && strcmp(s->text, "the whole value") != 0) {
            part = next;
            next = next->next;
        }
        if (s->bits == 0)
            continue;
        if (e->decl && starts_path(s->name, e->decl->name))
            problem = packet_item_problem(a, e, s);
        else if (part && starts_path(s->name, part->decl->name))
            problem = item_problem(a, s, part->decl, &part->value, part->base);
    }
    return problem;
}
