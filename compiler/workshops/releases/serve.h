/* serve.h - --serve: the releases that generated code also writes packets for.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_SERVE_H
#define PKTC_SERVE_H

#include "driver/run.h"
#include "releases/conversion.h"

/* Gives each served version its way back, and reports what cannot be served. */
void prepare_serving(run *r, upgrade *u);

#endif
