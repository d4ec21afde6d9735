/* processes.h - shares jobs among processes, where the system can copy one (fork).
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PROCESSES_H
#define PKTC_PROCESSES_H

#include "recordings/packed.h"

/* What to do, each with `user`. A process does some of the jobs, and then writes what it has found out. */
typedef struct process_work {
    void (*begin)(void *user); /* in a process of its own: it has what the first one has counted, and forgets that */
    void (*job)(void *user, size_t number);
    void (*put)(void *user, packer *to);
    bool (*take)(void *user, unpacker *from); /* in the process that waits; false: the bytes are not those of `put` */
    void *user;
} process_work;

/* Does jobs 0 to count - 1, each once, in so many processes, and takes what each of them writes, in no certain order.
 * With one process, or on a system without fork, it does them itself, and neither writes nor takes. False if a process
 * ended early: then not all was taken. */
bool processes_share(arena *a, unsigned processes, size_t count, const process_work *work);

#endif
