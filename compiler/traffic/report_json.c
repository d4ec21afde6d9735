/* report_json.c - prints a report as one JSON object.
 * SPDX-License-Identifier: MIT
 */
#include "traffic/savings.h"
#include "traffic/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
    arena *arena;
    out *to;
    const char *before; /* what separates the next member from the one before */
} printer;

static void put(printer *p, const char *text)
{
    out_put(p->to, "$text", "text", text, NULL);
}

static void put_key(printer *p, const char *key)
{
    out_put(p->to, "$before\"$key\": ", "before", p->before, "key", key, NULL);
    p->before = ", ";
}

static void put_number(printer *p, const char *key, uint64_t n)
{
    put_key(p, key);
    put(p, arena_printf(p->arena, "%" PRIu64, n));
}

static void put_real(printer *p, const char *key, double v)
{
    put_key(p, key);
    put(p, arena_printf(p->arena, "%.6g", v));
}

/* Names and code_text have nothing to escape; what a model calls a type does not either. */
static void put_text(printer *p, const char *key, const char *text)
{
    put_key(p, key);
    out_put(p->to, "\"$text\"", "text", text, NULL);
}

static void begin_list(printer *p, const char *key)
{
    put_key(p, key);
    put(p, "[");
    p->before = "\n  {";
}

/* After a list's element, whose first member began it. */
static void next_element(printer *p)
{
    put(p, "}");
    p->before = ",\n  {";
}

static void end_list(printer *p)
{
    put(p, "]");
    p->before = ",\n";
}

static void put_field(printer *p, const field_tally *f)
{
    put_text(p, "field", f->path);
    put_number(p, "items", f->items);
    put_number(p, "bits", f->bits);
    if (f->codes.total != 0) {
        const histogram_entry *top = histogram_top(&f->codes);
        put_number(p, "values", f->codes.total);
        put_number(p, "different", f->codes.distinct);
        put_real(p, "entropy", histogram_entropy(&f->codes));
        if (f->differences.total != 0)
            put_real(p, "difference_entropy", histogram_entropy(&f->differences));
        put_text(p, "least", code_text(p->arena, &f->field->type, f->least));
        put_text(p, "most", code_text(p->arena, &f->field->type, f->most));
        put_text(p, "usual", code_text(p->arena, &f->field->type, top->value));
        put_number(p, "usual_count", top->count);
    }
    for (unsigned mode = 0; f->subsets != 0 && mode < SPARSE_MODES; mode++)
        put_number(p, arena_printf(p->arena, "%s_bits", sparse_mode_name((sparse_mode)mode)), f->index_bits[mode]);
    next_element(p);
}

void report_json(arena *a, const tally *t, out *to)
{
    printer p = {a, to, "{"};
    size_t count;
    const field_tally **sorted = tally_sorted(a, t, &count);
    put_number(&p, "count", t->count);
    put_number(&p, "bytes", t->bytes);
    put_number(&p, "refused", t->refused);
    if (t->has_time)
        put_real(&p, "seconds", report_seconds(t));
    p.before = ",\n";
    begin_list(&p, "datagrams");
    for (const datagram_tally *d = t->datagrams; d; d = d->next) {
        put_text(&p, "name", d->name);
        put_number(&p, "count", d->count);
        put_number(&p, "bytes", d->bytes);
        put_number(&p, "least", d->least);
        put_number(&p, "most", d->most);
        next_element(&p);
    }
    end_list(&p);
    begin_list(&p, "peers");
    const peer_tally **peers = tally_peers_sorted(a, t);
    for (unsigned i = 0; i < t->peer_count; i++) {
        put_text(&p, "name", peers[i]->name);
        put_number(&p, "count", peers[i]->count);
        put_number(&p, "bytes", peers[i]->bytes);
        next_element(&p);
    }
    end_list(&p);
    begin_list(&p, "fields");
    for (size_t i = 0; i < count; i++)
        put_field(&p, sorted[i]);
    end_list(&p);
    begin_list(&p, "advice");
    for (const advice *each = advise(a, t); each; each = each->next) {
        put_text(&p, "kind", advice_name(each->kind));
        put_text(&p, "field", each->of->path);
        put_text(&p, "change", each->change);
        put_number(&p, "bits", each->bits);
        next_element(&p);
    }
    end_list(&p);
    put(&p, "}\n");
}
