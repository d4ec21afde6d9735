/* codec_json.c - reads values from JSON; reports what does not fit the schema, and where.
 * SPDX-License-Identifier: MIT
 */
#ifdef PKTC_JSON
#include <jansson.h>
#endif

#include "codec/codec_json.h"

#ifndef PKTC_JSON

bool json_can_read(void)
{
    return false;
}

bool json_read(arena *a, const decl *d, const char *text, size_t size, datum *v, const char **problem)
{
    (void)a;
    (void)d;
    (void)text;
    (void)size;
    (void)v;
    *problem = "this pktc was built without jansson";
    return false;
}

bool json_read_parts(arena *a, const codec_part *expected, const char *text, size_t size, codec_part **parts,
                     const char **problem)
{
    (void)parts;
    return json_read(a, expected->decl, text, size, NULL, problem);
}

#else

#include "base/diag.h"
#include "base/hash_table.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The path to the current value in the JSON, innermost part first. */
typedef struct json_spot {
    const struct json_spot *outer;
    const char *name; /* of a member; NULL: an index */
    size_t index;
} json_spot;

typedef struct reader {
    arena *arena;
    bases *bases;
    names *names;
    map *known; /* (decl, name): a member of an enum, flags or union; (record, name): a field that is on the wire */
    const json_spot *spot;
    const char **problem;
} reader;

bool json_can_read(void)
{
    return true;
}

/* ---- problems */

static const char *spot_text(reader *r, const json_spot *s)
{
    if (!s)
        return "";
    const char *outer = spot_text(r, s->outer);
    if (!s->name)
        return arena_printf(r->arena, "%s[%zu]", outer, s->index);
    return arena_printf(r->arena, *outer ? "%s.%s" : "%s%s", outer, s->name);
}

PRINTF_LIKE(2)
static bool is_wrong(reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *what = arena_vprintf(r->arena, format, arguments);
    va_end(arguments);
    *r->problem = arena_printf(r->arena, "%s: %s", spot_text(r, r->spot), what);
    return false;
}

static const char *json_kind_text(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_INTEGER: return "an integer";
    case JSON_REAL: return "a number with a fraction or an exponent";
    case JSON_TRUE:
    case JSON_FALSE: return "a bool";
    case JSON_NULL: return "null";
    }
    return "nothing";
}

/* The same for an unknown name, with the nearest known one. */
static bool wrong_name(reader *r, const suggestion *s, const char *what, const char *kind)
{
    return s->best ? is_wrong(r, "%s has no %s '%s': did you mean '%s'?", what, kind, s->wanted, s->best)
                   : is_wrong(r, "%s has no %s '%s'", what, kind, s->wanted);
}

static bool wrong_kind(reader *r, const json_t *json, const char *wanted)
{
    return is_wrong(r, "expected %s, found %s", wanted, json_kind_text(json));
}

/* ---- numbers */

/* Parses decimal digits, with an optional minus before them. */
static bool text_num(const char *text, num *n)
{
    bool negative = *text == '-';
    const char *digits = text + negative;
    *n = num_u64(0);
    for (const char *at = digits; *at; at++) {
        num ten = num_u64(10);
        if (*at < '0' || *at > '9' || !num_multiply(*n, ten, n) || !num_add(*n, num_u64((uint64_t)(*at - '0')), n))
            return false;
    }
    if (negative)
        *n = num_negate(*n);
    return *digits != '\0';
}

/* Whether a number is whole, and so small that it is the one that was written. */
static bool is_integral(double x)
{
    return x > -0x1p53 && x < 0x1p53 && (double)(int64_t)x == x;
}

/* Reads an integer, which may be a string, because JSON integers over 2^63 - 1 cannot be read. */
static bool read_num(reader *r, const json_t *json, num low, num high, uint64_t *result)
{
    num n = num_u64(0);
    if (json_is_integer(json))
        n = num_i64(json_integer_value(json));
    else if (json_is_real(json) && is_integral(json_real_value(json)))
        return is_wrong(r, "expected an integer without a point or an exponent: write %.0f", json_real_value(json));
    else if (!json_is_string(json))
        return wrong_kind(r, json, "an integer");
    else if (!text_num(json_string_value(json), &n))
        return is_wrong(r, "'%s' is not an integer", json_string_value(json));
    if (num_compare(n, low) < 0 || num_compare(n, high) > 0)
        return is_wrong(r, "the value must be from %s to %s, not %s", num_text(r->arena, low), num_text(r->arena, high),
                        num_text(r->arena, n));
    *result = num_bits(n);
    return true;
}

/* Parses numbers that JSON cannot express: "inf", "-inf", or the bits of a NaN as "0x...". */
static bool text_real(reader *r, storage s, const char *text, uint64_t *bits)
{
    size_t digits = s == STORAGE_FLOAT ? 8 : 16;
    double inf = real_from_bits(STORAGE_DOUBLE, UINT64_C(0x7FF0000000000000));
    if (strncmp(text, "0x", 2) == 0 && strlen(text) == 2 + digits &&
        strspn(text + 2, "0123456789abcdefABCDEF") == digits)
        *bits = strtoull(text, NULL, 16);
    else if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0)
        *bits = real_to_bits(s, *text == '-' ? -inf : inf);
    else
        return is_wrong(r, "expected \"inf\", \"-inf\" or the bits as 0x and %zu digits, found \"%s\"", digits, text);
    return true;
}

static bool read_real(reader *r, const json_t *json, storage s, uint64_t *bits)
{
    if (json_is_string(json))
        return text_real(r, s, json_string_value(json), bits);
    if (!json_is_number(json))
        return wrong_kind(r, json, "a number");
    *bits = real_to_bits(s, json_number_value(json));
    double stored = real_from_bits(s, *bits);
    return stored - stored == 0 || is_wrong(r, "the number is too large for a float");
}

/* ---- scalars */

/* Looks up a name of an owner; NULL if there is no entry. */
static const void *known(reader *r, const void *owner, const char *name)
{
    return map_get(r->known, owner, intern(r->names, name, strlen(name)));
}

static void know(reader *r, const void *owner, const char *name, const void *what)
{
    map_put(r->arena, r->known, owner, intern(r->names, name, strlen(name)), (void *)(uintptr_t)what);
}

/* The member of an enum, flags or union with a name; or NULL. */
static const member *member_of_name(reader *r, const decl *d, const char *name)
{
    if (!known(r, d, d->members->name))
        for (const member *m = d->members; m; m = m->next)
            know(r, d, m->name, m);
    return known(r, d, name);
}

static bool wrong_member_name(reader *r, const decl *d, const char *name)
{
    suggestion s = {.wanted = name};
    for (const member *m = d->members; m; m = m->next)
        suggest(&s, m->name);
    return wrong_name(r, &s, d->name, "member");
}

static bool read_enum(reader *r, const json_t *json, const type *t, uint64_t *result)
{
    if (!json_is_string(json)) {
        num most = t->decl->width ? t->high : num_u64(UINT64_MAX);
        if (!json_is_integer(json))
            return wrong_kind(r, json, "a member's name");
        if (!read_num(r, json, num_u64(0), most, result))
            return false;
    }
    const member *m = json_is_string(json) ? member_of_name(r, t->decl, json_string_value(json))
                                           : member_of_value(t->decl, num_u64(*result));
    if (m) {
        *result = num_bits(m->value);
        return true;
    }
    if (!json_is_string(json) && t->decl->width)
        return true;
    num n;
    if (json_is_string(json) && text_num(json_string_value(json), &n) && t->decl->width)
        return read_num(r, json, num_u64(0), t->high, result);
    if (json_is_string(json))
        return wrong_member_name(r, t->decl, json_string_value(json));
    return is_wrong(r, "%s has no member of value %" PRIu64, t->decl->name, *result);
}

static bool read_flags(reader *r, const json_t *json, const type *t, uint64_t *result)
{
    num n;
    const char *alone = json_string_value(json);
    if (json_is_integer(json) || (alone && text_num(alone, &n)))
        return read_num(r, json, num_u64(0), t->high, result);
    if (!json_is_array(json) && !alone)
        return wrong_kind(r, json, "an array of names");
    for (size_t i = 0; i < (alone ? 1 : json_array_size(json)); i++) {
        const char *name = alone ? alone : json_string_value(json_array_get(json, i));
        const member *m = name ? member_of_name(r, t->decl, name) : NULL;
        if (!name)
            return is_wrong(r, "%s has no member '%s'", t->decl->name, json_kind_text(json_array_get(json, i)));
        if (!m)
            return wrong_member_name(r, t->decl, name);
        if (*result & num_bits(m->value))
            return is_wrong(r, "'%s' is named twice", name);
        *result |= num_bits(m->value);
    }
    return true;
}

static bool read_floats(reader *r, const json_t *json, float *parts, size_t count)
{
    if (!json_is_array(json) || json_array_size(json) != count)
        return is_wrong(r, "expected an array of %zu numbers", count);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        json_spot here = {.outer = r->spot, .index = i};
        r->spot = &here;
        if (!read_real(r, json_array_get(json, i), STORAGE_FLOAT, &bits))
            return false;
        parts[i] = (float)real_from_bits(STORAGE_FLOAT, bits);
        r->spot = here.outer;
    }
    return true;
}

static bool read_string(reader *r, const json_t *json, const type *t, datum *d)
{
    size_t size = json_string_length(json);
    if (!json_is_string(json))
        return wrong_kind(r, json, "a string");
    if (size > t->length)
        return is_wrong(r, "the string has %zu bytes; at most %" PRIu32 " are allowed", size, t->length);
    d->bytes = (uint8_t *)arena_text(r->arena, json_string_value(json), size);
    d->size = (uint32_t)size;
    return !memchr(d->bytes, 0, size) || is_wrong(r, "the string contains a zero byte");
}

static bool read_bytes(reader *r, const json_t *json, const type *t, datum *d)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *text = json_string_value(json);
    if (!text || strlen(text) % 2 != 0 || strspn(text, digits) != json_string_length(json))
        return is_wrong(r, "expected a string of hexadecimal digits, two per byte");
    size_t size = strlen(text) / 2;
    if (size > t->length)
        return is_wrong(r, "there are %zu bytes; at most %" PRIu32 " are allowed", size, t->length);
    d->size = (uint32_t)size;
    d->bytes = arena_alloc(r->arena, size);
    for (size_t i = 0; i < 2 * size; i++)
        d->bytes[i / 2] = (uint8_t)(d->bytes[i / 2] * 16 + (strchr(digits, text[i]) - digits) % 16);
    return true;
}

/* If it is clamped, any value in memory, which the codec clamps. */
static bool read_integer(reader *r, const json_t *json, const type *t, uint64_t *result)
{
    num low = t->low, high = t->high;
    if (t->clamps)
        storage_range(t->storage, &low, &high);
    return read_num(r, json, low, high, result);
}

static bool read_scalar(reader *r, const json_t *json, const type *t, datum *d)
{
    *d = (datum){0};
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
        d->number = json_is_true(json);
        return json_is_boolean(json) || wrong_kind(r, json, "true or false");
    case SORT_INTEGER:
    case SORT_FIXED: return read_integer(r, json, t, &d->number);
    case SORT_REAL: return read_real(r, json, t->storage, &d->number);
    case SORT_ENUM: return read_enum(r, json, t, &d->number);
    case SORT_FLAGS: return read_flags(r, json, t, &d->number);
    case SORT_QUAT: return read_floats(r, json, d->parts, 4);
    case SORT_UNIT: return read_floats(r, json, d->parts, 3);
    case SORT_STRING: return read_string(r, json, t, d);
    case SORT_BYTES: return read_bytes(r, json, t, d);
    case SORT_REF: return json_is_null(json) || read_num(r, json, num_u64(0), t->high, &d->number);
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    return is_wrong(r, "a value of this type is never sent");
}

/* ---- arrays, structs, unions */

static bool read_json_value(reader *r, const json_t *json, const decl *d, datum *v);
static bool read_keyed(reader *r, const json_t *json, const field *f, num key, datum *v);

static bool read_element(reader *r, const json_t *json, const field *f, datum *d)
{
    if (is_composite(&f->type))
        return read_json_value(r, json, f->type.decl, d);
    return read_scalar(r, json, &f->type, d);
}

/* first: of the elements at this depth, which have base values. An array of fixed length may leave out its last ones. */
static bool read_nested(reader *r, const json_t *json, const field *f, uint32_t depth, datum *first)
{
    size_t stride = 1;
    if (!json_is_array(json))
        return wrong_kind(r, json, "an array");
    size_t count = json_array_size(json);
    if (f->array == ARRAY_FIXED && count > f->dims[depth])
        return is_wrong(r, "expected an array of at most %" PRIu32 " elements, found %zu", f->dims[depth], count);
    for (uint32_t d = depth + 1; d < f->dim_count; d++)
        stride *= f->dims[d];
    for (size_t i = 0; i < count; i++) {
        json_spot here = {.outer = r->spot, .index = i};
        r->spot = &here;
        const json_t *element = json_array_get(json, i);
        if (!(depth + 1 < f->dim_count ? read_nested(r, element, f, depth + 1, first + i * stride)
                                       : read_element(r, element, f, first + i)))
            return false;
        r->spot = here.outer;
    }
    return true;
}

static bool read_pairs(reader *r, const json_t *json, const field *f, slot *s)
{
    uint64_t least = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        json_spot here = {.outer = r->spot, .index = i};
        const json_t *pair = json_array_get(json, i);
        uint64_t index;
        r->spot = &here;
        if (!json_is_array(pair) || json_array_size(pair) != 2)
            return is_wrong(r, "expected [index, element]");
        if (!read_num(r, json_array_get(pair, 0), num_u64(0), num_u64(f->dims[0] - 1), &index))
            return false;
        if (index < least)
            return is_wrong(r, "indices must be in ascending order");
        least = index + 1;
        s->indices[i] = (uint32_t)index;
        /* Errors of the element name it by its index in C. */
        here.index = index;
        if (!read_element(r, json_array_get(pair, 1), f, &s->data[i]))
            return false;
        r->spot = here.outer;
    }
    return true;
}

static bool read_computed(reader *r, const json_t *json, const field *f, const record *to, slot *s)
{
    const uint32_t most = computed_count(f, to);
    if (!json_is_array(json))
        return wrong_kind(r, json, "an array");
    const size_t count = json_array_size(json);
    if (count > most)
        return is_wrong(
            r, "with the values of the fields before it, this array has at most %" PRIu32 " elements, found %zu", most,
            count);
    s->count = (uint32_t)count;
    s->data = ARENA_ARRAY(r->arena, datum, s->count);
    s->alike = false;
    return read_nested(r, json, f, 0, s->data);
}

static bool read_array(reader *r, const json_t *json, const field *f, slot *s)
{
    if (!json_is_array(json))
        return wrong_kind(r, json, "an array");
    size_t count = json_array_size(json);
    uint32_t least = f->array == ARRAY_COUNTED ? f->count_low : 0,
             most = f->array == ARRAY_SPARSE ? f->limit : f->dims[0];
    if (f->array != ARRAY_FIXED && (count < least || count > most))
        return is_wrong(r, "expected an array of %" PRIu32 " to %" PRIu32 " elements, found %zu", least, most, count);
    s->count = f->array == ARRAY_FIXED ? field_capacity(f) : (uint32_t)count;
    s->data = ARENA_ARRAY(r->arena, datum, s->count);
    s->alike = false;
    for (uint32_t i = 0; f->array == ARRAY_FIXED && i < s->count; i++)
        s->data[i] = bases_datum(r->bases, f);
    s->indices = f->array == ARRAY_SPARSE ? ARENA_ARRAY(r->arena, uint32_t, s->count) : NULL;
    return f->array == ARRAY_SPARSE ? read_pairs(r, json, f, s) : read_nested(r, json, f, 0, s->data);
}

/* ---- lists: objects whose members are called like the keys */

typedef struct sorted_key {
    num key;
    const char *name;
    json_t *json;
} sorted_key;

static int compare_sorted_keys(const void *a, const void *b)
{
    return num_compare(((const sorted_key *)a)->key, ((const sorted_key *)b)->key);
}

/* The key that a member is called: a number, or the name of an enum's member. */
static bool read_key(reader *r, const field *key, const char *name, num *n)
{
    const type *t = &key->type;
    datum d = {0};
    json_t *text = json_string(name);
    const bool good = read_scalar(r, text, t, &d);
    json_decref(text);
    *n = datum_num(t, &d);
    return good;
}

static bool read_keys(reader *r, const json_t *json, const field *f, sorted_key *all)
{
    const char *name;
    json_t *element;
    size_t count = 0;
    json_object_foreach((json_t *)(uintptr_t)json, name, element)
    {
        json_spot here = {.outer = r->spot, .name = name};
        r->spot = &here;
        sorted_key *l = &all[count++];
        *l = (sorted_key){.name = name, .json = element};
        if (!read_key(r, f->by, name, &l->key))
            return false;
        r->spot = here.outer;
    }
    qsort(all, count, sizeof *all, compare_sorted_keys);
    for (size_t i = 1; i < count; i++)
        if (num_compare(all[i - 1].key, all[i].key) == 0)
            return is_wrong(r, "'%s' and '%s' are the same key", all[i - 1].name, all[i].name);
    return true;
}

static bool read_json_list(reader *r, const json_t *json, const field *f, slot *s)
{
    if (!json_is_object(json))
        return wrong_kind(r, json, "an object with a member for each key");
    const size_t count = json_object_size(json);
    if (count > f->dims[0])
        return is_wrong(r, "expected an object of at most %" PRIu32 " elements, found %zu", f->dims[0], count);
    sorted_key *all = ARENA_ARRAY(r->arena, sorted_key, count);
    if (!read_keys(r, json, f, all))
        return false;
    s->count = (uint32_t)count;
    s->data = ARENA_ARRAY(r->arena, datum, s->count);
    s->alike = false;
    for (uint32_t i = 0; i < s->count; i++) {
        json_spot here = {.outer = r->spot, .name = all[i].name};
        r->spot = &here;
        if (!read_keyed(r, all[i].json, f, all[i].key, &s->data[i]))
            return false;
        r->spot = here.outer;
    }
    return true;
}

static bool read_field(reader *r, const json_t *json, const field *f, record *to)
{
    slot *s = slot_of(to, f);
    json_spot here = {.outer = r->spot, .name = f->name};
    bool good = true;
    r->spot = &here;
    s->present = !f->optional || !json_is_null(json);
    if (f->array == ARRAY_COMPUTED) {
        good = read_computed(r, json, f, to, s);
    } else if (f->by) {
        good = read_json_list(r, json, f, s);
    } else if (s->present && f->array != ARRAY_NONE) {
        good = read_array(r, json, f, s);
    } else if (s->present) {
        s->count = 1;
        s->data = ARENA_NEW(r->arena, datum);
        good = read_element(r, json, f, &s->data[0]);
    }
    if (good)
        r->spot = here.outer;
    return good;
}

/* *seen counts the members that were read. */
static bool read_items(reader *r, const json_t *json, const item *items, record *to, size_t *seen)
{
    for (const item *i = items; i; i = i->next) {
        switch (i->kind) {
        case ITEM_FIELD: {
            const field *f = i->as.field;
            const json_t *element = json_object_get(json, f->name);
            if (element && !read_field(r, element, f, to))
                return false;
            *seen += element != NULL;
            break;
        }
        case ITEM_IF:
        case ITEM_SWITCH: {
            const block *taken = chosen_block(i, to);
            if (taken && !read_items(r, json, taken->items, to, seen))
                return false;
            break;
        }
        case ITEM_ALIGN:
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK: break;
        }
    }
    return true;
}

static void know_fields_on_wire(reader *r, const item *items, const record *to)
{
    for (const item *i = items; i; i = i->next) {
        const block *taken = i->kind == ITEM_IF || i->kind == ITEM_SWITCH ? chosen_block(i, to) : NULL;
        if (i->kind == ITEM_FIELD)
            know(r, to, i->as.field->name, i->as.field);
        if (taken)
            know_fields_on_wire(r, taken->items, to);
    }
}

/* Reports the first member that is not a field on the wire. */
static bool wrong_member(reader *r, json_t *json, const record *to)
{
    const decl *d = to->decl;
    const char *name;
    json_t *element;
    know_fields_on_wire(r, d->body.items, to);
    json_object_foreach(json, name, element)
    {
        if (known(r, to, name))
            continue;
        const field *f = d->fields;
        while (f && strcmp(f->name, name) != 0)
            f = f->next;
        json_spot here = {.outer = r->spot, .name = name};
        if (!f) {
            suggestion s = {.wanted = name};
            for (f = d->fields; f; f = f->next)
                suggest(&s, f->name);
            return wrong_name(r, &s, d->name, "field");
        }
        r->spot = &here;
        if (f->local)
            return is_wrong(r, "a local field is never sent");
        if (f->key)
            return is_wrong(r, "the key is the name of the element: leave this member out");
        return is_wrong(r, "with the values of the fields before it, this field is not on the wire");
    }
    return true;
}

static bool read_record(reader *r, const json_t *json, record *to)
{
    size_t seen = 0;
    if (!json_is_object(json))
        return wrong_kind(r, json, "an object");
    if (!read_items(r, json, to->decl->body.items, to, &seen))
        return false;
    return seen == json_object_size(json) || wrong_member(r, (json_t *)(uintptr_t)json, to);
}

static bool read_union(reader *r, const json_t *json, const decl *d, datum *v)
{
    if (!json_is_object(json) || json_object_size(json) != 1)
        return is_wrong(r, "expected an object with one member, named like a member of %s", d->name);
    const char *name = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)json));
    const member *m = member_of_name(r, d, name);
    if (!m)
        return wrong_member_name(r, d, name);
    json_spot here = {.outer = r->spot, .name = name};
    r->spot = &here;
    v->tag = m->value.magnitude;
    v->record = bases_record(r->bases, r->arena, m->type);
    bool good = read_record(r, json_object_get(json, name), v->record);
    if (good)
        r->spot = here.outer;
    return good;
}

static bool read_json_value(reader *r, const json_t *json, const decl *d, datum *v)
{
    *v = (datum){0};
    if (d->kind == DECL_UNION)
        return read_union(r, json, d, v);
    v->record = bases_record(r->bases, r->arena, d);
    return read_record(r, json, v->record);
}

/* An element of a list. Conditions in it may depend on its key. */
static bool read_keyed(reader *r, const json_t *json, const field *f, num key, datum *v)
{
    *v = (datum){.record = bases_record(r->bases, r->arena, f->type.decl)};
    slot *s = slot_of(v->record, f->by);
    s->data = ARENA_WITH(r->arena, datum, .number = num_bits(key));
    return read_record(r, json, v->record);
}

static reader start(arena *a, const char **problem)
{
    return (reader){.arena = a, .bases = bases_new(a), .names = names_new(a), .known = map_new(a), .problem = problem};
}

/* NULL with *problem if the text is not JSON. */
static json_t *load_json(arena *a, const char *text, size_t size, const char **problem)
{
    json_error_t error;
    json_t *json = json_loadb(text, size, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    if (!json)
        *problem = arena_printf(a, "line %d, column %d: %s%s", error.line, error.column, error.text,
                                strncmp(error.text, "too big", strlen("too big")) == 0
                                    ? "; write it in quotes, or with a point in a real field"
                                    : "");
    return json;
}

bool json_read(arena *a, const decl *d, const char *text, size_t size, datum *v, const char **problem)
{
    json_spot whole = {.name = d->name};
    reader r = start(a, problem);
    json_t *json = load_json(a, text, size, problem);
    if (!json)
        return false;
    r.spot = &whole;
    bool good = read_json_value(&r, json, d, v);
    json_decref(json);
    return good;
}

/* ---- streams */

/* Whether a stream may have any number of these values. */
static bool is_many(const codec_part *e)
{
    return e->many || e->count;
}

/* Reads an element as the next expected value, from *e on, and moves *e past it. */
static bool read_json_part(reader *r, const json_t *json, const codec_part **e, codec_part *p)
{
    const char *name =
        json_object_size(json) == 1 ? json_object_iter_key(json_object_iter((json_t *)(uintptr_t)json)) : NULL;
    if (!name)
        return is_wrong(r, "expected an object with one member, named like its type");
    while (*e && is_many(*e) && strcmp((*e)->decl->name, name) != 0)
        *e = (*e)->next;
    if (!*e)
        return is_wrong(r, "'%s' is one value too many", name);
    if (strcmp((*e)->decl->name, name) != 0)
        return is_wrong(r, "expected '%s', found '%s'", (*e)->decl->name, name);
    json_spot here = {.outer = r->spot, .name = name};
    *p = **e;
    p->many = false;
    p->next = NULL;
    if (!is_many(*e))
        *e = (*e)->next;
    r->spot = &here;
    if (!read_json_value(r, json_object_get(json, name), p->decl, &p->value))
        return false;
    r->spot = here.outer;
    return true;
}

static bool read_parts_of(reader *r, const json_t *json, const codec_part *e, codec_part **end)
{
    if (!json_is_array(json))
        return wrong_kind(r, json, "an array of values");
    for (size_t i = 0; i < json_array_size(json); i++) {
        json_spot here = {.outer = r->spot, .index = i};
        codec_part *p = ARENA_NEW(r->arena, codec_part);
        r->spot = &here;
        if (!read_json_part(r, json_array_get(json, i), &e, p))
            return false;
        r->spot = here.outer;
        *end = p;
        end = &p->next;
    }
    while (e && is_many(e))
        e = e->next;
    return !e || is_wrong(r, "'%s' is missing at the end", e->decl->name);
}

bool json_read_parts(arena *a, const codec_part *expected, const char *text, size_t size, codec_part **parts,
                     const char **problem)
{
    json_spot whole = {.name = "stream"};
    reader r = start(a, problem);
    json_t *json = load_json(a, text, size, problem);
    if (!json)
        return false;
    r.spot = &whole;
    *parts = NULL;
    bool good = read_parts_of(&r, json, expected, parts);
    json_decref(json);
    return good;
}

#endif
