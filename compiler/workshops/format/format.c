/* format.c - lays out the tokens of a file in lines, then prints the lines.
 * SPDX-License-Identifier: MIT
 *
 * All lines are laid out before the first one is printed, because the column of a comment after code depends on the
 * lines around it. A comment is alone on its lines, after the code of a line, or inside a line between two tokens.
 */
#include "format/format.h"
#include "format/format_internal.h"
#include "grammar.h"

#include <string.h>

enum { INDENT = 4, CONTINUED = 8, LINE_WIDTH = 120, COMMENT_COLUMN = 32, WIDEST_ALIGNED = 58, TAB = 4 };

typedef struct text_buffer {
    char *bytes;
    size_t size, capacity;
} text_buffer;

typedef enum tail_kind {
    TAIL_NONE,
    TAIL_BEHIND,    /* a comment after the line's code */
    TAIL_CONTINUED, /* the line has no code; its comment continues the comment after code of the line above */
    TAIL_ALONE      /* the line has no code, only a comment */
} tail_kind;

typedef struct line {
    struct line *next;
    text_buffer code;
    unsigned indent;
    unsigned last_break; /* the last offset in the code where the line can be broken; 0: none */
    bool blank_before;
    tail_kind tail;
    const comment *comments; /* of the tail: the first of tail_count */
    unsigned tail_count;
    unsigned column; /* of the tail */
} line;

typedef struct formatter {
    arena *arena;
    const source *source;
    const piece *pieces;
    line *first, *last;
    line *declaration;           /* the first line of the current declaration, or of the comments right before it */
    unsigned level;              /* open braces whose bodies have several lines */
    bool fresh;                  /* the next token begins a line */
    bool inside;                 /* a statement has begun and has not ended */
    bool opened;                 /* a brace was just opened, so no blank line follows */
    bool closed;                 /* a declaration of several lines has just ended */
    bool list[NEST_DEEPEST + 1]; /* by level: whether it is the body of an enum, flags or a model */
    bool joined;                 /* the current body is on one line */
    uint32_t end;                /* the offset after the last token or comment */
} formatter;

/* ---- text */

static void text_add(arena *a, text_buffer *t, const void *bytes, size_t size)
{
    if (t->size + size > t->capacity) {
        t->capacity = 2 * (t->size + size) + 64;
        t->bytes = t->size ? arena_grow(a, t->bytes, t->size, t->capacity) : arena_alloc(a, t->capacity);
    }
    if (size)
        memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static void text_add_blanks(arena *a, text_buffer *t, unsigned count)
{
    for (; count != 0; count--)
        text_add(a, t, " ", 1);
}

/* ---- the source */

static unsigned newlines(const source *s, uint32_t begin, uint32_t end)
{
    unsigned count = 0;
    for (uint32_t i = begin; i < end; i++)
        count += s->text[i] == '\n';
    return count;
}

/* The column from 0, with tabs expanded. */
static unsigned column_of(const source *s, uint32_t offset)
{
    uint32_t row, ignored, size;
    source_place(s, offset, &row, &ignored);
    const unsigned char *start = (const unsigned char *)source_line(s, row, &size);
    unsigned column = 0;
    for (; start < s->text + offset; start++)
        column = *start == '\t' ? (column / TAB + 1) * TAB : column + 1;
    return column;
}

/* ---- lines */

static line *new_line(formatter *l, unsigned indent)
{
    line *made = ARENA_NEW(l->arena, line);
    made->indent = indent;
    if (l->last)
        l->last->next = made;
    else
        l->first = made;
    l->last = made;
    return made;
}

static unsigned indent_of(const formatter *l, const piece *p)
{
    bool label = p->terminal == TOK_CASE || p->terminal == TOK_DEFAULT;
    bool closes = p->terminal == TOK_RBRACE && !l->joined;
    return INDENT * (l->level - (label || closes)) + (l->inside && p->terminal != TOK_LBRACE ? CONTINUED : 0);
}

/* Begins a line for the token or comment at offset `begin` of the source. */
static line *start_line(formatter *l, unsigned indent, uint32_t begin)
{
    const line *above = l->last;
    bool wanted = l->closed || (newlines(l->source, l->end, begin) > 1 && !l->opened);
    line *made = new_line(l, indent);
    made->blank_before = above && !l->inside && wanted;
    bool commented = above && above->tail == TAIL_ALONE && !made->blank_before;
    if (l->level == 0 && !l->inside && !commented)
        l->declaration = made;
    l->opened = l->closed = false;
    return made;
}

static unsigned width_of(const line *at)
{
    return at->indent + (unsigned)at->code.size;
}

/* Breaks a line that is getting too long, at the last offset where it can be broken. */
static void wrap(formatter *l)
{
    line *cut = l->last;
    unsigned at = cut->last_break;
    bool in_list = l->list[l->level];
    line *rest = new_line(l, INDENT * l->level + (in_list ? 0 : CONTINUED));
    text_add(l->arena, &rest->code, cut->code.bytes + at + 1, cut->code.size - at - 1);
    cut->code.size = at;
}

static void add_code_text(formatter *l, const void *bytes, size_t size, bool spaced, bool breakable)
{
    spaced = spaced && l->last->code.size != 0;
    if (spaced && breakable)
        l->last->last_break = (unsigned)l->last->code.size;
    if (width_of(l->last) + spaced + size > LINE_WIDTH && l->last->last_break != 0) {
        bool here = l->last->last_break == l->last->code.size;
        if (here) {
            text_add(l->arena, &l->last->code, " ", 1);
            spaced = false;
        }
        wrap(l);
    }
    text_add_blanks(l->arena, &l->last->code, spaced);
    text_add(l->arena, &l->last->code, bytes, size);
}

/* ---- comments */

static bool is_line_comment(const source *s, const comment *c)
{
    return s->text[c->span.begin + 1] == '/';
}

/* Whether the line ends after comment c, which comes before token p; only other comments may follow. */
static bool ends_line(const formatter *l, const comment *c, const piece *p)
{
    return p->terminal == 0 || (p->terminal == TOK_RBRACE && !l->joined) || is_line_comment(l->source, c) ||
           newlines(l->source, c->span.begin, p->span.begin) > 0;
}

static bool spans_lines(const source *s, const line *at)
{
    const comment *c = at->comments;
    for (unsigned i = 0; i < at->tail_count; i++, c = c->next)
        if (newlines(s, c->span.begin, c->span.end) > 0)
            return true;
    return false;
}

/* Whether the line has a comment that is aligned with the comments of the lines around it. */
static bool is_in_run(const source *s, const line *at)
{
    return (at->tail == TAIL_BEHIND || at->tail == TAIL_CONTINUED) && !spans_lines(s, at);
}

static void set_tail(line *at, tail_kind kind, const comment *c)
{
    at->tail = kind;
    at->comments = c;
    at->tail_count = 1;
}

/* Adds a comment that is alone on its line of the source. */
static void put_alone(formatter *l, const comment *c, unsigned indent)
{
    const line *above = l->last;
    bool goes_on = above && is_in_run(l->source, above) && newlines(l->source, l->end, c->span.begin) == 1 &&
                   is_line_comment(l->source, c) &&
                   column_of(l->source, c->span.begin) == column_of(l->source, above->comments->span.begin);
    if (goes_on)
        set_tail(new_line(l, indent), TAIL_CONTINUED, c);
    else
        set_tail(start_line(l, indent, c->span.begin), TAIL_ALONE, c);
}

static void put_comment(formatter *l, const comment *c, const piece *p)
{
    bool starts = !l->last || newlines(l->source, l->end, c->span.begin) > 0;
    if (!ends_line(l, c, p)) {
        if (l->fresh)
            start_line(l, indent_of(l, p), c->span.begin);
        add_code_text(l, l->source->text + c->span.begin, c->span.end - c->span.begin, true,
                      p->breakable && c == p->comments);
        l->fresh = false;
    } else {
        /* A comment before a closing brace belongs to the body that ends there. */
        unsigned indent = p->terminal == TOK_RBRACE ? INDENT * l->level : indent_of(l, p);
        if (starts)
            put_alone(l, c, indent);
        else if (l->last->tail == TAIL_NONE)
            set_tail(l->last, TAIL_BEHIND, c);
        else
            l->last->tail_count++;
        l->fresh = true;
    }
    l->end = c->span.end;
}

/* ---- tokens */

static bool is_split(const piece *p)
{
    return p->terminal == TOK_GE && p->role == ROLE_ANGLE_CLOSE;
}

static unsigned piece_size(const piece *p)
{
    return is_split(p) ? 3 : p->span.end - p->span.begin;
}

/* Whether the body of a brace is on the same line as the code before it. */
static bool is_joined(const formatter *l, uint32_t open)
{
    const piece *pieces = l->pieces;
    uint32_t close = pieces[open].close;
    if (close == open + 1 && !pieces[close].comments)
        return true;
    if (pieces[open].role == ROLE_BLOCK_OPEN ||
        newlines(l->source, pieces[open].span.begin, pieces[close].span.begin) > 0)
        return false;
    size_t width = width_of(l->last);
    for (uint32_t i = open; i <= close; i++) {
        if (i > open && pieces[i].terminal == TOK_LBRACE)
            return false;
        width += pieces[i].spaced + piece_size(&pieces[i]);
        for (const comment *c = pieces[i].comments; c; c = c->next)
            width += 1 + c->span.end - c->span.begin;
    }
    return width <= LINE_WIDTH;
}

static bool ends_label(const formatter *l, uint32_t i)
{
    return l->pieces[i].terminal == TOK_COLON && l->pieces[i].role == ROLE_PLAIN;
}

/* A list of members continues on a new line wherever the author began one. */
static bool ends_list_line(const formatter *l, uint32_t i)
{
    return newlines(l->source, l->pieces[i].span.end, l->pieces[i + 1].span.begin) > 0;
}

static void open_brace(formatter *l, uint32_t i)
{
    l->inside = false;
    if (l->joined)
        return;
    l->level++;
    l->list[l->level] = l->pieces[i].role == ROLE_LIST_OPEN;
    l->fresh = l->opened = true;
}

/* A declaration of several lines has a blank line before and after it. */
static void close_declaration(formatter *l)
{
    l->closed = true;
    l->declaration->blank_before = l->declaration != l->first;
}

static void close_brace(formatter *l, uint32_t i)
{
    l->inside = false;
    l->fresh = true;
    if (l->joined) {
        l->joined = false;
    } else {
        l->list[l->level] = false;
        if (--l->level == 0)
            close_declaration(l);
    }
    const piece *next = &l->pieces[i + 1];
    if (next->terminal == TOK_ELSE && !next->comments)
        l->fresh = false;
}

static void put_piece(formatter *l, uint32_t i)
{
    const piece *p = &l->pieces[i];
    if (p->terminal == TOK_RBRACE && !l->joined) {
        l->inside = false;
        l->fresh = l->opened = true;
    }
    if (l->fresh)
        start_line(l, indent_of(l, p), p->span.begin);
    if (p->terminal == TOK_LBRACE)
        l->joined = is_joined(l, i);
    const void *bytes = is_split(p) ? (const void *)"> =" : (const void *)(l->source->text + p->span.begin);
    add_code_text(l, bytes, piece_size(p), p->spaced, p->breakable && !p->comments);
    l->fresh = false;
    l->inside = true;
    l->end = p->span.end;
    if (p->terminal == TOK_LBRACE) {
        open_brace(l, i);
    } else if (p->terminal == TOK_RBRACE) {
        close_brace(l, i);
    } else if (p->terminal == TOK_SEMI || ends_label(l, i)) {
        l->inside = false;
        l->fresh = !l->joined;
    } else if (p->terminal == TOK_COMMA && l->list[l->level] && !l->joined) {
        l->inside = false;
        l->fresh = ends_list_line(l, i);
    }
}

/* ---- columns of the comments after code */

static unsigned own_column(const line *at)
{
    unsigned column = (width_of(at) + 2 + INDENT - 1) / INDENT * INDENT;
    return column < COMMENT_COLUMN ? COMMENT_COLUMN : column;
}

/* Aligns the comments of a run of adjacent lines. Lines with long code do not move the comments of other lines. */
static line *align_run(const source *s, line *first)
{
    unsigned column = COMMENT_COLUMN;
    line *end = first;
    for (; end && is_in_run(s, end) && (end == first || !end->blank_before); end = end->next)
        if (end->tail == TAIL_BEHIND && width_of(end) <= WIDEST_ALIGNED && own_column(end) > column)
            column = own_column(end);
    unsigned above = column;
    for (line *each = first; each != end; each = each->next) {
        if (each->tail == TAIL_CONTINUED)
            each->column = above;
        else
            each->column = width_of(each) + 2 > column ? width_of(each) + 2 : column;
        above = each->column;
    }
    return end;
}

static void set_columns(const formatter *l)
{
    for (line *at = l->first; at;) {
        if (is_in_run(l->source, at)) {
            at = align_run(l->source, at);
            continue;
        }
        at->column = at->tail == TAIL_BEHIND ? width_of(at) + 2 : at->indent;
        at = at->next;
    }
}

/* ---- printing */

static unsigned column_at_end(const text_buffer *t)
{
    unsigned column = 0;
    while (column < t->size && t->bytes[t->size - column - 1] != '\n')
        column++;
    return column;
}

/* All lines of a comment move as far as its first line does. Trailing blanks are dropped. */
static void append_comment(const formatter *l, text_buffer *to, const comment *c)
{
    unsigned column = column_at_end(to);
    const char *bytes = (const char *)l->source->text + c->span.begin,
               *end = (const char *)l->source->text + c->span.end;
    unsigned was = column_of(l->source, c->span.begin);
    for (bool first = true; bytes < end; first = false) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *stop = newline ? newline : end;
        const char *next = newline ? newline + 1 : end;
        unsigned blanks = 0;
        for (; !first && bytes < stop && (*bytes == ' ' || *bytes == '\t'); bytes++)
            blanks = *bytes == '\t' ? (blanks / TAB + 1) * TAB : blanks + 1;
        while (stop > bytes && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
            stop--;
        if (!first)
            text_add(l->arena, to, "\n", 1);
        if (!first && stop > bytes)
            text_add_blanks(l->arena, to, blanks + column > was ? blanks + column - was : 0);
        text_add(l->arena, to, bytes, (size_t)(stop - bytes));
        bytes = next;
    }
}

static void spell_line(const formatter *l, text_buffer *to, const line *at)
{
    if (at->blank_before)
        text_add(l->arena, to, "\n", 1);
    if (at->code.size)
        text_add_blanks(l->arena, to, at->indent);
    text_add(l->arena, to, at->code.bytes, at->code.size);
    if (at->tail != TAIL_NONE)
        text_add_blanks(l->arena, to, at->column - (at->code.size ? width_of(at) : 0));
    const comment *c = at->comments;
    for (unsigned i = 0; i < at->tail_count; i++, c = c->next) {
        text_add_blanks(l->arena, to, i != 0);
        append_comment(l, to, c);
    }
    text_add(l->arena, to, "\n", 1);
}

const char *format_source(arena *a, names *n, diag *d, const source *s, word_list *type_words, size_t *size)
{
    uint32_t errors = diag_errors(d);
    parse(a, n, d, s, type_words);
    if (diag_errors(d) != errors)
        return NULL;
    formatter l = {.arena = a, .source = s, .fresh = true};
    uint32_t count;
    l.pieces = format_pieces(a, n, d, s, type_words, &count);
    for (uint32_t i = 0; i < count; i++) {
        for (const comment *c = l.pieces[i].comments; c; c = c->next)
            put_comment(&l, c, &l.pieces[i]);
        if (l.pieces[i].terminal != 0)
            put_piece(&l, i);
    }
    set_columns(&l);
    text_buffer whole = {0};
    for (const line *each = l.first; each; each = each->next)
        spell_line(&l, &whole, each);
    text_add(a, &whole, "", 1);
    *size = whole.size - 1;
    return whole.bytes;
}
