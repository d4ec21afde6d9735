/* rotation.h - how many steps quat<B> and unit<B> have, and how exact they are.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ROTATION_H
#define PKTC_ROTATION_H

#include <stdint.h>

/* How many steps a component of B bits is quantized in: an even number, so that 0 is one of the steps. The code 2^B - 1 means
 * nothing. */
uint32_t rotation_steps(unsigned bits);

/* The greatest angle in degrees between a rotation of length 1 and what a reader makes of it, with so many bits a
 * component (3 to 20); the same for directions (2 to 20). */
double quat_error(unsigned bits);
double unit_error(unsigned bits);

#endif
