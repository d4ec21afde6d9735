/* determined.h - with the memory sanitizer, checks that a value that was read has nothing left of the memory before.
 * SPDX-License-Identifier: MIT
 *
 * A read must set everything that a program may look at: also absent optionals, absent elements of sparse arrays, and
 * fields on sides of conditions that were not taken. What follows a count, a size or a terminator need not be set.
 */
#ifndef TESTS_DETERMINED_H
#define TESTS_DETERMINED_H

#include "pkt_inside.h"

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define PKT_WATCHED 1
#endif
#endif

#ifdef PKT_WATCHED
#include <sanitizer/msan_interface.h>
#include <string.h>

static inline void determined(const pkt_type *type, const uint8_t *at);

static inline uint64_t number_at(const uint8_t *at, size_t size)
{
    uint64_t number = 0;
    __msan_check_mem_is_initialized(at, size);
    memcpy(&number, at, size);
    return number;
}

/* Checks an element of a member; of bytes, also its size. */
static inline void determined_element(const pkt_member *m, const uint8_t *at, size_t size, const uint8_t *used,
                                      size_t width)
{
    switch (m->kind) {
    case PKT_KIND_STRUCT:
    case PKT_KIND_UNION: determined(m->type, at); break;
    case PKT_KIND_STRING: __msan_check_mem_is_initialized(at, strlen((const char *)at) + 1); break;
    case PKT_KIND_BYTES: __msan_check_mem_is_initialized(at, (size_t)number_at(used, width)); break;
    case PKT_KIND_BOOL:
    case PKT_KIND_UNSIGNED:
    case PKT_KIND_SIGNED:
    case PKT_KIND_FIXED:
    case PKT_KIND_FLOAT:
    case PKT_KIND_QUAT:
    case PKT_KIND_UNIT:
    case PKT_KIND_REF:
    case PKT_KIND_ENUM:
    case PKT_KIND_FLAGS: __msan_check_mem_is_initialized(at, size); break;
    }
}

static inline void determined_member(const pkt_type *type, const pkt_member *m, const uint8_t *base)
{
    size_t total = 1, count;
    for (size_t d = 0; d < sizeof m->dims / sizeof m->dims[0] && m->dims[d] != 0; d++)
        total *= m->dims[d];
    __msan_check_mem_is_initialized(base + m->has.offset, m->has.size);
    __msan_check_mem_is_initialized(base + m->count.offset, m->count.size);
    count = m->shape == PKT_COUNTED    ? (size_t)number_at(base + m->count.offset, m->count.size)
            : m->shape == PKT_COMPUTED ? type->side(base, m->computed)
                                       : total;
    for (size_t i = 0; i < count; i++) {
        const size_t size = m->value.size / total, width = m->sizes.size / total;
        determined_element(m, base + m->value.offset + i * size, size, base + m->sizes.offset + i * width, width);
    }
}

static inline void determined(const pkt_type *type, const uint8_t *at)
{
    pkt_member m;
    memset(&m, 0, sizeof m);
    if (type->kind == PKT_KIND_UNION) {
        number_at(at + type->entries->offset, type->entries->size);
        if (pkt_chosen_member(type, at, &m))
            determined_member(type, &m, at);
        return;
    }
    while (pkt_next_member(type, &m))
        determined_member(type, &m, at);
}

static inline void count_bytes(void *user, const char *text, size_t size)
{
    size_t *sum = (size_t *)user;
    for (size_t i = 0; i < size; i++)
        *sum += text[i] == '\n';
}

/* Checks a value by its reflection, and by printing it. */
static inline void demand_determined(const pkt_type *type, const void *v)
{
    size_t lines = 0;
    determined(type, (const uint8_t *)v);
    pkt_print_to(count_bytes, &lines, type, v);
}
#else
#define demand_determined(type, v) ((void)0)
#endif

#endif
