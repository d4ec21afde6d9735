/* fields.c - gives every struct its fields, with their types, arrays and modifiers. bodies.c does the rest.
 * SPDX-License-Identifier: MIT
 *
 * All fields of a struct, even in different blocks, share one namespace, because they are members of one C struct.
 */
#include "check/check_internal.h"
#include "model/type_table.h"
#include <assert.h>
#include <string.h>

enum { MAX_DIMS = sizeof((field *)0)->dims / sizeof((field *)0)->dims[0] };

typedef struct fields_state {
    checker *k;
    decl_info *decl;
    field_info **last_info;
    field **last_field;
    uint32_t count;
} fields_state;

/* ---- arrays */

/* Whether the length names an earlier field, so that the count is computed from it. */
static bool is_computed(checker *k, const ast_expr *e, const field *f)
{
    const char *name;
    switch (e->kind) {
    case AST_ONES: return true;
    case AST_PATH:
        name = e->as.path->name.text;
        return name != f->name && !peek_decl(k, name) && names_field(k, f->owner, name);
    case AST_OPERATOR: break;
    case AST_INT:
    case AST_REAL:
    case AST_BOOL: return false;
    }
    if (!enter(k, e->span))
        return false;
    const bool computed =
        is_computed(k, e->as.sides.left, f) || (e->as.sides.right && is_computed(k, e->as.sides.right, f));
    leave(k);
    return computed;
}

/* bodies.c finds out the count, once it is known which fields are before the array. */
static bool computed_array(checker *k, const ast_field *ast, const ast_dim *dims, field *f)
{
    const char *why = ast->modifier == AST_LOCAL      ? "be local: the fields are on the wire, and it is not"
                      : ast->modifier == AST_OPTIONAL ? "be optional"
                      : dims->next                    ? "have more than one dimension"
                                                      : NULL;
    f->array = ARRAY_COMPUTED;
    f->dim_count = 1;
    if (!why)
        return true;
    message *m = diag_error(k->diag, dims->span, "an array whose count is computed from fields cannot %s", why);
    if (ast->modifier == AST_OPTIONAL)
        diag_help(k->diag, m, "an array that is absent has a count of 0");
    else
        diag_help(k->diag, m, "the length of such an array is a constant, as in `%s[16]`", f->name);
    return false;
}

static bool has_computed_dim(checker *k, const ast_dim *dim, const field *f)
{
    while (dim && (dim->kind != AST_DIM_FIXED || !is_computed(k, dim->high, f)))
        dim = dim->next;
    return dim != NULL;
}

static bool fixed_array(checker *k, const ast_dim *dims, field *f)
{
    uint64_t total = 1;
    f->array = ARRAY_FIXED;
    for (const ast_dim *dim = dims; dim; dim = dim->next) {
        if (f->dim_count == MAX_DIMS) {
            diag_error(k->diag, dim->span, "an array can have at most %d dimensions", (int)MAX_DIMS);
            return false;
        }
        uint32_t *count = &f->dims[f->dim_count];
        if (!evaluate_small(k, dim->high, "the length of an array", 1, MAX_ELEMENTS, count))
            return false;
        f->dim_count++;
        total *= *count;
        if (total > MAX_ELEMENTS) {
            diag_error(k->diag, span_join(dims->span, dim->span),
                       "an array can have at most %u elements over all its dimensions; this one has more",
                       (unsigned)MAX_ELEMENTS);
            return false;
        }
    }
    return true;
}

static bool counted_array(checker *k, const ast_field *ast, const ast_dim *dim, field *f)
{
    f->array = ARRAY_COUNTED;
    f->dim_count = 1;
    if (!evaluate_small(k, dim->high, "the capacity of an array", 1, MAX_ELEMENTS, &f->dims[0]))
        return false;
    warn_of_range(k, ast, f, dim);
    return dim->kind == AST_DIM_UPTO ||
           evaluate_small(k, dim->low, "the least count of the array", 0, f->dims[0], &f->count_low);
}

static bool sparse_array(checker *k, const ast_dim *dim, field *f)
{
    f->array = ARRAY_SPARSE;
    f->dim_count = 1;
    if (dim->kind == AST_DIM_UPTO || dim->kind == AST_DIM_RANGE) {
        message *m = diag_error(k->diag, dim->span, "the length of a sparse array must be written [N] or [<=C of N]");
        diag_help(k->diag, m, "[<=C of N] is an array of N elements of which at most C are present at a time");
        return false;
    }
    if (!evaluate_small(k, dim->high, "the length of an array", 1, MAX_ELEMENTS, &f->dims[0]))
        return false;
    f->limit = f->dims[0];
    return dim->kind == AST_DIM_FIXED || evaluate_small(k, dim->low, "C in [<=C of N]", 1, f->dims[0], &f->limit);
}

static bool resolve_dims(checker *k, const ast_field *ast, const ast_dim *dims, field *f)
{
    bool sparse = ast->modifier == AST_SPARSE;
    if (!dims) {
        if (sparse) {
            diag_error(k->diag, f->span, "'%s' is sparse, so it needs a length: `%s[N]` or `%s[<=C of N]`", f->name,
                       f->name, f->name);
        }
        return !sparse;
    }
    if (!sparse && has_computed_dim(k, dims, f))
        return computed_array(k, ast, dims, f);
    const char *kind = sparse ? "a sparse" : "a counted";
    for (const ast_dim *dim = dims; dim && dims->next; dim = dim->next) {
        if (sparse || dim->kind != AST_DIM_FIXED) {
            diag_error(k->diag, span_join(dims->span, dim->next ? dim->next->span : dim->span),
                       "%s array can have only one dimension", kind);
            return false;
        }
    }
    if (sparse)
        return sparse_array(k, dims, f);
    switch (dims->kind) {
    case AST_DIM_FIXED: return fixed_array(k, dims, f);
    case AST_DIM_UPTO:
    case AST_DIM_RANGE: return counted_array(k, ast, dims, f);
    case AST_DIM_UPTO_OF: diag_error(k->diag, dims->span, "[<=C of N] is only for sparse arrays"); return false;
    }
    assert(false && "no such kind of dimension");
    return false;
}

/* In the order of sparse_mode. */
static const char *const mode_names[] = {"flag", "count", "sentinel", "relative", "bitmap", "auto"};

enum { MODE_COUNT = sizeof mode_names / sizeof *mode_names };

static bool resolve_modes(checker *k, const ast_field *ast, sparse_mode *mode, bool *keep)
{
    bool has_mode = false, sound = true;
    *mode = SPARSE_AUTO;
    *keep = false;
    for (const ast_mode *m = ast->modes; m; m = m->next) {
        suggestion s = {.wanted = m->name.text};
        size_t i = 0;
        while (i < MODE_COUNT && strcmp(mode_names[i], m->name.text) != 0) {
            suggest(&s, mode_names[i]);
            i++;
        }
        bool is_keep = strcmp(m->name.text, "keep") == 0;
        suggest(&s, "keep");
        if (is_keep && *keep) {
            diag_error(k->diag, m->name.span, "'keep' is given twice");
            sound = false;
        } else if (i < MODE_COUNT && has_mode) {
            diag_error(k->diag, m->name.span, "a sparse array can have only one mode");
            sound = false;
        } else if (is_keep) {
            *keep = true;
        } else if (i < MODE_COUNT) {
            *mode = (sparse_mode)i;
            has_mode = true;
        } else {
            message *e = diag_error(k->diag, m->name.span, "unknown sparse mode '%s'", m->name.text);
            if (!diag_suggest(k->diag, e, m->name.span, &s))
                diag_help(
                    k->diag, e,
                    "the modes are flag, count, sentinel, relative, bitmap and auto; each can be followed by keep");
            sound = false;
        }
    }
    return sound;
}

/* ---- fields */

static field_info *declare_field(fields_state *s, const ast_item *place, const ast_declarator *ast, ast_name name,
                                 bool conditional)
{
    checker *k = s->k;
    field *f = ARENA_WITH(k->arena, field, .name = name.text, .doc = keep_doc(k, place->doc), .span = name.span,
                          .owner = s->decl->decl);
    *s->last_field = f;
    s->last_field = &f->next;

    field_info *info = ARENA_NEW(k->scratch, field_info);
    info->field = f;
    use_field(k->options->uses, f->span, f);
    info->ast = &place->as.field;
    info->written = written_type(k, &info->ast->type);
    info->declarator = ast;
    info->conditional = conditional;
    info->order = s->count++;
    *s->last_info = info;
    s->last_info = &info->next;

    const field_info *before = find_field(k, f->owner, f->name);
    if (before) {
        message *m = diag_error(k->diag, f->span, "'%s' has two fields named '%s'", f->owner->name, f->name);
        diag_note(k->diag, m, before->field->span, "previous declaration is here");
        if (conditional)
            diag_help(k->diag, m, "the fields of all branches share one C struct, so their names must differ");
    } else {
        map_put(k->scratch, k->fields, f->owner, f->name, info);
    }
    return info;
}

/* Reports `pos Vec3;`, where the name of the field is that of a type, and its type is unknown. */
static bool is_swapped(checker *k, const ast_field *ast)
{
    const ast_name *type_name = &ast->type.name, *name = &ast->declarators->name;
    const decl_info *d = peek_decl(k, name->text);
    if (k->incomplete || !type_name->text || ast->type.has_arguments || ast->type.compact || ast->declarators->next ||
        type_word_named(type_name->text) || peek_decl(k, type_name->text) || !d || d->decl->kind == DECL_CONST)
        return false;
    span both = span_join(type_name->span, name->span);
    message *m = diag_error(k->diag, both, "the type of a field comes before its name");
    help_with_line(k, m, both, arena_printf(k->arena, "%s %s", name->text, type_name->text));
    return true;
}

static bool field_type(checker *k, const ast_field *ast, type *t)
{
    if (ast->type.name.text)
        return resolve_type(k, &ast->type, t);
    *t = (type){.kind = TYPE_FOREIGN, .c_type = ast->c_type, .span = ast->c_type_span};
    if (!is_c_type(ast->c_type, true)) {
        diag_error(k->diag, ast->c_type_span,
                   "a C type here can only be names and '*', such as \"void *\" or \"struct entity *\"");
        return false;
    }
    return true;
}

static void declare_fields(fields_state *s, const ast_item *place, bool conditional)
{
    checker *k = s->k;
    const ast_field *ast = &place->as.field;
    type t = {.kind = TYPE_BOOL};
    sparse_mode mode;
    bool keep;
    k->statement = place->span;
    bool swapped = is_swapped(k, ast);
    bool sound = !swapped && field_type(k, ast, &t);
    sound &= resolve_modes(k, ast, &mode, &keep);
    for (const ast_declarator *d = ast->declarators; d; d = d->next) {
        field_info *info = declare_field(s, place, d, swapped ? ast->type.name : d->name, conditional);
        field *f = info->field;
        f->type = t;
        f->local = ast->modifier == AST_LOCAL;
        f->optional = ast->modifier == AST_OPTIONAL;
        bool dims = !refuse_sparse_list(k, ast, d) && resolve_dims(k, ast, d->dims, f);
        info->broken = !sound || !dims;
        if (f->array == ARRAY_SPARSE) {
            f->mode = mode;
            f->keep = keep;
        }
        check_field_attributes(k, info, d->attributes);
    }
}

static void declare_items(fields_state *s, const ast_item *items, bool conditional);

static void declare_branch(fields_state *s, const ast_item *ast)
{
    while (ast) {
        declare_items(s, ast->as.branch.then.items, true);
        declare_items(s, ast->as.branch.other.items, true);
        ast = ast->as.branch.other_if;
    }
}

static void declare_items(fields_state *s, const ast_item *items, bool conditional)
{
    for (const ast_item *ast = items; ast; ast = ast->next) {
        switch (ast->kind) {
        case AST_FIELD: declare_fields(s, ast, conditional); break;
        case AST_IF: declare_branch(s, ast); break;
        case AST_SWITCH:
            for (const ast_label *label = ast->as.choice.labels; label; label = label->next)
                declare_items(s, label->items, true);
            break;
        case AST_ALIGN:
        case AST_CONST:
        case AST_RESERVED:
        case AST_CHECK: break;
        }
    }
}

void check_fields(checker *k)
{
    for (decl_info *d = k->decls; d; d = d->next) {
        if (d->decl->kind == DECL_STRUCT && !d->damaged) {
            look_from(k, d->file);
            d->has_parts = declares_parts(d->ast);
            fields_state s = {.k = k, .decl = d, .last_info = &d->fields, .last_field = &d->decl->fields};
            declare_items(&s, d->ast->body.items, false);
        }
    }
}
