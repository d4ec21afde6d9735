/* codec_kept.c - copies what is new in a value into memory of its own, and counts who has it.
 * SPDX-License-Identifier: MIT
 *
 * The memory of a record has everything in it that is not shared: its slots, single elements, texts, and the list of the
 * blocks of an array. Equal values are found by hashes of all that is in them, so only what is new is copied.
 */
#include "codec/codec_kept.h"
#include "base/hash_table.h"
#include "model/type_table.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT = sizeof(uint64_t),
    KEPT_OVERHEAD = 16 /* bytes that each allocation costs besides */,
    KEPT_BUCKETS = 1 << 16
};

struct kept_values {
    size_t bytes, text_bytes;
    record *records[KEPT_BUCKETS];
    element_block *blocks[KEPT_BUCKETS];
};

/* A piece of memory, which is handed out from the front. */
typedef struct kept_piece {
    kept_values *kept;
    char *at;
} kept_piece;

static size_t whole_units(size_t size)
{
    return (size + UNIT - 1) / UNIT * UNIT;
}

static void *take(kept_piece *p, size_t size)
{
    void *taken = p->at;
    p->at += whole_units(size);
    return taken;
}

static bool keeps_bytes(const field *f)
{
    return f->type.kind == TYPE_STRING || f->type.kind == TYPE_BYTES;
}

static bool keeps_blocks(const field *f, const slot *s)
{
    return (f->array == ARRAY_FIXED || f->array == ARRAY_COUNTED) && s->present && s->count > 0 && !s->alike &&
           (s->data || s->blocks);
}

static uint32_t blocks_of(const slot *s)
{
    return (s->count + SHARED_ELEMENTS - 1) / SHARED_ELEMENTS;
}

static uint32_t elements_of_block(const slot *s, uint32_t at)
{
    const uint32_t left = s->count - at * SHARED_ELEMENTS;
    return left < SHARED_ELEMENTS ? left : SHARED_ELEMENTS;
}

/* ---- sizes */

static size_t size_of_elements(const field *f, const datum *from, uint32_t count)
{
    size_t size = count * sizeof *from;
    for (uint32_t i = 0; i < count && keeps_bytes(f); i++)
        size += whole_units(from[i].size);
    return size;
}

static size_t size_of_block(const field *f, const datum *from, uint32_t count)
{
    return sizeof(element_block) + size_of_elements(f, from, count);
}

static size_t size_of_slot(const field *f, const slot *s)
{
    if (keeps_blocks(f, s))
        return blocks_of(s) * sizeof *s->blocks;
    return (s->data ? size_of_elements(f, s->data, slot_held(s)) : 0) +
           (s->indices ? whole_units(s->count * sizeof *s->indices) : 0);
}

static size_t size_of_record(const record *r)
{
    size_t size = sizeof *r + r->decl->field_count * sizeof *r->slots;
    for (const field *f = r->decl->fields; f; f = f->next)
        size += size_of_slot(f, slot_of(r, f));
    return size;
}

static void *allocate(kept_values *k, size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        arena_out_of_memory();
    k->bytes += size + KEPT_OVERHEAD;
    return memory;
}

static void give_back(kept_values *k, void *memory, size_t size)
{
    k->bytes -= size + KEPT_OVERHEAD;
    free(memory);
}

/* ---- equal contents */

static uint64_t mix_kept(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t hash_of_record(const record *r);

static inline uint64_t hash_of_elements(uint64_t hash, const field *f, const datum *data, uint32_t count)
{
    const bool bytes = keeps_bytes(f), composite = is_composite(&f->type);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t words[2];
        memcpy(words, &data[i], sizeof words);
        if (composite)
            words[1] = data[i].record ? hash_of_record(data[i].record) : 0;
        hash = bytes ? hash_bytes(mix_kept(hash, data[i].size), data[i].bytes, data[i].size)
                     : mix_kept(hash, words[0] + words[1] * UINT64_C(0xD6E8FEB86659FD93));
    }
    return hash;
}

/* 0 says that a hash is not known. */
static uint64_t block_hash(const field *f, const datum *data, uint32_t count)
{
    const uint64_t hash = hash_of_elements((uint64_t)(uintptr_t)f, f, data, count);
    return hash != 0 ? hash : 1;
}

/* The hash of a block, or of the elements that become one. */
static uint64_t hash_of_block(const field *f, const slot *s, uint32_t at)
{
    element_block *b = s->blocks ? s->blocks[at] : NULL;
    const uint64_t hash =
        b && b->hash != 0 ? b->hash : block_hash(f, slot_at(s, at * SHARED_ELEMENTS), elements_of_block(s, at));
    if (b)
        b->hash = hash;
    return hash;
}

/* The hash of what is in a record, which does not change any more. */
static uint64_t hash_of_record(const record *r)
{
    uint64_t hash = (uint64_t)(uintptr_t)r->decl;
    if (r->hash != 0)
        return r->hash;
    for (const field *f = r->decl->fields; f; f = f->next) {
        const slot *s = slot_of(r, f);
        hash = mix_kept(hash, (uint64_t)s->count << 2 | (uint64_t)s->alike << 1 | s->present);
        const bool blocks = keeps_blocks(f, s);
        for (uint32_t i = 0; blocks && i < blocks_of(s); i++)
            hash = mix_kept(hash, hash_of_block(f, s, i));
        if (s->data && !blocks)
            hash = hash_of_elements(hash, f, s->data, slot_held(s));
    }
    return ((record *)(uintptr_t)r)->hash = hash != 0 ? hash : 1;
}

static bool same_record(const record *a, const record *b);

static bool same_elements(const field *f, const datum *a, const datum *b, uint32_t count)
{
    if (!keeps_bytes(f) && (count == 0 || memcmp(a, b, count * sizeof *a) == 0))
        return true;
    if (!keeps_bytes(f) && !is_composite(&f->type))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (keeps_bytes(f) ? a[i].size != b[i].size || (a[i].size > 0 && memcmp(a[i].bytes, b[i].bytes, a[i].size) != 0)
                           : a[i].tag != b[i].tag || !same_record(a[i].record, b[i].record))
            return false;
    return true;
}

/* a: of a kept record. */
static bool same_slot(const field *f, const slot *a, const slot *b)
{
    if (a->present != b->present || a->count != b->count || !a->indices != !b->indices || a->alike != b->alike ||
        !a->blocks != !keeps_blocks(f, b))
        return false;
    for (uint32_t i = 0; a->blocks && i < blocks_of(a); i++)
        if (!(b->blocks && a->blocks[i] == b->blocks[i]) &&
            !same_elements(f, a->blocks[i]->at, slot_at(b, i * SHARED_ELEMENTS), a->blocks[i]->count))
            return false;
    if (a->count > 0 && a->indices && memcmp(a->indices, b->indices, a->count * sizeof *a->indices) != 0)
        return false;
    return a->blocks || (a->data && b->data ? same_elements(f, a->data, b->data, slot_held(a)) : a->data == b->data);
}

static bool same_record(const record *a, const record *b)
{
    if (a == b)
        return true;
    bool same = a && b && a->decl == b->decl && hash_of_record(a) == hash_of_record(b);
    for (const field *f = same ? a->decl->fields : NULL; same && f; f = f->next)
        same = same_slot(f, slot_of(a, f), slot_of(b, f));
    return same;
}

/* ---- releasing */

static void release_record(kept_values *k, record *r);

static void release_elements(kept_values *k, const field *f, const datum *data, uint32_t count)
{
    for (uint32_t i = 0; i < count && is_composite(&f->type); i++)
        if (data[i].record)
            release_record(k, data[i].record);
}

static void release_block(kept_values *k, const field *f, element_block *b);

static void free_block(kept_values *k, const field *f, element_block *b)
{
    if (b->twin)
        release_block(k, b->twin->of, b->twin);
    if (b->text) {
        k->text_bytes -= b->text_size + KEPT_OVERHEAD;
        free((char *)(uintptr_t)b->text);
    }
    release_elements(k, f, b->at, b->count);
    give_back(k, b, size_of_block(f, b->at, b->count));
}

static void release_block(kept_values *k, const field *f, element_block *b)
{
    if (--b->refs > 0)
        return;
    element_block **at = &k->blocks[b->hash % KEPT_BUCKETS];
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    free_block(k, f, b);
}

static void release_slot(kept_values *k, const field *f, const slot *s)
{
    for (uint32_t i = 0; s->blocks && i < blocks_of(s); i++)
        release_block(k, f, s->blocks[i]);
    if (s->data)
        release_elements(k, f, s->data, slot_held(s));
}

static void free_record(kept_values *k, record *r)
{
    if (r->twin)
        release_record(k, r->twin);
    for (const field *f = r->decl->fields; f; f = f->next)
        release_slot(k, f, slot_of(r, f));
    give_back(k, r, size_of_record(r));
}

static void release_record(kept_values *k, record *r)
{
    if (r->refs == KEPT_ALWAYS || --r->refs > 0)
        return;
    record **at = &k->records[r->hash % KEPT_BUCKETS];
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    free_record(k, r);
}

/* ---- keeping */

static record *kept_record(kept_values *k, const record *r);

/* Copies elements to p, and keeps what is in them. */
static datum *copy_elements(kept_piece *p, const field *f, const datum *from, uint32_t count)
{
    datum *to = take(p, count * sizeof *to);
    memcpy(to, from, count * sizeof *to);
    for (uint32_t i = 0; i < count && keeps_bytes(f); i++) {
        to[i].bytes = take(p, from[i].size);
        if (from[i].size > 0)
            memcpy(to[i].bytes, from[i].bytes, from[i].size);
    }
    for (uint32_t i = 0; i < count && is_composite(&f->type); i++)
        to[i].record = from[i].record ? kept_record(p->kept, from[i].record) : NULL;
    return to;
}

static element_block *copy_of_block(kept_values *k, const field *f, const datum *from, uint32_t count, uint64_t hash)
{
    element_block *made = allocate(k, size_of_block(f, from, count));
    kept_piece p = {k, (char *)made->at};
    *made = (element_block){.refs = 1, .count = count, .of = f, .keeper = k, .hash = hash};
    copy_elements(&p, f, from, count);
    made->weight = block_weight(f, made);
    return made;
}

static element_block *kept_elements(kept_values *k, const field *f, const datum *from, uint32_t count, uint64_t hash)
{
    element_block **bucket = &k->blocks[hash % KEPT_BUCKETS], *same = *bucket;
    while (same &&
           !(same->hash == hash && same->of == f && same->count == count && same_elements(f, same->at, from, count)))
        same = same->next;
    if (same) {
        same->refs++;
        return same;
    }
    element_block *made = copy_of_block(k, f, from, count, hash);
    made->next = *bucket;
    return *bucket = made;
}

static element_block *kept_block(kept_values *k, const field *f, const slot *s, uint32_t at)
{
    element_block *shared = s->blocks ? s->blocks[at] : NULL;
    if (!shared || shared->refs == 0)
        return kept_elements(k, f, slot_at(s, at * SHARED_ELEMENTS), elements_of_block(s, at), hash_of_block(f, s, at));
    shared->refs++;
    return shared;
}

static void copy_slot(kept_piece *p, const field *f, const slot *from, slot *to)
{
    *to = *from;
    if (keeps_blocks(f, from)) {
        to->data = NULL;
        to->blocks = take(p, blocks_of(from) * sizeof *to->blocks);
        for (uint32_t i = 0; i < blocks_of(from); i++)
            to->blocks[i] = kept_block(p->kept, f, from, i);
        return;
    }
    to->blocks = NULL;
    if (from->data)
        to->data = copy_elements(p, f, from->data, slot_held(from));
    if (from->indices) {
        to->indices = take(p, from->count * sizeof *to->indices);
        if (from->count > 0)
            memcpy(to->indices, from->indices, from->count * sizeof *to->indices);
    }
}

static record *copy_of_record(kept_values *k, const record *r)
{
    record *made = allocate(k, size_of_record(r));
    kept_piece p = {k, (char *)(made + 1)};
    *made = (record){.decl = r->decl, .sound = true, .refs = 1, .hash = hash_of_record(r)};
    made->slots = take(&p, r->decl->field_count * sizeof *made->slots);
    for (const field *f = r->decl->fields; f; f = f->next)
        copy_slot(&p, f, slot_of(r, f), slot_of(made, f));
    made->weight = r->weight > 0 ? r->weight : record_weight(made);
    return made;
}

static record *kept_record(kept_values *k, const record *r)
{
    record **bucket = &k->records[hash_of_record(r) % KEPT_BUCKETS],
           *same = r->refs > 0 ? (record *)(uintptr_t)r : *bucket;
    while (same && !same_record(same, r))
        same = same->next;
    if (same) {
        same->refs += same->refs != KEPT_ALWAYS;
        return same;
    }
    record *made = copy_of_record(k, r);
    made->next = *bucket;
    return *bucket = made;
}

datum kept_value(kept_values *k, const datum *v)
{
    datum kept = *v;
    kept.record = kept_record(k, v->record);
    return kept;
}

void keep_twin_of_record(kept_values *k, const record *r, const record *twin)
{
    ((record *)(uintptr_t)r)->twin = kept_record(k, twin);
}

void keep_twin_of_block(kept_values *k, const element_block *b, const field *f, const datum *twin)
{
    ((element_block *)(uintptr_t)b)->twin = kept_elements(k, f, twin, b->count, block_hash(f, twin, b->count));
}

void keep_text_of_block(const element_block *b, const char *text, size_t size)
{
    element_block *to = (element_block *)(uintptr_t)b;
    kept_values *k = b->keeper;
    if (k->text_bytes + size + KEPT_OVERHEAD > KEPT_TEXTS)
        return;
    char *copy = malloc(size);
    if (!copy)
        arena_out_of_memory();
    memcpy(copy, text, size);
    to->text = copy;
    to->text_size = size;
    k->text_bytes += size + KEPT_OVERHEAD;
}

void release_value(kept_values *k, const datum *v)
{
    release_record(k, v->record);
}

/* ---- all of them */

kept_values *kept_values_new(void)
{
    kept_values *k = calloc(1, sizeof *k);
    if (!k)
        arena_out_of_memory();
    return k;
}

void kept_values_free(kept_values *k)
{
    free(k);
}

size_t kept_values_size(const kept_values *k)
{
    return k->bytes;
}

size_t kept_texts_size(const kept_values *k)
{
    return k->text_bytes;
}
