/* quantized.c - quantized numbers: how many steps a range has, whether the storage can tell them apart, whether 0 is a
 * step.
 * SPDX-License-Identifier: MIT
 *
 * All arithmetic is done in the storage type, as the wire demands: see wire.md, Quantized numbers.
 */
#include "check/check_internal.h"
#include "model/accuracy.h"
#include "model/type_table.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum quantized_fault { QUANTIZED_SOUND, QUANTIZED_STEPS, QUANTIZED_FINE } quantized_fault;

/* The least whole number that is not below x. pktc links without -lm, so it cannot call ceil. */
static double round_up(double x)
{
    if (!(fabs(x) < 0x1p52))
        return x;
    double whole = (double)(int64_t)x;
    return whole < x ? whole + 1 : whole;
}

/* The number of steps, M in wire.md: at least 1, but infinite or NaN if it is too large for a double. */
static double quantized_steps(storage s, double low, double high, double step)
{
    double steps;
    if (s == STORAGE_FLOAT) {
        float delta = (float)high - (float)low;
        float ratio = delta / (float)step;
        steps = round_up((double)ratio);
    } else {
        steps = round_up((high - low) / step);
    }
    return steps < 1 ? 1 : steps;
}

static double greater_real(double a, double b)
{
    return a > b ? a : b;
}

/* One unit in the last place of the bound with the greater magnitude. */
static double last_place(storage s, double low, double high)
{
    int exponent;
    frexp(greater_real(fabs(low), fabs(high)), &exponent);
    double place = ldexp(1.0, exponent - (s == STORAGE_FLOAT ? FLT_MANT_DIG : DBL_MANT_DIG));
    return greater_real(place, s == STORAGE_FLOAT ? 0x1p-149 : 0x1p-1074);
}

static quantized_fault judge_steps(storage s, double low, double high, double step)
{
    double steps = quantized_steps(s, low, high, step);
    if (!(steps <= (s == STORAGE_FLOAT ? 0x1p21 : 0x1p50)))
        return QUANTIZED_STEPS;
    return (high - low) / steps < 2 * last_place(s, low, high) ? QUANTIZED_FINE : QUANTIZED_SOUND;
}

/* The value of the last of x's first `digits` significant digits: 0.01 for 2.34 and 3 digits. */
static double last_digit(double x, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.17e", x);
    int exponent = atoi(strchr(text, 'e') + 1);
    snprintf(text, sizeof text, "1e%d", exponent + 1 - digits);
    return strtod(text, NULL);
}

/* The finest resolution with three significant digits that the storage allows; 0 if there is none. */
static double finest(storage s, double low, double high)
{
    double by_steps = (high - low) / (s == STORAGE_FLOAT ? 0x1p21 : 0x1p50);
    double least = greater_real(by_steps, 2 * last_place(s, low, high));
    double digit = last_digit(least, 3);
    double first = round_up(least / digit);
    for (int more = 0; more < 10 && digit > 0; more++) {
        double step = (first + more) * digit;
        if (judge_steps(s, low, high, s == STORAGE_FLOAT ? (double)(float)step : step) == QUANTIZED_SOUND)
            return step;
    }
    return 0;
}

/* x with `digits` significant digits, as a schema writes it. *result gets the value of this text in the storage. */
static const char *decimal(checker *k, storage s, double x, int digits, double *result)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, x);
    double nearest = strtod(text, NULL);
    *result = s == STORAGE_FLOAT ? (double)(float)nearest : nearest;
    const char *e = strchr(text, 'e');
    if (!e)
        return arena_printf(k->arena, "%s", text);
    if (fabs(nearest) >= 1 && fabs(nearest) < 1e9)
        return arena_printf(k->arena, "%.0f", nearest);
    /* A real with an exponent has a point. */
    return arena_printf(k->arena, "%.*s%s%s", (int)(e - text), text, strchr(text, '.') ? "" : ".0", e);
}

static void help_with_steps(checker *k, message *m, const type *t, span at)
{
    double step = finest(t->storage, t->real_low, t->real_high);
    bool wider = t->storage == STORAGE_FLOAT &&
                 judge_steps(STORAGE_DOUBLE, t->real_low, t->real_high, t->real_step) == QUANTIZED_SOUND;
    double read;
    const char *text = decimal(k, t->storage, step, 3, &read);
    if (step > 0)
        diag_fix(k->diag, m, (edit){at, text}, "use a resolution of %s or coarser%s", text,
                 wider ? ", a double or a fixed" : "");
    else
        diag_help(k->diag, m, "the bounds are too close together for any resolution%s", wider ? "; use a double" : "");
}

/* Evaluates an argument and rounds it to the storage. */
static bool real_argument(checker *k, const ast_expr *e, const char *what, const type *t, double *result)
{
    if (!evaluate_real(k, e, what, result))
        return false;
    if (!real_rounds(t, result)) {
        diag_error(k->diag, e->span, "%s is outside the range of a %s", what, real_word(t));
        return false;
    }
    return true;
}

bool resolve_quantized(checker *k, const ast_type *ast, type *t)
{
    const ast_expr *low = ast->arguments, *high = low->next, *step = high->next;
    const char *name = ast->name.text;
    t->kind = TYPE_QUANTIZED;
    t->bits = 0;
    bool sound = real_argument(k, low, "the lower bound", t, &t->real_low);
    sound &= real_argument(k, high, "the upper bound", t, &t->real_high);
    sound &= real_argument(k, step, "the resolution", t, &t->real_step);
    if (!sound)
        return false;
    if (!(t->real_low < t->real_high)) {
        message *m =
            diag_error(k->diag, span_join(low->span, high->span),
                       "the lower bound %.9g must be less than the upper bound %.9g", t->real_low, t->real_high);
        if (t->real_low == t->real_high && t->storage == STORAGE_FLOAT)
            diag_help(k->diag, m, "bounds are rounded to float; a double is finer");
        return false;
    }
    if (!(t->real_step > 0)) {
        diag_error(k->diag, step->span, "the resolution must be greater than 0, not %.9g", t->real_step);
        return false;
    }
    if (t->real_high - t->real_low > (t->storage == STORAGE_FLOAT ? (double)FLT_MAX : DBL_MAX)) {
        diag_error(k->diag, span_join(low->span, high->span),
                   "the distance between the bounds is outside the range of a %s", name);
        return false;
    }
    double steps = quantized_steps(t->storage, t->real_low, t->real_high, t->real_step);
    switch (judge_steps(t->storage, t->real_low, t->real_high, t->real_step)) {
    case QUANTIZED_STEPS:
        help_with_steps(k,
                        diag_error(k->diag, step->span,
                                   "resolution %.4g cuts the range into %.4g steps; a %s can have at most %s",
                                   t->real_step, steps, name, t->storage == STORAGE_FLOAT ? "2097152 (2^21)" : "2^50"),
                        t, step->span);
        return false;
    case QUANTIZED_FINE:
        help_with_steps(k,
                        diag_error(k->diag, step->span,
                                   "resolution %.4g is too fine for a %s in this range: "
                                   "values would drift each time they are sent again",
                                   t->real_step, name),
                        t, step->span);
        return false;
    case QUANTIZED_SOUND: break;
    }
    t->steps = (uint64_t)steps;
    return true;
}

/* ---- is 0 one of the steps? */

static bool has_zero(storage s, double low, double high, double step)
{
    return judge_steps(s, low, high, step) == QUANTIZED_SOUND &&
           zero_as_read(s, low, high, quantized_steps(s, low, high, step)) == 0;
}

static int most_digits(storage s)
{
    return s == STORAGE_FLOAT ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
}

/* The shortest resolution up to `most` that gives the range `steps` steps; else NULL. */
static const char *step_up_to(checker *k, const type *t, double steps, double most)
{
    double low = t->real_low, high = t->real_high, exact = (high - low) / steps, step;
    for (int digits = 1; digits <= most_digits(t->storage); digits++) {
        /* The number of steps is rounded up, so the resolution is too. */
        const char *text = decimal(k, t->storage, exact, digits, &step);
        if (step < exact || quantized_steps(t->storage, low, high, step) > steps)
            text = decimal(k, t->storage, exact + last_digit(exact, digits), digits, &step);
        if (step <= most && quantized_steps(t->storage, low, high, step) == steps &&
            judge_steps(t->storage, low, high, step) == QUANTIZED_SOUND)
            return text;
    }
    return NULL;
}

/* The shortest resolution that gives the range `steps` steps, if 0 is one of them; else NULL. */
static const char *step_for(checker *k, const type *t, double steps)
{
    return zero_as_read(t->storage, t->real_low, t->real_high, steps) == 0 ? step_up_to(k, t, steps, INFINITY) : NULL;
}

/* The resolution nearest to the given one for which 0 is a step and a value takes at most `bits` bits; of two equally
 * near ones, the finer. NULL if none is near. */
static const char *nearest_step(checker *k, const type *t, unsigned bits)
{
    double steps = (double)t->steps;
    for (double more = 1; more <= 1024 && more <= 4 + steps / 4; more++) {
        const char *text = bit_length((uint64_t)(steps + more)) <= bits ? step_for(k, t, steps + more) : NULL;
        if (!text && more < steps)
            text = step_for(k, t, steps - more);
        if (text)
            return text;
    }
    return NULL;
}

/* A bound `steps` steps from 0, with no more digits than it needs; NULL if the storage has no such number. */
static const char *bound_at(checker *k, const type *t, double steps, double *bound)
{
    double exact = steps * t->real_step;
    for (int digits = 1; digits <= most_digits(t->storage); digits++) {
        const char *text = decimal(k, t->storage, exact, digits, bound);
        if (fabs(*bound - exact) <= greater_real(t->real_step / 1024, last_place(t->storage, 0, exact)))
            return text;
    }
    return NULL;
}

typedef struct bound_texts {
    const char *low, *high; /* NULL: none */
} bound_texts;

/* The bounds `below` and `above` steps from 0, if they contain the given ones, 0 is a step between them, and a value
 * takes at most `bits` bits; else none. */
static bound_texts bounds_with_zero(checker *k, const type *t, double below, double above, unsigned bits)
{
    double low, high;
    const char *from = bound_at(k, t, -below, &low), *to = bound_at(k, t, above, &high);
    bool fits = from && to && low <= t->real_low && high >= t->real_high &&
                has_zero(t->storage, low, high, t->real_step) &&
                bit_length((uint64_t)quantized_steps(t->storage, low, high, t->real_step)) <= bits;
    return fits ? (bound_texts){from, to} : (bound_texts){NULL, NULL};
}

/* The nearest such bounds; none if none are near, or if the range is a circle. symmetric: only bounds -x and x are
 * tried. */
static bound_texts nearest_bounds(checker *k, const type *t, bool symmetric, unsigned bits)
{
    double below = round_up(-t->real_low / t->real_step), above = round_up(t->real_high / t->real_step);
    bound_texts found = {NULL, NULL};
    if (t->wraps)
        return found;
    if (symmetric) {
        below = greater_real(below, above);
        for (int more = 0; !found.low && more <= 8; more++)
            found = bounds_with_zero(k, t, below + more, below + more, bits);
        return found;
    }
    for (int more = 0; !found.low && more <= 8; more++)
        for (int more_below = 0; !found.low && more_below <= more; more_below++)
            found = bounds_with_zero(k, t, below + more_below, above + more - more_below, bits);
    return found;
}

/* The whole number of steps that the bounds and the resolution have as they are written, before they are rounded to the
 * storage; 0 if it is no whole number, or too great to tell. */
static double steps_as_written(const type *t, const double written[3])
{
    const double low = written[0], high = written[1], step = written[2], ratio = (high - low) / step;
    const double whole = round_up(ratio - 0.5),
                 error = DBL_EPSILON * (2 * ratio + greater_real(fabs(low), fabs(high)) / step);
    return t->steps > 1 && error < 1.0 / 1024 && fabs(ratio - whole) <= error ? whole : 0;
}

/* Warns if rounding the bounds and the resolution to the storage has made one step more than the author counts. Whether
 * it did, and the resolution that is advised keeps 0 exact. */
static bool check_steps(checker *k, const ast_type *ast, const type *t)
{
    enum { NEAR = 700000 };
    const ast_expr *low = ast->arguments, *high = low->next, *step = high->next;
    double written[3];
    if (!evaluate_real(k, low, "", &written[0]) || !evaluate_real(k, high, "", &written[1]) ||
        !evaluate_real(k, step, "", &written[2]))
        return false;
    const double meant = steps_as_written(t, written);
    if (meant < 1 || (double)t->steps == meant)
        return false;
    const char *better = step_up_to(k, t, meant, t->real_step * (1 + 1.0 / NEAR));
    if (!better)
        return false;
    message *m =
        diag_warning(k->diag, ast->span,
                     "this range has %" PRIu64 " steps, not %.0f: in a %s its bounds and resolution are not exact",
                     t->steps, meant, real_word(t));
    diag_fix(k->diag, m, (edit){step->span, better}, "a resolution of %s gives %.0f step%s", better, meant,
             meant == 1 ? "" : "s");
    return zero_as_read(t->storage, t->real_low, t->real_high, meant) == 0;
}

/* ---- with `or raw`: is each multiple of the resolution a step, bit for bit? */

/* How many numbers of the range, counted in steps from its lower bound, are no steps after rounding. */
static uint32_t inexact_steps(double low, double high, double step, uint64_t steps)
{
    const float lo = (float)low, delta = (float)high - lo, most = (float)steps;
    uint32_t count = 0;
    for (uint64_t i = 0; i <= steps; i++) {
        const float meant = (float)(low + (double)i * step);
        const float part = (float)i / most;
        const float distance = part * delta;
        const float read = distance + lo;
        count += (read > (float)high ? (float)high : read) != meant;
    }
    return count;
}

/* Floats that the author means to send in few bits would be sent raw. Silent if the resolution is in parentheses. */
static bool check_exact_steps(checker *k, const ast_type *ast, const type *t)
{
    const ast_expr *low = ast->arguments, *high = low->next, *step = high->next;
    if (t->kind != TYPE_OR_RAW || step->parenthesized)
        return false;
    const uint32_t count = inexact_steps(t->real_low, t->real_high, t->real_step, t->steps);
    if (count == 0)
        return false;
    message *m = diag_warning(k->diag, ast->span,
                              "%" PRIu32 " of the %" PRIu64
                              " multiples of %.6g in this range are no steps after rounding, so they are sent raw",
                              count, t->steps + 1, t->real_step);
    /* As many steps as the bits have. */
    const uint64_t all = (UINT64_C(1) << bit_length(t->steps)) - 1;
    double read;
    const char *text = decimal(k, STORAGE_FLOAT, t->real_low + (double)all * t->real_step, FLT_DECIMAL_DIG, &read);
    if (quantized_steps(STORAGE_FLOAT, t->real_low, read, t->real_step) == (double)all &&
        judge_steps(STORAGE_FLOAT, t->real_low, read, t->real_step) == QUANTIZED_SOUND &&
        inexact_steps(t->real_low, read, t->real_step, all) == 0)
        diag_fix(k->diag, m, (edit){high->span, text}, "all are steps with an upper bound of %s, in as many bits",
                 text);
    else
        diag_help(
            k->diag, m,
            "a resolution that is a power of 2, such as 0.125, has exact steps; put it in parentheses if this is meant");
    return true;
}

void check_quantized(checker *k, const ast_type *ast, const type *t)
{
    if ((t->kind != TYPE_QUANTIZED && t->kind != TYPE_OR_RAW) || check_exact_steps(k, ast, t) ||
        check_steps(k, ast, t) || !(t->real_low < 0 && t->real_high > 0))
        return;
    double zero = zero_as_read(t->storage, t->real_low, t->real_high, (double)t->steps);
    if (zero == 0)
        return;
    bool is_step =
        fabs(zero) <= 2 * last_place(t->storage, t->real_low, t->real_high) && fabs(zero) < t->real_step / 16;
    message *m = diag_warning(k->diag, ast->span,
                              t->kind == TYPE_OR_RAW
                                  ? "0 is not exactly a step of this range, so it is sent raw: that step is %.3g"
                              : is_step ? "0 is a step of this range, but after rounding it is read as %.3g"
                                        : "0 is between two steps of this range, so it is read as %.3g",
                              zero);
    bool symmetric = t->real_low == -t->real_high;
    unsigned bits = bit_length(t->steps);
    const char *step = nearest_step(k, t, bits);
    bound_texts bounds = nearest_bounds(k, t, symmetric, bits);
    /* With symmetric bounds 0 is a step more often, but they may cost one more bit. */
    for (unsigned more = 1; !step && !bounds.low && more <= 2; more++) {
        step = nearest_step(k, t, bits + more);
        bounds = nearest_bounds(k, t, true, bits + more);
    }
    const ast_expr *low = ast->arguments, *high = low->next;
    if (step)
        diag_fix(k->diag, m, (edit){high->next->span, step}, "0 is exact with a resolution of %s", step);
    if (bounds.low) {
        diag_fix(k->diag, m, (edit){low->span, bounds.low}, "0 is exact with the bounds %s and %s", bounds.low,
                 bounds.high);
        diag_fix_also(k->diag, m, (edit){high->span, bounds.high});
    }
    if (!step && !bounds.low && !t->wraps)
        diag_help(k->diag, m, "0 is exact between -x and x with an even number of steps");
}
