/* test_diff.c - tests what pktc diff says of pairs of schemas, word for word.
 * SPDX-License-Identifier: MIT
 *
 * A file NAME.cases in this directory has cases such as
 *
 *     === a greater upper bound
 *     packet P { int<0, 5> x; }
 *     --- new
 *     packet P { int<0, 9> x; }
 *     --- exit 3
 *     packet P: 9 bytes
 *       x: wider: int<0, 5> -> int<0, 9> (3 -> 4 bits); kept
 *
 *     verdict: new protocol id, every recording converts
 *
 * Both schemas begin with `protocol p = 1;` unless they have a protocol of their own. The lines with the paths and ids
 * are left out. Each case is compared in both directions, and printed as JSON, which must say the same.
 *
 * Then schemas of the repository are compared with what small random changes make of them: wherever the id changes,
 * something has to be said, and wherever it does not, nothing about the wire.
 *
 * `test_diff --refresh` rewrites the expected lines instead. Read what has changed.
 */
#include "process.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIRECTORY "tests/diff"

static const char title_mark[] = "=== ", new_mark[] = "--- new\n", exit_mark[] = "--- exit ";

typedef struct diff_case {
    char *title, *before, *after, *expected;
    int status;
} diff_case;

static char *cut(const char *from, const char *to)
{
    return text_format("%.*s", (int)(to - from), from);
}

static const char *find_line(const char *text, const char *mark)
{
    while (text && strncmp(text, mark, strlen(mark)) != 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* Reads the case at *text, and moves *text behind it. False after the last. */
static bool read_case(const char **text, diff_case *c)
{
    const char *start = find_line(*text, title_mark);
    if (!start)
        return false;
    const char *line = strchr(start, '\n') + 1, *split = find_line(line, new_mark);
    const char *ending = split ? find_line(split, exit_mark) : NULL;
    if (!ending)
        fail_msg("a case has no new schema, or no exit status: %.60s", start);
    const char *result = strchr(ending, '\n') + 1, *next = find_line(result, title_mark);
    c->title = cut(start + strlen(title_mark), line - 1);
    c->before = cut(line, split);
    c->after = cut(split + strlen(new_mark), ending);
    c->status = atoi(ending + strlen(exit_mark));
    c->expected = next ? cut(result, next - 1) : text_format("%s", result);
    *text = next ? next : result + strlen(result);
    return true;
}

static void free_case(diff_case *c)
{
    free(c->title);
    free(c->before);
    free(c->after);
    free(c->expected);
}

static char *scratch(const char *name)
{
    return text_format("%s/diff/%s", setting("SCRATCH"), name);
}

static void write_schema(const char *name, const char *text)
{
    char *path = scratch(name);
    char *whole = text_format("%s%s", strstr(text, "protocol ") ? "" : "protocol p = 1;\n", text);
    file_write(path, whole);
    free(whole);
    free(path);
}

/* The sanitized pktc takes longer to start than to do this, so it is run once for each case. */
static process_result run(const char *build, const char *before, const char *after)
{
    char *old = scratch(before), *now = scratch(after);
    process_result made = process_run("%s diff %s %s", setting(build), old, now);
    free(old);
    free(now);
    return made;
}

/* What is printed after the lines with the paths and ids. */
static const char *body_of(const process_result *r)
{
    const char *end = strstr(r->out, "\n\n");
    return end ? end + 2 : r->out;
}

static size_t count_changes(const json_t *list)
{
    size_t count = 0, i;
    json_t *each;
    json_array_foreach(list, i, each)
    {
        count += json_array_size(json_object_get(each, "changes"));
        count += count_changes(json_object_get(each, "parts"));
    }
    return count;
}

/* The lines of the text that are changes: those that begin with two blanks and no more. */
static size_t count_lines(const char *text, const char *end)
{
    size_t count = 0;
    for (const char *line = text; line && line < end; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        count += strncmp(line, "  ", 2) == 0 && line[2] != ' ';
    return count;
}

static bool is_same(const json_t *all, const char *key)
{
    return json_equal(json_object_get(json_object_get(all, "old"), key),
                      json_object_get(json_object_get(all, "new"), key));
}

/* Changes that are not in the id. */
static bool is_quiet(const char *name)
{
    static const char *const quiet[] = {"initial value", "other C type", "unit", "keep", "clamp"};
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++)
        if (strcmp(name, quiet[i]) == 0)
            return true;
    return false;
}

/* No constant is in the id either. */
static void check_quiet(const char *title, const json_t *list)
{
    size_t i, k;
    json_t *each, *change;
    json_array_foreach(list, i, each)
    {
        bool constant = strcmp(json_string_value(json_object_get(each, "kind")), "constant") == 0;
        json_array_foreach(json_object_get(each, "changes"), k, change)
        {
            const char *name = json_string_value(json_object_get(change, "change"));
            if (!constant && !is_quiet(name))
                fail_msg("%s: the id is the same, but this is said to have changed: %s", title, name);
        }
        check_quiet(title, json_object_get(each, "parts"));
    }
}

/* Reads the JSON, which must be valid and agree with the ids and with the exit status. */
static json_t *read_json(const char *title, const process_result *made)
{
    json_error_t error;
    json_t *all = json_loads(made->out, JSON_REJECT_DUPLICATES, &error);
    if (!all)
        fail_msg("%s: line %d: %s\n%s%s", title, error.line, error.text, made->out, made->err);
    json_t *declarations = json_object_get(all, "declarations");
    bool same_id = is_same(all, "id");
    assert_int_equal(json_integer_value(json_object_get(all, "status")), made->status);
    if (json_object_get(all, "misread"))
        assert_true(made->status == 6);
    else
        assert_true(same_id == (made->status == 0 || made->status == 6));
    if (!same_id && is_same(all, "protocol") && is_same(all, "version") && count_changes(declarations) == 0)
        fail_msg("%s: the id has changed, and nothing is said about it", title);
    if (same_id)
        check_quiet(title, declarations);
    return all;
}

static void check_json(const diff_case *c, const process_result *text)
{
    process_result made = run("PKTC", "old.pkt --json", "new.pkt");
    json_t *all = read_json(c->title, &made);
    assert_int_equal(made.status, text->status);
    /* What cannot be served comes after the verdict. */
    const char *body = body_of(text), *verdict = strstr(body, "\nverdict: ");
    assert_int_equal(count_changes(json_object_get(all, "declarations")), count_lines(body, verdict));
    assert_int_equal(json_array_size(json_object_get(all, "unserved")), count_lines(verdict, body + strlen(body)));
    json_decref(all);
    process_free(&made);
}

/* The other direction has no expected text, but it must work, and find a change where this one does. */
static void check_back(const diff_case *c, int status)
{
    process_result back = run("PKTC", "new.pkt", "old.pkt"), same = run("PKTC", "new.pkt", "new.pkt");
    assert_string_equal(back.err, "");
    if (same.status != 0 || (back.status == 0) != (status == 0))
        fail_msg("%s: in the other direction the status is %d, of the new schema with itself %d", c->title, back.status,
                 same.status);
    process_free(&back);
    process_free(&same);
}

static void check_case(const diff_case *c)
{
    write_schema("old.pkt", c->before);
    write_schema("new.pkt", c->after);
    process_result made = run("PKTC_SANITIZED", "old.pkt", "new.pkt");
    if (strcmp(made.err, "") != 0)
        fail_msg("%s:\n%s", c->title, made.err);
    if (strcmp(body_of(&made), c->expected) != 0 || made.status != c->status)
        fail_msg("%s: exit status %d, expected %d; printed:\n%sexpected:\n%s(make diff-refresh rewrites it)", c->title,
                 made.status, c->status, body_of(&made), c->expected);
    check_json(c, &made);
    check_back(c, made.status);
    process_free(&made);
}

static void test_file(void **state)
{
    char *path = text_format(DIRECTORY "/%s", (const char *)*state), *text = file_read(path);
    const char *at = text;
    diff_case c;
    size_t count = 0;
    while (read_case(&at, &c)) {
        check_case(&c);
        free_case(&c);
        count++;
    }
    assert_true(count > 0);
    free(text);
    free(path);
}

/* ---- random changes */

enum { RANDOM_CHANGES = 150, LEAST_VALID = 40 };

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

/* The start of a random line after the first few, which declare the protocol and import files. */
static char *random_line(uint32_t *seed, char *text)
{
    enum { HEAD = 30 };
    uint32_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    char *line = text;
    for (uint32_t skip = HEAD + draw(seed, lines - HEAD - 2); skip > 0; skip--)
        line = strchr(line, '\n') + 1;
    return line;
}

/* Removes a line, swaps it with the next one, adds a field after it, or changes a digit in it. */
static char *change_line(uint32_t *seed, char *text, bool *swapped)
{
    char *line = random_line(seed, text), *next = strchr(line, '\n') + 1, *behind = strchr(next, '\n') + 1;
    char *head = cut(text, line), *one = cut(line, next), *two = cut(next, behind);
    size_t digit = strcspn(one, "0123456789");
    const uint32_t way = draw(seed, 4);
    *swapped = way == 1;
    if (way == 3 && one[digit])
        one[digit] = (char)('0' + draw(seed, 10));
    char *made = way == 0   ? text_format("%s%s%s", head, two, behind)
                 : way == 1 ? text_format("%s%s%s%s", head, two, one, behind)
                 : way == 2 ? text_format("%s%s    u8 one_more;\n%s%s", head, one, two, behind)
                            : text_format("%s%s%s%s", head, one, two, behind);
    free(head);
    free(one);
    free(two);
    return made;
}

/* True if the changed schema has no errors. Only where lines were swapped can it be all that is said that things are in
 * another place. */
static bool check_change(const char *original, const char *made, bool swapped, size_t number)
{
    char *path = scratch("random.pkt"), *title = text_format("%s, change %zu", original, number);
    file_write(path, made);
    process_result result = process_run("%s diff --json -I schemas %s %s", setting("PKTC"), original, path);
    const bool valid = result.status != 1;
    if (valid)
        json_decref(read_json(title, &result));
    if (valid && !swapped && strstr(result.out, "in another place"))
        fail_msg("%s: nothing was moved\n%s", title, made);
    process_free(&result);
    free(path);
    free(title);
    return valid;
}

static void test_random_changes(void **state)
{
    (void)state;
    static const char *const originals[] = {"schemas/all.pkt", "schemas/mygame.pkt"};
    size_t valid = 0;
    uint32_t seed = 1;
    for (size_t i = 0; i < RANDOM_CHANGES; i++) {
        bool swapped;
        char *text = file_read(originals[i % 2]), *made = change_line(&seed, text, &swapped);
        valid += check_change(originals[i % 2], made, swapped, i);
        free(made);
        free(text);
    }
    assert_true(valid >= LEAST_VALID);
}

/* Prints the cases of a file with what is printed now. */
static void refresh(const char *path)
{
    char *text = file_read(path), *made = text_format("%s", "");
    const char *at = text;
    diff_case c;
    while (read_case(&at, &c)) {
        write_schema("old.pkt", c.before);
        write_schema("new.pkt", c.after);
        process_result result = run("PKTC_SANITIZED", "old.pkt", "new.pkt");
        char *more = text_format("%s%s%s\n%s%s%s%s%d\n%s%s", made, title_mark, c.title, c.before, new_mark, c.after,
                                 exit_mark, result.status, body_of(&result), *at ? "\n" : "");
        if (*result.err)
            fprintf(stderr, "%s: %s\n%s", path, c.title, result.err);
        free(made);
        made = more;
        process_free(&result);
        free_case(&c);
    }
    file_write(path, made);
    free(made);
    free(text);
}

int main(int argc, char **argv)
{
    size_t count;
    char **names = directory_list(DIRECTORY, ".cases", &count), *directory = scratch("");
    process_result made = process_run("rm -rf %s && mkdir -p %s", directory, directory);
    process_free(&made);
    free(directory);
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    tests[count] = (struct CMUnitTest)cmocka_unit_test(test_random_changes);
    for (size_t i = 0; i < count; i++) {
        tests[i] = (struct CMUnitTest)cmocka_unit_test_prestate(test_file, names[i]);
        tests[i].name = names[i];
        if (argc > 1 && strcmp(argv[1], "--refresh") == 0) {
            char *path = text_format(DIRECTORY "/%s", names[i]);
            refresh(path);
            free(path);
        }
    }
    int failed = argc > 1 ? 0 : _cmocka_run_group_tests("diff", tests, count + 1, NULL, NULL);
    free(tests);
    directory_list_free(names);
    return failed;
}
