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

static bool is_same_sum(const field_sum *a, const field_sum *b)
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

static unsigned count_backs(const decl *d)
{
    unsigned count = 0;
    for (const field *f = d->fields; f; f = f->next)
        count += f->part && part_of_back(d->fields, back_of(f)) == f;
    return count;
}

void emit_sender_prototypes(emitter *e, const decl *d)
{
    out_put(
        e->out,
        "\n/* What one side has sent, and what the other side has of it. All bytes zero: nothing. */\n"
        "typedef struct ${name}_sender {\n"
        "    ${name}_rings kept;\n"
        "    pkt_acknowledged acknowledged[$backs]; /* internal */\n"
        "    uint64_t newest; /* the number of the last packet, if one was sent in this session */\n"
        "    bool begun;\n"
        "} ${name}_sender;\n"
        "\n"
        "/* For a new session. */\n"
        "PKT_INLINE void ${name}_sender_begin(${name}_sender *sender_);\n"
        "/* What the newest datagram of the other side says: it has the packet of that number; or without has_, none that\n"
        " * may be a baseline. Returns true if it has a newer one than before. Numbers that were not sent, or are too old,\n"
        " * change nothing. */\n"
        "PKT_INLINE bool ${name}_acknowledged(${name}_sender *sender_, bool has_, uint64_t number_);\n"
        "/* The newest baselines that the other side has, for the packet *v_, of which the number is set. Sets\n"
        " * $fields, or that they are absent. */\n"
        "PKT_INLINE ${name}_baselines ${name}_sender_baselines(${name}_sender *sender_, $name *v_);\n"
        "/* Packs a packet with these baselines, and keeps its parts, which must be quantized: see T_quantize. Returns\n"
        " * the bytes, or 0 if it cannot be written, does not fit, or has no newer number than the one before, which\n"
        " * receivers would take for late: PKT_ERROR_ORDER at the number. Then nothing is kept. */\n"
        "PKT_INLINE size_t ${name}_send(${name}_sender *sender_, $name *v_, uint64_t seed_, void *data_, size_t size_);\n"
        "PKT_INLINE size_t ${name}_send_error(${name}_sender *sender_, $name *v_, uint64_t seed_, void *data_,\n"
        "                              size_t size_, pkt_error *error_);\n",
        "name", spell_decl(e, d), "backs", spell_number(e, count_backs(d)), "fields", spell_fields(e, d), NULL);
}

static void emit_acknowledged(emitter *e, const decl *d)
{
    const char *name = spell_decl(e, d);
    unsigned index = 0;
    out_put(e->out,
            "PKT_INLINE bool ${name}_acknowledged(${name}_sender *sender_, bool has_, uint64_t number_)\n"
            "{\n"
            "    bool newer_ = false;\n"
            "    if (!has_) memset(sender_->acknowledged, 0, sizeof sender_->acknowledged);\n",
            "name", name, NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const field_sum *back = f->part ? back_of(f) : NULL;
        if (!back || part_of_back(d->fields, back) != f)
            continue;
        out_put(e->out, "    if (has_", NULL);
        for (const field *g = f; g; g = part_of_back(g->next, back))
            out_put(e->out, " && ${name}_${part}_ring_find(&sender_->kept.$part, number_).value", "name", name, "part",
                    g->name, NULL);
        out_put(
            e->out,
            ")\n        newer_ = pkt_acknowledge(&sender_->acknowledged[$index], sender_->kept.$part.newest, number_, "
            "$bits)$or;\n",
            "index", spell_number(e, index), "part", f->name, "bits", spell_number(e, f->part->bits), "or",
            index > 0 ? " || newer_" : "", NULL);
        index++;
    }
    out_put(e->out, "    return newer_;\n}\n", NULL);
}

static const char *spell_range(const emitter *e, const field_sum *t)
{
    const type *of = &t->path[t->depth - 1]->type;
    return arena_printf(e->arena, "%s, %s", spell_number(e, of->low.magnitude), spell_number(e, of->high.magnitude));
}

/* The values from which the baselines that `back` names have moved. */
static void emit_gaps(emitter *e, const decl *d, const field_sum *back)
{
    const char *name = spell_decl(e, d);
    for (const field *f = part_of_back(d->fields, back); f; f = part_of_back(f->next, back)) {
        const field_sum *gap = gap_of(f);
        const char *has = "";
        if (!gap || part_of_gap(d->fields, gap) != f)
            continue;
        out_put(e->out, "    back_ = pkt_gap(at_, $range, $bits);\n", "range", spell_range(e, gap), "bits",
                spell_number(e, f->part->bits), NULL);
        for (const field *g = f; g; g = part_of_gap(g->next, gap)) {
            out_put(e->out,
                    "    from_.${part}_before = ${name}_${part}_ring_find(&sender_->kept.$part, at_->before);\n",
                    "name", name, "part", g->name, NULL);
            has = arena_printf(e->arena, "%s && from_.%s_before.value", has, g->name);
        }
        out_put(e->out,
                "    $has = $based && back_ != 0$found;\n"
                "    if ($has) $gap = ($storage)back_;\n",
                "has", spell_path(e, gap, gap->depth, "has_"), "based", spell_path(e, back, back->depth, "has_"),
                "found", has, "gap", spell_path(e, gap, gap->depth, ""), "storage",
                cname_storage(gap->path[gap->depth - 1]->type.storage), NULL);
    }
}

/* The baselines that `back` names. If all their parts are absent, so is the field: a packet without them needs none. */
static void emit_backs(emitter *e, const decl *d, const field_sum *back, unsigned index)
{
    const char *name = spell_decl(e, d), *found = "", *present = "";
    const field *f = part_of_back(d->fields, back);
    bool whole = false;
    out_put(e->out,
            "    at_ = &sender_->acknowledged[$index];\n"
            "    back_ = pkt_back(at_, number_, $range, $bits);\n",
            "index", spell_number(e, index), "range", spell_range(e, back), "bits", spell_number(e, f->part->bits),
            NULL);
    for (; f; f = part_of_back(f->next, back)) {
        out_put(e->out, "    from_.$part = ${name}_${part}_ring_find(&sender_->kept.$part, at_->number);\n", "name",
                name, "part", f->name, NULL);
        found = arena_printf(e->arena, "%s && from_.%s.value", found, f->name);
        present = arena_printf(e->arena, "%s%sv_->has_%s", present, *present ? " || " : "", f->name);
        whole = whole || !f->optional;
    }
    out_put(e->out,
            "    $has = back_ != 0$found$present;\n"
            "    if ($has) {\n"
            "        $back = ($storage)back_;\n"
            "    } else {\n",
            "has", spell_path(e, back, back->depth, "has_"), "found", found, "present",
            whole ? "" : arena_printf(e->arena, strchr(present, '|') ? " && (%s)" : " && %s", present), "back",
            spell_path(e, back, back->depth, ""), "storage", cname_storage(back->path[back->depth - 1]->type.storage),
            NULL);
    for (f = part_of_back(d->fields, back); f; f = part_of_back(f->next, back))
        out_put(e->out, "        memset(&from_.$part, 0, sizeof from_.$part);\n", "part", f->name, NULL);
    out_put(e->out, "    }\n", NULL);
    emit_gaps(e, d, back);
}

static void emit_sender_baselines(emitter *e, const decl *d)
{
    unsigned index = 0;
    const char *name = spell_decl(e, d);
    out_put(e->out,
            "PKT_INLINE ${name}_baselines ${name}_sender_baselines(${name}_sender *sender_, $name *v_)\n"
            "{\n"
            "    const uint64_t number_ = $number;\n"
            "    ${name}_baselines from_;\n"
            "    pkt_acknowledged *at_;\n"
            "    uint64_t back_;\n"
            "    memset(&from_, 0, sizeof from_);\n",
            "name", name, "number", spell_number_of(e, d), NULL);
    for (const field *f = d->fields; f; f = f->next) {
        const field_sum *back = f->part ? back_of(f) : NULL;
        if (back && f->part->starts)
            out_put(e->out, "    from_.${part}_start = sender_->kept.${part}_start;\n", "part", f->name, NULL);
        if (back && part_of_back(d->fields, back) == f)
            emit_backs(e, d, back, index++);
    }
    out_put(e->out, "    return from_;\n}\n", NULL);
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
    out_put(e->out,
            "    memset(sender_->acknowledged, 0, sizeof sender_->acknowledged);\n"
            "    sender_->begun = false;\n"
            "}\n",
            NULL);
    emit_acknowledged(e, d);
    emit_sender_baselines(e, d);
    emit_send(e, d);
}
