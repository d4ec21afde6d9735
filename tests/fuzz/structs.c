/* structs.c - values in the structs of generated C, through their reflection.
 * SPDX-License-Identifier: MIT
 */
#include "spot.h"
#include "values.h"

#include <assert.h>
#include <string.h>

static pkt_member member_of(const pkt_type *about, const char *name)
{
    pkt_member m = {0};
    while (pkt_next_member(about, &m))
        if (strcmp(m.name, name) == 0)
            return m;
    assert(false && "reflection has every member");
    return m;
}

/* ---- from values to structs */

static void put_record(arena *a, const pkt_type *about, uint8_t *base, const record *r);

static void put_union(arena *a, const pkt_type *about, uint8_t *base, const datum *v)
{
    pkt_member m;
    store_part(base, tag_of(about), v->tag);
    if (v->record && pkt_chosen_member(about, base, &m)) {
        memset(base + m.value.offset, 0, m.value.size);
        put_record(a, m.type, base + m.value.offset, v->record);
    }
}

void put_in_struct(arena *a, const pkt_type *about, void *at, const decl *d, const datum *v)
{
    if (d->kind == DECL_UNION)
        put_union(a, about, at, v);
    else
        put_record(a, about, at, v->record);
}

static void put_element(arena *a, const field *f, spot s, const datum *v)
{
    switch (f->type.kind) {
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_FLOAT:
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW:
    case TYPE_COMPACT:
    case TYPE_REF: pkt_entry_store(s.value, s.value_size, v->number); break;
    case TYPE_QUAT:
    case TYPE_UNIT: memcpy(s.value, v->parts, s.value_size); break;
    case TYPE_STRING:
        memset(s.value, 0, s.value_size);
        if (v->size)
            memcpy(s.value, v->bytes, v->size);
        break;
    case TYPE_BYTES:
        if (v->size)
            memcpy(s.value, v->bytes, v->size < s.value_size ? v->size : s.value_size);
        pkt_entry_store(s.size, s.size_size, v->size);
        break;
    case TYPE_STRUCT:
    case TYPE_UNION: put_in_struct(a, s.member->type, s.value, f->type.decl, v); break;
    case TYPE_FOREIGN: break;
    }
}

static void put_field(arena *a, const pkt_member *m, uint8_t *base, const field *f, const slot *s)
{
    field bare = *f;
    slot blank;
    if (m->has.size)
        store_part(base, m->has, s->present);
    if (!s->present && s->count == 0) {
        bare.optional = false;
        blank = base_slot(a, &bare);
        s = &blank;
    }
    if (f->array == ARRAY_COUNTED)
        store_part(base, m->count, s->count);
    for (uint32_t i = 0; s->data && i < s->count; i++) {
        uint32_t index = f->array == ARRAY_SPARSE ? s->indices[i] : i;
        put_element(a, f, spot_of(m, base, index), slot_at(s, i));
        if (f->array == ARRAY_SPARSE)
            base[m->count.offset + index / 8] |= (uint8_t)(1u << index % 8);
    }
}

static void put_record(arena *a, const pkt_type *about, uint8_t *base, const record *r)
{
    const slot *s = r->slots;
    for (const field *f = r->decl->fields; f; f = f->next, s++)
        if (!f->local) {
            const pkt_member m = member_of(about, f->name);
            put_field(a, &m, base, f, s);
        }
}

/* ---- comparing a struct with a value */

static const char *record_differs(arena *a, const pkt_type *about, uint8_t *base, const record *r);

static bool same_element(arena *a, const field *f, spot s, const datum *v)
{
    switch (f->type.kind) {
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_FLOAT:
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW:
    case TYPE_COMPACT:
    case TYPE_REF: {
        uint64_t mask = s.value_size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * s.value_size) - 1;
        return pkt_entry_load(s.value, s.value_size) == (v->number & mask);
    }
    case TYPE_QUAT:
    case TYPE_UNIT: return memcmp(s.value, v->parts, s.value_size) == 0;
    case TYPE_STRING: return s.value[v->size] == 0 && (v->size == 0 || memcmp(s.value, v->bytes, v->size) == 0);
    case TYPE_BYTES:
        return pkt_entry_load(s.size, s.size_size) == v->size &&
               (v->size == 0 || memcmp(s.value, v->bytes, v->size) == 0);
    case TYPE_STRUCT:
    case TYPE_UNION: return differs_in_struct(a, s.member->type, s.value, f->type.decl, v) == NULL;
    case TYPE_FOREIGN: break;
    }
    return true;
}

static bool is_present(const pkt_member *m, const uint8_t *base, uint32_t index)
{
    return (load_part(base, presence_of(m, index)) >> index % 64 & 1) != 0;
}

/* Whether an element is as in s: present with that value, or absent with its base value. */
static bool sparse_element(arena *a, const pkt_member *m, uint8_t *base, const field *f, const slot *s, uint32_t index,
                           uint32_t *next)
{
    bool there = *next < s->count && s->indices[*next] == index;
    if (is_present(m, base, index) != there)
        return false;
    if (there)
        return same_element(a, f, spot_of(m, base, index), &s->data[(*next)++]);
    datum blank = base_datum(a, f);
    return f->keep || same_element(a, f, spot_of(m, base, index), &blank);
}

static uint32_t least_count(uint32_t x, uint32_t y)
{
    return x < y ? x : y;
}

static bool same_field(arena *a, const pkt_type *about, const pkt_member *m, uint8_t *base, const field *f,
                       const slot *s)
{
    field bare = *f;
    slot blank;
    if (m->has.size && load_part(base, m->has) != s->present)
        return false;
    if (!s->present && s->count == 0) {
        bare.optional = false;
        blank = base_slot(a, &bare);
        s = &blank;
    }
    if (f->array == ARRAY_SPARSE) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < f->dims[0]; i++)
            if (!sparse_element(a, m, base, f, s, i, &next))
                return false;
        return true;
    }
    if (f->array == ARRAY_COUNTED && load_part(base, m->count) != s->count)
        return false;
    const uint32_t count =
        f->array == ARRAY_COMPUTED ? least_count(about->side(base, m->computed), s->count) : s->count;
    for (uint32_t i = 0; s->data && i < count; i++)
        if (!same_element(a, f, spot_of(m, base, i), slot_at(s, i)))
            return false;
    return true;
}

static const char *record_differs(arena *a, const pkt_type *about, uint8_t *base, const record *r)
{
    const slot *s = r->slots;
    for (const field *f = r->decl->fields; f; f = f->next, s++) {
        if (f->local)
            continue;
        const pkt_member m = member_of(about, f->name);
        if (!same_field(a, about, &m, base, f, s))
            return f->name;
    }
    return NULL;
}

const char *differs_in_struct(arena *a, const pkt_type *about, const void *at, const decl *d, const datum *v)
{
    uint8_t *base = (uint8_t *)(uintptr_t)at;
    if (d->kind != DECL_UNION)
        return record_differs(a, about, base, v->record);
    pkt_member m;
    if (load_part(base, tag_of(about)) != v->tag)
        return "tag";
    if (!v->record || !pkt_chosen_member(about, base, &m))
        return NULL;
    return record_differs(a, m.type, base + m.value.offset, v->record);
}

/* ---- what does not count */

enum { LITTER = 0x5a };

static void litter_element(const pkt_member *m, spot s, const field *f, bool absent)
{
    uint64_t used = s.value_size;
    switch (f->type.kind) {
    case TYPE_STRING: used = strnlen((const char *)s.value, s.value_size) + 1; break;
    case TYPE_BYTES: used = pkt_entry_load(s.size, s.size_size); break;
    case TYPE_STRUCT:
    case TYPE_UNION: litter_in_struct(m->type, s.value, f->type.decl, absent); break;
    default: break;
    }
    if (used < s.value_size)
        memset(s.value + used, LITTER, (size_t)(s.value_size - used));
}

static void litter_field(const pkt_type *about, const pkt_member *m, uint8_t *base, const field *f, bool absent)
{
    const uint32_t capacity = field_capacity(f);
    uint32_t count = capacity;
    if (f->array == ARRAY_COUNTED)
        count = (uint32_t)load_part(base, m->count);
    if (f->array == ARRAY_COMPUTED)
        count = least_count(about->side(base, m->computed), capacity);
    for (uint32_t i = 0; i < capacity; i++) {
        const spot s = spot_of(m, base, i);
        const bool is_absent = absent && f->array == ARRAY_SPARSE && !f->keep && !is_present(m, base, i);
        if (i < count && !is_absent) {
            litter_element(m, s, f, absent);
        } else if (is_absent || count == 0) {
            memset(s.value, LITTER, s.value_size);
            memset(s.size, LITTER, s.size_size);
        } else { /* as if it had been an element before */
            const spot last = spot_of(m, base, count - 1);
            memcpy(s.value, last.value, s.value_size);
            memcpy(s.size, last.size, s.size_size);
        }
    }
}

void litter_in_struct(const pkt_type *about, void *at, const decl *d, bool absent)
{
    uint8_t *base = at;
    pkt_member m;
    if (d->kind == DECL_UNION) {
        const member *chosen = d->members;
        if (!pkt_chosen_member(about, at, &m))
            return;
        for (uint64_t i = load_part(base, tag_of(about)); i > 0; i--)
            chosen = chosen->next;
        litter_in_struct(m.type, base + m.value.offset, chosen->type, absent);
        return;
    }
    for (const field *f = d->fields; f; f = f->next) {
        if (f->local)
            continue;
        m = member_of(about, f->name);
        litter_field(about, &m, base, f, absent);
    }
}

bool keeps_elements(const decl *d)
{
    for (const field *f = d->fields; f; f = f->next)
        if (!f->local && (f->keep || (f->type.kind == TYPE_STRUCT && keeps_elements(f->type.decl))))
            return true;
    return false;
}

const char *unset_in_struct(arena *a, const pkt_type *about, const void *at, const decl *d)
{
    uint8_t *base = (uint8_t *)(uintptr_t)at;
    for (const field *f = d->fields; f; f = f->next) {
        if (f->local)
            continue;
        const pkt_member m = member_of(about, f->name);
        const datum blank = base_datum(a, f);
        for (uint32_t i = 0; f->keep && i < f->dims[0]; i++)
            if (!same_element(a, f, spot_of(&m, base, i), &blank))
                return f->name;
        if (f->type.kind == TYPE_STRUCT && keeps_elements(f->type.decl) &&
            unset_in_struct(a, m.type, base + m.value.offset, f->type.decl))
            return f->name;
    }
    return NULL;
}
