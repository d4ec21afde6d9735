/* pkt_capture.c - writes the blocks of a pcapng file, with headers of IP and UDP that it makes up.
 * SPDX-License-Identifier: MIT
 *
 * The format is described in the Internet-Draft "PCAP Next Generation (pcapng) Capture File Format". What belongs to
 * pcapng is little-endian here; the headers of the packets are big-endian, as on the network.
 */
#include "pkt_capture.h"

#include <stdio.h>
#include <string.h>

enum {
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 6,
    BLOCK_FRAME = 12, /* bytes of each block: its type, and its size at both ends */
    OPTION_END = 0,
    OPTION_COMMENT = 1,
    OPTION_FLAGS = 2,
    OPTION_RESOLUTION = 9,
    NANOSECONDS = 9, /* 10^-9 s */
    LINUX_COOKED = 113,
    MOST_COMMENT = 65532, /* what fits in an option, in whole words */
    COOKED = 16,
    IPV4 = 20,
    IPV6 = 40,
    UDP = 8,
    PACKET_FIELDS = 20, /* of a packet's block: interface, time, sizes */
    PACKET_OPTIONS = 12,
    OVERHEAD = BLOCK_FRAME + PACKET_FIELDS + COOKED + IPV6 + UDP + 3 + PACKET_OPTIONS,
    PROTOCOL_UDP = 17
};

static uint8_t *put_little(uint8_t *to, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *to++ = (uint8_t)(v >> 8 * i);
    return to;
}

static uint8_t *put_big(uint8_t *to, uint32_t v, int bytes)
{
    while (bytes-- > 0)
        *to++ = (uint8_t)(v >> 8 * bytes);
    return to;
}

static uint8_t *put_bytes(uint8_t *to, const void *from, size_t size)
{
    if (size > 0)
        memcpy(to, from, size);
    return to + size;
}

static uint8_t *put_zeros(uint8_t *to, size_t count)
{
    memset(to, 0, count);
    return to + count;
}

static size_t padding(size_t size)
{
    return (4 - size % 4) % 4;
}

pkt_endpoint pkt_endpoint_of(const void *address, size_t size, uint16_t port)
{
    pkt_endpoint e;
    memset(&e, 0, sizeof e);
    e.size = size == sizeof e.address ? 16 : 4;
    e.port = port;
    memcpy(e.address, address, e.size);
    return e;
}

bool pkt_capture_to_file(void *file, const void *data, size_t size)
{
    FILE *to = (FILE *)file;
    return ferror(to) == 0 && fwrite(data, 1, size, to) == size && fflush(to) == 0;
}

/* ---- the first two blocks */

/* Bytes on their way to the write function, which gets as many as possible at once. */
typedef struct head {
    const pkt_capture *capture;
    bool good;
    size_t used;
    uint8_t bytes[1024];
} head;

static void flush(head *h)
{
    h->good = h->good && (h->used == 0 || h->capture->write(h->capture->user, h->bytes, h->used));
    h->used = 0;
}

static void add(head *h, const void *data, size_t size)
{
    const uint8_t *from = (const uint8_t *)data;
    while (size > 0) {
        const size_t room = sizeof h->bytes - h->used, part = size < room ? size : room;
        memcpy(h->bytes + h->used, from, part);
        h->used += part;
        from += part;
        size -= part;
        if (h->used == sizeof h->bytes)
            flush(h);
    }
}

static void add_number(head *h, uint64_t v, int bytes)
{
    uint8_t number[8];
    put_little(number, v, bytes);
    add(h, number, (size_t)bytes);
}

/* The bytes of as many texts as fit in one comment. *end is the first one that does not. */
static size_t comment_size(const char *const *schema, const char *const **end)
{
    size_t size = 0;
    for (; *schema && size + strlen(*schema) <= MOST_COMMENT; schema++)
        size += strlen(*schema);
    *end = schema;
    return size;
}

static void add_schema(head *h, const char *const *schema)
{
    const char *const *end;
    for (; *schema; schema = end) {
        const size_t size = comment_size(schema, &end);
        add_number(h, OPTION_COMMENT, 2);
        add_number(h, size, 2);
        for (const char *const *text = schema; text < end; text++)
            add(h, *text, strlen(*text));
        add_number(h, 0, (int)padding(size));
    }
}

static uint32_t schema_size(const char *const *schema)
{
    uint32_t all = 0;
    const char *const *end;
    for (; *schema; schema = end) {
        const size_t size = comment_size(schema, &end);
        all += 4 + (uint32_t)(size + padding(size));
    }
    return all;
}

bool pkt_capture_begin(pkt_capture *c, pkt_capture_write *write, void *user, const pkt_endpoint *local,
                       const char *const *const *schemas, size_t schema_count)
{
    const uint32_t interface_size = BLOCK_FRAME + 8 + 8 + 4;
    uint32_t section = BLOCK_FRAME + 16 + 4;
    head h;
    for (size_t i = 0; i < schema_count; i++)
        section += schema_size(schemas[i]);
    c->write = write;
    c->user = user;
    c->local = *local;
    h.capture = c;
    h.good = true;
    h.used = 0;

    add_number(&h, 0x0A0D0D0A, 4);
    add_number(&h, section, 4);
    add_number(&h, 0x1A2B3C4D, 4); /* by which readers know the order of bytes */
    add_number(&h, 1, 4);          /* version 1.0 */
    add_number(&h, UINT64_MAX, 8); /* the size of what follows is not known */
    for (size_t i = 0; i < schema_count; i++)
        add_schema(&h, schemas[i]);
    add_number(&h, OPTION_END, 4);
    add_number(&h, section, 4);

    add_number(&h, BLOCK_INTERFACE, 4);
    add_number(&h, interface_size, 4);
    add_number(&h, LINUX_COOKED, 4);
    add_number(&h, 0, 4); /* packets are never cut */
    add_number(&h, OPTION_RESOLUTION, 2);
    add_number(&h, 1, 2);
    add_number(&h, NANOSECONDS, 4);
    add_number(&h, OPTION_END, 4);
    add_number(&h, interface_size, 4);
    flush(&h);
    return h.good;
}

/* ---- a packet */

/* Adds big-endian words to a checksum of the Internet; `size` is even, or the last bytes. */
static uint32_t add_words(uint32_t sum, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum += i % 2 == 0 ? (uint32_t)data[i] << 8 : data[i];
    return (sum & 0xFFFF) + (sum >> 16);
}

static uint32_t folded(uint32_t sum)
{
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = (sum & 0xFFFF) + (sum >> 16);
    return ~sum & 0xFFFF;
}

/* An address of this size; all zeros if the endpoint has one of the other size. */
static uint8_t *put_address(uint8_t *to, const pkt_endpoint *e, uint8_t size)
{
    return e->size == size ? put_bytes(to, e->address, size) : put_zeros(to, size);
}

static uint8_t *put_cooked(uint8_t *to, pkt_direction direction, bool v6)
{
    to = put_big(to, direction == PKT_SENT ? 4 : 0, 2);
    to = put_big(to, 0xFFFE, 2); /* an interface without a link layer */
    to = put_big(to, 0, 2);      /* so without an address */
    to = put_zeros(to, 8);
    return put_big(to, v6 ? 0x86DD : 0x0800, 2);
}

/* The IP header, with *sum the part of UDP's checksum that covers the addresses. */
static uint8_t *put_ip(uint8_t *to, const pkt_endpoint *from, const pkt_endpoint *target, uint8_t size, uint32_t udp,
                       uint32_t *sum)
{
    uint8_t *const start = to;
    const bool v6 = size == 16;
    if (v6) {
        to = put_big(to, UINT32_C(6) << 28, 4);
        to = put_big(to, udp, 2);
        to = put_big(to, PROTOCOL_UDP, 1);
        to = put_big(to, 64, 1);
    } else {
        to = put_big(to, 0x4500, 2);
        to = put_big(to, IPV4 + udp, 2);
        to = put_big(to, 0x4000, 4); /* not a fragment, never to be one */
        to = put_big(to, 64, 1);
        to = put_big(to, PROTOCOL_UDP, 1);
        to = put_big(to, 0, 2);
    }
    uint8_t *const addresses = to;
    to = put_address(to, from, size);
    to = put_address(to, target, size);
    *sum = add_words(PROTOCOL_UDP + udp, addresses, 2 * (size_t)size);
    if (!v6)
        put_big(start + 10, folded(add_words(0, start, IPV4)), 2);
    return to;
}

static uint8_t *put_udp(uint8_t *to, const pkt_endpoint *from, const pkt_endpoint *target, const void *data,
                        size_t size, uint32_t sum)
{
    uint8_t *const start = to;
    to = put_big(to, from->port, 2);
    to = put_big(to, target->port, 2);
    to = put_big(to, (uint32_t)(UDP + size), 2);
    to = put_big(to, 0, 2);
    to = put_bytes(to, data, size);
    const uint32_t checksum = folded(add_words(sum, start, UDP + size));
    put_big(start + 6, checksum != 0 ? checksum : 0xFFFF, 2);
    return to;
}

/* block: room for OVERHEAD + size bytes. */
static bool write_packet(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction, const pkt_endpoint *peer,
                         const void *data, size_t size, uint8_t *block)
{
    const bool sent = direction == PKT_SENT, v6 = peer->size == 16;
    const pkt_endpoint *from = sent ? &c->local : peer, *target = sent ? peer : &c->local;
    const size_t captured = (size_t)(COOKED + (v6 ? IPV6 : IPV4) + UDP) + size;
    const size_t whole = BLOCK_FRAME + PACKET_FIELDS + captured + padding(captured) + PACKET_OPTIONS;
    uint32_t sum;

    uint8_t *to = put_little(block, BLOCK_PACKET, 4);
    to = put_little(to, whole, 4);
    to = put_little(to, 0, 4); /* the interface */
    to = put_little(to, nanoseconds >> 32, 4);
    to = put_little(to, nanoseconds, 4);
    to = put_little(to, captured, 4);
    to = put_little(to, captured, 4);

    to = put_cooked(to, direction, v6);
    to = put_ip(to, from, target, v6 ? 16 : 4, (uint32_t)(UDP + size), &sum);
    to = put_udp(to, from, target, data, size, sum);
    to = put_zeros(to, padding(captured));

    to = put_little(to, OPTION_FLAGS, 2);
    to = put_little(to, 4, 2);
    to = put_little(to, (uint64_t)direction, 4);
    to = put_little(to, OPTION_END, 4);
    put_little(to, whole, 4);
    return c->write(c->user, block, whole);
}

static PKT_NOINLINE bool write_small(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction,
                                     const pkt_endpoint *peer, const void *data, size_t size)
{
    uint8_t block[OVERHEAD + PKT_CAPTURE_SMALL];
    return write_packet(c, nanoseconds, direction, peer, data, size, block);
}

static PKT_NOINLINE bool write_large(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction,
                                     const pkt_endpoint *peer, const void *data, size_t size)
{
    uint8_t block[OVERHEAD + PKT_CAPTURE_MOST];
    return write_packet(c, nanoseconds, direction, peer, data, size, block);
}

bool pkt_capture_packet(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction, const pkt_endpoint *peer,
                        const void *data, size_t size)
{
    if (size > PKT_CAPTURE_MOST)
        return false;
    return (size <= PKT_CAPTURE_SMALL ? write_small : write_large)(c, nanoseconds, direction, peer, data, size);
}
