/* dump_wire.c - what --dump=wire prints: for each type its size and its plan, step by step.
 * SPDX-License-Identifier: MIT
 *
 * The plan of a value has the steps of fuse.h. The plan of a delta (delta_plan.h) is printed after it:
 *
 *   delta of T: 14 to 447 bits     the least and the greatest size
 *     compare x y z at once        compared with the baseline in one operation, not field by field
 *     compare items by element     into a bitmap, which is used again when the array is written
 *     mask 13 bits                 the change mask of a block, the first thing on the wire
 *     row 30 bits                  fields that share a word, each in it only if its bit is set
 *       bit 0 x 15 bits
 *     values x y z                 codes of fields compared at once become values at once
 *     changed bit 9 score: full    a field by itself, if its bit is set, and how it is written
 *     always                       padding and constants, which have no bit
 *     if, else, case, default      a side of a branch: a block with a mask of its own
 *
 * A value is written in one of these ways:
 *
 *   flip                   nothing: the bit in the mask says everything
 *   full                   as outside of deltas; the steps follow
 *   steps of 4 or 8 bits   delta<4, 8>
 *   delta of T             T's own delta
 *   elements of 4          the changed ones as a subset of 4, each as in the next lines
 *   optional               its presence; the value as the next lines say
 *
 * The baseline lacks a value if it took another branch, had no optional value or fewer elements. Then "or base"
 * compares the value with the base value of the field, "or blank" with a T of base values.
 */
#include "phases/dump_wire.h"
#include "wire/fuse.h"

#include <assert.h>
#include <inttypes.h>

typedef struct dump {
    arena *arena;
    FILE *to;
} dump;

static void dump_steps(const step *s, int indent, dump *d);

static void dump_access(const lvalue *at, dump *d)
{
    if (!at)
        return;
    dump_access(at->outer, d);
    switch (at->kind) {
    case ACCESS_FIELD: fprintf(d->to, "%s%s", at->outer ? "." : "", at->field->name); break;
    case ACCESS_INDEX:
        if (at->loop < 0)
            fprintf(d->to, "[%" PRIu32 "]", at->offset);
        else
            fprintf(d->to, "[i%d + %" PRIu32 "]", at->loop, at->offset);
        break;
    case ACCESS_MEMBER: fprintf(d->to, "%s%s", at->outer ? "." : "", at->member->name); break;
    }
}

static const char *role_name(leaf_role role)
{
    switch (role) {
    case LEAF_VALUE: return "value";
    case LEAF_PRESENCE: return "presence";
    case LEAF_DIFFERS: return "differs";
    case LEAF_COUNT: return "count";
    case LEAF_LENGTH: return "length";
    case LEAF_SIZE: return "size";
    case LEAF_TAG: return "tag";
    }
    assert(false && "every role has a name");
    return "";
}

static const char *step_name(step_kind kind)
{
    switch (kind) {
    case STEP_NEED: return "need";
    case STEP_RUN: return "run";
    case STEP_WORD: return "word";
    case STEP_LEAF: return "leaf";
    case STEP_END: return "end";
    case STEP_VARIED: return "varied";
    case STEP_ALIGN: return "align";
    case STEP_COPY: return "copy";
    case STEP_TEXT: return "text";
    case STEP_BYTES: return "bytes";
    case STEP_VARYING: return "varying";
    case STEP_KEY: return "key";
    case STEP_NAMED: return "named";
    case STEP_DELTA: return "delta";
    case STEP_CALL: return "call";
    case STEP_UNION: return "union";
    case STEP_PRESENT: return "present";
    case STEP_DIFFERS: return "differs";
    case STEP_IF: return "if";
    case STEP_SWITCH: return "switch";
    case STEP_SUBSET: return "subset";
    case STEP_LOOP: return "loop";
    }
    assert(false && "every step has a name");
    return "";
}

/* The condition of an if, or the subject of a switch. */
static const char *condition_text(const op *o, const dump *d)
{
    const item *i = o->item;
    return expr_text(d->arena, o->kind == OP_IF ? i->as.branch.condition : i->as.choice.subject);
}

/* "case 1 2", "default", or the member of a union. */
static void dump_arm(const op_arm *a, int indent, const dump *d)
{
    fprintf(d->to, "%*s", indent, "");
    if (a->member) {
        fprintf(d->to, "member %s\n", a->member->name);
        return;
    }
    if (a->arm->value_count != 0)
        fprintf(d->to, "case");
    for (uint32_t i = 0; i < a->arm->value_count; i++)
        fprintf(d->to, " %s", expr_text(d->arena, a->arm->values[i]));
    fprintf(d->to, a->arm->is_default ? "%sdefault\n" : "%s\n",
            a->arm->is_default && a->arm->value_count != 0 ? " " : "");
}

static void dump_leaf(const step *s, dump *d)
{
    fprintf(d->to, " %s%s", s->op->kind == OP_CONSTANT ? "constant" : role_name(s->role), s->at ? " " : "");
    dump_access(s->at, d);
    if (s->lanes > 1)
        fprintf(d->to, " and %u behind it,", s->lanes - 1);
    fprintf(d->to, " %u bits at %" PRIu64, s->width, s->offset);
    if (s->width != 0)
        fprintf(d->to, ", word bit %u%s", s->shift, s->varies ? " and what varies" : "");
    if (s->row != 0)
        fprintf(d->to, ", the first of a row of %u", s->row);
    if (s->across)
        fprintf(d->to, ", %u of them; the others in word %" PRIu32 " at %u", s->low, s->byte, s->high_shift);
}

static void dump_step(const step *s, int indent, dump *d)
{
    fprintf(d->to, "%*s%s", indent, "", step_name(s->kind));
    switch (s->kind) {
    case STEP_LEAF: dump_leaf(s, d); break;
    case STEP_NEED:
    case STEP_VARIED:
    case STEP_COPY: fprintf(d->to, " %" PRIu64, s->bits); break;
    case STEP_RUN:
        fprintf(d->to, " %" PRIu64 "%s%s", s->bits, s->varies ? " varying" : "", s->edge ? " edge" : "");
        break;
    case STEP_END:
        fprintf(d->to, " %" PRIu64, s->bits);
        if (s->varies)
            fprintf(d->to, " varying, rest %" PRIu64, s->rest);
        break;
    case STEP_WORD: fprintf(d->to, " %" PRIu32 "%s", s->byte, s->edge ? " edge" : ""); break;
    case STEP_ALIGN:
    case STEP_TEXT:
    case STEP_BYTES: fprintf(d->to, " rest %" PRIu64, s->rest); break;
    case STEP_VARYING:
    case STEP_KEY:
        fprintf(d->to, " ");
        dump_access(s->at, d);
        fprintf(d->to, " rest %" PRIu64 "%s", s->rest, s->edge ? " edge" : "");
        break;
    case STEP_NAMED: break;
    case STEP_DELTA: fprintf(d->to, " %s", s->op->of->decl->name); break;
    case STEP_CALL: fprintf(d->to, " %s%s", s->op->of->decl->name, s->inlined ? " inlined" : ""); break;
    case STEP_LOOP: fprintf(d->to, " of %" PRIu32 ", rest %" PRIu64, s->group, s->rest); break;
    case STEP_SUBSET:
        fprintf(d->to, " %s %" PRIu64 " of %" PRIu64 ", rest %" PRIu64, sparse_mode_name(s->op->field->mode),
                s->op->span, s->op->count, s->rest);
        break;
    case STEP_IF:
    case STEP_SWITCH: fprintf(d->to, " %s", condition_text(s->op, d)); break;
    case STEP_UNION:
    case STEP_PRESENT:
    case STEP_DIFFERS: break;
    }
    fprintf(d->to, "\n");
    dump_steps(s->body, indent + 2, d);
    if (s->other) {
        fprintf(d->to, "%*s%s\n", indent, "", s->kind == STEP_LOOP ? "one by one" : "else");
        dump_steps(s->other, indent + 2, d);
    }
    for (const step_arm *a = s->arms; a; a = a->next) {
        dump_arm(a->arm, indent, d);
        dump_steps(a->body, indent + 2, d);
    }
}

static void dump_steps(const step *s, int indent, dump *d)
{
    for (; s; s = s->next)
        dump_step(s, indent, d);
}

/* ---- deltas */

static void dump_block(const delta_block *b, int indent, dump *d);

static const char *field_name(const delta_block *b, unsigned n)
{
    return b->fields[n].value->op->field->name;
}

static void dump_names(const delta_block *b, unsigned first, unsigned count, dump *d)
{
    for (unsigned n = first; n < first + count; n++)
        fprintf(d->to, " %s", field_name(b, n));
}

/* Prints which fields are compared together; each other field is compared by itself. */
static void dump_comparisons(const delta_block *b, int indent, dump *d)
{
    for (unsigned n = 0; n < b->count; n++) {
        const delta_field *f = &b->fields[n];
        const delta_value *v = f->value->form == DELTA_OPTIONAL ? f->value->inner : f->value;
        if (f->together <= 1 && v->form != DELTA_ARRAY)
            continue;
        fprintf(d->to, "%*scompare", indent, "");
        dump_names(b, n, f->together, d);
        fprintf(d->to, v->form == DELTA_ARRAY ? " by element\n" : " at once\n");
    }
}

static void dump_lack(const delta_value *v, dump *d)
{
    switch (v->lack) {
    case LACK_NEVER: break;
    case LACK_BASE: fprintf(d->to, ", or base"); break;
    case LACK_BLANK: fprintf(d->to, ", or blank"); break;
    }
}

static void dump_row(const delta_block *b, const delta_step *row, int indent, dump *d)
{
    fprintf(d->to, "%*srow %u bits\n", indent, "", row->bits);
    for (unsigned n = row->first; n < row->first + row->count; n++) {
        const op *o = b->fields[n].value->op;
        fprintf(d->to, "%*sbit %u %s", indent + 2, "", n, field_name(b, n));
        fprintf(d->to, o->kind == OP_BOOL ? " flip" : " %u bits", o->bits);
        dump_lack(b->fields[n].value, d);
        fprintf(d->to, "\n");
    }
}

/* Prints the rest of a line about a value, and the indented lines after it. */
static void dump_value(const delta_value *v, int indent, dump *d)
{
    const op *o = v->op;
    switch (v->form) {
    case DELTA_FLIP: fprintf(d->to, "flip"); break;
    case DELTA_FULL: fprintf(d->to, "full"); break;
    case DELTA_CODED: fprintf(d->to, "by the model"); break;
    case DELTA_STEPS: fprintf(d->to, "steps of %u or %u bits", o->field->delta_small, o->field->delta_large); break;
    case DELTA_OF_TYPE: fprintf(d->to, "delta of %s", o->of->decl->name); break;
    case DELTA_ARRAY: fprintf(d->to, "elements of %" PRIu64, o->count); break;
    case DELTA_OPTIONAL: fprintf(d->to, "optional"); break;
    }
    dump_lack(v, d);
    fprintf(d->to, v->may_equal ? ", may be equal\n" : "\n");
    dump_steps(v->head, indent + 2, d);
    dump_steps(v->full, indent + 2, d);
    if (v->inner) {
        fprintf(d->to, "%*s%s: ", indent + 2, "", v->form == DELTA_ARRAY ? "each" : "present");
        dump_value(v->inner, indent + 2, d);
    }
}

static void dump_branch(const delta_step *branch, int indent, dump *d)
{
    const bool choice = branch->kind == DELTA_SWITCH;
    fprintf(d->to, "%*s%s %s\n", indent, "", choice ? "switch" : "if", condition_text(branch->op, d));
    for (const delta_side *s = branch->sides; s; s = s->next) {
        if (choice)
            dump_arm(s->arm, indent, d);
        else if (s != branch->sides)
            fprintf(d->to, "%*selse\n", indent, "");
        dump_block(s->block, indent + 2, d);
    }
}

static void dump_block(const delta_block *b, int indent, dump *d)
{
    dump_comparisons(b, indent, d);
    if (b->count != 0)
        fprintf(d->to, "%*smask %u bit%s%s\n", indent, "", b->count, b->count == 1 ? "" : "s",
                b->mask_in_row ? " in one word with the row" : "");
    for (const delta_step *s = b->steps; s; s = s->next) {
        switch (s->kind) {
        case DELTA_ROW: dump_row(b, s, indent, d); break;
        case DELTA_VALUES:
            fprintf(d->to, "%*svalues", indent, "");
            dump_names(b, s->first, s->count, d);
            fprintf(d->to, "\n");
            break;
        case DELTA_NUMBERS:
            fprintf(d->to, "%*scoded row", indent, "");
            dump_names(b, s->first, s->count, d);
            fprintf(d->to, "\n");
            break;
        case DELTA_CHANGED:
            fprintf(d->to, "%*schanged bit %u %s: ", indent, "", s->first, field_name(b, s->first));
            dump_value(b->fields[s->first].value, indent, d);
            break;
        case DELTA_ALWAYS:
            fprintf(d->to, "%*salways\n", indent, "");
            dump_steps(s->always, indent + 2, d);
            break;
        case DELTA_IF:
        case DELTA_SWITCH: dump_branch(s, indent, d); break;
        }
    }
}

static void dump_delta(const delta_plan *p, dump *d)
{
    const wire_type *t = p->type;
    fprintf(d->to, "delta of %s: %" PRIu64 " to %" PRIu64 " bits\n", t->decl->name, t->delta_least, t->delta_most);
    if (p->block) {
        dump_block(p->block, 2, d);
        return;
    }
    dump_steps(p->tag, 2, d);
    for (const op_arm *a = t->body->arms; a; a = a->next)
        fprintf(d->to, "  %s: delta of %s, or blank\n", a->member->name, a->member->type->name);
}

void dump_wire(arena *a, const wire *w, const delta_plan *const *deltas, FILE *to)
{
    dump d = {.arena = a, .to = to};
    for (const wire_type *t = w->types; t; t = t->next) {
        const plan *p = fuse(a, t);
        fprintf(to,
                "%s: %" PRIu64 " to %" PRIu64 " bits; %" PRIu32 " bounds checks, %" PRIu32 " words, %" PRIu32
                " of them at an edge\n",
                t->decl->name, t->least, t->most, p->checks, p->words, p->edges);
        dump_steps(p->steps, 2, &d);
        if (deltas[t->index])
            dump_delta(deltas[t->index], &d);
    }
}
