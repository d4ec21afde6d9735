/* replayed.c - replays a recording of the example: reads each datagram by the release of its client, as the docs say.
 * SPDX-License-Identifier: MIT
 *
 * usage: replayed RECORDING
 *
 * Prints how many datagrams of each packet it has read, and how many were refused.
 */
#include "arena_capture.h"
#include "arena_serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLIENTS = 256 };

/* What a recording says of a client. */
typedef struct player {
    pkt_endpoint at;
    uint32_t release; /* 0: of none that is known */
    uint64_t session;
    ToClient_peer received;
} player;

static player players[MOST_CLIENTS];
static size_t player_count;

static player *player_at(const pkt_endpoint *at)
{
    size_t i = 0;
    while (i < player_count && !pkt_endpoint_is(&players[i].at, at))
        i++;
    if (i == MOST_CLIENTS)
        abort();
    player_count += i == player_count;
    players[i].at = *at;
    return &players[i];
}

static void begin_session(player *p, const pkt_recorded *seen)
{
    memset(&p->received, 0, sizeof p->received);
    p->session = seen->seed;
    p->release = p->received.release = arena_PROTOCOL_VERSION_OF(seen->protocol_id);
}

static unsigned long to_clients, to_servers, greetings, others;

static void count(player *p, const pkt_recorded *seen)
{
    static ToClient to_client;
    static ToServer to_server;
    Hello hello;
    Challenge challenge;
    Response response;
    Refused refused;
    if (Hello_unpack(&hello, seen->data, seen->size) || Challenge_unpack(&challenge, seen->data, seen->size) ||
        Response_unpack(&response, seen->data, seen->size) || Refused_unpack(&refused, seen->data, seen->size))
        greetings++;
    else if (seen->direction == PKT_SENT && p->release != 0 &&
             ToClient_unpack_for(&p->received, &to_client, p->session, seen->data, seen->size))
        to_clients++;
    else if (seen->direction == PKT_RECEIVED && p->release != 0 &&
             ToServer_unpack_for(p->release, &to_server, p->session, seen->data, seen->size))
        to_servers++;
    else
        others++;
}

int main(int argc, char **argv)
{
    static uint8_t room[PKT_REPLAY_ROOM];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    pkt_replay replay;
    pkt_recorded seen;
    pkt_recorded_kind kind;
    if (!file)
        return 2;
    pkt_replay_begin(&replay, pkt_replay_from_file, file, room, sizeof room);
    while ((kind = pkt_replay_read(&replay, &seen)) > PKT_RECORDED_DAMAGE) {
        player *p = player_at(&seen.peer);
        if (kind == PKT_RECORDED_SESSION)
            begin_session(p, &seen);
        else
            count(p, &seen);
    }
    printf("ToClient %lu\nToServer %lu\ngreetings %lu\nrefused %lu\n", to_clients, to_servers, greetings, others);
    fclose(file);
    return kind == PKT_RECORDED_END && replay.skipped == 0 ? 0 : 1;
}
