/* pkt_inside.h - what generated code is made of: macros, one line for each field, and inline functions, in four modes.
 * SPDX-License-Identifier: MIT
 *
 * For each type pktc writes one function, T_serialize, with a line for each field. It is inlined into callers where the
 * mode is a constant, so each line keeps only the code for that mode. The macros use these variables of the function
 * around them: mode_; c_, the cursor; in_, the value to write; and out_, the value to read into. When reading, in_ and
 * out_ are the same value; otherwise out_ is NULL. Their names, and those of variables in macros, end in an underscore,
 * because a schema has no type with such a name. A macro that fails makes the function return false. Programs do not
 * use this header.
 *
 * Read the headers in this order. Each includes the headers that it needs, and none includes this one or pkt.h.
 */
#include "pkt.h"

#ifndef PKT_INSIDE_H
#define PKT_INSIDE_H

PKT_C_CASTS

/* Words in memory, the position in a stream, fields packed into words, and the fields themselves. */
#include "pkt_type.h"
#include "pkt_exact.h"
#include "pkt_memory.h"
#include "pkt_cursor.h"
#include "pkt_run.h"
#include "pkt_lanes.h"
#include "pkt_number.h"
#include "pkt_rotation.h"
#include "pkt_leaf.h"
#include "pkt_varying.h"
#include "pkt_scan.h"
#include "pkt_bound.h"

/* Types as tables, by which errors are explained; and whole values: streams, packets, structs in structs. */
#include "pkt_value.h"
#include "pkt_explain.h"
#include "pkt_frame.h"
#include "pkt_parts.h"
#include "pkt_nest.h"
#include "pkt_subset.h"

/* Deltas: what has changed since a baseline, in plain form and in codes of a model, and what fits into a budget. Then
 * the functions that every type has. */
#include "pkt_change.h"
#include "pkt_list.h"
#ifndef PKT_WITHOUT_DELTA
#include "pkt_delta.h"
#endif
#ifndef PKT_WITHOUT_PREDICT
#include "pkt_predict.h"
#endif
#include "pkt_coder.h"
#include "pkt_fit.h"
#include "pkt_instance.h"

PKT_C_CASTS_END

#endif

#ifndef PKT_WITHOUT_UPGRADE
/* NAME_upgrade.c defines PKT_WITH_UPGRADE. */
#if defined(PKT_WITH_UPGRADE) || defined(PKT_IMPLEMENTATION)
PKT_C_CASTS
#include "pkt_upgrade.h"
PKT_C_CASTS_END
#endif
#endif
