/* train_model.h - makes the codes of a model from the counts of their symbols.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TRAIN_MODEL_H
#define PKTC_TRAIN_MODEL_H

#include "base/out.h"
#include "model/coding.h"
#include "recordings/histogram.h"

/* What is counted of a number that a model may code by its values, whichever way it was coded. */
typedef struct number_counts {
    uint64_t differences[33]; /* by the bit length of the difference */
    histogram pairs;          /* the old code, 32 bits, and above it the new one */
} number_counts;

/* The same of a change mask. */
typedef struct mask_counts {
    uint64_t groups[CODE_MASK_GROUPS][1 << CODE_MASK_FIELDS];
    histogram masks;
} mask_counts;

typedef struct train_counts {
    arena *arena;
    schema *schema;
    uint64_t **of;          /* by index of the table, then by symbol; of the tables of other items, else NULL */
    number_counts *numbers; /* by field.coded_number */
    mask_counts *masks;     /* by block.mask_number */
} train_counts;

/* All counts are 0. */
train_counts train_counts_new(arena *a, schema *s);

/* Sets all counts to 0. */
void train_counts_clear(const train_counts *k);

/* Counts a symbol: a code_counter (codec.h). */
void train_count(void *counts, const code_table *t, unsigned symbol, uint64_t old, uint64_t now);

/* Codes each number by its values or by differences, and each mask by its values or in groups, whichever takes fewer bits, and gives the tables of the schema the best codes
 * for the counts. Afterwards nothing more can be counted. */
void train_lengths(const train_counts *k);

/* The model of a schema as text. */
const char *train_model_text(arena *a, const schema *s, size_t *size);

#endif
