/* bench.h - what a contender of the benchmark is, and the measurement all of them share.
 * SPDX-License-Identifier: MIT
 *
 * Contenders of a message write the same values and read back what they wrote, in turns within one process. BENCH_CONTENDER
 * makes one of two expressions, BENCH_CALLED of two calls; their functions keep their names (article_Ship_write,
 * body_Ship_write_all), for callgrind and nm.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Neither inlined, nor cloned for a constant argument, nor folded into one that happens to be the same. */
#if defined(__clang__)
#define BENCH_NOINLINE __attribute__((noinline))
#else
#define BENCH_NOINLINE __attribute__((noipa))
#endif

/* Room to write into, and what may be read behind the data of a contender that needs slack. */
enum { BENCH_BUFFER = 65536, BENCH_SLACK = 8 };

/* The values of one message as one contender takes them, and the bytes it made of them. */
typedef struct bench_set {
    size_t count;
    const void *bases, *values;
    void *out;                /* what all are read into */
    uint8_t *buffer, *packed; /* what all are written into; the bytes of each, from its offset on */
    uint32_t *offsets, *sizes;
} bench_set;

enum {
    BENCH_REFUSES_CUT = 1, /* data that end a byte early */
    BENCH_NEEDS_SLACK = 2, /* behind the data */
    BENCH_SAME_BYTES = 4   /* as all others with this trait */
};

typedef struct bench_contender {
    const char *name;
    /* A contender with a type of its own: its size, how it is made of a value of the message, whether what was read is
     * what was written. Else 0 and NULL. */
    size_t own_size;
    void (*convert)(void *own, const void *value);
    bool (*same)(const void *out, const void *own);
    unsigned traits;
    size_t (*write)(const void *base, const void *value, uint8_t *to);
    bool (*read)(const void *base, void *out, const uint8_t *from, size_t size);
    uint64_t (*write_all)(const bench_set *set);
    uint64_t (*read_all)(const bench_set *set);
} bench_contender;

typedef struct bench_message {
    const char *name;
    size_t size;
    void (*fill)(void *base, void *value, uint64_t instance);
    bool (*equal)(const void *a, const void *b);
    struct {
        double write, read;
    } wanted[2]; /* generated code against the article, gcc's and clang's -O2; 0: no matter */
    /* The article's code; generated code: a body alone, over streams, in its frame; memcpy. */
    const bench_contender *contenders[5];
} bench_message;

/* WRITE gives the size of what it wrote to `to`, READ is true when `from` and `size` were read into v; both see `base`,
 * and v of TYPE. The rest are the members above. Each is a function of its own, which is what is timed. */
#define BENCH_CONTENDER(who, NAME, TYPE, own, convert, same, traits, WRITE, READ)                        \
    BENCH_NOINLINE size_t who##_##NAME##_write(const TYPE *base, const TYPE *v, uint8_t *to)             \
    {                                                                                                    \
        (void)base;                                                                                      \
        return WRITE;                                                                                    \
    }                                                                                                    \
    BENCH_NOINLINE bool who##_##NAME##_read(const TYPE *base, TYPE *v, const uint8_t *from, size_t size) \
    {                                                                                                    \
        (void)base;                                                                                      \
        return READ;                                                                                     \
    }                                                                                                    \
    BENCH_CALLED(who, NAME, TYPE, own, convert, same, traits, who##_##NAME##_write(base, v, to),         \
                 who##_##NAME##_read(base, v, from, size))

/* WRITE and READ are calls of such functions already. */
#define BENCH_CALLED(who, NAME, TYPE, own, convert, same, traits, WRITE, READ)                          \
    static size_t who##_##NAME##_write_one(const void *base_, const void *value, uint8_t *to)           \
    {                                                                                                   \
        const TYPE *base = (const TYPE *)base_, *v = (const TYPE *)value;                               \
        (void)base;                                                                                     \
        return WRITE;                                                                                   \
    }                                                                                                   \
    static bool who##_##NAME##_read_one(const void *base_, void *out, const uint8_t *from, size_t size) \
    {                                                                                                   \
        const TYPE *base = (const TYPE *)base_;                                                         \
        TYPE *v = (TYPE *)out;                                                                          \
        (void)base;                                                                                     \
        return READ;                                                                                    \
    }                                                                                                   \
    static uint64_t who##_##NAME##_write_all(const bench_set *set)                                      \
    {                                                                                                   \
        uint8_t *to = set->buffer;                                                                      \
        uint64_t sum = 0;                                                                               \
        for (size_t i = 0; i < set->count; i++) {                                                       \
            const TYPE *base = (const TYPE *)set->bases + i, *v = (const TYPE *)set->values + i;        \
            (void)base;                                                                                 \
            sum += WRITE;                                                                               \
        }                                                                                               \
        return sum;                                                                                     \
    }                                                                                                   \
    static uint64_t who##_##NAME##_read_all(const bench_set *set)                                       \
    {                                                                                                   \
        TYPE *v = (TYPE *)set->out;                                                                     \
        uint64_t sum = 0;                                                                               \
        for (size_t i = 0; i < set->count; i++) {                                                       \
            const TYPE *base = (const TYPE *)set->bases + i;                                            \
            const uint8_t *from = set->packed + set->offsets[i];                                        \
            const size_t size = set->sizes[i];                                                          \
            (void)base;                                                                                 \
            sum += READ;                                                                                \
        }                                                                                               \
        return sum;                                                                                     \
    }                                                                                                   \
    extern const bench_contender who##_##NAME;                                                          \
    const bench_contender who##_##NAME = {                                                              \
        #who,                                                                                           \
        own,                                                                                            \
        convert,                                                                                        \
        same,                                                                                           \
        traits,                                                                                         \
        who##_##NAME##_write_one,                                                                       \
        who##_##NAME##_read_one,                                                                        \
        who##_##NAME##_write_all,                                                                       \
        who##_##NAME##_read_all,                                                                        \
    };

/* bench_messages.c; a name of NULL ends them. */
extern const bench_message bench_messages[];

/* What others make of a message: bench_messages.c lists those that are installed, then NULL. */
typedef struct bench_peer {
    const char *message;
    const bench_contender *contender;
} bench_peer;
extern const bench_peer bench_peers[];

/* bench_crc.c */
void bench_crc(void);

/* bench.c: what other measurements need, too. */
enum { BENCH_ROUNDS = 11 };
double bench_now(void);              /* nanoseconds that this process has computed */
double bench_median(double *times);  /* of BENCH_ROUNDS; sorts them */
extern volatile uint64_t bench_sink; /* for results that nobody wants */
/* Ends the program where something does not hold. */
void bench_demand(bool holds, const char *message, const char *contender, const char *what, size_t instance);

#ifdef __cplusplus
}
#endif

#endif
