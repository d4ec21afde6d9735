/* coding.c - numbers the fields and blocks that have code tables, and finds the tables.
 * SPDX-License-Identifier: MIT
 */
#include "model/coding.h"
#include "model/type_table.h"

#include <assert.h>
#include <string.h>

typedef struct table_finder {
    arena *arena;
    code_table **last;
    uint32_t count, numbers;
} table_finder;

uint64_t greatest_number_code(const type *t)
{
    num range;
    switch (t->kind) {
    case TYPE_BITS:
    case TYPE_FLOAT:
    case TYPE_COMPACT: return UINT64_MAX >> (64 - t->bits);
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW: return t->steps - t->wraps;
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
        if (num_subtract(t->high, t->low, &range))
            return range.magnitude;
        break;
    case TYPE_QUAT:
    case TYPE_BOOL:
    case TYPE_FLAGS:
    case TYPE_UNIT:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_REF:
    case TYPE_FOREIGN: break;
    }
    assert(false && "neither a number that can be coded nor a key");
    return 0;
}

unsigned coded_bits(const type *t)
{
    return t->kind == TYPE_QUAT ? t->bits : bit_length(greatest_number_code(t));
}

static bool type_moves(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (field_moves(f))
            return true;
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        if (type_moves(m->type))
            return true;
    return false;
}

bool field_moves(const field *f)
{
    enum { MOST_BITS = 32 };
    if (is_composite(&f->type))
        return f->array != ARRAY_SPARSE && !f->local && type_moves(f->type.decl);
    return f->codes[0] && f->owner->moves && !f->still && !f->asked && !f->has_unless &&
           (f->type.kind == TYPE_QUAT || coded_bits(&f->type) <= MOST_BITS);
}

bool type_follows(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (field_moves(f) && (is_composite(&f->type) ? type_follows(f->type.decl) : !f->speed))
            return true;
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        if (type_follows(m->type))
            return true;
    return false;
}

bool array_rests(const field *f)
{
    return f->owner->moves && f->coded && is_composite(&f->type) && f->type.decl->holds_after && !field_moves(f);
}

unsigned coded_contexts(const field *f)
{
    if (f->values)
        return f->values->count < CODE_CONTEXTS ? f->values->count + 1 : CODE_CONTEXTS;
    return f->owner->moves && !f->still ? CODE_CONTEXTS : 1;
}

bool may_have_frequent_values(const type *t)
{
    enum { MOST_BITS = 32 };
    return type_row_of(t)->steps && t->kind != TYPE_QUAT && t->kind != TYPE_OR_RAW && !t->wraps &&
           coded_bits(t) <= MOST_BITS;
}

bool can_code_values(const field *f)
{
    return f->codes[0] && (!f->owner->moves || f->still) && may_have_frequent_values(&f->type);
}

const code_values *values_before(const code_table *t)
{
    return t->values && t->values->first == t ? t->values : NULL;
}

unsigned symbol_of_value(const code_values *v, uint64_t code)
{
    unsigned symbol = 0;
    while (symbol < v->count && v->codes[symbol] != code)
        symbol++;
    return symbol;
}

uint64_t circle_of(const type *t)
{
    return t->wraps ? greatest_number_code(t) + 1 : 0;
}

unsigned mask_groups(unsigned fields)
{
    return (fields + CODE_MASK_FIELDS - 1) / CODE_MASK_FIELDS;
}

unsigned mask_group_size(unsigned fields, unsigned group)
{
    const unsigned groups = mask_groups(fields);
    return fields / groups + (group < fields % groups);
}

bool is_complete_code(const uint8_t *lengths, unsigned count)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < count; i++) {
        if (lengths[i] == 0 || lengths[i] > CODE_LONGEST)
            return false;
        taken += 1u << (CODE_LONGEST - lengths[i]);
    }
    return taken == 1u << CODE_LONGEST;
}

/* The bits of a symbol of a flat table. Symbols have k or k + 1 bits; the first ones have k. */
static uint8_t flat_length(unsigned count, unsigned symbol)
{
    const unsigned bits = bit_length(count) - 1, shorter = (2u << bits) - count;
    return (uint8_t)(symbol < shorter ? bits : bits + 1);
}

bool is_flat_code(const code_table *t)
{
    for (unsigned i = 0; i < t->count; i++)
        if (t->lengths[i] != flat_length(t->count, i))
            return false;
    return true;
}

static code_table *add_table(table_finder *k, const char *name, unsigned count)
{
    code_table *t = ARENA_NEW(k->arena, code_table);
    t->name = name;
    t->count = count;
    t->index = k->count++;
    t->lengths = ARENA_ARRAY(k->arena, uint8_t, count);
    for (unsigned i = 0; i < count; i++)
        t->lengths[i] = flat_length(count, i);
    t->next = *k->last;
    *k->last = t;
    k->last = &t->next;
    return t;
}

/* Whether the last symbol of its table says that the whole value follows. */
static bool has_escape(const type *t)
{
    return t->kind == TYPE_QUAT || t->kind == TYPE_OR_RAW;
}

/* The tables of a number, with the symbols of its values or of its differences. */
static void find_of_number(table_finder *k, field *f)
{
    const type *t = &f->type;
    /* The greatest distance on a circle is half its length. A quat and a number with `or raw` have a symbol for values that
     * no difference leads to. */
    const unsigned widest = t->wraps ? bit_length(circle_of(t) / 2) : coded_bits(t);
    const unsigned symbols = f->values ? f->values->count + 1 : widest + 1 + has_escape(t);
    for (unsigned i = 0; i < coded_contexts(f); i++) {
        f->codes[i] = add_table(k, arena_printf(k->arena, "%s.%s %u", f->owner->name, f->name, i), symbols);
        f->codes[i]->values = f->values;
    }
    for (unsigned i = 0; i < CODE_CONTEXTS && f->codes[i]; i++)
        f->codes[i]->number = can_code_values(f) ? f : NULL;
}

static void find_of_field(table_finder *k, const decl *d, field *f)
{
    if (!f->coded)
        return;
    if (f->array != ARRAY_NONE)
        f->runs = add_table(k, arena_printf(k->arena, "%s.%s runs", d->name, f->name), bit_length(f->dims[0]) + 2);
    if (!type_row_of(&f->type)->steps)
        return;
    find_of_number(k, f);
    f->coded_number = k->numbers++;
}

/* Gives a number other tables, in the place of those that it has. */
static void replace_tables(arena *a, schema *s, field *f, code_values *values)
{
    table_finder k = {.arena = a, .last = &s->tables, .count = s->table_count};
    while (*k.last != f->codes[0])
        k.last = &(*k.last)->next;
    for (unsigned i = 0; i < CODE_CONTEXTS && f->codes[i]; i++) {
        *k.last = f->codes[i]->next;
        f->codes[i] = NULL;
    }
    f->values = values;
    find_of_number(&k, f);
    if (values)
        values->first = f->codes[0];
    s->table_count = k.count;
}

void code_by_values(arena *a, schema *s, field *f, const uint64_t *codes, unsigned count)
{
    code_values *v = ARENA_NEW(a, code_values);
    uint64_t *copy = ARENA_ARRAY(a, uint64_t, count);
    memcpy(copy, codes, count * sizeof *codes);
    *v = (code_values){.name = arena_printf(a, "%s.%s values", f->owner->name, f->name), .count = count, .codes = copy};
    replace_tables(a, s, f, v);
}

void code_by_differences(arena *a, schema *s, field *f)
{
    replace_tables(a, s, f, NULL);
}

/* number: the number of the block in its type, in source order. */
static void find_of_block(table_finder *k, const decl *d, block *b, unsigned *number)
{
    unsigned fields = 0;
    const unsigned here = (*number)++;
    for (const item *i = b->items; i; i = i->next)
        fields += i->kind == ITEM_FIELD;
    b->number = here;
    if (fields > 1 && fields <= CODE_MASK_MOST) {
        b->masks = ARENA_ARRAY(k->arena, code_table *, mask_groups(fields));
        for (unsigned g = 0; g < mask_groups(fields); g++)
            b->masks[g] = add_table(k, arena_printf(k->arena, "%s changes %u.%u", d->name, here, g),
                                    1u << mask_group_size(fields, g));
    }
    for (item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_FIELD)
            find_of_field(k, d, i->as.field);
        if (i->kind == ITEM_IF) {
            find_of_block(k, d, &i->as.branch.then, number);
            find_of_block(k, d, &i->as.branch.other, number);
        }
        for (arm *a = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; a; a = a->next)
            find_of_block(k, d, &a->body, number);
    }
}

bool has_coded_field(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (f->coded)
            return true;
    return false;
}

static void mark_moving(decl *d)
{
    if (d->moves)
        return;
    d->moves = true;
    for (const field *f = d->fields; f; f = f->next)
        if (f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION)
            mark_moving((decl *)(uintptr_t)f->type.decl);
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        mark_moving((decl *)(uintptr_t)m->type);
}

void schema_find_tables(arena *a, schema *s)
{
    table_finder k = {.arena = a, .last = &s->tables};
    for (decl *d = s->decls; d; d = d->next)
        if (d->predicts)
            mark_moving(d);
    for (decl *d = s->decls; d; d = d->next) {
        unsigned number = 0;
        if (d->kind == DECL_STRUCT && has_coded_field(d))
            find_of_block(&k, d, &d->body, &number);
    }
    s->table_count = k.count;
    s->coded_numbers = k.numbers;
}
