/* differential.c - compares generated C with the codec, on random schemas, values and bytes.
 * SPDX-License-Identifier: MIT
 *
 *     differential [--seed N] [--first I] [--schemas N] [--cases N] [--share N] [--record TO]
 *                  DIRECTORY ROOT COMPILER...
 *     differential --schema FILE.pkt [--library FILE.so] [--seed N] [--cases N] DIRECTORY ROOT COMPILER...
 *     differential --schema FILE.pkt DIRECTORY
 *     differential --write [--seed N] [--first I] [--schemas N] DIRECTORY ROOT
 *
 * Each schema is generated, compiled together with the pkt.c of its parts into a library in DIRECTORY, and loaded. The first
 * compiler ("gcc -O0") compiles all of them; with --share N, the others compile each Nth, and take each fourth case of it:
 * they differ from the first in little, and would take most of the time. Then the library is tested with values, some of
 * which cannot be written, and with bytes: what was written, truncated, with flipped bits, and noise.
 * Generated C and codec must agree on the bytes, the value, the reason of an error, the field and the bit. Each value
 * is also written and read from the middle of a byte, and compared with one that differs in one place. Reads go into
 * memory with noise or with an earlier value, which must not matter.
 *
 * A schema depends only on the seed and its number. --record stores the C of each schema, and what was read with it
 * (tape.h), in TO/NUMBER, for tests/cross. --schema tests only that schema; --library is DIRECTORY/glue.c compiled
 * elsewhere. Without a compiler, the C of the schema and glue.c are all that is made; --write writes the C of each random schema
 * into DIRECTORY/NUMBER.
 *
 * With --held N, N packets of each packet with parts go from a server to a client instead: held.c.
 *
 * Exits with 1 if they differ.
 */
#include "check/check.h"
#include "codec/codec_json.h"
#include "differential.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "glue.h"
#include "base/out.h"
#include "schemas.h"
#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OTHERS_TAKE = 4 };

/* ---- many cases of one type */

static uint32_t crc_of_number(uint32_t crc, uint64_t number)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    return pkt_crc32(crc, bytes, sizeof bytes);
}

void correct_crc(const fuzz *f, const decl *d, uint64_t seed, uint8_t *bytes, size_t size)
{
    if (size < 4)
        return;
    uint32_t crc = pkt_crc32(crc_of_number(0, d->stable ? d->stable_id : f->schema->id), d->name, strlen(d->name));
    if (seed != 0)
        crc = crc_of_number(crc, seed);
    crc = pkt_crc32(crc, bytes + 4, size - 4);
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(crc >> 8 * i);
}

static void mend_crc(const fuzz *f, const question *q, uint8_t *bytes, size_t size)
{
    if (q->how.framed)
        correct_crc(f, q->decl, q->decl->seeded ? FUZZ_SEED : 0, bytes, size);
}

static void read_variant(fuzz *f, question *q, void *const *memory, uint8_t *bytes, size_t size, bool mended)
{
    if (mended)
        mend_crc(f, q, bytes, size);
    q->bytes = bytes;
    q->size = size;
    read_case(f, q, memory);
}

/* Reads variants of the packet that was read last: truncated, with flipped bits, and so on. */
static void read_around(fuzz *f, question *q, void *const *memory, const uint8_t *good, size_t size)
{
    uint8_t *bytes = arena_alloc(f->arena, size + 8);
    for (size_t i = 0; i < f->used; i++) {
        const size_t memory_size = engine_type(&f->engines[i], q->decl)->type->size;
        q->good_memory[i] = arena_alloc(f->arena, memory_size);
        memcpy(q->good_memory[i], memory[i], memory_size);
    }
    q->good = good;
    q->good_size = size;
    for (size_t cut = 0; cut < size; cut++) {
        if (size > 48 && !lot_one_in(&f->lot, (uint32_t)size / 24))
            continue;
        memcpy(bytes, good, size);
        read_variant(f, q, memory, bytes, cut, !lot_one_in(&f->lot, 16));
    }
    for (int i = 0; i < 24 && size > 0; i++) {
        memcpy(bytes, good, size);
        for (uint32_t flips = lot_between(&f->lot, 1, lot_one_in(&f->lot, 4) ? 6 : 1); flips > 0; flips--) {
            uint32_t bit = lot_below(&f->lot, (uint32_t)size * 8);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        read_variant(f, q, memory, bytes, size, !lot_one_in(&f->lot, 16));
    }
    memcpy(bytes, good, size);
    bytes[size] = (uint8_t)lot_below(&f->lot, 3);
    read_variant(f, q, memory, bytes, size + lot_between(&f->lot, 1, 2), true);
    for (int i = 0; i < 8; i++) {
        size_t length = lot_below(&f->lot, (uint32_t)size + 8);
        uint8_t and = lot_one_in(&f->lot, 3) ? (uint8_t)lot_next(&f->lot) : 0xff;
        for (size_t k = 0; k < length; k++)
            bytes[k] = (uint8_t)lot_next(&f->lot) & and;
        read_variant(f, q, memory, bytes, length, true);
    }
}

/* The shortest of several values. A value that differs from it in one field ends right after that field, so no bits are
 * left over. */
static const datum *least_value(fuzz *f, const decl *d)
{
    const codec_options how = {.room = SIZE_MAX};
    const datum *least = NULL;
    size_t least_size = SIZE_MAX;
    for (int i = 0; i < 8; i++) {
        codec_error error;
        size_t size;
        datum *v = ARENA_NEW(f->arena, datum);
        *v = draw_least(f->arena, &f->lot, d);
        if (codec_write(f->arena, f->schema, d, v, &how, &size, &error) && size < least_size) {
            least = v;
            least_size = size;
        }
    }
    return least;
}

static const datum *next_value(fuzz *f, const question *q)
{
    const uint32_t wild = lot_one_in(&f->lot, 3) ? lot_between(&f->lot, 1, 40) : 0;
    datum *v = ARENA_NEW(f->arena, datum);
    if (q->least && (q->base == q->least || (!q->base && lot_one_in(&f->lot, 2))) && !lot_one_in(&f->lot, 6))
        *v = change_value(f->arena, &f->lot, q->decl, q->least, f->changed++);
    else if (!q->base || lot_one_in(&f->lot, 6))
        *v = draw_value(f->arena, &f->lot, q->decl, wild);
    else if (lot_one_in(&f->lot, 2))
        *v = change_value(f->arena, &f->lot, q->decl, q->base, f->changed++);
    else
        *v = vary_value(f->arena, &f->lot, q->decl, q->base, wild);
    return v;
}

/* How a baseline moved on from `last`. */
typedef struct journey {
    const datum *before; /* or NULL */
    uint32_t back, gap;
} journey;

static journey draw_journey(fuzz *f, const decl *d, const datum *last)
{
    datum *before = ARENA_NEW(f->arena, datum);
    *before = vary_value(f->arena, &f->lot, d, last, lot_one_in(&f->lot, 6) ? 10 : 0);
    journey j = {lot_one_in(&f->lot, 8) ? NULL : before, lot_between(&f->lot, 0, 12), lot_between(&f->lot, 0, 4)};
    if (lot_one_in(&f->lot, 8))
        j.back = lot_between(&f->lot, 65534, 65537);
    if (lot_one_in(&f->lot, 8))
        j.gap = lot_between(&f->lot, 65534, 65537);
    return j;
}

/* Puts the baseline into C: the value `last`, or of a type with @delta(predict) the motion from it to q->base. */
static void place_base(fuzz *f, question *q, const datum *last, const journey *j)
{
    const codec_options how = {.room = SIZE_MAX};
    codec_error error;
    size_t size;
    for (size_t i = 0; i < f->used; i++) {
        const engine *e = &f->engines[i];
        const fuzz_type *t = engine_type(e, q->decl);
        q->base_memory[i] = memory_with(f, t, q->decl, last);
        if (!t->predict)
            continue;
        void *from = q->base_memory[i], *before = j->before ? memory_with(f, t, q->decl, j->before) : NULL;
        q->base_memory[i] = malloc(t->motion_size);
        t->predict(from, before, j->back, j->gap, q->base_memory[i]);
        void *expected = memory_with(f, t, q->decl, last);
        t->expect(q->base_memory[i], expected);
        const char *name = differs_in_struct(f->arena, t->type, expected, q->decl, q->base);
        if (name && codec_write(f->arena, f->schema, q->decl, q->base, &how, &size, &error))
            fail(f, e, q, "predicted: %s differs; the codec has %s", name, json_print(f->arena, q->decl, q->base));
        free(expected);
        free(from);
        free(before);
    }
}

/* Lets the baseline of a type with @delta(predict) move on from q->was, several times; the last time counts. */
static void move_base(fuzz *f, question *q)
{
    for (int i = 0; i < 8; i++) {
        datum *base = ARENA_NEW(f->arena, datum);
        const journey j = draw_journey(f, q->decl, q->was);
        *base = codec_predict(f->arena, q->decl, q->was, j.before, j.back, j.gap);
        q->base = base;
        for (size_t e = 0; e < f->used; e++)
            free(q->base_memory[e]);
        place_base(f, q, q->was, &j);
    }
}

/* Deltas against a baseline that already has the changes, which must send nothing, and from that baseline. */
static void change_base(fuzz *f, const question *q, void *const *memory, const datum *now)
{
    question other = *q;
    const datum base = settled_datum(f->arena, now);
    other.base = &base;
    other.was = q->decl->predicts ? &base : NULL;
    place_base(f, &other, &base, &(journey){NULL, 0, 0});
    read_case(f, &other, memory);
    write_case(f, &other, MOST_PACKET);
    for (size_t i = 0; i < f->used; i++)
        free(other.base_memory[i]);
}

/* Tests one value. Returns its bytes, or NULL if it cannot be written or is too large. */
static const uint8_t *fuzz_value(fuzz *f, question *q, void *const *memory, size_t *size)
{
    codec_error error;
    const codec_options how = how_of(f, q, MOST_PACKET);
    q->value = next_value(f, q);
    write_case(f, q, MOST_PACKET);
    const uint8_t *good = codec_write(f->arena, f->schema, q->decl, q->value, &how, size, &error);
    if (!good)
        return NULL;
    for (int i = 0; i < 2 && *size > 0; i++)
        write_case(f, q, lot_below(&f->lot, (uint32_t)*size));
    for (int i = 0; i < 8; i++)
        equal_case(f, q, f->compared++);
    for (uint32_t i = 0; i < 4; i++)
        mix_case(f, q, i % 2 ? 2 * f->changed++ + 1 : 0);
    save_case(f, q);
    for (int i = 0; i < 4; i++)
        spoil_case(f, q, f->spoiled++);
    clear_case(f, q);
    q->bytes = good;
    q->size = *size;
    read_case(f, q, memory);
    if (q->how.delta && !f->tape) {
        const datum near = change_value(f->arena, &f->lot, q->decl, q->value, f->changed++);
        const datum odd = spoil_value(f->arena, &f->lot, q->decl, q->value, f->spoiled++);
        change_base(f, q, memory, q->value);
        change_base(f, q, memory, &odd);
        change_base(f, q, memory, &near);
        read_case(f, q, memory);
    }
    return good;
}

/* Tests several values, and variants of the last one's bytes. */
static void fuzz_question(fuzz *f, question *q, void *const *memory)
{
    for (int i = 0; i < 8; i++) {
        size_t size;
        if (q->was)
            move_base(f, q);
        const uint8_t *good = fuzz_value(f, q, memory, &size);
        if (good && i == 7)
            read_around(f, q, memory, good, size);
    }
}

/* If reads are recorded, the baseline is the value that its bytes give. */
static bool take_from_bytes(fuzz *f, question *q, datum *base)
{
    codec_error error;
    const codec_options how = {.room = SIZE_MAX};
    q->base_bytes = codec_write(f->arena, f->schema, q->decl, base, &how, &q->base_size, &error);
    return q->base_bytes && codec_read(f->arena, f->schema, q->decl, q->base_bytes, q->base_size, &how, base, &error);
}

static void fuzz_type_once(fuzz *f, const decl *d, void *const *memory)
{
    question q = {.decl = d,
                  .how = {.framed = d->packet && !lot_one_in(&f->lot, 2), .delta = d->delta && lot_one_in(&f->lot, 2)}};
    /* A prediction is compared with the codec's, so its base can be written. */
    datum base;
    if (f->tape && d->predicts)
        q.how.delta = false;
    q.how.by_stream = !d->packet || d->seeded || lot_one_in(&f->lot, 2);
    q.least = least_value(f, d);
    base_case(f, &q);
    if (q.how.delta && !lot_one_in(&f->lot, 8)) {
        const bool from_least = q.least && lot_one_in(&f->lot, 2);
        base =
            from_least ? *q.least : draw_value(f->arena, &f->lot, d, lot_one_in(&f->lot, 6) && !d->predicts ? 10 : 0);
        q.junk = lot_one_in(&f->lot, 4) && !f->tape;
        if (!q.junk)
            base = settled_datum(f->arena, &base);
        if (!f->tape || take_from_bytes(f, &q, &base))
            q.base = &base;
        if (from_least)
            q.least = &base;
        if (q.base && d->predicts)
            q.was = &base;
        else if (q.base)
            place_base(f, &q, &base, NULL);
    }
    fuzz_question(f, &q, memory);
    for (size_t i = 0; i < f->used; i++)
        free(q.base_memory[i]);
    arena_clear(f->arena);
}

/* ---- one schema */

/* The given schema, or a random one. */
static const source *schema_source(fuzz *f, arena *a)
{
    if (!f->given) {
        const char *text = make_complete_schema(a, &f->lot, f->number);
        return source_from(a, "schema.pkt", text, strlen(text));
    }
    const source *given = source_read(a, f->given);
    if (given)
        return given;
    perror(f->given);
    exit(2);
}

static const schema *generate(fuzz *f, arena *a)
{
    const check_options options = {.checks = f->number % 8 != 7, .names = &c_name_rules};
    const source *text = schema_source(f, a);
    diag *d = diag_new(a);
    const schema *s = check(a, names_new(a), d, text, &options);
    const char *failed;
    outputs files, placed;
    outputs_init(&files);
    outputs_init(&placed);
    outputs_add(a, &files, "schema.pkt", (const char *)text->text, text->size);
    for (decl *each = s ? s->decls : NULL; each; each = each->next)
        each->saved = true;
    if (s) {
        const char *glue = glue_of(a, s);
        const wire *w = f->wire = lower(a, s);
        emit(a, w, plan_bodies(a, w), plan_deltas(a, w), &(emit_extras){.reflect = true}, &files);
        f->shop.parts = 0;
        for (const output *each = files.first; each; each = each->next)
            f->shop.parts |= parts_of_text(each->text, each->size);
        outputs_add(a, &files, "glue.c", glue, strlen(glue));
    } else {
        diag_print(d, DIAG_TEXT, stderr);
        printf("seed %" PRIu64 ", schema %" PRIu32 ": pktc refuses it\n", f->seed, f->number);
        f->failures++;
    }
    const char *into = f->write ? arena_printf(a, "%s/%" PRIu32, f->shop.directory, f->number) : f->shop.directory;
    for (const output *each = files.first; each; each = each->next)
        outputs_add(a, &placed, arena_printf(a, "%s/%s", into, each->path), each->text, each->size);
    if (!outputs_write(a, &placed, &failed)) {
        fprintf(stderr, "differential: %s\n", failed);
        exit(2);
    }
    return s;
}

/* Makes a directory with the C of the schema and a file for its reads. */
static void start_tape(fuzz *f, arena *a)
{
    const char *copy = arena_printf(a, "mkdir -p '%s/%" PRIu32 "' && cp '%s'/*.[ch] '%s/%" PRIu32 "'", f->recorded,
                                    f->number, f->shop.directory, f->recorded, f->number);
    f->tape =
        system(copy) == 0 ? fopen(arena_printf(a, "%s/%" PRIu32 "/reads.txt", f->recorded, f->number), "w") : NULL;
    if (!f->tape) {
        perror(f->recorded);
        exit(2);
    }
}

static void stop_tape(fuzz *f)
{
    if (fclose(f->tape) != 0) {
        perror(f->recorded);
        exit(2);
    }
    f->tape = NULL;
}

static unsigned long branches_of(const block *b)
{
    unsigned long branches = 0;
    for (const item *i = b->items; i; i = i->next) {
        if (i->kind == ITEM_IF)
            branches += 2 + branches_of(&i->as.branch.then) + branches_of(&i->as.branch.other);
        for (const arm *a = i->kind == ITEM_SWITCH ? i->as.choice.arms : NULL; a; a = a->next)
            branches += 1 + branches_of(&a->body);
    }
    return branches;
}

/* A type's share of the cases: greater with more fields, with branches, and with deltas. */
static unsigned long weight_of(const decl *d)
{
    unsigned long weight = is_value(d) + 2 * branches_of(&d->body);
    for (const field *f = d->fields; f; f = f->next)
        weight += d->delta ? 2 : 1;
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        weight++;
    return weight;
}

static void load_engines(fuzz *f, arena *a)
{
    for (size_t i = 0; i < f->used; i++) {
        engine_load(&f->engines[i], a, &f->shop);
        for (size_t other = 0; other < i; other++)
            if (f->engines[other].library == f->engines[i].library) {
                fputs("differential: two compilers have the same library\n", stderr);
                exit(2);
            }
    }
}

static void fuzz_schema(fuzz *f, unsigned long cases)
{
    arena *a = arena_new();
    f->lot = lot_of_schema(f->seed, f->number);
    f->schema = generate(f, a);
    if (f->schema && f->held > 0) {
        held_schema(f, a);
    } else if (f->schema && !f->write) {
        unsigned long last = f->cases + cases, fields = 0;
        load_engines(f, a);
        for (size_t i = 0; i < f->used; i++)
            names_case(f, &f->engines[i]);
        if (f->recorded)
            start_tape(f, a);
        for (const decl *d = f->schema->decls; d; d = d->next)
            fields += weight_of(d);
        for (const decl *d = f->schema->decls; d; d = d->next) {
            void *memory[MOST_COMPILERS];
            /* The body of an element of lists is without its key: the lists test it. */
            if (!is_value(d) || d->key || (f->tape && d->parts > 0))
                continue;
            const unsigned long weight = weight_of(d);
            const unsigned long until = f->cases + (f->cases < last ? (last - f->cases) * weight / fields : 0);
            fields -= weight;
            for (size_t i = 0; i < f->used; i++) {
                memory[i] = memory_with(f, engine_type(&f->engines[i], d), d, NULL);
                blank_case(f, d, &f->engines[i]);
            }
            const size_t engines = f->used;
            unsigned long turn = 0;
            do {
                f->used = turn++ % OTHERS_TAKE == 0 ? engines : 1;
                if (d->parts > 0)
                    datagram_case(f, d, memory);
                else
                    fuzz_type_once(f, d, memory);
            } while (f->cases < until && f->failures < MOST_FAILURES);
            f->used = engines;
            for (size_t i = 0; i < f->used; i++)
                free(memory[i]);
        }
        if (f->tape)
            stop_tape(f);
        for (size_t i = 0; i < f->used; i++)
            engine_unload(&f->engines[i]);
    }
    arena_free(a);
}

/* ---- the run */

static void print_reasons(const char *what, const unsigned long *reasons)
{
    printf("%s:", what);
    for (int code = PKT_OK; code <= PKT_ERROR_BASELINE; code++)
        if (reasons[code])
            printf(" %s %lu", pkt_code_name((pkt_code)code), reasons[code]);
    printf("\n");
}

static bool take_text(int argc, char **argv, int *i, const char *name, const char **text)
{
    if (strcmp(argv[*i], name) != 0 || *i + 1 >= argc)
        return false;
    *text = argv[++*i];
    return true;
}

static bool take_number(int argc, char **argv, int *i, const char *name, unsigned long long *number)
{
    if (strcmp(argv[*i], name) != 0 || *i + 1 >= argc)
        return false;
    *number = strtoull(argv[++*i], NULL, 10);
    return true;
}

static bool take_flag(const char *argument, const char *name, bool *flag)
{
    if (strcmp(argument, name) != 0)
        return false;
    *flag = true;
    return true;
}

int main(int argc, char **argv)
{
    unsigned long long seed = 1, first = 0, schemas = 40, cases = 2000, share = 10, held = 0;
    fuzz f = {.arena = arena_new()};
    arena *a = arena_new();
    for (int i = 1; i < argc; i++) {
        if (take_number(argc, argv, &i, "--seed", &seed) || take_number(argc, argv, &i, "--first", &first) ||
            take_number(argc, argv, &i, "--schemas", &schemas) || take_number(argc, argv, &i, "--cases", &cases) ||
            take_number(argc, argv, &i, "--share", &share) || take_text(argc, argv, &i, "--schema", &f.given) ||
            take_text(argc, argv, &i, "--library", &f.shop.library) || take_number(argc, argv, &i, "--held", &held) ||
            take_text(argc, argv, &i, "--record", &f.recorded) || take_flag(argv[i], "--write", &f.write))
            continue;
        if (!f.shop.directory)
            f.shop.directory = argv[i];
        else if (!f.shop.root)
            f.shop.root = argv[i];
        else if (f.engine_count < MOST_COMPILERS) {
            f.engines[f.engine_count] = (engine){.compiler = argv[i], .number = (unsigned)f.engine_count};
            f.engine_count++;
        }
    }
    if (f.given && f.shop.directory && !f.shop.root) {
        generate(&f, a);
        return f.failures == 0 ? 0 : 1;
    }
    if (!f.shop.root || f.write != (f.engine_count == 0) || (f.write && (f.given || held > 0)) || share == 0) {
        fputs("usage: differential [--seed N] [--first I] [--schemas N] [--cases N] [--share N] [--record TO]\n"
              "                    DIRECTORY ROOT COMPILER...\n"
              "       differential --schema FILE.pkt [--library FILE.so] [--seed N] [--cases N]\n"
              "                    DIRECTORY ROOT COMPILER...\n"
              "       differential --schema FILE.pkt DIRECTORY\n"
              "       differential --write [--seed N] [--first I] [--schemas N] DIRECTORY ROOT\n",
              stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    watch_for_crashes(&f);
    f.seed = seed;
    f.held = (unsigned long)held;
    if (held > 0)
        f.engine_count = 1; /* the others are not asked */
    if (f.given)
        schemas = 1;
    for (unsigned long long i = 0; i < schemas && f.failures < MOST_FAILURES; i++) {
        f.number = (uint32_t)(first + i);
        f.used = i % share == 0 ? f.engine_count : 1;
        fuzz_schema(&f, (unsigned long)cases);
    }
    printf("\nseed %llu: %llu schemas, %lu packets: %lu read, %lu refused by both\n", seed, schemas, f.cases,
           f.accepted, f.refused);
    print_reasons("reading", f.reasons);
    print_reasons("writing", f.written);
    for (size_t i = 0; i < f.engine_count; i++)
        printf("%s: %lu schemas\n", f.engines[i].compiler, f.engines[i].schemas);
    if (held > 0)
        held_print();
    printf("%lu differences\n", f.failures);
    printf(f.failures == 0 ? "[  PASSED  ] %llu test(s).\n" : "[  FAILED  ] of %llu test(s)\n", schemas);
    return f.failures == 0 ? 0 : 1;
}
