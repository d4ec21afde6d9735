/* pkt_frame.c - the frame of packets, and the explanations of streams and packets around those of their fields.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_frame.h"

/* ---- streams */

pkt_cursor pkt_writer_explain(pkt_writer *w)
{
    pkt_cursor c = pkt_writer_cursor(w);
    c.error = &w->error;
    return c;
}

pkt_cursor pkt_reader_explain(pkt_reader *r)
{
    pkt_cursor c = pkt_reader_cursor(r);
    c.reading = true;
    c.error = &r->error;
    return c;
}

bool pkt_writer_explained(pkt_writer *w, const pkt_cursor *c, const char *type)
{
    pkt_error_outer(&w->error, type);
    w->bit = c->bit;
    w->limit = 0;
    return false;
}

bool pkt_reader_explained(pkt_reader *r, const pkt_cursor *c, const char *type)
{
    pkt_error_outer(&r->error, type);
    r->bit = c->bit;
    r->limit = 0;
    return false;
}

/* ---- packets */

void pkt_explained(const pkt_cursor *c, const char *type)
{
    if (c->error->code != PKT_OK)
        pkt_error_outer(c->error, type);
}

bool pkt_pack_crc(uint8_t *data, uint64_t bits, uint64_t limit, uint32_t crc_start)
{
    if (bits > limit)
        return false;
    pkt_store32(data, pkt_crc32(crc_start, data + 4, (size_t)((bits + 7) / 8) - 4));
    return true;
}

bool pkt_unpack_crc(const uint8_t *data, uint64_t limit, uint32_t crc_start)
{
    return limit >= 32 && pkt_load32(data) == pkt_crc32(crc_start, data + 4, (size_t)(limit / 8) - 4);
}

pkt_cursor pkt_pack_explain(const pkt_cursor *start, pkt_error *error)
{
    pkt_cursor c = *start;
    c.error = error;
    memset(error, 0, sizeof *error);
    return c;
}

bool pkt_pack_explain_begin(pkt_cursor *c, uint64_t first)
{
    return c->limit >= first || pkt_explain_fail(c, PKT_ERROR_CAPACITY, 0, "crc");
}

pkt_cursor pkt_unpack_explain(const pkt_cursor *start, pkt_error *error)
{
    pkt_cursor c = *start;
    c.error = error;
    c.reading = true;
    memset(error, 0, sizeof *error);
    return c;
}

bool pkt_unpack_explain_begin(pkt_cursor *c, uint64_t first, uint32_t crc_start)
{
    if (c->limit < first)
        return pkt_explain_fail(c, PKT_ERROR_END, 0, "crc");
    return pkt_unpack_begin(c, first, crc_start) || pkt_explain_fail(c, PKT_ERROR_CRC, 0, "crc");
}

bool pkt_unpack_explain_finish(pkt_cursor *c)
{
    if (c->limit - c->bit >= 8)
        return pkt_explain_fail(c, PKT_ERROR_TRAILING, c->bit, "");
    return pkt_unpack_finish(c) || pkt_explain_fail(c, PKT_ERROR_PADDING, c->bit, "");
}
