/* reflected.h - values in the structs of generated C, by their reflection: set from JSON, compared, checked.
 * SPDX-License-Identifier: MIT
 *
 * JSON is text without spaces between its parts, as jansson dumps it with JSON_COMPACT: it is read here without a
 * library, because this runs on all targets of tests/cross.
 */
#ifndef PKTC_REFLECTED_H
#define PKTC_REFLECTED_H

#include "entry.h"

/* The value of a member of an object; NULL if it has none. */
const char *json_at(const char *object, const char *name);
/* An integer, which may be in quotes; 0 for NULL. */
uint64_t json_count(const char *json);

/* Puts a value into a struct that has base values; fields that JSON leaves out keep them. Returns NULL, or why C cannot
 * express the value. */
const char *put_json(const pkt_type *type, void *at, const char *json);

/* Fails unless every field is the same; floats bit by bit. */
void same_values(const pkt_type *type, const void *got, const void *want);

/* Fails if a count, length, tag, enum, ref or text is invalid. */
void check_sane(const pkt_type *type, const void *v);

/* In replay.c: the functions of a type; and prints what is wrong with the current record, and leaves it. */
const fuzz_type *functions_of(const char *type);
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2), noreturn))
#endif
void fail(const char *format, ...);

#endif
