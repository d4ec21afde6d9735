/* test_demo.c - the reader of demos, with demos that the test writes.
 * SPDX-License-Identifier: MIT
 */
#include "unit.h"

#include "demo.h"
#include "demo_code.h"

#include <string.h>

enum { NOTHING = 1, GAMESTATE, SETTING, START, COMMAND, SNAPSHOT = 7, END, LAST = DEMO_SLOTS - 1 };

/* A demo that is written, one message after the other. */
typedef struct writer {
    uint8_t data[65536];
    size_t size, begun; /* begun: where the message begins whose bits are written */
    uint32_t bits;
} writer;

static writer w;
static demo d;

static void put_bit(uint32_t bit)
{
    uint8_t *const byte = &w.data[w.begun + w.bits / 8];
    *byte = (uint8_t)(*byte | bit << w.bits % 8);
    w.bits++;
}

static void put(uint32_t value, int bits)
{
    int at = 0;
    for (; at < bits % 8; at++)
        put_bit(value >> at & 1);
    for (; at < bits; at += 8) {
        const demo_code code = demo_code_of((uint8_t)(value >> at));
        for (int i = 0; i < code.length; i++)
            put_bit(code.bits >> i & 1);
    }
}

static void put_text(const char *text)
{
    do
        put((uint8_t)*text, 8);
    while (*text++);
}

static void put_plain(int32_t value)
{
    for (int i = 0; i < 4; i++)
        w.data[w.size++] = (uint8_t)((uint32_t)value >> 8 * i);
}

static void begin_message(int32_t number)
{
    put_plain(number);
    w.begun = w.size + 4;
    w.bits = 0;
    put(0, 32); /* the last command that the client acknowledged */
}

static void end_message(void)
{
    const size_t size = (w.bits + 7) / 8;
    put_plain((int32_t)size);
    w.size = w.begun + size;
}

static void begin_snapshot(uint32_t time, uint32_t back)
{
    put(SNAPSHOT, 8);
    put(time, 32);
    put(back, 8);
    put(4, 8);    /* flags */
    put(1, 8);    /* bytes of areas */
    put(0xa5, 8); /* areas */
}

static void put_no_player(void)
{
    put(0, 8);
    put_bit(0);
}

/* The head of an entity that has changed, up to the fields before `field`, which have not. */
static void put_entity(uint32_t number, int field, uint32_t fields)
{
    put(number, 10);
    put_bit(0); /* it is not gone */
    put_bit(1); /* it has changed */
    put(fields, 8);
    for (int i = 0; i < field; i++)
        put_bit(0);
    put_bit(1);
}

/* Begins a demo with a gamestate, in which entity 7 starts as type 3. */
static void begin_demo(void)
{
    memset(&w, 0, sizeof w);
    begin_message(1);
    put(GAMESTATE, 8);
    put(1, 32);
    put(SETTING, 8);
    put(0, 16);
    put_text("a setting");
    put(START, 8);
    put_entity(7, E_TYPE, E_TYPE + 1);
    put_bit(1);
    put(3, 8);
    put(END, 8);
    put(0, 32);
    put(0, 32);
    put(END, 8);
    end_message();
}

/* Three snapshots: entities 7 and 900; 900 has moved, 7 is gone; 900 is as before, and 901 is new. */
static void write_demo(void)
{
    begin_demo();
    begin_message(10);
    put(COMMAND, 8);
    put(1, 32);
    put_text("print a text");
    begin_snapshot(1000, 0);
    put(P_VIEW_HEIGHT + 1, 8);
    for (int i = 0; i < P_VIEW_HEIGHT; i++) {
        put_bit(i == P_X || i == P_Y);
        if (i == P_X) {
            put_bit(0);
            put(4096 - 17, 13);
        } else if (i == P_Y) {
            put_bit(1);
            put(0x3fc00000, 32);
        }
    }
    put_bit(1);
    put((uint8_t)-22, 8);
    put_bit(1); /* arrays: the second, with elements 0 and 15 */
    put_bit(0);
    put_bit(1);
    put(0x8001, 16);
    put(100, 16);
    put(0xffff, 16);
    put_bit(0);
    put_bit(0);
    put(7, 10);
    put_bit(0);
    put_bit(0);
    put_entity(900, E_TYPE, E_TYPE + 1);
    put_bit(1);
    put(2, 8);
    put(LAST, 10);
    put(END, 8);
    end_message();

    begin_message(12);
    put(NOTHING, 8);
    begin_snapshot(1050, 2);
    put_no_player();
    put(7, 10);
    put_bit(1);
    put_entity(900, E_PATH_X, E_PATH_X + 1);
    put_bit(1); /* it is not 0 */
    put_bit(0); /* a whole number */
    put(4096 + 64, 13);
    put(LAST, 10);
    put(END, 8);
    end_message();

    begin_message(13);
    begin_snapshot(1100, 1);
    put_no_player();
    put_entity(901, E_PATH_X, E_PATH_X + 1);
    put_bit(0); /* 0 */
    put(LAST, 10);
    put(END, 8);
    end_message();
}

static const demo_snapshot *next(void)
{
    const demo_snapshot *s = demo_next(&d);
    assert_non_null(s);
    assert_null(d.error);
    return s;
}

static void read_on(void)
{
    while (demo_next(&d))
        continue;
}

static int32_t bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TEST(snapshots)
{
    write_demo();
    put_plain(-1);
    put_plain(-1);
    demo_begin(&d, w.data, w.size);
    const demo_snapshot *s = next();
    assert_int_equal(s->number, 10);
    assert_int_equal(s->base, -1);
    assert_int_equal(s->time, 1000);
    assert_int_equal(s->flags, 4);
    assert_int_equal(s->area_bytes, 1);
    assert_int_equal(s->areas[0], 0xa5);
    assert_int_equal(s->player[P_X], bits_of(-17));
    assert_int_equal(s->player[P_Y], bits_of(1.5f));
    assert_int_equal(s->player[P_VIEW_HEIGHT], -22);
    assert_int_equal(s->player[DEMO_PLAYER_FIELDS + DEMO_ARRAY], 100);
    assert_int_equal(s->player[DEMO_PLAYER_FIELDS + DEMO_ARRAY + 15], -1);
    assert_int_equal(s->count, 2);
    assert_int_equal(s->entities[0].number, 7);
    assert_int_equal(s->entities[0].fields[E_TYPE], 3);
    assert_int_equal(s->entities[1].number, 900);
    assert_int_equal(s->entities[1].fields[E_TYPE], 2);

    s = next();
    assert_int_equal(s->number, 12);
    assert_int_equal(s->base, 10);
    assert_int_equal(s->player[P_X], bits_of(-17));
    assert_int_equal(s->count, 1);
    assert_int_equal(s->entities[0].number, 900);
    assert_int_equal(s->entities[0].fields[E_TYPE], 2);
    assert_int_equal(s->entities[0].fields[E_PATH_X], bits_of(64));

    s = next();
    assert_int_equal(s->base, 12);
    assert_int_equal(s->count, 2);
    assert_int_equal(s->entities[0].fields[E_PATH_X], bits_of(64));
    assert_int_equal(s->entities[1].number, 901);
    assert_int_equal(s->entities[1].fields[E_PATH_X], 0);
    assert_null(demo_next(&d));
    assert_null(d.error);
}

/* The bits of a snapshot are those from its time to the end of its entities. */
TEST(bits_of_a_snapshot)
{
    begin_demo();
    begin_message(2);
    begin_snapshot(5, 0);
    const uint32_t begun = w.bits;
    put_no_player();
    put(LAST, 10);
    const uint32_t body = w.bits - begun;
    put(END, 8);
    end_message();
    demo_begin(&d, w.data, w.size);
    int head = 0;
    const uint8_t bytes[] = {5, 0, 0, 0, 0, 4, 1, 0xa5};
    for (size_t i = 0; i < sizeof bytes; i++)
        head += demo_code_of(bytes[i]).length;
    assert_int_equal(next()->bits, (uint32_t)head + body);
}

/* Known codes, of the most frequent byte and of a rare one; and no code is the beginning of another. */
TEST(codes)
{
    double sum = 0;
    for (int i = 0; i < 256; i++) {
        const demo_code code = demo_code_of((uint8_t)i);
        assert_in_range(code.length, 1, 24);
        sum += 1.0 / (double)(1u << code.length);
        for (int j = 0; j < i; j++) {
            const demo_code other = demo_code_of((uint8_t)j);
            const int length = other.length < code.length ? other.length : code.length;
            assert_int_not_equal(code.bits & ((1u << length) - 1), other.bits & ((1u << length) - 1));
        }
    }
    /* What is left is the code of no byte. */
    assert_true(sum < 1 && sum > 0.999);
    assert_int_equal(demo_code_of(0).length, 2);
    assert_int_equal(demo_code_of(0).bits, 0x2);
    assert_int_equal(demo_code_of(250).length, 10);
    assert_int_equal(demo_code_of(250).bits, 0x2f9);
}

static void assert_error(const char *error)
{
    demo_begin(&d, w.data, w.size);
    read_on();
    assert_non_null(d.error);
    assert_string_equal(d.error, error);
    assert_null(demo_next(&d));
}

/* Begins a message with a snapshot up to its entities. */
static void begin_wrong(uint32_t back)
{
    begin_demo();
    begin_message(40);
    begin_snapshot(1, back);
    put_no_player();
}

static void end_wrong(void)
{
    put(LAST, 10);
    put(END, 8);
    end_message();
}

TEST(refusals)
{
    static const char damaged[] = "a message is damaged", missing[] = "a snapshot is a delta to one that is not there";
    const uint32_t backs[] = {1, 32, 39, 40, 41, 255};
    for (size_t i = 0; i < sizeof backs / sizeof backs[0]; i++) {
        begin_wrong(backs[i]);
        end_wrong();
        assert_error(missing);
    }

    begin_wrong(0); /* a snapshot that takes the place of its base */
    end_wrong();
    begin_message(72);
    begin_snapshot(2, 32);
    put_no_player();
    end_wrong();
    assert_error(missing);

    begin_wrong(0); /* numbers that do not ascend */
    put_entity(9, E_PATH_TIME, 1);
    put_bit(0);
    put_entity(9, E_PATH_TIME, 1);
    put_bit(0);
    end_wrong();
    assert_error(damaged);

    begin_wrong(0); /* more fields than there are */
    put_entity(9, E_PATH_TIME, DEMO_ENTITY_FIELDS + 1);
    put_bit(0);
    for (int i = 0; i < DEMO_ENTITY_FIELDS; i++)
        put_bit(0);
    end_wrong();
    assert_error(damaged);

    begin_demo(); /* the same, of the player */
    begin_message(2);
    begin_snapshot(1, 0);
    put(DEMO_PLAYER_FIELDS + 1, 8);
    for (int i = 0; i <= DEMO_PLAYER_FIELDS + 1; i++)
        put_bit(0);
    end_wrong();
    assert_error(damaged);

    begin_demo(); /* more bytes of areas than there are */
    begin_message(2);
    put(SNAPSHOT, 8);
    put(1, 32);
    put(0, 8);
    put(0, 8);
    put(DEMO_AREAS + 1, 8);
    for (int i = 0; i <= DEMO_AREAS; i++)
        put(0, 8);
    put_no_player();
    end_wrong();
    assert_error(damaged);

    begin_wrong(0); /* one entity more than a server sends */
    for (uint32_t number = 0; number <= DEMO_MOST_ENTITIES; number++) {
        put(number, 10);
        put_bit(0);
        put_bit(0);
    }
    end_wrong();
    assert_error(damaged);

    begin_demo(); /* a part of a message that does not exist */
    begin_message(2);
    put(9, 8);
    end_message();
    assert_error(damaged);

    begin_demo(); /* a message without an end */
    begin_message(2);
    put(NOTHING, 8);
    end_message();
    assert_error(damaged);

    begin_demo(); /* a message that is as large as messages are, and one byte more */
    for (int more = 0; more <= 1; more++) {
        begin_message(2 + more);
        put(END, 8);
        w.bits = (uint32_t)(DEMO_MESSAGE + more) * 8;
        end_message();
        if (more == 0) {
            demo_begin(&d, w.data, w.size);
            assert_null(demo_next(&d));
            assert_null(d.error);
        }
    }
    assert_error(damaged);

    begin_demo(); /* larger than the demo, and sizes and numbers that are none */
    put_plain(2);
    put_plain(1);
    assert_error(damaged);
    begin_demo();
    begin_message(-2);
    put(END, 8);
    end_message();
    assert_error(damaged);
    begin_demo();
    put_plain(2);
    put_plain(-2);
    assert_error(damaged);
    begin_demo();
    put_plain(2);
    assert_error("the end is missing");
}

/* As many as a server sends are read. */
TEST(most_entities)
{
    begin_wrong(0);
    for (uint32_t number = 0; number < DEMO_MOST_ENTITIES; number++) {
        put(number, 10);
        put_bit(0);
        put_bit(0);
    }
    end_wrong();
    demo_begin(&d, w.data, w.size);
    assert_int_equal(next()->count, DEMO_MOST_ENTITIES);
}

/* A new gamestate begins a new game: no snapshot before it is a base. */
TEST(new_game)
{
    write_demo();
    begin_message(14);
    put(GAMESTATE, 8);
    put(1, 32);
    put(END, 8);
    put(0, 32);
    put(0, 32);
    put(END, 8);
    end_message();
    begin_message(15);
    begin_snapshot(2000, 2);
    put_no_player();
    end_wrong();
    demo_begin(&d, w.data, w.size);
    for (int i = 0; i < 3; i++)
        next();
    assert_null(demo_next(&d));
    assert_string_equal(d.error, "a snapshot is a delta to one that is not there");
}

/* In memory of exactly that size, so that sanitizers see each byte that is read behind it. */
static void read_hostile(const uint8_t *data, size_t size)
{
    uint8_t *const copy = malloc(size + !size);
    int count = 0;
    assert_non_null(copy);
    memcpy(copy, data, size);
    demo_begin(&d, copy, size);
    for (const demo_snapshot *s; (s = demo_next(&d)); count++) {
        assert_in_range(s->count, 0, DEMO_MOST_ENTITIES);
        assert_in_range(s->area_bytes, 0, DEMO_AREAS);
        for (int i = 0; i < s->count; i++)
            assert_in_range(s->entities[i].number, i ? s->entities[i - 1].number + 1 : 0, LAST - 1);
    }
    assert_true((size_t)count <= size / 8);
    free(copy);
}

TEST(hostile)
{
    static uint8_t data[sizeof w.data];
    uint32_t seed = 1;
    write_demo();
    for (size_t size = 0; size <= w.size; size++)
        read_hostile(w.data, size);
    for (int round = 0; round < 20000; round++) {
        memcpy(data, w.data, w.size);
        for (int i = round % 4; i >= 0; i--) {
            seed = seed * 1664525u + 1013904223u;
            data[(seed >> 8) % w.size] ^= (uint8_t)(1 << (seed >> 5) % 8);
        }
        read_hostile(data, w.size);
    }
}
