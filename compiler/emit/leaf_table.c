/* leaf_table.c - the rows of leaves, which row a leaf has, and the variables of the templates.
 * SPDX-License-Identifier: MIT
 *
 * The macros of `serialize` and `as` are in runtime/pkt_leaf.h and pkt_varying.h. pkt_delta.h has the kinds that only deltas have.
 */
#include "emit/leaf_table.h"

#include <assert.h>
#include <string.h>

/* ---- rows */

static const leaf_row row_of_boolean = {
    .serialize = "PKT_BOOL($m, $at);\n",
    .differs = "$value != $old",
};

/* Raw unsigned bits: fewer than the storage has (bits), or all of them (all_bits). */
static const leaf_row row_of_bits = {
    .sound = "PKT_SOUND_INT($m, $low, $high);\n",
    .as = "PKT_AS_BITS($type, $bits)",
    .differs = "$value != $old",
};

static const leaf_row row_of_all_bits = {
    .as = "PKT_AS_BITS($type, $bits)",
    .differs = "$value != $old",
};

/* i8 to i64 without a range. */
static const leaf_row row_of_two_complement = {
    .as = "PKT_AS_SIGNED($type, $bits)",
    .differs = "$value != $old",
};

/* A range: in 32-bit arithmetic, in 64-bit arithmetic, or of a single value, which has no bits. */
static const leaf_row row_of_range = {
    .sound = "PKT_SOUND_INT($m, $low, $high);\n",
    .as = "PKT_AS_INT($type, $low, $high, $bits)",
    .differs = "$value != $old",
};

static const leaf_row row_of_range64 = {
    .sound = "PKT_SOUND_INT($m, $low, $high);\n",
    .as = "PKT_AS_INT64($type, $low, $high, $bits)",
    .differs = "$value != $old",
};

/* A range whose values are clamped. $top is the greatest value of the type, so a difference above it is a value below
 * $low. No value in memory is refused, also in a baseline. */
static const leaf_row row_of_clamped = {
    .as = "PKT_AS_CLAMPED($type, $low, $high, $top, $bits)",
    .differs = "PKT_CLAMPED($value, $low, $high, $top) != PKT_CLAMPED($old, $low, $high, $top)",
};

static const leaf_row row_of_only = {
    .serialize = "PKT_ONLY($type, $m, $low);\n",
    .sound = "PKT_SOUND_INT($m, $low, $high);\n",
    .differs = "$value != $old",
};

/* An enum in which some values between the least and the greatest member are not members. */
static const leaf_row row_of_enum_with_gaps = {
    .serialize = "PKT_ENUM($type, $m, ${type}_valid, $low, $high, $bits, $at);\n",
    .sound = "if (!${type}_valid(($type)v_->$m)) return false;\n",
    .as = "PKT_AS_ENUM($type, ${type}_valid, $low, $high, $bits)",
    .differs = "$value != $old",
};

/* Raw reals. A double has more bits than a word, so it is always across two. */
static const leaf_row row_of_half = {
    .as = "PKT_AS_HALF()",
    .differs = "pkt_half_bits($value) != pkt_half_bits($old)",
    .entry = "HALF",
};

static const leaf_row row_of_float = {
    .as = "PKT_AS_FLOAT()",
    .differs = "pkt_float_bits($value) != pkt_float_bits($old)",
    .entry = "BITS",
};

static const leaf_row row_of_double = {
    .as = "PKT_AS_DOUBLE()",
    .differs = "pkt_double_bits($value) != pkt_double_bits($old)",
    .entry = "BITS",
};

static const leaf_row row_of_quantized = {
    .as = "PKT_AS_QUANTIZED($low, $high, $steps, $bits)",
    .differs = "pkt_codes_differ($value, $old, $low, $high, $steps)",
    .unusual = "pkt_is_unusual($value, $old, $low, $high, $steps)",
    .step_differs = "pkt_step_differs($value, $old, $low, $high, $steps, &$code)",
    .step_moves = "pkt_moves_step($coding, $value, $old, $before, $low, $high, $steps, &$code)",
    .step_goes = "pkt_goes_step($value, $old, $before, $low, $high, $steps, &$code)",
};

static const leaf_row row_of_quantized64 = {
    .as = "PKT_AS_QUANTIZED64($low, $high, $steps, $bits)",
    .differs = "pkt_codes_differ64($value, $old, $low, $high, $steps)",
    .unusual = "pkt_is_unusual64($value, $old, $low, $high, $steps)",
    .step_differs = "pkt_step_differs64($value, $old, $low, $high, $steps, &$code)",
    .step_moves = "pkt_moves_step64($coding, $value, $old, $before, $low, $high, $steps, &$code)",
    .step_goes = "pkt_goes_step64($value, $old, $before, $low, $high, $steps, &$code)",
};

static const leaf_row row_of_quat = {
    .serialize = "PKT_QUAT($m, $parts, $at);\n",
    .as = "PKT_AS_QUAT($parts)",
    .differs = "pkt_quats_differ($value, $old, $parts)",
    .step_differs = "pkt_quat_step_differs($value, $old, $parts, &$code)",
    .step_moves = "pkt_quat_step_moves($coding, $value, $old, $before, $parts, &$code)",
};

static const leaf_row row_of_unit = {
    .serialize = "PKT_UNIT($m, $parts, $at);\n",
    .differs = "pkt_units_differ($value, $old, $parts)",
};

/* If an id that was just read is unknown to the program, there is no pointer to compare. */
static const leaf_row row_of_reference = {
    .serialize = "PKT_REF($target, $m, $ref, $max, $bits, $at);\n",
    .differs = "$value != $old",
    .found = "(PKT_READING ? c_->ref != pkt_ref_id(c_, $ref, $old) : $value != $old)",
};

static const leaf_row row_of_constant = {
    .serialize = "PKT_CONSTANT(\"$name\", $constant, $bits, $at);\n",
};

/* Values of varying width. In T_serialize they are steps of their own, not leaves. */
static const leaf_row row_of_compact = {
    .serialize = "PKT_COMPACT($type, $m, $bytes, $rest, $edge);\n",
    .as = "PKT_AS_COMPACT($type, $bytes)",
    .differs = "$value != $old",
};

static const leaf_row row_of_or_raw = {
    .serialize = "PKT_OR_RAW($m, $low, $high, $steps, $bits, $rest, $edge);\n",
    .as = "PKT_AS_OR_RAW($low, $high, $steps, $bits)",
    .differs = "pkt_float_bits($value) != pkt_float_bits($old)",
};

static const leaf_row row_of_after = {
    .serialize = "PKT_AFTER($m, $start, $rest, $edge);\n",
    .differs = "$value != $old",
};

/* The key of an element, which the list sends. */
static const leaf_row row_of_key = {
    .differs = "$value != $old",
};

static const leaf_row row_of_text = {
    .sound = "if (pkt_text_size(v_->$m, $max) > $max) return false;\n",
    .differs = "!pkt_unchanged_text($value, $old, $max)",
};

static const leaf_row row_of_bytes = {
    .sound = "PKT_SOUND_INT($size, 0u, $max);\n",
    .differs = "!pkt_same_bytes($value, in_->$size, $old, $old_size, $max)",
};

/* Several elements of an array at once; and one of four quats that are converted together. */
static const char lanes_line[] = "PKT_INTS($type, $m, $low, $high, $bits, $at);\n";
static const char clamped_lanes_line[] = "PKT_INTS_CLAMPED($type, $m, $low, $high, $top, $bits, $at);\n";

#define SCALE "{$low, $high, $steps, $bits}"

const group_row group_serialize = {"PKT_QUANTIZED_ROW", {SCALE, "&in_->$m", "&out_->$m"}};
const group_row group_compare = {"PKT_COMPARE", {SCALE, "in_->$m", "$old"}};
const group_row group_values = {"PKT_CHANGED_VALUES", {SCALE, "&out_->$m", "$old"}};

/* ---- which row */

static const leaf_row *range_row(const op *o)
{
    if (o->bits == 0)
        return &row_of_only;
    if (o->type->clamps)
        return &row_of_clamped;
    return storage_bits(o->type->storage) < 64 ? &row_of_range : &row_of_range64;
}

static const leaf_row *real_leaf_row(real_kind kind)
{
    switch (kind) {
    case REAL_HALF: return &row_of_half;
    case REAL_FLOAT: return &row_of_float;
    case REAL_DOUBLE: break;
    }
    return &row_of_double;
}

const leaf_row *leaf_row_of(const op *o)
{
    const type *t = o->type;
    switch (o->kind) {
    case OP_BOOL: return &row_of_boolean;
    case OP_RAW:
        if (t->low.negative)
            return &row_of_two_complement;
        return o->bits < storage_bits(t->storage) ? &row_of_bits : &row_of_all_bits;
    case OP_BIASED: return range_row(o);
    case OP_ENUM: return op_has_gaps(o) ? &row_of_enum_with_gaps : range_row(o);
    case OP_FLOAT: return real_leaf_row(t->real);
    case OP_QUANTIZED: return t->storage == STORAGE_FLOAT ? &row_of_quantized : &row_of_quantized64;
    case OP_CONSTANT: return &row_of_constant;
    case OP_QUAT: return &row_of_quat;
    case OP_UNIT: return &row_of_unit;
    case OP_REF: return &row_of_reference;
    case OP_STRING: return &row_of_text;
    case OP_BYTES: return &row_of_bytes;
    case OP_COMPACT: return &row_of_compact;
    case OP_OR_RAW: return &row_of_or_raw;
    case OP_AFTER: return &row_of_after;
    case OP_KEY: return &row_of_key;
    case OP_ALIGN:
    case OP_DELTA:
    case OP_STRUCT:
    case OP_UNION:
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_COMPUTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_UNLESS:
    case OP_IF:
    case OP_SWITCH: break;
    }
    assert(false && "not a leaf");
    return NULL;
}

const char *leaf_line(const step *s)
{
    if (s->lanes > 1)
        return s->op->type->clamps ? clamped_lanes_line : lanes_line;
    if (s->four != 0)
        return "PKT_QUAT_OF(codes_[$number], $parts, $at);\n";
    const leaf_row *row = leaf_row_of(s->op);
    return row->serialize != NULL ? row->serialize : "PKT_FIELD($m, $as, $at);\n";
}

/* ---- variables */

/* A bound; the bounds of a bool are the numbers 0 and 1. */
static const char *spell_bound(const emitter *e, const type *t, num n, double real)
{
    if (is_real(t))
        return cname_real(e->arena, real, t->storage);
    return cname_integer(e->arena, n, t->kind == TYPE_BOOL ? STORAGE_U8 : t->storage);
}

/* The place of a leaf; of a leaf across two words also the place of its upper bits. */
static const char *spell_at(const emitter *e, const step *s)
{
    if (!s->across)
        return spell_number(e, s->shift);
    return arena_printf(e->arena, "PKT_ACROSS(%u, %u, %u, %u, %s)", s->shift, s->low, (unsigned)s->byte, s->high_shift,
                        s->edge ? "true" : "false");
}

const char *spell_constant_kind(const op *o)
{
    switch (o->item->kind) {
    case ITEM_CONST: return "const";
    case ITEM_RESERVED: return "reserved";
    case ITEM_CHECK: return "check";
    case ITEM_FIELD:
    case ITEM_ALIGN:
    case ITEM_IF:
    case ITEM_SWITCH: break;
    }
    assert(false && "not a constant");
    return "";
}

/* A variable that comes from the op; NULL if there is none of that name. The others are members of `leaf`: see
 * value_of. */
static const char *value_of_op(const emitter *e, const leaf *l, const char *name, size_t size)
{
    const op *o = l->op;
    const type *t = o->type;
    const field *f = o->field;
#define IS(text) out_is_name(text, name, size)
    if (IS("type")) /* the C type */
        return spell_type(e, t);
    if (IS("bits")) /* the bits on the wire */
        return spell_number(e, o->bits);
    if (IS("low")) /* the least value */
        return spell_bound(e, t, t->low, t->real_low);
    if (IS("high")) /* the greatest value */
        return spell_bound(e, t, t->high, t->real_high);
    if (IS("top")) { /* the greatest value of the C type */
        num low, high;
        storage_range(t->storage, &low, &high);
        return cname_integer(e->arena, high, t->storage);
    }
    if (IS("steps")) /* of a quantized number: the number of steps, which is the greatest code */
        return spell_steps(e, t,
                           t->storage == STORAGE_FLOAT ? spell_number(e, t->steps)
                                                       : cname_integer(e->arena, num_u64(t->steps), STORAGE_U64));
    if (IS("parts")) /* of a rotation: the bits of a component */
        return spell_number(e, t->bits);
    if (IS("bytes")) /* of a compact number: the bytes of its type */
        return spell_number(e, t->bits / 8);
    if (IS("max")) /* of text and bytes: the greatest length; of a ref: the greatest id */
        return cname_integer(e->arena, num_u64(o->span), STORAGE_U32);
    if (IS("target")) /* of a ref: the type that it points to */
        return spell_pointed(e, t->decl);
    if (IS("ref")) /* of a ref: the macro that names that type for callbacks */
        return spell_ref(e, t->decl);
    if (IS("start")) /* of an `after` field: the earlier member */
        return f->after->name;
    if (IS("small")) /* the s of delta<s, l> */
        return spell_number(e, f->delta_small);
    if (IS("large")) /* the l of delta<s, l> */
        return spell_number(e, f->delta_large);
    if (IS("codes")) /* coded: the number of contexts, and the code tables */
        return arena_printf(e->arena, "%s_%s_codes_", spell_decl(e, f->owner), f->name);
    if (IS("how")) /* what $before is: see PKT_SET_OLD_ */
        return op_goes(o) ? "by" : "from";
    if (IS("as")) { /* its kind, as an argument of a context */
        const char *as = leaf_text(e, leaf_row_of(o)->as, l);
        if (l->old && t->wraps)
            return arena_printf(e->arena, "PKT_AS_CIRCLE(%s)", as);
        if (l->old && t->kind == TYPE_FLOAT && (f->has_delta || f->coded))
            return arena_printf(e->arena, "PKT_AS_ORDERED(%s)", as);
        return as;
    }
    if (IS("rest")) /* of a varying width: the bits that certainly follow */
        return spell_number(e, l->step->rest);
    if (IS("edge")) /* whether its word is at an edge */
        return l->step->edge ? "true" : "false";
    if (IS("at")) /* its bit in the word */
        return spell_at(e, l->step);
    if (IS("number")) /* which of four quats it is, from 0 */
        return spell_number(e, l->step->four - 1);
    if (IS("constant")) /* the value of a const, reserved or check */
        return spell_hexadecimal(e, o->constant);
    if (IS("name")) /* of that constant in errors: "const", or "aim.const" if it is in a flat member */
        return arena_printf(e->arena, "%s%s%s", l->m, l->m[0] != 0 ? "." : "", spell_constant_kind(o));
#undef IS
    return NULL;
}

/* The data for a template. */
typedef struct filling {
    const emitter *e;
    const leaf *leaf;
} filling;

static const char *value_of(void *user, const char *name, size_t size)
{
    const filling *f = user;
    const leaf *l = f->leaf;
    const struct {
        const char *name, *text;
    } texts[] = {{"m", l->m},           {"value", l->value}, {"old", l->old},   {"before", l->before},
                 {"coding", l->coding}, {"size", l->size},   {"code", l->code}, {"old_size", l->old_size},
                 {"mask", l->mask},     {"bit", l->bit},     {"row", l->row},   {"differs", l->differs},
                 {"places", l->places}, {"index", l->index}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (out_is_name(texts[i].name, name, size))
            return texts[i].text;
    return value_of_op(f->e, l, name, size);
}

void leaf_put(const emitter *e, const char *template_text, const leaf *l)
{
    filling f = {e, l};
    assert(template_text != NULL && "the leaf has this form");
    out_fill(e->out, template_text, value_of, &f);
}

const char *leaf_text(const emitter *e, const char *template_text, const leaf *l)
{
    filling f = {e, l};
    assert(template_text != NULL && "the leaf has this form");
    return out_text(e->arena, template_text, value_of, &f);
}

const char *spell_way(const emitter *e, const field *f, const char *coding)
{
    return arena_printf(e->arena, "%s_%s_way_(%s, base_)", spell_decl(e, f->owner), f->name, coding);
}

const char *spell_may_move(const emitter *e, const wire_type *t, const char *coding, const char *from, const char *base)
{
    const char *goes = arena_printf(e->arena, "%sback != 0", coding);
    if (!t->follows)
        return goes;
    return t->goes ? arena_printf(e->arena, "(%s || %s != %s)", goes, from, base)
                   : arena_printf(e->arena, "%s != %s", from, base);
}

const char *leaf_moves(const emitter *e, const leaf *l, const char *guard)
{
    const leaf_row *row = leaf_row_of(l->op);
    if (row->step_moves != NULL)
        return leaf_text(e, op_goes(l->op) ? row->step_goes : row->step_moves, l);
    out_put(e->out, "$guard", "guard", guard, NULL);
    leaf_put(e, "PKT_SET_MOVED($how, $code, $coding, $as, $value, $old, $before);\n", l);
    return arena_printf(e->arena, "%s.now != %s.old", l->code, l->code);
}

const char *leaf_unusual(const emitter *e, const op *o, const char *m)
{
    const leaf l = {.op = o, .value = m, .old = spell_value(e, o->type, &o->field->unless)};
    const leaf_row *row = leaf_row_of(o);
    return leaf_text(e, row->unusual != NULL ? row->unusual : row->differs, &l);
}

/* "(in_->x, in_->y, in_->z)": a part for each neighbour. */
static const char *spell_for_each(const emitter *e, const char *part, const leaf *leaves, unsigned count)
{
    const char *list = "";
    for (unsigned i = 0; i < count; i++)
        list = arena_printf(e->arena, "%s%s%s", list, i == 0 ? "(" : ", ", leaf_text(e, part, &leaves[i]));
    return arena_printf(e->arena, "%s)", list);
}

void leaf_put_group(const emitter *e, const group_row *g, const leaf *leaves, unsigned count, const char *rest)
{
    assert(count == 3 || count == 4);
    out_put(e->out, "$macro($scales,\n$indent$first, $second, $rest);\n", "macro", g->macro, "scales",
            spell_for_each(e, g->lists[0], leaves, count), "indent",
            arena_printf(e->arena, "%*s", (int)strlen(g->macro) + 1, ""), "first",
            spell_for_each(e, g->lists[1], leaves, count), "second", spell_for_each(e, g->lists[2], leaves, count),
            "rest", rest, NULL);
}

void leaf_put_coded_row(const emitter *e, const leaf *leaves, unsigned count, const char *mask, const char *changes,
                        unsigned bit, bool moves)
{
    static const char *const macros[2][3] = {{"PKT_CODED_ROW2(", "PKT_CODED_ROW3(", "PKT_CODED_ROW4("},
                                             {"PKT_PREDICTED_ROW2(", "PKT_PREDICTED_ROW3(", "PKT_PREDICTED_ROW4("}};
    const char *begin = macros[moves][count - 2];
    const char *indent = arena_printf(e->arena, "%*s", (int)strlen(begin), "");
    out_put(e->out, "$begin$mask, $changes, $bit", "begin", begin, "mask", mask, "changes", changes, "bit",
            spell_number(e, bit), NULL);
    for (unsigned i = 0; i < count; i++)
        out_put(e->out, ",\n$indent$each", "indent", indent, "each",
                leaf_text(e, moves ? "($how, $m, $as, $old, $before, $codes, $code)" : "($m, $as, $old, $old, $codes)",
                          &leaves[i]),
                NULL);
    out_put(e->out, ");\n", NULL);
}
