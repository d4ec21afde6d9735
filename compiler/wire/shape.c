/* shape.c - what walkers ask of ops: their classes, when a baseline is invalid, which types are compared whole, padding.
 * SPDX-License-Identifier: MIT
 */
#include "wire/wire.h"
#include "model/coding.h"

op_class op_class_of(const op *o)
{
    static const op_class classes[] = {
#define ROW(kind, class, change) [OP_##kind] = OP_CLASS_##class,
        OPS(ROW)
#undef ROW
    };
    return classes[o->kind];
}

op_change op_change_of(const op *o)
{
    static const op_change changes[] = {
#define ROW(kind, class, change) [OP_##kind] = OP_CHANGE_##change,
        OPS(ROW)
#undef ROW
    };
    return changes[o->kind];
}

bool op_is_leaf(const op *o)
{
    return op_class_of(o) == OP_CLASS_LEAF;
}

bool ops_any(const op *o, bool (*answer)(const op *))
{
    while (o && !answer(o))
        o = o->next;
    return o != NULL;
}

bool op_any_side(const op *o, bool (*answer)(const op *))
{
    const op_arm *a = o->arms;
    while (a && !ops_any(a->body, answer))
        a = a->next;
    return a || ops_any(o->body, answer) || ops_any(o->other, answer);
}

/* ---- values in memory, as deltas see them */

/* A leaf can be so only if a condition uses it, and if its range is smaller than its storage. */
static bool leaf_can_be_unsound(const op *o)
{
    const bool has_range =
        o->kind == OP_BIASED || o->kind == OP_ENUM || (o->kind == OP_RAW && o->bits < storage_bits(o->type->storage));
    return has_range && o->field->asked;
}

bool op_can_be_unsound(const op *o)
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF: return leaf_can_be_unsound(o);
    case OP_CLASS_VARYING: return o->kind == OP_STRING || o->kind == OP_BYTES;
    case OP_CLASS_TYPE: return o->kind == OP_UNION || o->of->can_be_unsound;
    case OP_CLASS_HOLDER: return o->kind == OP_COUNTED || op_can_be_unsound(o->body);
    case OP_CLASS_CHOICE: break;
    }
    return op_any_side(o, op_can_be_unsound);
}

static bool number_moves(const op *o, bool goes)
{
    return o->field && field_moves(o->field) && !o->field->speed == !goes;
}

/* test: op_goes or op_follows, which is this. */
static bool holds_motion(const op *o, bool goes, bool (*test)(const op *))
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF: return number_moves(o, goes);
    case OP_CLASS_VARYING: return (o->kind == OP_COMPACT || o->kind == OP_OR_RAW) && number_moves(o, goes);
    case OP_CLASS_TYPE:
        if (o->kind == OP_STRUCT || o->field)
            return goes ? o->of->goes : o->of->follows;
        break;
    case OP_CLASS_HOLDER:
        return (o->kind == OP_ARRAY || o->kind == OP_COUNTED || o->kind == OP_OPTIONAL) && test(o->body);
    case OP_CLASS_CHOICE: break;
    }
    return op_any_side(o, test);
}

bool op_follows(const op *o)
{
    return holds_motion(o, false, op_follows);
}

bool op_goes(const op *o)
{
    return holds_motion(o, true, op_goes);
}

bool op_moves(const op *o)
{
    return op_follows(o) || op_goes(o);
}

uint64_t op_plain_bytes(const op *o)
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF:
        if (o->kind == OP_QUAT || o->kind == OP_UNIT)
            return (o->kind == OP_QUAT ? 4 : 3) * sizeof(float);
        return o->kind != OP_CONSTANT && o->kind != OP_REF ? storage_bits(o->type->storage) / 8 : 0;
    case OP_CLASS_VARYING:
        return o->kind == OP_COMPACT || o->kind == OP_OR_RAW ? storage_bits(o->type->storage) / 8 : 0;
    case OP_CLASS_TYPE: return o->kind == OP_STRUCT ? o->of->plain_bytes : 0;
    case OP_CLASS_HOLDER:
        if (o->kind == OP_UNLESS)
            return op_plain_bytes(o->body);
        return o->kind == OP_ARRAY ? o->count * op_plain_bytes(o->body) : 0;
    case OP_CLASS_CHOICE: break;
    }
    return 0;
}

uint64_t ops_plain_bytes(const op *o)
{
    uint64_t bytes = 0;
    for (; o; o = o->next) {
        const uint64_t more = op_plain_bytes(o);
        if (more == 0 && o->kind != OP_CONSTANT && o->kind != OP_ALIGN)
            return 0;
        bytes += more;
    }
    return bytes;
}

/* ---- padding */

bool op_pads(const op *o)
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF: return false;
    case OP_CLASS_VARYING:
        if (o->kind == OP_DELTA)
            return o->of->pads;
        return o->kind == OP_ALIGN || o->kind == OP_STRING || o->kind == OP_BYTES;
    case OP_CLASS_TYPE: /* or the body of a union */
        return o->kind == OP_UNION && !o->field ? op_any_side(o, op_pads) : o->of->pads;
    case OP_CLASS_HOLDER: return o->kind != OP_UNLESS && op_pads(o->body);
    case OP_CLASS_CHOICE: break;
    }
    return op_any_side(o, op_pads);
}
