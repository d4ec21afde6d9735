/* emit_upgrade.h - NAME_upgrade.h and NAME_upgrade.c, which read packets of older versions.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_EMIT_UPGRADE_H
#define PKTC_EMIT_UPGRADE_H

#include "emit/emit_internal.h"

/* Two emitters with one output: types of the version now and of an older one are spelled side by side. */
typedef struct upgrader {
    emitter now, old;
    const old_version *version; /* that of `old` */
} upgrader;

/* T_from_vN; of an enum with some other numbers now, E_from_vN_. */
const char *spell_conversion(const upgrader *k, const form *f);
/* T_x_from_vN, which the program defines for a field with @convert. */
const char *spell_hook(const upgrader *k, const form *f, const field *after);
/* An expression for a number, a bool, or an enum or flags of an older version, as a number of another type. */
const char *spell_number_now(const emitter *e, const type *old, const type *now, const char *from);
/* The function, unless the program defines it. t: of a struct or union, its older type. */
void emit_conversion(upgrader *k, const form *f, const wire_type *t);

#endif
