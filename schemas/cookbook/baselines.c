/* baselines.c - a client that receives snapshots and acknowledges them.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Baselines and acknowledgements", has the schema and explains it.
 */
#include "mygame.h"

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
