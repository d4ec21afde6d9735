/* progress.c - draws the line a few times a second.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/progress.h"
#include "base/files.h"
#include "base/interrupts.h"
#include "recordings/terminal.h"

enum { BETWEEN = 16 }; /* calls until the clock is asked again */

static const double silent_for = 2, redrawn_after = 0.25; /* seconds */

void progress_begin(progress_line *p, const char *name, const char *what, uint64_t size)
{
    *p = (progress_line){
        .name = name, .what = what, .size = size, .shows = file_is_terminal(stderr), .begun = clock_seconds()};
    interrupts_hold();
}

static void wipe_progress(progress_line *p)
{
    if (p->width > 0)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}

/* Writes the line over the one before it. A line that the window has no room for is cut. */
static void draw_progress(progress_line *p, double seconds, uint64_t at, uint64_t count)
{
    char line[200];
    const double rate = (double)count / seconds, done = p->size > 0 ? (double)at / (double)p->size : 0;
    int size = snprintf(line, sizeof line, "%.60s: %.1f", p->name, (double)at / 1e6);
    if (done > 0)
        size += snprintf(line + size, sizeof line - (size_t)size, " of %.1f MB (%.0f %%), %.0f %s/s, %.0f s left",
                         (double)p->size / 1e6, 100 * done, rate, p->what, seconds * (1 - done) / done);
    else
        size += snprintf(line + size, sizeof line - (size_t)size, " MB, %.0f %s/s", rate, p->what);
    const int room = (int)terminal_size_of(stderr).columns - 1, width = size < room ? size : room;
    fprintf(stderr, "\r%.*s%*s", width, line, p->width > width ? p->width - width : 0, "");
    p->width = width;
}

void progress_step(progress_line *p, uint64_t at, uint64_t count)
{
    if (interrupts_came()) {
        wipe_progress(p);
        interrupts_obey();
    }
    if (!p->shows || ++p->calls % BETWEEN != 0)
        return;
    const double now = clock_seconds();
    if (now - p->begun < silent_for || now - p->drawn < redrawn_after)
        return;
    p->drawn = now;
    draw_progress(p, now - p->begun, at, count);
}

void progress_end(progress_line *p)
{
    wipe_progress(p);
    interrupts_release();
}
