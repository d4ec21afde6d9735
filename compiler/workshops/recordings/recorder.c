/* recorder.c - writes the blocks of a pcapng file, and mends the headers of packets that have changed.
 * SPDX-License-Identifier: MIT
 *
 * The numbers of pcapng are little-endian here; those in packet headers are big-endian, as on the network. A program
 * writes such files with runtime/pkt_capture.c, which invents the headers.
 */
#include "recordings/recorder.h"
#include "pkt.h"

#include <inttypes.h>
#include <string.h>

enum {
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 6,
    BLOCK_SECTION = 0x0A0D0D0A,
    BLOCK_FRAME = 12, /* bytes of each block: its type, and its size at both ends */
    OPTION_END = 0,
    OPTION_COMMENT = 1,
    OPTION_FLAGS = 2, /* of a packet */
    OPTION_NAME = 2,  /* of an interface */
    OPTION_RESOLUTION = 9,
    NANOSECONDS = 9,           /* 10^-9 s */
    MOST_COMMENT = 65532,      /* the most bytes of an option, in whole words */
    LEAST_COMMENT = 63500,     /* of a comment that continues in the next one */
    NAME = 13,                 /* bytes of the name of an interface */
    MOST_PACKET_BYTES = 65535, /* the greatest size in a header */
};

static void write_number(FILE *to, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(number >> 8 * i & 255), to);
}

static size_t padding(size_t size)
{
    return (4 - size % 4) % 4;
}

/* ---- what is before the packets */

/* The bytes of the next comment: whole lines, because a comment that begins with `protocol ` begins a schema. */
static size_t comment_size(const char *text)
{
    size_t size = strlen(text);
    if (size <= MOST_COMMENT)
        return size;
    for (size = MOST_COMMENT; size > LEAST_COMMENT && text[size - 1] != '\n'; size--)
        ;
    return size;
}

/* A schema that is too large for one comment continues in the next. */
static size_t comments_size(const char *text)
{
    size_t all = 0;
    for (size_t size; *text != '\0'; text += size) {
        size = comment_size(text);
        all += 4 + size + padding(size);
    }
    return all;
}

static void put_comments(FILE *to, const char *text)
{
    for (size_t size; *text != '\0'; text += size) {
        size = comment_size(text);
        write_number(to, OPTION_COMMENT, 2);
        write_number(to, size, 2);
        fwrite(text, 1, size, to);
        write_number(to, 0, (int)padding(size));
    }
}

/* As pkt_capture_begin names it. */
static void put_interface_name(FILE *to, const char *const *texts, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < count; i++)
        crc = pkt_crc32(crc, texts[i], strlen(texts[i]));
    write_number(to, OPTION_NAME, 2);
    write_number(to, NAME, 2);
    fprintf(to, "pktc %08" PRIx32, crc);
    write_number(to, 0, (int)padding(NAME));
}

static void put_interface(recorder *r, link_type link)
{
    FILE *to = r->to;
    size_t size = BLOCK_FRAME + 8 + 8 + 4;
    for (size_t i = 0; i < r->text_count; i++)
        size += comments_size(r->texts[i]);
    if (r->text_count > 0)
        size += 4 + NAME + padding(NAME);
    write_number(to, BLOCK_INTERFACE, 4);
    write_number(to, size, 4);
    write_number(to, (unsigned)link, 4);
    write_number(to, 0, 4); /* packets are never cut */
    for (size_t i = 0; i < r->text_count; i++)
        put_comments(to, r->texts[i]);
    if (r->text_count > 0)
        put_interface_name(to, r->texts, r->text_count);
    write_number(to, OPTION_RESOLUTION, 2);
    write_number(to, 1, 2);
    write_number(to, NANOSECONDS, 4);
    write_number(to, OPTION_END, 4);
    write_number(to, size, 4);
}

/* The number of the interface for a link, which is written before its first packet. */
static unsigned interface_of(recorder *r, link_type link)
{
    unsigned i = 0;
    while (i < r->link_count && r->links[i] != link)
        i++;
    if (i == r->link_count) {
        r->links[r->link_count++] = link;
        put_interface(r, link);
    }
    return i;
}

void recorder_begin_section(recorder *r)
{
    const size_t section = BLOCK_FRAME + 16;
    r->link_count = 0;
    write_number(r->to, BLOCK_SECTION, 4);
    write_number(r->to, section, 4);
    write_number(r->to, 0x1A2B3C4D, 4); /* tells readers the byte order */
    write_number(r->to, 1, 4);          /* version 1.0 */
    write_number(r->to, UINT64_MAX, 8); /* the size of the section is not known */
    write_number(r->to, section, 4);
}

void recorder_end(recorder *r)
{
    if (r->link_count == 0)
        interface_of(r, LINK_COOKED);
}

/* ---- packets */

static void set16(uint8_t *at, size_t number)
{
    at[0] = (uint8_t)(number >> 8);
    at[1] = (uint8_t)number;
}

/* The sum of big-endian words, for Internet checksums. */
static uint64_t sum_of_words(const uint8_t *data, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += i % 2 == 0 ? (unsigned)data[i] << 8 : data[i];
    return sum;
}

static unsigned checksum_of(uint64_t sum)
{
    while (sum > 0xFFFF)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return (unsigned)(~sum & 0xFFFF);
}

/* Sets the sizes and checksums of the headers before `data`. */
static void mend_headers(uint8_t *ip, uint8_t *udp, const datagram *d, size_t size)
{
    const bool v4 = d->from.size == 4;
    const size_t inside = UDP_HEADER + size;
    const uint8_t *addresses = ip + (v4 ? 12 : 8);
    if (v4) {
        const size_t header = 4 * (size_t)(ip[0] & 15);
        set16(ip + 2, header + inside);
        set16(ip + 10, 0);
        set16(ip + 10, checksum_of(sum_of_words(ip, header)));
    } else {
        set16(ip + 4, (size_t)(udp - ip) - 40 + inside);
    }
    set16(udp + 4, inside);
    set16(udp + 6, 0);
    const unsigned sum = checksum_of(PROTOCOL_UDP + inside + sum_of_words(addresses, 2 * (size_t)d->from.size) +
                                     sum_of_words(udp, inside));
    set16(udp + 6, sum != 0 ? sum : 0xFFFF); /* 0 would mean that there is no checksum */
}

/* Writes the block of a packet, at the time and in the direction of another. */
static void write_packet(recorder *r, const recorded *from, const uint8_t *packet, size_t size)
{
    FILE *to = r->to;
    const unsigned interface = interface_of(r, from->link);
    const uint64_t time = (uint64_t)from->seconds * 1000000000 + from->nanoseconds;
    const size_t flags = from->datagram.direction == DIRECTION_UNKNOWN ? 0 : 12;
    const size_t whole = BLOCK_FRAME + 20 + size + padding(size) + flags;
    write_number(to, BLOCK_PACKET, 4);
    write_number(to, whole, 4);
    write_number(to, interface, 4);
    write_number(to, time >> 32, 4);
    write_number(to, time, 4);
    write_number(to, size, 4);
    write_number(to, size, 4);
    fwrite(packet, 1, size, to);
    write_number(to, 0, (int)padding(size));
    if (flags != 0) {
        write_number(to, OPTION_FLAGS, 2);
        write_number(to, 4, 2);
        write_number(to, from->datagram.direction == DIRECTION_SENT ? 2 : 1, 4);
        write_number(to, OPTION_END, 4);
    }
    write_number(to, whole, 4);
}

bool recorder_add(recorder *r, arena *scratch, const recorded *from, const uint8_t *data, size_t size)
{
    const datagram *d = &from->datagram;
    const size_t headers = (size_t)(d->data - d->packet), all = headers + size;
    if (all - d->ip > MOST_PACKET_BYTES)
        return false;
    uint8_t *packet = arena_alloc(scratch, all);
    memcpy(packet, d->packet, headers);
    if (size > 0)
        memcpy(packet + headers, data, size);
    mend_headers(packet + d->ip, packet + headers - UDP_HEADER, d, size);

    write_packet(r, from, packet, all);
    return true;
}

void recorder_add_session(recorder *r, arena *scratch, const recorded *from, const session *s)
{
    const datagram *d = &from->datagram;
    const bool v4 = d->from.size == 4;
    const size_t header = v4 ? 20 : 40, all = d->ip + header + SESSION_BYTES;
    uint8_t *packet = arena_alloc(scratch, all), *ip = packet + d->ip, *addresses = ip + (v4 ? 12 : 8);
    memcpy(packet, d->packet, d->ip);
    ip[0] = v4 ? 0x45 : 0x60;
    set16(ip + (v4 ? 2 : 4), (v4 ? header : 0) + SESSION_BYTES);
    ip[v4 ? 8 : 7] = 64;
    ip[v4 ? 9 : 6] = PROTOCOL_SESSION;
    memcpy(addresses, d->from.address, d->from.size);
    memcpy(addresses + d->from.size, d->to.address, d->to.size);
    if (v4)
        set16(ip + 10, checksum_of(sum_of_words(ip, header)));
    session_write(&d->from, &d->to, s, ip + header);
    write_packet(r, from, packet, all);
}
