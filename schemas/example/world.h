/* world.h - the simulation: players run and jump, fire rockets, and kick crates about.
 * SPDX-License-Identifier: MIT
 *
 * Only the server has it. Clients have Snapshots. It is what an example needs, and no lesson in physics.
 */
#ifndef WORLD_H
#define WORLD_H

#include "arena.h"
#include "rng.h"

enum { FIRST_ROCKET = arena_MAX_PLAYERS, FIRST_CRATE = 2 * arena_MAX_PLAYERS };

typedef struct velocity {
    float x, y, z;
} velocity;

typedef struct kill {
    uint8_t killer, victim;
} kill;

typedef struct world {
    rng random;
    Snapshot exact;   /* as it is computed */
    Snapshot settled; /* as clients see it: made once a tick, and written for each of them */
    velocity speeds[arena_MAX_ENTITIES];
    float spins[arena_MAX_ENTITIES]; /* of crates, in radians a second */
    int reload[arena_MAX_PLAYERS];   /* ticks until the next rocket */
    int flight[arena_MAX_PLAYERS];   /* ticks until the rocket explodes */
    kill kills[arena_MAX_PLAYERS];   /* in this tick */
    int kill_count;
} world;

void world_init(world *w, uint64_t seed);
void world_join(world *w, int slot);
void world_leave(world *w, int slot);

/* In this order in each tick: world_begin, world_command for each command that is executed, world_end. */
void world_begin(world *w);
void world_command(world *w, int slot, const Command *command);
void world_end(world *w);

#endif
