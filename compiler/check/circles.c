/* circles.c - `wrap`: numbers whose range is a circle.
 * SPDX-License-Identifier: MIT
 */
#include "check/check_internal.h"
#include "model/coding.h"
#include "model/type_table.h"
#include <assert.h>

bool is_circular(const type *t)
{
    return t->kind == TYPE_BITS || t->kind == TYPE_INT || t->kind == TYPE_FIXED || t->kind == TYPE_QUANTIZED;
}

/* The upper bound of a fixed or quantized number is its lower bound again; an integer has both of its bounds. */
static type circle_from(const type *t)
{
    type circle = *t;
    circle.wraps = true;
    if (t->kind == TYPE_FIXED) {
        bool fits = num_subtract(t->high, num_u64(1), &circle.high);
        assert(fits && "greater than the lower bound");
        (void)fits;
    }
    return circle;
}

bool check_wrap(checker *k, const char *name, span word, bool has_after, type *t)
{
    enum { MOST_BITS = 32 };
    if (!is_circular(t)) {
        diag_error(k->diag, word, "'wrap' needs an integer, a fixed or a quantized number, but '%s' is %s", name,
                   type_text(k, t));
        return false;
    }
    if (t->wraps) {
        message *m = diag_error(k->diag, word, "'%s' wraps already: its type has 'wrap'", name);
        diag_fix(k->diag, m, without(word), "remove 'wrap'");
        return false;
    }
    if (has_after) {
        diag_error(k->diag, word, "a field cannot have both 'after' and 'wrap'");
        return false;
    }
    const type circle = circle_from(t);
    if (num_compare(circle.low, circle.high) > 0 || greatest_number_code(&circle) == 0) {
        diag_error(k->diag, word, "'%s' has a single value, so it cannot wrap", name);
        return false;
    }
    unsigned bits = is_real(t) ? coded_bits(t) : storage_bits(t->storage);
    if (bits > MOST_BITS) {
        diag_error(k->diag, word, "a number that wraps has at most %d bits, but '%s' has %u", (int)MOST_BITS, name,
                   bits);
        return false;
    }
    *t = circle;
    return true;
}
