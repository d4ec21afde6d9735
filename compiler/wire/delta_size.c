/* delta_size.c - the least and the greatest size of deltas.
 * SPDX-License-Identifier: MIT
 *
 * The greatest size is an upper bound that perhaps no value reaches: it includes the most bits of padding, and a bitmap
 * for each subset of changed elements, which is never smaller than the other form.
 */
#include "wire/wire.h"
#include "model/coding.h"
#include "wire/extent.h"

#include <assert.h>

delta_sizes delta_sizes_of(const op *o)
{
    /* Numbers: 1 and a small step, 01 and a large step, or 00 and the full value. Quats: 1 and three steps, each 1
     * and small or 0 and large; or 0 and the full value. */
    const unsigned s = o->field->delta_small, l = o->field->delta_large;
    assert(o->field->has_delta);
    if (o->kind == OP_QUAT)
        return (delta_sizes){1 + 3 * (1 + s), 1 + 3 * (1 + l), 1 + o->least, 1 + o->most};
    return (delta_sizes){1 + s, 2 + l, 2 + o->least, 2 + o->most};
}

static uint64_t most_of_block(const op *o);

/* The first bit of a delta that may be coded. Nested types have no such bit. */
static unsigned form_bits(const wire_type *t)
{
    return t->decl->holds_coded;
}

static uint64_t greater_bits(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The most bits that follow the mask bit of a field, or the index of an element. */
static uint64_t most_of_value(const op *o, bool optional)
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF:
    case OP_CLASS_VARYING:
        if (o->kind == OP_BOOL)
            return optional ? 1 : 0;
        return o->field->has_delta ? greater_bits(delta_sizes_of(o).large, delta_sizes_of(o).whole_most) : o->most;
    case OP_CLASS_TYPE: return o->of->delta_most - form_bits(o->of);
    case OP_CLASS_HOLDER:
        if (o->kind == OP_OPTIONAL)
            return bits_plus(1, most_of_value(o->body, true));
        /* No type with a sparse array has deltas. */
        if (o->kind == OP_UNLESS || o->kind == OP_SPARSE)
            return o->most;
        /* Of a list: whether elements are gone, and which; a bit and the key for each new element, and the last bit. */
        if (is_list(o))
            return bits_plus(
                bits_times(bits_plus(most_of_value(o->body, false), 3 + (o->body->most - o->body->of->most)), o->count),
                4);
        return bits_plus(bits_times(bits_plus(most_of_value(o->body, false), 1), o->count),
                         1 + (o->kind == OP_COUNTED ? o->bits : 0));
    case OP_CLASS_CHOICE: break;
    }
    assert(false && "not a field that has deltas");
    return 0;
}

static uint64_t most_of_item(const op *o)
{
    uint64_t most = 0;
    if (o->kind == OP_IF)
        return greater_bits(most_of_block(o->body), most_of_block(o->other));
    if (o->kind == OP_SWITCH) {
        for (const op_arm *a = o->arms; a; a = a->next)
            most = greater_bits(most, most_of_block(a->body));
        return most;
    }
    return op_change_of(o) != OP_CHANGE_NOTHING ? bits_plus(1, most_of_value(o, false)) : o->most;
}

static uint64_t most_of_block(const op *o)
{
    uint64_t most = 0;
    for (; o; o = o->next)
        most = bits_plus(most, most_of_item(o));
    return most;
}

uint64_t most_of_delta(const wire_type *t)
{
    const op *o = t->body;
    uint64_t most = 0;
    if (t->decl->kind != DECL_UNION)
        return bits_plus(form_bits(t), most_of_block(o));
    for (const op_arm *a = o->arms; a; a = a->next)
        most = greater_bits(most, a->body->of->delta_most - form_bits(a->body->of));
    return bits_plus(form_bits(t) + o->bits, most);
}

uint64_t most_of_delta_unfit(const wire_type *t)
{
    enum { END_OF_ELEMENTS = 64 }; /* the form of the subset, and the end of it: more than any code has */
    /* In a type with a prediction, the coded form can have bits for elements that were expected to change. It is sent
     * only if it is no longer than the plain form, which has none for them. */
    uint64_t most = form_bits(t);
    for (const op *o = t->body; o; o = o->next) {
        const bool fit = o->field && o->field->fit;
        /* Which elements of a list are gone is sent, and that there are no new keys. */
        const uint64_t head = fit && is_list(o) ? 3 + o->count : o->bits;
        most = bits_plus(most, fit ? 1 + head + END_OF_ELEMENTS : most_of_item(o));
    }
    return lesser_bits(most, t->delta_most);
}

/* The bits if nothing has changed: the masks, and the items that are always written. */
static uint64_t least_of_block(const block *b, const op *o)
{
    unsigned fields = 0, coded = 0;
    for (const op *each = o; each; each = each->next)
        fields += op_change_of(each) != OP_CHANGE_NOTHING;
    if (b->masks && b->mask_values) {
        const unsigned symbol = symbol_of_value(b->mask_values, 0);
        coded = b->masks[0]->lengths[symbol] + (symbol == b->mask_values->count ? fields : 0);
    }
    for (unsigned g = 0; b->masks && !b->mask_values && g < mask_groups(fields); g++)
        coded += b->masks[g]->lengths[0];
    uint64_t least = b->masks && coded < fields ? coded : fields;
    for (; o; o = o->next) {
        uint64_t one = op_change_of(o) != OP_CHANGE_NOTHING ? 0 : o->least;
        if (o->kind == OP_IF) {
            one = lesser_bits(least_of_block(&o->item->as.branch.then, o->body),
                              least_of_block(&o->item->as.branch.other, o->other));
        } else if (o->kind == OP_SWITCH) {
            bool total = false;
            one = UINT64_MAX;
            for (const op_arm *a = o->arms; a; a = a->next) {
                one = lesser_bits(one, least_of_block(&a->arm->body, a->body));
                total |= a->arm->is_default;
            }
            if (!total)
                one = 0;
        }
        least = bits_plus(least, one);
    }
    return least;
}

uint64_t least_of_delta(const wire_type *t)
{
    const op *o = t->body;
    uint64_t least = UINT64_MAX;
    if (t->decl->kind != DECL_UNION)
        return bits_plus(form_bits(t), least_of_block(&t->decl->body, o));
    for (const op_arm *a = o->arms; a; a = a->next)
        least = lesser_bits(least, a->body->of->delta_least - form_bits(a->body->of));
    return bits_plus(form_bits(t) + o->bits, least);
}
