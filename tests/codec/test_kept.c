/* test_kept.c - prints values from the texts of their kept blocks, as decode does of a recording: the same as without.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "codec/codec.h"
#include "codec/codec_json.h"
#include "codec/codec_kept.h"
#include "unit.h"

#include <string.h>

/* Arrays whose blocks are whole, end early, go on in the next row, and have structs and texts; all bits are valid. */
static const char schema_text[] = "protocol kept = 1;\n"
                                  "struct Cell { bits<3> kind; if (kind == 1) { bits<8> level; } bool open[2]; }\n"
                                  "packet P {\n"
                                  "    bits<2> exact[64], longer[70];\n"
                                  "    bits<5> rows[3][40], deep[2][2][32];\n"
                                  "    float halves[33];\n"
                                  "    Cell cells[40];\n"
                                  "    bits<4> some[<=63];\n"
                                  "    optional bool flags[32];\n"
                                  "}\n";

enum { SIZE = 700, VALUES = 40, MANY = 4000 };

typedef struct tested {
    arena *arena, *scratch;
    const schema *schema;
    const decl *packet;
} tested;

static tested begin_test(void)
{
    const check_options how = {.checks = true};
    tested t = {.arena = arena_new(), .scratch = arena_new()};
    t.schema = check(t.arena, names_new(t.arena), diag_new(t.arena),
                     source_from(t.arena, "kept.pkt", schema_text, strlen(schema_text)), &how);
    assert_non_null(t.schema);
    t.packet = t.schema->decls;
    while (!t.packet->packet)
        t.packet = t.packet->next;
    return t;
}

/* A value of random bits, most of which are the same in each. */
static datum draw_value(const tested *t, unsigned number)
{
    uint8_t bytes[SIZE];
    codec_error error;
    datum v;
    uint64_t lot = number;
    const codec_options how = {0};
    for (unsigned i = 0; i < SIZE; i++) {
        lot = lot * UINT64_C(6364136223846793005) + 1442695040888963407;
        bytes[i] = (uint8_t)(lot >> 60 == 0 ? lot >> 32 : i * 37);
    }
    (void)codec_read(t->scratch, t->schema, t->packet, bytes, SIZE, &how, &v, &error);
    assert_int_equal(error.code, PKT_ERROR_TRAILING);
    return v;
}

static const char *printed(const tested *t, json_style style, const datum *v)
{
    out *o = out_new(t->scratch);
    size_t size;
    json_value(json_new(t->scratch, o, style), t->packet, v);
    return out_result(o, &size);
}

/* A value is kept once, whether it came as bytes or as JSON. */
TEST(values_from_json_share_those_from_bytes)
{
    tested t = begin_test();
    kept_values *k = kept_values_new();
    const datum v = draw_value(&t, 7);
    const char *text = printed(&t, JSON_ONE_LINE, &v), *problem;
    datum again;
    assert_true(json_read(t.scratch, t.packet, text, strlen(text), &again, &problem));
    datum first = kept_value(k, &v);
    const size_t size = kept_values_size(k);
    datum second = kept_value(k, &again);
    assert_int_equal(kept_values_size(k), size);
    release_value(k, &first);
    release_value(k, &second);
    kept_values_free(k);
    arena_free(t.scratch);
    arena_free(t.arena);
}

/* Also of values that share blocks with those before them, and when they are released in another order. */
TEST(texts_of_blocks)
{
    static const json_style styles[] = {JSON_ONE_LINE, JSON_SPACED, JSON_TIGHT};
    tested t = begin_test();
    kept_values *k = kept_values_new();
    datum kept[VALUES];
    for (unsigned i = 0; i < VALUES; i++) {
        const datum v = draw_value(&t, i);
        kept[i] = kept_value(k, &v);
        for (unsigned again = 0; again < 2; again++)
            for (unsigned s = 0; s < 3; s++)
                assert_string_equal(printed(&t, styles[s], &kept[i]), printed(&t, styles[s], &v));
        if (i % 3 == 2)
            release_value(k, &kept[i - 1]);
        arena_clear(t.scratch);
    }
    for (unsigned i = 0; i < VALUES; i++)
        if (i % 3 != 1 || i + 1 == VALUES)
            release_value(k, &kept[i]);
    assert_int_equal(kept_values_size(k), 0);
    kept_values_free(k);
    arena_free(t.scratch);
    arena_free(t.arena);
}

/* More texts than are remembered. */
TEST(too_many_texts)
{
    tested t = begin_test();
    kept_values *k = kept_values_new();
    datum *kept = ARENA_ARRAY(t.arena, datum, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        const datum v = draw_value(&t, i);
        kept[i] = kept_value(k, &v);
        assert_string_equal(printed(&t, JSON_ONE_LINE, &kept[i]), printed(&t, JSON_ONE_LINE, &v));
        arena_clear(t.scratch);
    }
    assert_true(kept_texts_size(k) <= KEPT_TEXTS && kept_texts_size(k) > KEPT_TEXTS - 1000);
    for (unsigned i = 0; i < MANY; i++)
        release_value(k, &kept[i]);
    assert_int_equal(kept_values_size(k), 0);
    assert_int_equal(kept_texts_size(k), 0);
    kept_values_free(k);
    arena_free(t.scratch);
    arena_free(t.arena);
}
