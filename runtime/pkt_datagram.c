/* pkt_datagram.c - packets with parts: finds the baselines, mixes their hashes into the seed, writes and reads the frame.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_parts.h"
#include "pkt_fit.h"
#include "pkt_frame.h"

/* The names of the parts, and their baselines for T_serialize. */
typedef struct pkt_parts {
    pkt_part_names names[PKT_MOST_PARTS];
    pkt_delta_part parts[PKT_MOST_PARTS];
    uint64_t seed;
} pkt_parts;

/* So many late numbers in a row are no accident: the numbers begin again, or half of them have passed meanwhile. */
enum { PKT_MOST_LATE = 64 };

/* A number is kept if it is less than `size` before the newest one, or after it. Others are late or replayed, and would remove a
 * newer value. */
bool pkt_ring_keeps(uint64_t *newest, uint32_t *late, bool *used, uint64_t number, size_t size, unsigned bits)
{
    const uint64_t most = UINT64_MAX >> (64 - bits), ahead = (number - *newest) & most,
                   behind = (*newest - number) & most;
    const bool any = used[(size_t)(*newest % size)];
    if (any && behind <= most / 2 + 1 && behind < size) {
        *late = 0;
        return true;
    }
    if (any && behind <= most / 2 + 1 && ++*late < PKT_MOST_LATE)
        return false;
    for (size_t i = 1; i <= size && i <= ahead; i++)
        used[(size_t)((*newest + i) % size)] = false;
    *newest = number;
    *late = 0;
    return true;
}

/* Before half of all numbers have passed, after which new values would look late. */
void pkt_ring_passes(uint64_t newest, bool *used, uint64_t number, size_t size, unsigned bits)
{
    const uint64_t most = UINT64_MAX >> (64 - bits), ahead = (number - newest) & most;
    if (ahead >= size && ahead <= most / 2 + 1)
        memset(used, 0, size * sizeof *used);
}

/* The same datagram once more says nothing, however often it comes. */
bool pkt_is_newer(uint64_t newest, uint32_t *late, uint64_t number, unsigned bits)
{
    const uint64_t most = UINT64_MAX >> (64 - bits), ahead = (number - newest) & most;
    if (ahead == 0 || (ahead > most / 2 && ++*late < PKT_MOST_LATE))
        return false;
    *late = 0;
    return true;
}

/* Always false. */
static PKT_COLD bool pkt_fails_at(pkt_error *error, pkt_code code, const char *where)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->code = code;
        pkt_error_outer(error, where);
    }
    return false;
}

bool pkt_sends(uint64_t newest, uint64_t number, unsigned bits, const char *where, pkt_error *error)
{
    const uint64_t behind = pkt_earlier(newest, number, bits);
    return behind >= PKT_MOST_LATE || behind > UINT64_MAX >> (64 - bits) >> 1 ||
           pkt_fails_at(error, PKT_ERROR_ORDER, where);
}

bool pkt_is_news(const bool *acknowledged, const bool *used, const uint64_t *numbers, uint64_t newest, uint64_t number,
                 size_t size, unsigned bits)
{
    const uint64_t age = pkt_earlier(newest, number, bits);
    for (size_t i = 0; i < size; i++)
        if (used[i] && acknowledged[i] && pkt_earlier(newest, numbers[i], bits) <= age)
            return false;
    return true;
}

/* A ring without values also keeps one that came too late for baselines. */
void pkt_ring_newest(uint64_t *newest, bool *any, uint64_t of_ring, const bool *used, uint64_t latest, size_t size,
                     unsigned bits)
{
    const uint64_t age = pkt_earlier(latest, of_ring, bits);
    if (!used[(size_t)(of_ring % size)] || age >= size || (*any && pkt_earlier(latest, *newest, bits) <= age))
        return;
    *newest = of_ring;
    *any = true;
}

static uint64_t pkt_mix_seed(uint64_t seed, uint64_t hash)
{
    seed = (seed ^ hash) * UINT64_C(0x9e3779b97f4a7c15);
    seed ^= seed >> 32;
    return seed != 0 ? seed : 1;
}

/* "ToClient.world": its baseline is missing, or another was passed. Always false. */
static PKT_COLD bool pkt_baseline_fails(const pkt_datagram *d, const pkt_part_row *row, pkt_error *error)
{
    pkt_fails_at(error, PKT_ERROR_BASELINE, row->name);
    if (error)
        pkt_error_outer(error, d->frame.name);
    return false;
}

/* Whether the objects overlap: a value cannot be read into its own baseline. */
static bool pkt_overlaps(const void *a, size_t a_size, const void *b, size_t b_size)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x < y + b_size && y < x + a_size;
}

/* Whether a value that the program passes is the one of that number. If so, its hash is mixed into the seed. */
static bool pkt_take_baseline(const pkt_datagram *d, const pkt_part_row *row, const pkt_baseline *given,
                              uint64_t number, const void *v, uint64_t *seed)
{
    if (!given->value || given->number != number || pkt_overlaps(v, d->size, given->value, row->how->type->size))
        return false;
    *seed = pkt_mix_seed(*seed, given->hash);
    return true;
}

/* The start value of part i, if it has one. b: its baseline. Both sides mix the hash in, whether the part needs the value or
 * not, so that they cannot have different ones. */
static bool pkt_take_start(const pkt_datagram *d, pkt_parts *p, unsigned i, const pkt_baseline *b, const void *v)
{
    const pkt_part_row *row = &d->parts[i];
    const pkt_baseline *start = b + 1 + row->predicts;
    if ((row->baseline & PKT_PART_STARTS) == 0 || !start->value)
        return true;
    if (start->hash == 0 || pkt_overlaps(v, d->size, start->value, row->how->type->size))
        return false;
    p->seed = pkt_mix_seed(p->seed, start->hash);
    p->parts[i].start = start->value;
    return true;
}

/* Finds the baselines that the names ask for among those that the program passes. False with *error if one is missing,
 * or not the one of that number. A writer must not pass one that is not asked for: it would not be what it thinks. */
static bool pkt_find_parts(const pkt_datagram *d, pkt_parts *p, const void *v, const void *from, uint64_t seed,
                           bool writing, pkt_error *error)
{
    pkt_baseline given[3 * PKT_MOST_PARTS];
    memset(given, 0, sizeof given);
    if (from)
        memcpy(given, from, d->baselines * sizeof given[0]);
    p->seed = seed;
    for (unsigned i = 0; i < d->count; i++) {
        const pkt_part_row *row = &d->parts[i];
        const pkt_part_names *n = &p->names[i];
        const pkt_baseline *b = &given[row->baseline & (PKT_PART_STARTS - 1)];
        memset(&p->parts[i], 0, sizeof p->parts[i]);
        p->parts[i].how = row->how;
        if ((!n->based && writing && b->value) || !pkt_take_start(d, p, i, b, v))
            return pkt_baseline_fails(d, row, error);
        p->parts[i].base = p->parts[i].start;
        if (n->based) {
            if (!pkt_take_baseline(d, row, b, n->base, v, &p->seed) ||
                (row->predicts && n->moves && !pkt_take_baseline(d, row, b + 1, n->before, v, &p->seed)))
                return pkt_baseline_fails(d, row, error);
            p->parts[i].base = b->value;
        }
        if (row->predicts && p->parts[i].base) {
            const pkt_motion motion = {p->parts[i].base, n->based && n->moves ? b[1].value : NULL,
                                       n->based ? n->back : 0, n->gap};
            p->parts[i].motion = motion;
            p->parts[i].base = &p->parts[i].motion;
        }
    }
    return true;
}

/* Reads the fields that name parts and baselines, which come first. Nothing is checked yet. */
static bool pkt_read_names(const pkt_datagram *d, pkt_reader *r, pkt_parts_read *read, void *v, pkt_part_names *names)
{
    if (!pkt_reader_frame_peek(r, &d->frame) || !read(r, NULL, v))
        return false;
    d->names(v, names);
    return true;
}

bool pkt_peek_names(const pkt_datagram *d, pkt_parts_read *read, void *v, void *names, const void *data, size_t size)
{
    pkt_reader r;
    pkt_reader_init(&r, data, size);
    return pkt_read_names(d, &r, read, v, (pkt_part_names *)names);
}

static bool pkt_fails(pkt_error *error, const pkt_error *why)
{
    if (error)
        *error = *why;
    return false;
}

bool pkt_unpack_datagram(const pkt_datagram *d, pkt_parts_read *read, void *v, const void *from, uint64_t seed,
                         const void *data, size_t size, pkt_error *error)
{
    pkt_parts p;
    pkt_reader r;
    pkt_reader_init(&r, data, size);
    pkt_reader_set_terse(&r, !error);
    if (!pkt_read_names(d, &r, read, v, p.names)) {
        if (size >= 4) { /* nothing that begins like this has a right checksum */
            pkt_reader_init(&r, data, size);
            pkt_fail_reader(&r, PKT_ERROR_CRC, 0, "crc");
            pkt_error_outer(&r.error, d->frame.name);
        }
        return pkt_fails(error, &r.error);
    }
    if (!pkt_find_parts(d, &p, v, from, seed, false, error))
        return false;
    if (!pkt_reader_frame_begin(&r, &d->frame, p.seed) ||
        !(read(&r, p.parts, v) || pkt_read_delta_failed(&r, p.parts, v, d->how)) ||
        !pkt_reader_frame_end(&r, &d->frame))
        return pkt_fails(error, &r.error);
    if (error)
        memset(error, 0, sizeof *error);
    return true;
}

size_t pkt_pack_datagram(const pkt_datagram *d, pkt_parts_write *write, const void *v, const void *from, uint64_t seed,
                         void *data, size_t size, pkt_error *error)
{
    pkt_parts p;
    pkt_writer w;
    size_t packed;
    d->names(v, p.names);
    if (!pkt_find_parts(d, &p, v, from, seed, true, error))
        return 0;
    pkt_writer_init(&w, data, size);
    pkt_writer_set_terse(&w, !error);
    if (pkt_writer_frame_begin(&w, &d->frame) && !write(&w, p.parts, v))
        pkt_write_delta_failed(&w, p.parts, v, d->how, write);
    packed = pkt_writer_frame_end(&w, &d->frame, p.seed);
    if (error)
        *error = w.error;
    return packed;
}

bool pkt_explain_parts(pkt_cursor *c, const pkt_type *t, const void *parts, const void *v)
{
    c->parts = (pkt_delta_part *)(uintptr_t)parts;
    return pkt_explain_type(c, t, NULL, v);
}

uint64_t pkt_measure_part(uint64_t bit, pkt_delta_part *p, const void *v, pkt_delta_write *write)
{
    p->start_bit = bit;
    if (!p->known)
        p->bits = pkt_measure_delta_of(p, p->base, v, bit, write);
    return bit + p->bits;
}

uint64_t pkt_measure_delta_of(const pkt_delta_part *part, const void *base, const void *v, uint64_t start_bit,
                              pkt_delta_write *write)
{
    pkt_writer w;
    pkt_measuring_writer(&w, start_bit);
    w.part = part;
    return pkt_measured(start_bit, write(&w, base, v) ? w.bit : PKT_FAILED);
}

const void *pkt_start_of(const pkt_delta_part *part, const pkt_type *type)
{
    return part && part->how->type == type ? part->start : NULL;
}

/* ---- what fits */

static uint64_t pkt_fit_count_of(const pkt_fit_count *c, const char *v)
{
    return pkt_entry_load(v + c->offset, c->size);
}

static void pkt_fit_set_count(const pkt_fit_count *c, char *v, uint64_t count)
{
    pkt_entry_store(v + c->offset, c->size, count);
}

/* What `fit` gets of a part: its baseline; or with a start value, all of the part. */
static const void *pkt_fit_from(const pkt_datagram *d, const pkt_fit_part *f, const pkt_delta_part *part)
{
    return (d->parts[f->part].baseline & PKT_PART_STARTS) != 0 ? (const void *)part : part->base;
}

/* The work of T_fit_pack. */
typedef struct pkt_fitting {
    const pkt_datagram *d;
    const pkt_fit_part *f;
    pkt_parts_measure *measure;
    pkt_parts p;
    char *v;
    uint64_t limit;
    uint32_t cut;           /* arrays that end before an element that cannot be written */
    pkt_error of_part;      /* why the part cannot be written without its elements */
    pkt_fit_report *report; /* or NULL */
} pkt_fitting;

/* A cursor that explains why an item cannot be written. */
static pkt_cursor pkt_fit_explaining(pkt_fitting *t, pkt_error *error)
{
    pkt_cursor c = pkt_cursor_at(NULL, NULL, 32, PKT_ENDLESS, 0, NULL);
    pkt_no_error(error);
    c.error = error;
    c.parts = t->p.parts;
    c.part = NULL;
    return c;
}

/* Ends an array before its first element that cannot be written. */
static PKT_COLD void pkt_fit_cut(pkt_fitting *t, const pkt_fit_count *count)
{
    const pkt_type *type = t->d->how->type;
    const uint64_t all = pkt_fit_count_of(count, t->v);
    const pkt_entry *e = type->entries;
    pkt_error error;
    pkt_cursor c = pkt_fit_explaining(t, &error);
    while (e->kind != PKT_ENTRY_COUNTED || e->other != count->offset)
        e = pkt_entry_after(e);
    for (uint64_t i = 0; i < all && all <= e->low + e->span; i++) {
        c.bit = 0;
        if (pkt_explain_nth(&c, type, e, t->v, i))
            continue;
        if (i < count->least)
            return;
        pkt_fit_set_count(count, t->v, i);
        pkt_explain_element(&c, i);
        pkt_error_outer(&error, type->name);
        if (t->cut++ == 0 && t->report)
            t->report->error = error;
        return;
    }
}

/* The bits of the packet so far, or PKT_FAILED. If elements of its arrays cannot be written, these end before them. */
static uint64_t pkt_fit_measure(pkt_fitting *t)
{
    const uint64_t bits = t->measure(t->v, 32, t->p.parts);
    if (PKT_LIKELY(bits != PKT_FAILED))
        return bits;
    for (unsigned i = 0; i < t->f->count; i++)
        pkt_fit_cut(t, &t->f->counts[i]);
    return t->measure(t->v, 32, t->p.parts);
}

/* Whether an entry is the part with @fit, whose value is not known yet. */
static bool pkt_is_fit_part(const pkt_fit_part *f, const pkt_entry *e)
{
    e += e->kind == PKT_ENTRY_OPTIONAL;
    return f->part >= 0 && e->kind == PKT_ENTRY_STRUCT && e->offset == f->value;
}

/* "World.karts[3]" of a part becomes "ToClient.world.karts[3]". */
static PKT_COLD void pkt_name_of_part(const pkt_fitting *t, pkt_error *error)
{
    const pkt_part_row *row = &t->d->parts[t->f->part];
    const size_t length = strlen(row->how->type->name), after = error->field[length] == '.';
    memmove(error->field, error->field + length + after, strlen(error->field + length + after) + 1);
    pkt_error_outer(error, row->name);
    pkt_error_outer(error, t->d->frame.name);
}

/* Another field than those that are chosen cannot be written, or there is no room for them. Always false. */
static PKT_COLD bool pkt_fit_datagram_fails(pkt_fitting *t)
{
    const pkt_type *type = t->d->how->type;
    pkt_error error;
    pkt_cursor c = pkt_fit_explaining(t, &error);
    if (!t->report)
        return false;
    memset(t->report, 0, sizeof *t->report);
    for (const pkt_entry *e = type->entries; e != pkt_type_end(type) && error.code == PKT_OK; e = pkt_entry_after(e))
        if (!pkt_is_fit_part(t->f, e))
            (void)pkt_explain_entry(&c, type, e, t->v, 0);
    if (error.code == PKT_OK && t->of_part.code != PKT_OK) {
        pkt_name_of_part(t, &t->of_part);
        t->report->error = t->of_part;
        return false;
    }
    if (error.code == PKT_OK)
        error.code = PKT_ERROR_CAPACITY;
    pkt_error_outer(&error, type->name);
    t->report->error = error;
    return false;
}

/* Adds elements to the arrays as long as everything fits: first those of the first array. False if not even the least
 * counts fit. In T_fit_pack, a part counts with the bits that are known of it. The number of elements is found by bisection:
 * each measure is one of the whole packet. */
static bool pkt_fit_counts(pkt_fitting *t)
{
    const pkt_fit_part *f = t->f;
    char *const v = t->v;
    uint64_t all[PKT_MOST_PARTS];
    if (pkt_fit_measure(t) <= t->limit)
        return true;
    for (unsigned i = 0; i < f->count; i++) {
        all[i] = pkt_fit_count_of(&f->counts[i], v);
        pkt_fit_set_count(&f->counts[i], v, f->counts[i].least);
    }
    if (t->measure(v, 32, t->p.parts) > t->limit)
        return false;
    for (unsigned i = 0; i < f->count; i++) {
        uint64_t fits = f->counts[i].least, most = all[i];
        while (fits < most) {
            const uint64_t n = most - (most - fits) / 2;
            pkt_fit_set_count(&f->counts[i], v, n);
            if (t->measure(v, 32, t->p.parts) <= t->limit)
                fits = n;
            else
                most = n - 1;
        }
        pkt_fit_set_count(&f->counts[i], v, fits);
    }
    return true;
}

/* If the other fields leave less than the part can need, it gets as many bits as it has without any of its elements, and
 * no more than `rest`, wherever it begins. If it takes fewer in the end, the packet does not become longer, even if
 * padding comes after the part. */
static bool pkt_fit_least(pkt_fitting *t, const void *now, pkt_element *order)
{
    const pkt_fit_part *f = t->f;
    pkt_delta_part *part = &t->p.parts[f->part];
    const uint64_t slack = f->pads ? 7 : 0;
    uint32_t none = 0;
    pkt_fit_report report;
    part->known = true;
    part->bits = f->rest;
    if (pkt_fit_measure(t) <= t->limit)
        return true;
    if (!f->fit(pkt_fit_from(t->d, f, part), now, t->v + f->value, order, &none, 32, PKT_ENDLESS, &report)) {
        t->of_part = report.error;
        return false;
    }
    part->known = false;
    if (t->measure(t->v, 32, t->p.parts) == PKT_FAILED)
        return false;
    part->known = true;
    part->bits = part->bits + slack < f->rest ? part->bits + slack : f->rest;
    return true;
}

/* Gives the part the bits that the other fields leave. Padding after it takes up to 7 bits more or less than if it had
 * none: which, depends on where the part ends. */
static bool pkt_room_of_part(pkt_fitting *t)
{
    pkt_delta_part *part = &t->p.parts[t->f->part];
    const uint64_t slack = t->f->pads_after ? 7 : 0;
    uint64_t fits, most;
    part->bits = 0;
    fits = t->measure(t->v, 32, t->p.parts);
    if (fits > t->limit)
        return false;
    most = t->limit - fits + slack;
    fits = most > 2 * slack ? most - 2 * slack : 0;
    while (fits < most) {
        part->bits = most - (most - fits) / 2;
        if (t->measure(t->v, 32, t->p.parts) <= t->limit)
            fits = part->bits;
        else
            most = part->bits - 1;
    }
    part->bits = fits;
    return true;
}

/* Chooses the elements of the part that fit into what the other fields leave. */
static bool pkt_fit_rest(pkt_fitting *t, const void *now, pkt_element *order, uint32_t *entries)
{
    const pkt_delta_part *part = &t->p.parts[t->f->part];
    pkt_fit_report *report = t->report, of_part;
    bool fits;
    if (!pkt_room_of_part(t))
        return pkt_fit_datagram_fails(t);
    fits = t->f->fit(pkt_fit_from(t->d, t->f, part), now, t->v + t->f->value, order, entries, part->start_bit,
                     part->bits, report ? &of_part : NULL);
    if (!report)
        return fits;
    if (of_part.error.code != PKT_OK)
        pkt_name_of_part(t, &of_part.error);
    if (fits && t->cut != 0)
        of_part.error = report->error;
    *report = of_part;
    report->cut = fits ? t->cut : 0;
    return fits;
}

bool pkt_fit_datagram(const pkt_datagram *d, pkt_parts_measure *measure, const pkt_fit_part *f, void *v,
                      const void *from, const void *now, pkt_element *order, uint32_t *entries, size_t max_bytes,
                      pkt_fit_report *report)
{
    pkt_fitting t;
    const bool part = f->part >= 0 && !(f->optional && pkt_entry_load((const char *)v + f->has, 1) == 0);
    bool fits;
    t.d = d;
    t.f = f;
    t.measure = measure;
    t.v = (char *)v;
    t.limit = pkt_fit_body_bits(max_bytes, d->frame.end_check ? 4 : 0);
    t.cut = 0;
    pkt_no_error(&t.of_part);
    t.report = report;
    if (report)
        memset(report, 0, sizeof *report);
    d->names(v, t.p.names);
    fits = pkt_find_parts(d, &t.p, v, from, 0, true, report ? &report->error : NULL);
    if (fits)
        fits = ((!part || pkt_fit_least(&t, now, order)) && pkt_fit_counts(&t)) || pkt_fit_datagram_fails(&t);
    if (fits && part)
        return pkt_fit_rest(&t, now, order, entries);
    if (report && fits) {
        report->cut = t.cut;
        report->left_out = entries ? *entries : 0;
    }
    if (entries)
        *entries = 0;
    return fits;
}
