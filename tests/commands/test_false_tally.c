/* test_false_tally.c - tallies that no pktc has written, with a right crc: they are refused, or give results as small ones do.
 * SPDX-License-Identifier: MIT
 */
#include "commands/sent.h"

#define TYPES_OF_GAME                                                  \
    "enum Gap : bits<3> { a = 1, b = 5 }\n"                            \
    "enum Side { left = 3, right = 7 }\n"                              \
    "struct S @delta { Gap g coded; Side side coded; u16 z coded; }\n" \
    "packet P { u8 number; optional int<1, 31> back; S s delta(number from number - back); }\n"

#define GAME "protocol game = 1;\n" TYPES_OF_GAME
#define MODELLED "protocol game = 1;\nmodel \"game.model\";\n" TYPES_OF_GAME

/* The entries of the sections of a tally of no datagram (the workshop's tally.md), each of which is one byte. */
enum {
    COUNT = 4,
    BYTES = 5,
    FIELDS = 11,
    DELTAS = 5, /* after what is counted of all */
    NUMBERS = 9,
    NUMBER_SIZE = 33 + 1, /* differences, and a histogram */
    GAPS = NUMBERS + 33,
    SIDES = GAPS + NUMBER_SIZE,
    Z = SIDES + NUMBER_SIZE,
    GROUP = Z + 1,
    MASKS = GROUP + 8,
    SYMBOLS = MASKS + 1 /* at least */
};

#define MOST (UINT64_C(1) << 50) /* of any count */

typedef struct buffer {
    uint8_t *bytes;
    size_t size, room;
} buffer;

static void put_byte(buffer *to, uint8_t byte)
{
    if (to->size == to->room) {
        to->room = to->room == 0 ? 4096 : 2 * to->room;
        to->bytes = realloc(to->bytes, to->room);
    }
    to->bytes[to->size++] = byte;
}

static void put_bytes(buffer *to, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put_byte(to, ((const uint8_t *)bytes)[i]);
}

static void put_number(buffer *to, uint64_t n)
{
    for (; n >= 128; n >>= 7)
        put_byte(to, (uint8_t)(n | 128));
    put_byte(to, (uint8_t)n);
}

static void put_name(buffer *to, const char *name)
{
    put_number(to, strlen(name));
    put_bytes(to, name, strlen(name));
}

static size_t take_number(const buffer *from, size_t *at)
{
    size_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = from->bytes[(*at)++];
        n |= (size_t)(byte & 127) << shift;
        if (byte < 128)
            return n;
    }
}

/* What stands in a section in place of the entries from `at` on: as many as it has. */
typedef struct change {
    size_t at, count;
    buffer entries;
} change;

static change change_at(size_t at, size_t count)
{
    return (change){.at = at, .count = count};
}

static change one_number(size_t at, uint64_t n)
{
    change c = change_at(at, 1);
    put_number(&c.entries, n);
    return c;
}

/* A histogram of `count` values that are `step` apart, of each so many. */
static change some_values(size_t at, uint64_t first, uint64_t step, size_t count, uint64_t of_each)
{
    change c = change_at(at, 1);
    put_number(&c.entries, count);
    for (size_t i = 0; i < count; i++) {
        put_number(&c.entries, i == 0 ? first : step);
        put_number(&c.entries, of_each);
    }
    if (count == 4096)
        put_number(&c.entries, 0);
    return c;
}

static change one_value(size_t at, uint64_t value, uint64_t count)
{
    return some_values(at, value, 1, 1, count);
}

static uint64_t pair(uint64_t old, uint64_t now)
{
    return now << 32 | old;
}

static void put_changed(buffer *to, const uint8_t *section, size_t size, change *changes, size_t count)
{
    buffer made = {0};
    size_t at = 0;
    for (size_t i = 0; i < count; at = changes[i].at + changes[i].count, i++) {
        put_bytes(&made, section + at, changes[i].at - at);
        put_bytes(&made, changes[i].entries.bytes, changes[i].entries.size);
        free(changes[i].entries.bytes);
    }
    put_bytes(&made, section + at, size - at);
    put_number(to, made.size);
    put_bytes(to, made.bytes, made.size);
    free(made.bytes);
}

static uint32_t crc_of(const buffer *b)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < b->size; i++) {
        crc ^= b->bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xEDB88320) : 0);
    }
    return ~crc;
}

/* Writes a tally of no datagram with other entries in one of its sections, in ascending order. */
static void make_tally(const char *name, bool of_symbols, change *changes, size_t count)
{
    static buffer good;
    if (!good.bytes) {
        static const uint8_t address[4] = {192, 0, 2, 1};
        static const char *const text[] = {GAME, NULL}, *const *const texts = text;
        const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
        pkt_capture c;
        FILE *file = fopen("none.pcapng", "wb");
        assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, &texts, 1));
        fclose(file);
        size_t size;
        char *command = text_format("%s tally none.pcapng", pktc);
        uint8_t *bytes = bytes_of(command, &size);
        put_bytes(&good, bytes, size);
        free(bytes);
        free(command);
    }
    size_t at = 8;
    assert_int_equal(take_number(&good, &at), 1); /* checks */
    assert_int_equal(take_number(&good, &at), 1); /* a schema */
    (void)take_number(&good, &at);
    const size_t text = take_number(&good, &at);
    at += text;
    buffer made = {0};
    put_bytes(&made, good.bytes, at);
    for (unsigned section = 0; section < 2; section++) {
        const size_t size = take_number(&good, &at);
        const bool changed = section == of_symbols;
        if (of_symbols && changed)
            assert_true(size >= SYMBOLS);
        put_changed(&made, good.bytes + at, size, changes, changed ? count : 0);
        at += size;
    }
    const uint32_t crc = crc_of(&made);
    for (unsigned i = 0; i < 4; i++)
        put_byte(&made, (uint8_t)(crc >> 8 * i));
    FILE *file = fopen(name, "wb");
    assert_int_equal(fwrite(made.bytes, 1, made.size, file), made.size);
    fclose(file);
    free(made.bytes);
}

static void make_symbols(const char *name, change c)
{
    make_tally(name, true, &c, 1);
}

static void is_damaged(const char *command)
{
    fails_saying("pktc: error: 'bad.tally' is a damaged tally\n      = help: make it again with `pktc tally`\n",
                 command);
}

/* A field of a report: its path, and then order, flags, items and bits. */
static void put_false_field(buffer *to, const char *path, uint64_t order)
{
    put_name(to, path);
    put_number(to, order);
    put_number(to, 0);
    put_number(to, 5);
    put_number(to, 40);
}

/* 5 datagrams of 50 bytes, with these fields. */
static void make_fields(const char *name, buffer fields, size_t count)
{
    change changes[] = {one_number(COUNT, 5), one_number(BYTES, 50), change_at(FIELDS, 1)};
    put_number(&changes[2].entries, count);
    put_bytes(&changes[2].entries, fields.bytes, fields.size);
    free(fields.bytes);
    make_tally(name, false, changes, 3);
}

/* ---- pages */

/* Paths can be those of frames, whose names can be any text. None is more than text in a page. */
TEST(test_paths_are_text)
{
    static const char *const paths[] = {"<script>alert(1)</script>", "a\" onload=\"alert(1).crc", "&lt;.x", "P.<b>",
                                        "P.number"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        buffer field = {0};
        put_false_field(&field, paths[i], 0);
        make_fields("false.tally", field, 1);
        process_result r = run_for(0, "report --html - false.tally");
        assert_null(strstr(r.out, "<script"));
        assert_null(strstr(r.out, "<b>"));
        assert_null(strstr(r.out, "\" onload"));
        assert_null(strstr(r.out, "&lt;.x"));
        if (i == 0)
            assert_contains(r.out, "<h3>&lt;script&gt;alert(1)&lt;/script&gt;, 5 bytes</h3>");
        process_free(&r);
    }
    file_write("<i>.pkt", "struct S { u8 n; }\n");
    process_result r = run_for(0, "layout --html - '<i>.pkt'");
    assert_null(strstr(r.out, "<i>"));
    process_free(&r);
}

TEST(test_paths_that_no_schema_has)
{
    static const char *const paths[] = {"", "P.\x1b[2J", "P\n", "P\t", "\xff", "P.\xe2\x80\xae"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        buffer field = {0};
        put_false_field(&field, paths[i], 0);
        make_fields("bad.tally", field, 1);
        is_damaged("report bad.tally");
    }
}

/* As many fields as there may be, each of its own type: a page of them takes a second. */
TEST(test_many_fields)
{
    enum { FIELDS_MOST = 65536 };
    buffer fields = {0};
    for (unsigned i = 0; i < FIELDS_MOST; i++) {
        char *path = text_format("T%u", i);
        put_false_field(&fields, path, i);
        free(path);
    }
    make_fields("many.tally", fields, FIELDS_MOST);
    char *command = text_format("ulimit -t 10 && %s report --html many.html many.tally", pktc);
    run_shell(command);
    free(command);
}

/* ---- counts */

/* No count of symbols is greater, and none takes more than it has. */
TEST(test_counts_that_nothing_has)
{
    static const size_t places[] = {0,     1,     DELTAS,   DELTAS + 1, DELTAS + 2, NUMBERS, NUMBERS + 32,
                                    Z - 1, GROUP, MASKS - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        make_symbols("bad.tally", one_number(places[i], MOST + 1));
        is_damaged("train game.pkt bad.tally");
        make_symbols("bad.tally", one_number(places[i], MOST));
        process_result r = process_run("%s tally -o sum.tally bad.tally", pktc);
        assert_int_equal(r.status, 0);
        process_free(&r);
    }
    make_symbols("bad.tally", some_values(Z, pair(1, 2), 1, 2, MOST / 2 + 1));
    is_damaged("train game.pkt bad.tally");
    change counts[] = {one_number(COUNT, MOST + 1), one_number(BYTES, 50)};
    make_tally("bad.tally", false, counts, 2);
    is_damaged("report bad.tally");
}

/* The sum of two is another tally, and a model of it is that of one. */
TEST(test_sums_that_are_too_great)
{
    static const size_t places[] = {GAPS, SIDES, Z, MASKS};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const uint64_t value = places[i] == SIDES ? pair(0, 4) : places[i] == MASKS ? 5 : pair(1, 5);
        change c[] = {one_number(DELTAS, 5), one_value(places[i], value, MOST)};
        make_tally("one.tally", true, c, 2);
        change d[] = {one_number(DELTAS, 5), one_value(places[i], value, MOST - 1)};
        make_tally("less.tally", true, d, 2);
        process_result one = run_for(0, "train game.pkt one.tally"),
                       two = run_for(0, "train game.pkt one.tally less.tally");
        assert_string_equal(two.out, one.out);
        run_silently("tally -o sum.tally less.tally one.tally");
        run_silently("tally -o sum2.tally one.tally sum.tally");
        process_result sum = run_for(0, "train game.pkt sum2.tally");
        assert_string_equal(sum.out, one.out);
        process_free(&one);
        process_free(&two);
        process_free(&sum);
    }
}

/* Tables that are full of values, again and again. */
TEST(test_sums_of_many_values)
{
    static const char *const added[] = {
        "a.tally a.tally b.tally", "a.tally a.tally a.tally b.tally", "a.tally a.tally a.tally a.tally a.tally b.tally",
        "a.tally a.tally a.tally a.tally a.tally b.tally c.tally d.tally e.tally",
        "b.tally a.tally a.tally a.tally a.tally a.tally a.tally a.tally c.tally d.tally e.tally"};
    static const char *const names[] = {"a.tally", "b.tally", "c.tally", "d.tally", "e.tally"};
    for (size_t i = 0; i < 5; i++) {
        change c[] = {one_number(DELTAS, 5),
                      some_values(Z, pair(0, i), 1, i == 0 ? 4095 : 64, i == 0 ? MOST / 4096 : 1)};
        make_tally(names[i], true, c, 2);
    }
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        char *train = text_format("ulimit -t 20 && %s train game.pkt %s >model 2>warnings", pktc, added[i]);
        run_shell(train);
        free(train);
        char *tally = text_format("ulimit -t 20 && %s tally -o sum.tally %s 2>warnings", pktc, added[i]);
        run_shell(tally);
        free(tally);
        process_result r = run_for(0, "train game.pkt sum.tally");
        process_free(&r);
    }
}

/* ---- values */

static void has_wrong(const char *what)
{
    char *error = text_format("pktc: error: 'bad.tally' is a damaged tally: it has %s that the schema has not\n"
                              "      = help: make it again with `pktc tally`\n",
                              what);
    fails_saying(error, "train game.pkt bad.tally");
    fails_saying(error, "tally bad.tally -o sum.tally");
    free(error);
}

/* A model of them would be refused. */
TEST(test_values_that_the_type_has_not)
{
    static const struct {
        size_t at;
        uint64_t value;
        const char *what;
    } wrong[] = {
        {Z, 65536, "values of 'S.z'"},    {Z, UINT32_MAX, "values of 'S.z'"}, {SIDES, 1, "values of 'S.side'"},
        {SIDES, 5, "values of 'S.side'"}, {GAPS, 8, "values of 'S.g'"},       {MASKS, 8, "changes of 'S'"},
        {MASKS, MOST, "changes of 'S'"},
    };
    static const struct {
        size_t at;
        uint64_t value;
    } right[] = {{Z, 65535}, {SIDES, 4}, {GAPS, 7}, {MASKS, 7}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        make_symbols("bad.tally",
                     one_value(wrong[i].at, wrong[i].at == MASKS ? wrong[i].value : pair(0, wrong[i].value), 1000));
        has_wrong(wrong[i].what);
    }
    make_symbols("bad.tally", one_value(Z, pair(65536, 0), 1000));
    has_wrong("values of 'S.z'");
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        change c[] = {one_number(DELTAS, 5),
                      one_value(right[i].at, right[i].at == MASKS ? right[i].value : pair(0, right[i].value), 1000)};
        make_tally("good.tally", true, c, 2);
        run_silently("train -o game.model game.pkt good.tally");
        process_result r = run_for(0, "layout modelled.pkt");
        process_free(&r);
    }
}

static int set_up_game(void **state)
{
    const int status = set_up(state);
    file_write("game.pkt", GAME);
    file_write("modelled.pkt", MODELLED);
    return status;
}

int main(void)
{
    cli_begin("false_tally");
    return cli_end(run_all(set_up_game));
}
