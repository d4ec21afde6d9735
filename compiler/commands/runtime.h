/* runtime.h - pkt.h and pkt.c in the directory of generated files, with the parts that these need.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_RUNTIME_H
#define PKTC_RUNTIME_H

#include "commands/run.h"

/* Adds the runtime to the outputs: with all parts under --runtime, else with those that the generated files in the
 * directory need, which this run or others made. */
void runtime_add(run *r);

/* Another run may write into the directory at the same time. So that its files have their parts too, the runtime is
 * written until it has those of all files that are there: the last run to write it has then seen the files of both.
 * False with *failed, as from outputs_write. */
bool runtime_settle(run *r, const char **failed);

#endif
