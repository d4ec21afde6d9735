/* training.h - `pktc train`: makes a model from the frequencies of symbols in recordings, or prints what a fresh one
 * would save.
 * SPDX-License-Identifier: MIT
 *
 * All that is counted are sums: symbols for each code table, and deltas, bits, values and datagrams. So counts of parts
 * add up in any order, and their size depends on the schema alone.
 */
#ifndef PKTC_TRAINING_H
#define PKTC_TRAINING_H

#include "recordings/packed.h"
#include "recordings/train_deltas.h"

typedef struct training training;

/* current: the same schema, for --check, whose model is compared with a fresh one; or NULL. NULL after an error. The
 * codes of request->schema change. */
training *training_new(arena *a, diag *d, const train_request *request, const schema *current);

/* Counts a recording, by its number among the sources. False after an error, which is in d. */
bool training_count(training *k, diag *d, size_t number);

/* Writes what was counted, and adds what was written; of the same schema. False if the bytes are no such thing. *wrong: then what has a
 * value that its type lacks, such as "values of 'S.x'", in the arena of k; or NULL. */
void training_put(packer *to, const training *k);
bool training_take(unpacker *from, training *k, const char **wrong);

/* Begins to count again, with the same codes. */
void training_forget(training *k);

/* Whether enough was counted to make a model, or else an error. Reports what was left out, too. */
bool training_suffices(const training *k, diag *d);

/* Makes the fresh model. For --check, the recordings are counted a second time after it, with this model. */
void training_finish(training *k);

/* The text of the model. */
const char *training_model(const training *k);

/* The text that --check prints. *stale: the fresh model would save more than `tolerance` per cent. */
const char *training_verdict(const training *k, uint32_t tolerance, bool *stale);

#endif
