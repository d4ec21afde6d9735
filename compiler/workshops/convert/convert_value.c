/* convert_value.c - makes the new value of each field from the old one, and reports losses.
 * SPDX-License-Identifier: MIT
 */
#include "convert/convert_value.h"
#include "codec/codec_scalar.h"
#include "model/type_table.h"
#include "convert/convert_plan.h"

#include <inttypes.h>
#include <string.h>

/* The place of the current value: a field, or an element of one. */
typedef struct value_place {
    const struct value_place *outer; /* NULL: it is the whole value */
    const char *name;                /* of a field or member; NULL: an element */
    uint32_t subscript;
} value_place;

typedef struct converter {
    arena *arena;
    const old_version *version;
    const conversion *conversion; /* of the version */
    bases *bases;
    map *initials;                /* (decl, a mark): the initial value of a struct; see initial_kind */
    map *plans;                   /* see plan_of */
    const convert_memory *memory; /* or NULL */
    arena *lasting;               /* of the bases, initials and plans */
    bool sound;                   /* the struct around the current value has been read */
    loss_report *report;
    void *user;
    uint64_t losses;
    const value_place *place;
} converter;

static const char *path_of(const converter *k, const value_place *p)
{
    if (!p->outer)
        return p->name;
    const char *outer = path_of(k, p->outer);
    return p->name ? arena_printf(k->arena, "%s.%s", outer, p->name)
                   : arena_printf(k->arena, "%s[%" PRIu32 "]", outer, p->subscript);
}

static void report_loss(converter *k, const char *what, bool rounded)
{
    k->losses++;
    if (k->report)
        k->report(k->user, path_of(k, k->place), what, rounded);
}

static void lose(converter *k, const char *what)
{
    report_loss(k, what, false);
}

/* ---- initial values */

/* The base value, the initial value, or the initial value whose `after` fields are not yet in order. */
typedef enum initial_kind { INITIAL_BASE, INITIAL_GIVEN, INITIAL_UNRELATED, INITIAL_KINDS } initial_kind;

static slot initial_slot(const converter *k, arena *a, const field *f, bool initial);

/* Mends fields that must be greater than another but no longer are. Changes a copy, because the data may be shared. */
static void relate(arena *a, record *r)
{
    for (const field *f = r->decl->fields; f; f = f->next) {
        const slot *start = f->after ? slot_of(r, f->after) : NULL;
        slot *s = slot_of(r, f);
        if (!start || s->data[0].number > start->data[0].number || start->data[0].number == UINT32_MAX)
            continue;
        datum *greater = ARENA_NEW(a, datum);
        *greater = s->data[0];
        greater->number = start->data[0].number + 1;
        s->data = greater;
    }
}

/* Nobody may change its slots. */
static const record *shared_initial(const converter *k, const decl *d, initial_kind kind)
{
    static const char marks[INITIAL_KINDS] = "";
    const char *mark = &marks[kind];
    record *r = map_get(k->initials, d, mark);
    if (!r) {
        r = ARENA_NEW(k->lasting, record);
        r->decl = d;
        r->slots = ARENA_ARRAY(k->lasting, slot, d->field_count + 1);
        for (const field *f = d->fields; f; f = f->next)
            r->slots[f->index] = initial_slot(k, k->lasting, f, kind != INITIAL_BASE);
        if (kind != INITIAL_UNRELATED)
            relate(k->lasting, r);
        r->weight = record_weight(r);
        map_put(k->lasting, k->initials, d, mark, r);
    }
    return r;
}

static record *initial_record(const converter *k, const decl *d, initial_kind kind)
{
    record *r = ARENA_NEW(k->arena, record);
    r->decl = d;
    r->slots = ARENA_ARRAY(k->arena, slot, d->field_count + 1);
    memcpy(r->slots, shared_initial(k, d, kind)->slots, d->field_count * sizeof *r->slots);
    return r;
}

static datum initial_datum(const converter *k, const field *f, bool initial)
{
    const type *t = &f->type;
    if (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) {
        const decl *of = t->kind == TYPE_UNION ? t->decl->members->type : t->decl;
        return (datum){.record = (record *)(uintptr_t)shared_initial(
                           k, of, initial && gives_initial(f) ? INITIAL_GIVEN : INITIAL_BASE)};
    }
    return bases_given(k->bases, f, initial);
}

static void fill_with_initial(const converter *k, const field *f, bool initial, slot *s)
{
    for (uint32_t i = 0; i < slot_held(s); i++)
        s->data[i] = i == 0 ? initial_datum(k, f, initial) : s->data[0];
}

static slot initial_slot(const converter *k, arena *a, const field *f, bool initial)
{
    slot s = bases_slot(k->bases, a, f);
    fill_with_initial(k, f, initial, &s);
    return s;
}

/* ---- numbers */

static bool is_not_nan(double real)
{
    return real >= 0 || real < 0;
}

/* In units of 1/2^fraction_bits. */
static num whole_of_real(double real, unsigned fraction_bits)
{
    static const double end = 18446744073709551616.0;
    double size = real < 0 ? -real : real;
    num n = num_u64(UINT64_MAX);
    if (!is_not_nan(real))
        return num_u64(0);
    while (fraction_bits-- > 0)
        size *= 2;
    if (size < end) {
        const uint64_t whole = (uint64_t)size;
        n = num_u64(whole + (size - (double)whole >= 0.5));
    }
    n.negative = real < 0 && n.magnitude != 0;
    return n;
}

static num shifted(num n, unsigned from_bits, unsigned to_bits)
{
    for (; from_bits < to_bits; from_bits++)
        n.magnitude = n.magnitude > UINT64_MAX / 2 ? UINT64_MAX : 2 * n.magnitude;
    if (from_bits > to_bits) {
        const unsigned bits = from_bits - to_bits;
        const uint64_t half = n.magnitude >> (bits - 1) & 1;
        n.magnitude = (bits < 64 ? n.magnitude >> bits : 0) + half;
    }
    n.negative = n.negative && n.magnitude != 0;
    return n;
}

/* Reports a number that rounding has moved by more than `slack`. */
static void lose_fraction(converter *k, double was, double is, double slack)
{
    const bool same = is_not_nan(was) ? is >= was - slack && is <= was + slack : !is_not_nan(is);
    const bool finite = is - is == 0 && was - was == 0;
    if (!same)
        report_loss(k, arena_printf(k->arena, "%.9g became %.9g", was, is), finite);
}

static num in_range(converter *k, const type *now, num n)
{
    const num low = now->low, high = now->high;
    const num kept = num_compare(n, low) < 0 ? low : num_compare(n, high) > 0 ? high : n;
    if (num_compare(kept, n) != 0)
        lose(k, arena_printf(k->arena, "%s became %s", num_text(k->arena, n), num_text(k->arena, kept)));
    return kept;
}

/* The same direction on the circle of a type; `base` if the number is not finite or too far away for whole turns. */
static double real_around(const type *now, double real, double base)
{
    volatile double turns = (real - now->real_low) / (now->real_high - now->real_low), passed;
    if (!(turns > -0x1p52 && turns < 0x1p52))
        return base;
    const double whole = (double)(int64_t)turns;
    passed = (whole > turns ? whole - 1 : whole) * (now->real_high - now->real_low);
    return real - passed;
}

static double real_in_range(converter *k, const type *now, double real)
{
    static const double most = 3.4028234663852886e38, infinity = 1e308 * 10;
    double kept = real;
    const double base = now->real_low <= 0 && now->real_high >= 0 ? 0 : now->real_low;
    if (now->wraps)
        return real_around(now, real, base);
    if (now->kind == TYPE_QUANTIZED && !is_not_nan(real))
        kept = base;
    else if (now->kind == TYPE_QUANTIZED)
        kept = real < now->real_low ? now->real_low : real > now->real_high ? now->real_high : real;
    else if (now->storage == STORAGE_FLOAT && real < infinity && real > -infinity)
        kept = real < -most ? -most : real > most ? most : real;
    const bool moved = kept < real || kept > real || (is_not_nan(kept) && !is_not_nan(real));
    if (moved && !is_narrow_real(now)) /* otherwise it becomes infinite, which its reader sees */
        lose(k, arena_printf(k->arena, "%.9g became %.9g", real, kept));
    return kept;
}

/* The value that a reader of the new type gets. */
static datum as_read(const type *now, const datum *v)
{
    uint64_t code;
    datum read = *v;
    if (scalar_code(now, v, &code) == PKT_OK)
        scalar_from_code(now, code, &read);
    return read;
}

/* Reports a rotation or a direction that other steps have moved. */
static void lose_steps(converter *k, const type *old, const type *now, const datum *from)
{
    const datum read = as_read(now, from);
    if (old->bits != now->bits && memcmp(read.parts, from->parts, sizeof read.parts) != 0)
        report_loss(k, "is rounded", true);
}

static bool has_same_code(const type *t, const datum *one, const datum *other)
{
    uint64_t code, other_code;
    return scalar_code(t, one, &code) == PKT_OK && scalar_code(t, other, &other_code) == PKT_OK && code == other_code;
}

/* Of numbers with one code, a recording gets the one that its reader gets, so that they share memory. */
static datum real_now(converter *k, const type *now, double real)
{
    /* Two ranges with the same steps have nearly the same values: only arithmetic makes them differ. */
    static const double share = 1.0 / 1024;
    const double kept = real_in_range(k, now, real);
    const datum made = {.number = real_to_bits(now->storage, kept)}, read = as_read(now, &made);
    const bool clamped = !now->wraps && (kept < real || kept > real);
    if (!clamped || is_narrow_real(now))
        lose_fraction(k, clamped ? real : kept, real_from_bits(now->storage, read.number),
                      now->kind == TYPE_QUANTIZED ? share * now->real_step : 0);
    return k->memory && has_same_code(now, &made, &read) ? read : made;
}

/* A number of 64 bits may not be exact as a double, but then it has no fraction and is not rounded. */
static datum whole_now(converter *k, const type *now, num n, double was)
{
    const num kept = in_range(k, now, n);
    double is = num_double(kept);
    for (unsigned i = 0; i < now->fraction_bits; i++)
        is /= 2;
    if (num_compare(kept, n) == 0)
        lose_fraction(k, was, is, 0);
    return (datum){.number = num_bits(kept)};
}

static datum number_now(converter *k, const type *old, const type *now, const datum *from)
{
    const bool was_real = is_real(old);
    if (is_real(now)) {
        if (was_real && old->storage == now->storage && now->kind != TYPE_QUANTIZED) {
            const datum read = as_read(now, from);
            lose_fraction(k, real_from_bits(old->storage, from->number), real_from_bits(now->storage, read.number), 0);
            return (datum){.number = from->number}; /* also NaN */
        }
        double real = was_real ? real_from_bits(old->storage, from->number) : num_double(datum_num(old, from));
        for (unsigned i = 0; !was_real && i < old->fraction_bits; i++)
            real /= 2;
        return real_now(k, now, real);
    }
    if (was_real) {
        const double real = real_from_bits(old->storage, from->number);
        return whole_now(k, now, whole_of_real(real, now->fraction_bits), real);
    }
    double exact = num_double(datum_num(old, from));
    for (unsigned i = 0; i < old->fraction_bits; i++)
        exact /= 2;
    return whole_now(k, now, shifted(datum_num(old, from), old->fraction_bits, now->fraction_bits), exact);
}

/* ---- enums and flags */

static datum member_now_of(converter *k, const decl *old, const decl *now, const datum *from)
{
    const num n = num_u64(from->number);
    const member *was = member_of_value(old, n), *is = was ? member_now(k->conversion, was) : NULL;
    if (is)
        return (datum){.number = num_bits(is->value)};
    const bool fits = old->width && now->width && num_compare(n, now->type.high) <= 0;
    if (fits && (!was || !member_of_value(now, n)))
        return *from;
    const member *base = enum_base(now);
    lose(k, arena_printf(k->arena, "%s became %s", was ? was->name : num_text(k->arena, n), base->name));
    return (datum){.number = num_bits(base->value)};
}

static datum flags_now(converter *k, const decl *old, const datum *from)
{
    datum to = {0};
    for (const member *m = old->members; m; m = m->next) {
        const member *now = member_now(k->conversion, m);
        if (!(from->number & m->value.magnitude))
            continue;
        if (now)
            to.number |= now->value.magnitude;
        else
            lose(k, arena_printf(k->arena, "%s is lost", m->name));
    }
    return to;
}

/* ---- texts */

static datum cut_to_room(converter *k, const datum *from, uint32_t room, bool text)
{
    datum to = *from;
    if (from->size <= room)
        return to;
    to.size = room;
    while (text && to.size > 0 && (from->bytes[to.size] & 0xc0) == 0x80)
        to.size--;
    lose(k, arena_printf(k->arena, "%" PRIu32 " of %" PRIu32 " bytes are lost", from->size - to.size, from->size));
    return to;
}

/* ---- elements */

static bool type_now(converter *k, const decl *before, const decl *after, const datum *from, datum *to);

/* A value or an element of an array. False if the new type has no such value. */
static bool element_now(converter *k, const field_plan *p, const datum *from, datum *to)
{
    const type *old = &p->before->type, *now = &p->after->type;
    *to = *from;
    if (p->stays && k->sound)
        return true;
    switch (p->rule) {
    case RULE_TYPE: return type_now(k, old->decl, now->decl, from, to);
    case RULE_NUMBER: *to = number_now(k, old, now, from); break;
    case RULE_ENUM: *to = member_now_of(k, old->decl, now->decl, from); break;
    case RULE_FLAGS: *to = flags_now(k, old->decl, from); break;
    case RULE_QUAT:
        if (codec_can_write(now, from)) {
            lose_steps(k, old, now, from);
        } else {
            *to = bases_datum(k->bases, p->after);
            lose(k, "the rotation is lost");
        }
        break;
    case RULE_TEXT: *to = cut_to_room(k, from, now->length, true); break;
    case RULE_BYTES:
    case RULE_BYTES_OF_TEXT: *to = cut_to_room(k, from, now->length, false); break;
    case RULE_REF:
        if (num_compare(num_u64(from->number), now->high) > 0) {
            to->number = 0;
            lose(k, "the id is lost");
        }
        break;
    case RULE_UNIT: lose_steps(k, old, now, from); break;
    case RULE_BOOL:
    case RULE_NONE: break;
    }
    return true;
}

/* ---- arrays */

/* The subscript of the element that is at a place in the data, in an array of one dimension. */
static uint32_t subscript(const slot *s, uint32_t at)
{
    return s->indices ? s->indices[at] : at;
}

static void lose_elements(converter *k, uint32_t lost, uint32_t count)
{
    if (lost > 0)
        lose(k, arena_printf(k->arena, "%" PRIu32 " of %" PRIu32 " elements are lost", lost, count));
}

static bool element_at(converter *k, const field_plan *p, const slot *s, uint32_t at, datum *to)
{
    const value_place here = {.outer = k->place, .subscript = subscript(s, at)};
    k->place = &here;
    const bool good = element_now(k, p, slot_at(s, at), to);
    k->place = here.outer;
    return good;
}

/* Whether the structs among the elements of a block have been remembered. */
static bool are_kept(const field *f, const element_block *b)
{
    bool kept = true;
    for (uint32_t i = 0; i < b->count && is_composite(&f->type) && kept; i++)
        kept = b->at[i].record->refs > 0;
    return kept;
}

static void initial_elements(const converter *k, const field *f, slot *s)
{
    s->count = field_capacity(f);
    s->data = ARENA_ARRAY(k->arena, datum, s->count);
    fill_with_initial(k, f, true, s);
}

/* A fixed array whose elements stay where they are, block by block. */
static bool blocks_now(converter *k, const field_plan *p, const slot *from, slot *to)
{
    const uint32_t count = (from->count + SHARED_ELEMENTS - 1) / SHARED_ELEMENTS;
    to->data = NULL;
    to->blocks = ARENA_ARRAY(k->arena, element_block *, count);
    for (uint32_t n = 0; n < count; n++) {
        const element_block *old = from->blocks[n];
        const uint64_t losses = k->losses;
        to->blocks[n] = old->twin;
        if (old->twin && old->twin->of == p->after)
            continue;
        element_block *made = to->blocks[n] = arena_alloc(k->arena, sizeof *made + old->count * sizeof *made->at);
        made->count = old->count;
        for (uint32_t i = 0; i < old->count; i++)
            if (!element_at(k, p, from, n * SHARED_ELEMENTS + i, &made->at[i]))
                return false;
        if (!k->memory || old->refs == 0 || old->twin || k->losses != losses || !are_kept(p->after, made))
            continue;
        keep_twin_of_block(k->memory->kept, old, p->after, made->at);
        to->blocks[n] = old->twin;
    }
    return true;
}

static bool keeps_places(const field *before, const field *after)
{
    bool same = before->dim_count == after->dim_count;
    for (uint32_t d = 0; same && d < before->dim_count; d++)
        same = before->dims[d] == after->dims[d];
    return same;
}

/* The elements of a fixed array that are in both; the last dimension changes fastest. */
static bool fixed_now(converter *k, const field_plan *p, const slot *from, slot *to)
{
    uint32_t lost = 0;
    if (from->blocks && keeps_places(p->before, p->after)) {
        to->count = from->count;
        return blocks_now(k, p, from, to);
    }
    initial_elements(k, p->after, to);
    for (uint32_t at = 0; at < from->count; at++) {
        uint32_t rest = at, now = 0, scale = 1;
        bool inside = true;
        for (uint32_t d = p->before->dim_count; d-- > 0;) {
            const uint32_t i = rest % p->before->dims[d];
            rest /= p->before->dims[d];
            inside = inside && i < p->after->dims[d];
            now += scale * i;
            scale *= p->after->dims[d];
        }
        lost += !inside;
        if (inside && !element_at(k, p, from, at, &to->data[now]))
            return false;
    }
    lose_elements(k, lost, from->count);
    return true;
}

/* A fixed array from one that may have fewer elements; missing elements get initial values. Fields that are converted
 * later may decide how many of an array with a computed count remain. */
static void fixed_of_some(converter *k, const field_plan *p, const slot *from, slot *to)
{
    uint32_t lost = 0;
    initial_elements(k, p->after, to);
    for (uint32_t at = 0; at < from->count; at++) {
        const uint32_t i = subscript(from, at);
        lost += i >= p->after->dims[0] && p->after->array != ARRAY_COMPUTED;
        if (i < p->after->dims[0] && !element_at(k, p, from, at, &to->data[i]))
            to->data[i] = initial_datum(k, p->after, true);
    }
    lose_elements(k, lost, from->count);
}

/* Elements without a value in the new type are left out. */
static void counted_now(converter *k, const field_plan *p, const slot *from, slot *to)
{
    uint32_t count = 0, at = 0;
    to->data = ARENA_ARRAY(k->arena, datum, p->after->dims[0] + 1);
    for (; at < from->count && count < p->after->dims[0]; at++)
        count += element_at(k, p, from, at, &to->data[count]);
    lose_elements(k, from->count - at, from->count);
    for (; count < p->after->count_low; count++)
        to->data[count] = initial_datum(k, p->after, true);
    to->count = count;
}

/* Elements keep their subscripts; those between them get initial values. */
static void counted_of_sparse(converter *k, const field_plan *p, const slot *from, slot *to)
{
    uint32_t lost = 0;
    initial_elements(k, p->after, to);
    datum *data = to->data;
    to->count = p->after->count_low;
    for (uint32_t at = 0; at < from->count; at++) {
        const uint32_t i = subscript(from, at);
        lost += i >= p->after->dims[0];
        if (i >= p->after->dims[0])
            continue;
        if (!element_at(k, p, from, at, &data[i]))
            data[i] = initial_datum(k, p->after, true);
        to->count = i + 1 > to->count ? i + 1 : to->count;
    }
    lose_elements(k, lost, from->count);
}

static void sparse_now(converter *k, const field_plan *p, const slot *from, slot *to)
{
    uint32_t lost = 0, tried = 0;
    to->count = 0;
    to->data = ARENA_ARRAY(k->arena, datum, p->after->limit + 1);
    to->indices = ARENA_ARRAY(k->arena, uint32_t, p->after->limit + 1);
    for (uint32_t at = 0; at < from->count; at++) {
        const uint32_t i = subscript(from, at);
        /* From a sparse array, only converted elements use up room; from others, each element does. */
        const bool room = (from->indices ? to->count : tried++) < p->after->limit && i < p->after->dims[0];
        lost += !room;
        if (room && element_at(k, p, from, at, &to->data[to->count]))
            to->indices[to->count++] = i;
    }
    lose_elements(k, lost, from->count);
}

static bool array_now(converter *k, const field_plan *p, const slot *from, slot *to)
{
    switch (p->after->array) {
    case ARRAY_NONE: break;
    case ARRAY_FIXED:
        if (p->before->array == ARRAY_FIXED)
            return fixed_now(k, p, from, to);
        fixed_of_some(k, p, from, to);
        break;
    case ARRAY_COUNTED: (p->before->array == ARRAY_SPARSE ? counted_of_sparse : counted_now)(k, p, from, to); break;
    case ARRAY_COMPUTED: fixed_of_some(k, p, from, to); break;
    case ARRAY_SPARSE: sparse_now(k, p, from, to); break;
    }
    return true;
}

/* ---- fields */

/* A single value that stays shares the memory of the old one. */
static bool single_now(converter *k, const field_plan *p, const slot *from, slot *to)
{
    to->count = 1;
    to->data = from->data;
    if (p->stays && k->sound)
        return true;
    to->data = ARENA_NEW(k->arena, datum);
    return element_now(k, p, from->data, to->data);
}

static bool value_now(converter *k, const field_plan *p, const slot *from, slot *to)
{
    const field *after = p->after;
    slot made = {.present = true};
    if (!from->present) {
        if (!after->optional)
            lose(k, "is absent, and has its initial value now");
        return true;
    }
    const bool good = (after->array != ARRAY_NONE ? array_now : single_now)(k, p, from, &made);
    if (good)
        *to = made;
    return good || (after->optional && after->array == ARRAY_NONE);
}

static const char by_name[] = "a program has a function that converts it (@convert), pktc has not";

static slot slot_in_use(const converter *k, const field *f, const record *r)
{
    return f->array == ARRAY_COMPUTED ? computed_slot(k->arena, f, r) : *slot_of(r, f);
}

static bool field_now_of(converter *k, const field_plan *p, const record *from, record *to)
{
    const field *before = p->before, *after = p->after;
    const slot in_use = slot_in_use(k, before, from);
    const value_place here = {.outer = k->place, .name = before->name};
    bool good = true;
    k->place = &here;
    if (!after) {
        if (in_use.present && in_use.count > 0)
            lose(k, "is lost");
    } else if (p->rule != RULE_NONE) {
        good = value_now(k, p, &in_use, slot_of(to, after));
    } else if (!p->by_name) {
        lose(k, "does not convert: it has its initial value");
    }
    if (after && p->by_name)
        lose(k, by_name);
    k->place = here.outer;
    return good;
}

/* Converts the items that were sent, in their order. */
static bool items_now(converter *k, const type_plan *p, const item *items, const record *from, record *to)
{
    for (const item *i = items; i; i = i->next) {
        if (i->kind == ITEM_FIELD && !field_now_of(k, &p->fields[i->as.field->index], from, to))
            return false;
        if (i->kind != ITEM_IF && i->kind != ITEM_SWITCH)
            continue;
        const block *taken = chosen_block(i, from);
        if (taken && !items_now(k, p, taken->items, from, to))
            return false;
    }
    return true;
}

static bool union_now(converter *k, const decl *before, const datum *from, datum *to)
{
    const member *was = member_of_value(before, num_u64(from->tag)), *is = was ? member_now(k->conversion, was) : NULL;
    const value_place *outer = k->place, here = {.outer = outer, .name = was ? was->name : NULL};
    k->place = was ? &here : outer;
    *to = (datum){0};
    const bool same = is && is_same_member(k->conversion, was, is);
    if (is && !same)
        *to = (datum){.record = initial_record(k, is->type, INITIAL_GIVEN)};
    const bool good = is && (!same || type_now(k, was->type, is->type, from, to));
    if (is)
        to->tag = is->value.magnitude;
    else
        lose(k, "is lost: there is no such member now");
    k->place = outer;
    return good;
}

/* Marks the fields that are on the wire. */
static void mark_sent(const item *items, const record *r, bool *sent)
{
    for (const item *i = items; i; i = i->next) {
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, r) : NULL;
        if (i->kind == ITEM_FIELD)
            sent[i->as.field->index] = true;
        if (taken)
            mark_sent(taken->items, r, sent);
    }
}

/* Whether a slot has the value that a reader gets for a field that is not sent. */
static bool has_base_value(const converter *k, const field *f, const slot *s)
{
    if (!s->present || s->count == 0)
        return f->optional || f->array != ARRAY_NONE;
    return f->array == ARRAY_NONE && !is_composite(&f->type) && s->data[0].size == 0 &&
           s->data[0].number == bases_datum(k->bases, f).number && f->type.kind != TYPE_QUAT &&
           f->type.kind != TYPE_UNIT;
}

/* Reports elements behind the count that other fields give now. */
static void lose_uncounted(converter *k, const field_plan *p, const record *from, const record *to)
{
    const slot was = slot_in_use(k, p->before, from);
    const uint32_t count = computed_count(p->after, to);
    uint32_t lost = 0;
    for (uint32_t at = 0; at < was.count; at++)
        lost += subscript(&was, at) >= count;
    lose_elements(k, lost, was.count);
}

/* Reports values that were sent, but that other fields now leave out: they are on a side that is not taken, or behind a
 * computed count. */
static void lose_unsent(converter *k, const type_plan *p, const record *from, const record *to)
{
    const decl *before = from->decl;
    if (p->independent)
        return;
    bool *was_sent = ARENA_ARRAY(k->arena, bool, before->field_count + 1);
    bool *is_sent = ARENA_ARRAY(k->arena, bool, to->decl->field_count + 1);
    mark_sent(before->body.items, from, was_sent);
    mark_sent(to->decl->body.items, to, is_sent);
    if (before->key) /* a list sends it */
        was_sent[before->key->index] = true;
    if (to->decl->key)
        is_sent[to->decl->key->index] = true;
    for (const field *f = before->fields; f; f = f->next) {
        const field_plan *each = &p->fields[f->index];
        const field *now = was_sent[f->index] && !f->local ? each->after : NULL;
        const value_place here = {.outer = k->place, .name = f->name};
        k->place = &here;
        if (now && is_sent[now->index] && now->array == ARRAY_COMPUTED && each->rule != RULE_NONE)
            lose_uncounted(k, each, from, to);
        else if (now && !is_sent[now->index] && !has_base_value(k, now, slot_of(to, now)))
            lose(k, "is lost: it is on a side that is not taken now");
        k->place = here.outer;
    }
}

/* A kept record that converts without a loss needs to be converted only once. */
static void remember(converter *k, const decl *d, const record *old, datum *made)
{
    const convert_memory *m = k->memory;
    if (!m || old->refs == 0 || old->refs == KEPT_ALWAYS || old->twin)
        return;
    const datum settled = bases_settled(m->bases, k->arena, made);
    if (!codec_is_baseline(k->arena, m->schema, m->bases, d, &settled))
        return;
    keep_twin_of_record(m->kept, old, settled.record);
    made->record = old->twin;
}

static bool struct_now(converter *k, const decl *before, const decl *after, const record *old, datum *to)
{
    const type_plan *p = plan_of(k->lasting, k->plans, k->version, before, after);
    const uint64_t losses = k->losses;
    /* What an `after` field gets depends on what the field before it becomes. */
    to->record = initial_record(k, after, INITIAL_UNRELATED);
    if (p->by_name)
        lose(k, by_name);
    if (before->key && !field_now_of(k, &p->fields[before->key->index], old, to->record))
        return false;
    if (!items_now(k, p, before->body.items, old, to->record))
        return false;
    relate(k->arena, to->record);
    lose_unsent(k, p, old, to->record);
    if (k->losses == losses)
        remember(k, after, old, to);
    return true;
}

static bool type_now(converter *k, const decl *before, const decl *after, const datum *from, datum *to)
{
    if (before->kind == DECL_UNION)
        return union_now(k, before, from, to);
    const record *old = from->record;
    const bool outer_sound = k->sound;
    *to = (datum){.record = old->twin};
    if (old->twin && old->twin->decl == after)
        return true;
    k->sound = old->sound;
    const bool good = struct_now(k, before, after, old, to);
    k->sound = outer_sound;
    return good;
}

convert_memory *convert_memory_new(arena *a, const schema *s, kept_values *kept)
{
    convert_memory *m = ARENA_NEW(a, convert_memory);
    *m = (convert_memory){a, s, kept, bases_lasting(a), map_new(a), map_new(a)};
    return m;
}

bool convert_value(arena *a, const convert_memory *memory, const old_version *version, const decl *before,
                   const decl *after, const datum *from, datum *to, loss_report *report, void *user)
{
    const value_place whole = {.name = before->name};
    converter k = {.arena = a,
                   .version = version,
                   .conversion = &version->conversion,
                   .memory = memory,
                   .lasting = memory ? memory->arena : a,
                   .bases = memory ? memory->bases : bases_new(a),
                   .initials = memory ? memory->initials : map_new(a),
                   .plans = memory ? memory->plans : map_new(a),
                   .report = report,
                   .user = user,
                   .place = &whole};
    return type_now(&k, before, after, from, to);
}

bool convert_base(arena *a, const convert_memory *memory, const old_version *version, const codec_part *from,
                  const decl *after, const datum **base, const datum **was)
{
    const datum *still = from->was ? from->was : from->base;
    datum *made = ARENA_NEW(a, datum), *moved = ARENA_NEW(a, datum), before;
    *base = *was = NULL;
    if (!still)
        return true;
    if (!convert_value(a, memory, version, from->decl, after, still, made, NULL, NULL))
        return false;
    *base = made;
    if (from->back == 0 || !after->predicts)
        return true;
    if (from->before && !convert_value(a, memory, version, from->decl, after, from->before, &before, NULL, NULL))
        return false;
    *moved = codec_predict(a, after, made, from->before ? &before : NULL, from->back, from->gap);
    *base = moved;
    *was = made;
    return true;
}

void convert_warn_rounded(diag *d, const char *first, uint64_t count)
{
    if (count > 1)
        diag_warning(d, (span){0}, "%s (and %" PRIu64 " more values moved by less than a step)", first, count - 1);
    else if (count > 0)
        diag_warning(d, (span){0}, "%s", first);
}
