/* schemas.c - makes valid schemas over the whole language.
 * SPDX-License-Identifier: MIT
 *
 * Types come first and are small, so that packets can hold several of each; what a type costs in memory is added up, and
 * arrays shrink where there would be too much. A type that has a sparse array anywhere is kept out of types with deltas.
 */
#include "schemas.h"
#include "lot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TYPES = 24, MOST_OPERANDS = 64, MOST_BYTES = 6000 };

typedef enum kind {
    BOOL, BITS, UNSIGNED, SIGNED, INT, NAMED_INT, COMPACT, ENUM, RESERVED_ENUM, FLAGS, FLOAT, DOUBLE, QUANTIZED, QUANTIZED64, FIXED,
    QUAT, UNIT, STRING, BYTES, REF, STRUCT, UNION, KINDS
} kind;

typedef enum shape {
    PLAIN, OPTIONAL, UNLESS, INITIAL, LOCAL, ARRAY, DIMENSIONS, UP_TO, FROM_TO, OPTIONAL_ARRAY, FLAG, COUNT, SENTINEL, RELATIVE, BITMAP,
    AUTO, KEEP, STEPS, SHAPES
} shape;

typedef struct made {           /* a struct or union that fields may have */
    char name[8];
    bool sparse;                /* it has a sparse array somewhere, or a member that has */
    uint32_t bytes;
} made;

typedef struct operand {        /* what a condition may ask about */
    char name[24];
    enum { A_BOOL, A_NUMBER, AN_ENUM } is;
    int64_t low, high;          /* numbers, within 32 bits */
    int members;                /* enums: which */
} operand;

typedef struct maker {
    lot lot;
    arena *arena;
    char *text;
    size_t size, room;
    made structs[MOST_TYPES], unions[MOST_TYPES];
    uint32_t struct_count, union_count;
    /* of the type at hand */
    uint32_t field_count, bytes;
    bool delta, sparse, may_keep;
    operand operands[MOST_OPERANDS];
    uint32_t operand_count;
    char start[24];             /* an earlier u32 that is always there, for `after`; or "" */
} maker;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void put(maker *m, const char *format, ...)
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

static uint32_t below(maker *m, uint32_t n)
{
    return lot_below(&m->lot, n);
}

static bool one_in(maker *m, uint32_t n)
{
    return lot_one_in(&m->lot, n);
}

/* ---- types of fields */

/* A field as it is being made: what its parts say. */
typedef struct draft {
    kind kind;
    const char *type, *prefix, *behind;     /* "optional ", " unless 3" */
    char dims[48];
    uint32_t bytes;             /* of an element */
    uint32_t count_low, count_high;         /* counted arrays */
    bool integer;               /* low and high are good for conditions, unless, initial values and deltas */
    int64_t low, high;
    unsigned bits;              /* for delta<s, l> */
    int members;
    const char *some;           /* a value of it, or NULL */
} draft;

static const char *const enum_names[] = {"Plain", "Holes", "Sole", "Ahead"};
static const struct { const char *first, *last; } enum_members[] = {{"none", "blue"}, {"two", "hundred"}, {"only", "only"}, {"zero", "most"}};
static const char *const flags_names[] = {"Bit", "Three", "Nine", "All"};

static void draw_integer(maker *m, draft *d)
{
    static const struct { int64_t low, high; unsigned bits; } ranges[] = {
        {0, 0, 0}, {7, 7, 0}, {0, 1, 1}, {-1, 0, 1}, {0, 5, 3}, {-100, 1000, 11}, {1000, 1255, 8}, {-3, 4, 3}, {0, 65535, 16},
        {0, 2147483647, 31}, {-2147483647, 2147483647, 32}, {5, 70000, 17}, {-40000, -39000, 10},
    };
    static const char *const wide[] = {
        "int<0, 4294967296>", "int<-9223372036854775807 - 1, 9223372036854775807>", "int<0, 18446744073709551615>",
        "u64<5, 18446744073709551615>", "i64<-9223372036854775807 - 1, -1>", "int<18446744073709551613, 18446744073709551615>",
        "int<-5, 1099511627776>", "u32<1, 4000000000>",
    };
    if (one_in(m, 5)) {
        uint32_t i = below(m, 8);
        bool named = wide[i][0] != 'i' || wide[i][1] != 'n';
        if (named == (d->kind == NAMED_INT)) {
            d->type = wide[i];
            d->bytes = 8;
            d->some = i == 4 ? "-7" : i == 5 ? "18446744073709551614" : "9";
            d->bits = i == 5 ? 2 : 32;
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
    d->some = arena_printf(m->arena, "%" PRId64, low + (int64_t)below(m, (uint32_t)(high - low > 1000 ? 1000 : high - low + 1)));
}

static void draw_type(maker *m, draft *d)
{
    static const char *const floats[] = {"float<0, 10, 0.01>", "float<-1, 1, 0.0625>", "float<-2000, 2000, 0.005>", "float<0, 1, 1>",
                                         "float<-1, 1, 0.000001>", "float<3, 4.5, 0.1>", "float<-7, -2, 0.3>"};
    static const char *const doubles[] = {"double<-1.0e9, 1.0e9, 0.000002>", "double<0, 1, 0.5>", "double<0, 1, 0.3>",
                                          "double<5, 6, 0.001>", "double<-5, 1000000000, 0.001>"};
    static const struct { const char *type; unsigned bytes, bits; const char *some; } fixeds[] = {
        {"fixed<4, 4, -8, 7>", 1, 8, "1.5"}, {"fixed<8, 8, -100, 100>", 2, 16, "-2.25"}, {"fixed<16, 16, -32768, 32767>", 4, 32, "7"},
        {"fixed<32, 32, -1000000, 1000000>", 8, 53, "0.5"}, {"fixed<8, 0, -5, 5>", 1, 4, "3"}, {"fixed<8, 8, 3, 3>", 2, 0, "3"},
        {"fixed<1, 7, -1, 0>", 1, 8, "-0.25"},
    };
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
    case UNSIGNED: case SIGNED: case COMPACT:
        d->bits = d->kind == COMPACT ? 16u << below(m, 3) : 8u << below(m, 4);
        d->type = arena_printf(m->arena, "%s%u", d->kind == COMPACT ? "compact u" : d->kind == SIGNED ? "i" : "u", d->bits);
        d->bytes = d->bits / 8;
        d->some = d->kind == SIGNED ? "-3" : one_in(m, 2) ? "200" : "7";
        d->integer = d->bits <= 16;
        d->low = d->kind == SIGNED && d->integer ? -((int64_t)1 << (d->bits - 1)) : 0;
        d->high = !d->integer ? 0 : d->kind == SIGNED ? ((int64_t)1 << (d->bits - 1)) - 1 : ((int64_t)1 << d->bits) - 1;
        break;
    case INT: case NAMED_INT:
        draw_integer(m, d);
        break;
    case ENUM: case RESERVED_ENUM:
        d->members = d->kind == ENUM ? (int)below(m, 3) : 3;
        d->type = enum_names[d->members];
        d->some = one_in(m, 2) ? enum_members[d->members].first : enum_members[d->members].last;
        break;
    case FLAGS:
        i = below(m, 4);
        d->type = flags_names[i];
        d->bytes = i == 3 ? 8 : 2;
        d->some = i == 0 ? "b" : i == 1 ? "c0 + c2" : i == 2 ? "d8" : "e63 + e0";
        d->integer = i < 3;
        d->high = i == 0 ? 1 : i == 1 ? 7 : 511;
        break;
    case FLOAT:
        d->type = "float";
        d->some = one_in(m, 2) ? "1.5" : "-0.1";
        break;
    case DOUBLE:
        d->type = "double";
        d->bytes = 8;
        d->some = "0.1";
        break;
    case QUANTIZED:
        i = below(m, 7);
        d->type = floats[i];
        d->some = i == 5 ? "3.25" : i == 6 ? "-3" : "0.5";
        d->bits = i == 3 ? 1 : 4;
        break;
    case QUANTIZED64:
        i = below(m, 5);
        d->type = doubles[i];
        d->some = i == 3 ? "5.5" : "0.3";
        d->bytes = 8;
        d->bits = i == 1 || i == 2 ? 2 : 9;
        break;
    case FIXED:
        i = below(m, 7);
        d->type = fixeds[i].type;
        d->bytes = fixeds[i].bytes;
        d->bits = fixeds[i].bits;
        d->some = fixeds[i].some;
        break;
    case QUAT:
        d->bits = lot_between(&m->lot, 3, 20);
        d->type = arena_printf(m->arena, "quat<%u>", d->bits);
        d->bytes = 16;
        break;
    case UNIT:
        d->type = arena_printf(m->arena, "unit<%" PRIu32 ">", lot_between(&m->lot, 2, 20));
        d->bytes = 12;
        break;
    case STRING: case BYTES:
        size = one_in(m, 8) ? lot_between(&m->lot, 100, 400) : lot_between(&m->lot, 1, 20);
        d->type = arena_printf(m->arena, "%s<%" PRIu32 ">", d->kind == STRING ? "string" : "bytes", size);
        d->bytes = size + 3;
        break;
    case REF: {
        static const char *const greatest[] = {"1", "3", "100", "65535", "1000000", "4294967295"};
        d->type = arena_printf(m->arena, "ref<S0, %s>", greatest[below(m, 6)]);
        d->bytes = 8;
        break;
    }
    case STRUCT: case UNION: {
        const made *from = d->kind == STRUCT ? m->structs : m->unions;
        const made *chosen = &from[below(m, d->kind == STRUCT ? m->struct_count : m->union_count)];
        for (int tries = 0; tries < 50 && m->delta && chosen->sparse; tries++)
            chosen = &from[below(m, d->kind == STRUCT ? m->struct_count : m->union_count)];
        if (m->delta && chosen->sparse) {
            d->type = "u8";
            break;
        }
        d->type = chosen->name;
        d->bytes = chosen->bytes;
        m->sparse |= chosen->sparse;
        break;
    }
    case KINDS:
        break;
    }
}

/* ---- shapes */

static bool is_allowed(kind k, shape s)
{
    switch (s) {
    case UNLESS: case INITIAL:
        return k < QUAT;
    case STEPS:
        return k == BITS || k == UNSIGNED || k == SIGNED || k == INT || k == NAMED_INT || k == COMPACT || k == QUANTIZED ||
               k == QUANTIZED64 || k == FIXED || k == QUAT;
    case PLAIN: case OPTIONAL: case LOCAL: case ARRAY: case DIMENSIONS: case UP_TO: case FROM_TO: case OPTIONAL_ARRAY: case FLAG:
    case COUNT: case SENTINEL: case RELATIVE: case BITMAP: case AUTO: case KEEP: case SHAPES:
        break;
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
    d->prefix = s == AUTO && one_in(m, 2) ? "sparse " : arena_printf(m->arena, "sparse<%s%s> ", modes[mode], s == KEEP ? ", keep" : "");
    if (one_in(m, 2))
        snprintf(d->dims, sizeof d->dims, "[%" PRIu32 "]", n);
    else
        snprintf(d->dims, sizeof d->dims, "[<=%" PRIu32 " of %" PRIu32 "]", lot_between(&m->lot, 1, n), n);
    d->bytes = d->bytes * n + n / 8 + 8;
    m->sparse = true;
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
        d->count_low = one_in(m, 4) ? n : below(m, n + 1);
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

static void draw_delta(maker *m, draft *d)
{
    unsigned most = d->bits > 62 && one_in(m, 8) ? d->bits : d->bits > 30 ? 30 : d->bits;
    unsigned small = lot_between(&m->lot, 1, most), large = lot_between(&m->lot, small, most);
    d->behind = arena_printf(m->arena, " delta<%u, %u>", small, large);
}

/* What conditions may say about a field that is always there. */
static void add_operand(maker *m, const draft *d, shape s, const char *name, bool certain)
{
    operand *o = &m->operands[m->operand_count];
    bool counted = d->count_high > 0;
    if (m->operand_count == MOST_OPERANDS || s == LOCAL || (s >= FLAG && s <= KEEP))
        return;
    *o = (operand){.is = A_NUMBER, .low = d->low, .high = d->high, .members = d->members};
    snprintf(o->name, sizeof o->name, "%s", name);
    if (d->prefix[0] == 'o') {
        o->is = A_BOOL;
        snprintf(o->name, sizeof o->name, "has_%s", name);
    } else if (counted) {
        snprintf(o->name, sizeof o->name, "%s_count", name);
    } else if (d->dims[0]) {
        return;
    } else if (d->kind == BOOL) {
        o->is = A_BOOL;
    } else if (d->kind == ENUM || d->kind == RESERVED_ENUM) {
        o->is = AN_ENUM;
    } else if (d->kind == STRUCT && strcmp(d->type, "S0") == 0) {
        *o = (operand){.is = A_NUMBER, .low = -100, .high = 1000};
        snprintf(o->name, sizeof o->name, "%s.x", name);
    } else if (d->kind == FIXED && strncmp(d->type, "fixed<8, 8, -100", 16) == 0) {
        o->low = -25600;
        o->high = 25600;
    } else if (!d->integer) {
        if (certain && d->kind == UNSIGNED && d->bits == 32 && s == PLAIN && !m->start[0])
            snprintf(m->start, sizeof m->start, "%s", name);
        return;
    }
    m->operand_count++;
}

/* A field, certain or on one side of a choice. */
static void put_shape(maker *m, kind k, shape s, bool certain)
{
    draft d = {.kind = k, .type = "bool", .prefix = "", .behind = ""};
    char name[16];
    snprintf(name, sizeof name, "f%" PRIu32, m->field_count++);
    if ((k == STRUCT && m->struct_count == 0) || (k == UNION && m->union_count == 0))
        d.kind = UNSIGNED;
    draw_type(m, &d);
    bool sparse = s >= FLAG && s <= KEEP;
    if (!is_allowed(d.kind, s) || (sparse && m->delta) || (s == KEEP && !(m->may_keep && certain)) || (s == STEPS && !m->delta) ||
        ((s == UNLESS || s == INITIAL) && !d.some))
        s = PLAIN;
    if (sparse && s != PLAIN)
        draw_sparse(m, &d, s);
    else if (s >= ARRAY && s <= FROM_TO)
        draw_array(m, &d, s);
    else if (s == OPTIONAL_ARRAY)
        draw_array(m, &d, one_in(m, 3) ? DIMENSIONS : one_in(m, 2) ? ARRAY : UP_TO);
    if (s == OPTIONAL || s == OPTIONAL_ARRAY)
        d.prefix = "optional ";
    if (s == LOCAL)
        d.prefix = "local ";
    if (s == UNLESS)
        d.behind = arena_printf(m->arena, " unless %s", d.some);
    bool stepped = m->delta && d.bits > 0 && is_allowed(d.kind, STEPS) && s != UNLESS && s != LOCAL;
    if (stepped && (s == STEPS || one_in(m, 2)))
        draw_delta(m, &d);
    if (s == INITIAL || ((s == UNLESS || s == STEPS) && is_allowed(d.kind, INITIAL) && d.some && one_in(m, 4)))
        d.behind = arena_printf(m->arena, "%s = %s", d.behind, d.some);
    put(m, "%s%s %s%s%s;\n", d.prefix, d.type, name, d.dims, d.behind);
    m->bytes += d.bytes;
    add_operand(m, &d, s, name, certain);
}

static void put_field(maker *m, bool certain)
{
    static const shape often[] = {PLAIN, PLAIN, PLAIN, PLAIN, OPTIONAL, OPTIONAL, UNLESS, UNLESS, INITIAL, ARRAY, ARRAY, DIMENSIONS,
                                  UP_TO, UP_TO, FROM_TO, OPTIONAL_ARRAY, STEPS, STEPS};
    shape s = one_in(m, 8) ? (shape)below(m, SHAPES) : often[below(m, sizeof often / sizeof often[0])];
    if (m->start[0] && one_in(m, 6))
        put(m, "%su32 f%" PRIu32 " after %s;\n", one_in(m, 3) ? "optional " : "", m->field_count++, m->start);
    else
        put_shape(m, (kind)below(m, KINDS), s, certain);
}

/* ---- conditions */

static const operand *draw_operand(maker *m, int is)
{
    for (int tries = 0; tries < 20 && m->operand_count; tries++) {
        const operand *o = &m->operands[below(m, m->operand_count)];
        if ((int)o->is == is)
            return o;
    }
    return NULL;
}

static int64_t near_value(maker *m, const operand *o)
{
    uint64_t range = (uint64_t)(o->high - o->low);
    return o->low + (int64_t)below(m, range > 300 ? 300 : (uint32_t)range + 1);
}

static const char *comparison(maker *m)
{
    static const char *const all[] = {"==", "!=", "<", "<=", ">", ">="};
    return all[below(m, 6)];
}

/* A number, within some 40 bits. */
static void put_number(maker *m, int depth)
{
    const operand *o = draw_operand(m, A_NUMBER);
    if (!o || one_in(m, 8)) {
        put(m, "%" PRIu32, below(m, 50));
        return;
    }
    switch (depth > 0 ? below(m, 9) : 0) {
    case 0: case 1:
        put(m, "%s", o->name);
        break;
    case 2:
        put(m, "(%s + ", o->name);
        put_number(m, 0);
        put(m, ")");
        break;
    case 3:
        put(m, "(");
        put_number(m, 0);
        put(m, " - %s)", o->name);
        break;
    case 4:
        put(m, "%s * %" PRIu32, o->name, lot_between(&m->lot, 2, 9));
        break;
    case 5:
        put(m, "%s / %s%" PRIu32, o->name, one_in(m, 4) ? "-" : "", lot_between(&m->lot, 1, 5));
        break;
    case 6:
        put(m, "%s %% %" PRIu32, o->name, lot_between(&m->lot, 2, 7));
        break;
    case 7:
        put(m, "(%s & %" PRIu32 ")", o->name, lot_between(&m->lot, 1, 300));
        break;
    case 8:
        put(m, "-%s", o->name);
        break;
    }
}

static void put_condition(maker *m, int depth)
{
    const operand *o;
    switch (below(m, depth > 0 ? 6 : 3)) {
    case 0:
        o = draw_operand(m, A_BOOL);
        put(m, "%s%s", one_in(m, 3) ? "!" : "", o ? o->name : "true");
        break;
    case 1:
        o = draw_operand(m, AN_ENUM);
        if (o)
            put(m, "%s %s %s", o->name, one_in(m, 2) ? "==" : "!=",
                one_in(m, 2) ? enum_members[o->members].first : enum_members[o->members].last);
        else
            put(m, "1 < 2");
        break;
    case 2:
        put_number(m, 1);
        put(m, " %s ", comparison(m));
        put_number(m, 1);
        break;
    case 3: case 4:
        put(m, "(");
        put_condition(m, depth - 1);
        put(m, " %s ", one_in(m, 2) ? "&&" : "||");
        put_condition(m, depth - 1);
        put(m, ")");
        break;
    case 5:
        put(m, "!(");
        put_condition(m, depth - 1);
        put(m, ")");
        break;
    }
}

/* ---- bodies */

static void put_items(maker *m, uint32_t count, int depth);

/* A side of a choice: what is in it is not there for what comes behind. */
static void put_side(maker *m, int depth)
{
    uint32_t before = m->operand_count;
    put_items(m, below(m, 4), depth + 1);
    m->operand_count = before;
}

static void put_if(maker *m, int depth)
{
    put(m, "if (");
    put_condition(m, 2);
    put(m, ") {\n");
    put_side(m, depth);
    if (one_in(m, 3)) {
        put(m, "} else if (");
        put_condition(m, 1);
        put(m, ") {\n");
        put_side(m, depth);
    }
    if (one_in(m, 2)) {
        put(m, "} else {\n");
        put_side(m, depth);
    }
    put(m, "}\n");
}

static void put_switch(maker *m, int depth)
{
    const operand *o = draw_operand(m, one_in(m, 2) ? A_NUMBER : AN_ENUM);
    if (!o)
        return;
    put(m, "switch (%s) {\n", o->name);
    if (o->is == AN_ENUM) {
        bool both = strcmp(enum_members[o->members].first, enum_members[o->members].last) != 0;
        put(m, "case %s:\n", enum_members[o->members].first);
        put_side(m, depth);
        if (both && one_in(m, 2)) {
            put(m, "case %s:\n", enum_members[o->members].last);
            put_side(m, depth);
        }
    } else {
        int64_t first = near_value(m, o);
        put(m, "case %" PRId64 ":\n", first);
        put_side(m, depth);
        if (first + 2 <= o->high && one_in(m, 2)) {
            put(m, "case %" PRId64 ", %" PRId64 ":\n", first + 1, first + 2);
            put_side(m, depth);
        }
    }
    if (one_in(m, 2)) {
        put(m, "default:\n");
        put_side(m, depth);
    }
    put(m, "}\n");
}

static void put_layout(maker *m, uint32_t which)
{
    unsigned bits;
    switch (which % 5) {
    case 0:
        put(m, "align;\n");
        break;
    case 1:
        bits = lot_between(&m->lot, 1, 64);
        put(m, "const<%u> = %" PRIu64 ";\n", bits, lot_next(&m->lot) >> (64 - bits));
        break;
    case 2:
        put(m, "reserved<%" PRIu32 ">;\n", one_in(m, 3) ? lot_between(&m->lot, 1, 64) : lot_between(&m->lot, 1, 9));
        break;
    case 3:
        put(m, "check;\n");
        break;
    case 4:
        put(m, "check 0x%08" PRIx32 ";\n", (uint32_t)lot_next(&m->lot));
        break;
    }
}

static void put_items(maker *m, uint32_t count, int depth)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t what = below(m, 16);
        if (what == 0)
            put_layout(m, below(m, 5));
        else if (what == 1 && depth < 3)
            put_if(m, depth);
        else if (what == 2 && depth < 3)
            put_switch(m, depth);
        else if (m->bytes < MOST_BYTES)
            put_field(m, depth == 0);
    }
}

static void begin_type(maker *m, bool delta, bool may_keep)
{
    m->field_count = m->bytes = m->operand_count = 0;
    m->start[0] = '\0';
    m->delta = delta;
    m->sparse = false;
    m->may_keep = may_keep;
}

static void put_struct(maker *m, uint32_t number)
{
    made *s = &m->structs[m->struct_count];
    bool delta = one_in(m, 3);
    begin_type(m, delta, false);
    snprintf(s->name, sizeof s->name, "S%" PRIu32, number);
    put(m, "struct %s%s {\n", s->name, delta ? " @delta" : "");
    if (number == 0)
        put(m, "int<-100, 1000> x;\n");
    if (number != 1 || one_in(m, 2))
        put_items(m, lot_between(&m->lot, 1, 5), 0);
    put(m, "}\n");
    s->sparse = m->sparse;
    s->bytes = m->bytes + 8;
    m->struct_count++;
}

static void put_union(maker *m, uint32_t number)
{
    made *u = &m->unions[m->union_count];
    uint32_t count = one_in(m, 5) ? 1 : lot_between(&m->lot, 2, m->struct_count < 5 ? m->struct_count : 5);
    snprintf(u->name, sizeof u->name, "U%" PRIu32, number);
    put(m, "union %s {", u->name);
    u->sparse = false;
    u->bytes = 1;
    for (uint32_t i = 0; i < count; i++) {
        const made *s = &m->structs[number == 0 ? i : below(m, m->struct_count)];
        put(m, " %s m%" PRIu32 ";", s->name, i);
        u->sparse |= s->sparse;
        u->bytes = s->bytes + 1 > u->bytes ? s->bytes + 1 : u->bytes;
    }
    put(m, " }\n");
    m->union_count++;
}

/* ---- what no lot may leave out: each combination in its turn */

enum { CELLS_A_SCHEMA = 12, CONDITIONS_A_SCHEMA = 10 };

static void put_cells(maker *m, uint32_t number)
{
    begin_type(m, false, true);
    put(m, "packet Cells {\n");
    for (uint32_t i = 0; i < CELLS_A_SCHEMA; i++) {
        uint32_t cell = (number * CELLS_A_SCHEMA + i) % (KINDS * STEPS);
        put_shape(m, (kind)(cell % KINDS), (shape)(cell / KINDS), true);
    }
    put(m, "}\n");
    begin_type(m, true, false);
    put(m, "packet Steps @delta {\n");
    for (uint32_t i = 0; i < KINDS; i++)
        if (is_allowed((kind)i, STEPS) && (i + number) % 2 == 0)
            put_shape(m, (kind)i, STEPS, true);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t cell = (number * 4 + i) % (KINDS * FLAG);
        put_shape(m, (kind)(cell % KINDS), (shape)(cell / KINDS), true);
    }
    put(m, "}\n");
}

/* Every kind and every layout item on every side of a choice. */
static void put_sides(maker *m, uint32_t number, bool delta)
{
    static const char *const sides[] = {"if (t) {\n", "} else {\n", "}\nswitch (u) {\ncase 1:\n", "case 2:\n", "default:\n"};
    begin_type(m, delta, false);
    put(m, "packet %s%s {\nbool t;\nbits<2> u;\n", delta ? "Aside @delta" : "Sides", "");
    for (uint32_t i = 0; i < 5; i++) {
        put(m, "%s", sides[i]);
        put_layout(m, number + i);
        for (uint32_t k = 0; k < 4; k++)
            put_shape(m, (kind)((number * 4 + i + k * 5) % KINDS), PLAIN, false);
    }
    put(m, "}\n}\n");
}

static void put_conditions(maker *m, uint32_t number)
{
    static const char *const numbers[] = {"i", "fl", "x", "l_count", "s.x", "c", "b", "w"};
    static const char *const bools[] = {"t", "has_o"};
    static const char *const operators[] = {"==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&"};
    static const uint32_t cells = 8 * 12;
    put(m, "packet Conditions {\nbool t;\ni16 i;\nNine fl;\nfixed<8, 8, -100, 100> x;\nu8 l[<=3];\nS0 s;\ncompact u16 c;\nbits<5> b;\n"
           "i32<-9, 90000> w;\noptional u8 o;\nPlain e;\nAhead a;\n");
    for (uint32_t i = 0; i < CONDITIONS_A_SCHEMA; i++) {
        uint32_t cell = (number * CONDITIONS_A_SCHEMA + i) % cells, operation = cell % 12;
        const char *left = numbers[cell / 12];
        if (operation < 6)
            put(m, "if (%s %s %" PRIu32 ")", left, operators[operation], below(m, 4));
        else
            put(m, "if ((%s %s %" PRIu32 ") > %" PRIu32 ")", left, operators[operation], lot_between(&m->lot, 1, 9), below(m, 5));
        put(m, " { bits<3> g%" PRIu32 "; }\n", i);
    }
    const char *either = bools[number % 2], *other = bools[(number + 1) % 2];
    put(m, "if (%s == %s) { u8 h0; }\nif (%s != %s) { bool h1; }\n", either, other, other, either);
    put(m, "if (%s && !%s) { u8 h2; }\nif (%s || %s) { bool h3; }\n", either, other, other, either);
    put(m, "if (-%s < 0) { bits<2> h4; }\n", numbers[number % 8]);
    put(m, "if (e %s red) { u8 h5; }\nif (a %s most) { u8 h6; }\n", operators[number % 2], operators[(number + 1) % 2]);
    put(m, "}\n");
}

const char *make_schema(arena *a, uint64_t seed, uint32_t number)
{
    maker m = {.lot = {seed}, .arena = a, .text = arena_alloc(a, 4096), .room = 4096};
    put(&m, "protocol fuzz = %" PRIu32 ";\n", below(&m, 100));
    put(&m, "enum Plain { none, red, blue }\nenum Holes { two = 2, five = 5, hundred = 100 }\nenum Sole { only }\n"
            "enum Ahead : bits<%" PRIu32 "> { zero, most = 6 }\n", lot_between(&m.lot, 3, 60));
    put(&m, "flags Bit { b }\nflags Three { c0, c1, c2 }\nflags Nine { d0, d1, d2, d3, d4, d5, d6, d7, d8 }\nflags All {");
    for (int i = 0; i < 64; i++)
        put(&m, " e%d%s", i, i < 63 ? "," : " }\n");
    uint32_t structs = lot_between(&m.lot, 2, 6);
    for (uint32_t i = 0; i < structs; i++) {
        put_struct(&m, i);
        if (i == 1 || (i > 1 && one_in(&m, 2)))
            put_union(&m, i - 1);
    }
    uint32_t packets = lot_between(&m.lot, 2, 3);
    for (uint32_t i = 0; i < packets; i++) {
        bool delta = one_in(&m, 2);
        begin_type(&m, delta, i == 0);
        put(&m, "packet P%" PRIu32 "%s {\n", i, delta ? " @delta" : "");
        put_items(&m, lot_between(&m.lot, 0, 9), 0);
        put(&m, "}\n");
    }
    put_cells(&m, number);
    put_sides(&m, number, false);
    put_sides(&m, number + 7, true);
    put_conditions(&m, number);
    put(&m, "packet union Any { P1 p1;");
    if (packets > 2)
        put(&m, " P2 p2;");
    put(&m, " }\n");
    return m.text;
}
