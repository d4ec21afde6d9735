/* pkt_frame.c - CRC and end check of packets, and the errors of streams and packets.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_frame.h"

/* ---- frames */

/* Writes the end check after a body of `bits` bits, for which there is room. If possible, as the words that the CRC loads:
 * a processor forwards a word only from a store that contains it. */
static void pkt_end_body(uint8_t *body, uint64_t room, uint64_t bits, uint32_t end_check)
{
    const unsigned shift = bits % 64;
    const uint64_t check = end_check;
    uint64_t word;
    uint8_t *end = body + bits / 64 * 8;
    if (PKT_LIKELY(bits / 64 * 64 + 128 <= room)) {
        pkt_store64(end, (pkt_load64(end) & ~(~(uint64_t)0 << shift)) | check << shift);
        pkt_store64(end + 8, check >> 1 >> (63 - shift));
        return;
    }
    end = body + bits / 8;
    word = check << bits % 8;
    if (bits % 8 != 0) {
        word |= *end;
        end[4] = (uint8_t)(word >> 32);
    }
    pkt_store32(end, (uint32_t)word);
}

size_t pkt_pack_end(const pkt_packet *packet, uint8_t *data, uint64_t limit, uint64_t bits)
{
    size_t size;
    if (bits == PKT_FAILED || (packet->has_end_check ? 64 : 32) + bits > limit)
        return 0;
    size = pkt_body_bytes(bits);
    if (packet->has_end_check) {
        pkt_end_body(data + 4, limit - 32, bits, packet->end_check);
        size += 4;
    }
    pkt_store32(data, pkt_crc32_within(packet->crc_start, data + 4, size, (size_t)(limit / 8) - 4));
    return 4 + size;
}

bool pkt_unpack_crc(const pkt_packet *packet, const uint8_t *data, uint64_t limit)
{
    return limit >= 32 && pkt_load32(data) == pkt_crc32(packet->crc_start, data + 4, (size_t)(limit / 8) - 4);
}

bool pkt_unpack_end(const pkt_packet *packet, const uint8_t *data, uint64_t limit, uint64_t bits)
{
    const uint64_t left = limit - 32 - bits;
    const uint8_t *end;
    uint64_t word;
    if (!packet->has_end_check)
        return pkt_body_ends(data + 4, limit - 32, bits);
    if (bits == PKT_FAILED || left < 32 || left >= 40)
        return false;
    end = data + 4 + bits / 8;
    word = pkt_load32(end);
    if (bits % 8 != 0)
        word |= (uint64_t)end[4] << 32;
    return word >> bits % 8 == packet->end_check;
}

/* ---- explanations */

/* Ends an explanation. If it has found nothing wrong, a callback gave another id this time. Then `code` is the reason,
 * and the whole value is to blame. */
static void pkt_conclude(pkt_cursor *c, const char *type, bool good, pkt_code code)
{
    if (good) {
        c->bit = c->start;
        pkt_explain_fail(c, code, c->start, "");
    }
    pkt_error_outer(c->error, type);
}

/* ---- streams */

/* Makes room for this many more bits, if the writer lacks that room and can grow. True if it has grown. */
static bool pkt_make_room(pkt_writer *w, uint64_t bits)
{
    return bits > pkt_writer_bits_left(w) && pkt_writer_grow(w, bits);
}

/* Returns true if the writer has grown and the write is to be repeated. Explains with endless room if the writer can
 * grow. If that finds nothing wrong with the value, it tells how much room is lacking. If there is no more memory, the
 * item that does not fit may come before the one that failed. */
static PKT_COLD bool pkt_explain_write(pkt_writer *w, const void *base, const void *v, const pkt_type *type,
                                       pkt_explainer *explain)
{
    pkt_cursor c;
    bool good;
    pkt_writer_cursor(&c, w);
    if (w->error.code != PKT_OK)
        return false;
    if (w->terse && !w->grows) {
        pkt_fail_writer(w, PKT_ERROR_CAPACITY, w->bit, NULL);
        return false;
    }
    c.error = &w->error;
    c.part = NULL;
    c.limit = w->grows ? PKT_ENDLESS : w->limit;
    good = explain(&c, type, base, v);
    if (good) {
        if (pkt_make_room(w, c.bit - w->bit))
            return true;
        c.bit = w->bit;
        c.limit = w->limit;
        good = explain(&c, type, base, v);
    }
    pkt_conclude(&c, type->name, good, PKT_ERROR_VALUE);
    w->bit = c.bit < w->room ? c.bit : w->room;
    w->limit = 0;
    return false;
}

static PKT_COLD bool pkt_explain_read(pkt_reader *r, const void *base, void *v, const pkt_type *type,
                                      pkt_explainer *explain)
{
    pkt_cursor c;
    pkt_reader_cursor(&c, r);
    if (r->error.code != PKT_OK)
        return false;
    if (r->terse) {
        pkt_fail_reader(r, PKT_ERROR_END, r->bit, NULL);
        return false;
    }
    c.reading = true;
    c.error = &r->error;
    c.part = NULL;
    pkt_conclude(&c, type->name, explain(&c, type, base, v), PKT_ERROR_CANONICAL);
    r->bit = c.bit;
    r->limit = 0;
    return false;
}

bool pkt_write_failed(pkt_writer *w, const void *v, const pkt_type *type, pkt_stream_write *write)
{
    while (pkt_explain_write(w, NULL, v, type, pkt_explain_type))
        if (write(w, v))
            return true;
    return false;
}

bool pkt_read_failed(pkt_reader *r, void *v, const pkt_type *type)
{
    return v && pkt_explain_read(r, NULL, v, type, pkt_explain_type);
}

bool pkt_write_delta_failed(pkt_writer *w, const void *base, const void *v, const pkt_explanation *how,
                            pkt_delta_write *write)
{
    while (pkt_explain_write(w, base, v, how->type, how->explain))
        if (write(w, base, v))
            return true;
    return false;
}

bool pkt_read_delta_failed(pkt_reader *r, const void *base, void *v, const pkt_explanation *how)
{
    return pkt_explain_read(r, base, v, how->type, how->explain);
}

/* ---- packets */

bool pkt_no_error(pkt_error *error)
{
    if (error)
        memset(error, 0, sizeof *error);
    return true;
}

/* A cursor that explains a packet or body from bit `start` on, with a clear error. */
static pkt_cursor pkt_explaining(pkt_error *error, const void *from, size_t size, uint64_t start, pkt_refs *refs)
{
    pkt_cursor c = pkt_cursor_at(NULL, (const uint8_t *)from, start, pkt_size_bits(from, size), 0, refs);
    c.error = error;
    c.part = NULL;
    pkt_no_error(error);
    return c;
}

static uint32_t pkt_no_id(void *user, uint32_t type, const void *target)
{
    (void)user;
    (void)type;
    (void)target;
    return 0;
}

pkt_refs pkt_any_refs(void)
{
    const pkt_refs refs = {pkt_no_id, NULL, NULL, 0};
    return refs;
}

bool pkt_can_write(const pkt_type *type, const void *v)
{
    pkt_refs refs = pkt_any_refs();
    return pkt_value_valid(type, &refs, v, NULL);
}

bool pkt_value_valid(const pkt_type *type, pkt_refs *refs, const void *v, pkt_error *error)
{
    pkt_error unused;
    pkt_cursor c = pkt_explaining(error ? error : &unused, NULL, 0, 0, refs);
    c.limit = PKT_ENDLESS;
    c.parts = NULL;
    if (pkt_explain_type(&c, type, NULL, v))
        return true;
    pkt_error_outer(c.error, type->name);
    return false;
}

static PKT_COLD void pkt_explain_packing(const pkt_packet *packet, const pkt_explanation *how, pkt_refs *refs,
                                         const void *base, const void *v, const void *data, size_t size,
                                         pkt_error *error)
{
    pkt_cursor c = pkt_explaining(error, data, size, 32, refs);
    bool good = false;
    if (c.limit < 32)
        pkt_explain_fail(&c, PKT_ERROR_CAPACITY, 0, "crc");
    else if (how->explain(&c, how->type, base, v))
        good = !packet->has_end_check || pkt_explain_constant(&c, packet->end_check, 32, "end check");
    pkt_conclude(&c, how->type->name, good, PKT_ERROR_VALUE);
}

/* A body without bits looks like a failure, but leaves the error clear. */
static PKT_COLD void pkt_explain_packing_body(const pkt_explanation *how, pkt_refs *refs, const void *base,
                                              const void *v, const void *data, size_t size, pkt_error *error)
{
    pkt_cursor c = pkt_explaining(error, data, size, 0, refs);
    const bool good = how->explain(&c, how->type, base, v);
    if (!good || c.bit != 0)
        pkt_conclude(&c, how->type->name, good, PKT_ERROR_VALUE);
}

size_t pkt_packed_delta(size_t packed, const pkt_packet *packet, const pkt_explanation *how, pkt_refs *refs,
                        const void *base, const void *v, const void *data, size_t size, pkt_error *error)
{
    if (packed != 0)
        pkt_no_error(error);
    else if (error && packet)
        pkt_explain_packing(packet, how, refs, base, v, data, size, error);
    else if (error)
        pkt_explain_packing_body(how, refs, base, v, data, size, error);
    return packed;
}

size_t pkt_packed(size_t packed, const pkt_packet *packet, const pkt_type *type, pkt_refs *refs, const void *v,
                  const void *data, size_t size, pkt_error *error)
{
    const pkt_explanation how = {type, pkt_explain_type};
    return pkt_packed_delta(packed, packet, &how, refs, NULL, v, data, size, error);
}

/* Whether nothing is left except zeros in the last byte. */
static bool pkt_explain_end(pkt_cursor *c)
{
    if (c->bit >= c->limit)
        return true;
    if (c->limit - c->bit >= 8)
        return pkt_explain_fail(c, PKT_ERROR_TRAILING, c->bit, "");
    return c->from[c->bit / 8] >> c->bit % 8 == 0 || pkt_explain_fail(c, PKT_ERROR_PADDING, c->bit, "");
}

static PKT_COLD void pkt_explain_unpacking(const pkt_packet *packet, const pkt_explanation *how, pkt_refs *refs,
                                           const void *base, void *v, const void *data, size_t size, pkt_error *error)
{
    pkt_cursor c = pkt_explaining(error, data, size, 32, refs);
    bool good = false;
    c.reading = true;
    if (c.limit < 32)
        pkt_explain_fail(&c, PKT_ERROR_END, 0, "crc");
    else if (!pkt_unpack_crc(packet, c.from, c.limit))
        pkt_explain_fail(&c, PKT_ERROR_CRC, 0, "crc");
    else if (how->explain(&c, how->type, base, v) &&
             (!packet->has_end_check || pkt_explain_constant(&c, packet->end_check, 32, "end check")))
        good = pkt_explain_end(&c);
    pkt_conclude(&c, how->type->name, good, PKT_ERROR_CANONICAL);
}

static PKT_COLD void pkt_explain_unpacking_body(const pkt_explanation *how, pkt_refs *refs, const void *base, void *v,
                                                const void *data, size_t size, pkt_error *error)
{
    pkt_cursor c = pkt_explaining(error, data, size, 0, refs);
    c.reading = true;
    pkt_conclude(&c, how->type->name, how->explain(&c, how->type, base, v) && pkt_explain_end(&c), PKT_ERROR_CANONICAL);
}

bool pkt_unpacked_delta(bool unpacked, const pkt_packet *packet, const pkt_explanation *how, pkt_refs *refs,
                        const void *base, void *v, const void *data, size_t size, pkt_error *error)
{
    if (unpacked)
        pkt_no_error(error);
    else if (error && packet)
        pkt_explain_unpacking(packet, how, refs, base, v, data, size, error);
    else if (error)
        pkt_explain_unpacking_body(how, refs, base, v, data, size, error);
    return unpacked;
}

bool pkt_unpacked(bool unpacked, const pkt_packet *packet, const pkt_type *type, pkt_refs *refs, void *v,
                  const void *data, size_t size, pkt_error *error)
{
    const pkt_explanation how = {type, pkt_explain_type};
    return pkt_unpacked_delta(unpacked, packet, &how, refs, NULL, v, data, size, error);
}
