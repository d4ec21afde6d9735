/* pkt_handshake.h - how a client joins a server: the packets of share/handshake/handshake.pkt, from greeting to session.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_HANDSHAKE_H
#define PKT_HANDSHAKE_H

#include "pkt_platform.h"

PKT_C_BEGIN

/* ---- Handshakes ------------------------------------------------------------------------------------------- */

enum {
    PKT_HELLO_BYTES = 24,       /* no answer of a server is larger, so nobody gets more than was sent in his name */
    PKT_HANDSHAKE_BYTES = 288,  /* the most of a client's datagram */
    PKT_HANDSHAKE_DATA = 255,   /* the most bytes of the game in it */
    PKT_HANDSHAKE_ADDRESS = 32, /* the most bytes of an address */
    PKT_DOOR_SESSIONS = 256,    /* the most that may join in two windows */
};

/* Why a client may not join; the game may have more, up to 255. */
typedef enum pkt_refusal { PKT_REFUSE_NOT, PKT_REFUSE_OUTDATED, PKT_REFUSE_FULL } pkt_refusal;

/* ---- the client's side */

typedef enum pkt_joining_state { PKT_JOINING_GREETS, PKT_JOINING_RESPONDS, PKT_JOINING_REFUSED } pkt_joining_state;

typedef struct pkt_joining {
    pkt_joining_state state;
    uint64_t client_salt, server_salt, game_id;
    uint64_t session; /* from PKT_JOINING_RESPONDS on: the seed of the game's packets */
    uint8_t reason;   /* of PKT_JOINING_REFUSED: a pkt_refusal, or what a newer server has */
    uint32_t release; /* of the server that refused */
    double next;      /* when to send again */
    uint32_t tries;   /* responses without an answer */
    uint8_t size, data[PKT_HANDSHAKE_DATA];
} pkt_joining;

/* salt: a new random number for each session. game_id: PROTOCOL_ID of the client's schema, which tells the server the client's
 * release. data: for the server, such as the player's name; what is over PKT_HANDSHAKE_DATA bytes is cut off. */
PKT_API void pkt_joining_init(pkt_joining *j, uint64_t salt, uint64_t game_id, const void *data, size_t size);
/* Each tick, until the first datagram of the game has arrived: what to send now. Returns its bytes, or 0 for nothing. It is
 * sent 10 times a second. now: seconds. */
PKT_API size_t pkt_joining_send(pkt_joining *j, double now, uint8_t to[PKT_HANDSHAKE_BYTES]);
/* True if the datagram is a new answer to this client. Others change nothing. */
PKT_API bool pkt_joining_receive(pkt_joining *j, const void *data, size_t size);

/* ---- the server's side, which keeps nothing before a client has shown that it receives what is sent to its address */

/* All bytes zero, then with a key. */
typedef struct pkt_door {
    uint8_t key[16]; /* random; it never leaves the server */
    uint32_t window; /* the present one of, for example, 10 seconds: a salt is good in it and in the next */
    uint32_t joined; /* internal: how many sessions have joined, */
    uint32_t windows[PKT_DOOR_SESSIONS];  /* when the last ones did, */
    uint64_t sessions[PKT_DOOR_SESSIONS]; /* and which they are */
} pkt_door;

/* What a datagram wants. */
typedef enum pkt_wish { PKT_WISH_NONE, PKT_WISH_HELLO, PKT_WISH_JOIN } pkt_wish;

typedef struct pkt_guest {
    uint64_t client_salt, game_id;
    uint64_t session; /* of PKT_WISH_JOIN: the seed of the game's packets */
    uint8_t size, data[PKT_HANDSHAKE_DATA];
} pkt_guest;

/* Reads a datagram of anyone. PKT_WISH_HELLO: call pkt_door_answer. PKT_WISH_JOIN: the guest has the salt that was sent to this
 * address, for this game_id: call pkt_door_admit. address: the bytes of address and port, at most PKT_HANDSHAKE_ADDRESS. */
PKT_API pkt_wish pkt_door_receive(const pkt_door *d, const void *address, size_t address_size, const void *data,
                                  size_t size, pkt_guest *guest);
/* The answer to a guest: a salt, or a refusal with the server's release. Returns its bytes, or 0 if the address is too long. */
PKT_API size_t pkt_door_answer(const pkt_door *d, const void *address, size_t address_size, const pkt_guest *guest,
                               pkt_refusal refusal, uint32_t release, uint8_t to[PKT_HELLO_BYTES]);

/* If there is room for a guest of PKT_WISH_JOIN. True once for each session: he joins now. False if he plays already, or has left,
 * and the client, or an attacker, repeats the response; or if PKT_DOOR_SESSIONS have joined in this window and the last one. */
PKT_API bool pkt_door_admit(pkt_door *d, const pkt_guest *guest);

/* SipHash-2-4, of J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF" (2012). */
PKT_API uint64_t pkt_siphash(const uint8_t key[16], const void *data, size_t size);

PKT_C_END

#endif
