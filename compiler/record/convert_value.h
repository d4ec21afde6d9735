/* convert_value.h - values of one version of a schema as those of another, as docs/versions.md says.
 * SPDX-License-Identifier: MIT
 *
 * Generated code does the same (emit/emit_convert.c). It shares nothing with this but the rules of diff/conversion.h,
 * so that tests can compare the two.
 */
#ifndef PKTC_CONVERT_VALUE_H
#define PKTC_CONVERT_VALUE_H

#include "codec/codec.h"
#include "diff/conversion.h"

/* Called for what a value loses: "Snapshot.players[3].health", "150 became 100". */
typedef void loss_report(void *user, const char *place, const char *what);

/* The value now of a value of a struct or union of the older schema. False if there is none; then `report` was called,
 * unless it is NULL. What the program converts (@convert) is converted by name if there is a rule, and reported. */
bool convert_value(arena *a, const old_version *version, const decl *before, const decl *after, const datum *from,
                   datum *to, loss_report *report, void *user);

/* The baseline now of a delta of the older schema, for *base and *was of codec_options. It moves as `after` does, even
 * if it did not move before. NULL stays NULL. False if there is none. */
bool convert_base(arena *a, const old_version *version, const codec_part *from, const decl *after, const datum **base,
                  const datum **was);

#endif
