/* coded_step.c - tries all coded numbers of coded_step.pkt: against each baseline, each value and each body of a delta.
 * SPDX-License-Identifier: MIT
 *
 * usage: coded_step
 *
 * A value arrives. A body that is accepted, of up to 2 bytes, which is the greatest size, holds a value in range, and is packed into
 * the same bytes; against one baseline, no body of 3 bytes is accepted.
 */
#include "coded_step.h"

#include <stdio.h>
#include <string.h>

static int fail(const char *what, const char *name, int base, long n)
{
    printf("%s: %s, baseline %d, %ld\n", what, name, base, n);
    return 1;
}

#define TRY(T, FIRST, LAST)                                                                                           \
    static int try_body_##T(const T *base, long bytes, size_t size)                                                   \
    {                                                                                                                 \
        const uint8_t data[3] = {(uint8_t)bytes, (uint8_t)(bytes >> 8), (uint8_t)(bytes >> 16)};                      \
        uint8_t again[T##_DELTA_MAX_BYTES];                                                                           \
        T v;                                                                                                          \
        memset(&v, 0xAA, sizeof v);                                                                                   \
        if (!T##_unpack_delta_body(base, &v, data, size))                                                             \
            return 0;                                                                                                 \
        if (v.value < (FIRST) || v.value > (LAST))                                                                    \
            return fail("out of range", #T, base->value, bytes);                                                      \
        if (size > 2 || T##_pack_delta_body(base, &v, again, sizeof again) != size || memcmp(data, again, size) != 0) \
            return fail("other bytes", #T, base->value, bytes);                                                       \
        return 0;                                                                                                     \
    }                                                                                                                 \
    static int try_##T(void)                                                                                          \
    {                                                                                                                 \
        for (int old = (FIRST); old <= (LAST); old++) {                                                               \
            T base;                                                                                                   \
            T##_init(&base);                                                                                          \
            for (int now = (FIRST); now <= (LAST); now++) {                                                           \
                T sent, got;                                                                                          \
                uint8_t data[T##_DELTA_MAX_BYTES];                                                                    \
                size_t size;                                                                                          \
                T##_init(&sent);                                                                                      \
                memset(&got, 0xAA, sizeof got);                                                                       \
                base.value = old;                                                                                     \
                sent.value = now;                                                                                     \
                size = T##_pack_delta_body(&base, &sent, data, sizeof data);                                          \
                if (size == 0 || size > 2)                                                                            \
                    return fail("not packed", #T, old, now);                                                          \
                if (!T##_unpack_delta_body(&base, &got, data, size) || got.value != now)                              \
                    return fail("does not arrive", #T, old, now);                                                     \
            }                                                                                                         \
            for (long bytes = 0; bytes < 1 << 16; bytes++)                                                            \
                if (try_body_##T(&base, bytes, 2) || (bytes < 1 << 8 && try_body_##T(&base, bytes, 1)))               \
                    return 1;                                                                                         \
            for (long bytes = 0; old == (FIRST) && bytes < 1 << 24; bytes++)                                          \
                if (try_body_##T(&base, bytes, 3))                                                                    \
                    return 1;                                                                                         \
        }                                                                                                             \
        return 0;                                                                                                     \
    }

TRY(Flags, 0, 127)
TRY(Angle, -5, 300)

int main(void)
{
    return try_Flags() || try_Angle();
}
