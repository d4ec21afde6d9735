/* fuse.c - decides the shape of generated code: bounds checks, words and loops.
 * SPDX-License-Identifier: MIT
 *
 * One walk over the ops of a type. A leaf extends the open run (fuse_runs.c). An item of varying size closes the run,
 * unless it is small enough to be part of it. The walk keeps two numbers: `verified`, the bits from here on that have
 * been checked, and `tail`, the least bits that follow the current list in the type. A check covers the tail too, so
 * the tail needs no check of its own.
 */
#include "wire/fuse_internal.h"
#include "wire/tuning.h"

#include "model/subset.h"

#include <assert.h>

static const lvalue *of_field(walk *k, const lvalue *outer, const field *f)
{
    return ARENA_WITH(k->arena, lvalue, .outer = outer, .kind = ACCESS_FIELD, .field = f, .loop = -1);
}

static const lvalue *of_index(walk *k, const lvalue *outer, int loop, uint32_t offset)
{
    return ARENA_WITH(k->arena, lvalue, .outer = outer, .kind = ACCESS_INDEX, .loop = loop, .offset = offset);
}

/* ---- the walk */

static void walk_list(walk *k, const op *o, const lvalue *outer, uint64_t tail);
static void walk_value(walk *k, const op *o, const lvalue *at, uint64_t tail);

/* Walks a side of a branch, or the body of a loop, and returns its steps. It starts and ends without an open run. */
static step *walk_apart(walk *k, const op *o, bool several, const lvalue *at, uint64_t tail)
{
    step *first = NULL, **outside = k->last;
    k->last = &first;
    if (several)
        walk_list(k, o, at, tail);
    else
        walk_value(k, o, at, tail);
    close_run(k);
    k->last = outside;
    return first;
}

/* The state of the walk at a branch; and the state after it, which is true of all sides. */
typedef struct walk_fork {
    uint64_t verified, before;
    int align;
    bool any;
    uint64_t joined_verified, joined_before;
    int joined_align;
} walk_fork;

static walk_fork fork_begin(walk *k)
{
    close_run(k);
    return (walk_fork){.verified = k->verified, .before = k->before, .align = k->align};
}

static void fork_way(walk *k, const walk_fork *f)
{
    k->verified = f->verified;
    k->before = f->before;
    k->align = f->align;
}

static void fork_end_way(walk *k, walk_fork *f)
{
    if (!f->any || k->verified < f->joined_verified)
        f->joined_verified = k->verified;
    if (!f->any || k->before < f->joined_before)
        f->joined_before = k->before;
    f->joined_align = !f->any || f->joined_align == k->align ? k->align : -1;
    f->any = true;
}

static void fork_join(walk *k, const walk_fork *f)
{
    k->verified = f->joined_verified;
    k->before = f->joined_before;
    k->align = f->joined_align;
}

/* Whether an op is an element of a list, which has its key before it. */
static bool has_key(const op *o)
{
    return o->field && o->field->by;
}

/* The number of leaves of an element that is a scalar or a flat struct; 0 for other elements. */
static uint64_t flat_leaves(const walk *k, const op *o)
{
    if (op_is_leaf(o))
        return op_weight(o);
    if (o->kind == OP_STRUCT && !has_key(o) && place_of(k->plan->type->decl->file, o->of, true) == PLACE_FLAT)
        return o->of->leaves;
    return 0;
}

static uint32_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return (uint32_t)a;
}

/* How many elements of an array one leaf moves: 8 bytes of memory, if the elements are integers narrower than their
 * storage that fit in one word together; otherwise 1. Not for elements without bits. See runtime/pkt_lanes.h. */
static unsigned lanes_of(const op *o)
{
    if (o->kind != OP_BOOL && o->kind != OP_RAW && o->kind != OP_BIASED)
        return 1;
    unsigned lane = o->kind == OP_BOOL ? 8 : storage_bits(o->type->storage);
    if (lane > 16 || 64 / lane * o->bits > WORD_BITS)
        return 1;
    return 64 / lane;
}

/* The number of elements per group of a loop. A group is a whole number of bytes, so that the shift is the same for
 * every group, and it should fit in one word. Four quats are a group because one operation moves them. */
static uint32_t group_of(const walk *k, const op *element, uint64_t count)
{
    uint64_t leaves = flat_leaves(k, element), bits = element->least;
    uint32_t unit, group;
    if (element->kind == OP_QUAT)
        return count < QUATS ? 1 : QUATS;
    if (leaves == 0 || bits == 0)
        return 1;
    unit = 8 / gcd(bits, 8);
    group = unit;
    if (lanes_of(element) > group)
        group = lanes_of(element);
    while (lanes_of(element) == 1 && (group + unit) * leaves <= GROUP_GROWS && (group + unit) * bits <= WORD_BITS)
        group += unit;
    return group * leaves <= GROUP_LEAVES && group <= count ? group : 1;
}

/* Marks the leaves of a group of quats. */
static void mark_four(step *s)
{
    const lvalue *head = NULL;
    for (unsigned n = 0; s; s = s->next) {
        if (s->kind != STEP_LEAF)
            continue;
        if (n == 0)
            head = s->at;
        s->first_of_four = head;
        s->four = ++n;
    }
}

static void walk_array_elements(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    const op *element = o->body;
    step *s;
    close_run(k);
    const uint64_t before = k->before;
    s = add_step(k, STEP_LOOP, o, at);
    s->depth = k->depth++;
    s->fixed = element->fixed;
    s->bits = element->least;
    s->rest = tail;
    s->group = element->fixed ? group_of(k, element, o->count) : 1;
    if (element->fixed && o->kind != OP_ARRAY)
        k->plan->checks++;
    uint64_t ahead = element->fixed ? s->bits : 0;
    int align = k->align;
    if (s->group > 1) {
        step *first = NULL, **outside = k->last;
        k->last = &first;
        k->verified = s->group * ahead + tail;
        k->align = s->group * ahead % 8 == 0 ? align : -1;
        unsigned lanes = lanes_of(element);
        assert(s->group % lanes == 0 && "both are powers of two");
        for (uint32_t g = 0; g < s->group; g += lanes) {
            const lvalue *first_of = of_index(k, at, s->depth, g);
            uint64_t behind = (s->group - g - lanes) * ahead + tail;
            if (lanes == 1)
                walk_value(k, element, first_of, behind);
            else
                place_lanes(k, element, first_of, lanes, lanes * ahead + behind);
        }
        close_run(k);
        k->last = outside;
        s->body = first;
        if (element->kind == OP_QUAT)
            mark_four(first);
    }
    k->before = before;
    /* A known alignment stays the same in all elements only if the size of an element is a whole number of bytes. */
    k->align = ahead % 8 == 0 && element->fixed ? align : -1;
    k->verified = element->fixed ? ahead + tail : 0;
    s->other = walk_apart(k, element, false, of_index(k, at, s->depth, 0), element->fixed ? tail : 0);
    k->align = ahead % 8 == 0 && element->fixed ? align : -1;
    k->verified = element->fixed ? tail : 0;
    k->before = o->kind == OP_ARRAY ? before + element->least * o->count : before;
    k->depth--;
}

static void walk_array(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    const op *element = o->body;
    bool bytes = element->kind == OP_RAW && element->bits == 8 && element->type->storage == STORAGE_U8;
    uint64_t align = k->open && k->align >= 0 ? ((uint64_t)k->align + k->offset) % 8 : (uint64_t)k->align;
    if (bytes && k->align >= 0 && align == 0 && o->count >= COPY_BYTES) {
        close_run(k);
        need_bits(k, 8 * o->count + tail);
        step *s = add_step(k, STEP_COPY, o, at);
        s->bits = 8 * o->count;
        k->verified -= s->bits;
        k->before += s->bits;
        return;
    }
    uint64_t leaves = flat_leaves(k, element);
    if (leaves != 0 && o->count <= UNROLLED_ELEMENTS && o->count * leaves <= UNROLLED_LEAVES) {
        for (uint32_t n = 0; n < o->count; n++)
            walk_value(k, element, of_index(k, at, -1, n), (o->count - n - 1) * element->least + tail);
        return;
    }
    close_run(k);
    if (element->fixed)
        need_bits(k, element->least * o->count + tail);
    walk_array_elements(k, o, at, tail);
}

/* Whether the body of a subset is one run whose word has room for the index too; if so, marks the run. */
static bool join(step *run, int depth, unsigned index_bits)
{
    step *end;
    if (!run || run->kind != STEP_RUN || index_bits == 0)
        return false;
    for (end = run->next; end->kind == STEP_LEAF && !end->across; end = end->next)
        continue;
    if (end->kind != STEP_END || end->next || end->bits + index_bits > WORD_BITS)
        return false;
    run->joined = end->joined = true;
    end->depth = depth;
    return true;
}

/* The bounds check of an index includes the least bits of its element; the check of the list's end, the bits that
 * follow the list. */
static void walk_sparse_array(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    close_run(k);
    step *s = add_step(k, STEP_SUBSET, o, at);
    s->depth = k->depth++;
    s->bits = o->body->least;
    s->rest = tail;
    k->plan->checks++;
    k->align = -1;
    k->verified = s->bits;
    const uint64_t before = k->before;
    s->body = walk_apart(k, o->body, false, of_index(k, at, s->depth, 0), 0);
    s->joined = join(s->body, s->depth, subset_widest_index(o->field->mode, o->count));
    k->align = -1;
    k->verified = tail;
    k->before = before;
    k->depth--;
}

static void walk_call(walk *k, const op *o, const lvalue *at)
{
    close_run(k);
    step *s = add_step(k, STEP_CALL, o, at);
    s->inlined = place_of(k->plan->type->decl->file, o->of, k->depth != 0) != PLACE_CALL;
    count_leaves(k, o->of->leaves, false);
    k->before += o->least;
    k->verified = 0;
    k->align = -1;
}

/* The functions of the type's deltas work on the stream, so nothing is known of the bits after it. */
static void walk_delta(walk *k, const op *o, const lvalue *at)
{
    close_run(k);
    add_step(k, STEP_DELTA, o, at);
    count_leaves(k, o->of->leaves, false);
    k->before += o->least;
    k->verified = 0;
    k->align = -1;
}

/* Nothing follows a union in its type, so what is known after it does not matter. */
static void walk_union_value(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    place_leaf(k, o, at, LEAF_TAG, o->bits, o->least + tail);
    const walk_fork f = fork_begin(k);
    step *s = add_step(k, STEP_UNION, o, at);
    step_arm **last = &s->arms;
    for (const op_arm *a = o->arms; a; a = a->next) {
        step_arm *made = ARENA_NEW(k->arena, step_arm);
        made->arm = a;
        fork_way(k, &f);
        const lvalue *of =
            ARENA_WITH(k->arena, lvalue, .outer = at, .kind = ACCESS_MEMBER, .member = a->member, .loop = -1);
        made->body = walk_apart(k, a->body, false, of, tail);
        *last = made;
        last = &made->next;
    }
}

/* Walks a branch inside the open run. Its bits are not part of the offsets after it, because it can be absent. */
static step *walk_within(walk *k, const op *o, bool several, const lvalue *at)
{
    step *first = NULL, **outside = k->last;
    const uint64_t offset = k->offset;
    k->last = &first;
    k->branches++;
    if (several)
        walk_list(k, o, at, 0);
    else
        walk_value(k, o, at, 0);
    k->branches--;
    if (k->offset != offset) {
        add_step(k, STEP_VARIED, NULL, NULL)->bits = k->offset - offset;
        k->moved = true;
    }
    k->offset = offset;
    k->last = outside;
    return first;
}

static void walk_maybe(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    bool optional = o->kind == OP_OPTIONAL;
    place_leaf(k, o, at, optional ? LEAF_PRESENCE : LEAF_DIFFERS, 1, 1 + tail);
    if (vary(k, o, varying_bits(o->body), tail)) {
        const uint64_t least = k->least;
        step *s = add_step(k, optional ? STEP_PRESENT : STEP_DIFFERS, o, at);
        s->body = walk_within(k, o->body, false, at);
        k->least = least;
        return;
    }
    walk_fork f = fork_begin(k);
    step *s = add_step(k, optional ? STEP_PRESENT : STEP_DIFFERS, o, at);
    fork_end_way(k, &f);
    s->body = walk_apart(k, o->body, false, at, tail);
    fork_end_way(k, &f);
    fork_join(k, &f);
}

static void walk_choice(walk *k, const op *o, const lvalue *outer, uint64_t tail)
{
    if (o->kind == OP_IF && vary(k, o, varying_bits(o), o->least + tail)) {
        step *s = add_step(k, STEP_IF, o, outer);
        const walk start = *k;
        s->body = walk_within(k, o->body, true, outer);
        const walk taken = *k;
        k->least = start.least;
        k->most = start.most;
        k->moved = start.moved;
        s->other = walk_within(k, o->other, true, outer);
        if (taken.least < k->least)
            k->least = taken.least;
        if (taken.most > k->most)
            k->most = taken.most;
        k->moved |= taken.moved;
        return;
    }
    walk_fork f = fork_begin(k);
    step *s = add_step(k, o->kind == OP_IF ? STEP_IF : STEP_SWITCH, o, outer);
    if (o->kind == OP_IF) {
        s->body = walk_apart(k, o->body, true, outer, tail);
        fork_end_way(k, &f);
        fork_way(k, &f);
        s->other = walk_apart(k, o->other, true, outer, tail);
        fork_end_way(k, &f);
        fork_join(k, &f);
        return;
    }
    step_arm **last = &s->arms;
    fork_end_way(k, &f); /* no arm may match */
    for (const op_arm *a = o->arms; a; a = a->next) {
        step_arm *made = ARENA_NEW(k->arena, step_arm);
        made->arm = a;
        fork_way(k, &f);
        made->body = walk_apart(k, a->body, true, outer, tail);
        fork_end_way(k, &f);
        *last = made;
        last = &made->next;
    }
    fork_join(k, &f);
}

/* An item with its length in its first bits. Its least bits are checked here; the step itself checks the rest. */
static void walk_varying(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    close_run(k);
    need_bits(k, o->least + tail);
    step *s = add_step(k, STEP_VARYING, o, at);
    s->rest = tail;
    s->edge = !inside(k, 0);
    k->plan->checks++;
    count_word(k, s->edge);
    k->before += o->least;
    k->verified = tail;
    k->align = -1;
}

/* The key of an element. The step itself checks its bits, with the least ones of the element; at least `tail` bits follow that. */
static void walk_key(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    const uint64_t rest = o->of->least + tail;
    close_run(k);
    step *s = add_step(k, STEP_KEY, o, at);
    s->rest = rest;
    k->verified = 1 + rest;
    s->edge = !inside(k, 0);
    k->plan->checks++;
    count_word(k, s->edge);
    k->before += 1;
    k->verified = rest;
    k->align = -1;
}

/* The length is a leaf of the run. The step itself checks the padding and the bytes. */
static void walk_text(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    bool text = o->kind == OP_STRING;
    place_leaf(k, o, at, text ? LEAF_LENGTH : LEAF_SIZE, o->bits, o->bits + tail);
    close_run(k);
    step *s = add_step(k, text ? STEP_TEXT : STEP_BYTES, o, at);
    s->rest = tail;
    k->plan->checks++;
    k->verified = tail;
    k->align = 0;
}

/* Walks one value; at least `tail` bits follow it. */
static void walk_value(walk *k, const op *o, const lvalue *at, uint64_t tail)
{
    switch (o->kind) {
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_CONSTANT:
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF: place_leaf(k, o, at, LEAF_VALUE, o->bits, o->bits + tail); break;
    case OP_ALIGN:
        close_run(k);
        add_step(k, STEP_ALIGN, o, NULL)->rest = tail;
        k->verified = tail;
        k->align = 0;
        k->plan->checks++;
        break;
    case OP_STRING:
    case OP_BYTES: walk_text(k, o, at, tail); break;
    case OP_KEY: break;
    case OP_STRUCT:
        if (has_key(o))
            walk_key(k, o, at, tail);
        if (place_of(k->plan->type->decl->file, o->of, false) == PLACE_FLAT)
            walk_list(k, o->of->body, at, tail);
        else
            walk_call(k, o, at);
        break;
    case OP_UNION:
        if (!o->field)
            walk_union_value(k, o, at, tail);
        else
            walk_call(k, o, at);
        break;
    case OP_ARRAY: walk_array(k, o, at, tail); break;
    case OP_COUNTED:
        place_leaf(k, o, at, LEAF_COUNT, o->bits, o->least + tail);
        walk_array_elements(k, o, at, tail);
        break;
    case OP_COMPUTED: walk_array_elements(k, o, at, tail); break;
    case OP_SPARSE: walk_sparse_array(k, o, at, tail); break;
    case OP_OPTIONAL:
    case OP_UNLESS: walk_maybe(k, o, at, tail); break;
    case OP_IF:
    case OP_SWITCH: walk_choice(k, o, at, tail); break;
    case OP_COMPACT:
    case OP_OR_RAW:
    case OP_AFTER: walk_varying(k, o, at, tail); break;
    case OP_DELTA: walk_delta(k, o, at); break;
    }
}

static void walk_list(walk *k, const op *o, const lvalue *outer, uint64_t tail)
{
    const op *named = o;
    while (named && !named->names)
        named = named->next;
    /* The least bits after the last field that names a part: a reader of names does not ask for them. */
    uint64_t later = named ? named->rest : 0;
    for (; o; o = o->next) {
        walk_value(k, o, o->field ? of_field(k, outer, o->field) : outer, o->rest + tail - later);
        if (o->names) {
            close_run(k);
            add_step(k, STEP_NAMED, o, NULL);
            later = 0;
        }
    }
}

plan *fuse(arena *a, const wire_type *t)
{
    plan *p = ARENA_NEW(a, plan);
    walk k = {.arena = a, .plan = p, .last = &p->steps, .align = -1};
    p->type = t;
    walk_list(&k, t->body, NULL, 0);
    close_run(&k);
    return p;
}

/* Functions of its own are worth it only for a body with enough leaves at known bits; most packets have few. */
static body_plan plan_body(arena *scratch, const wire_type *t)
{
    plan p = {.type = t};
    walk k = {.arena = scratch, .plan = &p, .last = &p.steps, .align = 0};
    if (t->leaves <= INLINE_LEAVES || (t->leaves <= SMALL_LEAVES && t->straight))
        return BODY_INLINE;
    if (t->decl->kind == DECL_UNION)
        return BODY_STREAM;
    walk_list(&k, t->body, NULL, 0);
    return START_GAINS * k.known >= k.leaves ? BODY_START : BODY_STREAM;
}

const body_plan *plan_bodies(arena *a, const wire *w)
{
    arena *scratch = arena_new();
    body_plan *bodies = ARENA_ARRAY(a, body_plan, w->type_count);
    for (const wire_type *t = w->types; t; t = t->next) {
        if (t->decl->packet)
            bodies[t->index] = plan_body(scratch, t);
        arena_clear(scratch);
    }
    arena_free(scratch);
    return bodies;
}

/* A delta has many runs, most of one field. They are slow anyway, because where they begin is unpredictable; so they
 * are calls, which take less code. A run at an edge has one word. */
static void mark_alone(step *s)
{
    step *run = NULL;
    for (; s; s = s->next) {
        if (s->kind == STEP_RUN)
            run = s->edge && !s->varies ? s : NULL;
        if (s->kind == STEP_END && run)
            run->alone = s->alone = true;
    }
}

step *fuse_value(arena *a, const wire_type *t, const op *o, const lvalue *at, int depth)
{
    plan p = {.type = t};
    walk k = {.arena = a, .plan = &p, .last = &p.steps, .align = -1, .depth = depth, .begun = true};
    walk_value(&k, o, at, 0);
    close_run(&k);
    mark_alone(p.steps);
    return p.steps;
}

step *fuse_head(arena *a, const wire_type *t, const op *o, const lvalue *at)
{
    plan p = {.type = t};
    walk k = {.arena = a, .plan = &p, .last = &p.steps, .align = -1, .begun = true};
    leaf_role role = o->kind == OP_OPTIONAL ? LEAF_PRESENCE : o->kind == OP_COUNTED ? LEAF_COUNT : LEAF_TAG;
    place_leaf(&k, o, at, role, o->bits, o->bits);
    close_run(&k);
    mark_alone(p.steps);
    return p.steps;
}
