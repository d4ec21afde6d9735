/* command_train.c - `pktc train`: makes the model of a schema from recordings, or prints what a fresh model would save.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/training.h"
#include "recordings/counting.h"
#include "recordings/recorded.h"
#include "recordings/recordings_rows.h"
#include "driver/run.h"

#include <string.h>

/* Finds the schemas of each recording: those in it, or the one on the command line. False after an error. */
static bool find_sources(run *r, const counted_files *files, const source *const *given, size_t given_count,
                         train_source *sources)
{
    const check_options how = checked_as_asked(r);
    schema **shared = NULL;
    for (size_t i = 0; i < files->recording_count; i++) {
        const char *name = files->recordings[i];
        size_t count;
        sources[i] = (train_source){.path = name};
        if (!recording_is(name))
            continue;
        const source *const *texts = recorded_sources(r->arena, r->diag, name, &count);
        const bool own = count > 0;
        texts = own ? texts : given;
        count = own ? count : given_count;
        schema **list = own || !shared ? ARENA_ARRAY(r->arena, schema *, count) : shared;
        for (size_t k = 0; k < count; k++)
            if (!list[k] && !(list[k] = check_quietly(r, texts[k], &how))) {
                if (!own)
                    report_no_schema(r, name, arena_printf(r->arena, "%s ", given[0]->path));
                return false;
            }
        shared = own ? shared : list;
        sources[i].schemas = list;
        sources[i].schema_count = count;
    }
    return true;
}

/* Whether a packet in a recording may have parts. */
static bool any_has_parts(const train_source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sources[i].schema_count; k++)
            if (packets_have_seeds(sources[i].schemas[k]))
                return true;
    return false;
}

/* ---- counting */

typedef struct train_work {
    run *run;
    const counted_files *files;
    training *training;
} train_work;

/* Anything else than a recording is a file of values, if there is a type. */
static bool count_source(void *user, diag *d, size_t number)
{
    const train_work *k = user;
    return (k->run->options->type || is_recording(d, k->files->recordings[number])) &&
           training_count(k->training, d, number);
}

static void put_training(void *user, packer *to)
{
    const train_work *k = user;
    training_put(to, k->training);
}

static bool take_training_counts(void *user, unpacker *from)
{
    const train_work *k = user;
    const char *wrong;
    return training_take(from, k->training, &wrong);
}

static void forget_training(void *user)
{
    const train_work *k = user;
    training_forget(k->training);
}

/* ---- tallies */

/* Which schema in a tally is the one to train, whatever its model; its number, or else TALLY_SCHEMAS. */
static size_t schema_in_tally(run *r, const tally_file *file, const schema *fresh)
{
    const check_options how = {.checks = file->checks, .flat = true};
    size_t i = 0;
    for (; i < file->schema_count; i++) {
        const schema *s = check_quietly(r, file->texts[i], &how);
        if (s && s->id == fresh->id)
            return i;
    }
    return TALLY_SCHEMAS;
}

static bool refuse_tally(run *r, const tally_file *file, const char *why, const char *help)
{
    diag_help(r->diag, diag_error(r->diag, (span){0}, "'%s' is a tally%s", file->path, why), "%s", help);
    return false;
}

static bool may_use_tallies(run *r, const counted_files *files)
{
    if (files->tally_count > 0 && recordings_chosen(r->options)->check)
        return refuse_tally(r, &files->tallies[0], ", which --check cannot measure",
                            "--check writes each delta with the fresh model, so give it the recordings");
    if (files->tally_count > 0 && r->options->type)
        return refuse_tally(r, &files->tallies[0], ", which has no values of a type",
                            "it has the symbols of deltas as they were sent; give the recordings, or no type");
    return true;
}

/* Adds the symbols in tallies. False after an error. */
static bool add_tallies(run *r, const counted_files *files, const schema *fresh, training *to)
{
    uint64_t known_id = 0;
    size_t known = TALLY_SCHEMAS;
    for (size_t i = 0; i < files->tally_count; i++) {
        tally_file *file = &files->tallies[i];
        if (known >= file->schema_count || file->ids[known] != known_id)
            known = schema_in_tally(r, file, fresh);
        if (known == TALLY_SCHEMAS)
            return refuse_tally(r, file, " of another schema",
                                "train takes tallies of the schema that it trains, with whatever model");
        known_id = file->ids[known];
        tally *missing = tally_new(r->arena, NULL, 0);
        if (!tally_read_symbols(r->diag, file, known, to) || !tally_read_faults(r->diag, file, missing))
            return false;
        counting_warn(r, missing);
    }
    return true;
}

/* ---- all */

/* given: the schema to train, then the schemas of recordings without any, which default to the first. Returns the
 * model; with --check the text to print, and *stale as in training_verdict. NULL after an error. */
static const char *train_schema(run *r, const source *const *given, bool *stale)
{
    const options *o = r->options;
    const bool others = o->file_count > 1;
    const check_options as_it_is = checked_as_asked(r);
    check_options without_model = as_it_is;
    counted_files files;
    without_model.flat = true;
    schema *fresh = check_quietly(r, given[0], &without_model);
    const schema *current = fresh && recordings_chosen(o)->check ? check_quietly(r, given[0], &as_it_is) : NULL;
    if (!fresh || (recordings_chosen(o)->check && !current) || !counted_open(r, &files) || !may_use_tallies(r, &files))
        return NULL;
    train_source *sources = ARENA_ARRAY(r->arena, train_source, files.recording_count);
    if (!find_sources(r, &files, given + others, o->file_count - others, sources) ||
        !seed_has_use(r, any_has_parts(sources, files.recording_count)))
        return NULL;
    const train_request request = {.schema = fresh,
                                   .type = o->type,
                                   .back = recordings_chosen(o)->back,
                                   .gap = recordings_chosen(o)->gap,
                                   .sources = sources,
                                   .source_count = files.recording_count,
                                   .port = (uint16_t)o->port,
                                   .streams = o->streams.texts,
                                   .stream_count = o->streams.count,
                                   .seed = o->seed};
    train_work k = {r, &files, training_new(r->arena, r->diag, &request, current)};
    const counting_work work = {
        .count = count_source, .put = put_training, .take = take_training_counts, .begin = forget_training, .user = &k};
    if (!k.training || !counting_run(r, files.recording_count, files.tally_count > 0, &work) ||
        !add_tallies(r, &files, fresh, k.training) || !training_suffices(k.training, r->diag))
        return NULL;
    training_finish(k.training);
    if (!recordings_chosen(o)->check)
        return training_model(k.training);
    return counting_repeat(r, files.recording_count, &work)
               ? training_verdict(k.training, recordings_chosen(o)->tolerance, stale)
               : NULL;
}

void command_train(run *r)
{
    const source *const *given = read_schemas(r);
    bool stale = false;
    const char *text = given ? train_schema(r, given, &stale) : NULL;
    if (text)
        put_text(r, recordings_chosen(r->options)->model, text, strlen(text));
    if (text && r->options->depfile) {
        add_given_inputs(r);
        add_depfile(r);
    }
    if (stale)
        r->status = EXIT_ERRORS;
}
