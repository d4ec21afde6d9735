/* test_item_names.c - an item has the same name and first bit in an error as in the list of --bits.
 * SPDX-License-Identifier: MIT
 *
 * Data that is cut off within an item must be refused in that item. The values are those of tests/codec, and deltas of
 * every coded kind.
 */
#include "check/check.h"
#include "codec/codec.h"
#include "codec/codec_json.h"
#include "process.h"
#include "unit.h"

#include <string.h>

static const char coded_text[] =
    "protocol game = 1;\n"
    "struct Part @delta { int<0, 100> x coded; quat<5> turn coded; optional bool on; }\n"
    "union Kind { Part part; }\n"
    "struct Mob @delta { i16 id; u8 health; bits<2> seen[<=3]; }\n"
    "struct World @delta {\n"
    "    u8 tick coded;\n"
    "    Part parts[7] coded;\n"
    "    u8 counted[<=9] coded;\n"
    "    Mob mobs[<=9] by id coded;\n"
    "    bits<2> grid[3][3];\n"
    "    int<0, 99> step delta<2, 4>;\n"
    "    Kind kind;\n"
    "    align;\n"
    "    if (tick > 3) { compact u32 more; string<9> text; reserved<3>; } else { u8 less; }\n"
    "}\n"
    "packet Chain { World worlds[<=3] delta(previous); }\n";

static const char world_json[] =
    "{\"tick\": 200, \"parts\": [{}, {\"x\": 1}, {\"turn\": [0.5, 0.5, 0.5, 0.5]}, {}, {\"x\": 100, \"on\": true}, {}, {}],"
    " \"counted\": [1, 0, 200, 3], \"grid\": [[0, 1, 0], [0, 0, 0], [3, 2, 1]], \"mobs\": {\"-9\": {}, \"300\": {\"seen\": [1]}}, \"step\": 9,"
    " \"kind\": {\"part\": {\"x\": 40}}, \"more\": 300, \"text\": \"seven\"}";

enum { MOST_ITEMS = 400 };

typedef struct items {
    arena *arena;
    struct {
        const char *name;
        uint64_t bit, end;
    } at[MOST_ITEMS];
    size_t count;
} items;

static void note_item(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    items *list = user;
    (void)data;
    assert_true(list->count < MOST_ITEMS);
    list->at[list->count].name = codec_place_name(list->arena, p);
    list->at[list->count].bit = bit;
    list->at[list->count++].end = bit + bits;
}

static const schema *checked(arena *a, const char *text)
{
    const check_options options = {.checks = true};
    const source *file = source_from(a, "game.pkt", text, strlen(text));
    diag *d = diag_new(a);
    const schema *s = check(a, names_new(a), d, file, &options);
    diag_print(d, DIAG_TEXT, stderr);
    assert_non_null(s);
    return s;
}

/* Writes a value, and reads all that is left of it when it is cut off after each byte. */
static void check_cuts(arena *a, const schema *s, const char *name, const char *json, codec_options how)
{
    const decl *d = s->decls;
    const char *problem = NULL;
    codec_error error;
    datum v, read;
    size_t size, cut = 0;
    items list = {.arena = a};
    while (strcmp(d->name, name) != 0)
        d = d->next;
    if (!json_read(a, d, json, strlen(json), &v, &problem))
        fail_msg("%s", problem);
    how.room = SIZE_MAX;
    const uint8_t *bytes = codec_write(a, s, d, &v, &how, &size, &error);
    assert_non_null(bytes);
    how.trace = note_item;
    how.user = &list;
    assert_true(codec_read(a, s, d, bytes, size, &how, &read, &error));
    how.trace = NULL;
    for (size_t i = 0; i < list.count; i++)
        for (; 8 * cut < list.at[i].end; cut++) {
            assert_false(codec_read(a, s, d, bytes, cut, &how, &read, &error));
            assert_string_equal(error.field, list.at[i].name);
            assert_int_equal(error.bit, list.at[i].bit);
            assert_int_equal(error.code, PKT_ERROR_END);
        }
    assert_int_equal(cut, size);
}

TEST(samples_are_cut)
{
    static const struct {
        const char *name, *type;
    } samples[] = {
        {"forms", "Forms"}, {"subsets", "Subsets"}, {"bare", "Bare"}, {"halves", "Halves"}, {"steps", "Steps"}};
    arena *a = arena_new();
    char *text = file_read("tests/codec/forms.pkt");
    const schema *s = checked(a, text);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char *file = text_format("tests/codec/%s.json", samples[i].name), *json = file_read(file);
        check_cuts(a, s, samples[i].type, json, (codec_options){0});
        if (strcmp(samples[i].type, "Forms") == 0)
            check_cuts(a, s, samples[i].type, json, (codec_options){.delta = true});
        free(json);
        free(file);
    }
    free(text);
    arena_free(a);
}

TEST(coded_deltas_are_cut)
{
    arena *a = arena_new();
    const schema *s = checked(a, coded_text);
    char *chain = text_format("{\"worlds\": [%s, {\"tick\": 2, \"less\": 3}, {}]}", world_json);
    check_cuts(a, s, "World", world_json, (codec_options){0});
    check_cuts(a, s, "World", world_json, (codec_options){.delta = true});
    check_cuts(a, s, "Chain", chain, (codec_options){0});
    free(chain);
    arena_free(a);
}

/* Of a packet with parts, the fields that name a baseline are never read from where the end check can be: if they do not
 * end before it, the crc is wrong, although it is right for these bytes. */
TEST(short_packets_with_parts)
{
    static const char *const cut[] = {"bc1bf8fd",       "31e8281000",       "5fc7cc830000",
                                      "2f6f5529000000", "bb87fa7900000000", "0e7fc88e0000000000"};
    char *file = text_format("%s/short.pkt", setting("SCRATCH"));
    file_write(file, "protocol p = 1;\nstruct W @delta { u8 x; }\n"
                     "packet A { u8 number; optional int<1, 7> back; W w delta(number from number - back); }\n");
    process_result result;
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        result = process_run("echo %s | %s decode --hex '%s' A", cut[i], setting("PKTC"), file);
        assert_string_equal(
            result.err,
            "pktc: error: refused: A.crc: damaged, or of another protocol, seed or baseline at bit 0 (crc)\n");
        process_free(&result);
    }
    result = process_run("echo f50a3435000000000000 | %s decode --hex '%s' A", setting("PKTC"), file);
    assert_string_equal(result.err, "pktc: error: refused: A.end check: constant differs at bit 42 (check)\n");
    process_free(&result);
    result = process_run("echo bc1bf8 | %s decode --hex '%s' A", setting("PKTC"), file);
    assert_string_equal(result.err, "pktc: error: refused: A.crc: data ends too early at bit 0 (end)\n");
    process_free(&result);
    free(file);
}
