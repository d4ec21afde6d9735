/* pkt_mix.c - the value between two others, and whether two values are near each other, by the tables of types.
 * SPDX-License-Identifier: MIT
 *
 * What is mixed need not be the same on every machine, so this computes with doubles. But it can be written if the two
 * values can: no field leaves its range, and each branch has the fields of a value that took it.
 */
#include "pkt_mix.h"
#include "pkt_list.h"
#include "pkt_rotation.h"
#include "pkt_value.h"

static const char *pkt_value_at(const pkt_entry *e, const char *v, uint64_t i)
{
    return pkt_entry_at(e, (char *)(uintptr_t)v, i);
}

/* ---- numbers */

/* The distance from one to the other, on a circle on the shorter way; up if both are as long. */
static double pkt_real_way(double from, double to, double circle)
{
    double way = to - from;
    if (circle != 0 && way > circle / 2)
        way -= circle;
    else if (circle != 0 && way <= -circle / 2)
        way += circle;
    return way;
}

static double pkt_load_real(const pkt_entry *e, const char *at)
{
    float narrow;
    double real;
    if (e->size == sizeof real) {
        memcpy(&real, at, sizeof real);
        return real;
    }
    memcpy(&narrow, at, sizeof narrow);
    return (double)narrow;
}

static void pkt_store_real(const pkt_entry *e, char *at, double real)
{
    const float narrow = (float)real;
    if (e->size == sizeof real)
        memcpy(at, &real, sizeof real);
    else
        memcpy(at, &narrow, sizeof narrow);
}

/* A quantized number, within its bounds if it can be written. */
static PKT_NOINLINE double pkt_load_bounded(const pkt_entry *e, const char *at)
{
    const pkt_bounds *bounds = (const pkt_bounds *)e->of;
    double real = pkt_load_real(e, at);
    if (real >= bounds->low && real <= bounds->high)
        return real;
    return e->size == sizeof real
               ? pkt_settle64(real, bounds->low, bounds->high, e->span)
               : (double)pkt_settle((float)real, (float)bounds->low, (float)bounds->high, (uint32_t)e->span);
}

/* Of a number that wraps the length of the circle; else 0. */
static double pkt_real_circle(const pkt_entry *e)
{
    const pkt_bounds *bounds = (const pkt_bounds *)e->of;
    return (e->flags & PKT_ENTRY_WRAPS) != 0 ? bounds->high - bounds->low : 0;
}

/* Neither product overflows, and none is infinite times 0. */
static double pkt_mix_reals(double a, double b, double t)
{
    const double mixed = a * (1 - t) + b * t, least = a < b ? a : b, most = a < b ? b : a;
    return mixed < least ? least : mixed > most ? most : mixed;
}

static double pkt_mix_bounded(const pkt_entry *e, double a, double b, double t)
{
    const pkt_bounds *bounds = (const pkt_bounds *)e->of;
    const double circle = pkt_real_circle(e), to = a + pkt_real_way(a, b, circle);
    double mixed = circle != 0 ? pkt_mix_reals(a, to, t) : pkt_mix_reals(a, b, t);
    if (circle != 0 && mixed >= bounds->high)
        mixed -= circle;
    else if (circle != 0 && mixed < bounds->low)
        mixed += circle;
    return mixed < bounds->low ? bounds->low : mixed > bounds->high ? bounds->high : mixed;
}

/* An integer, less the least one of its type or range; and the greatest of these. */
static uint64_t pkt_load_integer(const pkt_entry *e, const char *at)
{
    if (e->kind == PKT_ENTRY_BITS || e->kind == PKT_ENTRY_COMPACT)
        return pkt_entry_load(at, e->size) ^ e->low;
    return pkt_entry_raw(e, at);
}

static void pkt_store_integer(const pkt_entry *e, char *at, uint64_t code)
{
    const bool is_raw = e->kind == PKT_ENTRY_BITS || e->kind == PKT_ENTRY_COMPACT;
    pkt_entry_store(at, e->size, is_raw ? code ^ e->low : code + e->low);
}

/* The distance of two integers; up: from a to b the numbers rise. */
static uint64_t pkt_integer_way(const pkt_entry *e, uint64_t a, uint64_t b, bool *up)
{
    const uint64_t last = pkt_entry_last(e), rise = b - a, fall = a - b;
    *up = b > a;
    if ((e->flags & PKT_ENTRY_WRAPS) == 0)
        return *up ? rise : fall;
    /* A circle has at most 2^32 numbers. */
    const uint64_t round = last + 1, on = b >= a ? rise : rise + round;
    *up = on <= round - on;
    return *up ? on : round - on;
}

/* The nearest integer, of two that are as near the even one. */
static PKT_NOINLINE uint64_t pkt_mix_integers(const pkt_entry *e, uint64_t a, uint64_t b, double t)
{
    bool up;
    const uint64_t last = pkt_entry_last(e), way = pkt_integer_way(e, a, b, &up);
    const double exact = (double)way * t;
    uint64_t go = exact >= 18446744073709551615.0 ? way : (uint64_t)exact;
    const double rest = exact - (double)go;
    go += rest > 0.5 || (rest == 0.5 && ((a + go + e->low) & 1) != 0);
    go = go < way ? go : way;
    if ((e->flags & PKT_ENTRY_WRAPS) != 0)
        return (a + (up ? go : last + 1 - go)) % (last + 1);
    return up ? a + go : a - go;
}

/* ---- rotations and directions: vectors of 4 or 3 numbers, of length 1 */

#ifndef PKT_WITHOUT_ROTATION
enum { PKT_MOST_PARTS_OF_ARC = 4 };

/* 1 / sqrt(v), with the precision of a double. */
static double pkt_inverse_root(double v)
{
    const double near_it = 1 / (double)pkt_sqrt((float)v);
    return near_it * (1.5 - 0.5 * v * near_it * near_it);
}

static unsigned pkt_arc_parts(const pkt_entry *e)
{
    return e->kind == PKT_ENTRY_QUAT ? 4 : 3;
}

static double pkt_arc_product(const double *a, const double *b, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Makes a vector one of length 1. False if it has no direction. */
static PKT_NOINLINE bool pkt_arc_unit(double *v, unsigned n)
{
    const double square = pkt_arc_product(v, v, n);
    if (!(square > 1e-12 && square < 1e12))
        return false;
    const double scale = pkt_inverse_root(square);
    for (unsigned i = 0; i < n; i++)
        v[i] *= scale;
    return true;
}

static bool pkt_load_arc(const pkt_entry *e, const char *at, double *v)
{
    float parts[PKT_MOST_PARTS_OF_ARC];
    const unsigned n = pkt_arc_parts(e);
    memcpy(parts, at, n * sizeof *parts);
    for (unsigned i = 0; i < n; i++)
        v[i] = (double)parts[i];
    return pkt_arc_unit(v, n);
}

/* Of a rotation, which two quaternions are, v becomes the one on the same side as u. */
static PKT_NOINLINE bool pkt_load_pair(const pkt_entry *e, const char *a, const char *b, double *u, double *v)
{
    if (!pkt_load_arc(e, a, u) || !pkt_load_arc(e, b, v))
        return false;
    if (e->kind == PKT_ENTRY_QUAT && pkt_arc_product(u, v, 4) < 0)
        for (unsigned i = 0; i < 4; i++)
            v[i] = -v[i];
    return true;
}

/* Mixes the numbers and makes the length 1. The speed along an arc would differ by 8 % at its ends and its middle, so t is
 * corrected first; within arcs of 90 degrees the result is at most a tenth of a degree from a steady turn. The polynomials
 * are those of Arseny Kapoulkine, "Approximating slerp", 2015. */
static PKT_NOINLINE bool pkt_arc_within(const double *a, const double *b, unsigned n, double t, double *to)
{
    const double d = pkt_arc_product(a, b, n), c = t - 0.5;
    const double k =
        (1.0904 + d * (-3.2452 + d * (3.55645 - d * 1.43519))) * c * c + (0.848013 + d * (-1.06021 + d * 0.215638));
    t += t * c * (t - 1) * k;
    for (unsigned i = 0; i < n; i++)
        to[i] = a[i] + (b[i] - a[i]) * t;
    return pkt_arc_unit(to, n);
}

/* Longer arcs, which only directions have, are two. False for two opposite directions: no arc is the short one. */
static PKT_NOINLINE bool pkt_mix_arc(const double *a, const double *b, unsigned n, double t, double *to)
{
    double middle[PKT_MOST_PARTS_OF_ARC];
    if (pkt_arc_product(a, b, n) >= 0)
        return pkt_arc_within(a, b, n, t, to);
    for (unsigned i = 0; i < n; i++)
        middle[i] = a[i] + b[i];
    if (!pkt_arc_unit(middle, n))
        return false;
    return t < 0.5 ? pkt_arc_within(a, middle, n, 2 * t, to) : pkt_arc_within(middle, b, n, 2 * t - 1, to);
}

/* The degrees between two vectors of length 1, from the chord: the arc of a quarter of the angle is short enough for a
 * series. */
static PKT_COLD double pkt_arc_degrees(const double *a, const double *b, unsigned n)
{
    double square = 0, chord;
    for (unsigned i = 0; i < n; i++)
        square += (b[i] - a[i]) * (b[i] - a[i]);
    square = square < 4 ? square : 4;
    for (unsigned halved = 0; halved < 2; halved++)
        square /= 2 + (double)pkt_sqrt((float)(4 - square));
    if (!(square > 1e-30))
        return 0;
    chord = square * pkt_inverse_root(square);
    return chord * (1 + square * (1.0 / 24 + square * (3.0 / 640 + square * (5.0 / 7168 + square * (35.0 / 294912))))) *
           4 * 57.29577951308232;
}
#endif

/* ---- T_near, which T_mix needs too */

typedef struct pkt_nearing {
    double stated;       /* the tolerance that the field states; less than 0: that of its type */
    double amount, most; /* of the first difference: how far, and the tolerance */
    pkt_error name;      /* the field of it, which grows to the left as in an error */
} pkt_nearing;

static PKT_COLD bool pkt_near_block(pkt_nearing *w, const pkt_type *t, const pkt_entry *e, const pkt_entry *end,
                                    const char *a, const char *b);

static void pkt_near_begin(pkt_nearing *w)
{
    w->amount = w->most = 0;
    w->name.field[0] = 0;
}

/* ---- T_mix */

typedef struct pkt_mixing {
    double t;    /* between 0 and 1 */
    bool later;  /* what steps is b's */
    bool linear; /* integers are mixed */
} pkt_mixing;

static bool pkt_mix_block(const pkt_mixing *m, const pkt_type *t, const pkt_entry *e, const pkt_entry *end,
                          const char *a, const char *b, char *out);

/* A branch or a count that neither value has would lack fields: then all of the struct steps, as after a cut. */
static PKT_NOINLINE void pkt_mix_value(const pkt_mixing *m, const pkt_type *t, const char *a, const char *b, char *out)
{
    const pkt_entry *end = pkt_type_end(t);
    if (!pkt_mix_block(m, t, t->entries, end, a, b, out)) {
        const char *from = m->later ? b : a;
        (void)pkt_mix_block(m, t, t->entries, end, from, from, out);
    }
}

static bool pkt_is_mixed_integer(const pkt_mixing *m, const pkt_entry *e)
{
    return e->as == PKT_KIND_FIXED || ((e->as == PKT_KIND_SIGNED || e->as == PKT_KIND_UNSIGNED) &&
                                       (m->linear || (e->flags & PKT_ENTRY_WRAPS) != 0));
}

/* Of a real number, an infinity or NaN steps. */
static void pkt_mix_real(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out)
{
    const bool bounded = e->kind == PKT_ENTRY_QUANTIZED;
    const double x = bounded ? pkt_load_bounded(e, a) : pkt_load_real(e, a),
                 y = bounded ? pkt_load_bounded(e, b) : pkt_load_real(e, b);
    if (x != y && pkt_is_finite64(x) && pkt_is_finite64(y))
        pkt_store_real(e, out, bounded ? pkt_mix_bounded(e, x, y, m->t) : pkt_mix_reals(x, y, m->t));
    else if (bounded)
        pkt_store_real(e, out, m->later ? y : x);
    else
        memcpy(out, m->later ? b : a, e->size);
}

#ifndef PKT_WITHOUT_ROTATION
static PKT_NOINLINE void pkt_mix_rotation(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b,
                                          char *out)
{
    double u[PKT_MOST_PARTS_OF_ARC], v[PKT_MOST_PARTS_OF_ARC], mixed[PKT_MOST_PARTS_OF_ARC];
    float parts[PKT_MOST_PARTS_OF_ARC];
    const unsigned n = pkt_arc_parts(e);
    if (a == b || !pkt_load_pair(e, a, b, u, v) || !pkt_mix_arc(u, v, n, m->t, mixed)) {
        memcpy(out, m->later ? b : a, e->size);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        parts[i] = (float)mixed[i];
    memcpy(out, parts, n * sizeof *parts);
}
#endif

/* What kind of value it is says whether it is mixed. */
static PKT_NOINLINE void pkt_mix_leaf(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out)
{
    const char *from = m->later ? b : a;
    if (e->as == PKT_KIND_FLOAT)
        pkt_mix_real(m, e, a, b, out);
#ifndef PKT_WITHOUT_ROTATION
    else if (e->as == PKT_KIND_QUAT || e->as == PKT_KIND_UNIT)
        pkt_mix_rotation(m, e, a, b, out);
#endif
    else if (a != b && pkt_is_mixed_integer(m, e))
        pkt_store_integer(e, out, pkt_mix_integers(e, pkt_load_integer(e, a), pkt_load_integer(e, b), m->t));
    else if (e->kind == PKT_ENTRY_CLAMPED)
        pkt_store_integer(e, out, pkt_load_integer(e, from));
    else
        memcpy(out, from, e->size);
}

static void pkt_mix_entry(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out, uint64_t i);

/* Elements that only one of the values has are not mixed. Those past its count are as they were. */
static PKT_NOINLINE void pkt_mix_elements(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b,
                                          char *out, uint64_t first, uint64_t count, uint64_t in_a, uint64_t in_b)
{
    for (uint64_t n = 0; n < count; n++)
        pkt_mix_entry(m, e, n < in_a ? a : b, n < in_b ? b : a, out, first + n);
}

#ifndef PKT_WITHOUT_LIST
/* The elements of the list that is shown, each with the one of the same key. */
static void pkt_mix_list(const pkt_mixing *m, const pkt_entry *e, const pkt_keys *k, const char *a, const char *b,
                         char *out)
{
    const char *old = pkt_value_at(e + 1, a, 0), *now = pkt_value_at(e + 1, b, 0);
    char *to = pkt_entry_at(e + 1, out, 0);
    pkt_pairs p = pkt_pairs_of(k, old, (uint32_t)pkt_count_of(e, a), now, (uint32_t)pkt_count_of(e, b));
    while (pkt_pairs_next(&p)) {
        const char *was = old + (size_t)p.j * k->stride, *is = now + (size_t)p.i * k->stride;
        if (m->later ? p.in_now : p.in_old)
            pkt_mix_value(m, (const pkt_type *)e[1].of, p.in_old ? was : is, p.in_now ? is : was,
                          to + (size_t)(m->later ? p.i : p.j) * k->stride);
    }
}
#endif

static void pkt_mix_counted(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out)
{
    const uint64_t count = pkt_count_of(e, m->later ? b : a);
    pkt_entry_store(out + e->other, e->size, count);
#ifndef PKT_WITHOUT_LIST
    pkt_keys keys;
    if (pkt_entry_keys(e, &keys)) {
        pkt_mix_list(m, e, &keys, a, b, out);
        return;
    }
#endif
    pkt_mix_elements(m, e + 1, a, b, out, 0, count, pkt_count_of(e, a), pkt_count_of(e, b));
}

/* Elements that are absent have base values; with `keep`, values of their own. */
static void pkt_mix_sparse(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out)
{
    const size_t words = ((size_t)e->span + 63) / 64;
    const uint64_t *in_a = (const uint64_t *)(const void *)(a + e->other),
                   *in_b = (const uint64_t *)(const void *)(b + e->other);
    const uint32_t n = (uint32_t)e->span;
    memcpy(out + e->other, m->later ? in_b : in_a, words * sizeof *in_a);
    for (uint32_t i = 0; i < n; i++) {
        const bool keeps = e->s != 0, has_a = keeps || pkt_present_has(in_a, n, i),
                   has_b = keeps || pkt_present_has(in_b, n, i);
        if (m->later ? has_b : has_a)
            pkt_mix_entry(m, e + 1, has_a ? a : b, has_b ? b : a, out, i);
        else
            pkt_entry_blank(e + 1, out, i, false);
    }
}

static void pkt_mix_optional(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out)
{
    const uint64_t has_a = pkt_entry_load(a + e->other, sizeof(bool)),
                   has_b = pkt_entry_load(b + e->other, sizeof(bool));
    pkt_entry_store(out + e->other, sizeof(bool), m->later ? has_b : has_a);
    if (m->later ? has_b : has_a)
        pkt_mix_entry(m, e + 1, has_a ? a : b, has_b ? b : a, out, 0);
    else
        pkt_entry_blank(e + 1, out, 0, false);
}

/* Members of different tags are not mixed. As in a reader, local members of the union are cleared. */
static void pkt_mix_union(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out)
{
    const uint64_t tag_a = pkt_entry_load(a + e->offset, e->size), tag_b = pkt_entry_load(b + e->offset, e->size),
                   tag = m->later ? tag_b : tag_a;
    const char *from = m->later ? b : a;
    if (tag > e->span)
        return;
    const pkt_entry *member = e + 1 + tag;
    memset(out + member->offset, 0, ((const pkt_type *)member->of)->size);
    pkt_entry_store(out + e->offset, e->size, tag);
    pkt_mix_entry(m, member, tag_a == tag ? a : from, tag_b == tag ? b : from, out, 0);
}

/* Of an entry that is in one value alone, a and b are this value. */
static void pkt_mix_entry(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out, uint64_t i)
{
    const char *from = m->later ? b : a;
    uint64_t size;
    switch ((pkt_entry_kind)e->kind) {
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        pkt_mix_leaf(m, e, pkt_value_at(e, a, i), pkt_value_at(e, b, i), pkt_entry_at(e, out, i));
        return;
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER:
        pkt_mix_value(m, (const pkt_type *)e->of, pkt_value_at(e, a, i), pkt_value_at(e, b, i),
                      pkt_entry_at(e, out, i));
        return;
    case PKT_ENTRY_TEXT: memcpy(pkt_entry_at(e, out, i), pkt_value_at(e, from, i), pkt_entry_size(e)); return;
    case PKT_ENTRY_BYTES:
        size = pkt_entry_load(pkt_value_at(e + 1, from, i), e[1].size);
        memcpy(pkt_entry_at(e, out, i), pkt_value_at(e, from, i), (size_t)(size < e->span ? size : e->span));
        pkt_entry_store(pkt_entry_at(e + 1, out, i), e[1].size, size);
        return;
    case PKT_ENTRY_ARRAY: pkt_mix_elements(m, e + 1, a, b, out, i * e->span, e->span, e->span, e->span); return;
    case PKT_ENTRY_COUNTED: pkt_mix_counted(m, e, a, b, out); return;
    case PKT_ENTRY_SPARSE: pkt_mix_sparse(m, e, a, b, out); return;
    case PKT_ENTRY_OPTIONAL: pkt_mix_optional(m, e, a, b, out); return;
    case PKT_ENTRY_UNLESS: pkt_mix_entry(m, e + 1, a, b, out, i); return;
    case PKT_ENTRY_UNION: pkt_mix_union(m, e, a, b, out); return;
    case PKT_ENTRY_COMPUTED: /* pkt_mix_block has these */
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: PKT_ENTRY_GAPS(PKT_CASE) return;
    }
}

/* The side is that of the fields in `out`. */
static bool pkt_mix_branch(const pkt_mixing *m, const pkt_type *t, const pkt_entry *e, const char *a, const char *b,
                           char *out)
{
    const unsigned n = (unsigned)e->low, taken = t->side(out, n);
    const bool of_a = t->side(a, n) == taken, of_b = t->side(b, n) == taken;
    const pkt_entry *end = pkt_entry_after(e), *body = NULL;
    unsigned number = 1;
    for (e++; e != end; e = pkt_entry_after(e))
        if (number++ == taken)
            body = e;
        else
            pkt_entry_blank(e, out, 0, false);
    return (of_a || of_b) &&
           (!body || pkt_mix_block(m, t, body + 1, pkt_entry_after(body), of_a ? a : b, of_b ? b : a, out));
}

static bool pkt_mix_computed(const pkt_mixing *m, const pkt_type *t, const pkt_entry *e, const char *a, const char *b,
                             char *out)
{
    const unsigned n = (unsigned)e->low;
    const uint64_t count = t->side(out, n), in_a = t->side(a, n), in_b = t->side(b, n);
    if (count > in_a && count > in_b)
        return false;
    pkt_mix_elements(m, e + 1, a, b, out, 0, count, in_a, in_b);
    return true;
}

/* Most fields are floats within their bounds. False for others. */
PKT_INLINE bool pkt_mix_float(const pkt_mixing *m, const pkt_entry *e, const char *a, const char *b, char *out)
{
    const pkt_bounds *bounds = (const pkt_bounds *)e->of;
    float x, y, mixed;
    if (e->kind != PKT_ENTRY_QUANTIZED || e->size != sizeof x || (e->flags & PKT_ENTRY_WRAPS) != 0)
        return false;
    memcpy(&x, a + e->offset, sizeof x);
    memcpy(&y, b + e->offset, sizeof y);
    if (!((double)x >= bounds->low && (double)x <= bounds->high && (double)y >= bounds->low &&
          (double)y <= bounds->high))
        return false;
    mixed = (float)pkt_mix_reals((double)x, (double)y, m->t);
    memcpy(out + e->offset, &mixed, sizeof mixed);
    return true;
}

/* Whether a field with @mix(cut), whose rule is at `e`, is too far from that of the other value. */
static PKT_COLD bool pkt_is_cut(const pkt_type *t, const pkt_entry *e, const char *a, const char *b)
{
    pkt_nearing w;
    pkt_near_begin(&w);
    return !pkt_near_block(&w, t, e, pkt_entry_after(e + 1), a, b);
}

/* Fields come before the conditions and counts that use them. */
bool pkt_mix_block(const pkt_mixing *m, const pkt_type *t, const pkt_entry *e, const pkt_entry *end, const char *a,
                   const char *b, char *out)
{
    for (; e != end; e = pkt_entry_after(e)) {
        const pkt_mixing *how = m;
        const char *from = a, *to = b;
        pkt_mixing linear;
        if (a != b && pkt_mix_float(m, e, a, b, out))
            continue;
        if (e->kind == PKT_ENTRY_RULE) {
            const pkt_rule *rule = (const pkt_rule *)e->of;
            if (rule->cuts && a != b && pkt_is_cut(t, e, a, b))
                return false;
            e++;
            if (rule->steps)
                from = to = (rule->point > 1 ? m->later : m->t >= rule->point) ? b : a;
            linear = *m;
            linear.linear = rule->linear;
            how = &linear;
        }
        if (e->kind == PKT_ENTRY_BRANCH ? !pkt_mix_branch(how, t, e, from, to, out)
                                        : e->kind == PKT_ENTRY_COMPUTED && !pkt_mix_computed(how, t, e, from, to, out))
            return false;
        if (e->kind != PKT_ENTRY_BRANCH && e->kind != PKT_ENTRY_COMPUTED)
            pkt_mix_entry(how, e, from, to, out, 0);
    }
    return true;
}

void pkt_mix(const pkt_type *type, const void *a, const void *b, double t, double point, void *out)
{
    const pkt_mixing m = {t, t >= point, false};
    pkt_mix_value(&m, type, (const char *)(t >= 1 ? b : a), (const char *)(t > 0 ? b : a), (char *)out);
}

/* ---- T_near */

static PKT_COLD bool pkt_near_entry(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b, uint64_t i);

/* The entry of an array's elements has the name of the first one, such as "path[0]". */
static PKT_COLD bool pkt_far_in(pkt_nearing *w, const pkt_entry *e)
{
    pkt_error_outer_part(&w->name, e->name, strcspn(e->name, "["));
    return false;
}

static PKT_COLD bool pkt_far_element(pkt_nearing *w, uint64_t index)
{
    pkt_error_element(&w->name, index);
    return false;
}

/* The amount is NaN if one of the numbers is. */
static PKT_COLD bool pkt_within(pkt_nearing *w, const pkt_entry *e, double amount, double most, double rounding)
{
    if (amount <= most + rounding)
        return true;
    w->amount = amount;
    w->most = most;
    return pkt_far_in(w, e);
}

static PKT_COLD bool pkt_is_alike(pkt_nearing *w, const pkt_entry *e, bool same)
{
    return same || pkt_within(w, e, 1, 0, 0);
}

static PKT_COLD double pkt_larger_magnitude(double x, double y)
{
    x = x < 0 ? -x : x;
    y = y < 0 ? -y : y;
    return x > y ? x : y;
}

/* A quantized number is near another one at a distance of a step. Sums of decimal fractions are rounded. */
static PKT_COLD bool pkt_near_real(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    const pkt_bounds *bounds = (const pkt_bounds *)e->of;
    const bool bounded = e->kind == PKT_ENTRY_QUANTIZED;
    const double place = e->size == sizeof(double) ? 1.0 / 4503599627370496.0 : 1.0 / 8388608.0;
    const double x = bounded ? pkt_load_bounded(e, a) : pkt_load_real(e, a),
                 y = bounded ? pkt_load_bounded(e, b) : pkt_load_real(e, b);
    const double largest = bounded ? 2 * pkt_larger_magnitude(bounds->low, bounds->high) : pkt_larger_magnitude(x, y);
    const uint64_t steps = e->span & (e->size == sizeof(double) ? UINT64_MAX >> 1 : (uint64_t)INT32_MAX);
    const double way = pkt_real_way(x, y, bounded ? pkt_real_circle(e) : 0);
    const double most = w->stated >= 0 ? w->stated : bounded ? (bounds->high - bounds->low) / (double)steps : 0;
    if (x == y || memcmp(a, b, e->size) == 0)
        return true;
    return pkt_within(w, e, way < 0 ? -way : way, most, most > 0 ? largest * place : 0);
}

#ifndef PKT_WITHOUT_ROTATION
/* In degrees. A rotation is twice the angle of its quaternion. Two that were the same before they were sent in `bits` bits are
 * near each other. */
static PKT_COLD bool pkt_near_rotation(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    double u[PKT_MOST_PARTS_OF_ARC], v[PKT_MOST_PARTS_OF_ARC];
    const double most = w->stated >= 0 ? w->stated : 640.0 / (double)(UINT32_C(1) << e->bits);
    if (memcmp(a, b, e->size) == 0)
        return true;
    if (!pkt_load_pair(e, a, b, u, v))
        return pkt_is_alike(w, e, false);
    return pkt_within(w, e, pkt_arc_degrees(u, v, pkt_arc_parts(e)) * (e->kind == PKT_ENTRY_QUAT ? 2 : 1), most, 0);
}
#endif

/* Fixed-point numbers count in whole units. */
static PKT_COLD bool pkt_near_integer(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    const double unit = (double)(UINT64_C(1) << e->fraction_bits);
    bool up;
    const uint64_t way = pkt_integer_way(e, pkt_load_integer(e, a), pkt_load_integer(e, b), &up);
    return pkt_within(w, e, (double)way / unit, w->stated >= 0 ? w->stated : 0, 0);
}

static PKT_COLD bool pkt_near_leaf(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    if (e->as == PKT_KIND_FLOAT)
        return pkt_near_real(w, e, a, b);
#ifndef PKT_WITHOUT_ROTATION
    if (e->as == PKT_KIND_QUAT || e->as == PKT_KIND_UNIT)
        return pkt_near_rotation(w, e, a, b);
#endif
    if (e->as == PKT_KIND_FIXED || e->as == PKT_KIND_SIGNED || e->as == PKT_KIND_UNSIGNED)
        return pkt_near_integer(w, e, a, b);
    return pkt_is_alike(w, e, memcmp(a, b, e->size) == 0);
}

static PKT_COLD bool pkt_near_type(pkt_nearing *w, const pkt_type *t, const char *a, const char *b)
{
    return pkt_near_block(w, t, t->entries, pkt_type_end(t), a, b);
}

static PKT_COLD bool pkt_near_elements(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b, uint64_t first,
                                       uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        if (!pkt_near_entry(w, e, a, b, first + n))
            return pkt_far_element(w, n);
    return true;
}

#ifndef PKT_WITHOUT_LIST
/* An element that one of the lists lacks is named by its place in the other. */
static PKT_COLD bool pkt_near_list(pkt_nearing *w, const pkt_entry *e, const pkt_keys *k, const char *a, const char *b)
{
    const char *old = pkt_value_at(e + 1, a, 0), *now = pkt_value_at(e + 1, b, 0);
    pkt_pairs p = pkt_pairs_of(k, old, (uint32_t)pkt_count_of(e, a), now, (uint32_t)pkt_count_of(e, b));
    while (pkt_pairs_next(&p)) {
        const bool in_both = p.in_old && p.in_now;
        if (in_both &&
            pkt_near_type(w, (const pkt_type *)e[1].of, old + (size_t)p.j * k->stride, now + (size_t)p.i * k->stride))
            continue;
        if (in_both)
            pkt_far_in(w, e + 1);
        else
            pkt_is_alike(w, e + 1, false);
        return pkt_far_element(w, p.in_old ? p.j : p.i);
    }
    return true;
}
#endif

static PKT_COLD bool pkt_near_counted(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    const uint64_t in_a = pkt_count_of(e, a), in_b = pkt_count_of(e, b);
#ifndef PKT_WITHOUT_LIST
    pkt_keys keys;
    if (pkt_entry_keys(e, &keys))
        return pkt_near_list(w, e, &keys, a, b);
#endif
    if (in_a == in_b)
        return pkt_near_elements(w, e + 1, a, b, 0, in_a);
    (void)pkt_within(w, e, in_a > in_b ? (double)(in_a - in_b) : (double)(in_b - in_a), 0, 0);
    pkt_error_ending(&w->name, "_count");
    return false;
}

static PKT_COLD bool pkt_near_sparse(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    const uint64_t *in_a = (const uint64_t *)(const void *)(a + e->other),
                   *in_b = (const uint64_t *)(const void *)(b + e->other);
    const uint32_t n = (uint32_t)e->span;
    for (uint32_t i = 0; i < n; i++) {
        const bool has = pkt_present_has(in_a, n, i);
        if (has != pkt_present_has(in_b, n, i))
            (void)pkt_is_alike(w, e, false);
        else if (!has || pkt_near_entry(w, e + 1, a, b, i))
            continue;
        return pkt_far_element(w, i);
    }
    return true;
}

static PKT_COLD bool pkt_near_optional(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    const bool has = pkt_entry_load(a + e->other, sizeof has) != 0;
    return pkt_is_alike(w, e, has == (pkt_entry_load(b + e->other, sizeof has) != 0)) &&
           (!has || pkt_near_entry(w, e + 1, a, b, 0));
}

static PKT_COLD bool pkt_near_union(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b)
{
    const uint64_t tag = pkt_entry_load(a + e->offset, e->size);
    return pkt_is_alike(w, e, tag == pkt_entry_load(b + e->offset, e->size)) &&
           (tag > e->span || pkt_near_entry(w, e + 1 + tag, a, b, 0));
}

static PKT_COLD bool pkt_near_bytes(const pkt_entry *e, const char *a, const char *b, uint64_t i)
{
    const pkt_entry *size = e + 1;
    const uint64_t bytes = pkt_entry_load(pkt_value_at(size, a, i), size->size);
    return bytes == pkt_entry_load(pkt_value_at(size, b, i), size->size) && bytes <= e->span &&
           memcmp(pkt_value_at(e, a, i), pkt_value_at(e, b, i), (size_t)bytes) == 0;
}

static PKT_COLD bool pkt_near_entry(pkt_nearing *w, const pkt_entry *e, const char *a, const char *b, uint64_t i)
{
    switch ((pkt_entry_kind)e->kind) {
        PKT_ENTRY_LEAVES(PKT_CASE_LEAF)
        return pkt_near_leaf(w, e, pkt_value_at(e, a, i), pkt_value_at(e, b, i));
    case PKT_ENTRY_STRUCT:
    case PKT_ENTRY_MEMBER:
        return pkt_near_type(w, (const pkt_type *)e->of, pkt_value_at(e, a, i), pkt_value_at(e, b, i)) ||
               pkt_far_in(w, e);
    case PKT_ENTRY_TEXT:
        return pkt_is_alike(w, e, pkt_unchanged_text(pkt_value_at(e, a, i), pkt_value_at(e, b, i), (uint32_t)e->span));
    case PKT_ENTRY_BYTES: return pkt_is_alike(w, e, pkt_near_bytes(e, a, b, i));
    case PKT_ENTRY_ARRAY: return pkt_near_elements(w, e + 1, a, b, i * e->span, e->span);
    case PKT_ENTRY_COUNTED: return pkt_near_counted(w, e, a, b);
    case PKT_ENTRY_SPARSE: return pkt_near_sparse(w, e, a, b);
    case PKT_ENTRY_OPTIONAL: return pkt_near_optional(w, e, a, b);
    case PKT_ENTRY_UNLESS: return pkt_near_entry(w, e + 1, a, b, i);
    case PKT_ENTRY_UNION: return pkt_near_union(w, e, a, b);
    case PKT_ENTRY_COMPUTED: /* pkt_near_block has these */
    case PKT_ENTRY_BRANCH:
    case PKT_ENTRY_SIDE: PKT_ENTRY_GAPS(PKT_CASE) break;
    }
    return true;
}

/* If the two values take different sides, a field that the condition asks for differs, within its tolerance. */
static PKT_COLD bool pkt_near_branch(pkt_nearing *w, const pkt_type *t, const pkt_entry *e, const char *a,
                                     const char *b)
{
    const pkt_entry *end = pkt_entry_after(e);
    const unsigned taken = t->side(a, (unsigned)e->low);
    unsigned number = 1;
    if (taken != t->side(b, (unsigned)e->low))
        return pkt_is_alike(w, e, false);
    for (e++; e != end; e = pkt_entry_after(e))
        if (number++ == taken)
            return pkt_near_block(w, t, e + 1, pkt_entry_after(e), a, b);
    return true;
}

static PKT_COLD bool pkt_near_computed(pkt_nearing *w, const pkt_type *t, const pkt_entry *e, const char *a,
                                       const char *b)
{
    const uint64_t count = t->side(a, (unsigned)e->low);
    return pkt_is_alike(w, e, count == t->side(b, (unsigned)e->low)) && pkt_near_elements(w, e + 1, a, b, 0, count);
}

bool pkt_near_block(pkt_nearing *w, const pkt_type *t, const pkt_entry *e, const pkt_entry *end, const char *a,
                    const char *b)
{
    for (; e != end; e = pkt_entry_after(e)) {
        w->stated = e->kind == PKT_ENTRY_RULE ? ((const pkt_rule *)e++->of)->tolerance : -1;
        if (!(e->kind == PKT_ENTRY_BRANCH     ? pkt_near_branch(w, t, e, a, b)
              : e->kind == PKT_ENTRY_COMPUTED ? pkt_near_computed(w, t, e, a, b)
                                              : pkt_near_entry(w, e, a, b, 0)))
            return false;
    }
    return true;
}

bool pkt_near(const pkt_type *type, const void *a, const void *b, pkt_deviation *deviation)
{
    pkt_nearing w;
    pkt_near_begin(&w);
    const bool near_it = pkt_near_type(&w, type, (const char *)a, (const char *)b);
    if (!near_it)
        pkt_error_outer_part(&w.name, type->name, strlen(type->name));
    if (deviation != NULL) {
        deviation->amount = w.amount;
        deviation->tolerance = w.most;
        memcpy(deviation->field, w.name.field, sizeof deviation->field);
    }
    return near_it;
}
