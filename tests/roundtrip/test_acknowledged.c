/* test_acknowledged.c - T_send finds the baseline that a sender would find who remembers all that it was told, and T_receive says
 * what helps it most, whichever parts the packets have.
 * SPDX-License-Identifier: MIT
 */
#include "fit_draws.h"
#include "acknowledged.h"

#include <math.h>

enum { TIMES = 2000, MOST_PARCELS = 256, ROOM = 100, MOST_PARTS = 3, MOST_NAMES = 4 };

/* A field that names baselines of the parts with these bits. It counts from the baseline that the field `from` names; -1: from the
 * packet. */
typedef struct name {
    unsigned parts;
    uint64_t low, high;
    int from;
} name;

/* One kind of packet, and what the test knows of it. */
typedef struct kind {
    unsigned bits, step; /* of numbers */
    unsigned always;     /* parts that each packet has */
    uint64_t ring[MOST_PARTS];
    name names[MOST_NAMES];
    void (*begin)(void);
    /* Sets how far each field counts; 0: it is absent. */
    size_t (*send)(uint32_t n, uint64_t number, unsigned parts, uint8_t *data, uint64_t *backs);
    bool (*hear)(bool has, uint64_t number);
    bool (*receive)(uint32_t n, const uint8_t *data, size_t size, pkt_error *error);
    bool (*say)(uint64_t *number);
} kind;

#define RING(T, part) sizeof((ack_##T##_receiver *)0)->kept.part.used
#define BACK(v, field) ((v)->has_##field ? (v)->field : 0)

/* SET: sets the parts. BACKS: stores how far each field counts. */
#define KIND(T, BITS, STEP, ALWAYS, SET, BACKS, ...)                                                    \
    static ack_##T##_sender sender_##T;                                                                 \
    static ack_##T##_receiver receiver_##T;                                                             \
    static ack_##T sent_##T[TIMES];                                                                     \
    static void begin_##T(void)                                                                         \
    {                                                                                                   \
        memset(&sender_##T, 0, sizeof sender_##T);                                                      \
        memset(&receiver_##T, 0, sizeof receiver_##T);                                                  \
    }                                                                                                   \
    static size_t send_##T(uint32_t n, uint64_t number, unsigned parts, uint8_t *data, uint64_t *backs) \
    {                                                                                                   \
        ack_##T *v = &sent_##T[n];                                                                      \
        pkt_error error;                                                                                \
        ack_##T##_init(v);                                                                              \
        v->number = number;                                                                             \
        SET;                                                                                            \
        const size_t size = ack_##T##_send_error(&sender_##T, v, 1, data, ROOM, &error);                \
        assert_int_equal(error.code, PKT_OK);                                                           \
        BACKS;                                                                                          \
        return size;                                                                                    \
    }                                                                                                   \
    static bool hear_##T(bool has, uint64_t number)                                                     \
    {                                                                                                   \
        return ack_##T##_acknowledged(&sender_##T, has, number);                                        \
    }                                                                                                   \
    static bool receive_##T(uint32_t n, const uint8_t *data, size_t size, pkt_error *error)             \
    {                                                                                                   \
        static ack_##T got;                                                                             \
        if (!ack_##T##_receive_error(&receiver_##T, &got, 1, data, size, error))                        \
            return false;                                                                               \
        assert_true(ack_##T##_equal(&got, &sent_##T[n]));                                               \
        return true;                                                                                    \
    }                                                                                                   \
    static bool say_##T(uint64_t *number)                                                               \
    {                                                                                                   \
        *number = receiver_##T.newest;                                                                  \
        return receiver_##T.acknowledges;                                                               \
    }                                                                                                   \
    static const kind kind_of_##T = {BITS,     STEP,     ALWAYS,      __VA_ARGS__, begin_##T,           \
                                     send_##T, hear_##T, receive_##T, say_##T};

#define SET_A (v->a.is = n, v->has_a = parts & 1)
#define SET_B (v->b.is = n * 3, v->has_b = (parts & 2) != 0)
#define RINGS(...)  \
    {               \
        __VA_ARGS__ \
    }
#define NAMES(...)  \
    {               \
        __VA_ARGS__ \
    }

KIND(Lone, 8, 1, 0, SET_A, backs[0] = BACK(v, back), RINGS(RING(Lone, a)), NAMES({1, 1, 31, -1}))
KIND(First, 16, 1, 2, (SET_A, v->b.is = n), (backs[0] = BACK(v, back), backs[1] = BACK(v, other)),
     RINGS(RING(First, a), RING(First, b)), NAMES({1, 1, 31, -1}, {2, 1, 31, -1}))
KIND(Last, 16, 1, 2, (SET_A, v->b.is = n), (backs[0] = BACK(v, back), backs[1] = BACK(v, other)),
     RINGS(RING(Last, a), RING(Last, b)), NAMES({1, 1, 31, -1}, {2, 1, 31, -1}))
KIND(Old, 16, 1, 1, v->a.is = n, backs[0] = BACK(v, back), RINGS(RING(Old, a)), NAMES({1, 2, 33, -1}))
KIND(Shared, 8, 1, 0, (SET_A, SET_B), backs[0] = BACK(v, back), RINGS(RING(Shared, a), RING(Shared, b)),
     NAMES({3, 1, 40, -1}))
KIND(Apart, 64, 2, 0, (SET_A, SET_B, v->c.at = n * 7, v->has_c = (parts & 4) != 0),
     (backs[0] = BACK(v, a_back), backs[1] = BACK(v, back), backs[2] = BACK(v, c_back), backs[3] = BACK(v, gap)),
     RINGS(RING(Apart, a), RING(Apart, b), RING(Apart, c)),
     NAMES({1, 1, 3, -1}, {2, 2, 20, -1}, {4, 5, 60, -1}, {4, 4, 30, 2}))

/* ---- what is known of each packet */

static struct {
    unsigned parts;
    bool arrived, heard; /* the receiver has its parts; the sender knows that */
} packets[TIMES];
static const kind *k;

/* The newest packet before n, in the range of a field, whose parts the sender knows to be there: how far it is back; 0: none. */
static uint64_t back_in(const name *by, uint32_t n)
{
    for (uint32_t m = n; m-- > 0 && (uint64_t)(n - m) * k->step <= by->high;)
        if (packets[m].heard && (packets[m].parts & by->parts) == by->parts && (uint64_t)(n - m) * k->step >= by->low)
            return (uint64_t)(n - m) * k->step;
    return 0;
}

/* The newest packet that has arrived with a part that is still in its ring. */
static bool newest_kept(uint32_t *m)
{
    uint32_t latest = TIMES;
    while (latest > 0 && !packets[latest - 1].arrived)
        latest--;
    for (*m = latest; (*m)-- > 0;)
        for (unsigned i = 0; i < MOST_PARTS && packets[*m].arrived; i++)
            if (packets[*m].parts >> i & 1 && (uint64_t)(latest - 1 - *m) * k->step < k->ring[i])
                return true;
    return false;
}

/* A datagram begins with what the test wants to know of it: its place among all that were sent, or what a client says. */
typedef struct head {
    uint32_t n;
    uint64_t number;
    bool has;
} head;

enum { TO_CLIENT, TO_SERVER };

static pkt_parcel parcels[MOST_PARCELS];
static pkt_network network;

static void carry(uint64_t now, uint32_t way, head h, const uint8_t *data, size_t size)
{
    uint8_t bytes[sizeof h + ROOM];
    memcpy(bytes, &h, sizeof h);
    if (size > 0)
        memcpy(bytes + sizeof h, data, size);
    pkt_network_send(&network, now, way, bytes, sizeof h + size);
}

static void hear(const head *h)
{
    const bool known = h->has && packets[h->n].heard;
    assert_false(k->hear(h->has, h->number) && known);
    if (h->has)
        packets[h->n].heard = true;
    for (uint32_t m = 0; !h->has && m < TIMES; m++)
        packets[m].heard = false;
}

/* Packets of some parts, one in `rarely` of each, over the network. The sender uses the baselines that it could. */
static void play(const kind *of, uint64_t first, uint32_t rarely, bool calm)
{
    const uint64_t mask = UINT64_MAX >> (64 - of->bits);
    uint32_t based = 0, received = 0;
    k = of;
    memset(packets, 0, sizeof packets);
    pkt_network_init(&network, draw(UINT32_MAX), parcels, MOST_PARCELS);
    network.burst = calm ? 0 : 0.5;
    network.doubling = calm ? 0 : 0.1;
    network.latency = calm ? 0 : draw(4);
    network.jitter = calm ? 0 : 3;
    k->begin();
    for (uint32_t n = 0; n < TIMES; n++) {
        uint8_t data[ROOM];
        uint64_t backs[MOST_NAMES] = {0};
        packets[n].parts = k->always;
        for (unsigned i = 0; i < MOST_PARTS; i++)
            if (k->ring[i] > 0 && hit(rarely))
                packets[n].parts |= 1u << i;
        network.loss = calm ? 0 : n % 500 > 450 ? 1 : 0.1;
        const size_t size = k->send(n, (first + (uint64_t)n * k->step) & mask, packets[n].parts, data, backs);
        assert_true(size > 0);
        for (unsigned i = 0; i < MOST_NAMES && k->names[i].parts != 0; i++) {
            const name *by = &k->names[i];
            const uint64_t before = by->from >= 0 ? backs[by->from] : 0;
            const bool asked = by->from >= 0 ? before != 0 : (packets[n].parts & by->parts) != 0;
            assert_int_equal(backs[i], asked ? back_in(by, n - (uint32_t)(before / k->step)) : 0);
            based += backs[i] != 0;
        }
        carry(n, TO_CLIENT, (head){.n = n}, data, size);
        for (const pkt_parcel *p; (p = pkt_network_take(&network, n)) != NULL;) {
            head h, says = {0};
            pkt_error error;
            memcpy(&h, p->data, sizeof h);
            if (p->way == TO_SERVER) {
                hear(&h);
                continue;
            }
            const bool newer = k->receive(h.n, p->data + sizeof h, p->size - sizeof h, &error);
            assert_true(newer || error.code == PKT_OK || error.code == PKT_ERROR_BASELINE);
            received += newer;
            packets[h.n].arrived = packets[h.n].arrived || newer || error.code == PKT_OK;
            says.has = k->say(&says.number);
            assert_int_equal(newest_kept(&says.n), says.has);
            assert_true(!says.has || says.number == ((first + (uint64_t)says.n * k->step) & mask));
            carry(n, TO_SERVER, says, NULL, 0);
        }
    }
    assert_in_range(received, TIMES / 3, TIMES);
    printf("%u bits, one in %u: received %u, based %u\n", k->bits, rarely, received, based);
}

TEST(test_any_parts)
{
    static const kind *const kinds[] = {&kind_of_Lone, &kind_of_First,  &kind_of_Last,
                                        &kind_of_Old,  &kind_of_Shared, &kind_of_Apart};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (unsigned calm = 0; calm < 2; calm++)
            for (uint32_t rarely = 1; rarely < 70; rarely += 1 + rarely)
                play(kinds[i], (uint64_t)0 - 2 * draw(TIMES), rarely, calm != 0);
}

/* ---- nothing is lost, and all is acknowledged at once: all but the first value of each part are deltas */

static unsigned count_based(const kind *of, unsigned every)
{
    unsigned based = 0;
    of->begin();
    for (uint32_t n = 0; n < 1000; n++) {
        uint8_t data[ROOM];
        uint64_t backs[MOST_NAMES] = {0}, number;
        pkt_error error;
        const size_t size = of->send(n, n & (UINT64_MAX >> (64 - of->bits)), n % every == 0 ? 3 : 2, data, backs);
        based += backs[0] != 0;
        assert_true(of->receive(n, data, size, &error));
        const bool has = of->say(&number);
        of->hear(has, number);
    }
    return based;
}

TEST(test_all_that_can_be)
{
    assert_int_equal(count_based(&kind_of_Lone, 1), 999);
    assert_int_equal(count_based(&kind_of_Lone, 2), 499);
    assert_int_equal(count_based(&kind_of_First, 2), 499);
    assert_int_equal(count_based(&kind_of_Last, 2), 499);
    assert_int_equal(count_based(&kind_of_Last, 31), 32);
    assert_int_equal(count_based(&kind_of_Last, 32), 0);
    assert_int_equal(count_based(&kind_of_Old, 1), 998);
    /* of two parts that share baselines, a packet with both is one */
    assert_int_equal(count_based(&kind_of_Shared, 2), 999);
}

int main(void)
{
    begin();
    return run_all(NULL);
}
