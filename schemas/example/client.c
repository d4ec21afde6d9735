/* client.c - 64 players of schemas/mygame.pkt, each with its own socket, over a bad network.
 * SPDX-License-Identifier: MIT
 *
 *     client port [seconds]
 *
 * Connects to the server on 127.0.0.1, plays, leaves, and prints what was sent, and what the network did to it.
 */
#include "bad_network.h"
#include "mygame.h"
#include "traffic.h"
#include "udp.h"

static const double RETRY = 0.1;    /* seconds until a request or response is sent again */
static const double PATIENCE = 0.1; /* seconds without a snapshot until a player stops playing and waits */

typedef enum player_state { PLAYER_REQUESTS, PLAYER_RESPONDS, PLAYER_PLAYS } player_state;

typedef struct player {
    player_state state;
    udp_socket socket;
    uint64_t client_salt, server_salt;
    double asked, heard;
    uint32_t tick;
    uint16_t newest;     /* the newest snapshot that has arrived */
    uint32_t before;     /* a bit for each of the 32 snapshots before it, set if it has arrived */
    Command commands[4]; /* newest first */
} player;

static player players[mygame_MAX_PLAYERS];
static udp_address server;
static traffic sent, received;
static bad_network network;

static void send_message(const player *p, const Message *m)
{
    uint8_t data[Message_MAX_BYTES];
    pkt_error error;
    size_t size = Message_pack_error(m, data, sizeof data, &error);
    if (size == 0) {
        char text[256];
        fprintf(stderr, "client: %s\n", pkt_error_string(&error, text, sizeof text));
        exit(1);
    }
    if (bad_network_send(&network, p->socket, &server, data, size))
        traffic_add(&sent, m->tag, size);
}

/* ---- what arrives */

static void on_snapshot(player *p, const Snapshot *s)
{
    uint16_t newer = (uint16_t)(s->sequence - p->newest); /* also correct when the sequence number wraps */
    if (newer == 0 || newer >= 0x8000)
        return;
    p->before = newer > 32 ? 0 : newer == 32 ? 1u << 31 : p->before << newer | 1u << (newer - 1);
    p->newest = s->sequence;
}

static void receive(player *p)
{
    static Message m;
    uint8_t data[2048];
    udp_address from;
    for (int size; (size = udp_receive(p->socket, &from, data, sizeof data)) >= 0;) {
        if (!Message_unpack(&m, data, (size_t)size))
            continue;
        traffic_add(&received, m.tag, (size_t)size);
        p->heard = seconds();
        if (m.tag == Message_tag_connect_challenge && p->state == PLAYER_REQUESTS &&
            m.as.connect_challenge.client_salt == p->client_salt) {
            p->server_salt = m.as.connect_challenge.server_salt;
            p->state = PLAYER_RESPONDS;
            p->asked = 0;
        } else if (m.tag == Message_tag_connect_accept && p->state == PLAYER_RESPONDS) {
            p->state = PLAYER_PLAYS;
            p->tick = m.as.connect_accept.tick;
        } else if (m.tag == Message_tag_snapshot) {
            on_snapshot(p, &m.as.snapshot);
        }
    }
}

/* ---- what goes out */

static void send_request(player *p)
{
    Message m;
    Message_init(&m);
    if (p->state == PLAYER_REQUESTS) {
        m.tag = Message_tag_connect_request;
        ConnectRequest_init(&m.as.connect_request);
        m.as.connect_request.client_salt = p->client_salt;
        snprintf(m.as.connect_request.name, sizeof m.as.connect_request.name, "player %d", (int)(p - players));
    } else {
        m.tag = Message_tag_connect_response;
        ConnectResponse_init(&m.as.connect_response);
        m.as.connect_response.salts = p->client_salt ^ p->server_salt;
    }
    send_message(p, &m);
    p->asked = seconds();
}

/* A player who walks around, and sometimes jumps and shoots. */
static Command think(const Command *before)
{
    Command c = *before;
    if (rand() % 30 == 0) {
        c.forward = (float)(rand() % 3 - 1);
        c.strafe = (float)(rand() % 3 - 1);
        c.weapon = (Weapon)(rand() % 4);
    }
    c.aim.yaw += (float)(rand() % 40) / 10;
    if (c.aim.yaw > 360)
        c.aim.yaw -= 360;
    c.buttons = (Buttons)((rand() % 8 == 0 ? Buttons_fire : 0) | (rand() % 60 == 0 ? Buttons_jump : 0));
    return c;
}

static void send_input(player *p)
{
    Message m;
    Input *input = &m.as.input;
    Command now = think(&p->commands[0]);
    memmove(&p->commands[1], &p->commands[0], sizeof p->commands - sizeof now);
    p->commands[0] = now;

    m.tag = Message_tag_input;
    Input_init(input);
    input->tick = ++p->tick;
    input->ack = p->newest;
    input->ack_bits = p->before;
    input->commands_count = sizeof p->commands / sizeof p->commands[0];
    memcpy(input->commands, p->commands, sizeof p->commands);
    send_message(p, &m);
}

static void send_chat(const player *p)
{
    Message m;
    m.tag = Message_tag_chat;
    Chat_init(&m.as.chat);
    m.as.chat.to = (Team)(rand() % 3);
    snprintf(m.as.chat.text, sizeof m.as.chat.text,
             "zur Br\xc3\xbc"
             "cke, %d!",
             (int)(p - players));
    send_message(p, &m);
}

static void leave(const player *p)
{
    Message m;
    m.tag = Message_tag_disconnect;
    Disconnect_init(&m.as.disconnect);
    strcpy(m.as.disconnect.reason, "good night");
    for (int times = 0; times < 3; times++)
        send_message(p, &m);
}

static void play(player *p)
{
    receive(p);
    if (p->state != PLAYER_PLAYS) {
        if (seconds() - p->asked > RETRY)
            send_request(p);
        return;
    }
    if (seconds() - p->heard > PATIENCE)
        return;
    send_input(p);
    if (rand() % (3 * mygame_TICK_RATE) == 0)
        send_chat(p);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: client port [seconds]\n", stderr);
        return 2;
    }
    double start = seconds(), next = start, duration = argc > 2 ? atof(argv[2]) : 5;
    server = udp_local((uint16_t)atoi(argv[1]));
    for (int i = 0; i < mygame_MAX_PLAYERS; i++) {
        udp_address own;
        players[i].socket = udp_open(0, &own);
        players[i].client_salt = ((uint64_t)rand() << 32) ^ (uint64_t)rand();
    }
    while (seconds() - start < duration) {
        for (int i = 0; i < mygame_MAX_PLAYERS; i++)
            play(&players[i]);
        next = wait_for_tick(next + 1.0 / mygame_TICK_RATE);
    }
    for (int i = 0; i < mygame_MAX_PLAYERS; i++)
        leave(&players[i]);

    traffic_print(&sent, "sent whole", duration);
    traffic_print(&received, "received", duration);
    puts("");
    printf("dropped %llu\n", (unsigned long long)network.dropped);
    for (pkt_code code = PKT_OK; code <= PKT_ERROR_VALUE; code = (pkt_code)(code + 1))
        if (network.injected[code] > 0)
            printf("injected %s %llu\n", pkt_code_name(code), (unsigned long long)network.injected[code]);
    return 0;
}
