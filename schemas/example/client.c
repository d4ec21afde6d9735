/* client.c - joins, sends commands, and keeps the snapshots that arrive.
 * SPDX-License-Identifier: MIT
 */
#include "client.h"
#include "sequence.h"

#include <stdio.h>
#include <string.h>

static const double RETRY = 0.1; /* seconds until a greeting or response is sent again */
enum {
    MOST_DOUBTS = 4,
    STAYS = 16, /* snapshots for which an entity that was left out stays as it is shown */
};

void client_init(client *c, uint64_t salt, uint64_t game_id, uint32_t release, const char *name)
{
    memset(c, 0, sizeof *c);
    c->salt = salt;
    c->game_id = game_id;
    c->release = release;
    Snapshot_init(&c->shown);
    c->asked = -RETRY;
    pkt_text_set(c->name, sizeof c->name, name);
    inputs_begin_sending(&c->inputs);
    events_begin(&c->events);
}

const Snapshot *client_newest(client *c)
{
    const baseline *newest = c->has_newest ? baselines_find(&c->received, c->newest) : NULL;
    return newest ? &newest->snapshot : NULL;
}

/* ---- what goes out */

static size_t send_handshake(client *c, double now, uint8_t *data, size_t size)
{
    Handshake m;
    if (now - c->asked < RETRY)
        return 0;
    c->asked = now;
    Handshake_init(&m);
    if (c->state == CLIENT_GREETS) {
        m.tag = Handshake_tag_hello;
        Hello_init(&m.as.hello);
        m.as.hello.client_salt = c->salt;
        m.as.hello.game_id = c->game_id;
        snprintf(m.as.hello.version, sizeof m.as.hello.version, "%u", (unsigned)c->release);
    } else {
        m.tag = Handshake_tag_response;
        Response_init(&m.as.response);
        m.as.response.client_salt = c->salt;
        m.as.response.server_salt = c->server_salt;
        memcpy(m.as.response.name, c->name, sizeof m.as.response.name);
    }
    return Handshake_pack(&m, data, size);
}

static size_t send_input(client *c, const Command *command, uint8_t *data, size_t size)
{
    InputHeader header;
    header.has_snapshot = c->has_newest;
    header.snapshot = c->newest;
    inputs_add(&c->inputs, command);

    pkt_writer w;
    pkt_writer_init(&w, data, size);
    pkt_writer_frame_begin(&w, &to_server);
    InputHeader_write(&w, &header);
    inputs_write(&c->inputs, &w);
    events_write(&c->events, &w);
    return pkt_writer_frame_end(&w, &to_server, to_server_seed(c->session));
}

size_t client_send(client *c, double now, const Command *command, uint8_t *data, size_t size)
{
    switch (c->state) {
    case CLIENT_GREETS:
    case CLIENT_RESPONDS: return send_handshake(c, now, data, size);
    case CLIENT_PLAYS: return send_input(c, command, data, size);
    case CLIENT_REFUSED: break;
    }
    return 0;
}

/* ---- what arrives */

static bool receive_handshake(client *c, const uint8_t *data, size_t size)
{
    Handshake m;
    if (!Handshake_unpack(&m, data, size))
        return false;
    if (m.tag == Handshake_tag_challenge && c->state == CLIENT_GREETS && m.as.challenge.client_salt == c->salt) {
        c->server_salt = m.as.challenge.server_salt;
        c->session = session_of(c->salt, c->server_salt);
        c->state = CLIENT_RESPONDS;
        c->asked -= RETRY;
    } else if (m.tag == Handshake_tag_refused && c->state == CLIENT_GREETS && m.as.refused.client_salt == c->salt) {
        c->refused = m.as.refused;
        c->state = CLIENT_REFUSED;
    }
    return true;
}

/* Reads everything of a snapshot's datagram, into a place of its own and into c->batch. */
static bool read_snapshot(client *c, pkt_reader *r, SnapshotHeader *header, baseline **place)
{
    /* The header says what the baseline is. It can be trusted only after pkt_reader_frame_begin. */
    if (!pkt_reader_frame_peek(r, &to_client) || !SnapshotHeader_read(r, header))
        return false;
    baseline *base = NULL;
    if (header->has_back) {
        base = baselines_find(&c->received, (uint16_t)(header->number - header->back));
        if (!base) {
            c->unknown++;
            return false;
        }
    }

    /* The hash is computed again. So a snapshot that was changed by mistake since it arrived is noticed as well. */
    uint64_t hash = base ? Snapshot_hash(&base->snapshot) : 0;
    if (!pkt_reader_frame_begin(r, &to_client, to_client_seed(c->session, hash)) || !SnapshotHeader_read(r, header))
        return false;
    if (c->has_newest && !sequence_newer(header->number, c->newest)) {
        c->late++;
        return false;
    }
    *place = baselines_place(&c->received, header->number);
    return events_read(r, &c->batch) && Snapshot_read_delta(r, base ? &base->snapshot : NULL, &(*place)->snapshot) &&
           pkt_reader_frame_end(r, &to_client);
}

/* A damaged datagram is refused, and so is a delta to a baseline that differs from the server's. If one after the other
 * is refused, it is the baseline: the client says that it has none, and gets a snapshot without one. */
static void doubt(client *c)
{
    if (++c->doubts < MOST_DOUBTS || !c->has_newest)
        return;
    baselines_forget(&c->received);
    c->has_newest = false;
    c->doubts = 0;
    c->forgotten++;
}

/* An entity that did not fit into a snapshot is in it as it was in the baseline. That may be older than what another
 * snapshot has brought since then. So that nothing goes back in time, the newer one stays. But not for long: it may be that
 * the entity is again as it was in the baseline, which looks the same here. */
static void show(client *c, const baseline *base, const baseline *now)
{
    for (int i = 0; i < arena_MAX_ENTITIES; i++) {
        const Entity *e = &now->snapshot.entities[i];
        bool brought = !base || !Entity_equal(e, &base->snapshot.entities[i]);
        uint16_t from = brought ? now->number : c->from[base->number % BASELINES][i];
        c->from[now->number % BASELINES][i] = from;
        if (base && sequence_newer(c->shown_from[i], from) && (uint16_t)(now->number - c->shown_from[i]) < STAYS) {
            c->stayed += !Entity_equal(e, &c->shown.entities[i]);
            continue;
        }
        c->shown.entities[i] = *e;
        c->shown_from[i] = from;
    }
}

bool client_receive(client *c, const uint8_t *data, size_t size)
{
    SnapshotHeader header;
    baseline *place;
    pkt_reader r;
    c->new_events = 0;
    if (c->state != CLIENT_PLAYS && receive_handshake(c, data, size))
        return false;
    if (c->state == CLIENT_GREETS || c->state == CLIENT_REFUSED)
        return false;

    pkt_reader_init(&r, data, size);
    if (!read_snapshot(c, &r, &header, &place)) {
        c->errors[r.error.code] += r.error.code != PKT_OK;
        if (r.error.code == PKT_ERROR_CRC)
            doubt(c);
        return false;
    }
    c->state = CLIENT_PLAYS;
    place->used = true;
    show(c, header.has_back ? baselines_find(&c->received, (uint16_t)(header.number - header.back)) : NULL, place);
    c->newest = header.number;
    c->has_newest = true;
    c->doubts = 0;
    c->tick = header.tick;
    inputs_acknowledge(&c->inputs, header.command, header.commands);
    c->new_events = events_accept(&c->events, &c->batch);
    return true;
}
