/* host.c - a server without a socket: 60 ticks a second, 20 snapshots a second for each client.
 * SPDX-License-Identifier: MIT
 */
#include "host.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>

enum { TICKS_A_SNAPSHOT = 3 };
static const double PATIENCE = 2.0; /* seconds until a silent client is removed */

static void send_to(host *s, const udp_address *to, const uint8_t *data, size_t size)
{
    udp_send(s->socket, to, data, size);
    recorder_add(&s->recorder, PKT_SENT, to, data, size);
    s->numbers.sent_bytes += size;
}

/* ---- clients */

/* The slot of the client with this address. With NULL: one that is free. */
static slot *find_slot(host *s, const udp_address *address)
{
    for (slot *c = s->slots; c < s->slots + arena_MAX_PLAYERS; c++)
        if (address ? c->playing && udp_same(&c->address, address) : !c->playing)
            return c;
    return NULL;
}

/* A value that the schema does not allow: a mistake in this program. */
static void report(const pkt_error *error)
{
    char text[256];
    fprintf(stderr, "server: %s\n", pkt_error_string(error, text, sizeof text));
}

static void tell(host *s, slot *to, const Event *event)
{
    pkt_error error;
    if (!events_push(&to->events, event, &error)) {
        if (error.code != PKT_OK)
            report(&error);
        else
            to->broken = true;
        return;
    }
    /* What a client of release 6 gets for a Cheer has another hash. */
    if (s->log && event->tag == Event_tag_cheer)
        fprintf(s->log, "%016llx event %u any\n", (unsigned long long)to->session,
                (unsigned)(uint16_t)(to->events.channel.next - 1));
    else if (s->log)
        fprintf(s->log, "%016llx event %u %016llx\n", (unsigned long long)to->session,
                (unsigned)(uint16_t)(to->events.channel.next - 1), (unsigned long long)Event_hash(event));
}

static void tell_all(host *s, const Event *event)
{
    for (int i = 0; i < arena_MAX_PLAYERS; i++)
        if (s->slots[i].playing)
            tell(s, &s->slots[i], event);
}

static void join(host *s, slot *joining, const udp_address *address, const Response *response)
{
    uint8_t number = (uint8_t)(joining - s->slots);
    const Event welcome = {.tag = Event_tag_welcome, .as.welcome.slot = number};
    Event joined = {.tag = Event_tag_joined, .as.joined.slot = number};
    memcpy(joined.as.joined.name, response->name, sizeof response->name);
    memset(joining, 0, sizeof *joining);
    joining->playing = true;
    joining->address = *address;
    joining->session = response->client_salt ^ response->server_salt;
    recorder_session(&s->recorder, address, joining->session, response->game_id);
    joining->heard = s->now;
    pkt_inputs_init(&joining->inputs, joining->commands, sizeof joining->commands[0], INPUTS_KEPT, arena_TICK_RATE,
                    FIRST_NUMBER);
    events_begin(&joining->events);
    snapshots_begin(&joining->snapshots, admission_release(response->game_id));
    world_join(&s->world, number);
    tell(s, joining, &welcome);
    tell_all(s, &joined);
}

static void leave(host *s, slot *leaving)
{
    uint8_t number = (uint8_t)(leaving - s->slots);
    const Event left = {.tag = Event_tag_left, .as.left.slot = number};
    s->numbers.commands += leaving->executed;
    s->numbers.lost_commands += leaving->inputs.channel.lost;
    leaving->playing = false;
    world_leave(&s->world, number);
    tell_all(s, &left);
}

static int remove_silent(host *s)
{
    int playing = 0;
    for (int i = 0; i < arena_MAX_PLAYERS; i++) {
        slot *c = &s->slots[i];
        if (c->playing && (c->broken || s->now - c->heard > PATIENCE)) {
            leave(s, c);
            s->awaited = s->now + HOST_WAITS;
        }
        playing += c->playing;
    }
    return playing;
}

/* ---- what arrives */

/* Players decide how much they chat, so a chat never fills a channel: nobody is parted because others chat. */
static void pass_on(host *s, const Event *chat)
{
    for (slot *c = s->slots; c < s->slots + arena_MAX_PLAYERS; c++)
        if (c->playing && (uint16_t)(c->events.channel.next - c->events.channel.first) < EVENTS_WAITING / 2)
            tell(s, c, chat);
}

static void on_event(host *s, slot *from, Event *event)
{
    if (event->tag == Event_tag_chat) {
        event->as.chat.slot = (uint8_t)(from - s->slots);
        pass_on(s, event);
    } else if (event->tag == Event_tag_leave) {
        leave(s, from);
    } /* the others are sent by servers only */
}

/* Returns false if the datagram is refused: nothing of it was used then. */
static bool receive_input(host *s, slot *from, const uint8_t *data, size_t size, pkt_error *error)
{
    ToServer in;
    if (!ToServer_unpack_for_error(from->snapshots.client.release, &in, from->session, data, size, error))
        return false;
    from->heard = s->now;
    /* Only the newest datagram knows what the client has now. */
    if (inputs_accept(&from->inputs, s->tick, &in) > 0)
        snapshots_acknowledged(&from->snapshots, in.has_snapshot, in.snapshot);
    unsigned count = pkt_channel_receive(&from->events.channel, in.expected, in.first, in.events_count);
    for (unsigned i = in.events_count - count; i < in.events_count && from->playing; i++)
        on_event(s, from, &in.events[i]);
    return true;
}

/* Whoever greets gets an answer, which is no larger, and nothing about it is kept. */
static void greet(host *s, const udp_address *from, const Hello *hello)
{
    uint8_t answer[Hello_MAX_BYTES];
    size_t size = admission_answer(&s->door, from, hello, !find_slot(s, NULL), answer);
    send_to(s, from, answer, size);
    /* Which releases are still out there: the id of an old client is in the folder `releases`. */
    if (admission_release(hello->game_id) == 0)
        s->numbers.outdated[arena_PROTOCOL_VERSION_OF(hello->game_id)]++;
}

void host_receive(host *s, double now, const udp_address *from, const uint8_t *data, size_t size)
{
    Hello hello;
    Response response;
    pkt_error error;
    slot *known = find_slot(s, from);
    s->now = now;
    s->door.window = (uint32_t)(now / 10);
    recorder_add(&s->recorder, PKT_RECEIVED, from, data, size); /* also what is refused */
    s->numbers.received++;
    s->numbers.received_bytes += size;
    if (known && receive_input(s, known, data, size, &error))
        return;
    if (Hello_unpack(&hello, data, size)) {
        greet(s, from, &hello);
    } else if (Response_unpack(&response, data, size)) {
        slot *vacant = known ? NULL : find_slot(s, NULL); /* for a repetition, the first snapshot is on its way */
        if (vacant && admission_release(response.game_id) != 0 && admission_admits(&s->door, from, &response))
            join(s, vacant, from, &response);
    } else if (known) {
        s->numbers.refused[error.code]++;
    } else {
        s->numbers.strangers++;
    }
}

/* ---- a tick */

static void execute(host *s, slot *c)
{
    const Command *command;
    while ((command = (const Command *)pkt_inputs_next(&c->inputs, s->tick)) != NULL) {
        world_command(&s->world, (uint8_t)(c - s->slots), command);
        c->executed++;
    }
}

static void send_snapshot(host *s, slot *c)
{
    uint8_t data[arena_MTU];
    ToClient out;
    pkt_error error;
    out.tick = s->tick;
    out.command = (uint16_t)(c->inputs.channel.expected - 1);
    out.commands = 0xffff; /* clients repeat all that has not arrived, so nothing before it is missing */
    out.events_count =
        (uint8_t)pkt_channel_send(&c->events.channel, &out.expected, &out.first, out.events, arena_MOST_EVENTS);
    const Snapshot_served *served = &s->served[arena_PROTOCOL_VERSION - c->snapshots.client.release];
    size_t size = snapshots_pack(&c->snapshots, &out, &s->world.settled, served, (uint16_t)(c - s->slots), c->session,
                                 data, &error);
    if (size == 0) {
        report(&error);
        exit(1);
    }
    send_to(s, &c->address, data, size);
    s->numbers.snapshots++;
    s->numbers.whole += !out.has_back;
    s->numbers.full += c->snapshots.left_out > 0;
    if (s->log)
        fprintf(s->log, "%016llx snapshot %u %016llx\n", (unsigned long long)c->session, (unsigned)out.number,
                (unsigned long long)ToClient_snapshot_hash_for(&c->snapshots.client, out.number));
}

static void simulate(host *s)
{
    for (int i = 0; i < arena_MAX_PLAYERS; i++)
        if (s->slots[i].playing)
            execute(s, &s->slots[i]);
    world_tick(&s->world);
    for (const Killed *k = s->world.kills; k < s->world.kills + s->world.kill_count; k++) {
        const Event killed = {.tag = Event_tag_killed, .as.killed = *k};
        const Event cheer = {.tag = Event_tag_cheer, .as.cheer.slot = k->killer};
        tell_all(s, &killed);
        tell_all(s, &cheer);
    }
}

int host_tick(host *s, double now)
{
    s->now = now;
    int playing = remove_silent(s);
    simulate(s);

    /* A third of the clients gets a snapshot in each tick, so that all ticks have the same work. */
    double before = seconds_used();
    pkt_error error;
    for (uint32_t i = 0; i <= OLDER_RELEASES; i++)
        if (!Snapshot_serve(&s->served[i], arena_PROTOCOL_VERSION - i, &s->world.settled, &error))
            report(&error);
    for (int i = 0; i < arena_MAX_PLAYERS; i++)
        if (s->slots[i].playing && ((uint32_t)i + s->tick) % TICKS_A_SNAPSHOT == 0)
            send_snapshot(s, &s->slots[i]);
    s->numbers.snapshots_used += seconds_used() - before;
    for (int i = 0; i < arena_MAX_PLAYERS; i++)
        if (s->slots[i].playing)
            snapshots_ages(&s->slots[i].snapshots, &s->world.settled, s->tick, &s->numbers.shown);
    s->numbers.ticks++;
    s->numbers.client_ticks += (uint64_t)playing;
    s->tick++;
    return playing;
}
