/* format_rows.h - the options of `pktc fmt`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_FORMAT_ROWS_H
#define PKTC_FORMAT_ROWS_H

#include "driver/usages.h"

typedef struct format_choices {
    bool diff;
} format_choices;

/* What the command line says. */
static inline const format_choices *format_chosen(const options *o)
{
    return chosen(o, "format");
}

extern const workshop format_workshop;

command_function command_format;

#endif
