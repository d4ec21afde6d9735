/* upgrade.h - --upgrade and --serve: the releases whose packets generated code also reads and writes.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_UPGRADE_H
#define PKTC_UPGRADE_H

#include "driver/run.h"
#include "emit/emit.h"
#include "releases/conversion.h"

/* --capture: gives generated code the text of a schema, for its recordings. */
void capture_schema(run *r, const wire *w, emit_extras *extras);

/* Adds the files of --upgrade and --serve, if they are asked for, to those of a schema. */
void generate_upgrade(run *r, const wire *w, outputs *made);

/* ---- serve.c */

/* Gives each served version its way back, and reports what cannot be served. */
void prepare_serving(run *r, upgrade *u);

#endif
