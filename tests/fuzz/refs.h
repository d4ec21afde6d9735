/* refs.h - refs whose pointers are their ids, so that any id that is read can be written again.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_REFS_H
#define TESTS_REFS_H

#include "pkt.h"

static inline uint32_t id_of_pointer(void *user, uint32_t about, const void *target)
{
    (void)user;
    (void)about;
    return (uint32_t)(uintptr_t)target;
}

static inline void *pointer_of_id(void *user, uint32_t about, uint32_t id)
{
    (void)user;
    (void)about;
    return (void *)(uintptr_t)id;
}

static inline pkt_refs refs_of_ids(void)
{
    pkt_refs refs = {0};
    refs.id_of = id_of_pointer;
    refs.target_of = pointer_of_id;
    return refs;
}

#endif
