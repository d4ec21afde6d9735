/* train_model.h - makes the codes of a model from the counts of their symbols.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TRAIN_MODEL_H
#define PKTC_TRAIN_MODEL_H

#include "base/out.h"
#include "model/schema.h"

typedef struct train_counts {
    arena *arena;
    const schema *schema;
    uint64_t **of; /* by index of the table, then by symbol */
} train_counts;

/* All counts are 0. */
train_counts train_counts_new(arena *a, const schema *s);

/* Counts a symbol: a code_counter (codec.h). */
void train_count(void *counts, const code_table *t, unsigned symbol);

/* Gives the tables of the schema the best codes for the counts. Afterwards nothing more can be counted. */
void train_lengths(const train_counts *k);

/* The model of a schema as text. */
const char *train_model_text(arena *a, const schema *s, size_t *size);

#endif
