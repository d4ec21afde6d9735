/* beyond.c - `wrap` and `or raw`: what becomes of values beyond a range, or between its steps.
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

static bool check_wrap(checker *k, const char *name, span word, bool has_after, type *t)
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

/* A range of floats, whose other values are sent as they are. */
static bool check_raw(checker *k, const char *name, span words, type *t)
{
    message *m;
    if (t->kind == TYPE_OR_RAW) {
        m = diag_error(k->diag, words, "'%s' has 'or raw' already: its type has it", name);
        diag_fix(k->diag, m, without(words), "remove 'or raw'");
        return false;
    }
    if (t->kind != TYPE_QUANTIZED || t->storage != STORAGE_FLOAT) {
        m = diag_error(k->diag, words, "'or raw' needs a quantized float, but '%s' is %s", name, type_text(k, t));
        if (t->kind == TYPE_FLOAT)
            diag_fix(k->diag, m, without(words), "remove 'or raw': %s without a range keeps all of its values",
                     type_text(k, t));
        else if (t->kind == TYPE_QUANTIZED)
            diag_help(k->diag, m, "write a float, or a double without a range");
        return false;
    }
    if (t->wraps) {
        m = diag_error(k->diag, words, "a number has 'wrap' or 'or raw', not both, and the type of '%s' has 'wrap'",
                       name);
        diag_fix(k->diag, m, without(words), "remove 'or raw'");
        return false;
    }
    t->kind = TYPE_OR_RAW;
    return true;
}

bool check_beyond(checker *k, const char *name, ast_beyond words, bool has_after, type *t)
{
    if (words.raw.source)
        return check_raw(k, name, words.raw, t);
    return !words.wrap.source || check_wrap(k, name, words.wrap, has_after, t);
}
