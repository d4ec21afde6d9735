/* counting_report.c - the counts of a report: finds the schemas of all files, and counts recordings with them.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "base/hash_table.h"
#include "recordings/counting.h"
#include "recordings/recorded.h"
#include "recordings/counting_report.h"
#include "recordings/tally_file.h"

#include <string.h>

/* ---- schemas */

typedef struct recorded_texts {
    const source *const *list;
    size_t count;
} recorded_texts;

/* Whether two recordings have the same schemas in them, to the byte. */
static bool same_texts(const recorded_texts *a, const recorded_texts *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same =
            a->list[i]->size == b->list[i]->size && memcmp(a->list[i]->text, b->list[i]->text, a->list[i]->size) == 0;
    return same;
}

static recorded_texts copy_of_texts(arena *a, const recorded_texts *from)
{
    const source **list = ARENA_ARRAY(a, const source *, from->count);
    for (size_t i = 0; i < from->count; i++)
        list[i] = source_recorded(a, from->list[i]->path, from->list[i]->text, from->list[i]->size);
    return (recorded_texts){list, from->count};
}

/* The schemas in each recording. Many recordings have the same text, of which there is one list. */
static const recorded_texts *texts_in_recordings(run *r, const counted_files *files)
{
    recorded_texts *all = ARENA_ARRAY(r->arena, recorded_texts, files->recording_count);
    recorded_texts *known = ARENA_ARRAY(r->arena, recorded_texts, files->recording_count);
    size_t known_count = 0;
    arena *scratch = arena_new();
    for (size_t i = 0; i < files->recording_count; i++) {
        recorded_texts here;
        size_t k = known_count;
        here.list = recorded_sources(scratch, r->diag, files->recordings[i], &here.count);
        while (here.count > 0 && k > 0 && !same_texts(&here, &known[k - 1]))
            k--;
        if (here.count > 0 && k == 0) {
            known[known_count++] = copy_of_texts(r->arena, &here);
            k = known_count;
        }
        if (here.count > 0)
            all[i] = known[k - 1];
        arena_clear(scratch);
    }
    arena_free(scratch);
    return all;
}

/* The schemas in the first tally; or in the recording with the most of them, the first of these. None if there are none.
 * *checks: as in tally_file. */
static recorded_texts texts_in_files(const counted_files *files, const recorded_texts *inside, bool *checks)
{
    recorded_texts most = {NULL, 0};
    if (files->tally_count > 0) {
        const tally_file *first = &files->tallies[0];
        *checks = first->checks;
        return (recorded_texts){first->texts, first->schema_count};
    }
    for (size_t i = 0; i < files->recording_count; i++)
        if (inside[i].count > most.count)
            most = inside[i];
    return most;
}

/* Reports why no file has a schema. */
static void report_no_sources(run *r, const counted_files *files)
{
    size_t readable = 0;
    for (size_t i = 0; i < files->recording_count; i++)
        readable += is_recording(r->diag, files->recordings[i]);
    if (readable == files->recording_count)
        report_no_schema(r, files->recordings[0], "");
}

static const schema *const *check_schemas(run *r, const recorded_texts *texts, const check_options *how)
{
    const schema **list = ARENA_ARRAY(r->arena, const schema *, texts->count);
    for (size_t i = 0; i < texts->count; i++) {
        if (!(list[i] = check(r->arena, r->names, r->diag, texts->list[i], how)))
            return NULL;
        add_inputs(r, list[i]);
    }
    return texts->count > 0 ? list : NULL;
}

/* Whether all recordings were made with the schemas. */
static bool all_recorded_with(run *r, const counted_files *files, const recorded_texts *inside,
                              const datagrams_request *request)
{
    const bool given = r->options->file_count > 0;
    const recorded_texts *known = NULL;
    for (size_t i = 0; i < files->recording_count; i++) {
        const char *name = files->recordings[i];
        if (inside[i].count == 0 || (known && known->list == inside[i].list))
            continue;
        known = &inside[i];
        if (!is_recorded_with(r, name, known->list, known->count, request->schemas, request->schema_count, !given,
                              given ? arena_printf(r->arena, "without a schema, `pktc %s %s` takes the one in it",
                                                   r->options->word, name)
                                    : "recordings of different schemas are counted one by one"))
            return false;
    }
    return true;
}

static datagrams_request request_of(const options *o, const schema *const *schemas, size_t count)
{
    return (datagrams_request){.schemas = schemas,
                               .schema_count = count,
                               .streams = o->streams.texts,
                               .stream_count = o->streams.count,
                               .seed = o->seed};
}

static bool request_uses_seed(run *r, const datagrams_request *request)
{
    bool packets = false;
    for (size_t i = 0; i < request->schema_count; i++)
        packets = packets || packets_have_seeds(request->schemas[i]);
    return seed_has_use(r, packets);
}

bool counting_request(run *r, const counted_files *files, datagrams_request *request)
{
    const options *o = r->options;
    recorded_texts texts = {read_schemas(r), o->file_count};
    check_options how = checked_as_asked(r);
    if (!texts.list)
        return false;
    const recorded_texts *inside = NULL;
    if (texts.count == 0) {
        inside = texts_in_recordings(r, files);
        texts = texts_in_files(files, inside, &how.checks);
        if (texts.count == 0)
            report_no_sources(r, files);
    }
    const schema *const *schemas = check_schemas(r, &texts, &how);
    if (!schemas)
        return false;
    if (!inside)
        inside = texts_in_recordings(r, files);
    *request = request_of(o, schemas, texts.count);
    for (size_t i = 0; i < files->tally_count; i++)
        if (!tally_fits(r->diag, &files->tallies[i], schemas, texts.count))
            return false;
    return all_recorded_with(r, files, inside, request) && request_uses_seed(r, request);
}

/* The checked schemas of recordings, without those that are there already. */
typedef struct schema_list {
    const schema **list; /* with room for all */
    size_t count;
} schema_list;

/* Checks the schemas in a recording. NULL after an error. */
static const schema *const *check_more(run *r, const recorded_texts *inside, schema_list *all)
{
    const check_options how = checked_as_asked(r);
    const schema *const *made = check_schemas(r, inside, &how);
    const schema **found = ARENA_ARRAY(r->arena, const schema *, inside->count);
    for (size_t i = 0; made && i < inside->count; i++) {
        size_t k = 0;
        while (k < all->count && !(all->list[k]->id == made[i]->id && is_same_protocol(all->list[k], made[i])))
            k++;
        if (k == all->count)
            all->list[all->count++] = made[i];
        found[i] = all->list[k];
    }
    return made ? found : NULL;
}

/* The schemas in each recording; NULL for one without. */
static bool schemas_in_recordings(run *r, const counted_files *files, const recorded_texts *inside, schema_list *all,
                                  const schema *const **each)
{
    map *known = map_new(r->arena); /* of texts */
    size_t room = 0;
    for (size_t i = 0; i < files->recording_count; i++)
        room += inside[i].count;
    all->list = ARENA_ARRAY(r->arena, const schema *, room);
    for (size_t i = 0; i < files->recording_count; i++) {
        if (inside[i].count > 0 && !(each[i] = map_get(known, inside[i].list, NULL))) {
            if (!(each[i] = check_more(r, &inside[i], all)))
                return false;
            map_put(r->arena, known, inside[i].list, NULL, (void *)(uintptr_t)each[i]);
        }
    }
    return true;
}

bool counting_requests(run *r, const counted_files *files, datagrams_request *all, datagrams_request *each)
{
    if (r->options->file_count > 0) {
        const bool good = counting_request(r, files, all);
        for (size_t i = 0; i < files->recording_count && good; i++)
            each[i] = *all;
        return good;
    }
    const recorded_texts *inside = texts_in_recordings(r, files);
    const schema *const **own = ARENA_ARRAY(r->arena, const schema *const *, files->recording_count);
    schema_list found = {NULL, 0};
    if (!schemas_in_recordings(r, files, inside, &found, own))
        return false;
    if (found.count == 0) {
        report_no_sources(r, files);
        return false;
    }
    *all = request_of(r->options, found.list, found.count);
    for (size_t i = 0; i < files->recording_count; i++) {
        each[i] = own[i] ? request_of(r->options, own[i], inside[i].count) : *all;
        each[i].naming = found.list;
        each[i].naming_count = found.count;
    }
    return request_uses_seed(r, all);
}

/* ---- counting */

typedef struct report_counts {
    run *run;
    const counted_files *files;
    const datagrams_request *request;
    tally *tally;
    uint64_t *seen; /* of datagrams_seen */
} report_counts;

uint64_t time_of_datagram(const recorded *r)
{
    return (uint64_t)r->seconds * 1000000000 + r->nanoseconds;
}

void count_datagram(void *user, const recorded *r)
{
    const counting *k = user;
    arena_clear(k->scratch);
    const uint64_t time = time_of_datagram(r);
    const size_t size = r->datagram.size;
    decoded found;
    datagrams_read(k->kinds, k->scratch, &r->datagram, tally_item, k->tally, &found);
    if (found.refused || !found.name) {
        tally_forget(k->tally);
        tally_refused(k->tally, size, time);
        return;
    }
    tally_peer(k->tally,
               arena_printf(k->scratch, "%s to %s", endpoint_text(k->scratch, &r->datagram.from),
                            endpoint_text(k->scratch, &r->datagram.to)),
               size, found.seed);
    if (found.decl)
        tally_value(k->tally, k->scratch, found.decl, &found.value, false, NULL, found.parts);
    for (const codec_part *p = found.decl ? NULL : found.parts; p; p = p->next)
        tally_value(k->tally, k->scratch, p->decl, &p->value, p->delta, p->base, NULL);
    tally_accept(k->tally);
    tally_datagram(k->tally, *found.name ? found.name : "(stream)", size, time);
}

static bool count_recording(void *user, diag *d, size_t number)
{
    const report_counts *all = user;
    const char *name = all->files->recordings[number], *damage;
    if (!is_recording(d, name))
        return false;
    arena *a = arena_new();
    counting k = {tally_new(a, all->request->schemas, all->request->schema_count), datagrams_new(a, d, all->request),
                  arena_new()};
    const bool good =
        k.kinds && recording_each(a, d, name, (uint16_t)all->run->options->port, count_datagram, &k, &damage);
    if (good) {
        k.tally->recordings = 1;
        if (damage)
            tally_fault(k.tally, damage, false);
        tally_add(all->tally, k.tally);
        datagrams_seen(k.kinds, all->seen);
    }
    if (k.kinds)
        datagrams_free(k.kinds);
    arena_free(k.scratch);
    arena_free(a);
    return good;
}

static void forget_counts(void *user)
{
    report_counts *all = user;
    all->tally = tally_new(all->run->arena, all->request->schemas, all->request->schema_count);
    all->seen = ARENA_ARRAY(all->run->arena, uint64_t, datagrams_seen_count(all->request));
}

static void put_report_counts(void *user, packer *to)
{
    const report_counts *all = user;
    for (size_t i = 0; i < datagrams_seen_count(all->request); i++)
        pack_number(to, all->seen[i]);
    tally_settle(all->tally);
    tally_put(to, all->tally);
}

static bool take_report_counts(void *user, unpacker *from)
{
    const report_counts *all = user;
    for (size_t i = 0; i < datagrams_seen_count(all->request); i++)
        all->seen[i] += unpack_number(from);
    return tally_take(from, NULL, all->tally);
}

static void note_fault(void *user, const char *text)
{
    const report_counts *all = user;
    tally_fault(all->tally, text, true);
}

/* Warns of a file that counts more than once. From a pipe, each reads on. */
static void warn_of_twice(run *r)
{
    const options *o = r->options;
    map *seen = map_new(r->arena);
    for (size_t i = 0; i < o->recording_count; i++) {
        const char *name = intern(r->names, o->recordings[i], strlen(o->recordings[i]));
        if (map_get(seen, NULL, name) && !file_is_pipe(name))
            diag_warning(r->diag, (span){0}, "'%s' is named twice, and counts twice", name);
        map_put(r->arena, seen, NULL, name, (void *)(uintptr_t)name);
    }
}

tally *counting_report(run *r, const counted_files *files, const datagrams_request *request, bool may_be_empty)
{
    report_counts all = {.run = r, .files = files, .request = request};
    datagrams *kinds = datagrams_new(r->arena, r->diag, request);
    const counting_work work = {.count = count_recording,
                                .put = put_report_counts,
                                .take = take_report_counts,
                                .begin = forget_counts,
                                .fault = note_fault,
                                .user = &all};
    if (!kinds)
        return NULL;
    warn_of_twice(r);
    forget_counts(&all);
    bool good = counting_run(r, files->recording_count, files->tally_count > 0 || may_be_empty, &work);
    datagrams_see(kinds, all.seen);
    if (good)
        datagrams_warn(kinds);
    datagrams_free(kinds);
    for (size_t i = 0; i < files->tally_count && good; i++)
        good = tally_read(r->diag, &files->tallies[i], all.tally);
    if (!good)
        return NULL;
    tally_settle(all.tally);
    if (all.tally->unread != 0)
        r->status = EXIT_PARTLY;
    return all.tally;
}
