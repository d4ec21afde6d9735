/* spot.h - the places of values in the structs of generated C, by their reflection.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SPOT_H
#define TESTS_SPOT_H

#include "pkt_reflect.h"
#include "pkt_value.h"

/* An element of a member, or the member itself. */
typedef struct spot {
    const pkt_member *member;
    uint8_t *value, *size; /* size: of bytes */
    unsigned value_size, size_size;
} spot;

static inline size_t capacity_of(const pkt_member *m)
{
    size_t count = 1;
    for (size_t i = 0; i < sizeof m->dims / sizeof *m->dims && m->dims[i] != 0; i++)
        count *= m->dims[i];
    return count;
}

static inline spot spot_of(const pkt_member *m, const void *at, size_t index)
{
    uint8_t *base = (uint8_t *)(uintptr_t)at;
    const size_t count = capacity_of(m);
    spot s = {
        .member = m, .value_size = (unsigned)(m->value.size / count), .size_size = (unsigned)(m->sizes.size / count)};
    s.value = base + m->value.offset + index * s.value_size;
    s.size = base + m->sizes.offset + index * s.size_size;
    return s;
}

static inline uint64_t load_part(const void *at, pkt_part from)
{
    return pkt_entry_load((const uint8_t *)at + from.offset, (unsigned)from.size);
}

static inline void store_part(void *at, pkt_part to, uint64_t n)
{
    pkt_entry_store((uint8_t *)at + to.offset, (unsigned)to.size, n);
}

static inline pkt_part tag_of(const pkt_type *t)
{
    return (pkt_part){t->entries->offset, t->entries->size};
}

/* The word of x_present that has the bit of an element. */
static inline pkt_part presence_of(const pkt_member *m, uint32_t index)
{
    return (pkt_part){m->count.offset + index / 64 * 8, 8};
}

#endif
