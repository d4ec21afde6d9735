/* fuzz_sessions.c - what anybody may send to a handshake, a channel, a clock, a queue of commands and turns, in any order.
 * SPDX-License-Identifier: MIT
 *
 * The first byte of an input selects one of them. The others are steps: calls with arbitrary arguments. A step of a handshake may
 * have a right checksum, and begin as a packet that the other side has just sent, so that more than checksums is tried.
 */
#include "pkt_inside.h"

#include "demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static uint32_t next(input *in, unsigned bytes)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < bytes && in->size > 0; i++, in->data++, in->size--)
        number |= (uint32_t)*in->data << 8 * i;
    return number;
}

/* Any bits: also infinities, and what is no number. */
static double next_real(input *in)
{
    const uint64_t bits = next(in, 4) | (uint64_t)next(in, 4) << 32;
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

/* ---- handshakes */

enum { HELLO, CHALLENGE, RESPONSE, REFUSED, KINDS };

/* As in share/handshake/handshake.pkt. */
static const struct {
    uint8_t id[8];
    const char *name, *end;
} handshake_packets[KINDS] = {
    {{0xF8, 0x5F, 0x1E, 0x16, 0x12, 0x0D, 0xC6, 0x7B}, "Hello", "Hello.end"},
    {{0xC7, 0x91, 0xAD, 0xE9, 0x6A, 0x0B, 0x52, 0x41}, "Challenge", "Challenge.end"},
    {{0x7A, 0x60, 0xE3, 0x77, 0x2E, 0xB8, 0xC7, 0x04}, "Response", "Response.end"},
    {{0x3D, 0xA0, 0x7A, 0x1D, 0x31, 0xC8, 0x98, 0x4F}, "Refused", "Refused.end"},
};

static void seal(unsigned kind, uint8_t *data, size_t size)
{
    const char *const name = handshake_packets[kind].name, *const end = handshake_packets[kind].end;
    if (size < 8)
        return;
    const uint32_t check = pkt_crc32(0, end, strlen(end));
    memcpy(data + size - 4, (uint8_t[]){(uint8_t)check, (uint8_t)(check >> 8), (uint8_t)(check >> 16), check >> 24}, 4);
    uint32_t crc = pkt_crc32(pkt_crc32(0, handshake_packets[kind].id, 8), name, strlen(name));
    crc = pkt_crc32(crc, data + 4, size - 4);
    memcpy(data, (uint8_t[]){(uint8_t)crc, (uint8_t)(crc >> 8), (uint8_t)(crc >> 16), crc >> 24}, 4);
}

static void shake_hands(input *in)
{
    static const uint8_t addresses[2][6] = {{192, 0, 2, 1, 1, 1}, {192, 0, 2, 1, 1, 2}};
    pkt_door door = {.key = {7}, .window = next(in, 4)};
    pkt_joining j;
    uint8_t sent[PKT_HANDSHAKE_BYTES];
    size_t sent_size = 0;
    bool salted[2] = {false, false}; /* a salt was sent to the address */
    pkt_joining_init(&j, 11, 12, "name", next(in, 1) % 5);
    while (in->size > 0) {
        const unsigned how = next(in, 1), kind = how / 2 % KINDS, from = how / 64 % 2;
        size_t size = next(in, 2) % 320;
        uint8_t *packet = allocate(size > sent_size ? size : sent_size);
        size = how & 8 ? sent_size : size;
        for (size_t i = 0; i < size; i++)
            packet[i] = how & 8 ? sent[i] : (uint8_t)next(in, 1);
        for (unsigned i = next(in, 1) % 4; i > 0 && size > 0; i--)
            packet[next(in, 2) % size] = (uint8_t)next(in, 1);
        if (how & 1)
            seal(kind, packet, size);
        uint8_t *const exact = exactly(packet, size);
        free(packet);
        pkt_guest guest;
        const pkt_wish wish = pkt_door_receive(&door, addresses[from], 6, exact, size, &guest);
        if (wish == PKT_WISH_HELLO) {
            sent_size = pkt_door_answer(&door, addresses[from], 6, &guest, (pkt_refusal)(how / 128), 5, sent);
            demand(sent_size > 0 && sent_size <= size);
            salted[from] = true;
        } else if (wish == PKT_WISH_JOIN) {
            demand(salted[from] && size == (size_t)33 + guest.size);
            (void)pkt_door_admit(&door, &guest);
            demand(!pkt_door_admit(&door, &guest));
        }
        const pkt_joining before = j;
        if (!pkt_joining_receive(&j, exact, size))
            demand(memcmp(&before, &j, sizeof j) == 0);
        free(exact);
        if (how & 16) {
            const size_t written = pkt_joining_send(&j, next_real(in), sent);
            demand(written <= sizeof sent);
            sent_size = written > 0 ? written : sent_size;
        }
        door.window += (how & 32) != 0;
    }
}

/* ---- channels */

static void use_channel(input *in)
{
    const unsigned how = next(in, 1);
    const uint16_t room = (uint16_t)(1 << how / 2 % 5);
    uint32_t *values = allocate(room * sizeof *values), *sent = allocate(room * sizeof *sent);
    pkt_channel c;
    pkt_channel_init(&c, values, sizeof *values, room, how & 1, (uint16_t)next(in, 2));
    while (in->size > 0) {
        const uint32_t first = next(in, 2), expected = next(in, 2), count = next(in, 1);
        const pkt_channel before = c;
        const unsigned fresh = pkt_channel_receive(&c, (uint16_t)expected, (uint16_t)first, count);
        demand(fresh <= count && c.next == before.next && (uint16_t)(c.next - c.first) <= room);
        demand((uint16_t)(c.next - c.first) <= (uint16_t)(before.next - before.first));
        demand(c.expected == (fresh > 0 ? (uint16_t)(first + count) : before.expected));
        demand(pkt_channel_receive(&c, (uint16_t)expected, (uint16_t)first, count) == 0);
        for (unsigned i = count % 4; i > 0; i--) {
            const uint32_t value = c.next;
            demand(pkt_channel_push(&c, &value) || !c.forgets);
        }
        uint16_t says[2];
        const unsigned most = count % room, waits = pkt_channel_send(&c, &says[0], &says[1], sent, most);
        demand(waits <= most && says[0] == c.expected && says[1] == (uint16_t)(c.forgets ? c.next - waits : c.first));
        for (unsigned i = 0; i < waits; i++)
            demand(sent[i] == (uint16_t)(says[1] + i));
        uint16_t number = (uint16_t)first;
        unsigned after = 0;
        for (const uint32_t *value; (value = pkt_channel_after(&c, &number)) != NULL; after++)
            demand((uint16_t)*value == number);
        demand(after <= room && (after == 0 || number == (uint16_t)(c.next - 1)));
    }
    free(sent);
    free(values);
}

/* ---- clocks */

static void use_playout(input *in)
{
    pkt_playout p;
    pkt_shown shown;
    double now = 0;
    uint32_t count = 0;
    pkt_playout_init(&p, 1 + next(in, 1), 8 + next(in, 1) % 25);
    while (in->size > 0) {
        const unsigned how = next(in, 1);
        now = how & 1 ? next_real(in) : now + next(in, 1) / 100.0;
        if (how & 2)
            pkt_playout_arrived(&p, now, next(in, how & 4 ? 4 : 1), count++);
        demand(pkt_playout_show(&p, now, &shown) == (p.kept > 0) && p.kept <= PKT_PLAYOUT_KEPT);
        if (p.kept > 0)
            demand(shown.from < count && shown.to < count && shown.t >= 0 && shown.t <= 1);
    }
}

/* In no time are there more commands than its ticks allow, and a second of them. */
static void use_tick_clock(input *in)
{
    pkt_tick_clock c;
    uint32_t tick = next(in, 4), done = next(in, 4);
    const uint32_t rate = 1 + next(in, 1);
    double over = 0, least = 0;
    pkt_tick_clock_init(&c, rate, 8 + next(in, 1) % 25);
    while (in->size > 0) {
        const unsigned how = next(in, 1), on = how & 8 ? next(in, 1) : 1;
        if (how & 1)
            pkt_tick_clock_arrived(&c, tick, next(in, how & 2 ? 4 : 1));
        if (how & 4)
            done = next(in, 4);
        const unsigned due = pkt_tick_clock_due(&c, tick, done);
        done += due;
        over += due;
        demand(due <= 2 && over - least <= rate + 2);
        tick += on;
        over -= on * 65.0 / 64;
        least = over < least ? over : least;
    }
}

/* Commands of any numbers: each that is executed came with that number, after those before it. */
static void use_inputs(input *in)
{
    enum { MOST = 24 };
    pkt_inputs i;
    const uint16_t room = (uint16_t)(1 << next(in, 1) % 6);
    uint32_t *values = allocate(room * sizeof *values), commands[MOST], tick = next(in, 4), stamp = 0, last = 0;
    pkt_inputs_init(&i, values, sizeof *values, room, 1 + next(in, 1), (uint16_t)next(in, 2));
    while (in->size > 0) {
        const unsigned how = next(in, 1), count = how % (MOST + 1);
        const uint16_t first = (uint16_t)(how & 32 ? next(in, 2) : i.channel.expected - next(in, 1));
        for (unsigned n = 0; n < count; n++)
            commands[n] = ++stamp;
        const unsigned fresh = pkt_inputs_arrived(&i, tick, first, commands, count);
        demand(fresh <= count && (uint16_t)(i.channel.expected - 1 - i.executed) <= room);
        for (const uint32_t *c; how & 64 && (c = pkt_inputs_next(&i, tick)) != NULL; last = *c)
            demand(*c > last && *c <= stamp);
        tick += how & 128 ? next(in, 1) : 1;
    }
    free(values);
}

/* ---- turns */

static void use_turns(input *in)
{
    enum { SLOTS = 40 };
    pkt_wait waits[SLOTS];
    pkt_turns t;
    const unsigned bits = 8 + next(in, 1) % 25;
    const uint32_t mask = UINT32_MAX >> (32 - bits);
    uint32_t now = next(in, 4) & mask;
    pkt_turns_init(&t, waits, SLOTS, 1 + next(in, 1) % 120, bits);
    while (in->size > 0) {
        pkt_element order[SLOTS + 2];
        bool seen[SLOTS + 2] = {false};
        const unsigned how = next(in, 1), count = next(in, 1) % (SLOTS + 3);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t weight = next(in, how & 1 ? 4 : 1);
            order[i] = (pkt_element){i, (float)weight, i};
            if (how & 1)
                memcpy(&order[i].priority, &weight, sizeof weight);
        }
        pkt_turns_order(&t, order, count, now);
        for (uint32_t i = 0; i < count; i++) {
            demand(order[i].number < count && order[i].slot == order[i].number && !seen[order[i].number]);
            seen[order[i].number] = true;
        }
        pkt_turns_sent(&t, order, count == 0 ? 0 : next(in, 1) % (count + 1), now);
        if (how & 2)
            pkt_turns_acknowledged(&t, how & 4 ? next(in, 4) & mask : (now - next(in, 1)) & mask);
        for (uint32_t i = 0; i < SLOTS + 2; i++)
            demand(pkt_turns_waited(&t, i, now) <= mask / 2);
        now = (now + (how & 8 ? next(in, 4) : 1)) & mask;
    }
}

/* ---- checksums: of exact memory, and within more */

static void sum(input *in)
{
    const size_t spare = next(in, 1) % 40, size = in->size > spare ? in->size - spare : 0;
    uint8_t *bytes = exactly(in->data, in->size);
    const uint32_t crc = pkt_crc32_within(5, bytes, size, in->size);
    uint32_t slow = 5;
    for (size_t i = 0; i < size; i++)
        slow = pkt_crc32(slow, bytes + i, 1);
    demand(crc == slow);
    free(bytes);
    in->size = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const uses[])(input * in) = {shake_hands, use_channel, use_playout, use_tick_clock,
                                               use_turns,   sum,         use_inputs};
    input in = {data, size};
    const unsigned which = next(&in, 1) % (sizeof uses / sizeof uses[0]);
    uses[which](&in);
    return 0;
}
