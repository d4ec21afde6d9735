/* desync.c - hashes of each tick, to find the first tick that differs.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Finding a desync", has the schema and explains it.
 */
#include "desync.h"

#include <stdio.h>

typedef struct history {
    State states[128];
} history; /* by tick; two seconds at 60 Hz */

/* Settles the state of a tick, and keeps it. The simulation goes on with the settled state. */
static Check note(history *h, State *now)
{
    State_quantize(now);
    h->states[now->tick % 128] = *now;
    Check check = {now->tick, (uint32_t)State_hash(now)};
    return check;
}

/* Compares with the other side. Writes our state to a file if they differ; the other side does the same. */
static bool agree(const history *h, const Check *theirs, FILE *dump)
{
    static uint8_t data[State_MAX_BYTES];
    const State *ours = &h->states[theirs->tick % 128];
    if (ours->tick != theirs->tick || (uint32_t)State_hash(ours) == theirs->hash)
        return true;
    fwrite(data, 1, State_pack(ours, data, sizeof data), dump);
    return false;
}
