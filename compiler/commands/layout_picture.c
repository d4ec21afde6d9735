/* layout_picture.c - the bits of a type, drawn in rows of 64.
 * SPDX-License-Identifier: MIT
 *
 * Each part is drawn once, one behind the other: a cell is what takes bits, a bracket under cells says that they repeat,
 * that they are there on a condition, or which member they belong to. Large types inside are one cell that leads to
 * their own picture, so that a picture stays as long as its schema.
 */
#include "commands/layout_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    ROW_BITS = 64,
    BIT_WIDTH = 14,
    MARGIN = 8,
    RULER_HEIGHT = 16,
    CELL_HEIGHT = 34,
    LANE_HEIGHT = 19,
    ROW_GAP = 8,
    TICK = 4,
    LETTER_WIDTH = 7,
    SMALL_LETTER_WIDTH = 6,
    LINK_BITS = 16,
    ALIGN_BITS = 2,
    BYTE_BITS = 8,
    MOST_LEAVES = 64,
    MOST_BITS = 8192
};

typedef struct cell {
    struct cell *next;
    unsigned begin, end; /* bits */
    size_kind kind;
    bool varies; /* its width on the wire is not the one drawn */
    const char *name, *bits, *title;
    const wire_type *link; /* the type whose picture it stands for, or NULL */
} cell;

typedef struct bracket {
    struct bracket *next;
    unsigned begin, end, depth;
    bool conditional;
    const char *label;
} bracket;

typedef struct picture {
    arena *arena;
    cell *cells, **last_cell;
    bracket *brackets, **last_bracket;
    unsigned at, depth;
} picture;

/* ---- what there is to draw */

static cell *add_cell(picture *p, size_kind kind, const char *name, unsigned bits, const char *what)
{
    cell *c = ARENA_NEW(p->arena, cell);
    *c = (cell){.begin = p->at, .end = p->at + bits, .kind = kind, .name = name};
    c->bits = arena_printf(p->arena, "%u", bits);
    c->title = arena_printf(p->arena, "%s%s%s: %u bit%s", name, *what ? ", " : "", what, bits, bits == 1 ? "" : "s");
    if (bits == 0)
        return c;
    p->at += bits;
    *p->last_cell = c;
    p->last_cell = &c->next;
    return c;
}

static bracket *open_bracket(picture *p, const char *label, bool conditional)
{
    bracket *b = ARENA_NEW(p->arena, bracket);
    *b = (bracket){.begin = p->at, .depth = p->depth++, .label = label, .conditional = conditional};
    *p->last_bracket = b;
    p->last_bracket = &b->next;
    return b;
}

static void close_bracket(picture *p, bracket *b)
{
    b->end = p->at;
    p->depth--;
}

static void draw_ops(picture *p, const op *o);

/* A cell for what is drawn elsewhere, or whose bits vary. */
static void draw_varying(picture *p, size_kind kind, const char *name, unsigned bits, const char *what, const op *o)
{
    cell *c = add_cell(p, kind, name, bits, "");
    c->varies = true;
    c->bits = size_range(p->arena, o->least, o->most);
    c->title = arena_printf(p->arena, "%s, %s: %s bits", name, what, c->bits);
    c->link = o->of;
}

static void draw_align(picture *p)
{
    cell *c = add_cell(p, SIZE_FRAME, "align", ALIGN_BITS, "");
    c->varies = true;
    c->bits = "0–7";
    c->title = "zeros to the next whole byte: 0 to 7 bits";
}

static void draw_type(picture *p, const op *o, const char *name)
{
    if (o->of->decl->packet || o->of->leaves > MOST_LEAVES || p->at > MOST_BITS)
        draw_varying(p, SIZE_TYPE, name, LINK_BITS, o->of->decl->name, o);
    else
        draw_ops(p, o->of->body);
}

static void draw_union(picture *p, const op *o)
{
    add_cell(p, SIZE_MANAGEMENT, "tag", o->bits, o->field ? o->field->name : "which member follows");
    for (const op_arm *each = o->arms; each; each = each->next) {
        const char *name = each->member->name;
        bracket *b = open_bracket(p, each == o->arms ? name : arena_printf(p->arena, "or %s", name), true);
        draw_type(p, each->body, name);
        close_bracket(p, b);
    }
}

static const char *times(arena *a, uint64_t low, uint64_t high)
{
    return arena_printf(a, "× %s", size_range(a, low, high));
}

/* A value of a field; the field's brackets are around it. */
static void draw_value(picture *p, const op *o)
{
    arena *a = p->arena;
    const char *name = o->field ? o->field->name : "";
    bracket *b;
    switch (o->kind) {
    case OP_BOOL:
    case OP_RAW:
    case OP_BIASED:
    case OP_ENUM:
    case OP_FLOAT:
    case OP_QUANTIZED:
    case OP_QUAT:
    case OP_UNIT:
    case OP_REF: add_cell(p, size_kind_of(o), name, o->bits, size_source_text(a, o->type->span)); break;
    case OP_CONSTANT: add_cell(p, SIZE_FRAME, size_item_name(a, o->item), o->bits, ""); break;
    case OP_ALIGN: draw_align(p); break;
    case OP_COMPACT:
    case OP_AFTER: draw_varying(p, SIZE_NUMBER, name, (unsigned)o->most, size_source_text(a, o->type->span), o); break;
    case OP_STRING:
    case OP_BYTES:
        add_cell(p, SIZE_MANAGEMENT, "length", o->bits, name);
        draw_align(p);
        b = open_bracket(p, times(a, 0, o->span), false);
        add_cell(p, SIZE_TEXT, name, BYTE_BITS, "a byte");
        close_bracket(p, b);
        break;
    case OP_STRUCT: draw_type(p, o, name); break;
    case OP_UNION: draw_union(p, o); break;
    case OP_ARRAY:
        b = open_bracket(p, times(a, o->count, o->count), false);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_COUNTED:
        add_cell(p, SIZE_MANAGEMENT, "count", o->bits, name);
        b = open_bracket(p, arena_printf(a, "%s %s", name, times(a, o->count_low, o->count)), false);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_SPARSE:
        b = open_bracket(p, arena_printf(a, "%s %s, each with its place", name, times(a, 0, o->field->limit)), false);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_OPTIONAL:
        add_cell(p, SIZE_MANAGEMENT, arena_printf(a, "has_%s", name), o->bits, "");
        b = open_bracket(p, arena_printf(a, "if has_%s", name), true);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_UNLESS:
        add_cell(p, SIZE_MANAGEMENT, "differs", o->bits, name);
        b = open_bracket(p, "if it differs", true);
        draw_value(p, o->body);
        close_bracket(p, b);
        break;
    case OP_IF:
        b = open_bracket(p, arena_printf(a, "if (%s)", size_source_text(a, o->item->as.branch.condition->span)), true);
        draw_ops(p, o->body);
        close_bracket(p, b);
        if (!o->other)
            break;
        b = open_bracket(p, "else", true);
        draw_ops(p, o->other);
        close_bracket(p, b);
        break;
    case OP_SWITCH:
        for (const op_arm *each = o->arms; each; each = each->next) {
            b = open_bracket(p, size_source_text(a, each->arm->span), true);
            draw_ops(p, each->body);
            close_bracket(p, b);
        }
        break;
    }
}

static void draw_ops(picture *p, const op *o)
{
    for (; o; o = o->next) {
        bool named = o->kind == OP_STRUCT || o->kind == OP_UNION || o->kind == OP_STRING || o->kind == OP_BYTES;
        bracket *b = named && o->field ? open_bracket(p, o->field->name, false) : NULL;
        draw_value(p, o);
        if (b)
            close_bracket(p, b);
    }
}

static void draw_packet(picture *p, const wire *w, const wire_type *t)
{
    if (t->decl->packet)
        add_cell(p, SIZE_FRAME, "crc32", 32, "over the protocol id, the packet's name and all that follows");
    draw_ops(p, t->body);
    if (t->decl->packet && w->schema->checks)
        add_cell(p, SIZE_FRAME, "end check", 32, "a known value");
}

/* ---- drawing */

/* The columns [*from, *to) that [begin, end) has in a row; false where it has none. */
static bool part_in_row(unsigned begin, unsigned end, unsigned row, unsigned *from, unsigned *to)
{
    unsigned start = row * ROW_BITS, stop = start + ROW_BITS;
    *from = begin > start ? begin - start : 0;
    *to = (end < stop ? end : stop) - start;
    return begin < end && begin < stop && end > start;
}

/* Where something goes over several rows, its text stands in the first of those that have the most of it, and faintly in
 * the others. */
static bool has_text_in_row(unsigned begin, unsigned end, unsigned row)
{
    unsigned from, to, most = 0, best = 0;
    for (unsigned r = begin / ROW_BITS; r <= row + 1 && r * ROW_BITS < end; r++) {
        if (part_in_row(begin, end, r, &from, &to) && to - from > most) {
            most = to - from;
            best = r;
        }
    }
    return best == row;
}

/* The bytes of the first so many letters of a text in UTF-8, of all of it where it has fewer. */
static size_t bytes_of_letters(const char *text, size_t letters)
{
    size_t size = 0;
    for (; text[size]; size++)
        if (((unsigned char)text[size] & 0xc0) != 0x80 && letters-- == 0)
            break;
    return size;
}

/* As much of a text as fits, escaped; nothing where that would say nothing. */
static const char *fitting(arena *a, const char *text, unsigned width, unsigned letter)
{
    size_t room = width / letter;
    if (text[bytes_of_letters(text, room)] == '\0')
        return size_html(a, text);
    if (room < 3)
        return "";
    return arena_printf(a, "%s…", size_html(a, arena_text(a, text, bytes_of_letters(text, room - 1))));
}

static const char *number(arena *a, unsigned n)
{
    return arena_printf(a, "%u", n);
}

static void put_cell(arena *a, const cell *c, unsigned row, unsigned y, out *to)
{
    unsigned from, end;
    if (!part_in_row(c->begin, c->end, row, &from, &end))
        return;
    unsigned x = MARGIN + from * BIT_WIDTH, width = (end - from) * BIT_WIDTH;
    bool text = has_text_in_row(c->begin, c->end, row);
    const char *name = fitting(a, c->name, width - 4, LETTER_WIDTH);
    const char *bits = text ? fitting(a, c->bits, width - 2, SMALL_LETTER_WIDTH) : "";
    const char *middle = number(a, x + width / 2);
    if (c->link)
        out_put(to, "<a href=\"#$type\">", "type", c->link->decl->name, NULL);
    out_put(to,
            "<g><title>$title</title>"
            "<rect class=\"k$kind$varies\" x=\"$x\" y=\"$y\" width=\"$width\" height=\"$height\" rx=\"3\"/>",
            "title", size_html(a, c->title), "kind", number(a, c->kind), "varies", c->varies ? " varies" : "", "x",
            number(a, x + 1), "y", number(a, y), "width", number(a, width - 2), "height", number(a, CELL_HEIGHT), NULL);
    if (*name)
        out_put(to, "<text$class x=\"$x\" y=\"$y\">$name</text>", "class", text ? "" : " class=\"rest\"", "x", middle,
                "y", number(a, text ? y + 15 : y + 21), "name", name, NULL);
    if (*bits)
        out_put(to, "<text class=\"bits\" x=\"$x\" y=\"$y\">$bits</text>", "x", middle, "y",
                number(a, y + (*name ? 28 : 21)), "bits", bits, NULL);
    out_put(to, c->link ? "</g></a>\n" : "</g>\n", NULL);
}

static void put_bracket(arena *a, const bracket *b, unsigned row, unsigned y, out *to)
{
    unsigned from, end;
    if (!part_in_row(b->begin, b->end, row, &from, &end))
        return;
    unsigned x = MARGIN + from * BIT_WIDTH + 2, stop = MARGIN + end * BIT_WIDTH - 2;
    bool starts = b->begin >= row * ROW_BITS, ends = b->end <= (row + 1) * ROW_BITS;
    y += b->depth * LANE_HEIGHT + TICK + 2;
    out_put(to, "<g><title>$label</title><path class=\"$class\" d=\"M$x ${begin}V${y}H${stop}V$end\"/>", "label",
            size_html(a, b->label), "class", b->conditional ? "when" : "times", "x", number(a, x), "begin",
            number(a, starts ? y - TICK : y), "y", number(a, y), "stop", number(a, stop), "end",
            number(a, ends ? y - TICK : y), NULL);
    out_put(to, "<text class=\"label$rest\" x=\"$x\" y=\"$y\">$label</text>", "rest",
            has_text_in_row(b->begin, b->end, row) ? "" : " rest", "x", number(a, x + 2), "y", number(a, y + 11),
            "label", fitting(a, b->label, stop - x, SMALL_LETTER_WIDTH), NULL);
    out_put(to, "</g>\n", NULL);
}

static unsigned lanes_of(const picture *p, unsigned row)
{
    unsigned lanes = 0, from, to;
    for (const bracket *b = p->brackets; b; b = b->next)
        if (part_in_row(b->begin, b->end, row, &from, &to) && b->depth >= lanes)
            lanes = b->depth + 1;
    return lanes;
}

static unsigned row_height(const picture *p, unsigned row)
{
    return CELL_HEIGHT + lanes_of(p, row) * LANE_HEIGHT + ROW_GAP;
}

static void put_ruler(arena *a, out *to)
{
    for (unsigned bit = 0; bit <= ROW_BITS; bit += BYTE_BITS)
        out_put(to, "<text class=\"ruler\" x=\"$x\" y=\"11\">$bit</text>\n", "x", number(a, MARGIN + bit * BIT_WIDTH),
                "bit", number(a, bit), NULL);
}

void size_picture(arena *a, const wire *w, const wire_type *t, out *to)
{
    picture p = {.arena = a};
    p.last_cell = &p.cells;
    p.last_bracket = &p.brackets;
    draw_packet(&p, w, t);
    if (p.at == 0)
        return;
    unsigned rows = (p.at + ROW_BITS - 1) / ROW_BITS, y = RULER_HEIGHT;
    for (unsigned row = 0; row < rows; row++)
        y += row_height(&p, row);
    out_put(to, "<svg viewBox=\"0 0 $width $height\" role=\"img\" aria-label=\"the bits of $name\">\n", "width",
            number(a, 2 * MARGIN + ROW_BITS * BIT_WIDTH), "height", number(a, y), "name", t->decl->name, NULL);
    put_ruler(a, to);
    y = RULER_HEIGHT;
    for (unsigned row = 0; row < rows; row++) {
        for (const cell *c = p.cells; c; c = c->next)
            put_cell(a, c, row, y, to);
        for (const bracket *b = p.brackets; b; b = b->next)
            put_bracket(a, b, row, y + CELL_HEIGHT, to);
        y += row_height(&p, row);
    }
    out_put(to, "</svg>\n", NULL);
}
