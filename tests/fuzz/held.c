/* held.c - a server and a client that exchange packets with parts over a bad network.
 * SPDX-License-Identifier: MIT
 *
 * Packets are lost, late, and come twice; numbers begin anywhere, often just before they wrap; the client loses what it has, and
 * sessions end while packets of theirs are on their way. The value of each part that the client accepts has the hash of the server's, a
 * packet with @fit is not over its budget, a packet with a flipped bit or of another session is refused, and while the network is good, the
 * client is not stuck.
 */
/* First: parameters of the runtime would hide the type `span` of pktc. */
#include "pkt_parts.h"
#include "spot.h"

#include "differential.h"
#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LATE = 64,
    REMEMBERED = 256,
    MOST_NUMBERS = 4 * PKT_MOST_PARTS,
    PHASE = 128, /* packets, after which the network becomes bad, or good */
    MOST_REFUSED = 3,
    LIFE = 700,       /* packets: so many on average until the client restarts, and until the session ends */
    MOST_FLIPPED = 64 /* bytes of a packet of which each bit is flipped */
};

/* A packet on its way. */
typedef struct letter {
    uint64_t id, due, session;
    uint8_t *bytes; /* NULL: none */
    size_t size;
} letter;

/* What the server remembers of a packet: its parts. */
typedef struct sent {
    uint64_t id;
    bool held; /* the client has said that it has them */
    bool has[PKT_MOST_PARTS];
    pkt_part_names called[PKT_MOST_PARTS];
    uint64_t hash[PKT_MOST_PARTS];
} sent;

typedef struct match {
    fuzz *fuzz;
    const decl *decl;
    const engine *engine;
    const fuzz_type *type;
    pkt_member parts[PKT_MOST_PARTS];
    void *server[PKT_MOST_PARTS], *client[PKT_MOST_PARTS]; /* rings */
    pkt_baseline start[PKT_MOST_PARTS];                    /* the start values of both */
    bool any[PKT_MOST_PARTS];                              /* whether the client has kept a value */
    uint64_t newest[PKT_MOST_PARTS];                       /* the newest number that it has kept */
    sent sent[REMEMBERED];
    letter letters[MOST_LATE];
    datum next;
    void *in;
    uint64_t id;      /* of the packet that is sent next, of all sessions */
    uint64_t first;   /* added to an id, it is a number */
    uint64_t session; /* the seed */
    unsigned long accepted;
    unsigned refused; /* of packets sent while the network is good, one after the other */
} match;

static void match_fails(match *m, const char *what, uint64_t id, const pkt_error *error)
{
    const question q = {.decl = m->decl, .how = {.framed = true}};
    fail(m->fuzz, m->engine, &q, "packet %" PRIu64 ": %s: %s", id, what,
         error ? described(m->fuzz, error->code, error->bit, error->field) : "");
}

/* ---- numbers */

/* The slot of a field of a sum. Every optional on the way to it becomes present or absent. */
static slot *slot_named(match *m, const field_sum *t, bool present)
{
    const record *r = m->next.record;
    for (unsigned i = 0;; i++) {
        const field *f = t->path[i];
        slot *s = slot_of(r, f);
        s->present = !f->optional || present;
        s->count = 1;
        if (!s->data) {
            s->data = ARENA_NEW(m->fuzz->arena, datum);
            if (i + 1 < t->depth)
                s->data[0] = draw_value(m->fuzz->arena, &m->fuzz->lot, f->type.decl, 0);
        }
        if (i + 1 == t->depth)
            return s;
        r = s->data[0].record;
    }
}

/* Sets the fields of a sum that are subtracted, or those that are added. */
static void set_terms(match *m, const field_sum *sum, bool subtracted, uint64_t number)
{
    for (const field_sum *t = sum; t; t = t->next) {
        if (t->depth == 0 || t->minus != subtracted)
            continue;
        const type *of = &t->path[t->depth - 1]->type;
        const bool in_range = number >= num_bits(of->low) && number <= num_bits(of->high);
        slot_named(m, t, in_range)->data[0].number = in_range ? number : num_bits(of->low);
    }
}

static void number_packet(match *m, uint64_t back, uint64_t gap)
{
    for (const field *f = m->decl->fields; f; f = f->next)
        if (f->part) {
            const uint64_t all = UINT64_MAX >> (64 - f->part->bits);
            set_terms(m, f->part->number, false, (m->id + m->first) & all);
            set_terms(m, f->part->before, true, gap);
        }
    for (const field *f = m->decl->fields; f; f = f->next)
        if (f->part)
            set_terms(m, f->part->base, true, back);
}

/* The value of that number which both have; its value is NULL if there is none. */
static pkt_baseline held_value(const match *m, unsigned part, uint64_t number)
{
    const pkt_baseline none = {NULL, 0, 0}, found = m->type->parts->rings[part].find(m->server[part], number);
    for (uint64_t i = 1; i < REMEMBERED && i <= m->id; i++) {
        const sent *s = &m->sent[(m->id - i) % REMEMBERED];
        if (s->has[part] && s->called[part].number == number)
            return s->held && found.value && found.hash == s->hash[part] ? found : none;
    }
    return none;
}

/* Puts the start value of a part into T_baselines. Returns the place of its baseline. */
static pkt_baseline *place_start(const match *m, unsigned part, pkt_baseline *from)
{
    const pkt_part_row *row = &m->type->parts->about->parts[part];
    pkt_baseline *to = &from[row->baseline & (PKT_PART_STARTS - 1)];
    if (row->baseline & PKT_PART_STARTS)
        to[1 + row->predicts] = m->start[part];
    return to;
}

/* Draws the start values; some parts have none. */
static void draw_starts(match *m)
{
    unsigned part = 0;
    for (const field *f = m->decl->fields; f; f = f->next) {
        if (!f->part)
            continue;
        const datum v = draw_value(m->fuzz->arena, &m->fuzz->lot, f->type.decl, 0);
        const fuzz_ring *ring = &m->type->parts->rings[part];
        void *copy = memory_with(m->fuzz, engine_type(m->engine, f->type.decl), f->type.decl, &v);
        if (f->part->starts && !lot_one_in(&m->fuzz->lot, 4)) {
            ring->keep(m->server[part], 0, copy);
            m->start[part] = ring->find(m->server[part], 0);
            m->start[part].value = copy;
            ring->empty(m->server[part]);
        } else {
            free(copy);
        }
        part++;
    }
}

/* False if a baseline that the packet names is not on both sides. */
static bool find_held(const match *m, const void *v, pkt_part_names *called, pkt_baseline *from)
{
    const fuzz_parts *t = m->type->parts;
    memset(from, 0, 3 * PKT_MOST_PARTS * sizeof *from);
    t->about->names(v, called);
    for (unsigned i = 0; i < t->about->count; i++) {
        pkt_baseline *to = place_start(m, i, from);
        if (!called[i].based)
            continue;
        to[0] = held_value(m, i, called[i].base);
        if (!to[0].value)
            return false;
        if (!t->about->parts[i].predicts || !called[i].moves)
            continue;
        to[1] = held_value(m, i, called[i].before);
        if (!to[1].value)
            return false;
    }
    return true;
}

/* Names the newest baselines that both have, or none. The caller frees the value. NULL: the packet needs one. */
static void *address_packet(match *m, pkt_part_names *called, pkt_baseline *from)
{
    for (uint64_t back = 1; back <= REMEMBERED; back++) {
        const bool none = back == REMEMBERED;
        if (!none && !(back < m->id && m->sent[(m->id - back) % REMEMBERED].held))
            continue;
        for (uint64_t gap = 1; gap <= (none ? 1 : 4); gap++) {
            number_packet(m, none ? UINT64_MAX : back, gap);
            void *v = memory_with(m->fuzz, m->type, m->decl, &m->next);
            if (find_held(m, v, called, from))
                return v;
            free(v);
        }
    }
    return NULL;
}

/* ---- what the client keeps */

/* How far a number is behind the newest one that the client has kept; 0: it is newer, or the first one. */
static uint64_t behind(const match *m, unsigned part, uint64_t number)
{
    const field *f = m->decl->fields;
    for (unsigned left = part; !f->part || left-- > 0;)
        f = f->next;
    const uint64_t all = UINT64_MAX >> (64 - f->part->bits), distance = (m->newest[part] - number) & all;
    return m->any[part] && distance <= all / 2 + 1 ? distance : 0;
}

/* Puts the parts of a packet into the client's rings. s: what the server has sent; NULL: it has forgotten that. False if one of them is
 * too old to be kept. */
static bool keep_received(match *m, const pkt_part_names *called, const void *v, const sent *s)
{
    bool kept = true;
    for (unsigned i = 0; i < m->decl->parts; i++) {
        const pkt_member *part = &m->parts[i];
        const fuzz_ring *ring = &m->type->parts->rings[i];
        if (part->has.size != 0 && load_part(v, part->has) == 0)
            continue;
        ring->keep(m->client[i], called[i].number, (const uint8_t *)v + part->value.offset);
        const pkt_baseline is = ring->find(m->client[i], called[i].number);
        const uint64_t late = behind(m, i, called[i].number);
        if (late >= ring->values && !is.value) { /* all places have newer ones */
            kept = false;
            continue;
        }
        if (late == 0 || late >= ring->values)
            m->newest[i] = called[i].number;
        m->any[i] = true;
        if (s && is.hash != s->hash[i])
            match_fails(m, "the client has another value", s->id, NULL);
    }
    return kept;
}

/* ---- the server */

static const field *fitted_part(const decl *d)
{
    const field *f = d->fields;
    while (f && !(f->part && f->fit))
        f = f->next;
    return f;
}

/* Fits the packet into a random budget. Returns the budget. */
static size_t choose(match *m, void *v, const pkt_baseline *from)
{
    lot *l = &m->fuzz->lot;
    const field *fit = fitted_part(m->decl);
    const size_t budget = lot_between(l, 8, lot_one_in(l, 2) ? 100 : 1400);
    uint32_t count = fit ? engine_type(m->engine, fit->type.decl)->fit_elements : 0;
    pkt_element *order = malloc((count + 1) * sizeof *order);
    void *whole = malloc(m->type->type->size);
    unsigned part = 0;
    if (!m->type->parts->fit)
        goto unlimited;
    memcpy(whole, v, m->type->type->size);
    for (uint32_t i = 0; i < count; i++)
        order[i].number = (i + (uint32_t)m->id) % count;
    for (const field *f = m->decl->fields; f && f != fit; f = f->next)
        part += f->part != NULL;
    const void *value_now = fit ? (const uint8_t *)whole + m->parts[part].value.offset : NULL;
    if (m->type->parts->fit(v, from, value_now, order, &count, budget, NULL)) {
        free(whole);
        free(order);
        return budget;
    }
    memcpy(v, whole, m->type->type->size);
unlimited:
    free(whole);
    free(order);
    return MOST_PACKET;
}

static void post(match *m, const uint8_t *bytes, size_t size, uint64_t late)
{
    letter *free_one = m->letters;
    while (free_one < m->letters + MOST_LATE && free_one->bytes)
        free_one++;
    if (free_one == m->letters + MOST_LATE)
        return;
    *free_one = (letter){.id = m->id, .due = m->id + late, .session = m->session, .bytes = malloc(size), .size = size};
    memcpy(free_one->bytes, bytes, size);
}

static bool is_good(const match *m)
{
    return m->id / PHASE % 2 == 0;
}

static void keep_sent(match *m, sent *s, const void *v)
{
    for (unsigned i = 0; i < m->decl->parts; i++) {
        const pkt_member *part = &m->parts[i];
        s->has[i] = part->has.size == 0 || load_part(v, part->has) != 0;
        if (!s->has[i])
            continue;
        m->type->parts->rings[i].keep(m->server[i], s->called[i].number, (const uint8_t *)v + part->value.offset);
        s->hash[i] = m->type->parts->rings[i].find(m->server[i], s->called[i].number).hash;
    }
}

/* The client gets the values of a packet that needs a baseline, which it cannot name, in another way. */
static void give_values(match *m, sent *s, const void *v)
{
    m->type->parts->about->names(v, s->called);
    keep_sent(m, s, v);
    s->held = keep_received(m, s->called, v, s);
}

static void send_packet(match *m)
{
    static uint8_t bytes[MOST_PACKET];
    fuzz *f = m->fuzz;
    sent *s = &m->sent[m->id % REMEMBERED];
    pkt_baseline from[3 * PKT_MOST_PARTS];
    pkt_error error;
    memset(s, 0, sizeof *s);
    s->id = m->id;
    if (m->id % 32 == 0)
        arena_clear(f->arena);
    m->next = m->id % 32 == 0 ? draw_value(f->arena, &f->lot, m->decl, 0)
                              : vary_value(f->arena, &f->lot, m->decl, &m->next, 0);
    void *v = address_packet(m, s->called, from);
    const bool is_given = v == NULL;
    if (is_given)
        v = memory_with(f, m->type, m->decl, &m->next);
    if (!m->type->valid(v, NULL, NULL)) { /* a value that varied beyond its range */
        m->next = draw_value(f->arena, &f->lot, m->decl, 0);
        free(v);
        return;
    }
    m->type->quantize(v);
    if (is_given) {
        give_values(m, s, v);
        free(v);
        return;
    }
    const size_t budget = choose(m, v, from);
    const size_t size = m->type->parts->pack(v, from, m->session, bytes, MOST_PACKET, &error);
    if (size == 0 || size > budget)
        match_fails(m, size ? "it is over its budget" : "it is not written", m->id, &error);
    keep_sent(m, s, v);
    free(v);
    for (unsigned copies = is_good(m) ? 1 : lot_below(&f->lot, 3); copies > 0 && size > 0; copies--)
        post(m, bytes, size, is_good(m) ? 0 : lot_below(&f->lot, lot_one_in(&f->lot, 8) ? 300 : 12));
}

/* ---- the client */

static void accept_packet(match *m, const letter *l, const pkt_part_names *called)
{
    sent *s = &m->sent[l->id % REMEMBERED];
    const bool is_remembered = s->id == l->id, kept = keep_received(m, called, m->in, is_remembered ? s : NULL);
    if (is_remembered && kept && (is_good(m) || !lot_one_in(&m->fuzz->lot, 3)))
        s->held = true;
    m->accepted++;
    m->fuzz->accepted++;
}

/* The client tells the server that it has no baselines. */
static void refuse_packet(match *m, const letter *l, const pkt_error *error)
{
    m->fuzz->refused++;
    m->fuzz->reasons[error->code]++;
    if (error->code != PKT_ERROR_BASELINE && error->code != PKT_ERROR_CRC)
        match_fails(m, "it is refused", l->id, error);
    if (is_good(m) || !lot_one_in(&m->fuzz->lot, 3))
        for (unsigned i = 0; i < REMEMBERED; i++)
            m->sent[i].held = false;
}

/* Reads a packet with the client's baselines. */
static bool read_packet(match *m, const uint8_t *bytes, size_t size, pkt_part_names *called, pkt_error *error)
{
    const fuzz_parts *t = m->type->parts;
    pkt_baseline from[3 * PKT_MOST_PARTS];
    *error = (pkt_error){.code = PKT_ERROR_END};
    if (!t->peek(m->in, called, bytes, size))
        return false;
    memset(from, 0, sizeof from);
    for (unsigned i = 0; i < t->about->count; i++) {
        pkt_baseline *to = place_start(m, i, from);
        if (called[i].based)
            to[0] = t->rings[i].find(m->client[i], called[i].base);
        if (called[i].based && called[i].moves && t->about->parts[i].predicts)
            to[1] = t->rings[i].find(m->client[i], called[i].before);
    }
    return t->unpack(m->in, from, m->session, bytes, size, error);
}

/* Flips one bit of each packet, and now and then each bit of a small one. */
static void receive_flipped(match *m, const letter *l)
{
    pkt_part_names called[PKT_MOST_PARTS];
    pkt_error error;
    const uint32_t bits = 8 * (uint32_t)l->size;
    const bool all = l->size <= MOST_FLIPPED && lot_one_in(&m->fuzz->lot, 16);
    for (uint32_t n = all ? 0 : bits - 1; n < bits; n++) {
        const uint32_t bit = all ? n : lot_below(&m->fuzz->lot, bits);
        l->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (read_packet(m, l->bytes, l->size, called, &error))
            match_fails(m, "it is accepted with a flipped bit", l->id, NULL);
        l->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

static void receive_packet(match *m, const letter *l)
{
    pkt_part_names called[PKT_MOST_PARTS];
    pkt_error error;
    receive_flipped(m, l);
    const bool good = read_packet(m, l->bytes, l->size, called, &error);
    m->fuzz->cases++;
    if (good && l->session != m->session)
        match_fails(m, "it is accepted in another session", l->id, NULL);
    else if (good)
        accept_packet(m, l, called);
    else
        refuse_packet(m, l, &error);
    if (!is_good(m) || l->session != m->session || l->id / PHASE != m->id / PHASE)
        return;
    m->refused = good ? 0 : m->refused + 1;
    if (m->refused > MOST_REFUSED)
        match_fails(m, "the client is stuck", l->id, &error);
}

static void deliver_packets(match *m)
{
    for (letter *l = m->letters; l < m->letters + MOST_LATE; l++) {
        if (!l->bytes || l->due > m->id)
            continue;
        receive_packet(m, l);
        free(l->bytes);
        l->bytes = NULL;
    }
}

/* ---- matches */

static unsigned long matches, with_lists, with_starts, with_fit;

static void count_match(const decl *d)
{
    bool lists = false, starts = false, fit = false;
    for (const field *f = d->fields; f; f = f->next) {
        lists |= f->part && f->type.decl->holds_list;
        starts |= f->part && f->part->starts;
        fit |= f->part && f->fit;
    }
    matches++;
    with_lists += lists;
    with_starts += starts;
    with_fit += fit;
}

void held_print(void)
{
    printf("%lu packets with parts: %lu with lists, %lu with start values, %lu with a part that is fitted\n", matches,
           with_lists, with_starts, with_fit);
}

/* The client loses its values, which nobody tells the server. */
static void restart_client(match *m)
{
    for (unsigned i = 0; i < m->decl->parts; i++) {
        m->type->parts->rings[i].empty(m->client[i]);
        m->any[i] = false;
    }
}

/* Half of the sessions begin just before numbers of some size wrap. */
static void begin_session(match *m)
{
    lot *l = &m->fuzz->lot;
    const uint64_t wraps = UINT64_MAX >> (64 - (UINT64_C(8) << lot_below(l, 4)));
    restart_client(m);
    for (unsigned i = 0; i < m->decl->parts; i++)
        m->type->parts->rings[i].empty(m->server[i]);
    memset(m->sent, 0, sizeof m->sent);
    m->session++;
    m->first = (lot_one_in(l, 2) ? wraps - lot_below(l, 300) : lot_next(l)) - m->id;
}

static void play_match(fuzz *f, const decl *d)
{
    match *m = calloc(1, sizeof *m);
    unsigned count = 0;
    m->fuzz = f;
    m->decl = d;
    m->engine = &f->engines[0];
    m->type = engine_type(m->engine, d);
    m->in = memory_with(f, m->type, d, NULL);
    for (pkt_member each = {0}; pkt_next_member(m->type->type, &each);)
        for (unsigned i = 0; i < m->type->parts->about->count; i++)
            if (strcmp(m->type->parts->about->parts[i].name, each.name) == 0)
                m->parts[count++] = each;
    for (unsigned i = 0; i < count; i++) {
        m->server[i] = calloc(1, m->type->parts->rings[i].size);
        m->client[i] = calloc(1, m->type->parts->rings[i].size);
    }
    count_match(d);
    draw_starts(m);
    begin_session(m);
    for (; m->id < f->held && f->failures < MOST_FAILURES; m->id++) {
        if (lot_one_in(&f->lot, LIFE))
            restart_client(m);
        if (lot_one_in(&f->lot, LIFE))
            begin_session(m);
        send_packet(m);
        deliver_packets(m);
    }
    if (m->accepted < f->held / 4 && f->failures < MOST_FAILURES)
        match_fails(m, "few packets arrive", m->id, NULL);
    for (unsigned i = 0; i < MOST_LATE; i++)
        free(m->letters[i].bytes);
    for (unsigned i = 0; i < count; i++) {
        free(m->server[i]);
        free(m->client[i]);
        free((void *)(uintptr_t)m->start[i].value);
    }
    free(m->in);
    free(m);
    arena_clear(f->arena);
}

void held_schema(fuzz *f, arena *a)
{
    unsigned packets = 0;
    for (const decl *d = f->schema->decls; d; d = d->next)
        packets += d->parts > 0;
    if (packets == 0) /* it need not be compiled */
        return;
    engine_load(&f->engines[0], a, &f->shop);
    for (const decl *d = f->schema->decls; d; d = d->next)
        if (d->parts > 0)
            play_match(f, d);
    engine_unload(&f->engines[0]);
}
