/* facts.c - what the editor shows of a name and beside a line: bits, values, the C type, the doc comment.
 * SPDX-License-Identifier: MIT
 *
 * While a schema has errors, what it shows is that of the part that checks.
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

/* ---- the facts of a declaration */

static const wire_type *wire_of_decl(const analysis *of, const decl *d)
{
    return of->wire && decl_is_type(d) ? wire_type_of(of->wire, d) : NULL;
}

/* Behind the size of a declaration that lacks a part. */
static const char *words_of_lack(const analysis *of, const decl *d)
{
    return is_partial(of, d) ? " without what has errors" : "";
}

static amount whole_bytes(amount bits)
{
    return (amount){bytes_of_bits(bits.least), bytes_of_bits(bits.most)};
}

/* "30 to 61 bytes" of a packet, else "36 bits". */
static const char *size_of_decl(arena *a, const analysis *of, const decl *d)
{
    const wire_type *t = wire_of_decl(of, d);
    if (t && d->packet)
        return describe_measure(a, whole_bytes(describe_size(t)), "byte");
    if (t)
        return describe_measure(a, describe_size(t), "bit");
    const bool has_bits = of->wire && d->kind != DECL_CONST && d->kind != DECL_ALIAS;
    const unsigned bits = has_bits ? describe_member_bits(d) : 0;
    return has_bits ? describe_measure(a, (amount){bits, bits}, "bit") : "";
}

static const item_facts *facts_of_use(arena *a, const analysis *of, const name_use *u)
{
    const wire_type *t = wire_of_decl(of, u->decl);
    const item_facts *i = t ? describe_items(a, of->wire, t) : NULL;
    while (i && (!i->span.source || i->span.begin != u->declared.begin))
        i = i->next;
    return i;
}

/* ---- hover */

/* The lines of the source with a declaration, up to its first brace or semicolon. */
static const char *head_of(arena *a, span name)
{
    const char *text = (const char *)name.source->text;
    uint32_t begin = name.begin, end = name.end;
    while (begin > 0 && !strchr("\n;{}", text[begin - 1]))
        begin--;
    while (begin < name.begin && strchr(" \t\r", text[begin]))
        begin++;
    while (end < name.source->size && !strchr("\n;{}", text[end]) && strncmp(text + end, "//", 2) != 0)
        end++;
    while (end > name.end && strchr(" \t\r", text[end - 1]))
        end--;
    return arena_text(a, text + begin, end - begin);
}

static const char *with_line(arena *a, const char *text, const char *line)
{
    return line && *line ? arena_printf(a, "%s%s%s", text, *text ? "\n\n" : "", line) : text;
}

static const char *words_of_item(arena *a, const item_facts *i)
{
    const char *text = "";
    if (i->field && i->field->key)
        text = "sent by the list";
    else if (!i->field || !i->field->local)
        text = describe_measure(a, i->bits, "bit");
    if (i->repeated)
        text = arena_printf(a, "%s, %s for each of %s", text, describe_measure(a, i->each, "bit"),
                            describe_amount(a, i->count));
    if (i->field && i->field->by)
        text = arena_printf(a, "%s, with %s for its key", text, describe_measure(a, i->key_bits, "bit"));
    const char *values = describe_values_words(a, &i->values);
    if (*values)
        text = arena_printf(a, "%s%s%s", text, *text ? "; " : "", values);
    return text;
}

/* "from bit 35 of Ship on" */
static const char *words_of_place(arena *a, const item_facts *i, const decl *d)
{
    return arena_printf(a, "from bit %s of %s on", describe_amount(a, i->place), d->name);
}

static const char *words_of_field(arena *a, const analysis *of, const name_use *u)
{
    const item_facts *i = facts_of_use(a, of, u);
    const char *doc = u->field ? u->field->doc : u->member->doc;
    const char *text = arena_printf(a, "```pkt\n%s\n```", head_of(a, u->declared));
    if (i) {
        text = with_line(a, text, words_of_item(a, i));
        if ((!i->field || (!i->field->local && !i->field->key)) && !is_partial(of, u->decl))
            text = with_line(a, text, words_of_place(a, i, u->decl));
        text = with_line(a, text, i->c ? arena_printf(a, "C: `%s`", i->c) : NULL);
    }
    return with_line(a, text, doc);
}

static const char *words_of_member(arena *a, const name_use *u)
{
    const char *text = arena_printf(a, "```pkt\n%s = %s\n```\n\n%s `%s`", u->member->name,
                                    num_text(a, u->member->value), decl_noun(u->decl), u->decl->name);
    return with_line(a, text, u->member->doc);
}

static const char *words_of_decl(arena *a, const analysis *of, const decl *d)
{
    const char *text = arena_printf(a, "```pkt\n%s\n```", head_of(a, d->span));
    if (d->kind == DECL_CONST && of->wire)
        text = with_line(a, text, d->is_real ? arena_printf(a, "%.9g", d->value.real) : num_text(a, d->value.number));
    const char *size = size_of_decl(a, of, d);
    text = with_line(a, text, *size ? arena_printf(a, "%s%s", size, words_of_lack(of, d)) : "");
    return with_line(a, text, d->doc);
}

json_t *answer_hover(lsp_server *s, document *d, const json_t *parameters)
{
    arena *a = s->scratch;
    const analysis *of;
    const name_use *u = name_at(s, d, parameters, &of);
    if (!u)
        return NULL;
    const char *text = u->imported                                ? u->imported->path
                       : u->field                                 ? words_of_field(a, of, u)
                       : u->member && u->decl->kind == DECL_UNION ? words_of_field(a, of, u)
                       : u->member                                ? words_of_member(a, u)
                                                                  : words_of_decl(a, of, u->decl);
    return json_pack("{s:{s:s,s:s},s:o}", "contents", "kind", "markdown", "value", utf8_shown(a, text), "range",
                     range_at(u->at));
}

/* ---- hints: the bits of each field at the end of its line, and the size of each type behind its name */

/* The hints of the part of a file that the editor shows. */
typedef struct hint_list {
    json_t *all;
    const source *file;
    uint32_t first, last; /* the offsets that may have hints */
} hint_list;

static void add_hint(const hint_list *l, uint32_t offset, const char *text)
{
    if (l->first <= offset && offset <= l->last)
        json_array_append_new(l->all, json_pack("{s:o,s:s,s:b}", "position", position_at(l->file, offset), "label",
                                                text, "paddingLeft", 1));
}

/* The end of the statement in which a field is declared. */
static uint32_t end_of_statement(const source *s, uint32_t at)
{
    while (at < s->size && s->text[at] != ';' && s->text[at] != '\n')
        at++;
    return at < s->size && s->text[at] == ';' ? at + 1 : at;
}

static void add_type_hints(arena *a, const analysis *of, const wire_type *t, const hint_list *l)
{
    const source *s = of->source;
    const char *text = "";
    for (const item_facts *i = describe_items(a, of->wire, t); i; i = i->next) {
        if (i->span.source != s || !i->field || i->field->local)
            continue;
        /* Fields of one statement share a hint, since they share its end. */
        const uint32_t end = end_of_statement(s, i->span.end);
        const bool more =
            i->next && i->next->field && i->next->span.source == s && end_of_statement(s, i->next->span.end) == end;
        text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", describe_amount(a, i->bits));
        if (more)
            continue;
        add_hint(l, end, arena_printf(a, "%s bit%s", text, strcmp(text, "1") == 0 ? "" : "s"));
        text = "";
    }
}

json_t *answer_hints(lsp_server *s, document *d, const json_t *parameters)
{
    arena *a = s->scratch;
    const analysis *of = sound_part(s, d->analysis);
    const source *file = d->analysis->source;
    const json_t *range = json_object_get(parameters, "range");
    hint_list l = {json_array(), file, 0, file->size};
    if (range) {
        l.first = offset_in_source(file, json_object_get(range, "start"));
        l.last = offset_in_source(file, json_object_get(range, "end"));
    }
    for (const decl *each = of ? of->wire->schema->decls : NULL; each; each = each->next) {
        if (each->span.source != of->source || each->kind == DECL_CONST)
            continue;
        add_hint(&l, each->span.end,
                 arena_printf(a, "%s%s", size_of_decl(a, of, each), is_partial(of, each) ? " + ?" : ""));
        if (decl_is_type(each) && each->span.end <= l.last)
            add_type_hints(a, of, wire_type_of(of->wire, each), &l);
    }
    return l.all;
}

/* ---- lenses: the cost of each packet */

void add_lens(json_t *lenses, const source *file, span at, const char *title)
{
    json_array_append_new(lenses, json_pack("{s:o,s:{s:s,s:s}}", "range", range_at((span){file, at.begin, at.end}),
                                            "command", "title", title, "command", ""));
}

json_t *answer_lenses(lsp_server *s, document *d, const json_t *parameters)
{
    const analysis *of = sound_part(s, d->analysis);
    const source *file = d->analysis->source;
    arena *a = s->scratch;
    json_t *lenses = json_array();
    (void)parameters;
    for (const decl *each = of ? of->wire->schema->decls : NULL; each; each = each->next) {
        const wire_type *t = wire_of_decl(of, each);
        if (!t || !each->packet || each->span.source != of->source)
            continue;
        const amount bytes = whole_bytes(describe_size(t));
        const char *title = arena_printf(a, "%s, at most %.1f %% of %" PRIu32, describe_measure(a, bytes, "byte"),
                                         100.0 * (double)bytes.most / s->options->mtu, s->options->mtu);
        if (each->delta)
            title =
                arena_printf(a, "%s; %s as a delta", title,
                             describe_amount(a, whole_bytes((amount){t->delta_least_framed, t->delta_most_framed})));
        add_lens(lenses, file, each->span, arena_printf(a, "%s%s", title, words_of_lack(of, each)));
    }
    if (of)
        add_history_lenses(s, of, file, lenses);
    return lenses;
}

/* ---- all of it, for a client that shows the schema itself: the page of share/web */

json_t *answer_describe(lsp_server *s, document *d, const json_t *parameters)
{
    (void)parameters;
    if (d->analysis->wire) {
        out *to = out_new(s->scratch);
        size_t size;
        describe_json(s->scratch, d->analysis->wire, to, JSON_TIGHT);
        s->written = out_result(to, &size);
    }
    return NULL;
}

#endif
