/* test_mix.c - tests T_mix and T_near by kind of field.
 * SPDX-License-Identifier: MIT
 *
 * tests/fuzz/mixes.c holds random types to it that what is mixed can be written, and that it begins and ends with the two values.
 */
#include "mix.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g", a, b);
}

static mix_Numbers numbers(void)
{
    mix_Numbers v;
    mix_Numbers_init(&v);
    v.start = 1;
    v.end = 2;
    return v;
}

static mix_Numbers mixed(const mix_Numbers *a, const mix_Numbers *b, double t)
{
    mix_Numbers v;
    memset(&v, 0xa5, sizeof v);
    mix_Numbers_mix(a, b, t, &v);
    assert_true(mix_Numbers_valid(&v, NULL));
    return v;
}

/* ---- numbers */

TEST(reals_are_mixed_linearly)
{
    mix_Numbers a = numbers(), b = numbers();
    a.fine = -1, b.fine = 1;
    a.raw = -8, b.raw = 24;
    a.raw64 = -1.7e308, b.raw64 = 1.7e308;
    a.small_one = -65504, b.small_one = 65504;
    assert_close(mixed(&a, &b, 0.25).fine, -0.5, 1e-12);
    assert_close((double)mixed(&a, &b, 0.25).raw, 0, 1e-6);
    assert_close(mixed(&a, &b, 0.5).raw64 / 1e308, 0, 1e-12);
    assert_close(mixed(&a, &b, 0.75).raw64 / 1e308, 0.85, 1e-12);
    assert_close((double)mixed(&a, &b, 0.5).small_one, 0, 1e-3);
}

TEST(what_is_not_finite_steps)
{
    mix_Numbers a = numbers(), b = numbers();
    a.raw = -0.0f, b.raw = INFINITY;
    a.raw64 = NAN, b.raw64 = 3;
    assert_true(mixed(&a, &b, 0).raw == 0 && signbit(mixed(&a, &b, 0).raw));
    assert_true(mixed(&a, &b, 0.99).raw == 0);
    assert_true(isinf(mixed(&a, &b, 1).raw));
    assert_true(isnan(mixed(&a, &b, 0.99).raw64));
    assert_true(mixed(&a, &b, 1).raw64 == 3);
}

TEST(numbers_that_wrap_go_the_short_way)
{
    mix_Numbers a = numbers(), b = numbers();
    a.yaw = 350, b.yaw = 20;
    a.heading = 350, b.heading = 11;
    a.turns = -4 * 4096, b.turns = 3 * 4096;
    assert_close((double)mixed(&a, &b, 0.25).yaw, 357.5, 1e-4);
    assert_close((double)mixed(&a, &b, 0.5).yaw, 5, 1e-4);
    assert_close((double)mixed(&b, &a, 0.25).yaw, 12.5, 1e-4);
    assert_int_equal(mixed(&a, &b, 0.5).heading, 0); /* 350 + 10.5, of two the even one */
    assert_int_equal(mixed(&a, &b, 0.75).heading, 6);
    assert_int_equal(mixed(&b, &a, 0.25).heading, 6);
    assert_int_equal(mixed(&a, &b, 0.5).turns, 4 * 4096 - 2048);
    /* Both ways are as long: up. Values that a writer wraps are wrapped first. */
    a.yaw = 90, b.yaw = 270;
    assert_close((double)mixed(&a, &b, 0.5).yaw, 180, 1e-4);
    assert_close((double)mixed(&b, &a, 0.5).yaw, 0, 1e-4);
    a.yaw = 725, b.yaw = -10;
    assert_close((double)mixed(&a, &b, 0.5).yaw, 357.5, 0.3);
    a.yaw = b.yaw = 360;
    assert_close((double)mixed(&a, &b, 0.5).yaw, 360, 0);
}

TEST(integers_step_unless_the_schema_mixes_them)
{
    mix_Numbers a = numbers(), b = numbers();
    a.slot = 3, b.slot = 9;
    a.health = 80, b.health = 150;
    a.ammo = -20, b.ammo = 50;
    a.sign = -3, b.sign = 4;
    a.most = 0, b.most = UINT64_MAX;
    a.all = INT64_MIN, b.all = INT64_MAX;
    a.packed = 65535, b.packed = 0;
    a.level = 5, b.level = 8;
    a.part = -256, b.part = 256;
    assert_int_equal(mixed(&a, &b, 0.99).slot, 3);
    assert_int_equal(mixed(&a, &b, 1).slot, 9);
    assert_int_equal(mixed(&a, &b, 0.99).health, 80);
    assert_int_equal(mixed(&a, &b, 1).health, 100);
    assert_int_equal(mixed(&a, &b, 0).ammo, 0);
    assert_int_equal(mixed(&a, &b, 0.5).ammo, 25);
    assert_int_equal(mixed(&a, &b, 0.5).sign, 0); /* 0.5 */
    b.sign = 6;
    assert_int_equal(mixed(&a, &b, 0.5).sign, 2); /* 1.5 */
    assert_int_equal(mixed(&b, &a, 0.5).sign, 2);
    assert_true(mixed(&a, &b, 0.5).most == UINT64_C(1) << 63);
    assert_true(mixed(&a, &b, 0.999999999999999999).most == UINT64_MAX);
    assert_int_equal(mixed(&a, &b, 0.5).all, 0);
    assert_int_equal(mixed(&a, &b, 0.25).packed, 49151);
    assert_int_equal(mixed(&a, &b, 0.5).level, 6); /* 6.5 */
    assert_int_equal(mixed(&a, &b, 0.75).part, 128);
}

TEST(a_field_may_step_at_a_point_of_its_own)
{
    mix_Numbers a = numbers(), b = numbers();
    a.reload = 1, b.reload = 3;
    assert_true(mixed(&a, &b, 0.74).reload == 1);
    assert_true(mixed(&a, &b, 0.75).reload == 3);
    b.start = 100, b.end = 101;
    assert_int_equal(mixed(&a, &b, 0.9).start, 1);
    assert_int_equal(mixed(&a, &b, 1).start, 100);
}

TEST(t_is_limited)
{
    mix_Numbers a = numbers(), b = numbers();
    a.raw = 1, b.raw = 2;
    assert_true(mixed(&a, &b, -5).raw == 1);
    assert_true(mixed(&a, &b, NAN).raw == 1);
    assert_true(mixed(&a, &b, 7).raw == 2);
    assert_true(mixed(&a, &b, INFINITY).raw == 2);
}

/* ---- rotations */

static pkt_quat about_z(double degrees)
{
    const double half = degrees * PI / 360;
    return (pkt_quat){0, 0, (float)sin(half), (float)cos(half)};
}

static mix_Kart turned(pkt_quat turn, pkt_vec3 up)
{
    mix_Kart v;
    mix_Kart_init(&v);
    v.kind = mix_Kind_kart;
    v.turn = turn;
    v.up = up;
    return v;
}

static mix_World world_of(const mix_Kart *kart)
{
    static mix_World w;
    mix_World_init(&w);
    w.karts_count = 1;
    w.karts[0] = *kart;
    return w;
}

static mix_Kart kart_between(const mix_Kart *a, const mix_Kart *b, double t)
{
    const mix_World x = world_of(a), y = world_of(b);
    static mix_World out;
    mix_World_mix(&x, &y, t, &out);
    assert_true(mix_World_valid(&out, NULL));
    return out.karts[0];
}

TEST(rotations_turn_steadily_on_the_short_arc)
{
    const pkt_vec3 z = {0, 0, 1};
    for (double angle = -355; angle <= 355; angle += 7.1) {
        mix_Kart a = turned(about_z(10), z), b = turned(about_z(10 + angle), z);
        const double way = angle > 180 ? angle - 360 : angle < -180 ? angle + 360 : angle;
        b.turn.x = 0.0f;
        for (int i = 0; i <= 20; i++) {
            const pkt_quat q = kart_between(&a, &b, i / 20.0).turn;
            const double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
            double turned_by = atan2((double)q.z, (double)q.w) * 360 / PI - 10;
            turned_by -= 360 * floor((turned_by - way * i / 20 + 180) / 360);
            assert_close(length, 1, 2e-7);
            assert_close(turned_by, way * i / 20, 0.1);
        }
    }
}

TEST(directions_turn_too)
{
    const pkt_quat none = {0, 0, 0, 1};
    for (double angle = -178; angle <= 178; angle += 7.3) {
        const mix_Kart a = turned(none, (pkt_vec3){1, 0, 0}),
                       b = turned(none, (pkt_vec3){(float)cos(angle * PI / 180), 0, (float)sin(angle * PI / 180)});
        for (int i = 0; i <= 20; i++) {
            const pkt_vec3 v = kart_between(&a, &b, i / 20.0).up;
            assert_close(sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z), 1, 2e-7);
            assert_close(atan2((double)v.z, (double)v.x) * 180 / PI, angle * i / 20, 0.1);
        }
    }
    /* Opposite ones have no short arc. */
    const mix_Kart up = turned(none, (pkt_vec3){0, 0, 1}), down = turned(none, (pkt_vec3){0, 0, -1});
    assert_true(kart_between(&up, &down, 0.9).up.z == 1);
}

/* ---- what steps */

static void steps(mix_Steps *v, bool second)
{
    mix_Steps_init(v);
    v->alive = second;
    v->kind = second ? mix_Kind_box : mix_Kind_kart;
    v->keys = second ? mix_Keys_brake : mix_Keys_left;
    pkt_text_set(v->name, sizeof v->name, second ? "second" : "first");
    v->blob_size = second ? 1 : 4;
    memset(v->blob, second ? 7 : 3, 4);
    v->has_wait = second;
    v->wait = second ? 4.0f : 0.0f;
    v->effect.tag = mix_Effect_tag_bang;
    v->effect.as.bang.power = second ? 200 : 100;
    v->effect.as.bang.size = second ? 3.0f : 1.0f;
    v->grid[1][0].x = second ? 10.0f : -10.0f;
    mix_Steps_shots_set(v, second ? 65 : 3);
    mix_Steps_shots_set(v, 66);
    v->shots[second ? 65 : 3].x = 5;
    v->shots[66].x = second ? 9.0f : 1.0f;
    mix_Steps_tiles_set(v, second ? 2 : 0);
    v->tiles[1] = second ? 21 : 11;
    v->mask = second ? 5 : 2;
    v->more[1] = second ? 40 : 20;
    v->more[2] = 90;
}

TEST(what_is_not_mixed_is_of_one_of_the_values)
{
    static mix_Steps a, b, out;
    steps(&a, false);
    steps(&b, true);
    for (int i = 1; i < 100; i++) {
        const bool later = i >= 50;
        const mix_Steps *from = later ? &b : &a;
        memset(&out, 0xa5, sizeof out);
        mix_Steps_mix(&a, &b, i / 100.0, &out);
        assert_true(mix_Steps_valid(&out, NULL));
        assert_int_equal(out.alive, later);
        assert_int_equal(out.kind, from->kind);
        assert_int_equal(out.keys, i >= 25 ? b.keys : a.keys);
        assert_string_equal(out.name, from->name);
        assert_int_equal(out.blob_size, from->blob_size);
        assert_memory_equal(out.blob, from->blob, from->blob_size);
        assert_int_equal(out.has_wait, later);
        assert_true(out.wait == (later ? 4.0f : 0.0f));
        assert_int_equal(out.effect.tag, mix_Effect_tag_bang);
        assert_int_equal(out.effect.as.bang.power, 100 + i);
        assert_close((double)out.effect.as.bang.size, 1 + i / 50.0, 1e-6);
        assert_close((double)out.grid[1][0].x, -10 + i / 5.0, 1e-5);
        assert_int_equal(mix_Steps_shots_count(&out), 2);
        assert_int_equal(mix_Steps_shots_has(&out, 3), !later);
        assert_true(out.shots[3].x == (later ? 0.0f : 5.0f) && out.shots[65].x == (later ? 5.0f : 0.0f));
        assert_close((double)out.shots[66].x, 1 + i / 12.5, 1e-6);
        assert_int_equal(out.tiles[1], (int)(11 + i / 10.0 + 0.5 - (i % 10 == 5 && (11 + i / 10) % 2 == 0 ? 0.1 : 0)));
        assert_int_equal(mix_Steps_tiles_has(&out, 2), later);
        assert_int_equal(mix_Steps_more_count(&out), later ? 3 : 2);
        assert_true(out.more[1] >= 20 && out.more[1] <= 40);
        assert_int_equal(later ? out.more[2] : 90, 90);
    }
}

TEST(a_union_is_mixed_while_its_member_is_the_same)
{
    static mix_Steps a, b, out;
    steps(&a, false);
    steps(&b, true);
    b.effect.tag = mix_Effect_tag_nothing;
    mix_Steps_mix(&a, &b, 0.49, &out);
    assert_int_equal(out.effect.tag, mix_Effect_tag_bang);
    assert_int_equal(out.effect.as.bang.power, 100);
    mix_Steps_mix(&a, &b, 0.5, &out);
    assert_int_equal(out.effect.tag, mix_Effect_tag_nothing);
}

TEST(a_cut_steps_over_its_struct_alone)
{
    static mix_Cuts a, b, out;
    mix_Cuts_init(&a);
    mix_Cuts_init(&b);
    a.lives[0].life = a.lives[1].life = b.lives[1].life = 7;
    for (int i = 0; i < 2; i++)
        b.lives[i].x = b.lives[i].at.x = 10;
    b.y = 10;
    b.warp.x = 9;
    b.warp.yaw = 340;
    b.warp.speed = 10;
    memset(&out, 0xa5, sizeof out);
    mix_Cuts_mix(&a, &b, 0.25, &out);
    assert_int_equal(out.lives[0].life, 7);
    assert_close((double)out.lives[0].x, 0, 0);
    assert_close((double)out.lives[0].at.x, 0, 0);
    assert_close((double)out.lives[1].x, 2.5, 1e-5);
    assert_close((double)out.lives[1].at.x, 2.5, 1e-5);
    assert_close((double)out.y, 2.5, 1e-5);
    assert_close((double)out.warp.x, 2.25, 1e-5);
    assert_close((double)out.warp.yaw, 355, 1e-3);
    mix_Cuts_mix(&a, &b, 0.5, &out); /* the point of the packet */
    assert_true(mix_Life_equal(&out.lives[0], &b.lives[0]));
    assert_close((double)out.lives[1].x, 5, 1e-5);
}

/* A number with @mix(cut) is mixed as long as it is near. */
TEST(what_is_far_cuts)
{
    static mix_Cuts a, b, out;
    for (int n = 0; n < 4; n++) {
        mix_Cuts_init(&a);
        mix_Cuts_init(&b);
        b.warp.speed = b.y = 10;
        b.warp.x = n == 1 ? 11 : 1;
        b.warp.yaw = n == 2 ? 329 : 359;
        b.warp.has_team = n == 3;
        mix_Cuts_mix(&a, &b, 0.25, &out);
        assert_true(mix_Cuts_valid(&out, NULL));
        assert_close((double)out.y, 2.5, 1e-5);
        if (n == 0)
            assert_close((double)out.warp.speed, 2.5, 1e-5);
        else
            assert_true(mix_Warp_equal(&out.warp, &a.warp));
        mix_Cuts_mix(&a, &b, 1, &out);
        assert_true(mix_Cuts_equal(&out, &b));
    }
}

/* Who comes is there from the second value on, and who goes until then. */
TEST(elements_of_lists_are_mixed_by_their_key)
{
    static mix_World a, b, out;
    mix_World_init(&a);
    mix_World_init(&b);
    for (uint16_t id = 0; id < 4; id++)
        mix_World_karts_add(&a, (uint16_t)(10 * id))->at.x = id;
    for (uint16_t id = 1; id < 6; id += 2)
        mix_World_karts_add(&b, (uint16_t)(10 * id))->at.x = (float)(id + 10);
    mix_World_karts_find(&a, 30)->kind = mix_World_karts_find(&b, 30)->kind = mix_Kind_box;
    mix_World_karts_find(&b, 30)->odd = -100;
    mix_Kart_wheels_add(mix_World_karts_find(&a, 10), 7)->turn = 359;
    mix_Kart_wheels_add(mix_World_karts_find(&b, 10), 3)->turn = 90;
    mix_Kart_wheels_add(mix_World_karts_find(&b, 10), 7)->turn = 2;
    memset(&out, 0xa5, sizeof out);
    mix_World_mix(&a, &b, 0.5, &out);
    assert_true(mix_World_valid(&out, NULL));
    assert_int_equal(out.karts_count, 4);
    assert_close((double)mix_World_karts_find(&out, 0)->at.x, 0, 0);
    assert_close((double)mix_World_karts_find(&out, 10)->at.x, 6, 1e-5);
    assert_close((double)mix_World_karts_find(&out, 20)->at.x, 2, 0);
    assert_close((double)mix_World_karts_find(&out, 30)->at.x, 8, 1e-5);
    assert_int_equal(mix_World_karts_find(&out, 30)->odd, -50);
    assert_null(mix_World_karts_find(&out, 50));
    assert_int_equal(mix_World_karts_find(&out, 10)->wheels_count, 1);
    assert_close((double)mix_World_karts_find(&out, 10)->wheels[0].turn, 0.5, 1e-4);
    mix_World_mix(&a, &b, 1, &out);
    assert_true(mix_World_equal(&out, &b));
    mix_World_mix(&a, &b, 0, &out);
    assert_true(mix_World_equal(&out, &a));
}

TEST(of_counted_arrays_those_that_both_have_are_mixed)
{
    static mix_World a, b, out;
    mix_World_init(&a);
    mix_World_init(&b);
    a.lap_count = 2, b.lap_count = 4;
    a.lap[0] = 100, a.lap[1] = 200;
    b.lap[0] = 200, b.lap[1] = 201, b.lap[2] = 5, b.lap[3] = 6;
    mix_World_mix(&a, &b, 0.25, &out);
    assert_int_equal(out.lap_count, 2);
    assert_int_equal(out.lap[0], 125);
    assert_int_equal(out.lap[1], 200);
    mix_World_mix(&b, &a, 0.25, &out);
    assert_int_equal(out.lap_count, 4);
    assert_int_equal(out.lap[0], 175);
    assert_int_equal(out.lap[3], 6);
}

TEST(a_branch_has_the_fields_of_a_value_that_took_it)
{
    mix_Between a, b, out;
    mix_Between_init(&a);
    mix_Between_init(&b);
    a.number = 0, a.a = 40;
    b.number = 10, b.b = 60;
    mix_Between_mix(&a, &b, 0.04, &out);
    assert_true(out.number == 0 && out.a == 40 && out.b == 0);
    mix_Between_mix(&a, &b, 0.96, &out);
    assert_true(out.number == 10 && out.a == 0 && out.b == 60);
    /* 5 is a case that neither has: all of it steps. */
    mix_Between_mix(&a, &b, 0.5, &out);
    assert_true(mix_Between_valid(&out, NULL));
    assert_true(out.number == 0 && out.a == 40);
}

TEST(a_packet_with_parts_is_mixed_too)
{
    static mix_ToClient a, b, out;
    mix_ToClient_init(&a);
    mix_ToClient_init(&b);
    a.world.tick = 30, b.world.tick = 33;
    mix_ToClient_mix(&a, &b, 2.0 / 3, &out);
    assert_int_equal(out.world.tick, 32);
}

/* ---- near */

static void assert_far(const mix_Numbers *a, const mix_Numbers *b, const char *field, double amount, double tolerance)
{
    for (int turn = 0; turn < 2; turn++) {
        pkt_deviation d;
        assert_false(turn == 0 ? mix_Numbers_near(a, b, &d) : mix_Numbers_near(b, a, &d));
        assert_false(mix_Numbers_near(a, b, NULL));
        assert_string_equal(d.field, field);
        assert_close(d.amount, amount, 1e-4);
        assert_close(d.tolerance, tolerance, 1e-9);
    }
}

static void assert_near(const mix_Numbers *a, const mix_Numbers *b)
{
    pkt_deviation d;
    assert_true(mix_Numbers_near(a, b, &d));
    assert_string_equal(d.field, "");
    assert_true(d.amount == 0 && mix_Numbers_near(b, a, NULL));
}

TEST(numbers_are_near_within_their_tolerances)
{
    mix_Numbers a = numbers(), b = numbers();
    a.yaw = 359.5f, b.yaw = 0; /* a step */
    a.ammo = 10, b.ammo = 15;
    a.part = 0, b.part = 64;
    a.raw64 = 1e6, b.raw64 = 1e6 + 0.5;
    assert_near(&a, &b);
    b.raw64 += 0.01;
    assert_far(&a, &b, "Numbers.raw64", 0.51, 0.5);
    b.part = 65;
    assert_far(&a, &b, "Numbers.raw64", 0.51, 0.5); /* the first one */
    b.raw64 = a.raw64;
    assert_far(&a, &b, "Numbers.part", 65.0 / 256, 0.25);
    b.part = 0;
    b.ammo = 16;
    assert_far(&a, &b, "Numbers.ammo", 6, 5);
    b.ammo = 10;
    b.yaw = 0.6f;
    assert_far(&a, &b, "Numbers.yaw", 1.1, 0.5);
    b.yaw = 359.5f;
    b.heading = 359;
    assert_far(&a, &b, "Numbers.heading", 1, 0);
    b.heading = 0;
    b.raw = 1e-30f;
    assert_far(&a, &b, "Numbers.raw", 0, 0);
    a.raw = b.raw = NAN;
    assert_near(&a, &b);
    b.raw = 0;
    assert_false(mix_Numbers_near(&a, &b, NULL));
}

/* The values that a reader gets of neighbours are a step apart, but for rounding. */
TEST(neighbours_of_a_quantized_range_are_near)
{
    mix_Numbers a = numbers(), b = numbers();
    for (int i = -1000; i < 1000; i++) {
        a.fine = i / 1000.0, b.fine = (i + 1) / 1000.0;
        a.yaw = (float)(i + 1000) / 5, b.yaw = a.yaw + 0.5f;
        mix_Numbers_quantize(&a);
        mix_Numbers_quantize(&b);
        assert_near(&a, &b);
        b.fine = (i + 2.1) / 1000.0;
        mix_Numbers_quantize(&b);
        assert_true(i > 997 || !mix_Numbers_near(&a, &b, NULL));
    }
}

TEST(a_deviation_has_the_name_of_its_field)
{
    static mix_World a, b;
    static mix_Steps c, d;
    pkt_deviation how;
    const pkt_vec3 z = {0, 0, 1};
    mix_Kart kart = turned(about_z(30), z), other = turned(about_z(31.9), z);
    a = world_of(&kart);
    b = world_of(&other);
    assert_true(mix_World_near(&a, &b, &how));
    b.karts[0].turn = about_z(-25);
    b.karts[0].turn.z = -b.karts[0].turn.z;
    b.karts[0].turn.w = -b.karts[0].turn.w;
    assert_false(mix_World_near(&a, &b, &how));
    assert_string_equal(how.field, "World.karts[0].turn");
    assert_close(how.amount, 5 + 50, 60);
    assert_true(how.tolerance == 2);
    b.karts[0].turn = a.karts[0].turn;
    b.karts[0].at.x = 0.07f;
    assert_false(mix_World_near(&a, &b, &how));
    assert_string_equal(how.field, "World.karts[0].at.x");
    assert_close(how.amount, 0.07, 1e-6);
    assert_close(how.tolerance, 0.05, 0);
    b = a;
    mix_World_karts_add(&b, 7);
    assert_false(mix_World_near(&a, &b, &how));
    assert_string_equal(how.field, "World.karts[1]");
    assert_true(how.amount == 1 && how.tolerance == 0);
    b = a;
    b.karts[0].id = 5;
    assert_false(mix_World_near(&a, &b, &how));
    assert_string_equal(how.field, "World.karts[0]");
    b = a;
    b.lap_count = 2;
    assert_false(mix_World_near(&a, &b, &how));
    assert_string_equal(how.field, "World.lap_count");
    assert_true(how.amount == 2);

    steps(&c, false);
    steps(&d, false);
    assert_true(mix_Steps_near(&c, &d, &how));
    d.grid[1][0].y = 3;
    assert_false(mix_Steps_near(&c, &d, &how));
    assert_string_equal(how.field, "Steps.grid[1][0].y");
    d = c;
    mix_Steps_shots_clear(&d, 3);
    assert_false(mix_Steps_near(&c, &d, &how));
    assert_string_equal(how.field, "Steps.shots[3]");
    d = c;
    d.effect.as.bang.power++;
    assert_false(mix_Steps_near(&c, &d, &how));
    assert_string_equal(how.field, "Steps.effect.bang.power");
    d = c;
    d.has_wait = true;
    assert_false(mix_Steps_near(&c, &d, &how));
    assert_string_equal(how.field, "Steps.has_wait");
    d = c;
    d.more[1]++;
    assert_false(mix_Steps_near(&c, &d, &how));
    assert_string_equal(how.field, "Steps.more[1]");
    d = c;
    pkt_text_set(d.name, sizeof d.name, "other");
    assert_false(mix_Steps_near(&c, &d, &how));
    assert_string_equal(how.field, "Steps.name");
}

/* The angle between two rotations and two directions. */
TEST(angles_are_measured_in_degrees)
{
    const pkt_quat none = {0, 0, 0, 1};
    for (double angle = 3; angle <= 180; angle += 1.7) {
        pkt_deviation how;
        const mix_Kart kart = turned(about_z(0), (pkt_vec3){1, 0, 0});
        mix_Kart other = turned(about_z(angle), (pkt_vec3){1, 0, 0});
        mix_World a = world_of(&kart), b = world_of(&other);
        assert_false(mix_World_near(&a, &b, &how));
        assert_string_equal(how.field, "World.karts[0].turn");
        assert_close(how.amount, angle, 1e-3);
        other = turned(none, (pkt_vec3){(float)cos(angle * PI / 180), (float)sin(angle * PI / 180), 0});
        b = world_of(&other);
        assert_false(mix_World_near(&a, &b, &how));
        assert_string_equal(how.field, "World.karts[0].up");
        assert_close(how.amount, angle, 1e-3);
        assert_close(how.tolerance, 2.5, 0);
    }
}
