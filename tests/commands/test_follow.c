/* test_follow.c - tests `pktc report --follow`, and the progress of long recordings, on a terminal and without one.
 * SPDX-License-Identifier: MIT
 */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#include "commands/record.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>

enum { MOST_OUTPUT = 1 << 21, PATIENCE = 120 };

/* A Ping, which is encoded once. */
static uint8_t ping[64];
static size_t ping_size;

static record record_begin(const char *path)
{
    static const uint8_t address[] = {10, 0, 0, 1};
    record r = {.file = fopen(path, "wb")};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    file_write("game.pkt", SCHEMA);
    uint8_t *made = encoded("", "Ping", "{\"n\": 7}", &ping_size);
    memcpy(ping, made, ping_size);
    free(made);
    static const char *const *const texts[] = {schema_text};
    assert_non_null(r.file);
    assert_true(pkt_capture_begin(&r.capture, pkt_capture_to_file, r.file, &local, texts, 1));
    return r;
}

/* Records a Ping at so many seconds. */
static void record_at(record *r, unsigned seconds)
{
    static const uint8_t address[] = {10, 0, 0, 2};
    const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
    assert_true(pkt_capture_packet(&r->capture, UINT64_C(1700000000000000000) + seconds * UINT64_C(1000000000),
                                   PKT_SENT, &peer, ping, ping_size));
    fflush(r->file);
}

/* A pktc that runs. */
typedef struct running {
    pid_t child;
    int out; /* what it prints */
    size_t size;
    char text[MOST_OUTPUT];
} running;

static running one;

/* Starts a command line. terminal: the other side of the terminal that it has; -1: it writes to a pipe. */
static void start(const char *line, int terminal, const char *name)
{
    int ends[2] = {terminal, -1};
    one.size = 0;
    if (terminal < 0)
        assert_int_equal(pipe(ends), 0);
    one.out = ends[0];
    one.child = fork();
    assert_true(one.child >= 0);
    if (one.child == 0) {
        if (terminal >= 0) {
            setsid();
            const int own = open(name, O_RDWR);
            for (int i = 0; i < 3; i++)
                dup2(own, i);
        } else {
            dup2(ends[1], STDOUT_FILENO);
        }
        signal(SIGINT, SIG_DFL); /* a test that runs in the background ignores it */
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    if (terminal < 0)
        close(ends[1]);
}

/* Reads more of what it prints. False at the end. */
static bool read_some(void)
{
    const ssize_t got = read(one.out, one.text + one.size, MOST_OUTPUT - 1 - one.size);
    one.size += got > 0 ? (size_t)got : 0;
    one.text[one.size] = '\0';
    return got > 0;
}

/* Reads until it has printed this. A test that waits too long is ended by its alarm. */
static void wait_for_text(const char *text)
{
    alarm(PATIENCE);
    one.text[one.size] = '\0';
    while (!strstr(one.text, text))
        if (!read_some())
            fail_msg("'%s' did not come: %s", text, one.text);
    alarm(0);
}

/* Reads the rest, and returns how it ended. */
static int end_of_run(void)
{
    int status;
    alarm(PATIENCE);
    while (read_some()) {
    }
    assert_int_equal(waitpid(one.child, &status, 0), one.child);
    alarm(0);
    close(one.out);
    return status;
}

/* ---- without a terminal */

/* Periods are those of the times in the recording, so the output is exact. */
TEST(test_periods)
{
    record r = record_begin("match.pcapng");
    for (unsigned i = 0; i < 20; i++)
        record_at(&r, i);
    record_at(&r, 45);
    fclose(r.file);
    process_result json = process_run("cat match.pcapng | %s report --follow --json --interval 10 -", pktc);
    assert_string_equal(json.err, "");
    static const char rest[] =
        ", \"peers\": [{\"name\": \"10.0.0.1:40000 to 10.0.0.2:50000\", \"count\": %u, \"bytes\": %u}], \"fields\": "
        "[{\"field\": \"Ping.crc\", \"items\": %u, \"bits\": %u}, {\"field\": \"Ping.end check\", \"items\": %u, "
        "\"bits\": %u}, {\"field\": \"Ping.n\", \"items\": %u, \"bits\": %u}]}\n";
    char *wanted = text_format("%s", "");
    static const struct {
        unsigned time, seconds, count;
    } periods[] = {{0, 10, 10}, {10, 10, 10}, {40, 5, 1}};
    for (size_t i = 0; i < 3; i++) {
        const unsigned n = periods[i].count;
        char *tail = text_format(rest, n, 9 * n, n, 32 * n, n, 32 * n, n, 8 * n);
        char *more =
            text_format("%s{\"time\": 17000000%02u.000000000, \"seconds\": %u, \"count\": %u, \"bytes\": %u, "
                        "\"refused\": 0, \"datagrams\": [{\"name\": \"Ping\", \"count\": %u, \"bytes\": %u}]%s",
                        wanted, periods[i].time, periods[i].seconds, n, 9 * n, n, 9 * n, tail);
        free(tail);
        free(wanted);
        wanted = more;
    }
    assert_string_equal(json.out, wanted);
    free(wanted);
    process_free(&json);
    process_result text = process_run("cat match.pcapng | %s report --follow --interval 10 -", pktc);
    assert_string_equal(text.err, "");
    assert_contains(text.out, "2023-11-14 22:13:20 UTC, 10.0 s: 10 datagrams, 90 bytes, 1.0 packets/s, 0.1 kbit/s\n"
                              "\n"
                              "datagram   a second   kbit/s   bits each     share\n"
                              "Ping            1.0      0.1        72.0   100.0 %\n"
                              "\n"
                              "field            a second   kbit/s   bits each    share\n"
                              "Ping.crc              1.0      0.0        32.0   44.4 %\n");
    assert_contains(text.out, "2023-11-14 22:14:00 UTC, 5.0 s: 1 datagrams, 9 bytes, 0.2 packets/s, 0.0 kbit/s\n");
    process_free(&text);
}

/* A packet of which only a half is there is waited for; a file that was replaced is read from its beginning. */
TEST(test_growing_file)
{
    record r = record_begin("match.pcapng");
    record_at(&r, 0);
    char *line = text_format("exec %s report --follow --json --interval 10 match.pcapng", pktc);
    start(line, -1, NULL);
    free(line);
    record whole = record_begin("whole.pcapng");
    record_at(&whole, 0);
    const long before = ftell(whole.file);
    record_at(&whole, 11);
    const long after = ftell(whole.file);
    fclose(whole.file);
    char *bytes = malloc((size_t)after);
    FILE *from = fopen("whole.pcapng", "rb");
    assert_int_equal(fread(bytes, 1, (size_t)after, from), after);
    fclose(from);
    fwrite(bytes + before, 1, 30, r.file);
    fflush(r.file);
    const struct timespec nap = {.tv_nsec = 300000000};
    nanosleep(&nap, NULL);
    fwrite(bytes + before + 30, 1, (size_t)(after - before) - 30, r.file);
    fflush(r.file);
    free(bytes);
    wait_for_text("\"time\": 1700000000.000000000, \"seconds\": 10, \"count\": 1,");
    record next = record_begin("next.pcapng");
    record_at(&next, 25);
    record_at(&next, 35);
    assert_int_equal(rename("next.pcapng", "match.pcapng"), 0);
    wait_for_text("\"time\": 1700000020.000000000, \"seconds\": 10, \"count\": 1,");
    assert_contains(one.text, "\"time\": 1700000010.000000000, \"seconds\": 10, \"count\": 1,");
    kill(one.child, SIGINT);
    const int status = end_of_run();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_contains(one.text, "\"time\": 1700000030.000000000, \"seconds\": 5, \"count\": 1,");
    fclose(next.file);
    fclose(r.file);
}

/* A file that has nothing yet, and then half of its first block: the schema in it is that of the packets. */
TEST(test_empty_file)
{
    record whole = record_begin("whole.pcapng");
    record_at(&whole, 0);
    const long size = ftell(whole.file);
    fclose(whole.file);
    char *bytes = file_read("whole.pcapng");
    FILE *file = fopen("match.pcapng", "wb");
    char *line = text_format("exec %s report --follow --json --interval 1 match.pcapng", pktc);
    start(line, -1, NULL);
    free(line);
    static const long pieces[] = {5, 40};
    const struct timespec nap = {.tv_nsec = 150000000};
    long at = 0;
    for (size_t i = 0; i < 2; i++) {
        nanosleep(&nap, NULL);
        fwrite(bytes + at, 1, (size_t)(pieces[i] - at), file);
        fflush(file);
        at = pieces[i];
    }
    nanosleep(&nap, NULL);
    fwrite(bytes + at, 1, (size_t)(size - at), file);
    fclose(file);
    free(bytes);
    wait_for_text("\"time\": 1700000000.000000000, \"seconds\": 1, \"count\": 1,");
    kill(one.child, SIGINT);
    const int status = end_of_run();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    fclose(fopen("match.pcapng", "wb"));
    line = text_format("exec %s report --follow match.pcapng", pktc);
    start(line, -1, NULL);
    free(line);
    nanosleep(&nap, NULL);
    kill(one.child, SIGINT);
    end_of_run();
    assert_string_equal(one.text, "");
}

/* Nothing comes any more: the clock ends the period, and the next ones are empty. */
TEST(test_silence)
{
    record r = record_begin("match.pcapng");
    record_at(&r, 0);
    char *line = text_format("exec %s report --follow --json --interval 1 match.pcapng", pktc);
    start(line, -1, NULL);
    free(line);
    wait_for_text("\"time\": 1700000000.000000000, \"seconds\": 1, \"count\": 1,");
    wait_for_text("\"time\": 1700000001.000000000, \"seconds\": 1, \"count\": 0,");
    kill(one.child, SIGTERM);
    end_of_run();
    fclose(r.file);
}

TEST(test_wrong_use)
{
    static const char *const wrong[][2] = {
        {"report --interval 2 x.pcap", "pktc: --interval needs --follow; try 'pktc help report'\n"},
        {"report --follow a.pcap b.pcap", "pktc: --follow takes one recording; try 'pktc help report'\n"},
        {"report --follow --interval 0 x.pcap",
         "pktc: --interval takes a number of seconds from 1 to 3600, not '0'; try 'pktc help report'\n"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        process_result result = run_for(2, wrong[i][0]);
        assert_string_equal(result.err, wrong[i][1]);
        process_free(&result);
    }
}

/* ---- on a terminal */

/* Opens a terminal of this size. */
static int open_terminal(char name[64], unsigned short rows, unsigned short columns)
{
    const struct winsize size = {.ws_row = rows, .ws_col = columns};
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    snprintf(name, 64, "%s", ptsname(terminal));
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    return terminal;
}

/* It draws in the window, and gives it back as it was: key q, or Ctrl-C. */
TEST(test_window)
{
    enum { ROWS = 12, COLUMNS = 40 };
    static const char *const keys[] = {"q", "\x03"};
    for (size_t i = 0; i < 2; i++) {
        record r = record_begin("match.pcapng");
        char name[64], *line = text_format("exec %s report --follow --interval 10 match.pcapng", pktc);
        const int terminal = open_terminal(name, ROWS, COLUMNS), held = open(name, O_RDWR | O_NOCTTY);
        struct termios before, after;
        assert_int_equal(tcgetattr(held, &before), 0);
        start(line, terminal, name);
        free(line);
        wait_for_text("waiting for datagrams");
        const struct timespec nap = {.tv_nsec = 400000000}; /* it is not drawn more often */
        nanosleep(&nap, NULL);
        record_at(&r, 0);
        record_at(&r, 11);
        wait_for_text("datagram   a second   kbit/s   bits eac\x1b[K\r");
        assert_int_equal(write(terminal, keys[i], 1), 1);
        wait_for_text("\x1b[?25h\x1b[?1049l");
        int status;
        alarm(PATIENCE);
        assert_int_equal(waitpid(one.child, &status, 0), one.child);
        alarm(0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_int_equal(tcgetattr(held, &after), 0);
        assert_int_equal(before.c_lflag, after.c_lflag);
        assert_memory_equal(one.text, "\x1b[?1049h\x1b[?25l\x1b[H", 17);
        close(held);
        close(terminal);
        fclose(r.file);
    }
}

/* One line, which is rewritten and wiped. What is printed waits in a pipe that nobody reads, so the run takes long. */
TEST(test_progress)
{
    enum { MANY = 6000 };
    record r = record_begin("match.pcapng");
    for (unsigned i = 0; i < MANY; i++)
        record_at(&r, i);
    fclose(r.file);
    char name[64], *line = text_format("%s decode match.pcapng | (sleep 3; cat > lines)", pktc);
    const int terminal = open_terminal(name, 24, 100), held = open(name, O_RDWR | O_NOCTTY);
    start(line, terminal, name);
    free(line);
    wait_for_text(" s left");
    int status;
    alarm(PATIENCE);
    assert_int_equal(waitpid(one.child, &status, 0), one.child);
    alarm(0);
    wait_for_text("  \r");
    double done, size;
    int share, rate, left;
    assert_int_equal(sscanf(one.text, "\rmatch.pcapng: %lf of %lf MB (%d %%), %d datagrams/s, %d s left", &done, &size,
                            &share, &rate, &left),
                     5);
    assert_true(done <= size && share <= 100);
    close(held);
    close(terminal);
    run_shell("test $(wc -l < lines) = 6000");
    /* Without a terminal there is nothing of it. */
    process_result quiet = process_run("%s decode match.pcapng 2> shown | (sleep 3; cat > lines); cat shown", pktc);
    assert_string_equal(quiet.out, "");
    process_free(&quiet);
}

/* A signal ends it after a whole line. */
TEST(test_interrupted)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        char *line = text_format("exec %s decode match.pcapng", pktc);
        record r = record_begin("match.pcapng");
        for (unsigned k = 0; k < 6000; k++)
            record_at(&r, k);
        fclose(r.file);
        start(line, -1, NULL);
        free(line);
        wait_for_text("\n");
        kill(one.child, signals[i]);
        const int status = end_of_run();
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        assert_int_equal(one.text[one.size - 1], '\n');
    }
}

int main(void)
{
    cli_begin("follow");
    return cli_end(run_all(set_up));
}
