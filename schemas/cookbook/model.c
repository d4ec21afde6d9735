/* model.c - a file of values for `pktc train`.
 * SPDX-License-Identifier: MIT
 *
 * docs/cookbook.md, "A trained model", has the schema and explains it.
 */
#include "swarm.h"

#include <stdio.h>

/* Adds a value to a file for `pktc train`. */
static bool note(FILE *file, const World *w)
{
    static uint8_t data[World_MAX_BYTES];
    size_t size = World_pack_body(w, data, sizeof data);
    uint8_t head[4] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
    return size > 0 && fwrite(head, 1, sizeof head, file) == sizeof head && fwrite(data, 1, size, file) == size;
}
