/* tables_rows.h - the options of `pktc table`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TABLES_ROWS_H
#define PKTC_TABLES_ROWS_H

#include "driver/usages.h"

typedef struct tables_choices {
    const char *directory; /* -o */
} tables_choices;

/* What the command line says. */
static inline const tables_choices *tables_chosen(const options *o)
{
    return chosen(o, "tables");
}

extern const workshop tables_workshop;

command_function table_recordings;

#endif
