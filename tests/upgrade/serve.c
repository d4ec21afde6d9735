/* serve.c - packets for an older version by generated code, compared with what upgrade_cases expects.
 * SPDX-License-Identifier: MIT
 *
 * usage: serve CASES [LEAST]     with what upgrade_cases wrote, and generated code, in the include path
 *
 * It fails if there are fewer packets than LEAST, which is 1,000 if it is not given.
 *
 * What T_pack_for writes, T_unpack_for must read, and the same with deltas.
 */
#include "fuzz/refs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, SEED = 77, BACK = 3, GAP = 2 };

typedef struct served {
    bool good;
    size_t size, delta_size;
    const char *wrong; /* or NULL */
} served;

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

typedef struct packet {
    const char *name;
    served (*play)(uint32_t version, bytes now, bytes base, uint8_t *to, uint8_t *delta);
} packet;

#include "readers.h"

#define LIST(...) __VA_ARGS__

/* ending: of functions that take an error. seed, refs_argument: lists in parentheses, of the arguments that some packets have. */
#define PLAY(T, unpack, ending, seed, refs_argument, more)                                                        \
    static served T##_play(uint32_t version, bytes now, bytes base, uint8_t *to, uint8_t *delta)                  \
    {                                                                                                             \
        static T v, w;                                                                                            \
        served s = {0};                                                                                           \
        pkt_error error;                                                                                          \
        pkt_refs refs = refs_of_ids();                                                                            \
        (void)refs;                                                                                               \
        (void)base;                                                                                               \
        (void)delta;                                                                                              \
        memset(&v, 0xa5, sizeof v);                                                                               \
        memset(&w, 0xa5, sizeof w);                                                                               \
        if (!unpack(&v, now))                                                                                     \
            return s;                                                                                             \
        s.good = true;                                                                                            \
        s.size = T##_pack_for##ending(version, &v, LIST seed to, MOST_BYTES LIST refs_argument, &error);          \
        if (s.size != 0 && !T##_unpack_for##ending(version, &w, LIST seed to, s.size LIST refs_argument, &error)) \
            s.wrong = "what was written cannot be read";                                                          \
        more return s;                                                                                            \
    }

/* before: the arguments of a moved baseline after `base`. */
#define DELTAS(T, unpack, ending, before, refs_argument)                                                          \
    {                                                                                                             \
        static T##_served was, is, read;                                                                          \
        if (base.size != 0 && unpack(&w, base) && T##_serve(&was, version, &w, &error) &&                         \
            T##_serve(&is, version, &v, &error)) {                                                                \
            s.delta_size =                                                                                        \
                T##_pack_delta_for##ending(&was, LIST before & is, delta, MOST_BYTES LIST refs_argument, &error); \
            if (s.delta_size != 0 && (!T##_unpack_delta_for##ending(version, &was, LIST before & read, delta,     \
                                                                    s.delta_size LIST refs_argument, &error) ||   \
                                      !T##_of_served(&w, &read, &error)))                                         \
                s.wrong = "the delta that was written cannot be read";                                            \
        }                                                                                                         \
    }

#define UNPACK(T)                             \
    static bool T##_take(T *v, bytes b)       \
    {                                         \
        return T##_unpack(v, b.data, b.size); \
    }
#define UNPACK_REFS(T)                                          \
    static bool T##_take(T *v, bytes b)                         \
    {                                                           \
        pkt_refs refs = refs_of_ids();                          \
        return T##_unpack_refs(v, b.data, b.size, &refs, NULL); \
    }
#define UNPACK_SEEDED(T)                            \
    static bool T##_take(T *v, bytes b)             \
    {                                               \
        return T##_unpack(v, SEED, b.data, b.size); \
    }
#define UNPACK_SEEDED_REFS(T)                                         \
    static bool T##_take(T *v, bytes b)                               \
    {                                                                 \
        pkt_refs refs = refs_of_ids();                                \
        return T##_unpack_refs(v, SEED, b.data, b.size, &refs, NULL); \
    }

#define PACKET(T) UNPACK(T) PLAY(T, T##_take, _error, (), (), )
#define PACKET_REFS(T) UNPACK_REFS(T) PLAY(T, T##_take, _refs, (), (, &refs), )
#define SEEDED(T) UNPACK_SEEDED(T) PLAY(T, T##_take, _error, (SEED, ), (), )
#define SEEDED_REFS(T) UNPACK_SEEDED_REFS(T) PLAY(T, T##_take, _refs, (SEED, ), (, &refs), )
#define DELTA(T) UNPACK(T) PLAY(T, T##_take, _error, (), (), DELTAS(T, T##_take, _error, (), ()))
#define DELTA_REFS(T) UNPACK_REFS(T) PLAY(T, T##_take, _refs, (), (, &refs), DELTAS(T, T##_take, _refs, (), (, &refs)))
#define MOVED (&was, BACK, GAP, )
#define PREDICTED(T) UNPACK(T) PLAY(T, T##_take, _error, (), (), DELTAS(T, T##_take, _error, MOVED, ()))
#define PREDICTED_REFS(T) \
    UNPACK_REFS(T) PLAY(T, T##_take, _refs, (), (, &refs), DELTAS(T, T##_take, _refs, MOVED, (, &refs)))
#include "packets.h"
#undef PACKET
#undef PACKET_REFS
#undef SEEDED
#undef SEEDED_REFS
#undef DELTA
#undef DELTA_REFS
#undef PREDICTED
#undef PREDICTED_REFS

static const packet packets[] = {
#define PACKET(T) {#T, T##_play},
#define PACKET_REFS(T) PACKET(T)
#define SEEDED(T) PACKET(T)
#define SEEDED_REFS(T) PACKET(T)
#define DELTA(T) PACKET(T)
#define DELTA_REFS(T) PACKET(T)
#define PREDICTED(T) PACKET(T)
#define PREDICTED_REFS(T) PACKET(T)
#include "packets.h"
};

static const packet *packet_called(const char *name)
{
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++)
        if (strcmp(packets[i].name, name) == 0)
            return &packets[i];
    fprintf(stderr, "no packet %s\n", name);
    exit(2);
}

/* In memory of exactly its size, so that a sanitizer sees a read past its end. */
static bytes bytes_of(const char *hex)
{
    const size_t size = hex[0] == '-' ? 0 : strlen(hex) / 2;
    bytes b = {malloc(size != 0 ? size : 1), size};
    unsigned byte;
    for (size_t i = 0; i < size && sscanf(hex + 2 * i, "%2x", &byte) == 1; i++)
        b.data[i] = (uint8_t)byte;
    return b;
}

static unsigned long failures, deltas;

static void check(bool good, const char *line, const char *what)
{
    if (!good && failures++ < 20)
        fprintf(stderr, "%s:\n%.400s\n", what, line);
}

static bool same(bytes expected, const uint8_t *data, size_t size)
{
    return expected.size == size && memcmp(expected.data, data, size) == 0;
}

static void play(const char *line)
{
    static uint8_t to[MOST_BYTES], delta[MOST_BYTES];
    static char name[100], text[4][2 * MOST_BYTES];
    unsigned version;
    if (sscanf(line, "%99s %u %s %s %s %s", name, &version, text[0], text[1], text[2], text[3]) != 6)
        exit(2);
    bytes now = bytes_of(text[0]), then = bytes_of(text[1]), base = bytes_of(text[2]), changed = bytes_of(text[3]);
    served s = packet_called(name)->play(version, now, base, to, delta);
    check(s.good, line, "cannot be read");
    check(same(then, to, s.size), line, "another packet");
    check(same(changed, delta, s.delta_size), line, "another delta");
    check(!s.wrong, line, s.wrong);
    deltas += s.delta_size != 0;
    free(now.data);
    free(then.data);
    free(base.data);
    free(changed.data);
}

int main(int argc, char **argv)
{
    static char line[8 * MOST_BYTES];
    unsigned long count = 0;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 2;
    for (; fgets(line, sizeof line, file); count++)
        play(line);
    fclose(file);
    printf("%lu packets, %lu with a delta\n", count, deltas);
    check(count > (argc > 2 ? strtoul(argv[2], NULL, 10) : 1000), "", "too few");
    printf(failures == 0 ? "[  PASSED  ] %lu test(s).\n" : "[  FAILED  ] %lu test(s)\n",
           failures == 0 ? count : failures);
    return failures != 0;
}
