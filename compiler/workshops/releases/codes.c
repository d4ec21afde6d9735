/* codes.c - compares the models of two schemas: the codes of coded fields and of change masks.
 * SPDX-License-Identifier: MIT
 *
 * Fields and types whose symbols have changed are reported elsewhere.
 */
#include "releases/diff_internal.h"
#include "model/coding.h"

#include <string.h>

static unsigned tables_of(const field *f)
{
    unsigned count = 0;
    while (count < CODE_CONTEXTS && f->codes[count])
        count++;
    return count;
}

/* Whether the same symbols have other codes. */
static bool has_other_codes(const code_table *before, const code_table *after)
{
    return before && after && before->count == after->count &&
           memcmp(before->lengths, after->lengths, after->count) != 0;
}

static bool has_other_values(const code_values *before, const code_values *after)
{
    return before->count != after->count ||
           memcmp(before->codes, after->codes, after->count * sizeof *after->codes) != 0;
}

const char *codes_change(comparer *c, const field *before, const field *after)
{
    const unsigned old = tables_of(before), now = tables_of(after);
    const bool runs = has_other_codes(before->runs, after->runs);
    unsigned other = 0;
    if (!before->coded || !after->coded)
        return NULL;
    if (old && now && !before->values != !after->values)
        return after->values ? "coded by its frequent values, not by differences"
                             : "coded by differences, not by its frequent values";
    if (before->values && after->values && has_other_values(before->values, after->values))
        return "other frequent values";
    if (old && now && old != now)
        return now > 1 ? "codes by how the baseline moves" : "the same codes however the baseline moves";
    for (unsigned i = 0; i < old && i < now; i++)
        other += has_other_codes(before->codes[i], after->codes[i]);
    if (!other)
        return runs ? "other codes for which elements change" : NULL;
    const char *of = now > 1 ? arena_printf(c->arena, " in %u of %u tables", other, now) : "";
    return arena_printf(c->arena, "other codes%s%s", of, runs ? ", and for which elements change" : "");
}

/* The first table from t on of a mask of a type; NULL: there is none. */
static const code_table *next_mask(const code_table *t, const decl *d)
{
    const size_t size = strlen(d->name);
    while (t && (strncmp(t->name, d->name, size) != 0 || t->name[size] != ' '))
        t = t->next;
    return t;
}

/* The same of the next mask. */
static const code_table *after_mask(const code_table *t, const decl *d)
{
    const block *b = t->changes;
    while (t && t->changes == b)
        t = next_mask(t->next, d);
    return t;
}

/* Whether two masks of as many fields have other codes or frequent values. */
static bool has_other_mask(const block *before, const block *after)
{
    const code_values *old = before->mask_values, *now = after->mask_values;
    if (!old != !now || (old && has_other_values(old, now)))
        return true;
    for (unsigned i = 0; i < mask_tables(before); i++)
        if (has_other_codes(before->masks[i], after->masks[i]))
            return true;
    return false;
}

const char *masks_change(comparer *c, const decl *before, const decl *after)
{
    bool other = false;
    const code_table *old = next_mask(c->before.wire->schema->tables, before),
                     *now = next_mask(c->after.wire->schema->tables, after);
    for (; old && now; old = after_mask(old, before), now = after_mask(now, after)) {
        if (old->changes->mask_fields != now->changes->mask_fields)
            return NULL;
        other = other || has_other_mask(old->changes, now->changes);
    }
    return other && !old && !now ? "other codes for which fields change" : NULL;
}
