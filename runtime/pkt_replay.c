/* pkt_replay.c - reads the blocks of a pcapng file, and the headers that pkt_capture makes up.
 * SPDX-License-Identifier: MIT
 *
 * A block is read in pieces: its beginning, its fields, and the packet, which alone goes into the room of the caller.
 * What is not needed is skipped in pieces too, so a size in the file never is the size of a buffer.
 */
#include "pkt_replay.h"

#include <stdio.h>
#include <string.h>

enum {
    PKT_REPLAY_SECTION = 0x0A0D0D0A, /* the same in both orders of bytes */
    PKT_REPLAY_ORDER = 0x1A2B3C4D,
    PKT_REPLAY_INTERFACE = 1,
    PKT_REPLAY_PACKET = 6,
    PKT_REPLAY_FRAME = 12, /* bytes of each block: its type, and its size at both ends */
    PKT_REPLAY_FIELDS = 20,
    PKT_REPLAY_FLAGS = 2,
    PKT_REPLAY_RESOLUTION = 9,
    PKT_REPLAY_MICROSECONDS = 6, /* if no option says otherwise */
    PKT_REPLAY_NANOSECONDS = 9,
    PKT_REPLAY_COOKED_LINK = 113,
    PKT_REPLAY_COOKED = 16,
    PKT_REPLAY_IPV4 = 20,
    PKT_REPLAY_IPV6 = 40,
    PKT_REPLAY_UDP = 8,
    PKT_REPLAY_SESSION = 28,
    PKT_REPLAY_UDP_NEXT = 17,
    PKT_REPLAY_SESSION_NEXT = 253
};

size_t pkt_replay_from_file(void *file, void *to, size_t size)
{
    return fread(to, 1, size, (FILE *)file);
}

size_t pkt_replay_from_bytes(void *bytes, void *to, size_t size)
{
    pkt_replay_bytes *b = (pkt_replay_bytes *)bytes;
    const size_t part = size < b->size ? size : b->size;
    if (part > 0)
        memcpy(to, b->data, part);
    b->data = (const uint8_t *)b->data + part;
    b->size -= part;
    return part;
}

PKT_COLD void pkt_replay_begin(pkt_replay *r, pkt_replay_source *source, void *user, void *room, size_t room_size)
{
    memset(r, 0, sizeof *r);
    r->source = source;
    r->user = user;
    r->room = (uint8_t *)room;
    r->room_size = room_size;
}

PKT_COLD bool pkt_endpoint_is(const pkt_endpoint *a, const pkt_endpoint *b)
{
    return a->size == b->size && a->port == b->port && a->size <= sizeof a->address &&
           memcmp(a->address, b->address, a->size) == 0;
}

/* ---- numbers */

static PKT_COLD uint64_t pkt_replay_big(const uint8_t *at, int bytes)
{
    uint64_t v = 0;
    while (bytes-- > 0)
        v = v << 8 | *at++;
    return v;
}

/* A number of the file's blocks. */
static PKT_COLD uint32_t pkt_replay_number(const pkt_replay *r, const uint8_t *at, int bytes)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | at[r->big ? i : bytes - 1 - i];
    return v;
}

/* ---- a block in pieces */

/* What is left of the block that is being read, without the size at its end. */
typedef struct pkt_replay_block {
    pkt_replay *of;
    uint32_t size; /* of the whole block */
    uint32_t left;
} pkt_replay_block;

/* False if the block or the source ends before. */
static PKT_COLD bool pkt_replay_take(pkt_replay_block *b, void *to, size_t size)
{
    if (size > b->left || b->of->source(b->of->user, to, size) != size)
        return false;
    b->left -= (uint32_t)size;
    return true;
}

static PKT_COLD bool pkt_replay_skip(pkt_replay_block *b, uint32_t size)
{
    uint8_t piece[256];
    while (size > 0) {
        const uint32_t part = size < sizeof piece ? size : (uint32_t)sizeof piece;
        if (!pkt_replay_take(b, piece, part))
            return false;
        size -= part;
    }
    return true;
}

/* Skips the rest, and reads the size at the end, which has to be that of the beginning. */
static PKT_COLD bool pkt_replay_end(pkt_replay_block *b)
{
    uint8_t size[4];
    if (!pkt_replay_skip(b, b->left))
        return false;
    b->left = sizeof size;
    return pkt_replay_take(b, size, sizeof size) && pkt_replay_number(b->of, size, 4) == b->size;
}

static PKT_COLD uint32_t pkt_replay_padded(uint32_t size)
{
    return size + (4 - size % 4) % 4;
}

/* Looks for an option of `size` bytes, at most 4, among those that are left. False if the block is not what it says. *at
 * stays as it is if there is none. */
static PKT_COLD bool pkt_replay_option(pkt_replay_block *b, uint32_t code, uint32_t size, uint8_t at[4])
{
    uint8_t head[4], value[4];
    while (b->left >= sizeof head) {
        if (!pkt_replay_take(b, head, sizeof head))
            return false;
        const uint32_t is = pkt_replay_number(b->of, head, 2), length = pkt_replay_number(b->of, head + 2, 2);
        if (is == 0)
            return true;
        if (is == code && length == size) {
            if (!pkt_replay_take(b, value, sizeof value))
                return false;
            memcpy(at, value, sizeof value);
        } else if (!pkt_replay_skip(b, pkt_replay_padded(length))) {
            return false;
        }
    }
    return true;
}

/* ---- blocks */

static PKT_COLD bool pkt_replay_interface(pkt_replay *r, pkt_replay_block *b)
{
    uint8_t fields[8], unit[4] = {PKT_REPLAY_MICROSECONDS, 0, 0, 0};
    if (!pkt_replay_take(b, fields, sizeof fields) || !pkt_replay_option(b, PKT_REPLAY_RESOLUTION, 1, unit))
        return false;
    if (r->interfaces < PKT_REPLAY_INTERFACES) {
        r->each[r->interfaces].known =
            pkt_replay_number(r, fields, 2) == PKT_REPLAY_COOKED_LINK && unit[0] <= PKT_REPLAY_NANOSECONDS;
        r->each[r->interfaces].resolution = unit[0];
        r->interfaces++;
    }
    return true;
}

/* What follows the headers of a packet. */
typedef struct pkt_replay_body {
    const uint8_t *at;
    size_t size;
    unsigned protocol;
    pkt_endpoint from, to;
} pkt_replay_body;

/* The headers that pkt_capture makes up. False if the packet has others. */
static PKT_COLD bool pkt_replay_ip(const uint8_t *packet, size_t size, pkt_replay_body *body)
{
    if (size < PKT_REPLAY_COOKED + PKT_REPLAY_IPV4)
        return false;
    const uint8_t *ip = packet + PKT_REPLAY_COOKED;
    const bool v6 = ip[0] >> 4 == 6;
    const size_t header = v6 ? (size_t)PKT_REPLAY_IPV6 : (size_t)(ip[0] & 15) * 4, left = size - PKT_REPLAY_COOKED;
    if ((!v6 && (ip[0] >> 4 != 4 || header < PKT_REPLAY_IPV4)) || left < header)
        return false;
    if (!v6 && (pkt_replay_big(ip + 6, 2) & 0x3FFF) != 0) /* a part of a datagram */
        return false;
    const size_t whole = (size_t)pkt_replay_big(ip + (v6 ? 4 : 2), 2) + (v6 ? header : 0);
    if (whole < header || whole > left)
        return false;
    body->protocol = ip[v6 ? 6 : 9];
    body->from = pkt_endpoint_of(ip + (v6 ? 8 : 12), v6 ? 16 : 4, 0);
    body->to = pkt_endpoint_of(ip + (v6 ? 24 : 16), v6 ? 16 : 4, 0);
    body->at = ip + header;
    body->size = whole - header;
    return true;
}

static PKT_COLD bool pkt_replay_datagram(pkt_replay_body *body, pkt_recorded *to)
{
    if (body->size < PKT_REPLAY_UDP)
        return false;
    const size_t size = (size_t)pkt_replay_big(body->at + 4, 2);
    if (size < PKT_REPLAY_UDP || size > body->size)
        return false;
    body->from.port = (uint16_t)pkt_replay_big(body->at, 2);
    body->to.port = (uint16_t)pkt_replay_big(body->at + 2, 2);
    to->data = body->at + PKT_REPLAY_UDP;
    to->size = size - PKT_REPLAY_UDP;
    return true;
}

static PKT_COLD bool pkt_replay_session(pkt_replay_body *body, pkt_recorded *to)
{
    if (body->size < PKT_REPLAY_SESSION || memcmp(body->at, "pkt seed", 8) != 0)
        return false;
    body->from.port = (uint16_t)pkt_replay_big(body->at + 8, 2);
    body->to.port = (uint16_t)pkt_replay_big(body->at + 10, 2);
    to->seed = pkt_replay_big(body->at + 12, 8);
    to->protocol_id = pkt_replay_big(body->at + 20, 8);
    return true;
}

/* Returns END if the packet is neither a datagram nor a session. flags: of its block. */
static PKT_COLD pkt_recorded_kind pkt_replay_found(const uint8_t *packet, size_t size, unsigned flags, pkt_recorded *to)
{
    pkt_replay_body body;
    pkt_recorded_kind kind = PKT_RECORDED_END;
    if (!pkt_replay_ip(packet, size, &body))
        return PKT_RECORDED_END;
    if (body.protocol == PKT_REPLAY_UDP_NEXT && pkt_replay_datagram(&body, to))
        kind = PKT_RECORDED_PACKET;
    else if (body.protocol == PKT_REPLAY_SESSION_NEXT && pkt_replay_session(&body, to))
        kind = PKT_RECORDED_SESSION;
    const bool received = (flags & 3) == 1 || ((flags & 3) != 2 && pkt_replay_big(packet, 2) != 4);
    to->direction = received ? PKT_RECEIVED : PKT_SENT;
    to->local = received ? body.to : body.from;
    to->peer = received ? body.from : body.to;
    return kind;
}

static PKT_COLD uint64_t pkt_replay_time(const pkt_replay *r, const uint8_t fields[], uint8_t resolution)
{
    uint64_t time = (uint64_t)pkt_replay_number(r, fields + 4, 4) << 32 | pkt_replay_number(r, fields + 8, 4);
    for (; resolution < PKT_REPLAY_NANOSECONDS; resolution++)
        time *= 10;
    return time;
}

/* *kind stays END if the packet is skipped. False if the block is not what it says. */
static PKT_COLD bool pkt_replay_packet(pkt_replay *r, pkt_replay_block *b, pkt_recorded *to, pkt_recorded_kind *kind)
{
    uint8_t fields[PKT_REPLAY_FIELDS], flags[4] = {0, 0, 0, 0};
    if (!pkt_replay_take(b, fields, sizeof fields))
        return false;
    const uint32_t which = pkt_replay_number(r, fields, 4), size = pkt_replay_number(r, fields + 12, 4);
    const bool whole = size == pkt_replay_number(r, fields + 16, 4);
    if (size > b->left || pkt_replay_padded(size) > b->left)
        return false;
    if (whole && size <= r->room_size && which < r->interfaces && r->each[which].known) {
        if (!pkt_replay_take(b, r->room, size) || !pkt_replay_skip(b, pkt_replay_padded(size) - size) ||
            !pkt_replay_option(b, PKT_REPLAY_FLAGS, 4, flags))
            return false;
        *kind = pkt_replay_found(r->room, size, pkt_replay_number(r, flags, 4), to);
        to->nanoseconds = pkt_replay_time(r, fields, r->each[which].resolution);
    }
    r->skipped += *kind == PKT_RECORDED_END;
    return true;
}

/* The first bytes of a section say the order of its bytes, before its size can be read. */
static PKT_COLD bool pkt_replay_section(pkt_replay *r, const uint8_t order[4])
{
    r->big = pkt_replay_big(order, 4) == PKT_REPLAY_ORDER;
    r->interfaces = 0;
    r->begun = true;
    return r->big || pkt_replay_number(r, order, 4) == PKT_REPLAY_ORDER;
}

/* Reads a block. False if it is damaged, or *ended. */
static PKT_COLD bool pkt_replay_next(pkt_replay *r, pkt_recorded *to, pkt_recorded_kind *kind, bool *ended)
{
    uint8_t start[PKT_REPLAY_FRAME]; /* the type, the size, and what is after it: at least the size again */
    const size_t there = r->source(r->user, start, 8);
    pkt_replay_block b = {r, 0, 4};
    *ended = there == 0;
    if (there != 8)
        return false;
    const bool section = pkt_replay_big(start, 4) == PKT_REPLAY_SECTION;
    if (section ? !pkt_replay_take(&b, start + 8, 4) || !pkt_replay_section(r, start + 8) : !r->begun)
        return false;
    const uint32_t head = section ? PKT_REPLAY_FRAME + 4 : PKT_REPLAY_FRAME, type = pkt_replay_number(r, start, 4);
    b.size = pkt_replay_number(r, start + 4, 4);
    if (b.size < head || b.size % 4 != 0)
        return false;
    b.left = b.size - head;
    if (!section && type == PKT_REPLAY_INTERFACE && !pkt_replay_interface(r, &b))
        return false;
    if (!section && type == PKT_REPLAY_PACKET && !pkt_replay_packet(r, &b, to, kind))
        return false;
    return pkt_replay_end(&b);
}

PKT_COLD pkt_recorded_kind pkt_replay_read(pkt_replay *r, pkt_recorded *to)
{
    pkt_recorded_kind kind = PKT_RECORDED_END;
    bool ended = false;
    while (kind == PKT_RECORDED_END && !r->damaged && !ended) {
        memset(to, 0, sizeof *to);
        r->damaged = !pkt_replay_next(r, to, &kind, &ended) && !ended;
    }
    if (r->damaged)
        memset(to, 0, sizeof *to);
    return r->damaged ? PKT_RECORDED_DAMAGE : kind;
}
