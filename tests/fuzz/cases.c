/* cases.c - asks generated C and the codec one question.
 * SPDX-License-Identifier: MIT
 */
#include "codec/codec_json.h"
#include "differential.h"
#include "tape.h"
#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 1 << 16 }; /* a multiple of the page size */

uint8_t *at_edge(size_t size)
{
    static uint8_t *end;
    if (!end) {
        void *memory;
        if (posix_memalign(&memory, PAGE, MOST_PACKET + 2 * PAGE) != 0)
            abort();
        end = (uint8_t *)memory + MOST_PACKET + PAGE;
        if (mprotect(end, PAGE, PROT_NONE) != 0)
            abort();
    }
    return end - size;
}

codec_options how_of(const fuzz *f, const question *q, size_t room)
{
    return (codec_options){.id = f->schema->id,
                           .framed = q->how.framed,
                           .seed = q->decl->seeded ? FUZZ_SEED : 0,
                           .delta = q->how.delta,
                           .base = q->base,
                           .was = q->was,
                           .room = room};
}

/* The memory has other contents before init, which init must overwrite. For half of the values, it also has some where
 * they must not matter, such as after a count. */
void *memory_with(fuzz *f, const fuzz_type *t, const decl *d, const datum *v)
{
    void *memory = malloc(t->type->size);
    memset(memory, 0xa5, t->type->size);
    t->init(memory);
    if (v)
        put_in_struct(f->arena, t->type, memory, d, v);
    if (v && lot_one_in(&f->lot, 2))
        litter_in_struct(t->type, memory, d, false);
    return memory;
}

void spoil_memory(fuzz *f, const fuzz_type *t, const decl *d, void *memory)
{
    static const uint8_t noise[] = {0, 1, 0x5a, 0xa5, 0xff};
    if (lot_one_in(&f->lot, 2))
        return;
    memset(memory, noise[lot_below(&f->lot, sizeof noise)], t->type->size);
    if (keeps_elements(d))
        t->init(memory);
}

/* Whether the codec encodes both to the same bytes. */
static bool same_in_codec(fuzz *f, const question *q, const datum *one, const datum *other)
{
    codec_error error;
    const codec_options how = {.room = SIZE_MAX};
    size_t a_size, b_size;
    const uint8_t *a = codec_write(f->arena, f->schema, q->decl, one, &how, &a_size, &error);
    const uint8_t *b = codec_write(f->arena, f->schema, q->decl, other, &how, &b_size, &error);
    return a && b && a_size == b_size && memcmp(a, b, a_size) == 0;
}

/* Checks that T_quantize gives the value that a reader gets, whatever absent elements contain. */
static void quantize_case(fuzz *f, const question *q, const uint8_t *bytes, size_t size, const engine *e, void *memory)
{
    codec_error error;
    datum seen;
    const fuzz_type *t = engine_type(e, q->decl);
    codec_options how = how_of(f, q, SIZE_MAX);
    if (q->how.delta || !codec_read(f->arena, f->schema, q->decl, bytes, size, &how, &seen, &error))
        return;
    litter_in_struct(t->type, memory, q->decl, true);
    t->quantize(memory);
    const char *name = differs_in_struct(f->arena, t->type, memory, q->decl, &seen);
    if (name)
        fail(f, e, q, "quantized: %s differs; the codec has %s", name, json_print(f->arena, q->decl, &seen));
}

void base_case(fuzz *f, const question *q)
{
    const datum base = bases_type(bases_new(f->arena), f->arena, q->decl);
    for (size_t i = 0; i < f->used; i++) {
        const engine *e = &f->engines[i];
        const fuzz_type *t = engine_type(e, q->decl);
        void *memory = memory_with(f, t, q->decl, &base);
        t->quantize(memory);
        const char *name = differs_in_struct(f->arena, t->type, memory, q->decl, &base);
        if (name)
            fail(f, e, q, "quantizing the base value changes %s", name);
        free(memory);
    }
}

/* Writes in the middle of a stream, which has room for `size` bytes. */
static bool write_from(const fuzz_type *t, const question *q, const void *base, const void *memory, uint64_t start,
                       pkt_writer *w, size_t size, pkt_refs *refs)
{
    pkt_writer_init(w, memset(at_edge(size), 0, size), size); /* as if earlier bits had stored the first byte */
    pkt_writer_set_refs(w, refs);
    w->bit = start;
    return q->how.delta ? t->write_delta(w, base, memory) : t->write(w, memory);
}

static bool read_from(const fuzz_type *t, const question *q, const void *base, void *memory, uint64_t start,
                      pkt_reader *r, const uint8_t *bytes, size_t size, pkt_refs *refs)
{
    pkt_reader_init(r, bytes, size);
    pkt_reader_set_refs(r, refs);
    r->bit = start;
    return q->how.delta ? t->read_delta(r, base, memory) : t->read(r, memory);
}

/* Writes and reads at any bit of a byte, with exactly the room that is needed. With a byte less it must fail, and a
 * value that cannot be written must fail as before. */
static void shifted_case(fuzz *f, const question *q, size_t which, const void *memory, uint64_t start)
{
    const engine *e = &f->engines[which];
    const fuzz_type *t = engine_type(e, q->decl);
    const void *base = q->base_memory[which];
    const uint64_t bits = q->how.delta ? t->measure_delta(base, memory, start) : t->measure(memory, start);
    const size_t size = (size_t)((start + bits + 7) / 8);
    void *back = memory_with(f, t, q->decl, NULL);
    spoil_memory(f, t, q->decl, back);
    pkt_refs refs = refs_of_ids();
    pkt_writer w;
    pkt_reader r;
    const bool can_be_cut = bits > 0 && (start == 0 || size > 1);
    if (can_be_cut && (write_from(t, q, base, memory, start, &w, size - 1, &refs) || t->write(&w, memory)))
        fail(f, e, q, "from bit %" PRIu64 ": %" PRIu64 " bits written into %zu bytes", start, bits, size - 1);
    if (!write_from(t, q, base, memory, start, &w, size, &refs) || w.bit != start + bits)
        fail(f, e, q, "from bit %" PRIu64 ": measured %" PRIu64 " bits, written %" PRIu64 ": %s", start, bits,
             w.bit - start, described(f, w.error.code, w.error.bit, w.error.field));
    if (!read_from(t, q, base, back, start, &r, at_edge(size), size, &refs) || r.bit != w.bit)
        fail(f, e, q, "from bit %" PRIu64 ": written to bit %" PRIu64 ", read to bit %" PRIu64 ": %s", start, w.bit,
             r.bit, described(f, r.error.code, r.error.bit, r.error.field));
    else if (t->equal(memory, memory) && !t->equal(memory, back))
        fail(f, e, q, "from bit %" PRIu64 ": another value came back", start);
    if (can_be_cut) {
        const uint8_t *cut = memmove(at_edge(size - 1), at_edge(size), size - 1);
        if (read_from(t, q, base, back, start, &r, cut, size - 1, &refs) || t->read(&r, back))
            fail(f, e, q, "from bit %" PRIu64 ": %" PRIu64 " bits read of %zu bytes", start, bits, size - 1);
    }
    free(back);
}

static uint64_t bits_of(const fuzz_type *t, const question *q, const void *base, const void *memory, uint64_t start)
{
    return q->how.delta ? t->measure_delta(base, memory, start) : t->measure(memory, start);
}

/* Fits a value into a budget, in a random order. What is kept is never over it, and arrives; if there is room for all,
 * all is kept. With a valid baseline it fails only if everything else is over the budget by itself. With coded fields and
 * sparse arrays that can be so although the whole value is not; but then the whole order is kept, if it fits with as much
 * padding as an element, what is behind an array and what is behind the change mask can have. */
static void fit_case(fuzz *f, const question *q, size_t which, const void *memory)
{
    const engine *e = &f->engines[which];
    const fuzz_type *t = engine_type(e, q->decl);
    const void *base = q->base_memory[which];
    const uint64_t start = lot_below(&f->lot, 8), share = lot_below(&f->lot, 130);
    if (!t->fit || q->decl->delta != q->how.delta)
        return;
    const uint64_t bits = bits_of(t, q, base, memory, start);
    const uint64_t most = share < 110 ? bits * share / 100 : UINT64_MAX;
    uint32_t count = t->fit_elements, kept = count;
    pkt_element *order = malloc((count + 1) * sizeof *order);
    void *sent = memory_with(f, t, q->decl, NULL), *back = memory_with(f, t, q->decl, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = lot_below(&f->lot, i + 1);
        order[i].number = order[other].number;
        order[other].number = i;
    }
    if (t->fit(base, memory, sent, order, &kept, start, most, NULL)) {
        const uint64_t used = bits_of(t, q, base, sent, start);
        const size_t size = (size_t)((start + used + 7) / 8);
        pkt_refs refs = refs_of_ids();
        pkt_writer w;
        pkt_reader r;
        if (used > most || kept > count)
            fail(f, e, q, "fit: %" PRIu64 " bits of %" PRIu64 ", %" PRIu32 " elements kept", used, most, kept);
        if (!write_from(t, q, base, sent, start, &w, size, &refs) ||
            !read_from(t, q, base, back, start, &r, at_edge(size), size, &refs))
            fail(f, e, q, "fit: what was kept does not arrive");
        else if (t->equal(sent, sent) && !t->equal(sent, back))
            fail(f, e, q, "fit: another value came back");
        if (most == UINT64_MAX && t->equal(memory, memory) && !t->equal(memory, sent))
            fail(f, e, q, "fit: not all was kept, although there is room");
    } else {
        const bool valid = base_is_valid(f, q);
        uint64_t padding = q->decl->holds_coded ? 7 * (2 * (uint64_t)count + 1) : 0;
        uint32_t none = 0;
        /* The presence bits are cleared: this is the rest. */
        if (!q->how.delta && bits_of(t, q, base, sent, start) <= most)
            fail(f, e, q, "fit: nothing fits into %" PRIu64 " bits, but the rest does", most);
        if (!q->how.delta && wire_type_of(f->wire, q->decl)->pads)
            padding = 7 * ((uint64_t)count + 1);
        if (kept != 0 || (valid && most >= padding && most - padding >= bits))
            fail(f, e, q, "fit: nothing fits into %" PRIu64 " bits", most);
        if (q->how.delta && valid &&
            (!t->fit(base, memory, sent, order, &none, start, UINT64_MAX, NULL) ||
             bits_of(t, q, base, sent, start) <= most))
            fail(f, e, q, "fit: nothing fits into %" PRIu64 " bits, but the rest does", most);
    }
    free(back);
    free(sent);
    free(order);
}

/* T_valid gives the reason why no stream can have the value. */
static void valid_case(fuzz *f, const question *q, const engine *e, const void *memory)
{
    const codec_options how = {.room = SIZE_MAX};
    const fuzz_type *t = engine_type(e, q->decl);
    codec_error error;
    pkt_error c_error;
    size_t size;
    pkt_refs refs = refs_of_ids();
    const bool written = codec_write(f->arena, f->schema, q->decl, q->value, &how, &size, &error) != NULL;
    const bool valid = t->valid(memory, &refs, &c_error);
    if (same_error(f, e, q, "valid", &error, &c_error) && (valid != written || t->valid(memory, &refs, NULL) != valid))
        fail(f, e, q, "valid: it is %s", valid ? "valid" : "invalid");
}

/* Whether a value equals the baseline, or what a motion makes of it. */
static bool equals_base(const fuzz_type *t, const void *base, const void *v)
{
    if (!t->predict)
        return t->equal(base, v);
    void *expected = calloc(1, t->type->size);
    t->expect(base, expected);
    const bool equal = t->equal(expected, v);
    free(expected);
    return equal;
}

void write_case(fuzz *f, const question *q, size_t room)
{
    codec_error error;
    size_t size = 0;
    codec_options how = how_of(f, q, room);
    const uint8_t *bytes = codec_write(f->arena, f->schema, q->decl, q->value, &how, &size, &error);
    f->cases++;
    f->written[error.code]++;
    for (size_t i = 0; i < f->used; i++) {
        const engine *e = &f->engines[i];
        const fuzz_type *t = engine_type(e, q->decl);
        const wire_type *wired = wire_type_of(f->wire, q->decl);
        pkt_error c_error;
        size_t exact = bytes ? size : room;
        uint8_t *to = at_edge(exact);
        void *memory = memory_with(f, t, q->decl, q->value);
        size_t c_size = ask_write(t, q->how, q->base_memory[i], memory, to, exact, &c_error);
        if (same_error(f, e, q, "writing", &error, &c_error) && bytes &&
            (c_size != size || memcmp(to, bytes, size) != 0)) {
            fail(f, e, q, "writing: other bytes");
            printf("codec: ");
            print_bytes(bytes, size);
            printf("C:     ");
            print_bytes(to, c_size);
        }
        valid_case(f, q, e, memory);
        if (t->equal(memory, memory) != same_in_codec(f, q, q->value, q->value))
            fail(f, e, q, "a value that can be written does not equal itself, or one that cannot does");
        if (q->base && bytes && equals_base(t, q->base_memory[i], memory) != same_in_codec(f, q, q->base, q->value))
            fail(f, e, q, "C and codec do not agree on whether value and baseline are equal");
        if (bytes && !q->how.framed) {
            uint64_t bits = q->how.delta ? t->measure_delta(q->base_memory[i], memory, 0) : t->measure(memory, 0);
            if ((bits + 7) / 8 != size)
                fail(f, e, q, "measured %" PRIu64 " bits for %zu bytes", bits, size);
            if (bits > (q->how.delta ? t->delta_max_bits : t->type->max_bits) ||
                (!q->how.delta && bits < t->type->min_bits))
                fail(f, e, q, "%" PRIu64 " bits are outside the declared bounds", bits);
            if (t->type->min_bits != wired->least || t->type->max_bits != wired->most)
                fail(f, e, q, "the declared bounds are not those of the plan");
        }
        if (bytes) {
            for (uint64_t start = 0; start < 8; start++)
                shifted_case(f, q, i, memory, start);
            fit_case(f, q, i, memory);
            quantize_case(f, q, bytes, size, e, memory);
        } else {
            t->quantize(memory); /* must not crash */
        }
        free(memory);
    }
}

void spoil_case(fuzz *f, const question *q, uint32_t which)
{
    question spoiled = *q;
    const datum v = spoil_value(f->arena, &f->lot, q->decl, q->value, which);
    spoiled.value = &v;
    write_case(f, &spoiled, MOST_PACKET);
}

/* Two values must be equal if, and only if, their encodings are. */
void equal_case(fuzz *f, const question *q, uint32_t which)
{
    codec_error error;
    const codec_options how = {.room = SIZE_MAX};
    size_t size;
    const datum other = change_value(f->arena, &f->lot, q->decl, q->value, which);
    const question both = {.decl = q->decl, .base = q->value, .value = &other};
    if (!codec_write(f->arena, f->schema, q->decl, &other, &how, &size, &error))
        return;
    const bool same = same_in_codec(f, q, q->value, &other);
    for (size_t i = 0; i < f->used; i++) {
        const engine *e = &f->engines[i];
        const fuzz_type *t = engine_type(e, q->decl);
        void *memory = memory_with(f, t, q->decl, q->value), *changed = memory_with(f, t, q->decl, &other);
        if (t->equal(memory, changed) != same || t->equal(changed, memory) != same)
            fail(f, e, &both, "C and codec do not agree on whether the base equals %s",
                 json_print(f->arena, q->decl, &other));
        free(memory);
        free(changed);
    }
}

/* index: a present element, the last one, an absent one, or one out of range. */
static void clear_element(fuzz *f, const question *q, const field *sparse, uint32_t index)
{
    const datum left = value_without(f->arena, q->value, sparse, index);
    for (size_t i = 0; i < f->used; i++) {
        const engine *e = &f->engines[i];
        const fuzz_type *t = engine_type(e, q->decl);
        void *memory = memory_with(f, t, q->decl, q->value);
        /* A union is stored over zeros, so absent elements of sparse arrays in it may not have base values. */
        if (!differs_in_struct(f->arena, t->type, memory, q->decl, q->value)) {
            engine_clear(e, q->decl, sparse)(memory, index);
            const char *name = differs_in_struct(f->arena, t->type, memory, q->decl, &left);
            if (name)
                fail(f, e, q, "clearing %s[%" PRIu32 "]: %s differs", sparse->name, index, name);
        }
        free(memory);
    }
}

void clear_case(fuzz *f, const question *q)
{
    if (q->decl->kind != DECL_STRUCT)
        return;
    for (const field *sparse = q->decl->fields; sparse; sparse = sparse->next) {
        const slot *s = slot_of(q->value->record, sparse);
        if (sparse->array != ARRAY_SPARSE || !s->data)
            continue;
        uint32_t index = lot_below(&f->lot, sparse->dims[0] + 2);
        if (lot_one_in(&f->lot, 8))
            index = sparse->dims[0] - 1;
        else if (s->count > 0 && lot_one_in(&f->lot, 2))
            index = s->indices[lot_below(&f->lot, s->count)];
        clear_element(f, q, sparse, index);
    }
}

enum { MARGIN = 256, MARK = 0xa5 };

static void check_margin(fuzz *f, const engine *e, const question *q, const char *when, const uint8_t *margin)
{
    for (size_t i = 0; i < MARGIN; i++)
        if (margin[i] != MARK) {
            fail(f, e, q, "%s, there is something behind it", when);
            return;
        }
}

/* In memory with other contents before. */
void blank_case(fuzz *f, const decl *d, const engine *e)
{
    const fuzz_type *t = engine_type(e, d);
    const question q = {.decl = d, .how = {.by_stream = true}};
    const size_t size = t->type->size;
    uint8_t *memory = malloc(size + MARGIN);
    datum v = initial_value(f->arena, d);
    memset(memory, MARK, size + MARGIN);
    t->init(memory);
    const char *name = differs_in_struct(f->arena, t->type, memory, d, &v);
    if (name)
        fail(f, e, &q, "initialised, %s differs; the codec has %s", name, json_print(f->arena, d, &v));
    check_margin(f, e, &q, "initialised", memory + size);
    memset(memory, 0x5a, size);
    t->base(memory);
    v = base_of_type(f->arena, d);
    name = differs_in_struct(f->arena, t->type, memory, d, &v);
    if (name)
        fail(f, e, &q, "at base, %s differs; the codec has %s", name, json_print(f->arena, d, &v));
    name = unset_in_struct(f->arena, t->type, memory, d);
    if (name)
        fail(f, e, &q, "at base, %s has an element that is not", name);
    check_margin(f, e, &q, "at base", memory + size);
    free(memory);
}

void names_case(fuzz *f, const engine *e)
{
    for (const decl *d = f->schema->decls; d; d = d->next) {
        if (d->kind != DECL_ENUM && d->kind != DECL_FLAGS)
            continue;
        const question q = {.decl = d};
        const fuzz_names *n = engine_names(e, d);
        const pkt_name *name = n->about->names;
        for (const member *m = d->members; m; m = m->next, name++) {
            if (strcmp(name->name, m->name) != 0 || name->value != num_bits(m->value))
                fail(f, e, &q, "%s has another value, or another name", m->name);
            if (n->name_of && strcmp(n->name_of(num_bits(m->value)), m->name) != 0)
                fail(f, e, &q, "%s is not the name of its value", m->name);
        }
    }
}

void read_case(fuzz *f, const question *q, void *const *memory)
{
    codec_error error;
    datum v;
    size_t again_size = 0;
    const uint8_t *again = NULL;
    codec_options how = how_of(f, q, SIZE_MAX);
    bool good = codec_read(f->arena, f->schema, q->decl, q->bytes, q->size, &how, &v, &error);
    f->cases++;
    f->reasons[error.code]++;
    good ? f->accepted++ : f->refused++;
    if (good) {
        codec_error why;
        again = codec_write(f->arena, f->schema, q->decl, &v, &how, &again_size, &why);
        if (!again || again_size != q->size || memcmp(again, q->bytes, again_size) != 0)
            fail(f, &f->engines[0], q, "the codec accepts what it would not write");
    }
    for (size_t i = 0; i < f->used; i++) {
        const engine *e = &f->engines[i];
        const fuzz_type *t = engine_type(e, q->decl);
        pkt_error c_error;
        uint8_t *exact = at_edge(q->size);
        memcpy(exact, q->bytes, q->size);
        spoil_memory(f, t, q->decl, memory[i]);
        ask_read(t, q->how, q->base_memory[i], memory[i], exact, q->size, &c_error);
        if (f->tape && i == 0) {
            const taped read = {q->how, q->base_bytes, q->base_size, q->bytes, q->size};
            tape_read(f->tape, t, &read, &c_error, memory[i]);
        }
        if (same_error(f, e, q, "reading", &error, &c_error) && good) {
            const char *name = q->junk ? NULL : differs_in_struct(f->arena, t->type, memory[i], q->decl, &v);
            if (name) {
                fail(f, e, q, "reading: %s differs; the codec has %s", name, json_print(f->arena, q->decl, &v));
                printf("and C ");
                pkt_print(stdout, t->type, memory[i]);
            }
            const bool same = q->good && q->size == q->good_size && memcmp(q->bytes, q->good, q->size) == 0 &&
                              t->equal(memory[i], memory[i]);
            if (q->good &&
                (t->equal(q->good_memory[i], memory[i]) != same || t->equal(memory[i], q->good_memory[i]) != same))
                fail(f, e, q, same ? "not equal where the bytes are the same" : "equal where the bytes differ");
            size_t c_size = ask_write(t, q->how, q->base_memory[i], memory[i], exact, q->size, &c_error);
            uint8_t nothing = 0;
            if (c_size != q->size || memcmp(q->size ? exact : &nothing, q->bytes, c_size) != 0)
                fail(f, e, q, "C accepts what it would not write: %s",
                     described(f, c_error.code, c_error.bit, c_error.field));
        }
    }
}
