/* placement.c - see placement.h.
 * SPDX-License-Identifier: MIT
 */
#include "wire/placement.h"
#include "wire/extent.h"

enum {
    FLAT_LEAVES = 16, /* the fields of a fixed struct with up to this many leaves are placed among those around it, */
    FLAT_LINES = 64,  /* if these are up to this many lines */
    FLAT_NESTING = 8, /* in up to this many loops and structs */
    LOOP_LINES = 9    /* an array is at most this many times its element: a group of 8 elements, and a single one */
};

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

/* Counts a list whose items are all there. */
static void count_lines(wire_type *t, const op *o)
{
    for (; o != NULL; o = o->next) {
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
    for (; o != NULL; o = o->next) {
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
    if (o->kind == OP_STRUCT || (o->kind == OP_UNION && o->field != NULL))
        return place_of(user, o->of, is_element) == PLACE_CALL;
    for (const op_arm *a = o->arms; a != NULL; a = a->next)
        if (o->kind == OP_UNION ? calls_in(user, a->body, false) : calls_in_list(user, a->body))
            return true;
    switch (o->kind) {
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE: return calls_in(user, o->body, true);
    case OP_OPTIONAL:
    case OP_UNLESS: return calls_in(user, o->body, is_element);
    case OP_IF: return calls_in_list(user, o->body) || calls_in_list(user, o->other);
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
    case OP_ALIGN:
    case OP_STRING:
    case OP_BYTES:
    case OP_COMPACT:
    case OP_AFTER:
    case OP_STRUCT:
    case OP_UNION:
    case OP_SWITCH: break;
    }
    return false;
}

static bool calls_in_list(const schema_file *user, const op *o)
{
    for (; o != NULL; o = o->next)
        if (calls_in(user, o, false))
            return true;
    return false;
}

/* Each type comes after those that it contains. */
void place_types(wire *w)
{
    for (wire_type *t = w->types; t != NULL; t = t->next) {
        if (t->fixed && t->decl->kind == DECL_STRUCT)
            count_lines(t, t->body);
        t->straight = is_straight(t->body);
        t->calls = calls_in_list(t->decl->file, t->body);
    }
}
