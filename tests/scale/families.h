/* families.h - schemas that grow: each family repeats one construct n times, side by side or one inside the other.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SCALE_FAMILIES_H
#define TESTS_SCALE_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A text that grows: head, then `each` for 1 to n, then `middle`, then `close` for n to 1, then tail. In all of them # is
 * the number and ~ the number before it; in head, middle and tail the number is n. NULL is an empty text. */
typedef struct growing {
    const char *head, *each, *middle, *close, *tail;
} growing;

typedef struct family {
    const char *name;
    int n;               /* the smallest of the three sizes that the test compares: n, 2n and 4n */
    growing schema;      /* behind `protocol p = 1;`. A packet P can have a value */
    growing value;       /* a value of P as JSON, if there is one that grows no faster than the schema */
    const char *import;  /* the text of each of n further files, which are called f1.pkt, f2.pkt ...; or NULL */
    int status;          /* of exit: 1 if the schema has mistakes */
    const char *refused; /* a command that cannot read the release before, so its status is 1; or NULL */
    bool counted;        /* n is the size of the input, not the bytes of the schema */
    bool too_large;      /* the bytes of P do not fit into a datagram */
    bool delta;          /* P is @delta */
    bool coded;          /* and has coded fields */
    bool recorded;       /* n datagrams are recorded, from as many senders; otherwise 4 of one */
    growing folders;     /* for an editor, p.pkt is in these */
} family;

extern const family families[];
extern const size_t family_count;

void growing_print(FILE *to, const growing *text, int n);

/* A text with # and ~ filled in. */
void numbered_print(FILE *to, const char *text, int number);

#endif
