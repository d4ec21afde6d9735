/* demo_code.h - the code of bytes in messages of demos: frequent bytes take few bits.
 * SPDX-License-Identifier: MIT
 */
#ifndef DEMO_CODE_H
#define DEMO_CODE_H

#include <stdint.h>

/* The bits of a byte, the first one lowest, and their number. */
typedef struct demo_code {
    uint32_t bits;
    int length;
} demo_code;

demo_code demo_code_of(uint8_t byte);

/* The tree: where a bit leads from a node, beginning with node DEMO_CODE_ROOT: to another node, or to a byte, as ~byte. A path of
 * no byte, which no writer takes, leads to DEMO_CODE_NONE. */
enum { DEMO_CODE_ROOT = 0, DEMO_CODE_NODES = 256, DEMO_CODE_NONE = -257 };

typedef int16_t demo_code_tree[DEMO_CODE_NODES][2];
const demo_code_tree *demo_code_of_bytes(void);

#endif
