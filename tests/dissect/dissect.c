/* dissect.c - tests `pktc wireshark`: what tshark shows of datagrams against what the codec reads.
 * SPDX-License-Identifier: MIT
 *
 *     dissect [--seed N] [--schemas N] [--cases N] DIRECTORY [FILE...]
 *
 * A FILE is a schema, or has vectors; or files with + between them are the releases of a protocol. Besides, there are random
 * schemas, each with random next releases. Each type has random values, as packets, in frames and
 * as deltas, and variants of their bytes. All datagrams are in one capture in DIRECTORY, beside the dissectors, because
 * tshark takes longer to start than to dissect thousands of them. What is compared: every value, the bits of every item,
 * the names, and the text of a refusal. Of a delta, these are the bits and names up to where the dissector cannot know more.
 * A second run asks for no trees: the lines of all datagrams have to say the same of what is refused.
 */
#include "dissect_test.h"
#include "../fuzz/schemas.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FAILURES = 8, MOST_RELEASES = 16 };

static void put_bytes(FILE *to, uint32_t number, unsigned count, bool big_endian)
{
    for (unsigned i = 0; i < count; i++)
        putc((int)(number >> 8 * (big_endian ? count - 1 - i : i) & 0xff), to);
}

static FILE *create(const char *file_name)
{
    FILE *file = fopen(file_name, "wb");
    if (!file) {
        perror(file_name);
        exit(2);
    }
    return file;
}

/* Raw IPv4 with UDP, without checksums. */
static void write_capture(const test *t, const char *file_name)
{
    enum { IP = 20, UDP = 8, RAW_IP = 101 };
    FILE *to = create(file_name);
    put_bytes(to, 0xa1b2c3d4, 4, false);
    put_bytes(to, 2, 2, false);
    put_bytes(to, 4, 2, false);
    put_bytes(to, 0, 4, false);
    put_bytes(to, 0, 4, false);
    put_bytes(to, 262144, 4, false);
    put_bytes(to, RAW_IP, 4, false);
    for (const datagram *d = t->datagrams; d; d = d->next) {
        const uint32_t size = (uint32_t)d->size;
        put_bytes(to, 0, 4, false);
        put_bytes(to, 0, 4, false);
        put_bytes(to, IP + UDP + size, 4, false);
        put_bytes(to, IP + UDP + size, 4, false);
        put_bytes(to, 0x4500, 2, true);
        put_bytes(to, IP + UDP + size, 2, true);
        put_bytes(to, 0, 4, true);
        put_bytes(to, 0x40110000, 4, true);
        put_bytes(to, 0x0a000001, 4, true);
        put_bytes(to, 0x0a000002, 4, true);
        put_bytes(to, 1000, 2, true);
        put_bytes(to, d->by->port, 2, true);
        put_bytes(to, UDP + size, 2, true);
        put_bytes(to, 0, 2, true);
        fwrite(d->bytes, 1, size, to);
    }
    fclose(to);
}

/* Starts tshark with all dissectors; options say what it prints. */
static FILE *start_tshark(const test *t, const char *directory, const char *options)
{
    /* No preferences and plugins of the user, and no names of hosts. */
    const char *command =
        arena_printf(t->arena, "HOME='%s' WIRESHARK_CONFIG_DIR='%s' tshark -n -r '%s/all.pcap' %s 2>'%s/errors'",
                     directory, directory, directory, options, directory);
    for (const dissector *d = t->dissectors; d; d = d->next)
        command = arena_printf(t->arena, "%s -X 'lua_script:%s/%s'", command, directory, d->file);
    return popen(command, "r");
}

static void write_dissectors(const test *t, const char *directory)
{
    for (const dissector *d = t->dissectors; d; d = d->next) {
        size_t size;
        const char *text = dissect(t->arena, d->schema, &d->how, &size);
        FILE *to = create(arena_printf(t->arena, "%s/%s", directory, d->file));
        fwrite(text, 1, size, to);
        fclose(to);
    }
}

static void print_failure(const datagram *d, const tree *seen, const char *problem)
{
    printf("%s, protocol %s: %s\n    bytes ", d->what, d->by->schema->protocol, problem);
    for (size_t i = 0; i < d->size; i++)
        printf("%02x", d->bytes[i]);
    printf("\n");
    for (size_t i = 0; i < seen->count && i < 400; i++)
        printf("    %s: %s [%" PRIu64 " + %" PRIu64 "]\n", seen->items[i].name, seen->items[i].text, seen->items[i].bit,
               seen->items[i].bits);
}

/* The number of datagrams of which tshark shows something else than the codec reads. */
static unsigned compare(test *t, FILE *pdml)
{
    unsigned failures = 0, refused = 0, unknown = 0, releases = 0, count = 0;
    for (datagram *d = t->datagrams; d; d = d->next) {
        arena *a = arena_new();
        tree seen;
        if (!read_tree(a, pdml, d->decl ? d->decl->name : d->options.frame ? d->options.frame : "", &seen)) {
            printf("%s: tshark stopped\n", d->what);
            return failures + 1;
        }
        const char *problem = release_problem(t, d, &seen);
        problem = problem ? problem : tree_problem(a, d, &seen);
        if (problem && failures++ < MOST_FAILURES)
            print_failure(d, &seen, problem);
        d->told = seen.refused ? arena_printf(t->arena, "%s", seen.refused) : NULL;
        d->may_say_more = seen.unknown != NULL;
        count++;
        releases += d->by->shown_as != NULL;
        refused += seen.refused != NULL;
        unknown += seen.unknown != NULL;
        arena_free(a);
    }
    printf("%u datagrams, %u of releases: %u refused, %u deltas that need their baseline; %" PRIu64 " values, %" PRIu64
           " differences and %" PRIu64 " other items\n",
           count, releases, refused, unknown, sent_compared.values, sent_compared.differences, sent_compared.others);
    return failures;
}

/* The number of datagrams whose line says something else than their tree. */
static unsigned compare_lines(test *t, FILE *lines)
{
    static char *room;
    static size_t size;
    unsigned failures = 0;
    for (const datagram *d = t->datagrams; d; d = d->next) {
        const ssize_t length = getline(&room, &size, lines);
        if (length <= 0) {
            printf("%s: tshark stopped\n", d->what);
            return failures + 1;
        }
        room[length - 1] = '\0';
        const char *end = d->told ? arena_printf(t->arena, " [%s]", d->told) : "";
        const size_t end_size = strlen(end);
        const bool good = d->told ? (size_t)length > end_size && strcmp(room + length - 1 - end_size, end) == 0
                                  : d->may_say_more || room[length - 2] != ']';
        if (!good && failures++ < MOST_FAILURES)
            printf("%s, protocol %s: the line says '%s', not '%s'\n", d->what, d->by->schema->protocol, room, end);
    }
    return failures;
}

/* Somebody looks at each datagram when it is read first, or only when it is read again, or never. What nobody looks at is
 * read in another way, and later values are deltas to it. */
static const struct {
    const char *options;
    unsigned (*compare)(test *, FILE *);
} ways[] = {
    {"-T pdml", compare},
    {"-2 -T pdml", compare},
    {"-2 -T fields -e _ws.col.Info", compare_lines},
    {"-o 'gui.column.format:\"Info\",\"%i\"'", compare_lines},
};

static bool is_schema(const char *file_name)
{
    const char *end = strrchr(file_name, '.');
    return end && strcmp(end, ".pkt") == 0;
}

static void add_release_files(test *t, const char *file_names, uint64_t seed, uint32_t cases)
{
    const source *texts[MOST_RELEASES];
    uint32_t count = 0;
    for (const char *at = file_names; *at && count < MOST_RELEASES; at += *at == '+') {
        const size_t size = strcspn(at, "+");
        const char *file_name = arena_text(t->arena, at, size);
        texts[count] = source_read(t->arena, file_name);
        if (!texts[count++]) {
            perror(file_name);
            exit(2);
        }
        at += size;
    }
    add_releases(t, texts, count, seed, cases);
}

static void add_file(test *t, const char *file_name, uint64_t seed, uint32_t cases)
{
    if (strchr(file_name, '+')) {
        add_release_files(t, file_name, seed, cases);
        return;
    }
    const source *text = is_schema(file_name) ? source_read(t->arena, file_name) : NULL;
    if (text && strstr(file_name, "numbered.pkt"))
        add_numbered(t, text, seed);
    else if (text && strstr(file_name, "moving.pkt"))
        add_moving(t, text, seed);
    else if (text)
        add_schema(t, text, seed, cases);
    else
        add_vectors(t, file_name);
}

int main(int argc, char **argv)
{
    test t = {.arena = arena_new()};
    uint64_t seed = (uint64_t)time(NULL);
    uint32_t schemas = 0, cases = 4;
    int i = 1;
    t.last_dissector = &t.dissectors;
    t.last_datagram = &t.datagrams;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        const uint64_t number = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0)
            seed = number;
        else if (strcmp(argv[i], "--schemas") == 0)
            schemas = (uint32_t)number;
        else if (strcmp(argv[i], "--cases") == 0)
            cases = (uint32_t)number;
    }
    if (i >= argc) {
        fputs("usage: dissect [--seed N] [--schemas N] [--cases N] DIRECTORY [FILE...]\n", stderr);
        return 2;
    }
    const char *directory = argv[i++];
    printf("seed %" PRIu64 "\n", seed);
    for (; i < argc; i++)
        add_file(&t, argv[i], seed, cases);
    for (uint32_t n = 0; n < schemas; n++) {
        const char *text = make_schema(t.arena, seed, n, true);
        add_schema(&t, source_from(t.arena, arena_printf(t.arena, "schema %" PRIu32, n), text, strlen(text)), seed + n,
                   cases);
        add_next_releases(&t, text, seed + n, cases);
    }
    write_capture(&t, arena_printf(t.arena, "%s/all.pcap", directory));
    write_dissectors(&t, directory);
    unsigned failures = 0;
    for (size_t way = 0; failures == 0 && way < sizeof ways / sizeof ways[0]; way++) {
        FILE *from = start_tshark(&t, directory, ways[way].options);
        failures += from ? ways[way].compare(&t, from) : 1;
        if (from)
            pclose(from);
    }
    printf(failures ? "[  FAILED  ] %u test(s)\n" : "[  PASSED  ] %u test(s).\n",
           failures ? failures : (unsigned)t.datagram_count);
    arena_free(t.arena);
    return failures != 0;
}
