/* test_scale.c - the output, the memory and the time of every command grow in proportion to its input, whatever that is.
 * SPDX-License-Identifier: MIT
 *
 * Each family of schemas (families.c) goes through all commands at n, 2n and 4n. A cost may grow with the 1.3th power of the
 * bytes of the schema, and no faster: what is in proportion has a slope of 1, a square has 2. Output and memory are the same
 * in each run. Time is that of the processor, and noise only adds to it: a command that seems too slow is run again, and its
 * least time counts. Costs below a floor say nothing: pktc has to start, and an arena grows by pieces of up to 4 MB.
 *
 * usage: test_scale [FAMILY]
 * With FAMILY it prints what each command took. PART: only the commands of one part, and those that make what they read.
 */
#define _DEFAULT_SOURCE /* wait4 */

#include "inputs.h"
#include "process.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    SECONDS = 20,        /* that a command may compute */
    MEMORY = 2000 << 20, /* that it may ask for, in bytes */
    DATAGRAMS = 4,       /* of a recording */
    SIZES = 3,           /* n, 2n, 4n */
    TRIES = 15,          /* of a command that seems too slow */
    MOST_PARTS = 8,
    MOST_NESTED = 100 /* a family of a smaller size has types in types, or braces in braces */
};

/* The greatest slope of the logarithms of a cost and of the size of the input; and where types or braces are in each other, 200
 * at most, that of what prints the whole path of each item, or its whole condition, and of the time for what moves to the right. */
static const double steepest = 1.3, steepest_of_nested = 2.3;

typedef enum cost_kind { OUTPUT, KILOBYTES, TIME, COSTS } cost_kind;

static const struct {
    const char *unit;
    double floor; /* less than this is taken for this */
} cost_rows[COSTS] = {{"bytes", 4000}, {"KB of memory", 12000}, {"seconds", 0.03}};

/* What a command needs of a family. COLUMNS: types are not in types, which gives too many of them. */
typedef enum need {
    VALUE = 1,
    RECORDING = 2,
    BEFORE = 4,
    CODED = 8,
    GOOD = 16,
    PATHS = 32,
    DELTA = 64,
    COLUMNS = 128
} need;

typedef struct command {
    const char *name; /* and that of the file for what it prints */
    const char *arguments[MOST_PARTS];
    const char *in;   /* the file that it reads; or NULL */
    bool makes_files; /* in the directory behind -o */
    bool parses_only; /* it finds no mistakes but those of syntax */
    unsigned needs;
} command;

/* Each may need what those before it have made. `then` has the schema as the release before has it, and `old` is an archive
 * of that. */
static const command commands[] = {
    {"compile", {"--no-runtime", "--reflect", "--capture", "-omade", "p.pkt"}, .makes_files = true},
    {"check", {"--no-runtime", "--reflect", "--capture", "--check", "-omade", "p.pkt"}},
    {"format", {"fmt", "-"}, .in = "p.pkt", .parses_only = true},
    {"layout", {"layout", "p.pkt"}},
    {"page", {"layout", "--html=/dev/stdout", "p.pkt"}},
    {"layout-json", {"layout", "--json", "p.pkt"}},
    {"describe", {"describe", "p.pkt"}, .needs = PATHS},
    {"tokens", {"--dump=tokens", "p.pkt"}, .parses_only = true},
    {"tree", {"--dump=ast", "p.pkt"}, .parses_only = true},
    {"wire", {"--dump=wire", "p.pkt"}},
    {"projection", {"--projection", "p.pkt"}},
    {"dissector", {"wireshark", "p.pkt"}},
    {"editor", {"lsp"}, .in = "editor.in", .parses_only = true},
    {"same", {"diff", "p.pkt", "p.pkt"}},
    {"archive", {"archive", "old", "then/p.pkt"}, .needs = GOOD},
    {"diff", {"diff", "then/p.pkt", "p.pkt"}, .needs = BEFORE | PATHS},
    {"versions", {"diff", "--json", "--against=old", "p.pkt"}, .needs = BEFORE | PATHS},
    {"upgrade", {"--no-runtime", "-oupgraded", "--upgrade=old", "p.pkt"}, .needs = GOOD},
    {"serve", {"--no-runtime", "-oserved", "--upgrade=old", "--serve=1", "p.pkt"}, .needs = GOOD},
    {"encode", {"encode", "p.pkt", "P"}, .in = "p.json", .needs = VALUE},
    {"decode", {"decode", "p.pkt", "P"}, .in = "encode", .needs = VALUE},
    {"items", {"decode", "--bits", "p.pkt", "P"}, .in = "encode", .needs = VALUE | PATHS},
    {"encode-then", {"encode", "then/p.pkt", "P"}, .in = "p.json", .needs = VALUE},
    {"convert", {"convert", "then/p.pkt", "p.pkt", "P"}, .in = "encode-then", .needs = VALUE},
    {"delta", {"encode", "--base=base.json", "p.pkt", "P"}, .in = "p.json", .needs = VALUE | DELTA},
    {"changes", {"decode", "--base=base.json", "--changes", "p.pkt", "P"}, .in = "delta", .needs = VALUE | DELTA},
    {"lines", {"decode", "p.pkt", "now.pcap"}, .needs = RECORDING},
    {"report", {"report", "p.pkt", "now.pcap"}, .needs = RECORDING | PATHS},
    {"report-json", {"report", "--json", "p.pkt", "now.pcap"}, .needs = RECORDING | PATHS},
    {"report-page", {"report", "--html=/dev/stdout", "p.pkt", "now.pcap"}, .needs = RECORDING | PATHS},
    {"tally", {"tally", "p.pkt", "now.pcap"}, .needs = RECORDING | PATHS},
    {"table", {"table", "-otables", "p.pkt", "now.pcap"}, .makes_files = true, .needs = RECORDING | PATHS | COLUMNS},
    {"report-tally", {"report", "tally"}, .needs = RECORDING | PATHS},
    {"recording", {"convert", "then/p.pkt", "p.pkt", "then.pcap"}, .needs = RECORDING},
    {"body", {"encode", "--body", "p.pkt", "P"}, .in = "p.json", .needs = VALUE | CODED},
    {"train", {"train", "p.pkt", "P", "values"}, .needs = RECORDING | CODED},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* What a command made and took. */
typedef struct cost {
    int status; /* of exit; 128 and more: ended by a signal */
    double of[COSTS];
} cost;

static char *scratch;
static bool shows_all;
static const char *part; /* or NULL */

static char *path_of(const char *name)
{
    return text_format("%s/%s", scratch, name);
}

/* ---- running a command */

static void limit(int resource, rlim_t most)
{
    const struct rlimit both = {.rlim_cur = most, .rlim_max = most};
    (void)setrlimit(resource, &both);
}

static void run_in_child(const command *c)
{
    const char *arguments[MOST_PARTS + 2] = {setting("PKTC")};
    char *program = realpath(arguments[0], NULL);
    for (int i = 0; i < MOST_PARTS; i++)
        arguments[i + 1] = c->arguments[i];
    if (!program || chdir(scratch) != 0 || !freopen(c->in ? c->in : "/dev/null", "rb", stdin) ||
        !freopen(c->name, "wb", stdout) || !freopen("messages", "wb", stderr))
        _exit(126);
    limit(RLIMIT_CPU, SECONDS);
    limit(RLIMIT_AS, MEMORY);
    (void)execv(program, (char **)(uintptr_t)arguments);
    _exit(127);
}

/* The bytes of a file but for blanks: what is in braces moves to the right, but there are 200 braces at most. */
static double bytes_of_file(const char *path)
{
    static char chunk[1 << 16];
    FILE *file = fopen(path, "rb");
    double bytes = 0;
    for (size_t got; file && (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        for (size_t i = 0; i < got; i++)
            bytes += chunk[i] != ' ';
    if (file)
        (void)fclose(file);
    return bytes;
}

static double bytes_in_directory(const char *name)
{
    process_result found = process_run("find '%s/%s' -type f -exec cat {} + | tr -d ' ' | wc -c", scratch, name);
    const double bytes = strtod(found.out, NULL);
    process_free(&found);
    return bytes;
}

static double bytes_made(const command *c)
{
    char *path = path_of(c->name);
    double bytes = bytes_of_file(path);
    for (int i = 0; i < MOST_PARTS && c->arguments[i]; i++)
        if (strncmp(c->arguments[i], "-o", 2) == 0 && c->makes_files)
            bytes += bytes_in_directory(c->arguments[i] + 2);
    free(path);
    return bytes;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static cost run(const command *c)
{
    struct rusage used;
    int status;
    const pid_t child = fork();
    if (child == 0)
        run_in_child(c);
    assert_int_equal(wait4(child, &status, 0, &used), child);
    /* The time of the system depends on what else uses its files: that of making 3,000 differs by five times. */
    return (cost){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                  .of = {bytes_made(c), (double)used.ru_maxrss, seconds_of(used.ru_utime)}};
}

/* ---- a family at one size */

static char *directory_of(const char *name)
{
    char *directory = path_of(name);
    process_result made = process_run("mkdir -p '%s'", directory);
    assert_int_equal(made.status, 0);
    process_free(&made);
    return directory;
}

/* Writes the files of a family, and returns the size of its input. */
static double write_family(const family *f, int n)
{
    process_result removed = process_run("rm -rf '%s'", scratch);
    assert_int_equal(removed.status, 0);
    process_free(&removed);
    char *here = directory_of(""), *then = directory_of("then");
    const double size = write_schema(here, f, n, false);
    (void)write_schema(then, f, n, true);
    write_messages(here, f, n);
    free(then);
    free(here);
    return f->counted ? n : size;
}

static bool has_argument(const command *c, const char *argument)
{
    for (int i = 0; i < MOST_PARTS && c->arguments[i]; i++)
        if (strcmp(c->arguments[i], argument) == 0)
            return true;
    return false;
}

/* The part of a command: those of one part are not run again after a change of a workshop that only another one needs. */
static const char *part_of(const command *c)
{
    if (c->needs & RECORDING)
        return "recordings";
    if (has_argument(c, "lsp"))
        return "editor";
    return (c->needs & (GOOD | BEFORE)) || has_argument(c, "diff") || has_argument(c, "convert") ||
                   has_argument(c, "--capture")
               ? "releases"
               : "core";
}

/* Whether it is run for a part: commands of recordings and of releases read what `encode` made. */
static bool is_run_for(const command *c, const char *of)
{
    const bool makes_inputs = strcmp(c->arguments[0], "encode") == 0 && !(c->needs & DELTA);
    return strcmp(part_of(c), of) == 0 || (makes_inputs && strcmp(of, "editor") != 0);
}

static bool is_run(const command *c, const family *f)
{
    if (part && !is_run_for(c, part))
        return false;
    return !(((c->needs & (VALUE | RECORDING)) && !f->value.head) || ((c->needs & RECORDING) && f->too_large) ||
             ((c->needs & COLUMNS) && f->n < MOST_NESTED && !f->counted) || ((c->needs & CODED) && !f->coded) ||
             ((c->needs & DELTA) && !f->delta) || ((c->needs & (GOOD | BEFORE)) && f->status != 0));
}

/* What is made of the output of commands, for those after them. */
static void write_made(const command *c, const family *f, int n)
{
    const int count = f->recorded ? n : DATAGRAMS;
    if (strcmp(c->name, "encode") == 0 && !f->too_large)
        write_recording(scratch, "now.pcap", c->name, count, f->recorded);
    else if (strcmp(c->name, "encode-then") == 0 && !f->too_large)
        write_recording(scratch, "then.pcap", c->name, count, f->recorded);
    else if (strcmp(c->name, "body") == 0)
        write_values(scratch, "values", c->name);
}

static void run_all(const family *f, int n, double *size, cost *costs)
{
    *size = write_family(f, n);
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!is_run(&commands[i], f))
            continue;
        costs[i] = run(&commands[i]);
        if (costs[i].status == 0)
            write_made(&commands[i], f, n);
    }
}

/* ---- comparing */

static double slope(cost_kind kind, double size, double smaller_cost, double larger_size, double larger_cost)
{
    const double floor = cost_rows[kind].floor;
    return (log(fmax(larger_cost, floor)) - log(fmax(smaller_cost, floor))) / (log(larger_size) - log(size));
}

/* From the first size to the last one: with the one between, small costs would be told from small costs. */
static bool is_steep(const command *c, const family *f, cost_kind kind, const double *sizes, const cost *const *costs)
{
    const bool nested = f->n < MOST_NESTED && (kind == TIME || (c->needs & PATHS) != 0);
    const double most = nested ? steepest_of_nested : steepest;
    return slope(kind, sizes[0], costs[0]->of[kind], sizes[SIZES - 1], costs[SIZES - 1]->of[kind]) > most;
}

static void show(const family *f, const command *c, cost_kind kind, const cost *const *costs)
{
    (shows_all ? print_message : print_error)("%s, %s: %g, %g and %g %s\n", f->name, c->name, costs[0]->of[kind],
                                              costs[1]->of[kind], costs[2]->of[kind], cost_rows[kind].unit);
}

/* The status that is expected of a command. `pktc diff` has others for a new release: see its help. */
static bool is_expected(const command *c, const family *f, int status)
{
    if (f->refused && strcmp(f->refused, c->name) == 0)
        return status == 1;
    if (c->needs & BEFORE)
        return status == 0 || (status >= 3 && status <= 5);
    return status == (c->parses_only ? 0 : f->status);
}

static bool is_proportional(const command *c, const family *f, const double *sizes, const cost *const *costs)
{
    bool good = true;
    for (int i = 0; i < SIZES && good; i++)
        if (!is_expected(c, f, costs[i]->status)) {
            print_error("%s, %s: status %d at %d\n", f->name, c->name, costs[i]->status, f->n << i);
            good = false;
        }
    for (cost_kind kind = 0; kind < COSTS; kind++) {
        const bool steep = is_steep(c, f, kind, sizes, costs);
        if (steep || shows_all)
            show(f, c, kind, costs);
        good = good && !steep;
    }
    return good;
}

static bool seems_slow(const family *f, const double *sizes, cost (*costs)[COMMANDS], size_t number)
{
    const cost *of[SIZES] = {&costs[0][number], &costs[1][number], &costs[2][number]};
    return is_steep(&commands[number], f, TIME, sizes, of);
}

/* Runs a family at the first and the last size again, if a command seems slow, and takes the least times. */
static void run_again(const family *f, const double *sizes, cost (*costs)[COMMANDS])
{
    bool slow = false;
    for (size_t i = 0; i < COMMANDS && !slow; i++)
        slow = is_run(&commands[i], f) && seems_slow(f, sizes, costs, i);
    for (int at = 0; slow && at < SIZES; at += SIZES - 1) {
        static cost again[COMMANDS];
        double size;
        run_all(f, f->n << at, &size, again);
        for (size_t i = 0; i < COMMANDS; i++)
            costs[at][i].of[TIME] = fmin(costs[at][i].of[TIME], again[i].of[TIME]);
    }
}

static void test_family(void **state)
{
    const family *f = *state;
    static cost costs[SIZES][COMMANDS];
    double sizes[SIZES];
    bool good = true;
    for (int i = 0; i < SIZES; i++)
        run_all(f, f->n << i, &sizes[i], costs[i]);
    for (int i = 1; i < TRIES; i++)
        run_again(f, sizes, costs);
    for (size_t i = 0; i < COMMANDS; i++) {
        const cost *of[SIZES] = {&costs[0][i], &costs[1][i], &costs[2][i]};
        if (is_run(&commands[i], f))
            good &= is_proportional(&commands[i], f, sizes, of);
    }
    assert_true(good);
}

int main(int argc, char **argv)
{
    struct CMUnitTest *tests = calloc(family_count, sizeof *tests);
    size_t count = 0;
    scratch = text_format("%s/scale", setting("SCRATCH"));
    shows_all = argc > 1;
    part = getenv("PART");
    for (size_t i = 0; tests && i < family_count; i++)
        if (argc == 1 || strcmp(argv[1], families[i].name) == 0)
            tests[count++] = (struct CMUnitTest){
                .name = families[i].name, .test_func = test_family, .initial_state = (void *)(uintptr_t)&families[i]};
    const int failed = _cmocka_run_group_tests("scale", tests, count, NULL, NULL);
    free(scratch);
    free(tests);
    return failed != 0;
}
