/* decode_recording.c - see decode_recording.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/decode_recording.h"
#include "codec/codec_json.h"

#include <inttypes.h>

static void print_line(arena *a, const recorded *r, const decoded *found)
{
    static const char *const ways[] = {NULL, "received", "sent"};
    const datagram *d = &r->datagram;
    out *o = out_new(a);
    json_writer *j = json_new(a, o, JSON_ONE_LINE);
    size_t size;
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
    if (found->parts)
        json_parts(json_key(j, "values"), found->parts);
    else if (found->decl && !found->refused)
        json_value(json_key(j, "value"), found->decl, &found->value);
    json_end(j);
    puts(out_result(o, &size));
}

void decode_recording(arena *a, diag *d, const char *name, uint16_t port, const datagrams_request *request)
{
    datagrams *kinds = datagrams_new(a, d, request);
    recording *from = kinds ? recording_open(a, d, name) : NULL;
    uint64_t all = 0;
    recorded r;
    if (!from)
        return;
    arena *scratch = arena_new();
    for (; recording_next(from, port, &r); all++) {
        decoded found;
        datagrams_read(kinds, scratch, &r.datagram, NULL, NULL, &found);
        print_line(scratch, &r, &found);
        arena_clear(scratch);
    }
    recording_close(from);
    if (all == 0 && port != 0)
        diag_warning(d, (span){0}, "'%s' has no datagram from or to port %u", name, port);
    datagrams_warn(kinds);
    arena_free(scratch);
    datagrams_free(kinds);
}
