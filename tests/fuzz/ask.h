/* ask.h - calls the functions of a compiled schema: to write, to read, to hash what was read. Works on any machine.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_ASK_H
#define TESTS_ASK_H

#include "entry.h"
#include "refs.h"

/* Which functions of a type to call. */
typedef struct manner {
    bool framed, delta;
    bool by_stream; /* a body: with the functions for streams, not those for bodies of packets */
} manner;

/* Writes into a buffer of exactly `room` bytes. base: the baseline of a delta, or NULL. */
static inline size_t ask_write(const fuzz_type *t, manner how, const void *base, const void *v, uint8_t *to,
                               size_t room, pkt_error *error)
{
    pkt_refs refs = refs_of_ids();
    pkt_writer w;
    size_t size;
    if (how.framed)
        return how.delta ? t->pack_delta(base, v, to, room, &refs, error) : t->pack(v, to, room, &refs, error);
    if (!how.by_stream)
        return how.delta ? t->pack_delta_body(base, v, to, room, &refs, error)
                         : t->pack_body(v, to, room, &refs, error);
    pkt_writer_init(&w, to, room);
    pkt_writer_set_refs(&w, &refs);
    if (how.delta)
        (void)t->write_delta(&w, base, v);
    else
        (void)t->write(&w, v);
    *error = w.error;
    return pkt_writer_finish(&w, &size) ? size : 0;
}

static inline void ask_read(const fuzz_type *t, manner how, const void *base, void *v, const uint8_t *bytes,
                            size_t size, pkt_error *error)
{
    pkt_refs refs = refs_of_ids();
    pkt_reader r;
    if (how.framed) {
        if (how.delta)
            (void)t->unpack_delta(base, v, bytes, size, &refs, error);
        else
            (void)t->unpack(v, bytes, size, &refs, error);
        return;
    }
    if (!how.by_stream) {
        if (how.delta)
            (void)t->unpack_delta_body(base, v, bytes, size, &refs, error);
        else
            (void)t->unpack_body(v, bytes, size, &refs, error);
        return;
    }
    pkt_reader_init(&r, bytes, size);
    pkt_reader_set_refs(&r, &refs);
    if (how.delta ? t->read_delta(&r, base, v) : t->read(&r, v))
        (void)pkt_reader_finish(&r);
    *error = r.error;
}

static inline void hash_text(void *user, const char *text, size_t size)
{
    uint32_t *crc = (uint32_t *)user;
    *crc = pkt_crc32(*crc, text, size);
}

/* The hash of a value as text, which is the same on every machine. */
static inline uint32_t ask_hash(const fuzz_type *t, const void *v)
{
    uint32_t crc = 0;
    pkt_print_to(hash_text, &crc, t->type, v);
    return crc;
}

#endif
