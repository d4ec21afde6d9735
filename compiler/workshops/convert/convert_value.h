/* convert_value.h - converts values from one version of a schema to another, by the rules of docs/versions.md.
 * SPDX-License-Identifier: MIT
 *
 * Generated code does the same (releases/emit_convert.c). The two share only the rules of releases/conversion.h, so that tests
 * can compare them.
 */
#ifndef PKTC_CONVERT_VALUE_H
#define PKTC_CONVERT_VALUE_H

#include "base/diag.h"
#include "base/hash_table.h"
#include "codec/codec_kept.h"
#include "codec/codec.h"
#include "releases/conversion.h"

/* What is remembered from one conversion to the next, all to the same schema: what kept records have become, base values,
 * initial values, and what becomes of each field. */
typedef struct convert_memory {
    arena *arena;
    const schema *schema;
    kept_values *kept;
    bases *bases;
    map *initials, *plans;
} convert_memory;

convert_memory *convert_memory_new(arena *a, const schema *s, kept_values *kept);

/* Called for each loss: "Snapshot.players[3].health", "150 became 100". rounded: it is less than a step of the new type. */
typedef void loss_report(void *user, const char *place, const char *what, bool rounded);

/* Converts a value of a struct or union of the older schema. memory: or NULL. False if there is no new value; then `report` was called,
 * unless it is NULL. Parts with @convert are converted by name if there is a rule, and reported. */
bool convert_value(arena *a, const convert_memory *memory, const old_version *version, const decl *before,
                   const decl *after, const datum *from, datum *to, loss_report *report, void *user);

/* Converts the baseline of a delta of the older schema, for *base and *was of codec_options. It moves as `after` does,
 * even if it did not move before. NULL stays NULL. False if there is no new value. */
bool convert_base(arena *a, const convert_memory *memory, const old_version *version, const codec_part *from,
                  const decl *after, const datum **base, const datum **was);

/* Warns of so many values that rounding has moved by less than a step. first: the text about one of them. */
void convert_warn_rounded(diag *d, const char *first, uint64_t count);

#endif
