/* plain_bits.h - put and get, which stand for generated code: the simplest code that does what pkt.h says.
 * SPDX-License-Identifier: MIT
 *
 * Included after the runtime.
 */
#ifndef PLAIN_BITS_H
#define PLAIN_BITS_H

/* They move any number of bits, also more than a number has. */
static inline bool put(pkt_writer *w, uint64_t value, unsigned bits)
{
    if (w->bit + bits > w->limit && !(w->grows && pkt_writer_grow(w, bits))) {
        pkt_fail_writer(w, PKT_ERROR_CAPACITY, w->bit, "put");
        return false;
    }
    for (unsigned i = 0; i < bits; i++) {
        w->carry |= (value >> i % 64 & 1) << w->bit % 8;
        w->data[w->bit / 8] = (uint8_t)w->carry;
        w->bit++;
        if (w->bit % 8 == 0)
            w->carry = 0;
    }
    return true;
}

static inline bool get(pkt_reader *r, unsigned bits, uint64_t *value)
{
    if (r->bit + bits > r->limit) {
        pkt_fail_reader(r, PKT_ERROR_END, r->bit, "get");
        return false;
    }
    *value = 0;
    for (unsigned i = 0; i < bits; i++, r->bit++)
        *value |= (uint64_t)(r->data[r->bit / 8] >> r->bit % 8 & 1) << i % 64;
    return true;
}

#endif
