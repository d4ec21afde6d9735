/* projection.c - prints everything that decides the bytes of a protocol, and nothing else; and hashes that text.
 * SPDX-License-Identifier: MIT
 *
 * Two schemas with the same projection can read each other's packets. Each line is a declaration, a field or a layout
 * item; what belongs to a line follows it, indented:
 *
 *     packet struct Chat
 *         from_slot int 0 63
 *         text string 127
 *
 * Declarations are sorted by name, so their order in the file does not matter. Different spellings of the same bytes
 * print the same: u16<0, 5> and int<0, 5>, reserved<8> and const<8> = 0, a check and its constant, two resolutions with
 * the same number of steps. The names of types, fields and members are included, because swapping two of them changes
 * what the bytes mean. Real numbers are printed as their IEEE-754 bits.
 */
#include "model/coding.h"
#include "model/rotation.h"
#include "model/type_table.h"

#include "base/out.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Increase this whenever the same projection means other bytes than before. */
#define CODEC_EPOCH 1

typedef struct projector {
    arena *arena;
    out *out;
} projector;

PRINTF_LIKE(2)
static void put(projector *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    out_put(p->out, "$text", "text", arena_vprintf(p->arena, format, arguments), NULL);
    va_end(arguments);
}

static void put_num(projector *p, num n)
{
    put(p, " %s", num_text(p->arena, n));
}

static void put_real(projector *p, double real, storage s)
{
    if (s == STORAGE_FLOAT) {
        float single = (float)real;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        put(p, " 0x%08lx", (unsigned long)bits);
    } else {
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        put(p, " 0x%016llx", (unsigned long long)bits);
    }
}

/* ---- conditions */

static void put_path(projector *p, const path *step)
{
    for (; step != NULL; step = step->next)
        put(p, "%s%s", step->field->name, step->next != NULL ? "." : "");
}

static void put_expr(projector *p, const expr *e)
{
    switch (e->kind) {
    case EXPR_VALUE: put(p, "%s", num_text(p->arena, e->number)); break;
    case EXPR_FIELD: put_path(p, e->path); break;
    case EXPR_COUNT:
        put(p, "count ");
        put_path(p, e->path);
        break;
    case EXPR_HAS:
        put(p, "has ");
        put_path(p, e->path);
        break;
    case EXPR_NOT:
    case EXPR_NEGATE:
        put(p, "(%s", expr_operator(e->kind));
        put_expr(p, e->left);
        put(p, ")");
        break;
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
        put(p, "(");
        put_expr(p, e->left);
        put(p, " %s ", expr_operator(e->kind));
        put_expr(p, e->right);
        put(p, ")");
        break;
    }
}

const char *expr_text(arena *a, const expr *e)
{
    projector p = {.arena = a, .out = out_new(a)};
    size_t size;
    put_expr(&p, e);
    return out_result(p.out, &size);
}

/* ---- fields */

/* bits<8> and int<0, 255> are the same bytes, so unsigned bits are printed as a range too. */
static void put_range(projector *p, const char *kind, num low, num high)
{
    put(p, " %s", kind);
    put_num(p, low);
    put_num(p, high);
}

static void put_type(projector *p, const type *t)
{
    switch (t->kind) {
    case TYPE_BOOL: put(p, " bool"); break;
    case TYPE_BITS:
        if (t->low.negative)
            put(p, " signed %u", t->bits);
        else
            put_range(p, "int", t->low, t->high);
        break;
    case TYPE_INT: put_range(p, "int", t->low, t->high); break;
    case TYPE_FIXED:
        put_range(p, "fixed", t->low, t->high);
        put(p, " fraction %u", t->fraction_bits);
        break;
    case TYPE_ENUM: put(p, " enum %s", t->decl->name); break;
    case TYPE_FLAGS: put(p, " flags %s", t->decl->name); break;
    case TYPE_FLOAT: put(p, " %s", real_word(t)); break;
    case TYPE_QUANTIZED:
        put(p, " %s", real_word(t));
        put_real(p, t->real_low, t->storage);
        put_real(p, t->real_high, t->storage);
        put(p, " steps %llu", (unsigned long long)t->steps);
        break;
    case TYPE_COMPACT: put(p, " compact %u", t->bits); break;
    case TYPE_QUAT: put(p, " quat %u steps %lu", t->bits, (unsigned long)rotation_steps(t->bits)); break;
    case TYPE_UNIT: put(p, " unit %u steps %lu", t->bits, (unsigned long)rotation_steps(t->bits)); break;
    case TYPE_STRING: put(p, " string %lu", (unsigned long)t->length); break;
    case TYPE_BYTES: put(p, " bytes %lu", (unsigned long)t->length); break;
    case TYPE_STRUCT: put(p, " struct %s", t->decl->name); break;
    case TYPE_UNION: put(p, " union %s", t->decl->name); break;
    case TYPE_REF:
        put(p, " ref %s", t->decl->name);
        put_num(p, t->high);
        break;
    case TYPE_FOREIGN: assert(false && "a type of the program is never on the wire"); break;
    }
}

static void put_array(projector *p, const field *f)
{
    unsigned long most = f->dims[0];
    switch (f->array) {
    case ARRAY_NONE: break;
    case ARRAY_FIXED:
        for (uint32_t i = 0; i < f->dim_count; i++)
            put(p, "[%lu]", (unsigned long)f->dims[i]);
        break;
    case ARRAY_COUNTED: put(p, "[%lu..%lu]", (unsigned long)f->count_low, most); break;
    case ARRAY_SPARSE: put(p, "[%s %lu of %lu]", sparse_mode_name(f->mode), (unsigned long)f->limit, most); break;
    }
}

static void put_field(projector *p, const field *f)
{
    put(p, "%s", f->name);
    put_array(p, f);
    put_type(p, &f->type);
    if (f->optional)
        put(p, " optional");
    if (f->after != NULL)
        put(p, " after %s", f->after->name);
    if (f->has_unless) {
        put(p, " unless");
        if (is_real(&f->type))
            put_real(p, f->unless.real, f->type.storage);
        else
            put_num(p, f->unless.number);
    }
    if (f->has_delta)
        put(p, " delta %u %u", f->delta_small, f->delta_large);
    if (f->coded)
        put(p, " coded");
    put(p, "\n");
}

/* ---- bodies */

static void put_block(projector *p, const block *b);

static void put_if(projector *p, const item *it)
{
    put(p, "if ");
    put_expr(p, it->as.branch.condition);
    put(p, "\n");
    put_block(p, &it->as.branch.then);
    if (it->as.branch.other.items != NULL) {
        put(p, "else\n");
        put_block(p, &it->as.branch.other);
    }
}

static void put_switch(projector *p, const item *it)
{
    put(p, "switch ");
    put_expr(p, it->as.choice.subject);
    put(p, "\n");
    for (const arm *a = it->as.choice.arms; a != NULL; a = a->next) {
        put(p, a->is_default ? "default" : "case");
        for (uint32_t i = 0; i < a->value_count; i++)
            put_num(p, a->values[i]->number);
        put(p, "\n");
        put_block(p, &a->body);
    }
}

static void put_block(projector *p, const block *b)
{
    out_indent(p->out);
    for (const item *it = b->items; it != NULL; it = it->next) {
        switch (it->kind) {
        case ITEM_FIELD: put_field(p, it->as.field); break;
        case ITEM_ALIGN: put(p, "align\n"); break;
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK:
            put(p, "const %u %llu\n", it->as.constant.bits, (unsigned long long)it->as.constant.value);
            break;
        case ITEM_IF: put_if(p, it); break;
        case ITEM_SWITCH: put_switch(p, it); break;
        }
    }
    out_dedent(p->out);
}

/* ---- declarations */

/* Sorted by value, because the wire does not depend on the order in which an enum lists its members. */
static void put_members(projector *p, const decl *d)
{
    out_indent(p->out);
    for (uint32_t i = 0; i < d->member_count; i++) {
        const member *m = d->by_value[i];
        put(p, "%s", m->name);
        put_num(p, m->value);
        if (m->type != NULL)
            put(p, " %s", m->type->name);
        put(p, "\n");
    }
    out_dedent(p->out);
}

static void put_decl(projector *p, const decl *d)
{
    const char *packet = d->packet ? "packet " : "";
    const char *delta = d->predicts ? " delta predict" : d->delta ? " delta" : "";
    switch (d->kind) {
    case DECL_CONST: break;
    case DECL_ENUM:
        put(p, "enum %s base", d->name);
        put_num(p, enum_base(d)->value);
        if (d->width > 0)
            put(p, " bits %u", d->width);
        put(p, "\n");
        put_members(p, d);
        break;
    case DECL_FLAGS:
        put(p, "flags %s\n", d->name);
        put_members(p, d);
        break;
    case DECL_STRUCT:
        put(p, "%sstruct %s%s\n", packet, d->name, delta);
        put_block(p, &d->body);
        break;
    case DECL_UNION:
        put(p, "%sunion %s%s\n", packet, d->name, delta);
        put_members(p, d);
        break;
    }
}

static int compare_decls(const void *a, const void *b)
{
    return strcmp((*(const decl *const *)a)->name, (*(const decl *const *)b)->name);
}

static void put_decls(projector *p, const schema *s)
{
    size_t count = 0;
    for (const decl *d = s->decls; d != NULL; d = d->next)
        count++;
    const decl **sorted = ARENA_ARRAY(p->arena, const decl *, count);
    size_t filled = 0;
    for (const decl *d = s->decls; d != NULL; d = d->next)
        sorted[filled++] = d;
    qsort(sorted, count, sizeof *sorted, compare_decls);
    for (size_t i = 0; i < count; i++)
        put_decl(p, sorted[i]);
}

static void put_table(projector *p, const code_table *t)
{
    put(p, "codes %s", t->name);
    for (unsigned i = 0; i < t->count; i++)
        put(p, " %u", t->lengths[i]);
    put(p, "\n");
}

const char *schema_projection(arena *a, const schema *s)
{
    arena *scratch = arena_new();
    projector p = {scratch, out_new(a)};
    put(&p, "pkt %d\n", CODEC_EPOCH);
    if (s->protocol != NULL)
        put(&p, "protocol %s %s\n", s->protocol, num_text(scratch, s->version));
    put(&p, "checks %s\n", s->checks ? "on" : "off");
    put_decls(&p, s);
    for (const code_table *t = s->tables; t != NULL; t = t->next)
        put_table(&p, t);
    arena_free(scratch);
    size_t size;
    return out_result(p.out, &size);
}

const char *schema_decl_projection(arena *a, const decl *d)
{
    projector p = {a, out_new(a)};
    size_t size;
    put_decl(&p, d);
    return out_result(p.out, &size);
}

uint64_t fnv1a_64(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}
