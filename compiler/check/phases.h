/* phases.h - the phases of check, in their order. Each phase reports its errors, and the next ones run anyway.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_PHASES_H
#define PKTC_PHASES_H

#include "check/context.h"

/* Parses the root file and all files that it imports, directly or not. */
void load_files(checker *k, const source *root);

/* Makes a decl for each declaration, so that names can be used before they are declared. */
void declare_all(checker *k);

/* Fills constants, enums, flags and unions. */
void check_declarations(checker *k);

/* Gives each struct its fields, with their types. */
void check_fields(checker *k);

/* Gives types, fields and members their old names. */
void check_renames(checker *k);

/* Gives each struct its items: fields in their places, conditions, values, relations. */
void check_bodies(checker *k);

/* Puts declarations in an order in which C can declare them, refuses cycles, and sums up the sizes of the C structs. */
void check_order(checker *k);

/* Checks @stable and @answers, in a schema that is right otherwise and whose facts are known. */
void check_stable_packets(checker *k);

/* Refuses names that would collide in the generated code. */
void check_collisions(checker *k);

/* Gives the code tables of a schema without errors the lengths that its model has. */
void read_model(checker *k);

#endif
