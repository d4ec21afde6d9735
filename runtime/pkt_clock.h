/* pkt_clock.h - when to use what arrives: the tick that a client shows, and the commands that a server executes.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_CLOCK_H
#define PKT_CLOCK_H

#include "pkt_platform.h"

PKT_C_BEGIN

/* ---- Clocks ---------------------------------------------------------------------------------------- */

enum { PKT_ARRIVALS = 128, PKT_ARRIVALS_NEAR = 8, PKT_PLAYOUT_KEPT = 32 };

/* The lateness of what arrives. `delay` is in ticks: at the local time x, the ticks up to x - delay are there, but for one in
 * 64. So it includes the way, the time between two datagrams, losses, and how far the two clocks are apart. */
typedef struct pkt_arrivals {
    double delay;
    double needs[PKT_ARRIVALS_NEAR]; /* of the newest arrivals: the delay that would have waited for them */
    double late[PKT_ARRIVALS];       /* of more of them: by how much that was more than the least of those before */
    double last;                     /* the local time of the newest tick */
    int64_t newest;                  /* the newest tick */
    double most;                     /* one that is off by more than a second is a stray: so many ticks are a second */
    double strayed;                  /* the local time of the last stray */
    uint32_t count, strays, mask;
    bool begun;
} pkt_arrivals;

/* What a client shows: a tick that follows the sender's clock at a delay. It neither jumps nor goes back, but after a
 * step of one of the clocks, or a pause of a second. Datagrams that arrive in a burst after a stall change the delay no more
 * than one that is late. Times are in seconds, of a clock that runs on: monotonic time. */
typedef struct pkt_playout {
    pkt_arrivals arrivals;
    double rate, tick, at; /* ticks a second; the tick shown last, and when that was */
    bool runs;
    uint32_t kept;
    int64_t ticks[PKT_PLAYOUT_KEPT]; /* of the newest values, in order; and their numbers */
    uint32_t numbers[PKT_PLAYOUT_KEPT];
} pkt_playout;

typedef struct pkt_shown {
    double tick; /* what to show now */
    uint32_t from,
        to;   /* the numbers of the values before and after it; the same if there is none after it, or before */
    double t; /* where it is between them: for T_mix */
} pkt_shown;

/* For a new session. bits: of a tick, 8 to 32. */
PKT_API void pkt_playout_init(pkt_playout *p, double ticks_a_second, unsigned bits);
/* A value of this tick has arrived, in any order. number: by which the program finds it later, such as that of the part. */
PKT_API void pkt_playout_arrived(pkt_playout *p, double now, uint32_t tick, uint32_t number);
/* What to show. False if nothing has arrived. */
PKT_API bool pkt_playout_show(pkt_playout *p, double now, pkt_shown *shown);

/* When a server executes the numbered commands of a client, one for each tick: mostly one a tick. After a stall, two, so that
 * none is skipped; none while they come later than before. However fast a client numbers its commands, at most 65 of them are
 * executed in 64 ticks, and those of one second more, in any time. All times are ticks of the server. */
typedef struct pkt_tick_clock {
    pkt_arrivals arrivals;
    int64_t credit; /* how many more commands may be executed, in 64ths of one; at most a second of them */
    uint32_t tick;  /* up to which the ticks have added their credit */
} pkt_tick_clock;

PKT_API void pkt_tick_clock_init(pkt_tick_clock *c, double ticks_a_second, unsigned bits);
/* Before the commands of `tick` are executed: the newest command that a datagram has brought. */
PKT_API void pkt_tick_clock_arrived(pkt_tick_clock *c, uint32_t tick, uint32_t newest);
/* How many commands after the number `executed` to execute in `tick`: 0, 1 or 2. To be called once in each tick. */
PKT_API unsigned pkt_tick_clock_due(pkt_tick_clock *c, uint32_t tick, uint32_t executed);

PKT_C_END

#endif
