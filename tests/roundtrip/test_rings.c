/* test_rings.c - rings of baselines have the newest values, whatever arrives late, twice or out of order.
 * SPDX-License-Identifier: MIT
 */
#include "fit_draws.h"
#include "rings.h"
#include "vast.h"

enum { MOST_SENT = 4096 };

/* The functions of a ring, as functions of any ring. */
typedef struct ring {
    size_t size;
    uint32_t reach;
    uint64_t most;           /* the greatest number */
    size_t used, used_bytes; /* the member that says which values there are */
    void (*keep)(void *ring, uint64_t number, uint32_t is);
    const rg_Value *(*find)(const void *ring, uint64_t number);
} ring;

#define RING(T, bits)                                                                                        \
    static void keep_##T(void *to, uint64_t number, uint32_t is)                                             \
    {                                                                                                        \
        const rg_Value v = {is};                                                                             \
        rg_##T##_value_ring_keep((rg_##T##_value_ring *)to, number, &v);                                     \
    }                                                                                                        \
    static const rg_Value *find_##T(const void *in, uint64_t number)                                         \
    {                                                                                                        \
        const rg_##T##_value_baseline b = rg_##T##_value_ring_find((const rg_##T##_value_ring *)in, number); \
        if (b.value) {                                                                                       \
            assert_true(b.number == number);                                                                 \
            assert_true(b.hash == rg_Value_hash(b.value));                                                   \
        }                                                                                                    \
        return b.value;                                                                                      \
    }                                                                                                        \
    static const ring ring_of_##T = {sizeof(rg_##T##_value_ring),                                            \
                                     rg_##T##_value_REACH,                                                   \
                                     UINT64_MAX >> (64 - (bits)),                                            \
                                     offsetof(rg_##T##_value_ring, used),                                    \
                                     sizeof(((rg_##T##_value_ring *)0)->used),                               \
                                     keep_##T,                                                               \
                                     find_##T};

RING(Eight, 8)
RING(Sixteen, 16)
RING(Long, 16)
RING(Wide, 32)
RING(Widest, 64)

static uint64_t memory[1024];

/* Sends MOST_SENT numbers from a random one on. Some are lost, some come later, some twice, up to `late` after their turn. */
static void check_network(const ring *r, uint32_t late)
{
    static bool kept[MOST_SENT];
    const uint64_t first = ((uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX)) & r->most;
    uint32_t newest = 0;
    bool any = false;
    memset(kept, 0, sizeof kept);
    memset(memory, 0, sizeof memory);
    for (uint32_t n = 0; n < MOST_SENT; n++) {
        if (hit(5))
            continue;
        const uint32_t back = hit(4) ? draw(late) : 0, is = back < n ? n - back : n;
        r->keep(memory, (first + is) & r->most, is);
        kept[is] = true;
        newest = !any || is > newest ? is : newest;
        any = true;
        for (uint32_t i = 0; i <= r->reach && i <= newest; i++) {
            const rg_Value *found = r->find(memory, (first + newest - i) & r->most);
            assert_int_equal(found != NULL, kept[newest - i]);
            assert_true(!found || found->is == newest - i);
        }
    }
}

TEST(test_networks)
{
    for (int n = 0; n < 5; n++) {
        check_network(&ring_of_Eight, 127);
        check_network(&ring_of_Sixteen, 30000);
        check_network(&ring_of_Long, 300);
        check_network(&ring_of_Wide, 5);
        check_network(&ring_of_Widest, 4000);
    }
}

/* One datagram that comes again takes none of the newer ones away. */
TEST(test_replay)
{
    static rg_Long_value_ring in;
    rg_Value v = {0};
    for (v.is = 73; v.is <= 200; v.is++)
        rg_Long_value_ring_keep(&in, v.is, &v);
    for (uint32_t replayed = 10; replayed <= 72; replayed++) {
        v.is = replayed;
        rg_Long_value_ring_keep(&in, replayed, &v);
        assert_null(rg_Long_value_ring_find(&in, replayed).value);
        for (uint32_t is = 73; is <= 200; is++)
            assert_int_equal(rg_Long_value_ring_find(&in, is).value->is, is);
    }
}

/* Values that are late do not count if there is one between them that is not too late: 64 of them are no row. */
TEST(test_late_in_a_row)
{
    static rg_Long_value_ring in;
    rg_Value v = {0};
    for (v.is = 1000; v.is <= 1200; v.is++)
        rg_Long_value_ring_keep(&in, v.is, &v);
    for (int n = 0; n < 1000; n++) {
        v.is = hit(20) || n % 63 == 0 ? 1200 - draw(128) : draw(1000);
        rg_Long_value_ring_keep(&in, v.is, &v);
        assert_non_null(rg_Long_value_ring_find(&in, 1200).value);
    }
}

/* The numbers begin again, or so many are lost that those of now look old. */
static void check_new_numbers(const ring *r, uint64_t before, uint64_t after)
{
    memset(memory, 0, sizeof memory);
    for (uint32_t n = 0; n < 300; n++)
        r->keep(memory, (before + n) & r->most, n);
    for (uint32_t n = 0; n < 64 + 2 * r->reach + 4; n++)
        r->keep(memory, (after + n) & r->most, n);
    for (uint32_t i = 0; i <= r->reach; i++)
        assert_non_null(r->find(memory, (after + 64 + 2 * r->reach + 3 - i) & r->most));
}

TEST(test_new_numbers)
{
    static const ring *const rings[] = {&ring_of_Eight, &ring_of_Sixteen, &ring_of_Long, &ring_of_Wide,
                                        &ring_of_Widest};
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        check_new_numbers(rings[i], 20000, 0);
        check_new_numbers(rings[i], 0, (rings[i]->most >> 1) + 2);
        for (int n = 0; n < 200; n++)
            check_new_numbers(rings[i], draw(UINT32_MAX), draw(UINT32_MAX));
    }
}

/* A ring whose `used` was set to false is one of which all bytes are zero, whatever it had. */
static void check_emptied(const ring *r)
{
    static uint64_t new_one[1024];
    const uint64_t before = (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
    const uint64_t after = hit(2) ? before + draw(300) : before + (r->most >> 1) + draw(300);
    memset(memory, 0, sizeof memory);
    memset(new_one, 0, sizeof new_one);
    for (uint32_t n = draw(600); n != 0; n--)
        r->keep(memory, (before - draw(n)) & r->most, n);
    memset((char *)memory + r->used, 0, r->used_bytes);
    for (uint32_t n = 0; n < 200; n++) {
        const uint64_t number = hit(10) ? after - draw(500) : after + n;
        for (uint32_t i = 0; i <= r->reach; i++) {
            const rg_Value *got = r->find(memory, (number - i) & r->most),
                           *expected = r->find(new_one, (number - i) & r->most);
            assert_int_equal(got != NULL, expected != NULL);
            assert_true(!got || got->is == expected->is);
        }
        r->keep(memory, number & r->most, n);
        r->keep(new_one, number & r->most, n);
    }
}

TEST(test_emptied)
{
    for (int n = 0; n < 200; n++) {
        check_emptied(&ring_of_Eight);
        check_emptied(&ring_of_Sixteen);
        check_emptied(&ring_of_Long);
        check_emptied(&ring_of_Wide);
        check_emptied(&ring_of_Widest);
    }
}

/* Of a list, a ring writes the elements that are there, so that pages of memory without any stay unused. */
TEST(test_writes_what_is_there)
{
    static rg_Of_listed_value_ring in;
    for (uint32_t count = 0; count <= 9; count++) {
        rg_Listed v;
        rg_Listed_init(&v);
        while (v.seen_count < count)
            rg_Listed_seen_add(&v, (uint8_t)draw(255))->at = 1;
        memset(in.value, 0xa5, sizeof in.value);
        rg_Of_listed_value_ring_keep(&in, (uint8_t)count, &v);
        const rg_Listed *const found = rg_Of_listed_value_ring_find(&in, (uint8_t)count).value;
        assert_true(rg_Listed_equal(found, &v));
        for (uint32_t i = count; i < 9; i++)
            assert_true(found->seen[i].id == 0xa5 && found->seen[i].at == 0xa5);
        for (size_t i = 0; i < sizeof in.value / sizeof *in.value; i++)
            assert_true(&in.value[i] == found || in.value[i].plain.a == 0xa5);
    }
}

/* A ring of values that are too large for T_hash has the same functions. */
TEST(test_large_values)
{
    static vast_Large_value_ring sent, got;
    static vast_Large out, in;
    static uint8_t data[vast_Vast_MAX_BITS / 8 + 100];
    for (uint8_t number = 1; number < 9; number++) {
        pkt_writer w;
        size_t size;
        vast_Large_baselines from = {vast_Large_value_ring_find(&sent, (uint8_t)(number - 2))};
        out.number = number;
        out.has_back = from.value.value != NULL;
        out.back = 2;
        out.value.is = number;
        out.value.rest[8000 * number] = number;
        size = vast_Large_pack(&from, &out, 7, data, sizeof data);
        assert_true(size > 0 && (!out.has_back || size < 200));
        from.value = vast_Large_value_ring_find(&got, (uint8_t)(number - 2));
        assert_true(vast_Large_unpack(&from, &in, 7, data, size));
        assert_true(vast_Vast_equal(&in.value, &out.value));
        vast_Large_value_ring_keep(&sent, number, &out.value);
        vast_Large_value_ring_keep(&got, number, &in.value);
        pkt_writer_init(&w, data, sizeof data);
        assert_true(vast_Vast_write(&w, &out.value) && pkt_writer_finish(&w, &size));
        assert_true(vast_Large_value_ring_find(&got, number).hash == pkt_hash(data, size));
    }
}

/* A ring keeps what the program has in a value beside what is sent; a reader leaves that of the value alone. */
TEST(test_members_of_the_program)
{
    static rg_Of_plain_value_ring plains;
    static rg_Of_listed_value_ring lists;
    const rg_Plain plain = {1, 77};
    rg_Listed v, got, copy;
    pkt_writer w;
    pkt_reader r;
    uint8_t data[64];
    size_t size;
    rg_Of_plain_value_ring_keep(&plains, 3, &plain);
    assert_int_equal(rg_Of_plain_value_ring_find(&plains, 3).value->own, 77);
    rg_Listed_init(&v);
    v.name = "v";
    v.since[4] = 9;
    v.plain = plain;
    v.mine[1] = plain;
    rg_Listed_seen_add(&v, 200)->at = 5;
    rg_Of_listed_value_ring_keep(&lists, 3, &v);
    rg_Listed_copy(&copy, &v);
    const rg_Listed *const both[] = {&copy, rg_Of_listed_value_ring_find(&lists, 3).value};
    for (int i = 0; i < 2; i++) {
        assert_true(rg_Listed_equal(both[i], &v));
        assert_string_equal(both[i]->name, "v");
        assert_int_equal(both[i]->since[4], 9);
        assert_int_equal(both[i]->plain.own, 77);
        assert_int_equal(both[i]->mine[1].own, 77);
    }
    rg_Listed_init(&got);
    got.name = "got";
    got.plain.own = 8;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(rg_Listed_write_delta(&w, both[1], &v) && pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, data, size);
    assert_true(rg_Listed_read_delta(&r, both[1], &got));
    assert_true(rg_Listed_equal(&got, &v));
    assert_string_equal(got.name, "got");
    assert_int_equal(got.since[4], 0);
    assert_int_equal(got.plain.own, 8);
}

int main(void)
{
    begin();
    return run_all(NULL);
}

/* ---- receivers */

static size_t pack_after(rg_Sixteen *v, const rg_Sixteen_value_ring *sent, unsigned back, uint8_t *data, size_t size)
{
    rg_Sixteen_baselines from;
    memset(&from, 0, sizeof from);
    if (back > 0)
        from.value = rg_Sixteen_value_ring_find(sent, (uint16_t)(v->number - back));
    v->has_back = from.value.value != NULL;
    v->back = v->has_back ? (uint8_t)back : 1;
    return rg_Sixteen_pack(&from, v, 5, data, size);
}

/* What is late or here twice changes nothing; what is newer is received, from a baseline of the receiver. */
TEST(test_receiving)
{
    static rg_Sixteen_value_ring sent;
    static rg_Sixteen_receiver in;
    static uint8_t data[4000][rg_Sixteen_MAX_BYTES];
    static size_t sizes[4000];
    rg_Sixteen got = {0};
    uint32_t count = 0;
    memset(&sent, 0, sizeof sent);
    memset(&in, 0, sizeof in);
    for (uint32_t n = 0; n < 4000; n++) {
        rg_Sixteen v = {.number = (uint16_t)(64000 + n), .value = {n}};
        const unsigned back = in.acknowledges ? (uint16_t)(v.number - in.newest) : 0;
        pkt_error error;
        sizes[n] = pack_after(&v, &sent, back <= 31 ? back : 0, data[n], sizeof data[n]);
        assert_true(sizes[n] > 0);
        rg_Sixteen_value_ring_keep(&sent, v.number, &v.value);
        const uint32_t is = hit(3) ? n - draw((n < 20 ? n : 20) + 1) : n, before = got.value.is;
        if (hit(4))
            data[is][draw((uint32_t)sizes[is])] ^= 1;
        if (rg_Sixteen_receive_error(&in, &got, 5, data[is], sizes[is], &error)) {
            assert_true(count == 0 || is > before);
            assert_int_equal(got.value.is, is);
            assert_true(in.begun && in.newest == (uint16_t)(64000 + is));
            assert_true(in.acknowledges && in.doubts == 0);
            count++;
        } else {
            assert_int_equal(got.value.is, before);
            assert_true(error.code != PKT_OK || is <= before);
        }
    }
    assert_in_range(count, 1500, 4000);
}

/* Datagrams of other kinds and sessions, and those of strangers, name no baseline of the receiver: so none is to blame. */
TEST(test_datagrams_of_others_cost_no_baseline)
{
    static rg_Sixteen_value_ring sent;
    static rg_Sixteen_receiver in;
    uint8_t data[64];
    rg_Sixteen got = {0}, v = {.number = 9};
    size_t size = pack_after(&v, &sent, 0, data, sizeof data);
    assert_true(rg_Sixteen_receive(&in, &got, 5, data, size) && in.acknowledges);
    for (uint32_t n = 0; n < 1000; n++) {
        const rg_Long other = {.number = (uint16_t)n, .value = {n}};
        const rg_Sixteen session = {.number = (uint16_t)n, .value = {n}};
        switch (n % 4) {
        case 0: size = rg_Long_pack(NULL, &other, 5, data, sizeof data); break;
        case 1: size = rg_Sixteen_pack(NULL, &session, 6, data, sizeof data); break;
        case 2: data[draw((uint32_t)size)] ^= 1; break;
        default:
            size = draw(sizeof data) + 1;
            for (size_t i = 0; i < size; i++)
                data[i] = (uint8_t)draw(256);
            /* Neither the number of the receiver's baseline, nor one that is near. */
            data[size > 5 ? 5 : 0] |= 0x80;
        }
        assert_false(rg_Sixteen_receive(&in, &got, 5, data, size));
        assert_true(in.acknowledges && in.newest == 9);
        assert_int_equal(in.forgotten, 0);
    }
    v.number = 10;
    size = pack_after(&v, &in.kept.value, 1, data, sizeof data);
    assert_true(v.has_back && rg_Sixteen_receive(&in, &got, 5, data, size));
}

/* After a pause, numbers may have gone half around: then what is newer looks late. As for a ring, not for long. */
TEST(test_receiving_after_a_pause)
{
    for (uint32_t pause = 1; pause < 256; pause++) {
        rg_Eight_receiver in;
        uint8_t data[rg_Eight_MAX_BYTES];
        uint32_t refused = 0;
        rg_Eight got = {0};
        memset(&in, 0, sizeof in);
        for (uint32_t n = 0; n < 400; n++) {
            const uint32_t is = n < 150 ? n : n + pause;
            rg_Eight_baselines from;
            rg_Eight v = {.number = (uint8_t)is, .value = {is}};
            memset(&from, 0, sizeof from);
            if (in.acknowledges && (uint8_t)(is - in.newest - 1) < rg_Eight_value_REACH)
                from.value = rg_Eight_value_ring_find(&in.kept.value, in.newest);
            v.has_back = from.value.value != NULL;
            v.back = v.has_back ? (uint8_t)(is - in.newest) : 1;
            const size_t size = rg_Eight_pack(&from, &v, 5, data, sizeof data);
            assert_true(size > 0);
            if (!rg_Eight_receive(&in, &got, 5, data, size))
                refused++;
            else
                assert_true(got.value.is == is && in.newest == (uint8_t)is && in.acknowledges);
        }
        assert_int_equal(got.value.is, 399 + pause);
        assert_in_range(refused, 0, pause < 127 ? 0 : 64);
    }
}

TEST(test_baselines_that_cannot_be_trusted_are_forgotten)
{
    static rg_Sixteen_value_ring sent;
    static rg_Sixteen_receiver in;
    uint8_t data[rg_Sixteen_MAX_BYTES];
    rg_Sixteen got = {0};
    for (uint32_t n = 0; n < 9; n++) {
        rg_Sixteen v = {.number = (uint16_t)n, .value = {n + 7}};
        if (n == 3)
            for (unsigned i = 0; i <= rg_Sixteen_value_REACH; i++)
                in.kept.value.hash[i]++;
        const size_t size = pack_after(&v, &sent, in.acknowledges ? (unsigned)(n - in.newest) : 0, data, sizeof data);
        rg_Sixteen_value_ring_keep(&sent, v.number, &v.value);
        assert_int_equal(rg_Sixteen_receive(&in, &got, 5, data, size), n < 3 || n >= 3 + PKT_MOST_DOUBTS);
        assert_int_equal(in.forgotten, n >= 2 + PKT_MOST_DOUBTS);
        assert_int_equal(in.acknowledges, n != 2 + PKT_MOST_DOUBTS);
    }
    assert_int_equal(got.value.is, 15);
    rg_Sixteen_receiver_begin(&in);
    assert_false(in.begun || in.acknowledges);
    assert_null(rg_Sixteen_value_ring_find(&in.kept.value, 8).value);
}

/* Between the values of two numbers, wherever numbers wrap; and nothing if the ring has lost one of them, or nothing has arrived. */
TEST(test_shows_what_is_between)
{
    rg_Of_scene_scene_ring ring = {.newest = 0};
    pkt_playout playout;
    rg_Scene shown = {-1};
    pkt_playout_init(&playout, 60, 32);
    assert_false(rg_Of_scene_scene_ring_show(&ring, &playout, 0, &shown));
    for (uint32_t i = 0; i < 600; i++) {
        const double now = 7 + i / 20.0;
        const rg_Scene value = {(float)i};
        rg_Of_scene_scene_ring_keep(&ring, (uint8_t)(250 + i), &value);
        pkt_playout_arrived(&playout, now, 3 * i, (uint8_t)(250 + i));
        for (int frame = 0; frame < 3; frame++) {
            const float before = shown.x;
            assert_true(rg_Of_scene_scene_ring_show(&ring, &playout, now + frame / 60.0, &shown));
            assert_true(shown.x >= before && shown.x <= (float)i);
            assert_true(i < 60 || (shown.x > (float)i - 2.01f && shown.x - before < 0.4f));
        }
    }
    const rg_Scene last = shown;
    memset(ring.used, 0, sizeof ring.used);
    assert_false(rg_Of_scene_scene_ring_show(&ring, &playout, 40, &shown));
    assert_true(shown.x == last.x);
}
