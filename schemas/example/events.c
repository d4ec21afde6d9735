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

void events_write(const event_channel *c, pkt_writer *w)
{
    Events head;
    head.expected = c->expected;
    head.first = c->first;
    head.count = 0;

    /* The count comes before the events, so first find out how many there is room for. */
    uint64_t start = pkt_writer_bits(w) + Events_MAX_BITS, end = start;
    uint64_t room = pkt_writer_bits_left(w) < EVENTS_BITS ? pkt_writer_bits_left(w) : EVENTS_BITS;
    for (uint16_t n = c->first; n != c->next && head.count < EVENTS_A_DATAGRAM; n++, head.count++) {
        end += Event_measure(&c->events[n % EVENTS_WAITING], end);
        if (end - pkt_writer_bits(w) > room)
            break;
    }

    Events_write(w, &head);
    for (unsigned i = 0; i < head.count; i++)
        Event_write(w, &c->events[(uint16_t)(c->first + i) % EVENTS_WAITING]);
}

bool events_read(pkt_reader *r, event_batch *batch)
{
    if (!Events_read(r, &batch->head))
        return false;
    for (unsigned i = 0; i < batch->head.count; i++)
        if (!Event_read(r, &batch->events[i]))
            return false;
    return true;
}

unsigned events_accept(event_channel *c, const event_batch *batch)
{
    uint16_t acknowledged = (uint16_t)(batch->head.expected - c->first);
    if (acknowledged <= (uint16_t)(c->next - c->first)) /* not one of an older datagram, which says less */
        c->first = batch->head.expected;

    /* All of them, some of them or none may have come before. None is left out: they begin with the oldest that we
     * have not acknowledged. */
    uint16_t known = (uint16_t)(c->expected - batch->head.first);
    if (known >= batch->head.count)
        return 0;
    unsigned count = batch->head.count - (unsigned)known;
    c->expected = (uint16_t)(c->expected + count);
    return count;
}
