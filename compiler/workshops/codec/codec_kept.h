/* codec_kept.h - values that outlive the memory that they were read into, and share what they have in common.
 * SPDX-License-Identifier: MIT
 *
 * Of equal records and equal blocks of elements, only one is kept. They count the values and the other records that have
 * them. A value that was read as a delta has the records and blocks of its baseline wherever nothing has changed; if the
 * baseline is kept, keeping the value looks only at what is new.
 */
#ifndef PKTC_CODEC_KEPT_H
#define PKTC_CODEC_KEPT_H

#include "codec/codec_value.h"

#define KEPT_ALWAYS UINT32_MAX /* refs of a lasting base value, which belongs to its arena */

typedef struct kept_values kept_values;

kept_values *kept_values_new(void);
void kept_values_free(kept_values *k); /* all values have been released */

/* The bytes of all values, and those of their texts, which are KEPT_TEXTS at most. */
enum { KEPT_TEXTS = 4 << 20 };
size_t kept_values_size(const kept_values *k);
size_t kept_texts_size(const kept_values *k);

/* Keeps a value that was read. */
datum kept_value(kept_values *k, const datum *v);

/* Remembers what a kept record or block has become in another schema: a record that has the shape of a baseline and is
 * settled, or elements of a field. */
void keep_twin_of_record(kept_values *k, const record *r, const record *twin);
void keep_twin_of_block(kept_values *k, const element_block *b, const field *f, const datum *twin);

/* Remembers the elements of a kept block as JSON in one line, unless many texts are remembered already. */
void keep_text_of_block(const element_block *b, const char *text, size_t size);

/* Ends that, once for each call of kept_value. */
void release_value(kept_values *k, const datum *v);

#endif
