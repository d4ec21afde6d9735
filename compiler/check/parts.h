/* parts.h - checks the parts of datagrams: fields that are deltas to baselines which other fields name.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PARTS_H
#define PKTC_PARTS_H

#include "check/context.h"

/* Whether a packet has a field with `delta(number from base)`, as it was written. */
bool declares_parts(const ast_decl *d);

/* Checks `delta(number from base after before)` of a field, and puts it into the model. */
void check_part(checker *k, field_info *info);

/* Refuses types that contain a packet with such parts. */
void check_datagrams(checker *k);

#endif
