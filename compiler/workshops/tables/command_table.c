/* command_table.c - `pktc table`: writes recordings as tables, in one or several processes.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "base/interrupts.h"
#include "recordings/counting.h"
#include "recordings/recorded.h"
#include "tables/table_fill.h"
#include "tables/tables_rows.h"

#include <inttypes.h>
#include <string.h>

typedef struct tabling {
    run *run;
    const counted_files *files;
    const char **names;                          /* of the files of each recording */
    const datagrams_request *request, *requests; /* of all recordings, and of each */
    table_plans *plans;
    uint64_t *rows; /* of each table, */
    uint64_t *seen; /* and of datagrams_seen */
} tabling;

/* ---- names of files */

/* The path of a recording as one name: "night/match.pcapng" is "night-match.pcapng". Readers of whole folders leave out
 * names that begin with a dot or a line. */
static const char *name_of_files(arena *a, const char *from)
{
    while (file_is_separator(*from) || strchr("._-", *from))
        if (*from++ == '\0')
            return "standard-input";
    char *name = arena_text(a, from, strlen(from));
    for (char *c = name; *c; c++)
        *c = *c == ':' || file_is_separator(*c) ? '-' : *c;
    return name;
}

/* False after an error: two recordings would have the same files. */
static bool name_recordings(tabling *k)
{
    run *r = k->run;
    map *known = map_new(r->arena);
    k->names = ARENA_ARRAY(r->arena, const char *, k->files->recording_count);
    for (size_t i = 0; i < k->files->recording_count; i++) {
        const char *from = k->files->recordings[i], *name = name_of_files(r->arena, from);
        const char *key = intern(r->names, name, strlen(name)), *other = map_get(known, NULL, key);
        if (other) {
            diag_error(r->diag, (span){0}, "'%s' and '%s' would have the same files, %s.parquet", other, from, name);
            return false;
        }
        map_put(r->arena, known, NULL, key, (void *)(uintptr_t)from);
        k->names[i] = name;
    }
    return true;
}

/* ---- recordings */

static bool table_recording(void *user, diag *d, size_t number)
{
    tabling *k = user;
    const char *name = k->files->recordings[number];
    const options *o = k->run->options;
    recorded each;
    if (!is_recording(d, name))
        return false;
    arena *a = arena_new(), *scratch = arena_new();
    datagrams *g = datagrams_new(a, d, &k->requests[number]);
    recording *from = recording_open(a, d, name);
    bool good = from != NULL;
    if (good) {
        k->plans->recording = name;
        interrupts_hold(); /* until no part of a file is left */
        filled_tables *t = filled_tables_new(a, k->plans, tables_chosen(o)->directory, k->names[number]);
        while (!interrupts_came() && recording_next(from, (uint16_t)o->port, &each)) {
            decoded found;
            datagrams_read(g, scratch, &each.datagram, NULL, NULL, &found);
            filled_tables_add(t, &each, &found);
            arena_clear(scratch);
        }
        recording_close(from);
        good = filled_tables_end(t, d, !interrupts_came(), k->rows);
        interrupts_release();
        datagrams_seen(g, k->seen);
    }
    datagrams_free(g);
    arena_free(scratch);
    arena_free(a);
    return good;
}

static void forget_rows(void *user)
{
    tabling *k = user;
    k->rows = ARENA_ARRAY(k->run->arena, uint64_t, k->plans->count);
    k->seen = ARENA_ARRAY(k->run->arena, uint64_t, datagrams_seen_count(k->request));
}

static void put_rows(void *user, packer *to)
{
    const tabling *k = user;
    for (size_t i = 0; i < k->plans->count; i++)
        pack_number(to, k->rows[i]);
    for (size_t i = 0; i < datagrams_seen_count(k->request); i++)
        pack_number(to, k->seen[i]);
}

static bool take_rows(void *user, unpacker *from)
{
    const tabling *k = user;
    for (size_t i = 0; i < k->plans->count; i++)
        k->rows[i] += unpack_number(from);
    for (size_t i = 0; i < datagrams_seen_count(k->request); i++)
        k->seen[i] += unpack_number(from);
    return !from->bad;
}

/* ---- all of them */

/* Writes an empty file for each table without rows, so that whoever asks it finds it; where there are rows, one that was
 * written earlier is gone. */
static bool write_empty(tabling *k)
{
    run *r = k->run;
    uint64_t *none = ARENA_ARRAY(r->arena, uint64_t, k->plans->count);
    filled_tables *t = filled_tables_new(r->arena, k->plans, tables_chosen(r->options)->directory, "empty");
    for (const table_plan *p = k->plans->first; p; p = p->next)
        if (k->rows[p->number] == 0)
            filled_tables_want(t, p);
    interrupts_hold();
    const bool good = filled_tables_end(t, r->diag, true, none);
    interrupts_release();
    return good;
}

/* Those of all releases together. */
static void print_rows(tabling *k)
{
    for (const table_plan *p = k->plans->first; p; p = p->next)
        if (p->twin)
            k->rows[p->twin->number] += k->rows[p->number];
    for (const table_plan *p = k->plans->first; p; p = p->next)
        if (!p->twin)
            printf("%12" PRIu64 "  %s\n", k->rows[p->number], p->folder);
}

void table_recordings(run *r)
{
    counted_files files;
    datagrams_request request;
    table_plans plans = {.arena = r->arena, .diag = r->diag, .names = r->names, .changes = r->options->changes};
    tabling k = {.run = r, .files = &files, .request = &request, .plans = &plans};
    const counting_work work = {
        .count = table_recording, .put = put_rows, .take = take_rows, .begin = forget_rows, .user = &k};
    if (!counted_open(r, &files) || !name_recordings(&k))
        return;
    datagrams_request *requests = ARENA_ARRAY(r->arena, datagrams_request, files.recording_count);
    k.requests = requests;
    if (!counting_requests(r, &files, &request, requests))
        return;
    datagrams *g = datagrams_new(r->arena, r->diag, &request);
    if (!g)
        return;
    if (table_plans_make(&plans, g)) {
        forget_rows(&k);
        const bool good = counting_run(r, files.recording_count, false, &work);
        datagrams_see(g, k.seen);
        if (good && write_empty(&k)) {
            datagrams_warn(g);
            print_rows(&k);
        }
    }
    datagrams_free(g);
}
