/* fmt_internal.h - what the two halves of the formatter share: fmt_pieces.c reads, fmt.c lays out.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_FMT_INTERNAL_H
#define PKTC_FMT_INTERNAL_H

#include "front/lexer.h"
#include "model/type_table.h"

typedef enum role { /* of tokens that mean different things in different places */
                    ROLE_PLAIN,
                    ROLE_ANGLE_OPEN,  /* < before the arguments of a type */
                    ROLE_ANGLE_CLOSE, /* > behind them, and >= where it is that and the = behind */
                    ROLE_PREFIX,      /* - and ! before an operand, <= at the start of a dimension */
                    ROLE_WIDTH,       /* : before the width of an enum */
                    ROLE_ATTRIBUTE,   /* the name behind an @ */
                    ROLE_LIST_OPEN,   /* { of an enum or flags */
                    ROLE_FIELDS_OPEN, /* { of a struct, packet or union */
                    ROLE_BLOCK_OPEN   /* { of if, else and switch */
} role;

typedef struct piece { /* a token with what stands before it */
    int terminal;      /* 0: the end of the file */
    span span;
    role role;
    const comment *comments; /* those between the token before and this one */
    bool spaced;             /* one blank before it where both stand on one line */
    bool breakable;          /* a line that is too long may end before it */
    uint32_t close;          /* of a brace that opens: the index of the one that closes it */
} piece;

/* The tokens of a file that parses; *count includes the end. */
piece *format_pieces(arena *a, names *n, diag *d, const source *s, uint32_t *count);

#endif
