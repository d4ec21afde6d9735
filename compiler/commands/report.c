/* report.c - `pktc report`: prints where the bytes of recordings go.
 * SPDX-License-Identifier: MIT
 */
#include "traffic/report.h"
#include "commands/recorded.h"
#include "commands/report.h"
#include "commands/run.h"

uint64_t time_of_datagram(const recorded *r)
{
    return (uint64_t)r->seconds * 1000000000 + r->nanoseconds;
}

void count_datagram(void *user, const recorded *r)
{
    const counting *k = user;
    arena_clear(k->scratch);
    const uint64_t time = time_of_datagram(r);
    const size_t size = r->datagram.size;
    decoded found;
    datagrams_read(k->kinds, k->scratch, &r->datagram, tally_item, k->tally, &found);
    if (found.refused || !found.name) {
        tally_forget(k->tally);
        tally_refused(k->tally, size, time);
        return;
    }
    tally_peer(k->tally,
               arena_printf(k->scratch, "%s to %s", endpoint_text(k->scratch, &r->datagram.from),
                            endpoint_text(k->scratch, &r->datagram.to)),
               size);
    if (found.decl)
        tally_value(k->tally, k->scratch, found.decl, &found.value, false, NULL, found.parts);
    for (const codec_part *p = found.decl ? NULL : found.parts; p; p = p->next)
        tally_value(k->tally, k->scratch, p->decl, &p->value, p->delta, p->base, NULL);
    tally_accept(k->tally);
    tally_datagram(k->tally, *found.name ? found.name : "(stream)", size, time);
}

/* Counts all datagrams of all recordings; NULL after an error. */
static const tally *count_recordings(run *r, const datagrams_request *request)
{
    const options *o = r->options;
    counting k = {tally_new(r->arena, request->schemas[0]), datagrams_new(r->arena, r->diag, request), arena_new()};
    bool good = k.kinds != NULL;
    for (size_t i = 0; i < o->recording_count && good; i++) {
        tally_recording(k.tally);
        good = recording_each(r->arena, r->diag, o->recordings[i], (uint16_t)o->port, count_datagram, &k);
    }
    if (good)
        datagrams_warn(k.kinds);
    arena_free(k.scratch);
    if (k.kinds)
        datagrams_free(k.kinds);
    return good ? k.tally : NULL;
}

void command_report(run *r)
{
    const options *o = r->options;
    datagrams_request request;
    if (!recorded_request(r, o->recordings, o->recording_count, &request))
        return;
    if (o->follow) {
        follow_recording(r, &request);
        return;
    }
    const tally *t = count_recordings(r, &request);
    if (!t)
        return;
    out *to = out_new(r->arena);
    size_t size;
    (o->html ? report_html : o->json ? report_json : report_text)(r->arena, t, to);
    const char *text = out_result(to, &size);
    put_text(r, o->html, text, size);
}
