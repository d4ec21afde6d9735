/* dump_schema.c - prints what --dump=schema shows: the checked model.
 * SPDX-License-Identifier: MIT
 *
 * For people and for tests of check. Each field is printed with its resolved type, range and storage, each operator
 * of a condition with its range and the type that it is computed in.
 */
#include "model/type_table.h"

#include <assert.h>

typedef struct dump {
    FILE *to;
    int level;
} dump;

PRINTF_LIKE(2)
static void put(dump *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(d->to, format, arguments);
    va_end(arguments);
}

/* A condition can nest 1,000 deep: lines do not move to the right for ever. */
static void begin_line(dump *d)
{
    enum { DEEPEST = 64 };
    put(d, "%*s", 4 * (d->level < DEEPEST ? d->level : DEEPEST), "");
}

static void put_num(dump *d, num n)
{
    put(d, "%s%llu", n.negative ? "-" : "", (unsigned long long)n.magnitude);
}

static void put_range(dump *d, num low, num high)
{
    put_num(d, low);
    put(d, "..");
    put_num(d, high);
}

/* ---- types and values */

static void put_quantized(dump *d, const type *t)
{
    put(d, "quantized %.17g..%.17g by %.17g", t->real_low, t->real_high, t->real_step);
    put(d, " in %llu steps", (unsigned long long)t->steps);
}

static void put_type(dump *d, const type *t)
{
    switch (t->kind) {
    case TYPE_BOOL: put(d, "bool"); break;
    case TYPE_BITS:
        put(d, "bits<%u> ", t->bits);
        put_range(d, t->low, t->high);
        break;
    case TYPE_INT:
        put(d, "int ");
        put_range(d, t->low, t->high);
        break;
    case TYPE_FIXED:
        put(d, "fixed<%u, %u> raw ", t->whole_bits, t->fraction_bits);
        put_range(d, t->low, t->high);
        break;
    case TYPE_ENUM:
        put(d, "enum %s ", t->decl->name);
        put_range(d, t->low, t->high);
        break;
    case TYPE_FLAGS:
        put(d, "flags %s ", t->decl->name);
        put_range(d, t->low, t->high);
        break;
    case TYPE_FLOAT: put(d, "raw %u", t->bits); break;
    case TYPE_QUANTIZED: put_quantized(d, t); break;
    case TYPE_COMPACT: put(d, "compact %u", t->bits); break;
    case TYPE_QUAT: put(d, "quat<%u>", t->bits); break;
    case TYPE_UNIT: put(d, "unit<%u>", t->bits); break;
    case TYPE_STRING: put(d, "string<%lu>", (unsigned long)t->length); break;
    case TYPE_BYTES: put(d, "bytes<%lu>", (unsigned long)t->length); break;
    case TYPE_STRUCT: put(d, "struct %s", t->decl->name); break;
    case TYPE_UNION: put(d, "union %s", t->decl->name); break;
    case TYPE_REF:
        put(d, "ref %s ", t->decl->name);
        put_range(d, t->low, t->high);
        break;
    case TYPE_FOREIGN: put(d, "\"%s\"", t->c_type); break;
    }
    if (t->storage != STORAGE_NONE && t->storage != STORAGE_BOOL)
        put(d, " in %s", storage_word(t->storage));
}

static void put_value(dump *d, const type *t, value v)
{
    if (is_real(t))
        put(d, "%.17g", v.real);
    else
        put_num(d, v.number);
}

/* ---- conditions: the operands of an operator follow it, indented */

static void put_path(dump *d, const path *step)
{
    for (; step != NULL; step = step->next)
        put(d, "%s%s", step->field->name, step->next != NULL ? "." : "");
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

static void put_expr(dump *d, const expr *e)
{
    bool is_operator = false;
    begin_line(d);
    switch (e->kind) {
    case EXPR_VALUE:
        if (e->name != NULL)
            put(d, "%s.%s = ", e->of->name, e->name);
        put_num(d, e->number);
        break;
    case EXPR_FIELD: put_path(d, e->path); break;
    case EXPR_COUNT:
        put(d, "count of ");
        put_path(d, e->path);
        break;
    case EXPR_HAS:
        put(d, "presence of ");
        put_path(d, e->path);
        break;
    case EXPR_NOT:
    case EXPR_NEGATE:
    case EXPR_OR:
    case EXPR_AND:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_MASK:
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MULTIPLY:
    case EXPR_DIVIDE:
    case EXPR_REMAINDER:
        put(d, "%s of %s", expr_operator(e->kind), expr_type_name(e->inside));
        is_operator = true;
        break;
    }
    put(d, ": %s ", expr_type_name(e->type));
    put_range(d, e->low, e->high);
    put(d, "\n");
    if (is_operator) {
        d->level++;
        put_expr(d, e->left);
        if (e->right != NULL)
            put_expr(d, e->right);
        d->level--;
    }
}

static void put_olds(dump *d, const old_name *old)
{
    for (; old != NULL; old = old->next)
        put(d, " was %s", old->name);
}

/* ---- fields and bodies */

static void put_array(dump *d, const field *f)
{
    unsigned long most = f->dims[0];
    switch (f->array) {
    case ARRAY_NONE: break;
    case ARRAY_FIXED:
        for (uint32_t i = 0; i < f->dim_count; i++)
            put(d, "[%lu]", (unsigned long)f->dims[i]);
        break;
    case ARRAY_COUNTED: put(d, "[%lu..%lu]", (unsigned long)f->count_low, most); break;
    case ARRAY_SPARSE:
        put(d, "[<=%lu of %lu] sparse ", (unsigned long)f->limit, most);
        put(d, "%s%s", sparse_mode_name(f->mode), f->keep ? ", keep" : "");
        break;
    }
}

static void put_field(dump *d, const field *f)
{
    begin_line(d);
    put(d, "%s%s", f->local ? "local " : "", f->name);
    put_array(d, f);
    put(d, ": %s", f->optional ? "optional " : "");
    put_type(d, &f->type);
    if (f->after != NULL)
        put(d, " after %s", f->after->name);
    if (f->has_unless) {
        put(d, " unless ");
        put_value(d, &f->type, f->unless);
    }
    if (f->coded)
        put(d, " coded");
    if (f->has_delta)
        put(d, " delta<%u, %u>", f->delta_small, f->delta_large);
    if (f->has_initial) {
        put(d, " initially ");
        put_value(d, &f->type, f->initial);
    }
    put_olds(d, f->olds);
    if (f->convert > 0)
        put(d, " @convert(%lu)", (unsigned long)f->convert);
    put(d, "%s%s\n", f->deprecated ? " @deprecated" : "", f->fit ? " @fit" : "");
}

static void put_line(dump *d, const char *text)
{
    begin_line(d);
    put(d, "%s\n", text);
}

static void put_constant(dump *d, const char *what, const item *it)
{
    begin_line(d);
    put(d, "%s<%u> = 0x%llx\n", what, it->as.constant.bits, (unsigned long long)it->as.constant.value);
}

static void put_block(dump *d, const block *b);

static void put_if(dump *d, const item *it)
{
    put_line(d, "if");
    d->level += 2;
    put_expr(d, it->as.branch.condition);
    d->level -= 2;
    put_block(d, &it->as.branch.then);
    if (it->as.branch.other.items != NULL) {
        put_line(d, "else");
        put_block(d, &it->as.branch.other);
    }
}

static void put_switch(dump *d, const item *it)
{
    put_line(d, "switch");
    d->level += 2;
    put_expr(d, it->as.choice.subject);
    d->level--;
    for (const arm *a = it->as.choice.arms; a != NULL; a = a->next) {
        put_line(d, a->is_default ? "default" : "case");
        d->level += 2;
        for (uint32_t i = 0; i < a->value_count; i++)
            put_expr(d, a->values[i]);
        d->level -= 2;
        put_block(d, &a->body);
    }
    d->level--;
}

static void put_block(dump *d, const block *b)
{
    d->level++;
    for (const item *it = b->items; it != NULL; it = it->next) {
        switch (it->kind) {
        case ITEM_FIELD: put_field(d, it->as.field); break;
        case ITEM_ALIGN: put_line(d, "align"); break;
        case ITEM_CONST: put_constant(d, "const", it); break;
        case ITEM_RESERVED: put_constant(d, "reserved", it); break;
        case ITEM_CHECK: put_constant(d, "check", it); break;
        case ITEM_IF: put_if(d, it); break;
        case ITEM_SWITCH: put_switch(d, it); break;
        }
    }
    d->level--;
}

/* ---- declarations */

static void put_members(dump *d, const decl *of)
{
    d->level++;
    for (const member *m = of->members; m != NULL; m = m->next) {
        begin_line(d);
        put(d, "%s = ", m->name);
        put_num(d, m->value);
        if (m->type != NULL)
            put(d, ": %s", m->type->name);
        put_olds(d, m->olds);
        put(d, "\n");
    }
    d->level--;
}

static void put_locals(dump *d, const decl *of)
{
    d->level++;
    for (const field *f = of->fields; f != NULL; f = f->next) {
        if (f->local)
            put_field(d, f);
    }
    d->level--;
}

static void put_attributes(dump *d, const decl *of)
{
    if (of->as_type != NULL)
        put(d, " as \"%s\" from \"%s\"", of->as_type, of->from_header);
    if (of->delta)
        put(d, " @delta");
    if (of->large)
        put(d, " @large");
    if (of->deprecated)
        put(d, " @deprecated");
    if (of->budget > 0)
        put(d, " @budget(%lu)", (unsigned long)of->budget);
    if (of->convert > 0)
        put(d, " @convert(%lu)", (unsigned long)of->convert);
    put_olds(d, of->olds);
    put(d, "\n");
}

static void put_decl(dump *d, const decl *of)
{
    const char *packet = of->packet ? "packet " : "";
    switch (of->kind) {
    case DECL_CONST:
        put(d, "const %s = ", of->name);
        if (of->is_real)
            put(d, "%.17g", of->value.real);
        else
            put_num(d, of->value.number);
        put(d, "\n");
        break;
    case DECL_ENUM:
    case DECL_FLAGS:
        put(d, "%s %s", of->kind == DECL_ENUM ? "enum" : "flags", of->name);
        if (of->width > 0)
            put(d, ": bits<%u>", of->width);
        put(d, " in %s", storage_word(of->type.storage));
        put_attributes(d, of);
        put_members(d, of);
        break;
    case DECL_STRUCT:
        put(d, "%sstruct %s", packet, of->name);
        put_attributes(d, of);
        put_block(d, &of->body);
        put_locals(d, of);
        break;
    case DECL_UNION:
        put(d, "%sunion %s", packet, of->name);
        put_attributes(d, of);
        put_members(d, of);
        break;
    }
}

static void put_file(dump *d, const schema_file *f)
{
    put(d, "file %s, stem %s, prefix '%s'%s\n", f->path, f->stem, f->prefix, f->root ? ", root" : "");
    d->level++;
    for (const struct import *i = f->imports; i != NULL; i = i->next) {
        begin_line(d);
        put(d, "import %s\n", i->file->path);
    }
    d->level--;
}

void dump_schema(const schema *s, FILE *to)
{
    dump d = {to, 0};
    if (s->protocol != NULL) {
        put(&d, "protocol %s = ", s->protocol);
        put_num(&d, s->version);
        put(&d, "\n");
    }
    put(&d, "id 0x%016llx, checks %s\n", (unsigned long long)s->id, s->checks ? "on" : "off");
    for (const schema_file *f = s->files; f != NULL; f = f->next)
        put_file(&d, f);
    for (const decl *of = s->decls; of != NULL; of = of->next)
        put_decl(&d, of);
}
