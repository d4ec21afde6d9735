/* demo.c - reads the snapshots of a demo.
 * SPDX-License-Identifier: MIT
 */
#include "demo.h"
#include "demo_code.h"

#include <string.h>

/* What a message consists of, by the byte before it. */
enum { NOTHING = 1, GAMESTATE, SETTING, START, COMMAND, SNAPSHOT = 7, END };

enum { NUMBER_BITS = 10, LAST_NUMBER = DEMO_SLOTS - 1, SMALL_BITS = 13, SMALL_LEAST = -4096 };

/* A message. After its end all bits are 0, and `failed` is set, which each loop asks. */
typedef struct message {
    const uint8_t *data;
    uint32_t size, at; /* in bits */
    const demo_code_tree *codes;
    bool failed;
} message;

static uint32_t read_bit(message *m)
{
    if (m->at >= m->size) {
        m->failed = true;
        return 0;
    }
    const uint32_t bit = (uint32_t)m->data[m->at / 8] >> m->at % 8 & 1;
    m->at++;
    return bit;
}

static uint32_t read_byte(message *m)
{
    int node = DEMO_CODE_ROOT;
    while (node >= 0)
        node = (*m->codes)[node][read_bit(m)];
    if (node == DEMO_CODE_NONE)
        m->failed = true;
    return m->failed ? 0 : (uint32_t)~node;
}

/* Bits that are no whole byte come first and as they are, then bytes in their code. */
static uint32_t read_bits(message *m, int bits)
{
    uint32_t value = 0;
    int at = 0;
    for (; at < bits % 8; at++)
        value |= read_bit(m) << at;
    for (; at < bits; at += 8)
        value |= read_byte(m) << at;
    return value;
}

static int32_t read_signed(message *m, int bits)
{
    const uint32_t value = read_bits(m, bits), sign = (uint32_t)1 << (bits - 1);
    return (int32_t)((value ^ sign) - sign);
}

static int32_t read_long(message *m)
{
    return (int32_t)read_bits(m, 32);
}

static void skip_text(message *m)
{
    while (!m->failed && read_bits(m, 8) != 0)
        continue;
}

static int32_t float_bits(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A float is a whole number of 13 bits, or all its bits. */
static int32_t read_float(message *m)
{
    if (read_bit(m))
        return read_long(m);
    return float_bits((float)((int32_t)read_bits(m, SMALL_BITS) + SMALL_LEAST));
}

static int32_t read_number(message *m, int bits)
{
    return bits == 0 ? read_float(m) : bits < 0 ? read_signed(m, -bits) : (int32_t)read_bits(m, bits);
}

#define BITS(name, bits) bits,
static const int8_t entity_bits[DEMO_ENTITY_FIELDS] = {DEMO_ENTITY(BITS)};
static const int8_t player_bits[DEMO_PLAYER_FIELDS] = {DEMO_PLAYER(BITS)};

/* The changes of an entity, whose number was read. Returns false if it is gone. */
static bool read_entity(message *m, demo_entity *e)
{
    if (read_bit(m))
        return false;
    if (!read_bit(m))
        return true;
    const uint32_t count = read_bits(m, 8); /* none of the fields after them has changed */
    if (count > DEMO_ENTITY_FIELDS)
        m->failed = true;
    for (uint32_t i = 0; i < count && !m->failed; i++)
        if (read_bit(m))
            e->fields[i] = read_bit(m) ? read_number(m, entity_bits[i]) : 0;
    return true;
}

static void read_player(message *m, int32_t *player)
{
    static const int8_t bits[DEMO_ARRAYS] = {-16, -16, -16, 32};
    const uint32_t count = read_bits(m, 8);
    if (count > DEMO_PLAYER_FIELDS)
        m->failed = true;
    for (uint32_t i = 0; i < count && !m->failed; i++)
        if (read_bit(m))
            player[i] = read_number(m, player_bits[i]);
    if (!read_bit(m))
        return;
    for (int array = 0; array < DEMO_ARRAYS; array++) {
        const uint32_t changed = read_bit(m) ? read_bits(m, DEMO_ARRAY) : 0;
        for (int i = 0; i < DEMO_ARRAY; i++)
            if (changed >> i & 1)
                player[DEMO_PLAYER_FIELDS + array * DEMO_ARRAY + i] = read_number(m, bits[array]);
    }
}

static void add(message *m, demo_snapshot *s, const demo_entity *e)
{
    if (s->count == DEMO_MOST_ENTITIES)
        m->failed = true;
    else
        s->entities[s->count++] = *e;
}

/* The numbers that are listed ascend. Entities of the base whose numbers are not listed stay as they are. */
static void read_entities(message *m, const demo *d, const demo_snapshot *base, demo_snapshot *s)
{
    const demo_entity *old = base ? base->entities : NULL, *const end = base ? old + base->count : NULL;
    for (int32_t last = -1; !m->failed;) {
        demo_entity e;
        const int32_t number = (int32_t)read_bits(m, NUMBER_BITS);
        for (; old != end && old->number < number; old++)
            add(m, s, old);
        if (number == LAST_NUMBER)
            return;
        if (number <= last)
            m->failed = true;
        last = number;
        const bool known = old != end && old->number == number;
        e = known ? *old++ : d->start[number];
        e.number = number;
        if (read_entity(m, &e))
            add(m, s, &e);
    }
}

static const demo_snapshot *find(const demo *d, int32_t number)
{
    const demo_snapshot *s = &d->kept[(uint32_t)number % DEMO_KEPT];
    return number >= 0 && s->number == number ? s : NULL;
}

/* Returns NULL after setting the error, if it is a delta to a snapshot that is not there. */
static const demo_snapshot *read_snapshot(message *m, demo *d, int32_t number)
{
    demo_snapshot *const s = &d->kept[(uint32_t)number % DEMO_KEPT];
    const uint32_t begun = m->at;
    const int32_t time = read_long(m), back = (int32_t)read_bits(m, 8);
    const demo_snapshot *const base = back != 0 ? find(d, number - back) : NULL;
    if (back != 0 && (!base || base == s)) {
        d->error = "a snapshot is a delta to one that is not there";
        return NULL;
    }
    memset(s, 0, sizeof *s);
    s->number = number;
    s->base = base ? base->number : -1;
    s->time = time;
    s->flags = (uint8_t)read_bits(m, 8);
    s->area_bytes = (uint8_t)read_bits(m, 8);
    if (s->area_bytes > DEMO_AREAS)
        m->failed = true;
    for (int i = 0; i < s->area_bytes && !m->failed; i++)
        s->areas[i] = (uint8_t)read_bits(m, 8);
    if (base)
        memcpy(s->player, base->player, sizeof s->player);
    read_player(m, s->player);
    read_entities(m, d, base, s);
    s->bits = m->at - begun;
    return s;
}

/* Of the state of a game only what entities start from is kept; a new one begins the game anew. */
static void read_gamestate(message *m, demo *d)
{
    memset(d->start, 0, sizeof d->start);
    for (int i = 0; i < DEMO_KEPT; i++)
        d->kept[i].number = -1;
    read_long(m);
    while (!m->failed) {
        const uint32_t what = read_bits(m, 8);
        if (what == SETTING) {
            read_bits(m, 16);
            skip_text(m);
        } else if (what == START) {
            demo_entity *const e = &d->start[read_bits(m, NUMBER_BITS)];
            memset(e, 0, sizeof *e);
            read_entity(m, e);
        } else if (what == END) {
            break;
        } else {
            m->failed = true;
        }
    }
    read_long(m);
    read_long(m);
}

/* Returns the snapshot of the message, or NULL if it has none or is damaged. Behind its end stand extensions for voices. */
static const demo_snapshot *read_message(message *m, demo *d, int32_t number)
{
    const demo_snapshot *s = NULL;
    read_long(m);
    while (!m->failed && !d->error) {
        const uint32_t what = read_bits(m, 8);
        if (what == END) {
            break;
        } else if (what == COMMAND) {
            read_long(m);
            skip_text(m);
        } else if (what == GAMESTATE) {
            s = NULL;
            read_gamestate(m, d);
        } else if (what == SNAPSHOT) {
            s = read_snapshot(m, d, number);
        } else if (what != NOTHING) {
            m->failed = true;
        }
    }
    if (m->failed)
        d->error = "a message is damaged";
    return d->error ? NULL : s;
}

void demo_begin(demo *d, const void *data, size_t size)
{
    memset(d, 0, sizeof *d);
    d->data = data;
    d->size = size;
    for (int i = 0; i < DEMO_KEPT; i++)
        d->kept[i].number = -1;
}

static int32_t little_endian(const uint8_t *p)
{
    return (int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

const demo_snapshot *demo_next(demo *d)
{
    const demo_snapshot *s = NULL;
    while (!s && !d->error && d->at != d->size) {
        if (d->size - d->at < 8) {
            d->error = "the end is missing";
            break;
        }
        const int32_t number = little_endian(d->data + d->at), size = little_endian(d->data + d->at + 4);
        if (size == -1)
            break;
        d->at += 8;
        if (number < 0 || size < 0 || size > DEMO_MESSAGE || (size_t)size > d->size - d->at) {
            d->error = "a message is damaged";
            break;
        }
        message m = {.data = d->data + d->at, .size = (uint32_t)size * 8, .codes = demo_code_of_bytes()};
        d->at += (size_t)size;
        s = read_message(&m, d, number);
    }
    return s;
}
