/* workshops.h - the workshops that pktc is built with.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_WORKSHOPS_H
#define PKTC_WORKSHOPS_H

#include "driver/command_table.h"

/* The driver, which reads the command line and compiles; the workshops; then NULL. */
extern const workshop *const workshops[];

#endif
