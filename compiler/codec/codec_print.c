/* codec_print.c - prints a value as JSON: members in the order of the schema, arrays of scalars on one line.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_json.h"
#include "base/out.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
    arena *arena;
    out *out;
    bool one_line;
} printer;

static void put(printer *p, const char *text)
{
    out_put(p->out, "$text", "text", text, NULL);
}

/* ---- scalars */

/* Integers up to here are printed without an exponent. */
#define MOST_PLAIN 1e15

/* The fewest digits that read back as the same number. JSON numbers are doubles, so a float is read back as a double
 * and then rounded. */
static const char *real_text(printer *p, storage s, uint64_t bits)
{
    double v = real_from_bits(s, bits);
    if (v != v)
        return arena_printf(p->arena, s == STORAGE_FLOAT ? "\"0x%08" PRIx64 "\"" : "\"0x%016" PRIx64 "\"", bits);
    if (v - v != 0)
        return v > 0 ? "\"inf\"" : "\"-inf\"";
    if (v >= -MOST_PLAIN && v <= MOST_PLAIN && v == (double)(int64_t)v)
        return arena_printf(p->arena, "%.1f", v);
    const char *text = "";
    for (int digits = 1; digits <= 17; digits++) {
        text = arena_printf(p->arena, "%.*g", digits, v);
        if (real_to_bits(s, strtod(text, NULL)) == bits)
            break;
    }
    return strpbrk(text, ".e") ? text : arena_printf(p->arena, "%s.0", text);
}

static const char *number_text(printer *p, const type *t, const datum *d)
{
    const char *text = num_text(p->arena, datum_num(t, d));
    bool wide = !storage_is_signed(t->storage) && d->number > INT64_MAX;
    return wide ? arena_printf(p->arena, "\"%s\"", text) : text;
}

static const char *enum_text(printer *p, const type *t, const datum *d)
{
    const member *m = member_of_value(t->decl, num_u64(d->number));
    return m ? arena_printf(p->arena, "\"%s\"", m->name) : number_text(p, t, d);
}

static const char *flags_text(printer *p, const type *t, const datum *d)
{
    const char *text = "";
    uint64_t left = d->number;
    for (const member *m = t->decl->members; m; m = m->next) {
        if ((left & num_bits(m->value)) == 0)
            continue;
        text = arena_printf(p->arena, *text ? "%s, \"%s\"" : "%s\"%s\"", text, m->name);
        left &= ~num_bits(m->value);
    }
    return left ? number_text(p, t, d) : arena_printf(p->arena, "[%s]", text);
}

static const char *parts_text(printer *p, const float *parts, int count)
{
    const char *text = "";
    for (int i = 0; i < count; i++)
        text = arena_printf(p->arena, i ? "%s, %s" : "%s%s", text,
                            real_text(p, STORAGE_FLOAT, real_to_bits(STORAGE_FLOAT, (double)parts[i])));
    return arena_printf(p->arena, "[%s]", text);
}

static const char *string_text(printer *p, const datum *d)
{
    char *text = arena_alloc(p->arena, 6 * (size_t)d->size + 3), *to = text;
    *to++ = '"';
    for (uint32_t i = 0; i < d->size; i++) {
        uint8_t c = d->bytes[i];
        if (c < 0x20 || c == 0x7f)
            to += sprintf(to, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            to += sprintf(to, "\\%c", c);
        else
            *to++ = (char)c;
    }
    *to++ = '"';
    return text;
}

static const char *bytes_text(printer *p, const datum *d)
{
    char *text = arena_alloc(p->arena, 2 * (size_t)d->size + 3), *to = text;
    *to++ = '"';
    for (uint32_t i = 0; i < d->size; i++)
        to += sprintf(to, "%02x", d->bytes[i]);
    *to++ = '"';
    return text;
}

static const char *scalar_text(printer *p, const type *t, const datum *d)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: return d->number ? "true" : "false";
    case SORT_INTEGER:
    case SORT_FIXED: return number_text(p, t, d);
    case SORT_REAL: return real_text(p, t->storage, d->number);
    case SORT_ENUM: return enum_text(p, t, d);
    case SORT_FLAGS: return flags_text(p, t, d);
    case SORT_QUAT: return parts_text(p, d->parts, 4);
    case SORT_UNIT: return parts_text(p, d->parts, 3);
    case SORT_STRING: return string_text(p, d);
    case SORT_BYTES: return bytes_text(p, d);
    case SORT_REF: return d->number ? arena_printf(p->arena, "%" PRIu64, d->number) : "null";
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    return "";
}

/* ---- arrays, structs, unions */

static void print_value(printer *p, const decl *d, const datum *v);

static bool has_lines(const field *f)
{
    return is_composite(&f->type);
}

static void print_element(printer *p, const field *f, const datum *v)
{
    if (has_lines(f))
        print_value(p, f->type.decl, v);
    else
        put(p, scalar_text(p, &f->type, v));
}

static void begin(printer *p, const char *bracket, bool lines)
{
    put(p, bracket);
    if (lines && !p->one_line) {
        out_indent(p->out);
        put(p, "\n");
    }
}

/* What is between two members or elements. */
static const char *next(const printer *p, bool lines)
{
    return lines && !p->one_line ? ",\n" : ", ";
}

static void end(printer *p, const char *bracket, bool lines)
{
    if (lines && !p->one_line) {
        out_dedent(p->out);
        put(p, "\n");
    }
    put(p, bracket);
}

/* Prints `count` elements of a dimension. Its innermost elements begin at data. */
static void print_dimension(printer *p, const field *f, uint32_t depth, uint32_t count, const slot *s,
                            const datum *data)
{
    bool lines = has_lines(f) && count > 0;
    uint32_t inside = 1;
    for (uint32_t i = depth + 1; i < f->dim_count; i++)
        inside *= f->dims[i];
    begin(p, "[", lines);
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            put(p, next(p, lines));
        if (f->array == ARRAY_SPARSE)
            put(p, arena_printf(p->arena, "[%" PRIu32 ", ", s->indices[i]));
        if (depth + 1 < f->dim_count)
            print_dimension(p, f, depth + 1, f->dims[depth + 1], s, data + (size_t)i * inside);
        else
            print_element(p, f, &data[i]);
        if (f->array == ARRAY_SPARSE)
            put(p, "]");
    }
    end(p, "]", lines);
}

static void print_field(printer *p, const field *f, const slot *s)
{
    if (!s->present)
        put(p, "null");
    else if (f->array == ARRAY_NONE)
        print_element(p, f, &s->data[0]);
    else
        print_dimension(p, f, 0, f->array == ARRAY_FIXED ? f->dims[0] : s->count, s, s->data);
}

static void print_items(printer *p, const item *items, const record *r, bool *first)
{
    for (const item *i = items; i; i = i->next) {
        switch (i->kind) {
        case ITEM_FIELD:
            put(p, arena_printf(p->arena, "%s\"%s\": ", *first ? "" : next(p, true), i->as.field->name));
            *first = false;
            print_field(p, i->as.field, slot_of(r, i->as.field));
            break;
        case ITEM_IF:
        case ITEM_SWITCH: {
            const block *taken = chosen_block(i, r);
            if (taken)
                print_items(p, taken->items, r, first);
            break;
        }
        case ITEM_ALIGN:
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK: break;
        }
    }
}

static void print_record(printer *p, const record *r)
{
    bool first = true, lines = r->decl->fields != NULL;
    begin(p, "{", lines);
    print_items(p, r->decl->body.items, r, &first);
    end(p, "}", lines);
}

static void print_value(printer *p, const decl *d, const datum *v)
{
    if (d->kind != DECL_UNION) {
        print_record(p, v->record);
        return;
    }
    const member *chosen = member_of_value(d, num_u64(v->tag));
    put(p, arena_printf(p->arena, "{\"%s\": ", chosen->name));
    print_record(p, v->record);
    put(p, "}");
}

const char *json_print(arena *a, const decl *d, const datum *v)
{
    printer p = {.arena = a, .out = out_new(a)};
    size_t size;
    print_value(&p, d, v);
    put(&p, "\n");
    return out_result(p.out, &size);
}

static void print_parts(printer *p, const codec_part *parts)
{
    begin(p, "[", parts != NULL);
    for (const codec_part *each = parts; each; each = each->next) {
        put(p, arena_printf(p->arena, "{\"%s\": ", each->decl->name));
        print_value(p, each->decl, &each->value);
        put(p, "}");
        if (each->next)
            put(p, next(p, true));
    }
    end(p, "]", parts != NULL);
}

const char *json_print_parts(arena *a, const codec_part *parts)
{
    printer p = {.arena = a, .out = out_new(a)};
    size_t size;
    print_parts(&p, parts);
    put(&p, "\n");
    return out_result(p.out, &size);
}

const char *json_line(arena *a, const decl *d, const datum *v)
{
    printer p = {.arena = a, .out = out_new(a), .one_line = true};
    size_t size;
    print_value(&p, d, v);
    return out_result(p.out, &size);
}

const char *json_line_parts(arena *a, const codec_part *parts)
{
    printer p = {.arena = a, .out = out_new(a), .one_line = true};
    size_t size;
    print_parts(&p, parts);
    return out_result(p.out, &size);
}

const char *json_scalar(arena *a, const type *t, const datum *d)
{
    printer p = {.arena = a};
    return scalar_text(&p, t, d);
}

const char *json_text(arena *a, const char *text)
{
    printer p = {.arena = a};
    const datum d = {.bytes = (uint8_t *)(uintptr_t)text, .size = (uint32_t)strlen(text)};
    return string_text(&p, &d);
}
