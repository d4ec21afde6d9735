/* events.c - events that arrive once and in order.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Reliable events", has the schema and explains it.
 */
#include "mygame.h"

typedef struct channel {
    Event events[64];     /* events[n % 64] is event n, for n from first to next - 1 */
    uint16_t first, next; /* first: the oldest that is not acknowledged; next: the number of the next new one */
    uint16_t expected;    /* from the other side */
} channel;

/* False, and *error says why: the event cannot be written. False, and it is PKT_OK: no answer for so long, so disconnect. */
static bool push(channel *c, const Event *event, pkt_error *error)
{
    if (!Event_valid(event, error) || (uint16_t)(c->next - c->first) == 64)
        return false;
    c->events[c->next++ % 64] = *event;
    return true;
}

static bool say(channel *c, uint8_t slot, const char *line, pkt_error *error)
{
    Event e;
    Event_init(&e);
    e.tag = Event_tag_chat;
    e.as.chat.slot = slot;
    pkt_text_set(e.as.chat.text, sizeof e.as.chat.text, line);
    return push(c, &e, error);
}

/* All that fit in number; of these ToClient_fit_pack keeps the first ones that fit in bytes. */
static void put_events(const channel *c, ToClient *out)
{
    out->expected = c->expected;
    out->first = c->first;
    out->events_count = 0;
    for (uint16_t n = c->first; n != c->next && out->events_count < 8; n++)
        out->events[out->events_count++] = c->events[n % 64];
}

/* After ToClient_unpack. Returns how many of the events are new; these are the last ones. */
static unsigned accept_events(channel *c, const ToClient *in)
{
    if ((uint16_t)(in->expected - c->first) <= (uint16_t)(c->next - c->first))
        c->first = in->expected;
    uint16_t known = (uint16_t)(c->expected - in->first);
    unsigned fresh = known < in->events_count ? (unsigned)in->events_count - known : 0;
    c->expected = (uint16_t)(c->expected + fresh);
    return fresh;
}
