/* test_tally_file.c - adds up tallies of parts in every order, as they are and as bytes, and damages the bytes.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/peers.h"
#include "recordings/report.h"
#include "recordings/savings.h"
#include "recordings/tally_file.h"
#include "traffic/values.h"

enum { RECORDINGS = 6, DAMAGES = 6000 };

static packer bytes_of_tally(arena *a, tally *t)
{
    packer to = {.arena = a};
    tally_settle(t);
    tally_put(&to, t);
    return to;
}

static bool read_bytes(arena *a, const uint8_t *bytes, size_t size, tally *to)
{
    unpacker from = {.arena = a, .bytes = bytes, .size = size};
    return tally_take(&from, NULL, to) && from.at == from.size;
}

/* A recording: some values of both types, from several senders, at times that are not in order. */
static tally *counted(arena *a, const schema *const *s, unsigned number)
{
    tally *t = tally_new(a, s, 1);
    char *values[SAMPLES];
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < SAMPLES; i++)
            values[i] = delta_value(i);
        total(a, s[0], "Delta", values, way != 0, t);
        for (int i = 0; i < SAMPLES; i++)
            free(values[i]);
    }
    for (unsigned i = 0; i < 400; i++) {
        const uint64_t time = UINT64_C(1700000000000000000) + draw(UINT64_C(1) << (20 + 3 * number));
        tally_datagram(t, draw(3) ? "Delta" : number % 2 ? "Odd" : "Even", 40 + draw(60), time);
        tally_peer(t, arena_text(a, "192.0.2.1:10000 to 192.0.2.9:2", draw(2) ? 30 : 28 + draw(3)), 40, draw(3));
        char *name = printed("192.0.2.1:%u to 192.0.2.9:1", (unsigned)draw(4000));
        tally_peer(t, name, draw(50), draw(2));
        free(name);
    }
    for (unsigned i = 0; i < 20; i++) {
        char *fault = printed("'match%u.pcapng' is gone", (unsigned)draw(60));
        tally_fault(t, fault, draw(2));
        free(fault);
    }
    tally_refused(t, 3, 1);
    t->recordings = 1;
    return t;
}

static const char *reports(arena *a, const tally *t)
{
    out *to = out_new(a);
    size_t size;
    report_text(a, t, to);
    report_json(a, t, to);
    report_html(a, t, to);
    return out_result(to, &size);
}

static const field_tally *tally_at(const tally *t, const char *name)
{
    const field_tally *f = t->fields;
    while (f && strcmp(f->path, name) != 0)
        f = f->next;
    assert_non_null(f);
    return f;
}

static bool has_advice(arena *a, const tally *t, const char *name)
{
    const advice *each = advise(a, t);
    while (each && strcmp(each->of->path, name) != 0)
        each = each->next;
    return each != NULL;
}

/* delta_text with one field declared in another way. */
static const schema *redeclared(arena *a, const char *old, const char *now)
{
    const char *at = strstr(delta_text, old);
    assert_non_null(at);
    return checked(a, arena_printf(a, "%.*s%s%s", (int)(at - delta_text), delta_text, now, at + strlen(old)));
}

enum { VERSIONS = 4 };

static uint64_t values_at(const tally *t, const char *name)
{
    return tally_at(t, name)->codes.total;
}

/* What all versions together have, and what the first one has alone. */
static void check_versions(arena *a, const tally *all, const tally *alone)
{
    static const char *const same[] = {"Delta.part", "Delta.real", "Delta.low"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(values_at(all, same[i]), VERSIONS * values_at(alone, same[i]));
        assert_true(has_advice(a, alone, same[i]));
    }
    assert_int_equal(tally_at(all, "Delta.part")->full, VERSIONS * tally_at(alone, "Delta.part")->full);
    assert_true(has_advice(a, all, "Delta.part"));
    assert_false(has_advice(a, all, "Delta.real"));
    assert_false(has_advice(a, all, "Delta.low"));
    assert_non_null(tally_at(all, "Delta.small")->steps);
    assert_false(has_advice(a, all, "Delta.small"));
    assert_true(has_advice(a, alone, "Delta.narrow"));
    assert_false(has_advice(a, all, "Delta.narrow"));
    assert_int_equal(values_at(all, "Delta.narrow"), 0);
    assert_null(tally_at(all, "Delta.narrow")->steps);
    assert_int_equal(tally_at(all, "Delta.narrow")->items, VERSIONS * tally_at(alone, "Delta.narrow")->items);
}

/* Versions of a protocol, in one recording or in one each. Values of one type count together; but what is advised to a
 * declaration holds for that declaration alone. Where the types differ, there are no values. */
TEST(test_versions)
{
    arena *a = arena_new();
    const schema *s[VERSIONS] = {
        redeclared(a, "small;", "small unless 3;"), redeclared(a, "u16<0, 65535> narrow", "u16<0, 2100> narrow"),
        redeclared(a, "real delta<2, 3>", "real delta<4, 6>"), redeclared(a, "i16 low;", "i16 low coded;")};
    char *values[SAMPLES];
    tally *parts[VERSIONS], *one = tally_new(a, s, VERSIONS);
    for (int i = 0; i < SAMPLES; i++)
        values[i] = delta_value(i);
    for (unsigned i = 0; i < VERSIONS; i++) {
        parts[i] = tally_new(a, s, VERSIONS);
        total(a, s[i], "Delta", values, true, parts[i]);
        total(a, s[i], "Delta", values, true, one);
    }
    tally_settle(one);
    tally_settle(parts[0]);
    check_versions(a, one, parts[0]);
    packer wanted = {0};
    for (int first = 0; first < VERSIONS; first++) {
        tally *sum = tally_new(a, s, VERSIONS), *again = tally_new(a, s, VERSIONS);
        for (int i = 0; i < VERSIONS; i++) {
            const packer bytes = bytes_of_tally(a, parts[(first + i) % VERSIONS]);
            assert_true(read_bytes(a, bytes.bytes, bytes.size, sum));
        }
        const packer found = bytes_of_tally(a, sum);
        check_versions(a, sum, parts[0]);
        assert_true(read_bytes(a, found.bytes, found.size, again));
        tally_settle(again);
        check_versions(a, again, parts[0]);
        wanted = first == 0 ? found : wanted;
        assert_int_equal(found.size, wanted.size);
        assert_memory_equal(found.bytes, wanted.bytes, wanted.size);
    }
    for (int i = 0; i < SAMPLES; i++)
        free(values[i]);
    arena_free(a);
}

TEST(test_parts_add_up)
{
    arena *a = arena_new();
    state = random_seed();
    const schema *s = checked(a, delta_text);
    tally *parts[RECORDINGS], *whole = tally_new(a, &s, 1);
    for (unsigned i = 0; i < RECORDINGS; i++) {
        parts[i] = counted(a, &s, i);
        tally_add(whole, parts[i]);
    }
    const packer wanted = bytes_of_tally(a, whole);
    const char *wanted_reports = reports(a, whole);
    assert_int_equal(whole->peers.count, PEERS_MOST);
    assert_true(whole->peers.others > 0);
    for (unsigned round = 0; round < 20; round++) {
        tally *sum = tally_new(a, &s, 1), *half = tally_new(a, &s, 1);
        for (unsigned taken = 0; taken + 1 < 1 << RECORDINGS;) {
            const unsigned i = (unsigned)draw(RECORDINGS);
            if (taken >> i & 1)
                continue;
            taken |= 1u << i;
            tally *to = draw(2) ? sum : half;
            if (draw(2)) {
                tally *copy = tally_new(a, &s, 1);
                tally_add(copy, parts[i]);
                const packer bytes = bytes_of_tally(a, copy);
                assert_true(read_bytes(a, bytes.bytes, bytes.size, to));
            } else {
                tally_add(to, parts[i]);
            }
        }
        tally_add(sum, half);
        const packer found = bytes_of_tally(a, sum);
        assert_int_equal(found.size, wanted.size);
        assert_memory_equal(found.bytes, wanted.bytes, wanted.size);
        assert_string_equal(reports(a, sum), wanted_reports);
    }
    arena_free(a);
}

/* Nothing that the bytes say may do harm: they are refused, or they are counts that can be printed. */
TEST(test_damaged_bytes)
{
    arena *a = arena_new();
    state = random_seed();
    const schema *s = checked(a, delta_text);
    tally *t = counted(a, &s, 3);
    const packer good = bytes_of_tally(a, t);
    unsigned refused = 0;
    for (unsigned i = 0; i < DAMAGES; i++) {
        arena *once = arena_new();
        size_t size = draw(8) == 0 ? draw(good.size) : good.size;
        uint8_t *bytes = malloc(size + 1);
        memcpy(bytes, good.bytes, size);
        for (uint64_t n = draw(4); n > 0 && size > 0; n--) {
            const size_t at = draw(2) ? draw(size) : draw(size < 400 ? size : 400);
            if (draw(2))
                bytes[at] ^= (uint8_t)(1u << draw(8));
            else
                bytes[at] = (uint8_t)(draw(3) ? 0xFF : draw(256));
        }
        tally *to = tally_new(once, &s, 1);
        if (read_bytes(once, bytes, size, to)) {
            tally_settle(to);
            if (i % 16 == 0)
                reports(once, to);
        } else {
            refused++;
        }
        free(bytes);
        arena_free(once);
    }
    printf("%u of %d were refused\n", refused, DAMAGES);
    assert_in_range(refused, DAMAGES / 10, DAMAGES - 1);
    arena_free(a);
}

/* Counts that have a field of the first schema at each path, and nothing else. */
static packer counts_of_paths(arena *a, const char *const *paths, size_t count)
{
    enum { BEFORE = 11, HAS_FIELD = 2 };
    packer to = {.arena = a};
    for (int i = 0; i < BEFORE; i++)
        pack_number(&to, 0);
    pack_number(&to, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t numbers[] = {i, HAS_FIELD, 1, 1, 0, 0};
        pack_text(&to, paths[i], strlen(paths[i]));
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            pack_number(&to, numbers[k]);
    }
    return to;
}

static bool reads_paths(arena *a, const schema *s, const char *const *paths, size_t count)
{
    const packer bytes = counts_of_paths(a, paths, count);
    return read_bytes(a, bytes.bytes, bytes.size, tally_new(a, &s, 1));
}

TEST(test_paths)
{
    static const char *const good[] = {"Delta.row", "Delta.row[]", "Delta.inner[].n"};
    static const char *const bad[] = {
        "Delta.row[7]", "Delta.row[", "Delta.row]", "Delta.inner[7].n", "Delta.n", "Delta", ""};
    arena *a = arena_new();
    const schema *s = checked(a, delta_text);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(reads_paths(a, s, &good[i], 1));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(reads_paths(a, s, &bad[i], 1));
    arena_free(a);
}

/* The memory that it takes to read the paths of so many packets with a field of the same enum. */
static size_t memory_of_paths(int count)
{
    arena *a = arena_new();
    out *text = out_new(a);
    const char **paths = ARENA_ARRAY(a, const char *, count);
    size_t size;
    out_format(text, "protocol game = 1;\nenum Many { m");
    for (int i = 0; i < count; i++)
        out_format(text, ", m%d", i);
    out_format(text, " }\n");
    for (int i = 0; i < count; i++) {
        out_format(text, "packet P%d { Many f; }\n", i);
        paths[i] = arena_printf(a, "P%d.f", i);
    }
    const schema *s = checked(a, out_result(text, &size));
    const size_t before = arena_used(a);
    assert_true(reads_paths(a, s, paths, (size_t)count));
    const size_t taken = arena_used(a) - before;
    arena_free(a);
    return taken;
}

/* The text of the enum is made once, and not for each field. */
TEST(test_many_fields)
{
    assert_true(memory_of_paths(4000) < 3 * memory_of_paths(2000));
}

/* A file is bounded by what its counts take in memory, and not by 4,096 fields that change. */
TEST(test_many_changes)
{
    enum { CHANGING = 4100 };
    arena *a = arena_new();
    out *text = out_new(a), *values[2] = {out_new(a), out_new(a)};
    char *written[SAMPLES];
    size_t size;
    out_format(text, "protocol game = 1;\npacket Wide @delta {\n");
    for (int i = 0; i < CHANGING; i++) {
        out_format(text, "u8 f%d;\n", i);
        for (int k = 0; k < 2; k++)
            out_format(values[k], "%s\"f%d\":%d", i ? "," : "{", i, k);
    }
    out_format(text, "}\n");
    const schema *s = checked(a, out_result(text, &size));
    for (int k = 0; k < 2; k++)
        out_format(values[k], "}");
    for (int i = 0; i < SAMPLES; i++)
        written[i] = (char *)out_result(values[i % 2], &size);
    tally *t = tally_new(a, &s, 1), *again = tally_new(a, &s, 1);
    total(a, s, "Wide", written, true, t);
    const packer bytes = bytes_of_tally(a, t);
    assert_true(read_bytes(a, bytes.bytes, bytes.size, again));
    assert_non_null(tally_at(again, "Wide.f4099")->steps);
    arena_free(a);
}

/* Frames can have any name, and so can kinds in a file, but a terminal gets no control characters. */
TEST(test_names_are_shown)
{
    static const uint8_t wrong[] = "\0\0\0\0\0\0\0\0\0\0\0\1\7\033[31m.a\0\0\1\10",
                         items[] = "\0\0\0\0\0\0\0\0\0\0\0\1\1a\0\0\1\10";
    arena *a = arena_new();
    out *to = out_new(a);
    size_t size;
    const schema *s = checked(a, delta_text);
    tally *t = tally_new(a, &s, 1);
    assert_false(read_bytes(a, wrong, sizeof wrong - 1, t));
    assert_true(read_bytes(a, items, sizeof items - 1, t));
    t->fields->path = "\033[31m.a";
    tally_datagram(t, "\033[2J", 40, 0);
    tally_settle(t);
    report_text(a, t, to);
    const char *text = out_result(to, &size);
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, "\\u001b[31m.a "));
    assert_non_null(strstr(text, "\\u001b[2J "));
    arena_free(a);
}
