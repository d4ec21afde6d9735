/* interrupts.c - keeps the signal that came, until it can be obeyed. Windows and wasm have none of this.
 * SPDX-License-Identifier: MIT
 */
#include "base/interrupts.h"

#include <stddef.h>

#ifdef PKTC_HOLDS_INTERRUPTS

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

enum { HELD = 3 };
static const int held_signals[HELD] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction held_before[HELD];
static unsigned hold_count;
static volatile sig_atomic_t signal_that_came;

static void note_signal(int number)
{
    signal_that_came = number;
}

void interrupts_hold(void)
{
    struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&note.sa_mask);
    if (hold_count++ > 0)
        return;
    for (int i = 0; i < HELD; i++)
        if (sigaction(held_signals[i], NULL, &held_before[i]) == 0 && held_before[i].sa_handler != SIG_IGN)
            sigaction(held_signals[i], &note, NULL);
}

bool interrupts_came(void)
{
    return signal_that_came != 0;
}

static void give_back_signals(void)
{
    for (int i = 0; i < HELD; i++)
        sigaction(held_signals[i], &held_before[i], NULL);
}

void interrupts_obey(void)
{
    if (!interrupts_came() || hold_count > 1)
        return;
    give_back_signals();
    fflush(stdout);
    raise(signal_that_came);
}

void interrupts_release(void)
{
    if (--hold_count > 0)
        return;
    give_back_signals();
    interrupts_obey();
}

void interrupts_forget(void)
{
    signal_that_came = 0;
}

#endif
