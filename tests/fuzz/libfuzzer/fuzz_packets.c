/* fuzz_packets.c - reads arbitrary bytes as a packet, and writes it again.
 * SPDX-License-Identifier: MIT
 *
 * fuzz.sh makes packets.h, which includes the generated header, lists the packets, each with whether it has refs, those
 * with deltas, and the types that can be fitted into a budget. The first byte of an input selects a packet. The others
 * are its body, without CRC and end check, in memory of exactly their size; and they are what follows the checksum in a
 * frame. The pointer of a ref is its id. Deltas are in fuzz_deltas.h, packets with
 * parts in fuzz_parts.h.
 *
 * A value is read into memory from malloc. The memory sanitizer checks that the read has set all of it. Only elements
 * of arrays with `keep` may be unchanged, and nothing here uses those.
 */
#include "packets.h"

#include "demand.h"
#include "determined.h"

#include "../refs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static pkt_refs refs;

/* Frames with and without an end check, which is seldom right. */
static const pkt_frame frames[] = {{1, "Fuzz", false}, {1, "Fuzz", true}};
enum { SEED = 7 };

/* The bytes with a checksum before them, which is right. */
static uint8_t *framed(const uint8_t *data, size_t size)
{
    uint8_t *bytes = allocate(4 + size);
    pkt_writer w;
    pkt_writer_init(&w, bytes, 4 + size);
    demand(pkt_writer_frame_begin(&w, &frames[0]));
    if (size != 0)
        memcpy(bytes + 4, data, size);
    w.bit += 8 * (uint64_t)size;
    demand(pkt_writer_frame_end(&w, &frames[0], SEED) == 4 + size);
    return bytes;
}

/* The functions for bodies of packets, without refs and with refs. */
#define PACK_plain(T, v, data, size) T##_pack_body(v, data, size)
#define PACK_refs(T, v, data, size) T##_pack_body_refs(v, data, size, &refs, NULL)
#define UNPACK_plain(T, v, data, size) T##_unpack_body(v, data, size)
#define UNPACK_refs(T, v, data, size) T##_unpack_body_refs(v, data, size, &refs, NULL)

/* Bytes that are accepted must be the only encoding of their value. */
#define READ(T, form)                                                                           \
    static void read_##T(const uint8_t *data, size_t size)                                      \
    {                                                                                           \
        T *v = allocate(sizeof *v), *u = allocate(sizeof *u);                                   \
        uint8_t *bytes = exactly(data, size), *again = malloc(size);                            \
        pkt_reader r;                                                                           \
        pkt_reader_init(&r, bytes, size);                                                       \
        pkt_reader_set_refs(&r, &refs);                                                         \
        if (T##_read(&r, v) && pkt_reader_finish(&r)) {                                         \
            pkt_writer w;                                                                       \
            size_t written;                                                                     \
            pkt_writer_init(&w, again, size);                                                   \
            pkt_writer_set_refs(&w, &refs);                                                     \
            demand(T##_write(&w, v) && pkt_writer_finish(&w, &written));                        \
            demand(written == size && (size == 0 || memcmp(bytes, again, size) == 0));          \
            demand(T##_equal(v, v) && T##_measure(v, 0) == pkt_writer_bits(&w));                \
            demand_determined(&T##_reflection, v);                                              \
            demand(UNPACK_##form(T, u, bytes, size) && PACK_##form(T, u, again, size) == size); \
            demand(size == 0 || memcmp(bytes, again, size) == 0);                               \
            demand_determined(&T##_reflection, u);                                              \
        } else {                                                                                \
            demand(r.error.code != PKT_OK);                                                     \
            demand(!UNPACK_##form(T, u, bytes, size));                                          \
        }                                                                                       \
        free(again);                                                                            \
        free(bytes);                                                                            \
        free(u);                                                                                \
        free(v);                                                                                \
    }
PACKETS(READ)

/* A frame that is accepted must be the only one around its value. */
#define READ_FRAME(T, form)                                                                     \
    static void read_frame_##T(const uint8_t *data, size_t size)                                \
    {                                                                                           \
        T *v = allocate(sizeof *v);                                                             \
        uint8_t *bytes = framed(data, size), *again = allocate(4 + size);                       \
        for (unsigned i = 0; i < 2; i++) {                                                      \
            pkt_reader r;                                                                       \
            pkt_writer w;                                                                       \
            pkt_reader_init(&r, bytes, 4 + size);                                               \
            pkt_reader_set_refs(&r, &refs);                                                     \
            demand(!pkt_reader_frame_begin(&r, &frames[i], SEED) || pkt_reader_bits(&r) == 32); \
            if (!T##_read(&r, v) || !pkt_reader_frame_end(&r, &frames[i])) {                    \
                demand(r.error.code != PKT_OK && r.error.code != PKT_ERROR_CRC);                \
                continue;                                                                       \
            }                                                                                   \
            pkt_writer_init(&w, again, 4 + size);                                               \
            pkt_writer_set_refs(&w, &refs);                                                     \
            demand(pkt_writer_frame_begin(&w, &frames[i]) && T##_write(&w, v));                 \
            demand(pkt_writer_frame_end(&w, &frames[i], SEED) == 4 + size);                     \
            demand(memcmp(bytes, again, 4 + size) == 0);                                        \
        }                                                                                       \
        free(again);                                                                            \
        free(bytes);                                                                            \
        free(v);                                                                                \
    }
PACKETS(READ_FRAME)

#include "fuzz_deltas.h"
#include "fuzz_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    typedef void reader(const uint8_t *data, size_t size);
#define READER(T, form) read_##T,
#define FRAME_READER(T, form) read_frame_##T,
#define DELTA_READER(T) read_delta_##T,
#define FIT_READER(T) read_fit_##T,
#define PARTS_READER(T) read_parts_##T,
#define PARTS_RECEIVER(T) receive_parts_##T,
    static reader *const readers[] = {PACKETS(READER) DELTAS(DELTA_READER) PREDICTED(DELTA_READER) FITS(FIT_READER)
                                          DELTA_FITS(FIT_READER) PREDICTED_FITS(FIT_READER) DATAGRAMS(PARTS_READER)};
    static reader *const frame_readers[] = {PACKETS(FRAME_READER)};
    static reader *const receivers[] = {DATAGRAMS(PARTS_RECEIVER) NULL};
    enum {
        READERS = sizeof readers / sizeof readers[0],
        PACKET_COUNT = sizeof frame_readers / sizeof frame_readers[0],
        RECEIVERS = sizeof receivers / sizeof receivers[0] - 1
    };
    refs = refs_of_ids();
    if (size == 0)
        return 0;
    readers[data[0] % READERS](data + 1, size - 1);
    if (data[0] % READERS < PACKET_COUNT)
        frame_readers[data[0] % READERS](data + 1, size - 1);
    if (data[0] % READERS >= READERS - RECEIVERS)
        receivers[data[0] % READERS - (READERS - RECEIVERS)](data + 1, size - 1);
    return 0;
}
