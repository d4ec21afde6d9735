/* enet.c - a server and two clients over ENet, with loss: chats on a reliable channel all arrive, in order; snapshots on an
 * unreliable one may be lost, and are never misread. A client of another protocol is sent away.
 * SPDX-License-Identifier: MIT
 *
 * Each channel has one type, and ENet knows where a packet ends, so bodies are enough. ENet's checksum takes the place of
 * pktc's, and the protocol id is compared once, when a client connects.
 */
#include "net.h"

#include <enet/enet.h>
#include <stdio.h>
#include <string.h>

enum { RELIABLE, UNRELIABLE, CHANNELS };
enum { CLIENTS = 2, TICKS = 200, CHATS = 20 };

/* ENet has 32 bits for what a client says as it connects. */
static const enet_uint32 protocol = (enet_uint32)(net_PROTOCOL_ID ^ net_PROTOCOL_ID >> 32);

typedef struct client {
    ENetHost *host;
    ENetPeer *server;
    enet_uint32 chats, snapshots, last_tick;
} client;

static unsigned datagrams;

/* Loses every fourth datagram that a host receives. */
static int lose(ENetHost *host, ENetEvent *event)
{
    (void)host, (void)event;
    return ++datagrams % 4 == 0;
}

static int fail(const char *why)
{
    printf("failed: %s\n", why);
    return 1;
}

static void send_chat(ENetPeer *peer, enet_uint32 number)
{
    uint8_t data[Chat_MAX_BYTES];
    Chat chat;
    Chat_init(&chat);
    chat.number = number;
    pkt_text_set(chat.text, sizeof chat.text, "well played");
    size_t size = Chat_pack_body(&chat, data, sizeof data);
    enet_peer_send(peer, RELIABLE, enet_packet_create(data, size, ENET_PACKET_FLAG_RELIABLE));
}

static void send_snapshot(ENetHost *host, enet_uint32 tick)
{
    uint8_t data[Snapshot_MAX_BYTES];
    Snapshot snapshot = {tick, 0.01f * (float)(tick % 100), -1};
    size_t size = Snapshot_pack_body(&snapshot, data, sizeof data);
    enet_host_broadcast(host, UNRELIABLE, enet_packet_create(data, size, 0));
}

/* Returns whether the server may have sent this to the client. */
static bool receive(client *c, enet_uint8 channel, const ENetPacket *packet)
{
    Chat chat;
    Snapshot snapshot;
    if (channel == RELIABLE)
        return Chat_unpack_body(&chat, packet->data, packet->dataLength) && chat.number == c->chats++;
    if (!Snapshot_unpack_body(&snapshot, packet->data, packet->dataLength))
        return false;
    /* Unreliable packets of a channel that come late are dropped by ENet. */
    bool newer = c->snapshots++ == 0 || snapshot.tick > c->last_tick;
    c->last_tick = snapshot.tick;
    return newer && snapshot.y == -1;
}

static void serve(ENetHost *host)
{
    ENetEvent event;
    while (enet_host_service(host, &event, 0) > 0) {
        if (event.type == ENET_EVENT_TYPE_CONNECT && event.data != protocol)
            enet_peer_disconnect(event.peer, protocol);
        if (event.type == ENET_EVENT_TYPE_RECEIVE)
            enet_packet_destroy(event.packet);
    }
}

static bool listen_to(client *c)
{
    ENetEvent event;
    bool good = true;
    while (enet_host_service(c->host, &event, 0) > 0)
        if (event.type == ENET_EVENT_TYPE_RECEIVE) {
            good = receive(c, event.channelID, event.packet) && good;
            enet_packet_destroy(event.packet);
        }
    return good;
}

static void connect_client(client *c, const ENetAddress *to, enet_uint32 id)
{
    memset(c, 0, sizeof *c);
    c->host = enet_host_create(NULL, 1, CHANNELS, 0, 0);
    c->host->checksum = enet_crc32;
    c->server = enet_host_connect(c->host, to, CHANNELS, id);
}

int main(void)
{
    ENetAddress address;
    client clients[CLIENTS], stranger;
    bool good = true, sent_away = false;
    enet_initialize();
    enet_address_set_host_ip(&address, "127.0.0.1");
    address.port = ENET_PORT_ANY;
    ENetHost *server = enet_host_create(&address, CLIENTS + 1, CHANNELS, 0, 0);
    if (!server)
        return fail("no server");
    server->checksum = enet_crc32;
    enet_socket_get_address(server->socket, &address);
    enet_address_set_host_ip(&address, "127.0.0.1");

    /* A client of another protocol. */
    connect_client(&stranger, &address, protocol + 1);
    for (int i = 0; i < 500 && !sent_away; i++) {
        ENetEvent event;
        serve(server);
        if (enet_host_service(stranger.host, &event, 2) > 0)
            sent_away = event.type == ENET_EVENT_TYPE_DISCONNECT && event.data == protocol;
    }
    enet_host_destroy(stranger.host);
    if (!sent_away)
        return fail("a client of another protocol stays");

    for (int i = 0; i < CLIENTS; i++)
        connect_client(&clients[i], &address, protocol);
    for (int i = 0; i < 500 && server->connectedPeers < CLIENTS; i++) {
        ENetEvent event;
        serve(server);
        for (int k = 0; k < CLIENTS; k++)
            enet_host_service(clients[k].host, &event, 1);
    }
    if (server->connectedPeers < CLIENTS)
        return fail("not connected");

    server->intercept = lose;
    for (int i = 0; i < CLIENTS; i++)
        clients[i].host->intercept = lose;
    for (enet_uint32 tick = 0; tick < 10 * TICKS; tick++) {
        ENetEvent event;
        if (tick < TICKS)
            send_snapshot(server, tick);
        if (tick < TICKS && tick % (TICKS / CHATS) == 0)
            for (size_t i = 0; i < server->peerCount; i++)
                if (server->peers[i].state == ENET_PEER_STATE_CONNECTED)
                    send_chat(&server->peers[i], tick / (TICKS / CHATS));
        serve(server);
        bool done = tick >= TICKS;
        for (int i = 0; i < CLIENTS; i++) {
            good = listen_to(&clients[i]) && good;
            done = done && clients[i].chats == CHATS;
        }
        if (done)
            break;
        if (enet_host_service(server, &event, 2) > 0 && event.type == ENET_EVENT_TYPE_RECEIVE)
            enet_packet_destroy(event.packet);
    }
    for (int i = 0; i < CLIENTS; i++) {
        good = good && clients[i].chats == CHATS && clients[i].snapshots > TICKS / 4 && clients[i].snapshots < TICKS;
        enet_host_destroy(clients[i].host);
    }
    enet_host_destroy(server);
    enet_deinitialize();
    if (!good)
        return fail("a packet was misread, or chats are missing");
    printf("%d chats each, in order; a snapshot is %d bytes\n", CHATS, Snapshot_MAX_BYTES - 8);
    return 0;
}
