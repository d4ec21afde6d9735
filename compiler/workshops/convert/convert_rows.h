/* convert_rows.h - `pktc convert` as a workshop.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONVERT_ROWS_H
#define PKTC_CONVERT_ROWS_H

#include "driver/usages.h"

extern const workshop convert_workshop;

command_function command_convert;

#endif
