/* value_rules.c - the outcome for a recorded value that is converted to another type.
 * SPDX-License-Identifier: MIT
 *
 * Only values in the old type's range matter: if each is also a value of the new type, all are kept.
 */
#include "releases/diff_internal.h"

#include <assert.h>
#include <inttypes.h>

outcome worse(outcome one, outcome other)
{
    return one > other ? one : other;
}

/* ---- numbers */

typedef struct span_of_values {
    double low, high;
    bool endless;    /* float, double, half, also beside a range */
    unsigned digits; /* the significant bits that a value can have */
    bool whole;
} span_of_values;

static double scaled(num raw, unsigned fraction_bits)
{
    double number = num_double(raw);
    for (unsigned i = 0; i < fraction_bits; i++)
        number /= 2;
    return number;
}

static span_of_values values_of(const type *t)
{
    const value_sort sort = type_row_of(t)->sort;
    const real_row *real = sort == SORT_REAL ? real_row_of(t) : NULL;
    if (t->kind == TYPE_FLOAT || t->kind == TYPE_OR_RAW)
        return (span_of_values){-greatest_real(real), greatest_real(real), true, real->digits, false};
    if (real)
        return (span_of_values){t->real_low, t->real_high, false, real->digits, false};
    const uint64_t most = t->low.magnitude > t->high.magnitude ? t->low.magnitude : t->high.magnitude;
    const unsigned fraction = sort == SORT_FIXED ? t->fraction_bits : 0;
    return (span_of_values){scaled(t->low, fraction), scaled(t->high, fraction), false, bit_length(most), !fraction};
}

double greatest_number(const type *t)
{
    return values_of(t).high;
}

/* What is too large for a real that is narrower on the wire becomes infinite there: a float becomes its greatest. */
static outcome convert_far(const span_of_values *from, const span_of_values *to, const type *after, const char **effect)
{
    const double far = -from->low > from->high ? -from->low : from->high;
    double rounded = far;
    if (is_narrow_real(after) && !real_rounds(after, &rounded)) {
        *effect = "where it becomes infinite";
        return OUTCOME_LOST;
    }
    if (is_narrow_real(after) || far <= to->high)
        return OUTCOME_KEPT;
    *effect = "to the range of a float";
    return OUTCOME_CLAMPED;
}

static outcome convert_integer(arena *a, const type *before, const type *after, const char **effect)
{
    const num low = before->kind == TYPE_BOOL ? num_u64(0) : before->low;
    const num high = before->kind == TYPE_BOOL ? num_u64(1) : before->high;
    const bool under = num_compare(low, after->low)<0, over = num_compare(high, after->high)> 0;
    const char *least = num_text(a, after->low), *most = num_text(a, after->high);
    if (!under && !over)
        return OUTCOME_KEPT;
    *effect = under && over ? arena_printf(a, "to %s to %s", least, most)
              : over        ? arena_printf(a, "to %s", most)
                            : arena_printf(a, "to %s", least);
    return OUTCOME_CLAMPED;
}

/* Whether each step of one quantized number is a step of the other. */
static bool has_steps_of(const type *before, const type *after)
{
    return same_real(before->real_low, after->real_low) && same_real(before->real_high, after->real_high) &&
           after->steps % before->steps == 0 && before->storage == after->storage;
}

static outcome convert_number(arena *a, const type *before, const type *after, const char **effect)
{
    const value_sort old = type_row_of(before)->sort, now = type_row_of(after)->sort;
    if ((old == SORT_INTEGER || old == SORT_BOOL || old == SORT_ENUM || old == SORT_FLAGS) && now == SORT_INTEGER)
        return convert_integer(a, before, after, effect);
    const span_of_values from = values_of(before), to = values_of(after);
    if (!to.endless && !(after->wraps && now == SORT_REAL) &&
        (from.endless || from.low < to.low || from.high > to.high)) {
        const storage s = after->kind == TYPE_QUANTIZED ? after->storage : STORAGE_DOUBLE;
        *effect = arena_printf(a, "to %s to %s", real_words(a, to.low, s), real_words(a, to.high, s));
        return OUTCOME_CLAMPED;
    }
    const outcome far = to.endless ? convert_far(&from, &to, after, effect) : OUTCOME_KEPT;
    if (far != OUTCOME_KEPT)
        return far;
    if (before->kind == TYPE_QUANTIZED && after->kind == TYPE_QUANTIZED)
        return has_steps_of(before, after) ? OUTCOME_KEPT : OUTCOME_ROUNDED;
    if (after->kind == TYPE_QUANTIZED)
        return OUTCOME_ROUNDED;
    if (now == SORT_FIXED || now == SORT_INTEGER) {
        const unsigned fraction = now == SORT_FIXED ? after->fraction_bits : 0;
        const bool exact = old == SORT_FIXED ? before->fraction_bits <= fraction : from.whole;
        return exact ? OUTCOME_KEPT : OUTCOME_ROUNDED;
    }
    return from.digits <= to.digits ? OUTCOME_KEPT : OUTCOME_ROUNDED;
}

/* ---- types */

static outcome convert_text(arena *a, const type *before, const type *after, const char **effect)
{
    if (after->length >= before->length)
        return OUTCOME_KEPT;
    *effect = arena_printf(a, "to %" PRIu32 " bytes", after->length);
    return OUTCOME_CLAMPED;
}

static outcome convert_decl(const comparer *c, const type *after)
{
    const pair *p = map_get(c->pair_of, after->decl, NULL);
    return p ? p->outcome : OUTCOME_REFUSED;
}

static outcome convert_ref(const comparer *c, const type *before, const type *after, const char **effect)
{
    if (num_compare(before->high, after->high) <= 0)
        return OUTCOME_KEPT;
    *effect = arena_printf(c->arena, "where the id is over %s", num_text(c->arena, after->high));
    return OUTCOME_LOST;
}

static bool is_number_sort(value_sort sort)
{
    return sort == SORT_INTEGER || sort == SORT_FIXED || sort == SORT_REAL;
}

rule rule_of(const comparer *c, const type *before, const type *after)
{
    const value_sort old = type_row_of(before)->sort, now = type_row_of(after)->sort;
    if (is_number_sort(old) && is_number_sort(now))
        return RULE_NUMBER;
    if ((old == SORT_BOOL || old == SORT_ENUM || old == SORT_FLAGS) && now == SORT_INTEGER)
        return RULE_NUMBER;
    if (old == SORT_INTEGER && now == SORT_BOOL && !before->low.negative && num_compare(before->high, num_u64(1)) <= 0)
        return RULE_BOOL;
    if (old == SORT_STRING && now == SORT_BYTES)
        return RULE_BYTES_OF_TEXT;
    if (old != now || (before->decl && old_decl(c, after->decl) != before->decl))
        return RULE_NONE;
    switch (now) {
    case SORT_BOOL: return RULE_BOOL;
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL: return RULE_NUMBER;
    case SORT_ENUM: return RULE_ENUM;
    case SORT_FLAGS: return RULE_FLAGS;
    case SORT_STRUCT:
    case SORT_UNION: return RULE_TYPE;
    case SORT_QUAT: return RULE_QUAT;
    case SORT_UNIT: return RULE_UNIT;
    case SORT_STRING: return RULE_TEXT;
    case SORT_BYTES: return RULE_BYTES;
    case SORT_REF: return RULE_REF;
    case SORT_FOREIGN: break;
    }
    assert(false && "a C type is never sent");
    return RULE_NONE;
}

outcome convert_type(const comparer *c, const type *before, const type *after, const char **effect)
{
    *effect = "";
    switch (rule_of(c, before, after)) {
    case RULE_NONE: return OUTCOME_REFUSED;
    case RULE_NUMBER: return convert_number(c->arena, before, after, effect);
    case RULE_ENUM:
    case RULE_FLAGS:
    case RULE_TYPE: return convert_decl(c, after);
    case RULE_QUAT:
    case RULE_UNIT: return before->bits == after->bits ? OUTCOME_KEPT : OUTCOME_ROUNDED;
    case RULE_TEXT:
    case RULE_BYTES:
    case RULE_BYTES_OF_TEXT: return convert_text(c->arena, before, after, effect);
    case RULE_REF: return convert_ref(c, before, after, effect);
    case RULE_BOOL: break;
    }
    return OUTCOME_KEPT;
}

/* ---- arrays */

/* The most elements that a field can have, and whether it can have fewer. */
static uint32_t capacity_of(const field *f)
{
    return f->array == ARRAY_SPARSE ? f->limit : f->dims[0];
}

static const char *elements_words(arena *a, uint32_t count)
{
    return arena_printf(a, "to %" PRIu32 " element%s", count, count == 1 ? "" : "s");
}

static outcome convert_dims(arena *a, const field *before, const field *after, const char **effect)
{
    outcome all = OUTCOME_KEPT;
    for (uint32_t i = 0; i < after->dim_count; i++) {
        if (after->dims[i] < before->dims[i]) {
            *effect = elements_words(a, after->dims[i]);
            all = worse(all, OUTCOME_CLAMPED);
        } else if (after->dims[i] > before->dims[i]) {
            all = worse(all, OUTCOME_DEFAULTED);
        }
    }
    if (all == OUTCOME_DEFAULTED)
        *effect = "in the new elements";
    return all;
}

/* Whether the elements of a list keep their order: its keys are the same numbers now. A list can become an array. */
static bool keys_convert(const comparer *c, const field *before, const field *after)
{
    if (!after->by)
        return true;
    if (!before->by || new_field(c, before->by) != after->by)
        return false;
    const type *was = &before->by->type, *is = &after->by->type;
    if (was->kind == TYPE_ENUM || is->kind == TYPE_ENUM)
        return was->kind == is->kind && keeps_numbers(c, was->decl, is->decl);
    return num_compare(is->low, was->low) <= 0 && num_compare(is->high, was->high) >= 0;
}

bool arrays_convert(const conversion *c, const field *before, const field *after)
{
    if (!keys_convert(c->matches, before, after))
        return false;
    if (before->array == ARRAY_NONE || after->array == ARRAY_NONE)
        return before->array == after->array;
    return before->dim_count == after->dim_count;
}

/* Elements keep their subscripts. If the new array always has all elements, their number is lost. */
outcome convert_array(const comparer *c, const field *before, const field *after, const char **effect)
{
    *effect = "";
    if (before->array == ARRAY_NONE && after->array == ARRAY_NONE)
        return OUTCOME_KEPT;
    if (!arrays_convert(&(conversion){c}, before, after))
        return OUTCOME_REFUSED;
    if (before->array == ARRAY_FIXED && after->array == ARRAY_FIXED)
        return convert_dims(c->arena, before, after, effect);
    if (after->array == ARRAY_FIXED || after->array == ARRAY_COMPUTED ||
        (before->array == ARRAY_SPARSE && after->array == ARRAY_COUNTED)) {
        *effect = ": which elements were there";
        return OUTCOME_LOST;
    }
    if (before->dims[0] > after->dims[0] || capacity_of(before) > capacity_of(after)) {
        *effect = elements_words(c->arena, capacity_of(after));
        return OUTCOME_CLAMPED;
    }
    const bool may_lack = before->array == ARRAY_COUNTED || before->array == ARRAY_COMPUTED;
    const uint32_t fewest = may_lack ? before->count_low : before->dims[0];
    if (after->array == ARRAY_COUNTED && fewest < after->count_low) {
        *effect = arena_printf(c->arena, "where fewer than %" PRIu32 " were there", after->count_low);
        return OUTCOME_DEFAULTED;
    }
    return OUTCOME_KEPT;
}

/* ---- defaults */

const char *default_words(arena *a, const field *f)
{
    if (f->optional)
        return "to absent";
    if (f->array == ARRAY_SPARSE || (f->array == ARRAY_COUNTED && f->count_low == 0))
        return "to no elements";
    if (f->after)
        return arena_printf(a, "to the next number after '%s'", f->after->name);
    switch (type_row_of(&f->type)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL:
    case SORT_ENUM:
    case SORT_FLAGS: return arena_printf(a, "to %s", value_words(a, &f->type, given_value(f, true)));
    case SORT_QUAT: return "to no rotation";
    case SORT_UNIT: return "to +z";
    case SORT_STRING:
    case SORT_BYTES: return "to empty";
    case SORT_REF: return "to null";
    case SORT_STRUCT: return "to its own defaults";
    case SORT_UNION: return arena_printf(a, "to its first member, %s", f->type.decl->members->name);
    case SORT_FOREIGN: break;
    }
    assert(false && "a C type is never sent");
    return "";
}
