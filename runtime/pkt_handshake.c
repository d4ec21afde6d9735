/* pkt_handshake.c - how a client joins a server.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_handshake.h"
#include "pkt_memory.h"
#include "pkt_stream.h"

#include <string.h>

/* ---- SipHash */

static uint64_t pkt_rotated(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static void pkt_sip_rounds(uint64_t v[4], int rounds)
{
    for (; rounds > 0; rounds--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = pkt_rotated(v[1], 13) ^ v[0];
        v[3] = pkt_rotated(v[3], 16) ^ v[2];
        v[0] = pkt_rotated(v[0], 32) + v[3];
        v[2] += v[1];
        v[1] = pkt_rotated(v[1], 17) ^ v[2];
        v[3] = pkt_rotated(v[3], 21) ^ v[0];
        v[2] = pkt_rotated(v[2], 32);
    }
}

uint64_t pkt_siphash(const uint8_t key[16], const void *data, size_t size)
{
    const uint64_t k0 = pkt_load64(key), k1 = pkt_load64(key + 8);
    uint64_t v[4] = {k0 ^ UINT64_C(0x736F6D6570736575), k1 ^ UINT64_C(0x646F72616E646F6D),
                     k0 ^ UINT64_C(0x6C7967656E657261), k1 ^ UINT64_C(0x7465646279746573)};
    const uint8_t *at = (const uint8_t *)data;
    for (size_t left = size;; left -= 8, at += 8) {
        uint64_t word = (uint64_t)(size & 255) << 56;
        for (size_t i = 0; left < 8 && i < left; i++)
            word |= (uint64_t)at[i] << 8 * i;
        if (left >= 8)
            word = pkt_load64(at);
        v[3] ^= word;
        pkt_sip_rounds(v, 2);
        v[0] ^= word;
        if (left < 8)
            break;
    }
    v[2] ^= 255;
    pkt_sip_rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- the packets: a checksum, the body, and the end check */

typedef struct pkt_handshake_packet {
    uint8_t id[8];
    const char *name, *end; /* the end check is the checksum of its text */
} pkt_handshake_packet;

static const pkt_handshake_packet pkt_hello = {{0xF8, 0x5F, 0x1E, 0x16, 0x12, 0x0D, 0xC6, 0x7B}, "Hello", "Hello.end"};
static const pkt_handshake_packet pkt_challenge = {
    {0xC7, 0x91, 0xAD, 0xE9, 0x6A, 0x0B, 0x52, 0x41}, "Challenge", "Challenge.end"};
static const pkt_handshake_packet pkt_response = {
    {0x7A, 0x60, 0xE3, 0x77, 0x2E, 0xB8, 0xC7, 0x04}, "Response", "Response.end"};
static const pkt_handshake_packet pkt_refused = {
    {0x3D, 0xA0, 0x7A, 0x1D, 0x31, 0xC8, 0x98, 0x4F}, "Refused", "Refused.end"};

enum { PKT_BODY = 4, PKT_FRAME = 8 }; /* where the body begins; bytes of the two checksums */

static void pkt_put32(uint8_t *to, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t pkt_get32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint32_t pkt_handshake_checksum(const pkt_handshake_packet *p, const uint8_t *data, size_t size)
{
    uint32_t crc = pkt_crc32(0, p->id, sizeof p->id);
    crc = pkt_crc32(crc, p->name, strlen(p->name));
    return pkt_crc32(crc, data + PKT_BODY, size - PKT_BODY);
}

static size_t pkt_handshake_seal(const pkt_handshake_packet *p, uint8_t *data, size_t body)
{
    pkt_put32(data + PKT_BODY + body, pkt_crc32(0, p->end, strlen(p->end)));
    pkt_put32(data, pkt_handshake_checksum(p, data, body + PKT_FRAME));
    return body + PKT_FRAME;
}

/* The body of at least so many bytes, or NULL if it is not this packet. */
static const uint8_t *pkt_handshake_open(const pkt_handshake_packet *p, const void *data, size_t size, size_t body)
{
    const uint8_t *at = (const uint8_t *)data;
    if (size < body + PKT_FRAME || size > PKT_HANDSHAKE_BYTES || pkt_get32(at) != pkt_handshake_checksum(p, at, size))
        return NULL;
    return pkt_get32(at + size - 4) == pkt_crc32(0, p->end, strlen(p->end)) ? at + PKT_BODY : NULL;
}

/* ---- the client's side */

void pkt_joining_init(pkt_joining *j, uint64_t salt, uint64_t game_id, const void *data, size_t size)
{
    memset(j, 0, sizeof *j);
    j->client_salt = salt;
    j->game_id = game_id;
    j->size = (uint8_t)(size < PKT_HANDSHAKE_DATA ? size : (size_t)PKT_HANDSHAKE_DATA);
    if (j->size > 0)
        memcpy(j->data, data, j->size);
}

size_t pkt_joining_send(pkt_joining *j, double now, uint8_t to[PKT_HANDSHAKE_BYTES])
{
    enum { PKT_MOST_TRIES = 50 };
    if (j->state == PKT_JOINING_REFUSED || now < j->next)
        return 0;
    if (j->state == PKT_JOINING_RESPONDS && ++j->tries > PKT_MOST_TRIES) {
        j->state = PKT_JOINING_GREETS; /* the salt is too old by now */
        j->tries = 0;
    }
    j->next = now + 0.1;
    pkt_store64(to + PKT_BODY, j->client_salt);
    if (j->state == PKT_JOINING_GREETS) {
        pkt_store64(to + PKT_BODY + 8, j->game_id);
        return pkt_handshake_seal(&pkt_hello, to, 16);
    }
    pkt_store64(to + PKT_BODY + 8, j->server_salt);
    pkt_store64(to + PKT_BODY + 16, j->game_id);
    to[PKT_BODY + 24] = j->size;
    memcpy(to + PKT_BODY + 25, j->data, j->size);
    return pkt_handshake_seal(&pkt_response, to, (size_t)25 + j->size);
}

bool pkt_joining_receive(pkt_joining *j, const void *data, size_t size)
{
    const uint8_t *body = pkt_handshake_open(&pkt_challenge, data, size, 16);
    if (body && size == 16 + PKT_FRAME && pkt_load64(body) == j->client_salt && j->state == PKT_JOINING_GREETS) {
        j->server_salt = pkt_load64(body + 8);
        j->session = j->client_salt ^ j->server_salt;
        j->state = PKT_JOINING_RESPONDS;
        j->next = 0;
        return true;
    }
    body = pkt_handshake_open(&pkt_refused, data, size, 13);
    if (!body || size != 13 + PKT_FRAME || pkt_load64(body) != j->client_salt || j->state == PKT_JOINING_REFUSED)
        return false;
    j->reason = body[8];
    j->release = pkt_get32(body + 9);
    j->state = PKT_JOINING_REFUSED;
    return true;
}

/* ---- the server's side */

/* The server can compute the salt again: nobody else can, nor find one for another address. */
static uint64_t pkt_door_salt(const pkt_door *d, uint32_t window, const void *address, size_t address_size,
                              const pkt_guest *guest)
{
    uint8_t text[24 + PKT_HANDSHAKE_ADDRESS];
    pkt_store64(text, window);
    pkt_store64(text + 8, guest->client_salt);
    pkt_store64(text + 16, guest->game_id);
    if (address_size > 0)
        memcpy(text + 24, address, address_size);
    return pkt_siphash(d->key, text, 24 + address_size);
}

pkt_wish pkt_door_receive(const pkt_door *d, const void *address, size_t address_size, const void *data, size_t size,
                          pkt_guest *guest)
{
    const uint8_t *body = pkt_handshake_open(&pkt_hello, data, size, 16);
    memset(guest, 0, sizeof *guest);
    if (address_size > PKT_HANDSHAKE_ADDRESS)
        return PKT_WISH_NONE;
    if (body && size == 16 + PKT_FRAME) {
        guest->client_salt = pkt_load64(body);
        guest->game_id = pkt_load64(body + 8);
        return PKT_WISH_HELLO;
    }
    body = pkt_handshake_open(&pkt_response, data, size, 25);
    if (!body || size != (size_t)25 + body[24] + PKT_FRAME)
        return PKT_WISH_NONE;
    const uint64_t salt = pkt_load64(body + 8);
    guest->client_salt = pkt_load64(body);
    guest->game_id = pkt_load64(body + 16);
    if (salt != pkt_door_salt(d, d->window, address, address_size, guest) &&
        salt != pkt_door_salt(d, d->window - 1, address, address_size, guest))
        return PKT_WISH_NONE;
    guest->session = guest->client_salt ^ salt;
    guest->size = body[24];
    memcpy(guest->data, body + 25, guest->size);
    return PKT_WISH_JOIN;
}

size_t pkt_door_answer(const pkt_door *d, const void *address, size_t address_size, const pkt_guest *guest,
                       pkt_refusal refusal, uint32_t release, uint8_t to[PKT_HELLO_BYTES])
{
    if (address_size > PKT_HANDSHAKE_ADDRESS)
        return 0;
    pkt_store64(to + PKT_BODY, guest->client_salt);
    if (refusal == PKT_REFUSE_NOT) {
        pkt_store64(to + PKT_BODY + 8, pkt_door_salt(d, d->window, address, address_size, guest));
        return pkt_handshake_seal(&pkt_challenge, to, 16);
    }
    to[PKT_BODY + 8] = (uint8_t)refusal;
    pkt_put32(to + PKT_BODY + 9, release);
    return pkt_handshake_seal(&pkt_refused, to, 13);
}

/* A response is good for two windows, so for no longer must its session be remembered. */
bool pkt_door_admit(pkt_door *d, const pkt_guest *guest)
{
    const uint32_t known = d->joined < PKT_DOOR_SESSIONS ? d->joined : (uint32_t)PKT_DOOR_SESSIONS;
    const uint32_t at = d->joined % PKT_DOOR_SESSIONS; /* the oldest one */
    for (uint32_t i = 0; i < known; i++)
        if (d->sessions[i] == guest->session && d->window - d->windows[i] < 2)
            return false;
    if (known == PKT_DOOR_SESSIONS && d->window - d->windows[at] < 2)
        return false;
    d->sessions[at] = guest->session;
    d->windows[at] = d->window;
    d->joined = at + 1 + (d->joined < PKT_DOOR_SESSIONS ? 0 : (uint32_t)PKT_DOOR_SESSIONS);
    return true;
}
