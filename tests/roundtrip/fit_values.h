/* fit_values.h - what the tests of fit.pkt share: random values.
 * SPDX-License-Identifier: MIT
 */
#ifndef FIT_VALUES_H
#define FIT_VALUES_H

#include "fit.h"
#include "fit_draws.h"

/* ---- values */

static inline void draw_body(fit_Body *v)
{
    v->x = (float)draw(20000) / 100 - 100;
    v->y = (float)draw(20000) / 100 - 100;
    v->turn.x = (float)draw(1000) / 1000;
    v->turn.w = sqrtf(1 - v->turn.x * v->turn.x);
    v->rest = draw(2) != 0;
    v->has_owner = draw(4) == 0;
    v->owner = v->has_owner ? (uint8_t)draw(256) : 0;
}

static inline void move_body(fit_Body *v)
{
    if (draw(4) == 0)
        draw_body(v);
    v->x += (float)draw(9) / 100;
    v->rest ^= draw(3) == 0;
}

static inline void change_fit_World(fit_World *v, uint32_t of)
{
    v->tick += draw(3);
    v->end += draw(2);
    v->health_count = (uint8_t)(hit(2) ? v->health_count : draw(201));
    v->score_count = (uint8_t)(hit(2) ? v->score_count : 3 + draw(148));
    v->things_count = (uint8_t)(hit(2) ? v->things_count : draw(21));
    for (int i = 0; i < 300; i++)
        if (hit(of))
            move_body(&v->bodies[i]);
    for (int i = 0; i < 4; i++)
        if (hit(of))
            move_body(&v->others[i]);
    for (int i = 0; i < 200; i++)
        if (hit(of))
            v->health[i] = (uint16_t)draw(hit(3) ? 65536 : 2);
    for (int i = 0; i < 150; i++)
        if (hit(of))
            v->score[i] = (int32_t)draw(hit(3) ? 65536 : 20);
    for (int i = 0; i < 130; i++)
        v->doors[i] ^= hit(of);
    for (int i = 0; i < 20; i++) {
        if (!hit(of))
            continue;
        fit_Thing_init(&v->things[i]);
        if (hit(2)) {
            v->things[i].tag = fit_Thing_tag_door;
            v->things[i].as.door.angle = (uint8_t)draw(128);
        } else {
            draw_body(&v->things[i].as.body);
        }
    }
    fit_World_quantize(v);
}

static inline void change_fit_Row(fit_Row *v, uint32_t of)
{
    v->height_count = (uint16_t)(hit(4) ? v->height_count : draw(501));
    for (int i = 0; i < 500; i++)
        if (hit(10 * of))
            v->height[i] = (uint8_t)draw(3);
}

static inline void change_fit_Room(fit_Room *v, uint32_t of)
{
    for (int i = 0; i < 64; i++)
        if (hit(of))
            move_body(&v->bodies[i]);
    fit_Room_quantize(v);
}

#endif
