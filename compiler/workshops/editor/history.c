/* history.c - what has changed since the newest release of the protocol, which `pktc archive` keeps.
 * SPDX-License-Identifier: MIT
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include <string.h>

enum { MOST_CHANGES_SHOWN = 4 };

history history_of(const lsp_server *s, const analysis *of)
{
    history h = {0};
    const lsp_options *o = s->options;
    const schema *now = of->wire ? of->wire->schema : NULL;
    if (!o->newest || !now || !now->protocol)
        return h;
    const schema *then = o->newest(o->archive, s->scratch, of->names, now, &h.number);
    if (then)
        h.changes = diff(s->scratch, lower(s->scratch, then), of->wire);
    return h;
}

/* ---- lenses */

/* The changes of a declaration and its parts, of which only the first ones are shown. */
typedef struct change_list {
    arena *arena;
    const char *text;
    unsigned count;
} change_list;

static void add_changes(change_list *l, const pair *p, bool of_part)
{
    arena *a = l->arena;
    const char *name = p->after_name ? p->after_name : p->before_name;
    for (const change *c = p->changes; c; c = c->next, l->count++) {
        if (l->count >= MOST_CHANGES_SHOWN)
            continue;
        l->text = arena_printf(a, "%s%s%s%s%s%s%s", l->text, *l->text ? "; " : "", of_part ? name : "",
                               of_part ? " " : "", change_name(c->kind), *c->detail ? " " : "", c->detail);
        if (c->outcome != OUTCOME_KEPT)
            l->text =
                arena_printf(a, "%s: %s%s%s", l->text, outcome_name(c->outcome), *c->effect ? " " : "", c->effect);
    }
    for (const pair *part = p->parts; part; part = part->next)
        add_changes(l, part, true);
}

static const pair *pair_of(const history *h, const char *name)
{
    const pair *p = h->changes ? h->changes->pairs : NULL;
    while (p && (!p->after_name || strcmp(p->after_name, name) != 0))
        p = p->next;
    return p;
}

void add_history_lenses(const lsp_server *s, const analysis *of, const source *file, json_t *lenses)
{
    arena *a = s->scratch;
    const history h = history_of(s, of);
    if (!h.changes || h.changes->verdict == VERDICT_SAME)
        return;
    if (!of->mending)
        add_lens(lenses, file, of->wire->schema->protocol_span,
                 arena_printf(a, "since release %u: %s", (unsigned)h.number, verdict_sentence(h.changes->verdict)));
    for (const decl *d = of->wire->schema->decls; d; d = d->next) {
        const pair *p = d->span.source == of->source ? pair_of(&h, d->name) : NULL;
        change_list l = {a, "", 0};
        if (!p || !has_changed(p) || is_partial(of, d))
            continue;
        add_changes(&l, p, false);
        if (l.count > MOST_CHANGES_SHOWN)
            l.text = arena_printf(a, "%s; and %u more", l.text, l.count - MOST_CHANGES_SHOWN);
        if (l.count > 0)
            add_lens(lenses, file, d->span, arena_printf(a, "since release %u: %s", (unsigned)h.number, l.text));
    }
}

/* ---- old names */

bool was_released(const history *h, const name_use *u)
{
    const pair *p = pair_of(h, u->decl->name);
    const char *name = u->field ? u->field->name : u->member ? u->member->name : u->decl->name;
    if (u->field || u->member) {
        p = p ? p->parts : NULL;
        while (p && (!p->after_name || strcmp(p->after_name, name) != 0))
            p = p->next;
    }
    return p && p->before_name && strcmp(p->before_name, name) == 0 && u->decl->kind != DECL_CONST;
}

#endif
