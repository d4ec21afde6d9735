/* tally_file.h - the counts of a tally as bytes: a part of the file that `pktc tally` writes.
 * SPDX-License-Identifier: MIT
 *
 * tally.md has the format. What the same counts make is the same to the byte.
 */
#ifndef PKTC_TALLY_FILE_H
#define PKTC_TALLY_FILE_H

#include "recordings/packed.h"
#include "recordings/tally.h"

/* Writes a tally that is settled. */
void tally_put(packer *to, const tally *t);

/* Reads what tally_put wrote for the same schemas, and adds it. places: those of its schemas among those of t; NULL: they
 * are in the same order. False if the bytes are no such thing; then t is as before. */
bool tally_take(unpacker *from, const size_t *places, tally *t);

/* The same of what comes first: the numbers of recordings, and those that cannot be read. It needs no schema. */
bool tally_take_faults(unpacker *from, tally *t);

#endif
