/* codec_rows.h - the options of `pktc decode` and `encode`.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CODEC_ROWS_H
#define PKTC_CODEC_ROWS_H

#include "driver/usages.h"

typedef struct codec_choices {
    bool bits;
    const char *base;   /* a file with JSON */
    const char *before; /* likewise */
    uint32_t back, gap; /* in ticks */
    const char *frame;
    bool body;
    uint32_t skip; /* bits */
    bool ignore_crc;
} codec_choices;

/* What the command line says. */
static inline const codec_choices *codec_chosen(const options *o)
{
    return chosen(o, "codec");
}

extern const workshop codec_workshop;

command_function command_decode, command_encode;

#endif
