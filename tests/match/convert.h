/* convert.h - between a snapshot of a demo and the World of a schema of this folder.
 * SPDX-License-Identifier: MIT
 *
 * A program that uses pktc has this code where it copies its own state into a packet. EXACT: World is that of exact.pkt, else that
 * of rounded.pkt.
 */
#ifndef CONVERT_H
#define CONVERT_H

#include "demo.h"
#include "match.h"

#include <math.h>
#include <string.h>

/* The members of Entity and Me, and the fields of the demo with their values. INT: an integer. NUMBER: a float.
 * VIEW: one that the schemas describe differently. */
/* clang-format off */
#define CONVERT_ENTITY(INT, NUMBER)                                                                                    \
    INT(path.kind, E_TYPE)                                                                                             \
    INT(path.time, E_PATH_TIME) INT(path.type, E_PATH_TYPE) INT(path.duration, E_PATH_DURATION)                        \
    NUMBER(path.x, E_PATH_X) NUMBER(path.y, E_PATH_Y) NUMBER(path.z, E_PATH_Z)                                         \
    NUMBER(path.dx, E_PATH_DX) NUMBER(path.dy, E_PATH_DY) NUMBER(path.dz, E_PATH_DZ)                                   \
    NUMBER(yaw, E_TURN_YAW) NUMBER(pitch, E_TURN_PITCH)                                                      \
    INT(look.legs, E_LEGS) INT(look.torso, E_TORSO) INT(look.flags, E_FLAGS)                                           \
    INT(look.ground, E_GROUND) INT(look.weapon, E_WEAPON)                                                              \
    INT(happened.event, E_EVENT) INT(happened.parm, E_EVENT_PARM)                                                      \
    INT(who.client, E_CLIENT) INT(who.other, E_OTHER) INT(who.other2, E_OTHER2)                                        \
    INT(who.model, E_MODEL) INT(who.model2, E_MODEL2) INT(who.solid, E_SOLID) INT(who.powerups, E_POWERUPS)            \
    INT(who.loop_sound, E_LOOP_SOUND) INT(who.generic, E_GENERIC)                                                      \
    INT(who.time, E_TIME) INT(who.time2, E_TIME2) INT(who.light, E_LIGHT) INT(who.frame, E_FRAME)                      \
    NUMBER(place.x, E_X) NUMBER(place.y, E_Y) NUMBER(place.z, E_Z)                                                     \
    NUMBER(place.x2, E_X2) NUMBER(place.y2, E_Y2) NUMBER(place.z2, E_Z2)                                               \
    NUMBER(place.pitch, E_PITCH) NUMBER(place.yaw, E_YAW) NUMBER(place.roll, E_ROLL)                                   \
    NUMBER(place.move_pitch, E_MOVE_PITCH) NUMBER(place.move_roll, E_MOVE_ROLL)                                        \
    INT(spin.type, E_TURN_TYPE) INT(spin.time, E_TURN_TIME) INT(spin.duration, E_TURN_DURATION)                        \
    NUMBER(spin.roll, E_TURN_ROLL) NUMBER(spin.dpitch, E_TURN_DPITCH)                                                  \
    NUMBER(spin.dyaw, E_TURN_DYAW) NUMBER(spin.droll, E_TURN_DROLL)

#define CONVERT_PLAYER(INT, NUMBER, VIEW)                                                                              \
    INT(command_time, P_COMMAND_TIME) NUMBER(x, P_X) NUMBER(y, P_Y) NUMBER(z, P_Z)                                         \
    NUMBER(dx, P_DX) NUMBER(dy, P_DY) NUMBER(dz, P_DZ) VIEW(yaw, P_YAW) VIEW(pitch, P_PITCH)                           \
    INT(bob, P_BOB) INT(weapon_time, P_WEAPON_TIME) INT(legs_timer, P_LEGS_TIMER) INT(move_time, P_MOVE_TIME)          \
    INT(act.events, P_EVENTS) INT(act.event0, P_EVENT0) INT(act.event1, P_EVENT1)                                      \
    INT(act.parm0, P_PARM0) INT(act.parm1, P_PARM1) INT(act.legs, P_LEGS) INT(act.torso, P_TORSO)                      \
    INT(act.direction, P_DIRECTION) INT(act.move_flags, P_MOVE_FLAGS) INT(act.ground, P_GROUND)                        \
    INT(act.weapon_state, P_WEAPON_STATE) INT(act.flags, P_FLAGS) INT(act.weapon, P_WEAPON)                            \
    INT(hurt.external, P_EXTERNAL_EVENT) INT(hurt.external_parm, P_EXTERNAL_PARM) INT(hurt.event, P_DAMAGE_EVENT)      \
    INT(hurt.yaw, P_DAMAGE_YAW) INT(hurt.pitch, P_DAMAGE_PITCH) INT(hurt.count, P_DAMAGE_COUNT)                        \
    INT(rare.gravity, P_GRAVITY) INT(rare.speed, P_SPEED) INT(rare.delta_pitch, P_DELTA_PITCH)                         \
    INT(rare.delta_yaw, P_DELTA_YAW) INT(rare.delta_roll, P_DELTA_ROLL) INT(rare.view_height, P_VIEW_HEIGHT)           \
    INT(rare.generic, P_GENERIC) INT(rare.move_type, P_MOVE_TYPE) INT(rare.client, P_CLIENT)                           \
    INT(rare.torso_timer, P_TORSO_TIMER) NUMBER(rare.roll, P_ROLL) NUMBER(rare.grapple_x, P_GRAPPLE_X)                 \
    NUMBER(rare.grapple_y, P_GRAPPLE_Y) NUMBER(rare.grapple_z, P_GRAPPLE_Z)                                            \
    INT(rare.jump_pad, P_JUMP_PAD) INT(rare.loop_sound, P_LOOP_SOUND)
/* clang-format on */

static float float_of(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int32_t bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Whether a float is a whole number from 0 - half to half - 1, and not -0. */
static bool is_whole(int32_t bits, int half, int *whole)
{
    const float value = float_of(bits);
    *whole = value >= (float)-half && value < (float)half ? (int)value : 0;
    return bits_of((float)*whole) == bits;
}

#ifdef EXACT

static float angle_of(uint16_t code)
{
    return (float)((int16_t)code * (360.0 / 65536));
}

static bool is_angle(int32_t bits, uint16_t *code)
{
    const float value = float_of(bits);
    *code = fabsf(value) <= 360 ? (uint16_t)(int32_t)lrint(value * (65536 / 360.0)) : 0;
    return bits_of(angle_of(*code)) == bits;
}

#define SET_VIEW(member, bits)                          \
    {                                                   \
        (member).raw = !is_angle(bits, &(member).code); \
        (member).f = (member).raw ? float_of(bits) : 0; \
    }
#define BITS_VIEW(member) ((member).raw ? bits_of((member).f) : bits_of(angle_of((member).code)))

#else

#define SET_VIEW SET_NUMBER
#define BITS_VIEW BITS_NUMBER

#endif

#define SET_NUMBER(member, bits) member = float_of(bits);
#define BITS_NUMBER(member) bits_of(member)

#define PUT_INT(member, field) to->member = from[field];
#define PUT_NUMBER(member, field) SET_NUMBER(to->member, from[field])
#define PUT_VIEW(member, field) SET_VIEW(to->member, from[field])
#define GET_INT(member, field) to[field] = from->member;
#define GET_NUMBER(member, field) to[field] = BITS_NUMBER(from->member);
#define GET_VIEW(member, field) to[field] = BITS_VIEW(from->member);

/* MOVE_YAW is the direction of a walking player, 0 to 7, or an angle of something else. */
static void put_entity(Entity *to, const int32_t *from)
{
    int move;
    const bool small = is_whole(from[E_MOVE_YAW], 256, &move) && move >= 0;
    CONVERT_ENTITY(PUT_INT, PUT_NUMBER)
    to->look.move = small ? (uint8_t)move : 0;
    SET_NUMBER(to->place.move_yaw, small ? 0 : from[E_MOVE_YAW])
}

static void get_entity(const Entity *from, int32_t *to)
{
    CONVERT_ENTITY(GET_INT, GET_NUMBER)
    to[E_MOVE_YAW] = BITS_NUMBER(from->place.move_yaw);
    if (to[E_MOVE_YAW] == 0)
        to[E_MOVE_YAW] = bits_of(from->look.move);
}

static void put_player(Me *to, const int32_t *from)
{
    CONVERT_PLAYER(PUT_INT, PUT_NUMBER, PUT_VIEW)
    from += DEMO_PLAYER_FIELDS;
    for (int i = 0; i < DEMO_ARRAY; i++) {
        to->stock.stats[i] = (int16_t)from[i];
        to->stock.persistent[i] = (int16_t)from[DEMO_ARRAY + i];
        to->stock.ammo[i] = (int16_t)from[2 * DEMO_ARRAY + i];
        to->stock.powerups[i] = from[3 * DEMO_ARRAY + i];
    }
}

static void get_player(const Me *from, int32_t *to)
{
    CONVERT_PLAYER(GET_INT, GET_NUMBER, GET_VIEW)
    to += DEMO_PLAYER_FIELDS;
    for (int i = 0; i < DEMO_ARRAY; i++) {
        to[i] = from->stock.stats[i];
        to[DEMO_ARRAY + i] = from->stock.persistent[i];
        to[2 * DEMO_ARRAY + i] = from->stock.ammo[i];
        to[3 * DEMO_ARRAY + i] = from->stock.powerups[i];
    }
}

/* Only the entities of a snapshot are in the world. */
static void put_entities(World *to, const demo_snapshot *from)
{
    to->entities_count = 0;
    for (int i = 0; i < from->count; i++)
        put_entity(World_entities_add(to, (uint16_t)from->entities[i].number), from->entities[i].fields);
}

static void get_entities(const World *from, demo_snapshot *to)
{
    to->count = from->entities_count;
    for (int i = 0; i < to->count; i++) {
        to->entities[i].number = from->entities[i].id;
        get_entity(&from->entities[i], to->entities[i].fields);
    }
}

/* What the game says of entities before its first snapshot. */
static void put_start(World *to, const demo_entity *from)
{
    for (int i = 0; i < DEMO_SLOTS - 1; i++) {
        bool any = false;
        for (int k = 0; k < DEMO_ENTITY_FIELDS; k++)
            any |= from[i].fields[k] != 0;
        if (any && to->entities_count < DEMO_MOST_ENTITIES)
            put_entity(World_entities_add(to, (uint16_t)i), from[i].fields);
    }
}

static void put_world(World *to, const demo_snapshot *from)
{
    to->time = from->time;
    to->flags = from->flags;
    to->areas_size = from->area_bytes;
    memcpy(to->areas, from->areas, sizeof to->areas);
    put_player(&to->me, from->player);
    put_entities(to, from);
}

static void get_world(const World *from, demo_snapshot *to)
{
    to->time = from->time;
    to->flags = from->flags;
    to->area_bytes = from->areas_size;
    memcpy(to->areas, from->areas, sizeof to->areas);
    get_player(&from->me, to->player);
    get_entities(from, to);
}

#endif
