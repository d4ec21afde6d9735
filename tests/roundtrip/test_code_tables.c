/* test_code_tables.c - tests the code tables of generated C: their codes and how codes are looked up follow from the lengths
 * of the symbols, as docs/wire.md says under "Code tables".
 * SPDX-License-Identifier: MIT
 *
 * Random values seldom have symbols with long codes, and a table with another code for one would still read what it
 * writes. tables.inc has a line for each array of tables in the generated C of schemas/all.pkt and coded.pkt.
 */
#include "all_codec.h"
#include "coded_codec.h"
#include "unit.h"

#define TABLES(name, count) extern const pkt_codes name[count];
#include "tables.inc"
#undef TABLES

static const struct {
    const char *name;
    const pkt_codes *tables;
    size_t count;
} all_tables[] = {
#define TABLES(name, count) {#name, name, count},
#include "tables.inc"
#undef TABLES
};

enum { COMPLETE = 1 << PKT_CODE_LONGEST };

static unsigned length_of(const pkt_codes *k, unsigned symbol)
{
    return k->words[symbol] >> PKT_CODE_LONGEST;
}

/* The first bit that is sent is the lowest of a word, and the highest of a code. */
static unsigned word_of(unsigned code, unsigned length)
{
    unsigned word = length << PKT_CODE_LONGEST;
    for (unsigned i = 0; i < length; i++)
        word |= (code >> (length - 1 - i) & 1) << i;
    return word;
}

/* Whether symbols have codes: one that comes alone takes no bits. */
static bool has_codes(const pkt_codes *k)
{
    for (unsigned symbol = 0; symbol <= k->last; symbol++)
        if (length_of(k, symbol) != 0)
            return true;
    return false;
}

static void check_codes(const char *name, const pkt_codes *k)
{
    unsigned next = 0; /* the next code, with zeros at its end up to the greatest length */
    for (unsigned length = 1; length <= PKT_CODE_LONGEST; length++) {
        for (unsigned symbol = 0; symbol <= k->last; symbol++) {
            if (length_of(k, symbol) != length)
                continue;
            if (k->words[symbol] != word_of(next >> (PKT_CODE_LONGEST - length), length))
                fail_msg("%s: symbol %u has another code", name, symbol);
            next += COMPLETE >> length;
        }
    }
    if (next != (has_codes(k) ? COMPLETE : 0))
        fail_msg("%s: the lengths are not complete", name);
}

static void check_starts(const char *name, const pkt_codes *k)
{
    const unsigned alone = k->starts[0];
    for (unsigned bits = 0; bits < 1 << PKT_CODE_AHEAD; bits++) {
        unsigned expected = has_codes(k) ? PKT_CODE_LONG : alone <= k->last ? alone : 0;
        for (unsigned symbol = 0; symbol <= k->last; symbol++) {
            const unsigned length = length_of(k, symbol), code = k->words[symbol] & (COMPLETE - 1);
            if (length != 0 && length <= PKT_CODE_AHEAD && ((bits ^ code) & ((1u << length) - 1)) == 0)
                expected = symbol;
        }
        if (k->starts[bits] != expected)
            fail_msg("%s: the bits %u begin with symbol %u", name, bits, expected);
    }
}

TEST(test_codes_follow_from_lengths)
{
    for (size_t i = 0; i < sizeof all_tables / sizeof *all_tables; i++)
        for (size_t j = 0; j < all_tables[i].count; j++)
            check_codes(all_tables[i].name, &all_tables[i].tables[j]);
}

TEST(test_lookups_follow_from_codes)
{
    for (size_t i = 0; i < sizeof all_tables / sizeof *all_tables; i++)
        for (size_t j = 0; j < all_tables[i].count; j++)
            check_starts(all_tables[i].name, &all_tables[i].tables[j]);
}
