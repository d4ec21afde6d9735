/* server.c - the server of the arena.
 * SPDX-License-Identifier: MIT
 *
 *     server [PORT [LOG [RECORDING]]]
 *
 * Prints the port that it listens on, runs until the last client has left, and prints what it sent. In LOG it notes the
 * hash of every snapshot and event. Clients do the same, so that one can see where they begin to differ. RECORDING gets
 * every datagram.
 */
#include "clock.h"
#include "host.h"

#include <stdlib.h>

static const double END = 0.5; /* seconds until the server ends after the last client has left */

static int run_tick(host *s)
{
    udp_address from;
    uint8_t data[2048];
    double start = seconds_used(), now = seconds();
    for (int size; (size = udp_receive(s->socket, &from, data, sizeof data)) >= 0;)
        host_receive(s, now, &from, data, (size_t)size);
    int playing = host_tick(s, now);
    s->numbers.used += seconds_used() - start;
    return playing;
}

int main(int argc, char **argv)
{
    udp_address address;
    host *s = (host *)calloc(1, sizeof *s);
    if (!s) {
        fputs("server: no memory\n", stderr);
        return 1;
    }
    s->socket = udp_open(argc > 1 ? (uint16_t)atoi(argv[1]) : 0, &address);
    s->log = argc > 2 ? fopen(argv[2], "w") : NULL;
    recorder_open(&s->recorder, argc > 3 ? argv[3] : NULL, &address);
    const uint64_t secret =
        UINT64_C(0x5eed) ^ (uint64_t)(seconds() * 1e9); /* a real server: 16 bytes from the system */
    memcpy(s->door.key, &secret, sizeof secret);
    world_init(&s->world, 1);
    printf("listening on port %u\n", (unsigned)ntohs(address.sin_port));
    fflush(stdout);

    /* Runs until everybody has left. */
    double next = seconds(), deadline = next + HOST_WAITS;
    while (seconds() < deadline || seconds() < s->awaited) {
        if (run_tick(s) > 0)
            deadline = seconds() + END;
        next = wait_for_tick(next + 1.0 / arena_TICK_RATE);
    }
    numbers_print(&s->numbers);
    if (s->log)
        fclose(s->log);
    recorder_close(&s->recorder);
    udp_close(s->socket);
    free(s);
    return 0;
}
