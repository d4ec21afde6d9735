/* projection.c - prints everything that decides the bytes of a protocol, and nothing else; and hashes that text.
 * SPDX-License-Identifier: MIT
 *
 * Two schemas with the same projection can read each other's packets. Each line is a declaration, a field or a layout
 * item; the lines that belong to it follow, indented:
 *
 *     packet struct Chat
 *         from_slot int 0 63
 *         text string 127
 *
 * Declarations are sorted by name, so their order in the file does not matter. Different spellings of the same bytes
 * give the same text: u16<0, 5> and int<0, 5>, reserved<8> and const<8> = 0, a check and its constant, two resolutions
 * with the same number of steps. The names of types, fields and members are included, because swapping two of them
 * changes the meaning of the bytes. Real numbers are printed as their IEEE-754 bits.
 */
#include "model/coding.h"
#include "model/accuracy.h"
#include "model/type_table.h"

#include "base/hash_table.h"
#include "base/out.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct projector {
    arena *arena;
    out *out;
} projector;

static void project_num(projector *p, num n)
{
    out_format(p->out, " %s", num_text(p->arena, n));
}

static void project_real(projector *p, double real, storage s)
{
    if (s == STORAGE_FLOAT) {
        float single = (float)real;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        out_format(p->out, " 0x%08lx", (unsigned long)bits);
    } else {
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        out_format(p->out, " 0x%016llx", (unsigned long long)bits);
    }
}

/* ---- conditions */

static void project_path(projector *p, const path *step)
{
    for (; step; step = step->next)
        out_format(p->out, "%s%s", step->field->name, step->next ? "." : "");
}

static void project_expr(projector *p, const expr *e)
{
    switch (e->kind) {
    case EXPR_VALUE: out_format(p->out, "%s", num_text(p->arena, e->number)); break;
    case EXPR_FIELD: project_path(p, e->path); break;
    case EXPR_COUNT:
        out_format(p->out, "count ");
        project_path(p, e->path);
        break;
    case EXPR_HAS:
        out_format(p->out, "has ");
        project_path(p, e->path);
        break;
    case EXPR_ONES:
        out_format(p->out, "bits(");
        project_path(p, e->path);
        out_format(p->out, ")");
        break;
    case EXPR_OPERATOR:
        out_format(p->out, "(");
        if (e->right) {
            project_expr(p, e->left);
            out_format(p->out, " %s ", operator_text(e->operator));
            project_expr(p, e->right);
        } else {
            out_format(p->out, "%s", operator_text(e->operator));
            project_expr(p, e->left);
        }
        out_format(p->out, ")");
        break;
    }
}

const char *expr_text(arena *a, const expr *e)
{
    projector p = {.arena = a, .out = out_new(a)};
    size_t size;
    project_expr(&p, e);
    return out_result(p.out, &size);
}

/* ---- sums */

static void project_sum(projector *p, const field_sum *sum)
{
    for (const field_sum *t = sum; t; t = t->next) {
        if (t != sum)
            out_format(p->out, t->minus ? " - " : " + ");
        if (t->depth == 0)
            out_format(p->out, "%llu", (unsigned long long)t->number);
        for (unsigned i = 0; i < t->depth; i++)
            out_format(p->out, "%s%s", i > 0 ? "." : "", t->path[i]->name);
    }
}

const char *field_sum_text(arena *a, const field_sum *sum)
{
    projector p = {.arena = a, .out = out_new(a)};
    size_t size;
    project_sum(&p, sum);
    return out_result(p.out, &size);
}

const char *delta_part_text(arena *a, const delta_part *p)
{
    const char *text = arena_printf(a, "%s from %s", field_sum_text(a, p->number), field_sum_text(a, p->base));
    if (p->before)
        text = arena_printf(a, "%s after %s", text, field_sum_text(a, p->before));
    return p->starts ? arena_printf(a, "%s else start", text) : text;
}

/* ---- fields */

/* bits<8> and int<0, 255> are the same bytes, so unsigned bits are printed as a range too. */
static void project_range(projector *p, const char *kind, num low, num high)
{
    out_format(p->out, " %s", kind);
    project_num(p, low);
    project_num(p, high);
}

static void project_type(projector *p, const type *t)
{
    switch (t->kind) {
    case TYPE_BOOL: out_format(p->out, " bool"); break;
    case TYPE_BITS:
        if (t->low.negative)
            out_format(p->out, " signed %u", t->bits);
        else
            project_range(p, "int", t->low, t->high);
        break;
    case TYPE_INT: project_range(p, "int", t->low, t->high); break;
    case TYPE_FIXED:
        project_range(p, "fixed", t->low, t->high);
        out_format(p->out, " fraction %u", t->fraction_bits);
        break;
    case TYPE_ENUM: out_format(p->out, " enum %s", t->decl->name); break;
    case TYPE_FLAGS: out_format(p->out, " flags %s", t->decl->name); break;
    case TYPE_FLOAT: out_format(p->out, " %s", real_word(t)); break;
    case TYPE_QUANTIZED:
    case TYPE_OR_RAW:
        out_format(p->out, " %s", real_word(t));
        project_real(p, t->real_low, t->storage);
        project_real(p, t->real_high, t->storage);
        out_format(p->out, t->kind == TYPE_OR_RAW ? " steps %llu or raw" : " steps %llu", (unsigned long long)t->steps);
        break;
    case TYPE_COMPACT: out_format(p->out, " compact %u", t->bits); break;
    case TYPE_QUAT: out_format(p->out, " quat %u steps %lu", t->bits, (unsigned long)rotation_steps(t->bits)); break;
    case TYPE_UNIT: out_format(p->out, " unit %u steps %lu", t->bits, (unsigned long)rotation_steps(t->bits)); break;
    case TYPE_STRING: out_format(p->out, " string %lu", (unsigned long)t->length); break;
    case TYPE_BYTES: out_format(p->out, " bytes %lu", (unsigned long)t->length); break;
    case TYPE_STRUCT: out_format(p->out, " struct %s", t->decl->name); break;
    case TYPE_UNION: out_format(p->out, " union %s", t->decl->name); break;
    case TYPE_REF:
        out_format(p->out, " ref %s", t->decl->name);
        project_num(p, t->high);
        break;
    case TYPE_FOREIGN: assert(false && "a type of the program is never on the wire"); break;
    }
}

static void project_array(projector *p, const field *f)
{
    unsigned long most = f->dims[0];
    switch (f->array) {
    case ARRAY_NONE: break;
    case ARRAY_FIXED:
        for (uint32_t i = 0; i < f->dim_count; i++)
            out_format(p->out, "[%lu]", (unsigned long)f->dims[i]);
        break;
    case ARRAY_COUNTED: out_format(p->out, "[%lu..%lu]", (unsigned long)f->count_low, most); break;
    case ARRAY_COMPUTED:
        out_format(p->out, "[");
        project_expr(p, f->count);
        out_format(p->out, "]");
        break;
    case ARRAY_SPARSE:
        out_format(p->out, "[%s %lu of %lu]", sparse_mode_name(f->mode), (unsigned long)f->limit, most);
        break;
    }
}

static void project_value(projector *p, const char *word, const field *f, const value *v)
{
    out_format(p->out, "%s", word);
    if (is_real(&f->type))
        project_real(p, v->real, f->type.storage);
    else
        project_num(p, v->number);
}

static void project_field(projector *p, const field *f)
{
    out_format(p->out, "%s", f->name);
    project_array(p, f);
    project_type(p, &f->type);
    if (f->key)
        out_format(p->out, " key");
    if (f->by)
        out_format(p->out, " by %s", f->by->name);
    if (f->optional)
        out_format(p->out, " optional");
    if (f->after)
        out_format(p->out, " after %s", f->after->name);
    if (f->type.wraps)
        out_format(p->out, " wrap");
    if (f->has_unless)
        project_value(p, " unless", f, &f->unless);
    if (f->has_delta)
        out_format(p->out, " delta %u %u", f->delta_small, f->delta_large);
    if (f->chain)
        out_format(p->out, " delta previous");
    if (f->part) {
        out_format(p->out, " delta ");
        project_sum(p, f->part->number);
        out_format(p->out, " from ");
        project_sum(p, f->part->base);
    }
    if (f->part && f->part->before) {
        out_format(p->out, " after ");
        project_sum(p, f->part->before);
    }
    if (f->part && f->part->starts)
        out_format(p->out, " else start");
    if (f->coded)
        out_format(p->out, f->still ? " coded still" : " coded");
    if (f->speed)
        out_format(p->out, " speed %s %" PRIu32 " %u", f->speed->of->name, f->speed->factor, f->speed->shift);
    if (f->speed && f->speed->condition) {
        out_format(p->out, " if ");
        project_expr(p, f->speed->condition);
    }
    if (f->owner->is_new && is_scalar(&f->type) && differs_initially(f))
        project_value(p, " =", f, &f->initial);
    out_format(p->out, "\n");
}

/* ---- bodies */

static void project_block(projector *p, const block *b);

static void project_if(projector *p, const item *it)
{
    out_format(p->out, "if ");
    project_expr(p, it->as.branch.condition);
    out_format(p->out, "\n");
    project_block(p, &it->as.branch.then);
    if (it->as.branch.other.items) {
        out_format(p->out, "else\n");
        project_block(p, &it->as.branch.other);
    }
}

static void project_switch(projector *p, const item *it)
{
    out_format(p->out, "switch ");
    project_expr(p, it->as.choice.subject);
    out_format(p->out, "\n");
    for (const arm *a = it->as.choice.arms; a; a = a->next) {
        out_format(p->out, a->is_default ? "default" : "case");
        for (uint32_t i = 0; i < a->value_count; i++)
            project_num(p, a->values[i]->number);
        out_format(p->out, "\n");
        project_block(p, &a->body);
    }
}

static void project_block(projector *p, const block *b)
{
    out_indent(p->out);
    for (const item *it = b->items; it; it = it->next) {
        switch (it->kind) {
        case ITEM_FIELD: project_field(p, it->as.field); break;
        case ITEM_ALIGN: out_format(p->out, "align\n"); break;
        case ITEM_CONST:
        case ITEM_RESERVED:
        case ITEM_CHECK:
            out_format(p->out, "const %u %llu\n", it->as.constant.bits, (unsigned long long)it->as.constant.value);
            break;
        case ITEM_IF: project_if(p, it); break;
        case ITEM_SWITCH: project_switch(p, it); break;
        }
    }
    out_dedent(p->out);
}

/* ---- declarations */

/* Sorted by value, because the wire does not depend on the order in which an enum lists its members. */
static void project_members(projector *p, const decl *d)
{
    out_indent(p->out);
    for (uint32_t i = 0; i < d->member_count; i++) {
        const member *m = d->by_value[i];
        out_format(p->out, "%s", m->name);
        project_num(p, m->value);
        if (m->type)
            out_format(p->out, " %s", m->type->name);
        out_format(p->out, "\n");
    }
    out_dedent(p->out);
}

static void project_decl(projector *p, const decl *d)
{
    const char *packet = d->packet ? "packet " : "";
    const char *delta = d->predicts                  ? " delta predict"
                        : d->delta                   ? " delta"
                        : d->seeded && d->parts == 0 ? " seed"
                        : d->stable                  ? " stable"
                                                     : "";
    switch (d->kind) {
    case DECL_CONST:
    case DECL_ALIAS: break;
    case DECL_ENUM:
        out_format(p->out, "enum %s base", d->name);
        project_num(p, enum_base(d)->value);
        if (d->width > 0)
            out_format(p->out, " bits %u", d->width);
        out_format(p->out, "\n");
        project_members(p, d);
        break;
    case DECL_FLAGS:
        out_format(p->out, "flags %s\n", d->name);
        project_members(p, d);
        break;
    case DECL_STRUCT:
        out_format(p->out, "%sstruct %s%s\n", packet, d->name, delta);
        if (d->key) {
            out_indent(p->out);
            project_field(p, d->key);
            out_dedent(p->out);
        }
        project_block(p, &d->body);
        break;
    case DECL_UNION:
        out_format(p->out, "%sunion %s%s\n", packet, d->name, delta);
        project_members(p, d);
        break;
    }
}

static int compare_decl_names(const void *a, const void *b)
{
    return strcmp((*(const decl *const *)a)->name, (*(const decl *const *)b)->name);
}

static void project_decls(projector *p, const schema *s)
{
    size_t count = 0;
    for (const decl *d = s->decls; d; d = d->next)
        count++;
    const decl **sorted = ARENA_ARRAY(p->arena, const decl *, count);
    size_t filled = 0;
    for (const decl *d = s->decls; d; d = d->next)
        sorted[filled++] = d;
    qsort(sorted, count, sizeof *sorted, compare_decl_names);
    for (size_t i = 0; i < count; i++)
        project_decl(p, sorted[i]);
}

const char *schema_projection(arena *a, const schema *s)
{
    arena *scratch = arena_new();
    projector p = {scratch, out_new(a)};
    out_format(p.out, "pkt %d\n", WIRE_FORMAT);
    if (s->protocol)
        out_format(p.out, "protocol %s %s\n", s->protocol, num_text(scratch, s->version));
    out_format(p.out, "checks %s\n", s->checks ? "on" : "off");
    project_decls(&p, s);
    for (const code_table *t = s->tables; t; t = t->next) {
        if (values_before(t)) {
            out_format(p.out, "values %.*s", (int)(strlen(t->values->name) - strlen(" values")), t->values->name);
            for (unsigned i = 0; i < t->values->count; i++)
                out_format(p.out, " %" PRIu64, t->values->codes[i]);
            out_format(p.out, "\n");
        }
        out_format(p.out, "codes %s", t->name);
        for (unsigned i = 0; i < t->count; i++)
            out_format(p.out, " %u", t->lengths[i]);
        out_format(p.out, "\n");
    }
    arena_free(scratch);
    size_t size;
    return out_result(p.out, &size);
}

const char *schema_decl_projection(arena *a, const decl *d)
{
    projector p = {a, out_new(a)};
    size_t size;
    project_decl(&p, d);
    return out_result(p.out, &size);
}

const char *schema_type_projection(arena *a, const type *t)
{
    projector p = {a, out_new(a)};
    size_t size;
    project_type(&p, t);
    if (t->wraps)
        out_format(p.out, " wrap");
    out_format(p.out, "\n");
    if (t->kind == TYPE_ENUM || t->kind == TYPE_FLAGS)
        project_decl(&p, t->decl);
    return out_result(p.out, &size);
}

const char *schema_field_projection(arena *a, const field *f)
{
    projector p = {a, out_new(a)};
    size_t size;
    project_field(&p, f);
    return out_result(p.out, &size);
}

/* The types of the fields, each once, after the types in them. Only the width of an enum counts, so that it can get more
 * members. */
static void project_types_in(projector *p, const decl *d, map *projected)
{
    for (const field *f = d->fields; f; f = f->next) {
        const decl *of = f->type.decl;
        if (!of || f->local || map_get(projected, NULL, of->name))
            continue;
        map_put(p->arena, projected, NULL, of->name, (void *)(uintptr_t)of);
        if (f->type.kind == TYPE_ENUM) {
            out_format(p->out, "enum %s bits %u\n", of->name, of->width);
        } else {
            project_types_in(p, of, projected);
            project_decl(p, of);
        }
    }
}

const char *schema_stable_projection(arena *a, const schema *s, const decl *packet)
{
    projector p = {a, out_new(a)};
    out_format(p.out, "pkt %d\n", WIRE_FORMAT);
    out_format(p.out, "protocol %s\n", s->protocol);
    project_types_in(&p, packet, map_new(a));
    project_decl(&p, packet);
    size_t size;
    return out_result(p.out, &size);
}

uint64_t schema_id_of(const schema *s, const decl *d)
{
    return d && d->stable ? d->stable_id : s->id;
}

bool is_same_protocol(const schema *one, const schema *other)
{
    return one == other || (one->protocol && other->protocol && strcmp(one->protocol, other->protocol) == 0);
}

bool schema_has_end(const schema *s, const decl *d)
{
    return s->checks || (d && d->stable);
}

uint64_t fnv1a_64(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}
