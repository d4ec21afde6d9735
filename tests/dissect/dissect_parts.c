/* dissect_parts.c - packets with parts: deltas to values of earlier packets, which the packets name.
 * SPDX-License-Identifier: MIT
 */
#include "../fuzz/values.h"
#include "dissect_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* While the codec writes or reads a packet. */
typedef struct part_finder {
    arena *arena;
    const kept_value *kept, *starts;
    const char *first; /* the name of the first part: "Down.world" */
    uint64_t head;     /* how many bits are before it */
    bool names_base, knows_base;
    bool misleads; /* a baseline is not known, but an older value of its number is */
    lot *lost;     /* it makes up the values of packets before the capture; NULL: there are none */
} part_finder;

/* A value that both sides have, but the capture has not. */
static const kept_value *lost_value(part_finder *f, const codec_part *wanted, uint64_t number)
{
    const datum v = draw_value(f->arena, f->lost, wanted->decl, 0);
    kept_value *k = ARENA_NEW(f->arena, kept_value);
    *k = (kept_value){f->kept, wanted->field, number, settled_datum(f->arena, &v), false};
    f->kept = k;
    return k;
}

/* Whether a dissector may take an older value for one that is not known, because both have the same number: the datagram of
 * the newer one was lost, or its dissection ended before it. */
static bool is_misleading(const kept_value *k)
{
    const kept_value *older = k;
    while (older && !older->known)
        older = find_kept(older->next, k->field, k->number);
    return older && older != k;
}

static bool find_part(void *user, const codec_part *wanted, uint64_t number, const datum **base)
{
    part_finder *f = user;
    const kept_value *k = find_kept(f->kept, wanted->field, number);
    if (!k && f->lost)
        k = lost_value(f, wanted, number);
    f->names_base = true;
    f->knows_base = f->knows_base && k && k->known;
    f->misleads = f->misleads || is_misleading(k);
    *base = k ? &k->value : NULL;
    return k != NULL;
}

static const datum *find_start(void *user, const codec_part *part)
{
    const part_finder *f = user;
    return find_kept_start(f->starts, part);
}

static void find_head(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    part_finder *f = user;
    const char *name = codec_place_name(f->arena, p);
    const size_t size = strlen(f->first);
    (void)bits;
    (void)data;
    if (f->head == 0 && strncmp(name, f->first, size) == 0 && strchr(".[", name[size])) /* not "back", of a part "b" */
        f->head = bit;
}

static const field *first_part(const decl *d)
{
    const field *f = d->fields;
    while (!f->part)
        f = f->next;
    return f;
}

static datum *term_of(const field_sum *term, datum *v)
{
    for (unsigned i = 0; i < term->depth; i++)
        v = &slot_of(v->record, term->path[i])->data[0];
    return v;
}

/* Gives the parts of a packet a number: the first field of their name makes up for the others. */
static void set_number(const field *part, datum *v, uint64_t number)
{
    const field_sum *name = part->part->number;
    for (const field_sum *t = name->next; t; t = t->next) {
        const uint64_t term = t->depth > 0 ? term_of(t, v)->number : t->number;
        number = t->minus ? number + term : number - term;
    }
    term_of(name, v)->number = part->part->bits < 64 ? number % (UINT64_C(1) << part->part->bits) : number;
}

/* The bytes of a packet that is similar to an older one, if there is one. It refers to packets of the series, or, if it
 * cannot in a few tries, to lost ones: the first has to if its schema lets each packet name a baseline. NULL if no value
 * can be written. */
static uint8_t *draw_packet(test *t, lot *l, const decl *d, const datum *near, uint64_t number, const datagram *like,
                            part_finder *finder, size_t *size)
{
    enum { SERIES_TRIES = 50, MOST_TRIES = 500 };
    codec_options how = like->options;
    codec_error error;
    uint8_t *bytes = NULL;
    how.find = find_part;
    how.start = find_start;
    how.user = finder;
    for (unsigned tries = 0; !bytes && tries < MOST_TRIES; tries++) {
        finder->lost = tries < SERIES_TRIES ? NULL : l;
        datum v = near ? vary_value(t->arena, l, d, near, 0) : draw_value(t->arena, l, d, 0);
        v = settled_datum(t->arena, &v);
        set_number(first_part(d), &v, number);
        bytes = codec_write(t->arena, like->by->schema, d, &v, &how, size, &error);
    }
    return bytes;
}

/* Variants with another bit in or after the first part, if they are refused: others would be baselines of later packets.
 * A crc without baselines in it is right if the packet names none. */
static void add_flips(test *t, lot *l, const datagram *like, part_finder *finder, const uint8_t *bytes, size_t size)
{
    const uint32_t head = (uint32_t)finder->head;
    uint8_t *copy = arena_alloc(t->arena, size);
    for (unsigned i = 0; head > 0 && i < 3; i++) {
        codec_options how = like->options;
        codec_error error;
        datum v;
        memcpy(copy, bytes, size);
        const uint32_t bit = head + lot_below(l, 8 * (uint32_t)size - head);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (!like->starts && lot_one_in(l, 4) == like->names_base)
            mend_crc(like, copy, size);
        how.ignore_crc = true;
        how.find = find_part;
        how.start = find_start;
        how.user = finder;
        if (!codec_read(t->arena, like->by->schema, like->decl, copy, size, &how, &v, &error))
            add_datagram(t, like, copy, size);
    }
}

/* Start values for the parts that may have one, each in a frame. */
static const kept_value *add_starts(test *t, lot *l, const dissector *by, const decl *d, uint64_t seed)
{
    const kept_value *starts = NULL;
    for (const field *f = d->fields; f; f = f->next) {
        if (!f->part || !f->part->starts)
            continue;
        const datum v = draw_value(t->arena, l, f->type.decl, 0);
        datagram like = {.by = by, .parts = part_of(t->arena, f->type.decl, false, false), .knows_base = true};
        codec_part part = {.decl = f->type.decl};
        codec_error error;
        size_t size;
        kept_value *k = ARENA_NEW(t->arena, kept_value);
        like.what = arena_printf(t->arena, "%s, the start of %s.%s, seed %" PRIu64, by->schema->root->path, d->name,
                                 f->name, seed);
        like.options = (codec_options){.framed = true,
                                       .frame = arena_printf(t->arena, "%s.%s_start", d->name, f->name),
                                       .id = by->schema->id,
                                       .seed = by->how.seed,
                                       .room = SIZE_MAX};
        *k = (kept_value){starts, f, 0, settled_datum(t->arena, &v), true};
        part.value = k->value;
        const uint8_t *bytes = codec_write_stream(t->arena, by->schema, &part, &like.options, &size, &error);
        codec_part *read = NULL;
        if (!bytes || !codec_read_stream(t->arena, by->schema, like.parts, bytes, size, &like.options, &read, &error)) {
            printf("%s: no value can be written\n", like.what);
            exit(1);
        }
        k->value = read->value; /* as all have it */
        starts = k;
        add_datagram(t, &like, bytes, size);
    }
    return starts;
}

void add_series(test *t, lot *l, const dissector *by, const decl *d, uint64_t seed)
{
    enum { DATAGRAMS = 60, FIRST = 230, LOST = 13 };
    const schema *s = by->schema;
    const char *first = arena_printf(t->arena, "%s.%s", d->name, first_part(d)->name);
    const kept_value *kept = NULL, *starts = add_starts(t, l, by, d, seed);
    const datum *near = NULL;
    for (uint32_t i = 0; i < DATAGRAMS; i++) {
        datagram like = {.by = by, .decl = d, .kept = kept, .starts = starts};
        part_finder finder = {.arena = t->arena, .kept = kept, .starts = starts, .first = first, .knows_base = true};
        codec_part *parts = NULL;
        codec_error error;
        datum *v = ARENA_NEW(t->arena, datum);
        size_t size;
        like.what = arena_printf(t->arena, "%s, %s %" PRIu32 ", seed %" PRIu64, s->root->path, d->name, i, seed);
        like.options = (codec_options){.framed = true, .id = s->id, .seed = by->how.seed, .room = SIZE_MAX};
        const uint8_t *bytes = draw_packet(t, l, d, near, FIRST + i, &like, &finder, &size);
        if (!bytes) {
            printf("%s: no value can be written\n", like.what);
            exit(1);
        }
        like.kept = kept = finder.kept;
        codec_options how = like.options;
        finder = (part_finder){.arena = t->arena, .kept = kept, .starts = starts, .first = first, .knows_base = true};
        how.find = find_part;
        how.start = find_start;
        how.trace = find_head;
        how.parts = &parts;
        how.user = &finder;
        if (!codec_read(t->arena, s, d, bytes, size, &how, v, &error))
            return;
        like.names_base = finder.names_base;
        like.knows_base = finder.knows_base;
        const bool is_lost = i % LOST == LOST - 1 || finder.misleads;
        for (const codec_part *p = parts; p; p = p->next) {
            kept_value *k = ARENA_NEW(t->arena, kept_value);
            *k = (kept_value){kept, p->field, p->called, p->value, finder.knows_base && !is_lost};
            kept = k;
        }
        near = v;
        if (!is_lost)
            add_datagram(t, &like, bytes, size);
        if (!is_lost && like.knows_base)
            add_flips(t, l, &like, &finder, bytes, size);
    }
}

void add_parts(test *t, const source *text, uint64_t seed)
{
    lot l = {seed};
    const schema *s = checked(t, text, true);
    for (const decl *d = s->decls; d; d = d->next)
        if (d->parts > 0)
            add_series(t, &l,
                       add_dissector(t, s, arena_printf(t->arena, "parts%" PRIu32, t->dissector_count), s->id,
                                     lot_one_in(&l, 2) ? lot_next(&l) : 0),
                       d, seed);
}
