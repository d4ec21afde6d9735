/* costs_rows.h - the options of `pktc layout`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COSTS_ROWS_H
#define PKTC_COSTS_ROWS_H

#include "driver/usages.h"

typedef struct costs_choices {
    uint32_t hz; /* packets per second; 0: not given */
} costs_choices;

/* What the command line says. */
static inline const costs_choices *costs_chosen(const options *o)
{
    return chosen(o, "costs");
}

extern const workshop costs_workshop;

command_function command_layout, command_describe;

#endif
