/* budgets.h - packets that may become larger than the author of the schema allows.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_BUDGETS_H
#define PKTC_BUDGETS_H

#include "base/diag.h"
#include "wire/wire.h"

/* Reports each packet whose greatest framed size is over its @budget. False if there is one. */
bool check_budgets(const wire *w, diag *d);

#endif
