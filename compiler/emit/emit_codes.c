/* emit_codes.c - the code tables of coded fields: T_x_codes_, T_x_runs_ and T_masksN_, which runtime/pkt_coder.h
 * explains.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"
#include "model/coding.h"

/* As in runtime/pkt_coder.h. */
enum { CODE_AHEAD = 6, CODE_IS_LONG = 255 };

static unsigned reversed(unsigned code)
{
    unsigned v = 0;
    for (unsigned i = 0; i < CODE_LONGEST; i++)
        v |= (code >> i & 1) << (CODE_LONGEST - 1 - i);
    return v;
}

/* Stores each symbol's code, reversed, with its number of bits above it; and the symbols by the first bits of their
 * codes. A symbol that comes alone has no bits, and whatever follows belongs to what comes after it. */
static void find_codes(const code_table *t, unsigned *words, unsigned starts[1 << CODE_AHEAD])
{
    unsigned code = 0, alone = CODE_IS_LONG;
    comes_alone(t, &alone);
    for (unsigned i = 0; i < 1 << CODE_AHEAD; i++)
        starts[i] = alone;
    for (unsigned n = 1; n <= CODE_LONGEST; n++) {
        for (unsigned s = 0; s < t->count; s++) {
            if (t->lengths[s] != n)
                continue;
            words[s] = reversed(code) | n << CODE_LONGEST;
            for (unsigned i = reversed(code); n <= CODE_AHEAD && i < 1 << CODE_AHEAD; i += 1u << n)
                starts[i] = s;
            code += 1u << (CODE_LONGEST - n);
        }
    }
}

/* "3, 1, 2": numbers of a list, in several lines if there are many. */
static const char *spell_list(const emitter *e, const unsigned *numbers, unsigned count, bool hexadecimal)
{
    const unsigned in_a_line = hexadecimal ? 12 : 16;
    const char *text = "";
    for (unsigned i = 0; i < count; i++) {
        const char *gap = i == 0 ? "" : i % in_a_line == 0 ? ",\n      " : ", ";
        text = hexadecimal ? arena_printf(e->arena, "%s%s0x%04x", text, gap, numbers[i])
                           : arena_printf(e->arena, "%s%s%u", text, gap, numbers[i]);
    }
    return text;
}

static const char *spell_values(const emitter *e, const code_values *v)
{
    const char *text = "";
    for (unsigned i = 0; i < v->count; i++)
        text = arena_printf(e->arena, "%s%s%s", text, i ? ", " : "", spell_number(e, (unsigned)v->codes[i]));
    return text;
}

/* Several tables of one field or mask. `symbols` of each is the number of the first table or, for masks, half of it. */
static void emit_tables(emitter *e, const char *name, code_table *const *tables, unsigned count)
{
    const char *lines = "", *values = tables[0]->values ? arena_printf(e->arena, "%svalues_", name) : "NULL";
    if (tables[0]->values)
        out_put(e->out, "static const uint32_t $values[$count] = {$codes};\n", "values", values, "count",
                spell_number(e, tables[0]->values->count), "codes", spell_values(e, tables[0]->values), NULL);
    out_put(e->out, "static const uint16_t ${name}words_[$count][$symbols] = {\n", "name", name, "count",
            spell_number(e, count), "symbols", spell_number(e, tables[0]->count), NULL);
    for (unsigned i = 0; i < count; i++) {
        unsigned *words = ARENA_ARRAY(e->arena, unsigned, tables[i]->count), starts[1 << CODE_AHEAD];
        find_codes(tables[i], words, starts);
        out_put(e->out, "    {$words},\n", "words", spell_list(e, words, tables[i]->count, true), NULL);
        lines = arena_printf(e->arena, "%s    {{%s},\n     %u, %swords_[%u], %s},\n", lines,
                             spell_list(e, starts, 1 << CODE_AHEAD, false), tables[i]->count - 1, name, i, values);
    }
    out_put(e->out, "};\nconst pkt_codes $name[$count] = {\n$lines};\n\n", "name", name, "count",
            spell_number(e, count), "lines", lines, NULL);
}

const char *spell_masks(const emitter *e, const decl *d, const block *b)
{
    return arena_printf(e->arena, "%s_masks%u_", spell_decl(e, d), b->number);
}

const char *spell_runs(const emitter *e, const field *f)
{
    return arena_printf(e->arena, "%s_%s_runs_", spell_decl(e, f->owner), f->name);
}

static void emit_codes_of_field(emitter *e, const decl *d, const field *f, bool declares)
{
    const char *codes = arena_printf(e->arena, "%s_%s_codes_", spell_decl(e, d), f->name);
    const unsigned contexts = coded_contexts(f);
    if (declares) {
        if (f->codes[0])
            out_put(e->out, "extern const pkt_codes $codes[$count];\n", "codes", codes, "count",
                    spell_number(e, contexts), NULL);
        if (f->runs)
            out_put(e->out, "extern const pkt_codes $runs[1];\n", "runs", spell_runs(e, f), NULL);
        return;
    }
    if (f->codes[0])
        emit_tables(e, codes, f->codes, contexts);
    if (f->runs)
        emit_tables(e, spell_runs(e, f), &f->runs, 1);
}

static void emit_codes_of_block(emitter *e, const decl *d, const block *b, bool declares)
{
    const char *name = spell_masks(e, d, b);
    const unsigned fields = b->mask_fields;
    if (b->masks && declares) {
        out_put(e->out, "extern const pkt_coded_changes $name;\n", "name", name, NULL);
    } else if (b->masks) {
        const char *codes = arena_printf(e->arena, "%scodes_", name);
        emit_tables(e, codes, b->masks, mask_tables(b));
        out_put(e->out, "const pkt_coded_changes $name = {$count, $groups, $codes};\n\n", "name", name, "count",
                spell_number(e, fields), "groups", spell_number(e, mask_tables(b)), "codes", codes, NULL);
    }
    for (const item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_FIELD)
            emit_codes_of_field(e, d, i->as.field, declares);
        if (i->kind == ITEM_IF) {
            emit_codes_of_block(e, d, &i->as.branch.then, declares);
            emit_codes_of_block(e, d, &i->as.branch.other, declares);
        }
        for (const arm *a = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; a; a = a->next)
            emit_codes_of_block(e, d, &a->body, declares);
    }
}

static const char about_tables[] =
    "/* How changes of $name are coded, from the model. A word is a code, with its number of bits above the lowest 12.\n"
    " * A table has, by the next 6 bits, the symbol whose code they begin with, or 255 if that is longer; the greatest\n"
    " * symbol; the words of its symbols; of a number or a change mask that is coded by its frequent values, these. */\n";

void emit_codes(emitter *e, const decl *d, bool declares)
{
    if (d->kind != DECL_STRUCT || !has_coded_field(d))
        return;
    if (!declares)
        out_put(e->out, about_tables, "name", d->name, NULL);
    emit_codes_of_block(e, d, &d->body, declares);
    if (declares)
        out_put(e->out, "\n", NULL);
}
