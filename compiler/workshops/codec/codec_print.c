/* codec_print.c - prints a value, or what has changed in it, as JSON.
 * SPDX-License-Identifier: MIT
 *
 * Members are in the order of the schema, arrays of scalars on one line.
 */
#include "codec/codec_json.h"
#include "codec/codec_kept.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- scalars */

/* Integers up to here are printed without an exponent. */
#define MOST_PLAIN 1e15

/* The fewest digits that read back as the same number. JSON numbers are doubles, so a float is read back as a double
 * and then rounded. */
static void find_digits(storage s, uint64_t bits, double v, char *text, size_t size)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, v);
        if (real_to_bits(s, strtod(text, NULL)) == bits)
            return;
    }
}

/* The numbers of a recording come again and again: a place remembers the digits of the last one that fell on it. */
static void print_digits(json_writer *j, storage s, uint64_t bits, double v)
{
    enum { KNOWN_BITS = 13 };
    static struct known_digits {
        storage storage;
        uint64_t bits; /* 0: none; the digits of 0 are not asked for */
        char text[32];
    } known[1 << KNOWN_BITS];
    struct known_digits *k = &known[bits * UINT64_C(0x9E3779B97F4A7C15) >> (64 - KNOWN_BITS)];
    if (k->bits != bits || k->storage != s) {
        *k = (struct known_digits){.storage = s, .bits = bits};
        find_digits(s, bits, v, k->text, sizeof k->text - 2);
        if (!strpbrk(k->text, ".e"))
            strcat(k->text, ".0");
    }
    json_word(j, k->text);
}

/* An integer, as "%.1f" prints it. */
static void print_whole(json_writer *j, double v)
{
    char text[24], *at = text + sizeof text - 1;
    const bool negative = v < 0 || (v == 0 && 1 / v < 0);
    uint64_t number = (uint64_t)(negative ? -v : v);
    *at = '\0';
    *--at = '0';
    *--at = '.';
    do
        *--at = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    if (negative)
        *--at = '-';
    json_word(j, at);
}

static void print_real(json_writer *j, storage s, uint64_t bits)
{
    double v = real_from_bits(s, bits);
    if (v != v)
        json_plain(j, s == STORAGE_FLOAT ? "\"0x%08" PRIx64 "\"" : "\"0x%016" PRIx64 "\"", bits);
    else if (v - v != 0)
        json_text(j, v > 0 ? "inf" : "-inf");
    else if (v >= -MOST_PLAIN && v <= MOST_PLAIN && v == (double)(int64_t)v)
        print_whole(j, v);
    else
        print_digits(j, s, bits, v);
}

static void print_number(json_writer *j, const type *t, const datum *d)
{
    char digits[24];
    if (storage_is_signed(t->storage) || d->number <= INT64_MAX) {
        json_num(j, datum_num(t, d));
        return;
    }
    snprintf(digits, sizeof digits, "%" PRIu64, d->number);
    json_text(j, digits);
}

static void print_enum(json_writer *j, const type *t, const datum *d)
{
    const member *m = member_of_value(t->decl, num_u64(d->number));
    if (m)
        json_text(j, m->name);
    else
        print_number(j, t, d);
}

static void print_flags(json_writer *j, const type *t, const datum *d)
{
    uint64_t left = d->number;
    for (const member *m = t->decl->members; m; m = m->next)
        left &= ~num_bits(m->value);
    if (left) {
        print_number(j, t, d);
        return;
    }
    json_begin_array(j, JSON_IN_LINE);
    left = d->number;
    for (const member *m = t->decl->members; m; m = m->next) {
        if (left & num_bits(m->value))
            json_text(j, m->name);
        left &= ~num_bits(m->value);
    }
    json_end(j);
}

static void print_floats(json_writer *j, const float *parts, int count)
{
    json_begin_array(j, JSON_IN_LINE);
    for (int i = 0; i < count; i++)
        print_real(j, STORAGE_FLOAT, real_to_bits(STORAGE_FLOAT, (double)parts[i]));
    json_end(j);
}

static void print_scalar(json_writer *j, const type *t, const datum *d)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: json_word(j, d->number ? "true" : "false"); break;
    case SORT_INTEGER:
    case SORT_FIXED: print_number(j, t, d); break;
    case SORT_REAL: print_real(j, t->storage, d->number); break;
    case SORT_ENUM: print_enum(j, t, d); break;
    case SORT_FLAGS: print_flags(j, t, d); break;
    case SORT_QUAT: print_floats(j, d->parts, 4); break;
    case SORT_UNIT: print_floats(j, d->parts, 3); break;
    case SORT_STRING: json_bytes(j, (const char *)d->bytes, d->size); break;
    case SORT_BYTES: json_hex(j, d->bytes, d->size); break;
    case SORT_REF:
        if (d->number)
            json_u64(j, d->number);
        else
            json_text(j, NULL);
        break;
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
}

/* ---- arrays, structs, unions */

static json_list list_of(const field *f)
{
    return is_composite(&f->type) ? JSON_LINES : JSON_IN_LINE;
}

/* Begins the member of an object for an element of a list: it is called like the key. */
static void begin_keyed(json_writer *j, const field *list, const datum *v)
{
    const type *t = &list->by->type;
    const num n = key_of_element(list, v);
    const member *m = t->kind == TYPE_ENUM ? member_of_value(t->decl, n) : NULL;
    char digits[24];
    snprintf(digits, sizeof digits, "%s%" PRIu64, n.negative ? "-" : "", n.magnitude);
    json_key(j, m ? m->name : digits);
}

static void begin_elements(json_writer *j, const field *f)
{
    if (f->by)
        json_begin_object(j, list_of(f));
    else
        json_begin_array(j, list_of(f));
}

static void print_element(json_writer *j, const field *f, const datum *v)
{
    if (f->by)
        begin_keyed(j, f, v);
    if (is_composite(&f->type))
        json_value(j, f->type.decl, v);
    else if (f->type.kind == TYPE_REF && f->optional && f->array == ARRAY_NONE && v->number == 0)
        json_u64(j, 0); /* null would be an absent one */
    else
        print_scalar(j, &f->type, v);
}

/* The block that begins at an element and can have a text: it is kept, and does not go beyond `left` elements. */
static const element_block *block_with_text(const json_writer *j, const slot *s, uint32_t at, uint32_t left)
{
    const element_block *b = s->blocks && at % SHARED_ELEMENTS == 0 ? s->blocks[at / SHARED_ELEMENTS] : NULL;
    return b && b->refs > 0 && b->count <= left && json_is_one_line(j) ? b : NULL;
}

static void print_block(json_writer *j, const field *f, const element_block *b)
{
    size_t size;
    if (b->text) {
        json_again(j, b->text, b->text_size);
        return;
    }
    const size_t mark = json_mark(j);
    for (uint32_t i = 0; i < b->count; i++)
        print_element(j, f, &b->at[i]);
    const char *text = json_since(j, mark, &size);
    if (text)
        keep_text_of_block(b, text, size);
}

/* Prints `count` elements that are no arrays themselves. */
static void print_elements(json_writer *j, const field *f, uint32_t count, const slot *s, uint32_t first)
{
    for (uint32_t i = 0; i < count;) {
        const element_block *b = block_with_text(j, s, first + i, count - i);
        if (b)
            print_block(j, f, b);
        else
            print_element(j, f, slot_at(s, first + i));
        i += b ? b->count : 1;
    }
}

/* Prints `count` elements of a dimension. Its innermost elements begin at `first`. */
static void print_dimension(json_writer *j, const field *f, uint32_t depth, uint32_t count, const slot *s,
                            uint32_t first)
{
    uint32_t inside = 1;
    for (uint32_t i = depth + 1; i < f->dim_count; i++)
        inside *= f->dims[i];
    begin_elements(j, f);
    if (depth + 1 == f->dim_count)
        print_elements(j, f, count, s, first);
    for (uint32_t i = 0; i < count && depth + 1 < f->dim_count; i++)
        print_dimension(j, f, depth + 1, f->dims[depth + 1], s, first + i * inside);
    json_end(j);
}

/* Each element after its subscript. */
static void print_sparse(json_writer *j, const field *f, const slot *s)
{
    json_begin_array(j, list_of(f));
    for (uint32_t i = 0; i < s->count; i++) {
        json_begin_array(j, JSON_IN_LINE);
        json_u64(j, s->indices[i]);
        print_element(j, f, slot_at(s, i));
        json_end(j);
    }
    json_end(j);
}

static void print_field(json_writer *j, const field *f, const slot *s)
{
    if (!s->present)
        json_text(j, NULL);
    else if (f->array == ARRAY_NONE)
        print_element(j, f, &s->data[0]);
    else if (f->array == ARRAY_SPARSE)
        print_sparse(j, f, s);
    else
        print_dimension(j, f, 0, f->array == ARRAY_FIXED ? f->dims[0] : s->count, s, 0);
}

static void print_computed(json_writer *j, const field *f, const record *r)
{
    arena *own = arena_new();
    const slot s = computed_slot(own, f, r);
    print_field(json_key(j, f->name), f, &s);
    arena_free(own);
}

const datum *json_changed_since(const codec_part *p)
{
    return !p->delta ? NULL : p->was ? p->was : p->base;
}

/* Prints a part of a packet as what has changed. False: it is not in the list, or has no baseline. */
static bool print_changed_part(json_writer *j, const field *f, const codec_part *parts)
{
    while (parts && parts->field != f)
        parts = parts->next;
    const datum *base = parts ? json_changed_since(parts) : NULL;
    if (base)
        json_changes(json_long_key(j, f->name, " delta"), parts->decl, &parts->value, base);
    return base != NULL;
}

/* parts: those of a packet that are printed as changes. */
static void print_items(json_writer *j, const item *items, const record *r, const codec_part *parts)
{
    for (const item *i = items; i; i = i->next) {
        switch (i->kind) {
        case ITEM_FIELD:
            if (i->as.field->array == ARRAY_COMPUTED)
                print_computed(j, i->as.field, r);
            else if (!print_changed_part(j, i->as.field, parts))
                print_field(json_key(j, i->as.field->name), i->as.field, slot_of(r, i->as.field));
            break;
        case ITEM_IF:
        case ITEM_SWITCH: {
            const block *taken = chosen_block(i, r);
            if (taken)
                print_items(j, taken->items, r, parts);
            break;
        }
        case ITEM_ALIGN:
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK: break;
        }
    }
}

static void print_record(json_writer *j, const record *r, const codec_part *parts)
{
    json_begin_object(j, JSON_LINES);
    print_items(j, r->decl->body.items, r, parts);
    json_end(j);
}

/* Begins an object with one member of this name. */
static void begin_named(json_writer *j, const char *name)
{
    json_begin_object(j, JSON_IN_LINE);
    (void)json_key(j, name);
}

void json_value(json_writer *j, const decl *d, const datum *v)
{
    if (d->kind == DECL_UNION)
        begin_named(j, member_of_value(d, num_u64(v->tag))->name);
    print_record(j, v->record, NULL);
    if (d->kind == DECL_UNION)
        json_end(j);
}

void json_packet(json_writer *j, const datum *v, const codec_part *parts)
{
    print_record(j, v->record, parts);
}

/* ---- changes */

bool json_same_datum(const field *f, const datum *x, const datum *y)
{
    switch (type_row_of(&f->type)->sort) {
    case SORT_STRUCT: return json_same_record(x->record, y->record);
    case SORT_UNION: return x->tag == y->tag && json_same_record(x->record, y->record);
    case SORT_QUAT:
    case SORT_UNIT: return memcmp(x->parts, y->parts, sizeof x->parts) == 0;
    case SORT_STRING:
    case SORT_BYTES: return x->size == y->size && (x->size == 0 || memcmp(x->bytes, y->bytes, x->size) == 0);
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL:
    case SORT_ENUM:
    case SORT_FLAGS:
    case SORT_REF:
    case SORT_FOREIGN: break;
    }
    return x->number == y->number;
}

bool json_same_slot(const field *f, const slot *x, const slot *y)
{
    if (!x->present || !y->present)
        return x->present == y->present;
    if (x->count != y->count)
        return false;
    for (uint32_t i = unshared(x, y, 0, x->count); i < x->count; i = unshared(x, y, i + 1, x->count))
        if ((x->indices && x->indices[i] != y->indices[i]) || !json_same_datum(f, slot_at(x, i), slot_at(y, i)))
            return false;
    return true;
}

static bool has_same_items(const item *items, const record *x, const record *y)
{
    for (const item *i = items; i; i = i->next) {
        if (i->kind == ITEM_FIELD && !json_same_slot(i->as.field, slot_of(x, i->as.field), slot_of(y, i->as.field)))
            return false;
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, x) : NULL;
        if (taken && !(chosen_block(i, y) == taken && has_same_items(taken->items, x, y)))
            return false;
    }
    return true;
}

bool json_same_record(const record *x, const record *y)
{
    const field *key = x->decl->key;
    return x == y ||
           (x->decl == y->decl && (!key || slot_of(x, key)->data[0].number == slot_of(y, key)->data[0].number) &&
            has_same_items(x->decl->body.items, x, y));
}

static void print_changed_element(json_writer *j, const field *f, const datum *v, const datum *base)
{
    if (is_composite(&f->type) && base)
        json_changes(j, f->type.decl, v, base);
    else
        print_element(j, f, v);
}

/* As print_dimension, but only the elements that have changed, each after its subscript. Of `count` elements the
 * baseline has the first `had`. The innermost ones begin at `first`. */
static void print_changed_dimension(json_writer *j, const field *f, uint32_t depth, uint32_t count, uint32_t had,
                                    const slot *s, const slot *base, uint32_t first)
{
    uint32_t inside = 1;
    for (uint32_t i = depth + 1; i < f->dim_count; i++)
        inside *= f->dims[i];
    json_begin_array(j, list_of(f));
    for (uint32_t i = inside > 1 ? 0 : unshared(s, base, first, first + count) - first;
         i<count; i = inside> 1 ? i + 1 : unshared(s, base, first + i + 1, first + count) - first) {
        const uint32_t at = first + i * inside;
        bool same = i < had;
        for (uint32_t k = unshared(s, base, at, at + inside); k < at + inside && same;
             k = unshared(s, base, k + 1, at + inside))
            same = json_same_datum(f, slot_at(s, k), slot_at(base, k));
        if (same)
            continue;
        json_begin_array(j, JSON_IN_LINE);
        json_u64(j, i);
        if (depth + 1 < f->dim_count)
            print_changed_dimension(j, f, depth + 1, f->dims[depth + 1], f->dims[depth + 1], s, base, at);
        else
            print_changed_element(j, f, slot_at(s, at), i < had ? slot_at(base, at) : NULL);
        json_end(j);
    }
    json_end(j);
}

/* Of a list, the elements that are new or have changed, and null for each that is gone. */
static void print_changed_list(json_writer *j, const field *f, const slot *s, const slot *base)
{
    json_begin_object(j, JSON_LINES);
    for (list_pairs p = {.list = f, .now = s, .base = base}; list_pairs_next(&p);) {
        if (p.v && p.old && json_same_record(p.v->record, p.old->record))
            continue;
        begin_keyed(j, f, p.v ? p.v : p.old);
        if (!p.v)
            json_text(j, NULL);
        else if (!p.old)
            json_value(j, f->type.decl, p.v);
        else
            json_changes(j, f->type.decl, p.v, p.old);
    }
    json_end(j);
}

static void print_changed_field(json_writer *j, const field *f, const slot *s, const slot *base)
{
    if (f->by)
        print_changed_list(json_key(j, f->name), f, s, base);
    else if (!s->present || !base->present || f->array == ARRAY_SPARSE) {
        print_field(json_key(j, f->name), f, s);
    } else if (f->array == ARRAY_NONE) {
        print_changed_element(json_key(j, f->name), f, &s->data[0], &base->data[0]);
    } else {
        const bool counted = f->array == ARRAY_COUNTED;
        if (s->count != base->count)
            json_u64(json_long_key(j, f->name, "_count"), s->count);
        print_changed_dimension(json_key(j, f->name), f, 0, counted ? s->count : f->dims[0],
                                counted ? base->count : f->dims[0], s, base, 0);
    }
}

static void print_changed_items(json_writer *j, const item *items, const record *r, const record *base)
{
    for (const item *i = items; i; i = i->next) {
        const field *f = i->kind == ITEM_FIELD ? i->as.field : NULL;
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, r) : NULL;
        if (f && !json_same_slot(f, slot_of(r, f), slot_of(base, f)))
            print_changed_field(j, f, slot_of(r, f), slot_of(base, f));
        if (taken && chosen_block(i, base) == taken)
            print_changed_items(j, taken->items, r, base);
        else if (taken)
            print_items(j, taken->items, r, NULL);
    }
}

void json_changes(json_writer *j, const decl *d, const datum *v, const datum *base)
{
    if (d->kind == DECL_UNION && v->tag != base->tag) {
        json_value(j, d, v);
        return;
    }
    if (d->kind == DECL_UNION)
        begin_named(j, member_of_value(d, num_u64(v->tag))->name);
    json_begin_object(j, JSON_LINES);
    print_changed_items(j, v->record->decl->body.items, v->record, base->record);
    json_end(j);
    if (d->kind == DECL_UNION)
        json_end(j);
}

/* ---- streams */

static void print_part(json_writer *j, const codec_part *p, bool changes)
{
    const datum *base = changes ? json_changed_since(p) : NULL;
    json_begin_object(j, JSON_IN_LINE);
    (void)json_long_key(j, p->decl->name, base ? " delta" : "");
    if (base)
        json_changes(j, p->decl, &p->value, base);
    else
        json_value(j, p->decl, &p->value);
    json_end(j);
}

void json_parts(json_writer *j, const codec_part *parts, bool changes)
{
    json_begin_array(j, JSON_LINES);
    for (const codec_part *each = parts; each; each = each->next)
        print_part(j, each, changes);
    json_end(j);
}

/* ---- texts */

const char *json_print(arena *a, const decl *d, const datum *v)
{
    out *o = out_new(a);
    size_t size;
    json_value(json_new(a, o, JSON_SPACED), d, v);
    out_put(o, "\n", NULL);
    return out_result(o, &size);
}

const char *json_scalar(arena *a, const type *t, const datum *d)
{
    out *o = out_new(a);
    size_t size;
    print_scalar(json_new(a, o, JSON_ONE_LINE), t, d);
    return out_result(o, &size);
}
