/* test_senders.c - what T_send sends over a bad network is what T_receive gets, as deltas to what the other side has.
 * SPDX-License-Identifier: MIT
 */
#include "fit_draws.h"
#include "senders.h"

enum { TIMES = 10000, MOST_PARCELS = 256, ROOM = 200 };

/* Packets of another form have no T_sender: these names are free. */
typedef struct snd_Fixed_sender {
    int none;
} snd_Fixed_sender, snd_Ahead_sender, snd_Two_sender, snd_Moved_sender, snd_Deep_sender;

/* ---- packets, whose contents follow from the one before */

static uint64_t first; /* the number of the first one */

static void change_Eight(snd_Eight *v, uint32_t n)
{
    v->number = (uint8_t)(first + n);
    v->value.is += draw(9);
}

static void change_Sixteen(snd_Sixteen *v, uint32_t n)
{
    v->number = (uint16_t)(first + n);
    v->value.is += draw(9);
}

/* As ticks, of which not every one is sent. */
static void change_Widest(snd_Widest *v, uint32_t n)
{
    v->number = first + 3 * n;
    v->value.is += draw(9);
}

static void change_Parts(snd_Parts *v, uint32_t n)
{
    v->head.number = (uint8_t)(first + n);
    v->flock.time = n;
    for (int i = 0; i < 4; i++)
        v->flock.x[i] = hit(30) ? (float)draw(128) - 64 : v->flock.x[i] < 63 ? v->flock.x[i] + 0.25f : -64;
    snd_Flock_quantize(&v->flock);
    v->has_own = hit(3);
    v->own.ammo[draw(8)]++;
    v->has_last = n / 300 % 2 == 0; /* then none for more than all numbers */
    v->last.ammo[draw(8)]++;
    v->value.is = n;
}

static void change_Filled(snd_Filled *v, uint32_t n)
{
    (void)n;
    v->tick++;
}

/* Sends what fits of a state. */
static void fill(snd_Filled_sender *s, snd_Filled *v)
{
    static snd_State now;
    pkt_element wanted[60];
    pkt_fit_report report;
    const snd_Filled_baselines from = snd_Filled_sender_baselines(s, v);
    for (int i = 0; i < 9; i++) {
        snd_Thing *t = snd_State_things_find(&now, (uint8_t)draw(70));
        if (t && hit(4))
            snd_State_things_remove(&now, t->id);
        else if (t)
            t->at += (uint16_t)draw(900);
        else
            snd_State_things_add(&now, (uint8_t)draw(70));
    }
    uint32_t count = shuffle(now.things_count);
    for (uint32_t i = 0; i < count; i++)
        wanted[i] = (pkt_element){snd_State_FIT_things + order[i].number, 1, 0};
    v->notes_count = (uint8_t)draw(5);
    assert_true(snd_Filled_fit_pack(&from, v, &now, wanted, &count, 60, &report));
    assert_int_equal(report.error.code, PKT_OK);
}

/* ---- over a bad network */

/* One kind of packet. */
typedef struct kind {
    void (*begin)(bool whole);
    size_t (*send)(uint32_t n, uint32_t session, uint8_t *data, size_t size, bool *based);
    bool (*hear)(bool has, uint64_t number);
    bool (*receive)(uint32_t n, uint32_t session, const uint8_t *data, size_t size, pkt_error *error);
    bool (*say)(uint64_t *number);
} kind;

#define KIND(T, BASED, BEFORE)                                                                                \
    static snd_##T##_sender sender_##T;                                                                       \
    static snd_##T##_receiver receiver_##T;                                                                   \
    static snd_##T sent_##T[TIMES];                                                                           \
    static void begin_##T(bool whole)                                                                         \
    {                                                                                                         \
        if (whole) {                                                                                          \
            memset(&sender_##T, 0, sizeof sender_##T);                                                        \
            memset(&receiver_##T, 0, sizeof receiver_##T);                                                    \
        }                                                                                                     \
        snd_##T##_sender_begin(&sender_##T);                                                                  \
        snd_##T##_receiver_begin(&receiver_##T);                                                              \
    }                                                                                                         \
    static size_t send_##T(uint32_t n, uint32_t session, uint8_t *data, size_t size, bool *based)             \
    {                                                                                                         \
        snd_##T *v = &sent_##T[n];                                                                            \
        pkt_error error;                                                                                      \
        if (n > 0)                                                                                            \
            *v = sent_##T[n - 1];                                                                             \
        else                                                                                                  \
            snd_##T##_init(v);                                                                                \
        change_##T(v, n);                                                                                     \
        BEFORE;                                                                                               \
        size = snd_##T##_send_error(&sender_##T, v, session, data, size, &error);                             \
        assert_int_equal(error.code, PKT_OK);                                                                 \
        *based = v->BASED;                                                                                    \
        return size;                                                                                          \
    }                                                                                                         \
    static bool hear_##T(bool has, uint64_t number)                                                           \
    {                                                                                                         \
        return snd_##T##_acknowledged(&sender_##T, has, number);                                              \
    }                                                                                                         \
    static bool receive_##T(uint32_t n, uint32_t session, const uint8_t *data, size_t size, pkt_error *error) \
    {                                                                                                         \
        static snd_##T got;                                                                                   \
        if (!snd_##T##_receive_error(&receiver_##T, &got, session, data, size, error))                        \
            return false;                                                                                     \
        assert_true(snd_##T##_equal(&got, &sent_##T[n]));                                                     \
        return true;                                                                                          \
    }                                                                                                         \
    static bool say_##T(uint64_t *number)                                                                     \
    {                                                                                                         \
        *number = receiver_##T.newest;                                                                        \
        return receiver_##T.acknowledges;                                                                     \
    }                                                                                                         \
    static const kind kind_of_##T = {begin_##T, send_##T, hear_##T, receive_##T, say_##T};

KIND(Eight, has_back, )
KIND(Sixteen, has_back, )
KIND(Widest, has_back, )
KIND(Parts, head.has_back, )
KIND(Filled, has_back, fill(&sender_Filled, v))

/* A datagram begins with what the test wants to know of it: its place among all that were sent, or what a client says. */
typedef struct head {
    uint32_t n, session;
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

/* A tenth is lost, more of it in bursts, and for a while all. What arrives is late, out of order, and sometimes there twice. In each
 * session, datagrams of the one before still arrive. The client refuses nothing but what is late, and each packet that it gets is
 * the one that was sent. At least `fewest` packets are deltas. */
static void play(const kind *k, uint64_t from, uint32_t fewest)
{
    uint32_t session = 1, began = 0, received = 0, based = 0, newest = 0;
    first = from;
    pkt_network_init(&network, draw(UINT32_MAX), parcels, MOST_PARCELS);
    network.burst = 0.5;
    network.doubling = 0.1;
    network.latency = 2;
    network.jitter = 5;
    k->begin(true);
    for (uint32_t n = 0; n < TIMES; n++) {
        uint8_t data[ROOM];
        bool delta;
        if (n % 1000 == 999) {
            session++;
            began = newest = n;
            k->begin(false);
        }
        network.loss = n % 700 > 600 ? 1 : 0.1;
        const size_t size = k->send(n, session, data, sizeof data, &delta);
        assert_true(size > 0);
        assert_true(!delta || n > began);
        based += delta;
        carry(n, TO_CLIENT, (head){.n = n}, data, size);
        for (const pkt_parcel *p; (p = pkt_network_take(&network, n)) != NULL;) {
            head h;
            pkt_error error;
            memcpy(&h, p->data, sizeof h);
            if (p->way == TO_SERVER) {
                if (h.session == session)
                    k->hear(h.has, h.number);
            } else if (k->receive(h.n, session, p->data + sizeof h, p->size - sizeof h, &error)) {
                assert_true(received == 0 || newest == began || h.n > newest);
                newest = h.n;
                received++;
            } else {
                assert_true(error.code == PKT_OK || h.n < began || h.n < newest);
            }
        }
        head says = {.session = session};
        says.has = k->say(&says.number);
        carry(n, TO_SERVER, says, NULL, 0);
    }
    assert_in_range(received, TIMES / 3, TIMES);
    assert_in_range(based, fewest, TIMES);
    printf("received %u, based %u\n", received, based);
}

TEST(test_networks)
{
    play(&kind_of_Eight, draw(256), 8000);
    play(&kind_of_Sixteen, 60000, 7000);
    play(&kind_of_Widest, UINT64_MAX - 5000, 5000);
    play(&kind_of_Parts, draw(256), 7000);
    play(&kind_of_Filled, 0, 7000);
}

/* ---- what a client says */

static snd_Sixteen_sender sixteen;
static uint16_t next_sixteen;

static void begin_sixteen(uint16_t number)
{
    memset(&sixteen, 0, sizeof sixteen);
    next_sixteen = number;
}

/* Sends `count` packets. The `back` of the last one; 0 if it has no baseline. */
static unsigned send_sixteen(unsigned count)
{
    snd_Sixteen v = {.number = 0};
    uint8_t data[snd_Sixteen_MAX_BYTES];
    for (; count > 0; count--) {
        v.number = next_sixteen++;
        v.value.is = v.number;
        assert_true(snd_Sixteen_send(&sixteen, &v, 1, data, sizeof data) > 0);
    }
    return v.has_back ? v.back : 0;
}

static bool acknowledge(uint64_t number)
{
    return snd_Sixteen_acknowledged(&sixteen, true, number);
}

TEST(test_what_is_newer)
{
    begin_sixteen(65530);
    assert_false(acknowledge(65530));
    assert_int_equal(send_sixteen(10), 0); /* up to 3 */
    assert_true(acknowledge(65535));
    assert_false(acknowledge(65535));
    assert_false(acknowledge(65534));
    assert_int_equal(send_sixteen(1), 5);
    assert_true(acknowledge(1));
    assert_false(acknowledge(65535));
    assert_int_equal(send_sixteen(1), 4);
    assert_false(snd_Sixteen_acknowledged(&sixteen, false, 4));
    assert_int_equal(send_sixteen(1), 0);
    assert_true(acknowledge(2));
    assert_int_equal(send_sixteen(1), 5);
}

/* Nobody has sent them, in this session or at all. */
TEST(test_numbers_that_were_not_sent)
{
    begin_sixteen(100);
    send_sixteen(50);
    assert_true(acknowledge(145));
    for (uint32_t number = 0; number < 1u << 17; number++)
        assert_true(acknowledge(number) == (number == 146 || number == 147 || number == 148 || number == 149));
    assert_false(acknowledge(UINT64_MAX - 65535 + 149));
    assert_int_equal(send_sixteen(1), 1);
    snd_Sixteen_sender_begin(&sixteen);
    assert_int_equal(send_sixteen(1), 0);
    assert_false(acknowledge(149));
    assert_int_equal(send_sixteen(1), 0);
}

TEST(test_what_is_too_old)
{
    begin_sixteen(0);
    send_sixteen(1);
    assert_true(acknowledge(0));
    assert_int_equal(send_sixteen(31), 31);
    assert_int_equal(send_sixteen(1), 0);
    assert_false(acknowledge(0));
    assert_true(acknowledge(1));
    assert_int_equal(send_sixteen(1), 0);
    assert_true(acknowledge(2));
    send_sixteen(65536 - 3);
    for (unsigned i = 0; i < 40; i++) /* the same numbers, of other values */
        assert_int_equal(send_sixteen(1), 0);
}

/* What was not packed cannot have arrived. */
TEST(test_what_did_not_fit)
{
    snd_Sixteen v = {.number = 7};
    uint8_t data[snd_Sixteen_MAX_BYTES];
    pkt_error error;
    begin_sixteen(0);
    assert_int_equal(snd_Sixteen_send(&sixteen, &v, 1, data, 5), 0);
    assert_int_equal(snd_Sixteen_send_error(&sixteen, &v, 1, data, 5, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    assert_false(acknowledge(7));
    assert_true(snd_Sixteen_send(&sixteen, &v, 1, data, sizeof data) > 0);
    assert_true(acknowledge(7));
}

/* A receiver takes it for late, so it is not sent: the last number, and 63 before it, also where they wrap. Nothing changes: the next
 * number is a delta to the same baseline. Receivers follow a number that goes further back, or more than half of all numbers on. */
TEST(test_numbers_that_are_not_newer)
{
    static const uint16_t last[] = {0, 1, 500, 32767, 32768, 65535};
    uint8_t data[snd_Sixteen_MAX_BYTES];
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        begin_sixteen((uint16_t)(last[i] - 3));
        send_sixteen(4);
        assert_true(acknowledge(last[i]));
        for (uint32_t back = 0; back < 64; back++) {
            snd_Sixteen v = {.number = (uint16_t)(last[i] - back)};
            pkt_error error;
            assert_int_equal(snd_Sixteen_send(&sixteen, &v, 1, data, sizeof data), 0);
            assert_int_equal(snd_Sixteen_send_error(&sixteen, &v, 1, data, sizeof data, &error), 0);
            assert_int_equal(error.code, PKT_ERROR_ORDER);
            assert_string_equal(error.field, "Sixteen.number");
            assert_int_equal(error.bit, 0);
            assert_false(v.has_back);
        }
        assert_int_equal(send_sixteen(1), 1);
        next_sixteen = (uint16_t)(next_sixteen + 40000 + 20 * i);
        send_sixteen(1);
        snd_Sixteen_sender_begin(&sixteen);
        next_sixteen = last[i];
        send_sixteen(1);
    }
}

/* ---- several parts */

static snd_Parts_sender parts;

static void send_parts(snd_Parts *v, uint8_t number)
{
    uint8_t data[snd_Parts_MAX_BYTES];
    v->head.number = number;
    assert_true(snd_Parts_send(&parts, v, 1, data, sizeof data) > 0);
}

/* Numbers of parts are those of the packet and 1. */
static bool acknowledge_parts(uint8_t number)
{
    return snd_Parts_acknowledged(&parts, true, (uint8_t)(number + 1));
}

TEST(test_parts)
{
    static snd_Parts v;
    memset(&parts, 0, sizeof parts);
    snd_Parts_init(&v);
    v.has_own = true;
    send_parts(&v, 250);
    assert_false(v.head.has_back || v.has_gap || v.has_own_back || v.has_last_back);
    assert_true(acknowledge_parts(250));
    v.has_own = false;
    send_parts(&v, 252);
    assert_true(v.head.has_back && v.head.back == 2);
    assert_false(v.has_gap || v.has_own_back || v.has_last_back); /* one value says not how it moves */
    assert_true(acknowledge_parts(252));
    v.has_own = v.has_last = true;
    send_parts(&v, 255);
    assert_true(v.head.has_back && v.head.back == 3);
    assert_true(v.has_gap && v.gap == 2);
    assert_true(v.has_own_back && v.own_back == 5); /* 252 had none */
    assert_false(v.has_last_back);
    assert_true(acknowledge_parts(255));
    uint8_t data[snd_Parts_MAX_BYTES];
    pkt_error error;
    assert_int_equal(snd_Parts_send_error(&parts, &v, 1, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_ORDER);
    assert_string_equal(error.field, "Parts.head.number");
    send_parts(&v, 0);
    assert_true(v.gap == 3 && v.own_back == 1 && v.last_back == 1);
}

/* The first one that is acknowledged has moved from none, whatever was sent before it. */
TEST(test_the_first_value)
{
    static snd_Parts v;
    memset(&parts, 0, sizeof parts);
    snd_Parts_init(&v);
    for (unsigned n = 255; n <= 256 + 3; n++)
        send_parts(&v, (uint8_t)n);
    assert_true(acknowledge_parts(2));
    send_parts(&v, 4);
    assert_true(v.head.back == 2 && !v.has_gap);
    assert_true(acknowledge_parts(3));
    assert_false(snd_Parts_acknowledged(&parts, false, 0));
    assert_true(acknowledge_parts(4));
    send_parts(&v, 5);
    assert_true(v.head.back == 1 && !v.has_gap);
}

/* The number comes again, of a packet without the part. */
TEST(test_parts_of_old_numbers)
{
    static snd_Parts v;
    memset(&parts, 0, sizeof parts);
    snd_Parts_init(&v);
    v.has_own = true;
    send_parts(&v, 5);
    v.has_own = false;
    for (unsigned i = 6; i <= 256 + 5; i++)
        send_parts(&v, (uint8_t)i);
    assert_true(acknowledge_parts(5));
    v.has_own = true;
    send_parts(&v, 6);
    assert_true(v.head.has_back && !v.has_own_back);
}

/* Both sides have the start value, which stays for the next session. */
TEST(test_start_values)
{
    static const snd_Own start = {{1, 2, 3, 4, 5, 6, 7, 8}};
    static snd_Parts_receiver in;
    static snd_Parts v, got;
    uint8_t data[snd_Parts_MAX_BYTES];
    size_t whole, size;
    memset(&parts, 0, sizeof parts);
    memset(&in, 0, sizeof in);
    snd_Parts_init(&v);
    v.has_own = true;
    v.own = start;
    whole = snd_Parts_send(&parts, &v, 1, data, sizeof data);
    parts.kept.own_start = snd_Parts_own_start(&start);
    snd_Parts_sender_begin(&parts);
    size = snd_Parts_send(&parts, &v, 1, data, sizeof data);
    assert_in_range(size, 1, whole - 7);
    assert_false(snd_Parts_receive(&in, &got, 1, data, size));
    in.kept.own_start = parts.kept.own_start;
    assert_true(snd_Parts_receive(&in, &got, 1, data, size));
    assert_true(snd_Parts_equal(&got, &v));
}

int main(void)
{
    begin();
    return run_all(NULL);
}
