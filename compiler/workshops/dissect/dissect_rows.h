/* dissect_rows.h - `pktc wireshark` as a workshop.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DISSECT_ROWS_H
#define PKTC_DISSECT_ROWS_H

#include "driver/usages.h"

extern const workshop dissect_workshop;

command_function command_wireshark;

#endif
