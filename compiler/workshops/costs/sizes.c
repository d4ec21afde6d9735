/* sizes.c - makes the rows of a type's table from its wire ops, and the texts in them.
 * SPDX-License-Identifier: MIT
 */
#include "costs/sizes_internal.h"
#include "model/subset.h"
#include "model/type_table.h"
#include "wire/wire.h"

#include <inttypes.h>
#include <string.h>

enum { BITS_A_BYTE = 8 };

/* ---- words */

const char *size_source_text(arena *a, span at)
{
    const char *from = (const char *)at.source->text + at.begin, *end = (const char *)at.source->text + at.end;
    char *text = arena_alloc(a, (size_t)(end - from) + 1), *to = text;
    for (; from < end; from++) {
        bool blank = *from == ' ' || *from == '\t' || *from == '\r' || *from == '\n' || *from == '\v' || *from == '\f';
        if (!blank)
            *to++ = *from;
        else if (to != text && to[-1] != ' ')
            *to++ = ' ';
    }
    return text;
}

const char *size_range(arena *a, uint64_t least, uint64_t most)
{
    return least == most ? arena_printf(a, "%" PRIu64, most) : arena_printf(a, "%" PRIu64 " to %" PRIu64, least, most);
}

const char *size_share(arena *a, uint64_t part, uint64_t whole)
{
    return whole == 0 ? "" : arena_printf(a, "%.1f %%", 100.0 * (double)part / (double)whole);
}

int size_lines(const wire *w, const wire_type *t, size_line lines[2])
{
    const decl *d = t->decl;
    const uint64_t most = bytes_of_bits(t->most_framed), delta = bytes_of_bits(t->delta_most_framed);
    const bool fits = has_fit(d);
    lines[0] = (size_line){d->name, bytes_of_bits(t->least_framed), most, most, d->budget, fits && d->parts > 0};
    lines[1] = (size_line){"", bytes_of_bits(t->delta_least_framed), delta, delta, 0, fits};
    if (lines[0].fits && d->budget != 0 && d->budget < most) {
        const uint64_t fitted = most_bytes_after_fit(w, t);
        lines[0].most = fitted > d->budget ? fitted : d->budget;
    }
    return d->delta ? 2 : 1;
}

const char *size_note(arena *a, const size_line *line, uint32_t mtu)
{
    const char *over = line->most > mtu ? arena_printf(a, "up to %" PRIu64 " over", line->most - mtu) : "";
    const char *comma = *over ? ", " : "";
    if (line->budget != 0 && line->most > line->budget)
        return arena_printf(a, "%s%smore than its budget of %" PRIu64, over, comma, line->budget);
    if (line->unfit > line->most)
        return arena_printf(a, "%s%s%" PRIu64 " without @fit", over, comma, line->unfit);
    if (*over && line->fits)
        return arena_printf(a, "%s, unless @fit leaves elements out", over);
    if (*over && line->budget != 0)
        return arena_printf(a, "%s, within its budget of %" PRIu64, over, line->budget);
    return over;
}

double size_kbits(uint64_t bytes, uint32_t hz)
{
    return (double)bytes * BITS_A_BYTE * hz / 1000;
}

const char *size_rate(arena *a, const size_line *line, uint32_t hz)
{
    const double least = size_kbits(line->least, hz), most = size_kbits(line->most, hz);
    return least == most ? arena_printf(a, "%.1f", most) : arena_printf(a, "%.1f to %.1f", least, most);
}

uint64_t size_whole(const wire_type *t)
{
    return t->decl->packet ? BITS_A_BYTE * bytes_of_bits(t->most_framed) : t->most;
}

const char *size_of_type(arena *a, const wire *w, const wire_type *t)
{
    if (t->decl->packet) {
        size_line lines[2];
        int count = size_lines(w, t, lines);
        const char *size = arena_printf(a, "%s bytes", size_range(a, lines[0].least, lines[0].most));
        if (lines[0].unfit > lines[0].most)
            size = arena_printf(a, "%s, %s", size, size_note(a, &lines[0], UINT32_MAX));
        return count == 1 ? size
                          : arena_printf(a, "%s, %s as a delta", size, size_range(a, lines[1].least, lines[1].most));
    }
    const char *size = arena_printf(a, "%s bits", size_range(a, t->least, t->most));
    return t->decl->delta ? arena_printf(a, "%s, %s as a delta", size, size_range(a, t->delta_least, t->delta_most))
                          : size;
}

/* ---- fields */

/* With dimensions and the key: "players[<=32] by id". */
static const char *size_field_name(arena *a, const field *f)
{
    const char *name = arena_printf(a, "%s%s", f->name, dims_words(a, f));
    return f->by ? arena_printf(a, "%s by %s", name, f->by->name) : name;
}

/* With `optional` or `sparse<...>`. */
static const char *size_type_name(arena *a, const field *f)
{
    const char *written = size_source_text(a, f->type.span);
    if (f->type.kind == TYPE_OR_RAW)
        written = arena_printf(a, "%s or raw", written);
    if (f->optional)
        return arena_printf(a, "optional %s", written);
    if (f->array == ARRAY_SPARSE)
        return arena_printf(a, "sparse<%s%s> %s", sparse_mode_name(f->mode), f->keep ? ", keep" : "", written);
    return written;
}

const char *size_item_name(arena *a, const item *i)
{
    const char *name = size_source_text(a, i->span);
    size_t size = strlen(name);
    return arena_text(a, name, size - (size != 0 && name[size - 1] == ';'));
}

size_kind size_kind_of(const op *o)
{
    return (size_kind)type_row_of(&o->field->type)->family;
}

/* ---- rows */

typedef struct size_table {
    arena *arena;
    size_row **last;
} size_table;

static size_row *add_row(size_table *t, unsigned depth, const char *name, const char *type_name, uint64_t least,
                         uint64_t most)
{
    size_row *row = ARENA_NEW(t->arena, size_row);
    *row = (size_row){
        .depth = depth,
        .name = name,
        .type = type_name,
        .parts = "",
        .sized = true,
        .least = least,
        .most = most,
    };
    *t->last = row;
    t->last = &row->next;
    return row;
}

static void add_side(size_table *t, unsigned depth, const char *name)
{
    add_row(t, depth, name, "", 0, 0)->sized = false;
}

/* The bits that tell which elements of a subset are present, for any allowed number of elements. */
static const char *index_bits(arena *a, const op *o)
{
    const subset s = {.mode = o->field->mode, .n = o->count, .high = o->span};
    uint64_t count, least = subset_least(&s, 0, &count), most = subset_most(&s, 0, &count);
    return size_range(a, least, most);
}

const char *size_step_bits(arena *a, const op *o)
{
    while (o->body && (o->kind == OP_ARRAY || o->kind == OP_COUNTED || o->kind == OP_OPTIONAL))
        o = o->body;
    const field *f = o->field;
    if (f && f->codes[0])
        return size_coded(a, o);
    if (!f || !f->has_delta)
        return "";
    const delta_sizes s = delta_sizes_of(o);
    return arena_printf(a, "%u %s %u as a delta, %s if it does not fit", s.small, o->kind == OP_QUAT ? "to" : "or",
                        s.large, size_range(a, s.whole_least, s.whole_most));
}

const char *size_key_bits(arena *a, const op *o)
{
    const op *each = o->body;
    return size_range(a, each->least - each->of->least, each->most - each->of->most);
}

static const char *parts_of_holder(arena *a, const op *o)
{
    const op *each = o->body;
    while (o->kind == OP_ARRAY && each->kind == OP_ARRAY)
        each = each->body;
    const char *range = size_range(a, each->least, each->most);
    if (is_list(o))
        return arena_printf(a, "%u for the count, %s each with %s for its key", o->bits, range, size_key_bits(a, o));
    if (o->kind == OP_ARRAY || o->kind == OP_COMPUTED)
        return arena_printf(a, "%s each", range);
    if (o->kind == OP_COUNTED)
        return arena_printf(a, "%u for the count, %s each", o->bits, range);
    if (o->kind == OP_SPARSE)
        return arena_printf(a, "%s for the indices, %s each", index_bits(a, o), range);
    return arena_printf(a, "%u, then %s", o->bits, range);
}

/* "6 for the count, 9 to 144 each" */
static const char *parts_of(arena *a, const op *o)
{
    if (op_class_of(o) == OP_CLASS_HOLDER)
        return parts_of_holder(a, o);
    if (o->kind == OP_STRING || o->kind == OP_BYTES)
        return arena_printf(a, "%u for the length, 8 per byte", o->bits);
    if (o->kind == OP_KEY)
        return "sent by the list";
    return o->kind == OP_UNION ? arena_printf(a, "%u for the tag", o->bits) : "";
}

static const wire_type *type_within(const op *o)
{
    while (o->body && !o->of)
        o = o->body;
    return o->of;
}

static void add_ops(size_table *t, unsigned depth, const op *o);

static void add_choice(size_table *t, unsigned depth, const op *o)
{
    arena *a = t->arena;
    const item *i = o->item;
    if (o->kind == OP_IF) {
        add_row(t, depth, arena_printf(a, "if (%s)", size_source_text(a, i->as.branch.condition->span)), "", o->least,
                o->most);
        add_ops(t, depth + 1, o->body);
        if (o->other) {
            add_side(t, depth, "else");
            add_ops(t, depth + 1, o->other);
        }
        return;
    }
    add_row(t, depth, arena_printf(a, "switch (%s)", size_source_text(a, i->as.choice.subject->span)), "", o->least,
            o->most);
    for (const op_arm *each = o->arms; each; each = each->next) {
        add_side(t, depth, size_source_text(a, each->arm->span));
        add_ops(t, depth + 1, each->body);
    }
}

/* Adds the members of a union, which are the arms of its body. */
static void add_members(size_table *t, const op *o)
{
    add_row(t, 0, "tag", "", o->bits, o->bits);
    for (const op_arm *each = o->arms; each; each = each->next) {
        const wire_type *of = each->body->of;
        add_row(t, 1, each->member->name, of->decl->name, of->least, of->most)->of = of;
    }
}

static void add_op(size_table *t, unsigned depth, const op *o)
{
    arena *a = t->arena;
    if (o->kind == OP_IF || o->kind == OP_SWITCH) {
        add_choice(t, depth, o);
    } else if (o->field) {
        size_row *row = add_row(t, depth, size_field_name(a, o->field), size_type_name(a, o->field), o->least, o->most);
        const char *parts = parts_of(a, o), *steps = size_step_bits(a, o);
        row->parts = arena_printf(a, "%s%s%s", parts, *parts && *steps ? "; " : "", steps);
        if (o->field->runs)
            row->parts = arena_printf(a, "%s; %s", row->parts, size_runs(a, o->field));
        row->of = type_within(o);
    } else {
        add_row(t, depth, size_item_name(a, o->item), "", o->least, o->most);
    }
}

static void add_ops(size_table *t, unsigned depth, const op *o)
{
    for (; o; o = o->next)
        add_op(t, depth, o);
}

/* Adds the bits that fill up a packet's last byte. */
static void add_filling(size_table *t, const wire_type *of)
{
    uint64_t rest = BITS_A_BYTE * bytes_of_bits(of->most_framed) - of->most_framed;
    if (!of->fixed)
        add_row(t, 0, "padding", "", 0, BITS_A_BYTE - 1);
    else if (rest != 0)
        add_row(t, 0, "padding", "", rest, rest);
}

size_row *size_rows(arena *a, const wire *w, const wire_type *of)
{
    size_row *first = NULL;
    size_table t = {.arena = a, .last = &first};
    const decl *d = of->decl;
    if (d->packet)
        add_row(&t, 0, "crc32", "", FRAME_CRC_BITS, FRAME_CRC_BITS);
    if (d->kind == DECL_UNION)
        add_members(&t, of->body);
    else
        add_ops(&t, 0, of->body);
    if (d->packet && schema_has_end(w->schema, d))
        add_row(&t, 0, "end check", "", FRAME_END_BITS, FRAME_END_BITS);
    if (d->packet)
        add_filling(&t, of);
    return first;
}
