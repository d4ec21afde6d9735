/* emit_codes.c - the code tables of coded fields: T_x_codes_, T_x_runs_ and T_masksN_, which runtime/pkt_coder.h explains.
 * SPDX-License-Identifier: MIT
 */
#include "emit/emit_internal.h"
#include "model/coding.h"

/* What the codes of a table follow from: the number of codes of each length. */
typedef struct lengths {
    unsigned counts[CODE_LONGEST + 1];
    unsigned starts[CODE_LONGEST + 2]; /* the first code of each length, in 12 bits */
    unsigned firsts[CODE_LONGEST + 2]; /* its place among all codes */
} lengths;

static lengths lengths_of(const code_table *t)
{
    lengths l = {{0}, {0}, {0}};
    for (unsigned i = 0; i < t->count; i++)
        l.counts[t->lengths[i]]++;
    for (unsigned n = 1; n <= CODE_LONGEST; n++) {
        l.starts[n + 1] = l.starts[n] + (l.counts[n] << (CODE_LONGEST - n));
        l.firsts[n + 1] = l.firsts[n] + l.counts[n];
    }
    return l;
}

static unsigned reversed(unsigned code)
{
    unsigned v = 0;
    for (unsigned i = 0; i < CODE_LONGEST; i++)
        v |= (code >> i & 1) << (CODE_LONGEST - 1 - i);
    return v;
}

/* "3, 1, 2": numbers of a list. */
static const char *spell_list(const emitter *e, const unsigned *numbers, unsigned count)
{
    const char *text = "";
    for (unsigned i = 0; i < count; i++)
        text = arena_printf(e->arena, "%s%s%u", text, i == 0 ? "" : ", ", numbers[i]);
    return text;
}

static void put_rows(emitter *e, const char *element, const char *name, const char *const *rows, unsigned count,
                     unsigned symbols)
{
    out_put(e->out, "static const $element $name[$count][$symbols] = {\n", "element", element, "name", name, "count",
            spell_number(e, count), "symbols", spell_number(e, symbols), NULL);
    for (unsigned i = 0; i < count; i++)
        out_put(e->out, "    {$row},\n", "row", rows[i], NULL);
    out_put(e->out, "};\n", NULL);
}

/* Several tables of one field or mask. The number of their symbols is that of the first one or, of masks, one less. */
static void emit_tables(emitter *e, const char *name, code_table *const *tables, unsigned count)
{
    const char *symbols[CODE_MASK_MOST / CODE_MASK_FIELDS] = {NULL}, *codes[CODE_MASK_MOST / CODE_MASK_FIELDS] = {NULL};
    const unsigned width = tables[0]->count;
    for (unsigned i = 0; i < count; i++) {
        const code_table *t = tables[i];
        lengths l = lengths_of(t);
        unsigned *sorted = ARENA_ARRAY(e->arena, unsigned, t->count),
                 *words = ARENA_ARRAY(e->arena, unsigned, t->count);
        for (unsigned s = 0; s < t->count; s++) {
            const unsigned n = t->lengths[s];
            sorted[l.firsts[n]++] = s;
            words[s] = reversed(l.starts[n]) | n << CODE_LONGEST;
            l.starts[n] += 1u << (CODE_LONGEST - n);
        }
        symbols[i] = spell_list(e, sorted, t->count);
        codes[i] = spell_list(e, words, t->count);
    }
    put_rows(e, "uint8_t", arena_printf(e->arena, "%ssymbols_", name), symbols, count, width);
    put_rows(e, "uint16_t", arena_printf(e->arena, "%swords_", name), codes, count, width);
    out_put(e->out, "const pkt_codes $name[$count] = {\n", "name", name, "count", spell_number(e, count), NULL);
    for (unsigned i = 0; i < count; i++) {
        const lengths l = lengths_of(tables[i]);
        out_put(e->out, "    {{$limits}, {$firsts}, $last, ${name}symbols_[$i], ${name}words_[$i]},\n", "limits",
                spell_list(e, l.starts + 2, CODE_LONGEST), "firsts", spell_list(e, l.firsts + 1, CODE_LONGEST), "last",
                spell_number(e, tables[i]->count - 1), "name", name, "i", spell_number(e, i), NULL);
    }
    out_put(e->out, "};\n\n", NULL);
}

const char *spell_masks(const emitter *e, const decl *d, const block *b)
{
    return arena_printf(e->arena, "%s_masks%u_", spell_decl(e, d), b->number);
}

const char *spell_runs(const emitter *e, const field *f)
{
    return arena_printf(e->arena, "%s_%s_runs_", spell_decl(e, f->owner), f->name);
}

static unsigned fields_of(const block *b)
{
    unsigned count = 0;
    for (const item *i = b->items; i != NULL; i = i->next)
        count += i->kind == ITEM_FIELD;
    return count;
}

static void emit_field(emitter *e, const decl *d, const field *f, bool declares)
{
    const char *codes = arena_printf(e->arena, "%s_%s_codes_", spell_decl(e, d), f->name);
    const unsigned contexts = d->moves ? CODE_CONTEXTS : 1;
    if (declares) {
        if (f->codes[0] != NULL)
            out_put(e->out, "extern const pkt_codes $codes[$count];\n", "codes", codes, "count",
                    spell_number(e, contexts), NULL);
        if (f->runs != NULL)
            out_put(e->out, "extern const pkt_codes $runs[1];\n", "runs", spell_runs(e, f), NULL);
        return;
    }
    if (f->codes[0] != NULL)
        emit_tables(e, codes, f->codes, contexts);
    if (f->runs != NULL)
        emit_tables(e, spell_runs(e, f), &f->runs, 1);
}

static void emit_block(emitter *e, const decl *d, const block *b, bool declares)
{
    const char *name = spell_masks(e, d, b);
    const unsigned fields = fields_of(b);
    if (b->masks != NULL && declares) {
        out_put(e->out, "extern const pkt_coded_changes $name;\n", "name", name, NULL);
    } else if (b->masks != NULL) {
        const char *codes = arena_printf(e->arena, "%scodes_", name);
        emit_tables(e, codes, b->masks, mask_groups(fields));
        out_put(e->out, "const pkt_coded_changes $name = {$count, $groups, $codes};\n\n", "name", name, "count",
                spell_number(e, fields), "groups", spell_number(e, mask_groups(fields)), "codes", codes, NULL);
    }
    for (const item *i = b->items; i != NULL; i = i->next) {
        if (i->kind == ITEM_FIELD)
            emit_field(e, d, i->as.field, declares);
        if (i->kind == ITEM_IF) {
            emit_block(e, d, &i->as.branch.then, declares);
            emit_block(e, d, &i->as.branch.other, declares);
        }
        for (const arm *a = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; a != NULL; a = a->next)
            emit_block(e, d, &a->body, declares);
    }
}

static bool has_codes(const decl *d)
{
    for (const field *f = d->fields; f != NULL; f = f->next)
        if (f->coded)
            return true;
    return false;
}

void emit_codes(emitter *e, const decl *d, bool declares)
{
    if (d->kind == DECL_STRUCT && has_codes(d)) {
        emit_block(e, d, &d->body, declares);
        out_put(e->out, "\n", NULL);
    }
}
