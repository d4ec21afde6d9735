/* emit_serve.h - the deltas and the packets with parts in NAME_serve.h and NAME_serve.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_SERVE_H
#define PKTC_EMIT_SERVE_H

#include "releases/serve_target.h"

/* ---- emit_serve_delta.c */

void emit_served_delta_prototypes(server *s, const decl *d);
void emit_served_deltas(server *s, const decl *d);

/* Functions for orders of candidates, where a release has other numbers for the elements of a type than now. */
void emit_orders(server *s, const decl *d);

/* How many elements have numbers in an order, if T_served says which of them cannot be written; else 0. */
uint32_t spared_elements(server *s, const decl *d);
/* Lines of a function with to_ that say of a T_served that all of it can be written. */
const char *spell_unspoiled(server *s, const decl *d, const char *to);

/* What the choice of what fits needs then: lines before and after it, and the pointer that it gets to the count. */
typedef struct order_lines {
    const char *before, *after, *count;
} order_lines;
order_lines spell_order(server *s, const target *t, const decl *d, const char *served, const field *part);

/* ---- emit_serve_parts.c: packets with parts */

void emit_served_datagram_prototypes(server *s, const decl *d);
void emit_served_datagram(server *s, const decl *d);

/* ---- emit_serve_faults.c */

/* T_spare_vN_: whether a value can be converted to a release, apart from elements that are left out. */
void emit_spare(server *s, const target *t, const decl *d);

#endif
