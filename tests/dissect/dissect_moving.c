/* dissect_moving.c - datagrams whose deltas are to predictions: a baseline that goes on as it has moved.
 * SPDX-License-Identifier: MIT
 */
#include "../fuzz/values.h"
#include "dissect_test.h"

#include <inttypes.h>

enum { HEADER_BITS = 50 }; /* at most, with the crc */

/* Header.number, and minus Header.back, and minus Header.gap. */
static const field_sum *sum_of(arena *a, const decl *header, uint32_t fields)
{
    field_sum *sum = NULL, **end = &sum;
    const field *f = header->fields;
    for (uint32_t i = 0; i < fields; i++, f = f->next) {
        *end = ARENA_NEW(a, field_sum);
        **end = (field_sum){.minus = i > 0, .decl = header, .path = {f}, .depth = 1};
        end = &(*end)->next;
    }
    return sum;
}

static dissector *moving_dissector(test *t, const schema *s, const decl *header, const decl *state)
{
    dissector *by = add_dissector(t, s, "moving", s->id, 5);
    dissect_stream *stream = ARENA_NEW(t->arena, dissect_stream);
    dissect_part *first = ARENA_NEW(t->arena, dissect_part), *second = ARENA_NEW(t->arena, dissect_part);
    *second = (dissect_part){.decl = state,
                             .delta = true,
                             .number = sum_of(t->arena, header, 1),
                             .base_number = sum_of(t->arena, header, 2),
                             .before_number = sum_of(t->arena, header, 3)};
    *first = (dissect_part){.next = second, .decl = header};
    *stream = (dissect_stream){.name = "Update", .parts = first};
    dissect_part *last = ARENA_NEW(t->arena, dissect_part), *row = ARENA_NEW(t->arena, dissect_part);
    dissect_stream *lasts = ARENA_NEW(t->arena, dissect_stream), *rows = ARENA_NEW(t->arena, dissect_stream);
    *last = (dissect_part){.decl = state, .delta = true, .last = true, .moves = true};
    *row = (dissect_part){.decl = state, .delta = true, .chained = true, .moves = true, .many = true};
    *lasts = (dissect_stream){.next = stream, .name = "Last", .parts = last};
    *rows = (dissect_stream){.next = lasts, .name = "Row", .parts = row};
    by->how.streams = rows;
    return by;
}

static void set_optional(arena *a, const record *r, const field *f, uint32_t number)
{
    slot *s = slot_of(r, f);
    s->present = number != 0;
    s->count = 1;
    s->data = ARENA_NEW(a, datum);
    s->data[0].number = number ? number : 1;
}

static datum header_of(arena *a, const decl *d, uint8_t number, uint32_t back, uint32_t gap)
{
    datum v = base_of_type(a, d);
    slot_of(v.record, d->fields)->data[0].number = number;
    set_optional(a, v.record, d->fields->next, back);
    set_optional(a, v.record, d->fields->next->next, gap);
    return v;
}

/* Adds a datagram, and some in which a bit behind the header is another: it says which baseline they have. Those that
 * are no refusals would be baselines of later ones. */
static void add_variants(test *t, lot *l, const datagram *like, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = arena_alloc(t->arena, size);
    codec_part *read;
    codec_error error;
    add_datagram(t, like, bytes, size);
    for (unsigned i = 0; i < 4; i++) {
        for (size_t k = 0; k < size; k++)
            copy[k] = bytes[k];
        const uint32_t bit = HEADER_BITS + lot_below(l, 8 * (uint32_t)size - HEADER_BITS);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        mend_crc(like, copy, size);
        if (!codec_read_stream(t->arena, like->by->schema, like->parts, copy, size, &like->options, &read, &error))
            add_datagram(t, like, copy, size);
    }
}

/* A state that can be written, near an older one if there is one. */
static datum draw_state(test *t, lot *l, const decl *state, const datum *near)
{
    const datum v = near ? vary_value(t->arena, l, state, near, 0) : draw_value(t->arena, l, state, 0);
    return settled_datum(t->arena, &v);
}

/* States that are deltas to the one before them, which has moved from the one before that: in a row, or each in a
 * datagram of its own. */
static void add_neighbours(test *t, const dissector *by, const schema *s, const decl *state, bool in_rows,
                           uint64_t seed)
{
    enum { DATAGRAMS = 30 };
    lot l = {seed};
    const datum *older = NULL, *old = NULL;
    for (unsigned i = 0; i < DATAGRAMS; i++) {
        codec_part *parts = NULL, **end = &parts, *read = NULL, *list = part_of(t->arena, state, true, in_rows);
        datagram like = {.by = by, .knows_base = true, .parts = list};
        like.what = arena_printf(t->arena, "%s %u, seed %" PRIu64, in_rows ? "in rows" : "neighbours", i, seed);
        like.options = (codec_options){
            .framed = true, .frame = in_rows ? "Row" : "Last", .id = s->id, .seed = 5, .room = SIZE_MAX};
        codec_error error;
        size_t size;
        uint8_t *bytes = NULL;
        list->chained = list->moves = in_rows;
        if (!in_rows && old) {
            list->base = old;
            if (older) {
                datum *moved = ARENA_NEW(t->arena, datum);
                *moved = codec_predict(t->arena, state, old, older, 1, 1);
                list->was = old;
                list->base = moved;
            }
        }
        while (!bytes) {
            parts = NULL;
            end = &parts;
            for (uint32_t n = in_rows ? lot_between(&l, 1, 4) : 1; n > 0; n--) {
                *end = ARENA_NEW(t->arena, codec_part);
                **end = *list;
                (*end)->value = draw_state(t, &l, state, old);
                old = in_rows ? &(*end)->value : old;
                end = &(*end)->next;
            }
            bytes = codec_write_stream(t->arena, s, parts, &like.options, &size, &error);
        }
        (void)codec_read_stream(t->arena, s, list, bytes, size, &like.options, &read, &error);
        older = old;
        old = &read->value;
        /* Behind a good one, a variant would have another last value. */
        if (in_rows && 8 * size > 2 * HEADER_BITS)
            add_variants(t, &l, &like, bytes, size);
        else
            add_datagram(t, &like, bytes, size);
    }
}

void add_moving(test *t, const source *text, uint64_t seed)
{
    enum { DATAGRAMS = 90, FIRST = 200, LOST = 40 };
    lot l = {seed};
    const schema *s = checked(t, text, true);
    const decl *header = type_called(s, "Header"), *state = type_called(s, "State");
    const dissector *by = moving_dissector(t, s, header, state);
    datum *sent = ARENA_ARRAY(t->arena, datum, DATAGRAMS);
    add_neighbours(t, by, s, state, false, seed);
    add_neighbours(t, by, s, state, true, seed);
    bool known[DATAGRAMS]; /* the capture has it, and all that it depends on */
    for (uint32_t i = 0; i < DATAGRAMS; i++) {
        const uint32_t back = i == 0 || lot_one_in(&l, 9) ? 0 : lot_between(&l, 1, i < 9 ? i : 9);
        const uint32_t least = i - back < 7 ? i - back : 7;
        const uint32_t gap = back == 0 || least == 0 || lot_one_in(&l, 9) ? 0 : lot_between(&l, 1, least);
        codec_part *first = part_of(t->arena, header, false, false), *second = part_of(t->arena, state, true, false);
        datagram like = {.by = by, .what = arena_printf(t->arena, "moving, seed %" PRIu64, seed), .parts = first};
        like.options = (codec_options){.framed = true, .frame = "Update", .id = s->id, .seed = 5, .room = SIZE_MAX};
        like.knows_base = !back || (known[i - back] && (!gap || known[i - back - gap]));
        known[i] = like.knows_base && i % LOST != LOST - 1;
        first->next = second;
        first->value = header_of(t->arena, header, (uint8_t)(FIRST + i), back, gap);
        second->base = back ? &sent[i - back] : NULL;
        if (gap) {
            datum *moved = ARENA_NEW(t->arena, datum);
            *moved = codec_predict(t->arena, state, second->base, &sent[i - back - gap], back, gap);
            second->was = second->base;
            second->base = moved;
        }
        codec_error error;
        size_t size;
        uint8_t *bytes = NULL;
        while (!bytes) {
            second->value = draw_state(t, &l, state, second->base);
            bytes = codec_write_stream(t->arena, s, first, &like.options, &size, &error);
        }
        /* What a reader gets is the baseline of later ones. */
        codec_part *read = NULL;
        (void)codec_read_stream(t->arena, s, first, bytes, size, &like.options, &read, &error);
        sent[i] = read->next->value;
        if (i % LOST != LOST - 1)
            add_variants(t, &l, &like, bytes, size);
    }
}
