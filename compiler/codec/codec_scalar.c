/* codec_scalar.c - numbers, rotations, strings and bytes.
 * SPDX-License-Identifier: MIT
 *
 * Each step of real arithmetic is stored in a volatile variable of its type, so that no compiler fuses two steps or
 * keeps excess precision.
 */
#include "codec/codec_internal.h"

#include "model/rotation.h"

#include <assert.h>
#include <string.h>

/* ---- arithmetic in float and in double */

static double rounded_to_storage(storage s, double v)
{
    volatile float narrow = (float)v;
    return s == STORAGE_FLOAT ? (double)narrow : v;
}

/* The sum, difference, product or quotient of two numbers of a storage, rounded to it. For floats the step is computed
 * in double and then rounded, which gives the same result as rounding once (double has more than twice the digits). */
static double rounded_step(storage s, double a, char operator_sign, double b)
{
    volatile double result = operator_sign == '+'   ? a + b
                             : operator_sign == '-' ? a - b
                             : operator_sign == '*' ? a * b
                                                    : a / b;
    return rounded_to_storage(s, result);
}

static bool is_finite_number(double v)
{
    return v - v == 0;
}

static double magnitude_of(double v)
{
    return v < 0 ? -v : v;
}

/* The square root rounded to float, by bisection. Squares of floats, and of the middle of two neighbouring floats, are
 * exact in double. */
static double float_root(double square)
{
    uint32_t low = 0, high = (uint32_t)real_to_bits(STORAGE_FLOAT, 2);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        double root = real_from_bits(STORAGE_FLOAT, middle);
        if (root * root <= square)
            low = middle;
        else
            high = middle;
    }
    double below = real_from_bits(STORAGE_FLOAT, low), above = real_from_bits(STORAGE_FLOAT, high);
    double middle = (below + above) / 2;
    return middle * middle < square ? above : below;
}

/* ---- quantized numbers */

/* The range from low to high, cut into steps, in the arithmetic of a storage. */
typedef struct grid {
    storage storage;
    double low, high;
    uint64_t steps;
    bool wraps; /* high is low again: there is no code `steps` */
} grid;

static grid computed_grid(const type *t)
{
    grid g = {.storage = t->storage,
              .low = rounded_to_storage(t->storage, t->real_low),
              .high = rounded_to_storage(t->storage, t->real_high),
              .wraps = t->wraps};
    double delta = rounded_step(t->storage, g.high, '-', g.low);
    double ratio = rounded_step(t->storage, delta, '/', rounded_to_storage(t->storage, t->real_step));
    g.steps = (uint64_t)ratio;
    if ((double)g.steps < ratio || g.steps == 0)
        g.steps++;
    return g;
}

/* The divisions take longer than everything else about a number. So a place remembers the grid of the last range that
 * fell on it. */
static grid grid_of(const type *t)
{
    enum { KNOWN_GRIDS = 64 };
    static struct known_grid {
        storage storage;
        double low, high, step;
        grid grid;
    } known[KNOWN_GRIDS];
    struct known_grid *k = &known[(uintptr_t)t / sizeof(void *) % KNOWN_GRIDS];
    if (k->storage != t->storage || k->grid.wraps != t->wraps || k->low != t->real_low || k->high != t->real_high ||
        k->step != t->real_step)
        *k = (struct known_grid){t->storage, t->real_low, t->real_high, t->real_step, computed_grid(t)};
    return k->grid;
}

/* The greatest whole number that is not above v. A double of 2^52 or more is whole. */
static double whole_below(double v)
{
    if (!(magnitude_of(v) < 0x1p52))
        return v;
    double whole = (double)(int64_t)v;
    return whole > v ? whole - 1 : whole;
}

/* False if v is not finite, or if it is so far from the circle that the number of turns is not finite. */
static bool grid_code(const grid *g, double v, uint64_t *code)
{
    double delta = rounded_step(g->storage, g->high, '-', g->low);
    double n = rounded_step(g->storage, rounded_step(g->storage, v, '-', g->low), '/', delta);
    if (!is_finite_number(v) || (g->wraps && !is_finite_number(n)))
        return false;
    if (g->wraps)
        n = n < 0 || n >= 1 ? rounded_step(g->storage, n, '-', whole_below(n)) : n;
    else
        n = n < 0 ? 0 : n > 1 ? 1 : n;
    *code = (uint64_t)rounded_step(g->storage, rounded_step(g->storage, n, '*', (double)g->steps), '+', 0.5);
    if (g->wraps && *code == g->steps)
        *code = 0;
    return true;
}

static double grid_value(const grid *g, uint64_t code)
{
    double delta = rounded_step(g->storage, g->high, '-', g->low);
    double part = rounded_step(g->storage, (double)code, '/', (double)g->steps);
    double v = rounded_step(g->storage, rounded_step(g->storage, part, '*', delta), '+', g->low);
    return v > g->high ? g->high : v;
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

static bool is_half(const type *t)
{
    return t->kind == TYPE_FLOAT && t->bits == 16;
}

/* ---- rotations: float arithmetic */

static double add_rounded(double a, double b)
{
    return rounded_step(STORAGE_FLOAT, a, '+', b);
}
static double subtract_rounded(double a, double b)
{
    return rounded_step(STORAGE_FLOAT, a, '-', b);
}
static double multiply_rounded(double a, double b)
{
    return rounded_step(STORAGE_FLOAT, a, '*', b);
}
static double divide_rounded(double a, double b)
{
    return rounded_step(STORAGE_FLOAT, a, '/', b);
}

/* The code of a finite component. */
static uint64_t part_code(const grid *g, double v)
{
    uint64_t code = 0;
    (void)grid_code(g, v, &code);
    return code;
}

static grid quat_grid(unsigned bits)
{
    double most = (double)0.707106781f;
    return (grid){.storage = STORAGE_FLOAT, .low = -most, .high = most, .steps = rotation_steps(bits)};
}

static bool quat_value(uint64_t code, unsigned bits, float parts[4])
{
    grid g = quat_grid(bits);
    unsigned largest = code & 3;
    double others[3], most = 0;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t part = code >> (2 + i * bits) & ones(bits);
        if (part > g.steps)
            return false;
        others[i] = grid_value(&g, part);
        most = magnitude_of(others[i]) > most ? magnitude_of(others[i]) : most;
    }
    double sum =
        add_rounded(add_rounded(multiply_rounded(others[0], others[0]), multiply_rounded(others[1], others[1])),
                    multiply_rounded(others[2], others[2]));
    if (sum > 1)
        return false;
    double root = float_root(subtract_rounded(1, sum));
    if (!(root > most))
        root = real_from_bits(STORAGE_FLOAT, real_to_bits(STORAGE_FLOAT, most) + 1);
    for (unsigned i = 0, other = 0; i < 4; i++)
        parts[i] = (float)(i == largest ? root : others[other++]);
    return true;
}

static bool quat_code(const float parts[4], unsigned bits, uint64_t *code)
{
    double sum = 0;
    unsigned largest = 0;
    for (unsigned i = 0; i < 4; i++) {
        double part = (double)parts[i];
        if (!is_finite_number(part))
            return false;
        sum = i == 0 ? multiply_rounded(part, part) : add_rounded(sum, multiply_rounded(part, part));
        if (magnitude_of(part) > magnitude_of((double)parts[largest]))
            largest = i;
    }
    if (!(sum >= 0.5 && sum <= 2))
        return false;
    grid g = quat_grid(bits);
    bool negated = parts[largest] < 0;
    *code = largest;
    for (unsigned i = 0, other = 0; i < 4; i++)
        if (i != largest)
            *code |= part_code(&g, (double)(negated ? -parts[i] : parts[i])) << (2 + other++ * bits);
    float ignored[4];
    return quat_value(*code, bits, ignored);
}

static grid unit_grid(unsigned bits)
{
    return (grid){.storage = STORAGE_FLOAT, .low = -1, .high = 1, .steps = rotation_steps(bits)};
}

/* Folds the octahedron's lower half, z < 0, over the corners of the square. */
static void fold(double *p, double *q, double z)
{
    if (!(z < 0))
        return;
    double p_folded = subtract_rounded(1, magnitude_of(*q)), q_folded = subtract_rounded(1, magnitude_of(*p));
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
    double x = (double)parts[0], y = (double)parts[1], z = (double)parts[2];
    double sum = add_rounded(add_rounded(magnitude_of(x), magnitude_of(y)), magnitude_of(z));
    if (sum == 0 || !is_finite_number(sum))
        return false;
    double p = divide_rounded(x, sum), q = divide_rounded(y, sum);
    fold(&p, &q, z);
    grid g = unit_grid(bits);
    uint64_t p_code = part_code(&g, p), q_code = part_code(&g, q);
    fold_edge(&p_code, &q_code, g.steps);
    *code = p_code | q_code << bits;
    return true;
}

static pkt_code unit_value(uint64_t code, unsigned bits, float parts[3])
{
    grid g = unit_grid(bits);
    uint64_t p_code = code & ones(bits), q_code = code >> bits, p_kept = p_code, q_kept = q_code;
    if (p_code > g.steps || q_code > g.steps)
        return PKT_ERROR_RANGE;
    fold_edge(&p_kept, &q_kept, g.steps);
    if (p_kept != p_code || q_kept != q_code)
        return PKT_ERROR_CANONICAL;
    double p = grid_value(&g, p_code), q = grid_value(&g, q_code);
    double z = subtract_rounded(subtract_rounded(1, magnitude_of(p)), magnitude_of(q));
    fold(&p, &q, z);
    double length =
        float_root(add_rounded(add_rounded(multiply_rounded(p, p), multiply_rounded(q, q)), multiply_rounded(z, z)));
    parts[0] = (float)divide_rounded(p, length);
    parts[1] = (float)divide_rounded(q, length);
    parts[2] = (float)divide_rounded(z, length);
    return PKT_OK;
}

/* ---- codes of fixed width */

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

static uint64_t greatest_code(const type *t)
{
    switch (t->kind) {
    case TYPE_BOOL: return 1;
    case TYPE_BITS: return ones(t->bits);
    case TYPE_INT:
    case TYPE_FIXED: return num_bits(t->high) - num_bits(t->low);
    case TYPE_ENUM: return t->decl->width ? ones(t->decl->width) : num_bits(greatest_member(t->decl)) - scalar_bias(t);
    case TYPE_FLAGS: return ones(t->decl->member_count);
    case TYPE_FLOAT: return ones(t->bits);
    case TYPE_QUANTIZED: return grid_of(t).steps - t->wraps;
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

unsigned scalar_width(const type *t)
{
    return digits_of(greatest_code(t));
}

pkt_code scalar_code(const type *t, const datum *d, uint64_t *code)
{
    if (t->kind == TYPE_QUANTIZED) {
        grid g = grid_of(t);
        return grid_code(&g, real_from_bits(t->storage, d->number), code) ? PKT_OK : PKT_ERROR_VALUE;
    }
    if (t->kind == TYPE_QUAT)
        return quat_code(d->parts, t->bits, code) ? PKT_OK : PKT_ERROR_RANGE;
    if (t->kind == TYPE_UNIT)
        return unit_code(d->parts, t->bits, code) ? PKT_OK : PKT_ERROR_RANGE;
    *code = is_half(t) ? half_code(d->number) : d->number - scalar_bias(t);
    if (t->kind == TYPE_BITS && storage_is_signed(t->storage))
        *code &= ones(t->bits);
    bool known = t->kind != TYPE_ENUM || t->decl->width != 0 || is_value_of_member(t->decl, d->number);
    return *code <= greatest_code(t) && known ? PKT_OK : PKT_ERROR_RANGE;
}

bool codec_can_write(const type *t, const datum *d)
{
    uint64_t code;
    return scalar_code(t, d, &code) == PKT_OK;
}

pkt_code scalar_from_code(const type *t, uint64_t code, datum *d)
{
    if (code > greatest_code(t))
        return PKT_ERROR_RANGE;
    if (t->kind == TYPE_QUANTIZED) {
        grid g = grid_of(t);
        d->number = real_to_bits(t->storage, grid_value(&g, code));
        return PKT_OK;
    }
    if (t->kind == TYPE_QUAT)
        return quat_value(code, t->bits, d->parts) ? PKT_OK : PKT_ERROR_RANGE;
    if (t->kind == TYPE_UNIT)
        return unit_value(code, t->bits, d->parts);
    d->number = is_half(t) ? half_value(code) : code + scalar_bias(t);
    if (t->kind == TYPE_BITS && storage_is_signed(t->storage) && code >> (t->bits - 1) != 0)
        d->number |= ~ones(t->bits);
    bool known = t->kind != TYPE_ENUM || t->decl->width != 0 || is_value_of_member(t->decl, d->number);
    return known ? PKT_OK : PKT_ERROR_RANGE;
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

void compact_pattern(uint64_t v, unsigned bytes, pattern *p)
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

bool compact_take(codec *c, unsigned bytes, uint64_t *v, uint64_t start, const char *name)
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

static bool move_bytes(codec *c, const type *t, datum *d, const char *name)
{
    bool text = t->kind == TYPE_STRING;
    uint64_t size = d->size, length = t->length;
    if (!c->reading && text && size > length)
        return codec_fail(c, PKT_ERROR_VALUE, c->bit, name);
    if (!codec_item_of_form(c, text ? NAME_ALONE : NAME_SIZE, digits_of(length), &size, length, name) ||
        !codec_align(c, name))
        return false;
    uint64_t start = c->bit;
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
    if (text)
        codec_note(c, t, d);
    return size == 0 || codec_done(c, start, name);
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
        pattern_add(p, code, scalar_width(t));
    }
}

bool full_take(codec *c, const type *t, datum *d, bool *lands, uint64_t start, const char *name)
{
    uint64_t code = 0;
    if (t->kind == TYPE_COMPACT)
        return compact_take(c, t->bits / 8, &d->number, start, name);
    if (!codec_bits(c, scalar_width(t), &code, start, name))
        return false;
    *lands = scalar_from_code(t, code, d) == PKT_OK;
    return true;
}
