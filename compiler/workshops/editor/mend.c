/* mend.c - cuts what has errors out of a file, so that the rest of a schema can be checked while somebody types.
 * SPDX-License-Identifier: MIT
 *
 * What is cut becomes blanks: all that is left has the offset that it had. In
 *
 *     packet Ship {
 *         Team team;
 *         u8 shie
 *         u16 fuel;
 *     }
 *
 * the third line is cut. A statement is cut with the comments before it; if its declaration still has errors, all of that.
 * A brace that is missing is written over what follows the declaration.
 */
#include "editor/lsp_internal.h"

#ifdef PKTC_JSON

#include "base/diag.h"
#include "base/files.h"
#include "front/lexer.h"
#include "model/type_table.h"

#include "grammar.h"

#include <string.h>

enum { MOST_ERRORS_CUT = 200 };

/* ---- the tokens of a file */

typedef struct cut_piece {
    int terminal;
    uint32_t begin, end;
    bool begins_line, in_column_one;
} cut_piece;

struct mended_pieces {
    cut_piece *all;
    size_t count;
};

/* Pieces [begin, end) of a declaration. */
typedef struct cut_chunk {
    size_t begin, end, brace; /* brace: the first {, or end */
    unsigned open;            /* braces that are not closed */
    bool finished;
} cut_chunk;

static void read_pieces(arena *a, mended_file *f)
{
    lexer l;
    token t;
    const source *s = source_from(a, "", f->text, f->size);
    struct mended_pieces *p = ARENA_NEW(a, struct mended_pieces);
    p->all = ARENA_ARRAY(a, cut_piece, f->size + 1);
    p->count = 0;
    lexer_init(&l, a, names_new(a), diag_new(a), s, reserved_type_word);
    for (int terminal; (terminal = lex(&l, &t)) != 0;) {
        uint32_t line, column, before = 0, other;
        source_place(s, t.span.begin, &line, &column);
        if (p->count > 0)
            source_place(s, p->all[p->count - 1].begin, &before, &other);
        p->all[p->count++] = (cut_piece){terminal, t.span.begin, t.span.end, line != before, column == 1};
    }
    f->pieces = p;
}

/* The declaration that begins at a piece. */
static cut_chunk chunk_from(const struct mended_pieces *p, size_t begin)
{
    cut_chunk c = {.begin = begin, .end = begin, .brace = p->count};
    for (; c.end < p->count; c.end++) {
        const cut_piece *t = &p->all[c.end];
        if (c.end > begin && t->in_column_one && only_declares(t->terminal))
            break;
        if (t->terminal == TOK_LBRACE && c.open++ == 0 && c.brace == p->count)
            c.brace = c.end;
        const bool closes = t->terminal == TOK_RBRACE && (c.open == 0 || --c.open == 0);
        if (closes || (t->terminal == TOK_SEMI && c.open == 0)) {
            c.end++;
            c.finished = true;
            break;
        }
    }
    c.brace = c.brace < c.end ? c.brace : c.end;
    return c;
}

/* ---- cutting */

static void blank_out(mended_file *f, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        f->changed = f->changed || !strchr(" \r\n", f->text[i]);
        if (f->text[i] != '\n' && f->text[i] != '\r')
            f->text[i] = ' ';
    }
}

static void cut_pieces(mended_file *f, size_t begin, size_t end)
{
    const cut_piece *all = f->pieces->all;
    if (end > begin)
        blank_out(f, begin > 0 ? all[begin - 1].end : 0, all[end - 1].end);
}

/* Notes that a part of a declaration is gone. */
static void note_cut(arena *a, mended_file *f, const cut_chunk *c)
{
    const cut_piece *all = f->pieces->all;
    cut *made = ARENA_NEW(a, cut);
    *made = (cut){f->cuts, all[c->begin].begin, all[c->end - 1].end};
    f->cuts = made;
}

/* Closes a declaration that ends too early, or cuts it. */
static void finish_chunk(arena *a, mended_file *f, const cut_chunk *c)
{
    const struct mended_pieces *p = f->pieces;
    const uint32_t from = p->all[c->end - 1].end, to = c->end < p->count ? p->all[c->end].begin : (uint32_t)f->size;
    if (c->open == 0 || to - from < c->open) {
        cut_pieces(f, c->begin, c->end);
        return;
    }
    /* A string that is not closed would have the braces in it. */
    const cut_piece *last = &p->all[c->end - 1];
    if (last->terminal == TOK_STRING && f->text[last->end - 1] != '"')
        blank_out(f, last->begin, last->end);
    memset(f->text + from, '}', c->open);
    f->changed = true;
    note_cut(a, f, c);
}

static void finish_chunks(arena *a, mended_file *f)
{
    for (size_t i = 0; i < f->pieces->count;) {
        const cut_chunk c = chunk_from(f->pieces, i);
        if (!c.finished)
            finish_chunk(a, f, &c);
        i = c.end;
    }
}

/* An attribute of a declaration, up to the next one or the brace. False: there is none at the piece. */
static bool cut_attribute(mended_file *f, const cut_chunk *c, size_t at)
{
    const cut_piece *all = f->pieces->all;
    size_t begin = at, end;
    while (begin > c->begin && all[begin].terminal != TOK_AT)
        begin--;
    if (all[begin].terminal != TOK_AT || at >= c->brace)
        return false;
    for (end = begin + 1; end < c->brace && all[end].terminal != TOK_AT && all[end].terminal != TOK_WAS;)
        end++;
    cut_pieces(f, begin, end);
    return true;
}

static bool separates(const cut_chunk *c, const cut_piece *all, size_t at)
{
    const int declares = all[c->begin].terminal, terminal = all[at].terminal;
    const bool of_names = declares == TOK_ENUM || declares == TOK_FLAGS || declares == TOK_MODEL;
    return terminal == TOK_SEMI || terminal == TOK_LBRACE || terminal == TOK_RBRACE || terminal == TOK_COLON ||
           (of_names && terminal == TOK_COMMA);
}

/* The end of a statement that begins at a piece: behind its ; or its braces, or before the } around it. */
static size_t end_of_statement_from(const cut_chunk *c, const cut_piece *all, size_t at)
{
    const bool labels = all[at].terminal == TOK_CASE || all[at].terminal == TOK_DEFAULT;
    unsigned depth = 0;
    for (const size_t begin = at; at < c->end; at++) {
        const int terminal = all[at].terminal;
        if (depth == 0 &&
            (terminal == TOK_RBRACE || (labels && at > begin && (terminal == TOK_CASE || terminal == TOK_DEFAULT))))
            return at;
        depth += terminal == TOK_LBRACE;
        depth -= terminal == TOK_RBRACE;
        const bool closes = terminal == TOK_RBRACE && depth == 0 && all[at + 1].terminal != TOK_ELSE;
        const bool ends = depth == 0 && !labels && terminal != TOK_COLON && terminal != TOK_RBRACE;
        if (closes || (ends && separates(c, all, at)))
            return at + 1;
    }
    return at;
}

static bool cut_statement(mended_file *f, const cut_chunk *c, size_t at)
{
    const cut_piece *all = f->pieces->all;
    size_t begin = at, end;
    /* A statement without its ; ends where the error is found: at the first word of the next line, or at a }. */
    const bool before = begin > c->brace + 1 && !separates(c, all, begin - 1) &&
                        (all[begin].begins_line || all[begin].terminal == TOK_RBRACE);
    if (before)
        begin--;
    if (!before && begin > c->brace && separates(c, all, begin))
        begin--;
    while (begin > c->brace + 1 && !separates(c, all, begin - 1))
        begin--;
    if (begin <= c->brace || begin >= c->end || separates(c, all, begin))
        return false;
    end = before ? at : end_of_statement_from(c, all, begin);
    cut_pieces(f, begin, end);
    return end > begin;
}

static bool is_cut_out(const mended_file *f, span at)
{
    uint32_t i = at.begin;
    while (i < at.end && i < f->size && strchr(" \t\r\n", f->text[i]))
        i++;
    return i >= at.end || i >= f->size;
}

/* The piece at or before an error; its `end` is after `at` if the error is about it. */
static size_t piece_at(const struct mended_pieces *p, uint32_t at)
{
    size_t i = 0;
    while (i + 1 < p->count && p->all[i + 1].begin <= at)
        i++;
    return i;
}

static void cut_error(arena *a, mended_file *f, span at, bool whole)
{
    const struct mended_pieces *p = f->pieces;
    if (p->count == 0)
        return;
    const size_t i = piece_at(p, at.begin);
    const bool of_piece = p->all[i].begin <= at.begin && at.begin <= p->all[i].end;
    if (!of_piece && !is_cut_out(f, at)) {
        blank_out(f, at.begin, at.end);
        return;
    }
    cut_chunk c = {0};
    while ((c = chunk_from(p, c.end)).end <= i)
        continue;
    if (!whole && (cut_attribute(f, &c, i) || (i > c.brace && cut_statement(f, &c, i))))
        note_cut(a, f, &c);
    else
        cut_pieces(f, c.begin, c.end);
}

/* ---- all errors */

mended_file *mended_file_of(const mending *m, const char *identity)
{
    mended_file *f = m->files;
    while (f && strcmp(f->identity, identity) != 0)
        f = f->next;
    return f;
}

/* The identity of a file takes calls of the system, so it is found out once. */
struct mended_source {
    struct mended_source *next;
    const source *source;
    mended_file *file;
};

mended_file *mended_file_of_source(mending *m, const source *s)
{
    struct mended_source *known = m->sources;
    while (known && known->source != s)
        known = known->next;
    if (!known) {
        known = ARENA_NEW(m->arena, struct mended_source);
        *known = (struct mended_source){m->sources, s, mended_file_of(m, file_identity(m->arena, s->path))};
        m->sources = known;
    }
    return known->file;
}

static mended_file *file_to_mend(mending *m, arena *scratch, const source *s)
{
    const char *identity = file_identity(scratch, s->path);
    mended_file *f = mended_file_of(m, identity);
    if (f)
        return f;
    f = ARENA_NEW(m->arena, mended_file);
    *f = (mended_file){.next = m->files, .identity = arena_text(m->arena, identity, strlen(identity))};
    f->original = source_from(m->arena, s->path, s->text, s->size);
    /* Room for braces at the end. */
    f->size = s->size + NEST_DEEPEST;
    f->text = arena_alloc(m->arena, f->size + 1);
    memcpy(f->text, s->text, s->size);
    memset(f->text + s->size, ' ', NEST_DEEPEST);
    f->text[f->size] = '\0';
    m->files = f;
    return f;
}

bool cut_errors(mending *m, const diag *of, bool whole)
{
    arena *scratch = arena_new();
    unsigned left = MOST_ERRORS_CUT;
    bool changed = false;
    for (mended_file *f = m->files; f; f = f->next)
        f->pieces = NULL;
    for (const message *each = diag_messages(of); each && left > 0; each = each->next) {
        if (each->severity != SEVERITY_ERROR || !each->at.source)
            continue;
        mended_file *f = file_to_mend(m, scratch, each->at.source);
        if (!f->pieces) {
            read_pieces(scratch, f);
            f->changed = false;
            finish_chunks(m->arena, f);
            f->finished = f->changed;
        }
        /* Errors in a file with a declaration that is not finished may be in the ones after it by mistake. */
        if (!f->finished)
            cut_error(m->arena, f, each->at, whole);
        changed = changed || f->changed;
        left--;
    }
    arena_free(scratch);
    return changed;
}

bool has_cuts(mending *m, const decl *d)
{
    const mended_file *f = mended_file_of_source(m, d->span.source);
    for (const cut *each = f ? f->cuts : NULL; each; each = each->next)
        if (each->begin <= d->span.begin && d->span.begin < each->end)
            return true;
    return false;
}

#endif
