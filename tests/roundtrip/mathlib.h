/* mathlib.h - stands for a header of the program, with a type to which links.pkt binds a struct.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATHLIB_H
#define MATHLIB_H

typedef struct vec3f {
    float w; /* not in the schema */
    float x, y, z;
} vec3f;

#endif
