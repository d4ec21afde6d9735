/* test_reflect.c - tests printing and visiting values with the reflection that pktc --reflect writes.
 * SPDX-License-Identifier: MIT
 */
#include "reflect_codec.h"
#include "reflect_reflect.h"
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- printing */

typedef struct text {
    char bytes[4096];
    size_t size;
} text;

static void take(void *user, const char *bytes, size_t size)
{
    text *t = user;
    assert_true(t->size + size < sizeof t->bytes);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = 0;
}

static const char *printed(text *t, const pkt_type *type, const void *value)
{
    t->size = 0;
    t->bytes[0] = 0;
    pkt_print_to(take, t, type, value);
    return t->bytes;
}

TEST(test_base_values)
{
    text t;
    All all;
    All_init(&all);
    assert_string_equal(printed(&t, &All_reflection, &all), "All {\n"
                                                            "    on: false\n"
                                                            "    few: 0\n"
                                                            "    most: 0\n"
                                                            "    least: 0\n"
                                                            "    near_zero: 0\n"
                                                            "    fine: 0\n"
                                                            "    finest: 0\n"
                                                            "    raw: 0\n"
                                                            "    wide: 0\n"
                                                            "    share: 0\n"
                                                            "    mode: off\n"
                                                            "    modes: [off, off]\n"
                                                            "    keys: 0\n"
                                                            "    name: \"\"\n"
                                                            "    names: [\"\", \"\"]\n"
                                                            "    tag: <>\n"
                                                            "    list: []\n"
                                                            "    grid: [[0, 0, 0], [0, 0, 0]]\n"
                                                            "    dots: []\n"
                                                            "    board: [\n"
                                                            "        0: [\n"
                                                            "            0: {\n"
                                                            "                x: 0\n"
                                                            "                y: 0\n"
                                                            "            }\n"
                                                            "        ]\n"
                                                            "        1: [\n"
                                                            "            0: {\n"
                                                            "                x: 0\n"
                                                            "                y: 0\n"
                                                            "            }\n"
                                                            "        ]\n"
                                                            "    ]\n"
                                                            "    extra: 0\n"
                                                            "    target: null\n"
                                                            "    shape: dot {\n"
                                                            "        x: 0\n"
                                                            "        y: 0\n"
                                                            "    }\n"
                                                            "    shapes: [\n"
                                                            "        0: dot {\n"
                                                            "            x: 0\n"
                                                            "            y: 0\n"
                                                            "        }\n"
                                                            "        1: dot {\n"
                                                            "            x: 0\n"
                                                            "            y: 0\n"
                                                            "        }\n"
                                                            "    ]\n"
                                                            "    nothing: {}\n"
                                                            "}\n");
}

/* One of the lines that a value prints must be `line`. */
static void expect_line(const All *all, const char *line)
{
    text t;
    char whole[256];
    snprintf(whole, sizeof whole, "\n    %s\n", line);
    if (!strstr(printed(&t, &All_reflection, all), whole))
        fail_msg("no line '%s' in\n%s", line, t.bytes);
}

TEST(test_values)
{
    static const uint8_t grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    Dot dot = {-3, 0.5f};
    All all;
    All_init(&all);
    all.on = true;
    all.few = 7;
    all.most = UINT64_MAX;
    all.least = INT64_MIN;
    all.near_zero = -5;
    all.mode = Mode_high;
    all.modes[0] = Mode_low;
    all.modes[1] = 2;
    all.keys = Keys_fire | Keys_crouch;
    all.tag_size = 2;
    all.tag[0] = 1;
    all.tag[1] = 0xff;
    all.list_count = 2;
    all.list[0] = 65535;
    memcpy(all.grid, grid, sizeof grid);
    all.has_maybe = true;
    all.maybe = 200;
    all.target = &dot;
    expect_line(&all, "on: true");
    expect_line(&all, "few: 7");
    expect_line(&all, "most: 18446744073709551615");
    expect_line(&all, "least: -9223372036854775808");
    expect_line(&all, "near_zero: -5");
    expect_line(&all, "mode: high");
    expect_line(&all, "modes: [low, 2]");
    expect_line(&all, "keys: fire | crouch");
    expect_line(&all, "tag: <01 ff>");
    expect_line(&all, "list: [65535, 0]");
    expect_line(&all, "grid: [[1, 2, 3], [4, 5, 6]]");
    expect_line(&all, "maybe: 200");
    expect_line(&all, "target: -> Dot");
    all.least = INT64_MAX;
    expect_line(&all, "least: 9223372036854775807");
    all.keys = 0xf8 | Keys_jump;
    expect_line(&all, "keys: jump | 248");
}

TEST(test_reals)
{
    static const struct {
        double v;
        const char *single, *wide;
    } reals[] = {
        {0.1, "raw: 0.1", "wide: 0.1"},
        {1.0 / 3, "raw: 0.33333334", "wide: 0.3333333333333333"},
        {10, "raw: 10", "wide: 10"},
        {-200, "raw: -200", "wide: -200"},
        {1e6, "raw: 1000000", "wide: 1000000"},
        {1234.5, "raw: 1234.5", "wide: 1234.5"},
        {123456789, "raw: 123456792", "wide: 123456789"},
        {9999999999999998, "raw: 1e+16", "wide: 9999999999999998"},
        {1e16, "raw: 1e+16", "wide: 1e+16"},
        {0.000015, "raw: 0.000015", "wide: 0.000015"},
        {0.00001, "raw: 0.00001", "wide: 0.00001"},
        {0.000009, "raw: 9e-06", "wide: 9e-06"},
        {-1e20, "raw: -1e+20", "wide: -1e+20"},
        {5e-324, "raw: 0", "wide: 5e-324"},
        {0.1 + 0.2, "raw: 0.3", "wide: 0.30000000000000004"},
        {16777216, "raw: 16777216", "wide: 16777216"},
        {-0.0, "raw: -0", "wide: -0"},
        {INFINITY, "raw: inf", "wide: inf"},
        {-INFINITY, "raw: -inf", "wide: -inf"},
        {NAN, "raw: nan", "wide: nan"},
    };
    All all;
    All_init(&all);
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        all.raw = (float)reals[i].v;
        all.wide = reals[i].v;
        expect_line(&all, reals[i].single);
        expect_line(&all, reals[i].wide);
    }
    all.fine = -57;
    expect_line(&all, "fine: -3.5625");
    all.finest = INT64_MIN;
    expect_line(&all, "finest: -1");
    all.finest = 1;
    expect_line(&all, "finest: 0.000000000000000000108420217248550443400745280086994171142578125");
}

/* Sets a locale with a decimal comma. Returns false if none can be made. */
static bool use_comma(const char *directory)
{
    static const char locale[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n";
    char command[512];
    snprintf(command, sizeof command,
             "cd '%s' && printf '%%s' '%s' >source && localedef -c -i source ./comma >said 2>&1", directory, locale);
    /* localedef warns about everything that the locale does not define. */
    (void)!system(command);
    setenv("LOCPATH", directory, 1);
    return setlocale(LC_NUMERIC, "comma") != NULL;
}

/* Numbers are printed with a decimal point, and with no more digits, in any locale. */
TEST(test_a_decimal_comma)
{
    char directory[] = "/tmp/pkt-locale-XXXXXX", command[64];
    All all;
    All_init(&all);
    all.raw = 0.1f;
    all.wide = -2.5e-7;
    assert_non_null(mkdtemp(directory));
    const bool there = use_comma(directory);
    if (there) {
        expect_line(&all, "raw: 0.1");
        expect_line(&all, "wide: -2.5e-07");
    }
    setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    assert_int_equal(system(command), 0);
    if (!there)
        skip();
}

TEST(test_texts)
{
    All all;
    All_init(&all);
    strcpy(all.name, "a\"b\\\n\t\x01\x7f");
    strcpy(all.names[0], "h\xc3\xa9y");
    strcpy(all.names[1], "\xc3(\xff");
    expect_line(&all, "name: \"a\\\"b\\\\\\n\\t\\u0001\\u007f\"");
    expect_line(&all, "names: [\"h\xc3\xa9y\", \"\\xc3(\\xff\"]");
    strcpy(all.name, "\xc2\x80 \xdf\xbf\xe0\xa0\x80 \xf0\x90\x80\x80");
    strcpy(all.names[0], "\xef\xbf\xbf\xf4\x8f\xbf\xbf\x1f \"");
    strcpy(all.names[1], "\x80\xe0\xa0");
    expect_line(&all, "name: \"\\u0080 \xdf\xbf\xe0\xa0\x80 \xf0\x90\x80\x80\"");
    expect_line(&all, "names: [\"\xef\xbf\xbf\xf4\x8f\xbf\xbf\\u001f \\\"\", \"\\x80\\xe0\\xa0\"]");
    strcpy(all.name, "\xe2\x80\xae\xd8\x9c\xc2\x9f\xe2\x81\xa9");
    expect_line(&all, "name: \"\\u202e\\u061c\\u009f\\u2069\"");
    memset(all.name, 'x', sizeof all.name);
    expect_line(&all, "name: \"xxxxxxxxxxxxx\"");
    /* Half a character at the end of the member. The bytes after it would complete it. */
    all.name[sizeof all.name - 1] = '\xc3';
    strcpy(all.names[0], "\xa9");
    expect_line(&all, "name: \"xxxxxxxxxxxx\\xc3\"");
}

TEST(test_structs)
{
    text t;
    Shape shape;
    Shape_init(&shape);
    shape.tag = Shape_tag_blob;
    memset(&shape.as, 0, sizeof shape.as);
    shape.as.blob.data_size = 1;
    shape.as.blob.parts_size[1] = 2;
    shape.as.blob.parts[1][1] = 0xab;
    assert_string_equal(printed(&t, &Shape_reflection, &shape),
                        "Shape: blob {\n    data: <00>\n    parts: [<>, <00 ab>]\n}\n");
    shape.tag = Shape_tag_nothing;
    assert_string_equal(printed(&t, &Shape_reflection, &shape), "Shape: nothing {}\n");
    shape.tag = 77;
    assert_string_equal(printed(&t, &Shape_reflection, &shape), "Shape: ?\n");
    Mode mode = Mode_low;
    assert_string_equal(printed(&t, &Mode_reflection, &mode), "Mode: low\n");
    Keys keys = Keys_jump;
    assert_string_equal(printed(&t, &Keys_reflection, &keys), "Keys: jump\n");
    /* Members and names after the last one are not used. */
    pkt_entry entries[4];
    pkt_type fewer = Shape_reflection;
    assert_int_equal(fewer.count, 4);
    memcpy(entries, fewer.entries, sizeof entries);
    entries[0].span = 1;
    fewer.entries = entries;
    shape.tag = Shape_tag_nothing;
    assert_string_equal(printed(&t, &fewer, &shape), "Shape: ?\n");
    fewer = Mode_reflection;
    fewer.count = 1;
    assert_string_equal(printed(&t, &fewer, &mode), "Mode: 3\n");
    fewer = Keys_reflection;
    fewer.count = 1;
    assert_string_equal(printed(&t, &fewer, &keys), "Keys: 2\n");
}

/* Prints the elements that are present, with their index. Presence bits after the last element do not count. */
TEST(test_others)
{
    text t;
    Others v;
    Others_init(&v);
    assert_string_equal(printed(&t, &Others_reflection, &v),
                        "Others {\n"
                        "    values: []\n"
                        "    dots: []\n"
                        "    turn: (0, 0, 0, 1)\n"
                        "    up: (0, 0, 1)\n"
                        "    id: 0\n"
                        "    start: 0\n"
                        "    end: 0\n"
                        "    whole: 0\n"
                        "    deep: [[[[[[[[0, 0]]], [[[0, 0]]]]]], [[[[[[0, 0]]], [[[0, 0]]]]]]]]\n"
                        "}\n");
    v.values[3] = 7;
    v.values[69] = 8;
    v.values_present[0] = 1 << 3;
    v.values_present[1] = ~UINT64_C(0) << 5 | 1;
    v.dots_present[0] = 1 << 2;
    v.dots[2].x = -1;
    v.up.z = -0.5f;
    v.id = 70000;
    v.has_blobs = true;
    v.blobs_count = 1;
    v.blobs_size[0] = 1;
    v.blobs[0][0] = 0x0a;
    v.whole = -8;
    for (uint8_t i = 0; i < sizeof v.deep; i++)
        ((uint8_t *)v.deep)[i] = (uint8_t)(i + 1);
    assert_string_equal(printed(&t, &Others_reflection, &v),
                        "Others {\n"
                        "    values: [3: 7, 64: 0, 69: 8]\n"
                        "    dots: [\n"
                        "        2: {\n"
                        "            x: -1\n"
                        "            y: 0\n"
                        "        }\n"
                        "    ]\n"
                        "    turn: (0, 0, 0, 1)\n"
                        "    up: (0, 0, -0.5)\n"
                        "    id: 70000\n"
                        "    start: 0\n"
                        "    end: 0\n"
                        "    blobs: [<0a>]\n"
                        "    whole: -8\n"
                        "    deep: [[[[[[[[1, 2]]], [[[3, 4]]]]]], [[[[[[5, 6]]], [[[7, 8]]]]]]]]\n"
                        "}\n");
}

/* Wrong counts and sizes are used only as far as they are in range; the sanitizer checks that. */
TEST(test_wild_values)
{
    text t;
    for (int fill = 0; fill < 256; fill += 51) {
        All *all = malloc(sizeof *all);
        memset(all, fill, sizeof *all);
        all->on = all->has_maybe = all->has_maybes = true;
        all->shape.tag = Shape_tag_dot; /* else its bytes would not fit into the text */
        all->shapes[0].tag = all->shapes[1].tag = 200;
        printed(&t, &All_reflection, all);
        assert_non_null(strstr(t.bytes, "shapes: [\n        0: ?\n        1: ?\n"));
        free(all);
    }
}

/* ---- visiting */

typedef struct seen {
    unsigned values, begun, ended, left;
    uint32_t deepest;
    double sum;
} seen;

static bool look(void *user, const pkt_item *item)
{
    seen *s = user;
    switch (item->step) {
    case PKT_STEP_VALUE:
        s->values++;
        if (item->kind == PKT_KIND_FLOAT || item->kind == PKT_KIND_FIXED)
            s->sum += pkt_item_real(item);
        if (item->kind == PKT_KIND_STRING)
            assert_int_equal(pkt_item_integer(item), 0);
        if (item->kind == PKT_KIND_SIGNED)
            s->sum += (double)(int64_t)pkt_item_integer(item);
        break;
    case PKT_STEP_ARRAY:
    case PKT_STEP_STRUCT:
    case PKT_STEP_UNION: s->begun++; break;
    case PKT_STEP_ARRAY_END:
    case PKT_STEP_STRUCT_END:
    case PKT_STEP_UNION_END: s->ended++; break;
    }
    if (item->depth > s->deepest)
        s->deepest = item->depth;
    return --s->left != 0;
}

TEST(test_walk)
{
    All all;
    seen s = {.left = UINT32_MAX};
    All_init(&all);
    all.dots_count = 2;
    all.dots[0].x = -3;
    all.dots[1].y = 0.25f;
    assert_true(pkt_visit(&All_reflection, &all, look, &s));
    assert_int_equal(s.begun, s.ended);
    assert_int_equal(s.deepest, 4); /* All, board, its rows, a Dot, x */
    assert_true(s.sum == -2.75);
    all.fine = -57;
    all.finest = INT64_MIN / 4;
    s.sum = 0;
    assert_true(pkt_visit(&All_reflection, &all, look, &s));
    assert_true(s.sum == -2.75 - 3.5625 - 0.25);
    all.fine = 64;
    all.finest = 0;
    s.sum = 0;
    assert_true(pkt_visit(&All_reflection, &all, look, &s));
    assert_true(s.sum == -2.75 + 4);
    seen cut = {.left = 5};
    assert_false(pkt_visit(&All_reflection, &all, look, &cut));
    assert_int_equal(cut.values, 4);
}

/* The addresses at which the arrays of `board` begin, including its rows. */
typedef struct rows {
    const uint8_t *begin[4];
    unsigned count;
} rows;

static bool look_for_rows(void *user, const pkt_item *item)
{
    rows *r = user;
    if (item->step == PKT_STEP_ARRAY && strcmp(item->member->name, "board") == 0)
        r->begin[r->count++] = item->value;
    return true;
}

TEST(test_rows)
{
    All all;
    rows r = {.count = 0};
    All_init(&all);
    assert_true(pkt_visit(&All_reflection, &all, look_for_rows, &r));
    assert_int_equal(r.count, 3);
    assert_ptr_equal(r.begin[0], all.board);
    assert_ptr_equal(r.begin[1], all.board[0]);
    assert_ptr_equal(r.begin[2], all.board[1]);
}

static const pkt_member *member_of(const pkt_type *type, const char *name)
{
    static pkt_member m;
    memset(&m, 0, sizeof m);
    while (pkt_next_member(type, &m))
        if (strcmp(m.name, name) == 0)
            return &m;
    return NULL;
}

static const pkt_member *member(const char *name)
{
    return member_of(&All_reflection, name);
}

TEST(test_members_in_branches)
{
    static const struct {
        const char *name;
        bool conditional;
    } expected[] = {{"which", false}, {"once", true},  {"always", false}, {"before", true},
                    {"inner", true},  {"other", true}, {"behind", true},  {"last", false}};
    pkt_member m = {0};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(pkt_next_member(&Branches_reflection, &m));
        assert_string_equal(m.name, expected[i].name);
        assert_int_equal(m.conditional, expected[i].conditional);
    }
    assert_false(pkt_next_member(&Branches_reflection, &m));
}

TEST(test_descriptions)
{
    assert_null(member("hidden"));
    assert_true(member("extra")->conditional);
    assert_false(member("on")->conditional);
    assert_int_equal(member("near_zero")->bits, 4);
    assert_true((int64_t)member("near_zero")->low == -5 && member("near_zero")->high == 5);
    assert_int_equal(member("share")->bits, 10);
    assert_true(member("share")->step == 0.001 && member("share")->real_high == 1.0);
    assert_true(member_of(&Dot_reflection, "y")->step == 0.01 && member_of(&Dot_reflection, "y")->real_low == -8.0);
    assert_int_equal(member_of(&Others_reflection, "turn")->bits, 29);
    assert_int_equal(member_of(&Others_reflection, "up")->bits, 16);
    assert_int_equal(member_of(&Others_reflection, "id")->bits, 0);
    assert_int_equal(member_of(&Others_reflection, "start")->bits, 32);
    assert_int_equal(member("grid")->dims[1], 3);
    assert_int_equal(member("grid")->value.size, 6);
    assert_int_equal(member("dots")->count.offset, offsetof(All, dots_count));
    assert_int_equal(member("maybes")->has.offset, offsetof(All, has_maybes));
    assert_int_equal(member("target")->high, 9);
    assert_ptr_equal(member("target")->type, &Dot_reflection);
    pkt_member blob = {0};
    assert_true(pkt_next_member(&Shape_reflection, &blob) && pkt_next_member(&Shape_reflection, &blob));
    assert_string_equal(blob.name, "blob");
    assert_ptr_equal(blob.type, &Blob_reflection);
    assert_int_equal(blob.value.offset, offsetof(Shape, as.blob));
    assert_int_equal(blob.value.size, sizeof(Blob));
    assert_int_equal(All_reflection.max_bits, All_MAX_BITS);
    assert_string_equal(pkt_enum_name(&Mode_reflection, 4), "high");
    assert_null(pkt_enum_name(&Mode_reflection, 5));
}

/* ---- copies, which explain deltas: they follow the table of a type, too */

TEST(test_copies)
{
    for (unsigned tag = Shape_tag_dot; tag <= Shape_tag_nothing; tag++) {
        for (unsigned count = 0; count <= 3; count++) {
            All all, copy;
            All_init(&all);
            all.shape.tag = (Shape_tag)tag;
            if (tag == Shape_tag_dot)
                all.shape.as.dot = (Dot){.x = 7, .y = -8};
            all.shapes[1].tag = Shape_tag_dot;
            all.shapes[1].as.dot = (Dot){.x = -9, .y = 1};
            all.dots_count = (uint8_t)count;
            for (unsigned i = 0; i < count; i++)
                all.dots[i] = (Dot){.x = (int8_t)i, .y = (float)i};
            memset(&copy, 0x55, sizeof copy);
            pkt_type_copy(&All_type_, (char *)&copy, (const char *)&all);
            assert_true(All_equal(&copy, &all));
        }
    }
    /* A baseline may have a count that is too large. Its elements are not copied. */
    All all, copy;
    All_init(&all);
    memset(&copy, 0x55, sizeof copy);
    all.dots_count = 4;
    pkt_type_copy(&All_type_, (char *)&copy, (const char *)&all);
    assert_int_equal(copy.dots_count, 4);
    assert_int_equal(copy.dots[0].x, 0x55);
}
