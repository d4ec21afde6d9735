/* interrupts.h - Ctrl-C and other signals that end pktc: held until what is being written is whole.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_INTERRUPTS_H
#define PKTC_INTERRUPTS_H

#include <stdbool.h>

#if !defined _WIN32 && !defined __wasi__
#define PKTC_HOLDS_INTERRUPTS

/* From now on the first SIGINT, SIGTERM or SIGHUP does not end the process. It ends terminal_wait, but no other call that
 * waits. A second one of the same kind ends the process at once. Signals that are ignored stay ignored. Each call needs
 * an interrupts_release. */
void interrupts_hold(void);

/* Whether one of them came. */
bool interrupts_came(void);

/* Ends the process by the signal that came, after standard output is flushed; unless several hold it. */
void interrupts_obey(void);

/* The last one obeys a signal that came. */
void interrupts_release(void);

/* For a program that a signal ends in its own way: it did so. */
void interrupts_forget(void);

#else /* signals end pktc */
#define interrupts_hold() ((void)0)
#define interrupts_came() false
#define interrupts_obey() ((void)0)
#define interrupts_release() ((void)0)
#define interrupts_forget() ((void)0)
#endif

#endif
