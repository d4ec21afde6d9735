/* pkt_codec.h - the macros that generated code consists of: one line for each field, in three modes.
 * SPDX-License-Identifier: MIT
 *
 * For each type pktc writes one function, T_serialize, with a line for each field. It is inlined into callers where the
 * mode is a constant, so that only the code for that mode remains of each line. The macros use these variables of the
 * function around them: mode_; c_, the cursor; in_, the value to write; and out_, the value to read into. When reading,
 * in_ and out_ are the same value; otherwise out_ is NULL. Their names, and those of variables in macros, end in an
 * underscore, because a schema has no type with such a name. A macro that fails makes the function return false.
 * Programs do not use these headers.
 */
#ifndef PKT_CODEC_H
#define PKT_CODEC_H

#include "pkt_bound.h"
#include "pkt_condition.h"
#include "pkt_equal.h"
#include "pkt_leaf.h"
#include "pkt_lines.h"
#include "pkt_nest.h"
#include "pkt_real.h"
#include "pkt_ref.h"
#include "pkt_varying.h"

#endif
