/* datagrams.c - tries each packet and stream on a datagram, and keeps the values that later deltas are based on.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/age_list.h"
#include "recordings/datagrams_internal.h"
#include "recordings/spoken.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct datagram_flow datagram_flow;

/* A value that a delta may refer to. */
typedef struct baseline {
    aged links;
    datum value;
    datagram_flow *flow;
    uint32_t at; /* its place there */
} baseline;

enum { BASELINES = 256, LAST = BASELINES, LAST_BUT_ONE, START, BASELINE_PLACES, BUCKETS = 1024 };

/* The most bytes of all baselines together, and what each allocation costs besides. A recording can have any number of
 * senders, so beyond this the oldest value is forgotten. */
enum { MOST_KEPT = 20 << 20, OVERHEAD = 16 };

/* Before each datagram, so many places are free for its deltas. */
enum { SEEN_AT_ONCE = 4 };

/* The most bytes of memory for the values of one datagram. A few bytes can stand for many elements. A struct of one byte
 * takes 144, so this has room for a value of 64 KB. `pktc convert` needs it three times. */
enum { MOST_READ = 12 << 20 };

/* The baselines of one type from one sender to one receiver. If a packet has several parts of a type, these are those
 * of one part: `place` says which. */
struct datagram_flow {
    datagrams *of;
    endpoint from, to;
    const decl *decl;
    uint32_t place;
    baseline
        *ring[BASELINE_PLACES];  /* as their numbers came; then the last one, the one before it, and the start value */
    uint64_t numbers[BASELINES]; /* theirs: a search reads no other memory */
    uint32_t count;              /* of them */
    uint32_t next_place;         /* of a new number */
    datagram_flow *next;         /* in its bucket */
};

/* The baselines of one or several datagrams. */
typedef struct baselines {
    kept_values *values;
    size_t bytes; /* of flows and baselines, without their values */
    age_list all;
    aged *leaving;                /* those that the last datagram may still use; a list by `newer` */
    codec_seen seen[SEEN_DELTAS]; /* the last deltas: servers send one to several clients */
    unsigned next_seen;
} baselines;

struct datagrams {
    datagram_kinds kinds;
    uint64_t whole, unknown; /* complete datagrams, and those of them that were not recognized */
    uint64_t unsure;         /* that could be of several releases */
    datagram_flow *flows[BUCKETS];
    baselines *kept;
    bool borrows;            /* they belong to another datagrams */
    spoken_releases *spoken; /* NULL: each protocol has one release */
};

static bool has_releases(const datagrams_request *request)
{
    for (size_t i = 0; i < request->schema_count; i++)
        for (size_t k = 0; k < i; k++)
            if (is_other_release(request->schemas[i], request->schemas[k]))
                return true;
    return false;
}

datagrams *datagrams_new(arena *a, diag *d, const datagrams_request *request)
{
    datagrams *g = ARENA_NEW(a, datagrams);
    *g = (datagrams){.kinds = {.arena = a, .diag = d, .seed = request->seed}};
    if (!kinds_find(&g->kinds, request))
        return NULL;
    if (has_releases(request))
        g->spoken = spoken_new(a);
    g->kept = ARENA_NEW(a, baselines);
    g->kept->values = kept_values_new();
    return g;
}

kept_values *datagrams_kept(const datagrams *g)
{
    return g->kept->values;
}

void datagrams_share(datagrams *g, const datagrams *with)
{
    kept_values_free(g->kept->values);
    g->kept = with->kept;
    g->borrows = true;
}

datagrams *datagrams_then(arena *a, const datagrams *now, const old_version *version)
{
    const schema *const schemas[] = {version->wire->schema};
    datagrams *g = datagrams_new(a, now->kinds.diag,
                                 &(datagrams_request){.schemas = schemas, .schema_count = 1, .seed = now->kinds.seed});
    datagrams_share(g, now);
    kinds_find_then(&g->kinds, &now->kinds, version);
    return g;
}

/* ---- baselines */

static datagram_flow **bucket_of(datagrams *g, const endpoint *from, const endpoint *to)
{
    return &g->flows[endpoints_hash(from, to) % BUCKETS];
}

uint32_t datagrams_place(const codec_part *p)
{
    uint32_t place = 0;
    for (const field *f = p->field ? p->field->owner->fields : NULL; f && f != p->field; f = f->next)
        place += f->part && f->type.decl == p->decl;
    return place;
}

/* NULL if there is none. */
static datagram_flow *find_flow(datagrams *g, const datagram *of, const codec_part *p)
{
    const uint32_t place = datagrams_place(p);
    datagram_flow *f = *bucket_of(g, &of->from, &of->to);
    while (f && !(f->decl == p->decl && f->place == place && same_endpoint(&f->from, &of->from) &&
                  same_endpoint(&f->to, &of->to)))
        f = f->next;
    return f;
}

static void forget_flow(baselines *g, datagram_flow *f)
{
    datagram_flow **at = bucket_of(f->of, &f->from, &f->to);
    while (*at != f)
        at = &(*at)->next;
    *at = f->next;
    g->bytes -= sizeof *f + OVERHEAD;
    free(f);
}

/* Takes a value out of its flow. The last datagram may still use it. */
static void forget_baseline(baselines *g, baseline *b)
{
    age_list_remove(&g->all, &b->links);
    b->flow->ring[b->at] = NULL;
    if (--b->flow->count == 0)
        forget_flow(g, b->flow);
    b->links.newer = g->leaving;
    g->leaving = &b->links;
}

static void free_leaving(baselines *g)
{
    while (g->leaving) {
        baseline *b = (baseline *)g->leaving;
        g->leaving = b->links.newer;
        release_value(g->values, &b->value);
        g->bytes -= sizeof *b + OVERHEAD;
        free(b);
    }
}

static void forget_seen(baselines *g, codec_seen *s)
{
    const datum *const kept[] = {&s->base, &s->start, &s->value};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (kept[i]->record)
            release_value(g->values, kept[i]);
    free(s->data);
    *s = (codec_seen){0};
}

static void forget_all_seen(baselines *g)
{
    for (unsigned i = 0; i < SEEN_DELTAS; i++)
        forget_seen(g, &g->seen[i]);
}

/* Nothing uses the last datagram any more. */
static void forget_old(baselines *g)
{
    free_leaving(g);
    for (unsigned i = 0; i < SEEN_AT_ONCE; i++)
        forget_seen(g, &g->seen[(g->next_seen + i) % SEEN_DELTAS]);
    if (g->bytes + kept_values_size(g->values) > MOST_KEPT)
        forget_all_seen(g);
    while (g->bytes + kept_values_size(g->values) > MOST_KEPT && g->all.oldest) {
        forget_baseline(g, (baseline *)g->all.oldest);
        free_leaving(g);
    }
}

static void *memory_for(baselines *g, size_t size)
{
    void *memory = calloc(1, size);
    if (!memory)
        arena_out_of_memory();
    g->bytes += size + OVERHEAD;
    return memory;
}

static datagram_flow *flow_for(datagrams *g, const datagram *of, const codec_part *p)
{
    datagram_flow *f = find_flow(g, of, p), **bucket = bucket_of(g, &of->from, &of->to);
    if (f)
        return f;
    f = memory_for(g->kept, sizeof *f);
    f->of = g;
    f->from = of->from;
    f->to = of->to;
    f->decl = p->decl;
    f->place = datagrams_place(p);
    f->next = *bucket;
    return *bucket = f;
}

/* One datagram while it is read. */
typedef struct reading {
    datagrams *all;
    arena *scratch;
    const datagram *datagram;
    const schema *schema;
    codec_trace *trace;
    void *user;
} reading;

/* The value of a number; NULL if there is none. Most deltas are to a new one. */
static baseline *value_of_number(const datagram_flow *f, uint64_t number)
{
    for (uint32_t i = 1; i <= BASELINES; i++) {
        const uint32_t at = (f->next_place + BASELINES - i) % BASELINES;
        if (f->numbers[at] == number && f->ring[at])
            return f->ring[at];
    }
    return NULL;
}

static bool find_baseline(void *user, const codec_part *expected, uint64_t number, const datum **base)
{
    const reading *r = user;
    const datagram_flow *f = find_flow(r->all, r->datagram, expected);
    const baseline *b = !f ? NULL : expected->last ? f->ring[LAST + number] : value_of_number(f, number);
    if (!b)
        return false;
    *base = &b->value;
    return true;
}

/* A start value is as new as the last datagram that needs it. */
static const datum *find_start(void *user, const codec_part *part)
{
    const reading *r = user;
    const datagram_flow *f = find_flow(r->all, r->datagram, part);
    baseline *b = f ? f->ring[START] : NULL;
    if (!b)
        return NULL;
    age_list_remove(&r->all->kept->all, &b->links);
    age_list_add(&r->all->kept->all, &b->links);
    return &b->value;
}

static void trace_item(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    const reading *r = user;
    r->trace(r->user, p, bit, bits, data);
}

static void put_baseline(datagrams *g, datagram_flow *f, uint32_t at, codec_part *p)
{
    baseline *b = f->ring[at] = memory_for(g->kept, sizeof *b);
    *b = (baseline){.value = kept_value(g->kept->values, &p->value), .flow = f, .at = at};
    age_list_add(&g->kept->all, &b->links);
    p->value = b->value;
}

/* Keeps the start value of a part, which both ends have. */
static void keep_start(datagrams *g, const datagram *from, const field *part, codec_part *p)
{
    datagram back = *from;
    codec_part of = *p;
    back.from = from->to;
    back.to = from->from;
    of.field = part;
    for (int way = 0; way < 2; way++) {
        datagram_flow *f = flow_for(g, way == 0 ? from : &back, &of);
        f->count++; /* so that it stays, whatever is forgotten */
        if (f->ring[START])
            forget_baseline(g->kept, f->ring[START]);
        put_baseline(g, f, START, &of);
    }
    p->value = of.value;
}

static bool has_seen_delta(const baselines *g, const codec_part *p)
{
    for (unsigned i = 0; i < SEEN_DELTAS; i++)
        if (g->seen[i].base.record == p->base->record && g->seen[i].value.record == p->value.record)
            return true;
    return false;
}

/* A delta between kept values, if there is a place: the value of another one may be in use. */
static void remember_delta(baselines *g, const datagram *from, const codec_part *p)
{
    codec_seen *s = &g->seen[g->next_seen % SEEN_DELTAS];
    const size_t begin = (size_t)(p->first / 8), size = (size_t)((p->first + p->bits + 7) / 8) - begin;
    if (s->decl)
        return;
    g->next_seen++;
    *s = (codec_seen){.decl = p->decl, .first = p->first % 8, .bits = p->bits, .data = calloc(1, size + CODEC_AHEAD)};
    if (!s->data)
        arena_out_of_memory();
    memcpy(s->data, from->data + begin, size);
    s->base = kept_value(g->values, p->base);
    s->value = kept_value(g->values, &p->value);
    if (p->start)
        s->start = kept_value(g->values, p->start);
}

/* Keeps a value for deltas to it. */
static void keep_part(datagrams *g, const datagram *from, codec_part *p, uint64_t number, bool last)
{
    datagram_flow *f = flow_for(g, from, p);
    f->count++; /* so that it stays, whatever is forgotten */
    baseline *before = last ? f->ring[LAST] : value_of_number(f, number);
    uint32_t at = before ? before->at : LAST;
    if (!last && !before) {
        at = f->next_place;
        before = f->ring[at];
        f->numbers[at] = number;
        f->next_place = (at + 1) % BASELINES;
    }
    if (last && before) {
        if (f->ring[LAST_BUT_ONE])
            forget_baseline(g->kept, f->ring[LAST_BUT_ONE]);
        f->ring[LAST_BUT_ONE] = before;
        before->at = LAST_BUT_ONE;
    } else if (before) {
        forget_baseline(g->kept, before);
    }
    put_baseline(g, f, at, p);
    if (p->delta && p->base && p->base->record->refs > 0 && !p->was && p->bits > 0 && !has_seen_delta(g->kept, p))
        remember_delta(g->kept, from, p);
}

static bool has_last(const kind *list, const decl *d)
{
    for (; list; list = list->next)
        for (const codec_part *p = list->parts; p; p = p->next)
            if (p->last && p->decl == d)
                return true;
    return false;
}

/* A number that wraps comes again. If its new value is not known, later deltas to it are not deltas to the old one. */
static void forget_part(datagrams *g, const datagram *from, const codec_part *p)
{
    const datagram_flow *f = find_flow(g, from, p);
    baseline *b = f ? value_of_number(f, p->called) : NULL;
    if (b)
        forget_baseline(g->kept, b);
}

void datagrams_keep(datagrams *g, const datagram *from, const decoded *result)
{
    for (const codec_part *p = result->unread; p; p = p->next)
        if (p->numbered)
            forget_part(g, from, p);
    for (codec_part *p = result->refused ? NULL : result->parts; p; p = p->next) {
        if (result->start_of)
            keep_start(g, from, result->start_of, p);
        if (p->numbered)
            keep_part(g, from, p, p->called, false);
        if (has_last(g->kinds.frames, p->decl) || has_last(g->kinds.bare, p->decl))
            keep_part(g, from, p, 0, true);
    }
}

size_t datagrams_seen_count(const datagrams_request *request)
{
    return SEEN_FRAMES + request->stream_count;
}

void datagrams_seen(const datagrams *g, uint64_t *seen)
{
    seen[SEEN_WHOLE] += g->whole;
    seen[SEEN_UNKNOWN] += g->unknown;
    seen[SEEN_UNSURE] += g->unsure;
    for (const kind *f = g->kinds.frames; f; f = f->next)
        seen[f->number] += f->first == f ? f->count : 0;
}

void datagrams_see(datagrams *g, const uint64_t *seen)
{
    g->whole += seen[SEEN_WHOLE];
    g->unknown += seen[SEEN_UNKNOWN];
    g->unsure += seen[SEEN_UNSURE];
    for (kind *f = g->kinds.frames; f; f = f->next)
        f->count += f->first == f ? seen[f->number] : 0;
}

void datagrams_types(const datagrams *g, datagram_type_visitor *visit, void *user)
{
    kinds_types(&g->kinds, visit, user);
}

void datagrams_warn_unsure(diag *d, uint64_t count)
{
    if (count == 0)
        return;
    message *m = diag_warning(
        d, (span){0}, "%" PRIu64 " datagrams can be of several releases: the first that can read them is taken", count);
    diag_help(d, m,
              "pkt_capture_session records the seed of each session, by which the crc tells; --seed gives that of one");
}

void datagrams_warn(const datagrams *g)
{
    datagrams_warn_unsure(g->kinds.diag, g->unsure);
    const bool named = g->kinds.frames || g->kinds.bare;
    bool unseen = !named && g->unknown > g->whole / 2;
    for (const kind *f = g->kinds.frames; f; f = f->next)
        unseen = unseen || f->first->count == 0;
    if (g->unknown == 0 || !unseen)
        return;
    message *m =
        g->unknown == g->whole
            ? diag_warning(g->kinds.diag, (span){0}, "none of the %" PRIu64 " datagrams is a packet of this protocol",
                           g->whole)
            : diag_warning(g->kinds.diag, (span){0},
                           "%" PRIu64 " of %" PRIu64 " datagrams are no packet of this protocol", g->unknown, g->whole);
    if (!named)
        diag_help(g->kinds.diag, m,
                  "--stream 'NAME=TYPE, TYPE*' names the types in frames; `pktc help decode` says more");
    for (const kind *f = g->kinds.frames; f; f = f->next)
        if (f->first == f && f->count == 0)
            diag_help(g->kinds.diag, m, "none is a frame '%s'%s", f->name, g->kinds.seed == 0 ? "" : " with this seed");
}

void datagrams_free(datagrams *g)
{
    if (g->borrows)
        return;
    while (g->kept->all.oldest)
        forget_baseline(g->kept, (baseline *)g->kept->all.oldest);
    free_leaving(g->kept);
    forget_all_seen(g->kept);
    kept_values_free(g->kept->values);
}

/* ---- datagrams */

static const char *reason(arena *a, const codec_error *error)
{
    const pkt_error nameless = {.code = error->code, .bit = error->bit};
    char text[256];
    if (error->of_start)
        return arena_printf(a, "%s: its start value is not in the recording", error->field);
    if (error->code == PKT_ERROR_BASELINE)
        return arena_printf(a, "%s: %s, %" PRIu64 ", is not in the recording", error->field,
                            error->of_baseline ? "what its baseline has moved from" : "its baseline", error->number);
    return arena_printf(a, "%s%s%s", error->field, *error->field ? ": " : "",
                        pkt_error_string(&nameless, text, sizeof text));
}

static void decode_as(reading *r, const kind *k, codec_options how, decoded *result)
{
    codec_error error;
    bool good;
    result->name = k->name;
    result->schema = r->schema = k->schema;
    result->bases = k->bases;
    result->decl = k->packet;
    result->start_of = k->start;
    if (k->missing) {
        result->refused = k->missing;
        return;
    }
    if (r->trace)
        how.trace = trace_item;
    how.user = r;
    how.find = find_baseline;
    how.start = find_start;
    how.needs_start = how.ignore_crc; /* nothing else tells whether both sides had one */
    how.bases = k->bases;
    how.memory = MOST_READ;
    how.seen = r->all->kept->seen;
    if (k->packet) {
        how.parts = &result->parts;
        good = codec_read(r->scratch, k->schema, k->packet, r->datagram->data, r->datagram->size, &how, &result->value,
                          &error);
    } else {
        how.frame = k->name;
        good = codec_read_stream(r->scratch, k->schema, k->parts, r->datagram->data, r->datagram->size, &how,
                                 &result->parts, &error);
    }
    result->refused = good ? NULL : reason(r->scratch, &error);
    result->unread = error.unread;
    if (!good && error.code == PKT_ERROR_CAPACITY)
        result->refused = arena_printf(r->scratch, "%s: its values take more than %u MB", error.field, MOST_READ >> 20);
}

/* Whether the crc of a datagram is right for the baselines of its parts. If it has an end check, that is tried first:
 * it needs no baselines. */
static bool opens(datagrams *g, arena *scratch, const datagram *d, const kind *k, uint64_t seed, bool needs_start,
                  codec_error *error)
{
    reading r = {.all = g, .scratch = scratch, .datagram = d, .schema = k->schema};
    const codec_options how = {.id = k->schema->id,
                               .bases = k->bases,
                               .framed = true,
                               .seed = seed,
                               .memory = MOST_READ,
                               .find = find_baseline,
                               .start = find_start,
                               .needs_start = needs_start,
                               .user = &r};
    *error = (codec_error){0};
    return (!k->schema->checks || codec_has_end(k->schema, k->name, d->data, d->size)) &&
           codec_opens(scratch, k->schema, k->packet, d->data, d->size, &how, error);
}

static bool fits_crc(datagrams *g, arena *scratch, const datagram *d, const kind *k, uint64_t seed)
{
    const codec_options how = {.id = schema_id_of(k->schema, k->packet), .seed = seed};
    codec_error error;
    return k->packet && k->packet->seeded ? opens(g, scratch, d, k, seed, false, &error)
                                          : codec_has_crc(k->name, d->data, d->size, &how);
}

/* The kind whose crc is right; NULL if there is none. It is tried first from now on. ended: among those whose end check
 * is right. */
static kind *by_crc(datagrams *g, arena *scratch, kind **list, bool ended, const datagram *d, uint64_t seed,
                    codec_options *how)
{
    for (kind **at = list; *at; at = &(*at)->next) {
        kind *k = *at;
        if ((ended && !codec_has_end(k->schema, k->name, d->data, d->size)) || !fits_crc(g, scratch, d, k, seed))
            continue;
        how->id = k->schema->id;
        how->seed = seed;
        how->ignore_crc = !(k->packet && k->packet->seeded); /* it has just been checked */
        *at = k->next;
        k->next = *list;
        return *list = k;
    }
    return NULL;
}

/* The release of a schema's protocol that the ends of a datagram speak: as it was recorded with their session, or as a
 * crc has told it. NULL: not known. */
static const schema *spoken_between(datagrams *g, const datagram *d, const schema *of)
{
    if (!g->spoken)
        return NULL;
    for (const kind *k = d->sessions ? g->kinds.all_bases : NULL; k; k = k->next)
        if (k->schema->id == d->sessions->each[0].id && is_same_protocol(k->schema, of))
            return k->schema;
    return spoken_last(g->spoken, d, of);
}

/* Whether the ends of a datagram may speak the release of a kind, as far as it is known. */
static bool may_speak(datagrams *g, const datagram *d, const kind *k)
{
    const schema *spoken = spoken_between(g, d, k->schema);
    return !spoken || spoken == k->schema;
}

/* The packet that names a baseline which is not known, or whose start value is not: without them, the crc cannot be
 * computed. */
static kind *by_names(datagrams *g, arena *scratch, const datagram *d)
{
    codec_error error;
    kind *k = g->kinds.seeded;
    while (k && !(may_speak(g, d, k) &&
                  (opens(g, scratch, d, k, g->kinds.seed, true, &error), error.code == PKT_ERROR_BASELINE)))
        k = k->next;
    return k;
}

/* The first kind that fits without a crc: its end check is right, or it has no frame. any: in any release, not only in
 * one that the two ends may speak. */
static kind *by_end(datagrams *g, kind *list, const datagram *d, bool any)
{
    while (list && !((!*list->name || codec_has_end(list->schema, list->name, d->data, d->size)) &&
                     (any || may_speak(g, d, list))))
        list = list->next;
    return list;
}

/* by_end among two lists. What the two ends may speak comes first. */
static kind *by_any_end(datagrams *g, kind *list, kind *second, const datagram *d)
{
    kind *k = NULL;
    for (int any = 0; any < 2 && !k; any++)
        if (!(k = by_end(g, list, d, any)))
            k = by_end(g, second, d, any);
    return k;
}

static bool is_whole(const datagram *d)
{
    return !d->fragment && d->captured == d->size;
}

/* Whether the seed of a datagram is known, so that its crc has to be right: it was given, or recorded with the session
 * of its two ends. */
static bool has_known_seed(const datagrams *g, const datagram *d)
{
    return g->kinds.seed != 0 || d->sessions;
}

/* The seed i that a datagram may have. False if there is none. A session may begin before its seed is agreed on, with
 * none. */
static bool seed_of(const datagrams *g, const datagram *d, unsigned i, uint64_t *seed)
{
    const bool by_session = g->kinds.seed == 0 && d->sessions;
    *seed = by_session && i < d->sessions->count ? d->sessions->each[i].seed : g->kinds.seed;
    return i < (by_session ? d->sessions->count : 1);
}

/* by_crc among all kinds. */
static kind *by_any_crc(datagrams *g, arena *scratch, bool ended, const datagram *d, codec_options *how)
{
    kind *k = by_crc(g, scratch, &g->kinds.packets, ended, d, 0, how);
    if (!k)
        k = by_crc(g, scratch, &g->kinds.starts, ended, d, 0, how); /* recorded before the seed was agreed on */
    uint64_t seed;
    for (unsigned i = 0; !k && seed_of(g, d, i, &seed); i++) {
        k = by_crc(g, scratch, &g->kinds.seeded, ended, d, seed, how);
        if (!k)
            k = by_crc(g, scratch, &g->kinds.frames, ended, d, seed, how);
        if (!k)
            k = by_crc(g, scratch, &g->kinds.starts, ended, d, seed, how);
    }
    return k;
}

/* Finds out the kind of a complete datagram. The end check takes no time, so those that have a right one come first. */
static recognition find_kind(datagrams *g, arena *scratch, const datagram *d, kind **k, codec_options *how)
{
    *how = (codec_options){.framed = true};
    if ((*k = by_any_crc(g, scratch, true, d, how)) || (*k = by_any_crc(g, scratch, false, d, how)))
        return (*k)->packet && (*k)->packet->stable ? RECOGNIZED_STABLE : RECOGNIZED_CRC;
    const bool known = has_known_seed(g, d);
    if (known && (*k = by_crc(g, scratch, &g->kinds.frames, false, d, 0, how)) && packs_delta(*k))
        return RECOGNIZED_CRC;
    how->ignore_crc = true;
    if (!known &&
        ((*k = by_any_end(g, g->kinds.frames, g->kinds.seeded, d)) || (*k = by_any_end(g, g->kinds.starts, NULL, d))))
        return RECOGNIZED_END;
    if ((*k = by_names(g, scratch, d)))
        return RECOGNIZED_NAME;
    *how = (codec_options){0};
    *k = by_any_end(g, g->kinds.bare, NULL, d);
    return *k ? RECOGNIZED_BARE : RECOGNIZED_NOT;
}

recognition datagrams_recognize(datagrams *g, arena *scratch, const datagram *d)
{
    kind *k;
    codec_options how;
    return is_whole(d) ? find_kind(g, scratch, d, &k, &how) : RECOGNIZED_NOT;
}

/* The next kind that reads a datagram, from this one on; NULL if there is none. any: as for by_end. */
static kind *next_that_reads(const reading *r, kind *k, codec_options how, bool any)
{
    reading quiet = *r;
    quiet.trace = NULL;
    for (; k; k = by_end(r->all, k->next, r->datagram, any)) {
        decoded tried = {0};
        decode_as(&quiet, k, how, &tried);
        if (!tried.refused)
            return k;
    }
    return NULL;
}

/* Without a crc, nothing says of which release a datagram is if the two ends have not told it before. Then it is the
 * first one that reads it. */
static kind *by_reading(const reading *r, kind *first, codec_options how)
{
    datagrams *g = r->all;
    const bool any = !may_speak(g, r->datagram, first);
    if (!by_end(g, first->next, r->datagram, any))
        return first;
    kind *k = next_that_reads(r, first, how, any);
    kind *other = k ? next_that_reads(r, by_end(g, k->next, r->datagram, any), how, any) : NULL;
    g->unsure += other && is_other_release(other->schema, k->schema) && !spoken_between(g, r->datagram, k->schema);
    return k ? k : first;
}

void datagrams_decode(datagrams *g, arena *scratch, const datagram *d, codec_trace *trace, void *user, decoded *result)
{
    reading r = {.all = g, .scratch = scratch, .datagram = d, .trace = trace, .user = user};
    codec_options how;
    kind *k;
    *result = (decoded){0};
    if (!is_whole(d)) {
        result->refused = d->fragment
                              ? "the first part of a datagram that was sent in several"
                              : arena_printf(scratch, "cut: %zu of %zu bytes were captured", d->captured, d->size);
        return;
    }
    const recognition known = find_kind(g, scratch, d, &k, &how);
    result->unchecked = known == RECOGNIZED_END || known == RECOGNIZED_NAME;
    result->seed = how.seed;
    g->whole++;
    if (known == RECOGNIZED_NOT) {
        g->unknown++;
        result->refused = "damaged, or of another protocol, seed or baseline";
        return;
    }
    if (known == RECOGNIZED_END || known == RECOGNIZED_BARE)
        k = by_reading(&r, k, how);
    if (known == RECOGNIZED_CRC && g->spoken)
        spoken_keep(g->spoken, d, k->schema);
    k->first->count++;
    decode_as(&r, k, how, result);
}

void datagrams_read(datagrams *g, arena *scratch, const datagram *d, codec_trace *trace, void *user, decoded *result)
{
    forget_old(g->kept);
    datagrams_decode(g, scratch, d, trace, user, result);
    datagrams_keep(g, d, result);
}

const uint8_t *datagrams_write(datagrams *g, arena *scratch, const datagram *as, const decoded *v, size_t *size,
                               const char **refused)
{
    reading r = {.all = g, .scratch = scratch, .datagram = as, .schema = v->schema};
    const codec_options how = {.id = v->schema->id,
                               .bases = kinds_bases(&g->kinds, v->schema),
                               .framed = v->decl || *v->name,
                               .frame = v->name,
                               .seed = v->seed,
                               .room = SIZE_MAX,
                               .find = find_baseline,
                               .start = find_start,
                               .user = &r};
    codec_error error;
    const uint8_t *bytes = v->decl ? codec_write(scratch, v->schema, v->decl, &v->value, &how, size, &error)
                                   : codec_write_stream(scratch, v->schema, v->parts, &how, size, &error);
    if (!bytes)
        *refused = reason(scratch, &error);
    return bytes;
}
