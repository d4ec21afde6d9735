/* budgets.h - refuses packets that can be larger than their author allows, or than what they answer.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BUDGETS_H
#define PKTC_BUDGETS_H

#include "base/diag.h"
#include "wire/wire.h"

/* Reports each packet whose greatest size, with its frame, exceeds its @budget, or the least size of the packet
 * that it answers. False after such a report. */
bool check_budgets(const wire *w, diag *d);

#endif
