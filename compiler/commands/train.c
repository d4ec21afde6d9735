/* train.c - `pktc train`: makes the model of a schema from recordings, or prints what a fresh model would save.
 * SPDX-License-Identifier: MIT
 */
#include "record/training.h"
#include "commands/recorded.h"
#include "commands/run.h"
#include "commands/depfile.h"

#include <string.h>

/* Finds the schemas of each recording: those in it, or the one on the command line. False after an error. */
static bool find_sources(run *r, const source *const *given, size_t given_count, train_source *sources)
{
    check_options how = checked_as_asked(r);
    schema **shared = NULL;
    for (size_t i = 0; i < r->options->recording_count; i++) {
        const char *name = r->options->recordings[i];
        size_t count;
        sources[i] = (train_source){.path = name};
        if (!recording_is(name)) {
            if (!r->options->type && !is_recording(r, name))
                return false;
            continue;
        }
        const source *const *texts = recorded_sources(r->arena, name, &count);
        const bool own = count > 0;
        texts = own ? texts : given;
        count = own ? count : given_count;
        how.alone = own;
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
            if (packets_have_parts(sources[i].schemas[k]))
                return true;
    return false;
}

/* given: the schema to train, then the schemas of recordings without any, which default to the first. Returns the
 * model; with --check the text to print, and *stale as in train_check. NULL after an error. */
static const char *train_schema(run *r, const source *const *given, bool *stale)
{
    const options *o = r->options;
    const bool others = o->file_count > 1;
    train_source *sources = ARENA_ARRAY(r->arena, train_source, o->recording_count);
    const check_options as_it_is = checked_as_asked(r);
    check_options without_model = as_it_is;
    without_model.flat = true;
    const schema *fresh = check_quietly(r, given[0], &without_model);
    const schema *current = fresh && o->check_only ? check_quietly(r, given[0], &as_it_is) : NULL;
    if (!fresh || (o->check_only && !current) || !find_sources(r, given + others, o->file_count - others, sources))
        return NULL;
    if (!seed_has_use(r, any_has_parts(sources, o->recording_count)))
        return NULL;
    const train_request request = {.schema = fresh,
                                   .type = o->type,
                                   .back = o->back,
                                   .gap = o->gap,
                                   .sources = sources,
                                   .source_count = o->recording_count,
                                   .port = (uint16_t)o->port,
                                   .streams = o->streams.texts,
                                   .stream_count = o->streams.count,
                                   .seed = o->seed};
    size_t size;
    return o->check_only ? train_check(r->arena, r->diag, &request, current, o->tolerance, stale)
                         : train(r->arena, r->diag, &request, &size);
}

void command_train(run *r)
{
    const source *const *given = read_schemas(r);
    bool stale = false;
    const char *text = given ? train_schema(r, given, &stale) : NULL;
    if (text)
        put_text(r, r->options->model, text, strlen(text));
    if (text && r->options->depfile) {
        add_given_inputs(r);
        add_depfile(r);
    }
    if (stale)
        r->status = EXIT_ERRORS;
}
