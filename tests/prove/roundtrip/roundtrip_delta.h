/* roundtrip_delta.h - what is proved of the delta of roundtrips.pkt, as in roundtrip_mygame.h, for every baseline that can be sent.
 * SPDX-License-Identifier: MIT
 */
#ifndef ROUNDTRIP_DELTA_H
#define ROUNDTRIP_DELTA_H

#include "roundtrip.h"

static bool Ship_typed(const Ship *v)
{
    return is_bool(&v->docked) && is_bool(&v->has_target);
}

static bool Ship_sendable(const Ship *v)
{
    return v->health <= 200 && SENDABLE(v->x, SPEED) && SENDABLE(v->y, SPEED);
}

static bool Ship_target_changed(const Ship *base, const Ship *v)
{
    return v->has_target ? !base->has_target || v->target != base->target : base->has_target;
}

/* A float whose code is that of the baseline's float keeps the bits of that float. */
static bool Ship_float_arrives(float base, float sent, float got)
{
    return same_float(got, CODE(sent, SPEED) == CODE(base, SPEED) ? base : pkt_dequantize(CODE(sent, SPEED), SPEED));
}

static bool Ship_arrives(const Ship *base, const Ship *sent, const Ship *got)
{
    return sent->tick == got->tick && sent->health == got->health && Ship_float_arrives(base->x, sent->x, got->x) &&
           Ship_float_arrives(base->y, sent->y, got->y) && sent->docked == got->docked &&
           sent->has_target == got->has_target && got->target == (sent->has_target ? sent->target : 0);
}

static void Ship_wire(const Ship *base, const Ship *v, pkt_wire *w)
{
    const bool x = CODE(v->x, SPEED) != CODE(base->x, SPEED), y = CODE(v->y, SPEED) != CODE(base->y, SPEED);
    put(w, 1, v->tick != base->tick);
    put(w, 1, v->health != base->health);
    put(w, 1, x);
    put(w, 1, y);
    put(w, 1, v->docked != base->docked);
    put(w, 1, Ship_target_changed(base, v));
    if (v->tick != base->tick)
        put(w, 32, v->tick);
    if (v->health != base->health)
        put(w, 8, v->health);
    if (x)
        put(w, 12, CODE(v->x, SPEED));
    if (y)
        put(w, 12, CODE(v->y, SPEED));
    if (Ship_target_changed(base, v)) {
        put(w, 1, v->has_target);
        if (v->has_target)
            put(w, 16, v->target);
    }
}

void prove_Ship_delta_values(void)
{
    Ship base, sent, got;
    uint8_t data[Ship_DELTA_MAX_BYTES + 8], bytes[Ship_DELTA_MAX_BYTES + 8] = {0};
    pkt_wire wire = {bytes, 0};
    prove_any(&base, sizeof base);
    prove_any(&sent, sizeof sent);
    prove_any(&got, sizeof got);
    prove_if(Ship_typed(&base) && Ship_sendable(&base) && Ship_typed(&sent));
    const size_t size = Ship_pack_delta(&base, &sent, data, Ship_DELTA_MAX_BYTES);
    if (Ship_sendable(&sent))
        prove_that(size != 0);
    if (size == 0)
        return;
    prove_that(Ship_sendable(&sent));
    prove_that(Ship_unpack_delta(&base, &got, data, size));
    prove_that(Ship_arrives(&base, &sent, &got));
    Ship_wire(&base, &sent, &wire);
    put(&wire, 32, Ship_packet.end_check);
    prove_that(size == 4 + (wire.bit + 7) / 8);
    prove_that(memcmp(data + 4, bytes, (wire.bit + 7) / 8) == 0);
}

void prove_Ship_delta_bytes(size_t size)
{
    Ship base, v;
    uint8_t data[Ship_DELTA_MAX_BYTES + 8], again[Ship_DELTA_MAX_BYTES + 8];
    prove_any(&base, sizeof base);
    prove_any(&v, sizeof v);
    prove_any(data, size);
    prove_if(Ship_typed(&base) && Ship_sendable(&base));
    if (!Ship_unpack_delta(&base, &v, data, size))
        return;
    prove_that(Ship_sendable(&v));
    prove_that(Ship_pack_delta(&base, &v, again, Ship_DELTA_MAX_BYTES) == size);
    prove_that(memcmp(data, again, size) == 0);
}

#endif
