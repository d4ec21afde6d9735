/* op_class.c - the classes of ops, for walkers that treat the ops of a class alike.
 * SPDX-License-Identifier: MIT
 */
#include "wire/wire.h"

op_class op_class_of(const op *o)
{
    switch (o->kind) {
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_CONSTANT:
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF: return OP_CLASS_LEAF;
    case OP_ALIGN:
    case OP_STRING:
    case OP_BYTES:
    case OP_COMPACT:
    case OP_AFTER:
    case OP_DELTA: return OP_CLASS_VARYING;
    case OP_STRUCT:
    case OP_UNION: return OP_CLASS_TYPE;
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_COMPUTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_UNLESS: return OP_CLASS_HOLDER;
    case OP_IF:
    case OP_SWITCH: break;
    }
    return OP_CLASS_CHOICE;
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
