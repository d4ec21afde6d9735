/* events.c - events that arrive once and in order.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Reliable events", has the schema and explains it.
 */
#include "mygame.h"

typedef struct link {
    pkt_channel channel;
    Event events[64]; /* until they are acknowledged */
} link;

static void begin(link *l)
{
    pkt_channel_init(&l->channel, l->events, sizeof l->events[0], 64, false, 0);
}

/* False, and *error says why: the event cannot be written. False, and it is PKT_OK: no answer for so long, so disconnect. */
static bool push(link *l, const Event *event, pkt_error *error)
{
    return Event_valid(event, error) && pkt_channel_push(&l->channel, event);
}

static bool say(link *l, uint8_t slot, const char *line, pkt_error *error)
{
    Event e;
    Event_init(&e);
    e.tag = Event_tag_chat;
    e.as.chat.slot = slot;
    pkt_text_set(e.as.chat.text, sizeof e.as.chat.text, line);
    return push(l, &e, error);
}

/* All that fit in number; of these ToClient_fit_pack keeps the first ones that fit in bytes. */
static void put_events(const link *l, ToClient *out)
{
    out->events_count = (uint8_t)pkt_channel_send(&l->channel, &out->expected, &out->first, out->events, 8);
}

/* After ToClient_unpack. Returns how many of the events are new; these are the last ones. */
static unsigned accept_events(link *l, const ToClient *in)
{
    return pkt_channel_receive(&l->channel, in->expected, in->first, in->events_count);
}
