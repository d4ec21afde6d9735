/* pkt_capture.c - writes the blocks of a pcapng file, with headers of IP and UDP that it makes up.
 * SPDX-License-Identifier: MIT
 *
 * The format is described in the Internet-Draft "PCAP Next Generation (pcapng) Capture File Format". The fields of
 * pcapng are little-endian here; the headers of the packets are big-endian, as on the network.
 */
#include "pkt_capture.h"
#include "pkt_stream.h"

#include <stdio.h>
#include <string.h>

enum {
    PKT_BLOCK_INTERFACE = 1,
    PKT_BLOCK_PACKET = 6,
    PKT_BLOCK_FRAME = 12, /* bytes of each block: its type, and its size at both ends */
    PKT_OPTION_END = 0,
    PKT_OPTION_COMMENT = 1,
    PKT_OPTION_FLAGS = 2, /* of a packet */
    PKT_OPTION_NAME = 2,  /* of an interface */
    PKT_OPTION_RESOLUTION = 9,
    PKT_NANOSECONDS = 9,     /* 10^-9 s */
    PKT_INTERFACE_NAME = 13, /* bytes of it */
    PKT_LINUX_COOKED = 113,
    PKT_MOST_COMMENT = 65532, /* the most that fits in an option, in whole words */
    PKT_LONG_COMMENT = 63000, /* after a longer one, a schema goes on in the next */
    PKT_COOKED = 16,
    PKT_CAPTURE_IPV4 = 20,
    PKT_CAPTURE_IPV6 = 40,
    PKT_CAPTURE_UDP = 8,
    PKT_SESSION_BYTES = 28,
    PKT_PACKET_FIELDS = 20, /* of a packet's block: interface, time, sizes */
    PKT_PACKET_OPTIONS = 12,
    PKT_OVERHEAD =
        PKT_BLOCK_FRAME + PKT_PACKET_FIELDS + PKT_COOKED + PKT_CAPTURE_IPV6 + PKT_CAPTURE_UDP + 3 + PKT_PACKET_OPTIONS,
    PKT_PROTOCOL_UDP = 17,
    PKT_PROTOCOL_SESSION = 253 /* "for experiments": no network sends it */
};

/* What follows the IP header of a packet. */
typedef struct pkt_capture_body {
    uint8_t protocol;
    size_t header; /* bytes of it: that of UDP, or none */
    const void *data;
    size_t size;
} pkt_capture_body;

#define PKT_SESSION_MARK "pkt seed"

static PKT_COLD uint8_t *pkt_put_little(uint8_t *to, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *to++ = (uint8_t)(v >> 8 * i);
    return to;
}

static PKT_COLD uint8_t *pkt_put_big(uint8_t *to, uint32_t v, int bytes)
{
    while (bytes-- > 0)
        *to++ = (uint8_t)(v >> 8 * bytes);
    return to;
}

static PKT_COLD uint8_t *pkt_capture_put_bytes(uint8_t *to, const void *from, size_t size)
{
    if (size > 0)
        memcpy(to, from, size);
    return to + size;
}

static PKT_COLD uint8_t *pkt_put_zeros(uint8_t *to, size_t count)
{
    memset(to, 0, count);
    return to + count;
}

static PKT_COLD size_t pkt_capture_padding(size_t size)
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
typedef struct pkt_capture_head {
    const pkt_capture *capture;
    bool good;
    size_t used;
    uint8_t bytes[1024];
} pkt_capture_head;

static PKT_COLD void pkt_capture_flush(pkt_capture_head *h)
{
    h->good = h->good && (h->used == 0 || h->capture->write(h->capture->user, h->bytes, h->used));
    h->used = 0;
}

static PKT_COLD void pkt_capture_add(pkt_capture_head *h, const void *data, size_t size)
{
    const uint8_t *from = (const uint8_t *)data;
    while (size > 0) {
        const size_t room = sizeof h->bytes - h->used, part = size < room ? size : room;
        memcpy(h->bytes + h->used, from, part);
        h->used += part;
        from += part;
        size -= part;
        if (h->used == sizeof h->bytes)
            pkt_capture_flush(h);
    }
}

static PKT_COLD void pkt_capture_add_number(pkt_capture_head *h, uint64_t v, int bytes)
{
    uint8_t number[8];
    pkt_put_little(number, v, bytes);
    pkt_capture_add(h, number, (size_t)bytes);
}

/* A place in the texts of a schema: a byte of a text. */
typedef struct pkt_schema_place {
    const char *const *text;
    size_t at;
} pkt_schema_place;

/* Whether a comment may begin here: not inside of a character, and not as a schema does. */
static PKT_COLD bool pkt_may_begin_comment(const char *text)
{
    return ((uint8_t)*text & 0xC0) != 0x80 && strncmp(text, "protocol ", 9) != 0;
}

/* The bytes of the next comment, and *end, where it ends: as many texts as fit. If these are so few that readers would take
 * the schema as complete, a part of the next text too. */
static PKT_COLD size_t pkt_comment_size(pkt_schema_place from, pkt_schema_place *end)
{
    const char *rest = NULL;
    size_t size = 0, part = 0;
    while (*from.text && (part = strlen(rest = *from.text + from.at)) <= PKT_MOST_COMMENT - size) {
        size += part;
        from.text++;
        from.at = 0;
    }
    if (*from.text && size <= PKT_LONG_COMMENT) {
        part = PKT_MOST_COMMENT - size;
        for (int i = 0; i < 4 && !pkt_may_begin_comment(rest + part); i++)
            part--;
        size += part;
        from.at += part;
    }
    *end = from;
    return size;
}

static PKT_COLD void pkt_add_schema(pkt_capture_head *h, const char *const *schema)
{
    pkt_schema_place from = {schema, 0}, end;
    for (; *from.text; from = end) {
        size_t left = pkt_comment_size(from, &end);
        const int padding = (int)pkt_capture_padding(left);
        pkt_capture_add_number(h, PKT_OPTION_COMMENT, 2);
        pkt_capture_add_number(h, left, 2);
        for (; left > 0; from.text++, from.at = 0) {
            const char *rest = *from.text + from.at;
            const size_t size = strlen(rest), part = size < left ? size : left;
            pkt_capture_add(h, rest, part);
            left -= part;
        }
        pkt_capture_add_number(h, 0, padding);
    }
}

static PKT_COLD uint32_t pkt_schema_size(const char *const *schema)
{
    uint32_t all = 0;
    pkt_schema_place from = {schema, 0}, end;
    for (; *from.text; from = end) {
        const size_t size = pkt_comment_size(from, &end);
        all += 4 + (uint32_t)(size + pkt_capture_padding(size));
    }
    return all;
}

/* The name of the interface: programs that merge files take interfaces of the same name for one, and drop the comments of
 * all but the first. */
static PKT_COLD void pkt_name_schemas(char name[PKT_INTERFACE_NAME], const char *const *const *schemas, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t crc = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *const *text = schemas[i]; *text; text++)
            crc = pkt_crc32(crc, *text, strlen(*text));
    memcpy(name, "pktc ", 5);
    for (int i = 0; i < 8; i++)
        name[5 + i] = digits[crc >> (28 - 4 * i) & 15];
}

PKT_COLD bool pkt_capture_begin(pkt_capture *c, pkt_capture_write *write, void *user, const pkt_endpoint *local,
                                const char *const *const *schemas, size_t schema_count)
{
    const uint32_t section_size = PKT_BLOCK_FRAME + 16;
    uint32_t interface_size = PKT_BLOCK_FRAME + 8 + 8 + 4;
    char name[PKT_INTERFACE_NAME];
    pkt_capture_head h;
    for (size_t i = 0; i < schema_count; i++)
        interface_size += pkt_schema_size(schemas[i]);
    if (schema_count > 0)
        interface_size += 4 + PKT_INTERFACE_NAME + 3;
    c->write = write;
    c->user = user;
    c->local = *local;
    h.capture = c;
    h.good = true;
    h.used = 0;

    pkt_capture_add_number(&h, 0x0A0D0D0A, 4);
    pkt_capture_add_number(&h, section_size, 4);
    pkt_capture_add_number(&h, 0x1A2B3C4D, 4); /* by which readers know the order of bytes */
    pkt_capture_add_number(&h, 1, 4);          /* version 1.0 */
    pkt_capture_add_number(&h, UINT64_MAX, 8); /* the size of what follows is not known */
    pkt_capture_add_number(&h, section_size, 4);

    pkt_capture_add_number(&h, PKT_BLOCK_INTERFACE, 4);
    pkt_capture_add_number(&h, interface_size, 4);
    pkt_capture_add_number(&h, PKT_LINUX_COOKED, 4);
    pkt_capture_add_number(&h, 0, 4); /* packets are never cut */
    for (size_t i = 0; i < schema_count; i++)
        pkt_add_schema(&h, schemas[i]);
    if (schema_count > 0) {
        pkt_name_schemas(name, schemas, schema_count);
        pkt_capture_add_number(&h, PKT_OPTION_NAME, 2);
        pkt_capture_add_number(&h, sizeof name, 2);
        pkt_capture_add(&h, name, sizeof name);
        pkt_capture_add_number(&h, 0, 3);
    }
    pkt_capture_add_number(&h, PKT_OPTION_RESOLUTION, 2);
    pkt_capture_add_number(&h, 1, 2);
    pkt_capture_add_number(&h, PKT_NANOSECONDS, 4);
    pkt_capture_add_number(&h, PKT_OPTION_END, 4);
    pkt_capture_add_number(&h, interface_size, 4);
    pkt_capture_flush(&h);
    return h.good;
}

/* ---- a packet */

/* Adds big-endian words to a checksum of the Internet; `size` is even, or the last bytes. */
static PKT_COLD uint32_t pkt_add_words(uint32_t sum, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum += i % 2 == 0 ? (uint32_t)data[i] << 8 : data[i];
    return (sum & 0xFFFF) + (sum >> 16);
}

/* The checksum of a sum of pkt_add_words, which is at most 0x17FFF: the carry is added at most once. */
static PKT_COLD uint32_t pkt_folded(uint32_t sum)
{
    return ~(sum + (sum >> 16)) & 0xFFFF;
}

/* An address of this size; all zeros if the endpoint has one of the other size. */
static PKT_COLD uint8_t *pkt_put_address(uint8_t *to, const pkt_endpoint *e, uint8_t size)
{
    return e->size == size ? pkt_capture_put_bytes(to, e->address, size) : pkt_put_zeros(to, size);
}

static PKT_COLD uint8_t *pkt_put_cooked(uint8_t *to, pkt_direction direction, bool v6)
{
    to = pkt_put_big(to, direction == PKT_SENT ? 4 : 0, 2);
    to = pkt_put_big(to, 0xFFFE, 2); /* an interface without a link layer */
    to = pkt_put_big(to, 0, 2);      /* so without an address */
    to = pkt_put_zeros(to, 8);
    return pkt_put_big(to, v6 ? 0x86DD : 0x0800, 2);
}

/* The IP header, with *sum the part of UDP's checksum that covers the addresses. */
static PKT_COLD uint8_t *pkt_put_ip(uint8_t *to, const pkt_endpoint *from, const pkt_endpoint *target, uint8_t size,
                                    const pkt_capture_body *body, uint32_t *sum)
{
    uint8_t *const start = to;
    const uint32_t inside = (uint32_t)(body->header + body->size);
    const bool v6 = size == 16;
    if (v6) {
        to = pkt_put_big(to, UINT32_C(6) << 28, 4);
        to = pkt_put_big(to, inside, 2);
        to = pkt_put_big(to, body->protocol, 1);
        to = pkt_put_big(to, 64, 1);
    } else {
        to = pkt_put_big(to, 0x4500, 2);
        to = pkt_put_big(to, PKT_CAPTURE_IPV4 + inside, 2);
        to = pkt_put_big(to, 0x4000, 4); /* not a fragment, never to be one */
        to = pkt_put_big(to, 64, 1);
        to = pkt_put_big(to, body->protocol, 1);
        to = pkt_put_big(to, 0, 2);
    }
    uint8_t *const addresses = to;
    to = pkt_put_address(to, from, size);
    to = pkt_put_address(to, target, size);
    *sum = pkt_add_words(PKT_PROTOCOL_UDP + inside, addresses, 2 * (size_t)size);
    if (!v6)
        pkt_put_big(start + 10, pkt_folded(pkt_add_words(0, start, PKT_CAPTURE_IPV4)), 2);
    return to;
}

static PKT_COLD uint8_t *pkt_put_udp(uint8_t *to, const pkt_endpoint *from, const pkt_endpoint *target,
                                     const void *data, size_t size, uint32_t sum)
{
    uint8_t *const start = to;
    to = pkt_put_big(to, from->port, 2);
    to = pkt_put_big(to, target->port, 2);
    to = pkt_put_big(to, (uint32_t)(PKT_CAPTURE_UDP + size), 2);
    to = pkt_put_big(to, 0, 2);
    to = pkt_capture_put_bytes(to, data, size);
    const uint32_t checksum = pkt_folded(pkt_add_words(sum, start, PKT_CAPTURE_UDP + size));
    pkt_put_big(start + 6, checksum != 0 ? checksum : 0xFFFF, 2);
    return to;
}

/* block: room for OVERHEAD + body->size bytes. */
static PKT_COLD bool pkt_write_packet(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction,
                                      const pkt_endpoint *peer, const pkt_capture_body *body, uint8_t *block)
{
    const bool sent = direction == PKT_SENT, v6 = peer->size == 16;
    const pkt_endpoint *from = sent ? &c->local : peer, *target = sent ? peer : &c->local;
    const size_t captured =
        (size_t)(PKT_COOKED + (v6 ? PKT_CAPTURE_IPV6 : PKT_CAPTURE_IPV4)) + body->header + body->size;
    const size_t whole =
        PKT_BLOCK_FRAME + PKT_PACKET_FIELDS + captured + pkt_capture_padding(captured) + PKT_PACKET_OPTIONS;
    uint32_t sum;

    uint8_t *to = pkt_put_little(block, PKT_BLOCK_PACKET, 4);
    to = pkt_put_little(to, whole, 4);
    to = pkt_put_little(to, 0, 4); /* the interface */
    to = pkt_put_little(to, nanoseconds >> 32, 4);
    to = pkt_put_little(to, nanoseconds, 4);
    to = pkt_put_little(to, captured, 4);
    to = pkt_put_little(to, captured, 4);

    to = pkt_put_cooked(to, direction, v6);
    to = pkt_put_ip(to, from, target, v6 ? 16 : 4, body, &sum);
    to = body->header > 0 ? pkt_put_udp(to, from, target, body->data, body->size, sum)
                          : pkt_capture_put_bytes(to, body->data, body->size);
    to = pkt_put_zeros(to, pkt_capture_padding(captured));

    to = pkt_put_little(to, PKT_OPTION_FLAGS, 2);
    to = pkt_put_little(to, 4, 2);
    to = pkt_put_little(to, (uint64_t)direction, 4);
    to = pkt_put_little(to, PKT_OPTION_END, 4);
    pkt_put_little(to, whole, 4);
    return c->write(c->user, block, whole);
}

static PKT_COLD PKT_NOINLINE bool pkt_write_small(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction,
                                                  const pkt_endpoint *peer, const pkt_capture_body *body)
{
    uint8_t block[(size_t)PKT_OVERHEAD + PKT_CAPTURE_SMALL];
    return pkt_write_packet(c, nanoseconds, direction, peer, body, block);
}

static PKT_COLD PKT_NOINLINE bool pkt_write_large(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction,
                                                  const pkt_endpoint *peer, const pkt_capture_body *body)
{
    uint8_t block[(size_t)PKT_OVERHEAD + PKT_CAPTURE_MOST];
    return pkt_write_packet(c, nanoseconds, direction, peer, body, block);
}

PKT_COLD bool pkt_capture_packet(const pkt_capture *c, uint64_t nanoseconds, pkt_direction direction,
                                 const pkt_endpoint *peer, const void *data, size_t size)
{
    const pkt_capture_body body = {PKT_PROTOCOL_UDP, PKT_CAPTURE_UDP, data, size};
    if (size > PKT_CAPTURE_MOST)
        return false;
    return (size <= PKT_CAPTURE_SMALL ? pkt_write_small : pkt_write_large)(c, nanoseconds, direction, peer, &body);
}

PKT_COLD bool pkt_capture_session(const pkt_capture *c, uint64_t nanoseconds, const pkt_endpoint *peer, uint64_t seed,
                                  uint64_t protocol_id)
{
    uint8_t session[PKT_SESSION_BYTES];
    const pkt_capture_body body = {PKT_PROTOCOL_SESSION, 0, session, sizeof session};
    uint8_t *to = pkt_capture_put_bytes(session, PKT_SESSION_MARK, 8);
    to = pkt_put_big(to, c->local.port, 2);
    to = pkt_put_big(to, peer->port, 2);
    to = pkt_put_big(to, (uint32_t)(seed >> 32), 4);
    to = pkt_put_big(to, (uint32_t)seed, 4);
    to = pkt_put_big(to, (uint32_t)(protocol_id >> 32), 4);
    pkt_put_big(to, (uint32_t)protocol_id, 4);
    return pkt_write_small(c, nanoseconds, PKT_SENT, peer, &body);
}
