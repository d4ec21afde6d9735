/* emit_upgrade.h - NAME_upgrade.h and NAME_upgrade.c, which read packets of older versions.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_UPGRADE_H
#define PKTC_EMIT_UPGRADE_H

#include "emit/emitter.h"
#include "releases/conversion.h"

/* Two emitters with one output: types of the version now and of an older one are spelled side by side. */
typedef struct upgrader {
    emitter now, old;
    const upgrade *upgrade;
    const old_version *version; /* that of `old` */
} upgrader;

/* Adds NAME_upgrade.h and NAME_upgrade.c, which read packets of older versions of the root file. */
void emit_upgrade(arena *a, const upgrade *u, outputs *o);
/* NAME_serve.h and NAME_serve.c, if a version is served. */
void emit_serve(arena *a, const upgrade *u, outputs *o);
/* For NAME.h and NAME.c of a version that is served. */
other_version served_version(const old_version *v);

/* NAME_upgrade.h, NAME_serve.h and their sources, for all versions. */
upgrader upgrader_for(arena *a, arena *scratch, const upgrade *u);
/* Opens a file; $what is for its banner. And: adds what was put to the outputs. */
void open_upgrade_file(upgrader *k, const char *suffix, const char *what);
output *close_upgrade_file(upgrader *k, const char *suffix, outputs *o);
const char *upgrade_guard(const emitter *e, const char *suffix);
const char *own_marks(const emitter *e, bool begin);
void open_upgrade_source(upgrader *k, const char *suffix, const char *what);
/* States the parts of the runtime that the source and its header use. */
void close_upgrade_source(upgrader *k, const char *suffix, const output *header, outputs *o);
/* Makes v the version of k->old. And: calls a function for each form of it, with its type on the wire if it has one. */
void begin_version(upgrader *k, const old_version *v);
void for_each_form(upgrader *k, void (*emit_one)(upgrader *k, const form *f, const wire_type *t));
void emit_hook_prototypes(upgrader *k, const form *f, const char *old);
/* Whether the program can call the conversion of a form. */
bool is_public(const upgrade *u, const form *f);

/* T_from_vN, or E_from_vN_ for an enum some of whose numbers have changed. To a version that is served: T_to_vN. */
const char *spell_conversion(const upgrader *k, const form *f);
/* T_x_from_vN, which the program defines for a field with @convert. */
const char *spell_hook(const upgrader *k, const form *f, const field *after);
/* An expression for what a writer sends of a number that clamps: the program may have set it out of range. */
const char *spell_clamped_number(const emitter *e, const type *t, const char *from);
/* An expression for a number, a bool, or an enum or flags of an older version, as a number of another type. */
const char *spell_number_now(const emitter *e, const type *old, const type *now, const char *from);
/* The function, unless the program defines it. t: of a struct or union, its older type. */
void emit_conversion(upgrader *k, const form *f, const wire_type *t);

#endif
