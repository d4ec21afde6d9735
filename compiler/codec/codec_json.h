/* codec_json.h - values as JSON, as docs/tools.md describes it.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CODEC_JSON_H
#define PKTC_CODEC_JSON_H

#include "codec/codec_value.h"

/* Text that ends in a newline. */
const char *json_print(arena *a, const decl *d, const datum *v);

/* The value that a text describes, members left out having their base values. False with *problem, which says what is
 * wrong and where. Takes a pktc that was built with jansson. */
bool json_read(arena *a, const decl *d, const char *text, size_t size, datum *v, const char **problem);
bool json_can_read(void);

#endif
