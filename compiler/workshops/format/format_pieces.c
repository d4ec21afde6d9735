/* format_pieces.c - reads a file as a list of tokens with their comments, roles and spacing.
 * SPDX-License-Identifier: MIT
 *
 * The file has no syntax errors, so simple rules are enough: < opens arguments unless the statement has begun an
 * expression, and a word that can be a name is one unless it follows an operand.
 */
#include "format/format_internal.h"

#include "grammar.h"

/* What is known about the current token from the tokens before it. */
typedef struct piece_reading {
    const piece *before;  /* NULL at the start of the file */
    int first;            /* the first terminal of the statement; 0: none yet */
    bool operand;         /* an operand or a name ends right before the token */
    bool relation;        /* the token before is the `delta` of delta<s, l> */
    bool expression;      /* a < outside of parentheses would be a comparison */
    unsigned depth;       /* of parentheses and brackets */
    bool angle;           /* arguments in < > are open */
    unsigned angle_depth; /* the depth at which they were opened */
} piece_reading;

static bool is_word_or_name(int terminal)
{
    return grammarFallback(terminal) == TOK_ID;
}

static bool ends_operand(const piece_reading *r, int terminal)
{
    if (is_word_or_name(terminal))
        return !r->operand;
    return terminal == TOK_ID || terminal == TOK_SCALAR || terminal == TOK_INT || terminal == TOK_REAL ||
           terminal == TOK_TRUE || terminal == TOK_FALSE || terminal == TOK_RPAREN || terminal == TOK_RBRACKET;
}

static role brace_role(int first)
{
    if (first == TOK_ENUM || first == TOK_FLAGS || first == TOK_MODEL)
        return ROLE_LIST_OPEN;
    if (first == TOK_STRUCT || first == TOK_PACKET || first == TOK_UNION)
        return ROLE_FIELDS_OPEN;
    return ROLE_BLOCK_OPEN;
}

static role role_of(const piece_reading *r, int terminal)
{
    bool closes_angle = r->angle && r->depth == r->angle_depth;
    int before = r->before ? r->before->terminal : 0;
    if (before == TOK_AT)
        return ROLE_ATTRIBUTE;
    if (terminal == TOK_LBRACE)
        return brace_role(r->first);
    if (terminal == TOK_COLON && r->first == TOK_ENUM)
        return ROLE_WIDTH;
    if (terminal == TOK_LT && (r->relation || (!r->expression && r->depth == 0)))
        return ROLE_ANGLE_OPEN;
    if ((terminal == TOK_GT || terminal == TOK_GE) && closes_angle)
        return ROLE_ANGLE_CLOSE;
    if (terminal == TOK_NOT || (terminal == TOK_MINUS && !r->operand) || (terminal == TOK_LE && before == TOK_LBRACKET))
        return ROLE_PREFIX;
    return ROLE_PLAIN;
}

static bool is_spaced(const piece *before, const piece *here)
{
    switch (before->terminal) {
    case TOK_LPAREN:
    case TOK_LBRACKET:
    case TOK_DOT:
    case TOK_DOTDOT:
    case TOK_AT: return false;
    }
    switch (here->terminal) {
    case TOK_SEMI:
    case TOK_COMMA:
    case TOK_RPAREN:
    case TOK_LBRACKET:
    case TOK_RBRACKET:
    case TOK_DOT:
    case TOK_DOTDOT: return false;
    case TOK_COLON: return here->role == ROLE_WIDTH;
    case TOK_LPAREN:
        return before->terminal != TOK_DELTA && before->terminal != TOK_SCALAR && before->role != ROLE_ATTRIBUTE &&
               before->role != ROLE_PREFIX && before->role != ROLE_ANGLE_OPEN;
    }
    return here->role != ROLE_ANGLE_OPEN && here->role != ROLE_ANGLE_CLOSE && before->role != ROLE_ANGLE_OPEN &&
           before->role != ROLE_PREFIX;
}

static bool is_breakable(const piece *before)
{
    return before->terminal == TOK_COMMA || before->terminal == TOK_OROR || before->terminal == TOK_ANDAND ||
           (before->terminal == TOK_PLUS && before->role == ROLE_PLAIN);
}

static bool ends_statement(const piece_reading *r, int terminal)
{
    return terminal == TOK_SEMI || terminal == TOK_LBRACE || terminal == TOK_RBRACE ||
           (terminal == TOK_COLON && (r->first == TOK_CASE || r->first == TOK_DEFAULT));
}

static void read_on(piece_reading *r, const piece *p)
{
    int terminal = p->terminal;
    bool is_open = terminal == TOK_LPAREN || terminal == TOK_LBRACKET;
    bool is_close = terminal == TOK_RPAREN || terminal == TOK_RBRACKET;
    bool relation = r->operand && (terminal == TOK_DELTA || terminal == TOK_UNLESS);
    r->before = p;
    if (ends_statement(r, terminal)) {
        *r = (piece_reading){.before = p};
        return;
    }
    if (r->first == 0)
        r->first = terminal;
    r->expression |= (terminal == TOK_ASSIGN && r->first != TOK_TYPE) || terminal == TOK_CASE || terminal == TOK_GE ||
                     (relation && terminal == TOK_UNLESS);
    r->relation = relation && terminal == TOK_DELTA;
    if (p->role == ROLE_ANGLE_OPEN) {
        r->angle = true;
        r->angle_depth = r->depth;
    }
    if (p->role == ROLE_ANGLE_CLOSE)
        r->angle = false;
    r->depth += is_open;
    r->depth -= is_close;
    r->operand = ends_operand(r, terminal);
}

static void read_piece(lexer *l, piece_reading *r, piece *p)
{
    comment *first = NULL;
    token t;
    l->comments = &first;
    p->terminal = lex(l, &t);
    p->span = t.span;
    p->comments = first;
    p->role = role_of(r, p->terminal);
    p->spaced = r->before && is_spaced(r->before, p);
    p->breakable = r->before && is_breakable(r->before);
}

piece *format_pieces(arena *a, names *n, diag *d, const source *s, word_list *type_words, uint32_t *count)
{
    lexer l;
    piece_reading r = {0};
    uint32_t capacity = 256;
    piece *pieces = ARENA_ARRAY(a, piece, capacity);
    uint32_t open[NEST_DEEPEST];
    unsigned open_count = 0;
    lexer_init(&l, a, n, d, s, type_words);
    *count = 0;
    do {
        if (*count == capacity) {
            pieces = arena_grow(a, pieces, capacity * sizeof *pieces, 2 * capacity * sizeof *pieces);
            capacity *= 2;
            r.before = &pieces[*count - 1];
        }
        piece *p = &pieces[*count];
        *p = (piece){0};
        read_piece(&l, &r, p);
        if (p->terminal == TOK_LBRACE)
            open[open_count++] = *count;
        else if (p->terminal == TOK_RBRACE)
            pieces[open[--open_count]].close = *count;
        read_on(&r, p);
    } while (pieces[(*count)++].terminal != 0);
    return pieces;
}
