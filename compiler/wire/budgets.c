/* budgets.c - compares the greatest size of each packet with its @budget, and of each answer with what it answers.
 * SPDX-License-Identifier: MIT
 */
#include "wire/wire.h"
#include "wire/extent.h"

/* The most bits of an item that has @fit, if none of its elements is kept that need not be. */
static uint64_t most_unfit(const op *o)
{
    enum { SLACK = 2 * 7 }; /* T_fit_pack allows for so much padding at the ends of a part */
    if (o->kind == OP_OPTIONAL)
        return bits_plus(1, most_unfit(o->body));
    return lesser_bits(o->most, o->kind == OP_DELTA ? bits_plus(most_of_delta_unfit(o->of), SLACK)
                                                    : bits_plus(o->bits, bits_times(o->body->most, o->count_low)));
}

uint64_t most_bytes_after_fit(const wire *w, const wire_type *t)
{
    if (t->decl->parts == 0)
        return bytes_of_bits(t->most_framed);
    uint64_t most = FRAME_CRC_BITS + (w->schema->checks ? FRAME_END_BITS : 0);
    for (const op *o = t->body; o; o = o->next)
        most = bits_plus(most, o->field && o->field->fit ? most_unfit(o) : o->most);
    /* most_framed has the exact paddings, and the sum above the greatest ones. */
    return bytes_of_bits(lesser_bits(most, t->most_framed));
}

exchange exchange_of(const wire_type *answer, const wire_type *question)
{
    exchange e = {.most = bytes_of_bits(answer->most_framed), .least = bytes_of_bits(question->least_framed)};
    const uint64_t most = answer->decl->delta ? bytes_of_bits(answer->delta_most_framed) : 0,
                   least = question->decl->delta ? bytes_of_bits(question->delta_least_framed) : UINT64_MAX;
    e.most_as = most > e.most ? " as a delta" : "";
    e.least_as = least < e.least ? " as a delta" : "";
    e.most = most > e.most ? most : e.most;
    e.least = least < e.least ? least : e.least;
    return e;
}

/* Whoever forges the address of another gets nothing amplified if no answer is larger than what it answers. */
static bool check_answer(const wire *w, const wire_type *t, diag *d)
{
    const wire_type *of = t->decl->answers ? wire_type_of(w, t->decl->answers) : NULL;
    const exchange e = of ? exchange_of(t, of) : (exchange){0};
    if (e.most <= e.least)
        return true;
    message *m = diag_error(
        d, t->decl->span, "'%s' can take %llu bytes%s, and '%s', which it answers, as few as %llu%s", t->decl->name,
        (unsigned long long)e.most, e.most_as, of->decl->name, (unsigned long long)e.least, e.least_as);
    diag_note(d, m, of->decl->span, "an attacker who sends this with a forged address gets the difference for nothing");
    diag_help(d, m, "add %llu bytes of zeros to '%s', with lines such as `reserved<64>;`",
              (unsigned long long)(e.most - e.least), of->decl->name);
    const decl *delta = *e.least_as ? of->decl : *e.most_as ? t->decl : NULL;
    if (delta)
        diag_help(d, m,
                  "or take '@delta' from '%s': whoever exchanges packets before they trust each other has no baseline",
                  delta->name);
    return false;
}

bool check_budgets(const wire *w, diag *d)
{
    bool within = true;
    for (const wire_type *t = w->types; t; t = t->next) {
        within &= check_answer(w, t, d);
        const uint64_t bytes = most_bytes_after_fit(w, t);
        if (t->decl->budget == 0 || bytes <= t->decl->budget)
            continue;
        within = false;
        message *m = diag_error(d, t->decl->span, "packet '%s' can take %llu bytes, more than its budget of %u",
                                t->decl->name, (unsigned long long)bytes, (unsigned)t->decl->budget);
        diag_help(d, m, "`pktc layout %s` shows the size of each field", t->decl->span.source->path);
    }
    return within;
}
