/* pkt_seed.c - packets with a seed: writes and reads the frame, whose checksum begins with it.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_packet.h"
#include "pkt_frame.h"

size_t pkt_pack_seeded(const pkt_frame *frame, const pkt_type *type, pkt_stream_write *write, const void *v,
                       uint64_t seed, void *data, size_t size, pkt_refs *refs, pkt_error *error)
{
    pkt_writer w;
    size_t packed;
    pkt_writer_init(&w, data, size);
    pkt_writer_set_refs(&w, refs);
    pkt_writer_set_terse(&w, !error);
    if (pkt_writer_frame_begin(&w, frame) && !write(&w, v))
        pkt_write_failed(&w, v, type, write);
    packed = pkt_writer_frame_end(&w, frame, seed);
    if (error)
        *error = w.error;
    return packed;
}

bool pkt_unpack_seeded(const pkt_frame *frame, const pkt_type *type, bool (*read)(pkt_reader *r, void *v), void *v,
                       uint64_t seed, const void *data, size_t size, pkt_refs *refs, pkt_error *error)
{
    pkt_reader r;
    bool unpacked;
    pkt_reader_init(&r, data, size);
    pkt_reader_set_refs(&r, refs);
    pkt_reader_set_terse(&r, !error);
    unpacked = pkt_reader_frame_begin(&r, frame, seed) && (read(&r, v) || pkt_read_failed(&r, v, type)) &&
               pkt_reader_frame_end(&r, frame);
    if (error)
        *error = r.error;
    return unpacked;
}
