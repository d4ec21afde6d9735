/* pkt_ref.h - refs: pointers that are sent as ids, through callbacks of the program.
 * SPDX-License-Identifier: MIT
 *
 * For generated code, which includes it through pkt_codec.h. Programs do not use this header.
 */
#ifndef PKT_REF_H
#define PKT_REF_H

#include "pkt_leaf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PKT_FAILED, which is greater than every MAX, if the pointer is not NULL and there is no callback that knows its id. */
PKT_INLINE uint64_t pkt_ref_id(const pkt_cursor *c, const uint32_t type, const void *target)
{
    if (!target)
        return 0;
    if (!c->refs || !c->refs->id_of)
        return PKT_FAILED;
    return c->refs->id_of(c->refs->user, type, target);
}

PKT_INLINE void *pkt_ref_target(const pkt_cursor *c, const uint32_t type, const uint32_t id)
{
    void *target = NULL;
    if (id == 0 || !c->refs)
        return NULL;
    if (c->refs->target_of)
        target = c->refs->target_of(c->refs->user, type, id);
    if (!target)
        c->refs->unknown++;
    return target;
}

/* A pointer to T, sent as an id from 0 to max. `type` is passed to the callbacks. Explaining a failed read does not
 * call them: refs are then NULL. */
#define PKT_REF(T, m, type, max, bits, at)                            \
    do {                                                              \
        if (mode_ == PKT_WRITE) {                                     \
            const uint64_t id_ = pkt_ref_id(c_, (type), in_->m);      \
            if (pkt_over(id_, (max)))                                 \
                return false;                                         \
            pkt_put(c_, id_, (bits), (at));                           \
        }                                                             \
        if (mode_ == PKT_READ) {                                      \
            const uint32_t id_ = (uint32_t)pkt_get(c_, (bits), (at)); \
            if (pkt_over32(id_, (max)))                               \
                return false;                                         \
            c_->ref = id_;                                            \
            out_->m = (T *)pkt_ref_target(c_, (type), id_);           \
        }                                                             \
    } while (0)

/* Whether a ref differs from the baseline's. After a read the ids are compared, because an unknown id has no
 * pointer. */

#ifdef __cplusplus
}
#endif

#endif
