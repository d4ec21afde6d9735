/* pkt_upgrade.h - packets of older versions: which version sent them, and values in other ranges.
 * SPDX-License-Identifier: MIT
 *
 * For NAME_upgrade.c, which includes it through pkt.h. Programs do not use this header. All of it is inline, so a
 * program without such a file has nothing of it.
 */
#ifndef PKT_UPGRADE_H
#define PKT_UPGRADE_H

#include "pkt_explain.h"
#include "pkt_frame.h"
#include "pkt_packet.h"
#include "pkt_rotation.h"
#include "pkt_memory.h"
#include "pkt_varying.h"

PKT_C_BEGIN

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

/* The number of the version in which a packet was written, with this seed, 0 for none; 0 if it is damaged or of none of them. One pass over the
 * bytes is enough for all versions: a CRC is linear, so if two CRCs of the same bytes start differently, the difference
 * of their results depends only on that of the starts and on the number of bytes. Dividing by x^8 goes back over a
 * byte. */
PKT_INLINE uint32_t pkt_version_of(uint64_t seed, const void *packet, size_t size, const pkt_version *versions,
                                   size_t count)
{
    const uint8_t *data = (const uint8_t *)packet;
    uint32_t start, back = 0x6567cb95u; /* 1 / x^8 */
    uint8_t number[8];
    size_t bytes, i;
    if (size < 4)
        return 0;
    pkt_store64(number, seed);
    bytes = seed != 0 ? sizeof number : 0;
    start = pkt_crc32(versions[0].crc_start, number, bytes);
    bytes += size - 4;
    start = pkt_crc32(start, data + 4, size - 4) ^ pkt_load32(data);
    if (start == 0)
        return versions[0].number;
    for (; bytes != 0; bytes >>= 1) {
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

/* ---- faults of a value that is converted to an older release, in which they might look right ------------ */

/* A field that may be wrong although its value is converted to an older release, in which it
 * might look right. */
typedef enum pkt_sparing {
    PKT_SPARE_PART,     /* a part: T_serve checks it */
    PKT_SPARE_CUT,      /* a counted array: it ends before an element that cannot be written */
    PKT_SPARE_ELEMENTS, /* of an array, which are left out */
} pkt_sparing;

typedef struct pkt_spared {
    pkt_sparing how;
    uint32_t first; /* of PKT_SPARE_ELEMENTS: the number of the first one in an order */
    size_t offset;
} pkt_spared;

PKT_INLINE const pkt_spared *pkt_spared_at(const pkt_spared *spared, unsigned count, const pkt_entry *e)
{
    const bool array = e->kind == PKT_ENTRY_ARRAY || e->kind == PKT_ENTRY_COUNTED;
    e += e->kind == PKT_ENTRY_OPTIONAL;
    for (unsigned i = 0; i < count; i++)
        if (spared[i].offset == e->offset && (spared[i].how == PKT_SPARE_PART ? e->kind == PKT_ENTRY_STRUCT : array))
            return &spared[i];
    return NULL;
}

PKT_INLINE bool pkt_spare_elements(pkt_cursor *c, const pkt_type *type, const pkt_entry *e, const pkt_spared *s,
                                   char *v, uint64_t *invalid, uint32_t *cut, pkt_error *fault)
{
    uint64_t n = e->span;
    if (e->kind == PKT_ENTRY_COUNTED) {
        n = pkt_entry_load(v + e->other, e->size);
        if (!pkt_explain_order(c, e, v, (uint32_t)n))
            return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        c->bit = 0;
        if (pkt_explain_entry(c, type, e + 1, v, i))
            continue;
        pkt_explain_element(c, i);
        if (s->how == PKT_SPARE_CUT && i < e->low)
            return false;
        if (fault->code == PKT_OK) {
            *fault = *c->error;
            pkt_error_outer(fault, type->name);
        }
        pkt_no_error(c->error);
        if (s->how == PKT_SPARE_CUT) {
            pkt_entry_store(v + e->other, e->size, i);
            ++*cut;
            return true;
        }
        invalid[(s->first + i) / 64] |= UINT64_C(1) << (s->first + i) % 64;
    }
    return true;
}

/* Whether all of a value but those fields can be written. Marks elements that cannot in the bitmap `invalid`, ends arrays
 * before them, and records the fault of the first one, else PKT_OK. Writes to v only to end an array. cut: NULL if no array is
 * to end: its elements are as other fields. */
PKT_INLINE bool pkt_spare(const pkt_type *type, const pkt_spared *spared, unsigned count, void *v, uint64_t *invalid,
                          uint32_t *cut, pkt_error *fault, pkt_error *error)
{
    pkt_refs refs = pkt_any_refs();
    pkt_error why;
    pkt_cursor c = pkt_cursor_at(NULL, NULL, 0, PKT_ENDLESS, 0, &refs);
    c.error = &why;
    c.parts = NULL;
    c.part = NULL;
    pkt_no_error(&why);
    for (const pkt_entry *e = type->entries; e != pkt_type_end(type); e = pkt_entry_after(e)) {
        const pkt_spared *s = pkt_spared_at(spared, count, e);
        if (s && s->how == PKT_SPARE_PART)
            continue;
        if (s && (cut || s->how != PKT_SPARE_CUT) ? pkt_spare_elements(&c, type, e, s, (char *)v, invalid, cut, fault)
                                                  : pkt_explain_entry(&c, type, e, (char *)v, 0))
            continue;
        pkt_error_outer(&why, type->name);
        if (error)
            *error = why;
        return false;
    }
    return true;
}

/* Moves the numbers that are marked in the bitmap of `all` bits to the end of an order. Returns how many others there
 * are. */
PKT_INLINE uint32_t pkt_order_spared(pkt_element *order, uint32_t count, const uint64_t *invalid, uint32_t all)
{
    uint32_t good = 0;
    for (uint32_t i = 0; i < count; i++) {
        const pkt_element element = order[i];
        if (element.number < all && pkt_present_has(invalid, all, element.number))
            continue;
        order[i] = order[good];
        order[good++] = element;
    }
    return good;
}

/* Moves them behind the numbers that T_fit_... kept and those that it found invalid, and reports them. packet, part: the names
 * of a part, else NULL. */
PKT_INLINE void pkt_report_spared(pkt_element *order, uint32_t kept, uint32_t good, uint32_t count,
                                  const pkt_error *fault, const char *packet, const char *part, pkt_fit_report *report)
{
    const uint32_t after = kept + (report ? report->invalid : 0);
    for (uint32_t i = good; i < count; i++) {
        const pkt_element other = order[after + (i - good)];
        order[after + (i - good)] = order[i];
        order[i] = other;
    }
    if (!report || good == count)
        return;
    report->invalid += count - good;
    if (report->error.code != PKT_OK)
        return;
    report->error = *fault;
    if (part) {
        const char *inner = strchr(fault->field, '.'); /* behind the name of the type */
        memcpy(report->error.field, inner ? inner + 1 : "", inner ? strlen(inner) : 1);
        pkt_error_outer(&report->error, part);
        pkt_error_outer(&report->error, packet);
    }
}

/* T_fit_pack_for fails. why: if it fails before T_fit_pack does, the same for the report; else PKT_OK. Returns false. */
PKT_INLINE bool pkt_fit_for_fails(const pkt_error *why, uint32_t *count, pkt_fit_report *report)
{
    if (count)
        *count = 0;
    if (report && why->code != PKT_OK) {
        memset(report, 0, sizeof *report);
        report->error = *why;
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

PKT_C_END

#endif
