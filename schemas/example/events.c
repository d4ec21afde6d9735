/* events.c - queues events, and sends them until they are acknowledged.
 * SPDX-License-Identifier: MIT
 */
#include "events.h"
#include "sequence.h"

void events_begin(event_channel *c)
{
    c->first = c->next = c->expected = SEQUENCE_START;
}

bool events_push(event_channel *c, const Event *event, pkt_error *error)
{
    if (!Event_valid(event, error) || (uint16_t)(c->next - c->first) == EVENTS_WAITING)
        return false;
    c->events[c->next++ % EVENTS_WAITING] = *event;
    return true;
}

uint8_t events_oldest(const event_channel *c, Event *events)
{
    uint8_t count = 0;
    for (uint16_t n = c->first; n != c->next && count < arena_MOST_EVENTS; n++)
        events[count++] = c->events[n % EVENTS_WAITING];
    return count;
}

unsigned events_accept(event_channel *c, uint16_t expected, uint16_t first, unsigned count)
{
    if ((uint16_t)(expected - c->first) <= (uint16_t)(c->next - c->first)) /* not an older datagram, which says less */
        c->first = expected;

    /* All of them, some of them or none may have come before. None is left out: they begin with the oldest that we
     * have not acknowledged. */
    uint16_t known = (uint16_t)(c->expected - first);
    unsigned fresh = known < count ? count - known : 0;
    c->expected = (uint16_t)(c->expected + fresh);
    return fresh;
}
