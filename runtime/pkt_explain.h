/* pkt_explain.h - finds out why a value cannot be written, or bytes cannot be read.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_EXPLAIN_H
#define PKT_EXPLAIN_H

#include "pkt_value.h"

PKT_C_BEGIN

/* Repeats a write of the value at v, or a read into it, from the start of its type to the first item that is wrong.
 * Then it records the error and returns false. Writes to v only when a read is explained, up to that item. base: the
 * baseline of a delta, or NULL. */
typedef bool pkt_explainer(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);
PKT_COLD bool pkt_explain_type(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);
PKT_COLD bool pkt_explain_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);

/* A type, and the function that explains why it cannot be written or read. */
typedef struct pkt_explanation {
    const pkt_type *type;
    pkt_explainer *explain;
} pkt_explanation;

/* For packets with parts: `base` is an array of pkt_delta_part. */
PKT_COLD bool pkt_explain_parts(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);
/* For types with coded fields: with a value as the baseline, and with a predicted one: was is what it was predicted from. */
PKT_COLD bool pkt_explain_coded_delta(pkt_cursor *c, const pkt_type *t, const void *base, const void *v);
PKT_COLD bool pkt_explain_predicted(pkt_cursor *c, const pkt_type *t, const void *base, const void *was, const void *v);

PKT_COLD bool pkt_explain_fail(pkt_cursor *c, pkt_code code, uint64_t bit, const char *field);
/* The outcome of an item that began at `start`: records the error, if there is one, or if too little room was left. */
PKT_COLD bool pkt_explain_outcome(pkt_cursor *c, pkt_code code, uint64_t start, const char *field);
PKT_COLD bool pkt_explain_outer(pkt_cursor *c, const char *outer);
PKT_COLD bool pkt_explain_element(pkt_cursor *c, uint64_t index);

/* Each function repeats one item and moves on, or records the error and returns false. When a write is explained, *raw
 * is the value; when a read is explained, it is set to the value read. */
PKT_COLD bool pkt_explain_leaf(pkt_cursor *c, uint64_t *raw, uint64_t span, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_constant(pkt_cursor *c, uint64_t value, unsigned bits, const char *field);
PKT_COLD bool pkt_explain_align(pkt_cursor *c, const char *field);

/* The same for the value that an entry describes, or a part of it. */
PKT_COLD bool pkt_explain_count(pkt_cursor *c, const pkt_entry *e, char *v);
/* The count of a counted array, and if it is a list, the order of its first `count` keys. */
PKT_COLD bool pkt_explain_order(pkt_cursor *c, const pkt_entry *e, char *v, uint32_t count);
/* Element n of an array, with its key if that is a list. */
PKT_COLD bool pkt_explain_nth(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v, uint64_t n);
PKT_COLD bool pkt_explain_entry(pkt_cursor *c, const pkt_type *t, const pkt_entry *e, char *v, uint64_t i);

PKT_C_END

#endif
