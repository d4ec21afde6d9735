/* emit_serve.h - the deltas and the packets with parts in NAME_serve.h and NAME_serve.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_SERVE_H
#define PKTC_EMIT_SERVE_H

#include "emit/serve_target.h"

/* ---- emit_serve_delta.c */

void emit_served_delta_prototypes(server *s, const decl *d);
void emit_served_deltas(server *s, const decl *d);

/* Numbers of elements in orders of candidates, if a release counts them in another way: functions that translate them,
 * lines before and after T_fit, and the pointer that it gets to the count. */
void emit_order(server *s, const target *t, const decl *d);
const char *spell_order_in(server *s, const target *t, const decl *d);
const char *spell_order_out(server *s, const target *t, const decl *d);
const char *spell_order_count(const target *t, const decl *d);

/* ---- emit_serve_parts.c: packets with parts */

void emit_served_datagram_prototypes(server *s, const decl *d);
void emit_served_datagram(server *s, const decl *d);

#endif
