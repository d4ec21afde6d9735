/* client.c - joins, sends commands, and keeps the snapshots that arrive.
 * SPDX-License-Identifier: MIT
 */
#include "client.h"

#include <string.h>

static const double RETRY = 0.1; /* seconds until a greeting or response is sent again */
enum {
    SILENCE = 120, /* ticks without an answer or a snapshot until a client joins again */
    STAYS = 48,    /* ticks for which an entity that was left out stays as it is shown */
};

/* Nothing of an earlier session is used in a new one. */
static void begin(client *c, uint64_t salt)
{
    c->state = CLIENT_GREETS;
    c->hello.client_salt = c->response.client_salt = salt;
    c->asked = -RETRY;
    c->silent = 0;
    ToClient_receiver_begin(&c->received);
    memset(c->shown.used, 0, sizeof c->shown.used);
    pkt_playout_init(&c->playout, arena_TICK_RATE, 32);
    inputs_begin(&c->inputs);
    events_begin(&c->events);
}

void client_init(client *c, uint64_t salt, uint64_t game_id, const char *name)
{
    memset(c, 0, sizeof *c);
    c->hello.game_id = c->response.game_id = game_id;
    pkt_text_set(c->response.name, sizeof c->response.name, name);
    begin(c, salt);
}

/* ---- what goes out */

static size_t send_handshake(client *c, double now, uint8_t *data, size_t size)
{
    if (now - c->asked < RETRY)
        return 0;
    c->asked = now;
    return c->state == CLIENT_GREETS ? Hello_pack(&c->hello, data, size) : Response_pack(&c->response, data, size);
}

static size_t send_input(client *c, const Command *command, uint8_t *data, size_t size)
{
    ToServer out;
    out.has_snapshot = c->received.acknowledges;
    out.snapshot = (uint16_t)c->received.newest;
    inputs_send(&c->inputs, command, &out);
    out.events_count =
        (uint8_t)pkt_channel_send(&c->events.channel, &out.expected, &out.first, out.events, arena_MOST_EVENTS);
    return ToServer_pack(&out, c->session, data, size);
}

/* A server that has heard nothing for a while gives a client up, and does not tell it. So a client to which nothing
 * comes joins again; and so does one that was refused because the server was full. */
static bool has_waited_long(const client *c)
{
    return c->silent > SILENCE && (c->state != CLIENT_REFUSED || c->refused.reason == Reason_server_full);
}

size_t client_send(client *c, double now, const Command *command, uint8_t *data, size_t size)
{
    c->silent++;
    if (has_waited_long(c)) {
        c->again++;
        begin(c, pkt_hash(&c->hello.client_salt, sizeof c->hello.client_salt)); /* a real client: from the system */
    }
    if (c->state == CLIENT_PLAYS)
        return send_input(c, command, data, size);
    return c->state == CLIENT_REFUSED ? 0 : send_handshake(c, now, data, size);
}

/* ---- what arrives */

static void receive_answer(client *c, const uint8_t *data, size_t size)
{
    const uint64_t salt = c->hello.client_salt;
    Challenge challenge;
    if (Challenge_unpack(&challenge, data, size) && challenge.client_salt == salt) {
        c->response.server_salt = challenge.server_salt;
        c->session = salt ^ challenge.server_salt;
        c->state = CLIENT_RESPONDS;
        c->asked -= RETRY;
        c->silent = 0;
    } else if (Refused_unpack(&c->refused, data, size) && c->refused.client_salt == salt) {
        c->state = CLIENT_REFUSED;
        c->silent = 0;
    }
}

/* An entity that did not fit into a snapshot is in it as it was in the baseline. That may be older than what another
 * snapshot has brought since then. So that nothing goes back in time, what was shown last stays. But not for long: it may
 * be that the entity is again as it was in the baseline, which looks the same here. One that the baseline lacks is gone, or
 * a later datagram brings it. */
static void show(client *c)
{
    const Snapshot *base =
        c->in.has_back
            ? ToClient_snapshot_ring_find(&c->received.kept.snapshot, (uint16_t)(c->in.number - c->in.back)).value
            : NULL;
    const Snapshot *last = ToClient_snapshot_ring_find(&c->shown, c->last).value;
    Snapshot shown;
    Snapshot_came came;
    Snapshot_what_came(base, &c->in.snapshot, &came);
    Snapshot_copy(&shown, &c->in.snapshot);
    for (uint32_t i = 0; i < shown.entities_count; i++) {
        Entity *e = &shown.entities[i];
        const Entity *stays = last ? Snapshot_entities_find(last, e->id) : NULL;
        const bool is_here = pkt_present_has(came.entities.came, arena_MAX_ENTITIES, i);
        if (stays && !is_here && c->in.tick - c->brought[e->id] < STAYS) {
            c->stayed += !Entity_equal(e, stays);
            *e = *stays;
        } else {
            c->brought[e->id] = c->in.tick;
        }
    }
    ToClient_snapshot_ring_keep(&c->shown, c->in.number, &shown);
    c->last = c->in.number;
}

bool client_draw(client *c, double now)
{
    return ToClient_snapshot_ring_show(&c->shown, &c->playout, now, &c->drawn);
}

static bool receive_snapshot(client *c, double now, const uint8_t *data, size_t size)
{
    pkt_error error;
    if (!ToClient_receive_error(&c->received, &c->in, c->session, data, size, &error)) {
        c->errors[error.code]++; /* PKT_OK: it is late, or here twice */
        if (c->received.acknowledges && error.code == PKT_ERROR_CRC)
            c->silent = 0; /* the server may well know this client */
        return false;
    }
    c->state = CLIENT_PLAYS;
    c->silent = 0;
    show(c);
    pkt_playout_arrived(&c->playout, now, c->in.tick, c->in.number);
    inputs_acknowledge(&c->inputs, c->in.command);
    c->new_events = pkt_channel_receive(&c->events.channel, c->in.expected, c->in.first, c->in.events_count);
    return true;
}

bool client_receive(client *c, double now, const uint8_t *data, size_t size)
{
    c->new_events = 0;
    if (c->state == CLIENT_GREETS)
        receive_answer(c, data, size);
    else if (c->state != CLIENT_REFUSED)
        return receive_snapshot(c, now, data, size);
    return false;
}
