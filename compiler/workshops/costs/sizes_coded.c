/* sizes_coded.c - the bits of coded fields by the model: the least, the most, and the average if symbols are as
 * frequent as the model expects.
 * SPDX-License-Identifier: MIT
 */
#include "costs/sizes_internal.h"
#include "model/coding.h"

#include <limits.h>
#include <string.h>

/* The bits of an item that a table codes. */
typedef struct code_bits {
    unsigned least, most;
    double average;
} code_bits;

enum { RAW_BITS = 32 };

static double share_of(const code_table *t, unsigned symbol)
{
    return 1.0 / (double)(1u << t->lengths[symbol]);
}

/* A difference: its code, the sign and the rest. If the field has a bit in the mask, the difference 0 is never sent. raw: the
 * last symbol is that of a raw float. */
static code_bits difference_code_bits(const code_table *t, unsigned first, unsigned count, bool raw)
{
    code_bits b = {UINT_MAX, 0, 0};
    double shares = 0;
    for (unsigned symbol = first; symbol < count; symbol++) {
        const unsigned bits = t->lengths[symbol] + (raw && symbol == t->count - 1 ? RAW_BITS : symbol);
        b.least = bits < b.least ? bits : b.least;
        b.most = bits > b.most ? bits : b.most;
        b.average += share_of(t, symbol) * bits;
        shares += share_of(t, symbol);
    }
    b.average /= shares;
    return b;
}

/* Three differences, or the last symbol and all of the rotation. */
static code_bits rotation_bits(const code_table *t, unsigned whole)
{
    const unsigned last = t->count - 1, far = t->lengths[last] + whole;
    const code_bits near = difference_code_bits(t, 0, last, false);
    code_bits b = {3 * near.least, 3 * near.most, 0};
    b.least = far < b.least ? far : b.least;
    b.most = far > b.most ? far : b.most;
    b.average = share_of(t, last) * far + (1 - share_of(t, last)) * 3 * near.average;
    return b;
}

/* A run: its code and the rest. The last symbol has no rest. */
static code_bits run_bits(const code_table *t)
{
    code_bits b = {UINT_MAX, 0, 0};
    for (unsigned symbol = 0; symbol < t->count; symbol++) {
        const bool rest = symbol > 1 && symbol + 1 < t->count;
        const unsigned bits = t->lengths[symbol] + (rest ? symbol - 1 : 0);
        b.least = bits < b.least ? bits : b.least;
        b.most = bits > b.most ? bits : b.most;
        b.average += share_of(t, symbol) * bits;
    }
    return b;
}

/* A frequent value: its code; another one: the last code, and `whole` bits. */
static code_bits frequent_value_bits(const code_table *t, unsigned whole)
{
    code_bits b = {UINT_MAX, 0, 0};
    for (unsigned symbol = 0; symbol < t->count; symbol++) {
        const unsigned bits = t->lengths[symbol] + (symbol == t->count - 1 ? whole : 0);
        if (!symbol_comes(t, symbol))
            continue;
        b.least = bits < b.least ? bits : b.least;
        b.most = bits > b.most ? bits : b.most;
        b.average += share_of(t, symbol) * bits;
    }
    return b;
}

static code_bits value_bits(const op *o, const code_table *t)
{
    if (t->values)
        return frequent_value_bits(t, (unsigned)o->most);
    return o->kind == OP_QUAT ? rotation_bits(t, (unsigned)o->most)
                              : difference_code_bits(t, o->field->optional ? 0 : 1, t->count, o->kind == OP_OR_RAW);
}

static const char *average_range(arena *a, double least, double most)
{
    const char *low = arena_printf(a, "%.1f", least), *high = arena_printf(a, "%.1f", most);
    return strcmp(low, high) == 0 ? high : arena_printf(a, "%s to %s", low, high);
}

const char *size_coded(arena *a, const op *o)
{
    const field *f = o->field;
    code_bits all = value_bits(o, f->codes[0]), motion = {0};
    const char *average = f->codes[0]->trained ? arena_printf(a, ", on average %.1f", all.average) : "";
    bool trained = f->codes[0]->trained;
    double least = 0, most = 0;
    for (unsigned i = 1; i < CODE_CONTEXTS && f->codes[i]; i++) {
        motion = value_bits(o, f->codes[i]);
        trained = trained || f->codes[i]->trained;
        all.least = motion.least < all.least ? motion.least : all.least;
        all.most = motion.most > all.most ? motion.most : all.most;
        least = i == 1 || motion.average < least ? motion.average : least;
        most = i == 1 || motion.average > most ? motion.average : most;
    }
    if (f->values && *average)
        average = arena_printf(
            a, ", on average %s",
            average_range(a, all.average < least ? all.average : least, all.average > most ? all.average : most));
    else if (f->codes[1] && *average)
        average = arena_printf(a, "%s at rest and %s in motion", average, average_range(a, least, most));
    return arena_printf(a, "%s as a %s%s", size_range(a, all.least, all.most),
                        trained ? "delta by the model" : "coded delta", average);
}

const char *size_runs(arena *a, const field *f)
{
    const code_bits b = run_bits(f->runs);
    const char *average = f->runs->trained ? arena_printf(a, ", on average %.1f", b.average) : "";
    return arena_printf(a, "%s for each run of a delta%s", size_range(a, b.least, b.most), average);
}
