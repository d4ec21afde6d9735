/* bit_shape.c - whether the bits of a type are laid out as before; their meaning does not matter.
 * SPDX-License-Identifier: MIT
 *
 * A shape is a text of everything that a reader needs to find the bits: widths, counts, lengths, conditions and
 * constants, without names and meanings of codes. A nested type appears as the hash of its own shape.
 */
#include "releases/diff_internal.h"
#include "model/coding.h"

#include "base/out.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

typedef struct shaper {
    comparer *c;
    side *side;
    out *text;
} shaper;

static uint64_t shape_of(comparer *c, side *s, const decl *d);

/* Fields are known by their places, so that a renamed one does not matter. */
static void shape_expr(shaper *s, const expr *e)
{
    out_format(s->text, "(%d", (int)e->kind);
    if (e->kind == EXPR_VALUE)
        out_format(s->text, " %s", num_text(s->c->arena, e->number));
    for (const path *p = e->path; p; p = p->next)
        out_format(s->text, ".%u", (unsigned)place_of_field(s->side, p->field)->index);
    if (e->left)
        shape_expr(s, e->left);
    if (e->right)
        shape_expr(s, e->right);
    out_format(s->text, ")");
}

static void shape_ops(shaper *s, const op *o);

static void shape_choice(shaper *s, const op *o)
{
    out_format(s->text, "switch");
    shape_expr(s, o->item->as.choice.subject);
    for (const op_arm *each = o->arms; each; each = each->next) {
        out_format(s->text, each->arm->is_default ? "default" : "case");
        for (uint32_t i = 0; i < each->arm->value_count; i++)
            out_format(s->text, " %s", num_text(s->c->arena, each->arm->values[i]->number));
        shape_ops(s, each->body);
    }
}

/* The codes of a type. */
static void shape_tables(shaper *s, const decl *d)
{
    const size_t size = strlen(d->name);
    const schema *of = s->side->wire->schema;
    for (const code_table *t = d->holds_coded ? of->tables : NULL; t; t = t->next) {
        if (strncmp(t->name, d->name, size) != 0 || (t->name[size] != '.' && t->name[size] != ' '))
            continue;
        if (values_before(t)) {
            out_format(s->text, "values");
            for (unsigned i = 0; i < t->values->count; i++)
                out_format(s->text, " %" PRIu64, t->values->codes[i]);
            out_format(s->text, ";");
        }
        out_format(s->text, "codes");
        for (unsigned i = 0; i < t->count; i++)
            out_format(s->text, " %u", t->lengths[i]);
        out_format(s->text, ";");
    }
}

/* The fields that name a baseline, by their places. */
static void shape_sum(shaper *s, const field_sum *sum)
{
    out_format(s->text, " sum");
    for (; sum; sum = sum->next) {
        out_format(s->text, sum->minus ? " -" : " +");
        if (sum->depth == 0)
            out_format(s->text, "%" PRIu64, sum->number);
        for (unsigned i = 0; i < sum->depth; i++)
            out_format(s->text, ".%u", (unsigned)place_of_field(s->side, sum->path[i])->index);
    }
}

static void shape_op(shaper *s, const op *o)
{
    switch (o->kind) {
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_REF: out_format(s->text, "bits %u", o->bits); break;
    case OP_CONSTANT: /* a check is computed from the name of its type */
        out_format(s->text, "constant %u %" PRIu64, o->bits, o->item->kind == ITEM_CHECK ? 0 : o->constant);
        break;
    case OP_QUAT: out_format(s->text, "quat %u", o->bits); break;
    case OP_UNIT: out_format(s->text, "bits %u", o->bits); break;
    case OP_ALIGN: out_format(s->text, "align"); break;
    case OP_STRING:
    case OP_BYTES: out_format(s->text, "bytes %u", o->bits); break;
    case OP_COMPACT: out_format(s->text, "compact %u", o->type->bits); break;
    case OP_OR_RAW: out_format(s->text, "raw or %u", o->bits); break;
    case OP_KEY: out_format(s->text, "key %" PRIu64, o->span); break;
    case OP_AFTER: out_format(s->text, "after %u", (unsigned)place_of_field(s->side, o->field->after)->index); break;
    case OP_DELTA:
        out_format(s->text, "delta %016" PRIx64, shape_of(s->c, s->side, o->of->decl));
        if (o->field->chain)
            break;
        shape_sum(s, o->field->part->number);
        shape_sum(s, o->field->part->base);
        shape_sum(s, o->field->part->before);
        out_format(s->text, o->field->part->starts ? " start" : "");
        break;
    case OP_STRUCT:
    case OP_UNION: out_format(s->text, "type %016" PRIx64, shape_of(s->c, s->side, o->of->decl)); break;
    case OP_ARRAY: out_format(s->text, "array %" PRIu64, o->count); break;
    case OP_COUNTED: out_format(s->text, "counted %" PRIu64 " %u", o->count_low, o->bits); break;
    case OP_COMPUTED:
        out_format(s->text, "computed");
        shape_expr(s, o->field->count);
        break;
    case OP_SPARSE: out_format(s->text, "sparse %d %" PRIu64 " %u", (int)o->field->mode, o->count, o->bits); break;
    case OP_OPTIONAL: out_format(s->text, "optional"); break;
    case OP_UNLESS: out_format(s->text, "unless"); break;
    case OP_IF:
        out_format(s->text, "if");
        shape_expr(s, o->item->as.branch.condition);
        break;
    case OP_SWITCH: shape_choice(s, o); return;
    }
    if (o->body || o->kind == OP_IF)
        shape_ops(s, o->body);
    if (o->kind == OP_IF)
        shape_ops(s, o->other);
}

static void shape_speed(shaper *s, const own_speed *v)
{
    out_format(s->text, "by %u %" PRIu32 " %u", (unsigned)place_of_field(s->side, v->of)->index, v->factor, v->shift);
    if (v->condition)
        shape_expr(s, v->condition);
    out_format(s->text, " ");
}

static void shape_ops(shaper *s, const op *o)
{
    out_format(s->text, "{");
    for (; o; o = o->next) {
        if (o->field && o->field->coded)
            out_format(s->text, o->field->still ? "still " : "coded ");
        if (o->field && o->field->speed)
            shape_speed(s, o->field->speed);
        if (o->field && o->field->has_delta) /* steps are bits too */
            out_format(s->text, "delta %u %u ", o->field->delta_small, o->field->delta_large);
        shape_op(s, o);
        out_format(s->text, ";");
    }
    out_format(s->text, "}");
}

static void shape_members(shaper *s, const decl *d)
{
    for (const member *m = d->members; m; m = m->next)
        out_format(s->text, "%016" PRIx64 ";", shape_of(s->c, s->side, m->type));
}

unsigned enum_bits(const decl *d)
{
    return d->width ? d->width : bit_length(d->type.high.magnitude - d->type.low.magnitude);
}

static uint64_t shape_of(comparer *c, side *s, const decl *d)
{
    const uint64_t *known = map_get(s->shapes, d, NULL);
    if (known)
        return *known;
    shaper to = {c, s, out_new(c->arena)};
    const wire_type *t = type_of_decl(s, d);
    out_format(to.text, "%d %d %d ", (int)d->kind, d->packet, d->delta + d->predicts);
    shape_tables(&to, d);
    if (d->kind == DECL_UNION)
        shape_members(&to, d);
    else if (d->kind == DECL_STRUCT)
        shape_ops(&to, t->body);
    else
        out_format(to.text, "bits %u low %s", enum_bits(d), num_text(c->arena, d->type.low));
    size_t size;
    uint64_t *made = ARENA_NEW(c->arena, uint64_t);
    *made = fnv1a_64(out_result(to.text, &size));
    map_put(c->arena, s->shapes, d, NULL, made);
    return *made;
}

bool same_shape(comparer *c, const decl *before, const decl *after)
{
    return shape_of(c, &c->before, before) == shape_of(c, &c->after, after);
}

/* ---- codes */

/* The value of an integer whose code is 0. */
static num bias_of(const type *t)
{
    return t->kind == TYPE_INT || t->kind == TYPE_FIXED || t->kind == TYPE_ENUM ? t->low : num_u64(0);
}

bool same_real(double x, double y)
{
    return !(x < y) && !(x > y);
}

bool same_code(const comparer *c, const type *before, const type *after)
{
    const value_sort old = type_row_of(before)->sort, now = type_row_of(after)->sort;
    if ((old == SORT_STRING || old == SORT_BYTES) && (now == SORT_STRING || now == SORT_BYTES))
        return true;
    const bool number = (old == SORT_INTEGER || old == SORT_BOOL) && (now == SORT_INTEGER || now == SORT_BOOL);
    if (old != now && !number)
        return false;
    switch (now) {
    case SORT_BOOL:
    case SORT_INTEGER:
        return num_compare(bias_of(before), bias_of(after)) == 0 &&
               (before->kind == TYPE_BITS && before->low.negative) == (after->kind == TYPE_BITS && after->low.negative);
    case SORT_FIXED: return num_compare(before->low, after->low) == 0 && before->fraction_bits == after->fraction_bits;
    case SORT_REAL:
        return before->kind == after->kind &&
               (after->kind == TYPE_FLOAT
                    ? before->real == after->real
                    : (same_real(before->real_low, after->real_low) && same_real(before->real_high, after->real_high) &&
                       before->steps == after->steps));
    case SORT_ENUM:
    case SORT_FLAGS:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_REF: return old_decl(c, after->decl) == before->decl;
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_FOREIGN: return true;
    }
    assert(false && "every sort is above");
    return true;
}
