/* test_delta.c - tests random deltas of schemas/all.pkt: written and read, truncated, and with each bit flipped.
 * SPDX-License-Identifier: MIT
 *
 * The value is the baseline with some fields changed, or another random value. The seed is printed; set PKT_SEED=N in
 * the environment to repeat a run.
 */
#include "all.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

enum { ROUNDS = 400, FLIPPED_ROUNDS = 60 };

static uint64_t seed, state;

static uint64_t random64(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* From lo to hi; half of the time near `old`, because steps are for that. */
static int64_t near(int64_t old, int64_t lo, int64_t hi)
{
    int64_t moved = old + (int64_t)(random64() % 41) - 20;
    if (random64() % 2 == 0 && moved >= lo && moved <= hi)
        return moved;
    return random64() % 8 == 0 ? hi : lo + (int64_t)(random64() % ((uint64_t)(hi - lo) + 1));
}

static float real(float lo, float hi)
{
    return lo + (hi - lo) * (float)(random64() % 10001) / 10000.0f;
}

static void set_text(char *to, uint32_t max)
{
    static const char *const texts[] = {"", "a", "hi", "h\xc3\xa9y", "abc", "12345678"};
    const char *text = texts[random64() % 6];
    if (strlen(text) <= max)
        memcpy(to, text, strlen(text) + 1);
}

static void change_quat(pkt_quat *q)
{
    float *parts[] = {&q->x, &q->y, &q->z, &q->w};
    float length = 0.0f;
    for (int i = 0; i < 4; i++) {
        if (random64() % 2 == 0)
            *parts[i] = real(-1.0f, 1.0f);
        else
            *parts[i] += real(-0.02f, 0.02f);
        length += *parts[i] * *parts[i];
    }
    if (length < 0.9f || length > 1.1f)
        *q = (pkt_quat){0.5f, 0.5f, random64() % 2 == 0 ? 0.5f : -0.5f, 0.5f};
}

static void change_move(all_Move *m)
{
    m->x = (int16_t)near(m->x, -500, 500);
    if (random64() % 2 == 0)
        m->y = real(-8.0f, 8.0f);
    m->up = random64() % 2 == 0;
}

static void change_label(all_Label *l)
{
    set_text(l->text, 8);
    l->style = (uint8_t)random64();
}

static void change_mark(all_Mark *m)
{
    if (random64() % 3 == 0) {
        memset(m, 0, sizeof *m);
        m->tag = random64() % 2 == 0 ? all_Mark_tag_move : all_Mark_tag_label;
    }
    if (m->tag == all_Mark_tag_move)
        change_move(&m->as.move);
    else
        change_label(&m->as.label);
}

static void change_optionals(all_Deltas *v, unsigned which)
{
    switch (which) {
    case 0:
        v->has_next = random64() % 2 == 0;
        change_move(&v->next);
        break;
    case 1:
        v->has_flag = random64() % 2 == 0;
        v->flag = random64() % 2 == 0;
        break;
    case 2:
        v->has_number = random64() % 2 == 0;
        v->number = (uint8_t)near(v->number, 0, 99);
        break;
    case 3:
        v->has_turn = random64() % 2 == 0;
        change_quat(&v->turn);
        break;
    case 4:
        v->has_note = random64() % 2 == 0;
        set_text(v->note, 8);
        break;
    case 5:
        v->has_key = random64() % 2 == 0;
        v->key[random64() % 3] = (uint8_t)random64();
        break;
    case 6:
        v->has_list = random64() % 2 == 0;
        v->list_count = (uint8_t)(random64() % 4);
        v->list[random64() % 3] = (uint16_t)(random64() % 5);
        break;
    case 7:
        v->has_label = random64() % 2 == 0;
        change_label(&v->label);
        break;
    }
}

static void change_arrays(all_Deltas *v, unsigned which)
{
    switch (which) {
    case 0: v->lights[random64() % 6] ^= true; break;
    case 1: v->grid[random64() % 3][random64() % 2] = (uint8_t)near(0, 0, 9); break;
    case 2:
        v->path_count = (uint8_t)(random64() % 6);
        change_move(&v->path[random64() % 5]);
        break;
    case 3:
        v->payload_count = (uint8_t)(1 + random64() % 40);
        v->payload[random64() % 40] = (uint8_t)random64();
        break;
    case 4: {
        uint32_t at = (uint32_t)(random64() % 70);
        v->speeds_count = (uint8_t)(random64() % 71);
        v->speeds[at] = (int16_t)near(v->speeds[at], -9, 300);
        break;
    }
    case 5:
        v->names_count = (uint8_t)(random64() % 4);
        set_text(v->names[random64() % 3], 8);
        break;
    case 6: {
        uint32_t at = (uint32_t)(random64() % 2);
        v->blobs_size[at] = (uint8_t)(random64() % 4);
        v->blobs[at][0] = (uint8_t)random64();
        break;
    }
    case 7: change_mark(&v->marks[random64() % 2]); break;
    }
}

static void change_scalars(all_Deltas *v, unsigned which)
{
    static const uint8_t colors[] = {all_Color_red, all_Color_green, all_Color_blue};
    static const uint8_t holes[] = {all_Holes_two, all_Holes_five, all_Holes_hundred};
    switch (which) {
    case 0: v->start = (uint32_t)near(v->start, 0, 1000); break;
    case 1: v->on = random64() % 2 == 0; break;
    case 2: v->level = (uint8_t)(random64() % 8); break;
    case 3: v->color = colors[random64() % 3]; break;
    case 4: v->holes = holes[random64() % 3]; break;
    case 5: v->buttons = (all_Byte)random64(); break;
    case 6: v->raw = real(-1.0f, 1.0f); break;
    case 7: v->distance = (double)real(0.0f, 1000.0f); break;
    case 8: v->big = near(v->big, INT64_MIN / 4, INT64_MAX / 4); break;
    case 9: v->little = (int8_t)near(v->little, -128, 127); break;
    case 10: v->whole = random64() % 2 == 0 ? random64() : v->whole + random64() % 7 - 3; break;
    case 11: v->gain = (int16_t)near(v->gain, -25600, 25600); break;
    case 12: change_quat(&v->facing); break;
    case 13: change_quat(&v->resting); break;
    case 14: v->up = (pkt_vec3){real(-1.0f, 1.0f), real(-1.0f, 1.0f), 0.5f}; break;
    case 15: v->id = (uint32_t)(random64() >> random64() % 64); break;
    case 16: v->serial = random64() % 2 == 0 ? random64() >> random64() % 64 : v->serial + random64() % 40; break;
    case 17: set_text(v->name, 8); break;
    case 18:
        v->blob_size = (uint8_t)(random64() % 5);
        v->blob[0] = (uint8_t)random64();
        break;
    case 19: v->offset.y = real(-32.0f, 32.0f); break;
    case 20: change_move(&v->move); break;
    case 21: change_mark(&v->mark); break;
    case 22:
        v->a = (uint8_t)random64();
        v->b = (uint8_t)(random64() % 16);
        v->c = random64() % 2 == 0;
        break;
    case 23:
        v->d = (uint8_t)(random64() % 32);
        v->e[random64() % 3] = (uint8_t)random64();
        v->f = (uint8_t)random64();
        break;
    }
}

static void change(all_Deltas *v, unsigned fields)
{
    while (fields-- > 0) {
        uint32_t which = (uint32_t)(random64() % 40);
        if (which < 24)
            change_scalars(v, which);
        else if (which < 32)
            change_arrays(v, which - 24);
        else
            change_optionals(v, which - 32);
    }
    v->end = v->start + 1 + (uint32_t)(random64() % 3 == 0 ? random64() % 100000 : 0);
}

static void *exactly(const void *data, size_t size)
{
    void *copy = malloc(size != 0 ? size : 1);
    assert_non_null(copy);
    if (size != 0)
        memcpy(copy, data, size);
    return copy;
}

/* Bytes that are accepted must be what a writer writes. */
static void check_hostile(const all_Deltas *base, const uint8_t *data, size_t size)
{
    static uint8_t again[all_Deltas_DELTA_MAX_BYTES];
    static all_Deltas v;
    uint8_t *exact = exactly(data, size);
    pkt_reader r;
    pkt_writer w;
    size_t written;
    pkt_reader_init(&r, exact, size);
    bool good = all_Deltas_read_delta(&r, base, &v) && pkt_reader_finish(&r);
    assert_int_equal(good, r.error.code == PKT_OK);
    assert_true(v.path_count <= 5 && v.payload_count >= 1 && v.payload_count <= 40 && v.mark.tag <= 1 &&
                v.name[8] == 0);
    assert_true(r.error.bit <= 8 * size);
    free(exact);
    if (!good)
        return;
    pkt_writer_init(&w, again, sizeof again);
    assert_true(all_Deltas_write_delta(&w, base, &v));
    assert_true(pkt_writer_finish(&w, &written));
    assert_int_equal(written, size);
    assert_memory_equal(again, data, size);
}

static void check_pair(const all_Deltas *base, const all_Deltas *v, bool hostile)
{
    static uint8_t data[all_Deltas_DELTA_MAX_BYTES], again[all_Deltas_DELTA_MAX_BYTES];
    static all_Deltas out;
    pkt_error error;
    uint64_t bits = all_Deltas_measure_delta(base, v, 32);
    assert_true(bits <= all_Deltas_DELTA_MAX_BITS);
    size_t size = all_Deltas_pack_delta_error(base, v, data, sizeof data, &error);
    if (size == 0)
        fail_msg("%s: %s", error.field, pkt_code_name(error.code));
    assert_int_equal(size, (32 + bits + 32 + 7) / 8);
    uint8_t *exact = exactly(data, size);
    if (!all_Deltas_unpack_delta_error(base, &out, exact, size, &error))
        fail_msg("%s: %s at bit %" PRIu64, error.field, pkt_code_name(error.code), error.bit);
    free(exact);
    assert_true(all_Deltas_equal(&out, v));
    assert_int_equal(all_Deltas_pack_delta(base, &out, again, sizeof again), size);
    assert_memory_equal(again, data, size);
    assert_int_equal(all_Deltas_pack_delta_error(base, v, again, size - 1, &error), 0);
    assert_int_equal(error.code, PKT_ERROR_CAPACITY);
    if (!hostile)
        return;
    pkt_writer w;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(all_Deltas_write_delta(&w, base, v));
    assert_true(pkt_writer_finish(&w, &size));
    for (size_t cut = 0; cut < size; cut++)
        check_hostile(base, data, cut);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        check_hostile(base, data, size);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

TEST(deltas_there_and_back)
{
    static all_Deltas base, v;
    for (int i = 0; i < ROUNDS; i++) {
        all_Deltas_init(&base);
        change(&base, (unsigned)(random64() % 60));
        v = base;
        change(&v, (unsigned)(random64() % (i % 4 == 0 ? 80 : 6)));
        check_pair(&base, &v, i < FLIPPED_ROUNDS);
        check_pair(NULL, &v, false);
        check_pair(&base, &base, false);
    }
}

TEST(nothing_changed_is_a_mask)
{
    static all_Many v;
    all_Many_init(&v);
    assert_int_equal(all_Many_measure_delta(NULL, &v, 0), 71);
    v.last = true;
    v.m63 = 1;
    uint8_t data[16] = {0};
    static all_Many out;
    pkt_writer w;
    pkt_reader r;
    size_t size;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(all_Many_write_delta(&w, NULL, &v) && pkt_writer_finish(&w, &size));
    pkt_reader_init(&r, data, size);
    assert_true(all_Many_read_delta(&r, NULL, &out) && pkt_reader_finish(&r));
    assert_true(all_Many_equal(&v, &out));
    pkt_reader_init(&r, data, 8);
    assert_false(all_Many_read_delta(&r, NULL, &out));
    assert_int_equal(r.error.code, PKT_ERROR_END);
    assert_int_equal(r.error.bit, 0);
}

/* Writer and reader refuse a baseline, for the reason that writing it would give. */
static void refuse_baseline(const all_Deltas *base, pkt_code code, const char *field)
{
    static all_Deltas v;
    uint8_t data[all_Deltas_DELTA_MAX_BYTES] = {0};
    pkt_writer w;
    pkt_reader r;
    all_Deltas_init(&v);
    v.end = 1;
    pkt_writer_init(&w, data, sizeof data);
    assert_false(all_Deltas_write_delta(&w, base, &v));
    assert_int_equal(w.error.code, code);
    assert_string_equal(w.error.field, field);
    pkt_reader_init(&r, data, sizeof data);
    assert_false(all_Deltas_read_delta(&r, base, &v));
    assert_int_equal(r.error.code, code);
    assert_int_equal(r.error.bit, 0);
    assert_string_equal(r.error.field, field);
}

/* Of a baseline only its shape is judged; numbers that cannot be written are sent anew. */
TEST(unwritable_baselines)
{
    static all_Deltas base, v, got;
    uint8_t data[all_Deltas_DELTA_MAX_BYTES] = {0};
    pkt_writer w;
    pkt_reader r;
    all_Deltas_init(&base);
    base.end = 1;
    base.path_count = 6;
    refuse_baseline(&base, PKT_ERROR_RANGE, "Deltas.path_count");
    base.path_count = 0;
    memset(base.name, 'a', sizeof base.name);
    refuse_baseline(&base, PKT_ERROR_VALUE, "Deltas.name");
    base.name[0] = 0;
    v = base;
    base.gain = 30000;
    pkt_writer_init(&w, data, sizeof data);
    assert_true(all_Deltas_write_delta(&w, &base, &v));
    pkt_reader_init(&r, data, sizeof data);
    assert_true(all_Deltas_read_delta(&r, &base, &got));
    assert_int_equal(got.gain, v.gain);
}

TEST(unwritable_values)
{
    static all_Deltas base, v;
    uint8_t data[all_Deltas_DELTA_MAX_BYTES];
    pkt_writer w;
    all_Deltas_init(&base);
    base.end = 1;
    v = base;
    v.path_count = 1;
    v.path[0].x = 501;
    pkt_writer_init(&w, data, sizeof data);
    assert_false(all_Deltas_write_delta(&w, &base, &v));
    assert_int_equal(w.error.code, PKT_ERROR_RANGE);
    assert_string_equal(w.error.field, "Deltas.path[0].x");
    v = base;
    v.start = 1;
    pkt_writer_init(&w, data, sizeof data);
    assert_false(all_Deltas_write_delta(&w, &base, &v));
    assert_int_equal(w.error.code, PKT_ERROR_ORDER);
    assert_string_equal(w.error.field, "Deltas.end");
}

int main(void)
{
    seed = random_seed();
    state = seed;
    return run_all(NULL);
}
