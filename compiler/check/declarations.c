/* declarations.c - checks declarations except for the fields of structs: the protocol, constants, attributes, members.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/type_table.h"
#include <ctype.h>
#include <string.h>

/* ---- members */

/* Adds a member to the list and to the map of names. A second member of the same name is reported, but still listed. */
static member *declare_member(checker *k, decl *d, const ast_member *ast, member ***last)
{
    member *m = ARENA_NEW(k->arena, member);
    m->name = ast->name.text;
    m->doc = keep_doc(k, ast->doc);
    m->span = ast->name.span;
    use_member(k->options->uses, m->span, d, m);
    **last = m;
    *last = &m->next;
    d->member_count++;
    const member *before = find_member(k, d, m->name);
    if (before) {
        message *e = diag_error(k->diag, m->span, "'%s' has two members named '%s'", d->name, m->name);
        diag_note(k->diag, e, before->span, "previous declaration is here");
    } else {
        map_put(k->scratch, k->members, d, m->name, m);
    }
    return m;
}

static bool enum_width(checker *k, decl_info *info)
{
    const ast_type *t = &info->ast->width;
    if (!t->name.text || strcmp(t->name.text, "bits") != 0 || t->compact || !t->arguments || t->arguments->next) {
        message *m = diag_error(k->diag, t->span, "the width of an enum must be written `bits<N>`");
        k->statement = info->ast->span;
        if (!help_with_habit(k, m, t->span, HABIT_FILE))
            diag_fix(k->diag, m, (edit){t->span, "bits<8>"}, "for example, `enum %s : bits<8>`", info->decl->name);
        return false;
    }
    num n;
    if (!evaluate_integer(k, t->arguments, "the width of an enum in bits", num_u64(1), num_u64(64), &n))
        return false;
    info->decl->width = (unsigned)n.magnitude;
    return true;
}

static uint64_t all_ones(unsigned bits)
{
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The given value, or one more than the previous member's. False after an error. */
static bool enum_value(checker *k, const decl *d, const ast_member *ast, const member *previous, num high, num *result)
{
    const char *what = d->width ? arena_printf(k->arena, "a value of '%s', which has %u bit%s,", d->name, d->width,
                                               d->width == 1 ? "" : "s")
                                : "the value of an enum's member";
    const constant given = ast->value ? evaluate(k, ast->value) : (constant){.kind = CONSTANT_BROKEN};
    if (given.kind == CONSTANT_INTEGER && given.integer.negative) {
        message *m = diag_error(k->diag, ast->value->span, "%s must be from 0 to %s, not %s", what,
                                num_text(k->arena, high), num_text(k->arena, given.integer));
        if (previous)
            diag_fix(k->diag, m, (edit){{ast->span.source, ast->name.span.end, ast->value->span.end}, ""},
                     "write `%s`, which counts on from '%s'", ast->name.text, previous->name);
        else
            diag_fix(k->diag, m, (edit){ast->value->span, "0"},
                     "write `%s = 0`, from which the members after it count on", ast->name.text);
        return false;
    }
    if (ast->value)
        return evaluate_integer(k, ast->value, what, num_u64(0), high, result);
    if (previous && num_compare(previous->value, high) >= 0) {
        message *m = diag_error(k->diag, ast->name.span, "no value is left for '%s': %s must be from 0 to %s",
                                ast->name.text, what, num_text(k->arena, high));
        if (d->width && d->width < 64)
            diag_fix(k->diag, m,
                     (edit){info_of(k, d)->ast->width.span, arena_printf(k->arena, "bits<%u>", d->width + 1)},
                     "`bits<%u>` has room for it", d->width + 1);
        return false;
    }
    *result = num_u64(previous ? previous->value.magnitude + 1 : 0);
    return true;
}

/* The map of members also finds members by the text of their value. This is never a name, because it begins with a
 * digit. */
static void check_distinct_member(checker *k, const decl *d, member *m)
{
    const char *text = num_text(k->scratch, m->value);
    text = intern(k->names, text, strlen(text));
    const member *before = find_member(k, d, text);
    if (before) {
        message *e = diag_error(k->diag, m->span, "'%s' and '%s' both have the value %s", before->name, m->name, text);
        diag_note(k->diag, e, before->span, "'%s' is here", before->name);
    } else {
        map_put(k->scratch, k->members, d, text, m);
    }
}

static void check_enum(checker *k, decl_info *info)
{
    decl *d = info->decl;
    bool known = !info->ast->has_width || enum_width(k, info); /* whether a member without a value can be numbered */
    num high = num_u64(d->width ? all_ones(d->width) : UINT64_MAX);
    const member *previous = NULL;
    member **last = &d->members;
    d->type.bits = d->width;
    for (const ast_member *ast = info->ast->members; ast; ast = ast->next) {
        member *m = declare_member(k, d, ast, &last);
        known = (known || ast->value) && enum_value(k, d, ast, previous, high, &m->value);
        if (!known)
            continue;
        check_distinct_member(k, d, m);
        d->type.low = previous ? num_least(d->type.low, m->value) : m->value;
        d->type.high = previous ? num_greatest(d->type.high, m->value) : m->value;
        previous = m;
    }
    if (d->width) {
        d->type.low = num_u64(0);
        d->type.high = high;
    }
    d->type.storage = storage_for(d->type.high.magnitude);
}

static void check_flags(checker *k, decl_info *info)
{
    decl *d = info->decl;
    member **last = &d->members;
    for (const ast_member *ast = info->ast->members; ast; ast = ast->next) {
        member *m = declare_member(k, d, ast, &last);
        if (d->member_count == 65) {
            diag_error(k->diag, ast->name.span, "flags can have at most 64 members; '%s' is the 65th of '%s'", m->name,
                       d->name);
        }
        m->value = num_u64(d->member_count <= 64 ? UINT64_C(1) << (d->member_count - 1) : 0);
    }
    unsigned bits = d->member_count < 64 ? d->member_count : 64;
    num high = num_u64(all_ones(bits));
    d->type.storage = storage_for(high.magnitude);
    d->type.bits = bits;
    d->type.high = high;
}

static void check_union(checker *k, decl_info *info)
{
    decl *d = info->decl;
    member **last = &d->members;
    if (!info->ast->members && !k->incomplete)
        diag_error(k->diag, d->span, "union '%s' needs at least one member", d->name);
    for (const ast_member *ast = info->ast->members; ast; ast = ast->next) {
        member *m = declare_member(k, d, ast, &last);
        m->value = num_u64(d->member_count - 1);
        bool is_field = type_word_named(ast->type.text) && !peek_decl(k, ast->type.text);
        const decl_info *t = is_field ? NULL : find_decl(k, ast->type, "type");
        if (is_field) {
            message *e =
                diag_error(k->diag, ast->type.span, "union members must be structs or packets; '%s' is a built-in type",
                           ast->type.text);
            diag_help(k->diag, e, "wrap it in a struct, as in `struct Name { %s %s; }`", ast->type.text,
                      ast->name.text);
        }
        if (!t) {
            info->broken = true;
        } else if (t->decl->kind != DECL_STRUCT) {
            message *e = diag_error(k->diag, ast->type.span,
                                    "union members must be structs or packets; '%s' is neither", t->decl->name);
            diag_note(k->diag, e, t->decl->span, "it is declared here");
            info->broken = true;
        } else {
            m->type = t->decl;
        }
    }
}

/* ---- structs bound to a type of the program */

bool is_c_type(const char *text, bool stars)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != ' ' && !(stars && *c == '*'))
            return false;
    return true;
}

static bool is_header_name(const char *text)
{
    for (const char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c) || *c == '\\' || *c == '"')
            return false;
    return *text != '\0';
}

/* If a generated header includes itself, directly or not, the type is missing there. */
static void check_not_generated(checker *k, const decl_info *info)
{
    const ast_name *header = &info->ast->from_header;
    const char *name = strncmp(header->text, "./", 2) == 0 ? header->text + 2 : header->text;
    for (const schema_file *file = k->schema->files; file; file = file->next) {
        for (const char *const *ending = k->options->files->endings; *ending; ending++) {
            const char *made = arena_printf(k->arena, "%s%s", file->stem, *ending);
            if (strcmp(made, name) == 0) {
                message *m = diag_error(k->diag, header->span, "pktc generates '%s', so it cannot declare '%s'", made,
                                        info->ast->as_type.text);
                diag_help(k->diag, m, "declare the type in a header of another name");
                return;
            }
        }
    }
}

static void check_binding(checker *k, decl_info *info)
{
    const ast_decl *ast = info->ast;
    const char *as_type = ast->as_type.text, *header = ast->from_header.text;
    if (!is_c_type(as_type, false)) {
        message *m = diag_error(k->diag, ast->as_type.span,
                                "'as' must name a C type, such as \"vec3f\" or \"struct vec3\", not \"%s\"", as_type);
        if (strpbrk(as_type, ":<")) {
            diag_help(k->diag, m, "give the C++ type a name in %s, `using %s = %s;`, and write `as \"%s\"` here",
                      is_header_name(header) ? header : "the header", info->decl->name, as_type, info->decl->name);
        }
    }
    if (!is_header_name(header)) {
        diag_error(k->diag, ast->from_header.span,
                   "'from' must name the header that declares the type, such as \"mathlib.h\"");
    } else if (k->options->files) {
        check_not_generated(k, info);
    }
    info->decl->as_type = ast->as_type.text;
    info->decl->from_header = ast->from_header.text;
}

/* ---- types with a name */

/* Warns of a range where it is written, and not where the name is used. */
static void check_alias(checker *k, decl_info *info)
{
    const ast_type *written = &info->ast->named;
    const type *t = &info->decl->type;
    k->statement = info->ast->span;
    if (resolve_alias(k, info) && written->has_arguments && !warn_of_bits(k, written, t))
        check_quantized(k, written, t);
}

/* ---- all of them */

static void check_declaration(checker *k, decl_info *info)
{
    check_attributes(k, info->decl, info->ast->attributes);
    switch (info->decl->kind) {
    case DECL_CONST: constant_of(k, info); break;
    case DECL_ALIAS: check_alias(k, info); break;
    case DECL_ENUM: check_enum(k, info); break;
    case DECL_FLAGS: check_flags(k, info); break;
    case DECL_UNION: check_union(k, info); break;
    case DECL_STRUCT:
        if (info->ast->as_type.text)
            check_binding(k, info);
        break;
    }
}

/* Evaluates the version of the protocol whose name declare_all has recorded. */
static void check_protocol_version(checker *k)
{
    for (file_info *file = k->files; file; file = file->next) {
        look_from(k, file);
        for (const ast_decl *ast = file->tree->decls; ast; ast = ast->next) {
            if (ast->kind == AST_DECL_PROTOCOL && ast->name.span.begin == k->schema->protocol_span.begin &&
                file->file->root) {
                evaluate_integer(k, ast->value, "the version of a protocol", num_u64(0), num_u64(UINT64_MAX),
                                 &k->schema->version);
            }
        }
    }
}

void check_declarations(checker *k)
{
    static const type_kind type_of[] = {
        [DECL_CONST] = TYPE_FOREIGN, [DECL_ALIAS] = TYPE_FOREIGN, [DECL_ENUM] = TYPE_ENUM,
        [DECL_FLAGS] = TYPE_FLAGS,   [DECL_STRUCT] = TYPE_STRUCT, [DECL_UNION] = TYPE_UNION,
    };
    check_protocol_version(k);
    for (decl_info *d = k->decls; d; d = d->next)
        d->decl->type = (type){.kind = type_of[d->decl->kind], .decl = d->decl, .span = d->decl->span};
    for (decl_info *d = k->decls; d; d = d->next) {
        look_from(k, d->file);
        if (!d->damaged)
            check_declaration(k, d);
    }
}
