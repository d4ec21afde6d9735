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

enum {
    EVENTS_WAITING = 128,  /* without an acknowledgement */
    EVENTS_A_DATAGRAM = 8, /* the bound of Events.count */
    EVENTS_BITS = 8 * 256  /* of a datagram; the rest is for snapshots */
};

typedef struct event_channel {
    Event events[EVENTS_WAITING]; /* by number */
    uint16_t first, next;         /* the oldest one that is not acknowledged, and the number of the next new one */
    uint16_t expected;            /* the number of the next one from the other side */
} event_channel;

/* The events of one datagram, before it is known that all of it is right. */
typedef struct event_batch {
    Events head;
    Event events[EVENTS_A_DATAGRAM];
} event_batch;

void events_begin(event_channel *c);

/* Returns false if the event cannot be written: *error says why. It must not wait, because no event after it would ever be
 * sent. Also returns false, but with PKT_OK, if too many are waiting: the other side has not answered for so long that it
 * is best to part. error may be NULL. */
bool events_push(event_channel *c, const Event *event, pkt_error *error);

/* Writes the oldest events that are not acknowledged, as many as may be in one datagram. */
void events_write(const event_channel *c, pkt_writer *w);

bool events_read(pkt_reader *r, event_batch *batch);

/* Takes the acknowledgement of a batch, and returns how many of its events are new. They are the last ones in it. */
unsigned events_accept(event_channel *c, const event_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
