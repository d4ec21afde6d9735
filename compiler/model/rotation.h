/* rotation.h - how exact quat<B> and unit<B> are.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_ROTATION_H
#define PKTC_ROTATION_H

/* The greatest angle in degrees between a rotation of length 1 and what a reader makes of it, with so many bits a
 * component (3 to 20); the same for directions (2 to 20). */
double quat_error(unsigned bits);
double unit_error(unsigned bits);

#endif
