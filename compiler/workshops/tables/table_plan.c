/* table_plan.c - walks types, and makes a column of each scalar and a table of each array.
 * SPDX-License-Identifier: MIT
 */
#include "tables/table_plan.h"
#include "base/hash_table.h"
#include "model/type_table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A type that is in types again and again has many columns although its schema is short. So many bytes may describe all of
 * them. */
enum { MOST_TAKEN = 8 << 20, COLUMN_TAKES = 128 };

/* Where a column is: in which table, behind which part of its name, and whether it may be null. */
typedef struct column_site {
    table_plan *table;
    const char *prefix; /* "at_" */
    bool optional;
} column_site;

/* ---- columns */

static const char *name_of_member(const void *of, uint64_t number, char digits[NAMER_ROOM])
{
    const member *m = member_of_value(of, num_u64(number));
    if (!m)
        snprintf(digits, NAMER_ROOM, "%" PRIu64, number);
    return m ? m->name : digits;
}

static const char *name_of_recording(const void *of, uint64_t number, char digits[NAMER_ROOM])
{
    (void)number;
    (void)digits;
    return ((const table_plans *)of)->recording;
}

/* False once the description of tables takes too much. */
static bool may_describe(table_plans *p, size_t size)
{
    p->taken += size;
    p->failed = p->failed || p->taken > MOST_TAKEN;
    return !p->failed;
}

/* A name that no other column of the table has, also for readers that do not tell large letters from small ones. */
static const char *free_name(table_plans *p, const table_plan *t, const char *name)
{
    for (;; name = arena_printf(p->arena, "%s_", name)) {
        char *lower = arena_text(p->arena, name, strlen(name));
        for (char *c = lower; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        const char *key = intern(p->names, lower, strlen(lower));
        if (map_get(p->known, t, key))
            continue;
        map_put(p->arena, p->known, t, key, p);
        return name;
    }
}

/* Returns its number; NO_COLUMN if there are too many. */
static int add_column(table_plans *p, table_plan *t, const parquet_column *column)
{
    if (!may_describe(p, COLUMN_TAKES + strlen(column->name)))
        return NO_COLUMN;
    if (t->column_count == t->room) {
        const size_t room = t->room > 0 ? 2 * t->room : 8;
        t->columns = arena_grow(p->arena, t->columns, t->room * sizeof *t->columns, room * sizeof *t->columns);
        t->room = room;
    }
    t->columns[t->column_count] = *column;
    t->columns[t->column_count].name = free_name(p, t, column->name);
    return (int)t->column_count++;
}

static int add_at(table_plans *p, const column_site *at, const char *name, parquet_type of)
{
    return add_column(p, at->table,
                      &(parquet_column){.name = arena_printf(p->arena, "%s%s", at->prefix, name),
                                        .type = of,
                                        .optional = at->optional});
}

static int add_names(table_plans *p, const column_site *at, const char *name, const decl *of)
{
    const int column = add_at(p, at, name, PARQUET_TEXT);
    if (column != NO_COLUMN) {
        at->table->columns[column].namer = name_of_member;
        at->table->columns[column].of = of;
    }
    return column;
}

static parquet_type type_in_storage(storage s)
{
    static const parquet_type types[] = {
        [STORAGE_BOOL] = PARQUET_BOOL,   [STORAGE_U8] = PARQUET_U8,        [STORAGE_U16] = PARQUET_U16,
        [STORAGE_U32] = PARQUET_U32,     [STORAGE_U64] = PARQUET_U64,      [STORAGE_I8] = PARQUET_I8,
        [STORAGE_I16] = PARQUET_I16,     [STORAGE_I32] = PARQUET_I32,      [STORAGE_I64] = PARQUET_I64,
        [STORAGE_FLOAT] = PARQUET_FLOAT, [STORAGE_DOUBLE] = PARQUET_DOUBLE};
    return types[s];
}

static int add_parts(table_plans *p, const column_site *at, const char *name, const char *const *parts, int count)
{
    int first = NO_COLUMN;
    for (int i = 0; i < count; i++) {
        const int column = add_at(p, at, arena_printf(p->arena, "%s_%s", name, parts[i]), PARQUET_FLOAT);
        first = i == 0 ? column : first;
    }
    return first;
}

/* The columns of a scalar. */
static int add_scalar(table_plans *p, const column_site *at, const char *name, const type *t)
{
    static const char *const axes[] = {"x", "y", "z", "w"};
    const column_site optional = {at->table, at->prefix, true};
    int first = NO_COLUMN;
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_REAL: return add_at(p, at, name, type_in_storage(t->storage));
    case SORT_FIXED: return add_at(p, at, name, PARQUET_DOUBLE);
    case SORT_ENUM: return add_names(p, at, name, t->decl);
    case SORT_QUAT: return add_parts(p, at, name, axes, 4);
    case SORT_UNIT: return add_parts(p, at, name, axes, 3);
    case SORT_STRING: return add_at(p, at, name, PARQUET_TEXT);
    case SORT_BYTES: return add_at(p, at, name, PARQUET_BYTES);
    case SORT_REF: return add_at(p, &optional, name, type_in_storage(storage_for(t->high.magnitude)));
    case SORT_FLAGS:
        for (const member *m = t->decl->members; m; m = m->next) {
            const int column = add_at(p, at, arena_printf(p->arena, "%s_%s", name, m->name), PARQUET_BOOL);
            first = m == t->decl->members ? column : first;
        }
        return first;
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    return NO_COLUMN;
}

/* ---- types */

static table_plan *add_table_plan(table_plans *p, const char *folder)
{
    const char *key = intern(p->names, folder, strlen(folder));
    table_plan *t =
        ARENA_WITH(p->arena, table_plan, .folder = folder, .twin = map_get(p->known, NULL, key), .number = p->count++,
                   .place = NO_COLUMN, .outer = NO_COLUMN, .own = NO_COLUMN, .gone = NO_COLUMN);
    if (!t->twin)
        map_put(p->arena, p->known, NULL, key, t);
    may_describe(p, sizeof *t + strlen(folder));
    *p->end = t;
    p->end = &t->next;
    const parquet_column first[] = {
        [COLUMN_RECORDING] = {"recording", PARQUET_TEXT, .runs = true, .namer = name_of_recording, .of = p},
        [COLUMN_DATAGRAM] = {"datagram", PARQUET_I64, .runs = true},
        [COLUMN_TIME] = {"time", PARQUET_TIME, .runs = true}};
    for (int i = 0; i < FIRST_COLUMNS; i++)
        add_column(p, t, &first[i]);
    return t;
}

static void plan_items(table_plans *p, const column_site *at, const table_shape *s, const item *items);

/* A struct, if there is room for it. */
static bool plan_shape(table_plans *p, const column_site *at, const decl *d, table_shape *s)
{
    *s = (table_shape){.decl = d};
    if (!may_describe(p, sizeof *s + d->field_count * sizeof *s->places))
        return false;
    s->places = ARENA_ARRAY(p->arena, column_place, d->field_count);
    plan_items(p, at, s, d->body.items);
    return !p->failed;
}

/* The value of a type, which is called `name`. The fields of a struct have names that begin with `prefix`. */
static void plan_value_columns(table_plans *p, const column_site *at, const char *name, const char *prefix,
                               const type *t, column_place *to)
{
    const bool is_union = t->kind == TYPE_UNION;
    column_site inside = {at->table, prefix, at->optional || is_union};
    if (!is_composite(t)) {
        to->column = add_scalar(p, at, name, t);
        return;
    }
    to->column = is_union ? add_names(p, at, name, t->decl) : NO_COLUMN;
    const unsigned count = is_union ? t->decl->member_count : 1;
    to->shapes = ARENA_ARRAY(p->arena, table_shape, count);
    for (unsigned i = 0; i < count && !p->failed; i++) {
        const member *m = is_union ? t->decl->by_value[i] : NULL;
        if (m)
            inside.prefix = arena_printf(p->arena, "%s%s_", prefix, m->name);
        plan_shape(p, &inside, m ? m->type : t->decl, &to->shapes[i]);
    }
}

/* The column of a subscript or key: keys of lists may be enums. */
static int add_subscript(table_plans *p, table_plan *t, const parquet_column *like)
{
    return add_column(p, t,
                      &(parquet_column){like->name, like->type, .runs = true, .namer = like->namer, .of = like->of});
}

/* The subscripts of arrays around a table, as they are in the table of the innermost one. */
static void add_outer_subscripts(table_plans *p, table_plan *t, const table_plan *around)
{
    t->place = around->place != NO_COLUMN ? add_subscript(p, t, &around->columns[around->place]) : NO_COLUMN;
    t->outer = (int)t->column_count;
    for (unsigned i = 0; i < around->outer_count && !p->failed; i++)
        add_subscript(p, t, &around->columns[around->outer + (int)i]);
    t->outer_count = around->outer_count;
    if (!around->field)
        return;
    const unsigned own = around->field->by ? 1 : around->field->dim_count;
    for (unsigned i = 0; i < own && !p->failed; i++)
        add_subscript(p, t, &around->columns[around->own + (int)i]);
    t->outer_count += own;
}

static table_plan *plan_elements(table_plans *p, const column_site *at, const field *f)
{
    table_plan *around = at->table;
    table_plan *t = add_table_plan(p, arena_printf(p->arena, "%s.%s%s", around->folder, at->prefix, f->name));
    const column_site here = {t, "", p->changes};
    t->field = f;
    if (p->failed)
        return t;
    add_outer_subscripts(p, t, around);
    p->failed = p->failed || t->outer_count + f->dim_count > MOST_SUBSCRIPTS;
    t->own = (int)t->column_count;
    for (uint32_t i = 0; i < f->dim_count && !f->by && !p->failed; i++)
        add_column(p, t,
                   &(parquet_column){.name = i == 0 ? arena_printf(p->arena, "%s_index", f->name)
                                                    : arena_printf(p->arena, "%s_index%u", f->name, (unsigned)i + 1),
                                     .type = PARQUET_U32,
                                     .runs = true});
    if (f->by)
        add_scalar(p, &(column_site){t, "", false}, arena_printf(p->arena, "%s_%s", f->name, f->by->name),
                   &f->by->type);
    if (f->by && p->changes)
        t->gone = add_at(p, &(column_site){t, "", false}, "gone", PARQUET_BOOL);
    plan_value_columns(p, &here, f->name, "", &f->type, &t->value);
    around->has_tables = true;
    return t;
}

static void plan_field(table_plans *p, const column_site *at, const field *f, column_place *to)
{
    const column_site around = {at->table, at->prefix, at->optional || p->changes};
    const column_site here = {at->table, at->prefix, around.optional || f->optional};
    const bool is_array = f->array != ARRAY_NONE;
    *to = (column_place){.has = NO_COLUMN, .delta = NO_COLUMN, .column = NO_COLUMN};
    if (f->optional && (p->changes || (!is_array && is_composite(&f->type))))
        to->has = add_at(p, &around, arena_printf(p->arena, "has_%s", f->name), PARQUET_BOOL);
    if (f->part && p->changes)
        to->delta = add_at(p, &around, arena_printf(p->arena, "%s_delta", f->name), PARQUET_BOOL);
    if (is_array) {
        to->column = add_at(p, &here, arena_printf(p->arena, "%s_count", f->name), PARQUET_U32);
        to->elements = plan_elements(p, at, f);
    } else {
        plan_value_columns(p, &here, f->name, arena_printf(p->arena, "%s%s_", at->prefix, f->name), &f->type, to);
    }
}

static void plan_side(table_plans *p, const column_site *at, const table_shape *s, const block *b)
{
    const column_site inside = {at->table, at->prefix, true};
    plan_items(p, &inside, s, b->items);
}

static void plan_items(table_plans *p, const column_site *at, const table_shape *s, const item *items)
{
    for (const item *i = items; i && !p->failed; i = i->next) {
        switch (i->kind) {
        case ITEM_FIELD: plan_field(p, at, i->as.field, &s->places[i->as.field->index]); break;
        case ITEM_IF:
            plan_side(p, at, s, &i->as.branch.then);
            plan_side(p, at, s, &i->as.branch.other);
            break;
        case ITEM_SWITCH:
            for (const arm *each = i->as.choice.arms; each; each = each->next)
                plan_side(p, at, s, &each->body);
            break;
        case ITEM_ALIGN:
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK: break;
        }
    }
}

/* ---- all tables */

static const char *folder_of(table_plans *p, const schema *s, const char *name)
{
    return s->protocol ? arena_printf(p->arena, "%s/%s", s->protocol, name) : name;
}

static void plan_values(void *user, const schema *s, const decl *d, bool in_stream)
{
    table_plans *p = user;
    table_plan *t = map_get(p->known, d, NULL);
    const type of = {.kind = d->kind == DECL_UNION ? TYPE_UNION : TYPE_STRUCT, .decl = d};
    if (t || p->failed)
        return;
    t = add_table_plan(p, folder_of(p, s, d->name));
    t->decl = d;
    map_put(p->arena, p->known, d, NULL, t);
    if (in_stream)
        t->place = add_column(p, t, &(parquet_column){"place", PARQUET_U32, .runs = true});
    t->value = (column_place){.has = NO_COLUMN, .delta = NO_COLUMN};
    if (d->delta && p->changes)
        t->value.delta = add_at(p, &(column_site){t, "", false}, "delta", PARQUET_BOOL);
    plan_value_columns(p, &(column_site){t, "", p->changes}, d->name, "", &of, &t->value);
    if (p->failed)
        diag_error(p->diag, (span){0}, "the tables of '%s' have too many columns, with all types in types", d->name);
}

bool table_plans_make(table_plans *p, const datagrams *g)
{
    static const parquet_column more[] = {
        {.name = "nanoseconds", .type = PARQUET_I64}, {"direction", PARQUET_TEXT, .optional = true},
        {.name = "sender", .type = PARQUET_TEXT},     {.name = "receiver", .type = PARQUET_TEXT},
        {"protocol", PARQUET_TEXT, .optional = true}, {"release", PARQUET_U64, .optional = true},
        {"packet", PARQUET_TEXT, .optional = true},   {.name = "bytes", .type = PARQUET_U32},
        {.name = "unchecked", .type = PARQUET_BOOL},  {"refused", PARQUET_TEXT, .optional = true},
    };
    p->end = &p->first;
    p->known = map_new(p->arena);
    table_plan *t = add_table_plan(p, "datagrams");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        add_column(p, t, &more[i]);
    datagrams_types(g, plan_values, p);
    return !p->failed;
}

const table_plan *table_of_values(const table_plans *p, const decl *d)
{
    return map_get(p->known, d, NULL);
}
