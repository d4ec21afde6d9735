/* pkt_codec.h - the macros that generated code consists of: one line for each field, in four modes.
 * SPDX-License-Identifier: MIT
 *
 * For each type pktc writes one function, T_serialize, with a line for each field. It is inlined into callers where the
 * mode is a constant, so that only the code for that mode remains of each line. The macros use these names of the
 * function around them: `mode`; `c`, the cursor; `in`, the value to write; and `out`, the value to read into. When
 * reading, `in` and `out` are the same value; otherwise `out` is NULL. A macro that fails makes the function return
 * false. Programs do not use these headers.
 */
#ifndef PKT_CODEC_H
#define PKT_CODEC_H

#include "pkt_condition.h"
#include "pkt_equal.h"
#include "pkt_leaf.h"
#include "pkt_nest.h"
#include "pkt_real.h"
#include "pkt_ref.h"
#include "pkt_varying.h"

#endif
