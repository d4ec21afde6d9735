/* clock.h - the time, the time that this process has used, and waiting for the next tick.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

#ifdef _WIN32
#include <winsock2.h>
#include <windows.h>
#endif

static inline double clock_read(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline double seconds(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

/* The time for which this process has had a processor. Unlike seconds() it does not count what other programs do. */
static inline double seconds_used(void)
{
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

/* Waits for the next tick, and returns its time. After a delay, ticks are skipped instead of catching up. */
static inline double wait_for_tick(double next)
{
    double left = next - seconds();
    if (left <= 0)
        return seconds();
#ifdef _WIN32
    Sleep((DWORD)(left * 1000));
#else
    struct timespec pause;
    pause.tv_sec = (time_t)left;
    pause.tv_nsec = (long)((left - (double)pause.tv_sec) * 1e9);
    nanosleep(&pause, NULL);
#endif
    return next;
}

#endif
