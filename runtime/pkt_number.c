/* pkt_number.c - the functions for numbers that are not inlined.
 * SPDX-License-Identifier: MIT
 */
#include "pkt_number.h"

bool pkt_are_coded_apart(float a, float b, float lo, float hi, uint32_t steps)
{
    const uint32_t code = pkt_quantize(a, lo, hi, steps);
    return code == UINT32_MAX || code != pkt_quantize(b, lo, hi, steps);
}

bool pkt_are_coded_apart64(double a, double b, double lo, double hi, uint64_t steps)
{
    const uint64_t code = pkt_quantize64(a, lo, hi, steps);
    return code == UINT64_MAX || code != pkt_quantize64(b, lo, hi, steps);
}

float pkt_settle(float v, float lo, float hi, uint32_t steps)
{
    const uint32_t code = pkt_quantize(v, lo, hi, steps);
    return code == UINT32_MAX ? v : pkt_dequantize(code, lo, hi, steps);
}

double pkt_settle64(double v, double lo, double hi, uint64_t steps)
{
    const uint64_t code = pkt_quantize64(v, lo, hi, steps);
    return code == UINT64_MAX ? v : pkt_dequantize64(code, lo, hi, steps);
}
