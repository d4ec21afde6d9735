/* test_out.c - tests templates and their indentation, and replacing files.
 * SPDX-License-Identifier: MIT
 */
#include "base/out.h"
#include "unit.h"

#include <string.h>

static void assert_text(const out *o, const char *expected)
{
    size_t size;
    assert_string_equal(out_result(o, &size), expected);
    assert_int_equal(size, strlen(expected));
}

TEST(test_names)
{
    arena *a = arena_new();
    out *o = out_new(a);
    assert_text(o, "");
    out_put(o, "bool ${type}_read($type *v, $types);$$\n", "types", "void", "type", "Body", NULL);
    assert_text(o, "bool Body_read(Body *v, void);$\n");
    arena_free(a);
}

TEST(test_indentation)
{
    arena *a = arena_new();
    out *o = out_new(a);
    out_put(o, "{\n", NULL);
    out_indent(o);
    out_put(o, "a;\n\n    b;\n#if X\n    $more\n#endif\n  \n", "more", "c;\n#else\n  d;\n\ne;", NULL);
    out_put(o, "call($arguments", "arguments", "1,\n2", NULL);
    out_put(o, ", 3);", NULL);
    out_put(o, "\n", NULL);
    out_dedent(o);
    out_put(o, "}\n", NULL);
    assert_text(o, "{\n    a;\n\n        b;\n#if X\n        c;\n#else\n          d;\n\n        e;\n#endif\n\n"
                   "    call(1,\n    2, 3);\n}\n");
    arena_free(a);
}

TEST(test_a_value_that_ends_its_line)
{
    arena *a = arena_new();
    out *o = out_new(a);
    out_put(o, "    ${lines}next;\n", "lines", "a;\nb;\n", NULL);
    assert_text(o, "    a;\n    b;\nnext;\n");
    arena_free(a);
}

TEST(test_much_text)
{
    arena *a = arena_new();
    out *o = out_new(a);
    for (int i = 0; i < 10000; i++)
        out_put(o, "$x\n", "x", "0123456789", NULL);
    size_t size;
    const char *text = out_result(o, &size);
    assert_int_equal(size, 110000);
    for (size_t i = 0; i < size; i += 11)
        assert_memory_equal(text + i, "0123456789\n", 11);
    arena_free(a);
}

/* A text for a file is there as it was made, and takes little memory. */
TEST(test_files)
{
    enum { LINES = 300000, SIZE = 11, MOST = 4 << 20 };
    arena *a = arena_new();
    FILE *to = tmpfile();
    assert_non_null(to);
    out *o = out_to_file(a, to);
    size_t size;
    for (int i = 0; i < LINES; i++) {
        const size_t before = out_size(o);
        out_add(o, i % 2 ? "0" : "1");
        out_add_line(o, "123456789", SIZE - 2);
        const char *since = out_since(o, before, &size);
        assert_int_equal(size, SIZE - 1);
        assert_true(!since || memcmp(since, i % 2 ? "0123456789" : "1123456789", size) == 0);
        out_add(o, "\n");
    }
    assert_null(out_since(o, 0, &size));
    assert_int_equal(size, LINES * SIZE);
    out_end(o);
    assert_in_range(arena_used(a), 0, MOST);
    rewind(to);
    for (int i = 0; i < LINES; i++) {
        char line[SIZE];
        assert_int_equal(fread(line, 1, SIZE, to), SIZE);
        assert_memory_equal(line, i % 2 ? "0123456789\n" : "1123456789\n", SIZE);
    }
    assert_int_equal(fgetc(to), EOF);
    (void)fclose(to);
    arena_free(a);
}

static const char *twice(void *user, const char *name, size_t size)
{
    return arena_printf(user, "%.*s%.*s", (int)size, name, (int)size, name);
}

TEST(test_values_of_a_function)
{
    arena *a = arena_new();
    out *o = out_new(a);
    out_indent(o);
    out_fill(o, "${a}_x($b);\n", twice, a);
    size_t size;
    assert_string_equal(out_result(o, &size), "    aa_x(bb);\n");
    assert_string_equal(out_text(a, "$$ $name", twice, a), "$ namename");
    assert_string_equal(out_text(a, "", twice, a), "");
    arena_free(a);
}
