/* pairs.c - counts which constructs random schemas have together: the table of pairs.
 * SPDX-License-Identifier: MIT
 *
 * The constructs are the words of the language, from the tables of pktc itself: a word that the generator never writes
 * stands out. To these come forms without a word, the place of a field, and what is made of its value: a condition asks
 * for it, an array has as many elements, it names a part. Two constructs are together if they are in the line of the same
 * field, or one of them is around it. What the next release changes is a construct of each field too, such as "next:wider".
 */
#include "check/check.h"
#include "releases/diff.h"
#include "model/type_table.h"
#include "schemas.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONSTRUCTS = 192, WORD = 40 };

typedef enum form {
    FORM_FIXED,
    FORM_UP_TO,
    FORM_FROM_TO,
    FORM_COMPUTED,
    FORM_INITIAL,
    FORM_IN_STRUCT,
    FORM_IN_DATAGRAM,
    FORM_IN_UNION,
    FORM_ASKED,
    FORM_SWITCHED,
    FORM_COUNTS,
    FORM_STARTS,
    FORM_NAMES,
    FORM_KEY,
    FORMS
} form;

static const char *const forms[FORMS] = {
    "[N]",       "[<=N]",       "[A..N]",          "[computed]",   "= value",        "in-struct",  "in-datagram",
    "in-member", "asked-by-if", "asked-by-switch", "counts-array", "start-of-after", "names-part", "key-of-list",
};

/* Words that random schemas have not, or seldom, and what tests them instead. */
static const char *const elsewhere[] = {
    "import", /* a schema of several files: tests/commands, schemas/mygame.pkt */
    "type",   /* random schemas have it, in lines of its own: that of the field has the name */
    "still",  /* of numbers alone: tests/roundtrip/coded.pkt */
    "as",
    "from", /* types of the program: tests/roundtrip, tests/dist/cplusplus.sh */
    /* Changes: tests/diff. */
    "next:other array",
    "next:other mode",
    "next:keep",
    "next:after",
    "next:model",
    "next:other kind",
    "next:version",
    "next:seed",
    "next:other C type",
    "next:unit",
    "next:other meaning",
};

static char words[MOST_CONSTRUCTS][WORD];
static unsigned long seen[MOST_CONSTRUCTS], together[MOST_CONSTRUCTS][MOST_CONSTRUCTS];
static unsigned name_count;

typedef struct constructs {
    bool has[MOST_CONSTRUCTS];
} constructs;

static void add_name(const char *name)
{
    for (unsigned i = 0; i < name_count; i++)
        if (strcmp(words[i], name) == 0)
            return;
    if (name_count == MOST_CONSTRUCTS) {
        fputs("pairs: too many constructs\n", stderr);
        exit(2);
    }
    snprintf(words[name_count++], WORD, "%s", name);
}

/* "NAME"      { TOKEN(word(l, t, TOK_... */
static void add_lexer_words(const char *root)
{
    char at[4096], line[256], name[WORD];
    snprintf(at, sizeof at, "%s/compiler/front/lexer.re", root);
    FILE *file = fopen(at, "r");
    if (!file) {
        perror(at);
        exit(2);
    }
    while (fgets(line, sizeof line, file))
        if (strstr(line, "TOKEN(word(") && sscanf(line, " \"%39[a-z]\"", name) == 1)
            add_name(name);
    fclose(file);
}

static const char *name_of_change(char name[WORD], change_kind kind)
{
    snprintf(name, WORD, "next:%s", change_name(kind));
    return name;
}

void pairs_begin(const char *root)
{
    char next[WORD];
    for (unsigned i = 0; i < FORMS; i++)
        add_name(forms[i]);
    add_lexer_words(root);
    for (size_t i = 0; type_word_at(i); i++)
        add_name(type_word_at(i)->name);
    for (size_t i = 0; attribute_name_at(i); i++) {
        char name[WORD];
        snprintf(name, sizeof name, "@%s", attribute_name_at(i));
        add_name(name);
    }
    for (unsigned i = 0; i < CHANGES; i++)
        add_name(name_of_change(next, (change_kind)i));
}

static void add_word(constructs *c, const char *word, size_t size)
{
    for (unsigned i = FORMS; i < name_count; i++)
        if (strlen(words[i]) == size && memcmp(words[i], word, size) == 0)
            c->has[i] = true;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The words of the line at a place in the text. */
static void add_line(constructs *c, const char *text, size_t size, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    while (at < size && text[at] != '\n') {
        size_t end = at + 1;
        while (end < size && is_of_word(text[end]) && (is_of_word(text[at]) || text[at] == '@'))
            end++;
        add_word(c, text + at, end - at);
        at = end;
    }
}

static void count_together(const constructs *c)
{
    for (unsigned i = 0; i < name_count; i++) {
        seen[i] += c->has[i];
        for (unsigned k = 0; c->has[i] && k < i; k++)
            together[i][k] += c->has[k];
    }
}

/* ---- what is made of the value of a field: a set of forms for each field of a type */

static void use_path(unsigned *uses, const path *p, form use)
{
    if (p)
        uses[p->field->index] |= 1u << use;
}

static void use_expr(unsigned *uses, const expr *e, form use)
{
    if (!e)
        return;
    use_path(uses, e->path, use);
    use_expr(uses, e->left, use);
    use_expr(uses, e->right, use);
}

static void use_sum(unsigned *uses, const field_sum *s)
{
    for (; s; s = s->next)
        if (s->depth > 0 && !s->decl)
            uses[s->path[0]->index] |= 1u << FORM_NAMES;
}

static void use_items(unsigned *uses, const item *items)
{
    for (const item *i = items; i; i = i->next) {
        if (i->kind == ITEM_IF) {
            use_expr(uses, i->as.branch.condition, FORM_ASKED);
            use_items(uses, i->as.branch.then.items);
            use_items(uses, i->as.branch.other.items);
        } else if (i->kind == ITEM_SWITCH) {
            use_expr(uses, i->as.choice.subject, FORM_SWITCHED);
            for (const arm *a = i->as.choice.arms; a; a = a->next)
                use_items(uses, a->body.items);
        }
    }
}

static void use_fields(unsigned *uses, const decl *d)
{
    for (const field *f = d->fields; f; f = f->next) {
        use_expr(uses, f->count, FORM_COUNTS);
        if (f->after)
            uses[f->after->index] |= 1u << FORM_STARTS;
        if (f->part) {
            use_sum(uses, f->part->number);
            use_sum(uses, f->part->base);
            use_sum(uses, f->part->before);
        }
    }
}

/* ---- schemas */

static void add_field(const constructs *around, const unsigned *uses, const field *f)
{
    constructs c = *around;
    const source *text = f->span.source;
    add_line(&c, (const char *)text->text, text->size, f->span.begin);
    c.has[FORM_FIXED] = f->array == ARRAY_FIXED;
    c.has[FORM_UP_TO] = f->array == ARRAY_COUNTED && f->count_low == 0;
    c.has[FORM_FROM_TO] = f->array == ARRAY_COUNTED && f->count_low != 0;
    c.has[FORM_COMPUTED] = f->array == ARRAY_COMPUTED;
    c.has[FORM_INITIAL] = f->has_initial;
    c.has[FORM_KEY] = f->key;
    for (unsigned i = 0; i < FORMS; i++)
        c.has[i] |= (uses[f->index] >> i & 1) != 0;
    count_together(&c);
}

static void add_items(const constructs *around, const unsigned *uses, const item *items)
{
    for (const item *i = items; i; i = i->next) {
        constructs inner = *around;
        switch (i->kind) {
        case ITEM_FIELD: add_field(around, uses, i->as.field); break;
        case ITEM_IF:
            add_word(&inner, "if", 2);
            add_items(&inner, uses, i->as.branch.then.items);
            add_word(&inner, "else", 4);
            add_items(&inner, uses, i->as.branch.other.items);
            break;
        case ITEM_SWITCH:
            add_word(&inner, "switch", 6);
            for (const arm *a = i->as.choice.arms; a; a = a->next) {
                constructs side = inner;
                add_word(&side, a->is_default ? "default" : "case", a->is_default ? 7 : 4);
                add_items(&side, uses, a->body.items);
            }
            break;
        case ITEM_ALIGN:
            add_word(&inner, "align", 5);
            count_together(&inner);
            break;
        case ITEM_CONST:
            add_word(&inner, "const", 5);
            count_together(&inner);
            break;
        case ITEM_RESERVED:
            add_word(&inner, "reserved", 8);
            count_together(&inner);
            break;
        case ITEM_CHECK:
            add_word(&inner, "check", 5);
            count_together(&inner);
            break;
        }
    }
}

static void add_decl(const decl *d, bool in_union)
{
    constructs around = {{false}};
    const source *text = d->span.source;
    add_line(&around, (const char *)text->text, text->size, d->span.begin);
    around.has[FORM_IN_STRUCT] = d->kind == DECL_STRUCT && !d->packet;
    around.has[FORM_IN_DATAGRAM] = d->parts > 0;
    around.has[FORM_IN_UNION] = in_union;
    count_together(&around);
    if (d->kind != DECL_STRUCT)
        return;
    unsigned *uses = calloc(d->field_count + 1, sizeof *uses);
    use_items(uses, d->body.items);
    use_fields(uses, d);
    add_items(&around, uses, d->body.items);
    for (const field *f = d->fields; f; f = f->next)
        if (f->local || f->key)
            add_field(&around, uses, f);
    free(uses);
}

void pairs_add(const schema *s)
{
    constructs protocol = {{false}};
    add_line(&protocol, (const char *)s->root->source->text, s->root->source->size, 0);
    if (s->tables)
        add_word(&protocol, "model", 5);
    count_together(&protocol);
    for (const decl *d = s->decls; d; d = d->next) {
        add_decl(d, false);
        for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
            add_decl(m->type, true);
    }
}

/* ---- what the next release changes */

static void add_changes(const pair *p)
{
    for (const change *c = p->changes; c; c = c->next) {
        constructs all = {{false}};
        char name[WORD];
        name_of_change(name, c->kind);
        add_word(&all, name, strlen(name));
        add_word(&all, p->noun, strlen(p->noun));
        add_line(&all, p->before_words, strlen(p->before_words), 0);
        add_line(&all, p->after_words, strlen(p->after_words), 0);
        count_together(&all);
    }
    for (const pair *part = p->parts; part; part = part->next)
        add_changes(part);
}

void pairs_add_next(const comparison *c)
{
    for (const pair *p = c->pairs; p; p = p->next)
        add_changes(p);
}

/* ---- the table */

static bool is_elsewhere(const char *name)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(elsewhere[i], name) == 0)
            return true;
    return false;
}

/* Sets of which a field, or what else is counted, has one. */
#define MOST_OF_SET 12
static const char *const exclusive[][MOST_OF_SET] = {
    {"[N]", "[<=N]", "[A..N]", "[computed]"},
    {"in-struct", "in-datagram"},
    {"protocol", "align", "const", "reserved", "check"},
    {"start-of-after", "names-part", "[N]"},
    {"start-of-after", "names-part", "[<=N]"},
    {"start-of-after", "names-part", "[A..N]"},
    {"start-of-after", "names-part", "[computed]"},
    {"clamp", "wrap", "or", "after"},
    {"clamp", "wrap", "raw", "after"},
    {"clamp", "start-of-after"},
    {"clamp", "names-part"},
    {"key-of-list", "[N]", "[<=N]", "[A..N]", "[computed]"},
    {"key-of-list", "clamp", "wrap", "or", "after"},
    {"key-of-list", "clamp", "wrap", "raw", "after"},
    {"key-of-list", "optional"},
    {"key-of-list", "unless"},
    {"key-of-list", "coded"},
    {"key-of-list", "delta"},
    {"key-of-list", "compact"},
    {"key-of-list", "local"},
    {"key-of-list", "= value"},
    {"key-of-list", "names-part"},
    {"by", "[N]", "[A..N]", "[computed]"},
    {"by", "clamp", "wrap", "or", "after"},
    {"by", "clamp", "wrap", "raw", "after"},
    {"by", "optional"},
    {"by", "unless"},
    {"by", "local"},
    {"@stable", "@answers", "in-struct", "in-datagram"},
    {"@seed", "in-struct"},
    {"@budget", "in-struct"},
};

/* Words of a whole file, and items that are no fields: neither is with what only fields have. */
static const char *const no_fields[] = {"protocol", "import", "prefix", "model", "align", "const", "reserved", "check"};
static const char *const only_fields[] = {
    "[N]",          "[<=N]",          "[A..N]",     "[computed]", "= value",     "asked-by-if", "asked-by-switch",
    "counts-array", "start-of-after", "names-part", "optional",   "sparse",      "after",       "unless",
    "clamp",        "wrap",           "or",         "raw",        "coded",       "local",       "of",
    "@fit",         "@lossy",         "@convert",   "by",         "key-of-list",
};

static bool type_word_called(const char *name)
{
    for (size_t i = 0; type_word_at(i); i++)
        if (strcmp(type_word_at(i)->name, name) == 0)
            return true;
    return false;
}

/* Types whose values neither are times, nor name a part. */
static const char *const no_times[] = {"bool",   "half",  "float", "double", "fixed", "quat", "unit",
                                       "string", "bytes", "ref",   "sparse", "local", "by"};

static bool is_in(const char *const *set, size_t count, const char *name)
{
    for (size_t i = 0; i < count && set[i]; i++)
        if (strcmp(set[i], name) == 0)
            return true;
    return false;
}

static bool is_change(const char *name)
{
    return strncmp(name, "next:", 5) == 0;
}

static bool is_form(const char *name)
{
    return is_in(forms, FORMS, name);
}

/* Whether the language has no place for both: the first one is no field and the second one is of fields, for example. */
static bool excludes(const char *one, const char *other)
{
    const size_t file_words = sizeof no_fields / sizeof no_fields[0];
    const size_t field_words = sizeof only_fields / sizeof only_fields[0];
    /* A change is one of its kind, and its words are those of a declaration or field, not the forms of this file. */
    const bool is_time = strcmp(one, "start-of-after") == 0 || strcmp(one, "names-part") == 0;
    return (is_time && is_in(no_times, sizeof no_times / sizeof no_times[0], other)) ||
           (is_change(one) && (is_change(other) || is_form(other))) ||
           (is_in(no_fields, file_words, one) &&
            (is_in(only_fields, field_words, other) || (type_word_called(other) && strcmp(one, "const") != 0)));
}

static bool cannot_be(const char *one, const char *other)
{
    for (size_t i = 0; i < sizeof exclusive / sizeof exclusive[0]; i++)
        if (is_in(exclusive[i], MOST_OF_SET, one) && is_in(exclusive[i], MOST_OF_SET, other))
            return true;
    return excludes(one, other) || excludes(other, one);
}

static unsigned long of_pair(unsigned a, unsigned b)
{
    return a > b ? together[a][b] : together[b][a];
}

/* For each construct: how often there was one, and how often with each other one; then those that it was never with, and
 * of these, the ones that it cannot be with. */
bool pairs_print(const char *directory)
{
    char at[4096];
    unsigned tried = 0, cannot = 0, others = 0, missing = 0;
    bool all = true;
    snprintf(at, sizeof at, "%s/pairs", directory);
    FILE *to = fopen(at, "w");
    if (!to) {
        perror(at);
        return false;
    }
    for (unsigned i = 0; i < name_count; i++) {
        fprintf(to, "%s: %lu\n  with", words[i], seen[i]);
        for (unsigned k = 0; k < name_count; k++)
            if (k != i && of_pair(i, k) != 0)
                fprintf(to, " %s %lu,", words[k], of_pair(i, k));
        fprintf(to, "\n  never with");
        for (unsigned k = 0; k < name_count; k++)
            if (k != i && of_pair(i, k) == 0 && !cannot_be(words[i], words[k]))
                fprintf(to, " %s", words[k]);
        fprintf(to, "\n  cannot be with");
        for (unsigned k = 0; k < name_count; k++)
            if (k != i && cannot_be(words[i], words[k]))
                fprintf(to, " %s", words[k]);
        fprintf(to, "\n");
        for (unsigned k = 0; k < i; k++) {
            const bool was = of_pair(i, k) != 0, can = !cannot_be(words[i], words[k]);
            const bool other = is_elsewhere(words[i]) || is_elsewhere(words[k]);
            *(was ? &tried : !can ? &cannot : other ? &others : &missing) += 1;
            if (was && !can) {
                printf("'%s' and '%s' are together, but pairs.c says that they cannot be\n", words[i], words[k]);
                all = false;
            }
        }
    }
    fclose(to);
    printf("\n%u constructs: %u pairs together, %u cannot be, %u are of other tests, %u never; %s has the table\n",
           name_count, tried, cannot, others, missing, at);
    for (unsigned i = 0; i < name_count; i++)
        if (seen[i] == 0 && !is_elsewhere(words[i])) {
            printf("no random schema has '%s'\n", words[i]);
            all = false;
        }
    return all;
}
