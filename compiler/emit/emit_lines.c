/* emit_lines.c - T_lines: a type as data, a row for each item; and T_side, which side of a branch a value takes.
 * SPDX-License-Identifier: MIT
 *
 * The rows are those of runtime/pkt_lines.h. They follow the ops, not the plan: how bits share words does not matter to
 * what goes through a value item by item. A row that others belong to comes before them.
 */
#include "emit/leaf_table.h"
#include "wire/shape.h"
#include "model/coding.h"

typedef struct rows {
    emitter *e;
    const decl *decl;
    const char *name;   /* of the type in C */
    out *out;           /* the rows; what they refer to goes to the file before them */
    uint64_t *counts;   /* by op.number: how many rows belong to a branch */
    unsigned made;      /* constants that rows refer to */
    const char *bounds; /* the last one with bounds, which are those of `bounded` */
    const type *bounded;
} rows;

/* ---- counting */

/* The row of a coded change mask. */
static uint64_t count_changes(const block *b)
{
    return b->masks != NULL ? 1 : 0;
}

static uint64_t count_list(rows *k, const op *o);

/* The rows of an op, with those that belong to it. */
static uint64_t count_op(rows *k, const op *o)
{
    switch (o->kind) {
    case OP_BYTES: return 2;
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_UNLESS: return 1 + count_op(k, o->body);
    case OP_IF:
    case OP_SWITCH: break;
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
    case OP_COMPACT:
    case OP_AFTER:
    case OP_STRUCT:
    case OP_UNION: return 1;
    }
    if (k->counts[o->number] == 0) {
        uint64_t count = 0;
        if (o->kind == OP_IF)
            count = 2 + count_changes(&o->item->as.branch.then) + count_changes(&o->item->as.branch.other) +
                    count_list(k, o->body) + count_list(k, o->other);
        for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a != NULL; a = a->next)
            count += 1 + count_changes(&a->arm->body) + count_list(k, a->body);
        k->counts[o->number] = count;
    }
    return 1 + k->counts[o->number];
}

static uint64_t count_list(rows *k, const op *o)
{
    uint64_t count = 0;
    for (; o != NULL; o = o->next)
        count += count_op(k, o);
    return count;
}

/* ---- what rows refer to: constants with numbers, which are the same for neighbours that have the same */

static const char *constant(rows *k, const char *what)
{
    return arena_printf(k->e->arena, "%s_%s%u_", k->name, what, ++k->made);
}

static const char *put_bounds(rows *k, const type *t)
{
    emitter *e = k->e;
    if (k->bounds == NULL || k->bounded->real_low != t->real_low || k->bounded->real_high != t->real_high) {
        k->bounds = constant(k, "bounds");
        k->bounded = t;
        out_put(e->out, "static const pkt_bounds $bounds = {$low, $high};\n", "bounds", k->bounds, "low",
                cname_real(e->arena, t->real_low, STORAGE_DOUBLE), "high",
                cname_real(e->arena, t->real_high, STORAGE_DOUBLE), NULL);
    }
    return arena_printf(e->arena, "&%s", k->bounds);
}

/* Whether the values of an enum are not just a range whose base value is 0 or the least one. */
static bool needs_values(const op *o)
{
    const num base = enum_base(o->type->decl)->value;
    return (o->kind == OP_ENUM && op_has_gaps(o)) || (base.magnitude != 0 && num_compare(base, o->low) != 0);
}

static const char *put_values(rows *k, const op *o)
{
    emitter *e = k->e;
    const decl *d = o->type->decl;
    const bool has_gaps = o->kind == OP_ENUM && op_has_gaps(o);
    const char *values = constant(k, "values"), *list = arena_printf(e->arena, "%slist_", values);
    if (has_gaps) {
        out_put(e->out, "static const uint64_t $list[] = {\n", "list", list, NULL);
        out_indent(e->out);
        for (const member *m = d->members; m != NULL; m = m->next)
            out_put(e->out, "$value,\n", "value", spell_member(e, d, m), NULL);
        out_dedent(e->out);
        out_put(e->out, "};\n", NULL);
    }
    out_put(e->out, "static const pkt_values $values = {$base, $list, $count};\n", "values", values, "base",
            spell_member(e, d, enum_base(d)), "list", has_gaps ? list : "NULL", "count",
            spell_number(e, has_gaps ? d->member_count : 0), NULL);
    return arena_printf(e->arena, "&%s", values);
}

static const char *put_usual(rows *k, const op *o)
{
    emitter *e = k->e;
    const char *usual = constant(k, "usual");
    out_put(e->out, "static const $type $usual = $value;\n", "type", spell_type(e, o->type), "usual", usual, "value",
            spell_value(e, o->type, &o->field->unless), NULL);
    return arena_printf(e->arena, "&%s", usual);
}

/* ---- rows */

static const char *spell_bits(const emitter *e, num n)
{
    return arena_printf(e->arena, n.negative ? "(uint64_t)%s" : "%s",
                        cname_integer(e->arena, n, n.negative ? STORAGE_I64 : STORAGE_U64));
}

/* The code tables of a coded number, with its bounds if it has any. */
static const char *put_codes(rows *k, const field *f)
{
    emitter *e = k->e;
    const char *codes = arena_printf(e->arena, "%s_%s_codes_", k->name, f->name), *coded;
    if (f->type.kind != TYPE_QUANTIZED)
        return codes;
    coded = constant(k, "coded");
    out_put(e->out, "static const pkt_coded_bounds $coded = {{$low, $high}, $codes};\n", "coded", coded, "low",
            cname_real(e->arena, f->type.real_low, STORAGE_DOUBLE), "high",
            cname_real(e->arena, f->type.real_high, STORAGE_DOUBLE), "codes", codes, NULL);
    return arena_printf(e->arena, "&%s", coded);
}

/* A leaf that is more than its kind says; low, span and `of` as runtime/pkt_lines.h has them for it. */
static void put_leaf(rows *k, const op *o, const char *m, const char *kind, unsigned bits, const char *low,
                     const char *most, const char *of)
{
    const field *f = o->field;
    const emitter *e = k->e;
    const bool coded = f->codes[0] != NULL;
    if (coded)
        of = put_codes(k, f);
    out_put(k->out,
            op_can_be_unsound(o) || (coded && f->asked)
                ? "PKT_LEAF_ASKED($kind, $type, $m, $bits, $low, $span, $of, $small, $large),\n"
            : f->has_delta || coded ? "PKT_LEAF_STEPS($kind, $type, $m, $bits, $low, $span, $of, $small, $large),\n"
                                    : "PKT_LEAF($kind, $type, $m, $bits, $low, $span, $of),\n",
            "kind", kind, "type", k->name, "m", m, "bits", spell_number(e, bits), "low", low, "span", most, "of", of,
            "small", coded ? "PKT_LINE_CODED" : spell_number(e, f->delta_small), "large",
            spell_number(e, coded ? f->owner->moves ? CODE_CONTEXTS : 1 : f->delta_large), NULL);
}

/* The sign bit of two's complement: a step is taken from what is above the least value. */
static void put_raw(rows *k, const op *o, const char *m)
{
    const emitter *e = k->e;
    const uint64_t sign = o->type->low.negative ? UINT64_C(1) << (o->bits - 1) : 0;
    if (o->type->kind == TYPE_ENUM && needs_values(o))
        put_leaf(k, o, m, "ENUM", o->bits, "0",
                 cname_integer(e->arena, num_u64(UINT64_MAX >> (64 - o->bits)), STORAGE_U64), put_values(k, o));
    else
        put_leaf(k, o, m, "BITS", o->bits, cname_integer(e->arena, num_u64(sign), STORAGE_U64), "0", "NULL");
}

static void put_enum(rows *k, const op *o, const char *m)
{
    const bool values = needs_values(o);
    put_leaf(k, o, m, values ? "ENUM" : "INT", o->bits, spell_bits(k->e, o->low),
             cname_integer(k->e->arena, num_u64(o->span), STORAGE_U64), values ? put_values(k, o) : "NULL");
}

static void put_list(rows *k, const op *o);

static void put_changes(rows *k, const block *b)
{
    if (b->masks != NULL)
        out_put(k->out, "PKT_LEAF_CHANGES($masks),\n", "masks", spell_masks(k->e, k->decl, b), NULL);
}

static void put_side(rows *k, const block *b, const op *o)
{
    out_put(k->out, "PKT_OF_SIDE($rows),\n", "rows", spell_number(k->e, count_changes(b) + count_list(k, o)), NULL);
    out_indent(k->out);
    put_changes(k, b);
    put_list(k, o);
    out_dedent(k->out);
}

static void put_branch(rows *k, const op *o)
{
    const uint64_t count = count_op(k, o) - 1;
    out_put(k->out, "PKT_OF_BRANCH($number, $rows),\n", "number", spell_number(k->e, o->number), "rows",
            spell_number(k->e, count), NULL);
    if (o->kind == OP_IF) {
        put_side(k, &o->item->as.branch.then, o->body);
        put_side(k, &o->item->as.branch.other, o->other);
    }
    for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a != NULL; a = a->next)
        put_side(k, &a->arm->body, a->body);
}

static void put_op(rows *k, const op *o, const char *m);

/* A row that the next one belongs to. */
static void put_of(rows *k, const op *o, const char *m, const char *row)
{
    const emitter *e = k->e;
    const field *f = o->field;
    out_put(k->out, row, "type", k->name, "m", m, "field", f->name, "bits", spell_number(e, o->bits), "low",
            spell_number(e, o->count_low), "span", spell_number(e, o->span), "count", spell_number(e, o->count), "keep",
            f->keep ? "1" : "0", "kind", f->array == ARRAY_SPARSE ? spell_subset_kind(f) : "", "usual",
            o->kind == OP_UNLESS ? put_usual(k, o->body) : "", "runs", f->runs != NULL ? spell_runs(e, f) : "", "max",
            cname_integer(e->arena, num_u64(o->span), STORAGE_U64), NULL);
}

/* The leaf with the number of bytes of m. */
static void put_bytes(rows *k, const op *o, const char *m)
{
    put_of(k, o, m, "PKT_OF_BYTES($type, $m, $max),\n");
    out_put(k->out, "PKT_LEAF(INT, $type, $m, $bits, 0, $max, NULL),\n", "type", k->name, "m",
            spell_size_of_bytes(k->e, o->field, m), "bits", spell_number(k->e, o->bits), "max",
            cname_integer(k->e->arena, num_u64(o->span), STORAGE_U64), NULL);
}

static void put_op(rows *k, const op *o, const char *m)
{
    emitter *e = k->e;
    const type *t = o->type;
    const char *element =
        o->kind == OP_ARRAY || o->kind == OP_COUNTED || o->kind == OP_SPARSE ? arena_printf(e->arena, "%s[0]", m) : m;
    switch (o->kind) {
    case OP_BOOL: put_leaf(k, o, m, "BOOL", 1, "0", "0", "NULL"); return;
    case OP_RAW: put_raw(k, o, m); return;
    case OP_BIASED:
        put_leaf(k, o, m, "INT", o->bits, spell_bits(e, o->low), cname_integer(e->arena, num_u64(o->span), STORAGE_U64),
                 "NULL");
        return;
    case OP_ENUM: put_enum(k, o, m); return;
    case OP_FLOAT: put_leaf(k, o, m, o->bits == 16 ? "HALF" : "BITS", o->bits, "0", "0", "NULL"); return;
    case OP_QUANTIZED:
        put_leaf(k, o, m, "QUANTIZED", o->bits, "0", cname_integer(e->arena, num_u64(t->steps), STORAGE_U64),
                 o->field->codes[0] != NULL ? NULL : put_bounds(k, t));
        return;
    case OP_QUAT: put_leaf(k, o, m, "QUAT", t->bits, "0", "0", "NULL"); return;
    case OP_UNIT: put_leaf(k, o, m, "UNIT", t->bits, "0", "0", "NULL"); return;
    case OP_REF: put_leaf(k, o, m, "REF", o->bits, spell_ref(e, t->decl), spell_number(e, o->span), "NULL"); return;
    case OP_COMPACT: put_leaf(k, o, m, "COMPACT", t->bits, "0", "0", "NULL"); return;
    case OP_CONSTANT:
        out_put(k->out, "PKT_LEAF_CONSTANT(\"$kind\", $bits, $value),\n", "kind", spell_constant_kind(o), "bits",
                spell_number(e, o->bits), "value", spell_hexadecimal(e, o->constant), NULL);
        return;
    case OP_ALIGN: out_put(k->out, "PKT_LEAF_ALIGN(),\n", NULL); return;
    case OP_AFTER:
        out_put(k->out, "PKT_LEAF_AFTER($type, $m, $start),\n", "type", k->name, "m", m, "start", o->field->after->name,
                NULL);
        return;
    case OP_STRING: put_of(k, o, m, "PKT_LEAF_TEXT($type, $m, $bits, $max),\n"); return;
    case OP_STRUCT:
    case OP_UNION:
        out_put(k->out, "PKT_LEAF_STRUCT($type, $m, &${of}_lines),\n", "type", k->name, "m", m, "of",
                spell_decl(e, o->of->decl), NULL);
        return;
    case OP_BYTES: put_bytes(k, o, m); return;
    case OP_IF:
    case OP_SWITCH: put_branch(k, o); return;
    case OP_ARRAY:
        put_of(k, o, m,
               o->field->coded ? "PKT_OF_CODED_ARRAY($type, $m, $count, $runs),\n"
                               : "PKT_OF_ARRAY($type, $m, $count),\n");
        break;
    case OP_COUNTED:
        put_of(k, o, m,
               o->field->coded ? "PKT_OF_CODED_COUNTED($type, $field, $bits, $low, $span, $runs),\n"
                               : "PKT_OF_COUNTED($type, $field, $bits, $low, $span),\n");
        break;
    case OP_SPARSE: put_of(k, o, m, "PKT_OF_SPARSE($type, $field, $kind, $keep, $span, $count),\n"); break;
    case OP_OPTIONAL: put_of(k, o, m, "PKT_OF_OPTIONAL($type, $field),\n"); break;
    case OP_UNLESS: put_of(k, o, m, "PKT_OF_UNLESS($type, $m, $usual),\n"); break;
    }
    out_indent(k->out);
    put_op(k, o->body, element);
    out_dedent(k->out);
}

static void put_list(rows *k, const op *o)
{
    for (; o != NULL; o = o->next)
        put_op(k, o, o->field != NULL ? o->field->name : "");
}

static void put_union(rows *k, const op *o)
{
    emitter *e = k->e;
    out_put(k->out, "PKT_OF_UNION($type, $bits, $span),\n", "type", k->name, "bits", spell_number(e, o->bits), "span",
            spell_number(e, o->span), NULL);
    out_indent(k->out);
    for (const op_arm *a = o->arms; a != NULL; a = a->next)
        out_put(k->out, "PKT_OF_MEMBER($type, $m, &${of}_lines),\n", "type", k->name, "m", a->member->name, "of",
                spell_decl(e, a->member->type), NULL);
    out_dedent(k->out);
}

/* ---- types */

static void emit_side_case(emitter *e, const wire_type *t, const op *o)
{
    for (; o != NULL; o = o->next) {
        if (o->kind != OP_IF && o->kind != OP_SWITCH)
            continue;
        out_put(e->out, "case $n: return $side;\n", "n", spell_number(e, o->number), "side", spell_side(e, t, o, "v_"),
                NULL);
        emit_side_case(e, t, o->body);
        emit_side_case(e, t, o->other);
        for (const op_arm *a = o->arms; a != NULL; a = a->next)
            emit_side_case(e, t, a->body);
    }
}

static void emit_side(emitter *e, const wire_type *t)
{
    out_put(e->out,
            "static unsigned ${name}_side(const void *value_, unsigned branch_)\n"
            "{\n"
            "    const $name *v_ = (const $name *)value_;\n"
            "    switch (branch_) {\n",
            "name", spell_decl(e, t->decl), NULL);
    out_indent(e->out);
    emit_side_case(e, t, t->body);
    out_put(e->out, "default: return 0;\n", NULL);
    out_dedent(e->out);
    out_put(e->out, "    }\n}\n\n", NULL);
}

static const char lines[] = "const pkt_lines ${name}_lines = {\"$plain\", $rows, $count, sizeof($name), $side};\n\n";

static void put_block(rows *k, const wire_type *t)
{
    put_changes(k, &t->decl->body);
    put_list(k, t->body);
}

void emit_lines(emitter *e, const wire_type *t)
{
    const bool is_union = t->decl->kind == DECL_UNION;
    rows k = {.e = e, .decl = t->decl, .name = spell_decl(e, t->decl), .out = out_new(e->arena)};
    size_t size;
    k.counts = ARENA_ARRAY(e->arena, uint64_t, t->branches + 1);
    if (t->branches != 0)
        emit_side(e, t);
    if (is_union)
        put_union(&k, t->body);
    else
        put_block(&k, t);
    const uint64_t count =
        is_union ? 1 + (uint64_t)t->decl->member_count : count_changes(&t->decl->body) + count_list(&k, t->body);
    if (count != 0) {
        out_put(e->out, "static const pkt_line ${name}_rows[] = {\n", "name", k.name, NULL);
        out_indent(e->out);
        out_put(e->out, "$rows", "rows", out_result(k.out, &size), NULL);
        out_dedent(e->out);
        out_put(e->out, "};\n", NULL);
    }
    out_put(e->out, lines, "name", k.name, "plain", t->decl->name, "rows",
            count != 0 ? arena_printf(e->arena, "%s_rows", k.name) : "NULL", "count", spell_number(e, count), "side",
            t->branches != 0 ? arena_printf(e->arena, "%s_side", k.name) : "NULL", NULL);
}
