/* test_fixes.c - tests the fixes in the JSON form of diagnostics: the edits with which an editor follows an advice.
 * SPDX-License-Identifier: MIT
 *
 * Of each schema in tests/check/errors and tests/front/errors, each fix is made alone, in a copy of the folders, and the
 * schema is compiled again. The error must be gone, and no other one may begin in the text that was written.
 *
 * An advice that has code in `backquotes` has a fix, unless `authors` says what only the author knows.
 */
#include "process.h"
#include "check/cases.h"

#define OWN_MAIN
#include "unit.h"

#include <jansson.h>

/* ---- files with any bytes */

typedef struct content {
    char *bytes;
    size_t size;
} content;

static content content_of(const char *path)
{
    content c = {NULL, 0};
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot read %s", path);
    fseek(f, 0, SEEK_END);
    c.size = (size_t)ftell(f);
    rewind(f);
    c.bytes = calloc(c.size + 1, 1);
    assert_int_equal(fread(c.bytes, 1, c.size, f), c.size);
    fclose(f);
    return c;
}

static void put_content(const char *path, content c)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(c.bytes, 1, c.size, f), c.size);
    fclose(f);
}

/* The offset of a line and a column, both from 1; columns count bytes, and do not count a byte-order mark. */
static size_t offset_of(content c, json_int_t line, json_int_t column)
{
    size_t at = c.size >= 3 && memcmp(c.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (line > 1)
        at = 0;
    for (; line > 1; line--) {
        const char *end = memchr(c.bytes + at, '\n', c.size - at);
        assert_non_null(end);
        at = (size_t)(end + 1 - c.bytes);
    }
    at += (size_t)column - 1;
    assert_true(at <= c.size);
    return at;
}

/* ---- compiling */

static const char *case_now;
static char *pktc; /* its path from the root */

/* The messages that pktc prints of the case, in the copy. */
static json_t *messages_of(const char *options)
{
    process_result result = process_run("cd '%s/fixes' && '%s'%s --error-format=json -o none '%s'", setting("SCRATCH"),
                                        pktc, options, case_now);
    json_t *messages = json_array();
    assert_true(result.status == 0 || result.status == 1);
    for (char *line = strtok(result.err, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *message = json_loads(line, 0, NULL);
        assert_non_null(message);
        json_array_append_new(messages, message);
    }
    process_free(&result);
    return messages;
}

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static json_int_t number_in(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static bool is_same_message(const json_t *a, const json_t *b)
{
    return strcmp(text_in(a, "message"), text_in(b, "message")) == 0 &&
           strcmp(text_in(a, "severity"), text_in(b, "severity")) == 0 &&
           strcmp(text_in(a, "file"), text_in(b, "file")) == 0 &&
           json_equal(json_object_get(a, "help"), json_object_get(b, "help"));
}

static bool has_message(const json_t *messages, const json_t *wanted)
{
    size_t i;
    json_t *message;
    json_array_foreach(messages, i, message) if (is_same_message(message, wanted)) return true;
    return false;
}

/* ---- fixes */

enum { MOST_EDITS = 4 };

/* Bytes of a file, the text that replaces them, and where it is then. */
typedef struct change {
    size_t begin, end, now_begin, now_end;
    const char *text;
} change;

static int by_begin(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The file with all changes made, which are sorted. */
static content changed(content c, change *changes, size_t count)
{
    content result = {calloc(c.size + 1, 1), 0};
    size_t from = 0, more = 0;
    for (size_t i = 0; i < count; i++)
        more += strlen(changes[i].text);
    result.bytes = realloc(result.bytes, c.size + more + 1);
    for (size_t i = 0; i <= count; i++) {
        const size_t to = i < count ? changes[i].begin : c.size;
        assert_true(to >= from);
        memcpy(result.bytes + result.size, c.bytes + from, to - from);
        result.size += to - from;
        if (i == count)
            break;
        const size_t size = strlen(changes[i].text);
        memcpy(result.bytes + result.size, changes[i].text, size);
        from = changes[i].end;
        changes[i].now_begin = result.size;
        changes[i].now_end = result.size += size;
    }
    result.bytes[result.size] = '\0';
    return result;
}

/* A fix that has been made. */
typedef struct trial {
    const json_t *before, *after; /* the messages */
    const json_t *message;        /* of the fix */
    const char *file;             /* that it changes */
    content was, now;
    change changes[MOST_EDITS];
    size_t count;
} trial;

/* Whether an offset of the file as it was is where `at` is now: in the same text, or in the text that replaces it. */
static bool is_same_place(const trial *t, size_t old, size_t at)
{
    size_t moved = old;
    for (size_t i = 0; i < t->count && t->changes[i].begin <= old; i++) {
        if (old < t->changes[i].end)
            return t->changes[i].now_begin <= at && at < t->changes[i].now_end;
        moved = t->changes[i].now_end + (old - t->changes[i].end);
    }
    return at == moved;
}

static size_t place_of(content c, const json_t *message)
{
    return offset_of(c, number_in(message, "line"), number_in(message, "column"));
}

static bool is_still_there(const trial *t, const json_t *message)
{
    if (!is_same_message(message, t->message))
        return false;
    if (strcmp(text_in(message, "file"), t->file) != 0)
        return number_in(message, "line") == number_in(t->message, "line") &&
               number_in(message, "column") == number_in(t->message, "column");
    return is_same_place(t, place_of(t->was, t->message), place_of(t->now, message));
}

/* Whether an error begins in the new text that was nowhere before. That an imported file exists is up to the author. */
static bool is_made(const trial *t, const json_t *message)
{
    if (strcmp(text_in(message, "severity"), "error") != 0 || strcmp(text_in(message, "file"), t->file) != 0 ||
        has_message(t->before, message) || strncmp(text_in(message, "message"), "cannot find '", 13) == 0)
        return false;
    const size_t at = place_of(t->now, message);
    for (size_t n = 0; n < t->count; n++)
        if (t->changes[n].now_begin <= at && at < t->changes[n].now_end)
            return true;
    return false;
}

/* Why a fix is wrong, or NULL. */
static char *judge(const trial *t)
{
    size_t i;
    json_t *message;
    json_array_foreach(t->after, i,
                       message) if (is_still_there(t, message)) return text_format("%s", "the error is still there");
    json_array_foreach(t->after, i, message) if (is_made(t, message)) return text_format("it makes a new error: %s",
                                                                                         text_in(message, "message"));
    return NULL;
}

static unsigned tried, wrong;

static void try_fix(const json_t *before, const json_t *message, const json_t *fix, const char *options)
{
    const json_t *edits = json_object_get(fix, "edits"), *edit;
    trial t = {.before = before, .message = message, .count = json_array_size(edits)};
    size_t i;
    assert_in_range(t.count, 1, MOST_EDITS);
    t.file = text_in(json_array_get(edits, 0), "file");
    char *path = text_format("%s/fixes/%s", setting("SCRATCH"), t.file);
    t.was = content_of(path);
    json_array_foreach(edits, i, edit)
    {
        assert_string_equal(text_in(edit, "file"), t.file);
        t.changes[i] = (change){.begin = place_of(t.was, edit),
                                .end = offset_of(t.was, number_in(edit, "end_line"), number_in(edit, "end_column")),
                                .text = text_in(edit, "text")};
        assert_true(t.changes[i].begin <= t.changes[i].end);
    }
    qsort(t.changes, t.count, sizeof *t.changes, by_begin);
    t.now = changed(t.was, t.changes, t.count);
    put_content(path, t.now);
    json_t *after = messages_of(options);
    t.after = after;
    char *why = judge(&t);
    tried++;
    if (why) {
        wrong++;
        print_error("%s:%d:%d: %s\n    help: %s\n    %s\n", text_in(message, "file"), (int)number_in(message, "line"),
                    (int)number_in(message, "column"), text_in(message, "message"), text_in(fix, "help"), why);
        free(why);
    }
    put_content(path, t.was);
    json_decref(after);
    free(t.now.bytes);
    free(t.was.bytes);
    free(path);
}

/* ---- advice without a fix */

/* How these begin or, after a *, what they have in them. */
static const struct exception {
    const char *text, *why;
} authors[] = {
    {"*` makes a model", "a command"},
    {"`pktc layout ", "a command"},
    {"the attributes are `", "a list of all"},
    {"`bits(x)` is ", "says what it is"},
    {"`delta(previous)` is for arrays", "says what it is"},
    {"'was' comes after `as", "an order of words"},
    {"keep one of the two versions", "which one"},
    {"*use it as in `", "with which field"},
    {"'coded' is a word", "of which field"},
    {"'was' is a word and not an attribute: `was \"", "of which name"},
    {"each old name has its own 'was'", "how many names"},
    {"a packet has a number", "of which name and width"},
    {"a packet says how far back", "of which name and range"},
    {"* bytes of zeros to", "where"},
    {"a field is 'coded' or has steps", "which of both"},
    {"choose with `if`", "the condition"},
    {"declare it as '", "where, and in which form"},
    {"declare `", "where, and in which form"},
    {"declare a union with", "where, and in which form"},
    {"declare a `union`", "where, and in which form"},
    {"declare a packet for each", "their fields"},
    {"move the declaration of ", "where"},
    {"make the base the first field", "its name"},
    {"make it a part of a packet", "of which packet"},
    {"make it optional: `optional ", "that it is outside of the 'if'"},
    {"put it into a struct", "its name"},
    {"wrap it in a struct", "its name"},
    {"write a type and a name", "the name"},
    {"write `some[<=40]`", "which of both"},
    {"comments begin with `//`", "where it ends"},
    {"remove this line and write `packet ", "the other line may be in another file"},
    {"rename it, or give all names a prefix", "which prefix"},
    {"give the C++ type a name in ", "a line of another language"},
    {"give the fields in it narrower ranges", "which ranges"},
    {"the length of such an array is a constant", "which length"},
    {"use `ref<", "how many objects there are"},
};
enum { EXCEPTIONS = sizeof authors / sizeof *authors };

static bool excepted[EXCEPTIONS];

static bool only_author_knows(const char *advice)
{
    bool found = false;
    for (size_t i = 0; i < EXCEPTIONS; i++) {
        const char *text = authors[i].text;
        if (*text == '*' ? strstr(advice, text + 1) != NULL : strncmp(advice, text, strlen(text)) == 0)
            excepted[i] = found = true;
    }
    return found;
}

static void expect_fix_of(const json_t *message, const char *advice)
{
    size_t i;
    json_t *fix;
    json_array_foreach(json_object_get(message, "fixes"), i, fix) if (strcmp(text_in(fix, "help"), advice) == 0) return;
    if (!strchr(advice, '`') || only_author_knows(advice))
        return;
    wrong++;
    print_error("%s:%d: %s\n    help: %s\n    has code to write and no fix\n", text_in(message, "file"),
                (int)number_in(message, "line"), text_in(message, "message"), advice);
}

static void test_exceptions(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXCEPTIONS; i++)
        if (!excepted[i])
            fail_msg("no advice begins with '%s'", authors[i].text);
}

static void test_fixes_of(void **state)
{
    case_now = *state;
    char *options = extra_arguments(case_now);
    json_t *messages = messages_of(options), *message, *fix, *help;
    size_t i, n;
    wrong = 0;
    json_array_foreach(messages, i, message) json_array_foreach(json_object_get(message, "fixes"), n, fix)
        try_fix(messages, message, fix, options);
    json_array_foreach(messages, i, message) json_array_foreach(json_object_get(message, "help"), n, help)
        expect_fix_of(message, json_string_value(help));
    json_decref(messages);
    free(options);
    assert_int_equal(wrong, 0);
}

/* ---- the form */

static const struct exact {
    const char *name, *text, *json;
} exact[] = {
    {"a misspelt name", "struct A { u8 x; }\nstruct B { Aa a; }\n",
     "{\"file\":\"exact.pkt\",\"line\":2,\"column\":12,\"end_line\":2,\"end_column\":14,"
     "\"severity\":\"error\",\"message\":\"unknown type 'Aa'\",\"help\":[\"did you mean 'A'?\"],"
     "\"fixes\":[{\"help\":\"did you mean 'A'?\",\"edits\":[{\"file\":\"exact.pkt\",\"line\":2,"
     "\"column\":12,\"end_line\":2,\"end_column\":14,\"text\":\"A\"}]}],\"notes\":[]}\n"},
    {"an insertion", "protocol p = 1;\nstruct A { u8 x delta<2, 4>; }\n",
     "{\"file\":\"exact.pkt\",\"line\":2,\"column\":17,\"end_line\":2,\"end_column\":28,"
     "\"severity\":\"error\",\"message\":\"'delta' has no effect in 'A', which is not @delta\","
     "\"help\":[\"add '@delta' before the '{' of 'A'\"],"
     "\"fixes\":[{\"help\":\"add '@delta' before the '{' of 'A'\",\"edits\":[{\"file\":\"exact.pkt\","
     "\"line\":2,\"column\":10,\"end_line\":2,\"end_column\":10,\"text\":\"@delta \"}]}],\"notes\":[]}\n"},
    {"an insertion at the start, after a byte-order mark", "\xef\xbb\xbfpacket P { u8 x; }\n",
     "{\"file\":\"exact.pkt\",\"line\":1,\"column\":8,\"end_line\":1,\"end_column\":9,"
     "\"severity\":\"error\",\"message\":\"packet 'P' needs a protocol, but this file declares none\","
     "\"help\":[\"begin the file with `protocol exact = 1;`\"],"
     "\"fixes\":[{\"help\":\"begin the file with `protocol exact = 1;`\","
     "\"edits\":[{\"file\":\"exact.pkt\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":1,"
     "\"text\":\"protocol exact = 1;\\u000a\\u000a\"}]}],\"notes\":[]}\n"},
    {"two edits", "typedef struct {\r\n    u8 x;\r\n} A;\r\n",
     "{\"file\":\"exact.pkt\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":15,"
     "\"severity\":\"error\",\"message\":\"a struct is named before its braces\","
     "\"help\":[\"write `struct A {`\"],\"fixes\":[{\"help\":\"write `struct A {`\","
     "\"edits\":[{\"file\":\"exact.pkt\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":17,"
     "\"text\":\"struct A {\"},{\"file\":\"exact.pkt\",\"line\":3,\"column\":2,\"end_line\":3,"
     "\"end_column\":5,\"text\":\"\"}]}],\"notes\":[]}\n"},
    {"a fix for each of two meanings", "struct A { u8 x[0..7]; }\n",
     "{\"file\":\"exact.pkt\",\"line\":1,\"column\":16,\"end_line\":1,\"end_column\":22,"
     "\"severity\":\"warning\",\"message\":\"'x' is an array of up to 7 numbers,"
     " not a number from 0 to 7\",\"help\":[\"write `int<0, 7> x;` for the number\","
     "\"write `u8 x[<=7];` for the array\"],\"fixes\":[{\"help\":\"write `int<0, 7> x;` for the number\","
     "\"edits\":[{\"file\":\"exact.pkt\",\"line\":1,\"column\":12,\"end_line\":1,\"end_column\":14,"
     "\"text\":\"int<0, 7>\"},{\"file\":\"exact.pkt\",\"line\":1,\"column\":16,\"end_line\":1,"
     "\"end_column\":22,\"text\":\"\"}]},{\"help\":\"write `u8 x[<=7];` for the array\","
     "\"edits\":[{\"file\":\"exact.pkt\",\"line\":1,\"column\":16,\"end_line\":1,\"end_column\":22,"
     "\"text\":\"[<=7]\"}]}],\"notes\":[]}\n"},
    {"no fix, but advice", "struct A { A a; }\n",
     "{\"file\":\"exact.pkt\",\"line\":1,\"column\":14,\"end_line\":1,\"end_column\":15,"
     "\"severity\":\"error\",\"message\":\"'A' contains itself, in 'a'\",\"help\":[\"use `ref<A, MAX>`,"
     " which is a pointer in C and an id on the wire\"],\"fixes\":[],\"notes\":[]}\n"},
    {"a text that JSON cannot spell", "import '\xff\xfe';\n",
     "{\"file\":\"exact.pkt\",\"line\":1,\"column\":8,\"end_line\":1,\"end_column\":12,"
     "\"severity\":\"error\",\"message\":\"unexpected single quote\","
     "\"help\":[\"write strings in double quotes\"],\"fixes\":[],\"notes\":[]}\n"},
    {"a comment that would be lost", "struct A { unsigned /* seconds */ x; }\n",
     "{\"file\":\"exact.pkt\",\"line\":1,\"column\":12,\"end_line\":1,\"end_column\":20,"
     "\"severity\":\"error\",\"message\":\"unknown type 'unsigned'\",\"help\":[\"write `u32 x;`\"],"
     "\"fixes\":[],\"notes\":[]}\n"},
};

static void test_form(void **state)
{
    const struct exact *e = *state;
    char *path = text_format("%s/fixes/exact.pkt", setting("SCRATCH"));
    file_write(path, e->text);
    process_result result =
        process_run("cd '%s/fixes' && '%s' --error-format=json -o none exact.pkt", setting("SCRATCH"), pktc);
    assert_string_equal(result.err, e->json);
    process_free(&result);
    free(path);
}

int main(void)
{
    size_t count;
    char **names = find_cases(&count);
    process_result found = process_run("realpath '%s'", setting("PKTC"));
    pktc = found.out;
    pktc[strcspn(pktc, "\n")] = '\0';
    process_result copied =
        process_run("rm -rf '%s/fixes' && mkdir -p '%s/fixes/tests/check' '%s/fixes/tests/front' && "
                    "cp -r tests/check/errors '%s/fixes/tests/check' && "
                    "cp -r tests/front/errors '%s/fixes/tests/front'",
                    setting("SCRATCH"), setting("SCRATCH"), setting("SCRATCH"), setting("SCRATCH"), setting("SCRATCH"));
    enum { EXACT = sizeof exact / sizeof *exact };
    struct CMUnitTest *tests = calloc(count + EXACT + 1, sizeof *tests);
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){.name = names[i], .test_func = test_fixes_of, .initial_state = names[i]};
    for (size_t i = 0; i < EXACT; i++, count++)
        tests[count] = (struct CMUnitTest){
            .name = exact[i].name, .test_func = test_form, .initial_state = (void *)(uintptr_t)&exact[i]};
    tests[count++] = (struct CMUnitTest){.name = "exceptions", .test_func = test_exceptions};
    int failed = copied.status + _cmocka_run_group_tests("fixes", tests, count, NULL, NULL);
    printf("%u fixes\n", tried);
    process_free(&copied);
    process_free(&found);
    free(tests);
    directory_list_free(names);
    return failed != 0;
}
