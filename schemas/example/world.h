/* world.h - the simulation: players run and jump, fire rockets, and kick crates about.
 * SPDX-License-Identifier: MIT
 *
 * Only the server has it. Clients have Snapshots. It is what an example needs, and no lesson in physics.
 */
#ifndef WORLD_H
#define WORLD_H

#include "arena.h"
#include "rng.h"

typedef struct velocity {
    float x, y, z;
} velocity;

/* What only the server knows of an entity. */
typedef struct body {
    velocity speed;
    float spin;    /* of a crate, in radians a second */
    int timer;     /* ticks until a player may fire again, or a rocket explodes */
    uint8_t owner; /* of a rocket: the slot of the player */
    bool gone;     /* from the end of this tick on */
} body;

typedef struct world {
    rng random;
    Snapshot exact;   /* as it is computed */
    Snapshot settled; /* as clients see it: made once a tick, and written for each of them */
    body bodies[arena_MAX_IDS];
    uint16_t newest;                 /* the id of the last rocket or crate */
    int crates;                      /* in exact */
    Killed kills[arena_MAX_PLAYERS]; /* in this tick */
    int kill_count;
} world;

void world_init(world *w, uint64_t seed);
void world_join(world *w, uint8_t slot);
void world_leave(world *w, uint8_t slot);

/* In each tick: first world_command for each command that is executed. */
void world_command(world *w, uint8_t slot, const Command *command);
void world_tick(world *w);

#endif
