/* format_internal.h - shared by the two halves of the formatter: format_pieces.c reads, format.c lays out.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_FORMAT_INTERNAL_H
#define PKTC_FORMAT_INTERNAL_H

#include "front/lexer.h"

/* The role of a token that means different things in different places. */
typedef enum role {
    ROLE_PLAIN,
    ROLE_ANGLE_OPEN,  /* < before the arguments of a type */
    ROLE_ANGLE_CLOSE, /* > after them, or a >= that stands for > and = */
    ROLE_PREFIX,      /* - or ! before an operand, <= at the start of a dimension */
    ROLE_WIDTH,       /* : before the width of an enum */
    ROLE_ATTRIBUTE,   /* the name after an @ */
    ROLE_LIST_OPEN,   /* { of an enum, flags or a model */
    ROLE_FIELDS_OPEN, /* { of a struct, packet or union */
    ROLE_BLOCK_OPEN   /* { of if, else or switch */
} role;

typedef struct piece { /* a token and what comes before it */
    int terminal;      /* 0: the end of the file */
    span span;
    role role;
    const comment *comments; /* between the previous token and this one */
    bool spaced;             /* a space comes before it, unless it begins a line */
    bool breakable;          /* a line that is too long may be broken before it */
    uint32_t close;          /* of an opening brace: the index of the closing one */
} piece;

/* The tokens of a file without syntax errors; *count includes the end of the file. */
piece *format_pieces(arena *a, names *n, diag *d, const source *s, word_list *type_words, uint32_t *count);

#endif
