/* shape.c - what deltas look at in memory: what can be wrong with a baseline, and what is compared whole.
 * SPDX-License-Identifier: MIT
 */
#include "wire/shape.h"

static bool any_can_be_unsound(const op *o)
{
    while (o != NULL && !op_can_be_unsound(o))
        o = o->next;
    return o != NULL;
}

bool op_can_be_unsound(const op *o)
{
    const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL;
    switch (o->kind) {
    case OP_STRING:
    case OP_BYTES:
    case OP_COUNTED:
    case OP_UNION: return true;
    case OP_BIASED:
    case OP_ENUM: return o->field->asked;
    case OP_RAW: return o->field->asked && o->bits < storage_bits(o->type->storage);
    case OP_ARRAY:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_UNLESS: return op_can_be_unsound(o->body);
    case OP_IF: return any_can_be_unsound(o->body) || any_can_be_unsound(o->other);
    case OP_SWITCH:
        while (a != NULL && !any_can_be_unsound(a->body))
            a = a->next;
        return a != NULL;
    case OP_STRUCT: return o->of->can_be_unsound;
    case OP_BOOL:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_QUAT:
    case OP_UNIT:
    case OP_CONSTANT:
    case OP_REF:
    case OP_ALIGN:
    case OP_COMPACT:
    case OP_AFTER: break;
    }
    return false;
}

bool type_can_be_unsound(const wire_type *t)
{
    return any_can_be_unsound(t->body);
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
    case OP_UNION:
    case OP_COUNTED:
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
    for (; o != NULL; o = o->next) {
        const uint64_t more = op_plain_bytes(o);
        if (more == 0 && o->kind != OP_CONSTANT && o->kind != OP_ALIGN)
            return 0;
        bytes += more;
    }
    return bytes;
}
