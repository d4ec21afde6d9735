/* dump_schema.c - prints what --dump=schema shows: the checked model.
 * SPDX-License-Identifier: MIT
 *
 * For people and for tests of check. Each field is printed with its resolved type, range and storage, and each operator
 * of a condition with its range and the C type of its computation.
 */
#include "phases/dump.h"
#include "model/type_table.h"

#include <assert.h>

typedef struct schema_dump {
    FILE *to;
    arena *arena;
    int level;
} schema_dump;

PRINTF_LIKE(2)
static void describe_text(schema_dump *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(d->to, format, arguments);
    va_end(arguments);
}

/* A condition can nest 1,000 deep, so the indentation is limited. */
static void describe_line_start(schema_dump *d)
{
    enum { DEEPEST = 64 };
    describe_text(d, "%*s", 4 * (d->level < DEEPEST ? d->level : DEEPEST), "");
}

static void describe_num(schema_dump *d, num n)
{
    describe_text(d, "%s%llu", n.negative ? "-" : "", (unsigned long long)n.magnitude);
}

static void describe_range(schema_dump *d, num low, num high)
{
    describe_num(d, low);
    describe_text(d, "..");
    describe_num(d, high);
}

/* ---- types and values */

static void describe_quantized(schema_dump *d, const type *t)
{
    describe_text(d, "quantized %.17g..%.17g by %.17g", t->real_low, t->real_high, t->real_step);
    describe_text(d, " in %llu steps", (unsigned long long)t->steps);
}

static void describe_type(schema_dump *d, const type *t)
{
    switch (t->kind) {
    case TYPE_BOOL: describe_text(d, "bool"); break;
    case TYPE_BITS:
        describe_text(d, "bits<%u> ", t->bits);
        describe_range(d, t->low, t->high);
        break;
    case TYPE_INT:
        describe_text(d, "int ");
        describe_range(d, t->low, t->high);
        break;
    case TYPE_FIXED:
        describe_text(d, "fixed<%u, %u> raw ", t->whole_bits, t->fraction_bits);
        describe_range(d, t->low, t->high);
        break;
    case TYPE_ENUM:
        describe_text(d, "enum %s ", t->decl->name);
        describe_range(d, t->low, t->high);
        break;
    case TYPE_FLAGS:
        describe_text(d, "flags %s ", t->decl->name);
        describe_range(d, t->low, t->high);
        break;
    case TYPE_FLOAT: describe_text(d, "raw %u", t->bits); break;
    case TYPE_QUANTIZED: describe_quantized(d, t); break;
    case TYPE_COMPACT: describe_text(d, "compact %u", t->bits); break;
    case TYPE_QUAT: describe_text(d, "quat<%u>", t->bits); break;
    case TYPE_UNIT: describe_text(d, "unit<%u>", t->bits); break;
    case TYPE_STRING: describe_text(d, "string<%lu>", (unsigned long)t->length); break;
    case TYPE_BYTES: describe_text(d, "bytes<%lu>", (unsigned long)t->length); break;
    case TYPE_STRUCT: describe_text(d, "struct %s", t->decl->name); break;
    case TYPE_UNION: describe_text(d, "union %s", t->decl->name); break;
    case TYPE_REF:
        describe_text(d, "ref %s ", t->decl->name);
        describe_range(d, t->low, t->high);
        break;
    case TYPE_FOREIGN: describe_text(d, "\"%s\"", t->c_type); break;
    }
    if (t->storage != STORAGE_NONE && t->storage != STORAGE_BOOL)
        describe_text(d, " in %s", storage_word(t->storage));
}

static void describe_value(schema_dump *d, const type *t, value v)
{
    if (is_real(t))
        describe_text(d, "%.17g", v.real);
    else
        describe_num(d, v.number);
}

/* ---- conditions: the operands of an operator follow it, indented */

static void describe_path(schema_dump *d, const path *p)
{
    for (; p; p = p->next)
        describe_text(d, "%s%s", p->field->name, p->next ? "." : "");
}

static const char *expr_type_name(expr_type t)
{
    switch (t) {
    case EXPR_BOOL: return "bool";
    case EXPR_SIGNED: return "int64_t";
    case EXPR_UNSIGNED: return "uint64_t";
    }
    assert(false && "not a type of expressions");
    return "";
}

static void describe_expr(schema_dump *d, const expr *e)
{
    describe_line_start(d);
    switch (e->kind) {
    case EXPR_VALUE:
        if (e->name)
            describe_text(d, "%s.%s = ", e->of->name, e->name);
        describe_num(d, e->number);
        break;
    case EXPR_FIELD: describe_path(d, e->path); break;
    case EXPR_COUNT:
        describe_text(d, "count of ");
        describe_path(d, e->path);
        break;
    case EXPR_HAS:
        describe_text(d, "presence of ");
        describe_path(d, e->path);
        break;
    case EXPR_ONES:
        describe_text(d, "set bits of ");
        describe_path(d, e->path);
        break;
    case EXPR_OPERATOR: describe_text(d, "%s of %s", operator_text(e->operator), expr_type_name(e->inside)); break;
    }
    describe_text(d, ": %s ", expr_type_name(e->type));
    describe_range(d, e->low, e->high);
    describe_text(d, "\n");
    if (e->kind == EXPR_OPERATOR) {
        d->level++;
        describe_expr(d, e->left);
        if (e->right)
            describe_expr(d, e->right);
        d->level--;
    }
}

static void describe_olds(schema_dump *d, const old_name *old)
{
    for (; old; old = old->next)
        describe_text(d, " was %s", old->name);
}

/* ---- fields and bodies */

static void describe_array(schema_dump *d, const field *f)
{
    unsigned long most = f->dims[0];
    switch (f->array) {
    case ARRAY_NONE: break;
    case ARRAY_FIXED:
        for (uint32_t i = 0; i < f->dim_count; i++)
            describe_text(d, "[%lu]", (unsigned long)f->dims[i]);
        break;
    case ARRAY_COUNTED: describe_text(d, "[%lu..%lu]", (unsigned long)f->count_low, most); break;
    case ARRAY_COMPUTED:
        describe_text(d, "[%lu..%lu = ", (unsigned long)f->count_low, most);
        describe_text(d, "%s]", expr_text(d->arena, f->count));
        break;
    case ARRAY_SPARSE:
        describe_text(d, "[<=%lu of %lu] sparse ", (unsigned long)f->limit, most);
        describe_text(d, "%s%s", sparse_mode_name(f->mode), f->keep ? ", keep" : "");
        break;
    }
}

static void describe_field(schema_dump *d, const field *f)
{
    describe_line_start(d);
    describe_text(d, "%s%s", f->local ? "local " : "", f->name);
    describe_array(d, f);
    describe_text(d, ": %s", f->optional ? "optional " : "");
    describe_type(d, &f->type);
    if (f->after)
        describe_text(d, " after %s", f->after->name);
    if (f->type.wraps)
        describe_text(d, " wrap");
    if (f->type.clamps)
        describe_text(d, " clamp");
    if (f->has_unless) {
        describe_text(d, " unless ");
        describe_value(d, &f->type, f->unless);
    }
    if (f->coded)
        describe_text(d, " coded");
    if (f->has_delta)
        describe_text(d, " delta<%u, %u>", f->delta_small, f->delta_large);
    if (f->chain)
        describe_text(d, " delta(previous)");
    if (f->part)
        describe_text(d, " delta(%s)", delta_part_text(d->arena, f->part));
    if (f->has_initial) {
        describe_text(d, " initially ");
        describe_value(d, &f->type, f->initial);
    }
    describe_olds(d, f->olds);
    if (f->convert > 0)
        describe_text(d, " @convert(%lu)", (unsigned long)f->convert);
    describe_text(d, "%s%s\n", f->deprecated ? " @deprecated" : "", f->fit ? " @fit" : "");
}

static void describe_line(schema_dump *d, const char *text)
{
    describe_line_start(d);
    describe_text(d, "%s\n", text);
}

static void describe_constant(schema_dump *d, const char *what, const item *it)
{
    describe_line_start(d);
    describe_text(d, "%s<%u> = 0x%llx\n", what, it->as.constant.bits, (unsigned long long)it->as.constant.value);
}

static void describe_block(schema_dump *d, const block *b);

static void describe_if(schema_dump *d, const item *it)
{
    describe_line(d, "if");
    d->level += 2;
    describe_expr(d, it->as.branch.condition);
    d->level -= 2;
    describe_block(d, &it->as.branch.then);
    if (it->as.branch.other.items) {
        describe_line(d, "else");
        describe_block(d, &it->as.branch.other);
    }
}

static void describe_switch(schema_dump *d, const item *it)
{
    describe_line(d, "switch");
    d->level += 2;
    describe_expr(d, it->as.choice.subject);
    d->level--;
    for (const arm *a = it->as.choice.arms; a; a = a->next) {
        describe_line(d, a->is_default ? "default" : "case");
        d->level += 2;
        for (uint32_t i = 0; i < a->value_count; i++)
            describe_expr(d, a->values[i]);
        d->level -= 2;
        describe_block(d, &a->body);
    }
    d->level--;
}

static void describe_block(schema_dump *d, const block *b)
{
    d->level++;
    for (const item *it = b->items; it; it = it->next) {
        switch (it->kind) {
        case ITEM_FIELD: describe_field(d, it->as.field); break;
        case ITEM_ALIGN: describe_line(d, "align"); break;
        case ITEM_CONST: describe_constant(d, "const", it); break;
        case ITEM_RESERVED: describe_constant(d, "reserved", it); break;
        case ITEM_CHECK: describe_constant(d, "check", it); break;
        case ITEM_IF: describe_if(d, it); break;
        case ITEM_SWITCH: describe_switch(d, it); break;
        }
    }
    d->level--;
}

/* ---- declarations */

static void describe_members(schema_dump *d, const decl *of)
{
    d->level++;
    for (const member *m = of->members; m; m = m->next) {
        describe_line_start(d);
        describe_text(d, "%s = ", m->name);
        describe_num(d, m->value);
        if (m->type)
            describe_text(d, ": %s", m->type->name);
        describe_olds(d, m->olds);
        if (m->other)
            describe_text(d, " else %s", m->other->name);
        describe_text(d, "\n");
    }
    d->level--;
}

static void describe_locals(schema_dump *d, const decl *of)
{
    d->level++;
    for (const field *f = of->fields; f; f = f->next)
        if (f->local)
            describe_field(d, f);
    d->level--;
}

static void describe_attributes(schema_dump *d, const decl *of)
{
    if (of->as_type)
        describe_text(d, " as \"%s\" from \"%s\"", of->as_type, of->from_header);
    if (of->delta)
        describe_text(d, " @delta");
    if (of->large)
        describe_text(d, " @large");
    if (of->deprecated)
        describe_text(d, " @deprecated");
    if (of->seeded && of->parts == 0)
        describe_text(d, " @seed");
    if (of->stable)
        describe_text(d, " @stable(0x%016llx)", (unsigned long long)of->stable_id);
    if (of->answers)
        describe_text(d, " @answers(%s)", of->answers->name);
    if (of->budget > 0)
        describe_text(d, " @budget(%lu)", (unsigned long)of->budget);
    if (of->convert > 0)
        describe_text(d, " @convert(%lu)", (unsigned long)of->convert);
    describe_olds(d, of->olds);
    describe_text(d, "\n");
}

static void describe_decl(schema_dump *d, const decl *of)
{
    const char *packet = of->packet ? "packet " : "";
    switch (of->kind) {
    case DECL_CONST:
        describe_text(d, "const %s = ", of->name);
        if (of->is_real)
            describe_text(d, "%.17g", of->value.real);
        else
            describe_num(d, of->value.number);
        describe_text(d, "\n");
        break;
    case DECL_ENUM:
    case DECL_FLAGS:
        describe_text(d, "%s %s", of->kind == DECL_ENUM ? "enum" : "flags", of->name);
        if (of->width > 0)
            describe_text(d, ": bits<%u>", of->width);
        describe_text(d, " in %s", storage_word(of->type.storage));
        describe_attributes(d, of);
        describe_members(d, of);
        break;
    case DECL_STRUCT:
        describe_text(d, "%sstruct %s", packet, of->name);
        describe_attributes(d, of);
        describe_block(d, &of->body);
        describe_locals(d, of);
        break;
    case DECL_UNION:
        describe_text(d, "%sunion %s", packet, of->name);
        describe_attributes(d, of);
        describe_members(d, of);
        break;
    }
}

static void describe_file(schema_dump *d, const schema_file *f)
{
    describe_text(d, "file %s, stem %s, prefix '%s'%s\n", f->path, f->stem, f->prefix, f->root ? ", root" : "");
    d->level++;
    for (const struct import *i = f->imports; i; i = i->next) {
        describe_line_start(d);
        describe_text(d, "import %s\n", i->file->path);
    }
    d->level--;
}

void dump_schema(const schema *s, FILE *to)
{
    schema_dump d = {.to = to, .arena = arena_new()};
    if (s->protocol) {
        describe_text(&d, "protocol %s = ", s->protocol);
        describe_num(&d, s->version);
        describe_text(&d, "\n");
    }
    describe_text(&d, "id 0x%016llx, checks %s\n", (unsigned long long)s->id, s->checks ? "on" : "off");
    for (const schema_file *f = s->files; f; f = f->next)
        describe_file(&d, f);
    for (const decl *of = s->decls; of; of = of->next)
        describe_decl(&d, of);
    arena_free(d.arena);
}
