/* roundtrip_mygame.h - what is proved of the packets of mygame.
 * SPDX-License-Identifier: MIT
 *
 * Three descriptions of each packet are written by hand here, from schemas/mygame.pkt and docs/wire.md: which values can be
 * sent, what arrives of one, and the bits of its body.
 */
#ifndef ROUNDTRIP_MYGAME_H
#define ROUNDTRIP_MYGAME_H

#include "roundtrip.h"

/* ---- ConnectRequest */

static bool ConnectRequest_typed(const ConnectRequest *v)
{
    (void)v;
    return true;
}

static bool ConnectRequest_sendable(const ConnectRequest *v)
{
    const size_t size = prove_text_size(v->name, 31);
    return size <= 31 && prove_text_valid(v->name, size);
}

static bool ConnectRequest_arrives(const ConnectRequest *sent, const ConnectRequest *got)
{
    return sent->client_salt == got->client_salt && same_text(sent->name, got->name, prove_text_size(sent->name, 31));
}

static void ConnectRequest_wire(const ConnectRequest *v, pkt_wire *w)
{
    put(w, 64, v->client_salt);
    put_text(w, 5, v->name, prove_text_size(v->name, 31));
    put(w, 64, 0);
}

/* ---- ConnectChallenge */

static bool ConnectChallenge_typed(const ConnectChallenge *v)
{
    (void)v;
    return true;
}

static bool ConnectChallenge_sendable(const ConnectChallenge *v)
{
    (void)v;
    return true;
}

static bool ConnectChallenge_arrives(const ConnectChallenge *sent, const ConnectChallenge *got)
{
    return sent->client_salt == got->client_salt && sent->server_salt == got->server_salt;
}

static void ConnectChallenge_wire(const ConnectChallenge *v, pkt_wire *w)
{
    put(w, 64, v->client_salt);
    put(w, 64, v->server_salt);
}

/* ---- ConnectResponse */

static bool ConnectResponse_typed(const ConnectResponse *v)
{
    return is_bool(&v->has_password);
}

static bool ConnectResponse_sendable(const ConnectResponse *v)
{
    if (!v->has_password)
        return true;
    const size_t size = prove_text_size(v->password, 63);
    return size <= 63 && prove_text_valid(v->password, size);
}

static bool ConnectResponse_arrives(const ConnectResponse *sent, const ConnectResponse *got)
{
    if (sent->salts != got->salts || sent->has_password != got->has_password)
        return false;
    if (!sent->has_password)
        return got->password[0] == 0;
    return same_text(sent->password, got->password, prove_text_size(sent->password, 63));
}

static void ConnectResponse_wire(const ConnectResponse *v, pkt_wire *w)
{
    put(w, 64, v->salts);
    put(w, 1, v->has_password);
    if (v->has_password)
        put_text(w, 6, v->password, prove_text_size(v->password, 63));
}

/* ---- ConnectAccept */

static bool ConnectAccept_typed(const ConnectAccept *v)
{
    (void)v;
    return true;
}

static bool ConnectAccept_sendable(const ConnectAccept *v)
{
    return v->slot < 64;
}

static bool ConnectAccept_arrives(const ConnectAccept *sent, const ConnectAccept *got)
{
    return sent->slot == got->slot && sent->tick == got->tick && sent->tick_rate == got->tick_rate;
}

static void ConnectAccept_wire(const ConnectAccept *v, pkt_wire *w)
{
    put(w, 6, v->slot);
    put(w, 32, v->tick);
    put(w, 8, v->tick_rate);
}

/* ---- ConnectDeny */

static bool ConnectDeny_typed(const ConnectDeny *v)
{
    return is_bool(&v->permanent);
}

static bool ConnectDeny_sendable(const ConnectDeny *v)
{
    if (v->reason > 3)
        return false;
    return v->reason != 2 || v->permanent || (v->minutes >= 1 && v->minutes <= 525600);
}

/* Absent fields arrive as base values: 0, or the least one in range. */
static bool ConnectDeny_arrives(const ConnectDeny *sent, const ConnectDeny *got)
{
    const bool permanent = sent->reason == 2 && sent->permanent;
    const uint32_t minutes = sent->reason == 2 && !sent->permanent ? sent->minutes : 1;
    return sent->reason == got->reason && got->permanent == permanent && got->minutes == minutes;
}

static void ConnectDeny_wire(const ConnectDeny *v, pkt_wire *w)
{
    put(w, 2, (uint64_t)v->reason);
    if (v->reason == 2) {
        put(w, 1, v->permanent);
        if (!v->permanent)
            put(w, 20, v->minutes - 1);
    }
}

/* ---- Input */

static bool Command_sendable(const Command *v)
{
    return v->buttons < 32 && SENDABLE(v->aim.yaw, YAW) && SENDABLE(v->aim.pitch, PITCH) &&
           SENDABLE(v->forward, MOVE) && SENDABLE(v->strafe, MOVE) && (unsigned)v->weapon < 16;
}

static bool Command_arrives(const Command *sent, const Command *got)
{
    return sent->buttons == got->buttons && ARRIVES(sent->aim.yaw, got->aim.yaw, YAW) &&
           ARRIVES(sent->aim.pitch, got->aim.pitch, PITCH) && ARRIVES(sent->forward, got->forward, MOVE) &&
           ARRIVES(sent->strafe, got->strafe, MOVE) && sent->weapon == got->weapon;
}

/* A number with `unless 0`: a bit says whether its code differs from that of 0. */
static void put_move(pkt_wire *w, float v)
{
    const bool sent = CODE(v, MOVE) != CODE(0.0f, MOVE);
    put(w, 1, sent);
    if (sent)
        put(w, 6, CODE(v, MOVE));
}

static void Command_wire(const Command *v, pkt_wire *w)
{
    put(w, 5, v->buttons);
    put(w, 12, CODE(v->aim.yaw, YAW));
    put(w, 11, CODE(v->aim.pitch, PITCH));
    put_move(w, v->forward);
    put_move(w, v->strafe);
    put(w, 4, (uint64_t)v->weapon);
}

static bool Input_typed(const Input *v)
{
    (void)v;
    return true;
}

static bool Input_sendable(const Input *v)
{
    if (v->commands_count < 1 || v->commands_count > 8)
        return false;
    bool sendable = true;
    for (unsigned i = 0; i < v->commands_count; i++)
        sendable = sendable && Command_sendable(&v->commands[i]);
    return sendable;
}

static bool Input_arrives(const Input *sent, const Input *got)
{
    bool arrives = sent->tick == got->tick && sent->ack == got->ack && sent->ack_bits == got->ack_bits &&
                   sent->commands_count == got->commands_count;
    for (unsigned i = 0; i < sent->commands_count; i++)
        arrives &= Command_arrives(&sent->commands[i], &got->commands[i]);
    return arrives;
}

static void Input_wire(const Input *v, pkt_wire *w)
{
    put(w, 32, v->tick);
    put(w, 16, v->ack);
    put(w, 32, v->ack_bits);
    put(w, 3, v->commands_count - 1u);
    for (unsigned i = 0; i < v->commands_count; i++)
        Command_wire(&v->commands[i], w);
}

/* ---- Snapshot */

static bool Player_typed(const Player *v)
{
    return is_bool(&v->alive) && is_bool(&v->moving);
}

static bool Player_sendable(const Player *v)
{
    if (v->slot > 63 || (unsigned)v->team > 3)
        return false;
    if (!v->alive)
        return true;
    if (!(SENDABLE(v->x, PLACE) && SENDABLE(v->y, PLACE) && SENDABLE(v->z, HEIGHT) && SENDABLE(v->aim.yaw, YAW) &&
          SENDABLE(v->aim.pitch, PITCH) && v->health >= 0 && v->health <= 200 && (unsigned)v->weapon < 16))
        return false;
    return !v->moving ||
           (SENDABLE(v->velocity.x, SPEED) && SENDABLE(v->velocity.y, SPEED) && SENDABLE(v->velocity.z, SPEED));
}

static bool Player_arrives(const Player *sent, const Player *got)
{
    if (sent->slot != got->slot || sent->team != got->team || sent->alive != got->alive)
        return false;
    if (!sent->alive)
        return same_float(got->x, 0) && same_float(got->y, 0) && same_float(got->z, 0) && same_float(got->aim.yaw, 0) &&
               same_float(got->aim.pitch, 0) && got->health == 0 && !got->moving && same_float(got->velocity.x, 0) &&
               same_float(got->velocity.y, 0) && same_float(got->velocity.z, 0) && got->weapon == 0;
    if (!(ARRIVES(sent->x, got->x, PLACE) && ARRIVES(sent->y, got->y, PLACE) && ARRIVES(sent->z, got->z, HEIGHT) &&
          ARRIVES(sent->aim.yaw, got->aim.yaw, YAW) && ARRIVES(sent->aim.pitch, got->aim.pitch, PITCH) &&
          sent->health == got->health && sent->moving == got->moving && sent->weapon == got->weapon))
        return false;
    if (!sent->moving)
        return same_float(got->velocity.x, 0) && same_float(got->velocity.y, 0) && same_float(got->velocity.z, 0);
    return ARRIVES(sent->velocity.x, got->velocity.x, SPEED) && ARRIVES(sent->velocity.y, got->velocity.y, SPEED) &&
           ARRIVES(sent->velocity.z, got->velocity.z, SPEED);
}

static void Player_wire(const Player *v, pkt_wire *w)
{
    put(w, 6, v->slot);
    put(w, 2, (uint64_t)v->team);
    put(w, 1, v->alive);
    if (!v->alive)
        return;
    put(w, 18, CODE(v->x, PLACE));
    put(w, 18, CODE(v->y, PLACE));
    put(w, 15, CODE(v->z, HEIGHT));
    put(w, 12, CODE(v->aim.yaw, YAW));
    put(w, 11, CODE(v->aim.pitch, PITCH));
    put(w, 8, (uint64_t)v->health);
    put(w, 1, v->moving);
    if (v->moving) {
        put(w, 12, CODE(v->velocity.x, SPEED));
        put(w, 12, CODE(v->velocity.y, SPEED));
        put(w, 12, CODE(v->velocity.z, SPEED));
    }
    put(w, 4, (uint64_t)v->weapon);
}

static bool Snapshot_typed(const Snapshot *v)
{
    bool typed = true;
    for (unsigned i = 0; i < v->players_count && i < 32; i++)
        typed &= Player_typed(&v->players[i]);
    return typed;
}

static bool Snapshot_sendable(const Snapshot *v)
{
    if (v->players_count > 32)
        return false;
    bool sendable = true;
    for (unsigned i = 0; i < v->players_count; i++)
        sendable = sendable && Player_sendable(&v->players[i]);
    return sendable;
}

static bool Snapshot_arrives(const Snapshot *sent, const Snapshot *got)
{
    bool arrives =
        sent->sequence == got->sequence && sent->tick == got->tick && sent->players_count == got->players_count;
    for (unsigned i = 0; i < sent->players_count; i++)
        arrives &= Player_arrives(&sent->players[i], &got->players[i]);
    return arrives;
}

static void Snapshot_wire(const Snapshot *v, pkt_wire *w)
{
    put(w, 16, v->sequence);
    put(w, 32, v->tick);
    put(w, 6, v->players_count);
    for (unsigned i = 0; i < v->players_count; i++)
        Player_wire(&v->players[i], w);
}

/* ---- Chat, Disconnect */

static bool Chat_typed(const Chat *v)
{
    (void)v;
    return true;
}

static bool Chat_sendable(const Chat *v)
{
    if (v->from_slot > 63 || (unsigned)v->to > 3)
        return false;
    const size_t size = prove_text_size(v->text, 127);
    return size <= 127 && prove_text_valid(v->text, size);
}

static bool Chat_arrives(const Chat *sent, const Chat *got)
{
    return sent->from_slot == got->from_slot && sent->to == got->to &&
           same_text(sent->text, got->text, prove_text_size(sent->text, 127));
}

static void Chat_wire(const Chat *v, pkt_wire *w)
{
    put(w, 6, v->from_slot);
    put(w, 2, (uint64_t)v->to);
    put_text(w, 7, v->text, prove_text_size(v->text, 127));
}

static bool Disconnect_typed(const Disconnect *v)
{
    (void)v;
    return true;
}

static bool Disconnect_sendable(const Disconnect *v)
{
    const size_t size = prove_text_size(v->reason, 63);
    return size <= 63 && prove_text_valid(v->reason, size);
}

static bool Disconnect_arrives(const Disconnect *sent, const Disconnect *got)
{
    return same_text(sent->reason, got->reason, prove_text_size(sent->reason, 63));
}

static void Disconnect_wire(const Disconnect *v, pkt_wire *w)
{
    put_text(w, 6, v->reason, prove_text_size(v->reason, 63));
}

/* ---- the claims */

/* A value is packed if, and only if, it can be sent; its body has the bits of docs/wire.md, then come zeros up to a whole
 * byte; what is unpacked is what arrives, whatever the program's struct held before. prove_T_bytes: if `size` bytes are
 * accepted, their value can be sent, and is packed into the same bytes. COUNT, COUNT_BITS: set
 * the number of elements, in a value and in data, so that each number is proved by itself. */
#define PROVE_ROUNDTRIP(T, COUNT, COUNT_BITS)                         \
    void prove_##T##_values(size_t count)                             \
    {                                                                 \
        T sent, got;                                                  \
        uint8_t data[T##_MAX_BYTES + 8];                              \
        prove_any(&sent, sizeof sent);                                \
        prove_any(&got, sizeof got);                                  \
        COUNT;                                                        \
        prove_if(T##_typed(&sent));                                   \
        const size_t size = T##_pack(&sent, data, T##_MAX_BYTES);     \
        prove_that((size != 0) == T##_sendable(&sent));               \
        if (size == 0)                                                \
            return;                                                   \
        prove_that(T##_unpack(&got, data, size));                     \
        prove_that(T##_arrives(&sent, &got));                         \
        uint8_t bytes[T##_MAX_BYTES + 8] = {0};                       \
        pkt_wire wire = {bytes, 0};                                   \
        T##_wire(&sent, &wire);                                       \
        put(&wire, 32, T##_packet.end_check);                         \
        prove_that(size == 4 + (wire.bit + 7) / 8);                   \
        prove_that(memcmp(data + 4, bytes, (wire.bit + 7) / 8) == 0); \
    }                                                                 \
    void prove_##T##_bytes(size_t size, size_t count)                 \
    {                                                                 \
        T v;                                                          \
        uint8_t data[T##_MAX_BYTES + 8], again[T##_MAX_BYTES + 8];    \
        prove_any(data, size);                                        \
        prove_any(&v, sizeof v);                                      \
        COUNT_BITS;                                                   \
        if (!T##_unpack(&v, data, size))                              \
            return;                                                   \
        prove_that(T##_sendable(&v));                                 \
        prove_that(T##_pack(&v, again, T##_MAX_BYTES) == size);       \
        prove_that(memcmp(data, again, size) == 0);                   \
    }
#define PROVE_ANY_COUNT (void)count

PROVE_ROUNDTRIP(ConnectRequest, PROVE_ANY_COUNT, PROVE_ANY_COUNT)
PROVE_ROUNDTRIP(ConnectChallenge, PROVE_ANY_COUNT, PROVE_ANY_COUNT)
PROVE_ROUNDTRIP(ConnectResponse, PROVE_ANY_COUNT, PROVE_ANY_COUNT)
PROVE_ROUNDTRIP(ConnectAccept, PROVE_ANY_COUNT, PROVE_ANY_COUNT)
PROVE_ROUNDTRIP(ConnectDeny, PROVE_ANY_COUNT, PROVE_ANY_COUNT)
PROVE_ROUNDTRIP(Input, sent.commands_count = (uint8_t)count, data[14] = (uint8_t)((data[14] & ~7u) | (count - 1)))
PROVE_ROUNDTRIP(Snapshot, sent.players_count = (uint8_t)count, data[10] = (uint8_t)((data[10] & ~63u) | count))
PROVE_ROUNDTRIP(Chat, PROVE_ANY_COUNT, PROVE_ANY_COUNT)
PROVE_ROUNDTRIP(Disconnect, PROVE_ANY_COUNT, PROVE_ANY_COUNT)

#endif
