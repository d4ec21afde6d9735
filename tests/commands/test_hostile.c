/* test_hostile.c - commands that read recordings stay within their memory, whatever a recording and its schema say.
 * SPDX-License-Identifier: MIT
 *
 * Each recording of the table has its schema in it, and datagrams of few bytes that stand for very much: elements without
 * bits, or what a delta does not change. docs/tools.md says how much memory its values may take.
 */
#define _DEFAULT_SOURCE /* wait4 */

#include "commands/record.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum {
    MEGABYTE = 1024,        /* in KB, as getrusage has it */
    PROMISED = 64 * 1024,   /* for values */
    BESIDES = 16 * 1024,    /* for the program and the schema */
    MOST_ASKED = 400 << 20, /* in bytes: where pktc asks for more, it ends */
    SECONDS = 2,            /* of the processor, for a command: most take a tenth */
    MOST_SENT = 5,
    REPEATED = 5, /* how often each datagram is recorded */
};

static const char *const too_large = "its values take more than 12 MB";

/* Packets named P. In deltas, the baseline is the value before. */
typedef struct hostile {
    const char *name;
    const char *schema; /* behind `protocol game = 1;` */
    const char *base;   /* of the parts of the packets after the first one, as JSON; or NULL */
    const char *sent[MOST_SENT];
    bool refused; /* each of them is; otherwise none */
    bool coded;
} hostile;

#define PART(type) "packet P { u16 number; optional int<1, 31> back; " type " d delta(number from number - back); }\n"
#define TEN(text) text text text text text text text text text text
#define LONG_NAME TEN(TEN(TEN("ab"))) /* of 2,000 letters */
#define TO_BASES "{\"number\": 9}"
#define TO_LAST "{\"number\": 9, \"back\": 1}"

static const hostile all[] = {
    {"empty structs", "struct E { }\npacket P @large { E e[4000000]; }\n", NULL, {"{}"}, true},
    {"empty structs in structs",
     "struct E { }\nstruct F { E e[2000]; }\npacket P @large { F f[2000]; }\n",
     NULL,
     {"{}"},
     true},
    {"empty structs before a name",
     "struct E { }\nstruct D @delta { u8 a; }\npacket P @large { E e[4000000]; u16 number; optional int<1, 31> back;\n"
     "D d delta(number from number - back); }\n",
     NULL,
     {"{}"},
     true},
    {"as many empty structs as a field says",
     "struct E { }\npacket P @large { u32<0, 4000000> n; E e[0 + n]; }\n",
     NULL,
     {"{\"n\": 4000000}"},
     true},
    {"unions of nothing", "struct E { }\nunion U { E e; }\npacket P @large { U u[4000000]; }\n", NULL, {"{}"}, true},
    {"numbers of one value", "packet P @large { int<7, 7> a[16000000]; }\n", NULL, {"{}"}, true},
    {"sides that are not taken",
     "struct E { }\nstruct F { bool b; if (b) { E e[4000000]; u8 x[16000000]; } }\npacket P @large { F f[9]; }\n",
     NULL,
     {"{}"}},
    {"absent optionals",
     "struct O { optional u8 a, b, c, d, e, f, g, h; }\npacket P @large { O o[60000]; }\n",
     NULL,
     {"{}"},
     true},
    {"large types that are absent",
     "struct L { u8 x[16000000]; }\nstruct M { u16 x[16000000]; }\npacket P @large { optional L l; optional M m; }\n",
     NULL,
     {"{}"}},
    {"members with large types",
     "struct L { bool b; if (b) { u8 x[16000000]; } }\nstruct M { bool b; if (b) { u8 x[16000000]; } }\n"
     "struct N { bool b; if (b) { u8 x[16000000]; } }\nunion U { L l; M m; N n; }\npacket P @large { U u; }\n",
     NULL,
     {"{\"u\": {\"l\": {}}}", "{\"u\": {\"m\": {}}}", "{\"u\": {\"n\": {}}}"}},
    {"unchanged arrays", "struct D @delta { u8 x[16000000]; }\n" PART("D"), NULL, {TO_BASES}, true},
    {"unchanged arrays in arrays",
     "struct C @large { u8 x[4000]; }\nstruct D @delta @large { C c[4000]; }\n" PART("D"),
     NULL,
     {TO_BASES},
     true},
    {"unchanged elements in arrays",
     "struct C { u8 x[4000]; }\nstruct D @delta @large { u8 a; C c[4000]; }\n" PART("D"),
     NULL,
     {"{\"number\": 9, \"d\": {\"a\": 1}}"},
     true},
    {"arrays of unchanged structs",
     "struct S @delta { u8 x[100000]; }\npacket P @large { S s[<=600] delta(previous); }\n",
     NULL,
     {"{\"s\": [{}, {}, {}, {}, {}, {}, {}, {}, {}]}"},
     true},
    {"one more element",
     "struct D @delta @large { u8 a; u8 x[600000]; }\n" PART("D"),
     "{\"d\": {\"a\": 1}}",
     {"{\"number\": 8, \"d\": {\"a\": 1}}", "{\"number\": 9, \"back\": 1, \"d\": {\"a\": 2}}"}},
    {"coded arrays in arrays",
     "struct C { bool b; }\nstruct B { C x[60000]; }\nstruct D @delta @large { u8 a coded; B b[200]; }\n" PART("D"),
     NULL,
     {TO_BASES},
     true,
     true},
    {"coded arrays",
     "struct D @delta @large { u8 a coded; bool x[60000] coded, y[60000] coded, z[60000] coded; }\n" PART("D"),
     NULL,
     {"{\"number\": 9, \"d\": {\"a\": 1}}"},
     .coded = true},
    {"predicted arrays",
     "struct D @delta(predict) @large { u8 a coded; bool x[700000]; }\n"
     "packet P { u16 number; optional int<1, 31> back; optional int<1, 31> gap;\n"
     "D d delta(number from number - back after number - back - gap); }\n",
     NULL,
     {"{\"number\": 9, \"d\": {\"a\": 1}}"},
     .coded = true},
    {"sparse arrays", "struct E { }\npacket P @large { sparse<count> E e[16000000]; u8 a; }\n", NULL, {"{}"}},
    {"empty texts", "packet P @large { string<1> s[60000]; }\n", NULL, {"{}"}},
    {"texts of one length", "packet P @large { bytes<1> s[60000]; }\n", NULL, {"{}"}},
    {"long names", "struct S { bool " LONG_NAME "; }\npacket P @large { S s[60000]; }\n", NULL, {"{}"}},
};

/* ---- recordings */

static void write_file(const hostile *h, const char *name, const char *more)
{
    char *text = text_format("protocol game = 1;\n%s%s", h->schema, more);
    file_write(name, text);
    free(text);
}

static void write_recording(const hostile *h)
{
    char *schema = text_format("protocol game = 1;\n%s", h->schema);
    const char *const text[] = {schema, NULL};
    const char *const *const texts[] = {text};
    record r = record_open_with(texts, 1);
    file_write("base.json", h->base ? h->base : "{}");
    for (int i = 0; i < MOST_SENT && h->sent[i]; i++) {
        static const uint8_t address[] = {10, 0, 0, 2};
        const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
        size_t size;
        uint8_t *data = encoded(i > 0 && h->base ? "--base base.json" : "", "P", h->sent[i], &size);
        for (int n = 0; n < REPEATED; n++)
            assert_true(pkt_capture_packet(&r.capture, r.now++, PKT_SENT, &peer, data, size));
        free(data);
    }
    assert_int_equal(fclose(r.file), 0);
    free(schema);
}

/* ---- commands */

/* Runs a command of a shell that becomes pktc, and returns the KB that it took. */
static long memory_of(const hostile *h, const char *arguments)
{
    char *line = text_format("exec %s %s >shown 2>said <match.pcapng", pktc, arguments);
    struct rusage used;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit seconds = {SECONDS, SECONDS}, memory = {MOST_ASKED, MOST_ASKED};
        (void)setrlimit(RLIMIT_CPU, &seconds);
        (void)setrlimit(RLIMIT_AS, &memory);
        (void)execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(wait4(child, &status, 0, &used), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 5)
        fail_msg("%s: pktc %s: status %d after %ld s", h->name, arguments, status, (long)used.ru_utime.tv_sec);
    free(line);
    return used.ru_maxrss;
}

static bool shows_refusals(const hostile *h)
{
    char *shown = file_read("shown");
    size_t count = 0, lines = 0, sent = 0;
    while (sent < MOST_SENT && h->sent[sent])
        sent++;
    for (const char *at = shown; (at = strstr(at, too_large)); at++)
        count++;
    for (const char *at = shown; (at = strchr(at, '\n')); at++)
        lines++;
    const bool good =
        lines == sent * REPEATED && count == (h->refused ? lines : 0) && (h->refused || !strstr(shown, "\"refused\""));
    if (!good)
        print_error("%s: decode: %zu lines, %zu of them too large: %.300s\n", h->name, lines, count, shown);
    free(shown);
    return good;
}

TEST(test_memory)
{
    static const char *const commands[] = {
        "decode match.pcapng",         "decode --changes match.pcapng",        "report match.pcapng",
        "report --json match.pcapng",  "report --html page.html match.pcapng", "report --follow --json -",
        "tally match.pcapng",          "convert now.pkt match.pcapng",         "convert wide.pkt match.pcapng",
        "train game.pkt match.pcapng", "table -o tables match.pcapng",         "table --changes -o tables match.pcapng",
    };
    bool good = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const hostile *h = &all[i];
        write_file(h, "game.pkt", "");
        write_file(h, "now.pkt", "packet More { u8 more; }\n");
        run_shell("sed 's/u8/u16/g; s/bool x/u8 x/g' now.pkt >wide.pkt");
        write_recording(h);
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            if (strncmp(commands[c], "train", 5) == 0 && !h->coded)
                continue;
            const long took = memory_of(h, commands[c]);
            if (c == 0)
                good &= shows_refusals(h);
            if (took > PROMISED + BESIDES)
                print_error("%s: pktc %s takes %ld MB\n", h->name, commands[c], took / MEGABYTE);
            good &= took <= PROMISED + BESIDES;
        }
    }
    assert_true(good);
}

int main(void)
{
    cli_begin("hostile");
    return cli_end(run_all(set_up));
}
