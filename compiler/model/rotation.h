/* rotation.h - how many steps quat<B> and unit<B> have, and how exact they are.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ROTATION_H
#define PKTC_ROTATION_H

#include <stdint.h>

/* The number of steps into which a component of B bits is quantized: 2^B - 2, an even number, so that 0 is one of the
 * values. The code 2^B - 1 is not used. */
uint32_t rotation_steps(unsigned bits);

/* The greatest angle in degrees between the value written and the value read: of a unit quaternion with 3 to 20 bits
 * per component, and of a unit vector with 2 to 20. */
double quat_error(unsigned bits);
double unit_error(unsigned bits);

#endif
