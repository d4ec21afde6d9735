/* training.h - `pktc train`: makes a model from the frequencies of symbols in recordings, or prints what a fresh one
 * would save.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TRAINING_H
#define PKTC_TRAINING_H

#include "record/train_deltas.h"

/* The text of a model; NULL after an error. Both functions change the codes of the schema that is trained. */
const char *train(arena *a, diag *d, const train_request *request, size_t *size);

/* `pktc train --check`: compares the model of `current`, the same schema, with a fresh one. Returns the text to print;
 * NULL after an error. *stale: the fresh one would save more than `tolerance` per cent. */
const char *train_check(arena *a, diag *d, const train_request *request, const schema *current, uint32_t tolerance,
                        bool *stale);

#endif
