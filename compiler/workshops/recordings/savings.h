/* savings.h - proposed changes of a schema, and the bits that each would have saved on a recording.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SAVINGS_H
#define PKTC_SAVINGS_H

#include "recordings/tally.h"

typedef enum advice_kind {
    ADVICE_CONSTANT, /* the field never changed */
    ADVICE_RANGE,    /* a narrower range */
    ADVICE_UNLESS,   /* one value is the usual one */
    ADVICE_COMPACT,
    ADVICE_SUBSET, /* another mode of a sparse array */
    ADVICE_STEPS,  /* delta<s, l> */
    ADVICE_CODED,  /* coded, or another model */
    ADVICE_OR_RAW, /* few bits for the multiples of a step */
    ADVICE_COARSER /* twice the resolution */
} advice_kind;

/* Its name in JSON: "range". */
const char *advice_name(advice_kind kind);

typedef struct advice {
    struct advice *next;
    advice_kind kind;
    const field_tally *of;
    const char *change; /* "delta<5, 9> instead of delta<4, 6>" */
    uint64_t bits;      /* that the change would have saved, if nothing else changed */
} advice;

/* The advice that saves most comes first. Each is one change: the savings of two in one field do not add up. */
const advice *advise(arena *a, const tally *t);

/* A code of a field as the value that people know: "12.5", "red", "-3". */
const char *code_text(arena *a, const type *t, uint64_t code);

#endif
