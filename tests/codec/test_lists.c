/* test_lists.c - lists with keys in the codec: as JSON, as items of --bits, in values that are kept, and in baselines
 * that cannot be one. tests/data/lists.jsonl has their bytes.
 * SPDX-License-Identifier: MIT
 */
#include "check/check.h"
#include "codec/codec.h"
#include "codec/codec_json.h"
#include "codec/codec_kept.h"
#include "process.h"
#include "unit.h"

#include <string.h>

static const char schema_text[] =
    "protocol lists = 1;\n"
    "enum Kind : bits<3> { orc, elf, dwarf = 5 }\n"
    "struct Item @delta { i8 slot; bits<4> count; }\n"
    "struct Entity @delta { bool up; u16 id; Item items[<=3] by slot; if (id == 7) { u8 luck; } }\n"
    "struct Man @delta { Kind kind; int<0, 9> n coded; }\n"
    "struct World @delta { Entity entities[<=120] by id; Man men[<=3] by kind coded; }\n"
    "struct Far @delta { u64 id; bool on; }\n"
    "struct Fars @delta { Far fars[<=2] by id; }\n";

static const char world_json[] =
    "{\"entities\": {\"300\": {\"up\": true}, \"7\": {\"luck\": 9, \"items\": {\"3\": {\"count\": 1}, \"-4\": {}}}},"
    " \"men\": {\"dwarf\": {\"n\": 4}, \"3\": {}, \"orc\": {\"n\": 1}}}";

typedef struct listed {
    arena *arena;
    const schema *schema;
} listed;

static listed begin_lists(void)
{
    const check_options how = {.checks = true};
    listed t = {.arena = arena_new()};
    t.schema = check(t.arena, names_new(t.arena), diag_new(t.arena),
                     source_from(t.arena, "lists.pkt", schema_text, strlen(schema_text)), &how);
    assert_non_null(t.schema);
    return t;
}

static const decl *type_of(const listed *t, const char *name)
{
    const decl *d = t->schema->decls;
    while (strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

static datum value_of(const listed *t, const char *name, const char *json)
{
    const char *problem = NULL;
    datum v;
    if (!json_read(t->arena, type_of(t, name), json, strlen(json), &v, &problem))
        fail_msg("%s", problem);
    return v;
}

static const char *printed(const listed *t, const char *name, const datum *v)
{
    out *o = out_new(t->arena);
    size_t size;
    json_value(json_new(t->arena, o, JSON_ONE_LINE), type_of(t, name), v);
    return out_result(o, &size);
}

/* ---- JSON */

TEST(elements_come_in_any_order)
{
    listed t = begin_lists();
    const datum v = value_of(&t, "World", world_json), far = value_of(&t, "Fars",
                                                                      "{\"fars\": {\"18446744073709551615\": {}, "
                                                                      "\"2\": {\"on\": true}}}");
    assert_string_equal(
        printed(&t, "World", &v),
        "{\"entities\": {\"7\": {\"up\": false, \"items\": {\"-4\": {\"count\": 0}, \"3\": {\"count\": 1}}, \"luck\": 9},"
        " \"300\": {\"up\": true, \"items\": {}}},"
        " \"men\": {\"orc\": {\"n\": 1}, \"3\": {\"n\": 0}, \"dwarf\": {\"n\": 4}}}");
    assert_string_equal(printed(&t, "Fars", &far),
                        "{\"fars\": {\"2\": {\"on\": true}, \"18446744073709551615\": {\"on\": false}}}");
    arena_free(t.arena);
}

static void check_refused(const listed *t, const char *json, const char *wanted)
{
    const char *problem = NULL;
    datum v;
    assert_false(json_read(t->arena, type_of(t, "World"), json, strlen(json), &v, &problem));
    assert_string_equal(problem, wanted);
}

TEST(wrong_json)
{
    listed t = begin_lists();
    check_refused(&t, "{\"entities\": [{\"id\": 1}]}",
                  "World.entities: expected an object with a member for each key, found an array");
    check_refused(&t, "{\"entities\": {\"65536\": {}}}",
                  "World.entities.65536: the value must be from 0 to 65535, not 65536");
    check_refused(&t, "{\"entities\": {\"-1\": {}}}", "World.entities.-1: the value must be from 0 to 65535, not -1");
    check_refused(&t, "{\"entities\": {\"one\": {}}}", "World.entities.one: 'one' is not an integer");
    check_refused(&t, "{\"entities\": {\"7\": {}, \"300\": {}, \"007\": {}}}",
                  "World.entities: '7' and '007' are the same key");
    check_refused(&t, "{\"men\": {\"dwarf\": {}, \"5\": {}}}", "World.men: 'dwarf' and '5' are the same key");
    check_refused(&t, "{\"men\": {\"8\": {}}}", "World.men.8: the value must be from 0 to 7, not 8");
    check_refused(&t, "{\"men\": {\"dwarv\": {}}}",
                  "World.men.dwarv: Kind has no member 'dwarv': did you mean 'dwarf'?");
    check_refused(&t, "{\"men\": {\"0\": {}, \"1\": {}, \"2\": {}, \"3\": {}}}",
                  "World.men: expected an object of at most 3 elements, found 4");
    check_refused(&t, "{\"entities\": {\"7\": {\"id\": 7}}}",
                  "World.entities.7.id: the key is the name of the element: leave this member out");
    check_refused(&t, "{\"entities\": {\"7\": {\"luck\": 256}}}",
                  "World.entities.7.luck: the value must be from 0 to 255, not 256");
    check_refused(&t, "{\"entities\": {\"8\": {\"luck\": 1}}}",
                  "World.entities.8.luck: with the values of the fields before it, this field is not on the wire");
    check_refused(&t, "{\"entities\": {\"8\": {}, \"8\": {}}}", "line 1, column 26: duplicate object key near '\"8\"'");
    arena_free(t.arena);
}

/* A new element is printed as a whole, one that has changed by its changes, and one that is gone as null. */
TEST(changes)
{
    listed t = begin_lists();
    const datum
        base = value_of(&t, "World", world_json),
        now = value_of(
            &t, "World",
            "{\"entities\": {\"1\": {}, \"7\": {\"up\": true, \"luck\": 9, \"items\": {\"3\": {\"count\": 2}}}},"
            " \"men\": {\"dwarf\": {\"n\": 4}, \"3\": {}, \"orc\": {\"n\": 1}}}");
    out *o = out_new(t.arena);
    size_t size;
    json_changes(json_new(t.arena, o, JSON_ONE_LINE), type_of(&t, "World"), &now, &base);
    assert_string_equal(out_result(o, &size),
                        "{\"entities\": {\"1\": {\"up\": false, \"items\": {}},"
                        " \"7\": {\"up\": true, \"items\": {\"-4\": null, \"3\": {\"count\": 2}}}, \"300\": null}}");
    arena_free(t.arena);
}

/* ---- items */

static void check_bits(const char *options, const char *json, const char *wanted)
{
    char *pkt = text_format("%s/lists.pkt", setting("SCRATCH")),
         *input = text_format("%s/lists.json", setting("SCRATCH"));
    file_write(pkt, schema_text);
    file_write(input, json);
    process_result result = process_run("%s encode %s '%s' World '%s' | %s decode --bits %s '%s' World",
                                        setting("PKTC"), options, pkt, input, setting("PKTC"), options, pkt);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, wanted);
    process_free(&result);
    free(input);
    free(pkt);
}

TEST(items_of_lists)
{
    char *base = text_format("%s/lists-base.json", setting("SCRATCH")), *options = text_format("--base '%s'", base);
    check_bits("", world_json,
               "     bit   bits  raw                   field\n"
               "       0      7  2                     World.entities_count\n"
               "       7      6  20                    World.entities[0].id = 7\n"
               "      13      1  0                     World.entities[0].up = false\n"
               "      14      2  2                     World.entities[0].items_count\n"
               "      16     12  4064                  World.entities[0].items[0].slot = -4\n"
               "      28      4  0                     World.entities[0].items[0].count\n"
               "      32      6  12                    World.entities[0].items[1].slot = 3\n"
               "      38      4  1                     World.entities[0].items[1].count\n"
               "      42      8  9                     World.entities[0].luck\n"
               "      50     22  10688                 World.entities[1].id = 300\n"
               "      72      1  1                     World.entities[1].up = true\n"
               "      73      2  0                     World.entities[1].items_count\n"
               "      75      2  3                     World.men_count\n"
               "      77      1  1                     World.men[0].kind = \"orc\"\n"
               "      78      4  1                     World.men[0].n\n"
               "      82      4  6                     World.men[1].kind = 3\n"
               "      86      4  0                     World.men[1].n\n"
               "      90      4  2                     World.men[2].kind = \"dwarf\"\n"
               "      94      4  4                     World.men[2].n\n");
    file_write(base, world_json);
    check_bits(
        options,
        "{\"entities\": {\"1\": {}, \"7\": {\"up\": true, \"luck\": 9, \"items\": {\"3\": {\"count\": 1}, \"-4\": {}}}},"
        " \"men\": {\"dwarf\": {\"n\": 4}, \"3\": {\"n\": 9}, \"orc\": {\"n\": 1}}}",
        "     bit   bits  raw                   field\n"
        "       0      1  0                     World.form = plain\n"
        "       1      2  3                     World.changes = entities, men\n"
        "       3      1  1                     World.entities = some gone\n"
        "       4      1  1                     World.entities\n"
        "       5      2  2                     World.entities\n"
        "       7      1  1                     World.entities = a new key\n"
        "       8      4  2                     World.entities = 1\n"
        "      12      1  0                     World.entities = no new key\n"
        "      13      1  1                     World.entities\n"
        "      14      2  1                     World.entities\n"
        "      16      2  1                     World.entities[1].changes = up\n"
        "      18      1  0                     World.entities[1].changes = nothing\n"
        "      19      2  0                     World.entities[0].changes = nothing\n"
        "      21      1  0                     World.men = none gone\n"
        "      22      1  0                     World.men = no new key\n"
        "      23      1  1                     World.men\n"
        "      24      3  2                     World.men\n"
        "      27      1  1                     World.men[1].changes = n\n"
        "      28      4  9                     World.men[1].n\n");
    free(options);
    free(base);
}

/* ---- values that are kept */

enum { STEPS = 60, KEYS = 400, MOST_ELEMENTS = 120 };

typedef struct crowd {
    bool there[KEYS], up[KEYS];
    unsigned counts[KEYS];
} crowd;

static uint64_t dice_state = 5;

static unsigned dice(unsigned below)
{
    dice_state = dice_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((dice_state >> 33) % below);
}

static datum value_of_crowd(const listed *t, const crowd *c)
{
    const char *text = "{\"entities\": {", *comma = "";
    for (unsigned i = 0, count = 0; i < KEYS && count < MOST_ELEMENTS; i++) {
        if (!c->there[i])
            continue;
        text = arena_printf(t->arena, "%s%s\"%u\": {\"up\": %s, \"items\": {\"%d\": {\"count\": %u}}}", text, comma, i,
                            c->up[i] ? "true" : "false", (int)c->counts[i] - 8, c->counts[i]);
        comma = ", ";
        count++;
    }
    return value_of(t, "World", arena_printf(t->arena, "%s}}", text));
}

static void change_crowd(crowd *c)
{
    for (unsigned i = 0; i < KEYS; i++) {
        c->there[i] = dice(30) == 0 ? !c->there[i] : c->there[i];
        c->up[i] = dice(20) == 0 ? !c->up[i] : c->up[i];
        c->counts[i] = dice(20) == 0 ? dice(16) : c->counts[i];
    }
}

/* Each value is a delta to the kept one before it, whose elements have other places. */
TEST(kept_baselines)
{
    listed t = begin_lists();
    kept_values *k = kept_values_new();
    const decl *d = type_of(&t, "World");
    crowd c = {{false}, {false}, {0}};
    const datum nothing = value_of(&t, "World", "{}");
    datum base = kept_value(k, &nothing);
    for (unsigned i = 0; i < STEPS; i++) {
        codec_error error;
        size_t size;
        datum read;
        change_crowd(&c);
        const datum v = value_of_crowd(&t, &c);
        const codec_options how = {.room = SIZE_MAX, .delta = true, .base = &base};
        const uint8_t *bytes = codec_write(t.arena, t.schema, d, &v, &how, &size, &error);
        assert_non_null(bytes);
        assert_true(codec_read(t.arena, t.schema, d, bytes, size, &how, &read, &error));
        datum next = kept_value(k, &read);
        const char *wanted = printed(&t, "World", &v);
        assert_string_equal(printed(&t, "World", &next), wanted);
        assert_string_equal(printed(&t, "World", &next), wanted);
        release_value(k, &base);
        base = next;
    }
    release_value(k, &base);
    assert_int_equal(kept_values_size(k), 0);
    kept_values_free(k);
    arena_free(t.arena);
}

/* ---- keys that do not rise, or are out of range */

static void set_key(const datum *v, const char *list, uint32_t element, uint64_t number)
{
    const field *f = v->record->decl->fields;
    while (strcmp(f->name, list) != 0)
        f = f->next;
    slot_of(slot_at(slot_of(v->record, f), element)->record, f->by)->data[0].number = number;
}

static void check_write(const listed *t, const datum *base, const datum *v, pkt_code code, uint64_t bit,
                        const char *name)
{
    const codec_options how = {.room = SIZE_MAX, .delta = base != NULL, .base = base};
    codec_error error;
    size_t size;
    assert_null(codec_write(t->arena, t->schema, type_of(t, "World"), v, &how, &size, &error));
    assert_string_equal(error.field, name);
    assert_int_equal(error.code, code);
    assert_int_equal(error.bit, bit);
}

TEST(wrong_keys)
{
    static const struct {
        const char *list;
        uint32_t element;
        uint64_t key;
        pkt_code code;
        uint64_t bit; /* in the whole value */
        const char *name;
    } cases[] = {
        {"entities", 1, 7, PKT_ERROR_ORDER, 50, "World.entities[1].id"},
        {"entities", 1, 6, PKT_ERROR_ORDER, 50, "World.entities[1].id"},
        {"entities", 1, 65536, PKT_ERROR_RANGE, 50, "World.entities[1].id"},
        {"men", 0, 8, PKT_ERROR_RANGE, 77, "World.men[0].kind"},
        {"men", 1, 0, PKT_ERROR_ORDER, 82, "World.men[1].kind"},
        {"men", 2, 2, PKT_ERROR_ORDER, 90, "World.men[2].kind"},
    };
    listed t = begin_lists();
    const datum good = value_of(&t, "World", world_json);
    bases *known = bases_new(t.arena);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const datum bad = value_of(&t, "World", world_json);
        set_key(&bad, cases[i].list, cases[i].element, cases[i].key);
        check_write(&t, NULL, &bad, cases[i].code, cases[i].bit, cases[i].name);
        assert_false(codec_is_baseline(t.arena, t.schema, known, type_of(&t, "World"), &bad));
        check_write(&t, &bad, &good, cases[i].code, 0, cases[i].name);
        check_write(&t, &bad, &bad, cases[i].code, 0, cases[i].name);
        assert_false(codec_same(t.arena, t.schema, known, &good, &bad));
        /* The form bit and the mask, and of `men` after the entities. */
        check_write(&t, &good, &bad, cases[i].code, 3, cases[i].name);
    }
    arena_free(t.arena);
}
