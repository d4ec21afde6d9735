/* recorded.c - chooses between the schemas in a recording and those of the command line, and checks them.
 * SPDX-License-Identifier: MIT
 */
#include "commands/recorded.h"

#include <inttypes.h>
#include <string.h>

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
    arena *a = arena_new();
    const char *failure = recording_failure(a, name);
    if (failure)
        diag_error(d, (span){0}, "cannot read '%s': %s", name, failure);
    else
        diag_error(d, (span){0}, "'%s' is not a recording: pktc reads files of tcpdump, Wireshark and pkt_capture",
                   name);
    arena_free(a);
    return false;
}

void report_no_schema(run *r, const char *from, const char *before)
{
    message *m = diag_error(r->diag, (span){0}, "'%s' has no schema in it", from);
    diag_help(r->diag, m, "give the schema that it was made with: `pktc %s %sFILE.pkt %s`", r->options->word, before,
              from);
}

/* given: the schemas of the command line. NULL after an error. */
static const schema *const *check_recorded_schemas(run *r, const char *from, const source *const *given, size_t *count)
{
    check_options how = checked_as_asked(r);
    if (*count == 0) {
        how.alone = true;
        given = recorded_sources(r->arena, from, count);
    }
    if (*count == 0) {
        report_no_schema(r, from, "");
        return NULL;
    }
    const schema **list = ARENA_ARRAY(r->arena, const schema *, *count);
    for (size_t i = 0; i < *count; i++) {
        if (!(list[i] = check(r->arena, r->names, r->diag, given[i], &how)))
            return NULL;
        add_inputs(r, list[i]);
    }
    return list;
}

bool is_recorded_with(run *r, const char *from, const schema *const *given, size_t given_count, const char *use)
{
    size_t count;
    const source *const *texts = recorded_sources(r->arena, from, &count);
    check_options how = checked_as_asked(r);
    how.alone = true;
    for (size_t k = 0; k < count; k++) {
        const schema *s = check_quietly(r, texts[k], &how), *other = NULL;
        bool known = false;
        for (size_t i = 0; s && s->protocol && i < given_count; i++) {
            if (!given[i]->protocol || strcmp(s->protocol, given[i]->protocol) != 0)
                continue;
            known = known || s->id == given[i]->id;
            other = given[i];
        }
        if (s && (!other || known))
            continue;
        message *m = !s ? NULL
                        : diag_error(r->diag, (span){0},
                                     "'%s' was made with another schema of protocol '%s': the id of the one in it is "
                                     "0x%016" PRIx64 ", and that of '%s' is 0x%016" PRIx64,
                                     from, other->protocol, s->id, other->root->path, other->id);
        if (m)
            diag_help(r->diag, m, "%s", use);
        return false;
    }
    return true;
}

bool packets_have_parts(const schema *s)
{
    const decl *d = s->decls;
    while (d && !d->seeded)
        d = d->next;
    return d != NULL;
}

bool seed_has_use(run *r, bool packets)
{
    if (r->options->seed == 0 || r->options->streams.count > 0 || packets)
        return true;
    diag_error(r->diag, (span){0}, "--seed needs --stream, or a packet with parts that are deltas");
    return false;
}

bool recorded_request(run *r, const char *const *paths, size_t count, datagrams_request *request)
{
    const options *o = r->options;
    const source *const *given = read_schemas(r);
    if (!given)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_recording(r->diag, paths[i]))
            return false;
    size_t schema_count = o->file_count;
    const schema *const *schemas = check_recorded_schemas(r, paths[0], given, &schema_count);
    *request = (datagrams_request){.schemas = schemas,
                                   .schema_count = schema_count,
                                   .streams = o->streams.texts,
                                   .stream_count = o->streams.count,
                                   .seed = o->seed};
    for (size_t i = 0; i < count && schemas && o->file_count > 0; i++)
        if (!is_recorded_with(
                r, paths[i], schemas, schema_count,
                arena_printf(r->arena, "without a schema, `pktc %s %s` takes the one in it", o->word, paths[i])))
            return false;
    bool packets = false;
    for (size_t i = 0; schemas && i < schema_count; i++)
        packets = packets || packets_have_parts(schemas[i]);
    return schemas && seed_has_use(r, packets);
}
