/* terminal.h - a terminal that is drawn on and asked for keys, and the clock for it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TERMINAL_H
#define PKTC_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef struct terminal_size {
    unsigned rows, columns;
} terminal_size;

/* The size of a window; 24 by 80 if it is not known. */
terminal_size terminal_size_of(FILE *stream);

/* Seconds since some moment, which never go back. */
double clock_seconds(void);

/* Takes the whole window of standard output, and the keys of its user. False if it is none. The window is given back by
 * terminal_leave, and also while pktc is stopped (Ctrl-Z). */
bool terminal_enter(void);
void terminal_leave(void);

/* Draws lines of text in place of those that were there. What the window has no room for is left out. */
void terminal_draw(const char *text);

/* Waits until a file has bytes, a key is pressed, or the time is over. file: -1 for none. *key: 0 for none. Returns
 * whether the file has bytes, or has come to its end. */
bool terminal_wait(int file, int milliseconds, char *key);

#endif
