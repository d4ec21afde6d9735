/* test_codes.c - tests random rotations, compact and after fields of schemas/all.pkt, and arbitrary bytes for them.
 * SPDX-License-Identifier: MIT
 */
#include "all.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 400, ROOM = 2048 };

static uint64_t random64(void)
{
    static uint64_t x = UINT64_C(0x9E3779B97F4A7C15);
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

static bool coin(void)
{
    return random64() % 2 != 0;
}

/* A random number of a random number of bits, so that every form of a compact integer occurs. */
static uint64_t any_size(unsigned bits)
{
    return random64() >> (64 - 1 - random64() % bits);
}

static float real(void)
{
    return (float)((double)(int64_t)random64() * 0x1p-63);
}

static pkt_quat any_quat(void)
{
    pkt_quat q = {real(), real(), real(), real()};
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (length < 0.01f)
        return pkt_quat_identity();
    return (pkt_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

static pkt_vec3 any_vec3(void)
{
    pkt_vec3 v = {real(), real(), real()};
    return random64() % 8 == 0 ? pkt_vec3_z() : v;
}

static void fill_rotations(void *at)
{
    all_Rotations *v = at;
    v->turn = any_quat();
    v->exact_turn = any_quat();
    v->odd = random64() % 8;
    v->way = any_vec3();
    v->exact_way = any_vec3();
    for (unsigned i = 0; i < 3; i++)
        v->coarse[i] = any_quat();
    for (unsigned i = 0; i < 4; i++)
        v->compass[i / 2][i % 2] = any_vec3();
    v->bones_count = (uint8_t)(random64() % 41);
    for (unsigned i = 0; i < v->bones_count; i++)
        v->bones[i] = any_quat();
    v->normals_count = (uint8_t)(random64() % 65);
    for (unsigned i = 0; i < v->normals_count; i++)
        v->normals[i] = any_vec3();
    if ((v->has_aim = coin()))
        v->aim = any_quat();
    if ((v->has_gaze = coin()))
        v->gaze = any_vec3();
    if ((v->has_pose = coin()))
        for (unsigned i = 0; i < 2; i++)
            v->pose[i] = any_quat();
}

static void fill_compacts(void *at)
{
    all_Compacts *v = at;
    v->c16 = (uint16_t)any_size(16);
    v->c32 = (uint32_t)any_size(32);
    v->c64 = any_size(64);
    v->list_count = (uint8_t)(random64() % 21);
    for (unsigned i = 0; i < v->list_count; i++)
        v->list[i] = (uint32_t)any_size(32);
    for (unsigned i = 0; i < 2; i++)
        v->pair[i] = any_size(64);
    if ((v->has_maybe = coin()))
        v->maybe = (uint32_t)any_size(32);
    if (coin())
        v->usual = (uint16_t)any_size(16);
    v->start = any_size(64);
    v->last = coin();
}

static void fill_spans(void *at)
{
    all_Spans *v = at;
    v->start = (uint32_t)any_size(30);
    v->end = v->start + 1 + (uint32_t)any_size(20);
    v->last = v->end + 1 + (uint32_t)any_size(31);
    v->more = coin();
    if ((v->has_resume = coin()))
        v->resume = v->start + 1 + (uint32_t)any_size(8);
    if (!v->more)
        return;
    v->further = v->last + 1 + (uint32_t)any_size(12);
    v->turn = any_quat();
    v->amount = (uint16_t)any_size(16);
}

/* ---- any of these types */

typedef struct kind {
    size_t size;
    void (*fill)(void *v);
    void (*init)(void *v);
    bool (*write)(pkt_writer *w, const void *v);
    bool (*read)(pkt_reader *r, void *v);
    uint64_t (*measure)(const void *v, uint64_t start_bit);
    bool (*equal)(const void *a, const void *b);
    void (*quantize)(void *v);
    uint64_t least, most;
} kind;

#define KIND(T, name)                                                                                   \
    static void name##_init(void *v)                                                                    \
    {                                                                                                   \
        T##_init(v);                                                                                    \
    }                                                                                                   \
    static bool name##_write(pkt_writer *w, const void *v)                                              \
    {                                                                                                   \
        return T##_write(w, v);                                                                         \
    }                                                                                                   \
    static bool name##_read(pkt_reader *r, void *v)                                                     \
    {                                                                                                   \
        return T##_read(r, v);                                                                          \
    }                                                                                                   \
    static uint64_t name##_measure(const void *v, uint64_t start_bit)                                   \
    {                                                                                                   \
        return T##_measure(v, start_bit);                                                               \
    }                                                                                                   \
    static bool name##_equal(const void *a, const void *b)                                              \
    {                                                                                                   \
        return T##_equal(a, b);                                                                         \
    }                                                                                                   \
    static void name##_quantize(void *v)                                                                \
    {                                                                                                   \
        T##_quantize(v);                                                                                \
    }                                                                                                   \
    static const kind name = {sizeof(T),      fill_##name,  name##_init,     name##_write, name##_read, \
                              name##_measure, name##_equal, name##_quantize, T##_MIN_BITS, T##_MAX_BITS};

KIND(all_Rotations, rotations)
KIND(all_Compacts, compacts)
KIND(all_Spans, spans)

static void *initial(const kind *k)
{
    void *v = malloc(k->size);
    assert_non_null(v);
    k->init(v);
    return v;
}

/* `before` 1s, then the value, in memory that ends where it ends. */
static uint8_t *written(const kind *k, const void *v, unsigned before, size_t *size)
{
    uint64_t bits = before + k->measure(v, before);
    *size = (size_t)((bits + 7) / 8);
    uint8_t *data = malloc(*size);
    pkt_writer w;
    assert_non_null(data);
    pkt_writer_init(&w, data, *size);
    if (before != 0) {
        w.bit = before;
        w.carry = data[0] = (uint8_t)((1 << before) - 1);
    }
    assert_true(k->write(&w, v));
    assert_int_equal(w.bit, bits);
    return data;
}

static bool read_from(const kind *k, void *v, const uint8_t *data, size_t size, unsigned before, pkt_reader *r)
{
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    pkt_reader_init(r, copy, size);
    r->bit = before;
    bool taken = k->read(r, v);
    free(copy);
    return taken;
}

static void check_cuts(const kind *k, const uint8_t *data, size_t size, unsigned before)
{
    void *v = initial(k);
    for (size_t cut = 1; cut < size; cut++) {
        pkt_reader r;
        assert_false(read_from(k, v, data, cut, before, &r));
        assert_int_equal(r.error.code, PKT_ERROR_END);
        assert_string_not_equal(r.error.field, "");
    }
    free(v);
}

static void there_and_back(const kind *k)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        void *v = initial(k), *back = initial(k);
        unsigned before = round % 8;
        size_t size;
        pkt_reader r;
        k->fill(v);
        uint8_t *data = written(k, v, before, &size);
        assert_true(read_from(k, back, data, size, before, &r));
        assert_int_equal(r.bit, before + k->measure(v, before));
        assert_in_range(k->measure(v, before), k->least, k->most);
        assert_true(k->equal(v, back));
        k->quantize(v);
        size_t again_size;
        uint8_t *again = written(k, back, before, &again_size);
        assert_int_equal(again_size, size);
        assert_memory_equal(again, data, size);
        free(again);
        again = written(k, v, before, &again_size);
        assert_memory_equal(again, data, size);
        free(again);
        if (round < 40)
            check_cuts(k, data, size, before);
        free(data);
        free(back);
        free(v);
    }
}

/* Bytes that are accepted must be what a writer writes. If they are refused, there must be a reason. */
static void hostile(const kind *k)
{
    for (unsigned round = 0; round < 8 * ROUNDS; round++) {
        void *v = initial(k), *other = initial(k);
        size_t size;
        pkt_reader r;
        k->fill(v);
        uint8_t *data = written(k, v, 0, &size);
        if (round % 4 == 0)
            for (size_t i = 0; i < size; i++)
                data[i] = (uint8_t)random64();
        else
            data[random64() % size] ^= (uint8_t)(1 << random64() % 8);
        if (read_from(k, other, data, size, 0, &r)) {
            size_t again_size;
            uint8_t *again = written(k, other, 0, &again_size);
            assert_true(again_size <= size);
            for (uint64_t bit = 0; bit < r.bit; bit++)
                assert_int_equal(again[bit / 8] >> bit % 8 & 1, data[bit / 8] >> bit % 8 & 1);
            free(again);
        } else {
            assert_int_not_equal(r.error.code, PKT_OK);
            assert_string_not_equal(r.error.field, "");
            assert_true(r.error.bit <= 8 * size);
        }
        free(data);
        free(other);
        free(v);
    }
}

TEST(rotations_there_and_back)
{
    there_and_back(&rotations);
    hostile(&rotations);
}

TEST(compacts_there_and_back)
{
    there_and_back(&compacts);
    hostile(&compacts);
}

TEST(spans_there_and_back)
{
    there_and_back(&spans);
    hostile(&spans);
}

/* ---- values that cannot be written, with the reason, field and bit */

static pkt_error why_not(const kind *k, const void *v)
{
    uint8_t data[ROOM];
    pkt_writer w;
    pkt_writer_init(&w, data, sizeof data);
    assert_false(k->write(&w, v));
    assert_false(k->equal(v, v));
    pkt_writer_grow_init(&w);
    assert_false(k->write(&w, v));
    pkt_error error = w.error;
    pkt_writer_free(&w);
    return error;
}

static void check_error(pkt_error error, pkt_code code, uint64_t bit, const char *field)
{
    assert_int_equal(error.code, code);
    assert_int_equal(error.bit, bit);
    assert_string_equal(error.field, field);
}

TEST(unwritable)
{
    all_Rotations turn;
    all_Spans span;
    all_Rotations_init(&turn);
    turn.exact_turn.y = NAN;
    check_error(why_not(&rotations, &turn), PKT_ERROR_RANGE, 29, "Rotations.exact_turn");
    turn.exact_turn = turn.turn;
    turn.compass[1][0].z = 0;
    check_error(why_not(&rotations, &turn), PKT_ERROR_RANGE, 29 + 62 + 3 + 16 + 40 + 33 + 8, "Rotations.compass[1][0]");
    turn.compass[1][0].z = -5;
    turn.bones_count = 2;
    turn.bones[1].w = 2;
    check_error(why_not(&rotations, &turn), PKT_ERROR_RANGE, 29 + 62 + 3 + 16 + 40 + 33 + 16 + 6 + 35,
                "Rotations.bones[1]");

    all_Spans_init(&span);
    check_error(why_not(&spans, &span), PKT_ERROR_ORDER, 32, "Spans.end");
    span.end = 1;
    span.last = 1;
    check_error(why_not(&spans, &span), PKT_ERROR_ORDER, 33, "Spans.last");
    span.last = 8;
    span.has_resume = true;
    check_error(why_not(&spans, &span), PKT_ERROR_ORDER, 33 + 8 + 2, "Spans.resume");
}

TEST(base_values)
{
    all_Rotations turn;
    all_Spans span, back;
    all_Compacts amounts;
    pkt_reader r;
    size_t size;
    all_Rotations_init(&turn);
    assert_true(turn.turn.w == 1 && turn.turn.x == 0 && turn.bones[39].w == 1 && turn.way.z == 1 &&
                turn.compass[1][1].z == 1);
    all_Compacts_init(&amounts);
    assert_int_equal(amounts.usual, 1000);
    assert_int_equal(amounts.start, 70000);

    all_Spans_init(&span);
    span.end = 1;
    span.last = 2;
    uint8_t *data = written(&spans, &span, 0, &size);
    memset(&back, 0x55, sizeof back);
    assert_true(read_from(&spans, &back, data, size, 0, &r));
    assert_true(back.further == 0 && back.resume == 0 && back.amount == 0 && back.turn.w == 1 && back.turn.y == 0);
    free(data);
}
