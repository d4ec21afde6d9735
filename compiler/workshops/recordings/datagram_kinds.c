/* datagram_kinds.c - finds the packets of the schemas, and reads the lists of their streams.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/datagrams_internal.h"

#include <string.h>

bases *kinds_bases(datagram_kinds *g, const schema *s)
{
    kind *k = g->all_bases;
    while (k && k->schema != s)
        k = k->next;
    if (!k) {
        k = ARENA_NEW(g->arena, kind);
        *k = (kind){.schema = s, .bases = bases_lasting(g->arena), .next = g->all_bases};
        g->all_bases = k;
    }
    return k->bases;
}

static kind *add_kind(datagram_kinds *g, kind **list, const schema *s, const char *name)
{
    kind *k = ARENA_NEW(g->arena, kind);
    *k = (kind){.name = name, .schema = s, .bases = kinds_bases(g, s), .first = k};
    while (*list)
        list = &(*list)->next;
    *list = k;
    return k;
}

static bool declares(const schema *s, const char *name, size_t size)
{
    for (const decl *d = s->decls; d; d = d->next)
        if (strncmp(d->name, name, size) == 0 && d->name[size] == '\0')
            return true;
    return false;
}

/* A release that does not predict a type does not fit an `after` of it: another release reads that. */
static bool list_fits(const schema *s, const char *list)
{
    arena *a = arena_new();
    const bool fits = stream_list_read(a, diag_new(a), s, list, LIST_OF_NOW) != NULL;
    arena_free(a);
    return fits;
}

/* The first schema that has all names of a list. If there is none, the first with its first type, or the first of all,
 * can say what is wrong. */
static const schema *schema_for(const datagrams_request *request, const char *list)
{
    const size_t size = strcspn(list, " \t\r\n,*[");
    const schema *const *all = request->naming ? request->naming : request->schemas;
    const size_t count = request->naming ? request->naming_count : request->schema_count;
    for (size_t i = 0; i < count; i++)
        if (list_fits(all[i], list))
            return all[i];
    for (size_t i = 0; i < count; i++)
        if (declares(all[i], list, size))
            return all[i];
    return all[0];
}

static bool is_requested(const datagrams_request *request, const schema *s)
{
    for (size_t i = 0; i < request->schema_count; i++)
        if (request->schemas[i] == s)
            return true;
    return false;
}

bool is_other_release(const schema *s, const schema *of)
{
    return s != of && is_same_protocol(s, of);
}

/* The same stream in the other releases of its protocol, by name. If it is named as in a release that is not requested, the first of
 * those that are counts it. */
static void add_to_releases(datagram_kinds *g, const datagrams_request *request, kind **to, kind *first)
{
    kind *counts = is_requested(request, first->schema) ? first : NULL;
    for (size_t i = 0; i < request->schema_count; i++) {
        const schema *s = request->schemas[i];
        if (!is_other_release(s, first->schema))
            continue;
        const conversion c = conversion_between(g->arena, lower(g->arena, s), lower(g->arena, first->schema));
        kind *k = add_kind(g, to, s, first->name);
        k->first = counts = counts ? counts : k;
        k->number = first->number;
        k->parts = stream_list_then(g->arena, g->diag, &c, first->parts, &k->missing);
    }
}

static bool add_stream(datagram_kinds *g, const datagrams_request *request, kind **to, const char *name,
                       const char *list)
{
    list += strspn(list, " \t\r\n");
    const schema *s = schema_for(request, list);
    kind *apart = NULL, *k = add_kind(g, is_requested(request, s) ? to : &apart, s, name);
    k->number = SEEN_FRAMES + g->stream_count++;
    k->parts = stream_list_read(g->arena, g->diag, s, list, request->use);
    for (const codec_part *p = k->parts; p; p = p->next) {
        if (p->delta && !p->chained && !p->last && !p->number) {
            message *m = diag_error(g->diag, (span){0}, "'%s delta' does not say which baseline it has", p->decl->name);
            diag_help(g->diag, m, "'%s delta(Header.sequence from Header.baseline)' names the fields that do",
                      p->decl->name);
            diag_help(g->diag, m,
                      "'%s delta(Header.sequence from Header.sequence - Header.back)', if it is so many before",
                      p->decl->name);
            diag_help(g->diag, m, "'%s delta(last)' is a delta to the last one that came before", p->decl->name);
            return false;
        }
    }
    if (k->parts)
        add_to_releases(g, request, to, k);
    return k->parts != NULL;
}

/* "Update=Header, Event*" */
static bool add_named(datagram_kinds *g, const datagrams_request *request, const char *text)
{
    const char *name, *list;
    if (!stream_list_name(g->arena, g->diag, text, &name, &list))
        return false;
    const kind *same = name ? g->frames : g->bare;
    while (same && name && strcmp(same->name, name) != 0)
        same = same->next;
    if (!same)
        return add_stream(g, request, name ? &g->frames : &g->bare, name ? name : "", list);
    stream_list_twice(g->diag, name);
    return false;
}

bool packs_delta(const kind *k)
{
    const codec_part *p = k->parts;
    return p && !p->next && p->delta && p->decl->packet && strcmp(p->decl->name, k->name) == 0;
}

/* A stream replaces the packet with its name, in the releases that have it. With a seed, only a stream of T_pack_delta
 * does: the crc tells others apart. */
static void replace_packets(const datagram_kinds *g, kind **packets)
{
    for (const kind *f = g->frames; f; f = f->next)
        for (kind **at = packets; *at;)
            if ((*at)->schema == f->schema && !f->missing && strcmp((*at)->name, f->name) == 0 &&
                (g->seed == 0 || packs_delta(f)))
                *at = (*at)->next;
            else
                at = &(*at)->next;
}

static void add_then(datagram_kinds *g, kind **to, const kind *from, const old_version *version)
{
    for (; from; from = from->next) {
        kind *k = add_kind(g, to, version->wire->schema, from->name);
        k->parts = stream_list_then(g->arena, g->diag, &version->conversion, from->parts, &k->missing);
    }
}

/* The frame in which a program records, or sends, the start value of a part. */
static void add_starts(datagram_kinds *g, const schema *s, const decl *packet)
{
    for (const field *f = packet->fields; f; f = f->next) {
        if (!f->part || !f->part->starts)
            continue;
        codec_part *p = ARENA_NEW(g->arena, codec_part);
        kind *k = add_kind(g, &g->starts, s, arena_printf(g->arena, "%s.%s_start", packet->name, f->name));
        *p = (codec_part){.decl = f->type.decl};
        k->parts = p;
        k->start = f;
    }
}

bool kinds_find(datagram_kinds *g, const datagrams_request *request)
{
    for (size_t i = 0; i < request->schema_count; i++)
        for (const decl *each = request->schemas[i]->decls; each; each = each->next)
            if (each->packet) {
                add_kind(g, each->seeded ? &g->seeded : &g->packets, request->schemas[i], each->name)->packet = each;
                add_starts(g, request->schemas[i], each);
            }
    for (size_t i = 0; i < request->stream_count; i++)
        if (!add_named(g, request, request->streams[i]))
            return false;
    replace_packets(g, &g->packets);
    replace_packets(g, &g->seeded);
    return true;
}

void kinds_find_then(datagram_kinds *g, const datagram_kinds *now, const old_version *version)
{
    add_then(g, &g->frames, now->frames, version);
    add_then(g, &g->bare, now->bare, version);
    replace_packets(g, &g->packets);
    replace_packets(g, &g->seeded);
}

void kinds_types(const datagram_kinds *g, datagram_type_visitor *visit, void *user)
{
    const kind *const lists[] = {g->frames, g->bare, g->packets, g->seeded, g->starts};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const kind *k = lists[i]; k; k = k->next) {
            for (const codec_part *p = k->missing ? NULL : k->parts; p; p = p->next)
                visit(user, k->schema, p->decl, true);
            if (k->packet)
                visit(user, k->schema, k->packet, false);
        }
}
