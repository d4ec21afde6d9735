/* pkt_value.h - base values, copies and comparisons, by the tables of types.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 */
#ifndef PKT_VALUE_H
#define PKT_VALUE_H

#include "pkt_cursor.h"
#include "pkt_type.h"

PKT_C_BEGIN

/* In these functions, i is the index of an element, counted through all dimensions of its array; else 0. */

/* The end of the entries of a type. A type without entries has no array of them. */
PKT_INLINE const pkt_entry *pkt_type_end(const pkt_type *t)
{
    return t->count != 0 ? t->entries + t->count : t->entries;
}

/* The first entry after e and its children. */
const pkt_entry *pkt_entry_after_inner(const pkt_entry *e);
PKT_INLINE const pkt_entry *pkt_entry_after(const pkt_entry *e)
{
    return e->kind < PKT_ENTRY_BYTES ? e + 1 : pkt_entry_after_inner(e);
}

/* The bytes of a leaf in memory. */
size_t pkt_entry_size(const pkt_entry *e);

/* The address of a leaf in the struct at v. */
char *pkt_entry_at(const pkt_entry *e, char *v, uint64_t i);

/* The number of elements of a counted array; the most if there are more. */
PKT_COLD uint64_t pkt_count_of(const pkt_entry *e, const char *v);

/* Load and store an unsigned integer of `size` bytes: 1, 2, 4 or 8. */
PKT_INLINE uint64_t pkt_load_here(const void *at, unsigned size)
{
    uint8_t v8;
    uint16_t v16;
    uint32_t v32;
    uint64_t v64;
    switch (size) {
    case 1: memcpy(&v8, at, sizeof v8); return v8;
    case 2: memcpy(&v16, at, sizeof v16); return v16;
    case 4: memcpy(&v32, at, sizeof v32); return v32;
    default: memcpy(&v64, at, sizeof v64); return v64;
    }
}
uint64_t pkt_entry_load(const void *at, unsigned size);
void pkt_entry_store(void *at, unsigned size, uint64_t raw);
/* A number of `size` bytes, less low. Only signed types have a negative low; then it is sign-extended to 64 bits. */
PKT_INLINE uint64_t pkt_raw_of(const uint64_t v, const unsigned size, const uint64_t low)
{
    const uint64_t sign = low >> 63 << (8 * size - 1);
    return (v ^ sign) - sign - low;
}

/* The value of an INT or ENUM, less low. */
uint64_t pkt_entry_raw(const pkt_entry *e, const char *at);
/* The greatest code of a number. */
uint64_t pkt_entry_last(const pkt_entry *e);

/* The code of a leaf in which a difference from the baseline is counted: from 0 up. */
uint64_t pkt_entry_code(const pkt_entry *e, const char *at);
void pkt_entry_store_code(const pkt_entry *e, char *at, uint64_t code);

/* Set base values, like T_base. keeps: elements of arrays with `keep` do not change. */
PKT_COLD void pkt_type_blank(const pkt_type *t, char *v, bool keeps);
PKT_COLD void pkt_entry_blank(const pkt_entry *e, char *v, uint64_t i, bool keeps);

/* Clears a value, and sets base values. _BOUND: of a value that may hold objects, in which nothing is set yet; sets only
 * the members that the table describes. */
void pkt_value_init(const pkt_type *t, void *v);
void pkt_value_init_bound(const pkt_type *t, void *v);

/* False only for an `after` that is not greater than the field that it comes after; also if it is optional and present. */
PKT_COLD PKT_NOINLINE bool pkt_entry_in_order(const pkt_entry *e, const char *v);

/* The table of a leaf that is an enum, or NULL. */
PKT_INLINE const pkt_type *pkt_entry_enum(const pkt_entry *e)
{
    return e->s == PKT_ENTRY_CODED ? ((const pkt_coded_enum *)e->of)->type : (const pkt_type *)e->of;
}

/* Whether an enum has a member of this value. */
bool pkt_type_has(const pkt_type *t, uint64_t value);

/* Copies the members that the table describes, like T_copy. */
PKT_COLD void pkt_type_copy(const pkt_type *t, char *to, const char *from);

/* Whether a value differs from `old`, which is sound, or from base values if old is NULL: in memory and on the wire. */
PKT_COLD bool pkt_entry_differs(const pkt_entry *e, const char *v, uint64_t i, const char *old);
PKT_COLD bool pkt_type_differs(const pkt_type *t, const char *v, const char *old);
/* The address of a leaf, other than a text, in `old`. If old is NULL, stores its base value in `base` and returns
 * that. */
PKT_COLD const char *pkt_entry_old(const pkt_entry *e, const char *old, uint64_t i, uint64_t base[2]);

PKT_C_END

#endif
