/* describe_json.c - prints all of a schema as one JSON object, which docs/describe.md explains.
 * SPDX-License-Identifier: MIT
 *
 * A member without a value is left out, so programs that read the object ask for what they use.
 */
#include "costs/describe.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <math.h>

/* The number of the format. A new member does not change it; a member that is gone, or means something else, does. */
enum { FORMAT_VERSION = 1 };

static void put_amount(json_writer *j, const char *key, amount n)
{
    json_begin_object(json_key(j, key), JSON_IN_LINE);
    json_u64(json_key(j, "least"), n.least);
    json_u64(json_key(j, "most"), n.most);
    json_end(j);
}

static void put_text_if(json_writer *j, const char *key, const char *text)
{
    if (text && *text)
        json_text(json_key(j, key), text);
}

static void put_flag_if(json_writer *j, const char *key, bool is_set)
{
    if (is_set)
        json_plain(json_key(j, key), "true");
}

static void put_source_place(json_writer *j, span at)
{
    uint32_t line, column;
    if (!at.source)
        return;
    source_place(at.source, at.begin, &line, &column);
    json_begin_object(json_key(j, "at"), JSON_IN_LINE);
    json_text(json_key(j, "file"), at.source->path);
    json_u64(json_key(j, "line"), line);
    json_u64(json_key(j, "column"), column);
    json_end(j);
}

/* ---- values */

static void put_real(json_writer *j, double real)
{
    if (isfinite(real))
        json_plain(j, "%.9g", real);
    else
        json_plain(j, "null");
}

/* A value as JSON: a member by its name, a fixed number in whole units. */
static void put_value(json_writer *j, const type *t, const value *v)
{
    const member *m;
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: json_plain(j, "%s", v->number.magnitude ? "true" : "false"); return;
    case SORT_REAL: put_real(j, v->real); return;
    case SORT_FIXED:
        put_real(j, ldexp((double)v->number.magnitude, -(int)t->fraction_bits) * (v->number.negative ? -1 : 1));
        return;
    case SORT_ENUM:
        m = member_of_value(t->decl, v->number);
        if (m) {
            json_text(j, m->name);
            return;
        }
        break;
    case SORT_INTEGER:
    case SORT_FLAGS:
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_REF:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    json_num(j, v->number);
}

static void put_values(json_writer *j, const value_facts *v)
{
    if (!v->low && !v->step && !v->error)
        return;
    json_begin_object(json_key(j, "values"), JSON_IN_LINE);
    if (v->low) {
        json_plain(json_key(j, "low"), "%s", v->low);
        json_plain(json_key(j, "high"), "%s", v->high);
    }
    if (v->step)
        json_plain(json_key(j, "step"), "%s", v->step);
    if (v->error)
        json_plain(json_key(j, "error"), "%s", v->error);
    put_text_if(j, "error_unit", v->unit);
    json_end(j);
}

/* ---- items */

static void put_side_texts(json_writer *j, const side_facts *side)
{
    if (side->outer)
        put_side_texts(j, side->outer);
    json_text(j, side->text);
}

static void put_field_facts(arena *a, json_writer *j, const field *f)
{
    put_flag_if(j, "optional", f->optional);
    if (f->array == ARRAY_SPARSE)
        json_text(json_key(j, "sparse"), sparse_mode_name(f->mode));
    put_flag_if(j, "wraps", f->type.wraps);
    put_flag_if(j, "clamps", f->type.clamps);
    put_flag_if(j, "or_raw", f->type.kind == TYPE_OR_RAW);
    if (f->type.kind == TYPE_STRING || f->type.kind == TYPE_BYTES)
        json_u64(json_key(j, "length"), f->type.length);
    if (f->by)
        json_text(json_key(j, "by"), f->by->name);
    put_flag_if(j, "key", f->key);
    if (f->after)
        json_text(json_key(j, "after"), f->after->name);
    if (f->has_unless)
        put_value(json_key(j, "unless"), &f->type, &f->unless);
    if (f->has_initial)
        put_value(json_key(j, "initial"), &f->type, &f->initial);
    put_flag_if(j, "coded", f->coded);
    put_flag_if(j, "still", f->still);
    if (f->speed)
        json_text(json_key(j, "speed"), f->speed->of->name);
    if (f->speed && f->speed->condition)
        json_text(json_key(j, "speed_if"), expr_words(a, f->speed->condition));
    if (f->has_delta) {
        json_begin_array(json_key(j, "delta"), JSON_IN_LINE);
        json_u64(j, f->delta_small);
        json_u64(j, f->delta_large);
        json_end(j);
    }
    put_flag_if(j, "deprecated", f->deprecated);
}

static void put_item(arena *a, json_writer *j, const item_facts *i)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "kind"), i->kind);
    json_text(json_key(j, "name"), i->name);
    put_text_if(j, "type", i->type);
    put_text_if(j, "dims", i->dims);
    if (i->of)
        json_text(json_key(j, "of"), i->of->name);
    put_text_if(j, "c", i->c);
    put_text_if(j, "doc", i->doc);
    if (i->side) {
        json_begin_array(json_key(j, "when"), JSON_IN_LINE);
        put_side_texts(j, i->side);
        json_end(j);
    }
    if (!i->field || !i->field->local) {
        put_amount(j, "place", i->place);
        put_amount(j, "bits", i->bits);
    }
    if (i->repeated) {
        put_amount(j, "count", i->count);
        put_amount(j, "each", i->each);
    }
    if (i->field && i->field->by)
        put_amount(j, "key_bits", i->key_bits);
    put_values(j, &i->values);
    if (i->sends)
        json_u64(json_key(j, "value"), i->sent);
    if (i->field)
        put_field_facts(a, j, i->field);
    put_source_place(j, i->span);
    json_end(j);
}

/* ---- declarations */

static void begin_declaration(json_writer *j, const decl *d)
{
    json_begin_object(j, JSON_IN_LINE);
    json_text(json_key(j, "kind"), decl_noun(d));
    json_text(json_key(j, "name"), d->name);
    put_text_if(j, "doc", d->doc);
    put_source_place(j, d->span);
    put_flag_if(j, "deprecated", d->deprecated);
}

static void put_constant_facts(arena *a, json_writer *j, const schema *s, const decl *d)
{
    begin_declaration(j, d);
    json_text(json_key(j, "c"), arena_printf(a, "%s%s", schema_constant_prefix(a, s, d->file), d->name));
    if (d->is_real)
        put_real(json_key(j, "value"), d->value.real);
    else
        json_num(json_key(j, "value"), d->value.number);
    json_end(j);
}

static void put_enumeration(arena *a, json_writer *j, const decl *d)
{
    begin_declaration(j, d);
    json_text(json_key(j, "c"), arena_printf(a, "%s%s", d->file->prefix, d->name));
    const unsigned bits = describe_member_bits(d);
    put_amount(j, "bits", (amount){bits, bits});
    json_begin_array(json_key(j, "members"), JSON_LINES);
    for (const member *m = d->members; m; m = m->next) {
        json_begin_object(j, JSON_IN_LINE);
        json_text(json_key(j, "name"), m->name);
        json_num(json_key(j, "value"), m->value);
        put_text_if(j, "doc", m->doc);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void put_type(arena *a, json_writer *j, const wire *w, const wire_type *t)
{
    const decl *d = t->decl;
    begin_declaration(j, d);
    json_text(json_key(j, "c"), d->as_type ? d->as_type : arena_printf(a, "%s%s", d->file->prefix, d->name));
    put_amount(j, "bits", describe_size(t));
    if (d->delta) {
        const bool framed = d->packet;
        put_amount(
            j, "delta_bits",
            (amount){framed ? t->delta_least_framed : t->delta_least, framed ? t->delta_most_framed : t->delta_most});
    }
    if (d->budget)
        json_u64(json_key(j, "budget"), d->budget);
    json_begin_array(json_key(j, "items"), JSON_LINES);
    for (const item_facts *i = describe_items(a, w, t); i; i = i->next)
        put_item(a, j, i);
    json_end(j);
    json_end(j);
}

static void put_declaration(arena *a, json_writer *j, const wire *w, const decl *d)
{
    switch (d->kind) {
    case DECL_CONST: put_constant_facts(a, j, w->schema, d); return;
    case DECL_ALIAS: return;
    case DECL_ENUM:
    case DECL_FLAGS: put_enumeration(a, j, d); return;
    case DECL_STRUCT:
    case DECL_UNION: put_type(a, j, w, wire_type_of(w, d)); return;
    }
}

void describe_json(arena *a, const wire *w, out *to, json_style style)
{
    const schema *s = w->schema;
    json_writer *j = json_new(a, to, style);
    json_begin_object(j, JSON_LINES);
    json_u64(json_key(j, "describe"), FORMAT_VERSION);
    json_text(json_key(j, "file"), s->root->path);
    if (s->protocol) {
        json_text(json_key(j, "protocol"), s->protocol);
        json_num(json_key(j, "version"), s->version);
        json_text(json_key(j, "id"), arena_printf(a, "0x%016" PRIx64, s->id));
    }
    json_begin_array(json_key(j, "declarations"), JSON_LINES);
    for (const decl *d = s->decls; d; d = d->next)
        put_declaration(a, j, w, d);
    json_end(j);
    json_end(j);
    out_put(to, "\n", NULL);
}
