/* pkt_crc32.c - CRC-32: by carry-less multiplication or a CRC instruction if the processor has it, else by tables.
 * SPDX-License-Identifier: MIT
 *
 * The state of a CRC is a remainder modulo P = 0x104C11DB7: that of the polynomial over GF(2) whose coefficients are
 * the bits so far. In the CRC-32 of zlib bits are reflected: the lowest bit of each byte comes first, and is the
 * coefficient of the highest power of x. So in a little-endian word, bit 0 is the highest power. The state is kept in
 * the same order, and is inverted at the start and at the end.
 *
 * There are three ways to compute it. The portable one looks up the share of each of 8 bytes, in a table for each distance
 * from the end ("slicing-by-8" of Kounavis and Berry; 16 tables would take 1 to 2 ns less for 16 to 47 bytes, and 8 KB
 * more). On x86, blocks of 16 bytes are folded as in Intel's paper "Fast CRC Computation for Generic Polynomials Using
 * PCLMULQDQ Instruction", and the tables do the rest. aarch64 has an instruction for it. PKT_PORTABLE leaves only the portable way.
 */
#include "pkt_stream.h"

#if !defined(PKT_PORTABLE) && defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define HAS_CLMUL
#include <tmmintrin.h>
#include <wmmintrin.h>
#elif !defined(PKT_PORTABLE) && defined(_MSC_VER) && defined(_M_X64) && !defined(_M_ARM64EC)
#define HAS_CLMUL
#include <intrin.h>
#include <tmmintrin.h>
#include <wmmintrin.h>
#elif !defined(PKT_PORTABLE) && defined(__ARM_FEATURE_CRC32)
#define HAS_ARM_CRC
#include <arm_acle.h>
#endif

static uint32_t pkt_crc32_load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#if defined(HAS_ARM_CRC)

/* Returns the state after size more bytes. */
static uint32_t pkt_crc32_update(uint32_t state, const uint8_t *p, size_t size)
{
    for (; size >= 8; p += 8, size -= 8)
        state = __crc32d(state, (uint64_t)pkt_crc32_load32(p) | (uint64_t)pkt_crc32_load32(p + 4) << 32);
    for (; size > 0; p++, size--)
        state = __crc32b(state, *p);
    return state;
}

#else

/* Row k has, for each value of a byte, the state after the byte and k zero bytes, from state 0 on. It is the sum of the
 * states of the byte's bits, which are SLICE's arguments, the lowest bit first. Each macro gives the states of one bit
 * more than the one before, added to `v`. */
#define SUMS1(v, a) (v), (v) ^ (a)
#define SUMS2(v, a, b) SUMS1(v, a), SUMS1((v) ^ (b), a)
#define SUMS3(v, a, b, c) SUMS2(v, a, b), SUMS2((v) ^ (c), a, b)
#define SUMS4(v, a, b, c, d) SUMS3(v, a, b, c), SUMS3((v) ^ (d), a, b, c)
#define SUMS5(v, a, b, c, d, e) SUMS4(v, a, b, c, d), SUMS4((v) ^ (e), a, b, c, d)
#define SUMS6(v, a, b, c, d, e, f) SUMS5(v, a, b, c, d, e), SUMS5((v) ^ (f), a, b, c, d, e)
#define SUMS7(v, a, b, c, d, e, f, g) SUMS6(v, a, b, c, d, e, f), SUMS6((v) ^ (g), a, b, c, d, e, f)
#define SLICE(a, b, c, d, e, f, g, h)                                 \
    {                                                                 \
        SUMS7(0u, a, b, c, d, e, f, g), SUMS7(h, a, b, c, d, e, f, g) \
    }

static const uint32_t pkt_crc32_table[8][256] = {
    SLICE(0x77073096, 0xEE0E612C, 0x076DC419, 0x0EDB8832, 0x1DB71064, 0x3B6E20C8, 0x76DC4190, 0xEDB88320),
    SLICE(0x191B3141, 0x32366282, 0x646CC504, 0xC8D98A08, 0x4AC21251, 0x958424A2, 0xF0794F05, 0x3B83984B),
    SLICE(0x01C26A37, 0x0384D46E, 0x0709A8DC, 0x0E1351B8, 0x1C26A370, 0x384D46E0, 0x709A8DC0, 0xE1351B80),
    SLICE(0xB8BC6765, 0xAA09C88B, 0x8F629757, 0xC5B428EF, 0x5019579F, 0xA032AF3E, 0x9B14583D, 0xED59B63B),
    SLICE(0x3D6029B0, 0x7AC05360, 0xF580A6C0, 0x30704BC1, 0x60E09782, 0xC1C12F04, 0x58F35849, 0xB1E6B092),
    SLICE(0xCB5CD3A5, 0x4DC8A10B, 0x9B914216, 0xEC53826D, 0x03D6029B, 0x07AC0536, 0x0F580A6C, 0x1EB014D8),
    SLICE(0xA6770BB4, 0x979F1129, 0xF44F2413, 0x33EF4E67, 0x67DE9CCE, 0xCFBD399C, 0x440B7579, 0x8816EAF2),
    SLICE(0xCCAA009E, 0x4225077D, 0x844A0EFA, 0xD3E51BB5, 0x7CBB312B, 0xF9766256, 0x299DC2ED, 0x533B85DA),
};

/* The share of the four bytes of `word` if `behind` bytes follow them. */
static uint32_t pkt_crc32_four_bytes(unsigned behind, uint32_t word)
{
    return pkt_crc32_table[behind + 3][word & 255] ^ pkt_crc32_table[behind + 2][word >> 8 & 255] ^
           pkt_crc32_table[behind + 1][word >> 16 & 255] ^ pkt_crc32_table[behind][word >> 24];
}

/* The same for four bytes in memory. They are loaded one by one: a processor forwards a byte from any store in
 * progress, but a word only from a store that contains it, and the data of a packet has just been stored in other
 * pieces. */
static uint32_t pkt_crc32_four_at(unsigned behind, const uint8_t *p)
{
    return pkt_crc32_table[behind + 3][p[0]] ^ pkt_crc32_table[behind + 2][p[1]] ^ pkt_crc32_table[behind + 1][p[2]] ^
           pkt_crc32_table[behind][p[3]];
}

/* Returns the state after size more bytes. Compilers add in the order of the sum, so the terms with the state are
 * last. */
static uint32_t pkt_crc32_update_by_tables(uint32_t state, const uint8_t *p, size_t size)
{
    for (; size >= 8; p += 8, size -= 8)
        state = pkt_crc32_four_at(0, p + 4) ^ pkt_crc32_four_bytes(4, pkt_crc32_load32(p) ^ state);
    if (size >= 4) {
        state = pkt_crc32_four_bytes(0, pkt_crc32_load32(p) ^ state);
        p += 4;
        size -= 4;
    }
    for (; size > 0; p++, size--)
        state = pkt_crc32_table[0][(*p ^ state) & 255] ^ state >> 8;
    return state;
}

#if defined(HAS_CLMUL)

/* The least number of bytes for which folding is faster; at least a block. */
#define FOLD_MIN 48

#if defined(__GNUC__) || defined(__clang__)
#define CLMUL __attribute__((target("pclmul,ssse3")))
#else
#define CLMUL
#endif

/* Powers of x modulo P, as words in which bit 63 is the coefficient of x^0. The product of two such words is one place
 * too low in its 128 bits, which multiplies it by x. So each power is one less than the distance by which it moves a
 * word. */
#define X_575 0x653D982200000000u
#define X_511 0xCAD38E8F00000000u
#define X_191 0x65673B4600000000u
#define X_127 0x9BA54C6F00000000u

CLMUL static __m128i pkt_crc32_pair(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((long long)high, (long long)low);
}

CLMUL static __m128i pkt_crc32_load_block(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Moves a block forward to the place of `next`, without changing the remainder, and adds the two. The low word of a
 * block is 64 places before the high one, so it is moved further. */
CLMUL static __m128i pkt_crc32_fold(__m128i block, __m128i powers, __m128i next)
{
    __m128i low = _mm_clmulepi64_si128(block, powers, 0x00);
    __m128i high = _mm_clmulepi64_si128(block, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/* Loaded from offset n on, 16 bytes of this table move the first n bytes of a block to its end, after zeros. */
/* clang-format off */
static const uint8_t pkt_crc32_to_end[32] = {
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,
};
/* clang-format on */

/* Returns the state after 16 or more bytes. Zeros before the data do not change the remainder, if the state is added to
 * the first 4 bytes of the data. So the incomplete block comes first, filled up with zeros, and no single bytes are
 * left at the end. Four blocks at a time are folded independently, because a multiplication takes longer than the
 * processor needs to start the next one. The tables reduce the last block faster than Barrett's method, where each
 * multiplication waits for the one before. Not inline, because its caller would save registers for it in short packets too:
 * on Windows, the upper ten of vectors. */
CLMUL PKT_NOINLINE static uint32_t pkt_crc32_update_by_folding(uint32_t state, const uint8_t *p, size_t size)
{
    const __m128i by_512 = pkt_crc32_pair(X_575, X_511);
    const __m128i by_128 = pkt_crc32_pair(X_191, X_127);
    size_t first = size % 16, blocks = size / 16 - 1;
    unsigned state_bits = first < 4 ? (unsigned)first * 8 : 32; /* bits of the state that go into the first bytes */
    __m128i filled = _mm_shuffle_epi8(_mm_xor_si128(pkt_crc32_load_block(p), _mm_cvtsi32_si128((int)state)),
                                      pkt_crc32_load_block(pkt_crc32_to_end + first));
    __m128i rest_of_state = _mm_cvtsi32_si128((int)(uint32_t)((uint64_t)state >> state_bits));
    __m128i a = pkt_crc32_fold(filled, by_128, _mm_xor_si128(pkt_crc32_load_block(p + first), rest_of_state));
    uint8_t last[16];
    p += first + 16;
    if (blocks >= 7) {
        __m128i b = pkt_crc32_load_block(p), c = pkt_crc32_load_block(p + 16), d = pkt_crc32_load_block(p + 32);
        for (blocks -= 3, p += 48; blocks >= 4; blocks -= 4, p += 64) {
            a = pkt_crc32_fold(a, by_512, pkt_crc32_load_block(p));
            b = pkt_crc32_fold(b, by_512, pkt_crc32_load_block(p + 16));
            c = pkt_crc32_fold(c, by_512, pkt_crc32_load_block(p + 32));
            d = pkt_crc32_fold(d, by_512, pkt_crc32_load_block(p + 48));
        }
        a = pkt_crc32_fold(pkt_crc32_fold(pkt_crc32_fold(a, by_128, b), by_128, c), by_128, d);
    }
    for (; blocks > 0; blocks--, p += 16)
        a = pkt_crc32_fold(a, by_128, pkt_crc32_load_block(p));
    _mm_storeu_si128((__m128i *)(void *)last, a);
    return pkt_crc32_update_by_tables(0, last, sizeof last);
}

#if defined(__GNUC__)
#define CAN_FOLD() (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3"))
#else
/* Asked once, because the answer takes long, most of all in a virtual machine. Threads that ask at the same time get
 * and keep the same answer. */
static bool pkt_crc32_can_fold(void)
{
    enum { UNKNOWN, YES, NO };
    static volatile long known = UNKNOWN;
    long answer = known;
    if (answer == UNKNOWN) {
        const int pclmul = 1 << 1, ssse3 = 1 << 9;
        int features[4];
        __cpuid(features, 1);
        answer = (features[2] & pclmul) != 0 && (features[2] & ssse3) != 0 ? YES : NO;
        known = answer;
    }
    return answer == YES;
}
#define CAN_FOLD() pkt_crc32_can_fold()
#endif

static uint32_t pkt_crc32_update(uint32_t state, const uint8_t *p, size_t size)
{
    if (size >= FOLD_MIN && CAN_FOLD())
        return pkt_crc32_update_by_folding(state, p, size);
    return pkt_crc32_update_by_tables(state, p, size);
}

#else

static uint32_t pkt_crc32_update(uint32_t state, const uint8_t *p, size_t size)
{
    return pkt_crc32_update_by_tables(state, p, size);
}

#endif
#endif

uint32_t pkt_crc32(uint32_t crc, const void *data, size_t size)
{
    return ~pkt_crc32_update(~crc, (const uint8_t *)data, size);
}
