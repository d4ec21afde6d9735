/* terminal.c - draws by the control sequences that all terminals of today know. Windows and wasm come first, where
 * pktc only needs the clock.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/terminal.h"
#include "base/files.h"

#include <string.h>

#ifdef _WIN32

__declspec(dllimport) unsigned long long __stdcall GetTickCount64(void);

double clock_seconds(void)
{
    return (double)GetTickCount64() / 1000;
}

#else

#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif

#if defined _WIN32 || defined __wasi__

terminal_size terminal_size_of(FILE *stream)
{
    (void)stream;
    return (terminal_size){24, 80};
}

bool terminal_enter(void)
{
    return false;
}

void terminal_leave(void)
{
}

void terminal_draw(const char *text)
{
    (void)text;
}

bool terminal_wait(int file, int milliseconds, char *key)
{
    (void)milliseconds;
    *key = 0;
    return file >= 0;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

terminal_size terminal_size_of(FILE *stream)
{
    struct winsize size;
    const bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    return known ? (terminal_size){size.ws_row, size.ws_col} : (terminal_size){24, 80};
}

/* ---- the whole window */

/* Another screen, so that the one before comes back; and no cursor. */
static const char window_taken[] = "\x1b[?1049h\x1b[?25l", window_given_back[] = "\x1b[?25h\x1b[?1049l";

static int keys = -1; /* the terminal, whose user presses keys; -1: the window is not taken */
static struct termios keys_before;

static void write_window(const char *text, size_t size)
{
    for (ssize_t wrote; size > 0; text += wrote, size -= (size_t)wrote) {
        wrote = write(STDOUT_FILENO, text, size);
        if (wrote < 0 && errno != EINTR)
            return;
        wrote = wrote < 0 ? 0 : wrote;
    }
}

/* Keys come one by one, and are not shown. */
static void take_window(void)
{
    struct termios now = keys_before;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    tcsetattr(keys, TCSADRAIN, &now);
    write_window(window_taken, sizeof window_taken - 1);
}

static void give_back_window(void)
{
    write_window(window_given_back, sizeof window_given_back - 1);
    tcsetattr(keys, TCSADRAIN, &keys_before);
}

/* Ctrl-Z. What is called here may be called by a handler of signals. */
static void stop_without_window(int number)
{
    const int error = errno;
    (void)number;
    give_back_window();
    kill(getpid(), SIGSTOP);
    take_window();
    errno = error;
}

static void handle_stop(void (*handler)(int))
{
    struct sigaction stop = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, NULL);
}

bool terminal_enter(void)
{
    static bool at_exit;
    if (keys >= 0 || !file_is_terminal(stdout))
        return false;
    keys = open("/dev/tty", O_RDONLY | O_NOCTTY);
    if (keys >= 0 && tcgetattr(keys, &keys_before) != 0) {
        close(keys);
        keys = -1;
    }
    if (keys < 0)
        return false;
    if (!at_exit)
        atexit(terminal_leave);
    at_exit = true;
    take_window();
    handle_stop(stop_without_window);
    return true;
}

void terminal_leave(void)
{
    if (keys < 0)
        return;
    handle_stop(SIG_DFL);
    give_back_window();
    close(keys);
    keys = -1;
}

void terminal_draw(const char *text)
{
    static const char home[] = "\x1b[H", clear_line[] = "\x1b[K", clear_rest[] = "\x1b[J";
    const terminal_size room = terminal_size_of(stdout);
    char *frame = malloc(sizeof home + sizeof clear_rest + room.rows * (room.columns + sizeof clear_line + 2));
    size_t size = sizeof home - 1;
    if (!frame)
        return;
    memcpy(frame, home, size);
    for (unsigned row = 0; row < room.rows && *text; row++) {
        const size_t line = strcspn(text, "\n");
        size += (size_t)sprintf(frame + size, "%s%.*s%s", row > 0 ? "\r\n" : "",
                                (int)(line < room.columns ? line : room.columns - 1), text, clear_line);
        text += line + (text[line] == '\n');
    }
    size += (size_t)sprintf(frame + size, "%s", clear_rest);
    write_window(frame, size);
    free(frame);
}

bool terminal_wait(int file, int milliseconds, char *key)
{
    struct pollfd of[2] = {{.fd = file, .events = POLLIN}, {.fd = keys, .events = POLLIN}};
    *key = 0;
    if (poll(of, 2, milliseconds) < 0)
        return false;
    if (of[1].revents != 0 && read(keys, key, 1) != 1)
        *key = errno == EINTR ? 0 : 'q'; /* the terminal has gone */
    return of[0].revents != 0;
}

#endif
