/* codec_list.c - lists with keys: the keys of a whole list, and deltas.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_internal.h"

#include <string.h>

/* ---- keys */

/* The codes that the next key can have: from `least` to the greatest one. */
typedef struct key_codes {
    uint64_t least;
    bool none; /* the key before has the greatest code */
} key_codes;

static uint64_t key_number(const field *f, const datum *element)
{
    return slot_of(element->record, f->by)->data[0].number;
}

static bool key_code(const field *f, const datum *element, uint64_t *code)
{
    const datum key = {.number = key_number(f, element)};
    return coded_code(&f->by->type, &key, code);
}

/* Of an element whose key can be written. */
static uint64_t known_code(const field *f, const datum *element)
{
    uint64_t code = 0;
    (void)key_code(f, element, &code);
    return code;
}

static key_codes codes_after(const field *f, uint64_t code)
{
    return (key_codes){.least = code + 1, .none = code == coded_span(&f->by->type)};
}

static void enter_element(codec *c, trail *here, const field *f, uint32_t index)
{
    c->element = (subscripted){.of = f, .at = index, .dims = 1};
    codec_enter(c, here, f->name);
}

static void leave_element(codec *c, const trail *here)
{
    codec_leave(c, here);
    c->element = (subscripted){0};
}

/* A new struct with a key; NULL if a reader may not take one more. */
static record *keyed_record(codec *c, const field *f, uint64_t number)
{
    record *r = codec_may_take(c, sizeof(datum), "") ? codec_record(c, f->type.decl) : NULL;
    if (!r)
        return NULL;
    slot *key = slot_of(r, f->by);
    key->data = ARENA_NEW(c->arena, datum);
    key->data[0].number = number;
    return r;
}

/* The code of an element to write, which is one of the codes. `start`: for errors. */
static bool code_to_write(codec *c, const field *f, const key_codes *next, const datum *d, uint64_t *code,
                          uint64_t start)
{
    if (!key_code(f, d, code))
        return codec_fail(c, PKT_ERROR_RANGE, start, f->by->name);
    return (!next->none && *code >= next->least) || codec_fail(c, PKT_ERROR_ORDER, start, f->by->name);
}

/* Reads a code, which is one of the codes. The caller completes the item. */
static bool take_code_of_key(codec *c, const field *f, const key_codes *next, uint64_t *code, const char *name)
{
    const uint64_t start = c->bit, most = coded_span(&f->by->type);
    bool lands;
    if (!take_gap(c, most, most - (next->none ? most : next->least), code, &lands, name))
        return false;
    *code += next->least;
    return (lands && !next->none) || codec_fail(c, PKT_ERROR_RANGE, start, name);
}

static bool put_code_of_key(codec *c, const field *f, const key_codes *next, uint64_t code, const char *name)
{
    pattern p = {0};
    gap_pattern(code - next->least, coded_span(&f->by->type), &p);
    return codec_put(c, &p, name);
}

/* Completes the item of a code that was read. The element gets a new struct with this key. */
static bool key_is_read(codec *c, const field *f, uint64_t code, uint64_t start, const char *name, datum *d)
{
    datum key = {0};
    if (coded_of_code(&f->by->type, code, &key) != PKT_OK)
        return codec_fail(c, PKT_ERROR_RANGE, start, name);
    codec_note(c, &f->by->type, &key);
    return codec_done(c, start, name) && (d->record = keyed_record(c, f, key.number));
}

static bool move_key(codec *c, const field *f, const key_codes *next, datum *d)
{
    const uint64_t start = c->bit;
    const char *name = f->by->name;
    uint64_t code = 0;
    if (!c->reading)
        return code_to_write(c, f, next, d, &code, start) && put_code_of_key(c, f, next, code, name);
    return take_code_of_key(c, f, next, &code, name) && key_is_read(c, f, code, start, name, d);
}

bool codec_key(codec *c, const field *f, const datum *previous, datum *d, uint32_t index)
{
    const key_codes next = previous ? codes_after(f, known_code(f, previous)) : (key_codes){0};
    trail here;
    enter_element(c, &here, f, index);
    const bool good = move_key(c, f, &next, d);
    leave_element(c, &here);
    return good;
}

/* ---- deltas */

#define GONE UINT32_MAX

typedef struct moved_list {
    const field *field;
    const slot *base, *was;
    slot *now;
    uint32_t *places; /* of the elements of base: their indices in now, or GONE */
    index_list gone;  /* the indices in base of those */
    index_list fresh; /* the indices in now of the elements that base lacks */
    uint64_t *codes;  /* writing: of the keys of now */
} moved_list;

static datum *list_element(const moved_list *l, uint32_t at)
{
    return (datum *)(uintptr_t)slot_at(l->now, at);
}

static bool nothing_more(codec *c, void *user, uint32_t index)
{
    (void)c;
    (void)user;
    (void)index;
    return true;
}

/* Moves a bit of the list itself; its meanings are those of 0 and 1. */
static bool move_list_bit(codec *c, const moved_list *l, uint64_t *bit, const char *const meanings[2])
{
    const uint64_t start = c->bit;
    if (!codec_bits(c, 1, bit, start, l->field->name))
        return false;
    if (c->note)
        *c->note = meanings[*bit];
    return codec_done(c, start, l->field->name);
}

static bool move_gone(codec *c, moved_list *l)
{
    static const char *const meanings[] = {"none gone", "some gone"};
    const uint64_t start = c->bit;
    uint64_t some = l->gone.count > 0;
    if (!move_list_bit(c, l, &some, meanings))
        return false;
    if (!some)
        return true;
    return codec_subset(c, SPARSE_AUTO, l->base->count, l->base->count, &l->gone, l->field->name, nothing_more, NULL) &&
           (l->gone.count > 0 || codec_fail(c, PKT_ERROR_CANONICAL, start, l->field->name));
}

static bool move_another(codec *c, const moved_list *l, uint64_t *another)
{
    static const char *const meanings[] = {"no new key", "a new key"};
    return move_list_bit(c, l, another, meanings);
}

/* ---- writing deltas */

/* A delta does not send the keys that both lists have, so all of them are checked before. */
static bool check_keys(codec *c, moved_list *l)
{
    const field *f = l->field;
    const uint64_t start = c->bit;
    key_codes next = {0};
    if (l->now->count > f->dims[0]) {
        c->form = NAME_COUNT;
        codec_fail(c, PKT_ERROR_RANGE, start, f->name);
        c->form = NAME_ALONE;
        return false;
    }
    l->codes = ARENA_ARRAY(c->arena, uint64_t, l->now->count);
    for (uint32_t i = 0; i < l->now->count; i++) {
        trail here;
        enter_element(c, &here, f, i);
        const bool good = code_to_write(c, f, &next, list_element(l, i), &l->codes[i], start);
        leave_element(c, &here);
        if (!good)
            return false;
        next = codes_after(f, l->codes[i]);
    }
    return true;
}

/* Finds which elements both lists have. */
static void pair_elements(codec *c, moved_list *l)
{
    const field *f = l->field;
    uint32_t at = 0;
    for (uint32_t i = 0; i < l->base->count; i++) {
        const uint64_t code = known_code(f, slot_at(l->base, i));
        for (; at < l->now->count && l->codes[at] < code; at++)
            index_add(c->arena, &l->fresh, at);
        const bool both = at < l->now->count && l->codes[at] == code;
        l->places[i] = both ? at++ : GONE;
        if (!both)
            index_add(c->arena, &l->gone, i);
    }
    for (; at < l->now->count; at++)
        index_add(c->arena, &l->fresh, at);
}

static bool write_new_keys(codec *c, const moved_list *l)
{
    const field *f = l->field;
    key_codes next = {0};
    uint64_t another = 1, code;
    for (uint32_t i = 0; i < l->fresh.count; i++, next = codes_after(f, code)) {
        code = l->codes[l->fresh.at[i]];
        if (!move_another(c, l, &another) || !put_code_of_key(c, f, &next, code, f->name))
            return false;
    }
    another = 0;
    return move_another(c, l, &another);
}

/* ---- reading deltas */

/* The new list, up to the last new key. */
typedef struct merged_list {
    moved_list *list;
    uint32_t next;      /* the next element of base */
    uint32_t next_gone; /* in the list of those that are gone */
    uint32_t room;      /* of the elements of now */
} merged_list;

static bool add_element(codec *c, merged_list *m, const datum *d)
{
    moved_list *l = m->list;
    if (!codec_make_room(c, l->field, l->now, &m->room, l->now->count + 1))
        return false;
    l->now->data[l->now->count++] = *d;
    return true;
}

/* Adds the elements of base below a code, or all of them, except for those that are gone. */
static bool add_kept(codec *c, merged_list *m, const uint64_t *code)
{
    moved_list *l = m->list;
    for (; m->next < l->base->count; m->next++) {
        const datum *d = slot_at(l->base, m->next);
        if (code && known_code(l->field, d) >= *code)
            break;
        const bool gone = m->next_gone < l->gone.count && l->gone.at[m->next_gone] == m->next;
        m->next_gone += gone;
        l->places[m->next] = gone ? GONE : l->now->count;
        if (!gone && !add_element(c, m, d))
            return false;
    }
    return true;
}

/* Completes the item of a new key, and adds its element. */
static bool add_new(codec *c, merged_list *m, uint64_t code, uint64_t start)
{
    moved_list *l = m->list;
    const field *f = l->field;
    datum d = {0};
    if (!add_kept(c, m, &code))
        return false;
    if (m->next < l->base->count && known_code(f, slot_at(l->base, m->next)) == code)
        return codec_fail(c, PKT_ERROR_ORDER, start, f->name);
    if (l->base->count - l->gone.count + l->fresh.count == f->dims[0])
        return codec_fail(c, PKT_ERROR_RANGE, start, f->name);
    if (!key_is_read(c, f, code, start, f->name, &d))
        return false;
    index_add(c->arena, &l->fresh, l->now->count);
    return add_element(c, m, &d);
}

static bool read_new_keys(codec *c, moved_list *l)
{
    merged_list m = {.list = l};
    key_codes next = {0};
    for (;;) {
        uint64_t another = 0, code = 0;
        if (!move_another(c, l, &another))
            return false;
        if (!another)
            return add_kept(c, &m, NULL);
        const uint64_t start = c->bit;
        if (!take_code_of_key(c, l->field, &next, &code, l->field->name) || !add_new(c, &m, code, start))
            return false;
        next = codes_after(l->field, code);
    }
}

/* ---- elements that differ, and new ones */

/* Moves an element that both lists have, which a reader checks. */
static bool move_differing(codec *c, void *user, uint32_t index)
{
    const moved_list *l = user;
    const field *f = l->field;
    const datum *old = slot_at(l->base, index);
    const uint64_t start = c->bit, changes = c->changes;
    const uint32_t at = l->places[index];
    if (at == GONE)
        return codec_fail(c, PKT_ERROR_ORDER, start, f->name);
    datum *d = list_element(l, at);
    c->element = (subscripted){.of = f, .at = at, .dims = 1};
    if (c->reading && !(d->record = keyed_record(c, f, key_number(f, old))))
        return false;
    if (!codec_composite_delta(c, f, old, slot_at(l->was, index), d))
        return false;
    if (c->reading && c->changes == changes && same_records(c, old->record, d->record))
        return codec_fail(c, PKT_ERROR_CANONICAL, start, f->name);
    c->changes++;
    c->element = (subscripted){0};
    return true;
}

static bool element_differs(codec *c, const moved_list *l, uint32_t i)
{
    const uint32_t at = l->places[i];
    return at != GONE && !same_records(c, slot_at(l->base, i)->record, slot_at(l->now, at)->record);
}

/* The same for a coded list. Elements that are gone can be expected to change too. */
static bool move_coded_elements(codec *c, moved_list *l)
{
    const uint32_t count = l->base->count;
    if (!codec_may_take(c, 2 * (uint64_t)count * sizeof(bool), l->field->name))
        return false;
    bool *changed = ARENA_ARRAY(c->arena, bool, count), *expected = ARENA_ARRAY(c->arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        changed[i] = !c->reading && element_differs(c, l, i);
        expected[i] = codec_has_moved(c, l->field, l->base, l->was, i);
    }
    if (!coded_elements(c, l->field, changed, expected, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (changed[i] && !move_differing(c, l, i))
            return false;
    return true;
}

static bool move_elements(codec *c, moved_list *l)
{
    const uint32_t count = l->base->count;
    index_list differing = {0};
    if (l->field->coded)
        return move_coded_elements(c, l);
    for (uint32_t i = 0; i < count && !c->reading; i++)
        if (element_differs(c, l, i))
            index_add(c->arena, &differing, i);
    return codec_subset(c, SPARSE_AUTO, count, count, &differing, l->field->name, move_differing, l);
}

static bool initial_element(codec *c, const field *f, const datum *now, datum *start)
{
    const decl *d = f->type.decl;
    if (!codec_may_take(c, 2 * (sizeof(record) + d->field_count * sizeof(slot)), f->name))
        return false;
    *start = bases_element(c->bases, c->arena, f, now);
    return true;
}

/* The list of the part's start value, if this one is its own; or NULL. */
static const slot *list_of_start(const codec *c, const field *f)
{
    return c->start && c->start->record->decl == f->owner && is_own_list(f) ? slot_of(c->start->record, f) : NULL;
}

/* Moves an element that the baseline lacks, from the value from which it starts. */
static bool move_new_element(codec *c, const moved_list *l, const datum *start, uint32_t at)
{
    const bool outer = c->coding && c->coding->is_new;
    c->element = (subscripted){.of = l->field, .at = at, .dims = 1};
    if (c->coding)
        c->coding->is_new = true;
    if (!codec_composite_delta(c, l->field, start, start, list_element(l, at)))
        return false;
    if (c->coding)
        c->coding->is_new = outer;
    c->element = (subscripted){0};
    return true;
}

static bool move_new_elements(codec *c, moved_list *l)
{
    const field *f = l->field;
    const slot *starts = list_of_start(c, f);
    uint32_t start = 0;
    for (uint32_t i = 0; i < l->fresh.count; i++) {
        const uint32_t at = l->fresh.at[i];
        const datum *like = starts ? element_of_key(f, starts, key_of_element(f, list_element(l, at)), &start) : NULL;
        datum base = {0};
        if (like)
            base = *like;
        else if (!initial_element(c, f, list_element(l, at), &base))
            return false;
        if (!move_new_element(c, l, &base, at))
            return false;
    }
    return true;
}

bool codec_list_delta(codec *c, const field *f, const slot *base, const slot *was, slot *now)
{
    moved_list l = {.field = f, .base = base, .was = was, .now = now};
    if (!c->reading && !check_keys(c, &l))
        return false;
    if (!codec_may_take(c, (uint64_t)base->count * sizeof *l.places, f->name))
        return false;
    l.places = ARENA_ARRAY(c->arena, uint32_t, base->count);
    if (c->reading)
        *now = (slot){.present = true};
    else
        pair_elements(c, &l);
    return move_gone(c, &l) && (c->reading ? read_new_keys(c, &l) : write_new_keys(c, &l)) && move_elements(c, &l) &&
           move_new_elements(c, &l);
}
