/* bind_ts_internal.h - a schema in JavaScript: names, and where values are in the memory of wasm.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BIND_TS_INTERNAL_H
#define PKTC_BIND_TS_INTERNAL_H

#include "bindings/bind_classes.h"

void ts_begin(bind_classes *k, const bindings *b, out *to);

/* A name that stands alone, such as that of a class: with an underscore if JavaScript or the file has the name. */
const char *ts_name(arena *a, const char *name);

/* The name of a member: with an underscore if its class has a method of that name. */
const char *ts_member(const bind_classes *k, const bind_class *t, const char *name);

bool ts_is_big(storage s); /* whether its values are bigints */

/* "Team", or "Message_tag" of a union. */
const char *ts_enum_name(const bind_classes *k, const decl *d);

/* The members of an enum, flags or union, as one line for each: "    red: 1," or "    readonly red: 1;". */
const char *ts_enumerators(const bind_classes *k, const decl *d, const char *line);

const char *ts_constant_text(const bind_classes *k, const bind_constant *c);

#endif
