/* emit_sender.c - packets with parts: what one side has sent, and which of it the other side has as a baseline.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"

#include <string.h>

/* ---- which packets have a T_sender */

static bool is_same_term(const field_sum *a, const field_sum *b)
{
    bool same = a->minus == b->minus && a->ones == b->ones && a->depth == b->depth && a->number == b->number;
    for (unsigned i = 0; same && i < a->depth; i++)
        same = a->path[i] == b->path[i];
    return same;
}

/* The optional integer that `sum` subtracts from `from`; NULL if it is another sum. */
static const field_sum *optional_term(const field_sum *from, const field_sum *sum)
{
    for (; from && sum && is_same_term(from, sum); from = from->next)
        sum = sum->next;
    if (from || !sum || sum->next || !sum->minus || sum->ones || sum->depth == 0)
        return NULL;
    for (unsigned i = 0; i < sum->depth; i++)
        if (sum->path[i]->optional != (i + 1 == sum->depth))
            return NULL;
    return sum;
}

/* The fields that say how far back the baseline of a part is, and how far before it the value from which it has moved. */
static const field_sum *back_of(const field *f)
{
    return optional_term(f->part->number, f->part->base);
}

static const field_sum *gap_of(const field *f)
{
    return f->part->before ? optional_term(f->part->base, f->part->before) : NULL;
}

bool is_same_sum(const field_sum *a, const field_sum *b)
{
    for (; a && b && is_same_term(a, b); a = a->next)
        b = b->next;
    return !a && !b;
}

static bool has_optional(const field_sum *sum)
{
    for (; sum; sum = sum->next)
        for (unsigned i = 0; i < sum->depth; i++)
            if (sum->path[i]->optional)
                return true;
    return false;
}

/* Whether two parts of a packet can be told by one number which of their values the other side has. */
static bool agree(const field *f, const field *g)
{
    const field_sum *gap = gap_of(f), *other = gap_of(g);
    return is_same_sum(f->part->number, g->part->number) && !(gap && is_same_term(gap, back_of(g))) &&
           !(gap && other && is_same_term(gap, other) && !is_same_term(back_of(f), back_of(g)));
}

bool has_sender(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (f->part && (!back_of(f) || has_optional(f->part->number) || (f->part->before && !gap_of(f))))
            return false;
    for (const field *f = d->fields; f; f = f->next)
        for (const field *g = d->fields; g && f->part; g = g->next)
            if (g->part && !agree(f, g))
                return false;
    return true;
}

/* The next part whose baseline the term names, from f on. */
static const field *part_of_back(const field *f, const field_sum *back)
{
    while (f && !(f->part && is_same_term(back_of(f), back)))
        f = f->next;
    return f;
}

static const field *part_of_gap(const field *f, const field_sum *gap)
{
    while (f && !(f->part && gap_of(f) && is_same_term(gap_of(f), gap)))
        f = f->next;
    return f;
}

/* ---- the functions */

/* The number of a packet, which is that of each of its parts. */
static const char *spell_number_of(const emitter *e, const decl *d)
{
    const field *f = d->fields;
    while (!f->part)
        f = f->next;
    return spell_sum(e, f->part->number, f->part->bits);
}

/* "v_->back, v_->gap": what T_send sets. */
static const char *spell_fields(emitter *e, const decl *d)
{
    const char *text = "";
    for (const field *f = d->fields; f; f = f->next) {
        const field_sum *terms[] = {f->part ? back_of(f) : NULL, f->part ? gap_of(f) : NULL};
        const bool first[] = {terms[0] && part_of_back(d->fields, terms[0]) == f,
                              terms[1] && part_of_gap(d->fields, terms[1]) == f};
        for (int i = 0; i < 2; i++)
            if (first[i])
                text = arena_printf(e->arena, "%s%s%s", text, *text ? ", " : "",
                                    spell_path(e, terms[i], terms[i]->depth, ""));
    }
    return text;
}

void emit_sender_prototypes(emitter *e, const decl *d)
{
    out_put(
        e->out,
        "\n/* What one side has sent, and what the other side has of it. All bytes zero: nothing. */\n"
        "typedef struct ${name}_sender {\n"
        "    ${name}_rings kept;\n"
        "    uint64_t newest; /* the number of the last packet, if one was sent in this session */\n"
        "    bool begun;\n"
        "} ${name}_sender;\n"
        "\n"
        "/* For a new session. */\n"
        "PKT_INLINE void ${name}_sender_begin(${name}_sender *sender_);\n"
        "/* What the newest datagram of the other side says: it has the packet of that number; or without has_, none that\n"
        " * may be a baseline. Returns true if it has a newer value of a part than before. Numbers that were not sent, or are\n"
        " * too old, change nothing. */\n"
        "PKT_INLINE bool ${name}_acknowledged(${name}_sender *sender_, bool has_, uint64_t number_);\n"
        "/* The newest baselines that the other side has and the packet can name, for the packet *v_, of which the number is\n"
        " * set, and which parts it has. Sets $fields, or that they are absent. */\n"
        "PKT_INLINE ${name}_baselines ${name}_sender_baselines(${name}_sender *sender_, $name *v_);\n"
        "/* Packs a packet with these baselines, and keeps its parts, which must be quantized: see T_quantize. Returns\n"
        " * the bytes, or 0 if it cannot be written, does not fit, or has no newer number than the one before, which\n"
        " * receivers would take for late: PKT_ERROR_ORDER at the number. Then nothing is kept. */\n"
        "PKT_INLINE size_t ${name}_send(${name}_sender *sender_, $name *v_, uint64_t seed_, void *data_, size_t size_);\n"
        "PKT_INLINE size_t ${name}_send_error(${name}_sender *sender_, $name *v_, uint64_t seed_, void *data_,\n"
        "                              size_t size_, pkt_error *error_);\n",
        "name", spell_decl(e, d), "fields", spell_fields(e, d), NULL);
}

void emit_ring_acknowledgements(emitter *e, const decl *d, const field *f)
{
    out_put(
        e->out,
        "PKT_INLINE bool ${part}_acknowledge_(${part}_ring *ring_, bool has_, uint64_t number_)\n"
        "{\n"
        "    bool news_;\n"
        "    if (!has_) memset(ring_->acknowledged, 0, sizeof ring_->acknowledged);\n"
        "    if (!has_ || !${part}_ring_find(ring_, number_).value) return false;\n"
        "    news_ = pkt_is_news(ring_->acknowledged, ring_->used, ring_->number, ring_->newest, number_, $size, $bits);\n"
        "    ring_->acknowledged[(size_t)(number_ % $size)] = true;\n"
        "    return news_;\n"
        "}\n"
        "PKT_INLINE bool ${part}_arrived_(const ${part}_ring *ring_, uint64_t number_)\n"
        "{\n"
        "    return ${part}_ring_find(ring_, number_).value && ring_->acknowledged[(size_t)(number_ % $size)];\n"
        "}\n",
        "part", arena_printf(e->arena, "%s_%s", spell_decl(e, d), f->name), "size",
        spell_number(e, delta_part_ring(f->part)), "bits", spell_number(e, f->part->bits), NULL);
}

static void emit_acknowledged(emitter *e, const decl *d, bool served)
{
    const char *name = spell_decl(e, d);
    out_put(e->out,
            served ? "bool ${name}_acknowledged_for(${name}_peer *peer_, bool has_, uint64_t number_)\n{\n"
                   : "PKT_INLINE bool ${name}_acknowledged(${name}_sender *sender_, bool has_, uint64_t number_)\n{\n",
            "name", name, NULL);
    out_put(e->out, "    bool newer_ = false;\n", NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            out_put(e->out,
                    served
                        ? "    if (${name}_${part}_acknowledge_for_(peer_, has_, number_)) newer_ = true;\n"
                        : "    if (${name}_${part}_acknowledge_(&sender_->kept.$part, has_, number_)) newer_ = true;\n",
                    "name", name, "part", f->name, NULL);
    out_put(e->out, "    return newer_;\n}\n", NULL);
}

/* A loop that sets back_ to how far the newest number in the range of a field is before `from`, of which the other side has the
 * values of some parts, and $at to it. It leaves back_ greater than the range if there is none. */
typedef struct baseline_search {
    const field_sum *term; /* the field */
    const char *from, *at;
    const field *(*next)(const field *f, const field_sum *term); /* the parts whose baselines it names */
    bool served;
} baseline_search;

/* The distances that a field can have: between 1 and half of all numbers. */
static uint64_t least_distance(const field_sum *t)
{
    const num low = t->path[t->depth - 1]->type.low;
    return low.negative || low.magnitude == 0 ? 1 : low.magnitude;
}

static uint64_t most_distance(const field_sum *t)
{
    const num high = t->path[t->depth - 1]->type.high;
    return high.negative ? 0 : high.magnitude;
}

static void emit_newest_arrived(emitter *e, const decl *d, const baseline_search *s)
{
    const char *name = spell_decl(e, d), *arrived = "";
    const field *f = s->next(d->fields, s->term);
    const unsigned bits = f->part->bits;
    for (; f; f = s->next(f->next, s->term))
        arrived = arena_printf(
            e->arena,
            s->served ? "%s%s%s_%s_arrived_for_(peer_, %s, &has_)" : "%s%s%s_%s_arrived_(&sender_->kept.%s, %s)",
            arrived, *arrived ? " &&\n            " : "", name, f->name, s->served ? s->at : f->name, s->at);
    out_put(e->out,
            "$has"
            "    for (back_ = $least; back_ <= $most; back_++) {\n"
            "        $at = pkt_earlier($from, back_, $bits);\n"
            "        if ($arrived)\n"
            "            break;\n"
            "    }\n",
            "has", s->served ? "    has_ = false;\n" : "", "least", spell_number(e, least_distance(s->term)), "most",
            spell_number(e, most_distance(s->term)), "at", s->at, "from", s->from, "bits", spell_number(e, bits),
            "arrived", arrived, NULL);
}

/* After a search: sets the field if something was found, `provided` that. */
static void emit_found(emitter *e, const decl *d, const baseline_search *s, const char *provided, const char *suffix)
{
    const char *name = spell_decl(e, d);
    out_put(e->out,
            "    $present = back_ <= $most$served$provided;\n"
            "    if ($present)$open\n"
            "        $field = ($storage)back_;\n",
            "present", spell_path(e, s->term, s->term->depth, "has_"), "most", spell_number(e, most_distance(s->term)),
            "served", s->served ? " && has_" : "", "provided", provided, "open", s->served ? "" : " {", "field",
            spell_path(e, s->term, s->term->depth, ""), "storage",
            cname_storage(s->term->path[s->term->depth - 1]->type.storage), NULL);
    if (s->served)
        return;
    for (const field *f = s->next(d->fields, s->term); f; f = s->next(f->next, s->term))
        out_put(e->out, "        from_.${part}$suffix = ${name}_${part}_ring_find(&sender_->kept.$part, $at);\n",
                "name", name, "part", f->name, "suffix", suffix, "at", s->at, NULL);
    out_put(e->out, "    }\n", NULL);
}

/* The baselines that `back` names, and those from which they have moved. If all their parts are absent, so is the field: a packet
 * without them needs none. */
static void emit_backs(emitter *e, const decl *d, const field_sum *back, bool served)
{
    const baseline_search bases = {back, "number_", "base_", part_of_back, served};
    const char *present = "";
    bool whole = false;
    for (const field *f = part_of_back(d->fields, back); f; f = part_of_back(f->next, back)) {
        present = arena_printf(e->arena, "%s%sv_->has_%s", present, *present ? " || " : "", f->name);
        whole = whole || !f->optional;
    }
    emit_newest_arrived(e, d, &bases);
    emit_found(e, d, &bases, whole ? "" : arena_printf(e->arena, strchr(present, '|') ? " && (%s)" : " && %s", present),
               "");
    for (const field *f = part_of_back(d->fields, back); f; f = part_of_back(f->next, back)) {
        const field_sum *gap = gap_of(f);
        if (!gap || part_of_gap(d->fields, gap) != f)
            continue;
        const baseline_search before = {gap, "base_", "before_", part_of_gap, served};
        emit_newest_arrived(e, d, &before);
        emit_found(e, d, &before, arena_printf(e->arena, " && %s", spell_path(e, back, back->depth, "has_")),
                   "_before");
    }
}

static void emit_sender_baselines(emitter *e, const decl *d, bool served)
{
    const char *name = spell_decl(e, d);
    bool moves = false;
    for (const field *f = d->fields; f; f = f->next)
        moves = moves || (f->part && gap_of(f));
    out_put(e->out,
            served ? "void ${name}_sender_baselines_for(${name}_peer *peer_, $name *v_)\n"
                     "{\n"
                   : "PKT_INLINE ${name}_baselines ${name}_sender_baselines(${name}_sender *sender_, $name *v_)\n"
                     "{\n"
                     "    ${name}_baselines from_;\n",
            "name", name, NULL);
    out_put(e->out,
            "    const uint64_t number_ = $number;\n"
            "    uint64_t back_, base_ = 0$before;\n"
            "$none",
            "number", spell_number_of(e, d), "before", moves ? ", before_ = 0" : "", "none",
            served ? "    bool has_;\n" : "    memset(&from_, 0, sizeof from_);\n", NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const field_sum *back = f->part ? back_of(f) : NULL;
        if (back && f->part->starts && !served)
            out_put(e->out, "    from_.${part}_start = sender_->kept.${part}_start;\n", "part", f->name, NULL);
        if (back && part_of_back(d->fields, back) == f)
            emit_backs(e, d, back, served);
    }
    out_put(e->out, served ? "}\n" : "    return from_;\n}\n", NULL);
}

/* "ToClient.head.number", as errors name it: the field that a number begins with. */
static const char *spell_place_of(const emitter *e, const decl *d, const field_sum *number)
{
    const char *text = d->name;
    for (unsigned i = 0; i < number->depth; i++)
        text = arena_printf(e->arena, "%s.%s", text, number->path[i]->name);
    return text;
}

static void emit_send(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    const field *first = d->fields;
    while (!first->part)
        first = first->next;
    out_put(e->out,
            "PKT_INLINE size_t ${name}_send_error(${name}_sender *sender_, $name *v_, uint64_t seed_, void *data_,\n"
            "                              size_t size_, pkt_error *error_)\n"
            "{\n"
            "    const uint64_t number_ = $number;\n"
            "    ${name}_baselines from_;\n"
            "    size_t packed_;\n"
            "    if (sender_->begun && !pkt_sends(sender_->newest, number_, $bits, \"$where\", error_)) return 0;\n"
            "    from_ = ${name}_sender_baselines(sender_, v_);\n"
            "    packed_ = ${name}_pack_error(&from_, v_, seed_, data_, size_, error_);\n"
            "    if (packed_ == 0) return 0;\n"
            "    sender_->newest = number_;\n"
            "    sender_->begun = true;\n",
            "name", name, "number", spell_number_of(e, d), "bits", spell_number(e, first->part->bits), "where",
            spell_place_of(e, d, first->part->number), NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            emit_keep_part(e, f, "sender_", "v_", "number_");
    out_put(
        e->out,
        "    return packed_;\n"
        "}\n"
        "PKT_INLINE size_t ${name}_send(${name}_sender *sender_, $name *v_, uint64_t seed_, void *data_, size_t size_)\n"
        "{\n"
        "    return ${name}_send_error(sender_, v_, seed_, data_, size_, NULL);\n"
        "}\n",
        "name", name, NULL);
}

void emit_sender(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    out_put(e->out, "PKT_INLINE void ${name}_sender_begin(${name}_sender *sender_)\n{\n", "name", name, NULL);
    for (const field *f = d->fields; f; f = f->next)
        if (f->part)
            out_put(e->out, "    memset(sender_->kept.$part.used, 0, sizeof sender_->kept.$part.used);\n", "part",
                    f->name, NULL);
    out_put(e->out, "    sender_->begun = false;\n}\n", NULL);
    emit_acknowledged(e, d, false);
    emit_sender_baselines(e, d, false);
    emit_send(e, d);
}

/* ---- the same for clients of several releases: T_peer is the sender */

void emit_served_sender_prototypes(emitter *e, const decl *d)
{
    out_put(e->out,
            "PKT_API bool ${name}_acknowledged_for(${name}_peer *peer_, bool has_, uint64_t number_);\n"
            "PKT_API void ${name}_sender_baselines_for(${name}_peer *peer_, $name *v_);\n",
            "name", spell_decl(e, d), NULL);
}

void emit_served_sender(emitter *e, const decl *d)
{
    emit_acknowledged(e, d, true);
    out_put(e->out, "\n", NULL);
    emit_sender_baselines(e, d, true);
    out_put(e->out, "\n", NULL);
}
