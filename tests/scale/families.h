/* families.h - schemas that grow: each family repeats one construct n times, side by side or one inside the other.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SCALE_FAMILIES_H
#define TESTS_SCALE_FAMILIES_H

#include <stddef.h>
#include <stdio.h>

/* A text that grows: head, then `each` for 1 to n, then `middle`, then `close` for n to 1, then tail. In all of them # is
 * the number and ~ the number before it; in head, middle and tail the number is n. NULL is an empty text. */
typedef struct growing {
    const char *head, *each, *middle, *close, *tail;
} growing;

typedef struct family {
    const char *name;
    int n;              /* the smaller of the two sizes that the test compares */
    growing schema;     /* behind `protocol p = 1;`. A packet P can have a value */
    growing value;      /* a value of P as JSON, if there is one that grows no faster than the schema */
    const char *import; /* the text of each of n further files, which are called f1.pkt, f2.pkt ...; or NULL */
    int status;         /* of exit: 1 if the schema has mistakes */
} family;

extern const family families[];
extern const size_t family_count;

void growing_print(FILE *to, const growing *text, int n);

/* A text with # and ~ filled in. */
void numbered_print(FILE *to, const char *text, int number);

#endif
