/* test_links.c - tests refs with callbacks, types of the program, and local members.
 * SPDX-License-Identifier: MIT
 */
#include "links.h"
#include "unit.h"

#include <string.h>

/* ---- a program's objects

   Players 1 to 3, a crate and a place. Player 50 has an id that no object has, player 101 one that is too great. */

typedef struct world {
    ln_Player players[4];
    ln_Player newcomer, stranger, nobody;
    ln_Crate crate;
    vec3f place;
    unsigned asked;
    pkt_refs refs;
} world;

static uint32_t id_of(void *user, uint32_t type, const void *target)
{
    const world *w = user;
    switch (type) {
    case ln_Player_REF:
        if (target == &w->newcomer)
            return 50;
        if (target == &w->stranger)
            return 101;
        if (target == &w->nobody)
            return 0;
        return (uint32_t)((const ln_Player *)target - w->players);
    case ln_Crate_REF: return target == &w->crate ? 1 : 2;
    case ln_Vec3_REF: return UINT32_MAX;
    }
    fail_msg("asked for a type that the schema does not have");
    return 0;
}

static void *target_of(void *user, uint32_t type, uint32_t id)
{
    world *w = user;
    w->asked++;
    assert_true(id != 0);
    switch (type) {
    case ln_Player_REF: return id < 4 ? &w->players[id] : NULL;
    case ln_Crate_REF: return &w->crate;
    case ln_Vec3_REF: return id == UINT32_MAX ? &w->place : NULL;
    }
    fail_msg("asked for a type that the schema does not have");
    return NULL;
}

static void make_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->refs.id_of = id_of;
    w->refs.target_of = target_of;
    w->refs.user = w;
}

static void make_round(ln_Round *v, world *w)
{
    ln_Round_init(v);
    v->crate = &w->crate;
    v->scorers_count = 3;
    v->scorers[0] = &w->players[3];
    v->scorers[2] = &w->players[1];
    v->has_winner = true;
    v->winner = &w->players[2];
    v->marked = true;
    v->target = &w->players[1];
    v->at.x = 2.5f;
    v->act.as.hit.victim = &w->players[3];
    v->act.as.hit.spot = &w->place;
    v->players[1].leader = &w->players[2];
}

/* ---- refs */

TEST(test_refs)
{
    world w;
    ln_Round v, got;
    uint8_t data[ln_Round_MAX_BYTES];
    pkt_error error;
    make_world(&w);
    make_round(&v, &w);
    size_t size = ln_Round_pack_refs(&v, data, sizeof data, &w.refs, &error);
    assert_int_not_equal(size, 0);
    ln_Round_init(&got);
    assert_true(ln_Round_unpack_refs(&got, data, size, &w.refs, &error));
    assert_true(ln_Round_equal(&v, &got));
    assert_ptr_equal(got.scorers[0], &w.players[3]);
    assert_null(got.scorers[1]);
    assert_ptr_equal(got.winner, &w.players[2]);
    assert_ptr_equal(got.act.as.hit.spot, &w.place);
    assert_true(got.at.x == 2.5f);
    assert_int_equal(w.asked, 8);
    assert_true(w.refs.unknown == 0);
    got.target = NULL;
    assert_false(ln_Round_equal(&v, &got));
}

/* Without callbacks NULL can be written and read; other pointers cannot be written, and other ids read as NULL. */
TEST(test_nobody)
{
    world w;
    ln_Round v, got;
    uint8_t data[ln_Round_MAX_BYTES];
    pkt_error error;
    make_world(&w);
    ln_Round_init(&v);
    size_t size = ln_Round_pack(&v, data, sizeof data);
    assert_int_not_equal(size, 0);
    assert_true(ln_Round_unpack(&got, data, size));
    assert_null(got.crate);
    make_round(&v, &w);
    assert_int_equal(ln_Round_pack_error(&v, data, sizeof data, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_VALUE);
    assert_string_equal(error.field, "Round.crate");
    assert_true(error.bit == 32);
    size = ln_Round_pack_refs(&v, data, sizeof data, &w.refs, NULL);
    assert_true(ln_Round_unpack(&got, data, size));
    assert_null(got.crate);
    assert_null(got.winner);
    pkt_refs half = {id_of, NULL, &w, 0};
    assert_true(ln_Round_unpack_refs(&got, data, size, &half, NULL));
    assert_true(half.unknown == 8);
}

/* Without an error to fill in, refused bytes are not read again to find the reason. That would make refs NULL. */
TEST(test_refused_once)
{
    world w;
    ln_Round v, got;
    uint8_t data[ln_Round_MAX_BYTES + 1] = {0};
    pkt_error error;
    make_world(&w);
    make_round(&v, &w);
    const size_t size = ln_Round_pack_body_refs(&v, data, sizeof data, &w.refs, NULL);
    ln_Round_init(&got);
    assert_false(ln_Round_unpack_body_refs(&got, data, size + 1, &w.refs, NULL));
    assert_ptr_equal(got.crate, &w.crate);
    assert_false(ln_Round_unpack_body_refs(&got, data, size + 1, &w.refs, &error));
    assert_int_equal(error.code, PKT_ERROR_TRAILING);
    assert_null(got.crate);
}

/* A hash has the ids of refs, which need callbacks, and nothing of local members. */
TEST(test_hashes)
{
    world w;
    ln_Round v;
    ln_Player player;
    make_world(&w);
    make_round(&v, &w);
    assert_true(ln_Round_hash(&v) == 0);
    const uint64_t hash = ln_Round_hash_refs(&v, &w.refs);
    assert_true(hash != 0);
    v.serial = 77;
    v.players[0].owner = &w;
    assert_true(ln_Round_hash_refs(&v, &w.refs) == hash);
    v.winner = &w.players[1];
    assert_true(ln_Round_hash_refs(&v, &w.refs) != hash);
    ln_Player_init(&player);
    assert_true(ln_Player_hash(&player) != 0);
    assert_true(ln_Player_hash(&player) == ln_Player_hash_refs(&player, &w.refs));
}

TEST(test_unknown)
{
    world w;
    ln_Player v, got;
    uint8_t data[2];
    pkt_writer writer;
    pkt_reader reader;
    make_world(&w);
    ln_Player_init(&v);
    v.leader = &w.newcomer;
    pkt_writer_init(&writer, data, sizeof data);
    pkt_writer_set_refs(&writer, &w.refs);
    assert_true(ln_Player_write(&writer, &v));
    ln_Player_init(&got);
    got.leader = &w.stranger;
    for (unsigned times = 1; times <= 2; times++) {
        pkt_reader_init(&reader, data, sizeof data);
        pkt_reader_set_refs(&reader, &w.refs);
        assert_true(ln_Player_read(&reader, &got));
        assert_null(got.leader);
        assert_true(w.refs.unknown == times);
    }
    v.leader = &w.nobody;
    pkt_writer_init(&writer, data, sizeof data);
    pkt_writer_set_refs(&writer, &w.refs);
    assert_true(ln_Player_write(&writer, &v));
    assert_int_equal(data[0], 0);
}

TEST(test_ranges)
{
    world w;
    ln_Round v;
    ln_Player player;
    uint8_t data[ln_Round_MAX_BYTES];
    pkt_error error;
    pkt_reader reader;
    make_world(&w);
    make_round(&v, &w);
    v.players[1].leader = &w.stranger;
    assert_int_equal(ln_Round_pack_refs(&v, data, sizeof data, &w.refs, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Round.players[1].leader");
    make_round(&v, &w);
    ln_Crate other;
    v.crate = &other;
    assert_int_equal(ln_Round_pack_refs(&v, data, sizeof data, &w.refs, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_RANGE);
    assert_string_equal(error.field, "Round.crate");
    /* Team 0, then the id 101. */
    data[0] = (uint8_t)(101 << 2);
    data[1] = 101 >> 6;
    memset(&player, 0, sizeof player);
    player.leader = &w.players[1];
    pkt_reader_init(&reader, data, 2);
    pkt_reader_set_refs(&reader, &w.refs);
    assert_false(ln_Player_read(&reader, &player));
    assert_int_equal(reader.error.code, PKT_ERROR_RANGE);
    assert_string_equal(reader.error.field, "Player.leader");
    assert_true(reader.error.bit == 2);
    assert_int_equal(w.asked, 0);
}

/* After bytes were refused, pointers must be NULL, or come from the program. */
static bool is_known(const world *w, const ln_Player *p)
{
    return p == NULL || (p >= w->players && p < w->players + 4);
}

TEST(test_hostile)
{
    world w;
    uint8_t data[24];
    uint32_t random = 1;
    make_world(&w);
    for (int round = 0; round < 20000; round++) {
        ln_Round v;
        pkt_reader reader;
        for (size_t i = 0; i < sizeof data; i++) {
            random = random * 1664525 + 1013904223;
            data[i] = (uint8_t)(random >> 24 & random >> 16);
        }
        memset(&v, 0, sizeof v);
        uint8_t *exact = malloc((size_t)(round % 24) + 1);
        memcpy(exact, data, (size_t)(round % 24) + 1);
        pkt_reader_init(&reader, exact, (size_t)(round % 24) + 1);
        pkt_reader_set_refs(&reader, &w.refs);
        ln_Round_read(&reader, &v);
        assert_true(v.crate == NULL || v.crate == &w.crate);
        assert_in_range(v.scorers_count, 0, 3);
        for (int i = 0; i < v.scorers_count; i++)
            assert_true(is_known(&w, v.scorers[i]));
        assert_true(is_known(&w, v.winner) && is_known(&w, v.target));
        assert_true(is_known(&w, v.players[0].leader) && is_known(&w, v.players[1].leader));
        free(exact);
    }
}

/* A growing writer keeps its callbacks, also when it is rewound. */
TEST(test_growing)
{
    world w;
    ln_Round v;
    pkt_writer writer;
    make_world(&w);
    make_round(&v, &w);
    pkt_writer_grow_init(&writer);
    pkt_writer_set_refs(&writer, &w.refs);
    for (int i = 0; i < 100; i++)
        assert_true(ln_Round_write(&writer, &v));
    pkt_mark mark = pkt_writer_mark(&writer);
    v.target = &w.stranger;
    assert_false(ln_Round_write(&writer, &v));
    pkt_writer_rewind(&writer, mark);
    v.target = NULL;
    assert_true(ln_Round_write(&writer, &v));
    pkt_writer_free(&writer);
}

/* The first call gives another id than those after it, which a callback should not. */
typedef struct fickle {
    uint32_t first, then;
    unsigned asked;
} fickle;

static uint32_t fickle_id_of(void *user, uint32_t type, const void *target)
{
    fickle *f = user;
    (void)type;
    (void)target;
    return f->asked++ == 0 ? f->first : f->then;
}

/* What has failed has an error, even if looking for the reason finds none. */
TEST(test_fickle_ids)
{
    world w;
    ln_Round v, base;
    uint8_t data[ln_Round_MAX_BYTES];
    size_t size;
    pkt_writer writer;
    pkt_reader reader;
    pkt_error error;
    fickle f = {101, 1, 0};
    pkt_refs refs = {fickle_id_of, NULL, &f, 0};
    make_world(&w);
    ln_Round_init(&v);
    v.scorers_count = 1;
    v.scorers[0] = &w.players[1];
    for (unsigned grows = 0; grows < 2; grows++) {
        pkt_writer_init(&writer, data, sizeof data);
        if (grows != 0) {
            pkt_writer_grow_init(&writer);
            assert_true(pkt_writer_grow(&writer, 8 * sizeof data));
        }
        pkt_writer_set_refs(&writer, &refs);
        assert_false(ln_Round_write(&writer, &v));
        assert_int_equal(writer.error.code, PKT_ERROR_VALUE);
        assert_string_equal(writer.error.field, "Round");
        assert_false(pkt_writer_finish(&writer, &size));
        pkt_writer_free(&writer);
        f.asked = 0;
    }
    assert_int_equal(ln_Round_pack_refs(&v, data, sizeof data, &refs, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_VALUE);
    assert_string_equal(error.field, "Round");
    /* A delta to player 2, which is what the baseline's player is called first. */
    base = v;
    v.scorers[0] = &w.players[2];
    size = ln_Round_pack_delta_body_refs(&base, &v, data, sizeof data, &w.refs, &error);
    assert_int_not_equal(size, 0);
    f.first = 2;
    f.asked = 0;
    pkt_reader_init(&reader, data, size);
    pkt_reader_set_refs(&reader, &refs);
    assert_false(ln_Round_read_delta(&reader, &base, &v));
    assert_int_equal(reader.error.code, PKT_ERROR_CANONICAL);
    assert_string_equal(reader.error.field, "Round");
    assert_false(pkt_reader_finish(&reader));
    f.asked = 0;
    assert_false(ln_Round_unpack_delta_body_refs(&base, &v, data, size, &refs, &error));
    assert_int_equal(error.code, PKT_ERROR_CANONICAL);
    assert_string_equal(error.field, "Round");
}

/* ---- types of the program, and local members */

TEST(test_bound)
{
    vec3f v = {9, 1, 2, 3};
    ln_Vec3_init(&v);
    assert_true(v.w == 9 && v.x == 0 && v.y == 0 && v.z == 1.5f);
    v.x = 1.26f;
    ln_Vec3_quantize(&v);
    assert_true(v.w == 9 && v.x == 1.5f);
    uint8_t data[8];
    size_t size;
    pkt_writer writer;
    pkt_reader reader;
    pkt_writer_init(&writer, data, sizeof data);
    assert_true(ln_Vec3_write(&writer, &v) && pkt_writer_finish(&writer, &size));
    vec3f got = {7, 0, 0, 0};
    pkt_reader_init(&reader, data, size);
    assert_true(ln_Vec3_read(&reader, &got) && pkt_reader_finish(&reader));
    assert_true(got.w == 7 && got.x == 1.5f && got.z == 1.5f);
    assert_true(ln_Vec3_equal(&v, &got));
}

TEST(test_local)
{
    int mine;
    ln_Round v, got;
    memset(&v, 0xa5, sizeof v);
    ln_Round_init(&v);
    assert_int_equal(v.serial, 0);
    assert_int_equal(v.players[1].frame, 7);
    assert_null(v.players[1].owner);
    assert_int_equal(v.act.as.hit.side, ln_Team_blue);
    assert_true(v.act.as.hit.origin.z == 1.5f);
    v.players[0].owner = &mine;
    uint8_t data[ln_Round_MAX_BYTES];
    size_t size = ln_Round_pack(&v, data, sizeof data);
    ln_Round_init(&got);
    got.serial = 5;
    got.players[1].owner = &mine;
    got.players[1].frame = 9;
    got.act.as.hit.side = ln_Team_red;
    assert_true(ln_Round_equal(&v, &got));
    assert_true(ln_Round_unpack(&got, data, size));
    assert_int_equal(got.serial, 5);
    assert_ptr_equal(got.players[1].owner, &mine);
    assert_null(got.players[0].owner);
    assert_int_equal(got.players[1].frame, 9);
    /* In a union, local members are zero after a read, whatever the memory or another member contained. */
    assert_int_equal(got.act.as.hit.side, ln_Team_none);
    assert_true(got.act.as.hit.origin.z == 0);
    v.act.tag = ln_Act_tag_taunt;
    memset(&v.act.as, 0, sizeof v.act.as);
    memset(&got.act.as, 0x5a, sizeof got.act.as);
    size = ln_Round_pack(&v, data, sizeof data);
    assert_true(ln_Round_unpack(&got, data, size));
    assert_null(got.act.as.taunt.owner);
}

/* In deltas refs are compared by id, and what is not on the wire does not change in the value that is read into. */
TEST(test_deltas)
{
    world w;
    ln_Round base, v, got;
    uint8_t data[ln_Round_DELTA_MAX_BYTES];
    pkt_error error;
    make_world(&w);
    make_round(&base, &w);
    v = base;
    v.scorers[0] = &w.players[1];
    v.has_winner = false;
    v.winner = NULL;
    v.at.y = 7.5f;
    v.players[1].leader = NULL;
    size_t size = ln_Round_pack_delta_refs(&base, &v, data, sizeof data, &w.refs, &error);
    assert_int_not_equal(size, 0);
    ln_Round_init(&got);
    got.serial = 77;
    got.players[0].frame = 99;
    got.players[1].owner = &w;
    assert_true(ln_Round_unpack_delta_refs(&base, &got, data, size, &w.refs, &error));
    assert_true(ln_Round_equal(&v, &got));
    assert_ptr_equal(got.scorers[0], &w.players[1]);
    assert_null(got.players[1].leader);
    assert_int_equal(got.serial, 77);
    assert_int_equal(got.players[0].frame, 99);
    assert_ptr_equal(got.players[1].owner, &w);
    assert_int_equal(ln_Round_pack_delta(&base, &v, data, sizeof data), 0);
    /* Without callbacks a changed ref cannot be written. One that has not changed needs none. */
    assert_int_equal(ln_Round_pack_delta_error(&base, &base, data, sizeof data, &error),
                     (ln_Round_measure_delta(&base, &base, 32) + 64 + 7) / 8);
}
