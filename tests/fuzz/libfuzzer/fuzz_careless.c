/* fuzz_careless.c - does to generated code what a careless program does: any bytes in structs, baselines, motions, orders.
 * SPDX-License-Identifier: MIT
 *
 * It is linked with the glue.c of a schema, whose types it finds in fuzz_types. The first byte of an input selects a
 * type, the second one what is done. A struct begins as T_init leaves it, as bytes of the input that are read, or as these
 * bytes themselves, repeated; then some places in it get other bytes. Only bools are 0 or 1, as C requires, and pointers
 * have at most 32 bits, because each is its id; counts, tags, texts and bits of absent elements may be anything.
 *
 * What is written is as long as was measured, fits into exactly that room and into no byte less, is read again, and is
 * valid. What cannot be written gives a reason, and the same one wherever it is asked for. Buffers have exactly the room
 * that they should need, so that the address sanitizer finds any access outside.
 */
#include "demand.h"

#include "../ask.h"
#include "pkt_explain.h"

extern const fuzz_type fuzz_types[];
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static pkt_refs refs;

/* ---- the input */

typedef struct input {
    const uint8_t *data;
    size_t size, at;
} input;

static unsigned next_byte(input *in)
{
    return in->at < in->size ? in->data[in->at++] : 0;
}

static uint32_t next_number(input *in)
{
    const uint32_t low = next_byte(in);
    return low | next_byte(in) << 8;
}

/* ---- any struct */

static void mend_struct(const pkt_type *type, uint8_t *at);

static void mend_pointer(uint8_t *at)
{
    void *target;
    memcpy(&target, at, sizeof target);
    target = (void *)((uintptr_t)target & UINT32_MAX);
    memcpy(at, &target, sizeof target);
}

static void mend_member(const pkt_member *m, uint8_t *at)
{
    size_t total = 1;
    for (size_t d = 0; d < sizeof m->dims / sizeof m->dims[0] && m->dims[d] != 0; d++)
        total *= m->dims[d];
    for (size_t i = 0; i < m->has.size; i++)
        at[m->has.offset + i] &= 1;
    for (size_t i = 0; i < total && m->value.size != 0; i++) {
        uint8_t *element = at + m->value.offset + i * (m->value.size / total);
        if (m->kind == PKT_KIND_BOOL)
            *element &= 1;
        else if (m->kind == PKT_KIND_REF)
            mend_pointer(element);
        else if (m->kind == PKT_KIND_STRUCT || m->kind == PKT_KIND_UNION)
            mend_struct(m->type, element);
    }
}

static void mend_struct(const pkt_type *type, uint8_t *at)
{
    pkt_member m;
    memset(&m, 0, sizeof m);
    if (type->kind == PKT_KIND_UNION) {
        if (pkt_chosen_member(type, at, &m))
            mend_member(&m, at);
        return;
    }
    while (pkt_next_member(type, &m))
        mend_member(&m, at);
}

/* Reads a value of the next bytes; if they are none, v becomes what T_init makes. */
static void take_value(input *in, const fuzz_type *t, void *v)
{
    pkt_reader r;
    uint8_t *bytes = exactly(in->data + in->at, in->size - in->at);
    pkt_reader_init(&r, bytes, in->size - in->at);
    pkt_reader_set_refs(&r, &refs);
    t->init(v);
    if (t->read && t->read(&r, v))
        in->at += (size_t)((pkt_reader_bits(&r) + 7) / 8);
    else
        t->init(v);
    free(bytes);
}

static void *take_struct(input *in, const fuzz_type *t)
{
    const size_t size = t->type->size;
    const unsigned how = next_byte(in);
    uint8_t *v = allocate(size);
    if (how % 4 == 3 && in->at < in->size)
        for (size_t i = 0; i < size; i++)
            v[i] = in->data[in->at + i % (in->size - in->at)];
    else if (how % 4 == 2)
        take_value(in, t, v);
    else
        t->init(v);
    for (unsigned i = 0; i < how / 4 % 8; i++) {
        const size_t at = (next_number(in) | (size_t)(size > 65536 ? next_byte(in) : 0) << 16) % size;
        const unsigned width = 1u << next_byte(in) % 4;
        for (unsigned k = 0; k < width && at + k < size; k++)
            v[at + k] = (uint8_t)next_byte(in);
    }
    mend_struct(t->type, v);
    return v;
}

/* Whether a value is valid, and what a reader would get. */
static bool is_settled(const fuzz_type *t, const void *v)
{
    uint8_t *settled = exactly(v, t->type->size);
    t->quantize(settled);
    const bool same = t->valid(v, &refs, NULL) && memcmp(settled, v, t->type->size) == 0;
    free(settled);
    return same;
}

/* A baseline, or NULL. Of a type with @delta(predict): a motion, whose values may have nothing to do with each other. */
static void *take_base(input *in, const fuzz_type *t, bool *sound)
{
    const unsigned how = next_byte(in);
    *sound = true;
    if (how % 8 == 0)
        return NULL;
    void *base = take_struct(in, t);
    *sound = is_settled(t, base);
    if (!t->predict)
        return base;
    void *before = take_struct(in, t);
    uint8_t *motion = allocate(t->motion_size);
    *sound = *sound && how % 8 >= 3 && (how % 8 == 3 || is_settled(t, before));
    memset(motion, 0, t->motion_size);
    t->predict(base, how % 8 == 3 ? NULL : before, next_number(in), next_byte(in), motion);
    free(before);
    free(base);
    return motion;
}

/* ---- streams from any bit on */

static uint8_t *begin_writer(pkt_writer *w, uint64_t start, uint64_t bits)
{
    const size_t room = (size_t)((start + bits + 7) / 8);
    uint8_t *bytes = allocate(room);
    memset(bytes, 0, (size_t)((start + 7) / 8));
    pkt_writer_init(w, bytes, room);
    pkt_writer_set_refs(w, &refs);
    w->bit = start;
    return bytes;
}

static void begin_reader(pkt_reader *r, uint64_t start, const uint8_t *bytes, size_t size)
{
    pkt_reader_init(r, bytes, size);
    pkt_reader_set_refs(r, &refs);
    r->bit = start;
}

typedef struct job {
    const fuzz_type *t;
    const void *base; /* of a delta, or NULL */
    bool delta;
    bool sound; /* the baseline is one that a reader can have returned, so what is read against it is valid */
    uint64_t start;
} job;

static bool job_write(const job *j, pkt_writer *w, const void *v)
{
    return j->delta ? j->t->write_delta(w, j->base, v) : j->t->write(w, v);
}

static bool job_read(const job *j, pkt_reader *r, void *v)
{
    return j->delta ? j->t->read_delta(r, j->base, v) : j->t->read(r, v);
}

static uint64_t job_measure(const job *j, const void *v)
{
    return j->delta ? j->t->measure_delta(j->base, v, j->start) : j->t->measure(v, j->start);
}

/* What a reader accepts is valid, and is what is written again. */
static void check_accepted(const job *j, const uint8_t *bytes, const void *v, uint64_t end)
{
    pkt_writer w;
    const uint64_t bits = end - j->start;
    size_t size;
    demand(j->t->valid(v, &refs, NULL) || !j->sound);
    demand(job_measure(j, v) == bits || !j->sound);
    uint8_t *again = begin_writer(&w, j->start, bits);
    const bool wrote = job_write(j, &w, v);
    demand((wrote && pkt_writer_bits(&w) == end && pkt_writer_finish(&w, &size)) || !j->sound);
    for (uint64_t i = j->start; i < end && j->sound; i++)
        demand(((bytes[i / 8] ^ again[i / 8]) >> i % 8 & 1) == 0);
    free(again);
}

/* Bytes of the input, read into any struct. */
static void read_any(input *in, const job *j)
{
    pkt_reader r;
    void *v = take_struct(in, j->t);
    const size_t left = in->size - in->at, before = (size_t)((j->start + 7) / 8);
    uint8_t *bytes = allocate(before + left);
    memset(bytes, 0, before);
    if (left != 0)
        memcpy(bytes + before, in->data + in->at, left);
    begin_reader(&r, j->start, bytes, before + left);
    if (job_read(j, &r, v))
        check_accepted(j, bytes, v, pkt_reader_bits(&r));
    else
        demand(r.error.code != PKT_OK);
    free(bytes);
    free(v);
}

/* In a byte less there is no room. */
static void write_short(const job *j, const void *v, uint64_t bits)
{
    pkt_writer w;
    const uint64_t last = (j->start + bits - 1) / 8;
    if (bits == 0 || 8 * last < j->start)
        return;
    uint8_t *bytes = begin_writer(&w, j->start, 8 * last - j->start);
    demand(!job_write(j, &w, v) && w.error.code == PKT_ERROR_CAPACITY);
    free(bytes);
}

static void check_written(const job *j, const void *v, pkt_writer *w, uint8_t *bytes, uint64_t bits)
{
    pkt_reader r;
    size_t written;
    void *back = allocate(j->t->type->size), *settled = allocate(j->t->type->size);
    memcpy(settled, v, j->t->type->size);
    demand(pkt_writer_bits(w) == j->start + bits && pkt_writer_finish(w, &written));
    demand(written == (j->start + bits + 7) / 8);
    begin_reader(&r, j->start, bytes, written);
    j->t->init(back);
    if (job_read(j, &r, back)) {
        check_accepted(j, bytes, back, j->start + bits);
        j->t->quantize(settled);
        demand(!j->sound || (j->t->equal(back, settled) && j->t->equal(settled, back)));
    } else {
        demand(!j->sound);
    }
    free(settled);
    free(back);
}

/* Any struct is written, or there is a reason. */
static void write_any(input *in, const job *j)
{
    pkt_writer w;
    pkt_error why;
    void *v = take_struct(in, j->t);
    const uint64_t most = j->delta ? j->t->delta_max_bits : j->t->type->max_bits;
    const uint64_t measured = job_measure(j, v);
    const bool endless = measured == UINT64_MAX - j->start;
    const bool valid = j->t->valid(v, &refs, &why);
    demand(endless || measured <= most + 7 * 64);
    demand(valid == (why.code == PKT_OK) && !(valid && endless && !j->delta));
    uint8_t *bytes = begin_writer(&w, j->start, endless ? most : measured);
    if (job_write(j, &w, v)) {
        demand(!endless && (valid || j->delta));
        check_written(j, v, &w, bytes, measured);
        write_short(j, v, measured);
    } else {
        demand(w.error.code != PKT_OK && (!valid || j->delta));
        demand(j->delta || why.code == w.error.code);
        demand(j->delta || strcmp(why.field, w.error.field) == 0);
    }
    free(bytes);
    free(v);
}

/* ---- packets */

static void pack_any(input *in, const fuzz_type *t)
{
    pkt_error error;
    void *v = take_struct(in, t);
    const uint64_t measured = t->measure(v, 0);
    const size_t room = measured > t->type->max_bits ? 64 : (size_t)((measured + 7) / 8) + 8;
    uint8_t *bytes = allocate(room);
    const size_t size = t->pack(v, bytes, room, &refs, &error);
    demand((size != 0) == (error.code == PKT_OK) && size <= room);
    if (size != 0) {
        void *back = allocate(t->type->size);
        uint8_t *exact = exactly(bytes, size);
        t->init(back);
        demand(t->unpack(back, exact, size, &refs, &error) && t->valid(back, &refs, NULL));
        demand(t->pack(back, exact, size, &refs, &error) == size && memcmp(exact, bytes, size) == 0);
        demand(t->pack(back, exact, size - 1, &refs, &error) == 0 && error.code == PKT_ERROR_CAPACITY);
        /* What failed may have changed one bit, and this would change it back. */
        memcpy(exact, bytes, size);
        exact[size / 2] ^= (uint8_t)(1u << next_byte(in) % 8);
        demand(!t->unpack(back, exact, size, &refs, &error) && error.code != PKT_OK);
        free(exact);
        free(back);
    }
    free(bytes);
    free(v);
}

/* ---- values */

static void count_text(void *user, const char *text, size_t size)
{
    size_t *sum = (size_t *)user;
    for (size_t i = 0; i < size; i++)
        *sum += text[i] == '\n';
}

static void compare_any(input *in, const fuzz_type *t)
{
    size_t lines = 0;
    void *a = take_struct(in, t), *b = take_struct(in, t);
    demand(t->equal(a, b) == t->equal(b, a));
    t->quantize(a);
    pkt_print_to(count_text, &lines, t->type, b);
    memcpy(b, a, t->type->size);
    t->quantize(b);
    demand(memcmp(a, b, t->type->size) == 0);
    t->init(a);
    t->base(b);
    free(b);
    free(a);
}

/* ---- what fits */

/* An order: often all elements, shuffled a little; or any numbers, with some twice. */
static uint32_t *take_order(input *in, uint32_t elements, uint32_t *count)
{
    const unsigned how = next_byte(in);
    const bool all = how % 4 == 0 && elements < 4096;
    *count = all ? elements : how % 64;
    pkt_element *order = allocate(*count * sizeof *order + 1);
    for (uint32_t i = 0; i < *count; i++) {
        const unsigned number = all ? 0 : next_byte(in);
        order[i].number = all ? (how & 64 ? elements - 1 - i : i) : number;
        if (number >= 254)
            order[i].number = number == 255 ? UINT32_MAX : next_number(in);
    }
    return order;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Whether two orders have the same numbers. Sorts them. */
static bool same_numbers(uint32_t *a, uint32_t *b, uint32_t count)
{
    qsort(a, count, sizeof *a, compare_numbers);
    qsort(b, count, sizeof *b, compare_numbers);
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* What a report says of the kept numbers agrees with them. */
static void check_report(const pkt_fit_report *r, bool fits, uint32_t kept, uint32_t count)
{
    demand(fits || (kept == 0 && r->kept == 0 && r->error.code != PKT_OK));
    demand(!fits || (r->kept == kept && kept + r->left_out + r->invalid + r->absent == count));
    demand(!fits || (r->invalid != 0) == (r->error.code != PKT_OK));
    demand((r->error.code != PKT_OK) == (r->error.field[0] != 0));
}

/* What is sent, with a report or without, is within the budget and arrives. What fits nowhere has a reason. */
static void fit_any(input *in, const job *j)
{
    const fuzz_type *t = j->t;
    job write = *j;
    pkt_fit_report report, of_all;
    void *v = take_struct(in, t), *sent = allocate(t->type->size), *again = allocate(t->type->size);
    const unsigned how = next_byte(in);
    const uint64_t most = how < 64 ? UINT64_MAX - how : how < 128 ? next_byte(in) * 8 : next_number(in);
    uint32_t count;
    pkt_element *order = take_order(in, t->fit_elements, &count);
    uint32_t kept = count, kept_again = count;
    uint32_t *other = exactly((const uint8_t *)order, count * sizeof *order),
             *given = exactly((const uint8_t *)order, count * sizeof *order);
    write.delta = t->write_delta != NULL;
    t->init(sent);
    t->init(again);
    memset(&report, 0xa5, sizeof report);
    const bool fits = t->fit(j->base, v, sent, order, &kept, j->start, most, &report);
    demand(t->fit(j->base, v, again, other, &kept_again, j->start, most, NULL) == fits && kept == kept_again);
    check_report(&report, fits, kept, count);
    demand(kept == 0 || memcmp(order, other, kept * sizeof *order) == 0);
    if (fits) {
        pkt_writer w;
        const uint64_t bits = job_measure(&write, sent);
        demand(bits <= most && bits != UINT64_MAX - j->start);
        demand(memcmp(sent, again, t->type->size) == 0);
        uint8_t *bytes = begin_writer(&w, j->start, bits);
        demand(job_write(&write, &w, sent));
        check_written(&write, sent, &w, bytes, bits);
        free(bytes);
        demand(!t->valid(v, &refs, NULL) || !j->sound || report.invalid == 0);
    } else {
        /* Only for want of room is more room a remedy. */
        memcpy(other, given, count * sizeof *order);
        kept_again = count;
        demand(t->fit(j->base, v, again, other, &kept_again, j->start, UINT64_MAX, &of_all) ==
               (report.error.code == PKT_ERROR_CAPACITY));
        demand(!j->sound || report.error.code != PKT_ERROR_BASELINE);
    }
    demand(same_numbers(order, given, count));
    free(given);
    free(other);
    free(order);
    free(again);
    free(sent);
    free(v);
}

/* ---- packets with parts */

enum { SEED = 7 };

static const fuzz_type *type_called(const char *name)
{
    const fuzz_type *t = fuzz_types;
    while (strcmp(t->name, name) != 0)
        t++;
    return t;
}

/* A value of a part in a ring of its own, under the number by which the packet names it; or under another one. */
static pkt_baseline take_baseline(input *in, const fuzz_parts *p, unsigned part, uint64_t number, bool *sound)
{
    const fuzz_type *t = type_called(p->about->parts[part].how->type->name);
    void *v = take_struct(in, t), *ring = allocate(p->rings[part].size);
    memset(ring, 0, p->rings[part].size);
    p->rings[part].keep(ring, 0, v);
    pkt_baseline b = p->rings[part].find(ring, 0);
    *sound = *sound && is_settled(t, v);
    b.value = v;
    b.number = number + (next_byte(in) == 255);
    free(ring);
    return b;
}

/* The elements that an order for T_fit_pack of a packet can name, of its part with @fit; 0 if it has none. */
static uint32_t elements_of_parts(const fuzz_parts *p, const fuzz_type **of)
{
    for (unsigned i = 0; i < p->about->count; i++) {
        *of = type_called(p->about->parts[i].how->type->name);
        if (strcmp(p->about->parts[i].name, p->fitted ? p->fitted : "") == 0)
            return (*of)->fit_elements;
    }
    return 0;
}

/* The same as fit_any, for a packet with parts. */
static void fit_parts(input *in, const fuzz_type *t, const void *v, const pkt_baseline *from, bool sound)
{
    const fuzz_parts *p = t->parts;
    const fuzz_type *of = NULL;
    const uint32_t elements = elements_of_parts(p, &of);
    pkt_fit_report report;
    pkt_error error;
    void *now = elements != 0 ? take_struct(in, of) : NULL;
    void *sent = exactly(v, t->type->size), *again = exactly(v, t->type->size);
    const unsigned how = next_byte(in);
    const size_t room = how < 64 ? 65536 : how < 128 ? how - 64 : next_number(in) % 1500;
    const size_t most = how < 32 ? SIZE_MAX - how : room;
    uint32_t count;
    pkt_element *order = take_order(in, elements, &count);
    uint32_t kept = count, kept_again = count;
    uint32_t *other = exactly((const uint8_t *)order, count * sizeof *order);
    uint32_t *given = exactly((const uint8_t *)order, count * sizeof *order);
    memset(&report, 0xa5, sizeof report);
    const bool fits = p->fit(sent, from, now, order, &kept, most, &report);
    demand(p->fit(again, from, now, other, &kept_again, most, NULL) == fits && kept == kept_again);
    demand(memcmp(sent, again, t->type->size) == 0 || !fits);
    demand(fits || (report.kept == 0 && report.error.code != PKT_OK && (!now || kept == 0)));
    if (now && fits)
        demand(report.kept == kept && kept + report.left_out + report.invalid + report.absent >= count);
    demand(!fits || (report.invalid != 0) == (report.error.code != PKT_OK));
    demand(same_numbers(order, given, count));
    if (fits) {
        uint8_t *bytes = allocate(room), *exact;
        const size_t size = p->pack(sent, from, SEED, bytes, room, &error);
        demand(size != 0 && size <= room);
        memcpy(again, v, t->type->size);
        exact = exactly(bytes, size);
        demand(p->unpack(again, from, SEED, exact, size, &error) || !sound);
        t->quantize(sent);
        demand(!sound || t->equal(sent, again));
        free(exact);
        free(bytes);
    } else if (report.error.code == PKT_ERROR_CAPACITY) {
        memcpy(again, v, t->type->size);
        kept_again = count;
        demand(p->fit(again, from, now, given, &kept_again, SIZE_MAX, NULL));
    }
    free(given);
    free(other);
    free(order);
    free(again);
    free(sent);
    free(now);
}

static void parts_any(input *in, const fuzz_type *t)
{
    const fuzz_parts *p = t->parts;
    pkt_part_names called[PKT_MOST_PARTS];
    pkt_baseline from[2 * PKT_MOST_PARTS];
    pkt_error error;
    const size_t room = 1500;
    bool sound = true;
    uint8_t *bytes = allocate(room);
    void *v = take_struct(in, t);
    memset(from, 0, sizeof from);
    p->about->names(v, called);
    for (unsigned i = 0; i < p->about->count; i++) {
        const pkt_part_row *row = &p->about->parts[i];
        if (called[i].based && next_byte(in) != 255)
            from[row->baseline] = take_baseline(in, p, i, called[i].base, &sound);
        if (called[i].based && called[i].moves && row->predicts)
            from[row->baseline + 1] = take_baseline(in, p, i, called[i].before, &sound);
    }
    if (p->fit && next_byte(in) % 2) {
        fit_parts(in, t, v, from, sound);
        goto done;
    }
    const size_t size = p->pack(v, from, SEED, bytes, room, &error);
    demand((size != 0) == (error.code == PKT_OK) && size <= room);
    if (size != 0) {
        void *back = allocate(t->type->size);
        uint8_t *exact = exactly(bytes, size);
        t->init(back);
        demand(p->unpack(back, from, SEED, exact, size, &error) || !sound);
        demand(!sound || t->valid(back, &refs, NULL));
        demand(!sound || (p->pack(back, from, SEED, exact, size, &error) == size && memcmp(exact, bytes, size) == 0));
        demand(p->pack(v, from, SEED, exact, size - 1, &error) == 0 && error.code == PKT_ERROR_CAPACITY);
        free(exact);
        free(back);
    }
done:
    for (unsigned i = 0; i < 2 * PKT_MOST_PARTS; i++)
        free((void *)(uintptr_t)from[i].value);
    free(v);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size, 0};
    size_t count = 0;
    while (fuzz_types[count].name)
        count++;
    refs = refs_of_ids();
    const fuzz_type *t = &fuzz_types[next_number(&in) % count];
    job j = {.t = t, .sound = true};
    const unsigned how = next_byte(&in);
    void *base = NULL;
    if (t->parts) {
        parts_any(&in, t);
        return 0;
    }
    j.start = how / 8;
    j.delta = t->write_delta && how % 2 == 1;
    if (j.delta)
        j.base = base = take_base(&in, t, &j.sound);
    switch (how / 2 % 4) {
    case 0: write_any(&in, &j); break;
    case 1: read_any(&in, &j); break;
    case 2:
        if (t->fit)
            fit_any(&in, &j);
        else
            write_any(&in, &j);
        break;
    default:
        if (t->pack && how % 8 == 6)
            pack_any(&in, t);
        else
            compare_any(&in, t);
    }
    free(base);
    return 0;
}
