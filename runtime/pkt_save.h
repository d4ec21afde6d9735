/* pkt_save.h - values as bytes in memory, for rollback: T_save and T_restore of types with @save.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKT_SAVE_H
#define PKT_SAVE_H

#include "pkt_stream.h"

PKT_C_BEGIN

/* ---- Saved values ---------------------------------------------------------------------------------- */

/* T_save and T_restore of a type with counted arrays, by its table. */
PKT_API size_t pkt_save(const struct pkt_type *type, const void *v, void *data, size_t size);
PKT_API bool pkt_restore(const struct pkt_type *type, void *v, const void *data, size_t size);

/* In C++, a member may be a class whose bytes alone are no copy of it. */
#ifdef __cplusplus
#define PKT_DEMAND_SAVABLE(T) \
    PKT_DEMAND(T##_cannot_be_saved_, __is_trivially_copyable(T), #T " has @save, but is not trivially copyable");
#else
#define PKT_DEMAND_SAVABLE(T)
#endif

#define PKT_INLINE_SAVE(T)                                              \
    PKT_DEMAND_SAVABLE(T)                                               \
    PKT_INLINE size_t T##_save(const T *v_, void *data_, size_t size_)  \
    {                                                                   \
        return pkt_save(&T##_type_, v_, data_, size_);                  \
    }                                                                   \
    PKT_INLINE bool T##_restore(T *v_, const void *data_, size_t size_) \
    {                                                                   \
        return pkt_restore(&T##_type_, v_, data_, size_);               \
    }

/* The same of a type without counted arrays, of which all bytes are saved. */
#define PKT_INLINE_SAVE_ALL(T)                                          \
    PKT_DEMAND_SAVABLE(T)                                               \
    PKT_INLINE size_t T##_save(const T *v_, void *data_, size_t size_)  \
    {                                                                   \
        if (size_ < sizeof *v_)                                         \
            return 0;                                                   \
        memcpy(data_, v_, sizeof *v_);                                  \
        return sizeof *v_;                                              \
    }                                                                   \
    PKT_INLINE bool T##_restore(T *v_, const void *data_, size_t size_) \
    {                                                                   \
        if (size_ != sizeof *v_)                                        \
            return false;                                               \
        memcpy((void *)v_, data_, sizeof *v_);                          \
        return true;                                                    \
    }

PKT_C_END

#endif
