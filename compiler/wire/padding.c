/* padding.c - whether the size of a part of a packet depends on the bit where it begins.
 * SPDX-License-Identifier: MIT
 */
#include "wire/padding.h"

bool op_pads(const op *o)
{
    const op_arm *a = o->arms;
    switch (o->kind) {
    case OP_ALIGN:
    case OP_STRING:
    case OP_BYTES: return true;
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE:
    case OP_OPTIONAL: return op_pads(o->body);
    case OP_IF: return ops_pad(o->body) || ops_pad(o->other);
    case OP_STRUCT: return o->of->pads;
    case OP_UNION:
        if (o->field != NULL)
            return o->of->pads;
        while (a != NULL && !op_pads(a->body))
            a = a->next;
        return a != NULL;
    case OP_SWITCH:
        while (a != NULL && !ops_pad(a->body))
            a = a->next;
        return a != NULL;
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_CONSTANT:
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF:
    case OP_COMPACT:
    case OP_AFTER:
    case OP_UNLESS: break;
    }
    return false;
}

bool ops_pad(const op *o)
{
    while (o != NULL && !op_pads(o))
        o = o->next;
    return o != NULL;
}
