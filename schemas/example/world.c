/* world.c - moves everything once a tick, and settles it.
 * SPDX-License-Identifier: MIT
 */
#include "world.h"

#include <math.h>
#include <string.h>

static const float TICK = 1.0f / arena_TICK_RATE;
static const float GRAVITY = 20, RUN = 8, JUMP = 9, ROCKET = 24, BLAST_RADIUS = 9;
static const float EDGE = (float)arena_SIZE - 1;

static float radians(float degrees)
{
    return degrees * 0.0174532925f;
}

static void place(world *w, int i, Kind kind)
{
    Entity *e = &w->exact.entities[i];
    Entity_init(e);
    e->kind = kind;
    e->at.x = rng_between(&w->random, -EDGE, EDGE);
    e->at.y = rng_between(&w->random, -EDGE, EDGE);
    memset(&w->speeds[i], 0, sizeof w->speeds[i]);
}

void world_init(world *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->random.state = seed;
    Snapshot_init(&w->exact);
    for (int i = FIRST_CRATE; i < arena_MAX_ENTITIES; i++)
        place(w, i, Kind_crate);
    world_end(w);
}

void world_join(world *w, int slot)
{
    place(w, slot, Kind_player);
    w->reload[slot] = 0;
}

void world_leave(world *w, int slot)
{
    Entity_init(&w->exact.entities[slot]);
}

void world_begin(world *w)
{
    w->kill_count = 0;
}

/* Moves by the speed of the entity. What reaches the floor or a wall bounces back with a part of its speed. */
static void move(world *w, int i, float bounce)
{
    Position *at = &w->exact.entities[i].at;
    velocity *v = &w->speeds[i];
    v->z -= GRAVITY * TICK;
    at->x += v->x * TICK;
    at->y += v->y * TICK;
    at->z += v->z * TICK;
    if (fabsf(at->x) > EDGE) {
        at->x = at->x > 0 ? EDGE : -EDGE;
        v->x = -bounce * v->x;
    }
    if (fabsf(at->y) > EDGE) {
        at->y = at->y > 0 ? EDGE : -EDGE;
        v->y = -bounce * v->y;
    }
    if (at->z < 0) {
        at->z = 0;
        v->z = v->z < -1 ? -bounce * v->z : 0;
    }
}

static float distance(const Position *a, const Position *b)
{
    float x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    return sqrtf(x * x + y * y + z * z);
}

static void push(velocity *v, const Position *from, const Position *to, float strength)
{
    float apart = distance(from, to) + 0.1f;
    v->x += strength * (to->x - from->x) / apart;
    v->y += strength * (to->y - from->y) / apart;
    v->z += strength * 0.7f;
}

/* A rocket throws everything about that is near, and kills players. */
static void explode(world *w, int slot)
{
    Entity *rocket = &w->exact.entities[FIRST_ROCKET + slot];
    for (int i = 0; i < arena_MAX_ENTITIES; i++) {
        Entity *e = &w->exact.entities[i];
        float apart = distance(&rocket->at, &e->at);
        if ((e->kind != Kind_crate && e->kind != Kind_player) || apart > BLAST_RADIUS)
            continue;
        push(&w->speeds[i], &rocket->at, &e->at, 2 * (BLAST_RADIUS - apart));
        w->spins[i] = rng_between(&w->random, -6, 6);
        if (e->kind != Kind_player || i == slot)
            continue;
        int left = e->health - (int)(16 * (BLAST_RADIUS - apart));
        e->health = (uint8_t)(left > 0 ? left : 0);
        if (left <= 0 && w->kill_count < arena_MAX_PLAYERS) {
            w->kills[w->kill_count].killer = (uint8_t)slot;
            w->kills[w->kill_count++].victim = (uint8_t)i;
            world_join(w, i);
        }
    }
    Entity_init(rocket);
}

static void fire(world *w, int slot)
{
    const Entity *player = &w->exact.entities[slot];
    Entity *rocket = &w->exact.entities[FIRST_ROCKET + slot];
    *rocket = *player;
    rocket->kind = Kind_rocket;
    rocket->health = 0;
    rocket->at.z += 1.5f;
    w->speeds[FIRST_ROCKET + slot].x = ROCKET * cosf(radians(player->yaw));
    w->speeds[FIRST_ROCKET + slot].y = ROCKET * sinf(radians(player->yaw));
    w->speeds[FIRST_ROCKET + slot].z = 4;
    w->flight[slot] = arena_TICK_RATE;
    w->reload[slot] = arena_TICK_RATE;
}

void world_command(world *w, int slot, const Command *command)
{
    Entity *player = &w->exact.entities[slot];
    float forward_x = cosf(radians(command->yaw)), forward_y = sinf(radians(command->yaw));
    bool stands = player->at.z <= 0;
    player->yaw = command->yaw;
    if (stands) {
        w->speeds[slot].x = RUN * ((float)command->forward * forward_x + (float)command->right * forward_y);
        w->speeds[slot].y = RUN * ((float)command->forward * forward_y - (float)command->right * forward_x);
        if ((command->buttons & Buttons_jump) != 0)
            w->speeds[slot].z = JUMP;
    }
    if ((command->buttons & Buttons_fire) != 0 && w->reload[slot] == 0)
        fire(w, slot);
}

/* Turns about the vertical axis. */
static void spin(pkt_quat *turn, float angle)
{
    float s = sinf(angle / 2), c = cosf(angle / 2);
    pkt_quat q = *turn;
    turn->x = c * q.x - s * q.y;
    turn->y = c * q.y + s * q.x;
    turn->z = c * q.z + s * q.w;
    turn->w = c * q.w - s * q.z;
    float length = sqrtf(turn->x * turn->x + turn->y * turn->y + turn->z * turn->z + turn->w * turn->w);
    turn->x /= length;
    turn->y /= length;
    turn->z /= length;
    turn->w /= length;
}

static void move_crate(world *w, int i)
{
    velocity *v = &w->speeds[i];
    Entity *e = &w->exact.entities[i];
    if (v->x == 0 && v->y == 0 && v->z == 0)
        return;
    move(w, i, 0.5f);
    if (e->at.z > 0) {
        spin(&e->turn, w->spins[i] * TICK);
        return;
    }
    v->x *= 0.97f; /* it slides until it lies still */
    v->y *= 0.97f;
    if (fabsf(v->x) + fabsf(v->y) < 0.2f)
        v->x = v->y = 0;
}

/* Players kick the crates that they run into. */
static void kick(world *w, int slot)
{
    const Entity *player = &w->exact.entities[slot];
    for (int i = FIRST_CRATE; i < arena_MAX_ENTITIES; i++) {
        const Entity *crate = &w->exact.entities[i];
        if (fabsf(crate->at.x - player->at.x) < 1 && fabsf(crate->at.y - player->at.y) < 1 && crate->at.z < 1) {
            push(&w->speeds[i], &player->at, &crate->at, 6);
            w->spins[i] = rng_between(&w->random, -3, 3);
        }
    }
}

void world_end(world *w)
{
    for (int i = FIRST_CRATE; i < arena_MAX_ENTITIES; i++)
        move_crate(w, i);
    for (int slot = 0; slot < arena_MAX_PLAYERS; slot++) {
        if (w->exact.entities[slot].kind == Kind_player) {
            move(w, slot, 0);
            kick(w, slot);
        }
        if (w->exact.entities[FIRST_ROCKET + slot].kind == Kind_rocket) {
            move(w, FIRST_ROCKET + slot, 0);
            if (--w->flight[slot] == 0 || w->exact.entities[FIRST_ROCKET + slot].at.z <= 0)
                explode(w, slot);
        }
        w->reload[slot] -= w->reload[slot] > 0;
    }
    w->settled = w->exact;
    Snapshot_quantize(&w->settled);
}
