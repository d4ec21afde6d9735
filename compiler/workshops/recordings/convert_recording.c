/* convert_recording.c - reads each datagram by the old schema and writes it by the new one.
 * SPDX-License-Identifier: MIT
 *
 * Each written datagram is read again, as `pktc decode` would read it. So a datagram is left out if a delta in it has
 * lost its baseline, or if a count in it has become wrong.
 */
#include "recordings/convert_recording.h"
#include "convert/convert_value.h"
#include "recordings/recorder.h"
#include "recordings/spoken.h"

#include <inttypes.h>
#include <string.h>

/* Something that is reported once, with the number of times that it happened. */
typedef struct notice {
    const char *kind; /* its text without numbers; "": a value was rounded */
    const char *text;
    uint64_t count;
    struct notice *next;
} notice;

/* A version that datagrams may be of. */
typedef struct candidate {
    datagrams *kinds;
    const old_version *version; /* NULL: its datagrams stay as they are */
    const schema *schema;       /* NULL: of other protocols */
    bool guessed;               /* it may be the version of a datagram if nothing says which one is */
    struct candidate *next;
} candidate;

typedef struct converting {
    const convert_recording_request *request;
    arena *arena, *scratch;
    diag *diag;
    recorder to;
    datagrams *now;
    convert_memory *memory;
    candidate *candidates;
    spoken_releases *spoken;
    notice *losses, *left_out;
    notice *lost; /* of the datagram that is being converted */
    uint64_t index;
    uint64_t unknown;  /* of no version, which a frame that no list describes is too */
    uint64_t unseeded; /* left out because nothing says their version */
    uint64_t unsure;   /* that could be of several versions */
    bool has_sessions;
} converting;

/* ---- notices */

static const char *without_numbers(arena *a, const char *text)
{
    char *kept = arena_alloc(a, strlen(text) + 1), *end = kept;
    for (; *text; text++)
        if (*text < '0' || *text > '9')
            *end++ = *text;
    *end = '\0';
    return kept;
}

static void count_notice(converting *k, notice **list, const char *text, const char *kind)
{
    while (*list && strcmp((*list)->kind, kind) != 0)
        list = &(*list)->next;
    if (!*list) {
        *list = ARENA_NEW(k->arena, notice);
        (*list)->kind = arena_text(k->arena, kind, strlen(kind));
        (*list)->text = arena_text(k->arena, text, strlen(text));
    }
    (*list)->count++;
}

static uint64_t print_notices(diag *d, const notice *n)
{
    uint64_t all = 0;
    for (; n; n = n->next) {
        all += n->count;
        if (*n->kind == '\0')
            convert_warn_rounded(d, n->text, n->count);
        else if (n->count > 1)
            diag_warning(d, (span){0}, "%s (and %" PRIu64 " more like it)", n->text, n->count - 1);
        else
            diag_warning(d, (span){0}, "%s", n->text);
    }
    return all;
}

/* Losses count only if the datagram is not left out. */
static void note_loss(void *user, const char *place, const char *what, bool rounded)
{
    converting *k = user;
    notice *n = ARENA_NEW(k->scratch, notice);
    n->text = arena_printf(k->scratch, "packet %" PRIu64 ": %s: %s", k->index, place, what);
    n->kind = rounded ? "" : without_numbers(k->scratch, n->text);
    n->next = k->lost;
    k->lost = n;
}

/* What a program would have cut to its budget has all its elements here. */
static void note_budget(converting *k, const decoded *v, size_t size)
{
    if (!v->decl || v->decl->budget == 0 || size <= v->decl->budget)
        return;
    const char *text = arena_printf(k->scratch, "packet %" PRIu64 ": '%s' has %zu bytes now, and a @budget of %" PRIu32,
                                    k->index, v->decl->name, size, v->decl->budget);
    count_notice(k, &k->losses, text, without_numbers(k->scratch, text));
}

static void keep_losses(converting *k, const notice *n)
{
    if (!n)
        return;
    keep_losses(k, n->next);
    count_notice(k, &k->losses, n->text, n->kind);
}

/* ---- values */

/* False if there is no such value now. */
static bool part_now(converting *k, const old_version *v, const codec_part *from, codec_part *to)
{
    to->decl = decl_now(&v->conversion, from->decl);
    to->delta = from->delta;
    return to->decl &&
           convert_value(k->scratch, k->memory, v, from->decl, to->decl, &from->value, &to->value, note_loss, k);
}

/* Makes a value a delta to the one before it, moved on as predicted from the one before that. */
static void link_to(converting *k, const codec_part *from, const codec_part *previous, const codec_part *second,
                    codec_part *to)
{
    to->base = previous ? &previous->value : NULL;
    if (!to->base || from->back == 0 || !to->decl->predicts)
        return;
    datum *moved = ARENA_NEW(k->scratch, datum);
    *moved = codec_predict(k->scratch, to->decl, to->base, from->before && second ? &second->value : NULL, from->back,
                           from->gap);
    to->was = to->base;
    to->base = moved;
}

/* Values whose type has gone are left out. NULL with *why if that of a baseline has gone. */
static codec_part *parts_now(converting *k, const old_version *v, const codec_part *from, const char **why)
{
    codec_part *first = NULL, **end = &first;
    const codec_part *before = NULL, *previous = NULL; /* *previous: the result for `before`, or for one before it */
    const codec_part *second = NULL;                   /* and the one before that */
    for (const codec_part *p = from; p; before = p, p = p->next) {
        codec_part *made = ARENA_NEW(k->scratch, codec_part);
        const bool chained = before && (p->was ? p->was : p->base) == &before->value;
        if (!chained)
            previous = second = NULL;
        if (!part_now(k, v, p, made)) {
            *why = arena_printf(k->scratch, "'%s' has no value now", p->decl->name);
            continue;
        }
        if (chained)
            link_to(k, p, previous, second, made);
        else if (p->base && !convert_base(k->scratch, k->memory, v, p, made->decl, &made->base, &made->was)) {
            *why = arena_printf(k->scratch, "the baseline of '%s' has no value now", p->decl->name);
            return NULL;
        }
        second = previous;
        previous = *end = made;
        end = &made->next;
    }
    return first;
}

/* Whether the values that were read again are those that were to be written. */
static bool same_parts(converting *k, const schema *s, const codec_part *one, const codec_part *other)
{
    for (; one && other; one = one->next, other = other->next)
        if (one->decl != other->decl || !codec_same(k->scratch, s, k->memory->bases, &one->value, &other->value))
            return false;
    return !one && !other;
}

/* A value that was read is the one that was written. If that one is remembered, it stands for both: it shares memory with
 * what the next datagram becomes. */
static void take_remembered(const decoded *written, codec_part *again)
{
    const codec_part *part = written->parts;
    for (; again; again = again->next) {
        const datum *v = again->field ? slot_of(written->value.record, again->field)->data : &part->value;
        part = part ? part->next : NULL;
        if (v->record->refs > 0)
            again->value = *v;
    }
}

/* ---- datagrams */

/* Converts a decoded datagram. False with *why if nothing is left of it. */
static bool decoded_now(converting *k, const old_version *v, const decoded *was, decoded *is, const char **why)
{
    *is = (decoded){.name = was->name, .seed = was->seed, .schema = k->request->versions->now->schema};
    if (!was->decl) {
        is->parts = parts_now(k, v, was->parts, why);
        return is->parts || !*why;
    }
    is->decl = decl_now(&v->conversion, was->decl);
    if (!is->decl || !is->decl->packet)
        *why = arena_printf(k->scratch, "there is no packet '%s' now", was->decl->name);
    else if (!convert_value(k->scratch, k->memory, v, was->decl, is->decl, &was->value, &is->value, note_loss, k))
        *why = arena_printf(k->scratch, "'%s' has no value now", was->decl->name);
    return !*why;
}

/* Writes a datagram of an older version. NULL, or why it cannot be written. */
static const char *convert_datagram(converting *k, const candidate *c, recorded *r)
{
    const char *why = NULL, *gone = NULL;
    datagram made = r->datagram;
    decoded was, is, again;
    datagrams_read(c->kinds, k->scratch, &r->datagram, NULL, NULL, &was);
    if (was.refused)
        return was.refused;
    if (!decoded_now(k, c->version, &was, &is, &gone))
        return gone;
    made.data = datagrams_write(k->now, k->scratch, &r->datagram, &is, &made.size, &why);
    if (!made.data)
        return arena_printf(k->scratch, "it cannot be written now: %s", why);
    made.captured = made.size;
    datagrams_decode(k->now, k->scratch, &made, NULL, NULL, &again);
    if (again.refused || (!is.decl && !same_parts(k, is.schema, is.parts, again.parts)))
        return gone            ? gone
               : again.refused ? arena_printf(k->scratch, "it could not be read now: %s", again.refused)
                               : arena_printf(k->scratch, "'%s' would have other values now", is.name);
    if (!recorder_add(&k->to, k->scratch, r, made.data, made.size))
        return arena_printf(k->scratch, "it has %zu bytes now, more than a datagram can have", made.size);
    take_remembered(&is, again.parts);
    datagrams_keep(k->now, &made, &again);
    keep_losses(k, k->lost);
    note_budget(k, &is, made.size);
    return NULL;
}

/* The version that the two ends of a datagram speak: as it was recorded with their session, or as a crc has told it. NULL:
 * not known. */
static const candidate *spoken_candidate(const converting *k, const datagram *d)
{
    const candidate *c = d->sessions ? k->candidates : NULL;
    while (c && !(c->schema && c->schema->id == d->sessions->each[0].id))
        c = c->next;
    const schema *told = c ? NULL : spoken_last(k->spoken, d, k->candidates->schema);
    for (const candidate *t = told ? k->candidates : NULL; t && !c; t = t->next)
        c = t->schema == told ? t : NULL;
    return c;
}

static bool candidate_reads(converting *k, const candidate *c, const datagram *d)
{
    decoded tried;
    datagrams_decode(c->kinds, k->scratch, d, NULL, NULL, &tried);
    return !tried.refused;
}

/* The version of a datagram whose crc does not tell it. NULL: not known. */
static const candidate *guessed_candidate(converting *k, const datagram *d)
{
    const candidate *told = spoken_candidate(k, d), *first = NULL, *reader = NULL;
    if (told && datagrams_recognize(told->kinds, k->scratch, d) != RECOGNIZED_NOT)
        return told;
    for (const candidate *c = k->candidates; c; c = c->next) {
        if (!c->guessed || datagrams_recognize(c->kinds, k->scratch, d) == RECOGNIZED_NOT)
            continue;
        if (k->request->decides == DECIDED_BY_ONE)
            return c;
        first = first ? first : c;
        if (!candidate_reads(k, c, d))
            continue;
        if (reader) {
            k->unsure++;
            break;
        }
        reader = c;
    }
    return reader ? reader : first;
}

/* The version of a datagram. NULL with *why if it is not known. */
static const candidate *candidate_of(converting *k, const datagram *d, const char **why)
{
    recognition most = RECOGNIZED_NOT;
    for (const candidate *c = k->candidates; c; c = c->next) {
        const recognition known = datagrams_recognize(c->kinds, k->scratch, d);
        if (known == RECOGNIZED_CRC && c->schema)
            spoken_keep(k->spoken, d, c->schema);
        if (known == RECOGNIZED_CRC || known == RECOGNIZED_STABLE)
            return c;
        most = known > most ? known : most;
    }
    const candidate *c = guessed_candidate(k, d);
    k->unknown += most == RECOGNIZED_NOT;
    k->unseeded += !c && most != RECOGNIZED_NOT;
    *why = most == RECOGNIZED_NOT ? "damaged, or of no version that is known"
                                  : "only the crc says its version, and its seed is not known";
    return c;
}

/* Returns NULL, or why the datagram is left out. */
static const char *add_datagram(converting *k, recorded *r)
{
    const char *why = NULL;
    decoded found;
    if (r->datagram.fragment || r->datagram.captured < r->datagram.size) {
        datagrams_decode(k->now, k->scratch, &r->datagram, NULL, NULL, &found);
        return found.refused;
    }
    const candidate *c = candidate_of(k, &r->datagram, &why);
    if (!c)
        return why;
    if (c->version)
        return convert_datagram(k, c, r);
    datagrams_read(c->kinds, k->scratch, &r->datagram, NULL, NULL, &found); /* later ones may be deltas to it */
    recorder_add(&k->to, k->scratch, r, r->datagram.data, r->datagram.size);
    return NULL;
}

/* ---- the recording */

static candidate **add_candidate(converting *k, candidate **end, datagrams *kinds, const schema *s,
                                 const old_version *v, bool guessed)
{
    *end = ARENA_NEW(k->arena, candidate);
    **end = (candidate){.kinds = kinds, .schema = s, .version = v, .guessed = guessed};
    return &(*end)->next;
}

/* False after an error. */
static bool find_candidates(converting *k)
{
    const convert_recording_request *r = k->request;
    const schema *const now[] = {r->versions->now->schema};
    const datagrams_request request = {.schemas = now,
                                       .schema_count = 1,
                                       .streams = r->streams,
                                       .stream_count = r->stream_count,
                                       .use = LIST_OF_NEWEST,
                                       .seed = r->seed};
    const datagrams_request others = {.schemas = r->others, .schema_count = r->other_count};
    candidate **end = &k->candidates;
    k->now = datagrams_new(k->arena, k->diag, &request);
    if (!k->now)
        return false;
    k->memory = convert_memory_new(k->arena, r->versions->now->schema, datagrams_kept(k->now));
    const bool guesses = r->decides != DECIDED_BY_CRC;
    k->spoken = spoken_new(k->arena);
    end = add_candidate(k, end, k->now, now[0], NULL, guesses && (r->now_is_inside || !r->versions->versions));
    for (const old_version *v = r->versions->versions; v; v = v->next)
        end = add_candidate(k, end, datagrams_then(k->arena, k->now, v), v->wire->schema, v, guesses);
    datagrams *of_others = datagrams_new(k->arena, k->diag, &others);
    datagrams_share(of_others, k->now);
    add_candidate(k, end, of_others, NULL, NULL, guesses);
    return true;
}

/* The sessions of the two ends of a datagram, with the protocol id of the version now. */
static void add_sessions(converting *k, const recorded *r)
{
    k->has_sessions = true;
    for (unsigned i = r->datagram.sessions->count; i-- > 0;) {
        session s = r->datagram.sessions->each[i];
        for (const candidate *c = k->candidates; c; c = c->next)
            if (c->version && c->schema->id == s.id)
                s.id = k->candidates->schema->id;
        recorder_add_session(&k->to, k->scratch, r, &s);
    }
}

/* More than one datagram in a hundred that is left out is an error. */
static void report_left_out(converting *k, uint64_t left_out, uint64_t all)
{
    message *m = NULL;
    if (all > 0 && left_out == all)
        m = diag_error(k->diag, (span){0}, "none of the %" PRIu64 " datagrams converts", all);
    else if (left_out > all / 100)
        m = diag_error(k->diag, (span){0}, "%" PRIu64 " of %" PRIu64 " datagrams are left out", left_out, all);
    else if (left_out > 0)
        m = diag_warning(k->diag, (span){0}, "%" PRIu64 " of %" PRIu64 " datagrams are left out", left_out, all);
    if (m && k->unseeded > left_out / 2)
        diag_help(k->diag, m,
                  "--seed gives the seed of one session; a recording has all if the program calls "
                  "pkt_capture_session");
    if (m && k->unknown > left_out / 2 && (left_out == all || (k->request->stream_count == 0 && !k->has_sessions)))
        diag_help(k->diag, m, "--stream 'NAME=TYPE, TYPE*' names the types in frames; `pktc help convert` says more");
}

static void convert_all(converting *k, recording *from)
{
    const convert_recording_request *request = k->request;
    uint64_t all = 0, section = 0;
    for (recorded r; recording_next(from, request->port, &r); all++) {
        if (all == 0 || r.section != section)
            recorder_begin_section(&k->to);
        section = r.section;
        k->index = r.index;
        k->lost = NULL;
        if (r.session_began)
            add_sessions(k, &r);
        const char *why = add_datagram(k, &r);
        if (why) {
            const char *text = arena_printf(k->scratch, "packet %" PRIu64 " is left out: %s", r.index, why);
            count_notice(k, &k->left_out, text, without_numbers(k->scratch, text));
        }
        arena_clear(k->scratch);
    }
    if (all == 0)
        recorder_begin_section(&k->to);
    recorder_end(&k->to);
    recording_close(from);
    datagrams_warn_unsure(k->diag, k->unsure);
    print_notices(k->diag, k->losses);
    report_left_out(k, print_notices(k->diag, k->left_out), all);
}

void convert_recording(arena *a, diag *d, const convert_recording_request *request, FILE *to)
{
    converting k = {.request = request,
                    .arena = a,
                    .diag = d,
                    .to = {.to = to, .texts = request->texts, .text_count = request->text_count}};
    recording *from = find_candidates(&k) ? recording_open(a, d, request->path) : NULL;
    if (from) {
        k.scratch = arena_new();
        convert_all(&k, from);
        arena_free(k.scratch);
    }
    for (candidate *c = k.candidates ? k.candidates->next : NULL; c; c = c->next)
        datagrams_free(c->kinds);
    if (k.now)
        datagrams_free(k.now);
}
