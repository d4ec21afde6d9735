/* decode_recording.c - `pktc decode RECORDING`: prints a recording line by line.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "codec/codec_json.h"
#include "recordings/counting.h"
#include "recordings/recorded.h"
#include "recordings/recordings_rows.h"

#include <inttypes.h>

static void print_line(arena *a, const recorded *r, const decoded *found, bool changes)
{
    static const char *const ways[] = {NULL, "received", "sent"};
    const datagram *d = &r->datagram;
    out *o = out_to_file(a, stdout);
    json_writer *j = json_new(a, o, JSON_ONE_LINE);
    json_begin_object(j, JSON_IN_LINE);
    json_u64(json_key(j, "index"), r->index);
    json_plain(json_key(j, "time"), "%" PRId64 ".%09" PRIu32, r->seconds, r->nanoseconds);
    if (ways[d->direction])
        json_text(json_key(j, "direction"), ways[d->direction]);
    json_text(json_key(j, "from"), endpoint_text(a, &d->from));
    json_text(json_key(j, "to"), endpoint_text(a, &d->to));
    json_u64(json_key(j, "size"), d->size);
    json_text(json_key(j, "type"), found->name);
    if (found->unchecked)
        json_text(json_key(j, "crc"), "unchecked");
    if (found->refused)
        json_text(json_key(j, "refused"), found->refused);
    if (found->decl && !found->refused && found->decl->parts > 0)
        json_packet(json_key(j, "value"), &found->value, changes ? found->parts : NULL);
    else if (found->decl && !found->refused)
        json_value(json_key(j, "value"), found->decl, &found->value);
    else if (!found->decl && found->parts)
        json_parts(json_key(j, "values"), found->parts, changes);
    json_end(j);
    out_add(o, "\n");
    out_end(o);
}

/* A line of JSON for each datagram. */
static void decode_datagrams(run *r, datagrams *kinds)
{
    const options *o = r->options;
    recording *from = recording_open(r->arena, r->diag, o->recording);
    uint64_t all = 0;
    recorded each;
    if (!from)
        return;
    if (file_is_terminal(stdout))
        recording_hide_progress(from);
    arena *scratch = arena_new();
    for (; recording_next(from, (uint16_t)o->port, &each); all++) {
        decoded found;
        datagrams_read(kinds, scratch, &each.datagram, NULL, NULL, &found);
        print_line(scratch, &each, &found, o->changes);
        arena_clear(scratch);
    }
    recording_close(from);
    if (all == 0 && o->port != 0)
        diag_warning(r->diag, (span){0}, "'%s' has no datagram from or to port %u", o->recording, o->port);
    datagrams_warn(kinds);
    arena_free(scratch);
}

/* Whether a datagram can be a delta. If not, --changes is reported to have no effect. */
static bool changes_have_use(run *r, const datagrams_request *request)
{
    if (!r->options->changes || request->stream_count > 0)
        return true;
    for (size_t i = 0; i < request->schema_count; i++)
        for (const decl *d = request->schemas[i]->decls; d; d = d->next)
            if (d->parts > 0)
                return true;
    diag_error(r->diag, (span){0}, "--changes needs --stream, or a packet with parts that are deltas");
    return false;
}

void decode_recording(run *r)
{
    const counted_files files = {.recordings = &r->options->recording, .recording_count = 1};
    datagrams_request request;
    if (!is_recording(r->diag, r->options->recording) || !counting_request(r, &files, &request) ||
        !changes_have_use(r, &request))
        return;
    datagrams *kinds = datagrams_new(r->arena, r->diag, &request);
    if (!kinds)
        return;
    decode_datagrams(r, kinds);
    datagrams_free(kinds);
}
