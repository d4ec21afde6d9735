/* layout.h - what a type's parts cost on the wire, for people: `pktc layout` as text and as a page.
 * SPDX-License-Identifier: MIT
 *
 * All numbers are wire.h's; here they get names.
 */
#ifndef PKTC_LAYOUT_H
#define PKTC_LAYOUT_H

#include "base/out.h"
#include "wire/wire.h"

typedef struct sizes_options {
    uint32_t mtu; /* bytes */
    uint32_t hz;  /* packets a second; 0: rates are not shown */
} sizes_options;

/* One table of all packets, and of deltas where they have any, then one of each type. */
void sizes_text(arena *a, const wire *w, const sizes_options *how, out *to);

/* The same as one self-contained page of HTML, with a picture of the bits of each type. */
void sizes_html(arena *a, const wire *w, const sizes_options *how, out *to);

#endif
