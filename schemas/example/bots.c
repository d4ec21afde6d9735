/* bots.c - clients of the arena, each with its own socket, on a bad network; and one client that is too old.
 * SPDX-License-Identifier: MIT
 *
 *     bots PORT [--bots N] [--seconds N] [--seed N] [--loss SHARE] [--log FILE] [--wrong-baseline]
 *
 * N bots: up to 64, or else 60.
 *
 * They connect to the server on 127.0.0.1, play, leave, and print what they received. With --wrong-baseline one of them
 * makes a mistake that happens: it moves things in the snapshot that it keeps as a baseline. The exit status is 1 if
 * something is not as it must be.
 */
#include "arena_upgrade.h"
#include "client.h"
#include "clock.h"
#include "rng.h"
#include "udp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOTS = 64, OLD = MOST_BOTS, CLIENTS = MOST_BOTS + 1, CONFUSED = 7, WATCHED = 0 };
static const double GOODBYE = 0.3; /* seconds in which everybody says that he leaves */
static const double LATER = 15;    /* seconds more for those who have not seen enough on a busy machine */
enum { ENOUGH = 10 };              /* snapshots */
enum { PARCELS = 4096 };           /* on the way */

typedef struct bot {
    client client;
    udp_socket socket;
    Command command;
    uint64_t snapshots, after_mistake, chats, kills;
} bot;

typedef struct bots {
    udp_address server;
    int count;
    double seconds;
    bool wrong_baseline;
    FILE *log; /* or NULL */
    rng random;
    uint64_t damaged_accepted;
    uint64_t frames;           /* that were drawn of what one bot sees */
    bool mistaken;             /* the mistake has been made */
    double mistaken_at;        /* in seconds since the start, the last time */
    uint64_t forgotten_before; /* the baselines that its client had given up by then */
    pkt_network to_server, from_server;
    pkt_parcel parcels[2][PARCELS];
    bot each[CLIENTS];
} bots;

/* ---- what a bot does */

/* Walks about, and sometimes turns, jumps and shoots. */
static void think(bots *b, Command *c)
{
    if (rng_below(&b->random, 40) == 0) {
        c->forward = (int8_t)((int)rng_below(&b->random, 3) - 1);
        c->right = (int8_t)((int)rng_below(&b->random, 3) - 1);
    }
    if (rng_below(&b->random, 10) == 0)
        c->yaw = (float)(((int)c->yaw + 330 + (int)rng_below(&b->random, 60)) % 360);
    c->buttons = (Buttons)((rng_below(&b->random, 30) == 0 ? Buttons_fire : 0) |
                           (rng_below(&b->random, 120) == 0 ? Buttons_jump : 0));
}

static void say(bot *speaker, const char *text)
{
    Event event;
    Event_init(&event);
    event.tag = Event_tag_chat;
    Chat_init(&event.as.chat);
    pkt_text_set(event.as.chat.text, sizeof event.as.chat.text, text);
    events_push(&speaker->client.events, &event, NULL);
}

static void say_goodbye(bot *leaving)
{
    Event event;
    Event_init(&event);
    event.tag = Event_tag_leave;
    events_push(&leaving->client.events, &event, NULL);
}

static uint64_t microseconds(double now)
{
    return (uint64_t)(now * 1e6);
}

static void send_tick(bots *b, int number, double now)
{
    uint8_t data[arena_MTU];
    bot *sender = &b->each[number];
    think(b, &sender->command);
    if (sender->client.state == CLIENT_PLAYS && rng_below(&b->random, 5 * arena_TICK_RATE) == 0)
        say(sender, "zur Br\xc3\xbc"
                    "cke!");
    size_t size = client_send(&sender->client, now, &sender->command, data, sizeof data);
    if (size > 0)
        pkt_network_send(&b->to_server, microseconds(now), (uint32_t)number, data, size);
}

/* ---- what arrives */

static void note(bots *b, bot *receiver, const char *what, unsigned number, uint64_t hash)
{
    if (b->log)
        fprintf(b->log, "%016llx %s %u %016llx\n", (unsigned long long)receiver->client.session, what, number,
                (unsigned long long)hash);
}

static void on_event(bots *b, bot *receiver, unsigned number, const Event *event)
{
    note(b, receiver, "event", number, Event_hash(event));
    receiver->chats += event->tag == Event_tag_chat;
    receiver->kills += event->tag == Event_tag_killed;
}

static void receive(bots *b, double now, const pkt_parcel *p)
{
    bot *receiver = &b->each[p->way];
    client *c = &receiver->client;
    if (!client_receive(c, now, p->data, p->size))
        return;
    b->damaged_accepted += p->damaged;
    receiver->snapshots++;
    receiver->after_mistake += b->mistaken;
    note(b, receiver, "snapshot", c->in.number, Snapshot_hash(&c->in.snapshot));
    for (unsigned i = c->in.events_count - c->new_events; i < c->in.events_count; i++)
        on_event(b, receiver, (uint16_t)(c->in.first + i), &c->in.events[i]);
}

static void run_tick(bots *b)
{
    udp_address from;
    uint8_t data[PKT_PARCEL_BYTES];
    double now = seconds();
    const uint64_t time = microseconds(now);
    for (int i = 0; i < CLIENTS; i++) {
        if (i >= b->count && i != OLD)
            continue;
        for (int size; (size = udp_receive(b->each[i].socket, &from, data, sizeof data)) >= 0;)
            pkt_network_send(&b->from_server, time, (uint32_t)i, data, (size_t)size);
        send_tick(b, i, now);
    }
    for (const pkt_parcel *p; (p = pkt_network_take(&b->from_server, time));)
        receive(b, now, p);
    b->frames += client_draw(&b->each[WATCHED].client, now);
    for (const pkt_parcel *p; (p = pkt_network_take(&b->to_server, time));)
        udp_send(b->each[p->way].socket, &b->server, p->data, p->size);
}

/* A program that changes what it keeps as a baseline, such as one that predicts where something will be, before it keeps it. */
static void make_mistake(bots *b, double played)
{
    ToClient_receiver *confused = &b->each[CONFUSED].client.received;
    ToClient_snapshot_ring *ring = &confused->kept.snapshot;
    for (int i = 0; i <= ToClient_snapshot_REACH; i++) {
        ring->value[i].entities[0].at.x += 1;
        ring->hash[i] = Snapshot_hash(&ring->value[i]);
    }
    if (!b->mistaken)
        b->forgotten_before = confused->forgotten;
    b->mistaken = true;
    b->mistaken_at = played;
}

static bool have_seen_enough(const bots *b)
{
    for (int i = 0; i < b->count; i++)
        if (b->each[i].snapshots < ENOUGH)
            return false;
    return true;
}

static bool mistake_was_noticed(const bots *b)
{
    return b->mistaken && b->each[CONFUSED].client.received.forgotten > b->forgotten_before &&
           b->each[CONFUSED].after_mistake > 0;
}

/* After a snapshot without a baseline, or when the client has joined again, nothing is left of the mistake. So it is made
 * each second until it is noticed. */
static bool must_make_mistake(const bots *b, double played)
{
    return b->wrong_baseline && b->each[CONFUSED].client.state == CLIENT_PLAYS && played > b->seconds / 2 &&
           (!b->mistaken || (played > b->mistaken_at + 1 && !mistake_was_noticed(b)));
}

static bool are_done(const bots *b)
{
    return have_seen_enough(b) && (!b->wrong_baseline || mistake_was_noticed(b));
}

/* ---- the table */

static void row(const char *what, uint64_t value)
{
    printf("%-34s %10llu\n", what, (unsigned long long)value);
}

static bool must(bool holds, const char *what)
{
    printf("%s: %s\n", holds ? "yes" : "NO", what);
    return holds;
}

static bool print(const bots *b)
{
    uint64_t snapshots = 0, stayed = 0, chats = 0, kills = 0, forgotten = 0, again = 0;
    uint64_t errors[PKT_ERROR_BASELINE + 1] = {0};
    for (int i = 0; i < b->count; i++) {
        const bot *each = &b->each[i];
        snapshots += each->snapshots;
        stayed += each->client.stayed;
        forgotten += each->client.received.forgotten;
        again += each->client.again;
        chats += each->chats;
        kills += each->kills;
        for (int code = 0; code <= PKT_ERROR_BASELINE; code++)
            errors[code] += each->client.errors[code];
    }
    row("datagrams sent to bots", b->from_server.sent);
    row("  lost", b->from_server.lost);
    row("  here twice", b->from_server.doubled);
    row("  damaged", b->from_server.damaged);
    row("snapshots shown", snapshots);
    row("  entities kept from going back", stayed);
    row("frames drawn of one bot", b->frames);
    row("chats, kills", chats + kills);
    for (int code = 1; code <= PKT_ERROR_BASELINE; code++)
        if (errors[code] > 0)
            printf("refused: %-25s %10llu\n", pkt_code_name((pkt_code)code), (unsigned long long)errors[code]);
    row("refused: overtaken, or here twice", errors[PKT_OK]);
    row("baselines given up", forgotten);
    row("joined again", again);
    puts("");

    const client *old = &b->each[OLD].client;
    printf("release %u, %d bots\n", (unsigned)arena_PROTOCOL_VERSION, b->count);
    bool good = must(have_seen_enough(b), "every bot has joined and seen the world move");
    good &= must(b->damaged_accepted == 0, "nothing that was damaged was accepted");
    if (old->state == CLIENT_REFUSED)
        printf("the old client: \"%s: your version is %u, the server's is %u\"\n",
               old->refused.reason == Reason_must_update ? "please update" : "refused",
               (unsigned)arena_PROTOCOL_VERSION_OF(old->hello.game_id), (unsigned)old->refused.release);
    good &= must(old->state == CLIENT_REFUSED && old->refused.reason == Reason_must_update &&
                     old->refused.release >= arena_PROTOCOL_VERSION,
                 "the old client was told to update");
    if (b->wrong_baseline)
        good &= must(mistake_was_noticed(b), "the wrong baseline was noticed, and snapshots went on");
    return good;
}

static void begin_network(pkt_network *n, uint64_t seed, pkt_parcel *parcels, double loss)
{
    pkt_network_init(n, seed, parcels, PARCELS);
    n->loss = loss;
    n->doubling = 0.02;
    n->damage = 0.01;
    n->latency = n->jitter = microseconds(0.03);
}

static bool parse(bots *b, int argc, char **argv)
{
    uint64_t seed = 1;
    double loss = 0.05;
    if (argc < 2)
        return false;
    b->server = udp_local((uint16_t)atoi(argv[1]));
    b->count = 60;
    b->seconds = 5;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--wrong-baseline") == 0)
            b->wrong_baseline = true;
        else if (i + 1 == argc)
            return false;
        else if (strcmp(argv[i], "--bots") == 0)
            b->count = atoi(argv[++i]);
        else if (strcmp(argv[i], "--seconds") == 0)
            b->seconds = atof(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = (uint64_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--loss") == 0)
            loss = atof(argv[++i]);
        else if (strcmp(argv[i], "--log") == 0 && (b->log = fopen(argv[++i], "w")) == NULL)
            return false;
    b->random.state = seed;
    begin_network(&b->to_server, seed + 1, b->parcels[0], loss);
    begin_network(&b->from_server, seed + 2, b->parcels[1], loss);
    return b->count > CONFUSED && b->count <= MOST_BOTS;
}

int main(int argc, char **argv)
{
    bots *b = (bots *)calloc(1, sizeof *b);
    if (!b || !parse(b, argc, argv)) {
        fputs("usage: bots PORT [--bots N] [--seconds N] [--seed N] [--loss SHARE] [--log FILE] [--wrong-baseline]\n",
              stderr);
        return 2;
    }
    /* The salts of two runs differ, also with the same seed, so that nothing of an earlier run is mistaken for one of
     * this. */
    rng salts = {(uint64_t)(seconds() * 1e9)};
    for (int i = 0; i < CLIENTS; i++) {
        udp_address own;
        char name[16];
        snprintf(name, sizeof name, i == OLD ? "old" : "bot %d", i);
        b->each[i].socket = udp_open(0, &own);
        client_init(&b->each[i].client, rng_next(&salts), i == OLD ? arena_v1_PROTOCOL_ID : arena_PROTOCOL_ID, name);
        Command_init(&b->each[i].command);
    }

    double start = seconds(), next = start, left = 0; /* left: when they left */
    while (left == 0 || seconds() - left < GOODBYE) {
        const double played = seconds() - start;
        if (must_make_mistake(b, played))
            make_mistake(b, played);
        if (left == 0 && played > b->seconds && (are_done(b) || played > b->seconds + LATER)) {
            left = seconds();
            for (int i = 0; i < b->count; i++)
                say_goodbye(&b->each[i]);
        }
        run_tick(b);
        next = wait_for_tick(next + 1.0 / arena_TICK_RATE);
    }

    bool good = print(b);
    if (b->log)
        fclose(b->log);
    for (int i = 0; i < CLIENTS; i++)
        udp_close(b->each[i].socket);
    free(b);
    return good ? 0 : 1;
}
