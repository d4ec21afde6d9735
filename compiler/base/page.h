/* page.h - what the pages that pktc writes have in common: their style.
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

/* A text in which what HTML would read as its own is escaped, and what should not be shown as it is: see utf8_shown. */
const char *page_text(arena *a, const char *text);

#endif
