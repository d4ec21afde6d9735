/* budgets.c - compares the greatest size of each packet with its @budget.
 * SPDX-License-Identifier: MIT
 */
#include "wire/budgets.h"

bool check_budgets(const wire *w, diag *d)
{
    bool within = true;
    for (const wire_type *t = w->types; t; t = t->next) {
        uint64_t bytes = bytes_of_bits(t->most_framed);
        if (t->decl->budget == 0 || bytes <= t->decl->budget)
            continue;
        within = false;
        message *m = diag_error(d, t->decl->span, "packet '%s' can take %llu bytes, more than its budget of %u",
                                t->decl->name, (unsigned long long)bytes, (unsigned)t->decl->budget);
        diag_help(d, m, "`pktc layout %s` shows the size of each field", t->decl->span.source->path);
    }
    return within;
}
