/* test_varying.c - tests compact and after: each form at each bit of a byte, at the end of the data, and hostile bits.
 * SPDX-License-Identifier: MIT
 *
 * The forms are built here a second time, bit by bit, from docs/wire.md. Data ends where its allocation ends, so that
 * the sanitizer reports an access after it.
 */
#include "../../runtime/pkt_inside.h"
#include "unit.h"

/* ---- bits one by one */

enum { MOST_BITS = 80 };

typedef struct bits {
    unsigned count;
    uint8_t bit[MOST_BITS];
} bits;

static void append(bits *b, uint64_t v, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        b->bit[b->count++] = v >> i & 1;
}

static bits defined_compact(uint64_t v, unsigned bytes)
{
    bits b = {.count = 0};
    unsigned left = bytes;
    for (; left > 1 && v >> 8 * (left - 1) == 0; left--)
        append(&b, 1, 1);
    if (v < 16) {
        append(&b, 1, 1);
        append(&b, v, 4);
    } else {
        append(&b, 0, 1);
        append(&b, v, 8 * left);
    }
    return b;
}

static bits defined_after(uint32_t start, uint32_t v)
{
    static const struct {
        uint32_t low, high;
        unsigned width;
    } tiers[] = {{1, 1, 0}, {2, 6, 3}, {7, 23, 5}, {24, 280, 9}, {281, 4377, 13}, {4378, 69914, 17}};
    bits b = {.count = 0};
    uint32_t d = v - start;
    for (unsigned i = 0; i < 6; i++) {
        if (d <= tiers[i].high) {
            append(&b, 1, 1);
            append(&b, d - tiers[i].low, tiers[i].width);
            return b;
        }
        append(&b, 0, 1);
    }
    append(&b, v, 32);
    return b;
}

/* `before` 1s and then the bits, in new memory of as many bytes as they need. */
static uint8_t *packed(const bits *b, unsigned before, size_t *size)
{
    *size = (before + b->count + 7) / 8;
    uint8_t *data = calloc(*size, 1);
    assert_non_null(data);
    for (unsigned i = 0; i < before; i++)
        data[i / 8] |= (uint8_t)(1 << i % 8);
    for (unsigned i = 0; i < b->count; i++)
        data[(before + i) / 8] |= (uint8_t)(b->bit[i] << (before + i) % 8);
    return data;
}

/* ---- an item of either type */

typedef struct item {
    unsigned bytes; /* of a compact integer; 0 for an after */
    uint32_t start;
} item;

static bool put(const item *i, const pkt_mode mode, pkt_cursor *c, uint64_t v, uint64_t rest)
{
    if (i->bytes == 0)
        return pkt_after_put(mode, c, (uint32_t)v, i->start, rest, true);
    if (i->bytes == 2)
        return pkt_compact_put(mode, c, v, 2, rest, true);
    return i->bytes == 4 ? pkt_compact_put(mode, c, v, 4, rest, true) : pkt_compact_put(mode, c, v, 8, rest, true);
}

static bool get(const item *i, pkt_cursor *c, uint64_t *v, uint64_t rest)
{
    if (i->bytes == 0) {
        uint32_t narrow = 0;
        bool taken = pkt_after_get(c, &narrow, i->start, rest, true);
        *v = narrow;
        return taken;
    }
    if (i->bytes == 2)
        return pkt_compact_get(c, v, 2, rest, true);
    return i->bytes == 4 ? pkt_compact_get(c, v, 4, rest, true) : pkt_compact_get(c, v, 8, rest, true);
}

static bool explain(const item *i, pkt_cursor *c, uint64_t *v)
{
    uint64_t value[2] = {0};
    const unsigned size = i->bytes != 0 ? i->bytes : 4;
    const pkt_entry l = {.kind = i->bytes != 0 ? PKT_ENTRY_COMPACT : PKT_ENTRY_AFTER,
                         .bits = (uint8_t)(8 * size),
                         .size = (uint8_t)size,
                         .other = sizeof *value,
                         .name = "f"};
    pkt_entry_store(&value[0], size, *v);
    pkt_entry_store(&value[1], size, i->start);
    bool taken = pkt_explain_entry(c, NULL, &l, (char *)value, 0);
    *v = pkt_entry_load(&value[0], size);
    return taken;
}

static pkt_cursor reading(const uint8_t *data, size_t size, unsigned before)
{
    return (pkt_cursor){.from = data, .bit = before, .limit = 8 * size};
}

static void check_write(const item *i, uint64_t v, const bits *want, unsigned before)
{
    size_t size;
    uint8_t *bytes = packed(want, before, &size), *data = malloc(size);
    pkt_cursor c = {.to = data, .bit = before, .limit = 8 * size, .carry = pkt_mask(before + 1) >> 1};
    assert_non_null(data);
    memset(data, 0xff, size);
    data[0] = (uint8_t)c.carry;
    assert_true(put(i, PKT_WRITE, &c, v, 0));
    assert_int_equal(c.bit, before + want->count);
    assert_int_equal(c.carry, c.bit % 8 != 0 ? bytes[size - 1] : 0);
    assert_memory_equal(data, bytes, size);
    c = (pkt_cursor){.to = data, .bit = before, .limit = before + want->count - 1};
    assert_false(put(i, PKT_WRITE, &c, v, 0));
    c.limit++;
    assert_false(put(i, PKT_WRITE, &c, v, 1));
    c.limit = 0;
    assert_true(put(i, PKT_MEASURE, &c, v, 0));
    assert_int_equal(c.bit, before + want->count);
    free(data);
    free(bytes);
}

static void check_read(const item *i, uint64_t v, const bits *from, unsigned before)
{
    size_t size;
    uint8_t *data = packed(from, before, &size);
    pkt_cursor c = reading(data, size, before);
    uint64_t got = 0;
    assert_true(get(i, &c, &got, 0));
    assert_int_equal(got, v);
    assert_int_equal(c.bit, before + from->count);
    c = reading(data, size, before);
    assert_false(get(i, &c, &got, 8 * size - (before + from->count) + 1));
    for (size_t less = (before / 8) + 1; less < size; less++) {
        uint8_t *cut = malloc(less);
        pkt_error error;
        assert_non_null(cut);
        memcpy(cut, data, less);
        c = reading(cut, less, before);
        assert_false(get(i, &c, &got, 0));
        c = reading(cut, less, before);
        c.reading = true;
        c.error = &error;
        assert_false(explain(i, &c, &got));
        assert_int_equal(error.code, PKT_ERROR_END);
        assert_int_equal(error.bit, before);
        free(cut);
    }
    free(data);
}

static void check(const item *i, uint64_t v)
{
    bits b = i->bytes != 0 ? defined_compact(v, i->bytes) : defined_after(i->start, (uint32_t)v);
    for (unsigned before = 0; before < 8; before++) {
        check_write(i, v, &b, before);
        check_read(i, v, &b, before);
    }
}

/* ---- tests */

static uint64_t random64(void)
{
    static uint64_t x = UINT64_C(0x9E3779B97F4A7C15);
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

TEST(compact_forms)
{
    for (unsigned bytes = 2; bytes <= 8; bytes *= 2) {
        item i = {.bytes = bytes};
        for (uint64_t v = 0; v < 300; v++)
            check(&i, v);
        for (unsigned n = 8; n <= 8 * bytes; n++) {
            check(&i, pkt_mask(n));
            check(&i, pkt_mask(n) ^ pkt_mask(n - 1));
            for (unsigned k = 0; k < 20; k++)
                check(&i, random64() & pkt_mask(n));
        }
    }
}

TEST(after_forms)
{
    static const uint32_t near[] = {1, 2, 3, 6, 7, 23, 24, 280, 281, 4377, 4378, 69914, 69915, 1000000};
    static const uint32_t starts[] = {0, 1, 17, 0x7fffffff, 0xfff00000};
    for (unsigned s = 0; s < sizeof starts / sizeof *starts; s++) {
        item i = {.start = starts[s]};
        for (unsigned n = 0; n < sizeof near / sizeof *near; n++)
            check(&i, (uint64_t)starts[s] + near[n]);
        for (unsigned n = 1; n < 32; n++) {
            uint64_t d = (random64() & pkt_mask(n)) + 1;
            if (starts[s] + d <= UINT32_MAX)
                check(&i, starts[s] + d);
        }
        check(&i, UINT32_MAX);
    }
}

TEST(after_has_to_rise)
{
    static const uint32_t values[] = {0, 16, 17};
    const item i = {.start = 17};
    for (unsigned n = 0; n < sizeof values / sizeof *values; n++) {
        uint8_t data[8];
        uint64_t v = values[n];
        pkt_error error;
        pkt_cursor c = {.to = data, .limit = 64};
        assert_false(put(&i, PKT_WRITE, &c, v, 0));
        c.error = &error;
        assert_false(explain(&i, &c, &v));
        assert_int_equal(error.code, PKT_ERROR_ORDER);
    }
}

/* Arbitrary bits: fast code and explaining code must agree, and accepted bits must be what a writer writes. */
static void check_hostile(const item *i, const uint8_t *data, size_t size, unsigned before)
{
    pkt_cursor fast = reading(data, size, before), slow = fast;
    pkt_error error;
    uint64_t v = 0, explained = 0;
    slow.reading = true;
    slow.error = &error;
    error.code = PKT_OK;
    bool taken = get(i, &fast, &v, 0);
    assert_int_equal(explain(i, &slow, &explained), taken);
    if (!taken) {
        assert_int_not_equal(error.code, PKT_OK);
        assert_int_equal(error.bit, before);
        assert_int_equal(slow.bit, before);
        return;
    }
    assert_int_equal(v, explained);
    assert_int_equal(fast.bit, slow.bit);
    bits b = i->bytes != 0 ? defined_compact(v, i->bytes) : defined_after(i->start, (uint32_t)v);
    assert_int_equal(fast.bit, before + b.count);
    for (unsigned n = 0; n < b.count; n++)
        assert_int_equal(data[(before + n) / 8] >> (before + n) % 8 & 1, b.bit[n]);
}

TEST(hostile_bits)
{
    for (unsigned round = 0; round < 200000; round++) {
        static const unsigned bytes[] = {0, 2, 4, 8};
        size_t size = 1 + random64() % 12;
        uint8_t *data = malloc(size);
        /* Forms begin with sequences of 1s or 0s, so make long ones. */
        uint64_t first = random64(), row = pkt_mask(1 + (unsigned)(random64() % 10)), kind = random64() % 3;
        assert_non_null(data);
        first = kind == 0 ? first : kind == 1 ? first | row : first & ~row;
        for (size_t n = 0; n < size; n++)
            data[n] = n < 8 ? (uint8_t)(first >> 8 * n) : (uint8_t)random64();
        item i = {.bytes = bytes[random64() % 4], .start = (uint32_t)(random64() >> random64() % 64)};
        check_hostile(&i, data, size, (unsigned)(random64() % 8));
        free(data);
    }
}
