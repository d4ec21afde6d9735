/* emit_delta_spot.c - values of a delta: where the baseline has them, and whether they differ.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_delta_internal.h"

#include <assert.h>

bool delta_has_bit(const op *o)
{
    return o->field != NULL;
}

/* A local of the scope that is open: "start", and "start1" within. */
const char *delta_local(const delta *k, const char *what)
{
    return k->level == 0 ? what : arena_printf(k->e->arena, "%s%d", what, k->level);
}

/* One that several fields of a block have. */
const char *delta_local_of(const delta *k, const op *o, const char *what)
{
    return delta_local(k, arena_printf(k->e->arena, "%s_%s", o->field->name, what));
}

void delta_open(delta *k)
{
    out_indent(k->e->out);
    k->level++;
}

void delta_close(delta *k)
{
    k->level--;
    out_dedent(k->e->out);
}

const lvalue *delta_field(delta *k, const field *f)
{
    lvalue *a = ARENA_NEW(k->e->arena, lvalue);
    a->kind = ACCESS_FIELD;
    a->field = f;
    a->loop = -1;
    return a;
}

static const lvalue *in_element(delta *k, const lvalue *outer, int loop)
{
    lvalue *a = ARENA_NEW(k->e->arena, lvalue);
    a->outer = outer;
    a->kind = ACCESS_INDEX;
    a->loop = loop;
    return a;
}

void delta_close_brace(emitter *e)
{
    out_dedent(e->out);
    out_put(e->out, "}\n", NULL);
}

bool delta_is_array(const op *o)
{
    return o->kind == OP_ARRAY || o->kind == OP_COUNTED;
}

const op *delta_value(const op *o)
{
    return o->kind == OP_OPTIONAL || o->kind == OP_UNLESS ? o->body : o;
}

const char *delta_range(const emitter *e, const type *t)
{
    return arena_printf(e->arena, "%s, %s, %s", cname_real(e->arena, t->real_low, t->storage),
                        cname_real(e->arena, t->real_high, t->storage), spell_steps(e, t));
}

const char *delta_wide(const type *t)
{
    return t->storage == STORAGE_FLOAT ? "" : "64";
}

/* ---- comparisons */

/* Whether a value that is no array differs from the baseline's: a baseline can be written, so that one that cannot be does. */
const char *delta_differs(const delta *k, const op *o, const spot *s)
{
    const emitter *e = k->e;
    const type *t = o->type;
    switch (o->kind) {
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_COMPACT:
    case OP_AFTER: return arena_printf(e->arena, "in->%s != %s", s->m, s->old);
    case OP_REF:
        return s->start == NULL
                   ? arena_printf(e->arena, "in->%s != %s", s->m, s->old)
                   : arena_printf(e->arena, "PKT_REF_DIFFERS(%s, %s, %s)", s->m, s->old, spell_ref(e, t->decl));
    case OP_UNLESS: return delta_differs(k, o->body, s);
    case OP_FLOAT:
        return arena_printf(e->arena,
                            t->storage == STORAGE_FLOAT ? "pkt_float_bits(in->%s) != pkt_float_bits(%s)"
                                                        : "pkt_double_bits(in->%s) != pkt_double_bits(%s)",
                            s->m, s->old);
    case OP_QUANTIZED:
        return arena_printf(e->arena, "pkt_codes_differ%s(in->%s, %s, %s)", delta_wide(t), s->m, s->old,
                            delta_range(e, t));
    case OP_STRING:
        return arena_printf(e->arena, "!pkt_same_text(in->%s, %s, %s)", s->m, s->old, spell_number(e, o->span));
    case OP_BYTES:
        return arena_printf(e->arena, "!pkt_same_bytes(in->%s, in->%s, %s, %s, %s)", s->m,
                            spell_access(e, s->at, "", "_size"), s->old, s->old_size, spell_number(e, o->span));
    case OP_STRUCT:
    case OP_UNION: return arena_printf(e->arena, "!%s_equal(&in->%s, %s)", spell_decl(e, o->of->decl), s->m, s->old);
    case OP_QUAT:
    case OP_UNIT: {
        const char *kind = o->kind == OP_QUAT ? "quat" : "unit";
        return arena_printf(e->arena, "pkt_delta_%s_code(in->%s, %u) != pkt_delta_%s_code(%s, %u)", kind, s->m, t->bits,
                            kind, s->old, t->bits);
    }
    case OP_CONSTANT:
    case OP_ALIGN:
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_IF:
    case OP_SWITCH: break;
    }
    assert(!"not a value by itself");
    return "";
}

/* ---- where the baseline's value is */

/* A spot with the baseline's value at `old`, and where `missing` holds (NULL: never) its base value instead. Blank
 * structs for that are declared here. */
static spot spot_of(delta *k, const op *o, const lvalue *at, const char *old, const char *old_size, const char *missing)
{
    emitter *e = k->e;
    const type *t = &o->field->type;
    value base = base_value(o->field);
    spot s = {.at = at, .m = spell_access(e, at, "", ""), .old = old, .old_size = old_size};
    bool holds = t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
    if (delta_is_array(o))
        return s;
    if (holds)
        s.old = arena_printf(e->arena, "&%s", old);
    if (missing == NULL)
        return s;
    if (t->kind == TYPE_ENUM) {
        /* A constant of an enum is an int to C, but no number to C++. */
        s.old = arena_printf(e->arena, "(%s ? (%s)%s : %s)", missing, spell_decl(e, t->decl), spell_value(e, t, &base),
                             old);
    } else if (is_scalar(t)) {
        s.old = arena_printf(e->arena, "(%s ? %s : %s)", missing, spell_value(e, t, &base), old);
    } else if (t->kind == TYPE_QUAT || t->kind == TYPE_UNIT) {
        s.old = arena_printf(e->arena, "(%s ? %s() : %s)", missing,
                             t->kind == TYPE_QUAT ? "pkt_quat_identity" : "pkt_vec3_z", old);
    } else if (t->kind == TYPE_REF) {
        s.old = arena_printf(e->arena, "(%s ? NULL : %s)", missing, old);
    } else if (t->kind == TYPE_STRING) {
        s.old = arena_printf(e->arena, "(%s ? NULL : %s)", missing, old);
    } else if (t->kind == TYPE_BYTES) {
        s.old_size = arena_printf(e->arena, "(%s ? 0u : %s)", missing, old_size);
    } else if (holds) {
        const char *blank = delta_local(k, "blank"), *or_blank = delta_local(k, "old");
        out_put(e->out, "$type $blank;\nconst $type *$name = $missing ? PKT_BLANK($type, &$blank) : $old;\n", "type",
                spell_decl(e, t->decl), "blank", blank, "name", or_blank, "missing", missing, "old", s.old, NULL);
        s.old = or_blank;
    }
    return s;
}

spot delta_spot(delta *k, const op *o, const char *from, const char *missing)
{
    emitter *e = k->e;
    const lvalue *at = delta_field(k, o->field);
    const char *after = o->field->array == ARRAY_COUNTED ? "_count" : "_size";
    return spot_of(k, o, at, arena_printf(e->arena, "%s->%s", from, o->field->name),
                   arena_printf(e->arena, "%s->%s%s", from, o->field->name, after), missing);
}

/* The element of an array that the loop around it is at. */
spot delta_element(delta *k, const op *o, const spot *array)
{
    const emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d", array->depth), *size = array->old_size, *missing = NULL;
    if (o->kind == OP_COUNTED)
        missing = arena_printf(e->arena, "%s >= %s", i, array->old_size);
    if (o->kind == OP_COUNTED && o->field->type.kind == TYPE_BYTES)
        size = arena_printf(e->arena, "%s_size", array->old);
    spot s =
        spot_of(k, o->body, in_element(k, array->at, array->depth), arena_printf(e->arena, "%s[%s]", array->old, i),
                arena_printf(e->arena, "%s[%s]", size, i), missing);
    s.depth = array->depth + 1;
    return s;
}

static void open_loop(delta *k, const op *o, const spot *array)
{
    emitter *e = k->e;
    const char *i = arena_printf(e->arena, "i%d", array->depth);
    const char *counted = o->kind != OP_COUNTED
                              ? ""
                              : arena_printf(e->arena, " && %s < in->%s", i, spell_access(e, array->at, "", "_count"));
    out_put(e->out, "for (uint32_t $i = 0; $i < $count$counted; $i++) {\n", "i", i, "count", spell_number(e, o->count),
            "counted", counted, NULL);
    delta_open(k);
}

/* Sets a bit for each element that has changed: `bit` of `word`, or that of the loop opened here. */
static void emit_comparison(delta *k, const op *o, const spot *array, const char *word, const char *bit)
{
    emitter *e = k->e;
    open_loop(k, o, array);
    spot element = delta_element(k, o, array);
    if (bit == NULL) {
        word = arena_printf(e->arena, "%s[i%d / 64]", array->elements, array->depth);
        bit = arena_printf(e->arena, "i%d %% 64", array->depth);
    }
    if (delta_is_array(o->body))
        emit_comparison(k, o->body, &element, word, bit);
    else
        out_put(e->out, "$word |= (uint64_t)($differs) << $bit;\n", "word", word, "differs",
                delta_differs(k, o->body, &element), "bit", bit, NULL);
    delta_close(k);
    out_put(e->out, "}\n", NULL);
}

/* The bitmap of the elements that have changed, empty when reading. present: a condition for there being any, or NULL. */
void delta_emit_elements(delta *k, const op *o, spot *array, const char *present)
{
    emitter *e = k->e;
    array->elements = delta_local_of(k, o, "changed");
    out_put(e->out, "uint64_t $elements[$words] = { 0 };\n", "elements", array->elements, "words",
            spell_number(e, (o->count + 63) / 64), NULL);
    out_put(e->out, present != NULL ? "if (!PKT_READING && $present) {\n" : "if (!PKT_READING) {\n", "present", present,
            NULL);
    out_indent(e->out);
    emit_comparison(k, o, array, NULL, NULL);
    delta_close_brace(e);
}

const char *delta_array_differs(const delta *k, const op *o, const spot *s)
{
    const emitter *e = k->e;
    const char *any = arena_printf(e->arena, "pkt_any(%s, %s)", s->elements, spell_number(e, (o->count + 63) / 64));
    if (o->kind != OP_COUNTED)
        return any;
    return arena_printf(e->arena, "in->%s != %s || %s", spell_access(e, s->at, "", "_count"), s->old_size, any);
}
