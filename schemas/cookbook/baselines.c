/* baselines.c - a client that gives up baselines that it cannot trust, and acknowledges snapshots.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Baselines and acknowledgements", has the schema and explains it.
 */
#include "mygame.h"

#include <string.h>

/* in: the newest one. read: where datagrams are read to, since one that has been overtaken must not replace it. */
typedef struct inbox {
    ToClient in, read;
    ToClient_snapshot_ring received;
    uint16_t newest;
    unsigned doubts;
} inbox;

static bool receive_snapshot(inbox *i, const uint8_t *data, size_t size)
{
    ToClient_names names;
    ToClient_baselines from = {{0}};
    pkt_error error;
    if (ToClient_peek(&i->read, &names, data, size))
        from.snapshot = ToClient_snapshot_ring_find(&i->received, names.snapshot.base);
    if (!ToClient_unpack_error(&from, &i->read, 0, data, size, &error)) {
        i->doubts += error.code == PKT_ERROR_CRC;
        if (i->doubts >= 4)
            memset(i->received.used, 0, sizeof i->received.used); /* none of them can be trusted */
        return false;
    }
    i->doubts = 0;
    ToClient_snapshot_ring_keep(&i->received, i->read.number, &i->read.snapshot);
    if ((uint16_t)(i->read.number - i->newest - 1) >= 0x7fff)
        return false; /* overtaken, or here twice */
    i->in = i->read;
    i->newest = i->in.number;
    return true;
}

static ToServer acknowledgement(const inbox *i)
{
    bool here = ToClient_snapshot_ring_find(&i->received, i->newest).value != NULL;
    return (ToServer){.has_snapshot = here, .snapshot = i->newest};
}
