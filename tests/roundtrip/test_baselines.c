/* test_baselines.c - tests that deltas refuse baselines with a count, a size, a text or a tag that memory cannot hold.
 * SPDX-License-Identifier: MIT
 *
 * A program may have written over its baseline. With such a count, reading or writing a delta would leave the array.
 */
#include "all_codec.h"
#include "all_reflect.h"
#include "unit.h"

enum { ROOM = 4096 };

typedef struct subject {
    const pkt_type *type;
    size_t size; /* of a baseline */
    void (*start)(void *base, void *v);
    bool (*valid)(const void *v);
    bool (*write)(pkt_writer *w, const void *base, const void *v);
    bool (*read)(pkt_reader *r, const void *base, void *v);
} subject;

/* A baseline begins with a value. place: an expression that makes it of the value `v`. */
#define FUNCTIONS(T, place) FUNCTIONS_(T, (const T *)base, place)
#define FUNCTIONS_(T, from, place)                                      \
    static void T##_start(void *base, void *v)                          \
    {                                                                   \
        T##_init((T *)v);                                               \
        place;                                                          \
    }                                                                   \
    static bool T##_holds(const void *v)                                \
    {                                                                   \
        return T##_valid((const T *)v, NULL);                           \
    }                                                                   \
    static bool T##_put(pkt_writer *w, const void *base, const void *v) \
    {                                                                   \
        return T##_write_delta(w, from, (const T *)v);                  \
    }                                                                   \
    static bool T##_get(pkt_reader *r, const void *base, void *v)       \
    {                                                                   \
        return T##_read_delta(r, from, (T *)v);                         \
    }
#define VALUE(T) FUNCTIONS(T, memcpy(base, v, sizeof(T)))
/* A motion of the baseline, which comes behind it. */
#define MOTION(T)                                          \
    static const T##_motion *T##_moving(const void *base)  \
    {                                                      \
        static T##_motion motion;                          \
        T##_predict((const T *)base, NULL, 0, 0, &motion); \
        return &motion;                                    \
    }                                                      \
    FUNCTIONS_(T, T##_moving(base), memcpy(base, v, sizeof(T)))

/* The initial value of `end` is not after `start`. */
FUNCTIONS(all_Deltas, (((all_Deltas *)v)->end = 1, memcpy(base, v, sizeof(all_Deltas))))
VALUE(all_Refs)
VALUE(all_Coded)
MOTION(all_Voyage)
MOTION(all_Fleet)

/* clang-format off */
#define ROW(T) {&T##_reflection, sizeof(T), T##_start, T##_holds, T##_put, T##_get},
static const subject subjects[] = {
    ROW(all_Deltas)
    ROW(all_Refs)
    ROW(all_Coded)
    ROW(all_Voyage)
    ROW(all_Fleet)
};
/* clang-format on */

static union {
    uint8_t bytes[1 << 16];
    uint64_t aligned;
    void *pointer;
} base, value, back;

static uint32_t elements_of(const pkt_member *m)
{
    uint32_t count = 1;
    for (size_t i = 0; i < sizeof m->dims / sizeof *m->dims && m->dims[i] != 0; i++)
        count *= m->dims[i];
    return count;
}

static bool is_part(const pkt_member *m)
{
    return m->kind == PKT_KIND_STRUCT || m->kind == PKT_KIND_UNION;
}

/* Makes a bool true, or a count 1, if the value may have that. */
static void add_one(const subject *s, uint8_t *part)
{
    const uint8_t before = *part;
    *part |= before == 0;
    if (!s->valid(base.bytes))
        *part = before;
}

/* Optional members are present, and arrays have an element. */
static void fill(const subject *s, const pkt_type *type, uint8_t *at)
{
    pkt_member m = {0};
    while (type->kind == PKT_KIND_STRUCT && pkt_next_member(type, &m)) {
        const uint32_t count = elements_of(&m);
        if (m.has.size)
            add_one(s, at + m.has.offset);
        if (m.shape == PKT_COUNTED)
            add_one(s, at + m.count.offset);
        for (uint32_t i = 0; is_part(&m) && i < count; i++)
            fill(s, m.type, at + m.value.offset + i * (m.value.size / count));
    }
}

static unsigned spoiled; /* how many baselines were tried */

/* Spoils a part of the baseline. If the baseline is still valid, the part does not count, as an element after a count. */
static void try_spoiled(const subject *s, const char *name, uint8_t *part, size_t size)
{
    uint8_t kept[256], data[ROOM] = {0};
    pkt_writer w;
    pkt_reader r;
    assert_true(size <= sizeof kept);
    memcpy(kept, part, size);
    memset(part, 0x7f, size);
    if (!s->valid(base.bytes)) {
        spoiled++;
        pkt_writer_init(&w, data, sizeof data);
        if (s->write(&w, base.bytes, value.bytes) || w.error.code == PKT_OK)
            fail_msg("%s is written against a baseline with a wrong %s", s->type->name, name);
        pkt_reader_init(&r, data, sizeof data);
        if (s->read(&r, base.bytes, back.bytes) || r.error.code == PKT_OK)
            fail_msg("%s is read against a baseline with a wrong %s", s->type->name, name);
    }
    memcpy(part, kept, size);
}

static void spoil(const subject *s, const pkt_type *type, uint8_t *at)
{
    pkt_member m = {0};
    if (type->kind == PKT_KIND_UNION) {
        try_spoiled(s, type->name, at + type->entries->offset, type->entries->size);
        if (pkt_chosen_member(type, at, &m))
            spoil(s, m.type, at + m.value.offset);
        return;
    }
    while (type->kind == PKT_KIND_STRUCT && pkt_next_member(type, &m)) {
        const uint32_t count = elements_of(&m);
        if (m.shape == PKT_COUNTED)
            try_spoiled(s, m.name, at + m.count.offset, m.count.size);
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *const element = at + m.value.offset + i * (m.value.size / count);
            if (m.kind == PKT_KIND_BYTES)
                try_spoiled(s, m.name, at + m.sizes.offset + i * (m.sizes.size / count), m.sizes.size / count);
            if (m.kind == PKT_KIND_STRING)
                try_spoiled(s, m.name, element, m.value.size / count);
            if (is_part(&m))
                spoil(s, m.type, element);
        }
    }
}

TEST(test_unsound_baselines_are_refused)
{
    for (const subject *s = subjects; s != subjects + sizeof subjects / sizeof *subjects; s++) {
        assert_true(s->size <= sizeof base);
        memset(&base, 0, sizeof base);
        memset(&value, 0, sizeof value);
        s->start(base.bytes, value.bytes);
        if (!s->valid(base.bytes))
            fail_msg("%s is not valid", s->type->name);
        fill(s, s->type, base.bytes);
        assert_true(s->valid(base.bytes));
        spoiled = 0;
        spoil(s, s->type, base.bytes);
        assert_true(spoiled >= 3);
    }
}
