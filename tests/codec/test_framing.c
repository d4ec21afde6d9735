/* test_framing.c - compares frames of the runtime with frames of the codec: random ones, damaged and cut ones.
 * SPDX-License-Identifier: MIT
 *
 * put and get stand for generated code: they write and read the numbers of the schema below.
 */
#include "check/check.h"
#include "codec/codec.h"
#include "unit.h"

#include <string.h>

enum { ROUNDS = 3000, MOST = 12 };

static const char schema_text[] = "protocol game = 1;\n"
                                  "struct Head { bits<3> head; }\n"
                                  "packet Byte { u8 byte; }\n";

static uint64_t seed_of_lot = 7;

static uint64_t lot(uint64_t below)
{
    seed_of_lot = seed_of_lot * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed_of_lot >> 33) % below;
}

static const schema *checked(arena *a, bool checks)
{
    const check_options options = {.checks = checks};
    const source *text = source_from(a, "game.pkt", schema_text, strlen(schema_text));
    const schema *s = check(a, names_new(a), diag_new(a), text, &options);
    assert_non_null(s);
    return s;
}

static const decl *type_of(const schema *s, const char *name)
{
    const decl *d = s->decls;
    while (strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

static void put(pkt_writer *w, uint64_t number, unsigned bits)
{
    assert_true(pkt_writer_bits_left(w) >= bits);
    for (unsigned i = 0; i < bits; i++) {
        w->carry |= (number >> i & 1) << w->bit % 8;
        w->data[w->bit / 8] = (uint8_t)w->carry;
        w->bit++;
        if (w->bit % 8 == 0)
            w->carry = 0;
    }
}

static bool get(pkt_reader *r, unsigned bits, const char *name)
{
    if (pkt_reader_bits_left(r) < bits) {
        pkt_fail_reader(r, PKT_ERROR_END, r->bit, name);
        return false;
    }
    r->bit += bits;
    return true;
}

/* What is being compared. */
typedef struct trial {
    arena *arena;
    const schema *schema;
    codec_part expected[2]; /* a head, then one byte or many */
    pkt_frame frame;
    codec_options how;
    uint8_t data[64];
    size_t size;
} trial;

/* Writes a head and bytes both ways. */
static void write_both(trial *t)
{
    const size_t count = lot(MOST + 1);
    codec_part *parts = ARENA_ARRAY(t->arena, codec_part, count + 1);
    bases *b = bases_new(t->arena);
    codec_error error;
    size_t size;
    pkt_writer w;
    pkt_writer_init(&w, t->data, sizeof t->data);
    assert_true(pkt_writer_frame_begin(&w, &t->frame));
    for (size_t i = 0; i <= count; i++) {
        const unsigned bits = i == 0 ? 3 : 8;
        const uint64_t sent = lot(UINT64_C(1) << bits);
        parts[i].decl = t->expected[i != 0].decl;
        parts[i].value.record = bases_record(b, t->arena, parts[i].decl);
        slot *number = slot_of(parts[i].value.record, parts[i].decl->fields);
        number->data = ARENA_NEW(t->arena, datum);
        number->data->number = sent;
        parts[i].next = i < count ? &parts[i + 1] : NULL;
        put(&w, sent, bits);
    }
    t->size = pkt_writer_frame_end(&w, &t->frame, t->how.seed);
    assert_int_not_equal(t->size, 0);
    const uint8_t *bytes = codec_write_stream(t->arena, t->schema, parts, &t->how, &size, &error);
    assert_non_null(bytes);
    assert_int_equal(size, t->size);
    assert_memory_equal(bytes, t->data, size);
}

/* Reads bytes both ways, from memory of exactly their size: the verdict must be the same. */
static pkt_code read_both(trial *t)
{
    uint8_t *exact = malloc(t->size != 0 ? t->size : 1);
    codec_part *parts;
    codec_error error;
    size_t count = 0, read = 0;
    pkt_reader r;
    assert_non_null(exact);
    memcpy(exact, t->data, t->size);
    pkt_reader_init(&r, exact, t->size);
    if (pkt_reader_frame_begin(&r, &t->frame, t->how.seed) && get(&r, 3, "Head.head")) {
        const bool many = t->expected[1].many;
        while ((many ? pkt_reader_bits_left(&r) >= 8 : count == 0) && get(&r, 8, "Byte.byte"))
            count++;
        pkt_reader_frame_end(&r, &t->frame);
    }
    const bool good = codec_read_stream(t->arena, t->schema, t->expected, exact, t->size, &t->how, &parts, &error);
    assert_int_equal(error.code, r.error.code);
    assert_int_equal(good, r.error.code == PKT_OK);
    assert_true(error.bit == r.error.bit);
    assert_string_equal(error.field, r.error.field);
    for (; parts != NULL; parts = parts->next)
        read++;
    if (good)
        assert_int_equal(read, count + 1);
    free(exact);
    return error.code;
}

/* Makes the crc right again, so that what is behind it is looked at: as a frame without an end check. */
static void sign(trial *t)
{
    const pkt_frame bare = {t->frame.protocol_id, t->frame.name, false};
    uint8_t contents[sizeof t->data];
    pkt_writer w;
    const size_t size = t->size;
    memcpy(contents, t->data, size);
    pkt_writer_init(&w, t->data, sizeof t->data);
    assert_true(pkt_writer_frame_begin(&w, &bare));
    for (size_t i = 4; i < size; i++)
        put(&w, contents[i], 8);
    assert_int_equal(pkt_writer_frame_end(&w, &bare, t->how.seed), size);
}

static void damage(trial *t)
{
    switch (lot(4)) {
    case 0: t->data[lot(t->size)] ^= (uint8_t)(1u << lot(8)); break;
    case 1: t->size = lot(t->size + 1); break;
    case 2:
        for (size_t more = 1 + lot(3); more > 0; more--)
            t->data[t->size++] = lot(2) != 0 ? (uint8_t)lot(256) : 0;
        break;
    default: t->how.seed += lot(2); break;
    }
    if (t->size >= 4 && lot(4) != 0)
        sign(t);
}

static void compare(bool checks)
{
    static const uint64_t seeds[] = {0, 1, UINT64_C(0x1122334455667788), UINT64_MAX};
    unsigned seen[PKT_ERROR_VALUE + 1] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        arena *a = arena_new();
        const schema *s = checked(a, checks);
        trial t = {.arena = a, .schema = s, .frame = {s->id, round % 2 != 0 ? "Update" : "U", checks}};
        t.expected[0] = (codec_part){.decl = type_of(s, "Head"), .next = &t.expected[1]};
        t.expected[1] = (codec_part){.decl = type_of(s, "Byte"), .many = true};
        t.how = (codec_options){
            .id = s->id, .framed = true, .frame = t.frame.name, .seed = seeds[lot(4)], .room = SIZE_MAX};
        write_both(&t);
        seen[read_both(&t)]++;
        damage(&t);
        t.expected[1].many = lot(3) != 0;
        seen[read_both(&t)]++;
        arena_free(a);
    }
    /* Every way to refuse a frame has occurred. */
    assert_true(seen[PKT_OK] >= ROUNDS);
    assert_int_not_equal(seen[PKT_ERROR_END], 0);
    assert_int_not_equal(seen[PKT_ERROR_CRC], 0);
    assert_int_not_equal(seen[PKT_ERROR_PADDING], 0);
    assert_int_not_equal(seen[PKT_ERROR_TRAILING], 0);
    if (checks)
        assert_int_not_equal(seen[PKT_ERROR_CHECK], 0);
}

TEST(with_end_checks)
{
    compare(true);
}

TEST(without_end_checks)
{
    compare(false);
}
