/* words.c - fields, types and values in words, with all constants evaluated.
 * SPDX-License-Identifier: MIT
 *
 * The text of the schema is not enough: `int<0, MOST>` is the same in both versions even if MOST has changed.
 */
#include "releases/diff_internal.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *real_words(arena *a, double real, storage s)
{
    enum { FEWEST_OF_POWERS = 9 };
    for (int digits = 1; digits < DBL_DECIMAL_DIG; digits++) {
        const char *text = arena_printf(a, "%.*g", digits, real);
        double back = strtod(text, NULL);
        bool same = s == STORAGE_FLOAT ? same_real((float)back, (float)real) : same_real(back, real);
        bool long_enough = !strchr(text, 'e') || digits > FEWEST_OF_POWERS;
        if (same && long_enough)
            return text;
    }
    return arena_printf(a, "%.*g", DBL_DECIMAL_DIG, real);
}

static const char *fixed_words(arena *a, num raw, unsigned fraction_bits)
{
    double number = num_double(raw);
    for (unsigned i = 0; i < fraction_bits; i++)
        number /= 2;
    return real_words(a, number, STORAGE_DOUBLE);
}

/* The word for integers of full width: u8, i16; NULL for bits<5>. */
static const char *integer_word(const type *t)
{
    if (t->low.negative || t->bits == storage_bits(t->storage))
        return storage_word(t->storage);
    return NULL;
}

/* The upper bound as in the schema: that of a fixed that wraps has the same meaning as the lower one. */
static num upper_bound(const type *t)
{
    num high = t->high;
    if (t->wraps)
        (void)num_add(t->high, num_u64(1), &high);
    return high;
}

const char *type_words(arena *a, const type *t)
{
    switch (t->kind) {
    case TYPE_BOOL: return "bool";
    case TYPE_BITS: return integer_word(t) ? integer_word(t) : arena_printf(a, "bits<%u>", t->bits);
    case TYPE_INT: return arena_printf(a, "int<%s, %s>", num_text(a, t->low), num_text(a, t->high));
    case TYPE_FIXED:
        return arena_printf(a, "fixed<%u, %u, %s, %s>", t->whole_bits, t->fraction_bits,
                            fixed_words(a, t->low, t->fraction_bits), fixed_words(a, upper_bound(t), t->fraction_bits));
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_STRUCT:
    case TYPE_UNION: return t->decl->name;
    case TYPE_FLOAT: return real_word(t);
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW:
        return arena_printf(a, "%s<%s, %s, %s>%s", real_word(t), real_words(a, t->real_low, t->storage),
                            real_words(a, t->real_high, t->storage), real_words(a, t->real_step, t->storage),
                            t->kind == TYPE_OR_RAW ? " or raw" : "");
    case TYPE_COMPACT: return arena_printf(a, "compact u%u", t->bits);
    case TYPE_QUAT: return arena_printf(a, "quat<%u>", t->bits);
    case TYPE_UNIT: return arena_printf(a, "unit<%u>", t->bits);
    case TYPE_STRING: return arena_printf(a, "string<%" PRIu32 ">", t->length);
    case TYPE_BYTES: return arena_printf(a, "bytes<%" PRIu32 ">", t->length);
    case TYPE_REF: return arena_printf(a, "ref<%s, %s>", t->decl->name, num_text(a, t->high));
    case TYPE_FOREIGN: return arena_printf(a, "\"%s\"", t->c_type);
    }
    assert(false && "every kind of type is above");
    return "";
}

static const char *flags_words(arena *a, const decl *d, num set)
{
    const char *text = NULL;
    for (const member *m = d->members; m; m = m->next)
        if (set.magnitude & m->value.magnitude)
            text = text ? arena_printf(a, "%s + %s", text, m->name) : m->name;
    return text ? text : "0";
}

const char *value_words(arena *a, const type *t, value v)
{
    const member *m = t->kind == TYPE_ENUM ? member_of_value(t->decl, v.number) : NULL;
    if (t->kind == TYPE_BOOL)
        return v.number.magnitude ? "true" : "false";
    if (t->kind == TYPE_FLAGS)
        return flags_words(a, t->decl, v.number);
    if (t->kind == TYPE_FIXED)
        return fixed_words(a, v.number, t->fraction_bits);
    return is_real(t) ? real_words(a, v.real, t->storage) : m ? m->name : num_text(a, v.number);
}

const char *speed_words(arena *a, const own_speed *s)
{
    const char *of = s->of->name;
    if (!s->condition)
        return arena_printf(a, "@speed(%s)", of);
    return arena_printf(a, s->condition->kind == EXPR_OPERATOR ? "@speed(%s * (%s))" : "@speed(%s * %s)", of,
                        expr_words(a, s->condition));
}

const char *field_words(arena *a, const field *f)
{
    type t = f->type;
    if (t.kind == TYPE_OR_RAW) /* the words come behind the name */
        t.kind = TYPE_QUANTIZED;
    const char *text = arena_printf(a, "%s%s", type_words(a, &t), dims_words(a, f));
    if (f->by)
        text = arena_printf(a, "%s by %s", text, f->by->name);
    if (f->array == ARRAY_SPARSE)
        text = arena_printf(a, "sparse<%s%s> %s", sparse_mode_name(f->mode), f->keep ? ", keep" : "", text);
    if (f->optional)
        text = arena_printf(a, "optional %s", text);
    if (f->after)
        text = arena_printf(a, "%s after %s", text, f->after->name);
    if (f->type.wraps)
        text = arena_printf(a, "%s wrap", text);
    if (f->type.kind == TYPE_OR_RAW)
        text = arena_printf(a, "%s or raw", text);
    if (f->type.clamps)
        text = arena_printf(a, "%s clamp", text);
    if (f->has_unless)
        text = arena_printf(a, "%s unless %s", text, value_words(a, &f->type, f->unless));
    if (f->chain)
        text = arena_printf(a, "%s delta(previous)", text);
    if (f->coded)
        text = arena_printf(a, f->still ? "%s coded still" : "%s coded", text);
    if (f->speed)
        text = arena_printf(a, "%s %s", text, speed_words(a, f->speed));
    if (f->has_delta)
        text = arena_printf(a, "%s delta<%u, %u>", text, f->delta_small, f->delta_large);
    return text;
}

const char *item_words(arena *a, const item *i)
{
    if (i->kind == ITEM_CONST)
        return arena_printf(a, "const<%u> = %" PRIu64, i->as.constant.bits, i->as.constant.value);
    if (i->kind == ITEM_RESERVED)
        return arena_printf(a, "reserved<%u>", i->as.constant.bits);
    if (i->kind == ITEM_CHECK && i->as.constant.given)
        return arena_printf(a, "check 0x%08" PRIx64, i->as.constant.value);
    return i->kind == ITEM_CHECK ? "check" : "align";
}

const char *range_words(arena *a, const char *noun, uint64_t least, uint64_t most)
{
    if (least != most)
        return arena_printf(a, "%" PRIu64 " to %" PRIu64 " %ss", least, most, noun);
    return arena_printf(a, "%" PRIu64 " %s%s", most, noun, most == 1 ? "" : "s");
}
