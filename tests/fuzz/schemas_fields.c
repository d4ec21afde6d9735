/* schemas_fields.c - random fields of every kind and shape.
 * SPDX-License-Identifier: MIT
 */
#include "schemas_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void put(maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *more = arena_vprintf(m->arena, format, arguments);
    va_end(arguments);
    size_t length = strlen(more);
    if (m->size + length + 1 > m->room) {
        m->text = arena_grow(m->arena, m->text, m->room, 2 * m->room + length);
        m->room = 2 * m->room + length;
    }
    memcpy(m->text + m->size, more, length + 1);
    m->size += length;
}

uint32_t below(maker *m, uint32_t n)
{
    return lot_below(&m->lot, n);
}

bool one_in(maker *m, uint32_t n)
{
    return lot_one_in(&m->lot, n);
}

/* ---- types of fields */

/* The parts of a field. */
typedef struct draft {
    kind kind;
    const char *type, *prefix, *behind; /* "optional ", " unless 3" */
    char dims[48];
    uint32_t bytes;                 /* size of an element in memory */
    uint32_t count_low, count_high; /* of counted arrays */
    bool integer;                   /* low and high can be used in conditions, unless, initial values and deltas */
    int64_t low, high;
    unsigned bits; /* for delta<s, l>: at most as many as the code has */
    bool wraps, clamps;
    int members;
    const char *some; /* one of its values, or NULL */
    bool chains;      /* of an array: it may have delta(previous) */
} draft;

const enum_members made_enums[] = {
    {"Plain", "none", "blue"},
    {"Holes", "two", "hundred"},
    {"Sole", "only", "only"},
    {"Ahead", "zero", "most"},
};
static const char *const flags_names[] = {"Bit", "Three", "Nine", "All"};

static void draw_integer(maker *m, draft *d)
{
    static const struct {
        int64_t low, high;
        unsigned bits;
    } ranges[] = {
        {0, 0, 0},
        {7, 7, 0},
        {0, 1, 1},
        {-1, 0, 1},
        {0, 5, 3},
        {-100, 1000, 11},
        {1000, 1255, 8},
        {-3, 4, 3},
        {0, 65535, 16},
        {0, 2147483647, 31},
        {-2147483647, 2147483647, 32},
        {5, 70000, 17},
        {-40000, -39000, 10},
    };
    /* At most 32 of the bits count: no step is longer. */
    static const struct {
        const char *type, *some;
        unsigned bits;
    } wide[] = {
        {"int<0, 4294967296>", "9", 32},
        {"int<-9223372036854775807 - 1, 9223372036854775807>", "9", 32},
        {"int<0, 18446744073709551615>", "9", 32},
        {"u64<5, 18446744073709551615>", "9", 32},
        {"i64<-9223372036854775807 - 1, -1>", "-7", 32},
        {"int<18446744073709551613, 18446744073709551615>", "18446744073709551614", 2},
        {"int<-5, 1099511627776>", "9", 32},
        {"u32<1, 4000000000>", "9", 32},
        {"int<18446744073709551615, 18446744073709551615>", "18446744073709551615", 0},
        {"i64<-9223372036854775807 - 1, -9223372036854775807 - 1>", "-9223372036854775807 - 1", 0},
    };
    if (one_in(m, 5)) {
        uint32_t i = below(m, sizeof wide / sizeof wide[0]);
        bool named = wide[i].type[0] != 'i' || wide[i].type[1] != 'n';
        if (named == (d->kind == NAMED_INT)) {
            d->type = wide[i].type;
            d->bytes = 8;
            d->some = wide[i].some;
            d->bits = wide[i].bits;
            return;
        }
    }
    uint32_t i = below(m, sizeof ranges / sizeof ranges[0]);
    int64_t low = ranges[i].low, high = ranges[i].high;
    if (one_in(m, 2) && high > low) {
        low += below(m, 2);
        high -= below(m, 2);
        high = high < low ? low : high;
    }
    if (d->kind == NAMED_INT) {
        const char *sign = low < 0 ? "i" : one_in(m, 2) && high < 2147483648 ? "i" : "u";
        int size = 64;
        if (low >= -128 && high <= 127 && one_in(m, 2))
            size = 8;
        else if (low >= -32768 && high <= 32767 && one_in(m, 2))
            size = 16;
        else if (one_in(m, 2))
            size = 32;
        d->type = arena_printf(m->arena, "%s%d<%" PRId64 ", %" PRId64 ">", sign, size, low, high);
    } else {
        d->type = arena_printf(m->arena, "int<%" PRId64 ", %" PRId64 ">", low, high);
    }
    d->bytes = 4;
    d->integer = true;
    d->low = low;
    d->high = high;
    d->bits = 0;
    while (d->bits < 32 && (uint64_t)(high - low) >> d->bits)
        d->bits++;
    d->some = arena_printf(m->arena, "%" PRId64,
                           low + (int64_t)below(m, (uint32_t)(high - low > 1000 ? 1000 : high - low + 1)));
}

/* Whether the current type can have a field of that type. */
static bool is_usable(const maker *m, const made *candidate)
{
    return !(m->delta && candidate->whole) && !(m->part && candidate->refs) && !(m->element && candidate->locals);
}

static void draw_type(maker *m, draft *d)
{
    typedef struct number {
        const char *type;
        unsigned bytes, bits; /* bits: at least so many */
        const char *some;
    } number;
    static const number floats[] = {
        {"float<0, 10, 0.01>", 4, 4, "0.5"},        {"float<-1, 1, 0.0625>", 4, 4, "0.5"},
        {"float<-2000, 2000, 0.005>", 4, 4, "0.5"}, {"float<0, 1, 1>", 4, 1, "0.5"},
        {"float<-1, 1, 0.000001>", 4, 4, "0.5"},    {"float<3, 4.5, 0.1>", 4, 4, "3.25"},
        {"float<-10, -3.7, 0.1>", 4, 4, "-4"},      {"float<10, 11, 3>", 4, 1, "10.25"},
        {"float<0, 1, 0.5>", 4, 2, "0.5"},
    };
    static const number doubles[] = {
        {"double<-1.0e9, 1.0e9, 0.000002>", 8, 9, "0.3"},
        {"double<0, 1, 0.5>", 8, 2, "0.3"},
        {"double<0, 1, 0.3>", 8, 2, "0.3"},
        {"double<5, 6, 0.001>", 8, 9, "5.5"},
        {"double<-7.3, 2.1, 0.001>", 8, 9, "0.3"},
        {"double<-1, 1, 4>", 8, 1, "0.3"},
    };
    static const number fixeds[] = {
        {"fixed<4, 4, -8, 7>", 1, 8, "1.5"},
        {"fixed<8, 8, -100, 100>", 2, 16, "-2.25"},
        {"fixed<16, 16, -32768, 32767>", 4, 32, "7"},
        {"fixed<32, 32, -1000000, 1000000>", 8, 53, "0.5"},
        {"fixed<8, 0, -5, 5>", 1, 4, "3"},
        {"fixed<8, 8, 3, 3>", 2, 0, "3"},
        {"fixed<1, 7, -1, 0>", 1, 8, "-0.25"},
        {"fixed<8, 0, 0, 2>", 1, 2, "1"},
        {"fixed<32, 32, -9, -9>", 8, 0, "-9"},
    };
    const number *of = NULL;
    uint32_t i, size;
    d->bytes = 4;
    switch (d->kind) {
    case BOOL:
        d->type = "bool";
        d->bytes = 1;
        d->some = one_in(m, 2) ? "true" : "false";
        break;
    case BITS: {
        static const unsigned widths[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 55, 56, 57, 58, 63, 64};
        d->bits = widths[below(m, 18)];
        d->type = arena_printf(m->arena, "bits<%u>", d->bits);
        d->bytes = 8;
        d->some = "1";
        d->integer = d->bits <= 31;
        d->high = d->integer ? ((int64_t)1 << d->bits) - 1 : 0;
        break;
    }
    case UNSIGNED:
    case SIGNED:
    case COMPACT:
        d->bits = d->kind == COMPACT ? 16u << below(m, 3) : 8u << below(m, 4);
        d->type = arena_printf(m->arena, "%s%u",
                               d->kind == COMPACT  ? "compact u"
                               : d->kind == SIGNED ? "i"
                                                   : "u",
                               d->bits);
        d->bytes = d->bits / 8;
        d->some = d->kind == SIGNED ? "-3" : one_in(m, 2) ? "200" : "7";
        d->integer = d->bits <= 16;
        d->low = d->kind == SIGNED && d->integer ? -((int64_t)1 << (d->bits - 1)) : 0;
        d->high = !d->integer ? 0 : d->kind == SIGNED ? ((int64_t)1 << (d->bits - 1)) - 1 : ((int64_t)1 << d->bits) - 1;
        break;
    case INT:
    case NAMED_INT: draw_integer(m, d); break;
    case ENUM:
    case RESERVED_ENUM:
        d->members = d->kind == ENUM ? (int)below(m, 3) : 3;
        d->type = made_enums[d->members].name;
        d->some = one_in(m, 2) ? made_enums[d->members].first : made_enums[d->members].last;
        break;
    case FLAGS:
        i = below(m, 4);
        d->type = flags_names[i];
        d->bytes = i == 3 ? 8 : 2;
        d->some = i == 0 ? "b" : i == 1 ? "c0 + c2" : i == 2 ? "d8" : "e63 + e0";
        d->integer = i < 3;
        d->high = i == 0 ? 1 : i == 1 ? 7 : 511;
        break;
    case HALF:
        d->type = "half";
        d->bits = 16;
        d->some = one_in(m, 3) ? "0" : one_in(m, 2) ? "1.5" : "-0.1";
        break;
    case FLOAT:
        d->type = "float";
        d->bits = 32;
        d->some = one_in(m, 2) ? "1.5" : "-0.1";
        break;
    case DOUBLE:
        d->type = "double";
        d->bytes = 8;
        d->bits = 64;
        d->some = "0.1";
        break;
    case OR_RAW:
        d->behind = " or raw";
        of = &floats[below(m, sizeof floats / sizeof floats[0])];
        break;
    case QUANTIZED: of = &floats[below(m, sizeof floats / sizeof floats[0])]; break;
    case QUANTIZED64: of = &doubles[below(m, sizeof doubles / sizeof doubles[0])]; break;
    case FIXED: of = &fixeds[below(m, sizeof fixeds / sizeof fixeds[0])]; break;
    case QUAT:
        d->bits = lot_between(&m->lot, 3, 20);
        d->type = arena_printf(m->arena, "quat<%u>", d->bits);
        d->bytes = 16;
        break;
    case UNIT:
        d->type = arena_printf(m->arena, "unit<%" PRIu32 ">", lot_between(&m->lot, 2, 20));
        d->bytes = 12;
        break;
    case STRING:
    case BYTES:
        size = one_in(m, 8) ? lot_between(&m->lot, 100, 400) : lot_between(&m->lot, 1, 20);
        d->type = arena_printf(m->arena, "%s<%" PRIu32 ">", d->kind == STRING ? "string" : "bytes", size);
        d->bytes = size + 3;
        break;
    case REF: {
        if (m->part) {
            d->type = "u8";
            break;
        }
        m->refs = true;
        static const char *const greatest[] = {"1", "3", "100", "65535", "1000000", "4294967295"};
        d->type = arena_printf(m->arena, "ref<S0, %s>", greatest[below(m, 6)]);
        d->bytes = 8;
        break;
    }
    case STRUCT:
    case UNION: {
        const made *from = d->kind == STRUCT ? m->structs : m->unions;
        const made *chosen = &from[below(m, d->kind == STRUCT ? m->struct_count : m->union_count)];
        for (int tries = 0; tries < 50 && !is_usable(m, chosen); tries++)
            chosen = &from[below(m, d->kind == STRUCT ? m->struct_count : m->union_count)];
        if (!is_usable(m, chosen)) {
            d->type = "u8";
            break;
        }
        d->type = chosen->name;
        d->bytes = chosen->bytes;
        d->chains = d->kind == STRUCT && chosen->delta && !chosen->refs && !m->delta;
        m->whole |= chosen->whole;
        m->refs |= chosen->refs;
        m->locals |= chosen->locals;
        break;
    }
    case KINDS: break;
    }
    if (of) {
        d->type = of->type;
        d->bytes = of->bytes;
        d->bits = of->bits;
        d->some = of->some;
    }
}

/* ---- shapes */

bool is_allowed(kind k, shape s)
{
    switch (s) {
    case UNLESS:
    case INITIAL: return k < QUAT;
    case STEPS:
        return k == BITS || k == UNSIGNED || k == SIGNED || k == INT || k == NAMED_INT || k == COMPACT || k == HALF ||
               k == FLOAT || k == DOUBLE || k == QUANTIZED || k == QUANTIZED64 || k == OR_RAW || k == FIXED ||
               k == QUAT;
    case PLAIN:
    case OPTIONAL:
    case LOCAL:
    case ARRAY:
    case DIMENSIONS:
    case UP_TO:
    case FROM_TO:
    case OPTIONAL_ARRAY:
    case COMPUTED:
    case FLAG:
    case COUNT:
    case SENTINEL:
    case RELATIVE:
    case BITMAP:
    case AUTO:
    case KEEP:
    case SHAPES: break;
    }
    return true;
}

static uint32_t elements(maker *m, const draft *d)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 8, 9, 17, 33, 64, 65, 70, 130, 300};
    uint32_t most = d->bytes ? MOST_BYTES / 4 / d->bytes : 300, n = sizes[below(m, one_in(m, 3) ? 14 : 7)];
    return n < most ? n : most ? most : 1;
}

static void draw_sparse(maker *m, draft *d, shape s)
{
    static const char *const modes[] = {"flag", "count", "sentinel", "relative", "bitmap", "auto"};
    uint32_t n = elements(m, d), mode = s == KEEP ? below(m, 6) : (uint32_t)s - FLAG;
    d->prefix = s == AUTO && one_in(m, 2)
                    ? "sparse "
                    : arena_printf(m->arena, "sparse<%s%s> ", modes[mode], s == KEEP ? ", keep" : "");
    if (one_in(m, 2))
        snprintf(d->dims, sizeof d->dims, "[%" PRIu32 "]", n);
    else
        snprintf(d->dims, sizeof d->dims, "[<=%" PRIu32 " of %" PRIu32 "]", lot_between(&m->lot, 1, n), n);
    d->bytes = d->bytes * n + n / 8 + 8;
    m->whole = true;
}

static void draw_array(maker *m, draft *d, shape s)
{
    uint32_t n = elements(m, d), outer = lot_between(&m->lot, 1, 3), inner = n / outer ? n / outer : 1;
    inner = inner > 9 ? 9 : inner;
    if (s == DIMENSIONS && one_in(m, 3)) {
        snprintf(d->dims, sizeof d->dims, "[%" PRIu32 "][2][%" PRIu32 "]", outer, inner > 3 ? 3 : inner);
        n = outer * inner * 2;
    } else if (s == DIMENSIONS) {
        snprintf(d->dims, sizeof d->dims, "[%" PRIu32 "][%" PRIu32 "]", outer, inner);
    } else if (s == UP_TO) {
        snprintf(d->dims, sizeof d->dims, "[<=%" PRIu32 "]", n);
        d->count_high = n;
    } else if (s == FROM_TO) {
        d->count_low = one_in(m, 4) ? n : lot_between(&m->lot, 1, n);
        d->count_high = n;
        snprintf(d->dims, sizeof d->dims, "[%" PRIu32 "..%" PRIu32 "]", d->count_low, n);
    } else {
        snprintf(d->dims, sizeof d->dims, "[%" PRIu32 "]", n);
    }
    d->bytes *= n;
    d->integer = false;
    d->low = d->count_low;
    d->high = d->count_high;
}

/* Puts a field before the array, of which its count is computed. */
static void draw_computed(maker *m, draft *d)
{
    const uint32_t n = elements(m, d), from = m->field_count++;
    const operand *o = m->operand_count ? &m->operands[below(m, m->operand_count)] : NULL;
    uint32_t most = n;
    if (o && o->is == A_NUMBER && !o->uncounted && one_in(m, 3)) {
        snprintf(d->dims, sizeof d->dims, "[%s %% 3 + %d]", o->name,
                 o->low < 0 ? 2 : one_in(m, 2) || o->low == o->high);
        most = 5;
    } else if (one_in(m, 3)) {
        most = n < 30 ? n : 30;
        put(m, "bits<%" PRIu32 "> f%" PRIu32 ";\n", most, from);
        snprintf(d->dims, sizeof d->dims, "[%sbits(f%" PRIu32 ")]", one_in(m, 2) ? "1 + " : "", from);
        most++;
    } else if (one_in(m, 2)) {
        put(m, "int<2, %" PRIu32 "> f%" PRIu32 ";\n", n + 2, from);
        snprintf(d->dims, sizeof d->dims, "[f%" PRIu32 " - %d]", from, 1 + one_in(m, 2));
        most = n + 1;
    } else {
        put(m, "int<%d, %" PRIu32 "> f%" PRIu32 ";\n", one_in(m, 4), n, from);
        snprintf(d->dims, sizeof d->dims, "[f%" PRIu32 "]", from);
    }
    d->bytes *= most;
    d->integer = false;
    m->whole = true;
}

/* Makes the range of some numbers a circle. */
static void draw_wrap(maker *m, draft *d)
{
    const bool integer =
        d->kind == BITS ||
        ((d->kind == UNSIGNED || d->kind == SIGNED || d->kind == INT || d->kind == NAMED_INT || d->kind == FIXED) &&
         d->bytes <= 4 && !strstr(d->type, "64<"));
    /* A circle has two codes or more. That of a real number or a fixed has one less than its range. */
    d->wraps = ((integer && d->bits <= 32) || d->kind == QUANTIZED || d->kind == QUANTIZED64) &&
               d->bits >= (d->kind >= QUANTIZED ? 2 : 1) && !strstr(d->type, "1.0e9") && one_in(m, 4);
    if (d->wraps)
        d->behind = " wrap";
}

/* Whether a number has less than the range of its type in memory, and more than a value. */
static bool has_others(const draft *d)
{
    if (d->kind == BITS)
        return d->bits % 8 != 0 || d->bits == 56;
    return d->bits > 0 && (d->kind == INT || d->kind == NAMED_INT || d->kind == FIXED) &&
           strcmp(d->type, "int<0, 65535>") != 0 && strcmp(d->type, "int<0, 18446744073709551615>") != 0 &&
           strcmp(d->type, "int<-9223372036854775807 - 1, 9223372036854775807>") != 0;
}

/* Lets a writer send the nearest bound. Wraps and clamps are for different numbers. */
static void draw_clamp(maker *m, draft *d)
{
    d->clamps = !d->wraps && has_others(d) && one_in(m, 3);
    if (d->clamps)
        d->behind = " clamp";
}

/* Whether a step of a bit reaches no farther than half of the way round. A fixed has a code less if it wraps. */
static bool is_wide_enough(const draft *d)
{
    return d->wraps ? d->bits >= 3u + (d->kind == FIXED) : d->bits > 0;
}

static void draw_delta(maker *m, draft *d)
{
    unsigned most = d->bits > 62 && one_in(m, 8) ? d->bits : d->bits > 30 ? 30 : d->bits;
    /* No step may reach farther than half of the way round. A fixed has a code less if it wraps, so perhaps a bit. */
    most = d->wraps ? most - 2 - (d->kind == FIXED) : most;
    unsigned small = lot_between(&m->lot, 1, most), large = lot_between(&m->lot, small, most);
    d->behind = arena_printf(m->arena, "%s delta<%u, %u>", d->behind, small, large);
}

/* Gives some types a name, which may say `wrap` or `or raw` for the field. */
static void draw_alias(maker *m, draft *d)
{
    const bool has_name = d->kind == ENUM || d->kind == RESERVED_ENUM || d->kind == FLAGS || d->kind >= REF;
    if (has_name || !one_in(m, 6))
        return;
    const char *name = arena_printf(m->arena, "A%" PRIu32, m->alias_count++);
    const size_t beyond = strncmp(d->behind, " wrap", 5) == 0 ? 5 : strncmp(d->behind, " or raw", 7) == 0 ? 7 : 0;
    const size_t named = one_in(m, 2) ? beyond : 0;
    m->aliases = arena_printf(m->arena, "%stype %s = %s%.*s;\n", m->aliases, name, d->type, (int)named, d->behind);
    d->type = name;
    d->behind += named;
}

/* Adds a field that is always present to what conditions can test: not the count of an array with @fit. */
static void add_operand(maker *m, const draft *d, shape s, const char *name, bool certain)
{
    operand *o = &m->operands[m->operand_count];
    bool counted = d->count_high > 0;
    if (m->operand_count == MOST_OPERANDS || s == LOCAL || (s >= COMPUTED && s <= KEEP) || strstr(d->behind, "@fit"))
        return;
    *o =
        (operand){.is = A_NUMBER, .low = d->low, .high = d->high, .uncounted = d->kind == FLAGS, .members = d->members};
    snprintf(o->name, sizeof o->name, "%s", name);
    if (d->prefix[0] == 'o') {
        o->is = A_BOOL;
        snprintf(o->name, sizeof o->name, "has_%s", name);
    } else if (counted) {
        snprintf(o->name, sizeof o->name, "%s_count", name);
    } else if (d->dims[0] || d->clamps) {
        return;
    } else if (d->kind == BOOL) {
        o->is = A_BOOL;
    } else if (d->kind == ENUM || d->kind == RESERVED_ENUM) {
        o->is = AN_ENUM;
    } else if (d->kind == STRUCT && strcmp(d->type, "S0") == 0) {
        *o = (operand){.is = A_NUMBER, .low = -100, .high = 1000};
        snprintf(o->name, sizeof o->name, "%s.x", name);
    } else if (d->kind == FIXED && strncmp(d->type, "fixed<8, 8, -100", 16) == 0) {
        o->uncounted = true;
        o->low = -25600;
        o->high = 25600 - d->wraps;
    } else if (!d->integer) {
        if (certain && d->kind == UNSIGNED && d->bits == 32 && s == PLAIN && !m->start[0])
            snprintf(m->start, sizeof m->start, "%s", name);
        return;
    }
    m->operand_count++;
}

/* What does not change the bytes: every fifth field has something of it in turn. */
static const char *mark_of(maker *m, shape s)
{
    static const char *const marks[] = {" @deprecated", " @lossy(3)", " @convert(2)"};
    const uint32_t number = m->field_count;
    if (s == LOCAL || number % 5 != 0)
        return "";
    return number % 20 == 0 ? arena_printf(m->arena, " was \"old_f%" PRIu32 "\"", number) : marks[number / 5 % 4 - 1];
}

const char *mixed_type(uint32_t number)
{
    static const char *const marks[] = {" @mix", " @mix(0.5) @save", "", " @mix @save", " @mix(0.5)", " @save"};
    return marks[number % 6];
}

/* An `after` field may come after a u32. */
static const char *mixed_field(const maker *m, const draft *d, shape s)
{
    const bool is_integer = (d->kind >= BITS && d->kind <= NAMED_INT) || d->kind == COMPACT;
    if (s == LOCAL || (d->kind == UNSIGNED && d->bits == 32))
        return "";
    switch (m->field_count % 7) {
    case 1: return is_allowed(d->kind, STEPS) || d->kind == UNIT ? " @near(1.5)" : "";
    case 3: return " @mix(0.3)";
    case 5: return is_integer ? " @mix" : "";
    case 6: return is_integer ? " @mix @near(2)" : " @mix(1)";
    default: return "";
    }
}

/* Whether a number may go by a speed of its own. */
static bool can_go(const draft *d)
{
    switch (d->kind) {
    case BITS:
    case UNSIGNED:
    case SIGNED:
    case COMPACT:
    case FIXED: return d->bits <= 32;
    case INT:
    case NAMED_INT: return d->integer;
    case QUANTIZED:
    case OR_RAW: return true;
    case QUANTIZED64: return d->bits != 0 && !strstr(d->type, "e9"); /* at most 32 bits */
    default: return false;
    }
}

/* Writes a field that is the speed of another one, and returns its name. */
static const char *put_speed(maker *m)
{
    static const char *const types[][2] = {
        {"i16", ""},
        {"int<-3000, 300>", ""},
        {"float<-64, 64, 0.25>", ""},
        {"fixed<12, 4, -100, 100>", ""},
        {"u8", ""},
        {"double<-8, 8, 0.5>", ""},
        {"compact u16", ""},
        {"i32", ""},
        {"float<-32, 32, 0.5>", " or raw"},
        {"i16<-9, 90>", " clamp"},
    };
    static const char *const forms[] = {"", " coded", " coded still", " delta<2, 3>"};
    const uint32_t number = below(m, sizeof types / sizeof types[0]), form = below(m, 4);
    const char *name = arena_printf(m->arena, "v%" PRIu32, m->field_count++);
    put(m, "%s %s%s%s%s;\n", types[number][0], name, types[number][1], forms[form],
        form == 2 && one_in(m, 2) ? " = 3" : "");
    m->bytes += 8;
    return name;
}

/* An enum or flags of 1 to 32 bits. */
static bool may_be_category(const maker *m, const draft *d)
{
    return d->kind == ENUM || d->kind == RESERVED_ENUM ? m->coded_enums[d->members] : d->kind == FLAGS && d->integer;
}

void put_shape(maker *m, kind k, shape s, bool certain)
{
    draft d = {.kind = k, .type = "bool", .prefix = "", .behind = ""};
    char name[16];
    snprintf(name, sizeof name, "f%" PRIu32, m->field_count++);
    if ((k == STRUCT && m->struct_count == 0) || (k == UNION && m->union_count == 0))
        d.kind = UNSIGNED;
    draw_type(m, &d);
    bool sparse = s >= FLAG && s <= KEEP;
    if (!is_allowed(d.kind, s) || ((sparse || s == COMPUTED) && m->delta) || (s == KEEP && !(m->may_keep && certain)) ||
        (s == STEPS && !m->delta) || ((s == UNLESS || s == INITIAL) && !d.some) || (s == LOCAL && m->element))
        s = PLAIN;
    m->locals |= s == LOCAL;
    if (sparse && s != PLAIN)
        draw_sparse(m, &d, s);
    else if (s == COMPUTED)
        draw_computed(m, &d);
    else if (s >= ARRAY && s <= FROM_TO)
        draw_array(m, &d, s);
    else if (s == OPTIONAL_ARRAY)
        draw_array(m, &d, one_in(m, 3) ? DIMENSIONS : one_in(m, 2) ? ARRAY : UP_TO);
    if (s == OPTIONAL || s == OPTIONAL_ARRAY)
        d.prefix = "optional ";
    if (s == LOCAL) {
        d.prefix = "local ";
        d.behind = "";
    }
    if (s != LOCAL)
        draw_wrap(m, &d);
    if (s != LOCAL)
        draw_clamp(m, &d);
    const bool unless = s == UNLESS || (s == OPTIONAL && is_allowed(d.kind, UNLESS) && d.some && one_in(m, 3));
    if (unless)
        d.behind = arena_printf(m->arena, "%s unless %s", d.behind, d.some);
    bool stepped = m->delta && is_wide_enough(&d) && is_allowed(d.kind, STEPS) && !unless && s != LOCAL;
    if (stepped && (s == STEPS || one_in(m, 2)))
        draw_delta(m, &d);
    const bool lists = d.dims[0] && !strstr(d.dims, "][") && !sparse && m->delta && s != LOCAL &&
                       (d.bits > 0 || !is_allowed(d.kind, STEPS));
    const bool category = m->delta && !d.dims[0] && !unless && s != LOCAL && may_be_category(m, &d);
    const char *speed = "";
    if (m->codes && ((stepped && !strstr(d.dims, "][") && one_in(m, 3)) || ((lists || category) && one_in(m, 3)))) {
        const bool goes = stepped && !d.dims[0] && !d.prefix[0] && can_go(&d) && one_in(m, 2);
        static const char *const rates[] = {" / 100", " * 3 / 700", " * 0.01"};
        d.behind = arena_printf(m->arena, "%s coded%s",
                                d.wraps            ? " wrap"
                                : d.clamps         ? " clamp"
                                : d.kind == OR_RAW ? " or raw"
                                                   : "",
                                !goes && stepped && one_in(m, 3) ? " still" : "");
        speed = goes ? arena_printf(m->arena, " @speed(%s%s", put_speed(m), rates[below(m, 3)]) : "";
    }
    if (s == INITIAL || ((s == UNLESS || s == STEPS) && is_allowed(d.kind, INITIAL) && d.some && one_in(m, 4)))
        d.behind = arena_printf(m->arena, "%s = %s", d.behind, d.some);
    const bool counted = s == UP_TO || s == FROM_TO;
    const bool fits = m->datagram ? counted : (sparse && s != PLAIN) || (m->delta && (s == ARRAY || counted));
    if (certain && fits && one_in(m, 2))
        d.behind = arena_printf(m->arena, "%s @fit", d.behind);
    if (d.chains && d.dims[0] && !strstr(d.dims, "][") && s != LOCAL && !(sparse && s != PLAIN) && one_in(m, 2)) {
        d.behind = " delta(previous)";
        m->whole = true;
    }
    draw_alias(m, &d);
    put(m, "%s%s %s%s%s%s", d.prefix, d.type, name, d.dims, d.behind, speed);
    if (*speed && one_in(m, 2)) {
        put(m, " * (");
        put_condition(m, 1);
        put(m, ")");
    }
    put(m, "%s%s%s;\n", *speed ? ")" : "", mark_of(m, s), mixed_field(m, &d, s));
    m->bytes += d.bytes;
    add_operand(m, &d, s, name, certain);
}

/* ---- lists with keys */

void put_key(maker *m, made_keyed *k, uint32_t number)
{
    /* low and high: of keys that conditions can test. The ranges are around the last column of differences. */
    static const struct {
        const char *type;
        uint32_t codes;
        int64_t low, high;
    } keys[] = {
        {"u8", 256, 0, 255},
        {"i8", 256, -128, 127},
        {"u64", UINT32_MAX, 0, 0},
        {"Plain", 3, 0, 0},
        {"u16", 65536, 0, 65535},
        {"int<-60, 64>", 125, -60, 64},
        {"i64", UINT32_MAX, 0, 0},
        {"Ahead", 8, 0, 0},
        {"i16", 65536, -32768, 32767},
        {"int<100, 225>", 126, 100, 225},
        {"u32", UINT32_MAX, 0, 0},
        {"bits<3>", 8, 0, 7},
        {"int<0, 126>", 127, 0, 126},
        {"i32", UINT32_MAX, 0, 0},
        {"Sole", 1, 0, 0},
        {"u64<5, 18446744073709551615>", UINT32_MAX, 0, 0},
        {"i32<-9, 90000>", 90010, -9, 90000},
        {"bits<57>", UINT32_MAX, 0, 0},
        {"int<7, 7>", 1, 7, 7},
        {"int<-9223372036854775807 - 1, 9223372036854775807>", UINT32_MAX, 0, 0},
    };
    enum { KEYS = sizeof keys / sizeof keys[0] };
    static const char *const words[] = {"id", "key", "slot"};
    number %= KEYS;
    k->key = words[number % 3];
    k->codes = keys[number].codes;
    put(m, "%s %s;\n", keys[number].type, k->key);
    m->bytes += 8;
    if (keys[number].high > keys[number].low && m->operand_count < MOST_OPERANDS) {
        operand *o = &m->operands[m->operand_count++];
        *o = (operand){.is = A_NUMBER, .low = keys[number].low, .high = keys[number].high};
        snprintf(o->name, sizeof o->name, "%s", k->key);
    } else if (strcmp(keys[number].type, "u32") == 0 && !m->start[0]) {
        snprintf(m->start, sizeof m->start, "%s", k->key);
    }
}

bool put_list(maker *m, const made_keyed *k, bool certain)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 17, 33, 64, 70, 130};
    const uint32_t most = MOST_BYTES / 4 / k->made.bytes;
    uint32_t n = sizes[below(m, one_in(m, 3) ? 10 : 6)];
    if (!is_usable(m, &k->made))
        return false;
    n = n > k->codes ? k->codes : n;
    n = n > most ? most + 1 : n;
    const bool fits = certain && one_in(m, 2);
    put(m, "%s f%" PRIu32 "[<=%" PRIu32 "] by %s%s%s%s;\n", k->made.name, m->field_count, n, k->key,
        m->delta && m->codes && one_in(m, 2) ? " coded" : "", fits ? " @fit" : "", mark_of(m, UP_TO));
    if (!fits && m->operand_count < MOST_OPERANDS) {
        operand *o = &m->operands[m->operand_count++];
        *o = (operand){.is = A_NUMBER, .low = 0, .high = n};
        snprintf(o->name, sizeof o->name, "f%" PRIu32 "_count", m->field_count);
    }
    m->field_count++;
    m->bytes += k->made.bytes * n;
    m->whole |= k->made.whole;
    m->refs |= k->made.refs;
    return true;
}

void put_full_word(maker *m)
{
    static const unsigned first[] = {64, 63, 57, 56, 32, 8, 1};
    static const struct {
        const char *type, *only;
    } none[] = {{"int<7, 7>", "7"},
                {"i16<-5, -5>", "-5"},
                {"u64<18446744073709551615, 18446744073709551615>", "18446744073709551615"},
                {"fixed<8, 8, 3, 3>", "3"},
                {"Sole", "only"}};
    static const char *const prefixes[] = {"", "", "", "", "optional ", "optional "};
    static const char *const suffixes[] = {"", " unless %s", " = %s", "[3]", "", "[2..2]"};
    const unsigned bits = first[below(m, sizeof first / sizeof first[0])];
    const uint32_t i = below(m, sizeof none / sizeof none[0]), form = below(m, sizeof suffixes / sizeof suffixes[0]);
    put(m, "bits<%u> f%" PRIu32 ";\n", bits, m->field_count++);
    if (bits < 64)
        put(m, "bits<%u> f%" PRIu32 ";\n", 64 - bits, m->field_count++);
    put(m, "%s%s f%" PRIu32, prefixes[form], none[i].type, m->field_count++);
    put(m, suffixes[form], none[i].only);
    put(m, ";\n");
    m->bytes += 48;
}

void put_field(maker *m, bool certain)
{
    static const shape often[] = {PLAIN,   PLAIN,          PLAIN, PLAIN, OPTIONAL,   OPTIONAL, UNLESS,
                                  UNLESS,  INITIAL,        ARRAY, ARRAY, DIMENSIONS, UP_TO,    UP_TO,
                                  FROM_TO, OPTIONAL_ARRAY, STEPS, STEPS, COMPUTED};
    shape s = one_in(m, 8) ? (shape)below(m, SHAPES) : often[below(m, sizeof often / sizeof often[0])];
    if (m->keyed_count > 0 && one_in(m, 12) && put_list(m, &m->keyed[below(m, m->keyed_count)], certain))
        return;
    if (m->start[0] && one_in(m, 6))
        put(m, "%su32 f%" PRIu32 " after %s;\n", one_in(m, 3) ? "optional " : "", m->field_count++, m->start);
    else
        put_shape(m, (kind)below(m, KINDS), s, certain);
}
