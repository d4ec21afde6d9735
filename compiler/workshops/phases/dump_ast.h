/* dump_ast.h - the tokens and the tree of a file, as text.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DUMP_AST_H
#define PKTC_DUMP_AST_H

#include "front/lexer.h"

#include <stdio.h>

void dump_tokens(arena *a, names *n, diag *d, const source *s, word_list *type_words, FILE *to);
void dump_ast(const ast_file *file, FILE *to);

#endif
