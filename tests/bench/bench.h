/* bench.h - the contenders of the benchmark, and what their measurement shares.
 * SPDX-License-Identifier: MIT
 *
 * The contenders of a message write the same values and read back what they wrote, in turns within one process.
 * BENCH_CONTENDER makes a contender of two expressions, BENCH_CALLED of two calls. Their functions have fixed names
 * (article_Ship_write, body_Ship_write_all), for callgrind and nm.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps compilers from inlining a function, cloning it for a constant argument, or merging it with an identical one. */
#if defined(__clang__)
#define BENCH_NOINLINE __attribute__((noinline))
#else
#define BENCH_NOINLINE __attribute__((noipa))
#endif

/* Bytes to write into, and bytes that may be read after the data by a contender that needs them. */
enum { BENCH_BUFFER = 65536, BENCH_SLACK = 8 };

/* The values of a message in the form that a contender takes, and the bytes that it writes for them. */
typedef struct bench_set {
    size_t count;
    const void *bases, *values;
    void *out;                /* to read each value into */
    uint8_t *buffer, *packed; /* to write each value into; the bytes of all of them, at their offsets */
    uint32_t *offsets, *sizes;
} bench_set;

enum {
    BENCH_REFUSES_CUT = 1, /* refuses data that is a byte too short */
    BENCH_NEEDS_SLACK = 2, /* needs readable bytes after the data */
    BENCH_SAME_BYTES = 4   /* writes the same bytes as all others with this trait */
};

typedef struct bench_contender {
    const char *name;
    /* For a contender with its own type: the size, the conversion from a value of the message, and whether what was
     * read equals what was written. Else 0 and NULL. */
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
    } wanted[2]; /* goals for the ratio of the article's time to that of generated code: gcc -O2, clang -O2; 0: none */
    /* The article's code; generated code: for a body, for a stream, for a packet; memcpy. */
    const bench_contender *contenders[5];
} bench_message;

/* WRITE is an expression for the number of bytes that it wrote to `to`. READ is true if it has read `size` bytes at
 * `from` into v. Both can use `base`, and v of TYPE. The other arguments are the members above. Each becomes a
 * function, which is what is measured. */
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

/* The same, if WRITE and READ are already calls of such functions. */
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

/* bench_messages.c: all messages, ended by one with the name NULL. */
extern const bench_message bench_messages[];

/* Other libraries for a message: bench_messages.c lists those that are installed, ended by NULL. */
typedef struct bench_peer {
    const char *message;
    const bench_contender *contender;
} bench_peer;
extern const bench_peer bench_peers[];

/* bench_crc.c */
void bench_crc(void);

/* bench.c: for other measurements. */
enum { BENCH_ROUNDS = 11 };
double bench_now(void);              /* processor time of this process in nanoseconds */
double bench_median(double *times);  /* the median of BENCH_ROUNDS times; sorts them */
extern volatile uint64_t bench_sink; /* to store results, so that computing them is not optimized away */
/* Exits with a message unless `holds`. */
void bench_demand(bool holds, const char *message, const char *contender, const char *what, size_t instance);

#ifdef __cplusplus
}
#endif

#endif
