/* vectors.c - makes tests from a vectors file, and holds the codec to its records.
 * SPDX-License-Identifier: MIT
 *
 *     vectors FILE DIRECTORY
 *
 * For each schema of the file it writes NAME.pkt, NAME_glue.c, which exports generated functions (tests/fuzz/entry.h), and
 * NAME.records, the records for replay/replay.c. The schemas are checked by pktc's own front end. Exits with 1 if it
 * refuses a schema, after making the tests of the others, or if the codec differs from a record.
 */
#include "vectors.h"
#include "check/check.h"
#include "emit/names.h"
#include "fuzz/glue.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    unsigned records, miscoded, refused_schemas;
} tally;

/* NULL if pktc refuses the schema; then it has printed why. Its model, if it has one, is in the directory. */
static schema *check_suite(arena *a, const suite *s, const char *directory)
{
    static const check_options options = {.checks = true, .names = &c_name_rules};
    diag *d = diag_new(a);
    const source *pkt = source_from(a, arena_printf(a, "%s/%s.pkt", directory, s->name), s->pkt, strlen(s->pkt));
    schema *checked = check(a, names_new(a), d, pkt, &options);
    diag_print(d, DIAG_TEXT, stderr);
    return checked;
}

static const decl *find_decl(const schema *s, const char *name)
{
    for (const decl *d = s->decls; d; d = d->next)
        if (name && is_value(d) && strcmp(d->name, name) == 0)
            return d;
    return NULL;
}

static void add_text(arena *a, outputs *files, const char *directory, const char *name, const char *text)
{
    outputs_add(a, files, arena_printf(a, "%s/%s", directory, name), text, strlen(text));
}

static void write_files(arena *a, outputs *files)
{
    const char *failed;
    if (!outputs_write(a, files, &failed)) {
        fprintf(stderr, "%s\n", failed);
        exit(2);
    }
}

/* ---- lists with keys: objects in a record; in C they are arrays, in which each element has its key */

static void spell_lists(const decl *d, json_t *v);

/* v: a value of a field, or an array of such values. */
static void spell_lists_in(const decl *d, json_t *v)
{
    json_t *element;
    size_t i;
    json_array_foreach(v, i, element) spell_lists_in(d, element);
    spell_lists(d, v);
}

static json_t *spell_list(const field *list, json_t *elements)
{
    const char *key;
    json_t *element, *array = json_array();
    json_object_foreach(elements, key, element)
    {
        spell_lists(list->type.decl, element);
        json_object_set_new(element, list->by->name, json_string(key));
        json_array_append(array, element);
    }
    return array;
}

static void spell_lists(const decl *d, json_t *v)
{
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        spell_lists(m->type, json_object_get(v, m->name));
    for (const field *f = d->kind == DECL_STRUCT ? d->fields : NULL; f; f = f->next) {
        json_t *inside = json_object_get(v, f->name);
        if (inside && f->by)
            json_object_set_new(v, f->name, spell_list(f, inside));
        else if (inside && f->type.decl)
            spell_lists_in(f->type.decl, inside);
    }
}

/* ---- files */

/* Prints a record on a line, with its number in the file and the protocol id of the generated code. */
static void put_record(arena *a, out *o, const schema *s, const vector *v)
{
    json_object_set_new(v->record, "line", json_integer((json_int_t)v->line));
    json_object_set_new(v->record, "here_id", json_string(arena_printf(a, "0x%016" PRIx64, s->id)));
    char *text = json_dumps(v->record, JSON_COMPACT);
    out_put(o, "$text\n", "text", text, NULL);
    free(text);
}

static void make_suite(arena *a, const source *file, const char *directory, const suite *s, tally *t)
{
    outputs files, model;
    outputs_init(&model);
    outputs_init(&files);
    if (s->model) {
        add_text(a, &model, directory, arena_printf(a, "%s.model", s->name), s->model);
        write_files(a, &model);
    }
    const schema *checked = check_suite(a, s, directory);
    if (!checked) {
        t->refused_schemas++;
        return;
    }
    out *records = out_new(a);
    for (const vector *v = s->vectors; v; v = v->next) {
        const char *name = json_string_value(json_object_get(v->record, "type"));
        const decl *d = find_decl(checked, name);
        if (!d)
            reject(file, v->line, "the schema has no type '%s'", name ? name : "");
        static const char *const values[] = {"value", "read", "base", "before", "predicted"};
        const char *problem = codec_problem(a, checked, d, v);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            spell_lists(d, json_object_get(v->record, values[i]));
        t->records++;
        if (problem) {
            t->miscoded++;
            fprintf(stderr, "%s:%" PRIu32 ": the codec %s\n", file->path, v->line, problem);
        }
        put_record(a, records, checked, v);
        json_decref(v->record);
    }
    size_t size;
    add_text(a, &files, directory, arena_printf(a, "%s.pkt", s->name), s->pkt);
    add_text(a, &files, directory, arena_printf(a, "%s.records", s->name), out_result(records, &size));
    add_text(a, &files, directory, arena_printf(a, "%s_glue.c", s->name), glue_of(a, checked));
    write_files(a, &files);
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
    tally t = {0};
    for (const suite *s = read_vectors(a, file); s; s = s->next)
        make_suite(a, file, argv[2], s, &t);
    const char *slash = strrchr(argv[1], '/');
    printf("%s: codec %u of %u\n", slash ? slash + 1 : argv[1], t.records - t.miscoded, t.records);
    arena_free(a);
    return t.refused_schemas == 0 && t.miscoded == 0 ? 0 : 1;
}
