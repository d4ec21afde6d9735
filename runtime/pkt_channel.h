/* pkt_channel.h - values that are sent again until they have arrived: events, and the commands of players.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_CHANNEL_H
#define PKT_CHANNEL_H

#include "pkt_platform.h"

PKT_C_BEGIN

/* ---- Values that arrive once each and in order --------------------------------------------------------- */

/* One side of a connection: what it sends, and what it expects; so one channel on each side is enough for events both ways. Each
 * datagram has values that the other side has not acknowledged, so one that is lost loses nothing. Numbers are u16 and wrap.
 *
 *     out.events_count = (uint8_t)pkt_channel_send(&c, &out.expected, &out.first, out.events, 8);      // before T_pack
 *     fresh = pkt_channel_receive(&c, in.expected, in.first, in.events_count);                          // after T_unpack
 *     for (unsigned i = in.events_count - fresh; i < in.events_count; i++) on_event(&in.events[i]); */
typedef struct pkt_channel {
    void *values;         /* memory of the program: value n is at n % room */
    size_t size;          /* of a value */
    uint16_t room;        /* a power of two, at most 2^15 */
    bool forgets;         /* the oldest value goes when there is no room for a new one */
    uint16_t first, next; /* the oldest value that is not acknowledged, and the number of the next new one */
    uint16_t expected;    /* the number of the next value of the other side */
    uint16_t kept;        /* how many of the newest values are still in memory, acknowledged or not */
    uint32_t lost;        /* values that the other side has forgotten before they arrived */
} pkt_channel;

/* For a new session. Both sides begin with the same number. forgets: on both sides, for commands, of which the newest matter;
 * not for events, all of which must arrive. values: NULL on a side that sends none. */
PKT_API void pkt_channel_init(pkt_channel *c, void *values, size_t size, uint16_t room, bool forgets, uint16_t number);
/* Copies a value, which must be one that T_write can write: see T_valid. False if there is no room: the other side has not
 * answered for so long that it is best to part. */
PKT_API bool pkt_channel_push(pkt_channel *c, const void *value);
/* Copies the oldest values that are not acknowledged, at most `most`, or the newest ones of a channel that forgets; and says what
 * goes with them. Returns how many. */
PKT_API unsigned pkt_channel_send(const pkt_channel *c, uint16_t *expected, uint16_t *first, void *values,
                                  unsigned most);
/* The value after *number, which becomes its number; NULL after the newest one. Of those that are no more in memory, it goes on
 * with the oldest that is. For a client that executes its commands again, after the newest one that the server has executed:
 *
 *     for (uint16_t n = in.executed; (command = pkt_channel_after(&c, &n));) step(&player, command); */
PKT_API const void *pkt_channel_after(const pkt_channel *c, uint16_t *number);
/* Takes what a datagram says, old or new, from anyone. Returns how many of its `count` values are new: the last ones. */
PKT_API unsigned pkt_channel_receive(pkt_channel *c, uint16_t expected, uint16_t first, unsigned count);

PKT_C_END

#endif
