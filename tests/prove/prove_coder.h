/* prove_coder.h - functions to prove for coded deltas: the code tables of a schema are sound, and what the contracts in
 * prove_coded.h assume of arithmetic holds.
 * SPDX-License-Identifier: MIT
 *
 * prove.sh puts this behind the functions of pkt_coder.c, which are static, with a line for each table.
 */
#ifndef PROVE_CODER_H
#define PROVE_CODER_H

/* Any bits begin with a symbol that the table has, and the table has what the contract of code_get requires of it. */
#define PROVE_CODES_BEGIN()                                                     \
    static void prove_table(const pkt_codes *k)                                 \
    {                                                                           \
        static uint8_t storage[16];                                             \
        const unsigned size = Frama_C_unsigned_int_interval(0, sizeof storage); \
        unsigned symbol = 0;                                                    \
        uint64_t after;                                                         \
        pkt_reader r;                                                           \
        pkt_cursor c;                                                           \
        /*@ loop unroll 64; */                                                  \
        for (unsigned i = 0; i < 1 << PKT_CODE_AHEAD; i++) {                    \
            if (k->starts[i] > k->last && k->starts[i] != PKT_CODE_LONG) {      \
                /*@ assert \false; */                                           \
            }                                                                   \
        }                                                                       \
        /*@ loop unroll 256; */                                                 \
        for (unsigned i = 0; i <= k->last; i++) {                               \
            if (pkt_code_bits(k, i) < 1 || pkt_code_bits(k, i) > 12) {          \
                /*@ assert \false; */                                           \
            }                                                                   \
        }                                                                       \
        Frama_C_make_unknown((char *)storage, sizeof storage);                  \
        /*@ split size; */                                                      \
        pkt_reader_init(&r, storage, size);                                     \
        r.bit = Frama_C_unsigned_int_interval(0, 8 * (unsigned)sizeof storage); \
        if (r.bit > r.limit)                                                    \
            return;                                                             \
        pkt_reader_cursor(&c, &r);                                              \
        if (pkt_code_get(&c, k, &symbol, &after) && symbol > k->last) {         \
            /*@ assert \false; */                                               \
        }                                                                       \
    }                                                                           \
    void prove_codes(void)                                                      \
    {
#define PROVE_CODES(tables, count)           \
    for (unsigned i = 0; i < (count); i++) { \
        extern const pkt_codes tables[];     \
        prove_table(&tables[i]);             \
    }
#define PROVE_CODES_END() }

/* Numbers of 1 to 64 bits: their digits, their lowest bit that is 1, and what is left without it or behind a mask. The
 * components of rotations of 2 to 20 bits. */
static void prove_digits(void)
{
    const unsigned bits = Frama_C_unsigned_int_interval(1, 64), parts = Frama_C_unsigned_int_interval(2, 20);
    const unsigned i = Frama_C_unsigned_int_interval(0, 2);
    uint64_t v;
    Frama_C_make_unknown((char *)&v, sizeof v);
    /*@ split bits; */
    if (v <= UINT64_MAX >> (64 - bits) && (pkt_binary_digits(v) > bits || (bits < 64 && pkt_symbol_of(v) > bits))) {
        /*@ assert \false; */
    }
    if (v <= UINT64_MAX >> (64 - bits) && (v & (v - 1)) > UINT64_MAX >> (64 - bits)) {
        /*@ assert \false; */
    }
    if (v != 0 && v <= UINT64_MAX >> (64 - bits) && pkt_low_bit(v) >= bits) {
        /*@ assert \false; */
    }
    if ((v & pkt_mask(bits)) > UINT64_MAX >> (64 - bits)) {
        /*@ assert \false; */
    }
    /*@ merge bits; */
    /*@ split parts; */
    /*@ split i; */
    if (pkt_part_of(v, i, parts) > UINT64_MAX >> (64 - parts)) {
        /*@ assert \false; */
    }
}

/* Numbers by their lowest bit that is 1: pkt_low_bit finds it, and without it all bits up to there are 0. */
static void prove_low_bits(void)
{
    const unsigned low = Frama_C_unsigned_int_interval(0, 63);
    uint64_t v;
    Frama_C_make_unknown((char *)&v, sizeof v);
    /*@ split low; */
    v = (v << 1 | 1) << low;
    if (pkt_low_bit(v) != low || ((v & (v - 1)) & pkt_mask(low + 1)) != 0) {
        /*@ assert \false; */
    }
}

/* Compact numbers at any bit of data of 0 to 24 bytes. With more data, no other bytes are loaded. */
static void prove_compact(const unsigned bytes)
{
    static uint8_t storage[24];
    const unsigned size = Frama_C_unsigned_int_interval(0, sizeof storage);
    const pkt_coded k = {0, 0, 8 * bytes, bytes, true, 1, NULL};
    uint64_t v = 0, now;
    pkt_reader r;
    pkt_cursor c;
    Frama_C_make_unknown((char *)&now, sizeof now);
    if (now <= UINT64_MAX >> (64 - 8 * bytes))
        (void)pkt_plain_bits(now, &k);
    Frama_C_make_unknown((char *)storage, sizeof storage);
    /*@ split size; */
    pkt_reader_init(&r, storage + sizeof storage - size, size);
    r.bit = Frama_C_unsigned_int_interval(0, 8 * (unsigned)sizeof storage);
    pkt_reader_cursor(&c, &r);
    if (pkt_get_compact(&c, &v, bytes) == PKT_OK && v > UINT64_MAX >> (64 - 8 * bytes)) {
        /*@ assert \false; */
    }
}

/* The bits of a subset of 1 to 200 elements, and of 4,000. */
static void prove_auto_bits(const uint32_t n)
{
    static uint64_t words[(4000 + 63) / 64];
    Frama_C_make_unknown((char *)words, sizeof words);
    if (pkt_subset_auto_bits(words + sizeof words / sizeof *words - (n + 63) / 64, n) > n + 1) {
        /*@ assert \false; */
    }
}

void prove_numbers(void)
{
    prove_digits();
    prove_low_bits();
    prove_compact(2);
    prove_compact(4);
    prove_compact(8);
    /*@ loop unroll 200; */
    for (uint32_t n = 1; n <= 200; n++)
        prove_auto_bits(n);
    prove_auto_bits(4000);
}

#endif
