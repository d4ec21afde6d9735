/* pkt_inputs.h - the commands of a player, as a server executes them: each one once, in order, and in its tick.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_INPUTS_H
#define PKT_INPUTS_H

#include "pkt_channel.h"
#include "pkt_clock.h"

PKT_C_BEGIN

/* ---- Commands, on the server ------------------------------------------------------------------------------ */

/* What a client repeats through a pkt_channel that forgets waits here for its tick. Ticks are those of the server; numbers of
 * commands are u16 and wrap. For the client's prediction, send it `executed` with the state of its player.
 *
 *     pkt_inputs_arrived(&p->inputs, tick, in.first, in.commands, in.commands_count);                   // after T_unpack
 *     for (const Command *c; (c = pkt_inputs_next(&p->inputs, tick));) execute(p, c);                   // in each tick
 *     out.expected = p->inputs.channel.expected; */
typedef struct pkt_inputs {
    pkt_channel channel;  /* expected: the number of the next command to arrive. lost: commands that never arrived */
    pkt_tick_clock clock; /* how many to execute in a tick */
    uint16_t executed;    /* the newest command that was executed, or skipped because it never arrived */
    uint32_t tick;        /* internal: of the last call of pkt_inputs_next, */
    unsigned due;         /* and how many it still returns in this tick */
} pkt_inputs;

/* For a new session. commands: memory of the program for `room` of them, a power of two, at most 2^15, of `size` bytes each; the
 * commands of half a second are enough. number: of the first one, as on the client. */
PKT_API void pkt_inputs_init(pkt_inputs *i, void *commands, size_t size, uint16_t room, double ticks_a_second,
                             uint16_t number);
/* Takes the commands of a datagram, old or new, from anyone; `first` is the number of the first one. Returns how many are new, the
 * last ones; 0 of a datagram that is late. If there is no room, the oldest are skipped. */
PKT_API unsigned pkt_inputs_arrived(pkt_inputs *i, uint32_t tick, uint16_t first, const void *commands, unsigned count);
/* The next command to execute in `tick`; NULL if there is none more. It returns none while commands are later than before: the
 * player then does what he did last. It is valid until the next call of pkt_inputs_arrived. */
PKT_API const void *pkt_inputs_next(pkt_inputs *i, uint32_t tick);

PKT_C_END

#endif
