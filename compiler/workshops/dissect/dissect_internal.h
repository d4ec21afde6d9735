/* dissect_internal.h - shared by the files of this room.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_DISSECT_INTERNAL_H
#define PKTC_DISSECT_INTERNAL_H

#include "dissect/dissect.h"

/* Whether all values of a range are Lua numbers in a dissector, not 64-bit values of Wireshark: with some room, so that
 * the difference of two of them is one as well. */
bool is_narrow(num low, num high);

/* A text as Lua writes it, in quotes. */
const char *lua_text(arena *a, const char *text);

/* A number as Lua writes it: 5, u64(0x1, 0x0). `narrow` says which. */
const char *lua_number(arena *a, num n, bool narrow);

/* The same as a key of a table, where a 64-bit value is a text. */
const char *lua_key(arena *a, num n, bool narrow);

/* A constant of a scalar type. */
const char *lua_value(arena *a, const type *t, const value *v);

/* A type, as the functions of types.lua make it. */
const char *lua_type(arena *a, const type *t);

/* The description of a type's values: "from 0 to 63"; "" for none. */
const char *about_type(arena *a, const type *t);

/* A condition or the subject of a switch: a list in postfix order. */
const char *lua_condition(arena *a, const expr *e);

#endif
