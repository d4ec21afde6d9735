/* play.c - reads packets of older versions by generated code, and compares with what upgrade_cases expects.
 * SPDX-License-Identifier: MIT
 *
 * usage: play CASES     with what upgrade_cases wrote, and generated code, in the include path
 *
 * Then bits of each packet are turned over, or all its bytes are random, and its checksum is made right again, so that
 * the reader has to notice. Whatever T_unpack_any accepts T_pack must be able to write, and the version now must be able
 * to read.
 */
#include "fuzz/lot.h"
#include "fuzz/refs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, VARIANTS = 12, SEED = 77 };

typedef struct answer {
    bool good;
    uint32_t version;
    pkt_error error;
    size_t size; /* of what was written again; 0 if it could not be */
} answer;

typedef struct packet {
    const char *name;
    answer (*play)(const uint8_t *data, size_t size, uint8_t *to);
    /* Makes the checksum right for the version. */
    void (*sign)(uint8_t *data, size_t size, uint32_t version);
} packet;

#include "readers.h"

static void sign(uint8_t *data, size_t size, uint64_t seed, uint32_t version, const pkt_version *versions, size_t count)
{
    uint8_t number[8];
    pkt_store64(number, seed);
    for (size_t i = 0; i < count; i++)
        if (versions[i].number == version)
            pkt_store32(data, pkt_crc32(pkt_crc32(versions[i].crc_start, number, seed != 0 ? sizeof number : 0),
                                        data + 4, size - 4));
}

#define SIGN(T, seed)                                                                                   \
    static void T##_sign(uint8_t *data, size_t size, uint32_t version)                                  \
    {                                                                                                   \
        sign(data, size, seed, version, T##_versions_, sizeof T##_versions_ / sizeof T##_versions_[0]); \
    }

/* What is accepted and written again must also be a packet of the version now. */
#define PLAY(T, seed, version_, unpack, quietly, pack, again)             \
    static answer T##_play(const uint8_t *data, size_t size, uint8_t *to) \
    {                                                                     \
        static T v, w;                                                    \
        answer a = {0};                                                   \
        pkt_refs refs = refs_of_ids();                                    \
        (void)refs;                                                       \
        memset(&v, 0xa5, sizeof v);                                       \
        a.good = unpack;                                                  \
        if (version_ != a.version)                                        \
            exit(1);                                                      \
        if (a.good != (a.error.code == PKT_OK) || (quietly) != a.good)    \
            exit(1);                                                      \
        a.size = a.good ? pack : 0;                                       \
        if (a.size != 0 && !again)                                        \
            a.size = 0;                                                   \
        return a;                                                         \
    }                                                                     \
    SIGN(T, seed)

#define PACKET(T)                                                                                   \
    PLAY(T, 0, T##_version(data, size), T##_unpack_any_error(&v, data, size, &a.version, &a.error), \
         T##_unpack_any(&w, data, size, &a.version), T##_pack_error(&v, to, MOST_BYTES, NULL),      \
         T##_unpack(&w, to, a.size))
#define PACKET_REFS(T)                                                                                                 \
    PLAY(T, 0, T##_version(data, size), T##_unpack_any_refs(&v, data, size, &a.version, &refs, &a.error),              \
         T##_unpack_any_refs(&w, data, size, &a.version, &refs, NULL), T##_pack_refs(&v, to, MOST_BYTES, &refs, NULL), \
         T##_unpack_refs(&w, to, a.size, &refs, NULL))
#define PLAY_SEEDED(T, unpack, quietly)                                                              \
    PLAY(T, SEED, T##_version(SEED, data, size), unpack, quietly,                                    \
         pkt_pack_seeded(&T##_frame, &T##_type_, T##_write_, &v, SEED, to, MOST_BYTES, &refs, NULL), \
         pkt_unpack_seeded(&T##_frame, &T##_type_, T##_read_, &w, SEED, to, a.size, &refs, NULL))
#define SEEDED(T)                                                                    \
    PLAY_SEEDED(T, T##_unpack_any_error(&v, SEED, data, size, &a.version, &a.error), \
                T##_unpack_any(&w, SEED, data, size, &a.version))
#define SEEDED_REFS(T)                                                                     \
    PLAY_SEEDED(T, T##_unpack_any_refs(&v, SEED, data, size, &a.version, &refs, &a.error), \
                T##_unpack_any_refs(&w, SEED, data, size, &a.version, &refs, NULL))
#include "packets.h"
#undef PACKET
#undef PACKET_REFS
#undef SEEDED
#undef SEEDED_REFS

static const packet packets[] = {
#define PACKET(T) {#T, T##_play, T##_sign},
#define PACKET_REFS(T) PACKET(T)
#define SEEDED(T) PACKET(T)
#define SEEDED_REFS(T) PACKET(T)
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

static size_t bytes_of(const char *hex, uint8_t *to)
{
    size_t size = 0;
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        to[size++] = (uint8_t)byte;
    return size;
}

static unsigned long failures, accepted, refused;

static void fail(const char *line, const char *what, const answer *a)
{
    char text[300];
    if (failures++ < 20)
        fprintf(stderr, "%s: version %u, %s\n%.300s\n", what, (unsigned)a->version,
                pkt_error_string(&a->error, text, sizeof text), line);
}

/* Variants of a packet, each in memory of exactly its size, so that a sanitizer sees a read past its end. */
static void vary(const packet *p, const char *line, const uint8_t *data, size_t size, uint32_t version, uint8_t *to,
                 lot *l)
{
    for (unsigned i = 0; i < VARIANTS && size > 4; i++) {
        const size_t length = lot_one_in(l, 4) ? 4 + lot_below(l, (uint32_t)size - 3) : size;
        uint8_t *copy = malloc(length);
        memcpy(copy, data, length);
        if (lot_one_in(l, 6))
            for (size_t at = 4; at < length; at++)
                copy[at] = (uint8_t)lot_below(l, 256);
        for (unsigned flips = lot_below(l, 4); flips > 0 && length > 4; flips--)
            copy[4 + lot_below(l, (uint32_t)length - 4)] ^= (uint8_t)(1u << lot_below(l, 8));
        p->sign(copy, length, version);
        answer a = p->play(copy, length, to);
        if (a.version != version)
            fail(line, "another version", &a);
        if (a.good && a.size == 0)
            fail(line, "what was accepted cannot be written", &a);
        accepted += a.good;
        refused += !a.good;
        free(copy);
    }
}

/* Too few bytes for a checksum. */
static void shorten(const packet *p, const char *line, const uint8_t *data, uint8_t *to)
{
    for (size_t size = 0; size < 4; size++) {
        uint8_t *copy = malloc(size != 0 ? size : 1);
        memcpy(copy, data, size);
        answer a = p->play(copy, size, to);
        if (a.good || a.version != 0)
            fail(line, "without a checksum, and of a version", &a);
        free(copy);
    }
}

static void play(const char *line, lot *l)
{
    static uint8_t data[MOST_BYTES], expected[MOST_BYTES], to[MOST_BYTES];
    static char name[100], bytes[2 * MOST_BYTES], result[2 * MOST_BYTES];
    unsigned version;
    if (sscanf(line, "%99s %u %s %s", name, &version, bytes, result) != 4)
        exit(2);
    const packet *p = packet_called(name);
    const size_t size = bytes_of(bytes, data), expected_size = bytes_of(result, expected);
    answer a = p->play(data, size, to);
    if (a.version != version)
        fail(line, "another version", &a);
    if (a.good != (result[0] != '-') || (!a.good && a.error.code != PKT_ERROR_VALUE))
        fail(line, "accepted or refused for another reason", &a);
    else if (a.good && (a.size != expected_size || memcmp(to, expected, a.size) != 0))
        fail(line, "another value", &a);
    data[4] ^= 1;
    if (p->play(data, size, to).version != 0)
        fail(line, "damaged, and of a version", &a);
    data[4] ^= 1;
    shorten(p, line, data, to);
    vary(p, line, data, size, version, to, l);
}

int main(int argc, char **argv)
{
    static char line[4 * MOST_BYTES];
    lot l = {7};
    unsigned long count = 0;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 2;
    for (; fgets(line, sizeof line, file); count++)
        play(line, &l);
    fclose(file);
    printf("%lu packets, variants: %lu accepted, %lu refused\n", count, accepted, refused);
    printf(failures == 0 ? "[  PASSED  ] %lu test(s).\n" : "[  FAILED  ] %lu test(s)\n",
           failures == 0 ? count : failures);
    return failures != 0;
}
