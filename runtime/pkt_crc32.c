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
 * more). On x86, words of 8 bytes are multiplied by powers of x; how long data is folded and how the sum is reduced is in
 * Intel's paper "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction". Data of fewer than 8 bytes
 * goes to the tables there, too. aarch64 has an instruction for it. PKT_PORTABLE leaves only the portable way.
 */
#include "pkt_frame.h"

#if !defined(PKT_PORTABLE) && defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define HAS_CLMUL
#include <smmintrin.h>
#include <wmmintrin.h>
#elif !defined(PKT_PORTABLE) && defined(_MSC_VER) && defined(_M_X64) && !defined(_M_ARM64EC)
#define HAS_CLMUL
#include <intrin.h>
#include <smmintrin.h>
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
static uint32_t pkt_crc32_update(uint32_t state, const uint8_t *p, size_t size)
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

#if defined(__GNUC__) || defined(__clang__)
#define CLMUL __attribute__((target("pclmul,sse4.1")))
#else
#define CLMUL
#endif

/* The powers x^(8n + 31) modulo P, for a word with n bytes behind it: x^32 for the CRC, and one power less, because the
 * product of a word in which bit 63 is the coefficient of x^0 and one in which that is bit 31 has it in bit 94. In the
 * sums below it is bit 95. */
/* clang-format off */
static const uint32_t pkt_crc32_powers[120] = {
    0x00000001, 0x77073096, 0x191B3141, 0x01C26A37, 0xB8BC6765, 0x3D6029B0, 0xCB5CD3A5, 0xA6770BB4,
    0xCCAA009E, 0x177B1443, 0xEFC26B3E, 0xC18EDFC0, 0x9BA54C6F, 0xDD96D985, 0x9D0FE176, 0xB9FBDBE8,
    0xAE689191, 0x87A6CB43, 0xEF52B6E1, 0xD7E28058, 0x65673B46, 0x9FDA839E, 0x172864C0, 0x9B73EAD4,
    0x81256527, 0xA58B900E, 0xE71DA697, 0x6E8C1B41, 0x01B5FD1D, 0x6307D924, 0x3C60E308, 0x0EE7E8D1,
    0xF1DA05AA, 0x36F290F3, 0x24825136, 0xCF9E17C8, 0x9570D495, 0x80F0171F, 0x8D88FDE2, 0x4E890BA9,
    0xAF449247, 0xE81790A1, 0xA13984EE, 0x4713F6FB, 0x2A283862, 0xA396284C, 0x7FC99B93, 0x69790B65,
    0x3DB1ECDC, 0x8F582F13, 0x843119F1, 0xCA3EF393, 0x69CCFC0D, 0x7ED8B041, 0x01A5A9B6, 0x2203B310,
    0x1D9513D7, 0x18AAD264, 0x4AC70F93, 0x694C05F1, 0xCAD38E8F, 0x7DCD4D3F, 0xB61BE070, 0x50B36ADC,
    0x8F352D95, 0x80EA52E6, 0x49E9AD1F, 0x8D41E458, 0x653D9822, 0xD5057C7C, 0x5966386B, 0xDA39DEE8,
    0xAE0B5394, 0xF7CC5C0E, 0xE74FE15B, 0xFC5EC79D, 0x8E42B13E, 0xC1EF5F1A, 0xFDA31625, 0x4BF97751,
    0x1C279815, 0x6DC1C373, 0xC961E145, 0x067FD4FE, 0x5A03A0CF, 0x0B81DC81, 0x9AB4326A, 0xADFD3C74,
    0x57C54819, 0x643C6D88, 0xE307377F, 0xC0596B9A, 0x101A2331, 0x51CE1A19, 0x643A66DA, 0x666201AC,
    0xDF068DC2, 0x75B5A511, 0x6AC59557, 0xF56501C2, 0x759FC69D, 0x8ECB703F, 0xB6E8E64D, 0x08DBD5CB,
    0x0CBEC0ED, 0xDEB72005, 0x70B443AF, 0x46190A3A, 0xC64AC0B8, 0xC57C717E, 0xB778204A, 0x96BED0AE,
    0x31F8303F, 0xB657D50D, 0x7E072B68, 0x4317EE41, 0x019866E8, 0xAED0F22C, 0x3276BC11, 0x6A82564E,
};
/* clang-format on */

/* Powers of x modulo P that move a block of 16 bytes forward by 64 bytes, its low word 8 bytes further. One power less
 * than the distance, for the same reason. */
#define X_575 0x653D982200000000u
#define X_511 0xCAD38E8F00000000u

/* The quotient x^96 / P without its coefficient of x^0, and P. The lowest bits are the highest powers. */
#define QUOTIENT 0xB4E5B025F7011641u
#define POLYNOMIAL 0x1DB710641u

CLMUL static __m128i pkt_crc32_word(uint64_t word)
{
#if defined(__x86_64__) || defined(_M_X64)
    return _mm_cvtsi64_si128((long long)word);
#else
    return _mm_set_epi64x(0, (long long)word);
#endif
}

/* A word with `behind` bytes behind it, as a share of the sum. */
CLMUL static __m128i pkt_crc32_share(__m128i word, size_t behind)
{
    return _mm_clmulepi64_si128(word, _mm_cvtsi32_si128((int)pkt_crc32_powers[behind]), 0x00);
}

/* The same for a block of 16 bytes. */
CLMUL static __m128i pkt_crc32_block(__m128i block, size_t behind)
{
    return _mm_xor_si128(pkt_crc32_share(block, behind + 8), pkt_crc32_share(_mm_unpackhi_epi64(block, block), behind));
}

CLMUL static __m128i pkt_crc32_load_block(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Moves a block forward to the place of `next`, 64 bytes behind it, and adds the two. */
CLMUL static __m128i pkt_crc32_fold(__m128i block, __m128i powers, __m128i next)
{
    const __m128i low = _mm_clmulepi64_si128(block, powers, 0x00);
    const __m128i high = _mm_clmulepi64_si128(block, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/* The last size % 8 bytes, in the upper bytes of a word. Loaded as the word after the last whole one if all of that is
 * readable: a packet that has just been written was stored in such words, and a processor forwards a word only from a
 * store in progress that contains it. */
static uint64_t pkt_crc32_tail(const uint8_t *p, size_t size, size_t readable)
{
    const size_t whole = size & ~(size_t)7, tail = size % 8;
    if (readable - whole >= 8)
        return pkt_load64(p + whole) << 1 << (63 - 8 * tail);
    return pkt_load64(p + size - 8) & ~(~(uint64_t)0 >> 8 * tail);
}

/* Returns the CRC after 8 or more bytes. Each word of 8 bytes is multiplied by its power, independently of the others.
 * The sum has 96 bits, which Barrett's method reduces to 32. Before that, long data is folded to 64 bytes and a rest. Not
 * inline, because its caller would save registers for it: on Windows, the upper ten of vectors. */
CLMUL PKT_NOINLINE static uint32_t pkt_crc32_by_clmul(uint32_t crc, const uint8_t *p, size_t size, size_t readable)
{
    const uint32_t state = ~crc;
    const __m128i constants = _mm_set_epi64x((long long)POLYNOMIAL, (long long)QUOTIENT);
    __m128i sum = pkt_crc32_word(pkt_crc32_tail(p, size, readable)), quotient;
    if (size >= 128) {
        const __m128i by_512 = _mm_set_epi64x((long long)X_511, (long long)X_575);
        __m128i a = _mm_xor_si128(pkt_crc32_load_block(p), _mm_cvtsi32_si128((int)state)),
                b = pkt_crc32_load_block(p + 16), c = pkt_crc32_load_block(p + 32), d = pkt_crc32_load_block(p + 48);
        for (size -= 64, p += 64; size >= 64; size -= 64, p += 64) {
            a = pkt_crc32_fold(a, by_512, pkt_crc32_load_block(p));
            b = pkt_crc32_fold(b, by_512, pkt_crc32_load_block(p + 16));
            c = pkt_crc32_fold(c, by_512, pkt_crc32_load_block(p + 32));
            d = pkt_crc32_fold(d, by_512, pkt_crc32_load_block(p + 48));
        }
        a = _mm_xor_si128(pkt_crc32_block(a, size + 48), pkt_crc32_block(b, size + 32));
        c = _mm_xor_si128(pkt_crc32_block(c, size + 16), pkt_crc32_block(d, size));
        sum = _mm_xor_si128(sum, _mm_xor_si128(a, c));
    } else {
        size -= 8;
        sum = _mm_xor_si128(sum, pkt_crc32_share(pkt_crc32_word(pkt_load64(p) ^ state), size));
        p += 8;
    }
    for (; size >= 8; p += 8) {
        size -= 8;
        sum = _mm_xor_si128(sum, pkt_crc32_share(pkt_crc32_word(pkt_load64(p)), size));
    }
    quotient = _mm_clmulepi64_si128(sum, constants, 0x00);
    sum = _mm_xor_si128(sum, _mm_clmulepi64_si128(quotient, constants, 0x10));
    return ~(uint32_t)_mm_extract_epi32(sum, 2);
}

#if defined(__GNUC__)
#define CAN_FOLD() (__builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"))
#else
/* Asked once, because the answer takes long, most of all in a virtual machine. Threads that ask at the same time get
 * and keep the same answer. */
static bool pkt_crc32_can_fold(void)
{
    enum { UNKNOWN, YES, NO };
    static volatile long known = UNKNOWN;
    long answer = known;
    if (answer == UNKNOWN) {
        const int pclmul = 1 << 1, sse41 = 1 << 19;
        int features[4];
        __cpuid(features, 1);
        answer = (features[2] & pclmul) != 0 && (features[2] & sse41) != 0 ? YES : NO;
        known = answer;
    }
    return answer == YES;
}
#define CAN_FOLD() pkt_crc32_can_fold()
#endif

#endif
#endif

uint32_t pkt_crc32_within(uint32_t crc, const uint8_t *data, size_t size, size_t readable)
{
#if defined(HAS_CLMUL)
    if (size >= 8 && CAN_FOLD())
        return pkt_crc32_by_clmul(crc, data, size, readable);
#endif
    (void)readable;
    return ~pkt_crc32_update(~crc, data, size);
}

uint32_t pkt_crc32(uint32_t crc, const void *data, size_t size)
{
    return pkt_crc32_within(crc, (const uint8_t *)data, size, size);
}
