/* pkt_list.h - lists with keys: arrays of structs that are sorted by a key, in which no key is twice.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_inside.h. Programs do not use this header.
 *
 * The code of a key is the key less the least one, so codes are from 0 up and in the order of the keys. A key on the wire
 * is the difference of its code from the one before, in the form of the differences of pkt_subset.h.
 */
#ifndef PKT_LIST_H
#define PKT_LIST_H

#include "pkt_change.h"
#include "pkt_value.h"

PKT_C_BEGIN

/* The words of a bitmap with a bit for each element: a list has at most 65536. */
enum { PKT_LIST_WORDS = 65536 / 64 };

/* The keys of a list in memory. */
typedef struct pkt_keys {
    uint32_t stride, offset; /* bytes of an element; where its key is in it */
    uint32_t most;           /* the most elements */
    uint8_t size;            /* bytes of a key */
    uint64_t low, span;      /* the least key, in two's complement; the greatest code */
} pkt_keys;

#ifndef PKT_WITHOUT_LIST
/* Gives fields on the sides that are not taken their base values. v: initial values with a key; numbers stay as they are. */
PKT_COLD void pkt_choose_sides_of(const pkt_type *t, void *v);

/* Of elements of type T. */
#define PKT_KEYS(T, key, most, low, span)                                                                    \
    {                                                                                                        \
        (uint32_t)sizeof(T), (uint32_t)offsetof(T, key), most, (uint8_t)sizeof(((T *)0)->key), (low), (span) \
    }

/* The code of the key of element i. */
PKT_INLINE uint64_t pkt_key_at(const pkt_keys *k, const void *elements, const uint32_t i)
{
    const char *at = (const char *)elements + (size_t)i * k->stride + k->offset;
    return pkt_raw_of(pkt_load_here(at, k->size), k->size, k->low);
}

/* Whether all keys are in range, and rise. */
PKT_INLINE bool pkt_list_sound(const pkt_keys *k, const void *elements, const uint32_t count)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t code = pkt_key_at(k, elements, i);
        if (code > k->span || (i != 0 && code <= before))
            return false;
        before = code;
    }
    return true;
}

/* ---- keys on the wire: `increase` is the difference less 1 */

/* The bits of a difference after the prefix of the last column. */
PKT_INLINE unsigned pkt_key_far_bits(const uint64_t span)
{
    const uint64_t excess = span < PKT_FAR - 1 ? 0 : span - (PKT_FAR - 1);
    return excess != 0 ? pkt_high_bit(excess) + 1 : 0;
}

PKT_INLINE bool pkt_key_put(const pkt_mode mode, pkt_cursor *c, const uint64_t increase, const uint64_t span,
                            const uint64_t rest, const bool edge)
{
    const bool is_far = increase >= PKT_FAR - 1;
    const uint64_t raw = is_far ? increase - (PKT_FAR - 1) : pkt_differences[increase + 1].code;
    const unsigned bits = is_far ? pkt_key_far_bits(span) : pkt_differences[increase + 1].bits;
    const uint64_t end = c->bit + (is_far ? 6 : 0) + bits;
    if (mode == PKT_WRITE && end + rest > c->limit)
        return false;
    if (mode != PKT_WRITE) {
        c->bit = end;
    } else if (PKT_LIKELY(!is_far)) {
        pkt_poke(c, raw, bits, edge);
    } else {
        pkt_push(c, 0, 6);
        if (bits != 0)
            pkt_put_item(c, raw, bits);
    }
    return true;
}

PKT_INLINE bool pkt_key_get(pkt_cursor *c, uint64_t *increase, const uint64_t span, const uint64_t rest,
                            const bool edge)
{
    uint64_t word;
    unsigned zeros, far_bits;
    if (!pkt_need(PKT_READ, c, 1 + rest))
        return false;
    word = pkt_peek(c, edge);
    zeros = pkt_zeros(word, 6);
    far_bits = pkt_key_far_bits(span);
    if (PKT_LIKELY(zeros < 6)) {
        const pkt_difference_column *column = &pkt_difference_columns[zeros];
        *increase = (uint64_t)column->first - 1 + (word >> 1 >> zeros & column->mask);
        c->bit += column->bits;
        return pkt_need(PKT_READ, c, rest);
    }
    if (span < PKT_FAR - 1 || !pkt_need(PKT_READ, c, 6 + far_bits + rest))
        return false;
    c->bit += 6;
    *increase = far_bits != 0 ? pkt_get_item(c, far_bits) : 0;
    if (*increase > span - (PKT_FAR - 1))
        return false;
    *increase += PKT_FAR - 1;
    return true;
}

/* From a difference less 1 to the code. before: of the key before, UINT64_MAX if this is the first. False if it is over
 * the greatest one. */
PKT_INLINE bool pkt_key_after(uint64_t *code, const bool first, const uint64_t before, const uint64_t span)
{
    const uint64_t least = before + 1;
    if (span >> 62 != 0 && ((!first && before == span) || *code > span - least)) /* the sum could wrap */
        return false;
    *code += least;
    return *code <= span;
}

/* The key of element i of the list m, which is greater than `last`, the code of the key before; `rest` bits follow. */
#define PKT_KEY(T, m, i, key, last, low, span, rest, edge)                                                            \
    do {                                                                                                              \
        uint64_t code_ = 0;                                                                                           \
        if (!PKT_READING) {                                                                                           \
            code_ = (uint64_t)in_->m[i].key - (low);                                                                  \
            if (((i) != 0 && code_ <= (last)) || pkt_over(code_, (span)))                                             \
                return false;                                                                                         \
            if (!pkt_key_put(mode_, c_, code_ - (last)-1, (span), (rest), (edge)))                                    \
                return false;                                                                                         \
        }                                                                                                             \
        if (mode_ == PKT_READ) {                                                                                      \
            if (!pkt_key_get(c_, &code_, (span), (rest), (edge)) || !pkt_key_after(&code_, (i) == 0, (last), (span))) \
                return false;                                                                                         \
            out_->m[i].key = (T)(code_ + (low));                                                                      \
        }                                                                                                             \
        (last) = code_;                                                                                               \
    } while (0)

/* ---- two lists side by side: each key that one of them has, in order

       pkt_pairs p = pkt_pairs_of(keys, old, held, now, count);
       while (pkt_pairs_next(&p)) ... p.in_old: element p.j of old; p.in_now: element p.i of now ... */

typedef struct pkt_pairs {
    const pkt_keys *keys;
    const void *old, *now;
    uint32_t held, count; /* their numbers of elements */
    uint32_t j, i;
    bool in_old, in_now;
} pkt_pairs;

PKT_INLINE pkt_pairs pkt_pairs_of(const pkt_keys *k, const void *old, const uint32_t held, const void *now,
                                  const uint32_t count)
{
    const pkt_pairs p = {k, old, now, held, count, 0, 0, false, false};
    return p;
}

PKT_INLINE bool pkt_pairs_next(pkt_pairs *p)
{
    p->j += p->in_old;
    p->i += p->in_now;
    p->in_old = p->j < p->held;
    p->in_now = p->i < p->count;
    if (p->in_old && p->in_now) {
        const uint64_t was = pkt_key_at(p->keys, p->old, p->j), is = pkt_key_at(p->keys, p->now, p->i);
        p->in_old = was <= is;
        p->in_now = is <= was;
    }
    return p->in_old || p->in_now;
}

/* Finds the element of now that has the key of element j of old; j must rise from call to call. Mostly it is as far from
 * the one found before as in old. */
PKT_INLINE bool pkt_pairs_at(pkt_pairs *p, const uint32_t j)
{
    const uint64_t code = pkt_key_at(p->keys, p->old, j);
    const uint64_t likely = (uint64_t)p->i + (j - p->j);
    p->j = j;
    if (likely < p->count && pkt_key_at(p->keys, p->now, (uint32_t)likely) == code) {
        p->i = (uint32_t)likely;
        return true;
    }
    while (p->i < p->count && pkt_key_at(p->keys, p->now, p->i) < code)
        p->i++;
    return p->i < p->count && pkt_key_at(p->keys, p->now, p->i) == code;
}

/* ---- pkt_list.c */

/* The keys of a delta: which elements of old are gone, and the new keys. They set c->changed if there are any, and *news to
 * the number of new keys. A reader has made `to` a copy of old, which is sound. It puts the elements of both into place:
 * all bytes of a new one are zero but for its key. moved: whether the keys differ. */
bool pkt_list_put_keys(pkt_mode mode, pkt_cursor *c, bool moved, const pkt_keys *k, const void *old, uint32_t held,
                       const void *now, uint32_t count, uint32_t *news);
bool pkt_list_get_keys(pkt_cursor *c, const pkt_keys *k, const void *old, uint32_t held, void *to, uint32_t *count,
                       uint32_t *news);

/* T_x_find, T_x_add, T_x_remove and T_x_unused: by the code of a key. Returns the index of the first element whose code is not below
 * it. */
uint32_t pkt_list_find(const pkt_keys *k, const void *elements, uint32_t count, uint64_t code);
/* Makes room for an element at index i, which is cleared; or closes the gap at i. */
void pkt_list_open(const pkt_keys *k, void *elements, uint32_t count, uint32_t i);
void pkt_list_close(const pkt_keys *k, void *elements, uint32_t count, uint32_t i);
/* The first code from *code up that no element has, or else from 0 up; also if *code is over the greatest one. False, and *code stays, if
 * elements have all of them. */
bool pkt_list_unused(const pkt_keys *k, const void *elements, uint32_t count, uint64_t *code);

#endif

/* ---- by the tables of types, also explaining: see pkt_explain.h. e: the COUNTED entry of the list */

/* The key of the struct of a list, after the entry of coded masks if there is one; NULL of another struct. */
PKT_INLINE const pkt_entry *pkt_key_entry(const pkt_type *of)
{
    const uint32_t first = of->count != 0 && of->entries->kind == PKT_ENTRY_CHANGES;
    return first < of->count && of->entries[first].kind == PKT_ENTRY_KEY ? &of->entries[first] : NULL;
}

/* Whether the array is a list; then k gets its keys. */
PKT_INLINE bool pkt_entry_keys(const pkt_entry *e, pkt_keys *k)
{
    const bool structs = e->kind == PKT_ENTRY_COUNTED && e[1].kind == PKT_ENTRY_STRUCT;
    const pkt_type *of = structs ? (const pkt_type *)e[1].of : NULL; /* another entry may be the last one */
    const pkt_entry *key = of ? pkt_key_entry(of) : NULL;
    if (!key)
        return false;
    k->stride = (uint32_t)of->size;
    k->offset = key->offset;
    k->most = (uint32_t)(e->low + e->span);
    k->size = key->size;
    k->low = key->low;
    k->span = key->span;
    return true;
}

/* A key on the wire. before: the code of the key before it, or NULL. *code is written, or becomes what is read; of a
 * baseline it is only checked. */
PKT_COLD bool pkt_explain_next_key(pkt_cursor *c, const pkt_keys *k, const char *name, const uint64_t *before,
                                   uint64_t *code);
/* All keys of a list, whose element has an entry: false if one is out of range, or does not rise. */
PKT_COLD bool pkt_explain_keys(pkt_cursor *c, const pkt_keys *k, const pkt_entry *element, char *elements,
                               uint32_t count);
/* The key of element i. */
PKT_COLD bool pkt_explain_key(pkt_cursor *c, const pkt_keys *k, const pkt_entry *key, char *elements, uint32_t i);

PKT_C_END

#endif
