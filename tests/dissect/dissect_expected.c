/* dissect_expected.c - compares what tshark shows of a datagram with what the codec reads.
 * SPDX-License-Identifier: MIT
 */
#include "dissect_test.h"
#include "base/utf8.h"
#include "codec/codec_internal.h"
#include "model/type_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EMPTY = 256 };

typedef struct comparison {
    arena *arena;
    const tree *tree;
    size_t at;           /* the next item of the tree */
    const char *problem; /* the first one */
} comparison;

/* ---- bits: what has one name and no gap is one stretch */

static void add_stretch(stretches *all, const char *name, uint64_t bit, uint64_t bits)
{
    stretch *last = all->count ? &all->list[all->count - 1] : NULL;
    if (bits == 0)
        return;
    if (last && last->bit + last->bits == bit && strcmp(last->name, name) == 0) {
        last->bits += bits;
        return;
    }
    if (all->count == all->room) {
        const size_t room = all->room ? 2 * all->room : 64;
        stretch *list = ARENA_ARRAY(all->arena, stretch, room);
        if (all->count)
            memcpy(list, all->list, all->count * sizeof *list);
        all->list = list;
        all->room = room;
    }
    all->list[all->count++] = (stretch){name, bit, bits};
}

void trace_stretches(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    stretches *all = user;
    all->data = data;
    add_stretch(all, codec_place_name(all->arena, p), bit, bits);
}

static const char *stretch_text(arena *a, const stretches *all, size_t i)
{
    if (i >= all->count)
        return "nothing";
    return arena_printf(a, "%s [%" PRIu64 " + %" PRIu64 "]", all->list[i].name, all->list[i].bit, all->list[i].bits);
}

/* Of what is refused, the codec has traced the parts of the item at fault that come before the fault. With `open`, the
 * codec has read further. */
static const char *bits_problem(arena *a, const stretches *wanted, const stretches *got, bool refused, bool open)
{
    size_t same = 0;
    while (same < got->count && same < wanted->count && got->list[same].bit == wanted->list[same].bit &&
           got->list[same].bits == wanted->list[same].bits &&
           strcmp(got->list[same].name, wanted->list[same].name) == 0)
        same++;
    if (same == got->count && (same == wanted->count || open || (refused && same + 1 == wanted->count)))
        return NULL;
    const bool is_part = same + 1 == got->count && same < wanted->count &&
                         strcmp(got->list[same].name, wanted->list[same].name) == 0 &&
                         got->list[same].bit == wanted->list[same].bit;
    if (is_part && (refused || open))
        return NULL;
    return arena_printf(a, "shows %s, not %s", stretch_text(a, got, same), stretch_text(a, wanted, same));
}

/* ---- values */

static const char *bytes_text(arena *a, const datum *d)
{
    char *text = arena_alloc(a, 2 * (size_t)d->size + 1);
    for (uint32_t i = 0; i < d->size; i++)
        sprintf(text + 2 * i, "%02x", d->bytes[i]);
    return text;
}

/* Of well-formed text, as every string is that the codec has read. */
static const char *string_text(arena *a, const datum *d)
{
    char *text = arena_alloc(a, 6 * (size_t)d->size + 3), *to = text;
    *to++ = '"';
    for (uint32_t i = 0, size; i < d->size; i += size) {
        const char *at = (const char *)d->bytes + i;
        uint32_t c;
        size = (uint32_t)utf8_character(at, d->size - i, &c);
        if (utf8_printable(at, d->size - i) == 0)
            to += sprintf(to, "\\u%04x", (unsigned)c);
        else
            to += sprintf(to, c == '"' || c == '\\' ? "\\%.*s" : "%.*s", (int)size, at);
    }
    *to = '"';
    return text;
}

static const char *flags_text(arena *a, const type *t, uint64_t v)
{
    const char *text = "";
    for (const member *m = t->decl->members; m; m = m->next)
        if (v & num_bits(m->value))
            text = arena_printf(a, *text ? "%s, %s" : "%s%s", text, m->name);
    return arena_printf(a, "%s (0x%" PRIx64 ")", *text ? text : "none", v);
}

static const char *enum_text(arena *a, const type *t, uint64_t v)
{
    const member *m = member_of_value(t->decl, num_u64(v));
    return m ? arena_printf(a, "%s (%" PRIu64 ")", m->name, v) : arena_printf(a, "%" PRIu64, v);
}

/* The text of a value of any other type than a real one; NULL for those. */
static const char *value_text(arena *a, const type *t, const datum *d)
{
    switch (type_row_of(t)->sort) {
    case SORT_BOOL: return d->number ? "true" : "false";
    case SORT_INTEGER: return num_text(a, datum_num(t, d));
    case SORT_FIXED:
        return arena_printf(a, "%.15g (raw %s)",
                            num_double(datum_num(t, d)) / (double)((uint64_t)1 << t->fraction_bits),
                            num_text(a, datum_num(t, d)));
    case SORT_ENUM: return enum_text(a, t, d->number);
    case SORT_FLAGS: return flags_text(a, t, d->number);
    case SORT_STRING: return string_text(a, d);
    case SORT_BYTES: return bytes_text(a, d);
    case SORT_REF: return d->number ? arena_printf(a, "%" PRIu64, d->number) : "null";
    case SORT_REAL:
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_FOREIGN: break;
    }
    return NULL;
}

bool is_label_text(const char *label, const char *all)
{
    const size_t size = strlen(label);
    if (strlen(all) <= 150)
        return strcmp(label, all) == 0;
    return size >= 150 && strcmp(label + size - 3, "...") == 0 && strncmp(label, all, size - 3) == 0;
}

/* Whether a text is a raw number of these bits. */
static bool is_real_text(storage s, const char *text, uint64_t bits)
{
    unsigned long long payload;
    if (sscanf(text, "NaN (%llx)", &payload) == 1)
        return payload == bits;
    return *text && real_to_bits(s, strtod(text, NULL)) == bits;
}

/* Whether a text is a number that is sent as the same step. */
static bool is_step_text(const type *t, const char *text, const datum *d)
{
    const datum read = {.number = real_to_bits(t->storage, strtod(text, NULL))};
    uint64_t a, b;
    return *text && scalar_code(t, &read, &a) == PKT_OK && scalar_code(t, d, &b) == PKT_OK && a == b;
}

static bool are_parts(const char *text, const datum *d, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (strncmp(text, i ? ", " : "[", i ? 2 : 1) != 0)
            return false;
        text += i ? 2 : 1;
        char *end;
        const double part = strtod(text, &end);
        if (real_to_bits(STORAGE_FLOAT, part) != real_to_bits(STORAGE_FLOAT, (double)d->parts[i]))
            return false;
        text = end;
    }
    return strcmp(text, "]") == 0;
}

bool is_value_text(arena *a, const type *t, const char *text, const datum *d)
{
    if (t->kind == TYPE_QUAT || t->kind == TYPE_UNIT)
        return are_parts(text, d, t->kind == TYPE_QUAT ? 4 : 3);
    if (t->kind == TYPE_QUANTIZED)
        return is_step_text(t, text, d);
    if (t->kind == TYPE_FLOAT || t->kind == TYPE_OR_RAW)
        return is_real_text(t->storage, text, d->number);
    return is_label_text(text, value_text(a, t, d));
}

/* Looks for the item of a value behind those of the values before it. */
static void compare_scalar(comparison *c, const char *name, const type *t, const datum *d)
{
    size_t at = c->at;
    while (at < c->tree->count && strcmp(c->tree->items[at].name, name) != 0)
        at++;
    if (at == c->tree->count) {
        c->problem = arena_printf(c->arena, "%s is not shown", name);
    } else if (!is_value_text(c->arena, t, c->tree->items[at].text, d)) {
        /* An index, or a length, may have the same name. */
        c->at = at + 1;
        for (at++; at < c->tree->count && strcmp(c->tree->items[at].name, name) == 0; at++)
            if (is_value_text(c->arena, t, c->tree->items[at].text, d))
                break;
        if (at == c->tree->count || strcmp(c->tree->items[at].name, name) != 0)
            c->problem = arena_printf(c->arena, "%s is shown as %s", name, c->tree->items[c->at - 1].text);
    }
    c->at = at + 1;
}

const char *key_text(arena *a, const field *list, const datum *element)
{
    const datum *key = slot_at(slot_of(element->record, list->by), 0);
    return arena_printf(a, "%s %s", list->by->name, value_text(a, &list->by->type, key));
}

static void compare_value(comparison *c, const char *name, const decl *d, const datum *v);

static void compare_element(comparison *c, const char *name, const field *f, const datum *d)
{
    if (f->by)
        compare_scalar(c, arena_printf(c->arena, "%s.%s", name, f->by->name), &f->by->type,
                       slot_at(slot_of(d->record, f->by), 0));
    if (is_composite(&f->type))
        compare_value(c, name, f->type.decl, d);
    else
        compare_scalar(c, name, &f->type, d);
}

/* "x[1][2]" */
static const char *element_name(comparison *c, const char *name, const field *f, uint32_t index)
{
    const char *subs = "";
    for (uint32_t i = f->dim_count; i-- > 1;) {
        subs = arena_printf(c->arena, "[%" PRIu32 "]%s", index % f->dims[i], subs);
        index /= f->dims[i];
    }
    return arena_printf(c->arena, "%s[%" PRIu32 "]%s", name, index, subs);
}

/* Whether a value takes no bits: of such elements, only the first ones are shown. */
static bool is_empty(const type *t)
{
    const bool fixed = !is_composite(t) && t->kind != TYPE_COMPACT && t->kind != TYPE_STRING && t->kind != TYPE_BYTES;
    return fixed && scalar_width(t) == 0;
}

/* A delta is shown as it is, and then as a whole. */
static void skip_to_whole(comparison *c)
{
    while (c->at < c->tree->count && strcmp(c->tree->items[c->at++].text, "the whole value") != 0)
        continue;
}

static void compare_items(comparison *c, const char *name, const item *items, const record *r)
{
    for (const item *i = items; i && !c->problem; i = i->next) {
        if (i->kind == ITEM_IF || i->kind == ITEM_SWITCH) {
            const block *taken = chosen_block(i, r);
            if (taken)
                compare_items(c, name, taken->items, r);
        } else if (i->kind == ITEM_FIELD) {
            const field *f = i->as.field;
            const slot *s = slot_of(r, f);
            const char *whole = arena_printf(c->arena, "%s.%s", name, f->name);
            const bool no_bits = f->array != ARRAY_NONE && f->array != ARRAY_SPARSE && is_empty(&f->type);
            const uint32_t count = no_bits && s->count > MOST_EMPTY ? MOST_EMPTY : s->count;
            for (uint32_t k = 0; s->present && k < count && !c->problem; k++) {
                if (f->chain || f->part)
                    skip_to_whole(c);
                compare_element(
                    c, f->array == ARRAY_NONE ? whole : element_name(c, whole, f, s->indices ? s->indices[k] : k), f,
                    slot_at(s, k));
            }
        }
    }
}

static void compare_value(comparison *c, const char *name, const decl *d, const datum *v)
{
    if (d->kind == DECL_UNION) {
        const member *m = member_of_value(d, num_u64(v->tag));
        name = arena_printf(c->arena, "%s.%s", name, m->name);
    }
    compare_items(c, name, v->record->decl->body.items, v->record);
}

/* ---- the whole */

static const char *refusal_text(arena *a, const codec_error *error)
{
    const pkt_error nameless = {.code = error->code, .bit = error->bit};
    char text[256];
    return arena_printf(a, "%s%s%s", error->field, *error->field ? ": " : "",
                        pkt_error_string(&nameless, text, sizeof text));
}

/* Whether the texts are the same. Of what has no right checksum, the name of the packet is not known. */
static bool same_refusal(const char *wanted, const char *got)
{
    const char *nameless = strstr(wanted, "crc: ");
    return strcmp(wanted, got) == 0 || (nameless && strcmp(nameless, got) == 0);
}

/* Whether the codec refuses earlier, for what only the baseline can tell. An array is refused at its start for what is wrong
 * with its elements together, so the codec may refuse one of them. */
static bool needs_base(const codec_error *error, const char *refused)
{
    const char *at = strstr(refused, " at bit ");
    const size_t name = strcspn(refused, ":");
    const bool depends =
        error->code == PKT_ERROR_CANONICAL || error->code == PKT_ERROR_RANGE || error->code == PKT_ERROR_ORDER;
    const bool is_element = strncmp(error->field, refused, name) == 0 && error->field[name] == '[';
    return depends && at && (is_element || strtoull(at + strlen(" at bit "), NULL, 10) >= error->bit);
}

/* The first value of a packet or of a stream that is not shown as it is. */
static const char *values_problem(arena *a, const expected *e, const tree *t)
{
    comparison c = {.arena = a, .tree = t};
    if (e->decl)
        compare_value(&c, e->decl->name, e->decl, e->value);
    for (const codec_part *p = e->decl ? NULL : e->parts; p && !c.problem; p = p->next) {
        if (p->delta)
            skip_to_whole(&c);
        compare_value(&c, p->decl->name, p->decl, &p->value);
    }
    return c.problem;
}

static stretches stretches_of(arena *a, const tree *t)
{
    stretches all = {.arena = a};
    for (size_t i = 0; i < t->count; i++)
        add_stretch(&all, t->items[i].name, t->items[i].bit, t->items[i].bits);
    return all;
}

const char *expected_problem(arena *a, const expected *e, const tree *t)
{
    const stretches got = stretches_of(a, t);
    if (t->refused ? !e->refused || !same_refusal(e->refused, t->refused) : e->refused != NULL)
        return arena_printf(a, "refused: %s; the codec: %s", t->refused ? t->refused : "no",
                            e->refused ? e->refused : "accepted");
    if (t->unknown)
        return t->unknown;
    const char *problem = bits_problem(a, e->bits, &got, e->refused != NULL, false);
    problem = problem ? problem : values_problem(a, e, t);
    return problem || e->refused ? problem : sent_problem(a, e, t);
}

/* What the codec reads of a datagram. */
typedef struct codec_reading {
    const datagram *datagram;
    stretches bits;
} codec_reading;

static void trace_reading(void *user, const codec_place *p, uint64_t bit, uint64_t bits, const uint8_t *data)
{
    codec_reading *r = user;
    trace_stretches(&r->bits, p, bit, bits, data);
}

const kept_value *find_kept(const kept_value *newest, const field *f, uint64_t number)
{
    while (newest && !(newest->field == f && newest->number == number))
        newest = newest->next;
    return newest;
}

const datum *find_kept_start(const kept_value *starts, const codec_part *part)
{
    const kept_value *k = find_kept(starts, part->field, 0);
    return k ? &k->value : NULL;
}

static const datum *find_start(void *user, const codec_part *part)
{
    const codec_reading *r = user;
    return find_kept_start(r->datagram->starts, part);
}

static bool find_named(void *user, const codec_part *wanted, uint64_t number, const datum **base)
{
    const codec_reading *r = user;
    const kept_value *k = find_kept(r->datagram->kept, wanted->field, number);
    *base = k ? &k->value : NULL;
    return k != NULL;
}

/* Whether a dissector finds a datagram by its end check, because it does not know the seed of the crc. */
static bool is_found_by_end(const datagram *d)
{
    const char *name = d->decl ? d->decl->name : d->options.frame;
    const bool knows_seed = (d->decl && !d->decl->seeded) || (d->options.seed != 0 && !d->names_base && !d->starts);
    return d->options.framed && !knows_seed && !codec_has_crc(name, d->bytes, d->size, &d->options) &&
           codec_has_end(d->by->schema, name, d->bytes, d->size);
}

const char *tree_problem(arena *a, const datagram *d, const tree *t)
{
    codec_reading reading = {.datagram = d, .bits = {.arena = a}};
    const stretches got = stretches_of(a, t), *const wanted = &reading.bits;
    codec_options how = d->options;
    codec_part *parts = NULL;
    codec_error error;
    datum v;
    how.ignore_crc = is_found_by_end(d);
    how.trace = trace_reading;
    how.find = find_named;
    how.start = find_start;
    how.parts = &parts;
    how.user = &reading;
    const bool good = d->decl ? codec_read(a, d->by->schema, d->decl, d->bytes, d->size, &how, &v, &error)
                              : codec_read_stream(a, d->by->schema, d->parts, d->bytes, d->size, &how, &parts, &error);
    bool is_delta = how.delta || (d->decl && d->decl->parts > 0 && !d->knows_base);
    for (const codec_part *p = d->parts; p; p = p->next)
        is_delta = is_delta || (p->delta && !p->chained && !d->knows_base);
    const char *text = good ? NULL : refusal_text(a, &error);
    const bool later =
        is_delta && !good && t->refused && !same_refusal(text, t->refused) && needs_base(&error, t->refused);
    if (t->refused && !later && (good || !same_refusal(text, t->refused)))
        return arena_printf(a, "refused: %s; the codec: %s", t->refused, good ? "accepted" : text);
    if (t->unknown && !is_delta)
        return t->unknown;
    /* Without the baseline, what a writer would not have chosen cannot be told from what it would. */
    if (!good && !t->refused && !is_delta)
        return arena_printf(a, "accepted; the codec: %s", text);
    const bool stopped = !good && (!t->refused || later);
    const char *problem =
        stopped ? bits_problem(a, &got, wanted, false, true) : bits_problem(a, wanted, &got, !good, t->unknown != NULL);
    if (problem && !(stopped && t->unknown && bits_problem(a, wanted, &got, false, true) == NULL))
        return problem;
    const expected values = {
        .schema = d->by->schema, .bits = wanted, .decl = d->decl, .value = &v, .base = d->options.base, .parts = parts};
    problem = good && !is_delta ? values_problem(a, &values, t) : NULL;
    return problem || !good ? problem : sent_problem(a, &values, t);
}
