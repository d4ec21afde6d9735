/* report_recordings.c - see report_recordings.h.
 * SPDX-License-Identifier: MIT
 */
#include "commands/report_recordings.h"

typedef struct counting {
    tally *tally;
    datagrams *kinds;
    arena *scratch; /* of one datagram */
} counting;

static void count_datagram(void *user, const recorded *r)
{
    const counting *k = user;
    arena_clear(k->scratch);
    const uint64_t time = (uint64_t)r->seconds * 1000000000 + r->nanoseconds;
    const size_t size = r->datagram.size;
    decoded found;
    datagrams_read(k->kinds, k->scratch, &r->datagram, tally_item, k->tally, &found);
    if (found.refused || !found.name) {
        tally_forget(k->tally);
        tally_refused(k->tally, size, time);
        return;
    }
    if (found.decl)
        tally_value(k->tally, k->scratch, found.decl, &found.value, false, NULL);
    for (const codec_part *p = found.parts; p; p = p->next)
        tally_value(k->tally, k->scratch, p->decl, &p->value, p->delta, p->base);
    tally_accept(k->tally);
    tally_peer(k->tally,
               arena_printf(k->scratch, "%s to %s", endpoint_text(k->scratch, &r->datagram.from),
                            endpoint_text(k->scratch, &r->datagram.to)),
               size);
    tally_datagram(k->tally, *found.name ? found.name : "(stream)", size, time);
}

const tally *report_recordings(arena *a, diag *d, const char *const *paths, size_t count, uint16_t port,
                               const datagrams_request *request)
{
    counting k = {tally_new(a, request->schemas[0]), datagrams_new(a, d, request), arena_new()};
    bool good = k.kinds != NULL;
    for (size_t i = 0; i < count && good; i++)
        good = recording_each(a, d, paths[i], port, count_datagram, &k);
    if (good)
        datagrams_warn(k.kinds);
    arena_free(k.scratch);
    if (k.kinds)
        datagrams_free(k.kinds);
    return good ? k.tally : NULL;
}
