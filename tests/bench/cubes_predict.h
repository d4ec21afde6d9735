/* cubes_predict.h - the prediction of schemas/cubes.pkt that a program makes by hand, in floats.
 * SPDX-License-Identifier: MIT
 *
 * Both sides do the same arithmetic on the same numbers, and get the same baseline. No product may be fused with a sum:
 * compile with -ffp-contract=off, and not with gcc 12.2 for a processor with fused operations, because it uses them
 * anyway.
 */
#ifndef CUBES_PREDICT_H
#define CUBES_PREDICT_H

#include "cubes.h"

static pkt_quat product(pkt_quat a, pkt_quat b)
{
    pkt_quat q;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return q;
}

/* The rotation from `before` to `now`, repeated `times` times: scales its axis, which is accurate enough for small
 * angles. The result need not have length 1 exactly to be quantized. */
static pkt_quat turned_on(pkt_quat before, pkt_quat now, float times)
{
    pkt_quat back = {-before.x, -before.y, -before.z, before.w}, turn = product(now, back);
    const float scale = turn.w < 0 ? -times : times;
    turn.x *= scale;
    turn.y *= scale;
    turn.z *= scale;
    turn.w = turn.w < 0 ? -turn.w : turn.w;
    /* 1 / sqrt(1 + n) by two steps of Newton's method, from 1 - n / 2, so that the math library is not needed. */
    const float length = turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w;
    float r = length < 2 ? 1.5f - 0.5f * length : 0.5f;
    for (int i = 0; i < 4; i++)
        r = r * (1.5f - 0.5f * length * r * r);
    turn.x *= r;
    turn.y *= r;
    turn.z *= r;
    turn.w *= r;
    return product(turn, now);
}

static bool same_turn(pkt_quat a, pkt_quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

static float clamped(float v, float low, float high)
{
    return v < low ? low : v > high ? high : v;
}

/* Predicts the state now, `back` frames after `base`, if cubes move on as they did from `before` to `base`, `gap`
 * frames. */
static void predict(const State *base, const State *before, int back, int gap, State *predicted)
{
    const float times = (float)back / (float)gap;
    for (int i = 0; i < cubes_CUBES; i++) {
        const Cube *a = &before->cubes[i], *b = &base->cubes[i];
        Cube *p = &predicted->cubes[i];
        p->x = clamped(b->x + (b->x - a->x) * times, -32, 32);
        p->y = clamped(b->y + (b->y - a->y) * times, -32, 32);
        p->z = clamped(b->z + (b->z - a->z) * times, 0, 8);
        p->turn = same_turn(a->turn, b->turn) ? b->turn : turned_on(a->turn, b->turn, times * 0.75f);
    }
    State_quantize(predicted);
}

#endif
