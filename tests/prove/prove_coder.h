/* prove_coder.h - the function to prove for the code tables of a schema: any bits begin with a symbol that the table has.
 * SPDX-License-Identifier: MIT
 *
 * prove.sh puts this behind the functions of pkt_coder.c, which are static, with a line for each table.
 */
#ifndef PROVE_CODER_H
#define PROVE_CODER_H

#define PROVE_CODES_BEGIN()                                                     \
    static void prove_table(const pkt_codes *k)                                 \
    {                                                                           \
        static uint8_t storage[16];                                             \
        const unsigned size = Frama_C_unsigned_int_interval(0, sizeof storage); \
        unsigned symbol = 0;                                                    \
        uint64_t after;                                                         \
        pkt_reader r;                                                           \
        pkt_cursor c;                                                           \
        Frama_C_make_unknown((char *)storage, sizeof storage);                  \
        /*@ split size; */                                                      \
        pkt_reader_init(&r, storage, size);                                     \
        r.bit = Frama_C_unsigned_int_interval(0, 8 * (unsigned)sizeof storage); \
        if (r.bit > r.limit)                                                    \
            return;                                                             \
        pkt_reader_cursor(&c, &r);                                              \
        if (code_get(&c, k, &symbol, &after) && symbol > k->last) {             \
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

#endif
