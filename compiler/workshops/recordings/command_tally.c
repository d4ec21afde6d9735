/* command_tally.c - `pktc tally`: writes what report and train need of recordings, as a file that adds up with others.
 * SPDX-License-Identifier: MIT
 */
#include "releases/archive_text.h"
#include "codec/codec_io.h"
#include "recordings/counting.h"
#include "recordings/recordings_rows.h"
#include "recordings/recorded.h"

/* What train needs: for each schema that has something to train. */
typedef struct symbol_counts {
    run *run;
    const counted_files *files;
    training **of; /* NULL: nothing */
    size_t count;
} symbol_counts;

static bool count_symbols(void *user, diag *d, size_t number)
{
    const symbol_counts *k = user;
    bool good = is_recording(d, k->files->recordings[number]);
    for (size_t i = 0; i < k->count && good; i++)
        good = !k->of[i] || training_count(k->of[i], d, number);
    return good;
}

static void put_symbols(void *user, packer *to)
{
    const symbol_counts *k = user;
    for (size_t i = 0; i < k->count; i++)
        if (k->of[i])
            training_put(to, k->of[i]);
}

static bool take_symbols(void *user, unpacker *from)
{
    const symbol_counts *k = user;
    const char *wrong;
    for (size_t i = 0; i < k->count; i++)
        if (k->of[i] && !training_take(from, k->of[i], &wrong))
            return false;
    return true;
}

static void forget_symbols(void *user)
{
    const symbol_counts *k = user;
    for (size_t i = 0; i < k->count; i++)
        if (k->of[i])
            training_forget(k->of[i]);
}

static bool has_symbols(const schema *s)
{
    for (const decl *d = s->decls; d; d = d->next)
        if (d->delta && d->holds_coded)
            return true;
    return false;
}

/* Copies of the schemas as they were recorded, because training removes what is not on the wire. NULL after an error. */
static schema **copy_schemas(run *r, const datagrams_request *from, bool flat)
{
    schema **copies = ARENA_ARRAY(r->arena, schema *, from->schema_count);
    for (size_t i = 0; i < from->schema_count; i++) {
        size_t size;
        const schema *s = from->schemas[i];
        const check_options how = {.checks = s->checks, .flat = flat};
        const char *text = archive_text(r->arena, r->names, r->diag, s, &size);
        if (!text || !(copies[i] = check_quietly(r, source_recorded(r->arena, s->root->path, text, size), &how)))
            return NULL;
    }
    return copies;
}

/* Counts the symbols of all files; false after an error. */
static bool count_all_symbols(run *r, const counted_files *files, const datagrams_request *from, training **of)
{
    schema **recorded_with = copy_schemas(r, from, false), **flat = copy_schemas(r, from, true);
    train_source *sources = ARENA_ARRAY(r->arena, train_source, files->recording_count);
    symbol_counts k = {r, files, of, from->schema_count};
    const counting_work work = {
        .count = count_symbols, .put = put_symbols, .take = take_symbols, .begin = forget_symbols, .user = &k};
    if (!recorded_with || !flat)
        return false;
    for (size_t i = 0; i < files->recording_count; i++)
        sources[i] = (train_source){files->recordings[i], recorded_with, from->schema_count};
    bool any = false;
    for (size_t i = 0; i < from->schema_count; i++) {
        train_request *request = ARENA_NEW(r->arena, train_request);
        *request = (train_request){.schema = flat[i],
                                   .back = 1,
                                   .gap = 1,
                                   .sources = sources,
                                   .source_count = files->recording_count,
                                   .port = (uint16_t)r->options->port,
                                   .streams = from->streams,
                                   .stream_count = from->stream_count,
                                   .seed = from->seed};
        if (has_symbols(flat[i]) && !(of[i] = training_new(r->arena, r->diag, request, NULL)))
            return false;
        any = any || of[i];
    }
    if (!any)
        return true;
    bool good = counting_repeat(r, files->recording_count, &work);
    for (size_t i = 0; i < files->tally_count; i++)
        for (size_t j = 0; j < from->schema_count && good; j++) {
            training *to = of[files->tallies[i].places[j]];
            good = !to || tally_read_symbols(r->diag, &files->tallies[i], j, to);
        }
    return good;
}

void command_tally(run *r)
{
    const options *o = r->options;
    counted_files files;
    datagrams_request request;
    if ((!recordings_chosen(o)->tally && !codec_io_can_print(r->diag, false)) || !counted_open(r, &files) ||
        !counting_request(r, &files, &request))
        return;
    for (size_t i = 0; i < request.schema_count; i++)
        if (!has_protocol(r, request.schemas[i], "a tally of it cannot be told from those of other schemas"))
            return;
    training **symbols = ARENA_ARRAY(r->arena, training *, request.schema_count);
    const tally *t = counting_report(r, &files, &request, true);
    size_t size;
    const uint8_t *bytes =
        t && count_all_symbols(r, &files, &request, symbols) ? tally_bytes(r, t, symbols, &size) : NULL;
    if (bytes)
        put_text(r, recordings_chosen(o)->tally, (const char *)bytes, size);
}
