/* schemas.c - makes random valid schemas that use the whole language.
 * SPDX-License-Identifier: MIT
 *
 * Types come first and are small, so that a packet can have several of each. Their size in memory is counted, and
 * arrays are made smaller if it becomes too large. Types with an array that is always sent whole, such as a sparse one, are
 * not used in types with deltas.
 */
#include "schemas_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* Writes a number of at most about 40 bits. */
static void put_number(maker *m, int depth)
{
    const operand *o = draw_operand(m, A_NUMBER);
    if (!o || one_in(m, 8)) {
        put(m, "%" PRIu32, below(m, 50));
        return;
    }
    switch (depth > 0 ? below(m, 9) : 0) {
    case 0:
    case 1: put(m, "%s", o->name); break;
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
    case 4: put(m, "%s * %" PRIu32, o->name, lot_between(&m->lot, 2, 9)); break;
    case 5: put(m, "%s / %s%" PRIu32, o->name, one_in(m, 4) ? "-" : "", lot_between(&m->lot, 1, 5)); break;
    case 6: put(m, "%s %% %" PRIu32, o->name, lot_between(&m->lot, 2, 7)); break;
    case 7: put(m, "(%s & %" PRIu32 ")", o->name, lot_between(&m->lot, 1, 300)); break;
    case 8: put(m, "-%s", o->name); break;
    }
}

void put_condition(maker *m, int depth)
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
            put(m, "%s %s %s", o->name,
                one_in(m, 2) ? "==" : "!=", one_in(m, 2) ? made_enums[o->members].first : made_enums[o->members].last);
        else
            put(m, "1 < 2");
        break;
    case 2:
        put_number(m, 1);
        put(m, " %s ", comparison(m));
        put_number(m, 1);
        break;
    case 3:
    case 4:
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

/* Writes a side of a condition. Its fields may be absent, so what follows cannot refer to them. */
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
        bool both = strcmp(made_enums[o->members].first, made_enums[o->members].last) != 0;
        put(m, "case %s:\n", made_enums[o->members].first);
        put_side(m, depth);
        if (both && one_in(m, 2)) {
            put(m, "case %s:\n", made_enums[o->members].last);
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
    case 0: put(m, "align;\n"); break;
    case 1:
        bits = lot_between(&m->lot, 1, 64);
        put(m, "const<%u> = %" PRIu64 ";\n", bits, lot_next(&m->lot) >> (64 - bits));
        break;
    case 2:
        put(m, "reserved<%" PRIu32 ">;\n", one_in(m, 3) ? lot_between(&m->lot, 1, 64) : lot_between(&m->lot, 1, 9));
        break;
    case 3: put(m, "check;\n"); break;
    case 4: put(m, "check 0x%08" PRIx32 ";\n", (uint32_t)lot_next(&m->lot)); break;
    }
}

void put_items(maker *m, uint32_t count, int depth)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t what = below(m, 17);
        if (what == 0)
            put_layout(m, below(m, 5));
        else if (what == 1 && depth < 3)
            put_if(m, depth);
        else if (what == 2 && depth < 3)
            put_switch(m, depth);
        else if (what == 3 && m->bytes < MOST_BYTES)
            put_full_word(m);
        else if (m->bytes < MOST_BYTES)
            put_field(m, depth == 0);
    }
}

void begin_type(maker *m, bool delta, bool may_keep)
{
    m->field_count = m->bytes = m->operand_count = 0;
    m->start[0] = '\0';
    m->delta = delta;
    m->whole = m->refs = m->locals = m->element = m->part = m->datagram = false;
    m->may_keep = may_keep;
}

static void put_struct(maker *m, uint32_t number)
{
    made *s = &m->structs[m->struct_count];
    bool delta = one_in(m, 3);
    begin_type(m, delta, false);
    snprintf(s->name, sizeof s->name, "S%" PRIu32, number);
    put(m, "struct %s%s%s%s {\n", s->name, delta ? " @delta" : "", mixed_type(number),
        number == 0  ? " was \"Old\""
        : number % 2 ? " @large"
                     : "");
    if (number == 0)
        put(m, "int<-100, 1000> x;\n");
    if (number != 1 || one_in(m, 2))
        put_items(m, lot_between(&m->lot, 1, 5), 0);
    put(m, "}\n");
    s->whole = m->whole;
    s->refs = m->refs;
    s->locals = m->locals;
    s->bytes = m->bytes + 8;
    s->delta = delta;
    m->struct_count++;
}

/* The element of lists, with another kind of key in each schema. */
static void put_keyed(maker *m, uint32_t number, uint32_t key)
{
    made_keyed *k = &m->keyed[m->keyed_count];
    const bool delta = one_in(m, 2);
    begin_type(m, delta, false);
    m->element = true;
    snprintf(k->made.name, sizeof k->made.name, "K%" PRIu32, number);
    put(m, "struct %s%s%s {\n", k->made.name, delta ? " @delta" : "", mixed_type(key));
    put_items(m, below(m, 3), 0);
    put_key(m, k, key);
    if (m->start[0])
        put(m, "u32 f%" PRIu32 " after %s;\n", m->field_count++, m->start);
    if (one_in(m, 3))
        put_if(m, 1);
    put_items(m, lot_between(&m->lot, number == 0, 4), 0);
    put(m, "}\n");
    k->made.whole = m->whole;
    k->made.refs = m->refs;
    k->made.bytes = m->bytes + 8;
    k->made.delta = delta;
    m->keyed_count++;
}

static void put_union(maker *m, uint32_t number)
{
    made *u = &m->unions[m->union_count];
    uint32_t count = one_in(m, 5) ? 1 : lot_between(&m->lot, 2, m->struct_count < 5 ? m->struct_count : 5);
    snprintf(u->name, sizeof u->name, "U%" PRIu32, number);
    put(m, "union %s%s {", u->name, mixed_type(number));
    u->whole = u->refs = u->locals = false;
    u->bytes = 1;
    for (uint32_t i = 0; i < count; i++) {
        const made *s = &m->structs[number == 0 ? i : below(m, m->struct_count)];
        put(m, " %s m%" PRIu32 ";", s->name, i);
        u->whole |= s->whole;
        u->refs |= s->refs;
        u->locals |= s->locals;
        u->bytes = s->bytes + 1 > u->bytes ? s->bytes + 1 : u->bytes;
    }
    put(m, " }\n");
    m->union_count++;
}

/* ---- combinations that must not be missing: each has its turn */

enum { CELLS_A_SCHEMA = 12, CONDITIONS_A_SCHEMA = 10 };

/* An array of a struct with deltas, each to the one before. */
static void put_chain(maker *m)
{
    static const char *const dims[] = {"[1 + bits(n)]", "[<=5]", "[3]", "[2..4]"};
    uint32_t i = 0;
    while (i < m->struct_count && (!m->structs[i].delta || m->structs[i].refs || m->structs[i].bytes > 2000))
        i++;
    if (i < m->struct_count)
        put(m, "bits<4> n;\n%s chain%s delta(previous);\n", m->structs[i].name, dims[below(m, 4)]);
}

static void put_cells(maker *m, uint32_t number)
{
    begin_type(m, false, true);
    put(m, "packet Cells%s {\n", mixed_type(number));
    put_chain(m);
    for (uint32_t i = 0; i < m->keyed_count; i++)
        (void)put_list(m, &m->keyed[i], true);
    for (uint32_t i = 0; i < CELLS_A_SCHEMA; i++) {
        uint32_t cell = (number * CELLS_A_SCHEMA + i) % (KINDS * STEPS);
        put_shape(m, (kind)(cell % KINDS), (shape)(cell / KINDS), true);
    }
    put(m, "}\n");
    begin_type(m, true, false);
    put(m, "packet Steps @delta%s {\n", mixed_type(number + 1));
    for (uint32_t i = 0; i < m->keyed_count; i++)
        (void)put_list(m, &m->keyed[i], true);
    for (uint32_t i = 0; i < KINDS; i++)
        if (is_allowed((kind)i, STEPS) && (i + number) % 2 == 0)
            put_shape(m, (kind)i, STEPS, true);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t cell = (number * 4 + i) % (KINDS * FLAG);
        put_shape(m, (kind)(cell % KINDS), (shape)(cell / KINDS), true);
    }
    put(m, "}\n");
}

/* Writes every kind of field and every layout item on every side of a condition. */
static void put_sides(maker *m, uint32_t number, bool delta)
{
    static const char *const sides[] = {"if (t) {\n", "} else {\n", "}\nswitch (u) {\ncase 1:\n", "case 2:\n",
                                        "default:\n"};
    begin_type(m, delta, false);
    put(m, "packet %s%s {\nbool t;\nbits<2> u;\n", delta ? "Aside @delta" : "Sides", mixed_type(number / 3));
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t before = m->operand_count;
        put(m, "%s", sides[i]);
        put_layout(m, number + i);
        for (uint32_t k = 0; k < 4; k++)
            put_shape(m, (kind)((number * 4 + i + k * 5) % KINDS), PLAIN, false);
        m->operand_count = before;
    }
    put(m, "}\n}\n");
}

static void put_conditions(maker *m, uint32_t number)
{
    static const char *const numbers[] = {"i", "fl", "x", "l_count", "s.x", "c", "b", "w"};
    static const char *const bools[] = {"t", "has_o"};
    static const char *const operators[] = {"==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&"};
    static const uint32_t cells = 8 * 12;
    put(m, "packet Conditions {\nbool t;\ni16 i;\nNine fl;\nfixed<8, 8, -100, 100> x;\nu8 l[<=3];\nS0 s;\ncompact u16 "
           "c;\nbits<5> b;\n"
           "i32<-9, 90000> w;\noptional u8 o;\nPlain e;\nAhead a;\nu32 from;\nu32 till after from;\n");
    for (uint32_t i = 0; i < CONDITIONS_A_SCHEMA; i++) {
        uint32_t cell = (number * CONDITIONS_A_SCHEMA + i) % cells, operation = cell % 12;
        const char *left = numbers[cell / 12];
        if (operation < 6)
            put(m, "if (%s %s %" PRIu32 ")", left, operators[operation], below(m, 4));
        else
            put(m, "if ((%s %s %" PRIu32 ") > %" PRIu32 ")", left, operators[operation], lot_between(&m->lot, 1, 9),
                below(m, 5));
        put(m, " { bits<3> g%" PRIu32 "; }\n", i);
    }
    const char *either = bools[number % 2], *other = bools[(number + 1) % 2];
    put(m, "if (%s == %s) { u8 h0; }\nif (%s != %s) { bool h1; }\n", either, other, other, either);
    put(m, "if (%s && !%s) { u8 h2; }\nif (%s || %s) { bool h3; }\n", either, other, other, either);
    put(m, "if (-%s < 0) { bits<2> h4; }\n", numbers[number % 8]);
    put(m, "if (from %s %" PRIu32 ") { bits<3> h7; }\n", operators[number % 6], below(m, 9));
    put(m, "switch (from) {\ncase 3: u8 h8;\n}\n");
    put(m, "if (e %s red) { u8 h5; }\nif (a %s most) { u8 h6; }\n", operators[number % 2], operators[(number + 1) % 2]);
    put(m, "}\n");
}

/* ---- what decides about others: every kind of number with every attribute, in each place that asks for one */

typedef struct source_type {
    const char *type, *some; /* some: a value */
    bool wraps, steps, counts, is_flags, is_bool;
} source_type;

typedef struct source_attribute {
    const char *before, *behind; /* % is a value */
    bool wraps, steps, coded;
} source_attribute;

static void put_use(maker *m, const source_type *t, const char *name, uint32_t use)
{
    const char *some = t->is_flags ? "2" : t->some;
    switch (t->is_bool ? 0 : use) {
    case 0: put(m, "if (%s == %s) { bits<3> if_%s; }\n", name, some, name); break;
    case 1: put(m, "switch (%s) {\ncase %s: u8 case_%s;\ndefault: bool not_%s;\n}\n", name, some, name, name); break;
    case 2: put(m, "bits<3> counted_%s[%s];\n", name, name); break;
    }
}

/* A field of the type with the attribute, and a use of it. */
static void put_source(maker *m, const source_type *t, const source_attribute *with, uint32_t use)
{
    char name[16], has[24];
    if ((with->wraps && !t->wraps) || (with->steps && !(t->steps && m->delta)) || (with->coded && !m->codes) ||
        (use == 2 && (!t->counts || m->delta || with->before[0])))
        return;
    snprintf(name, sizeof name, "s%" PRIu32, m->field_count++);
    put(m, "%s%s %s", with->before, t->type, name);
    for (const char *at = with->behind; *at; at++)
        put(m, *at == '%' ? "%s" : "%.1s", *at == '%' ? t->some : at);
    put(m, ";\n");
    snprintf(has, sizeof has, "has_%s", name);
    if (with->before[0])
        put(m, "if (%s) { bits<3> if_%s; }\n", has, name);
    else
        put_use(m, t, name, use);
}

static void put_sources(maker *m, uint32_t number)
{
    static const source_type types[] = {
        {"bits<5>", "9", true, true, true, false, false},
        {"int<0, 20>", "7", true, true, true, false, false},
        {"u8", "200", true, true, true, false, false},
        {"i16", "-3", true, true, false, false, false},
        {"i32<-9, 90000>", "4", true, true, false, false, false},
        {"compact u16", "300", false, true, true, false, false},
        {"fixed<8, 8, -100, 100>", "2", true, true, false, false, false},
        {"Plain", "blue", false, false, false, false, false},
        {"Ahead", "most", false, false, false, false, false},
        {"Nine", "d1", false, false, false, true, false},
        {"bool", "true", false, false, false, false, true},
    };
    static const source_attribute attributes[] = {
        {"", "", false, false, false},
        {"", " wrap", true, false, false},
        {"", " unless %", false, false, false},
        {"", " = %", false, false, false},
        {"", " delta<2, 3>", false, true, false},
        {"", " coded", false, true, true},
        {"", " wrap delta<2, 3>", true, true, false},
        {"", " wrap coded", true, true, true},
        {"", " wrap unless %", true, false, false},
        {"", " @deprecated", false, false, false},
        {"", " @lossy(3)", false, false, false},
        {"optional ", "", false, false, false},
        {"optional ", " delta<2, 3>", false, true, false},
        {"optional ", " wrap coded", true, true, true},
    };
    enum { TYPES = sizeof types / sizeof types[0], WITH = sizeof attributes / sizeof attributes[0], USES = 3 };
    static const uint32_t cells = TYPES * WITH * USES, cells_a_packet = 40;
    for (unsigned delta = 0; delta < 2; delta++) {
        begin_type(m, delta != 0, false);
        put(m, "packet %s {\n", delta ? "Changed @delta" : "Sources");
        for (uint32_t i = 0; i < cells_a_packet; i++) {
            const uint32_t cell = (number * cells_a_packet + i) % cells;
            put_source(m, &types[cell % TYPES], &attributes[cell / TYPES % WITH], cell / TYPES / WITH);
        }
        put(m, "}\n");
    }
}

/* A packet that can be @stable, and its answer. */
static void put_stable(maker *m, uint32_t number)
{
    static const kind kinds[] = {BOOL, BITS, UNSIGNED, SIGNED, INT, NAMED_INT, RESERVED_ENUM, STRING, BYTES};
    static const shape shapes[] = {PLAIN, ARRAY, PLAIN, DIMENSIONS, PLAIN};
    begin_type(m, false, false);
    put(m, "packet %s {\nu32 salt;\n", STABLE_PACKET);
    for (uint32_t i = 0; i < 6; i++)
        put_shape(m, kinds[(number + i * 2) % 9], shapes[(number + i) % 5], false);
    if (number % 3 == 0)
        put(m, "align;\nconst<9> = 300;\nreserved<5>;\n");
    put(m, "}\npacket Reply @answers(%s) @budget(60000) @received {\nbits<3> n;\n}\n", STABLE_PACKET);
}

const char *make_schema(arena *a, uint64_t seed, uint32_t number, bool datagrams)
{
    static const char *const hundreds[] = {"100", "100", "0x20000000000000", "0xF000000000000001"};
    maker m = {.lot = {seed}, .arena = a, .text = arena_alloc(a, 4096), .room = 4096, .aliases = ""};
    const uint32_t ahead = lot_between(&m.lot, 3, 60);
    const uint32_t hundred = below(&m, 4);
    m.codes = one_in(&m, 2);
    m.coded_enums[0] = true;
    m.coded_enums[1] = hundred < 2;
    m.coded_enums[3] = ahead <= 32;
    put(&m, "protocol fuzz = %" PRIu32 "%s;\n", below(&m, 100), number % 5 == 4 ? " prefix fz_" : "");
    /* Holes has gaps of different sizes, up to one with which a member does not fit into a word after other fields. */
    put(&m,
        "enum Plain { none, red, blue }\nenum Holes { two = 2, five = 5, hundred = %s }\nenum Sole { only }\n"
        "enum Ahead : bits<%" PRIu32 "> { zero, most = 6 }\n",
        hundreds[hundred], ahead);
    put(&m,
        "flags Bit { b }\nflags Three { c0, c1, c2 }\nflags Nine { d0, d1, d2, d3, d4, d5, d6, d7, d8 }\nflags All {");
    for (int i = 0; i < 64; i++)
        put(&m, " e%d%s", i, i < 63 ? "," : " }\n");
    uint32_t structs = lot_between(&m.lot, 2, 6);
    for (uint32_t i = 0; i < structs; i++) {
        put_struct(&m, i);
        if (i < 2)
            put_keyed(&m, i, 2 * number + i);
        if (i == 1 || (i > 1 && one_in(&m, 2)))
            put_union(&m, i - 1);
    }
    uint32_t packets = lot_between(&m.lot, 2, 3);
    for (uint32_t i = 0; i < packets; i++) {
        bool delta = one_in(&m, 2);
        begin_type(&m, delta, i == 0);
        const bool predict = delta && datagrams && m.codes && one_in(&m, 2);
        const bool seeded = datagrams && !delta && (i + number) % 2 == 0;
        put(&m, "packet P%" PRIu32 "%s%s%s {\n", i,
            predict ? " @delta(predict)"
            : delta ? " @delta"
                    : "",
            seeded ? " @seed" : "", mixed_type(number + i));
        if (predict)
            put(&m, "u8 seen coded;\n");
        if (predict && one_in(&m, 2))
            (void)put_list(&m, &m.keyed[below(&m, m.keyed_count)], true);
        put_items(&m, lot_between(&m.lot, 0, 9), 0);
        put(&m, "}\n");
    }
    put_cells(&m, number);
    put_sides(&m, number, false);
    put_sides(&m, number + 7, true);
    put_conditions(&m, number);
    put_sources(&m, number);
    if (datagrams) {
        put_datagrams(&m, number);
        put_stable(&m, number);
    }
    put(&m, "packet union Any%s { P1 p1;", datagrams && number % 3 == 0 ? " @seed" : "");
    if (packets > 2)
        put(&m, " P2 p2;");
    put(&m, " }\n%s", m.aliases);
    return m.text;
}
