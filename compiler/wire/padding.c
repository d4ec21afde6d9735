/* padding.c - whether the size of a part of a packet depends on the bit where it begins.
 * SPDX-License-Identifier: MIT
 */
#include "wire/padding.h"

static bool is_body_of_union(const op *o)
{
    return o->kind == OP_UNION && !o->field;
}

bool op_pads(const op *o)
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF: return false;
    case OP_CLASS_VARYING:
        if (o->kind == OP_DELTA)
            return o->of->pads;
        return o->kind == OP_ALIGN || o->kind == OP_STRING || o->kind == OP_BYTES;
    case OP_CLASS_TYPE: return is_body_of_union(o) ? op_any_side(o, op_pads) : o->of->pads;
    case OP_CLASS_HOLDER: return o->kind != OP_UNLESS && op_pads(o->body);
    case OP_CLASS_CHOICE: break;
    }
    return op_any_side(o, op_pads);
}

bool ops_pad(const op *o)
{
    while (o && !op_pads(o))
        o = o->next;
    return o != NULL;
}
