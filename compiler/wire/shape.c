/* shape.c - values in memory, as deltas see them: when a baseline is invalid, and which types are compared whole.
 * SPDX-License-Identifier: MIT
 */
#include "wire/wire.h"

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

uint64_t op_plain_bytes(const op *o)
{
    switch (o->kind) {
    case OP_BOOL: return 1;
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_COMPACT: return storage_bits(o->type->storage) / 8;
    case OP_QUAT: return 4 * sizeof(float);
    case OP_UNIT: return 3 * sizeof(float);
    case OP_UNLESS: return op_plain_bytes(o->body);
    case OP_ARRAY: return o->count * op_plain_bytes(o->body);
    case OP_STRUCT: return o->of->plain_bytes;
    case OP_CONSTANT:
    case OP_REF:
    case OP_ALIGN:
    case OP_STRING:
    case OP_BYTES:
    case OP_AFTER:
    case OP_DELTA:
    case OP_UNION:
    case OP_COUNTED:
    case OP_COMPUTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_IF:
    case OP_SWITCH: break;
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
