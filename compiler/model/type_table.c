/* type_table.c - the tables: a row for each kind of type, a row for each word.
 * SPDX-License-Identifier: MIT
 */
#include "model/type_table.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- kinds */

static const type_row type_rows[] = {
#define ROW(kind, sort, scalar, steps, stable, family, noun) \
    [TYPE_##kind] = {SORT_##sort, scalar, steps, stable, FAMILY_##family, noun},
    TYPE_KINDS(ROW)
#undef ROW
};

static const real_row real_rows[] = {
#define ROW(name, word, storage, bits, digits, exponent, form, arguments, reserved) \
    [REAL_##name] = {#word, STORAGE_##storage, bits, digits, exponent},
    REAL_KINDS(ROW)
#undef ROW
};

const type_row *type_row_of(const type *t)
{
    assert((size_t)t->kind < sizeof type_rows / sizeof *type_rows);
    return &type_rows[t->kind];
}

bool is_scalar(const type *t)
{
    return type_row_of(t)->scalar;
}

bool is_real(const type *t)
{
    return type_row_of(t)->sort == SORT_REAL;
}

const real_row *real_row_of(const type *t)
{
    assert(is_real(t));
    return &real_rows[t->real];
}

double greatest_real(const real_row *r)
{
    return ldexp(2 - ldexp(1, 1 - (int)r->digits), r->exponent);
}

bool is_narrow_real(const type *t)
{
    return t->kind == TYPE_FLOAT && t->bits < storage_bits(t->storage);
}

/* ---- words */

#define REAL_WORD(name, word, storage, bits, digits, exponent, form, arguments, reserved) \
    {#word, TYPE_FLOAT, STORAGE_##storage, bits, REAL_##name, form, arguments, true, reserved},

/* clang-format off */
static const type_word words[] = {
    /*name      kind         storage         bits real form             arguments bare   reserved */
    {"bool",   TYPE_BOOL,   STORAGE_BOOL,   1,  0,   "bool",                0, true,  true},
    {"bits",   TYPE_BITS,   STORAGE_NONE,   0,  0,   "bits<N>",             1, false, true},
    {"int",    TYPE_INT,    STORAGE_NONE,   0,  0,   "int<lo, hi>",         2, false, true},
    REAL_KINDS(REAL_WORD)
    {"fixed",  TYPE_FIXED,  STORAGE_NONE,   0,  0,   "fixed<I, F, lo, hi>", 4, false, true},
    {"quat",   TYPE_QUAT,   STORAGE_FLOAT,  0,  0,   "quat<B>",             1, false, true},
    {"unit",   TYPE_UNIT,   STORAGE_FLOAT,  0,  0,   "unit<B>",             1, false, false},
    {"string", TYPE_STRING, STORAGE_NONE,   0,  0,   "string<N>",           1, false, true},
    {"bytes",  TYPE_BYTES,  STORAGE_NONE,   0,  0,   "bytes<N>",            1, false, true},
    {"ref",    TYPE_REF,    STORAGE_NONE,   0,  0,   "ref<Type, MAX>",      2, false, true},
    {"u8",     TYPE_BITS,   STORAGE_U8,     8,  0,   "u8<lo, hi>",          2, true,  true},
    {"u16",    TYPE_BITS,   STORAGE_U16,    16, 0,   "u16<lo, hi>",         2, true,  true},
    {"u32",    TYPE_BITS,   STORAGE_U32,    32, 0,   "u32<lo, hi>",         2, true,  true},
    {"u64",    TYPE_BITS,   STORAGE_U64,    64, 0,   "u64<lo, hi>",         2, true,  true},
    {"i8",     TYPE_BITS,   STORAGE_I8,     8,  0,   "i8<lo, hi>",          2, true,  true},
    {"i16",    TYPE_BITS,   STORAGE_I16,    16, 0,   "i16<lo, hi>",         2, true,  true},
    {"i32",    TYPE_BITS,   STORAGE_I32,    32, 0,   "i32<lo, hi>",         2, true,  true},
    {"i64",    TYPE_BITS,   STORAGE_I64,    64, 0,   "i64<lo, hi>",         2, true,  true},
};
/* clang-format on */

enum { WORDS = sizeof words / sizeof *words };

const type_word *type_word_at(size_t i)
{
    return i < WORDS ? &words[i] : NULL;
}

const type_word *type_word_named(const char *name)
{
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(words[i].name, name) == 0)
            return &words[i];
    return NULL;
}

const char *reserved_type_word(size_t i)
{
    for (size_t at = 0; at < WORDS; at++)
        if (words[at].reserved && i-- == 0)
            return words[at].name;
    return NULL;
}

const char *real_word(const type *t)
{
    return real_row_of(t)->word;
}

/* The nearest multiple of `unit`, a power of 2; halfway, the even multiple. */
static double rounded_to_unit(double real, double unit)
{
    static const double no_fraction = 0x1.8p52; /* doubles from here on are whole numbers */
    volatile double shifted = real / unit + no_fraction;
    return copysign((shifted - no_fraction) * unit, real);
}

/* Rounds to the digits of r, of which none is below that of the least normal number. */
static bool narrow_rounds(const real_row *r, double *real)
{
    const int digits = (int)r->digits, lowest = 2 - r->exponent - digits;
    int exponent;
    frexp(*real, &exponent);
    *real = rounded_to_unit(*real, ldexp(1.0, exponent - digits > lowest ? exponent - digits : lowest));
    return fabs(*real) <= greatest_real(r);
}

bool real_rounds(const type *t, double *real)
{
    if (is_narrow_real(t))
        return narrow_rounds(real_row_of(t), real);
    if (t->storage != STORAGE_FLOAT)
        return true;
    if (fabs(*real) > FLT_MAX)
        return false;
    *real = (double)(float)*real;
    return true;
}

/* ---- messages */

const char *type_noun(arena *a, const type *t)
{
    const char *noun = type_row_of(t)->noun, *dollar = strchr(noun, '$');
    if (!dollar)
        return noun;
    const char *text = strncmp(dollar, "$word", 5) == 0 ? real_word(t)
                       : strncmp(dollar, "$decl", 5) == 0
                           ? arena_printf(a, "%s '%s'", decl_noun(t->decl), t->decl->name)
                           : span_text(a, t->span);
    const char *rest = dollar + 1 + strspn(dollar + 1, "abcdefghijklmnopqrstuvwxyz");
    return arena_printf(a, "%.*s%s%s", (int)(dollar - noun), noun, text, rest);
}

const char *dims_words(arena *a, const field *f)
{
    const char *text = "";
    switch (f->array) {
    case ARRAY_NONE: return "";
    case ARRAY_FIXED:
        for (uint32_t i = 0; i < f->dim_count; i++)
            text = arena_printf(a, "%s[%" PRIu32 "]", text, f->dims[i]);
        return text;
    case ARRAY_COUNTED:
        if (f->count_low == 0)
            return arena_printf(a, "[<=%" PRIu32 "]", f->dims[0]);
        return arena_printf(a, "[%" PRIu32 "..%" PRIu32 "]", f->count_low, f->dims[0]);
    case ARRAY_COMPUTED: return arena_printf(a, "[%s]", expr_words(a, f->count));
    case ARRAY_SPARSE:
        if (f->limit == f->dims[0])
            return arena_printf(a, "[%" PRIu32 "]", f->dims[0]);
        return arena_printf(a, "[<=%" PRIu32 " of %" PRIu32 "]", f->limit, f->dims[0]);
    }
    assert(false && "every kind of array is above");
    return "";
}
