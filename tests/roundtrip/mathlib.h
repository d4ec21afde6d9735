/* mathlib.h - stands for a program's own header: a type that links.pkt binds to.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATHLIB_H
#define MATHLIB_H

typedef struct vec3f {
    float w; /* not in the schema */
    float x, y, z;
} vec3f;

#endif
