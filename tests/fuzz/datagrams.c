/* datagrams.c - asks generated C and the codec about packets with parts.
 * SPDX-License-Identifier: MIT
 *
 * Each part has a value that may be its baseline, and one from which that has moved. Both implementations get them when
 * they ask, or not, or under another number. Nothing is said about numbers here: the two must ask for the same ones.
 */
/* First: parameters of the runtime would hide the type `span` of pktc. */
#include "pkt_parts.h"
#include "spot.h"

#include "codec/codec_json.h"
#include "differential.h"
#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum answer {
    GIVEN,
    MISSING,
    RENUMBERED, /* another number than the one that was asked for */
    ANSWERS
} answer;

/* The values of a part: the baseline, the one from which it has moved, and the start value, which has no number. */
enum { BASE, BEFORE, START, VALUES };

typedef struct known {
    const field *part;
    const datum *value[VALUES];
    pkt_baseline in_c[MOST_COMPILERS][VALUES];
    answer answer[VALUES];
    bool asked[VALUES]; /* by the codec, for this number */
    uint64_t number[VALUES];
} known;

typedef struct datagram {
    fuzz *fuzz;
    const decl *decl;
    uint64_t seed;
    known parts[PKT_MOST_PARTS];
} datagram;

/* ---- baselines */

static bool answer_codec(void *user, const codec_part *expected, uint64_t number, const datum **found)
{
    datagram *g = user;
    known *k = g->parts;
    const unsigned which = expected->base != NULL;
    while (k->part != expected->field)
        k++;
    k->asked[which] = true;
    k->number[which] = number;
    *found = k->value[which];
    return k->answer[which] == GIVEN;
}

static const datum *start_codec(void *user, const codec_part *part)
{
    datagram *g = user;
    known *k = g->parts;
    while (k->part != part->field)
        k++;
    k->asked[START] = k->answer[START] == GIVEN;
    return k->asked[START] ? k->value[START] : NULL;
}

static codec_options how_of_datagram(datagram *g, size_t room)
{
    for (unsigned i = 0; i < g->decl->parts; i++)
        memset(g->parts[i].asked, 0, sizeof g->parts[i].asked);
    return (codec_options){.id = g->fuzz->schema->id,
                           .framed = true,
                           .seed = g->seed,
                           .room = room,
                           .find = answer_codec,
                           .start = start_codec,
                           .user = g};
}

/* The place of a part's baseline in T_baselines. */
static unsigned place_of_baseline(const fuzz_parts *t, unsigned part)
{
    return t->about->parts[part].baseline & (PKT_PART_STARTS - 1);
}

/* T_baselines for what a packet names. */
static void answer_c(const datagram *g, size_t which, const fuzz_parts *t, const pkt_part_names *called,
                     pkt_baseline *from)
{
    memset(from, 0, 3 * PKT_MOST_PARTS * sizeof *from);
    for (unsigned i = 0; i < g->decl->parts; i++) {
        const known *k = &g->parts[i];
        const bool predicts = k->part->type.decl->predicts,
                   asked[2] = {called[i].based, called[i].based && called[i].moves && predicts};
        const uint64_t numbers[2] = {called[i].base, called[i].before};
        if (k->part->part->starts && k->answer[START] == GIVEN)
            from[place_of_baseline(t, i) + 1 + predicts] = k->in_c[which][START];
        for (unsigned n = 0; n < 2; n++) {
            pkt_baseline *to = &from[place_of_baseline(t, i) + n];
            if (!asked[n] || k->answer[n] == MISSING)
                continue;
            *to = k->in_c[which][n];
            to->number = numbers[n] + (k->answer[n] == RENUMBERED);
        }
    }
}

/* A value as C has it, with its hash. The caller frees it. */
static pkt_baseline baseline_in_c(const datagram *g, const engine *e, unsigned part, const datum *v)
{
    const decl *d = g->parts[part].part->type.decl;
    const fuzz_ring *r = &engine_type(e, g->decl)->parts->rings[part];
    void *ring = calloc(1, r->size), *copy = memory_with(g->fuzz, engine_type(e, d), d, v);
    r->keep(ring, 0, copy);
    pkt_baseline b = r->find(ring, 0);
    b.value = copy;
    free(ring);
    return b;
}

static void place_baselines(datagram *g)
{
    for (unsigned i = 0; i < g->decl->parts; i++)
        for (size_t e = 0; e < g->fuzz->used; e++)
            for (unsigned n = 0; n < VALUES; n++)
                g->parts[i].in_c[e][n] = baseline_in_c(g, &g->fuzz->engines[e], i, g->parts[i].value[n]);
}

static void free_baselines(datagram *g)
{
    for (unsigned i = 0; i < g->decl->parts; i++)
        for (size_t e = 0; e < g->fuzz->used; e++)
            for (unsigned n = 0; n < VALUES; n++)
                free((void *)(uintptr_t)g->parts[i].in_c[e][n].value);
}

static void draw_baselines(datagram *g)
{
    fuzz *f = g->fuzz;
    known *k = g->parts;
    for (const field *part = g->decl->fields; part; part = part->next) {
        if (!part->part)
            continue;
        const decl *d = part->type.decl;
        datum *values = ARENA_ARRAY(f->arena, datum, VALUES);
        values[0] = draw_value(f->arena, &f->lot, d, 0);
        values[0] = settled_datum(f->arena, &values[0]);
        values[1] = vary_value(f->arena, &f->lot, d, &values[0], 0);
        values[1] = settled_datum(f->arena, &values[1]);
        values[2] = lot_one_in(&f->lot, 2) ? draw_value(f->arena, &f->lot, d, 0)
                                           : vary_value(f->arena, &f->lot, d, &values[0], 0);
        values[2] = settled_datum(f->arena, &values[2]);
        *k++ = (known){.part = part, .value = {&values[0], &values[1], &values[2]}};
    }
    place_baselines(g);
}

static void draw_answers(datagram *g)
{
    for (unsigned i = 0; i < g->decl->parts; i++)
        for (unsigned n = 0; n < VALUES; n++)
            g->parts[i].answer[n] = lot_one_in(&g->fuzz->lot, 12) ? (answer)lot_below(&g->fuzz->lot, ANSWERS) : GIVEN;
}

static void answer_always(datagram *g)
{
    for (unsigned i = 0; i < g->decl->parts; i++)
        for (unsigned n = 0; n < VALUES; n++)
            g->parts[i].answer[n] = GIVEN;
}

/* Checks that both asked for the same baselines. all: the codec has come to the last part. */
static void compare_names(const datagram *g, const engine *e, const question *q, const pkt_part_names *called, bool all)
{
    for (unsigned i = 0; i < g->decl->parts; i++) {
        const known *k = &g->parts[i];
        const bool moves = called[i].moves && k->part->type.decl->predicts;
        if (k->asked[0] ? !called[i].based || called[i].base != k->number[0] : all && called[i].based)
            fail(g->fuzz, e, q, "%s: the codec asks for %" PRIu64 " (%d), C for %" PRIu64 " (%d)", k->part->name,
                 k->number[0], k->asked[0], called[i].base, called[i].based);
        if (k->asked[1] ? !moves || called[i].before != k->number[1] : all && k->asked[0] && moves)
            fail(g->fuzz, e, q, "%s: the codec asks for %" PRIu64 " before (%d), C for %" PRIu64 " (%d)", k->part->name,
                 k->number[1], k->asked[1], called[i].before, called[i].moves);
    }
}

/* ---- what fits */

static pkt_member member_called(const pkt_type *about, const char *name)
{
    pkt_member m = {0};
    while (pkt_next_member(about, &m) && strcmp(m.name, name) != 0)
        continue;
    return m;
}

static const field *part_with_fit(const decl *d)
{
    const field *f = d->fields;
    while (f && !(f->part && f->fit))
        f = f->next;
    return f;
}

/* What else than elements must fit: the packet with the least counts, and no element of the part. Returns its size. */
static size_t size_without_elements(const fuzz_type *t, const decl *d, const pkt_baseline *from, const void *v,
                                    const void *part, pkt_element *order, void *least)
{
    uint32_t none = 0;
    memcpy(least, v, t->type->size);
    for (const field *f = d->fields; f; f = f->next)
        if (f->fit && !f->part)
            store_part(least, member_called(t->type, f->name).count, f->count_low);
    if (!t->parts->fit(least, from, part, order, &none, MOST_PACKET, NULL))
        return 0;
    return t->parts->pack(least, from, 0, at_edge(MOST_PACKET), MOST_PACKET, NULL);
}

/* What was kept is not over the budget, and arrives; if there is room for all, all is kept. */
static void fit_datagram(const datagram *g, const question *q, size_t which, const void *memory,
                         const pkt_baseline *from, size_t whole)
{
    fuzz *f = g->fuzz;
    const engine *e = &f->engines[which];
    const fuzz_type *t = engine_type(e, g->decl);
    const field *fit = part_with_fit(g->decl);
    if (!t->parts->fit)
        return;
    const size_t share = lot_below(&f->lot, 130), most = share < 110 ? whole * share / 100 : MOST_PACKET;
    const size_t size = t->type->size;
    const uint32_t count = fit ? engine_type(e, fit->type.decl)->fit_elements : 0;
    pkt_element *order = malloc((count + 1) * sizeof *order);
    uint32_t kept = count;
    void *sent = malloc(size), *back = memory_with(f, t, g->decl, NULL), *part = NULL;
    memcpy(sent, memory, size);
    if (fit) {
        const pkt_member m = member_called(t->type, fit->name);
        part = malloc(m.value.size);
        memcpy(part, (const uint8_t *)memory + m.value.offset, m.value.size);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = lot_below(&f->lot, i + 1);
        order[i].number = order[other].number;
        order[other].number = i;
    }
    if (t->parts->fit(sent, from, part, order, &kept, most, NULL)) {
        pkt_error error;
        const size_t packed = t->parts->pack(sent, from, g->seed, at_edge(most), most, &error);
        if (packed == 0 || kept > count)
            fail(f, e, q, "fit: it is over %zu bytes: %s", most, described(f, error.code, error.bit, error.field));
        else if (!t->parts->unpack(back, from, g->seed, memmove(at_edge(packed), at_edge(most), packed), packed,
                                   &error))
            fail(f, e, q, "fit: what was kept does not arrive: %s", described(f, error.code, error.bit, error.field));
        else if (t->equal(sent, sent) && !t->equal(sent, back))
            fail(f, e, q, "fit: another value came back");
        if (most == MOST_PACKET && t->equal(memory, memory) && !t->equal(memory, sent))
            fail(f, e, q, "fit: not all was kept, although there is room");
    } else {
        const size_t rest = size_without_elements(t, g->decl, from, memory, part, order, back);
        if (kept != (fit ? 0 : count))
            fail(f, e, q, "fit: it failed, but kept %" PRIu32 " elements", kept);
        /* What has @fit gets 14 bits for padding that changes with the elements before it. */
        if (rest == 0 || rest + 2 <= most)
            fail(f, e, q, "fit: nothing fits into %zu bytes, but what else there is takes %zu", most, rest);
    }
    free(part);
    free(back);
    free(sent);
    free(order);
}

/* ---- writing */

/* T_valid gives the reason why no packet can have the value. */
static void datagram_valid(const datagram *g, const question *q, const engine *e, const void *memory)
{
    const fuzz_type *t = engine_type(e, g->decl);
    bool writable = true;
    codec_error why;
    pkt_error error;
    size_t size;
    const codec_options how = {.room = SIZE_MAX};
    const bool valid = t->valid(memory, NULL, &error);
    for (const field *f = g->decl->fields; f && writable; f = f->next)
        if (f->part && slot_of(q->value->record, f)->present)
            writable = codec_write(g->fuzz->arena, g->fuzz->schema, f->type.decl,
                                   &slot_of(q->value->record, f)->data[0], &how, &size, &why) != NULL;
    if (!writable && valid)
        fail(g->fuzz, e, q, "valid: a part is not: %s", described(g->fuzz, why.code, why.bit, why.field));
    if (t->valid(memory, NULL, NULL) != valid || valid != (error.code == PKT_OK))
        fail(g->fuzz, e, q, "valid: it is %s, but", valid ? "valid" : "invalid");
}

/* A baseline that the packet does not name must not be passed. */
static void pass_too_many(const datagram *g, const question *q, size_t which, const void *memory,
                          const pkt_part_names *called, const pkt_baseline *from)
{
    const engine *e = &g->fuzz->engines[which];
    const fuzz_parts *t = engine_type(e, g->decl)->parts;
    pkt_baseline more[3 * PKT_MOST_PARTS];
    for (unsigned i = 0; i < g->decl->parts; i++) {
        pkt_error error;
        if (called[i].based)
            continue;
        memcpy(more, from, sizeof more);
        more[place_of_baseline(t, i)] = g->parts[i].in_c[which][0];
        if (t->pack(memory, more, g->seed, at_edge(MOST_PACKET), MOST_PACKET, &error) != 0 ||
            error.code != PKT_ERROR_BASELINE || !strstr(error.field, g->parts[i].part->name))
            fail(g->fuzz, e, q, "writing: a baseline that is not named: %s",
                 described(g->fuzz, error.code, error.bit, error.field));
    }
}

/* T_quantize gives the value that a reader gets. */
static void quantize_datagram(datagram *g, const question *q, const engine *e, const uint8_t *bytes, size_t size,
                              void *memory)
{
    const fuzz_type *t = engine_type(e, g->decl);
    const codec_options how = how_of_datagram(g, SIZE_MAX);
    codec_error error;
    datum seen;
    if (!codec_read(g->fuzz->arena, g->fuzz->schema, g->decl, bytes, size, &how, &seen, &error))
        return;
    void *back = memory_with(g->fuzz, t, g->decl, &seen);
    t->quantize(memory);
    if (t->equal(memory, memory) && !t->equal(memory, back))
        fail(g->fuzz, e, q, "quantized, it is not what a reader gets: %s", json_print(g->fuzz->arena, g->decl, &seen));
    free(back);
}

/* Writes a value into `room` bytes. Returns the bytes, or NULL if it cannot be written. */
static const uint8_t *write_datagram(datagram *g, const datum *v, size_t room, size_t *size)
{
    fuzz *f = g->fuzz;
    const question q = {.decl = g->decl, .how = {.framed = true}, .value = v};
    const codec_options how = how_of_datagram(g, room);
    codec_error error;
    const uint8_t *bytes = codec_write(f->arena, f->schema, g->decl, v, &how, size, &error);
    f->cases++;
    f->written[error.code]++;
    for (size_t i = 0; i < f->used; i++) {
        const engine *e = &f->engines[i];
        const fuzz_type *t = engine_type(e, g->decl);
        const size_t exact = bytes ? *size : room;
        uint8_t *to = at_edge(exact);
        void *memory = memory_with(f, t, g->decl, v);
        pkt_part_names called[PKT_MOST_PARTS];
        pkt_baseline from[3 * PKT_MOST_PARTS];
        pkt_error c_error;
        t->parts->about->names(memory, called);
        answer_c(g, i, t->parts, called, from);
        const size_t c_size = t->parts->pack(memory, from, g->seed, to, exact, &c_error);
        if (same_error(f, e, &q, "writing", &error, &c_error) && bytes &&
            (c_size != *size || memcmp(to, bytes, *size) != 0)) {
            fail(f, e, &q, "writing: other bytes");
            printf("codec: ");
            print_bytes(bytes, *size);
            printf("C:     ");
            print_bytes(to, c_size);
        }
        if (t->parts->pack(memory, from, g->seed, to, exact, NULL) != c_size)
            fail(f, e, &q, "writing: not the same without an error");
        datagram_valid(g, &q, e, memory);
        if (bytes) {
            compare_names(g, e, &q, called, true);
            pass_too_many(g, &q, i, memory, called, from);
            fit_datagram(g, &q, i, memory, from, *size);
            quantize_datagram(g, &q, e, bytes, *size, memory);
        } else {
            t->quantize(memory); /* must not crash */
        }
        free(memory);
    }
    return bytes;
}

/* ---- reading */

static uint64_t mixed(uint64_t seed, uint64_t hash)
{
    seed = (seed ^ hash) * UINT64_C(0x9E3779B97F4A7C15);
    seed ^= seed >> 32;
    return seed ? seed : 1;
}

/* Corrects the crc, whatever baselines the packet names now. */
static void mend_datagram(datagram *g, uint8_t *bytes, size_t size)
{
    codec_options how = how_of_datagram(g, SIZE_MAX);
    codec_error error;
    uint64_t seed = g->seed;
    datum v;
    how.ignore_crc = true;
    (void)codec_read(g->fuzz->arena, g->fuzz->schema, g->decl, bytes, size, &how, &v, &error);
    for (unsigned i = 0; i < g->decl->parts; i++)
        for (unsigned n = 0; n < VALUES; n++) {
            static const unsigned order[VALUES] = {START, BASE, BEFORE};
            if (g->parts[i].asked[order[n]])
                seed = mixed(seed, g->parts[i].in_c[0][order[n]].hash);
        }
    correct_crc(g->fuzz, g->decl, seed, bytes, size);
}

/* The bytes of all parts, one after the other. */
static size_t copy_parts(const datagram *g, const fuzz_type *t, const void *memory, uint8_t *to)
{
    size_t size = 0;
    for (unsigned i = 0; i < g->decl->parts; i++) {
        const pkt_member m = member_called(t->type, g->parts[i].part->name);
        if (to)
            memcpy(to + size, (const uint8_t *)memory + m.value.offset, m.value.size);
        size += m.value.size;
    }
    return size;
}

static void read_in_c(datagram *g, question *q, size_t which, void *memory, bool good, const datum *v,
                      const codec_error *error)
{
    fuzz *f = g->fuzz;
    const engine *e = &f->engines[which];
    const fuzz_type *t = engine_type(e, g->decl);
    pkt_part_names called[PKT_MOST_PARTS];
    pkt_baseline from[3 * PKT_MOST_PARTS] = {{0}};
    pkt_error c_error;
    uint8_t *exact = at_edge(q->size);
    memcpy(exact, q->bytes, q->size);
    spoil_memory(f, t, g->decl, memory);
    const size_t parts_size = copy_parts(g, t, memory, NULL);
    uint8_t *before = malloc(2 * parts_size), *after = before + parts_size;
    copy_parts(g, t, memory, before);
    if (t->parts->peek(memory, called, exact, q->size)) {
        compare_names(g, e, q, called, good);
        answer_c(g, which, t->parts, called, from);
    } else if (good || g->parts[0].asked[0]) {
        fail(f, e, q, "reading: the codec has called, C has not");
    }
    const bool c_good = t->parts->unpack(memory, from, g->seed, exact, q->size, &c_error);
    copy_parts(g, t, memory, after);
    if ((c_error.code == PKT_ERROR_CRC || c_error.code == PKT_ERROR_BASELINE) && memcmp(before, after, parts_size) != 0)
        fail(f, e, q, "reading: a part is stored before the crc is known to be right");
    free(before);
    if (same_error(f, e, q, "reading", error, &c_error) && good) {
        const char *name = differs_in_struct(f->arena, t->type, memory, g->decl, v);
        if (name) {
            fail(f, e, q, "reading: %s differs; the codec has %s", name, json_print(f->arena, g->decl, v));
            printf("and C ");
            pkt_print(stdout, t->type, memory);
        }
        const size_t c_size = t->parts->pack(memory, from, g->seed, exact, q->size, &c_error);
        if (c_size != q->size || memcmp(exact, q->bytes, c_size) != 0)
            fail(f, e, q, "C accepts what it would not write: %s",
                 described(f, c_error.code, c_error.bit, c_error.field));
    }
    memcpy(exact, q->bytes, q->size);
    if (t->parts->unpack(memory, from, g->seed, exact, q->size, NULL) != c_good)
        fail(f, e, q, "reading: not the same without an error");
}

static void read_datagram(datagram *g, void *const *memory, const uint8_t *bytes, size_t size)
{
    fuzz *f = g->fuzz;
    question q = {.decl = g->decl, .how = {.framed = true}, .bytes = bytes, .size = size};
    codec_options how = how_of_datagram(g, SIZE_MAX);
    codec_error error;
    datum v;
    const bool good = codec_read(f->arena, f->schema, g->decl, bytes, size, &how, &v, &error);
    f->cases++;
    f->reasons[error.code]++;
    good ? f->accepted++ : f->refused++;
    for (size_t i = 0; i < f->used; i++)
        read_in_c(g, &q, i, memory[i], good, &v, &error);
    if (!good)
        return;
    codec_error why;
    size_t again_size = 0;
    how = how_of_datagram(g, SIZE_MAX);
    const uint8_t *again = codec_write(f->arena, f->schema, g->decl, &v, &how, &again_size, &why);
    if (!again || again_size != size || memcmp(again, bytes, size) != 0)
        fail(f, &f->engines[0], &q, "the codec accepts what it would not write");
}

/* The bytes of a packet, truncated, with flipped bits, or with more behind them. */
static void read_damaged_datagrams(datagram *g, void *const *memory, const uint8_t *good, size_t size)
{
    fuzz *f = g->fuzz;
    uint8_t *bytes = arena_alloc(f->arena, size + 2);
    for (unsigned i = 0; i < 48; i++) {
        size_t length = lot_one_in(&f->lot, 4) ? lot_below(&f->lot, (uint32_t)size) : size;
        memcpy(bytes, good, size);
        for (uint32_t flips = lot_below(&f->lot, lot_one_in(&f->lot, 4) ? 6 : 2); flips > 0; flips--) {
            const uint32_t bit = lot_below(&f->lot, (uint32_t)size * 8);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        bytes[size] = (uint8_t)lot_below(&f->lot, 3);
        if (lot_one_in(&f->lot, 16))
            length = size + 1;
        draw_answers(g);
        if (!lot_one_in(&f->lot, 8))
            mend_datagram(g, bytes, length);
        read_datagram(g, memory, bytes, length);
    }
}

/* The reader has other baselines of the same numbers. */
static void read_with_other_baselines(const datagram *g, void *const *memory, const uint8_t *good, size_t size)
{
    datagram other = *g;
    draw_baselines(&other);
    read_datagram(&other, memory, good, size);
    uint8_t *bytes = arena_alloc(g->fuzz->arena, size);
    memcpy(bytes, good, size);
    mend_datagram(&other, bytes, size);
    read_datagram(&other, memory, bytes, size);
    free_baselines(&other);
}

/* ---- cases */

/* A value whose parts differ little from their baselines. */
static datum draw_datagram(const datagram *g)
{
    fuzz *f = g->fuzz;
    const uint32_t wild = lot_one_in(&f->lot, 4) ? lot_between(&f->lot, 1, 40) : 0;
    datum v = draw_value(f->arena, &f->lot, g->decl, wild);
    for (unsigned i = 0; i < g->decl->parts; i++) {
        const known *k = &g->parts[i];
        slot *s = slot_of(v.record, k->part);
        if (s->data && s->present && !lot_one_in(&f->lot, 4))
            s->data[0] =
                lot_one_in(&f->lot, 2)
                    ? change_value(f->arena, &f->lot, k->part->type.decl,
                                   k->value[lot_one_in(&f->lot, 3) ? START : BASE], f->changed++)
                    : vary_value(f->arena, &f->lot, k->part->type.decl, k->value[lot_below(&f->lot, VALUES)], wild);
    }
    return v;
}

static void datagram_value(datagram *g, void *const *memory, bool damaged)
{
    fuzz *f = g->fuzz;
    size_t size, unused;
    draw_answers(g);
    const datum v = draw_datagram(g);
    const uint8_t *good = write_datagram(g, &v, MOST_PACKET, &size);
    answer_always(g);
    if (!good && !(good = write_datagram(g, &v, MOST_PACKET, &size)))
        return;
    (void)write_datagram(g, &v, lot_below(&f->lot, (uint32_t)size), &unused);
    for (int i = 0; i < 2; i++) {
        const datum odd = spoil_value(f->arena, &f->lot, g->decl, &v, f->spoiled++);
        (void)write_datagram(g, &odd, MOST_PACKET, &unused);
    }
    read_datagram(g, memory, good, size);
    draw_answers(g);
    read_datagram(g, memory, good, size);
    answer_always(g);
    read_with_other_baselines(g, memory, good, size);
    if (damaged)
        read_damaged_datagrams(g, memory, good, size);
}

void datagram_case(fuzz *f, const decl *d, void *const *memory)
{
    datagram g = {.fuzz = f, .decl = d, .seed = lot_one_in(&f->lot, 3) ? 0 : lot_next(&f->lot)};
    draw_baselines(&g);
    for (int i = 0; i < 8; i++)
        datagram_value(&g, memory, i % 4 == 3);
    free_baselines(&g);
    arena_clear(f->arena);
}
