/* pkt_inputs.c - the commands of a player, as a server executes them: each one once, in order, and in its tick.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_inputs.h"

#include <string.h>

void pkt_inputs_init(pkt_inputs *i, void *commands, size_t size, uint16_t room, double ticks_a_second, uint16_t number)
{
    pkt_channel_init(&i->channel, commands, size, room, true, number);
    pkt_tick_clock_init(&i->clock, ticks_a_second, 16);
    i->executed = (uint16_t)(number - 1);
    i->tick = 0;
    i->due = 0;
}

static char *pkt_command_at(const pkt_inputs *i, uint16_t number)
{
    return (char *)i->channel.values + number % i->channel.room * i->channel.size;
}

unsigned pkt_inputs_arrived(pkt_inputs *i, uint32_t tick, uint16_t first, const void *commands, unsigned count)
{
    pkt_channel *c = &i->channel;
    const uint32_t lost = c->lost;
    const unsigned fresh = pkt_channel_receive(c, c->first, first, count);
    if (fresh == 0)
        return 0;
    for (unsigned n = count - fresh; n < count; n++)
        memcpy(pkt_command_at(i, (uint16_t)(first + n)), (const char *)commands + n * c->size, c->size);
    /* What waits before a gap is skipped with it: for so long nothing has arrived that it is overdue. */
    if (c->lost != lost)
        i->executed = (uint16_t)(c->expected - fresh - 1);
    if ((uint16_t)(c->expected - 1 - i->executed) > c->room)
        i->executed = (uint16_t)(c->expected - 1 - c->room);
    if (!i->clock.arrivals.begun)
        i->tick = tick - 1;
    pkt_tick_clock_arrived(&i->clock, tick, (uint16_t)(c->expected - 1));
    return fresh;
}

const void *pkt_inputs_next(pkt_inputs *i, uint32_t tick)
{
    if (i->tick != tick)
        i->due = pkt_tick_clock_due(&i->clock, tick, i->executed);
    i->tick = tick;
    if (i->due == 0 || (uint16_t)(i->executed + 1) == i->channel.expected)
        return NULL;
    i->due--;
    i->executed++;
    return pkt_command_at(i, i->executed);
}
