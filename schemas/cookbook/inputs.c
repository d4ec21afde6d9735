/* inputs.c - commands that are repeated until they have arrived.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Input redundancy", has the schema and explains it.
 */
#include "mygame.h"

/* commands[n % 32] is command n; ack is the last acknowledgement of the server. */
static bool has_arrived(const InputAck *ack, uint16_t n)
{
    uint16_t age = (uint16_t)(ack->newest - n);
    return age == 0 || (age <= 16 && (ack->before >> (age - 1) & 1) != 0);
}

static void put_inputs(ToServer *out, const Command *commands, uint16_t newest, const InputAck *ack)
{
    unsigned count = 0;
    out->newest = newest;
    out->repeated = 0;
    for (unsigned age = 16; age > 0; age--) {
        if (has_arrived(ack, (uint16_t)(newest - age)))
            continue;
        out->repeated |= (uint16_t)(1u << (age - 1));
        out->commands[count++] = commands[(uint16_t)(newest - age) % 32];
    }
    out->commands[count] = commands[newest % 32];
}

/* Stores command in->newest - age in commands[age]. */
static void take_inputs(const ToServer *in, Command commands[17])
{
    const Command *next = in->commands;
    for (unsigned age = 17; age-- > 0;)
        if (age == 0 || (in->repeated >> (age - 1) & 1) != 0)
            commands[age] = *next++;
}
