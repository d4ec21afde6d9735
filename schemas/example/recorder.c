/* recorder.c - see recorder.h.
 * SPDX-License-Identifier: MIT
 */
#include "recorder.h"
#include "arena_capture.h"
#include "arena_v6_capture.h"
#include "arena_v7_capture.h"

#include <time.h>

static pkt_endpoint endpoint_of(const udp_address *address)
{
    return pkt_endpoint_of(&address->sin_addr, 4, ntohs(address->sin_port));
}

void recorder_open(recorder *r, const char *path, const udp_address *own)
{
    static const char *const *const schemas[] = {arena_PROTOCOL_SCHEMA, arena_v7_PROTOCOL_SCHEMA,
                                                 arena_v6_PROTOCOL_SCHEMA};
    pkt_endpoint local = endpoint_of(own);
    r->file = path ? fopen(path, "wb") : NULL;
    if (r->file)
        pkt_capture_begin(&r->capture, pkt_capture_to_file, r->file, &local, schemas, sizeof schemas / sizeof *schemas);
}

static uint64_t time_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void recorder_session(recorder *r, const udp_address *other, uint64_t session, uint64_t game_id)
{
    if (!r->file)
        return;
    pkt_endpoint peer = endpoint_of(other);
    pkt_capture_session(&r->capture, time_now(), &peer, session, game_id);
}

void recorder_add(recorder *r, pkt_direction direction, const udp_address *other, const void *data, size_t size)
{
    if (!r->file)
        return;
    pkt_endpoint peer = endpoint_of(other);
    pkt_capture_packet(&r->capture, time_now(), direction, &peer, data, size);
}

void recorder_close(recorder *r)
{
    if (r->file)
        fclose(r->file);
}
