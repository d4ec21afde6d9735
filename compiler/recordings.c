/* recordings.c - see recordings.h.
 * SPDX-License-Identifier: MIT
 */
#include "recordings.h"
#include "commands/decode_recording.h"
#include "commands/report_recordings.h"
#include "record/training.h"
#include "options/option_table.h"
#include "traffic/report.h"

#include <errno.h>
#include <string.h>

/* Names need not be those that C can have. */
static const schema *check_recorded(const recordings *r, const source *root)
{
    const check_options how = {
        .import_dirs = r->options->import_dirs,
        .import_dir_count = r->options->import_dir_count,
        .checks = r->options->checks,
    };
    return check(r->arena, r->names, r->diag, root, &how);
}

const source *const *recorded_sources(arena *a, const char *from, size_t *count)
{
    const recorded_schema *first = recording_schemas(a, from);
    *count = 0;
    for (const recorded_schema *s = first; s; s = s->next)
        ++*count;
    const source **list = ARENA_ARRAY(a, const source *, *count + 1), **to = list;
    for (const recorded_schema *s = first; s; s = s->next) {
        const char *name = *count == 1 ? arena_printf(a, "schema in %s", from)
                                       : arena_printf(a, "schema %d in %s", (int)(to - list) + 1, from);
        *to++ = source_from(a, name, s->text, s->size);
    }
    return list;
}

bool is_recording(diag *d, const char *name)
{
    if (recording_is(name))
        return true;
    FILE *file = fopen(name, "rb");
    if (!file) {
        diag_error(d, (span){0}, "cannot read '%s': %s", name, strerror(errno));
        return false;
    }
    fclose(file);
    diag_error(d, (span){0}, "'%s' is no recording: pktc reads what tcpdump, Wireshark and pkt_capture write", name);
    return false;
}

/* before: what comes before the schema that is missing. */
static void report_no_schema(const recordings *r, const char *from, const char *before)
{
    message *m = diag_error(r->diag, (span){0}, "'%s' has no schema in it", from);
    diag_help(r->diag, m, "give the schema that it was made with: `pktc %s %sFILE.pkt %s`",
              command_by_id(r->options->command)->word, before, from);
}

/* The schemas of a recording, checked; NULL after an error. */
static const schema *const *schemas_of(const recordings *r, const char *from, const source *const *given, size_t *count)
{
    if (*count == 0)
        given = recorded_sources(r->arena, from, count);
    if (*count == 0) {
        report_no_schema(r, from, "");
        return NULL;
    }
    const schema **list = ARENA_ARRAY(r->arena, const schema *, *count);
    for (size_t i = 0; i < *count; i++)
        if (!(list[i] = check_recorded(r, given[i])))
            return NULL;
    return list;
}

static datagrams_request request_of(const options *o, const schema *const *schemas, size_t count)
{
    return (datagrams_request){.schemas = schemas,
                               .schema_count = count,
                               .streams = o->streams,
                               .stream_count = o->stream_count,
                               .seed = o->seed};
}

void recordings_decode(const recordings *r, const source *const *given, size_t count)
{
    const options *o = r->options;
    if (!is_recording(r->diag, o->recording))
        return;
    const schema *const *schemas = schemas_of(r, o->recording, given, &count);
    const datagrams_request request = request_of(o, schemas, count);
    if (schemas)
        decode_recording(r->arena, r->diag, o->recording, (uint16_t)o->port, &request);
}

/* Warnings are for who compiles the schema. */
static schema *check_quietly(const recordings *r, const source *root, bool flat)
{
    const check_options how = {
        .import_dirs = r->options->import_dirs,
        .import_dir_count = r->options->import_dir_count,
        .checks = r->options->checks,
        .flat = flat,
    };
    schema *s = check(r->arena, r->names, diag_new(r->arena), root, &how);
    return s ? s : check(r->arena, r->names, r->diag, root, &how);
}

/* What each recording was made with: the schemas in it, or the one on the command line. False after an error. */
static bool find_sources(const recordings *r, const source *const *given, size_t given_count, train_source *sources)
{
    schema **shared = NULL;
    for (size_t i = 0; i < r->options->recording_count; i++) {
        const char *name = r->options->recordings[i];
        size_t count;
        sources[i] = (train_source){.path = name};
        if (!recording_is(name)) {
            if (!r->options->type && !is_recording(r->diag, name))
                return false;
            continue;
        }
        const source *const *texts = recorded_sources(r->arena, name, &count);
        const bool own = count > 0;
        texts = own ? texts : given;
        count = own ? count : given_count;
        schema **list = own || !shared ? ARENA_ARRAY(r->arena, schema *, count) : shared;
        for (size_t k = 0; k < count; k++)
            if (!list[k] && !(list[k] = check_quietly(r, texts[k], false))) {
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

const char *recordings_train(const recordings *r, const source *const *given, size_t count, size_t *size, bool *stale)
{
    const source *root = given[0];
    const bool others = count > 1;
    const options *o = r->options;
    train_source *sources = ARENA_ARRAY(r->arena, train_source, o->recording_count);
    const schema *fresh = check_quietly(r, root, true);
    const schema *current = fresh && o->check_only ? check_quietly(r, root, false) : NULL;
    if (!fresh || (o->check_only && !current) || !find_sources(r, given + others, count - others, sources))
        return NULL;
    const train_request request = {.schema = fresh,
                                   .type = o->type,
                                   .back = o->back,
                                   .gap = o->gap,
                                   .sources = sources,
                                   .source_count = o->recording_count,
                                   .port = (uint16_t)o->port,
                                   .streams = o->streams,
                                   .stream_count = o->stream_count,
                                   .seed = o->seed};
    if (!o->check_only)
        return train(r->arena, r->diag, &request, size);
    const char *text = train_check(r->arena, r->diag, &request, current, o->tolerance, stale);
    *size = text ? strlen(text) : 0;
    return text;
}

const char *recordings_report(const recordings *r, const source *const *given, size_t count, size_t *size)
{
    const options *o = r->options;
    for (size_t i = 0; i < o->recording_count; i++)
        if (!is_recording(r->diag, o->recordings[i]))
            return NULL;
    const schema *const *schemas = schemas_of(r, o->recordings[0], given, &count);
    if (!schemas)
        return NULL;
    const datagrams_request request = request_of(o, schemas, count);
    const tally *t =
        report_recordings(r->arena, r->diag, o->recordings, o->recording_count, (uint16_t)o->port, &request);
    if (!t)
        return NULL;
    out *text = out_new(r->arena);
    if (o->html)
        report_html(r->arena, t, text);
    else if (o->json)
        report_json(r->arena, t, text);
    else
        report_text(r->arena, t, text);
    return out_result(text, size);
}
