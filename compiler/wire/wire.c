/* wire.c - lowers the checked schema to wire ops: works out the widths of docs/wire.md.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_varying.h" /* first: it uses names that schema.h takes */
#include "wire/wire.h"
#include "wire/extent.h"
#include "wire/tuning.h"
#include "base/hash_table.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <assert.h>
#include <string.h>
#include "model/subset.h"

typedef struct lowered {
    wire_type *type;
    extent extent;
} lowered;

typedef struct lowering {
    arena *arena;
    const schema *schema;
    map *types;        /* (decl, NULL): lowered */
    uint32_t branches; /* of the current type so far: op.number of the last one */
    uint32_t parts;
} lowering;

static const lowered *lowered_of(const lowering *l, const decl *d)
{
    const lowered *of = map_get(l->types, d, NULL);
    assert(of && "each type comes after those that it contains");
    return of;
}

static wire_type *type_of(const lowering *l, const decl *d)
{
    return lowered_of(l, d)->type;
}

uint64_t bytes_of_bits(uint64_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

bool op_has_gaps(const op *o)
{
    return o->span != (uint64_t)o->type->decl->member_count - 1;
}

bool is_list(const op *o)
{
    return o->kind == OP_COUNTED && o->field->by;
}

bool has_fields(const op *o)
{
    while (o && (o->kind == OP_KEY || (!o->field && !o->has_fields)))
        o = o->next;
    return o != NULL;
}

unsigned op_weight(const op *o)
{
    if (o->kind == OP_QUAT || o->kind == OP_UNIT)
        return ROTATION_WEIGHT;
    return op_class_of(o) == OP_CLASS_VARYING && o->kind != OP_ALIGN ? VARYING_WEIGHT : 1;
}

static op *new_op(lowering *l, op_kind kind, const field *f)
{
    op *o = ARENA_NEW(l->arena, op);
    o->kind = kind;
    o->field = f;
    if (f)
        o->type = &f->type;
    return o;
}

/* The op always has this many bits. */
static void set_fixed(op *o, extent *x, uint64_t bits)
{
    o->fixed = true;
    o->least = o->most = bits;
    extent_fixed(x, bits);
}

static void set_varying(op *o, const extent *x)
{
    o->fixed = false;
    o->least = extent_least(x);
    o->most = extent_most(x);
}

static void fixed_width(op *o, extent *x, unsigned bits)
{
    o->bits = bits;
    set_fixed(o, x, bits);
}

static void biased(op *o, extent *x, num low, num high)
{
    o->low = low;
    o->span = num_bits(high) - num_bits(low);
    fixed_width(o, x, bit_length(o->span));
}

/* A length of at most max bytes, padding to a byte, the bytes. */
static void text_widths(op *o, extent *x, uint64_t max)
{
    extent bytes;
    o->span = max;
    o->bits = bit_length(max);
    extent_fixed(x, o->bits);
    extent_aligned(&bytes, max);
    extent_then(x, &bytes);
    set_varying(o, x);
}

/* An item with one of these widths, at any alignment. */
static void widths(op *o, extent *x, const unsigned *bits, size_t count)
{
    extent_clear(x);
    for (unsigned s = 0; s < 8; s++)
        for (size_t i = 0; i < count; i++)
            extent_allow(x, s, (s + bits[i]) % 8, bits[i], bits[i]);
    set_varying(o, x);
}

/* A 1 for each leading zero byte, a 0, then the other bytes. If only one byte is left, there is no 0: a bit says
 * whether 4 or 8 bits follow. */
static void compact(op *o, extent *x, unsigned bytes)
{
    unsigned bits[9] = {bytes + 4};
    for (unsigned needed = 1; needed <= bytes; needed++)
        bits[needed] = bytes - needed + 1 + 8 * needed;
    widths(o, x, bits, bytes + 1);
}

/* A bit, and a code or a float. */
static void or_raw(op *o, extent *x, unsigned bits)
{
    const unsigned both[] = {1 + bits, 1 + 32};
    o->bits = bits;
    widths(o, x, both, sizeof both / sizeof *both);
}

/* One of the tiers of runtime/pkt_varying.h, after its prefix of zeros and a one. */
static void after(op *o, extent *x)
{
    unsigned bits[PKT_AFTER_LAST + 1];
    for (unsigned number = 0; number <= PKT_AFTER_LAST; number++) {
        const pkt_after_tier tier = pkt_after_tier_of(number);
        bits[number] = (unsigned)tier.head + tier.bits;
    }
    widths(o, x, bits, sizeof bits / sizeof *bits);
}

/* The difference of a key from the one before. */
static void key_extent(op *o, extent *x, const field *key)
{
    unsigned bits[KEY_WIDTHS];
    widths(o, x, bits, key_widths(greatest_number_code(&key->type), bits));
}

/* A value of a field's type. */
static op *lower_value(lowering *l, const field *f, extent *x, uint64_t *leaves)
{
    const type *t = &f->type;
    op *o = new_op(l, OP_RAW, f);
    switch (t->kind) {
    case TYPE_BOOL:
        o->kind = OP_BOOL;
        fixed_width(o, x, 1);
        break;
    case TYPE_BITS:
        if (f->after) {
            o->kind = OP_AFTER;
            after(o, x);
            break;
        }
        if (t->clamps) {
            o->kind = OP_BIASED;
            biased(o, x, t->low, t->high);
            break;
        }
        fixed_width(o, x, t->bits);
        break;
    case TYPE_INT:
    case TYPE_FIXED:
        o->kind = OP_BIASED;
        biased(o, x, t->low, t->high);
        break;
    case TYPE_ENUM:
        if (t->decl->width != 0) {
            fixed_width(o, x, t->decl->width);
        } else {
            o->kind = OP_ENUM;
            biased(o, x, t->low, t->high);
        }
        break;
    case TYPE_FLAGS: fixed_width(o, x, t->decl->member_count); break;
    case TYPE_FLOAT:
        o->kind = OP_FLOAT;
        fixed_width(o, x, t->bits);
        break;
    case TYPE_QUANTIZED:
        o->kind = OP_QUANTIZED;
        fixed_width(o, x, bit_length(t->steps - t->wraps));
        break;
    case TYPE_STRING:
        o->kind = OP_STRING;
        text_widths(o, x, t->length);
        break;
    case TYPE_BYTES:
        o->kind = OP_BYTES;
        text_widths(o, x, t->length);
        break;
    case TYPE_STRUCT:
    case TYPE_UNION: {
        wire_type *of = type_of(l, t->decl);
        if (f->part || f->chain) {
            o->kind = OP_DELTA;
            o->number = f->part ? l->parts++ : 0;
            o->of = of;
            *leaves += VARYING_WEIGHT;
            extent_between(x, of->delta_least, of->delta_most);
            set_varying(o, x);
            break;
        }
        if (t->decl->file == f->owner->file)
            of->uses++;
        *leaves += of->leaves != 0 ? of->leaves : 1;
        o->kind = t->kind == TYPE_STRUCT ? OP_STRUCT : OP_UNION;
        o->of = of;
        if (o->kind == OP_UNION) {
            o->bits = of->body->bits;
            o->span = of->body->span;
            o->arms = of->body->arms;
        }
        *x = lowered_of(l, t->decl)->extent;
        o->fixed = of->fixed;
        o->least = of->least;
        o->most = of->most;
        if (f->by) {
            extent key;
            *leaves += VARYING_WEIGHT;
            key_extent(o, &key, f->by);
            extent_then(&key, x);
            *x = key;
            set_varying(o, x);
        }
        break;
    }
    case TYPE_QUAT:
        o->kind = OP_QUAT;
        fixed_width(o, x, 2 + 3 * t->bits);
        break;
    case TYPE_UNIT:
        o->kind = OP_UNIT;
        fixed_width(o, x, 2 * t->bits);
        break;
    case TYPE_REF:
        o->kind = OP_REF;
        biased(o, x, t->low, t->high);
        break;
    case TYPE_OR_RAW:
        o->kind = OP_OR_RAW;
        or_raw(o, x, bit_length(t->steps));
        break;
    case TYPE_COMPACT:
        o->kind = OP_COMPACT;
        compact(o, x, t->bits / 8);
        break;
    case TYPE_FOREIGN: assert(false && "a local member is not on the wire"); break;
    }
    if (!o->of)
        *leaves += op_weight(o);
    return o;
}

/* Of wider keys, the greatest size of a list counts the widest difference for each. */
#define MOST_KEYS (UINT64_C(1) << 32)

/* An array dimension of low to high elements. */
static op *lower_array(lowering *l, const field *f, op *element, extent *x, uint64_t low, uint64_t high)
{
    op *o = new_op(l, OP_ARRAY, f);
    o->body = element;
    o->count_low = low;
    o->count = high;
    o->span = high - low;
    if (f->array == ARRAY_COUNTED) {
        o->kind = OP_COUNTED;
        o->bits = bit_length(o->span);
    }
    if (f->array == ARRAY_COMPUTED) {
        o->kind = OP_COMPUTED;
        o->number = ++l->branches;
    }
    if (f->by) {
        /* The keys rise, so their differences cannot all be large: those of k keys with the codes 0 to n add up to n + 1
         * at most, as those of a subset of k - 1 indices of n do. */
        const uint64_t last = greatest_number_code(&f->by->type);
        const subset s = {.mode = SPARSE_RELATIVE, .n = lesser_bits(last, MOST_KEYS), .high = high - 1};
        const uint64_t own = element->of->most;
        uint64_t count, most = subset_most(&s, own, &count);
        count++;
        if (last > MOST_KEYS)
            most = bits_times(element->most - own, count);
        extent_between(x, o->bits, bits_plus(o->bits, bits_plus(most, bits_times(own, count))));
    } else if (element->fixed) {
        extent_multiples(x, o->bits, element->least, low, high);
    } else {
        extent one = *x, tail = *x;
        extent none;
        extent_fixed(&none, 0);
        extent_or(&tail, &none);
        extent_power(&one, low);
        extent_power(&tail, high - low);
        extent_fixed(x, o->bits);
        extent_then(x, &one);
        extent_then(x, &tail);
    }
    if (element->fixed && low == high)
        set_fixed(o, x, bits_times(element->least, high));
    else
        set_varying(o, x);
    return o;
}

/* A subset of N elements. If the elements or the indices vary in size, only bounds of the size are known. */
static op *lower_sparse(lowering *l, const field *f, op *element, extent *x)
{
    op *o = new_op(l, OP_SPARSE, f);
    const subset s = {.mode = f->mode, .n = f->dims[0], .high = f->limit};
    uint64_t fixed, each, least, most, count;
    o->body = element;
    o->count = f->dims[0];
    o->span = f->limit;
    if (subset_is_regular(&s, &fixed, &each) && element->fixed) {
        extent_multiples(x, fixed, each + element->least, 0, s.high);
    } else {
        least = subset_least(&s, element->least, &count);
        least = bits_plus(least, bits_times(element->least, count));
        most = subset_most(&s, element->most, &count);
        extent_between(x, least, bits_plus(most, bits_times(element->most, count)));
    }
    set_varying(o, x);
    return o;
}

/* Puts a bit before a value, which follows only after a 1. */
static op *lower_maybe(lowering *l, op_kind kind, const field *f, op *body, extent *x, uint64_t *leaves)
{
    op *o = new_op(l, kind, f);
    extent none, presence;
    *leaves += 1;
    o->bits = 1;
    o->body = body;
    extent_fixed(&none, 0);
    extent_or(x, &none);
    extent_fixed(&presence, 1);
    extent_then(&presence, x);
    *x = presence;
    set_varying(o, x);
    return o;
}

static op *lower_field(lowering *l, const field *f, extent *x, uint64_t *leaves)
{
    op *o = lower_value(l, f, x, leaves);
    switch (f->array) {
    case ARRAY_NONE: break;
    case ARRAY_FIXED:
        for (uint32_t d = f->dim_count; d-- != 0;)
            o = lower_array(l, f, o, x, f->dims[d], f->dims[d]);
        break;
    case ARRAY_COUNTED:
    case ARRAY_COMPUTED:
        *leaves += 1;
        o = lower_array(l, f, o, x, f->count_low, f->dims[0]);
        break;
    case ARRAY_SPARSE:
        *leaves += 8; /* the loop over indices is about that much code */
        o = lower_sparse(l, f, o, x);
        break;
    }
    if (f->has_unless)
        o = lower_maybe(l, OP_UNLESS, f, o, x, leaves);
    return f->optional ? lower_maybe(l, OP_OPTIONAL, f, o, x, leaves) : o;
}

static op *lower_block(lowering *l, const block *b, extent *x, uint64_t *leaves);

static op *lower_item(lowering *l, const item *i, extent *x, uint64_t *leaves)
{
    op *o = NULL;
    extent side;
    switch (i->kind) {
    case ITEM_FIELD: return lower_field(l, i->as.field, x, leaves);
    case ITEM_ALIGN:
        o = new_op(l, OP_ALIGN, NULL);
        extent_aligned(x, 0);
        set_varying(o, x);
        break;
    case ITEM_CONST:
    case ITEM_RESERVED:
    case ITEM_CHECK:
        o = new_op(l, OP_CONSTANT, NULL);
        o->constant = i->as.constant.value;
        *leaves += 1;
        fixed_width(o, x, i->as.constant.bits);
        break;
    case ITEM_IF:
        o = new_op(l, OP_IF, NULL);
        o->number = ++l->branches;
        o->body = lower_block(l, &i->as.branch.then, x, leaves);
        o->other = lower_block(l, &i->as.branch.other, &side, leaves);
        o->has_fields = has_fields(o->body) || has_fields(o->other);
        extent_or(x, &side);
        set_varying(o, x);
        break;
    case ITEM_SWITCH: {
        op_arm **last;
        bool total = false;
        o = new_op(l, OP_SWITCH, NULL);
        o->number = ++l->branches;
        last = &o->arms;
        extent_clear(x);
        for (const arm *a = i->as.choice.arms; a; a = a->next) {
            op_arm *made = ARENA_NEW(l->arena, op_arm);
            made->arm = a;
            made->body = lower_block(l, &a->body, &side, leaves);
            o->has_fields |= has_fields(made->body);
            extent_or(x, &side);
            total |= a->is_default;
            *last = made;
            last = &made->next;
        }
        if (!total) {
            extent_fixed(&side, 0);
            extent_or(x, &side);
        }
        set_varying(o, x);
        break;
    }
    }
    o->item = i;
    return o;
}

/* Sets `rest` of every op in a list. */
static void sum_rest(op *o)
{
    op *reversed = NULL, *next;
    uint64_t rest = 0;
    for (; o; o = next) {
        next = o->next;
        o->next = reversed;
        reversed = o;
    }
    for (o = NULL; reversed; reversed = next) {
        next = reversed->next;
        reversed->rest = rest;
        rest = bits_plus(rest, reversed->least);
        reversed->next = o;
        o = reversed;
    }
}

static op *lower_block(lowering *l, const block *b, extent *x, uint64_t *leaves)
{
    op *first = NULL, **last = &first;
    uint64_t run = 0; /* fixed bits that are not in x yet; adding them up first is cheaper than multiplying matrices */
    extent_fixed(x, 0);
    for (const item *i = b->items; i; i = i->next) {
        extent one;
        op *o = lower_item(l, i, &one, leaves);
        if (o->fixed) {
            run = bits_plus(run, o->least);
        } else {
            if (run != 0)
                extent_then_fixed(x, run);
            run = 0;
            extent_then(x, &one);
        }
        *last = o;
        last = &o->next;
    }
    if (run != 0)
        extent_then_fixed(x, run);
    sum_rest(first);
    return first;
}

static void lower_union(lowering *l, wire_type *t, extent *x)
{
    op *o = new_op(l, OP_UNION, NULL);
    op_arm **last = &o->arms;
    extent tag;
    o->of = t;
    o->span = t->decl->member_count - 1;
    o->bits = bit_length(o->span);
    t->leaves = 1;
    extent_clear(x);
    for (const member *m = t->decl->members; m; m = m->next) {
        op_arm *made = ARENA_NEW(l->arena, op_arm);
        wire_type *of = type_of(l, m->type);
        op *inner = new_op(l, OP_STRUCT, NULL);
        if (m->type->file == t->decl->file)
            of->uses++;
        t->leaves += of->leaves;
        inner->of = of;
        inner->fixed = of->fixed;
        inner->least = of->least;
        inner->most = of->most;
        made->member = m;
        made->body = inner;
        extent_or(x, &lowered_of(l, m->type)->extent);
        *last = made;
        last = &made->next;
    }
    extent_fixed(&tag, o->bits);
    extent_then(&tag, x);
    *x = tag;
    if (t->decl->member_count == 1 && o->arms->body->fixed)
        set_fixed(o, x, bits_plus(o->bits, o->arms->body->least));
    else
        set_varying(o, x);
    t->body = o;
}

static bool holds_refs(const lowering *l, const decl *d)
{
    for (const field *f = d->fields; f; f = f->next) {
        if (f->local)
            continue;
        if (f->type.kind == TYPE_REF)
            return true;
        if (is_composite(&f->type) && type_of(l, f->type.decl)->has_refs)
            return true;
    }
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        if (type_of(l, m->type)->has_refs)
            return true;
    return false;
}

static bool all_fixed(const op *o)
{
    while (o && o->fixed)
        o = o->next;
    return o == NULL;
}

/* Whether a sum has the field, or a field of it. */
static bool sum_has(const field_sum *sum, const field *f)
{
    while (sum && !(sum->depth > 0 && sum->path[0] == f))
        sum = sum->next;
    return sum != NULL;
}

static bool names_part(const decl *d, const field *f)
{
    for (const field *each = d->fields; f && each; each = each->next) {
        const delta_part *p = each->part;
        if (p && (sum_has(p->number, f) || sum_has(p->base, f) || sum_has(p->before, f)))
            return true;
    }
    return false;
}

/* Until the last field that names a part, a reader knows nothing of the baselines. */
static void mark_last_name(wire_type *t)
{
    op *last = NULL;
    for (op *o = t->decl->parts != 0 ? t->body : NULL; o; o = o->next)
        if (names_part(t->decl, o->field))
            last = o;
    if (last)
        last->names = true;
}

/* The ops of a list's element, with its key first: walkers of values in memory see it, and it takes no bits. */
static op *with_key(lowering *l, const field *key, op *body)
{
    op *o = new_op(l, OP_KEY, key);
    o->fixed = true;
    o->low = key->type.low;
    o->span = greatest_number_code(&key->type);
    o->rest = body ? bits_plus(body->least, body->rest) : 0;
    o->next = body;
    return o;
}

static void lower_type(lowering *l, wire_type *t, extent *x)
{
    const decl *d = t->decl;
    extent framed, end;
    l->branches = l->parts = 0;
    if (d->kind == DECL_UNION)
        lower_union(l, t, x);
    else
        t->body = lower_block(l, &d->body, x, &t->leaves);
    if (d->key)
        t->body = with_key(l, d->key, t->body);
    mark_last_name(t);
    t->branches = l->branches;
    t->has_refs = holds_refs(l, d);
    t->can_be_unsound = ops_any(t->body, op_can_be_unsound);
    t->follows = ops_any(t->body, op_follows);
    t->goes = ops_any(t->body, op_goes);
    t->moves = t->follows || t->goes;
    t->pads = ops_any(t->body, op_pads);
    t->plain_bytes = d->as_type ? 0 : ops_plain_bytes(t->body);
    t->fixed = all_fixed(t->body);
    t->least = extent_least(x);
    t->most = extent_most(x);
    t->delta_least = least_of_delta(t);
    t->delta_most = most_of_delta(t);
    if (!d->packet)
        return;
    const char *name = arena_printf(l->arena, "%s.end", d->name);
    t->end_check = pkt_crc32(0, name, strlen(name));
    const unsigned end_bits = schema_has_end(l->schema, d) ? FRAME_END_BITS : 0;
    extent_fixed(&framed, FRAME_CRC_BITS);
    extent_then(&framed, x);
    extent_fixed(&end, end_bits);
    extent_then(&framed, &end);
    t->least_framed = extent_least_from(&framed, 0);
    t->most_framed = extent_most_from(&framed, 0);
    t->delta_least_framed = bits_plus(FRAME_CRC_BITS + end_bits, t->delta_least);
    t->delta_most_framed = bits_plus(FRAME_CRC_BITS + end_bits, t->delta_most);
}

wire *lower(arena *a, const schema *s)
{
    wire *w = ARENA_NEW(a, wire);
    wire_type **last = &w->types;
    arena *scratch = arena_new();
    lowering l = {.arena = a, .schema = s, .types = map_new(scratch)};
    w->schema = s;
    w->type_of = map_new(a);
    for (const decl *d = s->decls; d; d = d->next) {
        if (d->kind != DECL_STRUCT && d->kind != DECL_UNION)
            continue;
        wire_type *t = ARENA_NEW(a, wire_type);
        t->decl = d;
        t->index = w->type_count++;
        lowered *made = ARENA_NEW(scratch, lowered);
        made->type = t;
        map_put(scratch, l.types, d, NULL, made);
        map_put(a, w->type_of, d, NULL, t);
        lower_type(&l, t, &made->extent);
        *last = t;
        last = &t->next;
    }
    arena_free(scratch);
    place_types(w);
    return w;
}

const wire_type *wire_type_of(const wire *w, const decl *d)
{
    return map_get(w->type_of, d, NULL);
}

bool has_hash(const wire_type *t)
{
    return t->most <= MOST_HASHED;
}
