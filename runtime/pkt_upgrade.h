/* pkt_upgrade.h - packets of older versions: which version sent them, and values in other ranges.
 * SPDX-License-Identifier: MIT
 *
 * For NAME_upgrade.c, which includes it through pkt.h. Programs do not use this header. All of it is inline, so a
 * program without such a file has nothing of it.
 */
#ifndef PKT_UPGRADE_H
#define PKT_UPGRADE_H

#include "pkt_rotation.h"
#include "pkt_memory.h"
#include "pkt_varying.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which version ---------------------------------------------------------------------------------------- */

/* A version of a packet: crc_start is the CRC of its protocol id and its name. */
typedef struct pkt_version {
    uint32_t number, crc_start;
} pkt_version;

/* A CRC is the remainder of a polynomial, whose highest power is in bit 0. This is the product of two of them. */
PKT_INLINE uint32_t pkt_crc_product(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; a != 0; a <<= 1) {
        if ((a & 0x80000000u) != 0)
            product ^= b;
        b = (b & 1) != 0 ? b >> 1 ^ 0xedb88320u : b >> 1;
    }
    return product;
}

/* The number of the version in which a packet was written; 0 if it is damaged or of none of them. One pass over the
 * bytes is enough for all versions: a CRC is linear, so if two CRCs of the same bytes start differently, the difference
 * of their results depends only on that of the starts and on the number of bytes. Dividing by x^8 goes back over a
 * byte. */
PKT_INLINE uint32_t pkt_version_of(const void *packet, size_t size, const pkt_version *versions, size_t count)
{
    const uint8_t *data = (const uint8_t *)packet;
    uint32_t start, back = 0x6567cb95u; /* 1 / x^8 */
    size_t bytes, i;
    if (size < 4)
        return 0;
    start = pkt_crc32(versions[0].crc_start, data + 4, size - 4) ^ pkt_load32(data);
    if (start == 0)
        return versions[0].number;
    for (bytes = size - 4; bytes != 0; bytes >>= 1) {
        if ((bytes & 1) != 0)
            start = pkt_crc_product(start, back);
        back = pkt_crc_product(back, back);
    }
    start ^= versions[0].crc_start;
    for (i = 0; i < count; i++)
        if (versions[i].crc_start == start)
            return versions[i].number;
    return 0;
}

/* ---- errors. Each of these returns false. ----------------------------------------------------------------- */

/* A packet of an older version is not valid in that version. */
PKT_INLINE bool pkt_upgrade_refused(const pkt_reader *r, pkt_error *error)
{
    if (error)
        *error = r->error;
    return false;
}

/* A value that was read has no counterpart in the version now: the schema no longer has what it refers to. */
PKT_INLINE bool pkt_upgrade_lost(const char *type, pkt_error *error)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->code = PKT_ERROR_VALUE;
        pkt_error_outer(error, type);
    }
    return false;
}

/* ---- numbers: the nearest one in range; halfway between two, the one farther from zero -------------------- */

PKT_INLINE uint32_t pkt_lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

PKT_INLINE int64_t pkt_clamped(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

PKT_INLINE uint64_t pkt_clamped_unsigned(uint64_t v, uint64_t low, uint64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* An integer of up to 64 bits and a sign. */
typedef struct pkt_wide {
    uint64_t magnitude;
    bool negative;
} pkt_wide;

PKT_INLINE pkt_wide pkt_wide_unsigned(uint64_t v)
{
    pkt_wide wide;
    wide.magnitude = v;
    wide.negative = false;
    return wide;
}

PKT_INLINE pkt_wide pkt_wide_signed(int64_t v)
{
    pkt_wide wide = pkt_wide_unsigned(v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
    wide.negative = v < 0;
    return wide;
}

/* v times scale, a power of 2. No number is 0. */
PKT_INLINE pkt_wide pkt_wide_real(double v, double scale)
{
    const double size = (v < 0 ? -v : v) * scale;
    pkt_wide wide = pkt_wide_unsigned(0);
    if (size >= 18446744073709551616.0) {
        wide.magnitude = UINT64_MAX;
    } else if (size >= 0) { /* false for no number */
        wide.magnitude = (uint64_t)size;
        wide.magnitude += size - (double)wide.magnitude >= 0.5;
    }
    wide.negative = v < 0;
    return wide;
}

/* Times 2^bits, of 1 to 63. What does not fit becomes the greatest. */
PKT_INLINE pkt_wide pkt_wide_up(pkt_wide v, unsigned bits)
{
    v.magnitude = v.magnitude > UINT64_MAX >> bits ? UINT64_MAX : v.magnitude << bits;
    return v;
}

/* Divided by 2^bits, of 1 to 64, and rounded to the nearest. */
PKT_INLINE pkt_wide pkt_wide_down(pkt_wide v, unsigned bits)
{
    const uint64_t half = v.magnitude >> (bits - 1) & 1;
    v.magnitude = bits < 64 ? v.magnitude >> bits : 0;
    v.magnitude += half;
    return v;
}

PKT_INLINE int64_t pkt_narrow(pkt_wide v, int64_t low, int64_t high)
{
    const uint64_t most = (uint64_t)INT64_MAX;
    if (v.negative)
        return pkt_clamped(v.magnitude > most ? INT64_MIN : -(int64_t)v.magnitude, low, high);
    return pkt_clamped(v.magnitude > most ? INT64_MAX : (int64_t)v.magnitude, low, high);
}

PKT_INLINE uint64_t pkt_narrow_unsigned(pkt_wide v, uint64_t low, uint64_t high)
{
    return pkt_clamped_unsigned(v.negative ? 0 : v.magnitude, low, high);
}

/* A number that a quantized one can have. No number is `base`. */
PKT_INLINE double pkt_real_in(double v, double low, double high, double base)
{
    if (!(v >= low))
        return v < low ? low : base;
    return v > high ? high : v;
}

/* A number that one on a circle can have: v, or as many whole turns away from it as it takes. A number that is not finite
 * or too far away for whole turns is `base`. */
PKT_INLINE double pkt_real_around(double v, double low, double high, double base)
{
    const double turns = (v - low) / (high - low), most = 4503599627370496.0; /* 2^52 */
    double whole, way;
    if (!(turns > -most && turns < most))
        return base;
    whole = (double)(int64_t)turns;
    way = (whole > turns ? whole - 1 : whole) * (high - low);
    PKT_ROUNDED(way);
    return v - way;
}

/* The nearest float; a finite number stays finite. */
PKT_INLINE float pkt_float_of(double v)
{
    const double most = 3.4028234663852886e38;
    if (v > most && v - v < 1)
        return (float)most;
    if (v < -most && v - v < 1)
        return -(float)most;
    return (float)v;
}

/* A rotation that can be written with this many bits; no rotation if this one cannot. */
PKT_INLINE pkt_quat pkt_quat_in(pkt_quat q, unsigned bits)
{
    return pkt_quat_code(q, bits) == PKT_FAILED ? pkt_quat_identity() : q;
}

/* ---- texts and bytes -------------------------------------------------------------------------------------- */

/* Copies a text of at most `max` bytes, or as many whole characters of it as fit with a zero. */
PKT_INLINE void pkt_copy_text(char *to, size_t room, const char *from, uint32_t max)
{
    size_t size = pkt_lesser(pkt_text_size(from, max), max);
    if (size >= room) {
        size = room - 1;
        while (size > 0 && ((unsigned char)from[size] & 0xc0) == 0x80)
            size--;
    }
    memcpy(to, from, size);
    to[size] = 0;
}

/* Copies bytes, or as many of them as fit. Returns their number. */
PKT_INLINE uint32_t pkt_copy_bytes(uint8_t *to, size_t room, const void *from, size_t size)
{
    if (size > room)
        size = room;
    memcpy(to, from, size);
    return (uint32_t)size;
}

/* ---- sparse arrays ---------------------------------------------------------------------------------------- */

PKT_INLINE bool pkt_is_present(const uint64_t *present, uint32_t i)
{
    return (present[i / 64] >> i % 64 & 1) != 0;
}

PKT_INLINE void pkt_set_present(uint64_t *present, uint32_t i)
{
    present[i / 64] |= UINT64_C(1) << i % 64;
}

#ifdef __cplusplus
}
#endif

#endif
