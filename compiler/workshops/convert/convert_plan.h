/* convert_plan.h - what becomes of each field of a type in another version, looked up once.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_CONVERT_PLAN_H
#define PKTC_CONVERT_PLAN_H

#include "releases/conversion.h"

typedef struct field_plan {
    const field *before, *after; /* after: NULL if it is gone */
    rule rule;                   /* of its values or elements; RULE_NONE also if one array cannot become the other */
    bool by_name;                /* a program converts it (@convert) */
    bool stays;                  /* each of its values or elements that was read is a value now, and stays as it is */
} field_plan;

typedef struct type_plan {
    bool by_name;       /* a program converts it */
    bool independent;   /* what is sent of a field depends on no other one: in both versions each field is sent, and now
                         * no count is computed */
    field_plan *fields; /* by the index of the field before */
} type_plan;

/* plans: (type before, type after), for any versions before. Both are structs. */
const type_plan *plan_of(arena *a, map *plans, const old_version *v, const decl *before, const decl *after);

#endif
