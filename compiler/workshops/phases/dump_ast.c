/* dump_ast.c - prints what --dump=tokens and --dump=ast show: the syntax as it was parsed, one node per line.
 * SPDX-License-Identifier: MIT
 *
 * Every line starts with the line and column of its node. Expressions are printed with all parentheses, to show how
 * they associate.
 */
#include "phases/dump_ast.h"

#include <inttypes.h>
#include <string.h>

static void show_start(FILE *to, span at, int depth)
{
    uint32_t line, column;
    source_place(at.source, at.begin, &line, &column);
    char place[32];
    snprintf(place, sizeof place, "%u:%u", (unsigned)line, (unsigned)column);
    fprintf(to, "%-8s%*s", place, 2 * depth, "");
}

/* ---- tokens */

void dump_tokens(arena *a, names *n, diag *d, const source *s, word_list *type_words, FILE *to)
{
    lexer l;
    lexer_init(&l, a, n, d, s, type_words);
    token t;
    while (lex(&l, &t) != 0) {
        show_start(to, t.span, 0);
        fwrite(s->text + t.span.begin, 1, t.span.end - t.span.begin, to);
        fprintf(to, "%s\n", t.doc ? "   (documented)" : "");
    }
}

/* ---- expressions */

static void show_expr(FILE *to, const ast_expr *e)
{
    switch (e->kind) {
    case AST_INT: fprintf(to, "%" PRIu64, e->as.integer); return;
    case AST_REAL: fprintf(to, "%.17g", e->as.real); return;
    case AST_BOOL: fputs(e->as.boolean ? "true" : "false", to); return;
    case AST_PATH:
    case AST_ONES:
        fputs(e->kind == AST_ONES ? "bits(" : "", to);
        for (const ast_path *p = e->as.path; p; p = p->next)
            fprintf(to, "%s%s", p->name.text, p->next ? "." : "");
        fputs(e->kind == AST_ONES ? ")" : "", to);
        return;
    case AST_OPERATOR:
        putc('(', to);
        if (e->as.sides.right) {
            show_expr(to, e->as.sides.left);
            fprintf(to, " %s ", operator_text(e->operator));
            show_expr(to, e->as.sides.right);
        } else {
            fputs(operator_text(e->operator), to);
            show_expr(to, e->as.sides.left);
        }
        putc(')', to);
        return;
    }
}

static void show_exprs(FILE *to, const ast_expr *e)
{
    for (; e; e = e->next) {
        show_expr(to, e);
        fputs(e->next ? ", " : "", to);
    }
}

static void show_attributes(FILE *to, const ast_attribute *list)
{
    for (const ast_attribute *a = list; a; a = a->next) {
        fprintf(to, a->was ? " was \"%s\"" : " @%s", a->name.text);
        if (a->value) {
            putc('(', to);
            show_expr(to, a->value);
            putc(')', to);
        }
    }
}

/* ---- fields */

static void show_type(FILE *to, const ast_type *type)
{
    fprintf(to, "%s%s", type->compact ? "compact " : "", type->name.text);
    if (type->has_arguments) {
        putc('<', to);
        show_exprs(to, type->arguments);
        putc('>', to);
    }
}

static void show_dim(FILE *to, const ast_dim *dim)
{
    fputs(dim->kind == AST_DIM_UPTO || dim->kind == AST_DIM_UPTO_OF ? "[<=" : "[", to);
    if (dim->low) {
        show_expr(to, dim->low);
        fputs(dim->kind == AST_DIM_RANGE ? ".." : " of ", to);
    }
    show_expr(to, dim->high);
    putc(']', to);
}

static void show_baseline(FILE *to, const ast_baseline *b)
{
    fputs(" delta(", to);
    show_expr(to, b->number);
    fputs(" from ", to);
    show_expr(to, b->base);
    if (b->before) {
        fputs(" after ", to);
        show_expr(to, b->before);
    }
    if (b->start.text)
        fprintf(to, " else %s", b->start.text);
    putc(')', to);
}

static void show_beyond(FILE *to, ast_beyond b)
{
    fputs(b.wrap.source ? " wrap" : b.raw.source ? " or raw" : "", to);
}

static void show_declarator(FILE *to, const ast_declarator *d)
{
    fprintf(to, " %s", d->name.text);
    for (const ast_dim *dim = d->dims; dim; dim = dim->next)
        show_dim(to, dim);
    if (d->by.text)
        fprintf(to, " by %s", d->by.text);
    if (d->after.text)
        fprintf(to, " after %s", d->after.text);
    show_beyond(to, d->beyond);
    if (d->clamp.source)
        fputs(" clamp", to);
    if (d->unless) {
        fputs(" unless ", to);
        show_expr(to, d->unless);
    }
    if (d->has_delta) {
        fputs(" delta<", to);
        show_exprs(to, d->delta);
        putc('>', to);
    }
    if (d->baseline)
        show_baseline(to, d->baseline);
    if (d->chain) {
        fputs(" delta(", to);
        show_expr(to, d->chain);
        putc(')', to);
    }
    if (d->coded)
        fputs(d->still.source ? " coded still" : " coded", to);
    if (d->initial) {
        fputs(" = ", to);
        show_expr(to, d->initial);
    }
    show_attributes(to, d->attributes);
    fputs(d->next ? "," : "", to);
}

static void show_modifier(FILE *to, const ast_field *f)
{
    switch (f->modifier) {
    case AST_PLAIN: break;
    case AST_OPTIONAL: fputs("optional ", to); break;
    case AST_SPARSE: fputs(f->modes ? "sparse<" : "sparse ", to); break;
    case AST_LOCAL: fputs("local ", to); break;
    }
    for (const ast_mode *mode = f->modes; mode; mode = mode->next)
        fprintf(to, "%s%s", mode->name.text, mode->next ? ", " : "> ");
}

static void show_field(FILE *to, const ast_field *f)
{
    show_modifier(to, f);
    if (f->c_type)
        fprintf(to, "\"%s\"", f->c_type);
    else
        show_type(to, &f->type);
    for (const ast_declarator *d = f->declarators; d; d = d->next)
        show_declarator(to, d);
}

/* ---- items */

static void show_items(FILE *to, const ast_item *items, int depth);

static void show_branch(FILE *to, const ast_item *item, int depth)
{
    for (const char *lead = "if "; item; item = item->as.branch.other_if, lead = "else if ") {
        if (*lead == 'e')
            show_start(to, item->span, depth);
        fputs(lead, to);
        show_expr(to, item->as.branch.condition);
        putc('\n', to);
        show_items(to, item->as.branch.then.items, depth + 1);
        if (item->as.branch.has_else && !item->as.branch.other_if) {
            show_start(to, item->as.branch.other.span, depth);
            fputs("else\n", to);
            show_items(to, item->as.branch.other.items, depth + 1);
        }
    }
}

static void show_choice(FILE *to, const ast_item *item, int depth)
{
    fputs("switch ", to);
    show_expr(to, item->as.choice.subject);
    putc('\n', to);
    for (const ast_label *label = item->as.choice.labels; label; label = label->next) {
        show_start(to, label->span, depth + 1);
        fputs(label->is_default ? "default" : "case ", to);
        show_exprs(to, label->values);
        putc('\n', to);
        show_items(to, label->items, depth + 2);
    }
}

static void show_item(FILE *to, const ast_item *item, int depth)
{
    show_start(to, item->span, depth);
    switch (item->kind) {
    case AST_FIELD: show_field(to, &item->as.field); break;
    case AST_ALIGN: fputs("align", to); break;
    case AST_CONST:
    case AST_RESERVED:
        fputs(item->kind == AST_CONST ? "const<" : "reserved<", to);
        show_expr(to, item->as.constant.bits);
        putc('>', to);
        if (item->kind == AST_CONST) {
            fputs(" = ", to);
            show_expr(to, item->as.constant.value);
        }
        break;
    case AST_CHECK:
        fputs("check", to);
        if (item->as.check.has_value)
            fprintf(to, " 0x%" PRIx64, item->as.check.value);
        break;
    case AST_IF: show_branch(to, item, depth); return;
    case AST_SWITCH: show_choice(to, item, depth); return;
    }
    putc('\n', to);
}

static void show_doc(FILE *to, span at, const char *doc, int depth)
{
    while (doc) {
        const char *end = strchr(doc, '\n');
        show_start(to, at, depth);
        fprintf(to, "/// %.*s\n", (int)(end ? (size_t)(end - doc) : strlen(doc)), doc);
        doc = end ? end + 1 : NULL;
    }
}

static void show_items(FILE *to, const ast_item *items, int depth)
{
    for (; items; items = items->next) {
        show_doc(to, items->span, items->doc, depth);
        show_item(to, items, depth);
    }
}

/* ---- declarations */

static const char *decl_text(ast_decl_kind kind)
{
    switch (kind) {
    case AST_DECL_PROTOCOL: return "protocol";
    case AST_DECL_IMPORT: return "import";
    case AST_DECL_MODEL: return "model";
    case AST_DECL_CONST: return "const";
    case AST_DECL_ALIAS: return "type";
    case AST_DECL_ENUM: return "enum";
    case AST_DECL_FLAGS: return "flags";
    case AST_DECL_STRUCT: return "struct";
    case AST_DECL_PACKET: return "packet";
    case AST_DECL_UNION: return "union";
    case AST_DECL_PACKET_UNION: return "packet union";
    }
    return "";
}

static void show_lines(FILE *to, const ast_member *lines)
{
    for (; lines; lines = lines->next) {
        show_start(to, lines->span, 1);
        fprintf(to, "\"%s\"\n", lines->name.text);
    }
}

static void show_members(FILE *to, const ast_member *members)
{
    for (const ast_member *m = members; m; m = m->next) {
        show_doc(to, m->span, m->doc, 1);
        show_start(to, m->span, 1);
        fprintf(to, "%s%s%s", m->type.text ? m->type.text : "", m->type.text ? " " : "", m->name.text);
        if (m->value) {
            fputs(" = ", to);
            show_expr(to, m->value);
        }
        show_attributes(to, m->olds);
        if (m->other.text)
            fprintf(to, " else %s", m->other.text);
        putc('\n', to);
    }
}

static void show_head(FILE *to, const ast_decl *d)
{
    const char *quote = d->kind == AST_DECL_IMPORT || d->kind == AST_DECL_MODEL ? "\"" : "";
    fputs(decl_text(d->kind), to);
    if (d->name.text)
        fprintf(to, " %s%s%s", quote, d->name.text, quote);
    if (d->has_width) {
        fputs(" : ", to);
        show_type(to, &d->width);
    }
    if (d->named.name.text) {
        fputs(" = ", to);
        show_type(to, &d->named);
        show_beyond(to, d->beyond);
    }
    if (d->as_type.text)
        fprintf(to, " as \"%s\" from \"%s\"", d->as_type.text, d->from_header.text);
    if (d->value) {
        fputs(" = ", to);
        show_expr(to, d->value);
    }
    if (d->prefix.text)
        fprintf(to, " prefix %s", d->prefix.text);
    show_attributes(to, d->attributes);
    putc('\n', to);
}

void dump_ast(const ast_file *file, FILE *to)
{
    for (const ast_decl *d = file->decls; d; d = d->next) {
        show_doc(to, d->span, d->doc, 0);
        show_start(to, d->span, 0);
        show_head(to, d);
        (d->kind == AST_DECL_MODEL ? show_lines : show_members)(to, d->members);
        show_items(to, d->body.items, 1);
    }
}
