/* codec_scalar.h - the codes of single values, and the costs of parts of an encoding.
 * SPDX-License-Identifier: MIT
 *
 * For tools that count bits: each function follows docs/wire.md as codec.h does.
 */
#ifndef PKTC_CODEC_SCALAR_H
#define PKTC_CODEC_SCALAR_H

#include "codec/codec_value.h"
#include "pkt.h"

/* The bits of a scalar of fixed width; with `or raw` those of the code of a step. */
unsigned scalar_width(const type *t);
/* With `or raw`: whether a code is that of a raw float, and its bits on the wire. */
bool is_raw_code(uint64_t code);
unsigned or_raw_width(const type *t, uint64_t code);
/* The number of an integer or a fixed as a writer sends it: clamped, if its type clamps. */
num written_num(const type *t, const datum *d);
/* The code of a scalar of fixed width: its number on the wire; with `or raw` over 32 bits if it is sent raw. PKT_OK, or why
 * it cannot be written. */
pkt_code scalar_code(const type *t, const datum *d, uint64_t *code);
/* The value of a code. PKT_OK, or why a reader refuses it. */
pkt_code scalar_from_code(const type *t, uint64_t code, datum *d);

/* The place of a raw real in the order of all, from its code, and the inverse: differences are those of places. */
uint64_t order_of_real(const type *t, uint64_t code);
uint64_t real_in_order(const type *t, uint64_t place);

/* The way from one code to another: its length, and whether it goes down. On a circle of `circle` codes it is the
 * shorter way, and the upward one if both are equal; 0: no circle. */
typedef struct way {
    uint64_t far;
    bool down;
} way;
way way_between(uint64_t from, uint64_t to, uint64_t circle);
/* The code at the end of a way that begins at a code. */
uint64_t way_end(uint64_t from, way w, uint64_t circle);

/* The bits of v as a compact number of this many bytes. */
unsigned compact_width(uint64_t v, unsigned bytes);

/* The bits of a subset of n elements without the elements themselves. indices: `count` of them, ascending, at most `limit`. The
 * time that it takes depends on `count` alone. */
uint64_t subset_width(sparse_mode mode, uint32_t n, uint32_t limit, uint32_t *indices, uint32_t count);

#endif
