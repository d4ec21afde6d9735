/* picture.c - draws cells and brackets as SVG, with rows of 64 bits for a wide page and 32 for a narrow one.
 * SPDX-License-Identifier: MIT
 */
#include "costs/cells.h"
#include "pages/page.h"
#include "costs/sizes_internal.h"

enum {
    WIDE_BITS = 64,
    NARROW_BITS = 32,
    BIT_WIDTH = 14,
    MARGIN = 8,
    RULER_HEIGHT = 16,
    CELL_HEIGHT = 34,
    LANE_HEIGHT = 19,
    ROW_GAP = 8,
    TICK = 4,
    LETTER_WIDTH = 7,
    SMALL_LETTER_WIDTH = 6,
    RULER_STEP = 8
};

/* A picture with rows of one width. */
typedef struct drawing {
    arena *arena;
    const picture *picture;
    unsigned row_bits;
    bool delta; /* links lead to the pictures of deltas */
    out *to;
} drawing;

/* The columns [*from, *to) of a row that bits [begin, end) take; false if they take none. */
static bool part_in_row(const drawing *d, unsigned begin, unsigned end, unsigned row, unsigned *from, unsigned *to)
{
    unsigned start = row * d->row_bits, stop = start + d->row_bits;
    *from = begin > start ? begin - start : 0;
    *to = (end < stop ? end : stop) - start;
    return begin < end && begin < stop && end > start;
}

/* The text of a cell in several rows is printed in the row with the longest part of the cell, and faintly in the
 * others. That row is the first or the second: if there are three, the cell fills the second. */
static bool has_text_in_row(const drawing *d, unsigned begin, unsigned end, unsigned row)
{
    unsigned first = begin / d->row_bits, from, to, in_first = 0, in_second = 0;
    if (part_in_row(d, begin, end, first, &from, &to))
        in_first = to - from;
    if (part_in_row(d, begin, end, first + 1, &from, &to))
        in_second = to - from;
    return row == (in_second > in_first ? first + 1 : first);
}

/* The bytes of the first `letters` letters of a UTF-8 text, or of the whole text if it is shorter. */
static size_t bytes_of_letters(const char *text, size_t letters)
{
    size_t size = 0;
    for (; text[size]; size++)
        if (((unsigned char)text[size] & 0xc0) != 0x80 && letters-- == 0)
            break;
    return size;
}

/* As much of a text as fits, escaped; "" if that would be too little to be useful. */
static const char *fitting(arena *a, const char *text, unsigned width, unsigned letter)
{
    size_t room = width / letter;
    if (text[bytes_of_letters(text, room)] == '\0')
        return page_text(a, text);
    if (room < 3)
        return "";
    return arena_printf(a, "%s…", page_text(a, arena_text(a, text, bytes_of_letters(text, room - 1))));
}

static const char *number_text(arena *a, unsigned n)
{
    return arena_printf(a, "%u", n);
}

static void put_cell(const drawing *d, const cell *c, unsigned row, unsigned y)
{
    arena *a = d->arena;
    out *to = d->to;
    unsigned from, end;
    if (!part_in_row(d, c->begin, c->end, row, &from, &end))
        return;
    unsigned x = MARGIN + from * BIT_WIDTH, width = (end - from) * BIT_WIDTH;
    bool text = has_text_in_row(d, c->begin, c->end, row);
    const char *name = fitting(a, c->name, width - 4, LETTER_WIDTH);
    const char *bits = text ? fitting(a, c->bits, width - 2, SMALL_LETTER_WIDTH) : "";
    const char *middle = number_text(a, x + width / 2);
    if (c->link)
        out_put(to, "<a href=\"#$type$delta\">", "type", c->link->decl->name, "delta", d->delta ? ".delta" : "", NULL);
    out_put(to,
            "<g><title>$title</title>"
            "<rect class=\"k$kind$varies\" x=\"$x\" y=\"$y\" width=\"$width\" height=\"$height\" rx=\"3\"/>",
            "title", page_text(a, c->title), "kind", number_text(a, c->kind), "varies", c->varies ? " varies" : "", "x",
            number_text(a, x + 1), "y", number_text(a, y), "width", number_text(a, width - 2), "height",
            number_text(a, CELL_HEIGHT), NULL);
    if (*name)
        out_put(to, "<text$class x=\"$x\" y=\"$y\">$name</text>", "class", text ? "" : " class=\"rest\"", "x", middle,
                "y", number_text(a, text && *bits ? y + 15 : y + 21), "name", name, NULL);
    if (*bits)
        out_put(to, "<text class=\"bits\" x=\"$x\" y=\"$y\">$bits</text>", "x", middle, "y",
                number_text(a, y + (*name ? 28 : 21)), "bits", bits, NULL);
    out_put(to, c->link ? "</g></a>\n" : "</g>\n", NULL);
}

static void put_bracket(const drawing *d, const bracket *b, unsigned row, unsigned y)
{
    arena *a = d->arena;
    unsigned from, end;
    if (!part_in_row(d, b->begin, b->end, row, &from, &end))
        return;
    unsigned x = MARGIN + from * BIT_WIDTH + 2, stop = MARGIN + end * BIT_WIDTH - 2;
    bool starts = b->begin >= row * d->row_bits, ends = b->end <= (row + 1) * d->row_bits;
    y += b->depth * LANE_HEIGHT + TICK + 2;
    out_put(d->to, "<g><title>$label</title><path class=\"$class\" d=\"M$x ${begin}V${y}H${stop}V$end\"/>", "label",
            page_text(a, b->label), "class", b->conditional ? "when" : "times", "x", number_text(a, x), "begin",
            number_text(a, starts ? y - TICK : y), "y", number_text(a, y), "stop", number_text(a, stop), "end",
            number_text(a, ends ? y - TICK : y), NULL);
    out_put(d->to, "<text class=\"label$rest\" x=\"$x\" y=\"$y\">$label</text></g>\n", "rest",
            has_text_in_row(d, b->begin, b->end, row) ? "" : " rest", "x", number_text(a, x + 2), "y",
            number_text(a, y + 11), "label", fitting(a, b->label, stop - x, SMALL_LETTER_WIDTH), NULL);
}

/* The lanes of each row: as many as its brackets nest deep. */
static unsigned *lanes_of_rows(const drawing *d, unsigned rows)
{
    unsigned *lanes = ARENA_ARRAY(d->arena, unsigned, rows);
    for (const bracket *b = d->picture->brackets; b; b = b->next)
        for (unsigned row = b->begin / d->row_bits; row < rows && row * d->row_bits < b->end; row++)
            if (b->begin < b->end && b->depth >= lanes[row])
                lanes[row] = b->depth + 1;
    return lanes;
}

static unsigned row_height(unsigned lanes)
{
    return CELL_HEIGHT + lanes * LANE_HEIGHT + ROW_GAP;
}

/* Cells and brackets are sorted by their first bit, and cells do not overlap. Returns the first cell of the next row,
 * which may also be in this row. */
static const cell *put_cells(const drawing *d, const cell *first, unsigned row, unsigned y)
{
    const cell *last = first;
    for (const cell *c = first; c && c->begin < (row + 1) * d->row_bits; c = c->next) {
        put_cell(d, c, row, y);
        last = c;
    }
    return last;
}

/* The brackets that are drawn in a row: those that continue from the rows before it, and those that begin in it. */
typedef struct open_brackets {
    const bracket **list; /* in the order of their first bits */
    size_t count;
    const bracket *next; /* the first one that does not begin in the rows so far */
} open_brackets;

static open_brackets open_brackets_of(const drawing *d)
{
    size_t count = 0;
    for (const bracket *b = d->picture->brackets; b; b = b->next)
        count++;
    return (open_brackets){.list = ARENA_ARRAY(d->arena, const bracket *, count), .next = d->picture->brackets};
}

static void put_brackets(const drawing *d, open_brackets *open, unsigned row, unsigned y)
{
    size_t kept = 0;
    for (; open->next && open->next->begin < (row + 1) * d->row_bits; open->next = open->next->next)
        open->list[open->count++] = open->next;
    for (size_t i = 0; i < open->count; i++) {
        put_bracket(d, open->list[i], row, y);
        if (open->list[i]->end > (row + 1) * d->row_bits)
            open->list[kept++] = open->list[i];
    }
    open->count = kept;
}

static void draw(const drawing *d, const char *name)
{
    arena *a = d->arena;
    unsigned rows = (d->picture->at + d->row_bits - 1) / d->row_bits, y = RULER_HEIGHT;
    const unsigned *lanes = lanes_of_rows(d, rows);
    const cell *first = d->picture->cells;
    open_brackets open = open_brackets_of(d);
    for (unsigned row = 0; row < rows; row++)
        y += row_height(lanes[row]);
    out_put(d->to,
            "<svg class=\"$wide\" viewBox=\"0 0 $width $height\" role=\"img\" aria-label=\"the bits of $name\">\n",
            "wide", d->row_bits == WIDE_BITS ? "wide" : "narrow", "width",
            number_text(a, 2 * MARGIN + d->row_bits * BIT_WIDTH), "height", number_text(a, y), "name", name, NULL);
    for (unsigned bit = 0; bit <= d->row_bits; bit += RULER_STEP)
        out_put(d->to, "<text class=\"ruler\" x=\"$x\" y=\"11\">$bit</text>\n", "x",
                number_text(a, MARGIN + bit * BIT_WIDTH), "bit", number_text(a, bit), NULL);
    y = RULER_HEIGHT;
    for (unsigned row = 0; row < rows; row++) {
        first = put_cells(d, first, row, y);
        put_brackets(d, &open, row, y + CELL_HEIGHT);
        y += row_height(lanes[row]);
    }
    out_put(d->to, "</svg>\n", NULL);
}

void size_picture(arena *a, const wire *w, const wire_type *t, bool delta, out *to)
{
    const char *name = arena_printf(a, delta ? "%s as a delta" : "%s", t->decl->name);
    drawing d = {.arena = a, .picture = picture_of(a, w, t, delta), .row_bits = WIDE_BITS, .delta = delta, .to = to};
    if (d.picture->at == 0)
        return;
    draw(&d, name);
    d.row_bits = NARROW_BITS;
    draw(&d, name);
}
