/* order.c - orders declarations so that each follows the types of its members, and refuses cycles.
 * SPDX-License-Identifier: MIT
 *
 * A depth-first walk over the members of structs and unions. It also adds up the sizes of the C structs, and finds the
 * types that contain a sparse array or another field that is always sent whole, because @delta and `keep` restrict
 * where these can be.
 */
#include "check/check_internal.h"
#include "model/type_table.h"
#include <assert.h>

/* Later phases recurse over the types that a type contains. */
#define MAX_NESTING 200

#define LARGE_STRUCT (UINT64_C(64) << 10)
#define MAX_STRUCT (UINT64_C(1) << 30)

typedef struct hop { /* a member on the path from the type where the walk began to the current type */
    const struct hop *outer;
    decl_info *holder;
    const char *member;
    span span;
} hop;

typedef struct memory_layout {
    checker *k;
    decl **last;
    uint32_t depth;
    bool depth_reported;
} memory_layout;

static void visit(memory_layout *l, decl_info *d, const hop *way);

/* ---- cycles */

/* Adds a note for each member from d to the last hop, outermost first. */
static void note_hops(checker *k, message *m, const hop *in, const decl_info *d)
{
    if (in->holder != d)
        note_hops(k, m, in->outer, d);
    diag_note(k->diag, m, in->span, "'%s' contains '%s' here", in->holder->decl->name, in->member);
}

static void report_struct_cycle(checker *k, const hop *way, const decl_info *d)
{
    message *m = way->holder == d
                     ? diag_error(k->diag, way->span, "'%s' contains itself, in '%s'", d->decl->name, way->member)
                     : diag_error(k->diag, way->span, "'%s' contains itself, through '%s'", d->decl->name,
                                  way->holder->decl->name);
    if (way->holder != d)
        note_hops(k, m, way->outer, d);
    diag_help(k->diag, m, "use `ref<%s, MAX>`, which is a pointer in C and an id on the wire", d->decl->name);
}

/* Visits a declaration that a member contains, unless that was done before. False after an error: a cycle or too deep
 * nesting. */
static bool visit_needed(memory_layout *l, decl_info *holder, const decl *d, const char *name, span at, const hop *way)
{
    checker *k = l->k;
    decl_info *info = info_of(k, d);
    hop here = {.outer = way, .holder = holder, .member = name, .span = at};
    if (info->progress == PROGRESS_RUNNING) {
        report_struct_cycle(k, &here, info);
        return false;
    }
    if (info->progress == PROGRESS_NONE) {
        if (l->depth == MAX_NESTING) {
            if (!l->depth_reported) {
                diag_error(k->diag, at, "types contain each other more than %d deep", MAX_NESTING);
                l->depth_reported = true;
            }
            return false;
        }
        visit(l, info, &here);
    }
    return true;
}

/* ---- sizes */

typedef struct memory_extent {
    uint64_t size;
    uint32_t align;
} memory_extent;

static memory_extent storage_extent(storage s)
{
    uint32_t bytes = storage_bits(s) / 8;
    return (memory_extent){bytes, bytes};
}

static void append_extent(memory_extent *sum, memory_extent e)
{
    sum->size = (sum->size + e.align - 1) / e.align * e.align + e.size;
    sum->align = e.align > sum->align ? e.align : sum->align;
}

static memory_extent type_extent(checker *k, const type *t)
{
    memory_extent e;
    const decl_info *d;
    switch (type_row_of(t)->sort) {
    case SORT_BOOL:
    case SORT_INTEGER:
    case SORT_FIXED:
    case SORT_REAL:
    case SORT_ENUM:
    case SORT_FLAGS: return storage_extent(t->storage);
    case SORT_QUAT: return (memory_extent){16, 4};
    case SORT_UNIT: return (memory_extent){12, 4};
    case SORT_STRING: return (memory_extent){(uint64_t)t->length + 1, 1};
    case SORT_BYTES:
        e = (memory_extent){t->length, 1};
        append_extent(&e, storage_extent(storage_for(t->length)));
        return e;
    case SORT_STRUCT:
    case SORT_UNION: d = info_of(k, t->decl); return (memory_extent){d->size, d->align};
    case SORT_REF:
    case SORT_FOREIGN: return (memory_extent){8, 8};
    }
    assert(false && "no such value");
    return (memory_extent){0, 1};
}

static void append_field(checker *k, memory_extent *sum, const field *f)
{
    memory_extent e = type_extent(k, &f->type);
    for (uint32_t i = 0; i < f->dim_count; i++)
        e.size *= f->dims[i];
    e.size = e.size < MAX_STRUCT ? e.size : MAX_STRUCT + 1;
    if (f->optional)
        append_extent(sum, storage_extent(STORAGE_BOOL));
    append_extent(sum, e);
    if (f->array == ARRAY_COUNTED)
        append_extent(sum, storage_extent(storage_for(f->dims[0])));
    if (f->array == ARRAY_SPARSE)
        append_extent(sum, (memory_extent){((uint64_t)f->dims[0] + 63) / 64 * 8, 8});
}

/* Reports a struct that is too large, unless one of its parts was already reported. */
static void set_extent(checker *k, decl_info *d, memory_extent sum, bool part_is_large)
{
    append_extent(&sum, (memory_extent){0, sum.align});
    d->size = sum.size ? sum.size : 1;
    d->align = sum.align;
    if (d->size > MAX_STRUCT) {
        diag_error(k->diag, d->decl->span, "the C struct of '%s' is larger than 1 GB", d->decl->name);
        d->size = MAX_STRUCT;
    } else if (d->size > LARGE_STRUCT && !d->decl->large && !part_is_large) {
        message *m =
            diag_warning(k->diag, d->decl->span, "the C struct of '%s' is about %llu KB, which is a lot for a stack",
                         d->decl->name, (unsigned long long)(d->size >> 10));
        help_with_attribute(k, m, d->decl, "@large", " if this is intended");
    }
}

static bool is_large(const decl_info *d)
{
    return d->size > LARGE_STRUCT && !d->decl->large;
}

/* ---- fields that are always sent whole */

static void no_whole_in_delta(checker *k, const decl *d, span at, const field *f)
{
    const char *what = f->array == ARRAY_SPARSE     ? "a sparse array"
                       : f->array == ARRAY_COMPUTED ? "an array whose count is computed"
                                                    : "an array with `delta(previous)`";
    message *m = diag_error(k->diag, at, "'%s' is @delta, so it cannot contain %s", d->name, what);
    if (f->array == ARRAY_COMPUTED)
        diag_fix(k->diag, m,
                 (edit){find_field(k, f->owner, f->name)->declarator->dims->span,
                        arena_printf(k->arena, "[<=%u]", (unsigned)f->dims[0])},
                 "send the count with the array, as in `%s[<=%u]`: a delta sends only the elements that "
                 "changed",
                 f->name, (unsigned)f->dims[0]);
    else
        diag_help(
            k->diag, m,
            f->array == ARRAY_SPARSE && f->type.kind == TYPE_STRUCT
                ? "use a list with a key, `T x[<=N] by id`, or a plain array: a delta sends only the elements that "
                  "changed"
                : "use a plain array: a delta sends only the elements that changed");
    if (at.source != f->span.source || at.begin != f->span.begin)
        diag_note(k->diag, m, f->span, f->array == ARRAY_SPARSE ? "the sparse array is here" : "the array is here");
}

static void keep_is_lost(checker *k, span at, const field *kept, const char *where)
{
    message *m = diag_error(k->diag, at, "a sparse array with 'keep' cannot be inside %s", where);
    diag_help(k->diag, m, "make it a plain member of the packet, or of a struct that is one");
    if (at.source != kept->span.source || at.begin != kept->span.begin)
        diag_note(k->diag, m, kept->span, "the sparse array is here");
}

static void carry_whole(checker *k, decl_info *holder, const field_info *i, const decl_info *held)
{
    const field *f = i->field;
    const bool sent_whole = f->array == ARRAY_SPARSE || f->array == ARRAY_COMPUTED || f->chain;
    const field *whole = sent_whole ? f : held ? held->whole : NULL;
    const field *kept = f->array == ARRAY_SPARSE && f->keep ? f : held ? held->kept : NULL;
    if (whole && holder->decl->delta)
        no_whole_in_delta(k, holder->decl, f->span, whole);
    if (kept && i->conditional)
        keep_is_lost(k, f->span, kept, "a branch");
    else if (kept && f->optional)
        keep_is_lost(k, f->span, kept, "an optional field");
    else if (kept && kept != f && f->array != ARRAY_NONE)
        keep_is_lost(k, f->span, kept, "an array");
    else if (kept && !holder->kept)
        holder->kept = kept;
    if (whole && !holder->whole)
        holder->whole = whole;
}

static void advise_to_send_id(checker *k, message *m, const field *ref)
{
    const char *id = arena_printf(k->arena, "int<0, %s>", num_text(k->arena, ref->type.high));
    diag_fix(k->diag, m, (edit){ref->type.span, id}, "send the id itself: `%s %s;`", id, ref->name);
    diag_note(k->diag, m, ref->span, "the ref is here");
}

/* A ring keeps as many values as a baseline can be old. */
static void check_ring(checker *k, const field *f, const decl_info *held)
{
    const uint64_t values = delta_part_ring(f->part);
    if (values <= MAX_STRUCT / held->size)
        return;
    message *m = diag_error(k->diag, f->span, "the ring of '%s' has %llu values of %llu bytes, more than 1 GB", f->name,
                            (unsigned long long)values, (unsigned long long)held->size);
    diag_help(k->diag, m, "make the range of the field smaller that says how far back the baseline is");
}

/* ---- the walk */

static void visit_struct(memory_layout *l, decl_info *d, const hop *way)
{
    checker *k = l->k;
    memory_extent sum = {0, 1};
    bool part_is_large = false;
    for (const field_info *i = d->fields; i; i = i->next) {
        const field *f = i->field;
        const type *t = &f->type;
        if (i->broken)
            continue;
        const decl *by_value = t->kind == TYPE_REF ? NULL : t->decl;
        if (by_value && !visit_needed(l, d, by_value, f->name, f->span, way))
            continue;
        const decl_info *held = is_composite(t) ? info_of(k, by_value) : NULL;
        append_field(k, &sum, f);
        if (f->part && held)
            check_ring(k, f, held);
        part_is_large |= held && is_large(held);
        if (!f->local)
            carry_whole(k, d, i, held);
        if (f->chain && held && held->ref) {
            /* A reader that does not know an object has NULL in its place, so it could not tell whether the next element
             * has the same. */
            message *m =
                diag_error(k->diag, f->span, "'%s' has delta(previous), so its elements cannot contain a ref", f->name);
            advise_to_send_id(k, m, held->ref);
        }
        if (!f->local && !d->ref)
            d->ref = t->kind == TYPE_REF ? f : held ? held->ref : NULL;
    }
    if (d->ref && d->has_parts) {
        message *m = diag_error(k->diag, d->decl->span, "'%s' has parts that are deltas, so it cannot contain a ref",
                                d->decl->name);
        advise_to_send_id(k, m, d->ref);
    }
    set_extent(k, d, sum, part_is_large);
}

static void visit_union(memory_layout *l, decl_info *d, const hop *way)
{
    checker *k = l->k;
    memory_extent greatest = {0, 1};
    bool part_is_large = false;
    for (const member *m = d->decl->members; m; m = m->next) {
        if (!m->type || !visit_needed(l, d, m->type, m->name, m->span, way))
            continue;
        const decl_info *held = info_of(k, m->type);
        greatest.size = held->size > greatest.size ? held->size : greatest.size;
        greatest.align = held->align > greatest.align ? held->align : greatest.align;
        part_is_large |= is_large(held);
        if (held->whole && d->decl->delta)
            no_whole_in_delta(k, d->decl, m->span, held->whole);
        if (held->kept)
            keep_is_lost(k, m->span, held->kept, "a union");
        d->whole = d->whole ? d->whole : held->whole;
        d->ref = d->ref ? d->ref : held->ref;
    }
    memory_extent sum = storage_extent(storage_for(d->decl->member_count));
    append_extent(&sum, greatest);
    set_extent(k, d, sum, part_is_large);
}

static void visit(memory_layout *l, decl_info *d, const hop *way)
{
    d->progress = PROGRESS_RUNNING;
    l->depth++;
    switch (d->decl->kind) {
    case DECL_STRUCT: visit_struct(l, d, way); break;
    case DECL_UNION: visit_union(l, d, way); break;
    case DECL_CONST:
    case DECL_ALIAS:
    case DECL_ENUM:
    case DECL_FLAGS: break;
    }
    l->depth--;
    d->progress = PROGRESS_DONE;
    *l->last = d->decl;
    l->last = &d->decl->next;
}

void check_order(checker *k)
{
    memory_layout l = {.k = k, .last = &k->schema->decls};
    for (decl_info *d = k->decls; d; d = d->next)
        if (d->decl->kind == DECL_CONST || (d->decl->kind != DECL_ALIAS && d->progress == PROGRESS_NONE))
            visit(&l, d, NULL);
}
