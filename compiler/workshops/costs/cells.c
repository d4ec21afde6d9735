/* cells.c - makes the cells and brackets of a type: its items in wire order, in full or as a delta.
 * SPDX-License-Identifier: MIT
 *
 * Each item is drawn once, one after the other. A delta is drawn as wire.md describes it: the change mask of a block,
 * then the items of fields whose bit is set. A bool has only its bit in the mask.
 */
#include "costs/cells.h"
#include "costs/sizes_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    LINK_BITS = 16,
    ALIGN_BITS = 2,
    BYTE_BITS = 8,
    STEP_BITS = 12,   /* the width of a cell for delta<s, l> */
    MOST_MASK = 64,   /* a change mask of up to this many bits is drawn bit by bit */
    MOST_LEAVES = 64, /* a type of up to this many leaves is drawn in place; a larger one is a link */
    MOST_BITS = 8192, /* in a picture of more than this many bits, all types are links */
    MOST_DEPTH =
        24 /* inside this many brackets types are links too, and further brackets are not drawn: each takes a lane */
};

/* ---- cells and brackets */

static cell *add_cell(picture *p, size_kind kind, const char *name, unsigned bits, const char *what)
{
    cell *c = ARENA_NEW(p->arena, cell);
    *c = (cell){.begin = p->at, .end = p->at + bits, .kind = kind, .name = name};
    c->bits = arena_printf(p->arena, "%u", bits);
    c->title = arena_printf(p->arena, "%s%s%s: %u bit%s", name, *what ? ", " : "", what, bits, bits == 1 ? "" : "s");
    if (bits == 0)
        return c;
    p->at += bits;
    *p->last_cell = c;
    p->last_cell = &c->next;
    return c;
}

static bracket *open_bracket(picture *p, const char *label, bool conditional)
{
    bracket *b = ARENA_NEW(p->arena, bracket);
    *b = (bracket){.begin = p->at, .depth = p->depth++, .label = label, .conditional = conditional};
    if (b->depth >= MOST_DEPTH)
        return b;
    *p->last_bracket = b;
    p->last_bracket = &b->next;
    return b;
}

static void close_bracket(picture *p, bracket *b)
{
    b->end = p->at;
    p->depth--;
}

static void draw_ops(picture *p, const op *o);
static void draw_block(picture *p, const block *b, const op *o);

/* Adds a cell for an item whose bits vary, or that is drawn elsewhere. */
static void draw_varying(picture *p, size_kind kind, const char *name, unsigned bits, const char *what, const op *o)
{
    cell *c = add_cell(p, kind, name, bits, "");
    c->varies = true;
    c->bits = size_range(p->arena, o->least, o->most);
    c->title = arena_printf(p->arena, "%s, %s: %s bits", name, what, c->bits);
    c->link = o->of;
}

static void draw_align(picture *p)
{
    cell *c = add_cell(p, SIZE_FRAME, "align", ALIGN_BITS, "");
    c->varies = true;
    c->bits = "0–7";
    c->title = "zeros to the next whole byte: 0 to 7 bits";
}

static bool is_link(const picture *p, const wire_type *of)
{
    return of->decl->packet || of->leaves > MOST_LEAVES || p->at > MOST_BITS || p->depth > MOST_DEPTH;
}

static void draw_type(picture *p, const op *o, const char *name)
{
    if (is_link(p, o->of))
        draw_varying(p, SIZE_TYPE, name, LINK_BITS, o->of->decl->name, o);
    else
        draw_ops(p, o->of->body);
}

static void draw_union(picture *p, const op *o)
{
    add_cell(p, SIZE_MANAGEMENT, "tag", o->bits, o->field ? o->field->name : "which member follows");
    for (const op_arm *each = o->arms; each; each = each->next) {
        const char *name = each->member->name;
        bracket *b = open_bracket(p, each == o->arms ? name : arena_printf(p->arena, "or %s", name), true);
        draw_type(p, each->body, name);
        close_bracket(p, b);
    }
}

/* The key of an element of a list. */
static void draw_key(picture *p, const op *o)
{
    const field *key = o->field->by;
    cell *c = add_cell(p, (size_kind)type_row_of(&key->type)->family, key->name, STEP_BITS, "");
    c->varies = true;
    c->bits = size_key_bits(p->arena, o);
    c->title = arena_printf(p->arena, "%s, the difference from the key before: %s bits", key->name, c->bits);
}

static const char *times(arena *a, uint64_t low, uint64_t high)
{
    return arena_printf(a, "× %s", size_range(a, low, high));
}

/* Whether the cells of an array have the names of members, so that its bracket must name the array. */
static bool of_types(const op *o)
{
    while (o->kind == OP_ARRAY)
        o = o->body;
    return o->kind == OP_STRUCT || o->kind == OP_UNION;
}

static void draw_type_change(picture *p, const op *o, const char *name);

/* Draws a value of a field, inside the field's brackets. */
static void draw_value(picture *p, const op *o)
{
    arena *a = p->arena;
    const char *name = o->field ? o->field->name : "";
    bracket *b;
    switch (o->kind) {
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF: add_cell(p, size_kind_of(o), name, o->bits, size_source_text(a, o->type->span)); break;
    case OP_CONSTANT: add_cell(p, SIZE_FRAME, size_item_name(a, o->item), o->bits, ""); break;
    case OP_ALIGN: draw_align(p); break;
    case OP_KEY: break; /* the list has it */
    case OP_COMPACT:
    case OP_OR_RAW:
    case OP_AFTER:
        draw_varying(p, size_kind_of(o), name, (unsigned)o->most, size_source_text(a, o->type->span), o);
        break;
    case OP_STRING:
    case OP_BYTES:
        add_cell(p, SIZE_MANAGEMENT, "length", o->bits, name);
        draw_align(p);
        b = open_bracket(p, times(a, 0, o->span), false);
        add_cell(p, SIZE_TEXT, name, BYTE_BITS, "a byte");
        close_bracket(p, b);
        break;
    case OP_DELTA:
        b = open_bracket(p, arena_printf(a, "%s, as a delta", name), true);
        draw_type_change(p, o, name);
        close_bracket(p, b);
        break;
    case OP_STRUCT: draw_type(p, o, name); break;
    case OP_UNION: draw_union(p, o); break;
    case OP_ARRAY:
        b = open_bracket(p,
                         of_types(o) ? arena_printf(a, "%s %s", name, times(a, o->count, o->count))
                                     : times(a, o->count, o->count),
                         false);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_COUNTED:
        add_cell(p, SIZE_MANAGEMENT, "count", o->bits, name);
        b = open_bracket(p, arena_printf(a, "%s %s", name, times(a, o->count_low, o->count)), false);
        if (is_list(o))
            draw_key(p, o);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_COMPUTED:
        b = open_bracket(
            p, arena_printf(a, "%s%s, %s", name, dims_words(a, o->field), times(a, o->count_low, o->count)), false);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_SPARSE:
        b = open_bracket(p, arena_printf(a, "%s %s, each with its place", name, times(a, 0, o->field->limit)), false);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_OPTIONAL:
        add_cell(p, SIZE_MANAGEMENT, arena_printf(a, "has_%s", name), o->bits, "");
        b = open_bracket(p, arena_printf(a, "if has_%s", name), true);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_UNLESS:
        add_cell(p, SIZE_MANAGEMENT, "differs", o->bits, name);
        b = open_bracket(p, "if it differs", true);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_IF:
        b = open_bracket(p, arena_printf(a, "if (%s)", size_source_text(a, o->item->as.branch.condition->span)), true);
        draw_ops(p, o->body);
        close_bracket(p, b);
        if (!o->other)
            break;
        b = open_bracket(p, "else", true);
        draw_ops(p, o->other);
        close_bracket(p, b);
        break;
    case OP_SWITCH:
        for (const op_arm *each = o->arms; each; each = each->next) {
            b = open_bracket(p, size_source_text(a, each->arm->span), true);
            draw_ops(p, each->body);
            close_bracket(p, b);
        }
        break;
    }
}

static void draw_ops(picture *p, const op *o)
{
    for (; o; o = o->next) {
        bool named = o->kind == OP_STRUCT || o->kind == OP_UNION || o->kind == OP_STRING || o->kind == OP_BYTES;
        bracket *b = named && o->field ? open_bracket(p, o->field->name, false) : NULL;
        draw_value(p, o);
        if (b)
            close_bracket(p, b);
    }
}

/* ---- deltas */

static void draw_change(picture *p, const op *o, bool optional);

/* Whether a field has a bit in its block's change mask. */
static bool has_mask_bit(const op *o)
{
    return op_change_of(o) != OP_CHANGE_NOTHING;
}

/* "x, y, turn": as many names as fit in a title. */
static const char *names_of_fields(arena *a, const op *o)
{
    const char *list = "";
    for (; o && strlen(list) < 200; o = o->next)
        if (has_mask_bit(o))
            list = arena_printf(a, "%s%s%s", list, *list ? ", " : "", o->field->name);
    return o ? arena_printf(a, "%s, …", list) : list;
}

static void draw_mask(picture *p, const block *b, const op *o)
{
    const bool coded = b->masks != NULL;
    unsigned count = 0;
    for (const op *each = o; each; each = each->next)
        count += has_mask_bit(each);
    cell *c = add_cell(p, SIZE_MANAGEMENT, "changed", count < MOST_MASK ? count : MOST_MASK, "");
    c->bits = coded ? "coded" : arena_printf(p->arena, "%u", count);
    c->title = arena_printf(p->arena, "%schange mask, a bit for each of: %s", coded ? "coded " : "",
                            names_of_fields(p->arena, o));
    c->varies = coded || count > MOST_MASK;
}

/* Draws the steps of delta<s, l>. */
static void draw_steps(picture *p, const op *o)
{
    arena *a = p->arena;
    const field *f = o->field;
    cell *c = add_cell(p, size_kind_of(o), f->name, STEP_BITS, "");
    c->varies = true;
    const delta_sizes s = delta_sizes_of(o);
    c->bits = o->kind == OP_QUAT ? arena_printf(a, "%u…%" PRIu64, s.small, s.whole_most)
                                 : arena_printf(a, "%u %u %" PRIu64, s.small, s.large, s.whole_most);
    c->title = arena_printf(a, "%s, delta<%u, %u>: %s", f->name, f->delta_small, f->delta_large, size_step_bits(a, o));
}

/* Draws a coded number or rotation, or the places of the elements of a coded array. */
static void draw_coded(picture *p, size_kind kind, const char *name, const char *bits)
{
    cell *c = add_cell(p, kind, name, STEP_BITS, "");
    c->varies = true;
    c->bits = "coded";
    c->title = arena_printf(p->arena, "%s, %s", name, bits);
}

/* Draws the delta of a struct or union, or a link to its picture. */
static void draw_type_change(picture *p, const op *o, const char *name)
{
    const wire_type *of = o->of;
    if (is_link(p, of)) {
        cell *c = add_cell(p, SIZE_TYPE, name, LINK_BITS, "");
        c->varies = true;
        c->bits = size_range(p->arena, of->delta_least, of->delta_most);
        c->title = arena_printf(p->arena, "%s, %s as a delta: %s bits", name, of->decl->name, c->bits);
        c->link = of;
    } else {
        draw_block(p, &of->decl->body, of->body);
    }
}

static void draw_union_change(picture *p, const op *o)
{
    add_cell(p, SIZE_MANAGEMENT, "tag", o->bits, o->field ? o->field->name : "which member follows");
    for (const op_arm *each = o->arms; each; each = each->next) {
        const char *name = each->member->name;
        bracket *b = open_bracket(p, each == o->arms ? name : arena_printf(p->arena, "or %s", name), true);
        draw_type_change(p, each->body, name);
        close_bracket(p, b);
    }
}

/* Draws which elements of a list are gone, and the keys of the new ones. */
static void draw_other_keys(picture *p, const op *o)
{
    add_cell(p, SIZE_MANAGEMENT, "gone", 1, "1 if elements are gone");
    bracket *b = open_bracket(p, arena_printf(p->arena, "%s, those that are gone", times(p->arena, 1, o->count)), true);
    add_cell(p, SIZE_MANAGEMENT, "place", ALIGN_BITS, "which element is gone")->varies = true;
    close_bracket(p, b);
    b = open_bracket(p, arena_printf(p->arena, "%s, new ones", times(p->arena, 0, o->count)), false);
    add_cell(p, SIZE_MANAGEMENT, "new", 1, "1 before each new key, 0 after the last one");
    draw_key(p, o);
    close_bracket(p, b);
}

static void draw_new_elements(picture *p, const op *o)
{
    bracket *b = open_bracket(p, arena_printf(p->arena, "%s, new ones", times(p->arena, 0, o->count)), false);
    draw_change(p, o->body, false);
    close_bracket(p, b);
}

/* Draws the bits that follow a field's bit in the mask, or the index of an element. */
static void draw_change(picture *p, const op *o, bool optional)
{
    arena *a = p->arena;
    bracket *b;
    switch (op_change_of(o)) {
    case OP_CHANGE_FLIP:
        if (optional)
            draw_value(p, o);
        break;
    case OP_CHANGE_NUMBER:
        if (o->field->codes[0])
            draw_coded(p, size_kind_of(o), o->field->name, size_coded(a, o));
        else if (o->field->has_delta)
            draw_steps(p, o);
        else
            draw_value(p, o);
        break;
    case OP_CHANGE_VALUE: draw_value(p, o); break;
    case OP_CHANGE_TYPE: draw_type_change(p, o, o->field ? o->field->name : ""); break;
    case OP_CHANGE_ELEMENTS:
        if (is_list(o))
            draw_other_keys(p, o);
        else if (o->kind == OP_COUNTED)
            add_cell(p, SIZE_MANAGEMENT, "count", o->bits, o->field->name);
        if (o->field->runs)
            draw_coded(p, SIZE_MANAGEMENT, "places",
                       arena_printf(a, "of the elements that changed: %s", size_runs(a, o->field)));
        b = open_bracket(p,
                         arena_printf(a, "%s, those that changed%s", times(a, 1, o->count),
                                      o->field->runs ? "" : ", each with its place"),
                         false);
        if (o->body->kind == OP_BOOL)
            add_cell(p, SIZE_MANAGEMENT, "place", ALIGN_BITS, "which bool flips")->varies = true;
        draw_change(p, o->body, false);
        close_bracket(p, b);
        if (is_list(o))
            draw_new_elements(p, o);
        break;
    case OP_CHANGE_OPTIONAL:
        add_cell(p, SIZE_MANAGEMENT, arena_printf(a, "has_%s", o->field->name), o->bits, "");
        b = open_bracket(p, arena_printf(a, "if has_%s", o->field->name), true);
        draw_change(p, o->body, true);
        close_bracket(p, b);
        break;
    case OP_CHANGE_NOTHING: assert(false && "not a field of a delta"); break;
    }
}

/* A block inside a condition has a mask of its own. */
static void draw_side(picture *p, const char *label, const block *of, const op *o)
{
    bracket *b = open_bracket(p, label, true);
    draw_block(p, of, o);
    close_bracket(p, b);
}

static void draw_block(picture *p, const block *of, const op *o)
{
    arena *a = p->arena;
    if (o && o->kind == OP_UNION && !o->field) {
        draw_union_change(p, o);
        return;
    }
    draw_mask(p, of, o);
    for (; o; o = o->next) {
        if (o->kind == OP_IF) {
            draw_side(p, arena_printf(a, "if (%s)", size_source_text(a, o->item->as.branch.condition->span)),
                      &o->item->as.branch.then, o->body);
            if (o->other)
                draw_side(p, "else", &o->item->as.branch.other, o->other);
        } else if (o->kind == OP_SWITCH) {
            for (const op_arm *each = o->arms; each; each = each->next)
                draw_side(p, size_source_text(a, each->arm->span), &each->arm->body, each->body);
        } else if (!has_mask_bit(o)) {
            draw_value(p, o);
        } else {
            bracket *b = open_bracket(p, arena_printf(a, "if %s changed", o->field->name), true);
            draw_change(p, o, false);
            close_bracket(p, b);
        }
    }
}

/* ---- */

picture *picture_of(arena *a, const wire *w, const wire_type *t, bool delta)
{
    picture *p = ARENA_NEW(a, picture);
    p->arena = a;
    p->last_cell = &p->cells;
    p->last_bracket = &p->brackets;
    if (t->decl->packet)
        add_cell(p, SIZE_FRAME, "crc32", FRAME_CRC_BITS,
                 "over the protocol id, the packet's name and all that follows");
    if (delta && t->decl->holds_coded)
        add_cell(p, SIZE_MANAGEMENT, "form", 1, "1 if what is coded has its coded form");
    if (delta)
        draw_block(p, &t->decl->body, t->body);
    else
        draw_ops(p, t->body);
    if (t->decl->packet && schema_has_end(w->schema, t->decl))
        add_cell(p, SIZE_FRAME, "end check", FRAME_END_BITS, "a known value");
    return p;
}
