/* bindings_rows.h - the options of `pktc bind`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BINDINGS_ROWS_H
#define PKTC_BINDINGS_ROWS_H

#include "driver/usages.h"

typedef struct bindings_choices {
    const char *directory; /* -o */
    bool releases;         /* --releases */
} bindings_choices;

/* What the command line says. */
static inline const bindings_choices *bindings_chosen(const options *o)
{
    return chosen(o, "bindings");
}

extern const workshop bindings_workshop;

command_function command_bind;

#endif
