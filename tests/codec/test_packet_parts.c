/* test_packet_parts.c - packets with parts, by the codec alone: they come back as they were, and hold what a stream of
 * the same values holds.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "codec/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 2000 };

static const char schema_text[] =
    "protocol game = 1;\n"
    "struct Head { u8 number; optional int<1, 7> back; }\n"
    "struct World @delta { u8 phase; bits<3> kinds[4]; int<0, 500> x coded; }\n"
    "struct Flock @delta(predict) { int<0, 500> x coded, y coded; }\n"
    "struct Before { Head head; optional int<1, 7> from; optional int<1, 3> gap; u8 hits[<=2]; }\n"
    "struct Has { bool has; }\n"
    "packet Down {\n"
    "    Head head;\n"
    "    optional int<1, 7> from;\n"
    "    optional int<1, 3> gap;\n"
    "    u8 hits[<=2];\n"
    "    World world delta(head.number from head.number - head.back);\n"
    "    optional Flock flock delta(head.number + 1 from head.number + 1 - from after head.number + 1 - from - gap);\n"
    "}\n";

static uint64_t seed_of_dice = 11;

static uint64_t dice(uint64_t below)
{
    seed_of_dice = seed_of_dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed_of_dice >> 33) % below;
}

/* What both sides keep: the last worlds and flocks, by their numbers. */
typedef struct match {
    arena *arena;
    const schema *schema;
    const decl *down;
    datum worlds[256], flocks[256];
} match;

static const decl *type_called(const schema *s, const char *name)
{
    const decl *d = s->decls;
    while (strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

static match match_of(arena *a, bool checks)
{
    const check_options options = {.checks = checks};
    const source *text = source_from(a, "game.pkt", schema_text, strlen(schema_text));
    match m = {.arena = a, .schema = check(a, names_new(a), diag_new(a), text, &options)};
    assert_non_null(m.schema);
    m.down = type_called(m.schema, "Down");
    return m;
}

static const field *field_called(const decl *d, const char *name)
{
    const field *f = d->fields;
    while (strcmp(f->name, name) != 0)
        f = f->next;
    return f;
}

static bool find_kept(void *user, const codec_part *expected, uint64_t number, const datum **base)
{
    match *m = user;
    datum *found = strcmp(expected->field->name, "world") == 0 ? m->worlds : m->flocks;
    *base = &found[number];
    return found[number].record != NULL;
}

static datum any_value(arena *a, const decl *d);

static slot any_slot(arena *a, const field *f)
{
    slot s = {.present = !f->optional || dice(3) > 0};
    s.count = !s.present ? 0 : f->array == ARRAY_COUNTED ? (uint32_t)dice(f->dims[0] + 1) : field_capacity(f);
    s.data = ARENA_ARRAY(a, datum, s.count);
    for (uint32_t i = 0; i < s.count; i++)
        if (f->type.decl)
            s.data[i] = any_value(a, f->type.decl);
        else
            s.data[i].number = f->type.low.magnitude + dice(f->type.high.magnitude - f->type.low.magnitude + 1);
    return s;
}

static datum any_value(arena *a, const decl *d)
{
    datum v = {.record = base_record(a, d)};
    for (const field *f = d->fields; f; f = f->next)
        *slot_of(v.record, f) = any_slot(a, f);
    return v;
}

static uint64_t number_of(const match *m, const datum *v)
{
    const datum *head = &slot_of(v->record, field_called(m->down, "head"))->data[0];
    return slot_of(head->record, head->record->decl->fields)->data[0].number;
}

/* Whether both have the same bytes by themselves. */
static void assert_same(const match *m, const decl *d, const datum *one, const datum *other)
{
    const codec_options how = {.room = SIZE_MAX};
    codec_error error;
    size_t size, other_size;
    const uint8_t *bytes = codec_write(m->arena, m->schema, d, one, &how, &size, &error);
    const uint8_t *others = codec_write(m->arena, m->schema, d, other, &how, &other_size, &error);
    assert_non_null(bytes);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, others, size);
}

/* Without its frame, a packet has the bits of its fields and of the deltas, one after the other. */
static void assert_stream(match *m, const datum *v, const codec_part *read)
{
    const codec_options how = {.room = SIZE_MAX, .find = find_kept, .user = m};
    const bool has_flock = read->next != NULL;
    codec_part list[4] = {{.decl = type_called(m->schema, "Before")}, *read, {.decl = type_called(m->schema, "Has")}};
    datum has = {.number = has_flock};
    codec_error error;
    size_t size, stream_size;
    list[0].value.record = base_record(m->arena, list[0].decl);
    for (const field *f = list[0].decl->fields; f; f = f->next)
        *slot_of(list[0].value.record, f) = *slot_of(v->record, field_called(m->down, f->name));
    list[2].value.record = base_record(m->arena, list[2].decl);
    slot_of(list[2].value.record, list[2].decl->fields)->data = &has;
    if (has_flock)
        list[3] = *read->next;
    for (unsigned i = 0; i < 4; i++)
        list[i].next = i < (has_flock ? 3 : 2) ? &list[i + 1] : NULL;
    const uint8_t *contents = codec_write(m->arena, m->schema, m->down, v, &how, &size, &error);
    const uint8_t *stream = codec_write_stream(m->arena, m->schema, list, &how, &stream_size, &error);
    assert_non_null(contents);
    assert_non_null(stream);
    assert_int_equal(size, stream_size);
    assert_memory_equal(contents, stream, size);
}

static void keep(match *m, const datum *sent, const codec_part *parts)
{
    const uint64_t number = number_of(m, sent);
    for (const codec_part *p = parts; p; p = p->next) {
        const bool world = strcmp(p->field->name, "world") == 0;
        assert_true(p->numbered);
        assert_true(p->called == (world ? number : (number + 1) % 256));
        assert_same(m, p->decl, &slot_of(sent->record, p->field)->data[0], &p->value);
        (world ? m->worlds : m->flocks)[p->called] = p->value;
    }
}

/* What is accepted is what a writer would write. */
static void read_damaged(match *m, const codec_options *how, const uint8_t *data, size_t size)
{
    uint8_t *damaged = arena_alloc(m->arena, size);
    codec_options careless = *how;
    codec_error error;
    datum v;
    memcpy(damaged, data, size);
    damaged[dice(size)] ^= (uint8_t)(1 + dice(255));
    assert_false(codec_read(m->arena, m->schema, m->down, damaged, size, how, &v, &error));
    assert_true(error.code == PKT_ERROR_CRC || error.code == PKT_ERROR_BASELINE);
    careless.ignore_crc = true;
    careless.parts = NULL;
    if (!codec_read(m->arena, m->schema, m->down, damaged, size - dice(2), &careless, &v, &error))
        return;
    const uint8_t *again = codec_write(m->arena, m->schema, m->down, &v, how, &size, &error);
    assert_non_null(again);
    assert_memory_equal(again + 4, damaged + 4, size - 4);
}

/* The bits that were noted are those of the same value, written alone. */
static void assert_bits(match *m, const codec_part *p)
{
    uint64_t bits;
    size_t size;
    codec_error error;
    const codec_options alone = {.delta = p->delta, .base = p->base, .was = p->was, .bits = &bits, .room = SIZE_MAX};
    assert_non_null(codec_write(m->arena, m->schema, p->decl, &p->value, &alone, &size, &error));
    assert_int_equal(p->bits, bits);
}

static void compare(bool checks)
{
    unsigned refused = 0, based = 0, moved = 0, bare = 0;
    arena *a = arena_new();
    match m = match_of(a, checks);
    for (unsigned round = 0; round < ROUNDS; round++) {
        codec_part *parts = NULL;
        const codec_options how = {.id = m.schema->id,
                                   .framed = true,
                                   .seed = round % 3,
                                   .room = SIZE_MAX,
                                   .find = find_kept,
                                   .parts = &parts,
                                   .user = &m};
        codec_options elsewhere = how;
        codec_error error;
        datum again, v = any_value(a, m.down);
        size_t size;
        const uint8_t *data = codec_write(a, m.schema, m.down, &v, &how, &size, &error);
        if (!data) {
            assert_int_equal(error.code, PKT_ERROR_BASELINE);
            assert_true(strcmp(error.field, "Down.world") == 0 || strcmp(error.field, "Down.flock") == 0);
            refused++;
            continue;
        }
        assert_true(codec_read(a, m.schema, m.down, data, size, &how, &again, &error));
        assert_stream(&m, &v, parts);
        for (const codec_part *p = parts; p; p = p->next) {
            assert_bits(&m, p);
            based += p->base != NULL;
            moved += p->was != NULL;
            bare += p->base == NULL;
        }
        elsewhere.seed++;
        assert_false(codec_read(a, m.schema, m.down, data, size, &elsewhere, &again, &error));
        assert_int_equal(error.code, PKT_ERROR_CRC);
        read_damaged(&m, &how, data, size);
        keep(&m, &v, parts);
    }
    arena_free(a);
    assert_true(refused > 50 && based > 500 && moved > 100 && bare > 100);
}

static void with_end_checks(void **state)
{
    (void)state;
    compare(true);
}

static void without_end_checks(void **state)
{
    (void)state;
    compare(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_end_checks),
        cmocka_unit_test(without_end_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
