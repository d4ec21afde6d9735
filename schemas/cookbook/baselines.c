/* baselines.c - a server that sends snapshots, and a client that receives and acknowledges them.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Baselines and acknowledgements", has the schema and explains it.
 */
#include "mygame.h"

typedef struct outbox {
    ToClient out; /* the newest one */
    ToClient_sender sent;
} outbox;

/* has: what the client has said. settled: the world after Snapshot_quantize. */
static size_t send_snapshot(outbox *o, const ToServer *has, const Snapshot *settled, uint8_t *data, size_t size)
{
    ToClient_acknowledged(&o->sent, has->has_snapshot, has->snapshot);
    o->out.number++;
    o->out.snapshot = *settled;
    return ToClient_send(&o->sent, &o->out, 0, data, size);
}

typedef struct inbox {
    ToClient in; /* the newest one */
    ToClient_receiver received;
} inbox;

static bool receive_snapshot(inbox *i, const uint8_t *data, size_t size)
{
    return ToClient_receive(&i->received, &i->in, 0, data, size);
}

static ToServer acknowledgement(const inbox *i)
{
    return (ToServer){.has_snapshot = i->received.acknowledges, .snapshot = (uint16_t)i->received.newest};
}
