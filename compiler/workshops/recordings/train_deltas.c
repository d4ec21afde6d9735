/* train_deltas.c - pairs the values of files and recordings with their baselines, in the order in which they were sent.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/train_deltas.h"
#include "base/files.h"
#include "recordings/age_list.h"
#include "convert/convert_value.h"
#include "recordings/stream_then.h"
#include "releases/old_versions.h"

#include <stdlib.h>
#include <string.h>

/* The values from one sender to one receiver, as the same part of a packet if they are parts; or of a file. */
typedef struct flow {
    aged links;
    struct flow *next; /* in its bucket */
    endpoint from, to;
    uint32_t place;
    uint64_t count;
    datum ticks[]; /* the last ones: tick n is at n % kept; without a record if it cannot be written */
} flow;

/* The most bytes of the values of all flows and of all baselines together. Beyond this the flow with the oldest last
 * value is forgotten. */
enum { MOST_TICKS = 28 << 20, FLOW_BUCKETS = 1024 };

/* In a file of values: the bytes of a value's size, and the most of both. */
enum { VALUE_HEAD = 4, MOST_VALUE = 64 << 20 };

/* A schema with which recordings were made, and how its values become those of the current one. */
typedef struct version {
    struct version *next;
    const schema *schema;
    old_version then;
} version;

struct train_deltas {
    arena *arena;
    diag *diag;
    const train_request *request;
    const decl *type;
    const wire *now;
    version *versions;
    uint32_t kept; /* ticks of a flow */
    /* While recordings are read: */
    bases *bases;   /* of the schema that is trained */
    arena *reading; /* of one recording */
    arena *scratch; /* of one datagram, or of one delta of a file */
    datagrams *kinds;
    convert_memory *memory;
    kept_values *ticks; /* the values of flows, and in recordings those of baselines */
    size_t flow_bytes;
    flow *buckets[FLOW_BUCKETS];
    age_list flows;
    train_visitor *visit;
    void *user;
    train_found *found;
};

/* ---- schemas */

static const version *version_of(const train_deltas *t, const schema *s)
{
    const version *v = t->versions;
    while (v && v->schema != s)
        v = v->next;
    return v;
}

static void add_version(train_deltas *t, schema *s)
{
    if (version_of(t, s))
        return;
    version *v = ARENA_NEW(t->arena, version);
    schema_without_program(t->arena, s);
    const wire *then = lower(t->arena, s);
    *v = (version){t->versions, s, {.wire = then, .conversion = conversion_new(t->arena, then, t->now)}};
    t->versions = v;
}

/* Losses do not matter: the value still shows what the game did. */
static bool convert(train_deltas *t, arena *a, const schema *s, const decl *then, const decl *now, const datum *from,
                    datum *to)
{
    const bool good = convert_value(a, t->memory, &version_of(t, s)->then, then, now, from, to, NULL, NULL);
    t->found->lost += !good;
    return good;
}

static const decl *coded_now(const train_deltas *t, const schema *s, const decl *then)
{
    const decl *now = decl_now(&version_of(t, s)->then.conversion, then);
    return now && now->delta && now->holds_coded ? now : NULL;
}

/* ---- values of one type, one after the other */

static size_t flow_size(const train_deltas *t)
{
    return sizeof(flow) + t->kept * sizeof(datum);
}

static flow **flow_bucket(train_deltas *t, const endpoint *from, const endpoint *to)
{
    return &t->buckets[endpoints_hash(from, to) % FLOW_BUCKETS];
}

static void forget_values(train_deltas *t, flow *f)
{
    flow **at = flow_bucket(t, &f->from, &f->to);
    while (*at != f)
        at = &(*at)->next;
    *at = f->next;
    age_list_remove(&t->flows, &f->links);
    for (uint32_t i = 0; i < t->kept; i++)
        if (f->ticks[i].record)
            release_value(t->ticks, &f->ticks[i]);
    t->flow_bytes -= flow_size(t);
    free(f);
}

/* It becomes the newest one. */
static flow *flow_of(train_deltas *t, const endpoint *from, const endpoint *to, uint32_t place)
{
    flow **bucket = flow_bucket(t, from, to), *f = *bucket;
    while (f && !(f->place == place && same_endpoint(&f->from, from) && same_endpoint(&f->to, to)))
        f = f->next;
    if (f) {
        age_list_remove(&t->flows, &f->links);
    } else {
        f = calloc(1, flow_size(t));
        if (!f)
            arena_out_of_memory();
        f->from = *from;
        f->to = *to;
        f->place = place;
        f->next = *bucket;
        *bucket = f;
        t->flow_bytes += flow_size(t);
    }
    age_list_add(&t->flows, &f->links);
    return f;
}

static void visit_tick(const train_deltas *t, flow *f, uint64_t n)
{
    const uint32_t back = t->request->back, gap = t->request->gap;
    if (n < (uint64_t)back + gap)
        return;
    const datum base = f->ticks[(n - back) % t->kept], before = f->ticks[(n - back - gap) % t->kept];
    datum expected = base;
    train_delta delta = {.decl = t->type, .now = &f->ticks[n % t->kept], .bases = t->bases, .base = &expected};
    if (!delta.now->record || !base.record || (t->type->predicts && !before.record))
        return;
    if (t->type->predicts) {
        expected = codec_predict(t->scratch, t->type, &base, &before, back, gap);
        delta.was = &base;
    }
    t->visit(t->user, t->scratch, &delta);
}

/* Takes the next value of a flow. One without the shape of a baseline cannot be written either. */
static void take_tick(train_deltas *t, flow *f, const datum *v)
{
    const uint64_t n = f->count++;
    datum *tick = &f->ticks[n % t->kept];
    if (tick->record)
        release_value(t->ticks, tick);
    const datum settled = bases_settled(t->bases, t->scratch, v);
    const bool good = codec_is_baseline(t->scratch, t->request->schema, t->bases, t->type, &settled);
    *tick = good ? kept_value(t->ticks, &settled) : (datum){0};
    t->found->values++;
    visit_tick(t, f, n);
    while (t->flow_bytes + kept_values_size(t->ticks) > MOST_TICKS && t->flows.oldest != &f->links)
        forget_values(t, (flow *)t->flows.oldest);
}

static void free_flows(train_deltas *t)
{
    while (t->flows.oldest)
        forget_values(t, (flow *)t->flows.oldest);
}

/* ---- files of values */

static bool refuse(const train_deltas *t, const char *file, uint64_t n, const char *why)
{
    diag_error(t->diag, (span){0}, "'%s': value %u %s", file, (unsigned)n, why);
    return false;
}

static bool refuse_end(const train_deltas *t, const char *file, uint64_t n, const byte_source *from)
{
    const char *failure = byte_source_failure(from);
    if (!failure)
        return refuse(t, file, n, "is cut off");
    diag_error(t->diag, (span){0}, "cannot read '%s': %s", file, failure);
    return false;
}

static size_t size_before(const uint8_t *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static bool read_ticks(train_deltas *t, const char *file, byte_source *from, progress_line *shown)
{
    static const endpoint nobody;
    flow *f = flow_of(t, &nobody, &nobody, 0);
    for (;;) {
        size_t there;
        const uint8_t *data = byte_source_look(from, VALUE_HEAD, &there);
        if (there == 0 && !byte_source_failure(from))
            return true;
        const size_t whole = there < VALUE_HEAD ? VALUE_HEAD : VALUE_HEAD + size_before(data);
        const size_t wanted = whole < MOST_VALUE ? whole : MOST_VALUE;
        data = byte_source_look(from, wanted, &there);
        if (there < wanted)
            return refuse_end(t, file, f->count, from);
        const codec_options how = {.bases = t->bases};
        codec_error error;
        datum v;
        arena_clear(t->scratch);
        if (whole > MOST_VALUE || !codec_read(t->scratch, t->request->schema, t->type, data + VALUE_HEAD,
                                              whole - VALUE_HEAD, &how, &v, &error))
            return refuse(t, file, f->count, "is no value of this type");
        take_tick(t, f, &v);
        byte_source_take(from, whole);
        progress_step(shown, byte_source_at(from), f->count);
    }
}

static bool read_values(train_deltas *t, const char *file)
{
    progress_line shown;
    byte_source *from = byte_source_open(file);
    if (!from) {
        diag_error(t->diag, (span){0}, "cannot read '%s': %s", file, file_failure());
        return false;
    }
    t->ticks = kept_values_new();
    progress_begin(&shown, file, "values", byte_source_size(from));
    const bool good = read_ticks(t, file, from, &shown);
    progress_end(&shown);
    free_flows(t);
    kept_values_free(t->ticks);
    byte_source_close(from);
    return good;
}

/* ---- recordings of datagrams */

static void take_trained_value(train_deltas *t, const recorded *r, const schema *s, const decl *then, uint32_t place,
                               const datum *v)
{
    if (coded_now(t, s, then) != t->type)
        return;
    datum made;
    if (convert(t, t->scratch, s, then, t->type, v, &made))
        take_tick(t, flow_of(t, &r->datagram.from, &r->datagram.to, place), &made);
}

/* Converts the baseline to the trained schema, predicted if the recorded one was. False if there is no such value. */
static bool take_baseline(train_deltas *t, const schema *s, const codec_part *p, train_delta *to)
{
    const bool good = convert_base(t->scratch, t->memory, &version_of(t, s)->then, p, to->decl, &to->base, &to->was);
    datum *start = ARENA_NEW(t->scratch, datum);
    const bool started =
        good && p->start &&
        convert_value(t->scratch, t->memory, &version_of(t, s)->then, p->decl, to->decl, p->start, start, NULL, NULL);
    to->start = started ? start : NULL;
    t->found->lost += !good || !started != !p->start;
    return good && !started == !p->start;
}

static void take_delta(train_deltas *t, const decoded *d, const codec_part *p)
{
    const schema *s = d->schema;
    const decl *now = coded_now(t, s, p->decl);
    datum then;
    train_delta delta = {.decl = now,
                         .now = &then,
                         .bases = t->memory->bases,
                         .recorded_schema = d->schema,
                         .recorded_bases = d->bases,
                         .recorded = p};
    if (!now || !p->delta)
        return;
    if (!convert(t, t->scratch, s, p->decl, now, &p->value, &then) || !take_baseline(t, s, p, &delta))
        return;
    t->found->straight |= now->predicts && p->base && !p->decl->predicts;
    t->visit(t->user, t->scratch, &delta);
}

static void take_datagram(void *user, const recorded *r)
{
    train_deltas *t = user;
    decoded d;
    arena_clear(t->scratch);
    datagrams_read(t->kinds, t->scratch, &r->datagram, NULL, NULL, &d);
    if (d.refused || !d.name)
        return;
    t->found->datagrams++;
    t->found->bytes += r->datagram.size;
    if (t->type && d.decl)
        take_trained_value(t, r, d.schema, d.decl, 0, &d.value);
    for (const codec_part *p = d.parts; p; p = p->next)
        if (t->type)
            take_trained_value(t, r, d.schema, p->decl, datagrams_place(p), &p->value);
        else
            take_delta(t, &d, p);
}

static bool read_datagrams(train_deltas *t, const train_source *from)
{
    const datagrams_request request = {.schemas = (const schema *const *)from->schemas,
                                       .schema_count = from->schema_count,
                                       .streams = t->request->streams,
                                       .stream_count = t->request->stream_count,
                                       .use = LIST_OF_RECORDING,
                                       .seed = t->request->seed};
    t->kinds = datagrams_new(t->reading, t->diag, &request);
    if (!t->kinds)
        return false;
    t->memory = convert_memory_new(t->reading, t->request->schema, datagrams_kept(t->kinds));
    t->ticks = t->memory->kept;
    const bool good = recording_each(t->reading, t->diag, from->path, t->request->port, take_datagram, t, NULL);
    if (good)
        datagrams_warn(t->kinds);
    free_flows(t);
    datagrams_free(t->kinds);
    return good;
}

/* ---- all */

static const decl *find_type(diag *d, const schema *s, const char *name)
{
    const decl *found = stream_list_type(d, s, name);
    if (!found || (found->delta && found->holds_coded))
        return found;
    diag_error(d, (span){0}, "'%s' is no @delta type with coded fields, so there is nothing to train", name);
    return NULL;
}

static bool has_coded(diag *d, const schema *s)
{
    for (const decl *each = s->decls; each; each = each->next)
        if (each->delta && each->holds_coded)
            return true;
    message *m = diag_error(d, (span){0}, "'%s' has no coded fields, so there is nothing to train", s->root->path);
    diag_help(d, m,
              "a field of a @delta type is coded if `coded` stands behind its name; `pktc report` says which gain");
    return false;
}

/* Whether recordings have the type, but none has this field. */
static bool is_unseen(const train_deltas *t, const decl *d, const field *f)
{
    bool typed = false;
    for (const version *v = t->versions; v; v = v->next) {
        if (field_then(&v->then.conversion, f))
            return false;
        typed = typed || decl_then(&v->then.conversion, d);
    }
    return typed;
}

static void warn_of_missing(const train_deltas *t)
{
    for (const decl *d = t->request->schema->decls; d; d = d->next)
        for (const field *f = d->kind == DECL_STRUCT ? d->fields : NULL; f; f = f->next) {
            if (!f->coded || !is_unseen(t, d, f))
                continue;
            message *m =
                diag_warning(t->diag, f->span, "no recording has '%s.%s', so it is trained as if it never changed",
                             d->name, f->name);
            diag_help(t->diag, m, "if it had another name there, add `was \"NAME\"` behind it");
        }
}

train_deltas *train_deltas_new(arena *a, diag *d, const train_request *request)
{
    train_deltas *t = ARENA_NEW(a, train_deltas);
    *t = (train_deltas){.arena = a,
                        .diag = d,
                        .request = request,
                        .now = lower(a, request->schema),
                        .bases = bases_lasting(a),
                        .kept = request->back + request->gap + 1};
    t->type = request->type ? find_type(d, request->schema, request->type) : NULL;
    if ((request->type && !t->type) || !has_coded(d, request->schema))
        return NULL;
    for (size_t i = 0; i < request->source_count; i++)
        for (size_t k = 0; k < request->sources[i].schema_count; k++)
            add_version(t, request->sources[i].schemas[k]);
    warn_of_missing(t);
    return t;
}

bool train_deltas_read(train_deltas *t, diag *d, size_t number, train_visitor *visit, void *user, train_found *found)
{
    const train_source *from = &t->request->sources[number];
    t->reading = arena_new();
    t->diag = d;
    t->visit = visit;
    t->user = user;
    t->found = found;
    t->scratch = arena_new();
    const bool good = from->schema_count ? read_datagrams(t, from) : read_values(t, from->path);
    arena_free(t->scratch);
    arena_free(t->reading);
    return good;
}
