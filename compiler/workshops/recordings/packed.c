/* packed.c - writes and reads numbers and texts as bytes.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/packed.h"

#include <string.h>

enum { GROUP = 7, MORE = 1 << GROUP, FIRST_PACKED = 4096 };

static uint8_t *room_for(packer *p, size_t size)
{
    size_t room = p->room == 0 ? FIRST_PACKED : p->room;
    while (room - p->size < size)
        room *= 2;
    if (room != p->room)
        p->bytes = arena_grow(p->arena, p->bytes, p->room, room);
    p->room = room;
    p->size += size;
    return p->bytes + p->size - size;
}

void pack_byte(packer *p, uint8_t byte)
{
    *room_for(p, 1) = byte;
}

void pack_number(packer *p, uint64_t n)
{
    for (; n >= MORE; n >>= GROUP)
        pack_byte(p, (uint8_t)(n | MORE));
    pack_byte(p, (uint8_t)n);
}

void pack_text(packer *p, const char *text, size_t size)
{
    pack_number(p, size);
    if (size != 0)
        memcpy(room_for(p, size), text, size);
}

uint64_t unpack_number(unpacker *u)
{
    uint64_t n = 0;
    for (unsigned shift = 0; !u->bad; shift += GROUP) {
        if (u->at == u->size || shift > 63)
            break;
        const uint8_t byte = u->bytes[u->at++];
        if ((shift == 63 && byte > 1) || (byte == 0 && shift > 0))
            break;
        n |= (uint64_t)(byte & (MORE - 1)) << shift;
        if (byte < MORE)
            return n;
    }
    u->bad = true;
    return 0;
}

uint64_t unpack_up_to(unpacker *u, uint64_t most)
{
    const uint64_t n = unpack_number(u);
    u->bad = u->bad || n > most;
    return u->bad ? 0 : n;
}

uint64_t unpack_count(unpacker *u)
{
    return unpack_up_to(u, COUNT_MOST);
}

void count_add(uint64_t *sum, uint64_t count)
{
    *sum += count < COUNT_MOST - *sum ? count : COUNT_MOST - *sum;
}

const char *unpack_text(unpacker *u, size_t most, size_t *size)
{
    const size_t length = (size_t)unpack_up_to(u, most);
    if (size)
        *size = 0;
    u->bad = u->bad || length > u->size - u->at;
    if (u->bad || length == 0)
        return "";
    const char *text = arena_text(u->arena, (const char *)u->bytes + u->at, length);
    u->at += length;
    u->bad = strlen(text) != length;
    if (u->bad)
        return "";
    if (size)
        *size = length;
    return text;
}

uint32_t packed_crc(const uint8_t *bytes, size_t size)
{
    uint32_t table[256], crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (unsigned bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xEDB88320) : 0);
    }
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xFF];
    return ~crc;
}
