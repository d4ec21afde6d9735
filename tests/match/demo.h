/* demo.h - reads the snapshots of a demo: a match that a client of Quake III or OpenArena recorded.
 * SPDX-License-Identifier: MIT
 *
 * The facts of the format are those of the network protocol of ioquake3 1.36, protocol 71, which wrote OpenArena's demos as
 * protocols 70 and 71 with the same messages. A demo is a file of strangers: whatever its bytes are, the reader stays within
 * them, its work is in proportion to them, and its memory is a demo, in memory of the program.
 */
#ifndef DEMO_H
#define DEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fields of an entity and of the player in the order of the wire, with their bits; 0: a float; negative: signed. */
/* clang-format off */
#define DEMO_ENTITY(FIELD)                                                                                      \
    FIELD(PATH_TIME, 32) FIELD(PATH_X, 0) FIELD(PATH_Y, 0) FIELD(PATH_DX, 0) FIELD(PATH_DY, 0)                  \
    FIELD(PATH_Z, 0) FIELD(TURN_YAW, 0) FIELD(PATH_DZ, 0) FIELD(TURN_PITCH, 0) FIELD(EVENT, 10)                 \
    FIELD(MOVE_YAW, 0) FIELD(TYPE, 8) FIELD(TORSO, 8) FIELD(EVENT_PARM, 8) FIELD(LEGS, 8) FIELD(GROUND, 10)     \
    FIELD(PATH_TYPE, 8) FIELD(FLAGS, 19) FIELD(OTHER, 10) FIELD(WEAPON, 8) FIELD(CLIENT, 8) FIELD(YAW, 0)       \
    FIELD(PATH_DURATION, 32) FIELD(TURN_TYPE, 8) FIELD(X, 0) FIELD(Y, 0) FIELD(Z, 0) FIELD(SOLID, 24)           \
    FIELD(POWERUPS, 16) FIELD(MODEL, 8) FIELD(OTHER2, 10) FIELD(LOOP_SOUND, 8) FIELD(GENERIC, 8) FIELD(Z2, 0)   \
    FIELD(X2, 0) FIELD(Y2, 0) FIELD(MODEL2, 8) FIELD(PITCH, 0) FIELD(TIME, 32) FIELD(TURN_TIME, 32)             \
    FIELD(TURN_DURATION, 32) FIELD(TURN_ROLL, 0) FIELD(TURN_DPITCH, 0) FIELD(TURN_DYAW, 0)                      \
    FIELD(TURN_DROLL, 0) FIELD(TIME2, 32) FIELD(ROLL, 0) FIELD(MOVE_PITCH, 0) FIELD(MOVE_ROLL, 0)               \
    FIELD(LIGHT, 32) FIELD(FRAME, 16)

#define DEMO_PLAYER(FIELD)                                                                                      \
    FIELD(COMMAND_TIME, 32) FIELD(X, 0) FIELD(Y, 0) FIELD(BOB, 8) FIELD(DX, 0) FIELD(DY, 0) FIELD(YAW, 0)       \
    FIELD(PITCH, 0) FIELD(WEAPON_TIME, -16) FIELD(Z, 0) FIELD(DZ, 0) FIELD(LEGS_TIMER, 8)                       \
    FIELD(MOVE_TIME, -16) FIELD(EVENTS, 16) FIELD(TORSO, 8) FIELD(DIRECTION, 4) FIELD(EVENT0, 8)                \
    FIELD(LEGS, 8) FIELD(EVENT1, 8) FIELD(MOVE_FLAGS, 16) FIELD(GROUND, 10) FIELD(WEAPON_STATE, 4)              \
    FIELD(FLAGS, 16) FIELD(EXTERNAL_EVENT, 10) FIELD(GRAVITY, 16) FIELD(SPEED, 16) FIELD(DELTA_YAW, 16)         \
    FIELD(EXTERNAL_PARM, 8) FIELD(VIEW_HEIGHT, -8) FIELD(DAMAGE_EVENT, 8) FIELD(DAMAGE_YAW, 8)                  \
    FIELD(DAMAGE_PITCH, 8) FIELD(DAMAGE_COUNT, 8) FIELD(GENERIC, 8) FIELD(MOVE_TYPE, 8) FIELD(DELTA_PITCH, 16)  \
    FIELD(DELTA_ROLL, 16) FIELD(TORSO_TIMER, 12) FIELD(PARM0, 8) FIELD(PARM1, 8) FIELD(CLIENT, 8)               \
    FIELD(WEAPON, 5) FIELD(ROLL, 0) FIELD(GRAPPLE_X, 0) FIELD(GRAPPLE_Y, 0) FIELD(GRAPPLE_Z, 0)                 \
    FIELD(JUMP_PAD, 10) FIELD(LOOP_SOUND, 16)
/* clang-format on */

#define DEMO_NAME_ENTITY(name, bits) E_##name,
#define DEMO_NAME_PLAYER(name, bits) P_##name,
enum { DEMO_ENTITY(DEMO_NAME_ENTITY) DEMO_ENTITY_FIELDS };
enum { DEMO_PLAYER(DEMO_NAME_PLAYER) DEMO_PLAYER_FIELDS };

/* Behind the player's fields stand four arrays: stats, persistent values, ammunition, power-ups. */
enum { DEMO_ARRAYS = 4, DEMO_ARRAY = 16, DEMO_PLAYER_NUMBERS = DEMO_PLAYER_FIELDS + DEMO_ARRAYS * DEMO_ARRAY };

enum {
    DEMO_MOST_ENTITIES = 256, /* which a server sends at most in a snapshot */
    DEMO_SLOTS = 1024,        /* numbers of entities; the last one ends a list */
    DEMO_KEPT = 32,           /* snapshots that a later one can be a delta to */
    DEMO_MESSAGE = 16384,     /* bytes of a message */
    DEMO_AREAS = 32
};

/* Floats are kept as their bits. */
typedef struct demo_entity {
    int32_t number;
    int32_t fields[DEMO_ENTITY_FIELDS];
} demo_entity;

typedef struct demo_snapshot {
    int32_t number, base; /* base: the number of the snapshot that it was sent as a delta to, or -1 */
    int32_t time;         /* of the server, in milliseconds */
    uint8_t flags, area_bytes, areas[DEMO_AREAS];
    uint32_t bits; /* that it takes in its message: its head, player and entities, without texts of the message */
    int32_t player[DEMO_PLAYER_NUMBERS];
    int32_t count; /* of entities, whose numbers ascend */
    demo_entity entities[DEMO_MOST_ENTITIES];
} demo_snapshot;

typedef struct demo {
    const uint8_t *data;
    size_t size, at;
    const char *error; /* why demo_next returned false, NULL at the end of the demo */
    demo_entity start[DEMO_SLOTS];
    demo_snapshot kept[DEMO_KEPT]; /* at number % DEMO_KEPT; number -1: none */
} demo;

/* `data` has to outlive the demo. */
void demo_begin(demo *d, const void *data, size_t size);

/* Reads on to the next snapshot, and returns it, or NULL at the end and when the demo is damaged. What it returns stays as it is
 * until DEMO_KEPT snapshots later. */
const demo_snapshot *demo_next(demo *d);

#endif
