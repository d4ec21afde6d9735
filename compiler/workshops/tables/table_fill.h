/* table_fill.h - puts datagrams and their values into tables.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TABLE_FILL_H
#define PKTC_TABLE_FILL_H

#include "tables/table_plan.h"

typedef struct filled_tables filled_tables;

/* The tables of a recording, which is p->recording: files DIRECTORY/FOLDER/NAME.parquet. */
filled_tables *filled_tables_new(arena *a, const table_plans *p, const char *directory, const char *name);

/* Adds a datagram. */
void filled_tables_add(filled_tables *t, const recorded *r, const decoded *found);

/* Writes the file of a table even if it has no rows. */
void filled_tables_want(filled_tables *t, const table_plan *p);

/* Writes the rest: parquet_set_end. rows: gets the number of rows of each table; they are added. */
bool filled_tables_end(filled_tables *t, diag *d, bool keep, uint64_t *rows);

#endif
