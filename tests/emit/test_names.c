/* test_names.c - tests that emit/names.c lists exactly the names that generated C makes from a schema's names.
 * SPDX-License-Identifier: MIT
 *
 * The generated C of some schemas is preprocessed, so that it also has the names that the runtime's macros make. Each
 * identifier in it must be one of these: a name of C or its headers; one that begins with pkt_ or PKT_, or ends in an
 * underscore; one on the list; a member of a struct; or a type of the program to which the schema binds. That covers
 * the symbols of the object files, including static ones, and all variables and parameters.
 */
#include "check/check.h"
#include "emit/names.h"
#include "process.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct known {
    const char *name;
    const taken_name *rule; /* NULL if it is a name of the program */
} known;

typedef struct known_list {
    known *names;
    size_t count, capacity;
} known_list;

/* The names of one schema: those it takes from the program, of members, and of variables that are named after
 * fields. */
typedef struct vocabulary {
    arena *arena;
    known_list global, member, local;
} vocabulary;

static bool used[1000]; /* whether the rule with this index was needed */

static void add(known_list *list, const char *name, const taken_name *rule)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->names = realloc(list->names, list->capacity * sizeof *list->names);
        assert_non_null(list->names);
    }
    list->names[list->count++] = (known){name, rule};
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const known *)a)->name, ((const known *)b)->name);
}

static bool find(const known_list *list, const char *name)
{
    const known wanted = {.name = name};
    const known *found = list->count == 0 ? NULL : bsearch(&wanted, list->names, list->count, sizeof wanted, compare);
    if (found != NULL && found->rule != NULL)
        used[found->rule - c_name_rules.taken] = true;
    return found != NULL;
}

/* ---- the names made from a schema's names */

static void take(vocabulary *v, const taken_name *rule, const char *of, const char *m)
{
    char name[500];
    assert_true(taken_spell(name, sizeof name, rule->pattern, of, m) < sizeof name);
    known_list *list = rule->as == TAKEN_AS_MEMBER ? &v->member : rule->as == TAKEN_AS_LOCAL ? &v->local : &v->global;
    add(list, arena_text(v->arena, name, strlen(name)), rule);
}

static void take_field(vocabulary *v, const field *f, const char *of)
{
    add(&v->member, f->name, NULL);
    for (size_t i = 0; i < c_name_rules.taken_count; i++)
        if (c_name_rules.taken[i].by & taken_by_field(f))
            take(v, &c_name_rules.taken[i], of, f->name);
}

static void take_decl(vocabulary *v, const schema *s, const decl *d)
{
    const char *prefix = d->kind == DECL_CONST ? schema_constant_prefix(v->arena, s, d->file) : d->file->prefix;
    const char *of = arena_printf(v->arena, "%s%s", prefix, d->name);
    for (size_t i = 0; i < c_name_rules.taken_count; i++) {
        const taken_name *rule = &c_name_rules.taken[i];
        if (!(rule->by & taken_by_decl(d)))
            continue;
        if (!taken_has_member(rule))
            take(v, rule, of, "");
        for (const member *m = taken_has_member(rule) ? d->members : NULL; m != NULL; m = m->next)
            take(v, rule, of, m->name);
    }
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m != NULL; m = m->next)
        add(&v->member, m->name, NULL);
    for (size_t i = 0; d->parts != 0 && i < 14; i++) { /* the members of T_x_baseline, T_x_ring, T_receiver, T_sender */
        static const char *const of_rings[] = {"value",  "number",    "hash",         "used",  "newest",
                                               "late",   "kept",      "read",         "begun", "acknowledges",
                                               "doubts", "forgotten", "acknowledged", "latest"};
        add(&v->member, of_rings[i], NULL);
    }
    if (d->predicts) /* the members of T_motion, which has no others */
        add(&v->member, "of", NULL);
    if (d->delta && has_fit(d)) { /* the members of those of T_came */
        add(&v->member, "came", NULL);
        add(&v->member, "added", NULL);
        add(&v->member, "gone", NULL);
    }
    for (const field *f = d->fields; f != NULL; f = f->next)
        take_field(v, f, of);
    if (d->as_type != NULL)
        add(&v->global, d->as_type, NULL);
}

static vocabulary vocabulary_of(arena *a, const char *pkt)
{
    static const check_options options = {.checks = true, .names = &c_name_rules};
    const schema *s = check(a, names_new(a), diag_new(a), source_read(a, pkt), &options);
    vocabulary v = {.arena = a};
    assert_non_null(s);
    for (size_t i = 0; s->protocol != NULL && i < c_name_rules.taken_count; i++)
        if (c_name_rules.taken[i].by & TAKEN_BY_PROTOCOL)
            add(&v.global,
                arena_printf(a, "%s%s", schema_constant_prefix(a, s, s->root), c_name_rules.taken[i].pattern),
                &c_name_rules.taken[i]);
    for (const decl *d = s->decls; d != NULL; d = d->next)
        take_decl(&v, s, d);
    qsort(v.global.names, v.global.count, sizeof *v.global.names, compare);
    qsort(v.member.names, v.member.count, sizeof *v.member.names, compare);
    qsort(v.local.names, v.local.count, sizeof *v.local.names, compare);
    return v;
}

/* ---- preprocessed C as tokens */

typedef enum where { PROGRAM, MEMBER, STRUCT_BODY, LOCAL } where;

typedef struct reader {
    const char *at;
    const char *directory; /* that of the generated files */
    char token[500];
    bool is_name;
    bool generated; /* the token is from a generated file */
} reader;

/* Handles a line marker: # 12 "dir/mygame.c" says which file the following lines are from. */
static void line_marker(reader *r)
{
    const char *name = strchr(r->at, '"');
    r->generated = name != NULL && strncmp(name + 1, r->directory, strlen(r->directory)) == 0;
}

/* Reads a token; false at the end. Of directives only the name in a #define is a token. */
static bool next(reader *r)
{
    for (;;) {
        while (isspace((unsigned char)*r->at))
            r->at++;
        if (*r->at != '#')
            break;
        if (strncmp(r->at, "#define ", 8) == 0) {
            r->at += 8;
            size_t size = strspn(r->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
            assert_true(size < sizeof r->token);
            memcpy(r->token, r->at, size);
            r->token[size] = 0;
            r->at += strcspn(r->at, "\n");
            r->is_name = true;
            return true;
        }
        if (r->at[1] == ' ' && isdigit((unsigned char)r->at[2]))
            line_marker(r);
        r->at += strcspn(r->at, "\n");
    }
    if (*r->at == 0)
        return false;
    const char *begin = r->at++;
    r->is_name = isalpha((unsigned char)*begin) || *begin == '_';
    if (r->is_name || isdigit((unsigned char)*begin))
        while (isalnum((unsigned char)*r->at) || *r->at == '_' || (!r->is_name && *r->at == '.'))
            r->at++;
    else if (*begin == '"' || *begin == '\'')
        while (*r->at++ != *begin)
            r->at += r->at[-1] == '\\';
    else if (*begin == '-' && *r->at == '>')
        r->at++;
    size_t size = (size_t)(r->at - begin);
    if (size >= sizeof r->token)
        size = sizeof r->token - 1;
    memcpy(r->token, begin, size);
    r->token[size] = 0;
    return true;
}

static bool is_fine(const vocabulary *v, const char *name, where w)
{
    if (w == LOCAL && find(&v->local, name))
        return true;
    if (strncmp(name, "pkt_", 4) == 0 || strncmp(name, "PKT_", 4) == 0 || name[strlen(name) - 1] == '_' || w == MEMBER)
        return true;
    if (find(&v->global, name))
        return true;
    if (w == STRUCT_BODY && find(&v->member, name))
        return true;
    return name_reserved(name, TAKEN_AS_TYPE) != NULL;
}

/* Prints the names that no rule explains. Returns how many there are. */
static int strangers(const vocabulary *v, const char *text, const char *directory)
{
    reader r = {.at = text, .directory = directory};
    char before[3] = "";
    int braces = 0, parentheses = 0, struct_depth = 0, other_depth = 0, count = 0;
    bool struct_head = false;
    while (next(&r)) {
        if (r.is_name && r.generated) {
            where w = strcmp(before, ".") == 0 || strcmp(before, "->") == 0 || other_depth > 0 ? MEMBER
                      : struct_depth > 0                                                       ? STRUCT_BODY
                      : braces > 0 || parentheses > 0                                          ? LOCAL
                                                                                               : PROGRAM;
            if (!is_fine(v, r.token, w)) {
                print_message("whose is '%s'?\n", r.token);
                count++;
            }
        }
        if (strcmp(r.token, "struct") == 0 || strcmp(r.token, "union") == 0)
            struct_head = true;
        else if (*r.token == '{') {
            braces++;
            if (struct_head || struct_depth > 0)
                struct_depth++;
            struct_head = false;
        } else if (*r.token == '}') {
            braces--;
            if (struct_depth > 0)
                struct_depth--;
        } else if (*r.token == '(') {
            parentheses++;
            if (strcmp(before, "of") == 0 || other_depth > 0)
                other_depth++;
        } else if (*r.token == ')') {
            parentheses--;
            if (other_depth > 0)
                other_depth--;
        } else if (!r.is_name) {
            struct_head = false;
        }
        if (strcmp(r.token, "__builtin_offsetof") == 0 || strcmp(r.token, "__attribute__") == 0)
            strcpy(before, "of");
        else if (strlen(r.token) < sizeof before)
            strcpy(before, r.token);
        else
            before[0] = 0;
    }
    return count;
}

/* ---- the test */

static void names_are_listed(void **state)
{
    const char *pkt = *state, *base = strrchr(pkt, '/') + 1;
    char *directory = text_format("%s/names-%.*s", setting("SCRATCH"), (int)(strlen(base) - 4), base);
    process_result made = process_run("rm -rf '%s' && mkdir -p '%s/releases' && %s --no-runtime --reflect --capture"
                                      " --upgrade '%s/releases' -o '%s' '%s'",
                                      directory, directory, setting("PKTC"), directory, directory, pkt);
    assert_string_equal(made.err, "");
    process_result text = process_run("for file in '%s'/*.c; do echo \"#include \\\"$file\\\"\"; done |"
                                      " cc -E -dD -std=c99 -I. -Iruntime -Itests/roundtrip -",
                                      directory);
    assert_string_equal(text.err, "");
    arena *a = arena_new();
    vocabulary v = vocabulary_of(a, pkt);
    assert_int_equal(strangers(&v, text.out, directory), 0);
    arena_free(a);
    free(v.global.names);
    free(v.member.names);
    free(v.local.names);
    process_free(&text);
    process_free(&made);
    free(directory);
}

/* Names that nothing takes are not refused. */
static void list_is_used(void **state)
{
    int unused = 0;
    (void)state;
    for (size_t i = 0; i < c_name_rules.taken_count; i++) {
        if (!used[i]) {
            print_message("nothing is called '%s'\n", c_name_rules.taken[i].pattern);
            unused++;
        }
    }
    assert_int_equal(unused, 0);
}

int main(void)
{
    static const char *const schemas[] = {"schemas/all.pkt",
                                          "schemas/mygame.pkt",
                                          "tests/roundtrip/bodies.pkt",
                                          "tests/roundtrip/datagram.pkt",
                                          "tests/roundtrip/links.pkt",
                                          "tests/roundtrip/mix.pkt",
                                          "tests/roundtrip/save.pkt",
                                          "tests/roundtrip/starts.pkt",
                                          "tests/emit/golden/arrays.pkt",
                                          "tests/emit/golden/coded.pkt",
                                          "tests/emit/golden/counts.pkt",
                                          "tests/emit/golden/deltas.pkt",
                                          "tests/emit/golden/fit.pkt",
                                          "tests/emit/golden/links.pkt",
                                          "tests/emit/golden/lists.pkt",
                                          "tests/emit/golden/scalars.pkt",
                                          "tests/emit/golden/subsets.pkt"};
    struct CMUnitTest tests[sizeof schemas / sizeof *schemas + 1];
    size_t count = 0;
    for (; count < sizeof schemas / sizeof *schemas; count++)
        tests[count] =
            (struct CMUnitTest){schemas[count], names_are_listed, NULL, NULL, (void *)(uintptr_t)schemas[count]};
    tests[count] = (struct CMUnitTest)cmocka_unit_test(list_is_used);
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
