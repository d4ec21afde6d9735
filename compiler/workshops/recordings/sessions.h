/* sessions.h - the seeds of sessions, as pkt_capture_session of the runtime records them.
 * SPDX-License-Identifier: MIT
 *
 * A session is recorded as a packet of IP protocol 253 between its two ends. Its 28 bytes, big-endian: "pkt seed", the
 * port of the sender, that of the receiver, the seed, and the protocol id of the release that is spoken, or 0. So a
 * session stays in its place if a recording is cut, sorted or converted by other programs, and Wireshark shows it.
 */
#ifndef PKTC_SESSIONS_H
#define PKTC_SESSIONS_H

#include "recordings/network.h"

typedef struct session {
    uint64_t seed;
    uint64_t id; /* 0: not known */
} session;

enum { MOST_SESSIONS = 4 }; /* of two ends: late datagrams of an earlier one come too */

/* The sessions of two ends, the newest first. */
typedef struct end_sessions {
    session each[MOST_SESSIONS];
    unsigned count;
} end_sessions;

typedef struct sessions sessions;

sessions *sessions_new(arena *a);

/* Another section of the recording begins: what was kept is not known any more. */
void sessions_begin_section(sessions *s);

/* A packet of a session. */
void sessions_keep(sessions *s, const datagram *announced);

/* Those of the ends of a datagram, in either direction; NULL if none was recorded. *changed: whether one was since the
 * last call for these ends. */
const end_sessions *sessions_between(sessions *s, const datagram *d, bool *changed);

/* The bytes after the IP header of a session's packet. */
void session_write(const endpoint *from, const endpoint *to, const session *s, uint8_t bytes[SESSION_BYTES]);

#endif
