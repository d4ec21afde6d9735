/* decode_recording.c - see decode_recording.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/decode_recording.h"
#include "codec/codec_json.h"

#include <inttypes.h>

static void print_line(arena *a, const recorded *r, const decoded *found)
{
    static const char *const ways[] = {"", "\"direction\": \"received\", ", "\"direction\": \"sent\", "};
    const datagram *d = &r->datagram;
    printf("{\"index\": %" PRIu64 ", \"time\": %" PRId64 ".%09" PRIu32 ", %s\"from\": \"%s\", \"to\": \"%s\", "
           "\"size\": %zu, \"type\": %s",
           r->index, r->seconds, r->nanoseconds, ways[d->direction], endpoint_text(a, &d->from),
           endpoint_text(a, &d->to), d->size, found->name ? json_text(a, found->name) : "null");
    if (found->unchecked)
        printf(", \"crc\": \"unchecked\"");
    if (found->refused)
        printf(", \"refused\": %s", json_text(a, found->refused));
    if (found->parts)
        printf(", \"values\": %s", json_line_parts(a, found->parts));
    else if (found->decl && !found->refused)
        printf(", \"value\": %s", json_line(a, found->decl, &found->value));
    puts("}");
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
