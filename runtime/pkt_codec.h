/* pkt_codec.h - what generated code is written in: runs of fields, packed into words, in four modes.
 * SPDX-License-Identifier: MIT
 *
 * pktc emits one function a type, T_serialize, in which a line is a field. The mode is a constant wherever the
 * function is inlined, so that of each line only what that mode needs is left. The macros of these headers expect the
 * names `mode`, `c` (the cursor), `in` and `out` (the same value when reading, else NULL) in scope, and return false from
 * the function that they are in at the first thing wrong. Programs do not use these headers.
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
