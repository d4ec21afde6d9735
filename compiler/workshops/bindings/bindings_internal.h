/* bindings_internal.h - shared by the files that list types and functions.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BINDINGS_INTERNAL_H
#define PKTC_BINDINGS_INTERNAL_H

#include "bindings/bindings.h"

typedef struct listing {
    arena *arena;
    diag *diag;
    const wire *wire;
    bindings *b;
    bind_type **last_type;
    bind_member **last_member;
    bind_function **last_function;
    bind_constant **last_constant;
    bool failed;
} listing;

/* A type that is there, by its name without the prefix of C. */
const bind_type *bind_type_named(const listing *k, const char *name);

/* Adds the functions of a type. All types that they take are there. */
void list_functions(listing *k, const wire_type *t);

#endif
