/* emit_delta_row.c - small neighbours of a delta, which are written and read without a branch each.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_delta_internal.h"

#include <string.h>

/* Whether a field can be one of a row: it has a line PKT_CHANGED_... */
static bool goes_in_a_row(const op *o)
{
    if (o->field == NULL || o->field->has_delta)
        return false;
    switch (o->kind) {
    case OP_BOOL: return true;
    case OP_RAW: return o->bits <= WORD_BITS;
    case OP_BIASED: return o->bits != 0 && storage_bits(o->type->storage) < 64;
    case OP_ENUM: return o->bits != 0 && storage_bits(o->type->storage) < 64 && !op_has_gaps(o);
    case OP_FLOAT:
    case OP_QUANTIZED: return o->type->storage == STORAGE_FLOAT;
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
    case OP_SWITCH: break;
    }
    return false;
}

/* How many fields from here on go in one row, with so many bits of its word taken before; 0 where that joins nothing. */
static unsigned row_length(const op *o, unsigned taken)
{
    unsigned count = 0, bits = taken, sent = taken != 0;
    for (; o != NULL && goes_in_a_row(o); o = o->next) {
        unsigned width = o->kind == OP_BOOL ? 0 : o->bits;
        if (bits + width > WORD_BITS)
            break;
        bits += width;
        sent += width != 0;
        count++;
    }
    return sent < 2 ? 0 : count;
}

void delta_plan_rows(const op *o, mask_bit *bits, unsigned count)
{
    unsigned taken = count < WORD_BITS ? count : 0;
    for (unsigned n = 0; n < count; taken = 0) {
        const unsigned here = row_length(o, taken);
        if (here == 0) {
            n += delta_has_bit(o);
            o = o->next;
            continue;
        }
        bits[n].row = here;
        bits[n].begins = taken != 0;
        for (unsigned i = 0; i < here; i++, o = o->next)
            bits[n++].in_row = true;
    }
}

/* How many of so many fields have their bits in the word of a mask in which the first one is at `shift`. */
static unsigned in_one_mask(unsigned shift, unsigned count)
{
    return shift + count > 64 ? 64 - shift : count;
}

/* How many quantized floats from here on, of `most` fields, are one operation: 4, 3 or 1. */
static unsigned together(const op *o, const mask_bit *bits, unsigned most)
{
    unsigned count = 0;
    for (; count < most && count < 4 && bits[count].in_row && o->kind == OP_QUANTIZED; o = o->next)
        count++;
    return count < 3 ? 1 : count;
}

/* A line about floats that are together, "PKT_$what3(x, base->x, -8.0f, 8.0f, 1600, ...": each, the first one's bit, the codes. */
static void put_together(delta *k, const char *what, const op *o, const char *from, const mask_bit *b)
{
    const emitter *e = k->e;
    const char *start = arena_printf(e->arena, "PKT_%s%u(", what, b->together);
    const char *indent = arena_printf(e->arena, "%*s", (int)strlen(start), "");
    for (unsigned i = 0; i < b->together; i++, o = o->next) {
        const spot s = delta_spot(k, o, from, NULL);
        out_put(e->out, "$begin$m, $old, $range,\n", "begin", i == 0 ? start : indent, "m", s.m, "old", s.old, "range",
                delta_range(e, o->type), NULL);
    }
    out_put(e->out, "$indent$mask, $shift, $codes);\n", "indent", indent, "mask", b->mask, "shift",
            spell_number(e, b->shift), "codes", b->codes, NULL);
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
        kind = b->codes != NULL ? "CODE" : "QUANTIZED";
        range = arena_printf(e->arena, "%s, %u, ", delta_range(e, t), o->bits);
        codes = b->codes != NULL ? b->codes : "";
    } else if (o->kind == OP_FLOAT) {
        kind = "FLOAT";
    }
    out_put(e->out, "PKT_CHANGED_$kind($type$comma$m, $old, $range$mask >> $shift$behind$codes);\n", "kind", kind,
            "type", c_type, "comma", c_type[0] != 0 ? ", " : "", "m", s.m, "old", s.old, "range", range, "mask",
            b->mask, "shift", spell_number(e, b->shift), "behind", codes[0] != 0 ? ", " : "", "codes", codes, NULL);
}

void delta_emit_row(delta *k, const op *o, const char *from, const mask_bit *bits)
{
    const emitter *e = k->e;
    const mask_bit *b = bits;
    if (!b->begins)
        out_put(e->out, "PKT_CHANGED_RUN();\n", NULL);
    for (unsigned i = 0; i < bits->row; i++, o = o->next, b++)
        emit_in_row(k, o, from, b);
    out_put(e->out, "PKT_CHANGED_END();\n", NULL);
}

void delta_emit_values(delta *k, const op *o, const char *from, const mask_bit *b)
{
    put_together(k, "CHANGED_VALUES", o, from, b);
}

/* Which fields are compared together, and locals for their codes. */
void delta_emit_codes(delta *k, const op *o, mask_bit *bits, unsigned count)
{
    const emitter *e = k->e;
    unsigned here;
    for (unsigned n = 0; n < count; n += here) {
        while (!delta_has_bit(o))
            o = o->next;
        here = bits[n].together = together(o, &bits[n], in_one_mask(bits[n].shift, count - n));
        if (here > 1) {
            const char *codes = delta_local_of(k, o, "codes");
            out_put(e->out, "uint32_t $codes[$count];\n", "codes", codes, "count", spell_number(e, here), NULL);
            for (unsigned i = 0; i < here; i++)
                bits[n + i].codes = i == 0 ? codes : arena_printf(e->arena, "%s + %u", codes, i);
        }
        for (unsigned j = 0; j < here; j++)
            o = o->next;
    }
}

/* The fields' bits of the masks. texts: whether each differs. */
void delta_emit_comparisons(delta *k, const op *o, const char *from, const mask_bit *bits, const char *const *texts,
                            unsigned count)
{
    const emitter *e = k->e;
    for (unsigned n = 0; n < count; o = o->next) {
        if (!delta_has_bit(o))
            continue;
        const unsigned here = bits[n].together;
        if (here == 1) {
            out_put(e->out, "$mask |= (uint64_t)($differs) << $shift;\n", "mask", bits[n].mask, "differs", texts[n],
                    "shift", spell_number(e, bits[n].shift), NULL);
        } else {
            put_together(k, "COMPARE_QUANTIZED", o, from, &bits[n]);
        }
        for (unsigned j = 1; j < here; j++)
            o = o->next;
        n += here;
    }
}
