/* runtime.h - pkt.h, pkt_inside.h and pkt.c in the directory of generated files, with the parts that these need.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RUNTIME_H
#define PKTC_RUNTIME_H

#include "driver/run.h"

/* Adds the runtime to the outputs: with --runtime all parts; otherwise the parts that generated files in the directory
 * need, from this run or earlier ones. */
void runtime_add(run *r);

/* Another run may write into the directory at the same time. So the runtime is written again until it has the parts for
 * all files there: the last run to write it has then seen the files of both. False with *failed, as from
 * outputs_write. */
bool runtime_settle(run *r, const char **failed);

#endif
