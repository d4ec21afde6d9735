/* convert_packets.c - `pktc convert RECORDING`: converts a recording from an older version to the current one.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_io.h"
#include "convert/command_convert.h"
#include "releases/archive_text.h"
#include "recordings/convert_recording.h"
#include "recordings/recorded.h"
#include "recordings/recordings_rows.h"

/* The schemas in a recording, checked. False after an error. */
static bool check_inside(run *r, const source *const *sources, size_t count, schema **list)
{
    const check_options how = checked_as_asked(r);
    for (size_t i = 0; i < count; i++)
        if (!(list[i] = check_quietly(r, sources[i], &how)))
            return false;
    return true;
}

/* The versions that a recording has inside. False after an error. */
static bool load_inside(run *r, schema *const *inside, size_t count, upgrade *u, convert_recording_request *request)
{
    const schema *now = u->now->schema;
    old_version **last = &u->versions;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_same_protocol(inside[i], now))
            continue;
        found++;
        if (inside[i]->id == now->id) {
            request->now_is_inside = true;
            continue;
        }
        *last = make_old_version(r, inside[i], 0, false, u->now);
        last = &(*last)->next;
    }
    request->decides = found == 1 ? DECIDED_BY_ONE : DECIDED_BY_READING;
    if (found > 0)
        return true;
    message *m =
        diag_error(r->diag, (span){0}, "'%s' has no schema of protocol '%s' in it", request->path, now->protocol);
    diag_help(r->diag, m, "give the older schema too, or the folder of `pktc archive`: `pktc convert OLD %s %s`",
              now->root->path, request->path);
    return false;
}

/* Whether a recording was made with one of the older versions or with the current schema. */
static bool is_recorded_with_one(run *r, const source *const *sources, size_t source_count, const upgrade *u,
                                 const char *place)
{
    const options *o = r->options;
    size_t count = 0;
    for (const old_version *v = u->versions; v; v = v->next)
        count++;
    const schema **given = ARENA_ARRAY(r->arena, const schema *, count + 1), **to = given;
    *to++ = u->now->schema;
    for (const old_version *v = u->versions; v; v = v->next)
        *to++ = v->wire->schema;
    return is_recorded_with(r, o->recording, sources, source_count, given, count + 1, false,
                            arena_printf(r->arena, "without '%s', `pktc convert %s %s` takes the one in it", place,
                                         u->now->schema->root->path, o->recording));
}

static void convert_to(run *r, const older *from, const schema *now)
{
    const options *o = r->options;
    size_t count, size;
    if (!is_recording(r->diag, o->recording) || !has_protocol(r, now, "a recording cannot have it"))
        return;
    const source *const *sources = recorded_sources(r->arena, r->diag, o->recording, &count);
    schema **inside = ARENA_ARRAY(r->arena, schema *, count + 1);
    const schema **others = ARENA_ARRAY(r->arena, const schema *, count + 1);
    const char **texts = ARENA_ARRAY(r->arena, const char *, count + 1);
    texts[0] = archive_text(r->arena, r->names, r->diag, now, &size);
    if (!texts[0] || !check_inside(r, sources, count, inside) || !codec_io_can_print(r->diag, false))
        return;
    upgrade u = {.now = lower(r->arena, now)};
    convert_recording_request request = {.path = o->recording,
                                         .port = (uint16_t)o->port,
                                         .versions = &u,
                                         .decides = from->text ? DECIDED_BY_ONE : DECIDED_BY_CRC,
                                         .others = others,
                                         .texts = texts,
                                         .text_count = 1,
                                         .streams = o->streams.texts,
                                         .stream_count = o->streams.count,
                                         .seed = o->seed};
    const uint32_t errors = diag_errors(r->diag);
    if (from->place ? !load_older(r, from, &u) : !load_inside(r, inside, count, &u, &request))
        return;
    if (from->place && !is_recorded_with_one(r, sources, count, &u, from->place))
        return;
    bool packets = packets_have_seeds(now);
    for (const old_version *v = u.versions; v; v = v->next)
        packets = packets || packets_have_seeds(v->wire->schema);
    if (!seed_has_use(r, packets))
        return;
    report_refusals(r, &u);
    for (size_t i = 0; i < count; i++)
        if (!is_same_protocol(inside[i], now)) {
            others[request.other_count++] = inside[i];
            texts[request.text_count++] = (const char *)sources[i]->text;
        }
    if (diag_errors(r->diag) == errors)
        convert_recording(r->arena, r->diag, &request, stdout);
}

void convert_packets(run *r)
{
    older from;
    const schema *now = read_versions(r, &from);
    if (now)
        convert_to(r, &from, now);
}
