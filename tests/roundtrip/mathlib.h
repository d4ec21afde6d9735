/* mathlib.h - stands for a header of the program, with types to which links.pkt and save.pkt bind structs.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATHLIB_H
#define MATHLIB_H

#include <stdint.h>

typedef struct vec3f {
    float w; /* not in the schema */
    float x, y, z;
} vec3f;

/* Its members are in another order than in save.pkt. */
typedef struct turned {
    uint16_t back[9];
    uint8_t back_count;
    uint16_t there[9];
    uint8_t there_count;
    uint32_t mine;
} turned;

#endif
