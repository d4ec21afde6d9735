/* inputs.c - repeats commands until they are acknowledged, and executes each of them once.
 * SPDX-License-Identifier: MIT
 */
#include "inputs.h"

void inputs_begin_sending(input_sender *s)
{
    s->newest = SEQUENCE_START;
    s->arrived = arrivals_none();
}

void inputs_begin_receiving(input_receiver *in)
{
    in->executed = SEQUENCE_START;
    in->arrived = arrivals_none();
}

void inputs_acknowledge(input_sender *s, uint16_t newest, uint16_t before)
{
    /* Of two acknowledgements that overtook each other, the newer one says more. */
    if (sequence_newer(newest, s->arrived.newest)) {
        s->arrived.newest = newest;
        s->arrived.before = before;
    }
}

void inputs_add(input_sender *s, const Command *command, ToServer *datagram)
{
    unsigned count = 0;
    s->newest++;
    s->commands[s->newest % INPUTS_KEPT] = *command;
    datagram->newest = s->newest;
    datagram->repeated = 0;
    for (unsigned age = INPUTS_REPEATED; age > 0; age--) {
        uint16_t number = (uint16_t)(s->newest - age);
        if (arrivals_has(&s->arrived, number))
            continue;
        datagram->repeated = (uint16_t)(datagram->repeated | 1u << (age - 1));
        datagram->commands[count++] = s->commands[number % INPUTS_KEPT];
    }
    datagram->commands[count] = *command;
}

void inputs_accept(input_receiver *in, const ToServer *datagram)
{
    uint16_t jump = (uint16_t)(datagram->newest - in->executed);
    if (jump >= INPUTS_KEPT && jump < 0x8000) { /* the first ones after a long pause */
        in->lost += jump - 1u;
        in->executed = (uint16_t)(datagram->newest - 1);
        in->waiting = 0;
    }
    const uint32_t present = (uint32_t)datagram->repeated << 1 | 1;
    const Command *next = datagram->commands;
    for (unsigned age = INPUTS_REPEATED + 1; age-- > 0;) {
        if ((present >> age & 1) == 0)
            continue;
        const Command *command = next++;
        uint16_t number = (uint16_t)(datagram->newest - age), ahead = (uint16_t)(number - in->executed);
        if (!arrivals_add(&in->arrived, number) || ahead == 0 || ahead >= INPUTS_KEPT)
            continue; /* here already, or given up already */
        in->commands[number % INPUTS_KEPT] = *command;
        in->waiting |= 1u << number % INPUTS_KEPT;
    }
}

bool inputs_next(input_receiver *in, Command *command)
{
    for (uint16_t ahead; (ahead = (uint16_t)(in->arrived.newest - in->executed)) > 0;) {
        uint16_t number = (uint16_t)(in->executed + 1);
        bool here = (in->waiting >> number % INPUTS_KEPT & 1) != 0;
        if (!here && ahead <= INPUTS_REPEATED)
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
