/* placement.c - counts the lines of each type, and chooses its place by their number.
 * SPDX-License-Identifier: MIT
 */
#include "wire/wire.h"
#include "wire/extent.h"
#include "wire/tuning.h"

placement place_of(const schema_file *user, const wire_type *t, bool is_element)
{
    if (t->fixed && t->decl->kind == DECL_STRUCT && t->leaves <= FLAT_LEAVES && t->lines <= FLAT_LINES &&
        t->nesting <= FLAT_NESTING)
        return PLACE_FLAT;
    if (t->leaves <= INLINE_LEAVES || (is_element && t->decl->file == user && t->uses == 1 && !t->calls))
        return PLACE_INLINE;
    return PLACE_CALL;
}

/* ---- what is spelled out */

/* Counts a list without optional parts. */
static void count_lines(wire_type *t, const op *o)
{
    for (; o; o = o->next) {
        uint64_t lines = 1;
        uint32_t nesting = 0;
        const op *element = o;
        for (; element->kind == OP_ARRAY; element = element->body, nesting++)
            lines = bits_times(lines, element->count < LOOP_LINES ? element->count : LOOP_LINES);
        if (element->kind == OP_STRUCT && place_of(t->decl->file, element->of, nesting != 0) == PLACE_FLAT) {
            lines = bits_times(lines, element->of->lines);
            nesting += 1 + element->of->nesting;
        }
        t->lines = bits_plus(t->lines, lines);
        if (nesting > t->nesting)
            t->nesting = nesting;
    }
}

static bool is_straight(const op *o)
{
    for (; o; o = o->next) {
        const op *element = o;
        while (element->kind == OP_ARRAY)
            element = element->body;
        if (element->kind == OP_STRUCT ? !element->of->straight : !op_is_leaf(element) && element->kind != OP_ALIGN)
            return false;
    }
    return true;
}

/* ---- what is called */

static bool calls_in_list(const schema_file *user, const op *o);

static bool calls_in(const schema_file *user, const op *o, bool is_element)
{
    switch (op_class_of(o)) {
    case OP_CLASS_LEAF: return false;
    case OP_CLASS_VARYING: return o->kind == OP_DELTA;
    case OP_CLASS_TYPE:
        if (o->kind == OP_STRUCT || o->field)
            return place_of(user, o->of, is_element) == PLACE_CALL || o->of->calls;
        break;
    case OP_CLASS_HOLDER:
        return calls_in(user, o->body, is_element || (o->kind != OP_OPTIONAL && o->kind != OP_UNLESS));
    case OP_CLASS_CHOICE: break;
    }
    for (const op_arm *a = o->arms; a; a = a->next)
        if (calls_in_list(user, a->body))
            return true;
    return calls_in_list(user, o->body) || calls_in_list(user, o->other);
}

static bool calls_in_list(const schema_file *user, const op *o)
{
    for (; o; o = o->next)
        if (calls_in(user, o, false))
            return true;
    return false;
}

/* Types are in an order in which nested types come first. */
void place_types(wire *w)
{
    for (wire_type *t = w->types; t; t = t->next) {
        if (t->fixed && t->decl->kind == DECL_STRUCT)
            count_lines(t, t->body);
        t->straight = is_straight(t->body);
        t->calls = calls_in_list(t->decl->file, t->body);
    }
}
