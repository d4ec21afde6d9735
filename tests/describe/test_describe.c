/* test_describe.c - tests pktc describe: its bits against pktc layout, its places against pktc decode.
 * SPDX-License-Identifier: MIT
 *
 * The output for a small schema is in docs/describe.md, which make check-docs compares.
 */
#define TOOL "describe"
#include "commands/tools.h"
#include "process.h"

#include <jansson.h>

/* Integers of 64 bits are reals, because jansson has only signed ones. */
static json_t *json_of(const char *command)
{
    char *text = output_of(0, command);
    json_error_t e;
    json_t *value = json_loads(text, JSON_DECODE_INT_AS_REAL, &e);
    if (!value)
        fail_msg("%s: line %d: %s", command, e.line, e.text);
    free(text);
    return value;
}

static json_t *json_of_schema(const char *form, const char *schema)
{
    char *command = text_format("%s %s", form, schema);
    json_t *value = json_of(command);
    free(command);
    return value;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_int_t number_at(const json_t *object, const char *key, const char *inner)
{
    return (json_int_t)json_number_value(json_object_get(json_object_get(object, key), inner));
}

static json_t *named(const json_t *list, const char *name)
{
    size_t i;
    json_t *each;
    json_array_foreach(list, i, each) if (strcmp(text_at(each, "name"), name) == 0) return each;
    fail_msg("there is no '%s'", name);
    return NULL;
}

/* The next row of a layout that is an item, not a choice or padding. */
static json_t *next_row(const json_t *rows, size_t *at)
{
    while (*at < json_array_size(rows)) {
        json_t *row = json_array_get(rows, (*at)++);
        const char *name = text_at(row, "name");
        if (json_object_get(row, "most") && strncmp(name, "if (", 4) != 0 && strncmp(name, "switch (", 8) != 0 &&
            strcmp(name, "padding") != 0)
            return row;
    }
    return NULL;
}

static void compare_type(const json_t *described, const json_t *laid_out)
{
    size_t i, at = 0;
    json_t *item;
    json_array_foreach(json_object_get(described, "items"), i, item)
    {
        if (strcmp(text_at(item, "kind"), "local") == 0)
            continue;
        const json_t *row = next_row(json_object_get(laid_out, "rows"), &at);
        assert_non_null(row);
        const char *by = text_at(item, "by");
        char *name = text_format("%s%s%s%s", text_at(item, "name"), text_at(item, "dims"), *by ? " by " : "", by);
        assert_string_equal(name, text_at(row, "name"));
        free(name);
        assert_int_equal(number_at(item, "bits", "least"),
                         (json_int_t)json_number_value(json_object_get(row, "least")));
        assert_int_equal(number_at(item, "bits", "most"), (json_int_t)json_number_value(json_object_get(row, "most")));
        assert_true(number_at(item, "place", "least") <= number_at(item, "place", "most"));
        const json_int_t end = number_at(item, "place", "least") + number_at(item, "bits", "least");
        assert_true(end <= number_at(described, "bits", "most"));
    }
    assert_null(next_row(json_object_get(laid_out, "rows"), &at));
    const json_int_t unit = strcmp(text_at(laid_out, "unit"), "bytes") == 0 ? 8 : 1;
    assert_int_equal(number_at(described, "bits", "most"),
                     unit * (json_int_t)json_number_value(json_object_get(laid_out, "most")));
}

TEST(all_bits_are_those_of_the_layout)
{
    static const char *const schemas[] = {"schemas/all.pkt", "schemas/mygame.pkt", "schemas/cubes.pkt",
                                          "schemas/vec.pkt", "tests/roundtrip/datagram.pkt"};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        json_t *described = json_of_schema("describe", schemas[i]),
               *sizes = json_of_schema("layout --json", schemas[i]);
        size_t n;
        json_t *type;
        assert_int_equal((json_int_t)json_number_value(json_object_get(described, "describe")), 1);
        assert_string_equal(text_at(described, "id"), *text_at(sizes, "protocol") ? text_at(sizes, "id") : "");
        json_array_foreach(json_object_get(sizes, "types"), n, type)
            compare_type(named(json_object_get(described, "declarations"), text_at(type, "name")), type);
        json_decref(described);
        json_decref(sizes);
    }
}

/* A key is sent by the list, so the struct has it without bits. */
TEST(a_list_has_a_key)
{
    char *path = scratch_path("listed.pkt");
    file_write(path, "protocol listed = 1;\nstruct Ship { bool moving; /** The name. */ int<0, 1023> id; }\n"
                     "packet Fleet { Ship ships[<=9] by id; }\n");
    char *command = text_format("describe '%s'", path), *made = output_of(0, command);
    static const char *const wanted[] = {
        "\"name\": \"id\", \"type\": \"int<0, 1023>\", \"c\": \"uint16_t id\", \"place\": {\"least\": 0, \"most\": 0}, "
        "\"bits\": {\"least\": 0, \"most\": 0}, \"values\": {\"low\": 0, \"high\": 1023}, \"key\": true, ",
        "\"bits\": {\"least\": 4, \"most\": 150}, \"count\": {\"least\": 0, \"most\": 9}, \"each\": {\"least\": 2, \"most\": "
        "17}, \"key_bits\": {\"least\": 1, \"most\": 16}, \"by\": \"id\", ",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(made, wanted[i]))
            fail_msg("'%s' is not in: %s", wanted[i], made);
    free(made);
    free(command);
    free(path);
}

/* `pktc decode --bits` prints the first bit of each item. The packet has no item of varying width. */
TEST(places_are_those_of_the_decoder)
{
    process_result shown =
        process_run("echo '{\"slot\": 5, \"tick\": 9}' | %s encode schemas/mygame.pkt ConnectAccept | %s "
                    "decode --bits schemas/mygame.pkt ConnectAccept",
                    setting("PKTC_SANITIZED"), setting("PKTC_SANITIZED"));
    json_t *described = json_of("describe schemas/mygame.pkt");
    const json_t *type = named(json_object_get(described, "declarations"), "ConnectAccept");
    assert_int_equal(shown.status, 0);
    static const char *const names[] = {"slot", "tick", "tick_rate", "end check"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *ending = text_format("ConnectAccept.%s\n", names[i]), *line = strstr(shown.out, ending);
        assert_non_null(line);
        while (line > shown.out && line[-1] != '\n')
            line--;
        assert_int_equal(number_at(named(json_object_get(type, "items"), names[i]), "place", "least"), atol(line));
        free(ending);
    }
    json_decref(described);
    process_free(&shown);
}

/* The raw value at a bit, as `pktc decode --bits` prints it. */
static double raw_at(const char *shown, json_int_t bit)
{
    for (const char *line = shown; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        long at;
        int bits;
        double raw;
        if (sscanf(line, "%ld %d %lf", &at, &bits, &raw) == 3 && at == bit)
            return raw;
    }
    fail_msg("there is no bit %d", (int)bit);
    return 0;
}

TEST(what_is_always_the_same_has_its_value_and_text_its_length)
{
    process_result shown =
        process_run("echo '{}' | %s encode schemas/all.pkt Layout | %s decode --bits schemas/all.pkt "
                    "Layout",
                    setting("PKTC_SANITIZED"), setting("PKTC_SANITIZED"));
    json_t *described = json_of("describe schemas/all.pkt"), *item;
    const json_t *all = json_object_get(described, "declarations");
    size_t i, compared = 0;
    assert_int_equal(shown.status, 0);
    json_array_foreach(json_object_get(named(all, "Layout"), "items"), i, item)
    {
        const json_t *value = json_object_get(item, "value");
        if (!value)
            continue;
        assert_true(json_number_value(value) == raw_at(shown.out, number_at(item, "place", "least")));
        compared++;
    }
    assert_int_equal(compared, 5);
    const json_t *offset = named(json_object_get(named(all, "Shape"), "items"), "offset");
    assert_true(json_number_value(json_object_get(offset, "value")) == 2);
    const json_t *name = named(json_object_get(named(all, "Texts"), "items"), "name");
    assert_true(json_number_value(json_object_get(name, "length")) == 31);
    json_decref(described);
    process_free(&shown);
}

TEST(one_schema_is_described)
{
    free(output_of(2, "describe"));
    free(output_of(2, "describe schemas/all.pkt schemas/vec.pkt"));
    free(output_of(1, "describe schemas/none.pkt"));
}

int main(void)
{
    return run_all(set_up);
}
