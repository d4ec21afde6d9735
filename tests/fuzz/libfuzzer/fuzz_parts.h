/* fuzz_parts.h - reads arbitrary bytes as packets with parts, against arbitrary baselines, for fuzz_packets.c.
 * SPDX-License-Identifier: MIT
 *
 * The first bytes of an input are the baselines, those after them the packet without its checksum, which is made right.
 * A bit of the first byte for each baseline: it is missing.
 */
#ifndef TESTS_FUZZ_PARTS_H
#define TESTS_FUZZ_PARTS_H

#include "pkt_inside.h"

static inline uint64_t with_hash(uint64_t seed, uint64_t hash)
{
    seed = (seed ^ hash) * UINT64_C(0x9e3779b97f4a7c15);
    seed ^= seed >> 32;
    return seed != 0 ? seed : 1;
}

/* Keeps a value from the next bytes in a ring. P: the part, with values of type V. */
#define KEEP_VALUE(P, V)                                                          \
    static void keep_##P(P##_ring *ring, pkt_reader *r, const uint8_t *bytes)     \
    {                                                                             \
        const uint64_t start = pkt_reader_bits(r), limit = r->limit;              \
        V *v = allocate(sizeof *v);                                               \
        if (!V##_read(r, v)) {                                                    \
            pkt_reader_init(r, bytes, (size_t)(limit / 8));                       \
            r->bit = start;                                                       \
            V##_init(v);                                                          \
        }                                                                         \
        P##_ring_keep(ring, 0, v);                                                \
        free(v);                                                                  \
    }                                                                             \
    /* Gives the value the number that a packet asks for. */                      \
    static P##_baseline renumber_##P(P##_ring *ring, bool asked, uint64_t number) \
    {                                                                             \
        const P##_baseline none = {NULL, 0, 0}, kept = P##_ring_find(ring, 0);    \
        if (!asked)                                                               \
            return none;                                                          \
        ring->newest = number; /* so the number is not late */                    \
        P##_ring_keep(ring, number, kept.value);                                  \
        return P##_ring_find(ring, number);                                       \
    }
RINGS(KEEP_VALUE)

#define RING_OF(P, member, part, names_it, number) P##_ring member;
#define KEEP(P, member, part, names_it, number) keep_##P(&rings->member, &r, bytes);
#define RENUMBER(P, member, part, names_it, number)                                             \
    if (named && !(missing & 1))                                                                \
        from->member = renumber_##P(&rings->member, names_it(called.part), called.part.number); \
    missing >>= 1;                                                                              \
    if (from->member.value)                                                                     \
        seed = with_hash(seed, from->member.hash);
#define IS_BASED(called) (called).based
#define IS_STARTED(called) true
#define IS_MOVED(called) ((called).based && (called).moves)

/* The values in a ring have padding that was never set. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define KNOWN(p, size) __msan_unpoison(p, size)
#endif
#endif
#ifndef KNOWN
#define KNOWN(p, size) ((void)0)
#endif
static bool same_memory(void *a, void *b, size_t size)
{
    KNOWN(a, size);
    KNOWN(b, size);
    return memcmp(a, b, size) == 0;
}

/* What is accepted is packed to the same bytes; no ring is changed. */
#define READ_PARTS(T)                                                                                            \
    typedef struct T##_fuzzed_rings {                                                                            \
        BASELINES_##T(RING_OF)                                                                                   \
    } T##_fuzzed_rings;                                                                                          \
    static void read_parts_##T(const uint8_t *data, size_t size)                                                 \
    {                                                                                                            \
        T##_fuzzed_rings *rings = allocate(sizeof *rings), *kept = allocate(sizeof *kept);                       \
        T##_baselines *from = allocate(sizeof *from);                                                            \
        T *v = allocate(sizeof *v);                                                                              \
        T##_names called;                                                                                        \
        uint8_t *bytes = exactly(data, size), *packet, *again;                                                   \
        uint64_t seed = SEED;                                                                                    \
        pkt_reader r;                                                                                            \
        pkt_writer w;                                                                                            \
        pkt_error error;                                                                                         \
        bool named;                                                                                              \
        unsigned missing;                                                                                        \
        size_t packed;                                                                                           \
        memset(rings, 0, sizeof *rings);                                                                         \
        memset(from, 0, sizeof *from);                                                                           \
        pkt_reader_init(&r, bytes, size);                                                                        \
        missing = next_byte(&r);                                                                                 \
        BASELINES_##T(KEEP) const size_t at = (size_t)((pkt_reader_bits(&r) + 7) / 8);                           \
        packed = 4 + size - at;                                                                                  \
        packet = allocate(packed);                                                                               \
        again = allocate(packed);                                                                                \
        memset(packet, 0, 4);                                                                                    \
        if (size != at)                                                                                          \
            memcpy(packet + 4, bytes + at, size - at);                                                           \
        named = T##_peek(v, &called, packet, packed);                                                            \
        BASELINES_##T(RENUMBER) pkt_writer_init(&w, again, packed);                                              \
        demand(pkt_writer_frame_begin(&w, &T##_datagram.frame));                                                 \
        memcpy(again + 4, packet + 4, packed - 4);                                                               \
        w.bit = 8 * (uint64_t)packed;                                                                            \
        demand(pkt_writer_frame_end(&w, &T##_datagram.frame, seed) == packed);                                   \
        memcpy(packet, again, 4);                                                                                \
        memcpy(kept, rings, sizeof *kept);                                                                       \
        if (T##_unpack_error(from, v, SEED, packet, packed, &error)) {                                           \
            demand(error.code == PKT_OK && T##_pack_error(from, v, SEED, again, packed, &error) == packed);      \
            demand(memcmp(packet, again, packed) == 0 && T##_valid(v, NULL));                                    \
            demand_determined(&T##_reflection, v);                                                               \
            demand(!T##_unpack_error(from, v, SEED + 1, packet, packed, &error) && error.code == PKT_ERROR_CRC); \
        } else {                                                                                                 \
            demand(error.code != PKT_OK);                                                                        \
            demand(!T##_unpack(from, v, SEED, packet, packed));                                                  \
        }                                                                                                        \
        demand(same_memory(kept, rings, sizeof *kept));                                                          \
        free(again);                                                                                             \
        free(packet);                                                                                            \
        free(bytes);                                                                                             \
        free(v);                                                                                                 \
        free(from);                                                                                              \
        free(kept);                                                                                              \
        free(rings);                                                                                             \
    }
DATAGRAMS(READ_PARTS)

/* Arbitrary bytes to a receiver, packet after packet: a byte says how long each is, and whether its checksum is made right, of
 * the values that the receiver has. Only what is newer, right and whole is received, and is acknowledged only if kept. */
#define HASH_IS_BASED(called) (called).based
#define HASH_IS_MOVED(called) ((called).based && (called).moves)
#define HASH_IS_STARTED(called) false /* the receiver has none */
#define ADD_HASH(P, member, part, names_it, number)                                    \
    if (HASH_##names_it(called.part)) {                                                \
        const uint64_t known = P##_ring_find(&in->kept.part, called.part.number).hash; \
        seed = known != 0 ? with_hash(seed, known) : seed;                             \
    }

#define RECEIVE_PARTS(T)                                                                                 \
    static void receive_parts_##T(const uint8_t *data, size_t size)                                      \
    {                                                                                                    \
        T##_receiver *in = calloc(1, sizeof *in);                                                        \
        T *v = calloc(1, sizeof *v), *kept = allocate(sizeof *kept), *head = calloc(1, sizeof *head);    \
        demand(in != NULL && v != NULL && head != NULL);                                                 \
        while (size >= 1) {                                                                              \
            const size_t whole = 4 + (size_t)(data[0] / 2 < size - 1 ? data[0] / 2 : size - 1);          \
            const uint32_t forgotten = in->forgotten, doubts = in->doubts;                               \
            uint8_t *packet = allocate(whole);                                                           \
            T##_names called;                                                                            \
            pkt_error error;                                                                             \
            memset(packet, 0, 4);                                                                        \
            memcpy(packet + 4, data + 1, whole - 4);                                                     \
            if (data[0] % 2 != 0 && T##_peek(head, &called, packet, whole)) {                            \
                uint64_t seed = SEED;                                                                    \
                pkt_writer w;                                                                            \
                BASELINES_##T(ADD_HASH) pkt_writer_init(&w, packet, whole);                              \
                w.framed = true;                                                                         \
                w.bit = 8 * (uint64_t)whole;                                                             \
                demand(pkt_writer_frame_end(&w, &T##_datagram.frame, seed) == whole);                    \
            }                                                                                            \
            memcpy(kept, v, sizeof *kept);                                                               \
            if (T##_receive_error(in, v, SEED, packet, whole, &error))                                   \
                demand(error.code == PKT_OK && in->begun && in->doubts == 0 && T##_valid(v, NULL));      \
            else                                                                                         \
                demand(same_memory(kept, v, sizeof *kept));                                              \
            demand(in->doubts < PKT_MOST_DOUBTS && in->forgotten - forgotten <= 1);                      \
            demand(in->forgotten == forgotten ||                                                         \
                   (doubts == PKT_MOST_DOUBTS - 1 && error.code == PKT_ERROR_CRC && !in->acknowledges)); \
            free(packet);                                                                                \
            data += whole - 3;                                                                           \
            size -= whole - 3;                                                                           \
        }                                                                                                \
        free(head);                                                                                      \
        free(kept);                                                                                      \
        free(v);                                                                                         \
        free(in);                                                                                        \
    }
DATAGRAMS(RECEIVE_PARTS)

#endif
