// grammar.y - the grammar of .pkt files, from which lemon generates grammar.c and grammar.h.
// SPDX-License-Identifier: MIT
//
// The grammar has no conflicts and needs no precedences. Each action is one call of a builder (ast.c).
//
// Terminals are upper case. A word has a terminal of its own only if the grammar needs to tell it from others:
//   SCALAR  the reserved words of types, which the lexer is given; check decides which of them take arguments
//   ID      every other name. `unit`, the modes of sparse with `keep`, and attributes are IDs, so that a misspelt one
//           gets a suggestion from check and no word is lost.
// Doc comments travel on the token that follows them.
%name grammar
%token_prefix TOK_
%start_symbol file
%extra_context {parser *cx}
%token_type {token}
%token_destructor { (void)cx; (void)$$; }
// 0: the stack grows as needed. parse.c limits the depth of braces, parentheses and `else if`, ast.c that of operators.
%stack_size 0

%include {
#include "front/parse_internal.h"

#include "grammar.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The states that unfinished reductions can add: an empty rule pushes one.
enum { GRAMMAR_AHEAD = 16 };

// The code of lemon itself multiplies an int by a size.
#pragma GCC diagnostic ignored "-Wsign-conversion"

// Makes lemon report the next error even if it is at the very next token; by default lemon is silent for three tokens
// after an error. report_syntax_error itself leaves out errors that follow from others.
#define RECOVERED (yypParser->yyerrcnt = -1, cx->recovered = true)
}

%syntax_error {
    bool expected[YYNTOKEN] = {false};
    for (int t = 1; t < YYNTOKEN; t++)
        expected[t] = yy_find_shift_action((YYCODETYPE)t, yypParser->yytos->stateno) != YY_ERROR_ACTION;
    (void)yymajor;
    report_syntax_error(cx, &yyminor, expected, YYNTOKEN);
}

%stack_overflow {
    fputs("pktc: out of memory\n", stderr);
    exit(1);
}

// These words are names wherever the grammar has no other use for them. Lemon tries the fallback to ID before a default
// reduction, so in a state where one of them must reduce, ID must not be shifted. There is no such state (lemon -c
// shows the states).
%fallback ID AFTER AS BY CHECK CLAMP CODED DELTA FLAGS FROM MODEL OF OR PREFIX RAW STILL TYPE UNLESS WAS WRAP.

// An operator of another language. No rule uses it, so it always is a syntax error.
%token FOREIGN.

// ---- declarations
// lemon cannot shift `error` in state 0. If a file began with a declaration, an error in the first declaration would
// also lose the second one, so a file begins with an empty nonterminal.
file ::= start decls.
start ::= .

decls ::= .
decls ::= decls decl(D).                                { add_decl(cx, D); }

%type decl {ast_decl *}
decl(R) ::= PROTOCOL(W) ID(N) ASSIGN expr(V) prefix(P) SEMI(E).
                                                        { R = build_protocol(cx, W, N, V, P, E); }
decl(R) ::= IMPORT(W) STRING(S) SEMI(E).                { R = build_import(cx, AST_DECL_IMPORT, W, S, E); }
decl(R) ::= MODEL(W) STRING(S) SEMI(E).                 { R = build_import(cx, AST_DECL_MODEL, W, S, E); }
decl(R) ::= MODEL(W) LBRACE lines(L) comma RBRACE(E).   { R = build_model_lines(cx, W, L, E); }
decl(R) ::= CONST(W) ID(N) ASSIGN expr(V) SEMI(E).      { R = build_const(cx, W, N, V, E); }
decl(R) ::= TYPE(W) ID(N) ASSIGN type(T) beyond(B) SEMI(E).  { R = build_alias(cx, W, N, &T, B, E); }
decl(R) ::= ENUM(W) ID(N) width(T) attrs(A) LBRACE enumerators(M) comma RBRACE(E).
                                                        { R = build_enum(cx, AST_DECL_ENUM, W, N, &T.type, A, M, E); }
decl(R) ::= FLAGS(W) ID(N) attrs(A) LBRACE names(M) comma RBRACE(E).
                                            { R = build_enum(cx, AST_DECL_FLAGS, W, N, &(ast_type){0}, A, M, E); }
decl(R) ::= STRUCT(W) ID(N) binding(F) attrs(A) body(B).    { R = build_struct(cx, AST_DECL_STRUCT, W, N, F, A, B); }
decl(R) ::= PACKET(W) ID(N) attrs(A) body(B).       { R = build_struct(cx, AST_DECL_PACKET, W, N, (binding){0}, A, B); }
decl(R) ::= UNION(W) ID(N) attrs(A) choice(C).          { R = build_union(cx, NULL, W, N, A, C); }
decl(R) ::= PACKET(P) UNION(W) ID(N) attrs(A) choice(C).    { R = build_union(cx, &P, W, N, A, C); }

%type prefix {ast_name}
prefix(R) ::= .                                         { R = (ast_name){0}; }
prefix(R) ::= PREFIX ID(N).                             { R = name_of(N); }

%type width {typed}
width(R) ::= .                                          { R = (typed){0}; }
width(R) ::= COLON type(T).                             { R = T; }

%type binding {binding}
binding(R) ::= .                                        { R = (binding){0}; }
binding(R) ::= AS STRING(T) FROM STRING(H).             { R = (binding){name_of(T), name_of(H)}; }

%type attrs {ast_attribute_list}
attrs(R) ::= .                                          { R = (ast_attribute_list){0}; }
attrs(R) ::= attrs(L) AT(A) ID(N).                      { R = append_attribute(cx, L, A, N, NULL, N.span); }
attrs(R) ::= attrs(L) AT(A) ID(N) LPAREN expr(V) RPAREN(E).     { R = append_attribute(cx, L, A, N, V, E.span); }
attrs(R) ::= attrs(L) WAS(W) STRING(S).                 { R = append_was(cx, L, W, S); }

// The old names of a member, which has no attributes.
%type olds {ast_attribute_list}
olds(R) ::= .                                           { R = (ast_attribute_list){0}; }
olds(R) ::= olds(L) WAS(W) STRING(S).                   { R = append_was(cx, L, W, S); }

// What a member becomes for clients of a release that does not have it.
%type other {ast_name}
other(R) ::= .                                          { R = (ast_name){0}; }
other(R) ::= ELSE ID(N).                                { R = name_of(N); }

%type enumerators {ast_member_list}
enumerators(R) ::= enumerator(M).                       { R = append_member((ast_member_list){0}, M); }
enumerators(R) ::= enumerators(L) COMMA enumerator(M).  { R = append_member(L, M); }
%type enumerator {ast_member *}
enumerator(R) ::= ID(N) olds(O) other(E).               { R = build_enumerator(cx, N, NULL, O, E); }
enumerator(R) ::= ID(N) ASSIGN expr(V) olds(O) other(E).    { R = build_enumerator(cx, N, V, O, E); }

%type names {ast_member_list}
names(R) ::= flag(M).                                   { R = append_member((ast_member_list){0}, M); }
names(R) ::= names(L) COMMA flag(M).                    { R = append_member(L, M); }
%type flag {ast_member *}
flag(R) ::= ID(N) olds(O).                              { R = build_enumerator(cx, N, NULL, O, (ast_name){0}); }

// The lines of a model, as its file has them.
%type lines {ast_member_list}
lines(R) ::= STRING(S).                                 { R = append_member((ast_member_list){0}, build_line(cx, S)); }
lines(R) ::= lines(L) COMMA STRING(S).                  { R = append_member(L, build_line(cx, S)); }

comma ::= .
comma ::= COMMA.

%type choice {choice}
choice(R) ::= LBRACE(B) members(M) RBRACE(E).           { R = build_choice(M, B, E); }
%type members {ast_member_list}
members(R) ::= .                                        { R = (ast_member_list){0}; }
members(R) ::= members(L) member(M).                    { R = append_member(L, M); }
%type member {ast_member *}
member(R) ::= name(T) ID(N) olds(O) other(X) SEMI(E).   { R = build_member(cx, T, N, O, X, E); }

// ---- members
%type body {ast_body}
body(R) ::= open(B) items(L) RBRACE(E).                 { R = build_body(L, B, E); }
// These braces are parsed only because of an error; their contents can have further errors.
open(R) ::= LBRACE(B).                                  { yypParser->yyerrcnt = -1; R = B; }
%type items {ast_item_list}
items(R) ::= .                                          { R = (ast_item_list){0}; }
items(R) ::= items(L) item(I).                          { R = append_item(L, I); }

%type item {ast_item *}
item(R) ::= type(T) declarators(D) SEMI(E).             { R = build_field(cx, NULL, AST_PLAIN, NULL, &T, D, E); }
item(R) ::= OPTIONAL(W) type(T) declarators(D) SEMI(E). { R = build_field(cx, &W, AST_OPTIONAL, NULL, &T, D, E); }
item(R) ::= SPARSE(W) mode(M) type(T) declarators(D) SEMI(E).
                                                        { R = build_field(cx, &W, AST_SPARSE, M.first, &T, D, E); }
item(R) ::= LOCAL(W) type(T) declarators(D) SEMI(E).    { R = build_field(cx, &W, AST_LOCAL, NULL, &T, D, E); }
item(R) ::= LOCAL(W) STRING(S) declarators(D) SEMI(E).  { R = build_foreign_field(cx, W, S, D, E); }
item(R) ::= ALIGN(W) SEMI(E).                           { R = build_simple_item(cx, AST_ALIGN, W, E); }
item(R) ::= CONST(W) LT sum(B) becomes expr(V) SEMI(E). { R = build_const_item(cx, W, B, V, E); }
item(R) ::= RESERVED(W) LT sum(B) GT SEMI(E).           { R = build_const_item(cx, W, B, NULL, E); }
item(R) ::= CHECK(W) SEMI(E).                           { R = build_simple_item(cx, AST_CHECK, W, E); }
// The value is a literal, because `check x;` is a field whose type is called check.
item(R) ::= CHECK(W) INT(V) SEMI(E).                    { R = build_check_value(cx, W, V, E); }
item(R) ::= if(I).                                      { R = I; }
item(R) ::= SWITCH(W) LPAREN expr(S) RPAREN LBRACE arms(A) RBRACE(E).   { R = build_switch(cx, W, S, A, E); }

// In const<8>=5 and delta<5,9>=0 the lexer makes one token of `>=`.
becomes(R) ::= GT(E) ASSIGN.                            { R = E; }
becomes(R) ::= GE(E).                                   { R = E; }

%type mode {ast_mode_list}
mode(R) ::= .                                           { R = (ast_mode_list){0}; }
mode(R) ::= LT modes(M) GT.                             { R = M; }
%type modes {ast_mode_list}
modes(R) ::= ID(N).                                     { R = append_mode(cx, (ast_mode_list){0}, N); }
modes(R) ::= modes(L) COMMA ID(N).                      { R = append_mode(cx, L, N); }

%type if {ast_item *}
if(R) ::= IF(W) LPAREN expr(C) RPAREN body(B) else(E).  { R = build_if(cx, W, C, B, E); }
%type else {alternative}
else(R) ::= .                                           { R = (alternative){0}; }
else(R) ::= ELSE(W) body(B).                            { R = build_else(W, B); }
else(R) ::= ELSE(W) if(I).                              { R = build_else_if(W, I); }

// Labels and items are one flat list, and an item belongs to the label before it. So the parser can recover from an
// error inside an arm at the next label or at the closing brace.
%type arms {arms}
arms(R) ::= label(L).                                   { R = append_label((arms){0}, L); }
arms(R) ::= arms(A) label(L).                           { R = append_label(A, L); }
arms(R) ::= arms(A) item(I).                            { R = append_arm_item(A, I); }
%type label {ast_label *}
label(R) ::= CASE(W) values(V) COLON(E).                { R = build_label(cx, W, V.first, E); }
label(R) ::= DEFAULT(W) COLON(E).                       { R = build_label(cx, W, NULL, E); }
%type values {ast_expr_list}
values(R) ::= expr(E).                                  { R = append_expr((ast_expr_list){0}, E); }
values(R) ::= values(L) COMMA expr(E).                  { R = append_expr(L, E); }

// ---- types and declarators
%type type {typed}
type(R) ::= name(N).                                    { R = build_type(N, NULL, NULL); }
type(R) ::= name(N) LT arguments(A) GT(E).              { R = build_type(N, A.first, &E); }
type(R) ::= COMPACT(W) name(N).                         { R = build_compact(W, N); }
name(R) ::= ID(T).                                      { R = T; }
name(R) ::= SCALAR(T).                                  { R = T; }
// At the start of an item `check` is shifted as CHECK, and the fallback to ID does not happen.
name(R) ::= CHECK(T).                                   { R = T; }

// Arguments are sums: <, >, <=, >=, == and & need parentheses.
%type arguments {ast_expr_list}
arguments(R) ::= sum(E).                                { R = append_expr((ast_expr_list){0}, E); }
arguments(R) ::= arguments(L) COMMA sum(E).             { R = append_expr(L, E); }

%type declarators {ast_declarator_list}
declarators(R) ::= declarator(D).                       { R = append_declarator((ast_declarator_list){0}, D); }
declarators(R) ::= declarators(L) COMMA declarator(D).  { R = append_declarator(L, D); }
%type declarator {ast_declarator *}
declarator(R) ::= ID(N) dims(D) by(K) after(A) beyond(W) clamp(C) unless(U) tail(T) attrs(B).
                                                        { R = build_declarator(cx, N, D, K, A, W, C, U, T, B); }

%type dims {ast_dim_list}
dims(R) ::= .                                           { R = (ast_dim_list){0}; }
dims(R) ::= dims(L) LBRACKET(B) dim(D) RBRACKET(E).     { R = append_dim(L, D, B, E); }
%type dim {ast_dim *}
dim(R) ::= expr(N).                                     { R = build_dim(cx, AST_DIM_FIXED, NULL, N); }
dim(R) ::= LE expr(N).                                  { R = build_dim(cx, AST_DIM_UPTO, NULL, N); }
dim(R) ::= LE expr(C) OF expr(N).                       { R = build_dim(cx, AST_DIM_UPTO_OF, C, N); }
dim(R) ::= expr(A) DOTDOT expr(N).                      { R = build_dim(cx, AST_DIM_RANGE, A, N); }

%type by {ast_name}
by(R) ::= .                                             { R = (ast_name){0}; }
by(R) ::= BY ID(N).                                     { R = name_of(N); }
%type after {ast_name}
after(R) ::= .                                          { R = (ast_name){0}; }
after(R) ::= AFTER ID(N).                               { R = name_of(N); }
%type beyond {ast_beyond}
beyond(R) ::= .                                         { R = (ast_beyond){{0}, {0}}; }
beyond(R) ::= WRAP(W).                                  { R = (ast_beyond){W.span, {0}}; }
beyond(R) ::= OR(W) RAW(E).                             { R = (ast_beyond){{0}, span_join(W.span, E.span)}; }
%type clamp {span}
clamp(R) ::= .                                          { R = (span){0}; }
clamp(R) ::= CLAMP(W).                                  { R = W.span; }
%type unless {ast_expr *}
unless(R) ::= .                                         { R = NULL; }
unless(R) ::= UNLESS expr(E).                           { R = E; }
%type tail {tail}
tail(R) ::= .                                           { R = (tail){0}; }
tail(R) ::= ASSIGN expr(E).                             { R = build_initial(E); }
tail(R) ::= DELTA(W) LT arguments(A) GT(E).             { R = build_delta(W, A.first, E, NULL); }
tail(R) ::= DELTA(W) LT arguments(A) becomes(E) expr(V).    { R = build_delta(W, A.first, E, V); }
tail(R) ::= DELTA(W) LPAREN sum(N) RPAREN(E).           { R = build_chain(W, N, E); }
tail(R) ::= DELTA(W) LPAREN sum(N) FROM sum(B) other(S) RPAREN(E).
                                                        { R = build_baseline(cx, W, N, B, NULL, S, E); }
tail(R) ::= DELTA(W) LPAREN sum(N) FROM sum(B) AFTER sum(P) other(S) RPAREN(E).
                                                        { R = build_baseline(cx, W, N, B, P, S, E); }
tail(R) ::= CODED(W) still(S).                          { R = build_coded(W, S, NULL); }
tail(R) ::= CODED(W) still(S) ASSIGN expr(V).           { R = build_coded(W, S, V); }
%type still {span}
still(R) ::= .                                          { R = (span){0}; }
still(R) ::= STILL(W).                                  { R = W.span; }

// ---- expressions, loosest first; all binary operators are left-associative
%type expr {ast_expr *}
%type both {ast_expr *}
%type equality {ast_expr *}
%type relation {ast_expr *}
%type masked {ast_expr *}
%type sum {ast_expr *}
%type product {ast_expr *}
%type unary {ast_expr *}
%type primary {ast_expr *}
expr(R) ::= both(E).                                    { R = E; }
expr(R) ::= expr(A) OROR both(B).                       { R = build_binary(cx, OPERATOR_OR, A, B); }
both(R) ::= equality(E).                                { R = E; }
both(R) ::= both(A) ANDAND equality(B).                 { R = build_binary(cx, OPERATOR_AND, A, B); }
equality(R) ::= relation(E).                            { R = E; }
equality(R) ::= equality(A) EQ relation(B).             { R = build_binary(cx, OPERATOR_EQ, A, B); }
equality(R) ::= equality(A) NE relation(B).             { R = build_binary(cx, OPERATOR_NE, A, B); }
relation(R) ::= masked(E).                              { R = E; }
relation(R) ::= relation(A) LT masked(B).               { R = build_binary(cx, OPERATOR_LT, A, B); }
relation(R) ::= relation(A) LE masked(B).               { R = build_binary(cx, OPERATOR_LE, A, B); }
relation(R) ::= relation(A) GT masked(B).               { R = build_binary(cx, OPERATOR_GT, A, B); }
relation(R) ::= relation(A) GE masked(B).               { R = build_binary(cx, OPERATOR_GE, A, B); }
masked(R) ::= sum(E).                                   { R = E; }
masked(R) ::= masked(A) AMP sum(B).                     { R = build_binary(cx, OPERATOR_MASK, A, B); }
sum(R) ::= product(E).                                  { R = E; }
sum(R) ::= sum(A) PLUS product(B).                      { R = build_binary(cx, OPERATOR_ADD, A, B); }
sum(R) ::= sum(A) MINUS product(B).                     { R = build_binary(cx, OPERATOR_SUBTRACT, A, B); }
product(R) ::= unary(E).                                { R = E; }
product(R) ::= product(A) STAR unary(B).                { R = build_binary(cx, OPERATOR_MULTIPLY, A, B); }
product(R) ::= product(A) SLASH unary(B).               { R = build_binary(cx, OPERATOR_DIVIDE, A, B); }
product(R) ::= product(A) PERCENT unary(B).             { R = build_binary(cx, OPERATOR_REMAINDER, A, B); }
unary(R) ::= primary(E).                                { R = E; }
unary(R) ::= NOT(O) unary(E).                           { R = build_unary(cx, OPERATOR_NOT, O, E); }
unary(R) ::= MINUS(O) unary(E).                         { R = build_unary(cx, OPERATOR_NEGATE, O, E); }
primary(R) ::= INT(T).                                  { R = build_int(cx, T); }
primary(R) ::= REAL(T).                                 { R = build_real(cx, T); }
primary(R) ::= TRUE(T).                                 { R = build_bool(cx, T, true); }
primary(R) ::= FALSE(T).                                { R = build_bool(cx, T, false); }
primary(R) ::= path(P).                                 { R = build_path(cx, P); }
// bits(field). The word is that of a type, bits<N>; build_ones refuses other types.
primary(R) ::= SCALAR(W) LPAREN path(P) RPAREN(E).      { R = build_ones(cx, W, P, E); }
primary(R) ::= LPAREN(B) expr(X) RPAREN(E).             { R = build_parenthesized(B, X, E); }
%type path {ast_path_list}
path(R) ::= ID(N).                                      { R = append_path(cx, (ast_path_list){0}, N); }
path(R) ::= path(L) DOT ID(N).                          { R = append_path(cx, L, N); }

// ---- recovery
// Every `error` is followed by a token, because a production that ends in `error` would become the default of its state
// and reduce too early. While tokens are skipped, a brace is still parsed as a body; otherwise its } would close the
// enclosing block. parse.c handles braces that are never closed.
decl(R) ::= error SEMI.                                 { RECOVERED; R = NULL; }
decl(R) ::= error RBRACE.                               { RECOVERED; R = NULL; }
decl(R) ::= error body.                                 { RECOVERED; R = NULL; }
decl(R) ::= ENUM(W) ID(N) width(T) attrs(A) LBRACE error RBRACE(E).
                    { RECOVERED; R = build_enum(cx, AST_DECL_ENUM, W, N, &T.type, A, (ast_member_list){0}, E); }
decl(R) ::= ENUM(W) ID(N) width(T) attrs(A) LBRACE enumerators(M) comma error RBRACE(E).
                                        { RECOVERED; R = build_enum(cx, AST_DECL_ENUM, W, N, &T.type, A, M, E); }
decl(R) ::= FLAGS(W) ID(N) attrs(A) LBRACE error RBRACE(E).
            { RECOVERED; R = build_enum(cx, AST_DECL_FLAGS, W, N, &(ast_type){0}, A, (ast_member_list){0}, E); }
decl(R) ::= FLAGS(W) ID(N) attrs(A) LBRACE names(M) comma error RBRACE(E).
                                { RECOVERED; R = build_enum(cx, AST_DECL_FLAGS, W, N, &(ast_type){0}, A, M, E); }
choice(R) ::= LBRACE(B) members(M) error RBRACE(E).     { RECOVERED; R = build_choice(M, B, E); }
member(R) ::= error SEMI.                               { RECOVERED; R = NULL; }
member(R) ::= error body.                               { RECOVERED; R = NULL; }
body(R) ::= open(B) items(L) error RBRACE(E).           { RECOVERED; R = build_body(L, B, E); }
item(R) ::= error SEMI.                                 { RECOVERED; R = NULL; }
item(R) ::= error body.                                 { RECOVERED; R = NULL; }
item(R) ::= SWITCH(W) LPAREN expr(S) RPAREN LBRACE arms(A) error RBRACE(E).
                                                        { RECOVERED; R = build_switch(cx, W, S, A, E); }
item(R) ::= SWITCH LPAREN expr RPAREN LBRACE error RBRACE.      { RECOVERED; R = NULL; }
label(R) ::= error CASE(W) values(V) COLON(E).          { RECOVERED; R = build_label(cx, W, V.first, E); }
label(R) ::= error DEFAULT(W) COLON(E).                 { RECOVERED; R = build_label(cx, W, NULL, E); }

%code {
// Whether the parser would shift this terminal, after the reductions that come first.
bool grammar_takes(const void *machine, int terminal)
{
    const yyParser *state_of = machine;
    const yyStackEntry *top = state_of->yytos;
    YYACTIONTYPE reduced[GRAMMAR_AHEAD]; // the states on top of those of the parser
    int count = 0;
    for (;;) {
        const YYACTIONTYPE state = count > 0 ? reduced[count - 1] : top->stateno;
        const YYACTIONTYPE action = yy_find_shift_action((YYCODETYPE)terminal, state);
        if (action <= YY_MAX_SHIFTREDUCE)
            return true;
        if (action < YY_MIN_REDUCE || count == GRAMMAR_AHEAD)
            return false;
        const unsigned rule = action - YY_MIN_REDUCE;
        int popped = -yyRuleInfoNRhs[rule];
        while (popped > 0 && count > 0)
            popped--, count--;
        top -= popped;
        const YYACTIONTYPE below = count > 0 ? reduced[count - 1] : top->stateno;
        reduced[count++] = yy_find_reduce_action(below, yyRuleInfoLhs[rule]);
    }
}
}
