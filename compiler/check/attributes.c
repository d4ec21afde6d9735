/* attributes.c - checks attributes such as @delta and @budget(1200), and puts them into the model.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/type_table.h"
#include <string.h>

/* What can have an attribute. */
enum {
    ON_FIELD = 1,
    ON_ENUM = 2,
    ON_STRUCT = 4,
    ON_PACKET = 8,
    ON_UNION = 16,
    ON_PACKET_UNION = 32,
    ON_FLAGS = 64,
    ON_CONST = 128,
    ON_PACKETS = ON_PACKET | ON_PACKET_UNION,
    ON_TYPES = ON_STRUCT | ON_UNION | ON_PACKETS,
    ON_ALL = 255
};

/* A row for each attribute, in the order of their names.
 *
 * value:  what it takes, as in `@budget(bytes)`, or ""
 * needs:  the error without a value; NULL if there is none
 * on:     what can have it
 * places: the same in words */
/* clang-format off */
#define ATTRIBUTES(X)                                                                                                     \
    X(ANSWERS,    "answers",    "(packet)",  ON_PACKETS,              "packets and packet unions",                        \
      "needs the packet that it answers, as in `@answers(Hello)`")                                                        \
    X(BUDGET,     "budget",     "(bytes)",   ON_PACKETS,              "packets and packet unions",                        \
      "needs a number of bytes, as in `@budget(1200)`")                                                                   \
    X(CONVERT,    "convert",    "(release)", ON_FIELD | ON_TYPES,     "fields, structs, packets and unions",              \
      "needs the number of the last release that the program converts, as in `@convert(3)`")                              \
    X(DELTA,      "delta",      "",          ON_STRUCT | ON_PACKETS,  "structs, packets and packet unions", NULL)         \
    X(DEPRECATED, "deprecated", "",          ON_ALL,                  "", NULL)                                           \
    X(FIT,        "fit",        "",          ON_FIELD,                "arrays", NULL) /* see check_fit */                 \
    X(LARGE,      "large",      "",          ON_TYPES,                "structs, packets and unions", NULL)                \
    X(LOSSY,      "lossy",      "(release)", ON_FIELD | ON_ENUM,      "fields and enums",                                 \
      "needs the number of the last release that may lose something, as in `@lossy(3)`")                                  \
    X(MIX,        "mix",        "(point)",   ON_FIELD | ON_TYPES,     "fields, structs, packets and unions", NULL)        \
    X(NEAR,       "near",       "(tolerance)", ON_FIELD,              "fields",                                           \
      "needs a distance, as in `@near(0.05)`")                                                                            \
    X(RECEIVED,   "received",   "",          ON_PACKETS,              "packets and packet unions", NULL)                  \
    X(SAVE,       "save",       "",          ON_TYPES,                "structs, packets and unions", NULL)                \
    X(SEED,       "seed",       "",          ON_PACKETS,              "packets and packet unions", NULL)                  \
    X(SPEED,      "speed",      "(field)",   ON_FIELD,                "fields",                                           \
      "needs the field that says how far the number goes in a tick, as in `@speed(dx)` or `@speed(dx / 20)`")             \
    X(STABLE,     "stable",     "(id)",      ON_PACKET,               "packets that are no unions", NULL)
/* clang-format on */

typedef enum attribute {
#define KIND(kind, ...) ATTRIBUTE_##kind,
    ATTRIBUTES(KIND)
#undef KIND
        ATTRIBUTE_COUNT
} attribute;

typedef struct attribute_row {
    const char *name, *value;
    unsigned on;
    const char *places, *needs;
} attribute_row;

static const attribute_row attribute_rows[] = {
#define ROW(kind, ...) [ATTRIBUTE_##kind] = {__VA_ARGS__},
    ATTRIBUTES(ROW)
#undef ROW
};

enum { MOST_RELEASES = 999999999 }; /* archive.h */

const char *attribute_name_at(size_t i)
{
    return i < ATTRIBUTE_COUNT ? attribute_rows[i].name : NULL;
}

/* d NULL: a field. */
static unsigned attribute_place(const decl *d)
{
    if (!d)
        return ON_FIELD;
    switch (d->kind) {
    case DECL_STRUCT: return d->packet ? ON_PACKET : ON_STRUCT;
    case DECL_UNION: return d->packet ? ON_PACKET_UNION : ON_UNION;
    case DECL_ENUM: return ON_ENUM;
    case DECL_FLAGS: return ON_FLAGS;
    case DECL_CONST:
    case DECL_ALIAS: break;
    }
    return ON_CONST;
}

static bool is_value_word(const ast_expr *e, const char *word)
{
    return e->kind == AST_PATH && !e->parenthesized && !e->as.path->next && strcmp(e->as.path->name.text, word) == 0;
}

/* Whether the attribute's value is right, or missing where it needs none. */
static bool right_value(checker *k, attribute a, const ast_attribute *ast)
{
    const attribute_row *row = &attribute_rows[a];
    if (row->needs && !ast->value) {
        diag_error(k->diag, ast->span, "'@%s' %s", row->name, row->needs);
        return false;
    }
    if (a == ATTRIBUTE_DELTA && ast->value) {
        const bool right = is_value_word(ast->value, "predict");
        if (!right)
            diag_error(k->diag, ast->value->span, "'@delta' takes nothing but 'predict', as in `@delta(predict)`");
        return right;
    }
    if (row->value[0] == 0 && ast->value) {
        diag_error(k->diag, ast->span, "'@%s' takes no value", ast->name.text);
        return false;
    }
    return true;
}

/* "`@answers(packet)`, `@budget(bytes)` ... and `@stable(id)`" */
static const char *list_of_attributes(arena *a)
{
    const char *list = "";
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++)
        list = arena_printf(a, "%s%s`@%s%s`", list,
                            i == 0                     ? ""
                            : i + 1 == ATTRIBUTE_COUNT ? " and "
                                                       : ", ",
                            attribute_rows[i].name, attribute_rows[i].value);
    return list;
}

/* The index of an attribute; ATTRIBUTE_COUNT after an error. */
static size_t find_attribute(checker *k, const ast_attribute *ast)
{
    suggestion s = {.wanted = ast->name.text};
    size_t a = 0;
    while (a < ATTRIBUTE_COUNT && strcmp(attribute_rows[a].name, ast->name.text) != 0) {
        suggest(&s, attribute_rows[a].name);
        a++;
    }
    if (a == ATTRIBUTE_COUNT) {
        message *m = diag_error(k->diag, ast->span, "unknown attribute '@%s'", ast->name.text);
        if (strcmp(ast->name.text, "was") == 0)
            diag_help(k->diag, m, "'was' is a word and not an attribute: `was \"name\"`");
        else if (strcmp(ast->name.text, "coded") == 0)
            diag_help(k->diag, m, "'coded' is a word and not an attribute, behind the name of a field: `u8 x coded;`");
        else if (strncmp(ast->name.text, "predict", 7) == 0)
            diag_fix(k->diag, m, (edit){ast->span, "@delta(predict)"}, "a predicted delta is `@delta(predict)`");
        else if (s.best)
            diag_fix(k->diag, m, (edit){ast->name.span, s.best}, "did you mean '@%s'?", s.best);
        else
            diag_help(k->diag, m, "the attributes are %s", list_of_attributes(k->arena));
    }
    return a;
}

/* Fills `found` with the correct attributes of a list. d NULL: the list is that of a field. */
static void check_list(checker *k, const decl *d, const ast_attribute *list, const ast_attribute **found)
{
    const ast_attribute *before[ATTRIBUTE_COUNT] = {NULL};
    for (const ast_attribute *ast = list; ast; ast = ast->next) {
        size_t a = ast->was ? ATTRIBUTE_COUNT : find_attribute(k, ast);
        if (a == ATTRIBUTE_COUNT)
            continue;
        if (before[a]) {
            message *m = diag_error(k->diag, ast->span, "'@%s' is given twice", ast->name.text);
            diag_note(k->diag, m, before[a]->span, "the first one is here");
        } else if (!(attribute_rows[a].on & attribute_place(d))) {
            message *m =
                diag_error(k->diag, ast->span, "'@%s' is only for %s", ast->name.text, attribute_rows[a].places);
            if (a == ATTRIBUTE_DELTA && d && d->kind == DECL_UNION)
                diag_fix(k->diag, m, without(ast->span), "leave it out: a @delta type sends its unions as deltas");
        } else {
            before[a] = ast;
            /* With a wrong value, @delta still counts, so that nothing is reported as missing it. */
            found[a] = right_value(k, (attribute)a, ast) || a == ATTRIBUTE_DELTA ? ast : NULL;
        }
    }
}

/* The release of @convert; 0 without it or after an error. */
static uint32_t release_of(checker *k, const ast_attribute *ast)
{
    num release;
    if (!ast ||
        !evaluate_integer(k, ast->value, "the number of a release", num_u64(1), num_u64(MOST_RELEASES), &release))
        return 0;
    return (uint32_t)release.magnitude;
}

/* The point of `@mix(point)`, at which a step is taken. False after an error. */
static bool point_of(checker *k, const ast_attribute *mix, double *point)
{
    if (!evaluate_real(k, mix->value, "the point of '@mix'", point))
        return false;
    if (*point >= 0 && *point <= 1)
        return true;
    diag_error(k->diag, mix->value->span, "the point of '@mix' must be from 0, the first value, to 1, the second");
    return false;
}

void check_attributes(checker *k, decl *d, const ast_attribute *list)
{
    const ast_attribute *found[ATTRIBUTE_COUNT] = {NULL};
    num bytes;
    check_list(k, d, list, found);
    d->delta = found[ATTRIBUTE_DELTA] != NULL;
    d->predicts = d->delta && found[ATTRIBUTE_DELTA]->value;
    d->deprecated = found[ATTRIBUTE_DEPRECATED] != NULL;
    d->large = found[ATTRIBUTE_LARGE] != NULL;
    d->convert = release_of(k, found[ATTRIBUTE_CONVERT]);
    d->lossy = release_of(k, found[ATTRIBUTE_LOSSY]);
    d->received = found[ATTRIBUTE_RECEIVED] != NULL;
    d->mixes = found[ATTRIBUTE_MIX] != NULL;
    d->point = 1;
    if (d->mixes && found[ATTRIBUTE_MIX]->value)
        (void)point_of(k, found[ATTRIBUTE_MIX], &d->point);
    d->saved = found[ATTRIBUTE_SAVE] != NULL;
    d->seeded = found[ATTRIBUTE_SEED] != NULL;
    d->stable = found[ATTRIBUTE_STABLE] != NULL; /* its id, and @answers: see stable.c */
    if (d->seeded && d->delta) {
        message *m =
            diag_error(k->diag, found[ATTRIBUTE_SEED]->span, "'%s' is @delta, and has no form with a seed", d->name);
        diag_help(k->diag, m, "make it a part of a packet, as in `World world delta(number from number - back);`");
    }
    if (found[ATTRIBUTE_BUDGET] && evaluate_integer(k, found[ATTRIBUTE_BUDGET]->value, "the budget in bytes",
                                                    num_u64(1), num_u64(UINT32_MAX), &bytes))
        d->budget = (uint32_t)bytes.magnitude;
}

/* Whether a field can have @fit: for it, generated code chooses which elements of an array are sent. */
static bool check_fit(checker *k, const field_info *info, span at)
{
    const field *f = info->field;
    message *m;
    if (info->declarator->baseline)
        return true; /* see check_datagrams */
    if (f->array == ARRAY_NONE) {
        diag_error(k->diag, at, "'@fit' is only for arrays");
        return false;
    }
    if (f->local) {
        diag_error(k->diag, at, "'@fit' chooses the elements to send, but '%s' is local", f->name);
        return false;
    }
    const bool in_datagram = info_of(k, f->owner)->has_parts;
    if (in_datagram && !f->owner->delta && f->array != ARRAY_COUNTED) {
        m = diag_error(k->diag, at, "in a packet with parts, '@fit' is for counted arrays and for one of the parts");
        const ast_dim *dims = f->array == ARRAY_FIXED && f->dim_count == 1 ? info->declarator->dims : NULL;
        diag_fix(k->diag, m, (edit){dims ? dims->span : at, dims ? arena_printf(k->arena, "[<=%u]", f->dims[0]) : NULL},
                 "write `%s[<=%u]`, or put '%s' into a struct that is a part", f->name, f->dims[0], f->name);
        return false;
    }
    if (f->array != ARRAY_SPARSE && !info->declarator->by.text && !f->owner->delta && !in_datagram) {
        m = diag_error(k->diag, at,
                       "'@fit' is for sparse arrays, lists and arrays in @delta types, but '%s' is not @delta",
                       f->owner->name);
        help_with_attribute(k, m, f->owner, "@delta",
                            info->declarator->by.text ? "" : arena_printf(k->arena, ", or make '%s' sparse", f->name));
        return false;
    }
    if (f->dim_count > 1) {
        diag_error(k->diag, at, "an array with '@fit' can have only one dimension");
        return false;
    }
    if (f->optional || info->conditional) {
        m = diag_error(k->diag, at, "an array with '@fit' cannot be %s", f->optional ? "optional" : "inside a branch");
        diag_help(k->diag, m, "make it a plain member of the struct or packet");
        return false;
    }
    return true;
}

void check_field_attributes(checker *k, field_info *info, const ast_attribute *list)
{
    const ast_attribute *found[ATTRIBUTE_COUNT] = {NULL};
    field *f = info->field;
    check_list(k, NULL, list, found);
    f->deprecated = found[ATTRIBUTE_DEPRECATED] != NULL;
    f->fit = found[ATTRIBUTE_FIT] && !info->broken && check_fit(k, info, found[ATTRIBUTE_FIT]->span);
    f->convert = release_of(k, found[ATTRIBUTE_CONVERT]);
    f->lossy = release_of(k, found[ATTRIBUTE_LOSSY]);
    info->speed = found[ATTRIBUTE_SPEED];
    info->mix = found[ATTRIBUTE_MIX];
    info->tolerance = found[ATTRIBUTE_NEAR];
    if (f->local && found[ATTRIBUTE_LOSSY])
        diag_error(k->diag, found[ATTRIBUTE_LOSSY]->span, "'@lossy' is for fields that are sent, but '%s' is local",
                   f->name);
    if (f->local && found[ATTRIBUTE_CONVERT])
        diag_error(k->diag, found[ATTRIBUTE_CONVERT]->span, "'@convert' is for fields that are sent, but '%s' is local",
                   f->name);
}

/* ---- @mix and @near of fields */

static void check_field_mix(checker *k, const field_info *info)
{
    field *f = info->field;
    const value_sort sort = type_row_of(&f->type)->sort;
    if (info->mix->value && is_value_word(info->mix->value, "cut")) {
        f->cuts = true;
    } else if (info->mix->value) {
        f->steps = point_of(k, info->mix, &f->point);
    } else if (sort == SORT_INTEGER) {
        f->mixed = true;
    } else {
        message *m = diag_error(k->diag, info->mix->span, "'@mix' without a point is for integers, but '%s' is %s",
                                f->name, type_text(k, &f->type));
        if (type_row_of(&f->type)->steps || sort == SORT_UNIT || is_composite(&f->type))
            diag_fix(k->diag, m, without(info->mix->span), "remove '@mix': such a field is mixed without it");
        else
            diag_fix(k->diag, m, (edit){info->mix->span, "@mix(0.5)"},
                     "write `@mix(0.5)` for a step halfway between two values");
    }
}

static void check_tolerance(checker *k, const field_info *info)
{
    field *f = info->field;
    if (!type_row_of(&f->type)->steps && f->type.kind != TYPE_UNIT) {
        message *m =
            diag_error(k->diag, info->tolerance->span, "'@near' is for numbers, quats and units, but '%s' is %s",
                       f->name, type_text(k, &f->type));
        if (is_composite(&f->type))
            diag_help(k->diag, m, "give '@near' to fields of '%s'", f->type.decl->name);
        else
            diag_help(k->diag, m, "other fields are near each other only if they are equal");
        return;
    }
    if (!evaluate_real(k, info->tolerance->value, "the tolerance of '@near'", &f->tolerance))
        return;
    f->has_near = f->tolerance >= 0;
    if (!f->has_near)
        diag_error(k->diag, info->tolerance->value->span, "the tolerance of '@near' must be 0 or more");
}

void check_mix(checker *k, const field_info *info)
{
    const field *f = info->field, *start = f->after;
    const ast_attribute *given = info->mix ? info->mix : info->tolerance;
    const field_info *first = start ? find_field(k, f->owner, start->name) : NULL;
    const ast_attribute *mix = info->mix ? info->mix : first ? first->mix : NULL;
    if (f->local && given) {
        diag_error(k->diag, given->span, "'@%s' is for fields that are sent, but '%s' is local", given->name.text,
                   f->name);
        return;
    }
    if (start && mix) {
        message *m = diag_error(k->diag, mix->span, "'%s' must stay after '%s', so neither of them can have '@mix'",
                                f->name, start->name);
        diag_fix(k->diag, m, without(mix->span), "remove '@mix'");
        return;
    }
    if (start && start->type.wraps) { /* it would be mixed, and this field would not */
        first->field->steps = true;
        first->field->point = POINT_OF_TYPE;
    }
    if (info->mix)
        check_field_mix(k, info);
    if (info->tolerance)
        check_tolerance(k, info);
}

/* Types contain each other in no circle. */
static void mark_mixed(checker *k, const decl *d)
{
    decl_info *info = info_of(k, d);
    if (info->in_mix)
        return;
    info->in_mix = true;
    for (const field *f = d->fields; f; f = f->next)
        if (!f->local && is_composite(&f->type))
            mark_mixed(k, f->type.decl);
    for (const member *m = d->kind == DECL_UNION ? d->members : NULL; m; m = m->next)
        mark_mixed(k, m->type);
}

void warn_of_mix(checker *k)
{
    for (const decl *d = k->schema->decls; d; d = d->next)
        if (d->mixes)
            mark_mixed(k, d);
    for (const decl_info *d = k->decls; d; d = d->next)
        for (const field_info *i = d->in_mix || d->decl->kind != DECL_STRUCT ? NULL : d->fields; i; i = i->next) {
            const ast_attribute *given = i->mix ? i->mix : i->tolerance;
            if (!given)
                continue;
            message *m = diag_warning(k->diag, given->span, "'@%s' has no effect: no type with @mix contains '%s'",
                                      given->name.text, d->decl->name);
            help_with_attribute(k, m, d->decl, "@mix", "");
        }
}
