/* emit_delta_leaf.c - what single values are in a delta, as C text: whether they differ, in a row, in steps.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_delta_internal.h"

#include <assert.h>
#include <string.h>

/* What the names of macros and functions for doubles end with. */
static const char *spell_wide(const type *t)
{
    return t->storage == STORAGE_FLOAT ? "" : "64";
}

/* Of a quantized number: "-8.0f, 8.0f, 1600". */
static const char *spell_range(const emitter *e, const type *t)
{
    return arena_printf(e->arena, "%s, %s, %s", cname_real(e->arena, t->real_low, t->storage),
                        cname_real(e->arena, t->real_high, t->storage), spell_steps(e, t));
}

static const char *spell_bounds(const emitter *e, const type *t)
{
    return arena_printf(e->arena, "%s, %s", cname_integer(e->arena, t->low, t->storage),
                        cname_integer(e->arena, t->high, t->storage));
}

static const char *spell_changed_op(const emitter *e, const op *o, const spot *s)
{
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
    case OP_UNLESS: return spell_changed_op(e, o->body, s);
    case OP_FLOAT:
        return arena_printf(e->arena,
                            t->storage == STORAGE_FLOAT ? "pkt_float_bits(in->%s) != pkt_float_bits(%s)"
                                                        : "pkt_double_bits(in->%s) != pkt_double_bits(%s)",
                            s->m, s->old);
    case OP_QUANTIZED:
        return arena_printf(e->arena, "pkt_codes_differ%s(in->%s, %s, %s)", spell_wide(t), s->m, s->old,
                            spell_range(e, t));
    case OP_QUAT:
    case OP_UNIT: {
        const char *kind = o->kind == OP_QUAT ? "quat" : "unit";
        return arena_printf(e->arena, "pkt_delta_%s_code(in->%s, %u) != pkt_delta_%s_code(%s, %u)", kind, s->m, t->bits,
                            kind, s->old, t->bits);
    }
    case OP_STRING:
        return arena_printf(e->arena, "!pkt_same_text(in->%s, %s, %s)", s->m, s->old, spell_number(e, o->span));
    case OP_BYTES:
        return arena_printf(e->arena, "!pkt_same_bytes(in->%s, in->%s, %s, %s, %s)", s->m,
                            spell_access(e, s->value->at, "", "_size"), s->old, s->old_size, spell_number(e, o->span));
    case OP_STRUCT:
    case OP_UNION: return arena_printf(e->arena, "!%s_equal(&in->%s, %s)", spell_decl(e, o->of->decl), s->m, s->old);
    case OP_CONSTANT:
    case OP_ALIGN:
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_IF:
    case OP_SWITCH: break;
    }
    assert(!"not a single value");
    return "";
}

const char *spell_changed(const emitter *e, const spot *s)
{
    return spell_changed_op(e, s->value->op, s);
}

void emit_step_of(emitter *e, const spot *s)
{
    const op *o = s->value->op;
    const type *t = o->type;
    const char *kind = "", *wide = "", *c_type = "", *range;
    if (o->kind == OP_QUAT) {
        kind = "QUAT";
        range = spell_number(e, t->bits);
    } else if (o->kind == OP_COMPACT) {
        kind = "COMPACT";
        c_type = spell_type(e, t);
        range = spell_number(e, t->bits / 8);
    } else if (o->kind == OP_QUANTIZED) {
        kind = "QUANTIZED";
        wide = spell_wide(t);
        range = arena_printf(e->arena, "%s, %u", spell_range(e, t), o->bits);
    } else if (o->kind == OP_RAW && t->low.negative) {
        kind = "SIGNED";
        c_type = spell_type(e, t);
        range = spell_number(e, o->bits);
    } else {
        kind = "INT";
        c_type = spell_type(e, t);
        range = arena_printf(e->arena, "%s, %u", spell_bounds(e, t), o->bits);
    }
    out_put(e->out, "PKT_STEP_$kind$wide($type$comma$m, $old, $range, $small, $large, $may);\n", "kind", kind, "wide",
            wide, "type", c_type, "comma", c_type[0] != 0 ? ", " : "", "m", s->m, "old", s->old, "range", range,
            "small", spell_number(e, o->field->delta_small), "large", spell_number(e, o->field->delta_large), "may",
            s->value->may_equal ? "true" : "false", NULL);
}

void emit_in_row(emitter *e, const spot *s, const char *changed, const char *code)
{
    const op *o = s->value->op;
    const type *t = o->type;
    const char *kind = "BOOL", *range = "", *c_type = "";
    if (o->kind == OP_RAW) {
        kind = t->low.negative ? "SIGNED" : "BITS";
        c_type = spell_type(e, t);
        range = arena_printf(e->arena, "%u, ", o->bits);
    } else if (o->kind == OP_BIASED || o->kind == OP_ENUM) {
        kind = "INT";
        c_type = spell_type(e, t);
        range = arena_printf(e->arena, "%s, %u, ", spell_bounds(e, t), o->bits);
    } else if (o->kind == OP_QUANTIZED) {
        kind = code != NULL ? "CODE" : "QUANTIZED";
        range = arena_printf(e->arena, "%s, %u, ", spell_range(e, t), o->bits);
    } else if (o->kind == OP_FLOAT) {
        kind = "FLOAT";
    }
    out_put(e->out, "PKT_CHANGED_$kind($type$comma$m, $old, $range$changed$behind$code);\n", "kind", kind, "type",
            c_type, "comma", c_type[0] != 0 ? ", " : "", "m", s->m, "old", s->old, "range", range, "changed", changed,
            "behind", code != NULL ? ", " : "", "code", code != NULL ? code : "", NULL);
}

void emit_together(emitter *e, const char *what, const spot *spots, unsigned count, const char *mask, unsigned bit,
                   const char *codes)
{
    const char *start = arena_printf(e->arena, "PKT_%s%u(", what, count);
    const char *indent = arena_printf(e->arena, "%*s", (int)strlen(start), "");
    for (unsigned i = 0; i < count; i++)
        out_put(e->out, "$begin$m, $old, $range,\n", "begin", i == 0 ? start : indent, "m", spots[i].m, "old",
                spots[i].old, "range", spell_range(e, spots[i].value->op->type), NULL);
    out_put(e->out, "$indent$mask, $bit, $codes);\n", "indent", indent, "mask", mask, "bit", spell_number(e, bit),
            "codes", codes, NULL);
}
