/* page.h - the style that all pages of pktc share.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PAGE_H
#define PKTC_PAGE_H

#include "base/arena.h"

#include <stdint.h>

/* A style sheet for light and dark: tables, meters (.meter b.most, b.least), and the colours .k0 to .k7. */
extern const char page_style[];

/* The share of a part in percent, at most 100, as CSS wants it: "12.5". */
const char *page_percent(arena *a, uint64_t part, uint64_t whole);

/* A text with the special characters of HTML escaped, and those that should not be shown: see utf8_shown. */
const char *page_text(arena *a, const char *text);

#endif
