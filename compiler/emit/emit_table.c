/* emit_table.c - types as data: T_type_, a table with an entry for each item; T_side, which side of a branch a value
 * takes; and with --reflect T_reflection, the same tables with names.
 * SPDX-License-Identifier: MIT
 *
 * runtime/pkt_type.h has the entries. They follow the ops, not the plan: how bits share words does not matter to code
 * that goes through a value item by item. Offsets and sizes are left to the C compiler (offsetof, sizeof), so that they
 * are right for every target and for the program's own types.
 */
#include "emit/leaf_table.h"
#include "model/accuracy.h"
#include "model/coding.h"
#include "model/type_table.h"

#include <assert.h>
#include <string.h>

typedef struct table {
    emitter *e;
    const decl *decl;
    const char *name;   /* of the type in C */
    bool named;         /* with --reflect */
    out *out;           /* the entries; the constants that they refer to go to the file before them */
    uint64_t count;     /* of the entries in `out` */
    unsigned made;      /* constants that entries refer to */
    const char *bounds; /* the last one with bounds, which are `bounded` */
    const char *bounded;
} table;

/* ---- what entries refer to */

/* The table of a type in C. */
static const char *table_name(const emitter *e, const decl *d, bool named)
{
    return arena_printf(e->arena, named ? "%s_reflection" : "%s_type_", spell_decl(e, d));
}

static const char *table_constant(table *k, const char *what)
{
    return arena_printf(k->e->arena, "%s_%s%s%u_", k->name, k->named ? "reflection_" : "", what, ++k->made);
}

/* {low, high, base}, of a quantized number. */
static const char *bounds_text(const emitter *e, const type *t)
{
    return arena_printf(e->arena, "{%s, %s, %s}", cname_real(e->arena, t->real_low, STORAGE_DOUBLE),
                        cname_real(e->arena, t->real_high, STORAGE_DOUBLE),
                        cname_real(e->arena, quantized_base(t), STORAGE_DOUBLE));
}

/* Neighbours that have the same bounds share the constant. */
static const char *put_bounds(table *k, const type *t)
{
    emitter *e = k->e;
    const char *text = bounds_text(e, t);
    if (!k->bounds || strcmp(k->bounded, text) != 0) {
        k->bounds = table_constant(k, "bounds");
        k->bounded = text;
        out_put(e->out, "static const pkt_bounds $bounds = $text;\n", "bounds", k->bounds, "text", text, NULL);
    }
    return arena_printf(e->arena, "&%s", k->bounds);
}

/* Whether an enum is more than a range whose base value is 0 or the least one: then entries refer to its table. */
static bool is_listed(const decl *d)
{
    const num base = enum_base(d)->value;
    const bool open = d->width != 0;
    if (base.magnitude != 0 && (open || num_compare(base, d->type.low) != 0))
        return true;
    return !open && num_bits(d->type.high) - num_bits(d->type.low) != (uint64_t)d->member_count - 1;
}

/* The address of the table of the enum, the flags or the target that a leaf has; "NULL" if it is not needed. */
static const char *spell_table_of(const table *k, const type *t)
{
    const bool needed = t->decl && (k->named || (t->kind == TYPE_ENUM && is_listed(t->decl)));
    return needed ? arena_printf(k->e->arena, "&%s", table_name(k->e, t->decl, k->named)) : "NULL";
}

static const char *put_usual(table *k, const op *o)
{
    emitter *e = k->e;
    const char *usual = table_constant(k, "usual");
    out_put(e->out, "static const $type $usual = $value;\n", "type", spell_type(e, o->type), "usual", usual, "value",
            spell_value(e, o->type, &o->field->unless), NULL);
    return arena_printf(e->arena, "&%s", usual);
}

/* ---- entries */

static const char *spell_bits(const emitter *e, num n)
{
    return arena_printf(e->arena, n.negative ? "(uint64_t)%s" : "%s",
                        cname_integer(e->arena, n, n.negative ? STORAGE_I64 : STORAGE_U64));
}

static const char *spell_bits_of(const emitter *e, uint64_t n)
{
    return cname_integer(e->arena, num_u64(n), STORAGE_U64);
}

/* The kind of a leaf's value in a program: PKT_KIND_... */
static const char *spell_type_as(const type *t)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: return "BOOL";
    case SORT_INTEGER: return storage_is_signed(t->storage) ? "SIGNED" : "UNSIGNED";
    case SORT_FIXED: return "FIXED";
    case SORT_REAL: return "FLOAT";
    case SORT_ENUM: return "ENUM";
    case SORT_FLAGS: return "FLAGS";
    case SORT_QUAT: return "QUAT";
    case SORT_UNIT: return "UNIT";
    case SORT_REF: return "REF";
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    assert(false && "not a number");
    return "";
}

/* The code tables of a coded number, with its bounds or the table of its enum if it has any. */
static const char *put_codes(table *k, const field *f)
{
    emitter *e = k->e;
    const char *codes = arena_printf(e->arena, "%s_%s_codes_", k->name, f->name), *coded;
    if (f->type.kind == TYPE_ENUM) {
        coded = table_constant(k, "coded");
        out_put(e->out, "static const pkt_coded_enum $coded = {$enum, $codes};\n", "coded", coded, "enum",
                spell_table_of(k, &f->type), "codes", codes, NULL);
        return arena_printf(e->arena, "&%s", coded);
    }
    if (f->type.kind != TYPE_QUANTIZED && f->type.kind != TYPE_OR_RAW)
        return codes;
    coded = table_constant(k, "coded");
    out_put(e->out, "static const pkt_coded_bounds $coded = {$bounds, $codes};\n", "coded", coded, "bounds",
            bounds_text(e, &f->type), "codes", codes, NULL);
    return arena_printf(e->arena, "&%s", coded);
}

/* A leaf that is a number; low, span and `of` as runtime/pkt_type.h has them for its kind. */
static void put_leaf(table *k, const op *o, const char *m, const char *kind, unsigned bits, const char *low,
                     const char *most, const char *of)
{
    const field *f = o->field;
    const emitter *e = k->e;
    const bool coded = f->codes[0] && !k->named, asked = op_can_be_unsound(o);
    if (coded)
        of = put_codes(k, f);
    k->count++;
    out_put(k->out,
            asked || o->type->wraps || f->has_delta || coded || o->type->fraction_bits != 0
                ? "PKT_LEAF_WITH($kind, $as, $type, $m, $bits, $low, $span, $of, $fraction, $small, $large, $flags),\n"
                : "PKT_LEAF($kind, $as, $type, $m, $bits, $low, $span, $of),\n",
            "kind", kind, "as", spell_type_as(o->type), "type", k->name, "m", m, "bits", spell_number(e, bits), "low",
            low, "span", most, "of", of, "fraction", spell_number(e, o->type->fraction_bits), "small",
            coded ? "PKT_ENTRY_CODED" : spell_number(e, f->delta_small), "large",
            spell_number(e, coded ? coded_contexts(f) : f->delta_large), "flags",
            asked && o->type->wraps ? "PKT_ENTRY_ASKED | PKT_ENTRY_WRAPS"
            : asked                 ? "PKT_ENTRY_ASKED"
            : o->type->wraps        ? "PKT_ENTRY_WRAPS"
                                    : "0",
            NULL);
}

/* low is the sign bit of two's complement: steps are between distances from the least value. */
static void put_raw(table *k, const op *o, const char *m)
{
    const uint64_t sign = o->type->low.negative ? UINT64_C(1) << (o->bits - 1) : 0;
    put_leaf(k, o, m, "BITS", o->bits, spell_bits_of(k->e, sign), "0", spell_table_of(k, o->type));
}

static void put_range(table *k, const op *o, const char *m)
{
    const char *kind = o->type->clamps ? "CLAMPED" : o->kind == OP_ENUM && op_has_gaps(o) ? "ENUM" : "INT";
    put_leaf(k, o, m, kind, o->bits, spell_bits(k->e, o->low), spell_bits_of(k->e, o->span),
             spell_table_of(k, o->type));
}

/* A raw real. If it is in steps or coded, its codes ascend. */
static void put_raw_real(table *k, const op *o, const char *m)
{
    const field *f = o->field;
    const bool is_ordered = !k->named && (f->has_delta || f->codes[0]);
    const uint64_t ones = UINT64_MAX >> (64 - o->bits);
    put_leaf(k, o, m, leaf_row_of(o)->entry, o->bits, spell_bits_of(k->e, is_ordered ? ones : 0), "0", "NULL");
}

static void put_quantized(table *k, const op *o, const char *m, const char *kind)
{
    const bool coded = o->field->codes[0] && !k->named;
    put_leaf(k, o, m, kind, o->bits, "0", spell_steps(k->e, o->type, spell_bits_of(k->e, o->type->steps)),
             coded ? NULL : put_bounds(k, o->type));
}

/* Whether deltas begin with initial values of this element that are not its base values. A version that is only read has no
 * deltas, and no T_init. */
static bool starts_deltas(const emitter *e, const decl *d)
{
    return d->key && d->has_initials && !is_only_read(e);
}

static const char *spell_of_key(const table *k, const type *t)
{
    if (k->named)
        return spell_table_of(k, t);
    return starts_deltas(k->e, k->decl) ? arena_printf(k->e->arena, "&%s_initial_", k->name) : "NULL";
}

static void put_op(table *k, const op *o, const char *m);

/* An entry that says how many others belong to it, which `put` makes. They are in a text of their own until then, with
 * memory of its own: entries can be nested so deep that all these texts together would be large. */
static void put_with(table *k, const char *entry, const char *number, void (*put)(table *k, const void *of),
                     const void *of)
{
    out *around = k->out;
    const uint64_t before = k->count;
    arena *own = arena_new();
    size_t size;
    k->out = out_new(own);
    k->count = 0;
    put(k, of);
    out_put(around, entry, "number", number, "entries", spell_number(k->e, k->count), NULL);
    out_indent(around);
    out_put(around, "$inner", "inner", out_result(k->out, &size), NULL);
    out_dedent(around);
    arena_free(own);
    k->out = around;
    k->count += before + 1;
}

typedef struct table_side {
    const block *block;
    const op *ops;
} table_side;

/* What a field says about T_mix and T_near. */
static void put_rule(table *k, const field *f)
{
    emitter *e = k->e;
    if (!f->mixed && !f->steps && !f->cuts && !f->has_near)
        return;
    const char *rule = table_constant(k, "rule");
    out_put(e->out, "static const pkt_rule $rule = {$near, $point, $steps, $mixed, $cuts};\n", "rule", rule, "near",
            cname_real(e->arena, f->has_near ? f->tolerance : -1, STORAGE_DOUBLE), "point",
            cname_real(e->arena, f->point, STORAGE_DOUBLE), "steps", f->steps ? "true" : "false", "mixed",
            f->mixed ? "true" : "false", "cuts", f->cuts ? "true" : "false", NULL);
    k->count++;
    out_put(k->out, "PKT_PART_RULE($rule),\n", "rule", rule, NULL);
}

static void put_block(table *k, const void *of)
{
    const table_side *s = of;
    if (s->block->masks && !k->named) {
        k->count++;
        out_put(k->out, "PKT_PART_CHANGES($masks),\n", "masks", spell_masks(k->e, k->decl, s->block), NULL);
    }
    for (const op *o = s->ops; o; o = o->next) {
        if (o->field && !k->named)
            put_rule(k, o->field);
        put_op(k, o, o->field ? o->field->name : "");
    }
}

static void put_side(table *k, const block *b, const op *o)
{
    const table_side s = {b, o};
    put_with(k, "PKT_PART(SIDE, 0, $entries),\n", "", put_block, &s);
}

static void put_sides(table *k, const void *of)
{
    const op *o = of;
    if (o->kind == OP_IF) {
        put_side(k, &o->item->as.branch.then, o->body);
        put_side(k, &o->item->as.branch.other, o->other);
    }
    for (const op_arm *a = o->kind == OP_SWITCH ? o->arms : NULL; a; a = a->next)
        put_side(k, &a->arm->body, a->body);
}

/* Elements that are deltas to the ones before them are explained as such. */
static bool is_explained_chain(const table *k, const field *f)
{
    return f->chain && !k->named;
}

/* `of` of an array. */
static const char *spell_array_of(const table *k, const field *f)
{
    if (is_explained_chain(k, f))
        return arena_printf(k->e->arena, "&%s_delta_explanation", spell_decl(k->e, f->type.decl));
    return f->runs && !k->named ? spell_runs(k->e, f) : "NULL";
}

/* Any other entry. */
static void put_entry(table *k, const op *o, const char *m, const char *entry)
{
    const emitter *e = k->e;
    const field *f = o->field;
    k->count++;
    out_put(k->out, entry, "type", k->name, "m", m, "field", f->name, "bits", spell_number(e, o->bits), "low",
            spell_number(e, o->count_low), "span", spell_number(e, o->span), "count", spell_number(e, o->count), "keep",
            f->keep ? "1" : "0", "kind", f->array == ARRAY_SPARSE ? spell_subset_kind(f) : "", "usual",
            o->kind == OP_UNLESS && !k->named ? put_usual(k, o->body) : "NULL", "codes", spell_array_of(k, f), "max",
            spell_bits_of(e, o->span), "of", o->of ? table_name(e, o->of->decl, k->named) : "", "number",
            spell_number(e, o->number), "size", o->kind == OP_BYTES ? spell_size_of_bytes(e, f, m) : "", NULL);
}

/* An entry that the next one belongs to: that of each element, or of the value that may be absent. */
static void put_around(table *k, const op *o, const char *m, const char *element, const char *entry)
{
    put_entry(k, o, m, entry);
    out_indent(k->out);
    put_op(k, o->body, element);
    out_dedent(k->out);
}

static void put_op(table *k, const op *o, const char *m)
{
    emitter *e = k->e;
    const type *t = o->type;
    const char *element = arena_printf(e->arena, "%s[0]", m);
    switch (o->kind) {
    case OP_BOOL: put_leaf(k, o, m, "BOOL", 1, "0", "0", "NULL"); return;
    case OP_RAW: put_raw(k, o, m); return;
    case OP_BIASED:
    case OP_ENUM: put_range(k, o, m); return;
    case OP_FLOAT: put_raw_real(k, o, m); return;
    case OP_QUANTIZED: put_quantized(k, o, m, "QUANTIZED"); return;
    case OP_OR_RAW: put_quantized(k, o, m, "OR_RAW"); return;
    case OP_QUAT: put_leaf(k, o, m, "QUAT", t->bits, "0", "0", "NULL"); return;
    case OP_UNIT: put_leaf(k, o, m, "UNIT", t->bits, "0", "0", "NULL"); return;
    case OP_REF:
        put_leaf(k, o, m, "REF", o->bits, spell_ref(e, t->decl), spell_number(e, o->span), spell_table_of(k, t));
        return;
    case OP_COMPACT: put_leaf(k, o, m, "COMPACT", t->bits, "0", "0", "NULL"); return;
    case OP_CONSTANT:
        k->count++;
        out_put(k->out, "PKT_PART_CONSTANT(\"$kind\", $bits, $value),\n", "kind", spell_constant_kind(o), "bits",
                spell_number(k->e, o->bits), "value", spell_hexadecimal(k->e, o->constant), NULL);
        return;
    case OP_ALIGN:
        k->count++;
        out_put(k->out, "PKT_PART(ALIGN, 0, 0),\n", NULL);
        return;
    case OP_AFTER:
        k->count++;
        out_put(k->out, "PKT_ITEM_WITH(AFTER, $type, $m, $start, 0, 0, 0, NULL),\n", "type", k->name, "m", m, "start",
                o->field->after->name, NULL);
        return;
    case OP_KEY:
        put_leaf(k, o, m, "KEY", 0, spell_bits(e, o->low), spell_bits_of(e, o->span), spell_of_key(k, t));
        return;
    case OP_STRING: put_entry(k, o, m, "PKT_ITEM(TEXT, $type, $m, $bits, 0, $max, NULL),\n"); return;
    case OP_DELTA:
        put_entry(k, o, m,
                  !o->field->chain                  ? "PKT_ITEM_DELTA($type, $m, PKT_ENTRY_PART, $number, &$of),\n"
                  : is_explained_chain(k, o->field) ? "PKT_ITEM_DELTA($type, $m, PKT_ENTRY_CHAINED, 0, &$of),\n"
                                                    : "PKT_ITEM(STRUCT, $type, $m, 0, 0, 0, &$of),\n");
        return;
    case OP_STRUCT:
    case OP_UNION:
        put_entry(k, o, m,
                  o->field && array_rests(o->field) ? "PKT_ITEM_DELTA($type, $m, PKT_ENTRY_RESTS, 0, &$of),\n"
                                                    : "PKT_ITEM(STRUCT, $type, $m, 0, 0, 0, &$of),\n");
        return;
    case OP_BYTES:
        put_entry(k, o, m, "PKT_ITEM(BYTES, $type, $m, 0, 0, $max, NULL),\n");
        put_entry(k, o, m, "PKT_LEAF(INT, UNSIGNED, $type, $size, $bits, 0, $max, NULL),\n");
        return;
    case OP_IF:
    case OP_SWITCH:
        put_with(k, "PKT_PART(BRANCH, $number, $entries),\n", spell_number(e, o->number), put_sides, o);
        return;
    case OP_ARRAY: put_around(k, o, m, element, "PKT_ITEM(ARRAY, $type, $m, 0, 0, $count, $codes),\n"); return;
    case OP_COUNTED:
        put_around(k, o, m, element,
                   "PKT_ITEM_WITH(COUNTED, $type, $field, ${field}_count, $bits, $low, $span, $codes),\n");
        return;
    case OP_COMPUTED:
        put_around(k, o, m, element, "PKT_ITEM(COMPUTED, $type, $field, 0, $number, $count, $codes),\n");
        return;
    case OP_SPARSE:
        put_around(k, o, m, element, "PKT_ITEM_SPARSE($type, $field, $kind, $keep, $span, $count),\n");
        return;
    case OP_OPTIONAL: put_around(k, o, m, m, "PKT_ITEM_OPTIONAL($type, $field),\n"); return;
    case OP_UNLESS: put_around(k, o, m, m, "PKT_ITEM(UNLESS, $type, $m, 1, 0, 0, $usual),\n"); return;
    }
}

static void put_union(table *k, const op *o)
{
    emitter *e = k->e;
    k->count += 1 + (uint64_t)k->decl->member_count;
    out_put(k->out, "PKT_ITEM_UNION($type, $bits, $span),\n", "type", k->name, "bits", spell_number(e, o->bits), "span",
            spell_number(e, o->span), NULL);
    out_indent(k->out);
    for (const op_arm *a = o->arms; a; a = a->next)
        out_put(k->out, "PKT_ITEM_MEMBER($type, $m, &$of),\n", "type", k->name, "m", a->member->name, "of",
                table_name(e, a->member->type, k->named), NULL);
    out_dedent(k->out);
}

/* ---- which side a value takes */

/* With --reflect, only the counts of arrays. */
static void emit_side_case(emitter *e, const wire_type *t, const op *o, bool named)
{
    for (; o; o = o->next) {
        const bool is_branch = o->kind == OP_IF || o->kind == OP_SWITCH;
        if (o->kind == OP_COMPUTED || (is_branch && !named))
            out_put(e->out, "case $n: return $side;\n", "n", spell_number(e, o->number), "side",
                    is_branch ? spell_side(e, t, o, "v_") : spell_computed_count(e, t->decl, o->field, "v_"), NULL);
        if (!is_branch)
            continue;
        emit_side_case(e, t, o->body, named);
        emit_side_case(e, t, o->other, named);
        for (const op_arm *a = o->arms; a; a = a->next)
            emit_side_case(e, t, a->body, named);
    }
}

static const char *side_name(const emitter *e, const decl *d, bool named)
{
    return arena_printf(e->arena, named ? "%s_reflection_side" : "%s_side", spell_decl(e, d));
}

/* If all conditions are constant, none asks for the value. */
static void emit_side(emitter *e, const wire_type *t, bool named)
{
    out *whole = e->out, *cases = out_new(e->arena);
    size_t size;
    e->out = cases;
    emit_side_case(e, t, t->body, named);
    e->out = whole;
    const char *text = out_result(cases, &size);
    const bool asks = strstr(text, "v_->") || strstr(text, "(v_)");
    out_put(e->out,
            "static unsigned $side(const void *value_, unsigned number_)\n"
            "{\n",
            "side", side_name(e, t->decl, named), NULL);
    out_put(e->out, asks ? "    const $name *v_ = (const $name *)value_;\n" : "    (void)value_;\n", "name",
            spell_decl(e, t->decl), NULL);
    out_put(e->out, "    switch (number_) {\n", NULL);
    out_indent(e->out);
    out_put(e->out, "${cases}default: return 0;\n", "cases", text, NULL);
    out_dedent(e->out);
    out_put(e->out, "    }\n}\n\n", NULL);
}

static bool has_computed(const decl *d)
{
    const field *f = d->fields;
    while (f && f->array != ARRAY_COMPUTED)
        f = f->next;
    return f != NULL;
}

/* ---- tables */

static void emit_table_of(emitter *e, const wire_type *t, bool named)
{
    const decl *d = t->decl;
    const bool is_union = d->kind == DECL_UNION, has_sides = named ? has_computed(d) : t->branches != 0;
    const char *name = spell_decl(e, d),
               *entries = arena_printf(e->arena, named ? "%s_reflection_entries" : "%s_entries_", name);
    table k = {.e = e, .decl = d, .name = name, .named = named, .out = out_new(e->arena)};
    const table_side all = {&d->body, t->body};
    size_t size;
    if (has_sides)
        emit_side(e, t, named);
    if (is_union)
        put_union(&k, t->body);
    else
        put_block(&k, &all);
    if (k.count != 0) {
        out_put(e->out, "static const pkt_entry $entries[] = {\n", "entries", entries, NULL);
        out_indent(e->out);
        out_put(e->out, "$inner", "inner", out_result(k.out, &size), NULL);
        out_dedent(e->out);
        out_put(e->out, "};\n", NULL);
    }
    out_put(
        e->out,
        "const pkt_type $table = {\"$plain\", $kind, $count, sizeof($type), $entries, NULL, $least, $most, $side};\n\n",
        "table", table_name(e, d, named), "plain", d->name, "kind", is_union ? "PKT_KIND_UNION" : "PKT_KIND_STRUCT",
        "count", spell_number(e, k.count), "type", name, "entries", k.count != 0 ? entries : "NULL", "least",
        spell_bits_of(e, t->least), "most", spell_bits_of(e, t->most), "side",
        has_sides ? side_name(e, d, named) : "NULL", NULL);
}

/* For explanations of deltas: an element with initial values is on the stack of this function. */
static const char with_initial[] = "static bool ${name}_with_initial_(pkt_use_initial *use_, void *work_)\n"
                                   "{\n"
                                   "    $name initial_;\n"
                                   "    ${name}_init(&initial_);\n"
                                   "    return use_(work_, (char *)&initial_);\n"
                                   "}\n"
                                   "static const pkt_initial ${name}_initial_ = {${name}_with_initial_};\n"
                                   "\n";

void emit_table(emitter *e, const wire_type *t)
{
    if (starts_deltas(e, t->decl))
        out_put(e->out, with_initial, "name", spell_decl(e, t->decl), NULL);
    emit_table_of(e, t, false);
}

static void emit_names(emitter *e, const decl *d, bool named)
{
    const char *name = spell_decl(e, d),
               *list = arena_printf(e->arena, named ? "%s_reflection_names" : "%s_names_", name);
    out_put(e->out, "static const pkt_name $list[] = {\n", "list", list, NULL);
    out_indent(e->out);
    for (const member *m = d->members; m; m = m->next)
        out_put(e->out, named ? "{\"$name\", $value},\n" : "{NULL, $value},\n", "name", m->name, "value",
                spell_member(e, d, m), NULL);
    out_dedent(e->out);
    out_put(e->out, "};\n", NULL);
    out_put(e->out, "const pkt_type $table = {\"$plain\", $kind, $count, sizeof($type), NULL, $list, 0, 0, NULL};\n\n",
            "table", table_name(e, d, named), "plain", d->name, "kind",
            d->kind == DECL_ENUM ? "PKT_KIND_ENUM" : "PKT_KIND_FLAGS", "count", spell_number(e, d->member_count),
            "type", name, "list", list, NULL);
}

void emit_enum_table(emitter *e, const decl *d)
{
    if (d->kind == DECL_ENUM && is_listed(d))
        emit_names(e, d, false);
}

void emit_enum_table_prototype(emitter *e, const decl *d)
{
    if (d->kind == DECL_ENUM && is_listed(d))
        out_put(e->out, "PKT_API extern const pkt_type $table;\n", "table", table_name(e, d, false), NULL);
}

/* ---- --reflect */

static bool is_described(const emitter *e, const decl *d)
{
    return d->file == e->file && d->kind != DECL_CONST;
}

void emit_reflection_header(emitter *e)
{
    out_put(e->out, "/* Descriptions of the types, for pkt_print and pkt_visit. */\n", NULL);
    for (const decl *d = e->schema->decls; d; d = d->next)
        if (is_described(e, d))
            out_put(e->out, "PKT_API extern const pkt_type $table;\n", "table", table_name(e, d, true), NULL);
    out_put(e->out, "\n", NULL);
}

void emit_reflection_source(emitter *e)
{
    for (const decl *d = e->schema->decls; d; d = d->next)
        if (is_described(e, d) && (d->kind == DECL_ENUM || d->kind == DECL_FLAGS))
            emit_names(e, d, true);
    for (const wire_type *t = e->wire->types; t; t = t->next) {
        if (!is_described(e, t->decl))
            continue;
        emit_table_of(e, t, true);
        arena_clear(e->arena);
    }
}
