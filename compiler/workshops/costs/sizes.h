/* sizes.h - `pktc layout`: the size of each packet and field, as text, as JSON or as a page.
 * SPDX-License-Identifier: MIT
 *
 * All sizes come from wire.h.
 */
#ifndef PKTC_SIZES_H
#define PKTC_SIZES_H

#include "base/out.h"
#include "wire/wire.h"

typedef struct sizes_options {
    uint32_t mtu; /* the size in bytes that packets should not exceed */
    uint32_t hz;  /* packets per second; 0: show no rates */
} sizes_options;

/* Writes a table of all packets and their deltas, then a table of each type's fields. */
void sizes_text(arena *a, const wire *w, const sizes_options *how, out *to);

/* Writes the same as one JSON object, without shares, which follow from the sizes. */
void sizes_json(arena *a, const wire *w, const sizes_options *how, out *to);

/* Writes the same as a self-contained HTML page, with a picture of the bits of each type. */
void sizes_html(arena *a, const wire *w, const sizes_options *how, out *to);

#endif
