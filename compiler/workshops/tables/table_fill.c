/* table_fill.c - walks values as they are printed, and puts each scalar into its column.
 * SPDX-License-Identifier: MIT
 *
 * A struct that is shared by many values has been a row before, and so have the elements of a shared block: while that row is
 * in the page, it is copied.
 */
#include "tables/table_fill.h"
#include "base/files.h"
#include "codec/codec_json.h"
#include "model/type_table.h"

#include <string.h>

struct filled_tables {
    arena *arena, *scratch;
    const table_plans *plans;
    parquet_set *set;
    parquet_table **tables; /* by the number of their plans */
    /* The datagram and the value. */
    const recorded *datagram;
    uint64_t time;
    uint32_t place;
    const codec_part *parts;         /* of a packet; or NULL */
    uint64_t outer[MOST_SUBSCRIPTS]; /* the subscripts of the arrays around */
    unsigned outer_count;
};

filled_tables *filled_tables_new(arena *a, const table_plans *p, const char *directory, const char *name)
{
    filled_tables *k =
        ARENA_WITH(a, filled_tables, .arena = a, .scratch = arena_new(), .plans = p, .set = parquet_set_new(a));
    k->tables = ARENA_ARRAY(a, parquet_table *, p->count);
    for (const table_plan *t = p->first; t; t = t->next)
        k->tables[t->number] =
            parquet_table_new(k->set, t->twin ? k->tables[t->twin->number] : NULL,
                              file_in_directory(a, directory, t->folder), name, t->columns, t->column_count);
    return k;
}

/* ---- scalars */

static void put_real_column(parquet_table *t, int column, storage s, double real)
{
    parquet_put(t, (size_t)column, real_to_bits(s, real));
}

/* The number that a fixed one means; one of more than 53 bits is rounded. */
static double number_of_fixed(const type *t, uint64_t raw)
{
    double number = (double)(int64_t)raw;
    for (unsigned i = 0; i < t->fraction_bits; i++)
        number /= 2;
    return number;
}

static void put_scalar(parquet_table *t, int column, const type *of, const datum *d)
{
    switch (type_row_of(of)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_REAL:
    case SORT_ENUM: parquet_put(t, (size_t)column, d->number); break;
    case SORT_FIXED: put_real_column(t, column, STORAGE_DOUBLE, number_of_fixed(of, d->number)); break;
    case SORT_FLAGS:
        for (const member *m = of->decl->members; m; m = m->next)
            parquet_put(t, (size_t)column++, (d->number & num_bits(m->value)) != 0);
        break;
    case SORT_QUAT:
    case SORT_UNIT:
        for (int i = 0; i < (of->kind == TYPE_QUAT ? 4 : 3); i++)
            put_real_column(t, column + i, STORAGE_FLOAT, (double)d->parts[i]);
        break;
    case SORT_STRING:
    case SORT_BYTES: parquet_put_text(t, (size_t)column, d->bytes, d->size); break;
    case SORT_REF:
        if (d->number != 0)
            parquet_put(t, (size_t)column, d->number);
        break;
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
}

static void put_bool(parquet_table *t, int column, bool is)
{
    if (column != NO_COLUMN)
        parquet_put(t, (size_t)column, is);
}

/* ---- rows */

/* The next rows of a table are of this datagram, and inside these elements. */
static void begin_rows(filled_tables *k, const table_plan *p)
{
    parquet_table *t = k->tables[p->number];
    parquet_runs(t, COLUMN_DATAGRAM, k->datagram->index, false);
    parquet_runs(t, COLUMN_TIME, k->time, false);
    if (p->place != NO_COLUMN)
        parquet_runs(t, (size_t)p->place, k->place, false);
    for (unsigned i = 0; i < p->outer_count; i++)
        parquet_runs(t, (size_t)p->outer + i, k->outer[i], false);
}

static void fill_record(filled_tables *k, const table_plan *p, const table_shape *s, const record *r);

static void fill_value(filled_tables *k, const table_plan *p, const column_place *at, const type *t, const datum *v)
{
    if (!is_composite(t))
        put_scalar(k->tables[p->number], at->column, t, v);
    else if (t->kind == TYPE_STRUCT)
        fill_record(k, p, &at->shapes[0], v->record);
    else {
        parquet_put(k->tables[p->number], (size_t)at->column, v->tag);
        fill_record(k, p, &at->shapes[v->tag], v->record);
    }
}

/* A present field that is not an array. Null would be an absent ref. */
static void fill_one(filled_tables *k, const table_plan *p, const column_place *at, const field *f, const datum *v)
{
    if (f->type.kind == TYPE_REF && f->optional)
        parquet_put(k->tables[p->number], (size_t)at->column, v->number);
    else
        fill_value(k, p, at, &f->type, v);
}

/* Puts the key of a list's element, which its struct has. */
static void put_key(const table_plan *p, parquet_table *t, const datum *v)
{
    const field *by = p->field->by;
    put_scalar(t, p->own, &by->type, &slot_of(v->record, by)->data[0]);
}

/* The struct of an element, if the row depends on nothing else. */
static record *record_of_row(const table_plan *p, const datum *v)
{
    return p->field->type.kind == TYPE_STRUCT && !p->has_tables ? v->record : NULL;
}

static void fill_element(filled_tables *k, const table_plan *p, const datum *v)
{
    parquet_table *t = k->tables[p->number];
    const field *f = p->field;
    record *r = record_of_row(p, v);
    const uint32_t stamp = parquet_stamp(t), row = parquet_row(t);
    if (f->by)
        put_key(p, t, v);
    put_bool(t, p->gone, false);
    fill_value(k, p, &p->value, &f->type, v);
    if (r) {
        r->in_page = stamp;
        r->row = row;
    }
    parquet_row_end(t);
}

/* Repeats the row of an element, and the same one behind it, if it is in the page. Returns how many of `most`. */
static uint32_t repeat_elements(parquet_table *t, const table_plan *p, const slot *s, uint32_t first, uint32_t most)
{
    const record *r = record_of_row(p, slot_at(s, first));
    uint32_t count = 0;
    if (!r || r->in_page != parquet_stamp(t))
        return 0;
    do
        count++;
    while (count < most && slot_at(s, first + count)->record == r);
    parquet_repeat(t, r->row, count);
    parquet_row_end(t);
    return count;
}

/* The subscripts of element i, of which `inside` have all but the last the same. */
static void begin_subscripts(filled_tables *k, const table_plan *p, uint32_t i)
{
    const field *f = p->field;
    uint32_t left = i;
    for (uint32_t dim = f->dim_count; dim-- > 0; left /= f->dims[dim]) {
        const uint32_t at = dim > 0 ? left % f->dims[dim] : left;
        parquet_runs(k->tables[p->number], (size_t)p->own + dim, at, dim + 1 == f->dim_count);
    }
}

/* Arrays in the element have its subscripts around them. */
static void enter_row(filled_tables *k, const table_plan *p, const slot *s, uint32_t i, const datum *v)
{
    const field *f = p->field;
    uint32_t left = s->indices ? s->indices[i] : i;
    if (f->by) {
        k->outer[k->outer_count++] = slot_of(v->record, f->by)->data[0].number;
        return;
    }
    for (uint32_t dim = f->dim_count; dim-- > 0; left /= f->dims[dim])
        k->outer[k->outer_count + dim] = dim > 0 ? left % f->dims[dim] : left;
    k->outer_count += f->dim_count;
}

static void leave_row(filled_tables *k, const table_plan *p)
{
    k->outer_count -= p->field->by ? 1 : p->field->dim_count;
}

/* How many elements from i on, in whole blocks, are rows of the page one after the other; *row: the first of them. */
static uint32_t elements_in_page(const parquet_table *t, const slot *s, uint32_t i, uint32_t end, uint32_t *row)
{
    const uint32_t first = i;
    while (i < end && i % SHARED_ELEMENTS == 0) {
        const element_block *b = s->blocks[i / SHARED_ELEMENTS];
        *row = i == first ? b->row : *row;
        if (b->in_page != parquet_stamp(t) || b->row != *row + (i - first) || b->count > end - i)
            break;
        i += b->count;
    }
    return i - first;
}

/* Elements from i on that have all but the last subscript the same. */
static void fill_row_of_elements(filled_tables *k, const table_plan *p, const slot *s, uint32_t i, uint32_t end)
{
    parquet_table *t = k->tables[p->number];
    const bool in_blocks = s->blocks && !p->has_tables;
    while (i < end) {
        uint32_t row = 0, known = in_blocks ? elements_in_page(t, s, i, end, &row) : 0;
        if (known > 0) {
            parquet_again(t, row, known);
            parquet_row_end(t);
            i += known;
            continue;
        }
        element_block *b = in_blocks && i % SHARED_ELEMENTS == 0 ? s->blocks[i / SHARED_ELEMENTS] : NULL;
        const uint32_t stamp = parquet_stamp(t), last = b && b->count <= end - i ? i + b->count : i + 1;
        row = parquet_rows_of_page(t);
        while (i < last) {
            const uint32_t repeated = s->indices ? 0 : repeat_elements(t, p, s, i, last - i);
            if (p->has_tables)
                enter_row(k, p, s, i, slot_at(s, i));
            if (s->indices)
                parquet_runs(t, (size_t)p->own, s->indices[i], false);
            if (repeated == 0)
                fill_element(k, p, slot_at(s, i));
            if (p->has_tables)
                leave_row(k, p);
            i += repeated > 0 ? repeated : 1;
        }
        if (b && b->count == parquet_rows_of_page(t) - row) {
            b->in_page = stamp;
            b->row = row;
        }
    }
}

static void fill_elements(filled_tables *k, const table_plan *p, const slot *s)
{
    const field *f = p->field;
    const uint32_t inner = f->dim_count > 1 ? f->dims[f->dim_count - 1] : s->count;
    begin_rows(k, p);
    for (uint32_t i = 0; i < s->count; i += inner) {
        if (!s->indices && !f->by)
            begin_subscripts(k, p, i);
        fill_row_of_elements(k, p, s, i, i + inner);
    }
}

/* The value of a field that is not printed as changes. */
static void fill_field(filled_tables *k, const table_plan *p, const column_place *at, const field *f, const slot *s)
{
    parquet_table *t = k->tables[p->number];
    put_bool(t, at->has, s->present);
    if (!s->present)
        return;
    if (f->array == ARRAY_NONE) {
        fill_one(k, p, at, f, &s->data[0]);
        return;
    }
    parquet_put(t, (size_t)at->column, s->count);
    if (s->count > 0)
        fill_elements(k, at->elements, s);
}

static void fill_value_changes(filled_tables *k, const table_plan *p, const column_place *at, const decl *d,
                               const datum *v, const datum *base);

/* Whether a part of a packet is printed as changes; and puts those. */
static bool fill_changed_part(filled_tables *k, const table_plan *p, const column_place *at, const field *f)
{
    const codec_part *part = k->parts;
    while (part && part->field != f)
        part = part->next;
    const datum *base = part ? json_changed_since(part) : NULL;
    put_bool(k->tables[p->number], at->delta, base != NULL);
    if (base)
        fill_value_changes(k, p, at, part->decl, &part->value, base);
    return base != NULL;
}

static void fill_items(filled_tables *k, const table_plan *p, const table_shape *s, const item *items, const record *r)
{
    for (const item *i = items; i; i = i->next) {
        const field *f = i->kind == ITEM_FIELD ? i->as.field : NULL;
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, r) : NULL;
        if (taken)
            fill_items(k, p, s, taken->items, r);
        if (!f)
            continue;
        const column_place *at = &s->places[f->index];
        if (f->array == ARRAY_COMPUTED) {
            const slot all = computed_slot(k->scratch, f, r);
            fill_field(k, p, at, f, &all);
        } else if (!(f->part && fill_changed_part(k, p, at, f))) {
            fill_field(k, p, at, f, slot_of(r, f));
        }
    }
}

static void fill_record(filled_tables *k, const table_plan *p, const table_shape *s, const record *r)
{
    fill_items(k, p, s, s->decl->body.items, r);
}

/* ---- changes, as codec_print.c has them */

static void fill_items_changes(filled_tables *k, const table_plan *p, const table_shape *s, const item *items,
                               const record *r, const record *base);

static void fill_value_changes(filled_tables *k, const table_plan *p, const column_place *at, const decl *d,
                               const datum *v, const datum *base)
{
    const bool is_union = d->kind == DECL_UNION;
    const table_shape *s = &at->shapes[is_union ? v->tag : 0];
    if (is_union)
        parquet_put(k->tables[p->number], (size_t)at->column, v->tag);
    if (is_union && v->tag != base->tag)
        fill_record(k, p, s, v->record);
    else
        fill_items_changes(k, p, s, s->decl->body.items, v->record, base->record);
}

/* The row of an element that has changed, or is new if it has no base; or, if v is NULL, is gone. */
static void fill_changed_element(filled_tables *k, const table_plan *p, const datum *v, const datum *base)
{
    parquet_table *t = k->tables[p->number];
    const field *f = p->field;
    if (v && !base) {
        fill_element(k, p, v);
        return;
    }
    (void)parquet_row(t);
    if (f->by)
        put_key(p, t, v ? v : base);
    put_bool(t, p->gone, v == NULL);
    if (v && is_composite(&f->type))
        fill_value_changes(k, p, &p->value, f->type.decl, v, base);
    else if (v)
        put_scalar(t, p->value.column, &f->type, v);
    parquet_row_end(t);
}

static void fill_list_changes(filled_tables *k, const table_plan *p, const slot *s, const slot *base)
{
    begin_rows(k, p);
    for (list_pairs both = {.list = p->field, .now = s, .base = base}; list_pairs_next(&both);) {
        if (both.v && both.old && json_same_record(both.v->record, both.old->record))
            continue;
        enter_row(k, p, s, both.now_at, both.v ? both.v : both.old);
        fill_changed_element(k, p, both.v, both.old);
        leave_row(k, p);
    }
}

/* Elements that the baseline does not have are new. */
static void fill_elements_changes(filled_tables *k, const table_plan *p, const slot *s, const slot *base)
{
    const field *f = p->field;
    begin_rows(k, p);
    for (uint32_t i = unshared(s, base, 0, s->count); i < s->count; i = unshared(s, base, i + 1, s->count)) {
        const datum *v = slot_at(s, i), *old = i < base->count ? slot_at(base, i) : NULL;
        if (old && json_same_datum(f, v, old))
            continue;
        begin_subscripts(k, p, i);
        enter_row(k, p, s, i, v);
        fill_changed_element(k, p, v, old);
        leave_row(k, p);
    }
}

static void fill_field_changes(filled_tables *k, const table_plan *p, const column_place *at, const field *f,
                               const slot *s, const slot *base)
{
    parquet_table *t = k->tables[p->number];
    if (!s->present || !base->present || f->array == ARRAY_SPARSE) {
        fill_field(k, p, at, f, s);
    } else if (f->array == ARRAY_NONE && is_composite(&f->type)) {
        fill_value_changes(k, p, at, f->type.decl, &s->data[0], &base->data[0]);
    } else if (f->array == ARRAY_NONE) {
        fill_one(k, p, at, f, &s->data[0]);
    } else {
        if (s->count != base->count)
            parquet_put(t, (size_t)at->column, s->count);
        (f->by ? fill_list_changes : fill_elements_changes)(k, at->elements, s, base);
    }
}

static void fill_items_changes(filled_tables *k, const table_plan *p, const table_shape *s, const item *items,
                               const record *r, const record *base)
{
    for (const item *i = items; i; i = i->next) {
        const field *f = i->kind == ITEM_FIELD ? i->as.field : NULL;
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, r) : NULL;
        if (f && !json_same_slot(f, slot_of(r, f), slot_of(base, f)))
            fill_field_changes(k, p, &s->places[f->index], f, slot_of(r, f), slot_of(base, f));
        if (taken && chosen_block(i, base) == taken)
            fill_items_changes(k, p, s, taken->items, r, base);
        else if (taken)
            fill_items(k, p, s, taken->items, r);
    }
}

/* ---- datagrams */

static void put_line(parquet_table *t, size_t column, const char *text)
{
    if (text)
        parquet_put_text(t, column, text, strlen(text));
}

static void fill_datagram(filled_tables *k, const recorded *r, const decoded *found)
{
    static const char *const ways[] = {NULL, "received", "sent"};
    parquet_table *t = k->tables[k->plans->first->number];
    begin_rows(k, k->plans->first);
    parquet_row(t);
    parquet_put(t, COLUMN_NANOSECONDS, (uint64_t)r->seconds * 1000000000 + r->nanoseconds);
    put_line(t, COLUMN_DIRECTION, ways[r->datagram.direction]);
    put_line(t, COLUMN_SENDER, endpoint_text(k->scratch, &r->datagram.from));
    put_line(t, COLUMN_RECEIVER, endpoint_text(k->scratch, &r->datagram.to));
    if (found->schema) {
        put_line(t, COLUMN_PROTOCOL, found->schema->protocol);
        parquet_put(t, COLUMN_RELEASE, num_bits(found->schema->version));
    }
    put_line(t, COLUMN_PACKET, found->name);
    parquet_put(t, COLUMN_BYTES, r->datagram.size);
    parquet_put(t, COLUMN_UNCHECKED, found->unchecked);
    put_line(t, COLUMN_REFUSED, found->refused);
    parquet_row_end(t);
}

/* The row of a value. base: what it is printed as changes to; or NULL. */
static void fill_row(filled_tables *k, const decl *d, const datum *v, const datum *base)
{
    const table_plan *p = table_of_values(k->plans, d);
    parquet_table *t = k->tables[p->number];
    const type of = {.kind = d->kind == DECL_UNION ? TYPE_UNION : TYPE_STRUCT, .decl = d};
    begin_rows(k, p);
    parquet_row(t);
    put_bool(t, p->value.delta, base != NULL);
    if (base)
        fill_value_changes(k, p, &p->value, d, v, base);
    else
        fill_value(k, p, &p->value, &of, v);
    parquet_row_end(t);
    k->place++;
}

void filled_tables_add(filled_tables *k, const recorded *r, const decoded *found)
{
    const bool changes = k->plans->changes;
    k->datagram = r;
    k->time = (uint64_t)r->seconds * 1000000 + r->nanoseconds / 1000;
    k->place = 0;
    k->parts = changes && found->decl ? found->parts : NULL;
    fill_datagram(k, r, found);
    if (found->decl && !found->refused)
        fill_row(k, found->decl, &found->value, NULL);
    for (const codec_part *p = found->decl ? NULL : found->parts; p; p = p->next)
        fill_row(k, p->decl, &p->value, changes ? json_changed_since(p) : NULL);
    arena_clear(k->scratch);
    parquet_set_settle(k->set);
}

void filled_tables_want(filled_tables *k, const table_plan *p)
{
    parquet_wants_file(k->tables[p->number]);
}

bool filled_tables_end(filled_tables *k, diag *d, bool keep, uint64_t *rows)
{
    for (const table_plan *t = k->plans->first; t; t = t->next)
        rows[t->number] += parquet_rows(k->tables[t->number]);
    arena_free(k->scratch);
    return parquet_set_end(k->set, d, keep);
}
