/* traffic.h - counts packets and bytes of each type.
 * SPDX-License-Identifier: MIT
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "mygame.h"

#include <stdio.h>

enum { TYPES = Message_tag_disconnect + 1 };

typedef struct traffic {
    uint64_t packets[TYPES], bytes[TYPES];
} traffic;

static inline void traffic_add(traffic *t, Message_tag tag, size_t size)
{
    t->packets[tag]++;
    t->bytes[tag] += size;
}

static inline void traffic_print(const traffic *t, const char *title, double duration)
{
    static const char *const names[TYPES] = {
        "ConnectRequest", "ConnectChallenge", "ConnectResponse", "ConnectAccept", "ConnectDeny", "Input", "Snapshot",
        "Chat",           "Disconnect",
    };
    printf("%-24s %10s %10s %8s %10s\n", title, "packets", "bytes", "mean", "kbit/s");
    for (int i = 0; i < TYPES; i++)
        if (t->packets[i] > 0)
            printf("  %-22s %10llu %10llu %8.1f %10.1f\n", names[i], (unsigned long long)t->packets[i],
                   (unsigned long long)t->bytes[i], (double)t->bytes[i] / (double)t->packets[i],
                   (double)t->bytes[i] * 8 / 1000 / duration);
}

#endif
