/* vectors.c - makes tests from a vectors file: a .pkt file and a cmocka program for each of its schemas.
 * SPDX-License-Identifier: MIT
 *
 *     vectors FILE DIRECTORY
 *
 * The schemas are checked by pktc's own front end. If pktc cannot generate a construct yet, declarations with it are
 * left out of the .pkt files, and their records are skipped; it prints how many and why. The table below is all that
 * has to change when pktc supports the construct. Exits with 1 if pktc refuses a schema, after making the tests of the
 * others.
 */
#include "vectors.h"
#include "check/check.h"
#include "emit/names.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what pktc generates */

typedef enum construct { NONE, SPARSE, COMPACT, QUAT, UNIT, REF, AFTER, DELTA, BINDING, CONSTRUCT_COUNT } construct;

static const struct {
    const char *name;
    bool generated;
} constructs[CONSTRUCT_COUNT] = {
    [NONE] = {"", true},       [SPARSE] = {"sparse", true}, [COMPACT] = {"compact", true},
    [QUAT] = {"quat", true},   [UNIT] = {"unit", true},     [REF] = {"ref", true},
    [AFTER] = {"after", true}, [DELTA] = {"delta", true},   [BINDING] = {"as", true},
};

/* ---- what is skipped */

static construct construct_of(const field *f)
{
    if (f->array == ARRAY_SPARSE)
        return SPARSE;
    if (f->after)
        return AFTER;
    switch (f->type.kind) {
    case TYPE_COMPACT: return COMPACT;
    case TYPE_QUAT: return QUAT;
    case TYPE_UNIT: return UNIT;
    case TYPE_REF: return REF;
    case TYPE_BOOL:
    case TYPE_BITS:
    case TYPE_INT:
    case TYPE_FIXED:
    case TYPE_ENUM:
    case TYPE_FLAGS:
    case TYPE_FLOAT:
    case TYPE_QUANTIZED:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_FOREIGN: return NONE;
    }
    assert(false && "a kind of type");
    return NONE;
}

/* A declaration, and the construct that pktc cannot generate yet, or NONE. */
typedef struct part {
    const decl *decl;
    construct waits;
} part;

typedef struct parts {
    part *all;
    size_t count;
} parts;

static construct waits(const parts *p, const decl *d)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->all[i].decl == d)
            return p->all[i].waits;
    return NONE;
}

static bool is_generated(construct c)
{
    return constructs[c].generated;
}

/* A declaration follows those that it needs, so looking at the ones before is enough. */
static construct first_missing(const parts *before, const decl *d)
{
    if (d->as_type && !is_generated(BINDING))
        return BINDING;
    for (const field *f = d->fields; f; f = f->next) {
        construct c = construct_of(f);
        if (is_generated(c) && (f->type.kind == TYPE_STRUCT || f->type.kind == TYPE_UNION))
            c = waits(before, f->type.decl);
        if (!is_generated(c))
            return c;
    }
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        if (waits(before, m->type) != NONE)
            return waits(before, m->type);
    return NONE;
}

static parts look_through(arena *a, const schema *s)
{
    parts p = {NULL, 0};
    size_t total = 0;
    for (const decl *d = s->decls; d; d = d->next)
        total++;
    p.all = ARENA_ARRAY(a, part, total);
    for (const decl *d = s->decls; d; d = d->next) {
        if (d->kind != DECL_STRUCT && d->kind != DECL_UNION)
            continue;
        part next = {d, first_missing(&p, d)};
        p.all[p.count++] = next;
    }
    return p;
}

static construct vector_waits(const parts *p, const decl *d, const vector *v)
{
    construct c = waits(p, d);
    if (c == NONE && json_object_get(v->record, "base") && !is_generated(DELTA))
        return DELTA;
    return c;
}

/* ---- the .pkt file without what is skipped */

static uint32_t line_of(const decl *d)
{
    uint32_t line, column;
    source_place(d->span.source, d->span.begin, &line, &column);
    return line;
}

/* Blanks the line of a declaration, or only its @delta. The files have one declaration on each line. */
static const char *without_missing(arena *a, const source *pkt, const parts *p)
{
    char *text = arena_text(a, (const char *)pkt->text, pkt->size);
    for (size_t i = 0; i < p->count; i++) {
        uint32_t size;
        const char *in_source = source_line(pkt, line_of(p->all[i].decl), &size);
        char *line = text + (in_source - (const char *)pkt->text);
        char *attribute = strstr(line, " @delta");
        if (p->all[i].waits != NONE)
            memset(line, ' ', size);
        else if (p->all[i].decl->delta && !is_generated(DELTA) && attribute)
            memset(attribute, ' ', strlen(" @delta"));
    }
    return text;
}

/* ---- one suite */

typedef struct tally {
    unsigned checked, inexpressible, refused, coded, miscoded, waiting[CONSTRUCT_COUNT];
} tally;

/* NULL if pktc refuses the schema; then it has printed why. Its model, if it has one, is in the directory. */
static schema *check_suite(arena *a, const suite *s, const char *directory, const char *pkt, const source **from)
{
    static const check_options options = {.checks = true, .names = &c_name_rules};
    diag *d = diag_new(a);
    *from = source_from(a, arena_printf(a, "%s/%s.pkt", directory, s->name), pkt, strlen(pkt));
    schema *checked = check(a, names_new(a), d, *from, &options);
    diag_print(d, DIAG_TEXT, stderr);
    return checked;
}

static const decl *find_decl(const schema *s, const char *name)
{
    for (const decl *d = s->decls; d; d = d->next)
        if (name && (d->kind == DECL_STRUCT || d->kind == DECL_UNION) && strcmp(d->name, name) == 0)
            return d;
    return NULL;
}

static const char head[] =
    "/* Made by tests/interop/vectors.c from a vectors file: generated code is held to its records. */\n"
    "#include \"$name.h\"\n"
    "#include \"replay.h\"\n"
    "#include <setjmp.h>\n#include <stdarg.h>\n#include <string.h>\n#include <cmocka.h>\n\n";

static const char foot[] = "int main(void)\n{\n"
                           "    const struct CMUnitTest tests[] = {\n$tests    };\n"
                           "    return cmocka_run_group_tests_name(\"$name\", tests, NULL, NULL) != 0;\n}\n";

static const char *result(out *o)
{
    size_t size;
    return out_result(o, &size);
}

/* Writes the tests of records that are not skipped and that C can express, and their names to `tests`. */
static void emit_vectors(arena *a, out *o, out *tests, const source *file, const schema *reduced, const parts *p,
                         const schema *whole, const suite *s, tally *t)
{
    for (const vector *v = s->vectors; v; v = v->next) {
        const char *name = json_string_value(json_object_get(v->record, "type"));
        const decl *d = find_decl(whole, name);
        if (!d)
            reject(file, v->line, "the schema has no type '%s'", name ? name : "");
        const char *problem = codec_problem(a, whole, d, v);
        t->coded++;
        if (problem) {
            t->miscoded++;
            fprintf(stderr, "%s:%" PRIu32 ": the codec %s\n", file->path, v->line, problem);
        }
        construct missing = vector_waits(p, d, v);
        if (missing != NONE) {
            t->waiting[missing]++;
            continue;
        }
        out *test = out_new(a);
        const char *why = put_vector(a, test, file, reduced, find_decl(reduced, name), v);
        if (why) {
            t->inexpressible++;
            printf("%s:%" PRIu32 ": C cannot express the value: %s\n", file->path, v->line, why);
            continue;
        }
        t->checked++;
        out_put(o, "$test", "test", result(test), NULL);
        out_put(tests, "        cmocka_unit_test(line_${line}_$type),\n", "line", arena_printf(a, "%" PRIu32, v->line),
                "type", name, NULL);
    }
}

/* The schema is checked from memory, but its model is read from where it stands. */
static void write_model(arena *a, const char *directory, const suite *s)
{
    outputs model;
    const char *failed;
    outputs_init(&model);
    outputs_add(a, &model, arena_printf(a, "%s/%s.model", directory, s->name), s->model, strlen(s->model));
    if (!outputs_write(a, &model, &failed)) {
        fprintf(stderr, "%s\n", failed);
        exit(2);
    }
}

static void make_suite(arena *a, outputs *files, const source *file, const char *directory, const suite *s, tally *t)
{
    const source *pkt;
    if (s->model)
        write_model(a, directory, s);
    const schema *whole = check_suite(a, s, directory, s->pkt, &pkt);
    if (!whole) {
        for (const vector *v = s->vectors; v; v = v->next)
            t->refused++;
        return;
    }
    parts p = look_through(a, whole);
    const schema *reduced = check_suite(a, s, directory, without_missing(a, pkt, &p), &pkt);
    assert(reduced && "less of a schema is good where all of it is");

    size_t count = 0;
    const decl **decls = ARENA_ARRAY(a, const decl *, p.count);
    out *o = out_new(a), *tests = out_new(a);
    out_put(o, head, "name", s->name, NULL);
    for (const decl *d = reduced->decls; d; d = d->next) {
        if (d->kind != DECL_STRUCT && d->kind != DECL_UNION)
            continue;
        decls[count++] = d;
        out_put(tests, "        cmocka_unit_test(init_$type),\n", "type", d->name, NULL);
    }
    put_types(a, o, reduced, decls, count);
    emit_vectors(a, o, tests, file, reduced, &p, whole, s, t);
    if (count == 0)
        return;
    out_put(o, foot, "tests", result(tests), "name", s->name, NULL);
    outputs_add(a, files, arena_printf(a, "%s/%s.pkt", directory, s->name), (const char *)pkt->text, pkt->size);
    size_t size;
    const char *program = out_result(o, &size);
    outputs_add(a, files, arena_printf(a, "%s/%s_test.c", directory, s->name), program, size);
}

/* ---- the whole run */

static void print_tally(const char *from, const tally *t)
{
    unsigned waiting = 0;
    for (int c = NONE; c < CONSTRUCT_COUNT; c++)
        waiting += t->waiting[c];
    const char *slash = strrchr(from, '/');
    printf("%s: %u of %u records checked, ", slash ? slash + 1 : from, t->checked,
           t->checked + t->inexpressible + t->refused + waiting);
    if (t->refused > 0)
        printf("%u refused with their schema, ", t->refused);
    printf("%u not expressible in C, codec %u of %u, %u wait", t->inexpressible, t->coded - t->miscoded, t->coded,
           waiting);
    const char *before = ": ";
    for (int c = NONE; c < CONSTRUCT_COUNT; c++) {
        if (t->waiting[c] == 0)
            continue;
        printf("%s%s %u", before, constructs[c].name, t->waiting[c]);
        before = ", ";
    }
    putchar('\n');
}

static void free_records(const suite *s)
{
    for (; s; s = s->next)
        for (const vector *v = s->vectors; v; v = v->next)
            json_decref(v->record);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: vectors FILE DIRECTORY\n", stderr);
        return 2;
    }
    arena *a = arena_new();
    const source *file = source_read(a, argv[1]);
    if (!file) {
        perror(argv[1]);
        return 2;
    }
    suite *suites = read_vectors(a, file);
    tally t = {0};
    outputs files;
    outputs_init(&files);
    for (const suite *s = suites; s; s = s->next)
        make_suite(a, &files, file, argv[2], s, &t);
    const char *failed;
    bool written = outputs_write(a, &files, &failed);
    if (written)
        print_tally(argv[1], &t);
    else
        fprintf(stderr, "%s\n", failed);
    free_records(suites);
    arena_free(a);
    return written && t.refused == 0 && t.miscoded == 0 ? 0 : 1;
}
