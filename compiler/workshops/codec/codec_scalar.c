/* codec_scalar.c - numbers, rotations, strings and bytes.
 * SPDX-License-Identifier: MIT
 *
 * No step of real arithmetic may be fused with another one or keep excess precision. So a product that something is
 * added to is stored in a volatile variable; and where the processor computes with more precision, so is every result.
 */
#include "codec/codec_internal.h"

#include "model/accuracy.h"
#include "model/type_table.h"

#include <assert.h>
#include <float.h>
#include <string.h>

/* ---- arithmetic in float and in double */

static float in_float(float v)
{
#if FLT_EVAL_METHOD == 0
    return v;
#else
    volatile float stored = v;
    return stored;
#endif
}

static double in_double(double v)
{
#if FLT_EVAL_METHOD == 0
    return v;
#else
    volatile double stored = v;
    return stored;
#endif
}

static double in_storage(storage s, double v)
{
    return s == STORAGE_FLOAT ? (double)in_float((float)v) : in_double(v);
}

static float product(float a, float b)
{
    volatile float stored = a * b;
    return stored;
}

static bool is_finite_number(double v)
{
    return v - v == 0;
}

static double magnitude_of(double v)
{
    return v < 0 ? -v : v;
}

static float size_of_float(float v)
{
    return v < 0 ? -v : v;
}

static float float_of_bits(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint32_t bits_of_float(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* The square root rounded to float, of 0 or of a normal number. Half of the bits is near the bits of the root; three
 * steps of Newton's method leave the float itself or its neighbour. The square of the middle of two neighbours is exact
 * in double. */
static float float_root(float square)
{
    enum { STEPS = 3 };
    const double exact = (double)square;
    uint32_t bits = bits_of_float(square) / 2 + 0x1FBD1DF5;
    double root = (double)float_of_bits(bits);
    if (square == 0)
        return 0;
    for (int i = 0; i < STEPS; i++)
        root = (root + exact / root) / 2;
    bits = bits_of_float((float)root);
    const double below = (double)float_of_bits(bits - 1), at = (double)float_of_bits(bits),
                 above = (double)float_of_bits(bits + 1), low = (below + at) / 2, high = (at + above) / 2;
    return float_of_bits(!(low * low < exact) ? bits - 1 : high * high < exact ? bits + 1 : bits);
}

/* ---- quantized numbers */

static grid grid_from(storage s, double low, double high, uint64_t steps)
{
    return (grid){.storage = s, .low = low, .high = high, .range = in_storage(s, high - low), .steps = steps};
}

static grid computed_grid(const type *t)
{
    grid g = grid_from(t->storage, in_storage(t->storage, t->real_low), in_storage(t->storage, t->real_high), 0);
    const double ratio = in_storage(t->storage, g.range / in_storage(t->storage, t->real_step));
    g.wraps = t->wraps;
    g.steps = (uint64_t)ratio;
    if ((double)g.steps < ratio || g.steps == 0)
        g.steps++;
    return g;
}

/* Whether each code is that of its own value. A value and its code take seven roundings: six move the code by at most the
 * steps times `unit`, and the sum with the lower bound by that times the size of the bounds over the range. Half a step
 * is too far; this allows a quarter. */
static bool is_exact(const grid *g)
{
    const bool single = g->storage == STORAGE_FLOAT;
    const double unit = single ? 0x1p-24 : 0x1p-53, least = single ? 0x1p-60 : 0x1p-500;
    const double low = magnitude_of(g->low), high = magnitude_of(g->high), size = low > high ? low : high;
    return g->range >= least && (double)g->steps * unit * (8 + size / g->range) <= 0.25;
}

/* The greatest whole number that is not above v. A double of 2^52 or more is whole. */
static double whole_below(double v)
{
    if (!(magnitude_of(v) < 0x1p52))
        return v;
    double whole = (double)(int64_t)v;
    return whole > v ? whole - 1 : whole;
}

/* The share of the range that is below v: 0 to 1. The steps are in double, because not every number of them is a float:
 * the product or quotient is then rounded. */
static uint64_t float_code(const grid *g, float share)
{
    volatile float steps = (float)((double)share * (double)g->steps);
    return (uint64_t)in_float(steps + 0.5f);
}

static uint64_t double_code(const grid *g, double share)
{
    volatile double steps = share * (double)g->steps;
    return (uint64_t)in_double(steps + 0.5);
}

static double share_below(const grid *g, double v)
{
    if (g->storage == STORAGE_FLOAT)
        return (double)in_float(in_float((float)v - (float)g->low) / (float)g->range);
    return in_double(in_double(v - g->low) / g->range);
}

/* False if v is not finite, or if it is so far from the circle that the number of turns is not finite. */
static bool grid_code(const grid *g, double v, uint64_t *code)
{
    double n = share_below(g, v);
    if (!is_finite_number(v) || (g->wraps && !is_finite_number(n)))
        return false;
    if (g->wraps)
        n = n < 0 || n >= 1 ? in_storage(g->storage, n - whole_below(n)) : n;
    else
        n = n < 0 ? 0 : n > 1 ? 1 : n;
    *code = g->storage == STORAGE_FLOAT ? float_code(g, (float)n) : double_code(g, n);
    if (g->wraps && *code == g->steps)
        *code = 0;
    return true;
}

static float float_value(const grid *g, uint64_t code)
{
    const float share = in_float((float)((double)code / (double)g->steps));
    const float v = in_float(product(share, (float)g->range) + (float)g->low);
    return v > (float)g->high ? (float)g->high : v;
}

static double double_value(const grid *g, uint64_t code)
{
    volatile double far = in_double((double)code / (double)g->steps) * g->range;
    const double v = in_double(far + g->low);
    return v > g->high ? g->high : v;
}

static double grid_value(const grid *g, uint64_t code)
{
    return g->storage == STORAGE_FLOAT ? (double)float_value(g, code) : double_value(g, code);
}

/* ---- halves */

enum { HALF_INFINITY = 0x7C00, HALF_PAYLOAD = 0x3FF, HALF_SIGN = 0x8000 };

/* The magnitude of a code without its sign. The code of infinity counts as 65536, the least value that is too large. */
static double half_magnitude(uint64_t code)
{
    uint64_t exponent = code >> 10, fraction = code & HALF_PAYLOAD;
    double unit = 0x1p-24;
    for (uint64_t i = 1; i < exponent; i++)
        unit *= 2;
    return (double)(exponent > 0 ? 1024 + fraction : fraction) * unit;
}

/* Finds the nearest code by bisection; of two equally near ones, the even one. */
static uint64_t half_code(uint64_t float_bits)
{
    uint64_t sign = float_bits >> 31 ? HALF_SIGN : 0, low = 0, high = HALF_INFINITY;
    double v = magnitude_of(real_from_bits(STORAGE_FLOAT, float_bits));
    if (v != v) {
        uint64_t payload = float_bits >> 13 & HALF_PAYLOAD;
        return sign | HALF_INFINITY | (payload ? payload : 1);
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (half_magnitude(middle) <= v)
            low = middle;
        else
            high = middle;
    }
    double middle = (half_magnitude(low) + half_magnitude(high)) / 2;
    bool up = v > middle || (v == middle && low % 2 != 0);
    return sign | (up ? high : low);
}

/* The bits of a float. */
static uint64_t half_value(uint64_t code)
{
    uint64_t sign = code & HALF_SIGN ? (uint64_t)1 << 31 : 0, magnitude = code & ~(uint64_t)HALF_SIGN;
    if (magnitude < HALF_INFINITY)
        return sign | real_to_bits(STORAGE_FLOAT, half_magnitude(magnitude));
    return sign | 0x7F800000 | (magnitude & HALF_PAYLOAD) << 13;
}

/* ---- raw reals: the bits of the storage, and those on the wire */

static uint64_t raw_real_code(real_kind kind, uint64_t bits)
{
    switch (kind) {
    case REAL_HALF: return half_code(bits);
    case REAL_FLOAT:
    case REAL_DOUBLE: break;
    }
    return bits;
}

static uint64_t raw_real_value(real_kind kind, uint64_t code)
{
    switch (kind) {
    case REAL_HALF: return half_value(code);
    case REAL_FLOAT:
    case REAL_DOUBLE: break;
    }
    return code;
}

uint64_t order_of_real(const type *t, uint64_t code)
{
    const uint64_t negatives = (uint64_t)1 << (t->bits - 1);
    return code < negatives ? negatives + code : ones(t->bits) - code;
}

uint64_t real_in_order(const type *t, uint64_t place)
{
    const uint64_t negatives = (uint64_t)1 << (t->bits - 1);
    return place >= negatives ? place - negatives : ones(t->bits) - place;
}

/* ---- rotations: float arithmetic */

/* The code of a finite component. */
static uint64_t part_code(const grid *g, float v)
{
    uint64_t code = 0;
    (void)grid_code(g, (double)v, &code);
    return code;
}

static grid quat_grid(unsigned bits)
{
    const double most = (double)0.707106781f;
    return grid_from(STORAGE_FLOAT, -most, most, rotation_steps(bits));
}

/* The three components in a code, and the sum of their squares. False if they are none. */
static bool quat_others(uint64_t code, unsigned bits, float others[3], float *sum)
{
    const grid g = quat_grid(bits);
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t part = part_of_rotation(code, i, bits);
        if (part > g.steps)
            return false;
        others[i] = float_value(&g, part);
    }
    *sum = in_float(in_float(product(others[0], others[0]) + product(others[1], others[1])) +
                    product(others[2], others[2]));
    return *sum <= 1;
}

static bool quat_value(uint64_t code, unsigned bits, float parts[4])
{
    float others[3], sum, most = 0;
    const unsigned largest = code & 3;
    if (!quat_others(code, bits, others, &sum))
        return false;
    for (unsigned i = 0; i < 3; i++)
        most = size_of_float(others[i]) > most ? size_of_float(others[i]) : most;
    float root = float_root(in_float(1 - sum));
    if (!(root > most))
        root = float_of_bits(bits_of_float(most) + 1);
    for (unsigned i = 0, other = 0; i < 4; i++)
        parts[i] = i == largest ? root : others[other++];
    return true;
}

static bool quat_code(const float parts[4], unsigned bits, uint64_t *code)
{
    float sum = 0, others[3], ignored;
    unsigned largest = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!is_finite_number((double)parts[i]))
            return false;
        const float square = product(parts[i], parts[i]);
        sum = i == 0 ? square : in_float(sum + square);
        if (size_of_float(parts[i]) > size_of_float(parts[largest]))
            largest = i;
    }
    if (!(sum >= 0.5f && sum <= 2))
        return false;
    const grid g = quat_grid(bits);
    const bool negated = parts[largest] < 0;
    *code = largest;
    for (unsigned i = 0, other = 0; i < 4; i++)
        if (i != largest)
            *code |= part_code(&g, negated ? -parts[i] : parts[i]) << (2 + other++ * bits);
    return quat_others(*code, bits, others, &ignored);
}

static grid unit_grid(unsigned bits)
{
    return grid_from(STORAGE_FLOAT, -1, 1, rotation_steps(bits));
}

/* Folds the octahedron's lower half, z < 0, over the corners of the square. */
static void fold(float *p, float *q, float z)
{
    if (!(z < 0))
        return;
    const float p_folded = in_float(1 - size_of_float(*q)), q_folded = in_float(1 - size_of_float(*p));
    *p = *p < 0 ? -p_folded : p_folded;
    *q = *q < 0 ? -q_folded : q_folded;
}

/* A direction on the edge of the square has two codes, because the edge is folded onto itself; this chooses one. */
static void fold_edge(uint64_t *p, uint64_t *q, uint64_t most)
{
    if ((*p == 0 || *p == most) && *q < most - *q)
        *q = most - *q;
    if ((*q == 0 || *q == most) && *p < most - *p)
        *p = most - *p;
}

static bool unit_code(const float parts[3], unsigned bits, uint64_t *code)
{
    const float x = parts[0], y = parts[1], z = parts[2];
    const float sum = in_float(in_float(size_of_float(x) + size_of_float(y)) + size_of_float(z));
    if (sum == 0 || !is_finite_number((double)sum))
        return false;
    float p = in_float(x / sum), q = in_float(y / sum);
    fold(&p, &q, z);
    const grid g = unit_grid(bits);
    uint64_t p_code = part_code(&g, p), q_code = part_code(&g, q);
    fold_edge(&p_code, &q_code, g.steps);
    *code = p_code | q_code << bits;
    return true;
}

static pkt_code unit_value(uint64_t code, unsigned bits, float parts[3])
{
    const grid g = unit_grid(bits);
    const uint64_t p_code = code & ones(bits), q_code = code >> bits;
    uint64_t p_kept = p_code, q_kept = q_code;
    if (p_code > g.steps || q_code > g.steps)
        return PKT_ERROR_RANGE;
    fold_edge(&p_kept, &q_kept, g.steps);
    if (p_kept != p_code || q_kept != q_code)
        return PKT_ERROR_CANONICAL;
    float p = float_value(&g, p_code), q = float_value(&g, q_code);
    const float z = in_float(in_float(1 - size_of_float(p)) - size_of_float(q));
    fold(&p, &q, z);
    const float length = float_root(in_float(in_float(product(p, p) + product(q, q)) + product(z, z)));
    parts[0] = in_float(p / length);
    parts[1] = in_float(q / length);
    parts[2] = in_float(z / length);
    return PKT_OK;
}

/* ---- numbers with `or raw`: the code of a step, or RAW and the bits of the float */

static const uint64_t RAW = (uint64_t)1 << 32;

static uint64_t or_raw_code(const grid *g, uint64_t bits)
{
    uint64_t code;
    return grid_code(g, real_from_bits(STORAGE_FLOAT, bits), &code) &&
                   real_to_bits(STORAGE_FLOAT, grid_value(g, code)) == bits
               ? code
               : RAW | bits;
}

/* ---- codes of scalars */

static num least_member(const decl *d)
{
    return d->by_value[0]->value;
}

static num greatest_member(const decl *d)
{
    return d->by_value[d->member_count - 1]->value;
}

static bool is_value_of_member(const decl *d, uint64_t v)
{
    return member_of_value(d, num_u64(v)) != NULL;
}

/* The number that is subtracted from a value before it is written. */
static uint64_t scalar_bias(const type *t)
{
    if (t->kind == TYPE_ENUM && t->decl->width == 0)
        return num_bits(least_member(t->decl));
    return t->kind == TYPE_INT || t->kind == TYPE_FIXED ? num_bits(t->low) : 0;
}

static uint64_t greatest_code(const type *t, const scalar_facts *facts)
{
    switch (t->kind) {
    case TYPE_BOOL: return 1;
    case TYPE_BITS: return ones(t->bits);
    case TYPE_INT:
    case TYPE_FIXED: return num_bits(t->high) - facts->bias;
    case TYPE_ENUM: return t->decl->width ? ones(t->decl->width) : num_bits(greatest_member(t->decl)) - facts->bias;
    case TYPE_FLAGS: return ones(t->decl->member_count);
    case TYPE_FLOAT: return ones(t->bits);
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW: return facts->grid.steps - t->wraps;
    case TYPE_QUAT: return ones(2 + 3 * t->bits);
    case TYPE_UNIT: return ones(2 * t->bits);
    case TYPE_REF: return num_bits(t->high);
    case TYPE_COMPACT:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: break;
    }
    assert(false && "not of a fixed width");
    return 0;
}

static void find_facts(const type *t, scalar_facts *facts)
{
    if (t->kind == TYPE_QUANTIZED || t->kind == TYPE_OR_RAW) {
        facts->grid = computed_grid(t);
        facts->exact = is_exact(&facts->grid);
    }
    facts->bias = scalar_bias(t);
    facts->greatest = greatest_code(t, facts);
    facts->width = digits_of(facts->greatest);
    facts->known = true;
}

static const scalar_facts *facts_of(const type *t)
{
    if (!t->facts.known)
        find_facts(t, (scalar_facts *)(uintptr_t)&t->facts);
    return &t->facts;
}

unsigned scalar_width(const type *t)
{
    return facts_of(t)->width;
}

num written_num(const type *t, const datum *d)
{
    const num n = datum_num(t, d);
    return !t->clamps ? n : num_compare(n, t->low) < 0 ? t->low : num_compare(n, t->high) > 0 ? t->high : n;
}

/* Whether an enum with bits for its range alone has this member. Every value of another type is known. */
static bool is_value_known(const type *t, const datum *d)
{
    return t->kind != TYPE_ENUM || t->decl->width != 0 || is_value_of_member(t->decl, d->number);
}

pkt_code scalar_code(const type *t, const datum *d, uint64_t *code)
{
    const scalar_facts *facts = facts_of(t);
    if (t->kind == TYPE_QUANTIZED && d->got_code) {
        *code = d->got_code - 1;
        return PKT_OK;
    }
    if (t->kind == TYPE_QUANTIZED)
        return grid_code(&facts->grid, real_from_bits(t->storage, d->number), code) ? PKT_OK : PKT_ERROR_VALUE;
    if (t->kind == TYPE_OR_RAW) {
        *code = or_raw_code(&facts->grid, d->number);
        return PKT_OK;
    }
    if (t->kind == TYPE_QUAT)
        return quat_code(d->parts, t->bits, code) ? PKT_OK : PKT_ERROR_RANGE;
    if (t->kind == TYPE_UNIT)
        return unit_code(d->parts, t->bits, code) ? PKT_OK : PKT_ERROR_RANGE;
    const uint64_t number = t->clamps ? num_bits(written_num(t, d)) : d->number;
    *code = t->kind == TYPE_FLOAT ? raw_real_code(t->real, number) : number - facts->bias;
    if (t->kind == TYPE_BITS && storage_is_signed(t->storage))
        *code &= facts->greatest;
    return *code <= facts->greatest && is_value_known(t, d) ? PKT_OK : PKT_ERROR_RANGE;
}

bool codec_can_write(const type *t, const datum *d)
{
    uint64_t code;
    return scalar_code(t, d, &code) == PKT_OK;
}

pkt_code scalar_from_code(const type *t, uint64_t code, datum *d)
{
    const scalar_facts *facts = facts_of(t);
    if (t->kind == TYPE_OR_RAW && code >= RAW) {
        d->number = code - RAW;
        return or_raw_code(&facts->grid, d->number) == code ? PKT_OK : PKT_ERROR_CANONICAL;
    }
    if (code > facts->greatest)
        return PKT_ERROR_RANGE;
    if (t->kind == TYPE_QUANTIZED || t->kind == TYPE_OR_RAW) {
        d->number = real_to_bits(t->storage, grid_value(&facts->grid, code));
        d->got_code = facts->exact && t->kind == TYPE_QUANTIZED ? code + 1 : 0;
        return PKT_OK;
    }
    if (t->kind == TYPE_QUAT)
        return quat_value(code, t->bits, d->parts) ? PKT_OK : PKT_ERROR_RANGE;
    if (t->kind == TYPE_UNIT)
        return unit_value(code, t->bits, d->parts);
    d->number = t->kind == TYPE_FLOAT ? raw_real_value(t->real, code) : code + facts->bias;
    if (t->kind == TYPE_BITS && storage_is_signed(t->storage) && code >> (t->bits - 1) != 0)
        d->number |= ~facts->greatest;
    return is_value_known(t, d) ? PKT_OK : PKT_ERROR_RANGE;
}

static bool move_code(codec *c, const type *t, datum *d, const char *name)
{
    uint64_t start = c->bit, code = 0;
    pkt_code why = c->reading ? PKT_OK : scalar_code(t, d, &code);
    if (why != PKT_OK)
        return codec_fail(c, why, start, name);
    if (!codec_bits(c, scalar_width(t), &code, start, name))
        return false;
    if (c->reading)
        why = scalar_from_code(t, code, d);
    if (why == PKT_OK)
        codec_note(c, t, d);
    return why == PKT_OK ? codec_done(c, start, name) : codec_fail(c, why, start, name);
}

/* ---- compact */

/* The compact form of v, which is stored in `bytes` bytes. */
static void compact_pattern(uint64_t v, unsigned bytes, pattern *p)
{
    unsigned left = bytes;
    for (; left > 1 && v >> 8 * (left - 1) == 0; left--)
        pattern_add(p, 1, 1);
    if (left > 1) {
        pattern_add(p, 0, 1);
        pattern_add(p, v, 8 * left);
    } else {
        bool small = v < 16;
        pattern_add(p, small, 1);
        pattern_add(p, v, small ? 4 : 8);
    }
}

unsigned compact_width(uint64_t v, unsigned bytes)
{
    pattern p = {0};
    compact_pattern(v, bytes, &p);
    return p.count;
}

/* Reads a compact number, without checking that it has the form that a writer would choose. */
static bool compact_take(codec *c, unsigned bytes, uint64_t *v, uint64_t start, const char *name)
{
    unsigned left = bytes;
    uint64_t zero = 1;
    while (left > 1 && zero) {
        if (!codec_bits(c, 1, &zero, start, name))
            return false;
        left -= (unsigned)zero;
    }
    if (!zero)
        return codec_bits(c, 8 * left, v, start, name);
    uint64_t small = 0;
    return codec_bits(c, 1, &small, start, name) && codec_bits(c, small ? 4 : 8, v, start, name);
}

static bool move_compact(codec *c, const type *t, datum *d, const char *name)
{
    pattern p = {0};
    uint64_t start = c->bit;
    if (c->reading && !compact_take(c, t->bits / 8, &d->number, start, name))
        return false;
    compact_pattern(d->number, t->bits / 8, &p);
    codec_note(c, t, d);
    return c->reading ? codec_matches(c, &p, start, name) : codec_put(c, &p, name);
}

/* ---- numbers with `or raw` */

bool is_raw_code(uint64_t code)
{
    return code >= RAW;
}

unsigned or_raw_width(const type *t, uint64_t code)
{
    return 1 + (is_raw_code(code) ? 32 : scalar_width(t));
}

static void or_raw_pattern(const type *t, uint64_t code, pattern *p)
{
    pattern_add(p, code >= RAW, 1);
    pattern_add(p, code & ones(32), code >= RAW ? 32 : scalar_width(t));
}

static bool or_raw_take(codec *c, const type *t, uint64_t *code, uint64_t start, const char *name)
{
    uint64_t raw = 0;
    if (!codec_bits(c, 1, &raw, start, name) || !codec_bits(c, raw ? 32 : scalar_width(t), code, start, name))
        return false;
    *code |= raw ? RAW : 0;
    return true;
}

static bool move_or_raw(codec *c, const type *t, datum *d, const char *name)
{
    const uint64_t start = c->bit;
    pattern p = {0};
    uint64_t code = 0;
    if (!c->reading) {
        (void)scalar_code(t, d, &code);
        or_raw_pattern(t, code, &p);
        return codec_put(c, &p, name);
    }
    if (!or_raw_take(c, t, &code, start, name))
        return false;
    const pkt_code why = scalar_from_code(t, code, d);
    codec_note(c, t, d);
    return why == PKT_OK ? codec_done(c, start, name) : codec_fail(c, why, start, name);
}

/* ---- text and bytes */

/* Whether the bytes are well-formed UTF-8 without a zero byte. */
static bool is_valid_text(const uint8_t *at, uint32_t size)
{
    static const uint32_t least[] = {0, 1, 0x80, 0x800, 0x10000};
    for (uint32_t i = 0; i < size;) {
        unsigned length = at[i] < 0x80 ? 1 : at[i] >> 5 == 6 ? 2 : at[i] >> 4 == 14 ? 3 : at[i] >> 3 == 30 ? 4 : 0;
        if (length == 0 || length > size - i)
            return false;
        uint32_t character = length == 1 ? at[i] : at[i] & (0xFFu >> (length + 1));
        for (unsigned k = 1; k < length; k++) {
            if (at[i + k] >> 6 != 2)
                return false;
            character = character << 6 | (at[i + k] & 0x3Fu);
        }
        if (character < least[length] || character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF))
            return false;
        i += length;
    }
    return true;
}

static bool move_pieces(codec *c, const type *t, datum *d, const char *name)
{
    bool text = t->kind == TYPE_STRING;
    uint64_t size = d->size, length = t->length;
    if (!c->reading && text && size > length)
        return codec_fail(c, PKT_ERROR_VALUE, c->bit, name);
    if (!codec_item_of_form(c, text ? NAME_ALONE : NAME_SIZE, digits_of(length), &size, length, name))
        return false;
    const uint64_t end = c->bit;
    c->rest = text;
    if (!codec_align(c, name))
        return false;
    uint64_t start = c->bit;
    c->rest = text || start != end;
    if (c->reading) {
        d->size = 0;
        if (8 * size > c->limit - c->bit)
            return codec_fail(c, PKT_ERROR_END, start, name);
        d->bytes = arena_alloc(c->arena, size);
        d->size = (uint32_t)size;
    }
    if (c->judging || c->comparing)
        text = false;
    if (!c->reading && text && !is_valid_text(d->bytes, d->size))
        return codec_fail(c, PKT_ERROR_UTF8, start, name);
    if (!codec_bytes(c, d->bytes, d->size, start, name))
        return false;
    if (text && !is_valid_text(d->bytes, d->size))
        return codec_fail(c, PKT_ERROR_UTF8, start, name);
    if (size == 0)
        return true; /* the third item of an empty text is not there */
    if (text)
        codec_note(c, t, d);
    return codec_done(c, start, name);
}

static bool move_bytes(codec *c, const type *t, datum *d, const char *name)
{
    const bool good = move_pieces(c, t, d, name);
    c->rest = false;
    return good;
}

bool codec_scalar(codec *c, const type *t, datum *d, const char *name)
{
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_FLOAT:
    case TYPE_QUANTIZED:
    case TYPE_QUAT:
    case TYPE_UNIT:
    case TYPE_REF: return move_code(c, t, d, name);
    case TYPE_COMPACT: return move_compact(c, t, d, name);
    case TYPE_OR_RAW: return move_or_raw(c, t, d, name);
    case TYPE_STRING:
    case TYPE_BYTES: return move_bytes(c, t, d, name);
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: break;
    }
    assert(false && "not a scalar");
    return false;
}

void full_pattern(const type *t, const datum *d, pattern *p)
{
    uint64_t code = 0;
    if (t->kind == TYPE_COMPACT) {
        compact_pattern(d->number, t->bits / 8, p);
    } else {
        (void)scalar_code(t, d, &code);
        if (t->kind == TYPE_OR_RAW)
            or_raw_pattern(t, code, p);
        else
            pattern_add(p, code, scalar_width(t));
    }
}

bool full_take(codec *c, const type *t, datum *d, bool *lands, uint64_t start, const char *name)
{
    uint64_t code = 0;
    if (t->kind == TYPE_COMPACT)
        return compact_take(c, t->bits / 8, &d->number, start, name);
    if (t->kind == TYPE_OR_RAW ? !or_raw_take(c, t, &code, start, name)
                               : !codec_bits(c, scalar_width(t), &code, start, name))
        return false;
    *lands = scalar_from_code(t, code, d) != PKT_ERROR_RANGE;
    return true;
}
