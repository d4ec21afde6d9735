/* condition_names.c - resolves a name in a condition: a member, a field, a field's count or presence, or a constant.
 * SPDX-License-Identifier: MIT
 *
 * The name of a member has a meaning only beside a field of its enum or flags. The caller of check_path passes that
 * type (see condition.c).
 */
#include "check/condition_internal.h"
#include "model/type_table.h"

#include <assert.h>
#include <string.h>

/* ---- fields */

static bool has_members(const decl *d)
{
    return d && (d->kind == DECL_ENUM || d->kind == DECL_FLAGS);
}

/* Whether the field is on the wire before the condition or count on every path to it; if not, reports why. `through` is
 * the struct that the path has entered, NULL while it is still in the type that has the condition. */
static bool is_always_before(place p, const field_info *f, const ast_name *name, const decl *through)
{
    diag *d = p.k->diag;
    message *m;
    if (f->field->local) {
        m = diag_error(d, name->span, "'%s' is local; a %s can only use fields that are on the wire", f->field->name,
                       p.what);
    } else if (!through && p.goes) {
        return f->field->key || is_wherever(p.k, p.goes, f->field, name);
    } else if (through && f->conditional) {
        m = diag_error(d, name->span, "'%s' is not always on the wire: it is inside an 'if' or 'switch' of '%s'",
                       f->field->name, through->name);
    } else if (!through && !f->open && f->field->span.begin >= name->span.begin) {
        m = diag_error(d, name->span, "'%s' comes later on the wire than this %s", f->field->name, p.what);
    } else if (!through && !f->open) {
        m = diag_error(d, name->span, "'%s' is not always on the wire before this %s: it is inside another branch",
                       f->field->name, p.what);
    } else {
        return true;
    }
    diag_note(d, m, f->field->span, "'%s' is declared here", f->field->name);
    return false;
}

/* The field x, for the name x_count or has_x. */
static field_info *find_related(place p, const decl *owner, const char *name, expr_kind *kind)
{
    static const char count[] = "_count", has[] = "has_";
    const size_t count_size = sizeof count - 1, has_size = sizeof has - 1;
    size_t size = strlen(name);
    field_info *f = NULL;
    if (size > count_size && strcmp(name + size - count_size, count) == 0) {
        *kind = EXPR_COUNT;
        f = find_field(p.k, owner, intern(p.k->names, name, size - count_size));
    }
    if (!f && size > has_size && memcmp(name, has, has_size) == 0) {
        *kind = EXPR_HAS;
        f = find_field(p.k, owner, intern(p.k->names, name + has_size, size - has_size));
    }
    return f;
}

/* What T_fit_write_delta chooses. It measures everything else once, so nothing else may depend on the choice. */
static void refuse_chosen(place p, const field *f, span at, const char *chosen)
{
    message *m = diag_error(p.k->diag, at, "'%s' has '@fit', so a %s cannot use its %s: what fits decides it", f->name,
                            p.what, chosen);
    diag_note(p.k->diag, m, f->span, "'%s' is declared here", f->name);
    diag_help(p.k->diag, m, "send a field that says what the %s needs to know", p.what);
}

/* A writer decides by the value in memory, and a reader by the one that was sent. */
static void refuse_clamped(place p, const field_info *f, span at)
{
    message *m = diag_error(p.k->diag, at, "'%s' has 'clamp', so a %s cannot use it: it may not be sent as it is",
                            f->field->name, p.what);
    diag_note(p.k->diag, m, f->field->span, "'%s' is declared here", f->field->name);
    diag_fix(p.k->diag, m, without(f->declarator->clamp), "remove its 'clamp'");
}

static expr *count_of(place p, expr *made, const field *f, span at)
{
    if (f->array != ARRAY_COUNTED) {
        diag_error(p.k->diag, at, "'%s' has no count; only a counted array does, such as `%s[<=N]`", f->name, f->name);
        return NULL;
    }
    if (f->optional) {
        diag_error(p.k->diag, at, "the count of '%s' is not always on the wire, because '%s' is optional; 'has_%s' is",
                   f->name, f->name, f->name);
        return NULL;
    }
    if (f->fit && f->owner == p.owner && !info_of(p.k, f->owner)->has_parts) {
        refuse_chosen(p, f, at, "count");
        return NULL;
    }
    return as_number(made, (interval){num_u64(f->count_low), num_u64(f->dims[0])});
}

static expr *presence_of(place p, expr *made, const field *f, span at)
{
    if (!f->optional) {
        diag_error(p.k->diag, at, "'%s' is not optional, so there is no 'has_%s'", f->name, f->name);
        return NULL;
    }
    return as_bool(made);
}

static bool is_in_condition(place p)
{
    return strcmp(p.what, "condition") == 0;
}

static void refuse_array(place p, const field *f, span at)
{
    message *m = diag_error(p.k->diag, at, "'%s' is an array, and %ss cannot use array elements", f->name, p.what);
    if (f->optional && is_in_condition(p))
        help_with_presence(p.k, m, f, at);
    else if (f->array == ARRAY_COUNTED)
        diag_help(p.k->diag, m, "'%s_count' is its number of elements", f->name);
}

static void refuse_optional(place p, const field *f, span at)
{
    if (!is_in_condition(p)) {
        diag_error(p.k->diag, at, "'%s' is optional, so its value is not always on the wire", f->name);
        return;
    }
    message *m = diag_error(p.k->diag, at, "'%s' is optional, so its value is not always on the wire; 'has_%s' is",
                            f->name, f->name);
    help_with_presence(p.k, m, f, at);
}

static message *refuse_type(place p, const field *f, span at)
{
    if (!is_in_condition(p))
        return diag_error(p.k->diag, at, "'%s' is %s; a count can only use integers, and `bits()` of flags", f->name,
                          type_text(p.k, &f->type));
    return diag_error(p.k->diag, at,
                      "'%s' is %s; conditions can only use bools, integers, enums, flags and fixed numbers", f->name,
                      type_text(p.k, &f->type));
}

static expr *ones_expr(place p, expr *made, const field *f, span at)
{
    const type *t = &f->type;
    const value_sort sort = type_row_of(t)->sort;
    uint64_t most = 0;
    if (f->array != ARRAY_NONE || (sort != SORT_FLAGS && (sort != SORT_INTEGER || t->low.negative))) {
        diag_error(p.k->diag, at, "`bits()` counts the set bits of flags or of an unsigned integer, but '%s' is %s",
                   f->name, f->array != ARRAY_NONE ? "an array" : type_text(p.k, t));
        return NULL;
    }
    if (f->optional) {
        refuse_optional(p, f, at);
        return NULL;
    }
    while (most < 64 && t->high.magnitude >= UINT64_MAX >> (63 - most))
        most++;
    made->kind = EXPR_ONES;
    return as_number(made, (interval){num_u64(t->low.magnitude != 0), num_u64(most)});
}

/* Whether a field always has one value; otherwise reports why a name cannot stand for it. */
static bool is_single(place p, const field *f, span at)
{
    if (f->array != ARRAY_NONE)
        refuse_array(p, f, at);
    else if (f->optional)
        refuse_optional(p, f, at);
    return f->array == ARRAY_NONE && !f->optional;
}

static expr *field_expr(place p, expr *made, const field *f, span at)
{
    checker *k = p.k;
    if (!is_single(p, f, at))
        return NULL;
    const value_sort sort = type_row_of(&f->type)->sort;
    if (!is_in_condition(p) && sort != SORT_INTEGER && sort != SORT_STRUCT) {
        refuse_type(p, f, at);
        return NULL;
    }
    switch (sort) {
    case SORT_BOOL: return as_bool(made);
    case SORT_INTEGER:
    case SORT_FIXED: return as_number(made, (interval){f->type.low, f->type.high});
    case SORT_ENUM:
    case SORT_FLAGS: made->of = f->type.decl; return as_number(made, (interval){f->type.low, f->type.high});
    case SORT_REAL:
    case SORT_QUAT:
    case SORT_UNIT:
        diag_help(k->diag, refuse_type(p, f, at), "send a bool that says what the condition needs to know");
        return NULL;
    case SORT_STRUCT:
        diag_error(k->diag, at, "'%s' is %s; a %s can use one of its fields, as in `%s.%s`", f->name,
                   type_text(k, &f->type), p.what, f->name, f->type.decl->fields ? f->type.decl->fields->name : "x");
        return NULL;
    case SORT_STRING:
    case SORT_BYTES:
    case SORT_UNION:
    case SORT_REF:
    case SORT_FOREIGN: refuse_type(p, f, at); return NULL;
    }
    assert(false && "not a value");
    return NULL;
}

/* The struct in which to look up `rest`, the part of the path after f. NULL after an error. */
static const decl *struct_of(place p, const field *f, span at, const ast_path *rest, span whole)
{
    if (f->type.kind != TYPE_STRUCT) {
        message *m = diag_error(p.k->diag, at, "'%s' is %s, which has no fields", f->name, type_text(p.k, &f->type));
        if (has_members(f->type.decl) && f->array == ARRAY_NONE && !f->optional)
            help_with_dot(p.k, m, at, f->type.decl, rest, whole);
        return NULL;
    }
    return is_single(p, f, at) ? f->type.decl : NULL;
}

static void unknown_field(place p, const decl *owner, const ast_name *name)
{
    if (!p.k->incomplete) {
        message *m = diag_error(p.k->diag, name->span, "'%s' has no field '%s'", owner->name, name->text);
        suggest_member(p.k, m, owner, name);
    }
}

/* Resolves a path of fields from p.owner on, and appends it to made. */
static expr *follow(place p, expr *made, const ast_path *step)
{
    path **last = &made->path;
    const decl *owner = p.owner;
    const decl *through = NULL;
    for (; step; step = step->next) {
        expr_kind kind = EXPR_FIELD;
        field_info *f = find_field(p.k, owner, step->name.text);
        if (!f && !step->next && !p.ones)
            f = find_related(p, owner, step->name.text, &kind);
        if (!f) {
            unknown_field(p, owner, &step->name);
            return NULL;
        }
        use_field(p.k->options->uses, step->name.span, f->field);
        if (f->broken || !is_always_before(p, f, &step->name, through))
            return NULL;
        *last = ARENA_NEW(p.k->arena, path);
        (*last)->field = f->field;
        last = &(*last)->next;
        made->kind = kind;
        if (kind == EXPR_COUNT)
            return count_of(p, made, f->field, step->name.span);
        if (kind == EXPR_HAS)
            return presence_of(p, made, f->field, step->name.span);
        if (!step->next && f->declarator->clamp.source) {
            refuse_clamped(p, f, step->name.span);
            return NULL;
        }
        if (!step->next) {
            f->field->asked = true;
            f->asks++;
            return (p.ones ? ones_expr : field_expr)(p, made, f->field, step->name.span);
        }
        if (f->declarator->baseline && f->field->fit) {
            refuse_chosen(p, f->field, step->name.span, "value");
            return NULL;
        }
        through = owner = struct_of(p, f->field, step->name.span, step->next, made->span);
        if (!owner)
            return NULL;
    }
    assert(false && "a path has a name");
    return NULL;
}

/* ---- names */

static expr *constant_value(place p, decl_info *d, const ast_expr *e)
{
    if (d->decl->kind != DECL_CONST) {
        message *m = diag_error(p.k->diag, e->span, "'%s' is a type, not a value", d->decl->name);
        if (has_members(d->decl) && e->as.path->next)
            help_with_line(p.k, m, e->span, e->as.path->next->name.text);
        return NULL;
    }
    constant c = constant_of(p.k, d);
    if (c.kind == CONSTANT_BROKEN)
        return NULL;
    if (e->as.path->next) {
        diag_error(p.k->diag, e->span, "'%s' is a constant, which has no fields", d->decl->name);
        return NULL;
    }
    if (c.kind == CONSTANT_REAL) {
        diag_error(p.k->diag, e->span, "expected an integer, but '%s' is a real number", d->decl->name);
        return NULL;
    }
    assert(c.kind == CONSTANT_INTEGER);
    return number(p.k, e->span, c.integer);
}

/* An enum or flags, visible from the current file, that has a member of this name; or NULL. */
static const decl *type_of_member(const checker *k, const char *name)
{
    for (const decl_info *d = k->decls; d; d = d->next)
        if (has_members(d->decl) && peek_decl(k, d->decl->name) == d && find_member(k, d->decl, name))
            return d->decl;
    return NULL;
}

/* In `if (keys && fire)` the name of a member is not beside a field of its type. */
static void help_with_member(checker *k, message *m, const char *name)
{
    const decl *of = type_of_member(k, name);
    if (of) {
        diag_help(k->diag, m, "'%s' is a member of '%s': use it as in `x %s %s`, where x is a field of that type", name,
                  of->name, of->kind == DECL_ENUM ? "==" : "&", name);
    }
}

static void unknown_name(place p, const ast_name *name, const decl *about)
{
    checker *k = p.k;
    if (k->incomplete)
        return;
    message *m;
    if (about) {
        m = diag_error(k->diag, name->span, "'%s' is not a member of '%s'", name->text, about->name);
        suggest_member(k, m, about, name);
    } else if (p.owner) {
        m = diag_error(k->diag, name->span, "'%s' is neither a field of '%s' nor a constant", name->text,
                       p.owner->name);
        suggest_member(k, m, p.owner, name);
        help_with_member(k, m, name->text);
    } else {
        diag_error(k->diag, name->span, "'%s' is not a constant; a case must be one", name->text);
    }
}

expr *check_path(place p, const ast_expr *e, const decl *about)
{
    const ast_path *first = e->as.path;
    const char *name = first->name.text;
    expr_kind kind;
    field_info *f = p.owner ? find_field(p.k, p.owner, name) : NULL;
    const member *m = about && !first->next ? find_member(p.k, about, name) : NULL;
    if (m && f && f->open) {
        message *error = diag_error(p.k->diag, e->span, "'%s' is both a field and a member of '%s'", name, about->name);
        diag_note(p.k->diag, error, f->field->span, "this is the field");
        diag_note(p.k->diag, error, m->span, "this is the member");
        return NULL;
    }
    if (m) {
        use_member(p.k->options->uses, first->name.span, about, m);
        expr *made = number(p.k, e->span, m->value);
        made->of = about;
        made->name = m->name;
        return made;
    }
    if (f || (p.owner && !first->next && find_related(p, p.owner, name, &kind)))
        return follow(p, new_expr(p.k, EXPR_FIELD, e->span), first);
    decl_info *d = peek_decl(p.k, name);
    if (d) {
        use_decl(p.k->options->uses, first->name.span, d->decl);
        return constant_value(p, d, e);
    }
    unknown_name(p, &first->name, about);
    return NULL;
}

expr *check_ones(place p, const ast_expr *e)
{
    const ast_name *name = &e->as.path->name;
    p.ones = true;
    if (p.owner && find_field(p.k, p.owner, name->text))
        return follow(p, new_expr(p.k, EXPR_FIELD, e->span), e->as.path);
    if (peek_decl(p.k, name->text))
        diag_error(p.k->diag, name->span, "`bits()` counts the set bits of a field, not of %s '%s'",
                   decl_noun(peek_decl(p.k, name->text)->decl), name->text);
    else
        unknown_name(p, name, NULL);
    return NULL;
}

bool names_field(checker *k, const decl *owner, const char *name)
{
    expr_kind kind;
    return find_field(k, owner, name) || find_related((place){.k = k, .owner = owner}, owner, name, &kind);
}

bool takes_members(const ast_expr *e)
{
    return e->operator== OPERATOR_MASK || e->operator== OPERATOR_ADD;
}

const decl *about_of(place p, const ast_expr *e)
{
    const decl *owner = p.owner;
    const field_info *f = NULL;
    const decl *found = NULL;
    if (e->kind == AST_PATH) {
        for (const ast_path *step = e->as.path; step && owner; step = step->next) {
            f = find_field(p.k, owner, step->name.text);
            owner = f && !f->broken ? f->field->type.decl : NULL;
        }
        return has_members(owner) ? owner : NULL;
    }
    if (takes_members(e) && enter(p.k, e->span)) {
        found = about_of(p, e->as.sides.left);
        found = found ? found : about_of(p, e->as.sides.right);
        leave(p.k);
    }
    return found;
}

static bool is_unknown_or_real(place p, const ast_path *name)
{
    expr_kind kind;
    const char *text = name->name.text;
    if (name->next || (p.owner && (find_field(p.k, p.owner, text) || find_related(p, p.owner, text, &kind))))
        return false;
    const decl_info *d = peek_decl(p.k, text);
    return !d || (d->decl->kind == DECL_CONST && d->decl->is_real);
}

bool may_be_right(place p, const ast_expr *e)
{
    bool may = false;
    if (e->kind == AST_PATH)
        return is_unknown_or_real(p, e->as.path);
    if (e->operator== OPERATOR_NEGATE)
        return e->as.sides.left->kind == AST_REAL;
    if (takes_members(e) && enter(p.k, e->span)) {
        may = may_be_right(p, e->as.sides.left) && may_be_right(p, e->as.sides.right);
        leave(p.k);
    }
    return may || e->kind == AST_REAL;
}
