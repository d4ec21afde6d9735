/* codec_json.h - converts values to and from JSON, as docs/tools.md describes it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CODEC_JSON_H
#define PKTC_CODEC_JSON_H

#include "base/json.h"
#include "codec/codec.h"

/* The value as a text that ends in a newline. */
const char *json_print(arena *a, const decl *d, const datum *v);

/* Reads a value; missing members get their base values. False with *problem, a message such as "Chat.from_slot: the
 * value must be from 0 to 63, not 64". */
bool json_read(arena *a, const decl *d, const char *text, size_t size, datum *v, const char **problem);

/* The same as a part of a larger text. */
void json_value(json_writer *j, const decl *d, const datum *v);

/* A packet with parts: of those that are deltas, whose members are called "x delta", only what has changed since the value
 * that the packet names. parts: as codec_read stores them. */
void json_packet(json_writer *j, const datum *v, const codec_part *parts);

/* The values of a stream: an array, in which each is an object with one member, named like its type. changes: of a
 * delta, whose member is called "State delta", only what has changed since the value that its list names. */
void json_parts(json_writer *j, const codec_part *parts, bool changes);

/* What differs from an earlier value: the members that have changed; of an array, the elements that have, each as
 * [subscript, element], after a member x_count if their number is another; of a struct in it, likewise. */
void json_changes(json_writer *j, const decl *d, const datum *v, const datum *base);

/* The value since which changes of a delta are printed; NULL: it is printed as a whole. */
const datum *json_changed_since(const codec_part *p);

/* Whether two values of a field, elements or structs are printed the same. */
bool json_same_slot(const field *f, const slot *x, const slot *y);
bool json_same_datum(const field *f, const datum *x, const datum *y);
bool json_same_record(const record *x, const record *y);

/* A single value of a scalar, on one line. */
const char *json_scalar(arena *a, const type *t, const datum *d);

/* Reads such an array. The values must be those expected, in that order. */
bool json_read_parts(arena *a, const codec_part *expected, const char *text, size_t size, codec_part **parts,
                     const char **problem);

/* Whether this pktc was built with jansson, without which json_read fails. */
bool json_can_read(void);

#endif
