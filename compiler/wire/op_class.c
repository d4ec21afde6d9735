/* op_class.c - what the table of ops says of each.
 * SPDX-License-Identifier: MIT
 */
#include "wire/wire.h"

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
