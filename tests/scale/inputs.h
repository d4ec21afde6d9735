/* inputs.h - what the commands read, from a family at one size: its schema, the release before it, a value, recordings, and
 * the messages of an editor.
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SCALE_INPUTS_H
#define TESTS_SCALE_INPUTS_H

#include "families.h"

/* Each of these writes into a directory that exists. */

/* p.pkt, its imports and the value p.json. Returns the bytes of the schema. before: as the release before has it, where each
 * u8 was a u16. */
double write_schema(const char *directory, const family *f, int n, bool before);

/* The recording `name`, with the bytes of the file `from` in `count` datagrams. many: each is of another sender. */
void write_recording(const char *directory, const char *name, const char *from, int count, bool many);

/* The file `name`: the bytes of `from` several times, each with their number, as `pktc train` reads the values of a type. */
void write_values(const char *directory, const char *name, const char *from);

/* editor.in: the messages of an editor that opens p.pkt in n folders of the family, and asks for everything. */
void write_messages(const char *directory, const family *f, int n);

#endif
