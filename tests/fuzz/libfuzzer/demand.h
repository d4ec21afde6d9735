/* demand.h - what the fuzzers of generated code ask for: conditions that hold, and memory of exactly the right size.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_DEMAND_H
#define TESTS_DEMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define demand(condition) demanded(condition, __FILE__, __LINE__, #condition)

static inline void demanded(bool holds, const char *file, int line, const char *condition)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

static inline void *allocate(size_t size)
{
    void *memory = malloc(size);
    demand(memory != NULL);
    return memory;
}

static inline void *exactly(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size);
    if (size != 0)
        memcpy(copy, data, size);
    return copy;
}

#endif
