/* numbers.h - what the server counts, and the table that it prints at the end.
 * SPDX-License-Identifier: MIT
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "ages.h"
#include "arena_upgrade.h"

typedef struct numbers {
    uint64_t ticks;
    uint64_t client_ticks; /* the number of clients in each tick, added up */
    uint64_t received, received_bytes, sent_bytes;
    uint64_t snapshots;
    uint64_t whole, full; /* of them: without a baseline; with something left out for lack of room */
    uint64_t commands, lost_commands;
    uint64_t refused[PKT_ERROR_BASELINE + 1];      /* by reason */
    uint64_t outdated[arena_PROTOCOL_VERSION + 1]; /* greetings of other releases, by number; 0: of none */
    uint64_t strangers;          /* neither of a client nor a handshake: of one that has left, for example */
    double used, snapshots_used; /* seconds of a processor: in all; for snapshots */
    ages shown;
} numbers;

void numbers_print(const numbers *n);

#endif
