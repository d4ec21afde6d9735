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
    uint32_t count, numbers, masks;
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
    case TYPE_FLAGS:
        if (num_subtract(t->high, t->low, &range))
            return range.magnitude;
        break;
    case TYPE_QUAT:
    case TYPE_BOOL:
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

static bool is_category(const type *t)
{
    return t->kind == TYPE_ENUM || t->kind == TYPE_FLAGS;
}

bool may_have_codes(const type *t)
{
    return type_row_of(t)->steps || (is_category(t) && coded_bits(t) > 0 && coded_bits(t) <= CODE_VALUE_BITS);
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
    return f->codes[0] && type_row_of(&f->type)->steps && f->owner->moves && !f->still && !f->asked && !f->has_unless &&
           (f->type.kind == TYPE_QUAT || coded_bits(&f->type) <= MOST_BITS);
}

static bool moves_by(const decl *d, bool by_speed)
{
    for (const field *f = d->fields; f; f = f->next)
        if (field_moves(f) &&
            (is_composite(&f->type) ? moves_by(f->type.decl, by_speed) : (f->speed != NULL) == by_speed))
            return true;
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        if (moves_by(m->type, by_speed))
            return true;
    return false;
}

bool type_follows(const decl *d)
{
    return moves_by(d, false);
}

bool type_goes(const decl *d)
{
    return moves_by(d, true);
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
    return may_have_codes(t) && t->kind != TYPE_QUAT && t->kind != TYPE_OR_RAW && !t->wraps &&
           coded_bits(t) <= CODE_VALUE_BITS;
}

bool has_values_only(const field *f)
{
    return f->codes[0] && is_category(&f->type);
}

bool can_code_values(const field *f)
{
    return has_values_only(f) || (f->codes[0] && (!f->owner->moves || f->still) && may_have_frequent_values(&f->type));
}

/* How many values a type of at most 32 bits has. */
static uint64_t count_of_values(const type *t)
{
    return t->kind == TYPE_ENUM && t->decl->width == 0 ? t->decl->member_count : greatest_number_code(t) + 1;
}

bool is_code_of_type(const type *t, uint64_t code)
{
    if (code > greatest_number_code(t))
        return false;
    return t->kind != TYPE_ENUM || t->decl->width != 0 ||
           member_of_value(t->decl, num_u64(t->low.magnitude + code)) != NULL;
}

bool value_comes(const field *f, unsigned count, unsigned context, unsigned symbol)
{
    if (symbol == count)
        return count_of_values(&f->type) > count;
    return f->optional || symbol != context || context == CODE_CONTEXTS - 1;
}

bool symbol_comes(const code_table *t, unsigned symbol)
{
    return !t->values || !t->number || value_comes(t->number, t->values->count, t->context, symbol);
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

/* The bits of the symbol that comes at `place` among `count`, of a flat table. Symbols have k or k + 1 bits; the first ones have k. */
static uint8_t flat_length(unsigned count, unsigned place)
{
    const unsigned bits = bit_length(count) - 1, shorter = (2u << bits) - count;
    return (uint8_t)(place < shorter ? bits : bits + 1);
}

static unsigned count_of_symbols(const code_table *t)
{
    unsigned count = 0;
    for (unsigned i = 0; i < t->count; i++)
        count += symbol_comes(t, i);
    return count;
}

bool comes_alone(const code_table *t, unsigned *symbol)
{
    unsigned only = 0;
    while (!symbol_comes(t, only))
        only++;
    if (count_of_symbols(t) != 1)
        return false;
    *symbol = only;
    return true;
}

bool symbol_has_code(const code_table *t, unsigned symbol)
{
    return symbol_comes(t, symbol) && count_of_symbols(t) > 1;
}

bool is_complete_code(const code_table *t, const uint8_t *lengths)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < t->count; i++) {
        if (symbol_has_code(t, i) != (lengths[i] >= 1 && lengths[i] <= CODE_LONGEST))
            return false;
        taken += lengths[i] ? 1u << (CODE_LONGEST - lengths[i]) : 0;
    }
    return count_of_symbols(t) == 1 || taken == 1u << CODE_LONGEST;
}

static void give_flat_lengths(const code_table *t, uint8_t *lengths)
{
    const unsigned count = count_of_symbols(t);
    for (unsigned i = 0, place = 0; i < t->count; i++)
        lengths[i] = symbol_comes(t, i) ? flat_length(count, place++) : 0;
}

bool is_flat_code(const code_table *t)
{
    uint8_t lengths[CODE_MOST];
    give_flat_lengths(t, lengths);
    return memcmp(lengths, t->lengths, t->count) == 0;
}

static code_table *add_table(table_finder *k, const char *name, unsigned count)
{
    code_table *t = ARENA_NEW(k->arena, code_table);
    t->name = name;
    t->count = count;
    t->index = k->count++;
    t->lengths = ARENA_ARRAY(k->arena, uint8_t, count);
    give_flat_lengths(t, t->lengths);
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
static void find_of_number(table_finder *k, field *f, code_values *values)
{
    const type *t = &f->type;
    /* The greatest distance on a circle is half its length. A quat and a number with `or raw` have a symbol for values that
     * no difference leads to. */
    const unsigned widest = t->wraps ? bit_length(circle_of(t) / 2) : coded_bits(t);
    const unsigned symbols = values ? values->count + 1 : widest + 1 + has_escape(t);
    f->values = values;
    for (unsigned i = 0; i < coded_contexts(f); i++) {
        code_table *table = add_table(k, arena_printf(k->arena, "%s.%s %u", f->owner->name, f->name, i), symbols);
        f->codes[i] = table;
        table->number = can_code_values(f) ? f : NULL;
        table->values = values;
        table->context = (uint8_t)i;
        give_flat_lengths(table, table->lengths);
    }
    if (values)
        values->first = f->codes[0];
}

static code_values *values_new(arena *a, const char *name, const uint64_t *codes, unsigned count)
{
    uint64_t *copy = ARENA_ARRAY(a, uint64_t, count);
    memcpy(copy, codes, count * sizeof *codes);
    return ARENA_WITH(a, code_values, .name = name, .count = count, .codes = copy);
}

static code_values *trained_values(arena *a, const char *name, const uint64_t *codes, unsigned count)
{
    code_values *v = values_new(a, name, codes, count);
    v->trained = true;
    return v;
}

static const char *name_of_values(arena *a, const field *f)
{
    return arena_printf(a, "%s.%s values", f->owner->name, f->name);
}

/* Without a model: no flag, and each flag alone; or the members of an enum; the first ones if there are many. */
static code_values *usual_values(arena *a, const field *f)
{
    const decl *d = f->type.decl;
    uint64_t codes[CODE_VALUES_MOST] = {0};
    unsigned count = d->kind == DECL_FLAGS;
    for (uint32_t i = 0; i < d->member_count && count < CODE_VALUES_MOST; i++)
        codes[count++] = d->by_value[i]->value.magnitude - f->type.low.magnitude;
    return values_new(a, name_of_values(a, f), codes, count);
}

static void find_of_field(table_finder *k, const decl *d, field *f)
{
    if (!f->coded)
        return;
    if (f->array != ARRAY_NONE)
        f->runs = add_table(k, arena_printf(k->arena, "%s.%s runs", d->name, f->name), bit_length(f->dims[0]) + 2);
    if (!may_have_codes(&f->type))
        return;
    find_of_number(k, f, is_category(&f->type) ? usual_values(k->arena, f) : NULL);
    f->coded_number = k->numbers++;
}

/* Takes away tables that follow each other. Others can then be added in their place. */
static table_finder take_tables(arena *a, schema *s, code_table **tables, unsigned count)
{
    table_finder k = {.arena = a, .last = &s->tables, .count = s->table_count};
    while (*k.last != tables[0])
        k.last = &(*k.last)->next;
    for (unsigned i = 0; i < count; i++) {
        *k.last = tables[i]->next;
        tables[i] = NULL;
    }
    return k;
}

/* Gives a number other tables, in the place of those that it has. */
static void replace_tables(arena *a, schema *s, field *f, code_values *values)
{
    table_finder k = take_tables(a, s, f->codes, coded_contexts(f));
    find_of_number(&k, f, values);
    s->table_count = k.count;
}

void code_by_values(arena *a, schema *s, field *f, const uint64_t *codes, unsigned count)
{
    replace_tables(a, s, f, trained_values(a, name_of_values(a, f), codes, count));
}

void code_by_differences(arena *a, schema *s, field *f)
{
    replace_tables(a, s, f, NULL);
}

unsigned mask_tables(const block *b)
{
    return b->mask_values ? 1 : mask_groups(b->mask_fields);
}

/* stem: "Cube changes 0". */
static void find_of_mask(table_finder *k, const char *stem, block *b)
{
    for (unsigned g = 0; g < mask_tables(b); g++) {
        const unsigned symbols = b->mask_values ? b->mask_values->count + 1 : 1u << mask_group_size(b->mask_fields, g);
        b->masks[g] = add_table(k, arena_printf(k->arena, "%s.%u", stem, g), symbols);
        b->masks[g]->changes = b;
        b->masks[g]->values = b->mask_values;
    }
}

static const char *stem_of_mask(arena *a, const block *b)
{
    const char *name = b->masks[0]->name;
    return arena_printf(a, "%.*s", (int)(strlen(name) - strlen(".0")), name);
}

static void replace_masks(arena *a, schema *s, block *b, code_values *values)
{
    const char *stem = stem_of_mask(a, b);
    table_finder k = take_tables(a, s, b->masks, mask_tables(b));
    b->mask_values = values;
    find_of_mask(&k, stem, b);
    if (values)
        values->first = b->masks[0];
    s->table_count = k.count;
}

void code_mask_by_values(arena *a, schema *s, block *b, const uint64_t *masks, unsigned count)
{
    replace_masks(a, s, b, trained_values(a, arena_printf(a, "%s values", stem_of_mask(a, b)), masks, count));
}

void code_mask_in_groups(arena *a, schema *s, block *b)
{
    replace_masks(a, s, b, NULL);
}

void code_new_masks(arena *a, schema *s, block *b)
{
    table_finder k = {.arena = a, .last = &s->tables, .count = s->table_count};
    if (b->in_new)
        return;
    b->in_new = ARENA_WITH(a, block, .number = b->number, .mask_fields = b->mask_fields, .mask_number = b->mask_number,
                           .is_new = true);
    b->in_new->masks = ARENA_ARRAY(a, code_table *, mask_groups(b->mask_fields));
    while (*k.last != b->masks[mask_tables(b) - 1])
        k.last = &(*k.last)->next;
    k.last = &(*k.last)->next;
    find_of_mask(&k, arena_printf(a, "%s new", stem_of_mask(a, b)), b->in_new);
    s->table_count = k.count;
}

void code_new_masks_alike(arena *a, schema *s, block *b)
{
    if (b->in_new)
        take_tables(a, s, b->in_new->masks, mask_tables(b->in_new));
    b->in_new = NULL;
}

bool begins_new_masks(const code_table *t)
{
    return t->changes && t->changes->is_new && t == t->changes->masks[0];
}

static bool block_has_new_masks(const block *b)
{
    if (b->masks && b->in_new)
        return true;
    for (const item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_FIELD && is_composite(&i->as.field->type) && has_new_masks(i->as.field->type.decl))
            return true;
        if (i->kind == ITEM_IF && (block_has_new_masks(&i->as.branch.then) || block_has_new_masks(&i->as.branch.other)))
            return true;
        for (const arm *a = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; a; a = a->next)
            if (block_has_new_masks(&a->body))
                return true;
    }
    return false;
}

bool has_new_masks(const decl *d)
{
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        if (has_new_masks(m->type))
            return true;
    return block_has_new_masks(&d->body);
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
        b->mask_fields = fields;
        b->mask_number = k->masks++;
        find_of_mask(k, arena_printf(k->arena, "%s changes %u", d->name, here), b);
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
    s->coded_masks = k.masks;
}
