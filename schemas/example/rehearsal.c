/* rehearsal.c - a whole match in one process and one thread: a server and clients on a bad network.
 * SPDX-License-Identifier: MIT
 *
 *     rehearsal SEED [TICKS]
 *
 * Whatever happens follows from the seed, so what a test finds happens again in a debugger. Prints a hash of all that the
 * clients have seen. The exit status is 1 if a client has seen something that the server did not send, or an attacker had his way.
 */
#include "client.h"
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { PLAYERS = 8, PARCELS = 1024, SECOND = 1000000, TO_SERVER = 1 << 16 };

typedef struct player {
    client client;
    Command command;
    uint32_t away; /* ticks: it neither sends nor receives, and after two seconds the server removes it */
    bool gone;     /* the server has removed it */
    size_t heard_size;
    uint8_t heard[Response_MAX_BYTES]; /* its last response: an attacker sends it again while the player is away */
} player;

static host server;
static player players[PLAYERS];
static pkt_parcel parcels[PARCELS];
static pkt_network network;
static uint64_t now; /* in microseconds */
static uint64_t seen = 1, snapshots, events, wrong;

static double time_now(void)
{
    return (double)now / SECOND;
}

/* In place of udp.c. What the server sends to a port arrives at the player of that number. */
void udp_send(udp_socket s, const udp_address *to, const void *data, size_t size)
{
    (void)s;
    pkt_network_send(&network, now, ntohs(to->sin_port), data, size);
}

static void note(uint64_t what)
{
    const uint64_t both[2] = {seen, what};
    seen = pkt_hash(both, sizeof both);
}

static const slot *slot_of(uint64_t session)
{
    for (const slot *c = server.slots; c < server.slots + arena_MAX_PLAYERS; c++)
        if (c->playing && c->session == session)
            return c;
    return NULL;
}

/* The hash of a snapshot as the server has it; or 0 if it has forgotten it, or the client. */
static uint64_t hash_of(uint64_t session, uint16_t number)
{
    const slot *c = slot_of(session);
    return c ? ToClient_snapshot_hash_for(&c->snapshots.client, number) : 0;
}

static void receive(player *p, const pkt_parcel *arrived)
{
    client *c = &p->client;
    if (p->away > 0 || !client_receive(c, time_now(), arrived->data, arrived->size))
        return;
    const uint64_t hash = Snapshot_hash(&c->in.snapshot), sent = hash_of(c->session, c->in.number);
    wrong += arrived->damaged || (sent != 0 && sent != hash);
    note(hash);
    for (unsigned i = c->in.events_count - c->new_events; i < c->in.events_count; i++)
        note(Event_hash(&c->in.events[i]));
    snapshots++;
    events += c->new_events;
}

static void send_to_server(const player *from, const uint8_t *data, size_t size)
{
    if (size > 0)
        pkt_network_send(&network, now, (uint32_t)(from - players) + TO_SERVER, data, size);
}

/* What an attacker has heard lets nobody join whom the server has removed. */
static void attack(player *p)
{
    const bool plays = slot_of(p->client.session) != NULL;
    wrong += p->gone && plays;
    p->gone |= !plays && p->client.state == CLIENT_PLAYS;
    send_to_server(p, p->heard, p->heard_size);
}

/* As much as goes into a channel. */
static void chat(client *c)
{
    Event event;
    Event_init(&event);
    event.tag = Event_tag_chat;
    Chat_init(&event.as.chat);
    while (events_push(&c->events, &event, NULL)) {
    }
}

static void play(player *p, rng *random)
{
    uint8_t data[arena_MTU];
    Command *command = &p->command;
    const uint32_t chance = rng_below(random, 1000);
    if (p->away > 0 && p->away-- > 0) {
        attack(p);
        return;
    }
    p->gone = false;
    p->away = chance == 0 ? rng_below(random, 4 * arena_TICK_RATE) : 0;
    if (chance < 50)
        command->forward = (int8_t)((int)rng_below(random, 3) - 1);
    if (chance < 100)
        command->yaw = (float)rng_below(random, 360);
    command->buttons = chance < 30 ? Buttons_fire : 0;
    if (p == players + 1)
        chat(&p->client);
    const size_t size = client_send(&p->client, time_now(), command, data, sizeof data);
    send_to_server(p, data, size);
    if (p->client.state == CLIENT_RESPONDS && size > 0) {
        memcpy(p->heard, data, size);
        p->heard_size = size;
    }
    if (p == players && client_draw(&p->client, time_now()))
        note(Snapshot_hash(&p->client.drawn));
}

int main(int argc, char **argv)
{
    rng random = {argc > 1 ? strtoull(argv[1], NULL, 0) : 1};
    const uint64_t ticks = argc > 2 ? strtoull(argv[2], NULL, 0) : 60 * arena_TICK_RATE;
    pkt_network_init(&network, rng_next(&random), parcels, PARCELS);
    network.loss = network.doubling = network.damage = 0.02;
    network.burst = 0.7;
    network.latency = network.jitter = SECOND / 30;
    server.door.key[0] = (uint8_t)rng_next(&random);
    world_init(&server.world, rng_next(&random));
    for (int i = 0; i < PLAYERS; i++) {
        client_init(&players[i].client, rng_next(&random), arena_PROTOCOL_ID, "player");
        Command_init(&players[i].command);
    }
    for (uint64_t tick = 0; tick < ticks; tick++) {
        now = tick * SECOND / arena_TICK_RATE;
        for (const pkt_parcel *p; (p = pkt_network_take(&network, now));) {
            const udp_address from = udp_local((uint16_t)(p->way % TO_SERVER));
            if (p->way < TO_SERVER)
                receive(&players[p->way], p);
            else
                host_receive(&server, time_now(), &from, p->data, p->size);
        }
        host_tick(&server, time_now());
        for (int i = 0; i < arena_MAX_PLAYERS; i++)
            wrong += server.slots[i].broken; /* parted, since others chat */
        for (int i = 0; i < PLAYERS; i++)
            play(&players[i], &random);
    }
    uint64_t again = 0;
    for (int i = 0; i < PLAYERS; i++)
        again += players[i].client.again;
    printf("%llu ticks: %llu snapshots, %llu events, %llu joined again, %llu wrong, hash %016llx\n",
           (unsigned long long)ticks, (unsigned long long)snapshots, (unsigned long long)events,
           (unsigned long long)again, (unsigned long long)wrong, (unsigned long long)seen);
    return wrong == 0 && snapshots > 0 ? 0 : 1;
}
