/* codec_coded.c - coded deltas: numbers, change masks and changed elements by the model.
 * SPDX-License-Identifier: MIT
 *
 * Both forms of every item are computed as lists of bits; c->coding tells which form is on the wire.
 */
#include "codec/codec_internal.h"

#include "model/coding.h"
#include "model/accuracy.h"
#include "model/type_table.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- codes */

/* The codes of a table. Codes are assigned in the order of their lengths; codes of one length, in the order of the
 * symbols. So those of one length are numbers one after the other. */
typedef struct known_codes {
    const code_table *of;
    uint8_t lengths[CODE_MOST];
    uint16_t codes[CODE_MOST];        /* as they are on the wire, with the first bit lowest */
    uint16_t first[CODE_LONGEST + 2]; /* by length: the first code, */
    uint8_t begin[CODE_LONGEST + 2];  /* and where its symbol is in sorted */
    uint8_t sorted[CODE_MOST];        /* the symbols in the order of their codes */
} known_codes;

static uint16_t in_wire_order(unsigned code, unsigned bits)
{
    unsigned result = 0;
    for (; bits > 0; bits--, code >>= 1)
        result = result << 1 | (code & 1);
    return (uint16_t)result;
}

static void know_codes(const code_table *t, known_codes *k)
{
    unsigned code = 0, place = 0;
    *k = (known_codes){.of = t};
    assert(t->count <= CODE_MOST);
    memcpy(k->lengths, t->lengths, t->count);
    for (unsigned bits = 1; bits <= CODE_LONGEST; bits++) {
        code <<= 1;
        k->first[bits] = (uint16_t)code;
        k->begin[bits] = (uint8_t)place;
        for (unsigned symbol = 0; symbol < t->count; symbol++)
            if (t->lengths[symbol] == bits) {
                k->codes[symbol] = in_wire_order(code++, bits);
                k->sorted[place++] = (uint8_t)symbol;
            }
    }
    k->begin[CODE_LONGEST + 1] = (uint8_t)place;
}

/* Each place remembers the last table that fell on it; its lengths may have changed since. */
static const known_codes *codes_of(const code_table *t)
{
    enum { KNOWN_TABLES = 64 };
    static known_codes known[KNOWN_TABLES];
    known_codes *k = &known[t->index % KNOWN_TABLES];
    if (k->of != t || memcmp(k->lengths, t->lengths, t->count) != 0)
        know_codes(t, k);
    return k;
}

static void add_code(pattern *p, const code_table *t, unsigned symbol)
{
    pattern_add(p, codes_of(t)->codes[symbol], t->lengths[symbol]);
}

/* old, now: the codes of a number that is not of a rotation; else 0. */
static void add_code_pattern(codec *c, pattern *p, const code_table *t, unsigned symbol, uint64_t old, uint64_t now)
{
    add_code(p, t, symbol);
    if (c->coding->count)
        c->coding->count(c->coding->user, t, symbol, old, now);
}

static bool take_code(codec *c, const code_table *t, unsigned *symbol, uint64_t start, const char *name)
{
    const known_codes *k = codes_of(t);
    uint64_t code = 0, bit = 0;
    if (comes_alone(t, symbol))
        return true;
    for (unsigned bits = 1; bits <= CODE_LONGEST; bits++) {
        if (!codec_bits(c, 1, &bit, start, name))
            return false;
        code = code << 1 | bit;
        if (code - k->first[bits] >= (uint64_t)(k->begin[bits + 1] - k->begin[bits]))
            continue;
        *symbol = k->sorted[k->begin[bits] + (code - k->first[bits])];
        return true;
    }
    assert(false && "the codes of a table are complete");
    return false;
}

/* Writes an item in its form, or compares it with the bits that were read. */
static bool settle_forms(codec *c, const pattern *coded, const pattern *plain, uint64_t start, const char *name)
{
    const pattern *p = c->coding->plain ? plain : coded;
    c->coding->lead += (int64_t)plain->count - (int64_t)coded->count;
    return c->reading ? codec_matches(c, p, start, name) : codec_put(c, p, name);
}

/* ---- what items mean */

/* Notes a value and, in the coded form, its symbols. */
static void note_value(codec *c, const type *t, const datum *d, const char *symbols)
{
    codec_note(c, t, d);
    if (*c->note && !c->coding->plain)
        *c->note = arena_printf(c->arena, "%s (%s)", *c->note, symbols);
}

/* ---- differences */

way way_between(uint64_t from, uint64_t to, uint64_t circle)
{
    const way w = {to < from ? from - to : to - from, to < from};
    if (circle == 0 || w.far < circle - w.far || (w.far == circle - w.far && !w.down))
        return w;
    return (way){circle - w.far, !w.down};
}

uint64_t way_end(uint64_t from, way w, uint64_t circle)
{
    if (circle == 0)
        return w.down ? from - w.far : from + w.far;
    const uint64_t far = w.far % circle;
    return (w.down ? from + (circle - far) : from + far) % circle;
}

/* The table of a number that is coded by its values: the one of its old value. */
static const code_table *table_for_value(const field *f, uint64_t old)
{
    const unsigned symbol = symbol_of_value(f->values, old), contexts = coded_contexts(f);
    return f->codes[symbol < contexts ? symbol : contexts - 1];
}

/* For numbers, because the components of a quat do not wrap. */
static const code_table *table_for(const field *f, uint64_t old, uint64_t was)
{
    unsigned context = digits_of(way_between(was, old, circle_of(&f->type)).far);
    if (coded_contexts(f) == 1)
        context = 0;
    return f->codes[context < CODE_CONTEXTS ? context : CODE_CONTEXTS - 1];
}

static void add_difference(codec *c, pattern *p, const code_table *t, way w, uint64_t old, uint64_t now)
{
    const unsigned symbol = digits_of(w.far);
    add_code_pattern(c, p, t, symbol, old, now);
    if (symbol) {
        pattern_add(p, w.down, 1);
        pattern_add(p, w.far, symbol - 1);
    }
}

/* "+12: symbol 4 of Cube.x 3" */
static const char *difference_words(codec *c, const code_table *t, way w)
{
    return arena_printf(c->arena, "%s%" PRIu64 ": symbol %u of %s", w.down ? "-" : "+", w.far, digits_of(w.far),
                        t->name);
}

/* Decodes the bits after the symbol. *lands: the result is in 0..most; on a circle, no other way is shorter. */
static bool take_coded_difference(codec *c, unsigned symbol, uint64_t old, uint64_t most, uint64_t circle,
                                  uint64_t *now, bool *lands, uint64_t start, const char *name)
{
    uint64_t down = 0, low = 0;
    if (symbol && (!codec_bits(c, 1, &down, start, name) || !codec_bits(c, symbol - 1, &low, start, name)))
        return false;
    const way w = {symbol ? (uint64_t)1 << (symbol - 1) | low : 0, down != 0};
    *lands = circle == 0 ? w.far <= (down ? old : most - old) : w.far < circle - w.far + !down;
    *now = way_end(old, w, circle);
    return true;
}

/* ---- numbers, as codes from 0 to span */

uint64_t coded_span(const type *t)
{
    num range;
    if (t->kind == TYPE_QUANTIZED || t->kind == TYPE_OR_RAW)
        return t->steps - t->wraps;
    if (t->kind == TYPE_COMPACT || t->kind == TYPE_FLOAT)
        return ones(t->bits);
    bool fits = num_subtract(t->high, t->low, &range);
    assert(fits && "the range of an integer");
    (void)fits;
    return range.magnitude;
}

/* False if the number has no code, which can happen in a baseline, or if it is sent raw. */
bool coded_code(const type *t, const datum *d, uint64_t *code)
{
    num n;
    if (t->kind == TYPE_COMPACT) {
        *code = d->number;
        return true;
    }
    if (scalar_code(t, d, code) != PKT_OK)
        return false;
    if (t->kind == TYPE_FLOAT)
        *code = order_of_real(t, *code);
    if (is_real(t))
        return t->kind != TYPE_OR_RAW || *code <= coded_span(t);
    bool fits = num_subtract(written_num(t, d), t->low, &n);
    *code = n.magnitude;
    return fits && !n.negative;
}

pkt_code coded_of_code(const type *t, uint64_t code, datum *d)
{
    num n;
    if (code > coded_span(t))
        return PKT_ERROR_RANGE;
    if (t->kind == TYPE_QUANTIZED || t->kind == TYPE_OR_RAW)
        return scalar_from_code(t, code, d);
    if (t->kind == TYPE_FLOAT)
        return scalar_from_code(t, real_in_order(t, code), d);
    if (t->kind == TYPE_COMPACT) {
        d->number = code;
        return PKT_OK;
    }
    bool fits = num_add(t->low, num_u64(code), &n);
    assert(fits && "a value of the type");
    (void)fits;
    d->number = num_bits(n);
    return PKT_OK;
}

/* A number with `or raw` after one that was sent raw: whole, in both forms. */
static bool coded_whole(codec *c, const field *f, datum *now)
{
    const uint64_t start = c->bit;
    pattern p = {0};
    bool lands = true;
    if (c->reading && !full_take(c, &f->type, now, &lands, start, f->name))
        return false;
    if (!lands)
        return codec_fail(c, PKT_ERROR_RANGE, start, f->name);
    full_pattern(&f->type, now, &p);
    codec_note(c, &f->type, now);
    return settle_forms(c, &p, &p, start, f->name);
}

/* A raw number after a step: the last symbol, and its bits. */
static void add_raw(codec *c, pattern *p, const code_table *t, const datum *now)
{
    add_code_pattern(c, p, t, t->count - 1, 0, 0);
    pattern_add(p, now->number, 32);
}

/* A number that is coded by its frequent values: its symbol, or the last one and the number in full. */
static bool coded_category(codec *c, const field *f, const datum *base, datum *now)
{
    const type *t = &f->type;
    const uint64_t start = c->bit;
    uint64_t old = 0, code = 0;
    pattern coded = {0}, plain = {0};
    bool lands = true;
    const code_table *table = coded_code(t, base, &old) ? table_for_value(f, old) : f->codes[coded_contexts(f) - 1];
    unsigned symbol = f->values->count;
    if (!c->reading && !coded_code(t, now, &code))
        return codec_fail(c, scalar_code(t, now, &code), start, f->name);
    if (c->reading) {
        if (!c->coding->plain && !take_code(c, table, &symbol, start, f->name))
            return false;
        if (symbol == f->values->count ? !full_take(c, t, now, &lands, start, f->name)
                                       : coded_of_code(t, f->values->codes[symbol], now) != PKT_OK)
            return false;
        if (!lands)
            return codec_fail(c, PKT_ERROR_RANGE, start, f->name);
        coded_code(t, now, &code);
    }
    symbol = symbol_of_value(f->values, code);
    full_pattern(t, now, &plain);
    add_code_pattern(c, &coded, table, symbol, old, code);
    if (symbol == f->values->count)
        full_pattern(t, now, &coded);
    if (c->note)
        note_value(c, t, now, arena_printf(c->arena, "symbol %u of %s", symbol, table->name));
    return settle_forms(c, &coded, &plain, start, f->name);
}

bool coded_number(codec *c, const field *f, const datum *base, const datum *was, datum *now)
{
    if (f->values)
        return coded_category(c, f, base, now);
    const type *t = &f->type;
    const uint64_t start = c->bit;
    uint64_t old = 0, before = 0, code = 0;
    pattern coded = {0}, plain = {0};
    bool lands = true;
    unsigned symbol;
    if (!coded_code(t, base, &old)) {
        if (t->kind == TYPE_OR_RAW)
            return coded_whole(c, f, now);
        old = before = 0;
    } else if (!coded_code(t, was, &before)) {
        before = old;
    }
    const code_table *table = table_for(f, old, before);
    if (!c->reading && !coded_code(t, now, &code) && t->kind != TYPE_OR_RAW) {
        uint64_t ignored;
        return codec_fail(c, scalar_code(t, now, &ignored), start, f->name);
    }
    if (c->reading && c->coding->plain && !full_take(c, t, now, &lands, start, f->name))
        return false;
    if (c->reading && !c->coding->plain) {
        if (!take_code(c, table, &symbol, start, f->name))
            return false;
        if (t->kind == TYPE_OR_RAW && symbol == table->count - 1) {
            if (!codec_bits(c, 32, &now->number, start, f->name))
                return false;
        } else {
            if (!take_coded_difference(c, symbol, old, coded_span(t), circle_of(t), &code, &lands, start, f->name))
                return false;
            lands = lands && coded_of_code(t, code, now) == PKT_OK;
        }
    }
    if (!lands)
        return codec_fail(c, PKT_ERROR_RANGE, start, f->name);
    const bool is_raw = !coded_code(t, now, &code);
    const way w = way_between(old, code, circle_of(t));
    if (is_raw)
        add_raw(c, &coded, table, now);
    else
        add_difference(c, &coded, table, w, old, code);
    full_pattern(t, now, &plain);
    if (c->note)
        note_value(c, t, now,
                   is_raw ? arena_printf(c->arena, "raw: symbol %u of %s", table->count - 1, table->name)
                          : difference_words(c, table, w));
    return settle_forms(c, &coded, &plain, start, f->name);
}

/* ---- rotations */

/* The code of a baseline's rotation, if it has one, and the code of the rotation from which it was predicted. */
typedef struct turned {
    uint64_t old, was;
    bool has_old, moves;
} turned;

static const code_table *table_for_part(const field *f, const turned *t, unsigned part)
{
    const unsigned bits = f->type.bits;
    return t->moves ? table_for(f, part_of_rotation(t->old, part, bits), part_of_rotation(t->was, part, bits))
                    : f->codes[0];
}

static bool is_near_turn(const turned *t, uint64_t now)
{
    return t->has_old && (t->old & 3) == (now & 3);
}

static bool take_coded_rotation(codec *c, const field *f, const turned *t, uint64_t *now, bool *lands, uint64_t start)
{
    const unsigned bits = f->type.bits;
    unsigned symbol = bits + 1;
    *now = t->old & 3;
    for (unsigned part = 0; !c->coding->plain && part < 3; part++) {
        uint64_t moved = 0;
        bool there = true;
        if (!take_code(c, table_for_part(f, t, part), &symbol, start, f->name))
            return false;
        if (symbol > bits && part == 0)
            break;
        *lands = *lands && t->has_old && symbol <= bits;
        if (!*lands)
            return true;
        if (!take_coded_difference(c, symbol, part_of_rotation(t->old, part, bits), rotation_steps(bits), 0, &moved,
                                   &there, start, f->name))
            return false;
        *lands = there;
        if (!there)
            return true;
        *now |= moved << (2 + part * bits);
    }
    return symbol <= bits || codec_bits(c, 2 + 3 * bits, now, start, f->name);
}

static void note_rotation(codec *c, const field *f, const turned *t, uint64_t code, const datum *now)
{
    const unsigned bits = f->type.bits;
    const char *symbols = arena_printf(c->arena, "in full: symbol %u of %s", bits + 1, table_for_part(f, t, 0)->name);
    for (unsigned part = 0; is_near_turn(t, code) && part < 3; part++) {
        const way w = way_between(part_of_rotation(t->old, part, bits), part_of_rotation(code, part, bits), 0);
        const char *words = difference_words(c, table_for_part(f, t, part), w);
        symbols = part == 0 ? words : arena_printf(c->arena, "%s, %s", symbols, words);
    }
    note_value(c, &f->type, now, symbols);
}

bool coded_rotation(codec *c, const field *f, const datum *base, const datum *was, datum *now)
{
    const unsigned bits = f->type.bits;
    const uint64_t start = c->bit;
    turned t = {0};
    uint64_t code = 0;
    pattern coded = {0}, plain = {0};
    bool lands = true;
    t.has_old = scalar_code(&f->type, base, &t.old) == PKT_OK;
    t.moves = t.has_old && scalar_code(&f->type, was, &t.was) == PKT_OK && (t.old & 3) == (t.was & 3);
    if (c->reading) {
        if (!take_coded_rotation(c, f, &t, &code, &lands, start))
            return false;
        if (!lands || scalar_from_code(&f->type, code, now) != PKT_OK)
            return codec_fail(c, PKT_ERROR_RANGE, start, f->name);
    } else {
        pkt_code why = scalar_code(&f->type, now, &code);
        if (why != PKT_OK)
            return codec_fail(c, why, start, f->name);
    }
    pattern_add(&plain, code, 2 + 3 * bits);
    if (is_near_turn(&t, code)) {
        for (unsigned part = 0; part < 3; part++)
            add_difference(c, &coded, table_for_part(f, &t, part),
                           way_between(part_of_rotation(t.old, part, bits), part_of_rotation(code, part, bits), 0), 0,
                           0);
    } else {
        add_code_pattern(c, &coded, table_for_part(f, &t, 0), bits + 1, 0, 0);
        pattern_add(&coded, code, 2 + 3 * bits);
    }
    if (c->note)
        note_rotation(c, f, &t, code, now);
    return settle_forms(c, &coded, &plain, start, f->name);
}

/* ---- change masks */

const char *changed_names(codec *c, const item *items, const bool *changed)
{
    const char *text = "";
    for (const item *i = items; i; i = i->next)
        if (i->kind == ITEM_FIELD && *changed++)
            text = arena_printf(c->arena, *text ? "%s, %s" : "%s%s", text, i->as.field->name);
    return *text ? text : "nothing";
}

/* Reads the coded form of a mask. */
static bool take_mask(codec *c, const block *b, uint64_t *mask, uint64_t start)
{
    unsigned symbol, at = 0;
    *mask = 0;
    for (unsigned g = 0; g < mask_tables(b); g++) {
        if (!take_code(c, b->masks[g], &symbol, start, "changes"))
            return false;
        if (b->mask_values && symbol == b->mask_values->count)
            return codec_bits(c, b->mask_fields, mask, start, "changes");
        *mask |= b->mask_values ? b->mask_values->codes[symbol] : (uint64_t)symbol << at;
        at += mask_group_size(b->mask_fields, g);
    }
    return true;
}

static void mask_pattern(const block *b, uint64_t mask, pattern *p)
{
    const unsigned symbol = b->mask_values ? symbol_of_value(b->mask_values, mask) : 0;
    unsigned at = 0;
    if (b->mask_values) {
        add_code(p, b->masks[0], symbol);
        if (symbol == b->mask_values->count)
            pattern_add(p, mask, b->mask_fields);
        return;
    }
    for (unsigned g = 0; g < mask_tables(b); at += mask_group_size(b->mask_fields, g++))
        add_code(p, b->masks[g], (unsigned)(mask >> at & ones(mask_group_size(b->mask_fields, g))));
}

bool coded_mask(codec *c, const block *b, unsigned count, bool *changed)
{
    const uint64_t start = c->bit;
    pattern coded = {0}, plain = {0};
    uint64_t mask = 0;
    for (unsigned i = 0; i < count; i++)
        mask |= (uint64_t)changed[i] << i;
    if (c->reading &&
        !(c->coding->plain ? codec_bits(c, count, &mask, start, "changes") : take_mask(c, b, &mask, start)))
        return false;
    for (unsigned i = 0; i < count; i++)
        changed[i] = (mask >> i & 1) != 0;
    mask_pattern(b, mask, &coded);
    pattern_add(&plain, mask, count);
    if (c->coding->count)
        c->coding->count(c->coding->user, b->masks[0], 0, 0, mask);
    if (!c->reading && (c->coding->plain ? plain.count : coded.count) > c->limit - c->bit)
        return codec_fail(c, PKT_ERROR_CAPACITY, start, "changes");
    if (c->note)
        *c->note = changed_names(c, b->items, changed);
    return settle_forms(c, &coded, &plain, start, "changes");
}

/* ---- changed elements */

static bool no_element(codec *c, void *user, uint32_t index)
{
    (void)c;
    (void)user;
    (void)index;
    return true;
}

static uint64_t index_list_bits(codec *c, index_list *changed, uint32_t n)
{
    codec_error error;
    codec scratch = codec_scratch(c, &error);
    (void)codec_subset(&scratch, SPARSE_AUTO, n, n, changed, "", no_element, NULL);
    return scratch.bit;
}

/* Writes a run, or counts its bits if `writes` is false. */
static bool put_run(codec *c, const code_table *t, uint32_t run, bool last, bool writes, uint64_t *bits,
                    const char *name)
{
    const unsigned symbol = last ? t->count - 1 : digits_of(run);
    pattern p = {0};
    add_code_pattern(c, &p, t, symbol, 0, 0);
    if (!last && symbol > 1)
        pattern_add(&p, run, symbol - 1);
    *bits += p.count;
    return !writes || codec_put(c, &p, name);
}

static bool put_runs(codec *c, const code_table *t, const bool *changed, const bool *expected, uint32_t n, bool writes,
                     uint64_t *bits, const char *name)
{
    uint32_t run = 0;
    *bits = 0;
    for (uint32_t i = 0; i < n; i++, run++) {
        if (changed[i] == expected[i])
            continue;
        if (!put_run(c, t, run, false, writes, bits, name))
            return false;
        run = UINT32_MAX;
    }
    return run == 0 || put_run(c, t, 0, true, writes, bits, name);
}

static void note_run(codec *c, const code_table *t, unsigned symbol, const char *text)
{
    if (c->note)
        *c->note = arena_printf(c->arena, "%s: symbol %u of %s", text, symbol, t->name);
}

static bool take_runs(codec *c, const code_table *t, bool *changed, const bool *expected, uint32_t n, const char *name)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++)
        changed[i] = expected[i];
    while (at < n) {
        const uint64_t start = c->bit;
        unsigned symbol;
        uint64_t low = 0;
        if (!take_code(c, t, &symbol, start, name))
            return false;
        if (symbol + 1 == t->count) {
            note_run(c, t, symbol, "the others are as expected");
            return codec_done(c, start, name);
        }
        if (symbol > 1 && !codec_bits(c, symbol - 1, &low, start, name))
            return false;
        const uint64_t run = symbol ? (uint64_t)1 << (symbol - 1) | low : 0;
        if (run >= n - at)
            return codec_fail(c, PKT_ERROR_RANGE, start, name);
        at += (uint32_t)run;
        changed[at] = !changed[at];
        note_run(c, t, symbol, arena_printf(c->arena, "[%" PRIu32 "] %s", at, changed[at] ? "changes" : "stays"));
        at++;
        codec_done(c, start, name);
    }
    return true;
}

bool coded_elements(codec *c, const field *f, bool *changed, const bool *expected, uint32_t n)
{
    index_list list = {0};
    uint64_t bits;
    if (c->reading && !c->coding->plain && !take_runs(c, f->runs, changed, expected, n, f->name))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if ((!c->reading || !c->coding->plain) && changed[i])
            index_add(c->arena, &list, i);
    if (c->coding->plain) {
        if (!codec_subset(c, SPARSE_AUTO, n, n, &list, f->name, no_element, NULL))
            return false;
        for (uint32_t i = 0; c->reading && i < list.count; i++)
            changed[list.at[i]] = true;
    }
    if (!put_runs(c, f->runs, changed, expected, n, !c->reading && !c->coding->plain, &bits, f->name))
        return false;
    c->coding->lead += (int64_t)index_list_bits(c, &list, n) - (int64_t)bits;
    return true;
}
