/* use.c - a program in C or C++ whose types a schema is bound to. Prints its packets; exits with 1 where anything is wrong.
 * SPDX-License-Identifier: MIT
 */
#include "arms.h"

#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    printf("wrong: %s\n", what);
    wrong = 1;
}

static void print(const char *name, const uint8_t *data, size_t size)
{
    printf("%s", name);
    for (size_t i = 0; i < size; i++)
        printf(" %02x", (unsigned)data[i]);
    printf("\n");
}

/* The bytes of an array, also of one that is a class. */
#define SET(array, text) memcpy(&(array)[0], text, sizeof text)

static void fill_kit(kit *k)
{
    for (unsigned i = 0; i < 8; i++)
        k->slots[i] = (uint8_t)(10 + i);
    SET(k->name, "rifle");
    SET(k->tags[0], "one");
    SET(k->tags[1], "two");
    k->tags_count = 2;
    SET(k->blob, "abc");
    k->blob_size = 3;
    SET(k->blobs[1], "xy");
    k->blobs_size[1] = 2;
    k->weights[2] = 0.5f;
    k->at_count = 2;
    k->at[1].y = -1;
    for (unsigned i = 0; i < 16; i++)
        k->lanes[i] = (uint8_t)i;
}

static void fill_bag(bag *b)
{
    b->slots[7] = 200;
    b->counts[1][2] = -300;
    b->ids_count = 3;
    b->ids[2] = 70000;
    SET(b->name, "sack");
    SET(b->tags[1], "t");
    SET(b->blob, "12345");
    b->blob_size = 5;
    b->blobs_count = 1;
    SET(b->blobs[0], "z");
    b->blobs_size[0] = 1;
    b->team = Team_blue;
    b->keys = Keys_jump;
    b->at[1].z = 4;
    b->cells[15] = -3;
    b->lanes[14] = 15;
    b->weights[0] = -1;
    b->has_warmth = true;
    b->warmth = 1.5f;
    b->holes[69] = 9;
    expect(Bag_holes_set(b, 69), "a hole is set");
    expect(Bag_ways_set(b, 1), "a way is set");
    b->ways[1].x = 8;
    b->length = 0.1;
    b->price = -256;
    b->money = -5;
    b->raw[15] = 77;
    b->latch[0] = 1;
}

static void test_init(Player *p, Chest *c)
{
    p->at.secret = p->trail[3].secret = p->kit.secret = p->kit.at[1].secret = p->spare.secret = 99;
    c->bag.secret = c->bag.at[1].secret = c->bag.ways[2].secret = c->where.secret = 98;
    p->trail[3].x = 5;
    p->id = 1;
    p->frame = 1;
    p->user = p;
    p->kit.at[1].x = 5;
    SET(p->kit.tags[1], "noise");
    SET(c->bag.name, "noise");
    c->bag.owner = p;
    Player_init(p);
    Chest_init(c);
    expect(p->at.secret == 99 && p->trail[3].secret == 99 && p->kit.secret == 99 && p->kit.at[1].secret == 99,
           "Player_init leaves the program's members alone");
    expect(p->spare.secret == 99, "Player_init leaves those of an optional alone");
    expect(c->bag.secret == 98 && c->bag.at[1].secret == 98 && c->bag.ways[2].secret == 98 && c->where.secret == 98,
           "Chest_init leaves the program's members alone");
    expect(p->id == 7 && p->frame == 5 && p->user == NULL, "Player_init sets initial values");
    expect(p->at.x == 0 && p->trail[3].x == 0 && p->kit.at[1].x == 0, "Player_init sets all elements");
    expect(p->kit.tags[1][0] == 0 && p->kit.tags[1][4] == 0 && c->bag.name[4] == 0, "T_init clears texts");
    expect(c->bag.open && c->bag.team == Team_red && c->bag.owner == NULL, "Chest_init sets initial values");
#ifdef __cplusplus
    expect(p->grip.value == -1, "Player_init resets an object to what its constructor makes");
#else
    expect(p->grip.value == 0, "Player_init clears a local member");
#endif
}

int main(void)
{
    static Player p, q, r;
    static Chest c, d;
    static uint8_t data[1000];
    pkt_error error;
    char text[256];
    size_t size;
    p.grip.value = 3;
    test_init(&p, &c);
    Player_init(&q);
    Player_init(&r);
    Chest_init(&d);

    fill_bag(&c.bag);
    size = Chest_pack(&c, data, sizeof data);
    print("chest", data, size);
    d.bag.secret = 97;
    expect(Chest_unpack_error(&d, data, size, &error), pkt_error_string(&error, text, sizeof text));
    expect(Chest_equal(&c, &d) && d.bag.secret == 97, "a chest comes back");
    expect(Bag_holes_next(&d.bag, 0) == 69 && Bag_holes_count(&d.bag) == 1 && Bag_holes_has(&d.bag, 69),
           "a hole comes back");
    Bag_holes_clear(&d.bag, 69);
    expect(Bag_holes_count(&d.bag) == 0 && d.bag.holes[69] == 0, "a hole is cleared");
    Chest_quantize(&d);
    for (size_t cut = 0; cut < size; cut++)
        expect(!Chest_unpack(&d, data, cut), "a part of a chest is refused");

    fill_kit(&p.kit);
    p.trail_count = 2;
    p.trail[1].z = 3;
    size = Player_pack(&p, data, sizeof data);
    print("player", data, size);
    expect(Player_unpack_error(&q, data, size, &error), pkt_error_string(&error, text, sizeof text));
    expect(Player_equal(&p, &q), "a player comes back");
    for (size_t cut = 0; cut < size; cut++)
        expect(!Player_unpack(&q, data, cut), "a part of a player is refused");

    /* A delta against what lacks the optional, and one against nothing. */
    p.has_spare = true;
    fill_kit(&p.spare);
    p.kit.slots[3] = 1;
    SET(p.kit.tags[0], "three");
    for (int i = 0; i < 2; i++) {
        const Player *base = i == 0 ? &r : NULL;
        size = Player_pack_delta(base, &p, data, sizeof data);
        print("delta", data, size);
        q.at.secret = 96;
        expect(Player_unpack_delta_error(base, &q, data, size, &error), pkt_error_string(&error, text, sizeof text));
        expect(Player_equal(&p, &q) && q.at.secret == 96, "a delta comes back");
    }
    return wrong;
}
