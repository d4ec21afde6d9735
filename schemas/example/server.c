/* server.c - a game server for schemas/mygame.pkt: 64 players, 60 ticks per second, 20 snapshots per second for each.
 * SPDX-License-Identifier: MIT
 *
 *     server [port]
 *
 * Prints the port it listens on, runs until the last player has left, and prints what was sent and received.
 */
#include "mygame.h"
#include "traffic.h"
#include "udp.h"

#include <math.h>

enum { TICKS_A_SNAPSHOT = 3 };
static const double PATIENCE = 2.0; /* seconds until a silent player is removed, or the server ends without players */

typedef enum slot_state { SLOT_FREE, SLOT_CHALLENGED, SLOT_PLAYING } slot_state;

typedef struct slot {
    slot_state state;
    udp_address address;
    uint64_t salts;
    double heard;      /* time of the last packet */
    uint32_t tick;     /* of the newest command */
    uint16_t sequence; /* of the newest snapshot */
    Player player;
} slot;

static slot slots[mygame_MAX_PLAYERS];
static udp_socket server;
static uint32_t tick;
static traffic sent, received;
static uint64_t refused[PKT_ERROR_VALUE + 1];

static void send_message(const udp_address *to, const Message *m)
{
    uint8_t data[Message_MAX_BYTES];
    pkt_error error;
    size_t size = Message_pack_error(m, data, sizeof data, &error);
    if (size == 0) {
        /* A value that the schema does not allow: a bug in this program. */
        char text[256];
        fprintf(stderr, "server: %s\n", pkt_error_string(&error, text, sizeof text));
        exit(1);
    }
    udp_send(server, to, data, size);
    traffic_add(&sent, m->tag, size);
}

static slot *find_slot(const udp_address *address)
{
    for (int i = 0; i < mygame_MAX_PLAYERS; i++)
        if (slots[i].state != SLOT_FREE && slots[i].address.sin_port == address->sin_port &&
            slots[i].address.sin_addr.s_addr == address->sin_addr.s_addr)
            return &slots[i];
    return NULL;
}

static slot *take_slot(const udp_address *address)
{
    for (int i = 0; i < mygame_MAX_PLAYERS; i++) {
        if (slots[i].state == SLOT_FREE) {
            memset(&slots[i], 0, sizeof slots[i]);
            slots[i].address = *address;
            return &slots[i];
        }
    }
    return NULL;
}

/* ---- what arrives */

static void on_request(slot *s, const udp_address *from, const ConnectRequest *request)
{
    Message answer;
    Message_init(&answer);
    if (!s)
        s = take_slot(from);
    if (!s) {
        answer.tag = Message_tag_connect_deny;
        ConnectDeny_init(&answer.as.connect_deny);
        answer.as.connect_deny.reason = DenyReason_server_full;
    } else {
        uint64_t salt = ((uint64_t)rand() << 32) ^ (uint64_t)rand(); /* a real server uses a secure random number */
        s->state = SLOT_CHALLENGED;
        s->heard = seconds();
        s->salts = request->client_salt ^ salt;
        answer.tag = Message_tag_connect_challenge;
        answer.as.connect_challenge.client_salt = request->client_salt;
        answer.as.connect_challenge.server_salt = salt;
    }
    send_message(from, &answer);
}

static void on_response(slot *s, const ConnectResponse *response)
{
    if (s->salts != response->salts)
        return;
    if (s->state == SLOT_CHALLENGED) {
        s->state = SLOT_PLAYING;
        Player_init(&s->player);
        s->player.slot = (uint8_t)(s - slots);
        s->player.team = s->player.slot % 2 ? Team_red : Team_blue;
        s->player.alive = true;
        s->player.x = (float)(rand() % 2000 - 1000);
        s->player.y = (float)(rand() % 2000 - 1000);
    }
    Message answer;
    Message_init(&answer);
    answer.tag = Message_tag_connect_accept;
    ConnectAccept_init(&answer.as.connect_accept);
    answer.as.connect_accept.slot = s->player.slot;
    answer.as.connect_accept.tick = tick;
    send_message(&s->address, &answer);
}

/* Executes the commands that have not been seen yet; the newest comes first. */
static void on_input(slot *s, const Input *input)
{
    for (uint32_t age = input->commands_count; age-- > 0;) {
        const Command *c = &input->commands[age];
        if (input->tick < age || input->tick - age <= s->tick)
            continue;
        Player *p = &s->player;
        float turn = c->aim.yaw * 0.0174532925f;
        p->aim = c->aim;
        p->weapon = c->weapon;
        p->velocity.x = 10 * (c->forward * cosf(turn) - c->strafe * sinf(turn));
        p->velocity.y = 10 * (c->forward * sinf(turn) + c->strafe * cosf(turn));
        p->moving = c->forward != 0 || c->strafe != 0;
        p->x += p->velocity.x / mygame_TICK_RATE;
        p->y += p->velocity.y / mygame_TICK_RATE;
        Player_quantize(p); /* to the values that players see; also keeps them in the world */
        s->tick = input->tick - age;
    }
}

static void on_chat(const slot *s, const Message *m)
{
    Message relayed = *m;
    relayed.as.chat.from_slot = s->player.slot;
    for (int i = 0; i < mygame_MAX_PLAYERS; i++)
        if (slots[i].state == SLOT_PLAYING && (m->as.chat.to == Team_none || m->as.chat.to == slots[i].player.team))
            send_message(&slots[i].address, &relayed);
}

static void receive(const udp_address *from, const uint8_t *data, size_t size)
{
    static Message m;
    pkt_error error;
    if (!Message_unpack_error(&m, data, size, &error)) {
        refused[error.code]++;
        return;
    }
    traffic_add(&received, m.tag, size);

    slot *s = find_slot(from);
    if (m.tag == Message_tag_connect_request) {
        if (!s || s->state == SLOT_CHALLENGED)
            on_request(s, from, &m.as.connect_request);
        return;
    }
    if (!s)
        return;
    s->heard = seconds();
    if (m.tag == Message_tag_connect_response)
        on_response(s, &m.as.connect_response);
    if (s->state != SLOT_PLAYING)
        return;
    switch (m.tag) {
    case Message_tag_input: on_input(s, &m.as.input); break;
    case Message_tag_chat: on_chat(s, &m); break;
    case Message_tag_disconnect: s->state = SLOT_FREE; break;
    default: /* packets that only servers send */ break;
    }
}

/* ---- what goes out */

static const Player *viewer;

static float distance(const Player *p)
{
    return (p->x - viewer->x) * (p->x - viewer->x) + (p->y - viewer->y) * (p->y - viewer->y);
}

static int nearer(const void *a, const void *b)
{
    float x = distance(*(const Player *const *)a), y = distance(*(const Player *const *)b);
    return (x > y) - (x < y);
}

static void send_snapshot(slot *s)
{
    static Message m;
    Snapshot *snapshot = &m.as.snapshot;
    const Player *playing[mygame_MAX_PLAYERS];
    size_t count = 0;
    for (int i = 0; i < mygame_MAX_PLAYERS; i++)
        if (slots[i].state == SLOT_PLAYING)
            playing[count++] = &slots[i].player;
    viewer = &s->player;
    qsort(playing, count, sizeof playing[0], nearer);

    m.tag = Message_tag_snapshot;
    Snapshot_init(snapshot);
    snapshot->sequence = ++s->sequence;
    snapshot->tick = tick;
    for (size_t i = 0; i < count && i < sizeof snapshot->players / sizeof snapshot->players[0]; i++)
        snapshot->players[snapshot->players_count++] = *playing[i];
    send_message(&s->address, &m);
}

/* ---- */

static int connected(void)
{
    int count = 0;
    for (int i = 0; i < mygame_MAX_PLAYERS; i++) {
        if (slots[i].state != SLOT_FREE && seconds() - slots[i].heard > PATIENCE)
            slots[i].state = SLOT_FREE;
        count += slots[i].state != SLOT_FREE;
    }
    return count;
}

int main(int argc, char **argv)
{
    udp_address address, from;
    server = udp_open(argc > 1 ? (uint16_t)atoi(argv[1]) : 0, &address);
    printf("listening on port %u\n", (unsigned)ntohs(address.sin_port));
    fflush(stdout);

    /* Runs until everybody has left. The first players have more time to arrive. */
    double start = seconds(), next = start, last = start, deadline = start + 5 * PATIENCE;
    for (tick = 0; seconds() < deadline; tick++) {
        uint8_t data[2048];
        for (int size; (size = udp_receive(server, &from, data, sizeof data)) >= 0;)
            receive(&from, data, (size_t)size);
        if (connected() > 0) {
            last = seconds();
            deadline = last + PATIENCE / 4;
        }
        for (int i = 0; i < mygame_MAX_PLAYERS && tick % TICKS_A_SNAPSHOT == 0; i++)
            if (slots[i].state == SLOT_PLAYING)
                send_snapshot(&slots[i]);
        next = wait_for_tick(next + 1.0 / mygame_TICK_RATE);
    }

    double duration = last - start;
    printf("\n%.1f seconds, %u ticks\n\n", duration, (unsigned)tick);
    traffic_print(&received, "received", duration);
    traffic_print(&sent, "sent", duration);
    puts("");
    for (pkt_code code = PKT_OK; code <= PKT_ERROR_VALUE; code = (pkt_code)(code + 1))
        if (refused[code] > 0)
            printf("refused %s %llu\n", pkt_code_name(code), (unsigned long long)refused[code]);
    return 0;
}
