/* world.c - moves everything once a tick, and settles it.
 * SPDX-License-Identifier: MIT
 */
#include "world.h"

#include <math.h>
#include <string.h>

static const float TICK = 1.0f / arena_TICK_RATE;
static const float GRAVITY = 20, RUN = 8, JUMP = 9, ROCKET = 24, BLAST_RADIUS = 9, BREAKS = 2;
static const float EDGE = (float)arena_SIZE - 1;

static float radians(float degrees)
{
    return degrees * 0.0174532925f;
}

/* Puts an entity somewhere on the floor: a new one, or a player who begins again. Pointers to others may become invalid. */
static Entity *place(world *w, uint16_t id, Kind kind)
{
    Entity *e = Snapshot_entities_add(&w->exact, id);
    memset(&w->bodies[id], 0, sizeof w->bodies[id]);
    w->bodies[id].timer = arena_TICK_RATE; /* also of a player: a rocket that is still on its way is gone by then */
    Entity_init(e);
    e->id = id;
    e->kind = kind;
    e->at.x = rng_between(&w->random, -EDGE, EDGE);
    e->at.y = rng_between(&w->random, -EDGE, EDGE);
    w->crates += kind == Kind_crate;
    return e;
}

/* Ids are used in turn: a client may still know the last entity that had one. */
static uint16_t new_id(world *w)
{
    do
        w->newest = w->newest < arena_MAX_IDS - 1 ? w->newest + 1 : arena_MAX_PLAYERS;
    while (Snapshot_entities_find(&w->exact, w->newest));
    return w->newest;
}

void world_init(world *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->random.state = seed;
    w->newest = arena_MAX_PLAYERS - 1;
    Snapshot_init(&w->exact);
    world_tick(w);
}

void world_join(world *w, uint8_t slot)
{
    place(w, slot, Kind_player);
}

void world_leave(world *w, uint8_t slot)
{
    Snapshot_entities_remove(&w->exact, slot);
}

/* Moves by the speed of the body. What reaches the floor or a wall bounces back with a part of its speed. */
static void move(Position *at, velocity *v, float bounce)
{
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

/* A rocket throws everything about that is near, kills players, and breaks crates. */
static void explode(world *w, const Entity *rocket)
{
    const uint8_t owner = w->bodies[rocket->id].owner;
    w->bodies[rocket->id].gone = true;
    for (Entity *e = w->exact.entities; e < w->exact.entities + w->exact.entities_count; e++) {
        float apart = distance(&rocket->at, &e->at);
        body *b = &w->bodies[e->id];
        if (e->kind == Kind_rocket || apart > BLAST_RADIUS)
            continue;
        push(&b->speed, &rocket->at, &e->at, 2 * (BLAST_RADIUS - apart));
        b->spin = rng_between(&w->random, -6, 6);
        b->gone = e->kind == Kind_crate && (b->gone || apart < BREAKS);
        if (e->kind == Kind_crate || e->id == owner)
            continue;
        int left = e->health - (int)(16 * (BLAST_RADIUS - apart));
        e->health = (uint8_t)(left > 0 ? left : 0);
        if (left <= 0 && w->kill_count < arena_MAX_PLAYERS) {
            w->kills[w->kill_count].killer = owner;
            w->kills[w->kill_count++].victim = (uint8_t)e->id;
            place(w, e->id, Kind_player);
        }
    }
}

/* player: a copy, because a new entity moves the others. */
static void fire(world *w, Entity player)
{
    Entity *rocket = place(w, new_id(w), Kind_rocket);
    body *b = &w->bodies[rocket->id];
    rocket->at = player.at;
    rocket->at.z += 1.5f;
    rocket->yaw = player.yaw;
    b->speed.x = ROCKET * cosf(radians(player.yaw));
    b->speed.y = ROCKET * sinf(radians(player.yaw));
    b->speed.z = 4;
    b->owner = (uint8_t)player.id;
    w->bodies[player.id].timer = arena_TICK_RATE;
}

void world_command(world *w, uint8_t slot, const Command *command)
{
    Entity *player = Snapshot_entities_find(&w->exact, slot);
    velocity *v = &w->bodies[slot].speed;
    float forward_x = cosf(radians(command->yaw)), forward_y = sinf(radians(command->yaw));
    player->yaw = command->yaw;
    if (player->at.z <= 0) {
        v->x = RUN * ((float)command->forward * forward_x + (float)command->right * forward_y);
        v->y = RUN * ((float)command->forward * forward_y - (float)command->right * forward_x);
        if ((command->buttons & Buttons_jump) != 0)
            v->z = JUMP;
    }
    if ((command->buttons & Buttons_fire) != 0 && w->bodies[slot].timer == 0)
        fire(w, *player);
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
}

static void move_crate(Entity *e, body *b)
{
    velocity *v = &b->speed;
    if (v->x == 0 && v->y == 0 && v->z == 0)
        return;
    move(&e->at, v, 0.5f);
    if (e->at.z > 0) {
        spin(&e->turn, b->spin * TICK);
        return;
    }
    v->x *= 0.97f; /* it slides until it lies still */
    v->y *= 0.97f;
    if (fabsf(v->x) + fabsf(v->y) < 0.2f)
        v->x = v->y = 0;
}

/* Players kick the crates that they run into. */
static void kick(world *w, const Entity *player)
{
    for (const Entity *e = w->exact.entities; e < w->exact.entities + w->exact.entities_count; e++) {
        if (e->kind == Kind_crate && fabsf(e->at.x - player->at.x) < 1 && fabsf(e->at.y - player->at.y) < 1 &&
            e->at.z < 1) {
            push(&w->bodies[e->id].speed, &player->at, &e->at, 6);
            w->bodies[e->id].spin = rng_between(&w->random, -3, 3);
        }
    }
}

static void move_entity(world *w, Entity *e, body *b)
{
    switch (e->kind) {
    case Kind_crate: move_crate(e, b); break;
    case Kind_player:
        move(&e->at, &b->speed, 0);
        kick(w, e);
        b->timer -= b->timer > 0;
        break;
    case Kind_rocket:
        move(&e->at, &b->speed, 0);
        if (--b->timer == 0 || e->at.z <= 0)
            explode(w, e);
        break;
    }
}

void world_tick(world *w)
{
    w->kill_count = 0;
    for (Entity *e = w->exact.entities; e < w->exact.entities + w->exact.entities_count; e++)
        move_entity(w, e, &w->bodies[e->id]);
    for (uint16_t i = w->exact.entities_count; i-- > 0;) {
        const Entity *e = &w->exact.entities[i];
        if (!w->bodies[e->id].gone)
            continue;
        w->crates -= e->kind == Kind_crate;
        Snapshot_entities_remove(&w->exact, e->id);
    }
    while (w->crates < arena_MAX_CRATES)
        place(w, new_id(w), Kind_crate);
    Snapshot_copy(&w->settled, &w->exact);
    Snapshot_quantize(&w->settled);
}
