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

/* In a noun, $written is the type as it was written, $word is real_word, $decl is the noun and name of the
 * declaration. */
/* clang-format off */
static const type_row type_rows[] = {
    /*                  sort          scalar steps  family         noun */
    [TYPE_BOOL]      = {SORT_BOOL,    true,  false, FAMILY_BOOL,   "a bool"},
    [TYPE_BITS]      = {SORT_INTEGER, true,  true,  FAMILY_NUMBER, "'$written'"},
    [TYPE_INT]       = {SORT_INTEGER, true,  true,  FAMILY_NUMBER, "'$written'"},
    [TYPE_FIXED]     = {SORT_FIXED,   true,  true,  FAMILY_REAL,   "a fixed"},
    [TYPE_ENUM]      = {SORT_ENUM,    true,  false, FAMILY_ENUM,   "$decl"},
    [TYPE_FLAGS]     = {SORT_FLAGS,   true,  false, FAMILY_BOOL,   "$decl"},
    [TYPE_FLOAT]     = {SORT_REAL,    true,  false, FAMILY_REAL,   "a $word"},
    [TYPE_QUANTIZED] = {SORT_REAL,    true,  true,  FAMILY_REAL,   "a quantized $word"},
    [TYPE_COMPACT]   = {SORT_INTEGER, true,  true,  FAMILY_NUMBER, "'$written'"},
    [TYPE_QUAT]      = {SORT_QUAT,    false, true,  FAMILY_REAL,   "a quat"},
    [TYPE_UNIT]      = {SORT_UNIT,    false, false, FAMILY_REAL,   "a unit vector"},
    [TYPE_STRING]    = {SORT_STRING,  false, false, FAMILY_TEXT,   "a string"},
    [TYPE_BYTES]     = {SORT_BYTES,   false, false, FAMILY_TEXT,   "bytes"},
    [TYPE_STRUCT]    = {SORT_STRUCT,  false, false, FAMILY_TYPE,   "$decl"},
    [TYPE_UNION]     = {SORT_UNION,   false, false, FAMILY_TYPE,   "$decl"},
    [TYPE_REF]       = {SORT_REF,     false, false, FAMILY_NUMBER, "a ref"},
    [TYPE_FOREIGN]   = {SORT_FOREIGN, false, false, FAMILY_TYPE,   "a C type"},
};
/* clang-format on */

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

/* ---- words */

/* clang-format off */
static const type_word words[] = {
    /*name      kind         storage         bits form                  arguments bare   reserved */
    {"bool",   TYPE_BOOL,   STORAGE_BOOL,   1,  "bool",                0, true,  true},
    {"bits",   TYPE_BITS,   STORAGE_NONE,   0,  "bits<N>",             1, false, true},
    {"int",    TYPE_INT,    STORAGE_NONE,   0,  "int<lo, hi>",         2, false, true},
    {"half",   TYPE_FLOAT,  STORAGE_FLOAT,  16, "half",                0, true,  false},
    {"float",  TYPE_FLOAT,  STORAGE_FLOAT,  32, "float<lo, hi, res>",  3, true,  true},
    {"double", TYPE_FLOAT,  STORAGE_DOUBLE, 64, "double<lo, hi, res>", 3, true,  true},
    {"fixed",  TYPE_FIXED,  STORAGE_NONE,   0,  "fixed<I, F, lo, hi>", 4, false, true},
    {"quat",   TYPE_QUAT,   STORAGE_FLOAT,  0,  "quat<B>",             1, false, true},
    {"unit",   TYPE_UNIT,   STORAGE_FLOAT,  0,  "unit<B>",             1, false, false},
    {"string", TYPE_STRING, STORAGE_NONE,   0,  "string<N>",           1, false, true},
    {"bytes",  TYPE_BYTES,  STORAGE_NONE,   0,  "bytes<N>",            1, false, true},
    {"ref",    TYPE_REF,    STORAGE_NONE,   0,  "ref<Type, MAX>",      2, false, true},
    {"u8",     TYPE_BITS,   STORAGE_U8,     8,  "u8<lo, hi>",          2, true,  true},
    {"u16",    TYPE_BITS,   STORAGE_U16,    16, "u16<lo, hi>",         2, true,  true},
    {"u32",    TYPE_BITS,   STORAGE_U32,    32, "u32<lo, hi>",         2, true,  true},
    {"u64",    TYPE_BITS,   STORAGE_U64,    64, "u64<lo, hi>",         2, true,  true},
    {"i8",     TYPE_BITS,   STORAGE_I8,     8,  "i8<lo, hi>",          2, true,  true},
    {"i16",    TYPE_BITS,   STORAGE_I16,    16, "i16<lo, hi>",         2, true,  true},
    {"i32",    TYPE_BITS,   STORAGE_I32,    32, "i32<lo, hi>",         2, true,  true},
    {"i64",    TYPE_BITS,   STORAGE_I64,    64, "i64<lo, hi>",         2, true,  true},
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
    assert(is_real(t));
    for (size_t i = 0; i < WORDS; i++) {
        const type_word *w = &words[i];
        bool fits = t->kind == TYPE_QUANTIZED ? w->arguments != 0 : w->bits == t->bits;
        if (w->kind == TYPE_FLOAT && w->storage == t->storage && fits)
            return w->name;
    }
    assert(false && "every real was written with a word");
    return "";
}

/* The nearest multiple of `unit`, a power of 2; halfway, the even multiple. */
static double rounded_to_unit(double real, double unit)
{
    static const double no_fraction = 0x1.8p52; /* doubles from here on are whole numbers */
    volatile double shifted = real / unit + no_fraction;
    return copysign((shifted - no_fraction) * unit, real);
}

/* A half has 11 significant bits, and none below 2^-24. */
static bool half_rounds(double *real)
{
    int exponent;
    frexp(*real, &exponent);
    *real = rounded_to_unit(*real, ldexp(1.0, exponent - 11 > -24 ? exponent - 11 : -24));
    return fabs(*real) <= 65504;
}

bool real_rounds(const type *t, double *real)
{
    assert(is_real(t));
    if (is_half(t))
        return half_rounds(real);
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
