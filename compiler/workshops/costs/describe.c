/* describe.c - finds the facts about the items of a type: see describe.h.
 * SPDX-License-Identifier: MIT
 */
#include "costs/describe.h"
#include "emit/cname.h"
#include "model/accuracy.h"
#include "model/type_table.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BITS_OF_BYTE = 8 };

/* ---- words */

const char *describe_amount(arena *a, amount n)
{
    return n.least == n.most ? arena_printf(a, "%" PRIu64, n.most)
                             : arena_printf(a, "%" PRIu64 " to %" PRIu64, n.least, n.most);
}

const char *describe_measure(arena *a, amount n, const char *unit)
{
    return arena_printf(a, "%s %s%s", describe_amount(a, n), unit, n.least == 1 && n.most == 1 ? "" : "s");
}

const char *describe_values_words(arena *a, const value_facts *v)
{
    const char *text = v->low ? arena_printf(a, "%s to %s", v->low, v->high) : "";
    if (v->step)
        text = arena_printf(a, "%s%sin steps of %s", text, *text ? " " : "", v->step);
    if (v->error)
        text = arena_printf(a, "%s%sat most %s %s%soff", text, *text ? ", " : "", v->error, v->unit ? v->unit : "",
                            v->unit ? " " : "");
    return text;
}

/* ---- values */

/* A real number, as short as it can be. */
static const char *real_number(arena *a, double real, storage s)
{
    char *text = arena_printf(a, "%s", cname_real(a, real, s));
    size_t size = strlen(text);
    if (size > 0 && text[size - 1] == 'f')
        text[--size] = '\0';
    if (size > 2 && strcmp(text + size - 2, ".0") == 0)
        text[size - 2] = '\0';
    return text;
}

/* A number that was computed, and is exact to about six digits. */
static const char *rounded_number(arena *a, double real)
{
    return arena_printf(a, "%.6g", real);
}

static const char *fixed_number(arena *a, num raw, unsigned fraction_bits)
{
    const double magnitude = ldexp((double)raw.magnitude, -(int)fraction_bits);
    return real_number(a, raw.negative ? -magnitude : magnitude, STORAGE_DOUBLE);
}

static value_facts describe_values(arena *a, const type *t)
{
    value_facts v = {0};
    switch (t->kind) {
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_COMPACT:
    case TYPE_REF:
        v.low = num_text(a, t->low);
        v.high = num_text(a, t->high);
        break;
    case TYPE_FIXED:
        v.low = fixed_number(a, t->low, t->fraction_bits);
        v.high = fixed_number(a, t->high, t->fraction_bits);
        v.step = real_number(a, ldexp(1.0, -(int)t->fraction_bits), STORAGE_DOUBLE);
        break;
    case TYPE_OR_RAW:
    case TYPE_QUANTIZED:
        v.low = real_number(a, t->real_low, t->storage);
        v.high = real_number(a, t->real_high, t->storage);
        v.step = rounded_number(a, (t->real_high - t->real_low) / (double)t->steps);
        v.error = t->kind == TYPE_OR_RAW ? NULL : quantized_error_text(a, t);
        break;
    case TYPE_FLOAT:
        if (is_narrow_real(t)) {
            v.low = real_number(a, -greatest_real(real_row_of(t)), t->storage);
            v.high = real_number(a, greatest_real(real_row_of(t)), t->storage);
            v.error = rounded_number(a, ldexp(1.0, -(int)real_row_of(t)->digits));
            v.unit = "of the value";
        }
        break;
    case TYPE_QUAT:
        v.error = arena_printf(a, "%.3g", quat_error(t->bits));
        v.unit = "degrees";
        break;
    case TYPE_UNIT:
        v.error = arena_printf(a, "%.3g", unit_error(t->bits));
        v.unit = "degrees";
        break;
    case TYPE_BOOL:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: break;
    }
    return v;
}

/* ---- C */

static const char *c_name_of(arena *a, const decl *d)
{
    return arena_printf(a, "%s%s", d->file->prefix, d->name);
}

static const char *c_type_of(arena *a, const type *t)
{
    const char *own = cname_type(t);
    if (own)
        return own;
    if (t->kind != TYPE_REF)
        return c_name_of(a, t->decl);
    return t->decl->as_type ? arena_printf(a, "%s *", t->decl->as_type)
                            : arena_printf(a, "struct %s *", c_name_of(a, t->decl));
}

static const char *c_declaration(arena *a, const field *f)
{
    const char *type_name = c_type_of(a, &f->type), *dims = "";
    for (uint32_t i = 0; f->array != ARRAY_NONE && i < f->dim_count; i++)
        dims = arena_printf(a, "%s[%" PRIu32 "]", dims, f->dims[i]);
    if (f->type.kind == TYPE_STRING || f->type.kind == TYPE_BYTES)
        dims = arena_printf(a, "%s[%" PRIu32 "]", dims, f->type.length + (f->type.kind == TYPE_STRING));
    return arena_printf(a, "%s%s%s%s", type_name, type_name[strlen(type_name) - 1] == '*' ? "" : " ", f->name, dims);
}

/* ---- items */

/* The walk over the ops of a type. */
typedef struct description {
    arena *arena;
    item_facts **last;
    amount place;
    bool begins_byte; /* the type does, so it is known where `align` ends */
} description;

static item_facts *add_item(description *d, const char *kind, const char *name, amount bits, const side_facts *side)
{
    item_facts *i = ARENA_NEW(d->arena, item_facts);
    *i = (item_facts){.kind = kind, .name = name, .dims = "", .place = d->place, .bits = bits, .side = side};
    *d->last = i;
    d->last = &i->next;
    return i;
}

static void advance(description *d, amount bits)
{
    d->place.least += bits.least;
    d->place.most += bits.most;
}

/* The text of a span on one line. */
static const char *line_of(arena *a, span at)
{
    char *text = arena_text(a, (const char *)at.source->text + at.begin, at.end - at.begin), *to = text;
    for (const char *from = text; *from; from++) {
        const bool blank = strchr(" \t\r\n\v\f", *from) != NULL;
        if (!blank)
            *to++ = *from;
        else if (to != text && to[-1] != ' ')
            *to++ = ' ';
    }
    while (to != text && strchr(" ;:", to[-1]))
        to--;
    *to = '\0';
    return text;
}

/* What each element of an array takes, and how many there are. */
static void describe_elements(item_facts *i, const op *o)
{
    const field *f = o->field;
    while (o->kind == OP_OPTIONAL || o->kind == OP_UNLESS)
        o = o->body;
    i->count = (amount){1, 1};
    for (uint32_t n = 0; n < f->dim_count; n++)
        i->count.most *= f->dims[n];
    i->count.least = f->array == ARRAY_FIXED ? i->count.most : f->array == ARRAY_SPARSE ? 0 : f->count_low;
    if (f->array == ARRAY_SPARSE)
        i->count.most = f->limit;
    while (o->kind == OP_ARRAY && o->body->kind == OP_ARRAY)
        o = o->body;
    i->each = o->body ? (amount){o->body->least, o->body->most} : (amount){o->least, o->most};
    i->repeated = true;
    if (is_list(o))
        i->key_bits = (amount){o->body->least - o->body->of->least, o->body->most - o->body->of->most};
}

static void fill_field_facts(arena *a, item_facts *i, const field *f)
{
    i->name = f->name;
    i->type = f->type.kind == TYPE_FOREIGN ? f->type.c_type : line_of(a, f->type.span);
    i->dims = dims_words(a, f);
    i->c = c_declaration(a, f);
    i->doc = f->doc;
    i->span = f->span;
    i->field = f;
    i->values = describe_values(a, &f->type);
    i->of = f->type.decl;
}

static const char *kind_of_item(const item *i)
{
    switch (i->kind) {
    case ITEM_ALIGN: return "align";
    case ITEM_CONST: return "const";
    case ITEM_RESERVED: return "reserved";
    case ITEM_CHECK: return "check";
    case ITEM_FIELD:
    case ITEM_IF:
    case ITEM_SWITCH: break;
    }
    assert(false && "a field and a choice are described otherwise");
    return "";
}

static void describe_ops(description *d, const op *o, const side_facts *side);

static void describe_side(description *d, const op *body, const side_facts *outer, const char *text)
{
    const amount start = d->place;
    side_facts *side = ARENA_NEW(d->arena, side_facts);
    *side = (side_facts){outer, text};
    describe_ops(d, body, side);
    d->place = start;
}

static void describe_choice(description *d, const op *o, const side_facts *side)
{
    arena *a = d->arena;
    if (o->kind == OP_IF) {
        const char *condition = line_of(a, o->item->as.branch.condition->span);
        describe_side(d, o->body, side, arena_printf(a, "if (%s)", condition));
        describe_side(d, o->other, side, arena_printf(a, "else of if (%s)", condition));
        return;
    }
    const char *subject = line_of(a, o->item->as.choice.subject->span);
    for (const op_arm *each = o->arms; each; each = each->next)
        describe_side(d, each->body, side, arena_printf(a, "%s of switch (%s)", line_of(a, each->arm->span), subject));
}

static void describe_ops(description *d, const op *o, const side_facts *side)
{
    for (; o; o = o->next) {
        const amount bits = {o->least, o->most};
        if (o->kind == OP_IF || o->kind == OP_SWITCH) {
            describe_choice(d, o, side);
        } else if (o->field) {
            item_facts *i = add_item(d, "field", o->field->name, bits, side);
            fill_field_facts(d->arena, i, o->field);
            if (o->field->array != ARRAY_NONE)
                describe_elements(i, o);
        } else {
            item_facts *i = add_item(d, kind_of_item(o->item), line_of(d->arena, o->item->span), bits, side);
            i->span = o->item->span;
            i->sends = o->item->kind != ITEM_ALIGN;
            i->sent = o->constant;
        }
        if (o->item && o->item->kind == ITEM_ALIGN && d->begins_byte)
            d->place =
                (amount){BITS_OF_BYTE * bytes_of_bits(d->place.least), BITS_OF_BYTE * bytes_of_bits(d->place.most)};
        else
            advance(d, bits);
    }
}

/* The members of a union, each behind the tag. */
static void add_member_facts(description *d, const decl *whole, const op *o)
{
    const amount tag = {o->bits, o->bits};
    add_item(d, "tag", "tag", tag, NULL)->c = arena_printf(d->arena, "%s_tag tag", c_name_of(d->arena, whole));
    advance(d, tag);
    uint64_t number = 0;
    for (const op_arm *each = o->arms; each; each = each->next) {
        const decl *of = each->member->type;
        item_facts *i = add_item(d, "member", each->member->name, (amount){each->body->least, each->body->most}, NULL);
        i->type = of->name;
        i->sends = true;
        i->sent = number++;
        i->c = arena_printf(d->arena, "%s %s", c_name_of(d->arena, of), each->member->name);
        i->doc = each->member->doc;
        i->span = each->member->span;
        i->of = of;
    }
}

static void add_frame(description *d, const char *name, unsigned bits)
{
    const amount fixed = {bits, bits};
    add_item(d, "frame", name, fixed, NULL);
    advance(d, fixed);
}

item_facts *describe_items(arena *a, const wire *w, const wire_type *t)
{
    item_facts *first = NULL;
    description d = {.arena = a, .last = &first, .begins_byte = t->decl->packet};
    if (t->decl->packet)
        add_frame(&d, "crc32", FRAME_CRC_BITS);
    if (t->decl->kind == DECL_UNION)
        add_member_facts(&d, t->decl, t->body);
    else
        describe_ops(&d, t->body, NULL);
    if (t->decl->packet && schema_has_end(w->schema, t->decl)) {
        d.place.least = t->least_framed - FRAME_END_BITS;
        d.place.most = t->most_framed - FRAME_END_BITS;
        add_frame(&d, "end check", FRAME_END_BITS);
    }
    for (const field *f = t->decl->fields; f; f = f->next)
        if (f->local)
            fill_field_facts(a, add_item(&d, "local", f->name, (amount){0, 0}, NULL), f);
    return first;
}

unsigned describe_member_bits(const decl *d)
{
    if (d->width)
        return d->width;
    return d->kind == DECL_FLAGS ? d->member_count : bit_length(d->type.high.magnitude - d->type.low.magnitude);
}

amount describe_size(const wire_type *t)
{
    if (!t->decl->packet)
        return (amount){t->least, t->most};
    return (amount){BITS_OF_BYTE * bytes_of_bits(t->least_framed), BITS_OF_BYTE * bytes_of_bits(t->most_framed)};
}
