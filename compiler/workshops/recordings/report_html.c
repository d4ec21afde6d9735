/* report_html.c - prints a report as a page: a time line, a strip of the uses of bits, tables with bars.
 * SPDX-License-Identifier: MIT
 */
#include "base/banner.h"
#include "base/hash_table.h"
#include "pages/page.h"
#include "recordings/savings.h"
#include "recordings/report.h"

#include <inttypes.h>
#include <string.h>

enum {
    COLOURS = 7,   /* .k0 to .k6 of the style */
    LINE_HIGH = 90 /* the height of the time line */
};

static const char report_style[] =
    ".strip { display: flex; height: 2.6rem; margin: .6rem 0; border-radius: 4px; overflow: hidden; }\n"
    ".strip span { padding: .55rem .3rem; font-size: 11px; white-space: nowrap; overflow: hidden;\n"
    "  border-right: 1px solid var(--paper); box-sizing: border-box; }\n"
    "svg.time rect { fill: var(--bar); }\n";

static const char *number_html(arena *a, uint64_t n)
{
    return arena_printf(a, "%" PRIu64, n);
}

static void meter_to_html(arena *a, uint64_t part, uint64_t whole, out *to)
{
    out_put(to,
            "<td class=\"n\">$share %</td><td class=\"share\"><span class=\"meter\"><b class=\"least\" "
            "style=\"width:$share%\"></b></span></td>",
            "share", page_percent(a, part, whole), NULL);
}

/* Bytes by time, as bars. */
static void time_to_html(arena *a, const tally *t, out *to)
{
    uint64_t most = 1;
    if (report_seconds(t) <= 0)
        return;
    const uint64_t first = t->first_time / t->slice_time, count = t->last_time / t->slice_time - first + 1;
    for (uint64_t i = first; i < first + count; i++)
        most = t->slices[i % TALLY_RING] > most ? t->slices[i % TALLY_RING] : most;
    out_put(to,
            "<h3>$seconds s, up to $most kbit/s</h3>\n<svg class=\"time\" viewBox=\"0 0 $count $high\" "
            "preserveAspectRatio=\"none\" style=\"height:${high}px\" role=\"img\" aria-label=\"bytes by time\">\n",
            "seconds", arena_printf(a, "%.1f", report_seconds(t)), "most",
            arena_printf(a, "%.0f", (double)most * 8 / ((double)t->slice_time / 1e9) / 1000), "count",
            number_html(a, count), "high", number_html(a, LINE_HIGH), NULL);
    for (uint64_t i = 0; i < count; i++) {
        const double high = LINE_HIGH * (double)t->slices[(first + i) % TALLY_RING] / (double)most;
        out_put(to, "<rect x=\"$x\" y=\"$y\" width=\"1\" height=\"$high\"/>\n", "x", number_html(a, i), "y",
                arena_printf(a, "%.1f", LINE_HIGH - high), "high", arena_printf(a, "%.1f", high), NULL);
    }
    out_put(to, "</svg>\n", NULL);
}

static void datagrams_to_html(arena *a, const tally *t, out *to)
{
    out_put(to,
            "<table>\n<tr><th>datagram</th><th class=\"n\">count</th><th class=\"n\">mean</th><th class=\"n\">95 %</th>"
            "<th class=\"n\">most</th><th class=\"n\">share</th><th class=\"share\" style=\"width:30%\"></th></tr>\n",
            NULL);
    for (const datagram_tally *d = t->datagrams; d; d = d->next) {
        out_put(to,
                "<tr><td>$name</td><td class=\"n\">$count</td><td class=\"n\">$mean</td><td class=\"n\">$usual</td>"
                "<td class=\"n\">$most</td>",
                "name", page_text(a, d->name), "count", number_html(a, d->count), "mean",
                arena_printf(a, "%.1f", (double)d->bytes / (double)d->count), "usual",
                number_html(a, histogram_reached(&d->sizes, 95)), "most", number_html(a, d->most), NULL);
        meter_to_html(a, d->bytes, t->bytes, to);
        out_put(to, "</tr>\n", NULL);
    }
    out_put(to, "</table>\n", NULL);
}

/* The pairs of sender and receiver with the most bytes. */
static void peers_to_html(arena *a, const tally *t, out *to)
{
    enum { SHOWN = 100 };
    out_put(to,
            "<details><summary>$count pairs of sender and receiver</summary>\n<table>\n<tr><th>from and to</th>"
            "<th class=\"n\">count</th><th class=\"n\">bytes</th><th class=\"n\">share</th>"
            "<th class=\"share\" style=\"width:20%\"></th></tr>\n",
            "count", number_html(a, t->peers.count), NULL);
    for (unsigned i = 0; i < t->peers.count && i < SHOWN; i++) {
        out_put(to, "<tr><td class=\"mono\">$name</td><td class=\"n\">$count</td><td class=\"n\">$bytes</td>", "name",
                page_text(a, t->peers.pairs[i].name), "count", number_html(a, t->peers.pairs[i].count), "bytes",
                number_html(a, t->peers.pairs[i].bytes), NULL);
        meter_to_html(a, t->peers.pairs[i].bytes, t->bytes, to);
        out_put(to, "</tr>\n", NULL);
    }
    out_put(to, "</table></details>\n", NULL);
}

/* The recordings that are not in the report, or not whole. */
static void faults_to_html(arena *a, const tally *t, out *to)
{
    if (t->fault_count == 0)
        return;
    out_put(to, "<p>$unread of $all recordings could not be read.</p>\n<ul>\n", "unread", number_html(a, t->unread),
            "all", number_html(a, t->recordings + t->unread), NULL);
    for (unsigned i = 0; i < t->fault_count; i++)
        out_put(to, "<li>$text</li>\n", "text", page_text(a, t->faults[i].text), NULL);
    if (t->other_faults != 0)
        out_put(to, "<li>and $count more</li>\n", "count", number_html(a, t->other_faults), NULL);
    out_put(to, "</ul>\n", NULL);
}

typedef struct strip_field {
    struct strip_field *next;
    const field_tally *of;
} strip_field;

/* The fields of a top-level type, in the order of the wire. */
typedef struct strip {
    struct strip *next;
    const char *top;
    uint64_t bits; /* of all fields */
    strip_field *fields, **last;
} strip;

/* The types in the order of their first fields. */
static const strip *strips_of(arena *a, const tally *t)
{
    map *by_top = map_new(a);
    strip *strips = NULL, **last = &strips;
    for (const field_tally *f = t->fields; f; f = f->next) {
        strip *s = map_get(by_top, NULL, f->top);
        if (!s) {
            s = *last = ARENA_WITH(a, strip, .top = f->top);
            last = &s->next;
            s->last = &s->fields;
            map_put(a, by_top, NULL, f->top, s);
        }
        count_add(&s->bits, f->bits);
        *s->last = ARENA_WITH(a, strip_field, .of = f);
        s->last = &(*s->last)->next;
    }
    return strips;
}

static void strip_to_html(arena *a, const strip *s, out *to)
{
    unsigned n = 0;
    if (s->bits == 0)
        return;
    out_put(to, "<h3>$top, $bytes bytes</h3>\n<div class=\"strip\">", "top", page_text(a, s->top), "bytes",
            number_html(a, s->bits / 8), NULL);
    for (const strip_field *each = s->fields; each; each = each->next) {
        const field_tally *f = each->of;
        if (500 * f->bits < s->bits)
            continue;
        const char *name = strchr(f->path, '.');
        out_put(to, "<span class=\"k$colour\" style=\"flex:$bits 1 0\" title=\"$path: $share %\">$name</span>",
                "colour", number_html(a, n++ % COLOURS), "bits", number_html(a, f->bits), "path", page_text(a, f->path),
                "share", page_percent(a, f->bits, s->bits), "name", page_text(a, name ? name + 1 : f->path), NULL);
    }
    out_put(to, "</div>\n", NULL);
}

static void fields_to_html(arena *a, const tally *t, out *to)
{
    size_t count;
    const field_tally **sorted = tally_sorted(a, t, &count);
    out_put(to,
            "<table>\n<tr><th>field</th><th class=\"n\">items</th><th class=\"n\">bits each</th>"
            "<th class=\"n\">entropy</th><th class=\"n\">of differences</th><th class=\"n\">share</th>"
            "<th class=\"share\" style=\"width:20%\"></th></tr>\n",
            NULL);
    for (size_t i = 0; i < count; i++) {
        const field_tally *f = sorted[i];
        out_put(to,
                "<tr><td class=\"mono\">$path</td><td class=\"n\">$items</td><td class=\"n\">$each</td>"
                "<td class=\"n\">$entropy</td><td class=\"n\">$differences</td>",
                "path", page_text(a, f->path), "items", number_html(a, f->items), "each",
                arena_printf(a, "%.1f", (double)f->bits / (double)f->items), "entropy",
                page_text(a, report_entropy(a, &f->codes)), "differences",
                page_text(a, report_entropy(a, &f->differences)), NULL);
        meter_to_html(a, f->bits, 8 * t->bytes, to);
        out_put(to, "</tr>\n", NULL);
    }
    out_put(to, "</table>\n", NULL);
}

static void advice_to_html(arena *a, const tally *t, out *to)
{
    const advice *first = advise(a, t);
    if (!first)
        return;
    out_put(to,
            "<h3>What each change by itself would have saved</h3>\n<table>\n<tr><th>field</th><th>change</th>"
            "<th class=\"n\">bytes</th><th class=\"n\">share</th><th class=\"share\" style=\"width:20%\"></th></tr>\n",
            NULL);
    for (const advice *each = first; each; each = each->next) {
        out_put(to, "<tr><td class=\"mono\">$path</td><td>$change</td><td class=\"n\">$bytes</td>", "path",
                page_text(a, each->of->path), "change", page_text(a, each->change), "bytes",
                number_html(a, each->bits / 8), NULL);
        meter_to_html(a, each->bits, 8 * t->bytes, to);
        out_put(to, "</tr>\n", NULL);
    }
    out_put(to, "</table>\n", NULL);
}

void report_html(arena *a, const tally *t, out *to)
{
    const char *name = t->schemas[0]->protocol ? t->schemas[0]->protocol : t->schemas[0]->root->stem;
    out_put(to,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" BANNER_PAGE "\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>$name: traffic</title>\n"
            "<style>\n$style$more</style>\n</head>\n<body>\n<h1>$name: where the bytes go</h1>\n"
            "<p class=\"faint\">$count datagrams, $bytes bytes</p>\n",
            "name", page_text(a, name), "style", page_style, "more", report_style, "count", number_html(a, t->count),
            "bytes", number_html(a, t->bytes), NULL);
    faults_to_html(a, t, to);
    if (t->count != 0) {
        time_to_html(a, t, to);
        datagrams_to_html(a, t, to);
        peers_to_html(a, t, to);
        for (const strip *s = strips_of(a, t); s; s = s->next)
            strip_to_html(a, s, to);
        advice_to_html(a, t, to);
        out_put(to, "<h3>Fields</h3>\n", NULL);
        fields_to_html(a, t, to);
    }
    out_put(to, "</body>\n</html>\n", NULL);
}
