/* pkt_fit.h - chooses which elements of arrays are sent if a budget is too small for all.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it after pkt_inside.h. Programs do not use this header: pkt_fit is what T_fit_write_delta
 * and T_fit_write of a type with @fit arrays call. docs/runtime.md, "What fits", says what these guarantee.
 *
 * Each element is measured once, by itself; only new elements of counted arrays may be measured again, when a later one
 * is tried. The other bits of a subset are known without looking at its elements again: an added element changes only
 * the differences to its neighbours in the subset, and whether differences take more bits than a bitmap.
 *
 * A delta of a type with coded fields has two forms, and its lead decides which one is sent. So the bits of both forms
 * are counted, and the lead. More elements may take fewer bits: one that was expected to change is a surprise less, a
 * surprise at the end of an array needs no end symbol, and another change mask may have a shorter code. So the whole
 * order is tried first. If it does not fit, all elements are measured again.
 *
 * Of a list with a key in a delta, elements of the baseline that are gone are always sent. The subset is one of the elements of the
 * baseline, and new elements add keys, in any order: the key of one changes the difference of the next.
 */
#ifndef PKT_FIT_H
#define PKT_FIT_H

#include "pkt_coder.h"
#include "pkt_list.h"
#include "pkt_subset.h"

PKT_C_BEGIN

/* Measures element i of `in`, in the mode PKT_CHECK: moves the cursor, which belongs to a measuring writer. In a delta,
 * c->changed says whether the element differs from element j of `base`; if not, it is not sent. j differs from i only in a list;
 * UINT32_MAX: the element is new. False if it cannot be written. */
typedef bool pkt_fit_bits(pkt_cursor *c, const void *base, const void *in, uint32_t i, uint32_t j);
/* Copies element i. */
typedef void pkt_fit_copy(void *to, const void *from, uint32_t i);

/* A subset that is being chosen. */
typedef struct pkt_fit_set {
    uint32_t n;         /* the number of elements that the array has */
    uint32_t count;     /* the number of those in the subset */
    uint32_t from;      /* one more than the last of these; 0 if there are none */
    uint32_t far_count; /* differences from PKT_FAR on: their size depends on n */
    uint64_t near_bits; /* bits of the other differences */
    uint64_t head_bits; /* bits before the subset: of the count; of a list, of all keys */
    uint64_t bits;      /* all bits without the elements; of a coded array, in the plain form */
    bool moved;         /* the count differs from the baseline's, or the keys do */
    uint32_t run_bits;  /* coded arrays: bits of the coded form */
    uint32_t run_from;  /* and one more than the last surprise; 0 if there is none */
} pkt_fit_set;

typedef struct pkt_fit_array {
    pkt_fit_bits *bits;
    pkt_fit_copy *copy;      /* deltas */
    const uint64_t *offered; /* sparse arrays: those that were present */
    size_t offset;           /* where the array is in its struct */
    uint64_t *kept;          /* the subset as a bitmap. Of a sparse array, its presence bits */
    pkt_subset_kind kind;
    uint32_t size;       /* the numbers that an order has for its elements */
    uint32_t limit;      /* at most so many can be in the subset */
    uint32_t old, now;   /* the number of elements of the baseline and of the value */
    uint64_t head_bits;  /* as in the set, while nothing is chosen */
    bool gone;           /* lists: the value lacks elements of the baseline */
    bool pads;           /* the size of an element can depend on the bit where it begins */
    size_t each;         /* deltas: the bytes of an element that can be compared and copied as memory, else 0, */
    uint64_t same;       /* and which blocks of elements are bit for bit those of the baseline */
    unsigned block_bits; /* a block has 2^block_bits elements, so that there are at most 64 */
    pkt_fit_set set;
    uint32_t listed;  /* counted arrays: all new elements before this one are in the order; UINT32_MAX: not known */
    uint32_t blocked; /* counted arrays: a new element that was too much. It and those after it are again ... */
    uint64_t blocked_bits;  /* ... if there is no room for this: its bits and those of the new ones before it, ... */
    uint64_t blocked_plain; /* ... and, if there are two forms, their bits in the plain one */
    unsigned field;         /* in a type with coded fields: the array's bit in the change mask */
    const pkt_codes *runs;  /* coded arrays: the codes for which elements have changed; NULL for others */
    uint64_t *surprises;  /* coded arrays: elements that are in `kept` and not expected there, or the other way round */
    const pkt_keys *keys; /* lists; NULL for others. `kept` is about the elements of the baseline, */
    uint64_t *added;      /* and this one about those of the value that are new */
    uint32_t ahead;       /* by how much the index of the last element in the baseline was greater than in the value */
    uint32_t filled;      /* the number of elements that the chosen value has */
    const struct pkt_delta_part *part; /* the part that the struct is, if it may have a start value; or NULL */
} pkt_fit_array;

/* An array of a delta. kept: (size + 63) / 64 words. A counted array has `old` elements in the baseline, and `now` in
 * the value; a fixed one has `size` in both, and count_bits is 0. */
PKT_COLD void pkt_fit_delta_array(pkt_fit_array *a, size_t offset, uint32_t size, uint32_t old, uint32_t now,
                                  unsigned count_bits, bool pads, uint64_t *kept, pkt_fit_bits *bits,
                                  pkt_fit_copy *copy);

/* Says that elements of a delta array in `base` and `v` can be compared and copied as memory. each: the bytes of one; 0 if
 * they have padding, which is not compared. */
void pkt_fit_plain_array(pkt_fit_array *a, const void *base, const void *v, size_t each);

/* Says more of an array in a type with coded fields: its bit in the change mask and, if it is coded, its codes and the
 * elements that are expected to change; NULL if none is. pkt_fit_coded changes `expected`. */
PKT_COLD void pkt_fit_coded_array(pkt_fit_array *a, unsigned field, const pkt_codes *runs, uint64_t *expected);

/* A list in a delta, and one that is sent whole, of which `base` is NULL and `old` is 0. kept, added: (keys->most + 63) / 64 words.
 * each: as in pkt_fit_plain_array. */
PKT_COLD void pkt_fit_list(pkt_fit_array *a, size_t offset, const pkt_keys *keys, const void *base, uint32_t old,
                           const void *v, uint32_t now, size_t each, bool pads, uint64_t *kept, uint64_t *added,
                           pkt_fit_bits *bits);

/* Fills the lists of `sent` with what was chosen: all elements of v that the baseline has too, with its values unless they are in the
 * subset, and the new ones that were added. sent may be v if base is NULL. */
void pkt_fit_fill_lists(pkt_fit_array *arrays, unsigned count, const void *base, const void *v, void *sent);

/* A sparse array. Moves its presence bits to `offered`. */
PKT_COLD void pkt_fit_sparse_array(pkt_fit_array *a, size_t offset, pkt_subset_kind kind, uint32_t size, uint32_t limit,
                                   bool pads, uint64_t *present, uint64_t *offered, pkt_fit_bits *bits);

/* Copies the elements of the baseline to `sent`. */
void pkt_fit_from_baseline(const pkt_fit_array *arrays, unsigned count, const void *base, void *sent);

/* A budget, in bits. */
typedef struct pkt_fit_room {
    uint64_t rest;    /* the measure of the value without any element of the arrays; not used by pkt_fit_coded */
    uint64_t most;    /* the most that it may have */
    uint64_t padding; /* what follows the arrays, or a coded change mask, can grow by so many bits if it moves */
} pkt_fit_room;

/* Chooses elements in an order of *entries numbers: element i of an array is i plus the sizes of the arrays before it.
 * In a delta, copies them from v to sent. Moves the entries that were kept to the front, then those that are invalid, and
 * sets *entries to the number of the former. False, with no entry kept, if neither the rest nor the whole order fits. For
 * sparse arrays, base and sent are NULL. report: NULL, or gets what became of the order. */
bool pkt_fit(const pkt_type *type, pkt_fit_array *arrays, unsigned count, const void *base, const void *v, void *sent,
             pkt_element *order, uint32_t *entries, pkt_fit_room room, pkt_fit_report *report);

/* Refuses arguments of T_fit_write_delta: a baseline that is not sound, or is where `sent` is. Always false. */
PKT_COLD bool pkt_fit_refused(const pkt_type *type, uint32_t *entries, pkt_fit_report *report);

/* What else is known of a type with coded fields. */
typedef struct pkt_fit_coding {
    pkt_coded_put *put;               /* T_delta_put_ */
    const void *was;                  /* what `base` was predicted from, or `base` */
    const pkt_coded_changes *changes; /* the codes of the change mask; NULL if it has none */
    uint64_t start;                   /* the bit where the delta begins */
    bool pads;                        /* the size of the value can depend on that bit */
    uint32_t back;                    /* how long numbers have gone by their own speed: see pkt_coding */
} pkt_fit_coding;

/* pkt_fit for a type with coded fields. It measures the rest, and keeps the whole order if that fits. False if neither
 * the rest nor the whole order fits. `base` is sound. */
bool pkt_fit_coded(const pkt_type *type, pkt_fit_array *arrays, unsigned count, const void *base, const void *v,
                   void *sent, pkt_element *order, uint32_t *entries, pkt_fit_room room, const pkt_fit_coding *coding,
                   pkt_fit_report *report);

/* T_what_came of an array of `size`, whose offset only a list needs. came, added, gone: words that are 0. Counts beyond the size
 * are not looked at. */
void pkt_what_came(pkt_fit_bits *bits, const pkt_keys *keys, size_t offset, uint32_t size, const void *base,
                   uint32_t old, const void *v, uint32_t now, uint64_t *came, uint64_t *added, uint64_t *gone);

/* The bits of a body in so many bytes, without the frame. A body with such arrays is never empty, so 0 bytes are too
 * few. */
PKT_INLINE uint64_t pkt_fit_body_bits(size_t size, size_t frame)
{
    return size < frame ? 0 : ((uint64_t)size - frame) * 8;
}

PKT_C_END

#endif
