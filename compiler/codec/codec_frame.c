/* codec_frame.c - whole values and packets: crc, body, end check, left over data.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"

#include <string.h>

enum { CRC_BITS = 32 };

/* ---- CRC-32, bit by bit */

static uint32_t crc_more(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

/* The crc of a packet: over the protocol id, the packet's name, and the data after the four bytes of the crc itself. */
static uint32_t packet_crc(const decl *d, uint64_t id, const uint8_t *data, size_t size)
{
    uint8_t id_bytes[8];
    for (unsigned i = 0; i < 8; i++)
        id_bytes[i] = (uint8_t)(id >> 8 * i);
    uint32_t crc = crc_more(0, id_bytes, sizeof id_bytes);
    crc = crc_more(crc, d->name, strlen(d->name));
    return crc_more(crc, data + 4, size - 4);
}

static bool move_end_check(codec *c, const decl *d)
{
    const char *text = name_with(c, "", d->name, ".end");
    uint64_t start = c->bit, v = crc_more(0, text, strlen(text)), raw = v;
    if (!c->schema->checks)
        return true;
    if (!codec_bits(c, 32, &raw, start, "end check"))
        return false;
    return raw == v ? codec_done(c, start, "end check") : codec_fail(c, PKT_ERROR_CHECK, start, "end check");
}

static bool move_body(codec *c, const decl *d, const codec_options *how, datum *v)
{
    bool good = how->delta ? codec_value_delta(c, d, how->base, v) : codec_value(c, d, v);
    return good && (!how->framed || move_end_check(c, d));
}

/* ---- writing */

uint8_t *codec_write(arena *a, const schema *s, const decl *d, const datum *v, const codec_options *how, size_t *size,
                     codec_error *error)
{
    trail whole = {.name = d->name};
    uint64_t room = how->room > UINT64_MAX / 8 ? UINT64_MAX : 8 * how->room;
    codec c = {.arena = a, .bases = bases_new(a), .schema = s, .limit = room, .trail = &whole, .error = error};
    uint64_t crc = 0;
    datum copy = *v;
    *error = (codec_error){.field = ""};
    if (how->framed && !codec_bits(&c, CRC_BITS, &crc, 0, "crc"))
        return NULL;
    if (!move_body(&c, d, how, &copy))
        return NULL;
    *size = (size_t)((c.bit + 7) / 8);
    if (how->framed) {
        crc = packet_crc(d, how->id, c.data, *size);
        for (unsigned i = 0; i < 4; i++)
            c.data[i] = (uint8_t)(crc >> 8 * i);
    }
    return c.data ? c.data : arena_alloc(a, 0);
}

/* ---- reading */

static bool move_crc(codec *c, const decl *d, const codec_options *how, size_t size)
{
    uint64_t crc = 0;
    if (!codec_bits(c, CRC_BITS, &crc, 0, "crc"))
        return false;
    if (crc != packet_crc(d, how->id, c->data, size))
        return codec_fail(c, PKT_ERROR_CRC, 0, "crc");
    return codec_done(c, 0, "crc");
}

/* Checks that nothing is left but zero bits of the last byte. */
static bool move_rest(codec *c, bool framed)
{
    uint64_t left = c->limit - c->bit, padding = 0, start = c->bit;
    if (!framed)
        c->trail = NULL;
    if (left >= 8)
        return codec_fail(c, PKT_ERROR_TRAILING, c->bit, "");
    if (!codec_bits(c, (unsigned)left, &padding, c->bit, ""))
        return false;
    return padding == 0 || codec_fail(c, PKT_ERROR_PADDING, start, "");
}

bool codec_read(arena *a, const schema *s, const decl *d, const uint8_t *data, size_t size, const codec_options *how,
                datum *v, codec_error *error)
{
    trail whole = {.name = d->name};
    uint8_t *copy = arena_alloc(a, size);
    if (size)
        memcpy(copy, data, size);
    codec c = {.arena = a,
               .bases = bases_new(a),
               .schema = s,
               .reading = true,
               .data = copy,
               .limit = 8 * (uint64_t)size,
               .trail = &whole,
               .trace = how->trace,
               .user = how->user,
               .error = error};
    *error = (codec_error){.field = ""};
    *v = (datum){0};
    if (how->framed && !move_crc(&c, d, how, size))
        return false;
    return move_body(&c, d, how, v) && move_rest(&c, how->framed);
}
