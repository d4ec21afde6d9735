/* report_json.c - prints a report as one JSON object.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "recordings/savings.h"
#include "recordings/report.h"

static void entropy_to_json(json_writer *j, const char *key, const histogram *h)
{
    json_plain(json_key(j, key), "%.6g", histogram_entropy(h));
}

static void field_to_json(arena *a, json_writer *j, const field_tally *f)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "field"), f->path);
    json_u64(json_key(j, "items"), f->items);
    json_u64(json_key(j, "bits"), f->bits);
    if (f->codes.total != 0) {
        const histogram_entry *top = histogram_top(&f->codes);
        json_u64(json_key(j, "values"), f->codes.total);
        json_u64(json_key(j, "different"), f->codes.distinct);
        entropy_to_json(j, "entropy", &f->codes);
        if (f->differences.total != 0)
            entropy_to_json(j, "difference_entropy", &f->differences);
        json_text(json_key(j, "least"), code_text(a, &f->field->type, f->least));
        json_text(json_key(j, "most"), code_text(a, &f->field->type, f->most));
        json_plain(json_key(j, "counter"), is_counter(f) ? "true" : "false");
        json_plain(json_key(j, "constant_per_connection"), is_constant_per_connection(f) ? "true" : "false");
        json_text(json_key(j, "usual"), code_text(a, &f->field->type, top->value));
        json_u64(json_key(j, "usual_count"), top->count);
    }
    for (unsigned mode = 0; f->subsets != 0 && mode < SPARSE_MODES; mode++)
        json_u64(json_key(j, arena_printf(a, "%s_bits", sparse_mode_name((sparse_mode)mode))), f->index_bits[mode]);
    json_end(j);
}

static void datagrams_to_json(json_writer *j, const tally *t)
{
    json_begin_array(json_key(j, "datagrams"), JSON_LINES);
    for (const datagram_tally *d = t->datagrams; d; d = d->next) {
        json_begin_object(j, JSON_IN_LINE);
        json_text(json_key(j, "name"), d->name);
        json_u64(json_key(j, "count"), d->count);
        json_u64(json_key(j, "bytes"), d->bytes);
        json_u64(json_key(j, "least"), d->least);
        json_u64(json_key(j, "most"), d->most);
        json_end(j);
    }
    json_end(j);
}

static void peers_to_json(json_writer *j, const tally *t)
{
    json_begin_array(json_key(j, "peers"), JSON_LINES);
    for (unsigned i = 0; i < t->peers.count; i++) {
        json_begin_object(j, JSON_IN_LINE);
        json_text(json_key(j, "name"), t->peers.pairs[i].name);
        json_u64(json_key(j, "count"), t->peers.pairs[i].count);
        json_u64(json_key(j, "bytes"), t->peers.pairs[i].bytes);
        json_end(j);
    }
    json_end(j);
    if (t->peers.others == 0)
        return;
    json_begin_object(json_key(j, "other_peers"), JSON_IN_LINE);
    json_u64(json_key(j, "count"), t->peers.others);
    json_u64(json_key(j, "bytes"), t->peers.others_bytes);
    json_end(j);
}

/* The recordings that are not in the report, or not whole. */
static void faults_to_json(json_writer *j, const tally *t)
{
    if (t->fault_count == 0)
        return;
    json_u64(json_key(j, "recordings"), t->recordings);
    json_u64(json_key(j, "unread"), t->unread);
    json_begin_array(json_key(j, "faults"), JSON_LINES);
    for (unsigned i = 0; i < t->fault_count; i++) {
        json_begin_object(j, JSON_IN_LINE);
        json_text(json_key(j, "message"), t->faults[i].text);
        json_u64(json_key(j, "count"), t->faults[i].count);
        json_end(j);
    }
    json_end(j);
    if (t->other_faults != 0)
        json_u64(json_key(j, "other_faults"), t->other_faults);
}

static void fields_to_json(arena *a, json_writer *j, const tally *t)
{
    size_t count;
    const field_tally **sorted = tally_sorted(a, t, &count);
    json_begin_array(json_key(j, "fields"), JSON_LINES);
    for (size_t i = 0; i < count; i++)
        field_to_json(a, j, sorted[i]);
    json_end(j);
}

static void advice_to_json(arena *a, json_writer *j, const tally *t)
{
    json_begin_array(json_key(j, "advice"), JSON_LINES);
    for (const advice *each = advise(a, t); each; each = each->next) {
        json_begin_object(j, JSON_IN_LINE);
        json_text(json_key(j, "kind"), advice_name(each->kind));
        json_text(json_key(j, "field"), each->of->path);
        json_text(json_key(j, "change"), each->change);
        json_u64(json_key(j, "bits"), each->bits);
        json_end(j);
    }
    json_end(j);
}

void report_json(arena *a, const tally *t, out *to)
{
    json_writer *j = json_new(a, to, JSON_SPACED);
    json_begin_object(j, JSON_LINES);
    json_u64(json_key(j, "count"), t->count);
    json_u64(json_key(j, "bytes"), t->bytes);
    json_u64(json_key(j, "refused"), t->refused);
    if (t->has_time)
        json_plain(json_key(j, "seconds"), "%.6g", report_seconds(t));
    faults_to_json(j, t);
    datagrams_to_json(j, t);
    peers_to_json(j, t);
    fields_to_json(a, j, t);
    advice_to_json(a, j, t);
    json_end(j);
    out_put(to, "\n", NULL);
}
