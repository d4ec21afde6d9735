/* fuzz_versions.c - reads arbitrary bytes as packets of any version of a schema.
 * SPDX-License-Identifier: MIT
 *
 * fuzz.sh makes versions.h, which includes NAME_upgrade.c, and lists which packets there are in which versions. The first
 * byte of an input selects one of these. The others are a body, in memory of exactly their size, in a frame of that version
 * whose checksum and end check are right; and they are what follows the checksum of a frame.
 */
#include "versions.h"

#include "demand.h"
#include "determined.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct sender {
    void (*read)(const uint8_t *data, size_t size);
    pkt_frame frame;
} sender;

/* The bytes in a frame. */
static uint8_t *framed(const pkt_frame *frame, const uint8_t *data, size_t size, size_t *framed_size)
{
    const size_t room = 4 + size + (frame->end_check ? 4 : 0);
    uint8_t *bytes = allocate(room);
    pkt_writer w;
    pkt_writer_init(&w, bytes, room);
    demand(pkt_writer_frame_begin(&w, frame));
    if (size != 0)
        memcpy(bytes + 4, data, size);
    w.bit += 8 * (uint64_t)size;
    *framed_size = pkt_writer_frame_end(&w, frame, 0);
    demand(*framed_size == room);
    return bytes;
}

/* What is accepted can be written, and the version now reads it as the same value. */
#define READ_ANY(T)                                                              \
    static void read_any_##T(const uint8_t *data, size_t size)                   \
    {                                                                            \
        T *v = allocate(sizeof *v), *back = allocate(sizeof *back);              \
        uint8_t *again = allocate(T##_MAX_BYTES);                                \
        uint32_t version = 99;                                                   \
        pkt_error error;                                                         \
        const bool good = T##_unpack_any_error(v, data, size, &version, &error); \
        demand(version == T##_version(data, size) && version != 0);              \
        demand(good == (error.code == PKT_OK));                                  \
        if (good) {                                                              \
            const size_t written = T##_pack(v, again, T##_MAX_BYTES);            \
            demand(written != 0 && T##_unpack(back, again, written));            \
            demand(T##_equal(v, back));                                          \
            demand_determined(&T##_reflection, v);                               \
        }                                                                        \
        demand(T##_unpack_any(v, data, size, NULL) == good);                     \
        free(again);                                                             \
        free(back);                                                              \
        free(v);                                                                 \
    }
VERSIONED(READ_ANY)

static const sender senders[] = {SENDERS};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const sender *from;
    pkt_frame open;
    uint8_t *bytes;
    size_t framed_size;
    if (size == 0)
        return 0;
    from = &senders[data[0] % (sizeof senders / sizeof senders[0])];
    bytes = framed(&from->frame, data + 1, size - 1, &framed_size);
    from->read(bytes, framed_size);
    free(bytes);
    open = from->frame;
    open.end_check = false;
    bytes = framed(&open, data + 1, size - 1, &framed_size);
    from->read(bytes, framed_size);
    free(bytes);
    return 0;
}
