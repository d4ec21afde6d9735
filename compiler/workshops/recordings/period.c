/* period.c - prints rates by packet type, by field and by sender.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/period.h"
#include "base/json.h"
#include "pages/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIXED_LINES = 7, LEAST_ROWS = 3 }; /* the first line, three blank ones, and the heads of three tables */

static double period_seconds(const period *p)
{
    return (double)p->length / 1e9;
}

static const char *per_second(arena *a, const period *p, double amount)
{
    return p->length > 0 ? arena_printf(a, "%.1f", amount / period_seconds(p)) : "";
}

static const char *share_of_bytes(arena *a, const period *p, double bytes)
{
    const uint64_t all = p->tally->bytes;
    return all > 0 ? arena_printf(a, "%.1f %%", 100 * bytes / (double)all) : "";
}

/* The kinds of datagrams, the one with the most bytes first. */
static int by_kind_bytes(const void *left, const void *right)
{
    const datagram_tally *a = *(const datagram_tally *const *)left, *b = *(const datagram_tally *const *)right;
    return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes) : strcmp(a->name, b->name);
}

static const datagram_tally **kinds_sorted(arena *a, const tally *t, size_t *count)
{
    *count = 0;
    for (const datagram_tally *d = t->datagrams; d; d = d->next)
        ++*count;
    const datagram_tally **sorted = ARENA_ARRAY(a, const datagram_tally *, *count + 1), **to = sorted;
    for (const datagram_tally *d = t->datagrams; d; d = d->next)
        *to++ = d;
    qsort(sorted, *count, sizeof *sorted, by_kind_bytes);
    return sorted;
}

/* "2023-11-14 22:13:20" in UTC. */
static const char *time_text(arena *a, uint64_t nanoseconds)
{
    char text[sizeof "2023-11-14 22:13:20" + 8] = "";
    const time_t seconds = (time_t)(nanoseconds / 1000000000);
    const struct tm *at = gmtime(&seconds);
    return at && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", at) > 0 ? arena_printf(a, "%s", text) : "";
}

static void first_line(arena *a, const period *p, out *to)
{
    const tally *t = p->tally;
    out_put(to, "$time UTC, $seconds s: $count datagrams, $bytes bytes", "time", time_text(a, p->begin), "seconds",
            arena_printf(a, "%.1f", period_seconds(p)), "count", arena_printf(a, "%" PRIu64, t->count), "bytes",
            arena_printf(a, "%" PRIu64, t->bytes), NULL);
    if (p->length > 0)
        out_put(to, ", $packets packets/s, $kbit kbit/s", "packets", per_second(a, p, (double)t->count), "kbit",
                per_second(a, p, (double)t->bytes * 8 / 1000), NULL);
    if (t->refused > 0)
        out_put(to, ", $refused not read", "refused", arena_printf(a, "%" PRIu64, t->refused), NULL);
    out_put(to, "\n", NULL);
}

/* Puts a line of a table: a name, a count, bytes. */
static void rates_to_row(arena *a, const period *p, text_table *table, const char *name, uint64_t count, double bytes)
{
    text_row *row = text_table_add(table);
    row->cells[0] = name;
    row->cells[1] = per_second(a, p, (double)count);
    row->cells[2] = per_second(a, p, bytes * 8 / 1000);
    row->cells[3] = count > 0 ? arena_printf(a, "%.1f", bytes * 8 / (double)count) : "";
    row->cells[4] = share_of_bytes(a, p, bytes);
}

static void begin_rates(arena *a, text_table *table, const char *name, const char *counted)
{
    text_table_init(table, a, "lrrrr");
    text_row *row = text_table_add(table);
    row->cells[0] = name;
    row->cells[1] = counted;
    row->cells[2] = "kbit/s";
    row->cells[3] = "bits each";
    row->cells[4] = "share";
}

/* Of a number of rows, how many a table shows: a quarter of all lines, or more where the other one has fewer. */
static size_t rows_of(size_t count, size_t room)
{
    const size_t most = room / 4 > LEAST_ROWS ? room / 4 : LEAST_ROWS;
    return count < most ? count : most;
}

void period_text(arena *a, const period *p, unsigned lines, out *to)
{
    const tally *t = p->tally;
    size_t kind_count, field_count;
    first_line(a, p, to);
    if (t->count == 0)
        return;
    const datagram_tally **kinds = kinds_sorted(a, t, &kind_count);
    const field_tally **fields = tally_sorted(a, t, &field_count);
    const size_t room = lines > FIXED_LINES ? lines - FIXED_LINES : 0;
    const size_t kinds_shown = rows_of(kind_count, room), peers_shown = rows_of(t->peers.count, room);
    const size_t rest = room > kinds_shown + peers_shown ? room - kinds_shown - peers_shown : LEAST_ROWS;
    text_table table;
    out_put(to, "\n", NULL);
    begin_rates(a, &table, "datagram", "a second");
    for (size_t i = 0; i < kinds_shown; i++)
        rates_to_row(a, p, &table, kinds[i]->name, kinds[i]->count, (double)kinds[i]->bytes);
    text_table_put(&table, to);
    out_put(to, "\n", NULL);
    begin_rates(a, &table, "field", "a second");
    for (size_t i = 0; i < field_count && i < rest; i++)
        rates_to_row(a, p, &table, fields[i]->path, fields[i]->items, (double)fields[i]->bits / 8);
    text_table_put(&table, to);
    out_put(to, "\n", NULL);
    begin_rates(a, &table, "from and to", "a second");
    for (size_t i = 0; i < peers_shown; i++)
        rates_to_row(a, p, &table, t->peers.pairs[i].name, t->peers.pairs[i].count, (double)t->peers.pairs[i].bytes);
    text_table_put(&table, to);
}

/* ---- JSON */

static void count_to_json(json_writer *j, const char *key, const char *name, uint64_t count, uint64_t bytes)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, key), name);
    json_u64(json_key(j, "count"), count);
    json_u64(json_key(j, "bytes"), bytes);
    json_end(j);
}

void period_json(arena *a, const period *p, out *to)
{
    const tally *t = p->tally;
    size_t count;
    json_writer *j = json_new(a, to, JSON_ONE_LINE);
    json_begin_object(j, JSON_IN_LINE);
    json_plain(json_key(j, "time"), "%" PRIu64 ".%09" PRIu64, p->begin / 1000000000, p->begin % 1000000000);
    json_plain(json_key(j, "seconds"), "%.6g", period_seconds(p));
    json_u64(json_key(j, "count"), t->count);
    json_u64(json_key(j, "bytes"), t->bytes);
    json_u64(json_key(j, "refused"), t->refused);
    const datagram_tally **kinds = kinds_sorted(a, t, &count);
    json_begin_array(json_key(j, "datagrams"), JSON_IN_LINE);
    for (size_t i = 0; i < count; i++)
        count_to_json(j, "name", kinds[i]->name, kinds[i]->count, kinds[i]->bytes);
    json_end(j);
    json_begin_array(json_key(j, "peers"), JSON_IN_LINE);
    for (size_t i = 0; i < t->peers.count; i++)
        count_to_json(j, "name", t->peers.pairs[i].name, t->peers.pairs[i].count, t->peers.pairs[i].bytes);
    json_end(j);
    const field_tally **fields = tally_sorted(a, t, &count);
    json_begin_array(json_key(j, "fields"), JSON_IN_LINE);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(j, JSON_IN_LINE);
        json_text(json_key(j, "field"), fields[i]->path);
        json_u64(json_key(j, "items"), fields[i]->items);
        json_u64(json_key(j, "bits"), fields[i]->bits);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    out_put(to, "\n", NULL);
}
