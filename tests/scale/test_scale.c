/* test_scale.c - the output, the memory and the time of pktc grow in proportion to its input, whatever that is.
 * SPDX-License-Identifier: MIT
 *
 * Each family of schemas (families.c) goes through all commands at two sizes, one twice the other. Twice the input may make
 * about twice the output and take about twice the memory. Time is noisy, so its limit is far from what these schemas take; only
 * what is exponential, or the square of thousands, reaches it.
 *
 * usage: test_scale [FAMILY]
 */
#define _DEFAULT_SOURCE /* wait4 */

#include "families.h"
#include "process.h"

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
    SECONDS = 5,         /* that a command may compute */
    MEMORY = 1000 << 20, /* that it may ask for, in bytes */
    KILOBYTES = 6000,    /* memory that may come on top: an arena grows by pieces of up to 4 MB */
    BYTES = 1000,        /* output that may */
    MOST_PARTS = 5,
    MOST_NESTED = 100 /* a family of a smaller size has types in types, or braces in braces */
};

/* By this factor more than the input: numbers get longer too. */
static const double allowed = 1.2;

typedef struct command {
    const char *name; /* and that of the file for what it prints */
    const char *arguments[MOST_PARTS];
    const char *in;   /* the file that it reads; or NULL */
    bool makes_files; /* in the directory "made" */
    bool value;       /* it needs a value */
    bool parses_only; /* it finds no mistakes but those of syntax */
    bool paths;       /* it prints the whole path of each item, which is long where types are in each other */
} command;

static const command commands[] = {
    {"compile", {"--no-runtime", "--reflect", "-omade", "p.pkt"}, .makes_files = true},
    {"check", {"--no-runtime", "--reflect", "--check", "-omade", "p.pkt"}},
    {"format", {"fmt", "-"}, .in = "p.pkt", .parses_only = true},
    {"layout", {"layout", "p.pkt"}},
    {"page", {"layout", "--html=/dev/stdout", "p.pkt"}},
    {"tree", {"--dump=ast", "p.pkt"}, .parses_only = true},
    {"schema", {"--dump=schema", "p.pkt"}},
    {"wire", {"--dump=wire", "p.pkt"}},
    {"projection", {"--projection", "p.pkt"}},
    {"dissector", {"wireshark", "p.pkt"}},
    {"same", {"diff", "p.pkt", "p.pkt"}},
    {"versions", {"diff", "--json", "p.pkt", "p.pkt"}},
    {"encode", {"encode", "p.pkt", "P"}, .in = "p.json", .value = true},
    {"decode", {"decode", "p.pkt", "P"}, .in = "encode", .value = true},
    {"items", {"decode", "--bits", "p.pkt", "P"}, .in = "encode", .value = true, .paths = true},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* What a command made and took. */
typedef struct cost {
    int status; /* of exit; 128 and more: ended by a signal */
    double bytes, kilobytes;
} cost;

static char *scratch;

/* ---- a family at one size */

static char *path_of(const char *name)
{
    return text_format("%s/%s", scratch, name);
}

static FILE *create(const char *name)
{
    char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    free(path);
    return file;
}

static double close_sized(FILE *file)
{
    const double size = (double)ftell(file);
    assert_int_equal(fclose(file), 0);
    return size;
}

/* Writes the files of a family, and returns the bytes of its schema. */
static double write_family(const family *f, int n)
{
    process_result made = process_run("rm -rf '%s' && mkdir -p '%s'", scratch, scratch);
    assert_int_equal(made.status, 0);
    process_free(&made);
    FILE *to = create("p.pkt");
    (void)fputs("protocol p = 1;\n", to);
    growing_print(to, &f->schema, n);
    double size = close_sized(to);
    for (int i = 0; f->import && i <= n; i++) {
        char *name = text_format("f%d.pkt", i);
        to = create(name);
        numbered_print(to, i == 0 ? "struct S# { u8 v; }\n" : f->import, i);
        size += close_sized(to);
        free(name);
    }
    to = create("p.json");
    growing_print(to, &f->value, n);
    (void)close_sized(to);
    return size;
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

static double bytes_made(const command *c)
{
    char *path = path_of(c->name), *directory = path_of("made");
    double bytes = bytes_of_file(path);
    size_t count;
    char **list = directory_list(directory, "", &count);
    for (size_t i = 0; i < count && c->makes_files; i++) {
        char *made = text_format("%s/%s", directory, list[i]);
        bytes += bytes_of_file(made);
        free(made);
    }
    directory_list_free(list);
    free(directory);
    free(path);
    return bytes;
}

static cost run(const command *c)
{
    struct rusage used;
    int status;
    const pid_t child = fork();
    if (child == 0)
        run_in_child(c);
    assert_int_equal(wait4(child, &status, 0, &used), child);
    return (cost){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                  .bytes = bytes_made(c),
                  .kilobytes = (double)used.ru_maxrss};
}

/* ---- comparing */

static bool is_run(const command *c, const family *f)
{
    if (c->paths && f->n < MOST_NESTED)
        return false;
    return !c->value || f->value.head;
}

static void run_all(const family *f, int n, double *size, cost *costs)
{
    *size = write_family(f, n);
    for (size_t i = 0; i < COMMANDS; i++)
        if (is_run(&commands[i], f))
            costs[i] = run(&commands[i]);
}

static bool is_proportional(const command *c, const family *f, double growth, const cost *once, const cost *twice)
{
    const int expected = c->parses_only ? 0 : f->status;
    if (once->status != expected || twice->status != expected)
        print_error("%s, %s: status %d and %d\n", f->name, c->name, once->status, twice->status);
    else if (twice->bytes > allowed * growth * once->bytes + BYTES)
        print_error("%s, %s: %.0f and %.0f bytes\n", f->name, c->name, once->bytes, twice->bytes);
    else if (twice->kilobytes > allowed * growth * once->kilobytes + KILOBYTES)
        print_error("%s, %s: %.0f and %.0f KB of memory\n", f->name, c->name, once->kilobytes, twice->kilobytes);
    else
        return true;
    return false;
}

static void test_family(void **state)
{
    const family *f = *state;
    cost once[COMMANDS], twice[COMMANDS];
    double size, double_size;
    bool good = true;
    run_all(f, f->n, &size, once);
    run_all(f, 2 * f->n, &double_size, twice);
    for (size_t i = 0; i < COMMANDS; i++)
        if (is_run(&commands[i], f))
            good &= is_proportional(&commands[i], f, double_size / size, &once[i], &twice[i]);
    assert_true(good);
}

int main(int argc, char **argv)
{
    struct CMUnitTest *tests = calloc(family_count, sizeof *tests);
    size_t count = 0;
    scratch = text_format("%s/scale", setting("SCRATCH"));
    for (size_t i = 0; tests && i < family_count; i++)
        if (argc == 1 || strcmp(argv[1], families[i].name) == 0)
            tests[count++] = (struct CMUnitTest){
                .name = families[i].name, .test_func = test_family, .initial_state = (void *)(uintptr_t)&families[i]};
    const int failed = _cmocka_run_group_tests("scale", tests, count, NULL, NULL);
    free(scratch);
    free(tests);
    return failed != 0;
}
