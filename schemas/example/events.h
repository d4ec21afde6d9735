/* events.h - events that arrive once each and in their order: each is sent in every datagram until it is acknowledged.
 * SPDX-License-Identifier: MIT
 *
 * Each side has a channel for each other side. What the other side has received comes with its own events, so a
 * channel needs no datagrams of its own.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "arena.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { EVENTS_WAITING = 128 }; /* without an acknowledgement */

typedef struct event_channel {
    Event events[EVENTS_WAITING]; /* by number */
    uint16_t first, next;         /* the oldest one that is not acknowledged, and the number of the next new one */
    uint16_t expected;            /* the number of the next one from the other side */
} event_channel;

void events_begin(event_channel *c);

/* Returns false if the event cannot be written: *error says why. It must not wait, because no event after it would ever be
 * sent. Also returns false, but with PKT_OK, if too many are waiting: the other side has not answered for so long that it
 * is best to part. error may be NULL. */
bool events_push(event_channel *c, const Event *event, pkt_error *error);

/* Stores the oldest events that are not acknowledged, at most arena_MOST_EVENTS. Returns how many. */
uint8_t events_oldest(const event_channel *c, Event *events);

/* Takes what a datagram says: the number of the event that the other side expects, and `count` events from `first` on.
 * Returns how many of them are new. They are the last ones. */
unsigned events_accept(event_channel *c, uint16_t expected, uint16_t first, unsigned count);

#ifdef __cplusplus
}
#endif

#endif
