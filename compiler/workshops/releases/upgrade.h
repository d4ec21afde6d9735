/* upgrade.h - --upgrade: the releases whose packets generated code also reads.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_UPGRADE_H
#define PKTC_UPGRADE_H

#include "driver/run.h"
#include "releases/conversion.h"

/* The releases in the folder of --upgrade that differ from a schema, which has a protocol. NULL after an error. */
const upgrade *load_upgrade(run *r, const wire *now);

#endif
