/* pkt_replay.c - reads the blocks of a pcapng file, the packets of a pcap file, and the headers that pkt_capture makes up.
 * SPDX-License-Identifier: MIT
 *
 * A block is read in pieces: its beginning, its fields, and the packet or comment, which alone goes into the room of the
 * caller. What is not needed is skipped in pieces too, so a size in the file never is the size of a buffer. The end of the
 * room has what is known of each interface.
 */
#include "pkt_replay.h"

#include <stdio.h>
#include <string.h>

enum {
    PKT_REPLAY_SECTION = 0x0A0D0D0A, /* the same in both orders of bytes */
    PKT_REPLAY_ORDER = 0x1A2B3C4D,
    PKT_REPLAY_FRAME = 12, /* bytes of each block: its type, and its size at both ends */
    PKT_REPLAY_COOKED_LINK = 113,
    PKT_REPLAY_COOKED = 16,
    PKT_REPLAY_IPV4 = 20,
    PKT_REPLAY_IPV6 = 40,
    PKT_REPLAY_UDP = 8,
    PKT_REPLAY_SESSION = 28,
    PKT_REPLAY_UDP_NEXT = 17,
    PKT_REPLAY_SESSION_NEXT = 253
};

/* Types of blocks. */
enum { PKT_REPLAY_INTERFACE = 1, PKT_REPLAY_OLD_PACKET = 2, PKT_REPLAY_SIMPLE_PACKET = 3, PKT_REPLAY_PACKET = 6 };

/* Options of blocks. */
enum { PKT_REPLAY_COMMENT = 1, PKT_REPLAY_FLAGS = 2, PKT_REPLAY_RESOLUTION = 9, PKT_REPLAY_OFFSET = 14 };

/* The first number of an older file, whose times have microseconds or nanoseconds. */
#define PKT_REPLAY_MICRO UINT32_C(0xA1B2C3D4)
#define PKT_REPLAY_NANO UINT32_C(0xA1B23C4D)

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

/* False if the block or the source ends before. */
static PKT_COLD bool pkt_replay_take(pkt_replay *r, void *to, size_t size)
{
    if (size > r->left)
        return false;
    r->left -= (uint32_t)size;
    r->cut = r->source(r->user, to, size) != size;
    return !r->cut;
}

static PKT_COLD bool pkt_replay_skip(pkt_replay *r, uint32_t size)
{
    uint8_t piece[256];
    while (size > 0) {
        const uint32_t part = size < sizeof piece ? size : (uint32_t)sizeof piece;
        if (!pkt_replay_take(r, piece, part))
            return false;
        size -= part;
    }
    return true;
}

/* Skips the rest, and reads the size at the end, which has to be that of the beginning. */
static PKT_COLD bool pkt_replay_end(pkt_replay *r)
{
    uint8_t size[4];
    if (!pkt_replay_skip(r, r->left))
        return false;
    r->options = 0;
    r->left = sizeof size;
    return pkt_replay_take(r, size, sizeof size) && pkt_replay_number(r, size, 4) == r->block;
}

static PKT_COLD uint32_t pkt_replay_padded(uint32_t size)
{
    return size + (4 - size % 4) % 4;
}

/* The bytes of the room before those of the interfaces. */
static PKT_COLD size_t pkt_replay_free_room(const pkt_replay *r)
{
    const size_t most = r->room_size / PKT_REPLAY_INTERFACE_ROOM;
    return r->room_size - PKT_REPLAY_INTERFACE_ROOM * (r->interfaces < most ? r->interfaces : most);
}

/* Takes as much of a packet or comment as there is room for, and skips the rest and its padding. */
static PKT_COLD bool pkt_replay_keep(pkt_replay *r, pkt_piece *to, uint32_t size)
{
    const size_t room = pkt_replay_free_room(r);
    const uint32_t padded = pkt_replay_padded(size);
    to->data = r->room;
    to->size = size < room ? size : room;
    return padded >= size && padded <= r->left && pkt_replay_take(r, r->room, to->size) &&
           pkt_replay_skip(r, padded - (uint32_t)to->size);
}

/* ---- interfaces */

/* What is known of an interface. */
typedef struct pkt_replay_interface {
    int64_t offset; /* seconds that are added to its times */
    uint16_t link;
    uint8_t unit; /* of its times: 10^-unit seconds, or with the highest bit 2^-unit */
} pkt_replay_interface;

typedef char pkt_replay_interface_fits[sizeof(pkt_replay_interface) <= PKT_REPLAY_INTERFACE_ROOM ? 1 : -1];

static PKT_COLD uint8_t *pkt_replay_interface_at(const pkt_replay *r, uint32_t number)
{
    return r->room + r->room_size - ((size_t)number + 1) * PKT_REPLAY_INTERFACE_ROOM;
}

/* False if the file has none of this number, or the room has not. */
static PKT_COLD bool pkt_replay_find_interface(const pkt_replay *r, uint32_t number, pkt_replay_interface *to)
{
    if (number >= r->interfaces || number >= r->room_size / PKT_REPLAY_INTERFACE_ROOM)
        return false;
    memcpy(to, pkt_replay_interface_at(r, number), sizeof *to);
    return true;
}

static PKT_COLD void pkt_replay_set_interface(pkt_replay *r, uint32_t number, const pkt_replay_interface *from)
{
    if (number < r->room_size / PKT_REPLAY_INTERFACE_ROOM)
        memcpy(pkt_replay_interface_at(r, number), from, sizeof *from);
}

static PKT_COLD void pkt_replay_add_interface(pkt_replay *r, unsigned link, uint8_t unit)
{
    const pkt_replay_interface made = {0, (uint16_t)link, unit};
    pkt_replay_set_interface(r, r->interfaces++, &made);
}

/* Nanoseconds since 1970. */
static PKT_COLD uint64_t pkt_replay_time(uint64_t time, const pkt_replay_interface *of)
{
    const uint64_t second = UINT64_C(1000000000);
    unsigned unit = of->unit & 127;
    if (of->unit > 127) {
        for (; unit > 32; unit--)
            time /= 2;
        time = (time >> unit) * second + ((time & ((UINT64_C(1) << unit) - 1)) * second >> unit);
    } else {
        for (; unit < 9; unit++)
            time *= 10;
        for (; unit > 9; unit--)
            time /= 10;
    }
    return time + (uint64_t)of->offset * second;
}

/* ---- options */

static PKT_COLD bool pkt_replay_set_times(pkt_replay *r, uint32_t code, uint32_t size)
{
    uint8_t value[8];
    pkt_replay_interface last;
    if (!pkt_replay_take(r, value, pkt_replay_padded(size)))
        return false;
    if (!pkt_replay_find_interface(r, r->interfaces - 1, &last))
        return true;
    if (code == PKT_REPLAY_RESOLUTION) {
        last.unit = value[0];
    } else {
        const uint64_t low = pkt_replay_number(r, value + (r->big ? 4 : 0), 4);
        last.offset = (int64_t)((uint64_t)pkt_replay_number(r, value + (r->big ? 0 : 4), 4) << 32 | low);
    }
    pkt_replay_set_interface(r, r->interfaces - 1, &last);
    return true;
}

/* Reads on among the options of a section or interface. False at their end with *good, or if the block is not what it
 * says. */
static PKT_COLD bool pkt_replay_find_comment(pkt_replay *r, pkt_piece *to, bool *good)
{
    uint8_t head[4];
    *good = true;
    while (*good && r->left >= sizeof head) {
        *good = pkt_replay_take(r, head, sizeof head);
        const uint32_t code = *good ? pkt_replay_number(r, head, 2) : 0,
                       size = *good ? pkt_replay_number(r, head + 2, 2) : 0;
        const bool unit = code == PKT_REPLAY_RESOLUTION && size == 1, offset = code == PKT_REPLAY_OFFSET && size == 8;
        if (!*good || code == 0)
            return false;
        if (code == PKT_REPLAY_COMMENT)
            return *good = pkt_replay_keep(r, to, size);
        *good = r->options == PKT_REPLAY_INTERFACE && (unit || offset) ? pkt_replay_set_times(r, code, size)
                                                                       : pkt_replay_skip(r, pkt_replay_padded(size));
    }
    return false;
}

/* Reads the flags among the options of a packet. */
static PKT_COLD bool pkt_replay_find_flags(pkt_replay *r, unsigned *flags)
{
    uint8_t head[4];
    while (r->left >= sizeof head) {
        if (!pkt_replay_take(r, head, sizeof head))
            return false;
        const uint32_t code = pkt_replay_number(r, head, 2), size = pkt_replay_number(r, head + 2, 2);
        if (code == 0)
            return true;
        if (code == PKT_REPLAY_FLAGS && size == 4) {
            if (!pkt_replay_take(r, head, sizeof head))
                return false;
            *flags = pkt_replay_number(r, head, 4) & 3;
        } else if (!pkt_replay_skip(r, pkt_replay_padded(size))) {
            return false;
        }
    }
    return true;
}

/* ---- the older format */

/* Whether a file begins as the older format does. Sets its order of bytes and its unit of time. */
static PKT_COLD bool pkt_replay_is_pcap(pkt_replay *r, const uint8_t start[4])
{
    for (int big = 0; big < 2; big++) {
        r->big = big != 0;
        const uint32_t number = pkt_replay_number(r, start, 4);
        r->nano = number == PKT_REPLAY_NANO;
        if (r->nano || number == PKT_REPLAY_MICRO)
            return true;
    }
    return false;
}

static PKT_COLD bool pkt_replay_begin_pcap(pkt_replay *r)
{
    uint8_t fields[16]; /* after the 8 bytes that every block begins with */
    r->left = sizeof fields;
    if (!pkt_replay_take(r, fields, sizeof fields))
        return false;
    r->pcap = r->begun = true;
    r->sections = 1;
    pkt_replay_add_interface(r, pkt_replay_number(r, fields + 12, 4) & 0xFFFF, 0);
    return true;
}

static PKT_COLD bool pkt_replay_read_pcap(pkt_replay *r, pkt_piece *to, bool *ended)
{
    uint8_t head[16];
    pkt_replay_interface of;
    const size_t there = r->source(r->user, head, sizeof head);
    *ended = there == 0;
    r->cut = there > 0 && there < sizeof head;
    if (there < sizeof head || !pkt_replay_find_interface(r, 0, &of))
        return false;
    const uint32_t size = pkt_replay_number(r, head + 8, 4);
    const size_t room = pkt_replay_free_room(r);
    r->left = size;
    to->data = r->room;
    to->size = size < room ? size : room;
    to->whole = pkt_replay_number(r, head + 12, 4);
    to->link = of.link;
    to->nanoseconds = (uint64_t)pkt_replay_number(r, head, 4) * 1000000000 +
                      (uint64_t)pkt_replay_number(r, head + 4, 4) * (r->nano ? 1 : 1000);
    return pkt_replay_take(r, r->room, to->size) && pkt_replay_skip(r, r->left);
}

/* ---- blocks */

static PKT_COLD bool pkt_replay_read_interface(pkt_replay *r)
{
    uint8_t fields[8];
    if (!pkt_replay_take(r, fields, sizeof fields))
        return false;
    pkt_replay_add_interface(r, pkt_replay_number(r, fields, 2), 6);
    r->options = PKT_REPLAY_INTERFACE;
    return true;
}

/* A packet of which nothing but its interface is not known has a size of 0. */
static PKT_COLD bool pkt_replay_read_packet(pkt_replay *r, uint32_t type, pkt_piece *to)
{
    uint8_t fields[20];
    pkt_replay_interface of;
    if (!pkt_replay_take(r, fields, type == PKT_REPLAY_SIMPLE_PACKET ? 4 : sizeof fields))
        return false;
    const bool simple = type == PKT_REPLAY_SIMPLE_PACKET;
    const uint32_t which = simple ? 0 : pkt_replay_number(r, fields, type == PKT_REPLAY_OLD_PACKET ? 2 : 4);
    uint32_t size = simple ? r->left : pkt_replay_number(r, fields + 12, 4);
    to->whole = pkt_replay_number(r, fields + (simple ? 0 : 16), 4);
    if (simple && size > to->whole)
        size = (uint32_t)to->whole;
    if (!pkt_replay_keep(r, to, size) || (!simple && !pkt_replay_find_flags(r, &to->flags)))
        return false;
    if (pkt_replay_find_interface(r, which, &of)) {
        const uint64_t high = simple ? 0 : pkt_replay_number(r, fields + 4, 4);
        to->nanoseconds = simple ? 0 : pkt_replay_time(high << 32 | pkt_replay_number(r, fields + 8, 4), &of);
        to->link = of.link;
    } else {
        to->size = 0;
    }
    return true;
}

/* The first bytes of a section say the order of its bytes, before its size can be read. */
static PKT_COLD bool pkt_replay_read_section(pkt_replay *r, const uint8_t order[4])
{
    r->big = pkt_replay_big(order, 4) == PKT_REPLAY_ORDER;
    r->interfaces = 0;
    r->sections++;
    return r->big || pkt_replay_number(r, order, 4) == PKT_REPLAY_ORDER;
}

/* Reads the beginning of a block, and a packet. False if it is damaged, or *ended. */
static PKT_COLD bool pkt_replay_read_block(pkt_replay *r, pkt_piece *to, pkt_piece_kind *kind, bool *ended)
{
    uint8_t start[PKT_REPLAY_FRAME], fields[12]; /* the type, the size, and what is after it: at least the size again */
    const size_t there = r->source(r->user, start, 8);
    *ended = there == 0;
    r->cut = there > 0 && there < 8;
    if (there < 8)
        return false;
    const bool section = pkt_replay_big(start, 4) == PKT_REPLAY_SECTION;
    if (!r->begun && pkt_replay_is_pcap(r, start))
        return pkt_replay_begin_pcap(r);
    r->left = 4;
    if (section ? !pkt_replay_take(r, start + 8, 4) || !pkt_replay_read_section(r, start + 8) : !r->begun)
        return false;
    const uint32_t head = section ? PKT_REPLAY_FRAME + 4 : PKT_REPLAY_FRAME, type = pkt_replay_number(r, start, 4);
    r->block = pkt_replay_number(r, start + 4, 4);
    if (r->block < head || r->block % 4 != 0)
        return false;
    r->left = r->block - head;
    if (section) {
        r->options = PKT_REPLAY_SECTION;
        r->begun = r->left >= sizeof fields && pkt_replay_take(r, fields, sizeof fields);
        return r->begun;
    }
    if (type == PKT_REPLAY_INTERFACE)
        return pkt_replay_read_interface(r);
    if (type == PKT_REPLAY_PACKET || type == PKT_REPLAY_OLD_PACKET || type == PKT_REPLAY_SIMPLE_PACKET) {
        if (!pkt_replay_read_packet(r, type, to))
            return false;
        *kind = PKT_PIECE_PACKET;
    }
    return pkt_replay_end(r);
}

/* ---- packets of pkt_capture */

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

/* ---- reading on */

static PKT_COLD pkt_piece_kind pkt_replay_step(pkt_replay *r, pkt_piece *to, bool *ended)
{
    pkt_piece_kind kind = PKT_PIECE_END;
    bool good;
    if (r->options != 0) {
        const bool first = r->first;
        r->first = false;
        if (pkt_replay_find_comment(r, to, &good)) {
            to->first = first;
            return PKT_PIECE_COMMENT;
        }
        good = good && pkt_replay_end(r);
    } else if (r->pcap) {
        good = pkt_replay_read_pcap(r, to, ended);
        kind = good ? PKT_PIECE_PACKET : PKT_PIECE_END;
    } else {
        r->first = true;
        good = pkt_replay_read_block(r, to, &kind, ended);
    }
    r->damaged = !good && !*ended;
    return kind;
}

PKT_COLD pkt_piece_kind pkt_replay_next(pkt_replay *r, pkt_piece *to)
{
    pkt_piece_kind kind = PKT_PIECE_END;
    bool ended = false;
    while (kind == PKT_PIECE_END && !r->damaged && !ended) {
        memset(to, 0, sizeof *to);
        kind = pkt_replay_step(r, to, &ended);
    }
    if (r->damaged)
        memset(to, 0, sizeof *to);
    return r->damaged ? PKT_PIECE_DAMAGE : kind;
}

PKT_COLD pkt_recorded_kind pkt_replay_read(pkt_replay *r, pkt_recorded *to)
{
    pkt_piece piece;
    pkt_piece_kind is;
    memset(to, 0, sizeof *to);
    while ((is = pkt_replay_next(r, &piece)) > PKT_PIECE_DAMAGE) {
        pkt_recorded_kind kind = PKT_RECORDED_END;
        if (is == PKT_PIECE_PACKET && piece.link == PKT_REPLAY_COOKED_LINK && piece.size == piece.whole)
            kind = pkt_replay_found(piece.data, piece.size, piece.flags, to);
        to->nanoseconds = piece.nanoseconds;
        if (kind != PKT_RECORDED_END)
            return kind;
        memset(to, 0, sizeof *to);
        r->skipped += is == PKT_PIECE_PACKET;
    }
    return is == PKT_PIECE_DAMAGE ? PKT_RECORDED_DAMAGE : PKT_RECORDED_END;
}
