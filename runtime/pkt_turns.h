/* pkt_turns.h - whose turn it is: orders of elements in which everything that waits comes first in the end.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_TURNS_H
#define PKT_TURNS_H

#include "pkt_stream.h"

PKT_C_BEGIN

/* ---- Turns ----------------------------------------------------------------------------------------- */

/* How long one element has waited. Times are numbers of datagrams or ticks, of the bits that pkt_turns_init got. */
typedef struct pkt_wait {
    uint32_t since;   /* the newest datagram that has the element, or `began` */
    uint32_t before;  /* `since` before that datagram, which counts again if it is lost; or the same */
    uint32_t ordered; /* the newest order that has the element */
    uint32_t began;   /* the time before the first order that has the element */
    uint32_t first;   /* the first datagram that has it; the same as `began` if there is none */
} pkt_wait;

/* How long the elements have waited that one client may get. */
typedef struct pkt_turns {
    pkt_wait *of; /* by pkt_element.slot */
    uint32_t count;
    uint32_t limit, mask;
    uint32_t ordered;      /* the newest order */
    uint32_t acknowledged; /* the newest datagram that has arrived */
    bool begun;
} pkt_turns;

/* For a new session, and if the client has no baseline any more. of: memory of the program for `count` elements, which stays where
 * it is. limit: for at most so long should an element wait, less than half of all times. bits: of a time, 8 to 32. */
PKT_API void pkt_turns_init(pkt_turns *t, pkt_wait *of, uint32_t count, uint32_t limit, unsigned bits);

/* Sorts an order, the most urgent element first. Each element has a number, a slot, and as its priority a weight, 0 to 1e16, or
 * INFINITY. The priority becomes the weight times how long the element has waited: twice the weight is twice as often. First
 * come infinite weights, then new elements that were sent and are not acknowledged (the baseline lacks them, so that a
 * datagram without them would take them away again), then those that have waited for `limit`, the longest first. An element
 * that was not in the order before begins to wait now, and one whose slot is not below `count` never waits. now: the datagram
 * that the order is for. */
PKT_API void pkt_turns_order(pkt_turns *t, pkt_element *order, uint32_t count, uint32_t now);

/* The datagram has the first `kept` elements of an order: T_fit_... has moved them to the front. */
PKT_API void pkt_turns_sent(pkt_turns *t, const pkt_element *order, uint32_t kept, uint32_t now);

/* A datagram has arrived. Those between it and the one that arrived before are lost: their elements wait as if they had not been
 * sent. Older ones are ignored, and those after the newest order, which nobody has sent. A program whose datagrams have no
 * baselines calls it for each one that it sends, as if that had arrived. */
PKT_API void pkt_turns_acknowledged(pkt_turns *t, uint32_t number);

/* For how long the client has had nothing new of an element, as far as is known; 0 for one that the newest order lacks. */
PKT_API uint32_t pkt_turns_waited(const pkt_turns *t, uint32_t slot, uint32_t now);

PKT_C_END

#endif
