/* sequence.h - numbers of 16 bits that count up and start again at 0, and which of them have arrived.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

/* They begin shortly before they start again, so that a mistake with that shows in the first second. */
enum { SEQUENCE_START = 0xffc0 };

/* Whether a was counted after b. Right as long as they are less than 32768 apart. */
static inline bool sequence_newer(uint16_t a, uint16_t b)
{
    return a != b && (uint16_t)(a - b) < 0x8000;
}

/* What has arrived: the newest number, and a bit for each of the 16 before it. This is what an acknowledgement says. */
typedef struct arrivals {
    uint16_t newest;
    uint16_t before; /* bit i: newest - 1 - i */
} arrivals;

enum { ARRIVALS_BEFORE = 16 };

/* As if all numbers up to SEQUENCE_START had arrived: nobody waits for them. */
static inline arrivals arrivals_none(void)
{
    arrivals none = {SEQUENCE_START, 0xffff};
    return none;
}

static inline bool arrivals_has(const arrivals *a, uint16_t number)
{
    uint16_t age = (uint16_t)(a->newest - number);
    return age == 0 || (age <= ARRIVALS_BEFORE && (a->before >> (age - 1) & 1) != 0);
}

/* Returns false if the number had arrived already, or is so old that nobody knows any more. */
static inline bool arrivals_add(arrivals *a, uint16_t number)
{
    if (!sequence_newer(number, a->newest)) {
        uint16_t age = (uint16_t)(a->newest - number);
        if (age > ARRIVALS_BEFORE || arrivals_has(a, number))
            return false;
        a->before = (uint16_t)(a->before | 1u << (age - 1));
        return true;
    }
    uint32_t step = (uint16_t)(number - a->newest);
    uint32_t bits = step > ARRIVALS_BEFORE ? 0 : (uint32_t)a->before << step | 1u << (step - 1);
    a->before = (uint16_t)bits;
    a->newest = number;
    return true;
}

#endif
