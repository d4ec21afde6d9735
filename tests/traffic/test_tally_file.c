/* test_tally_file.c - adds up tallies of parts in every order, as they are and as bytes, and damages the bytes.
 * SPDX-License-Identifier: MIT
 */
#include "traffic/peers.h"
#include "traffic/report.h"
#include "traffic/tally_file.h"
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
    return tally_take(&from, to) && from.at == from.size;
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
        tally_peer(t, arena_text(a, "192.0.2.1:10000 to 192.0.2.9:2", draw(2) ? 30 : 28 + draw(3)), 40);
        char *name = printed("192.0.2.1:%u to 192.0.2.9:1", (unsigned)draw(4000));
        tally_peer(t, name, draw(50));
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

/* Two versions of a protocol in one recording, with a field whose width differs: its values are those of the first. */
TEST(test_versions)
{
    static const char wide[] = "u16<0, 65535> narrow", less[] = "u16<0, 2100> narrow";
    arena *a = arena_new();
    const char *at = strstr(delta_text, wide);
    assert_non_null(at);
    const schema *s[2] = {
        checked(a, arena_printf(a, "%.*s%s%s", (int)(at - delta_text), delta_text, less, at + sizeof wide - 1)),
        checked(a, delta_text)};
    char *values[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        values[i] = delta_value(i);
    tally *alone = tally_new(a, s, 2);
    total(a, s[0], "Delta", values, true, alone);
    const field_tally *wanted = tally_at(alone, "Delta.narrow");
    for (int first = 0; first < 2; first++) {
        tally *both = tally_new(a, s, 2), *sum = tally_new(a, s, 2);
        total(a, s[first], "Delta", values, true, both);
        total(a, s[1 - first], "Delta", values, true, both);
        tally_add(sum, both);
        const field_tally *found = tally_at(sum, "Delta.narrow");
        size_t size, wanted_size;
        const uint64_t *counts = steps_counts(found->steps, &size),
                       *wanted_counts = steps_counts(wanted->steps, &wanted_size);
        assert_ptr_equal(found->field, wanted->field);
        assert_int_equal(found->codes.total, wanted->codes.total);
        assert_int_equal(found->full, wanted->full);
        assert_int_equal(size, wanted_size);
        assert_memory_equal(counts, wanted_counts, size * sizeof *counts);
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
