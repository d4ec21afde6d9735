/* test_every.c - all values and all inputs of types with few of them: what a reader accepts is exactly what is written.
 * SPDX-License-Identifier: MIT
 *
 * The bodies of all values, and their deltas, have at most two bytes, so each input of so many bytes can be tried.
 */
#include "every.h"
#include "unit.h"

#include <string.h>

enum { MOST_BYTES = 2, INPUTS = 1 + (1 << 8) + (1 << 16), MOST_VALUES = 256, MOST_SIZE = 64, BASES = 3 };

typedef struct functions {
    const char *name;
    unsigned values; /* how many there are */
    size_t size;
    void (*init)(void *v);
    bool (*equal)(const void *a, const void *b);
    uint64_t (*measure)(const void *v);
    size_t (*pack)(const void *v, uint8_t *data, pkt_error *error);
    bool (*unpack)(void *v, const uint8_t *data, size_t size, pkt_error *error);
    size_t (*pack_delta)(const void *base, const void *v, uint8_t *data, pkt_error *error);
    bool (*unpack_delta)(const void *base, void *v, const uint8_t *data, size_t size, pkt_error *error);
} functions;

/* error may be NULL: then the functions without one are called. */
#define FUNCTIONS(T)                                                                              \
    static void T##_start(void *v)                                                                \
    {                                                                                             \
        every_##T##_init((every_##T *)v);                                                         \
    }                                                                                             \
    static bool T##_same(const void *a, const void *b)                                            \
    {                                                                                             \
        return every_##T##_equal((const every_##T *)a, (const every_##T *)b);                     \
    }                                                                                             \
    static uint64_t T##_bits(const void *v)                                                       \
    {                                                                                             \
        return every_##T##_measure((const every_##T *)v, 0);                                      \
    }                                                                                             \
    static size_t T##_put(const void *v, uint8_t *data, pkt_error *error)                         \
    {                                                                                             \
        return error ? every_##T##_pack_body_error((const every_##T *)v, data, MOST_BYTES, error) \
                     : every_##T##_pack_body((const every_##T *)v, data, MOST_BYTES);             \
    }                                                                                             \
    static bool T##_get(void *v, const uint8_t *data, size_t size, pkt_error *error)              \
    {                                                                                             \
        return error ? every_##T##_unpack_body_error((every_##T *)v, data, size, error)           \
                     : every_##T##_unpack_body((every_##T *)v, data, size);                       \
    }
#define DELTA_FUNCTIONS(T)                                                                                             \
    FUNCTIONS(T)                                                                                                       \
    static size_t T##_put_delta(const void *base, const void *v, uint8_t *data, pkt_error *error)                      \
    {                                                                                                                  \
        return error ? every_##T##_pack_delta_body_error((const every_##T *)base, (const every_##T *)v, data,          \
                                                         MOST_BYTES, error)                                            \
                     : every_##T##_pack_delta_body((const every_##T *)base, (const every_##T *)v, data, MOST_BYTES);   \
    }                                                                                                                  \
    static bool T##_get_delta(const void *base, void *v, const uint8_t *data, size_t size, pkt_error *error)           \
    {                                                                                                                  \
        return error ? every_##T##_unpack_delta_body_error((const every_##T *)base, (every_##T *)v, data, size, error) \
                     : every_##T##_unpack_delta_body((const every_##T *)base, (every_##T *)v, data, size);             \
    }
/* clang-format off */
#define ROW(T, values, put, get) \
    {#T, values, sizeof(every_##T), T##_start, T##_same, T##_bits, T##_put, T##_get, put, get}
#define DELTA_ROW(T, values) ROW(T, values, T##_put_delta, T##_get_delta)

#define MODES(X, n) X(Flag##n, n) X(Bitmap##n, n) X(Count##n, n) X(Sentinel##n, n) X(Relative##n, n) X(Auto##n, n)
#define SETS(X) MODES(X, 2) MODES(X, 3) MODES(X, 4) MODES(X, 5) MODES(X, 8) MODES(X, 9)
/* None, one of n elements, or two; each is true or false. */
#define SET_ROW(T, n) ROW(T, 1 + 2 * (n) + 4 * ((n) * ((n)-1) / 2), NULL, NULL),
#define SET_FUNCTIONS(T, n) FUNCTIONS(T)

#define DELTAS(X) \
    X(Fields, 5 * 2 * 4 * 3) \
    X(Steps, 201) X(SignedSteps, 256) X(StepsAround, 100) \
    X(Coded, 13 * 2) X(CodedAround, 16) X(CodedList, 1 + 4 + 16 + 64) \
    X(Listed, (1 + 2 + 4 + 8 + 16) * 4) X(Square, 16) \
    X(When, 8 + 3 * 2) X(Chosen, (2 + 32 + 1) * 3) X(Unless, 8 * 5) X(Present, 3 + 2 * 5)
#define DELTA_TYPE_ROW(T, values) DELTA_ROW(T, values),
#define DELTA_TYPE_FUNCTIONS(T, values) DELTA_FUNCTIONS(T)
/* clang-format on */

SETS(SET_FUNCTIONS)
DELTAS(DELTA_TYPE_FUNCTIONS)
static const functions types[] = {SETS(SET_ROW) DELTAS(DELTA_TYPE_ROW)};

/* All values of a type, in the order of their bodies. */
static union {
    uint8_t bytes[MOST_SIZE];
    uint64_t aligned;
} values[MOST_VALUES + 1];
static unsigned value_count;
static bool is_written[INPUTS];

/* The number of an input: first the empty one, then those of a byte. */
static unsigned number_of(const uint8_t *data, size_t size)
{
    return size == 0 ? 0 : size == 1 ? 1u + data[0] : 257u + data[0] + 256u * data[1];
}

static size_t input(unsigned number, uint8_t *data)
{
    const size_t size = number == 0 ? 0 : number < 257 ? 1 : 2;
    const unsigned bytes = size == 1 ? number - 1 : size == 2 ? number - 257 : 0;
    data[0] = (uint8_t)bytes;
    data[1] = (uint8_t)(bytes >> 8);
    return size;
}

static void check(bool holds, const functions *f, const uint8_t *data, size_t size, const char *what)
{
    if (!holds)
        fail_msg("%s, %zu bytes %02x %02x: %s", f->name, size, data[0], data[1], what);
}

/* Explaining a refusal takes much longer than refusing. So of the inputs of two bytes, only some are explained. */
enum { ONE_IN = 7 };
static bool asks_why(unsigned number)
{
    return number < 257 || number % ONE_IN == 0;
}

/* Reads all inputs, and writes each value again. */
static void try_values(const functions *f)
{
    uint8_t data[MOST_BYTES], back[MOST_BYTES];
    pkt_error error;
    assert_true(f->size <= MOST_SIZE);
    value_count = 0;
    for (unsigned number = 0; number < INPUTS; number++) {
        const size_t size = input(number, data);
        void *v = values[value_count].bytes;
        f->init(v);
        const bool good = f->unpack(v, data, size, NULL);
        if (good || asks_why(number)) {
            check(f->unpack(v, data, size, &error) == good, f, data, size, "the functions differ");
            check((error.code == PKT_OK) == good, f, data, size, "the error");
        }
        if (!good)
            continue;
        check(f->pack(v, back, NULL) == size && memcmp(data, back, size) == 0, f, data, size, "written otherwise");
        check(f->pack(v, back, &error) == size && error.code == PKT_OK, f, data, size, "refused");
        check((f->measure(v) + 7) / 8 == size, f, data, size, "measured otherwise");
        check(value_count == 0 || !f->equal(v, values[value_count - 1].bytes), f, data, size, "equal values");
        assert_true(++value_count <= MOST_VALUES);
    }
    if (value_count != f->values)
        fail_msg("%s has %u values, not %u", f->name, f->values, value_count);
}

/* Writes deltas of all values, and reads all inputs. */
static void try_deltas(const functions *f, const void *base)
{
    uint8_t data[MOST_BYTES] = {0}, got[MOST_SIZE];
    pkt_error error;
    memset(is_written, 0, sizeof is_written);
    for (unsigned i = 0; i < value_count; i++) {
        const size_t size = f->pack_delta(base, values[i].bytes, data, &error);
        check(error.code == PKT_OK && f->pack_delta(base, values[i].bytes, data, NULL) == size, f, data, size,
              "refused");
        check(!is_written[number_of(data, size)], f, data, size, "written twice");
        is_written[number_of(data, size)] = true;
        f->init(got);
        check(f->unpack_delta(base, got, data, size, NULL), f, data, size, "not read");
        check(f->equal(got, values[i].bytes), f, data, size, "read otherwise");
    }
    for (unsigned number = 0; number < INPUTS; number++) {
        const size_t size = input(number, data);
        const bool good = f->unpack_delta(base, got, data, size, NULL);
        check(good == is_written[number], f, data, size, good ? "nothing writes this" : "refused");
        if (good || asks_why(number)) {
            check(f->unpack_delta(base, got, data, size, &error) == good, f, data, size, "the functions differ");
            check((error.code == PKT_OK) == good, f, data, size, "the error");
        }
    }
}

TEST(test_every_value_and_input)
{
    for (const functions *f = types; f != types + sizeof types / sizeof *types; f++) {
        try_values(f);
        if (!f->pack_delta)
            continue;
        try_deltas(f, NULL);
        for (unsigned i = 0; i < BASES; i++)
            try_deltas(f, values[i * (value_count - 1) / (BASES - 1)].bytes);
    }
}
