/* attributes.c - checks attributes such as @delta and @budget(1200), and puts them into the model.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include <assert.h>
#include <string.h>

typedef enum attribute {
    ATTRIBUTE_ANSWERS,
    ATTRIBUTE_BUDGET,
    ATTRIBUTE_CONVERT,
    ATTRIBUTE_DELTA,
    ATTRIBUTE_DEPRECATED,
    ATTRIBUTE_FIT,
    ATTRIBUTE_LARGE,
    ATTRIBUTE_LOSSY,
    ATTRIBUTE_RECEIVED,
    ATTRIBUTE_SEED,
    ATTRIBUTE_STABLE
} attribute;

static const char *const attribute_names[] = {"answers", "budget", "convert",  "delta", "deprecated", "fit",
                                              "large",   "lossy",  "received", "seed",  "stable"};

enum { MOST_RELEASES = 999999999 }; /* archive.h */

enum { ATTRIBUTE_COUNT = sizeof attribute_names / sizeof *attribute_names };

const char *attribute_name_at(size_t i)
{
    return i < ATTRIBUTE_COUNT ? attribute_names[i] : NULL;
}

/* NULL if the declaration can have the attribute; otherwise the kinds of declarations that can. d NULL: a field. */
static const char *why_misplaced(attribute a, const decl *d)
{
    bool is_struct = d && d->kind == DECL_STRUCT, is_union = d && d->kind == DECL_UNION;
    switch (a) {
    case ATTRIBUTE_STABLE: return is_struct && d->packet ? NULL : "packets that are no unions";
    case ATTRIBUTE_ANSWERS:
    case ATTRIBUTE_RECEIVED:
    case ATTRIBUTE_SEED:
    case ATTRIBUTE_BUDGET: return d && d->packet ? NULL : "packets and packet unions";
    case ATTRIBUTE_CONVERT: return !d || is_struct || is_union ? NULL : "fields, structs, packets and unions";
    case ATTRIBUTE_DELTA: return is_struct || (is_union && d->packet) ? NULL : "structs, packets and packet unions";
    case ATTRIBUTE_LARGE: return is_struct || is_union ? NULL : "structs, packets and unions";
    case ATTRIBUTE_DEPRECATED: return NULL;
    case ATTRIBUTE_LOSSY: return !d || d->kind == DECL_ENUM ? NULL : "fields and enums";
    case ATTRIBUTE_FIT: return d ? "arrays" : NULL; /* of a field: see check_fit */
    }
    assert(false && "no such attribute");
    return NULL;
}

static bool takes_value(attribute a)
{
    return a == ATTRIBUTE_ANSWERS || a == ATTRIBUTE_BUDGET || a == ATTRIBUTE_CONVERT || a == ATTRIBUTE_LOSSY ||
           a == ATTRIBUTE_STABLE;
}

/* Whether the attribute's value is right, or missing where it needs none. */
static bool right_value(checker *k, attribute a, const ast_attribute *ast)
{
    if (a == ATTRIBUTE_BUDGET && !ast->value) {
        diag_error(k->diag, ast->span, "'@budget' needs a number of bytes, as in `@budget(1200)`");
        return false;
    }
    if (a == ATTRIBUTE_CONVERT && !ast->value) {
        diag_error(k->diag, ast->span,
                   "'@convert' needs the number of the last release that the program converts, as in `@convert(3)`");
        return false;
    }
    if (a == ATTRIBUTE_LOSSY && !ast->value) {
        diag_error(k->diag, ast->span,
                   "'@lossy' needs the number of the last release that may lose something, as in `@lossy(3)`");
        return false;
    }
    if (a == ATTRIBUTE_ANSWERS && !ast->value) {
        diag_error(k->diag, ast->span, "'@answers' needs the packet that it answers, as in `@answers(Hello)`");
        return false;
    }
    if (a == ATTRIBUTE_DELTA && ast->value) {
        const ast_expr *e = ast->value;
        bool right = e->kind == AST_PATH && !e->parenthesized && !e->as.path->next &&
                     strcmp(e->as.path->name.text, "predict") == 0;
        if (!right)
            diag_error(k->diag, e->span, "'@delta' takes nothing but 'predict', as in `@delta(predict)`");
        return right;
    }
    if (!takes_value(a) && ast->value) {
        diag_error(k->diag, ast->span, "'@%s' takes no value", ast->name.text);
        return false;
    }
    return true;
}

/* The index of an attribute; ATTRIBUTE_COUNT after an error. */
static size_t find_attribute(checker *k, const ast_attribute *ast)
{
    suggestion s = {.wanted = ast->name.text};
    size_t a = 0;
    while (a < ATTRIBUTE_COUNT && strcmp(attribute_names[a], ast->name.text) != 0) {
        suggest(&s, attribute_names[a]);
        a++;
    }
    if (a == ATTRIBUTE_COUNT) {
        message *m = diag_error(k->diag, ast->span, "unknown attribute '@%s'", ast->name.text);
        if (strcmp(ast->name.text, "was") == 0) {
            diag_help(k->diag, m, "'was' is a word and not an attribute: `was \"name\"`");
        } else if (strcmp(ast->name.text, "coded") == 0) {
            diag_help(k->diag, m, "'coded' is a word and not an attribute, behind the name of a field: `u8 x coded;`");
        } else if (strncmp(ast->name.text, "predict", 7) == 0) {
            diag_fix(k->diag, m, (edit){ast->span, "@delta(predict)"}, "a predicted delta is `@delta(predict)`");
        } else if (s.best) {
            diag_fix(k->diag, m, (edit){ast->name.span, s.best}, "did you mean '@%s'?", s.best);
        } else {
            diag_help(k->diag, m,
                      "the attributes are `@answers(packet)`, `@budget(bytes)`, `@convert(release)`, `@delta`, "
                      "`@deprecated`, `@fit`, `@large`, `@lossy(release)`, `@received`, `@seed` and `@stable(id)`");
        }
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
        } else if (why_misplaced((attribute)a, d)) {
            diag_error(k->diag, ast->span, "'@%s' is only for %s", ast->name.text, why_misplaced((attribute)a, d));
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
    if (f->array != ARRAY_SPARSE && !f->owner->delta && !in_datagram) {
        m = diag_error(k->diag, at,
                       "'@fit' is for sparse arrays and for arrays in @delta types, but '%s' is not @delta",
                       f->owner->name);
        help_with_attribute(k, m, f->owner, "@delta", arena_printf(k->arena, ", or make '%s' sparse", f->name));
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

void check_field_attributes(checker *k, const field_info *info, const ast_attribute *list)
{
    const ast_attribute *found[ATTRIBUTE_COUNT] = {NULL};
    field *f = info->field;
    check_list(k, NULL, list, found);
    f->deprecated = found[ATTRIBUTE_DEPRECATED] != NULL;
    f->fit = found[ATTRIBUTE_FIT] && !info->broken && check_fit(k, info, found[ATTRIBUTE_FIT]->span);
    f->convert = release_of(k, found[ATTRIBUTE_CONVERT]);
    f->lossy = release_of(k, found[ATTRIBUTE_LOSSY]);
    if (f->local && found[ATTRIBUTE_LOSSY])
        diag_error(k->diag, found[ATTRIBUTE_LOSSY]->span, "'@lossy' is for fields that are sent, but '%s' is local",
                   f->name);
    if (f->local && found[ATTRIBUTE_CONVERT])
        diag_error(k->diag, found[ATTRIBUTE_CONVERT]->span, "'@convert' is for fields that are sent, but '%s' is local",
                   f->name);
}
