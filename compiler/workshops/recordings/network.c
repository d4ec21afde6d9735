/* network.c - skips the headers of links and of IP up to the ports of UDP.
 * SPDX-License-Identifier: MIT
 *
 * The bytes are not trusted: where they end, the search ends, even if a header claims more.
 */
#include "recordings/network.h"

#include <string.h>

enum { IPV4_HEADER = 20, IPV6_HEADER = 40, MOST_VLANS = 8 };
enum { ETHER_IPV4 = 0x0800, ETHER_IPV6 = 0x86DD, ETHER_VLAN = 0x8100, ETHER_QINQ = 0x88A8, ETHER_OLD_QINQ = 0x9100 };
enum { NEXT_HOP = 0, NEXT_ROUTING = 43, NEXT_FRAGMENT = 44, NEXT_AUTHENTICATION = 51, NEXT_OPTIONS = 60 };

/* The unread part of a packet. */
typedef struct rest {
    const uint8_t *at;
    size_t size;
} rest;

static unsigned big16(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static bool skip_bytes(rest *r, size_t size)
{
    if (size > r->size)
        return false;
    r->at += size;
    r->size -= size;
    return true;
}

/* Cuts off padding after the packet: short Ethernet frames are filled up. */
static void cut_rest(rest *r, size_t size)
{
    if (size < r->size)
        r->size = size;
}

/* ---- links */

bool network_reads(int link)
{
    switch ((link_type)link) {
    case LINK_NULL:
    case LINK_ETHERNET:
    case LINK_OLD_RAW:
    case LINK_RAW:
    case LINK_LOOP:
    case LINK_COOKED:
    case LINK_IPV4:
    case LINK_IPV6:
    case LINK_COOKED2: return true;
    }
    return false;
}

/* Skips VLAN tags. Each ends with the type of the next header. */
static bool skip_tags(rest *r, unsigned type)
{
    for (int i = 0; i < MOST_VLANS && (type == ETHER_VLAN || type == ETHER_QINQ || type == ETHER_OLD_QINQ); i++) {
        if (r->size < 4)
            return false;
        type = big16(r->at + 2);
        skip_bytes(r, 4);
    }
    return type == ETHER_IPV4 || type == ETHER_IPV6;
}

/* The direction by a cooked header's packet type: 0 to 3 are received packets, 4 are sent ones. On the loopback device
 * all packets are received ones, even those that this machine has sent. */
static direction direction_of(unsigned type, unsigned device)
{
    enum { LOOPBACK = 772 };
    return device == LOOPBACK ? DIRECTION_UNKNOWN : type == 4 ? DIRECTION_SENT : DIRECTION_RECEIVED;
}

static bool skip_link(int link, rest *r, direction *way)
{
    enum { ETHERNET = 14, COOKED = 16, COOKED2 = 20, LOOP = 4 };
    const uint8_t *at = r->at;
    switch ((link_type)link) {
    case LINK_OLD_RAW:
    case LINK_RAW:
    case LINK_IPV4:
    case LINK_IPV6: return true;
    case LINK_NULL:
    case LINK_LOOP: return skip_bytes(r, LOOP); /* the version of IP is in its own header too */
    case LINK_ETHERNET: return skip_bytes(r, ETHERNET) && skip_tags(r, big16(at + 12));
    case LINK_COOKED:
        if (!skip_bytes(r, COOKED))
            return false;
        *way = direction_of(big16(at), big16(at + 2));
        return skip_tags(r, big16(at + 14));
    case LINK_COOKED2:
        if (!skip_bytes(r, COOKED2))
            return false;
        *way = direction_of(at[10], big16(at + 8));
        return skip_tags(r, big16(at));
    }
    return false;
}

/* ---- IP */

static void set_address(endpoint *e, const uint8_t *address, uint8_t size)
{
    memset(e, 0, sizeof *e);
    memcpy(e->address, address, size);
    e->size = size;
}

static bool is_known_protocol(unsigned protocol)
{
    return protocol == PROTOCOL_UDP || protocol == PROTOCOL_SESSION;
}

/* Moves to the header of *protocol. *later: it is a fragment, but not the first. */
static bool skip_ipv4(rest *r, datagram *d, unsigned *protocol, bool *later)
{
    const uint8_t *at = r->at;
    if (r->size < IPV4_HEADER)
        return false;
    const size_t header = 4 * (size_t)(at[0] & 15), whole = big16(at + 2);
    const unsigned part = big16(at + 6);
    *protocol = at[9];
    if (header < IPV4_HEADER || !is_known_protocol(*protocol) || (whole != 0 && whole < header))
        return false;
    if (whole != 0) /* 0: the network card was meant to cut it into several packets */
        cut_rest(r, whole);
    set_address(&d->from, at + 12, 4);
    set_address(&d->to, at + 16, 4);
    d->fragment = (part & 0x3FFF) != 0;
    *later = (part & 0x1FFF) != 0;
    return skip_bytes(r, header);
}

/* Skips an extension header; *next becomes the type of the next header. False if there is none to skip. */
static bool skip_extension(rest *r, unsigned *next, datagram *d, bool *later)
{
    const uint8_t *at = r->at;
    if (r->size < 8)
        return false;
    switch (*next) {
    case NEXT_HOP:
    case NEXT_ROUTING:
    case NEXT_OPTIONS: *next = at[0]; return skip_bytes(r, 8 + 8 * (size_t)at[1]);
    case NEXT_AUTHENTICATION: *next = at[0]; return skip_bytes(r, 8 + 4 * (size_t)at[1]);
    case NEXT_FRAGMENT:
        *next = at[0];
        d->fragment = (big16(at + 2) & 0xFFF9) != 0;
        *later = (big16(at + 2) & 0xFFF8) != 0;
        return skip_bytes(r, 8);
    default: return false;
    }
}

static bool skip_ipv6(rest *r, datagram *d, unsigned *protocol, bool *later)
{
    const uint8_t *at = r->at;
    if (!skip_bytes(r, IPV6_HEADER))
        return false;
    unsigned next = at[6];
    if (big16(at + 4) != 0) /* 0: larger than 64 KB */
        cut_rest(r, big16(at + 4));
    set_address(&d->from, at + 8, 16);
    set_address(&d->to, at + 24, 16);
    while (!is_known_protocol(next) && !*later)
        if (!skip_extension(r, &next, d, later))
            return false;
    *protocol = next;
    return is_known_protocol(next);
}

static network_result find_session(const rest *r, datagram *found)
{
    if (found->fragment || r->size < SESSION_BYTES || memcmp(r->at, SESSION_MARK, strlen(SESSION_MARK)) != 0)
        return NETWORK_OTHER;
    found->from.port = (uint16_t)big16(r->at + strlen(SESSION_MARK));
    found->to.port = (uint16_t)big16(r->at + strlen(SESSION_MARK) + 2);
    found->data = r->at;
    found->captured = found->size = SESSION_BYTES;
    return NETWORK_SESSION;
}

network_result network_find(int link, const uint8_t *packet, size_t captured, datagram *found)
{
    rest r = {packet, captured};
    unsigned protocol = 0;
    bool later = false;
    *found = (datagram){.direction = DIRECTION_UNKNOWN};
    if (!skip_link(link, &r, &found->direction) || r.size == 0)
        return NETWORK_OTHER;
    const unsigned version = r.at[0] >> 4;
    found->packet = packet;
    found->ip = (size_t)(r.at - packet);
    if (version == 4 ? !skip_ipv4(&r, found, &protocol, &later)
                     : version != 6 || !skip_ipv6(&r, found, &protocol, &later))
        return NETWORK_OTHER;
    if (protocol == PROTOCOL_SESSION)
        return find_session(&r, found);
    if (later)
        return NETWORK_FRAGMENT;
    const uint8_t *udp = r.at;
    if (!skip_bytes(&r, UDP_HEADER))
        return NETWORK_OTHER;
    const size_t whole = big16(udp + 4);
    found->from.port = (uint16_t)big16(udp);
    found->to.port = (uint16_t)big16(udp + 2);
    found->size = whole >= UDP_HEADER ? whole - UDP_HEADER : r.size;
    cut_rest(&r, found->size);
    found->data = r.at;
    found->captured = r.size;
    return NETWORK_DATAGRAM;
}

/* The longest run of zeros in an IPv6 address, which is written as ::, its begin and its length; the first of equally
 * long ones. A single zero is no run: then the begin is after the end. */
static int most_zeros(const uint8_t *address, int *most)
{
    int first = 8;
    *most = 1;
    for (int i = 0; i < 8; i++) {
        int count = 0;
        while (i + count < 8 && big16(address + 2 * (i + count)) == 0)
            count++;
        if (count > *most) {
            *most = count;
            first = i;
        }
    }
    return first;
}

const char *endpoint_text(arena *a, const endpoint *e)
{
    const uint8_t *at = e->address;
    if (e->size == 4)
        return arena_printf(a, "%u.%u.%u.%u:%u", at[0], at[1], at[2], at[3], e->port);
    const char *text = "";
    int zeros = 0;
    const int first = most_zeros(at, &zeros);
    for (int i = 0; i < 8; i++) {
        if (i == first) {
            text = arena_printf(a, "%s::", text);
            i += zeros - 1;
            continue;
        }
        text = arena_printf(a, "%s%s%x", text, i > 0 && i != first + zeros ? ":" : "", big16(at + 2 * i));
    }
    return arena_printf(a, "[%s]:%u", text, e->port);
}

bool same_endpoint(const endpoint *a, const endpoint *b)
{
    return a->port == b->port && a->size == b->size && memcmp(a->address, b->address, sizeof a->address) == 0;
}

static uint64_t mix_endpoint(uint64_t hash, const endpoint *e)
{
    uint64_t words[sizeof e->address / sizeof(uint64_t)];
    memcpy(words, e->address, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (hash ^ e->port) * UINT64_C(0x9E3779B97F4A7C15);
}

uint64_t endpoints_hash(const endpoint *from, const endpoint *to)
{
    const uint64_t hash = mix_endpoint(mix_endpoint(0, from), to);
    return hash ^ hash >> 32;
}
