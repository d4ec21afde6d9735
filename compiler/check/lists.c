/* lists.c - checks lists, `Entity entities[<=256] by id`: counted arrays of structs that are sorted by a key.
 * SPDX-License-Identifier: MIT
 *
 * A list sends the keys of its elements, so the body of such a struct does not have its key. Other fields of the struct
 * would lose the key, and are refused.
 */
#include "check/check_internal.h"
#include "model/coding.h"
#include "model/type_table.h"
#include <assert.h>
#include <string.h>

/* The most elements of a list: a bit for each of them goes on the stack. */
enum { LIST_ELEMENTS = 65536 };

/* ---- the list itself */

/* Writes the length of the array so that the list is right. */
static void help_with_length(checker *k, message *m, const field_info *info)
{
    const field *f = info->field;
    const ast_declarator *d = info->declarator;
    const bool has_length = f->array != ARRAY_NONE && f->array != ARRAY_COMPUTED;
    const char *text = arena_printf(k->arena, "[<=%u]", has_length ? (unsigned)f->dims[0] : 256);
    const span at = d->dims && !d->dims->next ? d->dims->span : d->name.span;
    if (f->dim_count > 1)
        return;
    help_with_line(k, m, at, d->dims ? text : arena_printf(k->arena, "%s%s", f->name, text));
}

bool refuse_sparse_list(checker *k, const ast_field *ast, const ast_declarator *d)
{
    if (ast->modifier != AST_SPARSE || !d->by.text || !d->dims || d->dims->next)
        return false;
    const ast_expr *most = d->dims->kind == AST_DIM_UPTO_OF ? d->dims->low : d->dims->high;
    message *m = diag_error(k->diag, d->by.span, "'%s' is sparse, so it cannot be a list with a key", d->name.text);
    if (ast->declarators->next) {
        diag_help(k->diag, m, "write the list in a line of its own, without 'sparse'");
        return true;
    }
    span modifier = ast->modifier_span;
    modifier.end = ast->type.span.begin;
    k->statement = span_join(ast->type.span, d->span);
    help_with_line(k, m, d->dims->span, arena_printf(k->arena, "[<=%s]", span_text(k->arena, most->span)));
    diag_fix_also(k->diag, m, (edit){modifier, ""});
    return true;
}

static bool is_list_array(checker *k, const field_info *info)
{
    const field *f = info->field;
    const ast_name *by = &info->declarator->by;
    if (info->ast->modifier == AST_LOCAL || info->ast->modifier == AST_OPTIONAL) {
        const bool local = info->ast->modifier == AST_LOCAL;
        message *m = diag_error(k->diag, by->span, "'%s' is %s, so it cannot be a list with a key", f->name,
                                local ? "local" : "optional");
        diag_help(k->diag, m,
                  local ? "a local array has no order on the wire: leave out 'by'"
                        : "a list without elements takes only its count: leave out 'optional'");
        return false;
    }
    if (f->array != ARRAY_COUNTED || f->count_low != 0) {
        message *m = diag_error(k->diag, by->span, "a list with a key is an array of up to N elements, `[<=N]`");
        help_with_length(k, m, info);
        return false;
    }
    if (f->dims[0] > LIST_ELEMENTS) {
        diag_error(k->diag, info->declarator->dims->span, "a list with a key has at most %u elements",
                   (unsigned)LIST_ELEMENTS);
        return false;
    }
    if (f->type.kind != TYPE_STRUCT || f->type.decl->packet) {
        message *m = diag_error(k->diag, f->span, "the elements of a list with a key are structs, but '%s' has %s",
                                f->name, type_text(k, &f->type));
        diag_help(k->diag, m, "write a struct with the key and the value, such as struct Element with u16 %s",
                  by->text);
        return false;
    }
    if (info->declarator->chain || info->declarator->baseline) {
        message *m = diag_error(k->diag, info->declarator->delta_span, "a list with a key cannot have `delta(...)`");
        if (info->declarator->baseline)
            diag_help(k->diag, m, "put the list into a @delta struct, and make a field of that struct the part");
        return false;
    }
    return true;
}

/* ---- its key */

/* Why a field cannot be a key; NULL if it can. */
static const char *no_key(const field_info *key)
{
    const field *f = key->field;
    if (f->array != ARRAY_NONE)
        return "it is an array";
    if (key->ast->modifier == AST_OPTIONAL)
        return "it is optional, so an element could be without it";
    if (key->ast->modifier == AST_LOCAL)
        return "it is local and never sent";
    if (key->conditional)
        return "it is inside a branch, so an element could be without it";
    switch (type_row_of(&f->type)->sort) {
    case SORT_INTEGER:
        return f->type.kind == TYPE_COMPACT ? "a list already sends its keys in few bits: leave out 'compact'" : NULL;
    case SORT_ENUM:
        return f->type.decl->width == 0 && greatest_number_code(&f->type) >= f->type.decl->member_count
                   ? "its enum has numbers without a name between the members: give it a width, `: bits<8>`"
                   : NULL;
    case SORT_BOOL: return "a bool has only two values";
    case SORT_FLAGS: return "flags have no order: use an integer";
    case SORT_FIXED:
    case SORT_REAL: return "a key is an integer or an enum: use a number that does not change, such as an id";
    case SORT_STRING:
    case SORT_BYTES: return "a text would take its bytes in every packet: give each element a number";
    case SORT_STRUCT:
    case SORT_UNION:
    case SORT_QUAT:
    case SORT_UNIT:
    case SORT_REF:
    case SORT_FOREIGN: break;
    }
    return "a key is an integer or an enum, whose values have an order";
}

/* The list sends the key, so the field has no form of its own. */
static const char *word_of_key(const field_info *key)
{
    const char *word = word_of_form(key->declarator);
    return word                       ? word
           : key->field->type.wraps   ? "wrap"
           : key->declarator->initial ? "="
           : key->mix                 ? "@mix"
           : key->tolerance           ? "@near"
           : key->field->lossy        ? "@lossy"
                                      : NULL;
}

static bool is_key(checker *k, const field_info *list, const field_info *key)
{
    const ast_name *by = &list->declarator->by;
    const char *why = no_key(key), *word = word_of_key(key);
    if (why) {
        message *m = diag_error(k->diag, by->span, "'%s' cannot be the key of a list: %s", by->text, why);
        diag_note(k->diag, m, key->field->span, "it is declared here");
        return false;
    }
    if (word) {
        message *m = diag_error(k->diag, key->declarator->span, "'%s' is the key of a list, so it cannot have '%s'",
                                by->text, word);
        diag_note(k->diag, m, by->span, "the list is here, and sends its keys");
        if (key->field->lossy)
            diag_help(k->diag, m, "keys are the same in all releases, or the program converts the whole list");
        return false;
    }
    return true;
}

/* More elements than keys. */
static bool has_keys_enough(checker *k, const field_info *info, const field *key)
{
    const uint64_t codes = greatest_number_code(&key->type);
    if (info->field->dims[0] - 1 <= codes)
        return true;
    message *m = diag_error(k->diag, info->declarator->dims->span, "'%s' has only %llu different values", key->name,
                            (unsigned long long)codes + 1);
    help_with_line(k, m, info->declarator->dims->span,
                   arena_printf(k->arena, "[<=%llu]", (unsigned long long)codes + 1));
    diag_note(k->diag, m, key->span, "the key is here");
    return false;
}

/* False after an error, whether of this list or of what it needs. */
static bool resolve_list(checker *k, const field_info *info)
{
    field *f = info->field;
    const ast_name *by = &info->declarator->by;
    if (!is_list_array(k, info))
        return false;
    decl_info *of = info_of(k, f->type.decl);
    field_info *key = find_field(k, of->decl, by->text);
    if (of->damaged || (key && key->broken))
        return false;
    if (!key) {
        if (!k->incomplete) {
            message *m = diag_error(k->diag, by->span, "'%s' has no field '%s'", of->decl->name, by->text);
            suggest_member(k, m, of->decl, by);
        }
        return false;
    }
    use_field(k->options->uses, by->span, key->field);
    if (of->decl->key && of->decl->key != key->field) {
        message *m = diag_error(k->diag, by->span, "the lists of '%s' have '%s' as their key, so '%s' cannot be one",
                                of->decl->name, of->decl->key->name, by->text);
        diag_help(k->diag, m, "a struct has one key: write another struct for this list");
        return false;
    }
    if (!is_key(k, info, key) || !has_keys_enough(k, info, key->field))
        return false;
    key->field->key = true;
    of->decl->key = f->by = key->field;
    return true;
}

/* ---- other fields of such a struct */

/* In `E list[<=8] by id, name;`, name is a field and no second key. The declarator before it; NULL if it is not such a field. */
static const ast_declarator *list_before(const checker *k, const field_info *info)
{
    const ast_declarator *before = info->ast->declarators;
    while (before && before->next != info->declarator)
        before = before->next;
    const bool is_bare = before && before->by.text && info->declarator->span.end == info->declarator->name.span.end;
    return is_bare && find_field(k, info->field->type.decl, info->field->name) ? before : NULL;
}

static void refuse_second_key(checker *k, const field_info *info, const ast_declarator *list)
{
    message *m = diag_error(k->diag, info->declarator->span, "a list has one key, so '%s' is another field here",
                            info->field->name);
    const span more = {.source = list->span.source, .begin = list->span.end, .end = info->declarator->span.end};
    k->statement = span_join(info->ast->type.span, info->declarator->span);
    help_with_line(k, m, more, "");
}

static void refuse_without_key(checker *k, const decl *d, span at, const char *what)
{
    message *m = diag_error(k->diag, at, "'%s' is the struct of a list, which sends its key '%s', so %s would lose it",
                            d->name, d->key->name, what);
    diag_note(k->diag, m, d->key->span, "the key is here");
    diag_help(k->diag, m, "put the other fields of '%s' into a struct of their own, and use that one here", d->name);
}

static void check_other_fields(checker *k, const decl_info *d)
{
    for (const field_info *i = d->fields; i; i = i->next) {
        const type *t = &i->field->type;
        if (i->broken || t->kind != TYPE_STRUCT || !t->decl->key || i->field->by || i->field->local)
            continue;
        const ast_declarator *list = list_before(k, i);
        if (list)
            refuse_second_key(k, i, list);
        else
            refuse_without_key(k, t->decl, i->ast->type.span, "a field");
    }
    for (const member *m = d->decl->kind == DECL_UNION ? d->decl->members : NULL; m; m = m->next)
        if (m->type && m->type->key)
            refuse_without_key(k, m->type, m->span, "a union");
}

void check_lists(checker *k)
{
    for (decl_info *d = k->decls; d; d = d->next) {
        look_from(k, d->file);
        for (field_info *i = d->decl->kind == DECL_STRUCT && !d->damaged ? d->fields : NULL; i; i = i->next) {
            k->statement = span_join(i->ast->type.span, i->declarator->span);
            if (i->declarator->by.text && !i->broken)
                i->broken = !resolve_list(k, i);
        }
    }
    for (const decl_info *d = k->decls; d; d = d->next)
        check_other_fields(k, d);
}

void check_list_members(checker *k)
{
    for (const decl *d = k->schema->decls; d; d = d->next) {
        if (!d->key || !d->holds_private)
            continue;
        const field *f = d->fields;
        while (f && !f->local && !(is_composite(&f->type) && f->type.decl->holds_private))
            f = f->next;
        message *m = f ? diag_error(k->diag, f->span, "'%s' %s of the program, and '%s' is the struct of a list",
                                    f->name, f->local ? "is a member" : "has members", d->name)
                       : diag_error(k->diag, d->span,
                                    "'%s' is a type of the program, so it cannot be the struct of a list", d->name);
        diag_help(k->diag, m,
                  "the elements of a list move when others come and go: keep such data in an array of your "
                  "own, by the key '%s'",
                  d->key->name);
    }
}
