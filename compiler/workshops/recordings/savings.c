/* savings.c - computes the bits that each kind of change would save in each field, and sorts the results.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/savings.h"
#include "codec/codec_scalar.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <stdlib.h>
#include <string.h>

/* Fewer values do not predict later ones. */
enum { VALUES_LEAST = 16 };

/* As a double, which has a larger range. */
#define MOST_BITS 9e18

typedef struct advisor {
    arena *arena;
    advice **found;
    size_t count, room;
} advisor;

const char *advice_name(advice_kind kind)
{
    switch (kind) {
    case ADVICE_CONSTANT: return "constant";
    case ADVICE_RANGE: return "range";
    case ADVICE_UNLESS: return "unless";
    case ADVICE_COMPACT: return "compact";
    case ADVICE_SUBSET: return "subset";
    case ADVICE_STEPS: return "steps";
    case ADVICE_CODED: return "coded";
    case ADVICE_OR_RAW: return "or raw";
    case ADVICE_COARSER: return "coarser";
    }
    return "";
}

const char *code_text(arena *a, const type *t, uint64_t code)
{
    datum d = {.number = code};
    if (t->kind != TYPE_COMPACT && scalar_from_code(t, code, &d) != PKT_OK)
        return "?";
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: return d.number != 0 ? "true" : "false";
    case SORT_REAL: return arena_printf(a, "%.7g", real_from_bits(t->storage, d.number));
    case SORT_QUAT:
        return arena_printf(a, "(%.3g, %.3g, %.3g, %.3g)", (double)d.parts[0], (double)d.parts[1], (double)d.parts[2],
                            (double)d.parts[3]);
    case SORT_UNIT:
        return arena_printf(a, "(%.3g, %.3g, %.3g)", (double)d.parts[0], (double)d.parts[1], (double)d.parts[2]);
    case SORT_ENUM: {
        const member *m = member_of_value(t->decl, datum_num(t, &d));
        return m ? m->name : num_text(a, datum_num(t, &d));
    }
    case SORT_FIXED: {
        double unit = 1;
        for (unsigned i = 0; i < t->fraction_bits; i++)
            unit /= 2;
        return arena_printf(a, "%.9g", num_double(datum_num(t, &d)) * unit);
    }
    case SORT_INTEGER:
    case SORT_FLAGS:
    case SORT_REF: return num_text(a, datum_num(t, &d));
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    return "?";
}

static void add_advice(advisor *k, advice_kind kind, const field_tally *f, uint64_t before, uint64_t after,
                       const char *change)
{
    if (after >= before)
        return;
    if (k->count == k->room) {
        const size_t room = k->room == 0 ? 64 : 2 * k->room;
        k->found = arena_grow(k->arena, k->found, k->room * sizeof *k->found, room * sizeof *k->found);
        k->room = room;
    }
    advice *one = ARENA_NEW(k->arena, advice);
    *one = (advice){.kind = kind, .of = f, .change = change, .bits = before - after};
    k->found[k->count++] = one;
}

static bool is_ordered(const type *t)
{
    return !t->wraps && (t->kind == TYPE_INT || t->kind == TYPE_FIXED || t->kind == TYPE_QUANTIZED ||
                         (t->kind == TYPE_BITS && !storage_is_signed(t->storage)));
}

/* ---- a field by itself */

static void advise_scalar(advisor *k, const field_tally *f)
{
    const field *of = f->field;
    const type *t = &of->type;
    const histogram_entry *top = histogram_top(&f->codes);
    if (f->codes.total < VALUES_LEAST || t->kind == TYPE_COMPACT)
        return;
    const unsigned width = scalar_width(t);
    const uint64_t now = f->full * width;
    if (f->codes.distinct == 1) {
        add_advice(k, ADVICE_CONSTANT, f, f->bits, 0,
                   arena_printf(k->arena, "is always %s", code_text(k->arena, t, f->least)));
        return;
    }
    if (is_ordered(t) && !is_counter(f)) {
        const unsigned enough = bit_length(f->most - f->least);
        add_advice(k, ADVICE_RANGE, f, now, f->full * enough,
                   arena_printf(k->arena,
                                "a range from %s to %s, with room for what is to come: %u bit%s instead of %u",
                                code_text(k->arena, t, f->least), code_text(k->arena, t, f->most), enough,
                                enough == 1 ? "" : "s", width));
    }
    if (of->after || of->has_delta || of->optional)
        return;
    /* A delta sends only what changed, without looking at the usual value. */
    if (!of->has_unless && !of->owner->delta && f->full == f->codes.total && of->array == ARRAY_NONE)
        add_advice(k, ADVICE_UNLESS, f, now, f->full + (f->full - top->count) * width,
                   arena_printf(k->arena, "unless %s, which %.0f %% of all values are",
                                code_text(k->arena, t, top->value),
                                100.0 * (double)top->count / (double)f->codes.total));
    if (f->compact != 0 && f->full == f->codes.total && !is_counter(f))
        add_advice(k, ADVICE_COMPACT, f, now, f->compact, arena_printf(k->arena, "compact u%u", t->bits));
    if (t->kind == TYPE_QUANTIZED && t->steps > 2)
        add_advice(k, ADVICE_COARSER, f, now, f->full * (width - 1),
                   arena_printf(k->arena, "a resolution of %.7g instead of %.7g, if that is enough", 2 * t->real_step,
                                t->real_step));
}

/* A range of floats whose multiples of a step take few bits, with `or raw`. All of its bounds and steps are powers of 2, so
 * each multiple is a step bit for bit. */
typedef struct step_range {
    double low, high, step;
    unsigned bits;
} step_range;

/* How many of the values are multiples of the step in the range. Those that were not counted one by one are as the others. */
static uint64_t count_of_steps(const histogram *h, const type *t, const step_range *r)
{
    uint64_t all = 0, steps = 0;
    for (uint32_t i = 0; i < h->distinct; i++) {
        const double v = real_from_bits(t->storage, h->entries[i].value);
        const bool in_range = v >= r->low && v <= r->high && (v != 0 || h->entries[i].value == 0);
        all += h->entries[i].count;
        if (in_range && (double)(int64_t)(v / r->step) * r->step == v)
            steps += h->entries[i].count;
    }
    return steps + (h->others == 0 ? 0 : (uint64_t)((double)h->others * (double)steps / (double)all));
}

static void advise_or_raw(advisor *k, const field_tally *f)
{
    enum { FINEST = 16, LARGEST = 65536, RAW_BITS = 33, MOST_WIDTH = 20 };
    const type *t = &f->field->type;
    step_range best = {.bits = 0};
    uint64_t count = 0, least = f->full * 32;
    if (t->kind != TYPE_FLOAT || t->bits != 32 || f->codes.total < VALUES_LEAST || f->full != f->codes.total)
        return;
    for (unsigned parts = 1; parts <= FINEST; parts *= 2)
        for (unsigned size = 1; size <= LARGEST; size *= 2)
            for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
                const double step = 1.0 / parts;
                const step_range r = {is_signed ? -(double)size : 0, size - step, step,
                                      bit_length((uint64_t)size * parts) - 1 + is_signed};
                const uint64_t steps = r.bits == 0 || r.bits > MOST_WIDTH ? 0 : count_of_steps(&f->codes, t, &r);
                const uint64_t bits = steps * (1 + r.bits) + (f->full - steps) * RAW_BITS;
                if (steps != 0 && bits < least) {
                    best = r;
                    count = steps;
                    least = bits;
                }
            }
    if (best.bits != 0)
        add_advice(k, ADVICE_OR_RAW, f, f->full * 32, least,
                   arena_printf(k->arena, "float<%.7g, %.7g, %.7g> with `or raw`: %.0f %% of all values are steps",
                                best.low, best.high, best.step, 100.0 * (double)count / (double)f->full));
}

static void advise_steps(advisor *k, const field_tally *f)
{
    const field *of = f->field;
    unsigned s = 1, l = 1;
    steps_best(f->steps, &s, &l);
    const uint64_t best = steps_cost(f->steps, s, l);
    if (of->has_delta)
        add_advice(
            k, ADVICE_STEPS, f, steps_cost(f->steps, of->delta_small, of->delta_large), best,
            arena_printf(k->arena, "delta<%u, %u> instead of delta<%u, %u>", s, l, of->delta_small, of->delta_large));
    else
        add_advice(k, ADVICE_STEPS, f, steps_full(f->steps), best, arena_printf(k->arena, "delta<%u, %u>", s, l));
}

/* The bits of a value with a symbol for each frequent one, whatever the value before was, and all others in full. */
static double bits_by_values(const advisor *k, const field_tally *f)
{
    const histogram *h = &f->changed;
    uint64_t frequent = 0;
    double bits = 0;
    histogram_entry *sorted = ARENA_ARRAY(k->arena, histogram_entry, h->distinct);
    if (h->total == 0 || h->others != 0 || (f->field->owner->moves && f->steps))
        return MOST_BITS;
    memcpy(sorted, h->entries, h->distinct * sizeof *sorted);
    qsort(sorted, h->distinct, sizeof *sorted, histogram_by_count);
    for (uint32_t i = 0; i < h->distinct && i < CODE_VALUES_MOST; i++) {
        const double share = (double)sorted[i].count / (double)h->total;
        bits -= share * binary_logarithm(share);
        frequent += sorted[i].count;
    }
    const double other = (double)(h->total - frequent) / (double)h->total;
    if (other != 0)
        bits += other * (coded_bits(&f->field->type) - binary_logarithm(other));
    return bits < 1 ? 1 : bits; /* a symbol has a bit */
}

/* The savings with a model that knows the frequencies of symbols in this recording. Values that were sent whole do not
 * change. */
static void advise_coded(advisor *k, const field_tally *f)
{
    const uint64_t values = f->codes.total - f->whole, items = f->items - f->whole, bits = f->bits - f->whole_bits;
    const double by_differences =
                     f->steps ? histogram_entropy(&f->symbols) * (double)f->symbols.total + (double)f->symbol_bits
                              : MOST_BITS,
                 by_values = bits_by_values(k, f) * (double)values,
                 ideal = by_differences < by_values ? by_differences : by_values;
    const uint64_t after = ideal < MOST_BITS ? (uint64_t)ideal + 1 : UINT64_MAX;
    unsigned s = 1, l = 1;
    if (values < VALUES_LEAST)
        return;
    const double each = ideal / (double)values, now = (double)bits / (double)items;
    if (f->steps)
        steps_best(f->steps, &s, &l);
    if (f->field->coded)
        add_advice(k, ADVICE_CODED, f, bits, after,
                   arena_printf(k->arena, "a fresh model: about %.1f bits each instead of %.1f", each, now));
    else if ((!f->steps || after < steps_cost(f->steps, s, l)) && f->field->dim_count < 2)
        add_advice(k, ADVICE_CODED, f, bits, after,
                   arena_printf(k->arena, "coded, with a model: about %.1f bits each instead of %.1f", each, now));
}

static void advise_subset(advisor *k, const field_tally *f)
{
    const field *of = f->field;
    sparse_mode best = of->mode;
    for (unsigned mode = 0; mode < SPARSE_MODES; mode++)
        if (f->index_bits[mode] < f->index_bits[best])
            best = (sparse_mode)mode;
    add_advice(k, ADVICE_SUBSET, f, f->index_bits[of->mode], f->index_bits[best],
               arena_printf(k->arena, "sparse<%s> instead of %s", sparse_mode_name(best), sparse_mode_name(of->mode)));
}

/* ---- all of them */

/* No two compare as equal, because the sort may swap equals. */
static int by_saved_bits(const void *left, const void *right)
{
    const advice *a = *(const advice *const *)left, *b = *(const advice *const *)right;
    const int order = (a->bits < b->bits) - (a->bits > b->bits);
    const int named = order != 0 ? order : strcmp(a->of->path, b->of->path);
    return named != 0 ? named : (int)a->kind - (int)b->kind;
}

const advice *advise(arena *a, const tally *t)
{
    advisor k = {.arena = a};
    for (const field_tally *f = t->fields; f; f = f->next) {
        if (!f->field || f->differs)
            continue;
        if (f->codes.total != 0 && !f->numbers) /* a number wraps as its type in C does, so that cannot change */
            advise_scalar(&k, f);
        if (f->codes.total != 0)
            advise_or_raw(&k, f);
        if (f->steps && !f->field->coded)
            advise_steps(&k, f);
        if (f->steps || f->changed.total != 0)
            advise_coded(&k, f);
        if (f->subsets != 0)
            advise_subset(&k, f);
    }
    if (k.count == 0)
        return NULL;
    qsort(k.found, k.count, sizeof *k.found, by_saved_bits);
    for (size_t i = 0; i + 1 < k.count; i++)
        k.found[i]->next = k.found[i + 1];
    return k.found[0];
}
