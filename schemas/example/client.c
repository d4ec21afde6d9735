/* client.c - joins, sends commands, and keeps the snapshots that arrive.
 * SPDX-License-Identifier: MIT
 */
#include "client.h"
#include "sequence.h"

#include <string.h>

static const double RETRY = 0.1; /* seconds until a greeting or response is sent again */
enum {
    MOST_DOUBTS = 4,
    SILENCE = 120, /* ticks without an answer or a snapshot until a client joins again */
    STAYS = 48,    /* ticks for which an entity that was left out stays as it is shown */
};

/* Nothing of an earlier session is used in a new one. */
static void begin(client *c, uint64_t salt)
{
    c->state = CLIENT_GREETS;
    c->hello.client_salt = c->response.client_salt = salt;
    c->asked = -RETRY;
    c->newest = SEQUENCE_START; /* the first snapshot has the number after this */
    c->doubts = c->silent = 0;
    memset(c->received.used, 0, sizeof c->received.used);
    memset(c->shown.used, 0, sizeof c->shown.used);
    pkt_playout_init(&c->playout, arena_TICK_RATE, 32);
    inputs_begin_sending(&c->inputs);
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
    out.has_snapshot = ToClient_snapshot_ring_find(&c->received, c->newest).value != NULL;
    out.snapshot = c->newest;
    inputs_add(&c->inputs, command, &out);
    out.expected = c->events.expected;
    out.first = c->events.first;
    out.events_count = events_oldest(&c->events, out.events);
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

/* A damaged datagram is refused, and so is a delta to a baseline that differs from the server's. If one after the other
 * is refused, it is the baseline: the client says that it has none, and gets a snapshot without one. */
static void doubt(client *c)
{
    c->doubts++;
    if (!ToClient_snapshot_ring_find(&c->received, c->newest).value)
        return;
    c->silent = 0; /* the server may well know this client */
    if (c->doubts < MOST_DOUBTS)
        return;
    memset(c->received.used, 0, sizeof c->received.used);
    c->doubts = 0;
    c->forgotten++;
}

/* An entity that did not fit into a snapshot is in it as it was in the baseline. That may be older than what another
 * snapshot has brought since then. So that nothing goes back in time, what was shown last stays. But not for long: it may
 * be that the entity is again as it was in the baseline, which looks the same here. One that the baseline lacks is gone, or
 * a later datagram brings it. */
static void show(client *c, const Snapshot *base)
{
    const Snapshot *last = ToClient_snapshot_ring_find(&c->shown, c->newest).value;
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
}

bool client_draw(client *c, double now)
{
    pkt_shown at;
    if (!pkt_playout_show(&c->playout, now, &at))
        return false;
    const Snapshot *from = ToClient_snapshot_ring_find(&c->shown, at.from).value;
    const Snapshot *to = ToClient_snapshot_ring_find(&c->shown, at.to).value;
    if (from && to)
        Snapshot_mix(from, to, at.t, &c->drawn);
    return from && to;
}

static bool receive_snapshot(client *c, double now, const uint8_t *data, size_t size)
{
    ToClient_names names = {{0}};
    ToClient_baselines from = {{NULL, 0, 0}};
    pkt_error error;
    if (ToClient_peek(&c->in, &names, data, size) && names.snapshot.based)
        from.snapshot = ToClient_snapshot_ring_find(&c->received, names.snapshot.base);
    /* The hash is computed again. So a snapshot that was changed by mistake since it arrived is noticed as well. */
    if (from.snapshot.value)
        from.snapshot.hash = Snapshot_hash(from.snapshot.value);
    if (!ToClient_unpack_error(&from, &c->in, c->session, data, size, &error)) {
        c->errors[error.code]++;
        if (error.code == PKT_ERROR_CRC)
            doubt(c);
        return false;
    }
    if (!sequence_newer(c->in.number, c->newest)) {
        c->late++;
        return false;
    }
    c->state = CLIENT_PLAYS;
    c->silent = 0;
    show(c, from.snapshot.value);
    ToClient_snapshot_ring_keep(&c->received, c->in.number, &c->in.snapshot);
    pkt_playout_arrived(&c->playout, now, c->in.tick, c->in.number);
    c->newest = c->in.number;
    c->doubts = 0;
    inputs_acknowledge(&c->inputs, c->in.command, c->in.commands);
    c->new_events = events_accept(&c->events, c->in.expected, c->in.first, c->in.events_count);
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
