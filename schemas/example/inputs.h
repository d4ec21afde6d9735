/* inputs.h - the commands of a player, each sent again until it has arrived: one lost datagram loses nothing.
 * SPDX-License-Identifier: MIT
 */
#ifndef INPUTS_H
#define INPUTS_H

#include "arena.h"
#include "sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INPUTS_KEPT = 32, INPUTS_REPEATED = 16 };

/* ---- the client's side */

typedef struct input_sender {
    uint16_t newest;
    Command commands[INPUTS_KEPT]; /* by number */
    arrivals arrived;              /* at the server, as far as is known */
} input_sender;

/* *s is all zeros before. */
void inputs_begin_sending(input_sender *s);
void inputs_acknowledge(input_sender *s, uint16_t newest, uint16_t before);

/* Adds a command, and puts it into a datagram with those before it that the server does not have. */
void inputs_add(input_sender *s, const Command *command, ToServer *datagram);

/* ---- the server's side */

typedef struct input_receiver {
    arrivals arrived;
    uint16_t executed;             /* the newest command that was executed or given up */
    Command commands[INPUTS_KEPT]; /* by number; those that have arrived and are not executed yet */
    uint32_t waiting;              /* a bit for each of them */
    uint32_t count, lost;          /* executed; given up */
} input_receiver;

/* *in is all zeros before. */
void inputs_begin_receiving(input_receiver *in);
void inputs_accept(input_receiver *in, const ToServer *datagram);

/* The next command to execute, in the order of their numbers. Returns false if it has not arrived yet. */
bool inputs_next(input_receiver *in, Command *command);

#ifdef __cplusplus
}
#endif

#endif
