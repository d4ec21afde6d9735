/* rotation.c - the steps and the errors of quat<B> and unit<B>.
 * SPDX-License-Identifier: MIT
 *
 * The errors were found by a search over many directions, and rounded up. tests/runtime/test_rotation.c measures them
 * again; docs/wire.md has the first ones.
 */
#include "model/rotation.h"

#include <assert.h>

enum { QUAT_FIRST = 3, UNIT_FIRST = 2, ROTATION_LAST = 20 };

uint32_t rotation_steps(unsigned bits)
{
    assert(bits >= UNIT_FIRST && bits <= ROTATION_LAST && "so many bits are refused");
    return ((uint32_t)1 << bits) - 2;
}

double quat_error(unsigned bits)
{
    static const double degrees[] = {34.0,  17.0,  8.6,   4.3,    2.2,    1.1,    0.55,   0.28,   0.14,
                                     0.069, 0.035, 0.018, 0.0086, 0.0043, 0.0022, 0.0012, 0.0006, 0.00031};
    assert(bits >= QUAT_FIRST && bits <= ROTATION_LAST && "so many bits are refused");
    return degrees[bits - QUAT_FIRST];
}

double unit_error(unsigned bits)
{
    static const double degrees[] = {90.0, 36.0, 18.0,  8.1,    4.0,    2.0,    0.96,    0.48,    0.24,   0.12,
                                     0.06, 0.03, 0.015, 0.0075, 0.0038, 0.0019, 0.00096, 0.00049, 0.00026};
    assert(bits >= UNIT_FIRST && bits <= ROTATION_LAST && "so many bits are refused");
    return degrees[bits - UNIT_FIRST];
}
