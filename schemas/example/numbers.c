/* numbers.c - the server's table.
 * SPDX-License-Identifier: MIT
 */
#include "numbers.h"

#include <stdio.h>

static void row(const char *what, double value, const char *unit)
{
    printf("%-34s %10.0f%s%s\n", what, value, *unit ? " " : "", unit);
}

void numbers_print(const numbers *n)
{
    double clients = (double)n->client_ticks, seconds = clients / arena_TICK_RATE, tick = 1000.0 / arena_TICK_RATE;
    row("bytes to a client a second", (double)n->sent_bytes / seconds, "");
    row("bytes from a client a second", (double)n->received_bytes / seconds, "");
    row("snapshots", (double)n->snapshots, "");
    row("  without a baseline", (double)n->whole, "");
    row("  full", (double)n->full, "");
    row("server time a tick", n->used / (double)n->ticks * 1e6, "us");
    row("  a client", n->used / clients * 1e6, "us");
    row("server time a snapshot", n->snapshots_used / (double)n->snapshots * 1e6, "us");
    row("age of what is shown, mean", ages_mean(&n->shown) * tick, "ms");
    row("age of what is shown, 95 %", ages_up_to(&n->shown, 0.95) * tick, "ms");
    row("age of what is shown, most", ages_up_to(&n->shown, 1) * tick, "ms");
    row("commands executed", (double)n->commands, "");
    row("commands lost", (double)n->lost_commands, "");
    for (int code = 0; code <= PKT_ERROR_BASELINE; code++)
        if (n->refused[code] > 0)
            printf("refused: %-25s %10llu\n", pkt_code_name((pkt_code)code), (unsigned long long)n->refused[code]);
    for (int release = 0; release <= arena_PROTOCOL_VERSION; release++)
        if (n->outdated[release] > 0)
            printf("told to update: release %-10d %10llu\n", release, (unsigned long long)n->outdated[release]);
    row("from nobody who plays (any more)", (double)n->strangers, "");
}
