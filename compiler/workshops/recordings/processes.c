/* processes.c - shares jobs through a pipe: each process reads the number of its next job from it.
 * SPDX-License-Identifier: MIT
 *
 * A number in the pipe is written and read whole, because it is smaller than PIPE_BUF. The end of the pipe says that
 * there are no more.
 */
#include "recordings/processes.h"

#include <stdint.h>

static void do_all(size_t count, const process_work *work)
{
    for (size_t i = 0; i < count; i++)
        work->job(work->user, i);
}

#if defined _WIN32 || defined __wasi__

bool processes_share(arena *a, unsigned processes, size_t count, const process_work *work)
{
    (void)a;
    (void)processes;
    do_all(count, work);
    return true;
}

#else

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct worker {
    pid_t id;
    int results; /* what it writes */
} worker;

static bool write_results(int to, const void *bytes, size_t size)
{
    for (const uint8_t *at = bytes; size > 0;) {
        const ssize_t written = write(to, at, size);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool next_job(int jobs, size_t *number)
{
    ssize_t got;
    do
        got = read(jobs, number, sizeof *number);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *number;
}

/* A copy of this process: does jobs until there are no more. Its parent alone shows progress on a terminal. */
static void be_worker(arena *a, int jobs, int results, const process_work *work)
{
    packer to = {.arena = a};
    size_t number;
    if (isatty(STDERR_FILENO) && !freopen("/dev/null", "w", stderr))
        _exit(1);
    work->begin(work->user);
    while (next_job(jobs, &number))
        work->job(work->user, number);
    work->put(work->user, &to);
    _exit(write_results(results, to.bytes, to.size) ? 0 : 1);
}

/* Everything until the end of the pipe. */
static bool read_results(arena *a, int from, uint8_t **bytes, size_t *size)
{
    size_t room = 1 << 16;
    *bytes = ARENA_ARRAY(a, uint8_t, room);
    for (*size = 0;;) {
        const ssize_t got = read(from, *bytes + *size, room - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        *size += (size_t)got;
        if (*size == room) {
            *bytes = arena_grow(a, *bytes, room, 2 * room);
            room *= 2;
        }
    }
}

/* Starts a process. It must not hold the ends of the pipes of earlier ones, or these would never end. */
static bool start_worker(arena *a, worker *workers, unsigned started, const int jobs[2], const process_work *work)
{
    int results[2];
    if (pipe(results) != 0)
        return false;
    const pid_t id = fork();
    if (id == 0) {
        close(jobs[1]);
        close(results[0]);
        for (unsigned i = 0; i < started; i++)
            close(workers[i].results);
        be_worker(a, jobs[0], results[1], work);
    }
    close(results[1]);
    if (id < 0)
        close(results[0]);
    else
        workers[started] = (worker){id, results[0]};
    return id > 0;
}

static bool finish_worker(arena *a, const worker *w, const process_work *work)
{
    unpacker from = {.arena = a};
    uint8_t *bytes;
    int status;
    bool good = read_results(a, w->results, &bytes, &from.size);
    from.bytes = bytes;
    close(w->results);
    while (waitpid(w->id, &status, 0) < 0 && errno == EINTR)
        continue;
    good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0 && work->take(work->user, &from);
    arena_give_back(a, bytes);
    return good;
}

bool processes_share(arena *a, unsigned processes, size_t count, const process_work *work)
{
    int jobs[2];
    processes = count < processes ? (unsigned)count : processes;
    if (processes <= 1) {
        do_all(count, work);
        return true;
    }
    worker *workers = ARENA_ARRAY(a, worker, processes);
    unsigned started = 0;
    bool good = pipe(jobs) == 0;
    if (!good)
        return false;
    fflush(NULL);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* if all have ended early */
    while (started < processes && start_worker(a, workers, started, jobs, work))
        started++;
    close(jobs[0]);
    good = started > 0;
    for (size_t i = 0; i < count && good; i++)
        good = write_results(jobs[1], &i, sizeof i);
    close(jobs[1]);
    for (unsigned i = 0; i < started; i++)
        good = finish_worker(a, &workers[i], work) && good;
    signal(SIGPIPE, before);
    return good;
}

#endif
