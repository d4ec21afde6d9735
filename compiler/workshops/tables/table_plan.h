/* table_plan.h - which tables and columns the values of schemas have: docs/tables.md says the rules.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_TABLE_PLAN_H
#define PKTC_TABLE_PLAN_H

#include "recordings/datagrams.h"
#include "tables/parquet.h"

typedef struct table_plan table_plan;
typedef struct column_place column_place;

/* A struct in a table: where its fields go. */
typedef struct table_shape {
    const decl *decl;
    column_place *places; /* of its fields, by their index */
} table_shape;

enum { NO_COLUMN = -1 };

/* Where the value of a field goes. */
struct column_place {
    int has;    /* a bool: whether an optional field is there; or NO_COLUMN */
    int delta;  /* with --changes, of a part: a bool, whether only its changes are in the row; or NO_COLUMN */
    int column; /* the first of a scalar's columns; the member of a union; the count of an array; or NO_COLUMN */
    table_shape *shapes;  /* of a struct, or of each member of a union in the order of decl.by_value */
    table_plan *elements; /* the table of an array's elements */
};

/* The columns that each table begins with. */
enum { COLUMN_RECORDING, COLUMN_DATAGRAM, COLUMN_TIME, FIRST_COLUMNS };

struct table_plan {
    table_plan *next;
    const char *folder;     /* "game/State.players" */
    const table_plan *twin; /* the first one in this folder, of another release, if it is not this one; or NULL */
    const decl *decl;       /* of a value of a datagram; or NULL */
    const field *field;     /* of elements of an array; or NULL */
    size_t number;          /* of the table, from 0 */
    parquet_column *columns;
    size_t column_count, room;
    int place;            /* the column for the place in a stream; or NO_COLUMN */
    int outer;            /* the first of the columns for the subscripts of arrays around it, */
    unsigned outer_count; /* and how many they are */
    int own;              /* the first of the columns for the subscripts of an element, or for its key */
    int gone;             /* with --changes, of a list: a bool, whether the element is gone; or NO_COLUMN */
    bool has_tables;      /* there are arrays in its rows */
    column_place value;   /* where a value or an element goes */
};

enum { MOST_SUBSCRIPTS = 256 }; /* of an array in arrays */

typedef struct table_plans {
    table_plan *first; /* the table of datagrams */
    size_t count;
    bool changes;          /* of deltas, only those */
    const char *recording; /* the one that is being written */
    /* For making them. */
    arena *arena;
    diag *diag;
    names *names;
    map *known; /* (decl, NULL): the table of its values; (table, name): a column; (NULL, folder): its first table */
    table_plan **end;
    size_t taken; /* bytes of their description */
    bool failed;
} table_plans;

/* All tables of what datagrams can have. False after an error. */
bool table_plans_make(table_plans *p, const datagrams *g);

/* The table of values of a type. */
const table_plan *table_of_values(const table_plans *p, const decl *d);

/* The columns of the table of datagrams after the first ones. */
enum {
    COLUMN_NANOSECONDS = FIRST_COLUMNS,
    COLUMN_DIRECTION,
    COLUMN_SENDER,
    COLUMN_RECEIVER,
    COLUMN_PROTOCOL,
    COLUMN_RELEASE,
    COLUMN_PACKET,
    COLUMN_BYTES,
    COLUMN_UNCHECKED,
    COLUMN_REFUSED
};

#endif
