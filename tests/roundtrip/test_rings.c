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
    uint64_t most; /* the greatest number */
    void (*keep)(void *ring, uint64_t number, uint32_t is);
    const rg_Value *(*find)(const void *ring, uint64_t number);
} ring;

#define RING(T, bits)                                                                                                \
    static void keep_##T(void *to, uint64_t number, uint32_t is)                                                     \
    {                                                                                                                \
        const rg_Value v = {is};                                                                                     \
        rg_##T##_value_ring_keep((rg_##T##_value_ring *)to, number, &v);                                             \
    }                                                                                                                \
    static const rg_Value *find_##T(const void *in, uint64_t number)                                                 \
    {                                                                                                                \
        const rg_##T##_value_baseline b = rg_##T##_value_ring_find((const rg_##T##_value_ring *)in, number);         \
        if (b.value) {                                                                                               \
            assert_true(b.number == number);                                                                         \
            assert_true(b.hash == rg_Value_hash(b.value));                                                           \
        }                                                                                                            \
        return b.value;                                                                                              \
    }                                                                                                                \
    static const ring ring_of_##T = {sizeof(rg_##T##_value_ring), rg_##T##_value_REACH, UINT64_MAX >> (64 - (bits)), \
                                     keep_##T, find_##T};

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

int main(void)
{
    begin();
    return run_all(NULL);
}
