/* follow.c - `pktc report --follow`: counts a recording that is being written, and prints each period of it.
 * SPDX-License-Identifier: MIT
 *
 * Periods follow the times of the datagrams, so that a recording of yesterday gives the same ones as it gave then. Only
 * where nothing comes for a whole period, the clock of this machine ends it. The counts of a period are forgotten after
 * it; only the baselines of later deltas stay, and those are bounded.
 */
#include "base/interrupts.h"
#include "recordings/terminal.h"
#include "recordings/recordings_rows.h"
#include "recordings/counting_report.h"
#include "recordings/period.h"

#include <time.h>

enum { WAITED = 100, BLOCK_LINES = 26 }; /* milliseconds between two looks at the clock; lines of what is not drawn */

typedef struct follower {
    run *run;
    const datagrams_request *request;
    counting counting;
    arena *of_period;
    uint64_t length; /* of a period, in nanoseconds */
    bool begun;
    uint64_t begin, newest; /* of the period: its first moment, its last datagram */
    double came;            /* when the last bytes came, or when the last silent period ended: of clock_seconds */
    bool window, stopped;
    const char *text; /* in the window */
    arena *of_window;
    terminal_size size;
    double drawn;
    unsigned files; /* that were read to their end, because another one replaced them */
} follower;

/* ---- what is shown */

static void draw_window(follower *f)
{
    f->size = terminal_size_of(stdout);
    f->drawn = clock_seconds();
    terminal_draw(f->text);
}

static void print_period(follower *f, const period *p)
{
    out *to = out_new(f->of_period);
    size_t size;
    if (f->run->options->json)
        period_json(f->of_period, p, to);
    else
        period_text(f->of_period, p, BLOCK_LINES, to);
    const char *text = out_result(to, &size);
    fwrite(text, 1, size, stdout);
    if (!f->run->options->json)
        putchar('\n');
    fflush(stdout);
}

/* While it catches up with a file, a window is drawn a few times a second only. */
static void show_period(follower *f, uint64_t length)
{
    tally_settle(f->counting.tally);
    const period p = {.tally = f->counting.tally, .begin = f->begin, .length = length};
    if (!f->window) {
        print_period(f, &p);
        return;
    }
    static const double between = 0.2;
    if (clock_seconds() - f->drawn < between)
        return;
    out *to = out_new(f->of_period);
    size_t size;
    const terminal_size window = terminal_size_of(stdout);
    out_put(to, "pktc report $name    q quits\n", "name", f->run->options->recordings[0], NULL);
    period_text(f->of_period, &p, window.rows - 1, to);
    arena_clear(f->of_window);
    const char *text = out_result(to, &size);
    f->text = arena_text(f->of_window, text, size);
    draw_window(f);
}

/* ---- periods */

static void begin_period(follower *f, uint64_t begin)
{
    arena_clear(f->of_period);
    f->counting.tally = tally_new(f->of_period, f->request->schemas, f->request->schema_count);
    f->begin = f->newest = begin;
}

static void end_period(follower *f)
{
    show_period(f, f->length);
    begin_period(f, f->begin + f->length);
}

static time_t wall_seconds(void)
{
    return time(NULL);
}

/* A time long before the period means that the clock of the sender was set back. */
static void count_followed(follower *f, const recorded *r)
{
    uint64_t time = time_of_datagram(r);
    time = time ? time : (uint64_t)wall_seconds() * 1000000000;
    if (!f->begun)
        begin_period(f, time);
    f->begun = true;
    if (time >= f->begin + f->length || time + f->length < f->begin) {
        const uint64_t periods = time < f->begin ? 0 : (time - f->begin) / f->length;
        const uint64_t begin = time < f->begin ? time : f->begin + periods * f->length;
        if (f->counting.tally->count > 0 || f->counting.tally->refused > 0)
            show_period(f, f->length);
        begin_period(f, begin);
    }
    f->newest = time > f->newest ? time : f->newest;
    f->came = clock_seconds();
    count_datagram(&f->counting, r);
}

/* ---- waiting */

/* Shows a period in which no more comes, and a window of another size. */
static void look_at_clock(follower *f)
{
    const double now = clock_seconds();
    if (f->begun && now - f->came >= (double)f->length / 1e9) {
        end_period(f);
        f->came = now;
    }
    const terminal_size size = terminal_size_of(stdout);
    if (f->window && (size.rows != f->size.rows || size.columns != f->size.columns))
        draw_window(f);
}

/* A byte_source_waiter. */
static bool wait_for_bytes(void *user, int file)
{
    follower *f = user;
    for (;;) {
        char key;
        const bool ready = terminal_wait(file, WAITED, &key);
        f->stopped = f->stopped || key == 'q' || key == 'Q' || interrupts_came();
        if (f->stopped || ready)
            return !f->stopped;
        look_at_clock(f);
        if (file < 0)
            return true;
    }
}

/* Keys and signals count also while datagrams come without a pause. */
static bool is_stopped(follower *f, uint64_t count)
{
    enum { BETWEEN = 256 };
    char key = 0;
    if (f->window && count % BETWEEN == 0)
        terminal_wait(-1, 0, &key);
    f->stopped = f->stopped || key == 'q' || key == 'Q' || interrupts_came();
    return f->stopped;
}

/* ---- files */

/* Follows a file until it is replaced. False at the end. */
static bool follow_file(follower *f)
{
    const options *o = f->run->options;
    arena *of_file = arena_new();
    diag *d = f->files == 0 ? f->run->diag : diag_new(of_file);
    recording *from = recording_follow(of_file, d, o->recordings[0], wait_for_bytes, f);
    recorded r;
    bool replaced = false;
    for (uint64_t n = 1; from && !is_stopped(f, n) && recording_next(from, (uint16_t)o->port, &r); n++)
        count_followed(f, &r);
    if (from) {
        replaced = recording_replaced(from) && !f->stopped;
        recording_close(from);
    } else if (f->files > 0 && !f->stopped) {
        diag_error(f->run->diag, (span){0}, "the file that replaced '%s' is no recording that pktc reads",
                   o->recordings[0]);
    }
    arena_free(of_file);
    f->files++;
    return replaced;
}

bool follow_begun(run *r)
{
    char key;
    interrupts_hold();
    while (!recording_begun(r->options->recordings[0]) && !interrupts_came())
        terminal_wait(-1, WAITED, &key);
    const bool begun = !interrupts_came();
    interrupts_forget();
    interrupts_release();
    return begun;
}

void follow_recording(run *r, const datagrams_request *request)
{
    const options *o = r->options;
    follower f = {.run = r,
                  .request = request,
                  .counting = {.kinds = datagrams_new(r->arena, r->diag, request), .scratch = arena_new()},
                  .of_period = arena_new(),
                  .of_window = arena_new(),
                  .length = (uint64_t)recordings_chosen(o)->interval * 1000000000,
                  .text = "waiting for datagrams; q quits\n"};
    if (f.counting.kinds) {
        interrupts_hold();
        f.window = !o->json && terminal_enter();
        if (f.window)
            draw_window(&f);
        while (follow_file(&f)) {
        }
        terminal_leave();
        f.window = false;
        if (f.begun && (f.counting.tally->count > 0 || f.counting.tally->refused > 0))
            show_period(&f, f.newest - f.begin);
        interrupts_forget();
        interrupts_release();
        datagrams_warn(f.counting.kinds);
        datagrams_free(f.counting.kinds);
    }
    arena_free(f.counting.scratch);
    arena_free(f.of_period);
    arena_free(f.of_window);
}
