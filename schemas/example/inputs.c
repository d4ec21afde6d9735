/* inputs.c - repeats commands until they are acknowledged, and executes each of them once.
 * SPDX-License-Identifier: MIT
 */
#include "inputs.h"

#include <string.h>

void inputs_begin_sending(input_sender *s)
{
    memset(s, 0, sizeof *s);
    s->newest = SEQUENCE_START;
    s->arrived = arrivals_none();
}

void inputs_begin_receiving(input_receiver *in)
{
    memset(in, 0, sizeof *in);
    in->executed = SEQUENCE_START;
    in->arrived = arrivals_none();
}

void inputs_add(input_sender *s, const Command *command)
{
    s->newest++;
    s->commands[s->newest % INPUTS_KEPT] = *command;
}

void inputs_acknowledge(input_sender *s, uint16_t newest, uint16_t before)
{
    /* Of two acknowledgements that overtook each other, the newer one says more. */
    if (sequence_newer(newest, s->arrived.newest)) {
        s->arrived.newest = newest;
        s->arrived.before = before;
    }
}

void inputs_write(const input_sender *s, pkt_writer *w)
{
    Inputs inputs;
    inputs.newest = s->newest;
    inputs.repeated = 0;
    for (unsigned age = 1; age <= INPUTS_REPEATED; age++)
        if (!arrivals_has(&s->arrived, (uint16_t)(s->newest - age)))
            inputs.repeated = (uint16_t)(inputs.repeated | 1u << (age - 1));
    Inputs_write(w, &inputs);

    /* A player mostly does what he did in the tick before, so a repeated command takes 4 bits instead of 16. */
    const Command *before = NULL;
    for (unsigned age = INPUTS_REPEATED + 1; age-- > 0;) {
        if (age > 0 && (inputs.repeated >> (age - 1) & 1) == 0)
            continue;
        const Command *command = &s->commands[(uint16_t)(s->newest - age) % INPUTS_KEPT];
        Command_write_delta(w, before, command);
        before = command;
    }
}

bool inputs_read(pkt_reader *r, input_batch *batch)
{
    Inputs inputs;
    if (!Inputs_read(r, &inputs))
        return false;
    batch->newest = inputs.newest;
    batch->present = (uint32_t)inputs.repeated << 1 | 1;
    const Command *before = NULL;
    for (unsigned age = INPUTS_REPEATED + 1; age-- > 0;) {
        if ((batch->present >> age & 1) == 0)
            continue;
        if (!Command_read_delta(r, before, &batch->commands[age]))
            return false;
        before = &batch->commands[age];
    }
    return true;
}

void inputs_accept(input_receiver *in, const input_batch *batch)
{
    uint16_t jump = (uint16_t)(batch->newest - in->executed);
    if (jump >= INPUTS_KEPT && jump < 0x8000) { /* the first ones after a long pause */
        in->lost += jump - 1u;
        in->executed = (uint16_t)(batch->newest - 1);
        in->waiting = 0;
    }
    for (unsigned age = INPUTS_REPEATED + 1; age-- > 0;) {
        uint16_t number = (uint16_t)(batch->newest - age);
        if ((batch->present >> age & 1) == 0 || !arrivals_add(&in->arrived, number))
            continue;
        uint16_t ahead = (uint16_t)(number - in->executed);
        if (ahead == 0 || ahead >= INPUTS_KEPT)
            continue; /* given up already */
        in->commands[number % INPUTS_KEPT] = batch->commands[age];
        in->waiting |= 1u << number % INPUTS_KEPT;
    }
}

uint16_t inputs_ahead(const input_receiver *in)
{
    return (uint16_t)(in->arrived.newest - in->executed);
}

bool inputs_next(input_receiver *in, Command *command)
{
    while (inputs_ahead(in) > 0) {
        uint16_t number = (uint16_t)(in->executed + 1);
        bool here = (in->waiting >> number % INPUTS_KEPT & 1) != 0;
        if (!here && inputs_ahead(in) <= INPUTS_REPEATED)
            return false; /* the client still repeats it */
        in->executed = number;
        if (here) {
            *command = in->commands[number % INPUTS_KEPT];
            in->waiting &= ~(1u << number % INPUTS_KEPT);
            in->count++;
            return true;
        }
        in->lost++;
    }
    return false;
}
