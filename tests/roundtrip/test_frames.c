/* test_frames.c - frames around streams of generated code: a header, a delta and messages in one datagram.
 * SPDX-License-Identifier: MIT
 */
#include "frames.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

static const pkt_frame update = fr_PROTOCOL_FRAME("Update");

/* What both sides have. */
static fr_State baselines[2];
static const uint64_t hashes[2] = {0x1111111111111111, 0x2222222222222222};

static void make_baselines(void)
{
    for (unsigned n = 0; n < 2; n++) {
        fr_State *s = &baselines[n];
        fr_State_init(s);
        s->tick = (uint16_t)(100 + n);
        s->bodies_count = 3;
        for (unsigned i = 0; i < 3; i++) {
            fr_Body_init(&s->bodies[i]);
            s->bodies[i].x = 1.5f * (float)i + (float)n;
        }
        fr_State_quantize(s);
    }
}

static fr_State next_state(const fr_State *from)
{
    fr_State s = *from;
    s.tick++;
    s.bodies[1].x += 0.01f;
    s.bodies[2].at_rest = true;
    fr_State_quantize(&s);
    return s;
}

/* Writes as many hits as fit, and returns their number. */
static unsigned write_hits(pkt_writer *w)
{
    fr_Event event;
    unsigned count = 0;
    fr_Event_init(&event);
    event.tag = fr_Event_tag_hit;
    for (;; count++) {
        const pkt_mark mark = pkt_writer_mark(w);
        event.as.hit.body = (uint8_t)(count % 16);
        event.as.hit.damage = 42;
        if (fr_Event_write(w, &event))
            continue;
        assert_int_equal(w->error.code, PKT_ERROR_CAPACITY);
        pkt_writer_rewind(w, mark);
        return count;
    }
}

static size_t write_update(uint8_t *data, size_t size, unsigned baseline, unsigned *hits)
{
    const fr_Header header = {7, (uint16_t)baseline, 0xFFFFFFFF};
    const fr_State state = next_state(&baselines[baseline]);
    pkt_writer w;
    pkt_writer_init(&w, data, size);
    pkt_writer_frame_begin(&w, &update);
    fr_Header_write(&w, &header);
    fr_State_write_delta(&w, &baselines[baseline], &state);
    *hits = w.error.code == PKT_OK ? write_hits(&w) : 0;
    return pkt_writer_frame_end(&w, &update, hashes[baseline]);
}

static bool read_update(const uint8_t *data, size_t size, uint64_t seed, fr_State *state, unsigned *hits,
                        pkt_error *error)
{
    fr_Header header;
    fr_Event event;
    pkt_reader r;
    bool good;
    *hits = 0;
    pkt_reader_init(&r, data, size);
    if (pkt_reader_frame_begin(&r, &update, seed) && fr_Header_read(&r, &header) &&
        fr_State_read_delta(&r, &baselines[header.baseline], state))
        while (pkt_reader_bits_left(&r) >= 8 && fr_Event_read(&r, &event))
            ++*hits;
    good = pkt_reader_frame_end(&r, &update);
    *error = r.error;
    return good;
}

/* In buffers of every size: all that fits arrives. */
TEST(fills_a_datagram)
{
    const fr_State expected = next_state(&baselines[1]);
    unsigned most = 0;
    for (size_t room = 0; room <= 80; room++) {
        uint8_t *data = malloc(room != 0 ? room : 1), *exact;
        unsigned hits, seen;
        fr_State got;
        pkt_error error;
        assert_non_null(data);
        const size_t size = write_update(data, room, 1, &hits);
        assert_true(size <= room);
        if (size == 0) {
            assert_true(room < 26);
            free(data);
            continue;
        }
        assert_true(hits >= most);
        most = hits;
        exact = malloc(size);
        assert_non_null(exact);
        memcpy(exact, data, size);
        free(data);
        assert_true(read_update(exact, size, hashes[1], &got, &seen, &error));
        assert_int_equal(seen, hits);
        assert_true(fr_State_equal(&got, &expected));
        free(exact);
    }
    assert_int_equal(most, 39);
}

/* The bytes of an update, which tests/commands gives to pktc decode too. */
TEST(known_bytes)
{
    static const uint8_t expected[] = {0x4C, 0x46, 0xFC, 0x6D, 0x07, 0x00, 0x01, 0x00, 0xFF, 0xFF,
                                       0xFF, 0xFF, 0x9B, 0x01, 0x8C, 0x8E, 0x15, 0x83, 0x6A, 0xA8,
                                       0x8A, 0xEA, 0xA8, 0x92, 0x6A, 0x5F, 0xB1, 0x68, 0x09};
    uint8_t data[30];
    unsigned hits;
    assert_int_equal(write_update(data, sizeof data, 1, &hits), sizeof expected);
    assert_memory_equal(data, expected, sizeof expected);
}

/* A datagram against a baseline that the reader has not, or has otherwise. */
TEST(wrong_baseline)
{
    uint8_t data[60];
    unsigned hits;
    fr_State got;
    pkt_error error;
    const size_t size = write_update(data, sizeof data, 1, &hits);
    assert_false(read_update(data, size, hashes[0], &got, &hits, &error));
    assert_int_equal(error.code, PKT_ERROR_CRC);
    assert_string_equal(error.field, "Update.crc");
    assert_int_equal(hits, 0);
}

TEST(every_bit_flipped)
{
    uint8_t data[60];
    unsigned hits;
    fr_State got;
    pkt_error error;
    const size_t size = write_update(data, sizeof data, 0, &hits);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(read_update(data, size, hashes[0], &got, &hits, &error));
        assert_int_equal(error.code, PKT_ERROR_CRC);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_true(read_update(data, size, hashes[0], &got, &hits, &error));
}

/* The number of the baseline is read first, to find the seed. */
TEST(peeking_at_the_header)
{
    uint8_t data[60];
    unsigned hits;
    for (unsigned n = 0; n < 2; n++) {
        const size_t size = write_update(data, sizeof data, n, &hits);
        fr_Header header;
        pkt_reader r;
        pkt_reader_init(&r, data, size);
        assert_true(pkt_reader_frame_peek(&r, &update));
        assert_true(fr_Header_read(&r, &header));
        assert_int_equal(header.baseline, n);
        assert_true(pkt_reader_frame_begin(&r, &update, hashes[header.baseline]));
        assert_true(fr_Header_read(&r, &header));
        assert_int_equal(header.sequence, 7);
    }
}

/* With the name of a packet and no seed, a frame is the packet. */
TEST(a_packet_by_hand)
{
    static const pkt_frame chat = fr_PROTOCOL_FRAME("Chat");
    uint8_t packed[fr_Chat_MAX_BYTES], framed[fr_Chat_MAX_BYTES];
    fr_Chat v;
    for (unsigned length = 0; length < sizeof v.text; length++) {
        pkt_writer w;
        fr_Chat_init(&v);
        memset(v.text, 'a', length);
        const size_t size = fr_Chat_pack(&v, packed, sizeof packed);
        assert_int_not_equal(size, 0);
        pkt_writer_init(&w, framed, sizeof framed);
        assert_true(pkt_writer_frame_begin(&w, &chat));
        assert_true(fr_Chat_write(&w, &v));
        assert_int_equal(pkt_writer_frame_end(&w, &chat, 0), size);
        assert_memory_equal(packed, framed, size);
    }
}

/* Deltas and packets that grow their writer. */
TEST(growing)
{
    pkt_writer w;
    pkt_writer_grow_init(&w);
    for (unsigned n = 0; n < 2; n++) {
        const fr_Header header = {7, (uint16_t)n, 0xFFFFFFFF};
        const fr_State next = next_state(&baselines[n]);
        fr_Event event;
        fr_State got;
        pkt_error error;
        unsigned seen;
        assert_true(pkt_writer_frame_begin(&w, &update));
        assert_true(fr_Header_write(&w, &header) && fr_State_write_delta(&w, &baselines[n], &next));
        fr_Event_init(&event);
        strcpy(event.as.chat.text, "hello, world");
        for (unsigned i = 0; i < 500; i++)
            assert_true(fr_Event_write(&w, &event));
        event.tag = (fr_Event_tag)7;
        const pkt_mark mark = pkt_writer_mark(&w);
        assert_false(fr_Event_write(&w, &event));
        assert_int_equal(pkt_writer_frame_end(&w, &update, 0), 0);
        pkt_writer_rewind(&w, mark);
        const size_t size = pkt_writer_frame_end(&w, &update, hashes[n]);
        assert_true(read_update(w.data, size, hashes[n], &got, &seen, &error));
        assert_int_equal(seen, 500);
        assert_true(fr_State_equal(&got, &next));
    }
    pkt_writer_free(&w);
}

/* ---- hashes */

/* The hash is that of the bytes that T_write writes, and what is not sent is not in it. */
TEST(hash_of_a_value)
{
    for (unsigned n = 0; n < 2; n++) {
        fr_State v = baselines[n], other;
        uint8_t data[fr_State_MAX_BYTES];
        pkt_writer w;
        size_t size;
        pkt_writer_init(&w, data, sizeof data);
        assert_true(fr_State_write(&w, &v) && pkt_writer_finish(&w, &size));
        const uint64_t hash = fr_State_hash(&v);
        assert_true(hash == pkt_hash(data, size));

        v.bodies[0].x += 0.0001f; /* less than half a step */
        v.bodies[3].x = 7;        /* behind the count */
        assert_true(fr_State_hash(&v) == hash);
        other = next_state(&v);
        assert_true(fr_State_hash(&other) != hash);
        v.bodies_count = 17;
        assert_true(fr_State_hash(&v) == 0);
    }
    assert_true(fr_State_hash(&baselines[0]) != fr_State_hash(&baselines[1]));
}

/* Each bit of the encoding is in it. */
TEST(hash_of_each_field)
{
    uint64_t hashes_of[6] = {0};
    fr_Body v;
    for (unsigned i = 0; i < 6; i++) {
        fr_Body_init(&v);
        switch (i) {
        case 1: v.x = 0.002f; break;
        case 2: v.y = 0.002f; break;
        case 3: v.turn.x = 0.01f; break;
        case 4: v.at_rest = true; break;
        case 5: v.x = -0.002f; break;
        }
        hashes_of[i] = fr_Body_hash(&v);
        assert_true(hashes_of[i] != 0);
        for (unsigned k = 0; k < i; k++)
            assert_true(hashes_of[k] != hashes_of[i]);
    }
    assert_true(hashes_of[0] == UINT64_C(0x3761B2F01CE84BFE)); /* 00 f4 01 d0 f7 bf 7f ff 00 */
}

/* A terse reader does not say why, but fails where the value begins, and can be rewound. */
static void check_terse(const uint8_t *data, size_t size, uint64_t start, bool (*read)(pkt_reader *r))
{
    pkt_reader r;
    pkt_reader_init(&r, data, size);
    r.bit = start;
    const pkt_read_mark mark = pkt_reader_mark(&r);
    assert_false(read(&r));
    const pkt_error explained = r.error;
    pkt_reader_rewind(&r, mark);
    pkt_reader_set_terse(&r, true);
    assert_false(read(&r));
    assert_int_equal(r.error.code, PKT_ERROR_END);
    assert_int_equal(r.error.bit, start);
    assert_string_equal(r.error.field, "");
    assert_int_equal(pkt_reader_bits(&r), start);
    assert_int_equal(pkt_reader_bits_left(&r), 0);
    assert_false(read(&r)); /* the error stays as it is */
    pkt_reader_rewind(&r, mark);
    pkt_reader_set_terse(&r, false);
    assert_false(read(&r));
    assert_memory_equal(&r.error, &explained, sizeof explained);
    assert_string_not_equal(explained.field, "");
}

static bool reads_event(pkt_reader *r)
{
    fr_Event event;
    return fr_Event_read(r, &event);
}

static bool reads_delta(pkt_reader *r)
{
    fr_State state;
    return fr_State_read_delta(r, &baselines[0], &state);
}

TEST(refusals_of_strangers)
{
    const uint8_t ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    make_baselines();
    for (uint64_t start = 0; start < 24; start++) {
        check_terse(ones, sizeof ones, start, reads_event); /* too much damage */
        check_terse(ones, sizeof ones, start, reads_delta); /* too many bodies */
        check_terse(ones, 3, start, reads_delta);           /* too few bits */
    }
}

int main(void)
{
    make_baselines();
    return run_all(NULL);
}
