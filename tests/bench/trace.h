/* trace.h - a recorded simulation of 901 cubes: tests/data/cubes-901.trace.xz and cubes-901-2.trace.xz, unpacked.
 * SPDX-License-Identifier: MIT
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUBES = 901, FRAMES = 600, RAW_FLOATS = 13 };

typedef struct traced {
    uint8_t flags;       /* bit 0: at rest; bit 1: touched */
    float v[RAW_FLOATS]; /* position, orientation, linear and angular velocity */
} traced;

static traced trace[FRAMES][CUBES];

static void fail(const char *what)
{
    fprintf(stderr, "cubes: %s\n", what);
    exit(1);
}

static uint32_t number(const uint8_t *from, unsigned bytes)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint32_t)from[i] << 8 * i;
    return v;
}

static void load_trace(const char *path)
{
    static const char magic[] = "PKTCUBES";
    uint8_t head[16], bytes[1 + 4 * RAW_FLOATS];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail("the trace cannot be opened");
    if (fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, magic, 8) != 0)
        fail("that is no trace");
    if (number(head + 8, 2) != CUBES || number(head + 10, 2) != FRAMES)
        fail("the trace has other cubes or frames");
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < CUBES; i++) {
            if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes)
                fail("the trace ends early");
            trace[f][i].flags = bytes[0];
            for (int k = 0; k < RAW_FLOATS; k++) {
                uint32_t bits = number(bytes + 1 + 4 * k, 4);
                memcpy(&trace[f][i].v[k], &bits, 4);
            }
        }
    }
    fclose(file);
}

/* Sets the members of a Cube, of schemas/cubes.pkt or of trained.pkt. */
#define TRACE_CUBE(c, traced)          \
    do {                               \
        const float *v_ = (traced)->v; \
        (c)->x = v_[0];                \
        (c)->y = v_[1];                \
        (c)->z = v_[2];                \
        (c)->turn.x = v_[3];           \
        (c)->turn.y = v_[4];           \
        (c)->turn.z = v_[5];           \
        (c)->turn.w = v_[6];           \
    } while (0)

#endif
