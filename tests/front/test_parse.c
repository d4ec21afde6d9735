/* test_parse.c - tests the compiler up to the tree: sources, names, tokens, trees and diagnostics.
 * SPDX-License-Identifier: MIT
 *
 * Errors in schemas are tested in tests/front/errors, word for word. Here are valid schemas, and what no .pkt file can
 * show.
 */
#include "front/ast.h"
#include "phases/dump_ast.h"
#include "base/diag.h"
#include "model/type_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct front {
    arena *arena;
    names *names;
    diag *diag;
    char *text; /* its output */
    size_t size;
    FILE *to;
} front;

static int begin(void **state)
{
    front *f = calloc(1, sizeof *f);
    f->arena = arena_new();
    f->names = names_new(f->arena);
    f->diag = diag_new(f->arena);
    f->to = open_memstream(&f->text, &f->size);
    *state = f;
    return f->to ? 0 : -1;
}

static int end(void **state)
{
    front *f = *state;
    fclose(f->to);
    free(f->text);
    arena_free(f->arena);
    free(f);
    return 0;
}

static const source *source_of(front *f, const char *text)
{
    return source_from(f->arena, "a.pkt", text, strlen(text));
}

static const char *printed(front *f)
{
    fflush(f->to);
    return f->text;
}

static const char *tree_of(front *f, const char *text)
{
    dump_ast(parse(f->arena, f->names, f->diag, source_of(f, text), reserved_type_word), f->to);
    diag_print(f->diag, DIAG_TEXT, f->to);
    return printed(f);
}

/* ---- sources and names */

static void assert_place(const source *s, uint32_t offset, uint32_t line, uint32_t column)
{
    uint32_t l, c;
    source_place(s, offset, &l, &c);
    assert_int_equal(l, line);
    assert_int_equal(c, column);
}

static void test_places(void **state)
{
    const source *s = source_of(*state, "\xef\xbb\xbf"
                                        "ab\r\n\nc");
    assert_int_equal(s->line_count, 3);
    assert_place(s, 0, 1, 1);
    assert_place(s, 3, 1, 1);
    assert_place(s, 5, 1, 3);
    assert_place(s, 7, 2, 1);
    assert_place(s, 8, 3, 1);
    assert_place(s, 9, 3, 2);
    uint32_t size;
    assert_memory_equal(source_line(s, 1, &size), "ab", 2);
    assert_int_equal(size, 2);
    source_line(s, 2, &size);
    assert_int_equal(size, 0);
    source_line(s, 3, &size);
    assert_int_equal(size, 1);
}

static void test_interned(void **state)
{
    front *f = *state;
    enum { COUNT = 5000 };
    const char *first[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const char *text = arena_printf(f->arena, "name%d", i);
        first[i] = intern(f->names, text, strlen(text));
    }
    for (int i = 0; i < COUNT; i++) {
        const char *text = arena_printf(f->arena, "name%d", i);
        assert_ptr_equal(intern(f->names, text, strlen(text)), first[i]);
        assert_string_equal(first[i], text);
    }
    assert_ptr_not_equal(intern(f->names, "name", 4), intern(f->names, "name1", 5));
    assert_string_equal(intern(f->names, "", 0), "");
}

/* ---- trees */

static void test_declarations(void **state)
{
    assert_string_equal(tree_of(*state, "\xef\xbb\xbfprotocol p = 1 prefix p_;\r\n"
                                        "import \"a b.pkt\";\n"
                                        "const C = 0x1F + 1.5e2 * -(2 - 3) / 07;\n"
                                        "/// An enum.\n///\n///   indented   \n"
                                        "enum E : bits<4> @a @b(5) {\n"
                                        "    x = 1, //// no doc comment\n"
                                        "    /// y's\n"
                                        "    y,\n"
                                        "}\n"
                                        "flags F { a, b }\n"
                                        "struct S as \"v3\" from \"v.h\" @delta { }\n"
                                        "packet P { type type; }\n"
                                        "union U { A a; /// second\n B b; }\n"
                                        "packet union V { P p; }\n"
                                        "/// Real.\ntype T = float<-C, 1, 0.5> wrap; type type = compact u16;"),
                        "1:1     protocol p = 1 prefix p_\n"
                        "2:1     import \"a b.pkt\"\n"
                        "3:1     const C = (31 + ((150 * (-(2 - 3))) / 7))\n"
                        "7:1     /// An enum.\n"
                        "7:1     /// \n"
                        "7:1     ///   indented\n"
                        "7:1     enum E : bits<4> @a @b(5)\n"
                        "8:5       x = 1\n"
                        "10:5      /// y's\n"
                        "10:5      y\n"
                        "12:1    flags F\n"
                        "12:11     a\n"
                        "12:14     b\n"
                        "13:1    struct S as \"v3\" from \"v.h\" @delta\n"
                        "14:1    packet P\n"
                        "14:12     type type\n"
                        "15:1    union U\n"
                        "15:11     A a\n"
                        "16:2      /// second\n"
                        "16:2      B b\n"
                        "17:1    packet union V\n"
                        "17:18     P p\n"
                        "19:1    /// Real.\n"
                        "19:1    type T = float<(-C), 1, 0.5> wrap\n"
                        "19:34   type type = compact u16\n");
}

static void test_items(void **state)
{
    assert_string_equal(tree_of(*state,
                                "struct S {\n"
                                "float<-1, 1, 0.5> x, y[2][3] = 0.5;\n"
                                "optional compact u16 z[<=4];\n"
                                "sparse<relative, keep> T t[<=3 of 9];\n"
                                "sparse u8 v[1..5];\n"
                                "local \"void *\" user; local i8 w;\n"
                                "u32 b after a unless 3 delta<5, 9>=0;\n"
                                "align; const<8>=5; reserved<3>; check; check 0xff;\n"
                                "if (a || b && !c == d < e & f + g * h.i) { } else if (j) { u8 k; } else { u8 l; }\n"
                                "switch (m) { case 1: case 2, red: u8 n; u8 o; default: align; }\n"
                                "}"),
                        "1:1     struct S\n"
                        "2:1       float<(-1), 1, 0.5> x, y[2][3] = 0.5\n"
                        "3:1       optional compact u16 z[<=4]\n"
                        "4:1       sparse<relative, keep> T t[<=3 of 9]\n"
                        "5:1       sparse u8 v[1..5]\n"
                        "6:1       local \"void *\" user\n"
                        "6:22      local i8 w\n"
                        "7:1       u32 b after a unless 3 delta<5, 9> = 0\n"
                        "8:1       align\n"
                        "8:8       const<8> = 5\n"
                        "8:20      reserved<3>\n"
                        "8:33      check\n"
                        "8:40      check 0xff\n"
                        "9:1       if (a || (b && ((!c) == (d < (e & (f + (g * h.i)))))))\n"
                        "9:51      else if j\n"
                        "9:60        u8 k\n"
                        "9:73      else\n"
                        "9:75        u8 l\n"
                        "10:1      switch m\n"
                        "10:14       case 1\n"
                        "10:22       case 2, red\n"
                        "10:35         u8 n\n"
                        "10:41         u8 o\n"
                        "10:47       default\n"
                        "10:56         align\n");
}

/* Words that are special only in some places can be names elsewhere. */
static void test_words_as_names(void **state)
{
    assert_string_equal(
        tree_of(*state,
                "struct flags { u8 count, delta, check, unit, after, unless, of, prefix, as, from, keep, auto, was; }\n"
                "enum of { as, from = 2, prefix, was was \"as_was\" was \"a\" }\n"
                "struct S { flags flags; of of after after unless as = from; check check; unit<5> unit; unit unit; }\n"
                "struct was was \"is\" { was was was \"it\", were[was]; }"),
        "1:1     struct flags\n"
        "1:16      u8 count, delta, check, unit, after, unless, of, prefix, as, from, keep, auto, was\n"
        "2:1     enum of\n"
        "2:11      as\n"
        "2:15      from = 2\n"
        "2:25      prefix\n"
        "2:33      was was \"as_was\" was \"a\"\n"
        "3:1     struct S\n"
        "3:12      flags flags\n"
        "3:25      of of after after unless as = from\n"
        "3:61      check check\n"
        "3:74      unit<5> unit\n"
        "3:88      unit unit\n"
        "4:1     struct was was \"is\"\n"
        "4:23      was was was \"it\", were[was]\n");
}

static void test_no_text(void **state)
{
    assert_string_equal(tree_of(*state, ""), "");
    assert_string_equal(tree_of(*state, "// nothing"), "");
}

/* The tree has what comes before and after an error. */
static void test_recovery(void **state)
{
    front *f = *state;
    const char *text = "struct A { u8 a; u8 b c; u8 d; } enum E { 5 } struct B { u8 e; if (x) { u8 f;\n"
                       "struct C { u8 g; } struct D { u8 h;";
    dump_ast(parse(f->arena, f->names, f->diag, source_of(f, text), reserved_type_word), f->to);
    assert_string_equal(printed(f), "1:1     struct A\n"
                                    "1:12      u8 a\n"
                                    "1:26      u8 d\n"
                                    "1:34    enum E\n"
                                    "1:47    struct B\n"
                                    "1:58      u8 e\n"
                                    "1:64      if x\n"
                                    "1:73        u8 f\n"
                                    "2:1     struct C\n"
                                    "2:12      u8 g\n"
                                    "2:20    struct D\n"
                                    "2:31      u8 h\n");
    assert_int_equal(diag_errors(f->diag), 4);
}

static void test_tokens(void **state)
{
    front *f = *state;
    dump_tokens(f->arena, f->names, f->diag, source_of(f, "/// doc\nx[0x1..2.5] /* c */ >= \"s\""), reserved_type_word,
                f->to);
    assert_string_equal(
        printed(f), "2:1     x   (documented)\n2:2     [\n2:3     0x1\n2:6     ..\n2:8     2.5\n2:11    ]\n2:21    >=\n"
                    "2:24    \"s\"\n");
}

/* ---- diagnostics */

static void test_order_and_repetition(void **state)
{
    front *f = *state;
    const source *a = source_of(f, "one\ntwo\n"), *b = source_from(f->arena, "b.pkt", "x", 1);
    diag_error(f->diag, (span){a, 4, 7}, "second");
    diag_error(f->diag, (span){b, 0, 1}, "third");
    message *m = diag_warning(f->diag, (span){a, 0, 3}, "first");
    diag_help(f->diag, m, "%s", "advice");
    diag_note(f->diag, m, (span){b, 0, 1}, "here");
    diag_help(f->diag, diag_error(f->diag, (span){a, 4, 7}, "second"), "dropped with its repetition");
    diag_error(f->diag, (span){NULL, 0, 0}, "nowhere");
    assert_int_equal(diag_errors(f->diag), 3);
    assert_int_equal(diag_warnings(f->diag), 1);
    diag_print(f->diag, DIAG_TEXT, f->to);
    assert_string_equal(printed(f), "a.pkt:1:1: warning: first\n    1 | one\n      | ^~~\n      = help: advice\n"
                                    "b.pkt:1:1: note: here\n    1 | x\n      | ^\n"
                                    "a.pkt:2:1: error: second\n    2 | two\n      | ^~~\n"
                                    "b.pkt:1:1: error: third\n    1 | x\n      | ^\n"
                                    "pktc: error: nowhere\n");
}

static void test_json(void **state)
{
    front *f = *state;
    const source *s = source_from(f->arena, "d\\\"\xff\x7f.pkt", "one\ntwo\n", 8);
    message *m = diag_error(f->diag, (span){s, 2, 5}, "caf\xc3\xa9 \x01 \xc3");
    diag_help(f->diag, m, "\"h1\"\xc2\x85");
    diag_help(f->diag, m, "h2\xe2\x80\xae");
    diag_fix(f->diag, m, (edit){{s, 4, 4}, "\xe2\x80\xae\n"}, "h3");
    diag_fix_also(f->diag, m, (edit){{s, 7, 8}, ""});
    diag_fix(f->diag, m, (edit){{s, 0, 1}, "\xfe"}, "h4 has no text that JSON can spell");
    diag_fix(f->diag, m, (edit){{NULL, 0, 0}, "x"}, "h5 has no place");
    diag_note(f->diag, m, (span){s, 4, 5}, "n\t\xfe");
    diag_print(f->diag, DIAG_JSON, f->to);
    assert_string_equal(
        printed(f), "{\"file\":\"d\\\\\\\"\\\\xff\\u007f.pkt\",\"line\":1,\"column\":3,\"end_line\":2,\"end_column\":2,"
                    "\"severity\":\"error\",\"message\":\"caf\xc3\xa9 \\u0001 \\\\xc3\","
                    "\"help\":[\"\\\"h1\\\"\\u0085\",\"h2\\u202e\",\"h3\",\"h4 has no text that JSON can spell\","
                    "\"h5 has no place\"],\"fixes\":[{\"help\":\"h3\",\"edits\":["
                    "{\"file\":\"d\\\\\\\"\\\\xff\\u007f.pkt\",\"line\":2,\"column\":1,\"end_line\":2,\"end_column\":1,"
                    "\"text\":\"\\u202e\\u000a\"},"
                    "{\"file\":\"d\\\\\\\"\\\\xff\\u007f.pkt\",\"line\":2,\"column\":4,\"end_line\":3,\"end_column\":1,"
                    "\"text\":\"\"}]}],"
                    "\"notes\":[{\"file\":\"d\\\\\\\"\\\\xff\\u007f.pkt\",\"line\":2,\"column\":1,"
                    "\"message\":\"n\\u0009\\\\xfe\"}]}\n");
}

static const char *nearest(const char *wanted, const char *const *candidates)
{
    suggestion s = {.wanted = wanted};
    for (; *candidates; candidates++)
        suggest(&s, *candidates);
    return s.best;
}

static void test_suggestions(void **state)
{
    (void)state;
    const char *const words[] = {"health", "heath", "x", "team", "orientation", NULL};
    assert_string_equal(nearest("helth", words), "health");
    assert_string_equal(nearest("healht", words), "health");
    assert_string_equal(nearest("xy", words), "x");
    assert_string_equal(nearest("taem", words), "team");
    assert_string_equal(nearest("oreintatoin", words), "orientation");
    assert_null(nearest("y", words));
    assert_null(nearest("tame!", words));
    assert_null(nearest("", words));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_places),   TEST(test_interned),       TEST(test_declarations),
        TEST(test_items),    TEST(test_words_as_names), TEST(test_no_text),
        TEST(test_recovery), TEST(test_tokens),         TEST(test_order_and_repetition),
        TEST(test_json),     TEST(test_suggestions),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL) != 0;
}
