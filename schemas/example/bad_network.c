/* bad_network.c - drops, truncates, damages and forges datagrams.
 * SPDX-License-Identifier: MIT
 */
#include "bad_network.h"
#include "mygame.h"

static void inject(bad_network *b, udp_socket s, const udp_address *to, const uint8_t *data, size_t size,
                   pkt_code reason)
{
    b->injected[reason]++;
    udp_send(s, to, data, size);
}

/* Computes the CRC of a packet, as an attacker who knows the protocol would. It covers the protocol id and the packet's
 * name, which are not sent, and everything after it. */
static void sign(uint8_t *data, size_t size)
{
    uint8_t id[8];
    for (int i = 0; i < 8; i++)
        id[i] = (uint8_t)(mygame_PROTOCOL_ID >> 8 * i);
    uint32_t crc = pkt_crc32(pkt_crc32(0, id, sizeof id), "Message", 7);
    crc = pkt_crc32(crc, data + 4, size - 4);
    for (int i = 0; i < 4; i++)
        data[i] = (uint8_t)(crc >> 8 * i);
}

/* Sends a datagram that only reading shows to be invalid. */
static void invent(bad_network *b, udp_socket s, const udp_address *to, const uint8_t *packet, size_t size)
{
    static const char text[] = "all is well";
    uint8_t data[Message_MAX_BYTES + 1];
    Message m;
    memcpy(data, packet, size);
    switch (rand() % 5) {
    case 0: /* noise */
        for (size_t i = 0; i < size; i++)
            data[i] = (uint8_t)(rand() >> 4);
        inject(b, s, to, data, size, PKT_ERROR_CRC);
        break;
    case 1: /* a tag without a member */
        data[4] |= 15;
        sign(data, size);
        inject(b, s, to, data, size, PKT_ERROR_RANGE);
        break;
    case 2: /* a byte after the message */
        data[size++] = 0;
        sign(data, size);
        inject(b, s, to, data, size, PKT_ERROR_TRAILING);
        break;
    case 3: /* a damaged end check */
        data[size - 2] ^= 1;
        sign(data, size);
        inject(b, s, to, data, size, PKT_ERROR_CHECK);
        break;
    case 4: /* invalid UTF-8; texts begin at whole bytes */
        Message_init(&m);
        m.tag = Message_tag_chat;
        Chat_init(&m.as.chat);
        memcpy(m.as.chat.text, text, sizeof text);
        size = Message_pack(&m, data, sizeof data);
        for (size_t i = 4; i + sizeof text < size; i++)
            if (memcmp(data + i, text, sizeof text - 1) == 0)
                data[i] = 0xff;
        sign(data, size);
        inject(b, s, to, data, size, PKT_ERROR_UTF8);
        break;
    }
}

bool bad_network_send(bad_network *b, udp_socket s, const udp_address *to, const uint8_t *data, size_t size)
{
    uint8_t damaged[Message_MAX_BYTES];
    switch (rand() % 60) {
    case 0: b->dropped++; return false;
    case 1:
        size = (size_t)rand() % size;
        inject(b, s, to, data, size, size < 4 ? PKT_ERROR_END : PKT_ERROR_CRC);
        return false;
    case 2:
        memcpy(damaged, data, size);
        damaged[(size_t)rand() % size] ^= (uint8_t)(1 << rand() % 8);
        inject(b, s, to, damaged, size, PKT_ERROR_CRC);
        return false;
    case 3: invent(b, s, to, data, size); break;
    }
    udp_send(s, to, data, size);
    return true;
}
