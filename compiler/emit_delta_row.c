/* emit_delta_row.c - small neighbours of a delta, which are written and read without a branch each.
 * SPDX-License-Identifier: MIT
 */
#include "emit_delta_internal.h"

/* Whether a field can be one of a row: it has a line PKT_CHANGED_... */
static bool goes_in_a_row(const op *o)
{
    if (o->field == NULL || o->field->has_delta) return false;
    switch (o->kind) {
    case OP_BOOL:
        return true;
    case OP_RAW:
        return o->bits <= WORD_BITS;
    case OP_BIASED:
        return o->bits != 0 && storage_bits(o->type->storage) < 64;
    case OP_ENUM:
        return o->bits != 0 && storage_bits(o->type->storage) < 64 && !op_has_gaps(o);
    case OP_FLOAT:
    case OP_QUANTIZED:
        return o->type->storage == STORAGE_FLOAT;
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF:
    case OP_STRING:
    case OP_BYTES:
    case OP_COMPACT:
    case OP_AFTER:
    case OP_STRUCT:
    case OP_UNION:
    case OP_ARRAY:
    case OP_COUNTED:
    case OP_SPARSE:
    case OP_OPTIONAL:
    case OP_UNLESS:
    case OP_CONSTANT:
    case OP_ALIGN:
    case OP_IF:
    case OP_SWITCH:
        break;
    }
    return false;
}

/* How many fields from here on go in one row; 0 where a single one would. */
unsigned delta_row_length(const op *o)
{
    unsigned count = 0, bits = 0, sent = 0;
    for (; o != NULL && goes_in_a_row(o); o = o->next) {
        unsigned width = o->kind == OP_BOOL ? 0 : o->bits;
        if (bits + width > WORD_BITS) break;
        bits += width;
        sent += width != 0;
        count++;
    }
    return sent < 2 ? 0 : count;
}

/* How many of so many fields have their bits in the word of a mask in which the first one is at `shift`. */
static unsigned in_one_mask(unsigned shift, unsigned count)
{
    return shift + count > 64 ? 64 - shift : count;
}

/* How many quantized floats from here on, of `most` fields, are one operation: 4, 3 or 1. */
static unsigned together(const op *o, unsigned most)
{
    unsigned count = 0;
    for (; o != NULL && count < most && count < 4 && goes_in_a_row(o) && o->kind == OP_QUANTIZED; o = o->next) count++;
    return count < 3 ? 1 : count;
}

/* What each of them says, a line: "x, base->x, -8.0f, 8.0f, 1600"; with its bits, where it is written. */
static void put_quantized(delta *k, const op *o, const char *from, unsigned count, bool written)
{
    const emitter *e = k->e;
    for (unsigned i = 0; i < count; i++, o = o->next) {
        const spot s = delta_spot(k, o, from, NULL);
        const char *each = arena_printf(e->arena, written ? "%s, %s, %s, %u" : "%s, %s, %s", s.m, s.old,
                                        delta_range(e, o->type), o->bits);
        out_put(e->out, i == 0 ? "$each,\n" : "                       $each,\n", "each", each, NULL);
    }
}

static void emit_in_row(delta *k, const op *o, const char *from, const mask_bit *b)
{
    emitter *e = k->e;
    const type *t = o->type;
    const spot s = delta_spot(k, o, from, NULL);
    const char *kind = "BOOL", *range = "", *c_type = "", *codes = "";
    if (o->kind == OP_RAW) {
        kind = t->low.negative ? "SIGNED" : "BITS";
        c_type = spell_type(e, t);
        range = arena_printf(e->arena, "%u, ", o->bits);
    } else if (o->kind == OP_BIASED || o->kind == OP_ENUM) {
        kind = "INT";
        c_type = o->kind == OP_ENUM ? spell_decl(e, t->decl) : cname_storage(t->storage);
        range = arena_printf(e->arena, "%s, %s, %u, ", cname_integer(e->arena, t->low, t->storage),
                             cname_integer(e->arena, t->high, t->storage), o->bits);
    } else if (o->kind == OP_QUANTIZED) {
        kind = "QUANTIZED";
        range = arena_printf(e->arena, "%s, %u, ", delta_range(e, t), o->bits);
        codes = b->codes != NULL ? b->codes : "NULL";
    } else if (o->kind == OP_FLOAT) {
        kind = "FLOAT";
    }
    out_put(e->out, "PKT_CHANGED_$kind($type$comma$m, $old, $range$mask >> $shift$behind$codes);\n", "kind", kind, "type", c_type,
            "comma", c_type[0] != 0 ? ", " : "", "m", s.m, "old", s.old, "range", range, "mask", b->mask,
            "shift", spell_number(e, b->shift), "behind", codes[0] != 0 ? ", " : "", "codes", codes, NULL);
}

/* Where the codes of neighbours are, if they are side by side. */
static const char *codes_of(const mask_bit *bits, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        if (bits[i].together != 0) return "NULL";
    return bits[0].codes != NULL ? bits[0].codes : "NULL";
}

void delta_emit_row(delta *k, const op *o, const char *from, const mask_bit *bits, unsigned count)
{
    const emitter *e = k->e;
    unsigned here;
    out_put(e->out, "PKT_CHANGED_RUN();\n", NULL);
    for (unsigned i = 0; i < count; i += here) {
        here = together(o, in_one_mask(bits[i].shift, count - i));
        if (here == 1) {
            emit_in_row(k, o, from, &bits[i]);
        } else {
            out_put(e->out, "PKT_CHANGED_QUANTIZED$count(", "count", spell_number(e, here), NULL);
            put_quantized(k, o, from, here, true);
            out_put(e->out, "                       $mask >> $shift, $codes);\n", "mask", bits[i].mask,
                    "shift", spell_number(e, bits[i].shift), "codes", codes_of(&bits[i], here), NULL);
        }
        for (unsigned j = 0; j < here; j++) o = o->next;
    }
    out_put(e->out, "PKT_CHANGED_END();\n", NULL);
}

/* Which fields are compared together, and locals for their codes. */
void delta_emit_codes(delta *k, const op *o, mask_bit *bits, unsigned count)
{
    const emitter *e = k->e;
    unsigned here;
    for (unsigned n = 0; n < count; n += here) {
        while (!delta_has_bit(o)) o = o->next;
        here = bits[n].together = together(o, in_one_mask(bits[n].shift, count - n));
        if (here > 1) {
            const char *codes = delta_local_of(k, o, "codes");
            out_put(e->out, "uint32_t $codes[$count];\n", "codes", codes, "count", spell_number(e, here), NULL);
            for (unsigned i = 0; i < here; i++) bits[n + i].codes = i == 0 ? codes : arena_printf(e->arena, "%s + %u", codes, i);
        }
        for (unsigned j = 0; j < here; j++) o = o->next;
    }
}

/* The fields' bits of the masks. texts: whether each differs. */
void delta_emit_comparisons(delta *k, const op *o, const char *from, const mask_bit *bits, const char *const *texts, unsigned count)
{
    const emitter *e = k->e;
    for (unsigned n = 0; n < count; o = o->next) {
        if (!delta_has_bit(o)) continue;
        const unsigned here = bits[n].together;
        if (here == 1) {
            out_put(e->out, "$mask |= (uint64_t)($differs) << $shift;\n", "mask", bits[n].mask, "differs", texts[n],
                    "shift", spell_number(e, bits[n].shift), NULL);
        } else {
            out_put(e->out, "PKT_COMPARE_QUANTIZED$count(", "count", spell_number(e, here), NULL);
            put_quantized(k, o, from, here, false);
            out_put(e->out, "                       $mask, $shift, $codes);\n", "mask", bits[n].mask,
                    "shift", spell_number(e, bits[n].shift), "codes", bits[n].codes, NULL);
        }
        for (unsigned j = 1; j < here; j++) o = o->next;
        n += here;
    }
}
