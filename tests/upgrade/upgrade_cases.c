/* upgrade_cases.c - packets of older versions, and what they are now by pktc convert, for generated code to be held to.
 * SPDX-License-Identifier: MIT
 *
 * usage: upgrade_cases SCRATCH pairs FILE.cases...      the pairs of tests/diff, in both directions
 *        upgrade_cases SCRATCH releases DIR FILE.pkt    the releases in DIR of the protocol of FILE.pkt
 *        upgrade_cases SCRATCH serve SEED FILE.cases... the pairs of which the older version can be served
 *        upgrade_cases SCRATCH served SEED DIR FILE.pkt N   the N newest of the releases in DIR, which are served
 *        upgrade_cases SCRATCH random SEED COUNT        random schemas, each with a random next release
 *        upgrade_cases SCRATCH serve-random SEED COUNT  the same, such that the older one can be served
 *        upgrade_cases SCRATCH ...random SEED COUNT FILE.pkt   the same with random next releases of one schema
 *
 * Pairs are written to SCRATCH/old and SCRATCH/new as schemas of a protocol each. SCRATCH/writers.c gets the generated
 * files of the versions now, SCRATCH/readers.h those of the older ones, and SCRATCH/packets.h a line for each packet;
 * play.c includes both. SCRATCH/cases.txt gets lines of TYPE VERSION BYTES RESULT, in hexadecimal; RESULT is -
 * if the packet has no value now.
 *
 * With serve, the lines of cases.txt are TYPE VERSION BYTES RESULT BASE DELTA: a packet of the version now, what is sent
 * for it to the older version, a baseline of the version now, and the delta that is sent. The last two are - if the type
 * has no deltas.
 *
 * Whatever pktc diff says of all recordings must be true of each value here: where nothing is lost or clamped, nothing
 * is reported as lost.
 */
#include "check/check.h"
#include "codec/codec.h"
#include "releases/releases.h"
#include "convert/convert_value.h"
#include "releases/diff.h"
#include "releases/old_versions.h"
#include "fuzz/next.h"
#include "fuzz/schemas.h"
#include "fuzz/values.h"
#include "process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 24, RELEASE_VALUES = 40, SEED = 77, MOST_CHANGES = 12 };

typedef struct maker {
    arena *arena;
    const char *given; /* the schema of random pairs; NULL: random ones */
    names *names;
    const char *scratch;
    FILE *readers, *writers, *packets, *cases;
    lot lot;
    bool serves;
    unsigned values, losses, pairs;
    char loss[200]; /* the first one */
} maker;

static void count_loss(void *user, const char *place, const char *what, bool rounded)
{
    maker *m = user;
    (void)rounded;
    if (m->losses++ == 0)
        snprintf(m->loss, sizeof m->loss, "%s: %s", place, what);
}

static FILE *create(const maker *m, const char *name)
{
    char *place = text_format("%s/%s", m->scratch, name);
    FILE *file = fopen(place, "w");
    if (!file)
        exit(2);
    free(place);
    return file;
}

static const schema *check_source(const maker *m, const source *root)
{
    const check_options how = {.checks = true};
    diag *d = diag_new(m->arena);
    schema *s = check(m->arena, m->names, d, root, &how);
    if (s)
        schema_without_program(m->arena, s);
    return s;
}

static void put_bytes(FILE *to, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        fprintf(to, "%02x", data[i]);
}

/* A line for a random value of a packet. */
static void put_case(maker *m, const old_version *v, const schema *now, const decl *before, const decl *after,
                     const char *prefix)
{
    codec_error error;
    size_t size;
    datum to;
    const uint64_t seed = after->seeded ? SEED : 0;
    const codec_options old = {.id = v->wire->schema->id, .framed = true, .seed = seed, .room = SIZE_MAX};
    const codec_options new = {.id = now->id, .framed = true, .seed = seed, .room = SIZE_MAX};
    datum drawn = draw_value(m->arena, &m->lot, before, 0), from;
    const uint8_t *data = codec_write(m->arena, v->wire->schema, before, &drawn, &old, &size, &error);
    /* Fields that must rise seldom do. */
    if (!data)
        return;
    /* As it was read: numbers are rounded on the way. */
    if (!codec_read(m->arena, v->wire->schema, before, data, size, &old, &from, &error)) {
        printf("cannot read %s: %s\n", before->name, error.field);
        exit(1);
    }
    fprintf(m->cases, "%s%s %" PRIu32 " ", prefix, after->name, v->number);
    put_bytes(m->cases, data, size);
    fputc(' ', m->cases);
    data = convert_value(m->arena, NULL, v, before, after, &from, &to, count_loss, m)
               ? codec_write(m->arena, now, after, &to, &new, &size, &error)
               : NULL;
    if (data)
        put_bytes(m->cases, data, size);
    else
        fputc('-', m->cases);
    fputc('\n', m->cases);
}

static void put_glue(const maker *m, const wire *now, const char *stem, const char *prefix)
{
    fprintf(m->readers, "#include \"%s_upgrade.c\"\n", stem);
    for (const schema_file *file = now->schema->files; file; file = file->next)
        fprintf(m->writers, "#include \"%s.c\"\n", file->root ? stem : file->stem);
    for (const decl *d = now->schema->decls; d; d = d->next)
        if (d->packet && !d->parts)
            fprintf(m->packets, "%s%s(%s%s)\n", d->seeded ? "SEEDED" : "PACKET",
                    wire_type_of(now, d)->has_refs ? "_REFS" : "", prefix, d->name);
}

/* Whether a packet has its checksum computed alike in two versions, and no parts. */
static bool is_read_alike(const decl *d, const decl *then)
{
    return then && then->packet && d->seeded == then->seeded && !d->parts && !then->parts;
}

static void put_cases(maker *m, const old_version *v, const wire *now, const char *prefix)
{
    for (const decl *d = v->wire->schema->decls; d; d = d->next) {
        const decl *after = d->packet ? decl_now(&v->conversion, d) : NULL;
        for (unsigned i = 0; is_read_alike(d, after) && i < m->values; i++)
            put_case(m, v, now->schema, d, after, prefix);
    }
}

/* ---- what is served */

/* A random value of the version now as it is read, and its bytes. False if it cannot be written. */
static bool draw_read(maker *m, const schema *now, const decl *d, datum *to, const uint8_t **data, size_t *size)
{
    codec_error error;
    const codec_options how = {.id = now->id, .framed = true, .seed = d->seeded ? SEED : 0, .room = SIZE_MAX};
    const datum drawn = draw_value(m->arena, &m->lot, d, 0);
    *data = codec_write(m->arena, now, d, &drawn, &how, size, &error);
    return *data && codec_read(m->arena, now, d, *data, *size, &how, to, &error);
}

static datum served_value(maker *m, const old_version *back, const decl *d, const decl *then, const datum *from)
{
    datum to;
    if (!convert_value(m->arena, NULL, back, d, then, from, &to, NULL, NULL)) {
        printf("%s is not served\n", d->name);
        exit(1);
    }
    return to;
}

/* What a program of the older version would write for a value. */
static void put_served(maker *m, const schema *old, const decl *then, const datum *v, codec_options how)
{
    codec_error error;
    size_t size;
    how.id = old->id;
    how.framed = true;
    how.seed = then->seeded ? SEED : 0;
    how.room = SIZE_MAX;
    const uint8_t *data = codec_write(m->arena, old, then, v, &how, &size, &error);
    fputc(' ', m->cases);
    if (data)
        put_bytes(m->cases, data, size);
    else
        fputc('-', m->cases);
}

enum { BACK = 3, GAP = 2 };

static void put_served_delta(maker *m, const old_version *back, const schema *old, const decl *d, const decl *then,
                             const datum *v)
{
    const uint8_t *data;
    size_t size;
    datum base;
    if (!d->delta || !then->delta || d->predicts != then->predicts || d->seeded ||
        !draw_read(m, back->wire->schema, d, &base, &data, &size)) {
        fputs(" - -", m->cases);
        return;
    }
    fputc(' ', m->cases);
    put_bytes(m->cases, data, size);
    const datum was = served_value(m, back, d, then, &base);
    const datum moved = then->predicts ? codec_predict(m->arena, then, &was, &was, BACK, GAP) : was;
    put_served(m, old, then, v, (codec_options){.delta = true, .base = &moved, .was = then->predicts ? &was : NULL});
}

static void put_served_case(maker *m, const old_version *back, const schema *old, const decl *d, const decl *then,
                            const char *prefix)
{
    const uint8_t *data;
    size_t size;
    datum from;
    if (!draw_read(m, back->wire->schema, d, &from, &data, &size))
        return;
    fprintf(m->cases, "%s%s %" PRIu32 " ", prefix, d->name, back->number);
    put_bytes(m->cases, data, size);
    const datum to = served_value(m, back, d, then, &from);
    put_served(m, old, then, &to, (codec_options){0});
    put_served_delta(m, back, old, d, then, &to);
    fputc('\n', m->cases);
}

static void put_served_glue(const maker *m, const wire *now, const char *stem, const char *prefix)
{
    fprintf(m->readers, "#include \"%s_upgrade.c\"\n#include \"%s_serve.c\"\n", stem, stem);
    for (const schema_file *file = now->schema->files; file; file = file->next)
        fprintf(m->writers, "#include \"%s.c\"\n", file->root ? stem : file->stem);
    for (const decl *d = now->schema->decls; d; d = d->next) {
        if (!d->packet || d->parts || d->received)
            continue;
        fprintf(m->packets, "%s%s(%s%s)\n",
                d->seeded     ? "SEEDED"
                : d->predicts ? "PREDICTED"
                : d->delta    ? "DELTA"
                              : "PACKET",
                wire_type_of(now, d)->has_refs ? "_REFS" : "", prefix, d->name);
    }
}

static void put_served_cases(maker *m, const old_version *v, const old_version *back, const char *stem,
                             const char *prefix)
{
    fprintf(m->writers, "#include \"%s_v%" PRIu32 ".c\"\n", stem, v->number);
    for (const decl *d = back->wire->schema->decls; d; d = d->next) {
        const decl *then = d->packet && !d->received ? decl_now(&back->conversion, d) : NULL;
        for (unsigned i = 0; is_read_alike(d, then) && i < m->values; i++)
            put_served_case(m, back, v->wire->schema, d, then, prefix);
    }
}

/* Whether the version can be served; then its cases are written. */
static bool make_served(maker *m, const old_version *v, const wire *now, const char *stem, const char *prefix)
{
    old_version back = {
        .number = v->number, .wire = now, .conversion = conversion_back(m->arena, &v->conversion), .served = true};
    upgrade u = {.now = v->wire, .number = v->number, .versions = &back, .is_back = true};
    find_forms(m->arena, m->names, &u);
    if (find_losses(m->arena, &u))
        return false;
    m->pairs++;
    put_served_cases(m, v, &back, stem, prefix);
    return true;
}

/* ---- pairs */

static char *cut(const char *from, const char *to)
{
    return text_format("%.*s", (int)(to - from), from);
}

/* Whether the ids of a ref have become fewer, which only a program can know of its pointers. */
static bool has_fewer_ids(const old_version *v)
{
    for (const decl *d = v->wire->schema->decls; d; d = d->next)
        for (const field *f = d->fields; f; f = f->next) {
            const field *now = field_now(&v->conversion, f);
            if (now && f->type.kind == TYPE_REF && num_compare(now->type.high, f->type.high) < 0)
                return true;
        }
    return false;
}

static const source *whole(const maker *m, const char *prefix, const char *text)
{
    const char *all = arena_printf(m->arena, "protocol %s = 1 prefix %s_;\n%s", prefix, prefix, text);
    return source_from(m->arena, "pair", all, strlen(all));
}

static void write_schema(const maker *m, const char *directory, const char *stem, const source *text)
{
    char *name = text_format("%s/%s.pkt", directory, stem);
    FILE *file = create(m, name);
    fwrite(text->text, 1, text->size, file);
    fclose(file);
    free(name);
}

static void make_pair(maker *m, const char *title, const char *before, const char *after, const char *stem)
{
    const source *old_text = whole(m, stem, before), *new_text = whole(m, stem, after);
    const schema *old = check_source(m, old_text), *now = check_source(m, new_text);
    if (strstr(before, "protocol ") || strstr(before, "import ") || strstr(before, " from \"") ||
        strstr(after, "protocol ") || strstr(after, "import ") || strstr(after, " from \"") ||
        strstr(before, "delta(previous)")) /* --upgrade refuses it */
        return;
    if (!old || !now) {
        printf("cannot check %s\n", title);
        exit(1);
    }
    const wire *old_wire = lower(m->arena, old), *new_wire = lower(m->arena, now);
    const comparison *said = diff(m->arena, old_wire, new_wire);
    const old_version v = {.number = 1, .wire = old_wire, .conversion = conversion_new(m->arena, old_wire, new_wire)};
    if (old->id == now->id || said->outcome == OUTCOME_REFUSED || has_fewer_ids(&v))
        return;
    char *prefix = text_format("%s_", stem);
    if (m->serves) {
        if (make_served(m, &v, new_wire, stem, prefix)) {
            put_served_glue(m, new_wire, stem, prefix);
            write_schema(m, "old", stem, old_text);
            write_schema(m, "new", stem, new_text);
        }
        free(prefix);
        return;
    }
    write_schema(m, "old", stem, old_text);
    write_schema(m, "new", stem, new_text);
    m->losses = 0;
    put_cases(m, &v, new_wire, prefix);
    if (m->losses > 0 && said->outcome < OUTCOME_ROUNDED) { /* what is rounded is said too */
        printf("%s: pktc diff says that nothing is lost, but: %s\n", title, m->loss);
        exit(1);
    }
    put_glue(m, new_wire, stem, prefix);
    free(prefix);
}

static unsigned make_pairs(maker *m, const char *file, unsigned number)
{
    char *text = file_read(file);
    for (const char *at = strstr(text, "=== "); at; at = strstr(at + 1, "\n=== ")) {
        const char *line = strchr(at + 1, '\n') + 1, *split = strstr(line, "--- new\n"),
                   *end = strstr(split, "--- exit ");
        char *title = cut(at, line), *before = cut(line, split), *after = cut(strchr(split, '\n') + 1, end);
        for (int back = 0; back < 2; back++) {
            char *stem = text_format("q%u", ++number);
            make_pair(m, title, back ? after : before, back ? before : after, stem);
            free(stem);
        }
        free(title);
        free(before);
        free(after);
    }
    free(text);
    return number;
}

/* ---- random pairs */

typedef struct candidate {
    maker *m;
    const char *before, *stem;
} candidate;

/* Whether there is a conversion, and the older version can be served if it has to be. */
static bool is_next(void *user, const char *text)
{
    const candidate *c = user;
    const maker *m = c->m;
    const schema *old = check_source(m, whole(m, c->stem, c->before)), *now = check_source(m, whole(m, c->stem, text));
    if (!now)
        return false;
    const wire *old_wire = lower(m->arena, old), *new_wire = lower(m->arena, now);
    const old_version v = {.number = 1, .wire = old_wire, .conversion = conversion_new(m->arena, old_wire, new_wire)};
    if (!check_budgets(new_wire, diag_new(m->arena)) || old->id == now->id ||
        diff(m->arena, old_wire, new_wire)->outcome == OUTCOME_REFUSED || has_fewer_ids(&v))
        return false;
    if (!m->serves)
        return true;
    old_version back = {
        .number = 1, .wire = new_wire, .conversion = conversion_back(m->arena, &v.conversion), .served = true};
    upgrade u = {.now = old_wire, .number = 1, .versions = &back, .is_back = true};
    find_forms(m->arena, m->names, &u);
    return !find_losses(m->arena, &u);
}

static void cut_words(char *text, const char *from, const char *to)
{
    for (char *at; (at = strstr(text, from));) {
        const char *end = strstr(at, to) + strlen(to);
        memmove(at, end, strlen(end) + 1);
    }
}

/* The given schema, or a random one. It lacks the line that names the protocol, chains of deltas, which --upgrade refuses,
 * and @convert of fields. */
static const char *random_schema(const maker *m, uint64_t seed, uint32_t number)
{
    const char *whole = m->given ? strstr(m->given, "protocol ") : make_schema(m->arena, seed, number, true);
    char *text = arena_printf(m->arena, "%s", strchr(whole, '\n') + 1);
    cut_words(text, " delta(previous", ")");
    cut_words(text, " @convert(", ")");
    return text;
}

static void make_random_pairs(maker *m, uint64_t seed, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char stem[16], title[80];
        snprintf(stem, sizeof stem, "q%u", i);
        snprintf(title, sizeof title, "random pair %u of seed %" PRIu64, i, seed);
        m->lot.state = seed + i;
        candidate c = {m, random_schema(m, seed + i, (uint32_t)(seed + i) % 1000), stem};
        const char *after =
            next_release(m->arena, &m->lot, c.before, lot_between(&m->lot, 1, MOST_CHANGES), is_next, &c);
        make_pair(m, title, c.before, after, stem);
    }
}

/* ---- releases */

static void make_releases(maker *m, const char *directory, const char *file)
{
    releases all;
    const schema *now = check_source(m, source_read(m->arena, file));
    if (!now || !releases_find(m->arena, diag_new(m->arena), directory, now->protocol, &all))
        exit(1);
    const wire *w = lower(m->arena, now);
    put_glue(m, w, now->root->stem, now->root->prefix);
    for (size_t i = 0; i < all.count; i++) {
        const schema *old = check_source(m, source_read(m->arena, all.list[i].path));
        const wire *old_wire = lower(m->arena, old);
        const old_version v = {
            .number = all.list[i].number, .wire = old_wire, .conversion = conversion_new(m->arena, old_wire, w)};
        put_cases(m, &v, w, now->root->prefix);
    }
}

static void serve_releases(maker *m, const char *directory, const char *file, size_t count)
{
    releases all;
    const schema *now = check_source(m, source_read(m->arena, file));
    if (!now || !releases_find(m->arena, diag_new(m->arena), directory, now->protocol, &all) || all.count < count)
        exit(1);
    const wire *w = lower(m->arena, now);
    put_served_glue(m, w, now->root->stem, now->root->prefix);
    for (size_t i = 0; i < count; i++) {
        const schema *old = check_source(m, source_read(m->arena, all.list[i].path));
        const wire *old_wire = lower(m->arena, old);
        const old_version v = {
            .number = all.list[i].number, .wire = old_wire, .conversion = conversion_new(m->arena, old_wire, w)};
        if (!make_served(m, &v, w, now->root->stem, now->root->prefix)) {
            printf("release %u is not served\n", (unsigned)v.number);
            exit(1);
        }
    }
}

int main(int argc, char **argv)
{
    unsigned number = 0;
    if (argc < 4)
        return 2;
    maker m = {.arena = arena_new(), .scratch = argv[1], .lot = {1}};
    m.names = names_new(m.arena);
    m.readers = create(&m, "readers.h");
    m.writers = create(&m, "writers.c");
    m.packets = create(&m, "packets.h");
    m.cases = create(&m, "cases.txt");
    if (strcmp(argv[2], "pairs") == 0) {
        m.values = VALUES;
        for (int i = 3; i < argc; i++)
            number = make_pairs(&m, argv[i], number);
    } else if (strcmp(argv[2], "serve") == 0) {
        m.serves = true;
        m.values = VALUES;
        m.lot.state = strtoull(argv[3], NULL, 10);
        for (int i = 4; i < argc; i++)
            number = make_pairs(&m, argv[i], number);
        printf("%u of %u pairs are served\n", m.pairs, number);
    } else if (argc >= 5 && (strcmp(argv[2], "random") == 0 || strcmp(argv[2], "serve-random") == 0)) {
        char *given = argc > 5 ? file_read(argv[5]) : NULL;
        m.given = given;
        m.serves = argv[2][0] == 's';
        m.values = VALUES;
        make_random_pairs(&m, strtoull(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10));
        free(given);
    } else if (strcmp(argv[2], "served") == 0) {
        m.values = 10 * RELEASE_VALUES;
        m.lot.state = strtoull(argv[3], NULL, 10);
        serve_releases(&m, argv[4], argv[5], strtoul(argv[6], NULL, 10));
    } else {
        m.values = RELEASE_VALUES;
        make_releases(&m, argv[3], argv[4]);
    }
    fclose(m.readers);
    fclose(m.writers);
    fclose(m.packets);
    fclose(m.cases);
    arena_free(m.arena);
    return 0;
}
