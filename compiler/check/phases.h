/* phases.h - the phases of check, in their order. Each reports what it finds wrong and leaves the rest for the next ones.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PHASES_H
#define PKTC_PHASES_H

#include "check/context.h"

/* Parses the root file and all that it imports, directly or not. */
void load_files(checker *k, const source *root);

/* Makes a decl of each declaration, so that names resolve in any order. */
void declare_all(checker *k);

/* Fills constants, enums, flags and unions. */
void check_declarations(checker *k);

/* Gives each struct its fields, with their types. */
void check_fields(checker *k);

/* Gives each struct its items: fields in their places, conditions, values, relations. */
void check_bodies(checker *k);

/* Puts declarations in an order in which C can declare them, refuses cycles, and sums up the sizes of the C structs. */
void check_order(checker *k);

/* Compares the names that C will see. */
void check_collisions(checker *k);

#endif
