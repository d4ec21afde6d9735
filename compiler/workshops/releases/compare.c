/* compare.c - compares the pairs that match.c has found.
 * SPDX-License-Identifier: MIT
 *
 * Nested types come first, so the outcome of a type is known before fields of that type are compared.
 */
#include "releases/compare_internal.h"

#include <string.h>

/* ---- names */

const char *outcome_name(outcome o)
{
    static const char *const words[OUTCOMES] = {"kept", "defaulted", "rounded", "clamped", "lost", "refused"};
    return words[o];
}

const char *change_name(change_kind kind)
{
    static const char *const words[CHANGES] = {
        [CHANGE_ADDED] = "added",           [CHANGE_REMOVED] = "removed",   [CHANGE_RENAMED] = "renamed",
        [CHANGE_MOVED] = "moved",           [CHANGE_WIDER] = "wider",       [CHANGE_NARROWER] = "narrower",
        [CHANGE_RANGE] = "other values",    [CHANGE_TYPE] = "other type",   [CHANGE_STORAGE] = "other C type",
        [CHANGE_CONTENT] = "content",       [CHANGE_OPTIONAL] = "presence", [CHANGE_ARRAY] = "other array",
        [CHANGE_LIMITS] = "other length",   [CHANGE_MODE] = "other mode",   [CHANGE_KEEP] = "keep",
        [CHANGE_UNLESS] = "unless",         [CHANGE_AFTER] = "after",       [CHANGE_DELTA] = "delta",
        [CHANGE_CONDITION] = "condition",   [CHANGE_VALUE] = "value",       [CHANGE_WIDTH] = "width",
        [CHANGE_LAYOUT] = "layout",         [CHANGE_KIND] = "other kind",   [CHANGE_VERSION] = "version",
        [CHANGE_INITIAL] = "initial value", [CHANGE_UNIT] = "unit",         [CHANGE_MEANING] = "other meaning",
        [CHANGE_MODEL] = "model",           [CHANGE_WRAP] = "wrap",         [CHANGE_SEED] = "seed",
        [CHANGE_CLAMP] = "clamp",
    };
    return words[kind];
}

typedef struct verdict_row {
    const char *name, *sentence;
    int status;
} verdict_row;

/* 1 and 2 are errors, as of every command of pktc. */
static const verdict_row verdict_rows[VERDICTS] = {
    [VERDICT_SAME] = {"same", "identical wire: each version reads what the other one writes", 0},
    [VERDICT_CONVERT] = {"converts", "new protocol id, every recording converts", 3},
    [VERDICT_LOSS] = {"loss", "new protocol id, recordings convert with loss", 4},
    [VERDICT_REFUSE] = {"refuses", "new protocol id, recordings do not convert", 5},
    [VERDICT_MISREAD] = {"meaning", "A @stable PACKET HAS ANOTHER MEANING: each version misreads that of the other one",
                         6},
    [VERDICT_MEANING] = {"meaning",
                         "SAME PROTOCOL ID, ANOTHER MEANING: each version misreads what the other one writes", 6},
    [VERDICT_UNSTABLE] = {"unstable", "A @stable PACKET HAS CHANGED: each version refuses that of the other one", 7},
};

const char *verdict_name(verdict v)
{
    return verdict_rows[v].name;
}

const char *verdict_sentence(verdict v)
{
    return verdict_rows[v].sentence;
}

int diff_status(const comparison *r, bool meanings)
{
    return verdict_rows[meanings && r->meanings ? VERDICT_MEANING : r->verdict].status;
}

/* ---- pairs and changes */

pair *add_pair(comparer *c, pair ***last, const char *noun, const char *before, const char *after)
{
    pair *p = ARENA_NEW(c->arena, pair);
    *p = (pair){.noun = noun, .before_name = before, .after_name = after, .before_words = "", .after_words = ""};
    p->last_change = &p->changes;
    **last = p;
    *last = &p->next;
    return p;
}

change *add_change(comparer *c, pair *p, change_kind kind, outcome what, const char *detail)
{
    change *made = ARENA_NEW(c->arena, change);
    *made = (change){.kind = kind, .outcome = what, .detail = detail, .effect = ""};
    *p->last_change = made;
    p->last_change = &made->next;
    p->outcome = worse(p->outcome, what);
    return made;
}

bool has_changed(const pair *p)
{
    if (p->changes)
        return true;
    for (const pair *part = p->parts; part; part = part->next)
        if (part->changes)
            return true;
    return false;
}

const char *arrow_words(comparer *c, const char *before, const char *after)
{
    return arena_printf(c->arena, "%s -> %s", before, after);
}

void add_rename(comparer *c, pair *p)
{
    if (p->before_name != p->after_name)
        add_change(c, p, CHANGE_RENAMED, OUTCOME_KEPT, arena_printf(c->arena, "from '%s'", p->before_name));
}

void advise_was(comparer *c, change *of, span at, const char *after, const char *before)
{
    of->help = arena_printf(c->arena, "if this is a new name for '%s', write `%s was \"%s\"`", before, after, before);
    of->renamed = at;
}

/* ---- declarations */

static diff_size diff_size_of(const wire_type *t)
{
    diff_size s = {t->least, t->most, t->decl->delta, t->delta_least, t->delta_most};
    if (!t->decl->packet)
        return s;
    s.least = bytes_of_bits(t->least_framed);
    s.most = bytes_of_bits(t->most_framed);
    s.delta_least = bytes_of_bits(t->delta_least_framed);
    s.delta_most = bytes_of_bits(t->delta_most_framed);
    return s;
}

static void set_sizes(comparer *c, pair *p, const decl *before, const decl *after)
{
    p->is_type = decl_is_type(before) || decl_is_type(after);
    p->packet = before ? before->packet : after->packet;
    if (decl_is_type(before))
        p->before = diff_size_of(type_of_decl(&c->before, before));
    if (decl_is_type(after))
        p->after = diff_size_of(type_of_decl(&c->after, after));
}

static const char *constant_words(comparer *c, const decl *d)
{
    return d->is_real ? real_words(c->arena, d->value.real, STORAGE_DOUBLE) : num_text(c->arena, d->value.number);
}

/* A constant is not sent. If the bytes have not changed with it, only programs know the effect. */
static void compare_constants(comparer *c, pair *p, const decl *before, const decl *after)
{
    const char *old = constant_words(c, before), *now = constant_words(c, after);
    if (strcmp(old, now) == 0)
        return;
    change *made = add_change(c, p, CHANGE_VALUE, OUTCOME_KEPT, arrow_words(c, old, now));
    if (c->result->before->id == c->result->after->id)
        made->help = "if programs need the same value to understand each other, raise the number of the protocol";
}

static const char *steps_words(const decl *d)
{
    return d->predicts ? "@delta(predict)" : d->delta ? "@delta" : "no deltas";
}

static const char *seed_words(const decl *d)
{
    return d->parts ? "of a datagram with parts" : d->seeded ? "@seed" : "none";
}

static void compare_kinds(comparer *c, pair *p, const decl *before, const decl *after)
{
    if (before->kind != after->kind || before->packet != after->packet) {
        outcome what = before->kind == after->kind ? OUTCOME_KEPT : OUTCOME_REFUSED;
        add_change(c, p, CHANGE_KIND, what, arrow_words(c, decl_noun(before), decl_noun(after)));
    }
    if (before->delta != after->delta || before->predicts != after->predicts)
        add_change(c, p, CHANGE_DELTA, OUTCOME_KEPT, arrow_words(c, steps_words(before), steps_words(after)));
    if (before->seeded != after->seeded || !before->parts != !after->parts)
        add_change(c, p, CHANGE_SEED, OUTCOME_KEPT, arrow_words(c, seed_words(before), seed_words(after)));
    const char *unit = unit_change(c->arena, before->doc, after->doc);
    if (unit)
        add_change(c, p, CHANGE_UNIT, OUTCOME_KEPT, unit)->meaning = true;
}

static void compare_decls(comparer *c, pair *p, const decl *before, const decl *after)
{
    add_rename(c, p);
    compare_kinds(c, p, before, after);
    if (before->kind != after->kind)
        return;
    switch (after->kind) {
    case DECL_CONST: compare_constants(c, p, before, after); break;
    case DECL_ALIAS: break;
    case DECL_ENUM:
    case DECL_FLAGS:
    case DECL_UNION: compare_members(c, p, before, after); break;
    case DECL_STRUCT: compare_fields(c, p, before, after); break;
    }
}

/* A removed declaration that could be this new one under its old name. If more than a few were removed, none is looked
 * for. */
static const decl *lookalike_decl(comparer *c, const decl *after)
{
    for (uint32_t i = 0; i < c->gone_count && c->gone_count <= LOOKALIKES; i++) {
        const decl *d = c->gone[i];
        if (d->kind == after->kind && d->packet == after->packet && d->kind != DECL_CONST &&
            d->member_count == after->member_count && d->field_count == after->field_count && same_shape(c, d, after))
            return d;
    }
    return NULL;
}

static void add_compared_decl(comparer *c, pair ***last, const decl *after)
{
    const decl *before = old_decl(c, after);
    pair *p = add_pair(c, last, decl_noun(after), before ? before->name : NULL, after->name);
    map_put(c->arena, c->pair_of, after, NULL, p);
    set_sizes(c, p, before, after);
    if (before) {
        compare_decls(c, p, before, after);
        return;
    }
    const decl *old = lookalike_decl(c, after);
    change *made = add_change(c, p, CHANGE_ADDED, OUTCOME_KEPT, "");
    if (old)
        advise_was(c, made, after->span, after->name, old->name);
}

static void add_removed(comparer *c, pair ***last, const decl *before)
{
    pair *p = add_pair(c, last, decl_noun(before), before->name, NULL);
    set_sizes(c, p, before, NULL);
    add_change(c, p, CHANGE_REMOVED, before->kind == DECL_CONST ? OUTCOME_KEPT : OUTCOME_LOST,
               before->packet ? "its packets are left out" : "");
}

/* The protocol itself, if it has changed: then its id differs, though all types may be the same. */
static void add_changed_protocol(comparer *c, pair ***last, const schema *before, const schema *after)
{
    if (!before->protocol || !after->protocol)
        return;
    const bool renumbered = num_compare(before->version, after->version) != 0;
    if (before->protocol == after->protocol && !renumbered)
        return;
    pair *p = add_pair(c, last, "protocol", before->protocol, after->protocol);
    add_rename(c, p);
    if (renumbered)
        add_change(c, p, CHANGE_VERSION, OUTCOME_KEPT,
                   arrow_words(c, num_text(c->arena, before->version), num_text(c->arena, after->version)));
}

/* ---- all */

static uint32_t count_meanings(const pair *p)
{
    uint32_t count = 0;
    for (const change *each = p->changes; each; each = each->next)
        count += each->meaning;
    for (const pair *part = p->parts; part; part = part->next)
        count += count_meanings(part);
    return count;
}

/* Marks a type of a @stable packet and the types in it. Returns their changes of meaning. */
static uint32_t mark_stable(comparer *c, const decl *d)
{
    pair *p = map_get(c->pair_of, d, NULL);
    uint32_t count = count_meanings(p);
    p->stable = true;
    for (const field *f = d->fields; f; f = f->next)
        if (f->type.decl && is_sent(f))
            count += mark_stable(c, f->type.decl);
    return count;
}

/* Programs of all releases read a @stable packet, whatever the id of the protocol. */
static const decl *find_misread(comparer *c)
{
    const decl *found = NULL;
    for (const decl *d = c->after.wire->schema->decls; d; d = d->next) {
        const decl *old = d->stable ? old_decl(c, d) : NULL;
        if (old && old->stable && old->stable_id == d->stable_id && mark_stable(c, d) > 0 && !found)
            found = d;
    }
    return found;
}

/* Recordings contain only packets. A library of types has no packets, so all its types count. */
static outcome worst(const comparison *r)
{
    outcome found = OUTCOME_KEPT;
    for (const pair *p = r->pairs; p; p = p->next) {
        bool recorded = r->before->protocol ? p->packet : true;
        if (p->before_name && recorded && p->outcome > found)
            found = p->outcome;
    }
    return found;
}

static bool leaves_packets_out(const comparison *r)
{
    for (const pair *p = r->pairs; p; p = p->next)
        if (p->packet && p->before_name && (!p->after_name || p->lost))
            return true;
    return false;
}

const decl *find_unstable(const schema *before, const schema *after)
{
    for (const decl *d = before->decls; d; d = d->next) {
        const decl *now = d->stable ? after->decls : d;
        while (now && strcmp(now->name, d->name) != 0)
            now = now->next;
        if (d->stable && (!now || !now->stable || now->stable_id != d->stable_id))
            return d;
    }
    return NULL;
}

static verdict verdict_of(const comparison *r)
{
    if (r->unstable)
        return VERDICT_UNSTABLE;
    if (r->before->id == r->after->id)
        return r->meanings ? VERDICT_MEANING : VERDICT_SAME;
    if (r->misread)
        return VERDICT_MISREAD;
    return r->outcome == OUTCOME_REFUSED    ? VERDICT_REFUSE
           : r->outcome > OUTCOME_DEFAULTED ? VERDICT_LOSS
                                            : VERDICT_CONVERT;
}

comparison *diff(arena *a, const wire *before, const wire *after)
{
    comparison *r = ARENA_NEW(a, comparison);
    comparer c = {.arena = a, .before = {.wire = before}, .after = {.wire = after}, .result = r};
    pair **last = &r->pairs;
    r->before = before->schema;
    r->after = after->schema;
    c.old_of = map_new(a);
    c.new_of = map_new(a);
    c.pair_of = map_new(a);
    c.before.shapes = map_new(a);
    c.after.shapes = map_new(a);
    c.arms = ARENA_NEW(a, arm_memory);
    match_all(&c);
    place_all(&c);
    for (const decl *d = before->schema->decls; d && c.gone_count <= LOOKALIKES; d = d->next)
        if (!new_decl(&c, d))
            c.gone[c.gone_count++] = d;
    add_changed_protocol(&c, &last, before->schema, after->schema);
    for (const decl *d = after->schema->decls; d; d = d->next)
        add_compared_decl(&c, &last, d);
    for (const decl *d = before->schema->decls; d; d = d->next)
        if (!new_decl(&c, d))
            add_removed(&c, &last, d);
    for (const pair *p = r->pairs; p; p = p->next)
        r->meanings += count_meanings(p);
    r->outcome = worst(r);
    r->left_out = leaves_packets_out(r);
    r->unstable = find_unstable(before->schema, after->schema);
    r->misread = find_misread(&c);
    r->verdict = verdict_of(r);
    return r;
}
