/* pkt_rotation.c - the functions for rotations that are not inlined.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_rotation.h"

#include <string.h>

bool pkt_quat_readable(uint64_t code, unsigned bits)
{
    pkt_quat unused;
    return pkt_quat_value(code, bits, &unused);
}

uint64_t pkt_code_of_quat(pkt_quat q, unsigned bits)
{
    return pkt_quat_code(q, bits);
}

pkt_quat pkt_quat_of_code(uint64_t code, unsigned bits, bool *good)
{
    pkt_quat q = pkt_quat_identity();
    if (!pkt_quat_value(code, bits, &q))
        *good = false;
    return q;
}

/* Most rotations compared are identical, and this comparison is faster than that of their codes. */
bool pkt_quat_step_differs(pkt_quat now, pkt_quat old, unsigned bits, pkt_step_codes *codes)
{
    if (memcmp(&now, &old, sizeof now) == 0)
        return false;
    codes->now = pkt_quat_code(now, bits);
    codes->old = pkt_quat_code(old, bits);
    return codes->now == PKT_FAILED || codes->now != codes->old;
}

bool pkt_quats_differ(pkt_quat a, pkt_quat b, unsigned bits)
{
    pkt_step_codes unused;
    return pkt_quat_step_differs(a, b, bits, &unused);
}

pkt_quat pkt_settle_quat(pkt_quat q, unsigned bits)
{
    const uint64_t code = pkt_code_of_quat(q, bits);
    bool good = true;
    return code == PKT_FAILED ? q : pkt_quat_of_code(code, bits, &good);
}

uint64_t pkt_code_of_unit(pkt_vec3 v, unsigned bits)
{
    return pkt_unit_code(v, bits);
}

pkt_vec3 pkt_unit_of_code(uint64_t code, unsigned bits, bool *good)
{
    pkt_vec3 v = pkt_vec3_z();
    if (!pkt_unit_value(code, bits, &v))
        *good = false;
    return v;
}

bool pkt_units_differ(pkt_vec3 a, pkt_vec3 b, unsigned bits)
{
    if (memcmp(&a, &b, sizeof a) == 0)
        return false;
    const uint64_t code = pkt_code_of_unit(a, bits);
    return code == PKT_FAILED || code != pkt_code_of_unit(b, bits);
}

pkt_vec3 pkt_settle_unit(pkt_vec3 v, unsigned bits)
{
    const uint64_t code = pkt_code_of_unit(v, bits);
    bool good = true;
    return code == PKT_FAILED ? v : pkt_unit_of_code(code, bits, &good);
}
