/* bench.c - measures generated code and other libraries, in turns within one process, as medians.
 * SPDX-License-Identifier: MIT
 *
 * usage: bench gcc|clang|none [MESSAGE]      compares the ratios with the goals for that compiler
 *        bench instructions [MESSAGE]        runs all contenders on a few values, without a clock, for callgrind
 *
 * A message has 65,536 values that all differ, because branch predictors learn a few thousand by heart. If a value is
 * larger than 256 bytes, it has as many as fit into 2 MB: with more, memory would limit the speed. Before measuring,
 * each contender reads what it wrote for every value, without extra bytes after the data unless it needs them. The
 * result must be the value, writing it again must give the same bytes, and truncated data must be refused.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INSTANCES = 65536, LARGE = 256, MEMORY = 2 << 20, COUNTED = 500, LINE = 64, CONTENDERS = 9, NAMED = 5 };
enum { ARTICLE, BODY, STREAMS, FRAMED, MEMCPY };

typedef struct result {
    const char *name;
    double bytes, write, read;
} result;

volatile uint64_t bench_sink;

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* not wall time: other processes do not count */
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *times)
{
    qsort(times, BENCH_ROUNDS, sizeof *times, by_size);
    return times[BENCH_ROUNDS / 2];
}

void bench_demand(bool holds, const char *message, const char *contender, const char *what, size_t instance)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %s: instance %zu: %s\n", message, contender, instance, what);
    exit(1);
}

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);
    bench_demand(p != NULL, "bench", "memory", "there is none left", 0);
    return p;
}

/* Like allocate, at the start of a cache line, because a value on two pages is slower. */
static void *allocate_line(size_t size)
{
    const size_t lines = (size + LINE - 1) / LINE * LINE;
    void *p = aligned_alloc(LINE, lines);
    bench_demand(p != NULL, "bench", "memory", "there is none left", 0);
    return memset(p, 0, lines);
}

static uint8_t buffer[BENCH_BUFFER + BENCH_SLACK];

/* The values in the form that contender c takes, and the bytes that it writes for them. */
static bench_set make_set(const bench_message *m, const bench_contender *c, size_t count, const void *bases,
                          void *values)
{
    bench_set set;
    size_t size = c->own_size ? c->own_size : m->size, room = 0, total = 0;
    set.count = count;
    set.bases = bases;
    set.values = values;
    if (c->own_size) {
        char *own = allocate(count, size);
        for (size_t i = 0; i < count; i++)
            c->convert(own + i * size, (const char *)values + i * m->size);
        set.values = own;
    }
    set.out = allocate_line(size);
    set.buffer = buffer;
    set.packed = NULL;
    set.offsets = allocate(count, sizeof *set.offsets);
    set.sizes = allocate(count, sizeof *set.sizes);
    for (size_t i = 0; i < count; i++) {
        const char *value = (const char *)set.values + i * size;
        size_t bytes = c->write((const char *)bases + i * m->size, value, buffer);
        bench_demand(bytes != 0, m->name, c->name, "does not write", i);
        if (total + bytes + BENCH_SLACK > room) {
            room = 2 * (total + bytes + BENCH_SLACK);
            set.packed = realloc(set.packed, room);
            bench_demand(set.packed != NULL, "bench", "memory", "there is none left", i);
        }
        memcpy(set.packed + total, buffer, bytes);
        set.offsets[i] = (uint32_t)total;
        set.sizes[i] = (uint32_t)bytes;
        total += (bytes + 7) / 8 * 8;
    }
    return set;
}

static void free_set(bench_set *set, const void *values)
{
    if (set->values != values)
        free((void *)set->values);
    free(set->out);
    free(set->packed);
    free(set->offsets);
    free(set->sizes);
}

/* reference: the set of the article's code. */
static void check(const bench_message *m, const bench_contender *c, const bench_set *set, const bench_set *reference)
{
    size_t size = c->own_size ? c->own_size : m->size;
    for (size_t i = 0; i < set->count; i++) {
        const char *base = (const char *)set->bases + i * m->size, *value = (const char *)set->values + i * size;
        size_t bytes = set->sizes[i];
        uint8_t *exact = allocate(1, bytes + (c->traits & BENCH_NEEDS_SLACK ? BENCH_SLACK : 0));
        memcpy(exact, set->packed + set->offsets[i], bytes);
        if (c->traits & BENCH_SAME_BYTES)
            bench_demand(bytes == reference->sizes[i] &&
                             memcmp(exact, reference->packed + reference->offsets[i], bytes) == 0,
                         m->name, c->name, "has other bytes than the article", i);
        bench_demand(c->read(base, set->out, exact, bytes), m->name, c->name, "does not read", i);
        bench_demand(c->same ? c->same(set->out, value) : m->equal(set->out, value), m->name, c->name,
                     "reads other values", i);
        if (!c->own_size)
            bench_demand(c->write(base, set->out, buffer) == bytes && memcmp(buffer, exact, bytes) == 0, m->name,
                         c->name, "does not write back the same", i);
        if (c->traits & BENCH_REFUSES_CUT && bytes > 1)
            bench_demand(!c->read(base, set->out, exact, bytes - 1), m->name, c->name, "reads what is cut short", i);
        free(exact);
    }
}

static result measure(const bench_contender *c, const bench_set *set, double *write, double *read)
{
    result r = {c->name, 0, bench_median(write) / (double)set->count, bench_median(read) / (double)set->count};
    for (size_t i = 0; i < set->count; i++)
        r.bytes += set->sizes[i];
    r.bytes /= (double)set->count;
    return r;
}

/* Stores a result for each contender, in their order. Returns their number. */
static size_t run(const bench_message *m, size_t most, bool timed, result results[CONTENDERS])
{
    const bench_contender *contenders[CONTENDERS];
    bench_set sets[CONTENDERS];
    static double write[CONTENDERS][BENCH_ROUNDS], read[CONTENDERS][BENCH_ROUNDS];
    size_t count = m->size > LARGE ? MEMORY / m->size : INSTANCES, n = 0;
    char *bases, *values;
    if (count > most)
        count = most;
    bases = allocate(count, m->size);
    values = allocate(count, m->size);
    for (size_t i = 0; i < count; i++)
        m->fill(bases + i * m->size, values + i * m->size, i);
    while (n < NAMED) {
        contenders[n] = m->contenders[n];
        n++;
    }
    for (const bench_peer *peer = bench_peers; peer->message; peer++)
        if (strcmp(peer->message, m->name) == 0 && n < CONTENDERS)
            contenders[n++] = peer->contender;
    for (size_t k = 0; k < n; k++) {
        sets[k] = make_set(m, contenders[k], count, bases, values);
        if (timed)
            check(m, contenders[k], &sets[k], &sets[ARTICLE]);
    }
    /* Round -1 is a warm-up. */
    for (int round = -1; round < (timed ? BENCH_ROUNDS : 0); round++) {
        for (size_t k = 0; k < n; k++) {
            double start = bench_now();
            bench_sink += contenders[k]->write_all(&sets[k]);
            if (round >= 0)
                write[k][round] = bench_now() - start;
        }
        for (size_t k = 0; k < n; k++) {
            double start = bench_now();
            bench_sink += contenders[k]->read_all(&sets[k]);
            if (round >= 0)
                read[k][round] = bench_now() - start;
        }
    }
    for (size_t k = 0; k < n; k++) {
        results[k] = measure(contenders[k], &sets[k], write[k], read[k]);
        free_set(&sets[k], values);
    }
    free(bases);
    free(values);
    return n;
}

/* Prints the time, its ratio to the article's, and the goal if it is missed. Returns 1 if it is. */
static unsigned print_ratio(double article, double time, double wanted)
{
    double ratio = article / time;
    printf(" %7.1f %5.2f", time, ratio);
    if (ratio >= wanted) {
        printf("        ");
        return 0;
    }
    printf(" (<%4.2f)", wanted);
    return 1;
}

static void print_others(const char *message, const result *results, size_t n)
{
    for (size_t k = BODY; k < n; k++) {
        if (k == MEMCPY)
            continue;
        printf("%-12s %-12s %8.1f %8.1f %8.1f %8.2f %8.2f %8.2f\n", message, results[k].name, results[k].bytes,
               results[k].write, results[k].read, results[k].bytes / results[BODY].bytes,
               results[k].write / results[BODY].write, results[k].read / results[BODY].read);
    }
}

int main(int argc, char **argv)
{
    enum { MESSAGES = 32 };
    static result results[MESSAGES][CONTENDERS];
    size_t counts[MESSAGES] = {0};
    const char *mode = argc > 1 ? argv[1] : "", *only = argc > 2 ? argv[2] : NULL;
    bool timed = strcmp(mode, "instructions") != 0;
    int compiler = strcmp(mode, "gcc") == 0 ? 0 : strcmp(mode, "clang") == 0 ? 1 : -1;
    unsigned missed = 0;
    if (timed && compiler < 0 && strcmp(mode, "none") != 0) {
        fprintf(stderr, "usage: bench gcc|clang|none|instructions [MESSAGE]\n");
        return 2;
    }
    if (timed) {
        printf("nanoseconds a message; ratio: the article's time / generated code's\n"
               "%-12s %7s | %7s %7s %5s         %7s %7s %7s | %7s %7s %5s         %7s %7s %7s\n",
               "message", "bytes", "write:", "body", "ratio", "streams", "framed", "memcpy", "read:", "body", "ratio",
               "streams", "framed", "memcpy");
    }
    for (size_t i = 0; bench_messages[i].name && i < MESSAGES; i++) {
        const bench_message *m = &bench_messages[i];
        result *r = results[i];
        if (only && strcmp(only, m->name) != 0)
            continue;
        counts[i] = run(m, timed ? INSTANCES : COUNTED, timed, r);
        if (!timed) {
            printf("%s %zu\n", m->name, m->size > LARGE && MEMORY / m->size < COUNTED ? MEMORY / m->size : COUNTED);
            continue;
        }
        printf("%-12s %7.1f | %7.1f", m->name, r[BODY].bytes, r[ARTICLE].write);
        missed += print_ratio(r[ARTICLE].write, r[BODY].write, compiler < 0 ? 0 : m->wanted[compiler].write);
        printf(" %7.1f %7.1f %7.1f | %7.1f", r[STREAMS].write, r[FRAMED].write, r[MEMCPY].write, r[ARTICLE].read);
        missed += print_ratio(r[ARTICLE].read, r[BODY].read, compiler < 0 ? 0 : m->wanted[compiler].read);
        printf(" %7.1f %7.1f %7.1f\n", r[STREAMS].read, r[FRAMED].read, r[MEMCPY].read);
        fflush(stdout);
    }
    if (!timed || only)
        return 0;
    if (compiler >= 0)
        printf("%u ratios below what is wanted\n", missed);
    if (bench_peers[0].message)
        printf(
            "\nothers, whose quantized floats are floats; how many times generated code's bytes and times theirs are\n"
            "%-12s %-12s %8s %8s %8s %8s %8s %8s\n",
            "message", "", "bytes", "write", "read", "bytes", "write", "read");
    for (size_t i = 0; bench_messages[i].name && i < MESSAGES; i++)
        if (counts[i] > NAMED)
            print_others(bench_messages[i].name, results[i], counts[i]);
    printf("\n");
    bench_crc();
    return 0;
}
