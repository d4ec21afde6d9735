/* editor_rows.h - the options of `pktc lsp`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EDITOR_ROWS_H
#define PKTC_EDITOR_ROWS_H

#include "driver/usages.h"

typedef struct editor_choices {
    const char *archive; /* --against: the folder of releases */
} editor_choices;

/* What the command line says. */
static inline const editor_choices *editor_chosen(const options *o)
{
    return chosen(o, "editor");
}

extern const workshop editor_workshop;

command_function command_lsp;

#endif
