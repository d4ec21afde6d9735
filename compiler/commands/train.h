/* train.h - pktc train: makes a model of how often each symbol of a schema's code tables comes.
 * SPDX-License-Identifier: MIT
 *
 * A recording is a file of values of one type, in the order of their ticks, each without a frame: the number of its bytes,
 * 32 bits little-endian, and the bytes that T_pack_body writes. What is counted is the delta of each value against the one
 * `back` ticks before it, which has moved for `gap` ticks if the type is @delta(predict).
 */
#ifndef PKTC_TRAIN_H
#define PKTC_TRAIN_H

#include "base/diag.h"
#include "model/schema.h"

typedef struct train_request {
    const char *type;
    const char **recordings;
    size_t count;
    uint32_t back, gap; /* at least 1 */
} train_request;

/* Prints the model, or reports what is wrong with a recording. */
void train(arena *a, diag *d, const schema *s, const train_request *request);

#endif
