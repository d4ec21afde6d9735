/* test_json.c - tests that what pktc writes as JSON is JSON, whatever the texts in it are.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "base/utf8.h"
#include "unit.h"

#include <string.h>

#include <jansson.h>

static void assert_written(const out *o, const char *expected)
{
    size_t size;
    assert_string_equal(out_result(o, &size), expected);
}

/* A list of each kind in each other: empty, with one element, with two. */
static void write_lists(json_writer *j)
{
    json_begin_object(j, JSON_LINES);
    json_begin_array(json_key(j, "none"), JSON_LINES);
    json_end(j);
    json_begin_array(json_key(j, "two"), JSON_LINES);
    json_begin_object(j, JSON_IN_LINE);
    json_plain(json_key(j, "a"), "%s", "true");
    json_text(json_key(j, "b"), NULL);
    json_begin_array(json_key(j, "c"), JSON_LINES);
    json_num(j, num_i64(-1));
    json_end(j);
    json_end(j);
    json_begin_object(j, JSON_IN_LINE);
    json_end(j);
    json_end(j);
    json_u64(json_key(j, "last"), UINT64_MAX);
    json_end(j);
}

/* The writer keeps no text of what it has written. */
TEST(test_memory)
{
    enum { MANY = 10000 };
    arena *a = arena_new(), *text = arena_new();
    out *o = out_new(text);
    json_writer *j = json_new(a, o, JSON_ONE_LINE);
    json_begin_array(j, JSON_IN_LINE);
    size_t before = 0;
    for (int i = 0; i < MANY; i++) {
        if (i == 1)
            before = arena_used(a);
        json_begin_object(j, JSON_IN_LINE);
        json_plain(json_key(j, "name"), "%d", i);
        json_text(json_long_key(j, "name", "_count"), "\x01\xff\"\xc3\xa9");
        json_hex(json_key(j, "hex"), (const uint8_t *)"\x01\xfe", 2);
        json_end(j);
    }
    assert_int_equal(arena_used(a), before);
    json_end(j);
    arena_free(a);
    arena_free(text);
}

TEST(test_layouts)
{
    static const char *const expected[] = {
        [JSON_SPACED] = "{\n"
                        "    \"none\": [],\n"
                        "    \"two\": [\n"
                        "        {\"a\": true, \"b\": null, \"c\": [\n"
                        "            -1\n"
                        "        ]},\n"
                        "        {}\n"
                        "    ],\n"
                        "    \"last\": 18446744073709551615\n"
                        "}",
        [JSON_ONE_LINE] =
            "{\"none\": [], \"two\": [{\"a\": true, \"b\": null, \"c\": [-1]}, {}], \"last\": 18446744073709551615}",
        [JSON_TIGHT] = "{\"none\":[],\"two\":[{\"a\":true,\"b\":null,\"c\":[-1]},{}],\"last\":18446744073709551615}",
    };
    for (int style = 0; style < 3; style++) {
        arena *a = arena_new();
        out *o = out_new(a);
        write_lists(json_new(a, o, (json_style)style));
        assert_written(o, expected[style]);
        arena_free(a);
    }
}

static void assert_text(const char *text, size_t size, const char *expected)
{
    arena *a = arena_new();
    out *o = out_new(a);
    json_bytes(json_new(a, o, JSON_SPACED), text, size);
    assert_written(o, expected);
    arena_free(a);
}

TEST(test_texts)
{
    assert_text("", 0, "\"\"");
    assert_text("a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"");
    assert_text("$name ${x} $$", 13, "\"$name ${x} $$\"");
    assert_text("\0\n\t\x1f \x7f", 6, "\"\\u0000\\u000a\\u0009\\u001f \\u007f\"");
    assert_text("\xc2\x80\xc2\x9f\xc2\xa0", 6, "\"\\u0080\\u009f\xc2\xa0\"");
    assert_text("\xe2\x80\xae\xd8\x9c\xe2\x81\xa6", 8, "\"\\u202e\\u061c\\u2066\"");
    assert_text("\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80\"");
    /* Not UTF-8: a byte alone, a character cut short, one that is longer than it need be, half of a pair. */
    assert_text("\xff", 1, "\"\\\\xff\"");
    assert_text("\xe2\x82", 2, "\"\\\\xe2\\\\x82\"");
    assert_text("\xc0\x80", 2, "\"\\\\xc0\\\\x80\"");
    assert_text("\xed\xa0\x80", 3, "\"\\\\xed\\\\xa0\\\\x80\"");
    assert_text("\xe0\xa2\"", 3, "\"\\\\xe0\\\\xa2\\\"\"");
}

/* Every text of up to three bytes out of those that matter is a string that can be read again. */
TEST(test_bytes)
{
    static const unsigned char bytes[] = {0x00, 0x1f, '"',  '\\', 'n',  '$',  0x7f, 0x80, 0x9f, 0xa6, 0xae, 0xbf,
                                          0xc0, 0xc2, 0xd8, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff};
    enum { BYTES = sizeof bytes };
    arena *a = arena_new();
    for (unsigned i = 0; i < BYTES * BYTES * BYTES; i++) {
        const char text[] = {(char)bytes[i % BYTES], (char)bytes[i / BYTES % BYTES], (char)bytes[i / BYTES / BYTES]};
        out *o = out_new(a);
        size_t size;
        json_bytes(json_new(a, o, JSON_SPACED), text, sizeof text);
        const char *made = out_result(o, &size);
        json_error_t error;
        json_t *read = json_loads(made, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
        if (!read)
            fail_msg("%s: %s", made, error.text);
        json_decref(read);
        arena_clear(a);
    }
    arena_free(a);
}

TEST(test_keys)
{
    arena *a = arena_new();
    out *o = out_new(a);
    json_writer *j = json_new(a, o, JSON_SPACED);
    json_begin_object(j, JSON_IN_LINE);
    json_hex(json_key(j, "a\"\n\xff"), (const uint8_t *)"\x00\xfa", 2);
    json_end(j);
    assert_written(o, "{\"a\\\"\\u000a\\\\xff\": \"00fa\"}");
    arena_free(a);
}

/* Elements from a text, as the first ones of a list and after others. */
TEST(test_again)
{
    arena *a = arena_new();
    out *o = out_new(a);
    json_writer *j = json_new(a, o, JSON_ONE_LINE);
    size_t size;
    assert_true(json_is_one_line(j) && !json_is_one_line(json_new(a, o, JSON_TIGHT)));
    json_begin_array(j, JSON_LINES);
    json_u64(j, 7);
    const size_t mark = json_mark(j);
    json_text(j, "a");
    json_begin_object(j, JSON_LINES);
    json_u64(json_key(j, "b"), 1);
    json_end(j);
    const char *text = json_since(j, mark, &size);
    assert_int_equal(size, strlen("\"a\", {\"b\": 1}"));
    text = arena_text(a, text, size);
    json_again(j, text, size);
    json_begin_array(j, JSON_LINES);
    json_again(j, text, size);
    json_end(j);
    json_end(j);
    assert_written(o, "[7, \"a\", {\"b\": 1}, \"a\", {\"b\": 1}, [\"a\", {\"b\": 1}]]");
    arena_free(a);
}

TEST(test_shown)
{
    arena *a = arena_new();
    assert_string_equal(utf8_shown(a, "h\xc3\xa9y\n\t\"\\"), "h\xc3\xa9y\n\t\"\\");
    assert_string_equal(utf8_shown(a, "\x1b[0m\xc2\x85 \xe2\x80\xae\xd8\x9c"), "\\u001b[0m\\u0085 \\u202e\\u061c");
    assert_string_equal(utf8_shown(a, "\xff\xe2\x80"), "\\xff\\xe2\\x80");
    arena_free(a);
}
