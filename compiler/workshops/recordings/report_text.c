/* report_text.c - prints a report as tables of text.
 * SPDX-License-Identifier: MIT
 */
#include "pages/text_table.h"
#include "base/utf8.h"
#include "recordings/savings.h"
#include "recordings/report.h"

#include <inttypes.h>

static const char *count_text(arena *a, uint64_t n)
{
    return arena_printf(a, "%" PRIu64, n);
}

static const char *share_text(arena *a, uint64_t part, uint64_t whole)
{
    return whole == 0 ? "" : arena_printf(a, "%.1f %%", 100.0 * (double)part / (double)whole);
}

static const char *mean_text(arena *a, uint64_t sum, uint64_t count)
{
    return count == 0 ? "" : arena_printf(a, "%.1f", (double)sum / (double)count);
}

double report_seconds(const tally *t)
{
    return t->has_time ? (double)(t->last_time - t->first_time) / 1e9 : 0;
}

static const char *rate_text(arena *a, const tally *t, uint64_t bytes)
{
    const double seconds = report_seconds(t);
    return seconds > 0 ? arena_printf(a, "%.1f", (double)bytes * 8 / 1000 / seconds) : "";
}

static void table_head_to_text(text_table *t, const char *const *words)
{
    text_row *row = text_table_add(t);
    for (size_t i = 0; words[i]; i++)
        row->cells[i] = words[i];
}

static void datagrams_to_text(arena *a, const tally *t, out *to)
{
    static const char *const head[] = {"datagram", "count", "bytes: mean", "95 %", "most", "kbit/s", "share", NULL};
    text_table table;
    text_table_init(&table, a, "lrrrrrr");
    table_head_to_text(&table, head);
    for (const datagram_tally *d = t->datagrams; d; d = d->next) {
        text_row *row = text_table_add(&table);
        row->cells[0] = utf8_shown(a, d->name);
        row->cells[1] = count_text(a, d->count);
        row->cells[2] = mean_text(a, d->bytes, d->count);
        row->cells[3] = count_text(a, histogram_reached(&d->sizes, 95));
        row->cells[4] = count_text(a, d->most);
        row->cells[5] = rate_text(a, t, d->bytes);
        row->cells[6] = share_text(a, d->bytes, t->bytes);
    }
    text_table_put(&table, to);
}

/* The recordings that are not in the report, or not whole. */
static void faults_to_text(arena *a, const tally *t, out *to)
{
    if (t->fault_count == 0)
        return;
    if (t->unread != 0)
        out_put(to, "$unread of $all recordings could not be read:\n", "unread", count_text(a, t->unread), "all",
                count_text(a, t->recordings + t->unread), NULL);
    else
        out_put(to, "Not all recordings are whole:\n", NULL);
    for (unsigned i = 0; i < t->fault_count; i++)
        out_put(to, "  $text$times\n", "text", utf8_shown(a, t->faults[i].text), "times",
                t->faults[i].count > 1 ? arena_printf(a, " (%s times)", count_text(a, t->faults[i].count)) : "", NULL);
    if (t->other_faults != 0)
        out_put(to, "  and $count more\n", "count", count_text(a, t->other_faults), NULL);
}

static void refused_to_text(arena *a, const tally *t, out *to)
{
    if (t->refused != 0)
        out_put(to, "$count more, of $bytes bytes in all, could not be read: `pktc decode` says why.\n", "count",
                count_text(a, t->refused), "bytes", count_text(a, t->refused_bytes), NULL);
}

/* ---- fields */

const char *report_entropy(arena *a, const histogram *h)
{
    return h->total == 0 ? "" : arena_printf(a, "%s%.2f", histogram_is_short(h) ? ">" : "", histogram_entropy(h));
}

/* "3 to 99". */
static const char *seen_text(arena *a, const field_tally *f)
{
    if (f->codes.total == 0)
        return f->differs && !f->field ? "several types" : "";
    const type *t = &f->field->type;
    const char *least = code_text(a, t, f->least), *most = code_text(a, t, f->most);
    return t->kind == TYPE_QUAT || t->kind == TYPE_UNIT || t->kind == TYPE_FLAGS ? ""
           : f->codes.distinct == 1                                              ? least
                                    : arena_printf(a, "%s to %s%s", least, most,
                                                   is_counter(f)                   ? ", counting up"
                                                   : is_constant_per_connection(f) ? ", constant per connection"
                                                                                   : "");
}

/* Whether the bits are too few for a line of text; JSON has all lines. */
static bool is_small(uint64_t bits, const tally *t)
{
    return bits < t->bytes * 8 / 1000;
}

static void more_to_text(arena *a, uint64_t count, const char *what, out *to)
{
    if (count != 0)
        out_put(to, "and $count more $what\n", "count", count_text(a, count), "what", what, NULL);
}

static void peers_to_text(arena *a, const tally *t, out *to)
{
    enum { SHOWN = 8 };
    static const char *const head[] = {"from and to", "count", "bytes: mean", "kbit/s", "share", NULL};
    text_table table;
    text_table_init(&table, a, "lrrrr");
    table_head_to_text(&table, head);
    for (unsigned i = 0; i < t->peers.count && i < SHOWN; i++) {
        const peer_tally *p = &t->peers.pairs[i];
        text_row *row = text_table_add(&table);
        row->cells[0] = p->name;
        row->cells[1] = count_text(a, p->count);
        row->cells[2] = mean_text(a, p->bytes, p->count);
        row->cells[3] = rate_text(a, t, p->bytes);
        row->cells[4] = share_text(a, p->bytes, t->bytes);
    }
    text_table_put(&table, to);
    if (t->peers.count > SHOWN)
        more_to_text(a, t->peers.count - SHOWN, "pairs with fewer bytes", to);
    if (t->peers.others != 0)
        out_put(to, "and $count datagrams of pairs that were not counted one by one\n", "count",
                count_text(a, t->peers.others), NULL);
    out_put(to, "\n", NULL);
}

static void fields_to_text(arena *a, const tally *t, out *to)
{
    static const char *const head[] = {"field",   "items",          "bits", "share", "bits each",
                                       "entropy", "of differences", "seen", NULL};
    size_t count;
    const field_tally **sorted = tally_sorted(a, t, &count);
    text_table table;
    text_table_init(&table, a, "lrrrrrrl");
    table_head_to_text(&table, head);
    size_t shown = 0;
    while (shown < count && !is_small(sorted[shown]->bits, t))
        shown++;
    for (size_t i = 0; i < shown; i++) {
        const field_tally *f = sorted[i];
        text_row *row = text_table_add(&table);
        row->cells[0] = utf8_shown(a, f->path);
        row->cells[1] = count_text(a, f->items);
        row->cells[2] = count_text(a, f->bits);
        row->cells[3] = share_text(a, f->bits, 8 * t->bytes);
        row->cells[4] = mean_text(a, f->bits, f->items);
        row->cells[5] = report_entropy(a, &f->codes);
        row->cells[6] = report_entropy(a, &f->differences);
        row->cells[7] = seen_text(a, f);
    }
    text_table_put(&table, to);
    more_to_text(a, count - shown, "fields with less than 0.1 % each", to);
}

static void subsets_to_text(arena *a, const tally *t, out *to)
{
    text_table table;
    text_table_init(&table, a, "lrrrrrrr");
    text_row *head = text_table_add(&table);
    head->cells[0] = "sparse array: bits of indices";
    head->cells[1] = "elements";
    for (unsigned mode = 0; mode < SPARSE_MODES; mode++)
        head->cells[2 + mode] = sparse_mode_name((sparse_mode)mode);
    for (const field_tally *f = t->fields; f; f = f->next) {
        if (f->subsets == 0)
            continue;
        text_row *row = text_table_add(&table);
        row->cells[0] = arena_printf(a, "%s (%s)", f->path, sparse_mode_name(f->field->mode));
        row->cells[1] = mean_text(a, f->elements, f->subsets);
        for (unsigned mode = 0; mode < SPARSE_MODES; mode++)
            row->cells[2 + mode] = mean_text(a, f->index_bits[mode], f->subsets);
    }
    if (head->next) {
        out_put(to, "\n", NULL);
        text_table_put(&table, to);
    }
}

static void advice_to_text(arena *a, const tally *t, out *to)
{
    const advice *first = advise(a, t);
    if (!first)
        return;
    text_table table;
    text_table_init(&table, a, "rrll");
    out_put(to,
            "\nWhat each change by itself would have saved, in bytes and as a share of all. What a recording did not "
            "have, the next may:\n",
            NULL);
    uint64_t small = 0;
    for (const advice *each = first; each; each = each->next) {
        small += is_small(each->bits, t);
        if (is_small(each->bits, t))
            continue;
        text_row *row = text_table_add(&table);
        row->cells[0] = count_text(a, each->bits / 8);
        row->cells[1] = share_text(a, each->bits, 8 * t->bytes);
        row->cells[2] = each->of->path;
        row->cells[3] = each->change;
    }
    text_table_put(&table, to);
    more_to_text(a, small, "that would have saved less than 0.1 % each", to);
}

void report_text(arena *a, const tally *t, out *to)
{
    const double seconds = t->count != 0 ? report_seconds(t) : 0;
    out_put(to, "$count datagrams, $bytes bytes$during\n", "count", count_text(a, t->count), "bytes",
            count_text(a, t->bytes), "during",
            seconds > 0 ? arena_printf(a, " in %.1f s: %s kbit/s", seconds, rate_text(a, t, t->bytes)) : "", NULL);
    refused_to_text(a, t, to);
    faults_to_text(a, t, to);
    if (t->count == 0)
        return;
    out_put(to, "\n", NULL);
    datagrams_to_text(a, t, to);
    out_put(to, "\n", NULL);
    peers_to_text(a, t, to);
    fields_to_text(a, t, to);
    subsets_to_text(a, t, to);
    advice_to_text(a, t, to);
}
