/* recorded.c - compares what tshark shows of a recording with what `pktc decode` makes of it.
 * SPDX-License-Identifier: MIT
 *
 *     tshark -r RECORDING -T pdml -X lua_script:... | recorded decode --stream NAME=LIST... RECORDING
 *
 * The arguments are those of pktc. Compared are every datagram, what it is, each value, the bits of each item, and the text of
 * each refusal. What is none of the recording's protocols, tshark may not show as one.
 */
#include "check/check.h"
#include "recordings/datagrams.h"
#include "dissect_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FAILURES = 8, MOST_STREAMS = 8, MOST_SCHEMAS = 8 };

typedef struct recorded_test {
    arena *arena;
    diag *diag;
    const schema *schemas[MOST_SCHEMAS];
    size_t schema_count;
    const char *streams[MOST_STREAMS];
    size_t stream_count;
    uint64_t packets, values, refused, others; /* that were compared */
    uint64_t failures;
} recorded_test;

static void check_schemas(recorded_test *t, const char *from)
{
    const check_options how = {.checks = true};
    names *all = names_new(t->arena);
    for (const recorded_schema *s = recording_schemas(t->arena, t->diag, from); s && t->schema_count < MOST_SCHEMAS;
         s = s->next) {
        const source *text = source_from(t->arena, from, s->text, s->size);
        t->schemas[t->schema_count] = check(t->arena, all, t->diag, text, &how);
        t->schema_count += t->schemas[t->schema_count] != NULL;
    }
}

/* What is wrong with the tree of a datagram, or NULL. */
static const char *problem_of(recorded_test *t, arena *a, const decoded *found, const stretches *bits, const tree *seen)
{
    const char *protocol = found->schema ? found->schema->protocol : NULL;
    if (!protocol) {
        for (size_t i = 0; i < t->schema_count; i++)
            if (strcmp(seen->protocol, t->schemas[i]->protocol) == 0)
                return arena_printf(a, "is shown as %s", seen->protocol);
        t->others++;
        return NULL;
    }
    if (strcmp(seen->protocol, protocol) != 0)
        return arena_printf(a, "is shown as %s, not as %s", seen->protocol, protocol);
    const expected e = {.schema = found->schema,
                        .refused = found->refused,
                        .bits = bits,
                        .decl = found->refused ? NULL : found->decl,
                        .value = &found->value,
                        .parts = found->parts};
    t->packets += found->decl != NULL;
    for (const codec_part *p = found->parts; p; p = p->next)
        t->values++;
    t->refused += found->refused != NULL;
    return expected_problem(a, &e, seen);
}

/* False if tshark has stopped. */
static bool compare_datagram(recorded_test *t, datagrams *kinds, const recorded *r)
{
    arena *a = arena_new();
    stretches bits = {.arena = a};
    decoded found;
    tree seen;
    datagrams_read(kinds, a, &r->datagram, trace_stretches, &bits, &found);
    const bool good = read_tree(a, stdin, found.name ? found.name : "", &seen);
    const char *problem = good ? problem_of(t, a, &found, &bits, &seen) : "tshark has stopped";
    if (problem && t->failures++ < MOST_FAILURES)
        printf("packet %" PRIu64 ", %s: %s\n", r->index, found.name ? found.name : "unknown", problem);
    arena_free(a);
    return good;
}

static int compare_recording(recorded_test *t, const char *name)
{
    check_schemas(t, name);
    const datagrams_request request = {
        .schemas = t->schemas, .schema_count = t->schema_count, .streams = t->streams, .stream_count = t->stream_count};
    datagrams *kinds = t->schema_count ? datagrams_new(t->arena, t->diag, &request) : NULL;
    recording *from = kinds ? recording_open(t->arena, t->diag, name) : NULL;
    recorded r;
    uint64_t count = 0;
    diag_print(t->diag, DIAG_TEXT, stderr);
    if (!from)
        return 1;
    while (recording_next(from, 0, &r) && compare_datagram(t, kinds, &r))
        count++;
    recording_close(from);
    datagrams_free(kinds);
    printf("%" PRIu64 " datagrams: %" PRIu64 " packets, %" PRIu64 " values in frames or as parts, %" PRIu64
           " refused, %" PRIu64 " of no protocol\n",
           count, t->packets, t->values, t->refused, t->others);
    return t->failures > 0 || t->packets == 0 || t->values == 0;
}

int main(int argc, char **argv)
{
    recorded_test t = {.arena = arena_new()};
    t.diag = diag_new(t.arena);
    int i = 2;
    for (; i + 1 < argc && strcmp(argv[i], "--stream") == 0 && t.stream_count < MOST_STREAMS; i += 2)
        t.streams[t.stream_count++] = argv[i + 1];
    if (argc < 3 || strcmp(argv[1], "decode") != 0 || i + 1 != argc) {
        fputs("usage: recorded decode [--stream NAME=LIST]... RECORDING <PDML\n", stderr);
        return 2;
    }
    const int status = compare_recording(&t, argv[i]);
    arena_free(t.arena);
    return status;
}
