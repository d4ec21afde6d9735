/* values.c - random values: limits of ranges, values in between, and values that cannot be written.
 * SPDX-License-Identifier: MIT
 */
#include "values.h"
#include "codec/codec_scalar.h"
#include "model/type_table.h"

#include <math.h>
#include <string.h>

enum { ALL_WILD = 1 };

typedef struct draw {
    arena *arena;
    lot *lot;
    const decl *whole; /* the type of the whole value, of which a field may be a small part */
    uint32_t wild;
    uint32_t rare; /* one in so many optional parts is present, so that little often follows it; 0: half of them */
    bool least;    /* no optional part is present, and numbers have their shortest form */
} draw;

static uint32_t below(draw *w, uint32_t n)
{
    return lot_below(w->lot, n);
}

static bool one_in(draw *w, uint32_t n)
{
    return lot_one_in(w->lot, n);
}

static bool is_wild(draw *w)
{
    return w->wild != 0 && one_in(w, w->wild);
}

/* Whether to leave out an optional part. */
static bool is_left_out(draw *w)
{
    return w->least || (w->rare != 0 && !one_in(w, w->rare));
}

static bool is_present(draw *w)
{
    return !w->least && one_in(w, w->rare ? w->rare : 2);
}

/* ---- scalars */

/* The value of n after conversion to a storage type, sign-extended. */
static uint64_t stored(storage s, uint64_t n)
{
    switch (s) {
    case STORAGE_BOOL: return n & 1;
    case STORAGE_U8: return (uint8_t)n;
    case STORAGE_U16: return (uint16_t)n;
    case STORAGE_U32: return (uint32_t)n;
    case STORAGE_I8: return (uint64_t)(int64_t)(int8_t)n;
    case STORAGE_I16: return (uint64_t)(int64_t)(int16_t)n;
    case STORAGE_I32: return (uint64_t)(int64_t)(int32_t)n;
    case STORAGE_NONE:
    case STORAGE_U64:
    case STORAGE_I64:
    case STORAGE_FLOAT:
    case STORAGE_DOUBLE: break;
    }
    return n;
}

/* A random number from low to high, modulo 2^64. */
static uint64_t draw_between(draw *w, uint64_t low, uint64_t high)
{
    uint64_t range = high - low;
    switch (below(w, 6)) {
    case 0: return low;
    case 1: return high;
    case 2: return low + (range ? below(w, range > 20 ? 20 : (uint32_t)range + 1) : 0);
    case 3: return high - (range ? below(w, range > 20 ? 20 : (uint32_t)range + 1) : 0);
    case 4: return low + (lot_next(w->lot) >> below(w, 64)) % (range == UINT64_MAX ? range : range + 1);
    default: return low + (range == UINT64_MAX ? lot_next(w->lot) : lot_next(w->lot) % (range + 1));
    }
}

static uint64_t draw_number(draw *w, const type *t, uint64_t low, uint64_t high)
{
    if (!is_wild(w) && !(t->clamps && one_in(w, 3)))
        return draw_between(w, low, high);
    switch (below(w, 3)) {
    case 0: return stored(t->storage, high + 1);
    case 1: return stored(t->storage, low - 1);
    default: return stored(t->storage, lot_next(w->lot) >> below(w, 64));
    }
}

static uint64_t draw_enum(draw *w, const type *t)
{
    const member *m = t->decl->members;
    if (is_wild(w) || (t->decl->width && one_in(w, 3)))
        return draw_number(w, t, 0, num_bits(t->high));
    for (uint32_t i = below(w, t->decl->member_count); i > 0; i--)
        m = m->next;
    return num_bits(m->value);
}

static double draw_unit(draw *w)
{
    return (double)(lot_next(w->lot) >> 11) / 9007199254740992.0;
}

/* A number of 16 bits that is a float in memory, or the middle of two, or a float next to one of these. NaNs may have
 * payload bits that 16 bits do not keep. */
static uint64_t draw_near_narrow(draw *w, const real_row *r)
{
    const uint64_t sign = (uint64_t)below(w, 2) << 31, code = below(w, 0x8000),
                   middle = UINT64_C(1) << (23 - r->digits);
    const uint64_t beside = one_in(w, 2) ? 0 : one_in(w, 2) ? middle : middle - 1 + below(w, 3);
    const unsigned greatest = (unsigned)r->exponent, exponent = (unsigned)(code >> (r->digits - 1));
    if (one_in(w, 3)) /* in the range of subnormal numbers */
        return sign | real_to_bits(STORAGE_FLOAT, ldexp(code + below(w, 3) / 2.0, -14 - r->exponent));
    const uint64_t more = exponent > 2 * greatest ? 254 - 2 * greatest : 127 - greatest;
    return sign | ((more << 23) + (code << (24 - r->digits)) + beside);
}

static uint64_t draw_raw_real(draw *w, const type *t)
{
    static const double some[] = {0, -0.0, 1, -1, 0.1, 1e-40, 3e38, 65504, INFINITY, -INFINITY, 16777216, 65520, 65519};
    const storage s = t->storage;
    uint64_t bits = lot_next(w->lot);
    if (is_narrow_real(t) && one_in(w, 2))
        return draw_near_narrow(w, real_row_of(t));
    if (one_in(w, 2))
        return real_to_bits(s, some[below(w, sizeof some / sizeof *some)]);
    return s == STORAGE_FLOAT ? bits & UINT32_MAX : bits;
}

/* A real that is a few places away in the order of all, or the negative. */
static uint64_t draw_near_real(draw *w, const type *t, uint64_t bits)
{
    const unsigned width = storage_bits(t->storage), digits = t->storage == STORAGE_FLOAT ? 24 : 53;
    const uint64_t step = lot_next(w->lot) >> (40 + below(w, 24)) << (digits - real_row_of(t)->digits);
    if (one_in(w, 10))
        return bits ^ (uint64_t)1 << (width - 1);
    return (one_in(w, 2) ? bits + step : bits - step) & UINT64_MAX >> (64 - width);
}

static double draw_quantized(draw *w, const type *t)
{
    double delta = t->real_high - t->real_low;
    if (is_wild(w))
        return one_in(w, 2) ? (double)NAN : one_in(w, 2) ? (double)INFINITY : (double)-INFINITY;
    switch (below(w, 6)) {
    case 0: return t->real_low;
    case 1: return t->real_high;
    case 2: return t->real_low + (floor(draw_unit(w) * delta / t->real_step) + 0.5) * t->real_step;
    case 3: return t->real_low - delta * 3 * draw_unit(w) * (one_in(w, 2) ? 1 : -2);
    case 4: return t->real_low + floor(draw_unit(w) * delta / t->real_step) * t->real_step;
    default: return t->real_low + draw_unit(w) * delta;
    }
}

static void draw_rotation(draw *w, float *parts, int count)
{
    double sum = 0, part[4];
    for (int i = 0; i < count; i++) {
        part[i] = one_in(w, 5) ? 0 : one_in(w, 5) ? 1 : one_in(w, 8) ? -1 : 2 * draw_unit(w) - 1;
        sum += part[i] * part[i];
    }
    double length = sqrt(sum);
    if (length == 0)
        part[0] = length = 1;
    if (one_in(w, 4))
        length *= count == 4 ? 0.75 + 0.6 * draw_unit(w) : 1e-3 + 1e5 * draw_unit(w);
    if (is_wild(w))
        length = one_in(w, 3) ? 1e30 : one_in(w, 2) ? (double)NAN : length / (0.5 + draw_unit(w));
    for (int i = 0; i < count; i++)
        parts[i] = (float)(part[i] / length);
    if (is_wild(w))
        parts[below(w, (uint32_t)count)] = INFINITY;
}

static uint32_t draw_size(draw *w, uint32_t most)
{
    if (is_left_out(w) || one_in(w, 8))
        return 0;
    return one_in(w, 4) ? most : below(w, most + 1);
}

/* Well-formed UTF-8 of at most `most` bytes; if it is wild, with an error. */
static void draw_text(draw *w, datum *d, uint32_t most)
{
    static const char *const characters[] = {"a",
                                             "Z",
                                             " ",
                                             "\x7f",
                                             "\x01",
                                             "\xc2\x80",
                                             "\xdf\xbf",
                                             "\xe0\xa0\x80",
                                             "\xed\x9f\xbf",
                                             "\xee\x80\x80",
                                             "\xef\xbf\xbf",
                                             "\xf0\x90\x80\x80",
                                             "\xf4\x8f\xbf\xbf"};
    static const char *const broken[] = {"\x80",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
                                         "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xff",
                                         "\xe2\x82",     "\xf8\x88\x80\x80"};
    uint32_t size = draw_size(w, most);
    bool plain = one_in(w, 3), fault = is_wild(w);
    d->bytes = arena_alloc(w->arena, most + 8);
    while (d->size < size) {
        const char *next = plain ? characters[below(w, 3)] : characters[below(w, 13)];
        if (fault && one_in(w, 3))
            next = broken[below(w, 10)];
        size_t length = strlen(next);
        if (d->size + length > size) {
            length = 1;
            next = "x";
        }
        memcpy(d->bytes + d->size, next, length);
        d->size += (uint32_t)length;
    }
    if (fault && one_in(w, 3)) {
        memset(d->bytes + d->size, 'y', most + 1 - d->size);
        d->size = most + 1;
    }
}

static datum draw_of(draw *w, const decl *d);

static bool fits_size(uint32_t size, uint32_t most)
{
    return size <= (most <= UINT8_MAX ? UINT8_MAX : most <= UINT16_MAX ? UINT16_MAX : UINT32_MAX);
}

/* ---- what conditions compare with */

typedef struct constants {
    uint64_t found[32];
    uint32_t count;
} constants;

static void find_in_condition(constants *to, const expr *e)
{
    if (!e)
        return;
    if (e->kind == EXPR_VALUE && to->count < 32)
        to->found[to->count++] = num_bits(e->number);
    find_in_condition(to, e->left);
    find_in_condition(to, e->right);
}

static void find_in_block(constants *to, const block *b)
{
    for (const item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_IF) {
            find_in_condition(to, i->as.branch.condition);
            find_in_block(to, &i->as.branch.then);
            find_in_block(to, &i->as.branch.other);
        }
        for (const arm *a = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; a; a = a->next) {
            for (uint32_t v = 0; v < a->value_count; v++)
                find_in_condition(to, a->values[v]);
            find_in_block(to, &a->body);
        }
    }
}

/* A number that a condition in the struct of the field, or in the type of the whole value, uses, or one next to it. */
static bool draw_compared(draw *w, const field *f, uint64_t *number)
{
    constants all = {.count = 0};
    const uint64_t low = num_bits(f->type.low), range = num_bits(f->type.high) - low;
    find_in_block(&all, &f->owner->body);
    if (w->whole != f->owner)
        find_in_block(&all, &w->whole->body);
    if (all.count == 0)
        return false;
    *number = all.found[below(w, all.count)] + below(w, 3) - 1;
    return *number - low <= range;
}

/* A value that differs in one bit on the wire from the usual value, so that a flipped bit sends the usual one. */
static datum draw_near_usual(draw *w, const field *f)
{
    const type *t = &f->type;
    datum d = base_datum(w->arena, f);
    const uint64_t low = num_bits(t->low), range = num_bits(t->high) - low;
    const uint64_t raw = (d.number - low) ^ UINT64_C(1) << below(w, 20);
    if ((t->kind == TYPE_BITS || t->kind == TYPE_INT || t->kind == TYPE_FIXED) && raw <= range)
        d.number = low + raw;
    return d;
}

/* A number with `or raw`: of a step, or any float, also one next to a step. */
static uint64_t draw_or_raw(draw *w, const type *t)
{
    datum d = {.number = real_to_bits(t->storage, draw_quantized(w, t))};
    uint64_t code;
    if (one_in(w, 3))
        return draw_raw_real(w, t);
    if (scalar_code(t, &d, &code) == PKT_OK && is_raw_code(code) && !one_in(w, 4)) {
        type steps = *t;
        steps.kind = TYPE_QUANTIZED;
        steps.facts.known = false;
        if (scalar_code(&steps, &d, &code) == PKT_OK)
            (void)scalar_from_code(&steps, code, &d);
    }
    return one_in(w, 8) ? d.number ^ UINT64_C(1) << below(w, 32) : d.number;
}

static datum draw_datum(draw *w, const field *f, const record *r)
{
    const type *t = &f->type;
    datum d = {0};
    if (f->has_unless && is_left_out(w))
        return base_datum(w->arena, f);
    if (f->has_unless && one_in(w, 2))
        return one_in(w, 2) ? draw_near_usual(w, f) : base_datum(w->arena, f);
    if (f->after) {
        uint64_t start = slot_of(r, f->after)->data[0].number,
                 gap = 1 + (lot_next(w->lot) & UINT32_MAX) % (1u << (1 + below(w, 18)));
        static const uint32_t edges[] = {1, 2, 6, 7, 23, 24, 280, 281, 4377, 4378, 69914, 69915};
        if (one_in(w, 3))
            gap = edges[below(w, 12)];
        if (w->least || one_in(w, 6))
            gap = 1;
        d.number = start + gap > UINT32_MAX ? UINT32_MAX : start + gap;
        if (is_wild(w))
            d.number = one_in(w, 2) ? start : lot_next(w->lot) & UINT32_MAX;
        return d;
    }
    switch (t->kind) {
    case TYPE_BOOL: d.number = below(w, 2); break;
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_FLAGS:
        if (is_wild(w) || !one_in(w, 4) || !draw_compared(w, f, &d.number))
            d.number = draw_number(w, t, num_bits(t->low), num_bits(t->high));
        break;
    case TYPE_COMPACT:
        d.number = w->least || one_in(w, 6) ? below(w, 16)
                                            : (lot_next(w->lot) >> below(w, 64)) & (UINT64_MAX >> (64 - t->bits));
        break;
    case TYPE_ENUM: d.number = draw_enum(w, t); break;
    case TYPE_FLOAT: d.number = draw_raw_real(w, t); break;
    case TYPE_QUANTIZED: d.number = real_to_bits(t->storage, draw_quantized(w, t)); break;
    case TYPE_OR_RAW: d.number = draw_or_raw(w, t); break;
    case TYPE_QUAT: draw_rotation(w, d.parts, 4); break;
    case TYPE_UNIT: draw_rotation(w, d.parts, 3); break;
    case TYPE_STRING: draw_text(w, &d, t->length); break;
    case TYPE_BYTES:
        d.size = is_wild(w) && fits_size(t->length + 1, t->length) ? t->length + 1 : draw_size(w, t->length);
        d.bytes = arena_alloc(w->arena, t->length + 1);
        for (uint32_t i = 0; i < t->length; i++)
            d.bytes[i] = (uint8_t)lot_next(w->lot);
        break;
    case TYPE_REF: d.number = draw_between(w, 0, num_bits(t->high)); break;
    case TYPE_STRUCT:
    case TYPE_UNION: d = draw_of(w, t->decl); break;
    case TYPE_FOREIGN: break;
    }
    return d;
}

/* ---- fields */

static void draw_subset(draw *w, const field *f, const record *r, slot *s)
{
    uint32_t n = f->dims[0], most = is_wild(w) ? n : f->limit, spacing = 1 + below(w, one_in(w, 2) ? 3 : n);
    s->indices = ARENA_ARRAY(w->arena, uint32_t, n);
    s->data = ARENA_ARRAY(w->arena, datum, n);
    s->count = 0;
    if (is_left_out(w))
        return;
    for (uint32_t i = below(w, 2 * spacing); i < n && s->count < most && !one_in(w, 40); i += 1 + below(w, spacing)) {
        s->indices[s->count] = i;
        s->data[s->count++] = draw_datum(w, f, r);
    }
}

/* ---- lists with keys */

static num key_of(const field *list, const datum *element)
{
    return datum_num(&list->by->type, &slot_of(element->record, list->by)->data[0]);
}

/* One code of the key of a list: often near one of the others, so that both lists have it. */
static uint64_t draw_key(draw *w, const field *list, uint64_t near)
{
    const type *t = &list->by->type;
    const uint64_t low = num_bits(t->low), range = num_bits(t->high) - low;
    static const uint32_t edges[] = {1, 2, 5, 6, 13, 14, 29, 30, 61, 62, 125, 126, 127};
    const uint64_t move = one_in(w, 2) ? edges[below(w, 13)] : below(w, 2 * list->dims[0]);
    if (!w->least && one_in(w, 4))
        return draw_between(w, low, low + range);
    return move <= range - (near - low) ? near + move : low;
}

static void set_key(arena *a, const field *list, record *r, uint64_t number)
{
    *slot_of(r, list->by) = (slot){.present = true, .count = 1, .data = ARENA_WITH(a, datum, .number = number)};
}

/* A new element with this key. */
static datum draw_keyed(draw *w, const field *list, uint64_t number);

/* Adds an element where its key belongs, unless the list has it. */
static void add_keyed(draw *w, const field *list, slot *s, uint64_t number)
{
    const type *t = &list->by->type;
    const datum key = {.number = number};
    uint32_t at = s->count;
    while (at > 0 && num_compare(key_of(list, &s->data[at - 1]), datum_num(t, &key)) >= 0)
        at--;
    if (at < s->count && num_compare(key_of(list, &s->data[at]), datum_num(t, &key)) == 0)
        return;
    memmove(&s->data[at + 1], &s->data[at], (s->count - at) * sizeof *s->data);
    s->data[at] = draw_keyed(w, list, number);
    s->count++;
}

/* A key that is out of range, or does not rise. */
static void spoil_key(draw *w, const field *list, slot *s)
{
    const type *t = &list->by->type;
    const uint32_t at = below(w, s->count);
    record *r = base_record(w->arena, list->type.decl);
    memcpy(r->slots, s->data[at].record->slots, list->type.decl->field_count * sizeof *r->slots);
    uint64_t number = num_bits(key_of(list, &s->data[below(w, s->count)]));
    if (one_in(w, 2))
        number = stored(t->storage, one_in(w, 2) ? num_bits(t->high) + 1 : num_bits(t->low) - 1);
    set_key(w->arena, list, r, number);
    s->data[at].record = r;
}

/* Adds up to `most` elements. The slot has room for all elements of the list. */
static void draw_elements(draw *w, const field *list, slot *s, uint32_t most)
{
    uint64_t key = num_bits(list->by->type.low);
    for (uint32_t i = 0; i < most && s->count < list->dims[0]; i++) {
        key = s->count > 0 && one_in(w, 2) ? num_bits(key_of(list, &s->data[below(w, s->count)])) : key;
        key = draw_key(w, list, key);
        add_keyed(w, list, s, key);
    }
    if (s->count > 0 && is_wild(w))
        spoil_key(w, list, s);
}

static void draw_list(draw *w, const field *f, slot *s)
{
    const uint32_t count = is_left_out(w) ? 0 : (uint32_t)draw_between(w, 0, f->dims[0]);
    s->data = ARENA_ARRAY(w->arena, datum, f->dims[0]);
    s->count = 0;
    if (is_wild(w) && fits_size(f->dims[0] + 1, f->dims[0])) {
        s->count = f->dims[0] + 1;
        s->data = NULL;
        return;
    }
    draw_elements(w, f, s, count);
}

static slot draw_slot(draw *w, const field *f, const record *r)
{
    slot s = {.present = !f->optional || is_present(w)};
    if (f->local || (!s.present && one_in(w, 2)))
        return s;
    if (f->array == ARRAY_SPARSE) {
        draw_subset(w, f, r, &s);
        return s;
    }
    if (f->by) {
        draw_list(w, f, &s);
        return s;
    }
    s.count = field_capacity(f);
    if (f->array == ARRAY_COUNTED) {
        s.count = is_left_out(w) ? f->count_low : (uint32_t)draw_between(w, f->count_low, f->dims[0]);
        if (is_wild(w)) {
            s.count = one_in(w, 2) || f->count_low == 0 ? f->dims[0] + 1 : f->count_low - 1;
            s.data = NULL;
            if (fits_size(s.count, f->dims[0]))
                return s;
            s.count = f->dims[0];
        }
    }
    s.data = ARENA_ARRAY(w->arena, datum, s.count);
    s.alike = false;
    for (uint32_t i = 0; i < s.count; i++)
        s.data[i] = i > 0 && one_in(w, 3) ? s.data[i - 1] : draw_datum(w, f, r);
    return s;
}

/* Conditions can depend on the key, so it is set first. */
static void draw_fields(draw *w, record *r)
{
    slot *s = r->slots;
    for (const field *f = r->decl->fields; f; f = f->next, s++)
        if (!f->key)
            *s = draw_slot(w, f, r);
}

static record *draw_record(draw *w, const decl *d)
{
    record *r = base_record(w->arena, d);
    draw_fields(w, r);
    return r;
}

static datum draw_keyed(draw *w, const field *list, uint64_t number)
{
    record *r = base_record(w->arena, list->type.decl);
    set_key(w->arena, list, r, number);
    draw_fields(w, r);
    return (datum){.record = r};
}

static const decl *member_type(const decl *d, uint64_t tag)
{
    const member *m = d->members;
    for (; tag > 0; tag--)
        m = m->next;
    return m->type;
}

static datum draw_of(draw *w, const decl *d)
{
    datum v = {0};
    if (d->kind == DECL_UNION) {
        v.tag = below(w, d->member_count);
        if (is_wild(w))
            v.tag = d->member_count + below(w, 2);
        if (v.tag < d->member_count)
            v.record = draw_record(w, member_type(d, v.tag));
    } else {
        v.record = draw_record(w, d);
    }
    return v;
}

datum draw_value(arena *a, lot *l, const decl *d, uint32_t wild)
{
    draw w = {.arena = a, .lot = l, .whole = d, .wild = wild, .rare = lot_one_in(l, 3) ? lot_one_in(l, 2) ? 6 : 60 : 0};
    return draw_of(&w, d);
}

datum draw_least(arena *a, lot *l, const decl *d)
{
    draw w = {.arena = a, .lot = l, .whole = d, .least = true};
    return draw_of(&w, d);
}

/* ---- varying */

static record *vary_record(draw *w, const record *from);

static datum vary_datum(draw *w, const field *f, const record *r, const datum *from)
{
    const type *t = &f->type;
    datum d = *from;
    if (w->wild == ALL_WILD || one_in(w, 4))
        return draw_datum(w, f, r);
    if ((t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) && from->record) {
        d.record = vary_record(w, from->record);
    } else if (t->kind == TYPE_QUANTIZED || (t->kind == TYPE_OR_RAW && !one_in(w, 4))) {
        double move = (double)below(w, 1u << below(w, 12)) * (one_in(w, 2) ? 1 : -1);
        double v = real_from_bits(t->storage, from->number) + move * t->real_step;
        d = (datum){.number = real_to_bits(t->storage, v)};
    } else if (t->kind == TYPE_QUAT) {
        const double spread = one_in(w, 2) ? 0.2 : one_in(w, 2) ? 0.01 : 0.002;
        for (int i = 0; i < 4; i++)
            d.parts[i] += (float)((draw_unit(w) - 0.5) * spread);
    } else if ((t->kind == TYPE_INT || t->kind == TYPE_BITS || t->kind == TYPE_FIXED || t->kind == TYPE_COMPACT) &&
               !f->after) {
        num low = t->low, high = t->high, n = {0}, step = num_u64(lot_next(w->lot) >> (40 + below(w, 24)));
        bool fits = one_in(w, 2) ? num_add(datum_num(t, from), step, &n) : num_subtract(datum_num(t, from), step, &n);
        if (fits && num_compare(n, low) >= 0 && num_compare(n, high) <= 0)
            d.number = num_bits(n);
    } else if (t->kind == TYPE_FLOAT && !one_in(w, 4)) {
        d.number = draw_near_real(w, t, from->number);
    } else {
        d = draw_datum(w, f, r);
    }
    return d;
}

/* Some elements are gone, some are new, and some have changed. */
static slot vary_list(draw *w, const field *f, const slot *from)
{
    slot s = {.present = true, .data = ARENA_ARRAY(w->arena, datum, f->dims[0])};
    const uint32_t gone = one_in(w, 3) ? 0 : 2 + below(w, 8), changed = one_in(w, 4) ? 0 : 1 + below(w, 8);
    for (uint32_t i = 0; i < from->count; i++) {
        datum d = *slot_at(from, i);
        if (gone != 0 && one_in(w, gone))
            continue;
        if (changed != 0 && one_in(w, changed))
            d.record = vary_record(w, d.record);
        s.data[s.count++] = d;
    }
    if (one_in(w, 2))
        draw_elements(w, f, &s, 1 + below(w, 4));
    return s;
}

static slot vary_slot(draw *w, const field *f, const record *r, const slot *from)
{
    slot s = *from;
    if (f->local || f->key || one_in(w, 2))
        return s;
    if (f->by && s.data && !one_in(w, 4))
        return vary_list(w, f, from);
    if (one_in(w, 4) || !s.present || !s.data || f->array == ARRAY_SPARSE)
        return draw_slot(w, f, r);
    s.data = ARENA_ARRAY(w->arena, datum, s.count);
    s.alike = false;
    for (uint32_t i = 0; i < s.count; i++)
        s.data[i] = f->array == ARRAY_NONE || one_in(w, 3) ? vary_datum(w, f, r, slot_at(from, i)) : *slot_at(from, i);
    if (f->array == ARRAY_COUNTED && s.count > f->count_low && one_in(w, 3))
        s.count = f->count_low + below(w, s.count - f->count_low);
    return s;
}

static record *vary_record(draw *w, const record *from)
{
    record *r = base_record(w->arena, from->decl);
    slot *s = r->slots;
    const slot *old = from->slots;
    for (const field *f = from->decl->fields; f; f = f->next, old++)
        *s++ = f->after && one_in(w, 3) ? draw_slot(w, f, r) : vary_slot(w, f, r, old);
    return r;
}

datum vary_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t wild)
{
    draw w = {.arena = a, .lot = l, .whole = d, .wild = wild};
    datum v = *from;
    if (!from->record || (d->kind == DECL_UNION && one_in(&w, 4)))
        return draw_value(a, l, d, wild);
    v.record = vary_record(&w, from->record);
    return v;
}

/* ---- one change */

static uint32_t count_fields(const decl *d)
{
    uint32_t count = 0;
    for (const field *f = d->fields; f; f = f->next)
        count++;
    return count;
}

static record *copy_of_record(arena *a, const record *from)
{
    record *r = base_record(a, from->decl);
    memcpy(r->slots, from->slots, count_fields(from->decl) * sizeof *r->slots);
    return r;
}

static datum change_of(draw *w, const decl *d, const datum *from, uint32_t which);

static void change_element(draw *w, const field *f, const record *r, slot *s)
{
    datum *data = ARENA_ARRAY(w->arena, datum, s->count);
    uint32_t which = below(w, s->count);
    for (uint32_t i = 0; i < s->count; i++)
        data[i] = *slot_at(s, i);
    if (f->by && w->wild == ALL_WILD && one_in(w, 3)) {
        s->data = data;
        spoil_key(w, f, s);
        return;
    }
    if (f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION)
        data[which] = change_of(w, f->type.decl, &data[which], below(w, UINT16_MAX));
    else
        data[which] = vary_datum(w, f, r, &data[which]);
    s->data = data;
    s->alike = false;
}

static void change_indices(draw *w, const field *f, slot *s)
{
    uint32_t which = below(w, s->count), low = which > 0 ? s->indices[which - 1] + 1 : 0,
             high = which + 1 < s->count ? s->indices[which + 1] : f->dims[0];
    uint32_t *indices = ARENA_ARRAY(w->arena, uint32_t, s->count);
    memcpy(indices, s->indices, s->count * sizeof *indices);
    indices[which] = low + below(w, high - low);
    s->indices = indices;
}

static datum change_of(draw *w, const decl *d, const datum *from, uint32_t which)
{
    datum v = *from;
    if (!from->record || (d->kind == DECL_UNION && one_in(w, 4)))
        return draw_of(w, d);
    v.record = copy_of_record(w->arena, from->record);
    const uint32_t count = count_fields(v.record->decl);
    const field *f = v.record->decl->fields;
    for (uint32_t left = count ? which % count : 0; left > 0; left--)
        f = f->next;
    if (!f || f->local || f->key)
        return v;
    slot *s = slot_of(v.record, f);
    if (!s->present || !s->data || s->count == 0 || one_in(w, 4))
        *s = draw_slot(w, f, v.record);
    else if (f->array == ARRAY_SPARSE && one_in(w, 2))
        change_indices(w, f, s);
    else if (f->by && one_in(w, 3))
        *s = vary_list(w, f, s);
    else
        change_element(w, f, v.record, s);
    return v;
}

datum change_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t which)
{
    draw w = {.arena = a, .lot = l, .whole = d};
    return change_of(&w, d, from, which);
}

datum spoil_value(arena *a, lot *l, const decl *d, const datum *from, uint32_t which)
{
    draw w = {.arena = a, .lot = l, .whole = d, .wild = ALL_WILD};
    return change_of(&w, d, from, which);
}

datum value_without(arena *a, const datum *from, const field *f, uint32_t index)
{
    datum v = *from;
    v.record = copy_of_record(a, from->record);
    slot *s = slot_of(v.record, f);
    const slot *old = slot_of(from->record, f);
    s->indices = ARENA_ARRAY(a, uint32_t, s->count);
    s->data = ARENA_ARRAY(a, datum, s->count);
    s->count = 0;
    for (uint32_t i = 0; i < old->count; i++) {
        if (old->indices[i] == index)
            continue;
        s->indices[s->count] = old->indices[i];
        s->data[s->count++] = old->data[i];
    }
    return v;
}

/* ---- initial values */

static datum initial_datum(arena *a, const field *f)
{
    const type *t = &f->type;
    datum d = base_datum(a, f);
    if (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION)
        d = initial_value(a, t->decl);
    else if (f->has_initial && is_real(t))
        d.number = real_to_bits(t->storage, f->initial.real);
    else if (f->has_initial)
        d.number = num_bits(f->initial.number);
    return d;
}

datum initial_value(arena *a, const decl *d)
{
    datum v = base_of_type(a, d);
    slot *s = v.record->slots;
    for (const field *f = v.record->decl->fields; f; f = f->next, s++) {
        field bare = *f;
        bare.optional = false;
        *s = base_slot(a, &bare);
        s->present = !f->optional;
        for (uint32_t i = 0; i < slot_held(s); i++)
            s->data[i] = initial_datum(a, f);
    }
    return v;
}
