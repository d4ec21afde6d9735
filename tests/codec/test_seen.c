/* test_seen.c - reads deltas that were read before, and others of which nearly all bits are the same: with what was seen and
 * without, the values and the errors are the same.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "codec/codec.h"
#include "codec/codec_json.h"
#include "unit.h"

#include <string.h>

static const char schema_text[] =
    "protocol seen = 1;\n"
    "struct Head { bits<5> head; }\n"
    "struct Rest { bits<9> rest; }\n"
    "struct At @delta { int<0, 90> x delta<2, 4>, y delta<2, 4>; }\n"
    "struct World @delta { At all[<=20]; compact u32 name; if (all_count > 1) { u16 more; } }\n"
    "struct Even @delta { align; bits<8> a, b; }\n";

enum { MOST = 200, HEADS = 3 /* at most, before a delta */ };

typedef struct tested {
    arena *arena;
    const schema *schema;
    codec_seen seen[SEEN_DELTAS];
} tested;

static const decl *type_of(const tested *t, const char *name)
{
    const decl *d = t->schema->decls;
    while (strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

static tested begin_test(void)
{
    const check_options how = {.checks = true};
    tested t = {.arena = arena_new()};
    t.schema = check(t.arena, names_new(t.arena), diag_new(t.arena),
                     source_from(t.arena, "seen.pkt", schema_text, strlen(schema_text)), &how);
    assert_non_null(t.schema);
    return t;
}

static datum from_json(const tested *t, const char *of, const char *text)
{
    datum v;
    const char *problem;
    assert_true(json_read(t->arena, type_of(t, of), text, strlen(text), &v, &problem));
    return v;
}

/* So many heads, a delta to a base, and what comes behind it. */
static codec_part *list_of(const tested *t, unsigned heads, const char *of, const datum *base, const datum *v)
{
    codec_part *all = ARENA_ARRAY(t->arena, codec_part, HEADS + 2);
    for (unsigned i = 0; i < heads + 2; i++) {
        all[i].decl = type_of(t, i < heads ? "Head" : i == heads ? of : "Rest");
        all[i].value = i < heads ? from_json(t, "Head", "{\"head\": 21}") : from_json(t, "Rest", "{\"rest\": 300}");
        all[i].next = i < heads + 1 ? &all[i + 1] : NULL;
    }
    all[heads].delta = true;
    all[heads].base = base;
    if (v)
        all[heads].value = *v;
    return all;
}

static uint8_t *written(const tested *t, const codec_part *list, size_t *size)
{
    codec_error error;
    const codec_options how = {.room = MOST};
    uint8_t *bytes = codec_write_stream(t->arena, t->schema, list, &how, size, &error);
    assert_non_null(bytes);
    return bytes;
}

/* What comes of bytes, as a text. *part: the delta, if it was read. */
static const char *outcome(const tested *t, const codec_part *list, const uint8_t *bytes, size_t size, bool seen,
                           const codec_part **part)
{
    codec_part *parts;
    codec_error error;
    const codec_options how = {.seen = seen ? t->seen : NULL};
    const bool good = codec_read_stream(t->arena, t->schema, list, bytes, size, &how, &parts, &error);
    out *o = out_new(t->arena);
    size_t length;
    *part = parts;
    while (*part && !(*part)->delta)
        *part = (*part)->next;
    json_parts(json_new(t->arena, o, JSON_ONE_LINE), parts, false);
    return arena_printf(t->arena, "%u %u %u %s %s", (unsigned)good, (unsigned)error.code, (unsigned)error.bit,
                        error.field, out_result(o, &length));
}

static void note_seen(tested *t, const codec_part *p, const uint8_t *bytes)
{
    static unsigned next;
    const size_t begin = (size_t)(p->first / 8), size = (size_t)((p->first + p->bits + 7) / 8) - begin;
    codec_seen *s = &t->seen[next++ % SEEN_DELTAS];
    *s = (codec_seen){.decl = p->decl, .base = *p->base, .value = p->value, .first = p->first % 8, .bits = p->bits};
    s->data = arena_alloc(t->arena, size + CODEC_AHEAD);
    assert_true(s->bits > 0);
    memcpy(s->data, bytes + begin, size);
}

/* The same with what was seen and without. Returns whether it was taken from that. */
static bool is_taken(const tested *t, const codec_part *list, const uint8_t *bytes, size_t size)
{
    const codec_part *with, *without;
    const char *expected = outcome(t, list, bytes, size, false, &without);
    assert_string_equal(outcome(t, list, bytes, size, true, &with), expected);
    for (unsigned i = 0; i < SEEN_DELTAS; i++)
        if (with && with->value.record == t->seen[i].value.record)
            return true;
    return false;
}

static const char before[] = "{\"all\": [{\"x\": 5, \"y\": 9}, {\"x\": 7, \"y\": 80}], \"name\": 70000, \"more\": 3}",
                  after[] = "{\"all\": [{\"x\": 6, \"y\": 9}, {\"x\": 70, \"y\": 81}, {\"x\": 1, \"y\": 2}], "
                            "\"name\": 12, \"more\": 9}";

TEST(deltas_at_other_places)
{
    tested t = begin_test();
    const datum base = from_json(&t, "World", before), like = from_json(&t, "World", before),
                v = from_json(&t, "World", after);
    for (unsigned from = 0; from <= HEADS; from++) {
        const codec_part *part, *list = list_of(&t, from, "World", &base, &v);
        size_t size;
        const uint8_t *bytes = written(&t, list, &size);
        outcome(&t, list, bytes, size, false, &part);
        note_seen(&t, part, bytes);
        for (unsigned to = 0; to <= HEADS; to++) {
            bytes = written(&t, list_of(&t, to, "World", &base, &v), &size);
            assert_true(is_taken(&t, list_of(&t, to, "World", &base, NULL), bytes, size));
            assert_false(is_taken(&t, list_of(&t, to, "World", &like, NULL), bytes, size));
            assert_false(is_taken(&t, list_of(&t, to, "World", NULL, NULL), bytes, size));
        }
        memset(t.seen, 0, sizeof t.seen);
    }
    arena_free(t.arena);
}

TEST(other_bits)
{
    tested t = begin_test();
    const datum base = from_json(&t, "World", before), v = from_json(&t, "World", after);
    const codec_part *part, *list = list_of(&t, 1, "World", &base, &v);
    size_t size;
    uint8_t *bytes = written(&t, list, &size);
    outcome(&t, list, bytes, size, false, &part);
    note_seen(&t, part, bytes);
    for (uint64_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const bool inside = bit >= part->first && bit < part->first + part->bits;
        assert_int_equal(is_taken(&t, list, bytes, size), !inside);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(is_taken(&t, list, bytes, cut), 8 * cut >= part->first + part->bits);
    arena_free(t.arena);
}

/* What an alignment takes depends on the place. */
TEST(aligned_deltas_are_not_noted)
{
    tested t = begin_test();
    const datum base = from_json(&t, "Even", "{\"a\": 1, \"b\": 2}"), v = from_json(&t, "Even", "{\"a\": 1, \"b\": 3}");
    const codec_part *part, *list = list_of(&t, 1, "Even", &base, &v);
    size_t size;
    const uint8_t *bytes = written(&t, list, &size);
    outcome(&t, list, bytes, size, false, &part);
    assert_int_equal(part->bits, 0);
    arena_free(t.arena);
}
