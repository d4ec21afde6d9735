/* recordings.c - see recordings.h.
 * SPDX-License-Identifier: MIT
 */
#include "recordings.h"
#include "commands/decode_recording.h"

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

/* The schemas of the first block of a recording. */
static const source *const *recorded_sources(const recordings *r, const char *from, size_t *count)
{
    const recorded_schema *first = recording_schemas(r->arena, from);
    *count = 0;
    for (const recorded_schema *s = first; s; s = s->next)
        ++*count;
    const source **list = ARENA_ARRAY(r->arena, const source *, *count + 1), **to = list;
    for (const recorded_schema *s = first; s; s = s->next) {
        const char *name = *count == 1 ? arena_printf(r->arena, "schema in %s", from)
                                       : arena_printf(r->arena, "schema %d in %s", (int)(to - list) + 1, from);
        *to++ = source_from(r->arena, name, s->text, s->size);
    }
    return list;
}

/* The schemas of a recording, checked; NULL after an error. */
static const schema *const *schemas_of(const recordings *r, const source *const *given, size_t *count)
{
    const char *from = r->options->recording;
    if (*count == 0)
        given = recorded_sources(r, from, count);
    if (*count == 0) {
        message *m = diag_error(r->diag, (span){0}, "'%s' has no schema in it", from);
        diag_help(r->diag, m, "give the schema too: `pktc decode FILE.pkt %s`", from);
        return NULL;
    }
    const schema **list = ARENA_ARRAY(r->arena, const schema *, *count);
    for (size_t i = 0; i < *count; i++)
        if (!(list[i] = check_recorded(r, given[i])))
            return NULL;
    return list;
}

void recordings_decode(const recordings *r, const source *const *given, size_t count)
{
    const options *o = r->options;
    const schema *const *schemas = schemas_of(r, given, &count);
    const datagrams_request request = {.schemas = schemas,
                                       .schema_count = count,
                                       .streams = o->streams,
                                       .stream_count = o->stream_count,
                                       .seed = o->seed};
    if (schemas)
        decode_recording(r->arena, r->diag, o->recording, (uint16_t)o->port, &request);
}
