/* dissect_cases.c - datagrams: the records of vectors files, and random values with variants of their bytes.
 * SPDX-License-Identifier: MIT
 */
#include "../interop/vectors.h"
#include "../fuzz/values.h"
#include "dissect_test.h"
#include "check/check.h"
#include "codec/codec_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DATAGRAM = 60000, FIRST_PORT = 20000 };

/* ---- adding */

dissector *add_dissector(test *t, const schema *s, const char *protocol, uint64_t id, uint64_t seed)
{
    dissector *d = ARENA_NEW(t->arena, dissector);
    schema *copy = ARENA_NEW(t->arena, schema);
    *copy = *s;
    copy->id = id;
    copy->protocol = protocol;
    d->schema = copy;
    d->port = FIRST_PORT + t->dissector_count++;
    d->file = arena_printf(t->arena, "%s_%" PRIu32 ".lua", protocol, d->port);
    d->how = (dissect_options){.ports = arena_printf(t->arena, "%" PRIu32, d->port), .seed = seed};
    *t->last_dissector = d;
    t->last_dissector = &d->next;
    return d;
}

static const dissect_part *parts_of(arena *a, const codec_part *parts)
{
    const dissect_part *first = NULL, **end = &first;
    for (; parts; parts = parts->next) {
        dissect_part *p = ARENA_NEW(a, dissect_part);
        *p = (dissect_part){.decl = parts->decl,
                            .delta = parts->delta,
                            .many = parts->many,
                            .chained = parts->chained,
                            .last = parts->last};
        *end = p;
        end = &p->next;
    }
    return first;
}

static void add_stream(arena *a, dissector *d, const char *name, const codec_part *parts)
{
    dissect_stream *s = ARENA_NEW(a, dissect_stream);
    *s = (dissect_stream){.next = d->how.streams, .name = name, .parts = parts_of(a, parts)};
    d->how.streams = s;
}

/* The options for a packet or frame, of which a stable one has an id of its own. */
static codec_options options_of(const datagram *d)
{
    codec_options how = d->options;
    if (d->decl && d->decl->stable)
        how.id = d->decl->stable_id;
    return how;
}

static const char *name_of(const datagram *d)
{
    return d->decl ? d->decl->name : d->options.frame;
}

static bool tells_release(const datagram *like, const uint8_t *bytes, size_t size)
{
    const codec_options how = options_of(like);
    return !like->names_base && codec_has_crc(name_of(like), bytes, size, &how);
}

void add_datagram(test *t, const datagram *like, const uint8_t *bytes, size_t size)
{
    if (size == 0 || size > MOST_DATAGRAM) /* Wireshark asks no dissector about no bytes */
        return;
    if (like->by->shown_as && !tells_release(like, bytes, size))
        return;
    datagram *d = ARENA_NEW(t->arena, datagram);
    uint8_t *copy = arena_alloc(t->arena, size);
    memcpy(copy, bytes, size);
    *d = *like;
    d->next = NULL;
    d->bytes = copy;
    d->size = size;
    *t->last_datagram = d;
    t->last_datagram = &d->next;
    t->datagram_count++;
}

codec_part *part_of(arena *a, const decl *d, bool delta, bool many)
{
    codec_part *p = ARENA_NEW(a, codec_part);
    *p = (codec_part){.decl = d, .delta = delta, .many = many};
    return p;
}

const schema *checked(test *t, const source *text, bool checks)
{
    const check_options options = {.checks = checks};
    diag *d = diag_new(t->arena);
    const schema *s = check(t->arena, names_new(t->arena), d, text, &options);
    if (!s) {
        diag_print(d, DIAG_TEXT, stderr);
        exit(2);
    }
    return s;
}

/* ---- vectors */

const decl *type_called(const schema *s, const char *name)
{
    for (const decl *d = s->decls; d; d = d->next)
        if ((d->kind == DECL_STRUCT || d->kind == DECL_UNION) && strcmp(d->name, name) == 0)
            return d;
    return NULL;
}

/* The dissector of records of a type: of the packet with an id in hexadecimal, or of its body. */
static const dissector *dissector_of(test *t, const schema *s, const decl *d, const char *id, bool delta)
{
    const char *name =
        arena_printf(t->arena, "v_%s_%s_%s%s", s->root->name, d->name, id ? id : "body", delta ? "_delta" : "");
    for (const dissector *each = t->dissectors; each; each = each->next)
        if (strcmp(each->schema->protocol, name) == 0)
            return each;
    dissector *made = add_dissector(t, s, name, id ? strtoull(id, NULL, 16) : s->id, 0);
    if (!id || delta)
        add_stream(t->arena, made, id ? d->name : NULL, part_of(t->arena, d, delta, false));
    return made;
}

static bool read_base(test *t, const decl *d, json_t *base, datum *v)
{
    const char *problem;
    char *text = json_dumps(base, JSON_ENCODE_ANY);
    const bool good = json_read(t->arena, d, text, strlen(text), v, &problem);
    free(text);
    return good;
}

/* Whether a datagram has the checksum of another packet than it should, or of another id, which a dissector recognizes. */
static bool is_another(test *t, const datagram *wanted, const uint8_t *bytes, size_t size)
{
    const schema *s = wanted->by->schema;
    codec_options how = wanted->options;
    codec_error error;
    datum v;
    for (const decl *d = s->decls; how.framed && d; d = d->next)
        if (d->packet && d != wanted->decl &&
            (codec_read(t->arena, s, d, bytes, size, &how, &v, &error) || error.bit != 0))
            return true;
    for (const dissector *other = t->dissectors; how.framed && other; other = other->next) {
        how.id = other->schema->id;
        if (how.id != s->id && codec_has_crc(wanted->decl->name, bytes, size, &how))
            return true;
    }
    return false;
}

/* The baseline goes on as it has moved from the value "before" of a record. */
static void predict_base(test *t, const decl *d, const json_t *from, codec_options *how)
{
    json_t *before = json_object_get(from, "before");
    datum older, *moved = ARENA_NEW(t->arena, datum);
    if (!before || json_is_null(before) || !read_base(t, d, before, &older))
        return;
    how->was = how->base;
    *moved = codec_predict(t->arena, d, how->base, &older, (uint32_t)json_integer_value(json_object_get(from, "back")),
                           (uint32_t)json_integer_value(json_object_get(from, "gap")));
    how->base = moved;
}

static void add_record(test *t, const schema *s, const char *file_name, const vector *v)
{
    const char *hex = json_string_value(json_object_get(v->record, "hex"));
    const char *id = json_string_value(json_object_get(v->record, "id"));
    json_t *base = json_object_get(v->record, "base");
    const decl *d = type_called(s, json_string_value(json_object_get(v->record, "type")));
    if (!hex || !d)
        return;
    datagram made = {.what = arena_printf(t->arena, "%s:%" PRIu32, file_name, v->line), .decl = d};
    made.by = dissector_of(t, s, d, id, base != NULL);
    made.options = (codec_options){.framed = id != NULL, .id = made.by->schema->id, .delta = base != NULL};
    if (base && !json_is_null(base)) {
        datum *baseline = ARENA_NEW(t->arena, datum);
        if (!read_base(t, d, base, baseline))
            return;
        made.options.base = baseline;
        predict_base(t, d, v->record, &made.options);
    }
    const size_t size = strlen(hex) / 2;
    uint8_t *bytes = arena_alloc(t->arena, size);
    for (size_t i = 0; i < size; i++) {
        const char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    if (!is_another(t, &made, bytes, size))
        add_datagram(t, &made, bytes, size);
}

/* The schema of a suite, with its model in it: each line of the model is a string. */
static const char *schema_text(arena *a, const suite *s)
{
    const char *start = s->model ? strstr(s->pkt, "model \"") : NULL, *text;
    if (!start)
        return s->pkt;
    text = arena_printf(a, "%.*smodel {\n", (int)(start - s->pkt), s->pkt);
    for (const char *line = s->model; *line; line += strspn(line, "\n")) {
        const size_t size = strcspn(line, "\n");
        text = arena_printf(a, "%s\"%.*s\",\n", text, (int)size, line);
        line += size;
    }
    return arena_printf(a, "%s}%s", text, strchr(start, ';') + 1);
}

void add_vectors(test *t, const char *file_name)
{
    const source *file = source_read(t->arena, file_name);
    if (!file) {
        perror(file_name);
        exit(2);
    }
    for (const suite *each = read_vectors(t->arena, file); each; each = each->next) {
        const char *pkt = schema_text(t->arena, each);
        const source *text = source_from(t->arena, arena_printf(t->arena, "%s.pkt", each->name), pkt, strlen(pkt));
        const schema *s = checked(t, text, true);
        for (const vector *v = each->vectors; v; v = v->next) {
            add_record(t, s, file_name, v);
            json_decref(v->record);
        }
    }
}

/* ---- random values */

void mend_crc(const datagram *d, uint8_t *bytes, size_t size)
{
    const char *name = name_of(d);
    const codec_options how = options_of(d);
    uint8_t number[8];
    if (size < 4)
        return;
    for (unsigned i = 0; i < 8; i++)
        number[i] = (uint8_t)(how.id >> 8 * i);
    uint32_t crc = pkt_crc32(pkt_crc32(0, number, 8), name, strlen(name));
    for (unsigned i = 0; i < 8; i++)
        number[i] = (uint8_t)(d->options.seed >> 8 * i);
    if (d->options.seed != 0)
        crc = pkt_crc32(crc, number, 8);
    crc = pkt_crc32(crc, bytes + 4, size - 4);
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(crc >> 8 * i);
}

static void add_variants(test *t, lot *l, const datagram *like, const uint8_t *good, size_t size)
{
    uint8_t *bytes = arena_alloc(t->arena, size + 2);
    for (int i = 0; i < 5; i++) {
        size_t length = size;
        memcpy(bytes, good, size);
        bytes[size] = bytes[size + 1] = 0;
        if (i == 0)
            length = lot_below(l, (uint32_t)size);
        else if (i == 1)
            length = size + lot_between(l, 1, 2);
        else
            for (uint32_t flips = lot_between(l, 1, i < 4 ? 1 : 4); flips > 0; flips--) {
                const uint32_t bit = 32 * (size > 4) + lot_below(l, 8 * (uint32_t)(size > 4 ? size - 4 : size));
                bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
        if (!lot_one_in(l, 16))
            mend_crc(like, bytes, length);
        add_datagram(t, like, bytes, length);
    }
}

static void add_value(test *t, lot *l, datagram *like)
{
    const schema *s = like->by->schema;
    codec_error error;
    codec_part *parts = NULL, **end = &parts, *last = NULL;
    size_t size;
    uint8_t *bytes;
    like->options.room = SIZE_MAX;
    if (like->decl) {
        const datum v = lot_one_in(l, 4) ? draw_least(t->arena, l, like->decl) : draw_value(t->arena, l, like->decl, 0);
        bytes = codec_write(t->arena, s, like->decl, &v, &like->options, &size, &error);
    } else {
        for (const codec_part *each = like->parts; each; each = each->next) {
            for (uint32_t count = each->many ? lot_below(l, 4) : 1; count > 0; count--) {
                codec_part *p = part_of(t->arena, each->decl, each->delta, false);
                const datum *base = each->chained && last ? &last->value : each->base;
                p->base = each->base;
                p->chained = each->chained;
                p->value = base ? vary_value(t->arena, l, each->decl, base, 0) : draw_value(t->arena, l, each->decl, 0);
                last = *end = p;
                end = &p->next;
            }
        }
        bytes = codec_write_stream(t->arena, s, parts, &like->options, &size, &error);
    }
    if (!bytes)
        return;
    add_datagram(t, like, bytes, size);
    if (size <= MOST_DATAGRAM)
        add_variants(t, l, like, bytes, size);
}

/* A frame around values each of which is a delta to the one before. */
static void add_chains(test *t, lot *l, dissector *by, const char *what, const decl *d, uint32_t cases)
{
    const char *name = arena_printf(t->arena, "chain of %s", d->name);
    codec_part *part = part_of(t->arena, d, true, true);
    part->chained = true;
    add_stream(t->arena, by, name, part);
    for (uint32_t i = 0; i < cases; i++) {
        datagram like = {.by = by, .what = arena_printf(t->arena, "%s, %s", what, name), .parts = part};
        like.options = (codec_options){.framed = true, .frame = name, .id = by->schema->id, .seed = by->how.seed};
        add_value(t, l, &like);
    }
}

/* Frames around one value each, which is a delta to that of the frame before. No other value of the type is between them.
 * If nobody looked at the frame before, what it was read as shows here: all of a value is compared. */
static void add_last(test *t, lot *l, const schema *s, const char *what, const decl *d)
{
    dissector *by = add_dissector(t, s, arena_printf(t->arena, "last%" PRIu32, t->dissector_count), s->id, 0);
    const char *name = d->name; /* so it is what T_pack_delta makes */
    codec_part *listed = part_of(t->arena, d, true, false);
    const datum *base = NULL;
    listed->last = true;
    add_stream(t->arena, by, name, listed);
    for (uint32_t i = 0; i < 4; i++) {
        codec_part *p = part_of(t->arena, d, true, false), *read = NULL;
        datagram like = {
            .by = by, .what = arena_printf(t->arena, "%s, %s", what, name), .parts = p, .knows_base = true};
        like.options = (codec_options){.framed = true, .frame = name, .id = by->schema->id, .seed = by->how.seed};
        like.options.room = MOST_DATAGRAM;
        const datum v = base ? vary_value(t->arena, l, d, base, 0) : draw_value(t->arena, l, d, 0);
        codec_error error;
        size_t size;
        p->base = base;
        p->value = settled_datum(t->arena, &v);
        const uint8_t *bytes = codec_write_stream(t->arena, by->schema, p, &like.options, &size, &error);
        if (!bytes || !codec_read_stream(t->arena, by->schema, p, bytes, size, &like.options, &read, &error))
            return;
        base = &read->value;
        add_datagram(t, &like, bytes, size);
    }
}

/* A frame around a stream that begins with a value of this type. */
static void add_frames(test *t, lot *l, dissector *by, const char *what, const decl *d, bool delta, uint32_t cases)
{
    const char *name = arena_printf(t->arena, "%s of %s", delta ? "delta" : "stream", d->name);
    codec_part *first = part_of(t->arena, d, delta, false);
    if (!delta)
        first->next = part_of(t->arena, d, false, true);
    add_stream(t->arena, by, name, first);
    for (uint32_t i = 0; i < cases; i++) {
        codec_part *part = part_of(t->arena, d, delta, false);
        *part = *first;
        if (delta && !lot_one_in(l, 4)) {
            datum *base = ARENA_NEW(t->arena, datum);
            *base = draw_value(t->arena, l, d, 0);
            part->base = base;
        }
        datagram like = {.by = by, .what = arena_printf(t->arena, "%s, %s", what, name), .parts = part};
        like.options = (codec_options){.framed = true, .frame = name, .id = by->schema->id, .seed = by->how.seed};
        add_value(t, l, &like);
    }
}

void add_types(test *t, lot *l, dissector *by, const char *what, uint32_t cases)
{
    const schema *s = by->schema;
    for (const decl *d = s->decls; d; d = d->next) {
        if ((d->kind != DECL_STRUCT && d->kind != DECL_UNION) || d->parts > 0 || d->key)
            continue;
        datagram like = {.by = by, .what = arena_printf(t->arena, "%s, %s", what, d->name), .decl = d};
        like.options = (codec_options){.framed = true, .id = s->id, .seed = d->seeded ? by->how.seed : 0};
        for (uint32_t i = 0; d->packet && i < cases; i++)
            add_value(t, l, &like);
        add_frames(t, l, by, what, d, false, (cases + 1) / 2);
        if (d->delta) {
            add_frames(t, l, by, what, d, true, (cases + 1) / 2);
            add_chains(t, l, by, what, d, cases);
        }
    }
}

void add_schema(test *t, const source *text, uint64_t seed, uint32_t cases)
{
    lot l = {seed};
    const schema *s = checked(t, text, !lot_one_in(&l, 4));
    const char *what = arena_printf(t->arena, "%s, seed %" PRIu64, text->path, seed);
    dissector *by = add_dissector(t, s, arena_printf(t->arena, "r%" PRIu32, t->dissector_count), s->id,
                                  lot_one_in(&l, 2) ? lot_next(&l) : 0);
    add_types(t, &l, by, what, cases);
    for (const decl *d = s->decls; d; d = d->next)
        if (d->delta && d->parts == 0 && !d->key)
            add_last(t, &l, s, what, d);
    add_parts(t, text, seed);
}

/* ---- baselines by number */

/* Header.number, or Header.number - Header.back. */
static const field_sum *sum_of(arena *a, const decl *header, bool minus_back)
{
    field_sum *number = ARENA_NEW(a, field_sum), *back = ARENA_NEW(a, field_sum);
    *back = (field_sum){.minus = true, .decl = header, .path = {header->fields->next}, .depth = 1};
    *number = (field_sum){.next = minus_back ? back : NULL, .decl = header, .path = {header->fields}, .depth = 1};
    return number;
}

static dissector *numbered_dissector(test *t, const schema *s, const decl *header, const decl *state)
{
    dissector *by = add_dissector(t, s, "numbered", s->id, 5);
    dissect_stream *stream = ARENA_NEW(t->arena, dissect_stream);
    dissect_part *first = ARENA_NEW(t->arena, dissect_part), *second = ARENA_NEW(t->arena, dissect_part);
    *second = (dissect_part){.decl = state,
                             .delta = true,
                             .number = sum_of(t->arena, header, false),
                             .base_number = sum_of(t->arena, header, true)};
    *first = (dissect_part){.next = second, .decl = header};
    *stream = (dissect_stream){.name = "Update", .parts = first};
    by->how.streams = stream;
    return by;
}

static datum header_of(arena *a, const decl *d, uint8_t number, uint32_t back)
{
    datum v = base_of_type(a, d);
    slot_of(v.record, d->fields)->data[0].number = number;
    slot *s = slot_of(v.record, d->fields->next);
    s->present = back != 0;
    s->count = 1;
    s->data = ARENA_NEW(a, datum);
    s->data[0].number = back ? back : 1;
    return v;
}

void add_numbered(test *t, const source *text, uint64_t seed)
{
    enum { DATAGRAMS = 60, FIRST = 230, LOST = 7 };
    lot l = {seed};
    const schema *s = checked(t, text, true);
    const decl *header = type_called(s, "Header"), *state = type_called(s, "State");
    const dissector *by = numbered_dissector(t, s, header, state);
    datum *sent = ARENA_ARRAY(t->arena, datum, DATAGRAMS);
    bool known[DATAGRAMS]; /* the capture has it, and all that it depends on */
    for (uint32_t i = 0; i < DATAGRAMS; i++) {
        const uint32_t back = i == 0 || lot_one_in(&l, 8) ? 0 : lot_between(&l, 1, i < 31 ? i : 31);
        const datum *base = back ? &sent[i - back] : NULL;
        codec_part *first = part_of(t->arena, header, false, false), *second = part_of(t->arena, state, true, false);
        datagram like = {.by = by, .what = arena_printf(t->arena, "numbered, seed %" PRIu64, seed), .parts = first};
        like.options = (codec_options){.framed = true, .frame = "Update", .id = s->id, .seed = 5, .room = SIZE_MAX};
        like.knows_base = !back || known[i - back];
        known[i] = like.knows_base && i % LOST != LOST - 1;
        first->next = second;
        first->value = header_of(t->arena, header, (uint8_t)(FIRST + i), back);
        second->base = base;
        codec_error error;
        size_t size;
        uint8_t *bytes = NULL;
        while (!bytes) {
            const datum v = base ? vary_value(t->arena, &l, state, base, 0) : draw_value(t->arena, &l, state, 0);
            second->value = settled_datum(t->arena, &v);
            bytes = codec_write_stream(t->arena, s, first, &like.options, &size, &error);
        }
        /* What a reader gets is the baseline of later ones. */
        codec_part *read = NULL;
        (void)codec_read_stream(t->arena, s, first, bytes, size, &like.options, &read, &error);
        sent[i] = read->next->value;
        if (i % LOST != LOST - 1)
            add_datagram(t, &like, bytes, size);
    }
}
