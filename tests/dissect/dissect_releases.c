/* dissect_releases.c - packets of the releases of a protocol, whose dissectors are loaded together.
 * SPDX-License-Identifier: MIT
 *
 * The crc of a datagram tells its release: the dissector of that release has to show it, with what the codec reads by the
 * schema of that release. A @stable packet is of all releases.
 */
#include "../fuzz/next.h"
#include "check/check.h"
#include "dissect_test.h"

#include <inttypes.h>
#include <string.h>

enum { RANDOM_RELEASES = 3, MOST_CHANGES = 12 };

/* "game", "game_pkt", "game_pkt2": what Wireshark calls the releases of a protocol, in the order in which they are loaded. */
static const char *shown_name(arena *a, const char *protocol, uint32_t number)
{
    return number < 2 ? arena_printf(a, number ? "%s_pkt" : "%s", protocol)
                      : arena_printf(a, "%s_pkt%" PRIu32, protocol, number);
}

static void add_release(test *t, lot *l, dissector *by, const char *what, uint64_t seed, uint32_t cases)
{
    add_types(t, l, by, what, cases);
    for (const decl *d = by->schema->decls; d; d = d->next)
        if (d->parts > 0)
            add_series(t, l, by, d, seed);
}

void add_releases(test *t, const source *const *texts, uint32_t count, uint64_t seed, uint32_t cases)
{
    lot l = {seed};
    const char *protocol = arena_printf(t->arena, "series%" PRIu32, t->dissector_count);
    const uint64_t session = lot_one_in(&l, 2) ? lot_next(&l) : 0;
    const bool has_port = !lot_one_in(&l, 2);
    dissector **const first = t->last_dissector;
    for (uint32_t i = 0; i < count; i++) {
        const schema *s = checked(t, texts[i], true);
        dissector *by = add_dissector(t, s, protocol, s->id, session);
        by->shown_as = shown_name(t->arena, protocol, i);
        by->port = (*first)->port;
        by->how.ports = has_port ? arena_printf(t->arena, "%" PRIu32, by->port) : "";
        add_release(t, &l, by, arena_printf(t->arena, "release %s, seed %" PRIu64, texts[i]->path, seed), seed, cases);
    }
}

/* ---- random releases: each has an id of its own, also different from that of the schema, which has a dissector too */

static const schema *checked_release(arena *a, const char *text)
{
    const check_options how = {.checks = true};
    return check(a, names_new(a), diag_new(a), source_from(a, "next.pkt", text, strlen(text)), &how);
}

static bool is_sound(void *user, const char *text)
{
    arena *a = arena_new();
    const bool sound = checked_release(a, text) != NULL;
    (void)user;
    arena_free(a);
    return sound;
}

void add_next_releases(test *t, const char *text, uint64_t seed, uint32_t cases)
{
    lot l = {seed};
    const source *texts[RANDOM_RELEASES];
    uint64_t ids[RANDOM_RELEASES + 1] = {checked_release(t->arena, text)->id};
    for (uint32_t count = 0; count < RANDOM_RELEASES;) {
        text = next_release(t->arena, &l, text, MOST_CHANGES, is_sound, NULL);
        const uint64_t id = checked_release(t->arena, text)->id;
        bool is_new = true;
        for (uint32_t i = 0; i <= count; i++)
            is_new = is_new && ids[i] != id;
        if (is_new) {
            texts[count] = source_from(t->arena, arena_printf(t->arena, "%" PRIu32, count), text, strlen(text));
            ids[++count] = id;
        }
    }
    add_releases(t, texts, RANDOM_RELEASES, seed, cases);
}

/* ---- which one has shown a datagram */

const char *release_problem(test *t, datagram *d, const tree *seen)
{
    const dissector *const sent = d->by;
    if (!sent->shown_as)
        return NULL;
    const char *protocol = seen->protocol ? seen->protocol : "nothing";
    for (const dissector *each = t->dissectors; d->decl && d->decl->stable && each; each = each->next)
        if (each->shown_as && each->port == sent->port && strcmp(each->shown_as, protocol) == 0) {
            d->by = each;
            d->decl = type_called(each->schema, d->decl->name);
        }
    return strcmp(d->by->shown_as, protocol) == 0
               ? NULL
               : arena_printf(t->arena, "is shown as %s, not as %s", protocol, sent->shown_as);
}
