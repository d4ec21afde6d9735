/* rollback.c - two players without waiting for each other: inputs are predicted, and a wrong prediction is played again.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "Rollback", has the schema and explains it.
 */
#include "mygame.h"

#include <stdlib.h>

enum { KEPT = 16, MET = 2 * KEPT }; /* frames; the other side may be KEPT frames ahead */

typedef struct saved {
    size_t size;
    uint8_t bytes[sizeof(State)]; /* of which a save takes as many as it has sparks */
} saved;

typedef struct rollback {
    saved saved[KEPT];       /* by frame % KEPT: before the inputs of that frame */
    Input inputs[MET][2];    /* by frame % MET: of each player, known or predicted */
    uint32_t known[2], next; /* the inputs before frame known[player] are known; next: the next frame */
    uint32_t wrong;          /* the first frame that was played with a wrong input, at most next */
} rollback;

/* The rules of the game, which depend on nothing else. */
static void step(State *s, const Input inputs[2]);

/* Whether there is room for another frame. If not, the other side must first be heard of. */
static bool may_advance(const rollback *r)
{
    return r->next - (r->known[0] < r->known[1] ? r->known[0] : r->known[1]) < KEPT - 1;
}

/* The inputs of a player arrive in order. Until the next one arrives, he goes on as before. */
static void arrived(rollback *r, int player, const Input *input)
{
    uint32_t frame = r->known[player]++;
    do {
        Input *was = &r->inputs[frame % MET][player];
        if (frame < r->wrong && !Input_equal(was, input))
            r->wrong = frame;
        *was = *input;
    } while (frame++ < r->next);
}

static void save(saved *to, const State *s)
{
    to->size = State_save(s, to->bytes, sizeof to->bytes);
}

static void restore(const saved *from, State *s)
{
    if (!State_restore(s, from->bytes, from->size))
        abort();
}

/* Plays the frames again that were wrong, and the next one. */
static void advance(rollback *r, State *now)
{
    if (r->wrong < r->next)
        restore(&r->saved[r->wrong % KEPT], now);
    for (uint32_t frame = r->wrong; frame <= r->next; frame++) {
        save(&r->saved[frame % KEPT], now);
        step(now, r->inputs[frame % MET]);
    }
    r->next++;
    for (int player = 0; player < 2; player++)
        if (r->known[player] <= r->next)
            r->inputs[r->next % MET][player] = r->inputs[(r->next - 1) % MET][player];
    r->wrong = r->next;
}
